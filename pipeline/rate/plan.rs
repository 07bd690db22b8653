//! Game plan of a position, from the mover's side (`classifiers.md` 3): the first of eleven rules that fits.
//!
//! Each player has his own plan, so the plan is not symmetric; cube and score play no part. The thresholds below are
//! those of `plan_v1`: changing one is a new version, because every stored family is named after a plan.

use crate::game::Board;
use std::ops::RangeInclusive;

/// Version of the rules, stored with what they yield.
pub const PLAN_VERSION: &str = "plan_v1";

/// The mover's home board.
const HOME: RangeInclusive<usize> = 1..=6;
/// The opponent's home board, where the mover's points are anchors.
const ANCHORS: RangeInclusive<usize> = 19..=24;
/// Where a point of the mover holds the opponent back: his 18 to 21, the opponent's bar point to his 4.
const HOLDING: RangeInclusive<usize> = 18..=21;
/// The same for the opponent.
const HELD: RangeInclusive<usize> = 4..=7;
/// Crunched: at most so many checkers are still useful, that is, outside the points 1 and 2.
const USEFUL: u8 = 6;
/// An ace-point game needs to be so many pips behind; nearer than that it is still a fight.
const ACE_POINT_BEHIND: u32 = 20;
/// A blitz needs so many home points.
const BLITZ_POINTS: usize = 3;
/// A prime worth the name.
const PRIME: usize = 4;

/// What a side is trying to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Plan {
    /// A side has no checker left on the board.
    Over,
    /// No contact.
    Race,
    /// All home, the opponent still holding a point there.
    Bearin,
    /// Hardly a checker left outside the points 1 and 2.
    Crunch,
    /// Two anchors or more.
    Backgame,
    /// One anchor, on the opponent's ace point, and far behind.
    Acepoint,
    /// Attack on a checker on the bar or a blot at home.
    Blitz,
    /// Both are primed, both have primes.
    Primevprime,
    /// Both hold a point that the other must pass.
    Mutualholding,
    /// The mover holds such a point.
    Holding,
    /// Anything else.
    Contact,
}

impl Plan {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Race => "race",
            Self::Bearin => "bearin",
            Self::Crunch => "crunch",
            Self::Backgame => "backgame",
            Self::Acepoint => "acepoint",
            Self::Blitz => "blitz",
            Self::Primevprime => "primevprime",
            Self::Mutualholding => "mutualholding",
            Self::Holding => "holding",
            Self::Contact => "contact",
        }
    }
}

/// The mover's plan.
#[must_use]
pub fn plan(board: &Board) -> Plan {
    let cells = board.cells();
    let opponent_holds = |points: RangeInclusive<usize>| cells[points].iter().any(|&cell| cell <= -2);
    if board.on_board() == 0 || board.mirror().on_board() == 0 {
        return Plan::Over;
    }
    if board.no_contact() {
        return Plan::Race;
    }
    if board.rearmost() <= 6 && opponent_holds(HOME) {
        return Plan::Bearin;
    }
    if useful(cells) <= USEFUL {
        return Plan::Crunch;
    }
    let anchors = made(cells, ANCHORS).count();
    if anchors >= 2 {
        return Plan::Backgame;
    }
    if anchors == 1 && cells[24] >= 2 && board.pips() >= board.mirror().pips() + ACE_POINT_BEHIND {
        return Plan::Acepoint;
    }
    if made(cells, HOME).count() >= BLITZ_POINTS && under_attack(cells) {
        return Plan::Blitz;
    }
    if primed(board) && primed(&board.mirror()) {
        return Plan::Primevprime;
    }
    match (made(cells, HOLDING).count() > 0, opponent_holds(HELD)) {
        (true, true) => Plan::Mutualholding,
        (true, false) => Plan::Holding,
        (false, _) => Plan::Contact,
    }
}

/// The mover's made points among some.
fn made(cells: &[i8; 26], points: RangeInclusive<usize>) -> impl Iterator<Item = usize> {
    points.filter(|&point| cells[point] >= 2)
}

/// The mover's checkers outside his points 1 and 2, bar included.
fn useful(cells: &[i8; 26]) -> u8 {
    cells[3..].iter().map(|&cell| cell.max(0).unsigned_abs()).sum()
}

/// The opponent is on the bar, or has a blot in the mover's home.
fn under_attack(cells: &[i8; 26]) -> bool {
    cells[0] < 0 || cells[HOME].contains(&-1)
}

/// The mover has a prime, and is himself trapped: an opponent's point lies before his rearmost checker. Both players
/// primed is prime against prime.
fn primed(board: &Board) -> bool {
    let cells = board.cells();
    let (mut run, mut longest) = (0, 0);
    for &cell in &cells[1..25] {
        run = if cell >= 2 { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let rearmost = usize::from(board.rearmost());
    longest >= PRIME && cells[..rearmost].iter().skip(1).any(|&cell| cell <= -2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::BoardFault;
    use crate::rate::phase::phase;

    /// The test positions of `classifiers.md` 3: board, pips of both, phase, plan, the other side's plan.
    const POSITIONS: [(&str, u32, u32, &str, &str, &str); 21] = [
        ("-b----E-C---eE---c-e----B-", 167, 167, "opening", "contact", "contact"),
        ("-b---BD-B---eE---c-e----B-", 163, 167, "opening", "contact", "contact"),
        ("-----CE-D----Cc--d-ec-----", 116, 110, "race", "race", "race"),
        ("--ABCCD------------edcb---", 59, 68, "bearoff", "race", "race"),
        ("-bBCCCD------------edd----", 64, 114, "middlegame", "bearin", "acepoint"),
        ("----DDE------------dcccbB-", 114, 64, "middlegame", "acepoint", "bearin"),
        ("-ED--BB-----a----ccec---B-", 83, 103, "middlegame", "crunch", "contact"),
        ("-b----D-C---dD---cbd--B-B-", 192, 162, "opening", "backgame", "contact"),
        ("aa--BBD-B---eC---c-e----B-", 145, 168, "middlegame", "blitz", "contact"),
        ("--b-BBCCBA------abccbb--B-", 130, 128, "middlegame", "primevprime", "primevprime"),
        ("-----BD-C---cD--bc-dB-c---", 150, 114, "middlegame", "holding", "contact"),
        ("----BbD-C---dD---c-dB-b---", 148, 146, "opening", "mutualholding", "mutualholding"),
        ("-b----E-C---eE---c-e---AA-", 166, 167, "opening", "contact", "contact"),
        ("-----------------------cb-", 0, 8, "bearoff", "over", "over"),
        ("-b--CCD-----cC---ccd----B-", 138, 156, "middlegame", "contact", "contact"),
        ("---BCDEb----------cee-----", 68, 112, "race", "race", "race"),
        ("-C---EG------------feb--b-", 70, 71, "bearoff", "race", "race"),
        ("-----BD-C---cD--bc-d--Bc--", 154, 111, "middlegame", "contact", "contact"),
        ("-----BD-C---cD--bcBd--c---", 146, 114, "middlegame", "holding", "contact"),
        ("----bBD-C---cD---c-e---bB-", 158, 139, "opening", "contact", "holding"),
        ("----bBD-BA--cD---c-e---bB-", 159, 139, "opening", "acepoint", "holding"),
    ];

    #[test]
    fn the_test_positions_have_the_published_phase_and_plans() -> Result<(), BoardFault> {
        for (text, own, opponent, stage, mine, other) in POSITIONS {
            let board = Board::from_text(text)?;
            let mirror = board.mirror();
            assert_eq!((board.pips(), mirror.pips()), (own, opponent), "pips of {text}");
            assert_eq!((phase(&board).token(), phase(&mirror).token()), (stage, stage), "phase of {text}");
            assert_eq!((plan(&board).token(), plan(&mirror).token()), (mine, other), "plans of {text}");
        }
        Ok(())
    }
}
