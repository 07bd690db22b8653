//! Votes as they are saved: each name once, and a vote is numbers. They are most of a state, and hundreds of votes go by one
//! name.

use super::super::rows::{Shelving, VoteRow};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::sync::Arc;

/// Library (whether it is Yose), pattern, number of the name, and the three sums.
type Ballot = (bool, u32, u32, u32, i64, i64);

pub(super) fn serialize<S: Serializer>(votes: &[VoteRow], serializer: S) -> Result<S::Ok, S::Error> {
    let mut names: Vec<&str> = Vec::new();
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut ballots: Vec<Ballot> = Vec::with_capacity(votes.len());
    for VoteRow { library, id, player, k, sum_elo, sum_value } in votes {
        let number = *numbers.entry(player).or_insert_with(|| {
            names.push(player);
            // A club has fewer players than a number of 32 bits counts.
            u32::try_from(names.len() - 1).unwrap_or(u32::MAX)
        });
        ballots.push((*library == Shelving::Yose, *id, number, *k, *sum_elo, *sum_value));
    }
    (names, ballots).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<VoteRow>, D::Error> {
    let (names, ballots) = <(Vec<Arc<str>>, Vec<Ballot>)>::deserialize(deserializer)?;
    let row = |(is_yose, id, number, k, sum_elo, sum_value): Ballot| {
        let player = names.get(number as usize).map(Arc::clone)?;
        let library = if is_yose { Shelving::Yose } else { Shelving::Chuban };
        Some(VoteRow { library, id, player, k, sum_elo, sum_value })
    };
    let votes: Option<Vec<VoteRow>> = ballots.into_iter().map(row).collect();
    votes.ok_or_else(|| D::Error::custom("a vote of nobody"))
}
