//! The study marts of one season, handed out player by player to the pages.
//!
//! Every mart of players is sorted by player within its season, so a player's rows are a stretch that is found by
//! halving and lent: a page costs the same in a season of ten thousand players as in one of ten. Only the few decisions
//! a page shows are gathered for it.

use super::fault::NightFault;
use super::pages::season_rows;
use crate::report::PlayerStudy;
use crate::tables::facts::{CandidateRow, DecisionRow};
use crate::tables::lake::{self, ALL_SEASONS};
use crate::tables::part;
use crate::tables::row::Row;
use crate::tables::study_marts::{
    BeforeAfterRow, BiasRow, BreakdownRow, FamilyPositionRow, HeadToHeadRow, HistogramRow, MatchReviewRow,
    PlacesPointsRow, RecurringErrorRow, ReferencePositionRow, RollingRow, StandingRow, StudyPlanRow, StudyTotalsRow,
    TournamentFamilyRow, TournamentReviewRow, WorstDecisionRow,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Reference positions a page shows (`metrics.md` 2); the table keeps more.
const SHOWN: i64 = 20;
/// Positions of a family a page shows; the table keeps more.
const SHOWN_OF_FAMILY: i64 = 5;

/// A column that says whose a row is.
trait Named {
    /// `None` = both seats.
    fn named(&self) -> Option<&str>;
}

impl Named for String {
    fn named(&self) -> Option<&str> {
        Some(self)
    }
}

impl Named for Option<String> {
    fn named(&self) -> Option<&str> {
        self.as_deref()
    }
}

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
                Ok(marts)
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
    decisions: BTreeMap<String, DecisionRow>,
    candidates: BTreeMap<String, Vec<CandidateRow>>,
}

/// The decisions a player's page shows, and the candidates of those it draws.
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
        let players = OfPlayers::read(snapshot, season)?;
        let drawn: BTreeSet<&str> = players.positions.iter().map(|row| row.decision_id.as_str()).collect();
        let told = players.family_positions.iter().filter(|row| row.rank <= SHOWN_OF_FAMILY);
        let told: BTreeSet<&str> = told.map(|row| row.decision_id.as_str()).chain(drawn.iter().copied()).collect();
        let mut decisions = BTreeMap::new();
        each(snapshot, season, |row: DecisionRow| {
            if told.contains(row.decision_id.as_str()) {
                decisions.insert(row.decision_id.clone(), row);
            }
        })?;
        let mut candidates: BTreeMap<String, Vec<CandidateRow>> = BTreeMap::new();
        each(snapshot, season, |row: CandidateRow| {
            if drawn.contains(row.decision_id.as_str()) {
                candidates.entry(row.decision_id.clone()).or_default().push(row);
            }
        })?;
        Ok(Self {
            review: season_rows(snapshot, season)?,
            tournaments: season_rows(snapshot, season)?,
            families: season_rows(snapshot, season)?,
            standings: season_rows(snapshot, season)?,
            places: season_rows(snapshot, season)?,
            players,
            decisions,
            candidates,
        })
    }

    /// What a player's page shows of single decisions.
    pub(super) fn drawn(&self, player: &str) -> Drawn {
        let positions = of_player(&self.players.positions, player, |row| row.player.named());
        let families = of_player(&self.players.family_positions, player, |row| row.player.named());
        let ids = positions.iter().map(|row| &row.decision_id).chain(families.iter().map(|row| &row.decision_id));
        let ids: BTreeSet<&String> = ids.collect();
        Drawn {
            decisions: ids.iter().filter_map(|id| self.decisions.get(*id)).cloned().collect(),
            candidates: ids.iter().filter_map(|id| self.candidates.get(*id)).flatten().cloned().collect(),
        }
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

/// The rows of a table one by one, read batch by batch.
fn each<R: Row>(snapshot: &Path, season: &str, mut take: impl FnMut(R)) -> Result<(), NightFault> {
    for listed in lake::season_parts(snapshot, R::TABLE, season)? {
        part::each::<R>(&listed.path, &mut |batch| batch.into_iter().for_each(&mut take))?;
    }
    Ok(())
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
