//! The columnar plans: sums of moments over one season at a time, then the pure functions finish.
//!
//! Two plans per batch of parts: sums by (match, seat, kind), which every pool adds up, and first moments by (match,
//! game, seat), the units of a match's intervals. Both only add Int64 columns. Memory is one batch of moments, one
//! season of sums, and what the rows themselves take.

use super::played::{Facts, Played, Unit};
use super::player::{Ledger, Marts};
use super::scope::Scope;
use super::snapshot::{Snapshot, collect, numbers, present, scan, texts};
use super::sums::{Nature, Sums};
use super::{MeasureFault, Settings, interval::CountUnit};
use crate::tables::facts::{AnalysisRow, MatchRow};
use crate::tables::partials::MomentRow;
use crate::tables::row::Row;
use polars::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Parts a plan reads at a time: about 2,000 matches, 150,000 rows, 40 MB.
pub(super) const BATCH: usize = 32;

/// Finishes every player's figures from a snapshot's `matches`, `analyses` and `moments`.
///
/// # Errors
/// A table that cannot be read or does not fit its schema, moments of a match that is not in `matches`.
pub fn marts(snapshot: &Path, settings: &Settings, scope: &Scope) -> Result<Marts, MeasureFault> {
    let snapshot = Snapshot(snapshot);
    let mut ledger = Ledger::new(*settings);
    for season in snapshot.seasons(&[MatchRow::TABLE, MomentRow::TABLE])? {
        for played in season_of(snapshot, &season, scope)?.values() {
            ledger.enter(played);
        }
    }
    Ok(ledger.close())
}

/// A season's matches with their sums, by match id.
pub(super) fn season_of(
    snapshot: Snapshot<'_>,
    season: &Path,
    scope: &Scope,
) -> Result<BTreeMap<String, Played>, MeasureFault> {
    let mut matches = BTreeMap::new();
    for row in snapshot.rows::<MatchRow>(season)? {
        let mut facts = Facts::of(&row)?;
        facts.asked = [&row.player_1, &row.player_2].map(|player| scope.holds(player));
        matches.insert(row.match_id, Played::new(facts));
    }
    for match_id in printed_by_xg(snapshot, season)? {
        if let Some(played) = matches.get_mut(&match_id) {
            played.facts.xg = true;
        }
    }
    for batch in snapshot.parts::<MomentRow>(season)?.chunks(BATCH) {
        add_sums(&mut matches, batch)?;
        add_games(&mut matches, batch)?;
    }
    Ok(matches)
}

/// Matches whose primary analysis is a file eXtreme Gammon itself wrote.
fn printed_by_xg(snapshot: Snapshot<'_>, season: &Path) -> Result<Vec<String>, MeasureFault> {
    let parts = snapshot.parts::<AnalysisRow>(season)?;
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let own_print = col("primary").and(col("format").eq(lit("xg"))).and(col("made_by_portes").not());
    let frame = collect::<AnalysisRow>(scan::<AnalysisRow>(&parts)?.filter(own_print).select([col("match_id")]))?;
    Ok(texts::<AnalysisRow>(&frame, "match_id")?.iter().flatten().map(str::to_owned).collect())
}

/// The match a row of sums belongs to.
fn owner<'m>(
    matches: &'m mut BTreeMap<String, Played>,
    match_id: Option<&str>,
) -> Result<&'m mut Played, MeasureFault> {
    let match_id = present::<MomentRow, _>(match_id)?;
    matches
        .get_mut(match_id)
        .ok_or_else(|| MeasureFault::Orphan { table: MomentRow::TABLE, match_id: match_id.to_owned() })
}

fn add_sums(matches: &mut BTreeMap<String, Played>, parts: &[PathBuf]) -> Result<(), MeasureFault> {
    let sums: Vec<Expr> = Sums::COLUMNS.iter().map(|column| col(*column).sum()).collect();
    let plan = scan::<MomentRow>(parts)?.group_by([col("match_id"), col("seat"), col("kind")]).agg(sums);
    let frame = collect::<MomentRow>(plan)?;
    let match_ids = texts::<MomentRow>(&frame, "match_id")?;
    let kinds = texts::<MomentRow>(&frame, "kind")?;
    let seats = numbers::<MomentRow>(&frame, "seat")?;
    let column = |name: &&str| numbers::<MomentRow>(&frame, name);
    let columns = Sums::COLUMNS.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    for at in 0..frame.height() {
        let mut cells = columns.iter();
        let sums = Sums::read(|| present::<MomentRow, _>(cells.next().and_then(|column| column.get(at))))?;
        let nature = Nature::of_kind(present::<MomentRow, _>(kinds.get(at))?)?;
        let seat = present::<MomentRow, _>(seats.get(at))?;
        owner(matches, match_ids.get(at))?.add_sums(seat, nature, &sums)?;
    }
    Ok(())
}

/// The first moments of a game, checker plays and cube actions apart.
fn add_games(matches: &mut BTreeMap<String, Played>, parts: &[PathBuf]) -> Result<(), MeasureFault> {
    let checker = || col("kind").eq(lit("checker"));
    let plan = scan::<MomentRow>(parts)?.group_by([col("match_id"), col("game"), col("seat")]).agg([
        col("mpt").filter(checker()).sum().alias("checker_mpt"),
        col("counted").filter(checker()).sum().alias("checker_counted"),
        col("mpt").filter(checker().not()).sum().alias("cube_mpt"),
        col("counted").filter(checker().not()).sum().alias("cube_counted"),
        col("loss").sum(),
    ]);
    let frame = collect::<MomentRow>(plan)?;
    let match_ids = texts::<MomentRow>(&frame, "match_id")?;
    let column = |name| numbers::<MomentRow>(&frame, name);
    let (games, seats, losses) = (column("game")?, column("seat")?, column("loss")?);
    let checker = (column("checker_mpt")?, column("checker_counted")?);
    let cube = (column("cube_mpt")?, column("cube_counted")?);
    for at in 0..frame.height() {
        let cell = |column: &Int64Chunked| present::<MomentRow, _>(column.get(at));
        let count = |(amount, size): (&Int64Chunked, &Int64Chunked)| {
            Ok::<_, MeasureFault>(CountUnit { amount: cell(amount)?, size: cell(size)? })
        };
        let unit = Unit { checker: count(checker)?, cube: count(cube)?, loss: cell(losses)? };
        owner(matches, match_ids.get(at))?.add_game(cell(games)?, cell(seats)?, unit)?;
    }
    Ok(())
}
