//! The first look at every file: whose match is it, and how deeply is it analysed?
//!
//! Files that changed since the last night are read, hashed and parsed in parallel, and dropped again: what stays of each
//! is a [`Sighting`], so memory does not grow with the corpus. A file that fails is a value; a panic of ours becomes `quarantined`, reason `internal`; a
//! file that changes while it is read, or cannot be read, is `ignored` and tried by the next run; what an earlier night found
//! in it stands.

use super::amount::amount;
use super::files::{Files, Known, Standing};
use super::resolve::{Ended, Finding, Place, Seen, Sighting, Verdict};
use super::side::{self, Sheets};
use super::signal::{self, Stop};
use super::status::terminal;
use super::walk::{Found, Stat};
use crate::config::Missing;
use crate::ingest::outcome::{MatchResult, outcome};
use crate::ingest::recognise::{Recognised, Side};
use crate::ingest::record::{End, Record, Rejected};
use crate::ingest::weight::Weight;
use crate::ingest::{self, archive, identity, recognise};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// No file that is read whole may be larger (`nightly.md`, hostile input); archives are read in place.
const LARGEST: u64 = 64 << 20;

/// What a walk amounts to.
#[derive(Debug, Default)]
pub struct Scanned {
    /// Sorted by shown path.
    pub sightings: Vec<Sighting>,
    /// Every file that was read, for the next night.
    pub known: BTreeMap<String, Known>,
    /// What the cache holds whole of earlier nights' sightings: [`Files::keep`] need not write it again.
    pub sheaves: BTreeSet<String>,
    /// Files that no earlier night knew, and files whose content is another.
    pub fresh: Fresh,
    /// Some folder could not be listed.
    is_partly_shut: bool,
    /// What an earlier night found in a file whose content is another now.
    earlier: BTreeMap<PathBuf, Earlier>,
}

#[derive(Debug)]
struct Earlier {
    shown: String,
    known: Known,
    sightings: Vec<Sighting>,
}

/// Files that an earlier night did not know as they are.
#[derive(Debug, Default)]
pub struct Fresh {
    /// How many files there are.
    pub files: usize,
    /// Not known at all.
    pub new: Vec<String>,
    /// Known with another content.
    pub changed: Vec<String>,
    /// Known, and no longer there.
    pub vanished: Vec<String>,
}

/// What became of one file.
enum Looked {
    /// Its content is the one that was known, and so are its sightings.
    Same(Known),
    /// It was read and parsed; without [`Known`] it could not be read.
    Read(Option<Known>, Vec<Sighting>),
    /// It is known and cannot be read tonight: a file that is there takes nothing away.
    Stands(Known, Ended),
}

/// Looks at every file that `files` does not know as it is. What it knows below a folder that is `shut` stands.
///
/// # Errors
/// A signal that said stop.
pub fn scan(
    (found, shut): (&[Found], &[(String, String)]),
    (mut files, missing): (Files, Missing),
    tick: &(dyn Fn() + Sync),
) -> Result<Scanned, Stop> {
    // A file that is read takes a thousand times as long as one that is known: each goes to whoever has time.
    let looked: Vec<Looked> = found
        .par_iter()
        .with_max_len(1)
        .map(|file| {
            signal::pause()?;
            let looked = look(file, &files);
            tick();
            Ok(looked)
        })
        .collect::<Result<_, Stop>>()?;
    let fresh = Fresh::of(found, &looked, &files);
    let mut scanned =
        Scanned { fresh, sheaves: files.sheaves(), is_partly_shut: !shut.is_empty(), ..Scanned::default() };
    for (file, looked) in found.iter().zip(looked) {
        let (known, sightings) = match looked {
            Looked::Same(known) => (Some(known), files.take(file)),
            Looked::Read(known, sightings) => {
                scanned.earlier.extend(files.earlier(file).map(|(known, sightings)| {
                    (file.at.clone(), Earlier { shown: file.shown.clone(), known, sightings })
                }));
                (known, sightings)
            }
            Looked::Stands(known, ended) => {
                let Standing { sightings, lost } = files.standing(file, &ended);
                away(&lost, &ended);
                if sightings.is_empty() { (None, vec![failed(file, ended)]) } else { (Some(known), sightings) }
            }
        };
        scanned.known.extend(known.map(|known| (file.shown.clone(), known)));
        scanned.sightings.extend(sightings);
    }
    for shown in std::mem::take(&mut scanned.fresh.vanished) {
        let unlisted = unlisted(&shown, shut);
        if unlisted.is_some() || missing == Missing::Keep {
            let Standing { sightings: kept, lost } = files.missing(&shown, unlisted.as_ref());
            unlisted.iter().for_each(|why| away(&lost, why));
            // What nothing stands of is new when it is back.
            let known = files.of(&shown).filter(|_| !kept.is_empty());
            scanned.known.extend(known.map(|known| (shown.clone(), *known)));
            scanned.sightings.extend(kept);
        }
        if unlisted.is_none() {
            scanned.fresh.vanished.push(shown);
        }
    }
    scanned.sightings.sort_by(|a, b| a.shown.cmp(&b.shown));
    Ok(scanned)
}

/// Tells which files that go with matches say nothing tonight.
fn away(lost: &[String], why: &Ended) {
    for shown in lost {
        tracing::warn!(
            "{} cannot be read: {}; what it said is away until it can be",
            terminal(shown),
            terminal(&why.detail)
        );
    }
}

/// Why nobody can say whether a file is still there: a folder on its path cannot be listed.
fn unlisted(shown: &str, shut: &[(String, String)]) -> Option<Ended> {
    let above = |folder: &str| shown.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let (folder, why) = shut.iter().find(|(folder, _)| above(folder))?;
    Some(Ended {
        verdict: Verdict::Ignored,
        format: None,
        reason: "unlisted".to_owned(),
        detail: format!("{folder}: {why}"),
        offset: None,
    })
}

impl Scanned {
    /// Whether every file could be read: else the next night has to try again.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.is_partly_shut && self.sightings.iter().all(|sighting| sighting.unread.is_none())
    }

    /// Takes what sightings were of no use after all, by their places in the list. Of a file that changed again since it
    /// was looked at stands what an earlier night found in it.
    pub fn spoil(&mut self, spoiled: Vec<(usize, Ended)>) {
        let mut standing = Vec::new();
        for (at, ended) in spoiled {
            let sighting = &mut self.sightings[at];
            let earlier = ended.is_passing().then(|| self.earlier.remove(sighting.place.file())).flatten();
            match earlier {
                Some(earlier) => standing.push((sighting.place.file().to_owned(), earlier, ended)),
                None => sighting.found = Finding::Ended(ended),
            }
        }
        for (at, Earlier { shown, known, sightings }, ended) in standing {
            self.sightings.retain(|sighting| sighting.place.file() != at);
            self.sightings.extend(sightings.into_iter().map(|one| one.standing(&shown, &ended)));
            self.known.insert(shown, known);
        }
        self.sightings.sort_by(|a, b| a.shown.cmp(&b.shown));
    }
}

impl Fresh {
    /// How many files there are, and how many are new, changed, gone.
    #[must_use]
    pub fn summary(&self) -> String {
        let files = self.files;
        let counts = [(self.new.len(), "new"), (self.changed.len(), "changed"), (self.vanished.len(), "vanished")];
        let said: Vec<String> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        let files = amount(files, "file");
        if said.is_empty() { files } else { format!("{files} ({})", said.join(", ")) }
    }

    fn of(found: &[Found], looked: &[Looked], files: &Files) -> Self {
        let mut fresh = Self { files: found.len(), ..Self::default() };
        for (file, looked) in found.iter().zip(looked) {
            let content = match looked {
                Looked::Same(known) | Looked::Stands(known, _) | Looked::Read(Some(known), _) => Some(known.content),
                Looked::Read(None, _) => None,
            };
            match files.of(&file.shown) {
                None => fresh.new.push(file.shown.clone()),
                Some(known) if Some(known.content) != content => fresh.changed.push(file.shown.clone()),
                Some(_) => {}
            }
        }
        let here: BTreeSet<&str> = found.iter().map(|file| file.shown.as_str()).collect();
        fresh.vanished = files.paths().filter(|path| !here.contains(path)).map(str::to_owned).collect();
        fresh
    }
}

fn look(file: &Found, files: &Files) -> Looked {
    let known = files.has_sightings(&file.shown).then(|| files.of(&file.shown)).flatten();
    let stands = files.has_any(&file.shown).then(|| files.of(&file.shown)).flatten();
    if let Some(known) = known.filter(|known| known.stat == file.stat && !known.young) {
        return Looked::Same(*known);
    }
    match read(file) {
        Err(ended) if !ended.is_passing() => {
            Looked::Read(Some(Known::now(file.stat, unread(file))), vec![failed(file, ended)])
        }
        Err(ended) => match stands {
            Some(known) => Looked::Stands(*known, ended),
            None => Looked::Read(None, vec![failed(file, ended)]),
        },
        Ok(bytes) => {
            let now = Known::now(file.stat, *blake3::hash(&bytes).as_bytes());
            if known.is_some_and(|known| known.content == now.content) {
                return Looked::Same(now);
            }
            let sightings = guarded(|| sightings(file, &bytes)).unwrap_or_else(|ended| vec![failed(file, ended)]);
            Looked::Read(Some(now), sightings)
        }
    }
}

/// What stands for the content of a link, or of a file that is too large to be read: its size and time.
fn unread(file: &Found) -> [u8; 32] {
    *blake3::hash(format!("unread {} {}", file.stat.size, file.stat.mtime).as_bytes()).as_bytes()
}

/// The content of a file, hashed: what tells whether anything changed. `None` when it cannot be read whole.
#[must_use]
pub fn content(file: &Found) -> Option<Known> {
    match read(file) {
        Ok(bytes) => Some(Known::now(file.stat, *blake3::hash(&bytes).as_bytes())),
        Err(ended) => (!ended.is_passing()).then(|| Known::now(file.stat, unread(file))),
    }
}

/// The bytes of a file that did not change while they were read.
fn read(file: &Found) -> Result<Vec<u8>, Ended> {
    let ended = |verdict, reason: &str, detail: String| Ended {
        verdict,
        format: None,
        reason: reason.to_owned(),
        detail,
        offset: None,
    };
    if file.is_link {
        let detail = "a link is not followed: lay the file itself in its place".to_owned();
        return Err(ended(Verdict::Ignored, "link", detail));
    }
    if file.stat.size > archive::LARGEST_ARCHIVE {
        let detail = format!("{} bytes are more than a match file has", file.stat.size);
        return Err(ended(Verdict::Quarantined, "too_large", detail));
    }
    let bytes = std::fs::read(&file.at).map_err(|fault| ended(Verdict::Ignored, "unreadable", fault.to_string()))?;
    let after = std::fs::metadata(&file.at).map(|meta| Stat::of(&meta));
    if after.as_ref().ok() != Some(&file.stat) {
        return Err(ended(Verdict::Ignored, "changing", "the file changed while it was read".to_owned()));
    }
    Ok(bytes)
}

fn failed(file: &Found, ended: Ended) -> Sighting {
    Sighting {
        shown: file.shown.clone(),
        place: Place::File(file.at.clone()),
        size: file.stat.size,
        content: None,
        found: Finding::Ended(ended),
        unread: None,
    }
}

fn sightings(file: &Found, bytes: &[u8]) -> Vec<Sighting> {
    if recognise::recognise(bytes) == Recognised::Zip {
        return look_inside(file, bytes);
    }
    vec![sighting(&file.shown, Place::File(file.at.clone()), bytes)]
}

/// Work on somebody's bytes: a panic of ours ends that file and nothing else.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Ended> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Ended {
        verdict: Verdict::Quarantined,
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
                let found = Finding::Ended(rejection(None, &rejected));
                Sighting { shown, place, size: 0, content: None, found, unread: None }
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
        unread: None,
    });
    all
}

fn sighting(shown: &str, place: Place, bytes: &[u8]) -> Sighting {
    let content = *blake3::hash(bytes).as_bytes();
    let found = guarded(|| finding(shown, bytes, &content)).unwrap_or_else(Finding::Ended);
    Sighting { shown: shown.to_owned(), place, size: bytes.len() as u64, content: Some(content), found, unread: None }
}

fn finding(shown: &str, bytes: &[u8], content: &[u8; 32]) -> Finding {
    match beside(bytes) {
        Some(Ok(sheets)) => Finding::Side(sheets),
        Some(Err(ended)) => Finding::Ended(ended),
        None => match parse(bytes, shown) {
            Ok(record) => Finding::Match(Box::new(seen(&record, content))),
            Err(ended) => Finding::Ended(ended),
        },
    }
}

/// What a file that goes with matches says, or why nothing of it can be used; `None` for any other file.
#[must_use]
pub fn beside(bytes: &[u8]) -> Option<Result<Sheets, Ended>> {
    let said = match recognise::recognise(bytes) {
        Recognised::Side(Side::StudyLog) => side::study(bytes),
        Recognised::Side(Side::Places) => side::final_places(bytes),
        Recognised::Side(_) if bytes.len() as u64 > LARGEST => return None,
        Recognised::Side(Side::Contests) => side::contests(bytes),
        Recognised::Side(Side::Draughts) => side::draughts(bytes),
        _ => return None,
    };
    Some(said.map_err(|rejected| rejection(None, &rejected)))
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
        Err(ingest::Ended::Foreign) => {
            let near = recognise::lacks_of_study_log(bytes);
            let said = near.map(|lacks| format!("not a file of backgammon matches; as a study log it lacks {lacks}"));
            Err(ignored("foreign", &said.unwrap_or_else(|| "not a file of backgammon matches".to_owned())))
        }
        Err(ingest::Ended::Side(side)) => Err(ignored(side.token(), "goes with matches, holds none")),
        Err(ingest::Ended::Archive) => Err(ignored("archive", "an archive where a match was expected")),
    }
}

fn ignored(reason: &str, detail: &str) -> Ended {
    Ended {
        verdict: Verdict::Ignored,
        format: None,
        reason: reason.to_owned(),
        detail: detail.to_owned(),
        offset: None,
    }
}

fn rejection(format: Option<&'static str>, rejected: &Rejected) -> Ended {
    Ended {
        verdict: match rejected.end {
            End::Quarantined => Verdict::Quarantined,
            End::Unsupported => Verdict::Unsupported,
        },
        format: format.map(str::to_owned),
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
        names: [record.players[0].name.clone(), record.players[1].name.clone()],
        partial: record.partial.then(|| {
            let fault = record.faults.first();
            let why = fault.map_or("the file breaks off", |fault| fault.reason.as_str());
            (fault.map_or(0, |fault| fault.offset), why.to_owned())
        }),
        remark: remark(record),
    }
}

/// What somebody should know of a file that was read whole: its result contradicts itself, or something that cannot be was
/// passed over.
fn remark(record: &Record) -> Option<(Option<u64>, String)> {
    let contradicts = outcome(record).result == MatchResult::Contradictory;
    let contradiction =
        contradicts.then(|| (None, "both players reach the length: the match has no winner".to_owned()));
    let passed_over = record.faults.first().map(|first| {
        let more = match record.faults.len() {
            1 => String::new(),
            all => format!("; and {} more", all - 1),
        };
        (Some(first.offset), format!("passed over: {}{more}", first.reason))
    });
    contradiction.or(passed_over).filter(|_| !record.partial)
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
        let ended = guarded(|| Vec::<u8>::new()[std::hint::black_box(0)]).err();
        let said =
            ended.map(|ended| (ended.verdict, ended.reason, ended.offset, ended.detail.contains("please report")));
        assert_eq!(said, Some((Verdict::Quarantined, "internal".to_owned(), None, true)));
    }
}
