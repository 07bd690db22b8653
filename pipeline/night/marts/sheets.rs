//! The marts that are made of one match alone: a part a bucket, taken over as long as what it is made from is the same.
//!
//! Beside each part lies in the cache what was remembered of its bucket: everybody's sums. Both hang on the parts of the
//! bucket and on the configuration, which give the note its name; the part has its content in its own. A note that is
//! gone or damaged, or a part that is, costs reading one bucket again.

use super::super::cache::Cache;
use super::{Touched, configured};
use crate::config::Settings;
use crate::measure::bucket::{Bucket, Sheets};
use crate::night::build::write_whole;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake, Listed};
use crate::tables::part::PartWriter;
use crate::tables::row::Row;
use crate::tables::snapshot::Building;
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Where the notes lie in the cache, a folder a table below it.
pub(super) const FOLDER: &str = "buckets";

/// A mart on its way, bucket by bucket.
pub(super) struct Binder<'a, R> {
    building: &'a Building,
    /// Whose parts may be taken over.
    snapshot: Option<&'a Path>,
    cache: Cache,
    configured: String,
    bound: Mutex<Bound>,
    row: PhantomData<fn() -> R>,
}

/// What lies in the table so far.
#[derive(Default)]
struct Bound {
    /// Season -> names of its parts.
    parts: BTreeMap<String, BTreeSet<String>>,
    notes: BTreeSet<String>,
    rows: usize,
}

impl<'a, R: Row> Binder<'a, R> {
    /// Nothing is taken over where nothing is said of the night before.
    pub(super) fn of(building: &'a Building, settings: &Settings, touched: Option<&Touched<'a>>) -> Self {
        Self {
            building,
            snapshot: touched.map(Touched::snapshot),
            cache: Cache::of(&Lake::at(settings.lake())).below(FOLDER).below(R::TABLE),
            configured: configured(settings),
            bound: Mutex::default(),
            row: PhantomData,
        }
    }

    /// The name of what is noted of a bucket.
    fn note(&self, bucket: &Bucket) -> String {
        let words = [bucket.digest(), self.configured.clone()];
        blake3::hash(words.join("/").as_bytes()).to_hex()[..32].to_owned()
    }

    fn bind(&self, bucket: &Bucket, (name, note, rows): (String, String, usize)) {
        let mut bound = self.bound.lock().unwrap_or_else(PoisonError::into_inner);
        bound.parts.entry(bucket.season.clone()).or_default().insert(name);
        bound.notes.insert(note);
        bound.rows += rows;
    }

    /// Ends the table: a season without a bucket gets an empty part, so that whoever reads finds its columns; every other
    /// part goes, and every note that is of no bucket of tonight. Tells how many rows it has.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub(super) fn end(self, seasons: &[String]) -> Result<usize, TableFault> {
        let mut bound = self.bound.into_inner().unwrap_or_else(PoisonError::into_inner);
        for season in seasons {
            if !bound.parts.contains_key(season) {
                let part = write_whole::<R>(&lake::table_dir(self.building.dir(), R::TABLE, season), &[])?;
                bound.parts.insert(season.clone(), BTreeSet::from([part.name()]));
            }
        }
        let wanted = bound.parts.iter().map(|(season, names)| (season.as_str(), names.clone())).collect();
        self.building.keep_only(R::TABLE, &wanted)?;
        self.cache.retain(|name| bound.notes.contains(name))?;
        Ok(bound.rows)
    }
}

impl<R: Row> Sheets<R> for Binder<'_, R> {
    fn recall(&self, bucket: &Bucket) -> Result<Option<Vec<u8>>, TableFault> {
        let Some(snapshot) = self.snapshot else { return Ok(None) };
        let note = self.note(bucket);
        let Some((memory, (name, rows))) = self.cache.bytes(&note).and_then(parted) else { return Ok(None) };
        let path = lake::table_dir(snapshot, R::TABLE, &bucket.season).join(&name);
        if !path.is_file() {
            return Ok(None);
        }
        let (season, label) = (bucket.season.clone(), bucket.label.clone());
        self.building.keep(R::TABLE, &Listed { season, bucket: label, name: name.clone(), path })?;
        self.bind(bucket, (name, note, rows));
        Ok(Some(memory))
    }

    fn accept(&self, bucket: &Bucket, rows: Vec<R>, memory: &[u8]) -> Result<(), TableFault> {
        let dir = lake::table_dir(self.building.dir(), R::TABLE, &bucket.season);
        let mut writer = PartWriter::<R>::create(&dir, &bucket.label)?;
        writer.push(&rows)?;
        let (name, note) = (writer.finish()?.name(), self.note(bucket));
        // It only saves time: what cannot be encoded is not remembered.
        if let Some(noted) = noted(memory, (&name, rows.len())) {
            self.cache.put_bytes(&note, &noted)?;
        }
        self.bind(bucket, (name, note, rows.len()));
        Ok(())
    }
}

/// A note: what is remembered; then the part, how many rows it has, and how many bytes tell so. What is remembered is long,
/// and stays where it lies when the rest is cut off.
fn noted(memory: &[u8], (part, rows): (&str, usize)) -> Option<Vec<u8>> {
    let about = rmp_serde::to_vec(&(part, rows)).ok()?;
    let length = u32::try_from(about.len()).ok()?;
    Some([memory, &about, &length.to_le_bytes()].concat())
}

/// What a note tells: what is remembered, the part, and how many rows it has.
fn parted(mut note: Vec<u8>) -> Option<(Vec<u8>, (String, usize))> {
    let (rest, length) = note.split_last_chunk()?;
    let memory = rest.len().checked_sub(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
    let about = rmp_serde::from_slice(rest.get(memory..)?).ok()?;
    note.truncate(memory);
    Some((note, about))
}
