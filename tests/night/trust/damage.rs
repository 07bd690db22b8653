//! Damage in what earlier nights left: the night that stumbles over it makes everything anew and says so, and what lies in the
//! way of a folder or a file of ours keeps no night from its end.

use super::super::Place;
use super::super::same_bytes::tree;
use super::{Files, SHORT, Whole, age, lay, quick, resolved, short};
use crate::support::made::made;
use crate::support::xg_writer;
use portes::ingest::record::Record;
use portes::tables::lake;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

fn files(count: u64) -> Files {
    let (study, head) = ("2026/study.csv".to_owned(), "date,position,action\n");
    let position = "XGID=a-B-BBBAAbA-b-----BcdaBb--:0:0:1:00:1:0:0:7:10";
    let log = format!("{head}2026-01-0{count},{position},mark\n");
    let matches = (0..count).map(|seed| (format!("2026/{seed}.xg"), short(seed)));
    matches.chain([(study, log.into_bytes())]).collect()
}

/// Published files are read-only; damage does not ask, and a part may lie in several snapshots.
fn damage(path: &Path, how: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    how(&mut bytes);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn part(place: &Place, table: &str) -> PathBuf {
    lake::parts(&place.lake().current(), table).unwrap().remove(0).path
}

#[test]
fn a_night_that_meets_damage_makes_everything_anew() {
    let (before, after) = (files(3), files(4));
    let expected = Whole::undisturbed(&after);
    let mut told = 0;
    for table in ["games", "matches", "decisions", "candidates", "cells", "errors", "player_season", "academy_tree"] {
        for cut in [true, false] {
            let (place, when) = (quick(), format!("{table}, cut {cut}"));
            lay(&place, &before);
            place.run(0);
            damage(&part(&place, table), |bytes| match cut {
                true => bytes.truncate(bytes.len() - 100),
                // In the footer, which is read first.
                false => *bytes.iter_mut().rev().nth(40).unwrap() ^= 0x20,
            });
            lay(&place, &after);
            let night = place.portes(&["run", "--quiet"]);
            assert_eq!(night.code, 0, "{when}: {}", night.err);
            told += usize::from(night.err.contains("everything is made anew"));
            let check = place.portes(&["check"]);
            // A part that the night neither read nor wrote is for `check` to find.
            if check.code == 5 {
                place.run(0);
                assert_eq!(place.portes(&["check"]).code, 0, "{when}");
            }
            let (mut now, mut expected) = (Whole::of(&place), expected.clone());
            for whole in [&mut now, &mut expected] {
                whole.tables.retain(|name, _| name != "snapshot.json");
            }
            now.assert_is(&expected, &when);
        }
    }
    assert!(told >= 2, "told {told} times");
}

/// The parts of a month that is over are carried, and nobody reads them but whoever counts their rows.
#[test]
fn no_night_publishes_a_part_that_cannot_be_read() {
    let dated = |seed: u64, month: i8| {
        xg_writer::write(&Record { date: Some(jiff::civil::date(2026, month, 7)), ..made(seed, SHORT) })
    };
    let before: Files = (1..=2).map(|month| (format!("2026/{month}.xg"), dated(month as u64, month))).collect();
    let after: Files = before.clone().into_iter().chain([("2026/3.xg".to_owned(), dated(3, 3))]).collect();
    let expected = Whole::undisturbed(&after);
    for table in ["academy_filings", "academy_contests", "academy_ratings", "academy_advice"] {
        let place = quick();
        lay(&place, &before);
        place.run(0);
        damage(&part(&place, table), Vec::clear);
        lay(&place, &after);
        let night = place.portes(&["run", "--quiet"]);
        assert_eq!(night.code, 0, "{table}: {}", night.err);
        assert!(night.err.contains("everything is made anew"), "{table}: {}", night.err);
        Whole::of(&place).assert_is(&expected, table);
        assert_eq!(place.portes(&["check"]).code, 0, "{table}");
    }
}

#[test]
fn a_rebuild_takes_no_page_over_that_was_made_of_damage() {
    let moved = |files: Files, season: &str| -> Files {
        files.into_iter().map(|(path, bytes)| (path.replacen("2026", season, 1), bytes)).collect()
    };
    let old = moved((0..2).map(|seed| (format!("2026/{seed}.xg"), short(seed))).collect(), "2025");
    let before: Files = old.into_iter().chain(files(3).into_iter().filter(|(path, _)| path.contains("2.xg"))).collect();
    let after: Files = before.clone().into_iter().chain([("2026/7.xg".to_owned(), short(7))]).collect();
    let place = quick();
    lay(&place, &before);
    place.run(0);
    damage(&part(&place, "academy_measures"), |bytes| {
        let at = bytes.windows(5).position(|word| word == b"exact").expect("a word of the table");
        bytes[at] = b'a';
    });
    std::fs::remove_dir_all(place.reports().join("2025")).unwrap();
    lay(&place, &after);
    place.run(0);
    assert!(place.page("2025", "academy.html").contains("axact"), "the page was not made of the damaged part");
    assert_eq!(place.portes(&["check"]).code, 5);
    assert_eq!(place.portes(&["run", "--rebuild"]).code, 0);
    Whole::of(&place).assert_is(&Whole::undisturbed(&after), "rebuilt");
}

#[test]
fn a_rebuild_does_not_read_what_it_replaces() {
    let place = quick();
    lay(&place, &files(3));
    place.run(0);
    let expected = Whole::of(&place);
    for table in ["games", "decisions", "matches", "sources"] {
        damage(&part(&place, table), |bytes| bytes.truncate(bytes.len() / 2));
    }
    damage(&resolved(&place.lake().current()).join("snapshot.json"), |bytes| bytes.truncate(100));
    let check = place.portes(&["check"]);
    assert_eq!(check.code, 5, "{}{}", check.out, check.err);
    assert!(check.out.contains("the next portes run makes everything anew"), "{}", check.out);
    assert_eq!(place.portes(&["run", "--rebuild", "--quiet"]).code, 0);
    Whole::of(&place).assert_is(&expected, "rebuilt");
    assert_eq!(place.portes(&["check"]).code, 0);
}

#[test]
fn what_lies_in_the_way_stops_no_night() {
    let place = quick();
    lay(&place, &files(2));
    place.run(0);
    // A folder where the cache had a file, and pages that somebody keeps elsewhere.
    let cache = place.lake().cache().join("sightings");
    let kept = tree(&cache).into_keys().next().unwrap();
    std::fs::remove_file(cache.join(&kept)).unwrap();
    std::fs::create_dir(cache.join(&kept)).unwrap();
    let (www, public) = (place.root().join("www"), place.reports().join("2026"));
    std::fs::create_dir(&www).unwrap();
    std::fs::rename(&public, www.join("2026")).unwrap();
    std::os::unix::fs::symlink("../www/2026", &public).unwrap();
    lay(&place, &files(3));
    place.run(0);
    assert!(public.is_symlink(), "the link stays");
    assert_eq!(tree(&www.join("2026")), Whole::undisturbed(&files(3)).seasons["2026"]);
    assert_eq!(std::fs::read_dir(&www).unwrap().count(), 1, "nothing is left beside them");
    // What a killed run left goes on a night without work, too.
    age();
    place.run(0);
    std::fs::create_dir(place.reports().join(".next-2026")).unwrap();
    assert!(place.portes(&["run", "--dry-run"]).out.contains("nothing to do"));
    assert!(place.reports().join(".next-2026").exists(), "a plan changes nothing");
    assert!(place.run(0).out.contains("nothing to do"));
    assert!(!place.reports().join(".next-2026").exists());
}
