//! Where to go on from, and why.
//!
//! Months and seasons before the start keep their parts, which the list of the last night names by the link they end with.
//! Where one is gone, the start moves back.

use super::earlier::Earlier;
use super::programme::{Entry, Month, Programme};
use super::state::State;
use super::store::{Parts, Store};
use super::{EVENTS, STATES, Trust};
use crate::config::Settings;
use crate::night::status::terminal;
use crate::tables::academy::AcademyContestRow;
use crate::tables::lake;
use crate::tables::row::Row as _;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

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
    pub(super) at: usize,
    pub(super) state: State,
    /// What the month under way told until then.
    pub(super) earlier: Option<Earlier>,
}

/// A place that may be one to go on from.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// Entries before it.
    pub(super) at: usize,
    /// What stands for them.
    pub(super) link: &'a str,
    /// The month it lies inside of.
    pub(super) under_way: Option<&'a Month>,
}

/// The newest place to go on from whose earlier parts lie in one of these snapshots, and that `open` finds whole.
pub(super) fn start(
    programme: &Programme,
    store: &Store,
    (snapshots, settings): (&[PathBuf], &Settings),
    open: &mut dyn FnMut(Place<'_>) -> Option<From>,
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
        let of = months.iter().rev().find(|month| month.entries.start <= at);
        if of.is_some_and(|month| month.entries.start > kept) {
            continue;
        }
        let under_way = of.filter(|month| month.entries.start < at);
        if let Some(from) = open(Place { at, link, under_way }) {
            return (said(programme, (store, snapshots), at), Some(from));
        }
    }
    (said(programme, (store, snapshots), 0), Some(From { at: 0, state: State::nothing(settings), earlier: None }))
}

impl From {
    /// What is kept under a link, if it is whole.
    pub(super) fn kept(
        store: &Store,
        place: Place<'_>,
        (snapshots, settings): (&[PathBuf], &Settings),
    ) -> Option<Self> {
        let earlier = match place.under_way {
            Some(month) => Some(Earlier::read(store.ledger.months.get(place.link)?, month, snapshots)?),
            None => None,
        };
        let state = State::of(store.get(place.link)?, settings)?;
        Some(Self { at: place.at, state, earlier })
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
pub(super) fn find(snapshots: &[PathBuf], (table, season, name): (&str, &str, &str)) -> Option<PathBuf> {
    snapshots.iter().map(|dir| lake::table_dir(dir, table, season).join(name)).find(|path| path.is_file())
}
