//! The study marts of a snapshot: its errors, match by match, into the measures made of single errors.
//!
//! Three tables are read, and never the decisions: `matches` says whose an error is, `moments` how many decisions it
//! stands among, `errors` is walked bucket by bucket; of one that is remembered only the matches of who is asked for are
//! taken up again. What other analyses say (`rulings`, of all seasons, since a position may recur anywhere) is read once,
//! and only for positions somebody erred in. Memory is a few buckets of errors, the lessons of a few players at a time,
//! and the distinct rulings on those positions.

use super::bucket::{AT_ONCE, Bucket, Held, Sheets};
use super::bucket_errors::{BucketErrors, Matches, Pool, Season, match_of};
use super::interval::Quantile;
use super::occasion::Occasion;
use super::reference::rulings::Rulings;
use super::reference::{Known, References, TreatedKeys};
use super::said::{self, Memory, Oblivion, Wanted, said};
use super::scope::Scope;
use super::selection::Selection;
use super::snapshot::{Snapshot, rows_among};
use super::study_plan::StudyPlan;
use super::{MeasureFault, Settings};
use crate::tables::facts::MatchRow;
use crate::tables::fault::TableFault;
use crate::tables::partials::{ErrorRow, MomentRow, RulingRow};
use crate::tables::row::{self, Row};
use crate::tables::study_marts::{
    FamilyPositionRow, MatchReviewRow, RecurringErrorRow, ReferencePositionRow, StudyPlanRow, StudyTotalsRow,
    TournamentFamilyRow,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Parts read at a time: about 500 matches, 5,000 errors or 250,000 rulings.
pub(super) const BATCH: usize = 8;

/// Errors whose lessons are held at the same time: some 15 MB of them, however many there are.
const HELD: usize = 25_000;

/// The finished tables, each sorted by its key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorMarts {
    /// By match, seat and rank.
    pub match_review: Vec<MatchReviewRow>,
    /// By season, player and family.
    pub study_plan: Vec<StudyPlanRow>,
    /// By season, player and event.
    pub study_totals: Vec<StudyTotalsRow>,
    /// By season, player, family and rank.
    pub family_positions: Vec<FamilyPositionRow>,
    /// By season, event, player and family.
    pub tournament_families: Vec<TournamentFamilyRow>,
    /// By season, player and group.
    pub recurring_errors: Vec<RecurringErrorRow>,
    /// By season, player and rank.
    pub reference_positions: Vec<ReferencePositionRow>,
}

/// What they are made from besides the snapshot.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Positions that are never proposed again.
    pub treated: &'a TreatedKeys,
    /// What the measures may be told.
    pub settings: Settings,
    /// Whose rows are wanted.
    pub scope: &'a Scope,
}

/// Where the two longest tables go: rows of one player at a time, season by season, in the order of their keys.
pub trait Lists {
    /// Takes positions of families.
    ///
    /// # Errors
    /// When they cannot be written.
    fn positions(&mut self, rows: Vec<FamilyPositionRow>) -> Result<(), TableFault>;

    /// Takes families of tournaments.
    ///
    /// # Errors
    /// When they cannot be written.
    fn families(&mut self, rows: Vec<TournamentFamilyRow>) -> Result<(), TableFault>;
}

/// They are held.
impl Lists for ErrorMarts {
    fn positions(&mut self, mut rows: Vec<FamilyPositionRow>) -> Result<(), TableFault> {
        self.family_positions.append(&mut rows);
        Ok(())
    }

    fn families(&mut self, mut rows: Vec<TournamentFamilyRow>) -> Result<(), TableFault> {
        self.tournament_families.append(&mut rows);
        Ok(())
    }
}

/// The tables that single errors are measured in, bucket by bucket.
const TABLES: [&str; 3] = [MatchRow::TABLE, MomentRow::TABLE, ErrorRow::TABLE];

/// Finishes what is made of single errors from a snapshot's `matches`, `moments`, `errors` and `rulings`.
///
/// # Errors
/// A table that cannot be read or does not fit its schema, errors of a match that is not in `matches`.
pub fn marts(snapshot: &Path, asked: &Asked<'_>) -> Result<ErrorMarts, MeasureFault> {
    let sheets = Held::default();
    let mut lists = ErrorMarts::default();
    let marts = pooled(snapshot, asked, (&sheets, &Oblivion), &mut lists)?;
    let ErrorMarts { family_positions, tournament_families, .. } = lists;
    Ok(ErrorMarts { match_review: sheets.rows(), family_positions, tournament_families, ..marts })
}

/// The same, but for the reviews of matches, which go to `sheets` bucket by bucket, and the tables of `lists`; what analyses
/// say is taken from `memory` where it is remembered.
///
/// # Errors
/// As [`marts`], and what `sheets`, `memory` or `lists` cannot write.
pub fn pooled(
    snapshot: &Path,
    asked: &Asked<'_>,
    (sheets, memory): (&dyn Sheets<MatchReviewRow>, &dyn Memory),
    lists: &mut dyn Lists,
) -> Result<ErrorMarts, MeasureFault> {
    let Asked { treated, settings, scope } = *asked;
    let snapshot = Snapshot(snapshot);
    let mut matches: BTreeMap<String, Matches> = BTreeMap::new();
    let buckets = snapshot.buckets(&TABLES)?;
    for bucket in &buckets {
        let here = Occasion::all(bucket)?.into_iter().map(|of| (of.match_id.clone(), of));
        matches.entry(bucket.season.clone()).or_default().extend(here);
    }
    let seasons: BTreeMap<&str, Season<'_>> =
        matches.iter().map(|(season, matches)| (season.as_str(), Season::of(matches, scope))).collect();
    let mut ledgers: BTreeMap<&str, Ledger<'_>> = BTreeMap::new();
    for some in buckets.chunks(AT_ONCE) {
        let open = |bucket: &Bucket| BucketErrors::of(bucket, &seasons[bucket.season.as_str()], sheets);
        let opened: Vec<Result<BucketErrors, MeasureFault>> = some.par_iter().map(open).collect();
        for (bucket, opened) in some.iter().zip(opened) {
            let ledger = ledgers.entry(&bucket.season).or_insert_with(|| Ledger::of(scope));
            ledger.take(opened?, &matches[&bucket.season])?;
        }
    }
    let positions = ledgers.values().flat_map(|ledger| ledger.positions.iter().copied()).collect();
    let rulings = rulings(snapshot, &positions, memory)?;
    let mut marts = ErrorMarts::default();
    for (season, ledger) in ledgers {
        let (matches, parts) = (&matches[season], snapshot.parts::<ErrorRow>(Path::new(season))?);
        for players in ledger.tables() {
            let references = ledger.references(&parts, (matches, &players))?;
            for (player, references) in &references {
                let untreated = BTreeSet::new();
                let treated = treated.get(*player).unwrap_or(&untreated);
                let known = Known { rulings: &rulings, treated, error: settings.error };
                let selection = Selection { season, player: Some(player) };
                marts.reference_positions.extend(references.rows(&selection, &known)?);
                lists.positions(references.positions(&selection)?)?;
            }
        }
        ledger.families((season, settings.quantile), lists)?;
        ledger.close((season, settings.quantile), &mut marts);
    }
    row::sort(&mut marts.study_plan);
    row::sort(&mut marts.study_totals);
    row::sort(&mut marts.recurring_errors);
    row::sort(&mut marts.reference_positions);
    Ok(marts)
}

/// A season's errors by whose they are.
struct Ledger<'m> {
    scope: &'m Scope,
    everybody: Option<Pool>,
    /// Of who is asked for.
    pools: BTreeMap<&'m str, Pool>,
    /// By event and player.
    events: BTreeMap<(&'m str, &'m str), StudyPlan>,
    /// Of these errors how many are each player's.
    errors: BTreeMap<&'m str, usize>,
    /// Short numbers of the positions in which they can become a lesson.
    positions: BTreeSet<i64>,
    /// The errors themselves, while they are no more than [`HELD`]; else they are read again.
    held: Option<Vec<ErrorRow>>,
}

impl<'m> Ledger<'m> {
    fn of(scope: &'m Scope) -> Self {
        Self {
            scope,
            everybody: None,
            pools: BTreeMap::new(),
            events: BTreeMap::new(),
            errors: BTreeMap::new(),
            positions: BTreeSet::new(),
            held: Some(Vec::new()),
        }
    }

    fn take(&mut self, opened: BucketErrors, matches: &'m Matches) -> Result<(), MeasureFault> {
        if let Some(everybody) = opened.everybody {
            self.everybody.get_or_insert_default().join(everybody);
        }
        for error in &opened.errors {
            self.enter(error, match_of(matches, &error.match_id)?)?;
        }
        for ((match_id, seat), counted) in &opened.decisions {
            let of = match_of(matches, match_id)?;
            let player = of.player(*seat)?;
            if self.scope.holds(player) {
                self.pools.entry(player).or_default().decisions += counted;
                self.played_at(of, player);
            }
        }
        self.held = self.held.take().filter(|held| held.len() + opened.errors.len() <= HELD);
        if let Some(held) = &mut self.held {
            held.extend(opened.errors);
        }
        Ok(())
    }

    fn enter(&mut self, error: &ErrorRow, of: &'m Occasion) -> Result<(), MeasureFault> {
        let player = of.player(error.seat)?;
        if !self.scope.holds(player) {
            return Ok(());
        }
        self.pools.entry(player).or_default().add(error);
        if let Some(plan) = self.played_at(of, player) {
            plan.add(error);
        }
        *self.errors.entry(player).or_default() += 1;
        if is_taught(error) {
            self.positions.insert(RulingRow::position_of(&error.position_key));
        }
        Ok(())
    }

    /// The plan of a player at the event of a match, if there is one. Who played there without an error has one too.
    fn played_at(&mut self, of: &'m Occasion, player: &'m str) -> Option<&mut StudyPlan> {
        Some(self.events.entry((of.event.as_ref()?, player)).or_default())
    }

    /// Players whose lessons are held at the same time, in the order of their names: as many as share [`HELD`] errors, and
    /// at least one.
    fn tables(&self) -> Vec<BTreeSet<&'m str>> {
        let (mut tables, mut held) = (Vec::<BTreeSet<&str>>::new(), 0);
        for (player, errors) in &self.errors {
            match tables.last_mut() {
                Some(table) if held + errors <= HELD => {
                    held += errors;
                    table.insert(player);
                }
                _ => {
                    held = *errors;
                    tables.push(BTreeSet::from([*player]));
                }
            }
        }
        tables
    }

    /// The lessons of some players.
    fn references(
        &self,
        parts: &[PathBuf],
        (matches, players): (&'m Matches, &BTreeSet<&'m str>),
    ) -> Result<BTreeMap<&'m str, References<'m>>, MeasureFault> {
        let mut references: BTreeMap<&str, References<'_>> = BTreeMap::new();
        let mut add = |error: &ErrorRow| {
            let of = match_of(matches, &error.match_id)?;
            if let Some(player) = players.get(of.player(error.seat)?) {
                references.entry(player).or_default().add(error, of);
            }
            Ok::<(), MeasureFault>(())
        };
        if let Some(held) = &self.held {
            held.iter().try_for_each(add)?;
            return Ok(references);
        }
        let theirs = |of: &&Occasion| of.is_of(|player| players.contains(player));
        let wanted: BTreeSet<&str> = matches.values().filter(theirs).map(|of| of.match_id.as_str()).collect();
        for batch in parts.chunks(BATCH) {
            rows_among::<ErrorRow>(batch, &wanted)?.iter().try_for_each(&mut add)?;
        }
        Ok(references)
    }

    /// The plans of players at events.
    fn families(&self, (season, quantile): (&str, Quantile), lists: &mut dyn Lists) -> Result<(), TableFault> {
        for ((event, player), plan) in &self.events {
            let mut rows = plan.rows_of_event(event, &Selection { season, player: Some(player) }, quantile);
            row::sort(&mut rows);
            lists.families(rows)?;
        }
        Ok(())
    }

    fn close(self, (season, quantile): (&str, Quantile), marts: &mut ErrorMarts) {
        let everybody = self.everybody.iter().map(|pool| (None, pool));
        let players = self.pools.iter().map(|(player, pool)| (Some(*player), pool));
        for (player, pool) in everybody.chain(players) {
            let selection = Selection { season, player };
            marts.study_plan.extend(pool.plan.rows(&selection, quantile));
            marts.study_totals.push(pool.plan.totals(None, &selection, quantile));
            marts.recurring_errors.extend(pool.recurring.rows(&selection, pool.decisions));
        }
        for ((event, player), plan) in &self.events {
            let selection = Selection { season, player: Some(player) };
            marts.study_totals.push(plan.totals(Some(event), &selection, quantile));
        }
    }
}

/// What all analyses of the snapshot say of these positions, by their short numbers.
fn rulings(snapshot: Snapshot<'_>, positions: &BTreeSet<i64>, memory: &dyn Memory) -> Result<Rulings, MeasureFault> {
    let (mut rulings, wanted) = (Rulings::default(), Wanted::of(positions));
    for season in snapshot.seasons(&[RulingRow::TABLE])? {
        for batch in snapshot.parts::<RulingRow>(&season)?.chunks(BATCH) {
            for (position, ruling) in said(batch, &wanted, (memory, said::Asked::Last))? {
                rulings.add(position, ruling);
            }
        }
    }
    Ok(rulings)
}

/// It can become a lesson: it is priced, and themed.
const fn is_taught(error: &ErrorRow) -> bool {
    error.loss.is_some() && error.difficulty.is_some() && error.theme.is_some()
}
