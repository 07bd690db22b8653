//! Snapshots: how the parts of a night become the ones that count.
//!
//! The order of a night is in the types: only a [`Building`] takes parts, only one that is [`Sealed`] is checked, only its
//! check makes a [`Checked`](super::sealed::Checked), only that can be published. The invariants:
//!
//! - `lake/current` is a relative link that is only ever replaced by a rename: who follows it sees one whole night;
//! - a folder gets its number in `snapshots/` after it was checked and synced, so every numbered folder is whole;
//! - `current` points at the newest number, except between that rename and the switch and after a rollback; what is
//!   newer than `current` is a leftover, and the next run removes it;
//! - nothing in a snapshot tells the time, the run or the product's version: it is a function of its inputs.
//!
//! The snapshot is built in `lake/next`, which a killed run leaves behind with whole parts in it: the next run may
//! [`Building::resume`] it, or [`Building::begin`] anew. A stage that leaves it there for another to go on with has it
//! synced ([`Building::leave`]), so that the parts are whole after a power cut too.

use super::catalogue::ALL;
use super::check::{self, Finding, Weight};
use super::dictionary;
use super::durable;
use super::fault::{TableFault, disk};
use super::lake::{self, Lake, Listed};
use super::row::SCHEMA_VERSION;
use super::sealed::{Sealed, Verdict};
use super::views;
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The snapshot's own small file.
const STAMP: &str = "snapshot.json";

/// Views and queries for whoever opens the tables, and what the columns mean.
const VIEWS: &str = "views.sql";
const DICTIONARY: &str = "dictionary.md";

/// The files beside the tables.
pub const BESIDE: [&str; 3] = [STAMP, VIEWS, DICTIONARY];

/// What [`STAMP`] holds: the schema, from which inputs each derived table was made, and how much the libraries may hold. No
/// time, no version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Schema of all tables.
    pub schema: u32,
    /// Derived table -> the table it was made from -> that table's digest then ([`lake::digest`]).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub made_from: BTreeMap<String, BTreeMap<String, String>>,
    /// Library of the Academy -> what it may hold of a game; empty where nobody said so.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub room: BTreeMap<String, u64>,
}

impl Default for Stamp {
    fn default() -> Self {
        Self { schema: SCHEMA_VERSION, made_from: BTreeMap::new(), room: BTreeMap::new() }
    }
}

impl Stamp {
    /// The stamp of a snapshot; the empty one when it has none yet.
    ///
    /// # Errors
    /// [`TableFault::Newer`], [`TableFault::Older`], [`TableFault::Damaged`], [`TableFault::Disk`].
    pub fn read(snapshot: &Path) -> Result<Self, TableFault> {
        let path = snapshot.join(STAMP);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(fault) => return Err(disk("read", &path)(fault)),
        };
        // The version by itself first: a newer stamp may have any shape beside it.
        let damaged = |fault: serde_json::Error| TableFault::Damaged { path: path.clone(), reason: fault.to_string() };
        let version: Version = serde_json::from_slice(&bytes).map_err(damaged)?;
        let (found, known) = (version.schema, SCHEMA_VERSION);
        match found.cmp(&known) {
            std::cmp::Ordering::Greater => Err(TableFault::Newer { path, found, known }),
            std::cmp::Ordering::Less => Err(TableFault::Older { path, found, known }),
            std::cmp::Ordering::Equal => serde_json::from_slice(&bytes).map_err(damaged),
        }
    }
}

#[derive(Deserialize)]
struct Version {
    schema: u32,
}

/// Whether a snapshot has this program's schema, as far as its stamp can be read: one that is damaged (a power cut tore that
/// of a run that was stopped) says nothing of the parts beside it. One of a newer program is a fault.
fn is_ours(snapshot: &Path) -> Result<bool, TableFault> {
    match Stamp::read(snapshot) {
        Ok(_) => Ok(true),
        Err(TableFault::Older { .. } | TableFault::Damaged { .. }) => Ok(false),
        Err(fault) => Err(fault),
    }
}

/// A snapshot that takes parts.
#[derive(Debug)]
pub struct Building {
    lake: Lake,
    dir: PathBuf,
    stamp: Stamp,
    /// `current` has this program's schema: its parts may be kept, and were checked.
    follows: bool,
}

/// A snapshot to be checked.
#[derive(Clone, Debug)]
pub struct Scope {
    dir: PathBuf,
    /// One that was checked already.
    trusted: Option<PathBuf>,
}

impl Scope {
    /// Looks at facts and partials; `None` when `go_on` said no before the end.
    ///
    /// # Errors
    /// When a part cannot be read.
    pub fn facts(&self, go_on: &(dyn Fn() -> bool + Sync)) -> Result<Option<check::Facts>, TableFault> {
        check::facts((&self.dir, self.trusted.as_deref()), go_on)
    }

    /// Looks at everything that was not looked at ahead.
    pub(super) fn findings(&self, facts: Option<check::Facts>) -> Result<Vec<check::Finding>, TableFault> {
        let scope = (self.dir.as_path(), self.trusted.as_deref());
        facts.map_or_else(|| check::snapshot(scope.0, scope.1), |facts| facts.and_the_rest(scope))
    }
}

/// The snapshot that counts now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Its number.
    pub number: u64,
    /// Its folder.
    pub dir: PathBuf,
    /// Snapshots removed because more were kept than asked for.
    pub pruned: Vec<u64>,
}

impl Building {
    /// Begins an empty snapshot; whatever a killed run left is removed. After a `current` of an older schema
    /// everything has to be built again: [`Building::follows`] says so.
    ///
    /// # Errors
    /// [`TableFault::Disk`]; [`TableFault::Newer`] when a newer program wrote `current`.
    pub fn begin(lake: Lake) -> Result<Self, TableFault> {
        durable::remove_folder(&lake.next())?;
        Self::resume(lake)
    }

    /// Goes on with what `lake/next` holds (an empty snapshot when there is none). Parts in it are whole; whether
    /// they are still wanted is for the caller's plan ([`Building::retain`]).
    ///
    /// # Errors
    /// As [`Building::begin`].
    pub fn resume(lake: Lake) -> Result<Self, TableFault> {
        clear_leftovers(&lake)?;
        let dir = lake.next();
        if !is_ours(&dir)? {
            durable::remove_folder(&dir)?;
        }
        fs::create_dir_all(&dir).map_err(disk("create", &dir))?;
        let (stamp, follows) = (Stamp::read(&dir)?, is_ours(&lake.current())?);
        Ok(Self { lake, dir, stamp, follows })
    }

    pub(super) const fn lake(&self) -> &Lake {
        &self.lake
    }

    /// Its folder: a [`super::part::PartWriter`] writes into `lake::table_dir(dir, table, season)`.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether parts of `current` may be kept: it has this program's schema, or there is none.
    #[must_use]
    pub const fn follows(&self) -> bool {
        self.follows
    }

    /// Takes a part over unchanged from an earlier snapshot.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn keep(&self, table: &str, part: &Listed) -> Result<(), TableFault> {
        let dir = lake::table_dir(&self.dir, table, &part.season);
        // Thousands of parts are kept in some dozens of folders.
        if !dir.is_dir() {
            fs::create_dir_all(&dir).map_err(disk("create", &dir))?;
        }
        durable::link(&part.path, &dir.join(&part.name))
    }

    /// Takes over from `current` what its derived tables were made from: for whoever keeps all its parts and then changes
    /// some, so that what depends on these is known to be stale.
    ///
    /// # Errors
    /// [`TableFault::Disk`], [`TableFault::Damaged`].
    pub fn inherit(&mut self) -> Result<(), TableFault> {
        self.stamp = Stamp::read(&self.lake.current())?;
        self.write_stamp()
    }

    /// Removes the parts of a season of a table whose names are not among these.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn retain(&self, (table, season): (&str, &str), names: &BTreeSet<String>) -> Result<(), TableFault> {
        for part in lake::season_parts(&self.dir, table, season)? {
            if !names.contains(&part.name) {
                durable::remove_file(&part.path)?;
            }
        }
        Ok(())
    }

    /// Removes every part and season folder of a table but these: season -> names of its parts.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn keep_only(&self, table: &str, wanted: &BTreeMap<&str, BTreeSet<String>>) -> Result<(), TableFault> {
        for season in lake::names(&self.dir.join(table))? {
            match wanted.get(season.as_str()) {
                Some(names) => self.retain((table, &season), names)?,
                None => durable::remove_folder(&lake::table_dir(&self.dir, table, &season))?,
            }
        }
        Ok(())
    }

    /// Writes down that derived tables were made from these tables as they are now. A later change of one of them
    /// makes the derived table stale, and the check says so.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn made_from<'t>(
        &mut self,
        tables: impl IntoIterator<Item = (&'t str, &'t [&'t str])>,
    ) -> Result<(), TableFault> {
        let mut known = Digests::of(&self.dir);
        for (table, inputs) in tables {
            let digest = |input: &&str| Ok::<_, TableFault>(((*input).to_owned(), known.digest(input)?.to_owned()));
            let digests = inputs.iter().map(digest).collect::<Result<_, _>>()?;
            self.stamp.made_from.insert(table.to_owned(), digests);
        }
        self.write_stamp()
    }

    /// Writes down how much each library of the Academy may hold of a game: the check holds the tables to it.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn bounded_by<'a>(&mut self, room: impl IntoIterator<Item = (&'a str, u64)>) -> Result<(), TableFault> {
        self.stamp.room = room.into_iter().map(|(library, most)| (library.to_owned(), most)).collect();
        self.write_stamp()
    }

    /// Leaves the snapshot as it is for another run to go on with.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn leave(self) -> Result<(), TableFault> {
        durable::sync_below(&self.dir)
    }

    /// Seals and checks it. Parts that `current` holds under the same name were checked when it was published.
    ///
    /// # Errors
    /// [`TableFault`] when a part cannot be read, or the disk fails.
    pub fn check(self) -> Result<Verdict, TableFault> {
        let sealed = self.seal()?;
        let findings = sealed.findings(None)?;
        Ok(sealed.verdict(findings))
    }

    /// Writes what stands beside the tables; after that nothing is written into it.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn seal(self) -> Result<Sealed, TableFault> {
        self.write_stamp()?;
        durable::write(&self.dir, VIEWS, views::sql(&present(&self.dir)?).as_bytes())?;
        durable::write(&self.dir, DICTIONARY, dictionary::markdown().as_bytes())?;
        Ok(Sealed::of(self))
    }

    /// What is checked, for whoever looks at the facts while other tables are still being written.
    #[must_use]
    pub fn scope(&self) -> Scope {
        let current = self.lake.current();
        Scope { dir: self.dir.clone(), trusted: (self.follows && current.exists()).then_some(current) }
    }

    fn write_stamp(&self) -> Result<(), TableFault> {
        let path = self.dir.join(STAMP);
        let mut bytes = serde_json::to_vec_pretty(&self.stamp).map_err(|fault| disk("write", &path)(fault.into()))?;
        bytes.push(b'\n');
        durable::write(&self.dir, STAMP, &bytes)
    }

    /// `fresh`: a derived table was made from its inputs as they are.
    pub(super) fn stale(&self) -> Result<Vec<Finding>, TableFault> {
        let (mut findings, mut digests) = (Vec::new(), Digests::of(&self.dir));
        for table in ALL {
            for (input, digest) in self.stamp.made_from.get(table.name).into_iter().flatten() {
                if digests.digest(input)? != digest {
                    findings.push(Finding {
                        check: "fresh",
                        weight: Weight::Blocking,
                        table: table.name,
                        match_id: None,
                        sentence: format!("`{}` was made from another `{input}`", table.name),
                    });
                }
            }
        }
        Ok(findings)
    }
}

/// The digests of the tables of a snapshot, each taken once.
struct Digests<'a> {
    snapshot: &'a Path,
    taken: BTreeMap<String, String>,
}

impl<'a> Digests<'a> {
    const fn of(snapshot: &'a Path) -> Self {
        Self { snapshot, taken: BTreeMap::new() }
    }

    fn digest(&mut self, table: &str) -> Result<&str, TableFault> {
        match self.taken.entry(table.to_owned()) {
            Entry::Occupied(taken) => Ok(taken.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(lake::digest(self.snapshot, table)?)),
        }
    }
}

/// The snapshot before `current`.
///
/// # Errors
/// [`TableFault::NoEarlier`] when none is kept; [`TableFault::Disk`].
pub fn earlier(lake: &Lake) -> Result<u64, TableFault> {
    let current = lake.current_number()?.unwrap_or(0);
    let earlier = lake.numbers()?.into_iter().rfind(|number| *number < current);
    earlier.ok_or_else(|| TableFault::NoEarlier { path: lake.snapshots() })
}

/// Points `current` at the snapshot before it. The one left behind is removed by the next run that builds.
///
/// # Errors
/// As [`earlier`].
pub fn rollback(lake: &Lake) -> Result<Published, TableFault> {
    let number = earlier(lake)?;
    switch(lake, number)?;
    Ok(Published { number, dir: lake.snapshot(number), pruned: Vec::new() })
}

/// Removes what killed runs left, except whole parts in `lake/next`: whatever is unfinished, and snapshots newer than
/// `current`. Without a `current` the newest snapshot, which is whole, becomes it: the first night was killed between
/// its last two steps, or somebody removed the link.
///
/// # Errors
/// [`TableFault::Disk`].
pub fn clear_leftovers(lake: &Lake) -> Result<(), TableFault> {
    fs::create_dir_all(lake.root()).map_err(disk("create", lake.root()))?;
    remove_unfinished(lake.root())?;
    remove_unfinished(&lake.snapshots())?;
    for table in lake::names(&lake.next())? {
        let folder = lake.next().join(table);
        for season in lake::names(&folder)? {
            remove_unfinished(&folder.join(season))?;
        }
    }
    remove_unfinished(&lake.next())?;
    let numbers = lake.numbers()?;
    let Some(current) = lake.current_number()? else {
        return numbers.last().map_or(Ok(()), |newest| switch(lake, *newest));
    };
    for number in numbers.into_iter().filter(|number| *number > current) {
        durable::remove_folder(&lake.snapshot(number))?;
    }
    Ok(())
}

fn remove_unfinished(dir: &Path) -> Result<(), TableFault> {
    for name in lake::names(dir)?.iter().filter(|name| name.starts_with(durable::UNFINISHED)) {
        durable::clear(&dir.join(name))?;
    }
    Ok(())
}

pub(super) fn switch(lake: &Lake, number: u64) -> Result<(), TableFault> {
    durable::point(&lake.current(), &Path::new("snapshots").join(number.to_string()))
}

pub(super) fn prune(lake: &Lake, kept: usize) -> Result<Vec<u64>, TableFault> {
    let mut numbers = lake.numbers()?;
    numbers.truncate(numbers.len().saturating_sub(kept.max(1)));
    for number in &numbers {
        durable::remove_folder(&lake.snapshot(*number))?;
    }
    Ok(numbers)
}

/// The tables that have a part.
fn present(dir: &Path) -> Result<BTreeSet<&'static str>, TableFault> {
    let mut found = BTreeSet::new();
    for table in ALL {
        if !lake::parts(dir, table.name)?.is_empty() {
            found.insert(table.name);
        }
    }
    Ok(found)
}
