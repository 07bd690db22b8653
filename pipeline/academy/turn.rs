//! Turning a position round, so that the second player's becomes a first player's.
//!
//! The colours are swapped and the board is turned as the game demands. The value stays: it belongs to the player
//! the pattern names, and that player is now the black one. A game whose board turns in another way (backgammon's
//! point p ↔ 25 − p swaps whole areas) does it in its adapter.

use super::alphabet::Symbol;
use serde::{Deserialize, Serialize};

/// How the board is turned besides swapping the colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// Not at all.
    #[default]
    None,
    /// By half a turn: the list of cells backwards, so the last row comes first.
    Half,
}

/// The rows of one area seen by the other player.
#[must_use]
pub fn turned(rows: &[Vec<Symbol>], turn: Turn) -> Vec<Vec<Symbol>> {
    let swapped = |row: &Vec<Symbol>| row.iter().map(|symbol| symbol.swapped()).collect::<Vec<_>>();
    match turn {
        Turn::None => rows.iter().map(swapped).collect(),
        Turn::Half => rows.iter().rev().map(|row| swapped(row).into_iter().rev().collect()).collect(),
    }
}
