//! A rating over a season: one step a match, on a line of a row's height. The figures stand beside it.

use super::across;
use crate::report::markup::Markup;
use std::fmt::Write as _;

/// The line keeps this distance, in pixels, from the edges of the row of 20.
const TOP: f64 = 4.0;
const FLOOR: f64 = 16.0;
/// A course that moves less is drawn as if it moved so much, or a single point would look like a leap.
const LEAST_SPAN: f64 = 50.0;

/// Draws the ratings in order; empty with fewer than two.
pub(in crate::report) fn course(ratings: &[f64]) -> Markup {
    let (low, high) =
        ratings.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let steps = ratings.len().saturating_sub(1);
    if steps == 0 || !(high - low).is_finite() {
        return Markup::default();
    }
    let (middle, span) = (low.midpoint(high), (high - low).max(LEAST_SPAN));
    let y = |rating: f64| TOP.midpoint(FLOOR) - (rating - middle) / span * (FLOOR - TOP);
    let mut path = String::new();
    for (at, rating) in ratings.iter().enumerate() {
        let _ = write!(path, "{}{at} {:.1}", if at == 0 { 'M' } else { 'L' }, y(*rating));
    }
    let last = ratings.last().map_or(0.0, |rating| y(*rating));
    Markup(format!(
        "<svg class=\"iv\" aria-hidden=\"true\"><svg x=\"0\" y=\"0\" width=\"96%\" height=\"20\" viewBox=\"0 0 {steps} 20\" preserveAspectRatio=\"none\" overflow=\"visible\"><path class=\"c1\" d=\"{path}\"/></svg><circle class=\"dot\" cx=\"{}\" cy=\"{last:.1}\" r=\"4\"/></svg>",
        across(0.96),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_rises_where_the_rating_does() {
        assert_eq!(course(&[1500.0]).as_str(), "");
        let svg = course(&[1500.0, 1550.0, 1500.0]);
        assert!(svg.as_str().contains("d=\"M0 16.0L1 4.0L2 16.0\""), "{svg:?}");
        assert!(course(&[1500.0, 1500.0]).as_str().contains("d=\"M0 10.0L1 10.0\""));
    }
}
