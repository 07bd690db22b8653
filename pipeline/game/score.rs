//! Match length, regime of a game, and the score as the decider sees it (`met.md` 2).

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One of the two seats of a file; what a seat is called and who sits there is the file's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Seat {
    /// The first player of the file.
    First,
    /// The second.
    Second,
}

impl Seat {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// 0 or 1.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// What is played for. An enumeration, never a sentinel number that could pass for a length (`metrics.md` 1.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Length {
    /// Money play: no match equity.
    Money,
    /// A match of 1 to 64 points.
    Points(u8),
    /// A match of more than 64 points: errors exist, match winning chances do not.
    TooLong(u32),
}

/// The longest match the equity table covers.
pub const LONGEST: u32 = 64;

impl Length {
    /// 0 = money.
    #[must_use]
    pub fn from_points(points: u32) -> Self {
        match u8::try_from(points) {
            Ok(0) => Self::Money,
            Ok(points) if u32::from(points) <= LONGEST => Self::Points(points),
            _ => Self::TooLong(points),
        }
    }

    /// 0 = money.
    #[must_use]
    pub fn points(self) -> u32 {
        match self {
            Self::Money => 0,
            Self::Points(points) => u32::from(points),
            Self::TooLong(points) => points,
        }
    }

    /// `points`, `money` or `too_long`: the stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Points(_) => "points",
            Self::TooLong(_) => "too_long",
        }
    }
}

/// Regime of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Regime {
    /// No match score.
    Money,
    /// Neither player is at 1-away.
    Normal,
    /// The first game begun with a player at 1-away: no doubling.
    Crawford,
    /// A later game with a player at 1-away.
    PostCrawford,
}

impl Regime {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Normal => "normal",
            Self::Crawford => "crawford",
            Self::PostCrawford => "post_crawford",
        }
    }

    /// Reads [`Regime::token`].
    #[must_use]
    pub fn from_token(token: &str) -> Option<Self> {
        [Self::Money, Self::Normal, Self::Crawford, Self::PostCrawford].into_iter().find(|r| r.token() == token)
    }

    /// The letter in a position key.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Money => '$',
            Self::Normal => 'n',
            Self::Crawford => 'c',
            Self::PostCrawford => 'p',
        }
    }

    /// Reads [`Regime::letter`].
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        [Self::Money, Self::Normal, Self::Crawford, Self::PostCrawford].into_iter().find(|r| r.letter() == letter)
    }
}

/// Why a score does not fit its match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("score {points} of a match to {length}")]
pub struct ScoreFault {
    /// Points of the seat that does not fit.
    pub points: i64,
    /// Match length.
    pub length: u32,
}

/// The score before a game, as the decider sees it: points both still need, and the regime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Score {
    /// Regime of the game, in normal form (`met.md` 2: 1-away/1-away is Crawford in a 1-point match and
    /// post-Crawford in a longer one, whatever the file says).
    pub regime: Regime,
    /// Points the decider needs; 0 in money play.
    pub own_away: u32,
    /// Points the opponent needs; 0 in money play.
    pub opponent_away: u32,
}

impl Score {
    /// Money play.
    pub const MONEY: Self = Self { regime: Regime::Money, own_away: 0, opponent_away: 0 };

    /// The score of a game, seen by the player whose points come first.
    ///
    /// # Errors
    /// [`ScoreFault`] when a score is negative or reaches the length before the game.
    pub fn at(length: Length, points: [i64; 2], crawford_game: bool) -> Result<Self, ScoreFault> {
        if length == Length::Money {
            return Ok(Self::MONEY);
        }
        let away = |points: i64| {
            u32::try_from(i64::from(length.points()) - points)
                .ok()
                .filter(|&away| points >= 0 && away > 0)
                .ok_or(ScoreFault { points, length: length.points() })
        };
        let [own_away, opponent_away] = [away(points[0])?, away(points[1])?];
        let regime = match (own_away, opponent_away) {
            (1, 1) if length.points() == 1 => Regime::Crawford,
            (1, 1) => Regime::PostCrawford,
            (1, _) | (_, 1) if crawford_game => Regime::Crawford,
            (1, _) | (_, 1) => Regime::PostCrawford,
            _ => Regime::Normal,
        };
        Ok(Self { regime, own_away, opponent_away })
    }

    /// Whether regime and away scores can stand together: money needs nothing, and a match is out of the normal regime
    /// exactly when somebody is at 1-away.
    #[must_use]
    pub const fn is_sound(self) -> bool {
        let (own, opponent) = (self.own_away, self.opponent_away);
        match self.regime {
            Regime::Money => own == 0 && opponent == 0,
            Regime::Normal => own > 1 && opponent > 1,
            Regime::Crawford | Regime::PostCrawford => own > 0 && opponent > 0 && (own == 1 || opponent == 1),
        }
    }

    /// The same score seen by the opponent.
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self { regime: self.regime, own_away: self.opponent_away, opponent_away: self.own_away }
    }
}
