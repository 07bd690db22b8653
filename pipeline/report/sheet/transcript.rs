//! Every play, game by game, and the dearest decisions once more by loss.
//!
//! A dash stands for what is not scored, with its reason; 0 is a true zero. Moments at which a double was out of the
//! question are left out and counted, except missed doubles, which no other figure shows.

use super::Sheet;
use crate::report::card::{Table, anchor};
use crate::report::format;
use crate::report::parts::more;
use crate::report::words;
use crate::tables::facts::DecisionRow;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Rows of the table by loss.
const BY_LOSS: usize = 15;

/// One game.
#[derive(Serialize)]
pub(super) struct GameTable {
    id: String,
    summary: String,
    caption: String,
    rows: Vec<Line>,
}

/// One decision.
#[derive(Serialize)]
pub(super) struct Line {
    /// Anchor of the row; empty when the decision's card has it.
    id: String,
    number: i64,
    /// The card; empty without.
    href: String,
    mark: &'static str,
    who: String,
    roll: String,
    made: String,
    better: String,
    error: String,
    /// Why the error is absent; empty when it is not.
    reason: String,
    loss: String,
    difficulty: String,
    luck: String,
    seconds: String,
    is_error: bool,
}

pub(super) fn games(sheet: &Sheet<'_>, table: &Table<'_>, cards: &BTreeSet<String>) -> Vec<GameTable> {
    sheet
        .games
        .iter()
        .map(|game| {
            let score = sheet.score_text([game.score_1, game.score_2]);
            let end = match (game.winner, game.points) {
                (Some(seat), Some(points)) => format!("{} wins {points}", sheet.names[sheet.place(seat)]),
                (Some(seat), None) => format!("{} wins", sheet.names[sheet.place(seat)]),
                _ => "no end in the file".to_owned(),
            };
            let regime = match game.regime.as_str() {
                "normal" | "money" => String::new(),
                other => format!(", {}", words::token(other)),
            };
            GameTable {
                id: format!("g{}", game.game),
                summary: format!("Game {}, from {score}{regime}: {end}", game.game),
                caption: format!("Game {}, in match order.", game.game),
                rows: sheet
                    .decisions
                    .iter()
                    .filter(|row| row.game == game.game && is_shown(row, sheet))
                    .map(|row| line(row, sheet, table, cards))
                    .collect(),
            }
        })
        .collect()
}

/// What the tables of the games leave out, in words.
pub(super) fn note(sheet: &Sheet<'_>) -> String {
    let left = sheet.decisions.iter().filter(|row| !is_shown(row, sheet)).count();
    match left {
        0 => String::new(),
        1 => "One moment at which a double was out of the question is left out.".to_owned(),
        n => format!(
            "{} moments at which a double was out of the question are left out.",
            format::count(i64::try_from(n).unwrap_or(i64::MAX))
        ),
    }
}

/// The dearest decisions, worst first.
pub(super) fn by_loss(sheet: &Sheet<'_>, table: &Table<'_>, cards: &BTreeSet<String>) -> (Vec<Line>, String) {
    let mut rows: Vec<&DecisionRow> =
        sheet.decisions.iter().copied().filter(|row| row.counted && row.loss.is_some_and(|loss| loss > 0)).collect();
    rows.sort_by_key(|row| (Reverse(row.loss), row.order));
    let shown = rows.len().min(BY_LOSS);
    let lines = rows[..shown].iter().map(|row| Line { id: String::new(), ..line(row, sheet, table, cards) }).collect();
    (lines, more(rows.len(), shown))
}

fn is_shown(row: &DecisionRow, sheet: &Sheet<'_>) -> bool {
    let threshold = sheet.input.colophon.thresholds.error;
    row.kind != "no_double" || row.counted || row.e_mpt.is_some_and(|mpt| mpt >= threshold)
}

fn line(row: &DecisionRow, sheet: &Sheet<'_>, table: &Table<'_>, cards: &BTreeSet<String>) -> Line {
    let id = anchor(row);
    let has_card = cards.contains(&id);
    let (made, best) = (words::made(row), words::best(row).unwrap_or_default());
    let is_error = row.e_mpt.is_some_and(|mpt| mpt >= sheet.input.colophon.thresholds.error);
    Line {
        number: row.order,
        href: if has_card { format!("#{id}") } else { String::new() },
        id: if has_card { String::new() } else { id },
        mark: table.mark(row),
        who: table.decider(row).to_owned(),
        roll: row.dice.map_or_else(|| "cube".to_owned(), words::roll),
        better: if row.e_mpt.is_some_and(|mpt| mpt > 0) && best != made { best } else { String::new() },
        made,
        error: if row.counted || is_error { row.e_mpt.map_or_else(absent, format::error) } else { absent() },
        reason: why_not(row),
        loss: if row.counted { format::mwc(row.loss) } else { absent() },
        difficulty: if row.counted { format::mwc(row.difficulty) } else { absent() },
        luck: if row.kind == "checker" { format::luck(row.luck) } else { String::new() },
        seconds: row.seconds.map_or_else(String::new, |seconds| format!("{seconds}\u{a0}s")),
        is_error,
    }
}

/// Why a decision is not scored; empty when it is.
pub(super) fn why_not(row: &DecisionRow) -> String {
    if row.counted {
        return String::new();
    }
    if let Some(reason) = row.unrated_reason.as_deref() {
        return words::unrated(reason);
    }
    match (row.kind.as_str(), row.forced) {
        ("checker", true) => "forced",
        ("no_double", _) if !row.may_double => "no access to the cube",
        ("no_double", _) => "outside the window",
        _ => "not counted",
    }
    .to_owned()
}

fn absent() -> String {
    format::ABSENT.to_owned()
}
