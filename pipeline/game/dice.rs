//! A roll of two dice; unordered, so that `31` and `13` are one roll.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A number that is no roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} is no roll of two dice")]
pub struct DiceFault(pub u8);

/// Two dice, the larger first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Dice {
    high: u8,
    low: u8,
}

impl Dice {
    /// `None` unless both dice are 1 to 6.
    #[must_use]
    pub const fn new(a: u8, b: u8) -> Option<Self> {
        if a < 1 || a > 6 || b < 1 || b > 6 {
            return None;
        }
        Some(if a >= b { Self { high: a, low: b } } else { Self { high: b, low: a } })
    }

    /// The larger die.
    #[must_use]
    pub const fn high(self) -> u8 {
        self.high
    }

    /// The smaller die.
    #[must_use]
    pub const fn low(self) -> u8 {
        self.low
    }

    /// Both dice alike.
    #[must_use]
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }

    /// Two digits, the larger first, as a number: 31, 66.
    #[must_use]
    pub const fn digits(self) -> u8 {
        self.high * 10 + self.low
    }

    /// From two digits in either order.
    #[must_use]
    pub const fn from_digits(digits: u8) -> Option<Self> {
        Self::new(digits / 10, digits % 10)
    }

    /// The 21 rolls, smallest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=6).flat_map(|high| (1..=high).map(move |low| Self { high, low }))
    }
}

impl TryFrom<u8> for Dice {
    type Error = DiceFault;
    fn try_from(digits: u8) -> Result<Self, DiceFault> {
        Self::from_digits(digits).ok_or(DiceFault(digits))
    }
}

impl From<Dice> for u8 {
    fn from(dice: Dice) -> Self {
        dice.digits()
    }
}

impl std::fmt::Display for Dice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.digits())
    }
}
