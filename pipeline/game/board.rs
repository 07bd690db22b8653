//! The board, seen from the player who decides (*the mover*).
//!
//! 26 cells: 1..=24 the points in the mover's numbering (he moves from 24 down to 1), 25 his bar, 0 the opponent's bar.
//! Positive = the mover's checkers, negative = the opponent's (`classifiers.md` 1). A [`Board`] can only be built from
//! cells that can stand on a table, so nothing later checks again.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Checkers a side has.
pub const CHECKERS: u8 = 15;

/// Why 26 cells are not a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BoardFault {
    /// More than fifteen checkers of one side.
    #[error("more than 15 checkers a side")]
    TooMany,
    /// An opponent's checker on the mover's bar, or the reverse.
    #[error("a checker on the other side's bar")]
    WrongBar,
    /// The text form has another length than 26 or a character outside `-A-Oa-o`.
    #[error("not a board of 26 characters")]
    Text,
}

/// A position of the checkers, seen from the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Board([i8; 26]);

impl Board {
    /// The start of a game; its own mirror.
    pub const START: Self = Self([0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]);

    /// Checks counts and bars.
    ///
    /// # Errors
    /// [`BoardFault`] when a side has more than fifteen checkers or stands on the other's bar.
    #[inline]
    pub fn new(cells: [i8; 26]) -> Result<Self, BoardFault> {
        if cells[25] < 0 || cells[0] > 0 {
            return Err(BoardFault::WrongBar);
        }
        let (own, other) = cells.iter().fold((0u32, 0u32), |(own, other), &cell| {
            let size = u32::from(cell.unsigned_abs());
            if cell > 0 { (own + size, other) } else { (own, other + size) }
        });
        if own > u32::from(CHECKERS) || other > u32::from(CHECKERS) {
            return Err(BoardFault::TooMany);
        }
        Ok(Self(cells))
    }

    /// For the play generator, which only moves checkers that are there.
    pub(super) const fn from_trusted(cells: [i8; 26]) -> Self {
        Self(cells)
    }

    /// The 26 cells.
    #[must_use]
    pub const fn cells(&self) -> &[i8; 26] {
        &self.0
    }

    /// The same position seen from the other side: `b'[i] = -b[25 - i]`.
    #[must_use]
    #[inline]
    pub fn mirror(&self) -> Self {
        let mut cells = [0; 26];
        for (to, from) in cells.iter_mut().zip(self.0.iter().rev()) {
            *to = -*from;
        }
        Self(cells)
    }

    /// The mover's checkers on the board, bar included.
    #[must_use]
    pub fn on_board(&self) -> u8 {
        self.0.iter().filter(|&&cell| cell > 0).map(|cell| cell.unsigned_abs()).sum()
    }

    /// The mover's checkers borne off.
    #[must_use]
    pub fn borne_off(&self) -> u8 {
        CHECKERS - self.on_board()
    }

    /// The mover's pip count; a checker on the bar counts 25.
    #[must_use]
    pub fn pips(&self) -> u32 {
        (0u32..).zip(self.0).filter(|&(_, cell)| cell > 0).map(|(i, cell)| i * u32::from(cell.unsigned_abs())).sum()
    }

    /// The mover's rearmost cell: 25 on the bar, 0 with no checker left.
    #[must_use]
    #[inline]
    pub fn rearmost(&self) -> u8 {
        (0u8..).zip(self.0).filter(|&(_, cell)| cell > 0).map(|(i, _)| i).max().unwrap_or(0)
    }

    /// The opponent's rearmost cell in the mover's numbering: 0 on the bar, 25 with no checker left.
    #[must_use]
    #[inline]
    pub fn opponent_rearmost(&self) -> u8 {
        (0u8..).zip(self.0).find(|&(_, cell)| cell < 0).map_or(25, |(i, _)| i)
    }

    /// Neither side can hit or block the other any more.
    #[must_use]
    #[inline]
    pub fn no_contact(&self) -> bool {
        self.rearmost() < self.opponent_rearmost()
    }

    /// The mover's points with exactly one checker, bar excluded.
    #[must_use]
    pub fn blots(&self) -> u8 {
        self.0[1..25].iter().map(|&cell| u8::from(cell == 1)).sum()
    }

    /// The mover's made points among his 1 to 6.
    #[must_use]
    pub fn home_points(&self) -> u8 {
        self.0[1..7].iter().map(|&cell| u8::from(cell >= 2)).sum()
    }

    /// 26 characters: `-` empty, `A`..`O` the mover's checkers, `a`..`o` the opponent's; cell 0 first.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::with_capacity(self.0.len());
        self.write(&mut out);
        out
    }

    /// Adds [`Board::text`] to a text.
    pub(super) fn write(&self, out: &mut String) {
        for &cell in &self.0 {
            out.push(match cell {
                0 => '-',
                1.. => char::from(b'A' + cell.unsigned_abs() - 1),
                _ => char::from(b'a' + cell.unsigned_abs() - 1),
            });
        }
    }

    /// Reads [`Board::text`].
    ///
    /// # Errors
    /// [`BoardFault`] when the text is not 26 such characters, or not a board.
    pub fn from_text(text: &str) -> Result<Self, BoardFault> {
        let bytes: &[u8; 26] = text.as_bytes().try_into().map_err(|_| BoardFault::Text)?;
        let mut cells = [0i8; 26];
        for (cell, &byte) in cells.iter_mut().zip(bytes) {
            *cell = match byte {
                b'-' => 0,
                b'A'..=b'O' => (byte - b'A' + 1).cast_signed(),
                b'a'..=b'o' => -(byte - b'a' + 1).cast_signed(),
                _ => return Err(BoardFault::Text),
            };
        }
        Self::new(cells)
    }
}

impl TryFrom<String> for Board {
    type Error = BoardFault;
    fn try_from(text: String) -> Result<Self, BoardFault> {
        Self::from_text(&text)
    }
}

impl From<Board> for String {
    fn from(board: Board) -> Self {
        board.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_its_own_mirror_and_counts_167_pips() {
        assert_eq!(Board::START.mirror(), Board::START);
        assert_eq!(Board::START.pips(), 167);
        assert_eq!(Board::START.text(), "-b----E-C---eE---c-e----B-");
    }

    #[test]
    fn a_board_of_sixteen_checkers_is_refused() {
        assert_eq!(Board::from_text("Ab----E-C---eE---c-e----B-"), Err(BoardFault::WrongBar));
        assert_eq!(Board::from_text("-b----E-C---eE---c-e----C-"), Err(BoardFault::TooMany));
        assert_eq!(Board::from_text("-b----E-C---eE---c-e----B"), Err(BoardFault::Text));
    }
}
