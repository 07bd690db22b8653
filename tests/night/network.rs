//! No network, ever: the whole pipeline runs the same where there is none.

use super::{Place, ran, tool};
use crate::support::made::{SGF, XG, made};
use crate::support::{mat_writer, sgf_writer, xg_writer};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

fn place() -> Place {
    let place = Place::new();
    place.put("2026/cup/a.xg", xg_writer::write(&made(1, XG)));
    place.put("2026/cup/b.sgf", sgf_writer::write(&made(2, SGF)));
    place.put("2025/open/c.mat", mat_writer::write(&made(3, SGF)));
    place.put("2026/cup/places.csv", "player,place\nBramblewick,1\n");
    place.put("2026/study.csv", "date,match,game,move\n2026-01-05,a.xg,1,2\n");
    std::fs::write(place.root().join("portes.toml"), "[players]\nmain = \"Bramblewick\"\n").unwrap();
    place
}

/// Every file of the lake's current snapshot and of the reports, by its path.
fn contents(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let current = std::fs::canonicalize(place.lake().current()).unwrap();
    for root in [current, place.reports()] {
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    all.insert(path.strip_prefix(&root).unwrap().display().to_string(), std::fs::read(&path).unwrap());
                }
            }
        }
    }
    all
}

/// What a command says, but for when the last run was and how long it took.
fn timeless(said: &str) -> String {
    let of_the_clock = |line: &&str| line.starts_with("last run: ") || line.starts_with("  ");
    said.lines().filter(|line| !of_the_clock(line)).collect::<Vec<_>>().join("\n")
}

/// A command in a network name space of its own, where nothing is connected to anything.
fn alone(place: &Place, words: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command.args(["-rn", "--"]).args(words).current_dir(place.root());
    command
}

#[test]
fn the_whole_pipeline_runs_without_a_network_and_writes_the_same() {
    if tool("unshare").is_none() {
        return;
    }
    let (cut_off, connected) = (place(), place());
    let devices = alone(&cut_off, &["cat", "/proc/net/dev", "/proc/net/route"]).output().unwrap();
    if !devices.status.success() {
        let said = String::from_utf8_lossy(&devices.stderr).into_owned();
        eprintln!("SKIPPED: unshare is refused here ({}), this promise was not checked", said.trim());
        return;
    }
    let seen = String::from_utf8(devices.stdout).unwrap();
    let devices: Vec<&str> =
        seen.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name.trim()).collect();
    assert_eq!(devices, ["lo"], "cut off from everything");
    for words in [
        &["run"][..],
        &["status"],
        &["names"],
        &["config"],
        &["check"],
        &["inspect", "data/raw/2026/cup/a.xg"],
        &["measure", "--only", "player_season"],
        &["render"],
        &["run"],
    ] {
        let here = ran(alone(&cut_off, &[&[super::PORTES], words].concat()));
        let there = connected.portes(words);
        assert_eq!((here.code, timeless(&here.out)), (0, timeless(&there.out)), "{words:?}: {}", here.err);
    }
    let (here, there) = (contents(&cut_off), contents(&connected));
    assert!(here.len() > 40 && here.keys().any(|name| Path::new(name).ends_with("index.html")));
    assert!(here == there, "the same bytes");
}
