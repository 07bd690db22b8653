//! A checker play: up to four steps of one checker each, and how it is written.
//!
//! A play is compared by the board it leads to, never by its spelling: files order and join steps as they like. The
//! notation written here is canonical: hops of one checker chained (`24/20*/15`: a point in the middle is named only
//! when something is hit there), largest first, equal parts counted (`6/4(2)`).

use super::board::{Board, BoardFault};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The mover's bar as a starting cell.
pub const BAR: u8 = 25;
/// Borne off as a destination.
pub const OFF: u8 = 0;
/// How a roll without a legal play is written.
pub const DANCE: &str = "dance";

/// One checker from one cell to another, in the mover's numbering: 25 is the bar, 0 is off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Step {
    /// 1..=25.
    pub from: u8,
    /// 0..=24.
    pub to: u8,
}

/// Up to four steps; no step is a dance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Step>", into = "Vec<Step>")]
pub struct Play {
    steps: [Step; 4],
    len: u8,
}

/// Why a play cannot be made on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlayFault {
    /// More than four steps.
    #[error("more than four steps")]
    TooLong,
    /// No checker of the mover on the starting cell.
    #[error("no checker on {0}")]
    NoChecker(u8),
    /// Two or more opponent's checkers on the destination.
    #[error("point {0} is closed")]
    Closed(u8),
    /// A step that does not go forward, or leaves the board on the wrong side.
    #[error("step from {0} to {1}")]
    Backward(u8, u8),
    /// Text that is no play.
    #[error("not a play")]
    Text,
}

impl From<BoardFault> for PlayFault {
    fn from(_: BoardFault) -> Self {
        Self::Text
    }
}

impl Play {
    /// # Errors
    /// [`PlayFault::TooLong`] for more than four steps, [`PlayFault::Backward`] for a step that is none.
    pub fn new(steps: &[Step]) -> Result<Self, PlayFault> {
        let mut play = Self::default();
        for &step in steps {
            play.push(step)?;
        }
        Ok(play)
    }

    /// Adds a step.
    ///
    /// # Errors
    /// As [`Play::new`].
    pub fn push(&mut self, step: Step) -> Result<(), PlayFault> {
        if step.from > BAR || step.to >= step.from {
            return Err(PlayFault::Backward(step.from, step.to));
        }
        let slot = self.steps.get_mut(usize::from(self.len)).ok_or(PlayFault::TooLong)?;
        *slot = step;
        self.len += 1;
        Ok(())
    }

    /// For the play generator, which makes at most four steps, all of them forward.
    pub(super) fn extend(&mut self, step: Step) {
        self.steps[usize::from(self.len)] = step;
        self.len += 1;
    }

    /// Takes the last step back; what is unused stays zero, so that equal plays compare equal.
    pub(super) fn shorten(&mut self) {
        self.len -= 1;
        self.steps[usize::from(self.len)] = Step::default();
    }

    /// The steps in the order given.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    /// No step at all.
    #[must_use]
    pub const fn is_dance(&self) -> bool {
        self.len == 0
    }

    /// Steps sorted, rearmost first: the form in which two spellings of the same hops are equal.
    #[must_use]
    pub(super) fn sorted(mut self) -> Self {
        let len = usize::from(self.len);
        self.steps[..len].sort_unstable_by(|a, b| b.cmp(a));
        self
    }

    /// The board after the play, still seen from the mover. Steps are made as written: dice are not checked here
    /// (`legal` does), and a joined step hits only where it lands.
    ///
    /// # Errors
    /// [`PlayFault`] when a checker is missing or a point closed.
    pub fn apply(&self, board: &Board) -> Result<Board, PlayFault> {
        let mut cells = *board.cells();
        for step in self.steps() {
            let from = &mut cells[usize::from(step.from)];
            if *from <= 0 {
                return Err(PlayFault::NoChecker(step.from));
            }
            *from -= 1;
            if step.to == OFF {
                continue;
            }
            match &mut cells[usize::from(step.to)] {
                -1 => {
                    cells[usize::from(step.to)] = 1;
                    cells[0] -= 1;
                }
                to if *to >= 0 => *to += 1,
                _ => return Err(PlayFault::Closed(step.to)),
            }
        }
        Ok(Board::from_trusted(cells))
    }

    /// Canonical notation on the board it is made on.
    ///
    /// Every candidate of every file is written once, so nothing here is allocated but the text.
    #[must_use]
    pub fn notation(&self, board: &Board) -> String {
        if self.is_dance() {
            return DANCE.to_owned();
        }
        let mut unused = self.sorted();
        let mut paths = [Path::default(); 4];
        let mut written = 0;
        // Where something was hit: a blot is hit once.
        let mut hits = 0u32;
        while !unused.is_dance() {
            let first = unused.remove(0);
            let path = &mut paths[written];
            path.push(first.from);
            let mut at = first.to;
            loop {
                path.hits = at != OFF && board.cells()[usize::from(at)] == -1 && hits & (1 << at) == 0;
                if path.hits {
                    hits |= 1 << at;
                }
                let Some(next) = unused.steps().iter().position(|step| step.from == at) else { break };
                if path.hits {
                    path.push(at);
                }
                at = unused.remove(next).to;
            }
            path.push(at);
            written += 1;
        }
        write_paths(&paths[..written])
    }

    /// Takes a step out; the others keep their order.
    fn remove(&mut self, at: usize) -> Step {
        let step = self.steps[at];
        self.steps.copy_within(at + 1.., at);
        self.shorten();
        step
    }

    /// Reads a notation, joined hops and counts included; only `dance` is no step. The mark of a hit may stand before
    /// or after the count.
    ///
    /// # Errors
    /// [`PlayFault`] when the text is no play of at most four steps.
    pub fn from_notation(text: &str) -> Result<Self, PlayFault> {
        let mut play = Self::default();
        if text == DANCE {
            return Ok(play);
        }
        for part in text.split_whitespace() {
            let (path, count) = counted(part).ok_or(PlayFault::Text)?;
            let cells = path.split('/').map(|cell| cell_of(cell.trim_end_matches('*'))).collect::<Option<Vec<u8>>>();
            let cells = cells.filter(|cells| cells.len() >= 2).ok_or(PlayFault::Text)?;
            for _ in 0..count {
                for pair in cells.windows(2) {
                    play.push(Step { from: pair[0], to: pair[1] })?;
                }
            }
        }
        if play.is_dance() { Err(PlayFault::Text) } else { Ok(play) }
    }
}

/// A part of a notation and how often it is played: `6/4*(2)`, or `6/4(2)*`.
fn counted(part: &str) -> Option<(&str, u8)> {
    let Some((path, rest)) = part.split_once('(') else { return Some((part, 1)) };
    let count = rest.trim_end_matches('*').strip_suffix(')')?;
    count.parse().ok().filter(|&count| count > 0).map(|count| (path, count))
}

impl TryFrom<Vec<Step>> for Play {
    type Error = PlayFault;
    fn try_from(steps: Vec<Step>) -> Result<Self, PlayFault> {
        Self::new(&steps)
    }
}

impl From<Play> for Vec<Step> {
    fn from(play: Play) -> Self {
        play.steps().to_vec()
    }
}

fn cell_of(text: &str) -> Option<u8> {
    match text {
        "bar" | "Bar" | "BAR" => Some(BAR),
        "off" | "Off" | "OFF" => Some(OFF),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok().filter(|&cell| cell <= BAR),
        _ => None,
    }
}

fn write_cell(out: &mut String, cell: u8) {
    match cell {
        BAR => out.push_str("bar"),
        OFF => out.push_str("off"),
        _ => write_number(out, cell),
    }
}

/// A number below 100.
fn write_number(out: &mut String, number: u8) {
    if number >= 10 {
        out.push(char::from(b'0' + number / 10));
    }
    out.push(char::from(b'0' + number % 10));
}

/// The way of one checker: where it starts, the points on which it hits in passing, where it ends.
#[derive(Clone, Copy, Default)]
struct Path {
    /// A start and at most four landings.
    cells: [u8; 5],
    len: usize,
    /// It hits where it ends.
    hits: bool,
}

impl Path {
    fn push(&mut self, cell: u8) {
        self.cells[self.len] = cell;
        self.len += 1;
    }

    fn cells(&self) -> &[u8] {
        &self.cells[..self.len]
    }
}

/// Equal paths counted; the first of them carries the hit.
fn write_paths(paths: &[Path]) -> String {
    let mut out = String::with_capacity(24);
    for (i, path) in paths.iter().enumerate() {
        let same = |other: &&Path| other.cells() == path.cells();
        if paths[..i].iter().any(|earlier| same(&earlier)) {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        write_cells(&mut out, path.cells());
        if paths.iter().filter(same).any(|path| path.hits) {
            out.push('*');
        }
        let count = (1u8..).zip(paths.iter().filter(same)).last().map_or(1, |(count, _)| count);
        if count > 1 {
            out.push('(');
            write_number(&mut out, count);
            out.push(')');
        }
    }
    out
}

/// `24/20*/16`: whatever lies in between is hit.
fn write_cells(out: &mut String, cells: &[u8]) {
    for (i, &cell) in cells.iter().enumerate() {
        if i > 0 {
            out.push('/');
        }
        write_cell(out, cell);
        if i > 0 && i + 1 < cells.len() {
            out.push('*');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(board: &Board, steps: &[(u8, u8)]) -> Result<String, PlayFault> {
        let steps: Vec<Step> = steps.iter().map(|&(from, to)| Step { from, to }).collect();
        Ok(Play::new(&steps)?.notation(board))
    }

    #[test]
    fn notation_chains_hops_counts_equals_and_marks_hits() -> Result<(), PlayFault> {
        let start = Board::START;
        assert_eq!(written(&start, &[(6, 5), (8, 5)])?, "8/5 6/5");
        assert_eq!(written(&start, &[(13, 9), (24, 20), (9, 5), (20, 16)])?, "24/16 13/5");
        assert_eq!(written(&start, &[(6, 4), (6, 4), (24, 22), (24, 22)])?, "24/22(2) 6/4(2)");
        let blots = Board::from_text("-b----E-C---eE---a-ea-a-B-")?;
        assert_eq!(written(&blots, &[(24, 20), (20, 16)])?, "24/20*/16");
        assert_eq!(written(&blots, &[(24, 22), (24, 22)])?, "24/22*(2)");
        assert_eq!(written(&start, &[])?, "dance");
        Ok(())
    }

    #[test]
    fn what_is_written_is_read_again() -> Result<(), PlayFault> {
        let board = Board::from_text("-b----E-C---eE---a-ea-a-B-")?;
        for text in ["24/20*/16", "24/22*(2)", "13/7 6/5", "13/9(2) 6/2(2)", "dance"] {
            let play = Play::from_notation(text)?;
            assert_eq!(play.apply(&board)?, Play::from_notation(&play.notation(&board))?.apply(&board)?);
        }
        assert_eq!(Play::from_notation("bar/off(2)")?.steps().len(), 2);
        assert_eq!(Play::from_notation("6/4(6)"), Err(PlayFault::TooLong));
        assert_eq!(Play::from_notation("4/6"), Err(PlayFault::Backward(4, 6)));
        assert_eq!(Play::from_notation("24/22(2)*")?, Play::from_notation("24/22*(2)")?);
        for text in ["", "6/4(0)", "6/4(2", "6/4(2))", "6", "6/", "26/20", "6/+4", "6/4(255) 6/4"] {
            assert!(Play::from_notation(text).is_err(), "{text:?}");
        }
        Ok(())
    }

    #[test]
    fn a_stored_play_has_at_most_four_steps() -> Result<(), serde_json::Error> {
        let text = serde_json::to_string(&Play::from_notation("13/9(2)").unwrap_or_default())?;
        assert_eq!(serde_json::from_str::<Play>(&text)?.steps().len(), 2);
        let step = r#"{"from":13,"to":9}"#;
        assert!(serde_json::from_str::<Play>(&format!("[{}]", [step; 5].join(","))).is_err());
        assert!(serde_json::from_str::<Play>(r#"[{"from":26,"to":9}]"#).is_err());
        Ok(())
    }
}
