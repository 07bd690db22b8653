//! What no file should hold and some do: section 18 of the format page, one case a line, and changed bytes by the
//! thousand. The promise is always the same: an end that says what it is, in bounded time, and no panic.

use super::{all_files, plays};
use portes::game::{Length, Seat};
use portes::ingest::record::{Action, End, Ending, Record, Rejected, What};
use portes::ingest::sgf;
use std::time::{Duration, Instant};

const ROOT: &str = "(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]";
const E: &str = "E ver 3 0.500000 0.100000 0.000000 0.100000 0.000000 0.010000 2C 0 1 0.000000 1";
const DA: &str =
    "DA[E ver 3 2C 1 0.000000 1 0.5 0.1 0.0 0.1 0.0 0.000000 0.510000 0.5 0.1 0.0 0.1 0.0 0.000000 0.490000]";

fn game(nodes: &str) -> Result<Record, Rejected> {
    sgf::read(format!("{ROOT}\n{nodes})\n").as_bytes())
}

fn kept(nodes: &str) -> Record {
    game(nodes).unwrap_or_else(|rejected| panic!("{nodes}: {rejected}"))
}

fn told(record: &Record, fragment: &str) -> bool {
    record.faults.iter().any(|fault| fault.reason.contains(fragment))
}

fn actions(record: &Record) -> &[Action] {
    &record.games[0].actions
}

#[test]
fn a_file_cut_anywhere_keeps_its_complete_games() {
    let two = format!("{ROOT}\n;W[31hefe]A[0][hefe {E}]C[a \\] b])\n{ROOT}\n;B[42])\n");
    let first = two.find(")\n").unwrap() + 1;
    let whole = sgf::read(two.as_bytes()).unwrap();
    assert_eq!((whole.games.len(), whole.partial), (2, false));
    for cut in 1..two.len() - 2 {
        let read = sgf::read(&two.as_bytes()[..cut]);
        if cut < first {
            let rejected = read.unwrap_err();
            assert_eq!((rejected.end, rejected.code.as_str()), (End::Quarantined, "truncated"), "cut at {cut}");
            assert_eq!(rejected.offset, cut as u64);
        } else {
            let record = read.unwrap();
            let cut_inside = cut > first + 1;
            assert_eq!((record.games.len(), record.partial), (1, cut_inside), "cut at {cut}");
            assert_eq!(record.faults.iter().any(|fault| fault.offset == cut as u64), cut_inside, "cut at {cut}");
        }
    }
}

#[test]
fn a_lost_parenthesis_costs_one_game() {
    let text = format!("{ROOT}\n;W[31hefe]\n{ROOT}\n;B[42])\n{ROOT};W[61])\n");
    let record = sgf::read(text.as_bytes()).unwrap();
    assert_eq!((record.games.len(), record.partial), (2, true));
    let text = format!("{ROOT}\n(;W[31hefe](;C[x])\n{ROOT}\n;B[42])\n");
    assert_eq!(sgf::read(text.as_bytes()).unwrap().games.len(), 2);
}

#[test]
fn what_is_no_match_says_what_it_is() {
    let log = "(;FF[4]GM[6]AP[GNU Backgammon:0.14-devel]MI[length:0]PW[White]PB[Black];PL[W]AE[a:y]AW[a]AB[x];W[31])";
    let cases: [(&[u8], &str); 10] = [
        (b"", "magic"),
        (b"PK\x03\x04 not a tree", "magic"),
        (b"<html><script>f(a;b)</script>", "magic"),
        (b"\xef\xbb\xbf \r\n", "magic"),
        (b"(;FF[4]GM[1];B[aa])", "other_game"),
        (b"(;FF[4];B[aa])", "other_game"),
        (b"(;GM[6]PW[a]", "truncated"),
        (b"(;GM[6]PW[a])", "no_game"),
        (log.as_bytes(), "rollout_log"),
        (&[b'('; 4_096], "nesting"),
    ];
    for (bytes, code) in cases {
        let rejected = sgf::read(bytes).unwrap_err();
        assert_eq!(rejected.code, code, "{}", String::from_utf8_lossy(bytes));
        let unsupported = matches!(code, "other_game" | "rollout_log");
        assert_eq!(rejected.end == End::Unsupported, unsupported, "{code}");
    }
    let large = vec![b' '; sgf::LARGEST_FILE + 1];
    assert_eq!(sgf::read(&large).unwrap_err().code, "too_large");
}

#[test]
fn noise_around_the_trees_is_passed_over() {
    let noisy = format!("\u{feff}junk\0\r\n(;FF[4]GM[1])\r{ROOT}\r\n\0;W[31hefe]\r)trailer)");
    let record = sgf::read(noisy.as_bytes()).unwrap();
    assert_eq!((record.games.len(), record.partial, actions(&record).len()), (1, false, 1));
}

#[test]
fn another_match_in_the_file_is_left_out() {
    let record = sgf::read(format!("{ROOT};W[31hefe]){};W[42])", ROOT.replace("PB[b]", "PB[c]")).as_bytes()).unwrap();
    assert_eq!((record.games.len(), record.partial), (1, true));
    assert!(told(&record, "another match"));
}

#[test]
fn illegal_plays_stay_as_illegal_decisions_and_the_game_goes_on() {
    // Wrong number of pips, a closed point, no checker there, a checker borne off early, no play where there is one.
    let cases = [("31xtfe", true), ("55xsxs", false), ("31kjhe", false), ("61fzfe", true), ("31", true)];
    for (text, known) in cases {
        let record = kept(&format!(";W[{text}]\n;B[31abac]"));
        let play = plays(&record.games[0]).next().unwrap();
        assert_eq!((play.illegal, play.after.is_some()), (true, known), "{text}");
        assert_eq!(record.faults[0].offset, ROOT.len() as u64 + 1, "{text}");
        assert_eq!(plays(&record.games[0]).count(), 2, "{text}");
    }
    for text in ["31h", "31h1fe", "31hefehefehe", "31zh", "31ehef"] {
        let record = kept(&format!(";W[{text}]"));
        assert!(plays(&record.games[0]).next().unwrap().illegal, "{text}");
    }
    // The board of the repair is the board of the next decision.
    let repaired = kept(";W[55xsxs]\n;PL[B]AE[a:y]AW[f][f][x]AB[s][s][a]\n;B[31sv]");
    assert_eq!(actions(&repaired).last().unwrap().board.text(), "-a----B------------b----A-");
}

#[test]
fn joined_and_reversed_pairs_are_what_they_add_up_to() {
    // 24/14 with 6-4 in one pair; the same checker in two pairs the wrong way round.
    for text in ["64xn", "64tnxt", "64xttn"] {
        let record = kept(&format!(";W[{text}]"));
        let play = plays(&record.games[0]).next().unwrap();
        assert!(!play.illegal, "{text}");
        assert_eq!(play.after.unwrap().text(), "-b----E-C---eEA--c-e----A-", "{text}");
    }
    // A pair that joins two steps over a blot: the only way there hits it, though the letters do not show it.
    let over = ";PL[W]AE[a:y]AW[x][a]AB[w][w][v][v][t][t][s][s][r]\n;W[61xq]";
    assert_eq!(game(over).unwrap_err().code, "position", "a set-up and one action");
    let record = kept(&format!("{over}\n;B[11]"));
    let play = plays(&record.games[0]).next().unwrap();
    assert_eq!((play.illegal, play.after.unwrap().text().as_str()), (false, "aA---------------A-bb-bb--"));
}

#[test]
fn the_index_of_the_play_made_may_be_nonsense() {
    for index in ["0", "1", "7", "-1", "4294967295", "x", "", "99999999999999999999"] {
        let record = kept(&format!(";W[31hefe]A[{index}][mjhg {E}][hefe {E}]"));
        let play = plays(&record.games[0]).next().unwrap();
        assert_eq!(play.after, Some(play.candidates[1].after), "{index}");
        assert!(!play.illegal && record.faults.is_empty(), "{index}");
    }
    let record = kept(&format!(";W[31he!!]A[1][mjhg {E}][hefe {E}]"));
    let play = plays(&record.games[0]).next().unwrap();
    assert_eq!((play.after, play.illegal), (Some(play.candidates[1].after), false));
}

#[test]
fn candidates_without_sense_have_no_equity_or_are_no_list() {
    let listed = |list: &str| kept(&format!(";W[31hefe]A[0]{list}")).games[0].actions.clone();
    let first = |list: &str| match &listed(list)[0].what {
        What::Checker(play) => play.candidates.first().cloned(),
        _ => None,
    };
    for bare in
        ["", "E ver 3", "E ver 3 0.5 0.1", "Q ver 3 1 2 3", "E ver 3 0 0 0 0 0 nan 2C", "E ver 3 0 0 0 0 0 1e999 2C"]
    {
        let candidate = first(&format!("[hefe {bare}]")).unwrap();
        assert_eq!((candidate.equity, candidate.odds), (None, None), "{bare}");
    }
    for odd in ["1.5 0.1 0 0.1 0", "0.5 0.6 0 0.1 0", "nan 0 0 0 0", "0.5 0,1 0 0.1 0", "0.5 0.1 0 0.1 -0.5"] {
        let candidate = first(&format!("[hefe E ver 3 {odd} 0.25 2C 0 1 0 1]")).unwrap();
        assert_eq!((candidate.equity.map(|e| e.units()), candidate.odds), (Some(25_000_000), None), "{odd}");
    }
    let old = first("[hefe E 0.5 0.1 0.0 0.1 0.0 -0.25 1C 0 0 0.0]").unwrap();
    assert_eq!((old.equity.map(|e| e.units()), old.odds.is_some()), (Some(-25_000_000), true));
    assert_eq!(first("[xqhe E ver 3 0.5 0.1 0.0 0.1 0.0 0.1 2C][aa x]"), None);
    assert_eq!(first(&"[hefe ]".repeat(3_061)), None);
    assert_eq!(first(""), None);
}

#[test]
fn cube_analyses_without_sense_are_absent_and_told() {
    let bad = [
        "DA[]",
        "DA[E ver 3 2C]",
        "DA[Z ver 3 2C 1 0 1 0 0 0 0 0 0 0.5 0 0 0 0 0 0 0.5]",
        "DA[E ver 3 2C 1 0 1 0 0 0 0 0 0 1.5 0 0 0 0 0 0 0.5]",
        "DA[E ver 3 2C 1 0 1 0 0 0 0 0 0 nan 0 0 0 0 0 0 0.5]",
        "DA[X ver 3 Eq Trials 36 NoDouble Output 0 0 0]",
    ];
    for da in bad {
        let record = kept(&format!(";W[31hefe]\n;B[double]{da}\n;W[take]"));
        assert!(matches!(actions(&record)[1].what, What::Double(None)), "{da}");
        assert!(!record.faults.is_empty(), "{da}");
    }
    let good = kept(&format!(";W[31hefe]\n;B[double]{DA}\n;W[take]{DA}"));
    assert!(matches!(&actions(&good)[2].what, What::Take(Some(_))) && good.faults.is_empty());
}

#[test]
fn a_match_too_long_for_the_table_has_no_cube_analysis_and_says_so_once() {
    let text =
        format!("{ROOT}\n;W[31hefe]\n;B[42]{DA}\n;W[double]{DA}\n;B[take]{DA})").replace("length:5", "length:70");
    let record = sgf::read(text.as_bytes()).unwrap();
    assert_eq!(record.length, Length::TooLong(70));
    assert!(matches!(actions(&record)[1].what, What::NoDouble(None)));
    let said = record.faults.iter().filter(|fault| fault.reason.contains("match equities")).count();
    assert_eq!(said, 1);
}

#[test]
fn impossible_cube_actions_are_told_and_passed_over() {
    let cases = [
        (";W[31hefe]\n;B[take]", 1, "answer without"),
        (";W[31hefe]\n;B[drop]", 1, "answer without"),
        (";W[31hefe]\n;B[double]\n;W[take]\n;B[42]\n;B[double]", 5, "without access"),
        (";W[31hefe]\n;B[double]\n;B[double]", 2, "another waits"),
        (";W[31hefe]\n;B[double]\n;W[double]", 2, "another waits"),
        (";W[31hefe]\n;B[double]\n;W[take]\n;W[take]", 3, "answer without"),
        (";W[31hefe]\n;B[double]\n;B[42]", 4, "waits for its answer"),
        (";W[31hefe]\n;B[resign]", 1, "neither dice nor cube"),
        (";W[31hefe]\n;B[Take]", 1, "neither dice nor cube"),
        (";W[31hefe]\n;B[DOUBLE]", 1, "neither dice nor cube"),
        (";W[31hefe]\n;B[71]", 1, "neither dice nor cube"),
        (";W[31hefe]\n;B[4]", 1, "neither dice nor cube"),
        (";W[31hefe]\n;B[]", 1, "neither dice nor cube"),
        (";W[31hefe]B[42]", 1, "both players"),
        (";CV[3];W[31hefe]", 1, "power of two"),
        (";CV[-2];W[31hefe]", 1, "power of two"),
        (";CP[x];W[31hefe]", 1, "cube owner"),
    ];
    for (nodes, number, fault) in cases {
        let record = kept(nodes);
        assert_eq!(actions(&record).len(), number, "{nodes}: {:?}", actions(&record));
        assert!(told(&record, fault), "{nodes}: {:?}", record.faults);
    }
    // A cube turned forty times is bounded.
    let turns: String = (0..40).map(|i| if i % 2 == 0 { ";W[double];B[take]" } else { ";B[double];W[take]" }).collect();
    let record = kept(&turns);
    assert!(told(&record, "beyond all bounds"));
}

#[test]
fn heads_without_sense_fall_back_and_say_so() {
    let head = |from: &str, to: &str| sgf::read(format!("{ROOT};W[31hefe])").replace(from, to).as_bytes()).unwrap();
    assert_eq!(head("MI[length:5][game:0][ws:0][bs:0]", "").length, Length::Money);
    for length in ["-3", "x", "", "99999999999"] {
        let record = head("length:5", &format!("length:{length}"));
        assert!(record.length == Length::Money && told(&record, "match length"), "{length}");
    }
    for score in ["5", "9", "-1"] {
        let record = head("ws:0", &format!("ws:{score}"));
        assert!(record.games[0].points == [0, 0] && told(&record, "a score of"), "{score}");
    }
    for result in ["Void", "", "W", "W+0", "W+x", "X+1", "B-2"] {
        let record = head("RU[Crawford]", &format!("RE[{result}]"));
        assert!(record.games[0].outcome.is_none() && told(&record, "a result"), "{result}");
    }
    let record = head("RU[Crawford]", "RE[B+2R]");
    assert_eq!(
        record.games[0].outcome.map(|o| (o.winner, o.points, o.ending)),
        Some((Seat::Second, 2, Ending::Resigned))
    );
    assert!(told(&head("PW[a]", "PW[a]DT[1999-13-01]"), "a date"));
    let hyper = sgf::read(format!("{ROOT};W[31])").replace("RU[Crawford]", "RU[Hypergammon2]").as_bytes()).unwrap();
    assert_eq!(hyper.games[0].start.text(), "-aa--------------------AA-");
    assert!(told(&head("PW[a]", "PW[a]CV[5]"), "power of two"));
}

#[test]
fn text_that_is_not_utf8_is_read_and_told() {
    let named = |name: &[u8]| {
        let mut bytes = b"(;GM[6]PB[b]PW[".to_vec();
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(b"];W[31hefe])");
        let record = sgf::read(&bytes).unwrap();
        (record.players[0].name.clone(), record.faults.len())
    };
    assert_eq!(named("Émberline ]".replace(']', "\\]").as_bytes()), ("Émberline ]".to_owned(), 0));
    assert_eq!(named(b"\xc9mberline"), ("Émberline".to_owned(), 1));
    assert_eq!(named(b"A name of thirty bytes, and cut\xc3"), ("A name of thirty bytes, and cut".to_owned(), 1));
    assert_eq!(named(b""), (String::new(), 0));
}

#[test]
fn set_ups_that_cannot_stand_are_refused() {
    let cases = [
        (format!("AW{}", "[a]".repeat(16)), "too many"),
        (format!("AW{}{}", "[b]".repeat(9), "[c]".repeat(9)), "more than fifteen"),
        ("AW[c]AB[c]".to_owned(), "both sides"),
        ("AW[z]".to_owned(), "a point that is none"),
        ("AW[c:]".to_owned(), "a point that is none"),
        ("AW[]".to_owned(), "a point that is none"),
    ];
    for (set_up, fault) in cases {
        let record = kept(&format!(";W[31hefe]\n;AE[a:y]{set_up}\n;B[31acab]"));
        assert!(told(&record, fault), "{set_up}: {:?}", record.faults);
    }
}

#[test]
fn results_that_contradict_the_last_position_are_told_and_kept() {
    let passed = |result: &str| {
        let root = ROOT.replace("RU[Crawford]", &format!("RU[Crawford]RE[{result}]"));
        sgf::read(format!("{root};W[31hefe];B[double];W[drop])").as_bytes()).unwrap()
    };
    let right = passed("B+1");
    assert!(right.faults.is_empty() && right.games[0].outcome.unwrap().ending == Ending::Pass);
    for wrong in ["W+1", "B+2"] {
        let record = passed(wrong);
        assert!(told(&record, "contradicts") && record.games[0].outcome.unwrap().ending == Ending::Unknown, "{wrong}");
    }
    let off = kept(";PL[W]AE[a:y]AW[a]AB[a][x];W[21]\n;PL[W]AE[a:y]AW[a]AB[f]\n;W[21az]");
    let outcome = off.games[0].outcome.unwrap();
    assert_eq!((outcome.winner, outcome.ending), (Seat::First, Ending::BorneOff));
}

#[test]
fn large_values_are_bounded_in_time_and_memory() {
    let megabytes = 8 << 20;
    let cases = [
        format!("{ROOT}C[{}];W[31hefe])", "x".repeat(megabytes)),
        format!("{ROOT}C[{}", "\\]".repeat(megabytes / 2)),
        format!("{ROOT};W[31hefe]A[0]{})", "[]".repeat(megabytes / 2)),
        format!("{ROOT}{})", ";W[66]".repeat(100_000)),
        format!("{ROOT}{})", ";W[double]".repeat(megabytes / 16)),
        "(;GM[6])".repeat(megabytes / 8),
        "(;GM[6];W[11])".repeat(50_000),
        "((;)".repeat(megabytes / 4),
        ";B[".repeat(megabytes / 4),
        format!("(;{}", "AB".repeat(megabytes)),
        format!("{ROOT};{})", "A[0]".repeat(megabytes / 8)),
    ];
    for text in cases {
        let started = Instant::now();
        let read = sgf::read(text.as_bytes());
        let took = started.elapsed();
        let start = &text[text.len().saturating_sub(30)..];
        assert!(took < Duration::from_secs(20), "{start}: {took:?}");
        if let Ok(record) = read {
            assert!(record.faults.len() <= 1_001 && record.games.len() <= 20_000, "{start}");
        }
    }
}

/// SplitMix64: the same bytes on every machine.
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }
}

fn change(bytes: &mut Vec<u8>, random: &mut Seeded) {
    /// Bytes that mean something to the reader.
    const TELLING: &[u8] = b"[]();\\ABWDEX0123456789.-eCabmyz \n\0\xc3\xff";
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes[at] = TELLING[random.below(TELLING.len())],
        1 => bytes[at] = u8::try_from(random.below(256)).unwrap(),
        2 => bytes.insert(at, TELLING[random.below(TELLING.len())]),
        3 => _ = bytes.drain(at..(at + 1 + random.below(200)).min(bytes.len())),
        _ => {
            let piece: Vec<u8> = bytes[at..(at + random.below(400)).min(bytes.len())].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, piece);
        }
    }
}

#[test]
fn changed_bytes_never_panic_and_never_break_an_invariant() {
    let mut files = all_files();
    files.retain(|path| std::fs::metadata(path).unwrap().len() < 130_000);
    let mut random = Seeded(20_260_202);
    for path in files {
        let original = std::fs::read(&path).unwrap();
        for _ in 0..60 {
            let mut bytes = original.clone();
            for _ in 0..=random.below(12) {
                change(&mut bytes, &mut random);
            }
            let started = Instant::now();
            let read = sgf::read(&bytes);
            assert!(started.elapsed() < Duration::from_secs(5), "{}", path.display());
            if let Ok(record) = read {
                check(&record);
            }
        }
    }
}

/// What holds for every record, however its file was treated.
fn check(record: &Record) {
    for action in record.games.iter().flat_map(|game| &game.actions) {
        let What::Checker(play) = &action.what else { continue };
        let made = play.play.apply(&action.board);
        assert!(play.illegal || play.after.is_some());
        if !play.illegal && play.candidates.iter().any(|candidate| Some(candidate.after) == play.after) {
            assert_eq!(made.ok(), play.after);
        }
        for candidate in &play.candidates {
            assert_eq!(candidate.play.apply(&action.board).ok(), Some(candidate.after));
        }
    }
}
