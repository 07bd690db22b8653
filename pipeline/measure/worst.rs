//! The ten worst decisions of a player (`metrics.md` 18).
//!
//! They are chosen from the ten worst of each of his matches. Nothing is left out for being small: a player with few
//! decisions may have no error among them; one that cost nothing is never listed.

use super::loss::MWC;
use super::played::Facts;
use crate::rate::worst::LISTED;
use crate::tables::partials::WorstRow;
use crate::tables::row::Day;
use crate::tables::study_marts::WorstDecisionRow;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Worst first: error, then loss (absent last), then the later match (undated last), then the place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Listed {
    order: (Reverse<i64>, Reverse<Option<i64>>, Reverse<Option<Day>>),
    place: (String, i64, i64),
    decision_id: String,
    kind: String,
    position_key: String,
}

/// Takes decisions in any order and gives the table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Worst(BTreeMap<(String, Option<String>), BTreeSet<Listed>>);

impl Worst {
    /// One decision of a match, once. One of a seat that is none adds nothing.
    pub fn enter(&mut self, facts: &Facts, row: &WorstRow) {
        if facts.player(row.seat).is_none() {
            return;
        }
        let asked = facts.asked_player(row.seat).map(|player| Some(player.to_owned()));
        for player in facts.pooled.then_some(None).into_iter().chain(asked) {
            insert(self.0.entry((facts.season.clone(), player)).or_default(), listed(facts, row));
        }
    }

    /// Takes in what another one took.
    pub fn join(&mut self, other: Self) {
        for (whose, list) in other.0 {
            let known = self.0.entry(whose).or_default();
            list.into_iter().for_each(|listed| insert(known, listed));
        }
    }

    /// The table, sorted by its key.
    #[must_use]
    pub fn close(self) -> Vec<WorstDecisionRow> {
        let of_player = |((season, player), list): ((String, Option<String>), BTreeSet<Listed>)| {
            let row = move |(rank, listed): (i64, Listed)| WorstDecisionRow {
                season: season.clone(),
                player: player.clone(),
                rank,
                decision_id: listed.decision_id,
                match_id: listed.place.0,
                kind: listed.kind,
                mpt: listed.order.0.0,
                loss: listed.order.1.0.map(|loss| loss as f64 / MWC),
                position_key: listed.position_key,
            };
            (1..).zip(list).map(row).collect::<Vec<_>>()
        };
        self.0.into_iter().flat_map(of_player).collect()
    }
}

fn insert(list: &mut BTreeSet<Listed>, listed: Listed) {
    list.insert(listed);
    if list.len() > LISTED {
        list.pop_last();
    }
}

fn listed(facts: &Facts, row: &WorstRow) -> Listed {
    Listed {
        order: (Reverse(row.mpt), Reverse(row.loss), Reverse(facts.date)),
        place: (row.match_id.clone(), row.game, row.order),
        decision_id: row.decision_id.clone(),
        kind: row.kind.clone(),
        position_key: row.position_key.clone(),
    }
}
