//! Tournament review: did I play at my level, and if not, where did it slip? (`metrics.md` 16)
//!
//! A tournament is a season and an event. Each of its players has a review, and one of them is its reference player.
//! What he did there is held against his usual level: his points matches of the 365 days before the tournament's first
//! day, whatever the season, without the tournament itself. Fewer than five such matches are no level.
//!
//! [`Tournaments`] keeps of every match one small [`Appearance`] a player; a season's matches are not needed together.
//! [`compare`] is the arithmetic, [`reference`] the choice of the player, `review` the table's rows.

mod review;

use super::Settings;
use super::entry::Entry;
use super::interval::{CountUnit, Estimate, WeightUnit};
use super::played::{Facts, Side};
use super::rounds::Round;
use crate::game::Length;
use crate::tables::dimension::{CLOCKS, Dimension, PRESSURES, RANKS};
use crate::tables::row::Day;
use crate::tables::study_marts::TournamentReviewRow;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Calendar days of the usual level, the last being the day before the tournament.
pub const USUAL_DAYS: i32 = 365;
/// Matches under which a usual level is unknown.
pub const LEAST_MATCHES: usize = 5;
/// Decisions under which a side of a comparison decides nothing.
pub const LEAST_DECISIONS: i64 = 20;

/// How a tournament compares with the usual level; a higher figure is worse play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval of the difference is above 0.
    Worse,
    /// It is below 0.
    Better,
    /// It holds 0.
    Usual,
    /// A side has no interval or too few decisions.
    Insufficient,
}

impl Verdict {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Usual => "usual",
            Self::Insufficient => "insufficient",
        }
    }
}

/// One side of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figure {
    /// PR or L7; `None` over no decision.
    pub estimate: Option<Estimate>,
    /// Decisions it rests on; of L7 those with a price.
    pub decisions: i64,
}

/// A difference and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Tournament minus usual.
    pub delta: Option<f64>,
    /// Half the width of its 95 % interval; `None` where a side has no interval.
    pub half_width: Option<f64>,
    /// What it amounts to.
    pub verdict: Verdict,
}

impl Comparison {
    /// Lower end of the interval.
    #[must_use]
    pub fn low(&self) -> Option<f64> {
        Some(self.delta? - self.half_width?)
    }

    /// Upper end.
    #[must_use]
    pub fn high(&self) -> Option<f64> {
        Some(self.delta? + self.half_width?)
    }
}

/// Two independent sides. An upper half-width is used for both, since the lower end may be cut off at 0; it is as many
/// standard errors wide as the settings say, so that the difference's is too.
#[must_use]
pub fn compare(tournament: Figure, usual: Figure) -> Comparison {
    let upper = |figure: Figure| {
        let estimate = figure.estimate?;
        Some(estimate.interval?.high - estimate.value)
    };
    let delta = tournament.estimate.zip(usual.estimate).map(|(t, u)| t.value - u.value);
    let half_width = upper(tournament).zip(upper(usual)).map(|(t, u)| (t * t + u * u).sqrt());
    let enough = tournament.decisions.min(usual.decisions) >= LEAST_DECISIONS;
    let verdict = match delta.zip(half_width).filter(|_| enough) {
        None => Verdict::Insufficient,
        Some((delta, half)) if delta - half > 0.0 => Verdict::Worse,
        Some((delta, half)) if delta + half < 0.0 => Verdict::Better,
        Some(_) => Verdict::Usual,
    };
    Comparison { delta, half_width, verdict }
}

/// What a player did at a tournament, as far as the choice of its reference player asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attendance {
    /// Matches he played.
    pub matches: i64,
    /// His counted decisions in them.
    pub decisions: i64,
}

/// The player whose PR stands for a tournament (`metrics.md` 16.1): the main player when he was there, else the one with
/// the most matches, then the most counted decisions, then a name before none, then the smallest name.
#[must_use]
pub fn reference<'a>(attendances: &'a BTreeMap<String, Attendance>, main_player: Option<&str>) -> Option<&'a str> {
    if let Some((name, _)) = main_player.and_then(|name| attendances.get_key_value(name)) {
        return Some(name);
    }
    let order = |(name, there): &(&'a String, &Attendance)| {
        (Reverse(there.matches), Reverse(there.decisions), name.is_empty(), *name)
    };
    attendances.iter().min_by_key(order).map(|(name, _)| name.as_str())
}

/// Season and event.
pub type Event = (String, String);

/// Whom the review of a tournament is about before all.
pub type Leaders = BTreeMap<Event, String>;

/// A player in a match.
#[derive(Clone, Debug)]
struct Appearance {
    match_id: String,
    event: Option<Event>,
    date: Option<Day>,
    round: Round,
    /// A match to 1 to 64 points: what a usual level is made of.
    points: bool,
    games: Vec<CountUnit>,
    whole: CountUnit,
    l7: Option<WeightUnit>,
    priced: i64,
    /// In the order of [`CELLS`].
    cells: [CountUnit; CELLS.len()],
}

/// A cell of the breakdowns of a review.
struct Listed {
    /// What the table calls the breakdown.
    scope: &'static str,
    dimension: Dimension,
    cell: &'static str,
    /// In its scope, from 1.
    position: i64,
}

const fn listed(scope: &'static str, dimension: Dimension, cell: &'static str, position: i64) -> Listed {
    Listed { scope, dimension, cell, position }
}

/// Every cell, in the order of its list: where in a match, what was at stake, how fast.
const CELLS: [Listed; 10] = [
    listed("rank", Dimension::Rank, RANKS[0].1, 1),
    listed("rank", Dimension::Rank, RANKS[1].1, 2),
    listed("rank", Dimension::Rank, RANKS[2].1, 3),
    listed("rank", Dimension::Rank, RANKS[3].1, 4),
    listed("score", Dimension::Pressure, PRESSURES[0], 1),
    listed("score", Dimension::Pressure, PRESSURES[1], 2),
    listed("score", Dimension::Pressure, PRESSURES[2], 3),
    listed("score", Dimension::Pressure, PRESSURES[3], 4),
    listed("pace", Dimension::Clock, CLOCKS[0], 1),
    listed("pace", Dimension::Clock, CLOCKS[1], 2),
];

impl Appearance {
    fn of(entry: &Entry<'_>, side: Side) -> Self {
        let facts = &entry.played.facts;
        let whole = entry.played.unit(side);
        let weight = entry.played.weight(side);
        Self {
            match_id: facts.match_id.clone(),
            event: event_of(facts),
            date: facts.date,
            round: Round::of(facts.round.as_deref()),
            points: matches!(facts.length, Length::Points(_)),
            // Not of the units themselves: the list would keep their room, and it is held to the end.
            games: entry.played.units(side).iter().map(|unit| unit.all()).collect(),
            whole: whole.all(),
            l7: weight.map(|seats| WeightUnit { amount: whole.loss, weight: seats.weight() }),
            priced: entry.played.sums(side).total().priced,
            cells: CELLS.map(|listed| unit(entry, side, &listed)),
        }
    }
}

fn event_of(facts: &Facts) -> Option<Event> {
    facts.event.clone().map(|event| (facts.season.clone(), event))
}

fn unit(entry: &Entry<'_>, side: Side, listed: &Listed) -> CountUnit {
    let sums = entry.of_cell(side, listed.dimension, listed.cell);
    sums.map_or_else(CountUnit::default, |sums| CountUnit { amount: sums.mpt, size: sums.n })
}

/// What is known of a tournament whoever is reviewed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Held {
    /// Day of its earliest dated match.
    first: Option<Day>,
    attendances: BTreeMap<String, Attendance>,
}

/// What is known of tournaments, whoever is reviewed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known(BTreeMap<Event, Held>);

/// Takes matches in any order and gives the table.
#[derive(Clone, Debug, Default)]
pub struct Tournaments {
    settings: Settings,
    players: BTreeMap<String, Vec<Appearance>>,
    events: Known,
}

impl Tournaments {
    /// An empty one.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// One match, once; of every season, since a usual level reaches over seasons.
    pub fn enter(&mut self, entry: &Entry<'_>) {
        let facts = &entry.played.facts;
        if let Some(event) = event_of(facts).filter(|_| facts.pooled) {
            let held = self.events.0.entry(event).or_default();
            held.first = [held.first, facts.date].into_iter().flatten().min();
            for (player, side) in facts.sides() {
                let attendance = held.attendances.entry(player.to_owned()).or_default();
                attendance.matches += 1;
                attendance.decisions += entry.played.unit(side).all().size;
            }
        }
        for (player, side) in facts.asked_sides() {
            self.players.entry(player.to_owned()).or_default().push(Appearance::of(entry, side));
        }
    }

    /// Takes in what is known of tournaments by another one, whoever is reviewed there.
    pub fn join(&mut self, other: Known) {
        for (event, held) in other.0 {
            let known = self.events.0.entry(event).or_default();
            known.first = [known.first, held.first].into_iter().flatten().min();
            for (player, there) in held.attendances {
                let attendance = known.attendances.entry(player).or_default();
                attendance.matches += there.matches;
                attendance.decisions += there.decisions;
            }
        }
    }

    /// What is known of tournaments, whoever is reviewed.
    #[must_use]
    pub fn known(self) -> Known {
        self.events
    }

    /// Whom each tournament's rows are about before all.
    #[must_use]
    pub fn leaders(&self, main_player: Option<&str>) -> Leaders {
        let leader = |held: &Held| reference(&held.attendances, main_player).map(str::to_owned);
        self.events.0.iter().filter_map(|(event, held)| Some((event.clone(), leader(held)?))).collect()
    }

    /// The table, sorted by its key.
    #[must_use]
    pub fn close(self, main_player: Option<&str>) -> Vec<TournamentReviewRow> {
        let mut rows = Vec::new();
        for (event, held) in &self.events.0 {
            let reference = reference(&held.attendances, main_player);
            for player in held.attendances.keys() {
                // Whoever was there and is not asked for has no appearance.
                let Some(appearances) = self.players.get(player) else { continue };
                let subject = review::Subject { event, player, first: held.first, appearances };
                let mut review = review::rows(&subject, &self.settings);
                review.iter_mut().for_each(|row| row.reference = reference == Some(player));
                rows.append(&mut review);
            }
        }
        rows.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        rows
    }
}

fn sort_key(row: &TournamentReviewRow) -> (&str, &str, &str, &str, Option<&str>, &str) {
    (&row.season, &row.event, &row.player, &row.scope, row.cell.as_deref(), &row.measure)
}
