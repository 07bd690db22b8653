//! A row of a game: which actions stand in it, and in whose column.
//!
//! Columns are not at fixed places: five widths are known, and a long play can leave a single blank before the right
//! column, or none. So a row is cut at the *beginnings* of actions (`53:`, `Doubles`, `Takes`, ...); the first is the
//! left player's if it begins before column 20, every later one is the right player's (`gnubg-formats.md` 15). In rows
//! set with tabs, a first action behind two tabs or more is the right player's.

use super::text::{number, starts_with, trim};

/// First column that belongs to the right player when a row has one action: all known writers put the left action
/// before column 10 and the right one behind column 25.
const RIGHT_FROM: usize = 20;
/// Tabs before an action of the right player: one ends the number, one the empty left cell.
const RIGHT_TABS: usize = 2;
/// Semicolons in the position record of an illegal play (`other-formats.md` 6.6).
const RECORD_SEPARATORS: usize = 39;

/// The two columns of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Left,
    Right,
}

/// What a cell begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Two digits and a colon; not necessarily dice.
    Roll(u8, u8),
    Double,
    Beaver,
    Raccoon,
    Take,
    Drop,
    Win,
    Loss,
    /// `Resigned Game`, `Resigns`: what it means is said by the `Wins` that follows.
    Resign,
}

/// An action of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell<'a> {
    pub column: Column,
    /// Of its first byte in the line.
    pub at: usize,
    pub token: Token,
    /// What follows the token, blanks off.
    pub text: &'a [u8],
}

/// A line of a game, cut.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub cells: Vec<Cell<'a>>,
    /// Text before the first action that is no action.
    pub stray: &'a [u8],
    /// The line begins with `n)`.
    pub numbered: bool,
}

/// Cuts a line.
pub(super) fn cut(line: &[u8]) -> Row<'_> {
    let begin = after_number(line);
    let starts = tokens(line, begin.unwrap_or(0));
    let ends = starts.iter().skip(1).map(|start| start.at).chain([line.len()]);
    let cells = starts
        .iter()
        .zip(ends)
        .enumerate()
        .map(|(i, (start, end))| Cell {
            column: if i == 0 { column_of(line, begin, start.at) } else { Column::Right },
            at: start.at,
            token: start.token,
            text: trim(&line[start.text..end]),
        })
        .collect();
    let stray = trim(&line[begin.unwrap_or(0)..starts.first().map_or(line.len(), |start| start.at)]);
    Row { cells, stray, numbered: begin.is_some() }
}

/// Where the text behind `n)` begins.
fn after_number(line: &[u8]) -> Option<usize> {
    let body = line.trim_ascii_start();
    let (_, rest) = number(body)?;
    let rest = rest.trim_ascii_start().strip_prefix(b")")?;
    Some(line.len() - rest.len())
}

fn column_of(line: &[u8], begin: Option<usize>, at: usize) -> Column {
    let tabs = line[begin.unwrap_or(0)..at].iter().filter(|&&byte| byte == b'\t').count();
    if tabs >= RIGHT_TABS || (tabs == 0 && at >= RIGHT_FROM) { Column::Right } else { Column::Left }
}

struct Start {
    at: usize,
    text: usize,
    token: Token,
}

fn tokens(line: &[u8], begin: usize) -> Vec<Start> {
    let mut found = Vec::new();
    let mut at = begin;
    while at < line.len() {
        let rest = &line[at..];
        if let Some(start) = roll_at(line, at).or_else(|| word_at(line, begin, at)) {
            at = start.text;
            found.push(start);
        } else if starts_with(rest, b"illegal play") {
            at += record_length(rest);
        } else {
            at += 1;
        }
    }
    found
}

/// `[0-9][0-9]:` at `at`. Nothing is asked of the byte before it: in a row without a gap the roll follows a play.
fn roll_at(line: &[u8], at: usize) -> Option<Start> {
    match line.get(at..at + 3)? {
        &[a, b, b':'] if a.is_ascii_digit() && b.is_ascii_digit() => {
            Some(Start { at, text: at + 3, token: Token::Roll(a - b'0', b - b'0') })
        }
        _ => None,
    }
}

/// A word that begins as one of the actions' does.
fn word_at(line: &[u8], begin: usize, at: usize) -> Option<Start> {
    const WORDS: [(&[u8], Token); 8] = [
        (b"double", Token::Double),
        (b"beaver", Token::Beaver),
        (b"raccoon", Token::Raccoon),
        (b"take", Token::Take),
        (b"drop", Token::Drop),
        (b"win", Token::Win),
        (b"loss", Token::Loss),
        (b"resign", Token::Resign),
    ];
    if at > begin && line[at - 1].is_ascii_alphabetic() {
        return None;
    }
    let rest = &line[at..];
    let &(_, token) = WORDS.iter().find(|(word, _)| starts_with(rest, word))?;
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    Some(Start { at, text: at + length, token })
}

/// Length of `Illegal play (…)`: names inside the record may hold anything, so its semicolons are counted.
fn record_length(rest: &[u8]) -> usize {
    let mut separators = 0;
    for (i, &byte) in rest.iter().enumerate() {
        separators += usize::from(byte == b';');
        if byte == b')' && separators >= RECORD_SEPARATORS {
            return i + 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<(Column, Token, String)> {
        let row = cut(line.as_bytes());
        assert_eq!(row.stray, b"", "{line}");
        row.cells
            .iter()
            .map(|cell| (cell.column, cell.token, String::from_utf8_lossy(cell.text).into_owned()))
            .collect()
    }

    #[test]
    fn columns_of_every_width_are_told_apart() {
        use Column::{Left, Right};
        let left = |text: &str| (Left, Token::Roll(3, 1), text.to_owned());
        assert_eq!(
            found("  1)                             31: 13/9 24/23 "),
            [(Right, Token::Roll(3, 1), "13/9 24/23".to_owned())]
        );
        assert_eq!(found("  7) 31: 6/5"), [left("6/5")]);
        assert_eq!(
            found(" 14) 31: 14/13* 41: 25/21 "),
            [left("14/13*"), (Right, Token::Roll(4, 1), "25/21".to_owned())]
        );
        assert_eq!(found(" 14) 31: 14/1341: 25/21 "), [left("14/13"), (Right, Token::Roll(4, 1), "25/21".to_owned())]);
        assert_eq!(found("2)\t31: 6/5"), [left("6/5")]);
        assert_eq!(found("2)\t\t31: 6/5")[0].0, Right);
        assert_eq!(
            found("  16)  Doubles => 2                      Drops"),
            [(Left, Token::Double, "=> 2".to_owned()), (Right, Token::Drop, String::new())]
        );
    }

    #[test]
    fn results_stand_where_they_like() {
        use Column::{Left, Right};
        let win = |column, text: &str| (column, Token::Win, text.to_owned());
        assert_eq!(found("      Wins 2 points"), [win(Left, "2 points")]);
        assert_eq!(found(" 33)                                    Wins 2 point"), [win(Right, "2 point")]);
        assert_eq!(found(" 62) 21: ???                      Wins 2 point")[1], win(Right, "2 point"));
        assert_eq!(found(" 34)"), []);
        let row =
            found(" 29)  Losses 1 point                                               Wins 1 point and the match");
        assert_eq!(row, [(Left, Token::Loss, "1 point".to_owned()), win(Right, "1 point and the match")]);
    }

    #[test]
    fn what_is_no_action_is_stray() {
        assert_eq!(cut(b"  3) 8/5 13/8").stray, b"8/5 13/8");
        assert!(cut(b"  3) 8/5 13/8").numbered);
        assert!(!cut(b"hello").numbered);
    }
}
