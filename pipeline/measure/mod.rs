//! Measures: one file per question, named after it (`metrics.md`).
//!
//! A measure is pure: sums in, figure out; no file, no clock, no look-up of names. `rate` has judged every decision and
//! summed its match; what is left is to add matches up, divide, and say how sure the result is ([`interval`], which all
//! share). Absence is `None` with the rule that made it so in the function's words, never 0.
//!
//! The finished figures of players stand in [`player`]. The marts of the study system are ledgers that take one
//! [`entry`] a match. What brings the sums in from a snapshot is `matches`, `errors` and `season`, behind the feature
//! `measures`. They only add whole numbers, so the engine, its threads and the order of rows cannot be seen
//! in a single bit of a figure.

pub mod before_after;
pub mod biases;
pub mod breakdowns;
#[cfg(feature = "measures")]
pub mod bucket;
#[cfg(feature = "measures")]
mod bucket_errors;
pub mod cell_sums;
pub mod cells;
#[cfg(feature = "measures")]
mod cells_kept;
pub mod difficulty;
pub mod entry;
#[cfg(feature = "measures")]
pub mod errors;
#[cfg(feature = "measures")]
mod extract;
pub mod head_to_head;
pub mod interval;
pub mod l7;
pub mod level;
pub mod loss;
pub mod luck;
#[cfg(feature = "measures")]
mod matches;
#[cfg(feature = "measures")]
mod occasion;
pub mod outcome;
pub mod pace;
pub mod played;
pub mod player;
pub mod pr;
pub mod recurring;
pub mod reference;
#[cfg(feature = "measures")]
mod remembered;
pub mod review;
pub mod rolling;
pub mod rounds;
#[cfg(feature = "measures")]
pub mod said;
#[cfg(feature = "measures")]
mod sayings;
pub mod scope;
#[cfg(feature = "measures")]
pub mod season;
pub mod selection;
#[cfg(feature = "measures")]
pub mod shifted;
#[cfg(feature = "measures")]
pub mod snapshot;
pub mod snowie;
pub mod standings;
pub mod studied;
pub mod study_plan;
pub mod sums;
pub mod tournament;
pub mod trend;
pub mod worst;
pub mod xg;

use crate::game::Mpt;
use interval::Quantile;
use thiserror::Error;

/// What the measures may be told; everything else is a constant of the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What spans an interval.
    pub quantile: Quantile,
    /// The Error threshold the partials were made with: it says which lessons are marginal.
    pub error: Mpt,
    /// Which actions of a log are study.
    pub study: studied::Actions,
}

impl Default for Settings {
    /// The definition's own: 1.96, errors from 0.050, no lessons.
    fn default() -> Self {
        Self { quantile: Quantile::Normal, error: Mpt(50), study: studied::Actions::default() }
    }
}

/// Why there are no figures: the tables contradict each other or cannot be read.
#[derive(Debug, Error)]
pub enum MeasureFault {
    /// A word that is no kind of decision.
    #[error("moments: `{0}` is no kind of decision")]
    Kind(String),
    /// A seat other than 1 and 2.
    #[error("match {match_id}: no seat {seat}")]
    Seat {
        /// The match.
        match_id: String,
        /// The number found.
        seat: i64,
    },
    /// A length that does not fit what is played for.
    #[error("match {match_id}: `{play}` with length {length:?}")]
    Length {
        /// The match.
        match_id: String,
        /// `points`, `money`, `too_long`, or something else.
        play: String,
        /// The length found.
        length: Option<i64>,
    },
    /// Rows of a match that the table of matches does not know.
    #[error("{table}: match {match_id} is not in the table of matches")]
    Orphan {
        /// The table.
        table: &'static str,
        /// The match.
        match_id: String,
    },
    /// A folder of the snapshot cannot be listed.
    #[error("{folder}: {source}")]
    Folder {
        /// The folder.
        folder: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A table cannot be read.
    #[cfg(feature = "measures")]
    #[error("{table}: {source}")]
    Table {
        /// The table.
        table: &'static str,
        /// What the engine said.
        source: polars::error::PolarsError,
    },
    /// A part cannot be read.
    #[cfg(feature = "measures")]
    #[error(transparent)]
    Part(#[from] crate::tables::fault::TableFault),
    /// A column holds what its schema forbids.
    #[error("{table}: a row does not fit the schema")]
    Row {
        /// The table.
        table: &'static str,
    },
}

#[cfg(test)]
pub(crate) mod check {
    /// Equal within a tolerance, or says what differs.
    pub(crate) fn near(got: f64, expected: f64, tolerance: f64) -> Result<(), String> {
        if (got - expected).abs() <= tolerance { Ok(()) } else { Err(format!("got {got}, expected {expected}")) }
    }
}
