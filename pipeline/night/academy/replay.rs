//! Going on: month by month, with a checkpoint before each and one behind the last match that has a day.
//!
//! The parts of a month are written when it ends and hold nothing but what its matches made the Academy tell; those of a
//! season's state when the season ends. Months and seasons before the start keep their parts.

use super::behind::{Behind, Between, Left, Wanting};
use super::kept::Kept;
use super::programme::{Month, Programme};
use super::rows::{self, Written};
use super::spill::{AT_ONCE, FEW, Spill};
use super::start::{From, Place, Start, find, start};
use super::state::{State, Told};
use super::store::{Ledger, Lent, Parts, Store};
use super::{EVENTS, STATES};
use crate::academy::backgammon::Manner;
use crate::academy::save::Saved;
use crate::config::Settings;
use crate::night::fault::NightFault;
use crate::night::signal;
use crate::tables::fault::TableFault;
use crate::tables::lake::{Lake, Listed, WHOLE};
use crate::tables::snapshot::Building;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// Files what has to be filed and leaves every table of the Academy in the snapshot.
pub(super) fn replay(
    building: &Building,
    settings: &Settings,
    (programme, store, seasons): (&Programme, &Store, &[String]),
    tick: &(dyn Fn() + Sync),
) -> Result<Start, NightFault> {
    let dir = building.dir().to_path_buf();
    let mut snapshots = vec![dir.clone()];
    if building.follows() {
        snapshots.push(Lake::at(settings.lake()).current());
    }
    let manner = Manner { value: settings.academy.value, low: settings.academy.bylaws.consult.low_value };
    let kept = Arc::new(Kept::open(super::cut(settings), (manner, store.trust), store.ledger.contests)?);
    let spill = |at| Spill::of(&dir, (&programme.entries, at), (manner, Arc::clone(&kept)));
    // What a night adds is cut while what is known before it is read.
    let mut early = None;
    let mut open = |place: Place<'_>| {
        let is_short = programme.len() - place.at <= FEW;
        let kept = || From::kept(store, place, (&snapshots, settings));
        let (from, contests) = rayon::join(kept, || is_short.then(|| spill(place.at)));
        early = contests.filter(|_| from.is_some());
        from
    };
    let (start, from) = start(programme, store, (&snapshots, settings), &mut open);
    let mut work = Work {
        building,
        programme,
        store,
        ledger: Ledger { first: programme.link(0).to_owned(), ..Ledger::default() },
        wanted: BTreeMap::new(),
    };
    let at = from.as_ref().map_or(programme.len(), |from| from.at);
    work.keep(at, &snapshots)?;
    if let Some(from) = from {
        let contests = early.unwrap_or_else(|| spill(from.at))?;
        work.go_on(from, (contests, &kept), tick)?;
    }
    work.ledger.contests = kept.sweep(&programme.entries)?;
    work.end(seasons)?;
    Ok(start)
}

/// A replay at work.
struct Work<'a> {
    building: &'a Building,
    programme: &'a Programme,
    store: &'a Store,
    ledger: Ledger,
    /// Table -> season -> names of parts.
    wanted: BTreeMap<&'static str, BTreeMap<String, BTreeSet<String>>>,
}

impl Work<'_> {
    /// Takes over the parts of the months and seasons that end at `at` or before, and the checkpoints.
    fn keep(&mut self, at: usize, snapshots: &[PathBuf]) -> Result<(), TableFault> {
        let head = self.programme.head();
        for month in self.programme.months() {
            let ends = [month.entries.start, month.entries.end];
            for place in ends.into_iter().filter(|place| *place <= at && *place > 0) {
                let link = self.programme.link(place);
                let told = self.store.ledger.checkpoints.get(link).copied();
                // What was the head once is at best the beginning of a month now, and a late match goes back to its own.
                if let Some(told) = told.filter(|_| place == month.entries.start || place == head) {
                    self.ledger.checkpoints.insert(link.to_owned(), told && place == head);
                }
            }
            if month.entries.end > at {
                continue;
            }
            let link = self.programme.link(month.entries.end);
            if let Some(parts) = self.store.ledger.months.get(link) {
                self.take_over((&month, &EVENTS), parts, snapshots)?;
                self.ledger.months.insert(link.to_owned(), parts.clone());
            }
            if let Some(parts) = self.store.ledger.seasons.get(link).filter(|_| month.closes_season) {
                self.take_over((&month, &STATES), parts, snapshots)?;
                self.ledger.seasons.insert(link.to_owned(), parts.clone());
            }
        }
        Ok(())
    }

    fn take_over(
        &mut self,
        (month, tables): (&Month, &[&'static str]),
        parts: &Parts,
        snapshots: &[PathBuf],
    ) -> Result<(), TableFault> {
        for table in tables {
            let Some(name) = parts.get(*table) else { continue };
            let Some(path) = find(snapshots, (table, &month.season, name)) else { continue };
            let bucket = if tables.len() == EVENTS.len() { month.label.clone() } else { WHOLE.to_owned() };
            if !path.starts_with(self.building.dir()) {
                let part = Listed { season: month.season.clone(), bucket, name: name.clone(), path };
                self.building.keep(table, &part)?;
            }
            self.want(table, &month.season, name.clone());
        }
        Ok(())
    }

    fn want(&mut self, table: &'static str, season: &str, name: String) {
        self.wanted.entry(table).or_default().entry(season.to_owned()).or_default().insert(name);
    }

    fn go_on(
        &mut self,
        from: From,
        (mut contests, kept): (Spill<'_>, &Kept),
        tick: &(dyn Fn() + Sync),
    ) -> Result<(), NightFault> {
        let From { at, mut state, mut earlier } = from;
        let (building, store, programme) = (self.building, self.store, self.programme);
        thread::scope(|scope| {
            let mut behind = Behind::new(scope, building.dir(), store);
            let mut ended = None;
            for month in programme.months().into_iter().filter(|month| month.entries.end > at) {
                let first = month.entries.start.max(at);
                let earlier = earlier.take().filter(|_| first > month.entries.start);
                let mut told = Told { earlier, ..Told::default() };
                let between = self.between(&month, first, &state);
                self.enter(behind.write(Wanting { month: ended.take(), between })?);
                for start in (first..month.entries.end).step_by(AT_ONCE) {
                    signal::pause()?;
                    let some = start..month.entries.end.min(start + AT_ONCE);
                    for (entry, cut) in programme.entries[some.clone()].iter().zip(contests.take(some)?) {
                        state.file(&cut, (&entry.digest, &mut told));
                        if !cut.is_sound() {
                            return Err(kept.damaged(entry).into());
                        }
                        tick();
                    }
                }
                if month.entries.end == programme.head() || month.closes_season {
                    self.enter(behind.rest()?);
                    self.end_month(&month, (&state, &state.academy.save()), told)?;
                } else {
                    ended = Some((month, told));
                }
            }
            self.enter(behind.write(Wanting { month: ended, between: None })?);
            self.enter(behind.rest()?);
            Ok(())
        })
    }

    /// The state before a month that begins here, where it is not kept yet.
    fn between(&self, month: &Month, first: usize, state: &State) -> Option<Between> {
        let is_wanted = first == month.entries.start && first > 0 && !self.has_checkpoint(first);
        is_wanted.then(|| Between::of(self.programme.link(first), state))
    }

    /// What was written counts from here on.
    fn enter(&mut self, left: Left) {
        self.ledger.checkpoints.extend(left.between.map(|link| (link, false)));
        if let Some((month, parts)) = left.month {
            self.enter_month(&month, parts);
        }
    }

    fn enter_month(&mut self, month: &Month, parts: Vec<Written>) {
        let parts = self.wanting(&month.season, parts);
        self.ledger.months.insert(self.programme.link(month.entries.end).to_owned(), parts);
    }

    /// Leaves what a month told, where it is the last one with a day the state after it, and where it ends a season what is
    /// known then. None needs the other.
    fn end_month(&mut self, month: &Month, (state, saved): (&State, &Saved), told: Told) -> Result<(), TableFault> {
        let (dir, store) = (self.building.dir(), self.store);
        let end = month.entries.end;
        let link = self.programme.link(end).to_owned();
        let season = || {
            let known = (&state.academy, saved, &state.positions);
            month.closes_season.then(|| rows::season(dir, &month.season, known)).transpose()
        };
        let is_head = end == self.programme.head() && !self.has_checkpoint(end);
        let head = || {
            let State { positions, strengths, .. } = state;
            let lent = Lent { saved, positions, strengths };
            is_head.then(|| store.put(&link, &lent)).transpose()
        };
        let month_of = || rows::month(dir, (&month.season, &month.label), &told);
        let (season, (head, written)) = rayon::join(season, || rayon::join(head, month_of));
        if head?.is_some() {
            self.ledger.checkpoints.insert(link.clone(), true);
        }
        self.enter_month(month, written?);
        if let Some(parts) = season? {
            let parts = self.wanting(&month.season, parts);
            self.ledger.seasons.insert(link, parts);
        }
        Ok(())
    }

    fn has_checkpoint(&self, at: usize) -> bool {
        self.ledger.checkpoints.contains_key(self.programme.link(at))
    }

    /// Parts that were written, to be kept.
    fn wanting(&mut self, season: &str, parts: Vec<(&'static str, String)>) -> Parts {
        for (table, name) in &parts {
            self.want(table, season, name.clone());
        }
        parts.into_iter().map(|(table, name)| (table.to_owned(), name)).collect()
    }

    /// Empty parts for seasons without a contest, so that whoever reads a table finds its columns; everything else in the
    /// tables goes; the list of what is kept is written.
    fn end(mut self, seasons: &[String]) -> Result<(), TableFault> {
        let filed: BTreeSet<&str> = self.programme.entries.iter().map(|entry| entry.turn.season.as_str()).collect();
        for season in seasons.iter().filter(|season| !filed.contains(season.as_str())) {
            for (table, name) in rows::nothing(self.building.dir(), season)? {
                self.want(table, season, name);
            }
        }
        for (table, seasons) in &self.wanted {
            let seasons = seasons.iter().map(|(season, names)| (season.as_str(), names.clone())).collect();
            self.building.keep_only(table, &seasons)?;
        }
        let digests = self.programme.entries.iter().map(|entry| (entry.id().to_owned(), entry.digest.clone()));
        self.ledger.digests = digests.collect();
        self.store.close(&self.ledger)
    }
}
