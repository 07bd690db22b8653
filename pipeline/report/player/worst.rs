//! The ten worst decisions, each linked to its place on the page of its match, and the player against each opponent.

use super::PlayerInput;
use crate::report::card::address;
use crate::report::names::{NAME, page_name_player, shown};
use crate::report::parts::{Level, more};
use crate::report::season::event;
use crate::report::{format, words};
use crate::tables::facts::MatchRow;
use crate::tables::study_marts::{HeadToHeadRow, WorstDecisionRow};
use serde::Serialize;
use std::collections::BTreeMap;

/// Decisions shown.
const WORST: usize = 10;
/// Opponents shown.
const OPPONENTS: usize = 40;
/// Units an interval needs.
const UNITS: i64 = 3;

/// A decision of the list.
#[derive(Serialize)]
pub(super) struct Worst {
    rank: String,
    opponent: String,
    href: Option<String>,
    date: String,
    event: String,
    kind: String,
    error: String,
    loss: String,
}

/// An opponent.
#[derive(Serialize)]
pub(super) struct Rival {
    name: String,
    href: String,
    matches: String,
    won_lost: String,
    decisions: String,
    pr: String,
    interval: String,
    thin: bool,
    opponent_pr: String,
}

pub(super) fn worst(input: &PlayerInput<'_>) -> Vec<Worst> {
    let matches: BTreeMap<&str, &MatchRow> =
        input.matches.iter().copied().map(|row| (row.match_id.as_str(), row)).collect();
    let mut rows: Vec<&WorstDecisionRow> = input.study.worst.iter().collect();
    rows.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.decision_id.cmp(&b.decision_id)));
    rows.iter()
        .take(WORST)
        .map(|row| {
            let of = matches.get(row.match_id.as_str()).copied();
            let page = of.and_then(|of| input.pages.link(of));
            Worst {
                rank: row.rank.to_string(),
                opponent: of.map_or_else(|| format::ABSENT.to_owned(), |of| opponent(input, of)),
                href: page.map(|page| address(&page, &row.decision_id)),
                date: of.map_or_else(|| format::ABSENT.to_owned(), |of| format::date(of.date)),
                event: of.map_or_else(|| format::ABSENT.to_owned(), event),
                kind: words::kind(&row.kind),
                error: format::error(row.mpt),
                loss: format::points(row.loss),
            }
        })
        .collect()
}

fn opponent(input: &PlayerInput<'_>, of: &MatchRow) -> String {
    let is_first = input.season.player.as_deref() == Some(of.player_1.as_str());
    shown(if is_first { &of.player_2 } else { &of.player_1 }, NAME)
}

/// Most matches first, then decisions, then name.
pub(super) fn rivals(input: &PlayerInput<'_>) -> (Vec<Rival>, String) {
    let mut rows: Vec<&HeadToHeadRow> = input.study.head_to_head.iter().collect();
    rows.sort_by(|a, b| {
        (b.matches, b.decisions).cmp(&(a.matches, a.decisions)).then_with(|| a.opponent.cmp(&b.opponent))
    });
    let left = more(rows.len(), rows.len().min(OPPONENTS));
    (rows.iter().take(OPPONENTS).map(|row| rival(row)).collect(), left)
}

fn rival(row: &HeadToHeadRow) -> Rival {
    let level = Level { pr: row.pr, low: row.low, high: row.high, units: row.matches, decisions: row.decisions };
    // The table does not say in how many of three or more matches there was a counted decision.
    let unsaid = row.pr.is_some() && level.ends().is_none() && row.matches >= UNITS;
    let open = row.matches - row.wins - row.losses;
    Rival {
        name: shown(&row.opponent, NAME),
        href: page_name_player(&row.opponent),
        matches: format::count(row.matches),
        won_lost: match open {
            0 => format!("{}\u{2013}{}", row.wins, row.losses),
            open => format!("{}\u{2013}{}, {open} open", row.wins, row.losses),
        },
        decisions: format::count(row.decisions),
        pr: format::pr(row.pr),
        interval: if unsaid { "no interval".to_owned() } else { level.interval("matches") },
        thin: level.ends().is_none(),
        opponent_pr: format::pr(row.opponent_pr),
    }
}
