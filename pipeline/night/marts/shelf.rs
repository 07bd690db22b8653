//! Marts of players: rows come some at a time, in the order of the table's key, and go to the part of their season.
//!
//! One part a season, empty ones too, so that whoever reads the table always finds its columns; a table that reaches over
//! seasons has one part. Between the rows that are made stand those of the snapshot before that stay.

use super::Desk;
use crate::measure::errors::Lists;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, ALL_SEASONS, WHOLE};
use crate::tables::merge::{Merging, Stays};
use crate::tables::row::Row;
use crate::tables::snapshot::Building;
use crate::tables::study_marts::{FamilyPositionRow, TournamentFamilyRow};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The snapshot whose rows are taken over, and which.
type Before<'a> = (Option<&'a Path>, Stays<'a>);

/// Nothing is taken over.
pub(super) const NOTHING: Before<'static> = (None, &|_, _| false);

/// A mart on its way.
struct Shelf<'a, R: Row> {
    building: &'a Building,
    season_of: fn(&R) -> &str,
    parts: BTreeMap<&'a str, Merging<R>>,
    stays: Stays<'a>,
}

impl<'a, R: Row> Shelf<'a, R> {
    fn open(
        building: &'a Building,
        (seasons, season_of): (&'a [String], fn(&R) -> &str),
        (snapshot, stays): Before<'a>,
    ) -> Result<Self, TableFault> {
        let over_all = reaches_over_seasons::<R>().then_some(ALL_SEASONS);
        let each = seasons.iter().map(String::as_str).filter(|_| over_all.is_none());
        let mut parts = BTreeMap::new();
        for season in over_all.into_iter().chain(each) {
            let stored = snapshot.map(|snapshot| lake::season_parts(snapshot, R::TABLE, season)).transpose()?;
            let place = lake::table_dir(building.dir(), R::TABLE, season);
            parts.insert(season, Merging::create((&place, WHOLE), stored.unwrap_or_default())?);
        }
        Ok(Self { building, season_of, parts, stays })
    }

    /// Rows of a season that has no file are of no part.
    fn put(&mut self, rows: &[R]) -> Result<(), TableFault> {
        let season_of = self.season_of;
        for own in rows.chunk_by(|a, b| season_of(a) == season_of(b)) {
            if let Some(part) = own.first().and_then(|row| self.parts.get_mut(season_of(row))) {
                part.push(own, self.stays)?;
            }
        }
        Ok(())
    }

    /// Tells how many rows there are.
    fn end(self) -> Result<usize, TableFault> {
        let (mut wanted, mut count) = (BTreeMap::new(), 0);
        for (season, part) in self.parts {
            let part = part.finish(self.stays)?;
            count += usize::try_from(part.rows).unwrap_or(usize::MAX);
            wanted.insert(season, BTreeSet::from([part.name()]));
        }
        self.building.keep_only(R::TABLE, &wanted)?;
        Ok(count)
    }
}

/// Tables whose question reaches over seasons lie in the season `all`.
fn reaches_over_seasons<R: Row>() -> bool {
    ["player_career", "rolling", "trend", "before_after"].contains(&R::TABLE)
}

/// Writes a mart whose rows are all there. Tells how many rows it has.
pub(super) fn shelve<R: Row>(
    building: &Building,
    rows: Vec<R>,
    seasons: (&[String], fn(&R) -> &str),
    before: Before<'_>,
) -> Result<usize, TableFault> {
    let mut shelf = Shelf::open(building, seasons, before)?;
    shelf.put(&rows)?;
    drop(rows);
    shelf.end()
}

/// The marts whose rows are never all there at once.
pub(super) struct Shelves<'a> {
    positions: Shelf<'a, FamilyPositionRow>,
    families: Shelf<'a, TournamentFamilyRow>,
}

impl<'a> Shelves<'a> {
    /// `stays` says of the positions and of the families which stay.
    pub(super) fn open(desk: &'a Desk<'a>, stays: (Stays<'a>, Stays<'a>)) -> Result<Self, TableFault> {
        let Desk { building, seasons, .. } = *desk;
        Ok(Self {
            positions: Shelf::open(
                building,
                (seasons, |row: &FamilyPositionRow| &row.season),
                (desk.before(), stays.0),
            )?,
            families: Shelf::open(
                building,
                (seasons, |row: &TournamentFamilyRow| &row.season),
                (desk.before(), stays.1),
            )?,
        })
    }

    /// Tells how many rows there are.
    pub(super) fn end(self) -> Result<usize, TableFault> {
        Ok(self.positions.end()? + self.families.end()?)
    }
}

impl Lists for Shelves<'_> {
    fn positions(&mut self, rows: Vec<FamilyPositionRow>) -> Result<(), TableFault> {
        self.positions.put(&rows)
    }

    fn families(&mut self, rows: Vec<TournamentFamilyRow>) -> Result<(), TableFault> {
        self.families.put(&rows)
    }
}
