//! Every declared table, listed once.
//!
//! What walks all tables (the checks, the data dictionary, the SQL views) walks this list; a table that is not in it
//! is not in the lake, and a test compares the list with the declarations.

use super::academy::{
    AcademyAdviceRow, AcademyContestRow, AcademyFilingRow, AcademyMeasureRow, AcademyPatternRow, AcademyPlayerRow,
    AcademyRatingRow, AcademyTreeRow, AcademyVoteRow,
};
use super::facts::{
    AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, OtherCandidateRow, OtherDecisionRow,
    SourceRow,
};
use super::marts::{PlayerCareerRow, PlayerMatchRow, PlayerSeasonRow};
use super::partials::{CellRow, ErrorRow, MomentRow, RulingRow, SequenceRow, WorstRow};
use super::row::{Column, Row};
use super::study::{StudyEventRow, TreatedPositionRow};
use super::study_marts::{
    BeforeAfterRow, BiasRow, BreakdownRow, FamilyPositionRow, HeadToHeadRow, HistogramRow, MatchReviewRow,
    PlacesPointsRow, RecurringErrorRow, ReferencePositionRow, RollingRow, StandingRow, StudyPlanRow, StudyTotalsRow,
    TournamentFamilyRow, TournamentReviewRow, TrendRow, WorstDecisionRow,
};

/// What a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shelf {
    /// One row per thing that happened, whole units.
    Fact,
    /// Sums over one match, whole units.
    Partial,
    /// Finished figures, natural units.
    Mart,
    /// The Academy's libraries and what it did: whole units where they are summed again, else natural ones.
    Academy,
}

/// A declared table without its row type.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The folder below a snapshot.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// What it is for.
    pub shelf: Shelf,
    /// In stored order.
    pub columns: &'static [Column],
    /// What identifies a row, in sort order.
    pub key: &'static [&'static str],
}

impl Shelf {
    /// Facts and partials lie in the buckets of matches; everything else is a file by itself.
    #[must_use]
    pub const fn is_bucketed(self) -> bool {
        matches!(self, Self::Fact | Self::Partial)
    }
}

impl Table {
    const fn of<R: Row>(shelf: Shelf) -> Self {
        Self { name: R::TABLE, about: R::ABOUT, shelf, columns: R::COLUMNS, key: R::KEY }
    }

    /// A column by its name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&'static Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// Every table, in the order the data walks.
pub const ALL: &[Table] = &[
    Table::of::<SourceRow>(Shelf::Fact),
    Table::of::<MatchRow>(Shelf::Fact),
    Table::of::<AnalysisRow>(Shelf::Fact),
    Table::of::<GameRow>(Shelf::Fact),
    Table::of::<DecisionRow>(Shelf::Fact),
    Table::of::<OtherDecisionRow>(Shelf::Fact),
    Table::of::<CandidateRow>(Shelf::Fact),
    Table::of::<OtherCandidateRow>(Shelf::Fact),
    Table::of::<CommentRow>(Shelf::Fact),
    Table::of::<StudyEventRow>(Shelf::Fact),
    Table::of::<TreatedPositionRow>(Shelf::Fact),
    Table::of::<MomentRow>(Shelf::Partial),
    Table::of::<CellRow>(Shelf::Partial),
    Table::of::<SequenceRow>(Shelf::Partial),
    Table::of::<WorstRow>(Shelf::Partial),
    Table::of::<ErrorRow>(Shelf::Partial),
    Table::of::<RulingRow>(Shelf::Partial),
    Table::of::<PlayerMatchRow>(Shelf::Mart),
    Table::of::<PlayerSeasonRow>(Shelf::Mart),
    Table::of::<PlayerCareerRow>(Shelf::Mart),
    Table::of::<BiasRow>(Shelf::Mart),
    Table::of::<BreakdownRow>(Shelf::Mart),
    Table::of::<HistogramRow>(Shelf::Mart),
    Table::of::<RollingRow>(Shelf::Mart),
    Table::of::<TrendRow>(Shelf::Mart),
    Table::of::<WorstDecisionRow>(Shelf::Mart),
    Table::of::<HeadToHeadRow>(Shelf::Mart),
    Table::of::<TournamentReviewRow>(Shelf::Mart),
    Table::of::<BeforeAfterRow>(Shelf::Mart),
    Table::of::<StandingRow>(Shelf::Mart),
    Table::of::<PlacesPointsRow>(Shelf::Mart),
    Table::of::<MatchReviewRow>(Shelf::Mart),
    Table::of::<StudyPlanRow>(Shelf::Mart),
    Table::of::<StudyTotalsRow>(Shelf::Mart),
    Table::of::<FamilyPositionRow>(Shelf::Mart),
    Table::of::<TournamentFamilyRow>(Shelf::Mart),
    Table::of::<RecurringErrorRow>(Shelf::Mart),
    Table::of::<ReferencePositionRow>(Shelf::Mart),
    Table::of::<AcademyContestRow>(Shelf::Academy),
    Table::of::<AcademyRatingRow>(Shelf::Academy),
    Table::of::<AcademyTreeRow>(Shelf::Academy),
    Table::of::<AcademyPatternRow>(Shelf::Academy),
    Table::of::<AcademyVoteRow>(Shelf::Academy),
    Table::of::<AcademyFilingRow>(Shelf::Academy),
    Table::of::<AcademyAdviceRow>(Shelf::Academy),
    Table::of::<AcademyMeasureRow>(Shelf::Academy),
    Table::of::<AcademyPlayerRow>(Shelf::Academy),
];
