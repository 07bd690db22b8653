//! What earlier nights learnt of the files below `raw/`: stat -> content -> what the first look found in it.
//!
//! A file whose size, times and inode are as they were is not read again. One that was written within two seconds
//! before it was read is *young*: a second writing might have left the same times, so the next night reads and hashes
//! it, and believes the rest when the content is the same. Study logs and places are looked at every night: they are few,
//! and their rows hang on more than their bytes. Where they cannot be read, [`Copies`] say what they said.
//!
//! What was found lies in sheaves, each with the files of one share of the paths, so that a night writes only those in
//! which something is another. A sheaf has its name from what it is made from, and the stats, written last, say which
//! sheaves go with them: what a stopped run left beside those is never read.

use super::cache::Cache;
use super::copies::Copies;
use super::resolve::{Ended, Finding, Place, Seen, Sighting};
use super::scan::{self, Scanned};
use super::walk::{Found, Stat};
use crate::tables::fault::TableFault;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds within which a file may be written twice and have the same times: the coarsest clock of a file system
/// in use (FAT) ticks every two seconds.
const YOUNG: i64 = 2_000_000_000;

/// Names in the cache.
const STATS: &str = "files";
const SEEN: &str = "sightings";

/// A file as it was last read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// Its stat then.
    pub stat: Stat,
    /// It was read so soon after it was written that the stat proves nothing.
    pub young: bool,
    /// BLAKE3 of its content.
    pub content: [u8; 32],
}

impl Known {
    /// A file that was read just now.
    #[must_use]
    pub fn now(stat: Stat, content: [u8; 32]) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_nanos());
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        Self { stat, young: now.saturating_sub(stat.mtime.max(stat.ctime)) < YOUNG, content }
    }
}

/// A sighting without what the walk says again.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    shown: String,
    member: Option<usize>,
    size: u64,
    content: Option<[u8; 32]>,
    found: Held,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Held {
    Match(Box<Seen>),
    Archive,
    Ended(Ended),
    /// A file that goes with matches, or a member that does: it has to be read every night.
    Side,
    /// Nothing of its own: the file could not be read, and has to be, whatever else is known of it.
    Again,
}

/// Files by shown path.
#[derive(Debug, Default)]
pub struct Files {
    known: BTreeMap<String, Known>,
    seen: BTreeMap<String, Vec<Kept>>,
    /// Names of the sheaves that go with what is known; with the sightings, of those that are whole.
    sheaves: BTreeSet<String>,
    /// Of files that go with matches; with the sightings.
    copies: Option<Copies>,
}

/// What stands of a file at which nobody can look, and the paths of what does not, for no copy of it is kept.
#[derive(Debug, Default)]
pub struct Standing {
    /// What stands.
    pub sightings: Vec<Sighting>,
    /// What does not.
    pub lost: Vec<String>,
}

/// The files of a sheaf and their sightings.
type Sheaf<T> = BTreeMap<String, Vec<T>>;

impl Files {
    /// What the last night knew of contents; cheap, for whoever only asks whether anything changed.
    #[must_use]
    pub fn stats(cache: &Cache) -> Self {
        let (known, sheaves) = cache.get(STATS).unwrap_or_default();
        Self { known, seen: BTreeMap::new(), sheaves, copies: None }
    }

    /// The sightings too.
    #[must_use]
    pub fn with_sightings(mut self, cache: &Cache) -> Self {
        self.copies = Some(Copies::of(cache));
        let cache = cache.below(SEEN);
        let read = |name: String| cache.get::<Sheaf<Kept>>(&name).map(|sheaf| (name, sheaf));
        let whole: Vec<_> = std::mem::take(&mut self.sheaves).into_par_iter().filter_map(read).collect();
        for (name, sheaf) in whole {
            self.sheaves.insert(name);
            self.seen.extend(sheaf);
        }
        self
    }

    /// The sheaves that are whole.
    pub fn sheaves(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.sheaves)
    }

    /// The content of a file whose stat is the one it was read with; `None` when it has to be read.
    #[must_use]
    pub fn content(&self, file: &Found) -> Option<[u8; 32]> {
        self.known.get(&file.shown).filter(|known| known.stat == file.stat && !known.young).map(|known| known.content)
    }

    /// What was known of a path.
    #[must_use]
    pub fn of(&self, shown: &str) -> Option<&Known> {
        self.known.get(shown)
    }

    /// Whether all sightings of a path are at hand.
    #[must_use]
    pub fn has_sightings(&self, shown: &str) -> bool {
        self.seen.get(shown).is_some_and(|all| !all.iter().any(Kept::is_read_anew))
    }

    /// Whether any is.
    #[must_use]
    pub fn has_any(&self, shown: &str) -> bool {
        self.seen.contains_key(shown)
    }

    /// Paths that were known.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// The sightings of a path, which are not wanted twice.
    pub fn take(&mut self, file: &Found) -> Vec<Sighting> {
        self.seen.remove(&file.shown).into_iter().flatten().filter_map(|kept| kept.sighting(&file.at)).collect()
    }

    /// The sightings of a file that cannot be read tonight.
    pub fn standing(&mut self, file: &Found, why: &Ended) -> Standing {
        self.stands((&file.shown, &file.at), Some(why))
    }

    fn stands(&mut self, (shown, at): (&str, &Path), why: Option<&Ended>) -> Standing {
        let mut standing = Standing::default();
        for kept in self.seen.remove(shown).into_iter().flatten() {
            let one = match kept.found {
                Held::Side => kept.copied(at, self.copies.as_ref()),
                _ => Ok(kept.sighting(at)),
            };
            match one {
                Ok(one) => standing.sightings.extend(one.map(|one| match why {
                    Some(why) => one.standing(shown, why),
                    None => one,
                })),
                Err(lost) => standing.lost.push(lost),
            }
        }
        standing
    }

    /// What was known of a file, and its sightings.
    pub fn earlier(&mut self, file: &Found) -> Option<(Known, Vec<Sighting>)> {
        let known = self.known.get(&file.shown).copied()?;
        let has_some = self.seen.get(&file.shown).is_some_and(|all| !all.iter().all(Kept::is_read_anew));
        has_some.then(|| (known, self.take(file)))
    }

    /// The sightings of a path that is no longer there, or cannot be looked at for this reason.
    pub fn missing(&mut self, shown: &str, why: Option<&Ended>) -> Standing {
        self.stands((shown, Path::new(shown)), why)
    }

    /// Keeps what tonight's first look found.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn keep(cache: &Cache, found: &[Found], scanned: &Scanned) -> Result<(), TableFault> {
        let (seen, mut names) = (cache.below(SEEN), BTreeSet::new());
        for sheaf in sheaves(found, scanned).into_values() {
            let name = name(&sheaf);
            if !(scanned.sheaves.contains(&name) && seen.holds(&name)) {
                let kept =
                    sheaf.iter().map(|(file, all)| (*file, all.iter().flat_map(|one| Kept::all_of(one)).collect()));
                seen.put::<BTreeMap<&str, Vec<Kept>>>(&name, &kept.collect())?;
            }
            names.insert(name);
        }
        Copies::of(cache).keep(&scanned.sightings)?;
        cache.put(STATS, &(&scanned.known, &names))?;
        seen.retain(|name| names.contains(name))
    }
}

/// The files of which all sightings are kept, by sheaf.
fn sheaves<'a>(found: &'a [Found], scanned: &'a Scanned) -> BTreeMap<u8, BTreeMap<&'a str, Vec<&'a Sighting>>> {
    let here = found.iter().map(|file| (file.at.as_os_str(), file.shown.as_str()));
    let gone = scanned.known.keys().map(|shown| (OsStr::new(shown), shown.as_str()));
    let shown: BTreeMap<&OsStr, &str> = here.chain(gone).collect();
    let mut files: BTreeMap<&str, Vec<&Sighting>> = BTreeMap::new();
    let mut passing = Vec::new();
    for sighting in &scanned.sightings {
        let Some(file) = shown.get(sighting.place.file().as_os_str()) else { continue };
        match is_kept(&sighting.found) {
            true => files.entry(file).or_default().push(sighting),
            false => passing.push(file),
        }
    }
    for file in passing {
        files.remove(file);
    }
    let mut sheaves: BTreeMap<u8, BTreeMap<&str, Vec<&Sighting>>> = BTreeMap::new();
    for (file, all) in files {
        let [share, ..] = *blake3::hash(file.as_bytes()).as_bytes();
        sheaves.entry(share).or_default().insert(file, all);
    }
    sheaves
}

/// Holds for more than tonight.
fn is_kept(found: &Finding) -> bool {
    match found {
        Finding::Match(_) | Finding::Archive => true,
        Finding::Ended(ended) => !ended.is_passing(),
        Finding::Side(_) => true,
    }
}

/// The name of a sheaf: over all that its sightings are made from. What is seen of a match hangs on the path and the
/// content alone.
fn name(sheaf: &BTreeMap<&str, Vec<&Sighting>>) -> String {
    const DIGITS: usize = 32;
    let mut hasher = blake3::Hasher::new();
    for (file, all) in sheaf {
        for sighting in all {
            let ended = match &sighting.found {
                Finding::Ended(ended) => Some(ended),
                _ => None,
            };
            let kind = match &sighting.found {
                Finding::Match(_) => 0,
                Finding::Archive => 1,
                Finding::Side(_) => 2,
                Finding::Ended(_) => 3,
            };
            let Sighting { shown, place, size, content, .. } = sighting;
            let made_from = (file, shown, member(place), size, content, kind, ended, sighting.unread.is_some());
            // Each is as long as its first bytes say: no two lists give the same bytes.
            hasher.update(&rmp_serde::to_vec(&made_from).unwrap_or_default());
        }
    }
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

const fn member(place: &Place) -> Option<usize> {
    match place {
        Place::File(_) => None,
        Place::Member(_, index) => Some(*index),
    }
}

impl Kept {
    /// What stands of a file that could not be read has to be read again, whatever else was in it.
    fn all_of(sighting: &Sighting) -> Vec<Self> {
        let kept = Self::of(sighting);
        let again = sighting.unread.is_some().then(|| Self { found: Held::Again, ..kept.clone() });
        std::iter::once(kept).chain(again).collect()
    }

    fn is_read_anew(&self) -> bool {
        matches!(self.found, Held::Side | Held::Again)
    }

    fn of(sighting: &Sighting) -> Self {
        let found = match &sighting.found {
            Finding::Match(seen) => Held::Match(seen.clone()),
            Finding::Archive => Held::Archive,
            Finding::Ended(ended) => Held::Ended(ended.clone()),
            Finding::Side(_) => Held::Side,
        };
        let Sighting { shown, place, size, content, .. } = sighting;
        Self { shown: shown.clone(), member: member(place), size: *size, content: *content, found }
    }

    /// What a file that goes with matches said, by its copy; its path where there is none.
    fn copied(self, at: &Path, copies: Option<&Copies>) -> Result<Option<Sighting>, String> {
        let content = self.content.map(blake3::Hash::from_bytes);
        let bytes = content.zip(copies).and_then(|(content, copies)| copies.get(&content));
        let Some(Ok(said)) = bytes.and_then(|bytes| scan::beside(&bytes)) else { return Err(self.shown) };
        let place = self.place(at);
        let Self { shown, size, content, .. } = self;
        Ok(Some(Sighting { shown, place, size, content, found: Finding::Side(said), unread: None }))
    }

    fn place(&self, at: &Path) -> Place {
        self.member.map_or_else(|| Place::File(at.into()), |index| Place::Member(at.into(), index))
    }

    /// `None` where it has to be read again.
    fn sighting(self, at: &Path) -> Option<Sighting> {
        let place = self.place(at);
        let found = match self.found {
            Held::Match(seen) => Finding::Match(seen),
            Held::Archive => Finding::Archive,
            Held::Ended(ended) => Finding::Ended(ended),
            Held::Side | Held::Again => return None,
        };
        Some(Sighting { shown: self.shown, place, size: self.size, content: self.content, found, unread: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::lake::{self, Lake};
    use std::error::Error;

    fn found(at: u8) -> Found {
        let shown = format!("2026/{at}.mat");
        Found {
            at: format!("/raw/{shown}").into(),
            shown,
            stat: Stat { size: 1, mtime: 0, inode: 0, ctime: 0 },
            is_link: false,
        }
    }

    /// What was found in a hundred files, of which one has this content.
    fn scanned(content: u8) -> (Vec<Found>, Scanned) {
        let (files, mut scanned): (Vec<Found>, _) = ((0..100).map(found).collect(), Scanned::default());
        for (at, file) in (0..).zip(&files) {
            let content = [if at == 7 { content } else { at }; 32];
            scanned.known.insert(file.shown.clone(), Known { stat: file.stat, young: false, content });
            scanned.sightings.push(Sighting {
                shown: file.shown.clone(),
                place: Place::File(file.at.clone()),
                size: 1,
                content: Some(content),
                found: Finding::Archive,
                unread: None,
            });
        }
        (files, scanned)
    }

    #[test]
    fn a_night_writes_the_sheaf_of_the_file_that_is_another_and_mends_one_that_is_damaged() -> Result<(), Box<dyn Error>>
    {
        let root = tempfile::tempdir()?;
        let cache = Cache::of(&Lake::at(root.path()));
        let folder = cache.dir().join(SEEN);
        let names = || lake::names(&folder).map(|names| names.into_iter().collect::<BTreeSet<String>>());
        let (files, before) = scanned(7);
        Files::keep(&cache, &files, &before)?;
        let first = names()?;
        let mut known = Files::stats(&cache).with_sightings(&cache);
        assert!(files.iter().all(|file| known.has_sightings(&file.shown)));

        let (files, mut after) = scanned(107);
        after.sheaves = known.sheaves();
        assert_eq!(after.sheaves, first);
        Files::keep(&cache, &files, &after)?;
        let second = names()?;
        assert_eq!((second.difference(&first).count(), first.difference(&second).count()), (1, 1));
        let theirs = Files::stats(&cache).with_sightings(&cache).take(&files[7]);
        assert_eq!(theirs.iter().map(|one| one.content).collect::<Vec<_>>(), [Some([107; 32])]);

        let damaged = second.first().ok_or("a sheaf")?;
        std::fs::write(folder.join(damaged), "torn")?;
        let mut known = Files::stats(&cache).with_sightings(&cache);
        assert!(files.iter().any(|file| !known.has_sightings(&file.shown)));
        after.sheaves = known.sheaves();
        Files::keep(&cache, &files, &after)?;
        let known = Files::stats(&cache).with_sightings(&cache);
        assert!(files.iter().all(|file| known.has_sightings(&file.shown)));
        Ok(())
    }

    #[test]
    fn a_sheaf_that_the_stats_do_not_name_is_not_read() -> Result<(), Box<dyn Error>> {
        let root = tempfile::tempdir()?;
        let cache = Cache::of(&Lake::at(root.path()));
        let (files, before) = scanned(7);
        Files::keep(&cache, &files, &before)?;
        let stats = cache.bytes(STATS).ok_or("stats")?;
        let (_, after) = scanned(107);
        Files::keep(&cache, &files, &after)?;
        // As if the run had been stopped before it wrote the stats.
        cache.put_bytes(STATS, &stats)?;
        let mut known = Files::stats(&cache).with_sightings(&cache);
        assert!(known.take(&files[7]).is_empty());
        assert!(!known.take(&files[8]).is_empty());
        Ok(())
    }
}
