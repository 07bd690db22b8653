//! The Academy's page: its figures are those of the rows, what is trivial is folded, no single advice is shown where
//! all of it together is a loss, and strangers' text is text.

mod advice;
mod other_games;

use super::{check, says, templates, text};
use crate::support::html;
use crate::support::rows::{blank, colophon};
use portes::report::{
    AcademyInput, AdviceOfSeason, Contest, CountedBy, FilingsOfSeason, MatchPages, OpeningPlay, Page, RatedBy,
    StartsAt, Terms, WorthOf, academy_page, page_name_match,
};
use portes::tables::academy::{
    AcademyAdviceRow, AcademyContestRow, AcademyFilingRow, AcademyMeasureRow, AcademyPatternRow, AcademyPlayerRow,
    AcademyRatingRow, AcademyTreeRow,
};
use portes::tables::facts::{MatchRow, SourceRow};
use portes::tables::marts::PlayerSeasonRow;
use portes::tables::row::Day;

const MATCH: &str = "00112233445566ff";
/// After an opening 3-1, five point made, and after its reply 6-4, each seen by who moved.
const FIVE_POINT: &str = "-b----E-C---eE---c-e----B-";

/// Rows of a season, to be changed by a test.
#[derive(Clone, Default)]
struct Rows {
    contests: Vec<AcademyContestRow>,
    ratings: Vec<AcademyRatingRow>,
    tree: Vec<AcademyTreeRow>,
    patterns: Vec<AcademyPatternRow>,
    filings: Vec<AcademyFilingRow>,
    advice: Vec<AcademyAdviceRow>,
    measures: Vec<AcademyMeasureRow>,
    players: Vec<AcademyPlayerRow>,
    openings: Vec<OpeningPlay<'static>>,
    sources: Vec<SourceRow>,
    terms: Terms,
    most_nodes: usize,
}

impl Rows {
    /// One match of two games, the first filed.
    fn new() -> Self {
        let contest = |seq: i64, status: &str| AcademyContestRow {
            contest_id: format!("{MATCH}-{seq}"),
            game: "backgammon".into(),
            date: Some(Day(20_500)),
            match_id: MATCH.into(),
            seq,
            position: seq,
            first: "Foxglove".into(),
            second: "Gristmill".into(),
            status: status.into(),
            ..blank()
        };
        Self { contests: vec![contest(1, "filed"), contest(2, "unfinished")], ..Self::default() }
    }

    fn page(&self) -> Page {
        let played =
            MatchRow { match_id: MATCH.into(), player_1: "Foxglove".into(), player_2: "Gristmill".into(), ..blank() };
        let with_page = ["Foxglove", "Gristmill"].map(|name| PlayerSeasonRow { player: Some(name.into()), ..blank() });
        let position = |id: &str| self.contests.iter().find(|row| row.contest_id == id).map_or(0, |row| row.position);
        let input = AcademyInput {
            season: "2026",
            contests: &self.contests.iter().map(Contest::from).collect::<Vec<_>>(),
            ratings: &self.ratings,
            tree: &self.tree,
            patterns: &self.patterns,
            filings: &FilingsOfSeason::of(&self.filings, position),
            advice: &AdviceOfSeason::of(&self.advice),
            measures: &self.measures,
            players: &self.players,
            openings: &self.openings,
            matches: &[played],
            with_page: &with_page,
            sources: &self.sources,
            terms: self.terms,
            most_nodes: self.most_nodes,
            colophon: &colophon(),
            pages: MatchPages::All,
        };
        academy_page(&templates(), &input).unwrap()
    }
}

/// The text of the folds that are shut, and that of the page without them.
fn shut(page: &Page) -> (String, String) {
    let (mut shut, mut open, mut rest) = (String::new(), String::new(), page.html.as_str());
    while let Some(at) = rest.find("<details") {
        open.push_str(&rest[..at]);
        let mut depth = 0;
        let mut end = at;
        loop {
            let next = rest[end..].find("details").unwrap() + end;
            depth += if rest[..next].ends_with("</") { -1 } else { 1 };
            end = next + "details".len();
            if depth == 0 {
                break;
            }
        }
        shut.push_str(&rest[at..=end]);
        rest = &rest[end + 1..];
    }
    open.push_str(rest);
    (shut, open)
}

fn player(name: &str, rating: f64) -> AcademyPlayerRow {
    AcademyPlayerRow { game: "backgammon".into(), player: name.into(), rating: Some(rating), experience: 12, ..blank() }
}

#[test]
fn ratings_and_their_change_are_those_of_the_rows_in_order_of_play() {
    let mut rows = Rows::new();
    rows.players = vec![player("Foxglove", 1547.0058), player("Gristmill", 1452.9942), player("Retired", 1900.0)];
    // The examples of the spec, 7 points and then 5, handed in the wrong way round.
    let rating = |position, before, after| AcademyRatingRow {
        game: "backgammon".into(),
        match_id: MATCH.into(),
        position,
        player: "Foxglove".into(),
        before,
        after,
        ..blank()
    };
    rows.ratings = vec![rating(2, 1526.4575, 1547.0058), rating(1, 1500.0, 1526.4575)];
    let page = rows.page();
    says(&page, "Foxglove 1 1547 +47");
    says(&page, "Gristmill 1 1453 \u{2014}");
    says(&page, "One game was filed; 1 without a result left out.");
    assert!(!text(&page).contains("Retired"), "who did not play this season is not in its table");
    assert!(!text(&page).contains("Elo"), "the rating is never called Elo");
    check(&[page, stand_in("index.html"), stand_in("quality.html"), named("Foxglove"), named("Gristmill")]);
}

/// A page of that name with nothing wrong and nothing on it.
fn stand_in(path: &str) -> Page {
    let mut page = Rows::default().page();
    page.html = page.html.replace("index.html", "academy.html").replace("quality.html", "academy.html");
    Page { path: path.into(), ..page }
}

fn named(player: &str) -> Page {
    stand_in(&portes::report::page_name_player(player))
}

#[test]
fn measures_say_estimate_and_lower_bound() {
    let measure = |measure: &str, value, kind: &str, n| AcademyMeasureRow {
        game: "backgammon".into(),
        measure: measure.into(),
        value,
        kind: kind.into(),
        n,
        ..blank()
    };
    let rows = Rows {
        measures: vec![
            measure("size_log10", 4.09, "lower_bound", 12_345),
            measure("decisiveness", 0.884, "estimate", 99),
            measure("width", 16.64, "exact", 100),
            measure("drawn", 0.0, "exact", 100),
        ],
        ..Rows::new()
    };
    let page = rows.page();
    says(&page, "Width 16.6 counted 100");
    says(&page, "Decisiveness 0.88 estimate 99");
    says(&page, "Size 4.1 lower bound 12\u{202f}345");
    assert!(!text(&page).contains("Drawn"), "backgammon knows no draw");
}

fn node(node: i64, parent: Option<i64>, depth: i64, (chance, play): (&str, &str), total: [i64; 2]) -> AcademyTreeRow {
    AcademyTreeRow {
        game: "backgammon".into(),
        node,
        parent,
        depth,
        chance: Some(chance.into()),
        play: play.into(),
        key: FIVE_POINT.into(),
        total_w: total[0],
        total_l: total[1],
        value: Some(0.551),
        elo: Some(1512.4),
        ..blank()
    }
}

#[test]
fn the_opening_book_tells_results_of_who_made_the_play() {
    let mut rows = Rows::new();
    rows.tree = vec![
        AcademyTreeRow { chance: None, ..node(0, None, 0, ("", ""), [9, 6]) },
        node(1, Some(0), 1, ("31", "8/5 6/5"), [7, 3]),
        node(2, Some(0), 1, ("31", "24/23 13/10"), [1, 0]),
        node(3, Some(0), 1, ("64", "24/14"), [1, 3]),
        // Of the second player, who lost these two.
        node(4, Some(1), 2, ("52", "13/8 24/22"), [2, 0]),
        node(5, Some(1), 2, ("65", "24/13"), [1, 0]),
        node(6, Some(4), 3, ("33", "8/5(2) 6/3(2)"), [2, 0]),
    ];
    let play = |node, player: &'static str, mpt| OpeningPlay { node, player, mpt };
    rows.openings = vec![
        play(1, "Gristmill", Some(0)),
        play(1, "Foxglove", Some(30)),
        play(1, "Foxglove", None),
        play(3, "Foxglove", None),
    ];
    let page = rows.page();
    says(&page, "In 15 games who began won 9");
    says(&page, "3-1 8/5 6/5 10 7\u{2013}3 0.551 1512 0.015 Foxglove 2 and Gristmill");
    says(&page, "3-1 24/23 13/10 1 1\u{2013}0 0.551 1512 \u{2014} \u{2014}");
    says(&page, "After 3-1 8/5 6/5: two replies");
    says(&page, "5-2 13/8 24/22 2 0\u{2013}2");
    says(&page, "then 3-3 8/5(2) 6/3(2) 2 2\u{2013}0");
    says(&page, "Less often: 6-5 24/13.");
    let rolls: Vec<usize> = ["<b>3-1</b>", "<b>6-4</b>"].map(|roll| page.html.find(roll).unwrap()).into();
    assert!(rolls[0] < rolls[1], "eleven games before four");
    assert_eq!(page.html.matches("class=\"board mini\"").count(), 3);
    check(&[page, stand_in("index.html"), stand_in("quality.html")]);
}

/// `academy.md` 6.2: a contest that reports no value counts with its result. No engine is made to say so.
#[test]
fn a_value_that_is_a_result_is_called_one() {
    let of = |n_value: i64, n_results: i64| AcademyTreeRow {
        n_value,
        n_results,
        ..node(1, Some(0), 1, ("31", "8/5 6/5"), [7, 3])
    };
    let mut rows = Rows::new();
    let root = AcademyTreeRow { chance: None, ..node(0, None, 0, ("", ""), [7, 3]) };
    rows.tree = vec![root.clone(), of(10, 0)];
    says(&rows.page(), "the engine\u{2019}s mean chance of winning (0 to 1), the mean rating");
    says(&rows.page(), "8/5 6/5 10 7\u{2013}3 0.551 1512");
    rows.tree = vec![root.clone(), of(10, 2)];
    says(&rows.page(), "counts with its result, 1 or 0, and (2 r) says that two such are among it");
    says(&rows.page(), "8/5 6/5 10 7\u{2013}3 0.551 (2 r) 1512");
    rows.tree = vec![root, of(10, 10)];
    let page = rows.page();
    says(&page, "as the value the mean result (1 won, 0 lost), because no game has a value; no engine has judged it");
    assert!(!text(&page).contains("chance of winning (0 to 1)") && !text(&page).contains("(10 r)"));
}

#[test]
fn a_full_tree_says_that_lines_gave_way() {
    let mut rows = Rows::new();
    rows.tree = vec![node(0, None, 0, ("", ""), [2, 0]), node(7, Some(0), 1, ("31", "8/5 6/5"), [2, 0])];
    rows.most_nodes = 2;
    says(&rows.page(), "it now knows one opening position and no pattern by heart.");
    rows.most_nodes = 1;
    says(
        &rows.page(),
        "it now knows one opening position, the most it keeps (deep and poor lines gave way), and no pattern",
    );
}

#[test]
fn patterns_of_several_players_come_first_and_strongest_is_explained() {
    let mut rows = Rows::new();
    let alone = AcademyPatternRow { n: 1, ..pattern(1, "yose", 0.70, 900.0) };
    rows.patterns = vec![alone.clone(), pattern(2, "yose", 0.60, 10.0)];
    let page = rows.page();
    says(
        &page,
        "(strong is what has many players behind it, of a high rating, and a value far from 0.5; what only one player",
    );
    let places = ["hold it worth 0.60", "holds it worth 0.70"].map(|words| text(&page).find(words).unwrap());
    assert!(places[0] < places[1], "{places:?}");
    rows.patterns.pop();
    assert!(!text(&rows.page()).contains("what only one player"), "there is nobody to come before");
    // Where proposals are the votes, none of them is called a player.
    rows.terms = Terms { counted_by: CountedBy::Proposals, ..Terms::default() };
    says(&rows.page(), "One proposal of mean rating 1582 holds it worth 0.70");
}

#[test]
fn where_ratings_start_is_told_as_the_settings_have_it() {
    let mut rows = Rows::new();
    rows.players = vec![player("Foxglove", 1547.0)];
    says(&rows.page(), "Everybody starts at 1500.");
    for (rated_by, starts_at, said) in [
        (RatedBy::Results, StartsAt::Listed, "list of starting ratings; who is not in it starts at 1500."),
        (RatedBy::Play, StartsAt::Same, "1500 stands in for a player\u{2019}s rating."),
        (
            RatedBy::Play,
            StartsAt::Listed,
            "list of starting ratings stands in for a player\u{2019}s rating; 1500 where",
        ),
    ] {
        rows.terms = Terms { rated_by, starts_at, ..Terms::default() };
        says(&rows.page(), said);
        assert!(!text(&rows.page()).contains("Everybody starts at 1500"));
    }
}

fn pattern(id: i64, library: &str, v: f64, worth: f64) -> AcademyPatternRow {
    AcademyPatternRow {
        game: "backgammon".into(),
        library: library.into(),
        id,
        area: "home".into(),
        rows: "8".into(),
        cells: "+oo--bb-".into(),
        p: 1,
        n: 6,
        e: 1582.2,
        v,
        proposals: 71,
        worth,
        example_contest: format!("{MATCH}-1"),
        example_ply: 23,
        ..blank()
    }
}

#[test]
fn patterns_are_told_in_words_and_trivial_ones_are_folded() {
    let mut rows = Rows::new();
    rows.patterns =
        vec![pattern(1, "yose", 0.80, 20.0), pattern(2, "yose", 0.97, 400.0), pattern(3, "yose", 0.049, 90.0)];
    let page = rows.page();
    let (shut, open) = shut(&page);
    let signature = |v: &str| format!("hold it worth {v} to whoever has just moved (solid).");
    assert!(open.contains(&signature("0.80")), "{open}");
    assert!(!open.contains(&signature("0.97")) && shut.contains(&signature("0.97")));
    assert!(!open.contains(&signature("0.05")) && shut.contains(&signature("0.05")));
    says(&page, "Six players of mean rating 1582 hold it worth 0.80");
    says(&page, "Two patterns with a value under 0.05 or over 0.95");
    says(&page, "Home board; 71 proposals. First seen in Foxglove \u{2013} Gristmill, game 1, turn 23");
    let href = format!("{}#g1", page_name_match(MATCH, ["Foxglove", "Gristmill"]));
    assert!(page.html.contains(&href), "the example leads to its game");
    says(&page, "it is not the value of your position");
}

fn advice(phase: &str, ply: i64, costs: [i64; 2]) -> AcademyAdviceRow {
    AcademyAdviceRow {
        contest_id: format!("{MATCH}-1"),
        match_id: MATCH.into(),
        game: "backgammon".into(),
        ply,
        player: "Foxglove".into(),
        phase: phase.into(),
        proposed: format!("24/{ply}"),
        played: "13/11".into(),
        cost_proposed: Some(costs[0] * 1_000_000),
        cost_played: Some(costs[1] * 1_000_000),
        right: Some(costs[0] == 0),
        played_right: Some(costs[1] == 0),
        proposed_value: 0.777,
        ..blank()
    }
}

#[test]
fn what_changed_is_counted_by_library_and_the_latest_stands_first() {
    let filing = |library: &str, outcome: &str, filing, ply, changed| AcademyFilingRow {
        contest_id: format!("{MATCH}-1"),
        filing,
        game: "backgammon".into(),
        ply,
        library: library.into(),
        outcome: outcome.into(),
        area: "home".into(),
        cells: "+oo--bb-".into(),
        changed,
        ..blank()
    };
    let rows = Rows {
        filings: vec![
            filing("chuban", "insert", 1, 9, Some(0)),
            filing("yose", "match", 2, 50, Some(0)),
            filing("yose", "generalise", 3, 51, Some(1)),
            filing("yose", "generalise", 4, 52, Some(0)),
            filing("yose", "evicted", 5, 52, None),
        ],
        ..Rows::new()
    };
    let page = rows.page();
    for line in ["matched 0 1", "generalised 0 2", "specialised 0 0", "inserted 1 0", "removed 0 1"] {
        says(&page, line);
    }
    says(
        &page,
        "Four proposals were made: 1 met a known pattern as it stood, 2 one that covers it (1 of these after widening it), 0 narrowed one, 1 brought a new one; one pattern left",
    );
    says(&page, "Generalised, endgame, one place changed 2026-02-16, Foxglove \u{2013} Gristmill, game 1, turn 51");
    let shown = text(&page);
    assert!(shown.find("game 1, turn 51") < shown.find("game 1, turn 9"), "the latest first");
    assert!(!shown.contains("turn 50") && !shown.contains("turn 52"), "what changed nothing is not shown");
    says(&page, "Nothing was narrowed: that takes a player more than 200 points above");
}

fn match_page_of(one: &str, other: &str) -> Page {
    stand_in(&page_name_match(MATCH, [one, other]))
}

#[test]
fn an_empty_season_says_why_nothing_is_there() {
    let page = Rows::default().page();
    for said in [
        "No game of this season has a result",
        "No rating.",
        "No opening.",
        "No pattern.",
        "No advice.",
        "Nothing was filed.",
    ] {
        says(&page, said);
    }
}

#[test]
fn strangers_text_is_text() {
    let evil = "<script>alert(1)</script>\u{202e}&\"'";
    let mut rows = Rows::new();
    rows.contests[0].first = evil.into();
    rows.players = vec![player(evil, 1500.0)];
    rows.tree = vec![
        AcademyTreeRow { chance: None, ..node(0, None, 0, ("", ""), [2, 0]) },
        AcademyTreeRow { key: evil.into(), ..node(1, Some(0), 1, (evil, evil), [2, 0]) },
    ];
    rows.openings = vec![OpeningPlay { node: 1, player: evil, mpt: Some(1) }];
    rows.patterns = vec![AcademyPatternRow {
        area: evil.into(),
        cells: evil.into(),
        rows: "99999999999999999999 18446744073709551615 1".into(),
        ..pattern(1, "chuban", 0.5, 1.0)
    }];
    rows.filings = vec![AcademyFilingRow {
        contest_id: format!("{MATCH}-1"),
        game: "backgammon".into(),
        library: evil.into(),
        outcome: "insert".into(),
        area: "home".into(),
        cells: evil.into(),
        ..blank()
    }];
    rows.advice = vec![AcademyAdviceRow {
        player: evil.into(),
        proposed: evil.into(),
        played: evil.into(),
        contest_id: evil.into(),
        ..advice("opening", 1, [0, i64::MAX / 2_000_000])
    }];
    rows.measures = vec![AcademyMeasureRow {
        game: "backgammon".into(),
        measure: "width".into(),
        kind: evil.into(),
        value: f64::NAN,
        ..blank()
    }];
    rows.contests.push(AcademyContestRow { game: evil.into(), status: "filed".into(), ..blank() });
    let file = |format: &str, status: &str| SourceRow {
        path: format!("2026/{evil}.jsonl"),
        format: Some(format.into()),
        status: status.into(),
        detail: Some(evil.into()),
        ..blank()
    };
    rows.sources = vec![file("contests", "partial"), file("contests", "ok"), file("xg", "partial")];
    let page = rows.page();
    assert!(!page.html.contains("<script") && !page.html.contains('\u{202e}'));
    assert!(text(&page).contains("<script>alert(1)</script>"), "shown as written");
    assert_eq!(text(&page).matches(".jsonl: ").count(), 1, "what was left out of contest files is told, and only that");
    assert!(html::read(&page.html).faults.is_empty());
}

#[test]
fn estimated_values_are_counted_and_ratings_and_values_are_called_what_they_are() {
    let mut rows = Rows::new();
    rows.players = vec![player("Foxglove", 1547.0)];
    let plain = rows.page();
    assert!(!text(&plain).contains("estimated so"));
    says(&plain, "Rating (results) at the end of the season: it follows from who beat whom");
    says(&plain, "gammons counted as wins, the cube left aside");
    rows.contests[0].estimated = 3;
    rows.terms = Terms { rated_by: RatedBy::Play, worth_of: WorthOf::Match, ..Terms::default() };
    let page = rows.page();
    says(&page, "Three turns have a value that is estimated so.");
    says(&page, "Rating (play) at the end of the season: 2000 and the strength against the engine");
    says(&page, "the engine\u{2019}s mean chance of winning the match (0 to 1)");
    says(&page, "chance of winning the match between 0 and 1");
    assert!(!text(&page).contains("(results)"));
}
