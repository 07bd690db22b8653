//! XGID: a position, its score and what is asked, in one line (`classifiers.md` 7, `other-formats.md` 4.1).
//!
//! An XGID is absolute: upper case is X, whoever is to act. A [`PositionKey`] is seen from the decider. This module
//! turns one into the other; it writes the decider as X always, so that equal keys with equal matches give equal text,
//! and reads both seats. It refuses what no board shows, and beavers, which no key describes. XGIDs are never compared
//! as text: keys are.

use super::board::BoardFault;
use super::key::{Asked, PositionKey};
use super::score::{Length, MatchState, ScoreFault};
use super::{Board, Cube, Dice, Owner, Score};
use crate::game::cube::LARGEST_LOG2;
use thiserror::Error;

/// What most writers put before the fields.
pub const PREFIX: &str = "XGID=";

/// log2 of the limit that is written when none is known: 1024, the usual one.
const USUAL_LIMIT: u8 = 10;

/// Why a text is no XGID, or one that no key describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum XgidFault {
    /// Another number of fields than nine or ten.
    #[error("not an XGID of nine or ten fields")]
    Fields,
    /// The first field is no board.
    #[error("XGID: {0}")]
    Board(#[from] BoardFault),
    /// A field that cannot be read; its name.
    #[error("XGID with a wrong {0}")]
    Field(&'static str),
    /// A score that reaches the length, or is negative.
    #[error("XGID: {0}")]
    Score(#[from] ScoreFault),
    /// A beaver or a raccoon is pending: no decision a key describes.
    #[error("XGID of a beaver")]
    Beaver,
}

/// The two sides of an XGID.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    X,
    O,
}

/// Writes a key with its prefix, the decider being X. The match is the real one when it is known and fits the key,
/// else the shortest in which the score can stand ([`MatchState::holding`]).
#[must_use]
pub fn encode(key: &PositionKey, real: Option<MatchState>) -> String {
    let state = MatchState::holding(key.score, real);
    let (turn, dice) = match key.asked {
        Asked::Move(dice) => (1, dice.to_string()),
        Asked::Double => (1, "00".to_owned()),
        Asked::Answer => (-1, "D".to_owned()),
    };
    let owner = match key.cube.owner {
        Owner::Centred => 0,
        Owner::Own => 1,
        Owner::Opponent => -1,
    };
    let [own, opponent] = state.points(key.score);
    let rule = match state.length {
        Length::Money => u8::from(state.jacoby) + 2 * u8::from(state.beavers),
        Length::Points(_) | Length::TooLong(_) => u8::from(key.score.is_crawford()),
    };
    let (board, log2) = (key.board.text(), key.cube.log2);
    let (length, limit) = (state.length.points(), state.cube_limit.unwrap_or(USUAL_LIMIT));
    format!("{PREFIX}{board}:{log2}:{owner}:{turn}:{dice}:{own}:{opponent}:{rule}:{length}:{limit}")
}

/// Reads an XGID, with or without its prefix and its tenth field: the key, seen from the decider, and what the text
/// says beyond it.
///
/// # Errors
/// [`XgidFault`] when the text is none, shows no board or score that can stand, or a pending beaver.
pub fn decode(text: &str) -> Result<(PositionKey, MatchState), XgidFault> {
    let text = text.trim();
    let fields: Vec<&str> = text.strip_prefix(PREFIX).unwrap_or(text).splitn(11, ':').collect();
    let (&[board, log2, owner, turn, dice, x, o, rule, length], limit) = match fields.split_first_chunk::<9>() {
        Some((nine, [])) => (nine, None),
        Some((nine, &[limit])) => (nine, Some(limit)),
        _ => return Err(XgidFault::Fields),
    };
    let (asked, decider) = asked(dice, side(turn)?)?;
    let (points, rule) = ([number(x, "score")?, number(o, "score")?], number(rule, "rule")?);
    let length = Length::from_points(u32::try_from(number(length, "length")?).map_err(|_| XgidFault::Field("length"))?);
    let score = Score::at(length, points, rule == 1)?;
    let (board, cube) = (Board::from_text(board)?, cube(log2, owner)?);
    let seen_from_x = PositionKey { board, cube, score, asked };
    let key = match decider {
        Side::X => seen_from_x,
        Side::O => PositionKey { board: board.mirror(), cube: cube.mirror(), score: score.mirror(), asked },
    };
    let money = length == Length::Money;
    let state = MatchState {
        length,
        jacoby: money && rule & 1 == 1,
        beavers: money && rule & 2 == 2,
        cube_limit: limit.map(cube_limit).transpose()?.flatten(),
    };
    Ok((key, state))
}

fn number(text: &str, field: &'static str) -> Result<i64, XgidFault> {
    text.parse().map_err(|_| XgidFault::Field(field))
}

/// Some writers leave the turn 0 and mean X.
fn side(turn: &str) -> Result<Side, XgidFault> {
    match number(turn, "turn")? {
        0 | 1 => Ok(Side::X),
        -1 => Ok(Side::O),
        _ => Err(XgidFault::Field("turn")),
    }
}

/// What is asked, and whom: with `D` the player on turn has doubled and the other decides.
fn asked(dice: &str, turn: Side) -> Result<(Asked, Side), XgidFault> {
    match dice {
        "00" => Ok((Asked::Double, turn)),
        "D" if turn == Side::X => Ok((Asked::Answer, Side::O)),
        "D" => Ok((Asked::Answer, Side::X)),
        "B" | "R" => Err(XgidFault::Beaver),
        digits if digits.len() == 2 => digits
            .parse()
            .ok()
            .and_then(Dice::from_digits)
            .map(|dice| (Asked::Move(dice), turn))
            .ok_or(XgidFault::Field("dice")),
        _ => Err(XgidFault::Field("dice")),
    }
}

/// Seen from X.
fn cube(log2: &str, owner: &str) -> Result<Cube, XgidFault> {
    let log2 = number(log2, "cube")?;
    let log2 = u8::try_from(log2).ok().filter(|&log2| log2 <= LARGEST_LOG2).ok_or(XgidFault::Field("cube"))?;
    let owner = match number(owner, "cube owner")? {
        0 => Owner::Centred,
        1 => Owner::Own,
        -1 => Owner::Opponent,
        _ => return Err(XgidFault::Field("cube owner")),
    };
    Ok(Cube { log2, owner })
}

/// 0 is what writers put when they do not know.
fn cube_limit(text: &str) -> Result<Option<u8>, XgidFault> {
    let limit = u8::try_from(number(text, "cube limit")?).map_err(|_| XgidFault::Field("cube limit"))?;
    Ok(Some(limit).filter(|&limit| limit > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "-b----E-C---eE---c-e----B-";

    fn key_of(fields: &str) -> Result<String, XgidFault> {
        decode(fields).map(|(key, _)| key.to_string())
    }

    #[test]
    fn the_examples_have_the_published_keys() -> Result<(), XgidFault> {
        let published = [
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", "-b----E-C---eE---c-e----B-|0|c|n|7|7|m|31"),
            ("-b----E-C---eE---c-e----B-:0:0:-1:13:0:0:0:7:0", "-b----E-C---eE---c-e----B-|0|c|n|7|7|m|31"),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10", "-b----E-C---eE---c-e----B-|0|c|$|0|0|m|31"),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:6:1:7:10", "-b----E-C---eE---c-e----B-|0|c|c|4|1|d|00"),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:6:0:7:10", "-b----E-C---eE---c-e----B-|0|c|p|4|1|d|00"),
            ("XGID=-b---BD-B---eE---c-e----B-:0:0:-1:52:0:0:0:7:10", "-b----E-C---eE---b-db---B-|0|c|n|7|7|m|52"),
            ("XGID=-----BD-C---cD--bc-dB-c---:1:1:1:00:2:3:0:7:10", "-----BD-C---cD--bc-dB-c---|1|m|n|5|4|d|00"),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:6:6:1:7:10", "-b----E-C---eE---c-e----B-|0|c|p|1|1|m|31"),
            ("--ACBBB------A-----dBcBaf-:0:0:1:46:0:1:0:3:8", "--ACBBB------A-----dBcBaf-|0|c|n|3|2|m|64"),
            ("-FAbCbD-----a------bbbca--:0:0:-1:46:1:0:0:3:8", "--ACBBB------A-----dBcBaf-|0|c|n|3|2|m|64"),
            ("-A--B-DCC----A------bbbcdA:1:1:-1:41:6:2:0:13:10", "aDCBBB------a----ccd-b--a-|1|o|n|11|7|m|41"),
            ("--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10", "--BaBCCBAA------acccc-a--A|0|c|n|7|5|d|00"),
            ("--BaBCCBAA------acccc-a--A:0:0:1:D:0:2:0:7:10", "a--A-CCCCA------aabccbAb--|0|c|n|5|7|r|00"),
            ("bA----D-C---dE---d-e----B-:0:0:1:00:0:0:3:0:10", "bA----D-C---dE---d-e----B-|0|c|$|0|0|d|00"),
            ("-BBB--CC----eA--bc-e-B----:0:0:1:D:0:0:0:3:10", "----b-E-CB--aE----cc--bbb-|0|c|n|3|3|r|00"),
        ];
        for (text, key) in published {
            assert_eq!(key_of(text)?, format!("bg1|{key}"), "{text}");
        }
        Ok(())
    }

    #[test]
    fn the_short_forms_of_decoded_positions_are_the_published_ones() -> Result<(), XgidFault> {
        let published = [
            ("--ACBBB------A-----dBcBaf-:0:0:1:46:0:1:0:3:8", "82459336a1c406b2d434ef4875eb44e6"),
            ("-A--B-DCC----A------bbbcdA:1:1:-1:41:6:2:0:13:10", "dfd89eb4e31e329db6ee9a76a0a0a3ee"),
            ("--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10", "799e1c7aaaa2a720c95463d08a2eadf6"),
            ("--BaBCCBAA------acccc-a--A:0:0:1:D:0:2:0:7:10", "6b6bf8a7290f2446e693d059ef9223ca"),
            ("bA----D-C---dE---d-e----B-:0:0:1:00:0:0:3:0:10", "1caec70d65c49919f85bc43872088bf7"),
            ("-BBB--CC----eA--bc-e-B----:0:0:1:D:0:0:0:3:10", "edf66f0711025c77ca60eddc2fa9f80d"),
        ];
        for (text, short) in published {
            assert_eq!(decode(text)?.0.short(), short, "{text}");
        }
        Ok(())
    }

    #[test]
    fn pips_are_those_the_program_prints_beside_the_position() -> Result<(), XgidFault> {
        let printed = [
            ("-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10", 111, 52),
            ("---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10", 147, 137),
            ("-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10", 139, 156),
            ("--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10", 101, 112),
            ("---BADB------------bf---a-:1:1:1:00:4:0:0:7:10", 42, 43),
            ("a--aB-BBA--acDa-Ab-db---BA:0:0:1:64:2:0:0:13:10", 183, 161),
        ];
        for (text, own, opponent) in printed {
            let board = decode(text)?.0.board;
            assert_eq!((board.pips(), board.mirror().pips()), (own, opponent), "{text}");
        }
        Ok(())
    }

    #[test]
    fn what_cannot_stand_is_refused() {
        let start = |tail: &str| decode(&format!("{START}:{tail}")).map(|_| ());
        let board = |text: &str| decode(&format!("{text}:0:0:1:31:0:0:0:7:10")).map(|_| ());
        assert_eq!(start("0:0:1:31:0:0:0:7"), Ok(()));
        assert_eq!(start("0:0:1:31:0:0:0"), Err(XgidFault::Fields));
        assert_eq!(start("0:0:1:31:0:0:0:7:10:1"), Err(XgidFault::Fields));
        assert_eq!(board("-b----E-C---eE---c-e----B"), Err(XgidFault::Board(BoardFault::Text)));
        assert_eq!(board("-b----E-C---eE---c-e----P-"), Err(XgidFault::Board(BoardFault::Text)));
        assert_eq!(board("-b----E-C---eE---c-e----Ba"), Err(XgidFault::Board(BoardFault::WrongBar)));
        assert_eq!(board("Ab----D-C---eE---c-e----B-"), Err(XgidFault::Board(BoardFault::WrongBar)));
        assert_eq!(board("-b----E-C---eE---c-e----C-"), Err(XgidFault::Board(BoardFault::TooMany)));
        assert_eq!(start("0:0:1:31:7:0:0:7:10"), Err(XgidFault::Score(ScoreFault { points: 7, length: 7 })));
        assert_eq!(start("0:0:1:31:-1:0:0:7:10"), Err(XgidFault::Score(ScoreFault { points: -1, length: 7 })));
        let least = i64::MIN;
        let fault = XgidFault::Score(ScoreFault { points: least, length: 7 });
        assert_eq!(start(&format!("0:0:1:31:{least}:0:0:7:10")), Err(fault));
        assert_eq!(start("0:0:1:31:0:0:0:-7:10"), Err(XgidFault::Field("length")));
        assert_eq!(start("31:0:1:31:0:0:0:7:10"), Err(XgidFault::Field("cube")));
        assert_eq!(start("0:2:1:31:0:0:0:7:10"), Err(XgidFault::Field("cube owner")));
        assert_eq!(start("0:0:3:31:0:0:0:7:10"), Err(XgidFault::Field("turn")));
        assert_eq!(start("0:0:1:71:0:0:0:7:10"), Err(XgidFault::Field("dice")));
        assert_eq!(start("0:0:1:031:0:0:0:7:10"), Err(XgidFault::Field("dice")));
        assert_eq!(start("1:1:1:B:0:0:3:0:10"), Err(XgidFault::Beaver));
    }

    #[test]
    fn the_decider_is_written_as_x_in_the_shortest_match_that_fits() -> Result<(), XgidFault> {
        let again = |text: &str| decode(text).map(|(key, _)| encode(&key, None));
        assert_eq!(again(&format!("{START}:0:0:-1:13:1:3:0:7:8"))?, format!("XGID={START}:0:0:1:31:2:0:0:6:10"));
        assert_eq!(again(&format!("{START}:0:0:1:00:3:6:1:7"))?, format!("XGID={START}:0:0:1:00:0:3:1:4:10"));
        assert_eq!(again(&format!("{START}:0:0:1:31:0:0:0:1"))?, format!("XGID={START}:0:0:1:31:0:0:1:1:10"));
        assert_eq!(again(&format!("{START}:0:0:1:31:6:6:1:7"))?, format!("XGID={START}:0:0:1:31:1:1:0:2:10"));
        let answer = "XGID=a--A-CCCCA------aabccbAb--:0:0:-1:D:0:2:0:7:10";
        assert_eq!(again("--BaBCCBAA------acccc-a--A:0:0:1:D:0:2:0:7:10")?, answer.replace("D:0:2", "D:2:0"));
        Ok(())
    }

    #[test]
    fn the_real_match_is_used_where_it_fits() -> Result<(), XgidFault> {
        let money = format!("XGID={START}:0:0:1:31:0:0:3:0:10");
        let (key, state) = decode(&money)?;
        assert!(state.jacoby && state.beavers);
        assert_eq!(encode(&key, Some(state)), money);
        let (key, state) = decode(&format!("{START}:1:-1:1:00:2:6:0:9:8"))?;
        assert_eq!(encode(&key, Some(state)), format!("XGID={START}:1:-1:1:00:2:6:0:9:8"));
        let short = MatchState { length: Length::Points(5), ..state };
        assert_eq!(encode(&key, Some(short)), format!("XGID={START}:1:-1:1:00:0:4:0:7:8"));
        Ok(())
    }
}
