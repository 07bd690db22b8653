//! Loss: which decisions cost me this match? (`metrics.md` 6)
//!
//! A loss is match winning chances: the error at its score and cube. Money play and matches past the equity table have
//! none, which is not a loss of 0; a player without a priced decision has none either.

use super::sums::{ByNature, Split};

/// Stored units of winning chances in one match.
pub(super) const MWC: f64 = crate::game::units::MWC_SCALE as f64;

/// Σℓ over the counted decisions that have a price, whole and by nature, as a fraction of a match.
#[must_use]
pub fn losses(sums: &ByNature) -> Split {
    Split::of(sums.map(|s| s.loss), sums.total().priced, MWC)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::sums::{Nature, Sums};

    #[test]
    fn a_nature_without_decisions_lost_nothing_and_a_player_without_prices_has_no_loss() {
        let mut sums = ByNature::default();
        assert_eq!(losses(&sums), Split::default());
        sums.add(Nature::Checker, &Sums { priced: 2, loss: 104_376_025, ..Sums::default() });
        let split = losses(&sums);
        assert_eq!((split.total, split.checker), (Some(0.104_376_025), Some(0.104_376_025)));
        assert_eq!((split.double, split.take), (Some(0.0), Some(0.0)));
    }
}
