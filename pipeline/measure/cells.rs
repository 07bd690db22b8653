//! The sums of matches by cell, and the same as bytes.
//!
//! A match has a hundred of them and more, in cells that are called the same in every match: the words are kept once a
//! bucket, and a sum tells its cell by their place. As bytes most of a sum is left out, being nothing:
//!
//! | what of a sum | bytes |
//! |---|---|
//! | seat; place of its cell among the names | as a number, each |
//! | a bit for each number that is not 0 | 2 |
//! | these numbers | as a number, each |
//!
//! A number is seven bits a byte, the least significant first, its sign in the lowest bit.

use super::MeasureFault;
use super::entry::CellSums;
use super::snapshot::{present, side_by_side};
use crate::tables::columns::Columns;
use crate::tables::part;
use crate::tables::partials::CellRow;
use crate::tables::row::Row as _;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::PathBuf;

/// Dimension and cell of every cell there is, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Names(Vec<(String, String)>);

/// A seat's sums in the cell at a place of the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum {
    seat: i64,
    name: u32,
    sums: CellSums,
}

/// The cells of some matches.
#[derive(Debug, Default)]
pub(super) struct Cells {
    names: Names,
    /// Match by match; those of one by seat and cell.
    sums: Vec<Sum>,
    matches: BTreeMap<String, Range<usize>>,
}

/// The cells of one match.
#[derive(Clone, Copy, Debug)]
pub struct MatchCells<'a> {
    names: &'a Names,
    sums: &'a [Sum],
}

impl MatchCells<'_> {
    /// One seat's sums of a dimension, by cell.
    pub(super) fn of(&self, seat: i64, dimension: &str) -> impl Iterator<Item = (&str, &CellSums)> {
        let names = self.names.of(dimension);
        let first = self.sums.partition_point(|sum| (sum.seat, sum.name) < (seat, names.start));
        let count = self.sums[first..].partition_point(|sum| (sum.seat, sum.name) < (seat, names.end));
        self.sums[first..first + count].iter().map(|sum| (self.names.cell(sum.name), &sum.sums))
    }
}

impl Names {
    /// Places of the cells of a dimension.
    fn of(&self, dimension: &str) -> Range<u32> {
        let first = self.0.partition_point(|(of, _)| of.as_str() < dimension);
        let count = self.0[first..].partition_point(|(of, _)| of == dimension);
        place(first)..place(first + count)
    }

    fn count(&self) -> u32 {
        place(self.0.len())
    }

    fn cell(&self, place: u32) -> &str {
        usize::try_from(place).ok().and_then(|place| self.0.get(place)).map_or("", |(_, cell)| cell)
    }
}

fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Cells {
    /// Those of some parts, whole.
    ///
    /// # Errors
    /// A part that cannot be read or does not fit the schema.
    pub(super) fn read(parts: &[PathBuf]) -> Result<Self, MeasureFault> {
        let keys = ["match_id", "seat", "dimension", "cell"];
        let names = keys.iter().chain(CellSums::COLUMNS);
        let place = |name: &&str| CellRow::COLUMNS.iter().position(|column| column.name == *name);
        let places: Vec<usize> = names.filter_map(place).collect();
        let batches = side_by_side(parts, part::columns::<CellRow>)?;
        let batches: Vec<Columns> = batches.iter().map(|batch| batch.select(&places)).collect();
        let mut gathered = Gathered::default();
        for (batch, row) in batches.iter().flat_map(|batch| (0..batch.rows()).map(move |row| (batch, row))) {
            present::<CellRow, _>(gathered.add(batch, row))?;
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

    /// Those of a match.
    pub(super) fn of(&self, match_id: &str) -> MatchCells<'_> {
        let sums = self.matches.get(match_id).and_then(|range| self.sums.get(range.clone()));
        MatchCells { names: &self.names, sums: sums.unwrap_or_default() }
    }

    /// Adds those of a match; `None` when these are not the bytes of any.
    pub(super) fn unpack(&mut self, match_id: &str, mut packed: &[u8]) -> Option<()> {
        let first = self.sums.len();
        while !packed.is_empty() {
            let (seat, name) = (number(&mut packed)?, u32::try_from(number(&mut packed)?).ok()?);
            if name >= self.names.count() {
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

/// Cells on their way, their names in the order they were met.
#[derive(Default)]
struct Gathered<'a> {
    names: HashMap<(&'a str, &'a str), u32>,
    sums: Vec<Sum>,
    matches: Vec<(&'a str, Range<usize>)>,
}

impl<'a> Gathered<'a> {
    /// Adds a row; `None` where a cell of it is absent.
    fn add(&mut self, batch: &'a Columns, row: usize) -> Option<()> {
        const FIRST: usize = 4;
        let (match_id, seat) = (batch.text(row, 0)?, batch.int(row, 1)?);
        let next = place(self.names.len());
        let name = *self.names.entry((batch.text(row, 2)?, batch.text(row, 3)?)).or_insert(next);
        let mut numbers = CellSums::default().numbers();
        for (column, own) in (FIRST..).zip(&mut numbers) {
            *own = batch.int(row, column)?;
        }
        self.sums.push(Sum { seat, name, sums: CellSums::of(numbers) });
        let end = self.sums.len();
        match self.matches.last_mut() {
            Some((last, range)) if *last == match_id => range.end = end,
            _ => self.matches.push((match_id, end - 1..end)),
        }
        Some(())
    }

    fn sorted(self) -> Cells {
        let mut names: Vec<((&str, &str), u32)> = self.names.into_iter().collect();
        names.sort_unstable();
        let mut places = vec![0; names.len()];
        for (at, (_, met)) in (0..).zip(&names) {
            if let Some(place) = usize::try_from(*met).ok().and_then(|met| places.get_mut(met)) {
                *place = at;
            }
        }
        let placed = |sum: Sum| {
            let name = usize::try_from(sum.name).ok().and_then(|met| places.get(met)).copied();
            Sum { name: name.unwrap_or(u32::MAX), ..sum }
        };
        let names = names.into_iter().map(|((dimension, cell), _)| (dimension.to_owned(), cell.to_owned()));
        Cells {
            names: Names(names.collect()),
            sums: self.sums.into_iter().map(placed).collect(),
            matches: self.matches.into_iter().map(|(id, range)| (id.to_owned(), range)).collect(),
        }
    }
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
