//! The study marts of one season, handed out player by player to the pages.
//!
//! Every mart of players is sorted by player within its season, so a player's rows are a stretch that is found by
//! halving and lent: a page costs the same in a season of ten thousand players as in one of ten. Only the few decisions
//! a page shows are gathered for it.

use super::super::marts::Named;
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
    BeforeAfterRow, BiasRow, BreakdownRow, FamilyPositionRow, HeadToHeadRow, HistogramRow, MatchReviewRow,
    PlacesPointsRow, RecurringErrorRow, ReferencePositionRow, RollingRow, StandingRow, StudyPlanRow, StudyTotalsRow,
    TournamentFamilyRow, TournamentReviewRow, TrendRow, WorstDecisionRow,
};
use std::collections::BTreeSet;
use std::path::Path;

/// Reference positions a page shows (`metrics.md` 2); the table keeps more.
const SHOWN: i64 = 20;
/// Positions of a family a page shows; the table keeps more.
const SHOWN_OF_FAMILY: i64 = 5;

/// Declares [`OfPlayers`], so that another mart is one line: its name in [`PlayerStudy`], its rows, where it lies.
macro_rules! of_players {
    ($($mart:ident: $row:ident in $season:ident;)*) => {
        /// The marts a player's page is made of.
        struct OfPlayers {
            $($mart: Vec<$row>,)*
        }

        impl OfPlayers {
            fn read(snapshot: &Path, season: &str) -> Result<Self, NightFault> {
                let places = Places { season, all: ALL_SEASONS };
                let mut marts = Self { $($mart: season_rows(snapshot, places.$season)?,)* };
                marts.positions.retain(|row| row.rank <= SHOWN);
                marts.family_positions.retain(|row| row.rank <= SHOWN_OF_FAMILY);
                Ok(marts)
            }

            /// A player's stretch of each, into the key of his page.
            fn hash(&self, player: &str, key: &mut Digest) {
                $(key.rows(of_player(&self.$mart, player, |row| row.player.named()));)*
            }

            /// A player's stretch of each.
            fn of<'a>(&'a self, player: &str, drawn: &'a Drawn) -> PlayerStudy<'a> {
                PlayerStudy {
                    $($mart: of_player(&self.$mart, player, |row| row.player.named()),)*
                    decisions: &drawn.decisions,
                    candidates: &drawn.candidates,
                }
            }
        }
    };
}

of_players! {
    plan: StudyPlanRow in season;
    totals: StudyTotalsRow in season;
    family_positions: FamilyPositionRow in season;
    recurring: RecurringErrorRow in season;
    positions: ReferencePositionRow in season;
    biases: BiasRow in season;
    before_after: BeforeAfterRow in all;
    breakdowns: BreakdownRow in season;
    rolling: RollingRow in all;
    trend: TrendRow in all;
    histogram: HistogramRow in season;
    worst: WorstDecisionRow in season;
    head_to_head: HeadToHeadRow in season;
}

/// Where a table lies.
struct Places<'a> {
    season: &'a str,
    all: &'a str,
}

/// The rows of a player among rows sorted by player, both seats' first.
fn of_player<'a, R>(rows: &'a [R], player: &str, named: fn(&R) -> Option<&str>) -> &'a [R] {
    let first = rows.partition_point(|row| named(row) < Some(player));
    let count = rows[first..].partition_point(|row| named(row) == Some(player));
    &rows[first..first + count]
}

/// Every study mart of a season, and the decisions its pages draw.
pub(super) struct Lessons {
    /// Decisions to review, by match.
    pub(super) review: Vec<MatchReviewRow>,
    /// Tournament reviews, sorted by event.
    pub(super) tournaments: Vec<TournamentReviewRow>,
    /// Study plans of tournaments.
    families: Vec<TournamentFamilyRow>,
    /// Players table.
    pub(super) standings: Vec<StandingRow>,
    /// Place points.
    pub(super) places: Vec<PlacesPointsRow>,
    players: OfPlayers,
}

/// Decisions that pages show, and their candidates, sorted.
#[derive(Default)]
pub(super) struct Drawn {
    decisions: Vec<DecisionRow>,
    candidates: Vec<CandidateRow>,
}

impl Lessons {
    /// Reads them.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read(snapshot: &Path, season: &str) -> Result<Self, NightFault> {
        Ok(Self {
            review: season_rows(snapshot, season)?,
            tournaments: season_rows(snapshot, season)?,
            families: season_rows(snapshot, season)?,
            standings: season_rows(snapshot, season)?,
            places: season_rows(snapshot, season)?,
            players: OfPlayers::read(snapshot, season)?,
        })
    }

    /// The decisions that a player's page shows one by one.
    pub(super) fn drawn(&self, player: &str) -> BTreeSet<&str> {
        let positions = of_player(&self.players.positions, player, |row| row.player.named());
        let families = of_player(&self.players.family_positions, player, |row| row.player.named());
        positions.iter().map(|row| &*row.decision_id).chain(families.iter().map(|row| &*row.decision_id)).collect()
    }

    /// The positions of a player's families.
    pub(super) fn family_positions(&self, player: &str) -> &[FamilyPositionRow] {
        of_player(&self.players.family_positions, player, |row| row.player.named())
    }

    /// Everything a player's page shows of them.
    pub(super) fn hash(&self, player: &str, key: &mut Digest) {
        self.players.hash(player, key);
    }

    /// What a player's page asks for.
    pub(super) fn of<'a>(&'a self, player: &str, drawn: &'a Drawn) -> PlayerStudy<'a> {
        self.players.of(player, drawn)
    }

    /// The study plan of one event for a player, and what it does not see.
    pub(super) fn of_event(&self, event: &str, player: &str) -> (Vec<TournamentFamilyRow>, Option<&StudyTotalsRow>) {
        let families = self.families.iter().filter(|row| row.event == event && row.player == player);
        let totals = of_player(&self.players.totals, player, |row| row.player.named());
        (families.cloned().collect(), totals.iter().find(|row| row.event.as_deref() == Some(event)))
    }
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
    pub(super) fn only(&self, ids: &BTreeSet<&str>) -> Self {
        let decisions = self.decisions.iter().filter(|row| ids.contains(row.decision_id.as_str()));
        let candidates = self.candidates.iter().filter(|row| ids.contains(row.decision_id.as_str()));
        Self { decisions: decisions.cloned().collect(), candidates: candidates.cloned().collect() }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn bias(player: Option<&str>, bias: &str) -> BiasRow {
        BiasRow { player: player.map(str::to_owned), bias: bias.to_owned(), ..BiasRow::default() }
    }

    #[test]
    fn a_player_gets_his_own_stretch_and_nobody_the_one_of_both_seats() {
        let rows =
            [bias(None, "a"), bias(None, "b"), bias(Some("Ada"), "c"), bias(Some("Ada"), "d"), bias(Some("Bo"), "e")];
        let of = |player| {
            let found = of_player(&rows, player, |row: &BiasRow| row.player.named());
            found.iter().map(|row| row.bias.as_str()).collect::<String>()
        };
        assert_eq!([of("Ada"), of("Bo"), of("A"), of("Adaline"), of("Z"), of("")], ["cd", "e", "", "", "", ""]);
    }
}
