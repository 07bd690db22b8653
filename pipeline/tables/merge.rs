//! A part made of rows that are new and of stored rows that stay: both in the order of the table's key, and the stored ones
//! copied column by column, so that no row is made of what nobody changed.
//!
//! The bytes are those of the same rows pushed one by one. Memory: a batch of stored columns.

use super::columns::Columns;
use super::fault::TableFault;
use super::lake::Listed;
use super::part::{self, Part, PartWriter};
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
    (dir, bucket): (&Path, &str),
    made: &[R],
    (stored, stays): (&[Listed], Stays<'_>),
) -> Result<Part, TableFault> {
    let mut merging = Merging::of(PartWriter::<R>::create(dir, bucket)?, made);
    let columns: Vec<&'static Column> = R::COLUMNS.iter().collect();
    for listed in stored {
        part::scan(&listed.path, (R::TABLE, &columns), &mut |batch| merging.copy(batch, stays))?;
    }
    merging.finish()
}

struct Merging<'a, R: Row> {
    writer: PartWriter<R>,
    /// What is made and not written yet.
    made: &'a [R],
    /// The key of its first row.
    next: Option<Vec<KeyCell>>,
    /// Places of the key columns in the table.
    key: Vec<usize>,
}

impl<'a, R: Row> Merging<'a, R> {
    fn of(writer: PartWriter<R>, made: &'a [R]) -> Self {
        let place = |name: &&str| R::COLUMNS.iter().position(|column| column.name == *name);
        Self { writer, made, next: made.first().map(row::key), key: R::KEY.iter().filter_map(place).collect() }
    }

    /// The stored rows of a batch that stay, and before each what comes before it.
    fn copy(&mut self, batch: &Columns, stays: Stays<'_>) -> Result<(), TableFault> {
        let mut row = 0;
        while row < batch.rows() {
            if !stays(batch, row) {
                row += 1;
                continue;
            }
            self.push_before(batch, row)?;
            let first = row;
            row += 1;
            while row < batch.rows() && stays(batch, row) && !self.comes_before(batch, row) {
                row += 1;
            }
            self.writer.copy_now(batch, first..row)?;
        }
        Ok(())
    }

    /// The next new row comes before a stored one.
    fn comes_before(&self, batch: &Columns, row: usize) -> bool {
        let Some(next) = &self.next else { return false };
        let cells = next.iter().zip(&self.key).map(|(cell, column)| order(cell, &batch.at(row, *column)));
        cells.fold(Ordering::Equal, Ordering::then) == Ordering::Less
    }

    fn push_before(&mut self, batch: &Columns, row: usize) -> Result<(), TableFault> {
        while self.comes_before(batch, row)
            && let Some((first, rest)) = self.made.split_first()
        {
            self.writer.push(std::slice::from_ref(first))?;
            (self.made, self.next) = (rest, rest.first().map(row::key));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Part, TableFault> {
        self.writer.push(self.made)?;
        self.writer.finish()
    }
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
        let mut rows: Vec<HeadToHeadRow> = stored.into_iter().filter(|row| row.player != "Bo").chain(made).collect();
        crate::tables::row::sort(&mut rows);
        assert_eq!(part::read::<HeadToHeadRow>(&merged.path)?, rows);
        let mut writer = PartWriter::create(&place("pushed"), WHOLE)?;
        writer.push(&rows)?;
        assert_eq!(writer.finish()?.name(), merged.name());
        Ok(())
    }
}
