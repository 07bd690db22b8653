//! The special files of the corpus, each with its meaning, and the worked examples of the format page.

use super::{corpus, plays, read};
use crate::support::shared;
use portes::game::cube::CubeEquities;
use portes::game::{Board, Owner, Regime, Score, Seat};
use portes::ingest::record::{
    Action, AfterBeaver, CubeAnalysis, Depth, End, Ending, Game, Outcome, Record, Rejected, Variant, What,
};
use portes::ingest::sgf;

/// A file of `quirks/`, or `None` where the corpus is absent.
fn quirk(name: &str) -> Option<Result<Record, Rejected>> {
    let path = shared(&format!("corpus/gnubg/quirks/{name}.sgf"))?;
    Some(sgf::read(&std::fs::read(path).unwrap()))
}

fn record(name: &str) -> Option<Record> {
    quirk(name).map(|read| read.unwrap())
}

const fn analysis(action: &Action) -> Option<&CubeAnalysis> {
    match &action.what {
        What::NoDouble(analysis) | What::Double(analysis) | What::Take(analysis) | What::Pass(analysis) => {
            analysis.as_ref()
        }
        What::Beaver(analysis) => analysis.as_ref(),
        What::Checker(_) | What::AfterBeaver(_) => None,
    }
}

fn actions(record: &Record) -> impl Iterator<Item = &Action> {
    record.games.iter().flat_map(|game| &game.actions)
}

fn is_cube(action: &&Action) -> bool {
    !matches!(action.what, What::Checker(_))
}

#[test]
fn a_saved_position_is_no_match() {
    for name in ["position-cube-hint", "position-dice-hint"] {
        let Some(read) = quirk(name) else { return };
        let rejected = read.unwrap_err();
        assert_eq!((rejected.end, rejected.code.as_str()), (End::Unsupported, "position"), "{name}");
    }
}

#[test]
fn a_hint_that_was_never_played_is_no_decision() {
    let Some(record) = record("unfinished-hint-chequer-7pt") else { return };
    let game = &record.games[0];
    // Fourteen chequer nodes stand in the file; the last is the hint after `PL[W]DI[31]`.
    assert_eq!(plays(game).count(), 13);
    assert_eq!(game.outcome, None);
    let last = plays(game).last().unwrap();
    assert_eq!((last.dice.digits(), last.candidates.is_empty()), (62, false));
    assert!(plays(game).all(|play| play.luck.is_none()), "hints leave candidates and no luck");
}

#[test]
fn hints_during_play_are_analysis_and_the_game_stays_unfinished() {
    let Some(record) = record("unfinished-hint-cube-7pt") else { return };
    let game = &record.games[0];
    assert_eq!(game.outcome, None);
    assert!(plays(game).any(|play| !play.candidates.is_empty()) && plays(game).all(|play| play.luck.is_none()));
}

#[test]
fn an_edited_game_goes_on_from_its_set_up() {
    let Some(record) = record("edited-during-play-5pt") else { return };
    let edited = record.games[0].actions.windows(2).find(|pair| match &pair[0].what {
        What::Checker(play) => play.after.map(|board| board.mirror()) != Some(pair[1].board),
        _ => false,
    });
    let [before, after] = edited.unwrap() else { panic!("a window of two") };
    assert_eq!((before.seat, after.seat), (Seat::Second, Seat::First));
    assert_eq!(after.board.text(), "-BBBCCB------A-----cccbba-");
    assert_eq!((after.cube.value(), after.cube.owner), (2, Owner::Own));
    assert!(record.faults.is_empty() && actions(&record).all(|action| !is_illegal(action)));
}

fn is_illegal(action: &Action) -> bool {
    matches!(&action.what, What::Checker(play) if play.illegal)
}

#[test]
fn a_resignation_after_the_roll_leaves_no_action() {
    let Some(record) = record("resign-gammon-after-roll-5pt") else { return };
    let game = &record.games[0];
    assert_eq!(game.outcome, Some(Outcome { winner: Seat::First, points: 2, ending: Ending::Resigned }));
    // `GS` of the file: 13 plays of White, 12 of Black; Black's last roll, 5-2, was not played.
    let by = |seat| game.actions.iter().filter(|action| action.seat == seat && !is_cube(action)).count();
    assert_eq!([by(Seat::First), by(Seat::Second)], [13, 12]);
}

#[test]
fn automatic_doubles_begin_the_game_with_a_higher_cube() {
    let Some(record) = record("automatic-doubles-session") else { return };
    let game = &record.games[0];
    assert_eq!((game.actions[0].cube.value(), game.actions[0].cube.owner), (2, Owner::Centred));
    assert_eq!(game.outcome.map(|outcome| (outcome.winner, outcome.points)), Some((Seat::First, 16)));
    assert_eq!(record.games[1].points, [16, 0]);
    assert!(record.faults.is_empty());
}

#[test]
fn automatic_doubles_that_were_not_played_are_taken_out() {
    let Some(path) = shared("corpus/gnubg/quirks/automatic-doubles-session.sgf") else { return };
    let text = String::from_utf8(std::fs::read(path).unwrap()).unwrap();
    let halved = text.replace("RE[W+16]", "RE[W+8]").replace("[ws:16]", "[ws:8]");
    let record = sgf::read(halved.as_bytes()).unwrap();
    let values: Vec<u32> = record.games[0].actions.iter().map(|action| action.cube.value()).collect();
    assert_eq!((values.first(), values.last()), (Some(&1), Some(&4)));
    assert_eq!(record.games[0].outcome.map(|outcome| outcome.points), Some(8));
    assert_eq!(record.faults.len(), 1);
}

#[test]
fn rules_come_from_the_tokens() {
    let Some(no_cube) = record("no-cube-3pt") else { return };
    assert!(!no_cube.rules.cube && actions(&no_cube).filter(is_cube).count() == 0);

    let no_crawford = record("no-crawford-3pt").unwrap();
    assert!(!no_crawford.rules.crawford && no_crawford.games.iter().all(|game| !game.crawford));
    let regimes: Vec<Regime> = no_crawford.games.iter().map(|game| regime(&no_crawford, game)).collect();
    assert_eq!(regimes, [Regime::Normal, Regime::Normal, Regime::Normal]);

    let nackgammon = record("nackgammon-3pt").unwrap();
    assert_eq!(nackgammon.rules.variant, Variant::Nackgammon);
    assert_eq!(nackgammon.games[0].start, nackgammon.games[0].start.mirror());
    assert_eq!(nackgammon.games[0].start.pips(), 2 * 24 + 2 * 23 + 4 * 13 + 3 * 8 + 4 * 6);
    // Nobody may double on the first turn of any start position.
    assert!(matches!(nackgammon.games[0].actions[0].what, What::Checker(_)));
    assert!(matches!(nackgammon.games[0].actions[1].what, What::NoDouble(Some(_))));
}

fn regime(record: &Record, game: &Game) -> Regime {
    Score::at(record.length, game.points, game.crawford).unwrap().regime
}

#[test]
fn rollouts_keep_their_trials_and_their_standard_error() {
    let Some(record) = record("rollouts-1ply-with-filters-3pt") else { return };
    let rolled = record.games.iter().flat_map(plays).flat_map(|play| &play.candidates);
    let rolled: Vec<_> = rolled.filter(|candidate| candidate.depth == Depth::Rollout).collect();
    assert!(!rolled.is_empty());
    assert!(rolled.iter().all(|candidate| candidate.trials.is_some() && candidate.std_error.is_some()));
    let cubes: Vec<_> = actions(&record).filter_map(analysis).filter(|cube| cube.depth == Depth::Rollout).collect();
    assert!(cubes.iter().all(|cube| cube.trials.is_some() && cube.std_error.is_some() && cube.odds.is_some()));
}

#[test]
fn a_match_may_be_analysed_in_part() {
    let Some(record) = record("cube-and-luck-only-3pt") else { return };
    assert!(record.games.iter().flat_map(plays).all(|play| play.candidates.is_empty() && play.luck.is_some()));
    assert!(actions(&record).filter(is_cube).all(|action| analysis(action).is_some()));
}

#[test]
fn escapes_are_undone_in_names_and_comments() {
    let Some(record) = record("escapes-1pt") else { return };
    let [white, black] = &record.players;
    assert_eq!((white.name.as_str(), black.name.as_str()), ("Brae [b]", "O\\slash: x"));
    assert_eq!((white.rating.as_deref(), black.rating.as_deref()), (Some("1720.5"), Some("3.2 (club)")));
    assert_eq!(record.annotator.as_deref(), Some("A:B]"));
    let long = record.comments.iter().find(|comment| comment.action.is_some()).unwrap();
    assert!(
        long.text.contains("second line ] with bracket \\ and ; (paren)\n\tthird, tabbed – été"),
        "{:?}",
        long.text
    );
}

#[test]
fn a_beaver_is_a_decision_and_its_acceptance_is_not() {
    let Some(_) = shared("corpus/gnubg/2026") else { return };
    let folder = corpus("2026/cellar-money-night");
    let path = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let record = read(&path.filter(|path| path.extension().is_some_and(|end| end == "sgf")).min().unwrap());
    let game = &record.games[2];
    let at = game.actions.iter().position(|action| matches!(action.what, What::Beaver(_))).unwrap();
    let [double, beaver, accepted] = &game.actions[at - 1..=at + 1] else { panic!("three actions") };
    assert!(matches!(double.what, What::Double(_)) && matches!(accepted.what, What::AfterBeaver(AfterBeaver::Take)));
    assert_eq!([double.cube.value(), beaver.cube.value(), accepted.cube.value()], [1, 1, 2]);
    let next = game.actions[at + 2..].iter().find(|action| action.seat == beaver.seat).unwrap();
    assert_eq!((next.cube.value(), next.cube.owner), (4, Owner::Own));
    // Worked example of section 9.3.
    assert_eq!(analysis(double), analysis(beaver));
    close(&analysis(double).unwrap().equities, 0.1184, -0.1484);
    assert_eq!(beaver.board, double.board.mirror());
}

fn close(equities: &CubeEquities, nd: f64, dt: f64) {
    assert!((equities.nd.to_f64() - nd).abs() < 5e-5 && (equities.dt.to_f64() - dt).abs() < 5e-5, "{equities:?}");
    assert_eq!(equities.dp.to_f64(), 1.0);
}

#[test]
fn winning_chances_become_equities_at_the_score_and_cube_of_the_double() {
    let Some(_) = shared("corpus/gnubg/2025") else { return };
    let record = read(&corpus("2025/harbour-league/2025-02-11_night-2_cinderpath-vs-dovetail_5pt.sgf"));
    let double = |game: usize| {
        let game = &record.games[game];
        let at = game.actions.iter().position(|action| matches!(action.what, What::Double(_))).unwrap();
        (&game.actions[at], &game.actions[at + 1])
    };
    let (doubled, dropped) = double(1);
    assert_eq!((doubled.seat, dropped.seat), (Seat::Second, Seat::First));
    close(&analysis(doubled).unwrap().equities, 0.9481, 1.4873);
    assert_eq!(
        analysis(doubled).unwrap().mwc.map(|pair| pair.map(|mwc| mwc.units())),
        Some([739_123_000, 785_519_000])
    );
    assert!(matches!(dropped.what, What::Pass(_)) && analysis(dropped) == analysis(doubled));
    let (doubled, taken) = double(2);
    close(&analysis(doubled).unwrap().equities, 0.2663, 0.1535);
    assert!(matches!(taken.what, What::Take(_)) && taken.board == doubled.board.mirror());

    let record = read(&corpus("2025/harbour-league/2025-03-11_night-3_aldergrove-vs-foxglove_5pt.sgf"));
    let doubled = record.games[0].actions.iter().find(|action| matches!(action.what, What::Double(_))).unwrap();
    close(&analysis(doubled).unwrap().equities, 0.6914, 0.7442);
    assert_eq!(analysis(doubled).unwrap().depth, Depth::Rollout);
}

#[test]
fn a_real_match_of_another_version_reads_without_a_fault() {
    let Some(path) = shared("real/match-a.sgf") else { return };
    let record = read(&path);
    assert_eq!((record.engine_version.as_deref(), record.length.points()), (Some("1.08.003"), 7));
    assert!(record.faults.is_empty() && !record.partial);
    assert!(record.games.iter().flat_map(plays).all(|play| play.luck.is_none()), "LU[-inf] is no luck");
    assert_eq!(super::points(&record), [9, 2]);
    assert_eq!(record.games[0].start, Board::START);
}
