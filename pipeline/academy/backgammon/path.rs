//! A game followed from its first position.

use super::{ActionRow, RowFault, Rows};
use crate::game::Board;
use crate::game::key::PositionKey;
use crate::game::kind::Kind;
use crate::game::play::Play;
use crate::tables::facts::MatchRow;

/// One player's turn: a roll and where it led, both boards seen by him.
pub(super) struct Turn<'a> {
    pub(super) row: &'a ActionRow,
    pub(super) before: Board,
    pub(super) after: Board,
}

/// The turns of a game.
pub(super) struct Path<'a> {
    pub(super) turns: Vec<Turn<'a>>,
    /// It begins where the game begins, and every board is what the play before it left.
    pub(super) unbroken: bool,
}

/// A row and the board it shows, seen by who decides.
struct Action<'a> {
    row: &'a ActionRow,
    board: Board,
}

impl Action<'_> {
    fn seen_from(&self, seat: i64) -> Board {
        seen(&self.board, self.row.seat, seat)
    }
}

/// A board as another seat sees it.
fn seen(board: &Board, by: i64, from: i64) -> Board {
    if by == from { *board } else { board.mirror() }
}

impl<'a> Path<'a> {
    pub(super) fn follow(rows: &Rows<'a>, game: i64) -> Result<Self, RowFault> {
        let actions =
            rows.decisions.iter().filter(|row| row.game == game).map(action).collect::<Result<Vec<_>, _>>()?;
        let begins = actions.first().is_none_or(|first| is_start(rows.of, &first.board));
        let mut path = Self { turns: Vec::with_capacity(actions.len()), unbroken: begins };
        for (at, action) in actions.iter().enumerate() {
            let next = actions.get(at + 1).map(|next| next.seen_from(action.row.seat));
            let left = match (action.led_to(), next) {
                (Some(left), Some(next)) => {
                    path.unbroken &= left == next;
                    left
                }
                (Some(left), None) | (None, Some(left)) => left,
                (None, None) => {
                    path.unbroken = false;
                    action.board
                }
            };
            if action.row.kind == Kind::Checker.token() {
                path.turns.push(Turn { row: action.row, before: action.board, after: left });
            }
        }
        Ok(path)
    }
}

impl Action<'_> {
    /// The board it left, seen by who decided; `None` when the file does not let the play be known.
    fn led_to(&self) -> Option<Board> {
        if self.row.kind != Kind::Checker.token() {
            return Some(self.board);
        }
        Play::from_notation(self.row.play.as_deref()?).ok()?.apply(&self.board).ok()
    }
}

fn action(row: &ActionRow) -> Result<Action<'_>, RowFault> {
    match PositionKey::from_text(&row.position_key) {
        Ok(key) => Ok(Action { row, board: key.board }),
        Err(fault) => Err(RowFault::Key { decision_id: row.decision_id.clone(), fault }),
    }
}

/// Where a game of each variant may begin; hypergammon is played with three checkers or fewer.
fn is_start(of: &MatchRow, board: &Board) -> bool {
    let starts: &[&str] = match of.variant.as_str() {
        "backgammon" => return *board == Board::START,
        "nackgammon" => &["-bb---D-C---dD---c-d---BB-"],
        "hypergammon" => &["-aaa------------------AAA-", "-aa--------------------AA-", "-a----------------------A-"],
        "longgammon" => &["-o----------------------O-"],
        _ => &[],
    };
    starts.contains(&board.text().as_str())
}
