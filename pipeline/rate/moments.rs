//! The sums of a match: per game, seat and kind, what the measures start from (`metrics.md` 4 to 8, 10.3, 20.4).
//!
//! First moments of whole numbers only, so that they add up the same in every order. A group that has no decision has
//! no row. Nothing is a rate here: the measures divide.

use super::Rules;
use super::pace::{Medians, Pace};
use crate::game::{CubeAction, Kind};
use crate::tables::facts::DecisionRow;
use crate::tables::partials::MomentRow;
use std::collections::BTreeMap;

/// Sums of whole rated matches, sorted by match, game, seat and kind. `decisions` are sorted by match.
#[must_use]
pub fn moments(decisions: &[DecisionRow], rules: &Rules) -> Vec<MomentRow> {
    decisions.chunk_by(|a, b| a.match_id == b.match_id).flat_map(|of_match| of_one_match(of_match, rules)).collect()
}

fn of_one_match(decisions: &[DecisionRow], rules: &Rules) -> Vec<MomentRow> {
    let medians = Medians::of(decisions);
    let mut sums: BTreeMap<(i64, i64, &str), MomentRow> = BTreeMap::new();
    for row in decisions {
        let sum = sums.entry((row.game, row.seat, &row.kind)).or_insert_with(|| empty(row));
        add_counts(sum, row);
        if row.counted {
            add_counted(sum, row);
            add_errors(sum, row, rules, &medians);
        }
        add_uncounted(sum, row, rules);
        add_rolls(sum, row);
        add_xg(sum, row);
    }
    sums.into_values().collect()
}

fn add_counts(sum: &mut MomentRow, row: &DecisionRow) {
    sum.n += 1;
    let Some(mpt) = row.e_mpt else {
        sum.unrated += 1;
        return;
    };
    sum.rated += 1;
    sum.rated_mpt += if is_barred(row) { 0 } else { mpt };
    sum.counted += i64::from(row.counted);
    sum.forced += i64::from(row.forced);
    sum.outside_window += i64::from(is_no_double(row) && !row.counted);
}

fn add_counted(sum: &mut MomentRow, row: &DecisionRow) {
    sum.mpt += row.e_mpt.unwrap_or(0);
    sum.e_raw += row.e_raw.unwrap_or(0);
    sum.timed += i64::from(row.seconds.is_some());
    let Some(loss) = row.loss else { return };
    sum.priced += 1;
    sum.loss += loss;
    let Some(difficulty) = row.difficulty else { return };
    sum.both += 1;
    sum.both_loss += loss;
    sum.difficulty += difficulty;
}

fn add_errors(sum: &mut MomentRow, row: &DecisionRow, rules: &Rules, medians: &Medians) {
    if row.e_mpt < Some(rules.error.0) {
        return;
    }
    sum.errors += 1;
    sum.blunders += i64::from(row.e_mpt >= Some(rules.blunder.0));
    sum.avoidable += i64::from(row.avoidable);
    match medians.pace(row) {
        Pace::Hasty => sum.hasty += 1,
        Pace::Considered => sum.considered += 1,
        Pace::Unknown => sum.unknown_pace += 1,
    }
}

/// Missed doubles that no count sees, because the player was behind.
fn add_uncounted(sum: &mut MomentRow, row: &DecisionRow, rules: &Rules) {
    let missed = is_no_double(row) && !row.counted && !is_barred(row);
    let Some(mpt) = row.e_mpt.filter(|&mpt| missed && mpt >= rules.error.0) else { return };
    sum.uncounted_errors += 1;
    sum.uncounted_mpt += mpt;
}

fn add_rolls(sum: &mut MomentRow, row: &DecisionRow) {
    if row.kind != Kind::Checker.token() {
        return;
    }
    sum.rolls += 1;
    sum.unrated_rolls += i64::from(row.e_mpt.is_none());
    if let Some(luck) = row.luck {
        sum.luck_rolls += 1;
        sum.luck += luck;
    }
    if let Some(luck) = row.luck_mwc {
        sum.luck_mwc_rolls += 1;
        sum.luck_mwc += luck;
    }
}

fn add_xg(sum: &mut MomentRow, row: &DecisionRow) {
    if row.xg_counted != Some(true) {
        return;
    }
    sum.xg_counted += 1;
    sum.xg_e_raw += row.e_raw.unwrap_or(0);
    sum.xg_loss += row.xg_loss.unwrap_or(0);
}

fn is_no_double(row: &DecisionRow) -> bool {
    row.kind == Kind::Cube(CubeAction::NoDouble).token()
}

/// A no double of a player who may not turn the cube, in the Crawford game above all. A file may hold an analysis of it
/// all the same; nobody chose, so it adds to no sum of errors (`metrics.md` 19).
fn is_barred(row: &DecisionRow) -> bool {
    is_no_double(row) && !row.may_double
}

/// The sums of no decision of the row's group.
fn empty(row: &DecisionRow) -> MomentRow {
    MomentRow {
        season: row.season.clone(),
        match_id: row.match_id.clone(),
        game: row.game,
        seat: row.seat,
        kind: row.kind.clone(),
        ..MomentRow::default()
    }
}
