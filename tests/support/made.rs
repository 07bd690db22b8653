//! Made matches: seeded play with the legal-play generator, equities from a cheap evaluation plus noise.
//!
//! Nobody's games and no engine's judgement: they feed the round trips, the broken-input tests and the benchmark, which
//! need any number of different, plausible matches. The writers mark what they make, so that its statistics are never
//! shown as a program's own.

use portes::game::cube::CubeEquities;
use portes::game::legal::{self, Legal};
use portes::game::{Board, Cube, Dice, Equity, Length, Owner, Probability, Score, Seat};
use portes::ingest::record::{
    Action, Candidate, CheckerPlay, CubeAnalysis, Depth, Ending, Engine, Format, Game, Odds, Outcome, Player, Record,
    Rules, What,
};

/// SplitMix64: eight lines, and the same numbers everywhere.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn die(&mut self) -> u8 {
        u8::try_from(self.below(6)).unwrap() + 1
    }

    /// About normal: twelve uniforms.
    fn noise(&mut self, deviation: f64) -> f64 {
        ((0..12).map(|_| self.unit()).sum::<f64>() - 6.0) * deviation
    }
}

/// What is made.
#[derive(Clone, Copy)]
pub struct Shape {
    pub format: Format,
    pub length: u8,
    /// Candidates kept a play; XG keeps ten, gnuBG all.
    pub candidates: usize,
}

impl Shape {
    fn depth(self) -> Depth {
        if self.format == Format::Xg { Depth::XgPly(3) } else { Depth::GnuBgPly(2) }
    }
}

pub const XG: Shape = Shape { format: Format::Xg, length: 7, candidates: 10 };
pub const SGF: Shape = Shape { format: Format::Sgf, length: 7, candidates: usize::MAX };

const NAMES: [&str; 8] =
    ["Aldergrove", "Bramblewick", "Cinderpath", "Dovetail", "Émberline", "Foxglove", "Gristmill", "Hollow Beck"];

/// A whole match; the same seed and shape give the same match.
pub fn made(seed: u64, shape: Shape) -> Record {
    let mut chance = Chance::new(seed);
    let first = usize::try_from(chance.below(8)).unwrap();
    let second = (first + 1 + usize::try_from(chance.below(7)).unwrap()) % 8;
    let mut points = [0i64; 2];
    let mut games = Vec::new();
    let mut crawford_seen = false;
    while points.iter().all(|&p| p < i64::from(shape.length)) {
        let one_away = points.iter().any(|&p| p == i64::from(shape.length) - 1);
        let crawford = one_away && !crawford_seen;
        crawford_seen |= one_away;
        let game = one_game(&mut chance, shape, points, crawford);
        let outcome = game.outcome.unwrap();
        points[outcome.winner.index()] += outcome.points;
        games.push(game);
    }
    let day = i8::try_from(1 + chance.below(28)).unwrap();
    let month = i8::try_from(1 + chance.below(12)).unwrap();
    let player = |name: usize| Player { name: NAMES[name].to_owned(), rating: None };
    Record {
        format: shape.format,
        engine: if shape.format == Format::Xg { Engine::Xg } else { Engine::GnuBg },
        engine_version: Some(if shape.format == Format::Xg { "32" } else { "1.07.001" }.to_owned()),
        made_by_portes: true,
        players: [player(first), player(second)],
        length: Length::Points(shape.length),
        rules: Rules::default(),
        event: Some(format!("Made Open {}", 1 + chance.below(20))),
        round: Some(format!("Round {}", 1 + chance.below(7))),
        place: None,
        annotator: None,
        date: Some(jiff::civil::date(2026, month, day)),
        games,
        // Only XG's files state it.
        final_score: (shape.format == Format::Xg).then_some(points),
        comments: Vec::new(),
        faults: Vec::new(),
        partial: false,
    }
}

struct Table {
    board: Board,
    seat: Seat,
    cube: Cube,
    score: Score,
}

impl Table {
    fn action(&self, what: What) -> Action {
        Action { seat: self.seat, board: self.board, cube: self.cube, seconds: None, offset: 0, what }
    }

    fn pass_turn(&mut self, after: Board) {
        self.board = after.mirror();
        self.seat = self.seat.other();
        self.cube = self.cube.mirror();
        self.score = self.score.mirror();
    }
}

fn one_game(chance: &mut Chance, shape: Shape, points: [i64; 2], crawford: bool) -> Game {
    let seat = if chance.below(2) == 0 { Seat::First } else { Seat::Second };
    let seen = [points[seat.index()], points[seat.other().index()]];
    let score = Score::at(Length::Points(shape.length), seen, crawford).unwrap();
    let mut table = Table { board: Board::START, seat, cube: Cube::CENTRED, score };
    let mut actions = Vec::new();
    let mut first_turn = true;
    let outcome = loop {
        if !first_turn
            && table.cube.may_be_turned(table.score)
            && let Some(passed) = cube_action(chance, shape, &mut table, &mut actions)
        {
            break passed;
        }
        let dice = loop {
            let dice = Dice::new(chance.die(), chance.die()).unwrap();
            if !(first_turn && dice.is_double()) {
                break dice;
            }
        };
        first_turn = false;
        let (play, after) = checker_play(chance, shape, &table.board, dice);
        actions.push(table.action(What::Checker(play)));
        if after.on_board() == 0 {
            let gammon = if after.mirror().borne_off() == 0 { 2 } else { 1 };
            let points = i64::from(table.cube.value()) * gammon;
            break Outcome { winner: table.seat, points, ending: Ending::BorneOff };
        }
        table.pass_turn(after);
    };
    Game { points, crawford, start: Board::START, actions, outcome: Some(outcome) }
}

/// The holder's decision, and the answer to a double; an outcome when the double was passed.
fn cube_action(chance: &mut Chance, shape: Shape, table: &mut Table, actions: &mut Vec<Action>) -> Option<Outcome> {
    let lead = evaluate(&table.board);
    let nd = (lead + chance.noise(0.01)).clamp(-0.95, 0.98);
    let dt = nd * 1.9 - 0.55 + chance.noise(0.02);
    let analysis = CubeAnalysis {
        equities: CubeEquities { nd: millionths(nd), dt: millionths(dt), dp: Equity::ONE },
        mwc: None,
        odds: Some(odds(nd)),
        depth: shape.depth(),
        trials: None,
        std_error: None,
        stored_errors: [None, None],
    };
    if nd.max(dt.min(1.0)) - dt.min(1.0) + chance.noise(0.08) > 0.02 {
        actions.push(table.action(What::NoDouble(Some(analysis))));
        return None;
    }
    actions.push(table.action(What::Double(Some(analysis.clone()))));
    let answer = Table {
        board: table.board.mirror(),
        seat: table.seat.other(),
        cube: table.cube.mirror(),
        score: table.score.mirror(),
    };
    if dt + chance.noise(0.1) > 1.0 {
        actions.push(answer.action(What::Pass(Some(analysis))));
        return Some(Outcome { winner: table.seat, points: i64::from(table.cube.value()), ending: Ending::Pass });
    }
    actions.push(answer.action(What::Take(Some(analysis))));
    table.cube = Cube { log2: table.cube.log2 + 1, owner: Owner::Opponent };
    None
}

fn checker_play(chance: &mut Chance, shape: Shape, board: &Board, dice: Dice) -> (CheckerPlay, Board) {
    let mut valued: Vec<(f64, Legal)> = legal::plays(board, dice)
        .into_iter()
        .map(|legal| (-evaluate(&legal.after.mirror()) + chance.noise(0.004), legal))
        .collect();
    valued.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.after.cmp(&b.1.after)));
    valued.truncate(shape.candidates);
    let chosen = (0..valued.len())
        .map(|i| (valued[i].0 + chance.noise(0.03), i))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(0, |(_, i)| i);
    let made = valued.get(chosen).map_or(Legal { after: *board, play: portes::game::Play::default() }, |v| v.1);
    let candidates = valued
        .iter()
        .map(|&(equity, legal)| Candidate {
            play: legal.play,
            after: legal.after,
            equity: Some(millionths(equity)),
            odds: Some(odds(equity)),
            depth: shape.depth(),
            trials: None,
            std_error: None,
        })
        .collect();
    let play = CheckerPlay {
        dice,
        play: made.play,
        after: Some(made.after),
        illegal: false,
        candidates,
        luck: Some(millionths(chance.noise(0.15))),
        xg_forced: (shape.format == Format::Xg).then_some(valued.len() <= 1),
        stored_error: None,
    };
    (play, made.after)
}

/// A cheap look from the mover: the race, the blots, the points. Any monotone figure would do.
fn evaluate(board: &Board) -> f64 {
    let other = board.mirror();
    let pips = |board: &Board| f64::from(board.pips());
    let race = (pips(&other) - pips(board)) / 70.0;
    let contact = if board.no_contact() { 0.0 } else { 0.03 };
    let shape = f64::from(board.home_points())
        - f64::from(other.home_points())
        - 1.5 * (f64::from(board.blots()) - f64::from(other.blots()));
    libm::tanh(race + contact * shape)
}

/// What both formats can say: equities of whole millionths.
fn millionths(x: f64) -> Equity {
    Equity::from_f64(libm::round(x * 1e6) / 1e6).unwrap()
}

fn odds(equity: f64) -> Odds {
    let p = |x: f64| Probability::from_f64(libm::round(x.clamp(0.0, 1.0) * 1e6) / 1e6).unwrap();
    let win = (equity + 1.0) / 2.0;
    let win = libm::round(win.clamp(0.0, 1.0) * 1e6) / 1e6;
    Odds {
        win: p(win),
        win_gammon: p(win * 0.25),
        win_backgammon: p(win * 0.01),
        lose: p(1.0 - win),
        lose_gammon: p((1.0 - win) * 0.25),
        lose_backgammon: p((1.0 - win) * 0.01),
    }
}
