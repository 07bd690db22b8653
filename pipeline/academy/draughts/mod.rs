//! English draughts from PDN files.
//!
//! A thin converter: it replays the moves of a record and cuts every position into the areas of the Academy. It owns
//! neither rules nor opinions: moves are applied, not generated, so a record is believed unless the board contradicts it.
//! One game that cannot be replayed is named with its reason and stops nothing. Other games that are written the same
//! way (international draughts on 10 × 10 squares among them) are refused by name, and so are games that begin from a
//! position somebody set up: their path from the start is not known.
//!
//! PDN carries no values and no number of choices, so such contests teach openings and final positions only.

mod board;
mod pdn;

use super::alphabet::Symbol;
use super::area::{Area, Place};
use super::contest::{Contest, Outcome, Ply, Rated, Rules, Schedule, Side};
use board::{EDGE, Position, SQUARES, Written};
use jiff::civil::Date;
use pdn::Game;
use std::sync::{Arc, LazyLock};

/// The name its libraries go by.
pub const GAME: &str = "draughts";

/// No game of record is longer; a text that is would only fill memory.
const MOST_PLIES: usize = 1000;

/// Rows and columns of an area.
const AREA_EDGE: usize = 4;

/// Name, top row and left column of each area, as the mover sees the board from his own edge: the four quarters and the
/// middle, which all quarters share.
const AREAS: [(&str, usize, usize); 5] =
    [("far left", 0, 0), ("far right", 0, 4), ("near left", 4, 0), ("near right", 4, 4), ("centre", 2, 2)];

/// Games written in PDN, by the number of their `GameType`; 21 is the one that is read.
const GAME_TYPES: [(&str, &str); 11] = [
    ("20", "international draughts (10 × 10)"),
    ("22", "Italian draughts"),
    ("23", "American pool checkers"),
    ("24", "Spanish draughts"),
    ("25", "Russian draughts"),
    ("26", "Brazilian draughts"),
    ("27", "Canadian draughts (12 × 12)"),
    ("28", "Portuguese draughts"),
    ("29", "Czech draughts"),
    ("30", "Turkish draughts"),
    ("31", "Thai draughts"),
];
const ENGLISH: &str = "21";

/// What a file gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// Its games, in order; each is a match of its own.
    pub contests: Vec<Contest>,
    /// The games it could not give.
    pub refused: Vec<Refused>,
}

/// A game that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its number in the file, from 1.
    pub game: usize,
    /// Where in the file, from 1.
    pub line: usize,
    /// Why, as a lower-case fragment.
    pub reason: String,
}

/// The contests of a PDN file of a season.
#[must_use]
pub fn read(bytes: &[u8], season: &str) -> Converted {
    let mut converted = Converted::default();
    for (number, game) in (1..).zip(pdn::games(bytes)) {
        match contest(&game, season) {
            Ok(contest) => converted.contests.push(contest),
            Err((line, reason)) => converted.refused.push(Refused { game: number, line, reason }),
        }
    }
    converted
}

/// Line and reason.
type Refusal = (usize, String);

fn contest(game: &Game, season: &str) -> Result<Contest, Refusal> {
    let here = |reason: &str| (game.line, reason.to_owned());
    if let Some(reason) = game.broken.or_else(|| set_up(game)) {
        return Err(here(reason));
    }
    english(game).map_err(|reason| (game.line, reason))?;
    let name = |tag: &str| game.tag(tag).ok_or_else(|| here(&format!("no name of the player of {tag}")));
    let (first, second) = (name("Black")?.to_owned(), name("White")?.to_owned());
    let outcome = outcome(game).map_err(|reason| (game.line, reason))?;
    let (plies, first_contact) = replayed(game)?;
    let mut contest = Contest {
        contest_id: String::new(),
        game: GAME.to_owned(),
        rules: Rules { symmetric: true, chance_outcomes: 0, middle_from: None },
        schedule: Schedule {
            season: season.to_owned(),
            date: game.tag("Date").and_then(day),
            event: game.tag("Event").unwrap_or_default().to_owned(),
            round: game.tag("Round").unwrap_or_default().to_owned(),
            match_id: String::new(),
            seq: 1,
        },
        first,
        second,
        rated: Rated::ByContest,
        outcome,
        ends_on_board: outcome != Outcome::Unfinished,
        first_contact,
        estimated: 0,
        plies,
    };
    contest.contest_id = id(&contest);
    contest.schedule.match_id.clone_from(&contest.contest_id);
    Ok(contest)
}

fn set_up(game: &Game) -> Option<&'static str> {
    let set_up = game.tag("FEN").is_some() || game.tag("SetUp").is_some_and(|value| value != "0");
    set_up.then_some("begins from a position that was set up")
}

/// # Errors
/// The name of the game it is instead.
fn english(game: &Game) -> Result<(), String> {
    let Some(tag) = game.tag("GameType") else { return on_64_squares(game) };
    let number = tag.split(',').next().unwrap_or_default().trim();
    if number == ENGLISH {
        return Ok(());
    }
    let named = GAME_TYPES.iter().find(|(known, _)| *known == number);
    Err(named.map_or_else(
        || format!("GameType {tag:?}: not English draughts"),
        |(_, name)| format!("GameType {number}: {name}, not English draughts"),
    ))
}

/// Without a `GameType` the numbers of the squares tell the board.
fn on_64_squares(game: &Game) -> Result<(), String> {
    let beyond = |text: &str| {
        let numbers = text.split(['-', 'x', 'X', ':']).map(|number| number.parse::<u8>().ok());
        numbers.collect::<Option<Vec<u8>>>()?.into_iter().find(|number| (33..=50).contains(number))
    };
    match game.moves.iter().find_map(|(_, text)| beyond(text)) {
        Some(square) => Err(format!("square {square}: a board of 10 × 10, not English draughts")),
        None => Ok(()),
    }
}

/// The tag and the mark behind the moves must not contradict each other; one of them is enough.
fn outcome(game: &Game) -> Result<Outcome, String> {
    let read = |text: &str| match text {
        // The first figure is that of the side which moved first: Black.
        "1-0" | "2-0" => Ok(Outcome::First),
        "0-1" | "0-2" => Ok(Outcome::Second),
        "1/2-1/2" | "1-1" => Ok(Outcome::Draw),
        "*" => Ok(Outcome::Unfinished),
        other => Err(format!("unknown result {other:?}")),
    };
    let tag = game.tag("Result").map_or(Ok(Outcome::Unfinished), read)?;
    let mark = game.terminator.as_deref().map_or(Ok(Outcome::Unfinished), read)?;
    match (tag, mark) {
        (Outcome::Unfinished, only) | (only, Outcome::Unfinished) => Ok(only),
        (tag, mark) if tag == mark => Ok(tag),
        _ => Err("the Result tag and the end of the moves contradict each other".to_owned()),
    }
}

/// A whole date `2025.03.09`; one with question marks is not known.
fn day(text: &str) -> Option<Date> {
    let mut parts = text.split(['.', '-', '/']);
    let mut next = || parts.next().map(str::trim);
    let (year, month, day) = (next()?.parse().ok()?, next()?.parse().ok()?, next()?.parse().ok()?);
    if next().is_some() {
        return None;
    }
    Date::new(year, month, day).ok()
}

fn replayed(game: &Game) -> Result<(Vec<Ply>, Option<u32>), Refusal> {
    if let Some((line, _)) = game.moves.get(MOST_PLIES) {
        return Err((*line, format!("more than {MOST_PLIES} moves")));
    }
    let mut position = Position::start();
    let mut plies = Vec::with_capacity(game.moves.len());
    let mut first_contact = None;
    for ((line, text), number) in game.moves.iter().zip(1u32..) {
        let refused = |reason: String| (*line, format!("ply {number}, {text}: {reason}"));
        let written = Written::from_text(text).ok_or_else(|| refused("no move of English draughts".to_owned()))?;
        let made = position.play(&written).map_err(|fault| refused(fault.to_string()))?;
        plies.push(ply(&position, &made));
        if made.captured {
            first_contact.get_or_insert(number);
        }
        position = made.after;
    }
    Ok((plies, first_contact))
}

fn ply(before: &Position, made: &board::Made) -> Ply {
    let mover = before.turn;
    let (before, after) = (before.seen_by(mover), made.after.seen_by(mover));
    Ply {
        by: if mover == board::Side::Black { Side::First } else { Side::Second },
        chance: None,
        label: made.label.clone(),
        key: after.iter().map(|&cell| char::from(cell)).collect(),
        value: None,
        before: None,
        areas: changed(&before, &after),
        choices: None,
        cost: None,
        candidates: Vec::new(),
    }
}

/// The areas in which squares changed, those with most changes first; ties in the order of [`AREAS`].
fn changed(before: &[u8; SQUARES], after: &[u8; SQUARES]) -> Vec<Area> {
    let mut found: Vec<(usize, Area)> = AREAS
        .iter()
        .zip(PLACES.iter())
        .filter_map(|(&(_, top, left), place)| {
            let [old, new] = [before, after].map(|seen| cut(seen, top, left));
            let changes = old.iter().zip(&new).filter(|(old, new)| old != new).count();
            let area = || Area::new(place, &new).ok().map(|area| (changes, area));
            (changes > 0).then(area).flatten()
        })
        .collect();
    found.sort_by_key(|(changes, _)| std::cmp::Reverse(*changes));
    found.into_iter().map(|(_, area)| area).collect()
}

/// An area in reading order; squares that are not played on are no cells.
fn cut(seen: &[u8; SQUARES], top: usize, left: usize) -> Vec<Symbol> {
    let places = (top..top + AREA_EDGE).flat_map(|row| (left..left + AREA_EDGE).map(move |column| (row, column)));
    let symbol = |(row, column): (usize, usize)| {
        let played_on = (row + column) % 2 == 1;
        let cell = seen.get((row * EDGE + column) / 2).filter(|_| played_on)?;
        Symbol::read(char::from(*cell))
    };
    places.map(|place| symbol(place).unwrap_or(Symbol::EDGE)).collect()
}

/// In the order of [`AREAS`]; sound names and sizes, as a test makes sure.
static PLACES: LazyLock<Vec<Arc<Place>>> =
    LazyLock::new(|| AREAS.iter().flat_map(|(name, ..)| Place::new(name, &[AREA_EDGE; 4])).map(Arc::new).collect());

/// The same game gets the same id wherever it stands: who, when, where, the moves and the end.
fn id(contest: &Contest) -> String {
    let Schedule { date, event, round, .. } = &contest.schedule;
    let date = date.map(|date| date.to_string()).unwrap_or_default();
    let end = match contest.outcome {
        Outcome::First => "1-0",
        Outcome::Draw => "1/2-1/2",
        Outcome::Second => "0-1",
        Outcome::Unfinished | Outcome::Edited => "*",
    };
    let mut hasher = blake3::Hasher::new();
    let mut take = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for text in [&date, event, round, &contest.first, &contest.second, end] {
        take(text);
    }
    contest.plies.iter().for_each(|ply| take(&ply.label));
    format!("pdn-{}", &hasher.finalize().to_hex()[..16])
}
