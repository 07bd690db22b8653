//! The bytes of a part: batches of rows in, a Parquet file out, row group by row group.
//!
//! Every writer setting of every part is here. A row group can also be taken over from another part of the same table as it
//! is: its bytes tell nothing of where in the file they lie, and what the file says of them is written anew. So a part that
//! is put together is the same, byte for byte, as one whose rows were encoded.

use super::columns;
use super::row::{Kind, Row, SCHEMA_VERSION};
use super::strata::Layers;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{
    ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriter, ArrowWriterOptions, compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::statistics::Statistics;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use std::fs::File;
use std::io::{self, Write};

/// Rows of a row group at most, a whole number of batches.
const GROUP_ROWS: usize = 8 * super::part::BATCH_ROWS;

/// zstd, for parts of a batch and more: once numbers are packed, level 3 saves under one percent more and costs time.
/// Smaller parts are not compressed: they are many, of many columns, and setting up to read a column takes longer then
/// than reading it. Nor are numbers and flags that are no keys: packed, an equity or a chance leaves nothing to save, and
/// all of them together make a lake three percent larger, while setting up for each takes a tenth of a short night.
const ZSTD_LEVEL: i32 = 1;

/// Says which layout of bytes this is; changes when a setting below does, never with a release.
const CREATED_BY: &str = "portes version 5";

/// Metadata key of the schema version.
pub(super) const SCHEMA_KEY: &str = "portes.schema";

/// Metadata key of the table's name.
pub(super) const TABLE_KEY: &str = "portes.table";

/// How parts that are worth it are compressed.
pub(super) fn packed() -> Result<Compression, ParquetError> {
    ZstdLevel::try_new(ZSTD_LEVEL).map(Compression::ZSTD)
}

/// The writer settings of a part. Whole numbers are stored as packed differences (half the time and less space
/// than a dictionary, which equities defeat); text keeps its dictionary, which repeated names, tokens and ids fit.
fn settings<R: Row>(compression: Compression) -> WriterProperties {
    let metadata = vec![
        KeyValue::new(SCHEMA_KEY.to_owned(), SCHEMA_VERSION.to_string()),
        KeyValue::new(TABLE_KEY.to_owned(), R::TABLE.to_owned()),
    ];
    let mut settings = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_compression(compression)
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_key_value_metadata(Some(metadata));
    for column in R::COLUMNS {
        let path = ColumnPath::from(column.name);
        if column.kind == Kind::Int {
            settings = settings
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED);
        }
        if column.kind != Kind::Text && !R::KEY.contains(&column.name) {
            settings = settings.set_column_compression(path, Compression::UNCOMPRESSED);
        }
    }
    settings.build()
}

/// The file being written, hashed on its way. A write that fails is kept here and swallows what follows: the encoder
/// above would turn it into words, and no space would pass for damage.
pub(super) struct Hashed {
    pub(super) file: File,
    pub(super) hash: blake3::Hasher,
    pub(super) failed: Option<io::Error>,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            match self.file.write_all(bytes) {
                Ok(()) => _ = self.hash.update(bytes),
                Err(fault) => self.failed = Some(fault),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The encoder of a table's rows.
pub(super) struct Encoder {
    file: SerializedFileWriter<Hashed>,
    columns: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    group: Option<Group>,
    /// Row groups that have ended.
    ended: usize,
}

/// A row group on its way.
struct Group {
    columns: Vec<ArrowColumnWriter>,
    rows: usize,
}

impl Encoder {
    /// Begins a file.
    ///
    /// # Errors
    /// Parquet's.
    pub(super) fn of<R: Row>(file: Hashed, compression: Compression) -> Result<Self, ParquetError> {
        let properties = settings::<R>(compression);
        // Arrow's own copy of the schema would tie the bytes to the version of a library; Parquet's types say it all.
        let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let schema = columns::schema(R::COLUMNS);
        let writer = ArrowWriter::try_new_with_options(file, SchemaRef::clone(&schema), options)?;
        let (file, columns) = writer.into_serialized_writer()?;
        Ok(Self { file, columns, schema, group: None, ended: 0 })
    }

    /// Bytes held in memory for the row group on its way.
    pub(super) fn held(&self) -> usize {
        self.group.iter().flat_map(|group| &group.columns).map(ArrowColumnWriter::memory_size).sum()
    }

    /// Adds rows. A batch lies in one row group.
    ///
    /// # Errors
    /// Parquet's.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        if self.group.as_ref().is_some_and(|group| group.rows + batch.num_rows() > GROUP_ROWS) {
            self.end_group()?;
        }
        let mut group = match self.group.take() {
            Some(group) => group,
            None => Group { columns: self.columns.create_column_writers(self.ended)?, rows: 0 },
        };
        for ((writer, field), cells) in group.columns.iter_mut().zip(self.schema.fields()).zip(batch.columns()) {
            for leaf in compute_leaves(field, cells)? {
                writer.write(&leaf)?;
            }
        }
        group.rows += batch.num_rows();
        self.group = Some(group);
        Ok(())
    }

    /// Ends the row group: rows that follow are in another one.
    ///
    /// # Errors
    /// Parquet's.
    pub(super) fn end_group(&mut self) -> Result<(), ParquetError> {
        let Some(group) = self.group.take() else { return Ok(()) };
        let mut to = self.file.next_row_group()?;
        for writer in group.columns {
            writer.close()?.append_to_row_group(&mut to)?;
        }
        to.close()?;
        self.ended += 1;
        Ok(())
    }

    /// Takes a row group of a stored part over as it is.
    ///
    /// # Errors
    /// Parquet's.
    pub(super) fn splice(&mut self, stored: &Layers, group: usize) -> Result<(), ParquetError> {
        self.end_group()?;
        let of = stored.metadata.row_group(group);
        let rows_written = count(of.num_rows())?;
        let mut to = self.file.next_row_group()?;
        for (at, metadata) in of.columns().iter().enumerate() {
            let pages = stored.metadata.page_index().and_then(|index| index.offset_index(group, at));
            let close = ColumnCloseResult {
                bytes_written: count(metadata.compressed_size())?,
                rows_written,
                metadata: as_written(metadata)?,
                bloom_filter: None,
                column_index: None,
                offset_index: pages.cloned(),
            };
            to.append_column(&stored.bytes, close)?;
        }
        to.close()?;
        self.ended += 1;
        Ok(())
    }

    /// What kept the file from being written, once.
    pub(super) fn failed(&mut self) -> Option<io::Error> {
        self.file.inner_mut().failed.take()
    }

    /// Ends the file.
    ///
    /// # Errors
    /// Parquet's.
    pub(super) fn finish(mut self) -> Result<Hashed, ParquetError> {
        self.end_group()?;
        self.file.into_inner()
    }
}

/// What a file says of a column, as its writer had it: of numbers the least and the greatest are written twice, the second
/// time for readers of old, and a reader of today does not tell.
fn as_written(of: &ColumnChunkMetaData) -> Result<ColumnChunkMetaData, ParquetError> {
    let Some(said) = of.statistics().filter(|_| of.column_descr().sort_order().is_signed()) else {
        return Ok(of.clone());
    };
    let said = match said.clone() {
        Statistics::Int32(said) => Statistics::Int32(said.with_backwards_compatible_min_max(true)),
        Statistics::Int64(said) => Statistics::Int64(said.with_backwards_compatible_min_max(true)),
        Statistics::Float(said) => Statistics::Float(said.with_backwards_compatible_min_max(true)),
        Statistics::Double(said) => Statistics::Double(said.with_backwards_compatible_min_max(true)),
        other => other,
    };
    of.clone().into_builder().set_statistics(said).build()
}

fn count(said: i64) -> Result<u64, ParquetError> {
    u64::try_from(said).map_err(|_| ParquetError::General("a negative count".to_owned()))
}
