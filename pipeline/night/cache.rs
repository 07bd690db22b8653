//! The lake's cache: small files that only save time. Each begins with the revision of the program that wrote it; one of
//! another program, a damaged one, or one that lies under another's name counts as absent, and the night then does the work
//! that it would have saved.

use crate::tables::durable;
use crate::tables::fault::TableFault;
use crate::tables::lake::Lake;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

/// What this program was built from: every source file has a part in it.
pub const REVISION: &str = env!("PORTES_REVISION");

/// Bytes of the BLAKE3 hash between the revision and what is kept, over its name and itself: nothing here is synced, and
/// after a power cut a page of it may be zeros that decode all the same; and files that a copy or a hand exchanged decode, too.
const SUM: usize = blake3::OUT_LEN;

/// A folder of the cache.
#[derive(Clone, Debug)]
pub struct Cache {
    dir: PathBuf,
    /// Its path below the cache of the lake, each folder followed by a `/`.
    within: String,
}

impl Cache {
    /// The cache of a lake.
    #[must_use]
    pub fn of(lake: &Lake) -> Self {
        Self { dir: lake.cache(), within: String::new() }
    }

    /// A folder below it.
    #[must_use]
    pub fn below(&self, name: &str) -> Self {
        Self { dir: self.dir.join(name), within: format!("{}{name}/", self.within) }
    }

    /// Where it is.
    #[must_use]
    pub fn dir(&self) -> &std::path::Path {
        &self.dir
    }

    /// What lies under a name; `None` when nothing of this program does.
    #[must_use]
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        next(&mut self.bytes(name)?.as_slice())
    }

    /// The bytes that lie under a name, as they were put there.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.dir.join(name)).ok()?;
        let mut rest = bytes.as_slice();
        let revision: String = next(&mut rest)?;
        let (sum, what) = rest.split_at_checked(SUM)?;
        let whole = revision == REVISION && *sum == self.sum(name, what);
        let before = bytes.len() - what.len();
        whole.then(|| {
            drop(bytes.drain(..before));
            bytes
        })
    }

    /// Whether anything lies under a name.
    #[must_use]
    pub fn holds(&self, name: &str) -> bool {
        self.dir.join(name).is_file()
    }

    /// Puts something under a name, whole or not at all.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn put<T: Serialize>(&self, name: &str, what: &T) -> Result<(), TableFault> {
        self.put_bytes(name, &rmp_serde::to_vec(what).map_err(|fault| self.failed(name, io::Error::other(fault)))?)
    }

    /// Puts bytes under a name, whole or not at all.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn put_bytes(&self, name: &str, what: &[u8]) -> Result<(), TableFault> {
        fs::create_dir_all(&self.dir).map_err(|source| self.failed(name, source))?;
        let mut bytes = rmp_serde::to_vec(REVISION).map_err(|fault| self.failed(name, io::Error::other(fault)))?;
        bytes.extend(self.sum(name, what));
        bytes.extend(what);
        // A folder in its place is none of ours.
        let place = self.dir.join(name);
        if place.is_dir() {
            durable::clear(&place)?;
        }
        durable::keep(&self.dir, name, &bytes)
    }

    /// Over the name, which ends where its length says, and what lies under it.
    fn sum(&self, name: &str, what: &[u8]) -> [u8; SUM] {
        let length = (self.within.len() + name.len()) as u64;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&length.to_le_bytes()).update(self.within.as_bytes()).update(name.as_bytes());
        *hasher.update(what).finalize().as_bytes()
    }

    fn failed(&self, name: &str, source: io::Error) -> TableFault {
        TableFault::Disk { doing: "write", path: self.dir.join(name), source }
    }

    /// Removes what lies under other names than these.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn retain(&self, wanted: impl Fn(&str) -> bool) -> Result<(), TableFault> {
        for name in crate::tables::lake::names(&self.dir)? {
            if !wanted(&name) && self.dir.join(&name).is_file() {
                durable::remove_file(&self.dir.join(name))?;
            }
        }
        Ok(())
    }
}

fn next<T: DeserializeOwned>(reader: &mut impl Read) -> Option<T> {
    rmp_serde::from_read(reader).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;

    #[test]
    fn a_file_under_the_name_of_another_counts_as_absent() -> Result<(), Box<dyn Error>> {
        let root = tempfile::tempdir()?;
        let cache = Cache::of(&Lake::at(root.path()));
        let places = [(cache.clone(), "a"), (cache.below("f"), "b"), (cache.below("f"), "c"), (cache.below("g"), "b")];
        for (at, (cache, name)) in (0_u64..).zip(&places) {
            cache.put(name, &at)?;
        }
        let held = || places.each_ref().map(|(cache, name)| cache.get::<u64>(name));
        assert_eq!(held(), [Some(0), Some(1), Some(2), Some(3)]);
        for (one, other) in [(0, 1), (1, 2), (1, 3)] {
            let paths = [one, other].map(|at: usize| places[at].0.dir().join(places[at].1));
            let [first, second] = [fs::read(&paths[0])?, fs::read(&paths[1])?];
            fs::write(&paths[0], &second)?;
            fs::write(&paths[1], &first)?;
            let expected = [0, 1, 2, 3].map(|at| ![one, other].contains(&at));
            assert_eq!(held().map(|value| value.is_some()), expected, "{paths:?}");
            fs::write(&paths[0], &first)?;
            fs::write(&paths[1], &second)?;
        }
        assert_eq!(held(), [Some(0), Some(1), Some(2), Some(3)]);
        Ok(())
    }
}
