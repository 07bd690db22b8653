//! Partials against their decisions: every sum of `moments` that needs no threshold and no reference player is made
//! again, plainly, from the rows of `decisions`, and has to be the same.

use super::Findings;
use crate::tables::columns::Columns;
use crate::tables::partials::MomentRow;
use crate::tables::row::Row;
use std::collections::BTreeMap;

/// What the sums need of one decision.
struct Seen {
    checker: bool,
    counted: bool,
    forced: bool,
    avoidable: bool,
    timed: bool,
    xg_counted: bool,
    /// A no double of a player who could not double.
    barred: bool,
    e_mpt: Option<i64>,
    e_raw: Option<i64>,
    loss: Option<i64>,
    difficulty: Option<i64>,
    luck: Option<i64>,
    luck_mwc: Option<i64>,
    xg_loss: Option<i64>,
}

/// The columns of a decision: the group first, then what [`Seen::of`] reads.
pub(super) const COLUMNS: [&str; 17] = [
    "match_id",
    "game",
    "seat",
    "kind",
    "counted",
    "forced",
    "avoidable",
    "seconds",
    "xg_counted",
    "e_mpt",
    "e_raw",
    "loss",
    "difficulty",
    "luck",
    "luck_mwc",
    "xg_loss",
    "may_double",
];

impl Seen {
    fn of(batch: &Columns, row: usize) -> Self {
        Self {
            checker: batch.text(row, 3) == Some("checker"),
            counted: batch.flag(row, 4),
            forced: batch.flag(row, 5),
            avoidable: batch.flag(row, 6),
            timed: batch.int(row, 7).is_some(),
            xg_counted: batch.flag(row, 8),
            barred: batch.text(row, 3) == Some("no_double") && !batch.flag(row, 16),
            e_mpt: batch.int(row, 9),
            e_raw: batch.int(row, 10),
            loss: batch.int(row, 11),
            difficulty: batch.int(row, 12),
            luck: batch.int(row, 13),
            luck_mwc: batch.int(row, 14),
            xg_loss: batch.int(row, 15),
        }
    }

    /// Counted, with a price and a price to compare it with.
    const fn has_both(&self) -> bool {
        self.counted && self.loss.is_some() && self.difficulty.is_some()
    }
}

/// The value where the condition holds.
fn when(holds: bool, value: Option<i64>) -> i64 {
    if holds { value.unwrap_or(0) } else { 0 }
}

/// A sum of `moments`: its column, and what one decision adds to it.
type Sum = (&'static str, fn(&Seen) -> i64);

const SUMS: [Sum; 24] = [
    ("n", |_| 1),
    ("rated", |d| i64::from(d.e_mpt.is_some())),
    ("counted", |d| i64::from(d.counted)),
    ("forced", |d| i64::from(d.e_mpt.is_some() && d.forced)),
    ("unrated", |d| i64::from(d.e_mpt.is_none())),
    ("mpt", |d| when(d.counted, d.e_mpt)),
    ("rated_mpt", |d| when(!d.barred, d.e_mpt)),
    ("e_raw", |d| when(d.counted, d.e_raw)),
    ("priced", |d| i64::from(d.counted && d.loss.is_some())),
    ("loss", |d| when(d.counted, d.loss)),
    ("both", |d| i64::from(d.has_both())),
    ("both_loss", |d| when(d.has_both(), d.loss)),
    ("difficulty", |d| when(d.has_both(), d.difficulty)),
    ("avoidable", |d| i64::from(d.avoidable)),
    ("rolls", |d| i64::from(d.checker)),
    ("unrated_rolls", |d| i64::from(d.checker && d.e_mpt.is_none())),
    ("luck_rolls", |d| i64::from(d.luck.is_some())),
    ("luck", |d| when(true, d.luck)),
    ("luck_mwc_rolls", |d| i64::from(d.luck_mwc.is_some())),
    ("luck_mwc", |d| when(true, d.luck_mwc)),
    ("timed", |d| i64::from(d.counted && d.timed)),
    ("xg_counted", |d| i64::from(d.xg_counted)),
    ("xg_e_raw", |d| when(d.xg_counted, d.e_raw)),
    ("xg_loss", |d| when(d.xg_counted, d.xg_loss)),
];

/// Match, game, seat.
type Side = (String, i64, i64);

/// In the order of [`SUMS`].
type Totals = [i64; SUMS.len()];

fn side(batch: &Columns, row: usize) -> Side {
    let int = |column| batch.int(row, column).unwrap_or_default();
    (batch.text(row, 0).unwrap_or_default().to_owned(), int(1), int(2))
}

/// `moments_are_sums`: what the decisions seen so far give, by side and kind.
#[derive(Default)]
pub(super) struct Expected(BTreeMap<Side, BTreeMap<String, Totals>>);

/// The columns of the moments: the group first.
pub(super) fn stored() -> Vec<&'static str> {
    COLUMNS[..4].iter().copied().chain(SUMS.iter().map(|(name, _)| *name)).collect()
}

impl Expected {
    pub(super) fn decisions(&mut self, batch: &Columns) {
        for row in 0..batch.rows() {
            let (seen, kind) = (Seen::of(batch, row), batch.text(row, 3).unwrap_or_default());
            let kinds = self.0.entry(side(batch, row)).or_default();
            if !kinds.contains_key(kind) {
                kinds.insert(kind.to_owned(), [0; SUMS.len()]);
            }
            for (total, (_, adds)) in kinds.get_mut(kind).into_iter().flatten().zip(SUMS) {
                *total += adds(&seen);
            }
        }
    }

    /// Holds moments against the decisions, which all were seen.
    pub(super) fn moments(&mut self, batch: &Columns, findings: &mut Findings) {
        for row in 0..batch.rows() {
            let (side, kind) = (side(batch, row), batch.text(row, 3).unwrap_or_default());
            let expected = self.0.get_mut(&side).and_then(|kinds| kinds.remove(kind)).unwrap_or([0; SUMS.len()]);
            for (at, ((name, _), expected)) in SUMS.iter().zip(expected).enumerate() {
                let stored = batch.int(row, at + 4).unwrap_or_default();
                if stored != expected {
                    block(findings, (&side, kind), format!("{name} is {stored}, the decisions give {expected}"));
                }
            }
        }
    }

    /// Every side and kind that has decisions has moments.
    pub(super) fn end(&self, findings: &mut Findings) {
        for (side, kinds) in &self.0 {
            for kind in kinds.keys() {
                block(findings, (side, kind), "there are decisions and no moments".to_owned());
            }
        }
    }
}

fn block(findings: &mut Findings, ((match_id, game, seat), kind): (&Side, &str), words: String) {
    let sentence = format!("game {game}, seat {seat}, {kind}: {words}");
    findings.block(("moments_are_sums", MomentRow::TABLE), Some(match_id), sentence);
}
