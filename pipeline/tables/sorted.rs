//! The rows of a table that stand sorted by a name, kept as the columns they lie in.
//!
//! Whoever makes few of many pages wants the rows of a few names, and of the others only to know whether they are what they
//! were. Here a name's rows are found by halving and hashed where they stand; rows are made of those that are asked for.

use super::columns::Columns;
use super::digest::Digest;
use super::fault::TableFault;
use super::lake::Listed;
use super::part;
use super::row::Row;
use rayon::prelude::*;
use std::marker::PhantomData;

/// Rows of a table by a column of names, those without a name first. Which rows are kept is up to whoever reads them.
pub struct Sorted<R: Row> {
    batches: Vec<Columns>,
    /// Batch and row of everything that is kept, in the order of the table.
    places: Vec<(u32, u32)>,
    name: usize,
    row: PhantomData<R>,
}

/// The largest value of a column that a row may have to be kept.
pub type AtMost = (&'static str, i64);

impl<R: Row> Sorted<R> {
    /// Reads these parts of the table, which together are sorted by the column `name`.
    ///
    /// # Errors
    /// As [`part::columns`].
    pub fn read(parts: &[Listed], name: &'static str, at_most: Option<AtMost>) -> Result<Self, TableFault> {
        let column = |name: &str| R::COLUMNS.iter().position(|column| column.name == name).unwrap_or_default();
        let bound = at_most.map(|(name, most)| (column(name), most));
        let read: Vec<Vec<Columns>> =
            parts.par_iter().map(|part| part::columns::<R>(&part.path)).collect::<Result<_, _>>()?;
        let batches: Vec<Columns> = read.into_iter().flatten().collect();
        let is_wanted = |batch: &Columns, row| {
            bound.is_none_or(|(column, most)| batch.int(row, column).is_some_and(|value| value <= most))
        };
        let mut places = Vec::new();
        for (at, batch) in (0u32..).zip(&batches) {
            places.extend((0u32..).zip(0..batch.rows()).filter(|(_, row)| is_wanted(batch, *row)).map(|of| (at, of.0)));
        }
        Ok(Self { batches, places, name: column(name), row: PhantomData })
    }

    /// The rows of a name. Every one of them can be made: no cell is absent that may not be.
    #[must_use]
    pub fn of(&self, name: &str) -> Vec<R> {
        self.stretch(name).filter_map(|(batch, row)| batch.row(row)).collect()
    }

    /// The cells of a name's rows, into a digest.
    pub fn hash(&self, name: &str, digest: &mut Digest) {
        digest.cells::<R>(self.stretch(name));
    }

    fn stretch(&self, name: &str) -> impl Iterator<Item = (&Columns, usize)> {
        let named = |place: &(u32, u32)| self.at(*place).and_then(|(batch, row)| batch.text(row, self.name));
        let first = self.places.partition_point(|place| named(place) < Some(name));
        let count = self.places[first..].partition_point(|place| named(place) == Some(name));
        self.places[first..first + count].iter().filter_map(|place| self.at(*place))
    }

    fn at(&self, (batch, row): (u32, u32)) -> Option<(&Columns, usize)> {
        Some((self.batches.get(usize::try_from(batch).ok()?)?, usize::try_from(row).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::lake::{Lake, WHOLE, season_parts, table_dir};
    use crate::tables::part::PartWriter;
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
    fn a_name_has_its_own_rows_and_their_digest() -> Result<(), Box<dyn Error>> {
        let root = tempfile::tempdir()?;
        let snapshot = Lake::at(root.path()).next();
        let rows = [
            row("Ada", "Bo", 3),
            row("Ada", "Cy", 9),
            row("Adaline", "Bo", 1),
            row("Bo", "Ada", 3),
            row("Bo", "Cy", 4),
        ];
        let mut writer =
            PartWriter::<HeadToHeadRow>::create(&table_dir(&snapshot, HeadToHeadRow::TABLE, "2026"), WHOLE)?;
        writer.push(&rows)?;
        writer.finish()?;
        let parts = season_parts(&snapshot, HeadToHeadRow::TABLE, "2026")?;
        let sorted = |at_most| Sorted::<HeadToHeadRow>::read(&parts, "player", at_most);
        let all = sorted(None)?;
        assert_eq!(all.of("Ada"), rows[..2]);
        assert_eq!(all.of("Bo"), rows[3..]);
        assert!(all.of("").is_empty() && all.of("Adal").is_empty() && all.of("Cy").is_empty());
        let few = sorted(Some(("matches", 3)))?;
        assert_eq!(few.of("Ada"), rows[..1]);

        let hashed = |sorted: &Sorted<HeadToHeadRow>, name: &str| {
            let mut digest = Digest::default();
            sorted.hash(name, &mut digest);
            digest.finish()
        };
        let mut digest = Digest::default();
        assert_eq!(hashed(&all, "Ada"), digest.rows(&rows[..2]).clone().finish());
        assert_ne!(hashed(&all, "Ada"), hashed(&few, "Ada"));
        assert_ne!(hashed(&all, "Ada"), hashed(&all, "Bo"));
        Ok(())
    }
}
