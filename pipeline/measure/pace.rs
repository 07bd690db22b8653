//! Pace: do I err when I hurry, or when I think? (`metrics.md` 10.3)
//!
//! Whether an error was hasty is decided per match, against the player's own median, where the decisions are rated.
//! Here the counts are read: a side none of whose counted decisions has a time has no pace at all, and its errors are
//! not "of unknown pace".

use super::sums::Sums;
use serde::{Deserialize, Serialize};

/// Errors by pace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Faster than the median of the match and nature.
    pub hasty: i64,
    /// At the median or slower.
    pub considered: i64,
    /// Without a time, in a match that has some.
    pub unknown: i64,
}

/// What the counts hint at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// More hasty than considered errors.
    Discipline,
    /// More considered than hasty errors.
    Knowledge,
}

impl Pace {
    /// One seat in one match; `None` when it has no time.
    #[must_use]
    pub fn of(sums: &Sums) -> Option<Self> {
        (sums.timed > 0).then_some(Self { hasty: sums.hasty, considered: sums.considered, unknown: sums.unknown_pace })
    }

    /// Both; what is absent adds nothing.
    #[must_use]
    pub fn plus(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(a), Some(b)) => Some(Self {
                hasty: a.hasty + b.hasty,
                considered: a.considered + b.considered,
                unknown: a.unknown + b.unknown,
            }),
            (one, other) => one.or(other),
        }
    }

    /// `None` when neither prevails.
    #[must_use]
    pub fn hint(self) -> Option<Hint> {
        match self.hasty.cmp(&self.considered) {
            std::cmp::Ordering::Greater => Some(Hint::Discipline),
            std::cmp::Ordering::Less => Some(Hint::Knowledge),
            std::cmp::Ordering::Equal => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_without_times_has_no_pace() {
        let untimed = Sums { unknown_pace: 4, ..Sums::default() };
        assert_eq!(Pace::of(&untimed), None);
        let timed = Sums { timed: 8, hasty: 3, considered: 2, unknown_pace: 1, ..Sums::default() };
        let pace = Pace::plus(Pace::of(&untimed), Pace::of(&timed));
        assert_eq!(pace, Some(Pace { hasty: 3, considered: 2, unknown: 1 }));
    }

    #[test]
    fn the_hint_needs_a_majority() {
        let of = |hasty, considered| Pace { hasty, considered, unknown: 9 }.hint();
        assert_eq!(of(3, 2), Some(Hint::Discipline));
        assert_eq!(of(1, 2), Some(Hint::Knowledge));
        assert_eq!(of(2, 2), None);
    }
}
