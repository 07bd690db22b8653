//! A match's contests as bytes, and back to the columns of a [`Flat`].
//!
//! What stands before and between the plies goes as it is; plies and candidates are small numbers, their areas words, and
//! their text one text after the other, each column by itself. Numbers take seven bits a byte. Whatever does not add up is
//! damaged, and read again from the tables.

use super::area::{Area, Cells, Place};
use super::backgammon::{Cut, Judged};
use super::contest::{Candidate, Contest, FinishedMatch, Ply, Side};
use super::flat::{Far, FarColumns, Flat, FlatArea, FlatCandidate, FlatPly, Span};
use super::units::{Cost, Value};
use libdeflater::{CompressionLvl, Compressor, Decompressor};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::ops::Range;
use std::sync::Arc;

/// Plies of a contest whose candidates are never far: as deep as a tree of the opening gets.
const NEAR_PLIES: usize = 4;

/// The fastest there is: reading takes most of the time that is saved.
const LEVEL: i32 = 1;

/// Most that one match unpacks to: bytes that say more are damaged.
const LARGEST: u64 = 1 << 28;

/// Of the numbers before what is packed.
const NUMBER: usize = 8;

/// Bits of a ply's first number.
const SECOND: u64 = 1;
const FAR: u64 = 2;

/// What is no column.
#[derive(Serialize, Deserialize)]
struct Head {
    places: Vec<Place>,
    /// Without their plies, and how many these are.
    contests: Vec<(Contest, usize)>,
    finished: Option<FinishedMatch>,
    judged: Option<Judged>,
}

/// Columns being filled.
#[derive(Default)]
struct Packer {
    places: Vec<Arc<Place>>,
    near: Columns,
    far: Columns,
}

#[derive(Default)]
struct Columns {
    numbers: Vec<u8>,
    words: Vec<u8>,
    text: Vec<u8>,
}

/// The contests of a match as bytes.
///
/// # Errors
/// What an encoder says that was given what it cannot encode.
pub fn pack(cut: Cut) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let mut packer = Packer::default();
    let mut contests = Vec::with_capacity(cut.contests.len());
    for mut contest in cut.contests {
        let plies = std::mem::take(&mut contest.plies);
        for (index, ply) in plies.iter().enumerate() {
            packer.ply(index, ply);
        }
        contests.push((contest, plies.len()));
    }
    let Packer { places, near, far } = packer;
    let places = places.iter().map(|place| (**place).clone()).collect();
    let head = Head { places, contests, finished: cut.finished, judged: cut.judged };
    let near = deflated(&near.joined(&rmp_serde::to_vec(&head)?))?;
    let mut bytes = (near.len() as u64).to_le_bytes().to_vec();
    bytes.extend(near);
    bytes.extend(deflated(&far.joined(&[]))?);
    Ok(bytes)
}

impl Packer {
    fn ply(&mut self, index: usize, ply: &Ply) {
        let bare = |candidate: &Candidate| candidate.label.is_empty() && candidate.areas.is_empty();
        let is_far = index >= NEAR_PLIES && ply.candidates.iter().all(bare);
        let by = if ply.by == Side::Second { SECOND } else { 0 };
        self.near.number(by | if is_far { FAR } else { 0 });
        self.near.optional(ply.chance.as_ref().map(|chance| chance.len() as u64));
        self.near.text.extend(ply.chance.iter().flat_map(|chance| chance.bytes()));
        self.near.text(&ply.label);
        self.near.text(&ply.key);
        for value in [ply.value, ply.before] {
            self.near.optional(value.map(|value| value.billionths().unsigned_abs()));
        }
        self.near.optional(ply.choices.map(u64::from));
        self.near.cost(ply.cost);
        self.areas(&ply.areas[..ply.areas.len().min(1)]);
        self.near.number(ply.candidates.len() as u64);
        for candidate in &ply.candidates {
            if is_far {
                self.far.text(&candidate.key);
                self.far.cost(candidate.cost);
            } else {
                self.near.text(&candidate.label);
                self.near.text(&candidate.key);
                self.near.cost(candidate.cost);
                self.areas(&candidate.areas);
            }
        }
    }

    fn areas(&mut self, areas: &[Area]) {
        self.near.number(areas.len() as u64);
        for area in areas {
            let known = self.places.iter().position(|place| place == area.place());
            let number = known.unwrap_or_else(|| {
                self.places.push(Arc::clone(area.place()));
                self.places.len() - 1
            });
            self.near.number(number as u64);
            self.near.words.extend(area.cells().words().iter().flat_map(|word| word.to_le_bytes()));
        }
    }
}

impl Columns {
    fn number(&mut self, mut number: u64) {
        loop {
            let [low, ..] = number.to_le_bytes();
            number >>= 7;
            if number == 0 {
                self.numbers.push(low & 127);
                return;
            }
            self.numbers.push(low | 128);
        }
    }

    /// Zero is nothing; the largest of all numbers, which nothing here reaches, is not told from the one before.
    fn optional(&mut self, number: Option<u64>) {
        self.number(number.map_or(0, |number| number.saturating_add(1)));
    }

    fn cost(&mut self, cost: Option<Cost>) {
        self.optional(cost.map(|cost| cost.billionths().unsigned_abs()));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.text.extend(text.bytes());
    }

    /// One after the other, behind their lengths.
    fn joined(&self, head: &[u8]) -> Vec<u8> {
        let columns = [head, &self.numbers, &self.words, &self.text];
        let mut bytes: Vec<u8> = columns.iter().flat_map(|column| (column.len() as u64).to_le_bytes()).collect();
        columns.iter().for_each(|column| bytes.extend_from_slice(column));
        bytes
    }
}

fn deflated(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let level = CompressionLvl::new(LEVEL).map_err(|fault| format!("level {LEVEL}: {fault:?}"))?;
    let mut compressor = Compressor::new(level);
    let mut packed = (bytes.len() as u64).to_le_bytes().to_vec();
    packed.resize(NUMBER + compressor.deflate_compress_bound(bytes.len()), 0);
    let length = compressor.deflate_compress(bytes, &mut packed[NUMBER..])?;
    packed.truncate(NUMBER + length);
    Ok(packed)
}

fn inflated(packed: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Reader(packed);
    let length = reader.fixed().filter(|length| *length <= LARGEST)?;
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    let read = Decompressor::new().deflate_decompress(reader.0, &mut bytes).ok()?;
    (read == bytes.len()).then_some(bytes)
}

/// What is left of a column.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn fixed(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk::<NUMBER>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 127).checked_shl(shift)?;
            if byte < 128 {
                return Some(number);
            }
            shift += 7;
        }
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn optional(&mut self) -> Option<Option<u64>> {
        self.number().map(|number| number.checked_sub(1))
    }

    fn cost(&mut self) -> Option<Option<Cost>> {
        let Some(cost) = self.optional()? else { return Some(None) };
        Some(Some(Cost::from_billionths(i64::try_from(cost).ok()?)))
    }

    fn value(&mut self) -> Option<Option<Value>> {
        let Some(value) = self.optional()? else { return Some(None) };
        Value::from_billionths(i64::try_from(value).ok()?).map(Some)
    }
}

/// Columns being read.
struct Unpacking<'a> {
    numbers: Reader<'a>,
    words: Reader<'a>,
    text: Texts<'a>,
}

/// Texts one after the other.
struct Texts<'a> {
    all: &'a str,
    at: usize,
}

impl Texts<'_> {
    fn next(&mut self, length: u64) -> Option<Span> {
        let (at, length) = (self.at, usize::try_from(length).ok()?);
        self.at = at.checked_add(length)?;
        self.all.get(at..self.at)?;
        Some(Span { at: u32::try_from(at).ok()?, length: u32::try_from(length).ok()? })
    }
}

impl<'a> Unpacking<'a> {
    /// The head, and the columns behind it.
    fn of(bytes: &'a [u8]) -> Option<(&'a [u8], Self)> {
        let mut rest = Reader(bytes);
        let lengths = [rest.fixed()?, rest.fixed()?, rest.fixed()?, rest.fixed()?];
        let [head, numbers, words, text] = lengths.map(|length| rest.take(length));
        let text = Texts { all: std::str::from_utf8(text?).ok()?, at: 0 };
        let columns = Self { numbers: Reader(numbers?), words: Reader(words?), text };
        rest.0.is_empty().then_some((head?, columns))
    }

    fn text(&mut self) -> Option<Span> {
        let length = self.numbers.number()?;
        self.text.next(length)
    }

    /// Everything was read, and nothing is left.
    const fn is_done(&self) -> bool {
        self.numbers.0.is_empty() && self.words.0.is_empty() && self.text.at == self.text.all.len()
    }

    fn areas(&mut self, flat: &mut Flat) -> Option<Range<usize>> {
        let from = flat.areas.len();
        for _ in 0..self.numbers.count()? {
            let number = self.numbers.count()?;
            let words = flat.places.get(number)?.words();
            let cells = if words == 1 {
                Cells::of_words(&[self.words.fixed()?])
            } else {
                Cells::of_words(&(0..words).map(|_| self.words.fixed()).collect::<Option<Vec<_>>>()?)
            };
            flat.areas.push(FlatArea { place: number, cells });
        }
        Some(from..flat.areas.len())
    }

    fn ply(&mut self, flat: &mut Flat) -> Option<FlatPly> {
        let bits = self.numbers.number()?;
        let chance = match self.numbers.optional()? {
            Some(length) => Some(self.text.next(length)?),
            None => None,
        };
        let (label, key) = (self.text()?, self.text()?);
        let (value, before) = (self.numbers.value()?, self.numbers.value()?);
        let choices = match self.numbers.optional()? {
            Some(choices) => Some(u32::try_from(choices).ok()?),
            None => None,
        };
        let cost = self.numbers.cost()?;
        let area = self.areas(flat)?.next();
        let (count, is_far) = (self.numbers.count()?, bits & FAR != 0);
        let candidates = if is_far {
            let from = flat.far.count;
            flat.far.count = from.checked_add(count)?;
            from..flat.far.count
        } else {
            self.candidates(count, flat)?
        };
        let by = if bits & SECOND == 0 { Side::First } else { Side::Second };
        Some(FlatPly { by, is_far, chance, label, key, value, before, area, choices, cost, candidates })
    }

    fn candidates(&mut self, count: usize, flat: &mut Flat) -> Option<Range<usize>> {
        let from = flat.candidates.len();
        for _ in 0..count {
            let (label, key, cost) = (self.text()?, self.text()?, self.numbers.cost()?);
            let areas = self.areas(flat)?;
            flat.candidates.push(FlatCandidate { label, key, cost, areas });
        }
        Some(from..flat.candidates.len())
    }
}

impl FarColumns {
    /// So many candidates that lie packed; `None` if they are damaged.
    pub(super) fn unpack(packed: &[u8], count: usize) -> Option<Self> {
        let bytes = inflated(packed)?;
        let (_, mut columns) = Unpacking::of(&bytes)?;
        let mut candidates = Vec::new();
        while !columns.numbers.0.is_empty() {
            candidates.push((columns.text()?, columns.numbers.cost()?));
        }
        let text = columns.text.all.to_owned();
        (columns.is_done() && candidates.len() == count).then_some(Self { text, candidates })
    }
}

/// Reads matches again. The places met so far are shared, and telling two apart is comparing two addresses.
#[derive(Debug, Default)]
pub struct Unpacker {
    places: Vec<Arc<Place>>,
}

impl Unpacker {
    /// The contests again; `None` if they are damaged.
    pub fn flat(&mut self, bytes: &[u8]) -> Option<Flat> {
        let mut rest = Reader(bytes);
        let length = rest.fixed()?;
        let near = inflated(rest.take(length)?)?;
        let (head, mut columns) = Unpacking::of(&near)?;
        let head: Head = rmp_serde::from_slice(head).ok()?;
        let mut flat = Flat {
            finished: head.finished,
            judged: head.judged,
            places: head.places.into_iter().map(|place| self.known(place)).collect(),
            far: Far { packed: rest.0.to_vec(), ..Far::default() },
            ..Flat::default()
        };
        for (contest, plies) in head.contests {
            let from = flat.plies.len();
            for _ in 0..plies {
                let ply = columns.ply(&mut flat)?;
                flat.plies.push(ply);
            }
            flat.contests.push((contest, from..flat.plies.len()));
        }
        columns.text.all.clone_into(&mut flat.text);
        columns.is_done().then_some(flat)
    }

    fn known(&mut self, place: Place) -> Arc<Place> {
        if let Some(known) = self.places.iter().find(|known| ***known == place) {
            return Arc::clone(known);
        }
        let place = Arc::new(place);
        self.places.push(Arc::clone(&place));
        place
    }
}
