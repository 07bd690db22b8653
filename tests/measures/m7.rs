//! The fixture M7 (`metrics.md` 21): five games, fifteen decisions, twelve rolls, and every figure they make.

use super::made::{marts, match_row, moment, near, of_season, of_seat};
use portes::measure::luck::Reading;
use portes::measure::outcome::Outcome;
use portes::measure::pace::{Hint, Pace};
use portes::measure::player::Marts;
use portes::tables::facts::MatchRow;
use portes::tables::partials::MomentRow;

const ID: &str = "00000000000000a7";

/// Seat, game, kind, K in 1e-9, costs of the options (best first) in mpt, the one played, seconds.
type Decision = (i64, i64, &'static str, i64, &'static [i64], usize, Option<i64>);

const DECISIONS: [Decision; 15] = [
    (1, 1, "checker", 62_610_000, &[0, 60, 70], 1, Some(4)),
    (1, 1, "checker", 62_610_000, &[0, 20, 50], 1, Some(10)),
    (1, 2, "checker", 131_045_000, &[0, 150], 1, Some(3)),
    (1, 2, "take", 66_445_000, &[0, 80], 1, Some(20)),
    (1, 3, "no_double", 86_045_000, &[0, 30], 1, Some(15)),
    (1, 3, "checker", 86_045_000, &[0, 10, 55], 2, Some(12)),
    (1, 3, "checker", 170_895_000, &[0, 200], 0, Some(8)),
    (1, 4, "checker", 244_015_000, &[0, 70], 1, Some(6)),
    (1, 5, "checker", 500_000_000, &[0, 5, 100], 2, None),
    (2, 1, "checker", 62_610_000, &[0, 12], 1, Some(5)),
    (2, 2, "double", 66_445_000, &[0, 25], 1, Some(9)),
    (2, 2, "checker", 131_045_000, &[0, 45, 50], 1, Some(7)),
    (2, 3, "checker", 86_045_000, &[0, 90], 1, Some(2)),
    (2, 4, "checker", 244_015_000, &[0, 4, 20], 0, Some(6)),
    (2, 5, "double", 250_000_000, &[0, 400], 0, Some(1)),
];

/// Seat, game, luck in mpt, K in 1e-9.
const LUCK: [(i64, i64, i64, i64); 11] = [
    (1, 1, 100, 62_610_000),
    (1, 1, -250, 62_610_000),
    (1, 2, 50, 131_045_000),
    (1, 3, 400, 170_895_000),
    (1, 4, -100, 244_015_000),
    (1, 5, -200, 500_000_000),
    (2, 1, 50, 62_610_000),
    (2, 2, 600, 131_045_000),
    (2, 3, -80, 86_045_000),
    (2, 4, 300, 244_015_000),
    (2, 5, 250, 500_000_000),
];

/// K · Σ πΔ, written out.
fn difficulty(factor: i64, costs: &[i64]) -> i64 {
    let weights: Vec<f64> = costs.iter().map(|mpt| (-(*mpt as f64) / 25.0).exp()).collect();
    let whole: f64 = weights.iter().sum();
    let mean: f64 = weights.iter().zip(costs).map(|(w, mpt)| w / whole * *mpt as f64 / 1000.0).sum();
    (factor as f64 * mean).round() as i64
}

/// Median of the known times of one seat's decisions of one nature.
fn median(seat: i64, checker: bool) -> f64 {
    let of_nature = |d: &&Decision| d.0 == seat && (d.2 == "checker") == checker;
    let mut times: Vec<i64> = DECISIONS.iter().filter(of_nature).filter_map(|d| d.6).collect();
    times.sort_unstable();
    let (half, count) = (times.len() / 2, times.len());
    if count % 2 == 1 { times[half] as f64 } else { (times[half - 1] + times[half]) as f64 / 2.0 }
}

fn decided(&(seat, game, kind, factor, costs, made, seconds): &Decision) -> MomentRow {
    let mpt = costs[made];
    let loss = factor * mpt / 1000;
    let difficulty = difficulty(factor, costs);
    let error = i64::from(mpt >= 50);
    let median = median(seat, kind == "checker");
    let hasty = seconds.is_some_and(|s| (s as f64) < median);
    MomentRow {
        n: 1,
        rated: 1,
        counted: 1,
        mpt,
        rated_mpt: mpt,
        e_raw: mpt * 100_000,
        priced: 1,
        loss,
        both: 1,
        both_loss: loss,
        difficulty,
        errors: error,
        blunders: i64::from(mpt >= 100),
        avoidable: i64::from(mpt >= 50 && loss > 0 && 10 * difficulty <= loss),
        rolls: i64::from(kind == "checker"),
        hasty: if hasty { error } else { 0 },
        considered: if seconds.is_some() && !hasty { error } else { 0 },
        unknown_pace: if seconds.is_none() { error } else { 0 },
        timed: i64::from(seconds.is_some()),
        ..moment(ID, game, seat, kind)
    }
}

/// One row per decision, roll with luck, and the dance: the ledger adds rows of the same key up.
pub(super) fn moments() -> Vec<MomentRow> {
    let mut rows: Vec<MomentRow> = DECISIONS.iter().map(decided).collect();
    rows.extend(LUCK.iter().map(|&(seat, game, luck, factor)| MomentRow {
        luck_rolls: 1,
        luck: luck * 100_000,
        luck_mwc_rolls: 1,
        luck_mwc: factor * luck / 1000,
        ..moment(ID, game, seat, "checker")
    }));
    rows.push(MomentRow { n: 1, rated: 1, forced: 1, rolls: 1, ..moment(ID, 5, 2, "checker") });
    rows
}

pub(super) fn row() -> MatchRow {
    MatchRow { winner: Some(2), games: 5, score_1: 6, score_2: 7, ..match_row(ID, ["A", "B"], 7) }
}

fn m7() -> Marts {
    marts(&[row()], &moments())
}

#[test]
fn the_first_players_figures() {
    let marts = m7();
    let a = of_seat(&marts, Some(1));
    assert_eq!((a.player.as_deref(), a.opponent.as_deref()), (Some("A"), Some("B")));
    assert_eq!((a.decisions, a.decisions_checker, a.decisions_double, a.decisions_take), (9, 7, 1, 1));
    near(a.error_sum, 0.565, 1e-12);
    near(a.error_checker, 0.455, 1e-12);
    near(a.error_double, 0.030, 1e-12);
    near(a.error_take, 0.080, 1e-12);
    near(a.pr, 31.388_889, 1e-6);
    near(a.pr_low, 12.101_649, 1e-6);
    near(a.pr_high, 50.676_129, 1e-6);
    assert_eq!((a.pr_units, a.errors, a.blunders), (5, 6, 2));
    near(a.snowie, 0.5 * 565.0 / 12.0, 1e-12);
    near(a.loss, 0.104_376_025, 1e-12);
    near(a.loss_double, 0.002_581_35, 1e-12);
    near(a.loss_take, 0.005_315_6, 1e-12);
    near(a.l7, 0.104_376_025, 1e-9);
    near(a.l7_low, 0.024_908_668, 1e-9);
    near(a.l7_high, 0.183_843_382, 1e-9);
    assert_eq!((a.l7_units, a.elo_floored), (5, Some(false)));
    // A seven-point match: the losses of the two kinds as section 21 lists them.
    near(a.l7_checker, 0.096_479_075, 1e-9);
    near(a.l7_cube, 0.007_896_95, 1e-9);
    near(a.elo_vs_engine, -139.109_541, 1e-5);
    near(a.elo_low, -253.277_298, 1e-5);
    near(a.elo_high, -32.736_740, 1e-5);
    near(a.difficulty, 0.005_225_669, 9e-9);
    near(a.excess, 0.099_150_356, 9e-9);
    near(a.ratio, 19.973_714, 20e-6);
    assert_eq!(a.avoidable, 4);
}

#[test]
fn the_second_players_figures() {
    let marts = m7();
    let b = of_seat(&marts, Some(2));
    assert_eq!((b.decisions, b.decisions_checker, b.decisions_double, b.decisions_take), (6, 4, 2, 0));
    near(b.error_sum, 0.172, 1e-12);
    near(b.error_take, 0.0, 0.0);
    near(b.pr, 14.333_333, 1e-6);
    near(b.pr_low, 0.373_880, 1e-6);
    near(b.pr_high, 28.292_787, 1e-6);
    assert_eq!((b.pr_units, b.errors, b.blunders, b.forced), (5, 1, 0, 1));
    near(b.snowie, 0.5 * 172.0 / 12.0, 1e-12);
    near(b.l7, 0.016_053_520, 1e-8);
    near(b.l7_low, 0.0, 0.0);
    near(b.l7_high, 0.033_871_920, 1e-8);
    near(b.elo_vs_engine, -21.088_459, 3e-5);
    near(b.elo_low, -44.548_264, 5e-5);
    near(b.elo_high, 0.0, 0.0);
    near(b.difficulty, 0.003_685_364, 6e-9);
    near(b.excess, 0.012_368_156, 1e-8);
    assert_eq!((b.ratio, b.avoidable), (None, 1));
}

#[test]
fn both_seats_are_one() {
    let marts = m7();
    let both = of_seat(&marts, None);
    assert_eq!((both.player.as_deref(), both.opponent.as_deref(), both.won), (None, None, None));
    near(both.pr, 24.566_667, 1e-6);
    near(both.snowie, 0.5 * 737.0 / 12.0, 1e-12);
    near(both.loss, 0.120_429_545, 1e-8);
    near(both.l7, 0.120_429_545 / 2.0, 1e-8);
    assert_eq!((both.luck_adjusted, both.error_balance), (None, None));
    assert_eq!((both.pr_units, both.l7_units), (5, 5));
}

#[test]
fn luck_and_the_result_without_it() {
    let marts = m7();
    let (a, b) = (of_seat(&marts, Some(1)), of_seat(&marts, Some(2)));
    near(a.luck_mwc, -0.058_882_75, 1e-12);
    near(b.luck_mwc, 0.273_078_40, 1e-12);
    near(a.luck, 0.0, 1e-12);
    near(b.luck, 1.12, 1e-12);
    assert_eq!((a.luck_rolls, a.rolls, b.luck_rolls, b.rolls), (6, 7, 5, 5));
    near(a.luck_adjusted, -0.168_038_85, 1e-12);
    assert_eq!(b.luck_adjusted, a.luck_adjusted.map(|adjusted| -adjusted));
    assert_eq!((a.won, b.won), (Some(false), Some(true)));
    assert_eq!(Reading::of(Outcome::Lost, a.luck_adjusted.unwrap()), Reading::LostByPlay);
    assert_eq!(Reading::of(Outcome::Won, b.luck_adjusted.unwrap()), Reading::WonByPlay);
    near(a.coverage, 11.0 / 12.0, 1e-12);
    assert_eq!(b.coverage, a.coverage);
    near(a.error_balance, -0.088_322_505, 1e-8);
    near(b.error_balance, 0.088_322_505, 1e-8);
}

#[test]
fn pace() {
    let marts = m7();
    let (a, b) = (of_seat(&marts, Some(1)), of_seat(&marts, Some(2)));
    assert_eq!((a.hasty, a.considered, a.unknown_pace), (Some(3), Some(2), Some(1)));
    assert_eq!((b.hasty, b.considered, b.unknown_pace), (Some(1), Some(0), Some(0)));
    let hint = |hasty, considered| Pace { hasty, considered, unknown: 0 }.hint();
    assert_eq!((hint(3, 2), hint(1, 0)), (Some(Hint::Discipline), Some(Hint::Discipline)));
}

#[test]
fn a_season_of_one_match_has_its_values_and_no_interval() {
    let marts = m7();
    let a = of_season(&marts, Some("A"));
    near(a.pr, 31.388_889, 1e-6);
    near(a.l7, 0.104_376_025, 1e-9);
    assert_eq!((a.pr_low, a.pr_high, a.pr_units, a.l7_low, a.l7_units), (None, None, 1, None, 1));
    assert_eq!((a.matches, a.wins, a.losses), (1, Some(0), Some(1)));
    assert_eq!(a.level.as_deref(), Some("beginner"));
    assert_eq!((a.hasty, a.considered, a.unknown_pace), (Some(3), Some(2), Some(1)));
    let everybody = of_season(&marts, None);
    assert_eq!((everybody.matches, everybody.wins, everybody.losses), (1, None, None));
    near(everybody.pr, 24.566_667, 1e-6);
}
