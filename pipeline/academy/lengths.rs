//! How long contests are, and what that makes of a ply: opening, middle game or endgame.
//!
//! Whole numbers only: the mean length is never divided out. The ply *number* is held against the mean length, so a
//! long contest has a long endgame and a short one only its final position.

use super::rows::Phase;
use super::settings::{Bylaws, Share};

/// Number and total length of the contests with a result so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// Contests.
    pub count: u64,
    /// Their plies.
    pub sum: u64,
}

impl Lengths {
    /// From a number of contests and their mean length, as the measures tell them; the sum is a whole number again.
    #[must_use]
    pub fn of_mean(count: u64, mean: f64) -> Self {
        let sum = libm::round(mean * count as f64);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "plies of contests, far below 2^53"
        )]
        let sum = if sum.is_finite() && sum > 0.0 { sum as u64 } else { 0 };
        Self { count, sum }
    }

    /// Counts one more contest.
    pub const fn add(&mut self, plies: u64) {
        self.count += 1;
        self.sum += plies;
    }

    /// D, the last ply of the opening: that share of the mean length, rounded down. 0 before the first contest.
    #[must_use]
    pub const fn opening_depth(self, share: Share) -> u64 {
        if self.count == 0 {
            return 0;
        }
        share.of * self.sum / (share.whole * self.count)
    }

    /// First ply past all but the last share of the mean length. `None` before the first contest.
    #[must_use]
    pub const fn first_endgame_ply(self, last: Share) -> Option<u64> {
        if self.count == 0 {
            return None;
        }
        Some((last.whole - last.of) * self.sum / (last.whole * self.count) + 1)
    }

    /// Whether ply `i` of a contest of `length` plies lies in the last share of a mean length of that contest.
    #[must_use]
    pub const fn in_tail(self, i: u64, length: u64, last: Share) -> bool {
        last.whole * length.saturating_sub(i) * self.count < last.of * self.sum
    }
}

/// Where the phases begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// D, the last ply of the opening.
    pub opening: u64,
    /// First ply of the middle game; it may lie within the opening.
    pub middle_from: u64,
    /// First ply of the endgame.
    pub end_from: u64,
}

impl Calendar {
    /// By the contests so far; `middle_from` is a preset, without one the middle game follows the opening. `None`
    /// before the first contest.
    #[must_use]
    pub fn new(lengths: Lengths, bylaws: &Bylaws, preset: Option<u32>) -> Option<Self> {
        let end_from = lengths.first_endgame_ply(bylaws.last_share)?;
        let opening = lengths.opening_depth(bylaws.fuseki.depth_share);
        let middle_from = bylaws.middle_from.or(preset).map_or(opening + 1, u64::from);
        Some(Self { opening, middle_from, end_from })
    }

    /// Middle game or endgame; `None` for an opening ply that is neither.
    #[must_use]
    pub fn phase(self, i: u64) -> Option<Phase> {
        if i >= self.end_from {
            return Some(Phase::End);
        }
        (i >= self.middle_from).then_some(Phase::Middle)
    }
}
