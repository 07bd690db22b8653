//! Nights upon nights over made matches: files come in any order, late, again, changed and gone, and every night leaves
//! the bytes that one run over the same matches leaves, having filed no match that it did not have to.

use crate::support::made::{SGF, Shape, made};
use crate::support::seasons::Stored;
use clap::Parser as _;
use portes::config::Settings;
use portes::config::typed::Typed;
use portes::night::academy::{Start, Trust, write};
use portes::night::progress::Progress;
use portes::tables::catalogue::{ALL, Shelf};
use portes::tables::digest::Digest;
use portes::tables::facts::{CandidateRow, DecisionRow, GameRow, MatchRow, SourceRow};
use portes::tables::lake::{self, Lake, WHOLE};
use portes::tables::part::PartWriter;
use portes::tables::row::{Row, sort};
use portes::tables::snapshot::Building;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tempfile::TempDir;

const SEASONS: [&str; 2] = ["2025", "2026"];

/// A match of one point on a day of one of two seasons, or on none.
struct Made {
    season: &'static str,
    rows: Stored,
}

impl Made {
    /// The same match without what its contests are cut from.
    fn bare(&self) -> Self {
        let rows = Stored { decisions: Vec::new(), candidates: Vec::new(), ..self.rows.clone() };
        Self { season: self.season, rows }
    }
}

/// Every fifth match of the second season has no day; the others fall into January to April.
fn matches(count: u64) -> Vec<Made> {
    let shape = Shape { length: 1, candidates: 5, ..SGF };
    let one = |seed: u64| {
        let mut record = made(seed, shape);
        let season = SEASONS[usize::from(!seed.is_multiple_of(3))];
        let undated = season == "2026" && seed.is_multiple_of(5);
        let year = season.parse().unwrap();
        record.date = (!undated)
            .then(|| jiff::civil::date(year, 1 + i8::try_from(seed * 7 % 4).unwrap(), 1 + (seed * 11 % 28) as i8));
        let mut rows = Stored::of_record(&record, blake3::hash(&seed.to_le_bytes()).as_bytes(), season);
        rows.row.primary_digest = Some(digest(&rows));
        Made { season, rows }
    };
    (0..count).map(one).collect()
}

fn digest(rows: &Stored) -> String {
    let mut digest = Digest::default();
    digest.rows(std::slice::from_ref(&rows.row)).rows(&rows.games).rows(&rows.decisions).rows(&rows.candidates);
    digest.finish()
}

/// The place of a match in the order, by its month: what a late one costs is told by it.
fn month(made: &Made) -> (String, bool, Option<String>) {
    let day = made.rows.row.date.map(|day| day.to_string()[..7].to_owned());
    (made.season.to_owned(), day.is_none(), day)
}

struct Club {
    dir: TempDir,
    settings: Settings,
    progress: Progress,
    number: u64,
}

impl Club {
    fn new(toml: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (data, config) = (dir.path().join("data"), dir.path().join("portes.toml"));
        std::fs::write(&config, toml).unwrap();
        let words =
            ["portes", "--quiet", "--data", data.to_str().unwrap(), "--config", config.to_str().unwrap(), "run"];
        let common = Typed::parse_from(words).common;
        Self { dir, settings: Settings::of(&common).unwrap(), progress: Progress::start(&common), number: 0 }
    }

    fn lake(&self) -> Lake {
        Lake::at(self.dir.path().join("data/lake"))
    }

    /// A night over these matches: what the Academy filed, and every byte of its tables.
    fn night(&mut self, present: &[&Made]) -> (Start, BTreeMap<String, Vec<u8>>) {
        let lake = self.lake();
        let mut building = Building::begin(lake.clone()).unwrap();
        facts(building.dir(), present);
        let start = write(&mut building, &self.settings, (Trust::Checkpoints, &self.progress)).unwrap();
        let tables = tables(building.dir());
        building.leave().unwrap();
        self.number += 1;
        std::fs::create_dir_all(lake.snapshots()).unwrap();
        std::fs::rename(lake.next(), lake.snapshot(self.number)).unwrap();
        let _ = std::fs::remove_file(lake.current());
        std::os::unix::fs::symlink(format!("snapshots/{}", self.number), lake.current()).unwrap();
        (start, tables)
    }
}

fn facts(dir: &Path, present: &[&Made]) {
    for season in SEASONS {
        let here: Vec<&Stored> = present.iter().filter(|made| made.season == season).map(|made| &made.rows).collect();
        let source = SourceRow { season: season.to_owned(), path: format!("{season}/x"), ..SourceRow::default() };
        put(dir, season, vec![source]);
        put(dir, season, here.iter().map(|rows| rows.row.clone()).collect::<Vec<MatchRow>>());
        put(dir, season, here.iter().flat_map(|rows| rows.games.clone()).collect::<Vec<GameRow>>());
        put(dir, season, here.iter().flat_map(|rows| rows.decisions.clone()).collect::<Vec<DecisionRow>>());
        put(dir, season, here.iter().flat_map(|rows| rows.candidates.clone()).collect::<Vec<CandidateRow>>());
    }
}

fn put<R: Row>(dir: &Path, season: &str, mut rows: Vec<R>) {
    sort(&mut rows);
    let mut writer = PartWriter::<R>::create(&lake::table_dir(dir, R::TABLE, season), WHOLE).unwrap();
    writer.push(&rows).unwrap();
    writer.finish().unwrap();
}

/// Every part of the Academy's tables.
fn tables(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for table in ALL.iter().filter(|table| table.shelf == Shelf::Academy) {
        for listed in lake::parts(dir, table.name).unwrap() {
            let name = format!("{}/{}/{}", table.name, listed.season, listed.name);
            files.insert(name, std::fs::read(&listed.path).unwrap());
        }
    }
    files
}

/// Names what differs instead of printing megabytes.
fn same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>, night: usize) {
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>(), "night {night}");
    assert!(left == right && left.len() >= 18, "night {night}");
}

/// Numbers from a seed.
fn stream(seed: u64) -> impl FnMut(u64) -> usize {
    let mut stream = crate::support::contests::Stream(seed);
    move |below| usize::try_from(stream.below(below)).unwrap()
}

#[test]
fn any_order_of_arrival_gives_the_bytes_of_one_run() {
    const NIGHTS: usize = 30;
    let all = matches(36);
    let (mut draw, mut club) = (stream(7), Club::new(""));
    let mut here: BTreeSet<usize> = BTreeSet::new();
    let (mut filed, mut whole) = (0, 0);
    for night in 0..NIGHTS {
        // Some come, from any month; some go; now and then one comes back.
        for _ in 0..=draw(3) {
            here.insert(draw(36));
        }
        if night % 4 == 3 {
            let gone = here.iter().copied().nth(draw(here.len() as u64));
            here.remove(&gone.unwrap());
        }
        let present: Vec<&Made> = here.iter().map(|&at| &all[at]).collect();
        let (start, grown) = club.night(&present);
        let (anew, made_at_once) = Club::new("").night(&present);
        same(&grown, &made_at_once, night);
        assert_eq!((start.matches, anew.filed), (present.len(), present.len()));
        (filed, whole) = (filed + start.filed, whole + anew.filed);
    }
    assert!(here.len() > 20 && filed * 10 < whole * 9, "{} matches, {filed} of {whole} filed", here.len());
}

#[test]
fn a_late_match_costs_the_months_since_its_own_and_an_early_night_nothing_twice() {
    let mut all = matches(40);
    all.retain(|made| made.rows.row.date.is_some());
    all.sort_by_key(|made| (month(made), made.rows.row.date, made.rows.row.match_id.clone()));
    let days: Vec<_> = all.iter().map(|made| made.rows.row.date).collect();
    // Only matches of days of their own: the order within a day is another matter.
    let own_day = |at: &usize| days.iter().filter(|day| **day == days[*at]).count() == 1;
    let late = (0..all.len()).filter(own_day).find(|&at| at > 3 && month(&all[at]) != month(&all[0])).unwrap();

    let mut club = Club::new("");
    let mut present: Vec<&Made> = Vec::new();
    for some in all.chunks(4) {
        let before = present.len();
        present.extend(some);
        if let Some(at) = present.iter().position(|made| made.rows.row.match_id == all[late].rows.row.match_id) {
            present.remove(at);
        }
        let (start, _) = club.night(&present);
        assert_eq!(start.filed, present.len() - before, "{start}");
    }
    let (again, unchanged) = club.night(&present);
    assert_eq!((again.filed, again.why.as_str()), (0, "nothing changed"));

    present.push(&all[late]);
    let (start, tables) = club.night(&present);
    let since = present.iter().filter(|made| month(made) >= month(&all[late])).count();
    let why = format!("1 new (1 late), {} filed again", since - 1);
    assert_eq!((start.filed, start.why.as_str()), (since, why.as_str()), "{start}");
    // Parts of the months before are the same files.
    let kept = unchanged.keys().filter(|name| tables.contains_key(*name)).count();
    assert!(kept > 0 && kept < unchanged.len());

    present.pop();
    let (start, tables) = club.night(&present);
    let why = format!("1 gone, {} filed again", since - 1);
    assert_eq!((start.filed, start.why.as_str()), (since - 1, why.as_str()));
    same(&unchanged, &tables, 0);
}

#[test]
fn matches_without_a_day_stand_last_and_cost_only_themselves_when_others_come() {
    let all = matches(40);
    let of_2026: Vec<&Made> = all.iter().filter(|made| made.season == "2026").collect();
    let (undated, dated): (Vec<&Made>, Vec<&Made>) = of_2026.iter().partition(|made| made.rows.row.date.is_none());
    assert!(undated.len() > 2 && dated.len() > 6);
    let mut dated = dated;
    dated.sort_by_key(|made| made.rows.row.date);
    let last = dated.pop().unwrap();
    let mut club = Club::new("");
    let mut present = [dated, undated.clone()].concat();
    club.night(&present);
    present.push(last);
    let (start, _) = club.night(&present);
    // Two of one day may stand either way round; then the month is filed again.
    assert!(start.filed == undated.len() + 1, "{start}");
}

/// Spoils every file of a folder of the cache but the list.
fn damage(club: &Club, folder: &str) {
    for name in kept(club, folder) {
        if name.file_name().unwrap() != "ledger" {
            std::fs::write(&name, b"\xff").unwrap();
        }
    }
}

fn kept(club: &Club, folder: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(club.lake().cache().join(folder)).unwrap();
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
}

#[test]
fn what_was_cut_once_is_not_cut_again_and_what_is_damaged_is() {
    // Few matches are cut when they are wanted, many bucket by bucket.
    for count in [20, 45] {
        let all = matches(count);
        let mut order: Vec<&Made> = all.iter().collect();
        order.sort_by_key(|made| (month(made), made.rows.row.date));
        let (late, others) = order.split_first().unwrap();
        let mut club = Club::new("");
        club.night(others);
        assert_eq!(kept(&club, "academy/contests").len(), others.len());
        // The tables hold nothing any more that could be cut, and the digests say that nothing changed.
        let bare: Vec<Made> = others.iter().map(|made| made.bare()).collect();
        let present: Vec<&Made> = bare.iter().chain([*late]).collect();
        let (start, tables) = club.night(&present);
        assert_eq!(start.filed, order.len(), "{start}");
        same(&tables, &Club::new("").night(&order).1, 0);
        // Gone is gone; and a match that comes back is cut again, as are those whose contests are damaged.
        club.night(others);
        assert_eq!(kept(&club, "academy/contests").len(), others.len());
        damage(&club, "academy/contests");
        same(&club.night(&order).1, &tables, 0);
    }
}

#[test]
fn another_rule_or_a_lost_state_files_everything_again_and_says_so() {
    let all = matches(12);
    let present: Vec<&Made> = all.iter().collect();
    let mut club = Club::new("");
    let (_, plain) = club.night(&present);
    club.settings.academy = Club::new("[academy.yose]\nmax_patterns = 5\n").settings.academy;
    let (start, tables) = club.night(&present);
    assert_eq!((start.filed, start.why.as_str()), (12, "[academy] or the file of starting ratings changed"));
    assert_ne!(plain, tables);
    let (start, _) = club.night(&present);
    assert_eq!(start.filed, 0);

    // A damaged state is as good as none; what it was for is done from the one before, or from nothing.
    damage(&club, "academy");
    damage(&club, "academy/contests");
    let late = &all[..11].iter().collect::<Vec<_>>();
    let (start, tables) = club.night(late);
    assert_eq!(start.filed, 11);
    let mut other = Club::new("[academy.yose]\nmax_patterns = 5\n");
    same(&other.night(late).1, &tables, 0);

    // Parts that are gone are made again.
    for table in ["academy_contests", "academy_tree"] {
        std::fs::remove_dir_all(club.lake().current().join(table)).unwrap();
        let (start, tables) = club.night(late);
        assert!(start.filed > 0 && start.why == "parts or checkpoints are gone", "{start}");
        same(&other.night(late).1, &tables, 0);
    }

    // Closed, it holds nothing; open again, it holds what it held.
    club.settings.academy.enabled = false;
    let (start, tables) = club.night(late);
    assert_eq!((start.matches, tables.len()), (0, 18), "an empty part a season and table");
    club.settings.academy.enabled = true;
    same(&other.night(late).1, &club.night(late).1, 0);
}

#[test]
fn a_month_under_way_goes_on_from_its_parts_and_is_filed_again_where_one_is_damaged() {
    let all = matches(40);
    let mut order: Vec<&Made> = all.iter().filter(|made| made.rows.row.date.is_some()).collect();
    order.sort_by_key(|made| (month(made), made.rows.row.date));
    let (last, others) = order.split_last().unwrap();
    let label = month(last).2.unwrap();
    let since = order.iter().filter(|made| month(made) == month(last)).count();
    assert!(since > 2 && others.last().unwrap().rows.row.date < last.rows.row.date);
    let whole = Club::new("").night(&order).1;
    for spoilt in
        [None, Some("academy_contests"), Some("academy_ratings"), Some("academy_filings"), Some("academy_advice")]
    {
        let mut club = Club::new("");
        club.night(others);
        if let Some(table) = spoilt {
            let parts = lake::parts(&club.lake().current(), table).unwrap();
            let part = parts.iter().find(|part| part.season == last.season && part.bucket == label).unwrap();
            let mut bytes = std::fs::read(&part.path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::fs::remove_file(&part.path).unwrap();
            std::fs::write(&part.path, bytes).unwrap();
        }
        let (start, tables) = club.night(&order);
        assert_eq!(start.filed, if spoilt.is_some() { since } else { 1 }, "{spoilt:?}: {start}");
        same(&tables, &whole, 0);
    }
}
