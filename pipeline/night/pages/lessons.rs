//! The study marts of one season, handed out player by player to the pages.
//!
//! Every mart of players is sorted by player within its season, so a player's rows are a stretch that is found by
//! halving: a page costs the same in a season of ten thousand players as in one of ten. Whether a page is what it was is told
//! from the stored columns; rows are made for the pages that are made, and only the few decisions a page shows are gathered
//! for it.

use super::drawn::{Asked, Drawn};
use super::{season_rows, season_rows_where};
use crate::night::fault::NightFault;
use crate::report::PlayerStudy;
use crate::tables::digest::Digest;
use crate::tables::lake::{self, ALL_SEASONS};
use crate::tables::marts::PlayerMatchRow;
use crate::tables::row::{Row as _, Value};
use crate::tables::sorted::Sorted;
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

/// Declares [`OfPlayers`] and [`OfPlayer`], so that another mart is one line: its name in [`PlayerStudy`], its rows, where it
/// lies, and which of them a page can show.
macro_rules! of_players {
    ($($mart:ident: $row:ident in $season:ident, $at_most:expr;)*) => {
        /// The marts the players' pages are made of.
        struct OfPlayers {
            $($mart: Sorted<$row>,)*
        }

        /// The rows of one player.
        pub(super) struct OfPlayer {
            $($mart: Vec<$row>,)*
        }

        impl OfPlayers {
            fn read(snapshot: &Path, season: &str) -> Result<Self, NightFault> {
                let places = Places { season, all: ALL_SEASONS };
                Ok(Self {
                    $($mart: {
                        let parts = lake::season_parts(snapshot, $row::TABLE, places.$season)?;
                        Sorted::read(&parts, "player", $at_most)?
                    },)*
                })
            }

            /// A player's rows of each, into the key of his page.
            fn hash(&self, player: &str, key: &mut Digest) {
                $(self.$mart.hash(player, key);)*
            }

            /// A player's rows of each.
            fn of(&self, player: &str) -> OfPlayer {
                OfPlayer { $($mart: self.$mart.of(player),)* }
            }
        }

        impl OfPlayer {
            /// What his page asks for.
            pub(super) fn study<'a>(
                &'a self,
                (family_positions, drawn): (&'a [FamilyPositionRow], &'a Drawn),
            ) -> PlayerStudy<'a> {
                PlayerStudy {
                    $($mart: &self.$mart,)*
                    family_positions,
                    decisions: &drawn.decisions,
                    candidates: &drawn.candidates,
                }
            }

            /// The decisions that his page shows one by one.
            pub(super) fn asked<'a>(&'a self, family_positions: &'a [FamilyPositionRow]) -> Asked<'a> {
                PlayerStudy { $($mart: &self.$mart,)* family_positions, ..PlayerStudy::default() }.decisions_shown()
            }
        }
    };
}

of_players! {
    plan: StudyPlanRow in season, None;
    totals: StudyTotalsRow in season, None;
    recurring: RecurringErrorRow in season, None;
    positions: ReferencePositionRow in season, Some(("rank", SHOWN));
    biases: BiasRow in season, None;
    before_after: BeforeAfterRow in all, None;
    breakdowns: BreakdownRow in season, None;
    rolling: RollingRow in all, None;
    trend: TrendRow in all, None;
    histogram: HistogramRow in season, None;
    worst: WorstDecisionRow in season, None;
    head_to_head: HeadToHeadRow in season, None;
}

/// Where a table lies.
struct Places<'a> {
    season: &'a str,
    all: &'a str,
}

/// Every study mart of a season, and the decisions its pages draw.
pub(super) struct Lessons {
    /// Both seats' figures of the matches that have a page, and their decisions to review, by match.
    pub(super) figures: Vec<PlayerMatchRow>,
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
    /// Asked for before it is known whether a page is made: what the Academy knows of them is part of its key.
    family_positions: Sorted<FamilyPositionRow>,
}

impl Lessons {
    /// Reads them.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read(snapshot: &Path, season: &str, with_page: &BTreeSet<String>) -> Result<Self, NightFault> {
        let of_players = || {
            let parts = lake::season_parts(snapshot, FamilyPositionRow::TABLE, season)?;
            let families = Sorted::read(&parts, "player", Some(("rank", SHOWN_OF_FAMILY)))?;
            Ok::<_, NightFault>((families, OfPlayers::read(snapshot, season)?))
        };
        let (players, shown) = rayon::join(of_players, || {
            let here = (snapshot, season);
            let references: Vec<TournamentReviewRow> =
                season_rows_where(here, ["reference"], |[reference]| reference == Value::Flag(true))?;
            let of: BTreeMap<&str, &str> = references.iter().map(|row| (&*row.event, &*row.player)).collect();
            let is_reference = |[event, player]: [Value<'_>; 2]| match (event, player) {
                (Value::Text(event), Value::Text(player)) => of.get(event) == Some(&player),
                _ => false,
            };
            let families = season_rows_where(here, ["event", "player"], is_reference)?;
            if with_page.is_empty() {
                return Ok((references, families, (Vec::new(), Vec::new())));
            }
            let has_page = |[id]: [Value<'_>; 1]| matches!(id, Value::Text(id) if with_page.contains(id));
            let figures = season_rows_where(here, ["match_id"], has_page)?;
            let review = season_rows_where(here, ["match_id"], has_page)?;
            Ok::<_, NightFault>((references, families, (figures, review)))
        });
        let (references, families, (figures, review)) = shown?;
        let (family_positions, players) = players?;
        let (standings, places) = (season_rows(snapshot, season)?, season_rows(snapshot, season)?);
        Ok(Self { figures, review, references, families, standings, places, players, family_positions })
    }

    /// The positions of a player's families.
    pub(super) fn family_positions(&self, player: &str) -> Vec<FamilyPositionRow> {
        self.family_positions.of(player)
    }

    /// Everything a player's page shows of them.
    pub(super) fn hash(&self, player: &str, key: &mut Digest) {
        self.family_positions.hash(player, key);
        self.players.hash(player, key);
    }

    /// The other rows that a player's page is made of.
    pub(super) fn of(&self, player: &str) -> OfPlayer {
        self.players.of(player)
    }

    /// The study plan of one event for a player, and what it does not see.
    pub(super) fn of_event(&self, event: &str, player: &str) -> (Vec<TournamentFamilyRow>, Option<StudyTotalsRow>) {
        let families = self.families.iter().filter(|row| row.event == event && row.player == player);
        let totals = self.players.totals.of(player).into_iter().find(|row| row.event.as_deref() == Some(event));
        (families.cloned().collect(), totals)
    }
}
