//! A match as the measures see it: its facts, the sums of both seats, and its games as units.
//!
//! Built from a row of `matches` and the rows of `moments` that belong to it, in any order. It refuses a row that names
//! a seat or a kind there is not, and owns the rule that whatever is measured of a match is seen from a [`Side`]: one
//! seat, or both as one.

use super::MeasureFault;
use super::interval::CountUnit;
use super::l7::Seats;
use super::pace::Pace;
use super::sums::{ByNature, Nature, Sums};
use crate::game::{Length, Seat};
use crate::tables::facts::MatchRow;
use crate::tables::partials::MomentRow;
use crate::tables::row::Day;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whose decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Both seats together: the match is one unit all the same.
    Both,
    /// One seat.
    One(Seat),
}

impl Side {
    /// Its seats.
    #[must_use]
    pub const fn seats(self) -> &'static [Seat] {
        match self {
            Self::Both => &Seat::BOTH,
            Self::One(Seat::First) => &[Seat::First],
            Self::One(Seat::Second) => &[Seat::Second],
        }
    }
}

/// What the tables say about a match, as far as a measure asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Season.
    pub season: String,
    /// Identity.
    pub match_id: String,
    /// Canonical names by seat.
    pub players: [String; 2],
    /// Day of the match.
    pub date: Option<Day>,
    /// Event.
    pub event: Option<String>,
    /// Round.
    pub round: Option<String>,
    /// What it was played for.
    pub length: Length,
    /// It came to its end.
    pub finished: bool,
    /// Who won, if anybody.
    pub winner: Option<Seat>,
    /// Games.
    pub games: i64,
    /// The first seat's winning chances before the first game, in 1e-9.
    pub start: Option<i64>,
    /// The primary analysis is a file eXtreme Gammon wrote.
    pub xg: bool,
    /// Whose rows are wanted, by seat.
    pub asked: [bool; 2],
    /// It goes into everybody's rows; those of a part that was pooled on an earlier night are in them already.
    pub pooled: bool,
}

impl Facts {
    /// From a row of `matches`; [`Facts::xg`] is the table of analyses' to say, and `false` until it does.
    ///
    /// # Errors
    /// A length that does not fit what is played for, a winner in no seat.
    pub fn of(row: &MatchRow) -> Result<Self, MeasureFault> {
        Ok(Self {
            season: row.season.clone(),
            match_id: row.match_id.clone(),
            players: [row.player_1.clone(), row.player_2.clone()],
            date: row.date,
            event: row.event.clone(),
            round: row.round.clone(),
            length: length(row)?,
            finished: row.finished,
            winner: row.winner.map(|number| seat(&row.match_id, number)).transpose()?,
            games: row.games,
            start: row.start_mwc,
            xg: false,
            asked: [true; 2],
            pooled: true,
        })
    }

    /// Rows of a player of it are wanted.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.asked.contains(&true)
    }

    /// Both seats belong to one player.
    #[must_use]
    pub fn self_play(&self) -> bool {
        self.players[0] == self.players[1]
    }
}

fn length(row: &MatchRow) -> Result<Length, MeasureFault> {
    let points = row.length.map_or(Some(0), |points| u32::try_from(points).ok());
    points.map(Length::from_points).filter(|length| length.token() == row.play).ok_or_else(|| MeasureFault::Length {
        match_id: row.match_id.clone(),
        play: row.play.clone(),
        length: row.length,
    })
}

fn seat(match_id: &str, number: i64) -> Result<Seat, MeasureFault> {
    match number {
        1 => Ok(Seat::First),
        2 => Ok(Seat::Second),
        seat => Err(MeasureFault::Seat { match_id: match_id.to_owned(), seat }),
    }
}

/// One unit of the intervals: what a side did in a game, or in a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// mpt over counted checker plays.
    pub checker: CountUnit,
    /// mpt over counted cube actions.
    pub cube: CountUnit,
    /// Losses of the counted decisions, 1e-9.
    pub loss: i64,
}

impl Unit {
    /// mpt over counted decisions.
    #[must_use]
    pub fn all(self) -> CountUnit {
        let mut all = self.checker;
        all += self.cube;
        all
    }
}

impl std::ops::AddAssign for Unit {
    fn add_assign(&mut self, other: Self) {
        self.checker += other.checker;
        self.cube += other.cube;
        self.loss += other.loss;
    }
}

/// A match and its sums.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// What the tables say.
    pub facts: Facts,
    natures: [ByNature; 2],
    games: BTreeMap<i64, [Unit; 2]>,
}

impl Played {
    /// A match nobody decided anything in yet.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        Self { facts, natures: [ByNature::default(); 2], games: BTreeMap::new() }
    }

    /// One row of `moments`.
    ///
    /// # Errors
    /// A kind or a seat there is not.
    pub fn add(&mut self, row: &MomentRow) -> Result<(), MeasureFault> {
        let nature = Nature::of_kind(&row.kind)?;
        let decided = CountUnit { amount: row.mpt, size: row.counted };
        let mut unit = Unit { loss: row.loss, ..Unit::default() };
        match nature {
            Nature::Checker => unit.checker = decided,
            Nature::Double | Nature::Take => unit.cube = decided,
        }
        let seat = seat(&self.facts.match_id, row.seat)?.index();
        self.natures[seat].add(nature, &Sums::of(row));
        self.games.entry(row.game).or_default()[seat] += unit;
        Ok(())
    }

    /// A side's sums.
    #[must_use]
    pub fn sums(&self, side: Side) -> ByNature {
        let mut sums = ByNature::default();
        for seat in side.seats() {
            sums += &self.natures[seat.index()];
        }
        sums
    }

    /// Rated checker plays of both players: the Snowie rate's denominator, whoever is measured.
    #[must_use]
    pub fn rated_rolls(&self) -> i64 {
        let both = self.sums(Side::Both).total();
        both.rolls - both.unrated_rolls
    }

    /// A side's errors by pace; a seat without times adds nothing.
    #[must_use]
    pub fn pace(&self, side: Side) -> Option<Pace> {
        side.seats().iter().map(|seat| Pace::of(&self.natures[seat.index()].total())).fold(None, Pace::plus)
    }

    /// A side's games, in order.
    #[must_use]
    pub fn units(&self, side: Side) -> Vec<Unit> {
        self.games.values().map(|seats| together(seats, side)).collect()
    }

    /// The match as one unit.
    #[must_use]
    pub fn unit(&self, side: Side) -> Unit {
        let mut whole = Unit::default();
        for seats in self.games.values() {
            whole += together(seats, side);
        }
        whole
    }

    /// A side's losses in the games in which either seat has a counted decision: 0 where it has none of its own.
    #[must_use]
    pub fn losses(&self, side: Side) -> Vec<i64> {
        let played = self.games.values().filter(|seats| together(seats, Side::Both).all().size > 0);
        played.map(|seats| together(seats, side).loss).collect()
    }

    /// The side's weight in L7: `None` outside points matches, and without a priced decision.
    #[must_use]
    pub fn weight(&self, side: Side) -> Option<Seats> {
        let Length::Points(length) = self.facts.length else { return None };
        let priced = |seat: &&Seat| self.natures[seat.index()].total().priced > 0;
        let seats = u8::try_from(side.seats().iter().filter(priced).count()).ok()?;
        (seats > 0).then_some(Seats { length, seats })
    }
}

fn together(seats: &[Unit; 2], side: Side) -> Unit {
    let mut unit = Unit::default();
    for seat in side.seats() {
        unit += seats[seat.index()];
    }
    unit
}
