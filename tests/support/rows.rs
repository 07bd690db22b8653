//! Made rows: small seasons of invented players, played by a rule of thumb on the real board with the real plays, so that
//! every board, play, pip count and arrow of a page can stand on a table. Equities are invented; sums are true sums.

use portes::game::{Board, Dice, Play, legal};
use portes::report::{Colophon, Thresholds};
use portes::tables::facts::{AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, SourceRow};
use portes::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use portes::tables::row::{Day, Kind, Row, Value};

/// A row whose nullable cells are null and whose others are empty.
pub(crate) fn blank<R: Row>() -> R {
    R::read(&mut |at| {
        let column = R::COLUMNS[at];
        match column.kind {
            _ if column.nullable => Value::Null,
            Kind::Text => Value::Text(""),
            Kind::Int => Value::Int(0),
            Kind::Float => Value::Float(0.0),
            Kind::Day => Value::Day(0),
            Kind::Flag => Value::Flag(false),
        }
    })
    .expect("a blank row fits its own columns")
}

/// A small generator of the multiplicative kind: the same rows on every machine.
struct Dealer(u64);

impl Dealer {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn die(&mut self) -> u8 {
        u8::try_from(self.below(6)).unwrap() + 1
    }
}

/// What a match is asked to be.
pub(crate) struct Wish<'a> {
    pub(crate) players: [&'a str; 2],
    /// 0 = money.
    pub(crate) length: i64,
    pub(crate) seed: u64,
    /// One play in so many is not the best.
    pub(crate) care: [u64; 2],
    pub(crate) date: Option<i32>,
    pub(crate) event: &'a str,
    pub(crate) round: &'a str,
    pub(crate) finished: bool,
    pub(crate) xg: bool,
    pub(crate) analysed: bool,
}

impl<'a> Wish<'a> {
    pub(crate) fn new(players: [&'a str; 2], seed: u64) -> Self {
        Self {
            players,
            length: 7,
            seed,
            care: [4, 3],
            date: Some(20_500),
            event: "Lantern Open",
            round: "Round 1",
            finished: true,
            xg: false,
            analysed: true,
        }
    }
}

/// A match with everything a page asks for.
pub(crate) struct Played {
    pub(crate) row: MatchRow,
    pub(crate) games: Vec<GameRow>,
    pub(crate) decisions: Vec<DecisionRow>,
    pub(crate) candidates: Vec<CandidateRow>,
    pub(crate) analyses: Vec<AnalysisRow>,
    pub(crate) comments: Vec<CommentRow>,
    pub(crate) figures: Vec<PlayerMatchRow>,
}

const SEASON: &str = "2026";
/// MWC of a point of equity at the start of a 7-point match, as a rough constant: 1e-9 MWC per mpt.
const PRICE: i64 = 62_600;

struct Match<'a> {
    wish: &'a Wish<'a>,
    dealer: Dealer,
    id: String,
    order: i64,
    score: [i64; 2],
    out: Played,
}

/// Plays a match.
pub(crate) fn play(wish: &Wish<'_>) -> Played {
    let id = format!("{:016x}", wish.seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
    let empty = Played {
        row: blank(),
        games: Vec::new(),
        decisions: Vec::new(),
        candidates: Vec::new(),
        analyses: Vec::new(),
        comments: Vec::new(),
        figures: Vec::new(),
    };
    let mut of = Match { wish, dealer: Dealer::new(wish.seed), id, order: 0, score: [0, 0], out: empty };
    let goal = if wish.length == 0 { i64::MAX } else { wish.length };
    let mut crawford_played = false;
    for game in 1.. {
        let one_away = of.score.iter().any(|s| goal - s == 1);
        let regime = match (wish.length, one_away, crawford_played) {
            (0, ..) => "money",
            (_, false, _) => "normal",
            (_, true, false) => "crawford",
            (_, true, true) => "post_crawford",
        };
        crawford_played |= regime == "crawford";
        of.game(game, regime);
        let over = of.score.iter().any(|s| *s >= goal);
        if over || (wish.length == 0 && game == 4) || (!wish.finished && game == 2) {
            break;
        }
    }
    of.finish()
}

impl Match<'_> {
    fn game(&mut self, game: i64, regime: &str) {
        let mut board = Board::START;
        let mut seat = usize::from(self.dealer.below(2) == 1);
        let first = seat;
        let (mut cube, mut owner): (i64, Option<usize>) = (1, None);
        let start = self.score;
        let (mut plies, mut end) = (0, None);
        while end.is_none() && plies < 160 {
            if plies > 0 && regime != "crawford" && owner.is_none_or(|o| o == seat) {
                if let Some(passed) = self.cube_turn(game, regime, &board, seat, (&mut cube, &mut owner)) {
                    if passed {
                        end = Some((seat, cube, "pass"));
                        break;
                    }
                }
            }
            let after = self.roll(game, regime, &board, seat, (cube, owner));
            plies += 1;
            if after.on_board() == 0 {
                let points = if after.mirror().borne_off() == 0 { 2 } else { 1 };
                end = Some((seat, cube * points, "borne_off"));
            }
            board = after.mirror();
            seat = 1 - seat;
        }
        let (winner, points, ending) = end.unwrap_or((0, cube, "resigned"));
        self.score[winner] += points;
        self.out.games.push(GameRow {
            season: SEASON.into(),
            match_id: self.id.clone(),
            game,
            score_1: start[0],
            score_2: start[1],
            regime: regime.into(),
            first: Some(as_seat(first)),
            winner: Some(as_seat(winner)),
            points: Some(points),
            ending: Some(ending.into()),
            plies,
        });
    }

    fn base(
        &mut self,
        game: i64,
        regime: &str,
        board: &Board,
        seat: usize,
        (cube, owner): (i64, Option<usize>),
    ) -> DecisionRow {
        let order = self.order;
        self.order += 1;
        let money = regime == "money";
        let away = |s: usize| if money { 0 } else { self.wish.length - self.score[s] };
        let letter = owner.map_or("c", |o| if o == seat { "m" } else { "o" });
        DecisionRow {
            season: SEASON.into(),
            decision_id: format!("{}-{order:04}", self.id),
            match_id: self.id.clone(),
            game,
            order,
            seat: as_seat(seat),
            own_away: away(seat),
            opp_away: away(1 - seat),
            regime: regime.into(),
            play_kind: if money { "money" } else { "points" }.into(),
            cube,
            cube_owner: letter.into(),
            may_double: true,
            position_key: format!(
                "bg1|{}|{}|{letter}|n|{}|{}|m|00",
                board.text(),
                cube.trailing_zeros(),
                away(seat),
                away(1 - seat)
            ),
            analysed: self.wish.analysed,
            phase: if board.no_contact() {
                "race"
            } else if order < 12 {
                "opening"
            } else {
                "middlegame"
            }
            .into(),
            plan: if board.no_contact() { "race" } else { "contact" }.into(),
            contact: !board.no_contact(),
            depth_best: self.wish.analysed.then(|| "3-ply".to_owned()),
            depth_played: self.wish.analysed.then(|| "3-ply".to_owned()),
            unrated_reason: (!self.wish.analysed).then(|| "no_analysis".to_owned()),
            ..blank()
        }
    }

    /// Error, count, loss and difficulty of a decision.
    fn rate(&mut self, row: &mut DecisionRow, e: i64, counted: bool) {
        if !self.wish.analysed {
            return;
        }
        row.e_raw = Some(e * 100_000);
        row.e_mpt = Some(e);
        row.counted = counted;
        row.xg_counted = self.wish.xg.then_some(counted);
        row.xg_forced = self.wish.xg.then_some(row.forced);
        if counted && row.play_kind == "points" {
            row.loss = Some(e * PRICE * row.cube);
            row.difficulty = Some(i64::try_from(self.dealer.below(9)).unwrap() * 100_000);
            row.avoidable = e >= 50 && row.difficulty.unwrap() * 10 <= row.loss.unwrap();
        }
    }

    /// `Some(true)` = passed.
    fn cube_turn(
        &mut self,
        game: i64,
        regime: &str,
        board: &Board,
        seat: usize,
        (cube, owner): (&mut i64, &mut Option<usize>),
    ) -> Option<bool> {
        let lead = i64::from(board.mirror().pips()) - i64::from(board.pips());
        let nd = (lead * 9).clamp(-950, 1150);
        let dt = nd + lead * 2 - 60;
        let doubled = dt.min(1000);
        let wrong = self.dealer.below(6) == 0;
        let should = doubled > nd;
        let room = self.wish.length == 0 || self.wish.length - self.score[seat] > *cube;
        let doubles = room && *cube < 8 && (should != wrong) && nd > 250;
        let mut row = self.base(game, regime, board, seat, (*cube, *owner));
        row.kind = if doubles { "double" } else { "no_double" }.into();
        row.may_double = room;
        let best = match (should, dt > 1000, nd > 1000) {
            (true, false, _) => "double_take",
            (true, true, _) => "double_pass",
            (false, true, true) => "too_good",
            _ => "no_double",
        };
        if self.wish.analysed {
            row.best = Some(best.into());
            (row.nd, row.dt, row.dp) = (Some(nd * 100_000), Some(dt * 100_000), Some(100_000_000));
        }
        let e = if doubles { (nd - doubled).max(0) } else { (doubled - nd).max(0) };
        let e = if room { e } else { 0 };
        row.theme = (e >= 1).then(|| if doubles { "offer_premature" } else { "offer_missed" }.to_owned());
        let counted = doubles || (room && nd > 0 && nd - doubled < 200);
        self.rate(&mut row, e, counted);
        self.out.decisions.push(row);
        if !doubles {
            return None;
        }
        let mut answer = self.base(game, regime, &board.mirror(), 1 - seat, (*cube, *owner));
        let passes = (dt > 1000) != (self.dealer.below(7) == 0);
        answer.kind = if passes { "pass" } else { "take" }.into();
        if self.wish.analysed {
            answer.best = Some(best.into());
            (answer.nd, answer.dt, answer.dp) = (Some(nd * 100_000), Some(dt * 100_000), Some(100_000_000));
        }
        let e = if passes { (1000 - dt).max(0) } else { (dt - 1000).max(0) };
        answer.theme = (e >= 1).then(|| if passes { "answer_wrong_pass" } else { "answer_wrong_take" }.to_owned());
        self.rate(&mut answer, e, true);
        self.out.decisions.push(answer);
        if !passes {
            *cube *= 2;
            *owner = Some(1 - seat);
        }
        Some(passes)
    }

    fn roll(&mut self, game: i64, regime: &str, board: &Board, seat: usize, cube: (i64, Option<usize>)) -> Board {
        let dice = Dice::new(self.dealer.die(), self.dealer.die()).unwrap();
        let mut row = self.base(game, regime, board, seat, cube);
        row.kind = "checker".into();
        row.dice = Some(i64::from(dice.high()) * 10 + i64::from(dice.low()));
        row.luck = self.wish.analysed.then(|| i64::try_from(self.dealer.below(400)).unwrap() * 100_000 - 20_000_000);
        row.luck_mwc = row.luck.filter(|_| regime != "money").map(|luck| luck * 6 / 10);
        let mut plays: Vec<(i64, Board, Play)> =
            legal::plays(board, dice).into_iter().map(|l| (worth(&l.after), l.after, l.play)).collect();
        plays.sort_by_key(|(worth, ..)| -worth);
        row.legal_plays = Some(i64::try_from(plays.len()).unwrap());
        let (made, after) = match plays.len() {
            0 => (None, *board),
            n => {
                let slips = self.dealer.below(self.wish.care[seat]) == 0;
                let at = if slips { usize::try_from(self.dealer.below(9)).unwrap().min(n - 1) } else { 0 };
                (Some(at), plays[at].1)
            }
        };
        row.forced = plays.len() < 2;
        row.play = Some(made.map_or_else(|| "dance".to_owned(), |at| plays[at].2.notation(board)));
        if self.wish.analysed {
            row.best = Some(plays.first().map_or_else(|| "dance".to_owned(), |(.., play)| play.notation(board)));
            row.played_rank = made.map(|at| i64::try_from(at).unwrap());
            let top = plays.first().map_or(0, |(worth, ..)| *worth);
            for (rank, (worth, _, play)) in plays.iter().take(12).enumerate() {
                self.out.candidates.push(CandidateRow {
                    season: SEASON.into(),
                    decision_id: row.decision_id.clone(),
                    rank: i64::try_from(rank).unwrap(),
                    play: play.notation(board),
                    equity: Some((worth % 900) * 100_000),
                    cost: Some((top - worth) * 100_000),
                    win: Some(50_000_000 + worth * 20_000),
                    win_gammon: Some(14_000_000 + (worth % 97) * 60_000),
                    depth: "3-ply".into(),
                    depth_rank: 4,
                    ..blank()
                });
            }
            row.candidates = i64::try_from(plays.len().min(12)).unwrap();
            let e = made.map_or(0, |at| top - plays[at].0);
            if let Some(at) = made {
                (row.blots_played, row.blots_best) =
                    (Some(i64::from(plays[at].1.blots())), Some(i64::from(plays[0].1.blots())));
                row.theme = theme(&plays[at].1, &plays[0].1).filter(|_| e >= 1).map(str::to_owned);
            }
            let counted = !row.forced;
            self.rate(&mut row, e, counted);
        }
        self.out.decisions.push(row);
        after
    }

    fn finish(mut self) -> Played {
        let (wish, score) = (self.wish, self.score);
        let finished = wish.finished;
        let winner = finished.then_some(if score[0] >= score[1] { 1 } else { 2 });
        let money = wish.length == 0;
        self.out.row = MatchRow {
            season: SEASON.into(),
            match_id: self.id.clone(),
            event: Some(wish.event.into()),
            round: Some(wish.round.into()),
            date: wish.date.map(Day),
            name_1: wish.players[0].into(),
            name_2: wish.players[1].into(),
            player_1: wish.players[0].into(),
            player_2: wish.players[1].into(),
            play: if money { "money" } else { "points" }.into(),
            length: (!money).then_some(wish.length),
            score_1: score[0],
            score_2: score[1],
            winner,
            finished,
            games: i64::try_from(self.out.games.len()).unwrap(),
            start_mwc: (!money).then_some(500_000_000),
            crawford: !money,
            cube: true,
            variant: "backgammon".into(),
            ..blank()
        };
        self.out.analyses.push(AnalysisRow {
            season: SEASON.into(),
            match_id: self.id.clone(),
            source_id: "00112233aabbccdd".into(),
            path: "2026/lantern/a.sgf".into(),
            format: if wish.xg { "xg" } else { "sgf" }.into(),
            engine: if wish.xg { "xg" } else { "gnubg" }.into(),
            depths: Some("3-ply 200, rollout 4".into()),
            met: "kazaross-xg2".into(),
            primary: true,
            ..blank()
        });
        self.out.figures = [0, 1].map(|seat| figures(&self.out, seat, wish.xg)).into();
        self.out
    }
}

fn as_seat(seat: usize) -> i64 {
    i64::try_from(seat).unwrap() + 1
}

/// A rule of thumb in mpt.
fn worth(after: &Board) -> i64 {
    let pips = i64::from(after.mirror().pips()) - i64::from(after.pips());
    let blots = if after.no_contact() { 0 } else { i64::from(after.blots()) };
    let off = i64::from(after.borne_off());
    pips * 9 + i64::from(after.home_points()) * 34 - blots * 27 + off * 20
}

fn theme(made: &Board, best: &Board) -> Option<&'static str> {
    if made.blots() >= best.blots() + 2 {
        return Some("blots");
    }
    (best.home_points() > made.home_points()).then_some("point")
}

/// An interval by units (`metrics.md` 9.2) of a ratio times a factor: enough for plausible widths.
fn interval(units: &[(i64, i64)], factor: f64) -> Option<(f64, f64)> {
    let units: Vec<(f64, f64)> = units.iter().filter(|u| u.1 > 0).map(|u| (u.0 as f64, u.1 as f64)).collect();
    let (e, n) = units.iter().fold((0.0, 0.0), |(e, n), u| (e + u.0, n + u.1));
    if units.len() < 3 {
        return None;
    }
    let (ratio, g) = (e / n, units.len() as f64);
    let variance: f64 = units.iter().map(|u| (u.0 - ratio * u.1).powi(2)).sum::<f64>() * g / (g - 1.0) / (n * n);
    let half = 1.96 * variance.sqrt() * factor;
    Some(((ratio * factor - half).max(0.0), ratio * factor + half))
}

fn figures(of: &Played, seat: usize, xg: bool) -> PlayerMatchRow {
    let mine: Vec<&DecisionRow> = of.decisions.iter().filter(|row| row.seat == as_seat(seat)).collect();
    let counted: Vec<&DecisionRow> = mine.iter().copied().filter(|row| row.counted).collect();
    let sum = |wanted: &dyn Fn(&DecisionRow) -> bool, what: &dyn Fn(&DecisionRow) -> i64| -> i64 {
        counted.iter().filter(|row| wanted(row)).map(|row| what(row)).sum()
    };
    let n = |wanted: &dyn Fn(&DecisionRow) -> bool| sum(wanted, &|_| 1);
    let mpt = |row: &DecisionRow| row.e_mpt.unwrap_or(0);
    let loss = |row: &DecisionRow| row.loss.unwrap_or(0);
    let [all, checker, double, take]: [fn(&DecisionRow) -> bool; 4] = [
        |_| true,
        |row| row.kind == "checker",
        |row| row.kind == "double" || row.kind == "no_double",
        |row| row.kind == "take" || row.kind == "pass",
    ];
    let cube: fn(&DecisionRow) -> bool = |row| row.kind != "checker";
    let by_game = |wanted: fn(&DecisionRow) -> bool| -> Vec<(i64, i64)> {
        of.games
            .iter()
            .map(|game| {
                let rows = counted.iter().filter(|row| row.game == game.game && wanted(row));
                rows.fold((0, 0), |(e, n), row| (e + mpt(row), n + 1))
            })
            .collect()
    };
    let pr = |wanted: fn(&DecisionRow) -> bool| {
        (n(&wanted) > 0).then(|| 0.5 * sum(&wanted, &mpt) as f64 / n(&wanted) as f64)
    };
    let share = |units: i64| units as f64 / 1e9;
    let priced = counted.iter().filter(|row| row.loss.is_some()).count();
    let some = |x: f64| (priced > 0).then_some(x);
    let losses = share(sum(&all, &loss));
    let difficulty = share(sum(&all, &|row| row.difficulty.unwrap_or(0)));
    let rolls: Vec<&&DecisionRow> = mine.iter().filter(|row| row.kind == "checker").collect();
    let lucks: Vec<i64> = rolls.iter().filter_map(|row| row.luck).collect();
    let luck_of =
        |seat: i64| of.decisions.iter().filter(|row| row.seat == seat).filter_map(|row| row.luck_mwc).sum::<i64>();
    let other_loss = of
        .decisions
        .iter()
        .filter(|row| row.counted && row.seat != as_seat(seat))
        .filter_map(|row| row.loss)
        .sum::<i64>();
    let row = &of.row;
    let won = row.winner.map(|winner| winner == as_seat(seat));
    let l7 = some(losses * (7.0 / row.length.unwrap_or(7) as f64).sqrt());
    let ends = interval(&by_game(all), 0.5);
    let adjusted = won
        .filter(|_| priced > 0 && !lucks.is_empty())
        .map(|won| (if won { 0.5 } else { -0.5 }) - share(luck_of(as_seat(seat)) - luck_of(3 - as_seat(seat))));
    PlayerMatchRow {
        season: SEASON.into(),
        match_id: row.match_id.clone(),
        seat: Some(as_seat(seat)),
        player: Some([&row.player_1, &row.player_2][seat].clone()),
        opponent: Some([&row.player_2, &row.player_1][seat].clone()),
        date: row.date,
        event: row.event.clone(),
        round: row.round.clone(),
        play: row.play.clone(),
        length: row.length,
        finished: row.finished,
        won,
        games: row.games,
        decisions: n(&all),
        decisions_checker: n(&checker),
        decisions_double: n(&double),
        decisions_take: n(&take),
        error_sum: pr(all).map(|_| sum(&all, &mpt) as f64 / 1000.0),
        error_checker: pr(all).map(|_| sum(&checker, &mpt) as f64 / 1000.0),
        error_double: pr(all).map(|_| sum(&double, &mpt) as f64 / 1000.0),
        error_take: pr(all).map(|_| sum(&take, &mpt) as f64 / 1000.0),
        pr: pr(all),
        pr_low: ends.map(|e| e.0),
        pr_high: ends.map(|e| e.1),
        pr_units: by_game(all).iter().filter(|u| u.1 > 0).count().try_into().unwrap(),
        pr_checker: pr(checker),
        pr_cube: pr(cube),
        snowie: pr(all),
        loss: some(losses),
        loss_checker: some(share(sum(&checker, &loss))),
        loss_double: some(share(sum(&double, &loss))),
        loss_take: some(share(sum(&take, &loss))),
        priced: i64::try_from(priced).unwrap(),
        l7,
        l7_low: l7.map(|l7| l7 * 0.4),
        l7_high: l7.map(|l7| l7 * 1.6),
        elo_vs_engine: l7.map(|l7| -1300.0 * l7),
        elo_floored: some(0.0).map(|_| false),
        difficulty: some(difficulty),
        excess: some(losses - difficulty),
        ratio: some(losses / difficulty).filter(|_| difficulty >= 0.005),
        errors: n(&|row| mpt(row) >= 50),
        blunders: n(&|row| mpt(row) >= 100),
        avoidable: n(&|row| row.avoidable),
        luck: (!lucks.is_empty()).then(|| lucks.iter().sum::<i64>() as f64 / 1e8),
        luck_mwc: some(share(luck_of(as_seat(seat)))),
        luck_rolls: i64::try_from(lucks.len()).unwrap(),
        rolls: i64::try_from(rolls.len()).unwrap(),
        luck_adjusted: adjusted,
        coverage: adjusted.map(|_| 1.0),
        error_balance: some(share(other_loss) - losses),
        forced: mine.iter().filter(|row| row.forced).count().try_into().unwrap(),
        outside_window: mine.iter().filter(|row| row.kind == "no_double" && !row.counted).count().try_into().unwrap(),
        unrated: mine.iter().filter(|row| row.e_mpt.is_none()).count().try_into().unwrap(),
        xg_pr: xg.then(|| pr(all)).flatten().map(|pr| pr + 0.006),
        xg_decisions: xg.then(|| n(&all)),
        xg_decisions_checker: xg.then(|| n(&checker)),
        xg_decisions_double: xg.then(|| n(&double)),
        xg_decisions_take: xg.then(|| n(&take)),
        xg_error_sum: xg.then(|| sum(&all, &mpt) as f64 / 1000.0 + 0.001),
        xg_error_checker: xg.then(|| sum(&checker, &mpt) as f64 / 1000.0),
        xg_error_double: xg.then(|| sum(&double, &mpt) as f64 / 1000.0),
        xg_error_take: xg.then(|| sum(&take, &mpt) as f64 / 1000.0),
        xg_loss: xg.then_some(losses),
        ..blank()
    }
}

/// A player's season out of the rows of his matches; `None` = both seats.
pub(crate) fn season_row(player: Option<&str>, rows: &[&PlayerMatchRow]) -> PlayerSeasonRow {
    let int = |what: &dyn Fn(&PlayerMatchRow) -> i64| -> i64 { rows.iter().map(|row| what(row)).sum() };
    let float = |what: &dyn Fn(&PlayerMatchRow) -> Option<f64>| -> Option<f64> {
        let known: Vec<f64> = rows.iter().filter_map(|row| what(row)).collect();
        (!known.is_empty()).then(|| known.iter().sum())
    };
    #[allow(clippy::cast_possible_truncation, reason = "sums of whole mpt")]
    let mpt = |errors: Option<f64>| (errors.unwrap_or(0.0) * 1000.0).round() as i64;
    let units = |errors: &dyn Fn(&PlayerMatchRow) -> Option<f64>,
                 n: &dyn Fn(&PlayerMatchRow) -> i64|
     -> Vec<(i64, i64)> { rows.iter().map(|row| (mpt(errors(row)), n(row))).collect() };
    let ratio = |units: &[(i64, i64)]| {
        let (e, n) = units.iter().fold((0, 0), |(e, n), u| (e + u.0, n + u.1));
        (n > 0).then(|| 0.5 * e as f64 / n as f64)
    };
    let all = units(&|row| row.error_sum, &|row| row.decisions);
    let checker = units(&|row| row.error_checker, &|row| row.decisions_checker);
    let cube =
        units(&|row| Some(row.error_double? + row.error_take?), &|row| row.decisions_double + row.decisions_take);
    let [ends, checker_ends, cube_ends] = [&all, &checker, &cube].map(|units| interval(units, 0.5));
    let loss = float(&|row| row.loss);
    let root: f64 =
        rows.iter().filter(|row| row.loss.is_some()).filter_map(|row| row.length).map(|n| (n as f64).sqrt()).sum();
    let l7 = loss.map(|loss| 7f64.sqrt() * loss / root);
    let difficulty = float(&|row| row.difficulty);
    PlayerSeasonRow {
        season: SEASON.into(),
        player: player.map(str::to_owned),
        matches: i64::try_from(rows.len()).unwrap(),
        wins: player.map(|_| int(&|row| i64::from(row.won == Some(true)))),
        losses: player.map(|_| int(&|row| i64::from(row.won == Some(false)))),
        decisions: int(&|row| row.decisions),
        decisions_checker: int(&|row| row.decisions_checker),
        decisions_double: int(&|row| row.decisions_double),
        decisions_take: int(&|row| row.decisions_take),
        error_sum: float(&|row| row.error_sum),
        pr: ratio(&all),
        pr_low: ends.map(|e| e.0),
        pr_high: ends.map(|e| e.1),
        pr_units: all.iter().filter(|u| u.1 > 0).count().try_into().unwrap(),
        pr_checker: ratio(&checker),
        pr_checker_low: checker_ends.map(|e| e.0),
        pr_checker_high: checker_ends.map(|e| e.1),
        pr_cube: ratio(&cube),
        pr_cube_low: cube_ends.map(|e| e.0),
        pr_cube_high: cube_ends.map(|e| e.1),
        snowie: ratio(&all),
        loss,
        loss_checker: float(&|row| row.loss_checker),
        loss_double: float(&|row| row.loss_double),
        loss_take: float(&|row| row.loss_take),
        priced: int(&|row| row.priced),
        l7,
        l7_low: l7.map(|l7| l7 * 0.6),
        l7_high: l7.map(|l7| l7 * 1.4),
        elo_vs_engine: l7.map(|l7| -1300.0 * l7),
        elo_low: l7.map(|l7| -1900.0 * l7),
        elo_high: l7.map(|l7| -800.0 * l7),
        elo_floored: l7.map(|_| false),
        difficulty,
        excess: loss.zip(difficulty).map(|(loss, d)| loss - d),
        ratio: loss.zip(difficulty).filter(|(_, d)| *d >= 0.005).map(|(loss, d)| loss / d),
        errors: int(&|row| row.errors),
        blunders: int(&|row| row.blunders),
        avoidable: int(&|row| row.avoidable),
        luck: float(&|row| row.luck),
        luck_mwc: float(&|row| row.luck_mwc),
        luck_rolls: int(&|row| row.luck_rolls),
        rolls: int(&|row| row.rolls),
        forced: int(&|row| row.forced),
        outside_window: int(&|row| row.outside_window),
        unrated: int(&|row| row.unrated),
        ..blank()
    }
}

/// Files of every status.
pub(crate) fn sources() -> Vec<SourceRow> {
    let file = |path: &str, status: &str, reason: Option<&str>, detail: Option<&str>, offset: Option<i64>| SourceRow {
        season: SEASON.into(),
        path: path.into(),
        size: 48_211,
        format: Some("xg".into()),
        status: status.into(),
        reason: reason.map(str::to_owned),
        detail: detail.map(str::to_owned),
        offset,
        ..blank()
    };
    vec![
        file("2026/lantern/a.xg", "ok", None, None, None),
        file("2026/lantern/b.xg", "ok", None, None, None),
        file(
            "2026/lantern/copy of a.xg",
            "duplicate",
            Some("same_content"),
            Some("same content as 2026/lantern/a.xg"),
            None,
        ),
        file(
            "2026/lantern/cut.xg",
            "quarantined",
            Some("truncated"),
            Some("the archive ends inside a record"),
            Some(20_474),
        ),
        file("2026/lantern/photo.xg", "quarantined", Some("magic"), Some("not an XG file: JPEG"), Some(0)),
        file("2026/lantern/half.sgf", "partial", Some("truncated"), Some("3 complete games kept"), Some(9_118)),
        file("2026/notes.pdf", "ignored", Some("extension"), None, None),
    ]
}

/// A footer.
pub(crate) fn colophon() -> Colophon {
    Colophon {
        product_version: "0.1.0".into(),
        met: "Kazaross-XG2".into(),
        sources: 57,
        digest12: "e921e9a5089b".into(),
        data_to: Some(Day(20_778)),
        engines_depths: vec!["gnubg 2-ply, rollout".into(), "xg 3-ply, Roller++".into()],
        thresholds: Thresholds { error: 50, blunder: 100 },
        interval: "95\u{a0}%, z = 1.96".into(),
    }
}

/// A season of invented players: every pair once or twice, one of them weak, one match of money, one undated, one
/// unfinished, one without analysis.
pub(crate) struct Season {
    pub(crate) matches: Vec<Played>,
}

const PLAYERS: [&str; 8] =
    ["Aldergrove", "Bramblewick", "Cinderpath", "Dovetail", "\u{c9}mberline", "Foxglove", "Gristmill", "Hollow Beck"];

impl Season {
    pub(crate) fn new() -> Self {
        let mut matches = Vec::new();
        for (a, left) in PLAYERS.iter().enumerate() {
            for (b, right) in PLAYERS.iter().enumerate().skip(a + 1) {
                let seed = 17 + u64::try_from(a * 31 + b * 7).unwrap();
                let mut wish = Wish::new([left, right], seed);
                wish.care = [9 - u64::try_from(a).unwrap(), 9 - u64::try_from(b).unwrap()];
                wish.length = [5, 7, 9][(a + b) % 3];
                wish.date = Some(20_466 + i32::try_from(a * 37 + b * 5).unwrap());
                wish.event = ["Lantern Open", "Granary Cup", "Mill Lane Club"][(a * b) % 3];
                let round = format!("Round {}", b + 2);
                wish.round = &round;
                match (a, b) {
                    (2, 5) => wish.length = 0,
                    (3, 6) => wish.date = None,
                    (1, 6) => wish.finished = false,
                    (0, 7) => wish.analysed = false,
                    (1, 2) => wish.xg = true,
                    _ => {}
                }
                matches.push(play(&wish));
            }
        }
        Self { matches }
    }

    pub(crate) fn figures(&self) -> Vec<PlayerMatchRow> {
        self.matches.iter().flat_map(|m| m.figures.iter().cloned()).collect()
    }

    pub(crate) fn rows(&self) -> Vec<MatchRow> {
        self.matches.iter().map(|m| m.row.clone()).collect()
    }

    pub(crate) fn players(&self) -> Vec<PlayerSeasonRow> {
        let figures = self.figures();
        let mut names: Vec<&str> = figures.iter().filter_map(|row| row.player.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        let of = |name: Option<&str>| -> Vec<&PlayerMatchRow> {
            figures.iter().filter(|row| name.is_none() || row.player.as_deref() == name).collect()
        };
        names.into_iter().map(Some).chain([None]).map(|name| season_row(name, &of(name))).collect()
    }
}
