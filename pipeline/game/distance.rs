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

/// A side's running counts and six cells that are 0 in every shape: two registers full, so that a distance is a handful
/// of instructions. Reference positions measure millions.
type Counts = [u8; 32];

/// A board as the distance sees it: running counts of the mover and of the opponent, each from off to his bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape([Counts; 2]);

impl Shape {
    /// The shape of a board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        Self([running(board), running(&board.mirror())])
    }

    /// Distance in pip-steps.
    #[must_use]
    pub fn like(&self, other: &Self) -> u32 {
        let side = |a: &Counts, b: &Counts| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>();
        side(&self.0[0], &other.0[0]) + side(&self.0[1], &other.0[1])
    }

    /// Its running count on an axis.
    #[must_use]
    pub fn along(&self, Axis(side, cell): Axis) -> u8 {
        self.0[side][cell]
    }
}

/// One of the counts a shape is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis(usize, usize);

/// Between which counts some shapes lie, axis by axis: it says without looking at them that all are near a shape, or
/// none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hull {
    low: Shape,
    high: Shape,
}

impl Hull {
    /// The hull of one shape.
    #[must_use]
    pub const fn of(shape: Shape) -> Self {
        Self { low: shape, high: shape }
    }

    /// Widens it to hold another.
    pub fn take(&mut self, shape: &Shape) {
        for (side, counts) in shape.0.iter().enumerate() {
            for (cell, &count) in counts.iter().enumerate() {
                self.low.0[side][cell] = self.low.0[side][cell].min(count);
                self.high.0[side][cell] = self.high.0[side][cell].max(count);
            }
        }
    }

    /// No shape in it is nearer to this one.
    #[must_use]
    pub fn least(&self, shape: &Shape) -> u32 {
        let gap = |side: usize| {
            let ends = self.low.0[side].iter().zip(&self.high.0[side]);
            let gaps = shape.0[side].iter().zip(ends).map(|(x, (low, high))| x.max(low).min(high).abs_diff(*x));
            gaps.map(u32::from).sum::<u32>()
        };
        gap(0) + gap(1)
    }

    /// No shape in it is farther from this one.
    #[must_use]
    pub fn most(&self, shape: &Shape) -> u32 {
        let reach = |side: usize| {
            let ends = self.low.0[side].iter().zip(&self.high.0[side]);
            let reaches =
                shape.0[side].iter().zip(ends).map(|(x, (low, high))| x.abs_diff(*low).max(x.abs_diff(*high)));
            reaches.map(u32::from).sum::<u32>()
        };
        reach(0) + reach(1)
    }

    /// The axis along which it is widest, the first of equals.
    #[must_use]
    pub fn widest(&self) -> Axis {
        let mut widest = (0, Axis(0, 0));
        for side in 0..2 {
            for cell in 0..self.low.0[side].len() {
                let width = self.high.0[side][cell] - self.low.0[side][cell];
                if width > widest.0 {
                    widest = (width, Axis(side, cell));
                }
            }
        }
        widest.1
    }
}

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
    fn a_hull_bounds_the_distance_to_every_shape_in_it() -> Result<(), BoardFault> {
        let texts = [P01, P02, P04, P05, P06, P08, P11, P12, P13, P14];
        let shapes: Vec<Shape> =
            texts.iter().map(|text| Board::from_text(text).map(|b| Shape::of(&b))).collect::<Result<_, _>>()?;
        for from in &shapes {
            assert_eq!((Hull::of(*from).least(from), Hull::of(*from).most(from)), (0, 0));
            for pair in shapes.windows(2) {
                let mut hull = Hull::of(pair[0]);
                assert_eq!((hull.least(from), hull.most(from)), (pair[0].like(from), pair[0].like(from)));
                hull.take(&pair[1]);
                let (a, b) = (pair[0].like(from), pair[1].like(from));
                assert!(hull.least(from) <= a.min(b) && a.max(b) <= hull.most(from));
                assert_ne!(pair[0].along(hull.widest()), pair[1].along(hull.widest()));
            }
        }
        Ok(())
    }
}
