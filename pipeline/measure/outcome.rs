//! Outcome: won, lost, or neither (`metrics.md` 11).
//!
//! Who won is a fact of the match; here it becomes wins and losses of a player. An unfinished match, a money session
//! that ended level and a match somebody played against himself are neither, so wins + losses ≤ matches.

use crate::game::Seat;
use serde::{Deserialize, Serialize};

/// How a match ended for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Won.
    Won,
    /// Lost.
    Lost,
}

impl Outcome {
    /// From a seat's side.
    #[must_use]
    pub fn of(winner: Option<Seat>, seat: Seat) -> Option<Self> {
        Some(if winner? == seat { Self::Won } else { Self::Lost })
    }
}

/// Matches of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// All of them.
    pub matches: i64,
    /// Won.
    pub wins: i64,
    /// Lost.
    pub losses: i64,
}

impl Tally {
    /// One more match.
    pub fn add(&mut self, outcome: Option<Outcome>) {
        self.matches += 1;
        match outcome {
            Some(Outcome::Won) => self.wins += 1,
            Some(Outcome::Lost) => self.losses += 1,
            None => {}
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.matches += other.matches;
        self.wins += other.wins;
        self.losses += other.losses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_without_result_is_played_and_neither_won_nor_lost() {
        let mut tally = Tally::default();
        for winner in [Some(Seat::First), Some(Seat::Second), None] {
            tally.add(Outcome::of(winner, Seat::First));
        }
        assert_eq!(tally, Tally { matches: 3, wins: 1, losses: 1 });
    }
}
