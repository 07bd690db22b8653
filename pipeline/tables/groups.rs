//! The rows of a part match by match, in the order of the file, for whoever needs whole matches and never a whole bucket.
//!
//! Parts are sorted by match first, so matches are asked for in rising order and each row is read once. Memory: the rows
//! of the match asked for and those of one batch, however long the part.

use super::fault::TableFault;
use super::part::Batches;
use super::row::{Column, Row};
use std::path::Path;

/// Rows read at a time: about two matches of decisions. Rows as structures are ten times as large as in their file.
const BATCH_ROWS: usize = 1_024;

/// A part being read.
pub struct Groups<R: Row> {
    /// `None` when there is no part, and at its end.
    batches: Option<Batches>,
    waiting: std::vec::IntoIter<R>,
    match_id: fn(&R) -> &str,
}

impl<R: Row> Groups<R> {
    /// Opens a part; a bucket that has none of this table has no rows of it. `match_id` says whose a row is.
    ///
    /// # Errors
    /// As [`part::read`](super::part::read).
    pub fn open(part: Option<&Path>, match_id: fn(&R) -> &str) -> Result<Self, TableFault> {
        let columns: Vec<&'static Column> = R::COLUMNS.iter().collect();
        let batches = part.map(|path| Batches::open(path, (R::TABLE, &columns), BATCH_ROWS)).transpose()?;
        Ok(Self { batches, waiting: Vec::new().into_iter(), match_id })
    }

    /// The rows of a match. Those of the matches before it are passed over, and never come again.
    ///
    /// # Errors
    /// As [`part::read`](super::part::read).
    pub fn of(&mut self, id: &str) -> Result<Vec<R>, TableFault> {
        let mut rows = Vec::new();
        loop {
            let before = self.waiting.as_slice().partition_point(|row| (self.match_id)(row) < id);
            self.waiting.by_ref().take(before).for_each(drop);
            let own = self.waiting.as_slice().partition_point(|row| (self.match_id)(row) == id);
            rows.extend(self.waiting.by_ref().take(own));
            if self.waiting.len() > 0 || !self.read_on()? {
                return Ok(rows);
            }
        }
    }

    /// Fetches the next rows; false at the end.
    fn read_on(&mut self) -> Result<bool, TableFault> {
        let Some(batches) = &mut self.batches else { return Ok(false) };
        let Some(batch) = batches.next() else {
            self.batches = None;
            return Ok(false);
        };
        self.waiting = batches.rows(&batch?)?.into_iter();
        Ok(true)
    }
}
