//! The eleven symbols a cell is described with. Each is a *set of contents*, one bit a content, so "covers" is one
//! AND and the slack of a symbol is its number of bits less one.
//!
//! Black is the first player, white the second. `1` and `2` mean a *cell* without the other's piece, so they do not
//! contain `+`, the edge of the board; `#` contains everything.

use serde::{Deserialize, Serialize};

/// Bits of one symbol, and so of one cell.
pub const CELL_BITS: u32 = 6;

/// What a cell may hold, as a set of the six contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "char", into = "char")]
pub struct Symbol(u8);

impl Symbol {
    /// `-`: empty cell.
    pub const EMPTY: Self = Self(1);
    /// `x`: black soldier.
    pub const BLACK_SOLDIER: Self = Self(2);
    /// `b`: black king.
    pub const BLACK_KING: Self = Self(4);
    /// `B`: black piece.
    pub const BLACK: Self = Self(6);
    /// `1`: cell without a white piece.
    pub const NO_WHITE: Self = Self(7);
    /// `o`: white soldier.
    pub const WHITE_SOLDIER: Self = Self(8);
    /// `w`: white king.
    pub const WHITE_KING: Self = Self(16);
    /// `W`: white piece.
    pub const WHITE: Self = Self(24);
    /// `2`: cell without a black piece.
    pub const NO_BLACK: Self = Self(25);
    /// `+`: no cell, the edge or a corner of the board.
    pub const EDGE: Self = Self(32);
    /// `#`: anything.
    pub const ANYTHING: Self = Self(63);

    /// All eleven, in the order of the tables: `-xbB1owW2+#`.
    pub const ALL: [Self; 11] = [
        Self::EMPTY,
        Self::BLACK_SOLDIER,
        Self::BLACK_KING,
        Self::BLACK,
        Self::NO_WHITE,
        Self::WHITE_SOLDIER,
        Self::WHITE_KING,
        Self::WHITE,
        Self::NO_BLACK,
        Self::EDGE,
        Self::ANYTHING,
    ];

    /// The symbol a character stands for; `None` for any other character.
    #[must_use]
    pub fn read(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|symbol| symbol.letter() == letter)
    }

    /// The symbol of a set of contents; `None` for a set no symbol stands for.
    #[must_use]
    pub fn from_bits(bits: u8) -> Option<Self> {
        /// One bit a set: whether a symbol stands for it.
        const SETS: u64 = {
            let mut sets = 0;
            let mut at = 0;
            while at < Symbol::ALL.len() {
                sets |= 1 << Symbol::ALL[at].0;
                at += 1;
            }
            sets
        };
        (bits < 64 && SETS >> bits & 1 == 1).then_some(Self(bits))
    }

    /// The set of contents: empty 1, black soldier 2, black king 4, white soldier 8, white king 16, no cell 32.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The character that stands for it.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.0 {
            1 => '-',
            2 => 'x',
            4 => 'b',
            6 => 'B',
            7 => '1',
            8 => 'o',
            16 => 'w',
            24 => 'W',
            25 => '2',
            32 => '+',
            _ => '#',
        }
    }

    /// Whether it stands for one content only: `-` `x` `b` `o` `w` `+`. The others are wild.
    #[must_use]
    pub const fn is_concrete(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Whether every content of `other` is one of its own.
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// The same cell with the colours swapped: `x↔o`, `b↔w`, `B↔W`, `1↔2`; `-`, `+`, `#` stay.
    #[must_use]
    pub const fn swapped(self) -> Self {
        let black = (self.0 >> 1) & 3;
        let white = (self.0 >> 3) & 3;
        Self((self.0 & 0b10_0001) | (white << 1) | (black << 3))
    }
}

impl TryFrom<char> for Symbol {
    type Error = String;
    fn try_from(letter: char) -> Result<Self, Self::Error> {
        Self::read(letter).ok_or_else(|| format!("unknown symbol {letter:?}"))
    }
}

impl From<Symbol> for char {
    fn from(symbol: Symbol) -> Self {
        symbol.letter()
    }
}
