//! A run that is killed: at each of its acts on the file system in turn, and at random. Readers see the old night or the
//! new one, the next run finishes, and what it leaves is what an undisturbed one leaves.

use super::super::{PORTES, Place};
use super::{Files, Whole, assert_tidy, deeper, lay, quick, short};
use crate::support::made::{Chance, made};
use crate::support::{mat_writer, xg_writer};
use clap::Parser as _;
use portes::config::typed::Typed;
use portes::tables::{durable, lake};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Tells the child below where to work, and at which act to die.
const ABORT: &str = "PORTES_TEST_NIGHT_ABORT_AT";
const ROOT: &str = "PORTES_TEST_NIGHT_ROOT";

/// Not a test by itself: the run that the tests here kill.
#[test]
fn one_run_of_a_child() {
    let (Ok(act), Ok(root)) = (std::env::var(ABORT), std::env::var(ROOT)) else { return };
    std::env::set_current_dir(root).unwrap();
    durable::abort_at(act.parse().unwrap());
    let exit = portes::night::command(&Typed::parse_from(["portes", "run", "--quiet", "--jobs", "1"]));
    assert!([0, 3].contains(&exit.code()));
}

/// Runs until an act, and dies there; false when there are fewer acts.
fn killed_at(place: &Place, act: u64) -> bool {
    last_words(place, act).is_some()
}

/// What a run said that died at an act; nothing when there are fewer acts.
fn last_words(place: &Place, act: u64) -> Option<String> {
    use std::os::unix::process::ExitStatusExt as _;
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "night::trust::kill::one_run_of_a_child"])
        .env(ABORT, act.to_string())
        .env(ROOT, place.root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() || child.status.signal() == Some(6), "act {act}: {said}");
    assert!(!child.status.success() || said.contains("1 passed"), "{said}");
    (!child.status.success()).then(|| String::from_utf8_lossy(&child.stderr).into_owned())
}

/// Two nights that differ in a new, a changed, a removed and a rejected file, a season and an analysis.
pub(super) fn two_nights() -> [Files; 2] {
    let record = made(2, super::SHORT);
    let file = |path: &str, bytes: Vec<u8>| (path.to_owned(), bytes);
    let both = [file("2026/b.mat", mat_writer::write(&record)), file("2026/b.xg", xg_writer::write(&record))];
    let one = [file("2025/a.xg", short(1)), file("2026/c.xg", short(3))];
    let other = [
        file("2026/b deeper.xg", xg_writer::write(&deeper(&record))),
        file("2026/broken.xg", short(5)[..9_000].to_vec()),
        file("2026/c.xg", short(4)),
        file("2026/d.xg", short(6)),
    ];
    [both.clone().into_iter().chain(one).collect(), both.into_iter().chain(other).collect()]
}

/// A place whose files change from one night to the other and back.
struct Nights {
    place: Place,
    files: [Files; 2],
    whole: [Whole; 2],
    at: usize,
}

impl Nights {
    fn new() -> Self {
        let files = two_nights();
        let whole = files.each_ref().map(Whole::undisturbed);
        let place = quick();
        lay(&place, &files[0]);
        place.run(0);
        Self { place, files, whole, at: 0 }
    }

    /// Changes the files, disturbs the run, looks, runs again. Says whether it was disturbed.
    fn night(&mut self, when: &str, disturbed: impl Fn(&Place) -> bool) -> bool {
        let (old, new) = (self.at, 1 - self.at);
        lay(&self.place, &self.files[new]);
        let disturbed = disturbed(&self.place);
        old_or_new(&self.place, (&self.whole[old], &self.whole[new]), when);
        let ran = self.place.portes(&["run"]);
        assert!([0, 3].contains(&ran.code), "{when}: {}{}", ran.out, ran.err);
        Whole::of(&self.place).assert_is(&self.whole[new], when);
        assert_tidy(&self.place, when);
        self.at = new;
        disturbed
    }
}

/// The tables are the old or the new ones, and so is each season's folder; no page is newer than the tables.
fn old_or_new(place: &Place, (old, new): (&Whole, &Whole), when: &str) {
    let now = Whole::of(place);
    assert!(now.tables == old.tables || now.tables == new.tables, "{when}: lake/current is neither");
    let seasons: BTreeSet<&String> = old.seasons.keys().chain(new.seasons.keys()).collect();
    assert!(now.seasons.keys().all(|season| seasons.contains(season)), "{when}: {:?}", now.seasons.keys());
    for season in seasons {
        let pages = now.seasons.get(season);
        let (before, after) = (old.seasons.get(season), new.seasons.get(season));
        assert!(pages == before || pages == after, "{when}: reports/{season} is neither");
        assert!(before == after || pages == before || now.tables == new.tables, "{when}: pages before tables");
    }
}

/// The first night, killed at every `stride`th act.
fn first_night(stride: usize) -> usize {
    let files = two_nights()[1].clone();
    let (nothing, whole) = (Whole::of(&quick()), Whole::undisturbed(&files));
    let mut killed = 0;
    for act in (0..).step_by(stride) {
        let (place, when) = (quick(), format!("first night, act {act}"));
        lay(&place, &files);
        if !killed_at(&place, act) {
            break;
        }
        killed += 1;
        old_or_new(&place, (&nothing, &whole), &when);
        assert!([0, 3].contains(&place.portes(&["run", "--quiet"]).code), "{when}");
        Whole::of(&place).assert_is(&whole, &when);
        assert_tidy(&place, &when);
    }
    println!("first night: killed at {killed} acts, every {stride}");
    killed
}

/// Nights in turn, each killed at an act further on.
fn later_nights(stride: usize) -> usize {
    let mut nights = Nights::new();
    let mut killed = 0;
    for act in (0..).step_by(stride) {
        // With every act both ways; with some, in turns.
        let ways = if stride == 1 { 2 } else { 1 };
        let reached = (0..ways).filter(|_| nights.night(&format!("act {act}"), |place| killed_at(place, act))).count();
        killed += reached;
        if reached == 0 {
            break;
        }
    }
    println!("later nights: killed at {killed} acts, every {stride}");
    killed
}

/// In the quick tests; a prime, so that kinds of acts that come in turns are all met.
const STRIDE: usize = 13;

#[test]
fn a_first_night_killed_at_acts_in_turn_leaves_nothing_or_everything() {
    assert!(first_night(STRIDE) > 4);
}

#[test]
fn a_later_night_killed_at_acts_in_turn_leaves_the_old_or_the_new() {
    assert!(later_nights(STRIDE) > 4);
}

/// Whoever is mailed what a quiet run says hears of a rejected file, wherever the run is killed: from it or from the next.
#[test]
fn a_rejection_is_told_wherever_the_run_is_killed() {
    let [before, after] = two_nights();
    let told = |act: u64| {
        let place = quick();
        lay(&place, &before);
        place.run(0);
        lay(&place, &after);
        let killed = last_words(&place, act)?;
        let switched = lake::parts(&place.lake().current(), "sources").unwrap().len() == 1;
        let next = place.portes(&["run", "--quiet"]);
        let is_told = |said: &str| said.contains("rejected: 2026/broken.xg");
        assert!(is_told(&killed) || is_told(&next.err), "act {act}: {killed}{}", next.err);
        Some(switched)
    };
    let acts = (0..).step_by(STRIDE).find(|act| told(*act).is_none()).unwrap();
    let switched = (acts.saturating_sub(40)..acts).filter_map(told).filter(|switched| *switched).count();
    assert!(switched > 3, "{switched} of {acts} acts after the tables were exchanged");
}

#[test]
#[ignore = "every act of three nights: minutes"]
fn killed_at_every_act() {
    assert!(first_night(1) > 100);
    assert!(later_nights(1) > 200);
}

/// Kills the program itself after a part of the time a run takes.
fn killed_after(place: &Place, wait: Duration) -> bool {
    let mut command = place.command(&["run", "--quiet"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(wait);
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    running
}

/// As many random kills, seeded; returns how many met a run at work.
fn random_kills(seed: u64, kills: usize) -> usize {
    let (mut chance, mut nights) = (Chance::new(seed), Nights::new());
    let begun = Instant::now();
    nights.night("undisturbed", |place| place.portes(&["run"]).code > 3);
    let usual = begun.elapsed().as_secs_f64();
    let mut met = 0;
    for kill in 0..kills {
        let wait = Duration::from_secs_f64(chance.unit() * usual);
        met += usize::from(nights.night(&format!("seed {seed}, kill {kill}"), |place| killed_after(place, wait)));
    }
    println!("kill -9: {kills} times, {met} of them met a run at work");
    met
}

#[test]
fn random_kills_leave_the_old_or_the_new() {
    assert!(random_kills(1, 15) >= 3);
}

#[test]
#[ignore = "two hundred nights: minutes"]
fn killed_two_hundred_times_at_random() {
    assert!(random_kills(2, 200) > 100);
}

/// What a killed run finished is not made again: only files of unfinished buckets are opened.
#[test]
fn a_killed_run_is_gone_on_with() {
    let place = quick();
    let files: Files = (0..24).map(|n| (format!("season {n:02}/a.xg"), short(n))).collect();
    lay(&place, &files);
    super::age();
    let mut child = Command::new(PORTES)
        .args(["run", "--quiet", "--jobs", "1"])
        .current_dir(place.root())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    // The journal has a line a bucket; a line tells the season.
    let journal = place.lake().cache().join("journal");
    let lines = |path: &Path| {
        let bytes = std::fs::read(path).unwrap_or_default();
        bytes.windows(7).filter(|window| *window == b"season ").count()
    };
    assert!(super::waited(|| lines(&journal) >= 4));
    child.kill().unwrap();
    child.wait().unwrap();
    let finished = lines(&journal);
    assert!(finished < files.len(), "the run was over before it was killed");
    let watch = super::Watch::over(&place);
    place.run(0);
    let opened = watch.opened();
    assert_eq!(opened.len(), files.len() - finished, "{finished} were finished; {opened:?}");
    Whole::of(&place).assert_is(&Whole::undisturbed(&files), "gone on with");
    assert_tidy(&place, "gone on with");
}
