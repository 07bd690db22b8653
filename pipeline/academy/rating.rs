//! Ratings from results: FIBS match by match, or ordinary Elo contest by contest.
//!
//! Ratings are kept in millionths and rounded once after each match, so a season rates alike on every machine.

use super::contest::Outcome;
use super::units::Elo;
use serde::{Deserialize, Serialize};

/// Points of a player who has not been rated yet.
const START: f64 = 1500.0;

/// A player's rating and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Present rating.
    pub rating: Elo,
    /// Sum of the lengths of the matches it was moved by; contests count 1.
    pub experience: u64,
}

impl Default for Standing {
    fn default() -> Self {
        // 1500 is in range; the type cannot know.
        Self { rating: Elo::from_points(START).unwrap_or(Elo::ZERO), experience: 0 }
    }
}

/// Winner and loser after a match of `length` points, by the formula of FIBS:
/// P = 1/(1 + 10^(−Δ√n/2000)), change ±4·K·√n·(1 − P), K = max(1, 5 − experience/100) for each.
#[must_use]
pub fn fibs(winner: Standing, loser: Standing, length: u32) -> (Standing, Standing) {
    let root = libm::sqrt(f64::from(length));
    let lead = winner.rating.points() - loser.rating.points();
    let expected = 1.0 / (1.0 + libm::pow(10.0, -lead * root / 2000.0));
    let change = |standing: Standing| {
        let k = (5.0 - standing.experience as f64 / 100.0).max(1.0);
        4.0 * k * root * (1.0 - expected)
    };
    let experience = u64::from(length);
    (winner.moved(change(winner), experience), loser.moved(-change(loser), experience))
}

/// First and second player after one contest, by ordinary Elo: P = 1/(1 + 10^(−Δ/400)), a draw is one half. Both
/// stay as they are without a result.
#[must_use]
pub fn ordinary(first: Standing, second: Standing, outcome: Outcome) -> (Standing, Standing) {
    let score = match outcome {
        Outcome::First => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Second => 0.0,
        Outcome::Unfinished | Outcome::Edited => return (first, second),
    };
    let lead = first.rating.points() - second.rating.points();
    let expected = 1.0 / (1.0 + libm::pow(10.0, -lead / 400.0));
    let change = score - expected;
    let (k_first, k_second) = (k(first, second), k(second, first));
    (first.moved(k_first * change, 1), second.moved(-k_second * change, 1))
}

/// 30 below 2000, 10 above 2400, otherwise 130 − opponent/20, as the source has it.
fn k(own: Standing, opponent: Standing) -> f64 {
    match own.rating.points() {
        points if points < 2000.0 => 30.0,
        points if points > 2400.0 => 10.0,
        _ => 130.0 - opponent.rating.points() / 20.0,
    }
}

impl Standing {
    /// Moved by so many points; a rating that would leave the scale stays where it is.
    fn moved(self, points: f64, experience: u64) -> Self {
        let rating = Elo::from_points(self.rating.points() + points).unwrap_or(self.rating);
        Self { rating, experience: self.experience + experience }
    }
}
