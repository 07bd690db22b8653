//! What a study measure is asked about: whose errors ([`Selection`]), and of which sort ([`Family`]).
//!
//! A selection names a season and a player, all his names together, or nobody: then both seats' errors count. A family
//! is what errors have in common that can be studied: where (game plan, seen from the decider), what (checker or cube)
//! and how (theme). Families are ordered by their tokens, which is the last word in every list of them.

use super::loss::MWC;
use crate::tables::partials::ErrorRow;
use serde::{Deserialize, Serialize};

/// Season and player of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selection<'a> {
    /// The season.
    pub season: &'a str,
    /// His canonical name; `None` = both seats of every match.
    pub player: Option<&'a str>,
}

/// A sort of error (`classifiers.md` 4.3).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Family {
    /// Game plan of the position.
    pub plan: String,
    /// `checker` or `cube`.
    pub nature: String,
    /// What the error was about.
    pub theme: String,
}

impl Family {
    /// Of an error; `None` when nothing says what it was about.
    #[must_use]
    pub fn of(error: &ErrorRow) -> Option<Self> {
        Some(Self::named(error, error.theme.as_deref()?))
    }

    /// Of an error, under this theme.
    pub(super) fn named(error: &ErrorRow, theme: &str) -> Self {
        Self { plan: error.plan.clone(), nature: error.nature.clone(), theme: theme.to_owned() }
    }
}

/// What an error cost beyond its difficulty, in 1e-9; `None` when either is not known.
pub(super) fn excess(error: &ErrorRow) -> Option<i64> {
    Some(error.loss? - error.difficulty?)
}

/// Stored winning chances as a fraction of a match.
pub(super) fn mwc(units: i64) -> f64 {
    units as f64 / MWC
}

/// A number of things, as a table holds it.
pub(super) fn count(things: usize) -> i64 {
    i64::try_from(things).unwrap_or(i64::MAX)
}
