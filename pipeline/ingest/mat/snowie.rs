//! Positions written into a transcription: the 40-field record of an illegal play, and the text of a set position.
//!
//! Record (`other-formats.md` 6.6): field 4 the player on roll (0 = first), 12 his bar, 13 to 36 the points as he sees
//! them (own positive), 37 the opponent's bar.

use crate::game::{Board, Seat};

/// Fields of a record.
const FIELDS: usize = 40;
/// Index of the player on roll.
const ON_ROLL: usize = 4;
/// Index of his bar; the points and the opponent's bar follow.
const BAR: usize = 12;

/// The position of a record, seen from `seat`; `None` when it is no position.
pub(super) fn board(record: &[u8], seat: Seat) -> Option<Board> {
    let fields: Vec<&[u8]> = record.split(|&byte| byte == b';').collect();
    if fields.len() < FIELDS {
        return None;
    }
    let number = |field: usize| -> Option<i8> { std::str::from_utf8(fields[field].trim_ascii()).ok()?.parse().ok() };
    let on_roll = if number(ON_ROLL)? == 0 { Seat::First } else { Seat::Second };
    let mut cells = [0i8; 26];
    for (point, cell) in cells.iter_mut().enumerate().take(25).skip(1) {
        *cell = number(BAR + point)?;
    }
    cells[25] = number(BAR)?.checked_abs()?;
    cells[0] = -number(BAR + 25)?.checked_abs()?;
    let board = Board::new(cells).ok()?;
    Some(if seat == on_roll { board } else { board.mirror() })
}

/// `Set Pos=<26 characters>/…` in a comment: the position, seen from the first player.
pub(super) fn set_position(comment: &[u8]) -> Option<Option<Board>> {
    const KEY: &[u8] = b"set pos=";
    let at = comment.windows(KEY.len()).position(|window| window.eq_ignore_ascii_case(KEY))?;
    let text = comment.get(at + KEY.len()..at + KEY.len() + 26);
    Some(text.and_then(|text| std::str::from_utf8(text).ok()).and_then(|text| Board::from_text(text).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_seen_from_the_player_on_roll() {
        let record = b"7;0;0;0;1;b;a;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;1;1;0;0;0";
        let seen = "-b----E-C---eE---c-e---AA-";
        assert_eq!(board(record, Seat::Second).map(|board| board.text()).as_deref(), Some(seen));
        assert_eq!(board(record, Seat::First), board(record, Seat::Second).map(|board| board.mirror()));
        assert_eq!(board(b"7;0;0", Seat::First), None);
    }

    #[test]
    fn a_set_position_is_read_or_refused() {
        let comment = b" Set Pos=-b----E-C---eE---c-e----B-/1";
        assert_eq!(set_position(comment), Some(Some(Board::START)));
        assert_eq!(set_position(b"set pos=nothing"), Some(None));
        assert_eq!(set_position(b"a word"), None);
    }
}
