//! A match as it is remembered of its bucket: all that the marts of its players are made of, errors apart.

use super::cells::Cells;
use super::matches::Matches;
use super::played::Played;
use crate::tables::kept::Kept;
use crate::tables::partials::{SequenceRow, WorstRow};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The rows of a match.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Extract<'a> {
    played: Played,
    engine: String,
    #[serde(borrow)]
    cells: Packed<'a>,
    #[serde(borrow)]
    sequences: Vec<Kept<'a, SequenceRow>>,
    #[serde(borrow)]
    worst: Vec<Kept<'a, WorstRow>>,
}

/// Bytes, stored as such.
#[derive(Debug)]
struct Packed<'a>(Cow<'a, [u8]>);

impl Serialize for Packed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Packed<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(deserializer).map(|bytes| Self(Cow::Borrowed(bytes)))
    }
}

/// The rows of some matches, each table sorted as it is stored.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) cells: Cells,
    pub(super) sequences: Vec<SequenceRow>,
    pub(super) worst: Vec<WorstRow>,
}

impl Rows {
    /// One for every match, in order.
    pub(super) fn extracts<'a>(&'a self, matches: &'a Matches) -> impl Iterator<Item = (&'a Played, Extract<'a>)> {
        let sequences = by_match(&self.sequences, |row| &row.match_id);
        let worst = by_match(&self.worst, |row| &row.match_id);
        matches.all().iter().map(move |(id, played)| {
            let extract = Extract {
                played: played.clone(),
                engine: matches.engine(id).to_owned(),
                cells: Packed(Cow::Owned(self.cells.of(id).packed())),
                sequences: of(&sequences, id).iter().map(Kept::of).collect(),
                worst: of(&worst, id).iter().map(Kept::of).collect(),
            };
            (played, extract)
        })
    }

    /// Adds those of the match after the last; returns the match and its program. `None` when they are no such rows.
    pub(super) fn add(&mut self, extract: Extract<'_>) -> Option<(Played, String)> {
        let Extract { played, engine, cells, sequences, worst } = extract;
        self.cells.unpack(&played.facts.match_id, &cells.0)?;
        for kept in &sequences {
            self.sequences.push(kept.row()?);
        }
        for kept in &worst {
            self.worst.push(kept.row()?);
        }
        Some((played, engine))
    }
}

fn by_match<R>(rows: &[R], match_id: fn(&R) -> &str) -> BTreeMap<&str, &[R]> {
    let runs = rows.chunk_by(move |a, b| match_id(a) == match_id(b));
    runs.filter_map(|own| Some((match_id(own.first()?), own))).collect()
}

fn of<'a, R>(rows: &BTreeMap<&str, &'a [R]>, match_id: &str) -> &'a [R] {
    rows.get(match_id).copied().unwrap_or_default()
}
