//! Readers who look while runs are at work: what they read is always one whole night.

use super::super::Place;
use super::{Files, Whole, lay, quick, resolved, short};
use portes::tables::facts::{DecisionRow, MatchRow};
use portes::tables::lake;
use portes::tables::part;
use portes::tables::row::Row;
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The rows of a table of one snapshot; every part has the bytes its name tells.
fn rows<R: Row>(snapshot: &Path) -> Vec<R> {
    let parts = lake::parts(snapshot, R::TABLE).unwrap();
    parts
        .iter()
        .flat_map(|listed| {
            assert!(part::is_whole(listed).unwrap(), "{}", listed.path.display());
            part::read::<R>(&listed.path).unwrap()
        })
        .collect()
}

/// Follows `current` once and reads what is there: the matches that have decisions are those there are.
fn read_tables(place: &Place) -> BTreeSet<String> {
    let snapshot = resolved(&place.lake().current());
    let matches: BTreeSet<String> = rows::<MatchRow>(&snapshot).into_iter().map(|row| row.match_id).collect();
    let decided: BTreeSet<String> = rows::<DecisionRow>(&snapshot).into_iter().map(|row| row.match_id).collect();
    assert_eq!(matches, decided, "one night's matches, another night's decisions");
    matches
}

/// Reads the first page and every page it leads to; `None` when the folder was exchanged meanwhile.
fn read_pages(folder: &Path) -> Option<usize> {
    let before = std::fs::metadata(folder).expect("a season's folder is always there").ino();
    let index = std::fs::read_to_string(folder.join("index.html")).expect("and its first page in it");
    assert!(index.trim_end().ends_with("</html>"));
    let links: BTreeSet<&str> = index
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split(['"', '#']).next())
        .filter(|link| link.ends_with(".html") && !link.contains(':'))
        .collect();
    let read: Vec<_> = links.iter().map(|link| (link, std::fs::read_to_string(folder.join(link)))).collect();
    if std::fs::metadata(folder).expect("a season's folder is always there").ino() != before {
        return None;
    }
    for (link, page) in &read {
        let page = page.as_ref().unwrap_or_else(|fault| panic!("{link}: {fault}"));
        assert!(page.trim_end().ends_with("</html>"), "{link}");
    }
    Some(read.len())
}

#[test]
fn who_reads_during_runs_sees_one_whole_night() {
    let place = quick();
    let night = |n: u64| -> Files { (n..n + 4).map(|seed| (format!("2026/{seed}.xg"), short(seed))).collect() };
    lay(&place, &night(0));
    place.run(0);
    let done = AtomicBool::new(false);
    let (lakes, pages) = std::thread::scope(|scope| {
        let tables = scope.spawn(|| {
            let mut seen = BTreeSet::new();
            while !done.load(Ordering::SeqCst) {
                seen.insert(read_tables(&place));
            }
            seen
        });
        let pages = scope.spawn(|| {
            let mut whole = 0;
            while !done.load(Ordering::SeqCst) {
                whole += usize::from(read_pages(&place.reports().join("2026")).is_some_and(|links| links > 4));
            }
            whole
        });
        for n in 1..=5 {
            lay(&place, &night(n));
            place.run(0);
        }
        done.store(true, Ordering::SeqCst);
        (tables.join().unwrap(), pages.join().unwrap())
    });
    assert!(lakes.len() > 1 && lakes.iter().all(|matches| matches.len() == 4), "{lakes:?}");
    assert!(pages > 5, "only {pages} readings of pages");
    Whole::of(&place).assert_is(&Whole::undisturbed(&night(5)), "after six nights");
}
