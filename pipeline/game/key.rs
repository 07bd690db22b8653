//! Identity of a position: two decisions with equal keys show the same problem (`classifiers.md` 6).
//!
//! A key is what the decider sees and is asked, and nothing else: no file, no players, no analysis, no match length
//! beyond what is still needed. Its text has one spelling, so that keys are compared, sorted, stored and hashed as text;
//! a text in another spelling is refused, not mended.

use super::cube::LARGEST_LOG2;
use super::{Board, Cube, Dice, Owner, Regime, Score};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use thiserror::Error;

/// First field of every key: which definition it follows.
pub const SCHEME: &str = "bg1";

/// Hexadecimal digits of the short form: 128 bits, as many as no collection of positions brings to collide.
const SHORT_DIGITS: usize = 32;

/// Characters of a key at scores below 100 away.
const USUAL_LENGTH: usize = 50;

/// What the decider is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Asked {
    /// To play a roll.
    Move(Dice),
    /// Whether to double.
    Double,
    /// Whether to take: the cube of the key is the one before the double.
    Answer,
}

/// A position as the decider sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PositionKey {
    /// Seen from the decider.
    pub board: Board,
    /// Before the action, seen from the decider.
    pub cube: Cube,
    /// Points both need.
    pub score: Score,
    /// What is to be decided.
    pub asked: Asked,
}

/// Why a text is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyFault {
    /// Not nine fields after another, or another scheme.
    #[error("not nine fields that begin with bg1")]
    Fields,
    /// A field that cannot be read; its name.
    #[error("position key with a wrong {0}")]
    Field(&'static str),
    /// Regime and away scores that cannot stand together.
    #[error("position key whose regime does not fit its score")]
    Regime,
    /// Every field can be read, and yet it is not how the key is written.
    #[error("position key in another spelling")]
    Spelling,
}

impl PositionKey {
    /// Reads the text form; only the one spelling [`PositionKey`] writes.
    ///
    /// # Errors
    /// [`KeyFault`] says which field does not hold.
    pub fn from_text(text: &str) -> Result<Self, KeyFault> {
        let mut fields = text.split('|');
        let fields: [Option<&str>; 10] = std::array::from_fn(|_| fields.next());
        let [
            Some(SCHEME),
            Some(board),
            Some(log2),
            Some(owner),
            Some(regime),
            Some(own),
            Some(opponent),
            Some(kind),
            Some(dice),
            None,
        ] = fields
        else {
            return Err(KeyFault::Fields);
        };
        let log2 = number(log2, "cube")?;
        let key = Self {
            board: Board::from_text(board).map_err(|_| KeyFault::Field("board"))?,
            cube: Cube {
                log2: u8::try_from(log2).ok().filter(|&log2| log2 <= LARGEST_LOG2).ok_or(KeyFault::Field("cube"))?,
                owner: letter(owner).and_then(Owner::from_letter).ok_or(KeyFault::Field("owner"))?,
            },
            score: Score {
                regime: letter(regime).and_then(Regime::from_letter).ok_or(KeyFault::Field("regime"))?,
                own_away: number(own, "away")?,
                opponent_away: number(opponent, "away")?,
            },
            asked: asked(kind, dice)?,
        };
        if !key.score.is_sound() {
            return Err(KeyFault::Regime);
        }
        if key.text() != text {
            return Err(KeyFault::Spelling);
        }
        Ok(key)
    }

    /// The key as it is stored.
    ///
    /// Every decision is written and read back once, and formatting by parts would take longer than judging it.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { board, cube, score, asked } = self;
        let (kind, digits) = match asked {
            Asked::Move(dice) => ('m', dice.digits()),
            Asked::Double => ('d', 0),
            Asked::Answer => ('r', 0),
        };
        let mut out = String::with_capacity(USUAL_LENGTH);
        out.push_str(SCHEME);
        out.push('|');
        board.write(&mut out);
        out.push('|');
        write_number(&mut out, cube.log2.into());
        for letter in [cube.owner.letter(), score.regime.letter()] {
            out.push('|');
            out.push(letter);
        }
        for away in [score.own_away, score.opponent_away] {
            out.push('|');
            write_number(&mut out, away);
        }
        out.push('|');
        out.push(kind);
        out.push('|');
        write_two_digits(&mut out, digits);
        out
    }

    /// The first 32 hexadecimal digits of the SHA-256 of the text. An address, not an identity: the text decides.
    #[must_use]
    pub fn short(&self) -> String {
        let digest = Sha256::digest(self.text());
        digest.iter().take(SHORT_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The weak form: the text without regime and away scores. It only joins sources that lack the score, and a join by
    /// it is always told as such (`other-formats.md` 8).
    #[must_use]
    pub fn relaxed(&self) -> String {
        let text = self.to_string();
        let fields: Vec<&str> = text.split('|').collect();
        let [scheme, board, log2, owner, _, _, _, kind, dice] = fields[..] else { return text };
        [scheme, board, log2, owner, kind, dice].join("|")
    }

    /// The other half of a cube decision, seen by the other player: the answer to a double, or the double behind an
    /// answer. A play has none.
    #[must_use]
    pub fn other_half(&self) -> Option<Self> {
        let asked = match self.asked {
            Asked::Move(_) => return None,
            Asked::Double => Asked::Answer,
            Asked::Answer => Asked::Double,
        };
        Some(Self { board: self.board.mirror(), cube: self.cube.mirror(), score: self.score.mirror(), asked })
    }
}

impl fmt::Display for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// A number in its usual spelling; those that occur have one or two digits.
fn write_number(out: &mut String, number: u32) {
    match u8::try_from(number) {
        Ok(digit @ 0..10) => out.push(char::from(b'0' + digit)),
        Ok(number @ 10..100) => write_two_digits(out, number),
        _ => out.push_str(&number.to_string()),
    }
}

/// Below 100, with the zero in front.
fn write_two_digits(out: &mut String, number: u8) {
    out.push(char::from(b'0' + number / 10));
    out.push(char::from(b'0' + number % 10));
}

impl TryFrom<String> for PositionKey {
    type Error = KeyFault;
    fn try_from(text: String) -> Result<Self, KeyFault> {
        Self::from_text(&text)
    }
}

impl From<PositionKey> for String {
    fn from(key: PositionKey) -> Self {
        key.text()
    }
}

fn number(text: &str, field: &'static str) -> Result<u32, KeyFault> {
    text.parse().map_err(|_| KeyFault::Field(field))
}

/// The only character of a field.
fn letter(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

fn asked(kind: &str, dice: &str) -> Result<Asked, KeyFault> {
    match (kind, dice) {
        ("d", "00") => Ok(Asked::Double),
        ("r", "00") => Ok(Asked::Answer),
        ("m", digits) => {
            digits.parse().ok().and_then(Dice::from_digits).map(Asked::Move).ok_or(KeyFault::Field("dice"))
        }
        ("d" | "r", _) => Err(KeyFault::Field("dice")),
        _ => Err(KeyFault::Field("kind")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_forms_are_the_published_ones() -> Result<(), KeyFault> {
        let published = [
            ("bg1|-b----E-C---eE---c-e----B-|0|c|n|7|7|m|31", "417b8c59acbb1b81d138a21e5dbcf008"),
            ("bg1|-b----E-C---eE---c-e----B-|0|c|$|0|0|m|31", "4705da27b62159144c44aaa3a1c9a2ba"),
            ("bg1|-b----E-C---eE---c-e----B-|0|c|$|0|0|d|00", "9a479b4116817037c72ca5da734e58de"),
            ("bg1|-b----E-C---eE---b-db---B-|0|c|n|7|7|d|00", "6e3c09e6e30e68468aab2875e941a655"),
            ("bg1|-b----E-C---eE---c-e----B-|0|c|p|1|1|m|31", "0bdc881fc1bf519dafab6b0159b4fc46"),
        ];
        for (text, short) in published {
            let key = PositionKey::from_text(text)?;
            assert_eq!(key.to_string(), text);
            assert_eq!(key.short(), short, "{text}");
        }
        Ok(())
    }

    #[test]
    fn a_key_has_one_spelling() {
        let read = |tail: &str| PositionKey::from_text(&format!("bg1|-b----E-C---eE---c-e----B-|{tail}"));
        assert_eq!(read("0|c|n|7|7|m|13"), Err(KeyFault::Spelling));
        assert_eq!(read("00|c|n|7|7|m|31"), Err(KeyFault::Spelling));
        assert_eq!(read("0|c|n|+7|7|m|31"), Err(KeyFault::Spelling));
        assert_eq!(read("0|c|n|7|7|m|70"), Err(KeyFault::Field("dice")));
        assert_eq!(read("0|c|n|7|7|d|31"), Err(KeyFault::Field("dice")));
        assert_eq!(read("0|c|n|7|7|x|00"), Err(KeyFault::Field("kind")));
        assert_eq!(read("31|c|n|7|7|d|00"), Err(KeyFault::Field("cube")));
        assert_eq!(read("0|cc|n|7|7|d|00"), Err(KeyFault::Field("owner")));
        assert_eq!(read("0|c|n|7|1|d|00"), Err(KeyFault::Regime));
        assert_eq!(read("0|c|c|7|7|d|00"), Err(KeyFault::Regime));
        assert_eq!(read("0|c|$|7|7|d|00"), Err(KeyFault::Regime));
        assert_eq!(read("0|c|n|7|7|d"), Err(KeyFault::Fields));
        assert_eq!(read("0|c|n|7|7|d|00|"), Err(KeyFault::Fields));
        assert_eq!(PositionKey::from_text("bg2|"), Err(KeyFault::Fields));
    }
}
