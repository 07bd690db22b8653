//! Which of the known patterns a proposal changes.

use super::super::area::Cells;
use super::super::merge::{Merged, Verdict, generalise, merge, specialise};
use super::super::shelf::Entry;
use super::super::units::Value;
use super::super::votes::Tally;
use super::{Library, Proposal};
use std::cmp::Reverse;

/// A merge under consideration. Fewest changed cells, then least slack, then greatest worth, then smallest id.
pub(super) struct Choice {
    pub(super) slot: usize,
    rank: (u32, u32, Reverse<u64>, u32),
    pub(super) merged: Merged,
}

impl Library {
    /// The pattern to generalise: of players within the band, with few changes and not too wild afterwards. What lacks
    /// fewer cells comes first: those are the cells that would change.
    pub(super) fn wider(&self, shelf: usize, proposal: &Proposal<'_>) -> Option<Choice> {
        let law = self.law.filing;
        let (elo, band) = (proposal.elo.millionths(), law.elo_band.millionths());
        let share = law.max_wild_share;
        let tame = |merged: &Merged| share.whole * u64::from(merged.wild) <= share.of * u64::from(merged.inside);
        let attempt = |entry: &Entry, known: &[u64]| {
            if !entry.tally.elo_below(elo + band) || !entry.tally.elo_above(elo - band) {
                return None;
            }
            let verdict = self.verdict(proposal.value, &entry.tally);
            let merged = merge(proposal.area.cells().words(), known, |new, known| generalise(new, known, verdict))?;
            (merged.changed == 0 || tame(&merged)).then_some(merged)
        };
        // A wider pattern has no less slack than before.
        let cells = u32::try_from(proposal.area.place().cells()).unwrap_or(u32::MAX);
        (0..=law.max_changed_cells.min(cells)).find_map(|lacking| {
            self.choose((shelf, proposal.area.cells(), lacking), |entry| (lacking, entry.slack), attempt)
        })
    }

    /// The pattern to specialise: of clearly weaker players.
    pub(super) fn narrower(&self, shelf: usize, proposal: &Proposal<'_>) -> Option<Choice> {
        let bar = proposal.elo.millionths() - self.law.filing.elo_band.millionths();
        self.choose(
            (shelf, proposal.area.cells(), 0),
            |_| (0, 0),
            |entry, known| {
                if !entry.tally.elo_below(bar) {
                    return None;
                }
                let verdict = self.verdict(proposal.value, &entry.tally);
                merge(proposal.area.cells().words(), known, |new, known| specialise(new, known, verdict))
            },
        )
    }

    /// The best merge `attempt` makes of the patterns that lack so many of the cells. It never changes fewer cells and
    /// leaves less slack than `least` says.
    fn choose(
        &self,
        (shelf, cells, lacking): (usize, &Cells, u32),
        least: impl Fn(&Entry) -> (u32, u32),
        attempt: impl Fn(&Entry, &[u64]) -> Option<Merged>,
    ) -> Option<Choice> {
        let shelf = &self.shelves[shelf];
        let mut best: Option<Choice> = None;
        shelf.scan(cells, lacking, |slot| {
            let Some(entry) = shelf.entry(slot) else { return };
            let (changed, slack) = least(entry);
            let last = (Reverse(entry.worth.to_bits()), entry.id);
            if best.as_ref().is_some_and(|best| best.rank < (changed, slack, last.0, last.1)) {
                return;
            }
            let Some(merged) = attempt(entry, shelf.words(slot)) else { return };
            let rank = (merged.changed, merged.slack, last.0, last.1);
            if best.as_ref().is_none_or(|best| rank < best.rank) {
                best = Some(Choice { slot, rank, merged });
            }
        });
        best
    }

    fn verdict(&self, value: Value, tally: &Tally) -> Verdict {
        let law = self.law.filing;
        let good = value > law.firm_high && tally.value_above(law.firm_high);
        let bad = value < law.firm_low && tally.value_below(law.firm_low);
        if good || bad { Verdict::BothFirm } else { Verdict::Open }
    }
}
