//! A night is published whole or not at all, whatever kills it.

use super::rows::{Played, played, write, write_bucket};
use portes::tables::TableFault;
use portes::tables::durable;
use portes::tables::facts::MatchRow;
use portes::tables::lake::{self, Lake};
use portes::tables::part;
use portes::tables::sealed::Verdict;
use portes::tables::snapshot::{self, Building, Published, Stamp};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// Season 2025 never changes; season 2026 has `matches` matches.
fn build(lake: &Lake, matches: u64) -> Building {
    let building = Building::begin(lake.clone()).unwrap();
    let current = lake.current();
    if current.exists() {
        for table in ["matches", "analyses", "games", "decisions", "candidates", "comments", "moments", "cells"] {
            for part in lake::season_parts(&current, table, "2025").unwrap() {
                building.keep(table, &part).unwrap();
            }
        }
    } else {
        write_bucket(building.dir(), ("2025", "0"), &[played("2025", 1_000)]);
    }
    let season: Vec<Played> = (1..=matches).map(|n| played("2026", n)).collect();
    write_bucket(building.dir(), ("2026", "0"), &season);
    building
}

fn publish(lake: &Lake, matches: u64, kept: usize) -> Published {
    match build(lake, matches).check().unwrap() {
        Verdict::Sound(checked) => checked.publish(kept).unwrap(),
        Verdict::Broken(_, findings) => panic!("{findings:#?}"),
    }
}

/// Every file of a folder, by its path below it.
fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![dir.canonicalize().unwrap()];
    let root = folders[0].clone();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Matches of season 2026 that a reader of this folder sees, and whether its other tables tell of as many.
fn seen(dir: &Path) -> Option<usize> {
    let count = |table: &'static str| -> Option<u64> {
        let parts = lake::season_parts(dir, table, "2026").ok()?;
        (parts.len() == 1).then(|| part::rows(&parts[0].path, table).ok())?
    };
    let (matches, decisions, moments) = (count("matches")?, count("decisions")?, count("moments")?);
    (decisions == 6 * matches && moments == 4 * matches).then(|| usize::try_from(matches).unwrap())
}

#[test]
fn current_is_a_relative_link_and_unchanged_parts_are_the_same_file() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::at(dir.path().join("lake"));
    let first = publish(&lake, 2, 7);
    assert_eq!(std::fs::read_link(lake.current()).unwrap(), Path::new("snapshots/1"));
    let second = publish(&lake, 3, 7);
    assert_eq!((first.number, second.number, seen(&lake.current())), (1, 2, Some(3)));
    let inode = |published: &Published| {
        let part = lake::season_parts(&published.dir, "decisions", "2025").unwrap().remove(0);
        std::fs::metadata(part.path).unwrap().ino()
    };
    assert_eq!(inode(&first), inode(&second));
    let names: Vec<String> = contents(&lake.current()).into_keys().filter(|name| !name.contains('/')).collect();
    assert_eq!(names, ["dictionary.md", "snapshot.json", "views.sql"]);
    assert!(!lake.next().exists());
}

#[test]
fn the_same_tables_make_the_same_snapshot_by_any_way() {
    let dir = tempfile::tempdir().unwrap();
    let (straight, detour) = (Lake::at(dir.path().join("a")), Lake::at(dir.path().join("b")));
    publish(&straight, 3, 7);
    for matches in [1, 5, 2, 3] {
        publish(&detour, matches, 2);
    }
    assert_eq!(contents(&straight.current()), contents(&detour.current()));
}

#[test]
fn the_newest_are_kept_and_rollback_goes_to_the_one_before() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::at(dir.path());
    assert!(matches!(snapshot::rollback(&lake), Err(TableFault::NoEarlier { .. })));
    for matches in 1..=5 {
        publish(&lake, matches, 3);
    }
    assert_eq!(lake.numbers().unwrap(), [3, 4, 5]);
    assert_eq!(snapshot::rollback(&lake).unwrap().number, 4);
    assert_eq!(snapshot::rollback(&lake).unwrap().number, 3);
    assert_eq!(seen(&lake.current()), Some(3));
    assert!(matches!(snapshot::rollback(&lake), Err(TableFault::NoEarlier { .. })));
    assert_eq!(seen(&lake.current()), Some(3));
    // What was rolled back over does not come back.
    assert_eq!(publish(&lake, 9, 3).number, 4);
    assert_eq!(lake.numbers().unwrap(), [3, 4]);
    assert_eq!(snapshot::rollback(&lake).unwrap().number, 3);
}

#[test]
fn a_broken_snapshot_is_handed_back_and_current_stays() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::at(dir.path());
    publish(&lake, 2, 7);
    let building = build(&lake, 3);
    write(building.dir(), ("2026", "0"), Vec::<MatchRow>::new());
    let Verdict::Broken(building, findings) = building.check().unwrap() else { panic!("two parts of one bucket") };
    assert_eq!(findings.iter().map(|f| f.check).collect::<Vec<_>>(), ["one_part"]);
    assert_eq!(seen(&lake.current()), Some(2));
    // Mended: only the part with rows stays.
    let full = |part: &lake::Listed| part::rows(&part.path, "matches").unwrap() > 0;
    let parts = lake::season_parts(building.dir(), "matches", "2026").unwrap();
    let names: BTreeSet<String> = parts.into_iter().filter(full).map(|part| part.name).collect();
    building.retain(("matches", "2026"), &names).unwrap();
    let Verdict::Sound(checked) = building.check().unwrap() else { panic!("mended") };
    checked.publish(7).unwrap();
    assert_eq!(seen(&lake.current()), Some(3));
}

#[test]
fn a_derived_table_made_from_other_facts_is_stale() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::at(dir.path());
    let mut building = build(&lake, 2);
    building.made_from([("moments", &["decisions"][..])]).unwrap();
    drop(building);
    // Another process goes on with what lies in `next`.
    let building = Building::resume(lake.clone()).unwrap();
    assert_eq!(seen(building.dir()), Some(2));
    let Verdict::Sound(_) = building.check().unwrap() else { panic!("nothing changed since") };
    let mut building = Building::resume(lake.clone()).unwrap();
    write_bucket(building.dir(), ("2027", "0"), &[played("2027", 77)]);
    let Verdict::Broken(broken, findings) = building.check().unwrap() else { panic!("decisions changed") };
    assert_eq!(findings.iter().map(|f| (f.check, f.table)).collect::<Vec<_>>(), [("fresh", "moments")]);
    building = broken;
    building.made_from([("moments", &["decisions"][..])]).unwrap();
    assert!(matches!(building.check().unwrap(), Verdict::Sound(_)));
}

#[test]
fn a_newer_lake_is_refused_with_a_clear_message() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::at(dir.path());
    let published = publish(&lake, 1, 7);
    let stamp = published.dir.join("snapshot.json");
    assert_eq!(std::fs::read_to_string(&stamp).unwrap(), "{\n  \"schema\": 1\n}\n");
    std::fs::remove_file(&stamp).unwrap();
    std::fs::write(&stamp, r#"{"schema": 2, "shape": ["of", "its", "own"]}"#).unwrap();
    let fault = Building::begin(lake.clone()).unwrap_err();
    assert!(fault.to_string().contains("has table schema 2, this program reads 1: use the newer portes"), "{fault}");
    assert!(Stamp::read(&lake.current()).is_err());
}

#[test]
fn an_older_lake_is_built_again_and_nothing_of_it_is_trusted() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::at(dir.path());
    let published = publish(&lake, 1, 7);
    for snapshot in [published.dir.clone(), lake.next()] {
        std::fs::create_dir_all(&snapshot).unwrap();
        let stamp = snapshot.join("snapshot.json");
        let _ = std::fs::remove_file(&stamp);
        std::fs::write(&stamp, r#"{"schema": 0}"#).unwrap();
    }
    std::fs::write(lake.next().join("something"), b"of an older shape").unwrap();
    let building = Building::resume(lake.clone()).unwrap();
    assert!(!building.follows() && !building.dir().join("something").exists());
    // A part that `current` holds too, with bytes that no name vouches for now.
    let part = lake::season_parts(&lake.current(), "games", "2026").unwrap().remove(0);
    let kept = lake::table_dir(building.dir(), "games", "2026");
    std::fs::create_dir_all(&kept).unwrap();
    std::fs::write(kept.join(&part.name), b"of an older shape").unwrap();
    let Verdict::Broken(_, findings) = building.check().unwrap() else { panic!("damage was trusted") };
    assert_eq!((findings[0].check, findings[0].table), ("own_content", "games"));
    assert!(Building::begin(lake).is_ok());
}

#[test]
fn a_stamp_that_a_power_cut_tore_begins_the_snapshot_anew() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::at(dir.path());
    std::fs::create_dir_all(lake.next()).unwrap();
    std::fs::write(lake.next().join("snapshot.json"), [0; 40]).unwrap();
    std::fs::write(lake.next().join("something"), b"beside it").unwrap();
    let building = Building::resume(lake.clone()).unwrap();
    assert!(!building.dir().join("something").exists());
    // One that counts vouches for nothing then: no part of it is taken over.
    let published = publish(&lake, 1, 50);
    std::fs::remove_file(published.dir.join("snapshot.json")).unwrap();
    std::fs::write(published.dir.join("snapshot.json"), [0; 40]).unwrap();
    assert!(!Building::resume(lake).unwrap().follows());
}

#[test]
fn a_reader_never_sees_half_a_night() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::at(dir.path());
    publish(&lake, 1, 50);
    let done = AtomicBool::new(false);
    let looks = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let (mut looks, mut last) = (0, 0);
            while !done.load(Ordering::SeqCst) {
                // Who follows the link once reads one night.
                let night = lake.current().canonicalize().expect("current is always there");
                let matches = seen(&night).expect("a whole night");
                assert!(matches >= last, "time runs forward");
                (last, looks) = (matches, looks + 1);
            }
            looks
        });
        for matches in 2..=12 {
            publish(&lake, matches, 50);
        }
        done.store(true, Ordering::SeqCst);
        reader.join().unwrap()
    });
    assert!(looks > 0);
}

/// Tells the child below where to work and at which act to die.
const ABORT: &str = "PORTES_TEST_ABORT_AT";
const ROOT: &str = "PORTES_TEST_LAKE";

/// Not a test by itself: the night that [`a_night_killed_at_any_act_leaves_the_old_or_the_new`] kills.
#[test]
fn one_night_of_a_child() {
    let (Ok(act), Ok(root)) = (std::env::var(ABORT), std::env::var(ROOT)) else { return };
    durable::abort_at(act.parse().unwrap());
    publish(&Lake::at(root), 3, 2);
}

/// A folder in memory where the system has one: a killed process leaves the same there, and a sync costs nothing.
fn quick_folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

#[test]
fn a_night_killed_at_any_act_leaves_the_old_or_the_new() {
    let dir = quick_folder();
    let undisturbed = Lake::at(dir.path().join("undisturbed"));
    publish(&undisturbed, 2, 2);
    publish(&undisturbed, 3, 2);
    let (old, new) = (contents(&undisturbed.snapshot(1)), contents(&undisturbed.snapshot(2)));
    for before in [false, true] {
        let mut killed = 0;
        for act in 0.. {
            let lake = Lake::at(dir.path().join(format!("{before}-{act}")));
            if before {
                publish(&lake, 2, 2);
            }
            let child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "tables::lakes::one_night_of_a_child"])
                .env(ABORT, act.to_string())
                .env(ROOT, lake.root())
                .output()
                .unwrap();
            if child.status.success() {
                break;
            }
            killed += 1;
            match lake.current_number().unwrap() {
                None => assert!(!before, "act {act}"),
                Some(1) if before => assert_eq!(contents(&lake.current()), old, "act {act}"),
                Some(_) => assert_eq!(contents(&lake.current()), new, "act {act}"),
            }
            publish(&lake, 3, 2);
            assert_eq!(contents(&lake.current()), new, "act {act}");
            assert!(!lake.next().exists());
            let left = contents(lake.root());
            assert!(left.keys().all(|name| !name.contains("unfinished")), "act {act}: {:?}", left.keys());
            assert!(std::fs::symlink_metadata(lake.root().join(".unfinished-link")).is_err(), "act {act}");
        }
        assert!(killed > 20, "only {killed} acts");
    }
}
