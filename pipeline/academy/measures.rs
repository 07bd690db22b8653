//! What kind of game it is: the source's game measures, from counters that run along with the contests.
//!
//! Width, lengths, results and tempo are counted; decisiveness and drama are *estimates* from the values of the
//! moves played; the size is a *lower bound*. Mobility, clarity and clearness need the rules' program and are not
//! measured.

use super::contest::Outcome;
use super::judge::Fate;
use super::seen::Seen;
use super::shelf::PlayerId;
use super::units::{Elo, VALUE_SCALE, Value};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Above it a side has an advantage (the source's mark for firmly good).
const ADVANTAGE: i64 = VALUE_SCALE / 100 * 66;
/// Below it a side is firmly bad.
const DISADVANTAGE: i64 = VALUE_SCALE / 100 * 33;
/// A move is reasonable if a player stronger than his opponent less this would choose it.
const REASONABLE: i64 = 100 * super::units::ELO_SCALE;
/// With fewer contests between the best the mean says nothing; all contests are taken then.
const ENOUGH_CONTESTS: u64 = 20;
/// The source's least number of players in the formula of depth.
const LEAST_PLAYERS: u64 = 10;

/// How sure a measure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Counted.
    Exact,
    /// From the moves played instead of all moves.
    Estimate,
    /// The truth is at least that.
    LowerBound,
}

/// One measure of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureRow {
    /// Game.
    pub game: String,
    /// Name of the measure.
    pub measure: &'static str,
    /// Its value.
    pub value: f64,
    /// How sure it is.
    pub kind: Kind,
    /// Number of things it rests on.
    pub n: u64,
}

/// A player as the measures see him.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    pub(super) id: PlayerId,
    pub(super) name: &'a str,
    pub(super) rating: Elo,
}

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratio {
    /// Sum or number of hits.
    pub sum: u64,
    /// Number of cases.
    pub n: u64,
}

/// What runs along with the contests of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counters {
    /// How many contests had so many plies.
    pub(super) lengths: BTreeMap<u64, u64>,
    /// Won by the first player, drawn, won by the second.
    pub(super) results: [u64; 3],
    /// Contests without a result.
    pub(super) skipped: u64,
    /// Legal plays over turns where their number is known.
    pub(super) choices: Ratio,
    /// Advantages that were won, of advantages.
    pub(super) advantages: Ratio,
    /// Reasonable moves out of a bad position that led to balance, of all of them.
    pub(super) rescues: Ratio,
    /// Ply of first contact by the pair of players, smaller number first.
    pub(super) contacts: BTreeMap<(PlayerId, PlayerId), Ratio>,
}

impl Ratio {
    const fn add(&mut self, sum: u64) {
        self.sum += sum;
        self.n += 1;
    }

    fn mean(self) -> Option<f64> {
        (self.n > 0).then(|| self.sum as f64 / self.n as f64)
    }
}

impl Counters {
    /// Counts a contest with a result.
    pub(super) fn count(&mut self, contest: &Seen<'_>, elos: [Elo; 2], players: [PlayerId; 2]) {
        *self.lengths.entry(contest.length()).or_default() += 1;
        match contest.of.outcome {
            Outcome::First => self.results[0] += 1,
            Outcome::Draw => self.results[1] += 1,
            Outcome::Second => self.results[2] += 1,
            Outcome::Unfinished | Outcome::Edited => {}
        }
        if let Some(ply) = contest.of.first_contact {
            let [a, b] = players;
            self.contacts.entry((a.min(b), a.max(b))).or_default().add(ply.into());
        }
        for index in 0..contest.plies.len() {
            self.count_ply(contest, index, elos);
        }
    }

    fn count_ply(&mut self, contest: &Seen<'_>, index: usize, elos: [Elo; 2]) {
        let Some(ply) = contest.plies.get(index) else { return };
        if let Some(choices) = ply.choices {
            self.choices.add(choices.into());
        }
        let Some(value) = ply.value.map(Value::billionths) else { return };
        if value > ADVANTAGE {
            self.advantages.add((Fate::of(contest.of.outcome, ply.by) == Some(Fate::Won)).into());
        }
        let [own, opponent] = match ply.by {
            super::contest::Side::First => elos,
            super::contest::Side::Second => [elos[1], elos[0]],
        };
        let reasonable = own.millionths() > opponent.millionths() - REASONABLE;
        if reasonable && contest.before(index).is_some_and(|before| before.billionths() < DISADVANTAGE) {
            self.rescues.add((DISADVANTAGE..=ADVANTAGE).contains(&value).into());
        }
    }

    /// The measures that can be said, for the players who have played; `distinct_keys` is the number of different
    /// positions the decisions show.
    pub(super) fn measures(&self, game: &str, players: &[Known<'_>], distinct_keys: Option<u64>) -> Vec<MeasureRow> {
        let contests = self.results.iter().sum();
        let mut rows = Vec::new();
        let mut say = |measure, value: Option<f64>, kind, n| {
            rows.extend(value.map(|value| MeasureRow { game: game.to_owned(), measure, value, kind, n }));
        };
        let total: u64 = self.lengths.iter().map(|(plies, times)| plies * times).sum();
        say("length_mean", Ratio { sum: total, n: contests }.mean(), Kind::Exact, contests);
        say("length_median", self.median(contests), Kind::Exact, contests);
        say("length_shortest", self.lengths.first_key_value().map(|(&plies, _)| plies as f64), Kind::Exact, contests);
        say("length_longest", self.lengths.last_key_value().map(|(&plies, _)| plies as f64), Kind::Exact, contests);
        for (measure, count) in ["won_by_first", "drawn", "won_by_second"].into_iter().zip(self.results) {
            say(measure, Some(count as f64), Kind::Exact, contests);
        }
        say("width", self.choices.mean(), Kind::Exact, self.choices.n);
        let best = players.iter().map(|player| player.rating).max();
        let played = players.len() as u64;
        say("depth", best.map(|best| depth(best, played)), Kind::Exact, played);
        let (name, tempo) = self.tempo(players);
        say(name, tempo.mean(), Kind::Exact, tempo.n);
        say("decisiveness", self.advantages.mean(), Kind::Estimate, self.advantages.n);
        say("drama", self.rescues.mean(), Kind::Estimate, self.rescues.n);
        let keys = distinct_keys.filter(|&keys| keys > 0);
        say("size_log10", keys.map(|keys| libm::log10(keys as f64)), Kind::LowerBound, keys.unwrap_or(0));
        rows
    }

    /// Of an even number the mean of the middle two.
    fn median(&self, contests: u64) -> Option<f64> {
        let at = |rank: u64| {
            let mut seen = 0;
            self.lengths.iter().find_map(|(&plies, times)| {
                seen += times;
                (rank < seen).then_some(plies)
            })
        };
        let (lower, upper) = (at(contests.checked_sub(1)? / 2)?, at(contests / 2)?);
        Some((lower + upper) as f64 / 2.0)
    }

    /// Mean ply of first contact, both players among the best quarter; of all where those are too few, and then
    /// under another name.
    fn tempo(&self, players: &[Known<'_>]) -> (&'static str, Ratio) {
        let mut by_rating = players.to_vec();
        by_rating.sort_by_key(|player| (Reverse(player.rating), player.name));
        let quarter = players.len().div_ceil(4);
        let best: BTreeSet<PlayerId> = by_rating.iter().take(quarter).map(|player| player.id).collect();
        let among_best = self.contacts.iter().filter(|((a, b), _)| best.contains(a) && best.contains(b));
        let tempo = total(among_best.map(|(_, ratio)| *ratio));
        if tempo.n >= ENOUGH_CONTESTS {
            return ("tempo", tempo);
        }
        ("tempo_all_players", total(self.contacts.values().copied()))
    }
}

fn total(ratios: impl Iterator<Item = Ratio>) -> Ratio {
    ratios.fold(Ratio::default(), |a, b| Ratio { sum: a.sum + b.sum, n: a.n + b.n })
}

/// E/100 + 6/log₁₀(max(10, players)), E the best Elo.
#[must_use]
pub fn depth(best: Elo, players: u64) -> f64 {
    best.points() / 100.0 + 6.0 / libm::log10(players.max(LEAST_PLAYERS) as f64)
}
