//! Did studying help: every family before and after it was studied, with the caveat that a change is no effect
//! (`product-views.md` 7).

use super::PlayerInput;
use crate::report::charts::axis::Axis;
use crate::report::markup::Markup;
use crate::report::parts::more;
use crate::report::{format, words};
use crate::tables::study_marts::BeforeAfterRow;
use serde::Serialize;

/// Families shown.
const FAMILIES: usize = 20;
/// Points of winning chances per 100 decisions, from a fraction per decision.
const PER_HUNDRED: f64 = 10_000.0;

/// The section.
#[derive(Serialize)]
pub(super) struct Studied {
    say: String,
    head: Markup,
    pub(super) grid: Markup,
    rows: Vec<Line>,
    more: String,
    note: String,
}

#[derive(Serialize)]
struct Line {
    name: String,
    studied_on: String,
    class: &'static str,
    verdict: String,
    rates: String,
    decisions: String,
    gain: String,
    interval: String,
    thin: bool,
    bar: Markup,
}

pub(super) fn studied(input: &PlayerInput<'_>) -> Studied {
    let mut rows: Vec<&BeforeAfterRow> = input.study.before_after.iter().collect();
    rows.sort_by(|a, b| {
        let key = |row: &BeforeAfterRow| (row.plan.clone(), row.nature.clone(), row.theme.clone());
        a.position.cmp(&b.position).then_with(|| key(a).cmp(&key(b)))
    });
    let judged = rows.iter().filter(|row| row.verdict != "insufficient").flat_map(|row| [row.low, row.high]);
    let figures = judged.chain(rows.iter().map(|row| row.delta));
    let axis = Axis::around("gd", "", figures.flatten().map(|rate| rate * PER_HUNDRED));
    Studied {
        say: say(&rows),
        head: axis.head(),
        grid: axis.grid(),
        more: more(rows.len(), rows.len().min(FAMILIES)),
        note: rows.first().filter(|row| row.not_studied > 0).map_or_else(String::new, |row| {
            let families = words::counted(row.not_studied, "family was", "families were");
            format!("{} never studied and cannot be compared.", words::sentence(&families))
        }),
        rows: rows.iter().take(FAMILIES).map(|row| line(row, axis)).collect(),
    }
}

fn line(row: &BeforeAfterRow, axis: Axis) -> Line {
    let per_hundred = |rate: Option<f64>| rate.map(|rate| rate * PER_HUNDRED);
    let rate = |rate: Option<f64>| match per_hundred(rate) {
        None => format::ABSENT.to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(rate) => format::fixed(rate, 2),
    };
    let (low, high) = (per_hundred(row.low), per_hundred(row.high));
    let thin = row.verdict == "insufficient";
    let (class, verdict) = match row.verdict.as_str() {
        "improved" => ("est", "improved".to_owned()),
        "worse" => ("est", "worse".to_owned()),
        "undetermined" => ("eq", "undetermined".to_owned()),
        "insufficient" => ("none", "fewer than 30 decisions".to_owned()),
        other => ("none", words::token(other)),
    };
    Line {
        name: words::family(&row.plan, &row.nature, &row.theme),
        studied_on: format::date(Some(row.studied_on)),
        class,
        verdict,
        rates: format!("{} \u{2192} {}", rate(row.rate_before), rate(row.rate_after)),
        decisions: format!("{} \u{2192} {}", format::count(row.decisions_before), format::count(row.decisions_after)),
        gain: per_hundred(row.delta).map_or_else(|| format::ABSENT.to_owned(), |gain| format::signed(gain, 2)),
        interval: format::signed_interval(low, high, 2),
        thin,
        bar: axis.interval(per_hundred(row.delta), low.zip(high).map(|(low, high)| [low, high]), thin),
    }
}

fn say(rows: &[&BeforeAfterRow]) -> String {
    if rows.is_empty() {
        return "No study action recorded.".to_owned();
    }
    let number = |verdict: &str| {
        let n = rows.iter().filter(|row| row.verdict == verdict).count();
        i64::try_from(n).unwrap_or(i64::MAX)
    };
    let (improved, worse) = (number("improved"), number("worse"));
    let studied = words::counted(i64::try_from(rows.len()).unwrap_or(i64::MAX), "family was", "families were");
    let cost = |n: i64, how: &str| format!("{} {how}", words::counted(n, "costs", "cost"));
    let since = match (improved, worse) {
        (0, 0) => "neither progress nor decline is shown".to_owned(),
        (n, 0) => format!("{} since", cost(n, "less")),
        (0, n) => format!("{} since", cost(n, "more")),
        (less, more) => format!("{} and {} since", cost(less, "less"), cost(more, "more")),
    };
    format!("{} studied; {since}.", words::sentence(&studied))
}
