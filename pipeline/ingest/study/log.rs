//! The study log: what a player did with which position on which day (`study-sources.md` 5).
//!
//! CSV with a header, or one JSON object a line. A line needs a date and a position (an XGID, an OGID, or gnuBG's
//! `position:match`), or a place in a match instead; the rest may be absent, and unknown columns are passed over. A line
//! that cannot be read is reported with its number and skipped; a file with more than half of them is refused, since
//! what is left would be no account of anybody's study.
//!
//! An id that can be read and yet shows no position a key describes (a beaver is pending) is an entry without a key.

use super::LineFault;
use super::date::{Moment, Reading};
use super::delimited::{self, Fields, Line, Table};
use crate::game::key::PositionKey;
use crate::game::xgid::XgidFault;
use crate::game::{gnuid, ogid, xgid};
use crate::ingest::record::Rejected;
use std::fmt;

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Marked as studied.
    #[default]
    Mark,
    /// A card was answered.
    Review,
    /// A question was answered.
    Quiz,
    /// A lesson was taken.
    Lesson,
    /// Anything else that is study.
    Other,
    /// A comment was written: the position is treated, nothing was practised.
    Comment,
    /// Filed in a collection; likewise.
    Collection,
    /// A card was made; likewise.
    Card,
}

impl Action {
    const ALL: [Self; 8] =
        [Self::Mark, Self::Review, Self::Quiz, Self::Lesson, Self::Other, Self::Comment, Self::Collection, Self::Card];

    /// The word in a log, and the stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Mark => "mark",
            Self::Review => "review",
            Self::Quiz => "quiz",
            Self::Lesson => "lesson",
            Self::Other => "other",
            Self::Comment => "comment",
            Self::Collection => "collection",
            Self::Card => "card",
        }
    }

    /// Reads [`Action::token`], in any case.
    #[must_use]
    pub fn from_token(token: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.token().eq_ignore_ascii_case(token))
    }

    /// It is an event of `study_events`; the others only make a position treated.
    #[must_use]
    pub const fn is_event(self) -> bool {
        !matches!(self, Self::Comment | Self::Collection | Self::Card)
    }
}

/// How an answer went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A grade: 1 again, 2 hard, 3 good, 4 easy.
    Grade(u8),
    /// Equity lost, in mpt; a right answer lost nothing.
    Lost(i64),
    /// Wrong, and nobody said by how much.
    Wrong,
}

impl Answer {
    /// Grades and verdicts by their words or digits; any other number is an equity.
    fn read(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "again" | "1" => Some(Self::Grade(1)),
            "hard" | "2" => Some(Self::Grade(2)),
            "good" | "3" => Some(Self::Grade(3)),
            "easy" | "4" => Some(Self::Grade(4)),
            "right" => Some(Self::Lost(0)),
            "wrong" => Some(Self::Wrong),
            number => Some(Self::Lost(lost(number)?)),
        }
    }
}

/// An equity loss in mpt. Quizzes that count a loss as negative mean the same.
fn lost(number: &str) -> Option<i64> {
    let equity: f64 = number.replace(',', ".").parse().ok()?;
    crate::game::Equity::from_f64(equity.abs()).map(|equity| equity.mpt().0)
}

/// A decision by its place in a match, to be joined when the match is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// Match id or file name.
    pub of_match: String,
    /// From 1.
    pub game: u32,
    /// Move number in the game.
    pub number: u32,
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} game {} move {}", self.of_match, self.game, self.number)
    }
}

impl Reference {
    /// Reads what it writes: the raw id of a row that waits to be joined.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let (rest, number) = text.rsplit_once(" move ")?;
        let (of_match, game) = rest.rsplit_once(" game ")?;
        Some(Self { of_match: of_match.to_owned(), game: game.parse().ok()?, number: number.parse().ok()? })
    }
}

/// What was studied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A position id as the source has it, and its key where it has one.
    Position {
        /// As written.
        raw: String,
        /// `None` = a position no key describes.
        key: Option<PositionKey>,
    },
    /// A decision of a match.
    Decision(Reference),
}

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number, from 1.
    pub line: u64,
    /// When.
    pub moment: Moment,
    /// On what.
    pub subject: Subject,
    /// What was done.
    pub action: Action,
    /// How it went.
    pub answer: Option<Answer>,
    /// Whose study, as written.
    pub player: Option<String>,
    /// Free text.
    pub note: Option<String>,
}

/// A log: what could be read, and what not. Both in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// Lines that say something.
    pub entries: Vec<Entry>,
    /// Lines that do not.
    pub faults: Vec<LineFault>,
}

impl Log {
    /// What of it says nothing, in words; `None` where every line does.
    #[must_use]
    pub fn passed_over(&self) -> Option<String> {
        super::passed_over(&self.faults, self.entries.len())
    }
}

/// Reads a log, CSV or JSON lines by its first character.
///
/// # Errors
/// [`Rejected`] when it is too large, when the columns that matter are absent, or when more than half of the lines cannot be
/// read.
pub fn read(bytes: &[u8], reading: Reading) -> Result<Log, Rejected> {
    delimited::bounded(bytes)?;
    let text = delimited::without_mark(bytes).trim_ascii_start();
    let mut log = Log::default();
    let mut take = |line: Line| match line.and_then(|(number, fields)| entry(number, &fields, reading)) {
        Ok(entry) => log.entries.push(entry),
        Err(fault) => log.faults.push(fault),
    };
    if text.first() == Some(&b'{') {
        json_lines(bytes).for_each(&mut take);
    } else {
        csv_lines(bytes)?.for_each(&mut take);
    }
    match log.faults.first() {
        Some(first) if log.faults.len() > log.entries.len() => {
            let (bad, all) = (log.faults.len(), log.faults.len() + log.entries.len());
            let detail = format!("study log: {bad} of {all} lines cannot be read, the first being {first}");
            Err(Rejected::damaged("unreadable_lines", 0, detail))
        }
        _ => Ok(log),
    }
}

fn csv_lines(bytes: &[u8]) -> Result<Table<'_>, Rejected> {
    let table = delimited::read(bytes);
    let has = |name: &str| table.columns.iter().any(|column| column == name);
    let lacks = match (has("date"), has("position") || has("match")) {
        (true, true) => return Ok(table),
        (true, false) => "column `position` or `match`",
        (false, true) => "column `date`",
        (false, false) => "columns `date` and `position` or `match`",
    };
    Err(Rejected::damaged("header", 0, format!("study log without the {lacks}")))
}

/// One object a line; blank lines are nothing.
fn json_lines(bytes: &[u8]) -> impl Iterator<Item = Line> {
    let lines = delimited::without_mark(bytes).split(|byte| *byte == b'\n');
    let numbered = (1..).zip(lines).filter(|(_, line)| !line.trim_ascii().is_empty());
    numbered.map(|(number, line)| json_line(number, line))
}

/// Longest line of JSON that is parsed: values take many times their bytes.
const LONGEST_LINE: usize = 64 << 10;

fn json_line(line: u64, bytes: &[u8]) -> Line {
    if bytes.len() > LONGEST_LINE {
        return Err(LineFault { line, reason: format!("a line of {} bytes", bytes.len()) });
    }
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(bytes)
        .map_err(|fault| LineFault { line, reason: format!("no JSON object: {fault}") })?;
    let field = |(name, value): (String, serde_json::Value)| {
        let text = match value {
            serde_json::Value::String(text) => text.trim().to_owned(),
            serde_json::Value::Number(number) => number.to_string(),
            _ => return None,
        };
        (!text.is_empty()).then(|| (name.to_ascii_lowercase(), text))
    };
    Ok((line, object.into_iter().filter_map(field).collect()))
}

fn entry(line: u64, fields: &Fields, reading: Reading) -> Result<Entry, LineFault> {
    let fault = |reason: String| LineFault { line, reason };
    let get = |name: &str| fields.get(name).map(String::as_str);
    let moment = get("date").map_or(Ok(None), |date| reading.moment(date)).map_err(fault)?;
    let action = match get("action") {
        Some(word) => Action::from_token(word).ok_or_else(|| fault(format!("`{word}` is no action")))?,
        None => Action::default(),
    };
    let answer = match get("result") {
        Some(word) => Some(Answer::read(word).ok_or_else(|| fault(format!("`{word}` is no result")))?),
        None => None,
    };
    Ok(Entry {
        line,
        moment: moment.ok_or_else(|| fault("no date".to_owned()))?,
        subject: subject(&get).map_err(fault)?,
        action,
        answer,
        player: get("player").map(str::to_owned),
        note: get("note").map(str::to_owned),
    })
}

fn subject<'a>(get: &impl Fn(&str) -> Option<&'a str>) -> Result<Subject, String> {
    if let Some(raw) = get("position") {
        return Ok(Subject::Position { raw: raw.to_owned(), key: key(raw)? });
    }
    let of_match = get("match").ok_or("neither a position nor a match")?;
    let number = |name: &str| {
        let text = get(name).ok_or_else(|| format!("a match without `{name}`"))?;
        text.parse().ok().filter(|number| *number > 0).ok_or_else(|| format!("`{text}` is no number of a {name}"))
    };
    Ok(Subject::Decision(Reference { of_match: of_match.to_owned(), game: number("game")?, number: number("move")? }))
}

/// Fields of gnuBG's pair of ids.
const PAIR: usize = 2;

/// The key of an id; `None` for a pending beaver, which none describes.
fn key(raw: &str) -> Result<Option<PositionKey>, String> {
    if raw.split(':').count() == PAIR {
        return gnuid::decode(raw).map(|(key, _)| Some(key)).map_err(|fault| fault.to_string());
    }
    if ogid::is_meant(raw) {
        return ogid::decode(raw).map(|(key, _)| Some(key)).map_err(|fault| fault.to_string());
    }
    match xgid::decode(raw) {
        Ok((key, _)) => Ok(Some(key)),
        Err(XgidFault::Beaver) => Ok(None),
        Err(fault) => Err(fault.to_string()),
    }
}
