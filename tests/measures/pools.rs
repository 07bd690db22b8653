//! Pools: sums come before rates, a match is one unit, and nobody's order shows.

use super::m7;
use super::made::{SEASON, marts, match_row, near, of_career, of_season, plays};
use portes::measure::player::Marts;
use portes::tables::facts::MatchRow;
use portes::tables::partials::MomentRow;
use portes::tables::row::{Row, Value};

/// A points match of one game a row: id, length, loss of the first player, of the second.
fn points_matches(of: &[(&str, u32, Option<f64>, Option<f64>)]) -> Marts {
    let matches: Vec<MatchRow> = of.iter().map(|(id, length, ..)| match_row(id, ["A", "B"], *length)).collect();
    let mut moments = Vec::new();
    for (id, _, first, second) in of {
        for (seat, loss) in [(1, first), (2, second)] {
            moments.extend(loss.map(|loss| plays(id, (1, seat), (10, 100), Some(loss))));
        }
    }
    marts(&matches, &moments)
}

#[test]
fn l7_of_one_players_set_is_the_definitions() {
    let marts = points_matches(&[("1", 7, Some(0.30), None), ("2", 1, Some(0.05), None), ("3", 11, Some(0.40), None)]);
    let a = of_season(&marts, Some("A"));
    near(a.l7, 0.285_005_213, 1e-9);
    near(a.l7_low, 0.218_082_207, 1e-9);
    near(a.l7_high, 0.351_928_219, 1e-9);
    near(a.elo_vs_engine, -425.168_162, 1e-5);
    near(a.elo_low, -574.453_615, 1e-5);
    near(a.elo_high, -306.946_218, 1e-5);
    near(a.loss, 0.75, 1e-12);
    assert_eq!(a.l7_units, 3);
    let b = of_season(&marts, Some("B"));
    assert_eq!((b.matches, b.losses, b.l7, b.l7_units, b.pr, b.loss), (3, Some(3), None, 0, None, None));
}

#[test]
fn l7_of_both_seats_is_the_definitions() {
    let marts = points_matches(&[
        ("1", 7, Some(0.08), Some(0.12)),
        ("2", 5, Some(0.05), Some(0.09)),
        ("3", 9, Some(0.10), None),
    ]);
    let both = of_career(&marts, None);
    near(both.l7, 0.091_206_796, 1e-9);
    near(both.l7_low, 0.079_841_439, 1e-9);
    near(both.l7_high, 0.102_572_152, 1e-9);
    assert_eq!(both.l7_units, 3);
}

#[test]
fn pr_of_a_set_is_over_matches_and_ignores_those_without_a_decision() {
    let of = [("1", 30, 600), ("2", 40, 900), ("3", 20, 300), ("4", 0, 0)];
    let matches: Vec<MatchRow> = of.iter().map(|(id, ..)| match_row(id, ["A", "B"], 7)).collect();
    let halves = |&(id, counted, mpt): &(&str, i64, i64)| {
        [plays(id, (1, 1), (counted / 2, mpt / 3), None), plays(id, (2, 1), (counted / 2, mpt - mpt / 3), None)]
    };
    let moments: Vec<MomentRow> = of.iter().flat_map(halves).collect();
    let marts = marts(&matches, &moments);
    let a = of_season(&marts, Some("A"));
    near(a.pr, 10.0, 1e-12);
    near(a.pr_low, 8.113_989, 1e-6);
    near(a.pr_high, 11.886_011, 1e-6);
    assert_eq!((a.pr_units, a.matches, a.level.as_deref()), (3, 4, Some("casual")));
    near(a.pr_checker, 10.0, 1e-12);
    assert_eq!((a.pr_cube, a.pr_cube_low), (None, None));
    near(a.error_take, 0.0, 0.0);
}

#[test]
fn a_career_pools_seasons_and_a_season_only_its_own() {
    let other = MatchRow { season: "2025".to_owned(), winner: Some(2), ..match_row("2", ["B", "A"], 7) };
    let rows = [match_row("1", ["A", "B"], 7), other];
    let moments = [plays("1", (1, 1), (10, 100), Some(0.05)), plays("2", (1, 2), (30, 60), Some(0.01))];
    let marts = marts(&rows, &moments);
    near(of_career(&marts, Some("A")).pr, 0.5 * 160.0 / 40.0, 1e-12);
    assert_eq!(of_career(&marts, Some("A")).wins, Some(2));
    let seasons: Vec<_> = marts.player_season.iter().map(|r| (r.season.as_str(), r.player.as_deref())).collect();
    assert_eq!(
        seasons,
        [
            ("2025", None),
            ("2025", Some("A")),
            ("2025", Some("B")),
            (SEASON, None),
            (SEASON, Some("A")),
            (SEASON, Some("B"))
        ]
    );
    near(of_season(&marts, Some("A")).pr, 0.5 * 60.0 / 30.0, 1e-12);
}

#[test]
fn a_match_against_oneself_counts_both_seats_and_no_win() {
    let rows = [match_row("1", ["A", "A"], 7), match_row("2", ["A", "B"], 7)];
    let moments = [
        plays("1", (1, 1), (10, 100), Some(0.08)),
        plays("1", (1, 2), (10, 300), Some(0.12)),
        plays("2", (1, 1), (20, 200), Some(0.10)),
    ];
    let marts = marts(&rows, &moments);
    let a = of_career(&marts, Some("A"));
    assert_eq!((a.matches, a.wins, a.losses, a.decisions), (2, Some(1), Some(0), 40));
    near(a.pr, 0.5 * 600.0 / 40.0, 1e-12);
    near(a.l7, 0.30 / 3.0, 1e-9);
    near(a.snowie, 0.5 * 600.0 / 40.0, 1e-12);
    assert_eq!((a.pr_units, a.l7_units), (2, 2));
}

/// Every bit of every figure, in order.
fn bits<R: Row>(rows: &[R]) -> Vec<String> {
    let mut cells = Vec::new();
    for row in rows {
        row.values(&mut |_, value| {
            cells.push(match value {
                Value::Float(x) => format!("{:016x}", x.to_bits()),
                other => format!("{other:?}"),
            });
        });
    }
    cells
}

pub(super) fn all_bits(marts: &Marts) -> Vec<String> {
    [bits(&marts.player_match), bits(&marts.player_season), bits(&marts.player_career)].concat()
}

#[test]
fn the_order_of_rows_does_not_show_in_a_single_bit() {
    let lengths = [1, 3, 5, 7, 9, 11, 13, 64, 0, 70];
    let mut matches = vec![m7::row()];
    let mut moments = m7::moments();
    for (at, length) in (0_i64..).zip(lengths.iter().cycle().take(40)) {
        let id = format!("{at:016x}");
        matches.push(match_row(&id, [["A", "B", "C"][at as usize % 3], ["D", "A"][at as usize % 2]], *length));
        let priced = (1..=64).contains(length);
        for game in 1..=1 + at % 5 {
            for seat in [1, 2] {
                let mixed = (at * 7_919 + game * 104_729 + seat * 31) % 997;
                let loss = priced.then_some(mixed as f64 / 31_333.0);
                moments.push(plays(&id, (game, seat), (mixed % 40, mixed * 3), loss));
            }
        }
    }
    let expected = all_bits(&marts(&matches, &moments));
    let mut state = 1_u64;
    for _ in 0..20 {
        shuffle(&mut matches, &mut state);
        shuffle(&mut moments, &mut state);
        assert_eq!(all_bits(&marts(&matches, &moments)), expected);
    }
}

/// Fisher and Yates, with Knuth's 64-bit linear congruential generator.
pub(super) fn shuffle<T>(items: &mut [T], state: &mut u64) {
    for at in (1..items.len()).rev() {
        items.swap(at, (next(state) % (at as u64 + 1)) as usize);
    }
}

pub(super) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}
