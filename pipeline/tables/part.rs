//! Parts: immutable Parquet files, each one bucket of one season of one table.
//!
//! The bytes of a part are a function of its rows and of this program's table schema, nothing else: rows are cut into
//! batches and row groups by their number in the part, however they are pushed; writer settings and `created_by` are
//! fixed below; the product version is *not* in the file, so a release that changes no rule rewrites no part. The
//! name holds the hash of the bytes. A part is sorted by its table's key and holds each key once, or it is not written.
//!
//! Memory: one batch of rows and one row group of encoded columns, whatever the length of the part.

use super::batches::{Batches, Footer, admitted, column_fault, damaged, metadata, said};
use super::columns::{Buffer, Columns, Misfit};
use super::durable;
use super::encoder::{Encoder, Hashed, packed};
use super::facts::match_of;
use super::fault::{TableFault, disk};
use super::lake::Listed;
use super::prune::Asked;
use super::row::{Column, Row, Value};
use super::source::Source;
use super::strata::{self, Layers, Stratum};
use arrow_array::RecordBatch;
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReaderBuilder, RowSelection};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows encoded at a time: some megabytes of the widest table, and enough that a batch's overhead vanishes.
pub(super) const BATCH_ROWS: usize = 8_192;

/// Hex digits of the content hash in a name: 48 bits, ample among the parts of one bucket.
const NAME_DIGITS: usize = 12;

/// A written part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it lies.
    pub path: PathBuf,
    /// Rows it holds.
    pub rows: u64,
    /// BLAKE3 of its bytes, 64 hex digits.
    pub hash: String,
}

impl Part {
    /// Its file name.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// A temporary file that goes away unless it is given its name.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // After the rename there is nothing under this name; before it, what cannot be removed is swept by the next run.
        let _ = fs::remove_file(&self.0);
    }
}

/// Writes one part, row by row.
pub struct PartWriter<R: Row> {
    scratch: Scratch,
    bucket: String,
    /// Until the first batch tells how the part is compressed; then `writer` has it.
    file: Option<Hashed>,
    writer: Option<Encoder>,
    /// Of the last row, where the table lies in strata.
    stratum: Option<Stratum>,
    /// Stored rows that are to follow: those of one match after the other are copied at once.
    copying: Option<(Arc<Columns>, Range<usize>)>,
    buffer: Buffer,
    /// Key columns of the batch before, to compare across batches.
    last: Option<Columns>,
    rows: u64,
    row: PhantomData<R>,
}

impl<R: Row> PartWriter<R> {
    /// Begins a part in the folder `dir` (made when absent), under a temporary name.
    ///
    /// # Errors
    /// [`TableFault::Disk`].
    pub fn create(dir: &Path, bucket: &str) -> Result<Self, TableFault> {
        fs::create_dir_all(dir).map_err(disk("create", dir))?;
        let path = durable::unfinished(dir, &format!("part-{bucket}"));
        let file = File::create(&path).map_err(disk("create", &path))?;
        let scratch = Scratch(path);
        let buffer = Buffer::new(R::COLUMNS);
        let file = Some(Hashed { file, hash: blake3::Hasher::new(), failed: None });
        Ok(Self {
            scratch,
            bucket: bucket.to_owned(),
            file,
            writer: None,
            stratum: None,
            copying: None,
            buffer,
            last: None,
            rows: 0,
            row: PhantomData,
        })
    }

    /// Adds rows, in key order. How rows are divided among calls does not show in the bytes.
    ///
    /// # Errors
    /// [`TableFault::Order`], [`TableFault::NotFinite`], [`TableFault::Disk`].
    pub fn push(&mut self, rows: &[R]) -> Result<(), TableFault> {
        if rows.is_empty() {
            return Ok(());
        }
        self.settle()?;
        if !strata::is_layered::<R>() {
            return self.add(rows);
        }
        let mut rest = rows;
        while let (Some(first), Some(last)) = (rest.first(), rest.last()) {
            let stratum = stratum_of(&self.bucket, first);
            let is_here = |row: &R| stratum_of(&self.bucket, row) == stratum;
            let count = if is_here(last) { rest.len() } else { rest.partition_point(is_here) };
            self.enter(stratum)?;
            self.add(&rest[..count])?;
            rest = &rest[count..];
        }
        Ok(())
    }

    fn add(&mut self, rows: &[R]) -> Result<(), TableFault> {
        for row in rows {
            self.buffer.push(row);
            if self.buffer.rows() == BATCH_ROWS {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// What follows is of this stratum; another one ends the row group.
    fn enter(&mut self, stratum: Stratum) -> Result<(), TableFault> {
        if self.stratum == Some(stratum) {
            return Ok(());
        }
        self.settle()?;
        let before = self.stratum.replace(stratum);
        if before > Some(stratum) {
            return Err(TableFault::Order { table: R::TABLE, row: self.rows + self.buffer.rows() as u64 });
        }
        if self.buffer.rows() > 0 {
            self.flush()?;
        }
        let ended = self.writer.as_mut().map_or(Ok(()), Encoder::end_group);
        ended.map_err(|fault| said(&self.scratch.0, fault))
    }

    /// Takes a whole stratum over from a stored part of the same bucket of this table. Returns how many rows it has.
    ///
    /// # Errors
    /// As [`PartWriter::push`].
    pub(super) fn splice(&mut self, stored: &Layers, stratum: Stratum) -> Result<usize, TableFault> {
        self.settle()?;
        self.enter(stratum)?;
        let spliced = self.spliced(stored, stratum).map_err(|fault| said(&self.scratch.0, fault))?;
        self.fail()?;
        if spliced > 0 {
            // Their keys rise, and those of a later stratum are above them.
            self.last = None;
        }
        self.rows += spliced as u64;
        Ok(spliced)
    }

    fn spliced(&mut self, stored: &Layers, stratum: Stratum) -> Result<usize, ParquetError> {
        let mut rows = 0;
        for group in stored.of(stratum) {
            self.writer(packed()?)?.splice(stored, group)?;
            rows += stored.rows(group)?;
        }
        Ok(rows)
    }

    /// A write that failed is told as what it was.
    fn fail(&mut self) -> Result<(), TableFault> {
        match self.writer.as_mut().and_then(Encoder::failed) {
            Some(fault) => Err(disk("write", &self.scratch.0)(fault)),
            None => Ok(()),
        }
    }

    /// Adds stored rows of one match of this table, in key order. Nothing in the bytes tells them from rows that were pushed.
    ///
    /// # Errors
    /// As [`PartWriter::push`].
    pub(super) fn copy(&mut self, stored: &Arc<Columns>, rows: Range<usize>) -> Result<(), TableFault> {
        if rows.is_empty() {
            return Ok(());
        }
        if strata::is_layered::<R>() {
            let id = stored.text(rows.start, id_column::<R>()).unwrap_or_default();
            self.enter(strata::stratum(R::TABLE, &self.bucket, id))?;
        }
        if let Some((before, waiting)) = &mut self.copying
            && Arc::ptr_eq(before, stored)
            && waiting.end == rows.start
        {
            waiting.end = rows.end;
            return Ok(());
        }
        self.settle()?;
        self.copying = Some((Arc::clone(stored), rows));
        Ok(())
    }

    /// Copies what is to be copied.
    fn settle(&mut self) -> Result<(), TableFault> {
        let Some((stored, rows)) = self.copying.take() else { return Ok(()) };
        self.copy_now(&stored, rows)
    }

    /// Adds stored rows of one stratum, in key order.
    ///
    /// # Errors
    /// As [`PartWriter::push`].
    pub(crate) fn copy_now(&mut self, stored: &Columns, rows: Range<usize>) -> Result<(), TableFault> {
        let mut from = rows.start;
        while from < rows.end {
            let to = rows.end.min(from + BATCH_ROWS - self.buffer.rows());
            self.buffer.copy(stored, from..to).map_err(|fault| said(&self.scratch.0, fault.into()))?;
            from = to;
            if self.buffer.rows() == BATCH_ROWS {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Bytes held in memory for encoded columns of the row group in progress.
    #[must_use]
    pub fn held(&self) -> usize {
        self.writer.as_ref().map_or(0, Encoder::held)
    }

    /// Ends the part: read-only, under the name its content gives it. A part of no rows is a valid file. It is synced with
    /// the snapshot it belongs to.
    ///
    /// # Errors
    /// As [`PartWriter::push`].
    pub fn finish(mut self) -> Result<Part, TableFault> {
        // What never filled a batch is small. Row groups that may be taken over into a larger part are as they are there.
        let compression = if strata::is_layered::<R>() { packed() } else { Ok(Compression::UNCOMPRESSED) };
        self.settle()?;
        let begun = compression.and_then(|compression| self.writer(compression).map(|_| ()));
        begun.map_err(|fault| said(&self.scratch.0, fault))?;
        if self.buffer.rows() > 0 {
            self.flush()?;
        }
        let (scratch, writer) = (self.scratch, self.writer.ok_or_else(unbegun));
        let Hashed { file, hash, failed } =
            writer.and_then(Encoder::finish).map_err(|fault| said(&scratch.0, fault))?;
        if let Some(fault) = failed {
            return Err(disk("write", &scratch.0)(fault));
        }
        durable::protect(&file, &scratch.0)?;
        let hash = hash.finalize().to_hex().to_string();
        let path = scratch.0.with_file_name(name(&self.bucket, &hash[..NAME_DIGITS]));
        durable::rename(&scratch.0, &path)?;
        Ok(Part { path, rows: self.rows, hash })
    }

    fn flush(&mut self) -> Result<(), TableFault> {
        let batch = self.buffer.take().map_err(|fault| said(&self.scratch.0, fault.into()))?;
        self.accept(&batch)?;
        let wrote = packed().and_then(|packed| self.writer(packed)?.write(&batch));
        wrote.map_err(|fault| said(&self.scratch.0, fault))?;
        self.fail()?;
        self.rows += batch.num_rows() as u64;
        Ok(())
    }

    /// The encoder; the first call says how it compresses.
    fn writer(&mut self, compression: Compression) -> Result<&mut Encoder, ParquetError> {
        if let Some(file) = self.file.take() {
            self.writer = Some(Encoder::of::<R>(file, compression)?);
        }
        self.writer.as_mut().ok_or_else(unbegun)
    }

    /// Keys strictly rise, floats are numbers.
    fn accept(&mut self, batch: &RecordBatch) -> Result<(), TableFault> {
        let misfit = |fault| column_fault(&self.scratch.0, fault);
        let all = Columns::of(batch, &R::COLUMNS.iter().collect::<Vec<_>>()).map_err(misfit)?;
        if let Some(column) = all.not_finite() {
            return Err(TableFault::NotFinite { table: R::TABLE, column: R::COLUMNS[column].name });
        }
        let keys = Columns::of(batch, &key_columns(R::COLUMNS, R::KEY)).map_err(misfit)?;
        if let Some(row) = first_disorder(&keys, self.last.as_ref()) {
            return Err(TableFault::Order { table: R::TABLE, row: self.rows + row as u64 });
        }
        self.last = Some(keys);
        Ok(())
    }
}

/// The column that begins with the id of a row's match: the first of the key.
pub(super) fn id_column<R: Row>() -> usize {
    let first = R::KEY.first().copied().unwrap_or_default();
    R::COLUMNS.iter().position(|column| column.name == first).unwrap_or_default()
}

fn stratum_of<R: Row>(bucket: &str, row: &R) -> Stratum {
    let (column, mut stratum) = (id_column::<R>(), 0);
    row.values(&mut |at, value| {
        if let Value::Text(id) = value
            && at == column
        {
            stratum = strata::stratum(R::TABLE, bucket, id);
        }
    });
    stratum
}

/// An encoder that could not be made is not made later either.
fn unbegun() -> ParquetError {
    ParquetError::General("the part was not begun".to_owned())
}

/// The declared columns of a key, in its order.
pub(crate) fn key_columns(columns: &'static [Column], key: &[&str]) -> Vec<&'static Column> {
    key.iter().filter_map(|name| columns.iter().find(|column| column.name == *name)).collect()
}

/// The first row whose key is not above the key before it; `before` is the batch before.
pub(super) fn first_disorder(keys: &Columns, before: Option<&Columns>) -> Option<usize> {
    let rises = |row: usize| match (row.checked_sub(1), before) {
        (Some(above), _) => keys.compare(row, (keys, above)) == Ordering::Greater,
        (None, Some(before)) if before.rows() > 0 => {
            keys.compare(row, (before, before.rows() - 1)) == Ordering::Greater
        }
        (None, _) => true,
    };
    (0..keys.rows()).find(|&row| !rises(row))
}

/// Every row of a part.
///
/// # Errors
/// [`TableFault`] when the file cannot be read, is of another table or schema, or lacks a declared column.
pub fn read<R: Row>(path: &Path) -> Result<Vec<R>, TableFault> {
    let mut rows = Vec::new();
    // Most parts are one batch, which is handed on as it is.
    each(path, &mut |mut batch: Vec<R>| if rows.is_empty() { rows = batch } else { rows.append(&mut batch) })?;
    Ok(rows)
}

/// Every row of a part, in order, some thousands at a time. Columns the table does not declare are passed over; a
/// declared column that may be null and is not in the file reads as null.
///
/// # Errors
/// As [`read`].
pub fn each<R: Row>(path: &Path, take: &mut dyn FnMut(Vec<R>)) -> Result<(), TableFault> {
    let columns: Vec<&'static Column> = R::COLUMNS.iter().collect();
    scan(path, (R::TABLE, &columns), &mut |batch| {
        take(batch.rows_of().map_err(|fault| column_fault(path, fault))?);
        Ok(())
    })
}

/// The rows of a part that are `wanted`, in order; of the others none is made. A batch has every column of the table, in their
/// order.
///
/// # Errors
/// As [`read`].
pub fn read_where<R: Row>(path: &Path, wanted: &dyn Fn(&Columns, usize) -> bool) -> Result<Vec<R>, TableFault> {
    let columns: Vec<&'static Column> = R::COLUMNS.iter().collect();
    let mut rows = Vec::new();
    scan(path, (R::TABLE, &columns), &mut |batch| {
        let some = (0..batch.rows()).filter(|row| wanted(batch, *row));
        batch.add_rows(some, &mut rows).map_err(|fault| column_fault(path, fault))
    })?;
    Ok(rows)
}

/// Every row of a part as the columns it lies in, some thousands at a time. No cell is absent that may not be.
///
/// # Errors
/// As [`read`].
pub fn columns<R: Row>(path: &Path) -> Result<Vec<Columns>, TableFault> {
    let declared: Vec<&'static Column> = R::COLUMNS.iter().collect();
    let mut all = Vec::new();
    for batch in Batches::open(path, (R::TABLE, &declared), BATCH_ROWS)? {
        let batch = batch?;
        let absent = |(at, column): &(usize, &Column)| !column.nullable && batch.has_null(*at);
        if let Some((_, column)) = R::COLUMNS.iter().enumerate().find(absent) {
            let fault = Misfit { column: column.name, problem: "is null and may not be" };
            return Err(column_fault(path, fault));
        }
        all.push(batch);
    }
    Ok(all)
}

/// Some columns of a part of `table`, all rows in one batch: for parts that hold little.
///
/// # Errors
/// As [`read`].
pub(super) fn whole(path: &Path, (table, columns): (&'static str, &[&'static Column])) -> Result<Columns, TableFault> {
    only(Batches::open(path, (table, columns), usize::MAX)?, columns)
}

/// The same of bytes that were read already.
///
/// # Errors
/// As [`read`].
pub(crate) fn whole_of(
    part: (Bytes, &Path),
    (table, columns): (&'static str, &[&'static Column]),
) -> Result<Columns, TableFault> {
    only(Batches::of_bytes(part, (table, columns), usize::MAX)?, columns)
}

/// The one batch there is.
fn only(mut batches: Batches, columns: &[&'static Column]) -> Result<Columns, TableFault> {
    batches.next().unwrap_or_else(|| Ok(Columns::empty(columns)))
}

/// Some columns of some row groups of a part whose strata are known, in order, some thousands of rows at a time.
///
/// # Errors
/// As [`read`], and whatever `take` returns.
pub(super) fn scan_groups(
    part: (&Layers, &Path),
    columns: &[&'static Column],
    groups: Vec<usize>,
    take: &mut dyn FnMut(&Columns) -> Result<(), TableFault>,
) -> Result<(), TableFault> {
    for batch in Batches::of_layers(part, columns, (groups, BATCH_ROWS))? {
        take(&batch?)?;
    }
    Ok(())
}

/// Some columns of a part of `table`, some thousands of rows at a time; only these are read from disk.
///
/// # Errors
/// As [`read`], and whatever `take` returns.
pub fn scan(
    path: &Path,
    (table, columns): (&'static str, &[&'static Column]),
    take: &mut dyn FnMut(&Columns) -> Result<(), TableFault>,
) -> Result<(), TableFault> {
    for batch in Batches::open(path, (table, columns), BATCH_ROWS)? {
        take(&batch?)?;
    }
    Ok(())
}

/// The same of the row groups that may hold rows of these matches; the column begins with the match's id.
///
/// # Errors
/// As [`scan`].
pub fn scan_for(
    path: &Path,
    table: (&'static str, &[&'static Column]),
    (column, matches): (&'static str, &BTreeSet<&str>),
    take: &mut dyn FnMut(&Columns) -> Result<(), TableFault>,
) -> Result<(), TableFault> {
    let asked = Asked { column, word: match_of, wanted: matches };
    for batch in Batches::holding(path, table, (&asked, BATCH_ROWS))? {
        take(&batch?)?;
    }
    Ok(())
}

/// The rows of a part that have one of these texts in a column, in order. Row groups that cannot hold one are passed over.
/// The column is read first, and of the others only the pages that hold such a row: rows of a part that nobody asked for are
/// never made.
///
/// # Errors
/// As [`read`].
pub fn pick<R: Row>(path: &Path, (column, wanted): (&'static str, &BTreeSet<&str>)) -> Result<Vec<R>, TableFault> {
    let (mut runs, mut passed): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
    let source = Source::open(path).map_err(disk("open", path))?;
    let again = source.again().map_err(disk("open", path))?;
    let metadata = metadata(&source, (path, R::TABLE), Footer::Pages)?;
    let groups = Asked { column, word: |cell| cell, wanted }.groups(metadata.metadata());
    let builder = |source| {
        ParquetRecordBatchReaderBuilder::new_with_metadata(source, metadata.clone()).with_row_groups(groups.clone())
    };
    for batch in Batches::of(builder(source), (path, &key_columns(R::COLUMNS, &[column])), BATCH_ROWS)? {
        let batch = batch?;
        // Rows of one text stand together: a text is looked up once.
        let (mut last, mut is_wanted) = (None, false);
        for row in 0..batch.rows() {
            let text = batch.text(row, 0);
            if row == 0 || text != last {
                (last, is_wanted) = (text, text.is_some_and(|text| wanted.contains(text)));
            }
            if is_wanted {
                let at = passed + row;
                match runs.last_mut() {
                    Some(run) if run.end == at => run.end += 1,
                    _ => runs.push(at..at + 1),
                }
            }
        }
        passed += batch.rows();
    }
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let columns: Vec<&'static Column> = R::COLUMNS.iter().collect();
    let selected = RowSelection::from_consecutive_ranges(runs.into_iter(), passed);
    let mut rows = Vec::new();
    for batch in Batches::of(builder(again).with_row_selection(selected), (path, &columns), BATCH_ROWS)? {
        rows.append(&mut batch?.rows_of::<R>().map_err(|fault| column_fault(path, fault))?);
    }
    Ok(rows)
}

/// Whether the bytes of a part are still those its name was made of; no byte of it is trusted before.
///
/// # Errors
/// [`TableFault::Disk`].
pub fn is_whole(part: &Listed) -> Result<bool, TableFault> {
    let mut hash = blake3::Hasher::new();
    let file = File::open(&part.path).map_err(disk("open", &part.path))?;
    hash.update_reader(file).map_err(disk("read", &part.path))?;
    let digits = hash.finalize().to_hex();
    Ok(part.name == name(&part.bucket, &digits[..NAME_DIGITS]))
}

/// The bytes of a part, read once and trusted as far as [`is_whole`] trusts them; `None` when it is gone or they are others.
///
/// # Errors
/// [`TableFault::Disk`].
pub(crate) fn whole_bytes(part: &Listed) -> Result<Option<Bytes>, TableFault> {
    let bytes = match fs::read(&part.path) {
        Err(absent) if absent.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(disk("read", &part.path))?,
    };
    let digits = blake3::hash(&bytes).to_hex();
    Ok((part.name == name(&part.bucket, &digits[..NAME_DIGITS])).then(|| bytes.into()))
}

/// Whether a file ends as a Parquet file does: cheap, and enough to tell one that was cut.
#[must_use]
pub fn has_end(path: &Path) -> bool {
    const MARK: [u8; 4] = *b"PAR1";
    let mut end = [0; MARK.len()];
    let read = |end: &mut [u8]| -> io::Result<()> {
        let mut file = File::open(path)?;
        file.seek(io::SeekFrom::End(-4))?;
        file.read_exact(end)
    };
    read(&mut end).is_ok() && end == MARK
}

fn name(bucket: &str, digits: &str) -> String {
    format!("part-{bucket}-{digits}.parquet")
}

/// Rows a part says it holds, from its footer alone.
///
/// # Errors
/// As [`read`].
pub fn rows(path: &Path, table: &'static str) -> Result<u64, TableFault> {
    let source = Source::footer(path).map_err(disk("open", path))?;
    let rows = admitted(source, (path, table), Footer::Places)?.metadata().file_metadata().num_rows();
    u64::try_from(rows).map_err(|_| damaged(path, "a negative number of rows"))
}
