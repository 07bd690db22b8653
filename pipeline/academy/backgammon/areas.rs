//! The four quarters of the board, each with the bar that feeds it.

use super::super::alphabet::Symbol;
use super::super::area::{Area, Place};
use crate::game::Board;
use crate::game::play::BAR;
use std::cmp::Reverse;
use std::sync::{Arc, LazyLock};

/// The cell of the opponent's bar.
const THEIR_BAR: u8 = 0;
/// A cell beyond the edge, from which and to which checkers are borne off: no part of the position.
const BEYOND: u8 = u8::MAX;

/// Names and cells, seen by the mover, from the low point to the high one; with the bar cell prediction gets clearly
/// better, and with more points than six little recurs.
const AREAS: [(&str, &[u8]); 4] = [
    ("home", &[BEYOND, 1, 2, 3, 4, 5, 6, THEIR_BAR]),
    ("outer", &[7, 8, 9, 10, 11, 12]),
    ("far outer", &[13, 14, 15, 16, 17, 18]),
    ("far home", &[BAR, 19, 20, 21, 22, 23, 24, BEYOND]),
];

/// In the order of [`AREAS`]; sound names and sizes, as a test makes sure.
static PLACES: LazyLock<Vec<Arc<Place>>> =
    LazyLock::new(|| AREAS.iter().flat_map(|(name, cells)| Place::new(name, &[cells.len()])).map(Arc::new).collect());

/// The areas a play changed, both boards seen by the mover: most changed checkers first, ties in the order of the board
/// from home. A hit changes the point and the bar it goes to; borne-off checkers lie nowhere.
#[must_use]
pub fn changed(before: &Board, after: &Board) -> Vec<Area> {
    let on = |board: &Board, cell: u8| board.cells().get(usize::from(cell)).copied().unwrap_or(0);
    let mut found: Vec<(u32, Area)> = AREAS
        .iter()
        .zip(PLACES.iter())
        .filter_map(|((_, cells), place)| {
            let changes = |&cell: &u8| u32::from(on(before, cell).abs_diff(on(after, cell)));
            let changes: u32 = cells.iter().map(changes).sum();
            if changes == 0 {
                return None;
            }
            let symbols: Vec<Symbol> = cells.iter().map(|&cell| symbol(after, cell)).collect();
            Area::new(place, &symbols).ok().map(|area| (changes, area))
        })
        .collect();
    found.sort_by_key(|(changes, _)| Reverse(*changes));
    found.into_iter().map(|(_, area)| area).collect()
}

/// A blot can be taken, like a soldier; a made point cannot, and it blocks, like a king.
fn symbol(board: &Board, cell: u8) -> Symbol {
    match board.cells().get(usize::from(cell)) {
        None => Symbol::EDGE,
        Some(0) => Symbol::EMPTY,
        Some(1) => Symbol::BLACK_SOLDIER,
        Some(2..) => Symbol::BLACK_KING,
        Some(-1) => Symbol::WHITE_SOLDIER,
        Some(_) => Symbol::WHITE_KING,
    }
}
