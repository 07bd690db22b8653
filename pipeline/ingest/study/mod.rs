//! What goes with matches: who worked on which position and when, and who came where (`study-sources.md` 1, 2 and 5).
//!
//! - [`date`]: one reading of dates for every source;
//! - [`log`]: the study log, CSV or JSON lines, line by line;
//! - [`rows`]: its entries as rows of `study_events` and `treated_positions`;
//! - [`places`]: the final places of an event.
//!
//! A line that cannot be read is a value with its number, never an end; a file most of whose lines are such is no log.
//! What is not known (a player, a key, an instant) is absent.

pub mod date;
mod delimited;
pub mod log;
pub mod places;
pub mod rows;

use thiserror::Error;

/// A line that says nothing to us, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct LineFault {
    /// From 1, the header included.
    pub line: u64,
    /// One clear fragment for people.
    pub reason: String,
}

/// What was passed over among so many lines, the first of it with its reason; `None` where everything says something.
fn passed_over(faults: &[LineFault], read: usize) -> Option<String> {
    let first = faults.first()?;
    Some(format!("passed over: {} of {} lines, the first being {first}", faults.len(), faults.len() + read))
}
