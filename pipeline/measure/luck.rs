//! Luck: what the dice gave, and what the result would have been without it (`metrics.md` 10.2 and 11).
//!
//! Luck comes from the file and is never recomputed; a roll whose luck is not known enters nothing and lowers the
//! coverage. The luck-adjusted result belongs to one finished match: a season has none.

use super::loss::MWC;
use super::outcome::Outcome;
use super::sums::Sums;
use crate::game::units::{EQUITY_SCALE, MWC_SCALE};

/// Luck of the measured rolls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Luck {
    /// Σ in equity; absent when no roll is measured.
    pub equity: Option<f64>,
    /// Σ in winning chances; absent when none has a price.
    pub mwc: Option<f64>,
}

/// From sums.
#[must_use]
pub fn luck(sums: &Sums) -> Luck {
    Luck {
        equity: (sums.luck_rolls > 0).then(|| sums.luck as f64 / EQUITY_SCALE as f64),
        mwc: (sums.luck_mwc_rolls > 0).then(|| sums.luck_mwc as f64 / MWC),
    }
}

/// Measured rolls / rolls, both players together; `None` when nobody rolled.
#[must_use]
pub fn coverage(both: &Sums) -> Option<f64> {
    (both.rolls > 0).then(|| both.luck_rolls as f64 / both.rolls as f64)
}

/// One side of a finished match with a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished<'a> {
    /// How it ended for this side.
    pub outcome: Outcome,
    /// This side's winning chances before the first game, in 1e-9; `None` = not told, even.
    pub start: Option<i64>,
    /// This side's sums.
    pub own: &'a Sums,
    /// The other side's.
    pub opponent: &'a Sums,
}

/// A = (outcome − start) − (own luck − opponent's luck), in winning chances from this side; the other side's is −A.
/// `None` when no roll of either is measured.
#[must_use]
pub fn adjusted(side: Finished<'_>) -> Option<f64> {
    if side.own.luck_mwc_rolls + side.opponent.luck_mwc_rolls == 0 {
        return None;
    }
    let outcome = match side.outcome {
        Outcome::Won => MWC_SCALE,
        Outcome::Lost => 0,
    };
    let result = outcome - side.start.unwrap_or(MWC_SCALE / 2);
    // Whole numbers to the end, so that the two sides are each other's opposite to the last bit.
    Some((result - (side.own.luck_mwc - side.opponent.luck_mwc)) as f64 / MWC)
}

/// Opponent's Σℓ − own Σℓ: what the adjusted result is expected to be. `None` unless both have a priced decision.
#[must_use]
pub fn error_balance(own: &Sums, opponent: &Sums) -> Option<f64> {
    (own.priced > 0 && opponent.priced > 0).then(|| (opponent.loss - own.loss) as f64 / MWC)
}

/// Measured share of the rolls under which the adjusted result is printed without a sentence.
pub const LEAST_COVERAGE: f64 = 0.9;

/// What decided a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Won by play.
    WonByPlay,
    /// Won by the dice.
    WonByDice,
    /// Lost by the dice.
    LostByDice,
    /// Lost by play.
    LostByPlay,
    /// Luck explains the result exactly.
    Neutral,
}

impl Reading {
    /// From a result and the same side's adjusted one.
    #[must_use]
    pub fn of(outcome: Outcome, adjusted: f64) -> Self {
        match (outcome, adjusted) {
            (Outcome::Won, a) if a > 0.0 => Self::WonByPlay,
            (Outcome::Won, a) if a < 0.0 => Self::WonByDice,
            (Outcome::Lost, a) if a > 0.0 => Self::LostByDice,
            (Outcome::Lost, a) if a < 0.0 => Self::LostByPlay,
            _ => Self::Neutral,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::near;

    fn rolls(luck_mwc: i64) -> Sums {
        Sums { luck_mwc_rolls: 5, luck_mwc, ..Sums::default() }
    }

    #[test]
    fn small_example_of_the_definition() -> Result<(), String> {
        let (own, opponent) = (rolls(-100_000_000), rolls(200_000_000));
        let lost = Finished { outcome: Outcome::Lost, start: None, own: &own, opponent: &opponent };
        let adjusted_loss = adjusted(lost).ok_or("absent")?;
        near(adjusted_loss, -0.20, 1e-12)?;
        assert_eq!(Reading::of(Outcome::Lost, adjusted_loss), Reading::LostByPlay);
        let won = Finished { outcome: Outcome::Won, start: None, own: &opponent, opponent: &own };
        assert_eq!(adjusted(won), Some(-adjusted_loss));
        Ok(())
    }

    #[test]
    fn m7() -> Result<(), String> {
        let (a, b) = (rolls(-58_882_750), rolls(273_078_400));
        let lost = Finished { outcome: Outcome::Lost, start: Some(500_000_000), own: &a, opponent: &b };
        near(adjusted(lost).ok_or("absent")?, -0.168_038_85, 1e-12)?;
        let all = Sums { rolls: 12, luck_rolls: 11, ..Sums::default() };
        near(coverage(&all).ok_or("absent")?, 11.0 / 12.0, 1e-12)?;
        let own = Sums { priced: 9, loss: 104_376_025, ..Sums::default() };
        let other = Sums { priced: 6, loss: 16_053_520, ..Sums::default() };
        near(error_balance(&own, &other).ok_or("absent")?, -0.088_322_505, 1e-12)
    }

    #[test]
    fn an_uneven_start_counts_and_no_measured_roll_is_no_figure() -> Result<(), String> {
        let (own, opponent) = (rolls(0), Sums::default());
        let side = Finished { outcome: Outcome::Won, start: Some(700_000_000), own: &own, opponent: &opponent };
        near(adjusted(side).ok_or("absent")?, 0.3, 1e-12)?;
        assert_eq!(adjusted(Finished { own: &opponent, ..side }), None);
        assert_eq!(coverage(&opponent), None);
        assert_eq!(luck(&opponent), Luck::default());
        Ok(())
    }

    #[test]
    fn the_sentences() {
        assert_eq!(Reading::of(Outcome::Won, 0.1), Reading::WonByPlay);
        assert_eq!(Reading::of(Outcome::Won, -0.1), Reading::WonByDice);
        assert_eq!(Reading::of(Outcome::Lost, 0.1), Reading::LostByDice);
        assert_eq!(Reading::of(Outcome::Lost, -0.1), Reading::LostByPlay);
        assert_eq!(Reading::of(Outcome::Won, 0.0), Reading::Neutral);
    }
}
