//! Contests of any game, from JSON Lines: one contest a line, its areas as rows of symbols.
//!
//! This is how a program for another board tells the Academy what was played. The reader owns the shape of a line and
//! refuses what does not fit, line by line: one that is refused stops nothing else. Rows come as the mover sees them or
//! as they lie on the board; what leaves is always what the core stores, the mover's own pieces black. A game that is
//! not symmetric is the exception: both sides keep their colours, and nothing is turned.
//!
//! A field that nobody knows changes nothing, and is told with its line: it may be one that was misspelt. Games on
//! backgammon's board are refused. Their players are rated by their matches and their values come from an analysis; they
//! are read from match files, and a line that says "backgammon" would mix another scale into the club's knowledge of it.
//!
//! An id stands for one contest. The very same line again is passed over in silence, whatever file it is in; another
//! line with the same id is refused.

use super::alphabet::Symbol;
use super::area::{Area, Place};
use super::contest::{Candidate, Contest, Outcome, Ply, Rated, Rules, Schedule, Side};
use super::turn::{Turn, turned};
use super::units::{Cost, Elo, VALUE_SCALE, Value};
use crate::spelling::nearest;
use jiff::civil::Date;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A line that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its number in the file, from 1.
    pub line: usize,
    /// Why, as a lower-case fragment.
    pub reason: String,
}

/// An id, and the line that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The id of the contest.
    pub contest_id: String,
    /// Number of the line, from 1.
    pub line: usize,
    /// Of the line.
    pub hash: blake3::Hash,
}

/// Says that an id is used.
#[must_use]
pub fn taken(contest_id: &str) -> String {
    format!("another contest has the id {contest_id:?}")
}

/// What a file gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Its contests, in the order of the lines.
    pub contests: Vec<Contest>,
    /// The ids they take, in the same order.
    pub claims: Vec<Claim>,
    /// Lines that were read before, here or in another file.
    pub repeated: usize,
    /// Lines it could not use.
    pub refused: Vec<Refused>,
    /// Lines it used but for fields that nobody knows.
    pub remarked: Vec<Refused>,
}

/// Reads files one after another and remembers which ids are used.
#[derive(Debug, Default)]
pub struct Reader {
    /// Id to the hash of its line.
    known: BTreeMap<String, blake3::Hash>,
    places: BTreeSet<Arc<Place>>,
    /// Unknown fields of the line being read, and where each stands first.
    strangers: BTreeMap<String, (String, &'static [&'static str])>,
}

/// The fields of a line, of a ply and of a candidate.
const OF_LINE: &[&str] = &[
    "contest_id",
    "game",
    "season",
    "date",
    "event",
    "round",
    "match_id",
    "seq",
    "first",
    "second",
    "elo_first",
    "elo_second",
    "symmetric",
    "chance_outcomes",
    "view",
    "turn",
    "result",
    "final",
    "first_contact",
    "plies",
];
const OF_PLY: &[&str] =
    &["i", "by", "chance", "move", "key", "value", "before", "areas", "choices", "cost", "candidates"];
const OF_CANDIDATE: &[&str] = &["move", "key", "value", "cost", "areas"];

/// Games on backgammon's board.
const BACKGAMMON: [&str; 4] = ["backgammon", "nackgammon", "hypergammon", "longgammon"];

/// Unknown fields of a line that are named, those that are remembered, and characters of a name: nothing here grows with
/// what a damaged file says.
const NAMED: usize = 5;
const STRANGERS: usize = 50;
const LETTERS: usize = 40;

/// A reason, as a lower-case fragment.
type Reason = String;

/// No cost is larger; a file that says so is damaged.
const COST_BOUND: f64 = 1e6;

impl Reader {
    /// The contests of one file. `season` holds where a line names none.
    pub fn read(&mut self, bytes: &[u8], season: &str) -> Lines {
        let mut lines = Lines::default();
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| number == 1).unwrap_or(line).trim_ascii();
            if line.is_empty() {
                continue;
            }
            let hash = blake3::hash(line);
            self.strangers.clear();
            match self.line(line, (season, hash)) {
                Ok(Some(contest)) => {
                    lines.claims.push(Claim { contest_id: contest.contest_id.clone(), line: number, hash });
                    lines.contests.push(contest);
                    lines.remarked.extend(self.remark().map(|reason| Refused { line: number, reason }));
                }
                Ok(None) => lines.repeated += 1,
                Err(reason) => lines.refused.push(Refused { line: number, reason }),
            }
        }
        lines
    }

    /// `None` for a line that was read before.
    fn line(&mut self, line: &[u8], (season, hash): (&str, blake3::Hash)) -> Result<Option<Contest>, Reason> {
        let json: Json = serde_json::from_slice(line).map_err(|fault| format!("not JSON: {fault}"))?;
        let fields = self.fields(&json, ("the line", &String::new), OF_LINE)?;
        let contest = self.contest(&fields, season)?;
        match self.known.get(&contest.contest_id) {
            Some(known) if *known == hash => return Ok(None),
            Some(_) => return Err(taken(&contest.contest_id)),
            None => {}
        }
        self.known.insert(contest.contest_id.clone(), hash);
        Ok(Some(contest))
    }

    /// An object's members; those that nobody knows are remembered with the place that holds them.
    fn fields<'a>(
        &mut self,
        json: &'a Json,
        (what, place): (&str, &dyn Fn() -> String),
        known: &'static [&'static str],
    ) -> Result<Fields<'a>, Reason> {
        let fields = Fields::of(json, what)?;
        for name in fields.0.keys().filter(|name| !known.contains(&name.as_str())) {
            if self.strangers.len() < STRANGERS {
                let name = name.chars().take(LETTERS).collect();
                self.strangers.entry(name).or_insert_with(|| (place(), known));
            }
        }
        Ok(fields)
    }

    /// What the line just read says in fields that nobody knows; `None` where it has none.
    fn remark(&self) -> Option<Reason> {
        let told = self.strangers.iter().take(NAMED).map(|(name, (place, known))| {
            let meant = nearest(name, known.iter().copied()).map(|known| format!(", is {known} meant?"));
            format!("{place}unknown field {name:?}{}", meant.unwrap_or_default())
        });
        let told = told.collect::<Vec<_>>().join("; ");
        let more = if self.strangers.len() > NAMED { "; and others" } else { "" };
        (!told.is_empty()).then(|| told + more)
    }

    fn contest(&mut self, fields: &Fields<'_>, season: &str) -> Result<Contest, Reason> {
        let contest_id = fields.name("contest_id")?.to_owned();
        let game = fields.name("game")?;
        if BACKGAMMON.iter().any(|of_board| game.trim().eq_ignore_ascii_case(of_board)) {
            let game = game.trim();
            return Err(format!("{game} is read from match files alone: a contest file holds other games"));
        }
        let rules = rules(fields)?;
        let outcome = outcome(fields.required_text("result")?)?;
        let frame = Frame { rules, rows: rows(fields, rules)? };
        let mut plies = Vec::new();
        for (json, number) in fields.required_list("plies")?.iter().zip(1u64..) {
            let ply = self.ply(json, number, frame).map_err(|reason| format!("ply {number}: {reason}"))?;
            plies.push(ply);
        }
        Ok(Contest {
            game: game.to_owned(),
            rules,
            schedule: Schedule {
                season: fields.text("season")?.unwrap_or(season).to_owned(),
                date: fields.text("date")?.map(day).transpose()?,
                event: fields.text("event")?.unwrap_or_default().to_owned(),
                round: fields.text("round")?.unwrap_or_default().to_owned(),
                match_id: fields.text("match_id")?.unwrap_or(&contest_id).to_owned(),
                seq: fields.count("seq")?.unwrap_or(1),
            },
            first: fields.name("first")?.to_owned(),
            second: fields.name("second")?.to_owned(),
            rated: rated(fields)?,
            outcome,
            ends_on_board: fields.flag("final")?.unwrap_or(true) && outcome != Outcome::Unfinished,
            first_contact: fields.count("first_contact")?,
            estimated: 0,
            plies,
            contest_id,
        })
    }

    fn ply(&mut self, json: &Json, number: u64, frame: Frame) -> Result<Ply, Reason> {
        let fields = self.fields(json, ("it", &|| format!("ply {number}: ")), OF_PLY)?;
        if let Some(i) = fields.0.get("i").filter(|i| !i.is_null() && i.as_u64() != Some(number)) {
            return Err(format!("its i is {i}"));
        }
        let by = match fields.required("by")?.as_u64() {
            Some(1) => Side::First,
            Some(2) => Side::Second,
            _ => return Err("by is neither 1 nor 2".to_owned()),
        };
        let chance = fields.text("chance")?;
        if chance.is_some() && frame.rules.chance_outcomes == 0 {
            return Err("chance, where chance_outcomes is 0".to_owned());
        }
        let turn = frame.turn(by);
        let candidates = fields.list("candidates")?.unwrap_or_default();
        Ok(Ply {
            by,
            chance: chance.map(str::to_owned),
            label: fields.text("move")?.unwrap_or_default().to_owned(),
            key: fields.required_text("key")?.to_owned(),
            value: fields.share("value")?,
            before: fields.share("before")?,
            areas: self.areas(&fields, turn)?,
            choices: fields.count("choices")?,
            cost: fields.cost()?,
            candidates: candidates.iter().map(|json| self.candidate(json, (number, turn))).collect::<Result<_, _>>()?,
        })
    }

    fn candidate(&mut self, json: &Json, (ply, turn): (u64, Option<Turn>)) -> Result<Candidate, Reason> {
        let place = || format!("ply {ply}, a candidate: ");
        let fields = self.fields(json, ("a candidate", &place), OF_CANDIDATE)?;
        Ok(Candidate {
            label: fields.text("move")?.unwrap_or_default().to_owned(),
            key: fields.required_text("key")?.to_owned(),
            value: fields.share("value")?,
            cost: fields.cost()?,
            areas: self.areas(&fields, turn)?,
        })
    }

    fn areas(&mut self, fields: &Fields<'_>, turn: Option<Turn>) -> Result<Vec<Area>, Reason> {
        let areas = fields.list("areas")?.unwrap_or_default();
        areas.iter().map(|json| self.area(json, turn)).collect()
    }

    fn area(&mut self, json: &Json, turn: Option<Turn>) -> Result<Area, Reason> {
        let shape = || format!("{json} is no area: a name and rows of symbols");
        let Some([Json::String(name), Json::Array(rows)]) = json.as_array().map(Vec::as_slice) else {
            return Err(shape());
        };
        let rows = rows.iter().map(Json::as_str).collect::<Option<Vec<&str>>>().ok_or_else(shape)?;
        let symbol = |letter| Symbol::read(letter).ok_or_else(|| format!("unknown symbol {letter:?} in area {name:?}"));
        let read = |row: &str| row.chars().map(symbol).collect::<Result<Vec<_>, _>>();
        let mut rows = rows.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if let Some(turn) = turn {
            rows = turned(&rows, turn);
        }
        let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
        let place = self.place(name, &lengths)?;
        if !is_of_board(&lengths) {
            return Err(format!(
                "rows of area {name:?} are neither of one length nor growing by one and then shrinking by one"
            ));
        }
        Area::new(&place, &rows.concat())
    }

    /// Areas of one place share it.
    fn place(&mut self, name: &str, rows: &[usize]) -> Result<Arc<Place>, Reason> {
        let place = Place::new(name, rows)?;
        if let Some(known) = self.places.get(&place) {
            return Ok(Arc::clone(known));
        }
        let place = Arc::new(place);
        self.places.insert(Arc::clone(&place));
        Ok(place)
    }
}

/// Whether rows of these lengths are part of a board (`academy.md` 3.2): of a square one, all of one length, or of a
/// hexagonal one, each longer by one up to the longest and then shorter by one.
fn is_of_board(lengths: &[usize]) -> bool {
    let grows = |pair: &[usize]| pair[1] == pair[0] + 1;
    let shrinks = |pair: &[usize]| pair[1] + 1 == pair[0];
    let is_square = lengths.windows(2).all(|pair| pair[0] == pair[1]);
    is_square || lengths.windows(2).skip_while(|pair| grows(pair)).all(shrinks)
}

/// How the rows of a contest lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowsAs {
    /// The mover's pieces are black.
    Mover,
    /// The first player's are; to see the second player's, they are turned round.
    Board(Turn),
}

/// What the plies of a contest share.
#[derive(Clone, Copy, Debug)]
struct Frame {
    rules: Rules,
    rows: RowsAs,
}

impl Frame {
    /// How the rows are turned to be seen by who moved; `None` if they stay as they are.
    const fn turn(self, by: Side) -> Option<Turn> {
        match (self.rules.symmetric, by, self.rows) {
            (true, Side::Second, RowsAs::Board(turn)) => Some(turn),
            _ => None,
        }
    }
}

fn rules(fields: &Fields<'_>) -> Result<Rules, Reason> {
    Ok(Rules {
        symmetric: fields.flag("symmetric")?.unwrap_or(true),
        chance_outcomes: fields.count("chance_outcomes")?.unwrap_or(0),
        middle_from: None,
    })
}

fn rows(fields: &Fields<'_>, rules: Rules) -> Result<RowsAs, Reason> {
    let turn = match fields.text("turn")?.unwrap_or("none") {
        "none" => Turn::None,
        "half" => Turn::Half,
        other => return Err(format!("unknown turn {other:?}")),
    };
    match fields.text("view")?.unwrap_or("mover") {
        "first" => Ok(RowsAs::Board(turn)),
        "mover" if rules.symmetric => Ok(RowsAs::Mover),
        "mover" => Err("a game that is not symmetric needs view \"first\"".to_owned()),
        other => Err(format!("unknown view {other:?}")),
    }
}

fn outcome(text: &str) -> Result<Outcome, Reason> {
    match text {
        "first" => Ok(Outcome::First),
        "draw" => Ok(Outcome::Draw),
        "second" => Ok(Outcome::Second),
        "none" => Ok(Outcome::Unfinished),
        other => Err(format!("unknown result {other:?}")),
    }
}

fn rated(fields: &Fields<'_>) -> Result<Rated, Reason> {
    match (fields.elo("elo_first")?, fields.elo("elo_second")?) {
        (Some(first), Some(second)) => Ok(Rated::Stated(first, second)),
        (None, None) => Ok(Rated::ByContest),
        _ => Err("one Elo without the other".to_owned()),
    }
}

/// A day as it is written everywhere here: `2026-03-01`.
fn day(text: &str) -> Result<Date, Reason> {
    const WRITTEN: usize = "2026-03-01".len();
    let date = text.parse().ok().filter(|_| text.len() == WRITTEN);
    date.ok_or_else(|| format!("{text:?} is no date"))
}

/// The members of an object. Null counts as absent.
struct Fields<'a>(&'a Map<String, Json>);

impl<'a> Fields<'a> {
    fn of(json: &'a Json, what: &str) -> Result<Self, Reason> {
        json.as_object().map(Self).ok_or_else(|| format!("{what} is no JSON object"))
    }

    fn required(&self, name: &str) -> Result<&'a Json, Reason> {
        self.0.get(name).filter(|json| !json.is_null()).ok_or_else(|| format!("no {name}"))
    }

    /// A member that, if it is there, is what `read` makes of it.
    fn optional<T>(&self, name: &str, kind: &str, read: impl Fn(&'a Json) -> Option<T>) -> Result<Option<T>, Reason> {
        let Some(json) = self.0.get(name).filter(|json| !json.is_null()) else { return Ok(None) };
        read(json).map(Some).ok_or_else(|| format!("{name} is no {kind}"))
    }

    fn text(&self, name: &str) -> Result<Option<&'a str>, Reason> {
        self.optional(name, "text", Json::as_str)
    }

    fn required_text(&self, name: &str) -> Result<&'a str, Reason> {
        self.required(name)?.as_str().ok_or_else(|| format!("{name} is no text"))
    }

    /// A required text that names something.
    fn name(&self, name: &str) -> Result<&'a str, Reason> {
        let text = self.required_text(name)?;
        if text.trim().is_empty() { Err(format!("{name} is empty")) } else { Ok(text) }
    }

    fn list(&self, name: &str) -> Result<Option<&'a [Json]>, Reason> {
        self.optional(name, "list", |json| json.as_array().map(Vec::as_slice))
    }

    fn required_list(&self, name: &str) -> Result<&'a [Json], Reason> {
        self.required(name)?;
        Ok(self.list(name)?.unwrap_or_default())
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, Reason> {
        self.optional(name, "truth value", Json::as_bool)
    }

    fn count(&self, name: &str) -> Result<Option<u32>, Reason> {
        self.optional(name, "whole number", |json| json.as_u64().and_then(|count| u32::try_from(count).ok()))
    }

    fn share(&self, name: &str) -> Result<Option<Value>, Reason> {
        let number = self.optional(name, "number", Json::as_f64)?;
        number.map(|share| Value::from_share(share).ok_or_else(|| format!("{name} outside 0 to 1"))).transpose()
    }

    fn elo(&self, name: &str) -> Result<Option<Elo>, Reason> {
        let number = self.optional(name, "number", Json::as_f64)?;
        number.map(|points| Elo::from_points(points).ok_or_else(|| format!("{name} out of range"))).transpose()
    }

    fn cost(&self) -> Result<Option<Cost>, Reason> {
        let Some(cost) = self.optional("cost", "number", Json::as_f64)? else { return Ok(None) };
        if cost > COST_BOUND {
            return Err("cost out of range".to_owned());
        }
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1e15")]
        let billionths = libm::round(cost.max(0.0) * VALUE_SCALE as f64) as i64;
        Ok(Some(Cost::from_billionths(billionths)))
    }
}

/// A contest as a line of such a file, without the line's end. A game whose path is not known from its start counts as
/// one without a result.
#[must_use]
pub fn line(contest: &Contest) -> String {
    let Schedule { season, date, event, round, match_id, seq } = &contest.schedule;
    let (elo_first, elo_second) = match contest.rated {
        Rated::Stated(first, second) => (Some(first.points()), Some(second.points())),
        Rated::ByContest | Rated::ByMatch => (None, None),
    };
    let result = match contest.outcome {
        Outcome::First => "first",
        Outcome::Draw => "draw",
        Outcome::Second => "second",
        Outcome::Unfinished | Outcome::Edited => "none",
    };
    json!({
        "contest_id": contest.contest_id,
        "game": contest.game,
        "season": season,
        "date": date.map(|date| date.to_string()),
        "event": event,
        "round": round,
        "match_id": match_id,
        "seq": seq,
        "first": contest.first,
        "second": contest.second,
        "elo_first": elo_first,
        "elo_second": elo_second,
        "symmetric": contest.rules.symmetric,
        "chance_outcomes": contest.rules.chance_outcomes,
        "view": if contest.rules.symmetric { "mover" } else { "first" },
        "result": result,
        "final": contest.ends_on_board,
        "first_contact": contest.first_contact,
        "plies": contest.plies.iter().map(ply_json).collect::<Vec<_>>(),
    })
    .to_string()
}

fn ply_json(ply: &Ply) -> Json {
    json!({
        "by": if ply.by == Side::First { 1 } else { 2 },
        "chance": ply.chance,
        "move": ply.label,
        "key": ply.key,
        "value": ply.value.map(share),
        "before": ply.before.map(share),
        "areas": areas_json(&ply.areas),
        "choices": ply.choices,
        "cost": ply.cost.map(cost),
        "candidates": ply.candidates.iter().map(candidate_json).collect::<Vec<_>>(),
    })
}

fn candidate_json(candidate: &Candidate) -> Json {
    json!({
        "move": candidate.label,
        "key": candidate.key,
        "value": candidate.value.map(share),
        "cost": candidate.cost.map(cost),
        "areas": areas_json(&candidate.areas),
    })
}

fn areas_json(areas: &[Area]) -> Json {
    let rows = |area: &Area| {
        let mut symbols = area.cells().symbols().map(Symbol::letter);
        area.place().rows().iter().map(|&length| symbols.by_ref().take(length).collect()).collect::<Vec<String>>()
    };
    areas.iter().map(|area| json!([area.place().name(), rows(area)])).collect()
}

fn share(value: Value) -> f64 {
    value.billionths() as f64 / VALUE_SCALE as f64
}

fn cost(cost: Cost) -> f64 {
    cost.billionths() as f64 / VALUE_SCALE as f64
}
