//! Every partial of one match, made in one pass: what a night stores beside the decisions so that the measures never
//! read them again.

use super::{Rules, cells, errors, moments, sequences, worst};
use crate::tables::facts::{CandidateRow, DecisionRow};
use crate::tables::partials::{CellRow, ErrorRow, MomentRow, SequenceRow, WorstRow};

/// The partials of the primary analysis of one match (or of several), each sorted by its key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partials {
    /// Sums by game, seat and kind.
    pub moments: Vec<MomentRow>,
    /// Sums by cell of every breakdown.
    pub cells: Vec<CellRow>,
    /// Errors one by one.
    pub errors: Vec<ErrorRow>,
    /// The errors of all counted decisions in order.
    pub sequences: Vec<SequenceRow>,
    /// The costliest decisions of each seat.
    pub worst: Vec<WorstRow>,
}

/// Sums rated decisions of whole matches, with their candidates sorted by (decision_id, rank).
#[must_use]
pub fn partials(decisions: &[DecisionRow], candidates: &[CandidateRow], rules: &Rules) -> Partials {
    Partials {
        moments: moments::moments(decisions, rules),
        cells: cells::cells(decisions, rules),
        errors: errors::errors(decisions, candidates, rules),
        sequences: sequences::sequences(decisions),
        worst: worst::worst(decisions),
    }
}
