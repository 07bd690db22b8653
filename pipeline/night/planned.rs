//! What a run knows before it builds: the files below `raw/`, what is in them, and what they amount to.

use super::amount::amount;
use super::assemble::{self, Aside};
use super::build::{Touched, Wanted};
use super::cache::Cache;
use super::fault::NightFault;
use super::files::Files;
use super::ledger::{Ledger, Where};
use super::progress::Progress;
use super::resolve::{self, Ended, Finding, Resolution, Sighting};
use super::scan::Fresh;
use super::settled::{self, State};
use super::status::terminal;
use super::walk::{Found, Survey};
use super::whose::Players;
use super::{scan, side, signal, status, walk};
use crate::config::Settings;
use crate::ingest::study::log::Log;
use crate::tables::facts::MatchRow;
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use crate::tables::row::Row as _;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

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
    pub(super) settings: &'a Settings,
    pub(super) cache: Cache,
    pub(super) found: Vec<Found>,
    pub(super) named: Vec<(String, Log)>,
    pub(super) scanned: scan::Scanned,
    pub(super) resolution: Resolution,
    pub(super) state: State,
    pub(super) ledger: Ledger,
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

    /// The number of the snapshot that counts.
    pub(super) fn published(&self) -> Result<Option<u64>, NightFault> {
        Ok(Lake::at(self.settings.lake()).current_number()?)
    }

    /// Drops every file of a match that broke a check.
    pub(super) fn quarantine(&mut self, match_id: &str, sentence: &str) {
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

/// Goes on when nothing was rejected.
///
/// # Errors
/// [`NightFault::Strict`].
pub(super) fn without_rejections(resolution: &Resolution) -> Result<(), NightFault> {
    let rejected: Vec<String> = resolution.rejected().map(status::sentence).collect();
    match rejected.len() {
        0 => Ok(()),
        files => Err(NightFault::Strict { files, named: status::listed(&rejected) }),
    }
}
