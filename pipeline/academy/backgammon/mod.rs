//! Backgammon: from the stored rows of one match to its contests, one a game.
//!
//! A contest is a game, a ply is a roll played (a dance included; cube actions are none), and the value of a ply is the
//! probability of winning the game, gammons included and cube left aside, that the analysis gives to the position the
//! play reached. Everything comes from the tables of facts, so the Academy learns the same from every format, and a
//! changed file changes it through its rows alone. Where the settings ask for it, the value is the probability of winning
//! the match instead, cube and gammons inside.
//!
//! A game is followed from its first position, action by action. Where a row shows a board that the play before does not
//! lead to, somebody set up a position on the way; such a game is handed on as [`Outcome::Edited`] and used for nothing,
//! because its path from the start is unknown. A play that the file does not let us know is no such break: the next row
//! shows where it led.

mod areas;
mod columns;
mod path;
mod turn;
mod worth;

use super::contest::{Contest, FinishedMatch, Outcome, Ply, Rated, Rules, Schedule};
use super::settings::ValueOf;
use super::units::Value;
use crate::game::key::KeyFault;
use crate::tables::facts::{GameRow, MatchRow};
use crate::tables::row::Day;
use jiff::ToSpan;
use jiff::civil::Date;
use path::Path;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::Range;
use thiserror::Error;
use turn::Detail;
use worth::Worth;

pub use areas::changed;
pub use columns::{ActionRow, ListedRow};

/// Two dice have so many different rolls.
const ROLLS: u32 = 21;

/// The name of its contests; the variants have their own.
pub const GAME: &str = "backgammon";

/// Where the middle game starts: with 21 rolls the opening tree holds two or three plies, and with the source's start
/// (one ply behind a third of the mean length) the plies between would be in no library.
pub const MIDDLE_FROM: u32 = 4;

/// The stored rows of one match.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The match.
    pub of: &'a MatchRow,
    /// Its games.
    pub games: &'a [GameRow],
    /// The decisions of its primary analysis, in order.
    pub decisions: &'a [ActionRow],
    /// Their candidates, those of a decision together and in order.
    pub candidates: &'a [ListedRow],
}

/// What a match gives the Academy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Its games, in order.
    pub contests: Vec<Contest>,
    /// What moves the ratings once the last of them is filed; none for sessions and matches that were not played out.
    pub finished: Option<FinishedMatch>,
    /// What the analysis makes of both players, where ratings follow from that; none for sessions.
    pub judged: Option<Judged>,
}

/// A match of a stated length, as an engine judges it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Name of the game.
    pub game: String,
    /// Season of the match.
    pub season: String,
    /// Id.
    pub match_id: String,
    /// Day; `None` if unknown.
    pub date: Option<Date>,
    /// Points.
    pub length: u32,
    /// Player, and the winning chances of the match that his counted decisions lost, in billionths; both players, or
    /// those with a decision that has a price.
    pub losses: Vec<(String, i64)>,
}

/// Which value a match is cut for, and where its candidates are wanted whole.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// What a position is worth.
    pub value: ValueOf,
    /// The middle and end libraries are asked only where it is worth less than this to the mover.
    pub low: Value,
}

/// Rows that are not what the tables promise.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowFault {
    /// A position key that cannot be read.
    #[error("decision {decision_id}: {fault}")]
    Key {
        /// The decision.
        decision_id: String,
        /// Why.
        fault: KeyFault,
    },
    /// A day that no calendar has.
    #[error("match {0}: a date out of range")]
    Date(String),
}

/// The contests of a match, every candidate whole.
///
/// # Errors
/// [`RowFault`] when a row holds what its column cannot.
pub fn cut(rows: Rows<'_>, value: ValueOf) -> Result<Cut, RowFault> {
    cut_with(rows, value, &|_| Detail::Whole)
}

/// The contests of a match for an Academy that asks its middle and end libraries only where the position is worth little
/// to the mover. Elsewhere candidates have neither areas nor labels, which nobody would look at: most of the work and of
/// the space of a contest.
///
/// # Errors
/// As [`cut`].
pub fn cut_for(rows: Rows<'_>, manner: Manner) -> Result<Cut, RowFault> {
    let is_low = |before: Option<Value>| before.is_some_and(|before| before < manner.low);
    cut_with(rows, manner.value, &|before| if is_low(before) { Detail::Whole } else { Detail::Keys })
}

/// `detail` says how much is wanted of the candidates of a turn that begins with so much for the mover.
fn cut_with(rows: Rows<'_>, value: ValueOf, detail: &dyn Fn(Option<Value>) -> Detail) -> Result<Cut, RowFault> {
    let date = rows.of.date.map(|day| date(day).ok_or_else(|| RowFault::Date(rows.of.match_id.clone()))).transpose()?;
    let places = places(rows.candidates);
    let mut contests = Vec::with_capacity(rows.games.len());
    for game in rows.games {
        let path = Path::follow(&rows, game.game)?;
        let first = path.turns.first().map(|turn| turn.row.seat).or(game.first);
        let (mut plies, mut estimated): (Vec<Ply>, u32) = (Vec::with_capacity(path.turns.len()), 0);
        for turn in &path.turns {
            let place = places.get(turn.row.decision_id.as_str()).cloned().unwrap_or_default();
            let before = plies.last().and_then(|before| before.left_to(turn.by(first)));
            let worth = Worth::of(value, (rows.of, game), turn.row);
            let analysed = turn.analysed(rows.candidates.get(place).unwrap_or_default(), (worth, detail(before)));
            estimated += u32::from(analysed.estimated);
            plies.push(turn.ply(first, analysed));
        }
        contests.push(Contest {
            plies,
            estimated,
            ends_on_board: path.turns.last().is_some_and(|turn| turn.after.on_board() == 0),
            first_contact: (1..).zip(&path.turns).find(|(_, turn)| turn.hits()).map(|(number, _)| number),
            ..contest(rows.of, game, (first, date, outcome(game, first, &path)))
        });
    }
    Ok(Cut { contests, finished: finished(rows.of, date), judged: judged(rows, date) })
}

/// Decision -> where its candidates stand.
fn places(candidates: &[ListedRow]) -> HashMap<&str, Range<usize>> {
    let mut places = HashMap::new();
    let mut from = 0;
    for of_one in candidates.chunk_by(|a, b| a.decision_id == b.decision_id) {
        places.insert(of_one[0].decision_id.as_str(), from..from + of_one.len());
        from += of_one.len();
    }
    places
}

/// What does not come from the plies.
fn contest(of: &MatchRow, game: &GameRow, (first, date, outcome): (Option<i64>, Option<Date>, Outcome)) -> Contest {
    let (one, two) = (of.player_1.clone(), of.player_2.clone());
    let (first, second) = if first == Some(2) { (two, one) } else { (one, two) };
    Contest {
        contest_id: format!("{}-{}", of.match_id, game.game),
        game: of.variant.clone(),
        rules: Rules { symmetric: true, chance_outcomes: ROLLS, middle_from: Some(MIDDLE_FROM) },
        schedule: Schedule {
            season: of.season.clone(),
            date,
            event: of.event.clone().unwrap_or_default(),
            round: of.round.clone().unwrap_or_default(),
            match_id: of.match_id.clone(),
            seq: u32::try_from(game.game).unwrap_or(u32::MAX),
        },
        first,
        second,
        rated: Rated::ByMatch,
        outcome,
        ends_on_board: false,
        first_contact: None,
        estimated: 0,
        plies: Vec::new(),
    }
}

/// Who won, by whatever points. A game in which nobody did anything has no first player, hence no result to speak of.
fn outcome(game: &GameRow, first: Option<i64>, path: &Path<'_>) -> Outcome {
    if !path.unbroken {
        return Outcome::Edited;
    }
    match first.zip(game.winner) {
        Some((first, winner)) if first == winner => Outcome::First,
        Some(_) => Outcome::Second,
        None => Outcome::Unfinished,
    }
}

/// A match against oneself is a result for nobody.
fn finished(of: &MatchRow, date: Option<Date>) -> Option<FinishedMatch> {
    let length = length_between_two(of)?;
    let (winner, loser) = match of.winner.filter(|_| of.finished)? {
        1 => (&of.player_1, &of.player_2),
        _ => (&of.player_2, &of.player_1),
    };
    Some(FinishedMatch {
        game: of.variant.clone(),
        match_id: of.match_id.clone(),
        date,
        winner: winner.clone(),
        loser: loser.clone(),
        length,
    })
}

/// What both players' counted decisions cost them; a match that was not played out counts as it is.
fn judged(rows: Rows<'_>, date: Option<Date>) -> Option<Judged> {
    let of = rows.of;
    let length = length_between_two(of)?;
    let seats = (1..).zip([&of.player_1, &of.player_2]);
    let losses = seats.filter_map(|(seat, player)| {
        let priced = rows.decisions.iter().filter(|row| row.seat == seat && row.counted).filter_map(|row| row.loss);
        Some((player.clone(), priced.reduce(|sum, loss| sum + loss)?))
    });
    Some(Judged {
        game: of.variant.clone(),
        season: of.season.clone(),
        match_id: of.match_id.clone(),
        date,
        length,
        losses: losses.collect(),
    })
}

/// The stated length of a match between two different players.
fn length_between_two(of: &MatchRow) -> Option<u32> {
    let length = of.length.filter(|_| of.player_1 != of.player_2)?;
    u32::try_from(length).ok().filter(|&length| length > 0)
}

fn date(day: Day) -> Option<Date> {
    Date::new(1970, 1, 1).ok()?.checked_add(day.0.days()).ok()
}
