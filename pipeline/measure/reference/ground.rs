//! Where candidates lie, and what is still to be covered around each: the distance, made fast.
//!
//! Candidates of one group on one board are one *site*. The sites of a group with the same total of the mover's checkers
//! ([`Side::total`]) are one *row*, and within a row they stand in the order of the opponent's total. No two boards are
//! nearer than their totals differ, so around a site only the rows within the radius are looked at, and of each only the
//! stretch that the mover's difference leaves the opponent; there the outlines are compared ([`Sieve`]), and what passes is
//! measured.
//!
//! Every site is covered once, and then what it was worth is taken from its neighbours: the work is two walks a site,
//! however many are chosen. The invariant: sums are whole numbers over exactly the sites within [`NEAR`], so neither the
//! rows nor the threads show in a figure.
//!
//! [`Side::total`]: crate::game::distance::Side::total

use super::greedy::{Candidate, Ground};
use super::sieve::Sieve;
use crate::game::distance::{NEAR, Shape};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

/// The boards of some candidates.
pub struct Boards<'a> {
    shapes: &'a [Shape],
    /// The candidates, site by site.
    members: Vec<usize>,
    /// The site of each candidate.
    site_of: Vec<usize>,
    sites: Vec<Site>,
    rows: Vec<Row>,
    /// Of each site its outline, its board, the opponent's total and the Σ excess of its candidates, kept apart: this is
    /// the inner loop.
    sieve: Sieve,
    boards: Vec<Shape>,
    opponents: Vec<u32>,
    excess: Vec<i64>,
}

/// The candidates of one group on one board.
struct Site {
    /// Where they stand among the members.
    members: Range<usize>,
    row: usize,
    /// Σ excess of its neighbours before anything was covered.
    worth: i64,
    /// Of that, what has been covered.
    taken: AtomicI64,
    /// Not covered by a chosen or handled candidate.
    open: bool,
}

/// The sites of one group with the same total of the mover's checkers.
struct Row {
    group: usize,
    total: u32,
    sites: Range<usize>,
}

impl<'a> Boards<'a> {
    /// Candidates and their shapes, in the same order.
    #[must_use]
    pub fn of(candidates: &[Candidate], shapes: &'a [Shape]) -> Self {
        let place = |at: usize| (candidates[at].group, shapes[at]);
        let mut members: Vec<usize> = (0..candidates.len()).collect();
        members.sort_by_cached_key(|&at| (candidates[at].group, totals(&shapes[at]), shapes[at], at));
        let mut boards = Self {
            shapes,
            members: Vec::new(),
            site_of: vec![0; candidates.len()],
            sites: Vec::new(),
            rows: Vec::new(),
            sieve: Sieve::default(),
            boards: Vec::new(),
            opponents: Vec::new(),
            excess: Vec::new(),
        };
        for of in members.chunk_by(|&a, &b| place(a) == place(b)) {
            boards.add(place(of[0]), of);
            boards.excess.push(of.iter().map(|&at| candidates[at].excess).sum());
        }
        boards.members = members;
        let worths: Vec<i64> = (0..boards.sites.len()).into_par_iter().map(|site| boards.whole(site)).collect();
        boards.sites.iter_mut().zip(worths).for_each(|(site, worth)| site.worth = worth);
        boards
    }

    /// One more site; they come sorted by group and totals, so that the sites of a row follow each other, and the rows of a
    /// group.
    fn add(&mut self, (group, shape): (usize, Shape), candidates: &[usize]) {
        let at = self.sites.len();
        let [mover, opponent] = totals(&shape);
        match self.rows.last_mut() {
            Some(row) if (row.group, row.total) == (group, mover) => row.sites.end = at + 1,
            _ => self.rows.push(Row { group, total: mover, sites: at..at + 1 }),
        }
        let from = self.sites.last().map_or(0, |site| site.members.end);
        let (members, row) = (from..from + candidates.len(), self.rows.len() - 1);
        self.sites.push(Site { members, row, worth: 0, taken: AtomicI64::new(0), open: true });
        self.sieve.add(&shape);
        self.boards.push(shape);
        self.opponents.push(opponent);
        candidates.iter().for_each(|&candidate| self.site_of[candidate] = at);
    }

    /// Tells of the sites that lie around one, and whether they are near. Those it does not tell of are not.
    fn around(&self, site: usize, mut tell: impl FnMut(usize, bool)) {
        let board = &self.boards[site];
        let outline = board.outline();
        for window in self.windows(site) {
            self.sieve.pass(&outline, window, |other| tell(other, self.boards[other].like(board) <= NEAR));
        }
    }

    /// The sites whose totals are no farther from one's than the radius.
    fn windows(&self, site: usize) -> impl Iterator<Item = Range<usize>> {
        let (at, opponent) = (self.sites[site].row, self.opponents[site]);
        let row = &self.rows[at];
        let left = |other: &Row| NEAR.checked_sub(other.total.abs_diff(row.total)).filter(|_| other.group == row.group);
        let reached = move |other: &'_ Row| left(other).map(|left| self.window(other, opponent, left));
        let below = self.rows[..at].iter().rev().map_while(reached);
        below.chain(self.rows[at..].iter().map_while(reached))
    }

    /// The sites of a row whose opponent's total is no farther from this one than so much.
    fn window(&self, row: &Row, opponent: u32, left: u32) -> Range<usize> {
        let totals = &self.opponents[row.sites.clone()];
        let from = totals.partition_point(|&total| total + left < opponent);
        let to = from + totals[from..].partition_point(|&total| total <= opponent + left);
        row.sites.start + from..row.sites.start + to
    }

    /// Σ excess around a site.
    fn whole(&self, site: usize) -> i64 {
        let mut worth = 0;
        self.around(site, |other, near| worth += if near { self.excess[other] } else { 0 });
        worth
    }

    /// Takes what a covered site was worth from every site near it.
    fn take(&self, covered: usize) {
        let excess = self.excess[covered];
        if excess == 0 {
            return;
        }
        self.around(covered, |other, near| {
            if near {
                self.sites[other].taken.fetch_add(excess, Relaxed);
            }
        });
    }
}

/// The mover's total and the opponent's.
fn totals(shape: &Shape) -> [u32; 2] {
    shape.sides().map(|side| side.total())
}

impl Ground for Boards<'_> {
    fn worth(&self, at: usize) -> i64 {
        let site = &self.sites[self.site_of[at]];
        site.worth - site.taken.load(Relaxed)
    }

    fn cover(&mut self, at: usize) -> Vec<usize> {
        let mut newly = Vec::new();
        self.around(self.site_of[at], |site, near| {
            if near && self.sites[site].open {
                newly.push(site);
            }
        });
        newly.iter().for_each(|&site| self.sites[site].open = false);
        newly.par_iter().for_each(|&site| self.take(site));
        let members = newly.iter().flat_map(|&site| &self.members[self.sites[site].members.clone()]);
        let mut covered: Vec<usize> = members.copied().collect();
        covered.sort_unstable();
        covered
    }

    fn near(&self, a: usize, b: usize) -> bool {
        self.shapes[a].like(&self.shapes[b]) <= NEAR
    }
}
