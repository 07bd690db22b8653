//! gnuBG's own counting (section 12 of the format page), from records: the judge in these tests, not the product.
//!
//! The measures of the product differ on purpose (`metrics.md`); that a record holds all that gnuBG counted is shown by
//! counting as gnuBG does.

use portes::game::met::Met;
use portes::game::{Length, Score, Seat};
use portes::ingest::record::{Action, AfterBeaver, CheckerPlay, CubeAnalysis, Game, Record, What};

/// A decision is close when doubling would have cost less.
const CLOSE: f64 = 0.16;
/// Two of the three cube equities this near to each other make the kind of an error a matter of the last digit.
const TIE: f64 = 2e-5;
/// Lower bounds of *doubtful*, *bad*, *very bad*.
const SKILL: [f64; 3] = [0.03, 0.06, 0.12];
/// Bounds of *lucky* and *very lucky*, and of their opposites.
const LUCK: [f64; 2] = [0.3, 0.6];

/// A sum in EMG (money: per cube) and in MWC (money: points).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) emg: f64,
    pub(super) unit: f64,
}

impl Sum {
    fn add(&mut self, emg: f64, scale: f64) {
        self.emg += emg;
        self.unit += emg * scale;
    }

    fn join(&mut self, other: Self) {
        self.emg += other.emg;
        self.unit += other.unit;
    }
}

/// The kinds of cube error, in gnuBG's order.
#[derive(Clone, Copy, Debug)]
enum Kind {
    MissedBelowCash,
    MissedAboveCash,
    WrongBelowDouble,
    WrongAboveTooGood,
    WrongTake,
    WrongPass,
}

/// One player's figures.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    pub(super) unforced: i64,
    pub(super) plays: i64,
    /// Unmarked, doubtful, bad, very bad.
    pub(super) marks: [i64; 4],
    pub(super) checker: Sum,
    /// Very unlucky, unlucky, unmarked, lucky, very lucky.
    pub(super) rolls: [i64; 5],
    pub(super) luck: Sum,
    /// A roll sits on a bound of luck by less than its rounding.
    pub(super) luck_ties: i64,
    pub(super) cubes: i64,
    pub(super) close: i64,
    pub(super) doubles: i64,
    pub(super) takes: i64,
    pub(super) passes: i64,
    pub(super) kinds: [(i64, Sum); 6],
    /// Cube decisions where two of the three equities tie.
    pub(super) cube_ties: i64,
    /// MWC (money: points) won.
    pub(super) result: f64,
}

impl Side {
    /// Sum of the six kinds.
    pub(super) fn cube(&self) -> Sum {
        let mut sum = Sum::default();
        self.kinds.iter().for_each(|&(_, part)| sum.join(part));
        sum
    }

    fn join(&mut self, other: &Self) {
        self.unforced += other.unforced;
        self.plays += other.plays;
        self.cubes += other.cubes;
        self.close += other.close;
        self.doubles += other.doubles;
        self.takes += other.takes;
        self.passes += other.passes;
        self.luck_ties += other.luck_ties;
        self.cube_ties += other.cube_ties;
        self.result += other.result;
        self.checker.join(other.checker);
        self.luck.join(other.luck);
        self.marks.iter_mut().zip(other.marks).for_each(|(a, b)| *a += b);
        self.rolls.iter_mut().zip(other.rolls).for_each(|(a, b)| *a += b);
        for (own, other) in self.kinds.iter_mut().zip(other.kinds) {
            own.0 += other.0;
            own.1.join(other.1);
        }
    }
}

/// Both players' figures, White first.
pub(super) type Sides = [Side; 2];

/// The figures of a whole match.
pub(super) fn total(record: &Record) -> Sides {
    let mut sides = Sides::default();
    for at in 0..record.games.len() {
        let game = of_game(record, at);
        sides.iter_mut().zip(&game).for_each(|(sum, side)| sum.join(side));
    }
    sides
}

/// The figures of one game.
pub(super) fn of_game(record: &Record, at: usize) -> Sides {
    let game = &record.games[at];
    let mut count = Count { record, game, sides: Sides::default(), doubled: None };
    for action in &game.actions {
        count.action(action);
    }
    count.result();
    count.sides
}

struct Count<'r> {
    record: &'r Record,
    game: &'r Game,
    sides: Sides,
    /// The analysis of the last double: what accepts a beaver is judged by it.
    doubled: Option<&'r CubeAnalysis>,
}

impl<'r> Count<'r> {
    fn action(&mut self, action: &'r Action) {
        let scale = self.scale(action);
        let side = &mut self.sides[action.seat.index()];
        match &action.what {
            What::Checker(play) => side.checker_play(play, scale),
            What::NoDouble(Some(analysis)) => side.no_double(analysis, scale),
            What::Double(Some(analysis)) => {
                self.doubled = Some(analysis);
                side.double(analysis, scale);
            }
            What::Take(Some(analysis)) => side.take(analysis, scale),
            What::Pass(Some(analysis)) => side.pass(analysis, scale),
            What::AfterBeaver(AfterBeaver::Take) => {
                self.doubled.into_iter().for_each(|double| side.take(double, scale))
            }
            What::AfterBeaver(AfterBeaver::Pass) => {
                self.doubled.into_iter().for_each(|double| side.pass(double, scale))
            }
            _ => {}
        }
    }

    fn score(&self, seat: Seat) -> Score {
        let score = Score::at(self.record.length, self.game.points, self.game.crawford).unwrap();
        if seat == Seat::First { score } else { score.mirror() }
    }

    /// MWC (money: points) of one EMG at the cube before the action.
    fn scale(&self, action: &Action) -> f64 {
        match self.record.length {
            Length::Money => f64::from(action.cube.value()),
            _ => Met::kazaross_xg2().factor(self.score(action.seat), action.cube.value()).unwrap().k(),
        }
    }

    fn result(&mut self) {
        let Some(outcome) = self.game.outcome else { return };
        let score = self.score(outcome.winner);
        let met = Met::kazaross_xg2();
        let won = match self.record.length {
            Length::Money => outcome.points as f64,
            _ => met.after(score, outcome.points).unwrap() - met.start(score).unwrap(),
        };
        self.sides[outcome.winner.index()].result = won;
        self.sides[outcome.winner.other().index()].result = -won;
    }
}

impl Side {
    fn checker_play(&mut self, play: &CheckerPlay, scale: f64) {
        self.plays += 1;
        let mut error = 0.0;
        if play.candidates.len() > 1 {
            self.unforced += 1;
            let made = play.candidates.iter().find(|candidate| Some(candidate.after) == play.after);
            let equity = |candidate: &portes::ingest::record::Candidate| candidate.equity.unwrap().to_f64();
            error = made.map_or(0.0, |made| equity(&play.candidates[0]) - equity(made));
        }
        self.checker.add(error, scale);
        self.marks[SKILL.iter().filter(|&&bound| error > bound).count()] += 1;
        let Some(luck) = play.luck.map(|luck| luck.to_f64()) else { return };
        self.luck.add(luck, scale);
        let mark = LUCK.iter().filter(|&&bound| luck.abs() > bound).count();
        self.rolls[if luck < 0.0 { 2 - mark } else { 2 + mark }] += 1;
        self.luck_ties += i64::from(LUCK.iter().any(|bound| (luck.abs() - bound).abs() < 1e-5));
    }

    fn no_double(&mut self, analysis: &CubeAnalysis, scale: f64) {
        let [nd, dt, doubled] = equities(analysis);
        let best = best(analysis);
        self.cubes += 1;
        self.close += i64::from(best - doubled < CLOSE);
        let kind = if dt > 1.0 { Kind::MissedAboveCash } else { Kind::MissedBelowCash };
        self.err(kind, best - nd, (analysis, scale));
    }

    fn double(&mut self, analysis: &CubeAnalysis, scale: f64) {
        let [nd, _, doubled] = equities(analysis);
        self.cubes += 1;
        self.close += 1;
        self.doubles += 1;
        let kind = if nd > 1.0 { Kind::WrongAboveTooGood } else { Kind::WrongBelowDouble };
        self.err(kind, best(analysis) - doubled, (analysis, scale));
    }

    fn take(&mut self, analysis: &CubeAnalysis, scale: f64) {
        self.cubes += 1;
        self.close += 1;
        self.takes += 1;
        self.err(Kind::WrongTake, equities(analysis)[1] - 1.0, (analysis, scale));
    }

    fn pass(&mut self, analysis: &CubeAnalysis, scale: f64) {
        self.cubes += 1;
        self.close += 1;
        self.passes += 1;
        self.err(Kind::WrongPass, 1.0 - equities(analysis)[1], (analysis, scale));
    }

    fn err(&mut self, kind: Kind, error: f64, (analysis, scale): (&CubeAnalysis, f64)) {
        let [nd, dt, _] = equities(analysis);
        let near = |a: f64, b: f64| (a - b).abs() < TIE;
        self.cube_ties += i64::from(near(nd, dt) || near(nd, 1.0) || near(dt, 1.0));
        if error > 0.0 {
            let (count, sum) = &mut self.kinds[kind as usize];
            *count += 1;
            sum.add(error, scale);
        }
    }
}

/// ND, DT, min(DT, DP).
fn equities(analysis: &CubeAnalysis) -> [f64; 3] {
    let (nd, dt) = (analysis.equities.nd.to_f64(), analysis.equities.dt.to_f64());
    [nd, dt, dt.min(1.0)]
}

/// Section 9.3.
fn best(analysis: &CubeAnalysis) -> f64 {
    let [nd, dt, doubled] = equities(analysis);
    if dt >= nd && nd <= 1.0 { doubled } else { nd }
}
