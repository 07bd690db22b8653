//! The pages of the study system: what is established is said, what is not is said too, every verdict has its words,
//! every decision its address.

use super::{pages, says, templates, text, the_match};
use crate::support::html;
use crate::support::rows::{
    Played, Season, Studied, Wish, before_after, bias, blank, colophon, play, reviews, season_row, seats, sources,
};
use portes::measure::biases::Leanings;
use portes::report::{
    MatchPages, Page, PlayerAcademy, PlayerInput, PlayerStudy, Reached, page_name_match, page_name_player, player_page,
};
use portes::tables::academy::AcademyPatternRow;
use portes::tables::marts::PlayerMatchRow;
use portes::tables::row::Day;
use portes::tables::study_marts::{
    BreakdownRow, FamilyPositionRow, HeadToHeadRow, RecurringErrorRow, ReferencePositionRow, StudyPlanRow,
    StudyTotalsRow, TrendRow,
};
use std::collections::BTreeSet;

/// A page of Foxglove with this study and nothing else.
fn page_with(study: PlayerStudy<'_>) -> Page {
    let of = play(&Wish::new(["Foxglove", "Gristmill"], 21));
    page_of(&of, study)
}

fn page_of(of: &Played, study: PlayerStudy<'_>) -> Page {
    page_in(of, study, PlayerAcademy::default())
}

fn page_in(of: &Played, study: PlayerStudy<'_>, academy: PlayerAcademy<'_>) -> Page {
    let figures: Vec<PlayerMatchRow> =
        of.figures.iter().filter(|row| row.player.as_deref() == Some("Foxglove")).cloned().collect();
    let season = season_row(Some("Foxglove"), &figures.iter().collect::<Vec<_>>());
    let figures = seats(&figures);
    let input = PlayerInput {
        news: &portes::report::News::default(),
        season: &season,
        figures: &figures.iter().collect::<Vec<_>>(),
        matches: &[&of.row],
        study,
        academy,
        colophon: &colophon(),
        pages: MatchPages::All,
    };
    player_page(&templates(), &input).unwrap()
}

fn family(rank: Option<i64>, position: i64, theme: &str, members: i64, figures: [f64; 3]) -> StudyPlanRow {
    StudyPlanRow {
        season: "2026".into(),
        player: Some("Foxglove".into()),
        rank,
        position,
        plan: ["contact", "blitz", "race"][usize::try_from(position % 3).unwrap()].into(),
        nature: "cube".into(),
        theme: theme.into(),
        members,
        avoidable: members - 1,
        recoverable: figures[0],
        low: figures[1],
        high: figures[2],
        reason: match (rank, members) {
            (Some(_), _) => None,
            (None, ..5) => Some("few_members".into()),
            (None, _) => Some("includes_zero".into()),
        },
        unpriced: 0,
        unthemed: 20,
    }
}

fn totals(errors: i64, unpriced: i64, unthemed: i64) -> StudyTotalsRow {
    StudyTotalsRow { errors, unpriced, unthemed, ..blank() }
}

#[test]
fn what_no_family_holds_is_told_where_there_is_no_family() {
    let event = StudyTotalsRow { event: Some("Cup".into()), ..totals(1, 1, 0) };
    let totals = [totals(9, 2, 7), event];
    let page = page_with(PlayerStudy { totals: &totals, ..PlayerStudy::default() });
    says(&page, "In neither list: seven errors without a theme and two errors without a price");
}

#[test]
fn a_family_shows_its_worst_positions_and_how_many_more_there_are() {
    let plan = [family(Some(1), 1, "offer_missed", 17, [0.1264, 0.0571, 0.1958])];
    let place = |rank: i64, of: &StudyPlanRow| FamilyPositionRow {
        rank,
        plan: of.plan.clone(),
        nature: of.nature.clone(),
        theme: of.theme.clone(),
        position_key: format!("key {rank}"),
        xgid: format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:{rank}:0:7:10"),
        errors: 1 + rank,
        excess: 0.03 / rank as f64,
        positions: 12,
        ..blank()
    };
    let mut places: Vec<FamilyPositionRow> = (1..=7).map(|rank| place(rank, &plan[0])).rev().collect();
    places.push(FamilyPositionRow { theme: "offer_premature".into(), xgid: "elsewhere".into(), ..place(1, &plan[0]) });
    let page = page_with(PlayerStudy { plan: &plan, family_positions: &places, ..PlayerStudy::default() });
    says(&page, "blitz \u{b7} cube \u{b7} missed double: 12 positions");
    for rank in 1..=5 {
        says(&page, &places.iter().find(|row| row.rank == rank).unwrap().xgid);
    }
    says(&page, "+3.00");
    assert!(!text(&page).contains("10:0:7:10") && !text(&page).contains(":0:6:0:7:10"), "five are shown");
    assert!(!text(&page).contains("elsewhere"), "another family's");
    says(&page, "and 7 more in the tables");
}

#[test]
fn beside_an_error_stand_the_patterns_that_both_plays_reach() {
    let plan = [family(Some(1), 1, "point", 6, [0.05, 0.01, 0.1])];
    let place = |rank: i64| FamilyPositionRow {
        rank,
        plan: plan[0].plan.clone(),
        nature: plan[0].nature.clone(),
        theme: plan[0].theme.clone(),
        decision_id: format!("{:016x}-{rank:04}", 7),
        positions: 2,
        ..blank()
    };
    let places = [place(1), place(2)];
    let pattern = |id, n, v, cells: &str| AcademyPatternRow {
        game: "backgammon".into(),
        library: "yose".into(),
        id,
        area: "home".into(),
        cells: cells.into(),
        p: 1,
        n,
        e: 1582.0,
        v,
        ..blank()
    };
    let (best, played) = (pattern(4, 6, 0.71, "+w---bb-"), pattern(9, 1, 0.41, "+w-x-xb-"));
    let reached =
        [Reached { decision_id: &places[1].decision_id, best: ("8/5 6/5", &best), played: ("6/5 6/3", &played) }];
    let of = play(&Wish::new(["Foxglove", "Gristmill"], 21));
    let study = PlayerStudy { plan: &plan, family_positions: &places, ..PlayerStudy::default() };
    let known = page_in(&of, study, PlayerAcademy { reached: &reached, ..PlayerAcademy::default() });
    says(&known, "never the value of this one. What the signs mean 2. the match");
    says(&known, "8/5 6/5 best Many players hold it worth about 0.7 to whoever has just moved (solid).");
    says(&known, "6/5 6/3 played One player holds it worth about 0.4 to whoever has just moved (solid).");
    assert_eq!(known.html.matches("class=\"qt\"").count(), 2);
    assert!(known.html.contains("Home board. Made point: 6, 5.") && known.html.contains("id=\"q-x\""));
    // What a page shows of them is in its key; without any it says nothing.
    assert!(!page_of(&of, study).html.contains("What the club knows of these plays"));
}

#[test]
fn the_plan_of_the_mock_is_told_as_the_mock_tells_it() {
    let plan = [
        family(Some(1), 3, "offer_missed", 17, [0.1264, 0.0571, 0.1958]),
        family(Some(2), 4, "offer_missed", 14, [0.0954, 0.0302, 0.1606]),
        family(Some(3), 5, "offer_missed", 7, [0.0388, 0.0084, 0.0693]),
        family(None, 6, "answer_wrong_take", 4, [0.1341, -0.0487, 0.3168]),
        family(None, 7, "offer_premature", 9, [0.0290, -0.0135, 0.0716]),
    ];
    let totals = [totals(71, 0, 20)];
    let page = page_with(PlayerStudy { plan: &plan, totals: &totals, ..PlayerStudy::default() });
    for expected in [
        "Study missed doubles in contact. Three families of errors are established at 95 %; played as the reference player does, the first would have saved 12.64 % of match winning chances over one match.",
        "At 95 %, three families are established. All are the same fault in different game plans: missed double.",
        "1. contact \u{b7} cube \u{b7} missed double 17 (16) +12.64 [+5.71, +19.58]",
        "contact \u{b7} cube \u{b7} wrong take fewer than 5 errors 4 (3) +13.41 [\u{2212}4.87, +31.68]",
        "blitz \u{b7} cube \u{b7} premature double the interval includes 0 9 (8) +2.90 [\u{2212}1.35, +7.16]",
        "In neither list: 20 errors without a theme and no error without a price",
    ] {
        says(&page, expected);
    }
    let one = [family(Some(1), 1, "blots", 6, [0.05, 0.001, 0.1])];
    let page = page_with(PlayerStudy { plan: &one, ..PlayerStudy::default() });
    says(&page, "Study blots left in the blitz. One family of errors is established at 95 %;");
    let none = [family(None, 1, "blots", 2, [0.05, -0.001, 0.1]), family(None, 2, "point", 2, [0.04, -0.001, 0.1])];
    let page = page_with(PlayerStudy { plan: &none, ..PlayerStudy::default() });
    says(&page, "Nothing is established yet: two families to confirm.");
    assert!(!text(&page).contains("Established at 95"));
    // Without a plan the level stays the first sentence.
    says(&page, "over one match. The errors cost");
}

#[test]
fn errors_without_a_theme_that_lead_are_said_beside_the_plan() {
    let row = |rank, theme: &str, mpt| RecurringErrorRow {
        season: "2026".into(),
        player: Some("Foxglove".into()),
        rank,
        plan: "race".into(),
        nature: "checker".into(),
        theme: theme.into(),
        members: 3,
        mpt,
        pr_cost: 0.5 * mpt as f64 / 400.0,
        decisions: 400,
    };
    let leads = "Errors without a recognised theme lead the recurring ones; the plan does not see them.";
    let rows = [row(2, "point", 200), row(1, "none", 400)];
    let plan = [family(None, 1, "point", 3, [0.05, -0.001, 0.1])];
    let page = page_with(PlayerStudy { plan: &plan, recurring: &rows, ..PlayerStudy::default() });
    says(&page, leads);
    says(&page, "1 race \u{b7} checker \u{b7} no theme recognised 3 400 0.50");
    let page = page_with(PlayerStudy { recurring: &rows[1..], ..PlayerStudy::default() });
    says(&page, "No theme could be recognised for these errors.");
    let rows = [row(1, "point", 400), row(2, "none", 200)];
    let page = page_with(PlayerStudy { plan: &plan, recurring: &rows, ..PlayerStudy::default() });
    assert!(!text(&page).contains(leads));
}

/// (too much, too little, balanced, insufficient) by plus and minus over decisions.
const VERDICTS: [(i64, i64, i64); 4] = [(5, 0, 20), (2, 10, 40), (5, 3, 40), (4, 0, 19)];

#[test]
fn every_verdict_of_a_bias_has_the_wording_of_the_spec() {
    let wording = [
        ("take", ["you take too much", "you pass too much", "balanced", "fewer than 20 answers"]),
        ("double", ["you double too early", "you double too late", "balanced", "fewer than 20 cube decisions"]),
        ("blots", ["you leave too many blots", "you leave too few blots", "balanced", "fewer than 20 plays"]),
    ];
    for (name, words) in wording {
        for ((plus, minus, decisions), wording) in VERDICTS.into_iter().zip(words) {
            let rows = [bias("Foxglove", name, None, Leanings { plus, minus, decisions })];
            let page = page_with(PlayerStudy { biases: &rows, ..PlayerStudy::default() });
            says(&page, &format!("{decisions} {wording} {minus} : {plus}"));
        }
    }
    let rows = [bias("Foxglove", "take", None, Leanings { plus: 10, minus: 2, decisions: 40 })];
    let page = page_with(PlayerStudy { biases: &rows, ..PlayerStudy::default() });
    says(&page, "+20.0 [+4.2, +35.8]");
    says(&page, "You take too much.");
    says(&page, "122 : 470 mpt");
}

#[test]
fn doubles_by_score_stand_money_first_and_only_with_twenty_decisions() {
    let at = |score, decisions| bias("Foxglove", "double", Some(score), Leanings { plus: 0, minus: 6, decisions });
    let rows = [at((5, 3), 26), at((5, 2), 19), at((0, 0), 30), at((3, 9), 20), at((1, 1), 2)];
    let whole = [bias("Foxglove", "double", None, Leanings { plus: 0, minus: 30, decisions: 97 })];
    let rows: Vec<_> = rows.into_iter().chain(whole).collect();
    let page = page_with(PlayerStudy { biases: &rows, ..PlayerStudy::default() });
    let text = text(&page);
    let at = |name: &str| text.find(name).unwrap_or_else(|| panic!("{name} is not there"));
    assert!(at("Money 30") < at("3-away / 9-away 20") && at("3-away / 9-away 20") < at("5-away / 3-away 26"));
    assert!(!text.contains("5-away / 2-away 19"));
    says(&page, "Two scores have fewer than 20 decisions and are left out. Three scores were tested;");
}

#[test]
fn before_and_after_are_the_examples_of_the_spec() {
    let rows = before_after("Foxglove");
    let page = page_with(PlayerStudy { before_after: &rows, ..PlayerStudy::default() });
    for expected in [
        "improved 13.88 \u{2192} 2.33 80 \u{2192} 60 +11.54 [+1.06, +22.02]",
        "improved 40.00 \u{2192} 0 40 \u{2192} 50 +40.00 [+12.28, +67.72]",
        "worse 2.00 \u{2192} 31.25 50 \u{2192} 40 \u{2212}29.25 [\u{2212}57.35, \u{2212}1.15]",
        "undetermined 0 \u{2192} 0 40 \u{2192} 40 0 [0, 0]",
        "fewer than 30 decisions 10.34 \u{2192} 0 29 \u{2192} 50 +10.34 [\u{2212}4.77, +25.46]",
        "Five families were studied; two cost less and one costs more since.",
        "Four families were never studied and cannot be compared.",
        "A change, not an effect",
    ] {
        says(&page, expected);
    }
    says(
        &page_with(PlayerStudy { before_after: &rows[3..4], ..PlayerStudy::default() }),
        "neither progress nor decline",
    );
}

#[test]
fn what_the_study_system_has_not_found_says_why() {
    let page = page_with(PlayerStudy::default());
    for expected in [
        "The tables hold no family of errors for this season.",
        "A reference position needs an error with a theme and a price; there is none.",
        "No counted decision leans either way: there is none.",
        "No study action recorded.",
        "No counted decision: there is nothing to break down.",
        "No counted decision with an error.",
    ] {
        says(&page, expected);
    }
    let bare = play(&Wish { analysed: false, ..Wish::new(["Foxglove", "Gristmill"], 4) });
    says(&page_of(&bare, PlayerStudy::default()), "No counted decision, so there is nothing to study yet.");
    let careful = Played { figures: errorless(), ..play(&Wish::new(["Foxglove", "Gristmill"], 4)) };
    says(&page_of(&careful, PlayerStudy::default()), "No error at or above the threshold.");
}

fn errorless() -> Vec<PlayerMatchRow> {
    let mut figures = play(&Wish::new(["Foxglove", "Gristmill"], 4)).figures;
    figures.iter_mut().for_each(|row| row.errors = 0);
    figures
}

#[test]
fn a_reference_position_tells_what_it_covers_and_keeps_its_xgid_without_a_board() {
    let of = play(&Wish { care: [2, 2], ..Wish::new(["Foxglove", "Gristmill"], 22) });
    let decision =
        of.decisions.iter().find(|row| row.seat == 1 && row.e_mpt >= Some(50) && row.kind == "checker").unwrap();
    let position = |rank, with: &str| ReferencePositionRow {
        season: "2026".into(),
        player: "Foxglove".into(),
        rank,
        position_key: decision.position_key.clone(),
        xgid: format!("XGID={with}"),
        plan: "contact".into(),
        nature: "checker".into(),
        theme: "blots".into(),
        gain: 0.0124,
        errors: 7,
        matches: 5,
        gap: Some(84),
        rollout: true,
        decision_id: with.into(),
        match_id: of.row.match_id.clone(),
        discarded: 2,
        handled: 1,
        ..blank()
    };
    let second = ReferencePositionRow { close: true, unstable: true, rollout: false, gap: None, ..position(2, "no-1") };
    let rows = [second, position(1, &decision.decision_id)];
    let plan = [StudyPlanRow {
        plan: "contact".into(),
        nature: "checker".into(),
        ..family(None, 1, "blots", 9, [0.1, -0.1, 0.3])
    }];
    let study = PlayerStudy {
        plan: &plan,
        positions: &rows,
        decisions: std::slice::from_ref(decision),
        candidates: &of.candidates,
        ..PlayerStudy::default()
    };
    let page = page_of(&of, study);
    says(
        &page,
        "Covers seven errors in five matches of a family of 9, gain 1.24 %; lesson clear (gap 84 mpt); rolled out.",
    );
    says(&page, "gain 1.24 %; lesson marginal (gap unknown); unstable: another analysis rules differently.");
    says(&page, "No board. The decision is not on this page");
    says(&page, "XGID=no-1");
    says(&page, "Two candidates discarded as near-duplicates, 1 already treated, 0 with some gain left over.");
    assert_eq!(page.html.matches("<svg class=\"board\"").count(), 1);
    let target = format!("{}#d{:04}", page_name_match(&of.row.match_id, ["Foxglove", "Gristmill"]), decision.order);
    assert!(page.html.contains(&target), "no link to {target}");
    assert!(the_match(&of).html.contains(&format!("id=\"d{:04}\"", decision.order)));
}

/// Anchors that the pages of a season have, by page.
fn anchors(pages: &[Page]) -> BTreeSet<String> {
    let ids = |page: &Page| -> Vec<String> {
        let tags = html::read(&page.html).tags;
        tags.iter().filter_map(|tag| Some(format!("{}#{}", page.path, tag.attributes.get("id")?))).collect()
    };
    pages.iter().flat_map(ids).collect()
}

#[test]
fn every_link_into_another_page_finds_its_decision() {
    let pages = pages(&Season::new(), &sources());
    let anchors = anchors(&pages);
    let mut followed = 0;
    for page in &pages {
        for tag in html::read(&page.html).tags {
            let Some(href) = tag.attributes.get("href").filter(|href| !href.starts_with('#')) else { continue };
            if href.contains('#') {
                assert!(anchors.contains(href), "{}: {href} leads nowhere", page.path);
                followed += 1;
            }
        }
    }
    assert!(followed > 100, "{followed}");
}

#[test]
fn a_full_page_of_a_player_stays_in_its_size_whatever_the_names() {
    let long = "<Foxglove & \"sons\"> ".repeat(6);
    let of = play(&Wish { care: [2, 2], ..Wish::new([&long, "Gristmill"], 23) });
    let season = Season { matches: vec![of] };
    let mut studied = Studied::of(&season, &long);
    let position = studied.positions[0].clone();
    studied.positions = (1..=30).map(|rank| ReferencePositionRow { rank, ..position.clone() }).collect();
    studied.plan = (1..=60).map(|at| family(Some(at), at, &long, 9, [0.1, 0.01, 0.2])).collect();
    studied.breakdowns = ["phase", "plan", "score", "opponent", "month", "engine", "depth", "time", "kind", "length"]
        .into_iter()
        .flat_map(|dimension| {
            let long = &long;
            (0..200).map(move |n| BreakdownRow {
                dimension: dimension.into(),
                cell: format!("{n} {long}"),
                decisions: 900,
                pr: Some(5.0),
                low: Some(4.0),
                high: Some(6.0),
                units: 9,
                ..blank()
            })
        })
        .collect();
    studied.head_to_head =
        (0..300).map(|n| HeadToHeadRow { opponent: format!("{n} {long}"), matches: 2, ..blank() }).collect();
    let one = &season.matches[0];
    let figures = seats((0..400).map(|_| &one.figures[0]));
    let row = season_row(Some(&long), &[&one.figures[0]]);
    let input = PlayerInput {
        news: &portes::report::News::default(),
        season: &row,
        figures: &figures.iter().collect::<Vec<_>>(),
        matches: &[&one.row],
        study: studied.view(),
        academy: PlayerAcademy::default(),
        colophon: &colophon(),
        pages: MatchPages::All,
    };
    let page = player_page(&templates(), &input).unwrap();
    assert!(page.html.len() < 420_000, "{} bytes", page.html.len());
    assert!(page.html.contains("and 10 more in the tables"));
    let mut known: BTreeSet<String> = studied.head_to_head.iter().map(|row| page_name_player(&row.opponent)).collect();
    known.extend(["index.html".to_owned(), "quality.html".to_owned()]);
    known.insert(page_name_match(&one.row.match_id, [&one.row.player_1, &one.row.player_2]));
    assert_eq!(html::faults(&page.html, &known), Vec::<String>::new());
}

#[test]
fn the_order_of_the_study_rows_does_not_change_a_byte() {
    let season = Season::new();
    let mut studied = Studied::of(&season, "Dovetail");
    let row = season.players().into_iter().find(|row| row.player.as_deref() == Some("Dovetail")).unwrap();
    let (figures, matches) = (seats(&season.figures()), season.rows());
    let page = |studied: &Studied| {
        let input = PlayerInput {
            news: &portes::report::News::default(),
            season: &row,
            figures: &figures.iter().collect::<Vec<_>>(),
            matches: &matches.iter().collect::<Vec<_>>(),
            study: studied.view(),
            academy: PlayerAcademy::default(),
            colophon: &colophon(),
            pages: MatchPages::All,
        };
        player_page(&templates(), &input).unwrap().html
    };
    let one = page(&studied);
    studied.reverse();
    assert!(one == page(&studied));
}

#[test]
fn the_review_of_a_match_is_the_one_of_its_table() {
    let of = play(&Wish { care: [2, 2], ..Wish::new(["Foxglove", "Gristmill"], 24) });
    let mut rows = reviews(&of.decisions);
    let open = |html: &str| -> Vec<String> {
        html.match_indices("<article class=\"card\" id=\"")
            .map(|(at, found)| html[at + found.len()..][..5].into())
            .collect()
    };
    let page = |rows: &[portes::tables::study_marts::MatchReviewRow]| {
        portes::report::match_page(&templates(), &super::input(&of, rows, &colophon())).unwrap().html
    };
    let first = open(&page(&rows));
    assert_eq!(first.len(), 6, "three a player");
    // Another order in the table is another order on the page; a fourth is not shown open.
    let count = |seat| i64::try_from(rows.iter().filter(|row| row.seat == seat).count()).unwrap();
    let counts = [count(1), count(2)];
    for row in &mut rows {
        row.rank = counts[usize::from(row.seat == 2)] + 1 - row.rank;
    }
    let turned = open(&page(&rows));
    assert_ne!(first, turned);
    assert_eq!(open(&page(&[])), Vec::<String>::new());
}

/// Product views 3.3: where the line leads, and what is said when there is none or it leads nowhere.
#[test]
fn a_goal_says_where_the_line_leads() {
    let row = TrendRow {
        season: "all".into(),
        player: "Foxglove".into(),
        matches: 12,
        goal_pr: Some(4.5),
        goal_day: Some(Day(20_332)),
        pr_at_goal: Some(4.8),
        ..blank()
    };
    let told = |row: &TrendRow| page_with(PlayerStudy { trend: std::slice::from_ref(row), ..PlayerStudy::default() });
    says(
        &told(&row),
        "Goal: PR 4.50 on 2025-09-01. At this pace, by a straight line through 12 dated matches: 4.80 then.",
    );
    says(&told(&TrendRow { pr_at_goal: Some(-0.4), ..row.clone() }), "leads below 0 by then");
    says(
        &told(&TrendRow { matches: 2, pr_at_goal: None, ..row.clone() }),
        "Not enough matches for a line: two dated matches",
    );
    assert!(!text(&told(&TrendRow { goal_pr: None, goal_day: None, ..row })).contains("Goal:"));
}
