//! The first look at every file: whose match is it, and how deeply is it analysed?
//!
//! Files are read, hashed and parsed in parallel, and dropped again: what stays of each is a [`Sighting`], so memory does
//! not grow with the corpus. A file that fails is a value; a panic of ours becomes `quarantined`, reason `internal`; a
//! file that changes while it is read is `ignored`, reason `changing`, and tried by the next run.

use super::resolve::{Ended, Finding, Place, Seen, Sighting};
use super::side;
use super::walk::{Found, Stat};
use crate::ingest::recognise::{Recognised, Side};
use crate::ingest::record::{End, Record, Rejected};
use crate::ingest::weight::Weight;
use crate::ingest::{self, archive, identity, recognise};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// No file that is read whole may be larger (`nightly.md`, hostile input); archives are read in place.
const LARGEST: u64 = 64 << 20;

/// Looks at every file; the sightings come back sorted by shown path.
#[must_use]
pub fn scan(found: &[Found], tick: &(dyn Fn() + Sync)) -> Vec<Sighting> {
    let mut sightings: Vec<Sighting> = found
        .par_iter()
        .flat_map_iter(|file| {
            let seen = guarded(|| look(file));
            tick();
            seen.unwrap_or_else(|ended| vec![unread(file, ended)])
        })
        .collect();
    sightings.sort_by(|a, b| a.shown.cmp(&b.shown));
    sightings
}

fn look(file: &Found) -> Vec<Sighting> {
    let ended = |status, reason: &str, detail: String| {
        vec![unread(file, Ended { status, format: None, reason: reason.to_owned(), detail, offset: None })]
    };
    if file.stat.size > archive::LARGEST_ARCHIVE {
        return ended("quarantined", "too_large", format!("{} bytes are more than a match file has", file.stat.size));
    }
    let bytes = match std::fs::read(&file.at) {
        Ok(bytes) => bytes,
        Err(fault) => return ended("ignored", "unreadable", fault.to_string()),
    };
    let after = std::fs::metadata(&file.at).map(|meta| Stat::of(&meta));
    if after.as_ref().ok() != Some(&file.stat) {
        return ended("ignored", "changing", "the file changed while it was read".to_owned());
    }
    if recognise::recognise(&bytes) == Recognised::Zip {
        return look_inside(file, &bytes);
    }
    vec![sighting(&file.shown, Place::File(file.at.clone()), &bytes)]
}

/// A file nothing of which is known but how it ended.
fn unread(file: &Found, ended: Ended) -> Sighting {
    Sighting {
        shown: file.shown.clone(),
        place: Place::File(file.at.clone()),
        size: file.stat.size,
        content: None,
        found: Finding::Ended(ended),
    }
}

/// Work on somebody's bytes: a panic of ours ends that file and nothing else.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Ended> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Ended {
        status: "quarantined",
        format: None,
        reason: "internal".to_owned(),
        detail: "the reader failed: please report this file".to_owned(),
        offset: None,
    })
}

/// The archive's own sighting and one for each member.
fn look_inside(file: &Found, bytes: &[u8]) -> Vec<Sighting> {
    let mut all = Vec::new();
    let outcome = archive::members(bytes, &mut |member| {
        let shown = format!("{}!/{}", file.shown, member.name);
        let place = Place::Member(file.at.clone(), member.index);
        all.push(match member.content {
            Ok(content) => sighting(&shown, place, &content),
            Err(rejected) => {
                Sighting { shown, place, size: 0, content: None, found: Finding::Ended(rejection(None, &rejected)) }
            }
        });
    });
    let found = match outcome {
        Ok(()) => Finding::Archive,
        Err(rejected) => Finding::Ended(rejection(Some("zip"), &rejected)),
    };
    all.push(Sighting {
        shown: file.shown.clone(),
        place: Place::File(file.at.clone()),
        size: file.stat.size,
        content: Some(*blake3::hash(bytes).as_bytes()),
        found,
    });
    all
}

fn sighting(shown: &str, place: Place, bytes: &[u8]) -> Sighting {
    let content = *blake3::hash(bytes).as_bytes();
    let found = guarded(|| finding(shown, bytes, &content)).unwrap_or_else(Finding::Ended);
    Sighting { shown: shown.to_owned(), place, size: bytes.len() as u64, content: Some(content), found }
}

fn finding(shown: &str, bytes: &[u8], content: &[u8; 32]) -> Finding {
    let side = match recognise::recognise(bytes) {
        Recognised::Side(Side::StudyLog) => Some(side::study(bytes)),
        Recognised::Side(Side::Places) => Some(side::final_places(bytes)),
        _ => None,
    };
    match side {
        Some(Ok(sheets)) => Finding::Side(sheets),
        Some(Err(rejected)) => Finding::Ended(rejection(None, &rejected)),
        None => match parse(bytes, shown) {
            Ok(record) => Finding::Match(Box::new(seen(&record, content))),
            Err(ended) => Finding::Ended(ended),
        },
    }
}

/// Bytes to a record, whatever happens on the way.
///
/// # Errors
/// Why the file gives nothing: foreign, unsupported, damaged, or a fault of ours.
pub fn parse(bytes: &[u8], shown: &str) -> Result<Record, Ended> {
    if bytes.len() as u64 > LARGEST {
        let rejected = Rejected::damaged("too_large", 0, "more bytes than a match file has");
        return Err(rejection(None, &rejected));
    }
    match guarded(|| ingest::read(bytes, shown.as_bytes()))? {
        Ok(record) => Ok(record),
        Err(ingest::Ended::Rejected(rejected)) => Err(rejection(None, &rejected)),
        Err(ingest::Ended::Foreign) => Err(ignored("foreign", "not a file of backgammon matches")),
        Err(ingest::Ended::Side(side)) => Err(ignored(side.token(), "goes with matches, holds none")),
        Err(ingest::Ended::Archive) => Err(ignored("archive", "an archive where a match was expected")),
    }
}

fn ignored(reason: &str, detail: &str) -> Ended {
    Ended { status: "ignored", format: None, reason: reason.to_owned(), detail: detail.to_owned(), offset: None }
}

fn rejection(format: Option<&'static str>, rejected: &Rejected) -> Ended {
    Ended {
        status: match rejected.end {
            End::Quarantined => "quarantined",
            End::Unsupported => "unsupported",
        },
        format,
        reason: rejected.code.clone(),
        detail: rejected.detail.clone(),
        offset: Some(rejected.offset),
    }
}

pub(super) fn seen(record: &Record, content: &[u8; 32]) -> Seen {
    Seen {
        identity: identity::identity(record, content),
        format: record.format,
        engine: record.engine,
        weight: Weight::of(record),
        event: record.event.clone(),
        round: record.round.clone(),
        year: record.date.map(jiff::civil::Date::year),
        partial: record.partial.then(|| {
            let fault = record.faults.first();
            let why = fault.map_or("the file breaks off", |fault| fault.reason.as_str());
            (fault.map_or(0, |fault| fault.offset), why.to_owned())
        }),
    }
}

/// The bytes of a sighting again, for the second look.
///
/// # Errors
/// When the file or the archive can no longer be read.
pub fn bytes_of(place: &Place) -> std::io::Result<Vec<u8>> {
    match place {
        Place::File(path) => std::fs::read(path),
        Place::Member(archive, index) => member(archive, *index),
    }
}

fn member(path: &Path, index: usize) -> std::io::Result<Vec<u8>> {
    archive::member(std::fs::File::open(path)?, index).map_err(|rejected| std::io::Error::other(rejected.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_ours_is_quarantined_as_internal() {
        let ended = guarded(|| panic!("a fault of ours")).map(|()| unreachable!()).unwrap_err();
        assert_eq!((ended.status, ended.reason.as_str(), ended.offset), ("quarantined", "internal", None));
        assert!(ended.detail.contains("please report"), "{}", ended.detail);
    }
}
