//! The two tables that say what becomes of a cell when a proposal meets a known pattern.
//!
//! Both are written as the sentences of the source read, not as grids; the tests hold every pair of both against the
//! grids. Where *generalise* allows a pair its result is the smallest symbol that covers both; where *specialise*
//! does, its result covers the new cell and is covered by the known one.

use super::alphabet::{CELL_BITS, Symbol};
use super::area::{CELLS_PER_WORD, Cells};

/// Whether both sides of a merge are firmly good, or both firmly bad: then the colour of a piece does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both firmly good or both firmly bad.
    BothFirm,
    /// Anything else.
    Open,
}

/// The smallest symbol that covers both; the pair is unordered. `None`: this pair forbids the merge.
#[must_use]
pub fn generalise(new: Symbol, known: Symbol, verdict: Verdict) -> Option<Symbol> {
    let either = new.bits() | known.bits();
    let facing = |a: Symbol, b: Symbol| Symbol::BLACK.covers(a) && Symbol::WHITE.covers(b);
    if new == known {
        return Some(known);
    }
    if new == Symbol::ANYTHING || known == Symbol::ANYTHING || facing(new, known) || facing(known, new) {
        return (verdict == Verdict::BothFirm).then_some(Symbol::ANYTHING);
    }
    [Symbol::NO_WHITE, Symbol::NO_BLACK]
        .into_iter()
        .find(|free| either & !free.bits() == 0)
        .map(|free| Symbol::from_bits(either).unwrap_or(free))
}

/// The narrower symbol a stronger player's cell makes of a known one; the pair is ordered. `None`: forbidden.
#[must_use]
pub fn specialise(new: Symbol, known: Symbol, verdict: Verdict) -> Option<Symbol> {
    if new == known {
        return Some(known);
    }
    if known == Symbol::ANYTHING {
        return Some(if verdict == Verdict::BothFirm && new != Symbol::EDGE { known } else { one_step_wider(new) });
    }
    if !known.covers(new) {
        return None;
    }
    // What is left are the pairs of a piece or an empty cell with `B`, `1` and their mirrors.
    match known {
        Symbol::NO_WHITE if new != Symbol::EMPTY => Some(Symbol::BLACK),
        Symbol::NO_BLACK if new != Symbol::EMPTY => Some(Symbol::WHITE),
        _ => Some(new),
    }
}

/// Exactly one step wider than what the stronger player has shown; what is no piece stays.
fn one_step_wider(symbol: Symbol) -> Symbol {
    match symbol {
        Symbol::BLACK_SOLDIER | Symbol::BLACK_KING => Symbol::BLACK,
        Symbol::BLACK => Symbol::NO_WHITE,
        Symbol::WHITE_SOLDIER | Symbol::WHITE_KING => Symbol::WHITE,
        Symbol::WHITE => Symbol::NO_BLACK,
        other => other,
    }
}

/// What a merge made of a known pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The cells it has now.
    pub cells: Cells,
    /// How many of them are others than before.
    pub changed: u32,
    /// How many are wild.
    pub wild: u32,
    /// How many are not the edge of the board.
    pub inside: u32,
    /// Σ (contents − 1): smaller is more specific.
    pub slack: u32,
}

/// Merges cell by cell with one of the tables; `None` if a pair forbids it or the sides differ in size.
#[must_use]
pub fn merge(new: &[u64], known: &[u64], cell: impl Fn(Symbol, Symbol) -> Option<Symbol>) -> Option<Merged> {
    if new.len() != known.len() {
        return None;
    }
    let mut merged = Merged { cells: Cells::of_words(&[]), changed: 0, wild: 0, inside: 0, slack: 0 };
    if let ([new], [known]) = (new, known) {
        merged.cells = Cells::of_words(&[merged.word(*new, *known, &cell)?]);
        return Some(merged);
    }
    let words = new.iter().zip(known).map(|(&new, &known)| merged.word(new, known, &cell));
    let words = words.collect::<Option<Vec<u64>>>()?;
    merged.cells = Cells::from(words);
    Some(merged)
}

impl Merged {
    fn word(&mut self, new: u64, known: u64, cell: impl Fn(Symbol, Symbol) -> Option<Symbol>) -> Option<u64> {
        let mut word = 0;
        for at in 0..CELLS_PER_WORD {
            let (a, b) = (Cells::bits_at(new, at), Cells::bits_at(known, at));
            if b == 0 {
                break;
            }
            let (a, b) = (Symbol::from_bits(a)?, Symbol::from_bits(b)?);
            let result = cell(a, b)?;
            self.count(result);
            self.changed += u32::from(result != b);
            word |= u64::from(result.bits()) << (at * CELL_BITS);
        }
        Some(word)
    }

    fn count(&mut self, symbol: Symbol) {
        self.wild += u32::from(!symbol.is_concrete());
        self.inside += u32::from(symbol != Symbol::EDGE);
        self.slack += symbol.bits().count_ones() - 1;
    }
}
