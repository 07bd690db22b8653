//! Contests as they lie in a file of the night: the names of areas once a match, and then a number each.
//!
//! A season has millions of areas and a handful of places. Whoever unpacks keeps the places he has met, so all areas of
//! a night share them, and telling two places apart is comparing two addresses.

use crate::academy::area::{Area, Cells, Place};
use crate::academy::backgammon::{Cut, Judged};
use crate::academy::contest::{Candidate, Contest, FinishedMatch, Ply};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Number of its place within the match, and its contents.
type PackedArea = (u16, Cells);

/// A match. Plies and candidates stand beside their areas, and have none themselves.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Packed {
    places: Vec<Arc<Place>>,
    contests: Vec<(Contest, Vec<Vec<PackedArea>>)>,
    finished: Option<FinishedMatch>,
    judged: Option<Judged>,
}

/// The places met so far.
#[derive(Debug, Default)]
pub(super) struct Unpacker {
    places: Vec<Arc<Place>>,
}

impl Packed {
    pub(super) fn of(cut: Cut) -> Self {
        let mut packed = Self { places: Vec::new(), contests: Vec::new(), finished: cut.finished, judged: cut.judged };
        for mut contest in cut.contests {
            let mut areas = Vec::new();
            for ply in &mut contest.plies {
                for own in holders(ply) {
                    areas.push(std::mem::take(own).into_iter().map(|area| packed.area(area)).collect());
                }
            }
            packed.contests.push((contest, areas));
        }
        packed
    }

    fn area(&mut self, area: Area) -> PackedArea {
        let number = self.places.iter().position(|place| place == area.place()).unwrap_or_else(|| {
            self.places.push(Arc::clone(area.place()));
            self.places.len() - 1
        });
        // An adapter names its areas; nobody names sixty-five thousand.
        (u16::try_from(number).unwrap_or(u16::MAX), area.into_cells())
    }
}

impl Unpacker {
    /// The contests again; `None` if they are damaged.
    pub(super) fn cut(&mut self, packed: Packed) -> Option<Cut> {
        let places: Vec<Arc<Place>> = packed.places.into_iter().map(|place| self.known(place)).collect();
        let mut contests = Vec::with_capacity(packed.contests.len());
        for (mut contest, areas) in packed.contests {
            let mut areas = areas.into_iter();
            for ply in &mut contest.plies {
                for own in holders(ply) {
                    let again = |(number, cells)| Area::again(places.get(usize::from(number))?, cells);
                    *own = areas.next()?.into_iter().map(again).collect::<Option<_>>()?;
                }
            }
            contests.push(contest);
        }
        Some(Cut { contests, finished: packed.finished, judged: packed.judged })
    }

    fn known(&mut self, place: Arc<Place>) -> Arc<Place> {
        if let Some(known) = self.places.iter().find(|known| **known == place) {
            return Arc::clone(known);
        }
        self.places.push(Arc::clone(&place));
        place
    }
}

/// Where the areas of a ply are: its own, then those of its candidates.
fn holders(ply: &mut Ply) -> impl Iterator<Item = &mut Vec<Area>> {
    let of_candidates = ply.candidates.iter_mut().map(|candidate: &mut Candidate| &mut candidate.areas);
    std::iter::once(&mut ply.areas).chain(of_candidates)
}
