//! The position of a stored decision, and its XGID (`classifiers.md` 7): what a board is drawn from.
//!
//! The board is read back from the position key, the rest from the columns of the row. The decider is always X: an
//! answer to a double is written with the turn at O and dice `D`, as the spec asks. A row whose key is no board has no
//! diagram; nothing here fails a page.

use crate::game::{Board, Cube, Owner};
use crate::tables::facts::{DecisionRow, MatchRow};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// To play a roll, larger die first.
    Play(u8, u8),
    /// To double or not.
    Offer,
    /// To take or pass.
    Answer,
}

/// A position as its decider sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// Checkers.
    pub(super) board: Board,
    /// The cube before the action.
    pub(super) cube: Cube,
    /// What is asked.
    pub(super) asked: Asked,
    /// The cube is out of use in this game.
    pub(super) crawford: bool,
}

/// log2 of the largest cube, as XG writes it.
const LARGEST_CUBE: u8 = 10;

impl Position {
    /// `None` when the key holds no board or the row's cube or dice are none.
    pub(super) fn of(row: &DecisionRow) -> Option<Self> {
        let board = Board::from_text(row.position_key.split('|').nth(1)?).ok()?;
        let value = u32::try_from(row.cube).ok().filter(|value| value.is_power_of_two())?;
        let owner = match row.cube_owner.as_str() {
            "m" => Owner::Own,
            "o" => Owner::Opponent,
            _ => Owner::Centred,
        };
        let cube = Cube { log2: u8::try_from(value.trailing_zeros()).ok()?, owner };
        let asked = match row.kind.as_str() {
            "checker" => {
                let [large, small] = [row.dice? / 10, row.dice? % 10].map(|d| u8::try_from(d).ok());
                let die = |d: Option<u8>| d.filter(|d| (1..=6).contains(d));
                Asked::Play(die(large)?, die(small)?)
            }
            "take" | "pass" => Asked::Answer,
            _ => Asked::Offer,
        };
        Some(Self { board, cube, asked, crawford: row.regime == "crawford" })
    }

    /// `XGID=...` with the match's real length and rules.
    pub(super) fn xgid(&self, row: &DecisionRow, of: &MatchRow) -> String {
        let owner = match self.cube.owner {
            Owner::Own => 1,
            Owner::Opponent => -1,
            Owner::Centred => 0,
        };
        let (turn, dice) = match self.asked {
            Asked::Play(large, small) => (1, format!("{large}{small}")),
            Asked::Offer => (1, "00".to_owned()),
            Asked::Answer => (-1, "D".to_owned()),
        };
        let length = if row.regime == "money" { 0 } else { of.length.unwrap_or(0) };
        let points = |away: i64| if length > 0 { (length - away).max(0) } else { 0 };
        let flag = match length {
            0 => i64::from(of.jacoby) + 2 * i64::from(of.beavers == Some(true)),
            _ => i64::from(self.crawford),
        };
        format!(
            "XGID={}:{}:{owner}:{turn}:{dice}:{}:{}:{flag}:{length}:{LARGEST_CUBE}",
            self.board.text(),
            self.cube.log2,
            points(row.own_away),
            points(row.opp_away),
        )
    }
}
