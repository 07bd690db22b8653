//! What analyses say of some positions, out of the largest of the partials.
//!
//! `rulings` has a row per analysed decision, and few of them are of a position that somebody asks about; which these are
//! is another question every night. So of each part it is remembered what it says, as bare bytes ([`sayings`]): to look
//! through these takes a tenth of the time that it takes to read the part. The name of a part tells its bytes, and what is
//! remembered under it can be of no other.

use super::MeasureFault;
use super::reference::rulings::Ruling;
use super::sayings::{self, Sayings};
use super::snapshot::side_by_side;
use crate::tables::columns::Columns;
use crate::tables::fault::TableFault;
use crate::tables::part;
use crate::tables::partials::RulingRow;
use crate::tables::row::Row as _;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Leading bits of a position by which most of those are told apart that nobody wants: a table that stays in a cache of the
/// processor, sparse with tens of thousands of positions.
const LEADING: u32 = 20;

/// Bits of a position's short number.
const BITS: u32 = 63;

/// Positions that are asked about, by their short numbers, which are hashes.
pub(super) struct Wanted<'a> {
    all: &'a BTreeSet<i64>,
    /// A bit for the leading bits of each.
    leading: Vec<u64>,
}

impl<'a> Wanted<'a> {
    pub(super) fn of(all: &'a BTreeSet<i64>) -> Self {
        let mut leading = vec![0; 1 << (LEADING - u64::BITS.ilog2())];
        for position in all {
            let (word, bit) = first_bits(*position);
            if let Some(word) = leading.get_mut(word) {
                *word |= bit;
            }
        }
        Self { all, leading }
    }

    fn holds(&self, position: i64) -> bool {
        let (word, bit) = first_bits(position);
        self.leading.get(word).is_none_or(|word| word & bit != 0) && self.all.contains(&position)
    }
}

/// Word and bit of the table; past it for what is no short number of a position.
fn first_bits(position: i64) -> (usize, u64) {
    let leading = usize::try_from(position >> (BITS - LEADING)).unwrap_or(usize::MAX);
    (leading >> u64::BITS.ilog2(), 1 << (leading % u64::BITS as usize))
}

/// Where it is remembered what parts of `rulings` say, each by its path.
pub trait Memory: Sync {
    /// What was kept of a part.
    fn recall(&self, part: &Path) -> Option<Vec<u8>>;

    /// Takes what was kept of a part and has been looked through, for whoever recalls it next.
    fn hold(&self, _part: &Path, _said: Vec<u8>) {}

    /// Keeps something of a part.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&self, part: &Path, said: &[u8]) -> Result<(), TableFault>;
}

/// Remembers nothing: every part is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Oblivion;

impl Memory for Oblivion {
    fn recall(&self, _: &Path) -> Option<Vec<u8>> {
        None
    }

    fn keep(&self, _: &Path, _: &[u8]) -> Result<(), TableFault> {
        Ok(())
    }
}

/// Whether somebody will ask for the same parts again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Yes.
    Again,
    /// No.
    Last,
}

/// What some parts of `rulings` say of the wanted positions, in the order of their rows.
///
/// # Errors
/// A part that cannot be read or does not fit the schema; what `memory` cannot write.
pub(super) fn said(
    parts: &[PathBuf],
    wanted: &Wanted<'_>,
    (memory, asked): (&dyn Memory, Asked),
) -> Result<Vec<(i64, Ruling)>, MeasureFault> {
    side_by_side(parts, |path| {
        if let Some(kept) = memory.recall(path)
            && let Some(said) = Sayings::of(&kept).and_then(|said| said.of_those(|position| wanted.holds(position)))
        {
            if asked == Asked::Again {
                memory.hold(path, kept);
            }
            return Ok(said);
        }
        let rows = read(path)?;
        // It only saves time: what is too manifold to be packed is read again.
        if let Some(packed) = sayings::packed(&rows) {
            memory.keep(path, &packed)?;
            if asked == Asked::Again {
                memory.hold(path, packed);
            }
        }
        Ok(rows.into_iter().filter(|(position, _)| wanted.holds(*position)).collect())
    })
}

/// All that a part says.
fn read(path: &Path) -> Result<Vec<(i64, Ruling)>, TableFault> {
    let mut rows = Vec::new();
    let columns = part::key_columns(RulingRow::COLUMNS, &["position", "ruling", "rollout"]);
    part::scan(path, (RulingRow::TABLE, &columns), &mut |batch| {
        rows.extend((0..batch.rows()).filter_map(|row| ruling(batch, row)));
        Ok(())
    })?;
    Ok(rows)
}

fn ruling(batch: &Columns, row: usize) -> Option<(i64, Ruling)> {
    let (position, right) = (batch.int(row, 0)?, batch.text(row, 1)?);
    Some((position, Ruling { right: right.to_owned(), rollout: batch.flag(row, 2) }))
}
