//! The study marts of one season, handed out player by player to the pages.
//!
//! Every mart of players is sorted by player within its season, so a player's rows are a stretch that is found by
//! halving and lent: a page costs the same in a season of ten thousand players as in one of ten. Only the few decisions
//! a page shows are gathered for it.

use super::super::marts::Named;
use super::drawn::{Asked, Drawn};
use super::{season_rows, season_rows_where};
use crate::night::fault::NightFault;
use crate::report::PlayerStudy;
use crate::tables::digest::Digest;
use crate::tables::lake::ALL_SEASONS;
use crate::tables::study_marts::{
    BeforeAfterRow, BiasRow, BreakdownRow, FamilyPositionRow, HeadToHeadRow, HistogramRow, MatchReviewRow,
    PlacesPointsRow, RecurringErrorRow, ReferencePositionRow, RollingRow, StandingRow, StudyPlanRow, StudyTotalsRow,
    TournamentFamilyRow, TournamentReviewRow, TrendRow, WorstDecisionRow,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Reference positions a page shows (`metrics.md` 2); the table keeps more.
const SHOWN: i64 = 20;
/// Positions of a family a page shows; the table keeps more.
const SHOWN_OF_FAMILY: i64 = 5;

/// Declares [`OfPlayers`], so that another mart is one line: its name in [`PlayerStudy`], its rows,
/// where it lies, and which of them a page can show.
macro_rules! of_players {
    ($($mart:ident: $row:ident in $season:ident, if $wanted:expr;)*) => {
        /// The marts a player's page is made of.
        struct OfPlayers {
            $($mart: Vec<$row>,)*
        }

        impl OfPlayers {
            fn read(snapshot: &Path, season: &str) -> Result<Self, NightFault> {
                let places = Places { season, all: ALL_SEASONS };
                Ok(Self {
                    $($mart: {
                        let wanted: fn(&$row) -> bool = $wanted;
                        season_rows_where(snapshot, places.$season, wanted)?
                    },)*
                })
            }

            /// A player's stretch of each, into the key of his page.
            fn hash(&self, player: &str, key: &mut Digest) {
                $(key.rows(of_player(&self.$mart, player, |row| row.player.named()));)*
            }

            /// A player's stretch of each.
            fn of<'a>(&'a self, player: &str, drawn: Option<&'a Drawn>) -> PlayerStudy<'a> {
                PlayerStudy {
                    $($mart: of_player(&self.$mart, player, |row| row.player.named()),)*
                    decisions: drawn.map_or(&[], |drawn| &drawn.decisions),
                    candidates: drawn.map_or(&[], |drawn| &drawn.candidates),
                }
            }
        }
    };
}

of_players! {
    plan: StudyPlanRow in season, if |_| true;
    totals: StudyTotalsRow in season, if |_| true;
    family_positions: FamilyPositionRow in season, if |row| row.rank <= SHOWN_OF_FAMILY;
    recurring: RecurringErrorRow in season, if |_| true;
    positions: ReferencePositionRow in season, if |row| row.rank <= SHOWN;
    biases: BiasRow in season, if |_| true;
    before_after: BeforeAfterRow in all, if |_| true;
    breakdowns: BreakdownRow in season, if |_| true;
    rolling: RollingRow in all, if |_| true;
    trend: TrendRow in all, if |_| true;
    histogram: HistogramRow in season, if |_| true;
    worst: WorstDecisionRow in season, if |_| true;
    head_to_head: HeadToHeadRow in season, if |_| true;
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
    /// Decisions to review of the matches that have a page, by match.
    pub(super) review: Vec<MatchReviewRow>,
    /// Tournament reviews of the reference players, sorted by event; the others are read event by event.
    pub(super) references: Vec<TournamentReviewRow>,
    /// Study plans of the reference players over their tournaments.
    families: Vec<TournamentFamilyRow>,
    /// Players table.
    pub(super) standings: Vec<StandingRow>,
    /// Place points.
    pub(super) places: Vec<PlacesPointsRow>,
    players: OfPlayers,
}

impl Lessons {
    /// Reads them.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read(snapshot: &Path, season: &str, with_page: &BTreeSet<String>) -> Result<Self, NightFault> {
        let (players, references) = rayon::join(
            || OfPlayers::read(snapshot, season),
            || season_rows_where(snapshot, season, |row: &TournamentReviewRow| row.reference),
        );
        let references = references?;
        let of: BTreeMap<&str, &str> = references.iter().map(|row| (&*row.event, &*row.player)).collect();
        let is_reference = |row: &TournamentFamilyRow| of.get(row.event.as_str()) == Some(&row.player.as_str());
        Ok(Self {
            review: season_rows_where(snapshot, season, |row: &MatchReviewRow| with_page.contains(&row.match_id))?,
            families: season_rows_where(snapshot, season, is_reference)?,
            references,
            standings: season_rows(snapshot, season)?,
            places: season_rows(snapshot, season)?,
            players: players?,
        })
    }

    /// The decisions that a player's page shows one by one.
    pub(super) fn asked(&self, player: &str) -> Asked<'_> {
        self.players.of(player, None).decisions_shown()
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
        self.players.of(player, Some(drawn))
    }

    /// The study plan of one event for a player, and what it does not see.
    pub(super) fn of_event(&self, event: &str, player: &str) -> (Vec<TournamentFamilyRow>, Option<&StudyTotalsRow>) {
        let families = self.families.iter().filter(|row| row.event == event && row.player == player);
        let totals = of_player(&self.players.totals, player, |row| row.player.named());
        (families.cloned().collect(), totals.iter().find(|row| row.event.as_deref() == Some(event)))
    }
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
