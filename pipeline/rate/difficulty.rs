//! How hard a decision was: what a reference player loses on it on average (`metrics.md` 8).
//!
//! The reference player chooses among the options with weights that fall with their cost, so two options at the same
//! value are easy, and so is one that stands alone; hard is what lies some hundredths apart.

use crate::game::met::Factor;
use crate::game::{Equity, Mwc};

/// The cost at which the reference player's weight falls to 1/e, in EMG: 0.025. It was fixed before any result was
/// looked at and is no setting.
const TAU: f64 = 0.025;

/// An error is avoidable when the reference player loses at most a tenth of it.
const AVOIDABLE_RATIO: i64 = 10;

/// Mean loss of the reference player over options with these costs (not rounded; those below 0 count 0), in match
/// winning chances. `None` with fewer than two options: there was nothing to choose between.
#[must_use]
pub fn difficulty(costs: &[Equity], factor: Factor) -> Option<Mwc> {
    if costs.len() < 2 {
        return None;
    }
    let (mut weights, mut weighted) = (0.0, 0.0);
    for cost in costs {
        let cost = cost.to_f64().max(0.0);
        let weight = libm::exp(-cost / TAU);
        weights += weight;
        weighted += weight * cost;
    }
    Mwc::from_f64(factor.k() * (weighted / weights))
}

/// Whether an error with this loss was avoidable, on the stored integers.
#[must_use]
pub const fn is_avoidable(loss: Mwc, difficulty: Mwc) -> bool {
    loss.units() > 0 && difficulty.units().saturating_mul(AVOIDABLE_RATIO) <= loss.units()
}
