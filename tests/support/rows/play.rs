//! A match played by a rule of thumb, decision by decision.

use super::figures::figures;
use super::{Dealer, Played, SEASON, Wish, blank};
use portes::game::key::PositionKey;
use portes::game::{Board, Dice, Play, legal};
use portes::tables::facts::{AnalysisRow, CandidateRow, DecisionRow, GameRow, MatchRow};
use portes::tables::row::Day;

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
                let answer = self.cube_turn(game, regime, &board, seat, (&mut cube, &mut owner));
                if answer == Some(true) {
                    end = Some((seat, cube, "pass"));
                    break;
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
        row.position_key = key(&row, board);
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
        answer.position_key = key(&answer, &board.mirror());
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
        row.position_key = key(&row, board);
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

pub(super) fn as_seat(seat: usize) -> i64 {
    i64::try_from(seat).unwrap() + 1
}

/// The key of what a row asks; one that cannot be read back would leave every page without a board.
fn key(row: &DecisionRow, board: &Board) -> String {
    let asked = match row.kind.as_str() {
        "checker" => format!("m|{}", row.dice.unwrap()),
        "take" | "pass" => "r|00".to_owned(),
        _ => "d|00".to_owned(),
    };
    let regime = match row.regime.as_str() {
        "money" => '$',
        "crawford" => 'c',
        "post_crawford" => 'p',
        _ => 'n',
    };
    let text = format!(
        "bg1|{}|{}|{}|{regime}|{}|{}|{asked}",
        board.text(),
        row.cube.trailing_zeros(),
        row.cube_owner,
        row.own_away,
        row.opp_away
    );
    PositionKey::from_text(&text).unwrap_or_else(|fault| panic!("{text}: {fault}")).text()
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
