//! A record as rows: what happened, before anybody judges it.
//!
//! Every action becomes one decision row, in the order of the match; every candidate one candidate row, in the order of
//! the file; every game and comment its row. The rated columns keep their empty value: `rate` fills them from these rows
//! alone, so whatever rating needs must be a column here. Plays are written canonically (a play is the board it leads
//! to, so hops that a file joins or orders otherwise come out alike), and a figure the file does not have stays null.

use super::record::{
    Action, AfterBeaver, Candidate, CheckerPlay, CubeAnalysis, Format, Game, Odds, Record, Variant, What,
};
use crate::game::key::{Asked, PositionKey};
use crate::game::legal::{self, Legal};
use crate::game::{Board, CubeAction, Equity, Kind, Mwc, Play, Score, Seat, Step};
use crate::tables::facts::{CandidateRow, CommentRow, DecisionRow, GameRow};

/// The fact rows of one match, each table sorted by its key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// One per action.
    pub decisions: Vec<DecisionRow>,
    /// One per candidate play.
    pub candidates: Vec<CandidateRow>,
    /// One per game.
    pub games: Vec<GameRow>,
    /// One per comment.
    pub comments: Vec<CommentRow>,
}

/// The rows of a record. A game whose score does not fit its match has none; readers refuse such a record.
#[must_use]
pub fn facts(record: &Record, match_id: &str, season: &str) -> Facts {
    let frame = Frame { record, match_id, season, analysed: record.is_analysed(), luck: LuckColumn::of(record) };
    let mut facts = Facts::default();
    let mut first_orders = Vec::with_capacity(record.games.len());
    for (game, number) in record.games.iter().zip(1..) {
        let score = Score::at(record.length, game.points, game.crawford).ok();
        first_orders.push(score.map(|_| whole(facts.decisions.len())));
        let Some(score) = score else { continue };
        facts.games.push(frame.game(game, number, score));
        for (index, action) in game.actions.iter().enumerate() {
            let opening = index == 0 && begins_the_game(game, record.rules.variant);
            let place = Place { game: number, order: whole(facts.decisions.len()), score, opening };
            frame.add_action(&mut facts, &place, action);
        }
    }
    facts.comments = frame.comments(&first_orders);
    facts
}

impl Record {
    /// The file holds an analysis of some decision.
    #[must_use]
    pub fn is_analysed(&self) -> bool {
        self.games.iter().flat_map(|game| &game.actions).any(|action| match &action.what {
            What::Checker(play) => play.candidates.iter().any(|candidate| candidate.equity.is_some()),
            what => cube_analysis(what).is_some(),
        })
    }

    fn plays(&self) -> impl Iterator<Item = &CheckerPlay> {
        self.games.iter().flat_map(|game| &game.actions).filter_map(|action| match &action.what {
            What::Checker(play) => Some(play),
            _ => None,
        })
    }
}

/// Whether the luck a file states is one.
#[derive(Clone, Copy)]
enum LuckColumn {
    AsStated,
    /// XG writes 0 both for neutral and for not computed: a match whose lucks are all exactly 0 has none.
    NotComputed,
}

impl LuckColumn {
    fn of(record: &Record) -> Self {
        let all_zero = record.plays().all(|play| play.luck.is_none_or(|luck| luck == Equity::ZERO));
        if record.format == Format::Xg && all_zero { Self::NotComputed } else { Self::AsStated }
    }
}

/// What all rows of a match share.
struct Frame<'a> {
    record: &'a Record,
    match_id: &'a str,
    season: &'a str,
    analysed: bool,
    luck: LuckColumn,
}

/// Where an action stands.
struct Place {
    game: i64,
    order: i64,
    /// Before the game, seen from the first seat.
    score: Score,
    /// The first turn of a game: the dice decide who has it, and nobody can double.
    opening: bool,
}

impl Frame<'_> {
    fn game(&self, game: &Game, number: i64, score: Score) -> GameRow {
        let plies = game.actions.iter().filter(|action| matches!(action.what, What::Checker(_))).count();
        GameRow {
            season: self.season.to_owned(),
            match_id: self.match_id.to_owned(),
            game: number,
            score_1: game.points[0],
            score_2: game.points[1],
            regime: score.regime.token().to_owned(),
            first: game.actions.first().map(|action| seat_number(action.seat)),
            winner: game.outcome.map(|end| seat_number(end.winner)),
            points: game.outcome.map(|end| end.points),
            ending: game.outcome.map(|end| end.ending.token().to_owned()),
            plies: whole(plies),
        }
    }

    fn add_action(&self, facts: &mut Facts, place: &Place, action: &Action) {
        let mut row = self.decision(place, action);
        match &action.what {
            What::Checker(play) => self.add_play(facts, &mut row, (&action.board, play)),
            what => {
                if let Some(analysis) = cube_analysis(what) {
                    set_cube(&mut row, analysis);
                }
            }
        }
        facts.decisions.push(row);
    }

    /// What does not depend on the analysis. Rated columns are empty.
    fn decision(&self, place: &Place, action: &Action) -> DecisionRow {
        let score = if action.seat == Seat::First { place.score } else { place.score.mirror() };
        let kind = kind(&action.what);
        let asked = asked(&action.what);
        let may_double = kind == Kind::Cube(CubeAction::NoDouble)
            && self.record.rules.cube
            && !place.opening
            && action.cube.may_be_turned(score);
        DecisionRow {
            season: self.season.to_owned(),
            decision_id: format!("{}-{:04}", self.match_id, place.order),
            match_id: self.match_id.to_owned(),
            game: place.game,
            order: place.order,
            seat: seat_number(action.seat),
            kind: kind.token().to_owned(),
            own_away: i64::from(score.own_away),
            opp_away: i64::from(score.opponent_away),
            regime: score.regime.token().to_owned(),
            play_kind: self.record.length.token().to_owned(),
            cube: i64::from(action.cube.value()),
            cube_owner: action.cube.owner.letter().to_string(),
            may_double,
            beaver: matches!(action.what, What::Beaver(_) | What::AfterBeaver(_)),
            dice: match asked {
                Asked::Move(dice) => Some(i64::from(dice.digits())),
                Asked::Double | Asked::Answer => None,
            },
            position_key: PositionKey { board: action.board, cube: action.cube, score, asked }.to_string(),
            seconds: action.seconds,
            analysed: self.analysed,
            ..DecisionRow::default()
        }
    }

    fn add_play(&self, facts: &mut Facts, row: &mut DecisionRow, (board, play): (&Board, &CheckerPlay)) {
        let pen = Pen { board, legal: legal::plays(board, play.dice) };
        let written: Vec<String> =
            play.candidates.iter().map(|candidate| pen.write(&candidate.play, Some(&candidate.after))).collect();
        let evaluated = || play.candidates.iter().filter(|candidate| candidate.equity.is_some());
        let best = play.candidates.iter().position(|candidate| candidate.equity.is_some());
        let played = played_rank(board, play);

        row.legal_plays = Some(whole(pen.legal.len()));
        row.play = pen.write_made(play);
        row.illegal = play.illegal;
        row.candidates = whole(evaluated().count());
        row.played_rank = played.map(whole);
        row.depth_played = played.map(|rank| play.candidates[rank].depth.label());
        row.depth_rank = evaluated().map(|candidate| i64::from(candidate.depth.rank())).max().filter(|&rank| rank > 0);
        row.xg_forced = play.xg_forced;
        row.luck = match self.luck {
            LuckColumn::AsStated => play.luck.map(Equity::units),
            LuckColumn::NotComputed => None,
        };
        if let Some(rank) = best {
            let best = &play.candidates[rank];
            row.best = Some(written[rank].clone());
            row.depth_best = Some(best.depth.label());
            row.best_std_error = best.std_error.map(Equity::units);
            row.trials = best.trials;
        }

        let best = best.and_then(|rank| play.candidates[rank].equity);
        for ((candidate, text), rank) in play.candidates.iter().zip(written).zip(0..) {
            facts.candidates.push(candidate_row(row, candidate, CandidatePlace { rank, text, best }));
        }
    }

    fn comments(&self, first_orders: &[Option<i64>]) -> Vec<CommentRow> {
        let order = |game: Option<usize>, action: Option<usize>| {
            let first = first_orders.get(game?).copied().flatten()?;
            Some(first + whole(action?))
        };
        (0..)
            .zip(&self.record.comments)
            .map(|(index, comment)| CommentRow {
                season: self.season.to_owned(),
                match_id: self.match_id.to_owned(),
                index,
                game: comment.game.map(|game| whole(game) + 1),
                order: order(comment.game, comment.action),
                text: comment.text.clone(),
                origin: self.record.format.token().to_owned(),
            })
            .collect()
    }
}

/// Whether the first action is the first turn of the game, and not of a position somebody set up.
fn begins_the_game(game: &Game, variant: Variant) -> bool {
    variant != Variant::Backgammon || game.start == Board::START
}

const fn kind(what: &What) -> Kind {
    match what {
        What::Checker(_) => Kind::Checker,
        What::NoDouble(_) => Kind::Cube(CubeAction::NoDouble),
        What::Double(_) | What::AfterBeaver(AfterBeaver::Raccoon) => Kind::Cube(CubeAction::Double),
        What::Take(_) | What::Beaver(_) | What::AfterBeaver(AfterBeaver::Take) => Kind::Cube(CubeAction::Take),
        What::Pass(_) | What::AfterBeaver(AfterBeaver::Pass) => Kind::Cube(CubeAction::Pass),
    }
}

const fn asked(what: &What) -> Asked {
    match what {
        What::Checker(play) => Asked::Move(play.dice),
        What::NoDouble(_) | What::Double(_) | What::AfterBeaver(AfterBeaver::Raccoon) => Asked::Double,
        What::Take(_) | What::Pass(_) | What::Beaver(_) | What::AfterBeaver(_) => Asked::Answer,
    }
}

const fn cube_analysis(what: &What) -> Option<&CubeAnalysis> {
    match what {
        What::NoDouble(analysis)
        | What::Double(analysis)
        | What::Take(analysis)
        | What::Pass(analysis)
        | What::Beaver(analysis) => analysis.as_ref(),
        What::Checker(_) | What::AfterBeaver(_) => None,
    }
}

fn set_cube(row: &mut DecisionRow, analysis: &CubeAnalysis) {
    let label = analysis.depth.label();
    row.best = Some(analysis.equities.best_action().token().to_owned());
    row.nd = Some(analysis.equities.nd.units());
    row.dt = Some(analysis.equities.dt.units());
    row.dp = Some(analysis.equities.dp.units());
    row.nd_mwc = analysis.mwc.map(|[nd, _]| nd).map(Mwc::units);
    row.dt_mwc = analysis.mwc.map(|[_, dt]| dt).map(Mwc::units);
    row.best_std_error = analysis.std_error.map(Equity::units);
    row.trials = analysis.trials;
    row.depth_played = Some(label.clone());
    row.depth_best = Some(label);
    row.depth_rank = Some(i64::from(analysis.depth.rank())).filter(|&rank| rank > 0);
}

/// Writes the plays of one roll canonically. The legal plays are generated once, for the count and for every spelling.
struct Pen<'a> {
    board: &'a Board,
    /// Sorted by the board they lead to.
    legal: Vec<Legal>,
}

impl Pen<'_> {
    /// The legal play that leads to `after`; a play that is none is written as it stands.
    fn write(&self, play: &Play, after: Option<&Board>) -> String {
        let found = after.and_then(|after| self.legal.binary_search_by(|legal| legal.after.cmp(after)).ok());
        found.map_or(play, |i| &self.legal[i].play).notation(self.board)
    }

    /// The play made; `None` where the file has none although there was one to make.
    fn write_made(&self, play: &CheckerPlay) -> Option<String> {
        let moved = !play.play.is_dance() || play.after.is_some_and(|after| after != *self.board);
        (moved || self.legal.is_empty()).then(|| self.write(&play.play, play.after.as_ref()))
    }
}

/// Which candidate was played (`metrics.md` 3.3): the one that leads to the same board. Where the board after the play
/// is not known: the same steps, in the same order or in another; else the only one of the same canonical form.
fn played_rank(board: &Board, play: &CheckerPlay) -> Option<usize> {
    if let Some(after) = play.after.or_else(|| play.play.apply(board).ok()) {
        return play.candidates.iter().position(|candidate| candidate.after == after);
    }
    let same = |form: fn(&Play) -> Vec<Step>| {
        play.candidates.iter().position(|candidate| form(&candidate.play) == form(&play.play))
    };
    same(|play| play.steps().to_vec()).or_else(|| same(sorted_steps)).or_else(|| only_same_form(play))
}

fn sorted_steps(play: &Play) -> Vec<Step> {
    let mut steps = play.steps().to_vec();
    steps.sort_unstable();
    steps
}

/// Hops chained, hits forgotten: the form on an empty board.
fn only_same_form(play: &CheckerPlay) -> Option<usize> {
    let empty = Board::new([0; 26]).ok()?;
    let form = play.play.notation(&empty);
    let mut same = (0..).zip(&play.candidates).filter(|(_, candidate)| candidate.play.notation(&empty) == form);
    let (rank, _) = same.next()?;
    same.next().is_none().then_some(rank)
}

/// Where a candidate stands in its decision.
struct CandidatePlace {
    rank: i64,
    text: String,
    best: Option<Equity>,
}

fn candidate_row(row: &DecisionRow, candidate: &Candidate, place: CandidatePlace) -> CandidateRow {
    let chance = |of: fn(&Odds) -> i64| candidate.odds.as_ref().map(of);
    CandidateRow {
        season: row.season.clone(),
        decision_id: row.decision_id.clone(),
        rank: place.rank,
        play: place.text,
        equity: candidate.equity.map(Equity::units),
        cost: place.best.zip(candidate.equity).map(|(best, equity)| (best - equity).units()),
        win: chance(|odds| odds.win.units()),
        win_gammon: chance(|odds| odds.win_gammon.units()),
        win_backgammon: chance(|odds| odds.win_backgammon.units()),
        lose: chance(|odds| odds.lose.units()),
        lose_gammon: chance(|odds| odds.lose_gammon.units()),
        lose_backgammon: chance(|odds| odds.lose_backgammon.units()),
        depth: candidate.depth.label(),
        depth_rank: i64::from(candidate.depth.rank()),
        trials: candidate.trials,
    }
}

const fn seat_number(seat: Seat) -> i64 {
    match seat {
        Seat::First => 1,
        Seat::Second => 2,
    }
}

/// Sizes of things in memory always fit.
fn whole(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}
