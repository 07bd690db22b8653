//! What the parts of `rulings` say, remembered in the cache under the names of the parts, which tell their bytes. A note
//! that is gone or damaged costs reading one part again.

use super::super::cache::Cache;
use crate::config::Settings;
use crate::measure::said::Memory;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake};
use crate::tables::partials::RulingRow;
use crate::tables::row::Row as _;
use std::collections::BTreeSet;
use std::path::Path;

/// Where the notes lie in the cache.
pub(super) const FOLDER: &str = "rulings";

/// The notes.
pub(super) struct Rulings(Cache);

impl Rulings {
    pub(super) fn of(settings: &Settings) -> Self {
        Self(Cache::of(&Lake::at(settings.lake())).below(FOLDER))
    }

    /// Forgets the parts that a snapshot does not hold.
    ///
    /// # Errors
    /// When the snapshot cannot be listed or the cache not written.
    pub(super) fn prune(&self, snapshot: &Path) -> Result<(), TableFault> {
        let parts = lake::parts(snapshot, RulingRow::TABLE)?;
        let wanted: BTreeSet<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        self.0.retain(|name| wanted.contains(name))
    }
}

impl Memory for Rulings {
    fn recall(&self, part: &Path) -> Option<Vec<u8>> {
        self.0.bytes(part.file_name()?.to_str()?)
    }

    fn keep(&self, part: &Path, said: &[u8]) -> Result<(), TableFault> {
        match part.file_name().and_then(|name| name.to_str()) {
            Some(name) => self.0.put_bytes(name, said),
            None => Ok(()),
        }
    }
}
