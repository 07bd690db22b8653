//! The rows of a match as an earlier night stored them: what spares a match whose files did not change from being read
//! and rated again when another match of its bucket did.
//!
//! Matches are asked for in rising order of their ids, so each part is read once and no bucket is held whole.

use super::assemble::Match;
use super::ledger::{self, Entry, Where};
use crate::rate::partials::Partials;
use crate::tables::facts::{
    AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, OtherCandidateRow, OtherDecisionRow,
    match_of,
};
use crate::tables::fault::TableFault;
use crate::tables::groups::Groups;
use crate::tables::lake;
use crate::tables::partials::{CellRow, ErrorRow, MomentRow, RulingRow, SequenceRow};
use crate::tables::row::Row;
use std::path::Path;

/// The parts of one bucket of an earlier snapshot, being read.
pub(super) struct Stored {
    matches: Groups<MatchRow>,
    analyses: Groups<AnalysisRow>,
    games: Groups<GameRow>,
    decisions: Groups<DecisionRow>,
    candidates: Groups<CandidateRow>,
    other_decisions: Groups<OtherDecisionRow>,
    other_candidates: Groups<OtherCandidateRow>,
    comments: Groups<CommentRow>,
    moments: Groups<MomentRow>,
    cells: Groups<CellRow>,
    errors: Groups<ErrorRow>,
    rulings: Groups<RulingRow>,
    sequences: Groups<SequenceRow>,
}

impl Stored {
    /// Opens the parts of a bucket; `None` when one is gone or damaged, and the matches have to be read anew.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn open(snapshot: &Path, place: &Where, entry: &Entry) -> Result<Option<Self>, TableFault> {
        if !ledger::is_whole(snapshot, place, entry)? {
            return Ok(None);
        }
        let from = (snapshot, place.0.as_str(), entry);
        Ok(Some(Self {
            matches: open(from, |row: &MatchRow| &row.match_id)?,
            analyses: open(from, |row: &AnalysisRow| &row.match_id)?,
            games: open(from, |row: &GameRow| &row.match_id)?,
            decisions: open(from, |row: &DecisionRow| &row.match_id)?,
            candidates: open(from, |row: &CandidateRow| match_of(&row.decision_id))?,
            other_decisions: open(from, |row: &OtherDecisionRow| &row.match_id)?,
            other_candidates: open(from, |row: &OtherCandidateRow| match_of(&row.decision_id))?,
            comments: open(from, |row: &CommentRow| &row.match_id)?,
            moments: open(from, |row: &MomentRow| &row.match_id)?,
            cells: open(from, |row: &CellRow| &row.match_id)?,
            errors: open(from, |row: &ErrorRow| &row.match_id)?,
            rulings: open(from, |row: &RulingRow| &row.match_id)?,
            sequences: open(from, |row: &SequenceRow| &row.match_id)?,
        }))
    }

    /// Every row of a match; `None` when the bucket does not hold it after all.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn of(&mut self, id: &str) -> Result<Option<Match>, TableFault> {
        let Some(row) = self.matches.of(id)?.pop() else { return Ok(None) };
        Ok(Some(Match {
            row,
            analyses: self.analyses.of(id)?,
            games: self.games.of(id)?,
            decisions: self.decisions.of(id)?,
            candidates: self.candidates.of(id)?,
            other_decisions: self.other_decisions.of(id)?,
            other_candidates: self.other_candidates.of(id)?,
            comments: self.comments.of(id)?,
            rulings: self.rulings.of(id)?,
            partials: Partials {
                moments: self.moments.of(id)?,
                cells: self.cells.of(id)?,
                errors: self.errors.of(id)?,
                sequences: self.sequences.of(id)?,
            },
        }))
    }
}

fn open<R: Row>(
    (snapshot, season, entry): (&Path, &str, &Entry),
    match_id: fn(&R) -> &str,
) -> Result<Groups<R>, TableFault> {
    let part = entry.parts.get(R::TABLE).map(|name| lake::table_dir(snapshot, R::TABLE, season).join(name));
    Groups::open(part.as_deref(), match_id)
}
