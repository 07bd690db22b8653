//! `make bench`: how fast, and in how much memory. Every made match is another (all match_ids different, asserted); the
//! real files and the corpus where they are present. Prints what was asked beside what was met; asserts no time.
//!
//! `cargo bench --bench night -- 4000` makes seasons of 2,000, 4,000 and 10,000 files instead of 1,000, 2,000 and 5,000;
//! `-- marts` measures one part only: `readers`, `seasons`, `real`, `marts` or
//! `references`;
//! `-- honesty` asks instead how often intervals hold the truth, which takes no clock.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    dead_code
)]

#[path = "../study/made.rs"]
mod errors;
mod honesty;
#[path = "../support/made.rs"]
mod made;
mod marts;
mod references;
#[path = "../support/sgf_writer.rs"]
mod sgf_writer;
mod watch;
#[path = "../support/xg_writer.rs"]
mod xg_writer;

use made::{SGF, XG, made};
use portes::ingest::identity::identity;
use portes::ingest::read;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use watch::Ran;

/// Files of the season that is measured in full, unless another number is given.
const FILES: u64 = 2_000;

/// A reader is measured for at least so long.
const LONG_ENOUGH: u64 = 1_500_000_000;

/// The figures that are asked for.
const XG_FILES_A_SECOND: f64 = 400.0;
const SGF_MEGABYTES_A_SECOND: f64 = 300.0;
const TABLES_SECONDS: f64 = 15.0;
const MEMORY_MB: f64 = 400.0;

/// What may be measured by itself.
const PARTS: [&str; 5] = ["readers", "seasons", "real", "marts", "references"];

fn main() {
    // `cargo bench` passes `--bench`; a size may follow.
    let files: u64 = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(FILES);
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| PARTS.contains(&arg.as_str())).collect();
    let wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    if std::env::args().any(|arg| arg == "honesty") {
        honesty::printed(&[marts::sample(), honesty::Population::skewed()]);
        return;
    }
    println!("\n{}", watch::load());
    let mut asked = Vec::new();
    if wanted("readers") {
        readers(&mut asked);
    }
    if wanted("seasons") {
        seasons(files, &mut asked);
    }
    if wanted("real") {
        real_files();
    }
    if wanted("marts") {
        marts::measured(&mut asked);
    }
    if wanted("references") {
        references::measured(&mut asked);
    }
    println!("{:<52} {:>14} {:>14}", "", "asked", "met");
    for line in asked {
        println!("{line}");
    }
    println!("\n{}", watch::load());
}

fn asked_and_met(what: &str, asked: String, met: String) -> String {
    format!("{what:<52} {asked:>14} {met:>14}")
}

/// One thread, from bytes in memory to records.
fn readers(asked: &mut Vec<String>) {
    println!("readers: one thread, bytes in memory to records; seconds of the processor");
    println!("{:<14} {:>6} {:>16} {:>14} {:>21}", "", "files", "", "", "inflated");
    let xg: Vec<Vec<u8>> = (0..200).into_par_iter().map(|seed| xg_writer::write(&made(seed, XG))).collect();
    let sgf: Vec<Vec<u8>> = (0..100).into_par_iter().map(|seed| sgf_writer::write(&made(seed, SGF))).collect();
    let (files, _) = reader("made .xg", &xg);
    asked.push(asked_and_met(
        "made .xg, bytes to records, one thread",
        format!(">= {XG_FILES_A_SECOND:.0} files/s"),
        format!("{files:.0} files/s"),
    ));
    let (_, megabytes) = reader("made .sgf", &sgf);
    asked.push(asked_and_met(
        "made .sgf, bytes to records, one thread",
        format!(">= {SGF_MEGABYTES_A_SECOND:.0} MB/s"),
        format!("{megabytes:.0} MB/s"),
    ));
    if let Some(shared) = shared() {
        reader("real .xg", &contents(&shared.join("real"), "xg"));
        reader("corpus .sgf", &contents(&shared.join("corpus/gnubg/2026"), "sgf"));
    }
    println!();
}

/// Files and megabytes a second.
fn reader(what: &str, files: &[Vec<u8>]) -> (f64, f64) {
    let (started, mut rounds) = (watch::own_nanoseconds(), 0.0);
    let nanoseconds = loop {
        for bytes in files {
            std::hint::black_box(read(bytes, b"made").unwrap());
        }
        rounds += 1.0;
        let passed = watch::own_nanoseconds() - started;
        if passed >= LONG_ENOUGH {
            break passed;
        }
    };
    let a_second = |amount: usize| amount as f64 * rounds / (nanoseconds as f64 / 1e9);
    let count = a_second(files.len());
    let megabytes = a_second(files.iter().map(Vec::len).sum()) / 1e6;
    let inflated = a_second(files.iter().map(|bytes| inflated(bytes)).sum()) / 1e6;
    println!("{what:<14} {:>6} {count:>8.0} files/s {megabytes:>9.0} MB/s {inflated:>16.0} MB/s", files.len());
    (count, megabytes)
}

/// Size of the record stream of an `.xg`, as its registry says; a text is as large as it is.
fn inflated(bytes: &[u8]) -> usize {
    const TRAILER: usize = 36;
    const ENTRY: usize = 532;
    if !bytes.starts_with(b"RGMH") {
        return bytes.len();
    }
    let trailer = bytes.len() - TRAILER;
    let word = |at: usize| usize::try_from(u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())).unwrap();
    let (members, registry) = (word(trailer + 4), word(trailer + 12));
    let mut entries = vec![0; members * ENTRY];
    let packed = &bytes[trailer - registry..trailer];
    libdeflater::Decompressor::new().zlib_decompress(packed, &mut entries).unwrap();
    let size = |entry: &[u8]| u32::from_le_bytes(entry[512..516].try_into().unwrap()) as usize;
    entries.chunks_exact(ENTRY).map(size).sum()
}

/// Files in a folder of their own, which goes away with it.
struct Season {
    folder: tempfile::TempDir,
    files: usize,
    bytes: usize,
    inflated: usize,
}

impl Season {
    fn below(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// `files` new matches as `.xg`; no two are the same.
    fn made(files: u64) -> Self {
        let season = Self { folder: tempfile::tempdir().unwrap(), files: 0, bytes: 0, inflated: 0 };
        let raw = season.below("data/raw/2026/made");
        std::fs::create_dir_all(&raw).unwrap();
        let made: Vec<(String, usize, usize)> = (0..files)
            .into_par_iter()
            .map(|seed| {
                let record = made(1_000_000 + seed, XG);
                let bytes = xg_writer::write(&record);
                std::fs::write(raw.join(format!("{seed:06}.xg")), &bytes).unwrap();
                (identity(&record, &[0; 32]).match_id, bytes.len(), inflated(&bytes))
            })
            .collect();
        let ids: BTreeSet<&String> = made.iter().map(|(id, ..)| id).collect();
        assert_eq!(ids.len(), made.len(), "every made match is another");
        let (bytes, inflated) = made.iter().fold((0, 0), |sums, m| (sums.0 + m.1, sums.1 + m.2));
        Self { files: made.len(), bytes, inflated, ..season }
    }

    /// The first `files` of it.
    fn first(&self, files: u64) -> Self {
        let mut season = Self { folder: tempfile::tempdir().unwrap(), files: 0, bytes: 0, inflated: 0 };
        std::fs::create_dir_all(season.below("data/raw/2026/made")).unwrap();
        for seed in 0..files {
            let name = format!("data/raw/2026/made/{seed:06}.xg");
            std::fs::hard_link(self.below(&name), season.below(&name)).unwrap();
            season.take(&std::fs::read(self.below(&name)).unwrap());
        }
        season
    }

    fn take(&mut self, bytes: &[u8]) {
        self.files += 1;
        self.bytes += bytes.len();
        self.inflated += inflated(bytes);
    }

    /// Copies whole folders below `raw/`.
    fn copied(folders: &[(PathBuf, &str)]) -> Self {
        let mut season = Self { folder: tempfile::tempdir().unwrap(), files: 0, bytes: 0, inflated: 0 };
        for (from, to) in folders {
            for path in below(from) {
                let to = season.below("data/raw").join(to).join(path.strip_prefix(from).unwrap());
                let bytes = std::fs::read(&path).unwrap();
                std::fs::create_dir_all(to.parent().unwrap()).unwrap();
                std::fs::write(to, &bytes).unwrap();
                season.bytes += bytes.len();
                season.files += 1;
                // Broken files are among them: what does not open is as large as it is.
                season.inflated += std::panic::catch_unwind(|| inflated(&bytes)).unwrap_or(bytes.len());
            }
        }
        season
    }

    /// Empties the lake and the reports and runs one command.
    fn run(&self, command: &str, jobs: usize) -> Ran {
        for old in ["data/lake", "reports"] {
            let _ = std::fs::remove_dir_all(self.below(old));
        }
        watch::run(self.folder.path(), command, jobs)
    }

    fn report(&self, what: &str, jobs: usize, ran: &Ran) {
        println!(
            "portes run --jobs {jobs} over {what}: {} files, {:.0} MB, inflated {:.0} MB; {} matches, {} decisions, {} candidates",
            self.files,
            self.bytes as f64 / 1e6,
            self.inflated as f64 / 1e6,
            ran.count("matches"),
            ran.count("decisions"),
            ran.count("candidates"),
        );
        println!(
            "{:<10} {:>9} {:>11} {:>15} {:>21} {:>15} {:>10}",
            "", "clock", "processors", "", "", "inflated", "peak"
        );
        for stage in &ran.stages {
            self.line(&stage.name, (stage.seconds, stage.processors(9)), stage.peak_kb, ran);
        }
        self.line("whole", (ran.seconds, format!("{:>9.2}", ran.processor)), ran.peak_kb, ran);
        println!();
    }

    fn line(&self, name: &str, (seconds, processors): (f64, String), peak_kb: u64, ran: &Ran) {
        let rate = |amount: f64| amount / seconds.max(0.01);
        println!(
            "{name:<10} {seconds:>7.2} s {processors} s {:>7.0} files/s {:>9.0} decisions/s {:>10.0} MB/s {:>7.0} MB",
            rate(self.files as f64),
            rate(ran.count("decisions") as f64),
            rate(self.inflated as f64 / 1e6),
            megabytes(peak_kb),
        );
    }
}

fn megabytes(kb: u64) -> f64 {
    kb as f64 * 1024.0 / 1e6
}

/// The whole run at one size, files to tables at two others.
fn seasons(files: u64, asked: &mut Vec<String>) {
    let large = Season::made(files * 5 / 2);
    let season = large.first(files);
    for jobs in [1, 2] {
        let ran = season.run("run", jobs);
        season.report("made .xg", jobs, &ran);
        if jobs == 2 {
            let seconds = ["scan", "ingest"].iter().filter_map(|name| ran.stage(name)).map(|s| s.seconds).sum::<f64>();
            asked.push(asked_and_met(
                &format!("{files} made .xg to tables (scan, ingest), 2 jobs"),
                format!("<= {TABLES_SECONDS:.0} s"),
                format!("{seconds:.1} s"),
            ));
            asked.push(memory("whole run", season.files, &ran));
        }
    }
    for season in [large.first(files / 2), large] {
        let ran = season.run("ingest", 2);
        asked.push(memory("files to tables", season.files, &ran));
    }
}

fn memory(what: &str, files: usize, ran: &Ran) -> String {
    asked_and_met(
        &format!("peak memory, {what}, {files} files, 2 jobs"),
        format!("<= {MEMORY_MB:.0} MB"),
        format!("{:.0} MB", megabytes(ran.peak_kb)),
    )
}

/// The whole run over the real files and the corpus, where they are.
fn real_files() {
    let Some(shared) = shared() else {
        println!("real files: absent, not measured\n");
        return;
    };
    let from = |below: &str| shared.join(below);
    let season = Season::copied(&[
        (from("real"), "real/files"),
        (from("corpus/gnubg/2025"), "2025/all"),
        (from("corpus/gnubg/2026"), "2026/all"),
    ]);
    for jobs in [1, 2] {
        season.report("the real files and the corpus", jobs, &season.run("run", jobs));
    }
}

fn shared() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    root.join("real").exists().then_some(root)
}

fn contents(folder: &Path, extension: &str) -> Vec<Vec<u8>> {
    let wanted = |path: &PathBuf| path.extension().is_some_and(|e| e == extension);
    below(folder).into_iter().filter(wanted).map(|path| std::fs::read(path).unwrap()).collect()
}

/// Every file of a folder and of those in it, sorted.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut paths, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    paths
}
