//! What readers see changes in one step: a season's folder of pages is built beside the old one and exchanged with it.

use super::fault::NightFault;
use crate::tables::catalogue;
use crate::tables::durable;
use crate::tables::lake::{self, Lake};
use crate::tables::snapshot::Building;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs;
use std::path::{Path, PathBuf};

/// Takes every part of the published snapshot over into an empty one, and what its derived tables were made from.
///
/// # Errors
/// [`NightFault::Empty`] when nothing is published; a disk that cannot be written.
pub fn carry_over(lake: &Lake, building: &mut Building) -> Result<(), NightFault> {
    if lake.current_number()?.is_none() {
        return Err(NightFault::Empty(lake.root().to_path_buf()));
    }
    for table in catalogue::ALL {
        for listed in lake::parts(&lake.current(), table.name)? {
            building.keep(table.name, &listed)?;
        }
    }
    Ok(building.inherit()?)
}

/// Makes the folder of reports and proves that it takes files: a wrong path is told before the work, not after it.
///
/// # Errors
/// [`NightFault::Unwritable`].
pub fn open(reports: &Path) -> Result<(), NightFault> {
    let unwritable = |source| NightFault::Unwritable { path: reports.to_path_buf(), source };
    let probe = reports.join(".next-probe");
    fs::create_dir_all(reports).map_err(unwritable)?;
    fs::write(&probe, b"").and_then(|()| fs::remove_file(&probe)).map_err(unwritable)
}

/// A folder of pages being built beside the one that readers have open.
pub struct Folder {
    new: PathBuf,
    public: PathBuf,
}

impl Folder {
    /// Begins an empty folder that will become `public`.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn begin(public: PathBuf) -> Result<Self, NightFault> {
        let name = public.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let new = public.with_file_name(format!(".next-{name}"));
        if new.exists() {
            fs::remove_dir_all(&new).map_err(|source| NightFault::Unwritable { path: new.clone(), source })?;
        }
        fs::create_dir_all(&new).map_err(|source| NightFault::Unwritable { path: new.clone(), source })?;
        Ok(Self { new, public })
    }

    /// Where it is being built.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.new
    }

    /// Takes a page over from the folder that is open: a hard link, or a copy where the file system has none. False when
    /// there is no such page.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn carry(&self, name: &str) -> Result<bool, NightFault> {
        let from = self.public.join(name);
        if !from.is_file() {
            return Ok(false);
        }
        durable::link(&from, &self.new.join(name))?;
        Ok(true)
    }

    /// Removes it: the public folder holds the same.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn give_way(self) -> Result<(), NightFault> {
        fs::remove_dir_all(&self.new).map_err(|source| NightFault::Unwritable { path: self.new, source })
    }

    /// Writes one page.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), NightFault> {
        let path = self.new.join(name);
        fs::write(&path, bytes).map_err(|source| NightFault::Unwritable { path, source })
    }

    /// Syncs the pages, all at once, and makes the folder the public one.
    ///
    /// # Errors
    /// When the disk cannot be written; the public folder is then the old one, whole.
    pub fn exchange(self) -> Result<(), NightFault> {
        let unwritable = |path: &Path| {
            let path = path.to_path_buf();
            move |source| NightFault::Unwritable { path, source }
        };
        durable::sync_below(&self.new)?;
        if !self.public.exists() {
            return fs::rename(&self.new, &self.public).map_err(unwritable(&self.public));
        }
        if renameat_with(CWD, &self.new, CWD, &self.public, RenameFlags::EXCHANGE).is_err() {
            // A file system without the exchange: two renames, and for an instant no folder.
            let old = self.new.with_extension("old");
            fs::rename(&self.public, &old).map_err(unwritable(&self.public))?;
            fs::rename(&self.new, &self.public).map_err(unwritable(&self.public))?;
            return fs::remove_dir_all(&old).map_err(unwritable(&old));
        }
        fs::remove_dir_all(&self.new).map_err(unwritable(&self.new))
    }
}
