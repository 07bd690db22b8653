//! One decision's facts and candidates -> error, counted?, loss, difficulty, phase, plan, theme.
//!
//! Everything rated is computed from the stored integers of the rows and from nothing else, so a part that is read back
//! and rated again comes out byte for byte, unless a rule changed. This room owns the rules of `metrics.md` 3 and 8 and
//! of `classifiers.md` 2 to 4, one file per question; it refuses to look at a file, a player or a date.
//!
//! - [`error`]: what a decision cost;
//! - [`counting`]: forced plays and the counting window;
//! - [`difficulty`]: what a reference player loses there;
//! - [`phase`], [`plan`], [`theme`]: what the position and the error were about;
//! - `decision`: one row judged by all of these;
//! - [`moments`]: the sums of a match that the measures start from;
//! - [`cells`], [`sequences`], [`worst`]: the same sums by cell of every breakdown, the errors in order, the costliest;
//! - [`errors`], [`rulings`], [`pace`]: its errors one by one, what every analysis says is right, hasty or considered.

pub mod cells;
pub mod counting;
mod decision;
pub mod difficulty;
pub mod error;
pub mod errors;
pub mod moments;
pub mod pace;
pub mod partials;
pub mod phase;
pub mod plan;
pub mod rulings;
pub mod sequences;
pub mod theme;
pub mod worst;

use crate::game::cube::CubeEquities;
use crate::game::{Equity, Mpt};
use crate::tables::facts::{CandidateRow, DecisionRow};
use decision::{Decision, Setting, Statistics, Turn};
use thiserror::Error;

/// The thresholds a user may set lie in these bounds: below 1 mpt nothing is an error, beyond 10 000 everything else is.
const THRESHOLDS: std::ops::RangeInclusive<i64> = 1..=10_000;

/// What a user may choose about rating. Everything else is definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// A counted decision is an error from here on, inclusive.
    pub error: Mpt,
    /// And a blunder from here on; at least [`Rules::error`].
    pub blunder: Mpt,
    /// Which plays are forced.
    pub forced: ForcedRule,
}

/// Who says that a play is forced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForcedRule {
    /// Derived from the legal plays and the candidates: the same for every format.
    #[default]
    Derived,
    /// XG's own flag where the file has it, else derived.
    Xg,
}

/// Why two thresholds are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RulesFault {
    /// A threshold that is no threshold.
    #[error("threshold of {0} mpt outside 1 to 10000")]
    Bounds(i64),
    /// Blunders would be no errors.
    #[error("blunders from {blunder} mpt but errors from {error} mpt only")]
    Order {
        /// Error threshold asked for.
        error: i64,
        /// Blunder threshold asked for.
        blunder: i64,
    },
}

impl Rules {
    /// # Errors
    /// [`RulesFault`] when a threshold is out of bounds or the blunder threshold below the error threshold.
    pub fn new(error: Mpt, blunder: Mpt, forced: ForcedRule) -> Result<Self, RulesFault> {
        if let Some(wrong) = [error, blunder].into_iter().find(|mpt| !THRESHOLDS.contains(&mpt.0)) {
            return Err(RulesFault::Bounds(wrong.0));
        }
        if blunder < error {
            return Err(RulesFault::Order { error: error.0, blunder: blunder.0 });
        }
        Ok(Self { error, blunder, forced })
    }
}

impl Default for Rules {
    /// The product's own: errors from 0.050, blunders from 0.100, forced derived.
    fn default() -> Self {
        Self { error: Mpt(50), blunder: Mpt(100), forced: ForcedRule::Derived }
    }
}

/// Fills every rated column of whole matches, and overwrites what stood there.
///
/// `decisions` are sorted as stored (match, game, order), one analysis per match; `candidates`, those of the same
/// decisions and perhaps of others, by (`decision_id`, `rank`).
pub fn rate(decisions: &mut [DecisionRow], candidates: &[CandidateRow], rules: &Rules) {
    let mut candidates = Options::new(candidates);
    for of_match in decisions.chunk_by_mut(|a, b| a.match_id == b.match_id) {
        let statistics = Statistics::of(of_match);
        let mut last_beaver = None;
        for row in of_match {
            let turn = if row.beaver && last_beaver == Some(row.game) { Turn::AfterBeaver } else { Turn::Ordinary };
            last_beaver = row.beaver.then_some(row.game);
            let options = candidates.of(&row.decision_id);
            let rating = Decision::read(row, options, Setting { statistics, turn }).rate(rules);
            rating.store(row);
        }
    }
}

/// Candidates in the order of their ids, handed out decision by decision.
struct Options<'a> {
    candidates: &'a [CandidateRow],
    /// Where those of the next decision begin, if it has any.
    next: usize,
}

impl<'a> Options<'a> {
    const fn new(candidates: &'a [CandidateRow]) -> Self {
        Self { candidates, next: 0 }
    }

    /// The candidates of one decision. They stand where the last ended; only the order of ten thousand decisions is not
    /// that of their ids as text, and then they are searched.
    fn of(&mut self, decision_id: &str) -> &'a [CandidateRow] {
        let id = |at: usize| self.candidates.get(at).map(|row| row.decision_id.as_str());
        let before = self.next.checked_sub(1).and_then(id);
        if before.is_some_and(|before| before >= decision_id) || id(self.next).is_some_and(|next| next < decision_id) {
            self.next = self.candidates.partition_point(|row| row.decision_id.as_str() < decision_id);
        }
        let rest = &self.candidates[self.next..];
        let count = rest.iter().take_while(|row| row.decision_id == decision_id).count();
        self.next += count;
        &rest[..count]
    }
}

/// The equities of a cube decision; `None` where the file has no such analysis.
fn cube_equities(row: &DecisionRow) -> Option<CubeEquities> {
    let [nd, dt, dp] = [row.nd?, row.dt?, row.dp?].map(Equity::from_units);
    Some(CubeEquities { nd, dt, dp })
}
