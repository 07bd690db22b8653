//! GNU Backgammon SGF: a collection of game trees, one per game, to a [`Record`].
//!
//! The room reads bytes in one pass and refuses to trust them: no recursion, bounded nesting, values, actions and
//! candidates, every number checked. `lexer` knows the grammar, `root` the match and its games, `replay` the table;
//! `analysis` turns evaluations into equities, `outcome` settles games, and the rest are their tools (`encoding`,
//! `number`, `moves`, `setup`, `faults`).
//!
//! Kept here beyond the invariants of [`record`](super::record): White (`PW`) is the first seat whatever the
//! perspective of the user; a game is in the record only if its tree is closed, so a file cut short is `partial` and its
//! last game gone; and a file that holds a position, a rollout log or another game is no match but says so.

mod analysis;
mod encoding;
mod faults;
mod lexer;
mod moves;
mod number;
mod outcome;
mod replay;
mod root;
mod setup;

use crate::ingest::record::{Candidate, Comment, Engine, Format, Game, Record, Rejected, What};
use faults::Faults;
use lexer::{Break, Id, Lexer, Node, Step};
use replay::{Budget, Replay, Replayed, Terms, Workshop};
use root::{Head, Opening};

/// Largest file that is read: 64 MiB (`nightly.md`, hostile input).
pub const LARGEST_FILE: usize = 64 << 20;
/// Most games of one file; a session of years is shorter, and an empty tree is 9 bytes.
const MOST_GAMES: usize = 20_000;
/// Most actions of one file: 2,000 long games.
const MOST_ACTIONS: usize = 200_000;
/// Most candidates of one file; 64 MiB of real ones are 770,000.
const MOST_CANDIDATES: usize = 1_000_000;

const GAME: Id = Id::of(b"GM");

/// Reads the match of an SGF file.
///
/// # Errors
/// [`Rejected`] when the bytes hold no complete game of backgammon: `too_large`, `magic` (no game tree), `truncated`,
/// `nesting`, `no_game` as damaged; `position`, `rollout_log`, `other_game` as unsupported.
pub fn read(bytes: &[u8]) -> Result<Record, Rejected> {
    if bytes.len() > LARGEST_FILE {
        return Err(Rejected::damaged("too_large", LARGEST_FILE as u64, "more than 64 MiB"));
    }
    let mut collection = Collection::default();
    let mut lexer = Lexer::new(bytes);
    let mut node = Node::default();
    while lexer.next_tree() {
        if let Some((offset, how)) = collection.read_tree(&mut lexer, &mut node) {
            collection.break_off(offset, how);
            if how != Break::Unclosed {
                break;
            }
        }
    }
    collection.finish(starts_like_a_tree(bytes))
}

/// Whether the first thing in the bytes is a game tree, cut or not.
fn starts_like_a_tree(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    match text.strip_prefix(b"(").map(<[u8]>::trim_ascii_start) {
        Some([first, ..]) => matches!(first, b';' | b'('),
        Some([]) => true,
        None => false,
    }
}

/// Where and how a tree broke off.
type BrokenOff = (usize, Break);

/// A file's trees, as far as they are read.
#[derive(Debug)]
struct Collection {
    head: Option<Head>,
    games: Vec<Game>,
    comments: Vec<Comment>,
    faults: Faults,
    budget: Budget,
    /// Candidates of the node at hand; one list serves the whole file.
    listed: Vec<Candidate>,
    partial: bool,
    broken: Option<BrokenOff>,
    /// Trees of other games of the SGF family.
    others: usize,
    /// Game trees that were nothing but a position.
    positions: usize,
    /// Game trees in which something was done.
    touched: usize,
    /// Index of the game before and the score it led to.
    before: Option<(Option<i64>, [i64; 2])>,
}

impl Default for Collection {
    fn default() -> Self {
        Self {
            head: None,
            games: Vec::new(),
            comments: Vec::new(),
            faults: Faults::default(),
            budget: Budget { actions: MOST_ACTIONS, candidates: MOST_CANDIDATES },
            listed: Vec::new(),
            partial: false,
            broken: None,
            others: 0,
            positions: 0,
            touched: 0,
            before: None,
        }
    }
}

impl Collection {
    /// Reads one tree to its end; tells where it broke off if it did.
    fn read_tree<'a>(&mut self, lexer: &mut Lexer<'a>, node: &mut Node<'a>) -> Option<BrokenOff> {
        match lexer.next_node(node) {
            Step::Node => {}
            Step::End => return None,
            Step::Broken(how) => return Some((lexer.offset(), how)),
        }
        let game = node.value(GAME).map(<[u8]>::trim_ascii);
        if game != Some(b"6") {
            self.others += usize::from(game.is_some() || node.has(Id::of(b"FF")));
            return self.leave(lexer);
        }
        let (head, opening) = root::read(node, &mut self.faults);
        if self.head.as_ref().is_some_and(|first| !first.same_match(&head)) || self.games.len() >= MOST_GAMES {
            self.faults.note(node.offset, "a game of another match");
            self.partial = true;
            return self.leave(lexer);
        }
        let offset = node.offset;
        let head = self.head.get_or_insert(head);
        let terms = Terms { length: head.length, rules: head.rules };
        let workshop = Workshop { budget: &mut self.budget, faults: &mut self.faults, listed: &mut self.listed };
        let mut replay = Replay::new(terms, &opening, workshop);
        replay.comment(node, None);
        loop {
            match lexer.next_node(node) {
                Step::Node => replay.take(node),
                Step::End => break,
                Step::Broken(how) => return Some((lexer.offset(), how)),
            }
        }
        let replayed = replay.finish();
        self.check_order(&opening, offset, &replayed.game);
        self.keep(replayed);
        None
    }

    fn leave(&self, lexer: &mut Lexer<'_>) -> Option<BrokenOff> {
        match lexer.leave_tree() {
            Step::Broken(how) => Some((lexer.offset(), how)),
            _ => None,
        }
    }

    fn break_off(&mut self, offset: usize, how: Break) {
        self.faults.note(
            offset,
            match how {
                Break::Truncated => "the file ends inside a game, which is left out",
                Break::Unclosed => "a game that does not end before the next begins is left out",
                Break::TooDeep => "parentheses nest too deep: the rest is not read",
            },
        );
        self.partial = true;
        self.broken.get_or_insert((offset, how));
    }

    /// Games follow each other: index by index, the score of one from the result of the one before.
    fn check_order(&mut self, opening: &Opening, offset: usize, game: &Game) {
        if let Some((before, expected)) = self.before {
            match (before, opening.index) {
                (Some(before), Some(index)) if index != before.saturating_add(1) => {
                    self.faults.note(offset, format!("game {index} follows game {before}"));
                }
                _ if opening.points != expected => {
                    self.faults.note(offset, "a score that the game before did not lead to");
                }
                _ => {}
            }
        }
        let mut points = game.points;
        if let Some(outcome) = game.outcome {
            points[outcome.winner.index()] += outcome.points;
        }
        self.before = Some((opening.index, points));
    }

    fn keep(&mut self, replayed: Replayed) {
        let game = Some(self.games.len());
        let comments = replayed.comments.into_iter();
        self.comments.extend(comments.map(|(action, text)| Comment { game, action, text }));
        self.positions += usize::from(replayed.position);
        self.touched += usize::from(!replayed.untouched);
        self.games.push(replayed.game);
    }

    fn finish(mut self, looks_like_sgf: bool) -> Result<Record, Rejected> {
        if self.games.is_empty() {
            return Err(self.rejection(looks_like_sgf));
        }
        let Some(head) = self.head.take() else { return Err(self.rejection(looks_like_sgf)) };
        if head.is_rollout_log() {
            return Err(Rejected::unsupported("rollout_log", "a rollout log"));
        }
        if self.games.len() == 1 && self.positions == 1 {
            return Err(Rejected::unsupported("position", "a saved position, not a match"));
        }
        if self.touched == 0 {
            return Err(Rejected::damaged("no_game", 0, "no game was begun"));
        }
        Ok(self.record(head))
    }

    fn rejection(&self, looks_like_sgf: bool) -> Rejected {
        match self.broken {
            Some((offset, Break::TooDeep)) => {
                Rejected::damaged("nesting", offset as u64, "parentheses nest deeper than 64")
            }
            Some((offset, _)) if looks_like_sgf => {
                Rejected::damaged("truncated", offset as u64, "the file ends before its first game does")
            }
            _ if self.others > 0 => Rejected::unsupported("other_game", "no game of backgammon"),
            _ => Rejected::damaged("magic", 0, "no game tree"),
        }
    }

    fn record(self, head: Head) -> Record {
        let about_match = head.comment.iter().map(|text| Comment { game: None, action: None, text: text.clone() });
        let comments = about_match.chain(self.comments).collect();
        let made_by_portes = head.made_by_portes();
        Record {
            format: Format::Sgf,
            engine: engine(&self.games),
            engine_version: head.version,
            made_by_portes,
            players: head.players,
            length: head.length,
            rules: head.rules,
            event: head.event,
            round: head.round,
            place: head.place,
            annotator: head.annotator,
            date: head.date,
            games: self.games,
            final_score: None,
            comments,
            faults: self.faults.into_list(),
            partial: self.partial,
        }
    }
}

/// The program, if it analysed anything.
fn engine(games: &[Game]) -> Engine {
    let analysed = games.iter().flat_map(|game| &game.actions).any(|action| match &action.what {
        What::Checker(play) => !play.candidates.is_empty() || play.luck.is_some(),
        What::NoDouble(analysis) | What::Double(analysis) | What::Take(analysis) | What::Pass(analysis) => {
            analysis.is_some()
        }
        What::Beaver(analysis) => analysis.is_some(),
        What::AfterBeaver(_) => false,
    });
    if analysed { Engine::GnuBg } else { Engine::None }
}
