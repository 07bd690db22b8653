//! What is written behind the dice, and which play it is.
//!
//! Writers join the steps of a checker (`24/14`), order the parts as they like, leave hits out, and count equal parts
//! (`6/4(2)`). All of that leaves the mover's own checkers in one place: froms taken away, tos added, points on the way
//! cancel. So a play is found among the legal ones by where the mover's checkers stand; what is left open is only which
//! blots were hit on the way, and there the one that hits what the text names, and nothing more, is meant
//! (`other-formats.md` 6.1). Only a play that no legal one resembles is made step by step as written.

use super::text::{number, starts_with};
use crate::game::dice::Dice;
use crate::game::legal::{self, Legal};
use crate::game::play::{BAR, OFF};
use crate::game::{Board, Play, Step};

/// No roll moves more checkers, and no writer names more than its four hops of each.
const MOST_PARTS: usize = 4;
/// Points of one chain: four hops have five.
const LONGEST_CHAIN: usize = 5;

/// What stands behind the dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written<'a> {
    /// Nothing.
    Nothing,
    /// `Cannot Move`, `Can't Move`.
    Cannot,
    /// `???`: rolled, then resigned.
    Abandoned,
    /// `Illegal play (record)`: the record of the position after it.
    Illegal(&'a [u8]),
    /// Parts of a play.
    Parts(Vec<Part>),
}

/// One checker's way, `count` times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Points in the order written; a point's flag is its `*`.
    cells: Vec<(u8, bool)>,
    count: usize,
}

impl Part {
    fn from(&self) -> u8 {
        self.cells.first().map_or(OFF, |&(cell, _)| cell)
    }

    fn to(&self) -> u8 {
        self.cells.last().map_or(OFF, |&(cell, _)| cell)
    }
}

/// A play found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub play: Play,
    pub after: Board,
    pub illegal: bool,
}

/// Reads the text; `None` when it is none of these things.
pub(super) fn written(text: &[u8]) -> Option<Written<'_>> {
    if text.is_empty() {
        return Some(Written::Nothing);
    }
    if text.iter().all(|&byte| byte == b'?') {
        return Some(Written::Abandoned);
    }
    if starts_with(text, b"cannot") || starts_with(text, b"can't") || starts_with(text, b"can\xE2\x80\x99t") {
        return Some(Written::Cannot);
    }
    if starts_with(text, b"illegal play") {
        let open = text.iter().position(|&byte| byte == b'(')?;
        return Some(Written::Illegal(text[open + 1..].strip_suffix(b")").unwrap_or(&text[open + 1..])));
    }
    let mut parts: Vec<Part> = Vec::new();
    for word in text.split(|&byte| byte.is_ascii_whitespace() || byte == b',').filter(|word| !word.is_empty()) {
        if word.starts_with(b"(") {
            parts.last_mut()?.count = count_of(word)?;
            continue;
        }
        parts.push(part(word)?);
        if parts.len() > MOST_PARTS {
            return None;
        }
    }
    let total: usize = parts.iter().map(|part| part.count).sum();
    (total > 0 && total <= MOST_PARTS).then_some(Written::Parts(parts))
}

/// `13/11*/8(2)`.
fn part(word: &[u8]) -> Option<Part> {
    let open = word.iter().position(|&byte| byte == b'(').unwrap_or(word.len());
    let (path, count) = word.split_at(open);
    let (count, late_hit) = match count {
        b"" => (1, false),
        [count @ .., b'*'] => (count_of(count)?, true),
        count => (count_of(count)?, false),
    };
    let mut cells = Vec::with_capacity(2);
    for text in path.split(|&byte| byte == b'/') {
        let name = text.strip_suffix(b"*").unwrap_or(text);
        cells.push((cell(name)?, name.len() < text.len()));
        if cells.len() > LONGEST_CHAIN {
            return None;
        }
    }
    cells.last_mut()?.1 |= late_hit;
    let forward = cells.len() >= 2 && cells.windows(2).all(|pair| pair[0].0 > pair[1].0);
    forward.then_some(Part { cells, count })
}

/// `(2)`.
fn count_of(text: &[u8]) -> Option<usize> {
    match text {
        &[b'(', digit @ b'1'..=b'4', b')'] => Some(usize::from(digit - b'0')),
        _ => None,
    }
}

fn cell(name: &[u8]) -> Option<u8> {
    if name.eq_ignore_ascii_case(b"bar") {
        return Some(BAR);
    }
    if name.eq_ignore_ascii_case(b"off") {
        return Some(OFF);
    }
    let (value, rest) = number(name)?;
    u8::try_from(value).ok().filter(|&cell| cell <= BAR && rest.is_empty())
}

/// The play that `parts` mean on `board`; `None` when they cannot even be made as written.
pub(super) fn find(board: &Board, dice: Dice, parts: &[Part]) -> Option<Found> {
    let own = own_after(board, parts);
    let named = named_hits(board, parts);
    let meant = legal::plays(board, dice)
        .into_iter()
        .filter(|legal| legal.after.cells().iter().zip(own).skip(1).all(|(&cell, own)| i16::from(cell.max(0)) == own))
        .min_by_key(|legal| {
            let hit = hits(board, legal);
            ((named & !hit).count_ones(), hit.count_ones())
        });
    match meant {
        Some(Legal { after, play }) => Some(Found { play, after, illegal: false }),
        None => as_written(board, parts),
    }
}

/// The mover's checkers per cell once the parts are made; index 0 is not used.
fn own_after(board: &Board, parts: &[Part]) -> [i16; 26] {
    let mut own = board.cells().map(|cell| i16::from(cell.max(0)));
    for part in parts {
        for _ in 0..part.count {
            own[usize::from(part.from())] -= 1;
            own[usize::from(part.to())] += 1;
        }
    }
    own
}

/// Bit set of the points with an opponent's blot that the text lands on.
fn named_hits(board: &Board, parts: &[Part]) -> u32 {
    parts
        .iter()
        .flat_map(|part| &part.cells[1..])
        .filter(|&&(cell, _)| cell != OFF && board.cells()[usize::from(cell)] == -1)
        .fold(0, |set, &(cell, _)| set | 1 << cell)
}

/// Bit set of the blots a legal play hits.
fn hits(board: &Board, legal: &Legal) -> u32 {
    (1u8..25)
        .filter(|&cell| board.cells()[usize::from(cell)] == -1 && legal.after.cells()[usize::from(cell)] >= 0)
        .fold(0, |set, cell| set | 1 << cell)
}

/// Step by step; a play that names more than four steps is tried from end to end, and an order that starts from an
/// empty point is tried again from the rear.
fn as_written(board: &Board, parts: &[Part]) -> Option<Found> {
    let each = || parts.iter().flat_map(|part| std::iter::repeat_n(part, part.count));
    let hops: Vec<Step> =
        each().flat_map(|part| part.cells.windows(2).map(|pair| Step { from: pair[0].0, to: pair[1].0 })).collect();
    let ends: Vec<Step> = each().map(|part| Step { from: part.from(), to: part.to() }).collect();
    [hops, ends].into_iter().find_map(|mut steps| {
        let written = Play::new(&steps).ok()?;
        steps.sort_unstable_by(|a, b| b.cmp(a));
        let sorted = Play::new(&steps).ok()?;
        [written, sorted]
            .into_iter()
            .find_map(|play| play.apply(board).ok().map(|after| Found { play, after, illegal: true }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays `text` on `board`; gives the canonical notation, the opponent's checkers on the bar, and legality.
    fn played(board: &str, roll: u8, text: &str) -> Option<(String, i8, bool)> {
        let board = Board::from_text(board).ok()?;
        let Written::Parts(parts) = written(text.as_bytes())? else { return None };
        let found = find(&board, Dice::from_digits(roll)?, &parts)?;
        Some((found.play.notation(&board), -found.after.cells()[0], found.illegal))
    }

    const START: &str = "-b----E-C---eE---c-e----B-";

    fn legal(play: &str, hits: i8) -> Option<(String, i8, bool)> {
        Some((play.to_owned(), hits, false))
    }

    #[test]
    fn joined_steps_are_expanded_by_the_dice() {
        assert_eq!(played(START, 66, "24/12"), None, "the opponent's midpoint is no landing place");
        assert_eq!(played(START, 65, "24/13"), legal("24/13", 0));
        assert_eq!(played(START, 33, "13/7(2)"), legal("13/7(2)", 0));
        assert_eq!(played(START, 33, "24/15 13/10"), legal("24/15 13/10", 0));
        let outside = Some(("10/off 7/off".to_owned(), 0, true));
        assert_eq!(played("-----A-A--A---------------", 65, "10/off 7/Off"), outside);
        assert_eq!(played("---A-A--------------------", 65, "5/off 3/0"), legal("5/off 3/off", 0));
    }

    #[test]
    fn nothing_is_hit_on_the_way_unless_the_text_says_so() {
        let blot_on_20 = "-b----E-C---eE---c-da---B-";
        assert_eq!(played(blot_on_20, 62, "24/16"), legal("24/16", 0));
        assert_eq!(played(blot_on_20, 64, "24/20*/14"), legal("24/20*/14", 1));
        assert_eq!(played(blot_on_20, 64, "24/20/14"), legal("24/20*/14", 1));
        assert_eq!(played(blot_on_20, 64, "24/14"), legal("24/14", 0));
        assert_eq!(played(blot_on_20, 41, "24/20 6/5"), legal("24/20* 6/5", 1));
    }

    #[test]
    fn an_illegal_play_is_made_as_written_or_not_at_all() {
        assert_eq!(played(START, 31, "8/4 6/5"), Some(("8/4 6/5".to_owned(), 0, true)));
        assert_eq!(played(START, 31, "7/4 6/5"), None, "nobody stands on 7");
        assert_eq!(played(START, 51, "13/12 13/8"), None, "12 is closed");
        assert_eq!(written(b"8/4 nonsense"), None);
        assert_eq!(written(b"6/4(5)"), None);
        assert_eq!(written(b"4/6"), None);
        assert_eq!(written(b"99999999999/3"), None);
    }

    #[test]
    fn spellings_of_bar_and_off_and_counts() {
        let entering = "-b----E-C---eD---c-e----BA";
        for text in ["25/22 24/23", "bar/22 24/23", "Bar/22, 24/23"] {
            assert_eq!(played(entering, 31, text), legal("bar/22 24/23", 0), "{text}");
        }
        let home = "-BB-----------------------";
        assert_eq!(played(home, 66, "2/off(2) 1/0(2)"), legal("2/off(2) 1/off(2)", 0));
        assert_eq!(played(home, 66, "2/0(2) 1/0 (2)"), legal("2/off(2) 1/off(2)", 0));
    }
}
