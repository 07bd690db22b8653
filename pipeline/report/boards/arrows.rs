//! The two plays as arrows: best full and green with a solid head, made dashed and orange with an open one, steps of
//! both thin and grey. They start at the top checker of a stack and end in the slot where the checker lands.
//!
//! Arithmetic is in floats from whole coordinates with one square root, rounded to tenths: the same on every processor.

use super::{BAR_X, Diagram, OWN_BAR_Y, STEP, TRAY_X, Tenths, column, height, tenths};
use crate::game::play::{BAR, OFF};
use crate::game::{Board, Play, Step};
use std::fmt::Write as _;

/// Arrows of the two plays lie this far from the middle of a point, so that neither hides the other.
const APART: Tenths = 32;
/// Length of a head and half its width.
const HEAD: f64 = 90.0;
const HEAD_HALF: f64 = 48.0;
/// Bend of an arrow within one half of the board: a share of its length towards the middle, and its bound.
const BEND: f64 = 0.28;
const BEND_MOST: f64 = 340.0;
/// Bend of an arrow from one half to the other: a share of its distance from the bar.
const CROSS_BEND: f64 = 0.11;
/// The line between the two halves.
const MIDDLE_Y: f64 = 1720.0;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Both,
    Made,
    Best,
}

struct Arrow {
    of: Of,
    from: [Tenths; 2],
    to: [Tenths; 2],
}

/// Draws the arrows of the plays that can be made; nothing for a cube decision or a dance.
pub(super) fn draw(svg: &mut String, board: &Board, diagram: &Diagram<'_>) {
    let steps = |play: Option<Play>| -> Vec<Step> {
        play.filter(|play| play.apply(board).is_ok()).map(|play| play.steps().to_vec()).unwrap_or_default()
    };
    let (mut made, mut best) = (steps(diagram.made_play), steps(diagram.best_play));
    let both = take_common(&mut made, &mut best);
    let arrows: Vec<Arrow> = [(Of::Both, &both, &both), (Of::Made, &made, &both), (Of::Best, &best, &both)]
        .into_iter()
        .flat_map(|(of, steps, both)| place(of, steps, if of == Of::Both { &[] } else { both }, board))
        .collect();
    if arrows.is_empty() {
        return;
    }
    let paths: Vec<[String; 2]> = arrows.iter().map(path).collect();
    let _ =
        write!(svg, "<path class=\"halo\" d=\"{}\"/>", paths.iter().flatten().map(String::as_str).collect::<String>());
    for (arrow, [line, head]) in arrows.iter().zip(&paths) {
        let letter = arrow.of.letter();
        let _ = write!(svg, "<path class=\"a{letter}\" d=\"{line}\"/><path class=\"h{letter}\" d=\"{head}\"/>");
    }
    for arrow in &arrows {
        let [x, y] = arrow.from.map(tenths);
        let _ = write!(svg, "<circle class=\"s{}\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>", arrow.of.letter());
    }
}

impl Of {
    const fn letter(self) -> char {
        match self {
            Self::Both => 'j',
            Self::Made => 'm',
            Self::Best => 'b',
        }
    }

    const fn shift(self) -> Tenths {
        match self {
            Self::Both => 0,
            Self::Made => -APART,
            Self::Best => APART,
        }
    }
}

/// Moves the steps that both lists hold out of them.
fn take_common(made: &mut Vec<Step>, best: &mut Vec<Step>) -> Vec<Step> {
    let mut both = Vec::new();
    made.retain(|step| match best.iter().position(|other| other == step) {
        Some(at) => {
            both.push(best.remove(at));
            false
        }
        None => true,
    });
    both
}

/// Where each step starts and ends, with the checkers that `before` has already moved out of the way.
fn place(of: Of, steps: &[Step], before: &[Step], board: &Board) -> Vec<Arrow> {
    let mut own = board.cells().map(|cell| u8::try_from(cell).unwrap_or(0));
    let mut walk = |step: &Step| {
        let from = &mut own[usize::from(step.from)];
        *from = from.saturating_sub(1);
        let nth = (*from, own[usize::from(step.to)]);
        own[usize::from(step.to)] += 1;
        nth
    };
    for step in before {
        walk(step);
    }
    let shifted = |[x, y]: [Tenths; 2]| [x + of.shift(), y];
    steps
        .iter()
        .map(|step| {
            let (from, to) = walk(step);
            Arrow { of, from: shifted(slot(step.from, from)), to: shifted(slot(step.to, to)) }
        })
        .collect()
}

fn slot(cell: u8, nth: u8) -> [Tenths; 2] {
    match cell {
        BAR => [BAR_X, OWN_BAR_Y - STEP * i32::from(nth.min(2))],
        OFF => [TRAY_X, 2920],
        point => [column(point), height(point, nth)],
    }
}

/// The line and the head of an arrow.
fn path(arrow: &Arrow) -> [String; 2] {
    let [x0, y0] = arrow.from.map(f64::from);
    let [x1, y1] = arrow.to.map(f64::from);
    let [mut cx, mut cy] = [f64::midpoint(x0, x1), f64::midpoint(y0, y1)];
    if (y0 < MIDDLE_Y) == (y1 < MIDDLE_Y) {
        let bend = (libm::sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)) * BEND).min(BEND_MOST);
        cy += if y0 < MIDDLE_Y { bend } else { -bend };
    } else {
        cx += (f64::from(BAR_X) - cx) * CROSS_BEND;
    }
    let length = libm::sqrt((x1 - cx) * (x1 - cx) + (y1 - cy) * (y1 - cy)).max(1.0);
    let [ux, uy] = [(x1 - cx) / length, (y1 - cy) / length];
    let [bx, by] = [x1 - ux * HEAD, y1 - uy * HEAD];
    let at = |x: f64, y: f64| format!("{} {}", tenths(rounded(x)), tenths(rounded(y)));
    let head = [(bx - uy * HEAD_HALF, by + ux * HEAD_HALF), (bx + uy * HEAD_HALF, by - ux * HEAD_HALF)];
    [
        format!("M{}Q{} {}", at(x0, y0), at(cx, cy), at(bx, by)),
        format!("M{}L{}L{}z", at(x1, y1), at(head[0].0, head[0].1), at(head[1].0, head[1].1)),
    ]
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates of a drawing 4000 tenths wide")]
fn rounded(x: f64) -> Tenths {
    libm::round(x) as Tenths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::play::PlayFault;

    fn arrows(board: &Board, made: &str, best: &str) -> Result<String, PlayFault> {
        let diagram = Diagram {
            id: "b",
            names: ["A", "B"],
            scores: [String::new(), String::new()],
            question: String::new(),
            made: String::new(),
            best: String::new(),
            made_play: Some(Play::from_notation(made)?),
            best_play: Some(Play::from_notation(best)?),
        };
        let mut svg = String::new();
        draw(&mut svg, board, &diagram);
        Ok(svg)
    }

    #[test]
    fn the_arrows_of_the_mock_come_out_again() -> Result<(), PlayFault> {
        let board = Board::from_text("-aBBBBB-B-----A----abgBac-")?;
        let svg = arrows(&board, "8/6 2/1*", "14/13 8/6")?;
        assert!(svg.contains("class=\"aj\" d=\"M149 268Q188 234.3 218.4 243.4\""), "{svg}");
        assert!(svg.contains("class=\"am\" d=\"M327.8 268Q340.8 269.5 349 282.4\""), "{svg}");
        assert!(svg.contains("class=\"hb\" d=\"M48.2 54.4L58.4 54.6L53.7 63z\""), "{svg}");
        Ok(())
    }

    #[test]
    fn a_play_that_cannot_be_made_is_not_drawn() -> Result<(), PlayFault> {
        assert_eq!(arrows(&Board::START, "23/22", "dance")?, "");
        Ok(())
    }
}
