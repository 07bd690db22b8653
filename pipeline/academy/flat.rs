//! A match's contests in a few columns: what is kept of it between cutting and filing.
//!
//! A match has hundreds of plies and thousands of candidates with a key and a label each. One by one they cost more to
//! make and to let go than to file; so all text of a match is one text, all areas are one list, and a ply knows where its
//! own stand. Only what filing reads is here: of the areas of a ply the first.
//!
//! Most candidates have neither label nor areas, because no library may be asked where they stand
//! ([`backgammon::cut_for`](super::backgammon::cut_for)); past the first plies hardly any is ever looked at. Those are *far*:
//! they stay packed until the first one is asked for.

use super::area::{Cells, Place};
use super::backgammon::Judged;
use super::contest::{Contest, FinishedMatch, Side};
use super::seen::{Listed, Seen, SeenArea, SeenCandidate, SeenPly};
use super::units::{Cost, Value};
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

pub use super::pack::{Unpacker, pack};

/// Where a text stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) at: u32,
    pub(super) length: u32,
}

/// Number of its place, and its contents.
#[derive(Clone, Debug)]
pub(super) struct FlatArea {
    pub(super) place: usize,
    pub(super) cells: Cells,
}

#[derive(Clone, Debug)]
pub(super) struct FlatPly {
    pub(super) by: Side,
    pub(super) is_far: bool,
    pub(super) chance: Option<Span>,
    pub(super) label: Span,
    pub(super) key: Span,
    pub(super) value: Option<Value>,
    pub(super) before: Option<Value>,
    pub(super) area: Option<usize>,
    pub(super) choices: Option<u32>,
    pub(super) cost: Option<Cost>,
    pub(super) candidates: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct FlatCandidate {
    pub(super) label: Span,
    pub(super) key: Span,
    pub(super) cost: Option<Cost>,
    pub(super) areas: Range<usize>,
}

/// A match.
#[derive(Debug, Default)]
pub struct Flat {
    /// What moves the ratings, and what the analysis makes of both: as in a [`Cut`](super::backgammon::Cut).
    pub finished: Option<FinishedMatch>,
    /// See [`Flat::finished`].
    pub judged: Option<Judged>,
    /// Without their plies, and which these are.
    pub(super) contests: Vec<(Contest, Range<usize>)>,
    pub(super) places: Vec<Arc<Place>>,
    pub(super) text: String,
    pub(super) plies: Vec<FlatPly>,
    pub(super) candidates: Vec<FlatCandidate>,
    pub(super) areas: Vec<FlatArea>,
    pub(super) far: Far,
}

/// Candidates that hardly anybody asks for.
#[derive(Debug, Default)]
pub(super) struct Far {
    pub(super) packed: Vec<u8>,
    /// How many.
    pub(super) count: usize,
    /// Once somebody did; `None` if they are damaged.
    pub(super) open: OnceCell<Option<FarColumns>>,
}

/// Keys and costs.
#[derive(Debug)]
pub(super) struct FarColumns {
    pub(super) text: String,
    pub(super) candidates: Vec<(Span, Option<Cost>)>,
}

impl Flat {
    /// Its games, in order.
    pub fn contests(&self) -> impl Iterator<Item = Seen<'_>> {
        self.contests.iter().map(|(of, plies)| {
            let plies = self.plies.get(plies.clone()).unwrap_or_default();
            Seen { of, plies: plies.iter().map(|ply| self.ply(ply)).collect() }
        })
    }

    /// Whether everything that was asked for could be read.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.far.open.get().is_none_or(Option::is_some)
    }

    fn ply(&self, ply: &FlatPly) -> SeenPly<'_> {
        let places = ply.candidates.clone();
        SeenPly {
            by: ply.by,
            chance: ply.chance.map(|span| span.of(&self.text)),
            label: ply.label.of(&self.text),
            key: ply.key.of(&self.text),
            value: ply.value,
            before: ply.before,
            area: ply.area.and_then(|at| self.area(self.areas.get(at)?)),
            choices: ply.choices,
            cost: ply.cost,
            candidates: if ply.is_far { Listed::Far(self, places) } else { Listed::Near(self, places) },
        }
    }

    pub(super) fn near(&self, at: usize) -> Option<SeenCandidate<'_>> {
        let FlatCandidate { label, key, cost, areas } = self.candidates.get(at)?;
        let texts = (label.of(&self.text), key.of(&self.text));
        Some(SeenCandidate::flat(texts, *cost, (self, self.areas.get(areas.clone())?)))
    }

    pub(super) fn far(&self, at: usize) -> Option<SeenCandidate<'_>> {
        let columns = self.far.open.get_or_init(|| FarColumns::unpack(&self.far.packed, self.far.count)).as_ref()?;
        let (key, cost) = columns.candidates.get(at)?;
        Some(SeenCandidate::flat(("", key.of(&columns.text)), *cost, (self, &[])))
    }

    pub(super) fn area<'a>(&'a self, area: &'a FlatArea) -> Option<SeenArea<'a>> {
        Some(SeenArea { place: self.places.get(area.place)?, cells: &area.cells })
    }
}

impl Span {
    /// Whoever unpacked it has seen that it is a text.
    fn of(self, text: &str) -> &str {
        let at = self.at as usize;
        text.get(at..at + self.length as usize).unwrap_or_default()
    }
}
