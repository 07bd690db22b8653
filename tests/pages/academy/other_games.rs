//! Games beside backgammon on the Academy's page.

use super::super::{check, says, text};
use super::{Rows, match_page_of, node, pattern, stand_in};
use crate::support::rows::blank;
use portes::tables::academy::{AcademyContestRow, AcademyPatternRow, AcademyTreeRow};
use portes::tables::row::Day;

#[test]
fn another_game_has_its_own_section_with_patterns_as_text() {
    let mut rows = Rows::new();
    rows.contests.push(AcademyContestRow {
        contest_id: "pdn-1".into(),
        game: "draughts".into(),
        match_id: "pdn-1".into(),
        first: "Ashby".into(),
        second: "Brook".into(),
        status: "filed".into(),
        ..blank()
    });
    rows.patterns = vec![AcademyPatternRow {
        game: "draughts".into(),
        area: "nw".into(),
        rows: "4 4 4".into(),
        cells: "-xbo-o--x-w#".into(),
        example_contest: "pdn-1".into(),
        ..pattern(1, "yose", 0.7, 10.0)
    }];
    rows.tree = vec![AcademyTreeRow {
        game: "draughts".into(),
        chance: None,
        total_d: 2,
        value: None,
        ..node(1, Some(0), 1, ("", "11-15"), [3, 1])
    }];
    let page = rows.page();
    says(&page, "Draughts");
    says(&page, "11-15 6 3\u{2013}2\u{2013}1 \u{2014}");
    says(&page, "- x b o - o - - x - w #");
    assert!(page.html.contains("- x b o\n- o - -\nx - w #\n"), "three rows of four");
    says(&page, "The library of the middle game is empty: it is filled by moves whose value is known, and a record");
    // With values the true reason is another, and with chance there is one more.
    rows.tree[0].n_value = 3;
    says(
        &rows.page(),
        "The library of the middle game is empty: values are known, but no move met what is asked of one",
    );
    assert!(!text(&rows.page()).contains("in a game with chance"));
    rows.tree[0].chance = Some("5".into());
    says(
        &rows.page(),
        "who is not much weaker, and, in a game with chance, a choice of plays and a cost that are known",
    );
    // Nothing but results are no values.
    rows.tree[0].n_results = 3;
    says(&rows.page(), "and a record of moves alone has none");
    says(&page, "One game was filed");
}

#[test]
fn a_variant_is_drawn_in_its_own_section_and_shares_no_anchor() {
    let mut rows = Rows::new();
    let mut other = rows.contests[0].clone();
    (other.game, other.contest_id) = ("nackgammon".into(), "n-1".into());
    rows.contests.push(other);
    rows.patterns = vec![pattern(1, "yose", 0.7, 10.0)];
    rows.patterns.push(AcademyPatternRow { game: "nackgammon".into(), ..pattern(1, "yose", 0.6, 10.0) });
    let page = rows.page();
    assert_eq!(page.html.matches("<svg class=\"qt\"").count(), 2);
    assert!(!text(&page).contains("Patterns as rows of cells"));
    check(&[page, stand_in("index.html"), stand_in("quality.html"), match_page_of("Foxglove", "Gristmill")]);
}

#[test]
fn games_without_end_do_not_burst_the_page() {
    let mut rows = Rows::new();
    for at in 0..500 {
        let mut other = rows.contests[0].clone();
        (other.game, other.contest_id) = (format!("game {at}"), format!("n-{at}"));
        rows.contests.push(other);
    }
    let page = rows.page();
    assert!(page.html.len() < 150_000, "{}", page.html.len());
    says(&page, "Other games: and 488 more in the tables.");
}

#[test]
fn a_season_of_other_games_alone_says_nothing_was_learnt_of_backgammon_only() {
    let contest = |id: &str, day| AcademyContestRow {
        contest_id: id.into(),
        match_id: id.into(),
        game: "draughts".into(),
        date: day,
        status: "filed".into(),
        ..blank()
    };
    let mut rows = Rows { contests: vec![contest("pdn-1", None)], ..Rows::default() };
    let page = rows.page();
    says(&page, "so nothing was learnt of backgammon; one contest of another game was filed.");
    says(&page, "game of backgammon was filed.");
    assert!(!text(&page).contains("No game of this season"), "{}", text(&page));
    says(&page, "One contest of a file has no date and stands behind the dated ones of the season.");
    rows.contests.extend([contest("pdn-2", None), contest("pdn-3", Some(Day(20_000)))]);
    let page = rows.page();
    says(&page, "three contests of other games were filed.");
    says(&page, "Two contests of files have no date and stand behind the dated ones of the season.");
}
