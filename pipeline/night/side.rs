//! Files that go with matches: study logs and final places, from sightings to rows.
//!
//! A log belongs to the player its lines name, else to `[study] player`, else to the main player. Places belong to the
//! event of the folder they lie in. Days to come are told and not refused: tables know no clock.

use super::amount::amount;
use super::build::write_whole;
use super::references::Found;
use super::resolve::{Finding, Resolution, Sighting};
use super::status::terminal;
use super::walk;
use super::whose::Players;
use crate::academy::contest_file::{self, Claim, Refused};
use crate::academy::draughts;
use crate::config::Settings;
use crate::ingest::recognise::Side;
use crate::ingest::record::Rejected;
use crate::ingest::study::LineFault;
use crate::ingest::study::date::Reading;
use crate::ingest::study::log::{self, Log};
use crate::ingest::study::places::{self, Places};
use crate::ingest::study::rows::{self, Sheet, StudyRows};
use crate::measure::standings::{self, Bonus};
use crate::tables::facts::SourceRow;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, ALL_SEASONS};
use crate::tables::row::{Day, Row};
use crate::tables::snapshot::Building;
use crate::tables::study_marts::PlacesPointsRow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a file that goes with matches says.
#[derive(Clone, Debug)]
pub enum Sheets {
    /// A study log.
    Study(Log),
    /// Final places of an event.
    Places(Places),
    /// Contests for the Academy, which reads them again; here is only what there is to say of the file.
    Contests(Contests),
}

impl Sheets {
    /// What the file is, how much it says, and what of it says nothing.
    #[must_use]
    pub fn summary(&self) -> String {
        let (what, but) = match self {
            Self::Study(log) => (format!("a study log, {}", amount(log.entries.len(), "entry")), log.passed_over()),
            Self::Places(places) => {
                (format!("final places of an event, {}", amount(places.places.len(), "player")), places.passed_over())
            }
            Self::Contests(of) => {
                let said: Vec<String> = of.sentence(&[]).into_iter().chain(of.remarks()).collect();
                (
                    format!("a file of {}", amount(of.contests, "contest")),
                    Some(said.join("; ")).filter(|said| !said.is_empty()),
                )
            }
        };
        but.map_or_else(|| what.clone(), |but| format!("{what}; {but}"))
    }

    /// Each line that says nothing, and why.
    #[must_use]
    pub fn refused(&self) -> Vec<String> {
        let told = |faults: &[LineFault]| faults.iter().map(LineFault::to_string).collect();
        match self {
            Self::Study(log) => told(&log.faults),
            Self::Places(places) => told(&places.faults),
            Self::Contests(of) => {
                let lines = of.refused.iter().chain(&of.remarked);
                lines.map(|(line, reason)| format!("line {line}: {reason}")).collect()
            }
        }
    }
}

/// Format tokens of files of contests.
pub const CONTESTS: &str = Side::Contests.token();
/// See [`CONTESTS`].
pub const PDN: &str = Side::Draughts.token();

/// Whether a file holds contests that are filed, it or one with the same content. One that is `ignored` holds what an earlier
/// night found in it.
#[must_use]
pub fn is_contests(row: &SourceRow) -> bool {
    let is_format = row.format.as_deref().is_some_and(|format| [CONTESTS, PDN].contains(&format));
    is_format && matches!(row.status.as_str(), "ok" | "partial" | "duplicate" | "ignored")
}

/// What a file of contests holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contests {
    /// [`CONTESTS`] or [`PDN`].
    pub format: &'static str,
    /// Contests it gives.
    pub contests: usize,
    /// The ids its lines use; a game of draughts has the same id wherever it stands.
    pub claims: Vec<Claim>,
    /// Lines it could not use, and why.
    pub refused: Vec<(usize, String)>,
    /// Lines it could use but for fields that nobody knows, and which.
    pub remarked: Vec<(usize, String)>,
}

/// Reads a study log.
///
/// # Errors
/// [`Rejected`] when most of it cannot be read.
pub fn study(bytes: &[u8]) -> Result<Sheets, Rejected> {
    log::read(bytes, Reading::default()).map(Sheets::Study)
}

/// Reads final places.
///
/// # Errors
/// [`Rejected`] when most of them cannot be read.
pub fn final_places(bytes: &[u8]) -> Result<Sheets, Rejected> {
    places::read(bytes).map(Sheets::Places)
}

/// Looks at a file of contests.
///
/// # Errors
/// [`Rejected`] when no line of it can be used.
pub fn contests(bytes: &[u8]) -> Result<Sheets, Rejected> {
    let lines = contest_file::Reader::default().read(bytes, "");
    let told = |lines: Vec<Refused>| lines.into_iter().map(|of| (of.line, of.reason)).collect();
    let (contests, refused, remarked) = (lines.contests.len(), told(lines.refused), told(lines.remarked));
    usable(Contests { format: CONTESTS, contests, claims: lines.claims, refused, remarked })
}

/// Looks at a PDN file.
///
/// # Errors
/// [`Rejected`] when no game of it can be replayed.
pub fn draughts(bytes: &[u8]) -> Result<Sheets, Rejected> {
    let converted = draughts::read(bytes, "");
    let refused = converted.refused.into_iter().map(|refused| (refused.line, refused.reason)).collect();
    let contests = converted.contests.len();
    usable(Contests { format: PDN, contests, claims: Vec::new(), refused, remarked: Vec::new() })
}

fn usable(contests: Contests) -> Result<Sheets, Rejected> {
    if contests.contests > 0 {
        return Ok(Sheets::Contests(contests));
    }
    let said = contests.sentence(&[]).unwrap_or_else(|| "it holds no contest".to_owned());
    Err(Rejected::damaged("contests", 0, said))
}

/// Id of a contest -> the line that has it.
pub type Taken<'a> = BTreeMap<&'a str, blake3::Hash>;

impl Contests {
    /// Takes the ids of its lines. Refuses those that another line of an earlier file has.
    pub fn claim<'a>(&'a self, taken: &mut Taken<'a>) -> Vec<(usize, String)> {
        let refused = |claim: &'a Claim| {
            let first = *taken.entry(&claim.contest_id).or_insert(claim.hash);
            (first != claim.hash).then(|| (claim.line, contest_file::taken(&claim.contest_id)))
        };
        self.claims.iter().filter_map(refused).collect()
    }

    /// What is passed over of lines that are used; `None` where nothing is.
    #[must_use]
    pub fn remarks(&self) -> Option<String> {
        let of = |count| amount(count, "line");
        (!self.remarked.is_empty())
            .then(|| format!("passed over in {}: {}", of(self.remarked.len()), listed(&self.remarked)))
    }

    /// What could not be used, lines that other files refuse included; `None` when everything could.
    #[must_use]
    pub fn sentence(&self, elsewhere: &[(usize, String)]) -> Option<String> {
        let mut refused: Vec<&(usize, String)> = self.refused.iter().chain(elsewhere).collect();
        refused.sort_by_key(|(line, _)| *line);
        (!refused.is_empty()).then(|| format!("{} refused: {}", refused.len(), listed(refused.iter().copied())))
    }
}

/// The first lines with what is said of each; the others are counted.
fn listed<'a>(lines: impl IntoIterator<Item = &'a (usize, String)>) -> String {
    let all: Vec<&(usize, String)> = lines.into_iter().collect();
    let told: Vec<String> = all.iter().take(TOLD).map(|(line, reason)| format!("line {line}: {reason}")).collect();
    let more = if all.len() > TOLD { format!("; and {} more", all.len() - TOLD) } else { String::new() };
    told.join("; ") + &more
}

/// The logs that the configuration names, beside those below `raw/`. One that cannot be read or used is told every time:
/// somebody asked for it by name. The night goes on without it.
#[must_use]
pub fn named(settings: &Settings) -> Vec<(String, Log)> {
    let mut logs = Vec::new();
    for path in &settings.study_sources {
        let shown = path.file_name().map(walk::spelled).unwrap_or_default();
        let read = std::fs::read(path).map_err(|fault| fault.to_string());
        match read.and_then(|bytes| log::read(&bytes, Reading::default()).map_err(|fault| fault.to_string())) {
            Ok(log) => logs.push((shown, log)),
            Err(fault) => tracing::warn!("study log {} of [study] sources: {fault}", terminal(&shown)),
        }
    }
    logs
}

/// Writes `study_events`, `treated_positions` and `places_points`.
///
/// # Errors
/// When the disk cannot be written.
pub fn write(
    building: &Building,
    (sightings, named): (&[Sighting], &[(String, Log)]),
    (settings, resolution): (&Settings, &Resolution),
) -> Result<(), TableFault> {
    let rows = study_rows(building.dir(), (sightings, named), settings)?;
    put(building, BTreeMap::from([(ALL_SEASONS, rows.events)]))?;
    put(building, BTreeMap::from([(ALL_SEASONS, rows.treated)]))?;
    let mut seasons: BTreeMap<&str, Vec<PlacesPointsRow>> =
        resolution.sources.iter().map(|row| (row.season.as_str(), Vec::new())).collect();
    for row in points(sightings, settings) {
        if let Some(of_season) = seasons.get_mut(row.season.as_str()) {
            of_season.push(row);
        }
    }
    put(building, seasons)
}

/// The whole of a table: one part a season, and nothing else.
pub(super) fn put<R: Row>(building: &Building, seasons: BTreeMap<&str, Vec<R>>) -> Result<(), TableFault> {
    let mut wanted = BTreeMap::new();
    for (season, rows) in seasons {
        let part = write_whole(&lake::table_dir(building.dir(), R::TABLE, season), &rows)?;
        wanted.insert(season, BTreeSet::from([part.name()]));
    }
    building.keep_only(R::TABLE, &wanted)
}

/// Sentences about references that were not found; the others are counted, and `portes status` lists them all.
const TOLD: usize = 5;

fn study_rows(
    snapshot: &Path,
    (sightings, named): (&[Sighting], &[(String, Log)]),
    settings: &Settings,
) -> Result<StudyRows, TableFault> {
    let logs = logs(sightings, named);
    for (file, log) in &logs {
        passed_over(file, log);
        future(file, log);
    }
    let found = Found::of(snapshot, &logs.iter().map(|(_, log)| *log).collect::<Vec<_>>())?;
    let lost: Vec<String> = found.lost().collect();
    if !lost.is_empty() {
        let told: Vec<String> = lost.iter().take(TOLD).map(|sentence| terminal(sentence)).collect();
        let were = if lost.len() == 1 { "decision of a study log was" } else { "decisions of study logs were" };
        tracing::warn!("{} {were} not found: {}", lost.len(), told.join("; "));
    }
    let players = players(sightings, settings);
    let rows = joined(&logs, (&found, &players), settings);
    strangers(&rows, &players);
    Ok(rows)
}

/// The rows that these logs would give beside the matches of a snapshot; nothing is told.
///
/// # Errors
/// A part that cannot be read.
pub fn foreseen(
    snapshot: &Path,
    (sightings, named): (&[Sighting], &[(String, Log)]),
    settings: &Settings,
) -> Result<StudyRows, TableFault> {
    let logs = logs(sightings, named);
    let found = Found::of(snapshot, &logs.iter().map(|(_, log)| *log).collect::<Vec<_>>())?;
    Ok(joined(&logs, (&found, &players(sightings, settings)), settings))
}

/// The study logs by their file names, in the order of their paths; those the configuration names come last.
fn logs<'a>(sightings: &'a [Sighting], named: &'a [(String, Log)]) -> Vec<(String, &'a Log)> {
    let file = |shown: &'_ str| shown.rsplit('/').next().unwrap_or_default().to_owned();
    let below_raw = sightings.iter().filter_map(|sighting| match &sighting.found {
        Finding::Side(Sheets::Study(log)) => Some((file(&sighting.shown), log)),
        _ => None,
    });
    below_raw.chain(named.iter().map(|(shown, log)| (shown.clone(), log))).collect()
}

fn joined(logs: &[(String, &Log)], (found, players): (&Found, &Players), settings: &Settings) -> StudyRows {
    let owner = settings.study_player.as_deref().or(settings.main_player.as_deref());
    let logs: Vec<(&str, Log)> = logs.iter().map(|(file, log)| (file.as_str(), found.in_log(log))).collect();
    let sheets: Vec<Sheet<'_>> = logs.iter().map(|(file, log)| Sheet { file, owner, log }).collect();
    rows::rows(&sheets, &|written| {
        let name = settings.players.canonical(written);
        players.meant(name).unwrap_or(name).to_owned()
    })
}

/// Lines that say nothing are told.
fn passed_over(file: &str, log: &Log) {
    if log.faults.is_empty() {
        return;
    }
    let line = |fault: &LineFault| format!("line {}: {}", fault.line, terminal(&fault.reason));
    let told: Vec<String> = log.faults.iter().take(TOLD).map(line).collect();
    tracing::warn!("study log {}: {} skipped: {}", terminal(file), amount(log.faults.len(), "line"), told.join("; "));
}

/// Whoever plays in these files.
fn players(sightings: &[Sighting], settings: &Settings) -> Players {
    let seen = sightings.iter().filter_map(|sighting| match &sighting.found {
        Finding::Match(seen) => Some(&seen.names),
        _ => None,
    });
    Players::of(seen.flatten().map(|name| settings.players.canonical(name).to_owned()).collect())
}

/// Tells of whose study no match is known: their log changes no figure.
fn strangers(rows: &StudyRows, players: &Players) {
    let treated = rows.treated.iter().filter_map(|row| Some((&row.source_file, row.player.as_ref()?)));
    let studied = rows.events.iter().filter_map(|row| Some((&row.source_file, row.player.as_ref()?)));
    let unknown: BTreeSet<(&String, &String)> =
        treated.chain(studied).filter(|(_, name)| players.meant(name).is_none()).collect();
    for (file, name) in unknown.iter().take(TOLD) {
        let (file, said, offer) = (terminal(file), terminal(name), players.offer(name));
        tracing::warn!("study log {file}: no match has a player {said:?}{offer}");
    }
    if unknown.len() > TOLD {
        tracing::warn!("{} more names of study logs that no match has", unknown.len() - TOLD);
    }
}

/// Days that are still to come are told, and that is all: what is made of a log must not hang on the day it is read.
fn future(file: &str, log: &Log) {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
    // Somewhere it is a day later than in UTC.
    let soon = i32::try_from(seconds / (24 * 60 * 60)).map_or(Day(i32::MAX), |days| Day(days.saturating_add(1)));
    let lines: Vec<String> =
        log.entries.iter().filter(|entry| entry.moment.day > soon).map(|entry| entry.line.to_string()).collect();
    if let [first, ..] = lines.as_slice() {
        let all = amount(lines.len(), "entry");
        tracing::warn!("study log {}: {all} of days to come, the first in line {first}", terminal(file));
    }
}

/// The points of all final places, sorted by their key.
pub(super) fn points(sightings: &[Sighting], settings: &Settings) -> Vec<PlacesPointsRow> {
    let mut rows = Vec::new();
    for sighting in sightings {
        let Finding::Side(Sheets::Places(said)) = &sighting.found else { continue };
        let folders = walk::folders(&sighting.shown);
        let (Some(season), Some(event)) = (folders.first(), folders.get(1)) else {
            let shown = terminal(&sighting.shown);
            tracing::warn!(
                "final places {shown}: they lie in no event's folder (raw/SEASON/EVENT), and count for none"
            );
            continue;
        };
        let places: Vec<(String, u32)> = said
            .places
            .iter()
            .map(|place| (settings.players.canonical(&place.player).to_owned(), place.place))
            .collect();
        rows.extend(standings::places_points((season, settings.events.canonical(event)), &places, Bonus::default()));
    }
    crate::tables::row::sort(&mut rows);
    rows
}
