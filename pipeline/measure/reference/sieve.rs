//! Which of many boards may be near one, told from their outlines: what hardly any board passes that is not near, at a few
//! instructions a board.
//!
//! The outlines lie sum by sum, so that a block of boards is one loop over bytes for each sum, and the boards that pass are
//! gathered without a branch. The invariant: a board that is near passes, because no two boards are nearer than their
//! outlines ([`Outline`]).

use crate::game::distance::{NEAR, Outline, Shape};
use std::ops::Range;

/// Boards looked at together; their places in the block fit a byte.
const BLOCK: usize = 256;

/// The outlines of boards, in the order they were added.
#[derive(Debug, Default)]
pub struct Sieve([Vec<u8>; size_of::<Outline>()]);

impl Sieve {
    /// One more board.
    pub fn add(&mut self, shape: &Shape) {
        self.0.iter_mut().zip(shape.outline()).for_each(|(sums, sum)| sums.push(sum));
    }

    /// Tells which boards of a range may be near one of this outline, in their order.
    pub fn pass(&self, outline: &Outline, range: Range<usize>, mut tell: impl FnMut(usize)) {
        let mut passed = [0; BLOCK];
        let mut from = range.start;
        while from < range.end {
            let block = from..range.end.min(from + BLOCK);
            let count = gathered(&self.least(outline, &block)[..block.len()], &mut passed);
            passed[..count].iter().for_each(|&at| tell(from + usize::from(at)));
            from = block.end;
        }
    }

    /// How near each board of a block may be at least, up to 255.
    fn least(&self, outline: &Outline, block: &Range<usize>) -> [u8; BLOCK] {
        let mut least = [0_u8; BLOCK];
        for (sums, &own) in self.0.iter().zip(outline) {
            for (least, &sum) in least.iter_mut().zip(&sums[block.clone()]) {
                // `abs_diff` widens a byte, and fewer fit a register.
                *least = least.saturating_add(own.max(sum) - own.min(sum));
            }
        }
        least
    }
}

/// Puts the places of what may be near to the front, and counts them.
fn gathered(least: &[u8], passed: &mut [u8; BLOCK]) -> usize {
    let (mut count, mut at) = (0, 0_u8);
    for &least in least {
        passed[count] = at;
        count += usize::from(u32::from(least) <= NEAR);
        at = at.wrapping_add(1);
    }
    count
}
