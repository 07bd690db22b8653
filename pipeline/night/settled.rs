//! Nothing to do: how a run knows in half a second that nothing it could make would be another.
//!
//! A *state* is the hash of everything that tables and pages are made from: the files and their contents, the
//! configuration, the study logs it names, the templates that override ours, the program. The last whole run left its
//! own; when tonight's is the same and what it made is still there, there is nothing to do.

use super::cache::{Cache, REVISION};
use super::fault::NightFault;
use super::files::{Files, Known};
use super::ledger::Ledger;
use super::pages::press;
use super::scan;
use super::walk::{self, Found};
use super::{academy, marts, pages};
use crate::config::{Missing, Settings};
use crate::tables::catalogue;
use crate::tables::digest::Digest;
use crate::tables::facts::SourceRow;
use crate::tables::lake::{self, Lake};
use crate::tables::row::Row;
use crate::tables::snapshot;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Its name in the cache.
const NAME: &str = "settled";

/// Everything tables and pages are made from, hashed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State(Option<String>);

impl State {
    /// That of a run which could not use a file as it found it: the next one tries again.
    #[must_use]
    pub const fn unsettled() -> Self {
        Self(None)
    }
}

/// What the last whole run left.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Left {
    state: State,
    snapshot: u64,
    tables: String,
    reports: String,
}

/// Tonight's state, where that of the files can be told without parsing any; `None` when it is another than the last
/// night's anyway.
///
/// # Errors
/// When a named study log or a template cannot be read.
pub fn state(settings: &Settings, found: &[Found], files: &Files) -> Result<Option<State>, NightFault> {
    let here: BTreeMap<&str, &Found> = found.iter().map(|file| (file.shown.as_str(), file)).collect();
    if here.keys().any(|shown| files.of(shown).is_none()) {
        return Ok(None);
    }
    let known: Vec<&str> = files.paths().collect();
    let content = |shown: &&'_ str| -> Option<[u8; 32]> {
        let known = files.of(shown)?.content;
        let Some(file) = here.get(shown) else { return (settings.missing == Missing::Keep).then_some(known) };
        let now = files.content(file).or_else(|| scan::content(file).map(|known| known.content))?;
        (now == known).then_some(now)
    };
    let contents: Option<Vec<[u8; 32]>> = known.par_iter().map(content).collect();
    contents.map(|contents| hashed(settings, known.iter().copied().zip(contents))).transpose()
}

/// The state that these contents make.
///
/// # Errors
/// As [`state`].
pub fn of_contents(settings: &Settings, known: &BTreeMap<String, Known>) -> Result<State, NightFault> {
    hashed(settings, known.iter().map(|(shown, known)| (shown.as_str(), known.content)))
}

fn hashed<'a>(settings: &Settings, contents: impl Iterator<Item = (&'a str, [u8; 32])>) -> Result<State, NightFault> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(REVISION.as_bytes());
    hasher.update(settings.print().as_bytes());
    hasher.update(format!("{:?}", settings.news).as_bytes());
    for path in &settings.study_sources {
        // One that cannot be read is no reason to stop.
        if hash_file(&mut hasher, path).is_err() {
            hasher.update(b"no log");
        }
    }
    if let Some(theme) = &settings.theme {
        let unreadable = |source| NightFault::Unreadable { path: theme.clone(), source };
        for file in walk::walk(theme).map_err(unreadable)? {
            hasher.update(file.shown.as_bytes());
            hash_file(&mut hasher, &file.at)?;
        }
    }
    for (shown, content) in contents {
        hasher.update(&(shown.len() as u64).to_le_bytes());
        hasher.update(shown.as_bytes());
        hasher.update(&content);
    }
    Ok(State(Some(hasher.finalize().to_hex().to_string())))
}

fn hash_file(hasher: &mut blake3::Hasher, path: &Path) -> Result<(), NightFault> {
    let bytes = std::fs::read(path).map_err(|source| NightFault::Unreadable { path: path.into(), source })?;
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(&bytes);
    Ok(())
}

/// When the last whole run left just this and it is still there: what it said of the files.
///
/// # Errors
/// When the lake cannot be listed.
pub fn is_settled(cache: &Cache, settings: &Settings, state: &State) -> Result<Option<String>, NightFault> {
    let lake = Lake::at(settings.lake());
    let Some(number) = lake.current_number()? else { return Ok(None) };
    let Some((kept, said)) = cache.get::<(Left, String)>(NAME) else { return Ok(None) };
    if kept != left(settings, state, number)? {
        return Ok(None);
    }
    let seasons = lake::names(&lake.current().join(SourceRow::TABLE))?;
    let pages = seasons.iter().all(|season| press::is_as_left(cache, &settings.reports.join(season)));
    let beside = snapshot::BESIDE.iter().all(|name| lake.current().join(name).is_file());
    Ok((pages && beside).then_some(said))
}

/// Forgets that anything was done, and what was made of parts and pages on the way, which may have been damaged: the next
/// run makes everything anew, and publishes it. What is known of the files below `raw/` stays.
///
/// # Errors
/// When the cache cannot be written.
pub fn forget(settings: &Settings) -> Result<(), NightFault> {
    let cache = Cache::of(&Lake::at(settings.lake()));
    cache.retain(|name| name != NAME)?;
    academy::forget(settings)?;
    marts::forget(&cache)?;
    pages::forget(&cache)?;
    Ok(Ledger::prune(&cache, &[])?)
}

/// Notes that a run is whole.
///
/// # Errors
/// When the cache cannot be written.
pub fn settle(cache: &Cache, settings: &Settings, (state, said): (&State, &str)) -> Result<(), NightFault> {
    let number = Lake::at(settings.lake()).current_number()?.unwrap_or_default();
    if state.0.is_none() {
        return Ok(());
    }
    Ok(cache.put(NAME, &(left(settings, state, number)?, said))?)
}

fn left(settings: &Settings, state: &State, snapshot: u64) -> Result<Left, NightFault> {
    let current = Lake::at(settings.lake()).current();
    let mut tables = Digest::default();
    for table in catalogue::ALL {
        tables.text(&lake::digest(&current, table.name)?);
    }
    let reports = walk::spelled(settings.reports.as_os_str());
    Ok(Left { state: state.clone(), snapshot, tables: tables.finish(), reports })
}
