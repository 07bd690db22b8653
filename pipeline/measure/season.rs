//! Players' figures and the marts of the study system from a snapshot: which rows are brought to which ledger.
//!
//! Seasons come one after the other and the parts of a table some at a time; what is held is one season's sums, what the
//! ledgers keep of it, and of all seasons one small appearance a player and match. Decisions are looked at only where
//! somebody studies, one column of them, and only to find the positions he studied.

use super::before_after::BeforeAfter;
use super::biases::Biases;
use super::breakdowns::{Breakdowns, Histogram};
use super::entry::Entry;
use super::head_to_head::HeadToHead;
use super::matches::{BATCH, Matches};
use super::player;
use super::rolling::Rolling;
use super::scope::Scope;
use super::snapshot::{Snapshot, collect, numbers, present, rows_of, scan, texts};
use super::studied::Studied;
use super::tournament::{Leaders, Tournaments};
use super::trend::{Goal, Trend};
use super::worst::Worst;
use super::{MeasureFault, Settings};
use crate::game::key::PositionKey;
use crate::tables::facts::{DecisionRow, MatchRow};
use crate::tables::partials::{CellRow, ErrorRow, MomentRow, SequenceRow, WorstRow};
use crate::tables::row::Row as _;
use crate::tables::study::StudyEventRow;
use crate::tables::study_marts::{
    BeforeAfterRow, BiasRow, BreakdownRow, HeadToHeadRow, HistogramRow, RollingRow, TournamentReviewRow, TrendRow,
    WorstDecisionRow,
};
use polars::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Parts of `cells` that are read at a time: a match has some two hundred rows of them, ten times its moments.
const CELL_BATCH: usize = BATCH / 8;

/// What the marts are made from besides the snapshot.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What the measures may be told.
    pub settings: Settings,
    /// The player the reports are made for, canonical.
    pub main_player: Option<&'a str>,
    /// What was studied.
    pub events: &'a [StudyEventRow],
    /// Where the reader wants to be, and when.
    pub goal: Option<Goal>,
    /// Whose rows are wanted.
    pub scope: &'a Scope,
}

/// The finished tables, each sorted by its key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyMarts {
    /// In which direction players err.
    pub biases: Vec<BiasRow>,
    /// PR by cell.
    pub breakdowns: Vec<BreakdownRow>,
    /// Errors by size.
    pub histogram: Vec<HistogramRow>,
    /// PR over the last decisions.
    pub rolling: Vec<RollingRow>,
    /// The line through each player's matches.
    pub trend: Vec<TrendRow>,
    /// The ten worst decisions.
    pub worst_decisions: Vec<WorstDecisionRow>,
    /// Player against player.
    pub head_to_head: Vec<HeadToHeadRow>,
    /// Tournaments against the usual level.
    pub tournament_review: Vec<TournamentReviewRow>,
    /// Families before and after study.
    pub before_after: Vec<BeforeAfterRow>,
    /// Whom each tournament's rows are about before all, whoever was asked for.
    pub leaders: Leaders,
}

/// Finishes every table of [`player::Marts`] and of [`StudyMarts`].
///
/// # Errors
/// A table that cannot be read or does not fit its schema, rows of a match that is not in `matches`.
pub fn marts(snapshot: &Path, asked: &Asked<'_>) -> Result<(player::Marts, StudyMarts), MeasureFault> {
    let snapshot = Snapshot(snapshot);
    let mut ledgers = Ledgers::new(snapshot, asked)?;
    for season in snapshot.seasons(&[MatchRow::TABLE, MomentRow::TABLE])? {
        ledgers.season(snapshot, (&season, asked.scope))?;
    }
    Ok(ledgers.close(asked))
}

/// All ledgers.
struct Ledgers {
    figures: player::Ledger,
    biases: Biases,
    breakdowns: Breakdowns,
    histogram: Histogram,
    rolling: Rolling,
    trend: Trend,
    worst: Worst,
    head_to_head: HeadToHead,
    tournaments: Tournaments,
    before_after: BeforeAfter,
}

impl Ledgers {
    fn new(snapshot: Snapshot<'_>, asked: &Asked<'_>) -> Result<Self, MeasureFault> {
        let studied = Studied::of(asked.events, asked.settings.study);
        let first_days = if studied.is_empty() { BTreeMap::new() } else { first_days(snapshot, &studied)? };
        Ok(Self {
            figures: player::Ledger::new(asked.settings),
            biases: Biases::new(asked.settings),
            breakdowns: Breakdowns::new(asked.settings),
            histogram: Histogram::default(),
            rolling: Rolling::default(),
            trend: Trend::default(),
            worst: Worst::default(),
            head_to_head: HeadToHead::new(asked.settings),
            tournaments: Tournaments::new(asked.settings),
            before_after: BeforeAfter::new(first_days, asked.settings),
        })
    }

    fn season(&mut self, snapshot: Snapshot<'_>, (season, scope): (&Path, &Scope)) -> Result<(), MeasureFault> {
        let matches = Matches::of(snapshot, season, scope)?;
        matches.all().values().for_each(|played| self.figures.enter(played));
        let mut without_cells: BTreeSet<&str> = matches.all().keys().map(String::as_str).collect();
        for batch in snapshot.parts::<CellRow>(season)?.chunks(CELL_BATCH) {
            for cells in rows_of::<CellRow>(batch)?.chunk_by(|a, b| a.match_id == b.match_id) {
                let match_id = cells[0].match_id.as_str();
                let played = matches.owner::<CellRow>(match_id)?;
                without_cells.remove(match_id);
                self.enter(&Entry { played, engine: matches.engine(match_id), cells });
            }
        }
        // A match nobody decided anything in that counts is a match all the same.
        for match_id in without_cells {
            let played = matches.owner::<MatchRow>(match_id)?;
            self.enter(&Entry { played, engine: matches.engine(match_id), cells: &[] });
        }
        self.sequences(&matches, &snapshot.parts::<SequenceRow>(season)?)?;
        self.worst(&matches, &snapshot.parts::<WorstRow>(season)?)?;
        if self.before_after.is_idle() {
            return Ok(());
        }
        self.errors(&matches, &snapshot.parts::<ErrorRow>(season)?)
    }

    fn enter(&mut self, entry: &Entry<'_>) {
        self.biases.enter(entry);
        self.breakdowns.enter(entry);
        self.histogram.enter(entry);
        self.head_to_head.enter(entry.played);
        self.trend.enter(entry.played);
        self.tournaments.enter(entry);
        self.before_after.enter(entry);
    }

    fn sequences(&mut self, matches: &Matches, parts: &[PathBuf]) -> Result<(), MeasureFault> {
        for batch in parts.chunks(BATCH) {
            for sequence in rows_of::<SequenceRow>(batch)? {
                let played = matches.owner::<SequenceRow>(&sequence.match_id)?;
                self.rolling.enter(&played.facts, &sequence);
            }
        }
        Ok(())
    }

    fn worst(&mut self, matches: &Matches, parts: &[PathBuf]) -> Result<(), MeasureFault> {
        for batch in parts.chunks(BATCH) {
            for row in rows_of::<WorstRow>(batch)? {
                let played = matches.owner::<WorstRow>(&row.match_id)?;
                self.worst.enter(&played.facts, &row);
            }
        }
        Ok(())
    }

    fn errors(&mut self, matches: &Matches, parts: &[PathBuf]) -> Result<(), MeasureFault> {
        for batch in parts.chunks(BATCH) {
            for error in rows_of::<ErrorRow>(batch)? {
                let played = matches.owner::<ErrorRow>(&error.match_id)?;
                self.before_after.enter_error(&played.facts, &error);
            }
        }
        Ok(())
    }

    fn close(self, asked: &Asked<'_>) -> (player::Marts, StudyMarts) {
        let study = StudyMarts {
            leaders: self.tournaments.leaders(asked.main_player),
            biases: self.biases.close(),
            breakdowns: self.breakdowns.close(),
            histogram: self.histogram.close(),
            rolling: self.rolling.close(),
            trend: self.trend.close((asked.main_player, asked.goal)),
            worst_decisions: self.worst.close(),
            head_to_head: self.head_to_head.close(),
            tournament_review: self.tournaments.close(asked.main_player),
            before_after: self.before_after.close(),
        };
        (self.figures.close(), study)
    }
}

/// When each studied position of the decisions was first studied by who decided.
fn first_days(
    snapshot: Snapshot<'_>,
    studied: &Studied,
) -> Result<BTreeMap<String, super::before_after::FirstDays>, MeasureFault> {
    let boards = studied.boards();
    let mut decisions: BTreeSet<(PositionKey, String)> = BTreeSet::new();
    for season in snapshot.seasons(&[MatchRow::TABLE])? {
        let players: BTreeMap<String, [String; 2]> = snapshot
            .rows::<MatchRow>(&season)?
            .into_iter()
            .map(|row| (row.match_id, [row.player_1, row.player_2]))
            .collect();
        for part in snapshot.parts::<DecisionRow>(&season)? {
            add_shown(&mut decisions, &part, (&boards, &players))?;
        }
    }
    let pairs: Vec<(PositionKey, &str)> = decisions.iter().map(|(key, player)| (*key, player.as_str())).collect();
    Ok(studied.first_days(&pairs))
}

/// The decisions of a part that show one of the boards, with who decides.
fn add_shown(
    decisions: &mut BTreeSet<(PositionKey, String)>,
    part: &PathBuf,
    (boards, players): (&BTreeSet<String>, &BTreeMap<String, [String; 2]>),
) -> Result<(), MeasureFault> {
    let plan = scan::<DecisionRow>(std::slice::from_ref(part))?;
    let frame = collect::<DecisionRow>(plan.select([col("match_id"), col("seat"), col("position_key")]))?;
    let match_ids = texts::<DecisionRow>(&frame, "match_id")?;
    let seats = numbers::<DecisionRow>(&frame, "seat")?;
    let keys = texts::<DecisionRow>(&frame, "position_key")?;
    for (at, text) in keys.iter().enumerate() {
        let text = present::<DecisionRow, _>(text)?;
        if !text.split('|').nth(1).is_some_and(|board| boards.contains(board)) {
            continue;
        }
        let Ok(key) = PositionKey::from_text(text) else { continue };
        let seat = present::<DecisionRow, _>(seats.get(at))?;
        let names = match_ids.get(at).and_then(|match_id| players.get(match_id));
        let index = usize::try_from(seat).ok().and_then(|seat| seat.checked_sub(1));
        if let Some(player) = names.zip(index).and_then(|(names, index)| names.get(index)) {
            decisions.insert((key, player.clone()));
        }
    }
    Ok(())
}
