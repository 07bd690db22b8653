//! What every reader yields: one match, as its file tells it.
//!
//! A [`Record`] is the only thing that leaves a reader. It holds facts (who, what, when, which position, which
//! equities) in the units of `game`, and no judgement: errors, counting and losses are `rate`'s. Its invariants, kept
//! by the readers:
//!
//! - every [`Board`] is seen from the player who decides ([`Action::seat`]); a take or a pass is seen from the one who
//!   answers, while its [`CubeAnalysis`] stays on the doubler's side, as in every file;
//! - [`Action::cube`] is the cube *before* the action, also for an answer;
//! - candidates stand in the file's order, so that the first is the best (`metrics.md` 3.2);
//! - equities are normalised to the cube before the decision (EMG); a file that stores match winning chances has been
//!   converted by its reader, which keeps the stored numbers beside;
//! - what a file does not say is `None`, never 0.

use crate::game::cube::CubeEquities;
use crate::game::{Board, Cube, Dice, Equity, Length, Mwc, Play, Probability, Seat};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The format a file was recognised as, by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Format {
    /// eXtreme Gammon binary.
    Xg,
    /// GNU Backgammon SGF.
    Sgf,
    /// Jellyfish text and its dialects: a transcription without analysis.
    Mat,
}

impl Format {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Xg => "xg",
            Self::Sgf => "sgf",
            Self::Mat => "mat",
        }
    }
}

/// The program whose analysis a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Engine {
    /// eXtreme Gammon.
    Xg,
    /// GNU Backgammon.
    GnuBg,
    /// BGBlitz.
    BgBlitz,
    /// A transcription: nobody analysed it.
    None,
}

impl Engine {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Xg => "xg",
            Self::GnuBg => "gnubg",
            Self::BgBlitz => "bgblitz",
            Self::None => "none",
        }
    }
}

/// One file's match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What it was recognised as.
    pub format: Format,
    /// Whose analysis it holds.
    pub engine: Engine,
    /// Version of the program or of the format, as the file says it: `1.07.001`, `32`.
    pub engine_version: Option<String>,
    /// The file was written by this project's own writers (tests, benchmark): its statistics are nobody's print.
    pub made_by_portes: bool,
    /// First and second player.
    pub players: [Player; 2],
    /// What is played for.
    pub length: Length,
    /// Rules in force.
    pub rules: Rules,
    /// Event, round, place: as written, `None` when empty.
    pub event: Option<String>,
    /// Round.
    pub round: Option<String>,
    /// Place.
    pub place: Option<String>,
    /// Who annotated or transcribed.
    pub annotator: Option<String>,
    /// Day of the match.
    pub date: Option<Date>,
    /// Games in the order of the file.
    pub games: Vec<Game>,
    /// Points per seat at the end as the file states them (XG's footers), perhaps capped at the length; `None` where it
    /// states none.
    pub final_score: Option<[i64; 2]>,
    /// Comments, in the order of the file.
    pub comments: Vec<Comment>,
    /// What was passed over, and where; an empty list is a clean file.
    pub faults: Vec<Fault>,
    /// The file breaks off, or a game had to be left out: it is `partial`.
    pub partial: bool,
}

/// A player as the file has him.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// As written; may be empty, may hold anything.
    pub name: String,
    /// Rating in the file, free text.
    pub rating: Option<String>,
}

/// Rules of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// The Crawford rule is in use (match play).
    pub crawford: bool,
    /// The Jacoby rule is in use (money).
    pub jacoby: bool,
    /// Beavers are allowed (money); `None` where the format does not say.
    pub beavers: Option<bool>,
    /// The game is played with a cube.
    pub cube: bool,
    /// Which game.
    pub variant: Variant,
}

impl Default for Rules {
    fn default() -> Self {
        Self { crawford: true, jacoby: false, beavers: None, cube: true, variant: Variant::Backgammon }
    }
}

/// The variants files name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Variant {
    /// The game.
    Backgammon,
    /// Another start position.
    Nackgammon,
    /// Three checkers or fewer a side.
    Hypergammon,
    /// All checkers on the 24 point.
    Longgammon,
}

impl Variant {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Backgammon => "backgammon",
            Self::Nackgammon => "nackgammon",
            Self::Hypergammon => "hypergammon",
            Self::Longgammon => "longgammon",
        }
    }
}

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Points before the game, per seat.
    pub points: [i64; 2],
    /// The file says (or the rule gives) that this is the Crawford game.
    pub crawford: bool,
    /// The board at the start, seen from the first seat.
    pub start: Board,
    /// What was done, in order.
    pub actions: Vec<Action>,
    /// How it ended; `None` = the file does not show an end.
    pub outcome: Option<Outcome>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Who won it.
    pub winner: Seat,
    /// Points won, cube included, not capped at what the match needs.
    pub points: i64,
    /// How.
    pub ending: Ending,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Ending {
    /// A double was passed.
    Pass,
    /// Borne off: single game, gammon or backgammon as the points say.
    BorneOff,
    /// Resigned.
    Resigned,
    /// The file gives points and no way.
    Unknown,
}

impl Ending {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::BorneOff => "borne_off",
            Self::Resigned => "resigned",
            Self::Unknown => "unknown",
        }
    }
}

/// One decision, or one roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// Who decides.
    pub seat: Seat,
    /// Before the action, seen from `seat`.
    pub board: Board,
    /// Before the action, owner seen from `seat`.
    pub cube: Cube,
    /// Thinking time where the format has it, seconds.
    pub seconds: Option<i64>,
    /// Where in the file (in the inflated member of a compressed one) it stands.
    pub offset: u64,
    /// What was decided.
    pub what: What,
}

/// The kinds of action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum What {
    /// A checker play, dances included.
    Checker(CheckerPlay),
    /// A player who could double rolled instead.
    NoDouble(Option<CubeAnalysis>),
    /// A double.
    Double(Option<CubeAnalysis>),
    /// An answer to a double: take.
    Take(Option<CubeAnalysis>),
    /// An answer to a double: pass.
    Pass(Option<CubeAnalysis>),
    /// An answer to a double: beaver. Counts as a take of the player who beavers (`metrics.md` 20.11).
    Beaver(Option<CubeAnalysis>),
    /// What follows a beaver (acceptance, refusal, raccoon): no decision of the measures; unrated, reason `beaver`.
    AfterBeaver(AfterBeaver),
}

/// What follows a beaver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AfterBeaver {
    /// The cube is turned once more.
    Raccoon,
    /// Accepted.
    Take,
    /// Refused.
    Pass,
}

/// A checker play and its analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckerPlay {
    /// The roll.
    pub dice: Dice,
    /// The play in the steps of the file; not necessarily legal, not necessarily step by step.
    pub play: Play,
    /// The board it led to, seen from the mover; `None` when the file does not let it be known.
    pub after: Option<Board>,
    /// The file says, or replaying shows, that the play breaks the rules.
    pub illegal: bool,
    /// Candidates in the file's order; empty = not analysed.
    pub candidates: Vec<Candidate>,
    /// Luck of the roll, mover's side; `None` = not known.
    pub luck: Option<Equity>,
    /// XG's own flag "does not count as a decision"; `None` in other formats.
    pub xg_forced: Option<bool>,
    /// XG's own error of the play (<= 0 as stored), kept as a check; `None` elsewhere or when unset.
    pub stored_error: Option<Equity>,
}

/// One candidate play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The steps, mover's side.
    pub play: Play,
    /// The board after it, mover's side.
    pub after: Board,
    /// Equity, mover's side; `None` for a listed play without evaluation.
    pub equity: Option<Equity>,
    /// Outcome probabilities, mover's side.
    pub odds: Option<Odds>,
    /// How deep.
    pub depth: Depth,
    /// Games rolled out.
    pub trials: Option<i64>,
    /// Standard error of the equity, rollouts only.
    pub std_error: Option<Equity>,
}

/// Six outcome probabilities: cumulative, as every program states them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Odds {
    /// Wins of any kind.
    pub win: Probability,
    /// Gammons and backgammons won.
    pub win_gammon: Probability,
    /// Backgammons won.
    pub win_backgammon: Probability,
    /// Losses of any kind.
    pub lose: Probability,
    /// Gammons and backgammons lost.
    pub lose_gammon: Probability,
    /// Backgammons lost.
    pub lose_backgammon: Probability,
}

/// The analysis of a cube position, from the doubler's side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CubeAnalysis {
    /// ND, DT, DP in EMG.
    pub equities: CubeEquities,
    /// The stored match winning chances of no double and of double/take, where the file has those instead.
    pub mwc: Option<[Mwc; 2]>,
    /// Cubeless outcome probabilities before the roll.
    pub odds: Option<Odds>,
    /// How deep.
    pub depth: Depth,
    /// Games rolled out.
    pub trials: Option<i64>,
    /// Standard error of the better action, EMG, rollouts only.
    pub std_error: Option<Equity>,
    /// XG's own error of the double decision and of the answer, as stored, kept as a check.
    pub stored_errors: [Option<Equity>; 2],
}

/// Depth of an analysis: a label to show and the rank that compares all programs (`classifiers.md` 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Depth {
    /// Nothing known.
    Unknown,
    /// XG's n-ply, in XG's counting.
    XgPly(u8),
    /// XG's 3-ply red.
    XgRed,
    /// XG Roller.
    Roller,
    /// XG Roller+.
    RollerPlus,
    /// XG Roller++.
    RollerPlusPlus,
    /// Opening book.
    Book,
    /// gnuBG's n-ply, in gnuBG's counting (its n-ply is XG's n+1).
    GnuBgPly(u8),
    /// A rollout.
    Rollout,
}

impl Depth {
    /// Rank on one scale for all programs: 0 unknown, 14 rollout.
    #[must_use]
    pub const fn rank(self) -> u8 {
        match self {
            Self::Unknown => 0,
            Self::XgPly(ply) => ply_rank(ply),
            Self::GnuBgPly(ply) => ply_rank(ply.saturating_add(1)),
            Self::XgRed => 3,
            Self::Roller => 5,
            Self::RollerPlus => 7,
            Self::RollerPlusPlus => 12,
            Self::Book => 13,
            Self::Rollout => 14,
        }
    }

    /// What a report shows and a table stores: `3-ply`, `2-ply (gnuBG)`, `Roller++`, `rollout`.
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::Unknown => "unknown".to_owned(),
            Self::XgPly(ply) => {
                XG_PLIES.get(usize::from(ply)).map_or_else(|| format!("{ply}-ply"), |label| (*label).to_owned())
            }
            Self::XgRed => "3-ply red".to_owned(),
            Self::Roller => "Roller".to_owned(),
            Self::RollerPlus => "Roller+".to_owned(),
            Self::RollerPlusPlus => "Roller++".to_owned(),
            Self::Book => "book".to_owned(),
            Self::GnuBgPly(ply) => format!("gnuBG {ply}-ply"),
            Self::Rollout => "rollout".to_owned(),
        }
    }
}

/// The labels of the plies there are: every candidate of every file has one.
const XG_PLIES: [&str; 8] = ["0-ply", "1-ply", "2-ply", "3-ply", "4-ply", "5-ply", "6-ply", "7-ply"];

/// XG's 1-, 2-, 3-, 4-, 5-, 6-, 7-ply among the other levels.
const fn ply_rank(ply: u8) -> u8 {
    match ply {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4 => 6,
        5 => 8,
        6 => 9,
        _ => 11,
    }
}

/// A comment of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// Index into [`Record::games`]; `None` = about the match.
    pub game: Option<usize>,
    /// Index into [`Game::actions`]; `None` = about the game.
    pub action: Option<usize>,
    /// Plain text: markup is gone.
    pub text: String,
}

/// Something in a file that was passed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Byte offset in the file (in the inflated member of a compressed one).
    pub offset: u64,
    /// What, as a lower-case fragment.
    pub reason: String,
}

/// Why a whole file yields no record.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("{detail} at byte {offset}")]
pub struct Rejected {
    /// `quarantined` or `unsupported`.
    pub end: End,
    /// Stable token: `truncated`, `crc`, `magic`, ...
    pub code: String,
    /// First byte that does not fit; 0 for a wrong magic.
    pub offset: u64,
    /// One clear fragment for people.
    pub detail: String,
}

impl Rejected {
    /// A damaged file.
    #[must_use]
    pub fn damaged(code: &str, offset: u64, detail: impl Into<String>) -> Self {
        Self { end: End::Quarantined, code: code.to_owned(), offset, detail: detail.into() }
    }

    /// A file of a kind that is known and not read.
    #[must_use]
    pub fn unsupported(code: &str, detail: impl Into<String>) -> Self {
        Self { end: End::Unsupported, code: code.to_owned(), offset: 0, detail: detail.into() }
    }
}

/// The two ends of a file that yields nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum End {
    /// Damaged.
    Quarantined,
    /// Known, unread.
    Unsupported,
}
