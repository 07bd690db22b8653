//! The input of the Academy: one game played out between two players, already cut into symbols by an adapter.
//!
//! Nothing here knows a game: positions are keys, what chance gave is a label, parts of the board are areas of
//! symbols. What an adapter does not know is `None`, never zero.

use super::area::Area;
use super::units::{Cost, Elo, Value};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// One of the two players, by who moves first in the contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Moves first; plays black.
    First,
    /// Plays white.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a contest ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The first player won.
    First,
    /// Nobody did.
    Draw,
    /// The second player won.
    Second,
    /// No result: counted as skipped and used for nothing.
    Unfinished,
    /// The record sets up a position on the way, so its path from the start is unknown: skipped likewise.
    Edited,
}

/// Where a player's Elo before the contest comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rated {
    /// The input says it (first, second); it is taken at its word and moves no rating.
    Stated(Elo, Elo),
    /// The Academy's own, moved after each contest (ordinary Elo).
    ByContest,
    /// The Academy's own, moved only by a [`FinishedMatch`] (FIBS).
    ByMatch,
}

/// What the core must know of the rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Both players play the same game: patterns of both are kept as the first player's.
    pub symmetric: bool,
    /// How many different outcomes chance has; 0 = none.
    pub chance_outcomes: u32,
    /// First ply of the middle game where the game has a preset; `None`: the ply after the opening.
    pub middle_from: Option<u32>,
}

/// When a contest was played, as far as that is known: all but the players' names of its place in the order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Schedule {
    /// Name of the season.
    pub season: String,
    /// Day; null comes last within its season.
    pub date: Option<Date>,
    /// Event; absent = empty.
    pub event: String,
    /// Round; absent = empty.
    pub round: String,
    /// Id of the match; the contest's own id where there is none.
    pub match_id: String,
    /// Number of the contest within its match.
    pub seq: u32,
}

/// Key of the one order in which contests are filed and ratings moved; compares texts by their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order<'a> {
    season: &'a str,
    undated: bool,
    date: Option<Date>,
    event: &'a str,
    round: &'a str,
    smaller_name: &'a str,
    larger_name: &'a str,
    match_id: &'a str,
    seq: u32,
}

/// One contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    /// Stable: the same contest arriving twice has the same id.
    pub contest_id: String,
    /// Name of the game; each has its own libraries and ratings.
    pub game: String,
    /// What the core must know of its rules.
    pub rules: Rules,
    /// When it was played.
    pub schedule: Schedule,
    /// Canonical name of the player who moves first.
    pub first: String,
    /// The other one.
    pub second: String,
    /// Where the Elo before the contest comes from.
    pub rated: Rated,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the last position is a final one by the rules (false after a pass or a resignation).
    pub ends_on_board: bool,
    /// Number of the ply in which the players first touched each other (a hit, a capture); `None` if never.
    pub first_contact: Option<u32>,
    /// Turns whose value the adapter had to estimate.
    pub estimated: u32,
    /// The plies, numbered 1, 2, 3 … by their place; may be empty.
    pub plies: Vec<Ply>,
}

/// One player's turn. A turn without a legal move is one; a cube action is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// Who moved.
    pub by: Side,
    /// What chance gave; `None` in games without chance.
    pub chance: Option<String>,
    /// Canonical label of the move.
    pub label: String,
    /// Key of the position after the move.
    pub key: String,
    /// Expected value of the position after the move, for the player who moved.
    pub value: Option<Value>,
    /// Expected value for the mover before the ply, where the input states one. See [`Contest::before`].
    pub before: Option<Value>,
    /// The areas the move changed, most changed first, as [`Area`] sees them; none for a turn without a legal move.
    pub areas: Vec<Area>,
    /// Number of different legal plays; 0 = no legal move.
    pub choices: Option<u32>,
    /// What the play lost against the best one.
    pub cost: Option<Cost>,
    /// Analysed alternatives, the play made among them, best first. Only turns that may ask for advice need them.
    pub candidates: Vec<Candidate>,
}

/// An analysed alternative of a ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Canonical label of the move.
    pub label: String,
    /// Key of the position it reaches.
    pub key: String,
    /// Expected value of that position for the mover.
    pub value: Option<Value>,
    /// What it loses against the best one.
    pub cost: Option<Cost>,
    /// The areas it changes, most changed first.
    pub areas: Vec<Area>,
}

/// A match that was played out: what moves the ratings of [`Rated::ByMatch`]. Handed in after its last contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedMatch {
    /// Name of the game whose ratings it moves.
    pub game: String,
    /// Id of the match, and its day.
    pub match_id: String,
    /// Day; `None` if unknown.
    pub date: Option<Date>,
    /// Canonical name of the winner.
    pub winner: String,
    /// Canonical name of the other player.
    pub loser: String,
    /// Stated length in points, at least 1. Sessions without one are unrated.
    pub length: u32,
}

/// What the adapter makes of a player's rating after a match: moves that of [`Rated::ByMatch`] in place of a
/// [`FinishedMatch`], where ratings follow from how an engine judges the play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rerated {
    /// Name of the game.
    pub game: String,
    /// Id of the match.
    pub match_id: String,
    /// Day; `None` if unknown.
    pub date: Option<Date>,
    /// Canonical name.
    pub player: String,
    /// His rating from here on.
    pub rating: Elo,
    /// Length of the match in points.
    pub length: u32,
}

impl Ply {
    /// What the ply left to who moves next; `None` if that is unknown.
    #[must_use]
    pub fn left_to(&self, next: Side) -> Option<Value> {
        let left = self.value?;
        Some(if self.by == next { left } else { left.other() })
    }
}

impl Contest {
    /// Its key in the order of processing.
    #[must_use]
    pub fn order(&self) -> Order<'_> {
        let (first, second) = (self.first.as_str(), self.second.as_str());
        Order {
            season: &self.schedule.season,
            undated: self.schedule.date.is_none(),
            date: self.schedule.date,
            event: &self.schedule.event,
            round: &self.schedule.round,
            smaller_name: first.min(second),
            larger_name: first.max(second),
            match_id: &self.schedule.match_id,
            seq: self.schedule.seq,
        }
    }

    /// Expected value for the mover before the ply at `index` (0-based): what the input states, else what the
    /// previous ply left, seen by this mover; `None` for the first ply or if that value is unknown.
    #[must_use]
    pub fn before(&self, index: usize) -> Option<Value> {
        let ply = self.plies.get(index)?;
        if ply.before.is_some() {
            return ply.before;
        }
        self.plies.get(index.checked_sub(1)?)?.left_to(ply.by)
    }

    /// Number of plies.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.plies.len() as u64
    }

    /// Whether one player sits on both sides: the contest is filed, and its result is one for nobody.
    #[must_use]
    pub fn is_against_oneself(&self) -> bool {
        self.first == self.second
    }

    /// Canonical name of the player on that side.
    #[must_use]
    pub fn player(&self, side: Side) -> &str {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}
