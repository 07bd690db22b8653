//! The sums of matches by cell.
//!
//! A match has a hundred of them and more, in cells that are called the same in every match: the words are kept once a
//! bucket, and a sum tells its cell by their place.

use super::cell_sums::CellSums;
use crate::tables::partials::CellRow;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// What the cells of every dimension are called, both sorted. A cell's place is among those of all dimensions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names(Vec<Named>);

/// The cells of a dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Named {
    dimension: String,
    /// Place of the first.
    first: u32,
    cells: Vec<String>,
}

/// A seat's sums in the cell at a place of the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) seat: i64,
    pub(super) name: u32,
    pub(super) sums: CellSums,
}

/// The cells of some matches.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    pub(super) names: Names,
    /// Match by match; those of one by seat and cell.
    pub(super) sums: Vec<Sum>,
    pub(super) matches: BTreeMap<String, Range<usize>>,
}

/// The cells of one match.
#[derive(Clone, Copy, Debug)]
pub struct MatchCells<'a> {
    names: &'a Names,
    pub(super) sums: &'a [Sum],
}

impl MatchCells<'_> {
    /// One seat's sums of a dimension, by cell.
    pub(super) fn of(&self, seat: i64, dimension: &str) -> impl Iterator<Item = (&str, &CellSums)> {
        let named = self.names.of(dimension);
        let (begin, end) = named.map_or((0, 0), |named| (named.first, named.end()));
        let first = self.sums.partition_point(|sum| (sum.seat, sum.name) < (seat, begin));
        let own = self.sums[first..].iter().take_while(move |sum| sum.seat == seat && sum.name < end);
        own.filter_map(move |sum| Some((named?.cell(sum.name)?, &sum.sums)))
    }
}

impl Names {
    /// Of cells that are sorted by dimension.
    fn of_cells<'a>(cells: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut all: Vec<Named> = Vec::new();
        for (first, (dimension, cell)) in (0..).zip(cells) {
            match all.last_mut() {
                Some(last) if last.dimension == dimension => last.cells.push(cell.to_owned()),
                _ => all.push(Named { dimension: dimension.to_owned(), first, cells: vec![cell.to_owned()] }),
            }
        }
        Self(all)
    }

    fn of(&self, dimension: &str) -> Option<&Named> {
        let at = self.0.binary_search_by(|named| named.dimension.as_str().cmp(dimension));
        self.0.get(at.ok()?)
    }

    /// The place after the last.
    #[cfg(feature = "measures")]
    pub(super) fn end(&self) -> u32 {
        self.0.last().map_or(0, Named::end)
    }
}

impl Named {
    fn end(&self) -> u32 {
        self.first.saturating_add(place(self.cells.len()))
    }

    /// The cell at a place.
    fn cell(&self, place: u32) -> Option<&str> {
        let at = usize::try_from(place.checked_sub(self.first)?).ok()?;
        self.cells.get(at).map(String::as_str)
    }
}

fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Cells {
    /// Those of rows that are there, sorted as they are stored.
    #[must_use]
    pub fn of_rows(rows: &[CellRow]) -> Self {
        let mut gathered = Gathered::default();
        for row in rows {
            gathered.add((&row.match_id, row.seat), (&row.dimension, &row.cell), CellSums::of_row(row));
        }
        gathered.sorted()
    }

    /// Those of a match.
    #[must_use]
    pub fn of(&self, match_id: &str) -> MatchCells<'_> {
        let sums = self.matches.get(match_id).and_then(|range| self.sums.get(range.clone()));
        MatchCells { names: &self.names, sums: sums.unwrap_or_default() }
    }
}

/// Cells on their way, their names in the order they were met.
#[derive(Default)]
pub(super) struct Gathered<'a> {
    names: HashMap<(&'a str, &'a str), u32>,
    sums: Vec<Sum>,
    matches: Vec<(&'a str, Range<usize>)>,
}

impl<'a> Gathered<'a> {
    /// Adds a row.
    pub(super) fn add(&mut self, (match_id, seat): (&'a str, i64), cell: (&'a str, &'a str), sums: CellSums) {
        let next = place(self.names.len());
        let name = *self.names.entry(cell).or_insert(next);
        self.sums.push(Sum { seat, name, sums });
        let end = self.sums.len();
        match self.matches.last_mut() {
            Some((last, range)) if *last == match_id => range.end = end,
            _ => self.matches.push((match_id, end - 1..end)),
        }
    }

    /// All of them, their names sorted.
    pub(super) fn sorted(self) -> Cells {
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
        Cells {
            names: Names::of_cells(names.into_iter().map(|(cell, _)| cell)),
            sums: self.sums.into_iter().map(placed).collect(),
            matches: self.matches.into_iter().map(|(id, range)| (id.to_owned(), range)).collect(),
        }
    }
}
