//! The walk below `raw/`: which files there are, in a stated order.
//!
//! No link is followed: one is listed and not read. Devices and sockets are passed over, a folder named `x.sgf` is a folder. What begins with a dot is
//! hidden, and somebody else's (`.git`, `.stversions`, `._a.sgf`): it is neither a match nor a season. Names that are not
//! UTF-8 are shown with `\xHH`, so that every path has one spelling everywhere; two names that would be shown alike
//! cannot be, because a backslash is doubled.

use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A file below `raw/`, or a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it lies.
    pub at: PathBuf,
    /// Its path below `raw/`, as tables and pages show it.
    pub shown: String,
    /// What `stat` says of it, of a link itself.
    pub stat: Stat,
    /// It is a link, and what it leads to is not looked at.
    pub is_link: bool,
}

/// What tells that a file has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stat {
    /// Bytes.
    pub size: u64,
    /// Modification, nanoseconds since 1970.
    pub mtime: i64,
    /// Inode.
    pub inode: u64,
    /// Change of the inode, nanoseconds since 1970.
    pub ctime: i64,
}

impl Stat {
    /// Of an open or named file.
    #[must_use]
    pub fn of(meta: &std::fs::Metadata) -> Self {
        let nanos = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
        Self {
            size: meta.len(),
            mtime: nanos(meta.mtime(), meta.mtime_nsec()),
            inode: meta.ino(),
            ctime: nanos(meta.ctime(), meta.ctime_nsec()),
        }
    }
}

/// What lies below a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Every regular file and every link, sorted by shown path.
    pub found: Vec<Found>,
    /// Folders and files that begin with a dot, as shown and sorted: they are not looked at.
    pub hidden: Vec<String>,
    /// Folders that cannot be listed, as shown, and why.
    pub shut: Vec<(String, String)>,
}

/// The files of a [`survey`], without links.
///
/// # Errors
/// As [`survey`].
pub fn walk(root: &Path) -> std::io::Result<Vec<Found>> {
    Ok(survey(root)?.found.into_iter().filter(|found| !found.is_link).collect())
}

/// Every regular file and link below `root` that is not hidden, what is, and what cannot be listed.
///
/// # Errors
/// The first folder that cannot be listed; a `root` that is not there is an empty walk.
pub fn survey(root: &Path) -> std::io::Result<Survey> {
    let mut survey = Survey::default();
    let mut folders = vec![(root.to_path_buf(), String::new())];
    while let Some((folder, within)) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => continue,
            // Of one folder that cannot be listed nothing is known; without the root there is nothing.
            Err(fault) if !within.is_empty() => {
                survey.shut.push((within, fault.to_string()));
                continue;
            }
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = spelled(&entry.file_name());
            let hidden = name.starts_with('.');
            let shown = if within.is_empty() { name } else { format!("{within}/{name}") };
            let kind = entry.file_type()?;
            if hidden {
                survey.hidden.push(shown);
            } else if kind.is_dir() {
                folders.push((entry.path(), shown));
            } else if kind.is_file() || kind.is_symlink() {
                match entry.metadata() {
                    Ok(meta) => {
                        let (stat, is_link) = (Stat::of(&meta), kind.is_symlink());
                        survey.found.push(Found { at: entry.path(), shown, stat, is_link });
                    }
                    Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => {}
                    Err(fault) if within.is_empty() => return Err(fault),
                    // Its names can be read and nothing else.
                    Err(fault) => {
                        survey.shut.push((within.clone(), fault.to_string()));
                        break;
                    }
                }
            }
        }
    }
    survey.found.sort_unstable_by(|a, b| a.shown.cmp(&b.shown));
    survey.hidden.sort_unstable();
    Ok(survey)
}

/// A name as it is shown: UTF-8 as it stands, every other byte as `\xHH`, a backslash doubled.
#[must_use]
pub fn spelled(name: &OsStr) -> String {
    let mut out = String::new();
    for chunk in name.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                c if c.is_control() => _ = write!(out, "\\u{{{:x}}}", u32::from(c)),
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            _ = write!(out, "\\x{byte:02X}");
        }
    }
    out
}

/// The folders of a shown path; those inside an archive follow those the archive lies in, and the archive's own name is
/// none. What an archive writes to lead out of itself (`..`, `.`, nothing before a `/`) is no folder.
#[must_use]
pub fn folders(shown: &str) -> Vec<&str> {
    let mut all = Vec::new();
    for part in shown.split("!/") {
        let mut names: Vec<&str> = part.split('/').collect();
        names.pop();
        all.extend(names.into_iter().filter(|name| !matches!(*name, "" | "." | "..")));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_a_member_follow_those_of_its_archive() {
        assert_eq!(folders("2026/cup/a.sgf"), ["2026", "cup"]);
        assert_eq!(folders("2026/all.zip!/cup/a.sgf"), ["2026", "cup"]);
        assert_eq!(folders("all.zip!/2026/cup/a.sgf"), ["2026", "cup"]);
        assert!(folders("a.sgf").is_empty());
        assert_eq!(folders("all.zip!/../../etc/./a.sgf"), ["etc"]);
        assert!(folders("all.zip!//a.sgf").is_empty());
    }

    #[test]
    fn names_that_are_not_utf8_are_spelled_in_bytes() {
        assert_eq!(spelled(OsStr::from_bytes(b"caf\xE9.xg")), "caf\\xE9.xg");
        assert_eq!(spelled(OsStr::new("a\\b\nc")), "a\\\\b\\u{a}c");
    }

    #[test]
    fn a_folder_named_like_a_file_is_walked_and_links_are_not() -> std::io::Result<()> {
        let root = tempfile::tempdir()?;
        std::fs::create_dir_all(root.path().join("2026/x.sgf"))?;
        std::fs::write(root.path().join("2026/x.sgf/b.mat"), "b")?;
        std::fs::write(root.path().join("2026/a.mat"), "a")?;
        std::os::unix::fs::symlink("..", root.path().join("2026/loop"))?;
        let shown: Vec<String> = walk(root.path())?.into_iter().map(|found| found.shown).collect();
        assert_eq!(shown, ["2026/a.mat", "2026/x.sgf/b.mat"]);
        let listed: Vec<(String, bool)> =
            survey(root.path())?.found.into_iter().map(|found| (found.shown, found.is_link)).collect();
        assert_eq!(listed.len(), 3);
        assert!(listed.contains(&("2026/loop".to_owned(), true)), "{listed:?}");
        Ok(())
    }

    #[test]
    fn what_begins_with_a_dot_is_passed_over_and_is_named() -> std::io::Result<()> {
        let root = tempfile::tempdir()?;
        for folder in [".stversions/2026", "2026/.git/objects", "2026/a.b"] {
            std::fs::create_dir_all(root.path().join(folder))?;
            std::fs::write(root.path().join(folder).join("a.mat"), "a")?;
        }
        std::fs::write(root.path().join("2026/._a.mat"), "a")?;
        let survey = survey(root.path())?;
        assert_eq!(survey.hidden, [".stversions", "2026/._a.mat", "2026/.git"]);
        let shown: Vec<String> = survey.found.into_iter().map(|found| found.shown).collect();
        assert_eq!(shown, ["2026/a.b/a.mat"]);
        Ok(())
    }
}
