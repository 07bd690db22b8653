//! The patterns of one place and one player: what can meet at all, stored for speed.
//!
//! The masks of all patterns lie side by side, so asking which of them a proposal fits is an AND a word without a
//! jump through memory. A proposal is concrete (one bit a cell), so the bits a pattern lacks are the cells in which it
//! would have to change. The order on a shelf means nothing: it changes when a pattern leaves, and every choice among
//! patterns ends with the smaller id.

use super::area::{Cells, Place};
use super::contest::Side;
use super::votes::{Tally, Vote};
use jiff::civil::Date;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A player's number in the roster of his game.
pub(super) type PlayerId = u32;

/// What is known of one pattern besides its cells.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) id: u32,
    pub(super) tally: Tally,
    pub(super) worth: f64,
    pub(super) slack: u32,
    pub(super) votes: BTreeMap<PlayerId, Vote>,
    pub(super) first_seen: Option<Date>,
    pub(super) last_seen: Option<Date>,
    pub(super) example: (Arc<str>, u32),
}

/// All patterns of one place and one player.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    pub(super) place: Arc<Place>,
    pub(super) side: Side,
    stride: usize,
    masks: Vec<u64>,
    entries: Vec<Entry>,
    by_cells: HashMap<Cells, usize>,
}

impl Shelf {
    pub(super) fn new(place: &Arc<Place>, side: Side, stride: usize) -> Self {
        let place = Arc::clone(place);
        Self { place, side, stride, masks: Vec::new(), entries: Vec::new(), by_cells: HashMap::new() }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn entry(&self, slot: usize) -> Option<&Entry> {
        self.entries.get(slot)
    }

    pub(super) fn entry_mut(&mut self, slot: usize) -> Option<&mut Entry> {
        self.entries.get_mut(slot)
    }

    /// Words of the pattern in that slot.
    pub(super) fn words(&self, slot: usize) -> &[u64] {
        self.masks.get(slot * self.stride..(slot + 1) * self.stride).unwrap_or(&[])
    }

    /// Cells of the pattern in that slot.
    pub(super) fn cells(&self, slot: usize) -> Cells {
        Cells::from_words(self.words(slot).to_vec())
    }

    /// Slot of the pattern with exactly these cells.
    pub(super) fn find(&self, cells: &Cells) -> Option<usize> {
        self.by_cells.get(cells).copied()
    }

    /// Adds a pattern; the caller has made sure that no other has its cells.
    pub(super) fn push(&mut self, cells: &Cells, entry: Entry) -> usize {
        let slot = self.entries.len();
        self.masks.extend_from_slice(cells.words());
        self.entries.push(entry);
        self.by_cells.insert(cells.clone(), slot);
        slot
    }

    /// Gives the pattern in that slot other cells, which no other pattern has.
    pub(super) fn rewrite(&mut self, slot: usize, cells: &Cells, slack: u32) {
        self.by_cells.remove(&self.cells(slot));
        if let Some(words) = self.masks.get_mut(slot * self.stride..(slot + 1) * self.stride) {
            words.copy_from_slice(cells.words());
        }
        if let Some(entry) = self.entries.get_mut(slot) {
            entry.slack = slack;
        }
        self.by_cells.insert(cells.clone(), slot);
    }

    /// Takes a pattern off; the last one moves into its slot.
    pub(super) fn remove(&mut self, slot: usize) -> Option<(Cells, Entry)> {
        let last = self.entries.len().checked_sub(1).filter(|&last| slot <= last)?;
        let cells = self.cells(slot);
        self.by_cells.remove(&cells);
        if slot != last {
            let moved = self.cells(last);
            self.masks.copy_within(last * self.stride..(last + 1) * self.stride, slot * self.stride);
            self.by_cells.insert(moved, slot);
        }
        self.masks.truncate(last * self.stride);
        Some((cells, self.entries.swap_remove(slot)))
    }

    /// Visits every slot whose pattern would have to change in at most `limit` cells to cover the concrete cells.
    pub(super) fn scan(&self, concrete: &Cells, limit: u32, mut visit: impl FnMut(usize)) {
        // One word holds ten cells, all that many games need; it deserves the loop without an inner one.
        if let [new] = concrete.words() {
            for (slot, known) in self.masks.iter().enumerate() {
                if at_most(new & !known, limit) {
                    visit(slot);
                }
            }
            return;
        }
        for (slot, known) in self.masks.chunks_exact(self.stride).enumerate() {
            let missing: u32 = concrete.words().iter().zip(known).map(|(new, known)| (new & !known).count_ones()).sum();
            if missing <= limit {
                visit(slot);
            }
        }
    }
}

/// Whether at most `limit` bits are set. Within the limits that file well it is one AND; past them the bits are counted,
/// for a limit may be any number.
const fn at_most(bits: u64, limit: u32) -> bool {
    match limit {
        0 => bits == 0,
        1 => bits & bits.wrapping_sub(1) == 0,
        _ => bits.count_ones() <= limit,
    }
}
