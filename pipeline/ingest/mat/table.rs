//! One game on the table: actions come in as the file has them, and go out as a [`Game`] with replayed boards.
//!
//! The table knows whose board, whose cube and which answer is awaited; it knows nothing of lines and columns. What it
//! refuses: to guess a position. A play that cannot be made, or one that is missing where several are possible, stops
//! the game; what was read until then stands, and only the result is still taken.

use super::MOST_FAULTS;
use super::moves::{self, Found, Written};
use super::snowie;
use crate::game::board::CHECKERS;
use crate::game::cube::LARGEST_LOG2;
use crate::game::dice::Dice;
use crate::game::legal;
use crate::game::{Board, Cube, Length, Owner, Play, Score, Seat};
use crate::ingest::record::{Action, AfterBeaver, CheckerPlay, Ending, Fault, Game, Outcome, Rules, Variant, What};

/// Checkers of a side in hypergammon.
const HYPERGAMMON_CHECKERS: u8 = 3;

/// What is awaited from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exchange {
    None,
    /// An answer of the other player.
    Doubled(Seat),
    /// The doubler may accept (mostly by rolling), refuse, or turn once more.
    Beavered(Seat),
    /// The one who beavered accepts.
    Raccooned(Seat),
}

/// A roll without a play behind it: a resignation, a forced play left out, or a gap, as what follows shows.
#[derive(Clone, Copy, Debug)]
struct Bare {
    seat: Seat,
    dice: Dice,
    offset: u64,
    /// The only legal play.
    forced: Option<legal::Legal>,
}

/// Seat and place of an action in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Who {
    pub seat: Seat,
    pub offset: u64,
}

/// A game being read.
#[derive(Debug)]
pub(super) struct Table {
    game: Game,
    faults: Vec<Fault>,
    scores: [Score; 2],
    rules: Rules,
    /// Seen from the first seat.
    board: Board,
    /// Seen from the first seat.
    cube: Cube,
    exchange: Exchange,
    bare: Option<Bare>,
    /// Who rolled last.
    rolled: Option<Seat>,
    /// Whose double was taken since his last roll: that roll was no missed double.
    doubled: Option<Seat>,
    stopped: bool,
    closed: bool,
}

impl Table {
    /// A game at its start.
    ///
    /// # Errors
    /// When the score does not fit the match.
    pub(super) fn set(game: Game, length: Length, rules: Rules) -> Result<Self, crate::game::score::ScoreFault> {
        let score = Score::at(length, game.points, game.crawford)?;
        Ok(Self {
            board: game.start,
            game,
            faults: Vec::new(),
            scores: [score, score.mirror()],
            rules,
            cube: Cube::CENTRED,
            exchange: Exchange::None,
            bare: None,
            rolled: None,
            doubled: None,
            stopped: false,
            closed: false,
        })
    }

    /// The game has its result.
    pub(super) const fn closed(&self) -> bool {
        self.closed
    }

    /// Who has borne everything off.
    pub(super) fn winner(&self) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self.seen(seat).on_board() == 0)
    }

    /// Actions so far.
    pub(super) fn actions(&self) -> usize {
        self.game.actions.len()
    }

    /// Starts from another position, seen from the first seat; too late once somebody rolled.
    pub(super) fn place(&mut self, board: Board, offset: u64) {
        if !self.game.actions.is_empty() {
            return self.fault(offset, "a position set in the middle of a game");
        }
        self.game.start = board;
        self.board = board;
    }

    /// The rest of the game cannot be read.
    pub(super) fn stop(&mut self, offset: u64, reason: impl Into<String>) {
        if !self.stopped {
            self.stopped = true;
            self.fault(offset, reason);
        }
    }

    /// Passed over, the game goes on.
    pub(super) fn fault(&mut self, offset: u64, reason: impl Into<String>) {
        if self.faults.len() >= MOST_FAULTS {
            return;
        }
        self.faults.push(Fault { offset, reason: reason.into() });
    }

    /// A roll and what stands behind it.
    pub(super) fn roll(&mut self, who: Who, dice: Dice, written: &Written<'_>) {
        if !self.go_on() {
            return;
        }
        self.accept(who);
        if self.rolled == Some(who.seat) {
            self.fault(who.offset, "two rolls of one player in a row");
        }
        let board = self.seen(who.seat);
        match written {
            Written::Nothing => self.bare(who, dice, &board),
            Written::Abandoned => {
                self.bare = Some(Bare { seat: who.seat, dice, offset: who.offset, forced: None });
            }
            Written::Cannot => {
                let illegal = legal::count(&board, dice) > 0;
                self.play(who, dice, Found { play: Play::default(), after: board, illegal });
            }
            Written::Illegal(record) => match snowie::board(record, who.seat) {
                Some(after) => self.play(who, dice, Found { play: Play::default(), after, illegal: true }),
                None => self.stop(who.offset, "an illegal play without its position"),
            },
            Written::Parts(parts) => match moves::find(&board, dice, parts) {
                Some(found) => self.play(who, dice, found),
                None => self.stop(who.offset, "a play that cannot be made"),
            },
        }
    }

    /// Whether `written` would be a legal play: a line that was cut may end inside one.
    pub(super) fn fits(&self, seat: Seat, dice: Dice, written: &Written<'_>) -> bool {
        match written {
            Written::Parts(parts) => moves::find(&self.seen(seat), dice, parts).is_some_and(|found| !found.illegal),
            _ => false,
        }
    }

    /// A double; an answer to a double that doubles again is a beaver.
    pub(super) fn double(&mut self, who: Who, stated: Option<u32>) {
        if !self.go_on() {
            return;
        }
        match self.exchange {
            Exchange::Doubled(by) if by != who.seat => return self.beaver(who),
            Exchange::Beavered(by) if by == who.seat => return self.raccoon(who),
            Exchange::None => {}
            _ => return self.stop(who.offset, "a double out of turn"),
        }
        self.trust(who, stated);
        if self.cube_of(who.seat).owner == Owner::Opponent {
            self.fault(who.offset, "a double without access to the cube");
        }
        self.act(who, What::Double(None));
        self.exchange = Exchange::Doubled(who.seat);
    }

    /// A take; whose it is follows from the double.
    pub(super) fn take(&mut self, offset: u64) {
        if self.stopped || self.closed {
            return;
        }
        match self.exchange {
            Exchange::None => self.fault(offset, "a take without a double"),
            Exchange::Doubled(by) => {
                self.act(Who { seat: by.other(), offset }, What::Take(None));
                self.turn_cube(by.other());
            }
            Exchange::Beavered(by) => {
                self.act(Who { seat: by, offset }, What::AfterBeaver(AfterBeaver::Take));
                self.turn_cube(by.other());
            }
            Exchange::Raccooned(by) => {
                self.act(Who { seat: by.other(), offset }, What::AfterBeaver(AfterBeaver::Take));
                self.turn_cube(by.other());
            }
        }
    }

    /// A pass; whose it is follows from the double.
    pub(super) fn pass(&mut self, offset: u64) {
        if self.stopped || self.closed {
            return;
        }
        let (winner, what) = match self.exchange {
            Exchange::None => return self.fault(offset, "a pass without a double"),
            Exchange::Doubled(by) => (by, What::Pass(None)),
            Exchange::Beavered(by) => (by.other(), What::AfterBeaver(AfterBeaver::Pass)),
            Exchange::Raccooned(by) => (by, What::AfterBeaver(AfterBeaver::Pass)),
        };
        let points = i64::from(self.cube.value());
        self.act(Who { seat: winner.other(), offset }, what);
        self.exchange = Exchange::None;
        self.game.outcome = Some(Outcome { winner, points, ending: Ending::Pass });
    }

    /// A beaver of the player who was doubled.
    pub(super) fn beaver(&mut self, who: Who) {
        if self.stopped || self.closed {
            return;
        }
        match self.exchange {
            Exchange::Doubled(by) => {
                self.act(Who { seat: by.other(), ..who }, What::Beaver(None));
                self.turn_cube(by.other());
                self.exchange = Exchange::Beavered(by);
            }
            _ => self.fault(who.offset, "a beaver without a double"),
        }
    }

    /// A raccoon of the player whose double was beavered.
    pub(super) fn raccoon(&mut self, who: Who) {
        if self.stopped || self.closed {
            return;
        }
        match self.exchange {
            Exchange::Beavered(by) => {
                self.act(Who { seat: by, ..who }, What::AfterBeaver(AfterBeaver::Raccoon));
                self.turn_cube(by.other());
                self.exchange = Exchange::Raccooned(by);
            }
            _ => self.fault(who.offset, "a raccoon without a beaver"),
        }
    }

    /// The result: the last word on winner and points. A second one is not heard.
    pub(super) fn win(&mut self, who: Who, points: i64) {
        if self.closed {
            return;
        }
        self.bear_off_last(who.seat);
        if self.exchange == Exchange::Doubled(who.seat) && points == i64::from(self.cube.value()) {
            self.fault(who.offset, "the pass is not written");
            self.pass(who.offset);
        }
        let ending = self.ending(who.seat);
        if self.game.outcome.is_some_and(|passed| passed.winner != who.seat || passed.points != points) {
            self.fault(who.offset, "the result is not that of the pass");
        }
        let played_out = matches!(ending, Ending::BorneOff | Ending::Resigned);
        if played_out && points > 3 * i64::from(self.cube.value()) {
            self.fault(who.offset, "more points than three times the cube");
        }
        self.game.outcome = Some(Outcome { winner: who.seat, points, ending });
        self.closed = true;
    }

    /// The game as read, what was passed over, and whether its end was left unread.
    pub(super) fn clear(mut self) -> (Game, Vec<Fault>, bool) {
        if self.game.outcome.is_none() {
            self.bear_off_last(Seat::First);
            self.bear_off_last(Seat::Second);
            self.game.outcome = Seat::BOTH.into_iter().find_map(|seat| self.borne_off(seat));
        }
        (self.game, self.faults, self.stopped)
    }

    /// Settles what a next action decides about the roll before it. `false` = nothing more is read.
    fn go_on(&mut self) -> bool {
        if self.stopped || self.closed || self.game.outcome.is_some() {
            return false;
        }
        let Some(bare) = self.bare.take() else { return true };
        match bare.forced {
            Some(legal) => {
                let found = Found { play: legal.play, after: legal.after, illegal: false };
                self.play(Who { seat: bare.seat, offset: bare.offset }, bare.dice, found);
                true
            }
            None => {
                self.stop(bare.offset, "a play is missing");
                false
            }
        }
    }

    /// A roll accepts what was turned before it.
    fn accept(&mut self, who: Who) {
        match self.exchange {
            Exchange::None => return,
            Exchange::Doubled(_) => self.fault(who.offset, "the take is not written"),
            Exchange::Beavered(_) | Exchange::Raccooned(_) => {}
        }
        self.take(who.offset);
    }

    fn bare(&mut self, who: Who, dice: Dice, board: &Board) {
        let found = legal::plays(board, dice);
        if found.is_empty() {
            return self.play(who, dice, Found { play: Play::default(), after: *board, illegal: false });
        }
        let forced = if let [only] = found[..] { Some(only) } else { None };
        self.bare = Some(Bare { seat: who.seat, dice, offset: who.offset, forced });
    }

    /// A forced play that ends the game is often left out, with the result right behind it.
    fn bear_off_last(&mut self, winner: Seat) {
        let Some(Bare { seat, dice, offset, forced: Some(legal) }) = self.bare else { return };
        if seat == winner && legal.after.on_board() == 0 {
            self.bare = None;
            self.play(Who { seat, offset }, dice, Found { play: legal.play, after: legal.after, illegal: false });
        }
    }

    fn play(&mut self, who: Who, dice: Dice, found: Found) {
        if self.could_double(who.seat) {
            self.act(who, What::NoDouble(None));
        }
        if found.illegal {
            self.fault(who.offset, "an illegal play");
        }
        let play = CheckerPlay {
            dice,
            play: found.play,
            after: Some(found.after),
            illegal: found.illegal,
            candidates: Vec::new(),
            luck: None,
            xg_forced: None,
            stored_error: None,
        };
        self.act(who, What::Checker(play));
        self.board = if who.seat == Seat::First { found.after } else { found.after.mirror() };
        self.rolled = Some(who.seat);
        self.doubled = None;
    }

    /// `met.md` 5.3; the first turn is the one without a checker play before it.
    fn could_double(&self, seat: Seat) -> bool {
        self.rules.cube
            && self.doubled != Some(seat)
            && self.game.actions.iter().any(|action| matches!(action.what, What::Checker(_)))
            && self.cube_of(seat).may_be_turned(self.scores[seat.index()])
    }

    /// The value written with a double is twice the cube. Where it is more (an automatic double, an edited game), the
    /// file's word is taken.
    fn trust(&mut self, who: Who, stated: Option<u32>) {
        let Some(stated) = stated.filter(|&value| value != 2 * self.cube.value()) else { return };
        self.fault(who.offset, format!("a double to {stated} with the cube at {}", self.cube.value()));
        let log2 = stated.trailing_zeros();
        if stated.is_power_of_two() && (1..=u32::from(LARGEST_LOG2)).contains(&log2) {
            self.cube.log2 = u8::try_from(log2 - 1).unwrap_or(self.cube.log2);
        }
    }

    /// Twice the value, in the hands of `owner`: once at a take, at a beaver, and at each answer after it.
    fn turn_cube(&mut self, owner: Seat) {
        let seen = if owner == Seat::First { Owner::Own } else { Owner::Opponent };
        self.cube = Cube { log2: self.cube.log2.saturating_add(1).min(LARGEST_LOG2), owner: seen };
        self.exchange = Exchange::None;
        self.doubled = Some(owner.other());
    }

    fn act(&mut self, who: Who, what: What) {
        let (board, cube) = (self.seen(who.seat), self.cube_of(who.seat));
        self.game.actions.push(Action { seat: who.seat, board, cube, seconds: None, offset: who.offset, what });
    }

    fn seen(&self, seat: Seat) -> Board {
        if seat == Seat::First { self.board } else { self.board.mirror() }
    }

    const fn cube_of(&self, seat: Seat) -> Cube {
        if matches!(seat, Seat::First) { self.cube } else { self.cube.mirror() }
    }

    fn ending(&self, winner: Seat) -> Ending {
        match self.game.actions.last().map(|action| &action.what) {
            None => Ending::Unknown,
            Some(What::Pass(_) | What::AfterBeaver(AfterBeaver::Pass)) => Ending::Pass,
            _ if self.stopped => Ending::Unknown,
            _ if self.seen(winner).on_board() == 0 => Ending::BorneOff,
            _ => Ending::Resigned,
        }
    }

    /// The result that the last position gives by itself.
    fn borne_off(&self, winner: Seat) -> Option<Outcome> {
        if self.stopped || self.seen(winner).on_board() > 0 {
            return None;
        }
        let loser = self.seen(winner.other());
        let all = if self.rules.variant == Variant::Hypergammon { HYPERGAMMON_CHECKERS } else { CHECKERS };
        let times = match (loser.on_board() < all, loser.rearmost()) {
            (true, _) => 1,
            (false, ..=18) => 2,
            (false, _) => 3,
        };
        let jacoby = self.rules.jacoby && self.cube.owner == Owner::Centred;
        let points = i64::from(self.cube.value()) * if jacoby { 1 } else { times };
        Some(Outcome { winner, points, ending: Ending::BorneOff })
    }
}
