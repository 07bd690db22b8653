//! Contests of many matches: cut bucket by bucket, wanted in the order of play.
//!
//! Matches of one evening lie in buckets all over the season. Cut in the order of play, every part would be read once for
//! every group of matches; so each bucket is read once, and what is cut of it goes to the file of the group it is wanted
//! in. A night of few matches needs no files. They lie in the snapshot being built under an unfinished name, which the
//! next run sweeps if this one is killed, and go away with this value.

use super::programme::Entry;
use super::source::Stored;
use crate::academy::backgammon::Cut;
use crate::night::fault::NightFault;
use crate::night::signal;
use crate::tables::durable;
use crate::tables::fault::TableFault;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Matches whose contests are held at a time: some ten megabytes, and more than an evening of a club.
pub(super) const AT_ONCE: usize = 32;

/// The contests of all entries from one on.
pub(super) struct Spill<'a> {
    stored: &'a Stored,
    entries: &'a [Entry],
    /// `None` where so few are wanted that they are cut when they are.
    dir: Option<PathBuf>,
    held: (usize, BTreeMap<usize, Cut>),
}

impl<'a> Spill<'a> {
    /// Cuts the entries from `first` on.
    ///
    /// # Errors
    /// A part that cannot be read, a disk that cannot be written, a signal.
    pub(super) fn of(
        stored: &'a Stored,
        (entries, first): (&'a [Entry], usize),
        snapshot: &Path,
    ) -> Result<Self, NightFault> {
        let nothing = (usize::MAX, BTreeMap::new());
        if entries.len() - first <= AT_ONCE {
            return Ok(Self { stored, entries, dir: None, held: nothing });
        }
        let dir = durable::unfinished(snapshot, "contests");
        let spill = Self { stored, entries, dir: Some(dir.clone()), held: nothing };
        let failed = |source| unwritable(&dir, source);
        if dir.exists() {
            fs::remove_dir_all(&dir).map_err(failed)?;
        }
        fs::create_dir_all(&dir).map_err(failed)?;
        let at: BTreeMap<(&str, &str), usize> = (first..entries.len())
            .map(|at| ((entries[at].turn.season.as_str(), entries[at].turn.match_id.as_str()), at))
            .collect();
        let one_writes = Mutex::new(());
        let buckets: Vec<_> = stored.wanted(&entries[first..]).into_iter().collect();
        buckets.into_par_iter().try_for_each(|(place, ids)| {
            signal::pause()?;
            let mut groups: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
            let mut unencoded = None;
            stored.cut_bucket(place, &ids, &mut |id, cut| {
                let Some(at) = at.get(&(place.0, id)) else { return };
                let group = groups.entry(at / AT_ONCE).or_default();
                unencoded = rmp_serde::encode::write(group, &(at, cut)).err().or(unencoded.take());
            })?;
            if let Some(fault) = unencoded {
                return Err(unwritable(&dir, io::Error::other(fault)).into());
            }
            let _alone = one_writes.lock().unwrap_or_else(PoisonError::into_inner);
            for (group, bytes) in groups {
                let file = File::options().create(true).append(true).open(dir.join(group.to_string()));
                file.and_then(|mut file| file.write_all(&bytes)).map_err(failed)?;
            }
            Ok::<(), NightFault>(())
        })?;
        Ok(spill)
    }

    /// The contests of some entries, in their order: each entry once, rising.
    ///
    /// # Errors
    /// A part or a file that cannot be read.
    pub(super) fn take(&mut self, range: Range<usize>) -> Result<Vec<Cut>, NightFault> {
        let Some(dir) = &self.dir else { return Ok(self.stored.cut(&self.entries[range])?) };
        let mut cuts = Vec::with_capacity(range.len());
        for at in range {
            if self.held.0 != at / AT_ONCE {
                self.held = (at / AT_ONCE, read(&dir.join((at / AT_ONCE).to_string()))?);
            }
            let contest = self.entries[at].contest.as_deref();
            let of_file =
                || Cut { contests: contest.cloned().into_iter().collect(), finished: None, estimated: Vec::new() };
            cuts.push(self.held.1.remove(&at).unwrap_or_else(of_file));
        }
        Ok(cuts)
    }
}

impl Drop for Spill<'_> {
    fn drop(&mut self) {
        if let Some(dir) = &self.dir {
            // What cannot be removed is swept by the next run.
            let _ = fs::remove_dir_all(dir);
        }
    }
}

/// A group; one that no match of stored rows is in has no file.
fn read(path: &Path) -> Result<BTreeMap<usize, Cut>, TableFault> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(source) => return Err(TableFault::Disk { doing: "read", path: path.to_owned(), source }),
    };
    let mut rest = bytes.as_slice();
    let mut cuts = BTreeMap::new();
    while !rest.is_empty() {
        let (at, cut) = rmp_serde::from_read(&mut rest)
            .map_err(|fault| TableFault::Damaged { path: path.to_owned(), reason: fault.to_string() })?;
        cuts.insert(at, cut);
    }
    Ok(cuts)
}

fn unwritable(dir: &Path, source: io::Error) -> TableFault {
    TableFault::Disk { doing: "write", path: dir.to_owned(), source }
}
