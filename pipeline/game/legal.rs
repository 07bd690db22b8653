//! The legal plays of a roll: every distinct board that can be reached (`classifiers.md` 9).
//!
//! Bar first; as many dice as possible; of two dice of which only one can be used, the larger; bearing off only with
//! everybody home, and with a larger die only from the rearmost point. Plays are told apart by the board they lead to,
//! so paths that end alike are one play, written by its smallest sorted steps.

use super::board::Board;
use super::dice::Dice;
use super::play::{BAR, OFF, Play, Step};

/// A legal play and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legal {
    /// The board after it, still seen from the mover.
    pub after: Board,
    /// One way to get there.
    pub play: Play,
}

/// Every legal play, one per distinct board, in the order of the boards; empty when the roll cannot be played.
#[must_use]
pub fn plays(board: &Board, dice: Dice) -> Vec<Legal> {
    let start = Legal { after: *board, play: Play::default() };
    let (high, low) = (dice.high(), dice.low());
    if dice.is_double() {
        return doubles(start, high);
    }
    let (by_high, by_low) = (advance(&[start], high), advance(&[start], low));
    let mut both = advance(&by_high, low);
    both.extend(advance(&by_low, high));
    let found = if !both.is_empty() {
        both
    } else if !by_high.is_empty() {
        by_high
    } else {
        by_low
    };
    distinct(found)
}

/// How many legal plays there are; 0 is a dance.
#[must_use]
pub fn count(board: &Board, dice: Dice) -> usize {
    plays(board, dice).len()
}

/// The legal play that leads to `after`, if there is one. A roll that cannot be played leads to the same board.
#[must_use]
pub fn reaching(board: &Board, dice: Dice, after: &Board) -> Option<Play> {
    let found = plays(board, dice);
    if found.is_empty() {
        return (board == after).then(Play::default);
    }
    found.binary_search_by(|legal| legal.after.cmp(after)).ok().map(|i| found[i].play)
}

fn doubles(start: Legal, die: u8) -> Vec<Legal> {
    let mut level = vec![start];
    for used in 0..4 {
        let next = distinct(advance(&level, die));
        if next.is_empty() {
            return if used == 0 { next } else { level };
        }
        level = next;
    }
    level
}

/// One die further from each of `from`.
fn advance(from: &[Legal], die: u8) -> Vec<Legal> {
    let mut found = Vec::with_capacity(from.len() * 6);
    for legal in from {
        if legal.after.cells()[usize::from(BAR)] > 0 {
            found.extend(step(legal, BAR, die));
            continue;
        }
        let rearmost = legal.after.rearmost();
        for cell in 1..=rearmost {
            if legal.after.cells()[usize::from(cell)] > 0 && may_leave(cell, die, rearmost) {
                found.extend(step(legal, cell, die));
            }
        }
    }
    found
}

/// Whether the rules of bearing off let a checker on `cell` use `die` (points within the board always do).
const fn may_leave(cell: u8, die: u8, rearmost: u8) -> bool {
    cell > die || (rearmost <= 6 && (cell == die || cell == rearmost))
}

fn step(legal: &Legal, from: u8, die: u8) -> Option<Legal> {
    let mut play = legal.play;
    let to = from.checked_sub(die).unwrap_or(OFF);
    if to != OFF && legal.after.cells()[usize::from(to)] < -1 {
        return None;
    }
    play.push(Step { from, to }).ok()?;
    let last = Play::new(&[Step { from, to }]).ok()?;
    Some(Legal { after: last.apply(&legal.after).ok()?, play })
}

/// One play per board: the one whose sorted steps are smallest.
fn distinct(mut found: Vec<Legal>) -> Vec<Legal> {
    for legal in &mut found {
        legal.play = legal.play.sorted();
    }
    found.sort_unstable_by(|a, b| a.after.cmp(&b.after).then_with(|| a.play.cmp(&b.play)));
    found.dedup_by(|next, kept| next.after == kept.after);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::BoardFault;

    #[test]
    fn the_opening_rolls_have_the_published_number_of_plays() {
        let published = [
            (11, 42),
            (21, 15),
            (22, 75),
            (31, 16),
            (32, 17),
            (33, 73),
            (53, 9),
            (41, 14),
            (42, 18),
            (43, 17),
            (44, 52),
            (51, 8),
            (52, 8),
            (54, 9),
            (55, 4),
            (61, 10),
            (62, 14),
            (63, 14),
            (64, 14),
            (65, 7),
            (66, 11),
        ];
        for (roll, number) in published {
            let dice = Dice::from_digits(roll);
            assert_eq!(dice.map(|dice| count(&Board::START, dice)), Some(number), "roll {roll}");
        }
    }

    #[test]
    fn the_rules_of_the_larger_die_and_of_bearing_off_hold() -> Result<(), BoardFault> {
        let cases = [
            ("----A-E-C----E---b-cbbbbbA", 65, 0, None),
            ("-bbbbb------A-------------", 65, 1, Some("------A-")),
            ("-bbbbb------A-------------", 54, 1, Some("-------A")),
            ("--b---------A------c------", 64, 1, Some("------A-")),
            ("-A----B------------e----b-", 61, 2, None),
            ("--A---------------------a-", 21, 1, None),
        ];
        for (text, roll, number, lands) in cases {
            let board = Board::from_text(text)?;
            let found = Dice::from_digits(roll).map(|dice| plays(&board, dice)).unwrap_or_default();
            assert_eq!(found.len(), number, "{text} {roll}");
            if let Some(lands) = lands {
                let point = lands.find('A').unwrap_or_default();
                assert_eq!(found[0].after.cells()[point], 1, "{text} {roll}");
            }
        }
        Ok(())
    }
}
