//! `make bench`: how fast, and in how much memory. New matches every time they are made (all match_ids different,
//! asserted), and the real files where they are present. Prints; asserts no time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    dead_code
)]

#[path = "../support/made.rs"]
mod made;
#[path = "../support/sgf_writer.rs"]
mod sgf_writer;
#[path = "../support/xg_writer.rs"]
mod xg_writer;

use made::{SGF, Shape, XG, made};
use portes::ingest::identity::identity;
use portes::ingest::{read, record::Record};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    // `cargo bench` passes `--bench`; a size may follow: `cargo bench --bench night -- 500`.
    let scale: u64 = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(2_000);
    readers();
    for (files, jobs) in [(scale, 1), (scale, 2), (scale / 2, 2), (scale * 5 / 2, 2)] {
        whole_run(files, jobs);
    }
    real_files();
}

/// One thread, from bytes in memory to records.
fn readers() {
    println!("readers, one thread, bytes to records");
    println!("{:<28} {:>8} {:>10} {:>10} {:>14}", "", "files", "files/s", "MB/s", "inflated MB/s");
    let xg: Vec<Vec<u8>> = (0..200).into_par_iter().map(|seed| xg_writer::write(&made(seed, XG))).collect();
    reader_line("made .xg", &xg);
    let sgf: Vec<Vec<u8>> = (0..100).into_par_iter().map(|seed| sgf_writer::write(&made(seed, SGF))).collect();
    reader_line("made .sgf", &sgf);
    if let Some(shared) = shared() {
        reader_line("real .xg", &contents(&shared.join("real"), "xg"));
        reader_line("corpus .sgf", &contents(&shared.join("corpus/gnubg/2026"), "sgf"));
    }
    println!();
}

fn reader_line(what: &str, files: &[Vec<u8>]) {
    let rounds = (200 / files.len()).max(1);
    let started = Instant::now();
    for _ in 0..rounds {
        for bytes in files {
            std::hint::black_box(read(bytes, b"made").unwrap());
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let count = (files.len() * rounds) as f64;
    let bytes = files.iter().map(Vec::len).sum::<usize>() as f64 * rounds as f64;
    let inflated = files.iter().map(|bytes| inflated(bytes)).sum::<usize>() as f64 * rounds as f64;
    println!(
        "{what:<28} {:>8} {:>10.0} {:>10.0} {:>14.0}",
        files.len(),
        count / seconds,
        bytes / seconds / 1e6,
        inflated / seconds / 1e6
    );
}

/// Size of the record stream of an `.xg`, as its registry says; a text is as large as it is.
fn inflated(bytes: &[u8]) -> usize {
    const TRAILER: usize = 36;
    if !bytes.starts_with(b"RGMH") {
        return bytes.len();
    }
    let trailer = bytes.len() - TRAILER;
    let word = |at: usize| usize::try_from(u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())).unwrap();
    let (members, registry) = (word(trailer + 4), word(trailer + 12));
    let mut entries = vec![0; members * 532];
    let packed = &bytes[trailer - registry..trailer];
    libdeflater::Decompressor::new().zlib_decompress(packed, &mut entries).unwrap();
    (0..members).map(|i| u32::from_le_bytes(entries[i * 532 + 512..i * 532 + 516].try_into().unwrap()) as usize).sum()
}

/// The program itself over `files` new matches.
fn whole_run(files: u64, jobs: usize) {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, decisions) = make_season(&folder.path().join("data/raw/2026/made"), files, XG);
    let ran = run(folder.path(), jobs, "ingest");
    println!("portes ingest over {files} made .xg ({:.0} MB), --jobs {jobs}", bytes as f64 / 1e6);
    println!(
        "  {:.1} s, {:.0} files/s, {:.0} decisions/s, peak memory {} MB",
        ran.seconds,
        files as f64 / ran.seconds,
        decisions as f64 / ran.seconds,
        ran.peak_kb / 1024
    );
    if files <= 2_000 {
        let ran = run(folder.path(), jobs, "run");
        println!("portes run over the same: {:.1} s, peak memory {} MB; its stages:", ran.seconds, ran.peak_kb / 1024);
        for line in ran.stages {
            println!("  {line}");
        }
    }
    println!();
}

/// Writes `files` matches, asserts that no two are the same, and gives their bytes and actions.
fn make_season(folder: &Path, files: u64, shape: Shape) -> (u64, u64) {
    std::fs::create_dir_all(folder).unwrap();
    let made: Vec<(String, u64, u64)> = (0..files)
        .into_par_iter()
        .map(|seed| {
            let record: Record = made(1_000_000 + seed, shape);
            let bytes = xg_writer::write(&record);
            std::fs::write(folder.join(format!("{seed:06}.xg")), &bytes).unwrap();
            let actions = record.games.iter().map(|game| game.actions.len() as u64).sum();
            (identity(&record, &[0; 32]).match_id, bytes.len() as u64, actions)
        })
        .collect();
    let ids: BTreeSet<&String> = made.iter().map(|(id, _, _)| id).collect();
    assert_eq!(ids.len() as u64, files, "every made match is another");
    (made.iter().map(|m| m.1).sum(), made.iter().map(|m| m.2).sum())
}

struct Ran {
    seconds: f64,
    peak_kb: u64,
    stages: Vec<String>,
}

fn run(folder: &Path, jobs: usize, command: &str) -> Ran {
    let errors = std::fs::File::create(folder.join("stderr")).unwrap();
    let started = Instant::now();
    let child = Command::new(env!("CARGO_BIN_EXE_portes"))
        .arg(command)
        .args(["--jobs", &jobs.to_string(), "--data"])
        .arg(folder.join("data"))
        .arg("--reports")
        .arg(folder.join("reports"))
        .stdout(Stdio::null())
        .stderr(errors)
        .current_dir(folder)
        .spawn()
        .unwrap();
    let (code, peak_kb) = watched(child);
    let seconds = started.elapsed().as_secs_f64();
    let said = std::fs::read_to_string(folder.join("stderr")).unwrap();
    assert_eq!(code, Some(0), "{said}");
    Ran { seconds, peak_kb, stages: said.lines().map(str::to_owned).collect() }
}

/// Waits for the program, reading the kernel's own high-water mark of its memory while it lives.
fn watched(mut child: Child) -> (Option<i32>, u64) {
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = 0;
    loop {
        if let Ok(text) = std::fs::read_to_string(&status) {
            let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            peak = peak.max(mark.and_then(|kb| kb.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0));
        }
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code(), peak);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The whole run over the real files and the corpus, where they are.
fn real_files() {
    let Some(shared) = shared() else {
        println!("real files: absent, not measured");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let raw = folder.path().join("data/raw");
    for (from, to) in [("real", "real/files"), ("corpus/gnubg/2025", "2025/all"), ("corpus/gnubg/2026", "2026/all")] {
        copy_all(&shared.join(from), &raw.join(to));
    }
    for jobs in [1, 2] {
        let ran = run(folder.path(), jobs, "run");
        println!(
            "portes run over the real files and the corpus, --jobs {jobs}: {:.1} s, peak memory {} MB",
            ran.seconds,
            ran.peak_kb / 1024
        );
    }
}

fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &to);
        } else {
            std::fs::write(to, std::fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

fn shared() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    root.join("real").exists().then_some(root)
}

fn contents(folder: &Path, extension: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}
