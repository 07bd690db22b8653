//! What earlier nights learnt of the files below `raw/`: stat -> content -> what the first look found in it.
//!
//! A file whose size, times and inode are as they were is not read again. One that was written within two seconds
//! before it was read is *young*: a second writing might have left the same times, so the next night reads and hashes
//! it, and believes the rest when the content is the same. Study logs and places are looked at every night: they are few,
//! and their rows hang on more than their bytes.

use super::cache::Cache;
use super::resolve::{Ended, Finding, Place, Seen, Sighting};
use super::scan::Scanned;
use super::walk::{Found, Stat};
use crate::tables::fault::TableFault;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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
}

/// Files by shown path.
#[derive(Debug, Default)]
pub struct Files {
    known: BTreeMap<String, Known>,
    seen: BTreeMap<String, Vec<Kept>>,
}

impl Files {
    /// What the last night knew of contents; cheap, for whoever only asks whether anything changed.
    #[must_use]
    pub fn stats(cache: &Cache) -> Self {
        Self { known: cache.get(STATS).unwrap_or_default(), seen: BTreeMap::new() }
    }

    /// The sightings too.
    #[must_use]
    pub fn with_sightings(mut self, cache: &Cache) -> Self {
        self.seen = cache.get(SEEN).unwrap_or_default();
        self
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

    /// Whether the sightings of a path are at hand.
    #[must_use]
    pub fn has_sightings(&self, shown: &str) -> bool {
        self.seen.contains_key(shown)
    }

    /// Paths that were known.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// The sightings of a path, which are not wanted twice.
    pub fn take(&mut self, file: &Found) -> Vec<Sighting> {
        self.seen.remove(&file.shown).into_iter().flatten().map(|kept| kept.sighting(&file.at)).collect()
    }

    /// The sightings of a file that cannot be read tonight.
    pub fn standing(&mut self, file: &Found, why: &Ended) -> Vec<Sighting> {
        self.take(file).into_iter().map(|one| one.standing(&file.shown, why)).collect()
    }

    /// What was known of a file, and its sightings.
    pub fn earlier(&mut self, file: &Found) -> Option<(Known, Vec<Sighting>)> {
        let known = self.known.get(&file.shown).copied()?;
        self.seen.contains_key(&file.shown).then(|| (known, self.take(file)))
    }

    /// The sightings of a path that is no longer there, or cannot be looked at for this reason.
    pub fn missing(&mut self, shown: &str, why: Option<&Ended>) -> Vec<Sighting> {
        let kept = self.seen.remove(shown).into_iter().flatten().map(|kept| kept.sighting(Path::new(shown)));
        kept.map(|one| match why {
            Some(why) => one.standing(shown, why),
            None => one,
        })
        .collect()
    }

    /// Keeps what tonight's first look found.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn keep(cache: &Cache, found: &[Found], scanned: &Scanned) -> Result<(), TableFault> {
        let here = found.iter().map(|file| (file.at.as_path(), file.shown.as_str()));
        let gone = scanned.known.keys().map(|shown| (Path::new(shown), shown.as_str()));
        let shown: BTreeMap<&Path, &str> = here.chain(gone).collect();
        let mut seen: BTreeMap<&str, Vec<Kept>> = BTreeMap::new();
        let mut passing = Vec::new();
        for sighting in &scanned.sightings {
            let Some(file) = shown.get(sighting.place.file()) else { continue };
            match Kept::of(sighting) {
                Some(kept) => seen.entry(file).or_default().push(kept),
                None => passing.push(file),
            }
        }
        for file in passing {
            seen.remove(file);
        }
        cache.put(SEEN, &seen)?;
        cache.put(STATS, &scanned.known)
    }
}

impl Kept {
    /// `None` for what holds tonight only.
    fn of(sighting: &Sighting) -> Option<Self> {
        let found = match &sighting.found {
            Finding::Match(seen) => Held::Match(seen.clone()),
            Finding::Archive => Held::Archive,
            Finding::Ended(ended) if ended.is_passing() => return None,
            Finding::Ended(ended) => Held::Ended(ended.clone()),
            Finding::Side(_) => return None,
        };
        let member = match sighting.place {
            Place::File(_) => None,
            Place::Member(_, index) => Some(index),
        };
        let Sighting { shown, size, content, .. } = sighting;
        Some(Self { shown: shown.clone(), member, size: *size, content: *content, found })
    }

    fn sighting(self, at: &Path) -> Sighting {
        let place = self.member.map_or_else(|| Place::File(at.into()), |index| Place::Member(at.into(), index));
        let found = match self.found {
            Held::Match(seen) => Finding::Match(seen),
            Held::Archive => Finding::Archive,
            Held::Ended(ended) => Finding::Ended(ended),
        };
        Sighting { shown: self.shown, place, size: self.size, content: self.content, found, unread: None }
    }
}
