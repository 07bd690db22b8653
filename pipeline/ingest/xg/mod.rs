//! eXtreme Gammon's binary match files (`xg-format.md`).
//!
//! The way of one file, each step a file of this folder:
//!
//! - `container`: rich header, trailer, registry, checksums; hands on the inflated members, or says where the damage is.
//! - `fields`: numbers and texts at offsets of a record; total, so that no offset can be wrong at run time.
//! - `codepage`: the Windows code pages of short strings and comments.
//! - `records`: the layouts of the record kinds, one view each, field by field as the format page names them.
//! - `values`: what stored codes mean: positions, plays, evaluations, levels, errors, dates.
//! - `rollouts`: trials and standard errors of rolled-out figures.
//! - `comments`: the list of comments, RTF to plain text.
//! - `turns`: a cube or play record into actions.
//! - `decode`: the stream of records into games; owns the order of things, and the faults.
//!
//! A record is refused, and told as a fault, when a fact that everything else hangs on is impossible (player, board,
//! dice, cube); an analysis that is no number is taken as no analysis. The errors XG stores are kept as a check and
//! never used for rating. No legal plays are generated here: that a play breaks the rules is what the file says.

mod codepage;
mod comments;
mod container;
mod decode;
mod fields;
mod records;
mod rollouts;
mod turns;
mod values;

use super::record::{Record, Rejected};

/// Reads one `.xg` file.
///
/// # Errors
/// [`Rejected`] as *quarantined* with one of the codes `empty`, `magic`, `truncated`, `header`, `crc`, `registry`,
/// `member`, `inflate`, `stream`, `length`, `games`, or as *unsupported* with the code `position` for a saved position.
/// Offsets are those of the file for the container (all codes up to `inflate`), of the inflated `temp.xg` after it.
pub fn read(bytes: &[u8]) -> Result<Record, Rejected> {
    decode::record(&container::open(bytes)?)
}
