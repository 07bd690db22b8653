//! The tables of a bucket, declared once: the parts being written, the stored parts being copied from, their names.
//!
//! A match comes in as rows (read and rated tonight) or as stored rows, column by column; in either case the bytes are the
//! same. Matches come in rising order of their ids, so each stored part is read once and no bucket is held whole.

use super::assemble::Match;
use super::ledger::{self, Entry, Where, Written};
use crate::tables::facts::{
    AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, OtherCandidateRow, OtherDecisionRow,
};
use crate::tables::fault::TableFault;
use crate::tables::groups::Stretches;
use crate::tables::lake;
use crate::tables::part::PartWriter;
use crate::tables::partials::{CellRow, ErrorRow, MomentRow, RulingRow, SequenceRow, WorstRow};
use crate::tables::row::Row;
use crate::tables::strata::Stratum;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Declares the tables: field, row, and where in a [`Match`] the rows are.
macro_rules! bundle {
    ($($table:ident: $row:ident = |$match:ident| $rows:expr;)*) => {
        /// The tables that lie in buckets.
        pub const BUCKETED: [&str; [$(stringify!($table)),*].len()] = [$($row::TABLE),*];

        /// The parts of a bucket being written.
        pub(super) struct Writers {
            $($table: PartWriter<$row>,)*
        }

        impl Writers {
            /// Begins every part; a bucket without matches has them too.
            ///
            /// # Errors
            /// When the disk cannot be written.
            pub(super) fn create(snapshot: &Path, (season, bucket): &Where) -> Result<Self, TableFault> {
                Ok(Self {
                    $($table: PartWriter::create(&lake::table_dir(snapshot, $row::TABLE, season), bucket)?,)*
                })
            }

            /// Adds a match.
            ///
            /// # Errors
            /// When the disk cannot be written.
            pub(super) fn push(&mut self, rows: &Match) -> Result<(), TableFault> {
                $(
                    let $match = rows;
                    self.$table.push($rows)?;
                )*
                Ok(())
            }

            /// Ends them, and notes the parts in an entry.
            ///
            /// # Errors
            /// When the disk cannot be written.
            pub(super) fn finish(self, entry: &mut Entry) -> Result<(), TableFault> {
                $(
                    let part = self.$table.finish()?;
                    entry.parts.insert($row::TABLE.to_owned(), part.name());
                    entry.rows.insert($row::TABLE.to_owned(), part.rows);
                )*
                Ok(())
            }
        }

        /// The parts of one bucket of an earlier snapshot, being copied from.
        pub(super) struct Stored {
            $($table: Stretches<$row>,)*
        }

        impl Stored {
            /// Opens them; `None` when one is gone or damaged, and the matches have to be read anew. Of the strata of a table
            /// that are `whole` every match is asked for.
            ///
            /// # Errors
            /// A part that cannot be read.
            pub(super) fn open(
                snapshot: &Path,
                (place, entry): (&Where, &Entry),
                whole: &dyn Fn(&str) -> BTreeSet<Stratum>,
            ) -> Result<Option<Self>, TableFault> {
                $(
                    let Some(part) = ledger::part(snapshot, place, (entry, $row::TABLE)) else { return Ok(None) };
                    let Some($table) = Stretches::open(&part, whole($row::TABLE))? else { return Ok(None) };
                )*
                Ok(Some(Self { $($table,)* }))
            }

            /// Copies a match: how many rows of each table, of large ones those of its stratum at once.
            ///
            /// # Errors
            /// A part that cannot be read or written.
            pub(super) fn copy(&mut self, id: &str, to: &mut Writers) -> Result<Copied, TableFault> {
                let mut copied = Copied::default();
                $(copied.0.insert($row::TABLE, self.$table.copy(id, &mut to.$table)?);)*
                Ok(copied)
            }
        }
    };
}

bundle! {
    matches: MatchRow = |all| std::slice::from_ref(&all.row);
    analyses: AnalysisRow = |all| &all.analyses;
    games: GameRow = |all| &all.games;
    decisions: DecisionRow = |all| &all.decisions;
    candidates: CandidateRow = |all| &all.candidates;
    other_decisions: OtherDecisionRow = |all| &all.other_decisions;
    other_candidates: OtherCandidateRow = |all| &all.other_candidates;
    comments: CommentRow = |all| &all.comments;
    moments: MomentRow = |all| &all.partials.moments;
    cells: CellRow = |all| &all.partials.cells;
    errors: ErrorRow = |all| &all.partials.errors;
    rulings: RulingRow = |all| &all.rulings;
    sequences: SequenceRow = |all| &all.partials.sequences;
    worst: WorstRow = |all| &all.partials.worst;
}

/// How many rows of each table were copied.
#[derive(Clone, Debug, Default)]
pub(super) struct Copied(BTreeMap<&'static str, usize>);

impl Copied {
    /// How much that is.
    pub(super) fn written(&self) -> Written {
        Written {
            matches: self.of::<MatchRow>(),
            decisions: self.of::<DecisionRow>(),
            candidates: self.of::<CandidateRow>(),
        }
    }

    /// Of one table.
    pub(super) fn of<R: Row>(&self) -> usize {
        self.0.get(R::TABLE).copied().unwrap_or_default()
    }
}
