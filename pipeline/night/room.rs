//! Room on the disk, estimated before the work: a night that would fill it says so and writes nothing.
//!
//! Parts are estimated from the parts they replace, pages from those of the seasons whose matches change. The estimate may be
//! too low (a changed configuration prints every page of every season again): a disk that fills all the same ends the night
//! before anything of it is published. It is never far too high: what would fit is not refused.

use super::build::Touched;
use super::cache::Cache;
use super::fault::NightFault;
use super::ledger::{Ledger, Where};
use super::pages::{self, press};
use crate::config::Settings;
use crate::report;
use crate::tables::lake::{self, Lake};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Of what is replaced, how much has to be free (`nightly.md` 11: x 1.2), in tenths.
const TENTHS: u64 = 12;

/// What a match takes where none is stored yet to go by: the largest of a season of seven-point matches, analysed to
/// the full.
const A_MATCH: u64 = 64 << 10;

/// What the page of a match takes where there is none yet to go by: that of a seven-point match of usual length.
const A_PAGE: u64 = 128 << 10;

/// Whether what will be written has room. What a run that was stopped has written of the parts counts as room: it is used
/// or makes way.
///
/// # Errors
/// [`NightFault::NoRoom`].
pub fn check(settings: &Settings, touched: &BTreeMap<Where, Touched>, ledger: &Ledger) -> Result<(), NightFault> {
    let lake = Lake::at(settings.lake());
    let (tables, pages) = (needed(&lake, touched, ledger), needed_by_pages(settings, touched));
    let left = written(&lake.next());
    match (device(lake.root()), device(&settings.reports)) {
        (lakes, Some(reports)) if lakes != Some(reports) => {
            fits(lake.root(), tables, left)?;
            fits(&settings.reports, pages, 0)
        }
        (_, Some(_)) => fits(lake.root(), tables.saturating_add(pages), left),
        // Where there is no such folder, this command makes no pages.
        (_, None) => fits(lake.root(), tables, left),
    }
}

/// Whether so much more fits, beside what may be used again.
fn fits(path: &Path, needed: u64, again: u64) -> Result<(), NightFault> {
    match free(path) {
        Some(free) if free.saturating_add(again) < needed => {
            Err(NightFault::NoRoom { path: path.to_path_buf(), needed, free })
        }
        _ => Ok(()),
    }
}

/// Bytes that the touched parts will take, with a margin.
#[must_use]
pub fn needed(lake: &Lake, touched: &BTreeMap<Where, Touched>, ledger: &Ledger) -> u64 {
    let size = |place: &Where| -> u64 {
        let parts = ledger.buckets.get(place).into_iter().flat_map(|entry| &entry.parts);
        parts
            .filter_map(|(table, name)| {
                std::fs::metadata(lake::table_dir(&lake.current(), table, &place.0).join(name)).ok()
            })
            .map(|meta| meta.len())
            .sum()
    };
    let each = |(place, why): (&Where, &Touched)| size(place) + why.made.len() as u64 * A_MATCH;
    touched.iter().map(each).sum::<u64>() * TENTHS / 10
}

/// Bytes that the pages of the touched seasons will take, with a margin. Those of players, events and the season itself may
/// all be made again; of those of matches only those of matches that are made, for the others are linked: unless the folder
/// is not as a run of this program left it.
fn needed_by_pages(settings: &Settings, touched: &BTreeMap<Where, Touched>) -> u64 {
    let mut seasons: BTreeMap<&str, usize> = BTreeMap::new();
    for ((season, _), why) in touched {
        *seasons.entry(season).or_default() += why.made.len();
    }
    let cache = Cache::of(&Lake::at(settings.lake()));
    let each = |(season, made): (&str, usize)| {
        let folder = settings.reports.join(season);
        let held = Held::of(&folder);
        let made = made.min(pages::MOST_MATCH_PAGES) as u64 * held.largest.unwrap_or(A_PAGE);
        let again = if press::may_be_linked(&cache, &folder) { 0 } else { held.matches };
        held.others + made.max(again)
    };
    seasons.into_iter().map(each).sum::<u64>() * TENTHS / 10
}

/// Bytes of the pages of a folder.
#[derive(Debug, Default)]
struct Held {
    /// Of all pages of matches.
    matches: u64,
    /// Of the largest of them.
    largest: Option<u64>,
    /// Of all others.
    others: u64,
}

impl Held {
    fn of(folder: &Path) -> Self {
        let mut held = Self::default();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let size = entry.metadata().map_or(0, |meta| meta.len());
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if report::is_page_of_match(&name) {
                held.matches += size;
                held.largest = held.largest.max(Some(size));
            } else if name.ends_with(".html") {
                held.others += size;
            }
        }
        held
    }
}

/// Bytes of the files that only the snapshot being built holds.
fn written(next: &Path) -> u64 {
    let (mut bytes, mut folders) = (0, vec![next.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => folders.push(entry.path()),
                Ok(meta) if meta.nlink() == 1 => bytes += meta.len(),
                _ => {}
            }
        }
    }
    bytes
}

/// Bytes that are free for us; `None` where the file system does not say.
fn free(path: &Path) -> Option<u64> {
    std::fs::create_dir_all(path).ok()?;
    let said = rustix::fs::statvfs(path).ok()?;
    said.f_bavail.checked_mul(said.f_frsize)
}

/// Which file system a folder lies on; none where it is not there yet.
fn device(path: &Path) -> Option<u64> {
    Some(std::fs::metadata(path).ok()?.dev())
}
