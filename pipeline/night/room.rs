//! Room on the disk, estimated before the work: a night that would fill it says so and writes nothing.

use super::build::Touched;
use super::fault::NightFault;
use super::ledger::{Ledger, Where};
use crate::tables::lake::{self, Lake};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Of what the touched parts hold now, how much has to be free (`nightly.md` 11: x 1.2), in tenths.
const TENTHS: u64 = 12;

/// What a match takes where none is stored yet to go by: the largest of a season of seven-point matches, analysed to
/// the full.
const A_MATCH: u64 = 64 << 10;

/// Whether the parts that will be written have room. What a run that was stopped has written of them counts as room: it is
/// used or makes way.
///
/// # Errors
/// [`NightFault::NoRoom`].
pub fn check(lake: &Lake, touched: &BTreeMap<Where, Touched>, ledger: &Ledger) -> Result<(), NightFault> {
    let needed = needed(lake, touched, ledger);
    let Some(free) = free(lake.root()) else { return Ok(()) };
    if free.saturating_add(written(&lake.next())) < needed {
        return Err(NightFault::NoRoom { path: lake.root().to_path_buf(), needed, free });
    }
    Ok(())
}

/// Bytes that the touched parts will take, with a margin.
#[must_use]
pub fn needed(lake: &Lake, touched: &BTreeMap<Where, Touched>, ledger: &Ledger) -> u64 {
    let size = |place: &Where| -> u64 {
        let parts = ledger.buckets.get(place).into_iter().flat_map(|entry| &entry.parts);
        parts
            .filter_map(|(table, name)| {
                std::fs::metadata(lake::table_dir(&lake.current(), table, &place.0).join(name)).ok()
            })
            .map(|meta| meta.len())
            .sum()
    };
    let each = |(place, why): (&Where, &Touched)| size(place) + why.made.len() as u64 * A_MATCH;
    touched.iter().map(each).sum::<u64>() * TENTHS / 10
}

/// Bytes of the files that only the snapshot being built holds.
fn written(next: &Path) -> u64 {
    let (mut bytes, mut folders) = (0, vec![next.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => folders.push(entry.path()),
                Ok(meta) if meta.nlink() == 1 => bytes += meta.len(),
                _ => {}
            }
        }
    }
    bytes
}

/// Bytes that are free for us; `None` where the file system does not say.
fn free(path: &Path) -> Option<u64> {
    std::fs::create_dir_all(path).ok()?;
    let said = rustix::fs::statvfs(path).ok()?;
    said.f_bavail.checked_mul(said.f_frsize)
}
