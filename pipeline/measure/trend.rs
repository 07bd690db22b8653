//! Trend: where does the line through my matches lead? (`metrics.md` 18)
//!
//! A straight line by least squares, match PR on the day, each match weighted by its counted decisions. With w = counted
//! decisions of a match, m = their Σ mpt and x = its day, PR = m / 2w, so every sum the line needs (Σw, Σwx, Σwx², Σm,
//! Σmx) is a whole number and the order of matches cannot be seen in a bit of the figure. A line through few matches is no
//! forecast: no interval is claimed for it, and none is given.

use super::played::Played;
use crate::tables::lake::ALL_SEASONS;
use crate::tables::row::Day;
use crate::tables::study_marts::TrendRow;
use std::collections::BTreeMap;

/// Dated matches a line needs.
pub const LEAST_MATCHES: i64 = 3;

/// Days of a year, for the slope.
const YEAR: f64 = 365.0;

/// Fewer dated matches than a line needs.
pub const NOT_ENOUGH: &str = "not_enough_matches";
/// All dated matches were played on one day.
pub const ONE_DAY: &str = "one_day";

/// Where somebody wants to be, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// PR.
    pub pr: f64,
    /// The day.
    pub day: Day,
}

/// The sums of the line; days count from the first one seen, so that their squares stay small.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    matches: i64,
    days: Option<(Day, Day)>,
    w: i128,
    wx: i128,
    wxx: i128,
    m: i128,
    mx: i128,
}

impl Sums {
    fn add(&mut self, day: Day, size: i64, mpt: i64) {
        let (first, last) = self.days.unwrap_or((day, day));
        self.days = Some((first.min(day), last.max(day)));
        self.matches += 1;
        let (w, m, x) = (i128::from(size), i128::from(mpt), i128::from(day.0));
        self.w += w;
        self.wx += w * x;
        self.wxx += w * x * x;
        self.m += m;
        self.mx += m * x;
    }

    /// The line, or why there is none.
    fn line(&self) -> Result<Line, &'static str> {
        if self.matches < LEAST_MATCHES {
            return Err(NOT_ENOUGH);
        }
        let spread = self.w * self.wxx - self.wx * self.wx;
        if spread == 0 {
            return Err(ONE_DAY);
        }
        Ok(Line { sums: *self, rise: self.w * self.mx - self.wx * self.m, spread })
    }
}

/// PR(x) = m̄/2 + rise/(2·spread) · (x − x̄), all of it fractions of whole numbers.
struct Line {
    sums: Sums,
    rise: i128,
    spread: i128,
}

impl Line {
    fn at(&self, day: Day) -> f64 {
        let Sums { w, wx, m, .. } = self.sums;
        // (m·spread + rise·(x·w − wx)) / (2·w·spread): one division of whole numbers.
        let over = m * self.spread + self.rise * (i128::from(day.0) * w - wx);
        ratio(over, 2 * w * self.spread)
    }

    fn per_year(&self) -> f64 {
        ratio(self.rise, 2 * self.spread) * YEAR
    }
}

/// The nearest float of a fraction, as near as two roundings come.
#[expect(clippy::cast_precision_loss, reason = "the figure is finished here, in floats")]
fn ratio(over: i128, under: i128) -> f64 {
    over as f64 / under as f64
}

/// Takes matches in any order and gives the table.
#[derive(Clone, Debug, Default)]
pub struct Trend(BTreeMap<String, Sums>);

impl Trend {
    /// One match, once. A match without a date, or without a counted decision of the player, is no point of his line; one
    /// against himself is one point.
    pub fn enter(&mut self, played: &Played) {
        let facts = &played.facts;
        for (player, side) in facts.asked_sides() {
            let sums = self.0.entry(player.to_owned()).or_default();
            let unit = played.unit(side).all();
            if let Some(day) = facts.date.filter(|_| unit.size > 0) {
                sums.add(day, unit.size, unit.amount);
            }
        }
    }

    /// The table, sorted by its key. The goal is one player's.
    #[must_use]
    pub fn close(self, (whose, goal): (Option<&str>, Option<Goal>)) -> Vec<TrendRow> {
        let of = |player: &str| goal.filter(|_| whose == Some(player));
        self.0.into_iter().map(|(player, sums)| row((of(&player), player), &sums)).collect()
    }
}

fn row((goal, player): (Option<Goal>, String), sums: &Sums) -> TrendRow {
    let line = sums.line();
    let at = |day: Option<Day>| line.as_ref().ok().zip(day).map(|(line, day)| line.at(day));
    let (first, last) = sums.days.unzip();
    TrendRow {
        season: ALL_SEASONS.to_owned(),
        player,
        matches: sums.matches,
        from: first,
        to: last,
        pr_from: at(first),
        pr_to: at(last),
        per_year: line.as_ref().ok().map(Line::per_year),
        goal_pr: goal.map(|goal| goal.pr),
        goal_day: goal.map(|goal| goal.day),
        pr_at_goal: at(goal.map(|goal| goal.day)),
        reason: line.as_ref().err().map(|reason| (*reason).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::near;

    fn sums(matches: &[(i32, i64, i64)]) -> Sums {
        let mut sums = Sums::default();
        matches.iter().for_each(|&(day, size, mpt)| sums.add(Day(day), size, mpt));
        sums
    }

    /// PR 10, 8, 6 on days 0, 10, 20 lie on a line whatever their weights.
    #[test]
    fn points_on_a_line_give_the_line() -> Result<(), String> {
        let line = sums(&[(20_000, 50, 1000), (20_010, 100, 1600), (20_020, 25, 300)]).line()?;
        near(line.at(Day(20_000)), 10.0, 1e-9)?;
        near(line.at(Day(20_020)), 6.0, 1e-9)?;
        near(line.at(Day(20_030)), 4.0, 1e-9)?;
        near(line.per_year(), -73.0, 1e-9)
    }

    /// Weights 1, 1, 2 at (0, 1), (1, 2), (2, 2): x̄ = 1.25, ȳ = 1.75, slope = 1.25 / 2.75.
    #[test]
    fn decisions_are_the_weights() -> Result<(), String> {
        let line = sums(&[(0, 1, 2), (1, 1, 4), (2, 2, 8)]).line()?;
        near(line.at(Day(0)), 1.75 - 1.25 * (1.25 / 2.75), 1e-12)?;
        near(line.per_year(), 365.0 * 1.25 / 2.75, 1e-9)
    }

    #[test]
    fn two_matches_or_one_day_are_no_line() {
        assert_eq!(sums(&[(1, 5, 5), (2, 5, 5)]).line().err(), Some(NOT_ENOUGH));
        assert_eq!(sums(&[(7, 5, 5), (7, 6, 5), (7, 5, 9)]).line().err(), Some(ONE_DAY));
    }
}
