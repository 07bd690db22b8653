//! Transcriptions: every dialect gives the match that was played, damage gives a reason, nothing gives a panic.

use crate::support::shared;
use portes::game::{Cube, Length, Owner, Seat, legal};
use portes::ingest::recognise::{Recognised, recognise};
use portes::ingest::record::{AfterBeaver, Ending, Format, Game, Outcome, Record, Rejected, What};
use portes::ingest::{self, Ended, mat};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A 1-point match of two bots, as gnubg 1.07 exports it (the corpus is invented and may be copied).
pub(crate) const ONE_POINT: &str = r#"; [Site "Granary Loft"]
; [Event "Midwinter Sprint 2026"]
; [Round "Round 3"]
; [EventDate "2026.11.21"]

 1 point match

 Game 1
 Bramblewick : 0                Cinderpath : 0
  1)                             51: 13/8 24/23 
  2) 33: 24/21 8/5 8/5 8/5       33: 13/10 13/10 8/5 8/5
  3) 33: 24/21 21/18 21/18 13/10 41: 23/22 22/18 
  4) 65: 13/7* 6/1*              22: 25/23 25/23 23/21 23/21
  5) 54: 7/2 10/6                65: 8/2 8/3 
  6) 11: 18/17 18/17 17/16 17/16 43: 6/2 6/3 
  7) 54: 6/1 6/2                 11: 6/5 5/4 2/1 2/1
  8) 63: 13/7 6/3                44: 10/6 10/6 6/2 6/2
  9) 21: 5/3 7/6                 65: 13/7 13/8 
 10) 21: 16/14 14/13             53: 8/3 7/4 
 11) 41: 16/12 13/12             63: 21/15 5/2 
 12) 53: 13/10* 10/5             43: 25/21 5/2 
 13) 31: 6/3 13/12               41: 6/2 6/5 
 14) 41: 12/8 8/7                33: 21/18* 21/18 18/15 5/2
 15) 63: 25/19 5/2               51: 15/10 18/17 
 16) 42: 19/15* 15/13            42: 25/21 17/15 
 17) 31: 13/10* 12/11            53: 
 18) 11: 12/11 11/10 5/4* 5/4    65: 25/20 
 19) 55: 11/6 10/5* 10/5 6/1     43: 
 20) 33: 6/3 6/3 5/2 5/2         54: 25/20 
 21) 43: 4/0 4/1                 63: 25/19 4/1 
 22) 64: 3/0 3/0                 52: 20/15 19/17 
 23) 21: 2/0 2/1                 
      Wins 1 point

"#;

/// A match text around one game's rows.
fn match_to(length: u32, rows: &str) -> String {
    format!(" {length} point match\n\n Game 1\n a : 0                          b : 0\n{rows}")
}

fn read(text: &str) -> Record {
    mat::read(text.as_bytes()).unwrap_or_else(|rejected| panic!("{rejected}\n{text}"))
}

fn game(length: u32, rows: &str) -> Game {
    read(&match_to(length, rows)).games.remove(0)
}

/// One letter per action and the notation of plays: `1 P 31 8/5 6/5`.
fn told(game: &Game) -> Vec<String> {
    game.actions
        .iter()
        .map(|action| {
            let seat = action.seat.index() + 1;
            match &action.what {
                What::Checker(play) => {
                    let flag = if play.illegal { "!" } else { "" };
                    format!("{seat} {}{flag} {}", play.dice, play.play.notation(&action.board))
                }
                What::NoDouble(_) => format!("{seat} no double"),
                What::Double(_) => format!("{seat} double"),
                What::Take(_) => format!("{seat} take"),
                What::Pass(_) => format!("{seat} pass"),
                What::Beaver(_) => format!("{seat} beaver"),
                What::AfterBeaver(after) => format!("{seat} {after:?}"),
            }
        })
        .collect()
}

fn won(winner: Seat, points: i64, ending: Ending) -> Option<Outcome> {
    Some(Outcome { winner, points, ending })
}

/// What two spellings of a match must agree in: everything but the places in the file.
fn without_offsets(mut record: Record) -> Record {
    for game in &mut record.games {
        for action in &mut game.actions {
            action.offset = 0;
        }
    }
    record
}

#[test]
fn a_match_is_replayed_to_its_end() {
    let record = read(ONE_POINT);
    assert_eq!(record.faults, []);
    assert!(!record.partial);
    assert_eq!(record.length, Length::Points(1));
    assert_eq!([&*record.players[0].name, &*record.players[1].name], ["Bramblewick", "Cinderpath"]);
    assert_eq!(record.event.as_deref(), Some("Midwinter Sprint 2026"));
    assert_eq!(record.round.as_deref(), Some("Round 3"));
    assert_eq!(record.place.as_deref(), Some("Granary Loft"));
    assert_eq!(record.date.map(|date| date.to_string()).as_deref(), Some("2026-11-21"));
    let game = &record.games[0];
    assert_eq!(game.outcome, won(Seat::First, 1, Ending::Resigned));
    assert_eq!(game.actions.len(), 44, "a 1-point match has no cube decision");
    replayed(game);
}

#[test]
fn a_game_from_a_set_position_ends_by_bearing_off() {
    let set = "; Set Pos=-A--------------------b---/1\n";
    let rows = "  1) 31: 1/off\n";
    for (result, points) in [("", 1), ("      Wins 2 points\n", 2)] {
        let record = read(&match_to(5, &format!("{set}{rows}{result}")));
        assert_eq!(record.faults, []);
        assert_eq!(record.games[0].start.text(), "-A--------------------b---");
        assert_eq!(record.games[0].outcome, won(Seat::First, points, Ending::BorneOff));
    }
    let bare = read(&match_to(5, &format!("{set}  1) 31:\n      Wins 1 point\n")));
    assert_eq!(told(&bare.games[0]), ["1 31 1/off"], "the play that ends the game goes without saying");
}

#[test]
fn every_dialect_gives_the_same_match() {
    let plain = without_offsets(read(ONE_POINT));
    let crlf = |text: String| format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
    let dialects = [
        ("lone CR", ONE_POINT.replace('\n', "\r")),
        ("no hit marks", ONE_POINT.replace('*', "")),
        ("bar and off", ONE_POINT.replace("25/", "bar/").replace("/0", "/Off").replace("53: \n", "53: Cannot Move\n")),
        ("BOM and CRLF", crlf(ONE_POINT.replacen(" 1 point match", "1 Point Match", 1))),
        ("wide", ONE_POINT.replace("             ", "                  ").replace("/16 43:", "/16        43:")),
        ("glued", ONE_POINT.replace("17/16 43:", "17/1643:").replace("13/10 41:", "13/1041:")),
        ("joined", ONE_POINT.replace("24/21 21/18 21/18 13/10", "21/18 24/18 13/10").replace("7* 6/1*", "7 6/1")),
        ("chained", ONE_POINT.replace("25/23 25/23 23/21 23/21", "bar/23/21(2)").replace("12/8 8/7", "12/7")),
        ("counted", ONE_POINT.replace("24/21 8/5 8/5 8/5", "8/5(3) 24/21").replace("6/3 6/3 5/2 5/2", "5/2(2) 6/3(2)")),
        ("and the match", ONE_POINT.replace("Wins 1 point", "Wins 1 point and the match")),
        ("result in the row", ONE_POINT.replace("2/1                 \n      Wins", "2/1       \n 24)  Wins")),
        ("singular and case", ONE_POINT.replace("Wins 1 point", "WINS 1 points")),
        ("numbered empty row", ONE_POINT.replace("      Wins 1 point\n", "      Wins 1 point\n 25)\n")),
        ("rolled order of dice", ONE_POINT.replace(" 43: ", " 34: ").replace(" 65: ", " 56: ")),
        ("tabs", tabbed()),
    ];
    for (name, text) in dialects {
        assert_ne!(text, ONE_POINT, "{name} changes nothing");
        assert_eq!(without_offsets(read(&text)), plain, "{name}");
    }
}

/// The match with tabs between its columns.
fn tabbed() -> String {
    ONE_POINT
        .lines()
        .map(|line| match line.split_once(") ") {
            Some((number, row)) if number.trim().parse::<u32>().is_ok() => {
                let right = row.rmatch_indices(':').next().map_or(0, |(at, _)| at - 2);
                format!("{number})\t{}\t{}\n", row[..right].trim(), row[right..].trim())
            }
            _ => format!("{line}\n"),
        })
        .collect::<String>()
        .replace("23)\t\t21: 2/0 2/1", "23)\t21: 2/0 2/1")
}

#[test]
fn the_excerpts_of_real_files_are_read() {
    let opening = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n";
    let cases = [
        (
            " 29)  Losses 1 point                                               Wins 1 point and the match\n",
            won(Seat::Second, 1, Ending::Resigned),
        ),
        (" 62) 21: ???                      Wins 2 point\n", won(Seat::Second, 2, Ending::Resigned)),
        (" 33)                                    Wins 2 point\n 34)\n", won(Seat::Second, 2, Ending::Resigned)),
        (" 2)  Resigned Game\n      Wins 1 point\n", won(Seat::First, 1, Ending::Resigned)),
        ("  2)  Doubles => 2                Drops\n      Wins 1 point\n", won(Seat::First, 1, Ending::Pass)),
        ("  16)  Doubles => 2                      Drops\n", won(Seat::First, 1, Ending::Pass)),
    ];
    for (rows, outcome) in cases {
        let record = read(&match_to(7, &format!("{opening}{rows}")));
        assert_eq!(record.faults, [], "{rows}");
        assert_eq!(record.games[0].outcome, outcome, "{rows}");
    }
    let redouble = concat!(
        "  1) 31: 8/5 6/5                 62: 24/18 13/11\n",
        "  2)  Doubles => 2                Takes\n",
        "  3) 21: 13/11 6/5               \n",
        "      \n",
        "  4)                              Doubles => 4\n",
        "  5)  Drops\n",
        "                                  Wins 2 points\n",
    );
    let game = game(7, redouble);
    assert_eq!(game.outcome, won(Seat::Second, 2, Ending::Pass));
    let owned = |log2, owner| Cube { log2, owner };
    let cubes: Vec<Cube> = game.actions.iter().skip(3).map(|action| action.cube).collect();
    assert_eq!(
        told(&game),
        [
            "1 31 8/5 6/5",
            "2 no double",
            "2 62 24/18 13/11",
            "1 double",
            "2 take",
            "1 21 13/11 6/5",
            "2 double",
            "1 pass"
        ]
    );
    assert_eq!(
        cubes,
        [Cube::CENTRED, Cube::CENTRED, owned(1, Owner::Opponent), owned(1, Owner::Own), owned(1, Owner::Opponent)]
    );
}

#[test]
fn no_double_stands_where_a_player_could_double() {
    let rows = concat!(
        "  1) 31: 8/5 6/5                 62: 24/18 13/11\n",
        "  2) 21: 13/11 6/5               21: 13/11 6/5\n",
    );
    let told = |length| self::told(&game(length, rows));
    let decisions = |told: &[String]| told.iter().filter(|line| line.contains("no double")).count();
    assert_eq!(
        told(7),
        [
            "1 31 8/5 6/5",
            "2 no double",
            "2 62 24/18 13/11",
            "1 no double",
            "1 21 13/11 6/5",
            "2 no double",
            "2 21 13/11 6/5"
        ]
    );
    assert_eq!(decisions(&told(0)), 3, "money");
    assert_eq!(decisions(&told(1)), 0, "the cube is dead");
    let no_cube = read(&format!("; [CubeLimit \"1\"]\n{}", match_to(7, rows)));
    assert_eq!(decisions(&self::told(&no_cube.games[0])), 0, "no cube at all");
    let second_game = match_to(2, "  1)  Wins 1 point\n\n Game 2\n a : 1       b : 0\n") + rows;
    let crawford = read(&second_game);
    assert!(crawford.games[1].crawford);
    assert_eq!(decisions(&self::told(&crawford.games[1])), 0, "the Crawford game");
    let off = read(&format!("; [Crawford \"Off\"]\n{second_game}"));
    assert!(!off.games[1].crawford);
    assert_eq!(decisions(&self::told(&off.games[1])), 2, "only the trailer can use the cube");
}

#[test]
fn beavers_are_accepted_by_the_next_roll() {
    let rows = concat!(
        "  1) 31: 8/5 6/5                 62: 24/18 13/11\n",
        "  2)  Doubles => 2                Beavers => 4\n",
        "  3) 21: 13/11 6/5               31: 8/5 6/5\n",
    );
    let game = game(0, rows);
    assert_eq!(told(&game)[3..], ["1 double", "2 beaver", "1 Take", "1 21 13/11 6/5", "2 no double", "2 31 8/5 6/5"]);
    let cube = |i: usize| game.actions[i].cube;
    assert_eq!([cube(3), cube(4)], [Cube::CENTRED; 2], "before the double, also for the beaver");
    assert_eq!(cube(5), Cube { log2: 1, owner: Owner::Opponent }, "the acceptance is of a 2-cube turned again");
    assert_eq!(cube(6), Cube { log2: 2, owner: Owner::Opponent }, "the beavering player owns a 4-cube");
    assert_eq!(cube(7), Cube { log2: 2, owner: Owner::Own });
    let raccoon = rows.replace("  3) 21", "  3)  Raccoons => 8\n  4) 21");
    let game = self::game(0, &raccoon);
    assert_eq!(game.actions[5].what, What::AfterBeaver(AfterBeaver::Raccoon));
    assert_eq!(game.actions[7].cube, Cube { log2: 3, owner: Owner::Opponent });
}

#[test]
fn a_forced_play_left_out_is_played_and_a_free_one_is_a_resignation() {
    let forced = concat!(
        "  1) 31: 8/5 6/5                 62: 24/18 13/11\n",
        "  2) 21: 13/11 6/5               \n",
        "      Wins 1 point\n",
    );
    let bare = forced.replace("21: 13/11 6/5", "21: ");
    assert_eq!(told(&game(7, &bare)).len(), 3, "rolled and resigned: no play, no decision");
    assert_eq!(game(7, &bare).outcome, won(Seat::First, 1, Ending::Resigned));
    let gap = bare.replace("      Wins", "  3) 21: 13/11 6/5               31: 8/5 6/5\n      Wins");
    let record = read(&match_to(7, &gap));
    assert!(record.partial);
    assert_eq!(told(&record.games[0]).len(), 3, "after a missing play the position is lost");
    assert_eq!(record.games[0].outcome, won(Seat::First, 1, Ending::Unknown), "the result is still taken");

    let text = ONE_POINT.replace("65: 25/20 ", "65: ").replace("54: 25/20 ", "54: ");
    assert_eq!(without_offsets(read(&text)), without_offsets(read(ONE_POINT)), "forced entries");
    let bear_off = ONE_POINT.replace("21: 2/0 2/1 ", "21: ");
    let record = read(&bear_off);
    assert_eq!(record.games[0].actions.len(), 43, "several ways to play 21: none is invented");
}

#[test]
fn illegal_plays_are_marked_and_the_match_goes_on() {
    let rows = concat!(
        "  1) 31: 8/4 6/5                 62: 24/18 13/11\n",
        "  2) 21: 13/11 6/5               21: Illegal play (7;0;0;0;0;a;b;0;0;0;1;0;0;-2;0;0;1;2;3;0;2;0;0;1;-4;4;0;0;0;-4;",
        "0;-4;0;0;-1;0;2;0;0;0;0)\n",
        "  3) 64: Cannot Move             31: 8/5 6/5\n",
    );
    let record = read(&match_to(7, rows));
    let told = self::told(&record.games[0]);
    assert_eq!(told[0], "1 31! 8/4 6/5");
    assert!(told.iter().any(|line| line == "2 21! dance"), "{told:?}");
    assert!(told.iter().any(|line| line == "1 64! dance"), "{told:?}");
    assert_eq!(record.faults.len(), 3);
    assert!(!record.partial);
    assert_eq!(told.last().map(String::as_str), Some("2 31 8/5 6/5"));

    let impossible = read(&match_to(7, "  1) 31: 7/4 6/5                 62: 24/18 13/11\n      Wins 1 point\n"));
    assert!(impossible.partial);
    assert_eq!(impossible.games[0].actions, []);
    let half = game(1, "  1) 61: 13/7 8/7                66: 13/7(2)\n");
    assert_eq!(self::told(&half), ["1 61 13/7 8/7", "2 66! 13/7(2)"], "half a double is no whole play");
    assert_eq!(impossible.games[0].outcome, won(Seat::First, 1, Ending::Unknown));
}

#[test]
fn results_scores_and_seats_are_those_of_the_score_lines() {
    let text = concat!(
        "; [Player 1 \"right\"]\n; [Player 2 \"left\"]\n; [Player 1 Elo \"1700.00/5\"]\n 5 point match\n",
        " Game 1\n left : 0            right : 0\n  1) 31: 8/5 6/5                 62: 24/18 13/11\n",
        " Game 2\n right : 2           left : 0\n  1)  Wins 4 points\n",
        " Game 3\n left : 0            right : 5\n  1)  Wins 4 points\n",
    );
    let record = read(text);
    assert_eq!(record.players[0].name, "left");
    assert_eq!(record.players[1].rating.as_deref(), Some("1700.00/5"));
    assert_eq!(record.games.len(), 2, "a game after the match is left out");
    assert_eq!(record.games[0].outcome, won(Seat::Second, 2, Ending::Unknown), "known from the next score");
    assert_eq!(record.games[1].points, [0, 2]);
    assert_eq!(record.games[1].outcome, won(Seat::Second, 4, Ending::Unknown), "the columns are exchanged");
    let reasons: Vec<&str> = record.faults.iter().map(|fault| fault.reason.as_str()).collect();
    assert!(reasons.iter().any(|reason| reason.contains("game 3 is left out")), "{reasons:?}");
}

#[test]
fn of_two_matches_in_a_file_the_first_is_read_and_the_second_told() {
    for second in [ONE_POINT, &ONE_POINT[ONE_POINT.find(" Game 1").unwrap_or_default()..]] {
        let record = read(&format!("{ONE_POINT}{second}"));
        assert_eq!(record.games.len(), 1);
        assert_eq!(record.faults.len(), 1);
        assert!(record.faults[0].reason.contains("another match"));
        assert!(record.faults[0].offset >= u64::try_from(ONE_POINT.len()).unwrap_or_default());
        assert!(!record.partial);
    }
}

#[test]
fn encodings_and_long_lengths() {
    let latin = ONE_POINT.replace("Bramblewick", "Emberline").into_bytes();
    let latin: Vec<u8> = latin.iter().map(|&byte| if byte == b'C' { 0xC7 } else { byte }).collect();
    let record = mat::read(&latin).unwrap_or_else(|rejected| panic!("{rejected}"));
    assert_eq!(record.players[1].name, "Çinderpath");
    assert_eq!(record.faults.len(), 1);
    assert_eq!(read(&ONE_POINT.replace(" 1 point", " 70 point")).length, Length::TooLong(70));
    assert_eq!(read(&ONE_POINT.replace(" 1 point", " 0 point")).length, Length::Money);
    let forfeit = read(" 5 point match\n\n Game 1\n a : 0       b : 0\n  1)\n      Wins 5 points and the match\n");
    assert_eq!(forfeit.games[0].outcome, won(Seat::First, 5, Ending::Unknown));
    assert_eq!(forfeit.faults, []);
}

#[test]
fn what_is_no_match_is_rejected_with_its_place() {
    let code = |text: &str| mat::read(text.as_bytes()).map_err(|Rejected { code, offset, .. }| (code, offset));
    let expect = |code: &str, offset: u64| Err((code.to_owned(), offset));
    assert_eq!(code(""), expect("no_length", 0));
    assert_eq!(code("; [Site \"x\"]\n Game 1\n a : 0      b : 0\n"), expect("no_length", 13));
    assert_eq!(code(" 99999999999 point match\n"), expect("length", 0));
    assert_eq!(code(" 5 point match\n"), expect("no_game", 15));
    assert_eq!(code(" 5 point match\n Game 1\n nobody\n"), expect("no_game", 31));
    let cut = &ONE_POINT[..ONE_POINT.len() / 2];
    assert!(!cut.ends_with(' '));
    assert_eq!(code(cut), expect("truncated", u64::try_from(cut.len()).unwrap_or_default()));
}

#[test]
fn a_file_cut_anywhere_keeps_its_complete_games() {
    let two = ONE_POINT.replace(" 1 point match", " 3 point match");
    let second = ONE_POINT[ONE_POINT.find(" Game 1").unwrap_or_default()..].replace("Game 1", "Game 2");
    let second = second.replace("Bramblewick : 0", "Bramblewick : 1");
    let whole = without_offsets(read(&format!("{two}{second}")));
    assert_eq!(whole.games.len(), 2);
    assert_eq!(whole.faults, []);
    for cut in 12..second.len() {
        let text = format!("{two}{}", &second[..cut]);
        let record = without_offsets(read(&text));
        assert_eq!(record.games[0], whole.games[0], "cut at {cut}");
        let Some(last) = record.games.get(1) else { continue };
        let done = last.outcome.is_some();
        if !text.ends_with(' ') {
            assert_eq!(record.partial, !done && !text.ends_with('\n'), "cut at {cut}");
        }
        assert!(
            whole.games[1].actions.starts_with(&last.actions),
            "{:?} at {cut}: a play was invented",
            &second[cut - 30..cut]
        );
    }
}

#[test]
fn mutated_files_give_a_record_or_a_reason_in_bounded_time() {
    let begun = Instant::now();
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % u64::try_from(below).unwrap_or(1)).unwrap_or_default()
    };
    let cube = match_to(
        7,
        "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2)  Doubles => 2                Beavers => 4\n",
    );
    let mut read = 0;
    for round in 0..3_000 {
        let mut bytes = if round % 3 == 0 { cube.clone().into_bytes() } else { ONE_POINT.as_bytes().to_vec() };
        for _ in 0..=next(6) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] = u8::try_from(next(256)).unwrap_or_default(),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"0123456789:/*() \n\t?DBTW;#"[next(25)]),
                _ => {
                    let piece = bytes[at..(at + next(60)).min(bytes.len())].to_vec();
                    let to = next(bytes.len());
                    bytes.splice(to..to, piece);
                }
            }
        }
        let Ok(record) = mat::read(&bytes) else { continue };
        read += 1;
        for game in &record.games {
            replayed(game);
        }
    }
    assert!(read > 2_000, "only {read} of 3,000 were read");
    let rows = "  1) 11: 8/7 8/7 6/5 6/5           11: 8/7 8/7 6/5 6/5\n".repeat(400_000);
    let long = mat::read(match_to(0, &rows).as_bytes()).unwrap_or_else(|rejected| panic!("{rejected}"));
    assert!(long.partial);
    let noise =
        mat::read(match_to(5, &"x\n".repeat(1 << 20)).as_bytes()).unwrap_or_else(|rejected| panic!("{rejected}"));
    assert!(noise.faults.len() <= 1_001, "{}", noise.faults.len());
    let blanks = format!(" 7 point match\n{}", " :0  ".repeat(200_000));
    assert!(mat::read(format!("{blanks}\n Game 1\n{}\n", " : 0  ".repeat(20_000)).as_bytes()).is_ok());
    assert!(begun.elapsed() < Duration::from_secs(60));
}

/// Every board follows from the one before it, and a play that is not marked is legal.
fn replayed(game: &Game) {
    let mut board = game.start;
    for action in &game.actions {
        let seen = if action.seat == Seat::First { board } else { board.mirror() };
        assert_eq!(action.board, seen);
        let What::Checker(play) = &action.what else { continue };
        let Some(after) = play.after else { panic!("a transcription knows its boards") };
        assert!(play.illegal || legal::reaching(&seen, play.dice, &after).is_some());
        board = if action.seat == Seat::First { after } else { after.mirror() };
    }
}

#[test]
fn the_corpus_is_read_without_a_fault() {
    let Some(root) = shared("corpus/gnubg") else { return };
    let ledger = std::fs::read_to_string(root.join("ledger.tsv")).unwrap_or_default();
    let mut files = 0;
    for path in transcriptions(&root).into_iter().filter(|path| !path.to_string_lossy().contains("quirks")) {
        files += 1;
        let record = mat::read(&std::fs::read(&path).unwrap_or_default()).unwrap_or_else(|no| panic!("{path:?}: {no}"));
        assert_eq!(record.faults, [], "{path:?}");
        record.games.iter().for_each(replayed);
        let name = path.with_extension("sgf").file_name().map(|name| name.to_string_lossy().into_owned());
        let row = ledger.lines().find(|row| name.as_ref().is_some_and(|name| row.contains(name.as_str())));
        let Some(row) = row else { panic!("{path:?} is not in the ledger") };
        let column = |wanted: &str| {
            let at = ledger.lines().next().and_then(|head| head.split('\t').position(|name| name == wanted));
            at.and_then(|at| row.split('\t').nth(at)).unwrap_or_default()
        };
        assert_eq!(record.games.len().to_string(), column("games"), "{path:?}");
        let mut score = record.games.last().map_or([0, 0], |game| game.points);
        if let Some(Outcome { winner, points, .. }) = record.games.last().and_then(|game| game.outcome) {
            score[winner.index()] += points;
        }
        let length = i64::from(record.length.points());
        let winner = if score[0] >= length { column("white") } else { column("black") };
        if column("complete") == "yes" || column("complete") == "1" {
            assert_eq!(winner, column("winner"), "{path:?}");
        }
    }
    assert_eq!(files, 24);
}

#[test]
fn every_shared_file_is_recognised_by_its_content() {
    let kinds = [("xg", Format::Xg), ("sgf", Format::Sgf), ("mat", Format::Mat)];
    for root in ["corpus/gnubg", "real"].into_iter().filter_map(shared) {
        for path in files(&root) {
            let bytes = std::fs::read(&path).unwrap_or_default();
            let kind = kinds.iter().find(|(extension, _)| path.extension().is_some_and(|found| found == *extension));
            let expected = kind.map_or(Recognised::Foreign, |&(_, format)| Recognised::Match(format));
            assert_eq!(recognise(&bytes), expected, "{path:?}");
        }
    }
}

#[test]
fn only_a_known_extension_makes_foreign_bytes_a_damaged_match() {
    let end = |bytes: &[u8], name: &str| match ingest::read(bytes, name.as_bytes()) {
        Err(Ended::Rejected(rejected)) => format!("{:?} {} {}", rejected.end, rejected.code, rejected.offset),
        Err(ended) => format!("{ended:?}"),
        Ok(record) => format!("{:?}", record.format),
    };
    let jpeg = b"\xFF\xD8\xFF\xE0\0\x10JFIF";
    assert_eq!(end(jpeg, "raw/2026/photo.jpg"), "Foreign");
    assert_eq!(end(jpeg, "raw/2026/photo.XG"), "Quarantined magic 0");
    assert_eq!(end(b"<html>expired</html>", "a.mat"), "Quarantined magic 0");
    assert_eq!(end(b"", "a.sgf"), "Quarantined empty 0");
    assert_eq!(end(b"", "a.txt"), "Foreign");
    assert_eq!(end(b"BGF version 1", "a.bgf"), "Unsupported bgroom 0");
    assert_eq!(end(b"player;place\r\n", "places.csv"), "Side(Places)");
    assert_eq!(end(b"PK\x05\x06", "a.zip"), "Archive");
    assert_eq!(end(ONE_POINT.as_bytes(), "a.xg"), "Mat", "the content decides");
}

#[test]
fn the_real_transcription_is_read_without_a_fault() {
    let Some(path) = shared("real/match-a.mat") else { return };
    let record = mat::read(&std::fs::read(path).unwrap_or_default()).unwrap_or_else(|no| panic!("{no}"));
    assert_eq!(record.faults, []);
    assert_eq!(record.games.len(), 4);
    record.games.iter().for_each(replayed);
    let last = record.games.last().map(|game| (game.points, game.outcome));
    assert_eq!(last, Some(([6, 2], won(Seat::First, 3, Ending::Resigned))));
}

/// Every `.mat` below a folder, sorted.
pub(crate) fn transcriptions(root: &Path) -> Vec<PathBuf> {
    files(root).into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "mat")).collect()
}

/// Every file below a folder, sorted.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
