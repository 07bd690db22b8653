//! One bucket of one season: each of its parts is read once, and every check of the bucket takes from it what it looks at.
//!
//! Tables come in the order of the catalogue: facts before partials, matches before analyses, decisions before what hangs
//! on them. What is read of a part is what [`carried`] leaves to look at. Memory: a batch of rows, the keys of the bucket's
//! decisions, and the sums of its players.

use super::carried::{self, Pair};
use super::rows::{self, Place};
use super::{Findings, Matches, cells, links, sums};
use crate::tables::catalogue::Table;
use crate::tables::columns::Columns;
use crate::tables::facts::{AnalysisRow, CandidateRow, DecisionRow, MatchRow, OtherCandidateRow, OtherDecisionRow};
use crate::tables::fault::TableFault;
use crate::tables::partials::{CellRow, MomentRow};
use crate::tables::row::Row;

/// Every check of a bucket; `go_on` is asked between its parts.
pub(super) fn check(
    pairs: &[Pair<'_>],
    (matches, go_on): (&Matches, &(dyn Fn() -> bool + Sync)),
    findings: &mut Findings,
) -> Result<(), TableFault> {
    let Some(first) = pairs.first() else { return Ok(()) };
    let division = matches.divisions.get(&first.part.season).copied();
    let mut contract = Contract::default();
    for (pair, due) in pairs.iter().zip(carried::due(pairs, division)?) {
        if !go_on() {
            return Ok(());
        }
        let place = Place::of(pair.table, pair.part, matches);
        rows::check(&place, due, findings, &mut |batch, findings| {
            contract.take((pair.table, batch), findings);
        })?;
    }
    contract.end(findings);
    Ok(())
}

/// What rows of one table promise those of another.
#[derive(Default)]
struct Contract {
    primaries: links::Primaries,
    primary: links::Primary,
    other: links::Other,
    sums: sums::Expected,
    cells: cells::Compared,
}

impl Contract {
    fn take(&mut self, (table, batch): (&'static Table, &Columns), findings: &mut Findings) {
        let of = |names: &[&str]| {
            batch.select(&names.iter().filter_map(|name| rows::position(table, name)).collect::<Vec<_>>())
        };
        match table.name {
            MatchRow::TABLE => self.primaries.matches(&of(&links::PLAYED)),
            AnalysisRow::TABLE => self.primaries.analyses(&of(&links::ANALYSED)),
            DecisionRow::TABLE => {
                links::decision_ids(&of(&links::NAMED), findings);
                self.primary.are(&of(&links::OF_PRIMARY));
                self.sums.decisions(&of(&sums::COLUMNS));
                self.cells.decisions(&of(&cells::COLUMNS));
            }
            OtherDecisionRow::TABLE => self.other.are(&of(&links::OF_OTHER)),
            CandidateRow::TABLE => self.primary.have(&of(&links::OF_PRIMARY), findings),
            OtherCandidateRow::TABLE => self.other.have(&of(&links::OF_OTHER), findings),
            MomentRow::TABLE => self.sums.moments(&of(&sums::stored()), findings),
            CellRow::TABLE => self.cells.cells(&of(&cells::stored()), findings),
            _ => {}
        }
    }

    fn end(self, findings: &mut Findings) {
        self.primaries.end(findings);
        self.sums.end(findings);
        self.cells.end(findings);
    }
}
