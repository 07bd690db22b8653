//! Pages: typed rows in, self-contained HTML out.
//!
//! This room formats and lays out. It sums nothing that a mart holds, reads no file but a user's templates, knows no
//! clock and writes nothing: the caller gets [`Page`]s. A page is a view (a struct whose every number is already text)
//! put through a template that does no arithmetic. What came from strangers' files is neutralised in `names` and escaped
//! by the templates; drawings are made in `boards` and `charts`. Same rows, same bytes.

mod academy;
mod boards;
mod card;
mod charts;
mod events;
mod format;
mod markup;
mod names;
mod news;
mod order;
mod parts;
mod player;
mod position;
mod quality;
mod season;
mod sheet;
mod templates;
mod tournament;
mod words;

pub use academy::{
    ACADEMY, AcademyInput, Advice, AdviceOfSeason, Contest, CountedBy, Filing, FilingsOfSeason, OpeningPlay,
    PlayerAcademy, RatedBy, Reached, StartsAt, Taken, Terms, WorthOf, academy_page, shown_of_academy,
};
pub use names::{is_page_of_match, page_name_match, page_name_player, page_name_tournament, shown_name};
pub use news::News;
pub use player::player_page;
#[cfg(feature = "measures")]
pub(crate) use position::xgid;
pub use quality::quality_pages;
pub use season::season_pages;
pub use sheet::match_page;
pub use templates::Templates;
pub use tournament::tournament_page;

use crate::tables::facts::{AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, SourceRow};
use crate::tables::marts::{PlayerMatchRow, PlayerSeasonRow, SeatRow};
use crate::tables::row::Day;
use crate::tables::study_marts::{
    BeforeAfterRow, BiasRow, BreakdownRow, FamilyPositionRow, HeadToHeadRow, HistogramRow, MatchReviewRow,
    PlacesPointsRow, RecurringErrorRow, ReferencePositionRow, RollingRow, StandingRow, StudyPlanRow, StudyTotalsRow,
    TournamentFamilyRow, TournamentReviewRow, TrendRow, WorstDecisionRow,
};
use std::collections::BTreeSet;
use thiserror::Error;

/// The season's first page.
pub const INDEX: &str = "index.html";
/// The page of files and what became of them.
pub const QUALITY: &str = "quality.html";

/// A finished page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// File name inside the season's report folder, without a folder.
    pub path: String,
    /// The whole file.
    pub html: String,
}

/// Why a page could not be made. Rows never fail a page; templates can.
#[derive(Debug, Error)]
pub enum ReportFault {
    /// A template does not parse, or names what the view does not have.
    #[error("template {name}: {detail}")]
    Template {
        /// File name of the template.
        name: String,
        /// What is wrong, with its line.
        detail: String,
    },
    /// A template of the user's folder cannot be read.
    #[error("template {name}: {source}")]
    Unreadable {
        /// File name of the template.
        name: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A template of the user's folder is larger than any template.
    #[error("template {0}: larger than 1 MiB")]
    TooLarge(String),
}

impl ReportFault {
    fn template(name: &str, fault: &minijinja::Error) -> Self {
        Self::Template { name: name.to_owned(), detail: format!("{fault:#}") }
    }
}

/// What a page's footer says of its own inputs: no counter of the lake, no time, no path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colophon {
    /// Version of this program.
    pub product_version: String,
    /// Match equity table of the measures.
    pub met: String,
    /// Source files behind the page.
    pub sources: i64,
    /// First twelve digits of the digest of its inputs.
    pub digest12: String,
    /// Latest match date among them.
    pub data_to: Option<Day>,
    /// Engines and their depths, one entry an engine: `gnubg 2-ply, rollout`.
    pub engines_depths: Vec<String>,
    /// Thresholds the errors and blunders were counted with.
    pub thresholds: Thresholds,
    /// The interval's quantile in words: `95 %, z = 1.96`.
    pub interval: String,
}

/// From which error a decision is an error and a blunder, in mpt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// At least this: an error.
    pub error: i64,
    /// At least this: a blunder.
    pub blunder: i64,
}

/// Which matches have a page to link to.
#[derive(Clone, Copy, Debug)]
pub enum MatchPages<'a> {
    /// All.
    All,
    /// Those whose match_id is in the set.
    Only(&'a BTreeSet<String>),
}

impl MatchPages<'_> {
    fn link(self, row: &MatchRow) -> Option<String> {
        let has = match self {
            Self::All => true,
            Self::Only(ids) => ids.contains(&row.match_id),
        };
        has.then(|| page_name_match(&row.match_id, [&row.player_1, &row.player_2]))
    }
}

/// What a season's index is made of. Rows in any order.
#[derive(Clone, Copy, Debug)]
pub struct SeasonInput<'a> {
    /// Name of the season.
    pub season: &'a str,
    /// The season's rows, the one without a player (both seats) among them.
    pub players: &'a [PlayerSeasonRow],
    /// The season's matches.
    pub matches: &'a [MatchRow],
    /// Both seats of every match.
    pub figures: &'a [SeatRow],
    /// Every file of the season.
    pub sources: &'a [SourceRow],
    /// The season's tournaments; every one that has a row with its reference player here has a page.
    pub tournaments: &'a [TournamentReviewRow],
    /// The season's standings; shown where there are place points or ratings.
    pub standings: &'a [StandingRow],
    /// Place points of the season's events.
    pub places: &'a [PlacesPointsRow],
    /// What is new since the last night.
    pub news: &'a News,
    /// The Academy has a page of this season.
    pub academy: bool,
    /// Footer.
    pub colophon: &'a Colophon,
    /// Which matches have a page.
    pub pages: MatchPages<'a>,
}

/// What a tournament's page is made of: rows of this event only, in any order.
#[derive(Clone, Copy, Debug)]
pub struct TournamentInput<'a> {
    /// Name of the season.
    pub season: &'a str,
    /// The event, as stored.
    pub event: &'a str,
    /// The review of every player, the reference player's rows marked.
    pub reviews: &'a [TournamentReviewRow],
    /// The tournament's matches.
    pub matches: &'a [&'a MatchRow],
    /// Both seats of every match.
    pub figures: &'a [&'a SeatRow],
    /// The study plan of the reference player over this tournament alone.
    pub families: &'a [TournamentFamilyRow],
    /// What that plan is made of; `None` without an error there.
    pub totals: Option<&'a StudyTotalsRow>,
    /// Final places, where they are known.
    pub places: &'a [PlacesPointsRow],
    /// Footer.
    pub colophon: &'a Colophon,
    /// Which matches have a page.
    pub pages: MatchPages<'a>,
}

/// What a player's page is made of. Rows in any order.
#[derive(Clone, Copy, Debug)]
pub struct PlayerInput<'a> {
    /// The player's season; its `player` is set.
    pub season: &'a PlayerSeasonRow,
    /// The player's rows of the season's matches.
    pub figures: &'a [&'a SeatRow],
    /// These matches.
    pub matches: &'a [&'a MatchRow],
    /// What the study system found out about the player.
    pub study: PlayerStudy<'a>,
    /// What is new since the last night.
    pub news: &'a News,
    /// What the Academy knows of the player.
    pub academy: PlayerAcademy<'a>,
    /// Footer.
    pub colophon: &'a Colophon,
    /// Which matches have a page.
    pub pages: MatchPages<'a>,
}

/// What the study system found out about one player: his rows only, of this season or reaching over seasons, in any
/// order. What is empty is told as such on the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayerStudy<'a> {
    /// Families, established and to confirm.
    pub plan: &'a [StudyPlanRow],
    /// What the plan is made of, of the season and of its events.
    pub totals: &'a [StudyTotalsRow],
    /// The positions of the families.
    pub family_positions: &'a [FamilyPositionRow],
    /// Errors by family, with money and without themes.
    pub recurring: &'a [RecurringErrorRow],
    /// Reference positions.
    pub positions: &'a [ReferencePositionRow],
    /// The decisions of [`PlayerStudy::decisions_shown`]; a position without its own is shown by its XGID.
    pub decisions: &'a [DecisionRow],
    /// The candidates of those that are drawn.
    pub candidates: &'a [CandidateRow],
    /// Signed biases, doubles by score among them.
    pub biases: &'a [BiasRow],
    /// Families before and after they were studied.
    pub before_after: &'a [BeforeAfterRow],
    /// PR by phase, plan, score ...
    pub breakdowns: &'a [BreakdownRow],
    /// PR over the last decisions.
    pub rolling: &'a [RollingRow],
    /// The line through the player's matches.
    pub trend: &'a [TrendRow],
    /// Errors by size.
    pub histogram: &'a [HistogramRow],
    /// The ten worst decisions.
    pub worst: &'a [WorstDecisionRow],
    /// The player against each opponent.
    pub head_to_head: &'a [HeadToHeadRow],
}

/// What a match's page is made of. Rows in any order, of this match only.
#[derive(Clone, Copy, Debug)]
pub struct MatchInput<'a> {
    /// The match.
    pub played: &'a MatchRow,
    /// Its games.
    pub games: &'a [GameRow],
    /// Both seats' figures.
    pub figures: &'a [PlayerMatchRow],
    /// Decisions of the primary analysis.
    pub decisions: &'a [DecisionRow],
    /// Their candidates.
    pub candidates: &'a [CandidateRow],
    /// Who analysed it.
    pub analyses: &'a [AnalysisRow],
    /// Comments of the primary file.
    pub comments: &'a [CommentRow],
    /// The decisions to review, of both seats.
    pub review: &'a [MatchReviewRow],
    /// The main player, shown first and as the full line where he plays.
    pub main_player: Option<&'a str>,
    /// Footer.
    pub colophon: &'a Colophon,
}

/// What the page of files is made of. Rows in any order.
#[derive(Clone, Copy, Debug)]
pub struct QualityInput<'a> {
    /// Name of the season.
    pub season: &'a str,
    /// Every file of the season.
    pub sources: &'a [SourceRow],
    /// Footer.
    pub colophon: &'a Colophon,
}
