//! A library of local patterns: filing a proposal, and finding the pattern that covers an area.
//!
//! A proposal is matched, generalises a known pattern, specialises one, or becomes one: the first that applies. What
//! "match" means is *identical*, not *covered*: every row of the specialisation table is a covered pair. The source
//! sets no limit to generalising and everything melts together; the limits are in [`FilingLaw`]. No two patterns of a
//! library share place, player and cells; each has a vote; the weakest leaves as soon as there are too many.

mod choose;

use super::area::{Area, Cells, Place};
use super::contest::Side;
use super::seen::SeenArea;
use super::settings::{FilingLaw, VotesBy};
use super::shelf::{Entry, PlayerId, Quick, Shelf};
use super::units::{Elo, Value};
use super::votes::{Tally, Vote};
use choose::Choice;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The four ways a proposal is filed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Identical cells: one more vote.
    Match,
    /// A known pattern became wider.
    Generalise,
    /// A known pattern became narrower.
    Specialise,
    /// A new pattern.
    Insert,
}

/// What a player says of an area.
#[derive(Clone, Debug)]
pub struct Proposal<'a> {
    /// The area, as the core stores it.
    pub area: &'a Area,
    /// Whose pattern it is: always the first player in a symmetric game.
    pub side: Side,
    /// The player's number in the roster.
    pub player: u32,
    /// His Elo.
    pub elo: Elo,
    /// What he holds it worth.
    pub value: Value,
    /// Day of the contest.
    pub date: Option<Date>,
    /// The contest.
    pub contest: &'a Arc<str>,
    /// Number of the ply.
    pub ply: u32,
}

/// What became of a proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Filed {
    /// How it was filed.
    pub step: Step,
    /// The pattern that holds it now; it may be among those that left.
    pub id: u32,
    /// That pattern's cells.
    pub cells: Cells,
    /// Cells that changed.
    pub changed: u32,
    /// Patterns that left for want of room.
    pub evicted: Vec<Evicted>,
}

/// A pattern that left.
#[derive(Clone, Debug, PartialEq)]
pub struct Evicted {
    /// Its id.
    pub id: u32,
    /// Its place.
    pub place: Arc<Place>,
    /// Its cells.
    pub cells: Cells,
    /// Its V.
    pub value: f64,
}

/// A pattern as it stands.
#[derive(Clone, Debug)]
pub struct Pattern<'a> {
    /// Its id.
    pub id: u32,
    /// Its place.
    pub place: &'a Arc<Place>,
    /// Whose it is.
    pub side: Side,
    /// Its cells.
    pub cells: Cells,
    /// The sums behind N, E and V.
    pub tally: &'a Tally,
}

/// A pattern that covers an area.
#[derive(Clone, Copy, Debug)]
pub struct Cover<'a> {
    /// Its id.
    pub id: u32,
    /// Σ (contents − 1): smaller is more specific.
    pub slack: u32,
    /// N·E·(0.5 − V)².
    pub worth: f64,
    /// The sums behind E and V.
    pub tally: &'a Tally,
}

/// How large a library may be and by which laws it files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryLaw {
    /// Most patterns.
    pub capacity: usize,
    /// Whose voice counts.
    pub votes: VotesBy,
    /// When patterns merge.
    pub filing: FilingLaw,
}

/// Smallest worth first, then the youngest: who leaves next. Worths are never negative, so their bits are in order.
type Rank = (u64, Reverse<u32>);

/// A library.
#[derive(Clone, Debug)]
pub struct Library {
    law: LibraryLaw,
    pub(super) next_id: u32,
    pub(super) shelves: Vec<Shelf>,
    /// Where each pattern is.
    slots: HashMap<u32, (usize, usize), Quick>,
    weakest: BTreeSet<Rank>,
}

impl Library {
    /// An empty library.
    #[must_use]
    pub fn new(law: LibraryLaw) -> Self {
        Self { law, next_id: 1, shelves: Vec::new(), slots: HashMap::default(), weakest: BTreeSet::new() }
    }

    /// Number of patterns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether it holds no pattern.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// All patterns, in no order.
    pub fn patterns(&self) -> impl Iterator<Item = Pattern<'_>> {
        self.shelves.iter().flat_map(|shelf| {
            shelf.entries().iter().enumerate().map(|(slot, entry)| Pattern {
                id: entry.id,
                place: &shelf.place,
                side: shelf.side,
                cells: shelf.cells(slot),
                tally: &entry.tally,
            })
        })
    }

    /// Files a proposal and sees to the capacity.
    pub fn file(&mut self, proposal: &Proposal<'_>) -> Filed {
        let shelf = self.shelf_for(proposal.area, proposal.side);
        let (step, slot, changed) = self.settle(shelf, proposal);
        let (id, cells) = self.read(shelf, slot);
        Filed { step, id, cells, changed, evicted: self.evict() }
    }

    /// The most specific pattern that covers the area and that `counts`; among equals the one of greatest worth,
    /// then of smallest id.
    pub fn cover(&self, area: &Area, side: Side, counts: impl Fn(&Tally) -> bool) -> Option<Cover<'_>> {
        self.cover_seen(SeenArea::of(area), side, counts)
    }

    pub(super) fn cover_seen(
        &self,
        area: SeenArea<'_>,
        side: Side,
        counts: impl Fn(&Tally) -> bool,
    ) -> Option<Cover<'_>> {
        let shelf = self.shelves.iter().find(|shelf| is_of(shelf, area.place, side))?;
        // A concrete pattern with the very cells has no slack; nothing can be more specific.
        let identical = shelf.find(area.cells).and_then(|slot| shelf.entry(slot)).filter(|e| counts(&e.tally));
        if let Some(entry) = identical {
            return Some(Cover::of(entry));
        }
        let mut best: Option<Cover<'_>> = None;
        shelf.scan(area.cells, 0, |slot| {
            let Some(entry) = shelf.entry(slot) else { return };
            let better = best.is_none_or(|best| Cover::of(entry).rank() < best.rank());
            if better && counts(&entry.tally) {
                best = Some(Cover::of(entry));
            }
        });
        best
    }

    /// Puts a pattern back as it was saved. An error in words if it breaks an invariant of the library.
    pub(super) fn put_back(
        &mut self,
        place: &Arc<Place>,
        side: Side,
        cells: &Cells,
        entry: Entry,
    ) -> Result<(), String> {
        let id = entry.id;
        if entry.votes.is_empty() || id == 0 || id >= self.next_id || self.slots.contains_key(&id) {
            return Err(format!("pattern {id} has no vote, or its id is taken or not given out"));
        }
        let shelf = self.shelf_at(place, side, cells.words().len());
        if self.shelves[shelf].find(cells).is_some() {
            return Err(format!("pattern {id} has the cells of another one"));
        }
        self.place(shelf, cells, entry);
        Ok(())
    }

    /// An entry with the sums its votes give.
    pub(super) fn entry(&self, votes: BTreeMap<PlayerId, Vote>, id: u32, example: (Arc<str>, u32)) -> Entry {
        let mut tally = Tally::default();
        for &vote in votes.values() {
            tally.add(vote, self.law.votes);
        }
        Entry { id, tally, worth: 0.0, slack: 0, votes, first_seen: None, last_seen: None, example }
    }

    /// The first of the four steps that applies: the step, the slot that holds the proposal, the cells it changed.
    fn settle(&mut self, shelf: usize, proposal: &Proposal<'_>) -> (Step, usize, u32) {
        if let Some(slot) = self.shelves[shelf].find(proposal.area.cells()) {
            self.vote(shelf, slot, proposal);
            return (Step::Match, slot, 0);
        }
        if let Some(choice) = self.wider(shelf, proposal) {
            let changed = choice.merged.changed;
            return (Step::Generalise, self.adopt(shelf, choice, proposal), changed);
        }
        if let Some(choice) = self.narrower(shelf, proposal) {
            let changed = choice.merged.changed;
            return (Step::Specialise, self.adopt(shelf, choice, proposal), changed);
        }
        (Step::Insert, self.insert(shelf, proposal), 0)
    }

    /// Gives the chosen pattern its new cells and the proposer's vote; returns the slot that holds it afterwards.
    fn adopt(&mut self, shelf: usize, choice: Choice, proposal: &Proposal<'_>) -> usize {
        let twin = self.shelves[shelf].find(&choice.merged.cells).filter(|&twin| twin != choice.slot);
        let slot = match twin {
            Some(twin) => self.unite(shelf, choice.slot, twin),
            None => {
                if choice.merged.changed > 0 {
                    self.shelves[shelf].rewrite(choice.slot, &choice.merged.cells, choice.merged.slack);
                }
                choice.slot
            }
        };
        self.vote(shelf, slot, proposal);
        slot
    }

    /// Two patterns that would have the same cells become one: cells of `twin`, the smaller id and its first
    /// sighting, the votes of both added up per player. Returns its slot.
    fn unite(&mut self, shelf: usize, changed: usize, twin: usize) -> usize {
        let cells = self.shelves[shelf].cells(twin);
        let (Some(a), Some(b)) = (self.take(shelf, changed), self.shelves[shelf].find(&cells)) else { return twin };
        let Some(b) = self.take(shelf, b) else { return twin };
        let (mut kept, lost) = if a.id < b.id { (a, b) } else { (b, a) };
        for (player, vote) in lost.votes {
            let joined = kept.votes.entry(player).or_default();
            self.law.retally(&mut kept.tally, joined, joined.joined(vote));
        }
        self.place(shelf, &cells, kept)
    }

    /// Takes a pattern off its shelf and out of every index.
    fn take(&mut self, shelf: usize, slot: usize) -> Option<Entry> {
        let (_, entry) = self.shelves[shelf].remove(slot)?;
        self.forget(&entry);
        if let Some(moved) = self.shelves[shelf].entry(slot) {
            self.slots.insert(moved.id, (shelf, slot));
        }
        Some(entry)
    }

    fn forget(&mut self, entry: &Entry) {
        self.weakest.remove(&(entry.worth.to_bits(), Reverse(entry.id)));
        self.slots.remove(&entry.id);
    }

    /// Puts a pattern on its shelf and into every index.
    fn place(&mut self, shelf: usize, cells: &Cells, mut entry: Entry) -> usize {
        entry.worth = entry.tally.worth();
        entry.slack = cells.slack();
        let (id, rank) = (entry.id, (entry.worth.to_bits(), Reverse(entry.id)));
        let slot = self.shelves[shelf].push(cells, entry);
        self.slots.insert(id, (shelf, slot));
        self.weakest.insert(rank);
        slot
    }

    fn insert(&mut self, shelf: usize, proposal: &Proposal<'_>) -> usize {
        let vote = Vote::default().and(proposal.elo, proposal.value);
        let example = (Arc::clone(proposal.contest), proposal.ply);
        let mut entry = self.entry(BTreeMap::from([(proposal.player, vote)]), self.next_id, example);
        (entry.first_seen, entry.last_seen) = (proposal.date, proposal.date);
        self.next_id += 1;
        self.place(shelf, proposal.area.cells(), entry)
    }

    /// Adds the proposer's vote and brings what is derived from it up to date.
    fn vote(&mut self, shelf: usize, slot: usize, proposal: &Proposal<'_>) {
        let Some(entry) = self.shelves[shelf].entry_mut(slot) else { return };
        let vote = entry.votes.entry(proposal.player).or_default();
        self.law.retally(&mut entry.tally, vote, vote.and(proposal.elo, proposal.value));
        self.weakest.remove(&(entry.worth.to_bits(), Reverse(entry.id)));
        entry.worth = entry.tally.worth();
        entry.last_seen = proposal.date;
        self.weakest.insert((entry.worth.to_bits(), Reverse(entry.id)));
    }

    /// Lets the weakest leave while there are too many.
    fn evict(&mut self) -> Vec<Evicted> {
        let mut evicted = Vec::new();
        while self.slots.len() > self.law.capacity {
            let Some((_, Reverse(id))) = self.weakest.first().copied() else { break };
            let Some(&(shelf, slot)) = self.slots.get(&id) else { break };
            let cells = self.shelves[shelf].cells(slot);
            let Some(entry) = self.take(shelf, slot) else { break };
            let place = Arc::clone(&self.shelves[shelf].place);
            evicted.push(Evicted { id, place, cells, value: entry.tally.value() });
        }
        evicted
    }

    fn read(&self, shelf: usize, slot: usize) -> (u32, Cells) {
        let shelf = &self.shelves[shelf];
        (shelf.entry(slot).map_or(0, |entry| entry.id), shelf.cells(slot))
    }

    fn shelf_for(&mut self, area: &Area, side: Side) -> usize {
        self.shelf_at(area.place(), side, area.cells().words().len())
    }

    fn shelf_at(&mut self, place: &Arc<Place>, side: Side, stride: usize) -> usize {
        if let Some(at) = self.shelves.iter().position(|shelf| is_of(shelf, place, side)) {
            return at;
        }
        self.shelves.push(Shelf::new(place, side, stride));
        self.shelves.len() - 1
    }
}

impl LibraryLaw {
    /// Replaces a vote and moves the sums along.
    fn retally(self, tally: &mut Tally, vote: &mut Vote, new: Vote) {
        tally.take(*vote, self.votes);
        tally.add(new, self.votes);
        *vote = new;
    }
}

impl<'a> Cover<'a> {
    const fn of(entry: &'a Entry) -> Self {
        Self { id: entry.id, slack: entry.slack, worth: entry.worth, tally: &entry.tally }
    }

    /// Least slack, then greatest worth, then smallest id: the smaller rank is the better cover.
    #[must_use]
    pub const fn rank(&self) -> (u32, Reverse<u64>, u32) {
        (self.slack, Reverse(self.worth.to_bits()), self.id)
    }
}

/// Areas of one adapter share their places, so the pointers mostly settle it.
fn is_of(shelf: &Shelf, place: &Arc<Place>, side: Side) -> bool {
    shelf.side == side && (Arc::ptr_eq(&shelf.place, place) || shelf.place == *place)
}
