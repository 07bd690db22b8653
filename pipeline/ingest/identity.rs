//! Which match a file holds: what was played, and nothing of who wrote it down (`design.md` 4).
//!
//! Two programs' analyses of a match, and its bare transcription, have one identity; two matches of one evening have
//! two. So names, dates, seats, scores and analyses stay out, and what stays in is brought to one form.
//!
//! # The bytes
//!
//! A *word* per event, in the order of the file:
//!
//! | event | bytes |
//! |---|---|
//! | play | `P`, turn, dice (two digits, larger first, as a number), the 26 cells of the board after it seen from the mover, each a signed byte |
//! | double, take, pass, beaver, raccoon | `D`, `T`, `X`, `B` or `R`, turn |
//!
//! The *turn* is 0 for the side that rolled first in the game, 1 for the other. The word of the first event of a game
//! has a `G` before it. The match id is the first 16 hex digits of BLAKE3 over the domain `portes match 1`, the match
//! length (four bytes, least significant first; 0 = money) and all words.
//!
//! Held back until something follows in the same game, so that a file in which a resigned game shows a little more than
//! in another agrees with it: rolls that could not be played (a dance is known to all formats, a resignation right
//! after it only to some) and doubles (an unanswered one at the end is a hint, not an action). A roll without a play is
//! no event; neither is the acceptance of a beaver, which the next roll implies and transcriptions leave out. A game
//! without events leaves no trace.
//!
//! A play whose board the file does not give takes it from the next action; without a next action it was not made.

use super::record::{Action, AfterBeaver, CheckerPlay, Game, Record, What};
use crate::game::{Board, Seat};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Plays below which a sequence is no identity: players of one club open alike more often than one thinks.
pub const FEWEST_PLAYS: usize = 10;
/// What is hashed, and in which version: another serialisation needs another number.
const DOMAIN: &[u8] = b"portes match 1";

/// Identity of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// 16 hex digits: of what was played, or of the file when too little was.
    pub match_id: String,
    /// The players' [`fold`]ed names, smaller first: seats are no part of identity.
    pub names: [String; 2],
    /// 0 = money.
    pub length: u32,
    /// Plays in the sequence.
    pub plays: usize,
    /// A rolling hash after each event: equal up to an index exactly when the sequences are.
    pub trace: Box<[u32]>,
}

/// The identity of a record read from a file with this BLAKE3 hash.
#[must_use]
pub fn identity(record: &Record, content: &[u8; 32]) -> Identity {
    let length = record.length.points();
    let mut sequence = Sequence::new(length);
    for game in &record.games {
        sequence.game(game);
    }
    let played = sequence.hasher.finalize();
    let digest = if sequence.plays < FEWEST_PLAYS { content } else { played.as_bytes() };
    let mut names = [fold(&record.players[0].name), fold(&record.players[1].name)];
    names.sort();
    Identity {
        match_id: hex(&digest[..8]),
        names,
        length,
        plays: sequence.plays,
        trace: sequence.trace.into_boxed_slice(),
    }
}

/// Whether `shorter` is an earlier save of `longer`: its sequence is a proper prefix, the length and the folded names
/// are the same. Sequences too short to be an identity are nobody's earlier save.
#[must_use]
pub fn is_prefix(shorter: &Identity, longer: &Identity) -> bool {
    shorter.plays >= FEWEST_PLAYS
        && shorter.length == longer.length
        && shorter.names == longer.names
        && shorter.trace.len() < longer.trace.len()
        && longer.trace.starts_with(&shorter.trace)
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        _ = write!(out, "{byte:02x}");
        out
    })
}

/// Words hashed as they come.
struct Sequence {
    hasher: blake3::Hasher,
    rolling: u64,
    trace: Vec<u32>,
    plays: usize,
}

/// Offset basis and prime of FNV-1a, 64 bits: a rolling hash whose whole history is compared, so that no single value
/// need be unlikely to collide.
const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

impl Sequence {
    fn new(length: u32) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(DOMAIN);
        hasher.update(&length.to_le_bytes());
        Self { hasher, rolling: FNV_BASIS, trace: Vec::new(), plays: 0 }
    }

    fn game(&mut self, game: &Game) {
        let began = game.actions.iter().find(|action| matches!(action.what, What::Checker(_)));
        let Some(began) = began.map(|action| action.seat) else { return };
        let mut opened = false;
        let mut held: Vec<Vec<u8>> = Vec::new();
        for (i, action) in game.actions.iter().enumerate() {
            let Some((word, settled)) = word(action, game.actions.get(i + 1), began) else { continue };
            held.push(word);
            if settled {
                for word in held.drain(..) {
                    if !opened {
                        self.hasher.update(b"G");
                        self.roll(b"G");
                        opened = true;
                    }
                    self.event(&word);
                }
            }
        }
    }

    fn event(&mut self, word: &[u8]) {
        self.plays += usize::from(word.first() == Some(&b'P'));
        self.hasher.update(word);
        self.roll(word);
        let [.., a, b, c, d] = self.rolling.to_le_bytes();
        self.trace.push(u32::from_le_bytes([a, b, c, d]));
    }

    fn roll(&mut self, word: &[u8]) {
        for &byte in word {
            self.rolling = (self.rolling ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        }
    }
}

/// The word of an action, and whether it stands by itself (or waits for something to follow); `None` = no event.
fn word(action: &Action, next: Option<&Action>, began: Seat) -> Option<(Vec<u8>, bool)> {
    let turn = u8::from(action.seat != began);
    let letter = match &action.what {
        What::Checker(play) => return play_word(action, play, next, turn),
        What::NoDouble(_) | What::AfterBeaver(AfterBeaver::Take) => return None,
        What::Double(_) => b'D',
        What::Take(_) => b'T',
        What::Pass(_) | What::AfterBeaver(AfterBeaver::Pass) => b'X',
        What::Beaver(_) => b'B',
        What::AfterBeaver(AfterBeaver::Raccoon) => b'R',
    };
    Some((vec![letter, turn], letter != b'D'))
}

fn play_word(action: &Action, play: &CheckerPlay, next: Option<&Action>, turn: u8) -> Option<(Vec<u8>, bool)> {
    let after = play.after.or_else(|| next.map(|next| seen_from(action.seat, next)))?;
    let mut word = vec![b'P', turn, play.dice.digits()];
    word.extend(after.cells().iter().flat_map(|cell| cell.to_le_bytes()));
    Some((word, after != action.board))
}

fn seen_from(seat: Seat, action: &Action) -> Board {
    if action.seat == seat { action.board } else { action.board.mirror() }
}

/// A name without what spellings differ in: HTML entities decoded, lower case, accents removed, punctuation dropped,
/// words sorted (`metrics.md` 17). Commas, hyphens, underlines and slashes part words, as blanks do.
#[must_use]
pub fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    let plain = unescaped(name).to_lowercase();
    for letter in plain.nfkd().filter(|&letter| !is_combining_mark(letter)) {
        match letter {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            '-' | '‐'..='―' | '_' | ',' | ';' | '/' => folded.push(' '),
            letter if letter.is_whitespace() => folded.push(' '),
            letter if letter.is_alphanumeric() => folded.extend(letter.to_lowercase()),
            _ => {}
        }
    }
    let mut words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.join(" ")
}

/// Longest entity that is decoded, without `&` and `;`.
const LONGEST_ENTITY: usize = 10;

/// HTML entities decoded; what is none stays.
fn unescaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(LONGEST_ENTITY + 2).position(|byte| byte == b';');
        match end.and_then(|end| Some((named(&rest[1..end])?, &rest[end + 1..]))) {
            Some((text, after)) => {
                out.push_str(&text);
                rest = after;
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

/// What an entity stands for. Accented letters are named after their letter and lose the accent at once.
fn named(entity: &str) -> Option<String> {
    const ACCENTS: [&str; 9] = ["acute", "grave", "circ", "uml", "tilde", "cedil", "ring", "caron", "slash"];
    if let Some(code) = entity.strip_prefix('#') {
        let code = match code.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => code.parse().ok()?,
        };
        return char::from_u32(code).map(String::from);
    }
    let text = match entity {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" | "rsquo" | "lsquo" => "'",
        "nbsp" => " ",
        "szlig" => "ss",
        "AElig" | "aelig" => "ae",
        "OElig" | "oelig" => "oe",
        "ETH" | "eth" => "d",
        "THORN" | "thorn" => "th",
        _ => {
            let letter = entity.get(..1).filter(|letter| letter.as_bytes()[0].is_ascii_alphabetic())?;
            return ACCENTS.contains(&&entity[1..]).then(|| letter.to_owned());
        }
    };
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_name_fold_to_one() {
        for name in
            ["Émberline Quill", "emberline  quill", "QUILL, Emberline", "E&#769;mberline&nbsp;Quill", "Quill_Emberline"]
        {
            assert_eq!(fold(name), "emberline quill", "{name}");
        }
        assert_eq!(fold("&Eacute;milie O&#39;Byrne (JPN)"), "emilie jpn obyrne");
        assert_eq!(fold("Straße & Søn &amp; Łuk"), "luk son strasse");
        assert_eq!(fold("ΣΊΣΥΦΟΣ"), fold("σίσυφος"));
        assert_eq!(fold("!?"), "");
        assert_eq!(fold("a &unknown; b & c"), "a b c unknown");
        assert_eq!(fold("&é;&#x110000;&"), "e x110000");
        assert_eq!(fold(&"&".repeat(1 << 20)), "");
    }
}
