//! What XG's stored codes mean: seats, boards, cubes, plays, evaluations, levels, errors, dates.
//!
//! Each function turns one stored form into one type of `game` or `record`, or says that it cannot. Nothing is guessed:
//! a number that is not finite, a board that cannot stand on a table and an unknown level are absent.

use super::fields::Fields;
use crate::game::cube::LARGEST_LOG2;
use crate::game::play::{BAR, OFF, PlayFault};
use crate::game::{Board, Cube, Equity, Owner, Play, Probability, Seat, Step};
use crate::ingest::record::{Depth, Odds, Variant};
use jiff::ToSpan;
use jiff::civil::{Date, date};

/// Errors and lucks from here down were never computed: XG writes -1000.
const UNSET: f64 = -999.0;
/// Wins and losses of one evaluation add up to 1, single precision and rollouts allowed for.
const ODDS_NOISE: f64 = 1e-3;

/// +1 is the first player, -1 the second.
pub(super) fn seat(code: i32) -> Option<Seat> {
    match code {
        1 => Some(Seat::First),
        -1 => Some(Seat::Second),
        _ => None,
    }
}

/// A position as it is seen in the file; a table without a checker is no position.
#[inline]
pub(super) fn board(cells: [i8; 26]) -> Option<Board> {
    if cells == [0; 26] { None } else { Board::new(cells).ok() }
}

/// A position stored from player 1's view, seen from `seat`.
pub(super) fn board_for(seat: Seat, cells: [i8; 26]) -> Option<Board> {
    let board = board(cells)?;
    Some(if seat == Seat::First { board } else { board.mirror() })
}

/// The cube: 0 centred, +n at 2^n with player 1, -n with player 2; all of it 2^`automatic` times higher.
pub(super) fn cube_for(seat: Seat, code: i32, automatic: u8) -> Option<Cube> {
    let log2 = u8::try_from(code.unsigned_abs()).ok()?.checked_add(automatic).filter(|&log2| log2 <= LARGEST_LOG2)?;
    let owner = match code.signum() {
        0 => Owner::Centred,
        1 => Owner::Own,
        _ => Owner::Opponent,
    };
    let cube = Cube { log2, owner };
    Some(if seat == Seat::First { cube } else { cube.mirror() })
}

/// Up to four (from, to) pairs in the mover's numbering less one.
///
/// A first cell of -1 ends the list, a second below 0 is a bear-off whatever its value; a list of zeros is no move.
#[inline]
pub(super) fn play(codes: [i32; 8]) -> Result<Play, PlayFault> {
    let cell = |code: i32| u8::try_from(code).ok().filter(|&code| code < BAR).map(|code| code + 1);
    let mut play = Play::default();
    if codes == [0; 8] {
        return Ok(play);
    }
    for pair in codes.chunks_exact(2) {
        let &[from, to] = pair else { break };
        if from == -1 {
            break;
        }
        let from = cell(from).ok_or(PlayFault::Text)?;
        let to = if to < 0 { OFF } else { cell(to).filter(|&to| to < BAR).ok_or(PlayFault::Text)? };
        play.push(Step { from, to })?;
    }
    Ok(play)
}

/// The six probabilities of an evaluation; `None` when they are no distribution.
#[inline]
pub(super) fn odds(evaluation: Fields<'_>) -> Option<Odds> {
    let at = |i: usize| evaluation.f32(4 * i);
    if (at(2) + at(3) - 1.0).abs() > ODDS_NOISE {
        return None;
    }
    Some(Odds {
        win: Probability::from_f64(at(3))?,
        win_gammon: Probability::from_f64(at(4))?,
        win_backgammon: Probability::from_f64(at(5))?,
        lose: Probability::from_f64(at(2))?,
        lose_gammon: Probability::from_f64(at(1))?,
        lose_backgammon: Probability::from_f64(at(0))?,
    })
}

/// The equity of an evaluation: cubeful for a candidate, cubeless in a cube record.
#[inline]
pub(super) fn equity(evaluation: Fields<'_>) -> Option<Equity> {
    Equity::from_f64(evaluation.f32(24))
}

/// A stored error or luck; `None` when it was not computed.
pub(super) fn stored(value: f64) -> Option<Equity> {
    Equity::from_f64(value).filter(|_| value > UNSET)
}

/// A level code (`xg-format.md` 8.2).
pub(super) const fn depth(level: i32) -> Depth {
    match level {
        0 => Depth::XgPly(1),
        1 | 11 => Depth::XgPly(2),
        12 => Depth::XgRed,
        2 => Depth::XgPly(3),
        1000 => Depth::Roller,
        3 => Depth::XgPly(4),
        1001 => Depth::RollerPlus,
        4 => Depth::XgPly(5),
        5 => Depth::XgPly(6),
        6 => Depth::XgPly(7),
        1002 => Depth::RollerPlusPlus,
        998 | 999 => Depth::Book,
        100 => Depth::Rollout,
        _ => Depth::Unknown,
    }
}

/// The variation code; `None` when it names nothing known.
pub(super) const fn variant(code: i32) -> Option<Variant> {
    match code {
        0 => Some(Variant::Backgammon),
        1 => Some(Variant::Nackgammon),
        2 => Some(Variant::Hypergammon),
        3 => Some(Variant::Longgammon),
        _ => None,
    }
}

/// Where a game of this variant starts when its header leaves the position empty.
pub(super) fn start(variant: Variant) -> Board {
    let text = match variant {
        Variant::Backgammon => return Board::START,
        Variant::Nackgammon => "-bb---D-C---dD---c-d---BB-",
        Variant::Hypergammon => "-aaa------------------AAA-",
        Variant::Longgammon => "-o----------------------O-",
    };
    Board::from_text(text).unwrap_or(Board::START)
}

/// The day of a Delphi date, rounded to the nearest second; `None` for 0 and for what no calendar has.
pub(super) fn day(days: f64) -> Option<Date> {
    const SECONDS: f64 = 86_400.0;
    /// 9999-12-31, the last day of the calendar.
    const LAST: f64 = 2_958_465.0;
    /// Day 0 of Delphi's count.
    const EPOCH: Date = date(1899, 12, 30);
    let whole = libm::floor(libm::round(days * SECONDS) / SECONDS);
    if !(1.0..=LAST).contains(&whole) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked against the calendar just above")]
    EPOCH.checked_add((whole as i64).days()).ok()
}

/// A rating as text; `None` for what XG writes when nobody set one: 0, or 1600 without experience.
pub(super) fn rating(elo: f64, experience: i32) -> Option<String> {
    const DEFAULT: f64 = 1600.0;
    const HIGHEST: f64 = 10_000.0;
    let unset = experience == 0 && (elo - DEFAULT).abs() < 0.005;
    if unset || !(0.005..HIGHEST).contains(&elo) {
        return None;
    }
    Some(format!("{elo:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(codes: [i32; 8]) -> Result<Vec<(u8, u8)>, PlayFault> {
        Ok(play(codes)?.steps().iter().map(|step| (step.from, step.to)).collect())
    }

    #[test]
    fn a_bear_off_does_not_end_a_play() -> Result<(), PlayFault> {
        assert_eq!(steps([4, -2, 1, -1, -1, -1, -1, -1])?, [(5, 0), (2, 0)]);
        assert_eq!(steps([4, 0, 4, -2, -1, -1, -1, -1])?, [(5, 1), (5, 0)]);
        assert_eq!(steps([4, -1, 4, 1, -1, -1, -1, -1])?, [(5, 0), (5, 2)]);
        assert_eq!(steps([24, 20, -1, 99, 99, 99, 99, 99])?, [(25, 21)]);
        Ok(())
    }

    #[test]
    fn zeros_and_an_ended_list_are_no_move() -> Result<(), PlayFault> {
        assert_eq!(steps([0; 8])?, []);
        assert_eq!(steps([-1; 8])?, []);
        assert!(play([-100, 0, 0, 0, 0, 0, 0, 0]).is_err());
        assert!(play([i32::MAX, i32::MIN, 0, 0, 0, 0, 0, 0]).is_err());
        assert!(play([25, 3, -1, -1, -1, -1, -1, -1]).is_err());
        Ok(())
    }

    #[test]
    fn dates_are_rounded_to_the_second_before_the_day_is_taken() {
        assert_eq!(day(45_515.960_370_370_37), Some(date(2024, 8, 11)));
        assert_eq!(day(45_515.999_999), Some(date(2024, 8, 12)));
        assert_eq!(day(2.0), Some(date(1900, 1, 1)));
        for nothing in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 3_000_000.0] {
            assert_eq!(day(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn levels_are_ordered_as_the_format_page_orders_them() {
        let order = [0, 1, 12, 2, 1000, 3, 1001, 4, 5, 6, 1002, 998, 100].map(|code| depth(code).rank());
        assert_eq!(order, [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14]);
        assert_eq!([depth(-1), depth(-100), depth(1003)].map(Depth::rank), [0, 0, 0]);
        assert_eq!(depth(11), Depth::XgPly(2));
        assert_eq!(depth(999), Depth::Book);
    }

    #[test]
    fn an_error_that_was_not_computed_is_absent() {
        assert_eq!(stored(-1000.0), None);
        assert_eq!(stored(-999.5), None);
        assert_eq!(stored(f64::NAN), None);
        assert_eq!(stored(-0.25), Some(Equity::from_units(-25_000_000)));
    }

    #[test]
    fn a_default_rating_is_no_rating() {
        assert_eq!(rating(1600.0, 0), None);
        assert_eq!(rating(0.0, 0), None);
        assert_eq!(rating(f64::NAN, 5), None);
        assert_eq!(rating(1600.0, 25).as_deref(), Some("1600.00"));
        assert_eq!(rating(1783.417, 0).as_deref(), Some("1783.42"));
    }

    #[test]
    fn the_cube_is_seen_from_the_decider() {
        let cube = |log2, owner| Some(Cube { log2, owner });
        assert_eq!(cube_for(Seat::First, 2, 0), cube(2, Owner::Own));
        assert_eq!(cube_for(Seat::Second, 2, 0), cube(2, Owner::Opponent));
        assert_eq!(cube_for(Seat::Second, 0, 1), cube(1, Owner::Centred));
        assert_eq!(cube_for(Seat::First, 31, 0), None);
        assert_eq!(cube_for(Seat::First, i32::MIN, 0), None);
    }

    #[test]
    fn every_variant_starts_from_a_board_of_its_own_that_is_its_mirror() {
        for (variant, pips) in [
            (Variant::Backgammon, 167),
            (Variant::Nackgammon, 194),
            (Variant::Hypergammon, 69),
            (Variant::Longgammon, 360),
        ] {
            assert_eq!(start(variant).pips(), pips, "{variant:?}");
            assert_eq!(start(variant).mirror(), start(variant), "{variant:?}");
        }
    }
}
