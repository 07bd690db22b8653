//! What the Academy would have advised, part of the game by part, and what following it would have been worth.
//!
//! The engine judges every candidate, so the sums are honest: cost of the proposals against cost of the plays made, over
//! the turns where it judged both. A part whose sum is a loss shows its total and no case (`academy.md` 13).

use super::super::names::{NAME, TOKEN, shown};
use super::super::{format, words};
use super::{BACKGAMMON, Desk, number};
use crate::tables::academy::AcademyAdviceRow;
use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// Cases of a part, of a player on his page, and players of the table.
const CASES: usize = 8;
const CASES_OF_PLAYER: usize = 5;
const PLAYERS: usize = 30;

/// The part of a game whose advice is told player by player.
const OPENING: &str = "opening";

/// Token and name of the parts of a game, in order.
const PARTS: [(&str, &str); 3] = [(OPENING, "Opening"), ("middle", "Middle game"), ("end", "Endgame")];

/// The section.
#[derive(Serialize)]
pub(super) struct Section {
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    fn take(&mut self, advice: &Advice<'_>) {
        self.proposals += 1;
        self.known += usize::from(advice.right.is_some());
        self.right += usize::from(advice.right == Some(true));
        self.players_known += usize::from(advice.played_right.is_some());
        self.players_right += usize::from(advice.played_right == Some(true));
        if let Some((proposed, played)) = advice.cost_proposed.zip(advice.cost_played) {
            self.judged += 1;
            self.proposed = self.proposed.saturating_add(proposed);
            self.played = self.played.saturating_add(played);
        }
    }

    fn add(&mut self, other: &Self) {
        self.proposals += other.proposals;
        self.known += other.known;
        self.right += other.right;
        self.players_known += other.players_known;
        self.players_right += other.players_right;
        self.judged += other.judged;
        self.proposed = self.proposed.saturating_add(other.proposed);
        self.played = self.played.saturating_add(other.played);
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

/// A piece of advice, as much of it as pages look at.
#[derive(Clone, Copy, Debug)]
pub struct Advice<'a> {
    /// The contest.
    pub contest_id: &'a str,
    /// Its match.
    pub match_id: &'a str,
    /// Its game.
    pub game: &'a str,
    /// Number of the ply.
    pub ply: i64,
    /// Who would have been advised.
    pub player: &'a str,
    /// Part of the game.
    pub phase: &'a str,
    /// Play proposed.
    pub proposed: &'a str,
    /// Play made.
    pub played: &'a str,
    /// What the proposal loses, 1e-9.
    pub cost_proposed: Option<i64>,
    /// What the play made loses.
    pub cost_played: Option<i64>,
    /// The proposal is the best play.
    pub right: Option<bool>,
    /// The play made is.
    pub played_right: Option<bool>,
}

impl<'a> From<&'a AcademyAdviceRow> for Advice<'a> {
    fn from(row: &'a AcademyAdviceRow) -> Self {
        Self {
            contest_id: &row.contest_id,
            match_id: &row.match_id,
            game: &row.game,
            ply: row.ply,
            player: &row.player,
            phase: &row.phase,
            proposed: &row.proposed,
            played: &row.played,
            cost_proposed: row.cost_proposed,
            cost_played: row.cost_played,
            right: row.right,
            played_right: row.played_right,
        }
    }
}

/// A piece of advice that may be shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Piece {
    pub(super) contest_id: String,
    pub(super) match_id: String,
    pub(super) ply: i64,
    pub(super) player: String,
    proposed: String,
    played: String,
    /// What it would have saved, 1e-9.
    saved: i64,
}

/// Some of a season's advice: sums over it, and the pieces that would have saved most.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Taken {
    pub(super) sums: Sums,
    /// Most saved first; ties by contest and ply.
    best: Vec<Piece>,
}

impl Taken {
    fn take(&mut self, advice: &Advice<'_>, most: usize) {
        self.sums.take(advice);
        let saved = advice.cost_played.zip(advice.cost_proposed).map_or(0, |(played, proposed)| played - proposed);
        if saved <= 0 {
            return;
        }
        let order = |piece: &Piece| {
            let first = (Reverse(piece.saved), piece.contest_id.as_str(), piece.ply);
            first.cmp(&(Reverse(saved), advice.contest_id, advice.ply))
        };
        let at = self.best.partition_point(|piece| order(piece) == Ordering::Less);
        if at < most {
            self.best.truncate(most - 1);
            self.best.insert(at, Piece::of(advice, saved));
        }
    }

    fn add(&mut self, other: Self, most: usize) {
        self.sums.add(&other.sums);
        self.best.extend(other.best);
        self.best.sort_by(|a, b| {
            b.saved.cmp(&a.saved).then_with(|| a.contest_id.cmp(&b.contest_id)).then(a.ply.cmp(&b.ply))
        });
        self.best.truncate(most);
    }

    /// The pieces that would have saved most; none where following all of it would have been a loss.
    pub(super) fn cases(&self, pays: bool) -> &[Piece] {
        if pays { &self.best } else { &[] }
    }
}

impl Piece {
    fn of(advice: &Advice<'_>, saved: i64) -> Self {
        Self {
            contest_id: advice.contest_id.to_owned(),
            match_id: advice.match_id.to_owned(),
            ply: advice.ply,
            player: advice.player.to_owned(),
            proposed: advice.proposed.to_owned(),
            played: advice.played.to_owned(),
            saved,
        }
    }
}

/// The advice of a season, taken piece by piece in any order: a season has a million, and pages tell their sums and show
/// the few that would have saved most. Memory: some pieces a player.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AdviceOfSeason {
    /// Of backgammon, by part of the game.
    parts: BTreeMap<String, Taken>,
    /// Of backgammon's openings, by player.
    players: BTreeMap<String, Taken>,
    /// Of the other games.
    games: BTreeMap<String, Sums>,
}

impl AdviceOfSeason {
    /// All of these rows.
    #[must_use]
    pub fn of(rows: &[AcademyAdviceRow]) -> Self {
        let mut all = Self::default();
        for row in rows {
            all.take(&row.into());
        }
        all
    }

    /// One piece more.
    pub fn take(&mut self, advice: &Advice<'_>) {
        if advice.game != BACKGAMMON {
            return at(&mut self.games, advice.game, |sums| sums.take(advice));
        }
        at(&mut self.parts, advice.phase, |taken| taken.take(advice, CASES));
        if advice.phase == OPENING {
            at(&mut self.players, advice.player, |taken| taken.take(advice, CASES_OF_PLAYER));
        }
    }

    /// What was taken elsewhere.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (part, taken) in other.parts {
            at(&mut self.parts, &part, |own| own.add(taken, CASES));
        }
        for (player, taken) in other.players {
            at(&mut self.players, &player, |own| own.add(taken, CASES_OF_PLAYER));
        }
        for (game, sums) in other.games {
            at(&mut self.games, &game, |own| own.add(&sums));
        }
        self
    }

    /// Whether following all opening advice of the season would not have cost more than the plays made: only then are
    /// single pieces of it shown.
    #[must_use]
    pub fn opening_pays(&self) -> bool {
        self.parts.get(OPENING).is_some_and(|taken| taken.sums.pays())
    }

    /// A player's opening advice; `None` without any.
    #[must_use]
    pub fn of_player(&self, player: &str) -> Option<&Taken> {
        self.players.get(player)
    }
}

/// Does something to what stands under a name, begun where nothing does; most names are there and need not be copied.
pub(super) fn at<T: Default>(map: &mut BTreeMap<String, T>, name: &str, change: impl FnOnce(&mut T)) {
    match map.get_mut(name) {
        Some(found) => change(found),
        None => change(map.entry(name.to_owned()).or_default()),
    }
}

/// The section.
pub(super) fn advice(desk: &Desk<'_>) -> Section {
    let mut view = Section { say: Vec::new(), parts: Vec::new(), cases: Vec::new(), players: Vec::new() };
    for (part, name) in PARTS {
        let Some(taken) = desk.input.advice.parts.get(part) else { continue };
        view.parts.push(line(name, &taken.sums));
        view.say.push(say(name, &taken.sums));
        let rows = taken.cases(taken.sums.pays());
        if !rows.is_empty() {
            view.cases.push(Cases { name, rows: rows.iter().map(|piece| case_found(desk, piece)).collect() });
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

fn case_found(desk: &Desk<'_>, piece: &Piece) -> Case {
    let found = desk.found(&piece.contest_id).map(|found| (found.text, found.href));
    Case { player_href: desk.page_of(&piece.player), ..case(piece, found) }
}

/// A line of a table of cases.
pub(super) fn case(row: &Piece, found: Option<(String, Option<String>)>) -> Case {
    let (text, href) = found.unwrap_or_else(|| (format::ABSENT.to_owned(), None));
    Case {
        player: shown(&row.player, NAME),
        player_href: None,
        place: format!("{text}, turn {}", format::count(row.ply)),
        href,
        proposed: shown(&row.proposed, TOKEN),
        played: shown(&row.played, TOKEN),
        saved: format::fixed(row.saved as f64 / 1e9, 3),
    }
}

/// Opening advice by player, most saved first; only where the whole of it pays.
fn players(desk: &Desk<'_>) -> Vec<Advised> {
    let advice = desk.input.advice;
    if !advice.opening_pays() {
        return Vec::new();
    }
    let mut players: Vec<(&str, Sums)> = advice
        .players
        .iter()
        .map(|(player, taken)| (player.as_str(), taken.sums))
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
    let sums = desk.input.advice.games.get(game).copied().unwrap_or_default();
    match (sums.proposals, sums.judged) {
        (0, _) => "No advice would have been given.".to_owned(),
        (n, 0) => format!("Advice at {}; nobody judged it.", words::counted(number(n), "turn", "turns")),
        (n, _) => {
            format!("Advice at {}; following it {}.", words::counted(number(n), "turn", "turns"), verdict(&sums).0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of two games, two parts and two players; some nobody judged, and many that save as much as another.
    fn rows() -> Vec<AcademyAdviceRow> {
        let row = |at: i64| AcademyAdviceRow {
            contest_id: format!("m-{}", at % 11),
            ply: at,
            game: if at % 13 == 0 { "draughts" } else { BACKGAMMON }.to_owned(),
            player: if at % 3 == 0 { "Foxglove" } else { "Gristmill" }.to_owned(),
            phase: if at % 4 == 0 { "middle" } else { OPENING }.to_owned(),
            cost_proposed: (at % 7 > 0).then_some(at * 37 % 5 * 1_000_000),
            cost_played: Some(at * 53 % 9 * 1_000_000),
            right: (at % 5 > 0).then_some(at % 2 == 0),
            ..AcademyAdviceRow::default()
        };
        (0..200).map(row).collect()
    }

    #[test]
    fn how_advice_is_gathered_does_not_show() {
        let rows = rows();
        let told = |advice: &AdviceOfSeason| format!("{advice:?}");
        let whole = AdviceOfSeason::of(&rows);
        let backwards: Vec<AcademyAdviceRow> = rows.iter().rev().cloned().collect();
        assert_eq!(told(&AdviceOfSeason::of(&backwards)), told(&whole));
        for chunk in [1, 7, 60, 199] {
            let parts = rows.chunks(chunk).map(AdviceOfSeason::of);
            assert_eq!(told(&parts.fold(AdviceOfSeason::default(), AdviceOfSeason::and)), told(&whole), "{chunk}");
        }
    }

    #[test]
    fn what_is_kept_are_the_pieces_that_save_most() {
        let rows = rows();
        let mut saving: Vec<(i64, &str, i64)> = rows
            .iter()
            .filter(|row| row.game == BACKGAMMON && row.phase == OPENING && row.player == "Gristmill")
            .filter_map(|row| Some((row.cost_proposed? - row.cost_played?, row.contest_id.as_str(), row.ply)))
            .filter(|(lost, ..)| *lost < 0)
            .collect();
        saving.sort_unstable();
        assert!(saving.len() > CASES_OF_PLAYER, "some are left out");
        let advice = AdviceOfSeason::of(&rows);
        let kept: Vec<(i64, &str, i64)> = advice
            .of_player("Gristmill")
            .map_or(&[][..], |taken| taken.cases(true))
            .iter()
            .map(|piece| (-piece.saved, piece.contest_id.as_str(), piece.ply))
            .collect();
        assert_eq!(kept, saving[..CASES_OF_PLAYER]);
        assert!(advice.of_player("Gristmill").is_some_and(|taken| taken.cases(false).is_empty()));
    }
}
