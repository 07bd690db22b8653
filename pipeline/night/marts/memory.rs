//! What the parts of `rulings` say, remembered in the cache under the names of the parts, which tell their bytes. A note
//! that is gone or damaged costs reading one part again.
//!
//! A night looks through all notes twice: for whom something else is said now, and then for what is said of everything
//! these players erred in. What was read the first time is held for the second.

use super::super::cache::Cache;
use crate::config::Settings;
use crate::measure::said::Memory;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake};
use crate::tables::partials::RulingRow;
use crate::tables::row::Row as _;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where the notes lie in the cache.
pub(super) const FOLDER: &str = "rulings";

/// Bytes held at most: the notes of some ten thousand matches. Those past it are read twice.
const MOST_HELD: usize = 64 << 20;

/// The notes.
pub(super) struct Rulings {
    cache: Cache,
    held: Mutex<Held>,
}

/// Notes that were read, by the names of their parts.
#[derive(Default)]
struct Held {
    notes: BTreeMap<String, Vec<u8>>,
    bytes: usize,
}

impl Rulings {
    pub(super) fn of(settings: &Settings) -> Self {
        Self { cache: Cache::of(&Lake::at(settings.lake())).below(FOLDER), held: Mutex::default() }
    }

    /// Forgets the parts that a snapshot does not hold.
    ///
    /// # Errors
    /// When the snapshot cannot be listed or the cache not written.
    pub(super) fn prune(&self, snapshot: &Path) -> Result<(), TableFault> {
        let parts = lake::parts(snapshot, RulingRow::TABLE)?;
        let wanted: BTreeSet<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        self.cache.retain(|name| wanted.contains(name))
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory for Rulings {
    fn recall(&self, part: &Path) -> Option<Vec<u8>> {
        let name = part.file_name()?.to_str()?;
        let held = self.held().take(name);
        held.or_else(|| self.cache.bytes(name))
    }

    fn keep(&self, part: &Path, said: &[u8]) -> Result<(), TableFault> {
        match part.file_name().and_then(|name| name.to_str()) {
            Some(name) => self.cache.put_bytes(name, said),
            None => Ok(()),
        }
    }

    fn hold(&self, part: &Path, said: Vec<u8>) {
        if let Some(name) = part.file_name().and_then(|name| name.to_str()) {
            self.held().add(name, said);
        }
    }
}

impl Held {
    fn add(&mut self, name: &str, note: Vec<u8>) {
        if self.bytes + note.len() <= MOST_HELD {
            self.bytes += note.len();
            self.notes.insert(name.to_owned(), note);
        }
    }

    /// A note is asked for once more at most.
    fn take(&mut self, name: &str) -> Option<Vec<u8>> {
        let note = self.notes.remove(name)?;
        self.bytes -= note.len();
        Some(note)
    }
}
