//! The greedy choice of reference positions (`metrics.md` 13.3), whatever a candidate is and however distance is
//! measured.
//!
//! Gains only fall as positions are covered, so the queue holds upper bounds and only what comes to its head is looked
//! at again: first against what its neighbourhood still holds at most (sums over grid cells, no distance), then exactly.
//! The invariant: an entry at the head whose gain was counted since the last choice is the largest, ties included,
//! because every other entry's bound ranks below it. Gains are whole numbers, so ties are ties.

use crate::game::distance::NEAR;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Four sums of a position, divided by [`CELL`]: two positions within [`NEAR`] lie in the same or adjacent cells of
/// each coordinate.
pub type Cell = [u32; 4];

/// Width of a cell: wider than the radius, as the bound of `classifiers.md` 5 needs.
pub const CELL: u32 = NEAR + 1;

/// A position that may be chosen. Its place in the list is the last word between equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Neighbours cover each other within one group only: the family, for cube with the score.
    pub group: usize,
    /// Near-duplicates are looked for within one class: the kind, for cube with the score.
    pub class: usize,
    /// Where it lies.
    pub cell: Cell,
    /// What it cost beyond difficulty, at least 0, in 1e-9.
    pub excess: i64,
    /// Whether it is offered.
    pub state: State,
    /// What its gain is worth.
    pub weight: Weight,
    /// Wins ties.
    pub rollout: bool,
}

/// Whether a candidate is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It may be chosen.
    Offered,
    /// Already treated: it covers its neighbours and is never chosen.
    Handled,
}

/// The factor of a gain, in quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// 1.
    Whole = 4,
    /// ½.
    Half = 2,
    /// ¼.
    Quarter = 1,
}

/// Gains are counted in quarters of 1e-9, so that halving loses nothing.
pub const QUARTERS: i64 = 4;

/// A position that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Its place in the list of candidates.
    pub candidate: usize,
    /// In quarters of 1e-9.
    pub gain: i64,
    /// What it covered that nothing had covered before, itself included, in the order of the list.
    pub covered: Vec<usize>,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// In the order of choice.
    pub chosen: Vec<Chosen>,
    /// Candidates discarded as near-duplicates.
    pub discarded: usize,
    /// Candidates still worth something when enough were chosen.
    pub left: usize,
}

/// Chooses up to `wanted` candidates. `distance` is symmetric and at least the [`NEAR`] bound of the cells says.
pub fn choose(candidates: &[Candidate], distance: impl Fn(usize, usize) -> u32, wanted: usize) -> Choice {
    let mut ground = Ground::of(candidates, distance);
    let mut queue: BinaryHeap<Offer> = ground.offers().collect();
    let mut choice = Choice::default();
    while choice.chosen.len() < wanted {
        let Some(offer) = queue.pop().filter(|offer| offer.gain > 0) else { break };
        if offer.counted_at != Some(choice.chosen.len()) {
            queue.push(ground.counted(offer, choice.chosen.len()));
        } else if ground.repeats(offer.candidate()) {
            choice.discarded += 1;
        } else {
            let covered = ground.cover(offer.candidate());
            choice.chosen.push(Chosen { candidate: offer.candidate(), gain: offer.gain, covered });
        }
    }
    choice.left = queue.iter().filter(|offer| ground.gain(offer.candidate()) > 0).count();
    choice
}

/// An entry of the queue; the derived order is the order of choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    /// In quarters; at least the true gain.
    gain: i64,
    rollout: bool,
    excess: i64,
    place: Reverse<usize>,
    /// Choices made when the gain was counted exactly; `None` for a bound.
    counted_at: Option<usize>,
}

impl Offer {
    const fn candidate(&self) -> usize {
        self.place.0
    }
}

/// The candidates on their grids.
struct Ground<'a, D> {
    candidates: &'a [Candidate],
    distance: D,
    covered: Vec<bool>,
    /// By group: who lies in a cell.
    groups: Grid<Yard>,
    /// By class: who was chosen or handled.
    taken: Grid<Vec<usize>>,
}

/// The candidates of one group in one cell.
#[derive(Default)]
struct Yard {
    members: Vec<usize>,
    /// Σ excess of those not covered.
    open: i64,
}

impl<'a, D: Fn(usize, usize) -> u32> Ground<'a, D> {
    fn of(candidates: &'a [Candidate], distance: D) -> Self {
        let mut ground = Self {
            candidates,
            distance,
            covered: vec![false; candidates.len()],
            groups: Grid::default(),
            taken: Grid::default(),
        };
        for (at, candidate) in candidates.iter().enumerate() {
            let yard = ground.groups.at(candidate.group, candidate.cell);
            yard.members.push(at);
            yard.open += candidate.excess;
        }
        for at in ground.places(State::Handled).collect::<Vec<_>>() {
            ground.cover(at);
        }
        ground
    }

    fn places(&self, state: State) -> impl Iterator<Item = usize> + use<'a, D> {
        let candidates = self.candidates;
        (0..candidates.len()).filter(move |&at| candidates[at].state == state)
    }

    /// Everything that may be chosen, with what its group holds as a first bound.
    fn offers(&self) -> impl Iterator<Item = Offer> {
        self.places(State::Offered).map(|at| Offer {
            gain: self.bound(at),
            rollout: self.candidates[at].rollout,
            excess: self.candidates[at].excess,
            place: Reverse(at),
            counted_at: None,
        })
    }

    /// The same offer nearer to the truth: with a smaller bound if there is one, else counted.
    fn counted(&self, offer: Offer, choices: usize) -> Offer {
        let bound = self.bound(offer.candidate());
        if bound < offer.gain {
            return Offer { gain: bound, counted_at: None, ..offer };
        }
        Offer { gain: self.gain(offer.candidate()), counted_at: Some(choices), ..offer }
    }

    /// What the cells around a candidate still hold: no gain is larger.
    fn bound(&self, at: usize) -> i64 {
        self.weighed(at, self.yards(at).map(|yard| yard.open).sum())
    }

    fn gain(&self, at: usize) -> i64 {
        self.weighed(at, self.open_neighbours(at).map(|near| self.candidates[near].excess).sum())
    }

    fn weighed(&self, at: usize, excess: i64) -> i64 {
        excess * self.candidates[at].weight as i64
    }

    fn yards(&self, at: usize) -> impl Iterator<Item = &Yard> {
        self.groups.around(self.candidates[at].group, self.candidates[at].cell).filter(|yard| yard.open > 0)
    }

    /// Neighbours not covered yet that cost something, itself included.
    fn open_neighbours(&self, at: usize) -> impl Iterator<Item = usize> {
        let members = self.yards(at).flat_map(|yard| &yard.members).copied();
        members.filter(move |&near| {
            !self.covered[near] && self.candidates[near].excess > 0 && (self.distance)(at, near) <= NEAR
        })
    }

    /// Whether one of its class that was chosen or handled is as near as a neighbour.
    fn repeats(&self, at: usize) -> bool {
        let candidate = &self.candidates[at];
        let mut taken = self.taken.around(candidate.class, candidate.cell).flatten();
        taken.any(|&other| (self.distance)(at, other) <= NEAR)
    }

    /// Takes a candidate, and with it its neighbours; those that were not covered.
    fn cover(&mut self, at: usize) -> Vec<usize> {
        let candidate = &self.candidates[at];
        let members = self.groups.around(candidate.group, candidate.cell).flat_map(|yard| &yard.members).copied();
        let near = members.filter(|&near| !self.covered[near] && (self.distance)(at, near) <= NEAR);
        let new: BTreeSet<usize> = near.collect();
        for &near in &new {
            let of = &self.candidates[near];
            self.covered[near] = true;
            self.groups.at(of.group, of.cell).open -= of.excess;
        }
        self.taken.at(candidate.class, candidate.cell).push(at);
        new.into_iter().collect()
    }
}

/// Cells of several kinds, those that hold something.
struct Grid<T>(BTreeMap<(usize, Cell), T>);

impl<T> Default for Grid<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Default> Grid<T> {
    fn at(&mut self, kind: usize, cell: Cell) -> &mut T {
        self.0.entry((kind, cell)).or_default()
    }

    /// What a cell of a kind and those adjacent to it hold. Neighbours in the last coordinate follow each other, so 27
    /// looks find all 81 cells.
    fn around(&self, kind: usize, cell: Cell) -> impl Iterator<Item = &T> {
        let [a, b, c, d] = cell.map(|sum| sum.saturating_sub(1)..=sum + 1);
        let (first, last) = (*d.start(), *d.end());
        let columns = a.flat_map(move |a| {
            let c = c.clone();
            b.clone().flat_map(move |b| c.clone().map(move |c| [a, b, c]))
        });
        columns.flat_map(move |[a, b, c]| {
            self.0.range((kind, [a, b, c, first])..=(kind, [a, b, c, last])).map(|(_, held)| held)
        })
    }
}
