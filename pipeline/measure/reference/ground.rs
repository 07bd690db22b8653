//! Where candidates lie, and what is still to be covered around each: the distance, made fast.
//!
//! Candidates of one group on one board are one [`Site`]. The sites of a group are halved along their widest axis until
//! few are left, and of every half is known between which counts its boards lie ([`Hull`]) and what its open sites are
//! worth together. Most halves are wholly out of reach or wholly within it, so that what a neighbourhood is worth comes of
//! a few of them, however dense the group: nothing is compared with all others.
//!
//! The invariant: sums are whole numbers over exactly the sites within [`NEAR`], so no figure shows how the sites were
//! halved.

use super::greedy::{Candidate, Ground};
use crate::game::distance::{Hull, NEAR, Shape};
use rayon::prelude::*;
use std::ops::Range;

/// Sites that are compared one by one: fewer halves than that cost more than they save.
const FEW: usize = 12;

/// The boards of some candidates.
pub struct Boards<'a> {
    shapes: &'a [Shape],
    /// The candidates, site by site.
    members: Vec<usize>,
    sites: Vec<Site>,
    /// The site of each candidate.
    site_of: Vec<usize>,
    /// The halves of every group: a half, then those it was halved into.
    halves: Vec<Half>,
}

/// The candidates of one group on one board.
struct Site {
    shape: Shape,
    /// Where they stand among the members.
    members: Range<usize>,
    /// Σ of their excess.
    excess: i64,
    /// Not covered by a chosen or handled candidate.
    open: bool,
    /// The smallest half it is in.
    half: usize,
    /// The halves of its group.
    group: Range<usize>,
}

/// Some sites of a group.
struct Half {
    hull: Hull,
    sites: Range<usize>,
    /// How many are open, and Σ of their excess.
    open: usize,
    excess: i64,
    /// The half it is a half of.
    within: Option<usize>,
    /// The first that is not part of it.
    next: usize,
}

impl Half {
    fn is_few(&self) -> bool {
        self.sites.len() <= FEW
    }
}

impl<'a> Boards<'a> {
    /// Candidates and their shapes, in the same order.
    #[must_use]
    pub fn of(candidates: &[Candidate], shapes: &'a [Shape]) -> Self {
        let place = |at: usize| (candidates[at].group, shapes[at]);
        let mut members: Vec<usize> = (0..candidates.len()).collect();
        members.sort_unstable_by_key(|&at| (place(at), at));
        let mut sites = Vec::new();
        for of in members.chunk_by(|&a, &b| place(a) == place(b)) {
            let from = sites.last().map_or(0, |site: &Site| site.members.end);
            sites.push(Site {
                shape: shapes[of[0]],
                members: from..from + of.len(),
                excess: of.iter().map(|&at| candidates[at].excess).sum(),
                open: true,
                half: 0,
                group: 0..0,
            });
        }
        let halves = halves(&mut sites, |site| candidates[members[site.members.start]].group);
        let mut site_of = vec![0; candidates.len()];
        for (at, site) in sites.iter().enumerate() {
            members[site.members.clone()].iter().for_each(|&member| site_of[member] = at);
        }
        Self { shapes, members, sites, site_of, halves }
    }

    fn site(&self, candidate: usize) -> &Site {
        &self.sites[self.site_of[candidate]]
    }

    /// Σ excess of the open sites near one.
    fn worth(&self, site: &Site) -> i64 {
        let (mut sum, mut at) = (0, site.group.start);
        while at < site.group.end {
            let half = &self.halves[at];
            let inside = at + 1;
            at = half.next;
            if half.excess == 0 || half.hull.least(&site.shape) > NEAR {
                continue;
            }
            if half.hull.most(&site.shape) <= NEAR {
                sum += half.excess;
            } else if half.is_few() {
                let near = self.sites[half.sites.clone()].iter().filter(|other| other.is_open_near(&site.shape));
                sum += near.map(|other| other.excess).sum::<i64>();
            } else {
                at = inside;
            }
        }
        sum
    }

    /// The open sites near one.
    fn open_near(&self, site: &Site) -> Vec<usize> {
        let (mut found, mut at) = (Vec::new(), site.group.start);
        while at < site.group.end {
            let half = &self.halves[at];
            let inside = half.open > 0 && half.hull.least(&site.shape) <= NEAR;
            if inside && half.is_few() {
                found.extend(half.sites.clone().filter(|&other| self.sites[other].is_open_near(&site.shape)));
            }
            at = if inside { at + 1 } else { half.next };
        }
        found
    }

    fn close(&mut self, at: usize) {
        let site = &mut self.sites[at];
        site.open = false;
        let mut around = Some(site.half);
        while let Some(half) = around.map(|half| &mut self.halves[half]) {
            half.open -= 1;
            half.excess -= site.excess;
            around = half.within;
        }
    }
}

impl Site {
    fn is_open_near(&self, shape: &Shape) -> bool {
        self.open && self.shape.like(shape) <= NEAR
    }
}

impl Ground for Boards<'_> {
    fn worth(&self, at: usize) -> i64 {
        self.worth(self.site(at))
    }

    fn worths(&self) -> Vec<i64> {
        let of_sites: Vec<i64> = self.sites.par_iter().map(|site| self.worth(site)).collect();
        self.site_of.iter().map(|&site| of_sites[site]).collect()
    }

    fn cover(&mut self, at: usize) -> Vec<usize> {
        let near = self.open_near(self.site(at));
        near.iter().for_each(|&site| self.close(site));
        let members = near.iter().flat_map(|&site| &self.members[self.sites[site].members.clone()]);
        let mut covered: Vec<usize> = members.copied().collect();
        covered.sort_unstable();
        covered
    }

    fn near(&self, a: usize, b: usize) -> bool {
        self.shapes[a].like(&self.shapes[b]) <= NEAR
    }
}

/// The halves of all groups; orders the sites so that those of a half stand together, and tells each its place.
fn halves(sites: &mut [Site], group: impl Fn(&Site) -> usize) -> Vec<Half> {
    let mut all: Vec<Half> = Vec::new();
    let mut from = 0;
    while from < sites.len() {
        let of = group(&sites[from]);
        let to = from + sites[from..].iter().take_while(|site| group(site) == of).count();
        let first = all.len();
        halve(sites, from..to, &mut all);
        let last = all.len();
        sites[from..to].iter_mut().for_each(|site| site.group = first..last);
        from = to;
    }
    all
}

/// Halves the sites of one group, down to a few.
fn halve(sites: &mut [Site], whole: Range<usize>, all: &mut Vec<Half>) {
    let first = all.len();
    let mut left = vec![(whole, None)];
    while let Some((of, within)) = left.pop() {
        let half = Half::of(&sites[of.clone()], of.clone(), within);
        let at = all.len();
        if half.is_few() {
            sites[of].iter_mut().for_each(|site| site.half = at);
        } else {
            let (axis, middle) = (half.hull.widest(), of.len() / 2);
            sites[of.clone()].select_nth_unstable_by_key(middle, |site| (site.shape.along(axis), site.shape));
            left.push((of.start + middle..of.end, Some(at)));
            left.push((of.start..of.start + middle, Some(at)));
        }
        all.push(half);
    }
    // What a half was halved into follows it, so that from the last to the first each is known when it is asked.
    for at in (first..all.len()).rev() {
        all[at].next = all[at].next.max(at + 1);
        let (next, within) = (all[at].next, all[at].within);
        if let Some(within) = within {
            all[within].next = all[within].next.max(next);
        }
    }
}

impl Half {
    fn of(sites: &[Site], of: Range<usize>, within: Option<usize>) -> Self {
        let mut hull = Hull::of(sites[0].shape);
        sites.iter().for_each(|site| hull.take(&site.shape));
        let excess = sites.iter().map(|site| site.excess).sum();
        Self { hull, open: of.len(), sites: of, excess, within, next: 0 }
    }
}
