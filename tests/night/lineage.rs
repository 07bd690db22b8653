//! What a night changed, where a figure comes from, what a run did, and the way back.

use super::{Place, Ran, evened, sample};
use crate::support::made::{SGF, XG, made};
use crate::support::{mat_writer, sgf_writer, xg_writer};
use portes::night::record::Record;
use portes::tables::facts::{DecisionRow, MatchRow};
use portes::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use portes::tables::partials::CellRow;
use portes::tables::{catalogue, lake, part};
use std::collections::BTreeMap;
use std::path::Path;

/// A season of three matches, two of them with one player in common.
fn small() -> Place {
    let place = Place::new();
    place.put("2026/cup/a.xg", xg_writer::write(&made(1, XG)));
    place.put("2026/cup/b.sgf", sgf_writer::write(&made(2, SGF)));
    place.put("2026/cup/c.mat", mat_writer::write(&made(7, SGF)));
    place
}

fn says(ran: &Ran, code: i32, words: &[&str]) {
    assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
    for expected in words {
        assert!(ran.out.contains(expected) || ran.err.contains(expected), "{expected:?}: {}{}", ran.out, ran.err);
    }
}

/// Every file of a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|e| (e.file_name().into_string().unwrap(), std::fs::read(e.path()).unwrap())).collect()
}

/// Names of all parts: they hold their contents' hashes.
fn parts(place: &Place) -> Vec<String> {
    let of = |table: &catalogue::Table| lake::parts(&place.lake().current(), table.name).unwrap();
    catalogue::ALL.iter().flat_map(of).map(|part| part.name).collect()
}

fn records(place: &Place) -> Vec<Record> {
    files(&place.lake().runs()).values().map(|bytes| serde_json::from_slice(bytes).unwrap()).collect()
}

fn levels(place: &Place) -> BTreeMap<String, PlayerSeasonRow> {
    let rows = place.rows::<PlayerSeasonRow>().into_iter();
    rows.filter_map(|row| Some((row.player.clone()?, row))).collect()
}

#[test]
fn diff_tells_every_match_and_every_figure_that_a_night_moved() {
    let place = small();
    place.run(0);
    let before = levels(&place);
    // One comes, one goes, one is analysed where it was only played, one file is broken.
    std::fs::remove_file(place.raw().join("2026/cup/b.sgf")).unwrap();
    place.put("2026/cup/d.xg", xg_writer::write(&made(3, XG)));
    place.put("2026/cup/deeper.sgf", sgf_writer::write(&made(7, SGF)));
    place.put("2026/cup/bad.xg", "no match");
    place.run(3);
    let after = levels(&place);
    let diff = place.portes(&["diff", "1", "2"]);
    says(&diff, 0, &["1 match added, 1 removed, 1 changed", "1 file newly rejected", "rejected: 2026/cup/bad.xg"]);
    let lines = |beginning: &str| diff.out.lines().filter(|line| line.starts_with(beginning)).count();
    assert_eq!((lines("added: "), lines("removed: "), lines("changed: ")), (1, 1, 1));
    says(&diff, 0, &["analysis: 2026/cup/c.mat (none", "-> 2026/cup/deeper.sgf (gnubg"]);
    // Every player whose figures are others is told with both, and nobody else.
    let names: Vec<&String> = before.keys().chain(after.keys()).collect();
    let mut moved = 0;
    for name in std::collections::BTreeSet::from_iter(names) {
        let key = |row: Option<&PlayerSeasonRow>| row.map(|row| (row.matches, row.decisions, row.pr.map(f64::to_bits)));
        let (was, is) = (before.get(name), after.get(name));
        let line = diff.out.lines().find(|line| line.starts_with(&format!("{name}, season 2026: ")));
        assert_eq!(line.is_some(), key(was) != key(is), "{name}: {line:?}");
        moved += usize::from(line.is_some());
        if let (Some(was), Some(is), Some(line)) = (was, is, line)
            && was.matches != is.matches
        {
            let word = if was.matches != 1 && is.matches == 1 { "match" } else { "matches" };
            assert!(line.contains(&format!("{} -> {} {word}", was.matches, is.matches)), "{line}");
        }
    }
    says(&diff, 0, &[&format!("; {moved} players moved")]);
    // The other way round, what came goes.
    says(&place.portes(&["diff", "2", "1"]), 0, &["1 match added, 1 removed, 1 changed", "0 files newly"]);
    says(&place.portes(&["diff", "2", "2"]), 0, &["the same matches, figures and rejected files"]);
    says(&place.portes(&["diff", "1", "9"]), 2, &["snapshot 9 is not kept; there are 1, 2"]);
    says(&place.portes(&["diff", "last", "2"]), 2, &["\"last\" is no number of a snapshot; there are 1, 2"]);
    says(&Place::new().portes(&["diff", "1", "2"]), 4, &["holds nothing yet"]);
}

#[test]
fn a_page_begins_with_what_is_new_only_where_it_was_asked_for() {
    let place = small();
    let plain = small();
    let new = xg_writer::write(&made(3, XG));
    assert_eq!(place.portes(&["run", "--news"]).code, 0);
    let marked = |place: &Place| {
        place.pages("2026", "").into_iter().filter(|name| place.page("2026", name).contains("id=\"news\"")).count()
    };
    assert_eq!(marked(&place), 0, "a first night has nothing to compare with");
    plain.run(0);
    let before = levels(&place);
    for place in [&place, &plain] {
        place.put("2026/cup/d.xg", &new);
    }
    assert_eq!(place.portes(&["run", "--news"]).code, 0);
    plain.run(0);
    assert_eq!(marked(&plain), 0);
    let diff = place.portes(&["diff", "1", "2"]);
    let id = diff.out.lines().find_map(|line| line.strip_prefix("added: ")).unwrap()[..16].to_owned();
    let added = place.rows::<MatchRow>().into_iter().find(|row| row.match_id == id).unwrap();
    let index = place.page("2026", "index.html");
    let news = section(&index);
    assert!(news.contains("One match is new."), "{news}");
    let link = place.pages("2026", "match-").into_iter().find(|name| name.contains(&id[..12])).unwrap();
    assert!(news.contains(&format!("href=\"{link}\"")) && news.contains(&added.player_1), "{news}");
    // A player's page has his own figures with both ends.
    let after = levels(&place);
    for name in [&added.player_1, &added.player_2] {
        let is = &after[name];
        let page = place.pages("2026", "player-").into_iter().map(|page| place.page("2026", &page));
        let page = page.into_iter().find(|html| html.contains(&format!("<h1>{name}</h1>"))).unwrap();
        let news = section(&page);
        assert!(news.contains("One match is new.") && news.contains(&link), "{news}");
        if let Some(was) = before.get(name) {
            let step = format!("matches {} \u{2192} {}.", was.matches, is.matches);
            assert!(news.contains(&step), "{step}: {news}");
        }
    }
    let untouched = after.keys().filter(|name| **name != added.player_1 && **name != added.player_2).count();
    assert_eq!(marked(&place), 1 + after.len() - untouched, "the index and the two players, nobody else");
    // A night that changes nothing leaves the pages as they are; without the wish they are those of the other place.
    let told = files(&place.reports().join("2026"));
    says(&place.portes(&["run", "--news"]), 0, &["nothing to do"]);
    assert!(files(&place.reports().join("2026")) == told, "as they were");
    place.put("2026/readme.txt", "nothing of ours");
    assert_eq!(place.portes(&["run", "--news"]).code, 0);
    assert!(section(&place.page("2026", "index.html")) == news, "the same news");
    std::fs::remove_file(place.raw().join("2026/readme.txt")).unwrap();
    place.run(0);
    assert!(files(&place.reports().join("2026")) == files(&plain.reports().join("2026")), "the pages of a plain run");
    std::fs::write(place.root().join("portes.toml"), "[reports]\nnews = true\n").unwrap();
    place.run(0);
    assert!(marked(&place) > 0, "the configuration asks for it too");
}

/// The section of what is new.
fn section(html: &str) -> String {
    let start = html.find("id=\"news\"").unwrap_or_else(|| panic!("no news"));
    evened(&html[start..start + html[start..].find("</section>").unwrap()])
}

/// The number before a word of a line.
fn number(line: &str, after: &str) -> f64 {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words
        .iter()
        .position(|word| word.trim_end_matches(';') == after)
        .unwrap_or_else(|| panic!("{after:?} in {line:?}"));
    words[at - 1].trim_end_matches(',').parse().unwrap()
}

#[test]
fn what_explain_says_of_a_player_adds_up_to_the_mart_exactly() {
    let place = sample();
    let mut seen = 0;
    for row in place.rows::<PlayerSeasonRow>() {
        let Some(player) = &row.player else { continue };
        let told = place.portes(&["explain", player, &row.season]);
        assert_eq!(told.code, 0, "{}", told.err);
        assert!(!told.out.contains("the mart has another PR"), "{}", told.out);
        assert!(!told.out.contains("the mart has other"), "{}", told.out);
        let (mut mpt, mut decisions, mut matches) = (0, 0, 0);
        let (mut errors, mut loss) = (0, None);
        for line in told.out.lines().filter(|line| line.contains(" seat ")) {
            mpt += (number(line, "over") * 1000.0).round() as i64;
            decisions += number(line, "decisions") as i64;
            matches += 1;
            errors += number(line, if line.contains(" errors ") { "errors" } else { "error" }) as i64;
            if line.contains(" % ") {
                *loss.get_or_insert(0) += (number(line, "%") * 1e7).round() as i64;
            }
        }
        assert_eq!((errors, loss.map(|units| units as f64 / 1e9)), (row.errors, row.loss), "{player} {}", row.season);
        assert_eq!((matches, decisions), (row.matches, row.decisions), "{player} {}", row.season);
        let sum = row.error_sum.unwrap_or(0.0) * 1000.0;
        assert!((sum - mpt as f64).abs() < 1e-6, "{player}: {sum} {mpt}");
        let first = told.out.lines().next().unwrap();
        match row.pr {
            Some(pr) => {
                assert!((pr - 0.5 * mpt as f64 / decisions as f64).abs() < 1e-9, "{player}: {pr}");
                let expected = format!("PR {pr:.2} = 500 x {:.3} / {decisions}", mpt as f64 / 1000.0);
                assert!(first.ends_with(&expected), "{first:?} {expected:?}");
            }
            None => assert!(first.ends_with("no PR: no counted decision"), "{first}"),
        }
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
    // A spelling leads to the player, and the answer says which file writes it so.
    let told = place.portes(&["explain", "hollow beck"]);
    says(&told, 0, &["Hollow Beck, season 2025", "Hollow Beck, season 2026", "written hollow beck in"]);
    says(&place.portes(&["explain", "Hollow"]), 2, &["no match, decision or player", "did you mean \"Hollow Beck\"?"]);
    let page = format!("reports/2026/{}", portes::report::page_name_player("Hollow Beck"));
    says(&place.portes(&["explain", &page]), 0, &["Hollow Beck, season 2026"]);
    says(
        &place.portes(&["explain", "Holow Beck-2"]),
        2,
        &["no match, decision or player", "did you mean \"Hollow Beck\"?"],
    );
    says(&place.portes(&["explain", "Hollow Beck", "1999"]), 2, &["1999", "2025, 2026"]);
    says(&place.portes(&["explain", "0000000000000000"]), 2, &["no match, decision or player"]);
    says(&Place::new().portes(&["explain", "A"]), 4, &["holds nothing yet"]);
}

#[test]
fn what_explain_says_of_a_match_and_its_decisions_is_what_the_tables_hold() {
    let place = small();
    place.put("2026/again/a-copy.xg", xg_writer::write(&made(1, XG)));
    place.put("2026/again/a.mat", mat_writer::write(&made(1, XG)));
    place.run(0);
    let decisions = place.rows::<DecisionRow>();
    for row in place.rows::<MatchRow>() {
        let told = place.portes(&["explain", &row.match_id]);
        says(&told, 0, &["files", "analyses", &row.player_1, &row.player_2]);
        assert!(!told.out.contains("another PR"), "{}", told.out);
        for figures in place.rows::<PlayerMatchRow>().iter().filter(|figures| figures.match_id == row.match_id) {
            let Some(seat) = figures.seat else { continue };
            let own = told.out.split_once(&format!("(seat {seat})\n")).unwrap().1;
            let lines: Vec<&str> = own.lines().take(4).collect();
            let mpt: i64 = lines[1..].iter().map(|line| (number(line, "over") * 1000.0).round() as i64).sum();
            let counted: i64 = lines[1..].iter().map(|line| number(line, "of") as i64).sum();
            assert_eq!(counted, figures.decisions);
            assert!((figures.error_sum.unwrap_or(0.0) * 1000.0 - mpt as f64).abs() < 1e-6);
            let direct: i64 = decisions
                .iter()
                .filter(|d| d.match_id == row.match_id && d.seat == seat && d.counted)
                .filter_map(|d| d.e_mpt)
                .sum();
            assert_eq!(mpt, direct, "a plain sum over the decisions");
        }
    }
    let twice = place.rows::<MatchRow>().into_iter().find(|row| {
        let told = place.portes(&["explain", &row.match_id]);
        ["2026/again/a-copy.xg: ", "2026/cup/a.xg: ", "2026/again/a.mat: "].iter().all(|path| told.out.contains(path))
    });
    let id = twice.expect("one match in three files").match_id;
    says(&place.portes(&["explain", &id]), 0, &["duplicate", "primary: xg", "not primary: none"]);

    // Cells: those of all decisions of a match are the stored partial.
    let mut counted: BTreeMap<(i64, String, String), i64> = BTreeMap::new();
    for row in decisions.iter().filter(|row| row.match_id == id) {
        let told = place.portes(&["explain", &row.decision_id]);
        says(&told, 0, &["XGID=", &row.decision_id, "file: 2026/again/a-copy.xg: ", "blake3 "]);
        assert_eq!(told.out.contains("counts: yes"), row.counted, "{}", told.out);
        let (verdict, position) = (told.out.find("\ncounts: ").unwrap(), told.out.find("\nposition  ").unwrap());
        assert!(verdict < position, "the verdict comes first: {}", told.out);
        for line in told.out.lines().filter_map(|line| line.strip_prefix("  cell ")) {
            let (dimension, cell) = line.split_once(" = ").unwrap();
            let cell = cell.split(", as too ").next().unwrap();
            *counted.entry((row.seat, dimension.to_owned(), cell.to_owned())).or_default() += 1;
        }
    }
    for cell in place.rows::<CellRow>().iter().filter(|cell| cell.match_id == id) {
        let key = (cell.seat, cell.dimension.clone(), cell.cell.clone());
        assert_eq!(counted.get(&key).copied().unwrap_or(0), cell.n + cell.unread, "{key:?}");
    }
    says(&place.portes(&["explain", &format!("{id}-9999")]), 2, &["has no decision", &format!("{id}-0000 to")]);
}

#[test]
fn every_run_leaves_a_record_however_it_ends() {
    let place = small();
    assert_eq!(place.portes(&["run", "--config", "absent.toml"]).code, 2);
    assert!(!place.lake().root().exists(), "a record makes no lake");
    place.run(0);
    place.run(0);
    place.put("2026/cup/a-again.xg", xg_writer::write(&made(1, XG)));
    place.put("2026/cup/bad.xg", "no match");
    std::fs::remove_file(place.raw().join("2026/cup/b.sgf")).unwrap();
    place.run(3);
    assert_eq!(place.portes(&["run", "--dry-run"]).code, 0);
    assert_eq!(place.portes(&["run", "--season", "1999"]).code, 2);
    assert_eq!(place.portes(&["run", "--strict", "--rebuild"]).code, 5);
    let all = records(&place);
    assert_eq!(all.iter().map(|record| record.exit).collect::<Vec<_>>(), [0, 0, 3, 2, 5], "a dry run leaves none");
    let [first, second, third, fourth, fifth] = &all[..] else { panic!("five records") };
    assert_eq!((first.snapshot_before, first.snapshot_after), (None, Some(1)));
    let inputs = first.inputs.as_ref().unwrap();
    assert_eq!((inputs.seen, inputs.new.count, inputs.rejected.count), (3, 3, 0));
    assert_eq!(inputs.new.first, ["2026/cup/a.xg", "2026/cup/b.sgf", "2026/cup/c.mat"]);
    assert_eq!(first.arguments, ["run"]);
    assert_eq!(first.version, env!("CARGO_PKG_VERSION"));
    let stages: Vec<&str> = first.stages.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(stages, ["scan", "ingest", "measure", "academy", "check", "render"]);
    assert!(first.stages.iter().map(|(_, seconds)| seconds).sum::<f64>() <= first.seconds + 0.01);
    assert!(first.said["academy"].starts_with("3 of 3 matches filed, from season"), "{:?}", first.said);
    assert!(first.peak_memory.unwrap() > 1 << 20);
    assert!(second.ended.starts_with("nothing to do") && second.rows.is_empty(), "{second:?}");
    let inputs = third.inputs.as_ref().unwrap();
    assert_eq!((inputs.seen, inputs.new.count, inputs.vanished.count), (4, 2, 1));
    assert_eq!(
        (inputs.duplicate, inputs.rejected.count, &inputs.vanished.first[..]),
        (1, 1, &["2026/cup/b.sgf".to_owned()][..])
    );
    assert!(inputs.rejected.first[0].starts_with("2026/cup/bad.xg: "), "{inputs:?}");
    assert_eq!((third.snapshot_before, third.snapshot_after), (Some(1), Some(2)));
    // Rows and bytes are those of the tables that are there.
    let (mut rows, mut bytes) = (BTreeMap::new(), 0);
    for table in catalogue::ALL {
        let listed = lake::parts(&place.lake().current(), table.name).unwrap();
        rows.insert(
            table.name.to_owned(),
            listed.iter().map(|l| part::rows(&l.path, table.name).unwrap()).sum::<u64>(),
        );
        bytes += listed.iter().map(|l| std::fs::metadata(&l.path).unwrap().len()).sum::<u64>();
    }
    assert_eq!((&third.rows, third.bytes), (&rows, Some(bytes)));
    assert!(third.rows["decisions"] > 50);
    assert!(fourth.ended.contains("1999") && fifth.ended.contains("--strict"), "{fourth:?} {fifth:?}");
    let status = place.portes(&["status"]);
    says(
        &status,
        0,
        &["last run: ", "exit 5: ", "--strict", "file system of the lake: ", "file system of the reports: "],
    );
    // A record that cannot be kept is told, and the run is none the worse for it.
    std::fs::remove_dir_all(place.lake().runs()).unwrap();
    std::fs::write(place.lake().runs(), "in the way").unwrap();
    place.put("2026/cup/e.xg", xg_writer::write(&made(4, XG)));
    says(&place.run(0), 0, &["the record of this run cannot be kept"]);
}

#[test]
fn a_rollback_brings_tables_and_pages_back_and_the_next_run_says_what_it_does() {
    let place = small();
    place.run(0);
    says(&place.portes(&["rollback"]), 2, &["there is no earlier snapshot"]);
    let (parts_before, pages_before) = (parts(&place), files(&place.reports().join("2026")));
    place.put("2026/cup/d.xg", xg_writer::write(&made(3, XG)));
    place.put("2027/cup/e.xg", xg_writer::write(&made(4, XG)));
    place.run(0);
    let (parts_after, pages_after) = (parts(&place), files(&place.reports().join("2026")));
    assert!(place.reports().join("2027").exists());
    std::fs::create_dir(place.reports().join("mine")).unwrap();

    says(&place.portes(&["rollback"]), 0, &["snapshot 1 counts again"]);
    assert_eq!(place.lake().current_number().unwrap(), Some(1));
    assert_eq!(parts(&place), parts_before);
    assert!(files(&place.reports().join("2026")) == pages_before, "the pages of then");
    assert!(!place.reports().join("2027").exists(), "a season that is no more has no pages");
    assert!(place.reports().join("mine").exists(), "what is somebody's stays");
    says(&place.portes(&["status"]), 0, &["snapshot 1\n", "snapshot 2 is newer and does not count (a rollback)"]);
    says(&place.portes(&["check"]), 0, &["every contract holds"]);
    says(&place.portes(&["rollback"]), 2, &["there is no earlier snapshot"]);

    // The files are still there: the next run makes of them what they make, and says so.
    let told = place.run(0);
    says(&told, 0, &["snapshot 1 counted although there was a newer one, 2 (a rollback", "published as snapshot"]);
    assert!(!told.out.contains("nothing to do"), "{}", told.out);
    assert_eq!(parts(&place), parts_after);
    assert!(files(&place.reports().join("2026")) == pages_after, "the pages the files make");
    assert!(place.reports().join("2027").exists());
    says(&place.run(0), 0, &["nothing to do"]);

    // Where the files that were not wanted are gone, the snapshot that was brought back is just right.
    let quiet = place.portes(&["rollback", "--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (0, "", ""));
    std::fs::remove_file(place.raw().join("2026/cup/d.xg")).unwrap();
    std::fs::remove_file(place.raw().join("2027/cup/e.xg")).unwrap();
    says(&place.portes(&["run", "--quiet"]), 0, &["make the same: snapshot 1 goes on counting"]);
    says(&place.run(0), 0, &["nothing to do"]);
}
