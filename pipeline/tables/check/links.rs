//! Foreign keys inside a bucket: a candidate belongs to a decision, a decision id to its match, and every match has
//! exactly one primary analysis.

use super::{Bucketed, Findings, match_of};
use crate::tables::columns::Columns;
use crate::tables::facts::{AnalysisRow, CandidateRow, DecisionRow, MatchRow, OtherCandidateRow, OtherDecisionRow};
use crate::tables::fault::TableFault;
use crate::tables::row::Row;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

/// Every check of this module on one bucket.
pub(super) fn check(place: &Bucketed<'_>, findings: &mut Findings) -> Result<(), TableFault> {
    candidates_have_decisions::<DecisionRow, CandidateRow>(place, &["decision_id"], findings)?;
    candidates_have_decisions::<OtherDecisionRow, OtherCandidateRow>(place, &["decision_id", "source_id"], findings)?;
    decision_ids(place, findings)?;
    one_primary(place, findings)
}

/// The cells of `key` in the child table are those of a row of the parent.
fn candidates_have_decisions<Parent: Row, Child: Row>(
    place: &Bucketed<'_>,
    key: &[&str],
    findings: &mut Findings,
) -> Result<(), TableFault> {
    let mut parents: HashSet<String> = HashSet::new();
    place.scan::<Parent>(key, &mut |batch| parents.extend((0..batch.rows()).map(|row| joined(batch, row))))?;
    let mut last = None;
    place.scan::<Child>(key, &mut |batch| {
        for row in 0..batch.rows() {
            let named = joined(batch, row);
            if last.as_ref() == Some(&named) {
                continue;
            }
            if !parents.contains(&named) {
                let sentence = format!("{named} is not in `{}`", Parent::TABLE);
                findings.block(
                    ("candidates_have_decisions", Child::TABLE),
                    batch.text(row, 0).and_then(match_of),
                    sentence,
                );
            }
            last = Some(named);
        }
    })
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

/// A decision id is its match id, a hyphen, its order in at least four digits.
fn decision_ids(place: &Bucketed<'_>, findings: &mut Findings) -> Result<(), TableFault> {
    let table = DecisionRow::TABLE;
    let mut expected = String::new();
    place.scan::<DecisionRow>(&["decision_id", "match_id", "order"], &mut |batch| {
        for row in 0..batch.rows() {
            let (id, match_id) = (batch.text(row, 0).unwrap_or_default(), batch.text(row, 1).unwrap_or_default());
            expected.clear();
            _ = write!(expected, "{match_id}-{:04}", batch.int(row, 2).unwrap_or_default());
            if id != expected {
                findings.block(("decision_ids", table), Some(match_id), format!("{id} should be {expected}"));
            }
        }
    })
}

/// `decisions` holds one analysis of a match: one is primary.
fn one_primary(place: &Bucketed<'_>, findings: &mut Findings) -> Result<(), TableFault> {
    let mut primaries: BTreeMap<String, u32> = BTreeMap::new();
    place.scan::<MatchRow>(&["match_id"], &mut |batch| {
        primaries.extend((0..batch.rows()).filter_map(|row| Some((batch.text(row, 0)?.to_owned(), 0))));
    })?;
    place.scan::<AnalysisRow>(&["match_id", "primary"], &mut |batch| {
        for row in 0..batch.rows() {
            let id = batch.text(row, 0).unwrap_or_default().to_owned();
            *primaries.entry(id).or_default() += u32::from(batch.flag(row, 1));
        }
    })?;
    for (id, count) in primaries.iter().filter(|(_, count)| **count != 1) {
        let sentence = format!("match {id} has {count} primary analyses");
        findings.block(("one_primary", AnalysisRow::TABLE), Some(id), sentence);
    }
    Ok(())
}
