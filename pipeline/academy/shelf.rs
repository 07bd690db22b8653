//! The patterns of one place and one player: what can meet at all, stored for speed.
//!
//! A proposal is concrete (one bit a cell), so the bits a pattern lacks are the cells in which it would have to change.
//! Patterns of one word are asked sixty-four at a time: for every bit of the word there is a lane that says which slots
//! have it, and the lanes of a proposal's bits, ANDed, are the slots that cover it. The order on a shelf means nothing: it
//! changes when a pattern leaves, and every choice among patterns ends with the smaller id.

use super::alphabet::CELL_BITS;
use super::area::{CELLS_PER_WORD, Cells, Place};
use super::contest::Side;
use super::votes::{Tally, Vote};
use jiff::civil::Date;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// Bits of a word that stand for a cell's content.
const LANES: usize = (CELLS_PER_WORD * CELL_BITS) as usize;

/// Slots one word of a lane speaks of.
const SLOTS: usize = 64;

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
    /// For each bit of a word the slots whose pattern has it, a bit a slot; none where a pattern is more than a word.
    lanes: Vec<Vec<u64>>,
    entries: Vec<Entry>,
    by_cells: HashMap<Cells, usize, Quick>,
}

/// For keys of a word or two in maps that a library's capacity bounds: whoever chose cells so that they fall on one place
/// would gain nothing by it.
pub(super) type Quick = BuildHasherDefault<Mixed>;

/// One multiplication a word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(size_of::<u64>()) {
            let mut word = [0; size_of::<u64>()];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        /// 2^64 over the golden ratio: odd, and its bits follow no rule.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(SPREAD);
    }

    fn finish(&self) -> u64 {
        // The high bits know of all bits, and a map looks at the low ones, too.
        self.0 ^ self.0 >> 32
    }
}

impl Shelf {
    pub(super) fn new(place: &Arc<Place>, side: Side, stride: usize) -> Self {
        let place = Arc::clone(place);
        let lanes = if stride == 1 { vec![Vec::new(); LANES] } else { Vec::new() };
        Self { place, side, stride, masks: Vec::new(), lanes, entries: Vec::new(), by_cells: HashMap::default() }
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
        Cells::of_words(self.words(slot))
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
        self.note(slot);
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
        self.note(slot);
    }

    /// Brings the lanes up to date about a slot; one that is no more has no bit.
    fn note(&mut self, slot: usize) {
        let word = self.masks.get(slot).copied().unwrap_or(0);
        let (at, bit) = (slot / SLOTS, 1_u64 << (slot % SLOTS));
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            if lane.len() <= at {
                lane.resize(at + 1, 0);
            }
            if word >> number & 1 == 1 { lane[at] |= bit } else { lane[at] &= !bit }
        }
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
        self.note(last);
        if slot != last {
            self.note(slot);
        }
        Some((cells, self.entries.swap_remove(slot)))
    }

    /// Visits every slot whose pattern would have to change in so many cells to cover the concrete cells.
    pub(super) fn scan(&self, concrete: &Cells, lacking: u32, mut visit: impl FnMut(usize)) {
        // One word holds ten cells, all that many games need.
        match (concrete.words(), lacking) {
            ([new], 0) => self.scan_lanes(*new, |[once, _]| !once, visit),
            ([new], 1) => self.scan_lanes(*new, |[once, twice]| once & !twice, visit),
            (words, _) => {
                for (slot, known) in self.masks.chunks_exact(self.stride).enumerate() {
                    let missing: u32 = words.iter().zip(known).map(|(new, known)| (new & !known).count_ones()).sum();
                    if missing == lacking {
                        visit(slot);
                    }
                }
            }
        }
    }

    /// The same for one word, sixty-four slots at a time. `fit` says which, of those that lack a cell and those that lack
    /// two or more.
    fn scan_lanes(&self, new: u64, fit: impl Fn([u64; 2]) -> u64, mut visit: impl FnMut(usize)) {
        let mut lanes: [&[u64]; CELLS_PER_WORD as usize] = [&[]; CELLS_PER_WORD as usize];
        let wanted = self.lanes.iter().zip(0..LANES).filter(|(_, number)| new >> number & 1 == 1);
        let mut count = 0;
        for (place, (lane, _)) in lanes.iter_mut().zip(wanted) {
            *place = lane;
            count += 1;
        }
        for at in 0..self.entries.len().div_ceil(SLOTS) {
            let (mut once, mut twice) = (0_u64, 0_u64);
            for lane in &lanes[..count] {
                let lacks = !lane[at];
                twice |= once & lacks;
                once |= lacks;
            }
            let mut fit = fit([once, twice]);
            while fit != 0 {
                let slot = at * SLOTS + fit.trailing_zeros() as usize;
                if slot >= self.entries.len() {
                    return;
                }
                visit(slot);
                fit &= fit - 1;
            }
        }
    }
}
