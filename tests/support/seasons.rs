//! Matches as the measures of the study system get them: those of the corpus, read and rated, and made ones whose
//! decisions have just the columns a measure looks at.

use super::shared;
use portes::game::Length;
use portes::ingest::facts::facts;
use portes::ingest::identity::identity;
use portes::ingest::outcome::outcome;
use portes::ingest::record::Record;
use portes::ingest::{mat, sgf, xg};
use portes::measure::cells::Cells;
use portes::measure::entry::Entry;
use portes::measure::played::{Facts, Played};
use portes::rate::cells::cells;
use portes::rate::moments::moments;
use portes::rate::sequences::sequences;
use portes::rate::worst::worst;
use portes::rate::{Rules, rate};
use portes::tables::facts::{CandidateRow, DecisionRow, GameRow, MatchRow};
use portes::tables::partials::{CellRow, ErrorRow, MomentRow, SequenceRow, WorstRow};
use portes::tables::row::Day;
use std::path::Path;
use std::sync::OnceLock;

/// A match: its row, its rated decisions, and the partials made of them.
#[derive(Clone)]
pub(crate) struct Told {
    pub(crate) row: MatchRow,
    pub(crate) engine: String,
    pub(crate) decisions: Vec<DecisionRow>,
    #[cfg_attr(not(feature = "measures"), expect(dead_code, reason = "only a snapshot is made of them"))]
    pub(crate) moments: Vec<MomentRow>,
    pub(crate) cells: Vec<CellRow>,
    by_cell: Cells,
    pub(crate) sequences: Vec<SequenceRow>,
    pub(crate) errors: Vec<ErrorRow>,
    pub(crate) worst: Vec<WorstRow>,
    pub(crate) played: Played,
}

impl Told {
    pub(crate) fn new(row: MatchRow, decisions: Vec<DecisionRow>, engine: &str) -> Self {
        let rules = Rules::default();
        let moments = moments(&decisions, &rules);
        let mut played = Played::new(Facts::of(&row).unwrap());
        for row in &moments {
            played.add(row).unwrap();
        }
        let cells = cells(&decisions, &rules);
        Self {
            engine: engine.to_owned(),
            by_cell: Cells::of_rows(&cells),
            cells,
            sequences: sequences(&decisions),
            worst: worst(&decisions),
            errors: decisions.iter().filter(|row| row.counted && row.e_mpt >= Some(50)).map(error).collect(),
            moments,
            played,
            row,
            decisions,
        }
    }

    pub(crate) fn entry(&self) -> Entry<'_> {
        Entry { played: &self.played, engine: &self.engine, cells: self.by_cell.of(&self.row.match_id) }
    }

    /// The same match in another season, so that seasons can be pooled.
    pub(crate) fn in_season(&self, season: &str) -> Self {
        let mut told = self.clone();
        told.row.season = season.to_owned();
        told.played.facts.season = season.to_owned();
        told
    }

    /// The seats of a player; both of them for nobody in particular.
    pub(crate) fn seats(&self, player: Option<&str>) -> Vec<i64> {
        let names = [&self.row.player_1, &self.row.player_2];
        (1..).zip(names).filter(|(_, name)| player.is_none_or(|player| player == *name)).map(|(seat, _)| seat).collect()
    }
}

/// An error as the table of errors has it; what only reference positions ask is left empty.
fn error(row: &DecisionRow) -> ErrorRow {
    ErrorRow {
        season: row.season.clone(),
        match_id: row.match_id.clone(),
        decision_id: row.decision_id.clone(),
        game: row.game,
        order: row.order,
        seat: row.seat,
        kind: row.kind.clone(),
        nature: if row.kind == "checker" { "checker" } else { "cube" }.to_owned(),
        plan: row.plan.clone(),
        theme: row.theme.clone(),
        phase: row.phase.clone(),
        mpt: row.e_mpt.unwrap(),
        loss: row.loss,
        difficulty: row.difficulty,
        avoidable: row.avoidable,
        position_key: row.position_key.clone(),
        own_away: row.own_away,
        opp_away: row.opp_away,
        ..ErrorRow::default()
    }
}

/// The names that stand for two spellings of the corpus.
fn canonical(name: &str) -> &str {
    match name {
        "Emberline" => "Émberline",
        "hollow beck" => "Hollow Beck",
        name => name,
    }
}

/// Both seasons of the corpus, in the order of its ledger, read once; empty, loudly, where it is absent.
pub(crate) fn corpus() -> &'static [Told] {
    static CORPUS: OnceLock<Vec<Told>> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let Some(root) = shared("corpus/gnubg") else { return Vec::new() };
        let ledger = std::fs::read_to_string(root.join("ledger.tsv")).unwrap();
        ledger.lines().skip(1).map(|line| from_ledger(&root, line)).collect()
    })
}

fn from_ledger(root: &Path, line: &str) -> Told {
    let engine = if line.split('\t').nth(17) == Some("none") { "none" } else { "gnubg" };
    let Stored { row, decisions, .. } = Stored::read(root, line);
    Told::new(row, decisions, engine)
}

/// The rows the tables hold of a match.
#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) row: MatchRow,
    pub(crate) games: Vec<GameRow>,
    pub(crate) decisions: Vec<DecisionRow>,
    pub(crate) candidates: Vec<CandidateRow>,
}

impl Stored {
    /// The match of a line of the corpus's ledger.
    pub(crate) fn read(root: &Path, line: &str) -> Self {
        let columns: Vec<&str> = line.split('\t').collect();
        Self::of_file(&root.join(columns[1]), columns[2])
    }

    /// The match of a file, of whatever format its name says.
    pub(crate) fn of_file(path: &Path, season: &str) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let record = match path.extension().and_then(|extension| extension.to_str()) {
            Some("xg") => xg::read(&bytes),
            Some("mat") => mat::read(&bytes),
            _ => sgf::read(&bytes),
        };
        Self::of_record(&record.unwrap(), blake3::hash(&bytes).as_bytes(), season)
    }

    /// The match of a record whose file has this content.
    pub(crate) fn of_record(record: &Record, content: &[u8; 32], season: &str) -> Self {
        let match_id = identity(record, content).match_id;
        let mut rows = facts(record, &match_id, season);
        rate(&mut rows.decisions, &rows.candidates, &Rules::default());
        let row = match_row(record, &match_id, season);
        Self { row, games: rows.games, decisions: rows.decisions, candidates: rows.candidates }
    }
}

fn match_row(record: &Record, match_id: &str, season: &str) -> MatchRow {
    let ended = outcome(record);
    let name = |seat: usize| record.players[seat].name.clone();
    MatchRow {
        season: season.to_owned(),
        match_id: match_id.to_owned(),
        event: record.event.clone(),
        round: record.round.clone(),
        date: record.date.map(|date| Day((date - jiff::civil::date(1970, 1, 1)).get_days())),
        name_1: name(0),
        name_2: name(1),
        player_1: canonical(&name(0)).to_owned(),
        player_2: canonical(&name(1)).to_owned(),
        play: record.length.token().to_owned(),
        length: (record.length != Length::Money).then(|| i64::from(record.length.points())),
        winner: ended.result.winner().map(|seat| if seat.index() == 0 { 1 } else { 2 }),
        finished: ended.finished,
        games: i64::try_from(record.games.len()).unwrap(),
        variant: record.rules.variant.token().to_owned(),
        ..MatchRow::default()
    }
}

/// A match to 7 between A (seat 1) and B (seat 2).
pub(crate) fn match_of(season: &str, match_id: &str) -> MatchRow {
    MatchRow {
        season: season.to_owned(),
        match_id: match_id.to_owned(),
        player_1: "A".to_owned(),
        player_2: "B".to_owned(),
        play: "points".to_owned(),
        length: Some(7),
        games: 1,
        ..MatchRow::default()
    }
}

/// A counted checker play of seat 1 in game 1 that cost this much; change what matters.
pub(crate) fn decision(of: &MatchRow, order: i64, mpt: i64) -> DecisionRow {
    DecisionRow {
        season: of.season.clone(),
        decision_id: format!("{}-{order:04}", of.match_id),
        match_id: of.match_id.clone(),
        game: 1,
        order,
        seat: 1,
        kind: "checker".to_owned(),
        own_away: 7,
        opp_away: 7,
        regime: "normal".to_owned(),
        play_kind: "points".to_owned(),
        e_mpt: Some(mpt),
        counted: true,
        loss: Some(mpt * 60_000),
        difficulty: Some(0),
        phase: "middlegame".to_owned(),
        plan: "holding".to_owned(),
        contact: true,
        ..DecisionRow::default()
    }
}

/// A day by its date.
pub(crate) fn day(text: &str) -> Day {
    let date: jiff::civil::Date = text.parse().unwrap();
    Day((date - jiff::civil::date(1970, 1, 1)).get_days())
}
