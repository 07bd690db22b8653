//! A part being read: what its end says, and its columns some rows at a time.
//!
//! Whatever cannot be read is told as what it is: a file of another table or program, damage, or a disk that says no.

use super::columns::{Columns, Misfit};
use super::encoder::{SCHEMA_KEY, TABLE_KEY};
use super::fault::{TableFault, disk};
use super::prune::Asked;
use super::row::{Column, Row, SCHEMA_VERSION};
use super::source::Source;
use super::strata::Layers;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetStatisticsPolicy};
use std::cmp::Ordering;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Some columns of a part, so many rows at a time.
pub(super) struct Batches {
    path: PathBuf,
    columns: Vec<&'static Column>,
    reader: ParquetRecordBatchReader,
}

impl Batches {
    /// Begins with the first row.
    ///
    /// # Errors
    /// As [`super::part::read`].
    pub(super) fn open(
        path: &Path,
        (table, columns): (&'static str, &[&'static Column]),
        rows: usize,
    ) -> Result<Self, TableFault> {
        Self::of(open(path, table, Footer::Places)?, (path, columns), rows)
    }

    /// The same of the row groups that may hold what is asked for.
    pub(super) fn holding(
        path: &Path,
        (table, columns): (&'static str, &[&'static Column]),
        (asked, rows): (&Asked<'_>, usize),
    ) -> Result<Self, TableFault> {
        let builder = open(path, table, Footer::Bounds)?;
        let groups = asked.groups(builder.metadata());
        Self::of(builder.with_row_groups(groups), (path, columns), rows)
    }

    /// The same of bytes that were read already.
    pub(super) fn of_bytes(
        (bytes, path): (Bytes, &Path),
        (table, columns): (&'static str, &[&'static Column]),
        rows: usize,
    ) -> Result<Self, TableFault> {
        Self::of(admitted(Source::Small(bytes), (path, table), Footer::Places)?, (path, columns), rows)
    }

    /// The same of some row groups of a part whose strata are known.
    pub(super) fn of_layers(
        (layers, path): (&Layers, &Path),
        columns: &[&'static Column],
        (groups, rows): (Vec<usize>, usize),
    ) -> Result<Self, TableFault> {
        let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Skip);
        let metadata = ArrowReaderMetadata::try_new(Arc::clone(&layers.metadata), options);
        let metadata = metadata.map_err(|fault| said(path, fault))?;
        let source = Source::Small(layers.bytes.clone());
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(source, metadata);
        Self::of(builder.with_row_groups(groups), (path, columns), rows)
    }

    /// The same of an opened part.
    pub(super) fn of(
        builder: ParquetRecordBatchReaderBuilder<Source>,
        (path, columns): (&Path, &[&'static Column]),
        rows: usize,
    ) -> Result<Self, TableFault> {
        let names = columns.iter().map(|column| column.name);
        let mask = ProjectionMask::columns(builder.parquet_schema(), names);
        let reader = builder.with_projection(mask).with_batch_size(rows).build().map_err(|fault| said(path, fault))?;
        Ok(Self { path: path.to_owned(), columns: columns.to_vec(), reader })
    }

    /// A batch as rows of the table whose columns these are.
    pub(super) fn rows<R: Row>(&self, batch: &Columns) -> Result<Vec<R>, TableFault> {
        batch.rows_of().map_err(|fault| column_fault(&self.path, fault))
    }
}

impl Iterator for Batches {
    type Item = Result<Columns, TableFault>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.reader.next()?.map_err(|fault| said(&self.path, fault.into()));
        let view = |batch| Columns::of(&batch, &self.columns).map_err(|fault| column_fault(&self.path, fault));
        Some(batch.and_then(view))
    }
}

/// What is wanted of the end of a part; each is all that those before it are, and takes longer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Footer {
    /// Where each column lies.
    Places,
    /// The least and the greatest of each column of a row group, which tell what it cannot hold.
    Bounds,
    /// Where each page begins, which pays where some are passed over.
    Pages,
}

fn open(
    path: &Path,
    table: &'static str,
    wanted: Footer,
) -> Result<ParquetRecordBatchReaderBuilder<Source>, TableFault> {
    admitted(Source::open(path).map_err(disk("open", path))?, (path, table), wanted)
}

pub(super) fn admitted(
    source: Source,
    (path, table): (&Path, &'static str),
    wanted: Footer,
) -> Result<ParquetRecordBatchReaderBuilder<Source>, TableFault> {
    let metadata = metadata(&source, (path, table), wanted)?;
    Ok(ParquetRecordBatchReaderBuilder::new_with_metadata(source, metadata))
}

/// What the end of a part says, which is of this table.
pub(super) fn metadata(
    source: &Source,
    (path, table): (&Path, &'static str),
    wanted: Footer,
) -> Result<ArrowReaderMetadata, TableFault> {
    let unless = |is_wanted: bool| match is_wanted {
        true => ParquetStatisticsPolicy::KeepAll,
        false => ParquetStatisticsPolicy::SkipAll,
    };
    let pages = if wanted >= Footer::Pages { PageIndexPolicy::Optional } else { PageIndexPolicy::Skip };
    let options = ArrowReaderOptions::new()
        .with_offset_index_policy(pages)
        .with_column_stats_policy(unless(wanted >= Footer::Bounds))
        .with_encoding_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll);
    let metadata = ArrowReaderMetadata::load(source, options).map_err(|fault| said(path, fault))?;
    admit(path, table, metadata.metadata())?;
    Ok(metadata)
}

/// Ours, of this table, of this schema.
pub(super) fn admit(path: &Path, table: &'static str, metadata: &ParquetMetaData) -> Result<(), TableFault> {
    let pairs = metadata.file_metadata().key_value_metadata();
    let find = |key: &str| pairs?.iter().find(|pair| pair.key == key)?.value.as_deref();
    let path = || path.to_owned();
    // The version first: what a newer program calls its tables is its own affair.
    let version = find(SCHEMA_KEY).and_then(|text| text.parse::<u32>().ok());
    let found = version.ok_or_else(|| TableFault::Foreign { path: path(), table })?;
    match found.cmp(&SCHEMA_VERSION) {
        Ordering::Greater => Err(TableFault::Newer { path: path(), found, known: SCHEMA_VERSION }),
        Ordering::Less => Err(TableFault::Older { path: path(), found, known: SCHEMA_VERSION }),
        Ordering::Equal if find(TABLE_KEY) != Some(table) => Err(TableFault::Foreign { path: path(), table }),
        Ordering::Equal => Ok(()),
    }
}

/// Parquet's errors, with the system's own told apart: no space is not damage.
pub(super) fn said(path: &Path, fault: ParquetError) -> TableFault {
    match fault {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(source) => TableFault::Disk { doing: "read or write", path: path.to_owned(), source: *source },
            Err(inner) => damaged(path, &inner.to_string()),
        },
        other => damaged(path, &other.to_string()),
    }
}

pub(super) fn damaged(path: &Path, reason: &str) -> TableFault {
    TableFault::Damaged { path: path.to_owned(), reason: reason.to_owned() }
}

pub(super) fn column_fault(path: &Path, fault: Misfit) -> TableFault {
    TableFault::Column { path: path.to_owned(), column: fault.column, problem: fault.problem }
}
