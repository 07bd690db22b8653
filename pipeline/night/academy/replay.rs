//! Where to go on from, and going on: month by month, with a checkpoint before each and one behind the last match that
//! has a day.
//!
//! The parts of a month are written when it ends and hold nothing but what its matches made the Academy tell; those of a
//! season's state when the season ends. Months and seasons before the start keep their parts, which the list of the last
//! night names by the link they end with. Where one is gone, the start moves back.

use super::kept::Kept;
use super::programme::{Entry, Month, Programme};
use super::source::Stored;
use super::spill::{AT_ONCE, Spill};
use super::store::{Checkpoint, Ledger, Lent, Parts, Store};
use super::strength::Strengths;
use super::{EVENTS, STATES, Trust, rows};
use crate::academy::Academy;
use crate::academy::backgammon::Manner;
use crate::academy::contest::Outcome;
use crate::academy::flat::Flat;
use crate::academy::rows::{AdviceRow, ContestRow, FilingRow, RatingRow};
use crate::academy::save::Saved;
use crate::academy::seen::Seen;
use crate::academy::settings::Source;
use crate::config::Settings;
use crate::night::fault::NightFault;
use crate::night::signal;
use crate::night::status::terminal;
use crate::tables::academy::AcademyContestRow;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake, Listed, WHOLE};
use crate::tables::row::Row as _;
use crate::tables::snapshot::Building;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Positions told apart for the lower bound of a game's size: past it "at least" is all that is said.
const MOST_POSITIONS: usize = 100_000;

/// What the matches of a month made the Academy tell.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Told {
    /// With the digest of the match.
    pub(super) contests: Vec<(ContestRow, String)>,
    /// With the number of contests handed in before.
    pub(super) ratings: Vec<(u64, RatingRow)>,
    pub(super) filings: Vec<FilingRow>,
    /// With the match.
    pub(super) advice: Vec<(String, AdviceRow)>,
}

/// From where the Academy goes on, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Matches that are filed.
    pub filed: usize,
    /// Of how many.
    pub matches: usize,
    /// What they are called: a contest of a file is no match.
    pub called: &'static str,
    /// The first of them: season and day; none when nothing is filed.
    pub from: Option<String>,
    /// Why.
    pub why: String,
    /// Whether its tables will hold something else than the last night left.
    pub changes: bool,
}

impl Start {
    /// The settings switch the Academy off: nothing is filed, and nothing stays.
    pub(super) fn off(changes: bool) -> Self {
        let after = if changes { "; what its tables and academy.html hold goes" } else { "; its tables are empty" };
        Self {
            filed: 0,
            matches: 0,
            called: OFF,
            from: None,
            why: format!("switched off ([academy] enabled = false){after}"),
            changes,
        }
    }
}

/// What nothing is called that is filed while the Academy is switched off.
const OFF: &str = "";

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { filed, matches, called, why, .. } = self;
        match &self.from {
            None if *called == OFF => f.write_str(why),
            None => write!(f, "none of {matches} {called} filed: {why}"),
            Some(from) => write!(f, "{filed} of {matches} {called} filed, from {from}: {why}"),
        }
    }
}

/// A place to go on from.
pub(super) struct From {
    at: usize,
    state: State,
    told: Option<Told>,
}

/// What runs on from match to match.
struct State {
    academy: Academy,
    source: Source,
    /// Game -> hashes of the positions it has shown.
    positions: BTreeMap<String, BTreeSet<u64>>,
    strengths: Strengths,
}

/// The newest place to go on from whose earlier parts lie in one of these snapshots.
pub(super) fn start(
    programme: &Programme,
    store: &Store,
    (snapshots, settings): (&[PathBuf], &Settings),
) -> (Start, Option<From>) {
    let months = programme.months();
    let here = |parts: Option<&Parts>, season: &str, tables: &[&str]| {
        parts.is_some_and(|parts| {
            tables
                .iter()
                .all(|table| parts.get(*table).is_some_and(|name| find(snapshots, (table, season, name)).is_some()))
        })
    };
    // How many entries have all their parts.
    let mut kept = 0;
    for month in &months {
        let link = programme.link(month.entries.end);
        let whole = here(store.ledger.months.get(link), &month.season, &EVENTS)
            && (!month.closes_season || here(store.ledger.seasons.get(link), &month.season, &STATES));
        if !whole {
            break;
        }
        kept = month.entries.end;
    }
    if programme.len() > 0 && kept == programme.len() {
        return (said(programme, (store, snapshots), programme.len()), None);
    }
    let starts: BTreeSet<usize> = months.iter().map(|month| month.entries.start).collect();
    let places = programme.places();
    let mut candidates: Vec<(usize, &str)> = store
        .ledger
        .checkpoints
        .iter()
        .filter_map(|(link, told)| Some((*places.get(link.as_str())?, link.as_str(), *told)))
        .filter(|(at, _, told)| *at < programme.len() && (starts.contains(at) || *told))
        .map(|(at, link, _)| (at, link))
        .collect();
    candidates.sort_unstable();
    for (at, link) in candidates.into_iter().rev() {
        // Inside a month its parts are written again; all before it must be there.
        let before = months.iter().rev().find(|month| month.entries.start <= at).map_or(0, |month| month.entries.start);
        if before > kept {
            continue;
        }
        if let Some(from) = store.get(link).and_then(|checkpoint| From::of(checkpoint, at, settings)) {
            return (said(programme, (store, snapshots), at), Some(from));
        }
    }
    (said(programme, (store, snapshots), 0), Some(From::nothing(settings)))
}

impl From {
    fn nothing(settings: &Settings) -> Self {
        let laws = settings.academy.clone();
        let academy = Academy::new(laws.bylaws, laws.seeds);
        let (positions, strengths) = (BTreeMap::new(), Strengths::default());
        Self { at: 0, state: State { academy, source: laws.source, positions, strengths }, told: None }
    }

    /// `None` for a damaged state.
    fn of(checkpoint: Checkpoint, at: usize, settings: &Settings) -> Option<Self> {
        let laws = settings.academy.clone();
        let Checkpoint { saved, positions, strengths, told } = checkpoint;
        let academy = Academy::restore(laws.bylaws, laws.seeds, &saved).ok()?;
        Some(Self { at, state: State { academy, source: laws.source, positions, strengths }, told })
    }
}

impl State {
    /// Files a match and moves the ratings it moves.
    fn file(&mut self, cut: &Flat, (digest, told): (&str, &mut Told)) {
        for contest in cut.contests() {
            told.file(&mut self.academy, &contest, digest);
            count_positions(&mut self.positions, &contest);
        }
        let after = told.contests.last().map_or(0, |(row, _)| row.position);
        match self.source {
            Source::Results => {
                let moved = cut.finished.iter().flat_map(|finished| self.academy.finish(finished));
                told.ratings.extend(moved.map(|row| (after, row)));
            }
            Source::Machine => {
                let rerated = cut.judged.iter().flat_map(|judged| self.strengths.take(judged));
                told.ratings.extend(rerated.map(|rerated| (after, self.academy.rerate(&rerated))));
            }
        }
    }
}

/// Says from where, and why: what is new since the last night, how much of that was played before what was filed then, and
/// what has to be filed again for it.
fn said(programme: &Programme, (store, snapshots): (&Store, &[PathBuf]), at: usize) -> Start {
    let why = if programme.len() == 0 {
        "there is no match and no contest".to_owned()
    } else if store.trust == Trust::Nothing {
        "as asked".to_owned()
    } else if store.ledger.first != programme.link(0) {
        afresh(store, snapshots).to_owned()
    } else {
        let told = Since::of(programme, store, at).to_string();
        match (told.is_empty(), at < programme.len()) {
            (false, _) => told,
            (true, true) => "parts or checkpoints are gone".to_owned(),
            (true, false) => NOTHING.to_owned(),
        }
    };
    let from = programme.entries.get(at).map(place);
    let filed = programme.len() - at.min(programme.len());
    let was_empty = programme.len() == 0 && store.ledger.digests.is_empty();
    let changes = filed > 0 || (why != NOTHING && !was_empty);
    Start { filed, matches: programme.len(), called: programme.called(), from, why, changes }
}

/// Why nothing is filed again.
const NOTHING: &str = "nothing changed";

/// Why everything is filed, where nothing that was kept fits.
fn afresh(store: &Store, snapshots: &[PathBuf]) -> &'static str {
    let is_filed = |dir: &PathBuf| lake::parts(dir, AcademyContestRow::TABLE).is_ok_and(|parts| !parts.is_empty());
    if !store.ledger.first.is_empty() {
        // Kept by this very program: what else the first link hangs on is the configuration.
        "[academy] or the file of starting ratings changed"
    } else if snapshots.iter().any(is_filed) {
        "there is no checkpoint of this program"
    } else {
        "the first filing"
    }
}

/// What became of the matches since the last night.
#[derive(Default)]
struct Since {
    new: usize,
    /// Of these, how many were played before a match that was filed already.
    late: usize,
    changed: usize,
    gone: usize,
    /// Known and as they were, and filed all the same.
    again: usize,
}

impl Since {
    fn of(programme: &Programme, store: &Store, at: usize) -> Self {
        let known = &store.ledger.digests;
        // A match without a day stands last in its season, whenever it comes: no other is late for it.
        let filed = |entry: &Entry| !entry.turn.undated && known.contains_key(entry.id());
        let last = programme.entries.iter().rposition(filed).unwrap_or(0);
        let mut since = Self::default();
        for (place, entry) in programme.entries.iter().enumerate() {
            match known.get(entry.id()) {
                None => {
                    since.new += 1;
                    since.late += usize::from(place < last);
                }
                Some(digest) if *digest != entry.digest => since.changed += 1,
                Some(_) => since.again += usize::from(place >= at),
            }
        }
        since.gone = (known.len() + since.new).saturating_sub(programme.len());
        since
    }
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let late = if self.late > 0 { format!("new ({} late)", self.late) } else { "new".to_owned() };
        let counts = [(self.new, late.as_str()), (self.changed, "changed"), (self.gone, "gone")];
        let mut said: Vec<String> =
            counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        if !said.is_empty() && self.again > 0 {
            said.push(format!("{} filed again", self.again));
        }
        f.write_str(&said.join(", "))
    }
}

fn place(entry: &Entry) -> String {
    let season = terminal(&entry.turn.season);
    format!("season {season}, {}", entry.turn.label())
}

/// Where a part lies.
fn find(snapshots: &[PathBuf], (table, season, name): (&str, &str, &str)) -> Option<PathBuf> {
    snapshots.iter().map(|dir| lake::table_dir(dir, table, season).join(name)).find(|path| path.is_file())
}

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
    let (start, from) = start(programme, store, (&snapshots, settings));
    let mut work = Work {
        building,
        programme,
        store,
        ledger: Ledger { first: programme.link(0).to_owned(), ..Ledger::default() },
        wanted: BTreeMap::new(),
    };
    let at = from.as_ref().map_or(programme.len(), |from| from.at);
    work.keep(at, &snapshots)?;
    let manner = Manner { value: settings.academy.value, low: settings.academy.bylaws.consult.low_value };
    let kept = Arc::new(Kept::open(super::cut(settings), (manner, store.trust))?);
    if let Some(from) = from {
        work.go_on(from, (&Stored::of(&dir, manner)?, &kept), tick)?;
    }
    kept.sweep(&programme.entries)?;
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
        (stored, kept): (&Stored, &Arc<Kept>),
        tick: &(dyn Fn() + Sync),
    ) -> Result<(), NightFault> {
        let From { at, mut state, mut told } = from;
        let head = self.programme.head();
        let mut contests = Spill::of(stored, (&self.programme.entries, at), (self.building.dir(), Arc::clone(kept)))?;
        for month in self.programme.months().into_iter().filter(|month| month.entries.end > at) {
            let first = month.entries.start.max(at);
            let mut told = told.take().filter(|_| first > month.entries.start).unwrap_or_default();
            if first == month.entries.start && first > 0 && !self.has_checkpoint(first) {
                self.checkpoint(first, (&state, &state.academy.save()), None)?;
            }
            for start in (first..month.entries.end).step_by(AT_ONCE) {
                signal::pause()?;
                let some = start..month.entries.end.min(start + AT_ONCE);
                for (entry, cut) in self.programme.entries[some.clone()].iter().zip(contests.take(some)?) {
                    state.file(&cut, (&entry.digest, &mut told));
                    if !cut.is_sound() {
                        return Err(kept.damaged(entry).into());
                    }
                    tick();
                }
            }
            let is_head = month.entries.end == head;
            let saved = (is_head || month.closes_season).then(|| state.academy.save());
            self.end_month(&month, (&state, saved.as_ref()), told)?;
        }
        Ok(())
    }

    /// Leaves what a month told and, where it ends a season, what is known then. Neither needs the other.
    fn end_month(
        &mut self,
        month: &Month,
        (state, saved): (&State, Option<&Saved>),
        told: Told,
    ) -> Result<(), TableFault> {
        let head = self.programme.head();
        let dir = self.building.dir();
        let season = || {
            let saved = saved.filter(|_| month.closes_season);
            saved.map(|saved| rows::season(dir, &month.season, (&state.academy, saved, &state.positions))).transpose()
        };
        let known = || {
            if let Some(saved) = saved.filter(|_| month.entries.end == head) {
                self.checkpoint(head, (state, saved), Some(&told))?;
            }
            self.write_month(month, told)
        };
        let (season, written) = rayon::join(season, known);
        written?;
        if let Some(parts) = season? {
            let link = self.programme.link(month.entries.end).to_owned();
            let parts = self.wanting(&month.season, parts);
            self.ledger.seasons.insert(link, parts);
        }
        Ok(())
    }

    fn has_checkpoint(&self, at: usize) -> bool {
        self.ledger.checkpoints.contains_key(self.programme.link(at))
    }

    fn checkpoint(
        &mut self,
        at: usize,
        (state, saved): (&State, &Saved),
        told: Option<&Told>,
    ) -> Result<(), TableFault> {
        if self.has_checkpoint(at) {
            return Ok(());
        }
        let link = self.programme.link(at);
        let (positions, strengths) = (&state.positions, &state.strengths);
        self.store.put(link, &Lent { saved, positions, strengths, told })?;
        self.ledger.checkpoints.insert(link.to_owned(), told.is_some());
        Ok(())
    }

    fn write_month(&mut self, month: &Month, told: Told) -> Result<(), TableFault> {
        let parts = rows::month(self.building.dir(), (&month.season, &month.label), told)?;
        let parts = self.wanting(&month.season, parts);
        self.ledger.months.insert(self.programme.link(month.entries.end).to_owned(), parts);
        Ok(())
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

impl Told {
    fn file(&mut self, academy: &mut Academy, contest: &Seen<'_>, digest: &str) {
        let report = academy.file_seen(contest);
        let position = report.contest.position;
        let match_id = report.contest.match_id.clone();
        self.contests.push((report.contest, digest.to_owned()));
        self.ratings.extend(report.ratings.into_iter().map(|row| (position, row)));
        self.filings.extend(report.filings);
        self.advice.extend(report.advice.into_iter().map(|row| (match_id.clone(), row)));
    }
}

/// Remembers the positions a contest with a result shows.
fn count_positions(positions: &mut BTreeMap<String, BTreeSet<u64>>, contest: &Seen<'_>) {
    if matches!(contest.of.outcome, Outcome::First | Outcome::Draw | Outcome::Second) {
        let seen = positions.entry(contest.of.game.clone()).or_default();
        for ply in &contest.plies {
            if seen.len() >= MOST_POSITIONS {
                return;
            }
            let [a, b, c, d, e, f, g, h, ..] = *blake3::hash(ply.key.as_bytes()).as_bytes();
            seen.insert(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        }
    }
}
