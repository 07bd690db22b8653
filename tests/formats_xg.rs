//! The XG reader: what the format page says of real files, what it yields for made ones, how bad ones end.

mod made;
mod malformed;
mod pitfalls;
mod real;
mod round_trip;

use portes::ingest::record::{Action, CheckerPlay, Record, Rejected, What};
use portes::ingest::xg;

/// The four real files.
const REAL: [&str; 4] = ["match-a.xg", "match-b.xg", "match-c.xg", "match-d.xg"];

/// A real file's bytes, where the shared material is.
fn real_bytes(name: &str) -> Option<Vec<u8>> {
    let path = crate::support::shared(&format!("real/{name}"))?;
    Some(std::fs::read(path).expect("a readable file"))
}

/// The real files that are there, read.
fn real_records() -> Vec<(&'static str, Record)> {
    let read = |name: &'static str| Some((name, xg::read(&real_bytes(name)?).expect("a sound file")));
    REAL.into_iter().filter_map(read).collect()
}

/// Every action of a match.
fn actions(record: &Record) -> impl Iterator<Item = &Action> {
    record.games.iter().flat_map(|game| &game.actions)
}

/// Every checker play of a match.
fn plays(record: &Record) -> impl Iterator<Item = (&Action, &CheckerPlay)> {
    actions(record).filter_map(|action| match &action.what {
        What::Checker(play) => Some((action, play)),
        _ => None,
    })
}

/// Offsets say where something stood in one file; without them two readings of one match are equal.
fn without_offsets(mut record: Record) -> Record {
    for action in record.games.iter_mut().flat_map(|game| &mut game.actions) {
        action.offset = 0;
    }
    for fault in &mut record.faults {
        fault.offset = 0;
    }
    record
}

/// How a file is refused.
fn refused(bytes: &[u8]) -> Rejected {
    xg::read(bytes).expect_err("a refusal")
}
