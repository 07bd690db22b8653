//! A match as it is remembered of its bucket: all that the marts of its players are made of, errors apart.

use super::entry::CellSums;
use super::matches::Matches;
use super::played::Played;
use crate::tables::kept::Kept;
use crate::tables::partials::{CellRow, SequenceRow, WorstRow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The rows of a match.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Extract {
    played: Played,
    engine: String,
    /// Seat, dimension, cell.
    cells: Vec<(i64, String, String, CellSums)>,
    sequences: Vec<Kept<SequenceRow>>,
    worst: Vec<Kept<WorstRow>>,
}

/// The rows of some matches, each table sorted as it is stored.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) cells: Vec<CellRow>,
    pub(super) sequences: Vec<SequenceRow>,
    pub(super) worst: Vec<WorstRow>,
}

impl Rows {
    /// One for every match, in order.
    pub(super) fn extracts<'a>(&'a self, matches: &'a Matches) -> impl Iterator<Item = (&'a Played, Extract)> {
        let cells = by_match(&self.cells, |row| &row.match_id);
        let sequences = by_match(&self.sequences, |row| &row.match_id);
        let worst = by_match(&self.worst, |row| &row.match_id);
        matches.all().iter().map(move |(id, played)| {
            let extract = Extract {
                played: played.clone(),
                engine: matches.engine(id).to_owned(),
                cells: of(&cells, id).iter().map(cell).collect(),
                sequences: of(&sequences, id).iter().map(Kept::of).collect(),
                worst: of(&worst, id).iter().map(Kept::of).collect(),
            };
            (played, extract)
        })
    }

    /// Adds those of the match after the last; returns the match and its program. `None` when they are no such rows.
    pub(super) fn add(&mut self, extract: Extract) -> Option<(Played, String)> {
        let Extract { played, engine, cells, sequences, worst } = extract;
        let facts = &played.facts;
        self.cells.extend(cells.into_iter().map(|(seat, dimension, cell, sums)| {
            let (season, match_id) = (facts.season.clone(), facts.match_id.clone());
            sums.within(CellRow { season, match_id, seat, dimension, cell, ..CellRow::default() })
        }));
        for kept in &sequences {
            self.sequences.push(kept.row()?);
        }
        for kept in &worst {
            self.worst.push(kept.row()?);
        }
        Some((played, engine))
    }
}

fn cell(row: &CellRow) -> (i64, String, String, CellSums) {
    (row.seat, row.dimension.clone(), row.cell.clone(), CellSums::of(row))
}

fn by_match<R>(rows: &[R], match_id: fn(&R) -> &str) -> BTreeMap<&str, &[R]> {
    let runs = rows.chunk_by(move |a, b| match_id(a) == match_id(b));
    runs.filter_map(|own| Some((match_id(own.first()?), own))).collect()
}

fn of<'a, R>(rows: &BTreeMap<&str, &'a [R]>, match_id: &str) -> &'a [R] {
    rows.get(match_id).copied().unwrap_or_default()
}
