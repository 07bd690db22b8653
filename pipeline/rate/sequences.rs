//! The errors of a match in order: what the rolling figures start from (`metrics.md` 18).
//!
//! A thousand numbers of a player's last matches are all they need; kept as one text a seat, they need not be looked
//! for among the decisions.

use crate::tables::facts::DecisionRow;
use crate::tables::partials::SequenceRow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The sequences of whole rated matches, sorted by match and seat. `decisions` are sorted as stored. A seat without a
/// counted decision has none.
#[must_use]
pub fn sequences(decisions: &[DecisionRow]) -> Vec<SequenceRow> {
    decisions.chunk_by(|a, b| a.match_id == b.match_id).flat_map(of_one_match).collect()
}

fn of_one_match(decisions: &[DecisionRow]) -> Vec<SequenceRow> {
    let mut seats: BTreeMap<i64, SequenceRow> = BTreeMap::new();
    for row in decisions.iter().filter(|row| row.counted) {
        let Some(mpt) = row.e_mpt else { continue };
        let sequence = seats.entry(row.seat).or_insert_with(|| SequenceRow {
            season: row.season.clone(),
            match_id: row.match_id.clone(),
            seat: row.seat,
            ..SequenceRow::default()
        });
        let blank = if sequence.n == 0 { "" } else { " " };
        sequence.n += 1;
        // Writing into a text cannot fail.
        let _ = write!(sequence.mpt, "{blank}{mpt}");
    }
    seats.into_values().collect()
}
