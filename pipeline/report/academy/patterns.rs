//! The two libraries of patterns: the strongest of each as a small drawing with its signature in a sentence.
//!
//! The strongest patterns of all are near-empty home boards of a side that has all but won or lost: true, and of little
//! use. They are folded away behind those that still leave a game to play (`academy.md` 13).

use super::super::boards::quarter::{heading, quarter};
use super::super::markup::Markup;
use super::super::names::{TOKEN, shown};
use super::super::{format, words};
use super::{BACKGAMMON, CountedBy, Desk, ON_ITS_BOARD, number};
use crate::tables::academy::AcademyPatternRow;
use serde::Serialize;

/// A value outside leaves nothing to play for (`academy.md` 13).
const LEAST: f64 = 0.05;
const MOST: f64 = 0.95;
/// Patterns of a library shown open, and of the folded ones.
const OPEN: usize = 8;
const FOLDED: usize = 4;

/// The section.
#[derive(Serialize)]
pub(super) struct Patterns {
    libraries: Vec<Library>,
    legend: Vec<Sign>,
}

/// A library.
#[derive(Serialize)]
struct Library {
    id: &'static str,
    heading: &'static str,
    say: String,
    cards: Vec<Card>,
    trivial: Vec<Card>,
    trivial_say: String,
}

/// A game's part of an anchor: two games whose names differ only in what an anchor cannot hold stay apart.
pub(super) fn anchor(game: &str) -> String {
    blake3::hash(game.as_bytes()).to_hex()[..8].to_owned()
}

/// A pattern.
#[derive(Serialize)]
pub(super) struct Card {
    /// Null where the area is none of a backgammon board.
    pub(super) board: Option<Markup>,
    /// Then its rows as text.
    rows: Vec<String>,
    sentence: String,
    fact: String,
    example: String,
    href: Option<String>,
}

/// A sign of the drawings.
#[derive(Serialize)]
struct Sign {
    signs: &'static [&'static str],
    meaning: &'static str,
}

/// What the drawings show, as a player would say it.
const LEGEND: [(&[&str], &str); 7] = [
    (&["x", "x"], "own made point: two checkers or more"),
    (&["x"], "own blot"),
    (&["o", "o"], "opponent\u{2019}s point, or blot where one checker"),
    (&["x", "m"], "held: a blot or a point"),
    (&["1"], "not held by the opponent"),
    (&["2"], "not held by the mover"),
    (&["a"], "anything"),
];

/// The section.
pub(super) fn patterns(desk: &Desk<'_>) -> Patterns {
    let library = |id, heading, empty| library(desk, (id, heading, empty));
    Patterns {
        libraries: vec![
            library(
                "chuban",
                "Middle game",
                "Nobody has published a middle-game pattern: that takes a sound play that turned the game and was not lost.",
            ),
            library("yose", "Endgame", "No game of the season reached an endgame with a value."),
        ],
        legend: LEGEND.into_iter().map(|(signs, meaning)| Sign { signs, meaning }).collect(),
    }
}

/// The strongest first, those of several players before those of one; ties by id.
fn ordered<'a>(desk: &Desk<'a>, game: &str, library: &str) -> Vec<&'a AcademyPatternRow> {
    let of = |row: &&AcademyPatternRow| row.game == game && row.library == library;
    let mut rows: Vec<&AcademyPatternRow> = desk.input.patterns.iter().filter(of).collect();
    rows.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.id.cmp(&b.id)));
    rows.sort_by_key(|row| is_of_one(desk, row));
    rows
}

/// One player alone vouches for it, as far as the count of votes tells.
fn is_of_one(desk: &Desk<'_>, row: &AcademyPatternRow) -> bool {
    desk.input.terms.counted_by == CountedBy::Players && row.n == 1
}

/// What makes the first the strongest.
fn strongest(desk: &Desk<'_>, rows: &[&AcademyPatternRow]) -> String {
    let votes = match desk.input.terms.counted_by {
        CountedBy::Players => "players behind it",
        CountedBy::Proposals => "proposals",
    };
    let alone = rows.iter().filter(|row| is_of_one(desk, row)).count();
    let first = if (1..rows.len()).contains(&alone) { "; what only one player holds comes last" } else { "" };
    format!(
        "The strongest that leave a game to play (strong is what has many {votes}, of a high rating, and a value far from 0.5{first}):"
    )
}

fn library(desk: &Desk<'_>, (id, heading, empty): (&'static str, &'static str, &str)) -> Library {
    let rows = ordered(desk, BACKGAMMON, id);
    let all = rows.len();
    let (open, trivial): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| (LEAST..=MOST).contains(&row.v));
    Library {
        id,
        heading,
        say: match all {
            0 => empty.to_owned(),
            _ => format!(
                "{}. {}",
                words::sentence(&words::counted(number(all), "pattern", "patterns")),
                strongest(desk, &open),
            ),
        },
        cards: open.iter().take(OPEN).map(|row| card(desk, row)).collect(),
        trivial_say: match trivial.len() {
            0 => String::new(),
            n => format!(
                "{} with a value under {} or over {}: the game is all but decided",
                words::sentence(&words::counted(number(n), "pattern", "patterns")),
                format::fixed(LEAST, 2),
                format::fixed(MOST, 2),
            ),
        },
        trivial: trivial.iter().take(FOLDED).map(|row| card(desk, row)).collect(),
    }
}

/// The strongest patterns of another game, whatever they are worth.
pub(super) fn of_game(desk: &Desk<'_>, game: &str) -> Vec<Card> {
    let rows = ["chuban", "yose"].into_iter().flat_map(|library| ordered(desk, game, library));
    let mut open: Vec<&AcademyPatternRow> = rows.filter(|row| (LEAST..=MOST).contains(&row.v)).collect();
    open.sort_by_key(|row| is_of_one(desk, row));
    open.into_iter().take(OPEN).map(|row| card(desk, row)).collect()
}

fn card(desk: &Desk<'_>, row: &AcademyPatternRow) -> Card {
    // Ids are those of one game; the others' sections have a prefix of their own.
    let game = if row.game == BACKGAMMON { String::new() } else { anchor(&row.game) };
    let id = format!("p{game}-{}-{}", if row.library == "yose" { "y" } else { "c" }, row.id);
    let board = ON_ITS_BOARD.contains(&row.game.as_str()).then(|| quarter(&id, &row.area, &row.cells)).flatten();
    let rows = if board.is_some() { Vec::new() } else { in_rows(row) };
    let found = desk.found(&row.example_contest);
    Card {
        sentence: signature(desk, row),
        fact: fact(row),
        example: match &found {
            Some(found) => format!("{}, turn {}", found.text, format::count(row.example_ply)),
            None => format!("a game of an earlier season, {}", format::date(row.first_seen)),
        },
        href: found.and_then(|found| found.href),
        board,
        rows,
    }
}

/// `6 players of mean rating 1582 hold it worth 0.80 to the player who has just moved.`
fn signature(desk: &Desk<'_>, row: &AcademyPatternRow) -> String {
    let side = match (ON_ITS_BOARD.contains(&row.game.as_str()), row.p) {
        (_, 2) => "the second player",
        (true, _) => "whoever has just moved (solid)",
        _ => "whoever has just moved",
    };
    let (rating, value) = (format::fixed(row.e, 0), format::fixed(row.v, 2));
    if desk.input.terms.counted_by == CountedBy::Proposals {
        let proposals = words::sentence(&words::counted(row.n, "proposal", "proposals"));
        let hold = if row.n == 1 { "holds" } else { "hold" };
        return format!("{proposals} of mean rating {rating} {hold} it worth {value} to {side}.");
    }
    if row.n == 1 {
        return format!("One player rated {rating} holds it worth {value} to {side}.");
    }
    let players = words::sentence(&words::counted(row.n, "player", "players"));
    format!("{players} of mean rating {rating} hold it worth {value} to {side}.")
}

fn fact(row: &AcademyPatternRow) -> String {
    let area = heading(&row.area).map_or_else(|| shown(&row.area, TOKEN), str::to_owned);
    let wild = match row.wild {
        0 => String::new(),
        n => format!(", {} left open", words::counted(n, "place", "places")),
    };
    format!("{}{wild}; {}.", words::sentence(&area), words::counted(row.proposals, "proposal", "proposals"))
}

/// The cells in their rows, apart by blanks; rows that do not fit the cells are one row.
fn in_rows(row: &AcademyPatternRow) -> Vec<String> {
    let cells: Vec<char> = row.cells.chars().take(LARGEST).collect();
    let lengths: Vec<usize> = row.rows.split(' ').filter_map(|n| n.parse().ok()).collect();
    let fits = lengths.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n)) == Some(cells.len());
    let lengths = if fits { lengths } else { vec![cells.len()] };
    let mut rest = cells.as_slice();
    let mut lines = Vec::new();
    for length in lengths.into_iter().filter(|length| *length > 0) {
        let (line, after) = rest.split_at(length.min(rest.len()));
        let line: Vec<String> = line.iter().map(char::to_string).collect();
        lines.push(shown(&line.join(" "), 2 * LARGEST));
        rest = after;
    }
    lines
}

/// Cells of a pattern that is shown as text.
const LARGEST: usize = 400;
