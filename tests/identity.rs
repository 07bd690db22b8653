//! One match is one match, however many programs and people wrote it down; two matches are two.

use crate::formats_mat::{ONE_POINT, transcriptions};
use crate::support::shared;
use portes::game::{Dice, Owner};
use portes::ingest::identity::{FEWEST_PLAYS, Identity, identity, is_prefix};
use portes::ingest::record::{Record, What};
use portes::ingest::{self, Ended, mat};
use std::path::Path;

/// Hashes of two files that hold the same match.
const CONTENT: [[u8; 32]; 2] = [[1; 32], [2; 32]];

fn record(text: &str) -> Record {
    mat::read(text.as_bytes()).unwrap_or_else(|rejected| panic!("{rejected}"))
}

fn id(record: &Record) -> Identity {
    identity(record, &CONTENT[0])
}

fn match_id(record: &Record) -> String {
    id(record).match_id
}

/// A match of two games with a cube exchange.
fn two_games() -> Record {
    let text = ONE_POINT.replace(" 1 point match", " 5 point match");
    let cube = concat!(
        " Game 2\n Bramblewick : 1                Cinderpath : 0\n",
        "  1) 31: 8/5 6/5                 62: 24/18 13/11\n",
        "  2)  Doubles => 2                Takes\n",
        "  3) 21: 13/11 6/5               64: 24/14\n",
        "      Wins 2 points\n",
    );
    record(&format!("{text}{cube}"))
}

/// The same match with the seats exchanged.
fn seats_swapped(mut record: Record) -> Record {
    record.players.swap(0, 1);
    for game in &mut record.games {
        game.points.swap(0, 1);
        game.start = game.start.mirror();
        for action in &mut game.actions {
            action.seat = action.seat.other();
        }
        if let Some(outcome) = &mut game.outcome {
            outcome.winner = outcome.winner.other();
        }
    }
    record
}

#[test]
fn names_dates_seats_scores_and_analysis_are_no_part_of_it() {
    let plain = two_games();
    assert_eq!(match_id(&seats_swapped(plain.clone())), match_id(&plain));
    assert_eq!(id(&seats_swapped(plain.clone())), id(&plain), "names are in order, traces alike");
    let mut other = plain.clone();
    other.players[0].name = "Émberline".to_owned();
    other.date = None;
    other.event = Some("elsewhere".to_owned());
    other.games[1].points = [7, 7];
    other.games[1].outcome = None;
    for game in &mut other.games {
        game.actions.retain(|action| !matches!(action.what, What::NoDouble(_)));
        for action in &mut game.actions {
            action.cube.owner = Owner::Centred;
            action.offset = 0;
            action.seconds = Some(12);
        }
    }
    assert_eq!(match_id(&other), match_id(&plain));
    assert_ne!(id(&other).names, id(&plain).names);
    assert_eq!(identity(&plain, &CONTENT[1]).match_id, match_id(&plain), "nor is the file");
    assert_eq!(match_id(&plain).len(), 16);
}

#[test]
fn every_play_die_and_cube_action_is_part_of_it() {
    let plain = two_games();
    let mut seen = vec![match_id(&plain)];
    let mut changed = |name: &str, change: &dyn Fn(&mut Record)| {
        let mut other = plain.clone();
        change(&mut other);
        let id = match_id(&other);
        assert!(!seen.contains(&id), "{name} makes no other match");
        seen.push(id);
    };
    let is_dance = |what: &What| matches!(what, What::Checker(play) if play.play.is_dance());
    let plays = plain.games[0].actions.iter().enumerate();
    for (i, action) in plays.filter(|(_, action)| matches!(action.what, What::Checker(_))) {
        changed(&format!("the roll of action {i}"), &|record| {
            let What::Checker(play) = &mut record.games[0].actions[i].what else { return };
            let other = if play.dice.digits() == 21 { 31 } else { 21 };
            play.dice = Dice::from_digits(other).unwrap_or(play.dice);
        });
        if !is_dance(&action.what) {
            changed(&format!("the board of action {i}"), &|record| {
                let What::Checker(play) = &mut record.games[0].actions[i].what else { return };
                play.after =
                    play.after.map(|after| if after == after.mirror() { action.board } else { after.mirror() });
            });
        }
    }
    changed("the turn", &|record| {
        let plays = record.games[0].actions.iter_mut().filter(|action| matches!(action.what, What::Checker(_)));
        plays.skip(4).take(1).for_each(|action| action.seat = action.seat.other());
    });
    changed("the length", &|record| record.length = portes::game::Length::Points(7));
    changed("a pass instead of a take", &|record| {
        let take = record.games[1].actions.iter_mut().find(|action| matches!(action.what, What::Take(_)));
        take.map(|take| take.what = What::Pass(None)).unwrap_or_default();
    });
    changed("no double", &|record| {
        record.games[1].actions.retain(|action| !matches!(action.what, What::Double(_) | What::Take(_)));
    });
    changed("another cut between the games", &|record| {
        let moved = record.games[1].actions.remove(0);
        record.games[0].actions.push(moved);
    });
    changed("a game less", &|record| drop(record.games.pop()));
    changed("a game again", &|record| record.games.push(record.games[1].clone()));
}

#[test]
fn what_formats_tell_differently_at_a_games_end_does_not_count() {
    let plain = two_games();
    let id = match_id(&plain);
    let mut unplayed = plain.clone();
    let mut last = unplayed.games[0].actions[20].clone();
    if let What::Checker(play) = &mut last.what {
        play.after = None;
    }
    unplayed.games[0].actions.push(last.clone());
    assert_eq!(match_id(&unplayed), id, "a roll without a play");
    let mut dance = plain.clone();
    if let What::Checker(play) = &mut last.what {
        play.after = Some(last.board);
    }
    dance.games[0].actions.push(last.clone());
    assert_eq!(match_id(&dance), id, "a dance before a resignation");
    let mut hint = plain.clone();
    last.what = What::Double(None);
    hint.games[1].actions.push(last);
    assert_eq!(match_id(&hint), id, "a double that nobody answered");
    let mut unknown = plain.clone();
    for game in &mut unknown.games {
        let inner = game.actions.len() - 1;
        for action in &mut game.actions[..inner] {
            if let What::Checker(play) = &mut action.what {
                play.after = None;
            }
        }
    }
    assert_eq!(match_id(&unknown), id, "boards that only the next action tells");
    let mut forfeit = plain.clone();
    let mut empty = forfeit.games[1].clone();
    empty.actions.clear();
    forfeit.games.insert(1, empty);
    assert_eq!(match_id(&forfeit), id, "a game nobody played");
}

#[test]
fn an_earlier_save_is_a_prefix_and_a_short_one_is_nothing() {
    let lines: Vec<&str> = ONE_POINT.lines().collect();
    let save = |rows: usize| id(&record(&format!("{}\n", lines[..rows].join("\n"))));
    let whole = id(&record(ONE_POINT));
    let mut saves: Vec<Identity> = (11..lines.len() - 1).map(save).collect();
    saves.dedup_by(|next, kept| next.trace == kept.trace);
    assert!(saves.len() > 15);
    for pair in saves.windows(2) {
        assert!(pair[0].trace.len() < pair[1].trace.len());
        let long_enough = pair[0].plays >= FEWEST_PLAYS;
        assert_eq!(is_prefix(&pair[0], &pair[1]), long_enough);
        assert_eq!(is_prefix(&pair[0], &whole), long_enough && pair[0].trace.len() < whole.trace.len());
        assert!(!is_prefix(&pair[1], &pair[0]));
        assert!(!is_prefix(&pair[0], &pair[0]));
    }
    let early = save(20);
    let renamed = |name: &str| Identity { names: [name.to_owned(), "cinderpath".to_owned()], ..early.clone() };
    assert!(is_prefix(&renamed("bramblewick"), &whole));
    assert!(!is_prefix(&renamed("aldergrove"), &whole), "another player");
    assert!(!is_prefix(&Identity { length: 3, ..early.clone() }, &whole), "another length");
    let mut trace = early.trace.to_vec();
    trace[2] ^= 1;
    assert!(!is_prefix(&Identity { trace: trace.into(), ..early }, &whole), "another play");

    let short = record(&format!("{}\n", lines[..14].join("\n")));
    let of = |content: &[u8; 32]| identity(&short, content).match_id;
    assert!(identity(&short, &CONTENT[0]).plays < FEWEST_PLAYS);
    assert_eq!(of(&CONTENT[0]), "0101010101010101", "too few plays: the file is the match");
    assert_ne!(of(&CONTENT[0]), of(&CONTENT[1]));
}

/// What a file holds, read by its content.
fn of_file(path: &Path) -> Result<Identity, Ended> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let name = path.as_os_str().as_encoded_bytes();
    ingest::read(&bytes, name).map(|record| identity(&record, blake3::hash(&bytes).as_bytes()))
}

#[test]
fn matches_of_the_corpus_are_all_different() {
    let Some(root) = shared("corpus/gnubg") else { return };
    let files = transcriptions(&root);
    let ids: Vec<String> = files.iter().filter_map(|path| of_file(path).ok()).map(|id| id.match_id).collect();
    assert_eq!(ids.len(), files.len());
    for (i, id) in ids.iter().enumerate() {
        let twin = ids[..i].iter().position(|other| other == id);
        assert_eq!(twin.map(|twin| &files[twin]), None, "{:?}: two matches of one evening are two", files[i]);
    }
}

#[test]
fn three_files_of_one_match_have_one_identity() {
    let ids: Vec<Identity> = ["real/match-a.xg", "real/match-a.sgf", "real/match-a.mat"]
        .iter()
        .filter_map(|path| shared(path))
        .map(|path| of_file(&path).unwrap_or_else(|ended| panic!("{path:?}: {ended:?}")))
        .collect();
    for pair in ids.windows(2) {
        assert_eq!(pair[0].match_id, pair[1].match_id);
        assert_eq!(pair[0], pair[1]);
    }
    let others: Vec<String> = ["real/match-b.xg", "real/match-c.xg", "real/match-d.xg"]
        .iter()
        .filter_map(|path| shared(path))
        .map(|path| of_file(&path).unwrap_or_else(|ended| panic!("{path:?}: {ended:?}")).match_id)
        .collect();
    assert!(ids.first().is_none_or(|id| !others.contains(&id.match_id)));
}

#[test]
fn a_transcription_and_its_analysed_twin_are_one_match() {
    let Some(root) = shared("corpus/gnubg") else { return };
    let mut twins = 0;
    for path in transcriptions(&root) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // The exports of edited and unfinished games differ from what was played (`gnubg-formats.md` 15).
        let differs = name.starts_with("edited") || name.starts_with("unfinished-hint");
        let both = [path.clone(), path.with_extension("sgf")].map(|path| of_file(&path));
        let [Ok(mat), Ok(sgf)] = both else { panic!("{path:?}: {both:?}") };
        twins += 1;
        assert_eq!(mat == sgf, !differs, "{path:?}");
    }
    assert_eq!(twins, 29);
}

#[test]
fn a_transcription_has_the_rows_of_its_analysed_twin() {
    let Some(root) = shared("corpus/gnubg") else { return };
    for path in transcriptions(&root).into_iter().filter(|path| !path.to_string_lossy().contains("quirks")) {
        let [mat, sgf] = [path.clone(), path.with_extension("sgf")].map(|path| {
            let bytes = std::fs::read(&path).unwrap_or_default();
            ingest::read(&bytes, path.as_os_str().as_encoded_bytes()).unwrap_or_else(|no| panic!("{path:?}: {no:?}"))
        });
        assert_eq!(mat.length, sgf.length);
        assert_eq!(mat.rules.crawford, sgf.rules.crawford || mat.length.points() == 1);
        assert_eq!(mat.games.len(), sgf.games.len(), "{path:?}");
        for (i, (mat, sgf)) in mat.games.iter().zip(&sgf.games).enumerate() {
            assert_eq!(
                (mat.points, mat.crawford, mat.outcome),
                (sgf.points, sgf.crawford, sgf.outcome),
                "{path:?} {i}"
            );
            let rows = |game: &portes::ingest::record::Game| {
                game.actions
                    .iter()
                    .map(|action| (action.seat, kind(&action.what), action.board, action.cube))
                    .collect::<Vec<_>>()
            };
            for (mat, sgf) in rows(mat).into_iter().zip(rows(sgf)) {
                assert_eq!(mat, sgf, "{path:?} game {i}");
            }
            assert_eq!(mat.actions.len(), sgf.actions.len(), "{path:?} game {i}");
        }
    }
}

/// Kind and dice of an action.
fn kind(what: &What) -> String {
    match what {
        What::Checker(play) => play.dice.to_string(),
        What::NoDouble(_) => "no double".to_owned(),
        What::Double(_) => "double".to_owned(),
        What::Take(_) => "take".to_owned(),
        What::Pass(_) => "pass".to_owned(),
        What::Beaver(_) => "beaver".to_owned(),
        What::AfterBeaver(after) => format!("{after:?}"),
    }
}
