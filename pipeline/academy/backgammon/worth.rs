//! What a position is worth to who reached it: the chance to win the game, or the match.
//!
//! The chance to win the game stands in the analysis. The chance to win the match is made of the equity, cube and
//! gammons inside, at the score and cube of the decision; it does not exist in money play and past the match equity
//! table, and is then absent.

use super::super::settings::ValueOf;
use super::super::units::{VALUE_SCALE, Value};
use super::{ActionRow, ListedRow};
use crate::game::met::{Factor, Met};
use crate::game::units::EQUITY_SCALE;
use crate::game::{Equity, Length, Regime, Score};
use crate::tables::facts::{GameRow, MatchRow};

/// What the tables count in 1e-8, the Academy counts in 1e-9.
pub(super) const TO_BILLIONTHS: i64 = VALUE_SCALE / EQUITY_SCALE;

/// How the candidates of one decision are valued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Worth {
    /// By the chance to win the game.
    Game,
    /// By the chance to win the match; `None` where there is none.
    Match(Option<Factor>),
}

/// A value, and whether it had to be made of an equity because the analysis gives no probabilities.
pub(super) struct Valued {
    pub(super) value: Value,
    pub(super) estimated: bool,
}

impl Worth {
    /// Of a decision of a game.
    pub(super) fn of(value: ValueOf, (of, game): (&MatchRow, &GameRow), row: &ActionRow) -> Self {
        match value {
            ValueOf::Win => Self::Game,
            ValueOf::Mwc => Self::Match(factor((of, game), row)),
        }
    }

    /// The value of a candidate; `None` for one that was not evaluated, or has no value on this scale.
    pub(super) fn value(self, row: &ListedRow) -> Option<Valued> {
        match self {
            Self::Game => match row.win {
                Some(win) => win.checked_mul(TO_BILLIONTHS).and_then(Value::from_billionths).map(known),
                None => row.equity.and_then(estimated),
            },
            Self::Match(factor) => {
                let mwc = factor?.to_mwc(Equity::from_units(row.equity?).to_f64());
                Value::from_share(mwc.clamp(0.0, 1.0)).map(known)
            }
        }
    }
}

const fn known(value: Value) -> Valued {
    Valued { value, estimated: false }
}

/// (1 + equity) / 2, cut off at 0 and 1.
fn estimated(equity: i64) -> Option<Valued> {
    let equity = equity.clamp(-EQUITY_SCALE, EQUITY_SCALE);
    let value = Value::from_billionths((VALUE_SCALE + equity * TO_BILLIONTHS) / 2)?;
    Some(Valued { value, estimated: true })
}

/// The two ends of the game for who decides, the cube as it stands.
fn factor((of, game): (&MatchRow, &GameRow), row: &ActionRow) -> Option<Factor> {
    /// Any length of the kind has its token.
    const POINTS: &str = Length::Points(1).token();
    if of.play != POINTS {
        return None;
    }
    let length = of.length?;
    let away = |score: i64| u32::try_from(length.checked_sub(score)?).ok();
    let (own, other) = if row.seat == 1 { (game.score_1, game.score_2) } else { (game.score_2, game.score_1) };
    let score = Score { regime: Regime::from_token(&game.regime)?, own_away: away(own)?, opponent_away: away(other)? };
    Met::kazaross_xg2().factor(score, u32::try_from(row.cube).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match to so many points at this score.
    fn at(length: i64, scores: [i64; 2], regime: &str) -> (MatchRow, GameRow) {
        let of = MatchRow { play: "points".to_owned(), length: Some(length), ..MatchRow::default() };
        let [score_1, score_2] = scores;
        (of, GameRow { score_1, score_2, regime: regime.to_owned(), ..GameRow::default() })
    }

    /// Billionths of a play of this seat, cube and equity in units of 1e-8.
    fn value((of, game): &(MatchRow, GameRow), seat: i64, (cube, equity): (i64, i64)) -> Option<i64> {
        let row = ActionRow { seat, cube, ..ActionRow::default() };
        let listed = ListedRow { equity: Some(equity), win: Some(90_000_000), ..ListedRow::default() };
        Worth::of(ValueOf::Mwc, (of, game), &row).value(&listed).map(|valued| valued.value.billionths())
    }

    /// ½ (eq (W − L) + W + L) with the ends that `met.md` 5.2 gives, and with cells of the table itself.
    #[test]
    fn an_equity_becomes_the_chance_to_win_the_match() {
        let start = at(7, [0, 0], "normal");
        // W 0.56261, L 0.43739; with the cube at 2 W 0.62638, L 0.37362.
        assert_eq!(value(&start, 1, (1, 20_000_000)), Some(512_522_000));
        assert_eq!(value(&start, 2, (1, -20_000_000)), Some(487_478_000));
        assert_eq!(value(&start, 1, (2, 20_000_000)), Some(525_276_000));
        // One point from the end on both sides the game is the match; what an equity says beyond that is cut off.
        let last = at(7, [6, 6], "post_crawford");
        assert_eq!(value(&last, 1, (1, 30_000_000)), Some(650_000_000));
        assert_eq!(value(&last, 1, (4, -150_000_000)), Some(0));
        // Three points to two: W = pre(2, 2) = 0.5, L = pre(3, 1) = 0.24924; and the other seat's view of it.
        let behind = at(3, [0, 1], "normal");
        assert_eq!(value(&behind, 1, (1, 0)), Some(374_620_000));
        assert_eq!(value(&behind, 2, (1, 0)), Some(625_380_000));
    }

    #[test]
    fn without_a_match_to_win_there_is_no_value_and_a_game_keeps_its_own() {
        let (of, game) = at(7, [0, 0], "money");
        let session = MatchRow { play: "money".to_owned(), length: None, ..of.clone() };
        assert_eq!(value(&(session.clone(), game.clone()), 1, (1, 0)), None);
        let long = MatchRow { play: "too_long".to_owned(), length: Some(100), ..of };
        assert_eq!(value(&(long, game.clone()), 1, (1, 0)), None);
        let listed = ListedRow { equity: Some(0), win: Some(51_000_000), ..ListedRow::default() };
        let row = ActionRow { seat: 1, cube: 1, ..ActionRow::default() };
        let of_game = Worth::of(ValueOf::Win, (&session, &game), &row);
        assert_eq!(of_game.value(&listed).map(|valued| valued.value.billionths()), Some(510_000_000));
        let unevaluated = ListedRow::default();
        assert!(of_game.value(&unevaluated).is_none());
    }
}
