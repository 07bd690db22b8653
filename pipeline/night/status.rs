//! What the lake holds, in words for a terminal.

use super::build::Written;
use super::fault::NightFault;
use super::names;
use super::pages::Pages;
use super::resolve::Resolution;
use crate::config::Settings;
use crate::config::quoted::acts;
use crate::tables::facts::{MatchRow, SourceRow};
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The summary of a run: one line a season and one for what could not be used.
#[must_use]
pub fn summary(resolution: &Resolution, written: Written, pages: &Pages) -> String {
    let mut out = String::new();
    let mut seasons: BTreeMap<&str, usize> = BTreeMap::new();
    for played in &resolution.matches {
        *seasons.entry(&played.season).or_default() += 1;
    }
    let list: Vec<String> = seasons.iter().map(|(season, n)| format!("{} {n}", terminal(season))).collect();
    _ = writeln!(
        out,
        "{} files: {}; {} matches ({}), {} decisions; {pages}",
        resolution.sources.len(),
        statuses(&resolution.sources),
        written.matches,
        list.join(", "),
        written.decisions,
    );
    for row in resolution.sources.iter().filter(|row| row.status == "quarantined") {
        _ = writeln!(out, "rejected: {}", sentence(row));
    }
    out
}

/// What the lake holds, and every file that it could not use in full.
///
/// # Errors
/// [`NightFault::Empty`], or tables that cannot be read.
pub fn status(settings: &Settings) -> Result<String, NightFault> {
    let lake = Lake::at(settings.lake());
    let Some(number) = lake.current_number()? else {
        return Err(NightFault::Empty(lake.root().to_path_buf()));
    };
    let mut out = format!("snapshot {number}\n");
    let mut all: Vec<SourceRow> = Vec::new();
    let mut seasons: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for listed in lake::parts(&lake.current(), "sources")? {
        let rows: Vec<SourceRow> = part::read(&listed.path)?;
        seasons.entry(listed.season).or_default().0 += rows.len();
        all.extend(rows);
    }
    for listed in lake::parts(&lake.current(), "matches")? {
        let rows: Vec<MatchRow> = part::read(&listed.path)?;
        seasons.entry(listed.season).or_default().1 += rows.len();
    }
    for (season, (files, matches)) in &seasons {
        _ = writeln!(out, "season {}: {files} files, {matches} matches", terminal(season));
    }
    _ = writeln!(out, "files: {}", statuses(&all));
    let alike = names::suggestions(&names::played(&lake.current(), settings)?, settings).len();
    if alike > 0 {
        _ = writeln!(out, "names: {alike} written in more than one way: portes names suggests aliases");
    }
    for row in all.iter().filter(|row| row.status != "ok") {
        _ = writeln!(out, "{}: {}", row.status, sentence(row));
    }
    Ok(out)
}

fn statuses(rows: &[SourceRow]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(&row.status).or_default() += 1;
    }
    counts.iter().map(|(status, n)| format!("{n} {status}")).collect::<Vec<_>>().join(", ")
}

/// File, offset and reason in one sentence.
fn sentence(row: &SourceRow) -> String {
    let at = row.offset.map_or_else(String::new, |offset| format!(" at byte {offset}"));
    let detail = row.detail.as_deref().unwrap_or_default();
    let reason = row.reason.as_deref().unwrap_or_default();
    format!("{}: {}{at} ({})", terminal(&row.path), terminal(detail), terminal(reason))
}

/// Text of a file on a terminal: control characters and overrides of direction are escaped.
#[must_use]
pub fn terminal(text: &str) -> String {
    text.chars().map(|c| if acts(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}
