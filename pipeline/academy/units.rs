//! The three scales of the Academy as whole numbers.
//!
//! A [`Value`] is an expected result, 0 (loss) … 1 (win), in billionths; an [`Elo`] is in millionths of a point; a
//! [`Cost`] is in billionths of the adapter's unit. None of them can hold a number outside its range, so sums over
//! them cannot overflow 128 bits.

use serde::{Deserialize, Serialize};

/// Units of a [`Value`] or a [`Cost`] in one whole: 1e9.
pub const VALUE_SCALE: i64 = 1_000_000_000;
/// Units of an [`Elo`] in one point: 1e6.
pub const ELO_SCALE: i64 = 1_000_000;
/// No rating list goes near it; a file that says more is damaged.
pub const ELO_BOUND: i64 = 100_000 * ELO_SCALE;

/// Expected result for one player, 0 … 1, in billionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Value(i64);

impl Value {
    /// A lost position.
    pub const LOSS: Self = Self(0);
    /// An even or drawn one.
    pub const HALF: Self = Self(VALUE_SCALE / 2);
    /// A won position.
    pub const WIN: Self = Self(VALUE_SCALE);

    /// From billionths; `None` outside 0 … 1e9.
    #[must_use]
    pub fn from_billionths(billionths: i64) -> Option<Self> {
        (0..=VALUE_SCALE).contains(&billionths).then_some(Self(billionths))
    }

    /// From a number 0 … 1, rounded half away from zero; `None` outside or not a number.
    #[must_use]
    pub fn from_share(share: f64) -> Option<Self> {
        if !(0.0..=1.0).contains(&share) {
            return None;
        }
        scaled(share, VALUE_SCALE).and_then(Self::from_billionths)
    }

    /// Billionths, 0 … 1e9.
    #[must_use]
    pub const fn billionths(self) -> i64 {
        self.0
    }

    /// The same position seen by the other player.
    #[must_use]
    pub const fn other(self) -> Self {
        Self(VALUE_SCALE - self.0)
    }
}

/// A rating, in millionths of a point; may be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Elo(i64);

impl Elo {
    /// The source's random player.
    pub const ZERO: Self = Self(0);

    /// From millionths; `None` beyond [`ELO_BOUND`] either way.
    #[must_use]
    pub fn from_millionths(millionths: i64) -> Option<Self> {
        (-ELO_BOUND..=ELO_BOUND).contains(&millionths).then_some(Self(millionths))
    }

    /// From points, rounded half away from zero; `None` when not finite or beyond [`ELO_BOUND`].
    #[must_use]
    pub fn from_points(points: f64) -> Option<Self> {
        scaled(points, ELO_SCALE).and_then(Self::from_millionths)
    }

    /// Millionths of a point.
    #[must_use]
    pub const fn millionths(self) -> i64 {
        self.0
    }

    /// Points, for printing and for the rating formulas.
    #[must_use]
    pub fn points(self) -> f64 {
        self.0 as f64 / ELO_SCALE as f64
    }
}

/// What a play lost against the best one, in billionths of the adapter's unit; never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "i64", into = "i64")]
pub struct Cost(i64);

impl Cost {
    /// From billionths. A negative cost (an alternative evaluated less deeply than the best) counts as 0.
    #[must_use]
    pub fn from_billionths(billionths: i64) -> Self {
        Self(billionths.max(0))
    }

    /// Billionths of the adapter's unit.
    #[must_use]
    pub const fn billionths(self) -> i64 {
        self.0
    }
}

/// Rounds half away from zero; `None` when the value is not finite or leaves the exact range of an `i64`.
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

impl TryFrom<i64> for Value {
    type Error = &'static str;
    fn try_from(billionths: i64) -> Result<Self, Self::Error> {
        Self::from_billionths(billionths).ok_or("value outside 0..1")
    }
}

impl From<Value> for i64 {
    fn from(value: Value) -> Self {
        value.0
    }
}

impl TryFrom<i64> for Elo {
    type Error = &'static str;
    fn try_from(millionths: i64) -> Result<Self, Self::Error> {
        Self::from_millionths(millionths).ok_or("Elo out of range")
    }
}

impl From<Elo> for i64 {
    fn from(elo: Elo) -> Self {
        elo.0
    }
}

impl From<i64> for Cost {
    fn from(billionths: i64) -> Self {
        Self::from_billionths(billionths)
    }
}

impl From<Cost> for i64 {
    fn from(cost: Cost) -> Self {
        cost.0
    }
}
