//! The board of English draughts, and what a recorded move does to it.
//!
//! Squares are numbered 1 to 32 as in every record of the game: Black stands on 1 to 12, moves first and towards higher
//! numbers. Moves are applied, not generated: whether a capture was compulsory is nobody's question here. What a record
//! may leave out is searched on the board: whether a move steps or captures, and which way a capture went that names
//! only its ends. A move that the board does not allow, or that could have taken different pieces, is refused.

use thiserror::Error;

/// Squares that are played on.
pub(super) const SQUARES: usize = 32;

/// Rows, and columns, of the whole board.
pub(super) const EDGE: usize = 8;

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Moves first.
    Black,
    White,
}

impl Side {
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The way of its soldiers, in rows.
    const fn forward(self) -> i8 {
        match self {
            Self::Black => 1,
            Self::White => -1,
        }
    }

    /// The row on which its soldiers are crowned.
    const fn crown_row(self) -> i8 {
        match self {
            Self::Black => 7,
            Self::White => 0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    side: Side,
    king: bool,
}

/// A square that is played on, 1 to 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Square(u8);

impl Square {
    /// `None` unless 1 to 32.
    pub(super) fn new(number: u8) -> Option<Self> {
        (1..=32).contains(&number).then_some(Self(number))
    }

    fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    fn bit(self) -> u32 {
        1 << (self.0 - 1)
    }

    /// Row from 0 (squares 1 to 4), column from 0 (squares 5 and 13 among others).
    fn place(self) -> (i8, i8) {
        let index = (self.0 - 1).cast_signed();
        let row = index / 4;
        (row, 2 * (index % 4) + (1 - row % 2))
    }

    /// The dark square of a place on the board.
    fn at((row, column): (i8, i8)) -> Option<Self> {
        let inside = (0..8).contains(&row) && (0..8).contains(&column) && (row + column) % 2 == 1;
        inside.then(|| Self((row * 4 + column / 2 + 1).unsigned_abs()))
    }

    fn towards(self, (rows, columns): (i8, i8)) -> Option<Self> {
        let (row, column) = self.place();
        Self::at((row + rows, column + columns))
    }
}

impl std::fmt::Display for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A move as a record names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    from: Square,
    /// Squares on the way of a capture; a record may leave them out.
    through: Vec<Square>,
    to: Square,
}

impl Written {
    /// `11-15`, `22x15`, `15x22x31`; the marks between the squares say nothing. `None` for anything else.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let square = |number: &str| {
            let digits = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
            digits.then(|| number.parse().ok()).flatten().and_then(Square::new)
        };
        let mut squares = text.split(['-', 'x', 'X', ':']).map(square);
        let from = squares.next()??;
        let mut through = squares.collect::<Option<Vec<_>>>()?;
        let to = through.pop()?;
        Some(Self { from, through, to })
    }

    /// The record names all of this way.
    fn is(&self, path: &[Square]) -> bool {
        path.iter().eq([&self.from].into_iter().chain(&self.through).chain([&self.to]))
    }

    /// The way passes the squares the record names, in their order, and ends where it says.
    fn fits(&self, path: &[Square]) -> bool {
        let Some((end, passed)) = path.split_last() else { return false };
        let mut passed = passed.iter();
        *end == self.to && self.through.iter().all(|square| passed.any(|landed| landed == square))
    }
}

/// Why a move cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum MoveFault {
    #[error("no piece of the side to move on {0}")]
    NoPiece(Square),
    #[error("neither a step nor captures lead from {0} to {1}")]
    NoWay(Square, Square),
    #[error("the captures from {0} to {1} could have taken different pieces")]
    Ambiguous(Square, Square),
}

/// The pieces on the board, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    cells: [Option<Piece>; SQUARES],
    pub(super) turn: Side,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    /// The other side is to move.
    pub(super) after: Position,
    /// `11-15`, or every square a capture lands on: `15x22x31`.
    pub(super) label: String,
    pub(super) captured: bool,
}

/// The way of a piece, its start first, and what it takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    path: Vec<Square>,
    /// One bit a square.
    taken: u32,
    /// Nothing more could be taken: the rules ask for this much.
    complete: bool,
}

const DIAGONALS: [(i8, i8); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

impl Position {
    /// Twelve soldiers a side, Black to move.
    pub(super) fn start() -> Self {
        let soldier = |side| Some(Piece { side, king: false });
        let cells = std::array::from_fn(|index| match index {
            0..12 => soldier(Side::Black),
            20.. => soldier(Side::White),
            _ => None,
        });
        Self { cells, turn: Side::Black }
    }

    pub(super) fn play(&self, written: &Written) -> Result<Made, MoveFault> {
        let &Written { from, to, .. } = written;
        let piece = self.on(from).filter(|piece| piece.side == self.turn).ok_or(MoveFault::NoPiece(from))?;
        if self.steps(piece, written) {
            return Ok(self.made(piece, &Way { path: vec![from, to], taken: 0, complete: true }));
        }
        let ways = self.captures(piece, from);
        let way = chosen(&ways, written)?.ok_or(MoveFault::NoWay(from, to))?;
        Ok(self.made(piece, way))
    }

    /// The board as a side sees it from its own edge, in reading order: its soldiers `x`, its kings `b`, the other
    /// side's `o` and `w`.
    pub(super) fn seen_by(&self, side: Side) -> [u8; SQUARES] {
        let mut seen = self.cells.map(|cell| match cell {
            None => b'-',
            Some(Piece { side: owner, king }) => match (owner == side, king) {
                (true, false) => b'x',
                (true, true) => b'b',
                (false, false) => b'o',
                (false, true) => b'w',
            },
        });
        if side == Side::Black {
            seen.reverse();
        }
        seen
    }

    fn on(&self, square: Square) -> Option<Piece> {
        self.cells[square.index()]
    }

    /// To the next square, which is empty.
    fn steps(&self, piece: Piece, written: &Written) -> bool {
        let next = ways_of(piece).any(|way| written.from.towards(way) == Some(written.to));
        next && written.through.is_empty() && self.on(written.to).is_none()
    }

    /// Every capture the piece could make or begin to make. The squares it lands on and those it jumps never coincide,
    /// and none is jumped twice, so there are few ways, however many pieces stand about.
    fn captures(&self, piece: Piece, from: Square) -> Vec<Way> {
        let mut found = Vec::new();
        let mut open = vec![(vec![from], 0u32)];
        while let Some((path, taken)) = open.pop() {
            let before = open.len();
            let at = path.last().copied().unwrap_or(from);
            if piece.king || at.place().0 != piece.side.crown_row() {
                let jumps = ways_of(piece).filter_map(|way| self.jump(piece, (from, at, taken), way));
                open.extend(jumps.map(|(landing, over)| ([path.as_slice(), &[landing]].concat(), taken | over.bit())));
            }
            if taken != 0 {
                found.push(Way { path, taken, complete: open.len() == before });
            }
        }
        found.sort_unstable();
        found
    }

    /// Where a jump lands and what it takes. The square the move began on is empty by now.
    fn jump(&self, piece: Piece, (from, at, taken): (Square, Square, u32), way: (i8, i8)) -> Option<(Square, Square)> {
        let over = at.towards(way)?;
        let landing = over.towards(way)?;
        let enemy = self.on(over).is_some_and(|other| other.side != piece.side) && taken & over.bit() == 0;
        (enemy && (landing == from || self.on(landing).is_none())).then_some((landing, over))
    }

    fn made(&self, piece: Piece, way: &Way) -> Made {
        let mut after = *self;
        for (index, cell) in after.cells.iter_mut().enumerate() {
            if way.taken & (1 << index) != 0 || way.path.first().is_some_and(|from| from.index() == index) {
                *cell = None;
            }
        }
        if let Some(to) = way.path.last() {
            let king = piece.king || to.place().0 == piece.side.crown_row();
            after.cells[to.index()] = Some(Piece { king, ..piece });
        }
        after.turn = self.turn.other();
        let captured = way.taken != 0;
        let squares: Vec<String> = way.path.iter().map(Square::to_string).collect();
        Made { after, label: squares.join(if captured { "x" } else { "-" }), captured }
    }
}

/// The directions of a piece.
fn ways_of(piece: Piece) -> impl Iterator<Item = (i8, i8)> {
    DIAGONALS.into_iter().filter(move |(rows, _)| piece.king || *rows == piece.side.forward())
}

/// The way a record means: the one it names square by square, else the only one it can mean, judged by what is taken;
/// ways that stop short of what the rules ask for are looked at last.
fn chosen<'w>(ways: &'w [Way], written: &Written) -> Result<Option<&'w Way>, MoveFault> {
    if let Some(way) = ways.iter().find(|way| written.is(&way.path)) {
        return Ok(Some(way));
    }
    let fitting = || ways.iter().filter(|way| written.fits(&way.path));
    let Some(first) = fitting().find(|way| way.complete).or_else(|| fitting().next()) else { return Ok(None) };
    let one = fitting().filter(|way| way.complete == first.complete).all(|way| way.taken == first.taken);
    if one { Ok(Some(first)) } else { Err(MoveFault::Ambiguous(written.from, written.to)) }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests say what they expect")]
mod tests {
    use super::*;

    /// A board of which only these pieces stand: `b12`, `W29` (capitals are kings).
    fn board(turn: Side, pieces: &str) -> Position {
        let mut position = Position { cells: [None; SQUARES], turn };
        for piece in pieces.split_whitespace() {
            let (letter, number) = piece.split_at(1);
            let side = if letter.eq_ignore_ascii_case("b") { Side::Black } else { Side::White };
            let square = number.parse().ok().and_then(Square::new).unwrap();
            position.cells[square.index()] = Some(Piece { side, king: letter.to_ascii_uppercase() == letter });
        }
        position
    }

    fn play(position: &Position, text: &str) -> Result<Made, MoveFault> {
        position.play(&Written::from_text(text).unwrap())
    }

    #[test]
    fn every_square_is_found_again_by_its_place_and_steps_go_where_the_diagram_says() {
        for number in 1..=32 {
            let square = Square::new(number).unwrap();
            assert_eq!(Square::at(square.place()), Some(square));
        }
        let start = Position::start();
        for (text, legal) in [("11-15", true), ("11-16", true), ("12-16", true), ("12-15", false), ("9-5", false)] {
            assert_eq!(play(&start, text).is_ok(), legal, "{text}");
        }
        assert_eq!(play(&start, "22-18"), Err(MoveFault::NoPiece(Square(22))), "Black moves first");
    }

    #[test]
    fn what_steps_and_what_captures_is_geometry_not_spelling() {
        let position = board(Side::Black, "b11 w15 w8");
        for text in ["11-18", "11x18", "11:18"] {
            let made = play(&position, text).unwrap();
            assert_eq!((made.label.as_str(), made.captured), ("11x18", true));
            assert_eq!(Position { turn: Side::Black, ..made.after }, board(Side::Black, "b18 w8"));
        }
        assert_eq!(play(&position, "11x16").unwrap().label, "11-16");
        assert!(play(&position, "11-4").is_err(), "a soldier does not capture backwards");
    }

    #[test]
    fn a_capture_that_names_its_ends_is_searched_between_them() {
        let position = board(Side::Black, "b1 w6 w15 w24");
        let ends = play(&position, "1x28").unwrap();
        assert_eq!(ends.label, "1x10x19x28");
        assert_eq!(ends, play(&position, "1x10x19x28").unwrap());
        assert_eq!(ends, play(&position, "1x19x28").unwrap());
        assert!(play(&position, "1x19x10").is_err());
    }

    #[test]
    fn captures_that_take_different_pieces_must_be_spelled_out() {
        let position = board(Side::Black, "B2 w6 w7 w14 w15");
        assert_eq!(play(&position, "2x18"), Err(MoveFault::Ambiguous(Square(2), Square(18))));
        assert_eq!(play(&position, "2x9x18").unwrap().after.seen_by(Side::Black), {
            board(Side::Black, "B18 w7 w15").seen_by(Side::Black)
        });
        // From 18 the king would have to go on, were it not for the piece on 11: one way is as long as the rules ask for.
        let blocked = board(Side::Black, "B2 b11 w6 w14 w15");
        assert_eq!(play(&blocked, "2x18").unwrap().label, "2x9x18");
    }

    #[test]
    fn a_soldier_is_crowned_where_his_move_ends_and_a_king_may_come_back_to_his_start() {
        let crowned = play(&board(Side::Black, "b22 w25 w26 w27"), "22x31").unwrap();
        assert_eq!(Position { turn: Side::Black, ..crowned.after }, board(Side::Black, "B31 w25 w27"));
        assert!(play(&board(Side::Black, "b22 w26 w27"), "22x24").is_err(), "crowning ends the move");
        let round = play(&board(Side::White, "W2 b6 b14 b15 b7"), "2x2").unwrap();
        assert_eq!(Position { turn: Side::White, ..round.after }, board(Side::White, "W2"));
    }

    #[test]
    fn both_sides_see_their_own_edge_below() {
        let start = Position::start();
        assert_eq!(start.seen_by(Side::Black), start.seen_by(Side::White));
        let moved = play(&start, "9-14").unwrap().after;
        assert_eq!(&moved.seen_by(Side::White)[..16], b"oooooooo-ooo-o--");
        assert_eq!(&moved.seen_by(Side::Black)[16..], b"--x-xxx-xxxxxxxx");
    }

    #[test]
    fn only_moves_are_read_as_moves() {
        for text in ["", "11", "11-", "-11", "11-33", "0-5", "011-15", "11-1 5", "c3-d4", "1/2-1/2", "11--15", "+1-5"] {
            assert_eq!(Written::from_text(text), None, "{text:?}");
        }
    }
}
