//! Rows of any declared table, made through its declaration alone, and a small season that keeps the contract.

use portes::rate::Rules;
use portes::rate::cells::cells;
use portes::tables::facts::{AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow};
use portes::tables::lake::table_dir;
use portes::tables::part::PartWriter;
use portes::tables::partials::{CellRow, MomentRow};
use portes::tables::row::{self, Column, Kind, Row, Value};
use std::path::Path;

/// Text nobody wishes for: quotes, markup, line ends, NUL, right-to-left, astral, empty.
pub(super) const ODD: [&str; 8] =
    ["", "O'Neil \"x\"", "<script>", "a\r\nb\tc", "nul\0inside", "\u{202e}dlrow", "🎲漢字é", "\\xFF|;,"];

/// Whole numbers at the ends.
const ENDS: [i64; 6] = [i64::MIN, -1, 0, 1, i64::MAX, 1_000_000_000_000];

/// Floats at the ends; NaN and infinity are refused.
const FLOATS: [f64; 5] = [f64::MIN, -0.0, f64::MIN_POSITIVE, 0.1, f64::MAX];

/// Row `n` of any table: keys rise with `n`, nullable columns are null in turn, the rest runs through the extremes.
pub(super) fn row<R: Row>(n: usize) -> R {
    let texts: Vec<String> = R::COLUMNS.iter().enumerate().map(|(at, column)| text(n, at, column, R::KEY)).collect();
    R::read(&mut |at| value(n, at, (&R::COLUMNS[at], R::KEY), &texts[at])).expect("cells of the declared kinds")
}

fn text(n: usize, at: usize, column: &Column, key: &[&str]) -> String {
    if key.contains(&column.name) { format!("{n:012}") } else { ODD[(n + at) % ODD.len()].to_owned() }
}

fn value<'a>(n: usize, at: usize, (column, key): (&Column, &[&str]), text: &'a str) -> Value<'a> {
    let in_key = key.contains(&column.name);
    if column.nullable && !in_key && (n + at).is_multiple_of(3) {
        return Value::Null;
    }
    match column.kind {
        Kind::Text => Value::Text(text),
        Kind::Int if in_key => Value::Int(i64::try_from(n).unwrap()),
        Kind::Int => Value::Int(ENDS[(n + at) % ENDS.len()]),
        Kind::Float => Value::Float(FLOATS[(n + at) % FLOATS.len()]),
        Kind::Day => Value::Day([i32::MIN, -1, 0, 20_000, i32::MAX][(n + at) % 5]),
        Kind::Flag => Value::Flag((n + at).is_multiple_of(2)),
    }
}

/// A row of any table with every cell at its quietest: null, zero, empty, false.
pub(super) fn quiet<R: Row>() -> R {
    R::read(&mut |at| match (R::COLUMNS[at].nullable, R::COLUMNS[at].kind) {
        (true, _) => Value::Null,
        (false, Kind::Text) => Value::Text(""),
        (false, Kind::Int) => Value::Int(0),
        (false, Kind::Float) => Value::Float(0.0),
        (false, Kind::Day) => Value::Day(0),
        (false, Kind::Flag) => Value::Flag(false),
    })
    .expect("cells of the declared kinds")
}

/// Match `n` of a season, all its rows.
#[derive(Clone)]
pub(super) struct Played {
    pub(super) id: String,
    pub(super) matches: Vec<MatchRow>,
    pub(super) analyses: Vec<AnalysisRow>,
    pub(super) games: Vec<GameRow>,
    pub(super) decisions: Vec<DecisionRow>,
    pub(super) candidates: Vec<CandidateRow>,
    pub(super) comments: Vec<CommentRow>,
    pub(super) moments: Vec<MomentRow>,
    /// What is done to the cells, which are made of the decisions as they are written.
    pub(super) spoil: fn(&mut Vec<CellRow>),
}

/// One game of six decisions, a checker play and a cube action of each kind; its moments are counted by hand here.
pub(super) fn played(season: &str, n: u64) -> Played {
    let id = format!("{:016x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let (season, date) = (season.to_owned(), Some(row::Day(19_000)));
    let matches = MatchRow {
        season: season.clone(),
        match_id: id.clone(),
        date,
        event: Some("Lantern Open".to_owned()),
        player_1: "Ada".to_owned(),
        player_2: "Grace".to_owned(),
        play: "points".to_owned(),
        length: Some(7),
        games: 1,
        crawford: true,
        ..quiet()
    };
    let analyses = AnalysisRow {
        season: season.clone(),
        match_id: id.clone(),
        source_id: "s".to_owned(),
        primary: true,
        ..quiet()
    };
    let games = GameRow { season: season.clone(), match_id: id.clone(), game: 1, ..quiet() };
    let decisions: Vec<_> = (0..6).map(|order| decision(&season, &id, order)).collect();
    let candidate = |d: &DecisionRow, rank| CandidateRow {
        season: season.clone(),
        decision_id: d.decision_id.clone(),
        rank,
        play: "8/5 6/5".to_owned(),
        equity: Some(15_000_000 - 1_000_000 * rank),
        cost: Some(1_000_000 * rank),
        depth: "3-ply".to_owned(),
        ..quiet()
    };
    let checkers = decisions.iter().filter(|d| d.kind == "checker");
    let candidates = checkers.flat_map(|d| (0..2).map(move |rank| candidate(d, rank))).collect();
    let comment = CommentRow { season: season.clone(), match_id: id.clone(), text: ODD[5].to_owned(), ..quiet() };
    let moment = |kind: &str, n: i64| MomentRow {
        season: season.clone(),
        match_id: id.clone(),
        game: 1,
        seat: 1,
        kind: kind.to_owned(),
        n,
        rated: n,
        counted: n,
        mpt: 20 * n,
        rated_mpt: 20 * n,
        e_raw: 2_000_000 * n,
        priced: n,
        loss: 1_000_000 * n,
        rolls: if kind == "checker" { n } else { 0 },
        ..quiet()
    };
    let moments = vec![moment("checker", 3), moment("double", 1), moment("no_double", 1), moment("take", 1)];
    let (matches, analyses, games, comments) = (vec![matches], vec![analyses], vec![games], vec![comment]);
    Played { id, matches, analyses, games, decisions, candidates, comments, moments, spoil: |_| {} }
}

/// Three checker plays, then a cube action of each kind.
fn decision(season: &str, id: &str, order: i64) -> DecisionRow {
    let (kind, letter, dice) = match order {
        0..3 => ("checker", 'm', "31"),
        3 => ("no_double", 'd', "00"),
        4 => ("double", 'd', "00"),
        _ => ("take", 'r', "00"),
    };
    DecisionRow {
        season: season.to_owned(),
        decision_id: format!("{id}-{order:04}"),
        match_id: id.to_owned(),
        game: 1,
        order,
        seat: 1,
        kind: kind.to_owned(),
        own_away: 4,
        opp_away: 1,
        regime: "crawford".to_owned(),
        play_kind: "points".to_owned(),
        cube: 1,
        cube_owner: "c".to_owned(),
        may_double: kind == "no_double",
        position_key: format!("bg1|-b----E-C---eE---c-e----B-|0|c|c|4|1|{letter}|{dice}"),
        e_raw: Some(2_000_000),
        e_mpt: Some(20),
        counted: true,
        loss: Some(1_000_000),
        phase: "opening".to_owned(),
        plan: "none".to_owned(),
        ..quiet()
    }
}

/// Writes rows of one bucket, sorted.
pub(super) fn write<R: Row>(snapshot: &Path, (season, bucket): (&str, &str), mut rows: Vec<R>) {
    row::sort(&mut rows);
    let mut writer = PartWriter::<R>::create(&table_dir(snapshot, R::TABLE, season), bucket).unwrap();
    writer.push(&rows).unwrap();
    writer.finish().unwrap();
}

/// Writes the fact and partial tables of one bucket.
pub(super) fn write_bucket(snapshot: &Path, place: (&str, &str), played: &[Played]) {
    write(snapshot, place, played.iter().flat_map(|p| p.matches.clone()).collect());
    write(snapshot, place, played.iter().flat_map(|p| p.analyses.clone()).collect());
    write(snapshot, place, played.iter().flat_map(|p| p.games.clone()).collect());
    write(snapshot, place, played.iter().flat_map(|p| p.decisions.clone()).collect());
    write(snapshot, place, played.iter().flat_map(|p| p.candidates.clone()).collect());
    write(snapshot, place, played.iter().flat_map(|p| p.comments.clone()).collect());
    write(snapshot, place, played.iter().flat_map(|p| p.moments.clone()).collect());
    let cells = |p: &Played| {
        let mut cells = cells(&p.decisions, &Rules::default());
        (p.spoil)(&mut cells);
        cells
    };
    write(snapshot, place, played.iter().flat_map(cells).collect());
}
