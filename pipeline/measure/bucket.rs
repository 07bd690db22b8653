//! A bucket of a season as the measures read it: its part of every table, and what was made of it on an earlier night.
//!
//! Some rows are made of one match alone, and everybody's pools are sums over matches. Both hang on nothing but the parts
//! of a bucket, so where these are what they were the rows are there already ([`Sheets`]) and the sums are remembered. All
//! of a match lies in one bucket, whatever the table; what is of no match of its bucket is refused as an orphan.

use super::MeasureFault;
use super::snapshot::Snapshot;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Listed};
use crate::tables::row::Row;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Buckets that are read at the same time: a few for every thread, some ten megabytes of rows.
pub(super) const AT_ONCE: usize = 4;

/// One bucket of one season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Season.
    pub season: String,
    /// Label.
    pub label: String,
    /// Names and places of its parts, by table.
    parts: BTreeMap<&'static str, Vec<Listed>>,
}

impl Bucket {
    /// Its parts of a table: one, or none.
    #[must_use]
    pub fn parts<R: Row>(&self) -> Vec<PathBuf> {
        self.parts.get(R::TABLE).into_iter().flatten().map(|part| part.path.clone()).collect()
    }

    /// What it holds: 32 hex digits over the names of its parts, which hold their content's hashes.
    #[must_use]
    pub fn digest(&self) -> String {
        const DIGITS: usize = 32;
        let mut hash = blake3::Hasher::new();
        for (table, parts) in &self.parts {
            for part in parts {
                let words = [*table, &part.season, &part.name];
                words.into_iter().for_each(|word| _ = hash.update(word.as_bytes()).update(b"/"));
            }
        }
        hash.finalize().to_hex()[..DIGITS].to_owned()
    }
}

impl Snapshot<'_> {
    /// The buckets of these tables, by season and label.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn buckets(self, tables: &[&'static str]) -> Result<Vec<Bucket>, MeasureFault> {
        let mut buckets: BTreeMap<(String, String), Bucket> = BTreeMap::new();
        for table in tables {
            for part in lake::parts(self.0, table)? {
                let bucket = buckets.entry((part.season.clone(), part.bucket.clone())).or_insert_with(|| Bucket {
                    season: part.season.clone(),
                    label: part.bucket.clone(),
                    parts: BTreeMap::new(),
                });
                bucket.parts.entry(*table).or_default().push(part);
            }
        }
        Ok(buckets.into_values().collect())
    }
}

/// Where rows go that are made of one bucket alone.
pub trait Sheets<R>: Sync {
    /// What was remembered of a bucket whose rows are there already; `None` where they have to be made.
    ///
    /// # Errors
    /// When the rows cannot be taken over.
    fn recall(&self, bucket: &Bucket) -> Result<Option<Vec<u8>>, TableFault>;

    /// Takes the rows of a bucket, sorted, and what shall be remembered of it.
    ///
    /// # Errors
    /// When they cannot be written.
    fn accept(&self, bucket: &Bucket, rows: Vec<R>, memory: &[u8]) -> Result<(), TableFault>;
}

/// Rows that are held and never written; nothing is remembered.
#[derive(Debug)]
pub struct Held<R>(Mutex<Vec<R>>);

impl<R> Default for Held<R> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<R: Row> Held<R> {
    /// All of them, sorted.
    #[must_use]
    pub fn rows(self) -> Vec<R> {
        let mut rows = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        crate::tables::row::sort(&mut rows);
        rows
    }
}

impl<R: Row + Send> Sheets<R> for Held<R> {
    fn recall(&self, _: &Bucket) -> Result<Option<Vec<u8>>, TableFault> {
        Ok(None)
    }

    fn accept(&self, _: &Bucket, mut rows: Vec<R>, _: &[u8]) -> Result<(), TableFault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).append(&mut rows);
        Ok(())
    }
}
