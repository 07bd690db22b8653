//! The text form of a pattern: rows of symbols apart by blanks, then the signature `< N; E; V; P >`.
//!
//! A square board has rows of one length; any other is hexagonal and its rows are indented by what they are shorter
//! than the longest. The form names neither game nor area: an import is told both. What is read and written again is
//! unchanged, indentation aside.

use super::alphabet::Symbol;
use super::area::MAX_CELLS;
use super::contest::Side;
use super::turn::{Turn, turned};
use std::fmt;

/// Who vouches for a pattern and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signature {
    /// N: number of players who vouch for it, at least 1.
    pub players: u64,
    /// E: their mean Elo.
    pub elo: f64,
    /// V: expected value 0 … 1 for `side`.
    pub value: f64,
    /// P: whom the value belongs to.
    pub side: Side,
}

/// A pattern as text carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct TextPattern {
    /// Rows of cells, none of them empty.
    pub rows: Vec<Vec<Symbol>>,
    /// The signature.
    pub signature: Signature,
}

impl TextPattern {
    /// Reads one pattern. An error says in words what is wrong: an unknown symbol, no row, no signature, a figure
    /// out of range.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut rows = Vec::new();
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let signature = loop {
            let line = lines.next().ok_or("no signature")?;
            if line.starts_with('<') {
                break Signature::read(line)?;
            }
            rows.push(row(line)?);
            if rows.iter().map(Vec::len).sum::<usize>() > MAX_CELLS {
                return Err(format!("more than {MAX_CELLS} cells"));
            }
        };
        if rows.is_empty() {
            return Err("no row before the signature".to_owned());
        }
        match lines.next() {
            Some(line) => Err(format!("{line:?} after the signature")),
            None => Ok(Self { rows, signature }),
        }
    }

    /// The same pattern as a first player's: turned round if it is the second's, the value staying with its owner.
    #[must_use]
    pub fn as_first(&self, turn: Turn) -> Self {
        match self.signature.side {
            Side::First => self.clone(),
            Side::Second => {
                Self { rows: turned(&self.rows, turn), signature: Signature { side: Side::First, ..self.signature } }
            }
        }
    }
}

impl Signature {
    fn read(line: &str) -> Result<Self, String> {
        let inner = line.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        let fields: Vec<&str> = inner.map(|inner| inner.split(';').map(str::trim).collect()).unwrap_or_default();
        let [players, elo, value, side] = fields[..] else {
            return Err(format!("signature {line:?} is not < N; E; V; P >"));
        };
        let players = players.parse().ok().filter(|&n: &u64| n >= 1).ok_or("N is not a whole number of at least 1")?;
        let elo = elo.parse().ok().filter(|elo: &f64| elo.is_finite()).ok_or("E is not a number")?;
        let value = value.parse().ok().filter(|v: &f64| (0.0..=1.0).contains(v)).ok_or("V is outside 0..1")?;
        let side = match side {
            "1" => Side::First,
            "2" => Side::Second,
            _ => return Err("P is neither 1 nor 2".to_owned()),
        };
        Ok(Self { players, elo, value, side })
    }
}

/// Cells are apart by blanks; each is one symbol.
fn row(line: &str) -> Result<Vec<Symbol>, String> {
    let symbol = |cell: &str| {
        let mut letters = cell.chars();
        let symbol = letters.next().and_then(Symbol::read).filter(|_| letters.next().is_none());
        symbol.ok_or_else(|| format!("unknown symbol {cell:?}"))
    };
    line.split_whitespace().map(symbol).collect()
}

impl fmt::Display for TextPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        for row in &self.rows {
            let letters: Vec<String> = row.iter().map(|symbol| symbol.letter().to_string()).collect();
            writeln!(f, "{}{}", " ".repeat(longest - row.len()), letters.join(" "))?;
        }
        self.signature.fmt(f)
    }
}

impl fmt::Display for Signature {
    /// Whole numbers without a point, others as the shortest decimal that reads back the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::First => 1,
            Side::Second => 2,
        };
        write!(f, "< {}; {}; {}; {side} >", self.players, self.elo, self.value)
    }
}
