//! What each bucket of a snapshot was made from: the reason why a part may be taken over unread.
//!
//! A match has a *key*: the hash of everything its rows depend on (its contents and their paths, its place in the
//! season, the rules, the names its players go by). Equal keys mean equal rows. A ledger lists, for every bucket, the keys
//! of its matches and the names of its parts; it is filed under the digest of the fact tables it speaks of, so that it
//! fits whichever snapshot holds just these parts, also after a rollback. While a snapshot is being built the same lines
//! stand in a journal, bucket by bucket: what a killed run finished is not made again.

use super::bundle::BUCKETED;
use super::cache::{Cache, REVISION};
use super::resolve::{Finding, Played, Sighting};
use crate::config::Settings;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Listed};
use crate::tables::row::SCHEMA_VERSION;
use crate::tables::{durable, part};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where ledgers lie in the cache, and what the journal is called.
const FOLDER: &str = "ledgers";
const JOURNAL: &str = "journal";

/// Hex digits of a key: 128 bits.
const DIGITS: usize = 32;

/// How much a bucket holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Matches.
    pub matches: usize,
    /// Decisions of the primary analyses.
    pub decisions: usize,
    /// Candidates of the primary analyses.
    pub candidates: usize,
}

impl std::ops::Add for Written {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            matches: self.matches + other.matches,
            decisions: self.decisions + other.decisions,
            candidates: self.candidates + other.candidates,
        }
    }
}

impl std::iter::Sum for Written {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), std::ops::Add::add)
    }
}

/// A season and the label of a bucket of it.
pub type Where = (String, String);

/// One bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// match_id -> key.
    pub matches: BTreeMap<String, String>,
    /// table -> name of its part.
    pub parts: BTreeMap<String, String>,
    /// table -> rows of its part.
    pub rows: BTreeMap<String, u64>,
    /// What they hold.
    pub written: Written,
}

/// The buckets of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// Every bucket.
    pub buckets: BTreeMap<Where, Entry>,
}

impl Ledger {
    /// The ledger of a snapshot; empty when none speaks of just these parts.
    ///
    /// # Errors
    /// When the snapshot cannot be listed.
    pub fn of(cache: &Cache, snapshot: &Path) -> Result<Self, TableFault> {
        Ok(cache.below(FOLDER).get(&digest(snapshot)?).unwrap_or_default())
    }

    /// Files the ledger of a snapshot that is about to be published.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn keep(&self, cache: &Cache, snapshot: &Path) -> Result<(), TableFault> {
        cache.below(FOLDER).put(&digest(snapshot)?, self)
    }

    /// Forgets ledgers that fit none of these snapshots.
    ///
    /// # Errors
    /// When a snapshot cannot be listed or the cache not written.
    pub fn prune(cache: &Cache, snapshots: &[PathBuf]) -> Result<(), TableFault> {
        let wanted: BTreeSet<String> = snapshots.iter().map(|dir| digest(dir)).collect::<Result<_, _>>()?;
        cache.below(FOLDER).retain(|name| wanted.contains(name))
    }

    /// What all its buckets hold.
    #[must_use]
    pub fn written(&self) -> Written {
        self.buckets.values().map(|entry| entry.written).sum()
    }

    /// table -> rows of all its parts.
    #[must_use]
    pub fn rows(&self) -> BTreeMap<String, u64> {
        let mut rows: BTreeMap<String, u64> = BTreeMap::new();
        for (table, count) in self.buckets.values().flat_map(|entry| &entry.rows) {
            *rows.entry(table.clone()).or_default() += count;
        }
        rows
    }

    /// (match_id, key) -> where its rows lie.
    #[must_use]
    pub fn places(&self) -> BTreeMap<(&str, &str), &Where> {
        let each = |(place, entry)| entry_keys(entry).map(move |key| (key, place));
        self.buckets.iter().flat_map(each).collect()
    }
}

fn entry_keys(entry: &Entry) -> impl Iterator<Item = (&str, &str)> {
    entry.matches.iter().map(|(id, key)| (id.as_str(), key.as_str()))
}

/// Of every table that lies in buckets.
fn digest(snapshot: &Path) -> Result<String, TableFault> {
    let mut hasher = blake3::Hasher::new();
    for table in BUCKETED {
        hasher.update(lake::digest(snapshot, table)?.as_bytes());
    }
    Ok(hasher.finalize().to_hex()[..DIGITS].to_owned())
}

/// Makes the keys of matches: what all rows of a match are a function of.
pub struct Keys<'a> {
    settings: &'a Settings,
    /// Of what all matches hang on.
    common: blake3::Hasher,
}

fn take(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

impl<'a> Keys<'a> {
    /// Under these settings.
    #[must_use]
    pub fn of(settings: &'a Settings) -> Self {
        let mut common = blake3::Hasher::new();
        take(&mut common, REVISION.as_bytes());
        take(&mut common, format!("{SCHEMA_VERSION} {:?}", settings.rules).as_bytes());
        Self { settings, common }
    }

    /// The key of a match.
    #[must_use]
    pub fn key(&self, played: &Played, sightings: &[Sighting]) -> String {
        let mut hasher = self.common.clone();
        take(&mut hasher, played.season.as_bytes());
        take(&mut hasher, played.match_id.as_bytes());
        for said in [&played.event, &played.round] {
            take(&mut hasher, if said.is_some() { b"said" } else { b"" });
            take(&mut hasher, said.as_deref().unwrap_or_default().as_bytes());
        }
        for sighting in played.contents.iter().filter_map(|&at| sightings.get(at)) {
            take(&mut hasher, sighting.shown.as_bytes());
            take(&mut hasher, &sighting.content.unwrap_or_default());
        }
        let primary = played.contents.first().and_then(|&at| sightings.get(at));
        if let Some(Finding::Match(seen)) = primary.map(|sighting| &sighting.found) {
            for name in &seen.names {
                take(&mut hasher, self.settings.players.canonical(name).as_bytes());
            }
        }
        hasher.finalize().to_hex()[..DIGITS].to_owned()
    }
}

/// The buckets of the snapshot that is being built, as they are finished.
pub struct Journal {
    file: Mutex<File>,
    path: PathBuf,
}

impl Journal {
    /// What a run that was stopped had finished, as far as its parts are still whole; and the journal to go on with.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn open(cache: &Cache, next: &Path) -> Result<(Self, Ledger), TableFault> {
        let path = cache.dir().join(JOURNAL);
        let failed = |source| TableFault::Disk { doing: "write", path: path.clone(), source };
        let mut finished = Ledger::default();
        for (place, entry) in journalled(&path) {
            if is_whole(next, &place, &entry)? {
                finished.buckets.insert(place, entry);
            }
        }
        fs::create_dir_all(cache.dir()).map_err(failed)?;
        let mut file = File::create(&path).map_err(failed)?;
        durable::append(&mut file, &path, &rmp_serde::to_vec(REVISION).unwrap_or_default())?;
        let journal = Self { file: Mutex::new(file), path: path.clone() };
        for (place, entry) in &finished.buckets {
            journal.finished(place, entry)?;
        }
        Ok((journal, finished))
    }

    /// A bucket has all its parts.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn finished(&self, place: &Where, entry: &Entry) -> Result<(), TableFault> {
        let failed = |source| TableFault::Disk { doing: "write", path: self.path.clone(), source };
        let line =
            rmp_serde::to_vec(&(place, entry, sum(place, entry))).map_err(|fault| failed(io::Error::other(fault)))?;
        durable::append(&mut self.file.lock().unwrap_or_else(PoisonError::into_inner), &self.path, &line)
    }

    /// The snapshot counts: nothing is left to go on with.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn close(cache: &Cache) -> Result<(), TableFault> {
        durable::remove_file(&cache.dir().join(JOURNAL))
    }
}

/// Its lines; the last may have been cut off.
fn journalled(path: &Path) -> Vec<(Where, Entry)> {
    let Ok(file) = File::open(path) else { return Vec::new() };
    let mut reader = BufReader::new(file);
    if rmp_serde::from_read::<_, String>(&mut reader).ok().as_deref() != Some(REVISION) {
        return Vec::new();
    }
    let lines = std::iter::from_fn(|| rmp_serde::from_read::<_, (Where, Entry, String)>(&mut reader).ok());
    let whole = lines.take_while(|(place, entry, said)| *said == sum(place, entry));
    whole.map(|(place, entry, _)| (place, entry)).collect()
}

/// What tells that a line of the journal is as it was written.
fn sum(place: &Where, entry: &Entry) -> String {
    let line = rmp_serde::to_vec(&(place, entry)).unwrap_or_default();
    blake3::hash(&line).to_hex()[..DIGITS].to_owned()
}

/// Every part of the bucket is there, and its bytes are those its name tells.
fn is_whole(next: &Path, place: &Where, entry: &Entry) -> Result<bool, TableFault> {
    for table in BUCKETED {
        let Some(listed) = part(next, place, (entry, table)) else { return Ok(false) };
        if !listed.path.exists() || !part::is_whole(&listed)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Where the part of a table of a bucket lies in a snapshot, if the bucket has one.
pub(super) fn part(snapshot: &Path, (season, bucket): &Where, (entry, table): (&Entry, &str)) -> Option<Listed> {
    let name = entry.parts.get(table)?;
    let path = lake::table_dir(snapshot, table, season).join(name);
    Some(Listed { season: season.clone(), bucket: bucket.clone(), name: name.clone(), path })
}
