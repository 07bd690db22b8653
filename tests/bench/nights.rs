//! `make bench`: a night among nights. A lake of thousands of matches, a run with nothing to do, a run with ten new files,
//! each against the rebuild of the same; and the memory of rebuilds of two sizes. Every made match is another.
//!
//! `cargo bench --bench nights -- 2000` takes lakes of 2,000 and 8,000 matches instead of 5,000 and 20,000.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, missing_docs, unreachable_pub, dead_code)]

#[path = "../support/made.rs"]
mod made;
mod watch;
#[path = "../support/xg_writer.rs"]
mod xg_writer;

use made::{Chance, XG, made};
use portes::ingest::record::Record;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use watch::Ran;

/// Matches of the lake that nights are added to, and how many times as many the large rebuild has.
const MATCHES: u64 = 5_000;
const LARGE: u64 = 4;

/// Members of the club: at 5,000 matches a season each plays fifty.
const MEMBERS: u64 = 200;

/// Files of a night.
const NEW: u64 = 10;

/// The figures that are asked for.
const IDLE_SECONDS: f64 = 0.5;
const NIGHT_SECONDS: f64 = 5.0;
const NIGHT_SHARE: f64 = 30.0;
const MEMORY_MB: f64 = 500.0;

fn main() {
    let matches: u64 = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(MATCHES);
    println!("\n{}", watch::load());
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 0..matches);
    // A file read within two seconds of its writing is read again; a night comes later.
    std::thread::sleep(Duration::from_secs(3));
    let rebuild = told("rebuild", folder.path());
    let before = tree(&folder.path().join("data/lake/current"));
    let idle = told("nothing to do", folder.path());
    assert!(before == tree(&folder.path().join("data/lake/current")), "no byte changed");
    write(folder.path(), matches..matches + NEW);
    let night = told("ten new files", folder.path());
    println!("{:<52} {:>14} {:>14}", "", "asked", "met");
    line(
        &format!("nothing to do, {matches} matches"),
        format!("<= {IDLE_SECONDS} s"),
        format!("{:.2} s", idle.seconds),
    );
    line(
        &format!("{NEW} new files, {matches} matches"),
        format!("<= {NIGHT_SECONDS:.0} s"),
        format!("{:.2} s", night.seconds),
    );
    line(
        "the same against a rebuild",
        format!("<= 1/{NIGHT_SHARE:.0}"),
        format!("1/{:.0}", rebuild.seconds / night.seconds),
    );
    memory(matches, &rebuild);
    write(folder.path(), matches + NEW..matches * LARGE);
    for old in ["data/lake", "reports"] {
        std::fs::remove_dir_all(folder.path().join(old)).unwrap();
    }
    memory(matches * LARGE, &told("rebuild", folder.path()));
    println!("\n{}", watch::load());
}

fn write(folder: &Path, seeds: std::ops::Range<u64>) {
    let raw = folder.join("data/raw/2026/made");
    std::fs::create_dir_all(&raw).unwrap();
    seeds.into_par_iter().for_each(|seed| {
        std::fs::write(raw.join(format!("{seed:06}.xg")), xg_writer::write(&of_club(seed))).unwrap();
    });
}

/// A made match between two members of the club.
fn of_club(seed: u64) -> Record {
    let mut record = made(2_000_000 + seed, XG);
    let mut chance = Chance::new(3_000_000 + seed);
    let first = chance.below(MEMBERS);
    let second = (first + 1 + chance.below(MEMBERS - 1)) % MEMBERS;
    for (player, member) in record.players.iter_mut().zip([first, second]) {
        player.name = format!("Member {member:03}");
    }
    record
}

fn told(what: &str, folder: &Path) -> Ran {
    let ran = watch::run(folder, "run", 2);
    println!("portes run --jobs 2, {what}");
    for stage in &ran.stages {
        println!(
            "{:<10} {:>7.2} s clock {:>7.2} s processors {:>6.0} MB   {}",
            stage.name,
            stage.seconds,
            stage.processor,
            stage.peak_kb as f64 * 1024.0 / 1e6,
            stage.told
        );
    }
    println!("{:<10} {:>7.2} s clock {:>7.2} s processors\n", "whole", ran.seconds, ran.processor);
    ran
}

fn memory(matches: u64, ran: &Ran) {
    let met = format!("{:.0} MB", ran.peak_kb as f64 * 1024.0 / 1e6);
    line(&format!("peak memory of a rebuild, {matches} matches"), format!("<= {MEMORY_MB:.0} MB"), met);
}

fn line(what: &str, asked: String, met: String) {
    println!("{what:<52} {asked:>14} {met:>14}");
}

/// Every file of a snapshot by its path, with its size and inode.
fn tree(root: &Path) -> BTreeMap<String, (u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let root = root.canonicalize().unwrap();
    let (mut files, mut folders) = (BTreeMap::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, meta) = (entry.path(), entry.metadata().unwrap());
            if meta.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(&root).unwrap().display().to_string(), (meta.len(), meta.ino()));
            }
        }
    }
    files
}
