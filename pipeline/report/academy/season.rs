//! The season in figures: contests, proposals by what became of them, ratings, the measures of the game, and what the
//! data does not show.

use super::super::charts::course::course;
use super::super::markup::Markup;
use super::super::names::{NAME, PATH, shown};
use super::super::parts::more;
use super::super::{format, words};
use super::{BACKGAMMON, Desk, number};
use crate::tables::academy::{AcademyMeasureRow, AcademyPlayerRow, AcademyRatingRow};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Players of the table of ratings; the others are in the tables.
const RATED: usize = 60;

/// Formats of files that hold contests and nothing else, and how many of them are told of.
const CONTEST_FILES: [&str; 2] = ["contests", "pdn"];
const FILES: usize = 20;

/// The section.
#[derive(Serialize)]
pub(super) struct Season {
    say: Vec<String>,
    ratings: Vec<Rated>,
    ratings_more: String,
    measures: Vec<Measure>,
}

/// A player's rating and how he came to it.
#[derive(Serialize)]
struct Rated {
    name: String,
    href: Option<String>,
    rating: String,
    change: String,
    experience: String,
    games: String,
    course: Markup,
}

/// A measure of the game.
#[derive(Serialize)]
pub(super) struct Measure {
    name: &'static str,
    value: String,
    /// Counted, an estimate or a lower bound.
    kind: String,
    rests_on: String,
    meaning: &'static str,
}

/// What one sentence tells of the season.
pub(super) fn standfirst(desk: &Desk<'_>) -> String {
    let filed = status(desk, "filed");
    if filed == 0 {
        return match elsewhere(desk) {
            0 => "No game of this season has a result, so nothing was learnt from it.".to_owned(),
            contests => format!(
                "No game of backgammon of this season has a result, so nothing was learnt of backgammon; {} filed.",
                words::counted(contests, "contest of another game was", "contests of other games were"),
            ),
        };
    }
    let (nodes, most) = (nodes(desk), desk.input.most_nodes);
    // What left for want of room was the worst for its depth: deep lines, and poor ones. Nodes are numbered as they come.
    let left = desk.input.tree.iter().any(|row| row.game == BACKGAMMON && row.node > number(nodes));
    let full = if left && nodes >= most { ", the most it keeps (deep and poor lines gave way)," } else { "" };
    let knows = desk.input.patterns.iter().filter(|row| row.game == BACKGAMMON).count();
    format!(
        "{} taught the club something: it now knows {}{full} and {} by heart.",
        words::sentence(&words::counted(filed, "game", "games")),
        words::counted(number(nodes), "opening position", "opening positions"),
        words::counted(number(knows), "pattern", "patterns"),
    )
}

/// Nodes of the tree of backgammon, the starting position left out.
fn nodes(desk: &Desk<'_>) -> usize {
    desk.input.tree.iter().filter(|row| row.game == BACKGAMMON && row.depth > 0).count()
}

/// Contests of other games that were filed.
fn elsewhere(desk: &Desk<'_>) -> i64 {
    let contests = desk.input.contests.iter().filter(|row| row.game != BACKGAMMON);
    number(contests.filter(|row| row.status == "filed").count())
}

fn status(desk: &Desk<'_>, status: &str) -> i64 {
    let contests = desk.input.contests.iter().filter(|row| row.game == BACKGAMMON);
    number(contests.filter(|row| row.status == status).count())
}

/// The section.
pub(super) fn season(desk: &Desk<'_>) -> Season {
    let (ratings, ratings_more) = ratings(desk);
    Season { say: say(desk), ratings, ratings_more, measures: measures(desk, BACKGAMMON) }
}

fn say(desk: &Desk<'_>) -> Vec<String> {
    let filed = status(desk, "filed");
    let (one, many) = match (filed, elsewhere(desk)) {
        (0, 1..) => ("game of backgammon was", "games of backgammon were"),
        _ => ("game was", "games were"),
    };
    let mut said = vec![format!(
        "{} filed{}{}.",
        words::sentence(&words::counted(filed, one, many)),
        left_out(status(desk, "unfinished"), "without a result"),
        left_out(status(desk, "edited"), "with a position set up on the way"),
    )];
    let filings = desk.input.filings;
    let of = |outcome: &str| number(filings.ended(BACKGAMMON, outcome));
    let [matched, covered, narrowed, new, left] = ["match", "generalise", "specialise", "insert", "evicted"].map(of);
    let all = matched + covered + narrowed + new;
    if all > 0 {
        said.push(format!(
            "{} made: {} met a known pattern as it stood, {} one that covers it ({} of these after widening it), {} narrowed one, {} brought a new one; {} left for want of room.",
            words::sentence(&words::counted(all, "proposal was", "proposals were")),
            format::count(matched),
            format::count(covered),
            format::count(number(filings.widened())),
            format::count(narrowed),
            format::count(new),
            words::counted(left, "pattern", "patterns"),
        ));
    }
    said
}

fn left_out(n: i64, why: &str) -> String {
    if n == 0 { String::new() } else { format!("; {} {why} left out", format::count(n)) }
}

/// Who played this season, highest rating first; ties by name.
fn ratings(desk: &Desk<'_>) -> (Vec<Rated>, String) {
    let mut games: HashMap<&str, i64> = HashMap::new();
    for contest in desk.input.contests.iter().filter(|row| row.game == BACKGAMMON && row.status == "filed") {
        for player in [contest.first, contest.second] {
            *games.entry(player).or_default() += 1;
        }
    }
    let mut players: Vec<&AcademyPlayerRow> = desk
        .input
        .players
        .iter()
        .filter(|row| row.game == BACKGAMMON && row.rating.is_some() && games.contains_key(row.player.as_str()))
        .collect();
    players.sort_by(|a, b| {
        let rating = |row: &AcademyPlayerRow| row.rating.unwrap_or(f64::NEG_INFINITY);
        rating(b).total_cmp(&rating(a)).then_with(|| a.player.cmp(&b.player))
    });
    let courses = courses(desk.input.ratings);
    let rows: Vec<Rated> = players
        .iter()
        .take(RATED)
        .map(|row| {
            let course = courses.get(row.player.as_str()).map_or(&[][..], Vec::as_slice);
            rated(desk, row, (course, games.get(row.player.as_str()).copied().unwrap_or(0)))
        })
        .collect();
    (rows, more(players.len(), players.len().min(RATED)))
}

fn rated(desk: &Desk<'_>, row: &AcademyPlayerRow, (ratings, games): (&[f64], i64)) -> Rated {
    let change = ratings.first().zip(ratings.last()).map(|(first, last)| last - first);
    Rated {
        name: shown(&row.player, NAME),
        href: desk.page_of(&row.player),
        rating: row.rating.map_or_else(|| format::ABSENT.to_owned(), |rating| format::fixed(rating, 0)),
        change: change.map_or_else(|| format::ABSENT.to_owned(), |change| format::signed(change, 0)),
        experience: format::count(row.experience),
        games: format::count(games),
        course: course(ratings),
    }
}

/// The ratings of each player of backgammon in the order in which they moved, the one he began with first.
pub(super) fn courses(ratings: &[AcademyRatingRow]) -> BTreeMap<&str, Vec<f64>> {
    let mut rows: Vec<&AcademyRatingRow> = ratings.iter().filter(|row| row.game == BACKGAMMON).collect();
    rows.sort_by_key(|row| (row.position, row.match_id.as_str()));
    let mut courses: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let course = courses.entry(&row.player).or_default();
        if course.is_empty() {
            course.push(row.before);
        }
        course.push(row.after);
    }
    courses
}

/// Name, decimals and meaning of the measures, in the order they are told.
const MEASURES: [(&str, &str, u32, &str); 14] = [
    ("length_mean", "Length, mean", 1, "turns in a game, both players together"),
    ("length_median", "Length, median", 1, "half of the games are longer"),
    ("length_shortest", "Length, shortest", 0, ""),
    ("length_longest", "Length, longest", 0, ""),
    ("won_by_first", "Won by who began", 0, "games"),
    ("drawn", "Drawn", 0, "games"),
    ("won_by_second", "Won by the other", 0, "games"),
    ("width", "Width", 1, "legal plays a turn offers on average"),
    ("depth", "Depth", 2, "how far skill reaches: from the best rating and the number of players"),
    ("tempo", "Tempo", 1, "turn of the first hit, among the best quarter of the players"),
    (
        "tempo_all_players",
        "Tempo",
        1,
        "turn of the first hit, among all players: fewer than 20 games are between the best quarter",
    ),
    ("decisiveness", "Decisiveness", 2, "share of clear advantages (over 0.66) that were won"),
    ("drama", "Drama", 2, "share of turns in a bad position (under 0.33) that led back to balance"),
    ("size_log10", "Size", 1, "different positions met so far, as a power of ten"),
];

/// The measures of a game that are known.
pub(super) fn measures(desk: &Desk<'_>, game: &str) -> Vec<Measure> {
    let rows: BTreeMap<&str, &AcademyMeasureRow> =
        desk.input.measures.iter().filter(|row| row.game == game).map(|row| (row.measure.as_str(), row)).collect();
    let known = MEASURES.iter().filter_map(|of| rows.get(of.0).map(|row| (of, *row)));
    known
        .filter(|(of, row)| of.0 != "drawn" || row.value > 0.0)
        .map(|((_, name, decimals, meaning), row)| Measure {
            name,
            value: format::fixed(row.value, *decimals),
            kind: match row.kind.as_str() {
                "exact" => "counted".to_owned(),
                other => words::token(other),
            },
            rests_on: format::count(row.n),
            meaning,
        })
        .collect()
}

/// What the data does not show.
pub(super) fn notes(desk: &Desk<'_>) -> Vec<String> {
    let mut notes = vec![
        "The libraries run on from season to season; shown is how they stood at the end of this one.".to_owned(),
        "A file that comes late changes all that was learnt after it: the Academy then learns again from the start of its month, so that the order in which files arrive never shows.".to_owned(),
        desk.input.terms.values().to_owned(),
    ];
    let estimated: i64 = desk.input.contests.iter().map(|row| row.estimated).sum();
    if estimated > 0 {
        let turns = words::counted(estimated, "turn has", "turns have");
        notes.push(format!("{} a value that is estimated so.", words::sentence(&turns)));
    }
    let undated: BTreeSet<&str> =
        desk.input.contests.iter().filter(|row| row.date.is_none()).map(|row| row.match_id).collect();
    let (matches, contests): (Vec<&str>, Vec<&str>) = undated.into_iter().partition(|id| desk.matches.contains_key(id));
    for (some, one, many) in [
        (matches, "match has no date and stands", "matches have no date and stand"),
        (contests, "contest of a file has no date and stands", "contests of files have no date and stand"),
    ] {
        if !some.is_empty() {
            let said = words::sentence(&words::counted(number(some.len()), one, many));
            notes.push(format!("{said} behind the dated ones of the season."));
        }
    }
    let spoilt = desk.input.sources.iter().filter(|row| {
        row.status != "ok" && row.format.as_deref().is_some_and(|format| CONTEST_FILES.contains(&format))
    });
    notes.extend(spoilt.take(FILES).map(|row| {
        let why = row.detail.as_deref().map_or_else(|| words::token(&row.status), |detail| shown(detail, PATH));
        format!("{}: {why}.", shown(&row.path, PATH))
    }));
    notes
}
