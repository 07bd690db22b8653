//! The root node of a tree: what it says of the match, and what it says of its game.
//!
//! Date, event, ratings and the like stand only in the game with index 0, so [`Head`] is taken from the first tree and
//! serves the whole file. What a root says that cannot be (a score beyond the length, a cube that is no power of two)
//! is noted and treated as not said.

use super::encoding::{self, Reading};
use super::faults::Faults;
use super::lexer::{Id, Node};
use super::number::whole;
use crate::game::{Board, Length, Seat, cube};
use crate::ingest::record::{Player, Rules, Variant};
use jiff::civil::Date;

const MI: Id = Id::of(b"MI");

/// The name our own writer of tests and benchmarks signs with.
const OURS: &str = "Portes";
/// The program's rollout logs say this version and are not matches.
const ROLLOUT_LOG: &str = "0.14-devel";

/// What a root says of the match.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Head {
    pub(super) players: [Player; 2],
    pub(super) length: Length,
    pub(super) rules: Rules,
    pub(super) application: String,
    pub(super) version: Option<String>,
    pub(super) event: Option<String>,
    pub(super) round: Option<String>,
    pub(super) place: Option<String>,
    pub(super) annotator: Option<String>,
    pub(super) comment: Option<String>,
    pub(super) date: Option<Date>,
}

impl Head {
    /// Whether another root belongs to the same match: a file may hold two.
    pub(super) fn same_match(&self, other: &Self) -> bool {
        let names = |head: &Self| head.players.clone().map(|player| player.name);
        self.length == other.length && names(self) == names(other)
    }

    /// Our own writer made the file.
    pub(super) fn made_by_portes(&self) -> bool {
        self.application == OURS
    }

    /// The signature of a rollout log.
    pub(super) fn is_rollout_log(&self) -> bool {
        let [white, black] = &self.players;
        self.version.as_deref() == Some(ROLLOUT_LOG) && white.name == "White" && black.name == "Black"
    }
}

/// What a root says of its game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opening {
    /// From 0; `None` when not said.
    pub(super) index: Option<i64>,
    pub(super) points: [i64; 2],
    pub(super) crawford: bool,
    pub(super) start: Board,
    /// Automatic doubles before the first roll.
    pub(super) cube_log2: u8,
    pub(super) result: Option<Claim>,
}

/// The result a root claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) winner: Seat,
    pub(super) points: i64,
    pub(super) resigned: bool,
}

/// Reads a root node.
pub(super) fn read(node: &Node<'_>, faults: &mut Faults) -> (Head, Opening) {
    let info = MatchInfo::read(node.values(MI));
    let tokens = Tokens::read(node.value(Id::of(b"RU")).unwrap_or_default());
    let length = info.length(node, faults);
    let mut said = |name: &[u8]| node.value(Id::of(name)).and_then(|raw| text(raw, node.offset, faults));
    let application = said(b"AP").unwrap_or_default();
    let (application, version) = match application.split_once(':') {
        Some((name, version)) => (name.to_owned(), Some(version.to_owned()).filter(|version| !version.is_empty())),
        None => (application, None),
    };
    let date = said(b"DT");
    let players = [(b"PW", b"WR"), (b"PB", b"BR")]
        .map(|(name, rating)| Player { name: said(name).unwrap_or_default(), rating: said(rating) });
    let head = Head {
        players,
        length,
        rules: tokens.rules(length),
        application,
        version,
        event: said(b"EV"),
        round: said(b"RO"),
        place: said(b"PC"),
        annotator: said(b"AN"),
        comment: said(b"GC"),
        date: date.and_then(|text| day(&text, node.offset, faults)),
    };
    let opening = Opening {
        index: info.index,
        points: info.points(length, node, faults),
        crawford: tokens.crawford_game,
        start: tokens.start(),
        cube_log2: node.value(Id::of(b"CV")).map_or(0, |raw| automatic(raw, node.offset, faults)),
        result: node.value(Id::of(b"RE")).and_then(|raw| claim(raw, node.offset, faults)),
    };
    (head, opening)
}

/// A decoded text, `None` when empty; a repair is noted.
pub(super) fn text(raw: &[u8], offset: usize, faults: &mut Faults) -> Option<String> {
    let decoded = encoding::text(raw);
    match decoded.reading {
        Reading::Utf8 => {}
        Reading::Cut => faults.note_once(offset, "a text cut inside a character"),
        Reading::Windows1252 => faults.note_once(offset, "text that is not UTF-8, read as Windows-1252"),
    }
    Some(decoded.text).filter(|text| !text.is_empty())
}

/// The exponent of a cube value written out: 1, 2, 4, ...
pub(super) fn cube_log2(raw: &[u8]) -> Option<u8> {
    let value = u32::try_from(whole(raw)?).ok().filter(|value| value.is_power_of_two())?;
    u8::try_from(value.trailing_zeros()).ok().filter(|&log2| log2 <= cube::LARGEST_LOG2)
}

fn automatic(raw: &[u8], offset: usize, faults: &mut Faults) -> u8 {
    cube_log2(raw).unwrap_or_else(|| {
        faults.note(offset, "a cube value that is no power of two");
        0
    })
}

/// `MI[length:7][game:0][ws:1][bs:2]`: several values of one property.
#[derive(Debug, Default)]
struct MatchInfo {
    length: Option<i64>,
    index: Option<i64>,
    points: [Option<i64>; 2],
}

impl MatchInfo {
    fn read(values: &[&[u8]]) -> Self {
        let mut info = Self::default();
        for value in values {
            let Some(colon) = value.iter().position(|&byte| byte == b':') else { continue };
            let number = whole(&value[colon + 1..]);
            match value[..colon].trim_ascii() {
                b"length" => info.length = number,
                b"game" => info.index = number,
                b"ws" => info.points[0] = number,
                b"bs" => info.points[1] = number,
                _ => {}
            }
        }
        info
    }

    fn length(&self, node: &Node<'_>, faults: &mut Faults) -> Length {
        match self.length.map(u32::try_from) {
            Some(Ok(points)) => Length::from_points(points),
            None if self.index.is_none() && !node.has(MI) => Length::Money,
            _ => {
                faults.note(node.offset, "a match length that is no number of points");
                Length::Money
            }
        }
    }

    /// A score that the length forbids is ignored, as the program does.
    fn points(&self, length: Length, node: &Node<'_>, faults: &mut Faults) -> [i64; 2] {
        /// No session is longer; keeps sums of points far from overflow.
        const LARGEST: i64 = 1 << 31;
        let most = if length == Length::Money { LARGEST } else { i64::from(length.points()) };
        self.points.map(|points| {
            let points = points.unwrap_or(0);
            if (0..most).contains(&points) || (length == Length::Money && points.abs() < LARGEST) {
                return points;
            }
            faults.note(node.offset, format!("a score of {points} in a match to {}", length.points()));
            0
        })
    }
}

/// The colon-separated tokens of `RU`.
#[derive(Debug)]
struct Tokens {
    crawford: bool,
    crawford_game: bool,
    jacoby: bool,
    no_cube: bool,
    variant: Variant,
    /// Checkers a side in hypergammon.
    checkers: u8,
}

impl Tokens {
    fn read(raw: &[u8]) -> Self {
        let mut tokens = Self {
            crawford: false,
            crawford_game: false,
            jacoby: false,
            no_cube: false,
            variant: Variant::Backgammon,
            checkers: 0,
        };
        for token in raw.split(|&byte| byte == b':').map(<[u8]>::trim_ascii) {
            match token {
                b"Crawford" => tokens.crawford = true,
                b"CrawfordGame" => tokens.crawford_game = true,
                b"Jacoby" => tokens.jacoby = true,
                b"NoCube" => tokens.no_cube = true,
                b"Nackgammon" => tokens.variant = Variant::Nackgammon,
                [b'H', b'y', b'p', b'e', b'r', b'g', b'a', b'm', b'm', b'o', b'n', digit @ b'1'..=b'3'] => {
                    tokens.variant = Variant::Hypergammon;
                    tokens.checkers = digit - b'0';
                }
                _ => {}
            }
        }
        tokens
    }

    fn rules(&self, length: Length) -> Rules {
        let money = length == Length::Money;
        Rules {
            crawford: self.crawford && !money,
            jacoby: self.jacoby && money,
            beavers: None,
            cube: !self.no_cube,
            variant: self.variant,
        }
    }

    fn start(&self) -> Board {
        let own: &[(usize, i8)] = match self.variant {
            Variant::Nackgammon => &[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)],
            Variant::Hypergammon => &[(24, 1), (23, 1), (22, 1)][..usize::from(self.checkers)],
            _ => return Board::START,
        };
        let mut cells = [0; 26];
        for &(cell, checkers) in own {
            cells[cell] += checkers;
            cells[25 - cell] -= checkers;
        }
        Board::new(cells).unwrap_or(Board::START)
    }
}

/// `YYYY-MM-DD`; what follows a first day (SGF allows lists) is not read.
fn day(text: &str, offset: usize, faults: &mut Faults) -> Option<Date> {
    let mut parts = text.split(['-', ',']).map(str::trim);
    let date = (|| {
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
    })();
    if date.is_none() {
        faults.note(offset, "a date that is no day");
    }
    date
}

/// `W+4`, `B+2R`; anything else claims nothing.
fn claim(raw: &[u8], offset: usize, faults: &mut Faults) -> Option<Claim> {
    let raw = raw.trim_ascii();
    let (winner, rest) = match raw {
        [b'W', b'+', rest @ ..] => (Seat::First, rest),
        [b'B', b'+', rest @ ..] => (Seat::Second, rest),
        _ => {
            faults.note(offset, "a result that names no winner and points");
            return None;
        }
    };
    let (rest, resigned) = match rest {
        [rest @ .., b'R' | b'r'] => (rest, true),
        rest => (rest, false),
    };
    let points = whole(rest).filter(|points| (1..=1 << 32).contains(points));
    if points.is_none() {
        faults.note(offset, "a result without points");
    }
    Some(Claim { winner, points: points?, resigned })
}
