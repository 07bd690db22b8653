//! Players who erred in a position of which other things are said than before: their reference positions may be others
//! though none of their own matches changed.
//!
//! What is compared is what a measure sees of the rulings, the distinct ones of a position; that one more analysis agrees
//! with those there are changes nothing. Only positions of the matches that changed are looked at, everywhere.

use super::MeasureFault;
use super::errors::BATCH;
use super::said::{Asked, Memory, Wanted};
use super::snapshot::{Snapshot, made_of, side_by_side};
use crate::tables::columns::Columns;
use crate::tables::facts::MatchRow;
use crate::tables::part;
use crate::tables::partials::{ErrorRow, RulingRow};
use crate::tables::row::{Row as _, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Two snapshots, and the matches that are not the same in both: one that was analysed anew went and came.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The snapshot that was.
    pub before: &'a Path,
    /// The one that will be.
    pub after: &'a Path,
    /// Ids of matches that went.
    pub gone: &'a BTreeSet<&'a str>,
    /// Ids of matches that came.
    pub come: &'a BTreeSet<&'a str>,
}

/// The distinct rulings (with whether they are rolled out) of positions.
type Said = BTreeMap<i64, BTreeSet<(String, bool)>>;

/// Who erred in a position of which something else is said.
///
/// # Errors
/// A table that cannot be read or does not fit its schema; what `memory` cannot write.
pub fn players(change: &Change<'_>, memory: &dyn Memory) -> Result<BTreeSet<String>, MeasureFault> {
    let parts = Parts::of(change)?;
    let mut positions = positions(&parts.before, change.gone)?;
    positions.append(&mut self::positions(&parts.after, change.come)?);
    if positions.is_empty() {
        return Ok(BTreeSet::new());
    }
    let wanted = Wanted::of(&positions);
    let said = |parts: &[PathBuf], asked| said(parts, &wanted, (memory, asked));
    let common = said(&parts.common, Asked::Again)?;
    let (before, after) = (said(&parts.before, Asked::Last)?, said(&parts.after, Asked::Again)?);
    let whole = |position: &i64, own: &Said| {
        let both = [common.get(position), own.get(position)];
        both.into_iter().flatten().flatten().cloned().collect::<BTreeSet<_>>()
    };
    let shifted: BTreeSet<i64> =
        positions.iter().copied().filter(|position| whole(position, &before) != whole(position, &after)).collect();
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
fn positions(parts: &[PathBuf], matches: &BTreeSet<&str>) -> Result<BTreeSet<i64>, MeasureFault> {
    if matches.is_empty() {
        return Ok(BTreeSet::new());
    }
    let columns = part::key_columns(RulingRow::COLUMNS, &["match_id", "position"]);
    let of = |rulings: &Columns, row: usize| {
        rulings.text(row, 0).filter(|match_id| matches.contains(*match_id)).and_then(|_| rulings.int(row, 1))
    };
    let positions = side_by_side(parts, |path| {
        let mut own = Vec::new();
        part::scan_for(path, (RulingRow::TABLE, &columns), ("match_id", matches), &mut |batch| {
            own.extend((0..batch.rows()).filter_map(|row| of(batch, row)));
            Ok(())
        })?;
        Ok(own)
    })?;
    Ok(positions.into_iter().collect())
}

fn said(parts: &[PathBuf], wanted: &Wanted<'_>, (memory, asked): (&dyn Memory, Asked)) -> Result<Said, MeasureFault> {
    let mut said = Said::new();
    for batch in parts.chunks(BATCH) {
        for (position, ruling) in super::said::said(batch, wanted, (memory, asked))? {
            said.entry(position).or_default().insert((ruling.right, ruling.rollout));
        }
    }
    Ok(said)
}

/// Whose lessons show one of the positions.
fn who_erred(snapshot: Snapshot<'_>, positions: &BTreeSet<i64>) -> Result<BTreeSet<String>, MeasureFault> {
    let mut players = BTreeSet::new();
    let columns = ["match_id", "seat", "loss", "difficulty", "theme", "position_key"];
    let shown = |errors: &Columns, row: usize| {
        let is_taught = (2..=4).all(|column| errors.at(row, column) != Value::Null);
        let key = errors.text(row, 5).filter(|_| is_taught)?;
        positions
            .contains(&RulingRow::position_of(key))
            .then(|| Some((errors.text(row, 0)?.to_owned(), errors.int(row, 1)?)))?
    };
    for season in snapshot.seasons(&[ErrorRow::TABLE])? {
        let erred: BTreeSet<(String, i64)> =
            made_of::<ErrorRow, _>(&snapshot.parts::<ErrorRow>(&season)?, &columns, shown)?.into_iter().collect();
        let seats = |rows: &Columns, row: usize| {
            let match_id = rows.text(row, 0)?;
            let of = |seat: i64, column| {
                erred.contains(&(match_id.to_owned(), seat)).then(|| rows.text(row, column).map(str::to_owned))?
            };
            Some([of(1, 1), of(2, 2)])
        };
        let names = ["match_id", "player_1", "player_2"];
        let named = made_of::<MatchRow, _>(&snapshot.parts::<MatchRow>(&season)?, &names, seats)?;
        players.extend(named.into_iter().flatten().flatten());
    }
    Ok(players)
}
