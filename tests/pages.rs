//! Pages: one file each, no request, no script, strangers' text as text, every link inside the season, sizes, contrast.

mod academy;
mod colours;
mod study;
mod tournament;

use crate::support::html;
use crate::support::rows::{Played, Season, Studied, Wish, blank, colophon, play, reviews, season_row, sources};
use portes::report::{
    MatchInput, MatchPages, Page, PlayerAcademy, PlayerInput, QualityInput, SeasonInput, Templates, TournamentInput,
    match_page, page_name_match, player_page, quality_pages, season_pages, tournament_page,
};
use portes::tables::facts::{CommentRow, MatchRow, SourceRow};
use portes::tables::marts::PlayerMatchRow;
use portes::tables::study_marts::{MatchReviewRow, TournamentReviewRow};
use std::collections::{BTreeMap, BTreeSet};

fn templates() -> Templates {
    Templates::load(None).unwrap()
}

fn input<'a>(of: &'a Played, review: &'a [MatchReviewRow], colophon: &'a portes::report::Colophon) -> MatchInput<'a> {
    MatchInput {
        played: &of.row,
        games: &of.games,
        figures: &of.figures,
        decisions: &of.decisions,
        candidates: &of.candidates,
        analyses: &of.analyses,
        comments: &of.comments,
        review,
        main_player: Some("Bramblewick"),
        colophon,
    }
}

fn the_match(of: &Played) -> Page {
    match_page(&templates(), &input(of, &reviews(&of.decisions), &colophon())).unwrap()
}

/// Every page of a season.
fn pages(season: &Season, sources: &[SourceRow]) -> Vec<Page> {
    let (templates, colophon) = (templates(), colophon());
    let (figures, matches, players) = (season.figures(), season.rows(), season.players());
    let tournaments = season.tournaments();
    let (standings, places) = season.standings();
    let input = SeasonInput {
        news: &portes::report::News::default(),
        season: "2026",
        players: &players,
        matches: &matches,
        figures: &figures,
        sources,
        tournaments: &tournaments,
        standings: &standings,
        places: &places,
        academy: false,
        colophon: &colophon,
        pages: MatchPages::All,
    };
    let mut pages = season_pages(&templates, &input).unwrap();
    pages.extend(quality_pages(&templates, &QualityInput { season: "2026", sources, colophon: &colophon }).unwrap());
    for row in players.iter().filter(|row| row.player.is_some()) {
        let mine: Vec<PlayerMatchRow> = figures.iter().filter(|f| f.player == row.player).cloned().collect();
        let his: Vec<MatchRow> = matches
            .iter()
            .filter(|m| [&m.player_1, &m.player_2].contains(&row.player.as_ref().unwrap()))
            .cloned()
            .collect();
        let studied = Studied::of(season, row.player.as_ref().unwrap());
        let input = PlayerInput {
            news: &portes::report::News::default(),
            season: row,
            figures: &mine,
            matches: &his,
            study: studied.view(),
            academy: PlayerAcademy::default(),
            colophon: &colophon,
            pages: MatchPages::All,
        };
        pages.push(player_page(&templates, &input).unwrap());
    }
    let events: BTreeSet<&str> = tournaments.iter().map(|row| row.event.as_str()).collect();
    for event in events {
        pages.push(the_tournament(season, event));
    }
    pages.extend(season.matches.iter().map(the_match));
    pages
}

/// The page of an event, with the study plan of its reference player over it.
fn the_tournament(season: &Season, event: &str) -> Page {
    let reviews: Vec<TournamentReviewRow> = season.tournaments().into_iter().filter(|row| row.event == event).collect();
    let matches: Vec<MatchRow> = season.rows().into_iter().filter(|row| row.event.as_deref() == Some(event)).collect();
    let figures: Vec<PlayerMatchRow> =
        season.figures().into_iter().filter(|row| matches.iter().any(|of| of.match_id == row.match_id)).collect();
    let (families, totals) =
        Studied::of_event(season, event, &reviews.iter().find(|row| row.reference).unwrap().player);
    let places: Vec<_> = season.standings().1.into_iter().filter(|row| row.event == event).collect();
    let input = TournamentInput {
        season: "2026",
        event,
        reviews: &reviews,
        matches: &matches,
        figures: &figures,
        families: &families,
        totals: Some(&totals),
        places: &places,
        colophon: &colophon(),
        pages: MatchPages::All,
    };
    tournament_page(&templates(), &input).unwrap()
}

fn check(pages: &[Page]) {
    let known: BTreeSet<String> = pages.iter().map(|page| page.path.clone()).collect();
    assert_eq!(known.len(), pages.len(), "two pages of one name");
    for page in pages {
        let faults = html::faults(&page.html, &known);
        assert!(faults.is_empty(), "{}: {:#?}", page.path, &faults[..faults.len().min(10)]);
    }
}

#[test]
fn every_page_of_a_season_keeps_the_rules_and_links_only_inside_it() {
    let season = Season::new();
    let pages = pages(&season, &sources());
    // To look at them: PORTES_PAGES=folder cargo test ... pages.
    if let Some(folder) = std::env::var_os("PORTES_PAGES") {
        let folder = std::path::PathBuf::from(folder);
        std::fs::create_dir_all(&folder).unwrap();
        for page in &pages {
            std::fs::write(folder.join(&page.path), &page.html).unwrap();
        }
    }
    check(&pages);
    let boards = |kind: &str| {
        let of_kind = pages.iter().filter(|page| page.path.starts_with(kind));
        of_kind.map(|page| page.html.matches("<svg class=\"board\"").count()).sum::<usize>()
    };
    assert!(boards("match-") > 300 && boards("player-") > 60, "{} and {}", boards("match-"), boards("player-"));
    for page in &pages {
        let decisions =
            season.matches.iter().find(|m| page.path.contains(&m.row.match_id[..12])).map_or(0, |m| m.decisions.len());
        let limit = match page.path.split(['-', '.']).next().unwrap() {
            "match" => 120_000 + 600 * decisions,
            "player" => 300_000,
            "tournament" => 1_000_000,
            _ => 150_000,
        };
        assert!(page.html.len() <= limit, "{}: {} of {limit} bytes", page.path, page.html.len());
    }
}

/// Text of a page with its spaces evened out.
fn text(page: &Page) -> String {
    html::read(&page.html).text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn says(page: &Page, expected: &str) {
    let text = text(page);
    let expected = expected.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(&expected), "{} does not say {expected:?}:\n{text}", page.path);
}

fn index(season: &Season) -> Page {
    pages(season, &sources()).into_iter().next().unwrap()
}

#[test]
fn the_match_of_the_fixture_shows_the_figures_of_the_spec() {
    let page = the_match(&m7());
    for expected in [
        "Bramblewick lost by play. Errors cost Bramblewick 10.44 % and Aldergrove 1.61 % of the match; the rolls took Bramblewick 33.20 %.",
        "Bramblewick 9 31.39 [12.10\u{2013}50.68]",
        "Aldergrove 6 14.33 [0.37\u{2013}28.29]",
        "Errors 6 1 of them blunders 2 0 of them avoidable 4 1",
        "Loss, % MWC 10.44 1.61",
        "Difficulty, % MWC 0.52 0.37 Excess, % MWC +9.92 +1.24",
        "Ratio of loss to difficulty 19.97 \u{d7} \u{2014}",
        "10.4 [2.5\u{2013}18.4] 1.6 [0\u{2013}3.4]",
        "\u{2248} \u{2212}139 [\u{2212}253 to \u{2212}33] \u{2248} \u{2212}21 [\u{2212}45 to 0]",
        "Luck-adjusted result, % MWC \u{2212}16.80 +16.80",
        "result \u{2212}50.00 % (lost from an even start) less net luck \u{2212}33.20 % gives \u{2212}16.80 %: lost by play. Luck is known for 11 of 12 rolls. Error balance \u{2212}8.83 %",
        "Bramblewick: most errors were hasty: work on discipline.",
        "Aldergrove 7, Bramblewick 6",
    ] {
        says(&page, expected);
    }
}

#[test]
fn two_players_are_not_compared_when_one_is_mostly_unrated() {
    let mut of = m7();
    let last = of.decisions.last().unwrap().clone();
    let unrated = |order: i64| {
        let mut row = last.clone();
        (row.order, row.decision_id, row.counted) = (order, format!("{}-{order:04}", row.match_id), false);
        (row.e_mpt, row.loss, row.difficulty) = (None, None, None);
        row
    };
    of.decisions.extend((15..35).map(unrated));
    let page = the_match(&of);
    says(&page, "Only 6 of the 26 decisions of Aldergrove are rated: the two are not compared.");
    for claim in ["lost less", "Errors cost", "Error balance", "overlap"] {
        assert!(!text(&page).contains(claim), "{claim}");
    }
}

#[test]
fn the_decisions_to_review_are_those_of_the_spec_in_its_order() {
    let page = the_match(&m7());
    // A9, A3, A8 of the one, B4 of the other; each is an open card with its anchor.
    let cards: Vec<String> = page
        .html
        .match_indices("<article class=\"card\" id=\"")
        .map(|(at, found)| page.html[at + found.len()..][..5].to_owned())
        .collect();
    assert_eq!(cards, ["d0008", "d0002", "d0007", "d0012"]);
    says(&page, "The one error with an avoidable part");
}

/// M7 of `metrics.md` 21: decisions with their e, loss and difficulty, and the figures of its last table.
fn m7() -> Played {
    let mut of = play(&Wish::new(["Bramblewick", "Aldergrove"], 5));
    let template = of.decisions.iter().find(|row| row.kind == "checker").unwrap().clone();
    // id, game, seat, kind, e in mpt, loss and d in 1e-9.
    let table: [(i64, i64, &str, i64, i64, i64); 15] = [
        (1, 1, "checker", 60, 3_756_600, 527_390),
        (1, 1, "checker", 20, 1_252_200, 622_410),
        (2, 1, "checker", 150, 19_656_750, 48_600),
        (2, 1, "take", 80, 5_315_600, 208_190),
        (3, 1, "no_double", 30, 2_581_350, 597_520),
        (3, 1, "checker", 55, 4_732_475, 618_230),
        (3, 1, "checker", 0, 0, 11_460),
        (4, 1, "checker", 70, 17_081_050, 979_160),
        (5, 1, "checker", 100, 50_000_000, 1_612_700),
        (1, 2, "checker", 12, 751_320, 287_190),
        (2, 2, "double", 25, 1_661_125, 446_750),
        (2, 2, "checker", 45, 5_897_025, 1_431_240),
        (3, 2, "checker", 90, 7_744_050, 205_970),
        (4, 2, "checker", 0, 0, 1_314_200),
        (5, 2, "double", 0, 0, 10),
    ];
    of.decisions = table
        .iter()
        .zip(0..)
        .map(|(&(game, seat, kind, e, loss, difficulty), order)| {
            let mut row = template.clone();
            (row.game, row.seat, row.order, row.kind) = (game, seat, order, kind.into());
            row.decision_id = format!("{}-{order:04}", of.row.match_id);
            (row.e_mpt, row.loss, row.difficulty, row.counted) = (Some(e), Some(loss), Some(difficulty), true);
            if kind != "checker" {
                (row.dice, row.play) = (None, None);
            }
            row
        })
        .collect();
    let seat = |seat: i64, row: PlayerMatchRow| PlayerMatchRow {
        seat: Some(seat),
        won: Some(seat == 2),
        games: 5,
        finished: true,
        coverage: Some(11.0 / 12.0),
        ..row
    };
    of.figures = vec![
        seat(
            1,
            PlayerMatchRow {
                player: Some("Bramblewick".into()),
                decisions: 9,
                priced: 9,
                pr: Some(31.388_889),
                pr_low: Some(12.101_649),
                pr_high: Some(50.676_129),
                pr_units: 5,
                loss: Some(0.104_376_025),
                l7: Some(0.104_376_025),
                l7_low: Some(0.024_908_668),
                l7_high: Some(0.183_843_382),
                elo_vs_engine: Some(-139.109_541),
                elo_low: Some(-253.277_298),
                elo_high: Some(-32.736_74),
                elo_floored: Some(false),
                difficulty: Some(0.005_225_669),
                excess: Some(0.099_150_356),
                ratio: Some(19.973_714),
                errors: 6,
                blunders: 2,
                avoidable: 4,
                luck_rolls: 6,
                rolls: 7,
                luck_mwc: Some(-0.058_882_75),
                luck_adjusted: Some(-0.168_038_85),
                error_balance: Some(-0.088_322_505),
                hasty: Some(3),
                considered: Some(2),
                unknown_pace: Some(1),
                ..blank()
            },
        ),
        seat(
            2,
            PlayerMatchRow {
                player: Some("Aldergrove".into()),
                decisions: 6,
                priced: 6,
                pr: Some(14.333_333),
                pr_low: Some(0.373_880),
                pr_high: Some(28.292_787),
                pr_units: 5,
                loss: Some(0.016_053_52),
                l7: Some(0.016_053_52),
                l7_low: Some(0.0),
                l7_high: Some(0.033_871_92),
                elo_vs_engine: Some(-21.088_459),
                elo_low: Some(-44.548_264),
                elo_high: Some(0.0),
                elo_floored: Some(false),
                difficulty: Some(0.003_685_364),
                excess: Some(0.012_368_156),
                errors: 1,
                avoidable: 1,
                luck_rolls: 5,
                rolls: 5,
                luck_mwc: Some(0.273_078_4),
                luck_adjusted: Some(0.168_038_85),
                error_balance: Some(0.088_322_505),
                hasty: Some(1),
                considered: Some(0),
                unknown_pace: Some(0),
                ..blank()
            },
        ),
    ];
    (of.row.score_1, of.row.score_2, of.row.winner) = (6, 7, Some(2));
    of
}

const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "{{7*7}}{% raw %}",
    "evil\u{202e}cod.exe\u{2066}",
    "</title></style></svg>&lt;b&gt;",
    "line\none\r\ntwo\u{0}\u{1b}[31m",
];

/// One match in which every text a file can bring is hostile.
fn hostile(name: &str) -> Played {
    let mut of = play(&Wish { xg: true, ..Wish::new([name, "Aldergrove"], 9) });
    for text in [&mut of.row.event, &mut of.row.round, &mut of.row.place, &mut of.row.rating_1] {
        *text = Some(name.to_owned());
    }
    of.row.variant = name.to_owned();
    of.analyses[0].engine = name.to_owned();
    of.analyses[0].depths = Some(name.to_owned());
    of.comments = vec![
        CommentRow { index: 0, game: Some(1), order: Some(2), text: name.to_owned(), ..blank() },
        CommentRow { index: 1, text: name.repeat(20), ..blank() },
    ];
    // Columns that only our own readers write are no less untrusted to a page.
    for row in of.decisions.iter_mut().take(40) {
        for text in [&mut row.play, &mut row.best, &mut row.theme, &mut row.depth_best, &mut row.unrated_reason] {
            *text = Some(name.to_owned());
        }
        (row.plan, row.phase, row.position_key) = (name.to_owned(), name.to_owned(), name.to_owned());
    }
    of.games[0].ending = Some(name.to_owned());
    of
}

#[test]
fn hostile_names_are_text_and_nothing_else() {
    for name in HOSTILE {
        let season = Season { matches: vec![hostile(name)] };
        let mut files = sources();
        files[3].path = format!("2026/{name}.xg");
        files[3].detail = Some(name.to_owned());
        files[3].reason = Some(name.to_owned());
        let pages = pages(&season, &files);
        check(&pages);
        let shown: String = name.chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }).collect();
        let shown: String = shown
            .chars()
            .map(|c| if c.is_control() || ('\u{202a}'..='\u{2069}').contains(&c) { '\u{fffd}' } else { c })
            .collect();
        for page in pages.iter().filter(|page| !page.path.contains("player-aldergrove")) {
            says(page, &shown);
            assert!(!page.html.contains("<script") && !page.html.contains("<img"), "{}", page.path);
            assert!(!page.html.contains(['\u{202e}', '\u{2066}', '\u{0}', '\u{1b}']), "{}", page.path);
            assert!(page.path.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.')), "{}", page.path);
        }
    }
}

#[test]
fn a_name_of_ten_kilobytes_does_not_burst_a_page() {
    let name = "<&\"' ".repeat(2_000);
    let season = Season { matches: vec![hostile(&name)] };
    let mut files = sources();
    files[3].path = name.clone();
    let pages = pages(&season, &files);
    check(&pages);
    for page in &pages {
        assert!(page.html.len() < 420_000, "{}: {} bytes", page.path, page.html.len());
        assert!(page.path.len() < 120, "{}", page.path);
    }
}

#[test]
fn the_order_of_the_rows_does_not_change_a_byte() {
    let season = Season::new();
    let mut turned = Season::new();
    turned.matches.reverse();
    for of in &mut turned.matches {
        of.games.reverse();
        of.decisions.reverse();
        of.candidates.reverse();
        of.figures.reverse();
        of.comments.reverse();
    }
    let mut files = sources();
    files.reverse();
    let by_path = |pages: Vec<Page>| pages.into_iter().map(|page| (page.path, page.html)).collect::<BTreeMap<_, _>>();
    let (one, two) = (by_path(pages(&season, &sources())), by_path(pages(&turned, &files)));
    assert_eq!(one.keys().collect::<Vec<_>>(), two.keys().collect::<Vec<_>>());
    for (path, html) in &one {
        assert!(*html == two[path], "{path}");
    }
}

#[test]
fn players_stand_by_pr_then_decisions_then_name_and_those_without_a_decision_last() {
    let row = |name: &str, pr: Option<f64>, decisions| portes::tables::marts::PlayerSeasonRow {
        season: "2026".into(),
        player: Some(name.into()),
        pr,
        decisions,
        ..blank()
    };
    let players = [
        row("Nobody", None, 0),
        row("Cc", Some(5.0), 10),
        row("Bb", Some(5.0), 10),
        row("Aa", Some(5.0), 30),
        row("Dd", Some(4.999), 2),
    ];
    let input = SeasonInput {
        news: &portes::report::News::default(),
        season: "2026",
        players: &players,
        matches: &[],
        figures: &[],
        sources: &[],
        tournaments: &[],
        standings: &[],
        places: &[],
        academy: false,
        colophon: &colophon(),
        pages: MatchPages::All,
    };
    let page = season_pages(&templates(), &input).unwrap().remove(0);
    let order: Vec<usize> =
        ["Dd", "Aa", "Bb", "Cc", "Nobody"].iter().map(|name| page.html.find(&format!(">{name}<")).unwrap()).collect();
    assert!(order.is_sorted(), "{order:?}");
    says(&page, "No match of this season is in the tables.");
}

#[test]
fn what_is_missing_says_why() {
    let money = the_match(&play(&Wish { length: 0, ..Wish::new(["Foxglove", "Gristmill"], 3) }));
    says(&money, "Money play has no match equity: MWC figures are absent.");
    says(&money, "No luck-adjusted result: no match equity in money play.");
    let bare = the_match(&play(&Wish { analysed: false, ..Wish::new(["Foxglove", "Gristmill"], 4) }));
    says(&bare, "The file holds no analysis of this match, so nothing is rated.");
    says(&bare, "luck is not recorded in the file");
    says(&bare, "not analysed");
    let open = the_match(&play(&Wish { finished: false, ..Wish::new(["Foxglove", "Gristmill"], 6) }));
    says(&open, "The match is unfinished.");
    says(&open, "The file carries no thinking time.");
    let undated = Season { matches: vec![play(&Wish { date: None, ..Wish::new(["Foxglove", "Gristmill"], 7) })] };
    let pages = pages(&undated, &[]);
    check(&pages);
    let player = pages.iter().find(|page| page.path.starts_with("player-foxglove")).unwrap();
    says(player, "No match is dated: time charts left out.");
    says(player, "under 3 matches");
    says(&pages[0], "No file was found.");
}

#[test]
fn a_match_of_xg_shows_where_the_two_counts_part() {
    let mut of = play(&Wish { xg: true, ..Wish::new(["Foxglove", "Gristmill"], 11) });
    says(&the_match(&of), "Both counts agree on every decision.");
    let forced = of.decisions.iter_mut().find(|row| row.kind == "checker" && row.counted).unwrap();
    (forced.xg_counted, forced.xg_forced) = (Some(false), Some(true));
    let order = forced.order;
    let page = the_match(&of);
    says(&page, "The two counts differ on one decision.");
    says(&page, "counted not counted: XG\u{2019}s flag");
    assert!(page.html.contains(&format!("href=\"#d{order:04}\"")));
    of.figures.iter_mut().for_each(|row| row.xg_decisions = None);
    assert!(!the_match(&of).html.contains("Check my count"));
}

#[test]
fn long_lists_get_pages_of_their_own_and_the_index_says_so() {
    let one = play(&Wish::new(["Foxglove", "Gristmill"], 12)).row;
    let matches: Vec<MatchRow> = (0..1_203)
        .map(|n| MatchRow { match_id: format!("{n:016x}"), round: Some(format!("Round {n}")), ..one.clone() })
        .collect();
    let with_page: BTreeSet<String> = [matches[7].match_id.clone()].into();
    let colophon = colophon();
    let input = SeasonInput {
        news: &portes::report::News::default(),
        season: "2026",
        players: &[],
        matches: &matches,
        figures: &[],
        sources: &[],
        tournaments: &[],
        standings: &[],
        places: &[],
        academy: false,
        colophon: &colophon,
        pages: MatchPages::Only(&with_page),
    };
    let pages = season_pages(&templates(), &input).unwrap();
    let names: Vec<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    assert_eq!(names, ["index.html", "matches-1.html", "matches-2.html", "matches-3.html"]);
    says(&pages[0], "1203 matches. The latest 100 are here. 1 with a page of their own are linked.");
    let rows: usize = pages[1..].iter().map(|page| page.html.matches("<th scope=\"row\"").count()).sum();
    assert_eq!(rows, 1_203);
    let mut known: BTreeSet<String> = pages.iter().map(|page| page.path.clone()).collect();
    known.insert("quality.html".to_owned());
    known.insert(page_name_match(&matches[7].match_id, ["Foxglove", "Gristmill"]));
    for page in &pages {
        assert_eq!(html::faults(&page.html, &known), Vec::<String>::new(), "{}", page.path);
        assert!(page.html.len() < 300_000);
    }
    let files: Vec<SourceRow> = (0..1_001)
        .map(|n| SourceRow { path: format!("2026/{n}.xg"), status: "quarantined".into(), ..blank() })
        .collect();
    let pages =
        quality_pages(&templates(), &QualityInput { season: "2026", sources: &files, colophon: &colophon }).unwrap();
    assert_eq!(
        pages.iter().map(|page| page.path.as_str()).collect::<Vec<_>>(),
        ["quality.html", "quality-2.html", "quality-3.html"]
    );
}

#[test]
fn a_folder_overrides_single_templates_and_a_mistake_in_one_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let season = Season { matches: vec![play(&Wish::new(["Foxglove", "Gristmill"], 13))] };
    let colophon = colophon();
    let of = input(&season.matches[0], &[], &colophon);
    std::fs::write(folder.path().join("match.html"), "{{ head.heading }} & {{ names[0] }}<b>").unwrap();
    let ours = templates();
    let theirs = Templates::load(Some(folder.path())).unwrap();
    assert_ne!(ours.digest(), theirs.digest());
    assert!(match_page(&theirs, &of).unwrap().html.ends_with("& Foxglove<b>"));
    std::fs::write(folder.path().join("match.html"), "\n{{ head.haeding }}").unwrap();
    let fault = match_page(&Templates::load(Some(folder.path())).unwrap(), &of).unwrap_err().to_string();
    assert!(fault.starts_with("template match.html") && fault.contains(":2"), "{fault}");
    std::fs::write(folder.path().join("match.html"), "{% if %}").unwrap();
    assert!(Templates::load(Some(folder.path())).unwrap_err().to_string().starts_with("template match.html"));
}

#[test]
fn every_file_that_is_not_ok_is_listed_with_reason_offset_and_detail() {
    let colophon = colophon();
    let page = quality_pages(&templates(), &QualityInput { season: "2026", sources: &sources(), colophon: &colophon })
        .unwrap()
        .remove(0);
    says(&page, "Of seven files, two were rejected and one is damaged in part.");
    says(
        &page,
        "2026/lantern/cut.xg quarantined truncated 20\u{202f}474 the archive ends inside a record xg 48\u{202f}211",
    );
    says(&page, "2026/lantern/photo.xg quarantined magic 0 not an XG file: JPEG");
    assert!(!text(&page).contains("2026/lantern/b.xg"));
}

#[test]
fn the_footer_names_its_inputs_and_no_time() {
    let page = index(&Season { matches: vec![play(&Wish::new(["Foxglove", "Gristmill"], 14))] });
    says(&page, "57 source files \u{b7} inputs e921e9a5089b \u{b7} data to 2026-11-21 \u{b7} Portes 0.1.0");
    says(&page, "Error from 50 mpt, blunder from 100 mpt; intervals 95 %, z = 1.96");
    assert_eq!(season_row(None, &[]).matches, 0);
}

#[test]
fn the_checker_sees_what_a_page_must_not_have() {
    let page = the_match(&play(&Wish::new(["Foxglove", "Gristmill"], 15))).html;
    let links = [
        "index.html".to_owned(),
        "quality.html".to_owned(),
        portes::report::page_name_player("Foxglove"),
        portes::report::page_name_player("Gristmill"),
    ];
    let known: BTreeSet<String> = links.into();
    assert_eq!(html::faults(&page, &known), Vec::<String>::new());
    for (spoiled, with) in [
        ("</main>", "<script>1</script></main>"),
        ("</main>", "<p onclick=\"1\"></p></main>"),
        ("</main>", "<a href=\"https://example.org/\">x</a></main>"),
        ("</main>", "<a href=\"#nowhere\">x</a></main>"),
        ("</main>", "<p id=\"top\"></p></main>"),
        ("</main>", "<p></main>"),
        ("</main>", "<h5>x</h5></main>"),
        ("</main>", "<table><tr><th>x</th></tr></table></main>"),
        ("</style>", "a{background:url(x.png)}</style>"),
        ("</style>", "@import \"x\";</style>"),
        ("img-src data:", "img-src *"),
        (" lang=\"en\"", ""),
    ] {
        let page = page.replacen(spoiled, with, 1);
        assert!(!html::faults(&page, &known).is_empty(), "{with} passed");
    }
}
