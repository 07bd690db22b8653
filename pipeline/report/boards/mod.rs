//! A position as SVG: 2 to 3 KB a diagram, made of the symbols that a page holds once (`templates/symbols.svg`).
//!
//! Geometry is that of the mock: a field of twelve points of 26 units and a bar, the decider's home at the bottom right,
//! his checkers solid and the other's open. Every number is printed with at most one decimal from whole tenths, so the
//! bytes do not depend on a library. What a drawing shows it also says: `<title>` and `<desc>` hold the position in words.

mod arrows;
pub(super) mod quarter;

use super::format::count;
use super::markup::{Markup, escaped};
use super::names::{BESIDE_BOARD, shown};
use super::words;
use crate::game::key::{Asked, PositionKey};
use crate::game::{Board, Owner, Play};
use std::fmt::{self, Write as _};

/// All lengths of a drawing are whole tenths of a unit.
type Tenths = i32;

/// Left edge of the field, of its right half, and the middle of the bar.
const LEFT: Tenths = 320;
const BAR_WIDTH: Tenths = 260;
const POINT_WIDTH: Tenths = 260;
const BAR_X: Tenths = 2010;
/// Checkers: half a cell, and the distance between two of a stack.
const HALF: Tenths = 120;
const STEP: Tenths = 220;
/// Middle of the first checker of a stack at the bottom and at the top.
const BOTTOM_Y: Tenths = 2900;
const TOP_Y: Tenths = 544;
/// Middle of the first checker on the bar: the decider's above the middle, where he enters, the other's below.
const OWN_BAR_Y: Tenths = 1602;
const OTHER_BAR_Y: Tenths = 1842;
/// Where borne-off checkers lie.
const TRAY_X: Tenths = 3875;
/// More checkers than these are written as a figure on the last.
const FULL_STACK: u8 = 5;
const FULL_BAR: u8 = 3;

/// What a drawing needs besides the position.
pub(super) struct Diagram<'a> {
    /// Unique on the page.
    pub(super) id: &'a str,
    /// The decider and the other, as shown.
    pub(super) names: [&'a str; 2],
    /// `7-away` or `money`, in the same order.
    pub(super) scores: [String; 2],
    /// Title in words: who is asked what.
    pub(super) question: String,
    /// The two plays in words; empty where unknown.
    pub(super) made: String,
    /// Best.
    pub(super) best: String,
    /// The play made, drawn when it can be made on the board.
    pub(super) made_play: Option<Play>,
    /// The best play.
    pub(super) best_play: Option<Play>,
}

/// Bytes of a drawing, at most but for strange positions.
const DRAWING: usize = 3 << 10;

/// A number of tenths as drawings have it: `54.4`, `12`.
struct InTenths(Tenths);

const fn tenths(t: Tenths) -> InTenths {
    InTenths(t)
}

impl fmt::Display for InTenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        match (self.0.unsigned_abs() / 10, self.0.unsigned_abs() % 10) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, part) => write!(f, "{sign}{whole}.{part}"),
        }
    }
}

/// Middle of a point's column.
fn column(point: u8) -> Tenths {
    let from_right = if point <= 12 { point } else { 25 - point };
    let x = LEFT + POINT_WIDTH * (12 - i32::from(from_right)) + POINT_WIDTH / 2;
    if from_right <= 6 { x + BAR_WIDTH } else { x }
}

/// Middle of the n-th checker of a stack, counted from 0; past the fifth they lie on it.
fn height(point: u8, nth: u8) -> Tenths {
    let nth = i32::from(nth.min(FULL_STACK - 1));
    if point <= 12 { BOTTOM_Y - STEP * nth } else { TOP_Y + STEP * nth }
}

/// Draws a position.
pub(super) fn board(position: &PositionKey, of: &Diagram<'_>) -> Markup {
    let mut svg = String::with_capacity(DRAWING);
    let id = of.id;
    let _ = write!(
        svg,
        "<svg class=\"board\" viewBox=\"0 0 400 346\" role=\"img\" aria-labelledby=\"{id}t {id}d\"><title id=\"{id}t\">{}</title><desc id=\"{id}d\">{}</desc><use href=\"#bd\" width=\"400\" height=\"346\"/><use href=\"#nums\" width=\"400\" height=\"346\"/>",
        escaped(&of.question),
        escaped(&in_words(position, of)),
    );
    stacks(&mut svg, &position.board);
    bars(&mut svg, &position.board);
    trays(&mut svg, position);
    middle(&mut svg, position);
    let pips = [position.board.pips(), position.board.mirror().pips()];
    for (seat, (mark, y)) in [("x", 326), ("o", 6)].into_iter().enumerate() {
        let _ = write!(
            svg,
            "<use href=\"#g-{mark}\" x=\"32\" y=\"{y}\" width=\"14\" height=\"14\"/><text class=\"nm\" x=\"52\" y=\"{0}\">{1}</text><text class=\"st\" x=\"370\" y=\"{0}\">{2} \u{b7} {3} pips</text>",
            y + 12,
            escaped(&shown(of.names[seat], BESIDE_BOARD)),
            of.scores[seat],
            count(i64::from(pips[seat])),
        );
    }
    arrows::draw(&mut svg, &position.board, of);
    svg.push_str("</svg>");
    Markup(svg)
}

/// Draws checkers and nothing else, for a page of many boards; `id` is unique on it.
pub(super) fn small(id: &str, title: &str, board: &Board) -> Markup {
    let mut svg = format!(
        "<svg class=\"board mini\" viewBox=\"28 38 376 268\" role=\"img\" aria-labelledby=\"{id}\"><title id=\"{id}\">{}</title><use href=\"#bd\" width=\"400\" height=\"346\"/>",
        escaped(title),
    );
    stacks(&mut svg, board);
    bars(&mut svg, board);
    svg.push_str("</svg>");
    Markup(svg)
}

fn stacks(svg: &mut String, board: &Board) {
    for point in 1..=24_u8 {
        let cell = board.cells()[usize::from(point)];
        if cell == 0 {
            continue;
        }
        let side = if cell > 0 { 'x' } else { 'o' };
        let size = cell.unsigned_abs();
        let drawn = size.min(FULL_STACK);
        let tall = 240 + STEP * (i32::from(drawn) - 1);
        let (x, last) = (column(point), height(point, drawn - 1));
        let top = if point <= 12 { last - 122 } else { TOP_Y - 122 };
        let _ = write!(
            svg,
            "<use href=\"#{side}{drawn}\" x=\"{}\" y=\"{}\" width=\"24\" height=\"{}\"/>",
            tenths(x - HALF),
            tenths(top),
            tenths(tall),
        );
        if size > FULL_STACK {
            figure(svg, side, x, last, size);
        }
    }
}

fn figure(svg: &mut String, side: char, x: Tenths, y: Tenths, n: u8) {
    let _ = write!(svg, "<text class=\"cn {side}\" x=\"{}\" y=\"{}\">{n}</text>", tenths(x), tenths(y + 46));
}

fn bars(svg: &mut String, board: &Board) {
    let cells = board.cells();
    for (side, size, first, step) in
        [('x', cells[25].unsigned_abs(), OWN_BAR_Y, -STEP), ('o', cells[0].unsigned_abs(), OTHER_BAR_Y, STEP)]
    {
        let drawn = size.min(FULL_BAR);
        for nth in 0..drawn {
            let y = first + step * i32::from(nth);
            let _ = write!(
                svg,
                "<use href=\"#{side}1\" x=\"{}\" y=\"{}\" width=\"24\" height=\"24\"/>",
                tenths(BAR_X - HALF),
                tenths(y - 122),
            );
            if size > FULL_BAR && nth + 1 == drawn {
                figure(svg, side, BAR_X, y, size);
            }
        }
    }
}

/// Borne-off checkers lie on edge in the trays: the decider's at the bottom.
fn trays(svg: &mut String, position: &PositionKey) {
    let off = [position.board.borne_off(), position.board.mirror().borne_off()];
    for (side, n, start, step, label) in [('x', off[0], 295, -7, 316), ('o', off[1], 44, 7, 36)] {
        if n == 0 {
            continue;
        }
        let _ = write!(svg, "<path class=\"ed {side}\" d=\"");
        for nth in 0..i32::from(n) {
            let _ = write!(svg, "M377 {}h21v5h-21z", start + step * nth);
        }
        let _ = write!(svg, "\"/><text class=\"off\" x=\"{}\" y=\"{label}\">{n} off</text>", tenths(TRAY_X));
    }
}

/// The cube, the dice or the question, and what a Crawford game says in the cube's place.
fn middle(svg: &mut String, position: &PositionKey) {
    let cube = |svg: &mut String, x: i32, y: &str, text_y: &str, value: u64| {
        let _ = write!(
            svg,
            "<use href=\"#cube\" x=\"{x}\" y=\"{y}\" width=\"24\" height=\"24\"/><text class=\"cv{}\" x=\"{}\" y=\"{text_y}\">{value}</text>",
            if value > 99 { " cs" } else { "" },
            x + 12,
        );
    };
    let value = u64::from(position.cube.value());
    match (position.score.is_crawford(), position.cube.owner) {
        (true, _) => {
            let _ = write!(
                svg,
                "<text class=\"cr\" transform=\"translate(17 172) rotate(-90)\">{}</text>",
                without_cube(position)
            );
        }
        _ if position.asked == Asked::Answer => {}
        (_, Owner::Centred) => cube(svg, 2, "160", "177", value),
        (_, Owner::Own) => cube(svg, 2, "277.5", "294.5", value),
        (_, Owner::Opponent) => cube(svg, 2, "42.5", "59.5", value),
    }
    match position.asked {
        Asked::Move(dice) => {
            for (die, x) in [(dice.high(), 266), (dice.low(), 294)] {
                let _ = write!(svg, "<use href=\"#die{die}\" x=\"{x}\" y=\"160\" width=\"24\" height=\"24\"/>");
            }
        }
        Asked::Double => {
            let again = if position.cube.owner == Owner::Own { "Redouble" } else { "Double" };
            let _ = write!(
                svg,
                "<text class=\"ask\" x=\"292\" y=\"177\" text-anchor=\"middle\">{again} to {}?</text>",
                value * 2
            );
        }
        Asked::Answer => {
            svg.push_str("<text class=\"ask\" x=\"272\" y=\"176.5\" text-anchor=\"end\">offered</text>");
            cube(svg, 280, "160", "177", value * 2);
        }
    }
}

/// Why there is no cube: a match of one point is no Crawford game.
fn without_cube(position: &PositionKey) -> &'static str {
    match (position.score.own_away, position.score.opponent_away) {
        (1, 1) => "Double match point",
        _ => "Crawford game",
    }
}

/// The description: every point, pips, cube and both plays in words.
fn in_words(position: &PositionKey, of: &Diagram<'_>) -> String {
    let cells = position.board.cells();
    let side = |sign: i8| {
        let on = |cell: i8| if cell.signum() == sign { cell.unsigned_abs() } else { 0 };
        let mut parts = Vec::new();
        let bar = if sign > 0 { on(cells[25]) } else { on(cells[0]) };
        if bar > 0 {
            parts.push(format!("{bar} on the bar"));
        }
        parts.extend((1..=24_usize).rev().filter(|&p| on(cells[p]) > 0).map(|p| format!("{} on {p}", on(cells[p]))));
        let off = if sign > 0 { position.board.borne_off() } else { position.board.mirror().borne_off() };
        if off > 0 {
            parts.push(format!("{off} borne off"));
        }
        parts.join(", ")
    };
    let mut text = format!(
        "{}, solid: {}. {}, open, in the same numbering: {}. Pips {} to {}. {}.",
        of.names[0],
        side(1),
        of.names[1],
        side(-1),
        position.board.pips(),
        position.board.mirror().pips(),
        words::cube(position, of.names),
    );
    if position.score.is_crawford() {
        let _ = write!(text, " {}.", without_cube(position));
    }
    if !of.made.is_empty() {
        let _ = write!(text, " Played: {}", of.made);
        if !of.best.is_empty() {
            let _ = write!(text, "; best: {}", of.best);
        }
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_where_the_mock_draws_them() {
        assert_eq!(column(1), 3570);
        assert_eq!(column(6), 2270);
        assert_eq!(column(7), 1750);
        assert_eq!(column(12), 450);
        assert_eq!(column(13), 450);
        assert_eq!(column(24), 3570);
        assert_eq!(height(24, 0), 544);
        assert_eq!(height(8, 4), 2020);
        assert_eq!(tenths(-5).to_string(), "-0.5");
        assert_eq!(tenths(2600).to_string(), "260");
    }
}
