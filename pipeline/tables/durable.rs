//! The file system acts that make a night survive a power cut: sync, rename, link, remove. Every one that a run needs
//! is here and counted, so that a test can end the process at each of them in turn.
//!
//! The order that keeps readers safe is the callers': write under a temporary name, rename; and before what was built
//! becomes what counts, sync it whole, folders included, in one act. A sync for each of a night's thousands of files
//! would wait for the disk thousands of times, and promise nothing more.

use super::fault::{TableFault, disk};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What is published never changes: the mode says so to everybody.
const READ_ONLY: u32 = 0o444;

/// Begins the name of everything that is not finished; no reader's pattern matches it.
pub const UNFINISHED: &str = ".unfinished-";

/// Acts left before the process ends; the largest number means never.
static LEFT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Ends the process, as a power cut would, when the act number `act` (from 0) is about to be done. For tests of what
/// a killed run leaves; nothing else calls it.
pub fn abort_at(act: u64) {
    LEFT.store(act, Ordering::SeqCst);
}

/// Counts one act.
fn act() {
    let count = |left: u64| (left != u64::MAX).then(|| left.saturating_sub(1));
    if LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, count) == Ok(0) {
        std::process::abort();
    }
}

/// The temporary name beside a final one.
#[must_use]
pub fn unfinished(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{UNFINISHED}{name}"))
}

/// Makes a written file read-only.
pub(super) fn protect(file: &File, path: &Path) -> Result<(), TableFault> {
    act();
    file.set_permissions(Permissions::from_mode(READ_ONLY)).map_err(disk("protect", path))
}

/// Syncs a folder, everything below it and the names of it all: with its whole file system, in one act. Where the file
/// system has no such act, one by one.
///
/// # Errors
/// [`TableFault::Disk`].
pub fn sync_below(dir: &Path) -> Result<(), TableFault> {
    act();
    let folder = File::open(dir).map_err(disk("sync", dir))?;
    if rustix::fs::syncfs(&folder).is_ok() {
        return Ok(());
    }
    let mut waiting = vec![dir.to_path_buf()];
    while let Some(path) = waiting.pop() {
        File::open(&path).and_then(|open| open.sync_all()).map_err(disk("sync", &path))?;
        if path.is_dir() {
            let entries = fs::read_dir(&path).map_err(disk("list", &path))?;
            let below: Result<Vec<PathBuf>, io::Error> = entries.map(|entry| Ok(entry?.path())).collect();
            waiting.extend(below.map_err(disk("list", &path))?);
        }
    }
    Ok(())
}

/// Syncs a folder: the names in it, not what they name.
pub fn sync_folder(path: &Path) -> Result<(), TableFault> {
    act();
    File::open(path).and_then(|folder| folder.sync_all()).map_err(disk("sync", path))
}

/// Gives a finished thing its name; whatever had the name is replaced in the same instant.
pub fn rename(from: &Path, to: &Path) -> Result<(), TableFault> {
    act();
    fs::rename(from, to).map_err(disk("rename", from))
}

/// Lets two folders change their names in one instant. Where the file system cannot, two renames, and for an instant
/// no `public`. What was public has the other name afterwards.
///
/// # Errors
/// [`TableFault::Disk`]; `public` is then what it was.
pub fn exchange(new: &Path, public: &Path) -> Result<(), TableFault> {
    act();
    if renameat_with(CWD, new, CWD, public, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    let (Some(dir), Some(name)) = (public.parent(), public.file_name().and_then(|name| name.to_str())) else {
        return Err(disk("exchange", public)(io::ErrorKind::InvalidInput.into()));
    };
    let old = unfinished(dir, name);
    clear(&old)?;
    rename(public, &old)?;
    if let Err(fault) = rename(new, public) {
        rename(&old, public)?;
        return Err(fault);
    }
    rename(&old, new)
}

/// Writes a small file of a snapshot that is being built, read-only: whole under its name or not at all as long as the
/// machine runs. It is synced with the snapshot it belongs to.
pub(super) fn write(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), TableFault> {
    let scratch = unfinished(dir, name);
    let mut file = File::create(&scratch).map_err(disk("create", &scratch))?;
    file.write_all(bytes).map_err(disk("write", &scratch))?;
    protect(&file, &scratch)?;
    rename(&scratch, &dir.join(name))
}

/// Writes a small file that only saves time: whole under its name or not at all, and not waited for.
///
/// # Errors
/// [`TableFault::Disk`].
pub fn keep(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), TableFault> {
    let (scratch, place) = (unfinished(dir, name), dir.join(name));
    fs::write(&scratch, bytes).map_err(disk("write", &scratch))?;
    match rename(&scratch, &place) {
        // Two threads may keep the same under the same name, and the first of them gave it its name.
        Err(TableFault::Disk { source, .. }) if source.kind() == io::ErrorKind::NotFound && place.is_file() => Ok(()),
        renamed => renamed,
    }
}

/// Adds a line to a file that only saves time; not waited for, and whoever reads it takes a torn end for no line.
///
/// # Errors
/// [`TableFault::Disk`].
pub fn append(file: &mut File, path: &Path, line: &[u8]) -> Result<(), TableFault> {
    act();
    file.write_all(line).map_err(disk("write", path))
}

/// Puts an unchanged file under a second name: a hard link, or a copy where the file system has none. It is synced with
/// the folder it belongs to.
pub fn link(from: &Path, to: &Path) -> Result<(), TableFault> {
    act();
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(_) => copy(from, to),
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), TableFault> {
    let (Some(dir), Some(name)) = (to.parent(), to.file_name().and_then(|name| name.to_str())) else {
        return Err(disk("copy", to)(io::ErrorKind::InvalidInput.into()));
    };
    let scratch = unfinished(dir, name);
    let mut source = File::open(from).map_err(disk("read", from))?;
    let mut file = File::create(&scratch).map_err(disk("create", &scratch))?;
    io::copy(&mut source, &mut file).map_err(disk("copy", from))?;
    protect(&file, &scratch)?;
    rename(&scratch, to)
}

/// Makes `link` point at `target` (as written, relative to the link's folder) in one instant.
pub(super) fn point(link: &Path, target: &Path) -> Result<(), TableFault> {
    let dir = link.parent().unwrap_or(Path::new("."));
    let scratch = unfinished(dir, "link");
    remove_file(&scratch)?;
    act();
    symlink(target, &scratch).map_err(disk("link", &scratch))?;
    rename(&scratch, link)?;
    sync_folder(dir)
}

/// Removes a file; one that is not there is fine.
pub fn remove_file(path: &Path) -> Result<(), TableFault> {
    act();
    match fs::remove_file(path) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(disk("remove", path)(fault)),
        _ => Ok(()),
    }
}

/// Removes a folder and what is in it; one that is not there is fine. It loses its name first: half a folder never
/// passes for a whole one.
pub fn remove_folder(path: &Path) -> Result<(), TableFault> {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Err(disk("remove", path)(io::ErrorKind::InvalidInput.into()));
    };
    if !path.exists() {
        return Ok(());
    }
    let scratch = unfinished(dir, name);
    clear(&scratch)?;
    rename(path, &scratch)?;
    clear(&scratch)
}

/// Removes what is under an unfinished name, file, link or folder; nothing there is fine.
///
/// # Errors
/// [`TableFault::Disk`].
pub fn clear(scratch: &Path) -> Result<(), TableFault> {
    act();
    let kind = match fs::symlink_metadata(scratch) {
        Ok(kind) => kind,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(fault) => return Err(disk("remove", scratch)(fault)),
    };
    let remove = || if kind.is_dir() { fs::remove_dir_all(scratch) } else { fs::remove_file(scratch) };
    let removed = match remove() {
        // A folder that is read-only is ours all the same, if we may say so.
        Err(fault) if fault.kind() == io::ErrorKind::PermissionDenied && kind.is_dir() => {
            let ours = fs::set_permissions(scratch, fs::Permissions::from_mode(0o755));
            ours.and_then(|()| remove())
        }
        removed => removed,
    };
    removed.map_err(disk("remove", scratch))
}
