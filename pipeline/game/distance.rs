//! How alike two positions are: the least number of pips by which checkers must be shifted to turn one structure into
//! the other (`classifiers.md` 5).
//!
//! A side's checkers lie on a line from off (0) to its bar (25), so the distance of two sides is that of two heaps on a
//! line: the sum of the differences of their running counts. It is a metric: symmetric, zero for equal boards only, and
//! no detour is shorter. Cube, score and dice do not enter.

use super::Board;
use super::board::CHECKERS;

/// Up to here two positions are neighbours, or near-duplicates; one roll moves 8 to 16.
pub const NEAR: u32 = 12;

/// Running counts added up in one sum of an outline.
const STRETCH: usize = 4;

/// Sums of an outline, a side: as many as take in all 26 running counts.
const STRETCHES: usize = 7;

/// Cells whose running counts make the first of the two sums of a side; the others make the second.
const FIRST_SUM: usize = 13;

/// A side's running counts and six cells that are 0 in every shape: two registers full, so that a distance is a handful
/// of instructions. Reference positions measure millions.
type Counts = [u8; 32];

/// One side of a board as the distance sees it: its running counts from off to the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(Counts);

impl Side {
    /// Distance of two sides in pip-steps.
    #[must_use]
    pub fn like(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
    }

    /// Two sums that bound the distance from below: the running counts 0 to 12 and 13 to 25. No two sides are nearer than
    /// the differences of their sums add up to.
    #[must_use]
    pub fn sums(&self) -> [u32; 2] {
        let (first, second) = self.0.split_at(FIRST_SUM);
        [first, second].map(|part| part.iter().copied().map(u32::from).sum())
    }

    /// The running counts added up. No two sides are nearer than their totals differ, which is by as many pips as one has
    /// still to go more than the other.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.sums().iter().sum()
    }
}

/// A board as the distance sees it: the mover's side, then the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape([Side; 2]);

impl Shape {
    /// The shape of a board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        Self([board, &board.mirror()].map(|board| Side(running(board))))
    }

    /// The mover's side and the opponent's.
    #[must_use]
    pub const fn sides(&self) -> [Side; 2] {
        self.0
    }

    /// Distance in pip-steps.
    #[must_use]
    pub fn like(&self, other: &Self) -> u32 {
        self.0[0].like(&other.0[0]) + self.0[1].like(&other.0[1])
    }

    /// The board in outline.
    #[must_use]
    pub fn outline(&self) -> Outline {
        let mut outline = Outline::default();
        let stretches = self.0.iter().flat_map(|side| side.0.chunks_exact(STRETCH).take(STRETCHES));
        outline.iter_mut().zip(stretches).for_each(|(sum, stretch)| *sum = stretch.iter().sum());
        outline
    }
}

/// A board in outline: the running counts of both sides, every four added up. Two boards are no nearer than the differences
/// of these sums add up to, and hardly farther, at a quarter of the work. A sum is at most 60.
pub type Outline = [u8; 2 * STRETCHES];

/// Distance of two positions in pip-steps, each seen from its mover.
#[must_use]
pub fn like(a: &Board, b: &Board) -> u32 {
    Shape::of(a).like(&Shape::of(b))
}

/// The mover's running counts, borne off first.
fn running(board: &Board) -> Counts {
    let mut counts = Counts::default();
    let mut sum = board.borne_off();
    counts[0] = sum;
    for (count, &cell) in counts.iter_mut().zip(board.cells()).skip(1) {
        sum += cell.max(0).unsigned_abs();
        *count = sum.min(CHECKERS);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::BoardFault;

    const P01: &str = "-b----E-C---eE---c-e----B-";
    const P02: &str = "-b---BD-B---eE---c-e----B-";
    const P04: &str = "--ABCCD------------edcb---";
    const P05: &str = "-bBCCCD------------edd----";
    const P06: &str = "----DDE------------dcccbB-";
    const P08: &str = "-b----D-C---dD---cbd--B-B-";
    const P11: &str = "-----BD-C---cD--bc-dB-c---";
    const P12: &str = "----BbD-C---dD---c-dB-b---";
    const P13: &str = "-b----E-C---eE---c-e---AA-";
    const P14: &str = "-----------------------cb-";

    #[test]
    fn the_published_pairs_are_as_far_apart_as_published() -> Result<(), BoardFault> {
        let published = [
            (P01, P01, 0),
            (P01, P02, 4),
            (P01, "-b----E-C--BeC---c-e----B-", 4),
            (P01, P13, 1),
            (P01, "-b----E-B---eE---c-e----B-", 8),
            (P01, "aa----E-C---eE---c-e----B-", 1),
            (P01, "-b----D-C---eE---c-e----BA", 19),
            (P11, P12, 34),
            (P01, P08, 32),
            (P04, P05, 51),
            (P05, P06, 100),
            (P01, P14, 326),
        ];
        for (a, b, distance) in published {
            let (a, b) = (Board::from_text(a)?, Board::from_text(b)?);
            assert_eq!(like(&a, &b), distance, "{} {}", a.text(), b.text());
            assert_eq!(like(&b, &a), distance);
        }
        Ok(())
    }

    #[test]
    fn the_bounding_sums_are_the_published_ones() -> Result<(), BoardFault> {
        for (text, sums) in [(P01, [50, 173, 50, 173]), (P02, [54, 173, 50, 173]), (P13, [50, 174, 50, 173])] {
            assert_eq!(Shape::of(&Board::from_text(text)?).sides().map(|side| side.sums()).concat(), sums, "{text}");
        }
        Ok(())
    }

    #[test]
    fn no_board_is_nearer_than_its_sums_its_totals_and_its_outline_say() -> Result<(), BoardFault> {
        let texts = [P01, P02, P04, P05, P06, P08, P11, P12, P13, P14];
        let shapes = texts.iter().map(|text| Board::from_text(text).map(|board| Shape::of(&board)));
        let shapes: Vec<Shape> = shapes.collect::<Result<_, _>>()?;
        for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
            for (a, b) in a.sides().iter().zip(&b.sides()) {
                let sums: u32 = a.sums().iter().zip(b.sums()).map(|(a, b)| a.abs_diff(b)).sum();
                assert!(a.total().abs_diff(b.total()) <= sums && sums <= a.like(b), "{a:?} {b:?}");
            }
            let outlines = a.outline().into_iter().zip(b.outline());
            let least: u32 = outlines.map(|(a, b)| u32::from(a.abs_diff(b))).sum();
            let sums: u32 = a.sides().iter().zip(b.sides()).map(|(a, b)| a.total().abs_diff(b.total())).sum();
            assert!(sums <= least && least <= a.like(b), "{a:?} {b:?}");
        }
        Ok(())
    }
}
