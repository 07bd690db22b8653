//! The marts of a snapshot: from its partials to finished figures, one part a season and table.
//!
//! A run that follows another makes the rows of the players it touched ([`touched`]) and takes the others over; everybody's
//! own rows are made anew always. What comes of it is what a run from nothing writes, byte for byte.

mod touched;

pub use touched::{Named, Since, prune};

use super::fault::NightFault;
use super::progress::Progress;
use super::{side, status};
use crate::academy::backgammon;
use crate::academy::settings::Source;
use crate::config::Settings;
use crate::config::file::nearest;
use crate::measure::reference::TreatedKeys;
use crate::measure::scope::Scope;
use crate::measure::standings::standings;
use crate::measure::{self, errors, season};
use crate::tables::academy::AcademyPlayerRow;
use crate::tables::catalogue::{self, Shelf, Table};
use crate::tables::facts::SourceRow;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, ALL_SEASONS};
use crate::tables::marts::PlayerSeasonRow;
use crate::tables::part;
use crate::tables::partials::{CellRow, ErrorRow, MomentRow, RulingRow, SequenceRow, WorstRow};
use crate::tables::row::{Day, Row, Value};
use crate::tables::snapshot::Building;
use crate::tables::study::{StudyEventRow, TreatedPositionRow};
use crate::tables::study_marts::{PlacesPointsRow, StandingRow};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use touched::{Touched, Whose};

/// Calls `$each` with every mart's rows, the function that gives a row's season, and the one that tells whose it is.
macro_rules! each_mart {
    ($all:expr, $each:ident) => {
        $each!($all.figures.player_match, |row| row.season.as_str(), |row| Whose::Match(&row.match_id));
        $each!($all.figures.player_season, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.figures.player_career, |_row| ALL_SEASONS, |row| Whose::of(&row.player));
        $each!($all.lessons.match_review, |row| row.season.as_str(), |row| Whose::Match(&row.match_id));
        $each!($all.lessons.study_plan, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.lessons.study_totals, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.lessons.family_positions, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.lessons.tournament_families, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.lessons.recurring_errors, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.lessons.reference_positions, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.study.biases, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.study.breakdowns, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.study.histogram, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.study.rolling, |_row| ALL_SEASONS, |row| Whose::of(&row.player));
        $each!($all.study.trend, |_row| ALL_SEASONS, |row| Whose::of(&row.player));
        $each!($all.study.worst_decisions, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.study.head_to_head, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.study.tournament_review, |row| row.season.as_str(), |row| Whose::of(&row.player));
        $each!($all.study.before_after, |_row| ALL_SEASONS, |_row| Whose::Everybody);
        $each!($all.standings, |row| row.season.as_str(), |_row| Whose::Everybody);
    };
}

/// Every mart.
pub struct All {
    figures: measure::player::Marts,
    lessons: errors::ErrorMarts,
    study: season::StudyMarts,
    standings: Vec<StandingRow>,
}

/// Computes every mart of the snapshot in `dir`, for the players of a scope.
fn compute(dir: &Path, settings: &Settings, scope: &Scope) -> Result<All, NightFault> {
    let events: Vec<StudyEventRow> = rows(dir)?;
    let treated: Vec<TreatedPositionRow> = rows(dir)?;
    let measures = settings.measures();
    let asked = season::Asked {
        settings: measures,
        main_player: settings.main_player.as_deref(),
        events: &events,
        goal: settings.goal,
        scope,
    };
    let treated = treated_keys(&events, &treated);
    let lessons = errors::Asked { treated: &treated, settings: measures, scope };
    // What is made of sums takes as long as what is made of errors, and neither needs the other.
    let (study, lessons) = rayon::join(|| season::marts(dir, &asked), || errors::marts(dir, &lessons));
    let (figures, study) = study?;
    Ok(All { figures, lessons: lessons?, study, standings: Vec::new() })
}

impl All {
    /// The standings, which are made of everybody's seasons.
    fn stand(&mut self, dir: &Path, settings: &Settings) -> Result<(), TableFault> {
        let ratings = ratings(dir, settings)?;
        self.standings = standings(&self.figures.player_season, &rows::<PlacesPointsRow>(dir)?, &ratings);
        Ok(())
    }

    /// Adds the rows of the snapshot before of whoever was not asked for.
    fn keep(&mut self, touched: &Touched<'_>) -> Result<(), TableFault> {
        let mut jobs: Vec<Job<'_>> = Vec::new();
        macro_rules! keep {
            ($rows:expr, $season:expr, $whose:expr) => {
                let rows = &mut $rows;
                jobs.push(Box::new(move || touched.keep(rows, $whose)));
            };
        }
        each_mart!(self, keep);
        side_by_side(jobs)?;
        let leaders = &self.study.leaders;
        for row in &mut self.study.tournament_review {
            let leader = leaders.get(&(row.season.clone(), row.event.clone()));
            row.reference = leader == Some(&row.player);
        }
        Ok(())
    }
}

/// The work on one mart.
type Job<'a> = Box<dyn FnOnce() -> Result<(), TableFault> + Send + 'a>;

/// Does all, on as many threads as there are; of those that fail the first tells why.
fn side_by_side(jobs: Vec<Job<'_>>) -> Result<(), TableFault> {
    jobs.into_par_iter().map(|job| job()).collect::<Vec<_>>().into_iter().collect()
}

/// What each player has treated already: any reason, and any study action (`study-sources.md` 7).
///
/// These are keys and no joins: a key that is no candidate is ignored (`metrics.md` 13.1), so a card made at another score
/// begins the study of a position ([`measure::studied`]) and yet leaves it among those that are offered. A first day that
/// came about weakly is told as such; a position that is never offered would be missed by nobody.
fn treated_keys(events: &[StudyEventRow], treated: &[TreatedPositionRow]) -> TreatedKeys {
    let studied = events.iter().map(|row| (&row.player, &row.key_full));
    let handled = treated.iter().map(|row| (&row.player, &row.key_full));
    let mut keys = TreatedKeys::new();
    for (player, key) in studied.chain(handled) {
        if let (Some(player), Some(key)) = (player, key) {
            keys.entry(player.clone()).or_default().insert(key.clone());
        }
    }
    keys
}

/// What the Academy says of the players at the end of each season, where it rates them by their results.
fn ratings(dir: &Path, settings: &Settings) -> Result<Vec<AcademyPlayerRow>, TableFault> {
    if settings.academy.source != Source::Results {
        return Ok(Vec::new());
    }
    let mut ratings: Vec<AcademyPlayerRow> = rows(dir)?;
    ratings.retain(|row| row.game == backgammon::GAME && row.experience > 0);
    Ok(ratings)
}

fn rows<R: Row>(dir: &Path) -> Result<Vec<R>, TableFault> {
    let mut rows = Vec::new();
    for listed in lake::parts(dir, R::TABLE)? {
        rows.extend(part::read::<R>(&listed.path)?);
    }
    Ok(rows)
}

/// Computes the marts of a snapshot and writes them.
///
/// # Errors
/// When a partial cannot be read or a mart not written.
pub fn write(
    building: &mut Building,
    (settings, since): (&Settings, Option<&Since<'_>>),
    progress: &Progress,
) -> Result<(), NightFault> {
    let bar = progress.stage("measure", 1);
    let dir = building.dir().to_path_buf();
    let touched = since.and_then(|since| Touched::of(&dir, since, settings).transpose()).transpose()?;
    let everyone = Scope::Everyone;
    let mut all = compute(&dir, settings, touched.as_ref().map_or(&everyone, Touched::scope))?;
    if let Some(touched) = &touched {
        all.keep(touched)?;
    }
    all.stand(&dir, settings)?;
    let seasons = all_seasons(&dir)?;
    let mut count = 0;
    let mut jobs: Vec<Job<'_>> = Vec::new();
    macro_rules! put {
        ($rows:expr, $season:expr, $whose:expr) => {
            let (rows, building, seasons) = (&$rows, &*building, seasons.as_slice());
            count += rows.len();
            jobs.push(Box::new(move || shelve(building, rows, (seasons, $season))));
        };
    }
    each_mart!(all, put);
    side_by_side(jobs)?;
    macro_rules! stamp {
        ($rows:expr, $season:expr, $whose:expr) => {
            building.made_from(table_of(&$rows), inputs_of(table_of(&$rows)))?;
        };
    }
    each_mart!(all, stamp);
    touched::remember(building.dir(), settings)?;
    let whose = touched.map_or_else(|| "everybody".to_owned(), |touched| touched.told());
    bar.done(&format!("{count} rows, computed for {whose}"));
    Ok(())
}

/// Writes the standings again, after the Academy: they show its ratings. Where no mart is there yet nothing is written.
///
/// # Errors
/// When a table cannot be read or written.
pub fn stand(building: &mut Building, settings: &Settings) -> Result<(), NightFault> {
    let dir = building.dir().to_path_buf();
    let seasons: Vec<PlayerSeasonRow> = rows(&dir)?;
    if lake::parts(&dir, PlayerSeasonRow::TABLE)?.is_empty() {
        return Ok(());
    }
    let standings = standings(&seasons, &rows::<PlacesPointsRow>(&dir)?, &ratings(&dir, settings)?);
    shelve(building, &standings, (&all_seasons(&dir)?, |row| row.season.as_str()))?;
    building.made_from(StandingRow::TABLE, INPUTS_OF_STANDINGS)?;
    Ok(touched::remember(&dir, settings)?)
}

/// The seasons that have a file.
fn all_seasons(dir: &Path) -> Result<Vec<String>, TableFault> {
    let mut seasons: Vec<String> = lake::parts(dir, SourceRow::TABLE)?.into_iter().map(|part| part.season).collect();
    seasons.dedup();
    Ok(seasons)
}

/// What every mart is made from.
const INPUTS: &[&str] = &[
    "matches",
    MomentRow::TABLE,
    CellRow::TABLE,
    ErrorRow::TABLE,
    RulingRow::TABLE,
    SequenceRow::TABLE,
    WorstRow::TABLE,
    StudyEventRow::TABLE,
    TreatedPositionRow::TABLE,
];

/// What the standings are made from.
const INPUTS_OF_STANDINGS: &[&str] = &["matches", MomentRow::TABLE, PlacesPointsRow::TABLE, AcademyPlayerRow::TABLE];

fn inputs_of(table: &str) -> &'static [&'static str] {
    if table == StandingRow::TABLE { INPUTS_OF_STANDINGS } else { INPUTS }
}

const fn table_of<R: Row>(_: &[R]) -> &'static str {
    R::TABLE
}

/// One part a season, empty ones too, so that whoever reads the table always finds its columns; a table that reaches over
/// seasons has one part.
fn shelve<R: Row>(
    building: &Building,
    rows: &[R],
    (seasons, season_of): (&[String], fn(&R) -> &str),
) -> Result<(), TableFault> {
    if reaches_over_seasons::<R>() {
        return side::put(building, BTreeMap::from([(ALL_SEASONS, rows.to_vec())]));
    }
    let of = |season: &str| rows.iter().filter(|row| season_of(row) == season).cloned().collect();
    side::put(building, seasons.iter().map(|season| (season.as_str(), of(season))).collect())
}

/// Tables whose question reaches over seasons lie in the season `all`.
fn reaches_over_seasons<R: Row>() -> bool {
    ["player_career", "rolling", "trend", "before_after"].contains(&R::TABLE)
}

/// One mart as tab-separated text, computed and not published.
///
/// # Errors
/// [`NightFault::NoSuchMart`], before anything is read; when a partial cannot be read.
pub fn text(dir: &Path, settings: &Settings, mart: &str) -> Result<String, NightFault> {
    let names = names();
    if !names.contains(&mart) {
        let nearest = nearest(mart, names.iter().copied());
        return Err(NightFault::NoSuchMart { asked: mart.to_owned(), nearest, known: names.join(", ") });
    }
    let mut all = compute(dir, settings, &Scope::Everyone)?;
    all.stand(dir, settings)?;
    macro_rules! print {
        ($rows:expr, $season:expr, $whose:expr) => {
            if table_of(&$rows) == mart {
                let _: fn(&_) -> &str = infer(&$rows, $season);
                return Ok(tsv(&$rows));
            }
        };
    }
    each_mart!(all, print);
    Ok(String::new())
}

/// The marts that are computed, in the order of the catalogue.
fn names() -> Vec<&'static str> {
    let computed = |table: &&Table| table.shelf == Shelf::Mart && table.name != PlacesPointsRow::TABLE;
    catalogue::ALL.iter().filter(computed).map(|table| table.name).collect()
}

/// Ties the season function to its rows' type where only the rows are wanted.
fn infer<R: Row>(_: &[R], season: fn(&R) -> &str) -> fn(&R) -> &str {
    season
}

fn tsv<R: Row>(rows: &[R]) -> String {
    let names: Vec<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
    let mut out = names.join("\t");
    out.push('\n');
    for row in rows {
        row.values(&mut |at, value| {
            if at > 0 {
                out.push('\t');
            }
            match value {
                Value::Null => {}
                Value::Text(text) => out.push_str(&cell(text)),
                Value::Int(int) => _ = write!(out, "{int}"),
                Value::Float(float) => _ = write!(out, "{float}"),
                Value::Day(day) => out.push_str(&Day(day).to_string()),
                Value::Flag(flag) => _ = write!(out, "{flag}"),
            }
        });
        out.push('\n');
    }
    out
}

/// Text for a terminal and for a spreadsheet alike: nothing in it acts, and none begins a formula.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@']);
    format!("{}{}", if formula { "'" } else { "" }, status::terminal(text))
}
