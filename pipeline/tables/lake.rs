//! Where everything lies below `lake/`: names only, no writing.
//!
//! `current` is a relative link to the snapshot that counts; `next` is the one being built; `snapshots/<n>` are those
//! kept. Beside them, outside what is promised to be equal: `cache`, `runs`, `lock`. In a snapshot every table lies at
//! `<table>/<season>/part-<bucket>-<hash>.parquet`; the bare season is the folder's name, because `key=value` folders
//! would be numbers in one engine and text in the next.

use super::fault::{TableFault, disk};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The season folder of tables that span all seasons.
pub const ALL_SEASONS: &str = "all";

/// The one bucket of tables that are not divided.
pub const WHOLE: &str = "0";

/// A lake, by its root folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lake {
    root: PathBuf,
}

impl Lake {
    /// The lake in this folder, which need not exist yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The link to the snapshot that counts.
    #[must_use]
    pub fn current(&self) -> PathBuf {
        self.root.join("current")
    }

    /// The snapshot being built.
    #[must_use]
    pub fn next(&self) -> PathBuf {
        self.root.join("next")
    }

    /// The folder of published snapshots.
    #[must_use]
    pub fn snapshots(&self) -> PathBuf {
        self.root.join("snapshots")
    }

    /// One published snapshot.
    #[must_use]
    pub fn snapshot(&self, number: u64) -> PathBuf {
        self.snapshots().join(number.to_string())
    }

    /// What only saves time: stat cache, checkpoints.
    #[must_use]
    pub fn cache(&self) -> PathBuf {
        self.root.join("cache")
    }

    /// Records of runs.
    #[must_use]
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// The file whose kernel lock a run holds.
    #[must_use]
    pub fn lock(&self) -> PathBuf {
        self.root.join("lock")
    }

    /// The number `current` points at; `None` in a lake that was never published.
    ///
    /// # Errors
    /// [`TableFault::Disk`] when `current` is there and is not a link.
    pub fn current_number(&self) -> Result<Option<u64>, TableFault> {
        let link = self.current();
        match fs::read_link(&link) {
            Ok(target) => Ok(target.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok())),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(disk("follow", &link)(fault)),
        }
    }

    /// The snapshot that counts now, by its own name: who reads there sees one night, whatever is published meanwhile.
    ///
    /// # Errors
    /// As [`Lake::current_number`].
    pub fn counting(&self) -> Result<Option<PathBuf>, TableFault> {
        Ok(self.current_number()?.map(|number| self.snapshot(number)))
    }

    /// Numbers of the snapshots there are, rising.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn numbers(&self) -> Result<Vec<u64>, TableFault> {
        let mut numbers: Vec<u64> = names(&self.snapshots())?.iter().filter_map(|name| name.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// The folder of one season of one table in a snapshot.
#[must_use]
pub fn table_dir(snapshot: &Path, table: &str, season: &str) -> PathBuf {
    snapshot.join(table).join(season)
}

/// A part as a listing shows it, ordered by season, bucket and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// Season folder.
    pub season: String,
    /// Bucket label.
    pub bucket: String,
    /// File name, content digits included.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
}

/// The parts of one table in a snapshot, sorted by (season, bucket); empty when there are none.
///
/// # Errors
/// [`TableFault::Disk`].
pub fn parts(snapshot: &Path, table: &str) -> Result<Vec<Listed>, TableFault> {
    let mut found = Vec::new();
    for season in names(&snapshot.join(table))? {
        found.extend(season_parts(snapshot, table, &season)?);
    }
    found.sort_unstable();
    Ok(found)
}

/// The parts of one season of one table, sorted by bucket.
///
/// # Errors
/// [`TableFault::Disk`].
pub fn season_parts(snapshot: &Path, table: &str, season: &str) -> Result<Vec<Listed>, TableFault> {
    let dir = table_dir(snapshot, table, season);
    let listed = |name: String| {
        let (bucket, _) = name.strip_prefix("part-")?.strip_suffix(".parquet")?.rsplit_once('-')?;
        Some(Listed { season: season.to_owned(), bucket: bucket.to_owned(), path: dir.join(&name), name })
    };
    let mut found: Vec<Listed> = names(&dir)?.into_iter().filter_map(listed).collect();
    found.sort_unstable();
    Ok(found)
}

/// Digest of what a table holds in a snapshot: 32 hex digits over its parts' seasons and names, which hold their
/// content's hashes. Equal digests mean equal tables; no file is opened.
///
/// # Errors
/// [`TableFault::Disk`].
pub fn digest(snapshot: &Path, table: &str) -> Result<String, TableFault> {
    const DIGITS: usize = 32;
    let mut hash = blake3::Hasher::new();
    for part in parts(snapshot, table)? {
        hash.update(part.season.as_bytes()).update(b"/").update(part.name.as_bytes()).update(b"\n");
    }
    Ok(hash.finalize().to_hex()[..DIGITS].to_owned())
}

/// The UTF-8 names in a folder, sorted; none when it is absent or no folder. Nothing of ours has another name.
pub fn names(dir: &Path) -> Result<Vec<String>, TableFault> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(fault) if matches!(fault.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(fault) => return Err(disk("list", dir)(fault)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry.map_err(disk("list", dir))?.file_name();
        found.extend(name.into_string().ok());
    }
    found.sort_unstable();
    Ok(found)
}
