//! GNU Backgammon's position id and match id (`other-formats.md` 4.2, 4.3).
//!
//! Both are base64 over bits numbered from the least significant of each byte. The position id shows the board from
//! the player on roll; the match id tells who that is and everything else. Together, as `position:match`, they make a
//! [`PositionKey`]. This module reads what decodes, also where score and length contradict each other; only the key
//! asks that they fit.
//!
//! gnuBG's players 0 and 1 are [`Seat::First`] and [`Seat::Second`] here; XGID's X is player 1.

use super::board::BoardFault;
use super::cube::LARGEST_LOG2;
use super::key::{Asked, PositionKey};
use super::score::{Length, MatchState, ScoreFault};
use super::{Board, Cube, Dice, Owner, Score, Seat};
use thiserror::Error;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes behind a position id of 14 characters.
const POSITION_BYTES: usize = 10;
/// Bytes behind a match id of 12 characters.
const MATCH_BYTES: usize = 9;
/// Cells of one side in a position id: 24 points and the bar.
const CELLS: usize = 25;

/// Why a text is no id, or one that no key describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GnuIdFault {
    /// Another length, a character outside the alphabet, or bits set where there is none.
    #[error("not an id in base64")]
    Text,
    /// The bits of a position id end before the last cell, or go on after it.
    #[error("position id that does not end with its last cell")]
    Cells,
    /// Both sides stand on one point.
    #[error("position id with both sides on one point")]
    Shared,
    /// The checkers are no board.
    #[error("position id: {0}")]
    Board(#[from] BoardFault),
    /// A field of the match id holds a number that means nothing; its name.
    #[error("match id with a wrong {0}")]
    Field(&'static str),
    /// A score that reaches the length.
    #[error("match id: {0}")]
    Score(#[from] ScoreFault),
    /// A resignation is pending: no decision a key describes.
    #[error("match id of a resignation")]
    Resignation,
}

/// Position id of a board whose mover is on roll.
#[must_use]
pub fn position_id(board: &Board) -> String {
    let mut bits = Bits::<POSITION_BYTES>::default();
    let mut at = 0;
    for side in [board.mirror(), *board] {
        for &cell in &side.cells()[1..] {
            for _ in 0..cell.max(0) {
                bits.put(at, 1, 1);
                at += 1;
            }
            at += 1;
        }
    }
    bits.text()
}

/// The board of a position id, seen from the player on roll.
///
/// # Errors
/// [`GnuIdFault`] when the text is no id or the checkers cannot stand so.
pub fn board(id: &str) -> Result<Board, GnuIdFault> {
    let bits = Bits::<POSITION_BYTES>::read(id)?;
    let mut at = 0;
    let mut counts = [[0i8; CELLS]; 2];
    for count in counts.iter_mut().flatten() {
        while bits.get(at, 1).ok_or(GnuIdFault::Cells)? == 1 {
            // At most 80 bits, so at most 80 checkers: no overflow.
            *count += 1;
            at += 1;
        }
        at += 1;
    }
    if (at..8 * POSITION_BYTES).any(|bit| bits.get(bit, 1) != Some(0)) {
        return Err(GnuIdFault::Cells);
    }
    let mut cells = [0i8; 26];
    let [other, own] = counts;
    cells[1..].copy_from_slice(&own);
    for (cell, &count) in cells[..CELLS].iter_mut().rev().zip(&other) {
        if count > 0 && *cell > 0 {
            return Err(GnuIdFault::Shared);
        }
        *cell -= count;
    }
    Ok(Board::new(cells)?)
}

/// How a match id says a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameState {
    /// No game.
    None,
    /// Under way.
    Playing,
    /// Borne off.
    Over,
    /// Resigned.
    Resigned,
    /// A double was passed.
    Dropped,
}

impl GameState {
    const ALL: [Self; 5] = [Self::None, Self::Playing, Self::Over, Self::Resigned, Self::Dropped];
}

/// Everything a match id holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchId {
    /// log2 of the cube, 0 to 15; before the double when one is offered.
    pub cube_log2: u8,
    /// Who owns it; `None` = centred.
    pub owner: Option<Seat>,
    /// Who rolled, will roll, or has doubled.
    pub on_roll: Seat,
    /// The Crawford game.
    pub crawford: bool,
    /// How the game stands.
    pub state: GameState,
    /// Who must decide.
    pub decider: Seat,
    /// A double is offered.
    pub doubled: bool,
    /// A resignation is offered: 0 none, 1 single game, 2 gammon, 3 backgammon.
    pub resignation: u8,
    /// As stored, in either order; `None` = not rolled.
    pub dice: Option<[u8; 2]>,
    /// Match length, 0 = money, at most 32767.
    pub length: u16,
    /// Points, at most 32767.
    pub points: [u16; 2],
    /// The Jacoby rule is in use (or the id is of a version that did not say).
    pub jacoby: bool,
}

/// Fields of a match id: first bit and width.
mod field {
    pub(super) const CUBE: (usize, usize) = (0, 4);
    pub(super) const OWNER: (usize, usize) = (4, 2);
    pub(super) const ON_ROLL: (usize, usize) = (6, 1);
    pub(super) const CRAWFORD: (usize, usize) = (7, 1);
    pub(super) const STATE: (usize, usize) = (8, 3);
    pub(super) const DECIDER: (usize, usize) = (11, 1);
    pub(super) const DOUBLED: (usize, usize) = (12, 1);
    pub(super) const RESIGNATION: (usize, usize) = (13, 2);
    pub(super) const DICE: [(usize, usize); 2] = [(15, 3), (18, 3)];
    pub(super) const LENGTH: (usize, usize) = (21, 15);
    pub(super) const POINTS: [(usize, usize); 2] = [(36, 15), (51, 15)];
    pub(super) const NO_JACOBY: (usize, usize) = (66, 1);
}

/// The owner field of a centred cube.
const CENTRED: u16 = 3;

impl MatchId {
    /// Reads twelve characters.
    ///
    /// # Errors
    /// [`GnuIdFault`] when the text is no id or a field holds a number that means nothing.
    pub fn read(id: &str) -> Result<Self, GnuIdFault> {
        let bits = Bits::<MATCH_BYTES>::read(id)?;
        let get = |(at, width)| bits.get(at, width).ok_or(GnuIdFault::Text);
        let small = |place| get(place).map(|value| value.to_le_bytes()[0]);
        let seat = |value| if value == 0 { Seat::First } else { Seat::Second };
        let owner = match get(field::OWNER)? {
            CENTRED => None,
            value @ 0..=1 => Some(seat(value)),
            _ => return Err(GnuIdFault::Field("cube owner")),
        };
        let dice = match field::DICE.map(small) {
            [Ok(0), Ok(0)] => None,
            [Ok(a), Ok(b)] => Some([a, b]).filter(|&[a, b]| Dice::new(a, b).is_some()),
            _ => None,
        };
        if dice.is_none() && field::DICE.map(small) != [Ok(0), Ok(0)] {
            return Err(GnuIdFault::Field("dice"));
        }
        let state = usize::from(get(field::STATE)?);
        Ok(Self {
            cube_log2: small(field::CUBE)?,
            owner,
            on_roll: seat(get(field::ON_ROLL)?),
            crawford: get(field::CRAWFORD)? == 1,
            state: GameState::ALL.get(state).copied().ok_or(GnuIdFault::Field("state"))?,
            decider: seat(get(field::DECIDER)?),
            doubled: get(field::DOUBLED)? == 1,
            resignation: small(field::RESIGNATION)?,
            dice,
            length: get(field::LENGTH)?,
            points: [get(field::POINTS[0])?, get(field::POINTS[1])?],
            jacoby: get(field::NO_JACOBY)? == 0,
        })
    }

    /// Writes twelve characters. What does not fit its field is cut to it, as gnuBG does.
    #[must_use]
    pub fn text(&self) -> String {
        let mut bits = Bits::<MATCH_BYTES>::default();
        let mut put = |(at, width), value: u16| bits.put(at, width, value);
        let number = |seat: Seat| u16::from(seat == Seat::Second);
        put(field::CUBE, u16::from(self.cube_log2));
        put(field::OWNER, self.owner.map_or(CENTRED, number));
        put(field::ON_ROLL, number(self.on_roll));
        put(field::CRAWFORD, u16::from(self.crawford));
        put(field::STATE, (0..).zip(GameState::ALL).find(|&(_, state)| state == self.state).map_or(0, |(i, _)| i));
        put(field::DECIDER, number(self.decider));
        put(field::DOUBLED, u16::from(self.doubled));
        put(field::RESIGNATION, u16::from(self.resignation));
        for (place, die) in field::DICE.into_iter().zip(self.dice.unwrap_or_default()) {
            put(place, u16::from(die));
        }
        put(field::LENGTH, self.length);
        for (place, points) in field::POINTS.into_iter().zip(self.points) {
            put(place, points);
        }
        put(field::NO_JACOBY, u16::from(!self.jacoby));
        bits.text()
    }
}

/// Writes a key as `position:match`, the decider being player 1, under way. The match is chosen as for an XGID. `None`
/// when the cube is above 2^15 or the match longer than 32767 points: the ids have no room for it.
#[must_use]
pub fn encode(key: &PositionKey, real: Option<MatchState>) -> Option<String> {
    let state = MatchState::holding(key.score, real);
    let [own, opponent] = state.points(key.score);
    let narrow = |points: u32| u16::try_from(points).ok().filter(|&points| points < 1 << field::LENGTH.1);
    let answer = key.asked == Asked::Answer;
    let on_roll = if answer { Seat::First } else { Seat::Second };
    let id = MatchId {
        cube_log2: Some(key.cube.log2).filter(|&log2| log2 < 1 << field::CUBE.1)?,
        owner: match key.cube.owner {
            Owner::Centred => None,
            Owner::Own => Some(Seat::Second),
            Owner::Opponent => Some(Seat::First),
        },
        on_roll,
        crawford: key.score.is_crawford(),
        state: GameState::Playing,
        decider: Seat::Second,
        doubled: answer,
        resignation: 0,
        dice: if let Asked::Move(dice) = key.asked { Some([dice.high(), dice.low()]) } else { None },
        length: narrow(state.length.points())?,
        points: [narrow(opponent)?, narrow(own)?],
        jacoby: state.jacoby,
    };
    let board = if answer { key.board.mirror() } else { key.board };
    Some(format!("{}:{}", position_id(&board), id.text()))
}

/// Reads `position:match`: the key, seen from who must decide, and the match.
///
/// # Errors
/// [`GnuIdFault`] when a half is no id, the score does not fit, or a resignation is pending.
pub fn decode(text: &str) -> Result<(PositionKey, MatchState), GnuIdFault> {
    let (position, id) = text.trim().split_once(':').ok_or(GnuIdFault::Text)?;
    let (board, id) = (board(position)?, MatchId::read(id)?);
    if id.resignation > 0 {
        return Err(GnuIdFault::Resignation);
    }
    let length = Length::from_points(u32::from(id.length));
    let points = [id.decider, id.decider.other()].map(|seat| i64::from(id.points[seat.index()]));
    let owner = match id.owner {
        None => Owner::Centred,
        Some(seat) if seat == id.decider => Owner::Own,
        Some(_) => Owner::Opponent,
    };
    let asked = match id.dice.and_then(|[a, b]| Dice::new(a, b)) {
        _ if id.doubled => Asked::Answer,
        Some(dice) => Asked::Move(dice),
        None => Asked::Double,
    };
    let key = PositionKey {
        board: if id.decider == id.on_roll { board } else { board.mirror() },
        cube: Cube { log2: id.cube_log2.min(LARGEST_LOG2), owner },
        score: Score::at(length, points, id.crawford)?,
        asked,
    };
    let jacoby = length == Length::Money && id.jacoby;
    Ok((key, MatchState { length, jacoby, beavers: false, cube_limit: None }))
}

/// N bytes as a string of bits.
struct Bits<const N: usize>([u8; N]);

impl<const N: usize> Default for Bits<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Bits<N> {
    /// Sets `width` bits from `at` on to the low bits of `value`; what lies past the end is left out.
    fn put(&mut self, at: usize, width: usize, value: u16) {
        for i in 0..width {
            if let Some(byte) = self.0.get_mut((at + i) / 8) {
                *byte |= u8::from(value >> i & 1 == 1) << ((at + i) % 8);
            }
        }
    }

    /// `width` <= 16 bits from `at` on; `None` past the end.
    fn get(&self, at: usize, width: usize) -> Option<u16> {
        (0..width).try_fold(0, |value, i| {
            let byte = self.0.get((at + i) / 8)?;
            Some(value | u16::from(byte >> ((at + i) % 8) & 1) << i)
        })
    }

    /// Base64 without padding.
    fn text(&self) -> String {
        let sextets = self.0.chunks(3).flat_map(|bytes| {
            let group =
                bytes.iter().enumerate().fold(0u32, |group, (i, &byte)| group | u32::from(byte) << (16 - 8 * i));
            (0..=bytes.len()).map(move |i| group >> (18 - 6 * i) & 63)
        });
        sextets.filter_map(|sextet| ALPHABET.get(usize::try_from(sextet).ok()?)).copied().map(char::from).collect()
    }

    fn read(text: &str) -> Result<Self, GnuIdFault> {
        if text.len() != (8 * N).div_ceil(6) {
            return Err(GnuIdFault::Text);
        }
        let (mut bytes, mut filled) = ([0u8; N], 0);
        for symbol in text.bytes() {
            let sextet = (0u8..).zip(ALPHABET).find(|&(_, &letter)| letter == symbol).ok_or(GnuIdFault::Text)?.0;
            for bit in (0..6).rev().map(|i| sextet >> i & 1) {
                match bytes.get_mut(filled / 8) {
                    Some(byte) => *byte |= bit << (7 - filled % 8),
                    None if bit == 1 => return Err(GnuIdFault::Text),
                    None => {}
                }
                filled += 1;
            }
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::xgid;
    use std::error::Error;

    #[test]
    fn position_ids_are_those_other_programs_print() -> Result<(), Box<dyn Error>> {
        let printed = [
            ("-b----E-C---eE---c-e----B-", 1, "4HPwATDgc/ABMA"),
            ("-B-CBBB---a---A---ABcbbbd-", 1, "b9sBCIC5bYDQAA"),
            ("---BBaB-BbA-bC-b--BdAca---", 1, "dB7GGAJsZuJgAg"),
            ("-aAaBaDaB---bD-b-A-cA-b-b-", 1, "Mw5jkCQyz+AhAg"),
            ("--BaBCCBAA------acccc-a--A", 1, "5O4uAAhmdysAQA"),
            ("---BADB------------bf---a-", 1, "4TcAALDeAAAAAA"),
            ("---c--CCB---dB-B---c-BcAb-", 1, "cxzwAA7gbjADEw"),
            ("---aBBCCCB----a-aa-babbbb-", 1, "29aUAAjY7m4AAA"),
            ("-A--B-DCC----A------bbbcdA", -1, "Me8OAkDvtgEAAA"),
            ("--BBbBB-----aE----Be-c-bb-", -1, "NhvwwQCb8wEBBg"),
            ("bA----D-C---dE---d-e----B-", 1, "4PPgAWDBc/ABMA"),
        ];
        for (text, turn, id) in printed {
            let (key, _) = xgid::decode(&format!("{text}:0:0:{turn}:00:0:0:0:7:10"))?;
            assert_eq!(position_id(&key.board), id, "{text}");
            assert_eq!(board(id)?, key.board, "{id}");
        }
        Ok(())
    }

    #[test]
    fn a_position_id_that_is_no_board_is_refused() {
        assert_eq!(board("4HPwATDgc/ABM"), Err(GnuIdFault::Text));
        assert_eq!(board("4HPwATDgc/AB*A"), Err(GnuIdFault::Text));
        assert_eq!(board("4HPwATDgc/ABMB"), Err(GnuIdFault::Text));
        assert_eq!(board("//////////////"), Err(GnuIdFault::Text));
        assert_eq!(board("/////////////w"), Err(GnuIdFault::Cells));
        assert_eq!(board("//8AAAAAAAAAAA"), Err(GnuIdFault::Board(BoardFault::TooMany)));
        // A checker of each side on the same point: the opponent's 24 and the mover's 1.
        let mut bits = Bits::<POSITION_BYTES>::default();
        bits.put(23, 1, 1);
        bits.put(26, 1, 1);
        assert_eq!(board(&bits.text()), Err(GnuIdFault::Shared));
    }

    #[test]
    fn match_ids_hold_what_the_published_ones_say() -> Result<(), Box<dyn Error>> {
        let playing = MatchId {
            cube_log2: 0,
            owner: None,
            on_roll: Seat::Second,
            crawford: false,
            state: GameState::Playing,
            decider: Seat::Second,
            doubled: false,
            resignation: 0,
            dice: None,
            length: 7,
            points: [0, 0],
            jacoby: false,
        };
        let (first, second) = (Some(Seat::First), Some(Seat::Second));
        let published = [
            (
                "QYkqASAAIAAA",
                MatchId {
                    cube_log2: 1,
                    owner: first,
                    dice: Some([5, 2]),
                    length: 9,
                    points: [2, 4],
                    jacoby: true,
                    ..playing
                },
            ),
            ("cInlAAAAAAAE", MatchId { dice: Some([3, 1]), ..playing }),
            ("UQngAAAAIAAE", MatchId { cube_log2: 1, owner: second, points: [0, 4], ..playing }),
            ("cAkgAVAAAAAE", MatchId { length: 9, points: [5, 0], ..playing }),
            ("QYnoAGAAGAAE", MatchId { cube_log2: 1, owner: first, points: [6, 3], dice: Some([1, 2]), ..playing }),
            ("QQnlAGAAGAAE", MatchId { cube_log2: 1, owner: first, points: [6, 3], dice: Some([2, 1]), ..playing }),
            ("cAkAAAAAAAAA", MatchId { length: 0, jacoby: true, ..playing }),
            (
                "EQGmASAAMAAE",
                MatchId {
                    cube_log2: 1,
                    owner: second,
                    on_roll: Seat::First,
                    decider: Seat::First,
                    dice: Some([4, 1]),
                    length: 13,
                    points: [2, 6],
                    ..playing
                },
            ),
            (
                "sBngAFAAMAAE",
                MatchId { crawford: true, on_roll: Seat::First, doubled: true, points: [5, 6], ..playing },
            ),
        ];
        for (text, id) in published {
            assert_eq!(MatchId::read(text)?, id, "{text}");
            assert_eq!(id.text(), text);
        }
        Ok(())
    }

    #[test]
    fn a_match_id_that_means_nothing_is_refused() {
        let spoilt = |place: (usize, usize), value| {
            let mut bits = Bits::<MATCH_BYTES>::default();
            bits.put(place.0, place.1, value);
            MatchId::read(&bits.text()).map(|_| ())
        };
        assert_eq!(spoilt(field::OWNER, 2), Err(GnuIdFault::Field("cube owner")));
        assert_eq!(spoilt(field::STATE, 5), Err(GnuIdFault::Field("state")));
        assert_eq!(spoilt(field::DICE[0], 3), Err(GnuIdFault::Field("dice")));
        assert_eq!(spoilt(field::DICE[1], 7), Err(GnuIdFault::Field("dice")));
        assert_eq!(MatchId::read("cInlAAAAAAA"), Err(GnuIdFault::Text));
    }

    #[test]
    fn both_ids_together_say_what_the_xgid_says() -> Result<(), Box<dyn Error>> {
        let pairs = [
            ("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", "4HPwATDgc/ABMA:cInlAAAAAAAE"),
            ("-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10", "b9sBCIC5bYDQAA:QYnoAGAAGAAE"),
            ("---BADB------------bf---a-:1:1:1:00:4:0:0:7:10", "4TcAALDeAAAAAA:UQngAAAAIAAE"),
            ("---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10", "dB7GGAJsZuJgAg:cAkgAVAAAAAE"),
            ("-A--B-DCC----A------bbbcdA:1:1:-1:41:6:2:0:13:10", "Me8OAkDvtgEAAA:EQGmASAAMAAE"),
        ];
        for (xgid, gnu) in pairs {
            let (key, state) = xgid::decode(xgid)?;
            assert_eq!(decode(gnu)?.0, key, "{gnu}");
            let again = encode(&key, Some(state)).ok_or("no room")?;
            assert_eq!(decode(&again)?.0, key, "{again}");
        }
        // Player 0 has doubled: the board is his, the decision player 1's.
        let (answer, _) = decode("4HPwATDgc/ABMA:sBngAFAAMAAE")?;
        assert_eq!(answer.to_string(), "bg1|-b----E-C---eE---c-e----B-|0|c|c|1|2|r|00");
        assert_eq!(encode(&answer, None).ok_or("no room")?.split(':').next(), Some("4HPwATDgc/ABMA"));
        Ok(())
    }
}
