//! Games that come from contest files: figures, first moves and patterns as text, because their boards are not ours to draw.

use super::super::names::{NAME, TOKEN, shown};
use super::super::{format, words};
use super::season::{Measure, measures};
use super::value::{self, Made};
use super::{Desk, advice, changes, number, patterns};
use crate::tables::academy::{AcademyPlayerRow, AcademyTreeRow};
use serde::Serialize;
use std::cmp::Reverse;

/// First moves and players with a line.
const MOVES: usize = 12;
const PLAYERS: usize = 20;

/// The section of one game.
#[derive(Serialize)]
pub(super) struct Game {
    id: String,
    heading: String,
    say: Vec<String>,
    moves: Vec<Move>,
    /// What the value of a move is, where that has to be said.
    value: &'static str,
    players: Vec<Player>,
    measures: Vec<Measure>,
    /// Some pattern is text.
    spelt: bool,
    patterns: Vec<patterns::Card>,
}

/// A first move.
#[derive(Serialize)]
struct Move {
    name: String,
    games: String,
    result: String,
    value: String,
}

/// A player and his rating in this game.
#[derive(Serialize)]
struct Player {
    name: String,
    rating: String,
    games: String,
}

/// The section.
pub(super) fn game(desk: &Desk<'_>, game: &str) -> Game {
    let filed = desk.input.contests.iter().filter(|row| row.game == game && row.status == "filed").count();
    let chuban = desk.input.patterns.iter().any(|row| row.game == game && row.library == "chuban");
    let mut say = vec![
        format!("{} filed.", words::sentence(&words::counted(number(filed), "contest was", "contests were"))),
        changes::of_game(desk, game),
        advice::of_game(desk, game),
    ];
    if !chuban {
        say.push(unpublished(desk, game));
    }
    let cards = patterns::of_game(desk, game);
    Game {
        id: format!("game-{}", patterns::anchor(game)),
        heading: words::sentence(&shown(game, NAME)),
        say,
        moves: moves(desk, game),
        value: Made::of(desk, game).of_a_move(),
        players: players(desk, game),
        measures: measures(desk, game),
        spelt: cards.iter().any(|card| card.board.is_none()),
        patterns: cards,
    }
}

/// Why the library of the middle game holds nothing (`academy.md` 8).
fn unpublished(desk: &Desk<'_>, game: &str) -> String {
    const EMPTY: &str = "The library of the middle game is empty";
    if !value::known(desk, game) {
        return format!("{EMPTY}: it is filled by moves whose value is known, and a record of moves alone has none.");
    }
    let is_of_chance = desk.input.tree.iter().any(|row| row.game == game && row.chance.is_some());
    let sound = if is_of_chance {
        ", and, in a game with chance, a choice of plays and a cost that are known, the cost small"
    } else {
        ""
    };
    format!(
        "{EMPTY}: values are known, but no move met what is asked of one: a gain that is large enough, by a player who does not lose the game, against an opponent who is not much weaker{sound}."
    )
}

fn moves(desk: &Desk<'_>, game: &str) -> Vec<Move> {
    let made = Made::of(desk, game);
    let mut rows: Vec<&AcademyTreeRow> =
        desk.input.tree.iter().filter(|row| row.game == game && row.depth == 1).collect();
    let games = |row: &AcademyTreeRow| row.total_w + row.total_d + row.total_l;
    rows.sort_by_key(|row| (Reverse(games(row)), row.node));
    let line = |row: &&AcademyTreeRow| Move {
        name: match &row.chance {
            Some(chance) => format!("{} {}", shown(chance, TOKEN), shown(&row.play, TOKEN)),
            None => shown(&row.play, TOKEN),
        },
        games: format::count(games(row)),
        result: format!("{}\u{2013}{}\u{2013}{}", row.total_w, row.total_d, row.total_l),
        value: made.text(row),
    };
    rows.iter().take(MOVES).map(line).collect()
}

fn players(desk: &Desk<'_>, game: &str) -> Vec<Player> {
    let mut rows: Vec<&AcademyPlayerRow> = desk.input.players.iter().filter(|row| row.game == game).collect();
    rows.sort_by(|a, b| {
        let rating = |row: &AcademyPlayerRow| row.rating.unwrap_or(f64::NEG_INFINITY);
        rating(b).total_cmp(&rating(a)).then_with(|| a.player.cmp(&b.player))
    });
    let line = |row: &&AcademyPlayerRow| Player {
        name: shown(&row.player, NAME),
        rating: row.rating.map_or_else(|| format::ABSENT.to_owned(), |rating| format::fixed(rating, 0)),
        games: format::count(row.contests),
    };
    rows.iter().take(PLAYERS).map(line).collect()
}
