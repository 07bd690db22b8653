//! The stage of the Academy: from the facts of a snapshot, and the contest files beside them, to its tables.
//!
//! The result is defined as that of one run from nothing over everything there is, in one order ([`programme`]). What is
//! kept from night to night only saves time: every match has a digest, the digests are chained, and a checkpoint
//! ([`store`]) counts while its link is in tonight's chain. A night goes on from the newest such checkpoint, so a late,
//! changed or removed match costs the matches since the start of its month, and nothing is ever filed "when it arrives".
//! All input and output of the Academy is here; `crate::academy` itself stays pure.
//!
//! - [`played`]: what is asked of matches and files.
//! - [`programme`]: what is filed tonight, in order, and its chain.
//! - [`source`]: the contests of a match from the stored rows, and those of contest files.
//! - [`spill`]: contests cut bucket by bucket, read in the order of play.
//! - [`kept`]: contests cut on earlier nights.
//! - [`store`]: checkpoints, and which parts were made from which link of the chain.
//! - [`start`]: where to go on from, and why.
//! - [`earlier`]: what the nights before told of the month under way.
//! - [`replay`], [`state`], [`behind`]: going on; what runs on, and what months leave.
//! - [`strength`]: ratings that follow from the engine's judgement, where those are asked for.
//! - [`rows`]: what the Academy tells, as rows of the tables.

mod behind;
mod earlier;
mod kept;
mod played;
mod programme;
mod replay;
mod rows;
mod source;
mod spill;
mod start;
mod state;
mod store;
mod strength;

use super::amount::amount;
use super::cache::Cache;
use super::fault::NightFault;
use super::planned::Planned;
use super::progress::Progress;
use super::status::terminal;
use super::walk;
use super::whose::Players;
use crate::academy::contest_file;
use crate::academy::settings::ValueOf;
use crate::config::Settings;
use crate::tables::academy::{
    AcademyAdviceRow, AcademyContestRow, AcademyFilingRow, AcademyMeasureRow, AcademyPatternRow, AcademyPlayerRow,
    AcademyRatingRow, AcademyTreeRow, AcademyVoteRow,
};
use crate::tables::facts::{CandidateRow, DecisionRow, GameRow, MatchRow, SourceRow};
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use crate::tables::row::Row;
use crate::tables::snapshot::Building;
use played::Played;
use programme::Programme;
use start::{From, Place};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use store::Store;

pub use start::Start;

/// What every table of the Academy is made from.
const INPUTS: &[&str] = &[SourceRow::TABLE, MatchRow::TABLE, GameRow::TABLE, DecisionRow::TABLE, CandidateRow::TABLE];

/// The libraries, as the tables and the stamp of a snapshot call them.
const TREE: &str = "tree";
const CHUBAN: &str = "chuban";
const YOSE: &str = "yose";

/// The tables of what happened: one part a month.
const EVENTS: [&str; 4] =
    [AcademyContestRow::TABLE, AcademyRatingRow::TABLE, AcademyFilingRow::TABLE, AcademyAdviceRow::TABLE];

/// The tables of what is known at the end of a season: one part a season.
const STATES: [&str; 5] = [
    AcademyTreeRow::TABLE,
    AcademyPatternRow::TABLE,
    AcademyVoteRow::TABLE,
    AcademyMeasureRow::TABLE,
    AcademyPlayerRow::TABLE,
];

/// Whether checkpoints are believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The newest that fits is gone on from.
    Checkpoints,
    /// Everything is filed again.
    Nothing,
}

/// Writes the tables of the Academy into a snapshot that holds its facts.
///
/// # Errors
/// When a part or a contest file cannot be read, a table not written, or a signal said stop.
pub fn write(
    building: &mut Building,
    settings: &Settings,
    (trust, progress): (Trust, &Progress),
) -> Result<Start, NightFault> {
    let dir = building.dir().to_path_buf();
    let (seasons, files) = played::files(&dir)?;
    let programme = if settings.academy.enabled {
        let matches = Played::all(&dir)?;
        strangers(&matches, settings);
        programme(matches, &files, settings)?
    } else {
        Programme::of(Vec::new(), Vec::new(), settings)
    };
    let seasons: Vec<String> = seasons.into_iter().collect();
    let store = Store::open(cache(settings), trust);
    let bar = progress.stage("academy", programme.len());
    let goes = !settings.academy.enabled && (holds(&dir)? || holds(&Lake::at(settings.lake()).current())?);
    let mut start = replay::replay(building, settings, (&programme, &store, &seasons), &|| bar.tick())?;
    if !settings.academy.enabled {
        start = Start::off(goes);
    }
    let laws = &settings.academy.bylaws;
    let room = [(TREE, laws.fuseki.max_nodes), (CHUBAN, laws.chuban_patterns), (YOSE, laws.yose_patterns)];
    building.bounded_by(room.map(|(library, most)| (library, most as u64)))?;
    building.made_from(EVENTS.into_iter().chain(STATES).map(|table| (table, INPUTS)))?;
    bar.done(&start.to_string());
    Ok(start)
}

/// Names of starting figures that are told one by one.
const NAMED: usize = 5;

/// Tells of starting figures that are nobody's: a misspelt name would be passed over unseen. One line, however many.
fn strangers(matches: &[Played], settings: &Settings) {
    let seeds = &settings.academy.seeds;
    if seeds.is_empty() {
        return;
    }
    let players = Players::of(matches.iter().flat_map(|row| row.players.clone()).collect());
    let unknown: Vec<&String> = seeds.keys().filter(|name| !players.has(name)).collect();
    let told = unknown.iter().take(NAMED).map(|name| format!("{:?}{}", terminal(name), players.offer(name)));
    let told = told.collect::<Vec<_>>().join(", ");
    if !told.is_empty() {
        let more = if unknown.len() > NAMED { ", ..." } else { "" };
        let (count, of) = (unknown.len(), amount(seeds.len(), "name"));
        tracing::warn!("academy.ratings.seed: {count} of {of} no match has: {told}{more}");
    }
}

/// What is filed, where the settings allow for it.
fn programme(matches: Vec<Played>, sources: &[SourceRow], settings: &Settings) -> Result<Programme, NightFault> {
    if settings.academy.value == ValueOf::Mwc {
        one_length(&matches)?;
    }
    Ok(Programme::of(matches, source::contests(sources, settings)?, settings))
}

/// What a position is worth for a match of five points it is not worth for one of seven, and libraries run on from season
/// to season. Sessions have no such value, and take none away.
fn one_length(matches: &[Played]) -> Result<(), NightFault> {
    let mut lengths: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
    for row in matches {
        lengths.entry(&row.variant).or_default().extend(row.length);
    }
    match lengths.into_iter().find(|(_, lengths)| lengths.len() > 1) {
        None => Ok(()),
        Some((game, lengths)) => {
            let lengths: Vec<String> = lengths.iter().map(i64::to_string).collect();
            Err(NightFault::Lengths { game: game.to_owned(), lengths: lengths.join(", ") })
        }
    }
}

/// From where the Academy would go on over the files as they are, and why; nothing is written.
///
/// # Errors
/// When a part or a contest file cannot be read.
pub fn foreseen(planned: &Planned<'_>) -> Result<Start, NightFault> {
    let settings = planned.settings();
    if !settings.academy.enabled {
        return Ok(Start::off(holds(&Lake::at(settings.lake()).current())?));
    }
    let matches = planned.foreseen()?.into_iter().map(Played::of).collect();
    let programme = programme(matches, &planned.resolution().sources, settings)?;
    let store = Store::open(cache(settings), Trust::Checkpoints);
    let snapshots = [Lake::at(settings.lake()).current()];
    let mut open = |place: Place<'_>| From::kept(&store, place, (&snapshots, settings));
    Ok(start::start(&programme, &store, (&snapshots, settings), &mut open).0)
}

/// Whether the tables of a snapshot hold a contest.
fn holds(snapshot: &Path) -> Result<bool, TableFault> {
    let (mut rows, columns) = (0, part::key_columns(AcademyContestRow::COLUMNS, &["game"]));
    for listed in lake::parts(snapshot, AcademyContestRow::TABLE)? {
        part::scan(&listed.path, (AcademyContestRow::TABLE, &columns), &mut |batch| {
            rows += batch.rows();
            Ok(())
        })?;
    }
    Ok(rows > 0)
}

/// Forgets every checkpoint: the next run files everything again.
///
/// # Errors
/// When the cache cannot be written.
pub fn forget(settings: &Settings) -> Result<(), TableFault> {
    cut(settings).retain(|_| false)?;
    cache(settings).retain(|_| false)
}

/// Contests as they were cut.
fn cut(settings: &Settings) -> Cache {
    cache(settings).below("contests")
}

fn cache(settings: &Settings) -> Cache {
    Cache::of(&Lake::at(settings.lake())).below("academy")
}

/// The games of a PDN file as lines of a contest file.
///
/// # Errors
/// A file that cannot be read, or holds no game that can be replayed.
pub fn convert(file: &Path) -> Result<String, NightFault> {
    let bytes = std::fs::read(file).map_err(|source| NightFault::Unreadable { path: file.to_path_buf(), source })?;
    let converted = crate::academy::draughts::read(&bytes, "");
    let shown = file.file_name().map(walk::spelled).unwrap_or_default();
    for refused in &converted.refused {
        let said = terminal(&refused.reason);
        tracing::warn!("{shown}: game {}, line {}: {said}", refused.game, refused.line);
    }
    if converted.contests.is_empty() {
        let reason = "no game of English draughts that can be replayed".to_owned();
        return Err(NightFault::Rejected { path: shown, reason });
    }
    Ok(converted.contests.iter().map(|contest| contest_file::line(contest) + "\n").collect())
}
