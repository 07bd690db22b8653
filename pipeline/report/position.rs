//! The position of a stored decision, and its XGID: what a board is drawn from.
//!
//! Both are read from the position key and written by `game`, which owns their spellings; what is added here is the match
//! around a position. A row whose key is none has no diagram; nothing here fails a page.

use crate::game::key::PositionKey;
use crate::game::score::MatchState;
use crate::game::{Length, xgid};
use crate::tables::facts::{DecisionRow, MatchRow};

/// `None` when the row's key is none.
pub(super) fn position(row: &DecisionRow) -> Option<PositionKey> {
    PositionKey::from_text(&row.position_key).ok()
}

/// `XGID=...` with the match's real length and rules.
pub(crate) fn xgid(key: &PositionKey, of: &MatchRow) -> String {
    let length = of.length.and_then(|points| u32::try_from(points).ok()).map_or(Length::Money, Length::from_points);
    let state = MatchState { length, jacoby: of.jacoby, beavers: of.beavers == Some(true), cube_limit: None };
    xgid::encode(key, Some(state))
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

    fn shown(position_key: &str, length: Option<i64>) -> Option<String> {
        let row = DecisionRow { position_key: position_key.to_owned(), ..blank()? };
        let of = MatchRow { length, jacoby: length.is_none(), beavers: Some(true), ..blank()? };
        Some(xgid(&position(&row)?, &of))
    }

    #[test]
    fn the_examples_of_the_spec() {
        let start = "-b----E-C---eE---c-e----B-";
        let cases = [
            (format!("bg1|{start}|0|c|n|7|7|m|31"), Some(7), format!("XGID={start}:0:0:1:31:0:0:0:7:10")),
            (format!("bg1|{start}|0|c|$|0|0|m|31"), None, format!("XGID={start}:0:0:1:31:0:0:3:0:10")),
            (format!("bg1|{start}|0|c|c|4|1|d|00"), Some(7), format!("XGID={start}:0:0:1:00:3:6:1:7:10")),
            (format!("bg1|{start}|0|c|p|4|1|d|00"), Some(7), format!("XGID={start}:0:0:1:00:3:6:0:7:10")),
            (format!("bg1|{start}|1|m|n|5|4|d|00"), Some(7), format!("XGID={start}:1:1:1:00:2:3:0:7:10")),
            (format!("bg1|{start}|1|o|n|5|4|r|00"), Some(7), format!("XGID={start}:1:-1:-1:D:2:3:0:7:10")),
        ];
        for (key, length, expected) in cases {
            assert_eq!(shown(&key, length), Some(expected));
        }
    }

    #[test]
    fn a_damaged_row_has_no_position() {
        let start = "-b----E-C---eE---c-e----B-";
        for key in ["", "bg1|short|0|c|n|7|7|m|31", "bg1|Zb----E-C---eE---c-e----B-|0|c|n|7|7|m|31"] {
            assert_eq!(shown(key, Some(7)), None, "{key}");
        }
        assert_eq!(shown(&format!("bg1|{start}|0|c|n|7|7|m|71"), Some(7)), None);
    }
}
