//! Whose marts a night has to make, and the rows of the others taken over from the snapshot before.
//!
//! A player is touched when a match of his came, went or was analysed anew; when a tournament of his began on another day
//! than was known; when something he studied is new; when another analysis says something new of a position he erred in.
//! Nothing is taken over unless the marts of the snapshot before are whole and were made by this program with this
//! configuration, which a note in the cache tells. Without it everybody's marts are made, and nothing is lost but time.

use super::super::amount::amount;
use super::super::cache::Cache;
use super::super::fault::NightFault;
use super::super::ledger::Ledger;
use super::memory::Rulings;
use super::{rows, treated_keys};
use crate::config::Settings;
use crate::measure::MeasureFault;
use crate::measure::scope::Scope;
use crate::measure::shifted::{self, Change};
use crate::measure::snapshot::made_of;
use crate::measure::tournament::Leaders;
use crate::tables::catalogue::{self, Shelf};
use crate::tables::columns::Columns;
use crate::tables::facts::MatchRow;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake, Listed};
use crate::tables::part;
use crate::tables::row::{Row, Value};
use crate::tables::study_marts::TournamentReviewRow;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Where the notes lie in the cache.
pub(super) const FOLDER: &str = "marts";

/// The snapshot before, and what both are made from.
pub struct Since<'a> {
    /// Where notes are kept.
    pub cache: &'a Cache,
    /// The published snapshot.
    pub snapshot: &'a Path,
    /// What its buckets were made from.
    pub before: &'a Ledger,
    /// What those of the new one were made from.
    pub after: &'a Ledger,
}

/// A column that names a player.
pub trait Named {
    /// Whom; nobody is everybody.
    fn named(&self) -> Option<&str>;
}

impl Named for String {
    fn named(&self) -> Option<&str> {
        Some(self)
    }
}

impl Named for Option<String> {
    fn named(&self) -> Option<&str> {
        self.as_deref()
    }
}

/// Whose marts are made, and where the others' lie.
pub(super) struct Touched<'a> {
    snapshot: &'a Path,
    told: String,
    scope: Scope,
}

impl<'a> Touched<'a> {
    /// `None` when nothing can be taken over.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub(super) fn of(
        dir: &Path,
        since: &Since<'a>,
        (settings, rulings): (&Settings, &Rulings),
    ) -> Result<Option<Self>, NightFault> {
        let note: Option<String> = since.cache.below(FOLDER).get(&digest(since.snapshot)?);
        if note != Some(configured(settings)) || since.before.buckets.is_empty() {
            return Ok(None);
        }
        let [gone, come] = changed(since);
        let change = Change { before: since.snapshot, after: dir, gone: &gone, come: &come };
        let ((whole, matches), shifted) = rayon::join(
            || rayon::join(|| are_whole(since.snapshot), || Both::of(since.snapshot, dir)),
            || shifted::players(&change, rulings),
        );
        if !whole? {
            return Ok(None);
        }
        let matches = matches?;
        let mut touched = of_matches(&matches, |match_id| gone.contains(match_id) || come.contains(match_id));
        touched.append(&mut of_study(since.snapshot, dir)?);
        touched.append(&mut shifted?);
        let told = told(&matches, &touched);
        Ok(Some(Self { snapshot: since.snapshot, told, scope: Scope::Only(touched) }))
    }

    /// The snapshot before.
    pub(super) const fn snapshot(&self) -> &'a Path {
        self.snapshot
    }

    /// Whose.
    pub(super) const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// For the line of the stage.
    pub(super) fn told(&self) -> &str {
        &self.told
    }

    /// Which rows of a mart of the snapshot before stay: those of whoever is not touched. Everybody's rows have no player.
    pub(super) fn stays<R: Row>(&self) -> impl Fn(&Columns, usize) -> bool {
        let player = place::<R>("player");
        move |batch, row| batch.text(row, player).is_some_and(|player| !self.scope.holds(player))
    }

    /// The reviews of tournaments of the snapshot before that stay but for whom the tournament is about before all.
    ///
    /// # Errors
    /// When a part of the snapshot before cannot be read.
    pub(super) fn led_anew(&self, leads: &Leads<'_>) -> Result<Vec<TournamentReviewRow>, TableFault> {
        let mut rows = Vec::new();
        let columns = part::key_columns(TournamentReviewRow::COLUMNS, &Leads::COLUMNS);
        for listed in lake::parts(self.snapshot, TournamentReviewRow::TABLE)? {
            let mut is_as_it_was = true;
            part::scan(&listed.path, (TournamentReviewRow::TABLE, &columns), &mut |batch| {
                is_as_it_was &= (0..batch.rows()).all(|row| leads.holds(batch, row, [0, 1, 2, 3]));
                Ok(())
            })?;
            if !is_as_it_was {
                rows.extend(part::read::<TournamentReviewRow>(&listed.path)?);
            }
        }
        rows.retain(|row| !self.scope.holds(&row.player) && row.reference != leads.is_led(row));
        rows.iter_mut().for_each(|row| row.reference = !row.reference);
        Ok(rows)
    }
}

/// How many of the players there are were touched, and how many there are no longer: they are touched, too, and have no rows.
fn told(matches: &Both, touched: &BTreeSet<String>) -> String {
    let now: BTreeSet<&String> = matches.after().flat_map(|of| &of.players).collect();
    let gone: BTreeSet<&String> =
        matches.before().flat_map(|of| &of.players).filter(|name| !now.contains(name)).collect();
    let here = touched.iter().filter(|name| now.contains(name)).count();
    let gone = if gone.is_empty() { String::new() } else { format!(", {} gone", gone.len()) };
    format!("{here} of {}{gone}", amount(now.len(), "player"))
}

/// Place of a column in its table.
fn place<R: Row>(name: &str) -> usize {
    R::COLUMNS.iter().position(|column| column.name == name).unwrap_or(usize::MAX)
}

/// Whom each tournament is about before all: season and event -> player.
pub(super) struct Leads<'a>(BTreeMap<(&'a str, &'a str), &'a str>);

impl<'a> Leads<'a> {
    const COLUMNS: [&'static str; 4] = ["season", "event", "player", "reference"];

    pub(super) fn of(leaders: &'a Leaders) -> Self {
        Self(
            leaders
                .iter()
                .map(|((season, event), player)| ((season.as_str(), event.as_str()), player.as_str()))
                .collect(),
        )
    }

    /// A row's tournament is about its player.
    pub(super) fn is_led(&self, row: &TournamentReviewRow) -> bool {
        self.0.get(&(row.season.as_str(), row.event.as_str())) == Some(&row.player.as_str())
    }

    /// A stored row says so, if and only if it is.
    pub(super) fn fits(&self, batch: &Columns, row: usize) -> bool {
        self.holds(batch, row, Self::COLUMNS.map(place::<TournamentReviewRow>))
    }

    fn holds(&self, batch: &Columns, row: usize, [season, event, player, reference]: [usize; 4]) -> bool {
        let of = |column| batch.text(row, column).unwrap_or_default();
        batch.flag(row, reference) == (self.0.get(&(of(season), of(event))) == Some(&of(player)))
    }
}

/// The ids of matches that are not the same in both: which went, and which came.
fn changed<'a>(since: &Since<'a>) -> [BTreeSet<&'a str>; 2] {
    fn keys(ledger: &Ledger) -> BTreeSet<(&str, &str)> {
        let matches = ledger.buckets.values().flat_map(|entry| &entry.matches);
        matches.map(|(id, key)| (id.as_str(), key.as_str())).collect()
    }
    let (before, after) = (keys(since.before), keys(since.after));
    let only = |own: &BTreeSet<(&'a str, &'a str)>, other| own.difference(other).map(|(id, _)| *id).collect();
    [only(&before, &after), only(&after, &before)]
}

/// What is asked of a match.
struct Match {
    season: String,
    match_id: String,
    event: Option<String>,
    date: Option<i32>,
    players: [String; 2],
}

impl Match {
    const COLUMNS: [&'static str; 6] = ["season", "match_id", "event", "date", "player_1", "player_2"];

    fn of(rows: &Columns, row: usize) -> Option<Self> {
        let text = |column| rows.text(row, column).map(str::to_owned);
        let date = match rows.at(row, 3) {
            Value::Day(date) => Some(date),
            _ => None,
        };
        Some(Self { season: text(0)?, match_id: text(1)?, event: text(2), date, players: [text(4)?, text(5)?] })
    }

    fn event(&self) -> Option<(&str, &str)> {
        self.event.as_deref().map(|event| (self.season.as_str(), event))
    }
}

/// The matches of two snapshots. A part that lies in both has the same name there, and is read once.
struct Both {
    common: Vec<Match>,
    before: Vec<Match>,
    after: Vec<Match>,
}

impl Both {
    fn of(before: &Path, after: &Path) -> Result<Self, MeasureFault> {
        let [before, after] = [lake::parts(before, MatchRow::TABLE)?, lake::parts(after, MatchRow::TABLE)?];
        let named = |parts: &[Listed]| -> BTreeSet<(String, String)> {
            parts.iter().map(|part| (part.season.clone(), part.name.clone())).collect()
        };
        let common: BTreeSet<_> = named(&before).intersection(&named(&after)).cloned().collect();
        let (shared, after): (Vec<Listed>, Vec<Listed>) =
            after.into_iter().partition(|part| common.contains(&(part.season.clone(), part.name.clone())));
        let before = before.into_iter().filter(|part| !common.contains(&(part.season.clone(), part.name.clone())));
        let read = |parts: Vec<Listed>| {
            let paths: Vec<PathBuf> = parts.into_iter().map(|part| part.path).collect();
            made_of::<MatchRow, _>(&paths, &Match::COLUMNS, Match::of)
        };
        Ok(Self { common: read(shared)?, before: read(before.collect())?, after: read(after)? })
    }

    fn before(&self) -> impl Iterator<Item = &Match> {
        self.common.iter().chain(&self.before)
    }

    fn after(&self) -> impl Iterator<Item = &Match> {
        self.common.iter().chain(&self.after)
    }
}

/// Who played the matches that changed, and whoever was at a tournament whose first day is another for it.
fn of_matches(matches: &Both, is_changed: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let (first_before, first_after) = (first_days(matches.before()), first_days(matches.after()));
    let moved = |of: &Match| of.event().is_some_and(|event| first_before.get(&event) != first_after.get(&event));
    let is_touched = |of: &&Match| is_changed(&of.match_id) || moved(of);
    let touched = matches.before().chain(&matches.after).filter(is_touched);
    touched.flat_map(|of| of.players.clone()).collect()
}

/// The day of the earliest dated match of each tournament.
fn first_days<'a>(matches: impl Iterator<Item = &'a Match>) -> BTreeMap<(&'a str, &'a str), i32> {
    let mut first = BTreeMap::new();
    for of in matches {
        if let Some((event, date)) = of.event().zip(of.date) {
            let known = first.entry(event).or_insert(date);
            *known = date.min(*known);
        }
    }
    first
}

/// Who has treated other positions than before.
fn of_study(before: &Path, after: &Path) -> Result<BTreeSet<String>, TableFault> {
    let treated = |dir: &Path| Ok::<_, TableFault>(treated_keys(&rows(dir)?, &rows(dir)?));
    let (before, after) = (treated(before)?, treated(after)?);
    let players = before.keys().chain(after.keys());
    Ok(players.filter(|player| before.get(*player) != after.get(*player)).cloned().collect())
}

/// Writes down that the marts of a snapshot are whole, and how they were configured.
///
/// # Errors
/// When the cache cannot be written.
pub(super) fn remember(dir: &Path, settings: &Settings) -> Result<(), TableFault> {
    Cache::of(&Lake::at(settings.lake())).below(FOLDER).put(&digest(dir)?, &configured(settings))
}

/// Forgets what is remembered of other snapshots than these.
///
/// # Errors
/// When a snapshot cannot be listed or the cache not written.
pub fn prune(cache: &Cache, snapshots: &[PathBuf]) -> Result<(), TableFault> {
    let wanted: BTreeSet<String> = snapshots.iter().map(|dir| digest(dir)).collect::<Result<_, _>>()?;
    cache.below(FOLDER).retain(|name| wanted.contains(name))
}

/// Everything the marts depend on that is in no table.
pub(super) fn configured(settings: &Settings) -> String {
    format!("{:?}", (settings.measures(), &settings.main_player, settings.goal))
}

/// Of every mart, and of all they are made from.
fn digest(snapshot: &Path) -> Result<String, TableFault> {
    let mut hasher = blake3::Hasher::new();
    let marts = catalogue::ALL.iter().filter(|table| table.shelf == Shelf::Mart).map(|table| table.name);
    for table in marts.chain(super::INPUTS.iter().copied()) {
        hasher.update(lake::digest(snapshot, table)?.as_bytes());
    }
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

/// The bytes of every mart are those that were written.
fn are_whole(snapshot: &Path) -> Result<bool, TableFault> {
    let marts = catalogue::ALL.iter().filter(|table| table.shelf == Shelf::Mart);
    let parts: Vec<Vec<Listed>> = marts.map(|table| lake::parts(snapshot, table.name)).collect::<Result<_, _>>()?;
    let whole: Vec<Result<bool, TableFault>> = parts.par_iter().flatten().map(part::is_whole).collect();
    whole.into_iter().try_fold(true, |all, one| Ok(all && one?))
}
