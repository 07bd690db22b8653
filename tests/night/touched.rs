//! A night makes the marts of the players it touched and takes the others over: what comes of it is what a run from
//! nothing writes, byte for byte, whatever touched them.

use super::Place;
use super::same_bytes::{promised, same};
use crate::support::made::{Chance, SGF, Shape, made};
use crate::support::sgf_writer;
use portes::ingest::record::{Action, Depth, Record, What};
use portes::tables::study_marts::ReferencePositionRow;
use std::collections::{BTreeMap, BTreeSet};

/// Members of the club: most of them are in no match of a night.
const MEMBERS: u64 = 60;

/// Short matches: the opening positions meet all the same.
const SHAPE: Shape = Shape { length: 3, ..SGF };

/// The files of a folder, and what was said of whose marts were made.
struct Club {
    place: Place,
    files: BTreeMap<String, Vec<u8>>,
}

/// A match between two members; the seed tells everything.
fn played(seed: u64) -> Record {
    let mut record = made(seed, SHAPE);
    let mut chance = Chance::new(seed);
    let first = chance.below(MEMBERS);
    let second = (first + 1 + chance.below(MEMBERS - 1)) % MEMBERS;
    for (player, member) in record.players.iter_mut().zip([first, second]) {
        player.name = format!("Member {member:02}");
    }
    record.event = Some(format!("Open {}", seed % 12));
    record
}

/// A rollout, of which the second candidate comes out best.
fn prefer_the_second(action: &mut Action) {
    let What::Checker(play) = &mut action.what else { return };
    for candidate in &mut play.candidates {
        candidate.depth = Depth::Rollout;
        candidate.trials = Some(1296);
    }
    if let [first, second, ..] = play.candidates.as_mut_slice() {
        std::mem::swap(&mut first.play, &mut second.play);
        std::mem::swap(&mut first.after, &mut second.after);
    }
}

/// Plays its first roll in another way, and goes on as if nothing were: another match through the same positions.
fn open_otherwise(record: &mut Record) {
    let Some(What::Checker(play)) = record.games[0].actions.first_mut().map(|action| &mut action.what) else { return };
    let other = play.candidates.iter().find(|candidate| Some(candidate.after) != play.after).unwrap();
    (play.play, play.after) = (other.play, Some(other.after));
}

impl Club {
    fn put(&mut self, path: &str, bytes: Vec<u8>) {
        self.place.put(path, &bytes);
        self.files.insert(path.to_owned(), bytes);
    }

    /// A night; how many of how many players it made the marts of. The lake is that of a run from nothing.
    fn night(&self, config: &str) -> (usize, usize) {
        let ran = self.place.run(0);
        let rebuilt = Place::new();
        std::fs::write(rebuilt.root().join("portes.toml"), config).unwrap();
        for (path, bytes) in &self.files {
            rebuilt.put(path, bytes);
        }
        let anew = rebuilt.run(0);
        assert!(anew.err.contains("computed for everybody"), "{}", anew.err);
        same(&promised(&rebuilt), &promised(&self.place));
        let told = ran.err.split("computed for ").nth(1).unwrap_or_else(|| panic!("{}", ran.err));
        let words: Vec<&str> = told.split_whitespace().collect();
        if words[0] == "everybody" { (0, 0) } else { (words[0].parse().unwrap(), words[2].parse().unwrap()) }
    }
}

/// Whoever is gone is no player of those there are.
#[test]
fn players_who_are_gone_are_told_apart() {
    let place = Place::new();
    let night = |seeds: [u64; 2]| {
        _ = std::fs::remove_dir_all(place.raw().join("2026"));
        let records = seeds.map(played);
        for (seed, record) in seeds.iter().zip(&records) {
            place.put(format!("2026/{seed}.sgf"), sgf_writer::write(record));
        }
        let players = records.iter().flat_map(|record| &record.players);
        (place.run(0).err, players.map(|player| player.name.clone()).collect::<BTreeSet<_>>())
    };
    let (_, before) = night([1, 2]);
    let (told, now) = night([5, 6]);
    let gone = before.difference(&now).count();
    assert!(gone > 0);
    assert!(told.contains(&format!("computed for {0} of {0} players, {gone} gone", now.len())), "{told}");
}

#[test]
fn a_night_makes_the_marts_of_whom_it_touched() {
    let mut club = Club { place: Place::new(), files: BTreeMap::new() };
    let plain = "[players]\nmain = \"Member 03\"\n";
    std::fs::write(club.place.root().join("portes.toml"), plain).unwrap();
    for seed in 0..48 {
        club.put(&format!("{}/{seed}.sgf", 2025 + seed % 2), sgf_writer::write(&played(seed)));
    }
    assert_eq!(club.night(plain), (0, 0), "there is nothing to take over");

    let few = |(touched, all): (usize, usize), what: &str| {
        assert!(touched >= 1 && 3 * touched < 2 * all, "{what}: {touched} of {all}");
        touched
    };
    club.put("2026/new.sgf", sgf_writer::write(&played(100)));
    few(club.night(plain), "a match came");

    let mut analysed_anew = played(7);
    analysed_anew.games = made(7_000, SHAPE).games;
    club.put("2026/7.sgf", sgf_writer::write(&analysed_anew));
    few(club.night(plain), "a file holds another match");

    std::fs::remove_file(club.place.raw().join("2025/10.sgf")).unwrap();
    club.files.remove("2025/10.sgf");
    few(club.night(plain), "a match went");

    // The first day of a tournament is every participant's affair.
    let mut early = played(101);
    early.event = Some("Open 5".to_owned());
    early.date = Some(jiff::civil::date(2026, 1, 1));
    let there = (0..48).filter(|seed| seed % 12 == 5 && seed % 2 == 1).count();
    club.put("2026/early.sgf", sgf_writer::write(&early));
    assert!(few(club.night(plain), "a tournament began earlier") > there);

    // Two others played the same positions, and a rollout prefers what came second: lessons of players whose matches did
    // not change are unstable now.
    for seed in (20..44).filter(|seed| seed % 12 != 5) {
        let mut disputed = played(seed);
        disputed.date = Some(jiff::civil::date(2025, 12, 30));
        disputed.event = Some("Elsewhere".to_owned());
        for (player, name) in disputed.players.iter_mut().zip(["Visitor 1", "Visitor 2"]) {
            player.name = name.to_owned();
        }
        disputed.games.iter_mut().flat_map(|game| &mut game.actions).for_each(prefer_the_second);
        open_otherwise(&mut disputed);
        club.put(&format!("2025/disputed-{seed}.sgf"), sgf_writer::write(&disputed));
    }
    let unstable = |club: &Club| {
        let rows = club.place.rows::<ReferencePositionRow>().into_iter();
        rows.filter(|row| row.unstable && !row.player.starts_with("Visitor")).count()
    };
    let before = unstable(&club);
    assert!(few(club.night(plain), "another analysis disagrees") > 2);
    assert!(unstable(&club) > before, "{before}");

    // Nothing of anybody's matches changes: one player has studied a position that was proposed to him.
    let proposed = club.place.rows::<ReferencePositionRow>();
    let first = proposed.first().unwrap();
    let log = format!("date,player,position\n2026-02-01,{},{}\n", first.player, first.xgid);
    club.put("2026/study.csv", log.into());
    assert_eq!(club.night(plain).0, 1);
    let left = club.place.rows::<ReferencePositionRow>();
    assert!(left.iter().all(|row| row.player != first.player || row.position_key != first.position_key));

    // Another configuration is another set of marts.
    let student = format!("{plain}[interval]\nquantile = \"student\"\n");
    std::fs::write(club.place.root().join("portes.toml"), &student).unwrap();
    assert_eq!(club.night(&student), (0, 0));
}
