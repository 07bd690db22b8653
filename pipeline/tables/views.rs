//! `views.sql`: the lake as DuckDB sees it. Made from the declared tables, so no view can name a column that is not
//! there; a table that holds nothing in this snapshot becomes an empty view of the declared types, so that queries
//! written for one lake run on every lake.

use super::catalogue::{ALL, Table};
use super::row::Kind;
use std::collections::BTreeSet;
use std::fmt::Write;

const OPENING: &str = "\
-- Views over the tables of this snapshot, for DuckDB. The paths are relative: start it in this folder,
--
--     cd data/lake/current && duckdb -init views.sql
--
-- What the columns mean: dictionary.md. Equities are in 1e-8 EMG, winning chances in 1e-9, errors also in mpt.
";

/// A decision with who decides, when and where, and its position as every backgammon program reads it. The decider is
/// X; an answer has dice `D` and the doubler's turn; scores are the real ones, length minus away.
const DECISION_VIEW: &str = "
CREATE OR REPLACE VIEW decision_view AS
SELECT
    d.*,
    CASE d.seat WHEN 1 THEN m.player_1 ELSE m.player_2 END AS player,
    CASE d.seat WHEN 1 THEN m.player_2 ELSE m.player_1 END AS opponent,
    m.date, m.event, m.round, m.place, m.length,
    concat_ws(':',
        'XGID=' || split_part(d.position_key, '|', 2),
        split_part(d.position_key, '|', 3),
        CASE d.cube_owner WHEN 'm' THEN '1' WHEN 'o' THEN '-1' ELSE '0' END,
        CASE split_part(d.position_key, '|', 8) WHEN 'r' THEN '-1' ELSE '1' END,
        CASE split_part(d.position_key, '|', 8) WHEN 'r' THEN 'D' ELSE split_part(d.position_key, '|', 9) END,
        coalesce(m.length, 0) - d.own_away,
        coalesce(m.length, 0) - d.opp_away,
        CASE d.regime
            WHEN 'money' THEN CAST(m.jacoby AS INTEGER) + 2 * CAST(coalesce(m.beavers, false) AS INTEGER)
            WHEN 'crawford' THEN 1
            ELSE 0
        END,
        coalesce(m.length, 0),
        '10') AS xgid
FROM decisions AS d
JOIN matches AS m USING (match_id);
";

/// Three questions to begin with.
const QUERIES: [(&str, &str); 3] = [
    (
        "PR per player",
        "SELECT player, count(*) AS decisions, 0.5 * sum(e_mpt) / count(*) AS pr
FROM decision_view
WHERE counted
GROUP BY player
ORDER BY pr, player;",
    ),
    (
        "The worst decisions",
        "SELECT decision_id, player, date, e_mpt, kind, play, best, xgid
FROM decision_view
WHERE counted
ORDER BY e_mpt DESC, decision_id
LIMIT 20;",
    ),
    (
        "PR by phase",
        "SELECT phase, count(*) AS decisions, 0.5 * sum(e_mpt) / count(*) AS pr
FROM decision_view
WHERE counted
GROUP BY phase
ORDER BY phase;",
    ),
];

/// The file, for a snapshot in which these tables hold something.
#[must_use]
pub fn sql(present: &BTreeSet<&str>) -> String {
    let mut text = OPENING.to_owned();
    for table in ALL {
        let _ = write!(text, "\nCREATE OR REPLACE VIEW {} AS\n{};\n", table.name, source(table, present));
    }
    text.push_str(DECISION_VIEW);
    for (title, query) in QUERIES {
        let _ = write!(text, "\n-- {title}:\n");
        for line in query.lines() {
            let _ = writeln!(text, "--     {line}");
        }
    }
    text
}

/// The queries that the file shows as comments: title and text.
#[must_use]
pub const fn examples() -> &'static [(&'static str, &'static str)] {
    &QUERIES
}

/// `union_by_name`: a part written before a nullable column was added reads as null there.
fn source(table: &Table, present: &BTreeSet<&str>) -> String {
    if present.contains(table.name) {
        return format!("SELECT * FROM read_parquet('{}/*/part-*.parquet', union_by_name = true)", table.name);
    }
    let cell = |column: &super::row::Column| format!("CAST(NULL AS {}) AS \"{}\"", sql_type(column.kind), column.name);
    let cells: Vec<String> = table.columns.iter().map(cell).collect();
    format!("SELECT {}\nWHERE false", cells.join(",\n    "))
}

const fn sql_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "VARCHAR",
        Kind::Int => "BIGINT",
        Kind::Float => "DOUBLE",
        Kind::Day => "DATE",
        Kind::Flag => "BOOLEAN",
    }
}
