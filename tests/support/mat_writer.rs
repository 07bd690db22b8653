//! A record as a `.mat` transcription: what was played, and nothing of its analysis.

use portes::game::{Length, Seat};
use portes::ingest::record::{Game, Record, What};
use std::fmt::Write as _;

/// Width of the left column behind the row's number.
const COLUMN: usize = 31;

/// The file of a match. Beavers and positions set up by hand cannot be said.
#[must_use]
pub fn write(record: &Record) -> Vec<u8> {
    let mut out = String::new();
    if let Some(event) = &record.event {
        _ = writeln!(out, "; [Event \"{event}\"]");
    }
    if let Some(round) = &record.round {
        _ = writeln!(out, "; [Round \"{round}\"]");
    }
    if let Some(date) = record.date {
        _ = writeln!(out, "; [EventDate \"{}\"]", date.strftime("%Y.%m.%d"));
    }
    let length = if record.length == Length::Money { 0 } else { record.length.points() };
    _ = writeln!(out, "\n {length} point match");
    for (index, game) in record.games.iter().enumerate() {
        let [left, right] = [0, 1].map(|seat| format!("{} : {}", record.players[seat].name, game.points[seat]));
        _ = writeln!(out, "\n Game {}\n {left:COLUMN$}{right}", index + 1);
        rows(&mut out, game);
    }
    out.into_bytes()
}

fn rows(out: &mut String, game: &Game) {
    let mut number = 0;
    let mut left: Option<String> = None;
    let mut row = |out: &mut String, left: &str, right: &str| {
        number += 1;
        _ = writeln!(out, "{}", format!("{number:3}) {left:COLUMN$}  {right}").trim_end());
    };
    for (seat, cell) in game.actions.iter().filter_map(|action| Some((action.seat, cell(action)?))) {
        match (seat, left.take()) {
            (Seat::First, None) => left = Some(cell),
            (Seat::First, Some(alone)) => {
                row(out, &alone, "");
                left = Some(cell);
            }
            (Seat::Second, before) => row(out, &before.unwrap_or_default(), &cell),
        }
    }
    if let Some(alone) = left {
        row(out, &alone, "");
    }
    if let Some(outcome) = game.outcome {
        let indent = if outcome.winner == Seat::First { 6 } else { 5 + COLUMN };
        let points = if outcome.points == 1 { "point" } else { "points" };
        _ = writeln!(out, "{:indent$}Wins {} {points}", "", outcome.points);
    }
}

fn cell(action: &portes::ingest::record::Action) -> Option<String> {
    match &action.what {
        What::Checker(play) => Some(format!("{}: {}", play.dice, told(&play.play.notation(&action.board)))),
        What::Double(_) => Some(format!(" Doubles => {}", 2 * action.cube.value())),
        What::Take(_) => Some(" Takes".to_owned()),
        What::Pass(_) => Some(" Drops".to_owned()),
        What::NoDouble(_) | What::Beaver(_) | What::AfterBeaver(_) => None,
    }
}

/// A dance is an empty play.
fn told(play: &str) -> &str {
    if play == "dance" { "" } else { play }
}
