//! Units as types, and the one place where they turn into each other.
//!
//! Everything that is stored or summed is a whole number: equities, luck and probabilities in 1e-8, match winning
//! chances in 1e-9, errors also in thousandths of an equity (mpt). Sums of whole numbers are exact in every order and
//! on every engine; floats appear only where a figure is finished.

use serde::{Deserialize, Serialize};

/// Units of an [`Equity`] or a [`Probability`] in one whole: 1e8.
pub const EQUITY_SCALE: i64 = 100_000_000;
/// Units of an [`Mwc`] in one whole match: 1e9.
pub const MWC_SCALE: i64 = 1_000_000_000;
/// No equity of a real position is larger; a file that says so is damaged (`design.md` 4).
pub const EQUITY_BOUND: i64 = 10_000 * EQUITY_SCALE;

/// Rounds half away from zero; `None` when the value is not finite or leaves the exact range of an `i64`.
#[inline]
fn scaled(x: f64, scale: i64) -> Option<i64> {
    /// 2^53: past it an f64 no longer holds every whole number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let scaled = libm::round(x * scale as f64);
    if !scaled.is_finite() || scaled.abs() > EXACT {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked against 2^53 just above")]
    Some(scaled as i64)
}

/// Equity normalised to the cube in force (±1 = its value), in units of 1e-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Equity(i64);

impl Equity {
    /// Nothing gained, nothing lost.
    pub const ZERO: Self = Self(0);
    /// The cube in force, won: also the equity of *double, pass*.
    pub const ONE: Self = Self(EQUITY_SCALE);

    /// From a file's number, rounded once, half away from zero; `None` when not finite or beyond 1e4.
    #[must_use]
    #[inline]
    pub fn from_f64(x: f64) -> Option<Self> {
        scaled(x, EQUITY_SCALE).filter(|units| units.abs() <= EQUITY_BOUND).map(Self)
    }

    /// From stored units of 1e-8.
    #[must_use]
    pub const fn from_units(units: i64) -> Self {
        Self(units)
    }

    /// Stored units of 1e-8.
    #[must_use]
    pub const fn units(self) -> i64 {
        self.0
    }

    /// For finishing a figure.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / EQUITY_SCALE as f64
    }

    /// Rounded to the thousandth, half away from zero, with the guard of 1e-7 that absorbs the noise of decimal
    /// equities: `floor(1000 x + 0.5 + 1e-4)` (`metrics.md` 3.2).
    #[must_use]
    pub const fn mpt(self) -> Mpt {
        let size = (self.0.abs() + 50_010) / 100_000;
        Mpt(if self.0 < 0 { -size } else { size })
    }
}

impl std::ops::Neg for Equity {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl std::ops::Sub for Equity {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl std::ops::Add for Equity {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// Thousandths of an equity, whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Mpt(pub i64);

/// Match winning chances, in units of 1e-9: a level (0..=1e9) or a difference of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Mwc(i64);

impl Mwc {
    /// From a fraction of a match, rounded once, half away from zero; `None` when not finite or beyond one match.
    #[must_use]
    #[inline]
    pub fn from_f64(x: f64) -> Option<Self> {
        scaled(x, MWC_SCALE).filter(|units| units.abs() <= MWC_SCALE).map(Self)
    }

    /// From stored units of 1e-9.
    #[must_use]
    pub const fn from_units(units: i64) -> Self {
        Self(units)
    }

    /// Stored units of 1e-9.
    #[must_use]
    pub const fn units(self) -> i64 {
        self.0
    }

    /// For finishing a figure, as a fraction of a match.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / MWC_SCALE as f64
    }
}

/// A probability, in units of 1e-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Probability(i64);

impl Probability {
    /// From a file's number; `None` when not finite or outside 0..=1 by more than single precision explains.
    #[must_use]
    #[inline]
    pub fn from_f64(x: f64) -> Option<Self> {
        /// A 32-bit float near 1 is known to about 6e-8; files show a little more after sums.
        const NOISE: f64 = 1e-5;
        if !(-NOISE..=1.0 + NOISE).contains(&x) {
            return None;
        }
        scaled(x.clamp(0.0, 1.0), EQUITY_SCALE).map(Self)
    }

    /// From stored units of 1e-8.
    #[must_use]
    pub const fn from_units(units: i64) -> Self {
        Self(units)
    }

    /// Stored units of 1e-8.
    #[must_use]
    pub const fn units(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mpt_rounds_half_away_from_zero_with_the_guard() {
        let mpt = |x: f64| Equity::from_f64(x).map(Equity::mpt);
        assert_eq!(mpt(0.0233), Some(Mpt(23)));
        assert_eq!(mpt(0.1734), Some(Mpt(173)));
        assert_eq!(mpt(0.0205), Some(Mpt(21)));
        assert_eq!(mpt(0.000_499_95), Some(Mpt(1)));
        assert_eq!(mpt(0.000_499_80), Some(Mpt(0)));
        assert_eq!(mpt(-0.0205), Some(Mpt(-21)));
    }

    #[test]
    fn what_is_not_a_number_is_absent() {
        assert_eq!(Equity::from_f64(f64::NAN), None);
        assert_eq!(Equity::from_f64(f64::NEG_INFINITY), None);
        assert_eq!(Equity::from_f64(10_000.1), None);
        assert_eq!(Mwc::from_f64(1.000_1), None);
        assert_eq!(Probability::from_f64(-0.1), None);
        assert_eq!(Probability::from_f64(-1e-7), Some(Probability::from_units(0)));
    }
}
