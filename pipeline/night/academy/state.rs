//! What runs on from match to match, and what matches make it tell.

use super::earlier::Earlier;
use super::store::Checkpoint;
use super::strength::Strengths;
use crate::academy::Academy;
use crate::academy::contest::Outcome;
use crate::academy::flat::Flat;
use crate::academy::rows::{AdviceRow, ContestRow, FilingRow, RatingRow};
use crate::academy::seen::Seen;
use crate::academy::settings::Source;
use crate::config::Settings;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Positions told apart for the lower bound of a game's size: past it "at least" is all that is said.
const MOST_POSITIONS: usize = 100_000;

/// Game -> the positions it has shown.
pub(super) type Positions = BTreeMap<String, Shown>;

/// Positions a game has shown, so far as they are counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Shown {
    /// Their hashes.
    Few(BTreeSet<u64>),
    /// As many as are told apart: which they were changes nothing any more.
    Most,
}

/// What the matches of a month made the Academy tell.
#[derive(Default)]
pub(super) struct Told {
    /// On nights before.
    pub(super) earlier: Option<Earlier>,
    pub(super) contests: Vec<ToldContest>,
    /// With the number of contests handed in before.
    pub(super) ratings: Vec<(u64, RatingRow)>,
}

/// What a contest made it tell.
pub(super) struct ToldContest {
    pub(super) row: ContestRow,
    /// Of the match.
    pub(super) digest: String,
    /// In the order in which they came.
    pub(super) filings: Vec<FilingRow>,
    /// By ply.
    pub(super) advice: Vec<AdviceRow>,
}

/// What runs on from match to match.
pub(super) struct State {
    pub(super) academy: Academy,
    source: Source,
    pub(super) positions: Positions,
    pub(super) strengths: Strengths,
}

impl State {
    /// Nothing is known.
    pub(super) fn nothing(settings: &Settings) -> Self {
        let laws = settings.academy.clone();
        let academy = Academy::new(laws.bylaws, laws.seeds);
        Self { academy, source: laws.source, positions: Positions::new(), strengths: Strengths::default() }
    }

    /// What a checkpoint knows. `None` for a damaged state.
    pub(super) fn of(checkpoint: Checkpoint, settings: &Settings) -> Option<Self> {
        let laws = settings.academy.clone();
        let Checkpoint { saved, positions, strengths } = checkpoint;
        let academy = Academy::restore(laws.bylaws, laws.seeds, &saved).ok()?;
        Some(Self { academy, source: laws.source, positions, strengths })
    }

    /// Files a match and moves the ratings it moves.
    pub(super) fn file(&mut self, cut: &Flat, (digest, told): (&str, &mut Told)) {
        for contest in cut.contests() {
            told.file(&mut self.academy, &contest, digest);
            count_positions(&mut self.positions, &contest);
        }
        let after = told.position();
        match self.source {
            Source::Results => {
                let moved = cut.finished.iter().flat_map(|finished| self.academy.finish(finished));
                told.ratings.extend(moved.map(|row| (after, row)));
            }
            Source::Machine => {
                let rerated = cut.judged.iter().flat_map(|judged| self.strengths.take(judged));
                told.ratings.extend(rerated.map(|rerated| (after, self.academy.rerate(&rerated))));
            }
        }
    }
}

impl Default for Shown {
    fn default() -> Self {
        Self::Few(BTreeSet::new())
    }
}

impl Shown {
    /// How many, or at least how many.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Few(hashes) => hashes.len() as u64,
            Self::Most => MOST_POSITIONS as u64,
        }
    }

    fn show(&mut self, key: &str) {
        let Self::Few(hashes) = self else { return };
        let [a, b, c, d, e, f, g, h, ..] = *blake3::hash(key.as_bytes()).as_bytes();
        hashes.insert(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        if hashes.len() >= MOST_POSITIONS {
            *self = Self::Most;
        }
    }
}

impl Told {
    /// Place of its last contest in the one order of all; 0 without one.
    fn position(&self) -> u64 {
        let before = || self.earlier.as_ref().map_or(0, Earlier::position);
        self.contests.last().map_or_else(before, |last| last.row.position)
    }

    fn file(&mut self, academy: &mut Academy, contest: &Seen<'_>, digest: &str) {
        let report = academy.file_seen(contest);
        let position = report.contest.position;
        self.ratings.extend(report.ratings.into_iter().map(|row| (position, row)));
        let (filings, advice) = (report.filings, report.advice);
        self.contests.push(ToldContest { row: report.contest, digest: digest.to_owned(), filings, advice });
    }
}

/// Remembers the positions a contest with a result shows.
fn count_positions(positions: &mut Positions, contest: &Seen<'_>) {
    if matches!(contest.of.outcome, Outcome::First | Outcome::Draw | Outcome::Second) {
        let shown = positions.entry(contest.of.game.clone()).or_default();
        contest.plies.iter().for_each(|ply| shown.show(ply.key));
    }
}
