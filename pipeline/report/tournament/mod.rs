//! A tournament: how well everybody played in it, whether the reference player played at the usual level, where it
//! slipped, and the same for every other player, folded (`product-views.md` 9).
//!
//! Comparisons and verdicts are the table's. Under a verdict that says nothing the figures stand all the same.

mod review;

use super::charts::Scale;
use super::markup::Markup;
use super::names::{NAME, PLACE, shown};
use super::parts::{Head, Level, LevelRow, foot, more, to_index, to_quality};
use super::season::{MatchItem, lengths, match_item, ordered_matches, period, prs_by_match};
use super::{Page, ReportFault, Templates, TournamentInput, format, page_name_player, page_name_tournament, words};
use crate::tables::facts::MatchRow;
use crate::tables::study_marts::{PlacesPointsRow, StudyTotalsRow, TournamentFamilyRow, TournamentReviewRow};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Players whose whole review is on the page besides the reference player's: about 12 KB each.
const REVIEWS: usize = 40;
/// Rows of the lists.
const PLAYERS: usize = 200;
const MATCHES: usize = 500;
const PLACES: usize = 200;
/// Study families shown.
const FAMILIES: usize = 3;

#[derive(Serialize)]
struct TournamentView {
    head: Head,
    foot: Vec<String>,
    grid: Markup,
    axis: Markup,
    levels: Vec<LevelRow>,
    levels_more: String,
    scope: String,
    /// The reference player's; null when nobody has a review.
    review: Option<review::Review>,
    reference: String,
    others: Vec<review::Review>,
    others_more: String,
    study: Study,
    places: Vec<PlaceLine>,
    places_more: String,
    matches: Vec<MatchItem>,
    matches_more: String,
}

#[derive(Serialize)]
struct Study {
    say: String,
    /// What no family holds.
    note: String,
    families: Vec<Family>,
}

#[derive(Serialize)]
struct Family {
    rank: String,
    name: String,
    errors: String,
    recoverable: String,
    interval: String,
}

#[derive(Serialize)]
struct PlaceLine {
    place: String,
    name: String,
    href: Option<String>,
    points: String,
}

/// A player's rows, and where he stands.
struct Reviewed<'a> {
    player: &'a str,
    rows: Vec<&'a TournamentReviewRow>,
}

impl<'a> Reviewed<'a> {
    fn overall(&self, measure: &str) -> Option<&'a TournamentReviewRow> {
        self.rows.iter().copied().find(|row| row.scope == "overall" && row.measure == measure)
    }

    fn scope(&self, scope: &str) -> Vec<&'a TournamentReviewRow> {
        let mut rows: Vec<&TournamentReviewRow> =
            self.rows.iter().copied().filter(|row| row.scope == scope && row.measure == "pr").collect();
        rows.sort_by(|a, b| a.position.cmp(&b.position).then_with(|| a.cell.cmp(&b.cell)));
        rows
    }

    fn level(&self) -> Level {
        let overall = self.overall("pr");
        let played = self.scope("round").iter().filter(|row| row.decisions > 0).count();
        Level {
            pr: overall.and_then(|row| row.value),
            low: overall.and_then(|row| row.value_low),
            high: overall.and_then(|row| row.value_high),
            units: i64::try_from(played).unwrap_or(i64::MAX),
            decisions: overall.map_or(0, |row| row.decisions),
        }
    }
}

/// A tournament's page.
///
/// # Errors
/// [`ReportFault`] when a template does not fit its view.
pub fn tournament_page(templates: &Templates, input: &TournamentInput<'_>) -> Result<Page, ReportFault> {
    let players = reviewed(input.reviews);
    let reference = players.iter().find(|of| of.rows.iter().any(|row| row.reference)).or(players.first());
    let figures: Vec<f64> = players.iter().filter_map(|of| of.level().pr).collect();
    let scale = Scale::of(&figures);
    let matches = ordered_matches(input.matches.iter().copied());
    let others: Vec<&Reviewed<'_>> =
        players.iter().filter(|of| reference.is_none_or(|reference| of.player != reference.player)).collect();
    let desk = review::Desk::new(input);
    let mut places: Vec<&PlacesPointsRow> = input.places.iter().collect();
    places.sort_by(|a, b| a.place.cmp(&b.place).then_with(|| a.player.cmp(&b.player)));
    let named: BTreeSet<&str> = players.iter().map(|of| of.player).collect();
    let prs = prs_by_match(input.figures.iter().copied());
    let view = TournamentView {
        head: head(input, reference, &matches),
        foot: foot(input.colophon),
        grid: scale.grid(),
        axis: scale.axis(),
        levels: players.iter().take(PLAYERS).map(|of| level_row(of, scale)).collect(),
        levels_more: more(players.len(), players.len().min(PLAYERS)),
        scope: scope(&matches, players.len()),
        reference: reference.map_or_else(String::new, |of| shown(of.player, NAME)),
        review: reference.map(|of| desk.review(of)),
        others_more: more(others.len(), others.len().min(REVIEWS)),
        others: others.iter().take(REVIEWS).map(|of| desk.review(of)).collect(),
        study: study(input),
        places_more: more(places.len(), places.len().min(PLACES)),
        places: places.iter().take(PLACES).map(|row| place(row, &named)).collect(),
        matches_more: more(matches.len(), matches.len().min(MATCHES)),
        matches: matches.iter().take(MATCHES).map(|row| match_item(row, &prs, input.pages)).collect(),
    };
    templates.page("tournament.html", page_name_tournament(input.event), &view)
}

/// Best PR first, players without a counted decision last; ties: more decisions, name.
fn reviewed(rows: &[TournamentReviewRow]) -> Vec<Reviewed<'_>> {
    let mut by_player: BTreeMap<&str, Vec<&TournamentReviewRow>> = BTreeMap::new();
    for row in rows {
        by_player.entry(&row.player).or_default().push(row);
    }
    let mut players: Vec<Reviewed<'_>> =
        by_player.into_iter().map(|(player, rows)| Reviewed { player, rows }).collect();
    players.sort_by(|a, b| {
        let (a, b) = (a.level(), b.level());
        let pr = |level: Level| level.pr.unwrap_or(f64::INFINITY);
        pr(a).total_cmp(&pr(b)).then(b.decisions.cmp(&a.decisions))
    });
    players
}

fn level_row(of: &Reviewed<'_>, scale: Scale) -> LevelRow {
    let mut row = of.level().row(shown(of.player, NAME), "matches", scale);
    row.href = Some(page_name_player(of.player));
    row
}

fn head(input: &TournamentInput<'_>, reference: Option<&Reviewed<'_>>, matches: &[&MatchRow]) -> Head {
    let (season, event) = (shown(input.season, NAME), shown(input.event, PLACE));
    Head {
        title: format!("{event} \u{b7} season {season} \u{b7} Portes"),
        description: format!("{event}, season {season}: level of every player, rounds, against the usual level"),
        links: vec![to_index(input.season), to_quality()],
        here: event.clone(),
        kicker: format!("Tournament, season {season} \u{b7} {}", period(matches)),
        heading: event,
        standfirst: match reference {
            Some(of) => review::verdict_say(of),
            None => "No player of this tournament has a review.".to_owned(),
        },
    }
}

fn scope(matches: &[&MatchRow], players: usize) -> String {
    let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let undated = matches.iter().filter(|row| row.date.is_none()).count();
    let mut text = format!(
        "{}, {}, {}.",
        words::sentence(&words::counted(number(players), "player", "players")),
        words::counted(number(matches.len()), "match", "matches"),
        lengths(matches),
    );
    if undated > 0 {
        text.push_str(&format!(
            " {} undated.",
            words::sentence(&words::counted(number(undated), "match is", "matches are"))
        ));
    }
    text
}

/// At most three families, and how many are to be confirmed.
fn study(input: &TournamentInput<'_>) -> Study {
    let rows = input.families;
    let mut established: Vec<&TournamentFamilyRow> = rows.iter().filter(|row| row.rank.is_some()).collect();
    established.sort_by_key(|row| row.rank);
    let tentative = i64::try_from(rows.len() - established.len()).unwrap_or(i64::MAX);
    let to_confirm = words::counted(tentative, "family", "families");
    let say = match (established.len(), tentative) {
        (0, 0) => "No family of errors: nothing at or above the threshold has a theme and a price.".to_owned(),
        (0, _) => format!("Nothing is established by this tournament alone: {to_confirm} to confirm."),
        (_, 0) => "Established by this tournament alone.".to_owned(),
        _ => format!("Established by this tournament alone; {to_confirm} to confirm."),
    };
    let family = |row: &&TournamentFamilyRow| Family {
        rank: row.rank.map_or_else(String::new, |rank| rank.to_string()),
        name: words::family(&row.plan, &row.nature, &row.theme),
        errors: format::count(row.members),
        recoverable: format::signed_points(Some(row.recoverable)),
        interval: format::signed_interval(Some(row.low * 100.0), Some(row.high * 100.0), 2),
    };
    Study {
        say,
        note: input.totals.map_or_else(String::new, left_out),
        families: established.iter().take(FAMILIES).map(family).collect(),
    }
}

/// What no family holds (`metrics.md` 12.1).
fn left_out(row: &StudyTotalsRow) -> String {
    match (row.errors, row.unthemed, row.unpriced) {
        (0, ..) => String::new(),
        (errors, unthemed, unpriced) => format!(
            "Of {}, {} without a theme and {} without a price are in no family.",
            words::counted(errors, "error", "errors"),
            format::count(unthemed),
            format::count(unpriced),
        ),
    }
}

fn place(row: &PlacesPointsRow, named: &BTreeSet<&str>) -> PlaceLine {
    PlaceLine {
        place: row.place.to_string(),
        name: shown(&row.player, NAME),
        // A player of the list of places may have no match in the files.
        href: named.contains(row.player.as_str()).then(|| page_name_player(&row.player)),
        points: format::place_points(Some(row.points)),
    }
}
