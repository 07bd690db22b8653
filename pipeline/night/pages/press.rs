//! One season's folder of pages: what it was made from, and what of it need not be made again.
//!
//! Pages are made in *groups*, mostly of one page. A group has a key: the digest of everything it shows. The cache lists
//! every group with its key and the names of its pages, under the identity of the folder it speaks of; a group whose key
//! is in the list of the folder that readers have open is linked over from there. A folder that somebody wrote into or
//! that was put there by other means has another identity, and every page is made again.
//!
//! A folder is made *ready* first, beside the one that readers have open, and exchanged with it later: everything that
//! needs room on the disk is done by then.

use crate::night::cache::Cache;
use crate::night::fault::NightFault;
use crate::night::publish::{self, Beside, Folder, Old};
use crate::report::{self, Page};
use crate::tables::fault::TableFault;
use crate::tables::{durable, lake};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A group of pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Group {
    key: String,
    pages: Vec<String>,
}

/// Where the lists lie in the cache.
const LISTS: &str = "pages";

/// Groups by name.
type Groups = BTreeMap<String, Group>;

/// A folder of pages on its way.
pub(super) struct Press {
    cache: Cache,
    folder: Folder,
    open: Groups,
    made: Mutex<Groups>,
}

impl Press {
    /// Begins the folder that will become `public`.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub(super) fn begin(cache: &Cache, public: &Path) -> Result<Self, NightFault> {
        let cache = cache.below(LISTS);
        let open = list(&cache, public);
        if open.is_none() && is_foreign(public)? {
            return Err(NightFault::Foreign(public.to_path_buf()));
        }
        let open = open.unwrap_or_default();
        Ok(Self { cache, folder: Folder::begin(public.to_path_buf())?, open, made: Mutex::default() })
    }

    /// Takes a group over from the folder that is open; false when it has to be made.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub(super) fn carry(&self, name: &str, key: &str) -> Result<bool, NightFault> {
        let Some(group) = self.open.get(name).filter(|group| group.key == key) else { return Ok(false) };
        for page in &group.pages {
            if !self.folder.carry(page)? {
                return Ok(false);
            }
        }
        self.note(name, group.clone());
        Ok(true)
    }

    /// Writes a group that was made.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub(super) fn print(&self, name: &str, key: String, pages: &[Page]) -> Result<(), NightFault> {
        for page in pages {
            self.folder.write(&page.path, page.html.as_bytes())?;
        }
        let pages = pages.iter().map(|page| page.path.clone()).collect();
        self.note(name, Group { key, pages });
        Ok(())
    }

    fn note(&self, name: &str, group: Group) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), group);
    }

    /// Makes the folder ready to become the public one; where the public one is just this, it goes away. Returns how many
    /// pages it holds, too.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub(super) fn ready(self) -> Result<(usize, Option<Ready>), NightFault> {
        let made = self.made.into_inner().unwrap_or_else(PoisonError::into_inner);
        let count = made.values().map(|group| group.pages.len()).sum();
        if made == self.open {
            self.folder.give_way()?;
            return Ok((count, None));
        }
        self.folder.keep_beside(Beside::Links)?;
        self.folder.sync()?;
        let identity = identity(self.folder.dir());
        if let Some(name) = &identity {
            self.cache.put(name, &made)?;
        }
        Ok((count, Some(Ready { cache: self.cache, folder: self.folder, made, identity })))
    }
}

/// A folder of pages that only has to be exchanged with the public one. One that is dropped instead goes away.
pub(super) struct Ready {
    cache: Cache,
    folder: Folder,
    made: Groups,
    identity: Option<String>,
}

impl Ready {
    /// Makes the folder the public one. Returns the one that was, if any.
    ///
    /// # Errors
    /// When the disk cannot be written; the public folder is then the old one, whole.
    pub(super) fn exchange(self) -> Result<Option<Old>, NightFault> {
        self.folder.keep_beside(Beside::Everything)?;
        let identity = identity(self.folder.dir());
        if identity != self.identity {
            // Somebody laid something beside the pages meanwhile.
            self.folder.sync()?;
            if let Some(name) = identity {
                // What cannot be noted is made again.
                _ = self.cache.put(&name, &self.made);
            }
        }
        self.folder.exchange()
    }
}

/// Whether a folder holds something and neither of the two pages that every folder of ours has.
fn is_foreign(public: &Path) -> Result<bool, NightFault> {
    let ours = [report::INDEX, report::QUALITY].iter().any(|page| public.join(page).is_file());
    Ok(!ours && !lake::names(public)?.is_empty())
}

/// Whether a folder is as the last run left it: nobody added a page to it, took one away or put another in its place.
#[must_use]
pub(in crate::night) fn is_as_left(cache: &Cache, folder: &Path) -> bool {
    identity(folder).is_some_and(|name| cache.below(LISTS).dir().join(name).is_file())
}

/// Whether pages of a folder may be taken over: it is as a run of this program left it.
#[must_use]
pub(in crate::night) fn may_be_linked(cache: &Cache, folder: &Path) -> bool {
    list(&cache.below(LISTS), folder).is_some()
}

/// The list of a folder that is as a run of this program left it.
fn list(lists: &Cache, folder: &Path) -> Option<Groups> {
    identity(folder).and_then(|name| lists.get(&name))
}

/// Forgets what the pages were made from. That the folders are ours stays known.
///
/// # Errors
/// When the disk cannot be written.
pub(super) fn forget(cache: &Cache) -> Result<(), TableFault> {
    let lists = cache.below(LISTS);
    lake::names(lists.dir())?.into_iter().try_for_each(|name| lists.put(&name, &Groups::new()))
}

/// What tells a folder from every other that had or will have its name, and from itself once somebody wrote into it.
fn identity(folder: &Path) -> Option<String> {
    let said = std::fs::metadata(folder).ok()?;
    Some(format!("{:x}-{:x}-{:x}-{:x}", said.dev(), said.ino(), said.mtime(), said.mtime_nsec()))
}

/// Removes the folders of seasons that are no more, and forgets their lists. Only a folder that is as a run left it is
/// removed: one that somebody wrote into, or that was put there by other means, is not ours to remove.
///
/// # Errors
/// When the disk cannot be written.
pub(super) fn prune(cache: &Cache, (reports, seasons): (&Path, &[String])) -> Result<(), NightFault> {
    let lists = cache.below(LISTS);
    let known = lake::names(lists.dir())?;
    for name in lake::names(reports)?.into_iter().filter(|name| !seasons.contains(name) && !publish::is_next(name)) {
        let folder = reports.join(name);
        let as_left = identity(&folder).is_some_and(|made| known.contains(&made));
        if !(folder.is_dir() && as_left) {
            continue;
        }
        if publish::beside(&folder)?.is_empty() {
            durable::remove_folder(&folder)?;
            continue;
        }
        // Somebody's own lies beside the pages: they go, and it stays.
        for page in lake::names(&folder)?.iter().filter(|name| name.ends_with(".html")) {
            durable::remove_file(&folder.join(page))?;
        }
    }
    let kept: Vec<String> = seasons.iter().filter_map(|season| identity(&reports.join(season))).collect();
    Ok(lists.retain(|name| kept.iter().any(|kept| kept == name))?)
}
