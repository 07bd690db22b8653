//! The steps of a run as types: what is not walked cannot be planned, what is not planned cannot be built, what is not
//! measured and filed cannot be sealed, and tables that are not checked, or whose pages are not ready, cannot be published:
//! what is left to do then needs no room. Checking and drawing only read, and are done side by side.

use super::amount::amount;
use super::assemble::Aside;
use super::build::{Held, Stopped, Touched, Wanted};
use super::cache::Cache;
use super::fault::NightFault;
use super::files::Files;
use super::ledger::{Journal, Ledger, Where, Written};
use super::pages::Pages;
use super::progress::Progress;
use super::resolve::{self, Ended, Finding, Resolution, Sighting};
use super::scan::Fresh;
use super::settled::{self, State};
use super::status::terminal;
use super::walk::{Found, Survey};
use super::whose::Players;
use super::{academy, assemble, marts, pages, room, scan, side, signal, status, walk};
use crate::config::Settings;
use crate::ingest::study::log::Log;
use crate::tables::check::{self, Weight};
use crate::tables::facts::MatchRow;
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use crate::tables::row::Row as _;
use crate::tables::sealed::{Checked, Verdict};
use crate::tables::snapshot::{Building, Published};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::thread;

/// How often a run starts over because files turned out unusable. Each round drops at least one file; more rounds than
/// this means that something else is wrong.
const ROUNDS: usize = 20;

/// Hidden names that a log tells one by one.
const NAMED: usize = 5;

/// What lies below `raw/`, and what the last night knew of it.
pub struct Walked<'a> {
    settings: &'a Settings,
    cache: Cache,
    found: Vec<Found>,
    shut: Vec<(String, String)>,
    files: Files,
    named: Vec<(String, Log)>,
    state: Option<State>,
}

impl<'a> Walked<'a> {
    /// Lists the files, and tells what is passed over.
    ///
    /// # Errors
    /// When `raw/` cannot be listed, or is gone from beside a lake that was filled from it.
    pub fn of(settings: &'a Settings) -> Result<Self, NightFault> {
        let named = side::named(settings);
        let (raw, lake) = (settings.raw(), Lake::at(settings.lake()));
        let unreadable = |source| NightFault::Unreadable { path: raw.clone(), source };
        if lake.current_number()?.is_some() {
            // An unmounted disk is not an order to forget every match.
            std::fs::read_dir(&raw).map_err(unreadable)?;
        }
        let cache = Cache::of(&lake);
        let (survey, files) = rayon::join(|| walk::survey(&raw), || Files::stats(&cache));
        let Survey { found, hidden, shut } = survey.map_err(unreadable)?;
        if !hidden.is_empty() {
            // No warning: a folder of a synchroniser is there every night, and a quiet night has nothing to say of it.
            let named: Vec<String> = hidden.iter().take(NAMED).map(|shown| terminal(shown)).collect();
            let more = if hidden.len() > NAMED { ", ..." } else { "" };
            tracing::info!("{} passed over, hidden by a dot: {}{more}", hidden.len(), named.join(", "));
        }
        for (folder, why) in &shut {
            tracing::warn!("{} cannot be listed: {why}; what its files held before stands", terminal(folder));
        }
        let state = settled::state(settings, &found, &files)?;
        Ok(Self { settings, cache, found, shut, files, named, state })
    }

    /// When the last whole run saw all this as it is and left what it made of it: what it said of the files.
    ///
    /// # Errors
    /// When the lake cannot be listed.
    pub fn settled(&self) -> Result<Option<String>, NightFault> {
        self.state.as_ref().map_or(Ok(None), |state| settled::is_settled(&self.cache, self.settings, state))
    }

    /// How many files there are.
    #[must_use]
    pub fn files(&self) -> usize {
        self.found.len()
    }

    /// Reads what is new and resolves everything.
    ///
    /// # Errors
    /// A signal; a cache that cannot be written.
    pub fn plan(self, progress: &Progress) -> Result<Planned<'a>, NightFault> {
        let Self { settings, cache, found, shut, files, named, .. } = self;
        let bar = progress.stage("scan", found.len());
        let lake = Lake::at(settings.lake());
        let ledger = || match lake.current_number()? {
            Some(_) => Ledger::of(&cache, &lake.current()),
            None => Ok(Ledger::default()),
        };
        let look = || {
            let files = files.with_sightings(&cache);
            let scanned = scan::scan((&found, &shut), (files, settings.missing), &|| bar.tick())?;
            let resolution = resolve::resolve(&scanned.sightings, settings);
            Ok::<_, signal::Stop>((scanned, resolution))
        };
        let (looked, ledger) = rayon::join(look, ledger);
        let (scanned, resolution) = looked?;
        bar.done(&format!("{}, {}", scanned.fresh.summary(), amount(resolution.matches.len(), "match")));
        let state = match scanned.is_whole() {
            true => settled::of_contents(settings, &scanned.known)?,
            false => State::unsettled(),
        };
        Ok(Planned { settings, cache, found, named, scanned, resolution, state, ledger: ledger? })
    }
}

/// Every file looked at, every match resolved.
pub struct Planned<'a> {
    settings: &'a Settings,
    cache: Cache,
    found: Vec<Found>,
    named: Vec<(String, Log)>,
    scanned: scan::Scanned,
    resolution: Resolution,
    state: State,
    ledger: Ledger,
}

impl<'a> Planned<'a> {
    /// What the files amount to.
    #[must_use]
    pub const fn resolution(&self) -> &Resolution {
        &self.resolution
    }

    /// What is new among the files.
    #[must_use]
    pub const fn fresh(&self) -> &Fresh {
        &self.scanned.fresh
    }

    /// Goes on when no file was rejected.
    ///
    /// # Errors
    /// [`NightFault::Strict`].
    pub fn without_rejections(&self) -> Result<(), NightFault> {
        without_rejections(&self.resolution)
    }

    /// Who played a match, canonical; nobody where no file of it is there any more.
    #[must_use]
    pub fn players(&self, match_id: &str) -> Vec<String> {
        let seen = self.seen().find(|seen| seen.identity.match_id == match_id);
        let canonical = |name: &String| self.settings.players.canonical(name).to_owned();
        seen.map(|seen| seen.names.iter().map(canonical).collect()).unwrap_or_default()
    }

    fn seen(&self) -> impl Iterator<Item = &resolve::Seen> {
        self.scanned.sightings.iter().filter_map(|sighting| match &sighting.found {
            Finding::Match(seen) => Some(seen.as_ref()),
            _ => None,
        })
    }

    /// Tells what is hardly meant: a folder that lost every file, a main player whom no match knows.
    pub fn doubt(&self) {
        if self.scanned.fresh.files == 0 && self.scanned.is_whole() && !self.ledger.buckets.is_empty() {
            let what = match self.resolution.matches.is_empty() {
                true => "every match goes, and portes rollback brings them back",
                false => "what was known of those that were there is kept",
            };
            tracing::warn!("no file is left below {}: {what}", self.settings.raw().display());
        }
        let Some(main) = self.settings.main_player.as_deref() else { return };
        let names: BTreeSet<&str> =
            self.seen().flat_map(|seen| &seen.names).map(|name| self.settings.players.canonical(name)).collect();
        if !names.is_empty() && !names.contains(main) {
            let near = Players::of(names.into_iter().map(str::to_owned).collect()).offer(main);
            tracing::warn!("[players] main = {main:?}: no match has a player of that name{near}");
        }
    }

    /// The seasons there will be.
    #[must_use]
    pub fn seasons(&self) -> BTreeSet<&str> {
        self.resolution.sources.iter().map(|row| row.season.as_str()).collect()
    }

    /// The buckets that will be written, why, and of how many.
    #[must_use]
    pub fn touched(&self) -> (BTreeMap<Where, Touched>, usize) {
        let wanted = Wanted::of(&self.scanned.sightings, &self.resolution, self.settings);
        (wanted.touched(&self.ledger), wanted.buckets())
    }

    /// The matches of buckets that there will be none of, by season.
    #[must_use]
    pub fn lost(&self) -> BTreeMap<&str, Vec<&str>> {
        Wanted::of(&self.scanned.sightings, &self.resolution, self.settings).lost(&self.ledger)
    }

    /// The files that were looked at, and the study logs that the configuration names.
    #[must_use]
    pub fn beside(&self) -> (&[Sighting], &[(String, Log)]) {
        (&self.scanned.sightings, &self.named)
    }

    /// What the published snapshot was made from.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Writes the fact tables and partials into `lake/next`.
    ///
    /// # Errors
    /// When the disk cannot be written or has no room.
    pub fn build(mut self, progress: &Progress) -> Result<Built<'a>, NightFault> {
        let lake = Lake::at(self.settings.lake());
        let (kept, room) = rayon::join(
            || Files::keep(&self.cache, &self.found, &self.scanned),
            || room::check(self.settings, &self.touched().0, &self.ledger),
        );
        kept?;
        room?;
        for _ in 0..ROUNDS {
            let building = Building::resume(lake.clone())?;
            match self.write(&building, progress) {
                Ok((ledger, touched)) => return Ok(Built { planned: self, building, ledger, touched }),
                Err(Stopped::Table(fault)) => return Err(fault.into()),
                Err(Stopped::Signal(stop)) => return Err(stop.into()),
                Err(Stopped::Spoiled(files)) => {
                    self.scanned.spoil(files.into_iter().map(|file| (file.at, file.ended)).collect());
                    Files::keep(&self.cache, &self.found, &self.scanned)?;
                    self.resolution = resolve::resolve(&self.scanned.sightings, self.settings);
                    self.state = State::unsettled();
                }
            }
        }
        Err(NightFault::Unsettled)
    }

    fn write(&self, building: &Building, progress: &Progress) -> Result<(Ledger, usize), Stopped> {
        let (journal, finished) = Journal::open(&self.cache, building.dir())?;
        let wanted = Wanted::of(&self.scanned.sightings, &self.resolution, self.settings);
        let nothing = Ledger::default();
        let ledger = if building.follows() { &self.ledger } else { &nothing };
        let snapshot = Lake::at(self.settings.lake()).current();
        let touched = wanted.touched(ledger);
        let made: usize = touched.values().map(|why| why.made.len() + why.copied).sum();
        let bar = progress.stage("ingest", made);
        let held = Held { snapshot, ledger, finished: &finished };
        let ledger = wanted.write(building, (&held, &journal), &|| bar.tick())?;
        side::write(building, (&self.scanned.sightings, &self.named), (self.settings, &self.resolution))?;
        let written = ledger.written();
        bar.done(&format!(
            "{}, {}, {}; {} of {} written",
            amount(written.matches, "match"),
            amount(written.decisions, "decision"),
            amount(written.candidates, "candidate"),
            touched.len(),
            amount(ledger.buckets.len(), "bucket"),
        ));
        Ok((ledger, touched.len()))
    }

    /// The matches there will be: the rows of those that did not change, and of the others what their files make of them.
    ///
    /// # Errors
    /// When a part cannot be read.
    pub fn foreseen(&self) -> Result<Vec<MatchRow>, NightFault> {
        let wanted = Wanted::of(&self.scanned.sightings, &self.resolution, self.settings);
        let made: BTreeSet<String> = wanted.touched(&self.ledger).into_values().flat_map(|why| why.made).collect();
        let mut rows = Vec::new();
        for listed in lake::parts(&Lake::at(self.settings.lake()).current(), MatchRow::TABLE)? {
            rows.extend(part::read::<MatchRow>(&listed.path)?);
        }
        let here: BTreeSet<&str> = self.resolution.matches.iter().map(|played| played.match_id.as_str()).collect();
        rows.retain(|row| here.contains(row.match_id.as_str()) && !made.contains(&row.match_id));
        let fresh = self.resolution.matches.par_iter().filter(|played| made.contains(&played.match_id));
        let assembled = fresh.filter_map(|played| {
            assemble::assemble(played, &self.scanned.sightings, (self.settings, Aside::Leave)).ok().map(|all| all.row)
        });
        rows.extend(assembled.collect::<Vec<_>>());
        Ok(rows)
    }

    /// What holds for the run.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        self.settings
    }

    /// Builds, measures and checks until the contract holds, and has the pages ready: of every season, or of the one that
    /// was asked for.
    ///
    /// # Errors
    /// [`NightFault`] of any step; readers then have the tables and the pages of the night before.
    pub fn sound(self, only: Option<&str>, progress: &Progress) -> Result<Sound, NightFault> {
        let mut planned = self;
        for _ in 0..ROUNDS {
            match planned.build(progress)?.measure(progress)?.academy(progress)?.check(only, progress)? {
                Outcome::Sound(sound) => return Ok(sound),
                Outcome::Again(again) => planned = again,
            }
        }
        Err(NightFault::Unsettled)
    }

    /// The number of the snapshot that counts.
    fn published(&self) -> Result<Option<u64>, NightFault> {
        Ok(Lake::at(self.settings.lake()).current_number()?)
    }

    /// Drops every file of a match that broke a check.
    fn quarantine(&mut self, match_id: &str, sentence: &str) {
        for sighting in &mut self.scanned.sightings {
            if let Finding::Match(seen) = &sighting.found
                && seen.identity.match_id == match_id
            {
                sighting.found = Finding::Ended(Ended {
                    verdict: resolve::Verdict::Quarantined,
                    format: Some(seen.format.token().to_owned()),
                    reason: "check".to_owned(),
                    detail: sentence.to_owned(),
                    offset: None,
                });
            }
        }
        self.resolution = resolve::resolve(&self.scanned.sightings, self.settings);
    }
}

/// Facts and partials are written.
pub struct Built<'a> {
    planned: Planned<'a>,
    building: Building,
    ledger: Ledger,
    touched: usize,
}

impl<'a> Built<'a> {
    /// Leaves the tables in `lake/next` for another run to go on with.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn leave(self) -> Result<(), NightFault> {
        Ok(self.building.leave()?)
    }

    /// Writes the marts.
    ///
    /// # Errors
    /// When a partial cannot be read or a mart not written.
    pub fn measure(mut self, progress: &Progress) -> Result<Measured<'a>, NightFault> {
        let Self { planned, building, ledger, .. } = &mut self;
        let snapshot = Lake::at(planned.settings.lake()).current();
        let since = marts::Since { cache: &planned.cache, snapshot: &snapshot, before: &planned.ledger, after: ledger };
        let since = building.follows().then_some(since);
        marts::write(building, (planned.settings, since.as_ref()), progress)?;
        Ok(Measured { built: self })
    }
}

/// Marts are written.
pub struct Measured<'a> {
    built: Built<'a>,
}

impl<'a> Measured<'a> {
    /// Writes what the Academy knows, and the standings, which show its ratings. It files match after match; meanwhile the
    /// facts are checked, which nothing changes any more.
    ///
    /// # Errors
    /// When rows or contest files cannot be read, or a table not written; a signal.
    pub fn academy(mut self, progress: &Progress) -> Result<Taught<'a>, NightFault> {
        let Built { planned, building, .. } = &mut self.built;
        let scope = building.scope();
        let (filed, facts) = rayon::join(
            || {
                academy::write(building, planned.settings, (academy::Trust::Checkpoints, progress))?;
                marts::stand(building, planned.settings)
            },
            || scope.facts(&|| signal::pause().is_ok()),
        );
        filed?;
        Ok(Taught { built: self.built, facts: facts? })
    }
}

/// The Academy has filed everything.
pub struct Taught<'a> {
    built: Built<'a>,
    /// What was found of the facts.
    facts: Option<check::Facts>,
}

/// What came of the checks.
pub enum Outcome<'a> {
    /// The contract holds.
    Sound(Sound),
    /// Matches broke it: they are quarantined, and the rest is to be built again.
    Again(Planned<'a>),
}

impl<'a> Taught<'a> {
    /// Checks the contract of every table and makes the pages ready beside those that readers have open. Pages of tables
    /// that break it go away again.
    ///
    /// # Errors
    /// [`NightFault::Broken`] for a finding that no match is to blame for; a part that cannot be read; of tables that hold
    /// what [`pages::draw`] says.
    pub fn check(self, only: Option<&str>, progress: &Progress) -> Result<Outcome<'a>, NightFault> {
        let Built { mut planned, building, ledger, touched } = self.built;
        let sealed = building.seal()?;
        let trusted = !planned.ledger.buckets.is_empty();
        // Where nothing was taken over, nothing vouches for the bytes of the published parts.
        let current = if trusted && sealed.is_current()? { planned.published()? } else { None };
        let number = current.map_or_else(|| sealed.number(), Ok)?;
        // What pages show of a match is remembered by what the match was made from.
        ledger.keep(&planned.cache, sealed.dir())?;
        let settings = planned.settings;
        let look = || {
            let bar = progress.stage("check", 1);
            let findings = sealed.findings(self.facts)?;
            Ok::<_, NightFault>((bar.over(&told(&findings)), findings))
        };
        let draw = || pages::draw((sealed.dir(), number), settings, (only, progress));
        let ((looked, pages), synced) = thread::scope(|scope| {
            let synced = scope.spawn(|| sealed.sync());
            let both = rayon::join(look, draw);
            (both, synced.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        synced?;
        let (over, findings) = looked?;
        over.tell();
        match sealed.verdict(findings) {
            Verdict::Sound(checked) => {
                let Planned { cache, scanned, resolution, state, .. } = planned;
                let fresh = scanned.fresh;
                // There are thousands, and nobody waits for them to go.
                rayon::spawn(move || drop(scanned.sightings));
                let (is_new, pages) = (current.is_none(), pages?.tell());
                Ok(Outcome::Sound(Sound { checked, is_new, pages, cache, resolution, fresh, state, ledger, touched }))
            }
            Verdict::Broken(_, findings) => {
                for finding in findings.iter().filter(|finding| finding.weight == Weight::Blocking) {
                    let Some(match_id) = &finding.match_id else {
                        return Err(NightFault::Broken(finding.sentence.clone()));
                    };
                    planned.quarantine(match_id, &finding.sentence);
                }
                Ok(Outcome::Again(planned))
            }
        }
    }
}

/// What a check says when it is over.
fn told(findings: &[check::Finding]) -> String {
    if findings.iter().any(|finding| finding.weight == Weight::Blocking) {
        return "matches were quarantined".to_owned();
    }
    let warnings = amount(findings.len(), "warning");
    if findings.is_empty() { warnings } else { format!("{warnings}; portes check tells them") }
}

/// A snapshot whose contract holds and whose pages are ready.
pub struct Sound {
    checked: Checked,
    is_new: bool,
    pages: pages::Drawn,
    cache: Cache,
    resolution: Resolution,
    fresh: Fresh,
    state: State,
    ledger: Ledger,
    touched: usize,
}

/// What a run came to.
pub struct Night {
    /// The snapshot that counts.
    pub published: Published,
    /// Whether it is another than before.
    pub is_new: bool,
    /// Its pages, which readers have open.
    pub pages: Pages,
    /// What the files amount to.
    pub resolution: Resolution,
    /// What was new among them.
    pub fresh: Fresh,
    /// What the lake holds.
    pub written: Written,
    /// Rows of its tables of facts and partials.
    pub rows: BTreeMap<String, u64>,
    /// Buckets whose parts were written.
    pub touched: usize,
    /// What the checks would have somebody look at.
    pub warnings: Vec<String>,
    cache: Cache,
    state: State,
}

fn without_rejections(resolution: &Resolution) -> Result<(), NightFault> {
    let rejected: Vec<String> = resolution.rejected().map(status::sentence).collect();
    match rejected.len() {
        0 => Ok(()),
        files => Err(NightFault::Strict { files, named: status::listed(&rejected) }),
    }
}

impl Sound {
    /// Goes on when neither the files nor the checks had anything rejected.
    ///
    /// # Errors
    /// [`NightFault::Strict`].
    pub fn without_rejections(&self) -> Result<(), NightFault> {
        without_rejections(&self.resolution)
    }

    /// Makes it the lake that counts, and its pages those that readers have; a snapshot that is what the published one is
    /// gives way to it.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn publish(self, settings: &Settings) -> Result<Night, NightFault> {
        let Self { checked, is_new, pages, cache, resolution, fresh, state, ledger, touched } = self;
        let warnings = checked.warnings().iter().map(|finding| finding.sentence.clone()).collect();
        let published = if is_new { checked.publish(settings.snapshots)? } else { checked.give_way()? };
        // A run that is killed here leaves the old pages beside the new tables: no state is settled, the next one goes on.
        let pages = pages.exchange(settings)?;
        Journal::close(&cache)?;
        let (written, rows) = (ledger.written(), ledger.rows());
        Ok(Night { published, is_new, pages, resolution, fresh, written, rows, touched, warnings, cache, state })
    }
}

impl Night {
    /// Notes that everything is done, pages too: until something changes, the next run has nothing to do.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn settle(&self, settings: &Settings) -> Result<(), NightFault> {
        let said = status::statuses(&self.resolution.sources);
        settled::settle(&self.cache, settings, (&self.state, &said))?;
        assemble::prune(settings, &self.resolution)?;
        let lake = Lake::at(settings.lake());
        let kept: Vec<_> = lake.numbers()?.into_iter().map(|number| lake.snapshot(number)).collect();
        marts::prune(&self.cache, &kept)?;
        Ok(Ledger::prune(&self.cache, &kept)?)
    }
}
