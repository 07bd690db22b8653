//! What the lake holds, in words for a terminal.

use super::fault::NightFault;
use super::pages::Pages;
use super::record;
use super::steps::Night;
use super::support::Support;
use crate::config::Settings;
use crate::tables::facts::{MatchRow, SourceRow};
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use crate::tables::row::Day;
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
    for row in sources.iter().filter(|row| row.status == "quarantined") {
        _ = writeln!(out, "rejected: {}", sentence(row));
    }
    out
}

/// What became of a snapshot that was newer than the one that counted when the run began.
#[must_use]
pub fn after_rollback(before: u64, left: u64, night: &Night) -> String {
    let made = if night.is_new {
        format!("the files below raw/ make another: it is published as snapshot {}", night.published.number)
    } else {
        format!("the files below raw/ make the same: snapshot {before} goes on counting")
    };
    format!(
        "snapshot {before} counted although there was a newer one, {left} (a rollback, or a run that was killed); {made}\n"
    )
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
    let numbers = lake.numbers()?;
    let kept: Vec<String> = numbers.iter().map(u64::to_string).collect();
    _ = writeln!(out, "snapshots kept: {}", kept.join(", "));
    let newest = numbers.last().copied().unwrap_or(number);
    if newest > number {
        _ = writeln!(out, "snapshot {newest} is newer and does not count (a rollback); the next run removes it");
    }
    out.push_str(&record::last(&lake).map_or_else(String::new, |record| record.words()));
    for (what, folder) in [("lake", lake.root()), ("reports", settings.reports.as_path())] {
        let said = Support::below(folder).map_or_else(|| "cannot be written by you".to_owned(), Support::words);
        _ = writeln!(out, "file system of the {what}: {said}");
    }
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

/// A date as people write it for programs; `undated` where there is none.
pub(super) fn day(day: Option<Day>) -> String {
    let date = day.and_then(|day| {
        let span = jiff::Span::new().try_days(day.0).ok()?;
        jiff::civil::date(1970, 1, 1).checked_add(span).ok()
    });
    date.map_or_else(|| "undated".to_owned(), |date| date.to_string())
}

/// Text of a file on a terminal: control characters and overrides of direction are escaped.
#[must_use]
pub fn terminal(text: &str) -> String {
    let risky = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if risky(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}
