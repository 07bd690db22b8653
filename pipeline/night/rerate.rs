//! Rating again what is stored: a part is read back, rated from its own integers, and written anew.
//!
//! Unless a rule or a threshold changed, the bytes are the same; that is a promise (`design.md` 2), and the reason why
//! this stage can exist without the raw files.

use super::amount::amount;
use crate::config::Settings;
use crate::rate::{self, partials, rulings};
use crate::tables::durable;
use crate::tables::facts::{AnalysisRow, CandidateRow, DecisionRow, OtherCandidateRow, OtherDecisionRow};
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Listed};
use crate::tables::part::{self, PartWriter};
use crate::tables::partials::RulingRow;
use crate::tables::row::{self, Row};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// Tables that are rated: decisions, other decisions, and the five partials made of them.
const PARTS: usize = 7;

/// How many parts came out as they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rerated {
    /// Parts rated again.
    pub parts: usize,
    /// Parts whose bytes changed.
    pub changed: usize,
}

impl std::fmt::Display for Rerated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} rated again, {} changed", amount(self.parts, "part"), self.changed)
    }
}

/// Rates every decision of the snapshot in `dir` again and replaces the parts whose bytes change.
///
/// # Errors
/// When a part cannot be read or written.
pub fn rerate(dir: &Path, settings: &Settings) -> Result<Rerated, TableFault> {
    let listed = lake::parts(dir, DecisionRow::TABLE)?;
    let changed: Vec<[usize; PARTS]> = listed
        .par_iter()
        .map(|listed| {
            let mut said = Vec::new();
            let [decisions, moments, cells, errors, sequences] = primary(dir, (listed, settings), &mut said)?;
            let others = others(dir, (listed, settings), &mut said)?;
            row::sort(&mut said);
            Ok([decisions, moments, cells, errors, sequences, others, replace(dir, listed, &said)?])
        })
        .collect::<Result<_, TableFault>>()?;
    Ok(Rerated { parts: listed.len() * PARTS, changed: changed.iter().flatten().sum() })
}

fn primary(
    dir: &Path,
    (listed, settings): (&Listed, &Settings),
    said: &mut Vec<RulingRow>,
) -> Result<[usize; 5], TableFault> {
    let mut decisions: Vec<DecisionRow> = beside(dir, listed)?;
    let candidates: Vec<CandidateRow> = beside(dir, listed)?;
    rate::rate(&mut decisions, &candidates, &settings.rules);
    let partials = partials::partials(&decisions, &candidates, &settings.rules);
    let sources: BTreeMap<String, String> = beside::<AnalysisRow>(dir, listed)?
        .into_iter()
        .filter(|row| row.primary)
        .map(|row| (row.match_id, row.source_id))
        .collect();
    for of_match in decisions.chunk_by(|a, b| a.match_id == b.match_id) {
        let source = of_match.first().and_then(|row| sources.get(&row.match_id));
        said.extend(source.map(|source| rulings::rulings(of_match, source)).unwrap_or_default());
    }
    Ok([
        replace(dir, listed, &decisions)?,
        replace(dir, listed, &partials.moments)?,
        replace(dir, listed, &partials.cells)?,
        replace(dir, listed, &partials.errors)?,
        replace(dir, listed, &partials.sequences)?,
    ])
}

/// The other analyses of a bucket, one source at a time: their decisions share ids.
fn others(
    dir: &Path,
    (listed, settings): (&Listed, &Settings),
    said: &mut Vec<RulingRow>,
) -> Result<usize, TableFault> {
    let rows: Vec<OtherDecisionRow> = beside(dir, listed)?;
    let mut candidates: BTreeMap<(String, String), Vec<CandidateRow>> = BTreeMap::new();
    for row in beside::<OtherCandidateRow>(dir, listed)? {
        let match_id = row.decision_id.split('-').next().unwrap_or_default().to_owned();
        let (source, row) = row.into_primary();
        candidates.entry((match_id, source)).or_default().push(row);
    }
    let mut rated = Vec::with_capacity(rows.len());
    for source in rows.chunk_by(|a, b| (&a.match_id, &a.source_id) == (&b.match_id, &b.source_id)) {
        let Some(first) = source.first() else { continue };
        let key = (first.match_id.clone(), first.source_id.clone());
        let mut decisions: Vec<DecisionRow> = source.iter().cloned().map(|row| row.into_primary().1).collect();
        rate::rate(&mut decisions, candidates.get(&key).map_or(&[], Vec::as_slice), &settings.rules);
        said.extend(rulings::rulings(&decisions, &key.1));
        rated.extend(decisions.into_iter().map(|row| row.of_source(&key.1)));
    }
    replace(dir, listed, &rated)
}

/// The rows of another table of the same bucket.
fn beside<R: Row>(from: &Path, listed: &Listed) -> Result<Vec<R>, TableFault> {
    let mut rows = Vec::new();
    for part in lake::season_parts(from, R::TABLE, &listed.season)?.iter().filter(|part| part.bucket == listed.bucket) {
        rows.extend(part::read::<R>(&part.path)?);
    }
    Ok(rows)
}

/// Writes the rows in the place of what the bucket holds; 1 when that changed its bytes, else 0.
fn replace<R: Row>(dir: &Path, listed: &Listed, rows: &[R]) -> Result<usize, TableFault> {
    let before = lake::season_parts(dir, R::TABLE, &listed.season)?;
    let mut writer = PartWriter::<R>::create(&lake::table_dir(dir, R::TABLE, &listed.season), &listed.bucket)?;
    writer.push(rows)?;
    let written = writer.finish()?;
    let mut changed = 0;
    for old in before.iter().filter(|old| old.bucket == listed.bucket && old.path != written.path) {
        durable::remove_file(&old.path)?;
        changed = 1;
    }
    Ok(changed)
}
