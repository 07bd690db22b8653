//! What the programme asks of the matches and files of a snapshot: some columns of them, and no row.

use crate::night::side;
use crate::tables::columns::Columns;
use crate::tables::facts::{MatchRow, SourceRow};
use crate::tables::fault::TableFault;
use crate::tables::lake;
use crate::tables::part;
use crate::tables::row::{Day, Row, Value};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// A match.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) season: String,
    pub(super) match_id: String,
    pub(super) event: String,
    pub(super) round: String,
    pub(super) date: Option<Day>,
    pub(super) players: [String; 2],
    pub(super) length: Option<i64>,
    pub(super) variant: String,
    /// Of all that the Academy reads of it.
    pub(super) digest: String,
}

/// What of a match is looked at.
const LOOKED_AT: [&str; 11] = [
    "season",
    "match_id",
    "event",
    "round",
    "date",
    "player_1",
    "player_2",
    "length",
    "variant",
    "digest",
    "primary_digest",
];

impl Played {
    /// Every match of a snapshot.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn all(dir: &Path) -> Result<Vec<Self>, TableFault> {
        let columns = part::key_columns(MatchRow::COLUMNS, &LOOKED_AT);
        let parts = lake::parts(dir, MatchRow::TABLE)?;
        let of = |part: &lake::Listed| {
            let mut all = Vec::new();
            part::scan(&part.path, (MatchRow::TABLE, &columns), &mut |batch| {
                all.extend((0..batch.rows()).map(|row| Self::at(batch, row)));
                Ok(())
            })?;
            Ok(all)
        };
        let all: Vec<Vec<Self>> = parts.par_iter().map(of).collect::<Result<_, TableFault>>()?;
        Ok(all.into_iter().flatten().collect())
    }

    /// A row of [`LOOKED_AT`].
    fn at(batch: &Columns, row: usize) -> Self {
        let maybe = |column| batch.text(row, column).map(str::to_owned);
        let text = |column| maybe(column).unwrap_or_default();
        let date = match batch.at(row, 4) {
            Value::Day(days) => Some(Day(days)),
            _ => None,
        };
        Self {
            season: text(0),
            match_id: text(1),
            event: text(2),
            round: text(3),
            date,
            players: [text(5), text(6)],
            length: batch.int(row, 7),
            variant: text(8),
            digest: maybe(10).unwrap_or_else(|| text(9)),
        }
    }

    /// What is asked of a row.
    pub(super) fn of(row: MatchRow) -> Self {
        Self {
            season: row.season,
            match_id: row.match_id,
            event: row.event.unwrap_or_default(),
            round: row.round.unwrap_or_default(),
            date: row.date,
            players: [row.player_1, row.player_2],
            length: row.length,
            variant: row.variant,
            digest: row.primary_digest.unwrap_or(row.digest),
        }
    }
}

/// The seasons of a snapshot's files, rising, and the files of contests among these.
///
/// # Errors
/// A part that cannot be read.
pub(super) fn files(dir: &Path) -> Result<(BTreeSet<String>, Vec<SourceRow>), TableFault> {
    let season = part::key_columns(SourceRow::COLUMNS, &["season"]);
    let formats = BTreeSet::from([side::CONTESTS, side::PDN]);
    let (mut seasons, mut files) = (BTreeSet::new(), Vec::new());
    for part in lake::parts(dir, SourceRow::TABLE)? {
        part::scan(&part.path, (SourceRow::TABLE, &season), &mut |batch| {
            let mut last = None;
            for name in (0..batch.rows()).filter_map(|row| batch.text(row, 0)) {
                if last.replace(name) != Some(name) {
                    seasons.insert(name.to_owned());
                }
            }
            Ok(())
        })?;
        files.extend(part::pick(&part.path, ("format", &formats))?);
    }
    Ok((seasons, files))
}
