//! Edge cases (`metrics.md` 19): what cannot be computed is absent, never 0.

use super::m7;
use super::made::{marts, match_row, moment, near, of_career, of_seat, played, plays};
use portes::measure::Settings;
use portes::measure::interval::Quantile;
use portes::measure::played::{Facts, Side};
use portes::measure::player::{Ledger, Marts, match_row as figures};
use portes::tables::facts::MatchRow;
use portes::tables::marts::PlayerMatchRow;
use portes::tables::partials::MomentRow;

/// Three games of the first player, two of the second, without prices.
fn unpriced(id: &str) -> Vec<MomentRow> {
    vec![
        plays(id, (1, 1), (30, 600), None),
        plays(id, (2, 1), (40, 900), None),
        plays(id, (3, 1), (20, 300), None),
        plays(id, (1, 2), (10, 50), None),
        MomentRow { errors: 2, ..plays(id, (3, 2), (10, 150), None) },
    ]
}

fn assert_no_winning_chances(row: &PlayerMatchRow) {
    let figures = [
        row.loss,
        row.loss_checker,
        row.loss_double,
        row.loss_take,
        row.l7,
        row.l7_low,
        row.elo_vs_engine,
        row.elo_low,
        row.difficulty,
        row.excess,
        row.ratio,
        row.luck_mwc,
        row.luck_adjusted,
        row.error_balance,
    ];
    assert_eq!(figures, [None; 14]);
    assert_eq!((row.elo_floored, row.l7_units, row.priced), (None, 0, 0));
}

#[test]
fn money_and_too_long_have_errors_and_no_winning_chances() {
    for length in [0, 65, 101] {
        let marts = marts(&[match_row("1", ["A", "B"], length)], &unpriced("1"));
        let a = of_seat(&marts, Some(1));
        near(a.pr, 10.0, 1e-12);
        near(a.pr_low, 8.113_989, 1e-6);
        near(a.snowie, 0.5 * 1800.0 / 110.0, 1e-12);
        assert_eq!((a.won, a.length), (Some(true), (length > 0).then_some(i64::from(length))));
        for seat in [None, Some(1), Some(2)] {
            assert_no_winning_chances(of_seat(&marts, seat));
        }
        let career = of_career(&marts, Some("B"));
        assert_eq!((career.losses, career.l7, career.loss, career.l7_units), (Some(1), None, None, 0));
    }
}

#[test]
fn a_money_match_is_a_unit_of_pr_and_none_of_l7() {
    let rows = [match_row("1", ["A", "B"], 0), match_row("2", ["A", "B"], 7)];
    let mut moments = unpriced("1");
    moments.push(plays("2", (1, 1), (10, 100), Some(0.08)));
    let marts = marts(&rows, &moments);
    let a = of_career(&marts, Some("A"));
    near(a.pr, 0.5 * 1900.0 / 100.0, 1e-12);
    near(a.l7, 0.08, 1e-9);
    assert_eq!((a.pr_units, a.l7_units, a.priced, a.decisions), (2, 1, 10, 100));
}

#[test]
fn an_unfinished_match_is_neither_won_nor_lost_and_keeps_its_decisions() {
    let row = MatchRow { finished: false, winner: None, ..m7::row() };
    let marts = marts(&[row], &m7::moments());
    let a = of_seat(&marts, Some(1));
    assert_eq!((a.won, a.finished, a.luck_adjusted), (None, false, None));
    near(a.l7, 0.104_376_025, 1e-9);
    near(a.coverage, 11.0 / 12.0, 1e-12);
    near(a.error_balance, -0.088_322_505, 1e-8);
    let career = of_career(&marts, Some("A"));
    assert_eq!((career.matches, career.wins, career.losses), (1, Some(0), Some(0)));
}

#[test]
fn a_match_nobody_analysed_has_counts_and_no_figure() {
    let rolled =
        |seat| MomentRow { n: 30, unrated: 30, rolls: 30, unrated_rolls: 30, ..moment("1", 1, seat, "checker") };
    let marts = marts(&[match_row("1", ["A", "B"], 7)], &[rolled(1), rolled(2)]);
    for seat in [None, Some(1), Some(2)] {
        let row = of_seat(&marts, seat);
        assert_no_winning_chances(row);
        let figures = [row.pr, row.pr_checker, row.pr_cube, row.pr_low, row.snowie, row.luck];
        assert_eq!(figures, [None; 6]);
        assert_eq!([row.error_sum, row.error_checker, row.error_double, row.error_take], [None; 4]);
        assert_eq!((row.decisions, row.pr_units, row.hasty), (0, 0, None));
        assert_eq!(row.unrated, if seat.is_none() { 60 } else { 30 });
    }
    assert_eq!(of_career(&marts, Some("A")).level, None);
}

#[test]
fn unrated_plays_leave_the_snowie_rate_on_both_sides() {
    let unrated = MomentRow { n: 5, unrated: 5, rolls: 5, unrated_rolls: 5, ..moment("1", 1, 2, "checker") };
    let moments = [plays("1", (1, 1), (10, 100), None), plays("1", (1, 2), (10, 50), None), unrated];
    let marts = marts(&[match_row("1", ["A", "B"], 7)], &moments);
    near(of_seat(&marts, Some(1)).snowie, 0.5 * 100.0 / 20.0, 1e-12);
}

#[test]
fn the_snowie_rate_counts_what_pr_does_not() {
    let far = MomentRow { n: 4, rated: 4, rated_mpt: 60, outside_window: 4, ..moment("1", 1, 1, "no_double") };
    let marts = marts(&[match_row("1", ["A", "B"], 7)], &[plays("1", (1, 1), (10, 100), None), far]);
    let a = of_seat(&marts, Some(1));
    near(a.snowie, 0.5 * 160.0 / 10.0, 1e-12);
    near(a.pr, 0.5 * 100.0 / 10.0, 1e-12);
    assert_eq!(a.outside_window, 4);
}

#[test]
fn no_luck_is_absent_and_a_little_luck_comes_with_its_coverage() {
    let plain = [plays("1", (1, 1), (10, 100), Some(0.05)), plays("1", (1, 2), (10, 50), Some(0.02))];
    let silent = marts(&[match_row("1", ["A", "B"], 7)], &plain);
    let a = of_seat(&silent, Some(1));
    assert_eq!((a.luck, a.luck_mwc, a.luck_rolls, a.luck_adjusted), (None, None, 0, None));
    near(a.coverage, 0.0, 0.0);
    near(a.error_balance, -0.03, 1e-12);

    let lucky = MomentRow {
        luck_rolls: 4,
        luck: 40_000_000,
        luck_mwc_rolls: 4,
        luck_mwc: 30_000_000,
        ..moment("1", 1, 1, "checker")
    };
    let partial = marts(&[match_row("1", ["A", "B"], 7)], &[plain.as_slice(), &[lucky]].concat());
    let (a, b) = (of_seat(&partial, Some(1)), of_seat(&partial, Some(2)));
    near(a.luck_adjusted, 0.5 - 0.03, 1e-12);
    near(b.luck_adjusted, -0.47, 1e-12);
    near(b.coverage, 0.2, 1e-12);
    assert_eq!((b.luck, b.luck_mwc), (None, None));
}

#[test]
fn a_match_that_begins_at_an_uneven_score_begins_at_its_chances() {
    let row = MatchRow { start_mwc: Some(700_000_000), ..m7::row() };
    let marts = marts(&[row], &m7::moments());
    near(of_seat(&marts, Some(1)).luck_adjusted, -0.7 + 0.331_961_15, 1e-12);
    near(of_seat(&marts, Some(2)).luck_adjusted, 0.7 - 0.331_961_15, 1e-12);
}

#[test]
fn a_game_only_the_other_seat_decided_in_is_a_unit_of_l7_and_none_of_pr() {
    let moments = [
        plays("1", (1, 1), (10, 100), Some(0.20)),
        plays("1", (2, 2), (10, 100), Some(0.05)),
        plays("1", (3, 2), (10, 100), Some(0.05)),
    ];
    let marts = marts(&[match_row("1", ["A", "B"], 7)], &moments);
    let a = of_seat(&marts, Some(1));
    assert_eq!((a.pr_units, a.l7_units, a.pr_low), (1, 3, None));
    near(a.l7_low, 0.0, 0.0);
    near(a.l7_high, 0.592, 1e-9);
}

#[test]
fn a_one_point_match_is_worth_the_root_of_seven() {
    let marts = marts(&[match_row("1", ["A", "B"], 1)], &[plays("1", (1, 1), (10, 100), Some(0.05))]);
    let a = of_seat(&marts, Some(1));
    near(a.l7, 0.132_287_57, 1e-8);
    near(a.elo_vs_engine, -177.950_455, 1e-5);
}

#[test]
fn the_floor_is_told() {
    let elo = |loss| {
        let marts = marts(&[match_row("1", ["A", "B"], 7)], &[plays("1", (1, 1), (10, 100), Some(loss))]);
        let a = of_seat(&marts, Some(1));
        (a.elo_floored, a.elo_vs_engine)
    };
    assert_eq!(elo(0.49).0, Some(false));
    assert_eq!(elo(0.60).0, Some(true));
    near(elo(0.60).1, -1_508.558_409, 1e-6);
}

#[test]
fn times_in_one_match_do_not_make_the_errors_of_another_of_unknown_pace() {
    let timed = MomentRow { timed: 9, hasty: 1, unknown_pace: 1, ..plays("1", (1, 1), (10, 100), None) };
    let untimed = MomentRow { errors: 4, unknown_pace: 4, ..plays("2", (1, 1), (10, 100), None) };
    let marts = marts(&[match_row("1", ["A", "B"], 0), match_row("2", ["A", "B"], 0)], &[timed, untimed]);
    let a = of_career(&marts, Some("A"));
    assert_eq!((a.hasty, a.considered, a.unknown_pace), (Some(1), Some(0), Some(1)));
    assert_eq!(of_career(&marts, Some("B")).hasty, None);
}

#[test]
fn the_print_of_xg_stands_only_where_xg_wrote_the_file() {
    let moments = [MomentRow {
        xg_counted: 11,
        xg_e_raw: 7_045_000,
        xg_loss: 7_562_000,
        ..plays("1", (1, 1), (10, 72), Some(0.007_761))
    }];
    let mut of_xg = played(&match_row("1", ["A", "B"], 7), &moments);
    let first = Side::One(portes::game::Seat::First);
    let row = figures(&of_xg, first, &Settings::default());
    assert_eq!((row.xg_pr, row.xg_decisions, row.xg_loss), (None, None, None));
    of_xg.facts.xg = true;
    let row = figures(&of_xg, first, &Settings::default());
    near(row.xg_pr, 500.0 * 0.070_45 / 11.0, 1e-9);
    near(row.xg_error_sum, 0.070_45, 1e-12);
    near(row.xg_error_double, 0.0, 0.0);
    near(row.xg_loss, 0.007_562, 1e-12);
    assert_eq!((row.xg_decisions, row.xg_decisions_checker, row.xg_decisions_take), (Some(11), Some(11), Some(0)));
    near(row.pr, 0.5 * 72.0 / 10.0, 1e-12);
}

#[test]
fn student_widens_a_match_of_three_games() {
    let settings = Settings { quantile: Quantile::Student, ..Settings::default() };
    let row = figures(
        &played(&match_row("1", ["A", "B"], 0), &unpriced("1")),
        Side::One(portes::game::Seat::First),
        &settings,
    );
    near(row.pr, 10.0, 1e-12);
    near(row.pr_high, 10.0 + 4.303 * 0.962_250, 1e-5);
}

#[test]
fn an_empty_selection_has_no_rows() {
    assert_eq!(Ledger::new(Settings::default()).close(), Marts::default());
    let silent = marts(&[match_row("1", ["A", "B"], 7)], &[]);
    assert_eq!(silent.player_match.len(), 3);
    assert_eq!((of_career(&silent, None).pr, of_career(&silent, None).matches), (None, 1));
    assert_eq!(of_seat(&silent, Some(1)).coverage, None);
}

#[test]
fn rows_that_contradict_themselves_are_faults() {
    let sane = match_row("1", ["A", "B"], 7);
    for row in [
        MatchRow { play: "money".to_owned(), ..sane.clone() },
        MatchRow { length: Some(-3), ..sane.clone() },
        MatchRow { length: None, ..sane.clone() },
        MatchRow { winner: Some(3), ..sane.clone() },
    ] {
        assert!(Facts::of(&row).is_err(), "{row:?}");
    }
    let mut played = played(&sane, &[]);
    assert!(played.add(&moment("1", 1, 0, "checker")).is_err());
    assert!(played.add(&moment("1", 1, 1, "beaver")).is_err());
}
