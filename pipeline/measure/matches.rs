//! A bucket's matches as a snapshot has them: their facts, what their moments add up to, who analysed them.
//!
//! Moments are added row by row: whole numbers, so neither the engine that reads them nor the order of rows can be seen in
//! a single bit of a figure.

use super::MeasureFault;
use super::bucket::Bucket;
use super::played::{Facts, Played};
use super::snapshot::{made_of, rows_of};
use crate::tables::columns::Columns;
use crate::tables::facts::{AnalysisRow, MatchRow};
use crate::tables::partials::MomentRow;
use crate::tables::row::Row;
use std::collections::{BTreeMap, BTreeSet};

/// The program of a match without a primary analysis.
const NO_ENGINE: &str = "none";

/// Some matches of a bucket.
#[derive(Default)]
pub(super) struct Matches {
    played: BTreeMap<String, Played>,
    engines: BTreeMap<String, String>,
    /// Whether the bucket has others.
    are_some: bool,
}

impl Matches {
    /// Those of a bucket, without their sums.
    ///
    /// # Errors
    /// A table that cannot be read or does not fit its schema.
    pub(super) fn of(bucket: &Bucket) -> Result<Self, MeasureFault> {
        let mut matches = Self::default();
        for row in rows_of::<MatchRow>(&bucket.parts::<MatchRow>())? {
            let facts = Facts::of(&row)?;
            matches.played.insert(row.match_id, Played::new(facts));
        }
        matches.analyses(bucket)?;
        Ok(matches)
    }

    /// One that is remembered, with its sums, and the program of its primary analysis.
    pub(super) fn recall(&mut self, played: Played, engine: String) {
        let id = played.facts.match_id.clone();
        self.engines.insert(id.clone(), engine);
        self.played.insert(id, played);
    }

    /// The bucket has one that is not among them.
    pub(super) const fn pass_over(&mut self) {
        self.are_some = true;
    }

    /// Adds their sums.
    ///
    /// # Errors
    /// A kind or a seat there is not, moments of a match that is not in `matches`.
    pub(super) fn add(&mut self, moments: &[MomentRow]) -> Result<(), MeasureFault> {
        for row in moments {
            let of = self.played.get_mut(&row.match_id);
            of.ok_or_else(|| orphan::<MomentRow>(&row.match_id))?.add(row)?;
        }
        Ok(())
    }

    /// Who made each primary analysis, and whether the file is one that eXtreme Gammon itself wrote.
    fn analyses(&mut self, bucket: &Bucket) -> Result<(), MeasureFault> {
        let columns = ["primary", "match_id", "engine", "format", "made_by_portes"];
        let primary = |rows: &Columns, row: usize| {
            let own_print = rows.text(row, 3) == Some("xg") && !rows.flag(row, 4);
            rows.flag(row, 0)
                .then(|| Some((rows.text(row, 1)?.to_owned(), rows.text(row, 2)?.to_owned(), own_print)))?
        };
        for (match_id, engine, own_print) in
            made_of::<AnalysisRow, _>(&bucket.parts::<AnalysisRow>(), &columns, primary)?
        {
            if let Some(played) = self.played.get_mut(&match_id) {
                played.facts.xg |= own_print;
                self.engines.insert(match_id, engine);
            }
        }
        Ok(())
    }

    /// The ids of those that are here; `None` where none of the bucket is missing.
    pub(super) fn ids(&self) -> Option<BTreeSet<&str>> {
        self.are_some.then(|| self.played.keys().map(String::as_str).collect())
    }

    /// All, by match id.
    pub(super) const fn all(&self) -> &BTreeMap<String, Played> {
        &self.played
    }

    /// The facts of all.
    pub(super) fn facts(&mut self) -> impl Iterator<Item = &mut Facts> {
        self.played.values_mut().map(|played| &mut played.facts)
    }

    /// The match a row of a table belongs to.
    ///
    /// # Errors
    /// [`MeasureFault::Orphan`].
    pub(super) fn owner<R: Row>(&self, match_id: &str) -> Result<&Played, MeasureFault> {
        self.played.get(match_id).ok_or_else(|| orphan::<R>(match_id))
    }

    /// The program of a match's primary analysis.
    pub(super) fn engine(&self, match_id: &str) -> &str {
        self.engines.get(match_id).map_or(NO_ENGINE, String::as_str)
    }
}

fn orphan<R: Row>(match_id: &str) -> MeasureFault {
    MeasureFault::Orphan { table: R::TABLE, match_id: match_id.to_owned() }
}
