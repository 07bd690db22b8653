//! What the lake holds, in words for a terminal.

use super::fault::NightFault;
use super::pages::Pages;
use super::steps::Night;
use crate::config::Settings;
use crate::tables::facts::{MatchRow, SourceRow};
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The summary of a run: one line, and one for each file that could not be used.
#[must_use]
pub fn summary(night: &Night, pages: &Pages) -> String {
    let mut out = String::new();
    let mut seasons: BTreeMap<&str, usize> = BTreeMap::new();
    for played in &night.resolution.matches {
        *seasons.entry(&played.season).or_default() += 1;
    }
    let list: Vec<String> = seasons.iter().map(|(season, n)| format!("{} {n}", terminal(season))).collect();
    let sources = &night.resolution.sources;
    _ = writeln!(
        out,
        "{}: {}; {} matches ({}), {} decisions; {pages}",
        night.fresh.summary(sources.len()),
        statuses(sources),
        night.written.matches,
        list.join(", "),
        night.written.decisions,
    );
    for row in night.resolution.rejected() {
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
    let snapshot = lake.snapshot(number);
    for listed in lake::parts(&snapshot, "sources")? {
        let rows: Vec<SourceRow> = part::read(&listed.path)?;
        seasons.entry(listed.season).or_default().0 += rows.len();
        all.extend(rows);
    }
    for listed in lake::parts(&snapshot, "matches")? {
        let rows: Vec<MatchRow> = part::read(&listed.path)?;
        seasons.entry(listed.season).or_default().1 += rows.len();
    }
    for (season, (files, matches)) in &seasons {
        _ = writeln!(out, "season {}: {files} files, {matches} matches", terminal(season));
    }
    _ = writeln!(out, "files: {}", statuses(&all));
    for row in all.iter().filter(|row| row.status != "ok") {
        _ = writeln!(out, "{}: {}", row.status, sentence(row));
    }
    Ok(out)
}

/// How many files ended how.
pub(super) fn statuses(rows: &[SourceRow]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(&row.status).or_default() += 1;
    }
    counts.iter().map(|(status, n)| format!("{n} {status}")).collect::<Vec<_>>().join(", ")
}

/// File, offset and reason in one sentence.
pub(super) fn sentence(row: &SourceRow) -> String {
    let at = row.offset.map_or_else(String::new, |offset| format!(" at byte {offset}"));
    let detail = row.detail.as_deref().unwrap_or_default();
    let reason = row.reason.as_deref().unwrap_or_default();
    format!("{}: {}{at} ({})", terminal(&row.path), terminal(detail), terminal(reason))
}

/// Text of a file on a terminal: control characters and overrides of direction are escaped.
#[must_use]
pub fn terminal(text: &str) -> String {
    let risky = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if risky(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}
