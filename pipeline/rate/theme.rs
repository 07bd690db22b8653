//! What an error was about (`classifiers.md` 4, version `theme_v2`).
//!
//! A theme is decided from stored figures alone: equities, probabilities, and two counts of the boards after the plays.
//! A rule whose figures are missing does not fit, and the next is tried. Where the sides had already passed each other
//! only the gammon rule may fit: a blot in a race is no fault.

use crate::game::cube::CubeEquities;
use crate::game::{Board, CubeAction, Probability};

/// 3.5 points of gammons: what a whole percent rounds to 4 from.
const GAMMONS_LEFT: i64 = 3_500_000;
/// 2.5 points of wins: what rounds to 3.
const WINS_LEFT: i64 = 2_500_000;
/// Two blots more than the best play are too many; one may be its price.
const BLOTS_TOO_MANY: i16 = 2;

/// The theme of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// Gammons left behind.
    Gammon,
    /// Too many blots.
    Blots,
    /// Home point not made.
    Point,
    /// Too passive.
    Passive,
    /// Missed double.
    OfferMissed,
    /// Premature double, or too good to double.
    OfferPremature,
    /// Wrong take.
    AnswerWrongTake,
    /// Wrong pass.
    AnswerWrongPass,
}

impl Theme {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Gammon => "gammon",
            Self::Blots => "blots",
            Self::Point => "point",
            Self::Passive => "passive",
            Self::OfferMissed => "offer_missed",
            Self::OfferPremature => "offer_premature",
            Self::AnswerWrongTake => "answer_wrong_take",
            Self::AnswerWrongPass => "answer_wrong_pass",
        }
    }
}

/// What a play leaves on the board, mover's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Own points with one checker, bar excluded.
    pub blots: u8,
    /// Own made points among 1 to 6.
    pub home_points: u8,
}

impl Structure {
    /// Of a board after a play, before the opponent's roll, seen from the mover.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        Self { blots: board.blots(), home_points: board.home_points() }
    }
}

/// What a play promises, mover's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    /// Wins of any kind.
    pub win: Probability,
    /// Gammons won, backgammons included.
    pub gammon: Probability,
}

/// A play as the themes see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// `None` where the board after it is not known.
    pub structure: Option<Structure>,
    /// `None` where the analysis gives no probabilities.
    pub chances: Option<Chances>,
}

/// Whether the sides could still hit or block each other before the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// They could.
    Yes,
    /// They had passed.
    No,
}

/// Theme of a checker error; `None` when no rule fits.
#[must_use]
pub fn of_play(best: Outlook, played: Outlook, contact: Contact) -> Option<Theme> {
    let chances = best.chances.zip(played.chances);
    let left = |of: fn(Chances) -> Probability| chances.map(|(best, played)| of(best).units() - of(played).units());
    if left(|chances| chances.gammon).is_some_and(|gammons| gammons >= GAMMONS_LEFT) {
        return Some(Theme::Gammon);
    }
    if contact == Contact::No {
        return None;
    }
    let (best, played) = best.structure.zip(played.structure)?;
    let more_blots = i16::from(played.blots) - i16::from(best.blots);
    if more_blots >= BLOTS_TOO_MANY {
        return Some(Theme::Blots);
    }
    if best.home_points > played.home_points {
        return Some(Theme::Point);
    }
    let wins_left = left(|chances| chances.win).is_some_and(|wins| wins >= WINS_LEFT);
    (more_blots < 0 && wins_left).then_some(Theme::Passive)
}

/// Theme of a cube error, from the equities, never from a label; `None` when the action was right.
#[must_use]
pub fn of_action(action: CubeAction, cube: CubeEquities) -> Option<Theme> {
    let (wrong, theme) = match action {
        CubeAction::NoDouble => (cube.doubled() > cube.nd, Theme::OfferMissed),
        CubeAction::Double => (cube.nd > cube.doubled(), Theme::OfferPremature),
        CubeAction::Take => (cube.dt > cube.dp, Theme::AnswerWrongTake),
        CubeAction::Pass => (cube.dt < cube.dp, Theme::AnswerWrongPass),
    };
    wrong.then_some(theme)
}
