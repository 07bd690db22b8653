//! Study plan: what should I work on now? (`metrics.md` 12.1 to 12.3)
//!
//! Families of errors by what they cost beyond their difficulty, those first of which that is established: at least
//! five errors, and an interval above 0. Everything else is to be confirmed and has no rank. Sums are whole numbers;
//! an interval is finished once, and the verdict is that of the finished figure, so that no row contradicts itself.

use super::interval::Quantile;
use super::loss::MWC;
use super::selection::{Family, Selection, count, excess};
use crate::tables::partials::ErrorRow;
use crate::tables::study_marts::{StudyPlanRow, StudyTotalsRow, TournamentFamilyRow};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Fewer errors establish no family.
pub(super) const LEAST_MEMBERS: i64 = 5;

/// A selection's errors by family: [`FromIterator`] and [`Extend`] take them in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyPlan {
    families: BTreeMap<Family, Sums>,
    unpriced: i64,
    unthemed: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sums {
    members: i64,
    avoidable: i64,
    /// Σx, in 1e-9.
    excess: i64,
    /// Σx², in 1e-18: a few errors at the bounds would leave 64 bits.
    squares: i128,
}

impl StudyPlan {
    /// One more error.
    pub fn add(&mut self, error: &ErrorRow) {
        let Some(excess) = excess(error) else {
            self.unpriced += 1;
            return;
        };
        let Some(family) = Family::of(error) else {
            self.unthemed += 1;
            return;
        };
        let sums = self.families.entry(family).or_default();
        sums.members += 1;
        sums.avoidable += i64::from(error.avoidable);
        sums.excess += excess;
        sums.squares += i128::from(excess) * i128::from(excess);
    }

    /// Those of another one, too.
    pub fn join(&mut self, other: Self) {
        for (family, sums) in other.families {
            let known = self.families.entry(family).or_default();
            known.members += sums.members;
            known.avoidable += sums.avoidable;
            known.excess += sums.excess;
            known.squares += sums.squares;
        }
        self.unpriced += other.unpriced;
        self.unthemed += other.unthemed;
    }

    /// The plan, then what is to be confirmed, in the order of the list. Recoverable and its ends in winning chances
    /// accumulated over the selection; the ends may be negative.
    #[must_use]
    pub fn rows(&self, selection: &Selection<'_>, quantile: Quantile) -> Vec<StudyPlanRow> {
        let entries = self.families.iter().map(|(family, sums)| Entry::of(family, *sums, quantile));
        let (mut plan, mut tentative): (Vec<_>, Vec<_>) = entries.partition(|entry| entry.reason.is_none());
        // Both sorts are stable, and the families came in the order of their tokens: the last word.
        plan.sort_by(|a, b| b.low.total_cmp(&a.low).then_with(|| a.size().cmp(&b.size())));
        tentative.sort_by_key(Entry::size);
        let listed = plan.iter().chain(&tentative).enumerate();
        listed.map(|(at, entry)| self.row(entry, count(at + 1), selection)).collect()
    }

    /// The list of [`StudyPlan::rows`] for the errors of one event.
    #[must_use]
    pub fn rows_of_event(
        &self,
        event: &str,
        selection: &Selection<'_>,
        quantile: Quantile,
    ) -> Vec<TournamentFamilyRow> {
        self.rows(selection, quantile).into_iter().map(|row| of_event(event, row)).collect()
    }

    /// What the list is made of, and what it does not see: there also where the list is empty. `event` = `None` is the
    /// whole season.
    #[must_use]
    pub fn totals(&self, event: Option<&str>, selection: &Selection<'_>, quantile: Quantile) -> StudyTotalsRow {
        let members: i64 = self.families.values().map(|sums| sums.members).sum();
        let established =
            self.families.iter().filter(|(family, sums)| Entry::of(family, **sums, quantile).reason.is_none());
        StudyTotalsRow {
            season: selection.season.to_owned(),
            event: event.map(str::to_owned),
            player: selection.player.map(str::to_owned),
            errors: members + self.unpriced + self.unthemed,
            unpriced: self.unpriced,
            unthemed: self.unthemed,
            families: count(self.families.len()),
            established: count(established.count()),
        }
    }

    fn row(&self, entry: &Entry<'_>, position: i64, selection: &Selection<'_>) -> StudyPlanRow {
        StudyPlanRow {
            season: selection.season.to_owned(),
            player: selection.player.map(str::to_owned),
            rank: entry.reason.is_none().then_some(position),
            position,
            plan: entry.family.plan.clone(),
            nature: entry.family.nature.clone(),
            theme: entry.family.theme.clone(),
            members: entry.sums.members,
            avoidable: entry.sums.avoidable,
            recoverable: entry.recoverable,
            low: entry.low,
            high: entry.high,
            reason: entry.reason.map(str::to_owned),
            unpriced: self.unpriced,
            unthemed: self.unthemed,
        }
    }
}

impl<'a> Extend<&'a ErrorRow> for StudyPlan {
    fn extend<T: IntoIterator<Item = &'a ErrorRow>>(&mut self, errors: T) {
        errors.into_iter().for_each(|error| self.add(error));
    }
}

impl<'a> FromIterator<&'a ErrorRow> for StudyPlan {
    fn from_iter<T: IntoIterator<Item = &'a ErrorRow>>(errors: T) -> Self {
        let mut plan = Self::default();
        plan.extend(errors);
        plan
    }
}

fn of_event(event: &str, row: StudyPlanRow) -> TournamentFamilyRow {
    TournamentFamilyRow {
        season: row.season,
        event: event.to_owned(),
        player: row.player.unwrap_or_default(),
        rank: row.rank,
        position: row.position,
        plan: row.plan,
        nature: row.nature,
        theme: row.theme,
        members: row.members,
        avoidable: row.avoidable,
        recoverable: row.recoverable,
        low: row.low,
        high: row.high,
        reason: row.reason,
    }
}

/// A family with its finished figures.
struct Entry<'a> {
    family: &'a Family,
    sums: Sums,
    recoverable: f64,
    low: f64,
    high: f64,
    /// Why it is not in the plan.
    reason: Option<&'static str>,
}

impl<'a> Entry<'a> {
    /// h = z·√Σx², the number of members being taken as a Poisson count; the units are the members.
    fn of(family: &'a Family, sums: Sums, quantile: Quantile) -> Self {
        let half =
            quantile.multiple(usize::try_from(sums.members).unwrap_or(usize::MAX)) * (sums.squares as f64).sqrt();
        let low = (sums.excess as f64 - half) / MWC;
        let reason = match sums.members {
            ..LEAST_MEMBERS => Some("few_members"),
            _ if low <= 0.0 => Some("includes_zero"),
            _ => None,
        };
        let excess = sums.excess as f64;
        Self { family, sums, recoverable: excess / MWC, low, high: (excess + half) / MWC, reason }
    }

    /// The largest first.
    fn size(&self) -> (Reverse<i64>, Reverse<i64>) {
        (Reverse(self.sums.excess), Reverse(self.sums.members))
    }
}
