//! Same files, same bytes: whatever the order, the threads, the clock, the language, the place and the history.

use super::{Place, ran};
use crate::support::made::{SGF, XG, made};
use crate::support::{mat_writer, sgf_writer, xg_writer};
use portes::tables::lake;
use portes::tables::partials::MomentRow;
use portes::tables::row::Row as _;
use portes::tables::{catalogue, facts::DecisionRow, facts::OtherDecisionRow};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Two seasons of matches in all formats, some twice, some of them damaged: path and content.
fn season() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for seed in 100..140 {
        let year = if seed % 4 == 0 { 2025 } else { 2026 };
        let path = |extension: &str| format!("{year}/event {}/{seed}.{extension}", seed % 3);
        match seed % 5 {
            0 => files.push((path("sgf"), sgf_writer::write(&made(seed, SGF)))),
            1 => files.push((path("mat"), mat_writer::write(&made(seed, SGF)))),
            2 => {
                let record = made(seed, XG);
                files.push((path("xg"), xg_writer::write(&record)));
                files.push((path("mat"), mat_writer::write(&record)));
                files.push((format!("2025/again/{seed}.xg"), xg_writer::write(&record)));
            }
            3 => files.push((path("xg"), xg_writer::write(&made(seed, XG))[..9_000].to_vec())),
            _ => files.push((path("xg"), xg_writer::write(&made(seed, XG)))),
        }
    }
    files.push(("2026/readme.txt".to_owned(), b"nothing".to_vec()));
    files
}

/// Every file below a folder, links followed, by its path.
pub(super) fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let root = root.canonicalize().unwrap();
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                files.insert(below, std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// What is promised to be equal: the published lake and the reports.
pub(super) fn promised(place: &Place) -> [BTreeMap<String, Vec<u8>>; 2] {
    [tree(&place.lake().current()), tree(&place.reports())]
}

/// Names what differs instead of printing megabytes.
pub(super) fn same(left: &[BTreeMap<String, Vec<u8>>; 2], right: &[BTreeMap<String, Vec<u8>>; 2]) {
    for (left, right) in left.iter().zip(right) {
        assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
        let differing: Vec<&String> = left.keys().filter(|name| left[*name] != right[*name]).collect();
        assert!(differing.is_empty(), "{differing:?}");
        assert!(left.len() > 20);
    }
}

#[test]
fn order_threads_clock_language_and_place_show_nowhere() {
    let files = season();
    let (one, other) = (Place::new(), Place::new());
    for (path, bytes) in &files {
        one.put(path, bytes);
    }
    let mut command = one.command(&["run", "--jobs", "1"]);
    command.env("TZ", "UTC").env("LANG", "C").env("LC_ALL", "C");
    assert_eq!(ran(command).code, 3);

    // Elsewhere, deeper, in another order, with other times, as somebody else.
    let deep = other.root().join("a/b c/\u{e9}");
    for (n, (path, bytes)) in (0..).zip(files.iter().rev().step_by(2).chain(files.iter().rev().skip(1).step_by(2))) {
        let path = deep.join("d/raw").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(86_400 * (n + 1))).unwrap();
    }
    let mut command = other.command(&["run", "--jobs", "2", "--data", "a/b c/\u{e9}/d", "--log", "json"]);
    command.args(["--reports", "reports"]).env("TZ", "Pacific/Auckland").env("LANG", "tr_TR.UTF-8");
    command.env("LC_ALL", "tr_TR.UTF-8").env("LC_NUMERIC", "de_DE.UTF-8").env("HOME", "/nonexistent").env("USER", "x");
    assert_eq!(ran(command).code, 3);
    let theirs = [tree(&deep.join("d/lake/current")), tree(&other.reports())];
    same(&promised(&one), &theirs);
}

#[test]
fn a_second_run_changes_no_byte_and_a_history_leaves_none() {
    let files = season();
    let (place, grown) = (Place::new(), Place::new());
    for (path, bytes) in &files {
        place.put(path, bytes);
    }
    place.run(3);
    let before = promised(&place);
    place.run(0);
    same(&before, &promised(&place));

    // Half of it, then something else in its place, then the rest and the right thing.
    for (path, bytes) in files.iter().step_by(2) {
        grown.put(path, bytes);
    }
    grown.put(&files[1].0, xg_writer::write(&made(999, XG)));
    grown.put("2026/event 9/gone.xg", xg_writer::write(&made(998, XG)));
    grown.portes(&["run"]);
    std::fs::remove_file(grown.raw().join("2026/event 9/gone.xg")).unwrap();
    for (path, bytes) in &files {
        grown.put(path, bytes);
    }
    grown.portes(&["run"]);
    same(&before, &promised(&grown));
}

#[test]
fn rating_again_changes_nothing_until_a_rule_does() {
    let place = Place::new();
    for (path, bytes) in season().into_iter().filter(|(_, bytes)| bytes.len() != 9_000) {
        place.put(path, bytes);
    }
    place.run(0);
    assert!(!place.rows::<OtherDecisionRow>().is_empty());
    let parts = |dir: &Path| -> Vec<(&str, String, String)> {
        let of = |table: &catalogue::Table| (table.name, lake::parts(dir, table.name).unwrap());
        let all = catalogue::ALL.iter().map(of);
        all.flat_map(|(table, parts)| parts.into_iter().map(move |part| (table, part.season, part.name))).collect()
    };
    let rated = place.portes(&["rate"]);
    assert_eq!(rated.code, 0, "{}", rated.err);
    assert!(rated.out.ends_with(", 0 changed\n"), "{}", rated.out);
    let published = parts(&place.lake().current());
    assert_eq!(parts(&place.lake().next()), published);

    std::fs::write(place.root().join("portes.toml"), "[thresholds]\nerror = 20\nblunder = 80\n").unwrap();
    let rated = place.portes(&["rate"]);
    assert!(rated.code == 0 && !rated.out.ends_with(", 0 changed\n"), "{}", rated.out);
    let changed: Vec<&str> = parts(&place.lake().next())
        .into_iter()
        .filter(|part| !published.contains(part))
        .map(|(table, ..)| table)
        .collect();
    assert!(changed.contains(&MomentRow::TABLE), "thresholds are counted in the moments");
    assert!(!changed.contains(&DecisionRow::TABLE), "and are no fact: {changed:?}");
    assert_eq!(parts(&place.lake().current()), published, "what is published stays until it is published");
    // The marts in lake/next are those of the old rule: they may not be published.
    let stale = place.portes(&["publish"]);
    assert!(stale.code == 5 && stale.err.contains("made from another"), "{}: {}", stale.code, stale.err);
    assert_eq!(place.portes(&["measure"]).code, 0);
    assert_eq!(place.portes(&["publish"]).code, 0);
    assert_eq!(place.portes(&["check"]).code, 0);
    let stepwise = tree(&place.lake().current());
    place.run(0);
    assert!(stepwise == tree(&place.lake().current()), "stage by stage is the same as a run");
}
