//! What the nights before told of the month under way.
//!
//! The parts that the last night left of it hold that already, so no checkpoint repeats it: a night of ten matches would
//! otherwise read and write the filings and the advice of hundreds. They are read as the columns they lie in, and what is
//! told tonight goes among them. A part that is gone or has other bytes than its name says makes the place to go on from
//! none, and the month is filed again.

use super::programme::Month;
use super::rows::Written;
use super::start::find;
use super::store::Parts;
use crate::tables::academy::{AcademyAdviceRow, AcademyContestRow, AcademyFilingRow, AcademyRatingRow};
use crate::tables::columns::Columns;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Listed};
use crate::tables::part::{self, PartWriter};
use crate::tables::row::{Column, Row};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// The parts of a month, row by row in the order of their tables.
pub(super) struct Earlier {
    pub(super) contests: Columns,
    pub(super) ratings: Columns,
    pub(super) filings: Columns,
    pub(super) advice: Columns,
}

impl Earlier {
    /// Reads these parts of a month; `None` unless all of them are whole.
    pub(super) fn read(parts: &Parts, month: &Month, snapshots: &[PathBuf]) -> Option<Self> {
        let from = (parts, month, snapshots);
        Some(Self {
            contests: of_table::<AcademyContestRow>(from)?,
            ratings: of_table::<AcademyRatingRow>(from)?,
            filings: of_table::<AcademyFilingRow>(from)?,
            advice: of_table::<AcademyAdviceRow>(from)?,
        })
    }

    /// Place of its last contest in the one order of all.
    pub(super) fn position(&self) -> u64 {
        let column = place_of::<AcademyContestRow>("position").unwrap_or_default();
        let positions = (0..self.contests.rows()).filter_map(|row| self.contests.int(row, column));
        positions.max().and_then(|position| u64::try_from(position).ok()).unwrap_or(0)
    }
}

fn of_table<R: Row>((parts, month, snapshots): (&Parts, &Month, &[PathBuf])) -> Option<Columns> {
    let name = parts.get(R::TABLE)?;
    let path = find(snapshots, (R::TABLE, &month.season, name))?;
    let listed = Listed { season: month.season.clone(), bucket: month.label.clone(), name: name.clone(), path };
    let bytes = part::whole_bytes(&listed).ok()??;
    let columns: Vec<&'static Column> = R::COLUMNS.iter().collect();
    part::whole_of((bytes, &listed.path), (R::TABLE, &columns)).ok()
}

fn place_of<R: Row>(name: &str) -> Option<usize> {
    R::COLUMNS.iter().position(|column| column.name == name)
}

/// Writes rows that come in the order of their key, and those of earlier nights among them.
pub(super) fn push<R: Row>(
    (dir, season, bucket): (&Path, &str, &str),
    earlier: Option<&Columns>,
    rows: impl Iterator<Item = R>,
) -> Result<Written, TableFault> {
    let mut writer = PartWriter::<R>::create(&lake::table_dir(dir, R::TABLE, season), bucket)?;
    let key: Vec<usize> = R::KEY.iter().filter_map(|name| place_of::<R>(name)).collect();
    let mut copied = 0;
    for row in rows {
        if let Some(stored) = earlier {
            let next = copied + count_before(copied..stored.rows(), |at| order(stored, at, (&row, &key)).is_lt());
            writer.copy_now(stored, copied..next)?;
            copied = next;
        }
        writer.push(&[row])?;
    }
    if let Some(stored) = earlier {
        writer.copy_now(stored, copied..stored.rows())?;
    }
    Ok((R::TABLE, writer.finish()?.name()))
}

/// How many of these, from the first on, are `before`. Most rows follow the one that was written last.
fn count_before(range: std::ops::Range<usize>, before: impl Fn(usize) -> bool) -> usize {
    let (start, mut from, mut to) = (range.start, range.start, range.end);
    if from == to || !before(from) {
        return 0;
    }
    while from < to {
        let middle = from.midpoint(to);
        if before(middle) { from = middle + 1 } else { to = middle }
    }
    from - start
}

/// How a stored row stands to a new one, by the columns of the key in their order.
fn order<R: Row>(stored: &Columns, at: usize, (row, key): (&R, &[usize])) -> Ordering {
    let mut first: Option<(usize, Ordering)> = None;
    row.values(&mut |column, value| {
        let Some(place) = key.iter().position(|of| *of == column) else { return };
        let order = stored.at(at, column).order(&value);
        if order.is_ne() && first.is_none_or(|(other, _)| place < other) {
            first = Some((place, order));
        }
    });
    first.map_or(Ordering::Equal, |(_, order)| order)
}
