//! A pattern as SVG: a quarter of the board with the bar that feeds it, drawn where it lies on a board.
//!
//! The eleven symbols of the Academy (`academy.md` 3.1) become what a player knows: a blot, a made point, an empty point,
//! and three signs for what a pattern leaves open: a second checker in dashes (one or more), a checker struck out (anything but
//! that side), a question mark (anything). The quarter is seen by the player who moved, his checkers solid. Text that is no
//! quarter of ours is drawn as nothing, and the caller shows it as text.

use super::super::markup::{Markup, escaped};
use super::super::words;
use super::{HALF, POINT_WIDTH, STEP, Tenths, tenths};
use std::fmt::Write as _;

/// Middle of the first checker of a point at the bottom and at the top; the field lies between 140 and 1000.
const BOTTOM_Y: Tenths = 880;
const TOP_Y: Tenths = 262;
/// Middle of the bar where a quarter has one, and the left edge of its points.
const BAR_X: Tenths = 150;
const FIELD_X: Tenths = 290;
/// Bytes of a drawing, at most.
const DRAWING: usize = 2 << 10;
/// Points in a quarter.
const POINTS: usize = 6;

/// One of the four quarters: which way its points hang, how they are numbered, where its bar cell stands.
struct Quarter {
    heading: &'static str,
    /// Number of the low point; cells go up from it.
    low: u8,
    top: bool,
    /// Cell of the bar: the opponent's in the home board, the mover's own in the far one.
    bar: Option<usize>,
    /// Cell of the low point.
    first: usize,
    cells: usize,
}

impl Quarter {
    fn of(area: &str) -> Option<Self> {
        Some(match area {
            "home" => Self { heading: "home board", low: 1, top: false, bar: Some(7), first: 1, cells: 8 },
            "outer" => Self { heading: "outer board", low: 7, top: false, bar: None, first: 0, cells: 6 },
            "far outer" => Self { heading: "far outer board", low: 13, top: true, bar: None, first: 0, cells: 6 },
            "far home" => Self { heading: "far home board", low: 19, top: true, bar: Some(0), first: 1, cells: 8 },
            _ => return None,
        })
    }

    /// Middle of the point at that distance from the low one: low points lie to the right at the bottom, to the left at the top.
    fn column(&self, nth: usize) -> Tenths {
        let from_left = if self.top { nth } else { POINTS - 1 - nth };
        FIELD_X + POINT_WIDTH * i32::try_from(from_left).unwrap_or(0) + POINT_WIDTH / 2
    }

    /// Middle of a checker of a stack, the first counted as 0.
    const fn height(&self, nth: i32) -> Tenths {
        if self.top { TOP_Y + STEP * nth } else { BOTTOM_Y - STEP * nth }
    }
}

/// The name of a quarter in a sentence; `None` where the area is none of a backgammon board.
pub(in crate::report) fn heading(area: &str) -> Option<&'static str> {
    Quarter::of(area).map(|quarter| quarter.heading)
}

/// Draws a pattern; `id` is unique on the page. `None` when the cells are not those of a quarter.
pub(in crate::report) fn quarter(id: &str, area: &str, cells: &str) -> Option<Markup> {
    let of = Quarter::of(area)?;
    let symbols: Vec<char> = cells.chars().collect();
    if symbols.len() != of.cells || !symbols.iter().all(|symbol| "-xbB1owW2+#".contains(*symbol)) {
        return None;
    }
    // Without a bar the points begin at the left edge; the scale stays, so quarters compare.
    let left = if of.bar.is_some() { 0 } else { 28 };
    let mut svg = String::with_capacity(DRAWING);
    let _ = write!(
        svg,
        "<svg class=\"qt\" viewBox=\"{left} 0 204 114\" role=\"img\" aria-labelledby=\"{id}\"><title id=\"{id}\">{}</title>",
        escaped(&in_words(&of, &symbols)),
    );
    ground(&mut svg, &of);
    for nth in 0..POINTS {
        let number = usize::from(of.low) + nth;
        let (x, label) = (of.column(nth), if of.top { 11 } else { 110 });
        let _ = write!(svg, "<text class=\"pn\" x=\"{}\" y=\"{label}\">{number}</text>", tenths(x));
        let base = [of.height(0), of.height(1)];
        stack(&mut svg, symbols[of.first + nth], x, base);
    }
    if let Some(bar) = of.bar {
        let y = if of.top { 680 } else { 460 };
        let second = if of.top { y - STEP } else { y + STEP };
        stack(&mut svg, symbols[bar], BAR_X, [y, second]);
    }
    svg.push_str("</svg>");
    Some(Markup(svg))
}

/// Field, points, bar and edge, without a checker.
fn ground(svg: &mut String, of: &Quarter) {
    svg.push_str("<rect class=\"fld\" x=\"29\" y=\"14\" width=\"156\" height=\"86\"/>");
    for (class, odd) in [("pa", 0), ("pb", 1)] {
        let _ = write!(svg, "<path class=\"{class}\" d=\"");
        for nth in (0..POINTS).filter(|nth| nth % 2 == odd) {
            let x = of.column(nth) - HALF;
            let (base, apex) = if of.top { (14, "70") } else { (100, "-70") };
            let _ = write!(svg, "M{} {base}h24l-12 {apex}z", tenths(x));
        }
        svg.push_str("\"/>");
    }
    if of.bar.is_some() {
        svg.push_str("<rect class=\"bar\" x=\"1\" y=\"14\" width=\"28\" height=\"86\"/><path class=\"frm\" d=\"M29 14H1V100H29\"/><rect class=\"tray\" x=\"190\" y=\"14\" width=\"10\" height=\"86\"/>");
    }
    svg.push_str("<rect class=\"frm\" x=\"29\" y=\"14\" width=\"156\" height=\"86\"/>");
}

/// What a symbol puts on a point, or on the bar: at most two signs.
fn stack(svg: &mut String, symbol: char, x: Tenths, [first, second]: [Tenths; 2]) {
    let mut put = |name: &str, y: Tenths| {
        let (x, y) = (tenths(x - HALF), tenths(y - HALF));
        let _ = write!(svg, "<use href=\"#q-{name}\" x=\"{x}\" y=\"{y}\" width=\"24\" height=\"24\"/>");
    };
    match symbol {
        'x' => put("x", first),
        'o' => put("o", first),
        'b' => ["x", "x"].into_iter().zip([first, second]).for_each(|(name, y)| put(name, y)),
        'w' => ["o", "o"].into_iter().zip([first, second]).for_each(|(name, y)| put(name, y)),
        'B' => ["x", "m"].into_iter().zip([first, second]).for_each(|(name, y)| put(name, y)),
        'W' => ["o", "m"].into_iter().zip([first, second]).for_each(|(name, y)| put(name, y)),
        '1' => put("1", first),
        '2' => put("2", first),
        '#' => put("a", first),
        _ => {}
    }
}

/// `Home board. Made point: 6, 5. Opponent’s blot: 2.`; what is empty is not told.
fn in_words(of: &Quarter, symbols: &[char]) -> String {
    const MEANINGS: [(char, &str); 9] = [
        ('b', "Made point"),
        ('x', "Blot"),
        ('B', "Own checkers, one or more"),
        ('w', "Opponent\u{2019}s point"),
        ('o', "Opponent\u{2019}s blot"),
        ('W', "Opponent\u{2019}s checkers, one or more"),
        ('1', "Not held by the opponent"),
        ('2', "Not held by the mover"),
        ('#', "Anything"),
    ];
    let place = |cell: usize| match (of.bar, cell.checked_sub(of.first)) {
        (Some(bar), _) if bar == cell => "bar".to_owned(),
        (_, nth) => (usize::from(of.low) + nth.unwrap_or(0)).to_string(),
    };
    let mut text = format!("{}.", words::sentence(of.heading));
    for (symbol, meaning) in MEANINGS {
        let places: Vec<String> = (0..symbols.len()).rev().filter(|&cell| symbols[cell] == symbol).map(place).collect();
        if !places.is_empty() {
            let _ = write!(text, " {meaning}: {}.", places.join(", "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_spec_is_drawn_and_told() {
        // Own five and six points made, the opponent's back checkers split on the one and the two.
        let svg = quarter("q", "home", "+oo--bb-").map(|svg| svg.0).unwrap_or_default();
        assert!(svg.contains(">Home board. Made point: 6, 5. Opponent\u{2019}s blot: 2, 1.</title>"), "{svg}");
        assert_eq!((svg.matches("#q-x").count(), svg.matches("#q-o").count()), (4, 2));
        // Six to the left of one, as on a board.
        assert!(svg.contains("<text class=\"pn\" x=\"42\" y=\"110\">6</text>"), "{svg}");
        assert!(svg.contains("<text class=\"pn\" x=\"172\" y=\"110\">1</text>"), "{svg}");
    }

    #[test]
    fn every_symbol_is_told_apart() {
        let drawn: Vec<String> = "-xbB1owW2#"
            .chars()
            .map(|symbol| quarter("q", "outer", &format!("{symbol}-----")).unwrap_or_default().0)
            .map(|svg| svg[svg.find("</title>").unwrap_or(0)..].to_owned())
            .collect();
        let different: std::collections::BTreeSet<&String> = drawn.iter().collect();
        assert_eq!(different.len(), drawn.len());
    }

    #[test]
    fn what_is_no_quarter_is_not_drawn() {
        for (area, cells) in [("nw", "x-"), ("home", "+oo--bb"), ("home", "+oo--bb<"), ("outer", ""), ("", "")] {
            assert_eq!(quarter("q", area, cells), None, "{area} {cells}");
        }
    }
}
