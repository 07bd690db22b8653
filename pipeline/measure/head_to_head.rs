//! Head to head: how do I stand, and play, against one opponent?
//!
//! A pair is counted from both sides, each with his own decisions; matches somebody played against himself are no
//! encounter. Sums before the ratio, matches as units, as everywhere.

use super::Settings;
use super::interval::CountUnit;
use super::outcome::{Outcome, Tally};
use super::played::{Played, Side};
use super::pr::performance_rating;
use crate::game::Seat;
use crate::tables::study_marts::HeadToHeadRow;
use std::collections::BTreeMap;

/// One side of an encounter.
#[derive(Clone, Debug, Default)]
struct Encounter {
    tally: Tally,
    own: Vec<CountUnit>,
    opponent: Vec<CountUnit>,
}

/// Takes matches in any order and gives the table.
#[derive(Clone, Debug, Default)]
pub struct HeadToHead {
    settings: Settings,
    pairs: BTreeMap<(String, String, String), Encounter>,
}

impl HeadToHead {
    /// An empty one.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// One match, once.
    pub fn enter(&mut self, played: &Played) {
        let facts = &played.facts;
        if facts.self_play() {
            return;
        }
        for seat in Seat::BOTH.into_iter().filter(|seat| facts.asked[seat.index()]) {
            let [own, opponent] = [seat, seat.other()].map(|seat| facts.players[seat.index()].clone());
            let encounter = self.pairs.entry((facts.season.clone(), own, opponent)).or_default();
            encounter.tally.add(Outcome::of(facts.winner, seat));
            encounter.own.push(played.unit(Side::One(seat)).all());
            encounter.opponent.push(played.unit(Side::One(seat.other())).all());
        }
    }

    /// The table, sorted by its key.
    #[must_use]
    pub fn close(self) -> Vec<HeadToHeadRow> {
        let settings = self.settings;
        self.pairs.into_iter().map(|(pair, encounter)| row(pair, &encounter, &settings)).collect()
    }
}

fn row(
    (season, player, opponent): (String, String, String),
    encounter: &Encounter,
    settings: &Settings,
) -> HeadToHeadRow {
    let pr = performance_rating(&encounter.own, settings.quantile);
    let interval = pr.and_then(|pr| pr.interval);
    HeadToHeadRow {
        season,
        player,
        opponent,
        matches: encounter.tally.matches,
        wins: encounter.tally.wins,
        losses: encounter.tally.losses,
        decisions: encounter.own.iter().map(|unit| unit.size).sum(),
        pr: pr.map(|pr| pr.value),
        low: interval.map(|ends| ends.low),
        high: interval.map(|ends| ends.high),
        opponent_pr: performance_rating(&encounter.opponent, settings.quantile).map(|pr| pr.value),
    }
}
