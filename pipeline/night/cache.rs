//! The lake's cache: small files that only save time. Each begins with the revision of the program that wrote it; one of
//! another program, or a damaged one, counts as absent, and the night then does the work that it would have saved.

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

/// Bytes of the BLAKE3 hash between the revision and what is kept: nothing here is synced, and after a power cut a page
/// of it may be zeros that decode all the same.
const SUM: usize = blake3::OUT_LEN;

/// A folder of the cache.
#[derive(Clone, Debug)]
pub struct Cache {
    dir: PathBuf,
}

impl Cache {
    /// The cache of a lake.
    #[must_use]
    pub fn of(lake: &Lake) -> Self {
        Self { dir: lake.cache() }
    }

    /// A folder below it.
    #[must_use]
    pub fn below(&self, name: &str) -> Self {
        Self { dir: self.dir.join(name) }
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
        let whole = revision == REVISION && *sum == *blake3::hash(what).as_bytes();
        let before = bytes.len() - what.len();
        whole.then(|| bytes.split_off(before))
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
        bytes.extend(blake3::hash(what).as_bytes());
        bytes.extend(what);
        durable::keep(&self.dir, name, &bytes)
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
