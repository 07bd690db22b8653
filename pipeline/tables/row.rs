//! A table is declared once: its name, its key, and for every column name, type, nullability, unit and meaning.
//!
//! The declaration is a Rust struct written through [`table!`]; the Parquet schema, the writer, the reader, the
//! validator and the data dictionary all come from it. Five kinds of cell are enough, and each is one that polars,
//! DuckDB and pandas read alike: 64-bit integers, 64-bit floats (marts only), text, days and truth values.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// Version of all tables together, kept in every part and in the snapshot. A new nullable column does not change it;
/// anything else does, and the lake is then built again.
pub const SCHEMA_VERSION: u32 = 1;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8.
    Text,
    /// 64-bit integer.
    Int,
    /// 64-bit float; marts only.
    Float,
    /// Days since 1970-01-01 (Parquet `DATE`).
    Day,
    /// true or false.
    Flag,
}

impl Kind {
    /// The word in the data dictionary.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Int => "int64",
            Self::Float => "float64",
            Self::Day => "date",
            Self::Flag => "bool",
        }
    }
}

/// One column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Name, as stored.
    pub name: &'static str,
    /// Kind of cell.
    pub kind: Kind,
    /// May be absent.
    pub nullable: bool,
    /// Unit, empty where there is none.
    pub unit: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// Days since 1970-01-01.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Day(pub i32);

impl fmt::Display for Day {
    /// ISO; a day that no calendar of four-digit years has is written as its number, since it is there all the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span = jiff::Span::new().try_days(self.0);
        match span.and_then(|span| jiff::civil::date(1970, 1, 1).checked_add(span)) {
            Ok(date) if date.year() >= 0 => write!(f, "{date}"),
            _ => write!(f, "day {}", self.0),
        }
    }
}

/// One cell on its way between a row and a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Absent.
    Null,
    /// See [`Kind`].
    Text(&'a str),
    /// See [`Kind`].
    Int(i64),
    /// See [`Kind`].
    Float(f64),
    /// See [`Kind`].
    Day(i32),
    /// See [`Kind`].
    Flag(bool),
}

impl Value<'_> {
    /// The order keys are sorted in: absent first, text by its bytes. Cells of one column are of one kind.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Null, Self::Null) => Ordering::Equal,
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Float(a), Self::Float(b)) => a.total_cmp(b),
            (Self::Day(a), Self::Day(b)) => a.cmp(b),
            (Self::Flag(a), Self::Flag(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    const fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Text(_) => 1,
            Self::Int(_) => 2,
            Self::Float(_) => 3,
            Self::Day(_) => 4,
            Self::Flag(_) => 5,
        }
    }
}

/// A type that can stand in a cell.
pub trait Cell: Sized {
    /// Kind of the column it makes.
    const KIND: Kind;
    /// Whether the column may hold nulls.
    const NULLABLE: bool;
    /// Out of the row.
    fn value(&self) -> Value<'_>;
    /// Into the row; `None` when the column holds something else.
    fn read(value: Value<'_>) -> Option<Self>;
}

macro_rules! cell {
    ($type:ty, $kind:ident, $v:ident => $out:expr, $pattern:pat => $in:expr) => {
        impl Cell for $type {
            const KIND: Kind = Kind::$kind;
            const NULLABLE: bool = false;
            #[inline]
            fn value(&self) -> Value<'_> {
                let $v = self;
                $out
            }
            #[inline]
            fn read(value: Value<'_>) -> Option<Self> {
                match value {
                    $pattern => Some($in),
                    _ => None,
                }
            }
        }
    };
}

cell!(String, Text, v => Value::Text(v), Value::Text(t) => t.to_owned());
cell!(i64, Int, v => Value::Int(*v), Value::Int(i) => i);
cell!(f64, Float, v => Value::Float(*v), Value::Float(x) => x);
cell!(Day, Day, v => Value::Day(v.0), Value::Day(d) => Day(d));
cell!(bool, Flag, v => Value::Flag(*v), Value::Flag(b) => b);

impl<T: Cell> Cell for Option<T> {
    const KIND: Kind = T::KIND;
    const NULLABLE: bool = true;
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, T::value)
    }
    fn read(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::read(value).map(Some),
        }
    }
}

/// A row of a declared table.
pub trait Row: Sized + Clone + Send + Sync {
    /// The table's name: the folder below `lake/current`.
    const TABLE: &'static str;
    /// One sentence for the data dictionary.
    const ABOUT: &'static str;
    /// The columns, in order.
    const COLUMNS: &'static [Column];
    /// The columns that identify a row, in sort order.
    const KEY: &'static [&'static str];
    /// Every cell, in the order of [`Row::COLUMNS`]. Each user gets a copy of its own, in which the kind of every column is
    /// known: millions of cells pass here.
    fn values<'a, F: FnMut(usize, Value<'a>)>(&'a self, each: &mut F);
    /// A row from its cells; `None` when one has the wrong kind.
    fn read<'a, F: FnMut(usize) -> Value<'a>>(cell: &mut F) -> Option<Self>;
}

/// Declares a table: see the module's words.
macro_rules! table {
    (
        $(#[$doc:meta])*
        $row:ident = $table:literal, key [$($key:literal),*], $about:literal {
            $($name:ident $column:literal : $type:ty, $unit:literal, $meaning:literal;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $row {
            $(#[doc = $meaning] pub $name: $type,)*
        }

        impl $crate::tables::row::Row for $row {
            const TABLE: &'static str = $table;
            const ABOUT: &'static str = $about;
            const COLUMNS: &'static [$crate::tables::row::Column] = &[$(
                $crate::tables::row::Column {
                    name: $column,
                    kind: <$type as $crate::tables::row::Cell>::KIND,
                    nullable: <$type as $crate::tables::row::Cell>::NULLABLE,
                    unit: $unit,
                    meaning: $meaning,
                },
            )*];
            const KEY: &'static [&'static str] = &[$($key),*];
            fn values<'a, F: FnMut(usize, $crate::tables::row::Value<'a>)>(&'a self, each: &mut F) {
                let mut at = 0;
                $(
                    each(at, $crate::tables::row::Cell::value(&self.$name));
                    at += 1;
                )*
                let _ = at;
            }
            fn read<'a, F: FnMut(usize) -> $crate::tables::row::Value<'a>>(cell: &mut F) -> Option<Self> {
                let mut at = 0;
                let mut next = || { at += 1; cell(at - 1) };
                Some(Self { $($name: $crate::tables::row::Cell::read(next())?,)* })
            }
        }
    };
}
pub(crate) use table;

/// The key of one row, in the order parts are sorted by: absent before present, text by its bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyCell {
    /// Absent; also a float, which is never a key (a test of the catalogue).
    Absent,
    /// Text.
    Text(String),
    /// Integers, days, truth values.
    Whole(i64),
}

/// The cells of [`Row::KEY`], in its order.
#[must_use]
pub fn key<R: Row>(row: &R) -> Vec<KeyCell> {
    let mut cells = vec![KeyCell::Absent; R::KEY.len()];
    row.values(&mut |at, value| {
        if let Some(place) = R::KEY.iter().position(|name| *name == R::COLUMNS[at].name) {
            cells[place] = match value {
                Value::Null | Value::Float(_) => KeyCell::Absent,
                Value::Text(text) => KeyCell::Text(text.to_owned()),
                Value::Int(whole) => KeyCell::Whole(whole),
                Value::Day(day) => KeyCell::Whole(i64::from(day)),
                Value::Flag(flag) => KeyCell::Whole(i64::from(flag)),
            };
        }
    });
    cells
}

/// Sorts rows as a part wants them.
pub fn sort<R: Row>(rows: &mut [R]) {
    rows.sort_by_cached_key(key);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_never_written_as_nothing() {
        let shown = |days| Day(days).to_string();
        assert_eq!([shown(0), shown(20_454), shown(-1)], ["1970-01-01", "2026-01-01", "1969-12-31"]);
        assert_eq!(shown(i32::MAX), "day 2147483647");
        assert_eq!(shown(i32::MIN), "day -2147483648");
        assert_eq!(shown(-719_529), "day -719529", "a year before 0");
    }
}
