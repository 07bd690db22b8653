//! Players' figures and the marts of the study system from a snapshot: which rows are brought to which ledger.
//!
//! Buckets come some at a time; what is held is their rows, what the ledgers keep of them, and one small appearance a
//! player and match. Everybody's sums of a bucket are remembered, and of each match what its players' marts are made of: as
//! long as its parts are the same, only the matches of who is asked for are taken up again, and no part is read. Decisions
//! are looked at only where somebody studies, one column of them, and only to find the positions he studied.

use super::before_after::BeforeAfter;
use super::biases::Biases;
use super::breakdowns::{Breakdowns, Histogram};
use super::bucket::{AT_ONCE, Bucket, Held, Sheets};
use super::cells::{Cells, Names};
use super::entry::Entry;
use super::extract::Rows;
use super::head_to_head::HeadToHead;
use super::matches::Matches;
use super::player::{self, match_rows};
use super::remembered::{Remembered, remember};
use super::rolling::Rolling;
use super::scope::Scope;
use super::snapshot::{Snapshot, collect, numbers, present, rows_among, rows_of, scan, texts};
use super::studied::Studied;
use super::tournament::{Known, Leaders, Tournaments};
use super::trend::{Goal, Trend};
use super::worst::Worst;
use super::{MeasureFault, Settings};
use crate::game::key::PositionKey;
use crate::tables::facts::{AnalysisRow, DecisionRow, MatchRow};
use crate::tables::marts::PlayerMatchRow;
use crate::tables::partials::{CellRow, ErrorRow, MomentRow, SequenceRow, WorstRow};
use crate::tables::row::Row;
use crate::tables::study::StudyEventRow;
use crate::tables::study_marts::{
    BeforeAfterRow, BiasRow, BreakdownRow, HeadToHeadRow, HistogramRow, RollingRow, TournamentReviewRow, TrendRow,
    WorstDecisionRow,
};
use polars::prelude::*;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

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

/// The tables that a match has its parts in, as far as sums are made of them.
const TABLES: [&str; 7] = [
    MatchRow::TABLE,
    AnalysisRow::TABLE,
    MomentRow::TABLE,
    CellRow::TABLE,
    SequenceRow::TABLE,
    WorstRow::TABLE,
    ErrorRow::TABLE,
];

/// Finishes every table of [`player::Marts`] and of [`StudyMarts`].
///
/// # Errors
/// A table that cannot be read or does not fit its schema, rows of a match that is not in `matches`.
pub fn marts(snapshot: &Path, asked: &Asked<'_>) -> Result<(player::Marts, StudyMarts), MeasureFault> {
    let sheets = Held::default();
    let (figures, study) = pooled(snapshot, asked, &sheets)?;
    Ok((player::Marts { player_match: sheets.rows(), ..figures }, study))
}

/// The same, but for the rows of matches, which go to `sheets` bucket by bucket.
///
/// # Errors
/// As [`marts`], and what `sheets` cannot write.
pub fn pooled(
    snapshot: &Path,
    asked: &Asked<'_>,
    sheets: &dyn Sheets<PlayerMatchRow>,
) -> Result<(player::Marts, StudyMarts), MeasureFault> {
    let snapshot = Snapshot(snapshot);
    let mut ledgers = Ledgers::new(snapshot, asked)?;
    for some in snapshot.buckets(&TABLES)?.chunks(AT_ONCE) {
        let opened: Vec<_> = some.par_iter().map(|bucket| ledgers.open(bucket, asked, sheets)).collect();
        for opened in opened {
            ledgers.take(opened?)?;
        }
    }
    Ok(ledgers.close(asked))
}

/// What everybody's rows are made of, and what is known of tournaments whoever is reviewed.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Everybody {
    figures: player::Pools,
    biases: Biases,
    breakdowns: Breakdowns,
    histogram: Histogram,
    worst: Worst,
    tournaments: Known,
}

/// A bucket as it was read: everybody's sums of it, and the matches of who is asked for with all that is theirs.
#[derive(Default)]
struct Opened {
    everybody: Everybody,
    matches: Matches,
    rows: Rows,
    errors: Vec<ErrorRow>,
}

impl Opened {
    /// From its parts: all its matches, and no errors yet.
    fn read(bucket: &Bucket) -> Result<Self, MeasureFault> {
        let mut matches = Matches::of(bucket)?;
        let moments = rows_of::<MomentRow>(&bucket.parts::<MomentRow>())?;
        matches.add(&moments)?;
        let cells = Cells::read(&bucket.parts::<CellRow>())?;
        let sequences = rows_of(&bucket.parts::<SequenceRow>())?;
        let worst = rows_of(&bucket.parts::<WorstRow>())?;
        Ok(Self { matches, rows: Rows { cells, sequences, worst }, ..Self::default() })
    }

    /// From what was remembered of it, as far as somebody `wants` its matches, by their players; `None` when it is damaged.
    fn recalled(memory: &[u8], wants: impl Fn(&[&str; 2]) -> bool) -> Option<Self> {
        let mut remembered = Remembered::<(Everybody, Names)>::of(memory)?;
        let (everybody, names) = std::mem::take(&mut remembered.everybody);
        let mut opened = Self { everybody, ..Self::default() };
        opened.rows.cells = Cells::named(names);
        for (_, extract) in remembered.matches(|slot| wants(&slot.players))? {
            let Some(extract) = extract else {
                opened.matches.pass_over();
                continue;
            };
            let (played, engine) = opened.rows.add(extract)?;
            opened.matches.recall(played, engine);
        }
        Some(opened)
    }

    /// To be recalled.
    fn memory(&self) -> Vec<u8> {
        let extracts = self.rows.extracts(&self.matches);
        remember(
            &(&self.everybody, self.rows.cells.names()),
            extracts.map(|(of, extract)| (of.facts.match_id.as_str(), &of.facts.players, extract)),
        )
    }

    /// Its matches, each with its cells. A match nobody decided anything in that counts is a match all the same.
    fn entries(&self) -> Result<Vec<Entry<'_>>, MeasureFault> {
        for match_id in self.rows.cells.matches() {
            self.matches.owner::<CellRow>(match_id)?;
        }
        Ok(self
            .matches
            .all()
            .iter()
            .map(|(match_id, played)| Entry {
                played,
                engine: self.matches.engine(match_id),
                cells: self.rows.cells.of(match_id),
            })
            .collect())
    }

    /// Everybody's sums, of all matches of the bucket.
    fn pool(&mut self, settings: Settings) -> Result<(), MeasureFault> {
        self.matches.facts().for_each(|facts| (facts.asked, facts.pooled) = ([false; 2], true));
        let mut pools = Pools::new(settings);
        self.entries()?.iter().for_each(|entry| pools.enter(entry));
        for row in &self.rows.worst {
            pools.worst.enter(&self.matches.owner::<WorstRow>(&row.match_id)?.facts, row);
        }
        self.everybody = pools.everybody();
        Ok(())
    }
}

/// The errors of a bucket that belong to these matches.
fn errors_of(bucket: &Bucket, matches: &Matches) -> Result<Vec<ErrorRow>, MeasureFault> {
    let parts = bucket.parts::<ErrorRow>();
    match matches.ids() {
        None => rows_of(&parts),
        Some(none) if none.is_empty() => Ok(Vec::new()),
        Some(ids) => rows_among(&parts, &ids),
    }
}

/// The ledgers that have rows of everybody, too.
struct Pools {
    figures: player::Ledger,
    biases: Biases,
    breakdowns: Breakdowns,
    histogram: Histogram,
    worst: Worst,
    tournaments: Tournaments,
}

impl Pools {
    fn new(settings: Settings) -> Self {
        Self {
            figures: player::Ledger::new(settings),
            biases: Biases::new(settings),
            breakdowns: Breakdowns::new(settings),
            histogram: Histogram::default(),
            worst: Worst::default(),
            tournaments: Tournaments::new(settings),
        }
    }

    fn enter(&mut self, entry: &Entry<'_>) {
        self.figures.pool(entry.played);
        self.biases.enter(entry);
        self.breakdowns.enter(entry);
        self.histogram.enter(entry);
        self.tournaments.enter(entry);
    }

    /// Where nobody was asked for.
    fn everybody(self) -> Everybody {
        Everybody {
            figures: self.figures.pools(),
            biases: self.biases,
            breakdowns: self.breakdowns,
            histogram: self.histogram,
            worst: self.worst,
            tournaments: self.tournaments.known(),
        }
    }

    fn join(&mut self, everybody: Everybody) {
        self.figures.join(everybody.figures);
        self.biases.join(everybody.biases);
        self.breakdowns.join(everybody.breakdowns);
        self.histogram.join(everybody.histogram);
        self.worst.join(everybody.worst);
        self.tournaments.join(everybody.tournaments);
    }
}

/// All ledgers.
struct Ledgers {
    pools: Pools,
    rolling: Rolling,
    trend: Trend,
    head_to_head: HeadToHead,
    before_after: BeforeAfter,
}

impl Ledgers {
    fn new(snapshot: Snapshot<'_>, asked: &Asked<'_>) -> Result<Self, MeasureFault> {
        let studied = Studied::of(asked.events, asked.settings.study);
        let first_days = if studied.is_empty() { BTreeMap::new() } else { first_days(snapshot, &studied)? };
        Ok(Self {
            pools: Pools::new(asked.settings),
            rolling: Rolling::default(),
            trend: Trend::default(),
            head_to_head: HeadToHead::new(asked.settings),
            before_after: BeforeAfter::new(first_days, asked.settings),
        })
    }

    /// Opens a bucket: as it is remembered, or all of it is read and its matches' rows are made.
    fn open(
        &self,
        bucket: &Bucket,
        asked: &Asked<'_>,
        sheets: &dyn Sheets<PlayerMatchRow>,
    ) -> Result<Opened, MeasureFault> {
        let theirs = |players: &[&str; 2]| {
            let is_student = players.iter().any(|name| self.before_after.follows(name));
            is_student || asked.scope.holds_any(players.iter().copied())
        };
        let memory = sheets.recall(bucket)?;
        let mut opened = match memory.and_then(|memory| Opened::recalled(&memory, theirs)) {
            Some(opened) => opened,
            None => {
                let mut opened = Opened::read(bucket)?;
                opened.pool(asked.settings)?;
                let rows = opened.matches.all().values().flat_map(|played| match_rows(played, &asked.settings));
                sheets.accept(bucket, rows.collect(), &opened.memory())?;
                opened
            }
        };
        for facts in opened.matches.facts() {
            facts.pooled = false;
            facts.asked = [0, 1].map(|seat| asked.scope.holds(&facts.players[seat]));
        }
        if !self.before_after.is_idle() {
            opened.errors = errors_of(bucket, &opened.matches)?;
        }
        Ok(opened)
    }

    fn take(&mut self, mut opened: Opened) -> Result<(), MeasureFault> {
        self.pools.join(std::mem::take(&mut opened.everybody));
        for entry in opened.entries()? {
            self.pools.enter(&entry);
            self.head_to_head.enter(entry.played);
            self.trend.enter(entry.played);
            self.before_after.enter(&entry);
        }
        for sequence in &opened.rows.sequences {
            self.rolling.enter(&opened.matches.owner::<SequenceRow>(&sequence.match_id)?.facts, sequence);
        }
        for row in &opened.rows.worst {
            self.pools.worst.enter(&opened.matches.owner::<WorstRow>(&row.match_id)?.facts, row);
        }
        for error in &opened.errors {
            self.before_after.enter_error(&opened.matches.owner::<ErrorRow>(&error.match_id)?.facts, error);
        }
        Ok(())
    }

    fn close(self, asked: &Asked<'_>) -> (player::Marts, StudyMarts) {
        let Pools { figures, biases, breakdowns, histogram, worst, tournaments } = self.pools;
        let study = StudyMarts {
            leaders: tournaments.leaders(asked.main_player),
            biases: biases.close(),
            breakdowns: breakdowns.close(),
            histogram: histogram.close(),
            rolling: self.rolling.close(),
            trend: self.trend.close((asked.main_player, asked.goal)),
            worst_decisions: worst.close(),
            head_to_head: self.head_to_head.close(),
            tournament_review: tournaments.close(asked.main_player),
            before_after: self.before_after.close(),
        };
        (figures.close(), study)
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
