//! What filing a contest tells, and the state as plain rows: the shapes of the tables, without any table.

use super::area::{Cells, Place};
use super::contest::{Outcome, Side};
use super::library::Step;
use super::units::{Cost, Elo, Value};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The two libraries of patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shelving {
    /// Middle game.
    Chuban,
    /// Endgame.
    Yose,
}

/// Part of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The first third of the mean length.
    Opening,
    /// Neither.
    Middle,
    /// The last fifth of it.
    End,
}

/// What was done with a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Filed.
    Filed,
    /// No result: used for nothing.
    Unfinished,
    /// A position is set up on the way: used for nothing.
    Edited,
}

/// One contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestRow {
    /// Its id.
    pub contest_id: String,
    /// Its game.
    pub game: String,
    /// Day.
    pub date: Option<Date>,
    /// Match.
    pub match_id: String,
    /// Number within the match.
    pub seq: u32,
    /// Place among all contests handed in, from 1.
    pub position: u64,
    /// Who moved first.
    pub first: String,
    /// The other one.
    pub second: String,
    /// Elo of the first before it.
    pub elo_first: Elo,
    /// Elo of the second before it.
    pub elo_second: Elo,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the last position is a final one.
    pub ends_on_board: bool,
    /// Number of plies.
    pub plies: u64,
    /// Ply in which the players first touched.
    pub first_contact: Option<u32>,
    /// Turns whose value is an estimate.
    pub estimated: u32,
    /// What was done with it.
    pub status: Status,
}

/// A rating that moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingRow {
    /// Game.
    pub game: String,
    /// Day.
    pub date: Option<Date>,
    /// Match.
    pub match_id: String,
    /// Player.
    pub player: String,
    /// Rating before.
    pub before: Elo,
    /// Rating after.
    pub after: Elo,
    /// Experience after.
    pub experience: u64,
}

/// A proposal of a contest and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FilingRow {
    /// Ply.
    pub ply: u32,
    /// Library.
    pub library: Shelving,
    /// What happened.
    pub event: FilingEvent,
    /// The pattern.
    pub id: u32,
    /// Area.
    pub place: Arc<Place>,
    /// Its cells afterwards; of one that left, its last.
    pub cells: Cells,
}

/// How a proposal was filed, or that a pattern left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilingEvent {
    /// Filed.
    Filed {
        /// How.
        step: Step,
        /// The value proposed.
        value: Value,
        /// Cells that changed.
        changed: u32,
    },
    /// A pattern left for want of room.
    Evicted {
        /// Its V.
        value: f64,
    },
}

/// What an advice rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdviceSource {
    /// A node of the opening tree.
    Node(u32),
    /// A pattern of Chuban (middle) or Yose (end).
    Pattern(u32),
}

/// An advice the Academy would have given in a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdviceRow {
    /// Ply.
    pub ply: u32,
    /// Who would have been advised.
    pub player: String,
    /// Phase.
    pub phase: Phase,
    /// What it rests on.
    pub source: AdviceSource,
    /// Label of the play proposed.
    pub proposed: String,
    /// Key of the position it reaches.
    pub proposed_key: String,
    /// What the Academy holds it worth for the player.
    pub proposed_value: f64,
    /// Mean Elo behind it.
    pub proposed_elo: f64,
    /// Label of the play made.
    pub played: String,
    /// Cost of the proposed play; `None` if it is not among the candidates.
    pub cost_proposed: Option<Cost>,
    /// Cost of the play made.
    pub cost_played: Option<Cost>,
    /// Whether the proposal is the first candidate; `None` without candidates.
    pub right: Option<bool>,
    /// Whether the play made is.
    pub played_right: Option<bool>,
}

/// A node of the opening tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeRow {
    /// Order of creation; 0 = the starting position.
    pub node: u32,
    /// The node it was reached from; `None` for the root.
    pub parent: Option<u32>,
    /// Plies from the start.
    pub depth: u32,
    /// What chance gave.
    pub chance: Option<String>,
    /// Label of the move.
    pub label: String,
    /// Key of the position.
    pub key: String,
    /// Contests kept here: won by the first player, drawn, won by the second.
    pub stopped: [u64; 3],
    /// Those and all further down.
    pub total: [u64; 3],
    /// Σ value in the first player's view, billionths.
    pub sum_value: i64,
    /// Number of values.
    pub n_value: u32,
    /// How many of them are results.
    pub n_results: u32,
    /// Σ Elo of the movers, millionths.
    pub sum_elo: i64,
    /// Number of movers.
    pub n_elo: u32,
    /// Day of the first contest.
    pub first_seen: Option<Date>,
    /// Day of the last.
    pub last_seen: Option<Date>,
}

/// A pattern; its figures are derived from its votes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternRow {
    /// Library.
    pub library: Shelving,
    /// Id.
    pub id: u32,
    /// Area.
    pub area: String,
    /// Row lengths.
    pub rows: Vec<usize>,
    /// Cells, without blanks or row ends.
    pub cells: String,
    /// P.
    pub side: Side,
    /// N.
    pub n: u64,
    /// E.
    pub e: f64,
    /// V.
    pub v: f64,
    /// Number of proposals.
    pub proposals: u64,
    /// N·E·(0.5 − V)².
    pub worth: f64,
    /// Wild cells.
    pub wild: u32,
    /// Day of the first proposal.
    pub first_seen: Option<Date>,
    /// Day of the last.
    pub last_seen: Option<Date>,
    /// Contest of the first proposal.
    pub example_contest: String,
    /// Ply of it.
    pub example_ply: u32,
}

/// One player's vote for a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoteRow {
    /// Library.
    pub library: Shelving,
    /// Pattern.
    pub id: u32,
    /// Player.
    pub player: Arc<str>,
    /// Number of proposals.
    pub k: u32,
    /// Σ Elo, millionths.
    pub sum_elo: i64,
    /// Σ value, billionths.
    pub sum_value: i64,
}

/// A player of one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerRow {
    /// Canonical name.
    pub player: String,
    /// The Academy's own rating; `None` if the input states it each time.
    pub rating: Option<Elo>,
    /// The rating last stated by the input.
    pub stated: Option<Elo>,
    /// Experience.
    pub experience: u64,
    /// Opening decisions.
    pub opening_decisions: u64,
    /// Advice taken at them.
    pub opening_taken: u64,
    /// Contests with a result.
    pub contests: u64,
}
