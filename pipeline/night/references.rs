//! Study of a decision that a log names by match, game and move: from the name to the position (`study-sources.md` 5).
//!
//! The match is named by its id, by a path below `raw/`, or by a file name that only one match has. The move is the
//! number that the match's page gives the decision, where that decision lies in the named game; else it counts the
//! decisions of the game from 1. What cannot be found keeps its row and its name and is told: a log is somebody's
//! account, and nothing of it is dropped.

use crate::game::key::PositionKey;
use crate::ingest::study::log::{Entry, Log, Reference, Subject};
use crate::tables::facts::{DecisionRow, SourceRow};
use crate::tables::fault::TableFault;
use crate::tables::lake;
use crate::tables::part;
use crate::tables::row::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Why a reference finds nothing.
const NO_MATCH: &str = "no such match";
const MANY_MATCHES: &str = "several matches have a file of that name: give its path below raw/";
const NO_DECISION: &str = "no such decision in that game";
const NO_POSITION: &str = "its position is not known";

/// What the references of all logs came to.
#[derive(Clone, Debug, Default)]
pub struct Found {
    keys: BTreeMap<Reference, Result<PositionKey, &'static str>>,
}

impl Found {
    /// Looks the references of these logs up in the fact tables of a snapshot.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub fn of(snapshot: &Path, logs: &[&Log]) -> Result<Self, TableFault> {
        let entries = logs.iter().flat_map(|log| &log.entries);
        let wanted: BTreeSet<&Reference> = entries.filter_map(reference).collect();
        if wanted.is_empty() {
            return Ok(Self::default());
        }
        let names = Names::read(snapshot)?;
        let matches: BTreeMap<&Reference, Result<&str, &'static str>> =
            wanted.iter().map(|reference| (*reference, names.the_match(&reference.of_match))).collect();
        let decisions = decisions(snapshot, &matches.values().filter_map(|found| found.ok()).collect())?;
        let key = |(reference, found): (&Reference, Result<&str, &'static str>)| {
            let key = found.and_then(|match_id| the_decision(&decisions, match_id, reference));
            (reference.clone(), key)
        };
        Ok(Self { keys: matches.into_iter().map(key).collect() })
    }

    /// The log with the positions of its references.
    #[must_use]
    pub fn in_log(&self, log: &Log) -> Log {
        let mut log = log.clone();
        for entry in &mut log.entries {
            let known = reference(entry).and_then(|reference| Some((reference, self.keys.get(reference)?.ok()?)));
            if let Some((reference, key)) = known {
                entry.subject = Subject::Position { raw: reference.to_string(), key: Some(key) };
            }
        }
        log
    }

    /// A sentence for every reference that found nothing, sorted.
    pub fn lost(&self) -> impl Iterator<Item = String> {
        self.keys.iter().filter_map(|(reference, found)| found.err().map(|reason| format!("{reference}: {reason}")))
    }
}

const fn reference(entry: &Entry) -> Option<&Reference> {
    match &entry.subject {
        Subject::Decision(reference) => Some(reference),
        Subject::Position { .. } => None,
    }
}

/// What a match may be called.
struct Names(BTreeMap<String, BTreeSet<String>>);

impl Names {
    fn read(snapshot: &Path) -> Result<Self, TableFault> {
        let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for listed in lake::parts(snapshot, SourceRow::TABLE)? {
            for row in part::read::<SourceRow>(&listed.path)? {
                let Some(id) = row.match_id else { continue };
                let file = row.path.rsplit('/').next().unwrap_or_default().to_owned();
                for name in [id.clone(), row.path, file] {
                    names.entry(name).or_default().insert(id.clone());
                }
            }
        }
        Ok(Self(names))
    }

    fn the_match(&self, name: &str) -> Result<&str, &'static str> {
        let ids = self.0.get(name).ok_or(NO_MATCH)?;
        match ids.first() {
            Some(id) if ids.len() == 1 => Ok(id),
            _ => Err(MANY_MATCHES),
        }
    }
}

/// By match and game: number and position of each decision, in their order.
type Decisions = BTreeMap<(String, i64), Vec<(i64, Option<String>)>>;

fn decisions(snapshot: &Path, of: &BTreeSet<&str>) -> Result<Decisions, TableFault> {
    let mut found = Decisions::new();
    if of.is_empty() {
        return Ok(found);
    }
    for listed in lake::parts(snapshot, DecisionRow::TABLE)? {
        part::each::<DecisionRow>(&listed.path, &mut |batch| {
            for row in batch.into_iter().filter(|row| of.contains(row.match_id.as_str())) {
                let position = (!row.position_key.is_empty()).then_some(row.position_key);
                found.entry((row.match_id, row.game)).or_default().push((row.order, position));
            }
        })?;
    }
    found.values_mut().for_each(|game| game.sort());
    Ok(found)
}

fn the_decision(decisions: &Decisions, match_id: &str, reference: &Reference) -> Result<PositionKey, &'static str> {
    let game = decisions.get(&(match_id.to_owned(), i64::from(reference.game))).ok_or(NO_DECISION)?;
    let numbered = game.iter().find(|(order, _)| *order == i64::from(reference.number));
    let counted = || game.get(usize::try_from(reference.number).ok()?.checked_sub(1)?);
    let (_, position) = numbered.or_else(counted).ok_or(NO_DECISION)?;
    position.as_deref().and_then(|key| PositionKey::from_text(key).ok()).ok_or(NO_POSITION)
}
