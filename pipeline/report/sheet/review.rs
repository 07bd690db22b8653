//! What to look at: three decisions a player, as the table of reviews ranks them (`metrics.md` 10.1), and below them, folded,
//! every other error and every cube action taken, as far as the page's size allows.

use super::Sheet;
use crate::report::card::{Card, Table, anchor};
use crate::report::format;
use crate::report::parts::more;
use crate::tables::facts::DecisionRow;
use crate::tables::study_marts::MatchReviewRow;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Shown open, a player.
const TO_REVIEW: usize = 3;
/// Folded cards that fit besides the rest of a page of 120 KB, and one more for every so many decisions (0.6 KB each, of
/// which the transcript takes two thirds; a card is about 5 KB).
const FOLDED: usize = 8;
const DECISIONS_A_CARD: usize = 30;

/// The section.
#[derive(Serialize)]
pub(super) struct Review {
    players: Vec<PlayerReview>,
    errors: Vec<Card>,
    errors_more: String,
    cubes: Vec<Card>,
    cubes_more: String,
    threshold: String,
}

#[derive(Serialize)]
struct PlayerReview {
    heading: String,
    say: String,
    cards: Vec<Card>,
}

impl Review {
    /// Anchors of the decisions that have a card.
    pub(super) fn anchors(&self) -> BTreeSet<String> {
        let open = self.players.iter().flat_map(|player| &player.cards);
        open.chain(&self.errors).chain(&self.cubes).map(|card| card.id.clone()).collect()
    }
}

pub(super) fn review(sheet: &Sheet<'_>, table: &Table<'_>) -> Review {
    let threshold = sheet.input.colophon.thresholds.error;
    let mut done: BTreeSet<String> = BTreeSet::new();
    let players: Vec<PlayerReview> = [0, 1]
        .into_iter()
        .map(|at| {
            let worst = worst(sheet, sheet.seats[at]);
            done.extend(worst.iter().map(|row| anchor(row)));
            PlayerReview {
                heading: sheet.names[at].clone(),
                say: say(sheet, at, worst.len()),
                cards: worst.iter().map(|row| table.card(row)).collect(),
            }
        })
        .collect();
    let is_error = |row: &DecisionRow| row.counted && row.e_mpt.is_some_and(|mpt| mpt >= threshold);
    let is_action = |row: &DecisionRow| matches!(row.kind.as_str(), "double" | "take" | "pass");
    let rest = |wanted: &dyn Fn(&DecisionRow) -> bool| -> Vec<&DecisionRow> {
        sheet.decisions.iter().copied().filter(|row| wanted(row) && !done.contains(&anchor(row))).collect()
    };
    let mut errors = rest(&is_error);
    errors.sort_by_key(|row| (Reverse(row.loss), Reverse(row.e_mpt), row.order));
    let cubes = rest(&|row| is_action(row) && !is_error(row));
    let room = FOLDED + sheet.decisions.len() / DECISIONS_A_CARD;
    let (n_errors, n_cubes) = (errors.len().min(room), cubes.len().min(room.saturating_sub(errors.len())));
    Review {
        players,
        errors_more: more(errors.len(), n_errors),
        cubes_more: more(cubes.len(), n_cubes),
        errors: errors[..n_errors].iter().map(|row| table.card(row)).collect(),
        cubes: cubes[..n_cubes].iter().map(|row| table.card(row)).collect(),
        threshold: format::error(threshold),
    }
}

/// The decisions the table names for a seat, best first; one that is not among this page's is passed over.
fn worst<'a>(sheet: &Sheet<'a>, seat: i64) -> Vec<&'a DecisionRow> {
    let mut rows: Vec<&MatchReviewRow> = sheet.input.review.iter().filter(|row| row.seat == seat).collect();
    rows.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.decision_id.cmp(&b.decision_id)));
    rows.iter()
        .filter_map(|row| sheet.decisions.iter().copied().find(|decision| decision.decision_id == row.decision_id))
        .take(TO_REVIEW)
        .collect()
}

fn say(sheet: &Sheet<'_>, at: usize, shown: usize) -> String {
    match (shown, sheet.no_price()) {
        (0, Some(reason)) => reason.to_owned(),
        (0, None) => "No error above the threshold.".to_owned(),
        (1, _) => {
            "The one error with an avoidable part: the loss beyond what the position\u{2019}s difficulty excuses."
                .to_owned()
        }
        _ => format!(
            "Errors of {} with the largest avoidable part: the loss beyond what the position\u{2019}s difficulty excuses.",
            sheet.names[at]
        ),
    }
}
