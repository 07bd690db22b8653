//! Where contests come from: the stored rows of a match, or the lines of a contest file.
//!
//! Rows are read for some matches at a time, each part once and from its beginning, so memory holds the decisions of
//! one match a thread and no bucket. A contest file is read again from below `raw/`, else from its copy, and must be what
//! the list of sources says it was.

use super::programme::Entry;
use crate::academy::backgammon::{self, ActionRow, Cut, ListedRow, Manner, Rows};
use crate::academy::contest::Contest;
use crate::academy::contest_file::Reader;
use crate::academy::draughts;
use crate::academy::flat::pack;
use crate::config::Settings;
use crate::ingest::archive;
use crate::night::amount::amount;
use crate::night::cache::Cache;
use crate::night::copies::Copies;
use crate::night::fault::NightFault;
use crate::night::side;
use crate::night::status::terminal;
use crate::night::walk;
use crate::tables::bucket::{self, Division};
use crate::tables::facts::{GameRow, MatchRow, SourceRow};
use crate::tables::fault::TableFault;
use crate::tables::groups::Groups;
use crate::tables::lake::{self, Lake, Listed};
use crate::tables::row::{Day, Row};
use jiff::civil::Date;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// The parts of a snapshot that contests are cut from.
pub(super) struct Stored {
    /// (season, bucket) -> table -> part.
    parts: BTreeMap<(String, String), BTreeMap<&'static str, PathBuf>>,
    /// Season -> how it is divided among them.
    divisions: BTreeMap<String, Division>,
    manner: Manner,
}

impl Stored {
    pub(super) fn of(dir: &Path, manner: Manner) -> Result<Self, TableFault> {
        let mut parts: BTreeMap<(String, String), BTreeMap<&'static str, PathBuf>> = BTreeMap::new();
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for table in [MatchRow::TABLE, GameRow::TABLE, ActionRow::TABLE, ListedRow::TABLE] {
            for Listed { season, bucket, path, .. } in lake::parts(dir, table)? {
                *counts.entry(season.clone()).or_default() += u64::from(table == MatchRow::TABLE);
                parts.entry((season, bucket)).or_default().insert(table, path);
            }
        }
        // Every bucket of a season has a part, so their number says how it is divided.
        let division = |(season, parts)| (season, Division::of(parts * bucket::MATCHES));
        Ok(Self { parts, divisions: counts.into_iter().map(division).collect(), manner })
    }

    /// The matches of these entries, by season and bucket.
    pub(super) fn wanted<'a>(
        &'a self,
        entries: impl Iterator<Item = &'a Entry>,
    ) -> BTreeMap<(&'a str, &'a str), BTreeSet<&'a str>> {
        let mut wanted: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
        for entry in entries.filter(|entry| entry.contest.is_none()) {
            match self.bucket(entry) {
                Some(place) => wanted.entry(place).or_default().insert(&entry.turn.match_id),
                None => {
                    tracing::warn!("the Academy finds no part for match {}", terminal(&entry.turn.match_id));
                    continue;
                }
            };
        }
        wanted
    }

    /// Season and bucket of a match.
    fn bucket(&self, entry: &Entry) -> Option<(&str, &str)> {
        let bucket = self.divisions.get(&entry.turn.season)?.holding(&entry.turn.match_id)?;
        let ((season, bucket), _) = self.parts.get_key_value(&(entry.turn.season.clone(), bucket.to_string()))?;
        Some((season, bucket))
    }

    /// The contests of these entries, packed, in their order. A match whose rows cannot be cut gives none, and is told.
    pub(super) fn cut(&self, entries: &[&Entry]) -> Result<Vec<Option<Vec<u8>>>, TableFault> {
        let groups: Vec<_> = self.wanted(entries.iter().copied()).into_iter().collect();
        let cut = groups.into_par_iter().map(|(place, ids)| {
            let mut cuts = Vec::with_capacity(ids.len());
            self.cut_bucket(place, &ids, &mut |id, packed| cuts.push((id.to_owned(), packed)))?;
            Ok(cuts)
        });
        let mut cuts: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for bucket in cut.collect::<Vec<Result<_, TableFault>>>() {
            cuts.extend(bucket?);
        }
        let mut of = |entry: &&Entry| match &entry.contest {
            Some(contest) => packed(Cut { contests: vec![(**contest).clone()], ..Cut::default() }).map(Some),
            None => Ok(cuts.remove(&entry.turn.match_id)),
        };
        entries.iter().map(&mut of).collect()
    }

    /// Cuts and packs some matches of a bucket, in the order of their ids.
    pub(super) fn cut_bucket(
        &self,
        (season, bucket): (&str, &str),
        ids: &BTreeSet<&str>,
        take: &mut dyn FnMut(&str, Vec<u8>),
    ) -> Result<(), TableFault> {
        let key = (season.to_owned(), bucket.to_owned());
        let part = |table: &str| self.parts.get(&key).and_then(|parts| parts.get(table)).map(PathBuf::as_path);
        let mut matches = Groups::<MatchRow>::open_for(part(MatchRow::TABLE), ids)?;
        let mut games = Groups::<GameRow>::open_for(part(GameRow::TABLE), ids)?;
        let mut decisions = Groups::<ActionRow>::open_for(part(ActionRow::TABLE), ids)?;
        let mut candidates = Groups::<ListedRow>::open_for(part(ListedRow::TABLE), ids)?;
        for id in ids {
            let Some(row) = matches.of(id)?.pop() else { continue };
            let (games, decisions, candidates) = (games.of(id)?, decisions.of(id)?, candidates.of(id)?);
            let rows = Rows { of: &row, games: &games, decisions: &decisions, candidates: &candidates };
            match backgammon::cut_for(rows, self.manner) {
                Ok(cut) => take(id, packed(cut)?),
                Err(fault) => tracing::warn!("the Academy cannot read a match: {fault}"),
            }
        }
        Ok(())
    }
}

fn packed(cut: Cut) -> Result<Vec<u8>, TableFault> {
    pack(cut).map_err(|fault| TableFault::Disk {
        doing: "pack the contests of a match for",
        path: PathBuf::from("cache"),
        source: io::Error::other(fault),
    })
}

/// The contests of all contest files among the sources, read in the order of their paths. The season of a contest is the
/// folder its file lies in, whatever the line says.
pub(super) fn contests(sources: &[SourceRow], settings: &Settings) -> Result<Vec<Contest>, NightFault> {
    let mut files: Vec<&SourceRow> = sources.iter().filter(|row| is_contests(row)).collect();
    if files.is_empty() {
        return Ok(Vec::new());
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let raw = settings.raw();
    let found = walk::walk(&raw).map_err(|source| NightFault::Unreadable { path: raw.clone(), source })?;
    let copies = Copies::of(&Cache::of(&Lake::at(settings.lake())));
    let places: BTreeMap<&str, &Path> = found.iter().map(|file| (file.shown.as_str(), file.at.as_path())).collect();
    let (mut reader, mut contests, mut games) = (Reader::default(), Vec::new(), BTreeSet::new());
    for file in files {
        let bytes = bytes(file, (&places, &copies))?;
        let mut read = if file.format.as_deref() == Some(side::PDN) {
            draughts::read(&bytes, &file.season).contests
        } else {
            let lines = reader.read(&bytes, &file.season);
            for refused in &lines.refused {
                let said = (terminal(&file.path), refused.line, terminal(&refused.reason));
                tracing::warn!("the Academy refuses {}, line {}: {}", said.0, said.1, said.2);
            }
            if let [first, rest @ ..] = lines.remarked.as_slice() {
                let more = if rest.is_empty() {
                    String::new()
                } else {
                    format!("; and in {} more", amount(rest.len(), "line"))
                };
                let said = (terminal(&file.path), first.line, terminal(&first.reason));
                tracing::warn!("the Academy passes over in {}, line {}: {}{more}", said.0, said.1, said.2);
            }
            lines.contests
        };
        // A game of draughts has one id wherever it stands.
        read.retain(|contest| games.insert(contest.contest_id.clone()));
        contests.extend(read.into_iter().map(|contest| canonical(contest, &file.season, settings)));
    }
    Ok(contests)
}

fn is_contests(row: &SourceRow) -> bool {
    side::is_contests(row) && row.status != "duplicate"
}

fn canonical(mut contest: Contest, season: &str, settings: &Settings) -> Contest {
    season.clone_into(&mut contest.schedule.season);
    contest.schedule.event = settings.events.canonical(&contest.schedule.event).to_owned();
    for name in [&mut contest.first, &mut contest.second] {
        *name = settings.players.canonical(name).to_owned();
    }
    contest
}

/// The bytes the list of sources speaks of: those of the file, or of its copy where it is away or another by now.
fn bytes(file: &SourceRow, (places, copies): (&BTreeMap<&str, &Path>, &Copies)) -> Result<Vec<u8>, NightFault> {
    let content = blake3::Hash::from_hex(&file.blake3).ok();
    let there = match found(file, places) {
        Ok(bytes) if Some(blake3::hash(&bytes)) == content => return Ok(bytes),
        Ok(_) => io::Error::other("it is another than the list of sources says: portes run reads it"),
        Err(fault) => fault,
    };
    let copy = content.and_then(|content| copies.get(&content));
    copy.ok_or_else(|| NightFault::Unreadable { path: PathBuf::from(&file.path), source: there })
}

/// The bytes that the file has by now.
fn found(file: &SourceRow, places: &BTreeMap<&str, &Path>) -> io::Result<Vec<u8>> {
    let (shown, member) = match file.path.split_once("!/") {
        Some((shown, member)) => (shown, Some(member)),
        None => (file.path.as_str(), None),
    };
    let Some(at) = places.get(shown) else { return Err(io::Error::from(io::ErrorKind::NotFound)) };
    let mut bytes = std::fs::read(at)?;
    if let Some(wanted) = member {
        let mut content = None;
        // What the archive's directory amounts to was said when it was listed.
        let _ = archive::members(&bytes, &mut |member| {
            if member.name == wanted {
                content = member.content.ok();
            }
        });
        bytes = content.unwrap_or_default();
    }
    Ok(bytes)
}

/// A date as the tables count days.
pub(super) fn day(date: Date) -> Day {
    Day((date - jiff::civil::date(1970, 1, 1)).get_days())
}
