//! The pitfalls of the format page (14), by number, on made files with single bytes changed. Those that need real
//! numbers (1 to 4, 9, 11, 19) stand with the real files, codes alone (13, 22) beside the reader.

use super::made::made;
use super::{actions, plays, refused, without_offsets};
use crate::support::xg_writer::{RECORD, members, pack, write};
use portes::game::{Board, Equity, Length, Owner, Seat};
use portes::ingest::record::{AfterBeaver, Comment, Depth, End, Ending, Engine, Game, Record, Rejected, Variant, What};
use portes::ingest::xg;

/// The inflated stream of a file about to be written.
struct Stream<'a>(&'a mut Vec<u8>);

impl Stream<'_> {
    fn put(&mut self, record: usize, at: usize, bytes: &[u8]) {
        let start = record * RECORD + at;
        self.0[start..start + bytes.len()].copy_from_slice(bytes);
    }
    fn int(&mut self, record: usize, at: usize, value: i32) {
        self.put(record, at, &value.to_le_bytes());
    }
    /// Indices of the records of a kind.
    fn of_kind(&self, kind: u8) -> Vec<usize> {
        (0..self.0.len() / RECORD).filter(|i| self.0[i * RECORD + 8] == kind).collect()
    }
    /// The first record of a kind whose i32 at `at` is `value`.
    fn first(&self, kind: u8, at: usize, value: i32) -> usize {
        let holds = |i: &usize| self.0[i * RECORD + at..].starts_with(&value.to_le_bytes());
        self.of_kind(kind).into_iter().find(holds).expect("such a record")
    }
}

/// A match, written, changed and read.
fn altered(record: &Record, change: impl FnOnce(&mut Stream<'_>)) -> Result<Record, Rejected> {
    let mut members = members(record);
    change(&mut Stream(&mut members[0].1));
    xg::read(&pack(&members))
}

fn read_altered(record: &Record, change: impl FnOnce(&mut Stream<'_>)) -> Record {
    altered(record, change).expect("a sound file")
}

fn seven() -> Record {
    made(11, Length::Points(7))
}

fn money() -> Record {
    made(12, Length::Money)
}

fn kinds(game: &Game) -> Vec<&'static str> {
    let kind = |what: &What| match what {
        What::Checker(_) => "checker",
        What::NoDouble(_) => "no_double",
        What::Double(_) => "double",
        What::Take(_) => "take",
        What::Pass(_) => "pass",
        What::Beaver(_) => "beaver",
        What::AfterBeaver(AfterBeaver::Raccoon) => "raccoon",
        What::AfterBeaver(_) => "after_beaver",
    };
    game.actions.iter().map(|action| kind(&action.what)).collect()
}

const CUBE: u8 = 2;
const PLAY: u8 = 3;
const DOUBLE: usize = 16;
const TAKE: usize = 20;

/// 5: the points both need, inside the analysis, are no score.
#[test]
fn the_score_is_the_game_headers() {
    let read = read_altered(&seven(), |stream| {
        for cube in stream.of_kind(CUBE) {
            stream.int(cube, 96, 1);
            stream.int(cube, 100, 1);
        }
        for play in stream.of_kind(PLAY) {
            stream.int(play, 164, 1);
            stream.int(play, 168, 1);
        }
    });
    assert!(without_offsets(read) == seven());
}

/// 6: dice without a play are no decision, no roll and no luck.
#[test]
fn a_play_that_was_not_made_is_no_action() {
    let before = plays(&seven()).count();
    let read = read_altered(&seven(), |stream| {
        let last = *stream.of_kind(PLAY).last().unwrap();
        stream.put(last, 2308, &[0]);
        stream.put(last, 35, &[0; 26]);
        stream.put(last, 68, &[0; 32]);
    });
    assert_eq!(plays(&read).count(), before - 1);
    assert!(read.faults.is_empty());
}

/// A comment on a record without a decision is about what is done next, or about the game when nothing is.
#[test]
fn a_comment_on_no_decision_goes_to_the_next_or_to_the_game() {
    let resigned = |record: &Record| record.games[0].outcome.unwrap().ending == Ending::Resigned;
    let mut record = (0..).map(|seed| made(seed, Length::Points(7))).find(resigned).unwrap();
    record.games.truncate(1);
    record.comments = vec![Comment { game: None, action: None, text: "told".to_owned() }];
    let told = |at: i32, unmade: bool| {
        let read = read_altered(&record, |stream| {
            stream.int(0, 576, -1);
            let last = *stream.of_kind(PLAY).last().unwrap();
            if unmade {
                stream.put(last, 2308, &[0]);
                stream.int(last, 2524, at);
            } else {
                let first = stream.first(CUBE, DOUBLE, -2);
                stream.int(first, 292, at);
            }
        });
        read.comments.iter().map(|comment| (comment.game, comment.action)).collect::<Vec<_>>()
    };
    assert_eq!(told(0, false), [(Some(0), Some(0))]);
    assert_eq!(told(0, true), [(Some(0), None)]);
    assert_eq!(told(1, true), [], "an index past the end is no comment");
}

/// 7: zeros are no move, in the list of candidates and in the play made.
#[test]
fn zeros_are_a_dance_when_the_boards_are_equal() {
    let read = read_altered(&seven(), |stream| {
        let play = stream.of_kind(PLAY)[1];
        let before: Vec<u8> = stream.0[play * RECORD + 124..][..26].to_vec();
        stream.put(play, 35, &before);
        stream.put(play, 68, &[0; 32]);
        stream.put(play, 192, &before);
        stream.put(play, 1024, &[0; 8]);
    });
    let (action, play) = plays(&read).nth(1).unwrap();
    assert!(play.play.is_dance() && play.after == Some(action.board));
    assert!(play.candidates.first().is_none_or(|first| first.play.is_dance() && first.after == action.board));
}

/// 8: half of all cube records are no decision.
#[test]
fn no_decision_is_read_where_none_existed() {
    for nothing in [-2, -1, 2, i32::MIN] {
        let read = read_altered(&seven(), |stream| {
            for cube in stream.of_kind(CUBE) {
                stream.int(cube, DOUBLE, nothing);
            }
        });
        assert_eq!(actions(&read).count(), plays(&seven()).count(), "{nothing}");
    }
}

/// 10: `Double` says whether, `Take` says what was answered.
#[test]
fn the_answer_stands_in_its_own_field() {
    let record = money();
    for (answer, expected) in [(-1, &["double"][..]), (0, &["double", "pass"]), (1, &["double", "take"])] {
        let read = read_altered(&record, |stream| {
            let cube = stream.first(CUBE, DOUBLE, 1);
            stream.int(cube, TAKE, answer);
        });
        let game = read.games.iter().find(|game| kinds(game).contains(&"double")).unwrap();
        let double = kinds(game).iter().position(|&kind| kind == "double").unwrap();
        assert_eq!(kinds(game)[double..double + expected.len()], *expected);
        if let Some(answer) = game.actions.get(double + 1).filter(|_| expected.len() > 1) {
            assert_eq!(answer.seat, game.actions[double].seat.other());
            assert_eq!(answer.cube, game.actions[double].cube.mirror(), "11: the cube before the double");
        }
    }
}

/// Beavers, in money play: what follows them is told apart (`metrics.md` 20.11).
#[test]
fn a_beaver_and_what_follows_it_are_read() {
    let cases: [([i32; 3], &[&str]); 4] = [
        ([2, -1, -1], &["double", "beaver"]),
        ([2, 1, -1], &["double", "beaver", "after_beaver"]),
        ([2, 2, -1], &["double", "beaver", "raccoon"]),
        ([2, 2, 0], &["double", "beaver", "raccoon", "after_beaver"]),
    ];
    for (codes, expected) in cases {
        let read = read_altered(&money(), |stream| {
            let cube = stream.first(CUBE, DOUBLE, 1);
            for (at, code) in [20, 24, 28].into_iter().zip(codes) {
                stream.int(cube, at, code);
            }
        });
        let game = read.games.iter().find(|game| kinds(game).contains(&"double")).unwrap();
        let double = kinds(game).iter().position(|&kind| kind == "double").unwrap();
        assert_eq!(kinds(game)[double..double + expected.len()], *expected, "{codes:?}");
        let seats: Vec<Seat> = game.actions[double..double + expected.len()].iter().map(|action| action.seat).collect();
        assert!(seats.windows(2).all(|pair| pair[0] != pair[1]), "they take turns: {codes:?}");
    }
}

/// 12 and 13: what was not analysed says so at 120 and at 92, not elsewhere.
#[test]
fn an_analysis_needs_a_verdict_and_a_level() {
    let analysed = |read: &Record| {
        actions(read).any(|action| matches!(&action.what, What::NoDouble(Some(_)) | What::Double(Some(_))))
    };
    let unanalysed: [(usize, &[u8]); 5] = [
        (120, &(-100i16).to_le_bytes()),
        (120, &(-1000i16).to_le_bytes()),
        (92, &0i32.to_le_bytes()),
        (92, &(-100i32).to_le_bytes()),
        (152, &f32::NAN.to_le_bytes()),
    ];
    let set = |at: usize, bytes: &[u8]| {
        read_altered(&seven(), |stream| {
            for cube in stream.of_kind(CUBE) {
                stream.put(cube, at, bytes);
            }
        })
    };
    for (at, bytes) in unanalysed {
        assert!(!analysed(&set(at, bytes)), "{at}");
    }
    for (at, bytes) in [(118, &(-100i16).to_le_bytes()), (122, &(-100i16).to_le_bytes())] {
        assert!(without_offsets(set(at, bytes)) == seven(), "{at} means nothing");
    }
}

/// 14: +1 is the first player.
#[test]
fn the_winner_is_plus_one_for_the_first_player() {
    for (code, winner) in [(1, Some(Seat::First)), (-1, Some(Seat::Second)), (0, None), (2, None)] {
        let read = read_altered(&seven(), |stream| {
            let footer = stream.of_kind(4)[0];
            stream.int(footer, 24, code);
        });
        assert_eq!(read.games[0].outcome.map(|outcome| outcome.winner), winner);
        assert_eq!(read.faults.is_empty(), winner.is_some());
    }
}

/// 15: the rule is the match's, the Crawford game the game's; its flag wins over an analysed cube record.
#[test]
fn the_crawford_game_is_the_game_headers_flag() {
    let mut record = made(3, Length::Points(7));
    record.games.truncate(1);
    record.comments.clear();
    let read = read_altered(&record, |stream| stream.put(0, 100, &[0]));
    assert!(!read.rules.crawford && !read.games[0].crawford);
    let read = read_altered(&record, |stream| {
        let header = stream.of_kind(1)[0];
        stream.int(header, 12, 6);
        stream.put(header, 20, &[255]);
    });
    assert!(read.games[0].crawford);
    assert!(kinds(&read.games[0]).iter().all(|&kind| kind == "checker"));
}

/// 16, 23, 26: pointers, stale bytes, rollout marks.
#[test]
fn bytes_that_mean_nothing_change_nothing() {
    let read = read_altered(&seven(), |stream| {
        let texts = [622, 880, 1138, 1396, 1654, 1960].map(|at| {
            let nul = (0..129).find(|i| stream.0[at + 2 * i..at + 2 * i + 2] == [0, 0]).unwrap();
            at + 2 * nul + 2..at + 258
        });
        let transcribed = seven().engine_version.as_deref() >= Some("30");
        for range in texts.into_iter().take(if transcribed { 6 } else { 5 }) {
            stream.0[range].fill(0xAB);
        }
        for record in 0..stream.0.len() / RECORD {
            stream.put(record, 0, &[0xCD; 8]);
        }
        for cube in stream.of_kind(CUBE) {
            stream.put(cube, 297, &[1, 1]);
            stream.put(cube, 304, &[7; 8]);
        }
        for play in stream.of_kind(PLAY) {
            stream.put(play, 2532, &[0xFF; 8]);
            stale_candidates(stream, play);
        }
    });
    assert!(without_offsets(read) == seven());
}

/// What stands after the end of a candidate's list, in its filler, and in rows past the last one.
fn stale_candidates(stream: &mut Stream<'_>, play: usize) {
    let count = usize::from(stream.0[play * RECORD + 188]);
    for row in 0..32 {
        stream.put(play, 1280 + 4 * row + 2, &[0xEE; 2]);
        let codes: Vec<u8> = stream.0[play * RECORD + 1024 + 8 * row..][..8].to_vec();
        let end = codes.chunks(2).position(|pair| pair[0] == 0xFF);
        if let Some(end) = end.filter(|_| row < count) {
            stream.put(play, 1024 + 8 * row + 2 * end + 1, &vec![0x77; 7 - 2 * end]);
        }
        if row >= count {
            stream.put(play, 1024 + 8 * row, &[0x55; 8]);
            stream.put(play, 192 + 26 * row, &[0x55; 26]);
            stream.put(play, 1408 + 28 * row, &[0x55; 28]);
        }
    }
}

/// 17, 18, 26: nothing of the header outside the archive is a fact.
#[test]
fn header_texts_guid_and_thumbnail_are_not_read() {
    let mut bytes = write(&seven());
    bytes[24..40].fill(0x5A);
    bytes[40..8232].fill(0x41);
    bytes[20..24].copy_from_slice(&1000u32.to_le_bytes());
    bytes.splice(8232..8232, [0xFF; 1000]);
    assert!(without_offsets(xg::read(&bytes).unwrap()) == seven());
}

/// 20: hand-entered matches leave the first position empty; each variant has its own.
#[test]
fn an_empty_initial_position_is_the_usual_one() {
    let starts = [
        (Variant::Backgammon, "-b----E-C---eE---c-e----B-"),
        (Variant::Nackgammon, "-bb---D-C---dD---c-d---BB-"),
        (Variant::Hypergammon, "-aaa------------------AAA-"),
        (Variant::Longgammon, "-o----------------------O-"),
    ];
    for (code, (variant, start)) in (0..).zip(starts) {
        let read = read_altered(&seven(), |stream| {
            stream.int(0, 96, code);
            let header = stream.of_kind(1)[0];
            stream.put(header, 21, &[0; 26]);
        });
        assert_eq!(read.rules.variant, variant);
        assert_eq!(read.games[0].start, Board::from_text(start).unwrap());
        assert!(read.faults.is_empty());
    }
    let read = read_altered(&seven(), |stream| stream.int(0, 96, 9));
    assert_eq!((read.rules.variant, read.faults.len()), (Variant::Backgammon, 1));
}

/// 21: slot 6 of a cube record is cubeless; ND, D/T and D/P are what decides.
#[test]
fn the_cubeless_equity_is_not_taken_for_no_double() {
    let read = read_altered(&seven(), |stream| {
        for cube in stream.of_kind(CUBE) {
            stream.put(cube, 148, &9.0f32.to_le_bytes());
            stream.put(cube, 192, &9.0f32.to_le_bytes());
        }
    });
    assert!(without_offsets(read) == seven());
}

/// Money: 99999 points, or an even cube limit from one site (24); no Crawford rule, no score to be past.
#[test]
fn money_sessions_are_recognised() {
    assert!(without_offsets(xg::read(&write(&money())).unwrap()) == money());
    let mut galaxy = made(5, Length::Points(16));
    galaxy.place = Some("BackgammonGalaxy".to_owned());
    let read = xg::read(&write(&galaxy)).unwrap();
    assert_eq!((read.length, read.rules.crawford), (Length::Money, false));
    let read = read_altered(&galaxy, |stream| stream.put(0, 100, &[0]));
    assert_eq!(read.length, Length::Points(16), "without the Crawford flag it is a match");
    galaxy.length = Length::Points(7);
    assert_eq!(xg::read(&write(&galaxy)).unwrap().length, Length::Points(7), "an odd length is a match's");
    let read = read_altered(&money(), |stream| {
        let header = stream.of_kind(1)[0];
        stream.int(header, 12, 25);
    });
    assert_eq!(read.games[0].points[0], 25);
}

/// Automatic doubles raise the stakes of a money game, though its records begin at cube 1.
#[test]
fn automatic_doubles_raise_the_cube() {
    let mut record = money();
    record.comments.clear();
    let raised = |number| {
        let read = read_altered(&record, |stream| {
            let header = stream.of_kind(1)[0];
            stream.int(header, 64, number);
        });
        let first = read.games[0].actions[0].cube;
        assert_eq!(first.owner, Owner::Centred);
        (first.log2, read.faults.len())
    };
    assert_eq!([raised(0), raised(2)], [(0, 0), (2, 0)]);
    assert_eq!([raised(-1), raised(31)], [(0, 1), (0, 1)], "an impossible number is none");
    let read = read_altered(&seven(), |stream| {
        let header = stream.of_kind(1)[0];
        stream.int(header, 64, 3);
    });
    assert!(without_offsets(read) == seven(), "there are none in a match");
}

/// 25: what XG writes when nobody set a rating is none.
#[test]
fn default_ratings_are_absent() {
    let mut record = seven();
    record.players[0].rating = None;
    record.players[1].rating = Some("1600.00".to_owned());
    let read = xg::read(&write(&record)).unwrap();
    assert_eq!(read.players.map(|player| player.rating), [None, Some("1600.00".to_owned())]);
}

/// An illegal play is told, and its record kept.
#[test]
fn an_illegal_play_is_marked() {
    let read = read_altered(&seven(), |stream| {
        let play = stream.of_kind(PLAY)[0];
        stream.int(play, 2480, 2);
        stream.int(play, 188, 1);
        stream.put(play, 1024, &(-100i8).to_le_bytes());
    });
    let (_, play) = plays(&read).next().unwrap();
    assert!(play.illegal && play.candidates.is_empty());
    assert!(read.faults.is_empty() && plays(&read).count() == plays(&seven()).count());
}

/// XG writes 0 for a neutral roll and for luck that was never computed.
#[test]
fn a_match_whose_luck_is_all_zero_has_none() {
    let zero = |record: &Record, spare: usize| {
        read_altered(record, |stream| {
            for play in stream.of_kind(PLAY).into_iter().skip(spare) {
                stream.put(play, 2320, &0.0f64.to_le_bytes());
            }
        })
    };
    assert!(plays(&zero(&seven(), 0)).all(|(_, play)| play.luck.is_none()));
    let mut known = seven();
    let first = known.games[0].actions.iter_mut().find_map(|action| match &mut action.what {
        What::Checker(play) => Some(play),
        _ => None,
    });
    first.unwrap().luck = Some(Equity::from_units(5_000_000));
    assert!(plays(&zero(&known, 1)).skip(1).all(|(_, play)| play.luck == Some(Equity::ZERO)));
}

/// A leftover rollout index beside a figure of another depth says nothing.
#[test]
fn trials_are_those_of_rolled_out_figures_only() {
    let mut found = 0;
    for seed in 0..10 {
        let record = xg::read(&write(&made(seed, Length::Points(5)))).unwrap();
        for candidate in plays(&record).flat_map(|(_, play)| &play.candidates) {
            assert!(candidate.trials.is_none() || candidate.depth == Depth::Rollout);
            found += usize::from(candidate.trials.is_some() && candidate.std_error.is_some());
        }
    }
    assert!(found > 10);
    let read = read_altered(&made(1, Length::Points(5)), |stream| {
        for play in stream.of_kind(PLAY) {
            for row in 0..32 {
                stream.int(play, 2344 + 4 * row, 0);
                stream.put(play, 1280 + 4 * row, &3i16.to_le_bytes());
            }
        }
    });
    assert!(plays(&read).flat_map(|(_, play)| &play.candidates).all(|candidate| candidate.trials.is_none()));
}

/// The endings, and points as written.
#[test]
fn endings_follow_the_termination() {
    let cases = [
        (0, Ending::Pass),
        (1, Ending::BorneOff),
        (3, Ending::BorneOff),
        (101, Ending::Resigned),
        (104, Ending::Resigned),
        (1001, Ending::Unknown),
        (-5, Ending::Unknown),
    ];
    for (code, ending) in cases {
        let read = read_altered(&seven(), |stream| {
            let footer = stream.of_kind(4)[0];
            stream.int(footer, 32, code);
            stream.int(footer, 28, 3);
        });
        assert_eq!(read.games[0].outcome.map(|outcome| (outcome.points, outcome.ending)), Some((3, ending)));
    }
}

/// `.xgp`: the container and the records of a match, and no match.
#[test]
fn a_position_file_is_known_and_not_read() {
    let mut record = seven();
    record.games.truncate(1);
    record.comments.clear();
    record.games[0].actions.truncate(1);
    record.games[0].outcome = None;
    let in_progress = |stream: &mut Stream<'_>| {
        let header = stream.of_kind(1)[0];
        stream.put(header, 52, &[1]);
    };
    let rejected = altered(&record, in_progress).unwrap_err();
    assert_eq!((rejected.end, rejected.code.as_str()), (End::Unsupported, "position"));
    let one_turn = altered(&record, |_| {}).unwrap();
    assert_eq!(one_turn.games[0].actions.len(), 1, "the first turn of a match that was broken off is one");
}

/// A transcription that nobody analysed, an interrupted match, a match longer than the equity table.
#[test]
fn a_match_is_kept_with_what_it_holds() {
    let bare = read_altered(&seven(), |stream| {
        for cube in stream.of_kind(CUBE) {
            stream.int(cube, 92, 0);
        }
        for play in stream.of_kind(PLAY) {
            stream.int(play, 188, 0);
        }
    });
    assert_eq!((bare.engine, bare.games.len()), (Engine::None, seven().games.len()));
    let mut broken_off = seven();
    let last = broken_off.games.last_mut().unwrap();
    last.outcome = None;
    // The last footer is that of the game before.
    broken_off.final_score = Some(last.points);
    let read = without_offsets(xg::read(&write(&broken_off)).unwrap());
    assert!(!read.partial && read.faults.is_empty());
    assert!(read == broken_off);
    let long = made(2, Length::TooLong(70));
    assert!(without_offsets(xg::read(&write(&long)).unwrap()) == long);
}

/// 15: refused lengths.
#[test]
fn an_impossible_length_is_refused() {
    for length in [0, -1, 100_000, i32::MIN, i32::MAX] {
        let rejected = altered(&seven(), |stream| stream.int(0, 92, length)).unwrap_err();
        assert_eq!((rejected.code.as_str(), rejected.offset), ("length", 92), "{length}");
    }
    assert_eq!(refused(b"").code, "empty");
}
