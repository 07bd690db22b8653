//! Contests of many matches: cut bucket by bucket, wanted in the order of play.
//!
//! Matches of one evening lie in buckets all over the season. Cut in the order of play, every part would be read once for
//! every group of matches; so each bucket is read once, and what is cut of it goes to the file of the group it is wanted
//! in. What was cut on an earlier night ([`Kept`]) is not cut again. While a group is filed, a thread of its own unpacks the
//! next. A night of few matches needs no files, and has them all at once. They lie in the snapshot being built under an unfinished name, which the
//! next run sweeps if this one is killed, and go away with this value.

use super::kept::Kept;
use super::programme::Entry;
use super::source::Stored;
use crate::academy::backgammon::Manner;
use crate::academy::flat::{Flat, Unpacker};
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
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Matches whose contests are held at a time: some ten megabytes.
pub(super) const AT_ONCE: usize = 8;

/// Matches of a night that needs no files: more than an evening of a club.
pub(super) const FEW: usize = 32;

/// Groups that are ready before they are wanted, beside the one the thread has in hand.
const AHEAD: usize = 1;

/// The contests of some entries.
type Group = BTreeMap<usize, Flat>;

/// Group -> places of the entries whose contests are kept, and the names they lie under.
type Names = BTreeMap<usize, Vec<(usize, String)>>;

/// The contests of all entries from one on.
pub(super) struct Spill<'a> {
    stored: Stored,
    entries: &'a [Entry],
    kept: Arc<Kept>,
    /// Of what is cut here.
    unpacker: Unpacker,
    /// `None` where so few are wanted that all are held.
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
        snapshot: &Path,
        (entries, first): (&'a [Entry], usize),
        (manner, kept): (Manner, Arc<Kept>),
    ) -> Result<Self, NightFault> {
        let stored = Stored::of(snapshot, manner)?;
        let held = (usize::MAX, BTreeMap::new());
        if entries.len() - first <= FEW {
            let mut spill = Self { stored, entries, kept, unpacker: Unpacker::default(), ahead: None, held };
            spill.hold(first)?;
            return Ok(spill);
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
        let mut names = Names::new();
        for (at, name) in (first..entries.len()).filter_map(|at| Some((at, kept.held(&entries[at])?))) {
            names.entry(at / AT_ONCE).or_default().push((at, name));
        }
        let fresh = entries[first..].iter().filter(|entry| kept.held(entry).is_none());
        let buckets: Vec<_> = stored.wanted(fresh).into_iter().collect();
        buckets.into_par_iter().try_for_each(|(place, ids)| {
            signal::pause()?;
            let mut groups: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
            stored.cut_bucket(place, &ids, &mut |id, packed| {
                let Some(at) = at.get(&(place.0, id)) else { return };
                kept.keep(&entries[*at], &packed);
                let group = groups.entry(at / AT_ONCE).or_default();
                [*at, packed.len()].iter().for_each(|number| group.extend((*number as u64).to_le_bytes()));
                group.extend(packed);
            })?;
            let _alone = one_writes.lock().unwrap_or_else(PoisonError::into_inner);
            for (group, bytes) in groups {
                let file = File::options().create(true).append(true).open(dir.join(group.to_string()));
                file.and_then(|mut file| file.write_all(&bytes)).map_err(failed)?;
            }
            Ok::<(), NightFault>(())
        })?;
        let groups = first / AT_ONCE..entries.len().div_ceil(AT_ONCE);
        let ahead = Ahead::over(files, groups, (Arc::clone(&kept), names));
        Ok(Self { stored, entries, kept, unpacker: Unpacker::default(), ahead: Some(ahead), held })
    }

    /// Makes the contests of all entries from `first` on ready: they are few.
    fn hold(&mut self, first: usize) -> Result<(), TableFault> {
        let entries = &self.entries[first..];
        let kept = |entry: &Entry| self.kept.read(&self.kept.held(entry)?);
        let packed: Vec<_> = entries.par_iter().map(kept).collect();
        let cuts = packed.iter().map(|packed| self.unpacker.flat(packed.as_ref()?)).collect();
        self.held.1 = (first..).zip(self.filled(entries, cuts)?).collect();
        Ok(())
    }

    /// The contests of some entries, in their order: each entry once, rising.
    ///
    /// # Errors
    /// A part or a file that cannot be read.
    pub(super) fn take(&mut self, range: Range<usize>) -> Result<Vec<Flat>, NightFault> {
        let entries = &self.entries[range.clone()];
        let mut cuts: Vec<Option<Flat>> = Vec::with_capacity(range.len());
        for at in range {
            if let Some(ahead) = self.ahead.as_ref().filter(|_| self.held.0 != at / AT_ONCE) {
                self.held = (at / AT_ONCE, ahead.next()?);
            }
            cuts.push(self.held.1.remove(&at));
        }
        Ok(self.filled(entries, cuts)?)
    }

    /// What is missing: contests of files, what no night has cut yet, and what was kept and is damaged.
    fn filled(&mut self, entries: &[Entry], mut cuts: Vec<Option<Flat>>) -> Result<Vec<Flat>, TableFault> {
        let missing: Vec<usize> = (0..cuts.len()).filter(|at| cuts[*at].is_none()).collect();
        let of: Vec<&Entry> = missing.iter().map(|at| &entries[*at]).collect();
        for (at, packed) in missing.into_iter().zip(self.stored.cut(&of)?) {
            let flat = packed.map(|packed| self.kept_flat(&entries[at], &packed)).transpose()?;
            cuts[at] = Some(flat.unwrap_or_default());
        }
        Ok(cuts.into_iter().flatten().collect())
    }

    /// What was cut just now, kept where it is of a match.
    fn kept_flat(&mut self, entry: &Entry, packed: &[u8]) -> Result<Flat, TableFault> {
        if entry.contest.is_none() {
            self.kept.keep(entry, packed);
        }
        self.unpacker.flat(packed).ok_or_else(|| self.kept.damaged(entry))
    }
}

impl Ahead {
    /// `held`: of each group the places of what is kept, and its names.
    fn over(files: Files, groups: Range<usize>, (kept, mut held): (Arc<Kept>, Names)) -> Self {
        let (sender, receiver) = mpsc::sync_channel(AHEAD);
        let dir = files.0.clone();
        let thread = thread::spawn(move || {
            let mut unpacker = Unpacker::default();
            for group in groups {
                let names = held.remove(&group).unwrap_or_default();
                let read = read(&dir.join(group.to_string()), (&kept, &names), &mut unpacker);
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

/// A group: what was cut tonight, and what is kept. One that nothing was cut for has no file.
fn read(path: &Path, (kept, names): (&Kept, &[(usize, String)]), unpacker: &mut Unpacker) -> Result<Group, TableFault> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(TableFault::Disk { doing: "read", path: path.to_owned(), source }),
    };
    let mut rest = bytes.as_slice();
    let mut cuts = BTreeMap::new();
    while !rest.is_empty() {
        let next = next(&mut rest).and_then(|(at, packed)| Some((at, unpacker.flat(packed)?)));
        let damaged = || TableFault::Damaged { path: path.to_owned(), reason: "contests are missing".to_owned() };
        let (at, flat) = next.ok_or_else(damaged)?;
        cuts.insert(at, flat);
    }
    let known = names.iter().filter_map(|(at, name)| Some((*at, unpacker.flat(&kept.read(name)?)?)));
    cuts.extend(known);
    Ok(cuts)
}

/// Place of the next match of a group, and what is packed of it.
fn next<'a>(rest: &mut &'a [u8]) -> Option<(usize, &'a [u8])> {
    let mut number = || {
        let (number, after) = rest.split_first_chunk()?;
        *rest = after;
        usize::try_from(u64::from_le_bytes(*number)).ok()
    };
    let (at, length) = (number()?, number()?);
    let (packed, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some((at, packed))
}

fn unwritable(dir: &Path, source: io::Error) -> TableFault {
    TableFault::Disk { doing: "write", path: dir.to_owned(), source }
}
