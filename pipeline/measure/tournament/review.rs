//! One player's review of one tournament, row by row.

use super::{Appearance, CELLS, Comparison, Event, Figure, LEAST_MATCHES, USUAL_DAYS, Verdict, compare};
use crate::measure::Settings;
use crate::measure::interval::{CountUnit, Estimate, WeightUnit};
use crate::measure::l7;
use crate::measure::pr::performance_rating;
use crate::tables::row::Day;
use crate::tables::study_marts::TournamentReviewRow;

/// Whose review, of what.
pub(super) struct Subject<'a> {
    pub(super) event: &'a Event,
    pub(super) player: &'a str,
    /// The tournament's first day.
    pub(super) first: Option<Day>,
    /// Everything he played, wherever.
    pub(super) appearances: &'a [Appearance],
}

/// The days a usual level is taken from.
#[derive(Clone, Copy)]
struct Window {
    from: Day,
    to: Day,
}

impl Window {
    fn before(first: Day) -> Option<Self> {
        Some(Self { from: Day(first.0.checked_sub(USUAL_DAYS)?), to: Day(first.0.checked_sub(1)?) })
    }

    fn holds(self, day: Option<Day>) -> bool {
        day.is_some_and(|day| (self.from..=self.to).contains(&day))
    }
}

/// His appearances at the tournament and before it.
struct Sides<'a> {
    there: Vec<&'a Appearance>,
    usual: Vec<&'a Appearance>,
    window: Option<Window>,
    settings: &'a Settings,
}

impl<'a> Sides<'a> {
    fn of(subject: &Subject<'a>, settings: &'a Settings) -> Self {
        let window = subject.first.and_then(Window::before);
        let is_here = |appearance: &&Appearance| appearance.event.as_ref() == Some(subject.event);
        let counts = |appearance: &&Appearance| {
            let dated = window.is_some_and(|window| window.holds(appearance.date));
            dated && appearance.points && appearance.whole.size > 0 && !is_here(appearance)
        };
        let mut there: Vec<&Appearance> = subject.appearances.iter().filter(is_here).collect();
        there.sort_by_key(|a| (a.date.is_none(), a.date, &a.round, &a.match_id));
        Self { there, usual: subject.appearances.iter().filter(counts).collect(), window, settings }
    }

    /// A figure of the usual level; `None` while that is unknown.
    fn usual(&self, figure: impl Fn(&[&Appearance]) -> Figure) -> Option<Figure> {
        (self.usual.len() >= LEAST_MATCHES).then(|| figure(&self.usual))
    }

    fn pr(&self, appearances: &[&Appearance], unit: impl Fn(&Appearance) -> CountUnit) -> Figure {
        let units: Vec<CountUnit> = appearances.iter().map(|appearance| unit(appearance)).collect();
        Figure {
            estimate: performance_rating(&units, self.settings.quantile),
            decisions: units.iter().map(|unit| unit.size).sum(),
        }
    }

    fn l7(&self, appearances: &[&Appearance]) -> Figure {
        let weights: Vec<WeightUnit> = appearances.iter().filter_map(|appearance| appearance.l7).collect();
        Figure {
            estimate: l7::of_set(&weights, self.settings.quantile),
            decisions: appearances.iter().filter(|a| a.l7.is_some()).map(|a| a.priced).sum(),
        }
    }

    /// One match by its games.
    fn round(&self, appearance: &Appearance) -> Figure {
        Figure {
            estimate: performance_rating(&appearance.games, self.settings.quantile),
            decisions: appearance.whole.size,
        }
    }
}

/// Where a row stands.
struct Place {
    scope: &'static str,
    cell: Option<String>,
    measure: &'static str,
    /// From 1.
    position: i64,
}

/// The rows of a review: overall, rounds in their order, then the cells that hold a decision of the tournament.
pub(super) fn rows(subject: &Subject<'_>, settings: &Settings) -> Vec<TournamentReviewRow> {
    let sides = Sides::of(subject, settings);
    let mut rows = Vec::new();
    let mut add = |place, there, usual| rows.push(row((subject, &sides), place, (there, usual)));
    let overall = |measure, position| Place { scope: "overall", cell: None, measure, position };
    let whole = |appearance: &Appearance| appearance.whole;
    let usual_pr = sides.usual(|all| sides.pr(all, whole));
    add(overall("pr", 1), sides.pr(&sides.there, whole), usual_pr);
    add(overall("l7", 2), sides.l7(&sides.there), sides.usual(|all| sides.l7(all)));
    for (position, appearance) in (1..).zip(&sides.there) {
        let cell = Some(appearance.match_id.clone());
        add(Place { scope: "round", cell, measure: "pr", position }, sides.round(appearance), usual_pr);
    }
    for (at, listed) in CELLS.iter().enumerate() {
        let unit = |appearance: &Appearance| appearance.cells[at];
        let there = sides.pr(&sides.there, unit);
        if there.decisions > 0 {
            let cell = Some(listed.cell.to_owned());
            let place = Place { scope: listed.scope, cell, measure: "pr", position: listed.position };
            add(place, there, sides.usual(|all| sides.pr(all, unit)));
        }
    }
    rows
}

fn row(
    (subject, sides): (&Subject<'_>, &Sides<'_>),
    place: Place,
    (there, usual): (Figure, Option<Figure>),
) -> TournamentReviewRow {
    let unknown = Comparison { delta: None, half_width: None, verdict: Verdict::Insufficient };
    let compared = usual.map_or(unknown, |usual| compare(there, usual));
    let (season, event) = subject.event.clone();
    let known = |usual: Option<Figure>| usual.and_then(|usual| usual.estimate);
    TournamentReviewRow {
        season,
        event,
        player: subject.player.to_owned(),
        reference: false,
        scope: place.scope.to_owned(),
        position: place.position,
        cell: place.cell,
        measure: place.measure.to_owned(),
        value: value(there.estimate),
        value_low: low(there.estimate),
        value_high: high(there.estimate),
        usual: value(known(usual)),
        usual_low: low(known(usual)),
        usual_high: high(known(usual)),
        delta: compared.delta,
        low: compared.low(),
        high: compared.high(),
        verdict: compared.verdict.token().to_owned(),
        decisions: there.decisions,
        decisions_usual: usual.map(|usual| usual.decisions),
        usual_matches: i64::try_from(sides.usual.len()).unwrap_or(i64::MAX),
        from: sides.window.map(|window| window.from),
        to: sides.window.map(|window| window.to),
    }
}

fn value(estimate: Option<Estimate>) -> Option<f64> {
    estimate.map(|estimate| estimate.value)
}

fn low(estimate: Option<Estimate>) -> Option<f64> {
    estimate.and_then(|estimate| estimate.interval).map(|ends| ends.low)
}

fn high(estimate: Option<Estimate>) -> Option<f64> {
    estimate.and_then(|estimate| estimate.interval).map(|ends| ends.high)
}
