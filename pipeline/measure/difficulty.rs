//! Difficulty: was this error forgivable? (`metrics.md` 8)
//!
//! The difficulty of a decision is what the reference player would lose there on average; `rate` computes it. Here its
//! sums become the excess (signed: what I lost beyond him) and the ratio (2 = I lose twice as much). Both are over the
//! same decisions, those that have a loss and a difficulty.

use super::loss::MWC;
use super::sums::Sums;

/// Σd under which no ratio is told: half a percent of a match (in 1e-9). Less is a quotient of next to nothing.
const LEAST_DIFFICULTY: i64 = 5_000_000;

/// What the positions asked and what the player gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difficulty {
    /// Σd, fraction of a match.
    pub difficulty: f64,
    /// Σ(ℓ − d), signed.
    pub excess: f64,
    /// Σℓ / Σd; absent where Σd is under half a percent.
    pub ratio: Option<f64>,
}

/// `None` when no decision has both.
#[must_use]
pub fn difficulty(sums: &Sums) -> Option<Difficulty> {
    if sums.both == 0 {
        return None;
    }
    Some(Difficulty {
        difficulty: sums.difficulty as f64 / MWC,
        excess: (sums.both_loss - sums.difficulty) as f64 / MWC,
        ratio: (sums.difficulty >= LEAST_DIFFICULTY).then(|| sums.both_loss as f64 / sums.difficulty as f64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::near;

    fn of(both: i64, both_loss: i64, total: i64) -> Option<Difficulty> {
        difficulty(&Sums { both, both_loss, difficulty: total, ..Sums::default() })
    }

    #[test]
    fn m7() -> Result<(), String> {
        let a = of(9, 104_376_025, 5_225_669).ok_or("absent")?;
        near(a.difficulty, 0.005_225_669, 1e-12)?;
        near(a.excess, 0.099_150_356, 1e-12)?;
        near(a.ratio.ok_or("no ratio")?, 19.973_714, 19.973_714e-6)?;
        let b = of(6, 16_053_520, 3_685_364).ok_or("absent")?;
        near(b.excess, 0.012_368_156, 1e-12)?;
        assert_eq!(b.ratio, None);
        Ok(())
    }

    #[test]
    fn the_ratio_begins_at_half_a_percent_and_the_excess_is_signed() -> Result<(), String> {
        assert_eq!(of(0, 0, 0), None);
        assert_eq!(of(1, 1, 4_999_999).and_then(|d| d.ratio), None);
        near(of(1, 2_500_000, 5_000_000).and_then(|d| d.ratio).ok_or("no ratio")?, 0.5, 1e-12)?;
        near(of(1, 2_500_000, 5_000_000).ok_or("absent")?.excess, -0.002_5, 1e-12)
    }
}
