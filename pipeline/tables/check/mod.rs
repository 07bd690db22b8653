//! The contract of a snapshot, checked before it is published: every check is small, named, and needs the tables only.
//!
//! Blocking: the contract is broken, and a figure would be wrong. Warning: the contract holds, and somebody should
//! look. A finding names its match wherever one is to blame, so that the night can quarantine that match and go on.
//! Parts and buckets are read in parallel; what is held is one bucket's keys a thread and the list of matches. Findings
//! are joined in the order of the parts, so they do not depend on the threads. Parts that stand under the same name in a
//! snapshot already checked are not read again: the name holds the hash of the content. Of a part that is new, those
//! rows are not looked at that such a snapshot has in its place ([`carried`]).

mod academy;
mod bucket;
mod carried;
mod cells;
mod links;
mod rows;
mod sense;
mod sums;

use super::academy::{AcademyContestRow, AcademyPatternRow, AcademyTreeRow, AcademyVoteRow};
use super::bucket::Division;
use super::catalogue::{ALL, Shelf, Table};
use super::facts::MatchRow;
use super::fault::TableFault;
use super::lake::{self, Listed, WHOLE};
use super::part;
use super::row::Row;
use carried::{Due, Pair};
use rayon::prelude::*;
use std::borrow::Borrow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a finding stops the night.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Nothing is published while it stands.
    Blocking,
    /// It is told.
    Warning,
}

/// One broken promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Name of the check.
    pub check: &'static str,
    /// Whether it stops the night.
    pub weight: Weight,
    /// The table it was found in.
    pub table: &'static str,
    /// The match to blame, where one is.
    pub match_id: Option<String>,
    /// What is wrong, and where.
    pub sentence: String,
}

/// Every finding of a snapshot, sorted by check, table and match; empty when the contract holds. `trusted` is a
/// snapshot already checked, whose parts need no second look; without one everything is read.
///
/// # Errors
/// [`TableFault`] when a part cannot be read at all.
pub fn snapshot(dir: &Path, trusted: Option<&Path>) -> Result<Vec<Finding>, TableFault> {
    match facts((dir, trusted), &|| true)? {
        Some(facts) => facts.and_the_rest((dir, trusted)),
        None => Ok(Vec::new()),
    }
}

/// Seasons and buckets.
type Touched = BTreeSet<(String, String)>;

/// What the checks of facts and partials found. They need no other table, so a night can make them while others are still
/// being written.
pub struct Facts {
    findings: Findings,
    matches: Matches,
    /// What was looked at, read or trusted.
    parts: Vec<Listed>,
    /// Seasons and buckets of what was read.
    touched: Touched,
    /// No part is damaged.
    whole: bool,
}

/// Checks facts and partials; `None` when `go_on` said no before the end.
///
/// # Errors
/// As [`snapshot`].
pub fn facts(
    (dir, trusted): (&Path, Option<&Path>),
    go_on: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Facts>, TableFault> {
    let mut findings = Findings::default();
    let fresh = Fresh::of((dir, trusted), (Shelf::is_bucketed, &Touched::new()), &mut findings)?;
    let parts = facts_of(dir)?;
    if !own_content(&fresh, &mut findings)? {
        let (matches, touched) = (Matches::default(), fresh.buckets);
        return Ok(Some(Facts { findings, matches, parts, touched, whole: false }));
    }
    let matches = Matches::read(dir, &mut findings)?;
    let pairs = fresh.pairs(trusted)?;
    findings.join_each(pairs, |pairs, findings| bucket::check(&pairs, (&matches, go_on), findings))?;
    for season in &fresh.seasons {
        sense::check(dir, season, (&matches, &mut findings))?;
    }
    Ok(go_on().then_some(Facts { findings, matches, parts, touched: fresh.buckets, whole: true }))
}

/// Every part of a fact or a partial.
fn facts_of(dir: &Path) -> Result<Vec<Listed>, TableFault> {
    let mut all = Vec::new();
    for table in ALL.iter().filter(|table| table.shelf.is_bucketed()) {
        all.extend(lake::parts(dir, table.name)?);
    }
    Ok(all)
}

impl Facts {
    /// Every finding of the snapshot: those there are, and those of marts and the Academy's tables. Facts that are not what
    /// they were when they were looked at are looked at again.
    ///
    /// # Errors
    /// As [`snapshot`].
    pub fn and_the_rest(self, (dir, trusted): (&Path, Option<&Path>)) -> Result<Vec<Finding>, TableFault> {
        if self.parts != facts_of(dir)? {
            return snapshot(dir, trusted);
        }
        let Self { mut findings, matches, touched, whole, .. } = self;
        let fresh = Fresh::of((dir, trusted), (|shelf| !shelf.is_bucketed(), &touched), &mut findings)?;
        if !own_content(&fresh, &mut findings)? || !whole {
            return Ok(findings.sorted());
        }
        let (rows, libraries) = rayon::join(
            || Findings::of(|found| fresh.rows((&matches, trusted), found)),
            || {
                Findings::of(|found| {
                    found.join_each(fresh.taught(), |season, found| academy::check(dir, season, found))
                })
            },
        );
        findings.join(rows?);
        findings.join(libraries?);
        Ok(findings.sorted())
    }
}

/// What is found, one finding per check, table and match: a match that breaks a promise in every row says so once.
#[derive(Default)]
struct Findings(BTreeMap<(&'static str, &'static str, Option<String>), (Weight, String)>);

impl Findings {
    fn block(&mut self, (check, table): (&'static str, &'static str), match_id: Option<&str>, sentence: String) {
        self.0.entry((check, table, match_id.map(str::to_owned))).or_insert((Weight::Blocking, sentence));
    }

    fn warn(&mut self, (check, table): (&'static str, &'static str), match_id: Option<&str>, sentence: String) {
        self.0.entry((check, table, match_id.map(str::to_owned))).or_insert((Weight::Warning, sentence));
    }

    /// Looks at many things at a time. The first to find something is the first in their order, not in time.
    fn join_each<T: Send>(
        &mut self,
        things: Vec<T>,
        check: impl Fn(T, &mut Self) -> Result<(), TableFault> + Sync,
    ) -> Result<(), TableFault> {
        let one = |thing| Self::of(|found| check(thing, found));
        let all: Vec<Result<Self, TableFault>> = things.into_par_iter().with_max_len(1).map(one).collect();
        all.into_iter().try_for_each(|found| found.map(|found| self.join(found)))
    }

    /// What one look finds.
    fn of(look: impl FnOnce(&mut Self) -> Result<(), TableFault>) -> Result<Self, TableFault> {
        let mut found = Self::default();
        look(&mut found).map(|()| found)
    }

    /// Adds what was found elsewhere, and not here.
    fn join(&mut self, found: Self) {
        for (promise, broken) in found.0 {
            self.0.entry(promise).or_insert(broken);
        }
    }

    fn sorted(self) -> Vec<Finding> {
        let finding =
            |((check, table, match_id), (weight, sentence))| Finding { check, weight, table, match_id, sentence };
        self.0.into_iter().map(finding).collect()
    }
}

/// What the other tables are held against: every match, its season and whether points are played for.
#[derive(Default)]
struct Matches {
    known: BTreeMap<String, Known>,
    divisions: BTreeMap<String, Division>,
}

struct Known {
    season: String,
    points: bool,
}

impl Matches {
    /// `one_match`: a match lies in one season, once.
    fn read(dir: &Path, findings: &mut Findings) -> Result<Self, TableFault> {
        let table = MatchRow::TABLE;
        let columns = columns_of::<MatchRow>(&["match_id", "play"]);
        let mut known: BTreeMap<String, Known> = BTreeMap::new();
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for listed in lake::parts(dir, table)? {
            part::scan(&listed.path, (table, &columns), &mut |batch| {
                for row in 0..batch.rows() {
                    let id = batch.text(row, 0).unwrap_or_default();
                    let season = listed.season.clone();
                    match known.entry(id.to_owned()) {
                        Entry::Vacant(place) => {
                            *counts.entry(season.clone()).or_default() += 1;
                            place.insert(Known { season, points: batch.text(row, 1) == Some("points") });
                        }
                        Entry::Occupied(other) => {
                            let first = &other.get().season;
                            let sentence = format!("the match stands twice: in season {first} and in season {season}");
                            findings.block(("one_match", table), Some(id), sentence);
                        }
                    }
                }
                Ok(())
            })?;
        }
        let divisions = counts.into_iter().map(|(season, count)| (season, Division::of(count))).collect();
        Ok(Self { known, divisions })
    }
}

/// The parts that have to be read, and the buckets and seasons they touch.
struct Fresh {
    parts: Vec<(&'static Table, Vec<Listed>)>,
    buckets: Touched,
    seasons: BTreeSet<String>,
}

impl Fresh {
    /// A bucket is read whole when one of its parts is new: the others may speak of rows that are gone. Marts are
    /// always read, for the same reason, but for those of a bucket that was not `touched`; they are small. What the
    /// Academy wrote speaks of nothing but itself.
    fn of(
        (dir, trusted): (&Path, Option<&Path>),
        (shelves, touched): (fn(Shelf) -> bool, &Touched),
        findings: &mut Findings,
    ) -> Result<Self, TableFault> {
        let mut fresh = Self { parts: Vec::new(), buckets: BTreeSet::new(), seasons: BTreeSet::new() };
        for table in ALL.iter().filter(|table| shelves(table.shelf)) {
            let parts = lake::parts(dir, table.name)?;
            one_part(table.name, &parts, findings);
            let seen = trusted.map_or(Ok(Vec::new()), |trusted| lake::parts(trusted, table.name))?;
            let seen: BTreeSet<(String, String)> = seen.into_iter().map(|part| (part.season, part.name)).collect();
            let is_unseen = |part: &&Listed| !seen.contains(&(part.season.clone(), part.name.clone()));
            let speaks_of_others = |part: &&Listed| part.bucket == WHOLE || touched.contains(&place_of(part));
            let due = |part: &&Listed| is_unseen(part) || (table.shelf == Shelf::Mart && speaks_of_others(part));
            if table.shelf.is_bucketed() {
                fresh.buckets.extend(parts.iter().filter(is_unseen).map(place_of));
                fresh.parts.push((table, parts));
            } else {
                fresh.parts.push((table, parts.iter().filter(due).cloned().collect()));
            }
        }
        fresh.seasons = fresh.buckets.iter().map(|(season, _)| season.clone()).collect();
        for (table, parts) in &mut fresh.parts {
            parts.retain(|part| !table.shelf.is_bucketed() || fresh.buckets.contains(&place_of(part)));
        }
        Ok(fresh)
    }

    /// Looks at every part by itself. A night made its marts a moment ago, of rows that cannot have an absent cell, and reads
    /// of them what may be wrong in each alone: what it is called, and what it speaks of. Without a trusted snapshot, as
    /// where somebody asks for the check, all of it is read.
    fn rows(&self, (matches, trusted): (&Matches, Option<&Path>), findings: &mut Findings) -> Result<(), TableFault> {
        let parts = self.parts.iter().flat_map(|(table, parts)| parts.iter().map(move |part| (*table, part)));
        findings.join_each(parts.collect(), |(table, part), findings| {
            let by_name = trusted.is_some() && table.shelf == Shelf::Mart;
            let place = if by_name { rows::Place::by_name } else { rows::Place::of };
            rows::check(&place(table, part, matches), Due::Whole, findings, &mut |_, _| {})
        })
    }

    /// Seasons whose libraries have to be looked at.
    fn taught(&self) -> Vec<&str> {
        let libraries =
            [AcademyPatternRow::TABLE, AcademyVoteRow::TABLE, AcademyTreeRow::TABLE, AcademyContestRow::TABLE];
        let parts = self.parts.iter().filter(|(table, _)| libraries.contains(&table.name));
        let seasons: BTreeSet<&str> =
            parts.flat_map(|(_, parts)| parts.iter().map(|part| part.season.as_str())).collect();
        seasons.into_iter().collect()
    }

    /// The parts of each bucket in the order of the catalogue, beside those of the trusted snapshot; where a table has not
    /// one part in each of them, no part of the bucket has one beside it.
    fn pairs(&self, trusted: Option<&Path>) -> Result<Vec<Vec<Pair<'_>>>, TableFault> {
        let mut buckets: BTreeMap<(String, String), Vec<Pair<'_>>> = BTreeMap::new();
        let mut unlike: BTreeSet<(String, String)> = BTreeSet::new();
        for (table, parts) in &self.parts {
            let before = trusted.map_or(Ok(Vec::new()), |trusted| lake::parts(trusted, table.name))?;
            let mut before = by_bucket(before.into_iter());
            for (place, own) in by_bucket(parts.iter()) {
                let mut there = before.remove(&place).unwrap_or_default();
                if own.len() != 1 || there.len() != 1 {
                    unlike.insert(place.clone());
                }
                let pairs = own.into_iter().map(|part| Pair { table, part, before: there.pop() });
                buckets.entry(place).or_default().extend(pairs);
            }
            unlike.extend(before.into_keys());
        }
        for place in unlike {
            buckets.get_mut(&place).into_iter().flatten().for_each(|pair| pair.before = None);
        }
        Ok(buckets.into_values().collect())
    }
}

/// The season and the bucket of a part.
fn place_of(part: &Listed) -> (String, String) {
    (part.season.clone(), part.bucket.clone())
}

/// Season and bucket -> the parts there.
fn by_bucket<P: Borrow<Listed>>(parts: impl Iterator<Item = P>) -> BTreeMap<(String, String), Vec<P>> {
    let mut buckets: BTreeMap<(String, String), Vec<P>> = BTreeMap::new();
    for part in parts {
        let listed: &Listed = part.borrow();
        buckets.entry(place_of(listed)).or_default().push(part);
    }
    buckets
}

/// The name of a part holds the hash of its bytes. While one does not, nothing is read: damaged bytes say anything.
fn own_content(fresh: &Fresh, findings: &mut Findings) -> Result<bool, TableFault> {
    let parts = fresh.parts.iter().flat_map(|(table, parts)| parts.iter().map(move |part| (table.name, part)));
    let whole = AtomicBool::new(true);
    findings.join_each(parts.collect(), |(table, listed), findings| {
        if !part::is_whole(listed)? {
            whole.store(false, Ordering::Relaxed);
            let sentence = format!("season {}, {}: the bytes are not those its name tells", listed.season, listed.name);
            findings.block(("own_content", table), None, sentence);
        }
        Ok(())
    })?;
    Ok(whole.into_inner())
}

/// A bucket of a season of a table is one file.
fn one_part(table: &'static str, parts: &[Listed], findings: &mut Findings) {
    let twice = |pair: &&[Listed]| pair[0].season == pair[1].season && pair[0].bucket == pair[1].bucket;
    for pair in parts.windows(2).filter(twice) {
        let sentence = format!("season {}, bucket {}: more than one part", pair[0].season, pair[0].bucket);
        findings.block(("one_part", table), None, sentence);
    }
}

/// Declared columns by name, in the order asked for.
fn columns_of<R: Row>(names: &[&str]) -> Vec<&'static super::row::Column> {
    part::key_columns(R::COLUMNS, names)
}

/// The match a decision id begins with.
fn match_of(decision_id: &str) -> Option<&str> {
    decision_id.rsplit_once('-').map(|(match_id, _)| match_id)
}
