//! L7: how much of a 7-point match did my errors cost, whatever the way of counting decisions? And the strength
//! against the engine that goes with it. (`metrics.md` 7)
//!
//! A longer match holds more decisions, each of which weighs less; losses grow with √N. L7 puts every match on the
//! scale of one to 7 points, so that matches of different lengths pool. It is never capped; the strength has a floor,
//! and says so when it stands on it. Only matches of 1 to 64 points have either.

use super::interval::{Estimate, Quantile, WeightUnit, sum, weighted_ratio};
use super::loss::MWC;

/// The length everything is expressed in.
const REFERENCE_LENGTH: f64 = 7.0;

/// Winning chances below which no strength is told apart: 1 %.
const FLOOR: f64 = 0.01;

/// L7 at the floor is 0.49; a loss of exactly 0.49 is not under it, whatever the last bit says.
const NOISE: f64 = 1e-12;

/// One point of Elo is this much of a logarithm to base 10 in a one-point match (FIBS's scale).
pub(super) const FIBS: f64 = 2000.0;

/// One match as a unit: the losses of the seats that count, and how many seats they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seats {
    /// Match length, 1 to 64.
    pub length: u8,
    /// Seats with a priced decision among those measured, 1 or 2.
    pub seats: u8,
}

impl Seats {
    /// Σ√N over the seats.
    #[must_use]
    pub fn weight(self) -> f64 {
        f64::from(self.seats) * f64::from(self.length).sqrt()
    }
}

/// L7 of one match from the losses (1e-9) of its games: those in which either seat has a counted decision, 0 where the
/// measured one has none. `None` without such a game.
#[must_use]
pub fn of_match(losses: &[i64], seats: Seats, quantile: Quantile) -> Option<Estimate> {
    Some(sum(losses, quantile)?.scaled(REFERENCE_LENGTH.sqrt() / seats.weight() / MWC))
}

/// L7 of a set from one unit per points match with a priced decision: loss (1e-9) and [`Seats::weight`].
#[must_use]
pub fn of_set(matches: &[WeightUnit], quantile: Quantile) -> Option<Estimate> {
    Some(weighted_ratio(matches, quantile)?.scaled(REFERENCE_LENGTH.sqrt() / MWC))
}

/// The part of an L7 that these losses (1e-9) make up, over the [`Seats::weight`] of the whole: parts over all natures
/// add up to it. `None` without a weight, where there is no L7 either.
#[must_use]
pub fn part(losses: i64, weight: f64) -> Option<f64> {
    (weight > 0.0).then(|| REFERENCE_LENGTH.sqrt() * losses as f64 / weight / MWC)
}

/// Strength against the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// D: 0 = plays like the engine, negative below.
    pub elo: f64,
    /// The figure stands at its floor: read "at most".
    pub floored: bool,
}

impl Strength {
    /// Of one L7. Decreasing: the upper end of an interval gives the lower bound.
    #[must_use]
    pub fn of(l7: f64) -> Self {
        let chances = (0.5 - l7.max(0.0)).max(FLOOR);
        Self {
            elo: FIBS / REFERENCE_LENGTH.sqrt() * libm::log10(chances / (1.0 - chances)),
            floored: l7 > 0.5 - FLOOR + NOISE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::near;

    fn units(mwc: f64) -> i64 {
        crate::game::Mwc::from_f64(mwc).map_or(0, crate::game::Mwc::units)
    }

    fn single(loss: f64, length: u8) -> Option<f64> {
        of_match(&[units(loss)], Seats { length, seats: 1 }, Quantile::Normal).map(|estimate| estimate.value)
    }

    /// L, N, L7, Elo, floored: the table of section 7.
    #[test]
    fn one_match() -> Result<(), String> {
        for (loss, length, l7, elo, floored) in [
            (0.02, 3, 0.030_550_50, -40.168_443, false),
            (0.05, 1, 0.132_287_57, -177.950_455, false),
            (0.08, 7, 0.08, -105.965_139, false),
            (0.10, 7, 0.10, -133.112_480, false),
            (0.12, 5, 0.141_985_91, -191.722_771, false),
            (0.123, 7, 0.123, -164.903_402, false),
            (0.30, 7, 0.30, -455.114_575, false),
            (0.40, 11, 0.319_089_61, -495.789_545, false),
            (0.49, 7, 0.49, -1_508.558_409, false),
            (0.60, 7, 0.60, -1_508.558_409, true),
            (0.0, 7, 0.0, 0.0, false),
        ] {
            let got = single(loss, length).ok_or("absent")?;
            near(got, l7, 1e-8)?;
            let strength = Strength::of(got);
            near(strength.elo, elo, 1e-6)?;
            assert_eq!(strength.floored, floored, "{loss} in a match to {length}");
        }
        Ok(())
    }

    fn set(matches: &[(f64, u8, u8)]) -> Option<Estimate> {
        let units: Vec<WeightUnit> = matches
            .iter()
            .map(|&(loss, length, seats)| WeightUnit { amount: units(loss), weight: Seats { length, seats }.weight() })
            .collect();
        of_set(&units, Quantile::Normal)
    }

    #[test]
    fn a_pool_sums_before_it_divides() -> Result<(), String> {
        let pool = set(&[(0.30, 7, 1), (0.05, 1, 1), (0.40, 11, 1)]).ok_or("absent")?;
        near(pool.value, 0.285_005_213, 1e-9)?;
        near(pool.standard_error.ok_or("no error")?, 0.034_144_391, 1e-9)?;
        let ends = pool.interval.ok_or("no interval")?;
        near(ends.low, 0.218_082_207, 1e-9)?;
        near(ends.high, 0.351_928_219, 1e-9)?;
        near(Strength::of(pool.value).elo, -425.168_162, 1e-5)?;
        near(Strength::of(ends.high).elo, -574.453_615, 1e-5)?;
        near(Strength::of(ends.low).elo, -306.946_218, 1e-5)
    }

    #[test]
    fn two_seats_of_a_match_are_one_unit() -> Result<(), String> {
        let both = set(&[(0.20, 7, 2), (0.14, 5, 2), (0.10, 9, 1)]).ok_or("absent")?;
        near(both.value, 0.091_206_796, 1e-9)?;
        near(both.standard_error.ok_or("no error")?, 0.005_798_651, 1e-9)?;
        let ends = both.interval.ok_or("no interval")?;
        near(ends.low, 0.079_841_439, 1e-9)?;
        near(ends.high, 0.102_572_152, 1e-9)
    }

    /// Losses by game, length, value, standard error, interval: section 9.4.
    #[test]
    fn one_match_by_its_games() -> Result<(), String> {
        type Line<'a> = (&'a [f64], u8, f64, f64, Option<(f64, f64)>);
        let lines: [Line<'_>; 4] = [
            (&[0.02, 0.10, 0.03, 0.05], 7, 0.20, 0.071_180_522, Some((0.060_486_178, 0.339_513_822))),
            (&[0.02, 0.10, 0.03, 0.05], 5, 0.236_643_191, 0.084_221_929, Some((0.071_568_210, 0.401_718_162))),
            (&[0.03, 0.03, 0.03], 7, 0.09, 0.0, None),
            (&[0.0, 0.20, 0.0], 7, 0.20, 0.20, Some((0.0, 0.592))),
        ];
        for (losses, length, value, error, ends) in lines {
            let losses: Vec<i64> = losses.iter().copied().map(units).collect();
            let got = of_match(&losses, Seats { length, seats: 1 }, Quantile::Normal).ok_or("absent")?;
            near(got.value, value, 1e-6)?;
            near(got.standard_error.ok_or("no error")?, error, 1e-6)?;
            assert_eq!(got.interval.is_some(), ends.is_some());
            if let (Some(got), Some((low, high))) = (got.interval, ends) {
                near(got.low, low, 1e-6)?;
                near(got.high, high, 1e-6)?;
            }
        }
        let four = of_match(&[0.02, 0.10, 0.03, 0.05].map(units), Seats { length: 7, seats: 1 }, Quantile::Normal);
        let four = four.ok_or("absent")?;
        near(Strength::of(four.value).elo, -278.164_303, 1e-6)?;
        let ends = four.interval.ok_or("no interval")?;
        near(Strength::of(ends.high).elo, -543.203_146, 1e-5)?;
        near(Strength::of(ends.low).elo, -79.820_328, 1e-5)
    }

    #[test]
    fn a_gain_is_no_strength_above_the_engine() {
        assert_eq!(Strength::of(-0.1), Strength { elo: 0.0, floored: false });
    }
}
