//! Jellyfish text (`.mat`, `.txt`) and its dialects: a transcription of a match, without analysis.
//!
//! One grammar, a dozen writers (`gnubg-formats.md` 15, `other-formats.md` 6). This reader owns the way from bytes to
//! replayed games: [`text`] gives lines, [`header`] tags and length, [`row`] the actions of a line, [`moves`] the play
//! that is meant, [`table`] the game. It refuses to guess: a game whose position is lost stops there, the others stay.
//!
//! Invariants: every offset is that of the file; boards are replayed from the start of each game; nothing is
//! evaluated, so candidates and cube analyses are absent; the work is linear in the size of the file and bounded by
//! [`MOST_ACTIONS`] calls of the play generator.

mod header;
mod moves;
mod row;
mod snowie;
mod table;
mod text;

use super::record::{Comment, Ending, Engine, Fault, Format, Game, Outcome, Player, Record, Rejected, Rules, Variant};
use crate::game::dice::Dice;
use crate::game::{Board, Length, Seat};
use header::Header;
use row::{Cell, Column, Token};
use table::{Table, Who};
use text::{Line, decode, number, starts_with, trim};

/// Largest text that is read (`nightly.md`, hostile input).
pub const LARGEST: usize = 64 << 20;
/// Actions of one file that are read: a thousand games; the longest real match has some 4,000 actions.
pub const MOST_ACTIONS: usize = 100_000;
/// Games of one file that are read.
const MOST_GAMES: usize = 20_000;
/// Faults kept: past that, a file is noise, and its list is not read by anybody.
const MOST_FAULTS: usize = 1_000;
/// Comments kept, for the same reason.
const MOST_COMMENTS: usize = 10_000;

/// Reads a transcription.
///
/// # Errors
/// [`Rejected`] (`quarantined`) with code `size`, `no_length`, `length`, `no_game`, or `truncated` when the file
/// breaks off before one game is complete.
pub fn read(bytes: &[u8]) -> Result<Record, Rejected> {
    if bytes.len() > LARGEST {
        return Err(Rejected::damaged("size", at(LARGEST), "a text of more than 64 MiB"));
    }
    let mut lines = text::lines(bytes);
    let (header, length) = head(&mut lines)?;
    let mut reading = Reading::new(&header, length);
    for line in lines {
        if !reading.line(line) {
            break;
        }
    }
    reading.finish(header, bytes)
}

/// Whether a line is the length line of a transcription: `7 point match`.
#[must_use]
pub fn is_length_line(line: &[u8]) -> bool {
    header::length(line).is_some()
}

fn at(offset: usize) -> u64 {
    u64::try_from(offset).unwrap_or(u64::MAX)
}

/// Everything above and the length line itself.
fn head<'a>(lines: &mut impl Iterator<Item = Line<'a>>) -> Result<(Header, Length), Rejected> {
    let mut header = Header::default();
    let mut last = 0;
    for line in lines {
        last = at(line.offset);
        let text = trim(line.bytes);
        if text.starts_with(b";") || text.starts_with(b"#") {
            header.comment(text);
        } else if let Some(length) = header::length(text) {
            let length = length.ok_or_else(|| Rejected::damaged("length", last, "a length that is no number"))?;
            return Ok((header, length));
        } else if game_number(text).is_some() {
            break;
        }
    }
    Err(Rejected::damaged("no_length", last, "no line such as `7 point match`"))
}

/// `Game 3`.
fn game_number(text: &[u8]) -> Option<u32> {
    let rest = text.get(4..).filter(|_| starts_with(text, b"game"))?;
    let body = rest.trim_ascii_start();
    number(body).filter(|_| body.len() < rest.len()).map(|(number, _)| number)
}

/// One side of a score line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Side {
    name: String,
    rating: Option<String>,
    score: i64,
    exact: bool,
}

/// `name : 3      name : 2`, cut from the right: the last colon is the right player's, and inside the rest the last
/// `: digits` before two blanks (else one) ends the left player.
fn score_line(text: &[u8]) -> Option<[Side; 2]> {
    let colon = text.iter().rposition(|&byte| byte == b':')?;
    let right_score = trim(&text[colon + 1..]);
    let split = |gap: usize| (0..colon).rev().find_map(|at| left_end(&text[..colon], at, gap));
    let (left_colon, end) = split(2).or_else(|| split(1))?;
    Some([side(&text[..left_colon], &text[left_colon + 1..end])?, side(&text[end..colon], right_score)?])
}

/// Where the score behind a colon at `at` ends, when digits and `gap` blanks (a tab counts as two) follow it.
fn left_end(text: &[u8], at: usize, gap: usize) -> Option<(usize, usize)> {
    if text[at] != b':' {
        return None;
    }
    let body = text[at + 1..].trim_ascii_start();
    let (_, rest) = number(body)?;
    let blanks: usize = rest
        .iter()
        .map_while(|byte| match byte {
            b' ' => Some(1),
            b'\t' => Some(2),
            _ => None,
        })
        .sum();
    (blanks >= gap).then_some((at, text.len() - rest.len()))
}

fn side(name: &[u8], score: &[u8]) -> Option<Side> {
    let (score, _) = number(trim(score))?;
    let (text, exact) = decode(trim(name));
    // One online site appends the rating to the name.
    let rated = text.rsplit_once(',').filter(|(_, tail)| {
        let tail = tail.trim();
        tail.contains('.') && tail.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    });
    let (name, rating) = match rated {
        Some((name, rating)) => (name.trim().to_owned(), Some(rating.trim().to_owned())),
        None => (text, None),
    };
    Some(Side { name, rating, score: i64::from(score), exact })
}

/// The board before the first roll.
fn start(variant: Variant) -> Board {
    const NACKGAMMON: [i8; 26] = [0, -2, -2, 0, 0, 0, 4, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -4, 0, 0, 0, 2, 2, 0];
    const LONGGAMMON: [i8; 26] = [0, -15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 15, 0];
    const HYPERGAMMON: [i8; 26] = [0, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0];
    let cells = match variant {
        Variant::Backgammon => return Board::START,
        Variant::Nackgammon => NACKGAMMON,
        Variant::Hypergammon => HYPERGAMMON,
        Variant::Longgammon => LONGGAMMON,
    };
    Board::new(cells).unwrap_or(Board::START)
}

/// What the next line is read as.
enum Place {
    /// Between games, or in one whose rows are left out.
    Outside,
    /// `Game n` was read; the score line is awaited.
    Score(u32),
    /// In the rows of a game.
    Rows(Box<Table>),
}

/// A file being read, below its length line.
struct Reading {
    length: Length,
    rules: Rules,
    place: Place,
    players: Option<[Player; 2]>,
    /// The seat of the left column in the present game.
    left: Seat,
    games: Vec<Game>,
    comments: Vec<Comment>,
    faults: Vec<Fault>,
    actions: usize,
    crawford_played: bool,
    partial: bool,
    /// The last line breaks off.
    cut: bool,
}

impl Reading {
    fn new(header: &Header, length: Length) -> Self {
        let comments = header.comments.iter();
        Self {
            length,
            rules: header.rules(length),
            place: Place::Outside,
            players: None,
            left: Seat::First,
            games: Vec::new(),
            comments: comments.map(|text| Comment { game: None, action: None, text: text.clone() }).collect(),
            faults: Vec::new(),
            actions: 0,
            crawford_played: false,
            partial: false,
            cut: false,
        }
    }

    fn fault(&mut self, offset: u64, reason: impl Into<String>) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(Fault { offset, reason: reason.into() });
        }
    }

    /// Takes in a line; `false` = nothing more of the file is read.
    fn line(&mut self, line: Line<'_>) -> bool {
        let text = trim(line.bytes);
        let offset = at(line.offset);
        if text.is_empty() {
            return true;
        }
        // A game that was interrupted may end in blanks, where the right column of the row was to stand.
        self.cut = !line.ended && !line.bytes.ends_with(b" ");
        if text.starts_with(b";") || text.starts_with(b"#") {
            self.comment(text, offset);
            return true;
        }
        if let Place::Score(number) = self.place {
            return self.score(number, line);
        }
        if header::length(text).is_some() {
            self.fault(offset, "another match follows in the same file: only the first is read");
            return false;
        }
        if let Some(number) = game_number(text) {
            self.close_game();
            self.place = Place::Score(number);
            return true;
        }
        self.row(line);
        self.bounded(offset)
    }

    /// Whether the match is still of a size that people play.
    fn bounded(&mut self, offset: u64) -> bool {
        let Place::Rows(table) = &self.place else { return true };
        if self.actions + table.actions() <= MOST_ACTIONS {
            return true;
        }
        self.fault(offset, format!("more than {MOST_ACTIONS} actions: the rest is not read"));
        self.partial = true;
        false
    }

    fn comment(&mut self, text: &[u8], offset: u64) {
        if let Some(board) = snowie::set_position(text) {
            match (&mut self.place, board) {
                (Place::Rows(table), Some(board)) => table.place(board, offset),
                _ => self.fault(offset, "a set position that is not used"),
            }
            return;
        }
        let text = trim(&text[1..]);
        if text.is_empty() || text.starts_with(b"[") || self.comments.len() >= MOST_COMMENTS {
            return;
        }
        let game = matches!(self.place, Place::Rows(_)).then_some(self.games.len());
        self.comments.push(Comment { game, action: None, text: decode(text).0 });
    }

    /// Opens a game; `false` = it belongs to another match.
    fn score(&mut self, number: u32, line: Line<'_>) -> bool {
        let offset = at(line.offset);
        self.place = Place::Outside;
        if self.games.len() >= MOST_GAMES {
            self.fault(offset, format!("more than {MOST_GAMES} games: the rest is not read"));
            self.partial = true;
            return false;
        }
        let Some(sides) = score_line(trim(line.bytes)) else {
            self.fault(offset, format!("game {number} has no score line: it is left out"));
            self.partial = true;
            return true;
        };
        self.seat(&sides, offset);
        let [left, right] = [sides[0].score, sides[1].score];
        let points = if self.left == Seat::First { [left, right] } else { [right, left] };
        if number <= 1 && points == [0, 0] && self.running().is_some_and(|running| running != points) {
            self.fault(offset, "another match follows in the same file: only the first is read");
            return false;
        }
        self.settle(points, offset);
        let one_away = |points: i64| i64::from(self.length.points()) - points == 1;
        let crawford = self.rules.crawford && !self.crawford_played && one_away(points[0]) != one_away(points[1]);
        let start = start(self.rules.variant);
        let game = Game { points, crawford, start, actions: Vec::new(), outcome: None };
        match Table::set(game, self.length, self.rules) {
            Ok(table) => {
                self.crawford_played |= crawford;
                self.place = Place::Rows(Box::new(table));
            }
            Err(fault) => self.fault(offset, format!("game {number} is left out: {fault}")),
        }
        true
    }

    /// Who sits in which column: the name in the score line decides.
    fn seat(&mut self, sides: &[Side; 2], offset: u64) {
        if sides.iter().any(|side| !side.exact) && self.players.is_none() {
            self.fault(offset, "names that are not UTF-8 were read as Windows-1252");
        }
        let Some([first, second]) = &self.players else {
            self.left = Seat::First;
            self.players = Some(sides.clone().map(|side| Player { name: side.name, rating: side.rating }));
            return;
        };
        let (left, right) = (&sides[0].name, &sides[1].name);
        let straight = *left == first.name || *right == second.name;
        let crossed = *left == second.name || *right == first.name;
        self.left = if crossed && !straight { Seat::Second } else { Seat::First };
        if !straight && !crossed {
            self.fault(offset, "other names than in the first game");
        }
    }

    /// The score after the last game, as far as its result is known.
    fn running(&self) -> Option<[i64; 2]> {
        let last = self.games.last()?;
        let outcome = last.outcome?;
        let mut running = last.points;
        running[outcome.winner.index()] = running[outcome.winner.index()].saturating_add(outcome.points);
        Some(running)
    }

    /// Checks the score before a game against the game before it, which gets its result from there when it has none.
    fn settle(&mut self, points: [i64; 2], offset: u64) {
        if let Some([first, second]) = self.running().filter(|&running| running != points) {
            self.fault(offset, format!("the score is not the {first} : {second} of the results before"));
        }
        let Some(last) = self.games.last_mut().filter(|last| last.outcome.is_none()) else { return };
        let gained = [points[0] - last.points[0], points[1] - last.points[1]];
        let winner = match gained {
            [first, 0] if first > 0 => Seat::First,
            [0, second] if second > 0 => Seat::Second,
            _ => return self.fault(offset, "the game before has no result"),
        };
        last.outcome = Some(Outcome { winner, points: gained[winner.index()], ending: Ending::Unknown });
    }

    fn row(&mut self, line: Line<'_>) {
        let left = self.left;
        let Place::Rows(table) = &mut self.place else { return };
        let row = row::cut(line.bytes);
        if row.stray.is_empty() && row.cells.is_empty() {
            return;
        }
        if table.closed() {
            return;
        }
        let offset = at(line.offset);
        if !row.stray.is_empty() {
            if row.numbered && line.ended {
                table.stop(offset, "a row that cannot be read");
            } else if line.ended {
                table.fault(offset, "a line that cannot be read");
            }
            if row.numbered {
                return;
            }
        }
        let last = row.cells.len().saturating_sub(1);
        // A point of one digit may be the first half of a larger one.
        let torn = line.bytes.ends_with(b"/1") || line.bytes.ends_with(b"/2");
        for (i, cell) in row.cells.iter().enumerate() {
            let column = if cell.column == Column::Left { left } else { left.other() };
            // A result behind two actions stands in no column.
            let seat = if i > 1 { table.winner().unwrap_or(column) } else { column };
            let who = Who { seat, offset: at(line.offset + cell.at) };
            if line.ended || i < last || (!torn && whole(table, cell, seat)) {
                act(table, cell, who);
            } else {
                self.cut = true;
            }
        }
    }

    fn close_game(&mut self) {
        if let Place::Rows(table) = std::mem::replace(&mut self.place, Place::Outside) {
            let (game, faults, stopped) = table.clear();
            self.actions += game.actions.len();
            self.games.push(game);
            self.partial |= stopped;
            for fault in faults {
                self.fault(fault.offset, fault.reason);
            }
        }
    }

    fn finish(mut self, header: Header, bytes: &[u8]) -> Result<Record, Rejected> {
        let end = at(bytes.len());
        let announced = matches!(self.place, Place::Score(_));
        self.close_game();
        let unfinished = announced || self.games.last().is_none_or(|game| game.outcome.is_none());
        if self.cut && unfinished {
            self.partial = true;
            self.fault(end, "the file breaks off");
            if self.games.iter().all(|game| game.outcome.is_none()) {
                return Err(Rejected::damaged("truncated", end, "the text breaks off before one game is complete"));
            }
        }
        let Some(mut players) = self.players.filter(|_| !self.games.is_empty()) else {
            return Err(Rejected::damaged("no_game", end, "no game below the length line"));
        };
        header.rate(&mut players);
        Ok(Record {
            format: Format::Mat,
            engine: Engine::None,
            engine_version: None,
            made_by_portes: false,
            players,
            length: self.length,
            rules: self.rules,
            event: header.event,
            round: header.round,
            place: header.place,
            annotator: header.annotator,
            date: header.date,
            games: self.games,
            final_score: None,
            comments: self.comments,
            faults: self.faults,
            partial: self.partial,
        })
    }
}

/// Whether the last cell of a line without an end may be believed: half a play is hardly ever a legal one, half a
/// result lacks its unit.
fn whole(table: &Table, cell: &Cell<'_>, seat: Seat) -> bool {
    match cell.token {
        Token::Roll(a, b) => Dice::new(a, b)
            .zip(moves::written(cell.text))
            .is_some_and(|(dice, written)| table.fits(seat, dice, &written)),
        Token::Win | Token::Loss => cell.text.to_ascii_lowercase().windows(5).any(|window| window == b"point"),
        Token::Take | Token::Drop => true,
        Token::Double | Token::Beaver | Token::Raccoon | Token::Resign => false,
    }
}

/// One cell onto the table.
fn act(table: &mut Table, cell: &Cell<'_>, who: Who) {
    let stated = cell.text.iter().position(u8::is_ascii_digit).and_then(|at| number(&cell.text[at..]));
    let stated = stated.map(|(value, _)| value);
    match cell.token {
        Token::Roll(a, b) => match (Dice::new(a, b), moves::written(cell.text)) {
            (Some(dice), Some(written)) => table.roll(who, dice, &written),
            (None, _) => table.stop(who.offset, "dice that are none"),
            (_, None) => table.stop(who.offset, "a play that cannot be read"),
        },
        Token::Double => table.double(who, stated),
        Token::Beaver => table.beaver(who),
        Token::Raccoon => table.raccoon(who),
        Token::Take => table.take(who.offset),
        Token::Drop => table.pass(who.offset),
        Token::Win | Token::Loss => {
            let seat = if cell.token == Token::Win { who.seat } else { who.seat.other() };
            match stated.filter(|&points| points > 0) {
                Some(points) => table.win(Who { seat, ..who }, i64::from(points)),
                None => table.fault(who.offset, "a result without points"),
            }
        }
        Token::Resign => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_lines_are_cut_from_the_right() {
        let cut = |text: &str| score_line(text.as_bytes()).map(|sides| sides.map(|side| (side.name, side.score)));
        let two = |a: &str, x: i64, b: &str, y: i64| Some([(a.to_owned(), x), (b.to_owned(), y)]);
        assert_eq!(cut("a : 0                   b : 12"), two("a", 0, "b", 12));
        assert_eq!(cut("a b: 3        c: d : 2"), two("a b", 3, "c: d", 2));
        assert_eq!(cut("x: 4  y : 0     z (JPN) : 1"), two("x: 4  y", 0, "z (JPN)", 1));
        assert_eq!(cut("anybody, 1687.23 : 0     some, body : 1"), two("anybody", 0, "some, body", 1));
        assert_eq!(cut("a : 0 b : 1"), two("a", 0, "b", 1));
        assert_eq!(cut("a : 0\tb : 1"), two("a", 0, "b", 1));
        assert_eq!(cut(" : 0      : 0"), two("", 0, "", 0));
        assert_eq!(cut("a : x     b : 1"), None);
        assert_eq!(cut("nothing"), None);
    }

    #[test]
    fn a_game_line_has_a_number() {
        assert_eq!(game_number(b"Game 12 "), Some(12));
        assert_eq!(game_number(b"game\t3"), Some(3));
        assert_eq!(game_number(b"Games 3"), None);
        assert_eq!(game_number(b"Gamer : 0"), None);
    }
}
