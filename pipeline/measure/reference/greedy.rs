//! The greedy choice of reference positions (`metrics.md` 13.3), whatever a candidate is and however distance is
//! measured.
//!
//! Gains only fall as positions are covered, so the queue holds upper bounds and only what comes to its head is looked
//! at again: first against what its neighbourhood still holds at most (sums over cells, no distance), then exactly. The
//! invariant: an entry at the head whose gain was counted since the last choice is the largest, ties included, because
//! every other entry's bound ranks below it. Gains are whole numbers, so ties are ties.

use crate::game::distance::{NEAR, bound};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

/// Four numbers whose differences add up to no more than the distance of two positions ([`bound`]).
pub type Spot = [u32; 4];

/// Width of a cell of spots: wider than the radius, so that neighbours lie in the same or adjacent cells
/// (`classifiers.md` 5).
const CELL: u32 = NEAR + 1;

/// A position that may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The last word between equals: the smaller is chosen.
    pub name: usize,
    /// Neighbours cover each other within one group only: the family, for cube with the score.
    pub group: usize,
    /// Near-duplicates are looked for within one class: the kind, for cube with the score.
    pub class: usize,
    /// Where it lies.
    pub spot: Spot,
    /// What it cost beyond difficulty, at least 0, in 1e-9.
    pub excess: i64,
    /// Whether it is offered.
    pub state: State,
    /// What its gain is worth.
    pub weight: Weight,
    /// Wins ties.
    pub rollout: bool,
}

impl Candidate {
    /// Candidates in this order are measured fastest: neighbours follow each other.
    #[must_use]
    pub fn yard(&self) -> (usize, Spot) {
        (self.group, self.spot.map(|sum| sum / CELL))
    }
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

/// Chooses up to `wanted` candidates. `distance` is symmetric, and at least what the spots say.
pub fn choose(candidates: &[Candidate], distance: impl Fn(usize, usize) -> u32, wanted: usize) -> Choice {
    let mut ground = Ground::of(candidates, distance);
    let mut queue: BinaryHeap<Offer> = ground.offers();
    let mut choice = Choice::default();
    while choice.chosen.len() < wanted {
        let Some(offer) = queue.pop().filter(|offer| offer.gain > 0) else { break };
        if offer.counted_at != Some(choice.chosen.len()) {
            queue.push(ground.counted(offer, choice.chosen.len()));
        } else if ground.repeats(offer.candidate) {
            choice.discarded += 1;
        } else {
            let covered = ground.cover(offer.candidate);
            choice.chosen.push(Chosen { candidate: offer.candidate, gain: offer.gain, covered });
        }
    }
    choice.left = queue.iter().filter(|offer| ground.has_gain(offer.candidate)).count();
    choice
}

/// An entry of the queue; the derived order is the order of choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    /// In quarters; at least the true gain.
    gain: i64,
    rollout: bool,
    excess: i64,
    name: Reverse<usize>,
    candidate: usize,
    /// Choices made when the gain was counted exactly; `None` for a bound.
    counted_at: Option<usize>,
}

/// The candidates, and what is still to be covered.
struct Ground<'a, D> {
    candidates: &'a [Candidate],
    distance: D,
    marks: Vec<Mark>,
    /// Every candidate, yard by yard.
    members: Vec<usize>,
    yards: Vec<Yard>,
    /// The yard of each candidate.
    yard_of: Vec<usize>,
    /// By class: who was chosen or handled.
    taken: BTreeMap<usize, Vec<usize>>,
}

/// What is looked at for every candidate of a neighbourhood, kept apart from the rest: this is the inner loop.
struct Mark {
    spot: Spot,
    /// Not covered by a chosen or handled candidate.
    open: bool,
}

/// The candidates of one group in one cell.
struct Yard {
    /// Where they stand among the members.
    members: Range<usize>,
    /// The smallest box that holds their spots.
    from: Spot,
    to: Spot,
    /// Σ excess of those open.
    open: i64,
    /// The yards of the group, itself included, in which a neighbour may lie.
    near: Vec<usize>,
}

impl<'a, D: Fn(usize, usize) -> u32> Ground<'a, D> {
    fn of(candidates: &'a [Candidate], distance: D) -> Self {
        let mut members: Vec<usize> = (0..candidates.len()).collect();
        members.sort_by_key(|&at| candidates[at].yard());
        let yards = yards(candidates, &members);
        let mut yard_of = vec![0; candidates.len()];
        for (yard, of) in yards.iter().enumerate() {
            members[of.members.clone()].iter().for_each(|&at| yard_of[at] = yard);
        }
        let marks = candidates.iter().map(|candidate| Mark { spot: candidate.spot, open: true }).collect();
        let mut ground = Self { candidates, distance, marks, members, yards, yard_of, taken: BTreeMap::new() };
        for at in ground.in_state(State::Handled) {
            ground.cover(at);
        }
        ground
    }

    fn in_state(&self, state: State) -> Vec<usize> {
        (0..self.candidates.len()).filter(|&at| self.candidates[at].state == state).collect()
    }

    /// Everything that may be chosen, with a first bound.
    fn offers(&self) -> BinaryHeap<Offer> {
        let offer = |at: usize| {
            let Candidate { rollout, excess, name, .. } = self.candidates[at];
            Offer { gain: self.bound(at), rollout, excess, name: Reverse(name), candidate: at, counted_at: None }
        };
        self.in_state(State::Offered).into_iter().map(offer).collect()
    }

    /// The same offer nearer to the truth: with a smaller bound if there is one, else counted.
    fn counted(&self, offer: Offer, choices: usize) -> Offer {
        let bound = self.bound(offer.candidate);
        if bound < offer.gain {
            return Offer { gain: bound, counted_at: None, ..offer };
        }
        Offer { gain: self.gain(offer.candidate), counted_at: Some(choices), ..offer }
    }

    /// What the yards around a candidate still hold: no gain is larger.
    fn bound(&self, at: usize) -> i64 {
        self.weighed(at, self.open_yards(at).map(|yard| yard.open).sum())
    }

    fn gain(&self, at: usize) -> i64 {
        self.weighed(at, self.open_neighbours(at).map(|near| self.candidates[near].excess).sum())
    }

    /// Whether it would gain anything; most that would are open themselves.
    fn has_gain(&self, at: usize) -> bool {
        let own = self.marks[at].open && self.candidates[at].excess > 0;
        own || self.open_neighbours(at).any(|near| self.candidates[near].excess > 0)
    }

    fn weighed(&self, at: usize, excess: i64) -> i64 {
        excess * self.candidates[at].weight as i64
    }

    /// The yards that may hold neighbours and still hold something.
    fn open_yards(&self, at: usize) -> impl Iterator<Item = &Yard> {
        let spot = self.candidates[at].spot;
        let near = self.yards[self.yard_of[at]].near.iter().map(|&yard| &self.yards[yard]);
        near.filter(move |yard| yard.open > 0 && yard.least(spot, spot) <= NEAR)
    }

    /// Its neighbours in those, itself included, that are not covered yet.
    fn open_neighbours(&self, at: usize) -> impl Iterator<Item = usize> {
        let members = self.open_yards(at).flat_map(|yard| &self.members[yard.members.clone()]);
        members.copied().filter(move |&other| self.marks[other].open && self.near(at, other))
    }

    fn near(&self, at: usize, other: usize) -> bool {
        bound(self.marks[at].spot, self.marks[other].spot) <= NEAR && (self.distance)(at, other) <= NEAR
    }

    /// Whether one of its class that was chosen or handled is as near as a neighbour.
    fn repeats(&self, at: usize) -> bool {
        let taken = self.taken.get(&self.candidates[at].class);
        taken.into_iter().flatten().any(|&other| self.near(at, other))
    }

    /// Takes a candidate, and with it its neighbours; those that were open.
    fn cover(&mut self, at: usize) -> Vec<usize> {
        let near = self.yards[self.yard_of[at]].near.iter().map(|&yard| self.yards[yard].members.clone());
        let members = near.flat_map(|members| &self.members[members]).copied();
        let mut new: Vec<usize> = members.filter(|&other| self.marks[other].open && self.near(at, other)).collect();
        new.sort_unstable();
        for &other in &new {
            self.marks[other].open = false;
            self.yards[self.yard_of[other]].open -= self.candidates[other].excess;
        }
        self.taken.entry(self.candidates[at].class).or_default().push(at);
        new
    }
}

impl Yard {
    fn of(candidates: &[Candidate], members: Range<usize>, of: &[usize]) -> Self {
        let mut yard = Self { members, from: [u32::MAX; 4], to: [0; 4], open: 0, near: Vec::new() };
        for candidate in of.iter().map(|&at| &candidates[at]) {
            yard.open += candidate.excess;
            for (i, sum) in candidate.spot.into_iter().enumerate() {
                yard.from[i] = yard.from[i].min(sum);
                yard.to[i] = yard.to[i].max(sum);
            }
        }
        yard
    }

    /// What the distance from the box between two spots is at least.
    fn least(&self, from: Spot, to: Spot) -> u32 {
        let gap = |i: usize| self.from[i].saturating_sub(to[i]) + from[i].saturating_sub(self.to[i]);
        (0..4).map(gap).sum()
    }
}

/// The members, which are sorted by yard, in their yards.
fn yards(candidates: &[Candidate], members: &[usize]) -> Vec<Yard> {
    let (mut keys, mut yards) = (Vec::new(), Vec::new());
    for of in members.chunk_by(|&a, &b| candidates[a].yard() == candidates[b].yard()) {
        let from = yards.last().map_or(0, |yard: &Yard| yard.members.end);
        keys.push(candidates[of[0]].yard());
        yards.push(Yard::of(candidates, from..from + of.len(), of));
    }
    for at in 0..yards.len() {
        let yard = &yards[at];
        let near = |other: &usize| yards[*other].least(yard.from, yard.to) <= NEAR;
        yards[at].near = adjacent(&keys, keys[at]).filter(near).collect();
    }
    yards
}

/// The places of a yard and of those beside it in a sorted list. Cells that differ in the last number only follow each
/// other, so 27 searches find all 81.
fn adjacent(keys: &[(usize, Spot)], (group, cell): (usize, Spot)) -> impl Iterator<Item = usize> {
    let [a, b, c, d] = cell.map(|sum| sum.saturating_sub(1)..=sum + 1);
    let (first, last) = (*d.start(), *d.end());
    let columns = a.flat_map(move |a| {
        let c = c.clone();
        b.clone().flat_map(move |b| c.clone().map(move |c| [a, b, c]))
    });
    columns.flat_map(move |[a, b, c]| {
        let from = keys.partition_point(|key| *key < (group, [a, b, c, first]));
        let len = keys[from..].iter().take_while(|key| **key <= (group, [a, b, c, last])).count();
        from..from + len
    })
}
