//! A contest as filing reads it: borrowed, from a [`Contest`] or from the columns of a [`Flat`] match.
//!
//! Millions of plies are filed a night, and most of what their candidates hold is never looked at. So nothing is owned
//! here, and a candidate is put together when it is asked for.

use super::area::{Area, Cells, Place};
use super::contest::{Candidate, Contest, Ply, Side};
use super::flat::{Flat, FlatArea};
use super::units::{Cost, Value};
use std::ops::Range;
use std::sync::Arc;

/// A contest.
#[derive(Clone, Debug)]
pub struct Seen<'a> {
    /// All but the plies.
    pub of: &'a Contest,
    /// The plies.
    pub plies: Vec<SeenPly<'a>>,
}

/// A ply, so far as filing looks at it.
#[derive(Clone, Debug)]
pub struct SeenPly<'a> {
    /// Who moved.
    pub by: Side,
    /// What chance gave.
    pub chance: Option<&'a str>,
    /// Label of the move.
    pub label: &'a str,
    /// Key of the position after it.
    pub key: &'a str,
    /// Expected value after it, for who moved.
    pub value: Option<Value>,
    /// Expected value before it, where the input states one.
    pub before: Option<Value>,
    /// The most changed area.
    pub area: Option<SeenArea<'a>>,
    /// Number of legal plays.
    pub choices: Option<u32>,
    /// What it lost.
    pub cost: Option<Cost>,
    /// The alternatives.
    pub candidates: Listed<'a>,
}

/// An area.
#[derive(Clone, Copy, Debug)]
pub struct SeenArea<'a> {
    /// Its place.
    pub place: &'a Arc<Place>,
    /// Its contents.
    pub cells: &'a Cells,
}

/// The alternatives of a ply, best first.
#[derive(Clone, Debug)]
pub enum Listed<'a> {
    /// Of a contest.
    Own(&'a [Candidate]),
    /// Of a flat match.
    Near(&'a Flat, Range<usize>),
    /// Of a flat match, where only a proposal of the opening could ask for them.
    Far(&'a Flat, Range<usize>),
}

/// An alternative.
#[derive(Clone, Debug)]
pub struct SeenCandidate<'a> {
    /// Label of the move.
    pub label: &'a str,
    /// Key of the position it reaches.
    pub key: &'a str,
    /// What it loses.
    pub cost: Option<Cost>,
    areas: Areas<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Areas<'a> {
    Own(&'a [Area]),
    Flat(&'a Flat, &'a [FlatArea]),
}

impl<'a> Seen<'a> {
    /// A contest as it is.
    #[must_use]
    pub fn of(contest: &'a Contest) -> Self {
        Self { of: contest, plies: contest.plies.iter().map(SeenPly::of).collect() }
    }

    /// Expected value for the mover before the ply at `index`: see [`Contest::before`].
    #[must_use]
    pub fn before(&self, index: usize) -> Option<Value> {
        let ply = self.plies.get(index)?;
        if ply.before.is_some() {
            return ply.before;
        }
        let last = self.plies.get(index.checked_sub(1)?)?;
        let left = last.value?;
        Some(if last.by == ply.by { left } else { left.other() })
    }

    /// Number of plies.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.plies.len() as u64
    }
}

impl<'a> SeenPly<'a> {
    /// A ply as it is.
    #[must_use]
    pub fn of(ply: &'a Ply) -> Self {
        Self {
            by: ply.by,
            chance: ply.chance.as_deref(),
            label: &ply.label,
            key: &ply.key,
            value: ply.value,
            before: ply.before,
            area: ply.areas.first().map(SeenArea::of),
            choices: ply.choices,
            cost: ply.cost,
            candidates: Listed::Own(&ply.candidates),
        }
    }
}

impl<'a> SeenArea<'a> {
    /// An area as it is.
    #[must_use]
    pub const fn of(area: &'a Area) -> Self {
        Self { place: area.place(), cells: area.cells() }
    }
}

impl<'a> Listed<'a> {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = SeenCandidate<'a>> + use<'a> {
        let all = self.clone();
        let places = match &all {
            Self::Own(candidates) => 0..candidates.len(),
            Self::Near(_, places) | Self::Far(_, places) => places.clone(),
        };
        places.filter_map(move |at| all.at(at))
    }

    fn at(&self, at: usize) -> Option<SeenCandidate<'a>> {
        match self {
            Self::Own(candidates) => candidates.get(at).map(SeenCandidate::of),
            Self::Near(flat, _) => flat.near(at),
            Self::Far(flat, _) => flat.far(at),
        }
    }
}

impl<'a> SeenCandidate<'a> {
    fn of(candidate: &'a Candidate) -> Self {
        let Candidate { label, key, cost, areas, .. } = candidate;
        Self { label, key, cost: *cost, areas: Areas::Own(areas) }
    }

    pub(super) const fn flat(
        (label, key): (&'a str, &'a str),
        cost: Option<Cost>,
        (flat, areas): (&'a Flat, &'a [FlatArea]),
    ) -> Self {
        Self { label, key, cost, areas: Areas::Flat(flat, areas) }
    }

    /// The areas it changes, most changed first.
    pub fn areas(&self) -> impl Iterator<Item = SeenArea<'a>> + use<'a> {
        let (own, flat) = match self.areas {
            Areas::Own(areas) => (Some(areas), None),
            Areas::Flat(flat, areas) => (None, Some((flat, areas))),
        };
        let own = own.into_iter().flatten().map(SeenArea::of);
        own.chain(flat.into_iter().flat_map(|(flat, areas)| areas.iter().filter_map(|area| flat.area(area))))
    }
}
