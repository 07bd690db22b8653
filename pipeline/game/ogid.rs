//! OGID, the position id of OpenGammon (`other-formats.md` 4.4).
//!
//! Read only: `WHITE:BLACK:CUBE[:DICE:TURN:STATE:SCOREW:SCOREB:LENGTH:MOVEID[:NCHK]]`. White is XGID's O and Black its X,
//! one character a checker. The trap is the turn: programs that fill STATE write who *reached* the position, so that the
//! other one decides; older ones leave STATE empty and write who decides. An id that ends after the cube tells no score
//! and makes no key.

use super::board::BoardFault;
use super::key::{Asked, PositionKey};
use super::score::{Length, MatchState, ScoreFault};
use super::{Board, Cube, Dice, Owner, Score};
use thiserror::Error;

/// Checkers a side may show.
const CHECKERS: usize = 15;

/// Why a text is no OGID, or one that no key describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OgidFault {
    /// Too few or too many fields.
    #[error("not an OGID of nine to eleven fields: without turn and score it shows no decision")]
    Fields,
    /// A field holds what means nothing; its name.
    #[error("OGID with a wrong {0}")]
    Field(&'static str),
    /// Both sides stand on one point.
    #[error("OGID with both sides on one point")]
    Shared,
    /// The checkers are no board.
    #[error("OGID: {0}")]
    Board(#[from] BoardFault),
    /// A score that reaches the length.
    #[error("OGID: {0}")]
    Score(#[from] ScoreFault),
    /// The double was passed: nobody has to decide.
    #[error("OGID of a passed double")]
    Passed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    White,
    Black,
}

impl Side {
    fn of(letter: &str) -> Option<Self> {
        match letter {
            "W" => Some(Self::White),
            "B" => Some(Self::Black),
            _ => None,
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// Whether a text is meant as an OGID: its third field is a cube as no other id writes it.
#[must_use]
pub fn is_meant(text: &str) -> bool {
    text.trim().split(':').nth(2).is_some_and(|field| field.starts_with(['W', 'B', 'N']))
}

/// Reads an OGID: the key, seen from who must decide, and the match.
///
/// # Errors
/// [`OgidFault`] when it is none, its score does not fit, or nobody has to decide.
pub fn decode(text: &str) -> Result<(PositionKey, MatchState), OgidFault> {
    let fields: Vec<&str> = text.trim().splitn(12, ':').collect();
    let Some((&[white, black, cube, dice, turn, state, white_points, black_points, length], rest)) =
        fields.split_first_chunk::<9>()
    else {
        return Err(OgidFault::Fields);
    };
    if rest.len() > 2 {
        return Err(OgidFault::Fields);
    }
    let turn = Side::of(turn).ok_or(OgidFault::Field("turn"))?;
    let decider = if state.is_empty() { turn } else { turn.other() };
    let (cube, offered) = cube_of(cube)?;
    let asked = match dice {
        _ if offered => Asked::Answer,
        "" => Asked::Double,
        digits => Asked::Move(dice_of(digits)?),
    };
    let (length, crawford) = length_of(length)?;
    let points = [number(black_points)?, number(white_points)?];
    let seen_from_black =
        PositionKey { board: board(white, black)?, cube, score: Score::at(length, points, crawford)?, asked };
    let PositionKey { board, cube, score, .. } = seen_from_black;
    let key = match decider {
        Side::Black => seen_from_black,
        Side::White => PositionKey { board: board.mirror(), cube: cube.mirror(), score: score.mirror(), asked },
    };
    Ok((key, MatchState { length, jacoby: false, beavers: false, cube_limit: None }))
}

/// Seen from Black, who is XGID's X. A checker borne off may be written `q`, or be left out.
fn board(white: &str, black: &str) -> Result<Board, OgidFault> {
    let mut cells = [0_i8; 26];
    for (side, step, name) in [(white, -1, "White"), (black, 1, "Black")] {
        if side.len() > CHECKERS {
            return Err(BoardFault::TooMany.into());
        }
        for byte in side.bytes().filter(|&byte| byte != b'q') {
            let at = match byte {
                b'0'..=b'9' => byte - b'0',
                b'a'..=b'p' => byte - b'a' + 10,
                _ => return Err(OgidFault::Field(name)),
            };
            let cell = &mut cells[usize::from(at)];
            if *cell * step < 0 {
                return Err(OgidFault::Shared);
            }
            *cell += step;
        }
    }
    Ok(Board::new(cells)?)
}

/// Owner seen from Black, value before the double; and whether a double waits for its answer.
fn cube_of(text: &str) -> Result<(Cube, bool), OgidFault> {
    let fault = OgidFault::Field("cube");
    let &[owner, log2 @ b'0'..=b'9', action] = text.as_bytes() else { return Err(fault) };
    let owner = match owner {
        b'N' => Owner::Centred,
        b'B' => Owner::Own,
        b'W' => Owner::Opponent,
        _ => return Err(fault),
    };
    let offered = match action {
        b'N' | b'T' => false,
        b'O' => true,
        b'P' => return Err(OgidFault::Passed),
        _ => return Err(fault),
    };
    Ok((Cube { log2: log2 - b'0', owner }, offered))
}

fn dice_of(digits: &str) -> Result<Dice, OgidFault> {
    let fault = OgidFault::Field("dice");
    let &[a @ b'1'..=b'6', b @ b'1'..=b'6'] = digits.as_bytes() else { return Err(fault) };
    Dice::new(a - b'0', b - b'0').ok_or(fault)
}

/// `7`, `3C` (Crawford game), `5L`, `9G15`; 0 = money.
fn length_of(text: &str) -> Result<(Length, bool), OgidFault> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (points, rule) = text.split_at(digits);
    let points = points.parse().map_err(|_| OgidFault::Field("length"))?;
    Ok((Length::from_points(points), rule.starts_with('C')))
}

fn number(text: &str) -> Result<i64, OgidFault> {
    text.parse().map_err(|_| OgidFault::Field("score"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::xgid;

    /// The four real ids of `other-formats.md` 4.4, and the XGIDs they are equivalent to.
    const REAL: [[&str; 2]; 4] = [
        ["11ccccchhhjjjjj:66666888dddddoo:N0N:46:B:IB:0:0:3:0", "-b----E-C---eE---c-e----B-:0:0:-1:46:0:0:0:3:10"],
        ["03cccchhhhjjjjj:16666888dddddoo:N0N:33:W:R:0:1:3:3", "aA-a--D-C---dE---d-e----B-:0:0:1:33:1:0:0:3:10"],
        ["99cchhiijjjkkmm:223334455666ddo:N0N:16:B:R:2:1:3C:13", "--BCBBC--b--bB---bbcb-b-A-:0:0:-1:16:1:2:1:3:10"],
        ["cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11", "-BBB--CC----eA--bc-e-B----:0:0:1:D:0:0:0:3:10"],
    ];

    #[test]
    fn real_ids_show_what_their_xgids_show() -> Result<(), String> {
        for [ogid, xgid] in REAL {
            let (key, state) = decode(ogid).map_err(|fault| format!("{ogid}: {fault}"))?;
            let (expected, of) = xgid::decode(xgid).map_err(|fault| format!("{xgid}: {fault}"))?;
            assert_eq!(key.to_string(), expected.to_string(), "{ogid}");
            assert_eq!(state.length, of.length);
            assert!(is_meant(ogid) && !is_meant(xgid));
        }
        assert!(!is_meant("4HPwATDgc/ABMA:cInlAAAAAAAE"));
        Ok(())
    }

    #[test]
    fn without_a_state_the_turn_names_who_decides() {
        let reached = "03cccchhhhjjjjj:16666888dddddoo:N0N:33:W:R:0:1:3:3";
        let decides = "03cccchhhhjjjjj:16666888dddddoo:N0N:33:B::0:1:3:3";
        assert_eq!(decode(reached), decode(decides));
        // Who answers a double is named as the one to act, too.
        let answer = "cccccgghhhjjjjj:112233666777dll:N0O::W::0:0:3:11";
        assert_eq!(decode(answer), decode(REAL[3][0]));
    }

    #[test]
    fn scores_owner_and_crawford_are_seen_from_who_decides() -> Result<(), OgidFault> {
        let (key, _) = decode("99cchhiijjjkkmm:223334455666ddo:W2N:16:B:R:2:1:3C:13")?;
        assert_eq!((key.score.own_away, key.score.opponent_away, key.score.is_crawford()), (1, 2, true));
        assert_eq!((key.cube.owner, key.cube.log2), (Owner::Own, 2));
        let (money, _) = decode("11ccccchhhjjjjj:66666888dddddoo:N0N:46:B:IB:0:0:0")?;
        assert_eq!(money.score, Score::MONEY);
        // Borne off: left out by one program, `q` of another.
        let (off, _) = decode("1qq:6:N0N::B::0:0:5L:7:x")?;
        assert_eq!((off.board.on_board(), off.asked), (1, Asked::Double));
        Ok(())
    }

    #[test]
    fn what_is_no_decision_is_refused() {
        let with = |cube: &str, tail: &str| decode(&format!("11cccc:66666:{cube}:{tail}"));
        assert_eq!(decode("11cccc:66666:N0N"), Err(OgidFault::Fields));
        assert_eq!(with("N0N", "46:B:R:0:0:3:0:n:more:and"), Err(OgidFault::Fields));
        assert_eq!(with("N0P", ":B:R:0:0:3"), Err(OgidFault::Passed));
        assert_eq!(with("X0N", "46:B:R:0:0:3"), Err(OgidFault::Field("cube")));
        assert_eq!(with("N0N", "47:B:R:0:0:3"), Err(OgidFault::Field("dice")));
        assert_eq!(with("N0N", "46::R:0:0:3"), Err(OgidFault::Field("turn")));
        assert_eq!(with("N0N", "46:B:R:0:0:C"), Err(OgidFault::Field("length")));
        assert_eq!(with("N0N", "46:B:R:zero:0:3"), Err(OgidFault::Field("score")));
        assert!(matches!(with("N0N", "46:B:R:3:0:3"), Err(OgidFault::Score(_))));
        assert_eq!(decode("16:6:N0N:46:B:R:0:0:3"), Err(OgidFault::Shared));
        assert_eq!(decode("1r:6:N0N:46:B:R:0:0:3"), Err(OgidFault::Field("White")));
        assert!(matches!(decode("1p:6:N0N:46:B:R:0:0:3"), Err(OgidFault::Board(BoardFault::WrongBar))));
        let many = "1".repeat(400);
        assert!(matches!(decode(&format!("{many}:6:N0N:46:B:R:0:0:3")), Err(OgidFault::Board(BoardFault::TooMany))));
    }
}
