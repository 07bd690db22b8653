//! Reference positions: which positions should I put in a collection to work on the plan? (`metrics.md` 13)
//!
//! A player's priced and themed errors become candidates, one per family and position; the choice among them is
//! [`greedy`]'s. This module owns what a candidate is: what it cost, how clear its lesson is, whether analyses agree on
//! it ([`rulings`]), whether its player treated it already. Excesses are whole numbers to the end, so two candidates
//! that cost the same are equal, and the position key decides.

pub mod greedy;
pub mod ground;
pub mod rulings;
pub mod sieve;

use super::MeasureFault;
use super::selection::{Family, Selection, count, excess, mwc};
use super::study_plan::LEAST_MEMBERS;
use crate::game::distance::Shape;
use crate::game::key::PositionKey;
use crate::game::kind::Nature;
use crate::game::score::MatchState;
use crate::game::{Length, Mpt, xgid};
use crate::tables::facts::MatchRow;
use crate::tables::partials::ErrorRow;
use crate::tables::row::{Day, Row};
use crate::tables::study_marts::{FamilyPositionRow, ReferencePositionRow};
use greedy::{Candidate, Choice, Chosen, QUARTERS, State, Weight};
use ground::Boards;
use rulings::Rulings;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Positions kept of a selection: the largest choice a page offers.
pub const KEPT: usize = 50;

/// Positions kept of a family: as many as the largest choice of all families together.
const KEPT_OF_FAMILY: usize = KEPT;

/// Position keys a player treated already (a comment, a card, a mark ...), by his canonical name.
pub type TreatedKeys = BTreeMap<String, BTreeSet<String>>;

/// What is known beside the errors of a selection.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// What all analyses say.
    pub rulings: &'a Rulings,
    /// Position keys its player treated; those nobody erred in are ignored.
    pub treated: &'a BTreeSet<String>,
    /// Errors begin here: a lesson whose gap is under half of it is marginal.
    pub error: Mpt,
}

/// A player's errors by family and position.
#[derive(Clone, Debug, Default)]
pub struct References<'a>(BTreeMap<Family, BTreeMap<String, Lesson<'a>>>);

/// The errors of one family in one position.
#[derive(Clone, Debug)]
struct Lesson<'a> {
    /// Σ max(0, x), in 1e-9.
    excess: i64,
    errors: i64,
    /// A match per error.
    matches: Vec<&'a str>,
    rollout: bool,
    worst: Worst<'a>,
}

/// The match an error was made in, as far as a lesson tells of it.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Identity.
    pub match_id: &'a str,
    /// Day of the match.
    pub date: Option<Day>,
    /// Points; `None` in money play.
    pub length: Option<i64>,
    /// The Jacoby rule was in use.
    pub jacoby: bool,
    /// Beavers were allowed; `None` where nothing says.
    pub beavers: Option<bool>,
}

impl<'a> From<&'a MatchRow> for Setting<'a> {
    fn from(of: &'a MatchRow) -> Self {
        Self { match_id: &of.match_id, date: of.date, length: of.length, jacoby: of.jacoby, beavers: of.beavers }
    }
}

impl Setting<'_> {
    /// What was played for, for an XGID.
    fn played_for(self) -> MatchState {
        let points = self.length.and_then(|points| u32::try_from(points).ok()).unwrap_or(0);
        MatchState {
            length: Length::from_points(points),
            jacoby: self.jacoby,
            beavers: self.beavers.unwrap_or(false),
            cube_limit: None,
        }
    }
}

/// The error a lesson is shown by.
#[derive(Clone, Debug)]
struct Worst<'a> {
    excess: i64,
    of: Setting<'a>,
    order: i64,
    decision_id: String,
    away: [i64; 2],
    gap: Option<i64>,
    ruling: String,
    ply: i64,
    played: Option<String>,
}

impl<'a> References<'a> {
    /// One more error, made in the match `of`. Without a price or a theme it teaches nothing here.
    pub fn add(&mut self, error: &ErrorRow, of: impl Into<Setting<'a>>) {
        let Some((family, excess)) = Family::of(error).zip(excess(error)) else { return };
        let lesson = Lesson::of(error, excess, of.into());
        let positions = self.0.entry(family).or_default();
        if let Some(known) = positions.get_mut(&error.position_key) {
            known.join(lesson);
        } else {
            positions.insert(error.position_key.clone(), lesson);
        }
    }

    /// The first [`KEPT`] positions, in the order of choice. `selection` names a player.
    ///
    /// # Errors
    /// A position key that cannot be read.
    pub fn rows(
        &self,
        selection: &Selection<'_>,
        known: &Known<'_>,
    ) -> Result<Vec<ReferencePositionRow>, MeasureFault> {
        let field = Field::of(self, known)?;
        let choice = field.choose();
        let chosen = choice.chosen.iter().enumerate();
        Ok(chosen.map(|(at, chosen)| field.row((at + 1, chosen), &choice, selection)).collect())
    }
}

impl References<'_> {
    /// The positions of every family that has errors enough for the plan, by family, the worst excess first (then the
    /// smaller position key), at most [`KEPT`] each. `selection` names a player.
    ///
    /// # Errors
    /// A position key that cannot be read.
    pub fn positions(&self, selection: &Selection<'_>) -> Result<Vec<FamilyPositionRow>, MeasureFault> {
        let mut rows = Vec::new();
        for (family, positions) in &self.0 {
            if positions.values().map(|lesson| lesson.errors).sum::<i64>() < LEAST_MEMBERS {
                continue;
            }
            let mut worst_first: Vec<(&String, &Lesson<'_>)> = positions.iter().collect();
            worst_first.sort_by_key(|&(key, lesson)| (Reverse(lesson.worst.excess), key));
            for (at, (key, lesson)) in worst_first.into_iter().take(KEPT_OF_FAMILY).enumerate() {
                let position = read(key)?;
                rows.push(FamilyPositionRow {
                    season: selection.season.to_owned(),
                    player: selection.player.unwrap_or_default().to_owned(),
                    plan: family.plan.clone(),
                    nature: family.nature.clone(),
                    theme: family.theme.clone(),
                    rank: count(at + 1),
                    position_key: key.clone(),
                    xgid: xgid::encode(&position, Some(lesson.worst.of.played_for())),
                    errors: lesson.errors,
                    excess: mwc(lesson.worst.excess),
                    decision_id: lesson.worst.decision_id.clone(),
                    match_id: lesson.worst.of.match_id.to_owned(),
                    ply: lesson.worst.ply,
                    best: (family.nature == Nature::Checker.token()).then(|| lesson.worst.ruling.clone()),
                    played: lesson.worst.played.clone(),
                    positions: count(positions.len()),
                });
            }
        }
        Ok(rows)
    }
}

fn read(key: &str) -> Result<PositionKey, MeasureFault> {
    PositionKey::from_text(key).map_err(|_| MeasureFault::Row { table: ErrorRow::TABLE })
}

impl<'a> Lesson<'a> {
    fn of(error: &ErrorRow, excess: i64, of: Setting<'a>) -> Self {
        let worst = Worst {
            excess,
            of,
            order: error.order,
            decision_id: error.decision_id.clone(),
            away: [error.own_away, error.opp_away],
            gap: error.gap,
            ruling: error.ruling.clone(),
            ply: error.ply,
            played: error.played.clone(),
        };
        let matches = vec![of.match_id];
        Self { excess: excess.max(0), errors: 1, matches, rollout: error.rollout, worst }
    }

    fn join(&mut self, other: Self) {
        self.excess += other.excess;
        self.errors += other.errors;
        self.matches.extend(other.matches);
        self.rollout |= other.rollout;
        if other.worst.rank() < self.worst.rank() {
            self.worst = other.worst;
        }
    }

    /// The score that parts cube positions; checker plays are compared across scores.
    fn score(&self, family: &Family) -> Option<[i64; 2]> {
        (family.nature == Nature::Cube.token()).then_some(self.worst.away)
    }
}

impl Worst<'_> {
    /// The smallest is the worst: the largest excess, then the earliest date (undated last), match and order.
    fn rank(&self) -> (Reverse<i64>, bool, Option<Day>, &str, i64) {
        let of = self.of;
        (Reverse(self.excess), of.date.is_none(), of.date, of.match_id, self.order)
    }
}

/// The candidates of a selection, as the choice and the rows need them.
struct Field<'a> {
    entries: Vec<Entry<'a>>,
    candidates: Vec<Candidate>,
    shapes: Vec<Shape>,
}

struct Entry<'a> {
    candidate: Candidate,
    shape: Shape,
    family: &'a Family,
    key: &'a str,
    position: PositionKey,
    lesson: &'a Lesson<'a>,
    close: bool,
    unstable: bool,
}

impl<'a> Field<'a> {
    fn of(references: &'a References<'_>, known: &Known<'_>) -> Result<Self, MeasureFault> {
        let mut lessons: Vec<(&str, &Family, &Lesson<'_>)> = Vec::new();
        for (family, positions) in &references.0 {
            lessons.extend(positions.iter().map(|(key, lesson)| (key.as_str(), family, lesson)));
        }
        // The smaller position key has the smaller name.
        lessons.sort_by_key(|&(key, family, _)| (key, family));
        let (mut groups, mut classes) = (Numbers::default(), Numbers::default());
        let mut entries = Vec::with_capacity(lessons.len());
        for (name, (key, family, lesson)) in lessons.into_iter().enumerate() {
            let score = lesson.score(family);
            let group = groups.number((family, score));
            let class = classes.number((family.nature.as_str(), score));
            entries.push(Entry::of((key, family, lesson), [name, group, class], known)?);
        }
        let candidates = entries.iter().map(|entry: &Entry<'_>| entry.candidate).collect();
        let shapes = entries.iter().map(|entry| entry.shape).collect();
        Ok(Self { entries, candidates, shapes })
    }

    fn choose(&self) -> Choice {
        greedy::choose(&self.candidates, Boards::of(&self.candidates, &self.shapes), KEPT)
    }

    fn row(
        &self,
        (rank, chosen): (usize, &Chosen),
        choice: &Choice,
        selection: &Selection<'_>,
    ) -> ReferencePositionRow {
        let Entry { family, key, position, lesson, close, unstable, candidate, .. } = &self.entries[chosen.candidate];
        let covered = || chosen.covered.iter().map(|&at| self.entries[at].lesson);
        let matches: BTreeSet<&str> = covered().flat_map(|lesson| lesson.matches.iter().copied()).collect();
        let handled = self.candidates.iter().filter(|candidate| candidate.state == State::Handled).count();
        let worst = &lesson.worst;
        ReferencePositionRow {
            season: selection.season.to_owned(),
            player: selection.player.unwrap_or_default().to_owned(),
            rank: count(rank),
            position_key: (*key).to_owned(),
            xgid: xgid::encode(position, Some(worst.of.played_for())),
            plan: family.plan.clone(),
            nature: family.nature.clone(),
            theme: family.theme.clone(),
            gain: mwc(chosen.gain) / QUARTERS as f64,
            covered_excess: mwc(covered().map(|lesson| lesson.excess).sum()),
            covered: count(chosen.covered.len()),
            errors: covered().map(|lesson| lesson.errors).sum(),
            matches: count(matches.len()),
            gap: worst.gap,
            close: *close,
            unstable: *unstable,
            rollout: candidate.rollout,
            decision_id: worst.decision_id.clone(),
            match_id: worst.of.match_id.to_owned(),
            discarded: count(choice.discarded),
            handled: count(handled),
            left: count(choice.left),
        }
    }
}

impl<'a> Entry<'a> {
    fn of(
        (key, family, lesson): (&'a str, &'a Family, &'a Lesson<'_>),
        [name, group, class]: [usize; 3],
        known: &Known<'_>,
    ) -> Result<Self, MeasureFault> {
        let position = read(key)?;
        let shape = Shape::of(&position.board);
        let worst = &lesson.worst;
        let close = worst.gap.is_some_and(|gap| 2 * gap < known.error.0);
        let unstable = known.rulings.contradict(key, &family.nature, &worst.ruling);
        let candidate = Candidate {
            name,
            group,
            class,
            excess: lesson.excess,
            state: if known.treated.contains(key) { State::Handled } else { State::Offered },
            weight: weight(close, unstable),
            rollout: lesson.rollout || known.rulings.rolled_out(key),
        };
        Ok(Self { candidate, shape, family, key, position, lesson, close, unstable })
    }
}

/// Half for a marginal lesson, half for an unstable one.
const fn weight(close: bool, unstable: bool) -> Weight {
    match (close, unstable) {
        (false, false) => Weight::Whole,
        (true, true) => Weight::Quarter,
        _ => Weight::Half,
    }
}

/// Numbers things from 0, equal ones alike.
struct Numbers<T>(BTreeMap<T, usize>);

impl<T: Ord> Default for Numbers<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Ord> Numbers<T> {
    fn number(&mut self, of: T) -> usize {
        let next = self.0.len();
        *self.0.entry(of).or_insert(next)
    }
}
