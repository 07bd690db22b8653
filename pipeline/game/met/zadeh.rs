//! Zadeh's formula for the match equity of long matches, 1 to 64 points (`met.md` 6).
//!
//! The table is computed complete and independent of any explicit figure. A score is worth what the doubling points of
//! the two players, found by recursion over the levels of the cube, make of the four scores around it.

use super::{Met, SIZE};

/// Gammon rate of the leader.
const LEADER_GAMMONS: f64 = 0.25;
/// Gammon rate of the trailer.
const TRAILER_GAMMONS: f64 = 0.15;
/// How far before the theoretical point cubes are turned in fact: in the recursion over the levels of the cube ...
const EFFICIENCY: f64 = 0.08;
/// ... and in the final average.
const EFFICIENCY_AVERAGED: f64 = 0.06;
/// Gammon rate after Crawford.
const POST_GAMMONS: f64 = 0.25;
/// What the free drop takes from a trailer who needs 2 ...
const FREE_DROP_AT_2: f64 = 0.015;
/// ... and 4.
const FREE_DROP_AT_4: f64 = 0.004;
/// Cube levels 1, 2, ... 64. At the last, every score of the table is within one double, so the recursion ends.
const LEVELS: u32 = 7;

/// The whole table.
pub(super) fn table() -> Met {
    let post = post_crawford();
    let mut met = Met { pre: vec![[0.0; SIZE]; SIZE], post };
    for a in 1..=SIZE {
        let trailer =
            0.5 * LEADER_GAMMONS * post_or_won(&post, a, 2) + 0.5 * (1.0 - LEADER_GAMMONS) * post_or_won(&post, a, 1);
        met.pre[a - 1][0] = trailer;
        met.pre[0][a - 1] = 1.0 - trailer;
    }
    for a in 2..=SIZE {
        for b in 2..=a {
            let worth = body(&met.pre, a, b);
            met.pre[b - 1][a - 1] = 1.0 - worth;
            met.pre[a - 1][b - 1] = worth;
        }
    }
    met
}

/// Each value is used, free drop taken off, by those after it.
fn post_crawford() -> [f64; SIZE] {
    let mut post = [0.0; SIZE];
    for n in 1..=SIZE {
        let cubed =
            0.5 * POST_GAMMONS * post_or_won(&post, n, 4) + 0.5 * (1.0 - POST_GAMMONS) * post_or_won(&post, n, 2);
        post[n - 1] = match n {
            2 => cubed - FREE_DROP_AT_2,
            4 => cubed - FREE_DROP_AT_4,
            _ => cubed,
        };
    }
    post
}

/// P(n - points), 1 when that wins the match.
fn post_or_won(post: &[f64; SIZE], n: usize, points: usize) -> f64 {
    if n <= points { 1.0 } else { post[n - points - 1] }
}

/// pre(a, b) for a >= b >= 2, from cells with a smaller score only.
fn body(pre: &[[f64; SIZE]], a: usize, b: usize) -> f64 {
    // T of the pair at the level above, for (a, b) and for (b, a).
    let mut taken = [0.0; 2];
    for level in (0..LEVELS).rev() {
        let value = 1 << level;
        taken = [doubling_point(pre, [a, b], value, taken[1]), doubling_point(pre, [b, a], value, taken[0])];
    }
    let own = taken[0] + EFFICIENCY_AVERAGED - 0.5;
    let other = taken[1] + EFFICIENCY_AVERAGED - 0.5;
    (other * worth(pre, [a, b], [1, 0]) + own * worth(pre, [a, b], [0, 1])) / (own + other)
}

/// T(x, y) at a cube of `value`; `above` is T(y, x) at twice the value.
fn doubling_point(pre: &[[f64; SIZE]], score: [usize; 2], value: usize, above: f64) -> f64 {
    let [x, y] = score;
    let doubled = 2 * value;
    // The cube goes on to be turned again at once when only the opponent can still use it.
    let stake = if x <= doubled && y > doubled { doubled } else { value };
    let lose = TRAILER_GAMMONS * worth(pre, score, [0, 4 * stake])
        + (1.0 - TRAILER_GAMMONS) * worth(pre, score, [0, 2 * stake]);
    let win =
        LEADER_GAMMONS * worth(pre, score, [4 * stake, 0]) + (1.0 - LEADER_GAMMONS) * worth(pre, score, [2 * stake, 0]);
    let dead = (worth(pre, score, [value, 0]) - lose) / (win - lose);
    if x <= doubled || y <= doubled { dead } else { 1.0 + (above + EFFICIENCY) * (dead - 1.0) }
}

/// W: what is left of a score after points won by either side.
fn worth(pre: &[[f64; SIZE]], [x, y]: [usize; 2], [own, opponent]: [usize; 2]) -> f64 {
    if x <= own {
        return 1.0;
    }
    if y <= opponent {
        return 0.0;
    }
    pre[x - own - 1][y - opponent - 1]
}
