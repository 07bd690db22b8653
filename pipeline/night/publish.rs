//! What readers see changes in one step: a season's folder of pages is built beside the old one and exchanged with it.

use super::fault::NightFault;
use crate::config::Settings;
use crate::report;
use crate::tables::catalogue;
use crate::tables::durable;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake};
use crate::tables::snapshot::Building;
use rustix::fs::Access;
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

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

/// Begins the names of what is being built among the reports; a season's name never begins with a dot.
const NEXT: &str = ".next-";

/// Makes the folder of reports, removes what a killed run left in it, and proves that it takes files: a wrong path is
/// told before the work, not after it.
///
/// # Errors
/// [`NightFault::Unwritable`]; [`NightFault::Overlap`]; leftovers that cannot be removed.
pub fn open(settings: &Settings) -> Result<(), NightFault> {
    let reports = settings.reports.as_path();
    let unwritable = |source| NightFault::Unwritable { path: reports.to_path_buf(), source };
    fs::create_dir_all(reports).map_err(unwritable)?;
    // Folders of pages replace what has their name: never among the files they are made from.
    let real = fs::canonicalize(reports).map_err(unwritable)?;
    for ours in [settings.raw(), settings.lake()] {
        if fs::canonicalize(&ours).is_ok_and(|ours| real.starts_with(ours)) {
            return Err(NightFault::Overlap { reports: reports.to_path_buf(), data: ours });
        }
    }
    for left in leftovers(reports)? {
        durable::clear(&left)?;
    }
    // The old folder of pages goes when the new one has its place: told before anything is published, not after.
    for season in lake::names(reports)?.into_iter().map(|name| reports.join(name)).filter(|folder| is_of_pages(folder))
    {
        rustix::fs::access(&season, Access::WRITE_OK)
            .map_err(|fault| NightFault::Unwritable { path: season.clone(), source: fault.into() })?;
    }
    let probe = reports.join(format!("{NEXT}probe"));
    fs::write(&probe, b"").and_then(|()| fs::remove_file(&probe)).map_err(unwritable)
}

/// Whether this is the name of a folder that is being built, or that has just given way.
#[must_use]
pub fn is_next(name: &str) -> bool {
    name.starts_with(NEXT)
}

/// What runs that were stopped left among the reports, and beside the folders of seasons that are kept elsewhere.
fn leftovers(reports: &Path) -> Result<Vec<PathBuf>, TableFault> {
    let is_left = |name: &String| is_next(name) || name.starts_with(durable::UNFINISHED);
    let (left, others): (Vec<String>, Vec<String>) = lake::names(reports)?.into_iter().partition(is_left);
    // What stands beside the target of a link that is no season's is somebody else's.
    let is_linked = |season: &PathBuf| season.is_symlink() && is_of_pages(season);
    let linked = others.into_iter().map(|name| reports.join(name)).filter(is_linked);
    let beside = linked.map(|season| next_of(&public_of(season))).filter(|next| next.is_dir());
    Ok(left.into_iter().map(|name| reports.join(name)).chain(beside).collect())
}

/// Whether a folder, or what a link leads to, holds the pages of a season.
fn is_of_pages(folder: &Path) -> bool {
    folder.join(report::INDEX).is_file()
}

/// Where a season's pages are: somebody may keep them elsewhere, and they are exchanged there.
fn public_of(season: PathBuf) -> PathBuf {
    if season.is_symlink() { fs::canonicalize(&season).unwrap_or(season) } else { season }
}

/// Where the pages that will be these are built.
fn next_of(public: &Path) -> PathBuf {
    let name = public.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    public.with_file_name(format!("{NEXT}{name}"))
}

/// Removes what a killed run left among the reports, as far as that can be done.
pub fn sweep(settings: &Settings) {
    for left in leftovers(&settings.reports).unwrap_or_default() {
        _ = durable::clear(&left);
    }
}

/// A folder of pages being built beside the one that readers have open. One that is dropped before it became public
/// (a signal, a full disk) goes away.
pub struct Folder {
    new: PathBuf,
    public: PathBuf,
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now is swept by the next run.
        _ = durable::clear(&self.new);
    }
}

/// What lies beside the pages of a folder: all that is no page.
///
/// # Errors
/// When the folder cannot be listed.
pub fn beside(public: &Path) -> Result<Vec<OsString>, NightFault> {
    let is_page = |name: &OsString| Path::new(name).extension().is_some_and(|kind| kind == PAGE);
    Ok(names(public)?.into_iter().filter(|name| !is_page(name)).collect())
}

/// What a folder holds, whatever its name is spelled in; nothing where there is no folder.
fn names(folder: &Path) -> Result<Vec<OsString>, NightFault> {
    let unreadable = |source| NightFault::Unreadable { path: folder.to_path_buf(), source };
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>().map_err(unreadable),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(fault) => Err(unreadable(fault)),
    }
}

/// How the name of a page ends.
const PAGE: &str = "html";

/// What of the things beside the pages gets its place in the new folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// What can have two places: the public folder stays as it is.
    Links,
    /// The rest, too: what is no file, or may not be read, changes its place.
    Everything,
}

/// Gives a file, or a folder with what is in it, a second place. What is no file, or may not be read, has its place changed.
fn keep((from, to): (&Path, &Path), what: Beside) -> Result<(), NightFault> {
    let unwritable = |source| NightFault::Unwritable { path: from.to_path_buf(), source };
    let kind = fs::symlink_metadata(from).map_err(unwritable)?;
    if kind.is_dir() {
        // Told before anything is done: what is in it could not be taken from the old place.
        rustix::fs::access(from, Access::WRITE_OK).map_err(|fault| unwritable(fault.into()))?;
        fs::create_dir_all(to).map_err(unwritable)?;
        return names(from)?.iter().try_for_each(|name| keep((&from.join(name), &to.join(name)), what));
    }
    match fs::symlink_metadata(to) {
        Ok(there) if (there.dev(), there.ino()) == (kind.dev(), kind.ino()) => return Ok(()),
        // It was kept before, and is another by now.
        Ok(_) => durable::clear(to)?,
        Err(_) => {}
    }
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    match (kind.is_file() && fs::File::open(from).is_ok(), what) {
        (true, _) => Ok(durable::link(from, to)?),
        (false, Beside::Links) => Ok(()),
        (false, Beside::Everything) => fs::rename(from, to).map_err(unwritable),
    }
}

impl Folder {
    /// Begins an empty folder that will become `public`.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn begin(public: PathBuf) -> Result<Self, NightFault> {
        let public = public_of(public);
        let new = next_of(&public);
        durable::clear(&new)?;
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

    /// Takes over what somebody laid beside the pages of the public folder: it is not ours to remove.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn keep_beside(&self, what: Beside) -> Result<(), NightFault> {
        for name in beside(&self.public)? {
            keep((&self.public.join(&name), &self.new.join(&name)), what)?;
        }
        Ok(())
    }

    /// Removes it: the public folder holds the same.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn give_way(self) -> Result<(), NightFault> {
        Ok(durable::clear(&self.new)?)
    }

    /// Writes one page.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), NightFault> {
        let path = self.new.join(name);
        fs::write(&path, bytes).map_err(|source| NightFault::Unwritable { path, source })
    }

    /// Syncs the pages, all at once.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn sync(&self) -> Result<(), NightFault> {
        Ok(durable::sync_below(&self.new)?)
    }

    /// Makes the synced folder the public one. Returns the one that was, if any.
    ///
    /// # Errors
    /// When the disk cannot be written; the public folder is then the old one, whole.
    pub fn exchange(self) -> Result<Option<Old>, NightFault> {
        if !self.public.exists() {
            durable::rename(&self.new, &self.public)?;
            return Ok(None);
        }
        durable::exchange(&self.new, &self.public)?;
        Ok(Some(Old(self)))
    }
}

/// The folder of pages that was public before another took its place. It is to go, and goes when it is dropped.
pub struct Old(Folder);

impl Old {
    /// Removes it. The new pages have their place: what cannot be removed of the old ones is told, and undoes nothing.
    pub fn clear(self) {
        if let Err(fault) = durable::clear(&self.0.new) {
            tracing::warn!("the pages of the night before are left: {fault}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;

    #[test]
    fn what_a_killed_run_left_is_found_beside_pages_that_are_kept_elsewhere_too() -> Result<(), Box<dyn Error>> {
        let root = tempfile::tempdir()?;
        let (reports, elsewhere) = (root.path().join("reports"), root.path().join("elsewhere"));
        let (ours, others) = (["club", ".next-club"], ["photos", ".next-photos", ".next-other"]);
        for folder in ours.iter().chain(&others).map(|name| elsewhere.join(name)) {
            fs::create_dir_all(folder)?;
        }
        fs::create_dir_all(reports.join("2026"))?;
        fs::create_dir_all(reports.join(".next-2026"))?;
        fs::write(elsewhere.join("club").join(report::INDEX), "pages")?;
        // A season, what is no season's, and what leads nowhere.
        for (link, target) in
            [("2025", elsewhere.join("club")), ("photos", elsewhere.join("photos")), ("2024", root.path().join("gone"))]
        {
            std::os::unix::fs::symlink(target, reports.join(link))?;
        }
        let mut left = leftovers(&reports)?;
        left.sort();
        assert_eq!(left, [fs::canonicalize(&elsewhere)?.join(".next-club"), reports.join(".next-2026")]);
        Ok(())
    }

    #[test]
    fn what_is_laid_beside_the_pages_between_ready_and_exchange_is_kept_as_it_is_then() -> Result<(), Box<dyn Error>> {
        let root = tempfile::tempdir()?;
        let public = root.path().join("2026");
        fs::create_dir_all(public.join("photos"))?;
        for (name, text) in [("index.html", "old"), ("notes.txt", "first"), ("photos/a.jpg", "a")] {
            fs::write(public.join(name), text)?;
        }
        let folder = Folder::begin(public.clone())?;
        folder.write("index.html", b"new")?;
        folder.keep_beside(Beside::Links)?;
        folder.sync()?;
        // An editor writes beside and renames; somebody adds a file.
        fs::write(public.join("notes.tmp"), "second")?;
        fs::rename(public.join("notes.tmp"), public.join("notes.txt"))?;
        fs::write(public.join("photos/b.jpg"), "b")?;
        folder.keep_beside(Beside::Everything)?;
        folder.exchange()?.ok_or("the old one")?.clear();
        for (name, text) in
            [("index.html", "new"), ("notes.txt", "second"), ("photos/a.jpg", "a"), ("photos/b.jpg", "b")]
        {
            assert_eq!(fs::read_to_string(public.join(name))?, text, "{name}");
        }
        assert_eq!(names(root.path())?, ["2026"]);
        Ok(())
    }
}
