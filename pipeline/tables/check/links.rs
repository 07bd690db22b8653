//! Foreign keys inside a bucket: a candidate belongs to a decision, a decision id to its match, and every match has
//! exactly one primary analysis.

use super::{Findings, match_of};
use crate::tables::columns::Columns;
use crate::tables::facts::{AnalysisRow, CandidateRow, DecisionRow, OtherCandidateRow, OtherDecisionRow};
use crate::tables::row::Row;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::marker::PhantomData;

/// The keys of a parent table, for the rows of its children.
pub(super) struct Parents<Parent, Child> {
    keys: HashSet<String>,
    /// The key of the child's last row.
    last: Option<String>,
    tables: PhantomData<(Parent, Child)>,
}

/// The columns by which a candidate names its decision.
pub(super) const OF_PRIMARY: [&str; 1] = ["decision_id"];
/// The same of another analysis.
pub(super) const OF_OTHER: [&str; 2] = ["decision_id", "source_id"];

pub(super) type Primary = Parents<DecisionRow, CandidateRow>;
pub(super) type Other = Parents<OtherDecisionRow, OtherCandidateRow>;

impl<Parent, Child> Default for Parents<Parent, Child> {
    fn default() -> Self {
        Self { keys: HashSet::new(), last: None, tables: PhantomData }
    }
}

impl<Parent: Row, Child: Row> Parents<Parent, Child> {
    /// Keys of rows of the parent.
    pub(super) fn are(&mut self, keys: &Columns) {
        self.keys.extend((0..keys.rows()).map(|row| joined(keys, row)));
    }

    /// The cells of `keys` in the child table are those of a row of the parent.
    pub(super) fn have(&mut self, keys: &Columns, findings: &mut Findings) {
        for row in 0..keys.rows() {
            let named = joined(keys, row);
            if self.last.as_ref() == Some(&named) {
                continue;
            }
            if !self.keys.contains(&named) {
                let sentence = format!("{named} is not in `{}`", Parent::TABLE);
                let match_id = keys.text(row, 0).and_then(match_of);
                findings.block(("candidates_have_decisions", Child::TABLE), match_id, sentence);
            }
            self.last = Some(named);
        }
    }
}

/// The cells of a key in one text, in words of a sentence.
fn joined(batch: &Columns, row: usize) -> String {
    let mut cells = batch.text(row, 0).unwrap_or_default().to_owned();
    for column in 1..batch.width() {
        cells.push_str(" of ");
        cells.push_str(batch.text(row, column).unwrap_or_default());
    }
    cells
}

/// What [`decision_ids`] looks at.
pub(super) const NAMED: [&str; 3] = ["decision_id", "match_id", "order"];

/// A decision id is its match id, a hyphen, its order in at least four digits.
pub(super) fn decision_ids(batch: &Columns, findings: &mut Findings) {
    let mut expected = String::new();
    for row in 0..batch.rows() {
        let (id, match_id) = (batch.text(row, 0).unwrap_or_default(), batch.text(row, 1).unwrap_or_default());
        expected.clear();
        _ = write!(expected, "{match_id}-{:04}", batch.int(row, 2).unwrap_or_default());
        if id != expected {
            findings.block(("decision_ids", DecisionRow::TABLE), Some(match_id), format!("{id} should be {expected}"));
        }
    }
}

/// How many primary analyses each match has: `decisions` holds one.
#[derive(Default)]
pub(super) struct Primaries(BTreeMap<String, u32>);

/// What is looked at of a match.
pub(super) const PLAYED: [&str; 1] = ["match_id"];
/// What is looked at of an analysis.
pub(super) const ANALYSED: [&str; 2] = ["match_id", "primary"];

impl Primaries {
    pub(super) fn matches(&mut self, batch: &Columns) {
        for id in (0..batch.rows()).filter_map(|row| batch.text(row, 0)) {
            self.0.entry(id.to_owned()).or_default();
        }
    }

    pub(super) fn analyses(&mut self, batch: &Columns) {
        for row in 0..batch.rows() {
            let id = batch.text(row, 0).unwrap_or_default().to_owned();
            *self.0.entry(id).or_default() += u32::from(batch.flag(row, 1));
        }
    }

    /// One is primary.
    pub(super) fn end(&self, findings: &mut Findings) {
        for (id, count) in self.0.iter().filter(|(_, count)| **count != 1) {
            let sentence = format!("match {id} has {count} primary analyses");
            findings.block(("one_primary", AnalysisRow::TABLE), Some(id), sentence);
        }
    }
}
