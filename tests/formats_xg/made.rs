//! Matches that nobody played: legal plays by a seeded die, with analyses of every kind XG writes.

use portes::game::cube::CubeEquities;
use portes::game::{Board, Cube, Dice, Equity, Length, Owner, Play, Probability, Score, Seat, legal};
use portes::ingest::record::{
    Action, AfterBeaver, Candidate, CheckerPlay, Comment, CubeAnalysis, Depth, Ending, Engine, Format, Game, Odds,
    Outcome, Player, Record, Rules, Variant, What,
};

/// A die that always falls alike: splitmix64.
pub(super) struct Die(pub(super) u64);

impl Die {
    pub(super) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// 0 to `sides` - 1.
    pub(super) fn below(&mut self, sides: usize) -> usize {
        usize::try_from(self.roll() % u64::try_from(sides).unwrap()).unwrap()
    }
    fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
    /// A number that single precision holds exactly, between -`bound` and `bound`.
    fn fraction(&mut self, bound: f64) -> f64 {
        const STEPS: usize = 1 << 20;
        bound * (f64::from(u32::try_from(self.below(2 * STEPS + 1)).unwrap()) / f64::from(1 << 20) - 1.0)
    }
    fn equity(&mut self) -> Equity {
        Equity::from_f64(self.fraction(2.0)).unwrap()
    }
    fn maybe_equity(&mut self) -> Option<Equity> {
        (!self.one_in(4)).then(|| self.equity())
    }
    fn dice(&mut self) -> Dice {
        let all: Vec<Dice> = Dice::all().collect();
        self.pick(&all)
    }
    fn depth(&mut self) -> Depth {
        use Depth::{Book, Roller, RollerPlus, RollerPlusPlus, Rollout, XgPly, XgRed};
        let plies = (2..=7).map(XgPly);
        let all: Vec<Depth> =
            [XgRed, Roller, RollerPlus, RollerPlusPlus, Book, Rollout].into_iter().chain(plies).collect();
        self.pick(&all)
    }
    fn odds(&mut self) -> Option<Odds> {
        let win = (self.fraction(1.0) + 1.0) / 2.0;
        let chance = |x: f64| Probability::from_f64(x).unwrap();
        (!self.one_in(5)).then(|| Odds {
            win: chance(win),
            win_gammon: chance(win / 2.0),
            win_backgammon: chance(win / 4.0),
            lose: chance(1.0 - win),
            lose_gammon: chance((1.0 - win) / 2.0),
            lose_backgammon: chance((1.0 - win) / 8.0),
        })
    }
    fn precision(&mut self, depth: Depth) -> (Option<i64>, Option<Equity>) {
        if depth != Depth::Rollout || self.one_in(3) {
            return (None, None);
        }
        let error = Equity::from_units(i64::try_from(1 + self.below(4_000_000)).unwrap());
        (Some(i64::try_from(1 + self.below(46_656)).unwrap()), Some(error))
    }
    fn text(&mut self) -> Option<String> {
        let texts =
            ["Rhodes Open", "Café Zürich", "Żółw", "中文 😀", "<script>alert(1)</script>", "{\\rtf1 no}", "a\\b", ""];
        Some(self.pick(&texts).to_owned()).filter(|text| !text.is_empty())
    }
}

/// A match made from a seed; every game ends, the match perhaps not.
pub(super) fn made(seed: u64, length: Length) -> Record {
    let mut die = Die(seed);
    let money = length == Length::Money;
    let mut record = Record {
        format: Format::Xg,
        engine: Engine::Xg,
        // Version 24 has no automatic doubles yet.
        engine_version: Some(die.pick(if money { &["26", "30", "32"] } else { &["24", "30", "32"] }).to_owned()),
        made_by_portes: true,
        players: [0, 1].map(|_| Player {
            name: die.text().unwrap_or_default(),
            rating: die.one_in(2).then(|| format!("{}.25", 1400 + die.below(800))),
        }),
        length,
        rules: Rules {
            crawford: !money,
            jacoby: money && die.one_in(2),
            beavers: Some(money),
            cube: true,
            variant: if die.one_in(4) { Variant::Nackgammon } else { Variant::Backgammon },
        },
        event: die.text(),
        round: die.text(),
        place: die.text(),
        annotator: None,
        date: Some("2024-02-29".parse().unwrap()).filter(|_| !die.one_in(3)),
        games: Vec::new(),
        final_score: None,
        comments: Vec::new(),
        faults: Vec::new(),
        partial: false,
    };
    if record.engine_version.as_deref() >= Some("30") {
        record.annotator = die.text();
    }
    let mut points = [0, 0];
    let mut crawford_over = false;
    for _ in 0..4 {
        let left = points.map(|points| i64::from(length.points()) - points);
        if !money && left.iter().any(|&left| left <= 0) {
            break;
        }
        let crawford = !money && left.contains(&1) && !std::mem::replace(&mut crawford_over, left.contains(&1));
        let game = game(&mut die, (length, points, crawford), record.rules.variant);
        let outcome = game.outcome.unwrap();
        points[outcome.winner.index()] += outcome.points;
        record.games.push(game);
    }
    record.final_score = Some(points);
    record.comments = comments(&mut die, &record.games);
    record
}

/// A game of at most twenty turns; who is to move then resigns.
fn game(die: &mut Die, (length, points, crawford): (Length, [i64; 2], bool), variant: Variant) -> Game {
    let start = match variant {
        Variant::Nackgammon => Board::from_text("-bb---D-C---dD---c-d---BB-").unwrap(),
        _ => Board::START,
    };
    let automatic = if length == Length::Money && die.one_in(2) { 1 } else { 0 };
    let mut actions: Vec<Action> = Vec::new();
    let mut seat = die.pick(&Seat::BOTH);
    let mut board = start;
    let mut cube = Cube { log2: automatic, owner: Owner::Centred };
    let game = |actions, winner, points_won, ending| Game {
        points,
        crawford,
        start,
        actions,
        outcome: Some(Outcome { winner, points: points_won, ending }),
    };
    for turn in 0..20 {
        let score = Score::at(length, [points[seat.index()], points[seat.other().index()]], crawford).unwrap();
        if turn > 0 && cube.may_be_turned(score) {
            let analysis = (!die.one_in(6)).then(|| analysis(die));
            let act = |seat, board, cube, what| Action { seat, board, cube, seconds: None, offset: 0, what };
            let (answerer, other, mirrored) = (seat.other(), board.mirror(), cube.mirror());
            if !die.one_in(5) || cube.log2 > 3 {
                actions.push(act(seat, board, cube, What::NoDouble(analysis)));
            } else {
                actions.push(act(seat, board, cube, What::Double(analysis.clone())));
                if die.one_in(4) {
                    let won = i64::from(cube.value());
                    actions.push(act(answerer, other, mirrored, What::Pass(analysis)));
                    return game(actions, seat, won, Ending::Pass);
                }
                let beaver = length == Length::Money && die.one_in(2);
                if beaver {
                    actions.push(act(answerer, other, mirrored, What::Beaver(analysis)));
                    actions.push(act(seat, board, cube, What::AfterBeaver(AfterBeaver::Raccoon)));
                    actions.push(act(answerer, other, mirrored, What::AfterBeaver(AfterBeaver::Take)));
                } else {
                    actions.push(act(answerer, other, mirrored, What::Take(analysis)));
                }
                cube = Cube { log2: cube.log2 + if beaver { 3 } else { 1 }, owner: Owner::Opponent };
            }
        }
        let play = checker(die, &board);
        let after = play.after.unwrap();
        let what = What::Checker(play);
        actions.push(Action { seat, board, cube, seconds: None, offset: 0, what });
        seat = seat.other();
        board = after.mirror();
        cube = cube.mirror();
    }
    let won = i64::from(cube.value()) * if die.one_in(3) { 2 } else { 1 };
    game(actions, seat.other(), won, Ending::Resigned)
}

fn analysis(die: &mut Die) -> CubeAnalysis {
    let depth = die.depth();
    let (trials, std_error) = die.precision(depth);
    CubeAnalysis {
        equities: CubeEquities { nd: die.equity(), dt: die.equity(), dp: Equity::ONE },
        mwc: None,
        odds: die.odds(),
        depth,
        trials,
        std_error,
        stored_errors: [die.maybe_equity(), die.maybe_equity()],
    }
}

fn checker(die: &mut Die, board: &Board) -> CheckerPlay {
    let dice = die.dice();
    let mut found: Vec<(Play, Board)> =
        legal::plays(board, dice).iter().map(|legal| (legal.play, legal.after)).collect();
    if found.is_empty() {
        found.push((Play::default(), *board));
    }
    let (play, after) = die.pick(&found);
    let listed = if die.one_in(8) { 0 } else { found.len().min(10) };
    let candidates = (0..listed).map(|_| candidate(die, found.pop().unwrap())).collect();
    CheckerPlay {
        dice,
        play,
        after: Some(after),
        illegal: die.one_in(30),
        candidates,
        luck: die.maybe_equity(),
        xg_forced: Some(die.one_in(4)),
        stored_error: die.maybe_equity(),
    }
}

fn candidate(die: &mut Die, (play, after): (Play, Board)) -> Candidate {
    let depth = if die.one_in(6) { Depth::XgPly(1) } else { die.depth() };
    let (trials, std_error) = die.precision(depth);
    Candidate { play, after, equity: Some(die.equity()), odds: die.odds(), depth, trials, std_error }
}

/// Comments in the order of the file, none on an answer; games and match have one before and one after.
fn comments(die: &mut Die, games: &[Game]) -> Vec<Comment> {
    let mut places = vec![(None, None)];
    for (g, game) in games.iter().enumerate() {
        places.push((Some(g), None));
        for (a, action) in game.actions.iter().enumerate() {
            if matches!(action.what, What::Checker(_) | What::NoDouble(_) | What::Double(_)) && die.one_in(5) {
                places.push((Some(g), Some(a)));
            }
        }
        places.push((Some(g), None));
    }
    places.push((None, None));
    let texts = ["plain", "two\nlines", "é à ü", "a\tb {c} \\d", "{\\rtf1 not}", "Ω 😀", "<b>&amp;</b>"];
    let text = |die: &mut Die| die.pick(&texts).to_owned();
    places.into_iter().map(|(game, action)| Comment { game, action, text: text(die) }).collect()
}
