//! Warnings: what breaks no contract and yet is seldom right.

use super::{Findings, Matches, columns_of};
use crate::tables::fault::TableFault;
use crate::tables::lake;
use crate::tables::part;
use crate::tables::partials::MomentRow;
use crate::tables::row::Row;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

/// Fewer is a file that broke off at once; more is no single match.
const DECISIONS: RangeInclusive<i64> = 5..=5000;

/// A mean error above 0.2 per rated decision is beyond any player: the analysis or its reading is wrong.
const MEAN_ERROR_MPT: i64 = 200;

/// What the warnings need of a match.
#[derive(Default)]
struct Totals {
    decisions: i64,
    cube: i64,
    rated: i64,
    mpt: i64,
}

/// Every warning of one season.
pub(super) fn check(
    dir: &Path,
    season: &str,
    (matches, findings): (&Matches, &mut Findings),
) -> Result<(), TableFault> {
    let table = MomentRow::TABLE;
    let columns = columns_of::<MomentRow>(&["match_id", "kind", "n", "rated", "rated_mpt"]);
    let of_season = matches.known.iter().filter(|(_, known)| known.season == season);
    let mut totals: BTreeMap<&str, Totals> = of_season.map(|(id, _)| (id.as_str(), Totals::default())).collect();
    for listed in lake::season_parts(dir, table, season)? {
        part::scan(&listed.path, (table, &columns), &mut |batch| {
            for row in 0..batch.rows() {
                let int = |column| batch.int(row, column).unwrap_or_default();
                let Some(total) = batch.text(row, 0).and_then(|id| totals.get_mut(id)) else { continue };
                total.decisions += int(2);
                total.cube += if batch.text(row, 1) == Some("checker") { 0 } else { int(2) };
                total.rated += int(3);
                total.mpt += int(4);
            }
            Ok(())
        })?;
    }
    for (id, total) in &totals {
        decisions_per_match(id, total, findings);
        mean_error(id, total, findings);
    }
    let points = |id: &&str| matches.known.get(*id).is_some_and(|known| known.points);
    let match_play: Vec<&Totals> = totals.iter().filter(|(id, _)| points(id)).map(|(_, total)| total).collect();
    if !match_play.is_empty() && match_play.iter().all(|total| total.cube == 0) {
        let sentence = format!("season {season}: match play without any cube decision");
        findings.warn(("no_cube_decision", table), None, sentence);
    }
    Ok(())
}

fn decisions_per_match(id: &str, total: &Totals, findings: &mut Findings) {
    if !DECISIONS.contains(&total.decisions) {
        let sentence = format!("match {id} has {} decisions", total.decisions);
        findings.warn(("decisions_per_match", MomentRow::TABLE), Some(id), sentence);
    }
}

fn mean_error(id: &str, total: &Totals, findings: &mut Findings) {
    if total.mpt > MEAN_ERROR_MPT * total.rated {
        let sentence = format!("match {id}: {} mpt over {} rated decisions", total.mpt, total.rated);
        findings.warn(("mean_error", MomentRow::TABLE), Some(id), sentence);
    }
}
