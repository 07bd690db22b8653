//! The second look at a match: from the bytes of its files to every row the tables hold of it.
//!
//! Files are read again rather than kept: memory does not grow with the corpus, and parsing is cheaper than writing
//! what was parsed to disk and reading it back. A file whose content is no longer what the first look saw is reported as
//! spoiled, never used.

use super::cache::Cache;
use super::resolve::{Ended, Played, Resolution, Sighting, Verdict};
use super::scan;
use crate::config::Settings;
use crate::game::met::{self, Met};
use crate::game::{Length, Score};
use crate::ingest::facts::{self, Facts};
use crate::ingest::outcome::{self, MatchOutcome};
use crate::ingest::record::Record;
use crate::rate::partials::{self, Partials};
use crate::rate::{self, rulings};
use crate::tables::digest::Digest;
use crate::tables::facts::{
    AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, OtherCandidateRow, OtherDecisionRow,
};
use crate::tables::fault::TableFault;
use crate::tables::lake::Lake;
use crate::tables::partials::RulingRow;
use crate::tables::row::Day;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Every row of one match.
pub struct Match {
    /// The match itself.
    pub row: MatchRow,
    /// One row a content.
    pub analyses: Vec<AnalysisRow>,
    /// Its games.
    pub games: Vec<GameRow>,
    /// Decisions of the primary analysis, rated.
    pub decisions: Vec<DecisionRow>,
    /// Their candidates.
    pub candidates: Vec<CandidateRow>,
    /// Decisions of the other analyses, rated.
    pub other_decisions: Vec<OtherDecisionRow>,
    /// Their candidates.
    pub other_candidates: Vec<OtherCandidateRow>,
    /// Comments of the primary file.
    pub comments: Vec<CommentRow>,
    /// What every analysis says is right.
    pub rulings: Vec<RulingRow>,
    /// Sums, and errors one by one.
    pub partials: Partials,
}

/// Whether analyses that are not the primary are kept for the night on which they will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// In the cache.
    Keep,
    /// Nothing is written: somebody only asks.
    Leave,
}

/// A file that cannot be used after all.
#[derive(Clone, Debug)]
pub struct Spoiled {
    /// Index of its sighting.
    pub at: usize,
    /// Why.
    pub ended: Ended,
}

/// Reads, rates and sums one match.
///
/// # Errors
/// [`Spoiled`] names the file that changed since the first look, or that a fault of ours cannot get through.
pub fn assemble(
    played: &Played,
    sightings: &[Sighting],
    (settings, aside): (&Settings, Aside),
) -> Result<Match, Spoiled> {
    let mut analyses = Vec::with_capacity(played.contents.len());
    for (rank, &at) in played.contents.iter().enumerate() {
        let analysis = catch_unwind(AssertUnwindSafe(|| analysis(played, &sightings[at], settings)))
            .unwrap_or_else(|_| Err(internal()))
            .map_err(|ended| Spoiled { at, ended })?;
        if rank > 0
            && aside == Aside::Keep
            && let Err(fault) = set_aside(settings).put(&analysis.source_id, &analysis.record)
        {
            tracing::debug!("an analysis is not kept aside: {fault}");
        }
        analyses.push((rank == 0, analysis));
    }
    catch_unwind(AssertUnwindSafe(|| joined(played, analyses, settings)))
        .unwrap_or_default()
        .ok_or_else(|| Spoiled { at: played.contents.first().copied().unwrap_or_default(), ended: internal() })
}

fn internal() -> Ended {
    Ended {
        verdict: Verdict::Quarantined,
        format: None,
        reason: "internal".to_owned(),
        detail: "rating the match failed: please report this file".to_owned(),
        offset: None,
    }
}

struct Analysis {
    record: Record,
    facts: Facts,
    source_id: String,
    path: String,
}

fn analysis(played: &Played, sighting: &Sighting, settings: &Settings) -> Result<Analysis, Ended> {
    let content = sighting.content.map(blake3::Hash::from_bytes).ok_or_else(|| changed("it could not be read"))?;
    let source_id: String = content.to_hex().chars().take(SOURCE_DIGITS).collect();
    let record = match set_aside(settings).get(&source_id) {
        Some(record) => record,
        None => record(sighting, content)?,
    };
    let mut facts = facts::facts(&record, &played.match_id, &played.season);
    rate::rate(&mut facts.decisions, &facts.candidates, &settings.rules);
    Ok(Analysis { record, facts, source_id, path: sighting.shown.clone() })
}

/// Hex digits of a content hash that tell the analyses of a match apart.
const SOURCE_DIGITS: usize = 16;

/// Reads the file again.
fn record(sighting: &Sighting, content: blake3::Hash) -> Result<Record, Ended> {
    let bytes = scan::bytes_of(&sighting.place).map_err(|fault| changed(&fault.to_string()))?;
    if blake3::hash(&bytes) != content {
        return Err(changed("the file changed during the run"));
    }
    scan::parse(&bytes, &sighting.shown)
}

fn changed(detail: &str) -> Ended {
    Ended {
        verdict: Verdict::Ignored,
        format: None,
        reason: "changing".to_owned(),
        detail: detail.to_owned(),
        offset: None,
    }
}

/// The analyses that are not the primary of their match are kept as they were read: the next best becomes the primary
/// without a raw file being opened. By source id.
#[must_use]
pub fn set_aside(settings: &Settings) -> Cache {
    Cache::of(&Lake::at(settings.lake())).below("analyses")
}

/// Forgets the analyses that no file holds any more.
///
/// # Errors
/// When the cache cannot be written.
pub fn prune(settings: &Settings, resolution: &Resolution) -> Result<(), TableFault> {
    let wanted: BTreeSet<&str> = resolution.sources.iter().filter_map(|row| row.blake3.get(..SOURCE_DIGITS)).collect();
    set_aside(settings).retain(|name| wanted.contains(name))
}

fn joined(played: &Played, analyses: Vec<(bool, Analysis)>, settings: &Settings) -> Option<Match> {
    let mut rows = Vec::new();
    let (mut other_decisions, mut other_candidates) = (Vec::new(), Vec::new());
    let (mut primary, mut rulings) = (None, Vec::new());
    for (is_primary, analysis) in analyses {
        rows.push(analysis_row(played, &analysis, is_primary));
        rulings.extend(rulings::rulings(&analysis.facts.decisions, &analysis.source_id));
        if is_primary {
            primary = Some(analysis);
            continue;
        }
        let id = &analysis.source_id;
        other_decisions.extend(analysis.facts.decisions.into_iter().map(|row| row.of_source(id)));
        other_candidates.extend(analysis.facts.candidates.into_iter().map(|row| row.of_source(id)));
    }
    rows.sort_by(|a, b| a.source_id.cmp(&b.source_id));
    other_decisions.sort_by(|a, b| (&a.source_id, a.game, a.order).cmp(&(&b.source_id, b.game, b.order)));
    other_candidates
        .sort_by(|a, b| (&a.decision_id, &a.source_id, a.rank).cmp(&(&b.decision_id, &b.source_id, b.rank)));
    let Analysis { record, facts, .. } = primary?;
    let mut row = match_row(played, &record, settings);
    let Facts { decisions, candidates, games, comments } = facts;
    row.games = i64::try_from(games.len()).unwrap_or(i64::MAX);
    let row_itself = std::slice::from_ref(&row);
    let mut digest = Digest::default();
    digest.rows(row_itself).rows(&games).rows(&decisions).rows(&candidates);
    let primary_digest = digest.clone().finish();
    digest.rows(&rows).rows(&comments);
    row.digest = digest.finish();
    row.primary_digest = Some(primary_digest);
    rulings.sort_by(|a, b| (&a.source_id, a.game, a.order).cmp(&(&b.source_id, b.game, b.order)));
    let partials = partials::partials(&decisions, &candidates, &settings.rules);
    Some(Match {
        row,
        analyses: rows,
        games,
        decisions,
        candidates,
        other_decisions,
        other_candidates,
        comments,
        rulings,
        partials,
    })
}

fn analysis_row(played: &Played, analysis: &Analysis, primary: bool) -> AnalysisRow {
    let rated = || analysis.facts.decisions.iter().filter(|row| row.e_raw.is_some());
    let mut depths: BTreeMap<(i64, &str), i64> = BTreeMap::new();
    for row in rated() {
        if let (Some(rank), Some(label)) = (row.depth_rank, row.depth_best.as_deref()) {
            *depths.entry((rank, label)).or_default() += 1;
        }
    }
    let mix: Vec<String> = depths.iter().rev().map(|((_, label), n)| format!("{label}: {n}")).collect();
    AnalysisRow {
        season: played.season.clone(),
        match_id: played.match_id.clone(),
        source_id: analysis.source_id.clone(),
        path: analysis.path.clone(),
        format: analysis.record.format.token().to_owned(),
        engine: analysis.record.engine.token().to_owned(),
        engine_version: analysis.record.engine_version.clone(),
        depths: (!mix.is_empty()).then(|| mix.join("; ")),
        met: met::NAME.to_owned(),
        rated: i64::try_from(rated().count()).unwrap_or(i64::MAX),
        depth_sum: rated().filter_map(|row| row.depth_rank).sum(),
        primary,
        partial: analysis.record.partial,
        made_by_portes: analysis.record.made_by_portes,
    }
}

fn match_row(played: &Played, record: &Record, settings: &Settings) -> MatchRow {
    let MatchOutcome { score, result, finished } = outcome::outcome(record);
    let name = |seat: usize| record.players[seat].name.clone();
    let player = |seat: usize| settings.players.canonical(&record.players[seat].name).to_owned();
    MatchRow {
        season: played.season.clone(),
        match_id: played.match_id.clone(),
        event: played.event.clone(),
        round: played.round.clone(),
        place: record.place.clone(),
        date: record.date.map(day),
        name_1: name(0),
        name_2: name(1),
        player_1: player(0),
        player_2: player(1),
        play: record.length.token().to_owned(),
        length: (record.length != Length::Money).then(|| i64::from(record.length.points())),
        score_1: score[0],
        score_2: score[1],
        winner: result.winner().map(|seat| if seat.index() == 0 { 1 } else { 2 }),
        finished,
        games: 0,
        rating_1: record.players[0].rating.clone(),
        rating_2: record.players[1].rating.clone(),
        start_mwc: start_mwc(record),
        crawford: record.rules.crawford,
        jacoby: record.rules.jacoby,
        beavers: record.rules.beavers,
        cube: record.rules.cube,
        variant: record.rules.variant.token().to_owned(),
        digest: String::new(),
        primary_digest: None,
    }
}

/// The first seat's chances at the first score; a missing score counts as 0-0 (`metrics.md` 10.2).
fn start_mwc(record: &Record) -> Option<i64> {
    let first = record.games.first();
    let (points, crawford) = first.map_or(([0, 0], false), |game| (game.points, game.crawford));
    let score = Score::at(record.length, points, crawford).ok()?;
    let start = Met::kazaross_xg2().start(score)?;
    crate::game::Mwc::from_f64(start).map(crate::game::Mwc::units)
}

fn day(date: jiff::civil::Date) -> Day {
    let epoch = jiff::civil::date(1970, 1, 1);
    Day((date - epoch).get_days())
}
