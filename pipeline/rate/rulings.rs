//! What each analysis says is right (`metrics.md` 13.1, `classifiers.md` 10): one narrow row per analysed decision.
//!
//! A ruling answers the question the decider faced and nothing else: which play, double or not, take or not. Cube
//! rulings come from the equities, compared at the mpt, never from a label; where two actions are worth the same, the
//! one that leaves the cube alone, and the take, stand for both.

use super::cube_equities;
use crate::game::{CubeAction, Equity, Kind};
use crate::tables::facts::DecisionRow;
use crate::tables::partials::RulingRow;

/// The stored depth of a best option that was rolled out.
pub const ROLLOUT: &str = "rollout";

/// The rulings of one file's analysis, in the order of its decisions. What was not analysed has none.
#[must_use]
pub fn rulings(decisions: &[DecisionRow], source_id: &str) -> Vec<RulingRow> {
    let row = |row: &DecisionRow| {
        Some(RulingRow {
            season: row.season.clone(),
            match_id: row.match_id.clone(),
            source_id: source_id.to_owned(),
            game: row.game,
            order: row.order,
            position: RulingRow::position_of(&row.position_key),
            ruling: ruling(row)?.to_owned(),
            rollout: rolled_out(row),
            depth_rank: row.depth_rank.unwrap_or(0),
        })
    };
    decisions.iter().filter_map(row).collect()
}

/// What a row's analysis says is right; `None` without one.
pub(super) fn ruling(row: &DecisionRow) -> Option<&str> {
    match Kind::from_token(&row.kind)? {
        Kind::Checker => row.best.as_deref().filter(|_| row.candidates > 0),
        Kind::Cube(CubeAction::NoDouble | CubeAction::Double) => {
            let cube = cube_equities(row)?;
            Some(if exceeds(cube.doubled(), cube.nd) { "double" } else { "no_double" })
        }
        Kind::Cube(CubeAction::Take | CubeAction::Pass) => {
            let cube = cube_equities(row)?;
            Some(if exceeds(cube.dt, cube.dp) { "pass" } else { "take" })
        }
    }
}

/// Whether the best option of a row was rolled out.
pub(super) fn rolled_out(row: &DecisionRow) -> bool {
    row.depth_best.as_deref() == Some(ROLLOUT)
}

fn exceeds(a: Equity, b: Equity) -> bool {
    (a - b).mpt().0 > 0
}
