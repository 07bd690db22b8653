//! Warnings: what breaks no contract and yet is seldom right.

use super::{Findings, Matches, columns_of};
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Listed};
use crate::tables::part;
use crate::tables::partials::MomentRow;
use crate::tables::row::Row;
use rayon::prelude::*;
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

impl Totals {
    const fn add(&mut self, other: &Self) {
        self.decisions += other.decisions;
        self.cube += other.cube;
        self.rated += other.rated;
        self.mpt += other.mpt;
    }
}

/// The totals of each match of a part.
fn of_part(listed: &Listed) -> Result<Vec<(String, Totals)>, TableFault> {
    let columns = columns_of::<MomentRow>(&["match_id", "kind", "n", "rated", "rated_mpt"]);
    let mut totals: Vec<(String, Totals)> = Vec::new();
    part::scan(&listed.path, (MomentRow::TABLE, &columns), &mut |batch| {
        for row in 0..batch.rows() {
            let id = batch.text(row, 0).unwrap_or_default();
            let int = |column| batch.int(row, column).unwrap_or_default();
            let cube = if batch.text(row, 1) == Some("checker") { 0 } else { int(2) };
            let seen = Totals { decisions: int(2), cube, rated: int(3), mpt: int(4) };
            match totals.last_mut() {
                Some((last, total)) if last == id => total.add(&seen),
                _ => totals.push((id.to_owned(), seen)),
            }
        }
        Ok(())
    })?;
    Ok(totals)
}

/// Every warning of one season.
pub(super) fn check(
    dir: &Path,
    season: &str,
    (matches, findings): (&Matches, &mut Findings),
) -> Result<(), TableFault> {
    let table = MomentRow::TABLE;
    let of_season = matches.known.iter().filter(|(_, known)| known.season == season);
    let mut totals: BTreeMap<&str, Totals> = of_season.map(|(id, _)| (id.as_str(), Totals::default())).collect();
    let parts = lake::season_parts(dir, table, season)?;
    for (id, of_part) in parts.par_iter().map(of_part).collect::<Result<Vec<_>, TableFault>>()?.into_iter().flatten() {
        if let Some(total) = totals.get_mut(id.as_str()) {
            total.add(&of_part);
        }
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
