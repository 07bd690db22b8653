//! A scale with a zero on it, for figures that may lie on either side: recoverable winning chances, biases, gains,
//! differences from a usual level.
//!
//! An interval that goes on beyond the scale ends without a cap, like on the scale of PR.

use super::across;
use crate::report::format;
use crate::report::markup::Markup;
use std::fmt::Write as _;

/// At most so many spaces between the numbers: more do not fit a phone.
const SPACES: f64 = 5.0;
/// Steps between numbers, times a power of ten.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];

/// The scale of one table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::report) struct Axis {
    id: &'static str,
    low: f64,
    high: f64,
    step: f64,
    unit: &'static str,
}

impl Axis {
    /// The narrowest scale with round numbers that holds zero and all of `figures`. `id` is unique on the page, `unit`
    /// stands behind the last number.
    pub(in crate::report) fn around(
        id: &'static str,
        unit: &'static str,
        figures: impl IntoIterator<Item = f64>,
    ) -> Self {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for figure in figures.into_iter().filter(|figure| figure.is_finite()) {
            low = low.min(figure);
            high = high.max(figure);
        }
        let step = step(high - low);
        let (first, mut last) = (libm::floor(low / step), libm::ceil(high / step));
        if first == last {
            last += 1.0;
        }
        Self { id, low: first * step, high: last * step, step, unit }
    }

    fn share(&self, x: f64) -> f64 {
        ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn ticks(&self) -> Vec<f64> {
        let first = libm::round(self.low / self.step);
        (0..12)
            .map(|at| (first + f64::from(at)) * self.step)
            .take_while(|x| *x <= self.high + self.step * 0.5)
            .collect()
    }

    /// The lines behind the bars, once a page.
    pub(in crate::report) fn grid(&self) -> Markup {
        let mut svg = format!(
            "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\"><defs><symbol id=\"{}\">",
            self.id
        );
        for tick in self.ticks() {
            let x = across(self.share(tick));
            let class = if tick == 0.0 { "zero" } else { "gx" };
            let _ = write!(svg, "<line class=\"{class}\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"20\"/>");
        }
        svg.push_str("</symbol></defs></svg>");
        Markup(svg)
    }

    /// The head of the column of bars.
    pub(in crate::report) fn head(&self) -> Markup {
        let mut svg = String::from("<svg class=\"ch\" aria-hidden=\"true\" height=\"20\">");
        let ticks = self.ticks();
        for (at, tick) in ticks.iter().enumerate() {
            let anchor = match at {
                0 => "start",
                _ if at + 1 == ticks.len() => "end",
                _ => "middle",
            };
            let unit = if at + 1 == ticks.len() { self.unit } else { "" };
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"14\" text-anchor=\"{anchor}\">{}{unit}</text>",
                across(self.share(*tick)),
                self.number(*tick),
            );
        }
        svg.push_str("</svg>");
        Markup(svg)
    }

    fn number(&self, tick: f64) -> String {
        let decimals = (0..4).find(|n| is_whole(self.step * libm::pow(10.0, f64::from(*n)))).unwrap_or(4);
        match tick {
            0.0 => "0".to_owned(),
            tick => format::fixed(tick, decimals),
        }
    }

    /// A dot with its interval; grey and open when nothing is established by it.
    pub(in crate::report) fn interval(&self, value: Option<f64>, ends: Option<[f64; 2]>, grey: bool) -> Markup {
        let Some(value) = value else { return Markup::default() };
        let class = if grey || ends.is_none() { "iv grey" } else { "iv" };
        let mut svg = format!(
            "<svg class=\"{class}\" aria-hidden=\"true\" height=\"20\"><use href=\"#{}\" width=\"100%\" height=\"20\"/>",
            self.id
        );
        if let Some(ends) = ends {
            let [x1, x2] = ends.map(|x| across(self.share(x)));
            let _ = write!(svg, "<line class=\"bar1\" x1=\"{x1}\" x2=\"{x2}\" y1=\"10\" y2=\"10\"/>");
            for (x, end) in [x1, x2].iter().zip(ends) {
                if (self.low..=self.high).contains(&end) {
                    let _ = write!(svg, "<line class=\"cap\" x1=\"{x}\" x2=\"{x}\" y1=\"6\" y2=\"14\"/>");
                }
            }
        }
        let _ = write!(svg, "<circle class=\"dot\" cx=\"{}\" cy=\"10\" r=\"5\"/></svg>", across(self.share(value)));
        Markup(svg)
    }
}

/// The smallest of 1, 2, 5, 10, 20 ... that parts a width into few enough spaces.
fn step(width: f64) -> f64 {
    let steps = (-4..7).flat_map(|power| STEPS.map(|step| step * libm::pow(10.0, f64::from(power))));
    let mut last = 1.0;
    for step in steps {
        last = step;
        if width <= step * SPACES {
            break;
        }
    }
    if width > 0.0 { last } else { 1.0 }
}

fn is_whole(x: f64) -> bool {
    (x - libm::round(x)).abs() < 1e-9 && x >= 0.5
}

/// A bar from the left, for counts: the longest fills the width.
pub(in crate::report) fn bar(count: i64, most: i64) -> Markup {
    if count <= 0 || most <= 0 {
        return Markup::default();
    }
    Markup(format!(
        "<svg class=\"iv\" aria-hidden=\"true\" height=\"20\"><line class=\"hbar\" x1=\"0\" x2=\"{}\" y1=\"10\" y2=\"10\"/></svg>",
        across(count as f64 / most as f64)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_has_round_numbers_and_holds_zero() {
        let axis = Axis::around("a", "\u{a0}%", [12.64, 19.58, -4.87]);
        assert_eq!((axis.low, axis.high, axis.step), (-5.0, 20.0, 5.0));
        let head = axis.head();
        assert!(head.as_str().contains(">\u{2212}5</text>") && head.as_str().contains(">20\u{a0}%</text>"), "{head:?}");
        assert!(axis.grid().as_str().contains("<line class=\"zero\" x1=\"20.00%\""));
        let none = Axis::around("a", "", []);
        assert_eq!((none.low, none.high), (0.0, 1.0));
        let small = Axis::around("a", "", [0.3, f64::NAN]);
        assert!(small.head().as_str().contains(">0.1</text>"), "{:?}", small.head());
    }

    #[test]
    fn an_end_beyond_the_scale_has_no_cap() {
        let axis = Axis::around("a", "", [10.0]);
        let svg = axis.interval(Some(4.0), Some([2.0, 40.0]), false);
        assert_eq!(svg.as_str().matches("class=\"cap\"").count(), 1);
        assert!(svg.as_str().contains("x1=\"20.00%\" x2=\"100.00%\""), "{svg:?}");
        assert!(axis.interval(Some(4.0), None, false).as_str().contains("iv grey"));
        assert_eq!(axis.interval(None, None, false).as_str(), "");
    }
}
