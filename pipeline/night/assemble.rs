//! The second look at a match: from the bytes of its files to every row the tables hold of it.
//!
//! Files are read again rather than kept: memory does not grow with the corpus, and parsing is cheaper than writing
//! what was parsed to disk and reading it back. A file whose content is no longer what the first look saw is reported as
//! spoiled, never used.

use super::resolve::{Ended, Played, Sighting};
use super::scan;
use crate::config::Settings;
use crate::game::met::{self, Met};
use crate::game::{Length, Score};
use crate::ingest::facts::{self, Facts};
use crate::ingest::outcome::{self, MatchOutcome};
use crate::ingest::record::Record;
use crate::rate::partials::{self, Partials};
use crate::rate::{self, rulings};
use crate::tables::facts::{
    AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, OtherCandidateRow, OtherDecisionRow,
};
use crate::tables::partials::RulingRow;
use crate::tables::row::{Day, Row, Value};
use std::collections::BTreeMap;
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
pub fn assemble(played: &Played, sightings: &[Sighting], settings: &Settings) -> Result<Match, Spoiled> {
    let mut analyses = Vec::with_capacity(played.contents.len());
    for (rank, &at) in played.contents.iter().enumerate() {
        let analysis = catch_unwind(AssertUnwindSafe(|| analysis(played, &sightings[at], settings)))
            .unwrap_or_else(|_| Err(internal()))
            .map_err(|ended| Spoiled { at, ended })?;
        analyses.push((rank == 0, analysis));
    }
    catch_unwind(AssertUnwindSafe(|| joined(played, analyses, settings)))
        .unwrap_or_default()
        .ok_or_else(|| Spoiled { at: played.contents.first().copied().unwrap_or_default(), ended: internal() })
}

fn internal() -> Ended {
    Ended {
        status: "quarantined",
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
    let changed =
        |detail: String| Ended { status: "ignored", format: None, reason: "changing".to_owned(), detail, offset: None };
    let bytes = scan::bytes_of(&sighting.place).map_err(|fault| changed(fault.to_string()))?;
    let content = blake3::hash(&bytes);
    if Some(*content.as_bytes()) != sighting.content {
        return Err(changed("the file changed during the run".to_owned()));
    }
    let record = scan::parse(&bytes, &sighting.shown)?;
    let mut facts = facts::facts(&record, &played.match_id, &played.season);
    rate::rate(&mut facts.decisions, &facts.candidates, &settings.rules);
    let source_id = content.to_hex().chars().take(16).collect();
    Ok(Analysis { record, facts, source_id, path: sighting.shown.clone() })
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
    let digest = Digest::new().rows(row_itself).rows(&games).rows(&decisions).rows(&candidates).rows(&rows);
    row.digest = digest.finish();
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

/// Bytes gathered before they are hashed: the hash takes long runs several blocks at a time, and cells are short.
const HASHED_AT_ONCE: usize = 64 << 10;

/// The digest of a match: every cell of its rows, in the order of the tables and columns.
struct Digest {
    hasher: blake3::Hasher,
    gathered: Vec<u8>,
}

impl Digest {
    fn new() -> Self {
        Self { hasher: blake3::Hasher::new(), gathered: Vec::with_capacity(2 * HASHED_AT_ONCE) }
    }

    fn rows<R: Row>(mut self, rows: &[R]) -> Self {
        self.gathered.extend_from_slice(R::TABLE.as_bytes());
        for row in rows {
            row.values(&mut |_, value| gather(&mut self.gathered, value));
            if self.gathered.len() >= HASHED_AT_ONCE {
                self.hasher.update(&self.gathered);
                self.gathered.clear();
            }
        }
        self
    }

    /// 32 hex digits.
    fn finish(mut self) -> String {
        self.hasher.update(&self.gathered);
        self.hasher.finalize().to_hex()[..32].to_owned()
    }
}

/// Each value behind a byte that tells its kind, texts behind their length: no two rows give the same bytes.
#[inline]
fn gather(bytes: &mut Vec<u8>, value: Value<'_>) {
    match value {
        Value::Null => bytes.push(0),
        Value::Text(text) => {
            bytes.push(1);
            bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        Value::Int(int) => tagged(bytes, 2, int.to_le_bytes()),
        Value::Float(float) => tagged(bytes, 3, float.to_bits().to_le_bytes()),
        Value::Day(day) => tagged(bytes, 4, day.to_le_bytes()),
        Value::Flag(flag) => tagged(bytes, 5, [u8::from(flag)]),
    }
}

#[inline]
fn tagged<const N: usize>(bytes: &mut Vec<u8>, kind: u8, value: [u8; N]) {
    bytes.push(kind);
    bytes.extend_from_slice(&value);
}
