//! The Academy's page: what a season taught the club, in words a club player understands.
//!
//! Its rows are those of the `academy_` tables. Two promises are kept here whatever the rows say: the value of a pattern
//! is never presented as the value of a reader's position, and single pieces of advice are shown only for a part of the
//! game in which following all of them would not have cost more than the plays that were made (`academy.md` 13). Rows of
//! games other than backgammon have a section of their own, with patterns as text.

mod advice;
mod changes;
mod games;
mod opening;
mod patterns;
mod player;
mod reached;
mod season;
mod terms;
mod value;

use super::names::{NAME, shown};
use super::parts::{Head, foot, more, to_index, to_quality};
use super::{Colophon, MatchPages, Page, ReportFault, Templates, page_name_player};
use crate::tables::academy::{
    AcademyContestRow, AcademyMeasureRow, AcademyPatternRow, AcademyPlayerRow, AcademyRatingRow, AcademyTreeRow,
};
use crate::tables::facts::{MatchRow, SourceRow};
use crate::tables::marts::PlayerSeasonRow;
use crate::tables::row::Day;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

pub use advice::{Advice, AdviceOfSeason, Taken};
pub use changes::{Filing, FilingsOfSeason};
pub(super) use player::{AdviceOfPlayer, of_player};
pub use player::{PlayerAcademy, shown_of_academy};
pub use reached::Reached;
pub(super) use reached::{Pair, pair};
pub use terms::{CountedBy, RatedBy, StartsAt, Terms, WorthOf};

/// The page of the Academy.
pub const ACADEMY: &str = "academy.html";
/// The game the page is about; others have a section each.
const BACKGAMMON: &str = "backgammon";
/// Games played on its board, whose patterns can be drawn.
const ON_ITS_BOARD: [&str; 4] = [BACKGAMMON, "nackgammon", "hypergammon", "longgammon"];
/// Sections of other games; a file of contests may name as many as it has lines.
const GAMES: usize = 12;

/// One of the first plays of a game of this season, found in the opening tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningPlay<'a> {
    /// The node it reaches.
    pub node: i64,
    /// Who made it, canonical.
    pub player: &'a str,
    /// Its error in mpt; `None` = not rated.
    pub mpt: Option<i64>,
}

/// What pages look at of a contest: a season has tens of thousands.
#[derive(Clone, Copy, Debug)]
pub struct Contest<'a> {
    /// Identity.
    pub contest_id: &'a str,
    /// Its match.
    pub match_id: &'a str,
    /// The game.
    pub game: &'a str,
    /// Day.
    pub date: Option<Day>,
    /// Number within the match.
    pub seq: i64,
    /// Who moved first.
    pub first: &'a str,
    /// The other one.
    pub second: &'a str,
    /// Turns whose value is an estimate.
    pub estimated: i64,
    /// Whether it was filed, and why not.
    pub status: &'a str,
}

impl<'a> From<&'a AcademyContestRow> for Contest<'a> {
    fn from(row: &'a AcademyContestRow) -> Self {
        Self {
            contest_id: &row.contest_id,
            match_id: &row.match_id,
            game: &row.game,
            date: row.date,
            seq: row.seq,
            first: &row.first,
            second: &row.second,
            estimated: row.estimated,
            status: &row.status,
        }
    }
}

/// What the Academy's page is made of: the rows of one season, in any order.
#[derive(Clone, Copy, Debug)]
pub struct AcademyInput<'a> {
    /// Name of the season.
    pub season: &'a str,
    /// Contests of the season.
    pub contests: &'a [Contest<'a>],
    /// Ratings the season moved.
    pub ratings: &'a [AcademyRatingRow],
    /// The opening trees at the season's end.
    pub tree: &'a [AcademyTreeRow],
    /// Both libraries at the season's end.
    pub patterns: &'a [AcademyPatternRow],
    /// What became of the season's proposals.
    pub filings: &'a FilingsOfSeason,
    /// What the Academy would have advised in the season.
    pub advice: &'a AdviceOfSeason,
    /// Game measures.
    pub measures: &'a [AcademyMeasureRow],
    /// Everybody the Academy knows.
    pub players: &'a [AcademyPlayerRow],
    /// Plays of the season that the first plies of the tree hold.
    pub openings: &'a [OpeningPlay<'a>],
    /// Matches of the season, for links.
    pub matches: &'a [MatchRow],
    /// Players of the season; each has a page.
    pub with_page: &'a [PlayerSeasonRow],
    /// Files of the season; those of contests say which of their lines were refused.
    pub sources: &'a [SourceRow],
    /// How ratings and values are called.
    pub terms: Terms,
    /// Nodes that the opening tree keeps at most.
    pub most_nodes: usize,
    /// Footer.
    pub colophon: &'a Colophon,
    /// Which matches have a page.
    pub pages: MatchPages<'a>,
}

#[derive(Serialize)]
struct AcademyView {
    head: Head,
    foot: Vec<String>,
    terms: terms::Words,
    season: season::Season,
    opening: opening::Opening,
    patterns: patterns::Patterns,
    changes: changes::Changes,
    advice: advice::Section,
    games: Vec<games::Game>,
    games_more: String,
    notes: Vec<String>,
}

/// A season's rows with what they are looked up by.
struct Desk<'a> {
    input: &'a AcademyInput<'a>,
    contests: BTreeMap<&'a str, Contest<'a>>,
    matches: BTreeMap<&'a str, &'a MatchRow>,
    pages: BTreeSet<&'a str>,
}

/// A contest as a reader finds it.
struct Found {
    /// `Foxglove – Gristmill, game 3`.
    text: String,
    /// The game on the match's page, where there is one.
    href: Option<String>,
}

impl<'a> Desk<'a> {
    fn new(input: &'a AcademyInput<'a>) -> Self {
        Self {
            input,
            contests: input.contests.iter().map(|row| (row.contest_id, *row)).collect(),
            matches: input.matches.iter().map(|row| (row.match_id.as_str(), row)).collect(),
            pages: input.with_page.iter().filter_map(|row| row.player.as_deref()).collect(),
        }
    }

    /// Where a contest was played; `None` when it is none of this season.
    fn found(&self, contest_id: &str) -> Option<Found> {
        let contest = self.contests.get(contest_id)?;
        let names = [contest.first, contest.second].map(|name| shown(name, NAME));
        let Some(of) = self.matches.get(contest.match_id) else {
            return Some(Found { text: names.join(" \u{2013} "), href: None });
        };
        let names = [&of.player_1, &of.player_2].map(|name| shown(name, NAME));
        Some(Found {
            text: format!("{}, game {}", names.join(" \u{2013} "), contest.seq),
            href: self.input.pages.link(of).map(|page| format!("{page}#g{}", contest.seq)),
        })
    }

    /// A player's page; `None` for one who is only in contest files.
    fn page_of(&self, player: &str) -> Option<String> {
        self.pages.contains(player).then(|| page_name_player(player))
    }

    /// The games there are rows of, backgammon left out.
    fn other_games(&self) -> BTreeSet<&'a str> {
        let games = self.input.contests.iter().map(|row| row.game);
        games.filter(|game| *game != BACKGAMMON).collect()
    }
}

/// The Academy's page.
///
/// # Errors
/// [`ReportFault`] when a template does not fit its view.
pub fn academy_page(templates: &Templates, input: &AcademyInput<'_>) -> Result<Page, ReportFault> {
    let desk = Desk::new(input);
    let name = shown(input.season, NAME);
    let others = desk.other_games();
    let view = AcademyView {
        head: Head {
            title: format!("Academy \u{b7} season {name} \u{b7} Portes"),
            description: format!("What the club knows at the end of season {name}: openings, patterns, ratings"),
            links: vec![to_index(input.season), to_quality()],
            here: "Academy".to_owned(),
            kicker: format!("Season {name}"),
            heading: "The Academy".to_owned(),
            standfirst: season::standfirst(&desk),
        },
        foot: foot(input.colophon),
        terms: input.terms.words(),
        season: season::season(&desk),
        opening: opening::opening(&desk),
        patterns: patterns::patterns(&desk),
        changes: changes::changes(&desk),
        advice: advice::advice(&desk),
        games_more: more(others.len(), others.len().min(GAMES)),
        games: others.into_iter().take(GAMES).map(|game| games::game(&desk, game)).collect(),
        notes: season::notes(&desk),
    };
    templates.page("academy.html", ACADEMY.to_owned(), &view)
}

/// A number of rows as the counts of the pages.
fn number(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
