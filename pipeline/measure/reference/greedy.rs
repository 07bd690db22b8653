//! The greedy choice of reference positions (`metrics.md` 13.3), whatever a candidate is and however distance is
//! measured ([`Ground`]).
//!
//! Gains only fall as positions are covered, so the queue holds gains as they were, and only what comes to its head is
//! looked at again. The invariant: an entry at the head whose gain is what it was is the largest, ties included, because
//! every other entry's gain is at most what it was. Gains are whole numbers, so ties are ties.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A position that may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The last word between equals: the smaller is chosen.
    pub name: usize,
    /// Neighbours cover each other within one group only: the family, for cube with the score.
    pub group: usize,
    /// Near-duplicates are looked for within one class: the kind, for cube with the score.
    pub class: usize,
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

/// Where the candidates lie and which of them are open: not yet covered. A candidate's neighbours are those of its group
/// within reach, itself included.
pub trait Ground {
    /// Σ excess of a candidate's open neighbours.
    fn worth(&self, at: usize) -> i64;

    /// Covers a candidate's neighbours; those that were open, in the order of the list.
    fn cover(&mut self, at: usize) -> Vec<usize>;

    /// Whether two candidates, whatever their groups, are within reach of each other.
    fn near(&self, a: usize, b: usize) -> bool;
}

/// Chooses up to `wanted` candidates.
pub fn choose(candidates: &[Candidate], mut ground: impl Ground, wanted: usize) -> Choice {
    let mut taken = Taken::default();
    for at in in_state(candidates, State::Handled) {
        ground.cover(at);
        taken.add(at, &candidates[at]);
    }
    let mut queue = offers(candidates, &ground);
    let mut choice = Choice::default();
    while choice.chosen.len() < wanted {
        let Some(offer) = queue.pop().filter(|offer| offer.gain > 0) else { break };
        let (at, of) = (offer.candidate, &candidates[offer.candidate]);
        let gain = of.weighed(ground.worth(at));
        if gain < offer.gain {
            queue.push(Offer { gain, ..offer });
        } else if taken.repeats(at, of, &ground) {
            choice.discarded += 1;
        } else {
            taken.add(at, of);
            choice.chosen.push(Chosen { candidate: at, gain: offer.gain, covered: ground.cover(at) });
        }
    }
    choice.left = queue.iter().filter(|offer| ground.worth(offer.candidate) > 0).count();
    choice
}

impl Candidate {
    fn weighed(&self, excess: i64) -> i64 {
        excess * self.weight as i64
    }
}

fn in_state(candidates: &[Candidate], state: State) -> impl Iterator<Item = usize> {
    (0..candidates.len()).filter(move |&at| candidates[at].state == state)
}

/// Everything that may be chosen, with its gain before any choice.
fn offers(candidates: &[Candidate], ground: &impl Ground) -> BinaryHeap<Offer> {
    let offer = |at: usize| {
        let of = &candidates[at];
        let gain = of.weighed(ground.worth(at));
        Offer { gain, rollout: of.rollout, excess: of.excess, name: Reverse(of.name), candidate: at }
    };
    in_state(candidates, State::Offered).map(offer).collect()
}

/// An entry of the queue; the derived order is the order of choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    /// In quarters; at least what it is now.
    gain: i64,
    rollout: bool,
    excess: i64,
    name: Reverse<usize>,
    candidate: usize,
}

/// By class: who was chosen or handled.
#[derive(Default)]
struct Taken(BTreeMap<usize, Vec<usize>>);

impl Taken {
    fn add(&mut self, at: usize, candidate: &Candidate) {
        self.0.entry(candidate.class).or_default().push(at);
    }

    /// Whether one of its class is as near as a neighbour.
    fn repeats(&self, at: usize, candidate: &Candidate, ground: &impl Ground) -> bool {
        self.0.get(&candidate.class).into_iter().flatten().any(|&other| ground.near(at, other))
    }
}
