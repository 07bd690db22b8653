//! What can go wrong between rows and disk. One enumeration for the room: the night maps it to exit codes and nothing
//! else does. Every message names the file.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a table could not be written, read or published.
#[derive(Debug, Error)]
pub enum TableFault {
    /// The file system said no: space, permission, a folder that is not there.
    #[error("cannot {doing} {}: {source}", .path.display())]
    Disk {
        /// What was tried, as a verb.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// The bytes are not the Parquet this program writes.
    #[error("{} is damaged: {reason}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// In the reader's words.
        reason: String,
    },
    /// A Parquet file without our metadata, or of another table.
    #[error("{} does not hold the table `{table}`", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The table that was expected.
        table: &'static str,
    },
    /// Written by a later version of this program.
    #[error("{} has table schema {found}, this program reads {known}: use the newer portes", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// Written before a change that is more than a new nullable column.
    #[error("{} has table schema {found}, this program needs {known}: build the lake again", .path.display())]
    Older {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// A declared column is not there or holds something else.
    #[error("{}: column `{column}` {problem}", .path.display())]
    Column {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Rows came out of order, or one came twice: a part is sorted by its key and holds each key once.
    #[error("table `{table}`: row {row} does not follow the row before it")]
    Order {
        /// The table.
        table: &'static str,
        /// The row, from 0.
        row: u64,
    },
    /// A float that is not a number: absence is null.
    #[error("table `{table}`: column `{column}` holds a float that is not finite")]
    NotFinite {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
    },
    /// Nothing earlier than the current snapshot is kept.
    #[error("there is no earlier snapshot in {} to go back to", .path.display())]
    NoEarlier {
        /// The folder of snapshots.
        path: PathBuf,
    },
}

/// For `map_err`: an answer of the file system, with what was tried on what.
pub(crate) fn disk(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TableFault {
    let path = path.to_owned();
    move |source| TableFault::Disk { doing, path, source }
}
