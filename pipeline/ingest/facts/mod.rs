//! A record as rows: what happened, before anybody judges it.
//!
//! Every action becomes one decision row, in the order of the match; every candidate one candidate row, in the order of
//! the file; every game and comment its row. The rated columns keep their empty value: `rate` fills them from these rows
//! alone, so whatever rating needs must be a column here. Plays are written canonically (a play is the board it leads
//! to, so hops that a file joins or orders otherwise come out alike), and a figure the file does not have stays null.

mod played;

use super::record::{
    Action, AfterBeaver, Candidate, CheckerPlay, CubeAnalysis, Format, Game, Odds, Record, Variant, What,
};
use crate::game::key::{Asked, PositionKey};
use crate::game::legal::{self, Legal};
use crate::game::{Board, CubeAction, Equity, Kind, Mwc, Play, Score, Seat};
use crate::tables::facts::{CandidateRow, CommentRow, DecisionRow, GameRow};
use played::played_rank;

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
    let mut facts = Facts::sized_for(record);
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

impl Facts {
    /// Empty, with room for the rows of a record: rows are wide, and growing would move them again and again.
    fn sized_for(record: &Record) -> Self {
        Self {
            decisions: Vec::with_capacity(record.games.iter().map(|game| game.actions.len()).sum()),
            candidates: Vec::with_capacity(record.plays().map(|play| play.candidates.len()).sum()),
            games: Vec::with_capacity(record.games.len()),
            comments: Vec::new(),
        }
    }
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
            position_key: PositionKey { board: action.board, cube: action.cube, score, asked }.text(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Step;
    use crate::game::cube::CubeEquities;
    use crate::game::{Cube, Dice, Length, Owner};
    use crate::ingest::record::{Comment, Depth, Engine, Player, Rules};

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn record(games: Vec<Game>) -> Record {
        Record {
            format: Format::Xg,
            engine: Engine::Xg,
            engine_version: None,
            made_by_portes: false,
            players: [Player::default(), Player::default()],
            length: Length::Points(7),
            rules: Rules::default(),
            event: None,
            round: None,
            place: None,
            annotator: None,
            date: None,
            games,
            final_score: None,
            comments: Vec::new(),
            faults: Vec::new(),
            partial: false,
        }
    }

    fn game(points: [i64; 2], actions: Vec<Action>) -> Game {
        Game { points, crawford: false, start: Board::START, actions, outcome: None }
    }

    fn action(seat: Seat, what: What) -> Action {
        Action { seat, board: Board::START, cube: Cube::CENTRED, seconds: None, offset: 0, what }
    }

    fn steps(steps: &[(u8, u8)]) -> Result<Play, Box<dyn std::error::Error>> {
        let steps: Vec<Step> = steps.iter().map(|&(from, to)| Step { from, to }).collect();
        Ok(Play::new(&steps)?)
    }

    fn candidate(hops: &[(u8, u8)], equity: Option<i64>) -> Result<Candidate, Box<dyn std::error::Error>> {
        let play = steps(hops)?;
        Ok(Candidate {
            play,
            after: play.apply(&Board::START)?,
            equity: equity.map(Equity::from_units),
            odds: None,
            depth: Depth::XgPly(3),
            trials: None,
            std_error: None,
        })
    }

    fn checker(dice: u8, hops: &[(u8, u8)]) -> Result<CheckerPlay, Box<dyn std::error::Error>> {
        let play = steps(hops)?;
        Ok(CheckerPlay {
            dice: Dice::from_digits(dice).ok_or("no roll")?,
            play,
            after: play.apply(&Board::START).ok(),
            illegal: false,
            candidates: Vec::new(),
            luck: None,
            xg_forced: None,
            stored_error: None,
        })
    }

    fn analysis() -> CubeAnalysis {
        let of = Equity::from_units;
        CubeAnalysis {
            equities: CubeEquities { nd: of(50_000_000), dt: of(70_000_000), dp: Equity::ONE },
            mwc: None,
            odds: None,
            depth: Depth::Rollout,
            trials: Some(1296),
            std_error: Some(of(120_000)),
            stored_errors: [None, None],
        }
    }

    fn no_double(seat: Seat) -> Action {
        action(seat, What::NoDouble(Some(analysis())))
    }

    #[test]
    fn a_play_is_found_by_its_board_and_written_canonically() -> Outcome {
        let mut play = checker(64, &[(24, 18), (18, 14)])?;
        play.candidates = vec![
            candidate(&[(8, 2), (6, 2)], None)?,
            candidate(&[(24, 18), (13, 9)], Some(1_000_000))?,
            candidate(&[(24, 14)], Some(400_000))?,
        ];
        let facts = facts(&record(vec![game([0, 0], vec![action(Seat::First, What::Checker(play))])]), "id", "2026");
        let [row] = &facts.decisions[..] else { return Err("one decision".into()) };
        assert_eq!((row.played_rank, row.candidates, row.legal_plays), (Some(2), 2, Some(14)));
        assert_eq!((row.play.as_deref(), row.best.as_deref()), (Some("24/14"), Some("24/18 13/9")));
        assert_eq!((row.decision_id.as_str(), row.dice, row.analysed), ("id-0000", Some(64), true));
        assert_eq!((row.depth_best.as_deref(), row.depth_rank), (Some("3-ply"), Some(4)));
        let listed: Vec<(i64, &str, Option<i64>)> =
            facts.candidates.iter().map(|row| (row.rank, row.play.as_str(), row.cost)).collect();
        assert_eq!(listed, [(0, "8/2 6/2", None), (1, "24/18 13/9", Some(0)), (2, "24/14", Some(600_000))]);
        Ok(())
    }

    #[test]
    fn a_play_whose_board_is_not_known_is_found_by_its_steps_unless_two_fit() -> Outcome {
        let mut play = checker(44, &[(20, 16), (24, 20)])?;
        assert_eq!(play.after, None, "as written it starts from an empty point");
        play.candidates = vec![candidate(&[(13, 9), (24, 20)], Some(0))?, candidate(&[(24, 20), (20, 16)], Some(0))?];
        let bare = Board::new([0; 26])?;
        assert_eq!(played_rank(&bare, &play), Some(1));
        play.play = steps(&[(24, 16)])?;
        assert_eq!(played_rank(&bare, &play), Some(1), "hops chained");
        play.candidates.push(candidate(&[(24, 16)], Some(0))?);
        play.play = steps(&[(22, 16), (24, 22)])?;
        assert_eq!(played_rank(&bare, &play), None, "two candidates of one form");
        Ok(())
    }

    #[test]
    fn access_to_the_cube_needs_score_cube_turn_and_rules() -> Outcome {
        let may_double = |record: &Record| -> Vec<bool> {
            facts(record, "id", "2026").decisions.iter().map(|row| row.may_double).collect()
        };
        let two = || vec![no_double(Seat::First), no_double(Seat::Second)];
        assert_eq!(
            may_double(&record(vec![game([0, 0], two())])),
            [false, true],
            "nobody doubles before the first roll"
        );

        let set_up = Game { start: Board::from_text("----BbD-C---dD---c-dB-b---")?, ..game([0, 0], two()) };
        assert_eq!(may_double(&record(vec![set_up])), [true, true], "a position set up has no first roll");

        let late = |points, crawford| {
            let mut actions = two();
            actions.extend(two());
            Game { crawford, ..game(points, actions) }
        };
        assert_eq!(may_double(&record(vec![late([6, 4], true)])), [false; 4], "Crawford");
        assert_eq!(may_double(&record(vec![late([6, 4], false)])), [false, true, false, true], "post-Crawford leader");

        let mut theirs = two();
        theirs[1].cube = Cube { log2: 1, owner: Owner::Opponent };
        assert_eq!(may_double(&record(vec![game([0, 0], theirs)])), [false, false], "the opponent's cube");

        let mut dead = two();
        dead[1].cube = Cube { log2: 2, owner: Owner::Own };
        assert_eq!(may_double(&record(vec![game([0, 3], dead)])), [false, false], "a dead cube");

        let mut without = record(vec![late([0, 0], false)]);
        without.rules.cube = false;
        assert_eq!(may_double(&without), [false; 4], "no cube in the game");
        Ok(())
    }

    #[test]
    fn the_score_and_the_key_are_those_of_the_decider() {
        let facts =
            facts(&record(vec![game([2, 4], vec![no_double(Seat::First), no_double(Seat::Second)])]), "id", "s");
        let seen: Vec<(i64, i64, i64, &str)> = facts
            .decisions
            .iter()
            .map(|row| (row.seat, row.own_away, row.opp_away, row.position_key.as_str()))
            .collect();
        let key = |aways| format!("bg1|-b----E-C---eE---c-e----B-|0|c|n|{aways}|d|00");
        assert_eq!(seen, [(1, 5, 3, key("5|3").as_str()), (2, 3, 5, key("3|5").as_str())]);
        assert_eq!(facts.decisions[0].best.as_deref(), Some("double_take"));
        assert_eq!((facts.decisions[0].trials, facts.decisions[0].best_std_error), (Some(1296), Some(120_000)));
    }

    #[test]
    fn luck_that_xg_did_not_compute_is_absent_and_a_neutral_roll_is_not() -> Outcome {
        let lucks = |format: Format, lucks: [i64; 2]| -> Result<Vec<Option<i64>>, Box<dyn std::error::Error>> {
            let mut actions = Vec::new();
            for luck in lucks {
                let play = CheckerPlay { luck: Some(Equity::from_units(luck)), ..checker(31, &[(8, 5), (6, 5)])? };
                actions.push(action(Seat::First, What::Checker(play)));
            }
            let record = Record { format, ..record(vec![game([0, 0], actions)]) };
            Ok(facts(&record, "id", "s").decisions.iter().map(|row| row.luck).collect())
        };
        assert_eq!(lucks(Format::Xg, [0, 0])?, [None, None]);
        assert_eq!(lucks(Format::Xg, [0, 7])?, [Some(0), Some(7)]);
        assert_eq!(lucks(Format::Sgf, [0, 0])?, [Some(0), Some(0)]);
        Ok(())
    }

    #[test]
    fn a_beaver_and_what_follows_are_flagged_rows() {
        let actions = vec![
            action(Seat::First, What::Double(Some(analysis()))),
            action(Seat::Second, What::Beaver(Some(analysis()))),
            action(Seat::First, What::AfterBeaver(AfterBeaver::Raccoon)),
            action(Seat::Second, What::AfterBeaver(AfterBeaver::Take)),
        ];
        let rows = facts(&record(vec![game([0, 0], actions)]), "id", "s").decisions;
        let told: Vec<(&str, bool, bool)> =
            rows.iter().map(|row| (row.kind.as_str(), row.beaver, row.nd.is_some())).collect();
        let expected = [("double", false, true), ("take", true, true), ("double", true, false), ("take", true, false)];
        assert_eq!(told, expected);
    }

    #[test]
    fn games_and_comments_find_their_decisions() -> Outcome {
        let dance = CheckerPlay { play: Play::default(), after: Some(Board::START), ..checker(31, &[])? };
        let roll = || action(Seat::Second, What::Checker(dance.clone()));
        let mut record = record(vec![
            game([0, 0], vec![roll(), no_double(Seat::First), roll()]),
            game([8, 0], vec![roll()]),
            game([1, 0], vec![roll(), no_double(Seat::First)]),
        ]);
        let comment = |game, action| Comment { game, action, text: "why?".to_owned() };
        record.comments = vec![comment(Some(2), Some(1)), comment(Some(0), None), comment(None, None)];
        let facts = facts(&record, "id", "s");
        let games: Vec<(i64, i64, Option<i64>)> =
            facts.games.iter().map(|game| (game.game, game.plies, game.first)).collect();
        assert_eq!(games, [(1, 2, Some(2)), (3, 1, Some(2))], "a game whose score does not fit has no rows");
        let comments: Vec<(Option<i64>, Option<i64>)> =
            facts.comments.iter().map(|comment| (comment.game, comment.order)).collect();
        assert_eq!(comments, [(Some(3), Some(4)), (Some(1), None), (None, None)]);
        assert_eq!(facts.decisions[4].decision_id, "id-0004");
        assert_eq!(facts.decisions[0].play, None, "no play although there were plays to make");
        Ok(())
    }
}
