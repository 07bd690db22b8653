//! Report folders of seasons that are no more: a season whose files were all taken away leaves no page behind.
//!
//! A folder is removed only when it is ours beyond doubt: it has an index whose first bytes carry our mark, and nothing
//! in it but pages. A folder somebody else put there, or put something into, is left alone and told.

use super::fault::NightFault;
use crate::report::INDEX;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::Path;

/// What the head of every page of ours says (`templates/base.html`).
const MARK: &[u8] = b"<meta name=\"generator\" content=\"Portes\">";
/// The mark stands within this many bytes.
const HEAD: u64 = 4096;

/// Removes the folders of ours below `reports` that no season of `seasons` has.
///
/// # Errors
/// A folder that cannot be listed or removed.
pub fn remove(reports: &Path, seasons: &BTreeSet<&str>) -> Result<(), NightFault> {
    let unreadable = |source| NightFault::Unreadable { path: reports.to_path_buf(), source };
    for entry in fs::read_dir(reports).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (path, name) = (entry.path(), entry.file_name());
        let is_folder = entry.file_type().map_err(unreadable)?.is_dir();
        let keeps = name.to_str().is_none_or(|name| name.starts_with('.') || seasons.contains(name));
        if !is_folder || keeps || !has_mark(&path.join(INDEX)) {
            continue;
        }
        if !only_pages(&path).map_err(unreadable)? {
            tracing::warn!("{} is of no season and holds other files than pages: left alone", path.display());
            continue;
        }
        fs::remove_dir_all(&path).map_err(|source| NightFault::Unwritable { path: path.clone(), source })?;
    }
    Ok(())
}

fn has_mark(index: &Path) -> bool {
    let mut head = Vec::new();
    let read = fs::File::open(index).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && head.windows(MARK.len()).any(|window| window == MARK)
}

fn only_pages(folder: &Path) -> std::io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_page = Path::new(&entry.file_name()).extension().is_some_and(|kind| kind == "html");
        if !entry.file_type()?.is_file() || !is_page {
            return Ok(false);
        }
    }
    Ok(true)
}
