//! Contests as they were cut on earlier nights, a file a match in the lake's cache.
//!
//! A late match files the months since its own again, and cutting their contests from the tables costs as much as filing
//! them. A cut hangs on the match's digest, the manner of cutting and the program alone, so it lies under a name made of
//! the three; what is damaged or gone is cut again. Nothing is kept past
//! [`MOST_BYTES`], and what no match of tonight has is swept at the end of the night.

use super::Trust;
use super::programme::Entry;
use crate::academy::backgammon::Manner;
use crate::night::cache::{Cache, REVISION};
use crate::tables::fault::TableFault;
use crate::tables::lake;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// Some tens of thousands of matches; those past it are cut again where they are wanted again.
const MOST_BYTES: u64 = 1 << 30;

/// How much is kept.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Used {
    files: u64,
    bytes: u64,
}

/// What is kept.
pub(super) struct Kept {
    cache: Cache,
    /// Begins every name: what one program has cut in one manner says nothing to another.
    manner: String,
    /// Names to be believed.
    held: BTreeSet<String>,
    used: AtomicU64,
}

impl Kept {
    /// What lies in this folder. Where nothing is to be believed, everything is cut again and put there anew. `known` is how
    /// much lay there after the last night: asking thousands of files takes longer than filing an evening, and is only done
    /// where another number of them is there.
    pub(super) fn open(cache: Cache, (manner, trust): (Manner, Trust), known: Used) -> Result<Self, TableFault> {
        let names = lake::names(cache.dir())?;
        let is_known = known.files == names.len() as u64;
        let used = if is_known { known.bytes } else { names.iter().map(|name| size(&cache, name)).sum() };
        let held = if trust == Trust::Checkpoints { names.into_iter().collect() } else { BTreeSet::new() };
        let manner = blake3::hash(format!("{REVISION} {manner:?}").as_bytes()).to_hex()[..8].to_owned();
        Ok(Self { cache, manner, held, used: AtomicU64::new(used) })
    }

    fn name(&self, entry: &Entry) -> String {
        format!("{}-{}", self.manner, entry.digest)
    }

    /// What cannot be read though its sum is right: this program is at fault, and says so instead of going on without.
    pub(super) fn damaged(&self, entry: &Entry) -> TableFault {
        let reason = "the contests of a match do not read as they were packed".to_owned();
        TableFault::Damaged { path: self.cache.dir().join(self.name(entry)), reason }
    }

    /// The name of a match's contests, where they are kept.
    pub(super) fn held(&self, entry: &Entry) -> Option<String> {
        Some(self.name(entry)).filter(|name| entry.contest.is_none() && self.held.contains(name))
    }

    /// What lies under a name, packed; `None` for what is damaged.
    pub(super) fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.cache.bytes(name)
    }

    /// Keeps the contests of a match, packed, while there is room. It only saves time: what cannot be written is told and
    /// forgotten.
    pub(super) fn keep(&self, entry: &Entry, packed: &[u8]) {
        if self.used.load(Ordering::Relaxed) >= MOST_BYTES {
            return;
        }
        let name = self.name(entry);
        let before = size(&self.cache, &name);
        if let Err(fault) = self.cache.put_bytes(&name, packed) {
            tracing::debug!("the contests of a match are not kept: {fault}");
        }
        self.used.fetch_add(size(&self.cache, &name), Ordering::Relaxed);
        self.used.fetch_sub(before, Ordering::Relaxed);
    }

    /// Removes what none of these entries has. Returns how much is left.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub(super) fn sweep(&self, entries: &[Entry]) -> Result<Used, TableFault> {
        let wanted: BTreeSet<String> = entries.iter().map(|entry| self.name(entry)).collect();
        let (files, gone) = (AtomicU64::new(0), AtomicU64::new(0));
        self.cache.retain(|name| {
            let is_wanted = wanted.contains(name);
            if is_wanted {
                files.fetch_add(1, Ordering::Relaxed);
            } else {
                gone.fetch_add(size(&self.cache, name), Ordering::Relaxed);
            }
            is_wanted
        })?;
        let bytes = self.used.load(Ordering::Relaxed).saturating_sub(gone.into_inner());
        Ok(Used { files: files.into_inner(), bytes })
    }
}

fn size(cache: &Cache, name: &str) -> u64 {
    fs::metadata(cache.dir().join(name)).map_or(0, |meta| meta.len())
}
