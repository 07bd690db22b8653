//! The legal plays of a roll: every distinct board that can be reached (`classifiers.md` 9).
//!
//! Bar first; as many dice as possible; of two dice of which only one can be used, the larger; bearing off only with
//! everybody home, and with a larger die only from the rearmost point. Plays are told apart by the board they lead to,
//! so paths that end alike are one play, written by its smallest sorted steps.
//!
//! Every checker decision of every file asks for its plays, so this is the one place of the room that is written for
//! speed: checkers are moved on one board and taken back, and boards are compared as numbers that sort as their cells.

use super::board::Board;
use super::dice::Dice;
use super::play::{BAR, OFF, Play, Step};
use std::cmp::Ordering;

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
    let unpacked = |reached: Reached| Legal { after: unpack(reached.packed), play: reached.play };
    reached(board, dice).into_iter().map(unpacked).collect()
}

/// How many legal plays there are; 0 is a dance.
#[must_use]
pub fn count(board: &Board, dice: Dice) -> usize {
    reached(board, dice).len()
}

/// The legal play that leads to `after`, if there is one. A roll that cannot be played leads to the same board.
#[must_use]
pub fn reaching(board: &Board, dice: Dice, after: &Board) -> Option<Play> {
    let found = reached(board, dice);
    if found.is_empty() {
        return (board == after).then(Play::default);
    }
    let wanted = pack(after.cells());
    found.binary_search_by(|reached| reached.packed.cmp(&wanted)).ok().map(|i| found[i].play)
}

/// A board in one number, and how it was reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Reached {
    packed: u128,
    play: Play,
}

/// One per distinct board, in their order.
fn reached(board: &Board, dice: Dice) -> Vec<Reached> {
    let (high, low) = (dice.high(), dice.low());
    let mut found = if dice.is_double() {
        longest(board, &[high; 4])
    } else {
        longest_of_both(longest(board, &[high, low]), longest(board, &[low, high]))
    };
    found.sort_unstable();
    found.dedup_by(|next, kept| next.packed == kept.packed);
    found
}

/// The longer of what the two orders of the dice allow, or both; of one die each, the larger.
fn longest_of_both(mut high_first: Vec<Reached>, low_first: Vec<Reached>) -> Vec<Reached> {
    match steps(&high_first).cmp(&steps(&low_first)) {
        Ordering::Less => low_first,
        Ordering::Equal if steps(&high_first) == 2 => {
            high_first.extend(low_first);
            high_first
        }
        Ordering::Equal | Ordering::Greater => high_first,
    }
}

/// Steps of the plays found so far: all have the same number.
fn steps(found: &[Reached]) -> usize {
    found.first().map_or(0, |reached| reached.play.steps().len())
}

/// The plays that use as many of `dice`, in this order, as can be used.
fn longest(board: &Board, dice: &[u8]) -> Vec<Reached> {
    let mut search = Search {
        cells: *board.cells(),
        packed: pack(board.cells()),
        line: Play::default(),
        found: Vec::with_capacity(64),
    };
    search.explore(dice, BAR);
    search.found
}

struct Search {
    cells: [i8; 26],
    /// Always [`pack`] of `cells`.
    packed: u128,
    /// The steps made on the way here.
    line: Play,
    found: Vec<Reached>,
}

impl Search {
    /// Plays the first die with every checker from `rearmost` on, and the others after it. At most four levels deep.
    fn explore(&mut self, dice: &[u8], rearmost: u8) {
        let Some((&die, rest)) = dice.split_first() else { return };
        let last = if self.on(BAR) > 0 { BAR } else { 1 };
        for from in (last..=rearmost).rev() {
            let step = Step { from, to: from.saturating_sub(die) };
            if self.on(from) <= 0 || !self.allows(step, die) {
                continue;
            }
            let hit = self.make(step);
            self.record();
            // Equal dice can always be played from the back to the front, so other orders lead to nothing new.
            self.explore(rest, if rest.first() == Some(&die) { from } else { BAR });
            self.take_back(step, hit);
        }
    }

    fn on(&self, cell: u8) -> i8 {
        self.cells[usize::from(cell)]
    }

    fn allows(&self, step: Step, die: u8) -> bool {
        if step.to != OFF {
            return self.on(step.to) >= -1;
        }
        let behind = if step.from == die { 7 } else { step.from + 1 };
        self.cells[usize::from(behind)..].iter().all(|&cell| cell <= 0)
    }

    /// Whether it hit.
    fn make(&mut self, step: Step) -> bool {
        self.add(step.from, -1);
        let hit = step.to != OFF && self.on(step.to) == -1;
        if hit {
            self.add(step.to, 1);
            self.add(0, -1);
        }
        if step.to != OFF {
            self.add(step.to, 1);
        }
        self.line.extend(step);
        hit
    }

    fn take_back(&mut self, step: Step, hit: bool) {
        self.line.shorten();
        if step.to != OFF {
            self.add(step.to, -1);
        }
        if hit {
            self.add(0, 1);
            self.add(step.to, -1);
        }
        self.add(step.from, 1);
    }

    fn add(&mut self, cell: u8, checkers: i8) {
        let cell = usize::from(cell);
        self.cells[cell] += checkers;
        self.packed = if checkers > 0 { self.packed + ONE[cell] } else { self.packed - ONE[cell] };
    }

    /// Keeps the line when none is longer, and only those as long as the longest.
    fn record(&mut self) {
        let used = self.line.steps().len();
        let most = steps(&self.found);
        if used > most {
            self.found.clear();
        }
        if used >= most {
            self.found.push(Reached { packed: self.packed, play: self.line.sorted() });
        }
    }
}

/// One checker more on each cell of a packed board. Cell 0 is the highest field (4 bits: 0 to 15 below nothing), then
/// the points (5 bits: -15 to 15), then the bar (4 bits: 0 to 15), 128 bits in all; so numbers sort as cells do.
const ONE: [u128; 26] = {
    let mut ones = [1; 26];
    let mut cell = 0;
    while cell < 25 {
        ones[cell] = 1 << (124 - 5 * cell);
        cell += 1;
    }
    ones
};

/// What stands for no checker on cells 0 to 24.
const EMPTY: i8 = 15;

fn pack(cells: &[i8; 26]) -> u128 {
    let bar = u128::from(cells[25].unsigned_abs());
    ONE.iter()
        .zip(&cells[..25])
        .fold(bar, |packed, (one, cell)| packed + one * u128::from((cell + EMPTY).unsigned_abs()))
}

fn unpack(packed: u128) -> Board {
    let mut cells = [0; 26];
    let mut rest = packed >> 4;
    for cell in cells[..25].iter_mut().rev() {
        *cell = (rest.to_le_bytes()[0] & 31).cast_signed() - EMPTY;
        rest >>= 5;
    }
    cells[25] = (packed.to_le_bytes()[0] & 15).cast_signed();
    Board::from_trusted(cells)
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
