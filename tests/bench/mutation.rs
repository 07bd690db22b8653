//! `make fuzz`: a million spoilt files over every reader, and what is accepted through rating and sums.
//!
//! Prints inputs a second, the worst time of a file, the peak of memory, and each input that panicked; ends with 1 when one
//! did, when one took longer than a second, or when memory went past its bound. Every input has a number:
//!
//!     cargo bench --bench mutation -- 5000000       another million times five
//!     cargo bench --bench mutation -- only 1234     that one again

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    missing_docs,
    unreachable_pub,
    dead_code
)]

mod giants;
#[path = "../support/made.rs"]
mod made;
#[path = "../support/mat_writer.rs"]
mod mat_writer;
#[path = "../support/sgf_writer.rs"]
mod sgf_writer;
#[path = "../support/spoilt.rs"]
mod spoilt;
mod watch;
#[path = "../support/xg_container.rs"]
mod xg_container;
#[path = "../support/xg_writer.rs"]
mod xg_writer;

use made::Chance;
use spoilt::{Came, Fixture, Reader, fixtures};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Inputs, unless another number is given.
const INPUTS: u64 = 1_000_000;
/// No file may take longer.
const LONGEST: Duration = Duration::from_secs(1);
/// A file that takes so long hangs: the bench says which, and ends.
const HANGS: Duration = Duration::from_secs(20);
/// No run of the readers may hold more, in kB.
pub const MOST_KB: u64 = 200_000;
/// One in so many inputs is a real file: they are large, and a million of them would take a day.
const REAL: u64 = 200;

/// What came of some inputs.
#[derive(Clone, Default)]
struct Tally {
    inputs: u64,
    accepted: u64,
    nanoseconds: u128,
    worst: Duration,
    worst_number: u64,
    panicked: Vec<u64>,
}

impl Tally {
    fn add(&mut self, number: u64, came: Came, took: Duration) {
        self.inputs += 1;
        self.accepted += u64::from(came == Came::Accepted);
        self.nanoseconds += took.as_nanos();
        if took > self.worst {
            (self.worst, self.worst_number) = (took, number);
        }
        if came == Came::Panicked {
            self.panicked.push(number);
        }
    }

    fn join(&mut self, other: &Self) {
        self.inputs += other.inputs;
        self.accepted += other.accepted;
        self.nanoseconds += other.nanoseconds;
        if other.worst > self.worst {
            (self.worst, self.worst_number) = (other.worst, other.worst_number);
        }
        self.panicked.extend(&other.panicked);
    }
}

/// The sound files: ours first, then the real ones.
struct Corpus {
    made: Vec<Fixture>,
    real: Vec<Fixture>,
}

impl Corpus {
    fn new() -> Self {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
        let mut real = Vec::new();
        for (folder, extension, reader) in [
            ("real", "xg", Reader::Xg),
            ("real", "sgf", Reader::Sgf),
            ("real", "mat", Reader::Mat),
            ("corpus/gnubg/quirks", "sgf", Reader::Sgf),
            ("corpus/gnubg/2025/granary-cup", "mat", Reader::Mat),
        ] {
            for path in files(&shared.join(folder), extension) {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                real.push(Fixture::new(name, reader, std::fs::read(path).unwrap()));
            }
        }
        Self { made: fixtures(), real }
    }

    /// The input of a number.
    fn input(&self, number: u64) -> (&Fixture, Vec<u8>) {
        let mut chance = Chance::new(number);
        let of = if !self.real.is_empty() && number % REAL == 0 { &self.real } else { &self.made };
        let [fixture, donor] = [of, &self.made].map(|from| &from[chance.below(from.len() as u64) as usize]);
        (fixture, fixture.at_random(donor, &mut chance))
    }
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    paths.sort();
    paths
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let corpus = Corpus::new();
    if let [only, number] = &words[..]
        && only == "only"
    {
        let (fixture, bytes) = corpus.input(number.parse().unwrap());
        let started = Instant::now();
        println!("{}: {} bytes, {:?}, {:?}", fixture.name, bytes.len(), fixture.meet(&bytes), started.elapsed());
        return;
    }
    let inputs = words.first().map_or(INPUTS, |word| word.parse().unwrap());
    println!("\n{}; {} made and {} real files", watch::load(), corpus.made.len(), corpus.real.len());
    let base = watch::peak_from_now();
    let mut sound = giants::all();
    let started = Instant::now();
    let mut by_reader = spoil(&corpus, inputs);
    for (reader, tally) in &mut by_reader {
        check(&corpus, *reader, tally);
        sound &= tally.panicked.is_empty() && tally.worst < LONGEST;
    }
    let peak = watch::peak();
    print(&by_reader, started.elapsed());
    println!("peak memory {} MB, {} MB of it the fixtures", peak / 1000, base / 1000);
    std::process::exit(i32::from(!sound || peak > MOST_KB));
}

/// Two threads or more, the numbers dealt out in turn.
fn spoil(corpus: &Corpus, inputs: u64) -> BTreeMap<Reader, Tally> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let at: Vec<[AtomicU64; 2]> = (0..threads).map(|_| Default::default()).collect();
    let started = Instant::now();
    let mut all: BTreeMap<Reader, Tally> = BTreeMap::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let at = &at[thread as usize];
                scope.spawn(move || {
                    let mut own: BTreeMap<Reader, Tally> = BTreeMap::new();
                    for number in (thread..inputs).step_by(threads as usize) {
                        at[0].store(number, Ordering::Relaxed);
                        at[1].store(started.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
                        let (fixture, bytes) = corpus.input(number);
                        let began = Instant::now();
                        let came = fixture.meet(&bytes);
                        own.entry(fixture.reader).or_default().add(number, came, began.elapsed());
                    }
                    at[1].store(0, Ordering::Relaxed);
                    own
                })
            })
            .collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(100));
            hung(&at, started);
        }
        for worker in workers {
            for (reader, tally) in worker.join().unwrap() {
                all.entry(reader).or_default().join(&tally);
            }
        }
    });
    all
}

fn hung(at: &[[AtomicU64; 2]], started: Instant) {
    for [number, since] in at {
        let since = since.load(Ordering::Relaxed);
        if since > 0 && started.elapsed() > Duration::from_millis(since) + HANGS {
            println!("input {} hangs", number.load(Ordering::Relaxed));
            std::process::exit(1);
        }
    }
}

/// The worst time again, three times: another program's turn on the processor is not the reader's.
fn check(corpus: &Corpus, reader: Reader, tally: &mut Tally) {
    let (fixture, bytes) = corpus.input(tally.worst_number);
    for _ in 0..3 {
        let began = Instant::now();
        fixture.meet(&bytes);
        tally.worst = tally.worst.min(began.elapsed());
    }
    for number in &tally.panicked {
        println!("panicked: {reader:?} input {number}, of {}", corpus.input(*number).0.name);
    }
}

fn print(by_reader: &BTreeMap<Reader, Tally>, elapsed: Duration) {
    let mut all = Tally::default();
    println!(
        "{:<10} {:>10} {:>10} {:>12} {:>12} {:>9}",
        "reader", "inputs", "accepted", "inputs/s", "worst ms", "panics"
    );
    for (name, tally) in by_reader.iter().map(|(reader, tally)| (format!("{reader:?}"), tally)) {
        let seconds = tally.nanoseconds as f64 / 1e9;
        println!(
            "{name:<10} {:>10} {:>10} {:>12.0} {:>12.1} {:>9}",
            tally.inputs,
            tally.accepted,
            tally.inputs as f64 / seconds,
            tally.worst.as_secs_f64() * 1e3,
            tally.panicked.len()
        );
        all.join(tally);
    }
    println!(
        "{} inputs in {:.0} s, {:.0} inputs/s, making them included; {} accepted, {} panics",
        all.inputs,
        elapsed.as_secs_f64(),
        all.inputs as f64 / elapsed.as_secs_f64(),
        all.accepted,
        all.panicked.len()
    );
}
