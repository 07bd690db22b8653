//! The same figures as eXtreme Gammon prints them: unrounded errors, XG's own "does not count" flag
//! (`metrics.md` 3.5 and 4; the XG format page, 11.1).
//!
//! They exist for parity with the program the file comes from, and only where it does come from it: a file of another
//! format, or one our own tests wrote, has nobody's print to agree with.

use super::loss::MWC;
use super::sums::{ByNature, Nature, Split};
use crate::game::Length;
use crate::game::units::EQUITY_SCALE;

/// PR per equity lost per decision.
const PER_EQUITY: f64 = 500.0;

/// XG's statistics of one side of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Printed {
    /// PR; absent without a decision.
    pub pr: Option<f64>,
    /// Decisions.
    pub decisions: i64,
    /// Checker plays, doubles and no doubles, takes and passes among them.
    pub by_nature: [i64; 3],
    /// Equity errors.
    pub errors: Split,
    /// Losses as a fraction of a match; points matches only.
    pub losses: Split,
}

/// From sums of a match of this length.
#[must_use]
pub fn printed(sums: &ByNature, length: Length) -> Printed {
    let total = sums.total();
    let equity = EQUITY_SCALE as f64;
    let priced = if matches!(length, Length::Points(_)) { total.xg_counted } else { 0 };
    let errors = Split::of(sums.map(|s| s.xg_e_raw), total.xg_counted, equity);
    Printed {
        pr: errors.total.map(|sum| PER_EQUITY * sum / total.xg_counted as f64),
        decisions: total.xg_counted,
        by_nature: Nature::ALL.map(|nature| sums.of(nature).xg_counted),
        errors,
        losses: Split::of(sums.map(|s| s.xg_loss), priced, MWC),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::near;
    use crate::measure::sums::Sums;

    /// A match XG shows as PR 3.13 over 156 decisions, equity error 0.976 (0.894 / 0.037 / 0.045).
    fn shown() -> ByNature {
        let mut sums = ByNature::default();
        for (nature, xg_counted, xg_e_raw) in
            [(Nature::Checker, 138, 89_400_000), (Nature::Double, 16, 3_700_000), (Nature::Take, 2, 4_500_000)]
        {
            sums.add(nature, &Sums { xg_counted, xg_e_raw, xg_loss: xg_counted, ..Sums::default() });
        }
        sums
    }

    #[test]
    fn the_print_of_xg() -> Result<(), String> {
        let got = printed(&shown(), Length::Points(7));
        near(got.pr.ok_or("absent")?, 3.13, 0.005)?;
        assert_eq!((got.decisions, got.by_nature), (156, [138, 16, 2]));
        near(got.errors.total.ok_or("absent")?, 0.976, 1e-9)?;
        near(got.losses.total.ok_or("absent")?, 156e-9, 1e-15)
    }

    #[test]
    fn money_has_no_loss_and_no_analysis_no_pr() {
        assert_eq!(printed(&shown(), Length::Money).losses, Split::default());
        assert_eq!(printed(&ByNature::default(), Length::Points(7)), Printed::default());
    }
}
