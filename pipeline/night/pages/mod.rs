//! From checked tables to pages: a folder a season, built beside the old one ([`draw`]) and exchanged with it when the tables
//! count ([`Drawn::exchange`]).
//!
//! Every group of pages has a key, the digest of all it shows; what an earlier night made of the same is linked, not made
//! again ([`press`]). Match pages are made bucket by bucket, in parallel, and within a bucket match by match, so that only
//! one match's decisions are held by each thread. Players' pages are made some at a time, and what a page shows of the facts
//! is kept from night to night ([`drawn`], [`openings`]), and so is what they tell of the Academy's long tables ([`academy`]). What a page says of its inputs is looked up by match, never searched
//! for: a page costs the same in a season of ten thousand matches as in one of ten.

mod academy;
mod drawn;
mod events;
mod known;
mod lessons;
mod matches;
mod news;
mod openings;
mod origins;
mod players;
pub(in crate::night) mod press;
mod shelf;

use super::cache::Cache;
use super::fault::NightFault;
use super::progress::{Over, Progress};
use super::publish::Old;
use super::resolve;
use crate::config::Settings;
use crate::report::{self, Templates};
use crate::tables::columns::Columns;
use crate::tables::durable;
use crate::tables::facts::SourceRow;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake, Listed};
use crate::tables::part;
use crate::tables::row::{Row, Value};
use press::Ready;
use rayon::prelude::*;
pub(in crate::night) use shelf::MOST_MATCH_PAGES;
use shelf::Shelf;
use std::fmt;
use std::path::{Path, PathBuf};

/// What was rendered.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// Pages there are.
    pub count: usize,
    /// Of these, pages made anew.
    pub made: usize,
    /// The first page of each season.
    pub indexes: Vec<PathBuf>,
}

impl fmt::Display for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} pages, {} of them made anew", self.count, self.made)?;
        for index in &self.indexes {
            write!(f, "\n{}", index.display())?;
        }
        Ok(())
    }
}

/// Pages of a snapshot, ready beside those that readers have open. They go away when they are dropped instead.
pub struct Drawn {
    pages: Pages,
    over: Vec<Over>,
    ready: Vec<Ready>,
    /// Every season the snapshot has; `None` where one was asked for.
    seasons: Option<Vec<String>>,
}

/// Makes the pages of every season of a snapshot ready, or of the one that was asked for. The number is the one that the
/// snapshot has, or will have: those before it tell what is new. `waits` is called where a season's pages are written and
/// the disk is waited for.
///
/// # Errors
/// A season that is not there, a table that cannot be read, a template that fails, a disk that cannot be written. What
/// readers have open is then what it was.
pub fn draw(
    (snapshot, number): (&Path, u64),
    settings: &Settings,
    (only, progress, waits): (Option<&str>, &Progress, &(dyn Fn() + Sync)),
) -> Result<Drawn, NightFault> {
    let mut seasons: Vec<String> =
        lake::parts(snapshot, SourceRow::TABLE)?.into_iter().map(|listed| listed.season).collect();
    seasons.dedup();
    resolve::season_among(only, seasons.iter().map(String::as_str))?;
    if let Some(asked) = only {
        seasons.retain(|season| season == asked);
    }
    let templates = Templates::load(settings.theme.as_deref())?;
    let earlier = news::earlier((snapshot, number), settings)?;
    let (mut pages, mut ready, mut over) = (Pages::default(), Vec::new(), Vec::new());
    for season in &seasons {
        let bar = progress.stage("render", 1);
        let shelf = Shelf::read(snapshot, season, (settings, earlier.as_deref()))?;
        let (count, made, folder) = shelf.print(&templates, waits)?;
        over.push(bar.over(&format!("season {season}: {count} pages, {made} of them made anew")));
        pages.count += count;
        pages.made += made;
        ready.extend(folder);
        pages.indexes.push(settings.reports.join(season).join(report::INDEX));
    }
    Ok(Drawn { pages, over, ready, seasons: only.is_none().then_some(seasons) })
}

impl Drawn {
    /// Tells of them, once.
    #[must_use]
    pub fn tell(mut self) -> Self {
        std::mem::take(&mut self.over).into_iter().for_each(Over::tell);
        self
    }

    /// Lets readers have them, and takes away the pages of seasons that are no more. Returns those that were open, too: they
    /// are still to go.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn exchange(self, settings: &Settings) -> Result<(Pages, Vec<Old>), NightFault> {
        let Self { pages, ready, seasons, .. } = self.tell();
        let old: Vec<Old> =
            ready.into_iter().filter_map(|folder| folder.exchange().transpose()).collect::<Result<_, _>>()?;
        if let Some(seasons) = seasons {
            let cache = Cache::of(&Lake::at(settings.lake()));
            press::prune(&cache, (&settings.reports, &seasons))?;
            forget_others(&cache, &seasons)?;
        }
        Ok((pages, old))
    }
}

/// Forgets what was kept for pages, and takes none of those that readers have over: the next run makes all anew.
///
/// # Errors
/// When the cache cannot be written.
pub fn forget(cache: &Cache) -> Result<(), TableFault> {
    for folder in [drawn::FOLDER, openings::FOLDER, academy::FOLDER] {
        durable::remove_folder(cache.below(folder).dir())?;
    }
    press::forget(cache)
}

/// Forgets what was kept for the pages of seasons that are no more.
fn forget_others(cache: &Cache, seasons: &[String]) -> Result<(), TableFault> {
    let kept: Vec<String> = seasons.iter().map(|season| drawn::name(season)).collect();
    for folder in [drawn::FOLDER, openings::FOLDER, academy::FOLDER] {
        let folder = cache.below(folder);
        for name in lake::names(folder.dir())?.into_iter().filter(|name| !kept.contains(name)) {
            durable::remove_folder(&folder.dir().join(name))?;
        }
    }
    Ok(())
}

pub(super) fn season_rows<R: Row>(snapshot: &Path, season: &str) -> Result<Vec<R>, TableFault> {
    of_parts((snapshot, season), |listed| part::read::<R>(&listed.path))
}

/// The rows of a season whose cells in some columns are wanted; of the others none is made.
pub(super) fn season_rows_where<R: Row, const N: usize>(
    (snapshot, season): (&Path, &str),
    columns: [&str; N],
    wanted: impl Fn([Value<'_>; N]) -> bool + Send + Sync,
) -> Result<Vec<R>, TableFault> {
    let place = |name| {
        let place = R::COLUMNS.iter().position(|column| column.name == name);
        debug_assert!(place.is_some(), "{} has no column {name}", R::TABLE);
        place.unwrap_or(usize::MAX)
    };
    let places = columns.map(place);
    let is_wanted = |batch: &Columns, row: usize| wanted(places.map(|column| batch.at(row, column)));
    of_parts((snapshot, season), |listed| part::read_where(&listed.path, &is_wanted))
}

/// The parts of a season, a thread for each.
fn of_parts<R: Row>(
    (snapshot, season): (&Path, &str),
    of: impl Fn(&Listed) -> Result<Vec<R>, TableFault> + Send + Sync,
) -> Result<Vec<R>, TableFault> {
    let parts = lake::season_parts(snapshot, R::TABLE, season)?;
    let mut parts: Vec<Vec<R>> = parts.par_iter().map(of).collect::<Result<_, TableFault>>()?;
    if let [only] = parts.as_mut_slice() {
        return Ok(std::mem::take(only));
    }
    // Rows are wide: a vector that grows would move them again and again.
    let mut rows = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    for mut part in parts {
        rows.append(&mut part);
    }
    Ok(rows)
}
