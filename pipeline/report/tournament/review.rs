//! One player's tournament against the usual level: overall, round by round, and by place in the match, score and pace.

use super::Reviewed;
use crate::report::names::{NAME, shown};
use crate::report::season::score_of;
use crate::report::{TournamentInput, format, page_name_player, words};
use crate::tables::facts::MatchRow;
use crate::tables::marts::SeatRow;
use crate::tables::study_marts::TournamentReviewRow;
use serde::Serialize;
use std::collections::BTreeMap;

/// Matches a usual level needs (`metrics.md` 16.2).
const LEAST_MATCHES: i64 = 5;
/// Rounds shown of one player.
const ROUNDS: usize = 60;
/// What the breakdowns are called, in their order.
const SCOPES: [(&str, &str); 3] =
    [("rank", "Within a match"), ("score", "What was at stake"), ("pace", "Thinking time")];

/// A player's review.
#[derive(Serialize)]
pub(super) struct Review {
    name: String,
    href: String,
    /// The line of a folded review.
    summary: String,
    usual: String,
    overall: Vec<Comparison>,
    rounds: Vec<RoundLine>,
    cells: Vec<Comparison>,
    no_pace: bool,
}

#[derive(Serialize)]
struct Comparison {
    /// Heading of its group; empty but on the first of one.
    group: &'static str,
    name: String,
    decisions: String,
    value: String,
    value_interval: String,
    usual: String,
    usual_interval: String,
    delta: String,
    delta_interval: String,
    class: &'static str,
    verdict: &'static str,
}

#[derive(Serialize)]
struct RoundLine {
    number: String,
    opponent: String,
    href: Option<String>,
    result: String,
    score: String,
    decisions: String,
    pr: String,
    interval: String,
    l7: String,
    class: &'static str,
    verdict: &'static str,
}

/// The rows that rounds are looked up in.
pub(super) struct Desk<'a> {
    input: &'a TournamentInput<'a>,
    matches: BTreeMap<&'a str, &'a MatchRow>,
    figures: BTreeMap<(&'a str, &'a str), &'a SeatRow>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(input: &'a TournamentInput<'a>) -> Self {
        let figure = |row: &'a SeatRow| Some(((row.match_id.as_str(), row.player.as_deref()?), row));
        Self {
            input,
            matches: input.matches.iter().copied().map(|row| (row.match_id.as_str(), row)).collect(),
            figures: input.figures.iter().copied().filter_map(figure).collect(),
        }
    }

    pub(super) fn review(&self, of: &Reviewed<'_>) -> Review {
        let overall = [("pr", "PR"), ("l7", "L7, %")]
            .iter()
            .filter_map(|(measure, name)| Some(comparison(of.overall(measure)?, "", (*name).to_owned())))
            .collect();
        let cells: Vec<Comparison> = SCOPES
            .iter()
            .flat_map(|(scope, title)| {
                let cell = move |(at, row): (usize, &TournamentReviewRow)| {
                    let name = words::cell(scope, row.cell.as_deref().unwrap_or_default());
                    comparison(row, if at == 0 { title } else { "" }, words::sentence(&name))
                };
                of.scope(scope).into_iter().enumerate().map(cell).collect::<Vec<_>>()
            })
            .collect();
        let name = shown(of.player, NAME);
        let pr = of.level();
        Review {
            summary: format!(
                "{name}: PR {}{}{}; {}",
                format::pr(pr.pr),
                if pr.ends().is_some() { " " } else { ", " },
                pr.interval("matches"),
                of.overall("pr").map_or("no verdict", |row| verdict(row).1)
            ),
            name,
            href: page_name_player(of.player),
            usual: usual(of),
            overall,
            rounds: (1..).zip(of.scope("round")).take(ROUNDS).map(|(n, row)| self.round(n, row)).collect(),
            no_pace: of.scope("pace").is_empty(),
            cells,
        }
    }

    fn round(&self, number: usize, row: &TournamentReviewRow) -> RoundLine {
        let id = row.cell.as_deref().unwrap_or_default();
        let of = self.matches.get(id).copied();
        let figures = self.figures.get(&(id, row.player.as_str())).copied();
        let opponent = of.map(|of| if of.player_1 == row.player { &of.player_2 } else { &of.player_1 });
        let (class, verdict) = verdict(row);
        RoundLine {
            number: number.to_string(),
            opponent: opponent.map_or_else(|| format::ABSENT.to_owned(), |name| shown(name, NAME)),
            href: of.and_then(|of| self.input.pages.link(of)),
            result: match figures.and_then(|row| row.won) {
                Some(true) => "won",
                Some(false) => "lost",
                None => "no result",
            }
            .to_owned(),
            score: of.map_or_else(
                || format::ABSENT.to_owned(),
                |of| score_of(of, if of.player_1 == row.player { Some(1) } else { Some(2) }),
            ),
            decisions: format::count(row.decisions),
            pr: format::pr(row.value),
            interval: match (row.value, format::interval(row.value_low, row.value_high, 2)) {
                (None, _) => "no decision".to_owned(),
                (Some(_), text) if text.is_empty() => "no interval".to_owned(),
                (Some(_), text) => text,
            },
            l7: format::l7(figures.and_then(|row| row.l7)),
            class,
            verdict,
        }
    }
}

fn comparison(row: &TournamentReviewRow, group: &'static str, name: String) -> Comparison {
    let is_share = row.measure == "l7";
    let (factor, decimals) = if is_share { (100.0, 1) } else { (1.0, 2) };
    let scaled = |x: Option<f64>| x.map(|x| x * factor);
    let figure = |x: Option<f64>| scaled(x).map_or_else(|| format::ABSENT.to_owned(), |x| format::fixed(x, decimals));
    let (class, verdict) = verdict(row);
    Comparison {
        group,
        name,
        decisions: match row.decisions_usual {
            Some(usual) => format!("{} / {}", format::count(row.decisions), format::count(usual)),
            None => format!("{} / {}", format::count(row.decisions), format::ABSENT),
        },
        value: figure(row.value),
        value_interval: format::interval(scaled(row.value_low), scaled(row.value_high), decimals),
        usual: figure(row.usual),
        usual_interval: format::interval(scaled(row.usual_low), scaled(row.usual_high), decimals),
        delta: scaled(row.delta).map_or_else(|| format::ABSENT.to_owned(), |x| format::signed(x, decimals)),
        delta_interval: format::signed_interval(scaled(row.low), scaled(row.high), decimals),
        class,
        verdict,
    }
}

/// A shape and a word.
fn verdict(row: &TournamentReviewRow) -> (&'static str, &'static str) {
    match row.verdict.as_str() {
        "worse" => ("est", "worse than usual"),
        "better" => ("est", "better than usual"),
        "usual" => ("eq", "as usual"),
        _ if row.usual.is_none() && row.usual_matches < LEAST_MATCHES => ("none", "usual level unknown"),
        _ => ("none", "too few decisions or no interval"),
    }
}

/// What the usual level is made of.
fn usual(of: &Reviewed<'_>) -> String {
    let Some(row) = of.overall("pr") else { return "Usual level unknown.".to_owned() };
    match (row.from, row.to) {
        (Some(from), Some(to)) if row.usual_matches >= LEAST_MATCHES => format!(
            "Usual level: matches of {} to {}, {}.",
            format::date(Some(from)),
            format::date(Some(to)),
            words::counted(row.usual_matches, "match", "matches"),
        ),
        (Some(_), Some(_)) => {
            format!("Usual level unknown ({} of {LEAST_MATCHES} matches in the 365 days before).", row.usual_matches)
        }
        _ => "Usual level unknown: no match of the tournament is dated.".to_owned(),
    }
}

/// The first sentence of the page.
pub(super) fn verdict_say(of: &Reviewed<'_>) -> String {
    let name = shown(of.player, NAME);
    let Some(row) = of.overall("pr") else { return format!("{name} has no figure here.") };
    let Some(pr) = row.value else { return format!("{name}: no counted decision, PR is undefined.") };
    let interval = format::interval(row.value_low, row.value_high, 2);
    let level = format!("PR {}{}{interval}", format::fixed(pr, 2), if interval.is_empty() { "" } else { " " });
    let against = row.usual.map_or_else(String::new, |usual| {
        format!(", against a usual {} {}", format::fixed(usual, 2), format::interval(row.usual_low, row.usual_high, 2))
    });
    let against = against.trim_end();
    match row.verdict.as_str() {
        "worse" => format!("{name} played worse than usual: {level}{against}."),
        "better" => format!("{name} played better than usual: {level}{against}."),
        "usual" => format!("Nothing shows that {name} played other than usual: {level}{against}."),
        _ => format!("{name}: {level}{against}. {}", usual_or_thin(row, of)),
    }
}

fn usual_or_thin(row: &TournamentReviewRow, of: &Reviewed<'_>) -> String {
    if row.usual.is_none() { usual(of) } else { "Too few decisions or matches to compare.".to_owned() }
}
