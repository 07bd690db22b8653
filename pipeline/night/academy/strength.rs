//! Ratings by the engine's judgement: 2000 + the strength against the engine that a player's matches of the season so far
//! amount to (`academy.md` 10).
//!
//! The strength pools as it does in the measures: losses and roots of lengths are summed before they are divided. A
//! match is judged by what is known before it, so it moves the ratings after its own last contest. What is known of a
//! player stays until the first match of another season says something new; until anything is known he has the starting
//! figure.

use crate::academy::backgammon::Judged;
use crate::academy::contest::Rerated;
use crate::academy::units::Elo;
use crate::measure::l7::{self, Seats, Strength};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Points of a player whose play costs nothing by the engine.
const ENGINE: f64 = 2000.0;

/// What is known of every player, by game and canonical name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Strengths(BTreeMap<String, BTreeMap<String, Pool>>);

/// A player's judged matches of one season.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Pool {
    season: String,
    /// Winning chances lost, in billionths of a match.
    loss: i64,
    /// Length in points -> number of matches.
    lengths: BTreeMap<u8, u32>,
}

impl Strengths {
    /// Takes a match in; who has a decision in it that has a price gets a rating.
    pub(super) fn take(&mut self, judged: &Judged) -> Vec<Rerated> {
        let Ok(length) = u8::try_from(judged.length) else { return Vec::new() };
        let pools = self.0.entry(judged.game.clone()).or_default();
        let rerated = judged.losses.iter().filter_map(|(player, loss)| {
            let pool = pools.entry(player.clone()).or_default();
            if pool.season != judged.season {
                *pool = Pool { season: judged.season.clone(), ..Pool::default() };
            }
            pool.loss += loss;
            *pool.lengths.entry(length).or_default() += 1;
            Some(Rerated {
                game: judged.game.clone(),
                match_id: judged.match_id.clone(),
                date: judged.date,
                player: player.clone(),
                rating: pool.rating()?,
                length: judged.length,
            })
        });
        rerated.collect()
    }
}

impl Pool {
    /// Lengths are summed in their order, whatever order the matches came in.
    fn rating(&self) -> Option<Elo> {
        let root = |(&length, &matches): (&u8, &u32)| Seats { length, seats: 1 }.weight() * f64::from(matches);
        let l7 = l7::part(self.loss, self.lengths.iter().map(root).sum())?;
        Elo::from_points(ENGINE + Strength::of(l7).elo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(season: &str, length: u32, losses: &[(&str, i64)]) -> Judged {
        /// Billionths in a hundredth of a match.
        const HUNDREDTH: i64 = 10_000_000;
        let losses = losses.iter().map(|(name, loss)| ((*name).to_owned(), loss * HUNDREDTH)).collect();
        Judged {
            game: "backgammon".to_owned(),
            season: season.to_owned(),
            match_id: "m".to_owned(),
            date: None,
            length,
            losses,
        }
    }

    fn ratings(rerated: &[Rerated]) -> Vec<(&str, f64)> {
        rerated.iter().map(|row| (row.player.as_str(), row.rating.points())).collect()
    }

    /// The lines and the pool of `metrics.md` 7, on a scale that begins at 2000.
    #[test]
    fn the_strength_of_the_season_so_far_is_the_rating() {
        let mut strengths = Strengths::default();
        let first = strengths.take(&judged("2025", 7, &[("Ada", 30), ("Ben", 8)]));
        assert_eq!(ratings(&first), [("Ada", 1_544.885_425), ("Ben", 1_894.034_861)]);
        strengths.take(&judged("2025", 1, &[("Ada", 5)]));
        let pooled = strengths.take(&judged("2025", 11, &[("Ada", 40)]));
        assert_eq!(ratings(&pooled), [("Ada", 1_574.831_838)]);
        // The other one had no decision with a price: what is known of him stays. A new season begins anew.
        let next = strengths.take(&judged("2026", 5, &[("Ada", 12), ("Cy", 0)]));
        assert_eq!(ratings(&next), [("Ada", 1_808.277_229), ("Cy", 2_000.0)]);
    }
}
