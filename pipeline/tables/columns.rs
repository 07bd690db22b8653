//! Rows to columns and back: the only place that knows Arrow's arrays.
//!
//! [`Buffer`] turns rows of a declared table into record batches; [`Columns`] looks at a batch through the declared
//! columns, whatever else the file holds. A declared column that may be null and is not in the file reads as null, so
//! that a new nullable column needs no rebuild; every other difference is a fault that names the column.

use super::row::{Column, Kind, Row, Value};
use arrow_array::builder::{BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray,
    cast::AsArray,
    types::{Date32Type, Float64Type, Int64Type},
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// The Arrow type of a kind of cell; each has exactly one Parquet form that polars, DuckDB and pandas read alike.
const fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Text => DataType::Utf8,
        Kind::Int => DataType::Int64,
        Kind::Float => DataType::Float64,
        Kind::Day => DataType::Date32,
        Kind::Flag => DataType::Boolean,
    }
}

/// The schema of declared columns.
#[must_use]
pub fn schema(columns: &[Column]) -> SchemaRef {
    let field = |column: &Column| Field::new(column.name, data_type(column.kind), column.nullable);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// One column being filled.
enum Filling {
    Text(StringBuilder),
    Int(Int64Builder),
    Float(Float64Builder),
    Day(Date32Builder),
    Flag(BooleanBuilder),
}

impl Filling {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Text(StringBuilder::new()),
            Kind::Int => Self::Int(Int64Builder::new()),
            Kind::Float => Self::Float(Float64Builder::new()),
            Kind::Day => Self::Day(Date32Builder::new()),
            Kind::Flag => Self::Flag(BooleanBuilder::new()),
        }
    }

    /// A row's cells have the kinds its table declares (both come from one declaration), so what does not pair is a null.
    #[inline]
    fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Self::Text(cells), Value::Text(text)) => cells.append_value(text),
            (Self::Int(cells), Value::Int(whole)) => cells.append_value(whole),
            (Self::Float(cells), Value::Float(x)) => cells.append_value(x),
            (Self::Day(cells), Value::Day(day)) => cells.append_value(day),
            (Self::Flag(cells), Value::Flag(flag)) => cells.append_value(flag),
            (Self::Text(cells), _) => cells.append_null(),
            (Self::Int(cells), _) => cells.append_null(),
            (Self::Float(cells), _) => cells.append_null(),
            (Self::Day(cells), _) => cells.append_null(),
            (Self::Flag(cells), _) => cells.append_null(),
        }
    }

    /// Cells of a stored column of the same kind; where the file has no such column, nulls.
    fn copy(&mut self, lane: &Lane, rows: Range<usize>) -> Result<(), ArrowError> {
        let count = rows.len();
        match (self, lane) {
            (Self::Text(cells), Lane::Text(stored)) => cells.append_array(&stored.slice(rows.start, count))?,
            (Self::Int(cells), Lane::Int(stored)) => cells.append_array(&stored.slice(rows.start, count)),
            (Self::Float(cells), Lane::Float(stored)) => cells.append_array(&stored.slice(rows.start, count)),
            (Self::Day(cells), Lane::Day(stored)) => cells.append_array(&stored.slice(rows.start, count)),
            (Self::Flag(cells), Lane::Flag(stored)) => cells.append_array(&stored.slice(rows.start, count)),
            (cells, _) => (0..count).for_each(|_| cells.push(Value::Null)),
        }
        Ok(())
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Self::Text(cells) => Arc::new(cells.finish()),
            Self::Int(cells) => Arc::new(cells.finish()),
            Self::Float(cells) => Arc::new(cells.finish()),
            Self::Day(cells) => Arc::new(cells.finish()),
            Self::Flag(cells) => Arc::new(cells.finish()),
        }
    }
}

/// Rows on their way to a record batch.
pub struct Buffer {
    schema: SchemaRef,
    filling: Vec<Filling>,
    rows: usize,
}

impl Buffer {
    /// An empty buffer for declared columns.
    #[must_use]
    pub fn new(columns: &[Column]) -> Self {
        let filling = columns.iter().map(|column| Filling::of(column.kind)).collect();
        Self { schema: schema(columns), filling, rows: 0 }
    }

    /// Rows in it.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Adds one row of the table the buffer was made for.
    pub fn push<R: Row>(&mut self, row: &R) {
        row.values(&mut |at, value| self.filling[at].push(value));
        self.rows += 1;
    }

    /// Adds stored rows of the table the buffer was made for.
    ///
    /// # Errors
    /// Arrow's, when a column of texts grows past what it can hold.
    pub fn copy(&mut self, stored: &Columns, rows: Range<usize>) -> Result<(), ArrowError> {
        self.rows += rows.len();
        self.filling.iter_mut().zip(&stored.lanes).try_for_each(|(cells, lane)| cells.copy(lane, rows.clone()))
    }

    /// Everything in it as one batch; the buffer is empty afterwards.
    ///
    /// # Errors
    /// Arrow's, when a column that may not be null holds one.
    pub fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let arrays = self.filling.iter_mut().map(Filling::take).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

/// One declared column of a batch.
#[derive(Clone)]
enum Lane {
    Text(StringArray),
    Int(Int64Array),
    Float(Float64Array),
    Day(Date32Array),
    Flag(BooleanArray),
    /// Not in the file, and may be null.
    Absent,
}

impl Lane {
    fn of(array: &ArrayRef, kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::Text => Self::Text(array.as_string_opt::<i32>()?.clone()),
            Kind::Int => Self::Int(array.as_primitive_opt::<Int64Type>()?.clone()),
            Kind::Float => Self::Float(array.as_primitive_opt::<Float64Type>()?.clone()),
            Kind::Day => Self::Day(array.as_primitive_opt::<Date32Type>()?.clone()),
            Kind::Flag => Self::Flag(array.as_boolean_opt()?.clone()),
        })
    }

    #[inline]
    fn at(&self, row: usize) -> Value<'_> {
        match self {
            Self::Text(cells) if cells.is_valid(row) => Value::Text(cells.value(row)),
            Self::Int(cells) if cells.is_valid(row) => Value::Int(cells.value(row)),
            Self::Float(cells) if cells.is_valid(row) => Value::Float(cells.value(row)),
            Self::Day(cells) if cells.is_valid(row) => Value::Day(cells.value(row)),
            Self::Flag(cells) if cells.is_valid(row) => Value::Flag(cells.value(row)),
            _ => Value::Null,
        }
    }

    fn slice(&self, rows: &Range<usize>) -> Self {
        let (from, count) = (rows.start, rows.len());
        match self {
            Self::Text(cells) => Self::Text(cells.slice(from, count)),
            Self::Int(cells) => Self::Int(cells.slice(from, count)),
            Self::Float(cells) => Self::Float(cells.slice(from, count)),
            Self::Day(cells) => Self::Day(cells.slice(from, count)),
            Self::Flag(cells) => Self::Flag(cells.slice(from, count)),
            Self::Absent => Self::Absent,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a == b,
            (Self::Day(a), Self::Day(b)) => a == b,
            (Self::Flag(a), Self::Flag(b)) => a == b,
            (Self::Absent, Self::Absent) => true,
            _ => false,
        }
    }

    fn has_null(&self, rows: usize) -> bool {
        match self {
            Self::Text(cells) => cells.null_count() > 0,
            Self::Int(cells) => cells.null_count() > 0,
            Self::Float(cells) => cells.null_count() > 0,
            Self::Day(cells) => cells.null_count() > 0,
            Self::Flag(cells) => cells.null_count() > 0,
            Self::Absent => rows > 0,
        }
    }
}

/// A declared column that a batch does not hold as declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The column.
    pub column: &'static str,
    /// What is wrong with it.
    pub problem: &'static str,
}

/// A batch seen through declared columns, in their order.
#[derive(Clone)]
pub struct Columns {
    rows: usize,
    lanes: Vec<Lane>,
}

impl Columns {
    /// Looks the columns up by name.
    ///
    /// # Errors
    /// [`Misfit`] when a column is missing and may not be null, or holds another type.
    pub fn of(batch: &RecordBatch, columns: &[&'static Column]) -> Result<Self, Misfit> {
        let lane = |column: &&'static Column| match batch.column_by_name(column.name) {
            None if column.nullable => Ok(Lane::Absent),
            None => Err(Misfit { column: column.name, problem: "is missing" }),
            Some(array) => Lane::of(array, column.kind)
                .ok_or(Misfit { column: column.name, problem: "holds another type than declared" }),
        };
        Ok(Self { rows: batch.num_rows(), lanes: columns.iter().map(lane).collect::<Result<_, _>>()? })
    }

    /// No rows of these columns.
    #[must_use]
    pub fn empty(columns: &[&'static Column]) -> Self {
        Self { rows: 0, lanes: columns.iter().map(|_| Lane::Absent).collect() }
    }

    /// The same rows seen through some of the columns, by their places; nothing is copied.
    #[must_use]
    pub fn select(&self, columns: &[usize]) -> Self {
        let lane = |at: &usize| self.lanes.get(*at).cloned().unwrap_or(Lane::Absent);
        Self { rows: self.rows, lanes: columns.iter().map(lane).collect() }
    }

    /// Some of the rows; nothing is copied.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Self {
        let lanes = self.lanes.iter().map(|lane| lane.slice(&rows)).collect();
        Self { rows: rows.len(), lanes }
    }

    /// Whether all cells are those of another view of the same columns.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let pairs = || self.lanes.iter().zip(&other.lanes);
        self.rows == other.rows && self.lanes.len() == other.lanes.len() && pairs().all(|(a, b)| a.is_same(b))
    }

    /// Rows in the batch.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Columns that are looked through.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.lanes.len()
    }

    /// One cell.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> Value<'_> {
        self.lanes.get(column).map_or(Value::Null, |lane| lane.at(row))
    }

    /// Text, or `None` when absent.
    #[must_use]
    pub fn text(&self, row: usize, column: usize) -> Option<&str> {
        match self.at(row, column) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number, or `None` when absent.
    #[must_use]
    pub fn int(&self, row: usize, column: usize) -> Option<i64> {
        match self.at(row, column) {
            Value::Int(whole) => Some(whole),
            _ => None,
        }
    }

    /// A truth value; absent counts as false.
    #[must_use]
    pub fn flag(&self, row: usize, column: usize) -> bool {
        self.at(row, column) == Value::Flag(true)
    }

    /// A truth value, or `None` when absent.
    #[must_use]
    pub fn maybe_flag(&self, row: usize, column: usize) -> Option<bool> {
        match self.at(row, column) {
            Value::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    /// Whether any cell of the column is absent.
    #[must_use]
    pub fn has_null(&self, column: usize) -> bool {
        self.lanes.get(column).is_none_or(|lane| lane.has_null(self.rows))
    }

    /// The first column with a float that is not finite.
    #[must_use]
    pub fn not_finite(&self) -> Option<usize> {
        self.lanes.iter().position(|lane| match lane {
            Lane::Float(cells) => cells.iter().flatten().any(|x| !x.is_finite()),
            _ => false,
        })
    }

    /// Compares a row with a row of another view of the same columns, column by column.
    #[must_use]
    pub fn compare(&self, row: usize, other: (&Self, usize)) -> Ordering {
        let (theirs, at) = other;
        self.lanes
            .iter()
            .zip(&theirs.lanes)
            .map(|(a, b)| a.at(row).order(&b.at(at)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// The rows, of a table whose columns these are.
    ///
    /// # Errors
    /// [`Misfit`] when a cell is absent that may not be.
    pub fn rows_of<R: Row>(&self) -> Result<Vec<R>, Misfit> {
        // Rows are wide: collecting into a `Result` does not know how many come, and would move them as it grows.
        let mut rows = Vec::with_capacity(self.rows);
        self.add_rows(0..self.rows, &mut rows)?;
        Ok(rows)
    }

    /// Adds some of the rows, of a table whose columns these are.
    ///
    /// # Errors
    /// [`Misfit`] when a cell is absent that may not be.
    pub fn add_rows<R: Row>(&self, some: impl Iterator<Item = usize>, rows: &mut Vec<R>) -> Result<(), Misfit> {
        for row in some {
            rows.push(self.row(row).ok_or_else(|| self.absent::<R>(row))?);
        }
        Ok(())
    }

    /// One row, of a table whose columns these are; `None` when a cell is absent that may not be.
    #[must_use]
    pub fn row<R: Row>(&self, row: usize) -> Option<R> {
        R::read(&mut |column| self.lanes[column].at(row))
    }

    /// Which column made a row unreadable.
    fn absent<R: Row>(&self, row: usize) -> Misfit {
        let found = (0..R::COLUMNS.len()).find(|&at| !R::COLUMNS[at].nullable && self.at(row, at) == Value::Null);
        Misfit { column: found.map_or("", |at| R::COLUMNS[at].name), problem: "is null and may not be" }
    }
}
