//! What a run was asked for: to look only, to keep what is missing, to be strict, to begin anew; and what it need not read.

use super::super::same_bytes::tree;
use super::super::{Place, ends, evened};
use super::{Files, SHORT, Watch, Whole, age, assert_tidy, lay, quick, short};
use crate::support::made::made;
use portes::tables::facts::{AnalysisRow, DecisionRow, MatchRow, SourceRow};
use rustix::fs::{FileType, Mode};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

fn files(seeds: &[u64]) -> Files {
    seeds.iter().map(|seed| (format!("2026/{seed}.xg"), short(*seed))).collect()
}

/// Everything a place holds, links as links, with what `stat` says of it.
fn everything(place: &Place) -> BTreeMap<PathBuf, (u64, i64, i64, u64)> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![place.root().to_path_buf()];
    while let Some(path) = waiting.pop() {
        let said = std::fs::symlink_metadata(&path).unwrap();
        if said.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        all.insert(path, (said.ino(), said.ctime(), said.ctime_nsec(), said.len()));
    }
    all
}

#[test]
fn a_dry_run_names_what_would_be_done_and_changes_nothing() {
    let place = quick();
    lay(&place, &files(&[1, 2]));
    let before = everything(&place);
    let first = place.portes(&["run", "--dry-run"]);
    assert_eq!(first.code, 0, "{}", first.err);
    for words in ["new: 2026/1.xg", "new: 2026/2.xg", "2 new matches"] {
        assert!(first.out.contains(words), "{words}: {}", first.out);
    }
    assert_eq!(before, everything(&place), "a first dry run");

    place.run(0);
    let mut changed = files(&[1, 3]);
    changed.insert("2026/1.xg".to_owned(), short(4));
    lay(&place, &changed);
    let before = everything(&place);
    let ran = place.portes(&["run", "--dry-run"]);
    let said = evened(&ran.out);
    for words in ["new: 2026/3.xg", "changed: 2026/1.xg", "vanished: 2026/2.xg", "2 new matches", "2 matches gone"] {
        assert!(said.contains(words), "{words}: {}", ran.out);
    }
    for words in
        [["run", "--dry-run", "--strict"], ["run", "--dry-run", "--rebuild"], ["run", "--dry-run", "--keep-missing"]]
    {
        assert_eq!(place.portes(&words).code, 0, "{words:?}");
    }
    assert_eq!(before, everything(&place), "a later dry run");
    // Nothing is left: every match goes, unless what is missing is kept.
    lay(&place, &Files::new());
    let ran = place.portes(&["run", "--dry-run"]);
    assert!(evened(&ran.out).contains("season 2026: 2 matches gone"), "{}", ran.out);
    let ran = place.portes(&["run", "--keep-missing"]);
    assert!(ran.err.contains("no file is left below") && ran.err.contains("is kept"), "{}", ran.err);
    assert_eq!(place.rows::<MatchRow>().len(), 2);
    assert_eq!(place.run(0).err.matches("portes rollback brings them back").count(), 1);
    assert_eq!(place.rows::<MatchRow>().len(), 0);
}

/// A season that grows is divided anew: a match that lies in another bucket now is not gone.
#[test]
fn a_dry_run_tells_what_moves_from_what_goes() {
    let place = quick();
    let seeds: Vec<u64> = (0..70).collect();
    lay(&place, &files(&seeds[..60]));
    place.run(0);
    lay(&place, &files(&seeds[1..]));
    let ran = place.portes(&["run", "--dry-run"]);
    let said = evened(&ran.out);
    assert!(said.contains("moved to another bucket") && said.contains("1 match gone"), "{}", ran.out);
    let player = &made(0, SHORT).players[0].name;
    assert!(said.contains(player) && !said.contains("in them ()"), "{}", ran.out);
}

/// The folder of a season is exchanged whole, and what somebody laid beside the pages comes along; a page that is taken away
/// is made again.
#[test]
fn what_lies_beside_the_pages_stays_there() {
    let place = quick();
    lay(&place, &files(&[1]));
    place.run(0);
    let season = place.reports().join("2026");
    std::fs::write(season.join("notes.txt"), "mine").unwrap();
    std::fs::create_dir_all(season.join("photos/dinner")).unwrap();
    std::fs::write(season.join("photos/dinner/a.jpg"), "mine too").unwrap();
    let odd = season.join(OsStr::from_bytes(b"caf\xe9.txt"));
    std::fs::write(&odd, "mine as well").unwrap();
    let pipe = season.join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
    lay(&place, &files(&[1, 2]));
    for page in ["index.html", "quality.html"] {
        place.run(0);
        for (name, text) in [("notes.txt", "mine"), ("photos/dinner/a.jpg", "mine too")] {
            assert_eq!(std::fs::read_to_string(season.join(name)).unwrap(), text);
        }
        assert!(odd.is_file() && pipe.exists());
        assert!(place.run(0).out.starts_with("nothing to do"));
        let planned = "season 2026, pages: all of them, for reports/2026 is not as a run of this program left it";
        assert!(!place.portes(&["run", "--dry-run"]).out.contains("all of them"));
        std::fs::remove_file(season.join(page)).unwrap();
        assert!(place.portes(&["run", "--dry-run"]).out.contains(planned));
    }
    place.run(0);
    // The season goes, and what is somebody's stays.
    lay(&place, &Files::from([("2027/7.xg".to_owned(), short(7))]));
    place.run(0);
    assert!(odd.is_file() && season.join("photos/dinner/a.jpg").is_file() && !season.join("index.html").exists());
    lay(&place, &files(&[1, 2]));
    for at in [season.join("notes.txt"), season.join("photos"), odd, pipe] {
        if at.is_dir() { std::fs::remove_dir_all(at) } else { std::fs::remove_file(at) }.unwrap();
    }
    place.run(0);
    Whole::of(&place).assert_is(&Whole::undisturbed(&files(&[1, 2])), "swept");
}

#[test]
fn what_is_missing_is_kept_when_asked_and_goes_when_not() {
    let place = quick();
    lay(&place, &files(&[1, 2]));
    place.run(0);
    let before = Whole::of(&place);
    lay(&place, &files(&[1]));
    for again in [false, true] {
        let kept = place.portes(&["run", "--keep-missing"]);
        assert_eq!((kept.code, kept.out.starts_with("nothing to do")), (0, again), "{}{}", kept.out, kept.err);
        Whole::of(&place).assert_is(&before, "kept");
    }
    place.put("2026/2.xg", short(3));
    let kept = place.portes(&["run", "--keep-missing"]);
    assert_eq!((kept.code, kept.out.starts_with("nothing to do")), (0, false), "it came back as another");
    lay(&place, &files(&[1]));
    place.run(0);
    Whole::of(&place).assert_is(&Whole::undisturbed(&files(&[1])), "not kept");
}

#[test]
fn a_strict_run_publishes_nothing_beside_a_rejected_file() {
    let place = quick();
    lay(&place, &files(&[1]));
    assert_eq!(place.portes(&["run", "--strict"]).code, 0);
    let before = Whole::of(&place);
    place.put("2026/broken.xg", &short(2)[..9_000]);
    place.put("2026/3.xg", short(3));
    let strict = place.portes(&["run", "--strict"]);
    assert_eq!(strict.code, 5, "{}", strict.err);
    assert!(strict.err.contains("2026/broken.xg: ") && strict.err.contains(" at byte "), "{}", strict.err);
    Whole::of(&place).assert_is(&before, "strict");
    // The night takes it as it is; whoever is strict later is told again, although nothing changed.
    place.run(3);
    place.run(0);
    let strict = place.portes(&["run", "--strict"]);
    assert_eq!(strict.code, 5, "a standing rejection: {}{}", strict.out, strict.err);
    assert_tidy(&place, "strict");
}

#[test]
fn a_rebuild_reads_everything_and_ends_with_the_same_bytes() {
    let place = quick();
    lay(&place, &files(&[1, 2]));
    age();
    place.run(0);
    let (before, number) = (Whole::of(&place), place.lake().current_number().unwrap());
    let watch = Watch::over(&place);
    let again = place.run(0);
    assert!(again.out.starts_with("nothing to do"), "{}", again.out);
    assert_eq!(watch.opened().len(), 0, "an unchanged file costs one stat");
    assert_eq!(place.lake().current_number().unwrap(), number);
    let watch = Watch::over(&place);
    assert_eq!(place.portes(&["run", "--rebuild"]).code, 0);
    assert_eq!(watch.opened().len(), 2, "a rebuild reads every file");
    Whole::of(&place).assert_is(&before, "rebuilt");
}

/// A file that was read costs one `stat`, beside new ones too; what lies in the same part is copied.
#[test]
fn a_new_file_is_the_only_one_that_is_read() {
    let place = quick();
    lay(&place, &files(&[1, 2, 3]));
    age();
    place.run(0);
    lay(&place, &files(&[1, 2, 3, 4]));
    let watch = Watch::over(&place);
    let ran = place.run(0);
    let opened: Vec<String> = watch.opened().into_iter().collect();
    assert_eq!(opened, ["2026/4.xg"], "{}", ran.err);
    Whole::of(&place).assert_is(&Whole::undisturbed(&files(&[1, 2, 3, 4])), "one more");
}

/// The primary's file goes: the next best analysis takes its place, and no raw file is opened for it.
#[test]
fn the_next_best_analysis_is_promoted_without_reading_a_file() {
    let place = quick();
    let mut all: Files =
        ends::three_formats(7).into_iter().map(|(extension, bytes)| (format!("2026/m.{extension}"), bytes)).collect();
    all.insert("2026/other.xg".to_owned(), short(8));
    lay(&place, &all);
    age();
    place.run(0);
    let primary = |place: &Place| {
        let rows = place.rows::<AnalysisRow>();
        rows.into_iter().filter(|row| row.path.starts_with("2026/m.") && row.primary).map(|row| row.path).collect()
    };
    let paths: Vec<String> = primary(&place);
    assert_eq!(paths, ["2026/m.xg"]);
    for (gone, next) in [("2026/m.xg", "2026/m.sgf"), ("2026/m.sgf", "2026/m.mat")] {
        all.remove(gone);
        lay(&place, &all);
        let watch = Watch::over(&place);
        place.run(0);
        assert!(watch.opened().is_empty(), "a raw file was read");
        let paths: Vec<String> = primary(&place);
        assert_eq!(paths, [next]);
        Whole::of(&place).assert_is(&Whole::undisturbed(&all), next);
    }
    let rated = |row: &DecisionRow| row.e_raw.is_some();
    let of_other = place.rows::<MatchRow>().len();
    assert_eq!((of_other, place.rows::<DecisionRow>().iter().any(rated)), (2, true));
    let aside = tree(&place.lake().cache().join("analyses"));
    let there: Vec<String> = place.rows::<SourceRow>().into_iter().map(|row| row.blake3).collect();
    let is_of = |id: &String| there.iter().any(|hash| hash.starts_with(id.as_str()));
    assert!(aside.keys().all(is_of), "analyses of files that are gone: {:?}", aside.keys());
}

/// A season whose last file is gone has no folder of pages; one that somebody wrote into is left alone.
#[test]
fn the_pages_of_a_season_that_is_no_more_go_with_it() {
    let place = quick();
    let season = |year: u64| (format!("{year}/{year}.xg"), short(year));
    lay(&place, &[2024, 2025, 2026].map(season).into());
    place.run(0);
    std::fs::write(place.reports().join("2024/notes.txt"), "mine").unwrap();
    std::fs::create_dir(place.reports().join("elsewhere")).unwrap();
    lay(&place, &[season(2026)].into());
    place.run(0);
    let mut left: Vec<_> =
        std::fs::read_dir(place.reports()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["2024", "2026", "elsewhere"]);
}

/// Back to the night before, and forward again.
#[test]
fn a_rollback_is_the_night_before_and_the_next_run_goes_forward_again() {
    let place = quick();
    let [old, new] = [files(&[1, 2]), files(&[2, 3])];
    for night in [&old, &new] {
        lay(&place, night);
        place.run(0);
    }
    assert_eq!(place.portes(&["rollback"]).code, 0);
    Whole::of(&place).assert_is(&Whole::undisturbed(&old), "rolled back");
    place.run(0);
    Whole::of(&place).assert_is(&Whole::undisturbed(&new), "forward again");
    assert_tidy(&place, "forward again");
}

/// Nothing in the cache is synced: after a power cut any file of it may be cut off or hold a page of zeros.
#[test]
fn a_damaged_cache_costs_time_and_changes_nothing() {
    let nights = [files(&[1, 2, 3]), files(&[2, 3, 4])];
    let whole = nights.each_ref().map(Whole::undisturbed);
    let place = quick();
    lay(&place, &nights[0]);
    place.run(0);
    let names: Vec<String> = tree(&place.lake().cache()).into_keys().collect();
    assert!(names.len() >= 4, "{names:?}");
    for (night, damage) in (1..).zip([cut as fn(&[u8]) -> Vec<u8>, zeros, flip, cut]) {
        for (name, bytes) in tree(&place.lake().cache()) {
            std::fs::write(place.lake().cache().join(name), damage(&bytes)).unwrap();
        }
        lay(&place, &nights[night % 2]);
        place.run(0);
        Whole::of(&place).assert_is(&whole[night % 2], &format!("night {night}"));
        assert_tidy(&place, "a damaged cache");
    }
}

fn cut(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len() / 2].to_vec()
}

fn zeros(bytes: &[u8]) -> Vec<u8> {
    let middle = bytes.len() / 2;
    [&bytes[..middle], &vec![0; bytes.len() - middle]].concat()
}

/// A figure of a hash or of a name in it is another.
fn flip(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = bytes.len() * 2 / 3;
    bytes[at] ^= 1;
    bytes
}
