//! Whose study, of which position, since when: study positions joined to the decisions of matches
//! (`study-sources.md` 6 and 7).
//!
//! A study position joins every decision that shows the same position. Where none does, its weak form is tried, which
//! leaves out the score: many cards are made at another score, or at none. A studied double teaches its answer as well,
//! and the reverse, whatever else is studied of that one: the earliest day counts, and no further study makes it later. How
//! a join came about is kept and told; below half of the positions joined, something is wrong with the notation.

use super::before_after::FirstDays;
use crate::game::key::PositionKey;
use crate::tables::row::Day;
use crate::tables::study::StudyEventRow;
use std::collections::{BTreeMap, BTreeSet};

/// Actions that are study always.
const STUDY: [&str; 3] = ["mark", "review", "quiz"];

/// Further actions of a log that count as study: on their own, lessons and whatever else it holds say nothing of one
/// position's mastery, so by default they do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Actions {
    /// A lesson.
    pub lesson: bool,
    /// Anything else that is study to whoever keeps the log.
    pub other: bool,
}

impl Actions {
    fn count(self, action: &str) -> bool {
        STUDY.contains(&action) || (self.lesson && action == "lesson") || (self.other && action == "other")
    }
}

/// How a study position came to a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The same position in every respect.
    Full,
    /// The same but for the score.
    Relaxed,
    /// The other half of a cube decision: the answer to a studied double, or the reverse.
    OtherHalf,
}

/// A study position and a decision it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link<D> {
    /// Its place among the study positions.
    pub study: usize,
    /// The decision.
    pub decision: D,
    /// How they came together.
    pub level: Level,
}

/// What became of the positions of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JoinReport {
    /// All of them.
    pub positions: usize,
    /// Joined as they stand.
    pub full: usize,
    /// Joined by a weak form, or as the other half of a cube decision.
    pub weak: usize,
    /// Joined to nothing.
    pub apart: usize,
    /// Without a key.
    pub unreadable: usize,
}

impl JoinReport {
    /// Less than half is joined: look at perspective, order of the dice, scores.
    #[must_use]
    pub fn is_suspect(&self) -> bool {
        2 * (self.full + self.weak) < self.positions
    }
}

/// Joins study positions to (key, decision) pairs; a decision may stand for any number of rows with one key. Sorted by
/// study position, then decision. A key that cannot be read joins nothing.
#[must_use]
pub fn join<D: Copy + Ord>(study: &[Option<PositionKey>], decisions: &[(PositionKey, D)]) -> Vec<Link<D>> {
    let mut full: BTreeMap<PositionKey, Vec<D>> = BTreeMap::new();
    let mut relaxed: BTreeMap<String, Vec<D>> = BTreeMap::new();
    let wanted: BTreeSet<String> = study.iter().flatten().map(PositionKey::relaxed).collect();
    for (key, decision) in decisions {
        full.entry(*key).or_default().push(*decision);
        let weak = key.relaxed();
        if wanted.contains(&weak) {
            relaxed.entry(weak).or_default().push(*decision);
        }
    }
    let mut links = Vec::new();
    for (at, key) in study.iter().enumerate() {
        let Some(key) = key else { continue };
        let (found, level) = match full.get(key) {
            Some(found) => (Some(found), Level::Full),
            None => (relaxed.get(&key.relaxed()), Level::Relaxed),
        };
        links.extend(found.into_iter().flatten().map(|decision| Link { study: at, decision: *decision, level }));
    }
    for (at, key) in study.iter().enumerate() {
        let other = key.as_ref().and_then(PositionKey::other_half).and_then(|other| full.get(&other));
        let other = other.into_iter().flatten();
        links.extend(other.map(|decision| Link { study: at, decision: *decision, level: Level::OtherHalf }));
    }
    links.sort();
    links.dedup();
    links
}

/// What became of each study position, counted.
#[must_use]
pub fn report<D>(study: &[Option<PositionKey>], links: &[Link<D>]) -> JoinReport {
    let mut best: BTreeMap<usize, Level> = BTreeMap::new();
    for link in links {
        let level = best.entry(link.study).or_insert(link.level);
        *level = (*level).min(link.level);
    }
    let mut report = JoinReport { positions: study.len(), ..JoinReport::default() };
    for (at, key) in study.iter().enumerate() {
        match (key, best.get(&at)) {
            (None, _) => report.unreadable += 1,
            (Some(_), Some(Level::Full)) => report.full += 1,
            (Some(_), Some(_)) => report.weak += 1,
            (Some(_), None) => report.apart += 1,
        }
    }
    report
}

/// The study of all players: positions, each with whose it is and since when.
#[derive(Clone, Debug, Default)]
pub struct Studied {
    positions: Vec<Option<PositionKey>>,
    whose: Vec<(String, Day)>,
}

impl Studied {
    /// From the events that are study, of somebody, and of a position that was read.
    #[must_use]
    pub fn of(events: &[StudyEventRow], actions: Actions) -> Self {
        let mut studied = Self::default();
        let mut earliest = BTreeMap::new();
        for event in events.iter().filter(|event| actions.count(&event.action)) {
            let key = event.key_full.as_deref().and_then(|key| PositionKey::from_text(key).ok());
            let Some((player, key)) = event.player.clone().zip(key) else { continue };
            let day = earliest.entry((player, key)).or_insert(event.day);
            *day = event.day.min(*day);
        }
        for ((player, key), day) in earliest {
            studied.positions.push(Some(key));
            studied.whose.push((player, day));
        }
        studied
    }

    /// Nobody studied anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The boards a decision may show to be joined, from either side; whoever gathers decisions can pass over all
    /// others.
    #[must_use]
    pub fn boards(&self) -> BTreeSet<String> {
        let keys = self.positions.iter().flatten();
        keys.flat_map(|key| [key.board.text(), key.board.mirror().text()]).collect()
    }

    /// First days by player and position key. `decisions` are those of all players, each with its player: a position
    /// that somebody else met as it stands is no reason to join another one of one's own by its weak form, and nobody's
    /// study counts for somebody else's decisions.
    #[must_use]
    pub fn first_days(&self, decisions: &[(PositionKey, &str)]) -> BTreeMap<String, FirstDays> {
        let mut days: BTreeMap<String, FirstDays> = BTreeMap::new();
        for (player, _) in &self.whose {
            days.entry(player.clone()).or_default();
        }
        let pairs: Vec<(PositionKey, usize)> = (0..).zip(decisions).map(|(at, (key, _))| (*key, at)).collect();
        for link in join(&self.positions, &pairs) {
            let (key, decider) = decisions[link.decision];
            let (player, day) = &self.whose[link.study];
            if player == decider {
                let first = days.entry(player.clone()).or_default().entry(key.to_string()).or_insert(*day);
                *first = (*first).min(*day);
            }
        }
        days
    }
}
