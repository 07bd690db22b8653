//! What the file system below a folder supports, found out by trying in a folder of its own that is removed again.
//!
//! Portes needs none of the three: parts and pages are copied where there are no hard links, a folder of pages is replaced
//! with two renames where there is no exchange. Where there are no locks, two runs at once are not kept apart.

use crate::tables::durable;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// What can be done in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// One file under two names.
    pub links: bool,
    /// Two folders change their names in one instant.
    pub exchange: bool,
    /// A file is locked for all but one.
    pub locks: bool,
}

impl Support {
    /// Tries; `None` where nothing can be written.
    #[must_use]
    pub fn below(folder: &Path) -> Option<Self> {
        let dir = durable::unfinished(folder, &format!("support-{}", std::process::id()));
        fs::create_dir(&dir).ok()?;
        let found =
            Self { links: links(&dir).is_ok(), exchange: exchange(&dir).is_ok(), locks: locks(&dir).unwrap_or(false) };
        // What cannot be removed is swept by the next run.
        let _ = fs::remove_dir_all(&dir);
        Some(found)
    }

    /// In words, with what happens instead.
    #[must_use]
    pub fn words(self) -> String {
        let said = |has: bool, yes: &str, no: &str| if has { yes.to_owned() } else { no.to_owned() };
        [
            said(self.links, "hard links", "no hard links (parts and pages are copied)"),
            said(self.exchange, "atomic exchange", "no atomic exchange (for an instant a season has no pages)"),
            said(self.locks, "locks", "no locks (two runs at once are not kept apart)"),
        ]
        .join(", ")
    }
}

fn links(dir: &Path) -> io::Result<()> {
    fs::write(dir.join("file"), b"")?;
    fs::hard_link(dir.join("file"), dir.join("link"))
}

fn exchange(dir: &Path) -> io::Result<()> {
    let (a, b) = (dir.join("a"), dir.join("b"));
    fs::create_dir(&a)?;
    fs::create_dir(&b)?;
    Ok(renameat_with(CWD, &a, CWD, &b, RenameFlags::EXCHANGE)?)
}

/// Whether a lock that one handle holds keeps another out.
fn locks(dir: &Path) -> io::Result<bool> {
    let open = || File::options().create(true).truncate(false).write(true).open(dir.join("lock"));
    let (first, second) = (open()?, open()?);
    first.lock()?;
    Ok(second.try_lock().is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trying_leaves_nothing_behind_and_a_missing_folder_says_nothing() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let found = Support::below(dir.path());
        assert!(found.is_some_and(|found| found.locks), "every local file system of Linux has them");
        assert_eq!(fs::read_dir(dir.path())?.count(), 0);
        assert_eq!(Support::below(&dir.path().join("absent")), None);
        Ok(())
    }

    #[test]
    fn what_is_missing_is_told_with_what_happens_instead() {
        let none = Support { links: false, exchange: false, locks: false }.words();
        assert!(none.contains("copied") && none.contains("instant") && none.contains("not kept apart"), "{none}");
        let all = Support { links: true, exchange: true, locks: true }.words();
        assert_eq!(all, "hard links, atomic exchange, locks");
    }
}
