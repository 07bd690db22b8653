//! `portes inspect FILE`: what Portes sees in one file, through the very functions of a run, and what the last run made of
//! files with the same content or of the same match.

use super::amount::amount;
use super::assemble;
use super::fault::NightFault;
use super::resolve::{Ended, Finding, Place, Played, Sighting};
use super::side::Sheets;
use super::status::{listed, terminal};
use super::{scan, walk};
use crate::config::Settings;
use crate::game::Seat;
use crate::ingest::record::Record;
use crate::ingest::{archive, recognise};
use crate::measure::played::{self, Side};
use crate::measure::player;
use crate::tables::facts::{DecisionRow, MatchRow, SourceRow};
use crate::tables::lake::{self, Lake};
use crate::tables::marts::PlayerMatchRow;
use crate::tables::part;
use crate::tables::row::Row as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// The text for a terminal.
///
/// # Errors
/// [`NightFault::Rejected`] with offset and reason when the file gives nothing.
pub fn inspect(path: &Path, settings: &Settings) -> Result<String, NightFault> {
    if path.is_dir() {
        return Err(NightFault::NoSuch(format!("{} is a folder: name a file", path.display())));
    }
    let bytes = std::fs::read(path).map_err(|source| NightFault::Unreadable { path: path.to_path_buf(), source })?;
    let mut out = seen(path, &bytes, settings)?;
    stored(&mut out, &bytes, settings);
    Ok(out)
}

/// What the published lake says of files with this content, or of the match that such a file holds. One that cannot be read
/// says nothing: it was not asked for.
fn stored(out: &mut String, bytes: &[u8], settings: &Settings) {
    let Ok(Some(snapshot)) = Lake::at(settings.lake()).counting() else { return };
    let content = blake3::hash(bytes).to_hex().to_string();
    let mut rows: Vec<SourceRow> = Vec::new();
    for listed in lake::parts(&snapshot, SourceRow::TABLE).unwrap_or_default() {
        rows.extend(part::read::<SourceRow>(&listed.path).unwrap_or_default());
    }
    let ids: BTreeSet<String> =
        rows.iter().filter(|row| row.blake3 == content).filter_map(|row| row.match_id.clone()).collect();
    rows.retain(|row| row.blake3 == content || row.match_id.as_ref().is_some_and(|id| ids.contains(id)));
    let told: Vec<String> = rows
        .iter()
        .map(|row| match &row.detail {
            Some(detail) => format!("{}: {} ({})", terminal(&row.path), row.status, terminal(detail)),
            None => format!("{}: {}", terminal(&row.path), row.status),
        })
        .collect();
    if !told.is_empty() {
        _ = writeln!(out, "\nin the lake: {}", listed(&told));
    }
}

fn seen(path: &Path, bytes: &[u8], settings: &Settings) -> Result<String, NightFault> {
    let shown = path.file_name().map(walk::spelled).unwrap_or_default();
    if recognise::recognise(bytes) == recognise::Recognised::Zip {
        return archive_text(&shown, bytes);
    }
    if let Some(said) = scan::beside(bytes) {
        return said.map(|sheets| beside(&shown, &sheets)).map_err(|ended| rejected(&shown, &ended));
    }
    let record = scan::parse(bytes, &shown).map_err(|ended| rejected(&shown, &ended))?;
    let seen = scan::seen(&record, blake3::hash(bytes).as_bytes());
    let sighting = Sighting {
        shown: shown.clone(),
        place: Place::File(path.to_path_buf()),
        size: bytes.len() as u64,
        content: Some(*blake3::hash(bytes).as_bytes()),
        found: Finding::Match(Box::new(seen.clone())),
        unread: None,
    };
    let played = Played {
        season: "inspect".to_owned(),
        match_id: seen.identity.match_id,
        event: record.event.clone(),
        round: record.round.clone(),
        contents: vec![0],
    };
    let rows = assemble::assemble(&played, &[sighting], (settings, assemble::Aside::Leave))
        .map_err(|file| rejected(&shown, &file.ended))?;
    let mut out = String::new();
    head(&mut out, &shown, (&record, &rows.row));
    coverage(&mut out, &rows.decisions);
    let mut facts = played::Facts::of(&rows.row)?;
    facts.xg = rows.analyses.iter().any(|row| row.engine == "xg" && !row.made_by_portes);
    let mut whole = played::Played::new(facts);
    for row in &rows.partials.moments {
        whole.add(row)?;
    }
    for seat in Seat::BOTH {
        figures(&mut out, &player::match_row(&whole, Side::One(seat), &settings.measures()));
    }
    for fault in &record.faults {
        _ = writeln!(out, "passed over: {} at byte {}", terminal(&fault.reason), fault.offset);
    }
    Ok(out)
}

fn rejected(shown: &str, ended: &Ended) -> NightFault {
    let at = ended.offset.map_or_else(String::new, |offset| format!(" at byte {offset}"));
    NightFault::Rejected {
        path: terminal(shown),
        reason: format!("{}: {}{at} ({})", ended.verdict.token(), terminal(&ended.detail), ended.reason),
    }
}

/// A file that goes with matches, and every line of it that says nothing.
fn beside(shown: &str, sheets: &Sheets) -> String {
    let mut out = format!("{}: {}\n", terminal(shown), terminal(&sheets.summary()));
    for line in sheets.refused() {
        _ = writeln!(out, "passed over: {}", terminal(&line));
    }
    out
}

fn archive_text(shown: &str, bytes: &[u8]) -> Result<String, NightFault> {
    let mut out = format!("{}: an archive, read in place\n", terminal(shown));
    archive::members(bytes, &mut |member| {
        let what = match &member.content {
            Err(fault) => fault.to_string(),
            Ok(content) => match scan::beside(content) {
                Some(Ok(sheets)) => sheets.summary(),
                Some(Err(ended)) => ends(&ended),
                None => scan::parse(content, &member.name).map_or_else(
                    |ended| ends(&ended),
                    |record| format!("{}, {}", record.format.token(), names(&record)),
                ),
            },
        };
        _ = writeln!(out, "  {}: {}", terminal(&member.name), terminal(&what));
    })
    .map_err(|fault| NightFault::Rejected { path: terminal(shown), reason: fault.to_string() })?;
    Ok(out)
}

fn ends(ended: &Ended) -> String {
    format!("{}: {}", ended.verdict.token(), ended.detail)
}

fn names(record: &Record) -> String {
    format!("{} v {}", record.players[0].name, record.players[1].name)
}

fn head(out: &mut String, shown: &str, (record, row): (&Record, &MatchRow)) {
    let version = record.engine_version.as_deref().unwrap_or("unknown version");
    let analysed = if record.engine.token() == "none" {
        "not analysed".to_owned()
    } else {
        format!("{} {version}", record.engine.token())
    };
    let length = row.length.map_or_else(|| "money session".to_owned(), |points| amount(points, "point"));
    let result = match (row.finished, row.winner) {
        (true, Some(winner)) => format!("won by player {winner}"),
        (true, None) => "no winner".to_owned(),
        (false, _) => "unfinished".to_owned(),
    };
    _ = writeln!(out, "{}: {} ({})", terminal(shown), record.format.token(), terminal(&analysed));
    _ = writeln!(out, "match     {}", row.match_id);
    _ = writeln!(out, "players   {} v {}", terminal(&row.name_1), terminal(&row.name_2));
    // As on the pages: a score ends at the length of the match.
    let points = |points: i64| row.length.map_or(points, |length| points.min(length));
    _ = writeln!(
        out,
        "played    {length}, {}, {}-{}, {result}",
        amount(row.games, "game"),
        points(row.score_1),
        points(row.score_2)
    );
    let event = row.event.as_deref().unwrap_or("no event");
    let date = record.date.map_or_else(|| "undated".to_owned(), |date| date.to_string());
    _ = writeln!(
        out,
        "when      {date}, {}, {}",
        terminal(event),
        terminal(row.round.as_deref().unwrap_or("no round"))
    );
    _ = writeln!(out, "comments  {}", record.comments.len());
}

fn coverage(out: &mut String, decisions: &[DecisionRow]) {
    let counted = decisions.iter().filter(|row| row.counted).count();
    let forced = decisions.iter().filter(|row| row.forced && row.e_raw.is_some()).count();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in decisions.iter().filter_map(|row| row.unrated_reason.as_deref()) {
        *reasons.entry(reason).or_default() += 1;
    }
    let unrated: usize = reasons.values().sum();
    let window = decisions.len().saturating_sub(counted + forced + unrated);
    _ = write!(
        out,
        "decisions {}: {counted} counted, {forced} forced, {window} outside the doubling window, {unrated} unrated",
        decisions.len()
    );
    for (reason, n) in &reasons {
        _ = write!(out, " [{reason} {n}]");
    }
    out.push('\n');
}

fn figures(out: &mut String, row: &PlayerMatchRow) {
    let number = |x: Option<f64>, digits: usize| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.digits$}"));
    let percent = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{:.2} %", x * 100.0));
    _ = writeln!(out, "\n{}", terminal(row.player.as_deref().unwrap_or_default()));
    _ = writeln!(
        out,
        "  PR {} [{} - {}], {} ({} checker, {} double, {} take), error {}, {} lost, L7 {}",
        number(row.pr, 2),
        number(row.pr_low, 2),
        number(row.pr_high, 2),
        amount(row.decisions, "decision"),
        row.decisions_checker,
        row.decisions_double,
        row.decisions_take,
        number(row.error_sum, 3),
        percent(row.loss),
        percent(row.l7),
    );
    if let Some(pr) = row.xg_pr {
        let count = |n: Option<i64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
        _ = writeln!(
            out,
            "  as XG prints it: PR {pr:.2}, {} decisions ({} checker, {} double, {} take), error {}, {} lost",
            count(row.xg_decisions),
            count(row.xg_decisions_checker),
            count(row.xg_decisions_double),
            count(row.xg_decisions_take),
            number(row.xg_error_sum, 3),
            percent(row.xg_loss),
        );
    }
}
