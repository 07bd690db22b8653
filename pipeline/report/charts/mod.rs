//! Charts as SVG without a viewBox: x in percent, y in pixels, so a chart fills any width while its type, dots and lines
//! keep their size. Numbers are printed with fixed decimals; colours are the sheet's.
//!
//! A chart never stands alone: [`interval`] repeats the figures of its row and is hidden from readers of words, the others
//! have a title, a description with the main figures and their table on the page.

pub(super) mod axis;
pub(super) mod course;
pub(super) mod curve;
pub(super) mod trend;

use super::markup::Markup;
use std::fmt::Write as _;

/// The level bands (`metrics.md` 2): upper bounds and names. A landmark of this product, not a published standard.
pub(super) const BANDS: [(f64, &str); 6] = [
    (2.0, "World class"),
    (4.0, "Expert"),
    (6.0, "Advanced"),
    (9.0, "Intermediate"),
    (12.0, "Casual"),
    (f64::INFINITY, "Beginner"),
];

/// The band of a PR.
pub(super) fn band(pr: f64) -> &'static str {
    BANDS.iter().find(|(bound, _)| pr < *bound).map_or("Beginner", |(_, name)| name)
}

/// A percentage of the width.
fn across(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

/// The common scale of the PR bars of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    most: f64,
    ticks: &'static [f64],
}

/// From the narrowest to the widest. The first shows the level bands.
const SCALES: [Scale; 4] = [
    Scale { most: 12.0, ticks: &[0.0, 2.0, 4.0, 6.0, 9.0, 12.0] },
    Scale { most: 24.0, ticks: &[0.0, 6.0, 12.0, 18.0, 24.0] },
    Scale { most: 48.0, ticks: &[0.0, 12.0, 24.0, 36.0, 48.0] },
    Scale { most: 240.0, ticks: &[0.0, 60.0, 120.0, 180.0, 240.0] },
];

impl Scale {
    /// The narrowest scale on which at least three quarters of the figures lie; the others are said to be off it, so that
    /// one beginner does not press a whole club into a corner.
    pub(super) fn of(figures: &[f64]) -> Self {
        let fits = |scale: &Self| 4 * figures.iter().filter(|x| **x <= scale.most).count() >= 3 * figures.len();
        SCALES.into_iter().find(fits).unwrap_or(SCALES[3])
    }

    fn shows_bands(self) -> bool {
        self == SCALES[0]
    }

    fn share(self, x: f64) -> f64 {
        (x / self.most).clamp(0.0, 1.0)
    }

    /// The lines behind the bars, once a page: `#gr`.
    pub(super) fn grid(self) -> Markup {
        let mut svg = String::from(
            "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\"><defs><symbol id=\"gr\">",
        );
        for tick in self.ticks {
            let x = across(self.share(*tick));
            let _ = write!(svg, "<line class=\"gx\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"20\"/>");
        }
        svg.push_str("</symbol></defs></svg>");
        Markup(svg)
    }

    /// The head of the column of bars.
    pub(super) fn axis(self) -> Markup {
        let (height, y) = if self.shows_bands() { (36, 30) } else { (20, 14) };
        let mut svg = format!("<svg class=\"ch\" aria-hidden=\"true\" height=\"{height}\">");
        for (at, tick) in self.ticks.iter().enumerate() {
            let anchor = match at {
                0 => "start",
                _ if at + 1 == self.ticks.len() => "end",
                _ => "middle",
            };
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{y}\" text-anchor=\"{anchor}\">{tick}</text>",
                across(self.share(*tick))
            );
        }
        if self.shows_bands() {
            let mut low = 0.0;
            for (bound, name) in BANDS.iter().filter(|(bound, _)| bound.is_finite()) {
                let _ = write!(
                    svg,
                    "<text class=\"lv\" x=\"{}\" y=\"14\" text-anchor=\"middle\">{name}</text>",
                    across(self.share(f64::midpoint(low, *bound)))
                );
                low = *bound;
            }
        }
        svg.push_str("</svg>");
        Markup(svg)
    }

    /// A dot with its interval; grey and open without one; in words when it lies off the scale.
    pub(super) fn interval(self, value: Option<f64>, ends: Option<[f64; 2]>) -> Markup {
        let Some(value) = value else { return Markup::default() };
        let grey = if ends.is_none() { " grey" } else { "" };
        let mut svg = format!(
            "<svg class=\"iv{grey}\" aria-hidden=\"true\" height=\"20\"><use href=\"#gr\" width=\"100%\" height=\"20\"/>"
        );
        if value > self.most {
            svg.push_str(
                "<text class=\"k\" x=\"100%\" y=\"14\" text-anchor=\"end\">off the scale \u{2192}</text></svg>",
            );
            return Markup(svg);
        }
        if let Some([low, high]) = ends {
            let [x1, x2] = [low, high].map(|x| across(self.share(x)));
            let _ = write!(svg, "<line class=\"bar1\" x1=\"{x1}\" x2=\"{x2}\" y1=\"10\" y2=\"10\"/>");
            // An end without a cap: the line goes on beyond the scale.
            for (x, end) in [(&x1, low), (&x2, high)] {
                if end <= self.most {
                    let _ = write!(svg, "<line class=\"cap\" x1=\"{x}\" x2=\"{x}\" y1=\"6\" y2=\"14\"/>");
                }
            }
        }
        let _ = write!(svg, "<circle class=\"dot\" cx=\"{}\" cy=\"10\" r=\"5\"/></svg>", across(self.share(value)));
        Markup(svg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_beginner_does_not_press_a_club_into_a_corner() {
        assert_eq!(Scale::of(&[2.8, 4.6, 5.0, 31.0]).most, 12.0);
        assert_eq!(Scale::of(&[13.0, 20.0]).most, 24.0);
        assert_eq!(Scale::of(&[]).most, 12.0);
        assert_eq!(Scale::of(&[900.0]).most, 240.0);
    }

    #[test]
    fn bands_exclude_their_upper_bound() {
        assert_eq!(band(1.999), "World class");
        assert_eq!(band(2.0), "Expert");
        assert_eq!(band(12.0), "Beginner");
    }

    #[test]
    fn the_bar_of_the_mock_comes_out_again() {
        let svg = SCALES[0].interval(Some(4.925), Some([3.996, 5.8536]));
        assert!(
            svg.as_str().contains("<line class=\"bar1\" x1=\"33.30%\" x2=\"48.78%\" y1=\"10\" y2=\"10\"/>"),
            "{svg:?}"
        );
        assert!(svg.as_str().contains("cx=\"41.04%\""));
    }
}
