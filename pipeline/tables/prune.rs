//! Which row groups of a part can hold what is asked for, from what its footer says of them.
//!
//! Every column of a row group costs its reader a setting up, whether or not a row of it is wanted. The tables are sorted by
//! match first, so of a part that lies in strata few row groups hold a match.

use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::statistics::Statistics;
use std::collections::BTreeSet;
use std::ops::Bound;

/// What is asked for: texts that a column begins with or is, and how a cell of it says which.
pub(super) struct Asked<'a> {
    pub(super) column: &'static str,
    /// Keeps the order of the cells.
    pub(super) word: fn(&str) -> &str,
    pub(super) wanted: &'a BTreeSet<&'a str>,
}

impl Asked<'_> {
    /// The row groups that may hold a wanted row, in order. One that does not say between which cells it lies may hold any.
    pub(super) fn groups(&self, metadata: &ParquetMetaData) -> Vec<usize> {
        let may_hold = |(at, group): (usize, &RowGroupMetaData)| self.may_lie_in(group).then_some(at);
        metadata.row_groups().iter().enumerate().filter_map(may_hold).collect()
    }

    fn may_lie_in(&self, group: &RowGroupMetaData) -> bool {
        let column = group.columns().iter().find(|column| column.column_path().string() == self.column);
        let Some(Statistics::ByteArray(said)) = column.and_then(|column| column.statistics()) else { return true };
        let of = |cell: Option<&parquet::data_type::ByteArray>| {
            cell.and_then(|cell| std::str::from_utf8(cell.data()).ok()).map(self.word).map(str::to_owned)
        };
        match (of(said.min_opt()), of(said.max_opt())) {
            (Some(least), Some(most)) if least <= most => {
                let between = (Bound::Included(least.as_str()), Bound::Included(most.as_str()));
                self.wanted.range::<str, _>(between).next().is_some()
            }
            _ => true,
        }
    }
}
