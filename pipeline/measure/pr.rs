//! PR: what is my level, on everybody's scale? (`metrics.md` 4)
//!
//! 500 × errors / counted decisions; lower is better. PR of several matches is made of pooled sums, never of PRs, and
//! without a counted decision there is none: not 0, which would be a perfect player's.

use super::interval::{CountUnit, Estimate, Quantile, Spread};

/// PR per thousandth of an equity lost per decision: 500 × 0.001.
const PER_MPT: f64 = 0.5;

/// PR over units of (mpt, counted decisions): the games of one match, or the matches of a set.
#[must_use]
pub fn performance_rating(units: &[CountUnit], quantile: Quantile) -> Option<Estimate> {
    pooled(&units.iter().copied().collect(), quantile)
}

/// PR over units that were added up already.
#[must_use]
pub fn pooled(units: &Spread, quantile: Quantile) -> Option<Estimate> {
    Some(units.ratio(quantile)?.scaled(PER_MPT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::near;

    fn value(units: &[(i64, i64)]) -> Option<f64> {
        let units: Vec<CountUnit> = units.iter().map(|&(amount, size)| CountUnit { amount, size }).collect();
        performance_rating(&units, Quantile::Normal).map(|estimate| estimate.value)
    }

    #[test]
    fn examples_of_the_definition() -> Result<(), String> {
        near(value(&[(170, 5)]).ok_or("absent")?, 17.0, 1e-12)?;
        near(value(&[(565, 9)]).ok_or("absent")?, 31.388_889, 1e-6)?;
        near(value(&[(172, 6)]).ok_or("absent")?, 14.333_333, 1e-6)?;
        near(value(&[(565, 9), (172, 6)]).ok_or("absent")?, 24.566_667, 1e-6)
    }

    #[test]
    fn no_decision_is_no_level() {
        assert_eq!(value(&[]), None);
        assert_eq!(value(&[(0, 0)]), None);
        assert_eq!(value(&[(0, 1)]), Some(0.0));
    }
}
