//! A named part of a board and what lies on it.
//!
//! A [`Place`] is the name and the row lengths: two patterns meet only on equal places. [`Cells`] are the contents in
//! reading order, packed six bits a cell and ten cells a word, so that covering is an AND a word. Unused bits are zero
//! and no symbol is, so equal cells are equal words.

use super::alphabet::{CELL_BITS, Symbol};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Cells in one word of 64 bits.
pub const CELLS_PER_WORD: u32 = 64 / CELL_BITS;
/// Cells an area may have. The largest board in sight has 361; a file that says more is damaged.
pub const MAX_CELLS: usize = 1024;
const CELL_MASK: u64 = (1 << CELL_BITS) - 1;

/// Name and row lengths of an area.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    name: String,
    rows: Vec<usize>,
    cells: usize,
}

impl Place {
    /// A place of that name and those row lengths, in reading order; an error in words if it has no cell or too many.
    pub fn new(name: &str, rows: &[usize]) -> Result<Self, String> {
        let cells = rows.iter().try_fold(0_usize, |sum, &row| sum.checked_add(row)).unwrap_or(usize::MAX);
        if rows.contains(&0) || cells == 0 {
            return Err(format!("area {name:?} has an empty row"));
        }
        if cells > MAX_CELLS {
            return Err(format!("area {name:?} has more than {MAX_CELLS} cells"));
        }
        Ok(Self { name: name.to_owned(), rows: rows.to_vec(), cells })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Length of each row.
    #[must_use]
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Number of cells.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.cells
    }

    /// Number of words that its contents take.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.cells.div_ceil(CELLS_PER_WORD as usize)
    }
}

/// The contents of a place, in reading order. They know their words, the place knows their number.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<u64>", into = "Vec<u64>")]
pub struct Cells(Packed);

/// Most areas are one word, and a night has millions of them: those have no box. Equal contents are the same variant.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Packed {
    One(u64),
    Other(Box<[u64]>),
}

impl From<Vec<u64>> for Cells {
    fn from(words: Vec<u64>) -> Self {
        Self(match words.as_slice() {
            [word] => Packed::One(*word),
            _ => Packed::Other(words.into_boxed_slice()),
        })
    }
}

impl From<Cells> for Vec<u64> {
    fn from(cells: Cells) -> Self {
        cells.words().to_vec()
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cells").field(&self.words()).finish()
    }
}

impl Cells {
    /// Packs the symbols.
    #[must_use]
    pub fn pack(symbols: &[Symbol]) -> Self {
        let word = |chunk: &[Symbol]| {
            chunk.iter().rev().fold(0_u64, |word, symbol| (word << CELL_BITS) | u64::from(symbol.bits()))
        };
        match symbols {
            [_, ..] if symbols.len() <= CELLS_PER_WORD as usize => Self::of_one(word(symbols)),
            _ => Self::from(symbols.chunks(CELLS_PER_WORD as usize).map(word).collect::<Vec<u64>>()),
        }
    }

    /// The contents that these words are.
    pub(super) fn of_words(words: &[u64]) -> Self {
        match words {
            [word] => Self::of_one(*word),
            _ => Self::from(words.to_vec()),
        }
    }

    const fn of_one(word: u64) -> Self {
        Self(Packed::One(word))
    }

    /// The six bits of one cell of a word; 0 past the last cell.
    pub(super) fn bits_at(word: u64, cell: u32) -> u8 {
        u8::try_from((word >> (cell * CELL_BITS)) & CELL_MASK).unwrap_or(0)
    }

    /// The packed words.
    #[must_use]
    pub const fn words(&self) -> &[u64] {
        match &self.0 {
            Packed::One(word) => std::slice::from_ref(word),
            Packed::Other(words) => words,
        }
    }

    /// The symbols again.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.words()
            .iter()
            .flat_map(|&word| (0..CELLS_PER_WORD).map_while(move |cell| Symbol::from_bits(Self::bits_at(word, cell))))
    }

    /// Σ (contents − 1): smaller is more specific.
    #[must_use]
    pub fn slack(&self) -> u32 {
        self.symbols().map(|symbol| symbol.bits().count_ones() - 1).sum()
    }

    /// How many cells are wild.
    #[must_use]
    pub fn wild(&self) -> u32 {
        self.symbols().map(|symbol| u32::from(!symbol.is_concrete())).sum()
    }

    /// Packs a text without blanks; `None` if a character is no symbol.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        text.chars().map(Symbol::read).collect::<Option<Vec<_>>>().map(|symbols| Self::pack(&symbols))
    }

    /// The symbols as text, without blanks or row ends.
    #[must_use]
    pub fn text(&self) -> String {
        self.symbols().map(Symbol::letter).collect()
    }
}

/// What one area of a position holds: concrete symbols only.
///
/// In a symmetric game it is seen by the player who moved, his own pieces black; otherwise as it lies on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    place: Arc<Place>,
    cells: Cells,
}

impl Area {
    /// The area of that place; an error in words if the number of cells is not the place's or a symbol is wild.
    pub fn new(place: &Arc<Place>, symbols: &[Symbol]) -> Result<Self, String> {
        if symbols.len() != place.cells() {
            return Err(format!("area {:?} has {} cells, not {}", place.name(), place.cells(), symbols.len()));
        }
        if let Some(wild) = symbols.iter().find(|symbol| !symbol.is_concrete()) {
            return Err(format!("symbol {:?} of area {:?} is not concrete", wild.letter(), place.name()));
        }
        Ok(Self { place: Arc::clone(place), cells: Cells::pack(symbols) })
    }

    /// The area with these contents, which were an area's before; `None` if their size is not the place's.
    #[must_use]
    pub fn again(place: &Arc<Place>, cells: Cells) -> Option<Self> {
        (cells.words().len() == place.words()).then(|| Self { place: Arc::clone(place), cells })
    }

    /// Name and row lengths.
    #[must_use]
    pub const fn place(&self) -> &Arc<Place> {
        &self.place
    }

    /// The contents.
    #[must_use]
    pub const fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The contents, without the place.
    #[must_use]
    pub fn into_cells(self) -> Cells {
        self.cells
    }
}
