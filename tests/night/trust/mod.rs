//! Whether a night can be trusted: killed, stopped, starved of room, watched by readers, and thirty of them in a row.
//!
//! The measure is always the same: what readers see is one whole night, and what stands in the end is what an
//! undisturbed run from nothing makes of the same files.

mod damage;
mod kill;
mod plans;
mod readers;
mod room;
mod soak;
mod stops;
mod story;

use super::Place;
use super::same_bytes::tree;
use crate::support::made::{Shape, XG, made};
use crate::support::xg_writer;
use portes::ingest::record::{Depth, Record, What};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Matches to one point: a game each, so that a night costs little.
const SHORT: Shape = Shape { length: 1, candidates: 2, ..XG };

/// Files below a folder: path -> bytes.
type Files = BTreeMap<String, Vec<u8>>;

fn short(seed: u64) -> Vec<u8> {
    xg_writer::write(&made(seed, SHORT))
}

/// The same match with a deeper analysis.
fn deeper(record: &Record) -> Record {
    let mut record = record.clone();
    for action in record.games.iter_mut().flat_map(|game| &mut game.actions) {
        match &mut action.what {
            What::Checker(play) => play.candidates.iter_mut().for_each(|candidate| candidate.depth = Depth::RollerPlus),
            What::NoDouble(Some(cube)) | What::Double(Some(cube)) => cube.depth = Depth::RollerPlus,
            What::Take(Some(cube)) | What::Pass(Some(cube)) => cube.depth = Depth::RollerPlus,
            _ => {}
        }
    }
    record
}

/// Makes `raw/` hold just these files; one that holds these bytes already is not touched.
fn lay(place: &Place, files: &Files) {
    for path in tree(&place.raw()).keys().filter(|path| !files.contains_key(*path)) {
        std::fs::remove_file(place.raw().join(path)).unwrap();
    }
    for (path, bytes) in files {
        if std::fs::read(place.raw().join(path)).ok().as_ref() != Some(bytes) {
            place.put(path, bytes);
        }
    }
}

/// A folder in memory where the system has one: a sync costs nothing there, and a killed process leaves the same.
fn quick() -> Place {
    let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    std::fs::create_dir_all(dir.path().join("data/raw")).unwrap();
    Place { dir }
}

/// What readers of a place see: the published tables, and each season's pages.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Whole {
    tables: Files,
    seasons: BTreeMap<String, Files>,
}

impl Whole {
    fn of(place: &Place) -> Self {
        let current = place.lake().current();
        let tables = if current.exists() { tree(&current) } else { Files::new() };
        let mut seasons = BTreeMap::new();
        for entry in std::fs::read_dir(place.reports()).into_iter().flatten() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if !name.starts_with('.') {
                seasons.insert(name, tree(&entry.path()));
            }
        }
        Self { tables, seasons }
    }

    /// What a run from nothing makes of these files.
    fn undisturbed(files: &Files) -> Self {
        let place = quick();
        lay(&place, files);
        let ran = place.portes(&["run"]);
        assert!([0, 3].contains(&ran.code), "{}", ran.err);
        Self::of(&place)
    }

    /// Names what differs instead of printing megabytes.
    fn assert_is(&self, expected: &Self, when: &str) {
        assert_same(&self.tables, &expected.tables, &format!("{when}: lake/current"));
        let names = |whole: &Self| whole.seasons.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(self), names(expected), "{when}: reports");
        for (season, pages) in &self.seasons {
            assert_same(pages, &expected.seasons[season], &format!("{when}: reports/{season}"));
        }
    }
}

fn assert_same(got: &Files, expected: &Files, what: &str) {
    let names: BTreeSet<&String> = got.keys().chain(expected.keys()).collect();
    let differing: Vec<&&String> = names.iter().filter(|name| got.get(**name) != expected.get(**name)).collect();
    assert!(differing.is_empty(), "{what}: {differing:?}");
}

/// Asserts that nothing temporary is left in the lake and among the reports.
fn assert_tidy(place: &Place, when: &str) {
    let left: Vec<PathBuf> = temporary(place);
    assert!(left.is_empty(), "{when}: {left:?}");
    assert!(!place.lake().next().exists(), "{when}: lake/next");
    assert!(!place.lake().cache().join("journal").exists(), "{when}: the journal");
}

/// Whatever has a name of something unfinished.
fn temporary(place: &Place) -> Vec<PathBuf> {
    let mut left = Vec::new();
    let mut folders = vec![place.lake().root().to_path_buf(), place.reports()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with('.') {
                left.push(path.clone());
            }
            if std::fs::symlink_metadata(&path).unwrap().is_dir() {
                folders.push(path);
            }
        }
    }
    left
}

/// Waits for something to be true; false after a minute.
fn waited(mut is: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if is() {
            return true;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    false
}

/// Waits until what was just written is no longer young: a run reads younger files again to be sure of them.
fn age() {
    std::thread::sleep(Duration::from_millis(2_100));
}

/// Watches which files below `raw/` are opened.
struct Watch {
    kernel: OwnedFd,
    watched: BTreeMap<i32, String>,
}

impl Watch {
    fn over(place: &Place) -> Self {
        let kernel = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
        let add = |path: String| {
            let number = inotify::add_watch(&kernel, place.raw().join(&path), WatchFlags::OPEN).unwrap();
            (number, path)
        };
        let watched = tree(&place.raw()).into_keys().map(add).collect();
        Self { kernel, watched }
    }

    /// The files that were opened since it began.
    fn opened(self) -> BTreeSet<String> {
        let mut buffer = [MaybeUninit::uninit(); 1 << 16];
        let mut reader = inotify::Reader::new(&self.kernel, &mut buffer);
        let mut opened = BTreeSet::new();
        while let Ok(event) = reader.next() {
            opened.extend(self.watched.get(&event.wd()).cloned());
        }
        opened
    }
}

/// The folder that a link leads to, so that one night is read from it.
fn resolved(link: &Path) -> PathBuf {
    link.canonicalize().unwrap_or_else(|fault| panic!("{}: {fault}", link.display()))
}
