//! What a decision cost, unrounded (`metrics.md` 3.2). The rounding to the mpt is [`Equity::mpt`].
//!
//! An error is never negative. The doubler is judged against the opponent's best answer, whatever the answer was;
//! cube equities are on the doubler's side, also for the answer.

use crate::game::cube::CubeEquities;
use crate::game::{CubeAction, Equity};

/// Error of a checker play: the equity of the best candidate minus that of the play made, both on the mover's side. A
/// play that shows more than the best (the best is the one ranked first, not the highest) cost nothing.
#[must_use]
pub fn of_play(best: Equity, played: Equity) -> Equity {
    (best - played).max(Equity::ZERO)
}

/// Error of a cube action. *Double* is the difference of values, never the smaller of two unsigned errors.
#[must_use]
pub fn of_action(action: CubeAction, cube: CubeEquities) -> Equity {
    match action {
        CubeAction::NoDouble => cube.best() - cube.nd,
        CubeAction::Double => cube.best() - cube.doubled(),
        CubeAction::Take => (cube.dt - cube.dp).max(Equity::ZERO),
        CubeAction::Pass => (cube.dp - cube.dt).max(Equity::ZERO),
    }
}
