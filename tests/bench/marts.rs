//! From tables to marts: a federation's seasons, as large as is asked.
//!
//! The partials of the sample season's matches are written again and again under new match ids, players and days, and
//! with other positions in their errors, so that as many positions meet as in that many real matches. What is measured is
//! `portes measure`, a process of its own, over the tables and nothing else: there are no decisions for it to read.

use super::honesty::{Population, Unit};
use super::watch::{self, Ran};
use portes::game::key::PositionKey;
use portes::game::{Board, Dice, legal};
use portes::measure::interval::{CountUnit, WeightUnit};
use portes::tables::bucket::Division;
use portes::tables::facts::{AnalysisRow, MatchRow, SourceRow};
use portes::tables::lake::{self, WHOLE};
use portes::tables::part::{self, PartWriter};
use portes::tables::partials::{CellRow, ErrorRow, MomentRow, RulingRow, SequenceRow, WorstRow};
use portes::tables::row::{self, Day, Row};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// What is asked of the marts of a million decisions.
const SECONDS: f64 = 3.0;
const MEMORY_MB: f64 = 400.0;
const ASKED_AT: u64 = 1_000_000;

/// Decisions of the tables that are measured.
const SIZES: [u64; 4] = [250_000, 500_000, ASKED_AT, 4_000_000];

/// Decisions of one season: more are further seasons of the same federation.
const OF_A_SEASON: u64 = 1_000_000;

/// Who plays in it, and in how many tournaments a season.
const PLAYERS: u64 = 300;
const EVENTS: u64 = 40;

/// 2001-01-01, the first day of the first season, and the days of one.
const FIRST_DAY: i32 = 11_323;
const DAYS: i32 = 365;

/// Shorter ones are no matches worth repeating.
const LEAST_DECISIONS: i64 = 50;

/// A match's rows in every table the marts are made from.
#[derive(Clone, Default)]
struct Rows {
    matches: Vec<MatchRow>,
    analyses: Vec<AnalysisRow>,
    moments: Vec<MomentRow>,
    cells: Vec<CellRow>,
    errors: Vec<ErrorRow>,
    rulings: Vec<RulingRow>,
    sequences: Vec<SequenceRow>,
    worst: Vec<WorstRow>,
}

/// Calls `$each` with every table of [`Rows`].
macro_rules! each_table {
    ($each:ident) => {
        $each!(matches);
        $each!(analyses);
        $each!(moments);
        $each!(cells);
        $each!(errors);
        $each!(rulings);
        $each!(sequences);
        $each!(worst);
    };
}

/// Measures every size and says how it grew.
pub(super) fn measured(asked: &mut Vec<String>) {
    let templates = templates();
    println!("marts: `portes measure --jobs 2` over tables of made seasons, {PLAYERS} players");
    println!("{:>12} {:>9} {:>9} {:>9} {:>12} {:>9}", "decisions", "matches", "clock", "", "processors", "peak");
    for size in SIZES {
        let folder = tempfile::tempdir().unwrap();
        let (matches, decisions) = write(folder.path(), &templates, size);
        let ran = watch::run(folder.path(), "measure", 2);
        line(matches, decisions, &ran);
        if size == ASKED_AT {
            asked.push(super::asked_and_met(
                "tables of 1,000,000 decisions to all marts, 2 jobs",
                format!("<= {SECONDS:.0} s"),
                format!("{:.1} s", ran.seconds),
            ));
            asked.push(super::asked_and_met(
                "peak memory of that",
                format!("<= {MEMORY_MB:.0} MB"),
                format!("{:.0} MB", super::megabytes(ran.peak_kb)),
            ));
        }
    }
    println!();
}

/// The sample season as the intervals see it: a unit a seat of a points match, an excess an error.
pub(super) fn sample() -> Population {
    let mut population = Population { name: "sample season", units: Vec::new(), excesses: Vec::new() };
    for of in templates() {
        let Some(length) = of.matches[0].length else { continue };
        for seat in [1, 2] {
            let mut errors = CountUnit::default();
            let mut loss = WeightUnit { amount: 0, weight: (length as f64).sqrt() };
            for row in of.moments.iter().filter(|row| row.seat == seat) {
                errors += CountUnit { amount: row.mpt, size: row.counted };
                loss.amount += row.loss;
            }
            population.units.push(Unit { errors, loss });
        }
        population.excesses.extend(of.errors.iter().filter_map(|row| Some(row.loss? - row.difficulty?)));
    }
    population
}

fn line(matches: u64, decisions: i64, ran: &Ran) {
    println!(
        "{decisions:>12} {matches:>9} {:>7.2} s {:>6.2} us {:>10.2} s {:>6.0} MB",
        ran.seconds,
        ran.seconds * 1e6 / decisions as f64,
        ran.processor,
        super::megabytes(ran.peak_kb),
    );
}

/// The sample season's matches, by one run of the program over it.
fn templates() -> Vec<Rows> {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample/raw");
    for path in super::below(&sample) {
        let to = folder.path().join("data/raw").join(path.strip_prefix(&sample).unwrap());
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(path, to).unwrap();
    }
    watch::run(folder.path(), "ingest", 2);
    let snapshot = folder.path().join("data/lake/next");
    let mut by_match: BTreeMap<String, Rows> = BTreeMap::new();
    macro_rules! take {
        ($table:ident) => {
            for row in rows(&snapshot) {
                let row: RowOf![$table] = row;
                by_match.entry(row.match_id.clone()).or_default().$table.push(row);
            }
        };
    }
    each_table!(take);
    let mut templates: Vec<Rows> = by_match.into_values().collect();
    templates.retain(|of| of.decisions() >= LEAST_DECISIONS);
    assert!(templates.len() > 20, "the sample season has matches");
    templates
}

/// The type of a table's rows, by its field.
macro_rules! RowOf {
    [matches] => { MatchRow };
    [analyses] => { AnalysisRow };
    [moments] => { MomentRow };
    [cells] => { CellRow };
    [errors] => { ErrorRow };
    [rulings] => { RulingRow };
    [sequences] => { SequenceRow };
    [worst] => { WorstRow };
}
use RowOf;

fn rows<R: Row>(snapshot: &Path) -> Vec<R> {
    let parts = lake::parts(snapshot, R::TABLE).unwrap();
    parts.iter().flat_map(|listed| part::read::<R>(&listed.path).unwrap()).collect()
}

/// Writes tables of about so many decisions; how many matches and decisions they became.
fn write(folder: &Path, templates: &[Rows], size: u64) -> (u64, i64) {
    let (mut matches, mut decisions, mut season) = (0, 0, 0);
    while u64::try_from(decisions).unwrap() < size {
        let (from, most) = (matches, size.min((season + 1) * OF_A_SEASON));
        while u64::try_from(decisions).unwrap() < most {
            decisions += templates[usize::try_from(matches).unwrap() % templates.len()].decisions();
            matches += 1;
        }
        write_season(&folder.join("data/lake/next"), templates, (season, from..matches));
        season += 1;
    }
    (matches, decisions)
}

fn write_season(snapshot: &Path, templates: &[Rows], (season, matches): (u64, std::ops::Range<u64>)) {
    let division = Division::of(matches.end - matches.start);
    let mut buckets: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for number in matches {
        let bucket = division.holding(&match_id(number)).unwrap();
        buckets.entry(bucket.to_string()).or_default().push(number);
    }
    let name = (2001 + season).to_string();
    buckets.par_iter().for_each(|(bucket, numbers)| {
        let mut all = Rows::default();
        for &number in numbers {
            let template = &templates[usize::try_from(number).unwrap() % templates.len()];
            let made = template.again((season, &name), number);
            macro_rules! append {
                ($table:ident) => {
                    all.$table.extend(made.$table);
                };
            }
            each_table!(append);
        }
        macro_rules! put {
            ($table:ident) => {
                put_part((snapshot, &name, bucket), &mut all.$table);
            };
        }
        each_table!(put);
    });
    let source = SourceRow { season: name.clone(), path: format!("{name}/made.xg"), ..SourceRow::default() };
    put_part((snapshot, &name, WHOLE), &mut [source]);
}

fn put_part<R: Row>((snapshot, season, bucket): (&Path, &str, &str), rows: &mut [R]) {
    row::sort(rows);
    let mut writer = PartWriter::<R>::create(&lake::table_dir(snapshot, R::TABLE, season), bucket).unwrap();
    writer.push(rows).unwrap();
    writer.finish().unwrap();
}

fn match_id(number: u64) -> String {
    blake3::hash(&number.to_le_bytes()).to_hex()[..16].to_owned()
}

impl Rows {
    fn decisions(&self) -> i64 {
        self.moments.iter().map(|row| row.n).sum()
    }

    /// The same match, played by others on another day from other positions.
    fn again(&self, (season, name): (u64, &str), number: u64) -> Self {
        let mut chance = Chance(number);
        let mut made = self.clone();
        let id = match_id(number);
        macro_rules! rename {
            ($table:ident) => {
                for row in &mut made.$table {
                    row.season = name.to_owned();
                    row.match_id.clone_from(&id);
                }
            };
        }
        each_table!(rename);
        let source = format!("{:016x}", chance.below(u64::MAX));
        made.analyses.iter_mut().for_each(|row| row.source_id.clone_from(&source));
        made.analyses.truncate(1);
        made.rulings.retain(|row| row.source_id == self.rulings[0].source_id);
        for row in &mut made.rulings {
            row.source_id.clone_from(&source);
            row.position = chance.below(u64::MAX >> 1).cast_signed();
        }
        let first = chance.below(PLAYERS);
        let players = [first, (first + 1 + chance.below(PLAYERS - 1)) % PLAYERS].map(|at| format!("Player {at:03}"));
        for row in &mut made.matches {
            [row.player_1, row.player_2] = players.clone();
            [row.name_1, row.name_2] = players.clone();
            row.event = Some(format!("Tournament {:02}", chance.below(EVENTS)));
            let day = i32::try_from(chance.below(DAYS.unsigned_abs().into())).unwrap();
            row.date = Some(Day(FIRST_DAY + DAYS * i32::try_from(season).unwrap() + day));
        }
        made.errors.iter_mut().for_each(|row| chance.replace(row));
        for row in &mut made.worst {
            row.decision_id = format!("{id}-{:04}", row.order);
        }
        for row in &mut made.errors {
            row.decision_id = format!("{id}-{:04}", row.order);
            for ruling in made.rulings.iter_mut().filter(|ruling| ruling.order == row.order) {
                ruling.position = RulingRow::position_of(&row.position_key);
            }
        }
        made
    }
}

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }

    /// An error at a board of random play, asked as it was.
    fn replace(&mut self, row: &mut ErrorRow) {
        const PLIES: u64 = 40;
        let mut board = Board::START;
        for _ in 0..1 + self.below(PLIES) {
            let mut die = || u8::try_from(self.below(6)).unwrap() + 1;
            let plays = legal::plays(&board, Dice::new(die(), die()).unwrap());
            let after = if plays.is_empty() { board } else { plays[self.below(plays.len() as u64) as usize].after };
            if after.on_board() == 0 {
                break;
            }
            board = after.mirror();
        }
        let key = PositionKey::from_text(&row.position_key).unwrap();
        row.position_key = PositionKey { board, ..key }.to_string();
    }
}
