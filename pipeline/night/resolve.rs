//! From files to matches: which files hold the same match, which of them counts, and where the match belongs.
//!
//! Pure: sightings in, resolution out. The rules are `design.md` 4 "Identity": equal content is one file; equal
//! match_id is one match; a sequence that is a proper prefix of another's (same length, same folded names) is an
//! earlier save of it; the primary is the deepest analysis; season, event and round are those of the smallest path, so
//! they do not move when a deeper analysis arrives.

use super::fault::NightFault;
use super::side::{self, Sheets};
use super::walk;
use crate::config::Settings;
use crate::ingest::identity::{self, Identity};
use crate::ingest::record::{Engine, Format};
use crate::ingest::weight::Weight;
use crate::tables::facts::SourceRow;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file, or a member of an archive, after the first look.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// Path below raw/ as shown; a member follows `!/`.
    pub shown: String,
    /// Where its bytes are.
    pub place: Place,
    /// Bytes.
    pub size: u64,
    /// BLAKE3 of the content; `None` when it could not be read.
    pub content: Option<[u8; 32]>,
    /// What the reader said.
    pub found: Finding,
    /// Why it cannot be read tonight; what an earlier night found in it stands.
    pub unread: Option<Ended>,
}

impl Sighting {
    /// The sighting of an earlier night in a file that cannot be read tonight. Members of an archive stand without a word
    /// of their own.
    #[must_use]
    pub fn standing(self, file: &str, why: &Ended) -> Self {
        let unread = (self.shown == file).then(|| why.clone());
        Self { unread, ..self }
    }
}

impl Place {
    /// The file on disk.
    #[must_use]
    pub fn file(&self) -> &Path {
        match self {
            Self::File(path) | Self::Member(path, _) => path,
        }
    }
}

/// Where bytes are.
#[derive(Clone, Debug)]
pub enum Place {
    /// A file.
    File(PathBuf),
    /// A member of an archive, by its index in the central directory.
    Member(PathBuf, usize),
}

/// What a reader said of a file.
#[derive(Clone, Debug)]
pub enum Finding {
    /// A match.
    Match(Box<Seen>),
    /// An archive: its members have sightings of their own.
    Archive,
    /// A file that goes with matches.
    Side(Sheets),
    /// Nothing to use, and why.
    Ended(Ended),
}

/// How a file that gives nothing counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Rejected: it should have held a match.
    Quarantined,
    /// Known, and not read.
    Unsupported,
    /// None of ours, or not now.
    Ignored,
}

impl Verdict {
    /// The stored status.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Quarantined => "quarantined",
            Self::Unsupported => "unsupported",
            Self::Ignored => "ignored",
        }
    }
}

/// Why a file gives nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// How it counts.
    pub verdict: Verdict,
    /// Format where it was recognised.
    pub format: Option<String>,
    /// Stable token.
    pub reason: String,
    /// In words.
    pub detail: String,
    /// First byte that does not fit.
    pub offset: Option<u64>,
}

/// Reasons that hold for one night only.
const PASSING: [&str; 2] = ["changing", "unreadable"];

impl Ended {
    /// Whether the next night tries again though nothing seems to have changed.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        PASSING.contains(&self.reason.as_str())
    }
}

/// What the first look keeps of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// Who it is.
    pub identity: Identity,
    /// Format of the file.
    pub format: Format,
    /// Whose analysis.
    pub engine: Engine,
    /// How much of it.
    pub weight: Weight,
    /// Event as written.
    pub event: Option<String>,
    /// Round as written.
    pub round: Option<String>,
    /// Year of the match.
    pub year: Option<i16>,
    /// The players as written, first seat first.
    pub names: [String; 2],
    /// The file breaks off: reason and offset of the first fault.
    pub partial: Option<(u64, String)>,
    /// What was passed over in a file that is whole, and where; or how it contradicts itself, which is nowhere.
    pub remark: Option<(Option<u64>, String)>,
}

/// A match to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Season of its smallest path.
    pub season: String,
    /// Who it is.
    pub match_id: String,
    /// Event, aliases applied.
    pub event: Option<String>,
    /// Round as written.
    pub round: Option<String>,
    /// Its distinct contents, the primary first: indices of sightings (each the smallest path of its content).
    pub contents: Vec<usize>,
}

/// What the files amount to.
#[derive(Debug, Default)]
pub struct Resolution {
    /// Matches, sorted by season and match_id.
    pub matches: Vec<Played>,
    /// One row a file, sorted by season and path.
    pub sources: Vec<SourceRow>,
}

impl Resolution {
    /// The files that were rejected.
    pub fn rejected(&self) -> impl Iterator<Item = &SourceRow> {
        self.sources.iter().filter(|row| row.is_rejected())
    }

    /// Whether some file is of a kind that is known, damaged or not. An archive is as good as its members.
    #[must_use]
    pub fn recognised(&self) -> bool {
        let known = |row: &SourceRow| match row.status.as_str() {
            "ignored" => false,
            "ok" => row.match_id.is_some() || is_of_contests(row),
            _ => true,
        };
        self.sources.iter().any(known)
    }

    /// Refuses a season that was asked for and no file belongs to. Told from the files themselves: where a file lies
    /// directly in `raw/`, only its match says.
    ///
    /// # Errors
    /// [`NightFault::NoSuchSeason`] with the seasons there are.
    pub fn has_season(&self, asked: Option<&str>) -> Result<(), NightFault> {
        season_among(asked, self.sources.iter().map(|row| row.season.as_str()))
    }
}

/// Whether a file is one of contests.
fn is_of_contests(row: &SourceRow) -> bool {
    matches!(row.format.as_deref(), Some(side::CONTESTS | side::PDN))
}

/// Refuses a season that was asked for and is not among those there are; nothing asked is any of them.
///
/// # Errors
/// [`NightFault::NoSuchSeason`].
pub fn season_among<'a>(asked: Option<&str>, there: impl Iterator<Item = &'a str>) -> Result<(), NightFault> {
    let there: BTreeSet<&str> = there.collect();
    match asked {
        Some(asked) if !there.contains(asked) => {
            let known = there.into_iter().collect::<Vec<_>>().join(", ");
            Err(NightFault::NoSuchSeason { asked: asked.to_owned(), known })
        }
        _ => Ok(()),
    }
}

/// Resolves sightings, which must be sorted by shown path.
#[must_use]
pub fn resolve(sightings: &[Sighting], settings: &Settings) -> Resolution {
    let first_of_content = first_paths(sightings);
    let mut by_match: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, seen) in matches(sightings) {
        by_match.entry(&seen.identity.match_id).or_default().push(at);
    }
    let superseded = superseded(sightings, &by_match);
    let counts = by_match.par_iter().filter(|(match_id, _)| !superseded.contains_key(*match_id));
    let mut matches: Vec<Played> =
        counts.map(|(match_id, paths)| played(sightings, match_id, paths, settings)).collect();
    matches.sort_by(|a, b| (&a.season, &a.match_id).cmp(&(&b.season, &b.match_id)));
    let homes: BTreeMap<&str, Home<'_>> =
        matches.iter().map(|of| (of.match_id.as_str(), Home::of(of, sightings))).collect();
    let row = |(at, sighting): (usize, &Sighting)| {
        let first = sighting.content.and_then(|content| first_of_content.get(&content).copied());
        let same = first.filter(|first| *first != at).map(|first| sightings[first].shown.as_str());
        source_row(sighting, same, &superseded, &homes)
    };
    let mut sources: Vec<SourceRow> = sightings.par_iter().enumerate().map(row).collect();
    // Of two files of contests that claim the same, the first has it.
    let mut taken = side::Taken::new();
    for (row, sighting) in sources.iter_mut().zip(sightings) {
        let Finding::Side(Sheets::Contests(contests)) = &sighting.found else { continue };
        let refused = contests.sentence(&contests.claim(&mut taken));
        if sighting.unread.is_none() {
            of_contests(row, (refused, contests.remarks()));
        }
    }
    sources.sort_by(|a, b| (&a.season, &a.path).cmp(&(&b.season, &b.path)));
    Resolution { matches, sources }
}

fn matches(sightings: &[Sighting]) -> impl Iterator<Item = (usize, &Seen)> {
    sightings.iter().enumerate().filter_map(|(at, sighting)| match &sighting.found {
        Finding::Match(seen) => Some((at, seen.as_ref())),
        Finding::Archive | Finding::Side(_) | Finding::Ended(_) => None,
    })
}

/// Content hash -> index of its smallest path.
fn first_paths(sightings: &[Sighting]) -> BTreeMap<[u8; 32], usize> {
    let mut first = BTreeMap::new();
    for (at, sighting) in sightings.iter().enumerate() {
        if let Some(content) = sighting.content {
            first.entry(content).or_insert(at);
        }
    }
    first
}

/// match_id of an earlier save -> match_id of what it became.
fn superseded<'a>(sightings: &'a [Sighting], by_match: &BTreeMap<&'a str, Vec<usize>>) -> BTreeMap<&'a str, &'a str> {
    let mut alike: BTreeMap<(u32, [&str; 2]), Vec<&Identity>> = BTreeMap::new();
    for paths in by_match.values() {
        let Some((_, seen)) = paths.first().and_then(|&at| match_at(sightings, at)) else { continue };
        let identity = &seen.identity;
        alike.entry((identity.length, [&identity.names[0], &identity.names[1]])).or_default().push(identity);
    }
    let mut earlier = BTreeMap::new();
    for group in alike.values().filter(|group| group.len() > 1) {
        for shorter in group {
            let longest = group.iter().filter(|longer| identity::is_prefix(shorter, longer));
            if let Some(longer) = longest.max_by_key(|longer| (longer.trace.len(), &longer.match_id)) {
                earlier.insert(shorter.match_id.as_str(), longer.match_id.as_str());
            }
        }
    }
    earlier
}

fn match_at(sightings: &[Sighting], at: usize) -> Option<(&Sighting, &Seen)> {
    let sighting = sightings.get(at)?;
    match &sighting.found {
        Finding::Match(seen) => Some((sighting, seen)),
        Finding::Archive | Finding::Side(_) | Finding::Ended(_) => None,
    }
}

fn played(sightings: &[Sighting], match_id: &str, paths: &[usize], settings: &Settings) -> Played {
    let mut contents: BTreeMap<[u8; 32], usize> = BTreeMap::new();
    for &at in paths {
        if let Some(content) = sightings[at].content {
            contents.entry(content).or_insert(at);
        }
    }
    let mut contents: Vec<usize> = contents.into_values().collect();
    contents.sort_by_key(|&at| preference(sightings, at));
    let smallest = paths.first().and_then(|&at| match_at(sightings, at));
    let folders = smallest.map(|(sighting, _)| walk::folders(&sighting.shown)).unwrap_or_default();
    let year = smallest.and_then(|(_, seen)| seen.year);
    let written = smallest.and_then(|(_, seen)| seen.event.clone());
    let event = written.or_else(|| folders.get(1).map(|folder| (*folder).to_owned()));
    Played {
        season: season(&folders, year),
        match_id: match_id.to_owned(),
        event: event.map(|event| settings.events.canonical(&event).to_owned()),
        round: smallest.and_then(|(_, seen)| seen.round.clone()),
        contents,
    }
}

/// Deepest first; then XG, gnuBG, BGBlitz, others; then smallest content hash.
fn preference(sightings: &[Sighting], at: usize) -> (std::cmp::Reverse<i64>, u8, Option<[u8; 32]>) {
    let seen = match_at(sightings, at);
    let depth = seen.map_or(0, |(_, seen)| seen.weight.depth_sum);
    let engine = match seen.map_or(Engine::None, |(_, seen)| seen.engine) {
        Engine::Xg => 0,
        Engine::GnuBg => 1,
        Engine::BgBlitz => 2,
        Engine::None => 3,
    };
    (std::cmp::Reverse(depth), engine, sightings[at].content)
}

/// Bytes of a season's name: every table and every report gets a folder of this name, and file systems allow 255.
const LONGEST_SEASON: usize = 160;
/// Hexadecimal digits that tell two long names apart.
const SEASON_DIGITS: usize = 12;

/// The first folder below raw/; without one the year of the match; without that `undated`.
fn season(folders: &[&str], year: Option<i16>) -> String {
    match (folders.first(), year) {
        (Some(folder), _) => folder_name(folder),
        (None, Some(year)) => year.to_string(),
        (None, None) => "undated".to_owned(),
    }
}

/// A name that a folder of ours can have. One that begins with a dot would be hidden, and ours that are being built
/// begin with one; a long one (an archive may hold any) is cut.
fn folder_name(name: &str) -> String {
    let plain = name.strip_prefix('.').map_or_else(|| name.to_owned(), |rest| format!("_{rest}"));
    if plain.len() <= LONGEST_SEASON {
        return plain;
    }
    let hash = blake3::hash(name.as_bytes()).to_hex();
    let room = LONGEST_SEASON - SEASON_DIGITS - 1;
    let kept = plain.char_indices().map(|(at, _)| at).take_while(|&at| at <= room).last().unwrap_or(0);
    format!("{}-{}", &plain[..kept], &hash[..SEASON_DIGITS])
}

/// Where a match lies.
struct Home<'a> {
    season: &'a str,
    /// Of the file whose analysis counts.
    path: &'a str,
}

impl<'a> Home<'a> {
    fn of(played: &'a Played, sightings: &'a [Sighting]) -> Self {
        let primary = played.contents.first().and_then(|&at| sightings.get(at));
        Self { season: &played.season, path: primary.map_or("", |sighting| &sighting.shown) }
    }
}

/// The row of a file; `same` is the path that stands for its content where that is another.
fn source_row(
    sighting: &Sighting,
    same: Option<&str>,
    superseded: &BTreeMap<&str, &str>,
    homes: &BTreeMap<&str, Home<'_>>,
) -> SourceRow {
    let folders = walk::folders(&sighting.shown);
    let mut row = SourceRow {
        season: season(&folders, None),
        path: sighting.shown.clone(),
        size: i64::try_from(sighting.size).unwrap_or(i64::MAX),
        blake3: sighting
            .content
            .map_or_else(String::new, |content| blake3::Hash::from_bytes(content).to_hex().to_string()),
        format: None,
        status: "ok".to_owned(),
        reason: None,
        detail: None,
        offset: None,
        match_id: None,
    };
    match &sighting.found {
        Finding::Archive => row.format = Some("zip".to_owned()),
        Finding::Side(Sheets::Study(log)) => side_file(&mut row, "study_log", log.passed_over()),
        Finding::Side(Sheets::Places(places)) => side_file(&mut row, "places", places.passed_over()),
        Finding::Side(Sheets::Contests(contests)) => row.format = Some(contests.format.to_owned()),
        Finding::Ended(ended) => {
            row.format.clone_from(&ended.format);
            row.status = ended.verdict.token().to_owned();
            row.reason = Some(ended.reason.clone());
            row.detail = Some(ended.detail.clone());
            row.offset = ended.offset.and_then(|offset| i64::try_from(offset).ok());
        }
        Finding::Match(seen) => {
            let id = seen.identity.match_id.as_str();
            let counts = superseded.get(id).copied().unwrap_or(id);
            row.format = Some(seen.format.token().to_owned());
            row.match_id = Some(counts.to_owned());
            let home = homes.get(counts);
            if let Some(home) = home {
                row.season = home.season.to_owned();
            }
            let standing = match (same, superseded.contains_key(id)) {
                (Some(path), _) => Standing::Duplicate(path),
                (None, true) => Standing::EarlierSave(home.map_or("another file", |home| home.path)),
                (None, false) => Standing::Counts,
            };
            match_status(&mut row, seen, standing);
        }
    }
    if let Some(ended) = &sighting.unread {
        row.status = ended.verdict.token().to_owned();
        row.reason = Some(ended.reason.clone());
        row.detail = Some(format!("{}: what it held before stands", ended.detail));
        row.offset = None;
    }
    if let Some(path) = same
        && row.status == "ok"
        && row.match_id.is_none()
        && row.format.as_deref() != Some("zip")
    {
        (row.status, row.reason) = ("duplicate".to_owned(), Some("same_content".to_owned()));
        row.detail = Some(same_content(path));
    }
    row
}

/// A study log or a list of places: what of its lines says nothing is told with it.
fn side_file(row: &mut SourceRow, format: &str, passed_over: Option<String>) {
    row.format = Some(format.to_owned());
    row.reason = passed_over.as_ref().map(|_| "passed_over".to_owned());
    row.detail = passed_over;
}

/// A file of contests of which some lines are refused counts as far as it can be used, whoever else has its content.
fn of_contests(row: &mut SourceRow, (refused, remarks): (Option<String>, Option<String>)) {
    if refused.is_some() {
        (row.status, row.reason) = ("partial".to_owned(), Some("refused_lines".to_owned()));
    } else if remarks.is_some() {
        row.reason = Some("passed_over".to_owned());
    }
    let said: Vec<String> = refused.into_iter().chain(remarks).collect();
    if !said.is_empty() {
        row.detail = Some(said.join("; "));
    }
}

/// What the other files make of one that holds a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing<'a> {
    /// It counts, as the primary analysis or beside it.
    Counts,
    /// This path holds the same content.
    Duplicate(&'a str),
    /// The file at this path continues the match.
    EarlierSave(&'a str),
}

fn same_content(path: &str) -> String {
    format!("the same content as {path}")
}

/// The strongest thing to say of a file that holds a match.
fn match_status(row: &mut SourceRow, seen: &Seen, standing: Standing<'_>) {
    let (status, reason, detail) = if let Standing::Duplicate(path) = standing {
        ("duplicate", "same_content", same_content(path))
    } else if let Standing::EarlierSave(path) = standing {
        ("superseded", "earlier_save", format!("{path} continues this match"))
    } else if let Some((offset, why)) = &seen.partial {
        row.offset = i64::try_from(*offset).ok();
        ("partial", "incomplete", why.clone())
    } else if seen.weight.analysed == 0 {
        ("unrated", "no_analysis", "no decision is analysed".to_owned())
    } else if let Some((offset, what)) = &seen.remark {
        row.offset = offset.and_then(|offset| i64::try_from(offset).ok());
        ("ok", "passed_over", what.clone())
    } else {
        return;
    };
    row.status = status.to_owned();
    row.reason = Some(reason.to_owned());
    row.detail = Some(detail);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_season_is_a_name_that_a_folder_can_have() {
        assert_eq!(season(&["2026", "cup"], Some(2025)), "2026");
        assert_eq!(season(&[], Some(2025)), "2025");
        assert_eq!(season(&[], None), "undated");
        assert_eq!(season(&[".next-2026"], None), "_next-2026");
        let long = ["\u{e9}".repeat(200), format!("{}x", "\u{e9}".repeat(200))];
        let names = long.each_ref().map(|name| season(&[name], None));
        assert!(names.iter().all(|name| name.len() <= LONGEST_SEASON));
        assert_ne!(names[0], names[1]);
    }
}
