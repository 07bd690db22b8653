//! The catalogue holds every declaration; the dictionary and the views say what the tables hold.

use super::rows::{played, write_bucket};
use portes::tables::catalogue::ALL;
use portes::tables::row::Kind;
use portes::tables::{dictionary, views};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Names of the tables declared in the sources: every `= "name", key [`.
fn declared() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pipeline");
    let mut folders = vec![folder];
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for (at, _) in text.match_indices("\", key [\"") {
                found.insert(text[..at].rsplit('"').next().unwrap().to_owned());
            }
        }
    }
    found
}

#[test]
fn the_catalogue_holds_every_declared_table_once() {
    let listed: Vec<String> = ALL.iter().map(|table| table.name.to_owned()).collect();
    let set: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(set.len(), listed.len());
    assert_eq!(set, declared());
}

#[test]
fn declarations_keep_to_the_rules_of_tables() {
    for table in ALL {
        let names: BTreeSet<&str> = table.columns.iter().map(|column| column.name).collect();
        assert_eq!(names.len(), table.columns.len(), "{}: a column name stands twice", table.name);
        assert!(!table.key.is_empty());
        for key in table.key {
            let column = table.column(key).unwrap_or_else(|| panic!("{}: key {key} is no column", table.name));
            assert_ne!(column.kind, Kind::Float, "{}: a float is no key", table.name);
        }
        let floats = table.columns.iter().any(|column| column.kind == Kind::Float);
        assert!(!floats || !table.shelf.is_bucketed(), "{}: floats are for finished figures", table.name);
        assert!(table.columns.iter().all(|column| !column.meaning.is_empty()));
    }
}

#[test]
fn the_dictionary_lists_every_column_of_every_table_once() {
    let page = dictionary::markdown();
    let mut sections: Vec<&str> = page.split("\n### `").skip(1).collect();
    assert_eq!(sections.len(), ALL.len());
    for table in ALL {
        let at = sections.iter().position(|section| section.starts_with(&format!("{}`", table.name))).unwrap();
        let section = sections.swap_remove(at);
        let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
        assert_eq!(rows.len(), table.columns.len(), "{}", table.name);
        for (row, column) in rows.iter().zip(table.columns) {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            assert_eq!(cells[0], format!("`{}`", column.name));
            assert_eq!(cells[1], column.kind.word());
            assert_eq!(cells[2] == "yes", column.nullable);
            assert_eq!(cells[3], column.unit);
        }
    }
}

#[test]
fn views_sql_shows_its_example_queries_and_a_view_per_table() {
    let text = views::sql(&ALL.iter().map(|table| table.name).collect());
    for table in ALL {
        assert_eq!(text.matches(&format!("VIEW {} AS\n", table.name)).count(), 1, "{}", table.name);
    }
    for (title, query) in views::examples() {
        assert!(text.contains(&format!("-- {title}:\n")));
        assert!(query.lines().all(|line| text.contains(&format!("--     {line}\n"))));
    }
}

/// Runs `views.sql`, prints the XGIDs of the snapshot and the three example queries.
const SCRIPT: &str = "
import duckdb, sys
con = duckdb.connect()
con.execute(open('views.sql').read())
for (view,) in con.execute('select view_name from duckdb_views() where not internal').fetchall():
    con.execute(f'select * from {view}').fetchall()
for (xgid,) in con.execute('select xgid from decision_view order by match_id, game, \"order\"').fetchall():
    print(xgid)
lines = [l[7:] for l in open('views.sql').read().splitlines() if l.startswith('--     ')]
queries = [q for q in '\\n'.join(lines).split(';') if 'SELECT' in q]
queries[0] = queries[0][queries[0].index('SELECT'):]
assert len(queries) == 3, queries
for query in queries:
    print(con.execute(query).fetchall())
";

/// The Python that has `duckdb`: `PORTES_PYTHON`, else `python3`. `None`, loudly, where there is none.
fn python() -> Option<String> {
    let python = std::env::var("PORTES_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python).args(["-c", "import duckdb"]).output().is_ok_and(|out| out.status.success());
    if !found {
        eprintln!("SKIPPED: no Python with duckdb (set PORTES_PYTHON), this promise was not checked");
    }
    found.then_some(python)
}

#[test]
fn duckdb_runs_the_views_and_their_examples_and_makes_xgids() {
    let Some(python) = python() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut money = played("2025", 2);
    money.matches[0].play = "money".to_owned();
    money.matches[0].length = None;
    (money.matches[0].jacoby, money.matches[0].beavers) = (true, Some(true));
    money.decisions.truncate(1);
    money.decisions[0].position_key = "bg1|-b----E-C---eE---c-e----B-|0|c|$|0|0|m|31".to_owned();
    (money.decisions[0].regime, money.decisions[0].own_away, money.decisions[0].opp_away) = ("money".to_owned(), 0, 0);
    write_bucket(dir.path(), ("2025", "0"), &[money]);
    write_bucket(dir.path(), ("2026", "0"), &[played("2026", 1)]);
    let present: BTreeSet<&str> =
        ALL.iter().map(|table| table.name).filter(|name| dir.path().join(name).exists()).collect();
    assert!(!present.contains("player_match"), "some tables hold nothing");
    std::fs::write(dir.path().join("views.sql"), views::sql(&present)).unwrap();
    let out = Command::new(python).args(["-c", SCRIPT]).current_dir(dir.path()).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let out = String::from_utf8(out.stdout).unwrap();
    // The spec's examples (classifiers.md 7) and, for the answer, its rule: turn -1 and `D`.
    let expected = [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:6:1:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:3:6:1:7:10",
    ];
    for xgid in expected {
        assert!(out.contains(xgid), "{xgid} in\n{out}");
    }
    // Seven counted decisions of 20 mpt: PR 10 by the definition.
    assert!(out.contains("('Ada', 7, 10.0)") && out.contains("('opening', 7, 10.0)"), "{out}");
}
