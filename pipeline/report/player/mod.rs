//! A player's season: level with its doubt, what to study and the positions that teach it, the direction of the errors,
//! whether studying helped, where it happens, the season as a trend, what the errors cost, and every match.
//!
//! A section of the study system is a file here; each keeps its place on the page when its tables are empty and says why.

mod biases;
mod families;
mod form;
mod places;
mod plan;
mod positions;
mod studied;
mod worst;

use super::academy::{AdviceOfPlayer, of_player};
use super::charts::{self, Scale, trend};
use super::markup::Markup;
use super::names::{NAME, shown};
use super::parts::{
    Figure, Head, Level, LevelRow, coverage_of, elo_of, foot, l7, level_of, more, plain, to_index, to_quality,
};
use super::season::{event, lengths, score_of, won_lost};
use super::{News, Page, PlayerInput, PlayerStudy, ReportFault, Templates, format, page_name_player, words};
use crate::tables::facts::MatchRow;
use crate::tables::marts::{PlayerSeasonRow, SeatRow};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of the list of matches; the rest is in the tables. With twenty boards the page stays under 300 KB.
const MATCHES: usize = 150;

#[derive(Serialize)]
struct PlayerView {
    head: Head,
    foot: Vec<String>,
    grid: Markup,
    axis: Markup,
    levels: Vec<LevelRow>,
    level_say: String,
    scope: String,
    news: News,
    plan: plan::PlanView,
    families: Vec<families::Family>,
    /// Some position has patterns drawn beside it.
    patterns: bool,
    positions: positions::Positions,
    biases: biases::Biases,
    studied: studied::Studied,
    places: places::Places,
    /// Labels and chart; null without a dated match.
    trend: Option<[Markup; 2]>,
    trend_say: String,
    rolling: Vec<form::Rolling>,
    goal: String,
    /// Null where the Academy does not know the player.
    academy: Option<AdviceOfPlayer>,
    cost_say: String,
    cost: Vec<Figure>,
    cost_empty: String,
    sizes: Vec<form::Size>,
    luck: String,
    worst: Vec<worst::Worst>,
    rivals: Vec<worst::Rival>,
    rivals_more: String,
    matches: Vec<MatchLine>,
    more: String,
}

#[derive(Serialize)]
struct MatchLine {
    date: String,
    opponent: String,
    href: Option<String>,
    event: String,
    result: String,
    score: String,
    decisions: String,
    pr: String,
    interval: String,
    loss: String,
    l7: String,
    errors: String,
    luck: String,
    adjusted: String,
}

impl<'a> PlayerStudy<'a> {
    /// The decisions that a page of these rows shows one by one: those it tells of, and those it draws with their
    /// candidates.
    #[must_use]
    pub fn decisions_shown(&self) -> [BTreeSet<&'a str>; 2] {
        [families::decisions(self).collect(), positions::decisions(self).collect()]
    }
}

/// A player's page.
///
/// # Errors
/// [`ReportFault`] when a template does not fit its view.
pub fn player_page(templates: &Templates, input: &PlayerInput<'_>) -> Result<Page, ReportFault> {
    let row = input.season;
    let raw = row.player.as_deref().unwrap_or_default();
    let name = shown(raw, NAME);
    let season = shown(&row.season, NAME);
    let levels = [level_of!(row), checker(row), cube(row)];
    let scale = Scale::of(&levels.iter().filter_map(|level| level.pr).collect::<Vec<_>>());
    let titles = ["All decisions", "Checker plays", "Cube actions"];
    let lines = lines(input);
    let dots = dots(input);
    let (rivals, rivals_more) = worst::rivals(input);
    let families = families::families(input);
    let view = PlayerView {
        head: Head {
            title: format!("{name} \u{b7} season {season} \u{b7} Portes"),
            description: format!("{name}, season {season}: level, errors, luck and matches"),
            links: vec![to_index(&row.season), to_quality()],
            here: name.clone(),
            kicker: format!("Player, season {season}"),
            heading: name.clone(),
            standfirst: plan::standfirst(input).unwrap_or_else(|| standfirst(row)),
        },
        foot: foot(input.colophon),
        grid: scale.grid(),
        axis: scale.axis(),
        levels: levels.iter().zip(titles).map(|(level, title)| level.row(title.to_owned(), "matches", scale)).collect(),
        level_say: level_say(row),
        scope: scope(input, raw),
        news: input.news.clone(),
        plan: plan::plan(input),
        patterns: families.iter().any(families::Family::is_known),
        families,
        positions: positions::positions(input),
        biases: biases::biases(input),
        studied: studied::studied(input),
        places: places::places(input, scale),
        rolling: form::rolling(input, scale),
        goal: form::goal(input),
        sizes: form::sizes(input),
        worst: worst::worst(input),
        rivals,
        rivals_more,
        trend_say: trend_say(row, &dots, input.figures.len()),
        trend: row.pr.filter(|_| !dots.is_empty()).map(|pr| {
            trend::draw(&dots, &trend::Pooled { player: &name, season: &season, pr, ends: level_of!(row).ends() })
        }),
        academy: of_player(input),
        cost_say: cost_say(row),
        cost_empty: cost_empty(input),
        cost: cost(row),
        luck: luck(row),
        more: more(input.figures.len(), lines.len()),
        matches: lines,
    };
    templates.page("player.html", page_name_player(raw), &view)
}

fn checker(row: &PlayerSeasonRow) -> Level {
    Level {
        pr: row.pr_checker,
        low: row.pr_checker_low,
        high: row.pr_checker_high,
        units: row.pr_units,
        decisions: row.decisions_checker,
    }
}

fn cube(row: &PlayerSeasonRow) -> Level {
    let decisions = row.decisions_double + row.decisions_take;
    Level { pr: row.pr_cube, low: row.pr_cube_low, high: row.pr_cube_high, units: row.pr_units, decisions }
}

fn standfirst(row: &PlayerSeasonRow) -> String {
    let Some(pr) = row.pr else { return "No counted decision: PR is undefined.".to_owned() };
    let interval = format::interval(row.pr_low, row.pr_high, 2);
    let over = words::counted(row.matches, "match", "matches");
    let level = format!(
        "PR {}{} over {over}",
        format::pr(Some(pr)),
        if interval.is_empty() { String::new() } else { format!(" {interval}") }
    );
    match row.loss {
        Some(loss) if row.matches > 0 => {
            let matches = format::fixed(loss, 2);
            format!("{level}. The errors cost {matches} matches\u{2019} worth of winning chances in all.")
        }
        _ => format!("{level}."),
    }
}

/// Band, and whether checker play and cube are told apart by their intervals.
fn level_say(row: &PlayerSeasonRow) -> String {
    let Some(pr) = row.pr else { return "No counted decision: PR is undefined.".to_owned() };
    let band = row.level.as_deref().map_or_else(|| charts::band(pr).to_owned(), words::level);
    let compare = match (checker(row).ends(), cube(row).ends()) {
        (Some([_, checker_high]), Some([cube_low, _])) if checker_high < cube_low => {
            "A cube action costs more than a checker play, and the two intervals are apart."
        }
        (Some([checker_low, _]), Some([_, cube_high])) if cube_high < checker_low => {
            "A checker play costs more than a cube action, and the two intervals are apart."
        }
        (Some(_), Some(_)) => "The intervals of checker play and cube overlap: neither is shown to be the weaker.",
        _ => "Checker play and cube cannot be compared: an interval needs three matches.",
    };
    format!("{band} overall. {compare}")
}

fn scope(input: &PlayerInput<'_>, raw: &str) -> String {
    let row = input.season;
    let matches = input.matches;
    let events: BTreeSet<&str> = matches.iter().filter_map(|row| row.event.as_deref()).collect();
    let mut aliases: BTreeSet<String> = BTreeSet::new();
    for row in matches {
        for (written, canonical) in [(&row.name_1, &row.player_1), (&row.name_2, &row.player_2)] {
            if canonical == raw && written != raw {
                aliases.insert(shown(written, NAME));
            }
        }
    }
    let dates: BTreeSet<_> = matches.iter().filter_map(|row| row.date).collect();
    let period = match (dates.first(), dates.last()) {
        (Some(first), Some(last)) => format!("{} to {}", format::date(Some(*first)), format::date(Some(*last))),
        _ => "undated".to_owned(),
    };
    let mut text = format!(
        "{}, won\u{2013}lost {}; {period}; {}, {}. {}",
        words::sentence(&words::counted(row.matches, "match", "matches")),
        won_lost(row),
        words::counted(i64::try_from(events.len()).unwrap_or(i64::MAX), "tournament", "tournaments"),
        lengths(matches),
        coverage_of!(row).line(),
    );
    if !aliases.is_empty() {
        let aliases: Vec<String> = aliases.into_iter().take(8).collect();
        text.push_str(&format!(" Also written {}.", words::list(&aliases)));
    }
    text
}

/// Dated matches with a PR, in a fixed order, larger ones first so that they do not hide the others.
fn dots(input: &PlayerInput<'_>) -> Vec<trend::Dot> {
    let mut rows: Vec<&SeatRow> = input.figures.to_vec();
    rows.sort_by(|a, b| {
        b.decisions.cmp(&a.decisions).then(a.date.cmp(&b.date)).then_with(|| a.match_id.cmp(&b.match_id))
    });
    rows.iter().filter_map(|row| Some(trend::Dot { day: row.date?, pr: row.pr?, decisions: row.decisions })).collect()
}

fn trend_say(row: &PlayerSeasonRow, dots: &[trend::Dot], matches: usize) -> String {
    if row.pr.is_none() {
        return "No counted decision: PR is undefined.".to_owned();
    }
    if dots.is_empty() {
        return "No match is dated: time charts left out.".to_owned();
    }
    let out = matches - dots.len();
    let undrawn = match out {
        0 => String::new(),
        n => format!(
            " {} not drawn: undated or without a counted decision.",
            words::sentence(&words::counted(i64::try_from(n).unwrap_or(i64::MAX), "match is", "matches are"))
        ),
    };
    let band = match level_of!(row).ends() {
        Some(_) => "Single matches scatter widely; the band holds the season\u{2019}s PR at 95\u{a0}%.",
        None => "Fewer than three matches carry no band.",
    };
    format!("{band}{undrawn}")
}

fn cost_say(row: &PlayerSeasonRow) -> String {
    let (Some(excess), Some(_)) = (row.excess, row.ratio) else { return String::new() };
    let than = match excess {
        x if x > 0.0 => "more",
        x if x < 0.0 => "less",
        _ => return String::new(),
    };
    let points = format::points(Some(excess.abs()));
    format!("{points} points of MWC {than} than the reference player would have lost in the same positions.")
}

/// Why there is no figure in winning chances.
fn cost_empty(input: &PlayerInput<'_>) -> String {
    if input.season.loss.is_some() {
        return String::new();
    }
    match input.matches.iter().copied().any(|row| row.play == "points") {
        _ if input.season.decisions == 0 => "No counted decision, so nothing has a cost.".to_owned(),
        false => "Money play has no match equity: MWC figures are absent.".to_owned(),
        true => "No decision converts to match winning chances: MWC figures are absent.".to_owned(),
    }
}

fn cost(row: &PlayerSeasonRow) -> Vec<Figure> {
    let figure = |name, id, part, value| Figure { name, id, part, values: vec![value] };
    vec![
        figure("Errors", "errors", false, plain(format::count(row.errors))),
        figure("of them blunders", "blunders", true, plain(format::count(row.blunders))),
        figure("of them avoidable", "avoidable", true, plain(format::count(row.avoidable))),
        figure("Loss, % MWC", "loss", false, plain(format::points(row.loss))),
        figure("checker plays", "", true, plain(format::points(row.loss_checker))),
        figure("doubles", "", true, plain(format::points(row.loss_double))),
        figure("takes and passes", "", true, plain(format::points(row.loss_take))),
        figure("Difficulty, % MWC", "difficulty", false, plain(format::points(row.difficulty))),
        figure("Excess, % MWC", "excess", false, plain(format::signed_points(row.excess))),
        figure("Ratio of loss to difficulty", "ratio", false, plain(format::ratio(row.ratio))),
        figure("L7, % of a 7-point match", "l7", false, l7(row.l7, row.l7_low, row.l7_high)),
        figure("checker plays", "", true, plain(format::l7(row.l7_checker))),
        figure("cube actions", "", true, plain(format::l7(row.l7_cube))),
        figure("Strength against the engine, Elo", "elo", false, elo_of!(row)),
        figure("Snowie error rate", "snowie", false, plain(format::pr(row.snowie))),
        figure("Luck, mpt a roll", "luck", false, plain(format::luck_per_roll(row.luck, row.luck_rolls))),
    ]
}

fn luck(row: &PlayerSeasonRow) -> String {
    match (row.luck_rolls, row.rolls) {
        (0, _) => "The files carry no luck.".to_owned(),
        (known, all) if known == all => format!("Luck is known for all {} rolls.", format::count(all)),
        (known, all) => format!("Luck is known for {} of {} rolls.", format::count(known), format::count(all)),
    }
}

/// Latest first, undated last, then match id.
fn lines(input: &PlayerInput<'_>) -> Vec<MatchLine> {
    let matches: BTreeMap<&str, &MatchRow> =
        input.matches.iter().copied().map(|row| (row.match_id.as_str(), row)).collect();
    let mut rows: Vec<&SeatRow> = input.figures.to_vec();
    rows.sort_by(|a, b| {
        Reverse(a.date).cmp(&Reverse(b.date)).then_with(|| a.match_id.cmp(&b.match_id)).then(a.seat.cmp(&b.seat))
    });
    rows.iter()
        .take(MATCHES)
        .map(|row| {
            let of = matches.get(row.match_id.as_str()).copied();
            MatchLine {
                date: format::date(row.date),
                opponent: shown(row.opponent.as_deref().unwrap_or_default(), NAME),
                href: of.and_then(|of| input.pages.link(of)),
                event: of.map_or_else(|| format::ABSENT.to_owned(), event),
                result: match row.won {
                    Some(true) => "won".to_owned(),
                    Some(false) => "lost".to_owned(),
                    None => "no result".to_owned(),
                },
                score: of.map_or_else(|| format::ABSENT.to_owned(), |of| score_of(of, row.seat)),
                decisions: format::count(row.decisions),
                pr: format::pr(row.pr),
                interval: level_of!(row).interval("games"),
                loss: format::points(row.loss),
                l7: format::l7(row.l7),
                errors: format!("{} ({})", format::count(row.errors), format::count(row.blunders)),
                luck: format::luck_per_roll(row.luck, row.luck_rolls),
                adjusted: format::signed_points(row.luck_adjusted),
            }
        })
        .collect()
}
