//! What may be posted, and what a result makes of a value.
//!
//! A player posts a middle-game position only if he gained much by it against a player not much weaker, and did not
//! lose; where chance plays, also only if he had a choice and chose well, so that luck alone does not post. Endgame
//! values are corrected by the result: won √v, lost v², drawn (v + ½)/2.

use super::contest::{Outcome, Side};
use super::settings::{PublishLaw, Scale};
use super::units::{Cost, Elo, VALUE_SCALE, Value};

/// How a contest ended for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// He won.
    Won,
    /// Nobody did.
    Drew,
    /// He lost.
    Lost,
}

impl Fate {
    /// What the outcome is for that player; `None` without a result.
    #[must_use]
    pub const fn of(outcome: Outcome, side: Side) -> Option<Self> {
        Some(match (outcome, side) {
            (Outcome::First, Side::First) | (Outcome::Second, Side::Second) => Self::Won,
            (Outcome::Second, Side::First) | (Outcome::First, Side::Second) => Self::Lost,
            (Outcome::Draw, _) => Self::Drew,
            (Outcome::Unfinished | Outcome::Edited, _) => return None,
        })
    }

    /// The result as a value: 1, ½, 0.
    #[must_use]
    pub const fn value(self) -> Value {
        match self {
            Self::Won => Value::WIN,
            Self::Drew => Value::HALF,
            Self::Lost => Value::LOSS,
        }
    }
}

/// The value corrected by the result of the player who moved, rounded half up.
#[must_use]
pub fn corrected(value: Value, fate: Fate) -> Value {
    let v = value.billionths();
    let corrected = match fate {
        Fate::Won => rounded_root(v.unsigned_abs() * VALUE_SCALE.unsigned_abs()),
        Fate::Drew => (v + VALUE_SCALE / 2 + 1) / 2,
        Fate::Lost => (2 * v * v + VALUE_SCALE) / (2 * VALUE_SCALE),
    };
    // All three stay within 0 … 1, so the fallback is never taken.
    Value::from_billionths(corrected).unwrap_or(value)
}

/// Square root to the nearest whole number; `square` is at most 1e18.
fn rounded_root(square: u64) -> i64 {
    let root = square.isqrt();
    // (root + ½)² = root² + root + ¼: past it the next whole number is nearer.
    let nearest = if square - root * root > root { root + 1 } else { root };
    i64::try_from(nearest).unwrap_or(i64::MAX)
}

/// What the publication test asks of a move.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The mover's Elo.
    pub elo: Elo,
    /// His opponent's.
    pub opponent: Elo,
    /// Value for the mover before the move.
    pub before: Option<Value>,
    /// Value after it.
    pub after: Option<Value>,
    /// How the contest ended for him.
    pub fate: Fate,
    /// `Some` where chance plays: number of legal plays and cost of the play made.
    pub choice: Option<(Option<u32>, Option<Cost>)>,
}

/// Whether the move is published.
#[must_use]
pub fn publishes(played: &Move, law: &PublishLaw) -> bool {
    let (Some(before), Some(after)) = (played.before, played.after) else { return false };
    let margin = law.elo_margin.millionths();
    played.fate != Fate::Lost
        && played.opponent.millionths() > played.elo.millionths() - margin
        && gains(before, after, law)
        && played.choice.is_none_or(|choice| is_sound(choice, law))
}

fn gains(before: Value, after: Value, law: &PublishLaw) -> bool {
    let crossing = before < Value::HALF && Value::HALF < after;
    let needed = i128::from(if crossing { law.gain_crossing } else { law.gain }.billionths());
    let gain = i128::from(after.billionths() - before.billionths());
    match law.scale {
        Scale::Absolute => gain >= needed,
        Scale::Relative => gain * i128::from(VALUE_SCALE) >= needed * i128::from(before.billionths()),
    }
}

/// A real choice, and a play that lost little; what is unknown fails.
fn is_sound((choices, cost): (Option<u32>, Option<Cost>), law: &PublishLaw) -> bool {
    choices.is_some_and(|choices| choices > 1) && cost.is_some_and(|cost| cost.billionths() <= law.max_cost)
}
