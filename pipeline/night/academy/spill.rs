//! Contests of many matches: cut bucket by bucket, wanted in the order of play.
//!
//! Matches of one evening lie in buckets all over the season. Cut in the order of play, every part would be read once for
//! every group of matches; so each bucket is read once, and what is cut of it goes to the file of the group it is wanted
//! in. While a group is filed, a thread of its own unpacks the next. A night of few matches needs no files. They lie in the snapshot being built under an unfinished name, which the
//! next run sweeps if this one is killed, and go away with this value.

use super::packed::{Packed, Unpacker};
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
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Matches whose contests are held at a time: some ten megabytes, and more than an evening of a club.
pub(super) const AT_ONCE: usize = 32;

/// Groups that are ready before they are wanted, beside the one the thread has in hand.
const AHEAD: usize = 1;

/// The contests of some entries.
type Group = BTreeMap<usize, Cut>;

/// The contests of all entries from one on.
pub(super) struct Spill<'a> {
    stored: &'a Stored,
    entries: &'a [Entry],
    /// `None` where so few are wanted that they are cut when they are.
    ahead: Option<Ahead>,
    held: (usize, Group),
}

/// A thread that unpacks groups in their order. The files go away with this value.
struct Ahead {
    files: Files,
    groups: Option<Receiver<Result<Group, TableFault>>>,
    thread: Option<JoinHandle<()>>,
}

/// The folder of the groups.
struct Files(PathBuf);

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
            return Ok(Self { stored, entries, ahead: None, held: nothing });
        }
        let dir = durable::unfinished(snapshot, "contests");
        let files = Files(dir.clone());
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
                unencoded = rmp_serde::encode::write(group, &(at, Packed::of(cut))).err().or(unencoded.take());
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
        let ahead = Ahead::over(files, first / AT_ONCE..entries.len().div_ceil(AT_ONCE));
        Ok(Self { stored, entries, ahead: Some(ahead), held: nothing })
    }

    /// The contests of some entries, in their order: each entry once, rising.
    ///
    /// # Errors
    /// A part or a file that cannot be read.
    pub(super) fn take(&mut self, range: Range<usize>) -> Result<Vec<Cut>, NightFault> {
        let Some(ahead) = &self.ahead else { return Ok(self.stored.cut(&self.entries[range])?) };
        let mut cuts = Vec::with_capacity(range.len());
        for at in range {
            if self.held.0 != at / AT_ONCE {
                self.held = (at / AT_ONCE, ahead.next()?);
            }
            let contest = self.entries[at].contest.as_deref();
            let of_file = || Cut { contests: contest.cloned().into_iter().collect(), ..Cut::default() };
            cuts.push(self.held.1.remove(&at).unwrap_or_else(of_file));
        }
        Ok(cuts)
    }
}

impl Ahead {
    fn over(files: Files, groups: Range<usize>) -> Self {
        let (sender, receiver) = mpsc::sync_channel(AHEAD);
        let dir = files.0.clone();
        let thread = thread::spawn(move || {
            let mut unpacker = Unpacker::default();
            for group in groups {
                let read = read(&dir.join(group.to_string()), &mut unpacker);
                // Nobody listens any more once a fault or a signal ended the night.
                if sender.send(read).is_err() {
                    return;
                }
            }
        });
        Self { files, groups: Some(receiver), thread: Some(thread) }
    }

    /// The next group.
    fn next(&self) -> Result<Group, TableFault> {
        let next = self.groups.as_ref().and_then(|groups| groups.recv().ok());
        next.unwrap_or_else(|| {
            let source = io::Error::other("the contests end before the matches do");
            Err(TableFault::Disk { doing: "read", path: self.files.0.clone(), source })
        })
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        // Without a receiver the thread ends, and only then may its files go.
        self.groups = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // What cannot be removed is swept by the next run.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A group; one that no match of stored rows is in has no file.
fn read(path: &Path, unpacker: &mut Unpacker) -> Result<Group, TableFault> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(source) => return Err(TableFault::Disk { doing: "read", path: path.to_owned(), source }),
    };
    let mut rest = bytes.as_slice();
    let mut cuts = BTreeMap::new();
    while !rest.is_empty() {
        let damaged = |reason| TableFault::Damaged { path: path.to_owned(), reason };
        let (at, packed) = rmp_serde::from_read(&mut rest).map_err(|fault| damaged(fault.to_string()))?;
        cuts.insert(at, unpacker.cut(packed).ok_or_else(|| damaged("areas are missing".to_owned()))?);
    }
    Ok(cuts)
}

fn unwritable(dir: &Path, source: io::Error) -> TableFault {
    TableFault::Disk { doing: "write", path: dir.to_owned(), source }
}
