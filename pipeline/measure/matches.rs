//! A season's matches as a snapshot has them: their facts, what their moments add up to, who analysed them.
//!
//! Moments are read some parts at a time and added row by row: whole numbers, so neither the engine that reads them nor
//! the order of rows can be seen in a single bit of a figure. What is held is one batch of moments and the season's sums.

use super::MeasureFault;
use super::played::{Facts, Played};
use super::scope::Scope;
use super::snapshot::{Snapshot, made_of, rows_of};
use crate::tables::columns::Columns;
use crate::tables::facts::{AnalysisRow, MatchRow};
use crate::tables::partials::MomentRow;
use crate::tables::row::Row;
use std::collections::BTreeMap;
use std::path::Path;

/// Parts that are read at a time: about 2,000 matches, 150,000 rows, 40 MB.
pub(super) const BATCH: usize = 32;

/// The program of a match without a primary analysis.
const NO_ENGINE: &str = "none";

/// A season's matches.
pub(super) struct Matches {
    played: BTreeMap<String, Played>,
    engines: BTreeMap<String, String>,
}

impl Matches {
    /// Of one season, with their sums.
    ///
    /// # Errors
    /// A table that cannot be read or does not fit its schema, moments of a match that is not in `matches`.
    pub(super) fn of(snapshot: Snapshot<'_>, season: &Path, scope: &Scope) -> Result<Self, MeasureFault> {
        let mut played = BTreeMap::new();
        for row in snapshot.rows::<MatchRow>(season)? {
            let mut facts = Facts::of(&row)?;
            facts.asked = [&row.player_1, &row.player_2].map(|player| scope.holds(player));
            played.insert(row.match_id, Played::new(facts));
        }
        let mut matches = Self { played, engines: BTreeMap::new() };
        matches.analyses(snapshot, season)?;
        for batch in snapshot.parts::<MomentRow>(season)?.chunks(BATCH) {
            for row in rows_of::<MomentRow>(batch)? {
                let of = matches.played.get_mut(&row.match_id);
                of.ok_or_else(|| orphan::<MomentRow>(&row.match_id))?.add(&row)?;
            }
        }
        Ok(matches)
    }

    /// Who made each primary analysis, and whether the file is one that eXtreme Gammon itself wrote.
    fn analyses(&mut self, snapshot: Snapshot<'_>, season: &Path) -> Result<(), MeasureFault> {
        let columns = ["primary", "match_id", "engine", "format", "made_by_portes"];
        let primary = |rows: &Columns, row: usize| {
            let own_print = rows.text(row, 3) == Some("xg") && !rows.flag(row, 4);
            rows.flag(row, 0)
                .then(|| Some((rows.text(row, 1)?.to_owned(), rows.text(row, 2)?.to_owned(), own_print)))?
        };
        for (match_id, engine, own_print) in
            made_of::<AnalysisRow, _>(&snapshot.parts::<AnalysisRow>(season)?, &columns, primary)?
        {
            if let Some(played) = self.played.get_mut(&match_id) {
                played.facts.xg |= own_print;
            }
            self.engines.insert(match_id, engine);
        }
        Ok(())
    }

    /// All, by match id.
    pub(super) const fn all(&self) -> &BTreeMap<String, Played> {
        &self.played
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
