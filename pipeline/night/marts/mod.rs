//! The marts of a snapshot: from its partials to finished figures, one part a season and table.
//!
//! A run that follows another makes the rows of the players it touched ([`touched`]) and takes the others over; everybody's
//! own rows are made anew always, of sums that are remembered bucket by bucket ([`sheets`]). What is made of one match
//! alone has one part a bucket. What comes of it is what a run from nothing writes, byte for byte. Rows are held until
//! their mart is written, and no longer; those of the two longest marts of errors are written as they come ([`shelf`]).

mod memory;
mod sheets;
mod shelf;
mod text;
mod touched;

pub use text::text;
pub use touched::{Named, Since, prune};

use super::cache::Cache;
use super::fault::NightFault;
use super::progress::Progress;
use crate::academy::backgammon;
use crate::academy::settings::Source;
use crate::config::Settings;
use crate::measure::bucket::Sheets;
use crate::measure::errors::Lists;
use crate::measure::reference::TreatedKeys;
use crate::measure::said::Memory;
use crate::measure::scope::Scope;
use crate::measure::standings::standings;
use crate::measure::tournament::Leaders;
use crate::measure::{self, MeasureFault, errors, season};
use crate::tables::academy::AcademyPlayerRow;
use crate::tables::columns::Columns;
use crate::tables::durable;
use crate::tables::facts::SourceRow;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, ALL_SEASONS};
use crate::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use crate::tables::merge::Stays;
use crate::tables::part;
use crate::tables::partials::{CellRow, ErrorRow, MomentRow, RulingRow, SequenceRow, WorstRow};
use crate::tables::row::{self, Row};
use crate::tables::snapshot::Building;
use crate::tables::study::{StudyEventRow, TreatedPositionRow};
use crate::tables::study_marts::{
    FamilyPositionRow, MatchReviewRow, PlacesPointsRow, StandingRow, TournamentFamilyRow, TournamentReviewRow,
};
use memory::Rulings;
use rayon::prelude::*;
use sheets::Binder;
use shelf::{NOTHING, Shelves, shelve};
use std::path::Path;
use touched::{Leads, Touched, configured};

/// Calls `$each` with the rows of every mart that is written whole and the function that gives a row's season: those made
/// of sums, then those made of errors; of these not the two longest, whose rows are never all there at once.
macro_rules! each_of_sums {
    ($figures:expr, $study:expr, $each:ident) => {
        $each!($figures.player_season, |row| row.season.as_str());
        $each!($figures.player_career, |_row| ALL_SEASONS);
        $each!($study.biases, |row| row.season.as_str());
        $each!($study.breakdowns, |row| row.season.as_str());
        $each!($study.histogram, |row| row.season.as_str());
        $each!($study.rolling, |_row| ALL_SEASONS);
        $each!($study.trend, |_row| ALL_SEASONS);
        $each!($study.worst_decisions, |row| row.season.as_str());
        $each!($study.head_to_head, |row| row.season.as_str());
    };
}

/// See [`each_of_sums`].
macro_rules! each_of_errors {
    ($lessons:expr, $each:ident) => {
        $each!($lessons.study_plan, |row| row.season.as_str());
        $each!($lessons.study_totals, |row| row.season.as_str());
        $each!($lessons.recurring_errors, |row| row.season.as_str());
        $each!($lessons.reference_positions, |row| row.season.as_str());
    };
}

use {each_of_errors, each_of_sums};

/// What the marts of a snapshot are made from.
struct Material<'a> {
    dir: &'a Path,
    settings: &'a Settings,
    events: Vec<StudyEventRow>,
    treated: TreatedKeys,
}

impl<'a> Material<'a> {
    fn of(dir: &'a Path, settings: &'a Settings) -> Result<Self, TableFault> {
        let events: Vec<StudyEventRow> = rows(dir)?;
        let treated = treated_keys(&events, &rows(dir)?);
        Ok(Self { dir, settings, events, treated })
    }

    fn of_sums(
        &self,
        scope: &Scope,
        sheets: &dyn Sheets<PlayerMatchRow>,
    ) -> Result<(measure::player::Marts, season::StudyMarts), MeasureFault> {
        let asked = season::Asked {
            settings: self.settings.measures(),
            main_player: self.settings.main_player.as_deref(),
            events: &self.events,
            goal: self.settings.goal,
            scope,
        };
        season::pooled(self.dir, &asked, sheets)
    }

    fn of_errors(
        &self,
        scope: &Scope,
        notes: (&dyn Sheets<MatchReviewRow>, &dyn Memory),
        lists: &mut dyn Lists,
    ) -> Result<errors::ErrorMarts, MeasureFault> {
        let asked = errors::Asked { treated: &self.treated, settings: self.settings.measures(), scope };
        errors::pooled(self.dir, &asked, notes, lists)
    }

    /// The standings, which are made of everybody's seasons.
    fn standings(&self, seasons: &[PlayerSeasonRow]) -> Result<Vec<StandingRow>, TableFault> {
        let ratings = ratings(self.dir, self.settings)?;
        Ok(standings(seasons, &rows::<PlacesPointsRow>(self.dir)?, &ratings))
    }
}

/// The work on one mart; it tells of how many rows.
type Job<'a> = Box<dyn FnOnce() -> Result<usize, TableFault> + Send + 'a>;

/// Does all, on as many threads as there are; of those that fail the first tells why.
fn side_by_side(jobs: Vec<Job<'_>>) -> Result<usize, TableFault> {
    jobs.into_par_iter().map(|job| job()).collect::<Vec<_>>().into_iter().sum()
}

/// Where marts are written, and whose rows are taken over.
struct Desk<'a> {
    building: &'a Building,
    seasons: &'a [String],
    touched: Option<&'a Touched<'a>>,
}

impl<'a> Desk<'a> {
    /// Writes a mart of players: the rows that were made, and those of the snapshot before of whoever was not asked for.
    /// Its rows are held no longer than this takes.
    fn shelve<R: Row>(&self, rows: Vec<R>, season_of: fn(&R) -> &str) -> Result<usize, TableFault> {
        self.merge(rows, season_of, (self.before(), &self.stays::<R>()))
    }

    fn merge<R: Row>(
        &self,
        rows: Vec<R>,
        season_of: fn(&R) -> &str,
        before: (Option<&Path>, Stays<'_>),
    ) -> Result<usize, TableFault> {
        shelve(self.building, rows, (self.seasons, season_of), before)
    }

    /// The snapshot whose rows are taken over.
    fn before(&self) -> Option<&'a Path> {
        self.touched.map(Touched::snapshot)
    }

    /// Which of them are.
    fn stays<R: Row>(&self) -> impl Fn(&Columns, usize) -> bool + use<'a, R> {
        let stays = self.touched.map(Touched::stays::<R>);
        move |batch, row| stays.as_ref().is_some_and(|stays| stays(batch, row))
    }
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

/// Computes the marts of a snapshot and writes them, each as soon as its rows are made.
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
    let rulings = Rulings::of(settings);
    let touched = since.and_then(|since| Touched::of(&dir, since, (settings, &rulings)).transpose()).transpose()?;
    let seasons = all_seasons(&dir)?;
    let desk = Desk { building, seasons: &seasons, touched: touched.as_ref() };
    let material = Material::of(&dir, settings)?;
    // What is made of sums takes as long as what is made of errors, and neither needs the other.
    let (of_sums, of_errors) = rayon::join(|| desk.of_sums(&material), || desk.of_errors(&material, rulings));
    let count = of_sums? + of_errors?;
    building.made_from(text::names().into_iter().map(|table| (table, inputs_of(table))))?;
    touched::remember(building.dir(), settings)?;
    let whose = touched.as_ref().map_or("everybody", Touched::told);
    bar.done(&format!("{count} rows, computed for {whose}"));
    Ok(())
}

impl Desk<'_> {
    fn scope(&self) -> &Scope {
        self.touched.map_or(&Scope::Everyone, Touched::scope)
    }

    /// Makes and writes what is made of sums; and the standings.
    fn of_sums(&self, material: &Material<'_>) -> Result<usize, NightFault> {
        let sheets = Binder::of(self.building, material.settings, self.touched);
        let (figures, study) = material.of_sums(self.scope(), &sheets)?;
        let (reviews, leaders) = (study.tournament_review, study.leaders);
        let before_after = study.before_after;
        let mut jobs: Vec<Job<'_>> = vec![
            Box::new(|| self.reviews(reviews, &leaders)),
            // Whoever studies is always asked for.
            Box::new(|| self.merge(before_after, |_| ALL_SEASONS, NOTHING)),
        ];
        macro_rules! put {
            ($rows:expr, $season:expr) => {
                let rows = $rows;
                jobs.push(Box::new(move || self.shelve(rows, $season)));
            };
        }
        each_of_sums!(figures, study, put);
        let count = side_by_side(jobs)? + sheets.end(self.seasons)?;
        let standings = material.standings(&rows(material.dir)?)?;
        Ok(count + self.merge(standings, |row| row.season.as_str(), NOTHING)?)
    }

    /// Writes the reviews of tournaments: whom one is about before all may be somebody else than the night before, and then
    /// rows change though their player is not asked for.
    fn reviews(&self, mut made: Vec<TournamentReviewRow>, leaders: &Leaders) -> Result<usize, TableFault> {
        let leads = Leads::of(leaders);
        made.iter_mut().for_each(|row| row.reference = leads.is_led(row));
        let Some(touched) = self.touched else { return self.merge(made, |row| row.season.as_str(), NOTHING) };
        made.extend(touched.led_anew(&leads)?);
        row::sort(&mut made);
        let is_theirs = touched.stays::<TournamentReviewRow>();
        let stays = |batch: &Columns, row: usize| is_theirs(batch, row) && leads.fits(batch, row);
        self.merge(made, |row| row.season.as_str(), (self.before(), &stays))
    }

    /// Makes and writes what is made of errors.
    fn of_errors(&self, material: &Material<'_>, memory: Rulings) -> Result<usize, NightFault> {
        let sheets = Binder::of(self.building, material.settings, self.touched);
        let stays = (self.stays::<FamilyPositionRow>(), self.stays::<TournamentFamilyRow>());
        let mut lists = Shelves::open(self, (&stays.0, &stays.1))?;
        let lessons = material.of_errors(self.scope(), (&sheets, &memory), &mut lists)?;
        let listed = lists.end()?;
        memory.prune(material.dir)?;
        drop(memory);
        let mut jobs: Vec<Job<'_>> = Vec::new();
        macro_rules! put {
            ($rows:expr, $season:expr) => {
                let rows = $rows;
                jobs.push(Box::new(move || self.shelve(rows, $season)));
            };
        }
        each_of_errors!(lessons, put);
        Ok(side_by_side(jobs)? + listed + sheets.end(self.seasons)?)
    }
}

/// Forgets what was remembered for them.
///
/// # Errors
/// When the cache cannot be written.
pub fn forget(cache: &Cache) -> Result<(), TableFault> {
    let folders = [sheets::FOLDER, memory::FOLDER, touched::FOLDER];
    folders.into_iter().try_for_each(|folder| durable::remove_folder(cache.below(folder).dir()))
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
    shelve(building, standings, (&all_seasons(&dir)?, |row| row.season.as_str()), NOTHING)?;
    building.made_from([(StandingRow::TABLE, INPUTS_OF_STANDINGS)])?;
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
