//! The study marts of one season, handed out player by player to the pages.

use super::season_rows;
use crate::night::fault::NightFault;
use crate::report::PlayerStudy;
use crate::tables::bucket::Division;
use crate::tables::digest::Digest;
use crate::tables::facts::{CandidateRow, DecisionRow};
use crate::tables::lake::{self, ALL_SEASONS};
use crate::tables::part;
use crate::tables::row::Row;
use crate::tables::study_marts::{
    BeforeAfterRow, BiasRow, BreakdownRow, HeadToHeadRow, HistogramRow, MatchReviewRow, PlacesPointsRow,
    RecurringErrorRow, ReferencePositionRow, RollingRow, StandingRow, StudyPlanRow, TournamentReviewRow,
    WorstDecisionRow,
};
use std::collections::BTreeSet;
use std::path::Path;

/// Reference positions a page shows (`metrics.md` 2); the table keeps more.
const SHOWN: i64 = 20;

/// Every study mart of a season, and the decisions its pages draw.
#[derive(Default)]
pub(super) struct Lessons {
    /// Decisions to review, by match.
    pub(super) review: Vec<MatchReviewRow>,
    /// Tournament reviews, sorted by event.
    pub(super) tournaments: Vec<TournamentReviewRow>,
    /// Players table.
    pub(super) standings: Vec<StandingRow>,
    /// Place points.
    pub(super) places: Vec<PlacesPointsRow>,
    plan: Vec<StudyPlanRow>,
    recurring: Vec<RecurringErrorRow>,
    positions: Vec<ReferencePositionRow>,
    biases: Vec<BiasRow>,
    before_after: Vec<BeforeAfterRow>,
    breakdowns: Vec<BreakdownRow>,
    rolling: Vec<RollingRow>,
    histogram: Vec<HistogramRow>,
    worst: Vec<WorstDecisionRow>,
    head_to_head: Vec<HeadToHeadRow>,
}

impl Lessons {
    /// Reads them.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read(snapshot: &Path, season: &str) -> Result<Self, NightFault> {
        let mut positions: Vec<ReferencePositionRow> = season_rows(snapshot, season)?;
        positions.retain(|row| row.rank <= SHOWN);
        Ok(Self {
            review: season_rows(snapshot, season)?,
            tournaments: season_rows(snapshot, season)?,
            standings: season_rows(snapshot, season)?,
            places: season_rows(snapshot, season)?,
            plan: season_rows(snapshot, season)?,
            recurring: season_rows(snapshot, season)?,
            positions,
            biases: season_rows(snapshot, season)?,
            before_after: season_rows(snapshot, ALL_SEASONS)?,
            breakdowns: season_rows(snapshot, season)?,
            rolling: season_rows(snapshot, ALL_SEASONS)?,
            histogram: season_rows(snapshot, season)?,
            worst: season_rows(snapshot, season)?,
            head_to_head: season_rows(snapshot, season)?,
        })
    }

    /// One player's rows.
    pub(super) fn of(&self, player: &str) -> Self {
        let named = |name: &Option<String>| name.as_deref() == Some(player);
        Self {
            positions: only(&self.positions, |row| row.player == player),
            plan: only(&self.plan, |row| named(&row.player)),
            recurring: only(&self.recurring, |row| named(&row.player)),
            biases: only(&self.biases, |row| named(&row.player)),
            before_after: only(&self.before_after, |row| row.player == player),
            breakdowns: only(&self.breakdowns, |row| named(&row.player)),
            rolling: only(&self.rolling, |row| row.player == player),
            histogram: only(&self.histogram, |row| named(&row.player)),
            worst: only(&self.worst, |row| named(&row.player)),
            head_to_head: only(&self.head_to_head, |row| row.player == player),
            ..Self::default()
        }
    }

    /// The decisions whose boards are drawn.
    pub(super) fn drawn(&self) -> impl Iterator<Item = &str> {
        self.positions.iter().map(|row| row.decision_id.as_str())
    }

    /// Everything a player's page shows of them.
    pub(super) fn hash(&self, key: &mut Digest) {
        key.rows(&self.plan).rows(&self.recurring).rows(&self.positions).rows(&self.biases);
        key.rows(&self.before_after).rows(&self.breakdowns).rows(&self.rolling).rows(&self.histogram);
        key.rows(&self.worst).rows(&self.head_to_head);
    }

    /// What a player's page asks for.
    pub(super) fn study<'a>(&'a self, drawn: &'a Drawn) -> PlayerStudy<'a> {
        PlayerStudy {
            plan: &self.plan,
            recurring: &self.recurring,
            positions: &self.positions,
            decisions: &drawn.decisions,
            candidates: &drawn.candidates,
            biases: &self.biases,
            before_after: &self.before_after,
            breakdowns: &self.breakdowns,
            rolling: &self.rolling,
            histogram: &self.histogram,
            worst: &self.worst,
            head_to_head: &self.head_to_head,
        }
    }
}

/// Decisions whose boards are drawn, and their candidates.
#[derive(Default)]
pub(super) struct Drawn {
    decisions: Vec<DecisionRow>,
    candidates: Vec<CandidateRow>,
}

impl Drawn {
    /// Reads these decisions of a season; buckets that hold none of their matches are not opened.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read(
        snapshot: &Path,
        season: &str,
        (division, ids): (Division, &BTreeSet<&str>),
    ) -> Result<Self, NightFault> {
        let buckets: BTreeSet<String> =
            ids.iter().filter_map(|id| division.holding(id)).map(|bucket| bucket.to_string()).collect();
        let place = (snapshot, season, &buckets);
        Ok(Self {
            decisions: kept(place, |row: &DecisionRow| ids.contains(row.decision_id.as_str()))?,
            candidates: kept(place, |row: &CandidateRow| ids.contains(row.decision_id.as_str()))?,
        })
    }

    /// Some of them.
    pub(super) fn only<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Self {
        let ids: BTreeSet<&str> = ids.collect();
        Self {
            decisions: only(&self.decisions, |row| ids.contains(row.decision_id.as_str())),
            candidates: only(&self.candidates, |row| ids.contains(row.decision_id.as_str())),
        }
    }
}

fn only<R: Clone>(rows: &[R], keep: impl Fn(&R) -> bool) -> Vec<R> {
    rows.iter().filter(|row| keep(row)).cloned().collect()
}

/// The rows of a table that are wanted, read batch by batch.
fn kept<R: Row>(
    (snapshot, season, buckets): (&Path, &str, &BTreeSet<String>),
    keep: impl Fn(&R) -> bool,
) -> Result<Vec<R>, NightFault> {
    let mut rows = Vec::new();
    for listed in lake::season_parts(snapshot, R::TABLE, season)?.iter().filter(|part| buckets.contains(&part.bucket)) {
        part::each::<R>(&listed.path, &mut |batch| rows.extend(batch.into_iter().filter(|row| keep(row))))?;
    }
    Ok(rows)
}
