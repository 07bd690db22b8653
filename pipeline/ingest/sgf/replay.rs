//! One game, node by node, with the table beside: board, cube, a double waiting for its answer.
//!
//! The replay owns what SGF leaves out: whose board it is, which cube was in force, whether a turn was a decision not to
//! double. Nodes come in any shape, so every impossible one is told and passed over; an illegal play stays as an illegal
//! decision and the game goes on from where the checkers seem to be. Plays are checked against the listed candidates,
//! which are all legal ones; legal plays are generated only where there is no list to look into.

use super::analysis::{self, Scale};
use super::faults::Faults;
use super::lexer::{Id, Node};
use super::moves;
use super::number;
use super::outcome::{Last, owner_seen, seen, settle};
use super::root::{self, Claim, Opening};
use super::setup;
use crate::game::cube::LARGEST_LOG2;
use crate::game::met::Met;
use crate::game::{Board, Cube, Dice, Length, Owner, Play, Regime, Score, Seat, legal};
use crate::ingest::record::{Action, AfterBeaver, Candidate, CheckerPlay, CubeAnalysis, Game, Rules, What};

const WHITE: Id = Id::of(b"W");
const BLACK: Id = Id::of(b"B");
const PLAYS: Id = Id::of(b"A");
const CUBE: Id = Id::of(b"DA");
const LUCK: Id = Id::of(b"LU");
const COMMENT: Id = Id::of(b"C");
const TO_PLAY: Id = Id::of(b"PL");
const DICE: Id = Id::of(b"DI");

/// What is in force in the whole match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) length: Length,
    pub(super) rules: Rules,
}

/// What one file may still hold: its memory is bounded whatever it says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) actions: usize,
    pub(super) candidates: usize,
}

/// What the games of a file share while they are read.
#[derive(Debug)]
pub(super) struct Workshop<'r> {
    pub(super) budget: &'r mut Budget,
    pub(super) faults: &'r mut Faults,
    /// Candidates of the node at hand, before they are stored at their exact size.
    pub(super) listed: &'r mut Vec<Candidate>,
}

/// A game as read.
#[derive(Debug)]
pub(super) struct Replayed {
    pub(super) game: Game,
    /// Text, and the action it is about.
    pub(super) comments: Vec<(Option<usize>, String)>,
    /// Nothing but a position somebody set up: no result, one action at most.
    pub(super) position: bool,
    /// Nobody did anything.
    pub(super) untouched: bool,
}

/// A double that waits for its answer.
#[derive(Debug)]
struct Pending {
    doubler: Seat,
    answerer: Seat,
    analysis: Option<CubeAnalysis>,
    beavered: bool,
}

/// A game being replayed.
#[derive(Debug)]
pub(super) struct Replay<'r> {
    terms: Terms,
    workshop: Workshop<'r>,
    score: Score,
    claim: Option<Claim>,
    automatic: u8,
    game: Game,
    comments: Vec<(Option<usize>, String)>,
    /// From the first seat's side.
    board: Board,
    cube_log2: u8,
    cube_owner: Option<Seat>,
    pending: Option<Pending>,
    passed: Option<Seat>,
    /// Checker nodes so far: the first turn of a game has no cube decision.
    turns: usize,
    /// A roll of the node before that is not played yet.
    rolled: Option<(Seat, Dice)>,
    set_up: bool,
    decided: usize,
}

impl<'r> Replay<'r> {
    pub(super) fn new(terms: Terms, opening: &Opening, workshop: Workshop<'r>) -> Self {
        let game = Game {
            points: opening.points,
            crawford: opening.crawford,
            start: opening.start,
            actions: Vec::new(),
            outcome: None,
        };
        Self {
            terms,
            workshop,
            // The root has taken out scores that a match cannot have.
            score: Score::at(terms.length, opening.points, opening.crawford).unwrap_or(Score::MONEY),
            claim: opening.result,
            automatic: opening.cube_log2,
            game,
            comments: Vec::new(),
            board: opening.start,
            cube_log2: opening.cube_log2,
            cube_owner: None,
            pending: None,
            passed: None,
            turns: 0,
            rolled: None,
            set_up: false,
            decided: 0,
        }
    }

    /// Takes one node.
    pub(super) fn take(&mut self, node: &Node<'_>) {
        if node.overfull {
            self.note(node, "a node of too many values");
        }
        self.set_up(node);
        let before = self.game.actions.len();
        let rolled = self.rolled.take();
        match node.first_of([BLACK, WHITE]) {
            Some((id, text)) => {
                if node.has(BLACK) && node.has(WHITE) {
                    self.note(node, "a node of both players");
                }
                let seat = if id == WHITE { Seat::First } else { Seat::Second };
                self.decide(node, seat, text.trim_ascii(), rolled);
            }
            None => self.rolled = unplayed(node),
        }
        let about = (self.game.actions.len() > before).then(|| self.game.actions.len() - 1);
        self.comment(node, about);
    }

    /// Takes the comment of a node; a root's is about the game.
    pub(super) fn comment(&mut self, node: &Node<'_>, about: Option<usize>) {
        let Some(raw) = node.value(COMMENT) else { return };
        if let Some(text) = root::text(raw, node.offset, self.workshop.faults) {
            self.comments.push((about, text));
        }
    }

    /// The end of the tree.
    pub(super) fn finish(mut self) -> Replayed {
        self.drop_hinted_double();
        let last = Last {
            board: self.board,
            checkers: Seat::BOTH.map(|seat| seen(&self.game.start, seat).on_board()),
            cube: 1 << self.cube_log2,
            automatic: self.automatic,
            gammons_count: !self.terms.rules.jacoby || self.cube_owner.is_some(),
            passed: self.passed,
        };
        let settled = settle(self.claim, &last);
        if let Some(fault) = settled.fault {
            let offset = self.game.actions.last().map_or(0, |action| action.offset);
            self.workshop.faults.note(usize::try_from(offset).unwrap_or(usize::MAX), fault);
        }
        if !settled.automatic {
            for action in &mut self.game.actions {
                action.cube.log2 = action.cube.log2.saturating_sub(self.automatic);
            }
        }
        self.game.outcome = settled.outcome;
        self.game.actions.shrink_to_fit();
        Replayed {
            position: self.set_up && self.claim.is_none() && self.decided <= 1,
            untouched: self.decided == 0 && self.claim.is_none(),
            game: self.game,
            comments: self.comments,
        }
    }

    /// In an unfinished game without a checker play, a last double is a cube hint that nobody followed.
    fn drop_hinted_double(&mut self) {
        let hinted = self.claim.is_none() && self.turns == 0 && self.pending.is_some();
        if !hinted || !matches!(self.game.actions.last(), Some(Action { what: What::Double(_), .. })) {
            return;
        }
        self.game.actions.pop();
        let left = self.game.actions.len();
        for (about, _) in &mut self.comments {
            *about = about.filter(|&index| index < left);
        }
    }

    fn set_up(&mut self, node: &Node<'_>) {
        match setup::board(node, &self.board) {
            Ok(None) => {}
            Ok(Some(board)) => {
                self.board = board;
                self.set_up = true;
                if self.game.actions.is_empty() {
                    self.game.start = board;
                }
            }
            Err(refusal) => self.note(node, refusal),
        }
        match setup::cube(node) {
            Ok(setting) => {
                self.cube_log2 = setting.log2.unwrap_or(self.cube_log2);
                self.cube_owner = setting.owner.unwrap_or(self.cube_owner);
            }
            Err(refusal) => self.note(node, refusal),
        }
    }

    fn decide(&mut self, node: &Node<'_>, seat: Seat, text: &[u8], rolled: Option<(Seat, Dice)>) {
        self.decided += 1;
        if self.workshop.budget.actions == 0 {
            return self.workshop.faults.note_once(node.offset, "more actions than a file of matches has");
        }
        self.workshop.budget.actions -= 1;
        match text {
            b"double" => self.double(node, seat),
            b"take" | b"drop" => self.answer(node, seat, text),
            _ => match moves::dice(text) {
                Some((dice, letters)) => self.roll(node, seat, Roll { dice, letters, known: rolled }),
                None => self.note(node, "an action that is neither dice nor cube"),
            },
        }
    }

    fn double(&mut self, node: &Node<'_>, seat: Seat) {
        let money = self.terms.length == Length::Money;
        match self.pending.take() {
            None => {
                let analysis = self.cube_analysis(node, seat);
                if !self.may_reach_cube(seat) {
                    self.note(node, "a double by a player without access to the cube");
                }
                self.push(node, seat, What::Double(analysis.clone()));
                self.pending = Some(Pending { doubler: seat, answerer: seat.other(), analysis, beavered: false });
            }
            Some(double) if money && seat == double.answerer => {
                let analysis = double.analysis.clone();
                let raccoon = double.beavered;
                self.push(
                    node,
                    seat,
                    if raccoon { What::AfterBeaver(AfterBeaver::Raccoon) } else { What::Beaver(analysis) },
                );
                self.turn_cube(node, double.doubler.other());
                self.pending = Some(Pending { answerer: seat.other(), beavered: true, ..double });
            }
            Some(double) => {
                self.note(node, "a double while another waits for its answer");
                self.pending = Some(double);
            }
        }
    }

    fn answer(&mut self, node: &Node<'_>, seat: Seat, word: &[u8]) {
        let Some(double) = self.pending.take_if(|double| double.answerer == seat) else {
            return self.note(node, "an answer without a double");
        };
        let taken = word == b"take";
        let what = match (double.beavered, taken) {
            (true, true) => What::AfterBeaver(AfterBeaver::Take),
            (true, false) => What::AfterBeaver(AfterBeaver::Pass),
            (false, true) => What::Take(double.analysis.or_else(|| self.cube_analysis(node, double.doubler))),
            (false, false) => What::Pass(double.analysis.or_else(|| self.cube_analysis(node, double.doubler))),
        };
        self.push(node, seat, what);
        if taken {
            self.turn_cube(node, double.doubler.other());
        } else {
            self.passed = Some(seat);
        }
    }

    fn roll(&mut self, node: &Node<'_>, seat: Seat, roll: Roll<'_>) {
        if self.pending.take().is_some() {
            self.note(node, "a roll while a double waits for its answer");
        }
        let board = seen(&self.board, seat);
        self.list_candidates(node, seat, &board);
        let found = self.find_play(node, (seat, &board), &roll);
        // The program writes a hint asked after the roll as if its first candidate had been played.
        let hint = self.claim.is_none() && roll.known == Some((seat, roll.dice));
        if !hint {
            if node.has(CUBE) || (self.turns > 0 && self.may_double(seat)) {
                let analysis = self.cube_analysis(node, seat);
                self.push(node, seat, What::NoDouble(analysis));
            }
            let play = self.checker_play(node, roll.dice, &found);
            self.push(node, seat, What::Checker(play));
            self.turns += 1;
        }
        self.board = seen(&found.left, seat);
    }

    /// Fills `listed` with the candidates of a node.
    fn list_candidates(&mut self, node: &Node<'_>, seat: Seat, board: &Board) {
        self.workshop.listed.clear();
        let Some((_, values)) = node.values(PLAYS).split_first() else { return };
        if values.len() > self.workshop.budget.candidates {
            return self.workshop.faults.note_once(node.offset, "more candidates than a file of matches has");
        }
        self.workshop.budget.candidates -= values.len();
        let scale = self.scale(seat);
        if let Err(refusal) = analysis::candidates(values, (seat, board), scale, self.workshop.listed) {
            self.note(node, refusal);
        }
    }

    /// The play of a node: by where its letters lead, then by what its index says, then by what the rules allow.
    fn find_play(&mut self, node: &Node<'_>, (seat, board): (Seat, &Board), roll: &Roll<'_>) -> Found {
        let written = moves::play(roll.letters, seat);
        let index = node.value(PLAYS).and_then(number::whole).and_then(|index| usize::try_from(index).ok());
        let indexed = index.and_then(|index| self.workshop.listed.get(index));
        let Some((play, after)) = written.and_then(|play| moves::made(play, board)) else {
            if let Some(found) = indexed.map(Found::candidate) {
                self.note(node, "letters that are no play: the candidate they are said to be was taken");
                return found;
            }
            self.note(node, "a play that cannot be made");
            let play = written.unwrap_or_default();
            return Found { play, after: None, illegal: true, left: moves::best_effort(play, board) };
        };
        let listed = self.workshop.listed.iter();
        if indexed.into_iter().chain(listed.clone()).any(|candidate| candidate.after == after) {
            return Found::legal(play, after);
        }
        if let Some(found) = joined(&after, listed.map(Found::candidate)) {
            return found;
        }
        let legal = legal::plays(board, roll.dice);
        if (legal.is_empty() && play.is_dance()) || legal.iter().any(|legal| legal.after == after) {
            return Found::legal(play, after);
        }
        if let Some(found) = joined(&after, legal.iter().map(|legal| Found::legal(legal.play, legal.after))) {
            return found;
        }
        self.note(node, "an illegal play");
        Found { play, after: Some(after), illegal: true, left: after }
    }

    fn checker_play(&mut self, node: &Node<'_>, dice: Dice, found: &Found) -> CheckerPlay {
        let mut candidates = Vec::with_capacity(self.workshop.listed.len());
        candidates.append(self.workshop.listed);
        CheckerPlay {
            dice,
            play: found.play,
            after: found.after,
            illegal: found.illegal,
            candidates,
            luck: node.value(LUCK).and_then(|raw| number::equity(raw.trim_ascii())),
            xg_forced: None,
            stored_error: None,
        }
    }

    /// The analysis of a node, seen from the player who may double.
    fn cube_analysis(&mut self, node: &Node<'_>, doubler: Seat) -> Option<CubeAnalysis> {
        let scale = self.scale(doubler);
        match analysis::cube(node.value(CUBE)?, scale) {
            Ok(analysis) => return Some(analysis),
            Err(refusal) if matches!(scale, Scale::Flat) => self.workshop.faults.note_once(node.offset, refusal),
            Err(refusal) => self.note(node, refusal),
        }
        None
    }

    fn scale(&self, seat: Seat) -> Scale {
        if self.terms.length == Length::Money {
            return Scale::Money;
        }
        Met::kazaross_xg2()
            .factor(self.score_seen(seat), self.cube_seen(seat).value())
            .map_or(Scale::Flat, Scale::Match)
    }

    fn score_seen(&self, seat: Seat) -> Score {
        match seat {
            Seat::First => self.score,
            Seat::Second => self.score.mirror(),
        }
    }

    fn cube_seen(&self, seat: Seat) -> Cube {
        Cube { log2: self.cube_log2, owner: owner_seen(self.cube_owner, seat) }
    }

    /// Section 7 of the format page, but for the first turn.
    fn may_double(&self, seat: Seat) -> bool {
        self.terms.rules.cube && self.cube_seen(seat).may_be_turned(self.score_seen(seat))
    }

    /// A dead cube may be turned, to no use; another's may not.
    fn may_reach_cube(&self, seat: Seat) -> bool {
        let barred = self.score.regime == Regime::Crawford || !self.terms.rules.cube;
        !barred && self.cube_seen(seat).owner != Owner::Opponent
    }

    fn turn_cube(&mut self, node: &Node<'_>, owner: Seat) {
        self.cube_owner = Some(owner);
        if self.cube_log2 >= LARGEST_LOG2 {
            return self.note(node, "a cube beyond all bounds");
        }
        self.cube_log2 += 1;
    }

    fn note(&mut self, node: &Node<'_>, reason: &'static str) {
        self.workshop.faults.note(node.offset, reason);
    }

    fn push(&mut self, node: &Node<'_>, seat: Seat, what: What) {
        let (board, cube) = (seen(&self.board, seat), self.cube_seen(seat));
        self.game.actions.push(Action { seat, board, cube, seconds: None, offset: node.offset as u64, what });
    }
}

/// A roll as a node has it.
#[derive(Clone, Copy, Debug)]
struct Roll<'a> {
    dice: Dice,
    letters: &'a [u8],
    /// What the node before said was rolled.
    known: Option<(Seat, Dice)>,
}

/// The play of a node.
#[derive(Clone, Copy, Debug)]
struct Found {
    play: Play,
    after: Option<Board>,
    illegal: bool,
    /// Where the checkers are taken to be now; the board after it, or the best guess.
    left: Board,
}

impl Found {
    const fn legal(play: Play, after: Board) -> Self {
        Self { play, after: Some(after), illegal: false, left: after }
    }

    const fn candidate(candidate: &Candidate) -> Self {
        Self::legal(candidate.play, candidate.after)
    }
}

/// `PL[W]DI[31]`: a roll without a play.
fn unplayed(node: &Node<'_>) -> Option<(Seat, Dice)> {
    let seat = match node.value(TO_PLAY)?.trim_ascii() {
        b"W" => Seat::First,
        b"B" => Seat::Second,
        _ => return None,
    };
    Some((seat, moves::dice(node.value(DICE)?.trim_ascii())?.0))
}

/// Of `plays`, the only one that puts the mover's checkers where `after` has them: it hit on the way, which a pair that
/// joins two steps does not show.
fn joined(after: &Board, plays: impl Iterator<Item = Found>) -> Option<Found> {
    let own = |board: &Board| board.cells().map(|cell| cell.max(0));
    let mut same = plays.filter(|found| own(&found.left) == own(after));
    let found = same.next()?;
    same.next().is_none().then_some(found)
}
