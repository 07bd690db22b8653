//! Rating again what is stored: a part is read back, rated from its own integers, and written anew.
//!
//! Unless a rule or a threshold changed, the bytes are the same; that is a promise (`design.md` 2), and the reason why
//! this stage can exist without the raw files.

use crate::config::Settings;
use crate::rate::{self, moments};
use crate::tables::facts::{CandidateRow, DecisionRow, OtherCandidateRow, OtherDecisionRow};
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Listed};
use crate::tables::part::{self, PartWriter};
use crate::tables::partials::MomentRow;
use crate::tables::row::Row;
use rayon::prelude::*;
use std::path::Path;

/// Rates every part of `from` again and writes decisions, other decisions and moments below `to`.
///
/// # Errors
/// When a part cannot be read or written.
pub fn rerate(from: &Path, to: &Path, settings: &Settings) -> Result<(), TableFault> {
    lake::parts(from, DecisionRow::TABLE)?
        .par_iter()
        .map(|listed| {
            primary(from, to, (listed, settings))?;
            others(from, to, (listed, settings))
        })
        .collect()
}

fn primary(from: &Path, to: &Path, (listed, settings): (&Listed, &Settings)) -> Result<(), TableFault> {
    let mut decisions: Vec<DecisionRow> = beside(from, listed)?;
    let candidates: Vec<CandidateRow> = beside(from, listed)?;
    rate::rate(&mut decisions, &candidates, &settings.rules);
    let moments: Vec<MomentRow> = moments::moments(&decisions, &settings.rules);
    write(to, listed, &decisions)?;
    write(to, listed, &moments)
}

/// The other analyses of a bucket, one source at a time: their decisions share ids.
fn others(from: &Path, to: &Path, (listed, settings): (&Listed, &Settings)) -> Result<(), TableFault> {
    let mut rows: Vec<OtherDecisionRow> = beside(from, listed)?;
    let mut candidates: Vec<OtherCandidateRow> = beside(from, listed)?;
    candidates.sort_by(|a, b| (&a.source_id, &a.decision_id, a.rank).cmp(&(&b.source_id, &b.decision_id, b.rank)));
    let mut rated = Vec::with_capacity(rows.len());
    rows.sort_by(|a, b| (&a.match_id, &a.source_id, a.game, a.order).cmp(&(&b.match_id, &b.source_id, b.game, b.order)));
    for source in rows.chunk_by(|a, b| (&a.match_id, &a.source_id) == (&b.match_id, &b.source_id)) {
        let Some(first) = source.first() else { continue };
        let (mut decisions, id) = (Vec::with_capacity(source.len()), first.source_id.clone());
        decisions.extend(source.iter().cloned().map(|row| row.into_primary().1));
        let own: Vec<CandidateRow> = candidates
            .iter()
            .filter(|row| row.source_id == id && row.decision_id.starts_with(&first.match_id))
            .cloned()
            .map(|row| row.into_primary().1)
            .collect();
        rate::rate(&mut decisions, &own, &settings.rules);
        rated.extend(decisions.into_iter().map(|row| row.of_source(&id)));
    }
    write(to, listed, &rated)
}

/// The rows of another table of the same bucket.
fn beside<R: Row>(from: &Path, listed: &Listed) -> Result<Vec<R>, TableFault> {
    let mut rows = Vec::new();
    for part in lake::season_parts(from, R::TABLE, &listed.season)?.iter().filter(|part| part.bucket == listed.bucket) {
        rows.extend(part::read::<R>(&part.path)?);
    }
    Ok(rows)
}

fn write<R: Row>(to: &Path, listed: &Listed, rows: &[R]) -> Result<(), TableFault> {
    let mut writer = PartWriter::<R>::create(&lake::table_dir(to, R::TABLE, &listed.season), &listed.bucket)?;
    writer.push(rows)?;
    writer.finish()?;
    Ok(())
}
