//! GNU Backgammon SGF is read as its makers meant it.
//!
//! The truth comes from outside: the ledger of the corpus (who played what, and how it ended), the real match, the
//! descriptions of the quirks. What the reader must survive is made here: cuts, changed bytes, the list of malformed
//! input of the format page.

mod malformed;
mod quirks;

use crate::support::{sgf_writer, shared};
use portes::game::{Length, Seat};
use portes::ingest::record::{Depth, Game, Record, What};
use portes::ingest::sgf;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A line of the ledger by column name.
type Line = BTreeMap<String, String>;

fn ledger() -> Vec<Line> {
    let Some(path) = shared("corpus/gnubg/ledger.tsv") else { return Vec::new() };
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().unwrap();
    lines.map(|values| names.iter().cloned().zip(values).collect()).collect()
}

fn corpus(below: &str) -> PathBuf {
    shared("corpus/gnubg").unwrap().join(below)
}

fn read(path: &Path) -> Record {
    sgf::read(&std::fs::read(path).unwrap()).unwrap_or_else(|rejected| panic!("{}: {rejected}", path.display()))
}

/// Case and accents aside, as the corpus varies them on purpose.
fn folded(name: &str) -> String {
    name.to_lowercase().replace('é', "e")
}

fn points(record: &Record) -> [i64; 2] {
    let mut points = record.games[0].points;
    for outcome in record.games.iter().filter_map(|game| game.outcome) {
        points[outcome.winner.index()] += outcome.points;
    }
    points
}

fn winner(record: &Record) -> Option<&str> {
    let points = points(record);
    let won = |seat: &&Seat| match record.length {
        Length::Money => points[seat.index()] > points[seat.other().index()],
        length => points[seat.index()] >= i64::from(length.points()),
    };
    Seat::BOTH.iter().find(won).map(|seat| record.players[seat.index()].name.as_str())
}

fn analysed(record: &Record) -> &'static str {
    let by = |seat| {
        let actions = record.games.iter().flat_map(|game| &game.actions);
        actions.filter(|action| action.seat == seat).any(|action| match &action.what {
            What::Checker(play) => !play.candidates.is_empty(),
            _ => false,
        })
    };
    match Seat::BOTH.map(by) {
        [true, true] => "both",
        // The ledger counts players from 0, White first.
        [true, false] => "0",
        [false, true] => "1",
        [false, false] => "none",
    }
}

fn plays(game: &Game) -> impl Iterator<Item = &portes::ingest::record::CheckerPlay> {
    game.actions.iter().filter_map(|action| match &action.what {
        What::Checker(play) => Some(play),
        _ => None,
    })
}

fn deepest(record: &Record) -> String {
    let candidates = record.games.iter().flat_map(plays).flat_map(|play| &play.candidates);
    let plies = candidates.filter_map(|candidate| match candidate.depth {
        Depth::GnuBgPly(plies) => Some(plies),
        _ => None,
    });
    plies.max().map(|plies| plies.to_string()).unwrap_or_default()
}

fn rolled_out(record: &Record) -> usize {
    let all = record.games.iter().flat_map(plays);
    all.filter(|play| play.candidates.iter().any(|candidate| candidate.depth == Depth::Rollout)).count()
}

#[test]
fn every_match_of_the_corpus_is_what_its_ledger_says() {
    let mut wrong = Vec::new();
    for line in ledger() {
        let record = read(&corpus(&line["path"]));
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let [white, black] = points(&record).map(|points| points.to_string());
        let luck = record.games.iter().flat_map(plays).any(|play| play.luck.is_some());
        let complete = record.games.iter().all(|game| game.outcome.is_some());
        let got = [
            ("event", text(&record.event)),
            ("round", text(&record.round)),
            ("place", text(&record.place)),
            ("date", record.date.map(|date| date.to_string()).unwrap_or_default()),
            ("length", record.length.points().to_string()),
            ("white", record.players[0].name.clone()),
            ("black", record.players[1].name.clone()),
            ("games", record.games.len().to_string()),
            ("white_points", white),
            ("black_points", black),
            ("winner", winner(&record).unwrap_or_default().to_owned()),
            ("complete", u8::from(complete).to_string()),
            ("ply", deepest(&record)),
            ("luck", u8::from(luck).to_string()),
            ("analysed", analysed(&record).to_owned()),
            ("rolled_out", rolled_out(&record).to_string()),
            ("comments", record.comments.iter().filter(|comment| comment.game.is_some()).count().to_string()),
        ];
        for (column, got) in got {
            if folded(&got) != folded(&line[column]) {
                wrong.push(format!("{} {column}: {:?}, got {got:?}", line["id"], line[column]));
            }
        }
        for fault in &record.faults {
            wrong.push(format!("{}: {fault:?}", line["id"]));
        }
        assert!(!record.partial && !record.made_by_portes, "{}", line["id"]);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The record without what a second writing may change.
fn normal(mut record: Record) -> Record {
    record.faults.clear();
    record.made_by_portes = false;
    record.partial = false;
    for action in record.games.iter_mut().flat_map(|game| &mut game.actions) {
        action.offset = 0;
    }
    record
}

fn all_files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ledger().iter().map(|line| corpus(&line["path"])).collect();
    files.extend(shared("real/match-a.sgf"));
    if let Some(folder) = shared("corpus/gnubg/quirks") {
        files.extend(std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "sgf"));
    files.sort();
    files
}

#[test]
fn what_is_written_is_read_again() {
    for path in all_files() {
        let Ok(record) = sgf::read(&std::fs::read(&path).unwrap()) else { continue };
        let again = sgf::read(&sgf_writer::write(&record)).unwrap();
        assert!(again.made_by_portes);
        let (record, again) = (normal(record), normal(again));
        for (game, other) in record.games.iter().zip(&again.games) {
            for (action, other) in game.actions.iter().zip(&other.actions) {
                assert_eq!(action, other, "{}", path.display());
            }
        }
        assert_eq!(record, again, "{}", path.display());
    }
}

#[test]
#[ignore = "a measurement: cargo test -- --ignored --nocapture reading_speed"]
fn reading_speed() {
    let files: Vec<Vec<u8>> = ledger().iter().map(|line| std::fs::read(corpus(&line["path"])).unwrap()).collect();
    let megabytes = files.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
    let pass = || {
        let (started, on_processor) = (std::time::Instant::now(), seconds_on_processor());
        let games: usize = files.iter().map(|file| sgf::read(file).unwrap().games.len()).sum();
        (seconds_on_processor() - on_processor, started.elapsed().as_secs_f64(), games)
    };
    let (processor, clock, games) = (0..20).map(|_| pass()).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let speed = |seconds: f64| megabytes / seconds;
    println!(
        "{games} games, {megabytes:.1} MB on one thread: {:.0} MB/s by the processor, {:.0} by the clock",
        speed(processor),
        speed(clock)
    );
}

/// What the thread had of a processor that others use too.
fn seconds_on_processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}
