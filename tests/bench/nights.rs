//! `make bench`: a night among nights. A lake of thousands of matches, a run with nothing to do, usual runs with ten new
//! files each, played after all others, and one with ten files whose dates lie anywhere in the season, so that the Academy
//! learns again from there and everybody's rating moves; each against the rebuild of the same; and the memory of rebuilds
//! of two sizes. Every made match is another. Of the usual nights the one in the middle counts: a second is soon lost to
//! whatever else the machine does.
//!
//! `cargo bench --bench nights -- 2000` takes lakes of 2,000 and 8,000 matches instead of 5,000 and 20,000.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, missing_docs, unreachable_pub, dead_code)]

#[path = "../support/made.rs"]
mod made;
mod watch;
#[path = "../support/xg_writer.rs"]
mod xg_writer;

use jiff::ToSpan as _;
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

/// Usual nights.
const NIGHTS: u64 = 3;

/// The figures that are asked for.
const IDLE_SECONDS: f64 = 0.5;
const NIGHT_SECONDS: f64 = 5.0;
const NIGHT_SHARE: f64 = 30.0;
const MEMORY_MB: f64 = 500.0;

fn main() {
    let matches: u64 = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(MATCHES);
    println!("\n{}", watch::load());
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 0..matches, &of_club);
    // A file read within two seconds of its writing is read again; a night comes later.
    std::thread::sleep(Duration::from_secs(3));
    let rebuild = told("rebuild", folder.path());
    let before = tree(&folder.path().join("data/lake/current"));
    let idle = told("nothing to do", folder.path());
    assert!(before == tree(&folder.path().join("data/lake/current")), "no byte changed");
    let mut usual: Vec<Ran> = (0..NIGHTS)
        .map(|night| {
            let first = matches + night * NEW;
            write(folder.path(), first..first + NEW, &of_day_after(night));
            told("ten new files, played after all others", folder.path())
        })
        .collect();
    usual.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let usual = usual.swap_remove(usual.len() / 2);
    let (before, after) = (matches + NIGHTS * NEW, matches + (NIGHTS + 1) * NEW);
    write(folder.path(), before..after, &of_club);
    let spread = told("ten new files, dates spread over the season", folder.path());
    println!("{:<58} {:>14} {:>14}", "", "asked", "met");
    line(
        &format!("nothing to do, {matches} matches"),
        format!("<= {IDLE_SECONDS} s"),
        format!("{:.2} s", idle.seconds),
    );
    against("played after all others", &usual, &rebuild);
    against("dates spread over the season", &spread, &rebuild);
    memory(matches, &rebuild);
    write(folder.path(), after..matches * LARGE, &of_club);
    for old in ["data/lake", "reports"] {
        std::fs::remove_dir_all(folder.path().join(old)).unwrap();
    }
    memory(matches * LARGE, &told("rebuild", folder.path()));
    println!("\n{}", watch::load());
}

/// What a night with new files took, on its own and against the rebuild, and what of it the marts did.
fn against(dates: &str, night: &Ran, rebuild: &Ran) {
    let what = format!("{NEW} new files, {dates}");
    line(&what, format!("<= {NIGHT_SECONDS:.0} s"), format!("{:.2} s", night.seconds));
    let share = format!("1/{:.0}", rebuild.seconds / night.seconds);
    line("  the same against a rebuild", format!("<= 1/{NIGHT_SHARE:.0}"), share);
    let measure = |ran: &Ran| ran.stage("measure").map_or(0.0, |stage| stage.seconds);
    line("  its marts, against those of a rebuild", String::new(), format!("{:.2} s", measure(night)));
    println!("    {}; of a rebuild {:.2} s", night.stage("measure").map_or("", |stage| &stage.told), measure(rebuild));
}

/// The match of each of these seeds, as a file. A night comes long after the one before it: what that one wrote is on the
/// disk by then.
fn write(folder: &Path, seeds: std::ops::Range<u64>, played: &(dyn Fn(u64) -> Record + Sync)) {
    let raw = folder.join("data/raw/2026/made");
    std::fs::create_dir_all(&raw).unwrap();
    seeds.into_par_iter().for_each(|seed| {
        std::fs::write(raw.join(format!("{seed:06}.xg")), xg_writer::write(&played(seed))).unwrap();
    });
    assert!(std::process::Command::new("sync").status().unwrap().success());
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

/// Other ones, played when the season's made matches are over, night after night.
fn of_day_after(night: u64) -> impl Fn(u64) -> Record {
    let nights = i64::try_from(night).unwrap().days();
    let date = jiff::civil::date(2026, 12, 31).saturating_add(nights);
    move |seed| Record { date: Some(date), ..of_club(seed) }
}

fn told(what: &str, folder: &Path) -> Ran {
    let ran = watch::run(folder, "run", 2);
    println!("portes run --jobs 2, {what}");
    for stage in &ran.stages {
        println!(
            "{:<10} {:>7.2} s clock {} s processors {:>6.0} MB   {}",
            stage.name,
            stage.seconds,
            stage.processors(7),
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
    println!("{what:<58} {asked:>14} {met:>14}");
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
