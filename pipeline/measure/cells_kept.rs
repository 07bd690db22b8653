//! The sums of matches by cell as they are stored, and as bytes.
//!
//! As bytes most of a sum is left out, being nothing:
//!
//! | what of a sum | bytes |
//! |---|---|
//! | seat; place of its cell among the names | as a number, each |
//! | a bit for each number that is not 0 | 2 |
//! | these numbers | as a number, each |
//!
//! A number is seven bits a byte, the least significant first, its sign in the lowest bit.

use super::MeasureFault;
use super::cell_sums::CellSums;
use super::cells::{Cells, Gathered, MatchCells, Names, Sum};
use super::snapshot::{present, side_by_side};
use crate::tables::columns::Columns;
use crate::tables::part;
use crate::tables::partials::CellRow;
use crate::tables::row::Row as _;
use std::path::PathBuf;

/// Where a row of the table says what.
const KEYS: [&str; 4] = ["match_id", "seat", "dimension", "cell"];

impl Cells {
    /// Those of some parts, whole.
    ///
    /// # Errors
    /// A part that cannot be read or does not fit the schema.
    pub(super) fn read(parts: &[PathBuf]) -> Result<Self, MeasureFault> {
        let names = KEYS.iter().chain(CellSums::COLUMNS);
        let place = |name: &&str| CellRow::COLUMNS.iter().position(|column| column.name == *name);
        let places: Vec<usize> = names.filter_map(place).collect();
        let batches = side_by_side(parts, part::columns::<CellRow>)?;
        let batches: Vec<Columns> = batches.iter().map(|batch| batch.select(&places)).collect();
        let mut gathered = Gathered::default();
        for (batch, row) in batches.iter().flat_map(|batch| (0..batch.rows()).map(move |row| (batch, row))) {
            present::<CellRow, _>(read(&mut gathered, batch, row))?;
        }
        Ok(gathered.sorted())
    }

    /// None yet, of cells with these names.
    pub(super) fn named(names: Names) -> Self {
        Self { names, ..Self::default() }
    }

    /// What they are called.
    pub(super) const fn names(&self) -> &Names {
        &self.names
    }

    /// The matches that have any.
    pub(super) fn matches(&self) -> impl Iterator<Item = &str> {
        self.matches.keys().map(String::as_str)
    }

    /// Adds those of a match; `None` when these are not the bytes of any.
    pub(super) fn unpack(&mut self, match_id: &str, mut packed: &[u8]) -> Option<()> {
        let first = self.sums.len();
        let end = self.names.end();
        while !packed.is_empty() {
            let (seat, name) = (number(&mut packed)?, u32::try_from(number(&mut packed)?).ok()?);
            if name >= end {
                return None;
            }
            let (there, rest) = packed.split_first_chunk()?;
            packed = rest;
            let there = u16::from_le_bytes(*there);
            let mut numbers = CellSums::default().numbers();
            for (at, own) in numbers.iter_mut().enumerate() {
                if there & (1 << at) != 0 {
                    *own = number(&mut packed)?;
                }
            }
            self.sums.push(Sum { seat, name, sums: CellSums::of(numbers) });
        }
        self.matches.insert(match_id.to_owned(), first..self.sums.len());
        Some(())
    }
}

impl MatchCells<'_> {
    /// As bytes.
    pub(super) fn packed(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for Sum { seat, name, sums } in self.sums {
            put(&mut bytes, *seat);
            put(&mut bytes, i64::from(*name));
            let numbers = sums.numbers();
            let there = numbers.iter().enumerate().map(|(at, own)| u16::from(*own != 0) << at);
            bytes.extend(there.fold(0, std::ops::BitOr::bitor).to_le_bytes());
            numbers.into_iter().filter(|own| *own != 0).for_each(|own| put(&mut bytes, own));
        }
        bytes
    }
}

/// Adds a row; `None` where a cell of it is absent.
fn read<'a>(to: &mut Gathered<'a>, batch: &'a Columns, row: usize) -> Option<()> {
    let mut numbers = CellSums::default().numbers();
    for (column, own) in (KEYS.len()..).zip(&mut numbers) {
        *own = batch.int(row, column)?;
    }
    let cell = (batch.text(row, 2)?, batch.text(row, 3)?);
    to.add((batch.text(row, 0)?, batch.int(row, 1)?), cell, CellSums::of(numbers));
    Some(())
}

/// Bits of a number in each of its bytes; the highest says that another byte follows.
const BITS: u32 = 7;

/// Adds a number.
fn put(bytes: &mut Vec<u8>, number: i64) {
    let mut rest = number.rotate_left(1).cast_unsigned();
    if number < 0 {
        rest ^= !1;
    }
    loop {
        let [low, ..] = rest.to_le_bytes();
        rest >>= BITS;
        if rest == 0 {
            return bytes.push(low & !(1 << BITS));
        }
        bytes.push(low | 1 << BITS);
    }
}

/// Takes the next number off; `None` where the bytes break off, or go on for too long.
fn number(bytes: &mut &[u8]) -> Option<i64> {
    let (mut whole, mut shift) = (0_u64, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        whole |= u64::from(byte & !(1 << BITS)).checked_shl(shift)?;
        if byte >> BITS == 0 {
            let sign = whole & 1;
            return Some((whole >> 1).cast_signed() ^ sign.cast_signed().wrapping_neg());
        }
        shift += BITS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::lake::{Lake, WHOLE, table_dir};
    use crate::tables::part::PartWriter;
    use std::error::Error;

    fn row(match_id: &str, seat: i64, (dimension, cell): (&str, &str), mpt: i64) -> CellRow {
        let text = str::to_owned;
        let (match_id, dimension, cell) = (text(match_id), text(dimension), text(cell));
        CellRow { match_id, seat, dimension, cell, n: 1, mpt, unread: i64::MAX, ..CellRow::default() }
    }

    fn told(cells: &Cells, (id, seat, dimension): (&str, i64, &str)) -> Vec<(String, i64)> {
        cells.of(id).of(seat, dimension).map(|(cell, sums)| (cell.to_owned(), sums.mpt)).collect()
    }

    fn cells() -> Result<Cells, Box<dyn Error>> {
        let root = tempfile::tempdir()?;
        let rows = [
            row("a", 1, ("kind", "take"), 4),
            row("a", 1, ("plan", "blitz"), -300),
            row("a", 2, ("kind", "double"), 0),
            row("a", 2, ("kind", "take"), i64::MIN),
            row("c", 1, ("kind", "checker"), 9),
            row("c", 1, ("kind", "double"), 8),
        ];
        let dir = table_dir(&Lake::at(root.path()).next(), CellRow::TABLE, "2026");
        let mut writer = PartWriter::create(&dir, WHOLE)?;
        writer.push(&rows)?;
        Ok(Cells::read(&[writer.finish()?.path])?)
    }

    fn check(cells: &Cells) {
        let of = |cell: &str, mpt| (cell.to_owned(), mpt);
        assert_eq!(cells.matches().collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(told(cells, ("a", 1, "kind")), [of("take", 4)]);
        assert_eq!(told(cells, ("a", 1, "plan")), [of("blitz", -300)]);
        assert_eq!(told(cells, ("a", 2, "kind")), [of("double", 0), of("take", i64::MIN)]);
        assert_eq!(told(cells, ("c", 1, "kind")), [of("checker", 9), of("double", 8)]);
        for nothing in [("a", 3, "kind"), ("a", 2, "plan"), ("a", 1, "kin"), ("b", 1, "kind")] {
            assert_eq!(told(cells, nothing), [], "{nothing:?}");
        }
    }

    #[test]
    fn cells_are_found_by_seat_and_dimension_and_come_back_from_their_bytes() -> Result<(), Box<dyn Error>> {
        let cells = cells()?;
        check(&cells);
        let mut again = Cells::named(cells.names().clone());
        for id in ["a", "c"] {
            again.unpack(id, &cells.of(id).packed()).ok_or("not the bytes of cells")?;
            assert_eq!(again.of(id).sums, cells.of(id).sums);
        }
        check(&again);
        Ok(())
    }

    #[test]
    fn bytes_that_break_off_within_a_sum_are_none() -> Result<(), Box<dyn Error>> {
        let cells = cells()?;
        let packed = cells.of("c").packed();
        let unpacks = |packed: &[u8]| Cells::named(cells.names().clone()).unpack("c", packed).is_some();
        let whole = |end: &usize| unpacks(&packed[..*end]);
        assert_eq!((0..=packed.len()).filter(whole).collect::<Vec<_>>(), [0, packed.len() / 2, packed.len()]);
        assert!(!unpacks(&[0xff; 12]));
        assert!(Cells::default().unpack("c", &packed).is_none(), "names that are not there");
        Ok(())
    }

    #[test]
    fn a_number_comes_back_whatever_it_is() {
        for whole in [0, 1, -1, 63, -64, 64, 300_000, -300_000, i64::MAX, i64::MIN] {
            let mut bytes = Vec::new();
            put(&mut bytes, whole);
            assert_eq!(number(&mut bytes.as_slice()), Some(whole));
        }
    }
}
