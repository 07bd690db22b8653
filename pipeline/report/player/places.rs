//! Where it happens: PR by phase, game plan, score and all else a decision can be parted by (`product-views.md` 3.5).
//!
//! Phase and plan stand open with their bars; the others are folded. Cells without an interval are grey. Many cells
//! stand side by side, so the section says how many were tested.

use super::PlayerInput;
use crate::report::charts::Scale;
use crate::report::markup::Markup;
use crate::report::parts::{Level, more};
use crate::report::{format, words};
use crate::tables::study_marts::BreakdownRow;
use serde::Serialize;

/// What stands open.
const OPEN: [(&str, &str); 2] = [("phase", "Phase"), ("plan", "Game plan")];
/// What is folded. Themes are not here: their figure is a mean of errors, and the recurring errors show them.
const FOLDED: [(&str, &str); 10] = [
    ("score", "Score"),
    ("kind", "Kind of decision"),
    ("best_action", "Cube, by the best action"),
    ("direction", "Cube, by the direction of the error"),
    ("time", "Thinking time, s"),
    ("length", "Match length"),
    ("opponent", "Opponent"),
    ("month", "Month"),
    ("engine", "Analysed by"),
    ("depth", "Depth of the analysis"),
];
/// Rows of a table.
const ROWS: usize = 24;

/// The section.
#[derive(Serialize)]
pub(super) struct Places {
    say: String,
    note: String,
    open: Vec<Breakdown>,
    folded: Vec<Breakdown>,
    missing: String,
    empty: String,
}

/// One dimension.
#[derive(Serialize)]
struct Breakdown {
    id: String,
    name: String,
    cells: String,
    rows: Vec<Cell>,
    more: String,
}

#[derive(Serialize)]
struct Cell {
    name: String,
    decisions: String,
    errors: String,
    pr: String,
    interval: String,
    thin: bool,
    bar: Markup,
}

pub(super) fn places(input: &PlayerInput<'_>, scale: Scale) -> Places {
    let listed = |wanted: &[(&str, &str)]| -> Vec<Breakdown> {
        wanted.iter().filter_map(|(token, name)| breakdown(input, (token, name), scale)).collect()
    };
    let rows = input.study.breakdowns;
    let timed = rows.iter().any(|row| row.dimension == "time");
    Places {
        say: say(input),
        note: note(input),
        open: listed(&OPEN),
        folded: listed(&FOLDED),
        missing: if rows.is_empty() || timed { "" } else { "The files carry no thinking time." }.to_owned(),
        empty: if rows.is_empty() { "No counted decision: there is nothing to break down." } else { "" }.to_owned(),
    }
}

/// Most decisions first, then name.
fn cells<'a>(input: &PlayerInput<'a>, dimension: &str) -> Vec<&'a BreakdownRow> {
    let mut rows: Vec<&BreakdownRow> = input.study.breakdowns.iter().filter(|row| row.dimension == dimension).collect();
    rows.sort_by(|a, b| b.decisions.cmp(&a.decisions).then_with(|| a.cell.cmp(&b.cell)));
    rows
}

fn breakdown(input: &PlayerInput<'_>, (token, name): (&str, &str), scale: Scale) -> Option<Breakdown> {
    let rows = cells(input, token);
    if rows.is_empty() {
        return None;
    }
    Some(Breakdown {
        id: format!("by-{}", token.replace('_', "-")),
        name: name.to_owned(),
        cells: words::counted(i64::try_from(rows.len()).unwrap_or(i64::MAX), "cell", "cells"),
        more: more(rows.len(), rows.len().min(ROWS)),
        rows: rows.iter().take(ROWS).map(|row| cell(row, scale)).collect(),
    })
}

fn level(row: &BreakdownRow) -> Level {
    Level { pr: row.pr, low: row.low, high: row.high, units: row.units, decisions: row.decisions }
}

fn cell(row: &BreakdownRow, scale: Scale) -> Cell {
    let level = level(row);
    Cell {
        name: words::cell(&row.dimension, &row.cell),
        decisions: format::count(row.decisions),
        errors: format!("{} ({})", format::count(row.errors), format::count(row.blunders)),
        pr: format::pr(row.pr),
        interval: level.interval("matches"),
        thin: level.ends().is_none(),
        bar: scale.interval(row.pr, level.ends()),
    }
}

/// Phases and plans whose interval lies apart from that of all decisions.
fn say(input: &PlayerInput<'_>) -> String {
    let (Some(low), Some(high)) = (input.season.pr_low, input.season.pr_high) else {
        return "All decisions together carry no interval, so no cell can stand apart.".to_owned();
    };
    let named = |apart: &dyn Fn(&BreakdownRow) -> bool| -> Vec<String> {
        let rows = OPEN.iter().flat_map(|(token, _)| cells(input, token));
        let mut names: Vec<String> = Vec::new();
        for row in rows.filter(|row| apart(row)) {
            let name = words::cell(&row.dimension, &row.cell);
            // The race is a phase and a plan.
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let dear = named(&|row| row.low.is_some_and(|end| end > high));
    let cheap = named(&|row| row.high.is_some_and(|end| end < low));
    let mut said = Vec::new();
    if !dear.is_empty() {
        said.push(format!("{}: the interval lies above that of all decisions.", words::sentence(&words::list(&dear))));
    }
    if !cheap.is_empty() {
        said.push(format!("{}: it lies below.", words::sentence(&words::list(&cheap))));
    }
    if said.is_empty() {
        said.push("No phase and no game plan stands apart from all decisions together.".to_owned());
    }
    said.join(" ")
}

/// How many cells were tested (`metrics.md` 9.5).
fn note(input: &PlayerInput<'_>) -> String {
    let shown = |row: &&BreakdownRow| OPEN.iter().chain(&FOLDED).any(|(token, _)| row.dimension == *token);
    let tested = input.study.breakdowns.iter().filter(shown).filter(|row| row.low.is_some()).count();
    if tested == 0 { "No cell has an interval.".to_owned() } else { words::chance(tested, "cell") }
}
