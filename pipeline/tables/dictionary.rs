//! The data dictionary: the declared tables as one Markdown page, so that it cannot say what the files do not hold.

use super::catalogue::{ALL, Shelf, Table};
use super::row::SCHEMA_VERSION;
use std::fmt::Write;

/// The whole page.
#[must_use]
pub fn markdown() -> String {
    let mut page = format!(
        "# Data dictionary\n\nTable schema {SCHEMA_VERSION}. Every table lies at `<table>/<season>/part-*.parquet`; a \
         part is sorted by the table's key and holds each key once.\n"
    );
    for shelf in [Shelf::Fact, Shelf::Partial, Shelf::Mart, Shelf::Academy] {
        let _ = write!(page, "\n## {}\n", heading(shelf));
        for table in ALL.iter().filter(|table| table.shelf == shelf) {
            section(&mut page, table);
        }
    }
    page
}

const fn heading(shelf: Shelf) -> &'static str {
    match shelf {
        Shelf::Fact => "Facts: one row per thing that happened, whole units",
        Shelf::Partial => "Partials: sums over one match, whole units",
        Shelf::Mart => "Marts: finished figures, natural units",
        Shelf::Academy => "The Academy: shared playing knowledge at the end of each season",
    }
}

/// One table. Writing to a `String` cannot fail, so the results are let go.
fn section(page: &mut String, table: &Table) {
    let _ = write!(page, "\n### `{}`\n\n{}\n\nKey: `{}`.\n\n", table.name, table.about, table.key.join("`, `"));
    page.push_str("| column | type | null | unit | meaning |\n|---|---|---|---|---|\n");
    for column in table.columns {
        let null = if column.nullable { "yes" } else { "" };
        let meaning = column.meaning.replace('|', "\\|");
        let _ = writeln!(page, "| `{}` | {} | {null} | {} | {meaning} |", column.name, column.kind.word(), column.unit);
    }
}
