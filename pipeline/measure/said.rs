//! What analyses say of some positions, out of the largest of the partials.
//!
//! `rulings` has a row per analysed decision, and few of them are of a position that somebody asks about. So the positions
//! are read alone, and what is said only where one is wanted.

use super::MeasureFault;
use super::reference::rulings::Ruling;
use super::snapshot::side_by_side;
use crate::tables::columns::Columns;
use crate::tables::fault::TableFault;
use crate::tables::part;
use crate::tables::partials::RulingRow;
use crate::tables::row::Row as _;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Leading bits of a position by which most of those are told apart that nobody wants: a table that stays in a cache of the
/// processor, sparse with tens of thousands of positions.
const LEADING: u32 = 20;

/// Bits of a position's short number.
const BITS: u32 = 63;

/// Positions that are asked about, by their short numbers, which are hashes.
pub(super) struct Wanted<'a> {
    all: &'a BTreeSet<i64>,
    /// A bit for the leading bits of each.
    leading: Vec<bool>,
}

impl<'a> Wanted<'a> {
    pub(super) fn of(all: &'a BTreeSet<i64>) -> Self {
        let mut leading = vec![false; 1 << LEADING];
        for position in all {
            if let Some(bit) = leading.get_mut(first_bits(*position)) {
                *bit = true;
            }
        }
        Self { all, leading }
    }

    fn holds(&self, position: i64) -> bool {
        self.leading.get(first_bits(position)).is_none_or(|bit| *bit) && self.all.contains(&position)
    }
}

/// Past the table for what is no short number of a position.
fn first_bits(position: i64) -> usize {
    usize::try_from(position >> (BITS - LEADING)).unwrap_or(usize::MAX)
}

/// What some parts of `rulings` say of the wanted positions, in the order of their rows.
///
/// # Errors
/// A part that cannot be read or does not fit the schema.
pub(super) fn said(parts: &[PathBuf], wanted: &Wanted<'_>) -> Result<Vec<(i64, Ruling)>, MeasureFault> {
    side_by_side(parts, |path| {
        let (runs, rows) = rows_of(path, wanted)?;
        let mut said = Vec::new();
        if !runs.is_empty() {
            let columns = part::key_columns(RulingRow::COLUMNS, &["position", "ruling", "rollout"]);
            part::scan_rows(path, (RulingRow::TABLE, &columns), (runs, rows), &mut |batch| {
                said.extend((0..batch.rows()).filter_map(|row| ruling(batch, row)));
                Ok(())
            })?;
        }
        Ok(said)
    })
}

/// Where in a part the wanted positions stand, and how many rows it has.
fn rows_of(path: &Path, wanted: &Wanted<'_>) -> Result<(Vec<Range<usize>>, usize), TableFault> {
    let (mut runs, mut passed) = (Vec::<Range<usize>>::new(), 0);
    let columns = part::key_columns(RulingRow::COLUMNS, &["position"]);
    part::scan(path, (RulingRow::TABLE, &columns), &mut |batch| {
        for row in (0..batch.rows()).filter(|row| batch.int(*row, 0).is_some_and(|position| wanted.holds(position))) {
            let at = passed + row;
            match runs.last_mut() {
                Some(run) if run.end == at => run.end += 1,
                _ => runs.push(at..at + 1),
            }
        }
        passed += batch.rows();
        Ok(())
    })?;
    Ok((runs, passed))
}

fn ruling(batch: &Columns, row: usize) -> Option<(i64, Ruling)> {
    let (position, right) = (batch.int(row, 0)?, batch.text(row, 1)?);
    Some((position, Ruling { right: right.to_owned(), rollout: batch.flag(row, 2) }))
}
