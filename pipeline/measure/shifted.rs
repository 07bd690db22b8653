//! Players who erred in a position of which other things are said than before: their reference positions may be others
//! though none of their own matches changed.
//!
//! What is compared is what a measure sees of the rulings, the distinct ones of a position; that one more analysis agrees
//! with those there are changes nothing. Only positions of the matches that changed are looked at, everywhere.

use super::MeasureFault;
use super::errors::{self, BATCH, taught};
use super::snapshot::{Snapshot, collect, numbers, present, rows_of, scan, texts};
use crate::tables::facts::MatchRow;
use crate::tables::partials::{ErrorRow, RulingRow};
use crate::tables::row::Row as _;
use polars::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Two snapshots, and the matches that are not the same in both.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The snapshot that was.
    pub before: &'a Path,
    /// The one that will be.
    pub after: &'a Path,
    /// Ids of matches that were added, removed, or analysed anew.
    pub matches: &'a BTreeSet<String>,
}

/// The distinct rulings (with whether they are rolled out) of positions.
type Said = BTreeMap<i64, BTreeSet<(String, bool)>>;

/// Who erred in a position of which something else is said.
///
/// # Errors
/// A table that cannot be read or does not fit its schema.
pub fn players(change: &Change<'_>) -> Result<BTreeSet<String>, MeasureFault> {
    let parts = Parts::of(change)?;
    let mut positions = positions(&parts.before, change.matches)?;
    positions.append(&mut self::positions(&parts.after, change.matches)?);
    if positions.is_empty() {
        return Ok(BTreeSet::new());
    }
    let common = said(&parts.common, &positions)?;
    let (before, after) = (said(&parts.before, &positions)?, said(&parts.after, &positions)?);
    let whole = |position: &i64, own: &Said| {
        let both = [common.get(position), own.get(position)];
        both.into_iter().flatten().flatten().cloned().collect::<BTreeSet<_>>()
    };
    let shifted: BTreeSet<i64> =
        positions.into_iter().filter(|position| whole(position, &before) != whole(position, &after)).collect();
    if shifted.is_empty() { Ok(BTreeSet::new()) } else { who_erred(Snapshot(change.after), &shifted) }
}

/// The parts of `rulings`: those in both snapshots, and those in one only.
#[derive(Default)]
struct Parts {
    common: Vec<PathBuf>,
    before: Vec<PathBuf>,
    after: Vec<PathBuf>,
}

impl Parts {
    fn of(change: &Change<'_>) -> Result<Self, MeasureFault> {
        let [before, after] = [all(Snapshot(change.before))?, all(Snapshot(change.after))?];
        let of = |own: &BTreeMap<PathBuf, PathBuf>, other: &BTreeMap<PathBuf, PathBuf>, shared: bool| {
            own.iter().filter(|(name, _)| other.contains_key(*name) == shared).map(|(_, path)| path.clone()).collect()
        };
        Ok(Self {
            common: of(&after, &before, true),
            before: of(&before, &after, false),
            after: of(&after, &before, false),
        })
    }
}

/// Every part, by its season and name; the name tells the bytes.
fn all(snapshot: Snapshot<'_>) -> Result<BTreeMap<PathBuf, PathBuf>, MeasureFault> {
    let mut parts = BTreeMap::new();
    for season in snapshot.seasons(&[RulingRow::TABLE])? {
        for path in snapshot.parts::<RulingRow>(&season)? {
            if let Some(name) = path.file_name() {
                parts.insert(season.join(name), path);
            }
        }
    }
    Ok(parts)
}

/// The positions of some matches.
fn positions(parts: &[PathBuf], matches: &BTreeSet<String>) -> Result<BTreeSet<i64>, MeasureFault> {
    let mut positions = BTreeSet::new();
    for batch in parts.chunks(BATCH) {
        let frame = collect::<RulingRow>(scan::<RulingRow>(batch)?.select([col("match_id"), col("position")]))?;
        let ids = texts::<RulingRow>(&frame, "match_id")?.iter();
        let found = ids.zip(numbers::<RulingRow>(&frame, "position")?.iter());
        positions.extend(found.filter(|(id, _)| id.is_some_and(|id| matches.contains(id))).filter_map(|(_, at)| at));
    }
    Ok(positions)
}

fn said(parts: &[PathBuf], wanted: &BTreeSet<i64>) -> Result<Said, MeasureFault> {
    let mut said = Said::new();
    for batch in parts.chunks(BATCH) {
        for (position, ruling) in errors::said(batch, wanted)? {
            said.entry(position).or_default().insert((ruling.right, ruling.rollout));
        }
    }
    Ok(said)
}

/// Whose lessons show one of the positions.
fn who_erred(snapshot: Snapshot<'_>, positions: &BTreeSet<i64>) -> Result<BTreeSet<String>, MeasureFault> {
    let mut players = BTreeSet::new();
    for season in snapshot.seasons(&[ErrorRow::TABLE])? {
        let matches: BTreeMap<String, [String; 2]> = rows_of::<MatchRow>(&snapshot.parts::<MatchRow>(&season)?)?
            .into_iter()
            .map(|row| (row.match_id, [row.player_1, row.player_2]))
            .collect();
        for batch in snapshot.parts::<ErrorRow>(&season)?.chunks(BATCH) {
            let columns = [col("match_id"), col("seat"), col("position_key")];
            let frame = collect::<ErrorRow>(scan::<ErrorRow>(batch)?.filter(taught()).select(columns))?;
            let (ids, keys) = (texts::<ErrorRow>(&frame, "match_id")?, texts::<ErrorRow>(&frame, "position_key")?);
            let seats = numbers::<ErrorRow>(&frame, "seat")?;
            for at in 0..frame.height() {
                let key = present::<ErrorRow, _>(keys.get(at))?;
                if !positions.contains(&RulingRow::position_of(key)) {
                    continue;
                }
                let seat = seats.get(at).and_then(|seat| usize::try_from(seat - 1).ok());
                let of = ids.get(at).and_then(|id| matches.get(id));
                players.extend(of.zip(seat).and_then(|(of, seat)| of.get(seat)).cloned());
            }
        }
    }
    Ok(players)
}
