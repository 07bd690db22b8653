//! Study logs as rows of `study_events` and `treated_positions` (`study-sources.md` 1).
//!
//! A row belongs to a player: whom the line names, else whom the file belongs to. The same event in two files is one
//! event; two alike in one file are two, since only their writer can know. Rows are numbered within a file name over all
//! files of that name, so that a number names one row.

use super::log::{Action, Answer, Entry, Log, Subject};
use crate::game::key::PositionKey;
use crate::tables::lake::ALL_SEASONS;
use crate::tables::row::Day;
use crate::tables::study::{StudyEventRow, TreatedPositionRow};
use std::collections::{BTreeMap, BTreeSet};

/// The source of every row made here.
const SOURCE: &str = "log";

/// Characters of a note that are kept.
const DETAIL: usize = 80;

/// A log and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// File name without its folder.
    pub file: &'a str,
    /// Whose study it is where a line does not say, canonical.
    pub owner: Option<&'a str>,
    /// What it says.
    pub log: &'a Log,
}

/// The rows of all logs, sorted by their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyRows {
    /// Actions that are study.
    pub events: Vec<StudyEventRow>,
    /// Positions that were treated, and why.
    pub treated: Vec<TreatedPositionRow>,
}

/// What makes two events of two files one.
type Same = (Option<String>, String, Action, Option<i64>, Day);

/// From logs in the order of their paths; `canonical` gives the name a player goes by.
#[must_use]
pub fn rows(sheets: &[Sheet<'_>], canonical: &dyn Fn(&str) -> String) -> StudyRows {
    let mut rows = StudyRows::default();
    let mut numbers: BTreeMap<&str, i64> = BTreeMap::new();
    let mut seen: BTreeSet<Same> = BTreeSet::new();
    for sheet in sheets {
        let mut of_sheet = BTreeSet::new();
        for entry in &sheet.log.entries {
            let player = entry.player.as_deref().map(canonical).or_else(|| sheet.owner.map(str::to_owned));
            let row = RowOf { sheet, entry, player };
            let same = row.same();
            if seen.contains(&same) {
                continue;
            }
            let index = numbers.entry(sheet.file).or_default();
            row.add(*index, &mut rows);
            *index += 1;
            of_sheet.insert(same);
        }
        seen.append(&mut of_sheet);
    }
    rows.events.sort_by(|a, b| (&a.source_file, a.index).cmp(&(&b.source_file, b.index)));
    rows.treated.sort_by(|a, b| (&a.source_file, a.index).cmp(&(&b.source_file, b.index)));
    rows
}

struct RowOf<'a> {
    sheet: &'a Sheet<'a>,
    entry: &'a Entry,
    player: Option<String>,
}

impl RowOf<'_> {
    fn raw_id(&self) -> String {
        match &self.entry.subject {
            Subject::Position { raw, .. } => raw.clone(),
            Subject::Decision(reference) => reference.to_string(),
        }
    }

    fn key(&self) -> Option<&PositionKey> {
        match &self.entry.subject {
            Subject::Position { key, .. } => key.as_ref(),
            Subject::Decision(_) => None,
        }
    }

    fn same(&self) -> Same {
        let Entry { action, moment, .. } = self.entry;
        let what = self.key().map_or_else(|| self.raw_id(), PositionKey::to_string);
        (self.player.clone(), what, *action, moment.at, moment.day)
    }

    fn add(self, index: i64, rows: &mut StudyRows) {
        let Entry { action, moment, answer, .. } = self.entry;
        let (key_full, key_relaxed) = (self.key().map(PositionKey::to_string), self.key().map(PositionKey::relaxed));
        if action.is_event() {
            rows.events.push(StudyEventRow {
                season: ALL_SEASONS.to_owned(),
                source: SOURCE.to_owned(),
                source_file: self.sheet.file.to_owned(),
                index,
                player: self.player.clone(),
                key_full: key_full.clone(),
                key_relaxed: key_relaxed.clone(),
                raw_id: self.raw_id(),
                at_utc: moment.at,
                day: moment.day,
                action: action.token().to_owned(),
                grade: grade(*answer),
                error_mp: lost(*answer),
            });
        }
        // Other study is no reason that a position counts as treated.
        if *action != Action::Other {
            rows.treated.push(TreatedPositionRow {
                season: ALL_SEASONS.to_owned(),
                source: SOURCE.to_owned(),
                source_file: self.sheet.file.to_owned(),
                index,
                raw_id: self.raw_id(),
                player: self.player,
                key_full,
                key_relaxed,
                reason: action.token().to_owned(),
                detail: self.entry.note.as_ref().map(|note| note.chars().take(DETAIL).collect()),
                since: Some(moment.day),
            });
        }
    }
}

fn grade(answer: Option<Answer>) -> Option<i64> {
    match answer {
        Some(Answer::Grade(grade)) => Some(i64::from(grade)),
        _ => None,
    }
}

fn lost(answer: Option<Answer>) -> Option<i64> {
    match answer {
        Some(Answer::Lost(mpt)) => Some(mpt),
        _ => None,
    }
}
