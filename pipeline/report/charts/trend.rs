//! PR over a season: one dot a dated match, larger with more decisions, and the pooled line with its band. Zero is on
//! top, so that up is better.

use super::{BANDS, across};
use crate::report::markup::{Markup, escaped};
use crate::report::{format, words};
use crate::tables::row::Day;
use std::fmt::Write as _;

/// One match.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Dot {
    pub(in crate::report) day: Day,
    pub(in crate::report) pr: f64,
    pub(in crate::report) decisions: i64,
}

/// The pooled figure of the season.
pub(in crate::report) struct Pooled<'a> {
    pub(in crate::report) player: &'a str,
    pub(in crate::report) season: &'a str,
    pub(in crate::report) pr: f64,
    pub(in crate::report) ends: Option<[f64; 2]>,
}

const TOP: f64 = 6.0;
const FLOOR: f64 = 246.0;
/// The greatest PR each scale shows, from the narrowest; and its ticks.
const SCALES: [(f64, &[f64]); 4] = [
    (16.0, &[0.0, 2.0, 4.0, 6.0, 9.0, 12.0]),
    (32.0, &[0.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0]),
    (80.0, &[0.0, 12.0, 24.0, 48.0, 80.0]),
    (320.0, &[0.0, 80.0, 160.0, 240.0, 320.0]),
];
/// Dots are not drawn nearer to the sides than this share of the width: a dot of full size stays on the page.
const MARGIN: f64 = 0.03;

/// The labels on the left, and the chart.
pub(in crate::report) fn draw(dots: &[Dot], pooled: &Pooled<'_>) -> [Markup; 2] {
    let most = dots.iter().map(|dot| dot.pr).fold(pooled.pr, f64::max);
    let (scale, ticks) = SCALES.into_iter().find(|(scale, _)| most <= *scale).unwrap_or(SCALES[3]);
    let y = |pr: f64| TOP + (pr / scale).min(1.0) * (FLOOR - TOP);
    [gutter(scale, ticks, &y), chart(dots, pooled, ticks, &y)]
}

fn gutter(scale: f64, ticks: &[f64], y: &dyn Fn(f64) -> f64) -> Markup {
    let mut svg = String::from("<svg class=\"ch\" height=\"290\" aria-hidden=\"true\">");
    for tick in ticks {
        let _ = write!(svg, "<text x=\"0\" y=\"{:.1}\">{tick}</text>", y(*tick) + 4.0);
    }
    if scale == SCALES[0].0 {
        let mut low = 0.0;
        for (bound, name) in BANDS {
            let _ = write!(
                svg,
                "<text class=\"lv\" x=\"100%\" dx=\"-10\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
                y(f64::midpoint(low, bound.min(scale))) + 4.0
            );
            low = bound;
        }
    }
    svg.push_str("</svg>");
    Markup(svg)
}

fn chart(dots: &[Dot], pooled: &Pooled<'_>, ticks: &[f64], y: &dyn Fn(f64) -> f64) -> Markup {
    let (first, last) = (dots.iter().map(|dot| dot.day).min(), dots.iter().map(|dot| dot.day).max());
    let span = first.zip(last).map_or(0.0, |(first, last)| f64::from(last.0) - f64::from(first.0));
    let place = |day: Day| match first {
        Some(first) if span > 0.0 => MARGIN + (1.0 - 2.0 * MARGIN) * (f64::from(day.0) - f64::from(first.0)) / span,
        _ => 0.5,
    };
    let most = dots.iter().map(|dot| dot.decisions).max().unwrap_or(0).max(1);
    let mut svg = format!(
        "<svg class=\"ch\" height=\"290\" role=\"img\" aria-labelledby=\"trt trd\"><title id=\"trt\">PR of {} by match, season {}</title><desc id=\"trd\">{}</desc>",
        escaped(pooled.player),
        escaped(pooled.season),
        escaped(&in_words(dots, pooled)),
    );
    if let Some([low, high]) = pooled.ends {
        let _ = write!(
            svg,
            "<rect class=\"band\" x=\"0\" width=\"100%\" y=\"{:.1}\" height=\"{:.1}\"/>",
            y(low),
            y(high) - y(low)
        );
    }
    for (at, tick) in ticks.iter().enumerate() {
        let class = if at == 0 { "ax" } else { "gx" };
        let _ = write!(svg, "<line class=\"{class}\" x1=\"0\" x2=\"100%\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>", y(*tick));
    }
    let _ = write!(svg, "<line class=\"mid\" x1=\"0\" x2=\"100%\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>", y(pooled.pr));
    for dot in dots {
        let _ = write!(
            svg,
            "<circle class=\"dot mini\" cx=\"{}\" cy=\"{:.1}\" r=\"{:.1}\"/>",
            across(place(dot.day)),
            y(dot.pr),
            4.0 + 8.0 * dot.decisions as f64 / most as f64,
        );
    }
    dates(&mut svg, first, last);
    svg.push_str("</svg>");
    Markup(svg)
}

fn dates(svg: &mut String, first: Option<Day>, last: Option<Day>) {
    let label = |day| format::date(Some(day));
    match (first, last) {
        (Some(first), Some(last)) if first != last => {
            let _ = write!(
                svg,
                "<text x=\"0\" y=\"280\">{}</text><text x=\"100%\" y=\"280\" text-anchor=\"end\">{}</text>",
                label(first),
                label(last)
            );
        }
        (Some(only), _) => _ = write!(svg, "<text x=\"50%\" y=\"280\" text-anchor=\"middle\">{}</text>", label(only)),
        _ => {}
    }
}

fn in_words(dots: &[Dot], pooled: &Pooled<'_>) -> String {
    let count = i64::try_from(dots.len()).unwrap_or(i64::MAX);
    let interval = pooled.ends.map_or_else(
        || ", without an interval".to_owned(),
        |[low, high]| format!(", interval {}", format::interval(Some(low), Some(high), 2)),
    );
    format!(
        "{}, larger with more decisions. Season {}: PR {}{interval}. The figures are in the table of matches.",
        words::sentence(&words::counted(count, "dot, one a match", "dots, one a match")),
        pooled.season,
        format::pr(Some(pooled.pr)),
    )
}
