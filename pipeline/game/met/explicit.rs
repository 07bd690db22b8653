//! The 25 explicit points of a match equity table, read from its data file.
//!
//! The file is `table,away,opp_away,mwc`, one cell a line, `table` being `pre` or `post`. The figures are kept as
//! whole units of 1e-9, so that what must hold *in decimal* (`pre(a, b) + pre(b, a) = 1`) is tested in decimal. What
//! leaves this module has exactly 625 + 25 cells, all inside (0, 1), antisymmetric and strictly monotone.
//!
//! Everything is `const`: the compiler reads the table that ships, and the same code can read another at run time.
//! That is why loops are written out here: iterators and `?` are not yet allowed in a `const fn`.

use crate::game::units::MWC_SCALE;
use thiserror::Error;

/// Points an explicit table covers.
pub const EXPLICIT: usize = 25;

/// Decimals a figure may have: the unit of MWC is 1e-9.
const DECIMALS: u32 = 9;

/// A checked table, in units of 1e-9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explicit {
    /// `pre[a - 1][b - 1]`.
    pub pre: [[i64; EXPLICIT]; EXPLICIT],
    /// `post[n - 1]`.
    pub post: [i64; EXPLICIT],
}

/// Why a file is no such table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MetFault {
    /// The first line is another.
    #[error("line 1 is not \"table,away,opp_away,mwc\"")]
    Header,
    /// A line that is no cell, or a figure that is not inside (0, 1) with at most nine decimals.
    #[error("line {0} is no cell of the table")]
    Line(usize),
    /// A cell that was there before.
    #[error("line {0} gives a cell again")]
    Repeated(usize),
    /// A cell that no line gives; `opp_away` is 0 for a post-Crawford cell.
    #[error("no line gives the cell {away}, {opponent_away}")]
    Missing {
        /// Points the player needs.
        away: usize,
        /// Points the opponent needs.
        opponent_away: usize,
    },
    /// `pre(a, b) + pre(b, a)` is not 1, or `pre(a, a)` not 0.5.
    #[error("pre({0}, {1}) and pre({1}, {0}) do not add up to 1")]
    Asymmetric(usize, usize),
    /// `pre` does not fall with the player's away score, or does not rise with the opponent's.
    #[error("pre does not fall from ({0}, {1}) to the next row, or does not rise to the next column")]
    PreOrder(usize, usize),
    /// `post` does not fall.
    #[error("post does not fall after {0}")]
    PostOrder(usize),
}

/// Reads and checks a table.
///
/// # Errors
/// [`MetFault`] names the first line or cell that does not hold.
pub const fn read(text: &str) -> Result<Explicit, MetFault> {
    let mut cursor = Cursor { bytes: text.as_bytes(), at: 0 };
    if !cursor.skip(b"table,away,opp_away,mwc\n") {
        return Err(MetFault::Header);
    }
    let mut table = Explicit { pre: [[0; EXPLICIT]; EXPLICIT], post: [0; EXPLICIT] };
    let mut line = 2;
    while cursor.at < cursor.bytes.len() {
        if let Err(fault) = table.take_line(&mut cursor, line) {
            return Err(fault);
        }
        line += 1;
    }
    match table.check() {
        Ok(()) => Ok(table),
        Err(fault) => Err(fault),
    }
}

impl Explicit {
    const fn take_line(&mut self, cursor: &mut Cursor<'_>, line: usize) -> Result<(), MetFault> {
        let post = cursor.skip(b"post,");
        if !post && !cursor.skip(b"pre,") {
            return Err(MetFault::Line(line));
        }
        let (Some(a), Some(b), Some(units)) = (cursor.away(), cursor.away(), cursor.mwc()) else {
            return Err(MetFault::Line(line));
        };
        if post && b != 1 {
            return Err(MetFault::Line(line));
        }
        let cell = if post { &mut self.post[a - 1] } else { &mut self.pre[a - 1][b - 1] };
        if *cell != 0 {
            return Err(MetFault::Repeated(line));
        }
        *cell = units;
        Ok(())
    }

    /// Every cell given, and what must hold between them.
    const fn check(&self) -> Result<(), MetFault> {
        let mut a = 0;
        while a < EXPLICIT {
            if self.post[a] == 0 {
                return Err(MetFault::Missing { away: a + 1, opponent_away: 0 });
            }
            if a > 0 && self.post[a - 1] <= self.post[a] {
                return Err(MetFault::PostOrder(a));
            }
            let mut b = 0;
            while b < EXPLICIT {
                if let Err(fault) = self.check_pre(a, b) {
                    return Err(fault);
                }
                b += 1;
            }
            a += 1;
        }
        Ok(())
    }

    const fn check_pre(&self, a: usize, b: usize) -> Result<(), MetFault> {
        let cell = self.pre[a][b];
        if cell == 0 {
            return Err(MetFault::Missing { away: a + 1, opponent_away: b + 1 });
        }
        if cell + self.pre[b][a] != MWC_SCALE {
            return Err(MetFault::Asymmetric(a + 1, b + 1));
        }
        if (a > 0 && self.pre[a - 1][b] <= cell) || (b > 0 && self.pre[a][b - 1] >= cell) {
            return Err(MetFault::PreOrder(a + 1, b + 1));
        }
        Ok(())
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    const fn peek(&self) -> Option<u8> {
        if self.at < self.bytes.len() { Some(self.bytes[self.at]) } else { None }
    }

    /// Passes `word` when it comes next.
    const fn skip(&mut self, word: &[u8]) -> bool {
        let mut i = 0;
        while i < word.len() {
            if self.at + i >= self.bytes.len() || self.bytes[self.at + i] != word[i] {
                return false;
            }
            i += 1;
        }
        self.at += word.len();
        true
    }

    const fn digit(&mut self) -> Option<u8> {
        match self.peek() {
            Some(byte @ b'0'..=b'9') => {
                self.at += 1;
                Some(byte - b'0')
            }
            _ => None,
        }
    }

    /// 1 to 25, and the comma after it.
    const fn away(&mut self) -> Option<usize> {
        let mut value = 0;
        while let Some(digit) = self.digit() {
            value = value * 10 + digit as usize;
            if value == 0 || value > EXPLICIT {
                return None;
            }
        }
        if value > 0 && self.skip(b",") { Some(value) } else { None }
    }

    /// `0.` and one to nine decimals, not all 0, and the end of the line.
    const fn mwc(&mut self) -> Option<i64> {
        if !self.skip(b"0.") {
            return None;
        }
        let (mut units, mut unit) = (0, 10i64.pow(DECIMALS));
        while let Some(digit) = self.digit() {
            unit /= 10;
            if unit == 0 {
                return None;
            }
            units += unit * digit as i64;
        }
        if units > 0 && self.skip(b"\n") { Some(units) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &str = include_str!("../../../data/met/kazaross-xg2.csv");

    /// The shipped table with one piece of text put in the place of another.
    fn spoilt(from: &str, to: &str) -> Result<Explicit, MetFault> {
        assert!(SHIPPED.contains(from), "{from} is in the table");
        read(&SHIPPED.replacen(from, to, 1))
    }

    #[test]
    fn the_table_that_ships_holds() -> Result<(), MetFault> {
        let table = read(SHIPPED)?;
        assert_eq!(table.pre[6][1], 157_750_000);
        assert_eq!(table.post[9], 65_161_000);
        assert_eq!(table.post[24], 1_230_000);
        Ok(())
    }

    #[test]
    fn every_demand_on_a_table_is_checked() {
        assert_eq!(spoilt("table,", "Table,"), Err(MetFault::Header));
        assert_eq!(spoilt("pre,1,2,", "pre,1;2,"), Err(MetFault::Line(3)));
        assert_eq!(spoilt("pre,1,2,", "pre,1,26,"), Err(MetFault::Line(3)));
        assert_eq!(spoilt("pre,1,2,", "pre,0,2,"), Err(MetFault::Line(3)));
        assert_eq!(spoilt("pre,1,1,0.50000", "pre,1,1,1.00000"), Err(MetFault::Line(2)));
        assert_eq!(spoilt("pre,1,1,0.50000", "pre,1,1,0.00000"), Err(MetFault::Line(2)));
        assert_eq!(spoilt("pre,1,1,0.50000", "pre,1,1,0.5000000000"), Err(MetFault::Line(2)));
        assert_eq!(spoilt("pre,1,2,0.67736\n", "pre,1,1,0.67736\n"), Err(MetFault::Repeated(3)));
        assert_eq!(spoilt("pre,1,2,0.67736\n", ""), Err(MetFault::Missing { away: 1, opponent_away: 2 }));
        assert_eq!(spoilt("post,2,1,", "post,2,2,"), Err(MetFault::Line(628)));
        assert_eq!(spoilt("post,25,1,0.001230\n", ""), Err(MetFault::Missing { away: 25, opponent_away: 0 }));
        assert_eq!(spoilt("post,25,1,0.001230\n", "post,25,1,0.001230"), Err(MetFault::Line(651)));
        assert_eq!(spoilt("pre,1,2,0.67736", "pre,1,2,0.67737"), Err(MetFault::Asymmetric(1, 2)));
        assert_eq!(spoilt("pre,1,1,0.50000", "pre,1,1,0.50001"), Err(MetFault::Asymmetric(1, 1)));
        assert_eq!(spoilt("post,2,1,0.48803", "post,2,1,0.50000"), Err(MetFault::PostOrder(1)));
    }

    #[test]
    fn a_table_that_does_not_rise_is_refused() {
        let swapped =
            SHIPPED.replacen("pre,1,2,0.67736", "pre,1,2,0.75076", 1).replacen("pre,2,1,0.32264", "pre,2,1,0.24924", 1);
        assert_eq!(read(&swapped), Err(MetFault::PreOrder(1, 3)));
    }
}
