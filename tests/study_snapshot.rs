//! What the study marts are made of comes out of a snapshot as it would come out of memory: both seasons of the corpus
//! written as parts, read back through the column engine, finished, and held against ledgers fed directly.

use crate::support::seasons::{self, Told, day};
use portes::measure::Settings;
use portes::measure::before_after::BeforeAfter;
use portes::measure::biases::Biases;
use portes::measure::breakdowns::{Breakdowns, Histogram};
use portes::measure::bucket::{Bucket, Sheets};
use portes::measure::errors;
use portes::measure::head_to_head::HeadToHead;
use portes::measure::player::Marts;
use portes::measure::reference::TreatedKeys;
use portes::measure::rolling::Rolling;
use portes::measure::said::Memory;
use portes::measure::scope::Scope;
use portes::measure::season::{self, Asked, StudyMarts};
use portes::measure::standings::{Bonus, places_points, standings};
use portes::measure::tournament::Tournaments;
use portes::measure::trend::Trend;
use portes::measure::worst::Worst;
use portes::tables::facts::AnalysisRow;
use portes::tables::fault::TableFault;
use portes::tables::lake::table_dir;
use portes::tables::part::PartWriter;
use portes::tables::partials::{ErrorRow, RulingRow};
use portes::tables::row::{self, Row, Value};
use portes::tables::study::StudyEventRow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Writes some rows of a season as the part of a bucket.
fn write<R: Row>(snapshot: &Path, (season, bucket): (&str, &str), mut rows: Vec<R>) {
    row::sort(&mut rows);
    let mut writer = PartWriter::<R>::create(&table_dir(snapshot, R::TABLE, season), bucket).unwrap();
    writer.push(&rows).unwrap();
    writer.finish().unwrap();
}

fn analysis(told: &Told) -> AnalysisRow {
    AnalysisRow {
        season: told.row.season.clone(),
        match_id: told.row.match_id.clone(),
        source_id: told.row.match_id.clone(),
        engine: told.engine.clone(),
        primary: true,
        ..AnalysisRow::default()
    }
}

/// Two buckets a season, by the first bit of the match id.
fn write_all(snapshot: &Path, matches: &[Told]) {
    for season in ["2025", "2026"] {
        for bucket in ["0", "1"] {
            let lies =
                |told: &&Told| told.row.season == season && (told.row.match_id.as_str() >= "8") == (bucket == "1");
            let told: Vec<&Told> = matches.iter().filter(lies).collect();
            let place = (season, bucket);
            write(snapshot, place, told.iter().map(|told| told.row.clone()).collect());
            write(snapshot, place, told.iter().map(|told| analysis(told)).collect());
            write(snapshot, place, told.iter().flat_map(|told| told.decisions.clone()).collect());
            write(snapshot, place, told.iter().flat_map(|told| told.moments.clone()).collect());
            write(snapshot, place, told.iter().flat_map(|told| told.cells.clone()).collect());
            write(snapshot, place, told.iter().flat_map(|told| told.sequences.clone()).collect());
            write(snapshot, place, told.iter().flat_map(|told| told.errors.clone()).collect());
            write(snapshot, place, told.iter().flat_map(|told| told.worst.clone()).collect());
        }
    }
}

/// Cinderpath marks the position of every third of his cube errors on a day between the seasons.
fn study(matches: &[Told]) -> Vec<StudyEventRow> {
    let of_player = |told: &&Told| !told.seats(Some("Cinderpath")).is_empty();
    let errors = matches.iter().filter(of_player).flat_map(|told| {
        let seats = told.seats(Some("Cinderpath"));
        told.errors.iter().filter(move |error| error.nature == "cube" && seats.contains(&error.seat))
    });
    let event = |(index, error): (i64, &portes::tables::partials::ErrorRow)| StudyEventRow {
        season: "all".to_owned(),
        source: "log".to_owned(),
        index,
        player: Some("Cinderpath".to_owned()),
        key_full: Some(error.position_key.clone()),
        day: day("2026-01-01"),
        action: "mark".to_owned(),
        ..StudyEventRow::default()
    };
    (0..).zip(errors.step_by(3)).map(event).collect()
}

fn directly(matches: &[Told], events: &[StudyEventRow]) -> StudyMarts {
    let settings = Settings::default();
    let (mut biases, mut breakdowns, mut histogram) =
        (Biases::default(), Breakdowns::new(settings), Histogram::default());
    let (mut rolling, mut worst, mut pairs) = (Rolling::default(), Worst::default(), HeadToHead::new(settings));
    let (mut tournaments, mut trend) = (Tournaments::new(settings), Trend::default());
    // Every studied position is an error of his own: it joins itself, and whatever else shows it.
    let first = events.iter().map(|event| (event.key_full.clone().unwrap(), event.day)).collect();
    let mut before_after = BeforeAfter::new(BTreeMap::from([("Cinderpath".to_owned(), first)]), settings);
    for told in matches {
        let (entry, facts) = (told.entry(), &told.played.facts);
        biases.enter(&entry);
        breakdowns.enter(&entry);
        histogram.enter(&entry);
        pairs.enter(&told.played);
        trend.enter(&told.played);
        tournaments.enter(&entry);
        before_after.enter(&entry);
        told.sequences.iter().for_each(|sequence| rolling.enter(facts, sequence));
        told.worst.iter().for_each(|row| worst.enter(facts, row));
        told.errors.iter().for_each(|error| before_after.enter_error(facts, error));
    }
    StudyMarts {
        biases: biases.close(),
        breakdowns: breakdowns.close(),
        histogram: histogram.close(),
        rolling: rolling.close(),
        trend: trend.close((Some("Bramblewick"), None)),
        worst_decisions: worst.close(),
        head_to_head: pairs.close(),
        leaders: tournaments.leaders(Some("Bramblewick")),
        tournament_review: tournaments.close(Some("Bramblewick")),
        before_after: before_after.close(),
    }
}

/// Rows stand in the order of the table's key, none twice.
fn sorted<R: Row>(rows: &[R]) {
    let keys: Vec<_> = rows.iter().map(row::key).collect();
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{} is sorted by its key", R::TABLE);
    assert!(!keys.is_empty(), "{} holds something", R::TABLE);
}

#[test]
fn a_snapshot_gives_the_same_study_marts_as_the_matches_themselves() {
    let matches = seasons::corpus();
    if matches.is_empty() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    write_all(dir.path(), matches);
    let events = study(matches);
    let final_places = [("Bramblewick".to_owned(), 1), ("Gristmill".to_owned(), 2), ("Dovetail".to_owned(), 2)];
    let places = places_points(("2026", "Lantern Open 2026"), &final_places, Bonus(0));
    let asked = Asked {
        settings: Settings::default(),
        main_player: Some("Bramblewick"),
        events: &events,
        goal: None,
        scope: &Scope::Everyone,
    };
    let (figures, got) = season::marts(dir.path(), &asked).unwrap();
    assert_eq!(got, directly(matches, &events));
    let standings = standings(&figures.player_season, &places, &[]);

    sorted(&got.biases);
    sorted(&got.breakdowns);
    sorted(&got.histogram);
    sorted(&got.rolling);
    sorted(&got.worst_decisions);
    sorted(&got.head_to_head);
    sorted(&got.tournament_review);
    sorted(&got.before_after);
    sorted(&standings);

    let ranks = |season: &str| -> BTreeMap<i64, &str> {
        let of_season = standings.iter().filter(|row| row.season == season);
        of_season.filter_map(|row| Some((row.rank?, row.player.as_str()))).collect()
    };
    // Aldergrove is the expert; in 2026 three players have a place.
    assert_eq!(ranks("2025")[&1], "Aldergrove");
    assert_eq!(ranks("2025").len(), 8);
    assert_eq!(ranks("2026").into_values().collect::<Vec<_>>(), ["Bramblewick", "Dovetail", "Gristmill"]);

    // A breakdown that every decision is in adds up to the season's PR.
    for season in &figures.player_season {
        let cells = |dimension: &str| -> (i64, i64) {
            let of = got.breakdowns.iter().filter(|row| row.season == season.season && row.player == season.player);
            of.filter(|row| row.dimension == dimension).fold((0, 0), |s, row| (s.0 + row.decisions, s.1 + row.mpt))
        };
        let mpt = season.error_sum.unwrap() * 1000.0;
        for dimension in ["phase", "plan", "score", "kind", "depth", "length", "engine", "month"] {
            let (decisions, sum) = cells(dimension);
            assert_eq!(decisions, season.decisions, "{:?} by {dimension}", season.player);
            assert!((sum as f64 - mpt).abs() < 1e-6, "{:?} by {dimension}", season.player);
        }
    }
    let dimensions: BTreeSet<&str> = got.breakdowns.iter().map(|row| row.dimension.as_str()).collect();
    assert!(dimensions.contains("opponent") && !dimensions.contains("time"), "the corpus has no clock");
}

/// What is remembered of buckets; nothing is recalled before everything was taken.
#[derive(Default)]
struct Notes {
    memory: Mutex<BTreeMap<String, Vec<u8>>>,
    recalls: bool,
}

impl<R> Sheets<R> for Notes {
    fn recall(&self, bucket: &Bucket) -> Result<Option<Vec<u8>>, TableFault> {
        let memory = self.memory.lock().unwrap();
        Ok(self.recalls.then(|| memory[&bucket.digest()].clone()))
    }

    fn accept(&self, bucket: &Bucket, rows: Vec<R>, memory: &[u8]) -> Result<(), TableFault> {
        assert!(!self.recalls && !rows.is_empty() && !memory.is_empty(), "what is remembered can be read again");
        self.memory.lock().unwrap().insert(bucket.digest(), memory.to_vec());
        Ok(())
    }
}

/// What another analysis says of an error's position: every other time the same, and not always rolled out.
fn ruling(error: &ErrorRow) -> RulingRow {
    let agrees = error.order % 2 == 0;
    RulingRow {
        season: error.season.clone(),
        match_id: error.match_id.clone(),
        source_id: "another".to_owned(),
        game: error.game,
        order: error.order,
        position: RulingRow::position_of(&error.position_key),
        ruling: if agrees { error.ruling.clone() } else { "13/11".to_owned() },
        rollout: error.order % 3 == 0,
        ..RulingRow::default()
    }
}

/// What is remembered of parts of `rulings`.
#[derive(Default)]
struct Said(Mutex<BTreeMap<PathBuf, Vec<u8>>>);

impl Memory for Said {
    fn recall(&self, part: &Path) -> Option<Vec<u8>> {
        self.0.lock().unwrap().get(part).cloned()
    }

    fn keep(&self, part: &Path, said: &[u8]) -> Result<(), TableFault> {
        assert!(self.0.lock().unwrap().insert(part.to_owned(), said.to_vec()).is_none(), "a part is read once");
        Ok(())
    }
}

impl Said {
    /// Makes every part that something is remembered of one that cannot be read; how many there are.
    fn damage(&self) -> usize {
        let parts = self.0.lock().unwrap();
        for part in parts.keys() {
            std::fs::remove_file(part).unwrap();
            std::fs::write(part, "torn").unwrap();
        }
        parts.len()
    }
}

/// Everybody's rows, and those of one player.
fn of_one<R: Row + Clone>(rows: &[R], player: &str) -> Vec<Vec<row::KeyCell>> {
    let at = R::COLUMNS.iter().position(|column| column.name == "player").unwrap();
    let is_wanted = |row: &&R| {
        let mut wanted = false;
        row.values(&mut |column, value| {
            wanted |= column == at && (value == Value::Null || value == Value::Text(player));
        });
        wanted
    };
    rows.iter().filter(is_wanted).map(row::key).collect()
}

#[test]
fn what_is_remembered_of_a_bucket_gives_everybody_the_same_rows_as_reading_it() {
    let matches = seasons::corpus();
    if matches.is_empty() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    write_all(dir.path(), matches);
    let (player, events) = ("Dovetail", study(matches));
    let one = Scope::Only(BTreeSet::from([player.to_owned()]));
    let asked = |scope| Asked { settings: Settings::default(), main_player: None, events: &events, goal: None, scope };
    let mut notes = Notes::default();
    let (figures, whole) = season::pooled(dir.path(), &asked(&Scope::Everyone), &notes).unwrap();
    notes.recalls = true;
    let (again, few) = season::pooled(dir.path(), &asked(&one), &notes).unwrap();
    macro_rules! same {
        ($all:expr, $few:expr) => {
            let mut all = $all.clone();
            let kept = of_one(&all, player);
            all.retain(|row| kept.contains(&row::key(row)));
            assert!(!all.is_empty());
            assert_eq!($few, all);
        };
    }
    same!(figures.player_season, again.player_season);
    same!(figures.player_career, again.player_career);
    same!(whole.biases, few.biases);
    same!(whole.breakdowns, few.breakdowns);
    same!(whole.histogram, few.histogram);
    same!(whole.rolling, few.rolling);
    same!(whole.trend, few.trend);
    same!(whole.worst_decisions, few.worst_decisions);
    same!(whole.head_to_head, few.head_to_head);
    same!(whole.tournament_review, few.tournament_review);
    // Who leads a tournament, and who studies, does not hang on who is asked for.
    assert_eq!((whole.leaders, whole.before_after), (few.leaders, few.before_after));

    let (treated, settings) = (TreatedKeys::new(), Settings::default());
    let asked = |scope| errors::Asked { treated: &treated, settings, scope };
    for season in ["2025", "2026"] {
        let told = matches.iter().filter(|told| told.row.season == season);
        write(dir.path(), (season, "0"), told.flat_map(|told| &told.errors).map(ruling).collect());
    }
    let (mut notes, said) = (Notes::default(), Said::default());
    let mut lists = [errors::ErrorMarts::default(), errors::ErrorMarts::default()];
    let whole = errors::pooled(dir.path(), &asked(&Scope::Everyone), (&notes, &said), &mut lists[0]).unwrap();
    notes.recalls = true;
    // What is remembered of a part is asked for instead of the part.
    assert!(said.damage() > 0);
    let few = errors::pooled(dir.path(), &asked(&one), (&notes, &said), &mut lists[1]).unwrap();
    same!(whole.study_plan, few.study_plan);
    same!(whole.study_totals, few.study_totals);
    same!(lists[0].family_positions, lists[1].family_positions);
    same!(lists[0].tournament_families, lists[1].tournament_families);
    same!(whole.recurring_errors, few.recurring_errors);
    same!(whole.reference_positions, few.reference_positions);
}

#[test]
fn an_empty_snapshot_has_no_rows() {
    let dir = tempfile::tempdir().unwrap();
    let asked =
        Asked { settings: Settings::default(), main_player: None, events: &[], goal: None, scope: &Scope::Everyone };
    assert_eq!(season::marts(dir.path(), &asked).unwrap(), (Marts::default(), StudyMarts::default()));
}

#[test]
fn cells_of_a_match_nobody_knows_are_a_fault() {
    let matches = seasons::corpus();
    let Some(told) = matches.first() else { return };
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), ("2025", "0"), vec![matches[1].row.clone()]);
    write(dir.path(), ("2025", "0"), told.cells.clone());
    let asked =
        Asked { settings: Settings::default(), main_player: None, events: &[], goal: None, scope: &Scope::Everyone };
    let fault = season::marts(dir.path(), &asked).unwrap_err().to_string();
    assert_eq!(fault, format!("cells: match {} is not in the table of matches", told.row.match_id));
}
