//! A part made of rows that are new and of stored rows that stay: both in the order of the table's key, and the stored ones
//! copied column by column, so that no row is made of what nobody changed.
//!
//! The bytes are those of the same rows pushed one by one. Memory: a batch of stored columns, and the rows that are brought
//! at a time.

use super::batches::Batches;
use super::columns::Columns;
use super::fault::TableFault;
use super::lake::Listed;
use super::part::{BATCH_ROWS, Part, PartWriter};
use super::row::{self, Column, KeyCell, Row, Value};
use std::cmp::Ordering;
use std::path::Path;

/// Whether a stored row stays; its batch has every column of the table, in their order.
pub type Stays<'a> = &'a dyn Fn(&Columns, usize) -> bool;

/// Writes one part into a folder, under this bucket's label.
///
/// # Errors
/// When a stored part cannot be read, rows are not in the order of their key, or the disk cannot be written.
pub fn write<R: Row>(
    place: (&Path, &str),
    made: &[R],
    (stored, stays): (&[Listed], Stays<'_>),
) -> Result<Part, TableFault> {
    let mut merging = Merging::<R>::create(place, stored.to_vec())?;
    merging.push(made, stays)?;
    merging.finish(stays)
}

/// A part on its way: rows that are made come some at a time, and before each goes what is stored before it.
pub struct Merging<R: Row> {
    writer: PartWriter<R>,
    stored: Stored,
    /// Places of the key columns in the table.
    key: Vec<usize>,
}

impl<R: Row> Merging<R> {
    /// Begins a part in a folder, under this bucket's label, that takes rows of these stored parts over.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn create((dir, bucket): (&Path, &str), stored: Vec<Listed>) -> Result<Self, TableFault> {
        let place = |name: &&str| R::COLUMNS.iter().position(|column| column.name == *name);
        Ok(Self {
            writer: PartWriter::create(dir, bucket)?,
            stored: Stored { left: stored.into_iter(), table: R::TABLE, columns: R::COLUMNS, open: None, batch: None },
            key: R::KEY.iter().filter_map(place).collect(),
        })
    }

    /// Adds rows, in key order.
    ///
    /// # Errors
    /// As [`write`].
    pub fn push(&mut self, made: &[R], stays: Stays<'_>) -> Result<(), TableFault> {
        let mut rest = made;
        while let Some(first) = rest.first() {
            if !self.stored.is_at_row()? {
                return self.writer.push(rest);
            }
            self.copy_before(&row::key(first), stays)?;
            self.writer.push(std::slice::from_ref(first))?;
            rest = &rest[1..];
        }
        Ok(())
    }

    /// The stored rows that stay and come before a key.
    fn copy_before(&mut self, next: &[KeyCell], stays: Stays<'_>) -> Result<(), TableFault> {
        let key = &self.key;
        self.stored.copy(&mut self.writer, stays, |batch, row| comes_before(next, (batch, row), key))
    }

    /// Ends the part with what is stored after the last row.
    ///
    /// # Errors
    /// As [`write`].
    pub fn finish(mut self, stays: Stays<'_>) -> Result<Part, TableFault> {
        self.stored.copy(&mut self.writer, stays, |_, _| false)?;
        self.writer.finish()
    }
}

/// Rows of stored parts, one batch of them at hand.
struct Stored {
    left: std::vec::IntoIter<Listed>,
    table: &'static str,
    columns: &'static [Column],
    open: Option<Batches>,
    /// And which row is next.
    batch: Option<(Columns, usize)>,
}

impl Stored {
    /// Whether a row is left; its batch is at hand then.
    fn is_at_row(&mut self) -> Result<bool, TableFault> {
        loop {
            if self.batch.as_ref().is_some_and(|(batch, row)| *row < batch.rows()) {
                return Ok(true);
            }
            self.batch = None;
            if let Some(batch) = self.open.as_mut().and_then(Iterator::next) {
                self.batch = Some((batch?, 0));
            } else if let Some(listed) = self.left.next() {
                let columns: Vec<&'static Column> = self.columns.iter().collect();
                self.open = Some(Batches::open(&listed.path, (self.table, &columns), BATCH_ROWS)?);
            } else {
                return Ok(false);
            }
        }
    }

    /// Copies rows that stay, up to the first of these that `ends` it.
    fn copy<R: Row>(
        &mut self,
        writer: &mut PartWriter<R>,
        stays: Stays<'_>,
        ends: impl Fn(&Columns, usize) -> bool,
    ) -> Result<(), TableFault> {
        while self.is_at_row()? {
            let Some((batch, row)) = &mut self.batch else { return Ok(()) };
            let first = *row;
            let goes_on = |row: usize| row < batch.rows() && stays(batch, row) && !ends(batch, row);
            while goes_on(*row) {
                *row += 1;
            }
            writer.copy_now(batch, first..*row)?;
            if *row < batch.rows() {
                if stays(batch, *row) {
                    return Ok(());
                }
                *row += 1;
            }
        }
        Ok(())
    }
}

/// A row with this key comes before a stored one.
fn comes_before(next: &[KeyCell], (batch, row): (&Columns, usize), key: &[usize]) -> bool {
    let cells = next.iter().zip(key).map(|(cell, column)| order(cell, &batch.at(row, *column)));
    cells.fold(Ordering::Equal, Ordering::then) == Ordering::Less
}

/// A cell of a key against one of a column of the same kind.
fn order(cell: &KeyCell, stored: &Value<'_>) -> Ordering {
    match (cell, stored) {
        (KeyCell::Absent, Value::Null | Value::Float(_)) => Ordering::Equal,
        (KeyCell::Absent, _) => Ordering::Less,
        (_, Value::Null | Value::Float(_)) => Ordering::Greater,
        (KeyCell::Text(own), Value::Text(other)) => own.as_str().cmp(other),
        (KeyCell::Whole(own), Value::Int(other)) => own.cmp(other),
        (KeyCell::Whole(own), Value::Day(other)) => own.cmp(&i64::from(*other)),
        (KeyCell::Whole(own), Value::Flag(other)) => own.cmp(&i64::from(*other)),
        (KeyCell::Text(_), _) => Ordering::Less,
        (KeyCell::Whole(_), Value::Text(_)) => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::lake::{Lake, WHOLE, season_parts, table_dir};
    use crate::tables::part;
    use crate::tables::study_marts::HeadToHeadRow;
    use std::error::Error;

    fn row(player: &str, opponent: &str, matches: i64) -> HeadToHeadRow {
        HeadToHeadRow {
            season: "2026".into(),
            player: player.into(),
            opponent: opponent.into(),
            matches,
            ..HeadToHeadRow::default()
        }
    }

    #[test]
    fn what_is_merged_is_what_would_have_been_pushed() -> Result<(), Box<dyn Error>> {
        let root = tempfile::tempdir()?;
        let place = |name: &str| table_dir(&Lake::at(root.path().join(name)).next(), HeadToHeadRow::TABLE, "2026");
        let stored = [row("Ada", "Bo", 3), row("Ada", "Cy", 9), row("Bo", "Ada", 3), row("Dee", "Bo", 1)];
        let made =
            [row("Aa", "Bo", 7), row("Bo", "Ada", 4), row("Bo", "Cy", 5), row("Dee", "Cy", 2), row("Ed", "Bo", 1)];
        let mut writer = PartWriter::create(&place("before"), WHOLE)?;
        writer.push(&stored)?;
        writer.finish()?;
        let before = season_parts(&Lake::at(root.path().join("before")).next(), HeadToHeadRow::TABLE, "2026")?;
        let player = HeadToHeadRow::COLUMNS.iter().position(|column| column.name == "player").unwrap_or_default();
        let stays = |batch: &Columns, row: usize| batch.text(row, player) != Some("Bo");
        let merged = write((&place("merged"), WHOLE), &made, (&before, &stays))?;
        let mut merging = Merging::create((&place("pieces"), WHOLE), before)?;
        for some in made.chunks(2) {
            merging.push(some, &stays)?;
        }
        assert_eq!(merging.finish(&stays)?.name(), merged.name());
        let mut rows: Vec<HeadToHeadRow> = stored.into_iter().filter(|row| row.player != "Bo").chain(made).collect();
        crate::tables::row::sort(&mut rows);
        assert_eq!(part::read::<HeadToHeadRow>(&merged.path)?, rows);
        let mut writer = PartWriter::create(&place("pushed"), WHOLE)?;
        writer.push(&rows)?;
        assert_eq!(writer.finish()?.name(), merged.name());
        Ok(())
    }
}
