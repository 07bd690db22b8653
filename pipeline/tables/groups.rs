//! The rows of a part match by match, in the order of the file, for whoever needs whole matches and never a whole bucket.
//!
//! Parts are sorted by match first, so matches are asked for in rising order and each row is read once. Memory: the rows
//! of the match asked for and those of one batch, however long the part.

use super::batches::Batches;
use super::columns::Columns;
use super::facts::match_of;
use super::fault::TableFault;
use super::lake::Listed;
use super::part::{self, PartWriter, id_column};
use super::prune::Asked;
use super::row::{Column, Row};
use super::strata::{self, Layers, Stratum, stratum};
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Rows read at a time: about two matches of decisions. Rows as structures are ten times as large as in their file.
const BATCH_ROWS: usize = 1_024;

/// Rows copied at a time: columns are as small as they are in the part they come from.
const COPIED_ROWS: usize = 8_192;

/// A part being read.
pub struct Groups<R: Row> {
    /// `None` when there is no part, and at its end.
    batches: Option<Batches>,
    batch: Option<Columns>,
    /// Rows of the batch that are behind us.
    passed: usize,
    /// The column that tells which rows belong together, and what of its texts does.
    column: usize,
    word: fn(&str) -> &str,
    row: PhantomData<R>,
}

impl<R: Row> Groups<R> {
    /// Opens a part; a bucket that has none of this table has no rows of it. Rows that have one word in a column belong
    /// together, and words rise.
    ///
    /// # Errors
    /// As [`part::read`](super::part::read).
    pub fn open(part: Option<&Path>, (column, word): (&str, fn(&str) -> &str)) -> Result<Self, TableFault> {
        let columns: Vec<&'static Column> = R::COLUMNS.iter().collect();
        let batches = part.map(|path| Batches::open(path, (R::TABLE, &columns), BATCH_ROWS)).transpose()?;
        let place = R::COLUMNS.iter().position(|declared| declared.name == column);
        debug_assert!(place.is_some(), "{} has no column {column}", R::TABLE);
        let column = place.unwrap_or_default();
        Ok(Self { batches, batch: None, passed: 0, column, word, row: PhantomData })
    }

    /// Opens a part for these matches alone: what cannot hold one of them is not read.
    ///
    /// # Errors
    /// As [`part::read`](super::part::read).
    pub fn open_for(part: Option<&Path>, ids: &BTreeSet<&str>) -> Result<Self, TableFault> {
        let columns: Vec<&'static Column> = R::COLUMNS.iter().collect();
        let id = id_column::<R>();
        let asked = Asked { column: R::COLUMNS.get(id).map_or("", |column| column.name), word: match_of, wanted: ids };
        let open = |path| Batches::holding(path, (R::TABLE, &columns), (&asked, BATCH_ROWS));
        let batches = part.map(open).transpose()?;
        Ok(Self { batches, batch: None, passed: 0, column: id, word: match_of, row: PhantomData })
    }

    /// The rows of a word. Those of the words before it are passed over, and never come again.
    ///
    /// # Errors
    /// As [`part::read`](super::part::read).
    pub fn of(&mut self, asked: &str) -> Result<Vec<R>, TableFault> {
        let mut rows = Vec::new();
        loop {
            let Some(batches) = &mut self.batches else { return Ok(rows) };
            if let Some(batch) = &self.batch {
                let own = span(batch, self.passed, (self.column, self.word, asked));
                self.passed = own.end;
                if !own.is_empty() {
                    rows.append(&mut batches.rows(&batch.slice(own))?);
                }
                if self.passed < batch.rows() {
                    return Ok(rows);
                }
            }
            self.passed = 0;
            self.batch = batches.next().transpose()?;
            if self.batch.is_none() {
                self.batches = None;
            }
        }
    }
}

/// A stored part whose matches are copied into another part, column by column or whole strata at a time: no row is made of
/// them. Who asks for the first match of a stratum that is whole gets all of it.
pub struct Stretches<R: Row> {
    /// `None` at its end.
    batches: Option<Batches>,
    batch: Option<Arc<Columns>>,
    /// Rows of the batch that are behind us.
    passed: usize,
    /// The column that begins with the match's id.
    id: usize,
    /// Where strata are taken over as they are.
    layers: Option<Layers>,
    bucket: String,
    /// Strata that are taken over, and the last that was.
    whole: BTreeSet<Stratum>,
    taken: Option<Stratum>,
    row: PhantomData<R>,
}

impl<R: Row> Stretches<R> {
    /// Opens a part; `None` when it is gone or its bytes are not those it was written with. Of the strata that `whole` names
    /// every match is asked for. Memory: the bytes of the part.
    ///
    /// # Errors
    /// As [`part::read`].
    pub fn open(part: &Listed, whole: BTreeSet<Stratum>) -> Result<Option<Self>, TableFault> {
        let Some(bytes) = part::whole_bytes(part)? else { return Ok(None) };
        let columns: Vec<&'static Column> = R::COLUMNS.iter().collect();
        let is_layered = strata::is_layered::<R>() && !whole.is_empty();
        let layers = is_layered.then(|| Layers::open::<R>((bytes.clone(), &part.path), &part.bucket));
        let layers = layers.transpose()?.flatten();
        let batches = match &layers {
            None => Batches::of_bytes((bytes, &part.path), (R::TABLE, &columns), COPIED_ROWS)?,
            Some(layers) => {
                let rest = layers.without(|stratum| whole.contains(&stratum));
                Batches::of_layers((layers, &part.path), &columns, (rest, COPIED_ROWS))?
            }
        };
        let (batches, bucket, id) = (Some(batches), part.bucket.clone(), id_column::<R>());
        Ok(Some(Self { batches, batch: None, passed: 0, id, layers, bucket, whole, taken: None, row: PhantomData }))
    }

    /// Copies the rows of a match, or those of its stratum where that is taken over, once; those of the matches before it are
    /// passed over. Returns how many there were.
    ///
    /// # Errors
    /// As [`part::read`](super::part::read) and [`PartWriter::push`].
    pub fn copy(&mut self, id: &str, to: &mut PartWriter<R>) -> Result<usize, TableFault> {
        if let Some(layers) = &self.layers {
            let stratum = stratum(R::TABLE, &self.bucket, id);
            if self.whole.contains(&stratum) {
                let is_next = self.taken.replace(stratum) != Some(stratum);
                return if is_next { to.splice(layers, stratum) } else { Ok(0) };
            }
        }
        let mut copied = 0;
        loop {
            if let Some(batch) = &self.batch {
                let own = span(batch, self.passed, (self.id, match_of, id));
                self.passed = own.end;
                copied += own.len();
                to.copy(batch, own)?;
                if self.passed < batch.rows() {
                    return Ok(copied);
                }
            }
            let Some(next) = self.batches.as_mut().and_then(Iterator::next) else {
                (self.batches, self.batch) = (None, None);
                return Ok(copied);
            };
            (self.batch, self.passed) = (Some(Arc::new(next?)), 0);
        }
    }
}

/// The rows from `from` on that have this word in a column.
fn span(batch: &Columns, from: usize, (column, word, asked): (usize, fn(&str) -> &str, &str)) -> Range<usize> {
    let of = |row: usize| word(batch.text(row, column).unwrap_or_default());
    let first = first_where(from, batch.rows(), |row| of(row) >= asked);
    first..first_where(first, batch.rows(), |row| of(row) > asked)
}

/// The first row from `from` on for which `holds`, which does from there to `end`; `end` when there is none.
fn first_where(from: usize, end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (from, end);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
