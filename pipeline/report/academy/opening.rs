//! The club's opening book: the first three plies of the tree, by roll, as a tree that folds.
//!
//! Figures are those of who made the play. What was played once is told in one line below what was played more often, so
//! that a season of hundreds of games stays readable; the whole tree is in the table.

use super::super::boards::small;
use super::super::markup::Markup;
use super::super::names::{NAME, TOKEN, shown};
use super::super::{format, words};
use super::value::Made;
use super::{BACKGAMMON, Desk, OpeningPlay, number};
use crate::game::Board;
use crate::tables::academy::AcademyTreeRow;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Plays of a roll that have a line; the rest is counted.
const PLAYS: usize = 6;
/// Plays of a roll that have a board, and replies.
const BOARDS: usize = 3;
/// Replies to a play that have a line.
const REPLIES: usize = 12;
/// A play met less often is told in passing.
const OFTEN: i64 = 2;
/// Plays told in passing; the rest is counted.
const RARE: usize = 24;
/// Names of who plays it.
const NAMES: usize = 3;

/// The section.
#[derive(Serialize)]
pub(super) struct Opening {
    say: Vec<String>,
    /// What the value of a play is.
    value: String,
    rolls: Vec<Roll>,
}

/// One roll of the first player.
#[derive(Serialize)]
struct Roll {
    dice: [String; 2],
    name: String,
    games: String,
    mostly: String,
    plays: Vec<Line>,
    more: String,
    boards: Vec<Position>,
    replies: Vec<Replies>,
}

/// A play with its figures.
#[derive(Serialize)]
struct Line {
    roll: String,
    play: String,
    /// A third ply, below its reply.
    deep: bool,
    games: String,
    result: String,
    value: String,
    elo: String,
    cost: String,
    who: String,
}

/// A play and the position it leads to.
#[derive(Serialize)]
struct Position {
    play: String,
    board: Markup,
}

/// What was replied to a play.
#[derive(Serialize)]
struct Replies {
    title: String,
    lines: Vec<Line>,
    rare: String,
}

/// The children of every node, most games first, then the better value, then the older.
struct Tree<'a> {
    children: BTreeMap<i64, Vec<&'a AcademyTreeRow>>,
    plays: BTreeMap<i64, Vec<&'a OpeningPlay<'a>>>,
    made: Made,
}

impl<'a> Tree<'a> {
    fn new(desk: &Desk<'a>) -> Self {
        let mut children: BTreeMap<i64, Vec<&AcademyTreeRow>> = BTreeMap::new();
        for row in desk.input.tree.iter().filter(|row| row.game == BACKGAMMON) {
            children.entry(row.parent.unwrap_or(-1)).or_default().push(row);
        }
        for rows in children.values_mut() {
            rows.sort_by(|a, b| {
                let value = |row: &AcademyTreeRow| row.value.unwrap_or(0.0);
                games(b).cmp(&games(a)).then(value(b).total_cmp(&value(a))).then(a.node.cmp(&b.node))
            });
        }
        let mut plays: BTreeMap<i64, Vec<&OpeningPlay<'_>>> = BTreeMap::new();
        for play in desk.input.openings {
            plays.entry(play.node).or_default().push(play);
        }
        Self { children, plays, made: Made::of(desk, BACKGAMMON) }
    }

    fn of(&self, node: i64) -> &[&'a AcademyTreeRow] {
        self.children.get(&node).map_or(&[], Vec::as_slice)
    }

    /// A play in a table.
    fn line(&self, row: &AcademyTreeRow, deep: bool) -> Line {
        let plays = self.plays.get(&row.node).map_or(&[][..], Vec::as_slice);
        Line {
            roll: roll(row),
            play: play(row),
            deep,
            games: format::count(games(row)),
            result: result(row),
            value: self.made.text(row),
            elo: row.elo.map_or_else(|| format::ABSENT.to_owned(), |elo| format::fixed(elo, 0)),
            cost: cost(plays),
            who: who(plays),
        }
    }
}

/// The section.
pub(super) fn opening(desk: &Desk<'_>) -> Opening {
    let tree = Tree::new(desk);
    let Some(root) = desk.input.tree.iter().find(|row| row.game == BACKGAMMON && row.depth == 0) else {
        return Opening { say: Vec::new(), value: tree.made.of_a_play(desk), rolls: Vec::new() };
    };
    let mut by_roll: BTreeMap<String, Vec<&AcademyTreeRow>> = BTreeMap::new();
    for row in tree.of(root.node) {
        by_roll.entry(row.chance.clone().unwrap_or_default()).or_default().push(row);
    }
    let mut rolls: Vec<(String, Vec<&AcademyTreeRow>)> = by_roll.into_iter().collect();
    let total = |rows: &[&AcademyTreeRow]| rows.iter().map(|row| games(row)).sum::<i64>();
    rolls.sort_by_key(|(chance, rows)| (Reverse(total(rows)), Reverse(chance.clone())));
    let rolls: Vec<Roll> = rolls.iter().map(|(chance, rows)| tree.roll(chance, rows, total(rows))).collect();
    Opening { say: say(root, &tree), value: tree.made.of_a_play(desk), rolls }
}

fn say(root: &AcademyTreeRow, tree: &Tree<'_>) -> Vec<String> {
    let all = games(root);
    let first = tree.of(root.node);
    let settled = first.iter().filter(|row| games(row) >= OFTEN).count();
    vec![format!(
        "In {} who began won {}, whatever was rolled. {} met at least twice.",
        words::counted(all, "game", "games"),
        format::count(root.total_w),
        words::sentence(&words::counted(number(settled), "opening play was", "opening plays were")),
    )]
}

impl Tree<'_> {
    fn roll(&self, chance: &str, rows: &[&AcademyTreeRow], total: i64) -> Roll {
        let mostly = rows.first().map_or_else(String::new, |row| match games(row) {
            1 => format!("{}, once", play(row)),
            n => format!("{}, {} times", play(row), format::count(n)),
        });
        let replied = rows.iter().take(BOARDS).filter(|row| !self.of(row.node).is_empty());
        Roll {
            dice: dice(chance),
            name: named(chance),
            games: words::counted(total, "game", "games"),
            mostly,
            plays: rows.iter().take(PLAYS).map(|row| self.line(row, false)).collect(),
            more: passing(&rows[rows.len().min(PLAYS)..], "Also played:"),
            boards: rows.iter().take(BOARDS).filter_map(|row| position(row)).collect(),
            replies: replied.map(|row| self.replies(row)).collect(),
        }
    }

    /// What was replied, and what was played then; both only where met more than once.
    fn replies(&self, of: &AcademyTreeRow) -> Replies {
        let all = self.of(of.node);
        let often = all.iter().filter(|row| games(row) >= OFTEN).count().min(REPLIES);
        let mut lines = Vec::new();
        for row in &all[..often] {
            lines.push(self.line(row, false));
            let third = self.of(row.node).iter().filter(|row| games(row) >= OFTEN);
            lines.extend(third.map(|row| self.line(row, true)));
        }
        Replies {
            title: format!(
                "After {} {}: {}",
                roll(of),
                play(of),
                words::counted(number(all.len()), "reply", "replies"),
            ),
            lines,
            rare: passing(&all[often..], if often == 0 { "Once each:" } else { "Less often:" }),
        }
    }
}

/// Plays told in one line.
fn passing(rows: &[&AcademyTreeRow], title: &str) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let told: Vec<String> = rows
        .iter()
        .take(RARE)
        .map(|row| match games(row) {
            1 => format!("{} {}", roll(row), play(row)),
            n => format!("{} {} ({})", roll(row), play(row), format::count(n)),
        })
        .collect();
    let left = match rows.len().saturating_sub(RARE) {
        0 => String::new(),
        n => format!("; and {} more", format::size(n)),
    };
    format!("{title} {}{left}.", told.join("; "))
}

fn games(row: &AcademyTreeRow) -> i64 {
    row.total_w + row.total_d + row.total_l
}

/// Won and lost by who made the play, draws between them where there are any.
fn result(row: &AcademyTreeRow) -> String {
    let [won, lost] = if row.depth % 2 == 1 { [row.total_w, row.total_l] } else { [row.total_l, row.total_w] };
    match row.total_d {
        0 => format!("{won}\u{2013}{lost}"),
        drawn => format!("{won}\u{2013}{drawn}\u{2013}{lost}"),
    }
}

fn play(row: &AcademyTreeRow) -> String {
    match row.play.as_str() {
        "dance" => "no legal play".to_owned(),
        "?" => "play unknown".to_owned(),
        play => shown(play, TOKEN),
    }
}

fn roll(row: &AcademyTreeRow) -> String {
    named(row.chance.as_deref().unwrap_or_default())
}

/// `6-4` from `64`; anything else as it is written.
fn named(chance: &str) -> String {
    match chance.as_bytes() {
        [high @ b'1'..=b'6', low @ b'1'..=b'6'] => format!("{}-{}", char::from(*high), char::from(*low)),
        _ => shown(chance, TOKEN),
    }
}

/// The faces; empty where the chance is no roll.
fn dice(chance: &str) -> [String; 2] {
    match chance.as_bytes() {
        [high @ b'1'..=b'6', low @ b'1'..=b'6'] => [char::from(*high).to_string(), char::from(*low).to_string()],
        _ => [String::new(), String::new()],
    }
}

fn position(row: &AcademyTreeRow) -> Option<Position> {
    let board = Board::from_text(&row.key).ok()?;
    let title = format!("Position after {} {}", roll(row), play(row));
    Some(Position { play: play(row), board: small(&format!("node{}", row.node), &title, &board) })
}

/// Mean error of the season's plays that are rated.
fn cost(plays: &[&OpeningPlay<'_>]) -> String {
    let rated: Vec<i64> = plays.iter().filter_map(|play| play.mpt).collect();
    match rated.len() {
        0 => format::ABSENT.to_owned(),
        n => format::fixed(rated.iter().sum::<i64>() as f64 / n as f64 / 1000.0, 3),
    }
}

/// `Foxglove 4, Gristmill 2 and three others`.
fn who(plays: &[&OpeningPlay<'_>]) -> String {
    let mut by_player: BTreeMap<&str, i64> = BTreeMap::new();
    for play in plays {
        *by_player.entry(play.player).or_default() += 1;
    }
    let mut players: Vec<(&str, i64)> = by_player.into_iter().collect();
    players.sort_by_key(|(player, n)| (Reverse(*n), *player));
    let mut told: Vec<String> = players
        .iter()
        .take(NAMES)
        .map(|(player, n)| match n {
            1 => shown(player, NAME),
            n => format!("{} {n}", shown(player, NAME)),
        })
        .collect();
    if let 1.. = players.len().saturating_sub(NAMES) {
        told.push(words::counted(number(players.len() - NAMES), "other", "others"));
    }
    if told.is_empty() { format::ABSENT.to_owned() } else { words::list(&told) }
}
