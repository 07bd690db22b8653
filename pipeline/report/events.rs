//! The season's tournaments and standings, for its index.

use super::names::{NAME, PLACE, shown};
use super::parts::more;
use super::{SeasonInput, format, page_name_player, page_name_tournament};
use crate::tables::facts::MatchRow;
use crate::tables::row::Day;
use crate::tables::study_marts::{PlacesPointsRow, StandingRow, TournamentReviewRow};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of the standings: the table of results repeats them but for the points.
const STANDINGS: usize = 30;
/// Events named in a line of the standings.
const EVENTS_A_LINE: usize = 8;

/// A tournament in the list.
#[derive(Serialize)]
pub(super) struct EventLine {
    name: String,
    href: String,
    date: String,
    matches: String,
    player: String,
    player_href: String,
    pr: String,
    interval: String,
    decisions: String,
}

/// The standings; without lines where neither points nor ratings are known.
#[derive(Default, Serialize)]
pub(super) struct Standings {
    say: &'static str,
    /// Some player has points, or a rating.
    pointed: bool,
    rated: bool,
    rows: Vec<StandingLine>,
    more: String,
}

/// A player in the standings.
#[derive(Serialize)]
struct StandingLine {
    rank: String,
    name: String,
    href: String,
    points: String,
    best: String,
    places: String,
    won_lost: String,
    pr: String,
    rating: String,
}

/// Latest first, undated last, then name.
pub(super) fn events(input: &SeasonInput<'_>) -> Vec<EventLine> {
    let mut matches: BTreeMap<&str, Vec<&MatchRow>> = BTreeMap::new();
    for row in input.matches {
        if let Some(event) = &row.event {
            matches.entry(event).or_default().push(row);
        }
    }
    let reference = |row: &&TournamentReviewRow| row.reference && row.scope == "overall" && row.measure == "pr";
    let mut rows: Vec<(Option<Day>, &TournamentReviewRow)> = input
        .tournaments
        .iter()
        .filter(reference)
        .map(|row| (matches.get(row.event.as_str()).and_then(|of| first_day(of)), row))
        .collect();
    rows.sort_by(|a, b| Reverse(a.0).cmp(&Reverse(b.0)).then_with(|| a.1.event.cmp(&b.1.event)));
    let line = |(date, row): &(Option<Day>, &TournamentReviewRow)| EventLine {
        name: shown(&row.event, PLACE),
        href: page_name_tournament(&row.event),
        date: format::date(*date),
        matches: format::size(matches.get(row.event.as_str()).map_or(0, Vec::len)),
        player: shown(&row.player, NAME),
        player_href: page_name_player(&row.player),
        pr: format::pr(row.value),
        interval: match (row.value, format::interval(row.value_low, row.value_high, 2)) {
            (None, _) => "no decision".to_owned(),
            (_, text) if text.is_empty() => "no interval".to_owned(),
            (_, text) => text,
        },
        decisions: format::count(row.decisions),
    };
    rows.iter().map(line).collect()
}

fn first_day(matches: &[&MatchRow]) -> Option<Day> {
    matches.iter().filter_map(|row| row.date).min()
}

/// By rank, which is by place points where the season has places, else by PR (`metrics.md` 17 and 22); players without one
/// last, by name.
pub(super) fn standings(input: &SeasonInput<'_>) -> Standings {
    let pointed = input.standings.iter().any(|row| row.points.is_some());
    let rated = input.standings.iter().any(|row| row.club_elo.is_some());
    let say = match (pointed, rated) {
        (false, false) => return Standings::default(),
        (true, false) => "By the points for final places.",
        (false, true) => "By PR; the rating (results) stands beside it and does not enter the order.",
        (true, true) => "By the points for final places; PR and the rating (results) stand beside them.",
    };
    let mut places: BTreeMap<&str, Vec<&PlacesPointsRow>> = BTreeMap::new();
    for row in input.places {
        places.entry(&row.player).or_default().push(row);
    }
    let played: BTreeSet<&str> = input.players.iter().filter_map(|row| row.player.as_deref()).collect();
    let mut rows: Vec<&StandingRow> = input.standings.iter().collect();
    rows.sort_by(|a, b| {
        (a.rank.is_none(), a.rank).cmp(&(b.rank.is_none(), b.rank)).then_with(|| a.player.cmp(&b.player))
    });
    let line = |row: &&StandingRow| StandingLine {
        rank: row.rank.map_or_else(|| format::ABSENT.to_owned(), format::count),
        name: shown(&row.player, NAME),
        href: if played.contains(row.player.as_str()) { page_name_player(&row.player) } else { String::new() },
        points: format::place_points(row.points),
        best: row.best_place.map_or_else(|| format::ABSENT.to_owned(), format::count),
        places: places.get(row.player.as_str()).map_or_else(|| format::ABSENT.to_owned(), |of| places_of(of)),
        won_lost: format!("{}\u{2013}{}", row.wins, row.losses),
        pr: format::pr(row.pr),
        rating: row.club_elo.map_or_else(|| format::ABSENT.to_owned(), |elo| format::fixed(elo, 0)),
    };
    let shown = rows.len().min(STANDINGS);
    Standings { say, pointed, rated, more: more(rows.len(), shown), rows: rows[..shown].iter().map(line).collect() }
}

/// `Granary Cup 1, Lantern Open 3`.
fn places_of(rows: &[&PlacesPointsRow]) -> String {
    let mut rows: Vec<&PlacesPointsRow> = rows.to_vec();
    rows.sort_by(|a, b| a.event.cmp(&b.event));
    let mut named: Vec<String> =
        rows.iter().take(EVENTS_A_LINE).map(|row| format!("{} {}", shown(&row.event, NAME), row.place)).collect();
    if rows.len() > EVENTS_A_LINE {
        named.push(format!("{} more", rows.len() - EVENTS_A_LINE));
    }
    named.join(", ")
}
