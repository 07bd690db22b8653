//! The figures XG prints and those of the definition, over the real files: expected against got.
//!
//! `real/expected.json` was computed from the files by an independent program. The whole way is taken: bytes, record,
//! facts, rating, sums, figures.

use crate::support::shared;
use portes::game::{Mpt, Seat};
use portes::ingest::facts::facts;
use portes::ingest::outcome::outcome;
use portes::ingest::read;
use portes::measure::interval::Quantile;
use portes::measure::played::{Facts, Played, Side};
use portes::measure::{Settings, player};
use portes::rate::{ForcedRule, Rules, moments, rate};
use portes::tables::marts::PlayerMatchRow;
use serde_json::Value;

/// XG counts an error from 0.020 and a blunder from 0.080; the file's `errors_20` and `blunders_80` are those.
fn xg_thresholds() -> Rules {
    Rules::new(Mpt(20), Mpt(80), ForcedRule::Derived).unwrap()
}

fn figures(bytes: &[u8]) -> [PlayerMatchRow; 2] {
    let record = read(bytes, b"match.xg").unwrap();
    let rules = xg_thresholds();
    let mut rows = facts(&record, "0000000000000000", "2026");
    rate(&mut rows.decisions, &rows.candidates, &rules);
    let ended = outcome(&record);
    let mut played = Played::new(Facts {
        season: "2026".to_owned(),
        match_id: "0000000000000000".to_owned(),
        players: [record.players[0].name.clone(), record.players[1].name.clone()],
        date: None,
        event: None,
        round: None,
        length: record.length,
        finished: ended.finished,
        winner: ended.result.winner(),
        games: i64::try_from(record.games.len()).unwrap(),
        start: Some(500_000_000),
        xg: true,
        asked: [true; 2],
        pooled: true,
    });
    for row in moments::moments(&rows.decisions, &rules) {
        played.add(&row).unwrap();
    }
    let settings = Settings { quantile: Quantile::Normal, ..Settings::default() };
    Seat::BOTH.map(|seat| player::match_row(&played, Side::One(seat), &settings))
}

struct Line {
    what: String,
    expected: f64,
    got: f64,
    tolerance: f64,
}

/// The figures of one block, beside what the block says.
fn lines(label: &str, block: &Value, got: &[(&str, Option<f64>, f64)]) -> Vec<Line> {
    got.iter()
        .map(|&(pointer, got, tolerance)| Line {
            what: format!("{label} {pointer}"),
            expected: block.pointer(pointer).and_then(Value::as_f64).unwrap(),
            got: got.unwrap_or(f64::NAN),
            tolerance,
        })
        .collect()
}

fn count(n: i64) -> Option<f64> {
    Some(n as f64)
}

fn percent(x: Option<f64>) -> Option<f64> {
    x.map(|x| x * 100.0)
}

const EXACT: f64 = 0.0;
const PR: f64 = 0.005;
const EQUITY: f64 = 0.0005;
const POINTS: f64 = 0.005;

fn definition(label: &str, block: &Value, row: &PlayerMatchRow) -> Vec<Line> {
    lines(
        label,
        block,
        &[
            ("/pr", row.pr, PR),
            ("/decisions/checker", count(row.decisions_checker), EXACT),
            ("/decisions/double", count(row.decisions_double), EXACT),
            ("/decisions/take", count(row.decisions_take), EXACT),
            ("/decisions/total", count(row.decisions), EXACT),
            ("/equity_error/checker", row.error_checker, EQUITY),
            ("/equity_error/double", row.error_double, EQUITY),
            ("/equity_error/take", row.error_take, EQUITY),
            ("/equity_error/total", row.error_sum, EQUITY),
            ("/mwc_loss_pct/checker", percent(row.loss_checker), POINTS),
            ("/mwc_loss_pct/double", percent(row.loss_double), POINTS),
            ("/mwc_loss_pct/take", percent(row.loss_take), POINTS),
            ("/mwc_loss_pct/total", percent(row.loss), POINTS),
            ("/l7_pct", percent(row.l7), POINTS),
            ("/errors_20", count(row.errors), EXACT),
            ("/blunders_80", count(row.blunders), EXACT),
        ],
    )
}

fn as_xg(label: &str, block: &Value, row: &PlayerMatchRow) -> Vec<Line> {
    let count = |n: Option<i64>| n.map(|n| n as f64);
    lines(
        label,
        block,
        &[
            ("/pr", row.xg_pr, PR),
            ("/decisions/checker", count(row.xg_decisions_checker), EXACT),
            ("/decisions/double", count(row.xg_decisions_double), EXACT),
            ("/decisions/take", count(row.xg_decisions_take), EXACT),
            ("/decisions/total", count(row.xg_decisions), EXACT),
            ("/equity_error/checker", row.xg_error_checker, EQUITY),
            ("/equity_error/double", row.xg_error_double, EQUITY),
            ("/equity_error/take", row.xg_error_take, EQUITY),
            ("/equity_error/total", row.xg_error_sum, EQUITY),
            ("/mwc_loss_pct/checker", percent(row.xg_loss_checker), POINTS),
            ("/mwc_loss_pct/double", percent(row.xg_loss_double), POINTS),
            ("/mwc_loss_pct/take", percent(row.xg_loss_take), POINTS),
            ("/mwc_loss_pct/total", percent(row.xg_loss), POINTS),
        ],
    )
}

#[test]
fn both_blocks_of_every_expected_figure_are_met() {
    let Some(real) = shared("real") else { return };
    let expected: Value = serde_json::from_slice(&std::fs::read(real.join("expected.json")).unwrap()).unwrap();
    let mut all = Vec::new();
    for (file, block) in expected.as_object().unwrap() {
        let rows = figures(&std::fs::read(real.join(file)).unwrap());
        for (seat, row) in rows.iter().enumerate() {
            let player = &block[format!("player{}", seat + 1)];
            let label = format!("{file} {}", seat + 1);
            all.extend(definition(&format!("{label} definition"), &player["definition"], row));
            all.extend(as_xg(&format!("{label} xg"), &player["xg"], row));
        }
    }
    println!("{:<58} {:>10} {:>10}", "", "expected", "got");
    let missed: Vec<&Line> = all
        .iter()
        .inspect(|line| println!("{:<58} {:>10.4} {:>10.4}", line.what, line.expected, line.got))
        .filter(|line| line.got.is_nan() || (line.expected - line.got).abs() > line.tolerance + 1e-9)
        .collect();
    let missed: Vec<String> =
        missed.iter().map(|line| format!("{}: {} is not {}", line.what, line.got, line.expected)).collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(all.len() >= 6 * 29, "three matches, two players, 29 figures each");
}

/// What XG's own window shows for match A (`real/README.md`), digit for digit.
#[test]
fn match_a_rounds_to_what_xg_prints() {
    let Some(path) = shared("real/match-a.xg") else { return };
    let rows = figures(&std::fs::read(path).unwrap());
    let printed = |row: &PlayerMatchRow| {
        format!(
            "PR {:.2}, {} decisions ({} checker, {} double, {} take), equity error {:.3}, MWC loss {:.2} %",
            row.xg_pr.unwrap(),
            row.xg_decisions.unwrap(),
            row.xg_decisions_checker.unwrap(),
            row.xg_decisions_double.unwrap(),
            row.xg_decisions_take.unwrap(),
            row.xg_error_sum.unwrap(),
            row.xg_loss.unwrap() * 100.0
        )
    };
    let shows = [
        "PR 0.39, 90 decisions (85 checker, 3 double, 2 take), equity error 0.070, MWC loss 0.76 %",
        "PR 0.42, 79 decisions (64 checker, 13 double, 2 take), equity error 0.066, MWC loss 0.91 %",
    ];
    assert_eq!(rows.each_ref().map(printed), shows);
}
