//! The steps of a run as types: what is not walked cannot be planned, what is not planned cannot be built, what is not
//! measured and filed cannot be sealed, and tables that are not checked, or whose pages are not ready, cannot be published:
//! what is left to do then needs no room. Checking and drawing only read, and are done side by side.

use super::amount::amount;
use super::build::{Held, Stopped, Touched, Wanted};
use super::cache::Cache;
use super::fault::NightFault;
use super::files::Files;
use super::ledger::{Journal, Ledger, Where, Written};
use super::pages::Pages;
use super::planned::{Planned, without_rejections};
use super::progress::Progress;
use super::resolve::{self, Resolution};
use super::scan::Fresh;
use super::settled::{self, State};
use super::{academy, assemble, marts, pages, publish, room, side, signal, status};
use crate::config::Settings;
use crate::tables::check::{self, Weight};
use crate::tables::lake::Lake;
use crate::tables::sealed::{Checked, Size, Verdict};
use crate::tables::snapshot::{Building, Published};
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;

/// How often a run starts over because files turned out unusable. Each round drops at least one file; more rounds than
/// this means that something else is wrong.
const ROUNDS: usize = 20;

impl<'a> Planned<'a> {
    /// Writes the fact tables and partials into `lake/next`.
    ///
    /// # Errors
    /// When the disk cannot be written or has no room.
    pub fn build(mut self, progress: &Progress) -> Result<Built<'a>, NightFault> {
        let lake = Lake::at(self.settings.lake());
        for _ in 0..ROUNDS {
            let (kept, written) = rayon::join(
                || Files::keep(&self.cache, &self.found, &self.scanned),
                || {
                    let due = Due::of(&self);
                    room::check(self.settings, &due.touched, &self.ledger)?;
                    let building = Building::resume(lake.clone())?;
                    Ok::<_, NightFault>((self.write(&building, due, progress), building))
                },
            );
            let (written, building) = written?;
            kept?;
            match written {
                Ok((ledger, touched)) => return Ok(Built { planned: self, building, ledger, touched }),
                Err(Stopped::Table(fault)) => return Err(fault.into()),
                Err(Stopped::Signal(stop)) => return Err(stop.into()),
                Err(Stopped::Spoiled(files)) => {
                    self.scanned.spoil(files.into_iter().map(|file| (file.at, file.ended)).collect());
                    self.resolution = resolve::resolve(&self.scanned.sightings, self.settings);
                    self.state = State::unsettled();
                }
            }
        }
        Err(NightFault::Unsettled)
    }

    fn write(
        &self,
        building: &Building,
        Due { wanted, touched }: Due<'_>,
        progress: &Progress,
    ) -> Result<(Ledger, usize), Stopped> {
        let (journal, finished) = Journal::open(&self.cache, building.dir())?;
        let nothing = Ledger::default();
        let ledger = if building.follows() { &self.ledger } else { &nothing };
        let snapshot = Lake::at(self.settings.lake()).current();
        let touched = if building.follows() { touched } else { wanted.touched(ledger) };
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
}

/// What is to be built, and the buckets that it changes.
struct Due<'a> {
    wanted: Wanted<'a>,
    touched: BTreeMap<Where, Touched>,
}

impl<'a> Due<'a> {
    fn of(planned: &'a Planned<'_>) -> Self {
        let wanted = Wanted::of(&planned.scanned.sightings, &planned.resolution, planned.settings);
        let touched = wanted.touched(&planned.ledger);
        Self { wanted, touched }
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
        let (waits, waited) = mpsc::channel::<()>();
        let (dir, next, rows) = (sealed.dir(), &sealed, ledger.rows());
        let draw = move || pages::draw((dir, number), settings, (only, progress, &|| _ = waits.send(())));
        // While the disk is waited for, there is time to count.
        let rest = move || {
            next.sync()?;
            _ = waited.recv();
            next.size(&rows)
        };
        let ((looked, pages), size) = thread::scope(|scope| {
            let rest = scope.spawn(rest);
            let both = rayon::join(look, draw);
            (both, rest.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        let size = size?;
        let (over, findings) = looked?;
        over.tell();
        match sealed.verdict(findings) {
            Verdict::Sound(checked) => {
                let Planned { cache, scanned, resolution, state, .. } = planned;
                let fresh = scanned.fresh;
                // There are thousands, and nobody waits for them to go.
                rayon::spawn(move || drop(scanned.sightings));
                let (is_new, pages) = (current.is_none(), pages?.tell());
                let sound = Sound { checked, is_new, pages, size, cache, resolution, fresh, state, ledger, touched };
                Ok(Outcome::Sound(sound))
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
    size: Size,
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
    /// The pages of the night before, which nobody can open any more.
    pub old: Vec<publish::Old>,
    /// What the files amount to.
    pub resolution: Resolution,
    /// What was new among them.
    pub fresh: Fresh,
    /// What the lake holds.
    pub written: Written,
    /// How much that is.
    pub size: Size,
    /// Buckets whose parts were written.
    pub touched: usize,
    /// What the checks would have somebody look at.
    pub warnings: Vec<String>,
    cache: Cache,
    state: State,
}

impl Sound {
    /// Goes on when neither the files nor the checks had anything rejected.
    ///
    /// # Errors
    /// [`NightFault::Strict`].
    pub fn without_rejections(&self) -> Result<(), NightFault> {
        without_rejections(&self.resolution)
    }

    /// What the files amount to.
    #[must_use]
    pub const fn resolution(&self) -> &Resolution {
        &self.resolution
    }

    /// Makes it the lake that counts, and its pages those that readers have; a snapshot that is what the published one is
    /// gives way to it.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn publish(self, settings: &Settings) -> Result<Night, NightFault> {
        let Self { checked, is_new, pages, size, cache, resolution, fresh, state, ledger, touched } = self;
        let warnings = checked.warnings().iter().map(|finding| finding.sentence.clone()).collect();
        let published = if is_new { checked.publish(settings.snapshots)? } else { checked.give_way()? };
        // A run that is killed here leaves the old pages beside the new tables: no state is settled, the next one goes on.
        let (pages, old) = pages.exchange(settings)?;
        Journal::close(&cache)?;
        let written = ledger.written();
        Ok(Night { published, is_new, pages, old, resolution, fresh, written, size, touched, warnings, cache, state })
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
