//! Set-up nodes: a board or a cube put on the table by hand.
//!
//! They mean that the game starts elsewhere, that a transcript was repaired, or that a position was saved. `AE` empties
//! points, `AW` and `AB` add one checker a value; `[a:y]` is a range. A set-up that cannot stand on a table is refused
//! as a whole.

use super::lexer::{Id, Node};
use super::moves::cell;
use super::root::cube_log2;
use crate::game::{Board, Seat};

const EMPTY: Id = Id::of(b"AE");
const WHITE: Id = Id::of(b"AW");
const BLACK: Id = Id::of(b"AB");
const VALUE: Id = Id::of(b"CV");
const POSSESSION: Id = Id::of(b"CP");

/// Why a set-up cannot be.
pub(super) type Refusal = &'static str;

/// The board a node sets, from White's side, given the board before; `None` when it sets none.
pub(super) fn board(node: &Node<'_>, before: &Board) -> Result<Option<Board>, Refusal> {
    if ![EMPTY, WHITE, BLACK].iter().any(|&id| node.has(id)) {
        return Ok(None);
    }
    let mut cells = *before.cells();
    for point in points(node, EMPTY) {
        match point? {
            // The letter of the bar is both bars.
            25 => (cells[25], cells[0]) = (0, 0),
            point => cells[usize::from(point)] = 0,
        }
    }
    for point in points(node, WHITE) {
        add(&mut cells[usize::from(point?)], 1)?;
    }
    for point in points(node, BLACK) {
        let point = point?;
        let own_bar = if point == 25 { 0 } else { usize::from(point) };
        add(&mut cells[own_bar], -1)?;
    }
    Board::new(cells).map(Some).map_err(|_| "a set-up of more than fifteen checkers a side")
}

fn add(cell: &mut i8, checker: i8) -> Result<(), Refusal> {
    if *cell * checker < 0 {
        return Err("a set-up with both sides on one point");
    }
    *cell = cell.checked_add(checker).filter(|cell| cell.abs() <= 15).ok_or("a set-up of too many checkers")?;
    Ok(())
}

/// White's numbers of the points a property lists.
fn points<'n>(node: &'n Node<'_>, id: Id) -> impl Iterator<Item = Result<u8, Refusal>> + 'n {
    node.values(id).iter().flat_map(|value| {
        let ends = match value.trim_ascii() {
            [point] => point_of(*point).map(|point| (point, point)),
            [first, b':', last] => point_of(*first).zip(point_of(*last)),
            _ => None,
        };
        // A value that names no point gives one refusal.
        let (first, last, fault) = ends.map_or((0, 0, true), |(first, last)| (first, last, false));
        (first..=last).map(move |point| if fault { Err("a set-up of a point that is none") } else { Ok(point) })
    })
}

fn point_of(letter: u8) -> Option<u8> {
    cell(letter, Seat::First).filter(|&point| point > 0)
}

/// What a node says of the cube; outer `None` = nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CubeSetting {
    /// A new value.
    pub(super) log2: Option<u8>,
    /// A new owner: nobody, White or Black.
    pub(super) owner: Option<Option<Seat>>,
}

/// The cube a node sets.
pub(super) fn cube(node: &Node<'_>) -> Result<CubeSetting, Refusal> {
    let log2 = match node.value(VALUE) {
        None => None,
        Some(raw) => Some(cube_log2(raw).ok_or("a cube value that is no power of two")?),
    };
    let owner = match node.value(POSSESSION).map(<[u8]>::trim_ascii) {
        None => None,
        Some(b"c") => Some(None),
        Some(b"w") => Some(Some(Seat::First)),
        Some(b"b") => Some(Some(Seat::Second)),
        Some(_) => return Err("a cube owner that is none"),
    };
    Ok(CubeSetting { log2, owner })
}
