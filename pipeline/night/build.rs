//! Matches to parts: bucket by bucket, in parallel, each bucket's rows streamed into its own files.
//!
//! A bucket belongs to one thread and holds its matches in the order of their ids, so the bytes of a part do not depend
//! on how many threads there are. Every bucket writes every table, an empty one too: whoever reads `<table>/*/*.parquet`
//! always finds the columns.

use super::assemble::{self, Match, Spoiled};
use super::resolve::{Played, Resolution, Sighting};
use crate::config::Settings;
use crate::tables::bucket::{Bucket, Division};
use crate::tables::facts::{
    AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, OtherCandidateRow, OtherDecisionRow,
    SourceRow,
};
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, WHOLE};
use crate::tables::part::{Part, PartWriter};
use crate::tables::partials::{CellRow, ErrorRow, MomentRow, RulingRow, SequenceRow};
use crate::tables::row::Row;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What stops the building of a snapshot.
#[derive(Debug)]
pub enum Stopped {
    /// Files that turned out unusable: drop them, resolve again, build again.
    Spoiled(Vec<Spoiled>),
    /// The disk said no.
    Table(TableFault),
}

impl From<TableFault> for Stopped {
    fn from(fault: TableFault) -> Self {
        Self::Table(fault)
    }
}

/// How much was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written {
    /// Matches.
    pub matches: usize,
    /// Decisions of the primary analyses.
    pub decisions: usize,
    /// Candidates of the primary analyses.
    pub candidates: usize,
}

impl std::iter::Sum for Written {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, part| Self {
            matches: sum.matches + part.matches,
            decisions: sum.decisions + part.decisions,
            candidates: sum.candidates + part.candidates,
        })
    }
}

/// What a build reads.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// First looks.
    pub sightings: &'a [Sighting],
    /// What they amount to.
    pub resolution: &'a Resolution,
    /// Rules and aliases.
    pub settings: &'a Settings,
}

/// Writes every fact table and partial of `plan` below `snapshot`.
///
/// # Errors
/// [`Stopped`]: files that cannot be used after all, or a disk that cannot be written.
pub fn facts(plan: Plan<'_>, snapshot: &Path, tick: &(dyn Fn() + Sync)) -> Result<Written, Stopped> {
    let mut tasks: Vec<(&str, Bucket, Vec<&Played>)> = Vec::new();
    for (season, matches) in by_season(&plan.resolution.matches) {
        let division = Division::of(matches.len() as u64);
        let mut buckets: BTreeMap<Bucket, Vec<&Played>> =
            division.buckets().map(|bucket| (bucket, Vec::new())).collect();
        for played in matches {
            if let Some(bucket) = division.holding(&played.match_id) {
                buckets.entry(bucket).or_default().push(played);
            }
        }
        tasks.extend(buckets.into_iter().map(|(bucket, matches)| (season, bucket, matches)));
    }
    sources(plan.resolution, snapshot)?;
    let done: Vec<Result<Written, Stopped>> = tasks
        .par_iter()
        .map(|(season, bucket, matches)| one_bucket(plan, snapshot, (season, *bucket, matches), tick))
        .collect();
    let (mut spoiled, mut written) = (Vec::new(), Vec::new());
    for outcome in done {
        match outcome {
            Ok(part) => written.push(part),
            Err(Stopped::Spoiled(files)) => spoiled.extend(files),
            Err(Stopped::Table(fault)) => return Err(Stopped::Table(fault)),
        }
    }
    if spoiled.is_empty() { Ok(written.into_iter().sum()) } else { Err(Stopped::Spoiled(spoiled)) }
}

fn by_season(matches: &[Played]) -> BTreeMap<&str, Vec<&Played>> {
    let mut seasons: BTreeMap<&str, Vec<&Played>> = BTreeMap::new();
    for played in matches {
        seasons.entry(&played.season).or_default().push(played);
    }
    seasons
}

/// One part a season; a season that has files and no match still gets its (empty) parts.
fn sources(resolution: &Resolution, snapshot: &Path) -> Result<(), TableFault> {
    let played: BTreeSet<&str> = resolution.matches.iter().map(|played| played.season.as_str()).collect();
    for rows in resolution.sources.chunk_by(|a, b| a.season == b.season) {
        let season = &rows[0].season;
        write_whole(&lake::table_dir(snapshot, SourceRow::TABLE, season), rows)?;
        if !played.contains(season.as_str()) {
            Writers::create(snapshot, season, WHOLE)?.finish()?;
        }
    }
    Ok(())
}

/// Writes one undivided part.
///
/// # Errors
/// When the disk cannot be written.
pub fn write_whole<R: Row>(dir: &Path, rows: &[R]) -> Result<Part, TableFault> {
    let mut writer = PartWriter::<R>::create(dir, WHOLE)?;
    writer.push(rows)?;
    writer.finish()
}

fn one_bucket(
    plan: Plan<'_>,
    snapshot: &Path,
    (season, bucket, matches): (&str, Bucket, &[&Played]),
    tick: &(dyn Fn() + Sync),
) -> Result<Written, Stopped> {
    let mut writers = Writers::create(snapshot, season, &bucket.to_string())?;
    let mut written = Written::default();
    let mut spoiled = Vec::new();
    for played in matches {
        match assemble::assemble(played, plan.sightings, plan.settings) {
            Ok(rows) => {
                written.matches += 1;
                written.decisions += rows.decisions.len();
                written.candidates += rows.candidates.len();
                writers.push(&rows)?;
            }
            Err(file) => spoiled.push(file),
        }
        tick();
    }
    writers.finish()?;
    if spoiled.is_empty() { Ok(written) } else { Err(Stopped::Spoiled(spoiled)) }
}

/// The open parts of one bucket.
struct Writers {
    matches: PartWriter<MatchRow>,
    analyses: PartWriter<AnalysisRow>,
    games: PartWriter<GameRow>,
    decisions: PartWriter<DecisionRow>,
    candidates: PartWriter<CandidateRow>,
    other_decisions: PartWriter<OtherDecisionRow>,
    other_candidates: PartWriter<OtherCandidateRow>,
    comments: PartWriter<CommentRow>,
    moments: PartWriter<MomentRow>,
    cells: PartWriter<CellRow>,
    errors: PartWriter<ErrorRow>,
    rulings: PartWriter<RulingRow>,
    sequences: PartWriter<SequenceRow>,
}

impl Writers {
    fn create(snapshot: &Path, season: &str, bucket: &str) -> Result<Self, TableFault> {
        fn open<R: Row>(snapshot: &Path, season: &str, bucket: &str) -> Result<PartWriter<R>, TableFault> {
            PartWriter::create(&lake::table_dir(snapshot, R::TABLE, season), bucket)
        }
        Ok(Self {
            matches: open(snapshot, season, bucket)?,
            analyses: open(snapshot, season, bucket)?,
            games: open(snapshot, season, bucket)?,
            decisions: open(snapshot, season, bucket)?,
            candidates: open(snapshot, season, bucket)?,
            other_decisions: open(snapshot, season, bucket)?,
            other_candidates: open(snapshot, season, bucket)?,
            comments: open(snapshot, season, bucket)?,
            moments: open(snapshot, season, bucket)?,
            cells: open(snapshot, season, bucket)?,
            errors: open(snapshot, season, bucket)?,
            rulings: open(snapshot, season, bucket)?,
            sequences: open(snapshot, season, bucket)?,
        })
    }

    fn push(&mut self, rows: &Match) -> Result<(), TableFault> {
        self.matches.push(std::slice::from_ref(&rows.row))?;
        self.analyses.push(&rows.analyses)?;
        self.games.push(&rows.games)?;
        self.decisions.push(&rows.decisions)?;
        self.candidates.push(&rows.candidates)?;
        self.other_decisions.push(&rows.other_decisions)?;
        self.other_candidates.push(&rows.other_candidates)?;
        self.comments.push(&rows.comments)?;
        self.moments.push(&rows.partials.moments)?;
        self.cells.push(&rows.partials.cells)?;
        self.errors.push(&rows.partials.errors)?;
        self.rulings.push(&rows.rulings)?;
        self.sequences.push(&rows.partials.sequences)
    }

    fn finish(self) -> Result<(), TableFault> {
        self.matches.finish()?;
        self.analyses.finish()?;
        self.games.finish()?;
        self.decisions.finish()?;
        self.candidates.finish()?;
        self.other_decisions.finish()?;
        self.other_candidates.finish()?;
        self.comments.finish()?;
        self.moments.finish()?;
        self.cells.finish()?;
        self.errors.finish()?;
        self.rulings.finish()?;
        self.sequences.finish()?;
        Ok(())
    }
}
