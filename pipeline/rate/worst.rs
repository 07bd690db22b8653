//! The decisions of a match that cost most: what a player's ten worst are chosen from (`metrics.md` 18).
//!
//! Whoever is among the ten worst of a season is among the ten worst of his match, so no more need be kept of it. There
//! is no threshold: in a short season the worst may be no errors. A decision that cost nothing is none of the worst.

use crate::tables::facts::DecisionRow;
use crate::tables::partials::WorstRow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Rows a seat of a match, and a player of a season.
pub const LISTED: usize = 10;

/// The worst decisions of whole rated matches, sorted by match, seat and rank. `decisions` are sorted as stored.
#[must_use]
pub fn worst(decisions: &[DecisionRow]) -> Vec<WorstRow> {
    decisions.chunk_by(|a, b| a.match_id == b.match_id).flat_map(of_one_match).collect()
}

fn of_one_match(decisions: &[DecisionRow]) -> Vec<WorstRow> {
    let mut seats: BTreeMap<i64, Vec<&DecisionRow>> = BTreeMap::new();
    for row in decisions.iter().filter(|row| row.counted && row.e_mpt > Some(0)) {
        seats.entry(row.seat).or_default().push(row);
    }
    let ranked = |mut rows: Vec<&DecisionRow>| -> Vec<WorstRow> {
        rows.sort_by_key(|row| (Reverse(row.e_mpt), Reverse(row.loss), row.game, row.order));
        (1..).zip(rows).take(LISTED).filter_map(|(rank, row)| listed(row, rank)).collect()
    };
    seats.into_values().flat_map(ranked).collect()
}

fn listed(row: &DecisionRow, rank: i64) -> Option<WorstRow> {
    Some(WorstRow {
        season: row.season.clone(),
        match_id: row.match_id.clone(),
        seat: row.seat,
        rank,
        decision_id: row.decision_id.clone(),
        game: row.game,
        order: row.order,
        kind: row.kind.clone(),
        mpt: row.e_mpt?,
        loss: row.loss,
        position_key: row.position_key.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(order: i64, seat: i64, mpt: Option<i64>, loss: Option<i64>) -> DecisionRow {
        DecisionRow { game: 1, order, seat, e_mpt: mpt, loss, counted: mpt.is_some(), ..DecisionRow::default() }
    }

    fn listed(rows: &[WorstRow]) -> Vec<(i64, i64, i64)> {
        rows.iter().map(|row| (row.seat, row.rank, row.order)).collect()
    }

    #[test]
    fn the_worst_come_first_and_a_dearer_loss_before_an_absent_one() {
        let rows = [
            decision(0, 1, Some(40), None),
            decision(1, 1, Some(60), None),
            decision(2, 2, Some(1), Some(7)),
            decision(3, 1, Some(60), Some(5)),
            decision(4, 1, Some(60), Some(9)),
            decision(5, 1, Some(0), Some(0)),
            decision(6, 1, None, None),
        ];
        assert_eq!(listed(&worst(&rows)), [(1, 1, 4), (1, 2, 3), (1, 3, 1), (1, 4, 0), (2, 1, 2)]);
    }

    #[test]
    fn ten_a_seat_and_an_uncounted_one_is_none() {
        let mut rows: Vec<DecisionRow> = (0..25).map(|order| decision(order, order % 2 + 1, Some(10), None)).collect();
        rows[0].counted = false;
        let listed = listed(&worst(&rows));
        assert_eq!(listed.len(), 20);
        assert_eq!((listed[0], listed[9], listed[10]), ((1, 1, 2), (1, 10, 20), (2, 1, 1)));
    }
}
