//! Phase of a game: how far a board is from its start and from its end (`classifiers.md` 2).
//!
//! It depends on the board only, and is the same from either side.

use crate::game::Board;

/// Checkers a side may have away from its starting points in an opening.
const OPENING_AWAY: u8 = 4;

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// All thirty checkers in play, and each side still near its start.
    Opening,
    /// In between.
    Middlegame,
    /// No contact, somebody not home yet.
    Race,
    /// No contact, everybody home.
    Bearoff,
}

impl Phase {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Race => "race",
            Self::Bearoff => "bearoff",
        }
    }
}

/// Phase of a board, seen from either side.
#[must_use]
pub fn phase(board: &Board) -> Phase {
    if board.no_contact() {
        let home = board.rearmost() <= 6 && board.opponent_rearmost() >= 19;
        return if home { Phase::Bearoff } else { Phase::Race };
    }
    if near_start(board) && near_start(&board.mirror()) { Phase::Opening } else { Phase::Middlegame }
}

/// All fifteen of the mover's checkers on points, at most four of them away from where they began.
fn near_start(board: &Board) -> bool {
    let missing = |(&start, &present): (&i8, &i8)| (start.max(0) - present.max(0)).max(0).unsigned_abs();
    let away: u8 = Board::START.cells().iter().zip(board.cells()).map(missing).sum();
    board.borne_off() == 0 && board.cells()[25] == 0 && away <= OPENING_AWAY
}
