//! Before and after study: does what I worked on cost me less in real matches? (`metrics.md` 14)
//!
//! A family (plan, nature, theme) is studied on the first day its player did something with the position of one of its
//! errors. Matches strictly before that day are held against matches strictly after it; the day itself and matches
//! without a date are in neither. What is compared is the loss of the family's errors per counted, priced decision of
//! the same plan and nature, since only an error has a theme.
//!
//! A change is no effect: a family is studied because it had cost much, so part of any gain is regression to the mean.

use super::Settings;
use super::entry::Entry;
use super::interval::Quantile;
use super::loss::MWC;
use super::played::Facts;
use crate::tables::dimension::{Dimension, plan_nature_of};
use crate::tables::lake::ALL_SEASONS;
use crate::tables::partials::ErrorRow;
use crate::tables::row::Day;
use crate::tables::study_marts::BeforeAfterRow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Decisions under which a window decides nothing.
pub const LEAST_DECISIONS: i64 = 30;

/// How a family fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The whole interval of the gain is above 0.
    Improved,
    /// It is below 0.
    Worse,
    /// It holds 0.
    Undetermined,
    /// Too few decisions in a window.
    Insufficient,
}

impl Verdict {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Improved => "improved",
            Self::Worse => "worse",
            Self::Undetermined => "undetermined",
            Self::Insufficient => "insufficient",
        }
    }
}

/// One side of the day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Losses of the family's errors, 1e-9 of a match each.
    pub losses: Vec<i64>,
    /// Counted, priced decisions of its plan and nature.
    pub decisions: i64,
}

impl Window {
    /// Loss per decision, as a fraction of a match; `None` over no decision.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        let total: i128 = self.losses.iter().copied().map(i128::from).sum();
        (self.decisions > 0).then(|| total as f64 / self.decisions as f64 / MWC)
    }

    /// The variance of [`Window::rate`]: Σℓ² / N², the number of errors being taken as a Poisson count.
    fn variance(&self) -> f64 {
        let squares: i128 = self.losses.iter().map(|loss| i128::from(*loss) * i128::from(*loss)).sum();
        let scale = self.decisions as f64 * MWC;
        squares as f64 / (scale * scale)
    }
}

/// A gain and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Rate before minus rate after: above 0 is better play.
    pub delta: Option<f64>,
    /// Half the width of its 95 % interval.
    pub half_width: Option<f64>,
    /// What it amounts to.
    pub verdict: Verdict,
}

impl Change {
    /// Between two windows. The units are the errors of both, each of which gives one degree of freedom for its mean.
    #[must_use]
    pub fn between(before: &Window, after: &Window, quantile: Quantile) -> Self {
        let Some((was, is)) = before.rate().zip(after.rate()) else {
            return Self { delta: None, half_width: None, verdict: Verdict::Insufficient };
        };
        let delta = was - is;
        let units = (before.losses.len() + after.losses.len()).saturating_sub(1);
        let half = quantile.multiple(units) * (before.variance() + after.variance()).sqrt();
        let verdict = match () {
            () if before.decisions.min(after.decisions) < LEAST_DECISIONS => Verdict::Insufficient,
            () if delta - half > 0.0 => Verdict::Improved,
            () if delta + half < 0.0 => Verdict::Worse,
            () => Verdict::Undetermined,
        };
        Self { delta: Some(delta), half_width: Some(half), verdict }
    }
}

/// Plan, nature, theme.
type Family = (String, String, String);

/// The errors of a family.
#[derive(Clone, Debug, Default)]
struct Errors {
    /// Of those with a price, dated ones.
    losses: Vec<(Day, i64)>,
    /// Positions of its members, which have a price and a difficulty.
    positions: BTreeSet<String>,
}

/// What is known of a player who studies.
#[derive(Clone, Debug, Default)]
struct Student {
    /// Counted, priced decisions by plan and nature, by day.
    decisions: BTreeMap<(String, String), BTreeMap<Day, i64>>,
    families: BTreeMap<Family, Errors>,
}

/// First day a player did something with a position, by its key.
pub type FirstDays = BTreeMap<String, Day>;

/// Takes matches and errors of all seasons, in any order, and gives the table.
#[derive(Clone, Debug, Default)]
pub struct BeforeAfter {
    settings: Settings,
    students: BTreeMap<String, (FirstDays, Student)>,
}

impl BeforeAfter {
    /// Of the players who study, by name; nobody else is kept in mind.
    #[must_use]
    pub fn new(studied: BTreeMap<String, FirstDays>, settings: Settings) -> Self {
        let students = studied.into_iter().map(|(player, days)| (player, (days, Student::default()))).collect();
        Self { settings, students }
    }

    /// Nobody studies: there is nothing to enter.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.students.is_empty()
    }

    /// Somebody who studies: of his matches all that is asked for here.
    #[must_use]
    pub fn follows(&self, player: &str) -> bool {
        self.students.contains_key(player)
    }

    /// One match, once.
    pub fn enter(&mut self, entry: &Entry<'_>) {
        let facts = &entry.played.facts;
        let Some(date) = facts.date else { return };
        for (player, side) in facts.sides() {
            let Some((_, student)) = self.students.get_mut(player) else { continue };
            for (cell, sums) in entry.of(side, Dimension::PlanNature) {
                let Some((plan, nature)) = plan_nature_of(cell) else { continue };
                let days = student.decisions.entry((plan.to_owned(), nature.to_owned())).or_default();
                *days.entry(date).or_default() += sums.priced;
            }
        }
    }

    /// One error of a match, once.
    pub fn enter_error(&mut self, facts: &Facts, error: &ErrorRow) {
        let student = facts.player(error.seat).and_then(|player| self.students.get_mut(player));
        let (Some((_, student)), Some(theme), Some(loss)) = (student, &error.theme, error.loss) else { return };
        let family = (error.plan.clone(), error.nature.clone(), theme.clone());
        let errors = student.families.entry(family).or_default();
        if error.difficulty.is_some() {
            errors.positions.insert(error.position_key.clone());
        }
        if let Some(date) = facts.date {
            errors.losses.push((date, loss));
        }
    }

    /// The table, sorted by its key. Families never studied have no row; every row says how many there are.
    #[must_use]
    pub fn close(self) -> Vec<BeforeAfterRow> {
        let quantile = self.settings.quantile;
        let of =
            |(player, (days, student)): (&String, &(FirstDays, Student))| of_student((player, student), days, quantile);
        let mut rows: Vec<BeforeAfterRow> = self.students.iter().flat_map(of).collect();
        rows.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        rows
    }
}

fn sort_key(row: &BeforeAfterRow) -> (&str, &str, &str, &str) {
    (&row.player, &row.plan, &row.nature, &row.theme)
}

/// A player's rows, in the order of the list.
fn of_student((player, student): (&str, &Student), days: &FirstDays, quantile: Quantile) -> Vec<BeforeAfterRow> {
    // Without a member there is no family: an error that has a price but no difficulty only adds to a loss.
    let families = || student.families.iter().filter(|(_, errors)| !errors.positions.is_empty());
    let studied_on = |errors: &Errors| errors.positions.iter().filter_map(|position| days.get(position)).min().copied();
    let mut listed: Vec<(Verdict, BeforeAfterRow)> = families()
        .filter_map(|(family, errors)| {
            Some(measured((player, student), (family, errors), studied_on(errors)?, quantile))
        })
        .collect();
    listed.sort_by(list_order);
    let not_studied = families().count() - listed.len();
    let whole = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let mut rows: Vec<BeforeAfterRow> = listed.into_iter().map(|(_, row)| row).collect();
    for (position, row) in (1..).zip(&mut rows) {
        row.position = position;
        row.not_studied = whole(not_studied);
    }
    rows
}

/// Verdict, then the greatest gain (absent last), then the earliest day, then the family.
fn list_order(a: &(Verdict, BeforeAfterRow), b: &(Verdict, BeforeAfterRow)) -> Ordering {
    let gain = |row: &BeforeAfterRow| row.delta.unwrap_or(f64::NEG_INFINITY);
    (a.0.cmp(&b.0))
        .then_with(|| gain(&b.1).total_cmp(&gain(&a.1)))
        .then_with(|| a.1.studied_on.cmp(&b.1.studied_on))
        .then_with(|| sort_key(&a.1).cmp(&sort_key(&b.1)))
}

fn measured(
    (player, student): (&str, &Student),
    (family, errors): (&Family, &Errors),
    studied_on: Day,
    quantile: Quantile,
) -> (Verdict, BeforeAfterRow) {
    let (plan, nature, theme) = family.clone();
    let base = student.decisions.get(&(plan.clone(), nature.clone()));
    let window = |inside: &dyn Fn(Day) -> bool| Window {
        losses: errors.losses.iter().filter(|(day, _)| inside(*day)).map(|(_, loss)| *loss).collect(),
        decisions: base.into_iter().flatten().filter(|(day, _)| inside(**day)).map(|(_, n)| n).sum(),
    };
    let (before, after) = (window(&|day| day < studied_on), window(&|day| day > studied_on));
    let change = Change::between(&before, &after, quantile);
    let end = |sign: f64| change.delta.zip(change.half_width).map(|(delta, half)| delta + sign * half);
    let row = BeforeAfterRow {
        season: ALL_SEASONS.to_owned(),
        player: player.to_owned(),
        plan,
        nature,
        theme,
        studied_on,
        decisions_before: before.decisions,
        decisions_after: after.decisions,
        rate_before: before.rate(),
        rate_after: after.rate(),
        delta: change.delta,
        low: end(-1.0),
        high: end(1.0),
        verdict: change.verdict.token().to_owned(),
        ..BeforeAfterRow::default()
    };
    (change.verdict, row)
}
