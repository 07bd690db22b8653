//! The stream of records into a match.
//!
//! What is owned here is order: which game a record belongs to, what is open, what came twice. A record that does not
//! fit is passed over and told; a game whose header cannot be true (a score past the length) is left out whole, and the
//! match is partial. An interrupted match is no fault: its last game has no footer, that is all.

use super::comments::Comments;
use super::container::Archive;
use super::fields::Fields;
use super::records::{self, CubeRecord, GameFooter, GameHeader, MatchFooter, MatchHeader, PlayRecord};
use super::rollouts::Rollouts;
use super::turns::{self, Setting, Turn};
use super::values;
use crate::game::cube::LARGEST_LOG2;
use crate::game::{Equity, Length, Score};
use crate::ingest::record::{
    Comment, Ending, Engine, Fault, Format, Game, Outcome, Player, Record, Rejected, Rules, Variant, What,
};
use std::collections::BTreeMap;

/// A match of 20,000 records would be ten thousand turns long.
const MOST_RECORDS: usize = 20_000;
/// The length that means a money session.
const UNLIMITED: i32 = 99_999;
/// A site whose money sessions carry an even cube limit where the length belongs (`xg-format.md` 14, 24).
const GALAXY: &str = "BackgammonGalaxy";

/// Decodes the members of an archive.
pub(super) fn record(archive: &Archive) -> Result<Record, Rejected> {
    let stream = stream(&archive.records)?;
    let header = MatchHeader(Fields(&archive.records));
    let length = length(header)?;
    if is_position(&stream) {
        return Err(Rejected::unsupported("position", "a saved position, not a match"));
    }
    let mut story = Story::new(header, length, archive);
    for (offset, record) in stream.into_iter().skip(1) {
        story.take(offset, record);
    }
    story.finish(header)
}

/// The records with their offsets, the first of them known to be a match header.
fn stream(bytes: &[u8]) -> Result<Vec<(u64, Fields<'_>)>, Rejected> {
    let damaged = |at: usize, what: &str| Err(Rejected::damaged("stream", offset(at), format!("temp.xg {what}")));
    if bytes.is_empty() {
        return damaged(0, "is missing or empty");
    }
    let whole = bytes.len() - bytes.len() % records::SIZE;
    if whole != bytes.len() {
        return damaged(whole, "ends within a record");
    }
    if whole / records::SIZE > MOST_RECORDS {
        return damaged(MOST_RECORDS * records::SIZE, "holds more than 20000 records");
    }
    if Fields(bytes).u8(records::KIND) != records::MATCH_HEADER {
        return damaged(records::KIND, "does not begin with a match header");
    }
    if !MatchHeader(Fields(bytes)).has_magic() {
        return damaged(MatchHeader::MAGIC, "has a match header without its magic");
    }
    Ok((0..).step_by(records::SIZE).zip(bytes.chunks_exact(records::SIZE).map(Fields)).collect())
}

/// What is played for.
fn length(header: MatchHeader<'_>) -> Result<Length, Rejected> {
    let galaxy = || header.length() % 2 == 0 && header.crawford_rule() && header.location() == GALAXY;
    match header.length() {
        UNLIMITED => Ok(Length::Money),
        1..UNLIMITED if galaxy() => Ok(Length::Money),
        points @ 1..UNLIMITED => Ok(Length::from_points(points.unsigned_abs())),
        points => {
            let detail = format!("match length of {points} points");
            Err(Rejected::damaged("length", offset(MatchHeader::LENGTH), detail))
        }
    }
}

/// A position file: one game in progress, at most one cube and one play record, no footer.
fn is_position(stream: &[(u64, Fields<'_>)]) -> bool {
    let mut cubes = 0;
    let mut plays = 0;
    let mut games = 0;
    for (_, record) in stream {
        match record.u8(records::KIND) {
            records::GAME_HEADER if !GameHeader(*record).in_progress() => return false,
            records::GAME_HEADER => games += 1,
            records::CUBE => cubes += 1,
            records::PLAY => plays += 1,
            records::GAME_FOOTER | records::MATCH_FOOTER => return false,
            _ => {}
        }
    }
    games == 1 && cubes <= 1 && plays <= 1 && cubes + plays > 0
}

/// What the records now coming belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the first game, or after a game's footer.
    Between,
    /// The last of the games.
    Game { automatic: u8, closing: i32 },
    /// A game that was left out.
    LeftOut,
}

/// A match being put together.
struct Story<'a> {
    length: Length,
    version: i32,
    variant: Variant,
    rollouts: Rollouts<'a>,
    lines: Comments<'a>,
    place: Place,
    /// Number of the game before, as the file counts.
    number: i32,
    finished: bool,
    /// What the last footer, of a game or of the match, says.
    final_score: Option<[i32; 2]>,
    games: Vec<Game>,
    comments: Vec<Comment>,
    faults: Vec<Fault>,
    /// Kinds not read: where the first stood, and how many.
    unread: BTreeMap<u8, (u64, u32)>,
    partial: bool,
}

impl<'a> Story<'a> {
    fn new(header: MatchHeader<'_>, length: Length, archive: &'a Archive) -> Self {
        let variant = values::variant(header.variation());
        let mut story = Self {
            length,
            version: header.version(),
            variant: variant.unwrap_or(Variant::Backgammon),
            rollouts: Rollouts(&archive.rollouts),
            lines: Comments::new(&archive.comments),
            place: Place::Between,
            number: 0,
            finished: false,
            final_score: None,
            games: Vec::new(),
            comments: Vec::new(),
            faults: Vec::new(),
            unread: BTreeMap::new(),
            partial: false,
        };
        if variant.is_none() {
            story.fault(0, "variation of an unknown number, read as backgammon");
        }
        story.comment(None, None, header.comments()[0]);
        story
    }

    fn take(&mut self, offset: u64, record: Fields<'_>) {
        let kind = record.u8(records::KIND);
        match kind {
            records::MATCH_HEADER => self.fault(offset, "second match header"),
            records::GAME_HEADER => self.begin(offset, GameHeader(record)),
            records::CUBE => {
                self.turn(offset, CubeRecord(record).comment(), |setting| {
                    turns::cube(CubeRecord(record), offset, setting)
                });
            }
            records::PLAY => {
                let read = |setting: Setting<'_>| turns::checker(PlayRecord(record), offset, setting);
                self.turn(offset, PlayRecord(record).comment(), read);
            }
            records::GAME_FOOTER => self.end(offset, GameFooter(record)),
            records::MATCH_FOOTER if self.finished => self.fault(offset, "second match footer"),
            records::MATCH_FOOTER => {
                self.finished = true;
                self.final_score = Some(MatchFooter(record).score());
            }
            _ => self.unread.entry(kind).or_insert((offset, 0)).1 += 1,
        }
    }

    fn begin(&mut self, offset: u64, header: GameHeader<'_>) {
        if matches!(self.place, Place::Game { .. }) {
            self.fault(offset, "game before without its footer");
            self.close();
        }
        if self.finished {
            self.fault(offset, "game after the end of the match");
        }
        if header.number() <= self.number {
            self.fault(offset, "game number that came before");
        }
        self.number = header.number();
        let points = header.points().map(i64::from);
        let crawford = header.crawford() && self.length != Length::Money;
        if let Err(fault) = Score::at(self.length, points, crawford) {
            self.fault(offset, format!("game left out: {fault}"));
            self.partial = true;
            self.place = Place::LeftOut;
            return;
        }
        let start = self.start(offset, header);
        self.games.push(Game { points, crawford, start, actions: Vec::new(), outcome: None });
        let [opening, closing] = header.comments();
        self.place = Place::Game { automatic: self.automatic(offset, header), closing };
        self.comment(Some(self.games.len() - 1), None, opening);
    }

    /// The initial position; hand-entered matches leave that of their first game empty.
    fn start(&mut self, offset: u64, header: GameHeader<'_>) -> crate::game::Board {
        let usual = values::start(self.variant);
        if header.start() == [0; 26] {
            return usual;
        }
        values::board(header.start()).unwrap_or_else(|| {
            self.fault(offset, "impossible initial position, read as the usual one");
            usual
        })
    }

    /// log2 of the stakes that automatic doubles made before the first turn.
    fn automatic(&mut self, offset: u64, header: GameHeader<'_>) -> u8 {
        if self.length != Length::Money {
            return 0;
        }
        let doubles = u8::try_from(header.automatic_doubles(self.version)).ok().filter(|&n| n <= LARGEST_LOG2);
        doubles.unwrap_or_else(|| {
            self.fault(offset, "impossible number of automatic doubles");
            0
        })
    }

    /// A cube or play record.
    fn turn(&mut self, offset: u64, comment: i32, read: impl FnOnce(Setting<'_>) -> Turn) {
        let Place::Game { automatic, .. } = self.place else {
            if self.place == Place::Between {
                self.fault(offset, "turn outside any game");
                self.partial = true;
            }
            return;
        };
        let Some(game) = self.games.last_mut() else { return };
        let first = game.actions.len();
        let turn = read(Setting { crawford: game.crawford, automatic, rollouts: self.rollouts });
        game.actions.extend(turn.actions);
        if let Some(fault) = turn.fault {
            self.fault(offset, fault);
        }
        // A comment on a record without a decision belongs to what is done next; `close` knows when nothing was.
        self.comment(Some(self.games.len() - 1), Some(first), comment);
    }

    fn end(&mut self, offset: u64, footer: GameFooter<'_>) {
        match self.place {
            Place::Between => return self.fault(offset, "game footer outside any game"),
            Place::LeftOut => return self.place = Place::Between,
            Place::Game { .. } => {}
        }
        if !self.finished {
            self.final_score = Some(footer.score());
        }
        let outcome = outcome(footer);
        if outcome.is_none() {
            self.fault(offset, "game footer without winner or points");
        }
        if let Some(game) = self.games.last_mut() {
            game.outcome = outcome;
        }
        self.close();
    }

    /// The last game is complete: comments past its last action are about the game.
    fn close(&mut self) {
        let Place::Game { closing, .. } = self.place else { return };
        self.place = Place::Between;
        let Some(game) = self.games.last() else { return };
        let index = Some(self.games.len() - 1);
        for comment in self.comments.iter_mut().rev().take_while(|comment| comment.game == index) {
            comment.action = comment.action.filter(|&action| action < game.actions.len());
        }
        self.comment(index, None, closing);
    }

    fn comment(&mut self, game: Option<usize>, action: Option<usize>, line: i32) {
        if let Some(text) = self.lines.take(line) {
            self.comments.push(Comment { game, action, text });
        }
    }

    fn fault(&mut self, offset: u64, reason: impl Into<String>) {
        self.faults.push(Fault { offset, reason: reason.into() });
    }

    fn finish(mut self, header: MatchHeader<'_>) -> Result<Record, Rejected> {
        self.close();
        self.comment(None, None, header.comments()[1]);
        for (kind, (offset, count)) in std::mem::take(&mut self.unread) {
            self.fault(offset, format!("records of kind {kind} are not read: {count}"));
        }
        self.faults.sort_by_key(|fault| fault.offset);
        if let (true, Some(fault)) = (self.games.is_empty(), self.faults.first()) {
            return Err(Rejected::damaged("games", fault.offset, format!("no game can be read: {}", fault.reason)));
        }
        forget_luck_never_measured(&mut self.games);
        Ok(Record {
            format: Format::Xg,
            engine: if self.games.iter().any(is_analysed) { Engine::Xg } else { Engine::None },
            engine_version: Some(self.version.to_string()),
            made_by_portes: header.made_by_portes(),
            players: [0, 1].map(|seat| Player {
                name: header.player(seat),
                rating: values::rating(header.elo(seat), header.experience(seat)),
            }),
            length: self.length,
            rules: Rules {
                crawford: header.crawford_rule() && self.length != Length::Money,
                jacoby: header.jacoby(),
                beavers: Some(header.beavers()),
                cube: true,
                variant: self.variant,
            },
            event: said(header.event()),
            round: said(header.round()),
            place: said(header.location()),
            annotator: said(header.transcriber()),
            date: values::day(header.date()),
            games: self.games,
            final_score: self.final_score.map(|score| score.map(i64::from)),
            comments: self.comments,
            faults: self.faults,
            partial: self.partial,
        })
    }
}

/// Winner, points and way, as the footer has them; `None` when it names no winner or negative points.
fn outcome(footer: GameFooter<'_>) -> Option<Outcome> {
    let winner = values::seat(footer.winner())?;
    let points = i64::from(footer.points());
    let ending = match footer.termination() {
        0 => Ending::Pass,
        1..=3 => Ending::BorneOff,
        100..=104 => Ending::Resigned,
        _ => Ending::Unknown,
    };
    (points >= 0).then_some(Outcome { winner, points, ending })
}

/// XG writes 0 both for a neutral roll and for luck it never computed: where every roll has 0, none was.
fn forget_luck_never_measured(games: &mut [Game]) {
    let actions = || games.iter().flat_map(|game| &game.actions);
    let measured = actions().any(|action| match &action.what {
        What::Checker(play) => play.luck.is_some_and(|luck| luck != Equity::ZERO),
        _ => false,
    });
    if measured {
        return;
    }
    for action in games.iter_mut().flat_map(|game| &mut game.actions) {
        if let What::Checker(play) = &mut action.what {
            play.luck = None;
        }
    }
}

fn is_analysed(game: &Game) -> bool {
    game.actions.iter().any(|action| match &action.what {
        What::Checker(play) => !play.candidates.is_empty(),
        What::NoDouble(analysis)
        | What::Double(analysis)
        | What::Take(analysis)
        | What::Pass(analysis)
        | What::Beaver(analysis) => analysis.is_some(),
        What::AfterBeaver(_) => false,
    })
}

/// A text that says something.
fn said(text: String) -> Option<String> {
    (!text.trim().is_empty()).then_some(text)
}

fn offset(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(u64::MAX)
}
