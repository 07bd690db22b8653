//! One mart as text: for `portes measure MART`, which publishes nothing.

use super::super::fault::NightFault;
use super::super::status;
use super::{Material, each_of_errors, each_of_sums};
use crate::config::Settings;
use crate::measure::bucket::Held;
use crate::measure::errors::ErrorMarts;
use crate::measure::said::Oblivion;
use crate::measure::scope::Scope;
use crate::spelling::nearest;
use crate::tables::catalogue::{self, Shelf, Table};
use crate::tables::row::{Day, Row, Value};
use crate::tables::study_marts::PlacesPointsRow;
use std::fmt::Write as _;
use std::path::Path;

/// One mart as tab-separated text, computed and not published.
///
/// # Errors
/// [`NightFault::NoSuchMart`], before anything is read; when a partial cannot be read.
pub fn text(dir: &Path, settings: &Settings, mart: &str) -> Result<String, NightFault> {
    let names = names();
    if !names.contains(&mart) {
        let nearest = nearest(mart, names.iter().copied());
        return Err(NightFault::NoSuchMart { asked: mart.to_owned(), nearest, known: names.join(", ") });
    }
    let material = Material::of(dir, settings)?;
    let (sheets, reviews) = (Held::default(), Held::default());
    let (figures, study) = material.of_sums(&Scope::Everyone, &sheets)?;
    let mut lists = ErrorMarts::default();
    let lessons = material.of_errors(&Scope::Everyone, (&reviews, &Oblivion), &mut lists)?;
    let standings = material.standings(&figures.player_season)?;
    macro_rules! print {
        ($rows:expr, $season:expr) => {
            if let Some(text) = printed(&$rows, mart) {
                return Ok(text);
            }
        };
    }
    each_of_sums!(figures, study, print);
    each_of_errors!(lessons, print);
    let listed = printed(&lists.family_positions, mart).or_else(|| printed(&lists.tournament_families, mart));
    let of_matches = printed(&sheets.rows(), mart).or_else(|| printed(&reviews.rows(), mart));
    let others = printed(&study.tournament_review, mart).or_else(|| printed(&study.before_after, mart));
    Ok(listed.or(of_matches).or(others).or_else(|| printed(&standings, mart)).unwrap_or_default())
}

/// The rows as text, if they are those of this mart.
fn printed<R: Row>(rows: &[R], mart: &str) -> Option<String> {
    (R::TABLE == mart).then(|| tsv(rows))
}

/// The marts that are computed, in the order of the catalogue.
pub(super) fn names() -> Vec<&'static str> {
    let computed = |table: &&Table| table.shelf == Shelf::Mart && table.name != PlacesPointsRow::TABLE;
    catalogue::ALL.iter().filter(computed).map(|table| table.name).collect()
}

fn tsv<R: Row>(rows: &[R]) -> String {
    let names: Vec<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
    let mut out = names.join("\t");
    out.push('\n');
    for row in rows {
        row.values(&mut |at, value| {
            if at > 0 {
                out.push('\t');
            }
            match value {
                Value::Null => {}
                Value::Text(text) => out.push_str(&cell(text)),
                Value::Int(int) => _ = write!(out, "{int}"),
                Value::Float(float) => _ = write!(out, "{float}"),
                Value::Day(day) => out.push_str(&Day(day).to_string()),
                Value::Flag(flag) => _ = write!(out, "{flag}"),
            }
        });
        out.push('\n');
    }
    out
}

/// Text for a terminal and for a spreadsheet alike: nothing in it acts, and none begins a formula.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@']);
    format!("{}{}", if formula { "'" } else { "" }, status::terminal(text))
}
