//! The strata of a bucket: stretches of its matches whose rows are row groups of their own in the large tables.
//!
//! One late match rewrites the parts of its bucket. What it changes in a large part is one stratum, which is encoded anew; of
//! the others the bytes are taken as they are. Strata go by the bits of the match id that follow the bucket's, so where a row
//! group ends hangs on the ids in the part and on nothing else, as everything in the bytes of a part does.

use super::batches;
use super::facts::{CandidateRow, DecisionRow, OtherCandidateRow, OtherDecisionRow};
use super::fault::{TableFault, disk};
use super::part;
use super::partials::RulingRow;
use super::row::Row;
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
    RowGroupMetaData,
};
use parquet::file::statistics::Statistics;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The tables that lie in strata: those that a bucket has more than some thousand rows of.
const LAYERED: [&str; 5] =
    [DecisionRow::TABLE, CandidateRow::TABLE, OtherDecisionRow::TABLE, OtherCandidateRow::TABLE, RulingRow::TABLE];

/// Bits past the bucket's: a stratum holds 8 to 16 matches, some thousand decisions. Half as large, they save a night a
/// twentieth of a second, and whoever reads a column of all decisions waits half as long again.
const BITS: usize = 2;

/// The same of candidates, which are four times as many and have few columns: their strata are halves of the others'.
/// Quarters would save a night a hundredth of a second more, and whoever reads a column of all candidates would wait a third
/// as long again.
const CANDIDATE_BITS: usize = 3;

/// Hex digits of a match id, and bits of each.
const DIGITS: usize = 16;
const DIGIT_BITS: usize = 4;

/// A stratum of a bucket; the order is that of the match ids.
pub type Stratum = u64;

/// Whether the rows of a table lie in strata.
#[must_use]
pub fn is_layered<R: Row>() -> bool {
    are_layered(R::TABLE)
}

/// The same of a table by its name.
#[must_use]
pub fn are_layered(table: &str) -> bool {
    LAYERED.contains(&table)
}

/// The stratum of a match id, or of anything that begins with one, in the bucket of this label of a table. What begins with
/// none is in the first.
#[must_use]
pub fn stratum(table: &str, bucket: &str, id: &str) -> Stratum {
    begun(id, bits(table, bucket))
}

/// The stratum of most tables that a match id is in.
pub(super) fn shared(bucket: &str, id: &str) -> Stratum {
    begun(id, past(bucket, BITS))
}

/// The stratum of most tables that one of this table is, or is part of.
pub(super) fn around(table: &str, bucket: &str, stratum: Stratum) -> Stratum {
    stratum >> (bits(table, bucket) - past(bucket, BITS))
}

/// The first bits of a match id.
fn begun(id: &str, bits: usize) -> Stratum {
    let digits = id.get(..DIGITS).and_then(|digits| u64::from_str_radix(digits, 16).ok());
    digits.map_or(0, |id| id >> (DIGITS * DIGIT_BITS - bits))
}

/// Bits of a match id that tell its stratum of a table.
fn bits(table: &str, bucket: &str) -> usize {
    past(bucket, if table == CandidateRow::TABLE { CANDIDATE_BITS } else { BITS })
}

fn past(bucket: &str, bits: usize) -> usize {
    (bucket.len() + bits).min(DIGITS * DIGIT_BITS)
}

/// A stored part whose row groups can be taken over.
pub(super) struct Layers {
    pub(super) bytes: Bytes,
    pub(super) metadata: Arc<ParquetMetaData>,
    /// Of each row group.
    strata: Vec<Stratum>,
}

impl Layers {
    /// Opens a part of the bucket of this label, whose bytes were read already; `None` where a row group reaches over strata.
    ///
    /// # Errors
    /// As [`part::read`].
    pub(super) fn open<R: Row>((bytes, path): (Bytes, &Path), bucket: &str) -> Result<Option<Self>, TableFault> {
        Self::of_bytes((bytes, path), (R::TABLE, part::id_column::<R>()), bucket)
    }

    /// The same of a table by its name and the column that begins with the id of a match.
    ///
    /// # Errors
    /// As [`part::read`].
    pub(super) fn of_table(path: &Path, of: (&'static str, usize), bucket: &str) -> Result<Option<Self>, TableFault> {
        let bytes = Bytes::from(fs::read(path).map_err(disk("read", path))?);
        Self::of_bytes((bytes, path), of, bucket)
    }

    pub(super) fn of_bytes(
        (bytes, path): (Bytes, &Path),
        (table, id): (&'static str, usize),
        bucket: &str,
    ) -> Result<Option<Self>, TableFault> {
        // What is said of pages is written again word for word.
        let whole = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
        let reader = ParquetMetaDataReader::new()
            .with_offset_index_policy(PageIndexPolicy::Required)
            .with_metadata_options(Some(whole));
        let metadata = reader.parse_and_finish(&bytes).map_err(|fault| batches::said(path, fault))?;
        batches::admit(path, table, &metadata)?;
        let of = |cell: &str| stratum(table, bucket, cell);
        let strata = metadata.row_groups().iter().map(|group| only_stratum(group, id, of));
        let strata: Option<Vec<Stratum>> = strata.collect();
        Ok(strata.map(|strata| Self { bytes, metadata: Arc::new(metadata), strata }))
    }

    /// The row groups of a stratum, in order.
    pub(super) fn of(&self, stratum: Stratum) -> impl Iterator<Item = usize> {
        self.strata.iter().enumerate().filter(move |(_, of)| **of == stratum).map(|(group, _)| group)
    }

    /// The row groups of all strata but these.
    pub(super) fn without(&self, is_spliced: impl Fn(Stratum) -> bool) -> Vec<usize> {
        (0..self.strata.len()).filter(|group| !is_spliced(self.strata[*group])).collect()
    }

    /// The stratum of each row group, in the order of the file.
    pub(super) fn strata(&self) -> &[Stratum] {
        &self.strata
    }

    /// Whether a row group is that of another part of the same table, byte for byte, and said to be the same.
    pub(super) fn is_same(&self, group: usize, (other, at): (&Self, usize)) -> bool {
        let (own, others) = (self.metadata.row_group(group), other.metadata.row_group(at));
        own.num_rows() == others.num_rows()
            && own.columns().len() == others.columns().len()
            && own
                .columns()
                .iter()
                .zip(others.columns())
                .all(|(a, b)| says_the_same(a, b) && self.chunk(a).is_some_and(|bytes| Some(bytes) == other.chunk(b)))
    }

    /// The bytes of a column of a row group; `None` where they are not all there.
    fn chunk(&self, column: &ColumnChunkMetaData) -> Option<&[u8]> {
        let from = usize::try_from(begin(column)).ok()?;
        let length = usize::try_from(column.compressed_size()).ok()?;
        self.bytes.get(from..from.checked_add(length)?)
    }

    /// How many rows the file says a row group has.
    pub(super) fn said_rows(&self, group: usize) -> u64 {
        self.rows(group).map_or(0, |rows| rows as u64)
    }

    /// Rows of a row group.
    ///
    /// # Errors
    /// A negative number of them.
    pub(super) fn rows(&self, group: usize) -> Result<usize, ParquetError> {
        let rows = self.metadata.row_group(group).num_rows();
        usize::try_from(rows).map_err(|_| ParquetError::General("a negative number of rows".to_owned()))
    }
}

/// Where a column of a row group begins.
fn begin(column: &ColumnChunkMetaData) -> i64 {
    column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset())
}

/// Whether a file says of a column what another says of its own, but for where it lies.
fn says_the_same(a: &ColumnChunkMetaData, b: &ColumnChunkMetaData) -> bool {
    a.column_path() == b.column_path()
        && a.column_type() == b.column_type()
        && a.compression_codec() == b.compression_codec()
        && a.num_values() == b.num_values()
        && a.statistics() == b.statistics()
        && a.data_page_offset() - begin(a) == b.data_page_offset() - begin(b)
}

/// The stratum that all rows of a row group lie in, as far as it says so.
fn only_stratum(group: &RowGroupMetaData, id: usize, stratum: impl Fn(&str) -> Stratum) -> Option<Stratum> {
    let Some(Statistics::ByteArray(said)) = group.columns().get(id)?.statistics() else { return None };
    let of = |cell: &[u8]| std::str::from_utf8(cell).ok().map(&stratum);
    let (first, last) = (of(said.min_opt()?.data())?, of(said.max_opt()?.data())?);
    (first == last).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::groups::Stretches;
    use crate::tables::lake::Listed;
    use crate::tables::part::PartWriter;
    use std::collections::BTreeSet;
    use std::error::Error;

    /// Rows of matches of every stratum of bucket `10` but the last; as many as their number says.
    fn rows() -> Vec<RulingRow> {
        let of = |at: u32| {
            (0..i64::from(at) * 40 + 1).map(move |order| RulingRow {
                match_id: format!("{:016x}", 0x8000_0000_0000_0000 + (u64::from(at) << 57)),
                source_id: "s".to_owned(),
                order,
                ..RulingRow::default()
            })
        };
        (0..24).flat_map(of).collect()
    }

    #[test]
    fn the_strata_of_candidates_are_parts_of_those_of_decisions() {
        let of = |table, digits: &str| stratum(table, "10", &format!("{digits}00000000000000-7"));
        for digits in ["80", "84", "88", "8c", "90", "98", "a4", "bc"] {
            let (own, shared) = (of(CandidateRow::TABLE, digits), of(DecisionRow::TABLE, digits));
            assert_eq!(around(CandidateRow::TABLE, "10", own), shared, "{digits}");
        }
        assert_eq!(of(DecisionRow::TABLE, "80"), of(DecisionRow::TABLE, "88"));
        assert_ne!(of(CandidateRow::TABLE, "80"), of(CandidateRow::TABLE, "88"));
        assert_eq!(of(CandidateRow::TABLE, "80"), of(CandidateRow::TABLE, "84"));
    }

    #[test]
    fn a_part_that_is_put_together_is_the_one_that_is_encoded() -> Result<(), Box<dyn Error>> {
        let dir = tempfile::tempdir()?;
        let rows = rows();
        let mut writer = PartWriter::<RulingRow>::create(dir.path(), "10")?;
        writer.push(&rows)?;
        let fresh = writer.finish()?;
        let listed =
            Listed { season: "2026".into(), bucket: "10".into(), name: fresh.name(), path: fresh.path.clone() };
        let bytes = part::whole_bytes(&listed)?.ok_or("whole")?;
        let layers = Layers::open::<RulingRow>((bytes, &fresh.path), "10")?.ok_or("strata")?;
        assert_eq!(layers.strata, [8, 9, 10], "a row group a stratum");
        let all: BTreeSet<Stratum> = layers.strata.iter().copied().collect();
        let ids: BTreeSet<&str> = rows.iter().map(|row| row.match_id.as_str()).collect();
        for encoded in all.iter().map(|one| BTreeSet::from([*one])).chain([BTreeSet::new(), all.clone()]) {
            let whole: BTreeSet<Stratum> = all.difference(&encoded).copied().collect();
            let mut stored = Stretches::<RulingRow>::open(&listed, whole)?.ok_or("whole")?;
            let other = tempfile::tempdir()?;
            let mut writer = PartWriter::<RulingRow>::create(other.path(), "10")?;
            let copied: Result<Vec<usize>, _> = ids.iter().map(|id| stored.copy(id, &mut writer)).collect();
            let again = writer.finish()?;
            assert_eq!(again.rows, fresh.rows);
            assert_eq!(copied?.iter().sum::<usize>() as u64, fresh.rows);
            assert!(fs::read(&again.path)? == fs::read(&fresh.path)?, "{encoded:?} encoded again");
        }
        Ok(())
    }
}
