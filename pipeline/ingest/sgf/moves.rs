//! Dice and letter pairs to a roll and a play of the mover.
//!
//! Letters are absolute: `a` to `x` are White's points 1 to 24, `y` is the bar, `z` is off. Black counts the other way.
//! Pairs come in any order and may join several steps of one checker, so a play is what its pairs add up to.

use crate::game::{Board, Dice, Play, Seat, Step};

/// Cells of the letters `a` to `z` as White numbers them: 1..=24, bar 25, off 0.
const WHITE: [u8; 26] = cells(Seat::First);
/// The same as Black numbers them.
const BLACK: [u8; 26] = cells(Seat::Second);

const fn cells(seat: Seat) -> [u8; 26] {
    let mut cells = [0u8; 26];
    let mut point = 1u8;
    while point <= 24 {
        cells[point as usize - 1] = match seat {
            Seat::First => point,
            Seat::Second => 25 - point,
        };
        point += 1;
    }
    cells[24] = 25;
    cells
}

/// The cell of a letter as the mover numbers it.
pub(super) fn cell(letter: u8, seat: Seat) -> Option<u8> {
    let cells = match seat {
        Seat::First => &WHITE,
        Seat::Second => &BLACK,
    };
    cells.get(usize::from(letter.checked_sub(b'a')?)).copied()
}

/// Two digits at the head of an action, and the letters after them.
pub(super) fn dice(raw: &[u8]) -> Option<(Dice, &[u8])> {
    let (&[first, second], letters) = raw.split_first_chunk::<2>()?;
    let dice = Dice::new(first.wrapping_sub(b'0'), second.wrapping_sub(b'0'))?;
    Some((dice, letters))
}

/// A play in the steps of the file; `None` for an odd letter, a letter that is none, a step backward, a fifth pair.
pub(super) fn play(letters: &[u8], seat: Seat) -> Option<Play> {
    let (pairs, odd) = letters.as_chunks::<2>();
    let mut play = Play::default();
    for &[from, to] in pairs {
        play.push(Step { from: cell(from, seat)?, to: cell(to, seat)? }).ok()?;
    }
    odd.is_empty().then_some(play)
}

/// The board after a play, and the play in an order in which it can be made: pairs of one checker may come reversed.
pub(super) fn made(play: Play, board: &Board) -> Option<(Play, Board)> {
    if let Ok(after) = play.apply(board) {
        return Some((play, after));
    }
    let mut steps = play.steps().to_vec();
    steps.sort_unstable_by(|a, b| b.cmp(a));
    let play = Play::new(&steps).ok()?;
    Some((play, play.apply(board).ok()?))
}

/// As much of an impossible play as can be made, step by step: the best guess where the checkers went.
pub(super) fn best_effort(play: Play, board: &Board) -> Board {
    play.steps().iter().fold(*board, |board, &step| {
        Play::new(&[step]).ok().and_then(|single| single.apply(&board).ok()).unwrap_or(board)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_whites_points_and_blacks_counted_from_the_other_end() {
        let read = |letters: &[u8], seat| play(letters, seat).map(|play| play.notation(&Board::START));
        assert_eq!(read(b"hefe", Seat::First).as_deref(), Some("8/5 6/5"));
        assert_eq!(read(b"lpab", Seat::Second).as_deref(), Some("24/23 13/9"));
        assert_eq!(read(b"ybxz", Seat::Second).as_deref(), Some("bar/23 1/off"));
        for wrong in [&b"hef"[..], b"zh", b"eh", b"h{", b"HE", b"hefehefehe"] {
            assert_eq!(play(wrong, Seat::First), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_checker_moved_in_two_reversed_pairs_is_moved() -> Result<(), &'static str> {
        let play = play(b"tpxt", Seat::First).ok_or("a play")?;
        let (_, after) = made(play, &Board::START).ok_or("can be made")?;
        assert_eq!(after.text(), "-b----E-C---eE--Ac-e----A-");
        Ok(())
    }
}
