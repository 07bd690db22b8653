//! The Academy itself: contests in, in their order; rows out, and libraries that know more.
//!
//! Per contest: advice by what was known before, then lengths, Fuseki, Chuban and Yose, then the counters and, where
//! contests move ratings, the ratings. What it holds afterwards depends on the contests and their order alone.

use super::area::Area;
use super::consult::Stacks;
use super::contest::{Contest, FinishedMatch, Outcome, Rated, Rerated, Side};
use super::judge::{Fate, Move, corrected, publishes};
use super::lengths::{Calendar, Lengths};
use super::library::{Library, LibraryLaw, Proposal};
use super::measures::{Counters, Known, MeasureRow};
use super::rating::{Standing, fibs, ordinary};
use super::roster::{Roster, Seeds};
use super::rows::{AdviceRow, ContestRow, FilingEvent, FilingRow, Phase, RatingRow, Shelving, Status};
use super::seen::{Seen, SeenPly};
use super::settings::{Bylaws, Window};
use super::shelf::PlayerId;
use super::tree::Tree;
use super::units::{Elo, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All games, each with its own libraries and players.
#[derive(Clone, Debug)]
pub struct Academy {
    pub(super) bylaws: Bylaws,
    pub(super) seeds: Seeds,
    /// Contests handed in so far.
    pub(super) position: u64,
    pub(super) games: BTreeMap<String, Game>,
}

/// What the Academy keeps of one game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) lengths: Lengths,
    pub(super) tree: Tree,
    pub(super) chuban: Library,
    pub(super) yose: Library,
    pub(super) roster: Roster,
    pub(super) counters: Counters,
}

/// What filing a contest tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The contest.
    pub contest: ContestRow,
    /// Advice, in ply order.
    pub advice: Vec<AdviceRow>,
    /// Proposals in the order they were filed, each followed by the patterns it made leave.
    pub filings: Vec<FilingRow>,
    /// Ratings the contest moved: none or both players'.
    pub ratings: Vec<RatingRow>,
}

/// A contest being filed, with what is known of its players.
struct Session<'a> {
    contest: &'a Seen<'a>,
    id: Arc<str>,
    elos: [Elo; 2],
    players: [PlayerId; 2],
    bylaws: &'a Bylaws,
    calendar: Calendar,
}

impl Academy {
    /// An Academy that knows nothing yet. `seeds` are starting figures for ratings by match.
    #[must_use]
    pub const fn new(bylaws: Bylaws, seeds: Seeds) -> Self {
        Self { bylaws, seeds, position: 0, games: BTreeMap::new() }
    }

    /// Files the next contest. Contests come in the order of [`Contest::order`]; the caller sees to that.
    pub fn file(&mut self, contest: &Contest) -> Report {
        self.file_seen(&Seen::of(contest))
    }

    /// Files the next contest, as filing reads it.
    pub fn file_seen(&mut self, seen: &Seen<'_>) -> Report {
        let contest = seen.of;
        self.position += 1;
        let game = self.games.entry(contest.game.clone()).or_insert_with(|| Game::new(&self.bylaws));
        let elos = game.roster.elos(contest, &self.seeds);
        let mut report = Report::new(seen, elos, self.position);
        if report.contest.status != Status::Filed {
            game.counters.skipped += 1;
            return report;
        }
        let players = game.enroll(contest, &self.seeds);
        report.advice = game.consult(seen, elos, players, &self.bylaws);
        game.lengths.add(seen.length());
        if let Some(calendar) = Calendar::new(game.lengths, &self.bylaws, contest.rules.middle_from) {
            let id = Arc::from(contest.contest_id.as_str());
            let session = Session { contest: seen, id, elos, players, bylaws: &self.bylaws, calendar };
            game.tree.file_seen(seen, elos, calendar.opening);
            session.publish(&mut game.chuban, &mut report.filings);
            session.close(game, &mut report.filings);
        }
        game.counters.count(seen, elos, players);
        report.ratings = game.rate_contest(contest, players);
        report
    }

    /// Moves the ratings of both players after the last contest of a match; the winner's row first.
    pub fn finish(&mut self, finished: &FinishedMatch) -> [RatingRow; 2] {
        let game = self.games.entry(finished.game.clone()).or_insert_with(|| Game::new(&self.bylaws));
        let before = [&finished.winner, &finished.loser].map(|name| game.roster.standing(name, Some(&self.seeds)));
        let (winner, loser) = fibs(before[0], before[1], finished.length);
        let row = |name: &String, before: Standing, after: Standing| RatingRow {
            game: finished.game.clone(),
            date: finished.date,
            match_id: finished.match_id.clone(),
            player: name.clone(),
            before: before.rating,
            after: after.rating,
            experience: after.experience,
        };
        let rows = [row(&finished.winner, before[0], winner), row(&finished.loser, before[1], loser)];
        for (name, after) in [(&finished.winner, winner), (&finished.loser, loser)] {
            game.seat(name, after);
        }
        rows
    }

    /// Gives a player the rating that the engine's judgement of his play makes. A match lends its length to what the
    /// rating rests on, as it does where results move it.
    pub fn rerate(&mut self, rerated: &Rerated) -> RatingRow {
        let game = self.games.entry(rerated.game.clone()).or_insert_with(|| Game::new(&self.bylaws));
        let before = game.roster.standing(&rerated.player, Some(&self.seeds));
        let experience = before.experience + u64::from(rerated.length);
        game.seat(&rerated.player, Standing { rating: rerated.rating, experience });
        RatingRow {
            game: rerated.game.clone(),
            date: rerated.date,
            match_id: rerated.match_id.clone(),
            player: rerated.player.clone(),
            before: before.rating,
            after: rerated.rating,
            experience,
        }
    }

    /// Names of the games it knows.
    pub fn games(&self) -> impl Iterator<Item = &str> {
        self.games.keys().map(String::as_str)
    }

    /// The opening tree of a game.
    #[must_use]
    pub fn tree(&self, game: &str) -> Option<&Tree> {
        self.games.get(game).map(|game| &game.tree)
    }

    /// A library of a game.
    #[must_use]
    pub fn library(&self, game: &str, which: Shelving) -> Option<&Library> {
        let game = self.games.get(game)?;
        Some(match which {
            Shelving::Chuban => &game.chuban,
            Shelving::Yose => &game.yose,
        })
    }

    /// Number and total length of the contests of a game.
    #[must_use]
    pub fn lengths(&self, game: &str) -> Lengths {
        self.games.get(game).map(|game| game.lengths).unwrap_or_default()
    }

    /// The measures of a game that can be said. `distinct_keys`: number of different positions its decisions show.
    #[must_use]
    pub fn measures(&self, name: &str, distinct_keys: Option<u64>) -> Vec<MeasureRow> {
        let Some(game) = self.games.get(name) else { return Vec::new() };
        let played = game.roster.players().filter(|(_, player)| player.contests > 0);
        let players: Vec<Known<'_>> = played
            .filter_map(|(id, player)| Some(Known { id, name: &player.name, rating: player.rating()? }))
            .collect();
        game.counters.measures(name, &players, distinct_keys)
    }
}

impl Game {
    pub(super) fn new(bylaws: &Bylaws) -> Self {
        let library = |capacity| Library::new(LibraryLaw { capacity, votes: bylaws.votes, filing: bylaws.filing });
        Self {
            lengths: Lengths::default(),
            tree: Tree::new(bylaws.fuseki),
            chuban: library(bylaws.chuban_patterns),
            yose: library(bylaws.yose_patterns),
            roster: Roster::default(),
            counters: Counters::default(),
        }
    }

    /// Enters both players, with the rating the contest counts them by.
    fn enroll(&mut self, contest: &Contest, seeds: &Seeds) -> [PlayerId; 2] {
        [Side::First, Side::Second].map(|side| {
            let name = contest.player(side);
            let number = self.roster.number(name);
            let seeds = (contest.rated == Rated::ByMatch).then_some(seeds);
            let standing = self.roster.standing(name, seeds);
            if let Some(player) = self.roster.player_mut(number) {
                player.contests += u64::from(side == Side::First || !contest.is_against_oneself());
                match (contest.rated, side) {
                    (Rated::Stated(elo, _), Side::First) | (Rated::Stated(_, elo), Side::Second) => {
                        player.stated = Some(elo);
                    }
                    _ => player.standing = Some(standing),
                }
            }
            number
        })
    }

    /// Gives a player his new rating.
    fn seat(&mut self, name: &str, standing: Standing) {
        let number = self.roster.number(name);
        if let Some(player) = self.roster.player_mut(number) {
            player.standing = Some(standing);
        }
    }

    fn consult(&mut self, contest: &Seen<'_>, elos: [Elo; 2], ids: [PlayerId; 2], bylaws: &Bylaws) -> Vec<AdviceRow> {
        let Some(calendar) = Calendar::new(self.lengths, bylaws, contest.of.rules.middle_from) else {
            return Vec::new();
        };
        let mut budgets = ids.map(|id| self.roster.player(id).map(|player| player.budget).unwrap_or_default());
        let (tree, chuban, yose) = (&self.tree, &self.chuban, &self.yose);
        let stacks = Stacks { tree, chuban, yose, law: bylaws.consult, calendar };
        let advice = stacks.consult(contest, elos, &mut budgets);
        // Who plays himself has one budget, the first.
        let seats = if contest.of.is_against_oneself() { 1 } else { 2 };
        for (id, budget) in ids.into_iter().zip(budgets).take(seats) {
            if let Some(player) = self.roster.player_mut(id) {
                player.budget = budget;
            }
        }
        advice
    }

    fn rate_contest(&mut self, contest: &Contest, ids: [PlayerId; 2]) -> Vec<RatingRow> {
        // A result against oneself is a result for nobody.
        if contest.rated != Rated::ByContest || contest.is_against_oneself() {
            return Vec::new();
        }
        let names = [&contest.first, &contest.second];
        let before = names.map(|name| self.roster.standing(name, None));
        let after = <[Standing; 2]>::from(ordinary(before[0], before[1], contest.outcome));
        let mut rows = Vec::new();
        for (at, &id) in ids.iter().enumerate() {
            if let Some(player) = self.roster.player_mut(id) {
                player.standing = Some(after[at]);
            }
            rows.push(RatingRow {
                game: contest.game.clone(),
                date: contest.schedule.date,
                match_id: contest.schedule.match_id.clone(),
                player: names[at].clone(),
                before: before[at].rating,
                after: after[at].rating,
                experience: after[at].experience,
            });
        }
        rows
    }
}

impl Report {
    fn new(seen: &Seen<'_>, [elo_first, elo_second]: [Elo; 2], position: u64) -> Self {
        let contest = seen.of;
        let status = match contest.outcome {
            Outcome::First | Outcome::Draw | Outcome::Second => Status::Filed,
            Outcome::Unfinished => Status::Unfinished,
            Outcome::Edited => Status::Edited,
        };
        let contest = ContestRow {
            contest_id: contest.contest_id.clone(),
            game: contest.game.clone(),
            date: contest.schedule.date,
            match_id: contest.schedule.match_id.clone(),
            seq: contest.schedule.seq,
            position,
            first: contest.first.clone(),
            second: contest.second.clone(),
            elo_first,
            elo_second,
            outcome: contest.outcome,
            ends_on_board: contest.ends_on_board,
            plies: seen.length(),
            first_contact: contest.first_contact,
            estimated: contest.estimated,
            status,
        };
        Self { contest, advice: Vec::new(), filings: Vec::new(), ratings: Vec::new() }
    }
}

impl Session<'_> {
    /// Chuban: what the players post, in ply order.
    fn publish(&self, chuban: &mut Library, rows: &mut Vec<FilingRow>) {
        for (index, ply) in self.contest.plies.iter().enumerate() {
            let in_middle = self.calendar.phase(index as u64 + 1) == Some(Phase::Middle);
            if let Some(value) = ply.value.filter(|_| in_middle && self.is_published(index, ply)) {
                self.propose(chuban, Shelving::Chuban, (index, value), rows);
            }
        }
    }

    fn is_published(&self, index: usize, ply: &SeenPly<'_>) -> bool {
        let Some(fate) = Fate::of(self.contest.of.outcome, ply.by) else { return false };
        let played = Move {
            elo: self.elo(ply.by),
            opponent: self.elo(ply.by.other()),
            before: self.contest.before(index),
            after: ply.value,
            fate,
            choice: (self.contest.of.rules.chance_outcomes > 0).then_some((ply.choices, ply.cost)),
        };
        publishes(&played, &self.bylaws.publish)
    }

    /// Yose: what the end of the contest says, in ply order.
    fn close(&self, game: &mut Game, rows: &mut Vec<FilingRow>) {
        for (index, ply) in self.contest.plies.iter().enumerate() {
            if let Some(value) = self.closing_value(game.lengths, index, ply) {
                self.propose(&mut game.yose, Shelving::Yose, (index, value), rows);
            }
        }
    }

    /// The value a ply is filed in Yose with: the result itself for a final position, else its own value corrected by
    /// the result; `None` if it is not filed there.
    fn closing_value(&self, lengths: Lengths, index: usize, ply: &SeenPly<'_>) -> Option<Value> {
        let fate = Fate::of(self.contest.of.outcome, ply.by)?;
        let (i, length) = (index as u64 + 1, self.contest.length());
        if self.contest.of.ends_on_board && i == length {
            return Some(fate.value());
        }
        let in_window = match self.bylaws.window {
            Window::Mean => i >= self.calendar.end_from,
            Window::Tail => lengths.in_tail(i, length, self.bylaws.last_share),
        };
        ply.value.filter(|_| in_window).map(|value| corrected(value, fate))
    }

    /// Proposes the most changed area of a ply; a turn without one proposes nothing.
    fn propose(
        &self,
        library: &mut Library,
        which: Shelving,
        (index, value): (usize, Value),
        rows: &mut Vec<FilingRow>,
    ) {
        let Some((ply, seen)) = self.contest.plies.get(index).and_then(|ply| Some((ply, ply.area?))) else {
            return;
        };
        let Some(area) = Area::again(seen.place, seen.cells.clone()) else { return };
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let filed = library.file(&Proposal {
            area: &area,
            side: if self.contest.of.rules.symmetric { Side::First } else { ply.by },
            player: self.players[usize::from(ply.by == Side::Second)],
            elo: self.elo(ply.by),
            value,
            date: self.contest.of.schedule.date,
            contest: &self.id,
            ply: number,
        });
        let row = |event, id, place, cells| FilingRow { ply: number, library: which, event, id, place, cells };
        let event = FilingEvent::Filed { step: filed.step, value, changed: filed.changed };
        rows.push(row(event, filed.id, Arc::clone(area.place()), filed.cells));
        for gone in filed.evicted {
            rows.push(row(FilingEvent::Evicted { value: gone.value }, gone.id, gone.place, gone.cells));
        }
    }

    fn elo(&self, side: Side) -> Elo {
        self.elos[usize::from(side == Side::Second)]
    }
}
