//! What the lake holds, in words for a terminal.

use super::amount::amount;
use super::fault::NightFault;
use super::record;
use super::steps::Night;
use super::support::Support;
use super::{names, walk};
use crate::config::Settings;
use crate::config::quoted::acts;
use crate::ingest::study::date::Reading;
use crate::ingest::study::log;
use crate::tables::facts::{MatchRow, SourceRow};
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use crate::tables::row::{Day, Row};
use crate::tables::study::TreatedPositionRow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The summary of a run: one line, and one for each file that could not be used.
#[must_use]
pub fn summary(night: &Night) -> String {
    let pages = &night.pages;
    let mut out = String::new();
    let sources = &night.resolution.sources;
    let mut seasons: BTreeMap<&str, usize> = BTreeMap::new();
    for played in &night.resolution.matches {
        *seasons.entry(&played.season).or_default() += 1;
    }
    let list: Vec<String> = seasons.iter().map(|(season, n)| format!("{} {n}", terminal(season))).collect();
    if sources.is_empty() {
        _ = writeln!(out, "{}; the lake is empty; {pages}", night.fresh.summary());
        return out;
    }
    let list = if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) };
    _ = writeln!(
        out,
        "{}{}: {}; {}{list}, {}; {pages}",
        night.fresh.summary(),
        inside(sources),
        statuses(sources),
        amount(night.written.matches, "match"),
        amount(night.written.decisions, "decision"),
    );
    for row in night.resolution.sources.iter().filter_map(complaint) {
        _ = writeln!(out, "{row}");
    }
    out
}

/// What somebody has to see to: a file that was rejected, or cannot be read.
#[must_use]
pub fn complaint(row: &SourceRow) -> Option<String> {
    let what = match (row.is_rejected(), row.is_unread()) {
        (true, _) => "rejected",
        (false, true) => "not read",
        (false, false) => return None,
    };
    Some(format!("{what}: {}", sentence(row)))
}

/// Things told one by one; more are counted.
pub(super) const NAMED: usize = 20;

/// The first of some sentences, and how many more there are.
pub(super) fn listed(all: &[String]) -> String {
    let more = (all.len() > NAMED).then(|| format!("and {} more", all.len() - NAMED));
    all.iter().take(NAMED).cloned().chain(more).collect::<Vec<_>>().join("; ")
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
        "snapshot {before} counted although there was a newer one, {left} (a rollback, or a run that was killed); {made}"
    )
}

/// How many of the entries lie in archives: they are counted beside the archives themselves.
fn inside(sources: &[SourceRow]) -> String {
    match sources.iter().filter(|row| row.path.contains("!/")).count() {
        0 => String::new(),
        members => format!(" and {members} in archives"),
    }
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
        let said = match Support::below(folder) {
            Some(found) => found.words(),
            None if folder.try_exists().is_ok_and(|exists| !exists) => "does not exist yet".to_owned(),
            None => "cannot be written by you".to_owned(),
        };
        _ = writeln!(out, "file system of the {what}: {said}");
    }
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
        _ = writeln!(out, "season {}: {}, {}", terminal(season), amount(*files, "file"), amount(*matches, "match"));
    }
    _ = writeln!(out, "files: {}", if all.is_empty() { "none".to_owned() } else { statuses(&all) });
    let alike = names::suggestions(&names::played(&lake.current(), settings)?, settings).len();
    if alike > 0 {
        _ = writeln!(out, "names: {alike} written in more than one way: portes names suggests aliases");
    }
    let mut told: Vec<&SourceRow> = all.iter().filter(|row| row.status != "ok" || row.reason.is_some()).collect();
    told.sort_by_key(|row| (row.gravity(), &row.path));
    for row in told {
        _ = writeln!(out, "{}: {}", row.status, sentence(row));
    }
    named_logs(settings, &mut out);
    study(&lake, &mut out)?;
    Ok(out)
}

/// What of the logs that the configuration names would not be used today: they are no files below raw/.
fn named_logs(settings: &Settings, out: &mut String) {
    for path in &settings.study_sources {
        let shown = terminal(&walk::spelled(path.as_os_str()));
        let said = match std::fs::read(path) {
            Err(fault) => fault.to_string(),
            Ok(bytes) => match log::read(&bytes, Reading::default()) {
                Err(fault) => fault.to_string(),
                Ok(log) => log.passed_over().unwrap_or_default(),
            },
        };
        if !said.is_empty() {
            _ = writeln!(out, "study log {shown}: {}", terminal(&said));
        }
    }
}

/// How much study there is, and what of it shows no position.
fn study(lake: &Lake, out: &mut String) -> Result<(), NightFault> {
    let (mut all, mut apart) = (0, BTreeSet::new());
    for listed in lake::parts(&lake.current(), TreatedPositionRow::TABLE)? {
        let rows: Vec<TreatedPositionRow> = part::read(&listed.path)?;
        all += rows.len();
        let without = rows.into_iter().filter(|row| row.key_full.is_none());
        apart.extend(without.map(|row| (row.source_file, row.raw_id)));
    }
    if all > 0 {
        _ = writeln!(out, "study: {}, {} not found", amount(all, "entry"), amount(apart.len(), "position"));
    }
    for (file, raw) in apart {
        _ = writeln!(out, "not found: {}: {}", terminal(&file), terminal(&raw));
    }
    Ok(())
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
    text.chars().map(|c| if acts(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}
