//! Where candidates lie, and what is still to be covered around each: the distance, made fast.
//!
//! Candidates of one group on one board are one *site*, and the sites of a group on which the mover's checkers lie alike
//! are one *camp*. A distance is the mover's plus the opponent's, so the camps are compared first, each pair once for all
//! their sites, and only camps whose sums lie in adjacent cells ([`Side::sums`]); within near camps the opponents' sides
//! alone are left to measure. Camps of an opening are few and hold many sites; elsewhere they are many and lie apart. The
//! sites of a camp stand in the order of a sum of the opponent's side, and only the stretch within reach of it is measured.
//!
//! Every site is covered once, and then what it was worth is taken from its neighbours: the work is two walks a site,
//! however many are chosen. The invariant: sums are whole numbers over exactly the sites within [`NEAR`], so neither the
//! camps nor the threads show in a figure.

use super::greedy::{Candidate, Ground};
use crate::game::distance::{NEAR, Shape, Side};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

/// Width of a cell of sums: wider than the radius, so that near camps lie in the same or adjacent cells.
const CELL: u32 = NEAR + 1;

/// A camp of fewer sites is measured whole: looking for the stretch would take longer.
const FEW: usize = 16;

/// The boards of some candidates.
pub struct Boards<'a> {
    shapes: &'a [Shape],
    /// The candidates, site by site.
    members: Vec<usize>,
    /// The site of each candidate.
    site_of: Vec<usize>,
    sites: Vec<Site>,
    /// The opponent's side of each site, its first sum, and the Σ excess of the site's candidates, kept apart: this is the
    /// inner loop.
    opponents: Vec<Side>,
    sums: Vec<u32>,
    excess: Vec<i64>,
    camps: Vec<Camp>,
    /// The camps of a group by the cell their sums lie in.
    cells: BTreeMap<Cell, Vec<usize>>,
}

/// A group, and a cell of the sums of a side.
type Cell = (usize, [u32; 2]);

/// The candidates of one group on one board.
struct Site {
    /// Where they stand among the members.
    members: Range<usize>,
    camp: usize,
    /// Σ excess of its neighbours before anything was covered.
    worth: i64,
    /// Of that, what has been covered.
    taken: AtomicI64,
    /// Not covered by a chosen or handled candidate.
    open: bool,
}

/// The sites of one group on which the mover's checkers lie alike.
struct Camp {
    group: usize,
    mover: Side,
    sums: [u32; 2],
    sites: Range<usize>,
}

/// Sites that are near when the opponents' sides are no farther apart than this.
type Reach = (Range<usize>, u32);

impl<'a> Boards<'a> {
    /// Candidates and their shapes, in the same order.
    #[must_use]
    pub fn of(candidates: &[Candidate], shapes: &'a [Shape]) -> Self {
        let place = |at: usize| (candidates[at].group, shapes[at]);
        let mut members: Vec<usize> = (0..candidates.len()).collect();
        members.sort_by_cached_key(|&at| {
            let [mover, opponent] = shapes[at].sides();
            (candidates[at].group, mover, opponent.sums(), opponent, at)
        });
        let mut boards = Self {
            shapes,
            members: Vec::new(),
            site_of: vec![0; candidates.len()],
            sites: Vec::new(),
            opponents: Vec::new(),
            sums: Vec::new(),
            excess: Vec::new(),
            camps: Vec::new(),
            cells: BTreeMap::new(),
        };
        for of in members.chunk_by(|&a, &b| place(a) == place(b)) {
            boards.add(place(of[0]), of);
            boards.excess.push(of.iter().map(|&at| candidates[at].excess).sum());
        }
        boards.members = members;
        let worths: Vec<Vec<i64>> = boards.camps.par_iter().map(|camp| boards.worths(camp)).collect();
        boards.sites.iter_mut().zip(worths.into_iter().flatten()).for_each(|(site, worth)| site.worth = worth);
        boards
    }

    /// One more site; they come sorted by group, mover's side and opponent's sums, so that the sites of a camp follow each
    /// other.
    fn add(&mut self, (group, shape): (usize, Shape), candidates: &[usize]) {
        let at = self.sites.len();
        let [mover, opponent] = shape.sides();
        match self.camps.last_mut() {
            Some(camp) if (camp.group, camp.mover) == (group, mover) => camp.sites.end = at + 1,
            _ => {
                let sums = mover.sums();
                self.cells.entry((group, sums.map(|sum| sum / CELL))).or_default().push(self.camps.len());
                self.camps.push(Camp { group, mover, sums, sites: at..at + 1 });
            }
        }
        let from = self.sites.last().map_or(0, |site| site.members.end);
        let (members, camp) = (from..from + candidates.len(), self.camps.len() - 1);
        self.sites.push(Site { members, camp, worth: 0, taken: AtomicI64::new(0), open: true });
        self.opponents.push(opponent);
        self.sums.push(opponent.sums()[0]);
        candidates.iter().for_each(|&candidate| self.site_of[candidate] = at);
    }

    /// What lies within reach of a camp, itself included.
    fn reaches(&self, camp: &Camp) -> Vec<Reach> {
        let [first, second] = camp.sums.map(|sum| (sum / CELL).saturating_sub(1)..=sum / CELL + 1);
        let cells = first.flat_map(|a| second.clone().map(move |b| (camp.group, [a, b])));
        let others = cells.filter_map(|cell| self.cells.get(&cell)).flatten().map(|&at| &self.camps[at]);
        let reach = |other: &Camp| {
            let least: u32 = camp.sums.iter().zip(other.sums).map(|(a, b)| a.abs_diff(b)).sum();
            let left = NEAR.checked_sub(least).and_then(|_| NEAR.checked_sub(camp.mover.like(&other.mover)))?;
            Some((other.sites.clone(), left))
        };
        others.filter_map(reach).collect()
    }

    /// The sites of these that are near one.
    fn near<'b>(&'b self, site: usize, reaches: &'b [Reach]) -> impl Iterator<Item = usize> {
        let opponent = &self.opponents[site];
        reaches.iter().flat_map(move |reach| {
            self.within(site, reach).filter(move |&other| self.opponents[other].like(opponent) <= reach.1)
        })
    }

    /// The sites of a camp whose sums are no farther from one site's than its reach; of a few, all of them.
    fn within(&self, site: usize, (sites, left): &Reach) -> Range<usize> {
        if sites.len() < FEW {
            return sites.clone();
        }
        let (sum, sums) = (self.sums[site], &self.sums[sites.clone()]);
        let from = sums.partition_point(|&other| other + left < sum);
        let to = from + sums[from..].partition_point(|&other| other <= sum + left);
        sites.start + from..sites.start + to
    }

    /// Σ excess around every site of a camp.
    fn worths(&self, camp: &Camp) -> Vec<i64> {
        let reaches = self.reaches(camp);
        let worth = |site: usize| {
            let opponent = &self.opponents[site];
            let of = |reach: &Reach| {
                let sites = self.within(site, reach);
                let others = self.opponents[sites.clone()].iter().zip(&self.excess[sites]);
                others.map(|(other, excess)| if other.like(opponent) <= reach.1 { *excess } else { 0 }).sum::<i64>()
            };
            reaches.iter().map(of).sum()
        };
        camp.sites.clone().map(worth).collect()
    }

    /// Takes what covered sites of one camp were worth from every site near them.
    fn take(&self, covered: &[usize]) {
        let reaches = self.reaches(&self.camps[self.sites[covered[0]].camp]);
        for &site in covered.iter().filter(|&&site| self.excess[site] != 0) {
            for other in self.near(site, &reaches) {
                self.sites[other].taken.fetch_add(self.excess[site], Relaxed);
            }
        }
    }
}

impl Ground for Boards<'_> {
    fn worth(&self, at: usize) -> i64 {
        let site = &self.sites[self.site_of[at]];
        site.worth - site.taken.load(Relaxed)
    }

    fn cover(&mut self, at: usize) -> Vec<usize> {
        let site = self.site_of[at];
        let reaches = self.reaches(&self.camps[self.sites[site].camp]);
        let mut near: Vec<usize> = self.near(site, &reaches).filter(|&other| self.sites[other].open).collect();
        near.sort_unstable();
        near.iter().for_each(|&other| self.sites[other].open = false);
        let of_camps: Vec<&[usize]> = near.chunk_by(|&a, &b| self.sites[a].camp == self.sites[b].camp).collect();
        of_camps.into_par_iter().for_each(|covered| self.take(covered));
        let members = near.iter().flat_map(|&other| &self.members[self.sites[other].members.clone()]);
        let mut covered: Vec<usize> = members.copied().collect();
        covered.sort_unstable();
        covered
    }

    fn near(&self, a: usize, b: usize) -> bool {
        self.shapes[a].like(&self.shapes[b]) <= NEAR
    }
}
