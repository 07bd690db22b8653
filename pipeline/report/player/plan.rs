//! What to study: the families of errors that are established, those to confirm, and beside them what the errors add to
//! the PR whether they have a price and a theme or not (`product-views.md` 5).

use super::PlayerInput;
use crate::report::charts::axis::Axis;
use crate::report::markup::Markup;
use crate::report::parts::more;
use crate::report::{format, words};
use crate::tables::study_marts::{RecurringErrorRow, StudyPlanRow, StudyTotalsRow};
use serde::Serialize;

/// Families to confirm and recurring groups shown; the tables hold the others.
const TENTATIVE: usize = 8;
const RECURRING: usize = 8;
/// Established families shown: more than anybody studies in a season.
const ESTABLISHED: usize = 20;
/// What the scale shows below 0 is at most this part of what it shows above.
const BELOW: f64 = 4.0;
/// The group of the errors no theme fits.
const NO_THEME: &str = "none";

/// The section.
#[derive(Serialize)]
pub(super) struct PlanView {
    say: Vec<String>,
    head: Markup,
    pub(super) grid: Markup,
    established: Vec<Family>,
    established_more: String,
    tentative: Vec<Family>,
    tentative_more: String,
    note: String,
    /// Why there is no family at all; empty when there is one.
    empty: String,
    recurring: Vec<Group>,
    recurring_more: String,
    recurring_of: String,
    /// Errors without a theme lead the recurring ones, which the plan does not see.
    unthemed_leads: String,
}

#[derive(Serialize)]
struct Family {
    rank: String,
    name: String,
    errors: String,
    avoidable: String,
    recoverable: String,
    interval: String,
    /// Why it is only to be confirmed; empty in the plan.
    reason: String,
    bar: Markup,
}

#[derive(Serialize)]
struct Group {
    rank: String,
    name: String,
    errors: String,
    mpt: String,
    cost: String,
}

pub(super) fn plan(input: &PlayerInput<'_>) -> PlanView {
    let rows = sorted(input.study.plan);
    let (established, tentative): (Vec<&StudyPlanRow>, Vec<&StudyPlanRow>) =
        rows.iter().copied().partition(|row| row.rank.is_some());
    let axis = axis(&established, &tentative[..tentative.len().min(TENTATIVE)]);
    let mut recurring: Vec<&RecurringErrorRow> = input.study.recurring.iter().collect();
    recurring.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| family_key(a).cmp(&family_key(b))));
    PlanView {
        say: say(&established, tentative.len()),
        head: axis.head(),
        grid: axis.grid(),
        established_more: more(established.len(), established.len().min(ESTABLISHED)),
        established: established.iter().take(ESTABLISHED).map(|row| family(row, axis)).collect(),
        tentative_more: more(tentative.len(), tentative.len().min(TENTATIVE)),
        tentative: tentative.iter().take(TENTATIVE).map(|row| family(row, axis)).collect(),
        note: input.study.totals.iter().find(|row| row.event.is_none()).map_or_else(String::new, left_out),
        empty: if rows.is_empty() { nothing(input, &recurring) } else { String::new() },
        recurring_of: recurring.first().map_or_else(String::new, |row| format::count(row.decisions)),
        recurring_more: more(recurring.len(), recurring.len().min(RECURRING)),
        recurring: recurring.iter().take(RECURRING).map(|row| group(row)).collect(),
        unthemed_leads: unthemed_leads(&recurring),
    }
}

/// The plan, then what is to be confirmed.
fn sorted(rows: &[StudyPlanRow]) -> Vec<&StudyPlanRow> {
    let mut rows: Vec<&StudyPlanRow> = rows.iter().collect();
    rows.sort_by(|a, b| {
        let key = |row: &StudyPlanRow| (row.plan.clone(), row.nature.clone(), row.theme.clone());
        a.position.cmp(&b.position).then_with(|| key(a).cmp(&key(b)))
    });
    rows
}

fn family_key(row: &RecurringErrorRow) -> (&str, &str, &str) {
    (&row.plan, &row.nature, &row.theme)
}

/// The established ones with their whole intervals; of the others, whose intervals are wide, the figures, and so much
/// of what lies below 0 that one sees it does.
fn axis(established: &[&StudyPlanRow], tentative: &[&StudyPlanRow]) -> Axis {
    let ends = established.iter().flat_map(|row| [row.low, row.high]);
    let mut figures: Vec<f64> = ends.chain(tentative.iter().map(|row| row.recoverable)).collect();
    let most = figures.iter().copied().fold(0.0, f64::max);
    figures.extend(tentative.iter().map(|row| row.low.max(-most / BELOW)));
    Axis::around("gp", "\u{a0}%", figures.into_iter().map(|share| share * 100.0))
}

fn family(row: &StudyPlanRow, axis: Axis) -> Family {
    let [low, high] = [row.low, row.high].map(|share| share * 100.0);
    Family {
        rank: row.rank.map_or_else(String::new, |rank| format!("{rank}.")),
        name: words::family(&row.plan, &row.nature, &row.theme),
        errors: format::count(row.members),
        avoidable: format::count(row.avoidable),
        recoverable: format::signed_points(Some(row.recoverable)),
        interval: format::signed_interval(Some(low), Some(high), 2),
        reason: match row.reason.as_deref() {
            None => String::new(),
            Some("few_members") => "fewer than 5 errors".to_owned(),
            Some("includes_zero") => "the interval includes 0".to_owned(),
            Some(other) => words::token(other),
        },
        bar: axis.interval(Some(row.recoverable * 100.0), Some([low, high]), row.rank.is_none()),
    }
}

fn group(row: &RecurringErrorRow) -> Group {
    Group {
        rank: row.rank.to_string(),
        name: words::family(&row.plan, &row.nature, &row.theme),
        errors: format::count(row.members),
        mpt: format::count(row.mpt),
        cost: format::pr(Some(row.pr_cost)),
    }
}

fn say(established: &[&StudyPlanRow], tentative: usize) -> Vec<String> {
    let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let mut said = match (established, tentative) {
        ([], 0) => Vec::new(),
        ([], k) => {
            vec![format!("Nothing is established yet: {} to confirm.", words::counted(number(k), "family", "families"))]
        }
        (some, _) => vec![format!(
            "At 95\u{a0}%, {} established.",
            words::counted(number(some.len()), "family is", "families are")
        )],
    };
    if let [first, others @ ..] = established
        && !others.is_empty()
        && others.iter().all(|row| (&row.nature, &row.theme) == (&first.nature, &first.theme))
    {
        said.push(format!("All are the same fault in different game plans: {}.", words::theme(&first.theme)));
    }
    said
}

/// What neither list holds (`metrics.md` 12.1).
fn left_out(row: &StudyTotalsRow) -> String {
    if row.errors == 0 {
        return String::new();
    }
    format!(
        "In neither list: {} without a theme and {} without a price (money play, or no difficulty).",
        words::counted(row.unthemed, "error", "errors"),
        words::counted(row.unpriced, "error", "errors"),
    )
}

/// Why no family is there.
fn nothing(input: &PlayerInput<'_>, recurring: &[&RecurringErrorRow]) -> String {
    match recurring {
        _ if input.season.decisions == 0 => "No counted decision, so there is nothing to study yet.",
        [] if input.season.errors == 0 => "No error at or above the threshold.",
        [] => "The tables hold no family of errors for this season.",
        some if some.iter().all(|row| row.theme == NO_THEME) => "No theme could be recognised for these errors.",
        _ if input.season.loss.is_none() => "Money play has no match equity: these errors have no price.",
        _ => "No error with a theme has a price.",
    }
    .to_owned()
}

fn unthemed_leads(recurring: &[&RecurringErrorRow]) -> String {
    match recurring.first() {
        Some(first) if first.theme == NO_THEME => {
            "Errors without a recognised theme lead the recurring ones; the plan does not see them.".to_owned()
        }
        _ => String::new(),
    }
}

/// The first sentence of the page, when something is established.
pub(super) fn standfirst(input: &PlayerInput<'_>) -> Option<String> {
    let established: Vec<&StudyPlanRow> =
        sorted(input.study.plan).into_iter().filter(|row| row.rank.is_some()).collect();
    let first = established.first()?;
    let count = i64::try_from(established.len()).unwrap_or(i64::MAX);
    let which = if count == 1 { "it" } else { "the first" };
    Some(format!(
        "Study {} {}. {} established at 95\u{a0}%; played as the reference player does, {which} would have saved {} of match winning chances over {}.",
        words::lesson(&first.theme),
        words::in_plan(&first.plan),
        words::sentence(&words::counted(count, "family of errors is", "families of errors are")),
        format::percent(first.recoverable),
        words::counted(input.season.matches, "match", "matches"),
    ))
}
