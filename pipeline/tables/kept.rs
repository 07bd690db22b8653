//! Rows put away outside their tables, cell by cell, for caches. Texts are borrowed, from the row or from the bytes it is
//! taken up from: most rows of a cache are looked at once and made anew, or not wanted at all.

use super::row::{Kind, Row, Value};
use serde::de::{DeserializeSeed, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A row. What a cell is says its column, so nothing but the cells is written.
#[derive(Clone, Debug)]
pub struct Kept<'a, R: Row> {
    cells: Vec<Cell<'a>>,
    row: PhantomData<R>,
}

#[derive(Clone, Debug)]
enum Cell<'a> {
    Null,
    Text(&'a str),
    Int(i64),
    Float(f64),
    Day(i32),
    Flag(bool),
}

impl<'a, R: Row> Kept<'a, R> {
    /// Puts a row away.
    #[must_use]
    pub fn of(row: &'a R) -> Self {
        let mut cells = Vec::with_capacity(R::COLUMNS.len());
        row.values(&mut |_, value: Value<'a>| {
            cells.push(match value {
                Value::Null => Cell::Null,
                Value::Text(text) => Cell::Text(text),
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

impl<R: Row> Serialize for Kept<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.cells)
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Int(whole) => serializer.serialize_i64(*whole),
            Self::Float(x) => serializer.serialize_f64(*x),
            Self::Day(day) => serializer.serialize_i32(*day),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
        }
    }
}

impl<'de: 'a, 'a, R: Row> Deserialize<'de> for Kept<'a, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Cells(PhantomData))
    }
}

/// Reads the cells of a row.
struct Cells<R>(PhantomData<R>);

impl<'de, R: Row> Visitor<'de> for Cells<R> {
    type Value = Kept<'de, R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the cells of a row of `{}`", R::TABLE)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Kept<'de, R>, A::Error> {
        let mut cells = Vec::with_capacity(R::COLUMNS.len());
        for column in R::COLUMNS {
            cells.push(seq.next_element_seed(Of(column.kind))?.ok_or_else(|| A::Error::custom("a cell is missing"))?);
        }
        Ok(Kept { cells, row: PhantomData })
    }
}

/// Reads a cell of a column of this kind.
struct Of(Kind);

impl<'de> DeserializeSeed<'de> for Of {
    type Value = Cell<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cell<'de>, D::Error> {
        let cell = match self.0 {
            Kind::Text => Option::deserialize(deserializer)?.map(Cell::Text),
            Kind::Int => Option::deserialize(deserializer)?.map(Cell::Int),
            Kind::Float => Option::deserialize(deserializer)?.map(Cell::Float),
            Kind::Day => Option::deserialize(deserializer)?.map(Cell::Day),
            Kind::Flag => Option::deserialize(deserializer)?.map(Cell::Flag),
        };
        Ok(cell.unwrap_or(Cell::Null))
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
        let again: Option<Kept<'_, TournamentReviewRow>> = rmp_serde::from_slice(&bytes).ok();
        assert_eq!(again.and_then(|kept| kept.row()), Some(row));
        let other: Option<Kept<'_, TrendRow>> = rmp_serde::from_slice(&bytes).ok();
        assert!(other.is_none_or(|kept| kept.row().is_none()));
        assert!(Kept::of(&PlayerSeasonRow::default()).row().is_some());
    }
}
