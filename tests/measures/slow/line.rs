//! A row by the names of its columns, and the comparison of a table with what a slow reading makes of it: counts, words
//! and days exactly, floats within [`NEAR`].

use portes::tables::row::{Row, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What two orders of the same additions may differ by, relative to figures above one.
pub(super) const NEAR: f64 = 1e-9;

/// One cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Null,
    Int(i64),
    Float(f64),
    Text(String),
    Day(i32),
    Flag(bool),
}

macro_rules! from {
    ($($type:ty => $cell:expr;)*) => {
        $(impl From<$type> for Cell {
            fn from(value: $type) -> Self {
                let make: fn($type) -> Self = $cell;
                make(value)
            }
        })*
    };
}

from! {
    i64 => Self::Int;
    f64 => Self::Float;
    bool => Self::Flag;
    String => Self::Text;
    &str => |text| Self::Text(text.to_owned());
    &String => |text| Self::Text(text.clone());
    portes::tables::row::Day => |day| Self::Day(day.0);
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A row as a slow reading makes it.
pub(super) type Line = BTreeMap<&'static str, Cell>;

/// A line from names and values.
macro_rules! line {
    ($($name:ident: $value:expr),* $(,)?) => {
        $crate::measures::slow::line::Line::from([
            $((stringify!($name), $crate::measures::slow::line::Cell::from($value))),*
        ])
    };
}
pub(super) use line;

fn read<R: Row>(row: &R) -> Line {
    let mut line = Line::new();
    row.values(&mut |at, value| {
        let cell = match value {
            Value::Null => Cell::Null,
            Value::Int(number) => Cell::Int(number),
            Value::Float(number) => Cell::Float(number),
            Value::Text(text) => Cell::Text(text.to_owned()),
            Value::Day(day) => Cell::Day(day),
            Value::Flag(flag) => Cell::Flag(flag),
        };
        line.insert(R::COLUMNS[at].name, cell);
    });
    line
}

/// How well a table agrees.
pub(super) struct Agreement {
    pub(super) table: &'static str,
    pub(super) rows: usize,
    pub(super) cells: usize,
    /// Cells that hold something.
    pub(super) told: usize,
    /// The largest distance of two floats.
    pub(super) apart: f64,
    /// Every difference, in words.
    pub(super) faults: Vec<String>,
}

/// Holds a table of the program against the lines of a slow reading, key by key and cell by cell.
pub(super) fn agree<R: Row>(rows: &[R], lines: Vec<Line>) -> Agreement {
    let key = |line: &Line| R::KEY.iter().map(|name| format!("{:?}", line[name])).collect::<Vec<_>>().join(" ");
    let mut agreement =
        Agreement { table: R::TABLE, rows: rows.len(), cells: 0, told: 0, apart: 0.0, faults: Vec::new() };
    let columns: BTreeSet<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
    let mut slow: BTreeMap<String, Line> = BTreeMap::new();
    for line in lines {
        assert_eq!(line.keys().copied().collect::<BTreeSet<&str>>(), columns, "{}: the slow columns", R::TABLE);
        let key = key(&line);
        assert!(slow.insert(key.clone(), line).is_none(), "{}: the slow reading says {key} twice", R::TABLE);
    }
    for row in rows {
        let fast = read(row);
        let key = key(&fast);
        let Some(expected) = slow.remove(&key) else {
            agreement.faults.push(format!("{}: {key} is no row of the definition", R::TABLE));
            continue;
        };
        for (name, cell) in &fast {
            agreement.cells += 1;
            agreement.told += usize::from(*cell != Cell::Null);
            if let Err(words) = near(cell, &expected[name], &mut agreement.apart) {
                agreement.faults.push(format!("{}: {key}: {name} {words}", R::TABLE));
            }
        }
    }
    agreement.faults.extend(slow.into_keys().map(|key| format!("{}: {key} is missing", R::TABLE)));
    agreement
}

fn near(got: &Cell, expected: &Cell, apart: &mut f64) -> Result<(), String> {
    let fits = match (got, expected) {
        (Cell::Float(got), Cell::Float(expected)) => {
            let distance = (got - expected).abs() / expected.abs().max(1.0);
            *apart = apart.max(distance);
            distance <= NEAR
        }
        (got, expected) => got == expected,
    };
    if fits { Ok(()) } else { Err(format!("is {got:?}, the definition gives {expected:?}")) }
}
