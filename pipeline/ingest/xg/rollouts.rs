//! The rollouts of `temp.xgr`: how many games, and how sure.
//!
//! The equities of a rolled-out figure already stand in its own record, in the usual view; from here come only trials
//! and standard error. XG states 95 % confidence, which is 1.96 standard errors.

use super::fields::Fields;
use crate::game::Equity;

const SIZE: usize = 2184;
/// Half the width of a 95 % interval, in standard errors.
const CONFIDENCE: f64 = 1.96;

/// The member's bytes.
#[derive(Clone, Copy)]
pub(super) struct Rollouts<'a>(pub(super) &'a [u8]);

/// Which of the two lines of a rollout.
#[derive(Clone, Copy)]
pub(super) enum Line {
    /// A candidate, or no double.
    First,
    /// Double, take.
    Second,
}

/// How well a figure is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Precision {
    pub(super) trials: Option<i64>,
    pub(super) std_error: Option<Equity>,
}

impl Rollouts<'_> {
    /// What record `index` says about a line; nothing when there is no such record or the line was not rolled.
    pub(super) fn precision(self, index: i32, line: Line) -> Precision {
        let start = usize::try_from(index).ok().and_then(|index| index.checked_mul(SIZE));
        let Some(record) = start.and_then(|start| self.0.get(start..start.checked_add(SIZE)?)) else {
            return Precision::default();
        };
        let (games, confidence) = match line {
            Line::First => (84, 2020),
            Line::Second => (2140, 2024),
        };
        let trials = Fields(record).i32(games);
        if trials <= 0 {
            return Precision::default();
        }
        let std_error =
            Equity::from_f64(Fields(record).f32(confidence) / CONFIDENCE).filter(|error| *error > Equity::ZERO);
        Precision { trials: Some(i64::from(trials)), std_error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_past_the_end_and_a_line_not_rolled_say_nothing() {
        let mut bytes = vec![0; 2 * SIZE];
        bytes[SIZE + 84..SIZE + 88].copy_from_slice(&1296i32.to_le_bytes());
        bytes[SIZE + 2020..SIZE + 2024].copy_from_slice(&0.0098f32.to_le_bytes());
        let rollouts = Rollouts(&bytes);
        let known = Precision { trials: Some(1296), std_error: Some(Equity::from_units(500_000)) };
        assert_eq!(rollouts.precision(1, Line::First), known);
        assert_eq!(rollouts.precision(1, Line::Second), Precision::default());
        for index in [-1, 0, 2, i32::MAX, i32::MIN] {
            assert_eq!(rollouts.precision(index, Line::First), Precision::default(), "{index}");
        }
    }
}
