//! Did a player play at his level in a tournament? The worked table, the choice of the reference player, the window of
//! the usual level, and every breakdown (`metrics.md` 16); standings of a season beside it (17).

use crate::support::seasons::{self, Told, day, decision, match_of};
use portes::measure::Settings;
use portes::measure::interval::{Estimate, Interval};
use portes::measure::tournament::{Attendance, Figure, LEAST_DECISIONS, Tournaments, Verdict, compare, reference};
use portes::tables::facts::{DecisionRow, MatchRow};
use portes::tables::study_marts::TournamentReviewRow;
use std::collections::BTreeMap;

fn figure(value: f64, high: f64, decisions: i64) -> Figure {
    // The lower end is cut off: it must not be what is compared.
    let interval = Some(Interval { low: 0.0, high });
    Figure { estimate: Some(Estimate { value, standard_error: None, interval, units: 5 }), decisions }
}

/// T (high), U (high), decisions, delta, interval, verdict.
#[test]
fn comparisons_follow_the_table() {
    for (t, u, delta, low, high, verdict) in [
        ((8.0, 9.5, 120), (5.0, 5.8, 900), 3.0, 1.3, 4.7, Verdict::Worse),
        ((6.0, 8.0, 60), (5.0, 5.8, 900), 1.0, -1.154_066, 3.154_066, Verdict::Usual),
        ((3.0, 3.9, 80), (5.0, 5.8, 900), -2.0, -3.204_159, -0.795_841, Verdict::Better),
        ((8.0, 9.5, 19), (5.0, 5.8, 900), 3.0, 1.3, 4.7, Verdict::Insufficient),
    ] {
        let got = compare(figure(t.0, t.1, t.2), figure(u.0, u.1, u.2));
        let ends = [got.delta, got.low(), got.high()].map(Option::unwrap);
        for (got, expected) in ends.into_iter().zip([delta, low, high]) {
            assert!((got - expected).abs() < 1e-6, "{t:?} against {u:?}: {got} for {expected}");
        }
        assert_eq!(got.verdict, verdict, "{t:?} against {u:?}");
    }
    let bare = Figure {
        estimate: Some(Estimate { value: 4.0, standard_error: None, interval: None, units: 2 }),
        decisions: 99,
    };
    let got = compare(figure(8.0, 9.5, 99), bare);
    assert_eq!((got.delta, got.low(), got.verdict), (Some(4.0), None, Verdict::Insufficient));
    let none = compare(Figure::default(), figure(5.0, 5.8, 900));
    assert_eq!((none.delta, none.verdict), (None, Verdict::Insufficient));
}

#[test]
fn the_reference_player_is_the_main_one_or_who_was_there_most() {
    let there = |all: &[(&str, i64, i64)]| -> BTreeMap<String, Attendance> {
        all.iter().map(|&(name, matches, decisions)| (name.to_owned(), Attendance { matches, decisions })).collect()
    };
    let players = there(&[("A", 3, 100), ("B", 5, 90), ("C", 5, 120), ("", 5, 120)]);
    assert_eq!(reference(&players, None), Some("C"), "most matches, then decisions, then a name at all");
    assert_eq!(reference(&players, Some("A")), Some("A"));
    assert_eq!(reference(&players, Some("Z")), Some("C"), "the main player was not there");
    assert_eq!(
        reference(&there(&[("Émile", 1, 5), ("Zoe", 1, 5)]), None),
        Some("Zoe"),
        "code points, not the alphabet"
    );
    assert_eq!(reference(&there(&[]), None), None);
}

/// A match of A against B; each error is a decision of A's, three to a game.
fn told(row: MatchRow, errors: &[i64]) -> Told {
    let decisions =
        (0..).zip(errors).map(|(order, mpt)| DecisionRow { game: 1 + order / 3, ..decision(&row, order, *mpt) });
    let decisions = decisions.collect();
    Told::new(row, decisions, "gnubg")
}

fn on(season: &str, id: &str, (event, date): (&str, Option<&str>)) -> MatchRow {
    MatchRow { event: Some(event.to_owned()), date: date.map(day), ..match_of(season, id) }
}

fn review(matches: &[Told], main: Option<&str>) -> Vec<TournamentReviewRow> {
    let mut ledger = Tournaments::new(Settings::default());
    matches.iter().for_each(|told| ledger.enter(&told.entry()));
    ledger.close(main)
}

fn of<'a>(
    rows: &'a [TournamentReviewRow],
    event: &str,
    (scope, cell): (&str, Option<&str>),
) -> Vec<&'a TournamentReviewRow> {
    let asked = |row: &&TournamentReviewRow| {
        row.event == event && row.player == "A" && row.scope == scope && (cell.is_none() || row.cell.as_deref() == cell)
    };
    rows.iter().filter(asked).collect()
}

fn overall<'a>(rows: &'a [TournamentReviewRow], measure: &str) -> &'a TournamentReviewRow {
    of(rows, "Open", ("overall", None)).into_iter().find(|row| row.measure == measure).unwrap()
}

/// Five matches that make a usual level of PR 10, at the ends of the window and inside it.
fn usual() -> Vec<Told> {
    let dates = ["2024-06-10", "2024-09-01", "2024-12-31", "2025-03-01", "2025-06-09"];
    let errors = [[10, 30, 20, 20, 20, 20], [20; 6], [25; 6], [15; 6], [20; 6]];
    let matches = (0..).zip(dates.into_iter().zip(errors));
    matches.map(|(n, (date, errors))| told(on("2024", &format!("u{n}"), ("League", Some(date))), &errors)).collect()
}

#[test]
fn the_usual_level_is_the_365_days_before_the_first_day() {
    let mut matches = usual();
    matches.push(told(on("2025", "t1", ("Open", Some("2025-06-10"))), &[40; 12]));
    matches.push(told(on("2025", "t2", ("Open", Some("2025-06-12"))), &[50; 12]));
    matches.push(told(on("2025", "t3", ("Open", None)), &[60; 12]));
    let rows = review(&matches, None);
    let pr = overall(&rows, "pr");
    assert_eq!((pr.usual, pr.usual_matches, pr.decisions_usual), (Some(10.0), 5, Some(30)));
    assert_eq!((pr.value, pr.decisions, pr.verdict.as_str()), (Some(25.0), 36, "worse"));
    assert_eq!((pr.from, pr.to), (Some(day("2024-06-10")), Some(day("2025-06-09"))));
    assert_eq!(pr.delta, Some(15.0));
    let l7 = overall(&rows, "l7");
    // 36 decisions of 50 mpt on average cost 60 000 a thousandth, over three matches to 7: the mean loss of a match.
    assert!((l7.value.unwrap() - 1800.0 * 60_000.0 / 1e9 / 3.0).abs() < 1e-12);
    assert_eq!((l7.decisions, l7.decisions_usual, l7.verdict.as_str()), (36, Some(30), "worse"));

    for (id, row) in [
        ("a day too early", on("2024", "x", ("League", Some("2024-06-09")))),
        ("on the day itself", on("2025", "x", ("Other Open", Some("2025-06-10")))),
        ("undated", on("2025", "x", ("League", None))),
        (
            "money",
            MatchRow { play: "money".to_owned(), length: None, ..on("2025", "x", ("League", Some("2025-01-01"))) },
        ),
        (
            "too long",
            MatchRow {
                play: "too_long".to_owned(),
                length: Some(70),
                ..on("2025", "x", ("League", Some("2025-01-01")))
            },
        ),
        ("of the tournament itself", on("2025", "x", ("Open", Some("2025-06-11")))),
    ] {
        let mut more = matches.clone();
        more.push(told(row, &[500; 9]));
        assert_eq!(overall(&review(&more, None), "pr").usual, Some(10.0), "{id}");
    }
    // The same event in another season is another tournament.
    let mut more = matches.clone();
    more.push(told(on("2024", "x", ("Open", Some("2025-01-01"))), &[500; 9]));
    let rows = review(&more, None);
    let pr = of(&rows, "Open", ("overall", None)).into_iter().find(|row| row.season == "2025" && row.measure == "pr");
    assert_eq!(pr.map(|row| row.usual_matches), Some(6));
    let nothing_counted = told(on("2025", "x", ("League", Some("2025-01-01"))), &[]);
    matches.push(nothing_counted);
    assert_eq!(overall(&review(&matches, None), "pr").usual_matches, 5);
}

#[test]
fn four_matches_are_no_usual_level_and_a_tournament_without_a_date_has_none() {
    let mut matches = usual();
    matches.remove(2);
    matches.push(told(on("2025", "t1", ("Open", Some("2025-06-10"))), &[40; 30]));
    let rows = review(&matches, None);
    let pr = overall(&rows, "pr");
    assert_eq!((pr.usual, pr.delta, pr.decisions_usual, pr.usual_matches), (None, None, None, 4));
    assert_eq!((pr.value, pr.verdict.as_str()), (Some(20.0), "insufficient"));
    let mut matches = usual();
    matches.push(told(on("2025", "t1", ("Open", None)), &[40; 30]));
    let rows = review(&matches, None);
    let pr = overall(&rows, "pr");
    assert_eq!((pr.usual, pr.usual_matches, pr.from, pr.to), (None, 0, None, None));
}

#[test]
fn rounds_stand_in_playing_order_against_the_overall_level_by_their_games() {
    let round = |id: &str, date: Option<&str>, round: &str| MatchRow {
        round: Some(round.to_owned()),
        ..on("2025", id, ("Open", date))
    };
    let mut matches = usual();
    let varied = [20, 40, 60, 10, 20, 30, 90, 70, 80, 20, 20, 20, 40, 40, 40, 10, 10, 10, 30, 30, 30, 20];
    matches.push(told(round("d", None, "Round 1"), &varied));
    matches.push(told(round("c", Some("2025-06-10"), "Round 10"), &varied));
    matches.push(told(round("b", Some("2025-06-10"), "Round 2"), &varied));
    matches.push(told(round("a", Some("2025-06-11"), "Round 1"), &[]));
    let rows = review(&matches, None);
    let mut rounds = of(&rows, "Open", ("round", None));
    rounds.sort_by_key(|row| row.position);
    let order: Vec<&str> = rounds.iter().map(|row| row.cell.as_deref().unwrap()).collect();
    assert_eq!(order, ["b", "c", "a", "d"]);
    assert!(rounds.iter().all(|row| row.usual == Some(10.0) && row.measure == "pr"));
    // Eight games: an interval by games, where one match alone has none.
    assert!(rounds[0].value_high.is_some() && rounds[0].high.is_some());
    assert_eq!((rounds[2].decisions, rounds[2].value, rounds[2].verdict.as_str()), (0, None, "insufficient"));
}

#[test]
fn cells_are_held_against_the_same_cell_and_empty_ones_have_no_row() {
    let mut matches: Vec<Told> = usual();
    for n in 0..3 {
        let row = on("2025", &format!("t{n}"), ("Open", Some("2025-06-10")));
        let mut decisions: Vec<DecisionRow> = (0..40).map(|order| decision(&row, order, 30 + n)).collect();
        for decision in &mut decisions[30..] {
            (decision.own_away, decision.opp_away, decision.regime) = (1, 3, "crawford".to_owned());
            decision.e_mpt = Some(100);
        }
        for (decision, seconds) in decisions.iter_mut().zip([2, 4, 6, 8]) {
            decision.seconds = Some(seconds);
        }
        matches.push(Told::new(row, decisions, "gnubg"));
    }
    let rows = review(&matches, None);
    /// Cell, position, decisions, usual level, its decisions.
    type Seen<'a> = (&'a str, i64, i64, Option<f64>, Option<i64>);
    let cells = |scope: &str| -> Vec<Seen<'_>> {
        let mut rows = of(&rows, "Open", (scope, None));
        rows.sort_by_key(|row| row.position);
        rows.iter().map(|r| (r.cell.as_deref().unwrap(), r.position, r.decisions, r.usual, r.decisions_usual)).collect()
    };
    assert_eq!(cells("rank"), [("1-30", 1, 90, Some(10.0), Some(30)), ("31-60", 2, 30, None, Some(0))]);
    assert_eq!(cells("score"), [("crawford", 2, 30, None, Some(0)), ("other", 4, 90, Some(10.0), Some(30))]);
    // Median 5 s.
    assert_eq!(cells("pace"), [("quick", 1, 6, None, Some(0)), ("considered", 2, 6, None, Some(0))]);
    let late = of(&rows, "Open", ("rank", Some("31-60")))[0];
    assert_eq!((late.value, late.delta, late.verdict.as_str()), (Some(50.0), None, "insufficient"));
}

#[test]
fn money_in_a_tournament_counts_in_its_pr_under_other_and_not_in_l7() {
    let mut matches = usual();
    matches.push(told(on("2025", "t", ("Open", Some("2025-06-10"))), &[10; 20]));
    let money = MatchRow { play: "money".to_owned(), length: None, ..on("2025", "m", ("Open", Some("2025-06-10"))) };
    let free = (0..10).map(|order| DecisionRow {
        loss: None,
        own_away: 0,
        opp_away: 0,
        regime: "money".to_owned(),
        ..decision(&money, order, 40)
    });
    matches.push(Told::new(money.clone(), free.collect(), "gnubg"));
    let rows = review(&matches, None);
    assert_eq!((overall(&rows, "pr").decisions, overall(&rows, "l7").decisions), (30, 20));
    assert_eq!(overall(&rows, "pr").value, Some(10.0));
    assert_eq!(of(&rows, "Open", ("score", Some("other")))[0].decisions, 30);
}

#[test]
fn every_player_of_an_event_has_rows_and_one_is_the_reference() {
    let matches = seasons::corpus();
    if matches.is_empty() {
        return;
    }
    for main in [None, Some("Dovetail")] {
        let rows = review(matches, main);
        let keys: Vec<_> =
            rows.iter().map(|r| (&r.season, &r.event, &r.player, &r.scope, &r.cell, &r.measure)).collect();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "sorted by the key, no key twice");
        let mut events: BTreeMap<(&str, &str), BTreeMap<&str, bool>> = BTreeMap::new();
        for row in &rows {
            events.entry((&row.season, &row.event)).or_default().insert(&row.player, row.reference);
        }
        for (event, players) in events {
            let there: Vec<&str> = matches
                .iter()
                .filter(|told| (told.row.season.as_str(), told.row.event.as_deref()) == (event.0, Some(event.1)))
                .flat_map(|told| [told.row.player_1.as_str(), told.row.player_2.as_str()])
                .collect();
            assert!(there.iter().all(|player| players.contains_key(player)), "{event:?}");
            let references: Vec<&&str> = players.iter().filter(|(_, is)| **is).map(|(name, _)| name).collect();
            assert_eq!(references.len(), 1, "{event:?}");
            if main.is_some() && there.contains(&"Dovetail") {
                assert_eq!(*references[0], "Dovetail", "{event:?}");
            }
        }
    }
}

/// Every overall row and cell of the corpus, against a plain loop over decisions.
#[test]
fn the_reviews_of_the_corpus_are_what_a_plain_loop_over_decisions_says() {
    let matches = seasons::corpus();
    let rows = review(matches, None);
    let sum = |told: &[&Told], player: &str, cell: &dyn Fn(&Told, &DecisionRow) -> bool| -> (i64, i64) {
        let mut sum = (0, 0);
        for told in told {
            let seats = told.seats(Some(player));
            for row in told.decisions.iter().filter(|row| row.counted && seats.contains(&row.seat) && cell(told, row)) {
                sum = (sum.0 + row.e_mpt.unwrap(), sum.1 + 1);
            }
        }
        sum
    };
    let rank = |told: &Told, row: &DecisionRow| {
        let before = told.decisions.iter().filter(|o| o.counted && o.seat == row.seat && o.order <= row.order);
        (before.count() - 1) / 30
    };
    let mut compared = 0;
    for row in rows.iter().filter(|row| row.measure == "pr" && row.scope != "round") {
        let is_there = |told: &&Told| told.row.season == row.season && told.row.event.as_deref() == Some(&row.event);
        let plays = |told: &&Told| !told.seats(Some(&row.player)).is_empty();
        let first = matches.iter().filter(is_there).filter_map(|told| told.row.date).min().unwrap();
        let there: Vec<&Told> = matches.iter().filter(is_there).filter(plays).collect();
        let usual: Vec<&Told> = matches
            .iter()
            .filter(plays)
            .filter(|told| !is_there(told) && told.row.play == "points")
            .filter(|told| told.row.date.is_some_and(|date| (first.0 - 365..first.0).contains(&date.0)))
            .filter(|told| sum(&[told], &row.player, &|_, _| true).1 > 0)
            .collect();
        let cell = |told: &Told, of: &DecisionRow| match row.cell.as_deref() {
            None => true,
            Some("1-30") => rank(told, of) == 0,
            Some("31-60") => rank(told, of) == 1,
            Some("61-90") => rank(told, of) == 2,
            Some("91+") => rank(told, of) >= 3,
            Some("dmp") => of.own_away == 1 && of.opp_away == 1,
            Some("crawford") => of.regime == "crawford" && of.own_away + of.opp_away > 2,
            Some("post_crawford") => of.regime == "post_crawford" && of.own_away + of.opp_away > 2,
            Some("other") => of.regime == "normal" || of.regime == "money",
            Some(other) => panic!("no cell {other} without times"),
        };
        let (mpt, n) = sum(&there, &row.player, &cell);
        assert_eq!(row.decisions, n, "{row:?}");
        assert!((row.value.unwrap_or(0.0) - 0.5 * mpt as f64 / n.max(1) as f64).abs() < 1e-9, "{row:?}");
        assert_eq!(row.usual_matches, i64::try_from(usual.len()).unwrap(), "{row:?}");
        let known = usual.len() >= 5;
        let (mpt, n) = sum(&usual, &row.player, &cell);
        assert_eq!(row.decisions_usual, known.then_some(n), "{row:?}");
        let pr = (known && n > 0).then(|| 0.5 * mpt as f64 / n as f64);
        assert!((row.usual.unwrap_or(-1.0) - pr.unwrap_or(-1.0)).abs() < 1e-9, "{row:?}");
        let decides = known && row.decisions >= LEAST_DECISIONS && n >= LEAST_DECISIONS && row.high.is_some();
        assert_eq!(row.verdict == "insufficient", !decides, "{row:?}");
        compared += i32::from(known);
    }
    assert!(matches.is_empty() || compared > 100, "{compared} rows with a usual level");
}
