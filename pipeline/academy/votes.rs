//! Who vouches for a pattern: the votes are the truth, the signature ⟨N; E; V⟩ is derived from them.
//!
//! One player, one vote: however often somebody proposes a pattern, his mean Elo and mean value count once (or, on
//! request, as often as he proposed). Both means are rounded half up to the fixed point, and every sum over votes is
//! an exact integer, so a signature hangs neither on history nor on the order of summing, and a vote is taken out
//! and put back in constant time. Floats appear only in the finished E, V and worth.
//!
//! The source writes V' = (E·V·N + e·v)/(N + 1), which is an Elo; the mean weighted by strength that it means divides
//! by E·N + e. A rating may reach 0 and below, so a vote weighs at least one point.

use super::settings::{ELO_ONE, VALUE_ONE, VotesBy};
use super::units::{Elo, Value};

/// One player's proposals of one pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vote {
    /// Number of proposals.
    pub k: u32,
    /// Sum of his Elo at each, millionths.
    pub sum_elo: i64,
    /// Sum of the values he proposed, billionths.
    pub sum_value: i64,
}

impl Vote {
    /// One more proposal.
    #[must_use]
    pub fn and(self, elo: Elo, value: Value) -> Self {
        self.joined(Self { k: 1, sum_elo: elo.millionths(), sum_value: value.billionths() })
    }

    /// Two votes of the same player for what has become one pattern.
    #[must_use]
    pub const fn joined(self, other: Self) -> Self {
        Self {
            k: self.k.saturating_add(other.k),
            sum_elo: self.sum_elo.saturating_add(other.sum_elo),
            sum_value: self.sum_value.saturating_add(other.sum_value),
        }
    }
}

/// The sums over a pattern's votes, all exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// N, at least 1 once there is a vote.
    pub n: i128,
    /// Σ ē (times k by proposals), millionths.
    pub sum_elo: i128,
    /// Σ ω(ē), millionths.
    pub sum_weight: i128,
    /// Σ ω(ē)·v̄, millionths × billionths.
    pub sum_weighted: i128,
    /// Number of proposals.
    pub proposals: i128,
}

impl Tally {
    /// Counts a vote.
    pub fn add(&mut self, vote: Vote, by: VotesBy) {
        self.shift(vote, by, 1);
    }

    /// Takes a vote out again.
    pub fn take(&mut self, vote: Vote, by: VotesBy) {
        self.shift(vote, by, -1);
    }

    fn shift(&mut self, vote: Vote, by: VotesBy, sign: i128) {
        if vote.k == 0 {
            return;
        }
        let k = i128::from(vote.k);
        let elo = half_up(vote.sum_elo.into(), k);
        let value = half_up(vote.sum_value.into(), k);
        let weight = elo.max(ELO_ONE);
        let times = sign * if by == VotesBy::Players { 1 } else { k };
        self.n += times;
        self.sum_elo += times * elo;
        self.sum_weight += times * weight;
        self.sum_weighted += times * weight * value;
        self.proposals += sign * k;
    }

    /// E, in points; NaN without a vote.
    #[must_use]
    pub fn elo(&self) -> f64 {
        self.sum_elo as f64 / (self.n * ELO_ONE) as f64
    }

    /// V, 0 … 1; NaN without a vote.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.sum_weighted as f64 / (self.sum_weight * VALUE_ONE) as f64
    }

    /// N·E·(0.5 − V)², E below 1 counted as 1. The distance from one half is exact before it is divided, so a value
    /// and its mirror are worth the same to the last bit.
    #[must_use]
    pub fn worth(&self) -> f64 {
        let strength = self.sum_elo.max(self.n * ELO_ONE) as f64 / ELO_ONE as f64;
        let from_half = (VALUE_ONE * self.sum_weight - 2 * self.sum_weighted).abs() as f64;
        let distance = from_half / (2 * VALUE_ONE * self.sum_weight) as f64;
        strength * distance * distance
    }

    /// E > `elo`, compared exactly.
    #[must_use]
    pub fn elo_above(&self, elo: i64) -> bool {
        self.sum_elo > i128::from(elo) * self.n
    }

    /// E < `elo`, compared exactly.
    #[must_use]
    pub fn elo_below(&self, elo: i64) -> bool {
        self.sum_elo < i128::from(elo) * self.n
    }

    /// V > `value`, compared exactly.
    #[must_use]
    pub fn value_above(&self, value: Value) -> bool {
        self.sum_weighted > i128::from(value.billionths()) * self.sum_weight
    }

    /// V < `value`, compared exactly.
    #[must_use]
    pub fn value_below(&self, value: Value) -> bool {
        self.sum_weighted < i128::from(value.billionths()) * self.sum_weight
    }
}

/// `sum / count`, rounded half up; `count` is positive.
#[must_use]
pub fn half_up(sum: i128, count: i128) -> i128 {
    let (sum, count) = (2 * sum + count, 2 * count);
    // Nearly all fit, and 128 bits are divided step by step.
    match (i64::try_from(sum), i64::try_from(count)) {
        (Ok(sum), Ok(count)) => sum.div_euclid(count).into(),
        _ => sum.div_euclid(count),
    }
}
