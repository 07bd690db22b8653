//! Whose marts are computed.
//!
//! A night touches some players and leaves the others as they were: their rows of the last snapshot still hold. Everybody's
//! own rows (those without a player) hold every match and are always made anew. What makes a player touched is for the
//! night to say; a measure only promises that a row of his depends on nothing but his own matches, what he studied, what
//! analyses say of the positions he erred in, and, in a tournament, its first day and who was there most.

use std::collections::BTreeSet;

/// The players whose rows are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    #[default]
    Everyone,
    /// Only these.
    Only(BTreeSet<String>),
}

impl Scope {
    /// Whether a player's rows are wanted.
    #[must_use]
    pub fn holds(&self, player: &str) -> bool {
        match self {
            Self::Everyone => true,
            Self::Only(players) => players.contains(player),
        }
    }

    /// Whether rows of either are.
    #[must_use]
    pub fn holds_any<'a>(&self, players: impl IntoIterator<Item = &'a str>) -> bool {
        players.into_iter().any(|player| self.holds(player))
    }
}
