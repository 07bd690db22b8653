//! The season's index: who played how well, what came of it, every match, and what became of the files.
//!
//! Sentences about the order of players are made from the intervals and only where they are true. Lists too long for the
//! index continue on pages of their own, 500 rows each.

use super::charts::Scale;
use super::events::{EventLine, Standings, events, standings};
use super::markup::Markup;
use super::names::{NAME, PLACE, shown};
use super::order::{level_say, order};
use super::parts::{Head, LevelRow, Link, foot, level_of, to_academy, to_index, to_quality};
use super::quality::{StatusCount, by_status};
use super::{
    INDEX, MatchPages, News, Page, ReportFault, SeasonInput, Templates, format, page_name_player, parts, words,
};
use crate::tables::facts::MatchRow;
use crate::tables::marts::{PlayerSeasonRow, SeatRow};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of a list that the index shows; with more, the whole list has pages of its own (the index stays under 150 KB).
const PLAYERS_ON_INDEX: usize = 50;
const MATCHES_ON_INDEX: usize = 100;
/// Tournaments linked from the index; with more, the whole list has a page of its own.
const EVENTS_ON_INDEX: usize = 20;
/// Rows of a page that is only a list.
const ROWS_A_PAGE: usize = 500;

#[derive(Serialize)]
struct SeasonView {
    head: Head,
    foot: Vec<String>,
    grid: Markup,
    axis: Markup,
    level_say: Vec<String>,
    scope: String,
    levels: Vec<LevelRow>,
    results_say: String,
    results: Vec<ResultRow>,
    no_luck: bool,
    events: Vec<EventLine>,
    events_more: String,
    standings: Standings,
    news: News,
    matches: Vec<MatchItem>,
    matches_say: String,
    more: Vec<Link>,
    files_say: String,
    files: Vec<StatusCount>,
}

#[derive(Serialize)]
struct ListView {
    head: Head,
    foot: Vec<String>,
    rows: Listed,
    pages: Vec<Link>,
}

/// The rows of a page that is only a list; of one kind.
#[derive(Default, Serialize)]
struct Listed {
    results: Vec<ResultRow>,
    matches: Vec<MatchItem>,
    events: Vec<EventLine>,
}

#[derive(Serialize)]
struct ResultRow {
    place: String,
    name: String,
    href: String,
    matches: String,
    won_lost: String,
    decisions: String,
    pr: String,
    pr_checker: String,
    pr_cube: String,
    snowie: String,
    l7: String,
    l7_interval: String,
    blunders: String,
    luck: String,
}

/// A match in a list.
#[derive(Serialize)]
pub(super) struct MatchItem {
    date: String,
    event: String,
    players: String,
    href: Option<String>,
    score: String,
    prs: String,
}

/// The index, and the pages of the lists that it cannot hold whole.
///
/// # Errors
/// [`ReportFault`] when a template does not fit its view.
pub fn season_pages(templates: &Templates, input: &SeasonInput<'_>) -> Result<Vec<Page>, ReportFault> {
    let players = ordered_players(input.players);
    let matches = ordered_matches(input.matches);
    let list = List { input, prs: prs_by_match(input.figures) };
    let mut pages = Vec::new();
    let mut more = Vec::new();
    if players.len() > PLAYERS_ON_INDEX {
        let chunks: Vec<_> = players.chunks(ROWS_A_PAGE).collect();
        more.push(list.whole("players", players.len()));
        for (at, chunk) in chunks.iter().enumerate() {
            let rows = Listed { results: results(chunk, at * ROWS_A_PAGE), ..Listed::default() };
            pages.push(list.page(templates, ("players", at, chunks.len()), rows)?);
        }
    }
    if matches.len() > MATCHES_ON_INDEX {
        let chunks: Vec<_> = matches.chunks(ROWS_A_PAGE).collect();
        more.push(list.whole("matches", matches.len()));
        for (at, chunk) in chunks.iter().enumerate() {
            let rows = Listed { matches: chunk.iter().map(|row| list.item(row)).collect(), ..Listed::default() };
            pages.push(list.page(templates, ("matches", at, chunks.len()), rows)?);
        }
    }
    let mut events = events(input);
    if events.len() > EVENTS_ON_INDEX {
        let of = events.len().div_ceil(ROWS_A_PAGE);
        for at in 0..of {
            let rest = events.split_off(events.len().min(ROWS_A_PAGE));
            let rows = Listed { events: std::mem::replace(&mut events, rest), ..Listed::default() };
            pages.push(list.page(templates, ("tournaments", at, of), rows)?);
        }
    }
    let view = index(&list, &players, &matches, more);
    pages.insert(0, templates.page("season.html", INDEX.to_owned(), &view)?);
    Ok(pages)
}

/// PR ascending, players without a counted decision last; ties: more decisions, name (`metrics.md` 17).
fn ordered_players(rows: &[PlayerSeasonRow]) -> Vec<&PlayerSeasonRow> {
    let mut players: Vec<&PlayerSeasonRow> = rows.iter().filter(|row| row.player.is_some()).collect();
    players.sort_by(|a, b| {
        let pr = |row: &PlayerSeasonRow| row.pr.unwrap_or(f64::INFINITY);
        pr(a).total_cmp(&pr(b)).then(b.decisions.cmp(&a.decisions)).then(a.player.cmp(&b.player))
    });
    players
}

/// Latest first, undated last; then event, round with its digits read as numbers, match id.
pub(super) fn ordered_matches<'a>(rows: impl IntoIterator<Item = &'a MatchRow>) -> Vec<&'a MatchRow> {
    let mut matches: Vec<&MatchRow> = rows.into_iter().collect();
    matches.sort_by_cached_key(|row| {
        (Reverse(row.date), row.event.clone(), row.round.as_deref().map(natural), row.match_id.clone())
    });
    matches
}

/// A text cut into words and numbers, so that round 10 follows round 9.
fn natural(text: &str) -> Vec<(String, u64)> {
    let mut parts: Vec<(String, u64)> = vec![(String::new(), 0)];
    let mut in_number = false;
    for c in text.chars().take(PLACE) {
        match (c.to_digit(10), parts.last_mut()) {
            (Some(digit), Some(last)) => {
                last.1 = last.1.saturating_mul(10).saturating_add(u64::from(digit));
                in_number = true;
            }
            (None, Some(last)) if !in_number => last.0.push(c),
            _ => {
                parts.push((c.to_string(), 0));
                in_number = false;
            }
        }
    }
    parts
}

/// The PR of each seat, by match.
pub(super) type Prs<'a> = BTreeMap<&'a str, [Option<f64>; 2]>;

pub(super) fn prs_by_match<'a>(figures: impl IntoIterator<Item = &'a SeatRow>) -> Prs<'a> {
    let mut prs = Prs::new();
    for row in figures {
        let entry = prs.entry(&row.match_id).or_default();
        match row.seat {
            Some(1) => entry[0] = row.pr,
            Some(2) => entry[1] = row.pr,
            _ => {}
        }
    }
    prs
}

struct List<'a> {
    input: &'a SeasonInput<'a>,
    prs: Prs<'a>,
}

impl List<'_> {
    fn item(&self, row: &MatchRow) -> MatchItem {
        match_item(row, &self.prs, self.input.pages)
    }

    fn whole(&self, kind: &str, n: usize) -> Link {
        let n = format::count(i64::try_from(n).unwrap_or(i64::MAX));
        Link { label: format!("All {n} {kind}"), href: Some(format!("{kind}-1.html")) }
    }

    fn page(
        &self,
        templates: &Templates,
        (kind, at, of): (&str, usize, usize),
        rows: Listed,
    ) -> Result<Page, ReportFault> {
        let season = shown(self.input.season, NAME);
        let heading = format!("{}, page {} of {of}", words::sentence(kind), at + 1);
        let view = ListView {
            head: Head {
                title: format!("{heading} \u{b7} season {season} \u{b7} Portes"),
                description: format!("All {kind} of season {season}"),
                links: vec![to_index(self.input.season), to_quality()],
                here: words::sentence(kind),
                kicker: format!("Season {season}"),
                heading,
                standfirst: String::new(),
            },
            foot: foot(self.input.colophon),
            rows,
            pages: (0..of)
                .map(|other| Link {
                    label: format!("{}", other + 1),
                    href: (other != at).then(|| format!("{kind}-{}.html", other + 1)),
                })
                .collect(),
        };
        templates.page("list.html", format!("{kind}-{}.html", at + 1), &view)
    }
}

/// A match as a line of a list.
pub(super) fn match_item(row: &MatchRow, prs: &Prs<'_>, pages: MatchPages<'_>) -> MatchItem {
    let prs = prs.get(row.match_id.as_str()).copied().unwrap_or_default();
    MatchItem {
        date: format::date(row.date),
        event: event(row),
        players: format!("{} \u{2013} {}", shown(&row.player_1, NAME), shown(&row.player_2, NAME)),
        href: pages.link(row),
        score: score(row),
        prs: format!("{} / {}", format::pr(prs[0]), format::pr(prs[1])),
    }
}

/// `Lantern Open · Semi-final 2`.
pub(super) fn event(row: &MatchRow) -> String {
    let parts: Vec<String> = [&row.event, &row.round]
        .into_iter()
        .flatten()
        .filter(|text| !text.trim().is_empty())
        .map(|text| shown(text, PLACE))
        .collect();
    if parts.is_empty() { format::ABSENT.to_owned() } else { parts.join(" \u{b7} ") }
}

/// `7–5 to 7`, `4–2 to 9, unfinished`, `12–8 money`.
pub(super) fn score(row: &MatchRow) -> String {
    let length = match (row.play.as_str(), row.length) {
        ("money", _) | (_, None) => "money".to_owned(),
        (_, Some(length)) => format!("to {}", format::count(length)),
    };
    let end = if row.finished { "" } else { ", unfinished" };
    let [first, second] = points(row).map(format::count);
    format!("{first}\u{2013}{second} {length}{end}")
}

/// Points by seat. A match ends at its length: what a last game was worth beyond it is in the tables and in the list of
/// games, and not in the score.
pub(super) fn points(row: &MatchRow) -> [i64; 2] {
    let most = row.length.filter(|_| row.play != "money").unwrap_or(i64::MAX);
    [row.score_1, row.score_2].map(|points| points.min(most))
}

/// The score with one seat's points first.
pub(super) fn score_of(of: &MatchRow, seat: Option<i64>) -> String {
    if seat == Some(2) {
        return score(&MatchRow { score_1: of.score_2, score_2: of.score_1, ..of.clone() });
    }
    score(of)
}

fn index(list: &List<'_>, players: &[&PlayerSeasonRow], matches: &[&MatchRow], more: Vec<Link>) -> SeasonView {
    let input = list.input;
    let season = shown(input.season, NAME);
    let mut events = events(input);
    let all_events = events.len();
    events.truncate(EVENTS_ON_INDEX);
    let figures: Vec<f64> = players.iter().filter_map(|row| row.pr).collect();
    let scale = Scale::of(&figures);
    SeasonView {
        head: Head {
            title: format!("Season {season} \u{b7} Portes"),
            description: format!("Season {season}: level, results and matches of {} players", players.len()),
            links: around(input),
            here: format!("Season {season}"),
            kicker: period(matches),
            heading: format!("Season {season}"),
            standfirst: standfirst(players, matches),
        },
        foot: foot(input.colophon),
        grid: scale.grid(),
        axis: scale.axis(),
        scope: scope(input, matches),
        levels: players.iter().take(PLAYERS_ON_INDEX).map(|row| level_row(row, scale)).collect(),
        level_say: level_say(input, players),
        results_say: results_say(players),
        no_luck: players.iter().all(|row| row.luck_rolls == 0),
        results: results(&players[..players.len().min(PLAYERS_ON_INDEX)], 0),
        events_more: match all_events.saturating_sub(events.len()) {
            0 => String::new(),
            _ => format!("All {} tournaments", format::size(all_events)),
        },
        events,
        standings: standings(input),
        news: input.news.clone(),
        matches: matches.iter().take(MATCHES_ON_INDEX).map(|row| list.item(row)).collect(),
        matches_say: matches_say(matches, input.pages),
        more,
        files_say: by_status(input.sources).1,
        files: by_status(input.sources).0,
    }
}

/// The pages beside the index.
fn around(input: &SeasonInput<'_>) -> Vec<Link> {
    let academy = input.academy.then(to_academy);
    academy.into_iter().chain([to_quality()]).collect()
}

fn level_row(row: &PlayerSeasonRow, scale: Scale) -> LevelRow {
    let name = row.player.as_deref().unwrap_or_default();
    let mut level = level_of!(row).row(shown(name, NAME), "matches", scale);
    level.href = Some(page_name_player(name));
    level
}

fn results(players: &[&PlayerSeasonRow], before: usize) -> Vec<ResultRow> {
    let row = |(at, row): (usize, &&PlayerSeasonRow)| {
        let name = row.player.as_deref().unwrap_or_default();
        ResultRow {
            place: if row.pr.is_some() { (before + at + 1).to_string() } else { format::ABSENT.to_owned() },
            name: shown(name, NAME),
            href: page_name_player(name),
            matches: format::count(row.matches),
            won_lost: won_lost(row),
            decisions: format::count(row.decisions),
            pr: format::pr(row.pr),
            pr_checker: format::pr(row.pr_checker),
            pr_cube: format::pr(row.pr_cube),
            snowie: format::pr(row.snowie),
            l7: format::l7(row.l7),
            l7_interval: format::l7_interval(row.l7_low, row.l7_high),
            blunders: format::count(row.blunders),
            luck: format::luck_per_roll(row.luck, row.luck_rolls),
        }
    };
    players.iter().enumerate().map(row).collect()
}

/// `9–7`, with what has no result.
pub(super) fn won_lost(row: &PlayerSeasonRow) -> String {
    let (Some(wins), Some(losses)) = (row.wins, row.losses) else { return format::ABSENT.to_owned() };
    match row.matches - wins - losses {
        0 => format!("{wins}\u{2013}{losses}"),
        open => format!("{wins}\u{2013}{losses}, {open} open"),
    }
}

pub(super) fn period(matches: &[&MatchRow]) -> String {
    let dates: BTreeSet<_> = matches.iter().filter_map(|row| row.date).collect();
    match (dates.first(), dates.last()) {
        (Some(first), Some(last)) if first != last => {
            format!("{} to {}", format::date(Some(*first)), format::date(Some(*last)))
        }
        (Some(only), _) => format::date(Some(*only)),
        _ => "No match is dated".to_owned(),
    }
}

fn scope(input: &SeasonInput<'_>, matches: &[&MatchRow]) -> String {
    let events: BTreeSet<&str> = matches.iter().filter_map(|row| row.event.as_deref()).collect();
    let undated = matches.iter().filter(|row| row.date.is_none()).count();
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let mut text = format!(
        "{}, {}, {}. Both kinds of decision.",
        words::sentence(&words::counted(count(matches.len()), "match", "matches")),
        words::counted(count(events.len()), "tournament", "tournaments"),
        lengths(matches),
    );
    if undated > 0 {
        text.push_str(&format!(
            " {} undated.",
            words::sentence(&words::counted(count(undated), "match is", "matches are"))
        ));
    }
    if let Some(both) = input.players.iter().find(|row| row.player.is_none()) {
        text.push(' ');
        text.push_str(&parts::coverage_of!(both).line());
    }
    text
}

/// `1 to 11 points and money`.
pub(super) fn lengths(matches: &[&MatchRow]) -> String {
    let points: BTreeSet<i64> = matches.iter().filter(|row| row.play != "money").filter_map(|row| row.length).collect();
    let money = matches.iter().any(|row| row.play == "money");
    let span = match (points.first(), points.last()) {
        (Some(first), Some(last)) if first != last => format!("{first} to {last} points"),
        (Some(1), _) => "1 point".to_owned(),
        (Some(only), _) => format!("{only} points"),
        _ => return if money { "money".to_owned() } else { "no length".to_owned() },
    };
    if money { format!("{span} and money") } else { span }
}

fn standfirst(players: &[&PlayerSeasonRow], matches: &[&MatchRow]) -> String {
    if matches.is_empty() {
        return "No match of this season is in the tables.".to_owned();
    }
    if players.iter().all(|row| row.pr.is_none()) {
        return "No counted decision: PR is undefined.".to_owned();
    }
    order(players).join(" ")
}

/// Best record, and whose play it was not.
fn results_say(players: &[&PlayerSeasonRow]) -> String {
    let share = |row: &PlayerSeasonRow| {
        let (wins, losses) = (row.wins?, row.losses?);
        (wins + losses > 0).then(|| wins as f64 / (wins + losses) as f64)
    };
    let best = players
        .iter()
        .enumerate()
        .filter_map(|(at, row)| Some((at, row, share(row)?)))
        .max_by(|a, b| a.2.total_cmp(&b.2).then(a.1.wins.cmp(&b.1.wins)).then(b.0.cmp(&a.0)));
    let Some((at, row, _)) = best else { return "No match has a result.".to_owned() };
    let wins = row.wins.unwrap_or(0);
    let mut text = format!(
        "{} won {} of {}",
        shown(row.player.as_deref().unwrap_or_default(), NAME),
        format::count(wins),
        format::count(wins + row.losses.unwrap_or(0)),
    );
    if row.pr.is_some() && players.len() > 1 {
        let place = match at {
            0 => "with the lowest PR".to_owned(),
            _ => format!(
                "with the {} PR of {}",
                words::ordinal(at + 1),
                players.iter().filter(|row| row.pr.is_some()).count()
            ),
        };
        text.push_str(&format!(", {place}"));
    }
    if row.luck_rolls > 0 {
        let luck = format::luck_per_roll(row.luck, row.luck_rolls);
        text.push_str(&format!("; the dice gave {luck} mpt a roll"));
    }
    text.push('.');
    text
}

fn matches_say(matches: &[&MatchRow], pages: MatchPages<'_>) -> String {
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let linked = matches.iter().filter(|row| pages.link(row).is_some()).count();
    let mut text = format!("{}.", words::sentence(&words::counted(count(matches.len()), "match", "matches")));
    if matches.len() > MATCHES_ON_INDEX {
        text.push_str(&format!(" The latest {MATCHES_ON_INDEX} are here."));
    }
    match linked {
        n if n == matches.len() => {}
        0 => text.push_str(" None has a page of its own."),
        n => text.push_str(&format!(" {} with a page of their own are linked.", format::count(count(n)))),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_ends_at_the_length_of_the_match_and_nowhere_in_money_play() {
        let row = |play: &str, length| MatchRow {
            play: play.to_owned(),
            length,
            score_1: 0,
            score_2: 3,
            finished: true,
            ..MatchRow::default()
        };
        assert_eq!(score(&row("points", Some(1))), "0\u{2013}1 to 1");
        assert_eq!(score_of(&row("points", Some(2)), Some(2)), "2\u{2013}0 to 2");
        assert_eq!(score(&row("points", Some(7))), "0\u{2013}3 to 7");
        assert_eq!(score(&row("money", None)), "0\u{2013}3 money");
    }

    #[test]
    fn round_ten_follows_round_nine() {
        assert!(natural("Round 9") < natural("Round 10"));
        assert!(natural("Quarter 2") < natural("Semi 1"));
    }
}
