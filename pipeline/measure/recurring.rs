//! Recurring errors: what do my errors, family by family, add to my PR? (`metrics.md` 12.4)
//!
//! Unlike the plan it asks for no price, so money counts, and keeps errors without a theme together as `none`. The
//! costs of all groups and those of the decisions below the threshold add up to the PR.

use super::selection::{Family, Selection, count};
use crate::tables::partials::ErrorRow;
use crate::tables::study_marts::RecurringErrorRow;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The theme of errors nothing is known about.
const NO_THEME: &str = "none";

/// PR is 500 per equity: 0.5 per thousandth.
const PER_MPT: f64 = 0.5;

/// A selection's errors by group: [`FromIterator`] and [`Extend`] take them in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recurring(BTreeMap<Family, Sums>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sums {
    members: i64,
    mpt: i64,
}

impl Recurring {
    /// One more error.
    pub fn add(&mut self, error: &ErrorRow) {
        let group = Family::named(error, error.theme.as_deref().unwrap_or(NO_THEME));
        let sums = self.0.entry(group).or_default();
        sums.members += 1;
        sums.mpt += error.mpt;
    }

    /// Those of another one, too.
    pub fn join(&mut self, other: Self) {
        for (group, sums) in other.0 {
            let known = self.0.entry(group).or_default();
            known.members += sums.members;
            known.mpt += sums.mpt;
        }
    }

    /// The groups, dearest first. `decisions` are all counted ones of the selection; without any there is no PR to add
    /// to, and no row.
    #[must_use]
    pub fn rows(&self, selection: &Selection<'_>, decisions: i64) -> Vec<RecurringErrorRow> {
        if decisions <= 0 {
            return Vec::new();
        }
        let mut groups: Vec<(&Family, &Sums)> = self.0.iter().collect();
        // Stable: the order of the tokens decides between equals.
        groups.sort_by_key(|(_, sums)| (Reverse(sums.mpt), Reverse(sums.members)));
        let row = |(at, (group, sums)): (usize, &(&Family, &Sums))| RecurringErrorRow {
            season: selection.season.to_owned(),
            player: selection.player.map(str::to_owned),
            rank: count(at + 1),
            plan: group.plan.clone(),
            nature: group.nature.clone(),
            theme: group.theme.clone(),
            members: sums.members,
            mpt: sums.mpt,
            pr_cost: PER_MPT * sums.mpt as f64 / decisions as f64,
            decisions,
        };
        groups.iter().enumerate().map(row).collect()
    }
}

impl<'a> Extend<&'a ErrorRow> for Recurring {
    fn extend<T: IntoIterator<Item = &'a ErrorRow>>(&mut self, errors: T) {
        errors.into_iter().for_each(|error| self.add(error));
    }
}

impl<'a> FromIterator<&'a ErrorRow> for Recurring {
    fn from_iter<T: IntoIterator<Item = &'a ErrorRow>>(errors: T) -> Self {
        let mut recurring = Self::default();
        recurring.extend(errors);
        recurring
    }
}
