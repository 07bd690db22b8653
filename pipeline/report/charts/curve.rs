//! A match at a glance: what each player's errors have cost so far above, one bar a decision below, on one axis of
//! decisions. The full line and the bars upwards are the first player's, the dotted line and the bars downwards the
//! other's.

use super::across;
use crate::report::format::{mwc_share, percent};
use crate::report::markup::{Markup, escaped};
use std::fmt::Write as _;

/// One decision on the axis.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) enum Mark {
    /// Not scored: forced, outside the window, unrated.
    Silent,
    /// Whose (0 = first), and its loss in 1e-9 MWC.
    Scored(usize, i64),
}

/// A game: the index of its first decision and the score it began at.
pub(in crate::report) struct GameMark {
    pub(in crate::report) start: usize,
    pub(in crate::report) game: i64,
    pub(in crate::report) score: String,
}

/// The panel of the lines, in pixels.
const TOP: f64 = 40.0;
const FLOOR: f64 = 178.0;
/// The two rows of bars grow from here, at most this far.
const UP_FROM: f64 = 243.0;
const DOWN_FROM: f64 = 249.0;
const BAR_MOST: f64 = 44.0;
/// A bar is never lower, or it would not be seen.
const BAR_LEAST: f64 = 0.8;
/// Labels of the lines' ends keep this distance.
const LABEL: f64 = 14.0;
/// Steps of the axis, in percent of a match.
const STEPS: [f64; 9] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0];
/// A score is written above a game that takes at least this share of the width per character: about 7 pixels on a phone.
const SHARE_PER_LETTER: f64 = 0.025;

/// Draws it; the description repeats the ends and the scores.
pub(in crate::report) fn draw(names: [&str; 2], marks: &[Mark], games: &[GameMark]) -> Markup {
    let n = marks.len().max(1);
    let totals = totals(marks);
    let axis = Axis::of(totals[0].max(totals[1]));
    let mut svg = String::from(
        "<svg class=\"ch\" height=\"330\" role=\"img\" aria-labelledby=\"cut cud\"><title id=\"cut\">Match winning chances lost by each player, decision by decision</title>",
    );
    let _ = write!(svg, "<desc id=\"cud\">{}</desc>", escaped(&in_words(names, totals, marks, games)));
    rules(&mut svg, games, n);
    axis.draw(&mut svg);
    let _ = write!(
        svg,
        "<svg x=\"0\" y=\"0\" width=\"100%\" height=\"330\" viewBox=\"0 0 {n} 330\" preserveAspectRatio=\"none\" overflow=\"visible\">"
    );
    ticks(&mut svg, marks);
    line(&mut svg, ("c2", 1), marks, &axis);
    line(&mut svg, ("c1", 0), marks, &axis);
    svg.push_str("</svg>");
    ends(&mut svg, names, totals, &axis);
    bars(&mut svg, marks, n);
    let _ = write!(
        svg,
        "<text class=\"m\" x=\"0\" y=\"206\">{}</text><text class=\"k\" x=\"0\" y=\"306\">{}</text><text x=\"0\" y=\"326\">start</text><text x=\"100%\" y=\"326\" text-anchor=\"end\">{n} decisions</text></svg>",
        escaped(names[0]),
        escaped(names[1]),
    );
    Markup(svg)
}

fn totals(marks: &[Mark]) -> [i64; 2] {
    let mut totals = [0, 0];
    for mark in marks {
        if let Mark::Scored(seat, loss) = *mark {
            totals[seat] += loss;
        }
    }
    totals
}

struct Axis {
    step: f64,
    count: i32,
}

impl Axis {
    /// At most four steps above the greatest total.
    fn of(most: i64) -> Self {
        let most = mwc_share(most) * 100.0;
        let step = STEPS.into_iter().find(|step| most <= 4.0 * step).unwrap_or(100.0);
        let count = (1..=4).find(|&count| most <= step * f64::from(count)).unwrap_or(4);
        Self { step, count }
    }

    fn y(&self, units: i64) -> f64 {
        FLOOR - mwc_share(units) * 100.0 / (self.step * f64::from(self.count)) * (FLOOR - TOP)
    }

    fn draw(&self, svg: &mut String) {
        let _ = write!(svg, "<line class=\"ax\" x1=\"0\" x2=\"100%\" y1=\"{FLOOR}\" y2=\"{FLOOR}\"/>");
        for nth in 1..=self.count {
            let y = FLOOR - (FLOOR - TOP) * f64::from(nth) / f64::from(self.count);
            let unit = if nth == self.count { "\u{a0}% MWC lost" } else { "" };
            let _ = write!(
                svg,
                "<line class=\"gx\" x1=\"0\" x2=\"100%\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"0\" y=\"{:.1}\">{}{unit}</text>",
                y - 4.0,
                self.step * f64::from(nth),
            );
        }
    }
}

fn rules(svg: &mut String, games: &[GameMark], n: usize) {
    for (at, game) in games.iter().enumerate() {
        let end = games.get(at + 1).map_or(n, |next| next.start);
        let share = |at: usize| at as f64 / n as f64;
        if at > 0 {
            let x = across(share(game.start));
            let _ = write!(svg, "<line class=\"gm\" x1=\"{x}\" x2=\"{x}\" y1=\"20\" y2=\"300\"/>");
        }
        if share(end) - share(game.start) >= SHARE_PER_LETTER * game.score.chars().count() as f64 {
            let x = across(f64::midpoint(share(game.start), share(end)));
            let _ = write!(svg, "<text x=\"{x}\" y=\"12\" text-anchor=\"middle\">{}</text>", escaped(&game.score));
        }
    }
}

fn ticks(svg: &mut String, marks: &[Mark]) {
    svg.push_str("<path class=\"tick\" d=\"M0 0");
    for (at, mark) in marks.iter().enumerate() {
        if matches!(mark, Mark::Silent) {
            let _ = write!(svg, "M{at}.5 244.5v3");
        }
    }
    svg.push_str("\"/>");
}

fn line(svg: &mut String, (class, seat): (&str, usize), marks: &[Mark], axis: &Axis) {
    let _ = write!(svg, "<path class=\"{class}\" d=\"M0 {FLOOR}");
    let mut sum = 0;
    for (at, mark) in marks.iter().enumerate() {
        if let Mark::Scored(whose, loss) = *mark
            && whose == seat
            && loss > 0
        {
            sum += loss;
            let _ = write!(svg, "H{at}.5V{:.1}", axis.y(sum));
        }
    }
    let _ = write!(svg, "H{}\"/>", marks.len());
}

/// The name and total of each at the end of his line, apart from each other.
fn ends(svg: &mut String, names: [&str; 2], totals: [i64; 2], axis: &Axis) {
    let ys = totals.map(|total| axis.y(total));
    for seat in [1, 0] {
        let above = ys[seat] - 6.0;
        let crowded = (ys[0] - ys[1]).abs() < LABEL + 4.0;
        // The lower line, or the second of two equal ones, is named below itself.
        let lower = ys[seat] > ys[1 - seat] || (ys[0] == ys[1] && seat == 1);
        let y = if crowded && lower { ys[seat] + LABEL } else { above };
        let class = if seat == 0 { "m" } else { "k" };
        let _ = write!(
            svg,
            "<text class=\"{class} end\" x=\"100%\" y=\"{y:.1}\" text-anchor=\"end\">{} {}</text>",
            escaped(names[seat]),
            percent(mwc_share(totals[seat])),
        );
    }
}

fn bars(svg: &mut String, marks: &[Mark], n: usize) {
    let most =
        marks.iter().map(|mark| if let Mark::Scored(_, loss) = *mark { loss } else { 0 }).max().unwrap_or(0).max(1);
    for (at, mark) in marks.iter().enumerate() {
        let Mark::Scored(seat, loss) = *mark else { continue };
        if loss <= 0 {
            continue;
        }
        let tall = (loss as f64 / most as f64 * BAR_MOST).max(BAR_LEAST);
        let x = across((at as f64 + 0.5) / n as f64);
        let (class, from, to) =
            if seat == 0 { ("b1", UP_FROM, UP_FROM - tall) } else { ("b2", DOWN_FROM, DOWN_FROM + tall) };
        let _ = write!(svg, "<line class=\"{class}\" x1=\"{x}\" x2=\"{x}\" y1=\"{from}\" y2=\"{to:.1}\"/>");
    }
}

fn in_words(names: [&str; 2], totals: [i64; 2], marks: &[Mark], games: &[GameMark]) -> String {
    let spoken = |units: i64| percent(mwc_share(units)).replace("\u{a0}%", " percent");
    let mut text = format!(
        "{}, full line, ends at {}; {}, dotted line, at {}. Below, one bar a decision: {} upwards, {} downwards",
        names[0],
        spoken(totals[0]),
        names[1],
        spoken(totals[1]),
        names[0],
        names[1],
    );
    let tallest = marks.iter().enumerate().filter_map(|(at, mark)| match *mark {
        Mark::Scored(seat, loss) if loss > 0 => Some((loss, std::cmp::Reverse(at), seat)),
        _ => None,
    });
    if let Some((loss, std::cmp::Reverse(at), seat)) = tallest.max() {
        let game = games.iter().rev().find(|game| game.start <= at).map_or(1, |game| game.game);
        let _ = write!(text, "; the tallest is {}\u{2019}s in game {game}, {}", names[seat], spoken(loss));
    }
    let scores: Vec<String> = games.iter().map(|game| format!("game {} from {}", game.game, game.score)).collect();
    let _ = write!(
        text,
        ". Score {}\u{2013}{}: {}. The figures are in the transcript.",
        names[0],
        names[1],
        scores.join("; ")
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_has_at_most_four_steps_and_holds_the_total() {
        for (total, step, count) in [(141_800_000, 5.0, 3), (76_100_000, 2.0, 4), (0, 0.05, 1), (900_000_000, 25.0, 4)]
        {
            let axis = Axis::of(total);
            assert_eq!((axis.step, axis.count), (step, count), "{total}");
            assert!(axis.y(total) >= TOP);
        }
    }

    #[test]
    fn a_line_steps_where_its_player_lost_and_ends_at_the_total() {
        let marks =
            [Mark::Scored(0, 10_000_000), Mark::Silent, Mark::Scored(1, 20_000_000), Mark::Scored(0, 10_000_000)];
        let games = [GameMark { start: 0, game: 1, score: "0\u{2013}0".to_owned() }];
        let svg = draw(["A", "B & C"], &marks, &games);
        assert!(svg.as_str().contains("class=\"c1\" d=\"M0 178H0.5V109.0H3.5V40.0H4\""), "{svg:?}");
        assert!(svg.as_str().contains("class=\"c2\" d=\"M0 178H2.5V40.0H4\""));
        assert!(svg.as_str().contains("B &amp; C 2.00\u{a0}%"));
    }
}
