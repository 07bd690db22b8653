//! In which direction a player errs: the worked table, the edges of every base, and the habits the corpus was made with
//! (`metrics.md` 15).

use crate::support::seasons::{self, Told, decision, match_of};
use portes::measure::biases::{Biases, LEAST_DECISIONS, Leanings, Verdict};
use portes::measure::interval::Quantile;
use portes::tables::facts::{DecisionRow, MatchRow};
use portes::tables::study_marts::BiasRow;

/// P, M, N, B, h, low, high, verdict.
type Line = (i64, i64, i64, f64, f64, f64, f64, Verdict);

#[test]
fn biases_follow_the_table() {
    let table: [Line; 8] = [
        (10, 2, 40, 0.20, 0.158_020, 0.041_980, 0.358_020, Verdict::TooMuch),
        (2, 10, 40, -0.20, 0.158_020, -0.358_020, -0.041_980, Verdict::TooLittle),
        (5, 3, 40, 0.05, 0.137_724, -0.087_724, 0.187_724, Verdict::Balanced),
        (4, 0, 19, 0.210_526, 0.183_316, 0.027_210, 0.393_843, Verdict::Insufficient),
        (3, 0, 20, 0.15, 0.156_493, -0.006_493, 0.306_493, Verdict::Balanced),
        (5, 0, 20, 0.25, 0.189_776, 0.060_224, 0.439_776, Verdict::TooMuch),
        (0, 0, 25, 0.0, 0.0, 0.0, 0.0, Verdict::Balanced),
        (20, 0, 20, 1.0, 0.0, 1.0, 1.0, Verdict::TooMuch),
    ];
    for (plus, minus, decisions, value, half, low, high, verdict) in table {
        let leanings = Leanings { plus, minus, decisions };
        let bias = leanings.bias(Quantile::Normal).unwrap();
        let got = [bias.value, bias.half_width, bias.low(), bias.high()];
        for (got, expected) in got.into_iter().zip([value, half, low, high]) {
            assert!((got - expected).abs() < 1e-6, "{leanings:?}: {got} for {expected}");
        }
        assert_eq!(leanings.verdict(Quantile::Normal), verdict, "{leanings:?}");
    }
    assert_eq!(Leanings::default().bias(Quantile::Normal), None);
    assert_eq!(Leanings::default().verdict(Quantile::Normal), Verdict::Insufficient);
}

fn rows(matches: &[Told]) -> Vec<BiasRow> {
    let mut biases = Biases::default();
    matches.iter().for_each(|told| biases.enter(&told.entry()));
    biases.close()
}

fn of<'a>(rows: &'a [BiasRow], player: Option<&str>, bias: &str, score: Option<(i64, i64)>) -> Option<&'a BiasRow> {
    rows.iter()
        .find(|row| row.player.as_deref() == player && row.bias == bias && row.own_away.zip(row.opp_away) == score)
}

/// plus, minus, decisions.
fn counts(row: Option<&BiasRow>) -> (i64, i64, i64) {
    row.map_or((0, 0, 0), |row| (row.plus, row.minus, row.decisions))
}

fn cube(of: &MatchRow, order: i64, (kind, mpt): (&str, i64)) -> DecisionRow {
    DecisionRow { kind: kind.to_owned(), ..decision(of, order, mpt) }
}

#[test]
fn an_action_leans_only_where_it_cost_something() {
    let row = match_of("2026", "m");
    let actions =
        [("take", 1), ("take", 0), ("pass", 40), ("double", 0), ("double", 30), ("no_double", 1), ("no_double", 0)];
    let decisions = (0..).zip(actions).map(|(order, action)| cube(&row, order, action)).collect();
    let rows = rows(&[Told::new(row, decisions, "gnubg")]);
    for player in [Some("A"), None] {
        assert_eq!(counts(of(&rows, player, "take", None)), (1, 1, 3));
        assert_eq!(counts(of(&rows, player, "double", None)), (1, 1, 4));
        assert_eq!(counts(of(&rows, player, "blots", None)), (0, 0, 0));
    }
    let doubles = of(&rows, Some("A"), "double", None).unwrap();
    assert_eq!((doubles.cost_plus, doubles.cost_minus), (0.030, 0.001));
    assert_eq!((doubles.value, doubles.verdict.as_str(), doubles.excluded_share), (Some(0.0), "insufficient", None));
    // B decided nothing and has his three rows all the same, without a figure.
    let takes = of(&rows, Some("B"), "take", None).unwrap();
    assert_eq!((takes.decisions, takes.value, takes.low, takes.verdict.as_str()), (0, None, None, "insufficient"));
}

#[test]
fn what_is_not_counted_is_in_no_base() {
    let row = match_of("2026", "m");
    let mut uncounted = cube(&row, 0, ("no_double", 150));
    uncounted.counted = false;
    let rows = rows(&[Told::new(row, vec![uncounted], "gnubg")]);
    assert_eq!(counts(of(&rows, Some("A"), "double", None)), (0, 0, 0));
    assert!(rows.iter().all(|row| row.own_away.is_none()), "and no score has a cell");
}

#[test]
fn doubles_have_a_cell_per_score_money_first_and_the_seats_see_it_from_their_own_side() {
    let row = match_of("2026", "m");
    let at = |order, seat, (own_away, opp_away), regime: &str| {
        let regime = regime.to_owned();
        DecisionRow { seat, own_away, opp_away, regime, ..cube(&row, order, ("double", 10)) }
    };
    let decisions = vec![
        at(0, 1, (7, 5), "normal"),
        at(1, 2, (5, 7), "normal"),
        at(2, 1, (3, 1), "post_crawford"),
        at(3, 1, (0, 0), "money"),
    ];
    let rows = rows(&[Told::new(row.clone(), decisions, "gnubg")]);
    let cells: Vec<(i64, i64)> = rows
        .iter()
        .filter(|row| row.player.as_deref() == Some("A"))
        .filter_map(|row| row.own_away.zip(row.opp_away))
        .collect();
    assert_eq!(cells, [(0, 0), (3, 1), (7, 5)]);
    assert_eq!(counts(of(&rows, Some("B"), "double", Some((5, 7)))), (1, 0, 1));
    assert_eq!(counts(of(&rows, None, "double", None)), (4, 0, 4));
}

#[test]
fn blots_are_compared_only_where_there_is_contact_a_cost_and_both_boards() {
    let row = match_of("2026", "m");
    let play = |order, mpt, played, best| {
        let (blots_played, blots_best) = (played, best);
        DecisionRow { blots_played, blots_best, ..decision(&row, order, mpt) }
    };
    let decisions = vec![
        play(0, 20, Some(3), Some(1)),
        play(1, 20, Some(0), Some(1)),
        play(2, 20, Some(1), Some(1)),
        // Nothing lost: neither way whatever the boards, known or not.
        play(3, 0, Some(3), Some(1)),
        play(4, 0, None, Some(1)),
        // A board is not known: out of the base.
        play(5, 20, None, Some(1)),
        DecisionRow { contact: false, ..play(6, 20, Some(3), Some(1)) },
    ];
    let rows = rows(&[Told::new(row.clone(), decisions, "gnubg")]);
    let blots = of(&rows, Some("A"), "blots", None).unwrap();
    assert_eq!((blots.plus, blots.minus, blots.decisions), (1, 1, 5));
    assert_eq!(blots.excluded_share, Some(1.0 / 6.0));
}

#[test]
fn somebody_who_sits_in_both_seats_is_one_player() {
    let row = MatchRow { player_2: "A".to_owned(), ..match_of("2026", "m") };
    let decisions = vec![cube(&row, 0, ("take", 5)), DecisionRow { seat: 2, ..cube(&row, 1, ("pass", 5)) }];
    let rows = rows(&[Told::new(row.clone(), decisions, "gnubg")]);
    assert_eq!(counts(of(&rows, Some("A"), "take", None)), (1, 1, 2));
}

/// What the bots were made to do, found again over both seasons: counts from an independent program.
#[test]
fn the_habits_of_the_corpus_are_found() {
    let matches: Vec<Told> = seasons::corpus().iter().map(|told| told.in_season("both")).collect();
    if matches.is_empty() {
        return;
    }
    let rows = rows(&matches);
    println!(
        "{:<12} {:<7} {:>5} {:>5} {:>6} {:>7} {:>18} verdict",
        "player", "bias", "plus", "minus", "N", "B", "interval"
    );
    for row in rows.iter().filter(|row| row.own_away.is_none()) {
        println!(
            "{:<12} {:<7} {:>5} {:>5} {:>6} {:>+7.3} [{:>+7.3}, {:>+7.3}] {}",
            row.player.as_deref().unwrap_or("(both)"),
            row.bias,
            row.plus,
            row.minus,
            row.decisions,
            row.value.unwrap_or(f64::NAN),
            row.low.unwrap_or(f64::NAN),
            row.high.unwrap_or(f64::NAN),
            row.verdict
        );
    }
    for (player, bias, expected, verdict) in [
        ("Bramblewick", "double", (0, 139, 530), "too_little"),
        ("Cinderpath", "double", (43, 0, 85), "too_much"),
        ("Dovetail", "take", (0, 11, 46), "too_little"),
        ("Émberline", "take", (7, 0, 45), "too_much"),
    ] {
        let row = of(&rows, Some(player), bias, None);
        assert_eq!(counts(row), expected, "{player}: {bias}");
        assert_eq!(row.unwrap().verdict, verdict, "{player}: {bias}");
    }
    let shown = rows.iter().filter(|row| row.own_away.is_some() && row.decisions >= LEAST_DECISIONS).count();
    assert!(shown > 0, "some scores have enough doubles");
    for row in rows.iter().filter(|row| row.bias == "double" && row.own_away.is_none()) {
        let cells = rows.iter().filter(|cell| cell.player == row.player && cell.own_away.is_some());
        let sums = cells.fold((0, 0, 0), |s, cell| (s.0 + cell.plus, s.1 + cell.minus, s.2 + cell.decisions));
        assert_eq!(sums, (row.plus, row.minus, row.decisions), "{:?}: the scores add up", row.player);
    }
}

/// 2.093 for the nineteen degrees of freedom of twenty decisions.
#[test]
fn student_widens_a_bias_of_few_decisions() {
    let leanings = Leanings { plus: 5, minus: 0, decisions: 20 };
    let half = leanings.bias(Quantile::Student).unwrap().half_width;
    assert!((half - 0.189_776 * 2.093 / 1.96).abs() < 1e-6, "{half}");
}
