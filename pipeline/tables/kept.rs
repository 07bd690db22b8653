//! Rows put away outside their tables, cell by cell, for caches.

use super::row::{Row, Value};
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// A cell. Names are written with every cell, so they are short.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Cell {
    #[serde(rename = "n")]
    Null,
    #[serde(rename = "t")]
    Text(String),
    #[serde(rename = "i")]
    Int(i64),
    #[serde(rename = "f")]
    Float(f64),
    #[serde(rename = "d")]
    Day(i32),
    #[serde(rename = "b")]
    Flag(bool),
}

/// A row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Kept<R: Row> {
    cells: Vec<Cell>,
    #[serde(skip)]
    row: PhantomData<R>,
}

impl<R: Row> Kept<R> {
    /// Puts a row away.
    #[must_use]
    pub fn of(row: &R) -> Self {
        let mut cells = Vec::with_capacity(R::COLUMNS.len());
        row.values(&mut |_, value| {
            cells.push(match value {
                Value::Null => Cell::Null,
                Value::Text(text) => Cell::Text(text.to_owned()),
                Value::Int(whole) => Cell::Int(whole),
                Value::Float(x) => Cell::Float(x),
                Value::Day(day) => Cell::Day(day),
                Value::Flag(flag) => Cell::Flag(flag),
            });
        });
        Self { cells, row: PhantomData }
    }

    /// Takes it up again; `None` when these are not the cells of such a row.
    #[must_use]
    pub fn row(&self) -> Option<R> {
        if self.cells.len() != R::COLUMNS.len() {
            return None;
        }
        R::read(&mut |at| match &self.cells[at] {
            Cell::Null => Value::Null,
            Cell::Text(text) => Value::Text(text),
            Cell::Int(whole) => Value::Int(*whole),
            Cell::Float(x) => Value::Float(*x),
            Cell::Day(day) => Value::Day(*day),
            Cell::Flag(flag) => Value::Flag(*flag),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::marts::PlayerSeasonRow;
    use crate::tables::row::Day;
    use crate::tables::study_marts::{TournamentReviewRow, TrendRow};

    #[test]
    fn a_row_comes_back_as_it_was_and_only_as_what_it_was() {
        let row = TournamentReviewRow {
            season: "2026".into(),
            event: "Lantern Open".into(),
            reference: true,
            value: Some(5.25),
            decisions: -7,
            from: Some(Day(20_500)),
            ..TournamentReviewRow::default()
        };
        let bytes = rmp_serde::to_vec(&Kept::of(&row)).unwrap_or_default();
        let again: Option<Kept<TournamentReviewRow>> = rmp_serde::from_slice(&bytes).ok();
        assert_eq!(again.and_then(|kept| kept.row()), Some(row));
        let other: Option<Kept<TrendRow>> = rmp_serde::from_slice(&bytes).ok();
        assert!(other.is_some_and(|kept| kept.row().is_none()));
        assert!(Kept::of(&PlayerSeasonRow::default()).row().is_some());
    }
}
