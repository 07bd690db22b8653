//! The steps of a run as types: what is not planned cannot be built, what is not measured cannot be checked, what is not
//! checked cannot be published.

use super::build::{self, Plan, Stopped, Written};
use super::fault::NightFault;
use super::progress::Progress;
use super::resolve::{self, Ended, Finding, Resolution, Sighting};
use super::{marts, scan, side, walk};
use crate::config::Settings;
use crate::ingest::study::log::Log;
use crate::tables::check::Weight;
use crate::tables::lake::Lake;
use crate::tables::snapshot::{Building, Checked, Published, Verdict};

/// How often a run starts over because files turned out unusable. Each round drops at least one file; more rounds than
/// this means that something else is wrong.
const ROUNDS: usize = 20;

/// Every file looked at, every match resolved.
pub struct Planned<'a> {
    settings: &'a Settings,
    sightings: Vec<Sighting>,
    named: Vec<(String, Log)>,
    resolution: Resolution,
}

impl<'a> Planned<'a> {
    /// Walks, reads, resolves.
    ///
    /// # Errors
    /// When `raw/` cannot be listed.
    pub fn of(settings: &'a Settings, progress: &Progress) -> Result<Self, NightFault> {
        let named = side::named(settings)?;
        let raw = settings.raw();
        let found = walk::walk(&raw).map_err(|source| NightFault::Unreadable { path: raw, source })?;
        let bar = progress.stage("scan", found.len());
        let sightings = scan::scan(&found, &|| bar.tick());
        let resolution = resolve::resolve(&sightings, settings);
        bar.done(&format!("{} files, {} matches", found.len(), resolution.matches.len()));
        Ok(Self { settings, sightings, named, resolution })
    }

    /// What the files amount to.
    #[must_use]
    pub const fn resolution(&self) -> &Resolution {
        &self.resolution
    }

    /// Writes the fact tables and partials into `lake/next`.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn build(mut self, progress: &Progress) -> Result<Built<'a>, NightFault> {
        for _ in 0..ROUNDS {
            let building = Building::begin(Lake::at(self.settings.lake()))?;
            let bar = progress.stage("ingest", self.resolution.matches.len());
            let plan = Plan { sightings: &self.sightings, resolution: &self.resolution, settings: self.settings };
            match build::facts(plan, building.dir(), &|| bar.tick()) {
                Ok(written) => {
                    let seasons = self.resolution.sources.iter().map(|row| row.season.clone()).collect();
                    side::write(building.dir(), (&self.sightings, &self.named), (self.settings, &seasons))?;
                    bar.done(&format!(
                        "{} matches, {} decisions, {} candidates",
                        written.matches, written.decisions, written.candidates
                    ));
                    return Ok(Built { planned: self, building, written });
                }
                Err(Stopped::Table(fault)) => return Err(fault.into()),
                Err(Stopped::Spoiled(files)) => {
                    for file in files {
                        self.sightings[file.at].found = Finding::Ended(file.ended);
                    }
                    self.resolution = resolve::resolve(&self.sightings, self.settings);
                }
            }
        }
        Err(NightFault::Unsettled)
    }

    /// Builds, measures and checks until the contract holds.
    ///
    /// # Errors
    /// [`NightFault`] of any step.
    pub fn sound(self, progress: &Progress) -> Result<Sound, NightFault> {
        let mut planned = self;
        for _ in 0..ROUNDS {
            match planned.build(progress)?.measure(progress)?.check(progress)? {
                Outcome::Sound(sound) => return Ok(sound),
                Outcome::Again(again) => planned = again,
            }
        }
        Err(NightFault::Unsettled)
    }

    /// Drops every file of a match that broke a check.
    fn quarantine(&mut self, match_id: &str, sentence: &str) {
        for sighting in &mut self.sightings {
            if let Finding::Match(seen) = &sighting.found
                && seen.identity.match_id == match_id
            {
                sighting.found = Finding::Ended(Ended {
                    status: "quarantined",
                    format: Some(seen.format.token()),
                    reason: "check".to_owned(),
                    detail: sentence.to_owned(),
                    offset: None,
                });
            }
        }
        self.resolution = resolve::resolve(&self.sightings, self.settings);
    }
}

/// Facts and partials are written.
pub struct Built<'a> {
    planned: Planned<'a>,
    building: Building,
    written: Written,
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
        marts::write(&mut self.building, self.planned.settings, progress)?;
        Ok(Measured { planned: self.planned, building: self.building, written: self.written })
    }
}

/// Marts are written.
pub struct Measured<'a> {
    planned: Planned<'a>,
    building: Building,
    written: Written,
}

/// What came of the checks.
pub enum Outcome<'a> {
    /// The contract holds.
    Sound(Sound),
    /// Matches broke it: they are quarantined, and the rest is to be built again.
    Again(Planned<'a>),
}

impl<'a> Measured<'a> {
    /// Checks the contract of every table.
    ///
    /// # Errors
    /// [`NightFault::Broken`] for a finding that no match is to blame for; a part that cannot be read.
    pub fn check(mut self, progress: &Progress) -> Result<Outcome<'a>, NightFault> {
        let bar = progress.stage("check", 1);
        let resolution = std::mem::take(&mut self.planned.resolution);
        match self.building.check()? {
            Verdict::Sound(checked) => {
                bar.done(&format!("{} warnings", checked.warnings().len()));
                Ok(Outcome::Sound(Sound { checked, resolution, written: self.written }))
            }
            Verdict::Broken(_, findings) => {
                for finding in findings.iter().filter(|finding| finding.weight == Weight::Blocking) {
                    let Some(match_id) = &finding.match_id else {
                        return Err(NightFault::Broken(finding.sentence.clone()));
                    };
                    self.planned.quarantine(match_id, &finding.sentence);
                }
                bar.done("matches were quarantined");
                Ok(Outcome::Again(self.planned))
            }
        }
    }
}

/// A snapshot that may be published.
pub struct Sound {
    checked: Checked,
    /// What the files amounted to.
    pub resolution: Resolution,
    /// How much was written.
    pub written: Written,
}

impl Sound {
    /// Makes it the lake that counts.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn publish(self, settings: &Settings) -> Result<(Published, Resolution, Written), NightFault> {
        Ok((self.checked.publish(settings.snapshots)?, self.resolution, self.written))
    }
}
