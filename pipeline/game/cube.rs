//! The doubling cube as the decider sees it: value, owner, who may turn it, and what is right.

use super::{Equity, Regime, Score};
use serde::{Deserialize, Serialize};

/// Who may turn the cube next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Owner {
    /// Either player.
    Centred,
    /// The decider.
    Own,
    /// His opponent.
    Opponent,
}

impl Owner {
    /// The same owner seen by the other player.
    #[must_use]
    pub const fn mirror(self) -> Self {
        match self {
            Self::Centred => Self::Centred,
            Self::Own => Self::Opponent,
            Self::Opponent => Self::Own,
        }
    }

    /// The letter in a position key, and the stored token: `c`, `m`, `o`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Centred => 'c',
            Self::Own => 'm',
            Self::Opponent => 'o',
        }
    }

    /// Reads [`Owner::letter`].
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        [Self::Centred, Self::Own, Self::Opponent].into_iter().find(|owner| owner.letter() == letter)
    }
}

/// The cube before the action it is stored with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cube {
    /// log2 of the value.
    pub log2: u8,
    /// Who may turn it, seen from the decider.
    pub owner: Owner,
}

/// The largest cube that is read: 2^30 still fits every sum.
pub const LARGEST_LOG2: u8 = 30;

impl Cube {
    /// At the start of a game.
    pub const CENTRED: Self = Self { log2: 0, owner: Owner::Centred };

    /// 1, 2, 4, ...
    #[must_use]
    pub const fn value(self) -> u32 {
        1 << if self.log2 > LARGEST_LOG2 { LARGEST_LOG2 } else { self.log2 }
    }

    /// The same cube seen by the other player.
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self { log2: self.log2, owner: self.owner.mirror() }
    }

    /// Whether the decider may double here by score and cube (`met.md` 5.3, rules 1 to 4). That it is not the first
    /// turn of the game, and that the game has a cube at all, is the caller's to know (rules 5 and 6).
    #[must_use]
    pub fn may_be_turned(self, score: Score) -> bool {
        let reachable = self.owner != Owner::Opponent;
        match score.regime {
            Regime::Money => reachable,
            Regime::Crawford => false,
            Regime::Normal | Regime::PostCrawford => reachable && score.own_away > self.value(),
        }
    }
}

/// The three equities of a cube decision, from the doubler's side, normalised to the cube before the double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CubeEquities {
    /// No double.
    pub nd: Equity,
    /// Double, take.
    pub dt: Equity,
    /// Double, pass: +1 by construction, kept as a figure because files state it.
    pub dp: Equity,
}

/// What is right in a cube position (`classifiers.md` 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BestAction {
    /// Not good enough to double.
    NoDouble,
    /// Double, and the opponent takes.
    DoubleTake,
    /// Double, and the opponent passes.
    DoublePass,
    /// Playing on is worth more than cashing.
    TooGood,
}

impl BestAction {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::NoDouble => "no_double",
            Self::DoubleTake => "double_take",
            Self::DoublePass => "double_pass",
            Self::TooGood => "too_good",
        }
    }
}

impl CubeEquities {
    /// The value of doubling: the opponent chooses the smaller.
    #[must_use]
    pub fn doubled(self) -> Equity {
        self.dt.min(self.dp)
    }

    /// The best the holder can reach.
    #[must_use]
    pub fn best(self) -> Equity {
        self.nd.max(self.doubled())
    }

    /// Decided from differences rounded to the mpt, never from a label.
    #[must_use]
    pub fn best_action(self) -> BestAction {
        let exceeds = |a: Equity, b: Equity| (a - b).mpt().0 > 0;
        if exceeds(self.doubled(), self.nd) {
            return if exceeds(self.dt, self.dp) { BestAction::DoublePass } else { BestAction::DoubleTake };
        }
        if exceeds(self.dt, self.dp) && exceeds(self.nd, self.dp) { BestAction::TooGood } else { BestAction::NoDouble }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_action_follows_the_equities() {
        let best = |nd, dt| {
            CubeEquities { nd: Equity::from_units(nd), dt: Equity::from_units(dt), dp: Equity::ONE }.best_action()
        };
        assert_eq!(best(50_000_000, 70_000_000), BestAction::DoubleTake);
        assert_eq!(best(90_000_000, 120_000_000), BestAction::DoublePass);
        assert_eq!(best(110_000_000, 130_000_000), BestAction::TooGood);
        assert_eq!(best(70_000_000, 60_000_000), BestAction::NoDouble);
        assert_eq!(best(100_000_000, 130_000_000), BestAction::NoDouble);
    }
}
