//! A snapshot as the measures read it: where a table's parts lie, their rows, and polars' lazy scans for what is joined.
//!
//! Two promises of the tables are relied on here and nowhere else: a part is `<table>/<season>/part-*.parquet`, and a
//! number that is ever summed is an Int64 (polars' sums of Int32 stay Int32 and wrap without a word; a column of another
//! kind is therefore refused, not cast). A folder that is not there is a table without rows.

use super::MeasureFault;
use crate::tables::columns::Columns;
use crate::tables::fault::TableFault;
use crate::tables::part;
use crate::tables::row::Row;
use polars::prelude::*;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// One snapshot of a lake.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a>(pub &'a Path);

impl Snapshot<'_> {
    /// The seasons that have a folder in any of these tables, in order.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn seasons(self, tables: &[&str]) -> Result<Vec<PathBuf>, MeasureFault> {
        let mut seasons = BTreeSet::new();
        for table in tables {
            let folders = list(&self.0.join(table))?.into_iter().filter(|path| path.is_dir());
            seasons.extend(folders.filter_map(|path| path.file_name().map(PathBuf::from)));
        }
        Ok(seasons.into_iter().collect())
    }

    /// One season's parts of a table, in order.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn parts<R: Row>(self, season: &Path) -> Result<Vec<PathBuf>, MeasureFault> {
        let mut parts = list(&self.0.join(R::TABLE).join(season))?;
        parts.retain(|path| path.file_name().is_some_and(is_part));
        Ok(parts)
    }

    /// One season's rows of a small table, whole.
    ///
    /// # Errors
    /// A part that cannot be read or does not fit the schema.
    pub fn rows<R: Row + Send>(self, season: &Path) -> Result<Vec<R>, MeasureFault> {
        rows_of(&self.parts::<R>(season)?)
    }
}

/// The rows of some parts, whole.
///
/// # Errors
/// A part that cannot be read or does not fit the schema.
pub fn rows_of<R: Row + Send>(parts: &[PathBuf]) -> Result<Vec<R>, MeasureFault> {
    side_by_side(parts, |path| part::read(path))
}

/// The rows of some parts that belong to these matches.
///
/// # Errors
/// As [`rows_of`].
pub fn rows_among<R: Row + Send>(parts: &[PathBuf], wanted: &BTreeSet<&str>) -> Result<Vec<R>, MeasureFault> {
    side_by_side(parts, |path| part::pick(path, ("match_id", wanted)))
}

/// What `of` makes of the rows of some parts, of which only these columns are read.
///
/// # Errors
/// As [`rows_of`].
pub fn made_of<R: Row, T: Send>(
    parts: &[PathBuf],
    columns: &[&str],
    of: impl Fn(&Columns, usize) -> Option<T> + Sync,
) -> Result<Vec<T>, MeasureFault> {
    let columns = part::key_columns(R::COLUMNS, columns);
    side_by_side(parts, |path| {
        let mut made = Vec::new();
        part::scan(path, (R::TABLE, &columns), &mut |batch| {
            made.extend((0..batch.rows()).filter_map(|row| of(batch, row)));
            Ok(())
        })?;
        Ok(made)
    })
}

/// Parts are many and small: each is read by whoever has time, and what they hold is put together in their order.
pub(super) fn side_by_side<T: Send>(
    parts: &[PathBuf],
    read: impl Fn(&Path) -> Result<Vec<T>, TableFault> + Sync,
) -> Result<Vec<T>, MeasureFault> {
    let read: Vec<Result<Vec<T>, TableFault>> = parts.par_iter().map(|path| read(path)).collect();
    let mut all = Vec::new();
    for rows in read {
        all.append(&mut rows?);
    }
    Ok(all)
}

fn is_part(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with("part-") && name.ends_with(".parquet"))
}

/// What a folder holds, sorted; nothing when it is absent.
fn list(folder: &Path) -> Result<Vec<PathBuf>, MeasureFault> {
    let fault = |source| MeasureFault::Folder { folder: folder.display().to_string(), source };
    let entries = match std::fs::read_dir(folder) {
        Err(absent) if absent.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(fault)?,
    };
    let mut paths = entries.map(|entry| entry.map(|e| e.path())).collect::<Result<Vec<_>, _>>().map_err(fault)?;
    paths.sort();
    Ok(paths)
}

/// A lazy look at parts of one table. Nothing in a path is a pattern.
///
/// # Errors
/// Parts that cannot be opened.
pub fn scan<R: Row>(parts: &[PathBuf]) -> Result<LazyFrame, MeasureFault> {
    let paths = parts.iter().map(|path| PlRefPath::try_from_path(path)).collect::<PolarsResult<Vec<_>>>();
    let arguments = ScanArgsParquet { glob: false, cache: false, ..ScanArgsParquet::default() };
    paths
        .and_then(|paths| LazyFrame::scan_parquet_sources(ScanSources::Paths(paths.into_iter().collect()), arguments))
        .map_err(fault::<R>)
}

/// Runs a plan.
///
/// # Errors
/// What the engine says.
pub fn collect<R: Row>(plan: LazyFrame) -> Result<DataFrame, MeasureFault> {
    plan.collect().map_err(fault::<R>)
}

/// The engine's words, with the table they are about.
pub fn fault<R: Row>(source: PolarsError) -> MeasureFault {
    MeasureFault::Table { table: R::TABLE, source }
}

/// A column of whole numbers without nulls.
///
/// # Errors
/// A column that is absent or holds something else.
pub fn numbers<'a, R: Row>(frame: &'a DataFrame, name: &str) -> Result<&'a Int64Chunked, MeasureFault> {
    frame.column(name).and_then(|column| column.i64()).map_err(fault::<R>)
}

/// A column of text without nulls.
///
/// # Errors
/// A column that is absent or holds something else.
pub fn texts<'a, R: Row>(frame: &'a DataFrame, name: &str) -> Result<&'a StringChunked, MeasureFault> {
    frame.column(name).and_then(|column| column.str()).map_err(fault::<R>)
}

/// A cell that its schema says is there.
///
/// # Errors
/// It is not.
pub fn present<R: Row, T>(cell: Option<T>) -> Result<T, MeasureFault> {
    cell.ok_or(MeasureFault::Row { table: R::TABLE })
}
