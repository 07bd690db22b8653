//! Match review: which decisions of this match deserve a second look? (`metrics.md` 10.1)
//!
//! A player's errors by what they cost beyond their difficulty. An error without a price (money play, no factor) is not
//! reviewed; a difficulty that is not known counts as 0, unlike in the study plan: here nothing is added up, and the
//! loss is certain.

use super::selection::{count, mwc};
use crate::tables::partials::ErrorRow;
use crate::tables::study_marts::MatchReviewRow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Every error that qualifies, ranked within its match and seat; sorted by match, seat and rank. Errors in any order.
#[must_use]
pub fn review(errors: &[ErrorRow]) -> Vec<MatchReviewRow> {
    let mut seats: BTreeMap<(&str, i64), Vec<Regretted<'_>>> = BTreeMap::new();
    for regretted in errors.iter().filter_map(Regretted::of) {
        seats.entry((&regretted.error.match_id, regretted.error.seat)).or_default().push(regretted);
    }
    seats.into_values().flat_map(ranked).collect()
}

/// An error that something could have been done about.
struct Regretted<'a> {
    error: &'a ErrorRow,
    loss: i64,
    avoidable_part: i64,
}

impl<'a> Regretted<'a> {
    fn of(error: &'a ErrorRow) -> Option<Self> {
        let loss = error.loss?;
        let avoidable_part = loss - error.difficulty.unwrap_or(0);
        (avoidable_part > 0).then_some(Self { error, loss, avoidable_part })
    }
}

fn ranked(mut of_seat: Vec<Regretted<'_>>) -> Vec<MatchReviewRow> {
    of_seat.sort_by_key(|of| (Reverse(of.avoidable_part), Reverse(of.loss), of.error.order));
    let row = |(at, of): (usize, &Regretted<'_>)| MatchReviewRow {
        season: of.error.season.clone(),
        match_id: of.error.match_id.clone(),
        seat: of.error.seat,
        rank: count(at + 1),
        decision_id: of.error.decision_id.clone(),
        loss: mwc(of.loss),
        difficulty: of.error.difficulty.map(mwc),
        avoidable_part: mwc(of.avoidable_part),
    };
    of_seat.iter().enumerate().map(row).collect()
}
