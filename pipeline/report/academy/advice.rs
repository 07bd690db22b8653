//! What the Academy would have advised, part of the game by part, and what following it would have been worth.
//!
//! The engine judges every candidate, so the sums are honest: cost of the proposals against cost of the plays made, over
//! the turns where it judged both. A part whose sum is a loss shows its total and no case (`academy.md` 13).

use super::super::names::{NAME, TOKEN, shown};
use super::super::{format, words};
use super::{BACKGAMMON, Desk, number};
use crate::tables::academy::AcademyAdviceRow;
use serde::Serialize;
use std::collections::BTreeMap;

/// Cases of a part, and players of the table.
const CASES: usize = 8;
const PLAYERS: usize = 30;

/// Token and name of the parts of a game, in order.
pub(super) const PARTS: [(&str, &str); 3] = [("opening", "Opening"), ("middle", "Middle game"), ("end", "Endgame")];

/// The section.
#[derive(Serialize)]
pub(super) struct Advice {
    say: Vec<String>,
    parts: Vec<Part>,
    cases: Vec<Cases>,
    players: Vec<Advised>,
}

/// A part of the game.
#[derive(Serialize)]
struct Part {
    name: &'static str,
    proposals: String,
    right: String,
    players_right: String,
    judged: String,
    cost_proposed: String,
    cost_played: String,
    verdict: String,
    /// Class of the verdict's sign.
    class: &'static str,
}

/// The best cases of a part that paid.
#[derive(Serialize)]
struct Cases {
    name: &'static str,
    rows: Vec<Case>,
}

/// A piece of advice that would have saved something.
#[derive(Debug, Serialize)]
pub(super) struct Case {
    pub(super) player: String,
    pub(super) player_href: Option<String>,
    pub(super) place: String,
    pub(super) href: Option<String>,
    pub(super) proposed: String,
    pub(super) played: String,
    pub(super) saved: String,
}

/// A player's opening advice.
#[derive(Serialize)]
struct Advised {
    name: String,
    href: Option<String>,
    proposals: String,
    right: String,
    own_right: String,
    saved: String,
}

/// Sums over some advice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) proposals: usize,
    /// Proposals of which it is known whether they are right, and those that are.
    known: usize,
    pub(super) right: usize,
    players_known: usize,
    pub(super) players_right: usize,
    pub(super) judged: usize,
    /// Cost of proposals and of plays made, 1e-9, where both are judged.
    proposed: i64,
    played: i64,
}

impl Sums {
    /// Over these rows.
    pub(super) fn of<'a>(rows: impl IntoIterator<Item = &'a AcademyAdviceRow>) -> Self {
        let mut sums = Self::default();
        for row in rows {
            sums.proposals += 1;
            sums.known += usize::from(row.right.is_some());
            sums.right += usize::from(row.right == Some(true));
            sums.players_known += usize::from(row.played_right.is_some());
            sums.players_right += usize::from(row.played_right == Some(true));
            if let Some((proposed, played)) = row.cost_proposed.zip(row.cost_played) {
                sums.judged += 1;
                sums.proposed = sums.proposed.saturating_add(proposed);
                sums.played = sums.played.saturating_add(played);
            }
        }
        sums
    }

    /// What following all of it would have saved, 1e-9; negative = lost.
    pub(super) const fn saved(&self) -> i64 {
        self.played.saturating_sub(self.proposed)
    }

    /// Single cases may be shown: the sum is no loss.
    pub(super) const fn pays(&self) -> bool {
        self.judged > 0 && self.saved() >= 0
    }
}

/// The advice of backgammon in one part of the game.
pub(super) fn of_part<'a>(rows: &'a [AcademyAdviceRow], part: &str) -> Vec<&'a AcademyAdviceRow> {
    rows.iter().filter(|row| row.game == BACKGAMMON && row.phase == part).collect()
}

/// Whether following all opening advice of a season would not have cost more than the plays made: only then are single
/// pieces of it shown.
#[must_use]
pub fn opening_pays(advice: &[AcademyAdviceRow]) -> bool {
    Sums::of(of_part(advice, "opening")).pays()
}

/// The section.
pub(super) fn advice(desk: &Desk<'_>) -> Advice {
    let mut view = Advice { say: Vec::new(), parts: Vec::new(), cases: Vec::new(), players: Vec::new() };
    for (part, name) in PARTS {
        let rows = of_part(desk.input.advice, part);
        let sums = Sums::of(rows.iter().copied());
        if sums.proposals == 0 {
            continue;
        }
        view.parts.push(line(name, &sums));
        view.say.push(say(name, &sums));
        if sums.pays() {
            let rows = cases(desk, &rows, CASES);
            if !rows.is_empty() {
                view.cases.push(Cases { name, rows });
            }
        }
    }
    view.players = players(desk);
    view
}

fn line(name: &'static str, sums: &Sums) -> Part {
    let (verdict, class) = verdict(sums);
    Part {
        name,
        proposals: format::size(sums.proposals),
        right: of(sums.right, sums.known),
        players_right: of(sums.players_right, sums.players_known),
        judged: format::size(sums.judged),
        cost_proposed: equity(sums.proposed, sums.judged),
        cost_played: equity(sums.played, sums.judged),
        verdict,
        class,
    }
}

/// `saved 1.18`, and the sign it carries.
fn verdict(sums: &Sums) -> (String, &'static str) {
    match (sums.judged, sums.saved()) {
        (0, _) => ("not judged".to_owned(), "none"),
        (_, 0) => ("cost nothing, saved nothing".to_owned(), "eq"),
        (_, saved @ 1..) => (format!("would have saved {}", whole(saved)), "up"),
        (_, lost) => (format!("would have lost {}", whole(-lost)), "dn"),
    }
}

fn say(name: &str, sums: &Sums) -> String {
    match (sums.judged, sums.saved()) {
        (0, _) => format!("{name}: no analysis judged the advice."),
        (_, 0) => format!("{name}: following it would have cost what the players\u{2019} own plays cost."),
        (_, saved @ 1..) => format!("{name}: following it would have saved {} of equity.", whole(saved)),
        (_, lost) => format!(
            "{name}: following it would have cost {} more than the players\u{2019} own plays, so single cases are not shown.",
            whole(-lost)
        ),
    }
}

/// `158 of 228`.
fn of(right: usize, known: usize) -> String {
    if known == 0 { format::ABSENT.to_owned() } else { format!("{} of {}", format::size(right), format::size(known)) }
}

/// A sum of costs in equity.
fn equity(billionths: i64, judged: usize) -> String {
    if judged == 0 { format::ABSENT.to_owned() } else { whole(billionths) }
}

fn whole(billionths: i64) -> String {
    format::fixed(billionths as f64 / 1e9, 2)
}

/// The advice that would have saved most, one a decision; ties by contest and ply.
pub(super) fn cases(desk: &Desk<'_>, rows: &[&AcademyAdviceRow], most: usize) -> Vec<Case> {
    let found = |id: &str| desk.found(id).map(|found| (found.text, found.href));
    let line = |(row, saved): (&AcademyAdviceRow, i64)| Case {
        player_href: desk.page_of(&row.player),
        ..case(row, saved, found(&row.contest_id))
    };
    best(rows, most).into_iter().map(line).collect()
}

/// The rows that save most, with what they save.
pub(super) fn best<'a>(rows: &[&'a AcademyAdviceRow], most: usize) -> Vec<(&'a AcademyAdviceRow, i64)> {
    let saved = |row: &&'a AcademyAdviceRow| Some((*row, row.cost_played? - row.cost_proposed?));
    let mut rows: Vec<(&AcademyAdviceRow, i64)> =
        rows.iter().filter_map(saved).filter(|(_, saved)| *saved > 0).collect();
    rows.sort_by(|(a, saved_a), (b, saved_b)| {
        saved_b.cmp(saved_a).then_with(|| a.contest_id.cmp(&b.contest_id)).then(a.ply.cmp(&b.ply))
    });
    rows.truncate(most);
    rows
}

/// A line of a table of cases.
pub(super) fn case(row: &AcademyAdviceRow, saved: i64, found: Option<(String, Option<String>)>) -> Case {
    let (text, href) = found.unwrap_or_else(|| (format::ABSENT.to_owned(), None));
    Case {
        player: shown(&row.player, NAME),
        player_href: None,
        place: format!("{text}, turn {}", format::count(row.ply)),
        href,
        proposed: shown(&row.proposed, TOKEN),
        played: shown(&row.played, TOKEN),
        saved: format::fixed(saved as f64 / 1e9, 3),
    }
}

/// Opening advice by player, most saved first; only where the whole of it pays.
fn players(desk: &Desk<'_>) -> Vec<Advised> {
    let rows = of_part(desk.input.advice, "opening");
    if !Sums::of(rows.iter().copied()).pays() {
        return Vec::new();
    }
    let mut by_player: BTreeMap<&str, Vec<&AcademyAdviceRow>> = BTreeMap::new();
    for row in rows {
        by_player.entry(&row.player).or_default().push(row);
    }
    let mut players: Vec<(&str, Sums)> = by_player
        .into_iter()
        .map(|(player, rows)| (player, Sums::of(rows)))
        .filter(|(_, sums)| sums.judged > 0)
        .collect();
    players.sort_by_key(|(player, sums)| (-sums.saved(), *player));
    let advised = |(player, sums): &(&str, Sums)| Advised {
        name: shown(player, NAME),
        href: desk.page_of(player),
        proposals: format::size(sums.proposals),
        right: of(sums.right, sums.known),
        own_right: of(sums.players_right, sums.players_known),
        saved: format::signed(sums.saved() as f64 / 1e9, 3),
    };
    players.iter().take(PLAYERS).map(advised).collect()
}

/// How much advice another game had, in words.
pub(super) fn of_game(desk: &Desk<'_>, game: &str) -> String {
    let sums = Sums::of(desk.input.advice.iter().filter(|row| row.game == game));
    match (sums.proposals, sums.judged) {
        (0, _) => "No advice would have been given.".to_owned(),
        (n, 0) => format!("Advice at {}; nobody judged it.", words::counted(number(n), "turn", "turns")),
        (n, _) => {
            format!("Advice at {}; following it {}.", words::counted(number(n), "turn", "turns"), verdict(&sums).0)
        }
    }
}
