//! Matches to parts: bucket by bucket, in parallel, each bucket's rows streamed into its own files.
//!
//! A bucket whose matches all have the keys they had keeps its parts, unread. One that has to be written takes the rows
//! of those of its matches that did not change from where they are stored, whole strata of large tables unread, and reads
//! files for the others only. A bucket
//! belongs to one thread and holds its matches in the order of their ids, so the bytes of a part depend neither on how
//! many threads there are nor on where its rows came from. Every bucket writes every table, an empty one too: whoever
//! reads `<table>/*/*.parquet` always finds the columns.

use super::assemble::{self, Aside, Spoiled};
use super::bundle::{BUCKETED, Stored, Writers};
use super::ledger::{Entry, Journal, Keys, Ledger, Where, Written};
use super::resolve::{Played, Resolution, Sighting};
use super::signal;
use crate::config::Settings;
use crate::tables::bucket::{Bucket, Division};
use crate::tables::facts::{MatchRow, SourceRow};
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Listed, WHOLE};
use crate::tables::part::{self, Part, PartWriter};
use crate::tables::row::Row;
use crate::tables::snapshot::Building;
use crate::tables::strata::{Stratum, stratum};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What stops the building of a snapshot.
#[derive(Debug)]
pub enum Stopped {
    /// Files that turned out unusable: drop them, resolve again, build again.
    Spoiled(Vec<Spoiled>),
    /// The disk said no.
    Table(TableFault),
    /// A signal said stop.
    Signal(signal::Stop),
}

impl From<signal::Stop> for Stopped {
    fn from(stop: signal::Stop) -> Self {
        Self::Signal(stop)
    }
}

impl From<TableFault> for Stopped {
    fn from(fault: TableFault) -> Self {
        Self::Table(fault)
    }
}

/// The matches of a bucket by their ids, each with its key.
type Keyed<'a> = BTreeMap<&'a str, (String, &'a Played)>;

/// What is to be built: every bucket, with the keys of its matches.
pub struct Wanted<'a> {
    sightings: &'a [Sighting],
    resolution: &'a Resolution,
    settings: &'a Settings,
    buckets: BTreeMap<Where, Keyed<'a>>,
}

/// The parts there are already.
pub struct Held<'a> {
    /// The published snapshot.
    pub snapshot: PathBuf,
    /// What its parts were made from.
    pub ledger: &'a Ledger,
    /// What a run that was stopped left in the snapshot being built.
    pub finished: &'a Ledger,
}

/// Why the parts of a bucket are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Matches whose files have to be read and rated.
    pub made: Vec<String>,
    /// Matches whose stored rows are copied.
    pub copied: usize,
    /// Matches that the bucket held and no bucket holds any longer.
    pub gone: Vec<String>,
    /// Matches that the bucket held and another will hold.
    pub moved: usize,
}

impl<'a> Wanted<'a> {
    /// Divides the matches among buckets and takes their keys.
    #[must_use]
    pub fn of(sightings: &'a [Sighting], resolution: &'a Resolution, settings: &'a Settings) -> Self {
        let (keys, mut buckets) = (Keys::of(settings), BTreeMap::new());
        for (season, matches) in by_season(&resolution.matches) {
            let division = Division::of(matches.len() as u64);
            let empty = |bucket: Bucket| ((season.to_owned(), bucket.to_string()), BTreeMap::new());
            buckets.extend(division.buckets().map(empty));
            for played in matches {
                let Some(bucket) = division.holding(&played.match_id) else { continue };
                let key = keys.key(played, sightings);
                let bucket: &mut BTreeMap<_, _> = buckets.entry((season.to_owned(), bucket.to_string())).or_default();
                bucket.insert(played.match_id.as_str(), (key, played));
            }
        }
        let played: BTreeSet<&str> = resolution.matches.iter().map(|played| played.season.as_str()).collect();
        for season in resolution.sources.iter().map(|row| row.season.as_str()) {
            if !played.contains(season) {
                buckets.entry((season.to_owned(), WHOLE.to_owned())).or_default();
            }
        }
        Self { sightings, resolution, settings, buckets }
    }

    /// The buckets whose parts `ledger` does not have, and why.
    #[must_use]
    pub fn touched(&self, ledger: &Ledger) -> BTreeMap<Where, Touched> {
        let (places, here) = (ledger.places(), self.matches());
        let fresh = self
            .buckets
            .iter()
            .filter(|(place, matches)| ledger.buckets.get(*place).is_none_or(|entry| !is_same(entry, matches)));
        let why = |(place, matches): (&Where, &Keyed<'_>)| {
            let (copied, made): (Vec<_>, Vec<_>) =
                matches.iter().partition(|(id, (key, _))| places.contains_key(&(**id, key.as_str())));
            let held = ledger.buckets.get(place).into_iter().flat_map(|entry| entry.matches.keys());
            let left = held.filter(|id| !matches.contains_key(id.as_str())).cloned();
            let (moved, gone): (Vec<String>, _) = left.partition(|id| here.contains(id.as_str()));
            let made = made.into_iter().map(|(id, _)| (*id).to_owned()).collect();
            (place.clone(), Touched { made, copied: copied.len(), gone, moved: moved.len() })
        };
        fresh.map(why).collect()
    }

    /// The matches that `ledger` has in buckets there will be none of, and that no other bucket takes over, by season.
    #[must_use]
    pub fn lost<'b>(&self, ledger: &'b Ledger) -> BTreeMap<&'b str, Vec<&'b str>> {
        let here = self.matches();
        let mut lost: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for ((season, _), entry) in ledger.buckets.iter().filter(|(place, _)| !self.buckets.contains_key(*place)) {
            let gone = entry.matches.keys().map(String::as_str).filter(|id| !here.contains(id));
            lost.entry(season).or_default().extend(gone);
        }
        lost.retain(|_, gone| !gone.is_empty());
        lost
    }

    /// The buckets, those first whose parts have to be written.
    fn longest_first(&self, held: &Held<'_>) -> Vec<(&Where, &Keyed<'a>)> {
        let is_held = |(place, matches): &(&Where, &BTreeMap<_, _>)| {
            held.ledger.buckets.get(*place).is_some_and(|entry| is_same(entry, matches))
        };
        let (kept, mut all): (Vec<_>, Vec<_>) = self.buckets.iter().partition(is_held);
        all.extend(kept);
        all
    }

    fn matches(&self) -> BTreeSet<&str> {
        self.buckets.values().flat_map(|matches| matches.keys().copied()).collect()
    }

    /// How many buckets there are.
    #[must_use]
    pub fn buckets(&self) -> usize {
        self.buckets.len()
    }

    /// Writes or takes over every fact table and partial.
    ///
    /// # Errors
    /// [`Stopped`]: files that cannot be used after all, a signal, or a disk that cannot be written.
    pub fn write(
        &self,
        building: &Building,
        (held, journal): (&Held<'_>, &Journal),
        tick: &(dyn Fn() + Sync),
    ) -> Result<Ledger, Stopped> {
        let places = held.ledger.places();
        let one = |(place, matches)| {
            let task = Task { wanted: self, place, matches };
            let entry = task.entry(building, (held, &places), tick)?;
            journal.finished(place, &entry)?;
            Ok((place.clone(), entry))
        };
        // A bucket that is written takes a thousand times as long as one that is taken over: in this order each goes to
        // whoever has time, and those that are taken over fill the time until the last is written.
        let write = || {
            let all = self.longest_first(held).into_iter().enumerate().par_bridge();
            let mut done: Vec<(usize, Result<_, Stopped>)> = all.map(|(at, bucket)| (at, one(bucket))).collect();
            done.sort_by_key(|(at, _)| *at);
            done
        };
        let (done, sources) = rayon::join(write, || sources(self.resolution, building));
        sources?;
        let (mut spoiled, mut ledger) = (Vec::new(), Ledger::default());
        for (_, outcome) in done {
            match outcome {
                Ok((place, entry)) => _ = ledger.buckets.insert(place, entry),
                Err(Stopped::Spoiled(files)) => spoiled.extend(files),
                Err(stopped) => return Err(stopped),
            }
        }
        if !spoiled.is_empty() {
            return Err(Stopped::Spoiled(spoiled));
        }
        sweep(building, &ledger)?;
        Ok(ledger)
    }
}

fn is_same(entry: &Entry, matches: &Keyed<'_>) -> bool {
    entry.matches.len() == matches.len()
        && matches.iter().all(|(id, (key, _))| entry.matches.get(*id).is_some_and(|held| held == key))
}

/// Removes parts that a run that was stopped left and that nothing wants.
fn sweep(building: &Building, ledger: &Ledger) -> Result<(), TableFault> {
    for table in BUCKETED {
        let mut wanted: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for ((season, _), entry) in &ledger.buckets {
            wanted.entry(season).or_default().extend(entry.parts.get(table).cloned());
        }
        building.keep_only(table, &wanted)?;
    }
    Ok(())
}

fn by_season(matches: &[Played]) -> BTreeMap<&str, Vec<&Played>> {
    let mut seasons: BTreeMap<&str, Vec<&Played>> = BTreeMap::new();
    for played in matches {
        seasons.entry(&played.season).or_default().push(played);
    }
    seasons
}

/// One part a season.
fn sources(resolution: &Resolution, building: &Building) -> Result<(), TableFault> {
    let mut wanted: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for rows in resolution.sources.chunk_by(|a, b| a.season == b.season) {
        let season = rows[0].season.as_str();
        let part = write_whole(&lake::table_dir(building.dir(), SourceRow::TABLE, season), rows)?;
        wanted.entry(season).or_default().insert(part.name());
    }
    building.keep_only(SourceRow::TABLE, &wanted)
}

/// Writes one undivided part.
///
/// # Errors
/// When the disk cannot be written.
pub fn write_whole<R: Row>(dir: &Path, rows: &[R]) -> Result<Part, TableFault> {
    let mut writer = PartWriter::<R>::create(dir, WHOLE)?;
    writer.push(rows)?;
    writer.finish()
}

/// One bucket to be had, one way or another.
struct Task<'a> {
    wanted: &'a Wanted<'a>,
    place: &'a Where,
    matches: &'a Keyed<'a>,
}

impl Task<'_> {
    fn entry(
        &self,
        building: &Building,
        (held, places): (&Held<'_>, &BTreeMap<(&str, &str), &Where>),
        tick: &(dyn Fn() + Sync),
    ) -> Result<Entry, Stopped> {
        if let Some(entry) = held.finished.buckets.get(self.place).filter(|entry| is_same(entry, self.matches)) {
            return Ok(entry.clone());
        }
        if let Some(entry) = held.ledger.buckets.get(self.place).filter(|entry| is_same(entry, self.matches))
            && self.is_there(&held.snapshot, entry)
        {
            self.keep(building, (&held.snapshot, entry))?;
            return Ok(entry.clone());
        }
        self.write(building, (held, places), tick)
    }

    /// Every part has its end: one that was cut is made anew. What is damaged within, `portes check` finds.
    fn is_there(&self, snapshot: &Path, entry: &Entry) -> bool {
        let path = |(table, name): (&String, &String)| lake::table_dir(snapshot, table, &self.place.0).join(name);
        entry.parts.iter().map(path).all(|path| part::has_end(&path))
    }

    fn keep(&self, building: &Building, (snapshot, entry): (&Path, &Entry)) -> Result<(), TableFault> {
        let (season, bucket) = self.place;
        for (table, name) in &entry.parts {
            let path = lake::table_dir(snapshot, table, season).join(name);
            let part = Listed { season: season.clone(), bucket: bucket.clone(), name: name.clone(), path };
            building.keep(table, &part)?;
        }
        Ok(())
    }

    fn write(
        &self,
        building: &Building,
        (held, places): (&Held<'_>, &BTreeMap<(&str, &str), &Where>),
        tick: &(dyn Fn() + Sync),
    ) -> Result<Entry, Stopped> {
        let mut writers = Writers::create(building.dir(), self.place)?;
        let mut open: BTreeMap<&Where, Option<Stored>> = BTreeMap::new();
        let mut entry = Entry::default();
        let mut spoiled = Vec::new();
        if let Some(before) = held.ledger.buckets.get(self.place) {
            let whole = |table: &str| self.whole(table, before);
            open.insert(self.place, Stored::open(&held.snapshot, (self.place, before), &whole)?);
        }
        for (id, (key, played)) in self.matches {
            signal::pause()?;
            let stored = stored(&mut open, (held, places.get(&(*id, key.as_str())).copied()))?;
            match self.add(played, stored, &mut writers) {
                Ok(written) => {
                    entry.written = entry.written + written;
                    entry.matches.insert((*id).to_owned(), key.clone());
                }
                Err(Stopped::Spoiled(files)) => spoiled.extend(files),
                Err(stopped) => return Err(stopped),
            }
            tick();
        }
        writers.finish(&mut entry)?;
        if spoiled.is_empty() { Ok(entry) } else { Err(Stopped::Spoiled(spoiled)) }
    }

    /// The strata of a table that the bucket held before, match for match.
    fn whole(&self, table: &str, before: &Entry) -> BTreeSet<Stratum> {
        let (of, mut held) = (|id: &str| stratum(table, &self.place.1, id), BTreeMap::<Stratum, usize>::new());
        before.matches.keys().for_each(|id| *held.entry(of(id)).or_default() += 1);
        let mut wanted: BTreeMap<Stratum, Option<usize>> = BTreeMap::new();
        for (id, (key, _)) in self.matches {
            let same = wanted.entry(of(id)).or_insert(Some(0));
            *same = same.filter(|_| before.matches.get(*id) == Some(key)).map(|same| same + 1);
        }
        wanted
            .into_iter()
            .filter(|(stratum, same)| same.is_some() && held.get(stratum) == same.as_ref())
            .map(|(stratum, _)| stratum)
            .collect()
    }

    /// One match, copied where it is stored, else read.
    fn add(&self, played: &Played, stored: Option<&mut Stored>, writers: &mut Writers) -> Result<Written, Stopped> {
        let copied = stored.map(|stored| stored.copy(&played.match_id, writers)).transpose()?;
        if let Some(copied) = copied.filter(|copied| copied.of::<MatchRow>() == 1) {
            return Ok(copied.written());
        }
        let rows = assemble::assemble(played, self.wanted.sightings, (self.wanted.settings, Aside::Keep))
            .map_err(|file| Stopped::Spoiled(vec![file]))?;
        writers.push(&rows)?;
        Ok(Written { matches: 1, decisions: rows.decisions.len(), candidates: rows.candidates.len() })
    }
}

/// The stored parts that a match may be copied from, where there are some.
fn stored<'a, 'b>(
    open: &'b mut BTreeMap<&'a Where, Option<Stored>>,
    (held, place): (&Held<'_>, Option<&'a Where>),
) -> Result<Option<&'b mut Stored>, TableFault> {
    let Some(place) = place else { return Ok(None) };
    if !open.contains_key(place) {
        let entry = held.ledger.buckets.get(place);
        let stored = entry
            .map(|entry| Stored::open(&held.snapshot, (place, entry), &|_| BTreeSet::new()))
            .transpose()?
            .flatten();
        open.insert(place, stored);
    }
    Ok(open.get_mut(place).and_then(Option::as_mut))
}
