//! A snapshot that is built: nothing is written into it any more. What is left is to check it, to draw its pages, and to let
//! it count. The first two only read, so a night does them side by side.

use super::catalogue::ALL;
use super::check::{self, Finding, Weight};
use super::durable;
use super::fault::{TableFault, disk};
use super::lake::{self, Lake, Listed};
use super::part;
use super::snapshot::{BESIDE, Building, Published, prune, switch};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A snapshot whose every file is written.
#[derive(Debug)]
pub struct Sealed {
    building: Building,
}

/// A snapshot whose contract holds.
#[derive(Debug)]
pub struct Checked {
    lake: Lake,
    dir: PathBuf,
    warnings: Vec<Finding>,
}

/// How much a snapshot holds.
#[derive(Clone, Debug, Default)]
pub struct Size {
    /// Rows of each table.
    pub rows: BTreeMap<String, u64>,
    /// Bytes of its parts.
    pub bytes: u64,
}

/// What came of a check.
#[derive(Debug)]
pub enum Verdict {
    /// It may be published.
    Sound(Checked),
    /// The contract is broken: the findings, and the snapshot, which may be mended.
    Broken(Building, Vec<Finding>),
}

impl Sealed {
    pub(super) const fn of(building: Building) -> Self {
        Self { building }
    }

    /// Its folder, `lake/next`.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.building.dir()
    }

    /// Whether `current` holds the same, part for part.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn is_current(&self) -> Result<bool, TableFault> {
        let current = self.building.lake().current();
        for table in ALL {
            if lake::digest(self.building.dir(), table.name)? != lake::digest(&current, table.name)? {
                return Ok(false);
            }
        }
        let same = |name: &str| match (fs::read(self.building.dir().join(name)), fs::read(current.join(name))) {
            (Ok(ours), Ok(theirs)) => ours == theirs,
            _ => false,
        };
        Ok(BESIDE.into_iter().all(same))
    }

    /// The number it gets when it is published.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn number(&self) -> Result<u64, TableFault> {
        next_number(self.building.lake())
    }

    /// What is wrong with it; the facts may have been looked at ahead.
    ///
    /// # Errors
    /// [`TableFault`] when a part cannot be read, or the disk fails.
    pub fn findings(&self, facts: Option<check::Facts>) -> Result<Vec<Finding>, TableFault> {
        let scope = self.building.scope();
        let mut findings = scope.findings(facts)?;
        findings.extend(self.building.stale()?);
        Ok(findings)
    }

    /// Has it all on the disk, so that whoever publishes it has nothing to wait for.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn sync(&self) -> Result<(), TableFault> {
        durable::sync_below(self.dir())
    }

    /// How much it holds; the rows of some tables are `known`.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub fn size(&self, known: &BTreeMap<String, u64>) -> Result<Size, TableFault> {
        let mut size = Size::default();
        for table in ALL {
            let parts = lake::parts(self.dir(), table.name)?;
            let bytes =
                |part: &Listed| fs::metadata(&part.path).map(|said| said.len()).map_err(disk("look at", &part.path));
            size.bytes += parts.iter().map(bytes).sum::<Result<u64, TableFault>>()?;
            let counted = || parts.iter().map(|listed| part::rows(&listed.path, table.name)).sum();
            let rows = known.get(table.name).map_or_else(counted, |rows| Ok(*rows))?;
            size.rows.insert(table.name.to_owned(), rows);
        }
        Ok(size)
    }

    /// What may be done with it, by what was found.
    #[must_use]
    pub fn verdict(self, findings: Vec<Finding>) -> Verdict {
        if findings.iter().any(|finding| finding.weight == Weight::Blocking) {
            return Verdict::Broken(self.building, findings);
        }
        let (lake, dir) = (self.building.lake().clone(), self.building.dir().to_path_buf());
        Verdict::Sound(Checked { lake, dir, warnings: findings })
    }
}

impl Checked {
    /// What the check would have somebody look at.
    #[must_use]
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// Its folder, still `lake/next`.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Removes it: `current`, which holds the same, goes on counting.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn give_way(self) -> Result<Published, TableFault> {
        durable::remove_folder(&self.dir)?;
        let number = self.lake.current_number()?.unwrap_or_default();
        Ok(Published { number, dir: self.lake.snapshot(number), pruned: Vec::new() })
    }

    /// Makes it the one that counts, and keeps the newest `kept` snapshots (at least this one).
    ///
    /// # Errors
    /// [`TableFault::Disk`]; `current` is then the old one or the new one, whole either way.
    pub fn publish(self, kept: usize) -> Result<Published, TableFault> {
        durable::sync_below(&self.dir)?;
        let number = next_number(&self.lake)?;
        let (dir, snapshots) = (self.lake.snapshot(number), self.lake.snapshots());
        fs::create_dir_all(&snapshots).map_err(disk("create", &snapshots))?;
        durable::rename(&self.dir, &dir)?;
        durable::sync_folder(&snapshots)?;
        switch(&self.lake, number)?;
        let pruned = prune(&self.lake, kept)?;
        Ok(Published { number, dir, pruned })
    }
}

/// The number the next snapshot gets.
fn next_number(lake: &Lake) -> Result<u64, TableFault> {
    Ok(lake.numbers()?.last().map_or(1, |newest| newest + 1))
}
