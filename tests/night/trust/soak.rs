//! Thirty nights in a row, as people treat their files. After each the contracts hold and nothing is left over; what
//! stands in the end is what a run from nothing makes of the files that are there.

use super::super::same_bytes::tree;
use super::super::{Place, ends};
use super::{Files, SHORT, Whole, assert_tidy, deeper, quick, short};
use crate::support::made::{Chance, made};
use crate::support::{mat_writer, xg_writer};
use portes::ingest::record::Record;
use std::fmt::Write as _;

/// Somebody's folder over the nights.
struct Owner {
    place: Place,
    chance: Chance,
    /// Seeds of matches that were dropped so far.
    dropped: Vec<u64>,
    aliases: Vec<(&'static str, &'static str)>,
}

/// What happens to a folder of matches.
const HAPPENINGS: [fn(&mut Owner) -> String; 12] = [
    Owner::add,
    Owner::add,
    Owner::add_old,
    Owner::change,
    Owner::remove,
    Owner::corrupt,
    Owner::rename,
    Owner::move_to_another_season,
    Owner::duplicate,
    Owner::analyse_deeper,
    Owner::remove_the_deeper,
    Owner::alias,
];

/// Of the names that made matches have.
const ALIASES: [(&str, &str); 3] =
    [("Aldergrove", "Bramblewick"), ("Cinderpath", "Hollow Beck"), ("Dovetail", "\u{c9}mberline")];

/// Begins the names of files with a deeper analysis.
const DEEPER: &str = "deeper ";

impl Owner {
    fn new(seed: u64) -> Self {
        let mut owner = Self { place: quick(), chance: Chance::new(seed), dropped: Vec::new(), aliases: Vec::new() };
        for _ in 0..4 {
            owner.add();
        }
        owner
    }

    fn record(seed: u64) -> Record {
        made(seed, SHORT)
    }

    fn files(&self) -> Files {
        tree(&self.place.raw())
    }

    /// One of the files there are, by its path.
    fn any(&mut self, fits: impl Fn(&str) -> bool) -> Option<String> {
        let paths: Vec<String> = self.files().into_keys().filter(|path| fits(path)).collect();
        let at = self.chance.below(paths.len().max(1) as u64);
        paths.into_iter().nth(usize::try_from(at).unwrap())
    }

    fn season(&mut self) -> u64 {
        2024 + self.chance.below(3)
    }

    fn put(&mut self, season: u64, name: &str, bytes: Vec<u8>) -> String {
        let path = format!("{season}/event {}/{name}", self.chance.below(2));
        self.place.put(&path, bytes);
        path
    }

    fn add(&mut self) -> String {
        let seed = self.chance.next() % 1_000_000;
        self.dropped.push(seed);
        let season = self.season();
        let record = Self::record(seed);
        let (extension, bytes) = match self.chance.below(4) {
            0 => ("mat", mat_writer::write(&record)),
            1 => {
                let [_, sgf, _] = ends::formats_of(&record);
                sgf
            }
            _ => ("xg", xg_writer::write(&record)),
        };
        format!("add {}", self.put(season, &format!("{seed}.{extension}"), bytes))
    }

    /// A file that was written long ago and turns up now.
    fn add_old(&mut self) -> String {
        let seed = self.chance.next() % 1_000_000;
        self.dropped.push(seed);
        let path = self.put(2020, &format!("{seed}.xg"), short(seed));
        let file = std::fs::File::options().write(true).open(self.place.raw().join(&path)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_580_000_000)).unwrap();
        format!("late old file {path}")
    }

    fn change(&mut self) -> String {
        let Some(path) = self.any(|path| path.ends_with(".xg")) else { return self.add() };
        let seed = self.chance.next() % 1_000_000;
        self.place.put(&path, short(seed));
        format!("change {path}")
    }

    fn remove(&mut self) -> String {
        if self.files().len() < 5 {
            return self.add();
        }
        let path = self.any(|_| true).unwrap();
        std::fs::remove_file(self.place.raw().join(&path)).unwrap();
        format!("remove {path}")
    }

    fn corrupt(&mut self) -> String {
        let Some(path) = self.any(|path| path.ends_with(".xg")) else { return self.add() };
        let mut bytes = std::fs::read(self.place.raw().join(&path)).unwrap();
        let at = usize::try_from(self.chance.below(bytes.len() as u64)).unwrap();
        match self.chance.below(2) {
            0 => bytes.truncate(at),
            _ => bytes[at] ^= 0x5A,
        }
        self.place.put(&path, bytes);
        format!("corrupt {path} at {at}")
    }

    fn relocate(&mut self, what: &str, season: Option<u64>) -> String {
        let Some(path) = self.any(|path| !path.contains(DEEPER)) else { return self.add() };
        let (folder, name) = path.rsplit_once('/').unwrap();
        let n = self.chance.below(100);
        let to = season.map_or_else(|| format!("{folder}/{n} {name}"), |season| format!("{season}/moved/{name}"));
        let (from, target) = (self.place.raw().join(&path), self.place.raw().join(&to));
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::rename(from, target).unwrap();
        format!("{what} {path} to {to}")
    }

    fn rename(&mut self) -> String {
        self.relocate("rename", None)
    }

    fn move_to_another_season(&mut self) -> String {
        let season = self.season();
        self.relocate("move", Some(season))
    }

    fn duplicate(&mut self) -> String {
        let Some(path) = self.any(|path| !path.contains(DEEPER)) else { return self.add() };
        let bytes = std::fs::read(self.place.raw().join(&path)).unwrap();
        let season = self.season();
        let copy = format!("copy of {}", path.rsplit('/').next().unwrap());
        format!("duplicate {path} as {}", self.put(season, &copy, bytes))
    }

    /// A match that was dropped before, whether its first file is still there or not, comes with a deeper analysis.
    fn analyse_deeper(&mut self) -> String {
        let at = usize::try_from(self.chance.below(self.dropped.len() as u64)).unwrap();
        let seed = self.dropped[at];
        let season = self.season();
        let bytes = xg_writer::write(&deeper(&Self::record(seed)));
        format!("analyse deeper {}", self.put(season, &format!("{DEEPER}{seed}.xg"), bytes))
    }

    fn remove_the_deeper(&mut self) -> String {
        let Some(path) = self.any(|path| path.contains(DEEPER)) else { return self.analyse_deeper() };
        std::fs::remove_file(self.place.raw().join(&path)).unwrap();
        format!("remove {path}")
    }

    fn alias(&mut self) -> String {
        let at = usize::try_from(self.chance.below(ALIASES.len() as u64)).unwrap();
        match self.aliases.iter().position(|pair| *pair == ALIASES[at]) {
            Some(known) => _ = self.aliases.remove(known),
            None => self.aliases.push(ALIASES[at]),
        }
        let mut text = "[players]\naliases = { ".to_owned();
        let pairs: Vec<String> = self.aliases.iter().map(|(name, also)| format!("\"{name}\" = [\"{also}\"]")).collect();
        _ = writeln!(text, "{} }}", pairs.join(", "));
        std::fs::write(self.place.root().join("portes.toml"), text).unwrap();
        format!("aliases {pairs:?}")
    }

    /// The night, and what must hold after any.
    fn night(&self, when: &str) {
        let ran = self.place.portes(&["run"]);
        assert!([0, 3].contains(&ran.code), "{when}: {}{}", ran.out, ran.err);
        let check = self.place.portes(&["check"]);
        assert_eq!(check.code, 0, "{when}: {}", check.out);
        assert!(!check.out.contains("Blocking"), "{when}: {}", check.out);
        assert_tidy(&self.place, when);
        let (whole, number) = (Whole::of(&self.place), self.place.lake().current_number().unwrap());
        let again = self.place.run(0);
        assert!(again.out.starts_with("nothing to do"), "{when}: {}", again.out);
        assert_eq!(self.place.lake().current_number().unwrap(), number, "{when}");
        Whole::of(&self.place).assert_is(&whole, when);
    }

    fn is_as_from_nothing(&self, when: &str) {
        let fresh = quick();
        super::lay(&fresh, &self.files());
        let config = self.place.root().join("portes.toml");
        if config.exists() {
            std::fs::copy(config, fresh.root().join("portes.toml")).unwrap();
        }
        assert!([0, 3].contains(&fresh.portes(&["run"]).code), "{when}");
        Whole::of(&self.place).assert_is(&Whole::of(&fresh), when);
    }
}

fn soak(seed: u64, nights: usize, rebuilt_every: usize) {
    let mut owner = Owner::new(seed);
    let mut story = format!("seed {seed}");
    for night in 1..=nights {
        for _ in 0..=owner.chance.below(3) {
            let at = usize::try_from(owner.chance.below(HAPPENINGS.len() as u64)).unwrap();
            let what = HAPPENINGS[at](&mut owner);
            _ = write!(story, "\nnight {night}: {what}");
        }
        owner.night(&story);
        if night.is_multiple_of(rebuilt_every) || night == nights {
            owner.is_as_from_nothing(&story);
        }
    }
    println!("{story}\n{} files in the end", owner.files().len());
}

#[test]
fn thirty_nights_leave_what_one_night_makes() {
    soak(1, 30, 10);
}

#[test]
#[ignore = "three times thirty nights, each built from nothing again: minutes"]
fn thirty_nights_each_as_from_nothing() {
    for seed in 2..5 {
        soak(seed, 30, 1);
    }
}
