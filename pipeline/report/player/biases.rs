//! Which way a player errs: signed biases with the wording of `product-views.md` 8, and doubles by score where a score
//! has decisions enough to say anything.

use super::PlayerInput;
use crate::report::charts::axis::Axis;
use crate::report::markup::Markup;
use crate::report::{format, words};
use crate::tables::study_marts::BiasRow;
use serde::Serialize;

/// Decisions a verdict needs (`metrics.md` 15); scores with fewer are not shown.
const LEAST: i64 = 20;
/// Scores shown, by away and opponent's away; a season of long matches has more cells than a page can hold.
const SCORES: usize = 40;
/// The biases in the order of the page.
const ORDER: [&str; 3] = ["take", "double", "blots"];

/// The section.
#[derive(Serialize)]
pub(super) struct Biases {
    said: Vec<Said>,
    say: String,
    head: Markup,
    pub(super) grid: Markup,
    rows: Vec<Line>,
    unread: String,
    scores: Vec<Line>,
    scores_head: Markup,
    pub(super) scores_grid: Markup,
    scores_note: String,
    empty: String,
}

/// A verdict in words, and its shape.
#[derive(Serialize)]
struct Said {
    class: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Line {
    name: String,
    decisions: String,
    class: &'static str,
    verdict: String,
    counts: String,
    mpt: String,
    value: String,
    interval: String,
    thin: bool,
    bar: Markup,
}

pub(super) fn biases(input: &PlayerInput<'_>) -> Biases {
    let whole: Vec<&BiasRow> = ORDER
        .iter()
        .filter_map(|bias| input.study.biases.iter().find(|row| row.bias == *bias && row.own_away.is_none()))
        .collect();
    let mut cells: Vec<&BiasRow> =
        input.study.biases.iter().filter(|row| row.bias == "double" && row.own_away.is_some()).collect();
    cells.sort_by_key(|row| (row.own_away, row.opp_away));
    let (shown, hidden): (Vec<&BiasRow>, Vec<&BiasRow>) = cells.iter().partition(|row| row.decisions >= LEAST);
    let axis = axis("gb", &whole);
    let scores_axis = self::axis("gs", &shown);
    Biases {
        said: said(&whole),
        say: say(&whole),
        head: axis.head(),
        grid: axis.grid(),
        unread: unread(&whole),
        rows: whole.iter().map(|row| line(row, name(&row.bias).to_owned(), axis)).collect(),
        scores_head: scores_axis.head(),
        scores_grid: scores_axis.grid(),
        scores_note: scores_note(&shown, &hidden),
        scores: shown.iter().take(SCORES).map(|row| line(row, score(row), scores_axis)).collect(),
        empty: match whole.as_slice() {
            [] => "No counted decision leans either way: there is none.".to_owned(),
            _ => String::new(),
        },
    }
}

/// In percent, zero on it; the figures and the intervals of those that have a verdict.
fn axis(id: &'static str, rows: &[&BiasRow]) -> Axis {
    let figures = rows.iter().flat_map(|row| {
        let ends = if row.decisions >= LEAST { [row.low, row.high] } else { [None; 2] };
        [row.value, ends[0], ends[1]]
    });
    Axis::around(id, "\u{a0}%", figures.flatten().map(|share| share * 100.0))
}

fn line(row: &BiasRow, name: String, axis: Axis) -> Line {
    let percent = |share: Option<f64>| share.map(|share| share * 100.0);
    let ends = row.low.zip(row.high).map(|(low, high)| [low * 100.0, high * 100.0]);
    let thin = row.decisions < LEAST;
    Line {
        name,
        decisions: format::count(row.decisions),
        class: class(&row.verdict),
        verdict: verdict(row),
        counts: format!("{} : {}", format::count(row.minus), format::count(row.plus)),
        mpt: format!("{} : {} mpt", format::mpt(row.cost_minus), format::mpt(row.cost_plus)),
        value: row.value.map_or_else(|| format::ABSENT.to_owned(), |value| format::signed(value * 100.0, 1)),
        interval: format::signed_interval(percent(row.low), percent(row.high), 1),
        thin,
        bar: axis.interval(percent(row.value), ends, thin),
    }
}

fn name(bias: &str) -> &'static str {
    match bias {
        "take" => "Take or pass",
        "double" => "Doubles",
        _ => "Blots left",
    }
}

fn class(verdict: &str) -> &'static str {
    match verdict {
        "too_much" => "up",
        "too_little" => "dn",
        "balanced" => "eq",
        _ => "none",
    }
}

/// The wording of `product-views.md` 8.
fn verdict(row: &BiasRow) -> String {
    match (row.bias.as_str(), row.verdict.as_str()) {
        ("take", "too_much") => "you take too much",
        ("take", "too_little") => "you pass too much",
        ("take", "insufficient") => "fewer than 20 answers",
        ("double", "too_much") => "you double too early",
        ("double", "too_little") => "you double too late",
        ("double", "insufficient") => "fewer than 20 cube decisions",
        ("blots", "too_much") => "you leave too many blots",
        ("blots", "too_little") => "you leave too few blots",
        ("blots", "insufficient") => "fewer than 20 plays",
        (_, "balanced") => "balanced",
        (_, other) => return words::token(other),
    }
    .to_owned()
}

/// What is shown to lean.
fn said(whole: &[&BiasRow]) -> Vec<Said> {
    whole
        .iter()
        .filter(|row| matches!(class(&row.verdict), "up" | "dn"))
        .map(|row| Said { class: class(&row.verdict), text: format!("{}.", words::sentence(&verdict(row))) })
        .collect()
}

/// What is balanced, and what has too few decisions.
fn say(whole: &[&BiasRow]) -> String {
    let named = |verdict: &str| -> Vec<String> {
        whole.iter().filter(|row| row.verdict == verdict).map(|row| plural(&row.bias).to_owned()).collect()
    };
    let (balanced, thin) = (named("balanced"), named("insufficient"));
    let mut said = Vec::new();
    if !balanced.is_empty() {
        said.push(format!("{} are balanced, as far as the decisions show.", words::sentence(&words::list(&balanced))));
    }
    if !thin.is_empty() {
        said.push(format!("Too few decisions to judge: {}.", words::list(&thin)));
    }
    said.join(" ")
}

fn plural(bias: &str) -> &'static str {
    match bias {
        "take" => "takes and passes",
        "double" => "doubles",
        _ => "blots",
    }
}

fn unread(whole: &[&BiasRow]) -> String {
    let share = whole.iter().filter(|row| row.bias == "blots").find_map(|row| row.excluded_share);
    share.filter(|share| *share > 0.0).map_or_else(String::new, |share| {
        format!("{} of the plays with contact could not be read and are left out of the blots.", format::percent(share))
    })
}

/// `Money`, `5-away / 3-away`, `Double match point`.
fn score(row: &BiasRow) -> String {
    match (row.own_away, row.opp_away) {
        (Some(0), _) => "Money".to_owned(),
        (Some(1), Some(1)) => words::sentence(words::DMP),
        (own, opponent) => {
            let away = |points: Option<i64>| points.map_or_else(|| format::ABSENT.to_owned(), |n| format!("{n}-away"));
            format!("{} / {}", away(own), away(opponent))
        }
    }
}

fn scores_note(shown: &[&BiasRow], hidden: &[&BiasRow]) -> String {
    let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let left = words::counted(number(hidden.len()), "score has", "scores have");
    let verb = if hidden.len() == 1 { "is" } else { "are" };
    let left = format!("{} fewer than 20 decisions and {verb} left out.", words::sentence(&left));
    let mut text = match (shown.len(), hidden.len()) {
        (0, 0) => return "No double was in question at any score.".to_owned(),
        (0, _) => return left,
        (_, 0) => String::new(),
        _ => format!("{left} "),
    };
    text.push_str(&words::chance(shown.len(), "score"));
    if shown.len() > SCORES {
        text.push_str(&format!(" The first {SCORES} are here."));
    }
    text
}
