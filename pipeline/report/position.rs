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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::row::{Kind, Row, Value};

    fn blank<R: Row>() -> Option<R> {
        R::read(&mut |at| match R::COLUMNS[at].kind {
            _ if R::COLUMNS[at].nullable => Value::Null,
            Kind::Text => Value::Text(""),
            Kind::Int => Value::Int(0),
            Kind::Float => Value::Float(0.0),
            Kind::Day => Value::Day(0),
            Kind::Flag => Value::Flag(false),
        })
    }

    fn row(key: &str, kind: &str, dice: Option<i64>) -> Option<DecisionRow> {
        let fields: Vec<&str> = key.split('|').collect();
        let [_, _, cube, owner, regime, own, other, ..] = fields.as_slice() else { return None };
        let regime = match *regime {
            "$" => "money",
            "c" => "crawford",
            "p" => "post_crawford",
            _ => "normal",
        };
        Some(DecisionRow {
            position_key: key.to_owned(),
            kind: kind.to_owned(),
            dice,
            cube: 1 << cube.parse::<u32>().ok()?,
            cube_owner: (*owner).to_owned(),
            regime: regime.to_owned(),
            own_away: own.parse().ok()?,
            opp_away: other.parse().ok()?,
            ..blank()?
        })
    }

    fn xgid(key: &str, kind: &str, dice: Option<i64>) -> Option<String> {
        let row = row(key, kind, dice)?;
        let length = (row.regime != "money").then_some(7);
        let of = MatchRow { length, jacoby: length.is_none(), beavers: Some(true), ..blank()? };
        Some(Position::of(&row)?.xgid(&row, &of))
    }

    #[test]
    fn the_examples_of_the_spec() {
        let start = "-b----E-C---eE---c-e----B-";
        let cases = [
            (
                format!("bg1|{start}|0|c|n|7|7|m|31"),
                "checker",
                Some(31),
                "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
            ),
            (
                format!("bg1|{start}|0|c|$|0|0|m|31"),
                "checker",
                Some(31),
                "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10",
            ),
            (
                format!("bg1|{start}|0|c|c|4|1|d|00"),
                "no_double",
                None,
                "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:6:1:7:10",
            ),
            (
                format!("bg1|{start}|0|c|p|4|1|d|00"),
                "no_double",
                None,
                "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:6:0:7:10",
            ),
            (
                "bg1|-----BD-C---cD--bc-dB-c---|1|m|n|5|4|d|00".to_owned(),
                "no_double",
                None,
                "XGID=-----BD-C---cD--bc-dB-c---:1:1:1:00:2:3:0:7:10",
            ),
            (
                format!("bg1|{start}|1|o|n|5|4|r|00"),
                "take",
                None,
                "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:2:3:0:7:10",
            ),
        ];
        for (key, kind, dice, expected) in cases {
            assert_eq!(xgid(&key, kind, dice).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_damaged_row_has_no_position() {
        for key in ["", "bg1|short|0|c|n|7|7|m|31", "bg1|Zb----E-C---eE---c-e----B-|0|c|n|7|7|m|31"] {
            assert!(row(key, "checker", Some(31)).and_then(|row| Position::of(&row)).is_none(), "{key}");
        }
        let start = "bg1|-b----E-C---eE---c-e----B-|0|c|n|7|7|m|31";
        assert!(row(start, "checker", Some(71)).and_then(|row| Position::of(&row)).is_none());
        assert!(row(start, "checker", None).and_then(|row| Position::of(&row)).is_none());
    }
}
