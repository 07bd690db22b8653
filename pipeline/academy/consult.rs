//! What the Academy would have advised, ply by ply, by what it knew before the contest.
//!
//! Advice never knows the game it is judged on, not even its length. Voices of much weaker players are left out
//! *before* the best is chosen. In the opening the tree is asked, but only for a share of a player's decisions; later
//! the libraries are asked where a position is very bad. Ties never fall back on the order of the analysis: that
//! would be knowledge the player did not have.

use super::area::Cells;
use super::contest::Side;
use super::lengths::Calendar;
use super::library::{Cover, Library};
use super::rows::{AdviceRow, AdviceSource, Phase};
use super::seen::{Seen, SeenArea, SeenCandidate, SeenPly};
use super::settings::{ConsultLaw, Share};
use super::shelf::Quick;
use super::tree::Tree;
use super::tree::node::{Node, ROOT};
use super::units::Elo;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

/// How often a player may ask in the opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// His opening decisions so far.
    pub decisions: u64,
    /// Proposals he took.
    pub taken: u64,
}

impl Budget {
    /// Counts one more decision; the budget says whether a proposal may be taken at it.
    pub const fn decide(&mut self, share: Share) -> bool {
        self.decisions += 1;
        share.whole * (self.taken + 1) <= share.of * self.decisions
    }
}

/// What is consulted.
pub(super) struct Stacks<'a> {
    pub(super) tree: &'a Tree,
    pub(super) chuban: &'a Library,
    pub(super) yose: &'a Library,
    pub(super) law: ConsultLaw,
    pub(super) calendar: Calendar,
}

/// Covers found before in the same contest, during which the libraries stay as they are: phase, who asks, address of the
/// place, contents. Quarters of a board recur from candidate to candidate.
type Covers<'a> = HashMap<(Phase, Side, usize, Cells), Option<Cover<'a>>, Quick>;

/// A proposal, before it is a row.
struct Advice<'a> {
    phase: Phase,
    source: AdviceSource,
    label: &'a str,
    key: &'a str,
    value: f64,
    elo: f64,
}

impl Stacks<'_> {
    /// All advice of a contest; the budgets, first and second player's, run on; who plays
    /// himself has the first only.
    pub(super) fn consult(&self, contest: &Seen<'_>, elos: [Elo; 2], budgets: &mut [Budget; 2]) -> Vec<AdviceRow> {
        let mut rows = Vec::new();
        let mut covers = Covers::default();
        let mut at = Some(ROOT);
        for (index, ply) in contest.plies.iter().enumerate() {
            let here = at;
            at = at.and_then(|node| self.tree.step(node, ply));
            // One legal play or none is no decision; an unknown number counts as one.
            if ply.choices.is_some_and(|choices| choices <= 1) {
                continue;
            }
            let [first, second] = &mut *budgets;
            let (elo, budget) = match ply.by {
                Side::First => (elos[0], first),
                Side::Second if contest.of.is_against_oneself() => (elos[1], first),
                Side::Second => (elos[1], second),
            };
            if let Some(advice) = self.advise((contest, index), here, elo, (budget, &mut covers)) {
                rows.push(advice.row(contest, index, ply));
            }
        }
        rows
    }

    fn advise<'a>(
        &'a self,
        (contest, index): (&'a Seen<'a>, usize),
        here: Option<u32>,
        elo: Elo,
        (budget, covers): (&mut Budget, &mut Covers<'a>),
    ) -> Option<Advice<'a>> {
        let (ply, i) = (contest.plies.get(index)?, index as u64 + 1);
        let bar = elo.millionths() - self.law.elo_margin.millionths();
        if i <= self.calendar.opening {
            let affordable = budget.decide(self.law.opening_share);
            if let Some(advice) = here.and_then(|here| self.opening(here, ply, bar)) {
                budget.taken += u64::from(affordable);
                // A proposal that the budget forbids is no advice at all.
                return affordable.then_some(advice);
            }
        }
        self.later((contest, index), bar, covers)
    }

    /// The best reply the tree knows to what chance gave.
    fn opening(&self, here: u32, ply: &SeenPly<'_>, bar: i64) -> Option<Advice<'_>> {
        let replies = self.tree.node(here)?.replies(ply.chance).filter_map(|id| self.tree.node(id));
        let known = replies.filter(|node| node.n_value > 0 && node.elo_above(bar));
        let best = known.max_by(|a, b| a.own_value().total_cmp(&b.own_value()).then(b.id.cmp(&a.id)))?;
        Some(Advice::of_node(best))
    }

    /// The best candidate the libraries know, where the position is very bad and the candidate better.
    fn later<'a>(
        &'a self,
        (contest, index): (&'a Seen<'a>, usize),
        bar: i64,
        covers: &mut Covers<'a>,
    ) -> Option<Advice<'a>> {
        let (phase, library) = match self.calendar.phase(index as u64 + 1)? {
            Phase::End => (Phase::End, self.yose),
            phase => (phase, self.chuban),
        };
        let before = contest.before(index).filter(|&before| before < self.law.low_value)?;
        let ply = contest.plies.get(index)?;
        let side = if contest.of.rules.symmetric { Side::First } else { ply.by };
        let mut cover = |area: SeenArea<'_>| {
            // Who asks settles the bar, and with it whose voices count.
            let key = (phase, ply.by, Arc::as_ptr(area.place).addr(), area.cells.clone());
            *covers.entry(key).or_insert_with(|| library.cover_seen(area, side, |tally| tally.elo_above(bar)))
        };
        let known = |candidate: SeenCandidate<'a>| {
            let best = candidate.areas().filter_map(&mut cover).min_by_key(Cover::rank)?;
            Some((candidate, best))
        };
        let (best, cover) = ply.candidates.iter().filter_map(known).min_by(better)?;
        cover.tally.value_above(before).then(|| Advice::of_pattern(phase, &best, &cover))
    }
}

/// Greatest V first; ties by the pattern, then by the key.
fn better((a, over_a): &(SeenCandidate<'_>, Cover<'_>), (b, over_b): &(SeenCandidate<'_>, Cover<'_>)) -> Ordering {
    let value = over_b.tally.value().total_cmp(&over_a.tally.value());
    value.then_with(|| over_a.rank().cmp(&over_b.rank())).then_with(|| a.key.cmp(b.key))
}

impl<'a> Advice<'a> {
    fn of_node(node: &'a Node) -> Self {
        Self {
            phase: Phase::Opening,
            source: AdviceSource::Node(node.id),
            label: &node.label,
            key: &node.key,
            value: node.own_value(),
            elo: node.elo().unwrap_or_default(),
        }
    }

    fn of_pattern(phase: Phase, candidate: &SeenCandidate<'a>, cover: &Cover<'_>) -> Self {
        Self {
            phase,
            source: AdviceSource::Pattern(cover.id),
            label: candidate.label,
            key: candidate.key,
            value: cover.tally.value(),
            elo: cover.tally.elo(),
        }
    }

    fn row(&self, contest: &Seen<'_>, index: usize, ply: &SeenPly<'_>) -> AdviceRow {
        let first = ply.candidates.iter().next();
        AdviceRow {
            ply: u32::try_from(index + 1).unwrap_or(u32::MAX),
            player: contest.of.player(ply.by).to_owned(),
            phase: self.phase,
            source: self.source,
            proposed: self.label.to_owned(),
            proposed_key: self.key.to_owned(),
            proposed_value: self.value,
            proposed_elo: self.elo,
            played: ply.label.to_owned(),
            cost_proposed: ply.candidates.iter().find(|candidate| candidate.key == self.key).and_then(|c| c.cost),
            cost_played: ply.cost,
            right: first.as_ref().map(|first| first.key == self.key),
            played_right: first.as_ref().map(|first| first.key == ply.key),
        }
    }
}
