//! How a game ended: what its root claims against what its last position shows.
//!
//! The claim is trusted, the position judges it. A double passed or a side borne off shows winner and points; a
//! resignation shows nothing but that the points are a multiple of the cube. One program version writes automatic
//! doubles that it did not play with: then the claim fits only without them, and [`Settled::automatic`] says so.

use super::root::Claim;
use crate::game::{Board, Owner, Seat};
use crate::ingest::record::{Ending, Outcome};

/// The last position of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    /// From the first seat's side.
    pub(super) board: Board,
    /// Checkers of each seat at the start: fifteen but in hypergammon and set-up positions.
    pub(super) checkers: [u8; 2],
    /// Value of the cube.
    pub(super) cube: i64,
    /// Log2 of the automatic doubles inside that value.
    pub(super) automatic: u8,
    /// Under the Jacoby rule gammons count once the cube was turned.
    pub(super) gammons_count: bool,
    /// Who passed a double.
    pub(super) passed: Option<Seat>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    pub(super) outcome: Option<Outcome>,
    /// Whether the automatic doubles were really in force.
    pub(super) automatic: bool,
    /// What does not fit.
    pub(super) fault: Option<&'static str>,
}

/// Settles a game.
pub(super) fn settle(claim: Option<Claim>, last: &Last) -> Settled {
    let shown = last.shown();
    let Some(claim) = claim else { return Settled { outcome: shown, automatic: true, fault: None } };
    let outcome = |ending| Some(Outcome { winner: claim.winner, points: claim.points, ending });
    let Some(shown) = shown else {
        let ending = if claim.resigned { Ending::Resigned } else { Ending::Unknown };
        let fits = |cube: i64| claim.points % cube == 0 && claim.points <= 3 * cube;
        let automatic = fits(last.cube) || !fits(last.cube >> last.automatic);
        let fault =
            (!fits(last.cube) && automatic && claim.resigned).then_some("a resignation for no multiple of the cube");
        return Settled { outcome: outcome(ending), automatic, fault };
    };
    if claim.winner == shown.winner && claim.points == shown.points {
        return Settled { outcome: outcome(shown.ending), automatic: true, fault: None };
    }
    if claim.winner == shown.winner && claim.points << last.automatic == shown.points {
        return Settled {
            outcome: outcome(shown.ending),
            automatic: false,
            fault: Some("automatic doubles that were not played"),
        };
    }
    Settled {
        outcome: outcome(Ending::Unknown),
        automatic: true,
        fault: Some("a result that the last position contradicts"),
    }
}

impl Last {
    /// The end as the position shows it.
    fn shown(&self) -> Option<Outcome> {
        if let Some(loser) = self.passed {
            return Some(Outcome { winner: loser.other(), points: self.cube, ending: Ending::Pass });
        }
        let winner = Seat::BOTH
            .into_iter()
            .find(|&seat| self.checkers[seat.index()] > 0 && seen(&self.board, seat).on_board() == 0)?;
        Some(Outcome { winner, points: self.cube * self.multiplier(winner), ending: Ending::BorneOff })
    }

    fn multiplier(&self, winner: Seat) -> i64 {
        let board = seen(&self.board, winner);
        let loser = winner.other();
        if !self.gammons_count || board.mirror().on_board() < self.checkers[loser.index()] {
            return 1;
        }
        // The loser's rearmost checker on the bar (0) or in the winner's home (1..=6).
        if board.opponent_rearmost() <= 6 { 3 } else { 2 }
    }
}

/// A board kept from the first seat's side, as `seat` sees it.
pub(super) fn seen(board: &Board, seat: Seat) -> Board {
    match seat {
        Seat::First => *board,
        Seat::Second => board.mirror(),
    }
}

/// Who owns the cube, as `seat` sees it.
pub(super) fn owner_seen(owner: Option<Seat>, seat: Seat) -> Owner {
    match owner {
        None => Owner::Centred,
        Some(owner) if owner == seat => Owner::Own,
        Some(_) => Owner::Opponent,
    }
}
