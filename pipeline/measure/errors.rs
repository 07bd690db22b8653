//! The study marts of a snapshot: its errors, match by match, into the measures made of single errors.
//!
//! Three tables are read, and never the decisions: `matches` says whose an error is, `moments` how many decisions it
//! stands among, `errors` is walked part by part. What other analyses say (`rulings`, of all seasons, since a position
//! may recur anywhere) is read once, and only for positions somebody erred in. Memory is one batch of errors, the lessons
//! of a few players at a time, and the distinct rulings on those positions.

use super::interval::Quantile;
use super::recurring::Recurring;
use super::reference::rulings::{Ruling, Rulings};
use super::reference::{Known, References, TreatedKeys};
use super::review::review;
use super::scope::Scope;
use super::selection::Selection;
use super::snapshot::{Snapshot, collect, fault, made_of, numbers, present, rows_among, rows_of, scan, texts};
use super::study_plan::StudyPlan;
use super::{MeasureFault, Settings};
use crate::tables::columns::Columns;
use crate::tables::facts::MatchRow;
use crate::tables::partials::{ErrorRow, MomentRow, RulingRow};
use crate::tables::row::{self, Row, Value};
use crate::tables::study_marts::{
    FamilyPositionRow, MatchReviewRow, RecurringErrorRow, ReferencePositionRow, StudyPlanRow, StudyTotalsRow,
    TournamentFamilyRow,
};
use polars::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Parts read at a time: about 2,000 matches, 50,000 errors or a million rulings.
pub(super) const BATCH: usize = 32;

/// Errors whose lessons are held at the same time: some 80 MB of them, however many there are.
const HELD: usize = 200_000;

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

/// Finishes what is made of single errors from a snapshot's `matches`, `moments`, `errors` and `rulings`.
///
/// # Errors
/// A table that cannot be read or does not fit its schema, errors of a match that is not in `matches`.
pub fn marts(snapshot: &Path, asked: &Asked<'_>) -> Result<ErrorMarts, MeasureFault> {
    let Asked { treated, settings, scope } = *asked;
    let snapshot = Snapshot(snapshot);
    let mut seasons = Vec::new();
    for season in snapshot.seasons(&[MatchRow::TABLE, ErrorRow::TABLE])? {
        let matches = matches(snapshot, &season)?;
        seasons.push((season, matches));
    }
    let rulings = rulings(snapshot, (&seasons, scope))?;
    let mut marts = ErrorMarts::default();
    for (season, matches) in &seasons {
        let parts = snapshot.parts::<ErrorRow>(season)?;
        let mut ledger = Ledger { scope, pools: BTreeMap::new(), events: BTreeMap::new() };
        for batch in parts.chunks(BATCH) {
            let mut errors = rows_of::<ErrorRow>(batch)?;
            errors.iter().try_for_each(|error| ledger.enter(error, matches_row(matches, &error.match_id)?))?;
            errors.retain(|error| matches.get(&error.match_id).is_some_and(|of| is_asked(of, scope)));
            marts.match_review.extend(review(&errors));
        }
        for batch in snapshot.parts::<MomentRow>(season)?.chunks(BATCH) {
            count_decisions(&mut ledger, batch, matches)?;
        }
        let Some(named) = matches.values().next().map(|row| row.season.as_str()) else { continue };
        ledger.close((named, settings.quantile), &mut marts);
        for players in tables(&parts, matches, scope)? {
            let references = references(&parts, (matches, &players))?;
            for (player, references) in &references {
                let untreated = BTreeSet::new();
                let treated = treated.get(*player).unwrap_or(&untreated);
                let known = Known { rulings: &rulings, treated, error: settings.error };
                let selection = Selection { season: named, player: Some(player) };
                marts.reference_positions.extend(references.rows(&selection, &known)?);
                marts.family_positions.extend(references.positions(&selection)?);
            }
        }
    }
    row::sort(&mut marts.match_review);
    row::sort(&mut marts.study_plan);
    row::sort(&mut marts.study_totals);
    row::sort(&mut marts.family_positions);
    row::sort(&mut marts.tournament_families);
    row::sort(&mut marts.recurring_errors);
    row::sort(&mut marts.reference_positions);
    Ok(marts)
}

/// The matches of a season by id.
type Matches = BTreeMap<String, MatchRow>;

fn matches(snapshot: Snapshot<'_>, season: &Path) -> Result<Matches, MeasureFault> {
    Ok(snapshot.rows::<MatchRow>(season)?.into_iter().map(|row| (row.match_id.clone(), row)).collect())
}

fn matches_row<'m>(matches: &'m Matches, match_id: &str) -> Result<&'m MatchRow, MeasureFault> {
    matches.get(match_id).ok_or_else(|| MeasureFault::Orphan { table: ErrorRow::TABLE, match_id: match_id.to_owned() })
}

fn player(of: &MatchRow, seat: i64) -> Result<&str, MeasureFault> {
    match seat {
        1 => Ok(&of.player_1),
        2 => Ok(&of.player_2),
        seat => Err(MeasureFault::Seat { match_id: of.match_id.clone(), seat }),
    }
}

/// A player of the match is asked for.
fn is_asked(of: &MatchRow, scope: &Scope) -> bool {
    scope.holds_any([of.player_1.as_str(), &of.player_2])
}

/// Everybody, and a player if he is asked for.
fn selections<'m>(player: &'m str, scope: &Scope) -> impl Iterator<Item = Option<&'m str>> {
    std::iter::once(None).chain(scope.holds(player).then_some(Some(player)))
}

/// A season's errors by whose they are; nobody's are everybody's.
struct Ledger<'m> {
    scope: &'m Scope,
    pools: BTreeMap<Option<&'m str>, Pool>,
    /// By event and player.
    events: BTreeMap<(&'m str, &'m str), StudyPlan>,
}

#[derive(Default)]
struct Pool {
    plan: StudyPlan,
    recurring: Recurring,
    decisions: i64,
}

impl<'m> Ledger<'m> {
    fn enter(&mut self, error: &ErrorRow, of: &'m MatchRow) -> Result<(), MeasureFault> {
        let player = player(of, error.seat)?;
        for whose in selections(player, self.scope) {
            let pool = self.pools.entry(whose).or_default();
            pool.plan.add(error);
            pool.recurring.add(error);
        }
        if let Some(plan) = self.played_at(of, player) {
            plan.add(error);
        }
        Ok(())
    }

    /// The plan of a player at the event of a match, if there is one and he is asked for. Who played there without an
    /// error has one too.
    fn played_at(&mut self, of: &'m MatchRow, player: &'m str) -> Option<&mut StudyPlan> {
        let event = of.event.as_ref().filter(|_| self.scope.holds(player))?;
        Some(self.events.entry((event, player)).or_default())
    }

    fn close(self, (season, quantile): (&str, Quantile), marts: &mut ErrorMarts) {
        for (player, pool) in &self.pools {
            let selection = Selection { season, player: *player };
            marts.study_plan.extend(pool.plan.rows(&selection, quantile));
            marts.study_totals.push(pool.plan.totals(None, &selection, quantile));
            marts.recurring_errors.extend(pool.recurring.rows(&selection, pool.decisions));
        }
        for ((event, player), plan) in &self.events {
            let selection = Selection { season, player: Some(player) };
            marts.tournament_families.extend(plan.rows_of_event(event, &selection, quantile));
            marts.study_totals.push(plan.totals(Some(event), &selection, quantile));
        }
    }
}

/// Players whose lessons are held at the same time, in the order of their names: as many as share [`HELD`] errors, and at
/// least one.
fn tables<'m>(parts: &[PathBuf], matches: &'m Matches, scope: &Scope) -> Result<Vec<BTreeSet<&'m str>>, MeasureFault> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for batch in parts.chunks(BATCH) {
        for (match_id, seat) in made_of::<ErrorRow, _>(batch, &["match_id", "seat"], seat_of)? {
            let player = player(matches_row(matches, &match_id)?, seat)?;
            if scope.holds(player) {
                *counts.entry(player).or_default() += 1;
            }
        }
    }
    let (mut tables, mut held) = (Vec::<BTreeSet<&str>>::new(), 0);
    for (player, errors) in counts {
        match tables.last_mut() {
            Some(table) if held + errors <= HELD => {
                held += errors;
                table.insert(player);
            }
            _ => {
                held = errors;
                tables.push(BTreeSet::from([player]));
            }
        }
    }
    Ok(tables)
}

/// Whose a row of errors is, of which only match and seat were read.
fn seat_of(errors: &Columns, row: usize) -> Option<(String, i64)> {
    Some((errors.text(row, 0)?.to_owned(), errors.int(row, 1)?))
}

/// The lessons of some players of a season.
fn references<'m>(
    parts: &[PathBuf],
    (matches, players): (&'m Matches, &BTreeSet<&'m str>),
) -> Result<BTreeMap<&'m str, References<'m>>, MeasureFault> {
    let theirs = |row: &&MatchRow| players.contains(&*row.player_1) || players.contains(&*row.player_2);
    let wanted = among(matches.values().filter(theirs));
    let mut references: BTreeMap<&str, References<'_>> = BTreeMap::new();
    for batch in parts.chunks(BATCH) {
        for error in rows_among::<ErrorRow>(batch, &wanted)? {
            let of = matches_row(matches, &error.match_id)?;
            if let Some(player) = players.get(player(of, error.seat)?) {
                references.entry(player).or_default().add(&error, of);
            }
        }
    }
    Ok(references)
}

/// The ids of some matches.
fn among<'a>(matches: impl Iterator<Item = &'a MatchRow>) -> BTreeSet<&'a str> {
    matches.map(|row| row.match_id.as_str()).collect()
}

/// The counted decisions of everybody the errors stand among.
fn count_decisions<'m>(ledger: &mut Ledger<'m>, parts: &[PathBuf], matches: &'m Matches) -> Result<(), MeasureFault> {
    let counted = |moments: &Columns, row: usize| {
        Some((moments.text(row, 0)?.to_owned(), moments.int(row, 1)?, moments.int(row, 2)?))
    };
    for (match_id, seat, counted) in made_of::<MomentRow, _>(parts, &["match_id", "seat", "counted"], counted)? {
        let of = matches_row(matches, &match_id)?;
        let player = player(of, seat)?;
        for whose in selections(player, ledger.scope) {
            ledger.pools.entry(whose).or_default().decisions += counted;
        }
        ledger.played_at(of, player);
    }
    Ok(())
}

/// What all analyses of the snapshot say of positions that can become a candidate.
fn rulings(snapshot: Snapshot<'_>, asked: (&[(PathBuf, Matches)], &Scope)) -> Result<Rulings, MeasureFault> {
    let wanted = DataFrame::new_infer_height(vec![Column::new("position".into(), erred_in(snapshot, asked)?)]);
    let wanted = wanted.map_err(fault::<RulingRow>)?.lazy();
    let mut rulings = Rulings::default();
    for season in snapshot.seasons(&[RulingRow::TABLE])? {
        for batch in snapshot.parts::<RulingRow>(&season)?.chunks(BATCH) {
            let position = || [col("position")];
            let of_wanted = scan::<RulingRow>(batch)?.select([col("position"), col("ruling"), col("rollout")]).join(
                wanted.clone(),
                position(),
                position(),
                JoinArgs::new(JoinType::Semi),
            );
            add_rulings(&mut rulings, &collect::<RulingRow>(of_wanted)?)?;
        }
    }
    Ok(rulings)
}

fn add_rulings(rulings: &mut Rulings, frame: &DataFrame) -> Result<(), MeasureFault> {
    let positions = numbers::<RulingRow>(frame, "position")?;
    let said = texts::<RulingRow>(frame, "ruling")?;
    let rollouts = frame.column("rollout").and_then(|column| column.bool()).map_err(fault::<RulingRow>)?;
    for at in 0..frame.height() {
        let right = present::<RulingRow, _>(said.get(at))?.to_owned();
        let rollout = present::<RulingRow, _>(rollouts.get(at))?;
        rulings.add(present::<RulingRow, _>(positions.get(at))?, Ruling { right, rollout });
    }
    Ok(())
}

/// An error that can become a lesson: priced, and themed.
pub(super) fn taught() -> Expr {
    let known = |name: &str| col(name).is_not_null();
    known("loss").and(known("difficulty")).and(known("theme"))
}

/// The positions of the priced and themed errors in matches of who is asked for, by their short numbers, each once.
fn erred_in(
    snapshot: Snapshot<'_>,
    (seasons, scope): (&[(PathBuf, Matches)], &Scope),
) -> Result<Vec<i64>, MeasureFault> {
    let mut positions = BTreeSet::new();
    let columns = ["match_id", "loss", "difficulty", "theme", "position_key"];
    for (season, matches) in seasons {
        let asked = among(matches.values().filter(|row| is_asked(row, scope)));
        let position = |errors: &Columns, row: usize| {
            let is_lesson = (1..=3).all(|column| errors.at(row, column) != Value::Null);
            let is_theirs = errors.text(row, 0).is_some_and(|match_id| asked.contains(match_id));
            errors.text(row, 4).filter(|_| is_lesson && is_theirs).map(RulingRow::position_of)
        };
        for batch in snapshot.parts::<ErrorRow>(season)?.chunks(BATCH) {
            positions.extend(made_of::<ErrorRow, _>(batch, &columns, position)?);
        }
    }
    Ok(positions.into_iter().collect())
}
