//! The match an error was made in, as far as the measures of single errors ask.
//!
//! Those of all seasons are held together, so it is a few columns of `matches` and not its rows.

use super::MeasureFault;
use super::bucket::Bucket;
use super::reference::Setting;
use super::scope::Scope;
use super::snapshot::made_of;
use crate::tables::columns::Columns;
use crate::tables::facts::MatchRow;
use crate::tables::row::{Day, Value};

/// A match without its figures.
pub(super) struct Occasion {
    /// Identity.
    pub(super) match_id: String,
    /// Canonical names by seat.
    players: [String; 2],
    /// Event.
    pub(super) event: Option<String>,
    date: Option<Day>,
    length: Option<i64>,
    jacoby: bool,
    beavers: Option<bool>,
}

impl Occasion {
    const COLUMNS: [&str; 8] = ["match_id", "player_1", "player_2", "event", "date", "length", "jacoby", "beavers"];

    /// The matches of a bucket.
    ///
    /// # Errors
    /// A table that cannot be read or does not fit its schema.
    pub(super) fn all(bucket: &Bucket) -> Result<Vec<Self>, MeasureFault> {
        made_of::<MatchRow, _>(&bucket.parts::<MatchRow>(), &Self::COLUMNS, Self::of)
    }

    fn of(rows: &Columns, row: usize) -> Option<Self> {
        let text = |column| rows.text(row, column).map(str::to_owned);
        let date = match rows.at(row, 4) {
            Value::Day(date) => Some(Day(date)),
            _ => None,
        };
        Some(Self {
            match_id: text(0)?,
            players: [text(1)?, text(2)?],
            event: text(3),
            date,
            length: rows.int(row, 5),
            jacoby: rows.flag(row, 6),
            beavers: rows.maybe_flag(row, 7),
        })
    }

    /// Canonical names by seat.
    pub(super) const fn players(&self) -> &[String; 2] {
        &self.players
    }

    /// Who sits in a stored seat.
    ///
    /// # Errors
    /// [`MeasureFault::Seat`].
    pub(super) fn player(&self, seat: i64) -> Result<&str, MeasureFault> {
        match seat {
            1 => Ok(&self.players[0]),
            2 => Ok(&self.players[1]),
            seat => Err(MeasureFault::Seat { match_id: self.match_id.clone(), seat }),
        }
    }

    /// Either player is one of these.
    pub(super) fn is_of(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        self.players.iter().any(|player| is_wanted(player))
    }

    /// A player of it is asked for.
    pub(super) fn is_asked(&self, scope: &Scope) -> bool {
        self.is_of(|player| scope.holds(player))
    }
}

impl<'a> From<&'a Occasion> for Setting<'a> {
    fn from(of: &'a Occasion) -> Self {
        Self { match_id: &of.match_id, date: of.date, length: of.length, jacoby: of.jacoby, beavers: of.beavers }
    }
}
