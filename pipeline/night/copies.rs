//! Copies of the files that go with matches: what a study log, a list of places or a file of contests says stands on a night
//! on which it cannot be read, as what is known of matches does.
//!
//! A copy has its content's hash for a name and counts only where its bytes are those: it is of the file as it was read, by
//! whatever program. Few such files are larger than a megabyte; of the largest no copy is kept.

use super::cache::Cache;
use super::resolve::{Finding, Sighting};
use super::scan;
use crate::tables::durable;
use crate::tables::fault::{TableFault, disk};
use std::collections::BTreeSet;
use std::fs;

/// The folder of the cache.
const FOLDER: &str = "copies";

/// Bytes of the largest file of which a copy is kept: as much as a study log may have.
const LARGEST: u64 = 16 << 20;

/// The copies of a lake.
#[derive(Clone, Debug)]
pub struct Copies {
    cache: Cache,
}

impl Copies {
    /// Those in this cache.
    #[must_use]
    pub fn of(cache: &Cache) -> Self {
        Self { cache: cache.below(FOLDER) }
    }

    /// The bytes that have this hash, where a copy of them is whole.
    #[must_use]
    pub fn get(&self, content: &blake3::Hash) -> Option<Vec<u8>> {
        let bytes = fs::read(self.cache.dir().join(content.to_hex().as_str())).ok()?;
        (blake3::hash(&bytes) == *content).then_some(bytes)
    }

    /// Keeps copies of the files that go with matches, and of no other.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn keep(&self, sightings: &[Sighting]) -> Result<(), TableFault> {
        let mut wanted = BTreeSet::new();
        for sighting in sightings.iter().filter(|one| matches!(one.found, Finding::Side(_)) && one.size <= LARGEST) {
            let Some(content) = sighting.content.map(blake3::Hash::from_bytes) else { continue };
            let name = content.to_hex().to_string();
            if wanted.contains(&name) {
                continue;
            }
            if !self.cache.holds(&name)
                && let Ok(bytes) = scan::bytes_of(&sighting.place)
                && blake3::hash(&bytes) == content
            {
                fs::create_dir_all(self.cache.dir()).map_err(disk("create", self.cache.dir()))?;
                durable::keep(self.cache.dir(), &name, &bytes)?;
            }
            wanted.insert(name);
        }
        self.cache.retain(|name| wanted.contains(name))
    }
}
