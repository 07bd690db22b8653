//! The tables as other engines read them: DuckDB and polars for Python over the files on disk, the queries of the README
//! as they are printed, and the same sums as the marts.

use super::{Place, of_checkout, sample};
use crate::support::html;
use portes::tables::catalogue;
use portes::tables::lake;
use portes::tables::marts::PlayerSeasonRow;
use portes::tables::{part, views};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The interpreter that the Makefile sets up. `None` where there is none: the test then says so and passes, loudly.
pub(super) fn python() -> Option<PathBuf> {
    let python = std::env::var_os("PORTES_PYTHON").map(PathBuf::from);
    if python.is_none() {
        eprintln!("SKIPPED: PORTES_PYTHON is not set, this promise was not checked");
    }
    python
}

/// Runs a script and gives what it printed.
pub(super) fn printed(mut command: Command, input: &str) -> String {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}\n{input}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub(super) fn script(python: &PathBuf, name: &str, place: &Place) -> Command {
    let mut command = Command::new(python);
    command.arg(of_checkout("tests/queries").join(name)).arg(place.lake().current());
    command
}

/// PR and L7 per season and player as an engine gives them.
type Figures = BTreeMap<(String, String), (i64, f64, Option<f64>)>;

fn figures(rows: &Value) -> Figures {
    let text = |cell: &Value| cell.as_str().unwrap().to_owned();
    let read = |row: &Value| {
        ((text(&row[0]), text(&row[1])), (row[2].as_i64().unwrap(), row[3].as_f64().unwrap(), row[4].as_f64()))
    };
    rows.as_array().unwrap().iter().map(read).collect()
}

#[test]
fn other_engines_sum_to_the_marts() {
    let Some(python) = python() else { return };
    let place = sample();
    let told: Value = serde_json::from_str(&printed(script(&python, "sums.py", &place), "")).unwrap();

    let marts = place.rows::<PlayerSeasonRow>().into_iter();
    let marts: Vec<PlayerSeasonRow> = marts.filter(|row| row.player.is_some() && row.decisions > 0).collect();
    assert_eq!(marts.len(), 16, "eight players in two seasons");
    for engine in ["duckdb", "polars"] {
        let figures = figures(&told[engine]);
        assert_eq!(figures.len(), marts.len(), "{engine}");
        for row in &marts {
            let player = row.player.clone().unwrap();
            let (decisions, pr, l7) = figures[&(row.season.clone(), player.clone())];
            let near = |got: Option<f64>, expected: Option<f64>| match (got, expected) {
                (Some(got), Some(expected)) => (got - expected).abs() <= 1e-9,
                (got, expected) => got == expected,
            };
            println!("{engine} {} {player}: PR {pr:.9} {:?}, L7 {l7:?} {:?}", row.season, row.pr, row.l7);
            assert_eq!(decisions, row.decisions, "{engine} {player}");
            assert!(near(Some(pr), row.pr) && near(l7, row.l7), "{engine} {} {player}: {pr} {l7:?}", row.season);
        }
    }
    for table in catalogue::ALL {
        let parts = lake::parts(&place.lake().current(), table.name).unwrap();
        let rows: u64 = parts.iter().map(|listed| part::rows(&listed.path, table.name).unwrap()).sum();
        for reader in ["viewed", "scanned"] {
            assert_eq!(told["counts"][reader][table.name].as_u64(), Some(rows), "{} {reader}", table.name);
        }
    }
    for (title, _) in views::examples() {
        let rows = told["examples"][title].as_array().map_or(0, Vec::len);
        assert!(rows > 0, "{title}: {}", told["examples"]);
    }
    pages_and_view_agree(&place, &told["xgids"]);
}

/// The XGID that a page prints below a board and the one that SQL puts together are the same text.
fn pages_and_view_agree(place: &Place, rows: &Value) {
    let rows = rows.as_array().unwrap().iter();
    let known: BTreeSet<&str> = rows.map(|row| row[1].as_str().unwrap()).collect();
    let mut met = 0;
    for season in ["2025", "2026"] {
        for name in place.pages(season, "match-") {
            let text = html::read(&place.page(season, &name)).text;
            for word in text.split_whitespace().filter(|word| word.starts_with("XGID=")) {
                assert!(known.contains(word), "{name}: {word} is not in decision_view");
                met += 1;
            }
        }
    }
    assert!(met > 200, "{met} boards");
}

/// The README's code of one language between its markers, block by block.
fn blocks(language: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(of_checkout("README.md")).unwrap();
    let section = readme.split_once("<!-- queries -->").unwrap().1.split_once("<!-- /queries -->").unwrap().0;
    let opening = format!("```{language}\n");
    section.split(&opening).skip(1).map(|rest| rest.split_once("```").unwrap().0.to_owned()).collect()
}

#[test]
fn the_queries_of_the_readme_work_as_printed() {
    let Some(python) = python() else { return };
    let place = sample();
    let sql = blocks("sql");
    assert_eq!(sql.len(), 4);
    for query in &sql {
        let told = printed(script(&python, "printed.py", &place), query);
        let [columns, rows] = serde_json::from_str::<[Vec<Value>; 2]>(told.trim()).unwrap();
        assert!(!rows.is_empty(), "no row: {query}");
        let first = rows[0].as_array().unwrap();
        assert!(first.len() == columns.len() && first.iter().any(|cell| !cell.is_null()), "{told}");
    }
    // Run from where the README is read: the folder that holds data/. The second block goes on where the first ends.
    let code = blocks("python");
    assert_eq!(code.len(), 2);
    let mut command = Command::new(&python);
    command.arg("-").current_dir(place.root()).env("POLARS_FMT_MAX_ROWS", "40");
    let told = printed(command, &code.join("\n"));
    let frames: Vec<&str> = told.lines().filter(|line| line.starts_with("shape: (")).collect();
    assert_eq!(frames.len(), 2, "{told}");
    assert!(frames.iter().all(|frame| !frame.starts_with("shape: (0,")), "{told}");
}
