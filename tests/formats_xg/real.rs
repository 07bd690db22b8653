//! Real files: the format page's test vectors (16), its statements on stored errors (10.4), what XG displays (11.1).

use super::{actions, plays, real_bytes, real_records};
use portes::game::cube::CubeEquities;
use portes::game::{Board, Cube, Dice, Equity, Length, Owner, Play, Regime, Score, Seat};
use portes::ingest::record::{Action, CheckerPlay, CubeAnalysis, Depth, Ending, Engine, Game, Outcome, Record, What};
use portes::ingest::xg;

/// Single precision and decimal printing.
const NOISE: f64 = 1e-6;
/// XG stores smaller errors as 0.
const NEGLIGIBLE: f64 = 0.0001;

/// The format page's sample.
fn sample() -> Option<Record> {
    Some(xg::read(&real_bytes("match-a.xg")?).expect("a sound file"))
}

fn at(record: &Record, index: u64) -> &Action {
    actions(record).find(|action| action.offset == index * 2560).expect("an action of this record")
}

fn checker(action: &Action) -> &CheckerPlay {
    match &action.what {
        What::Checker(play) => play,
        other => panic!("{other:?}"),
    }
}

fn near(got: Option<Equity>, expected: f64) -> bool {
    got.is_some_and(|got| (got.to_f64() - expected).abs() < NOISE)
}

fn hex(text: &str) -> Board {
    let cell = |i: usize| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap().cast_signed();
    Board::new(std::array::from_fn(cell)).expect("a board")
}

#[test]
fn the_match_of_the_test_vectors_is_read_as_a_whole() {
    let Some(record) = sample() else { return };
    assert_eq!(
        (record.length, record.engine, record.engine_version.as_deref()),
        (Length::Points(7), Engine::Xg, Some("32"))
    );
    assert_eq!(record.place.as_deref(), Some("Gammon Empire/Play65"));
    assert_eq!(record.players.each_ref().map(|player| player.rating.as_deref()), [None, None]);
    // 45969.0248: the days of Delphi's calendar.
    assert_eq!(record.date.map(|date| date.to_string()).as_deref(), Some("2025-11-08"));
    assert!(record.faults.is_empty() && record.comments.is_empty() && !record.partial && !record.made_by_portes);
    assert_eq!(plays(&record).count(), 189);
    let scores: Vec<([i64; 2], bool)> = record.games.iter().map(|game| (game.points, game.crawford)).collect();
    assert_eq!(scores, [([0, 0], false), ([0, 2], false), ([2, 2], false), ([6, 2], true)]);
    let won = |winner, points, ending| Some(Outcome { winner, points, ending });
    let outcomes: Vec<_> = record.games.iter().map(|game| game.outcome).collect();
    assert_eq!(
        outcomes,
        [
            won(Seat::Second, 2, Ending::Resigned),
            won(Seat::First, 2, Ending::Pass),
            won(Seat::First, 4, Ending::BorneOff),
            won(Seat::First, 3, Ending::Resigned),
        ]
    );
}

#[test]
fn record_3_is_the_opening_play() {
    let Some(record) = sample() else { return };
    assert!(actions(&record).all(|action| action.offset != 2 * 2560), "the opening cube record is no decision");
    let action = at(&record, 3);
    let play = checker(action);
    assert_eq!((action.seat, action.cube, play.dice), (Seat::Second, Cube::CENTRED, Dice::new(4, 1).unwrap()));
    assert_eq!(action.board, hex("00fe00000000050003000000fb05000000fd00fb000000000200").mirror());
    assert_eq!(play.after, Some(hex("00fe00000000050003010000fb04000000fd00fb000000010100")));
    assert_eq!(play.play, Play::from_notation("13/9 24/23").unwrap());
    assert_eq!(play.candidates.len(), 10);
    let best = &play.candidates[0];
    assert_eq!((best.play, best.depth), (Play::from_notation("24/23 13/9").unwrap(), Depth::Book));
    assert_eq!(Some(best.after), play.after);
    assert!(near(best.equity, -0.003_054) && near(play.luck, -0.003_054));
    assert_eq!((play.xg_forced, play.stored_error, play.illegal), (Some(false), Some(Equity::ZERO), false));
    let odds = best.odds.expect("six probabilities");
    let stored = [odds.lose_backgammon, odds.lose_gammon, odds.lose, odds.win, odds.win_gammon, odds.win_backgammon];
    for (got, expected) in stored.into_iter().zip([0.006_365, 0.139_083, 0.502_451, 0.497_549, 0.144_425, 0.006_637]) {
        assert!(near(Some(Equity::from_units(got.units())), expected), "{got:?} {expected}");
    }
}

#[test]
fn records_4_and_5_are_a_no_double_and_its_play() {
    let Some(record) = sample() else { return };
    let action = at(&record, 4);
    let What::NoDouble(Some(analysis)) = &action.what else { panic!("{action:?}") };
    assert_eq!((action.seat, analysis.depth), (Seat::First, Depth::XgPly(2)));
    let CubeEquities { nd, dt, dp } = analysis.equities;
    assert!(near(Some(nd), 0.002_966) && near(Some(dt), -0.349_994) && near(Some(dp), 1.0));
    let play = checker(at(&record, 5));
    assert_eq!(play.play, Play::from_notation("6/5 8/5").unwrap());
    assert_eq!(play.candidates[0].play, Play::from_notation("8/5 6/5").unwrap());
    assert_eq!(play.candidates[0].depth, Depth::XgPly(3));
    assert!(near(play.candidates[0].equity, 0.057_571));
}

#[test]
fn record_38_is_a_double_and_a_take_on_the_cube_before_it() {
    let Some(record) = sample() else { return };
    let found: Vec<&Action> = actions(&record).filter(|action| action.offset == 38 * 2560).collect();
    let [double, take] = found[..] else { panic!("{found:?}") };
    let (What::Double(Some(analysis)), What::Take(Some(answer))) = (&double.what, &take.what) else { panic!() };
    assert_eq!((double.seat, double.cube), (Seat::Second, Cube::CENTRED));
    assert_eq!((take.seat, take.cube, take.board), (Seat::First, Cube::CENTRED, double.board.mirror()));
    assert!(near(Some(analysis.equities.nd), 0.813_925) && near(Some(analysis.equities.dt), 0.832_394));
    assert_eq!((analysis, analysis.depth), (answer, Depth::XgPly(4)));
    assert_eq!(analysis.stored_errors, [Some(Equity::ZERO); 2]);
    let next = at(&record, 39);
    assert_eq!((next.seat, next.cube), (Seat::Second, Cube { log2: 1, owner: Owner::Opponent }));
}

#[test]
fn record_199_is_a_dance() {
    let Some(record) = sample() else { return };
    let action = at(&record, 199);
    let play = checker(action);
    assert_eq!((play.dice.digits(), play.candidates.len(), play.xg_forced), (65, 1, Some(true)));
    assert!(play.play.is_dance() && play.candidates[0].play.is_dance());
    assert_eq!((play.after, play.candidates[0].after), (Some(action.board), action.board));
}

/// Pitfalls 1, 3, 4 and 6: bear-offs before the last pair, joined steps, whose view, plays that were not made.
#[test]
fn every_play_and_candidate_leads_where_the_file_says() {
    for (name, record) in real_records() {
        for (action, play) in plays(&record) {
            assert_eq!(play.play.apply(&action.board).ok(), play.after, "{name} {}", action.offset);
            for candidate in &play.candidates {
                assert_eq!(candidate.play.apply(&action.board), Ok(candidate.after), "{name} {}", action.offset);
            }
            let made = play.candidates.iter().filter(|candidate| Some(candidate.after) == play.after).count();
            assert_eq!(made, 1, "the play made is one candidate: {name} {}", action.offset);
        }
    }
}

/// The boards of a game are one chain: what one player leaves is what the other finds.
#[test]
fn every_action_stands_on_the_board_the_one_before_left() {
    for (name, record) in real_records() {
        for game in &record.games {
            let mut left = (Seat::First, game.start);
            for action in &game.actions {
                let board = if action.seat == left.0 { left.1 } else { left.1.mirror() };
                assert_eq!(action.board, board, "{name} {}", action.offset);
                if let What::Checker(play) = &action.what {
                    left = (action.seat, play.after.expect("a known board"));
                }
            }
        }
    }
}

/// Points before a game are those before the last one and what it brought; a match may end past its length.
#[test]
fn scores_are_as_written() {
    let ends = [("match-a.xg", [9, 2]), ("match-b.xg", [4, 10]), ("match-c.xg", [1, 7]), ("match-d.xg", [0, 11])];
    for (name, record) in real_records() {
        let mut points = [0, 0];
        for game in &record.games {
            assert_eq!(game.points, points, "{name}");
            let outcome = game.outcome.expect("an end");
            points[outcome.winner.index()] += outcome.points;
        }
        assert_eq!(ends.iter().find(|(file, _)| *file == name).map(|end| end.1), Some(points), "{name}");
    }
}

/// Played minus candidate 0 (never minus the highest equity), <= 0, below 0.0001 stored as 0.
#[test]
fn stored_errors_of_plays_follow_from_the_candidates() {
    let mut compared = 0;
    let mut later_is_higher = 0;
    for (name, record) in real_records() {
        for (action, play) in plays(&record) {
            let stored = play.stored_error.expect("an analysed play").to_f64();
            let made = play.candidates.iter().find(|candidate| Some(candidate.after) == play.after);
            let equity = |candidate: &portes::ingest::record::Candidate| candidate.equity.expect("an equity").to_f64();
            let best = equity(&play.candidates[0]);
            let error = (equity(made.expect("a listed play")) - best).min(0.0);
            let expected = if error > -NEGLIGIBLE { 0.0 } else { error };
            assert!((stored - expected).abs() < NOISE, "{name} {}: {stored} {expected}", action.offset);
            compared += 1;
            later_is_higher += usize::from(play.candidates.iter().any(|candidate| equity(candidate) > best + NOISE));
        }
    }
    println!("{compared} plays compared, {later_is_higher} with a later candidate of higher equity");
    assert!(compared == 0 || later_is_higher > 0, "the sample holds the trap");
}

#[test]
fn stored_errors_of_cube_decisions_follow_from_the_equities() {
    let mut compared = [0, 0];
    for (name, record) in real_records() {
        for game in &record.games {
            for action in &game.actions {
                let (analysis, doubled) = match &action.what {
                    What::NoDouble(Some(analysis)) => (analysis, false),
                    What::Double(Some(analysis)) => (analysis, true),
                    What::Take(Some(analysis)) | What::Pass(Some(analysis)) => {
                        let taken = matches!(action.what, What::Take(_));
                        assert!(answer_fits(analysis, taken), "{name} {}: {analysis:?}", action.offset);
                        compared[1] += 1;
                        continue;
                    }
                    _ => continue,
                };
                assert!(double_fits(analysis, doubled, &record, game), "{name} {}: {analysis:?}", action.offset);
                compared[0] += 1;
            }
        }
    }
    println!("{compared:?} doubling decisions and answers compared");
}

fn cleared(error: f64) -> f64 {
    if error < NEGLIGIBLE { 0.0 } else { error }
}

fn double_fits(analysis: &CubeAnalysis, doubled: bool, record: &Record, game: &Game) -> bool {
    let stored = analysis.stored_errors[0].expect("a stored error").to_f64();
    let gain = (analysis.equities.doubled() - analysis.equities.nd).to_f64();
    let expected = cleared(if doubled { -gain } else { gain }.max(0.0));
    let regime = Score::at(record.length, game.points, game.crawford).expect("a score").regime;
    // After the Crawford game, not doubling when it costs nothing is stored as exactly 0.0001.
    let mandatory = regime == Regime::PostCrawford && !doubled && (stored - NEGLIGIBLE).abs() < 1e-12;
    (stored - expected).abs() < NOISE || (mandatory && expected == 0.0)
}

fn answer_fits(analysis: &CubeAnalysis, taken: bool) -> bool {
    let stored = analysis.stored_errors[1].expect("a stored error").to_f64();
    let over = (analysis.equities.dt - analysis.equities.dp).to_f64();
    let expected = -cleared(if taken { over } else { -over }.max(0.0));
    (stored - expected).abs() < NOISE
}

/// Counts and sums XG displays, by the rules of 11.1, against an independent computation from the same files.
#[test]
fn counts_and_errors_are_those_xg_displays() {
    let Some(path) = crate::support::shared("real/expected.json") else { return };
    let expected: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for (name, record) in real_records() {
        let Some(expected) = expected.get(name) else { continue };
        assert_eq!(expected["games"].as_u64().and_then(|games| usize::try_from(games).ok()), Some(record.games.len()));
        for seat in Seat::BOTH {
            assert_eq!(expected["players"][seat.index()], record.players[seat.index()].name);
            let expected = &expected[if seat == Seat::First { "player1" } else { "player2" }]["xg"];
            for (nature, (count, error)) in ["checker", "double", "take"].into_iter().zip(displayed(&record, seat)) {
                assert_eq!(expected["decisions"][nature].as_i64(), Some(count), "{name} {seat:?} {nature}");
                let sum = expected["equity_error"][nature].as_f64().unwrap();
                assert!((error - sum).abs() < 6e-6, "{name} {seat:?} {nature}: {error} {sum}");
            }
        }
    }
}

/// Decisions counted and their unrounded errors: checker plays, doubles, answers.
fn displayed(record: &Record, seat: Seat) -> [(i64, f64); 3] {
    const WINDOW: f64 = 0.200;
    let mut sums = [(0, 0.0); 3];
    let mut count = |nature: usize, error: Equity| {
        sums[nature].0 += 1;
        sums[nature].1 += error.max(Equity::ZERO).to_f64();
    };
    for action in actions(record).filter(|action| action.seat == seat) {
        match &action.what {
            What::Checker(play) if play.xg_forced == Some(false) && !play.illegal => {
                let made = play.candidates.iter().find(|candidate| Some(candidate.after) == play.after);
                count(0, play.candidates[0].equity.unwrap() - made.unwrap().equity.unwrap());
            }
            What::Double(Some(CubeAnalysis { equities, .. })) => count(1, equities.nd - equities.doubled()),
            What::NoDouble(Some(CubeAnalysis { equities, .. }))
                if equities.nd > Equity::ZERO && (equities.nd - equities.doubled()).to_f64() < WINDOW =>
            {
                count(1, equities.doubled() - equities.nd);
            }
            What::Take(Some(CubeAnalysis { equities, .. })) => count(2, equities.dt - equities.dp),
            What::Pass(Some(CubeAnalysis { equities, .. })) => count(2, equities.dp - equities.dt),
            _ => {}
        }
    }
    sums
}

#[test]
fn comments_are_plain_text_at_their_plays() {
    let Some(bytes) = real_bytes("match-b.xg") else { return };
    let record = xg::read(&bytes).expect("a sound file");
    let texts: Vec<(Option<usize>, u64, &str)> = record
        .comments
        .iter()
        .map(|comment| {
            let game = &record.games[comment.game.expect("a game")];
            (comment.game, game.actions[comment.action.expect("an action")].offset / 2560, comment.text.as_str())
        })
        .collect();
    let second = "les double 66 sont toujpurs difficiles à trouver";
    assert_eq!(texts, [(Some(0), 7, "coup assez difficile"), (Some(0), 11, second)]);
}

/// A benchmark that prints; no limit is asserted, for the machine may be busy.
#[test]
fn speed_is_told() {
    for name in super::REAL {
        let Some(bytes) = real_bytes(name) else { return };
        let rounds = 40;
        let start = std::time::Instant::now();
        for _ in 0..rounds {
            std::hint::black_box(xg::read(std::hint::black_box(&bytes)).expect("a sound file"));
        }
        println!("{name}: {:.2} ms a file", start.elapsed().as_secs_f64() * 1e3 / f64::from(rounds));
    }
}
