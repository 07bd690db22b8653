//! The page of a match: how it went, score by game, both players' figures, what to review, every play, and for XG's
//! files our count beside XG's.
//!
//! The main player, where he is one of the two, comes first: the full line, the solid mark, the bars upwards. A match
//! without a price (money, too long, not analysed) keeps its page and says what is missing and why.

mod comments;
mod figures;
mod parity;
mod review;
mod transcript;

use super::card::{Table, by_decision};
use super::charts::Scale;
use super::charts::curve::{self, GameMark, Mark};
use super::markup::Markup;
use super::names::{NAME, PLACE, shown};
use super::parts::{Figure, Head, Level, LevelRow, Link, coverage_of, foot, level_of, to_index, to_quality};
use super::season::{event, points};
use super::{MatchInput, Page, ReportFault, Templates, format, page_name_match, page_name_player, words};
use crate::tables::facts::{DecisionRow, GameRow, MatchRow};
use crate::tables::marts::PlayerMatchRow;
use serde::Serialize;

#[derive(Serialize)]
struct MatchView {
    head: Head,
    foot: Vec<String>,
    grid: Markup,
    axis: Markup,
    names: [String; 2],
    /// The chart; null where nothing has a price.
    curve: Option<Markup>,
    curve_say: String,
    curve_empty: String,
    scope: String,
    games: Vec<GameLine>,
    games_say: String,
    levels: Vec<LevelRow>,
    levels_say: String,
    figures: Vec<Figure>,
    luck: String,
    pace: Vec<String>,
    review: review::Review,
    transcript: Vec<transcript::GameTable>,
    transcript_note: String,
    timed: bool,
    by_loss: Vec<transcript::Line>,
    by_loss_more: String,
    parity: Option<parity::Parity>,
    comments: Vec<comments::CommentView>,
    comments_more: String,
}

#[derive(Serialize)]
struct GameLine {
    game: i64,
    href: String,
    score: String,
    regime: String,
    winner: String,
    points: String,
    ending: String,
    plies: String,
}

/// What every part of the page needs: the two players in the order of the page.
struct Sheet<'a> {
    input: &'a MatchInput<'a>,
    /// Seats in the order of the page.
    seats: [i64; 2],
    /// Names as shown, in the order of the page.
    names: [String; 2],
    /// Figures, in the order of the page.
    figures: [Option<&'a PlayerMatchRow>; 2],
    /// In match order.
    decisions: Vec<&'a DecisionRow>,
    /// In match order.
    games: Vec<&'a GameRow>,
}

impl<'a> Sheet<'a> {
    fn new(input: &'a MatchInput<'a>) -> Self {
        let played = input.played;
        let second_first = input.main_player.is_some_and(|name| name == played.player_2 && name != played.player_1);
        let seats = if second_first { [2, 1] } else { [1, 2] };
        let figures = seats.map(|seat| input.figures.iter().find(|row| row.seat == Some(seat)));
        let mut decisions: Vec<&DecisionRow> = input.decisions.iter().collect();
        decisions.sort_by_key(|row| row.order);
        let mut games: Vec<&GameRow> = input.games.iter().collect();
        games.sort_by_key(|row| row.game);
        Self { input, seats, names: seats.map(|seat| shown(raw_name(played, seat), NAME)), figures, decisions, games }
    }

    fn table(&self) -> Table<'a> {
        let played = self.input.played;
        Table {
            of: played,
            names: [shown(&played.player_1, NAME), shown(&played.player_2, NAME)],
            first: self.seats[0],
            candidates: by_decision(self.input.candidates),
        }
    }

    /// The place on the page (0 or 1) of a seat.
    fn place(&self, seat: i64) -> usize {
        usize::from(seat != self.seats[0])
    }

    /// Two figures by seat, in the order of the page.
    fn ordered(&self, by_seat: [i64; 2]) -> [i64; 2] {
        if self.seats[0] == 1 { by_seat } else { [by_seat[1], by_seat[0]] }
    }

    fn score_text(&self, by_seat: [i64; 2]) -> String {
        let [one, two] = self.ordered(by_seat);
        format!("{one}\u{2013}{two}")
    }

    /// Why the two are not compared: of a player's decisions too many are not rated, while some are. What is missing could
    /// turn everything that the rated ones say.
    fn partly_rated(&self) -> Option<String> {
        let of = |at: usize| {
            let own = self.decisions.iter().filter(|row| self.place(row.seat) == at);
            own.fold((0_i64, 0_i64), |(rated, all), row| (rated + i64::from(row.e_mpt.is_some()), all + 1))
        };
        let parts = [of(0), of(1)];
        if parts.iter().all(|(rated, _)| *rated == 0) {
            return None;
        }
        let is_short = |(rated, all): (i64, i64)| (rated as f64) < figures::VERDICT_FROM * all as f64;
        let say = |at: usize| {
            let (rated, all) = parts[at];
            is_short(parts[at]).then(|| {
                format!("{} of the {} decisions of {}", format::count(rated), format::count(all), self.names[at])
            })
        };
        let short: Vec<String> = [0, 1].into_iter().filter_map(say).collect();
        (!short.is_empty()).then(|| format!("Only {} are rated: the two are not compared.", short.join(" and ")))
    }

    /// Why nothing on this page is in winning chances; `None` when something is.
    fn no_price(&self) -> Option<&'static str> {
        if self.decisions.iter().any(|row| row.counted && row.loss.is_some()) {
            return None;
        }
        Some(match self.input.played.play.as_str() {
            "money" => "Money play has no match equity: MWC figures are absent.",
            "too_long" => "The match is longer than 64 points: MWC figures are absent.",
            _ if self.decisions.iter().any(|row| row.counted) => "No decision converts to match winning chances.",
            _ if self.decisions.iter().any(|row| row.e_mpt.is_some()) => "No counted decision: PR is undefined.",
            _ => "The file holds no analysis of this match, so nothing is rated.",
        })
    }
}

fn raw_name(played: &MatchRow, seat: i64) -> &str {
    if seat == 2 { &played.player_2 } else { &played.player_1 }
}

/// A match's page.
///
/// # Errors
/// [`ReportFault`] when a template does not fit its view.
pub fn match_page(templates: &Templates, input: &MatchInput<'_>) -> Result<Page, ReportFault> {
    let sheet = Sheet::new(input);
    let table = sheet.table();
    let played = input.played;
    let levels: Vec<(usize, Level)> =
        sheet.figures.iter().enumerate().filter_map(|(at, row)| row.map(|row| (at, level_of!(row)))).collect();
    let scale = Scale::of(&levels.iter().filter_map(|(_, level)| level.pr).collect::<Vec<_>>());
    let review = review::review(&sheet, &table);
    let cards = review.anchors();
    let (by_loss, by_loss_more) = transcript::by_loss(&sheet, &table, &cards);
    let (comments, comments_more) = comments::comments(&sheet);
    let view = MatchView {
        head: head(&sheet),
        foot: foot(input.colophon),
        grid: scale.grid(),
        axis: scale.axis(),
        curve: sheet.no_price().is_none().then(|| curve(&sheet)),
        curve_say: figures::curve_say(&sheet),
        curve_empty: sheet.no_price().unwrap_or_default().to_owned(),
        scope: scope(&sheet),
        games: games(&sheet),
        games_say: games_say(&sheet),
        levels: levels.iter().map(|(at, level)| level_row(&sheet, *at, *level, scale)).collect(),
        levels_say: figures::levels_say(&sheet),
        figures: figures::figures(&sheet),
        luck: figures::luck(&sheet),
        pace: figures::pace(&sheet),
        transcript: transcript::games(&sheet, &table, &cards),
        transcript_note: transcript::note(&sheet),
        timed: sheet.decisions.iter().any(|row| row.seconds.is_some()),
        by_loss,
        by_loss_more,
        parity: parity::parity(&sheet, &table, &cards),
        comments,
        comments_more,
        review,
        names: sheet.names.clone(),
    };
    templates.page("match.html", page_name_match(&played.match_id, [&played.player_1, &played.player_2]), &view)
}

fn head(sheet: &Sheet<'_>) -> Head {
    let played = sheet.input.played;
    let scores = sheet.ordered(points(played));
    // The winner is named first, whoever the page's player is.
    let order = if scores[1] > scores[0] { [1, 0] } else { [0, 1] };
    let heading = order.map(|at| format!("{}\u{a0}{}", sheet.names[at], format::count(scores[at]))).join(", ");
    let mut kicker = vec![event(played), format::date(played.date)];
    kicker.extend(played.place.as_deref().filter(|place| !place.trim().is_empty()).map(|place| shown(place, PLACE)));
    kicker.push(match (played.play.as_str(), played.length) {
        ("money", _) | (_, None) => "money".to_owned(),
        (_, Some(1)) => "to 1 point".to_owned(),
        (_, Some(length)) => format!("to {length} points"),
    });
    if !played.finished {
        kicker.push("unfinished".to_owned());
    }
    if played.variant != "backgammon" {
        kicker.push(words::token(&shown(&played.variant, NAME)));
    }
    kicker.retain(|part| part != format::ABSENT);
    let mut links = vec![to_index(&played.season)];
    links.extend([0, 1].map(|at| Link {
        label: sheet.names[at].clone(),
        href: Some(page_name_player(raw_name(played, sheet.seats[at]))),
    }));
    links.push(to_quality());
    Head {
        title: format!("{} \u{2013} {} \u{b7} Portes", sheet.names[0], sheet.names[1]),
        description: format!("{} against {}: errors, luck, every play", sheet.names[0], sheet.names[1]),
        links,
        here: "Match".to_owned(),
        kicker: kicker.join(" \u{b7} "),
        heading,
        standfirst: figures::standfirst(sheet),
    }
}

fn level_row(sheet: &Sheet<'_>, at: usize, level: Level, scale: Scale) -> LevelRow {
    let mut row = level.row(sheet.names[at].clone(), "games", scale);
    row.mark = ["x", "o"][at];
    row.href = Some(page_name_player(raw_name(sheet.input.played, sheet.seats[at])));
    row
}

fn scope(sheet: &Sheet<'_>) -> String {
    let mut parts = Vec::new();
    for (at, figures) in sheet.figures.iter().enumerate() {
        if let Some(row) = figures {
            parts.push(format!("{}: {}", sheet.names[at], coverage_of!(row).line()));
        }
    }
    let mut analyses: Vec<_> =
        sheet.input.analyses.iter().filter(|row| row.match_id == sheet.input.played.match_id).collect();
    analyses.sort_by(|a, b| b.primary.cmp(&a.primary).then_with(|| a.source_id.cmp(&b.source_id)));
    if let Some(primary) = analyses.iter().find(|row| row.primary) {
        let depths =
            primary.depths.as_deref().map_or_else(|| "no depth known".to_owned(), |depths| shown(depths, PLACE));
        parts.push(format!("Analysis: {}, {depths}.", words::engine(&primary.engine)));
        if primary.depths.is_some() {
            parts.extend(without_depth(&sheet.decisions));
        }
        if primary.partial {
            parts.push("The file breaks off or a game was left out.".to_owned());
        }
        if analyses.len() > 1 {
            let others = i64::try_from(analyses.len() - 1).unwrap_or(i64::MAX);
            parts.push(format!(
                "{} of this match not used here.",
                words::sentence(&words::counted(others, "other analysis", "other analyses"))
            ));
        }
    }
    parts.join(" ")
}

/// What the counts of the depths leave out of the rated decisions: a play without a choice is rated, analysed or not.
fn without_depth(decisions: &[&DecisionRow]) -> Option<String> {
    let bare = |row: &&&DecisionRow| row.e_raw.is_some() && (row.depth_rank.is_none() || row.depth_best.is_none());
    let left: Vec<&&DecisionRow> = decisions.iter().filter(bare).collect();
    let number = i64::try_from(left.len()).unwrap_or(i64::MAX);
    match left.iter().all(|row| row.forced) {
        _ if left.is_empty() => None,
        true => Some(format!(
            "{} rated beside these without an analysis.",
            words::sentence(&words::counted(number, "forced play is", "forced plays are"))
        )),
        false => Some(format!(
            "{} rated beside these with no depth known.",
            words::sentence(&words::counted(number, "decision is", "decisions are"))
        )),
    }
}

fn curve(sheet: &Sheet<'_>) -> Markup {
    let marks: Vec<Mark> = sheet
        .decisions
        .iter()
        .map(|row| match row.loss {
            Some(loss) if row.counted => Mark::Scored(sheet.place(row.seat), loss),
            _ => Mark::Silent,
        })
        .collect();
    let marks_of_games: Vec<GameMark> = sheet
        .games
        .iter()
        .filter_map(|game| {
            let start = sheet.decisions.iter().position(|row| row.game == game.game)?;
            Some(GameMark { start, game: game.game, score: sheet.score_text([game.score_1, game.score_2]) })
        })
        .collect();
    curve::draw([&sheet.names[0], &sheet.names[1]], &marks, &marks_of_games)
}

fn games(sheet: &Sheet<'_>) -> Vec<GameLine> {
    sheet
        .games
        .iter()
        .map(|game| GameLine {
            game: game.game,
            href: format!("#g{}", game.game),
            score: sheet.score_text([game.score_1, game.score_2]),
            regime: if game.regime == "normal" || game.regime == "money" {
                String::new()
            } else {
                words::token(&game.regime)
            },
            winner: game
                .winner
                .map_or_else(|| "no end in the file".to_owned(), |seat| sheet.names[sheet.place(seat)].clone()),
            points: game.points.map_or_else(|| format::ABSENT.to_owned(), format::count),
            ending: game.ending.as_deref().map_or_else(|| format::ABSENT.to_owned(), words::token),
            plies: format::count(game.plies),
        })
        .collect()
}

fn games_say(sheet: &Sheet<'_>) -> String {
    let won = [0, 1].map(|at| sheet.games.iter().filter(|game| game.winner == Some(sheet.seats[at])).count());
    let games = words::counted(i64::try_from(sheet.games.len()).unwrap_or(i64::MAX), "game", "games");
    format!("{}: {} won {}, {} {}.", words::sentence(&games), sheet.names[0], won[0], sheet.names[1], won[1])
}
