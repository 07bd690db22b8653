//! What the stored rows of a match hang on, for whatever is kept of them from night to night.
//!
//! A late match gives the parts of its bucket other names, though no row of its fifty neighbours is another. What is kept
//! of a match therefore stands under its key in the ledger, which says that equal keys mean equal rows; where no ledger
//! speaks of the parts of this snapshot, as after a stage that was run alone, the names of the parts tell their contents.

use crate::night::cache::Cache;
use crate::night::ledger::{Entry, Ledger};
use crate::tables::fault::TableFault;
use crate::tables::lake::Listed;
use std::collections::BTreeMap;
use std::path::Path;

/// The keys of the matches of one season.
#[derive(Default)]
pub(super) struct Origins {
    /// By the label of the bucket.
    buckets: BTreeMap<String, Entry>,
}

impl Origins {
    /// Of this snapshot; without a ledger there are none.
    ///
    /// # Errors
    /// When the snapshot cannot be listed.
    pub(super) fn read(cache: &Cache, (snapshot, season): (&Path, &str)) -> Result<Self, TableFault> {
        let buckets = Ledger::of(cache, snapshot)?.buckets.into_iter();
        let own = buckets.filter(|((of, _), _)| of == season).map(|((_, bucket), entry)| (bucket, entry));
        Ok(Self { buckets: own.collect() })
    }

    #[cfg(test)]
    pub(super) fn of(bucket: &str, keys: &[(&str, &str)]) -> Self {
        let matches = keys.iter().map(|(id, key)| ((*id).to_owned(), (*key).to_owned())).collect();
        Self { buckets: BTreeMap::from([(bucket.to_owned(), Entry { matches, ..Entry::default() })]) }
    }

    /// The keys of the matches in the bucket of this part, by match; `None` where nothing says which they are.
    pub(super) fn of_part(&self, part: &Listed) -> Option<&BTreeMap<String, String>> {
        self.buckets.get(&part.bucket).map(|entry| &entry.matches)
    }

    /// The key of a match of the bucket of this label.
    pub(super) fn key(&self, bucket: &str, match_id: &str) -> Option<&str> {
        self.buckets.get(bucket)?.matches.get(match_id).map(String::as_str)
    }
}
