//! The whole state as plain rows, and back: what a checkpoint holds.
//!
//! Sums and ids are saved, figures derived from them are not read back: totals come from what stopped in the tree,
//! N, E, V and worth from the votes. Rows are sorted by id or name, so equal states are equal rows, and a restored
//! Academy goes on exactly as the saved one would have. A damaged state is refused with the row that breaks a rule.

use super::area::{Cells, Place};
use super::consult::Budget;
use super::engine::{Academy, Game};
use super::lengths::Lengths;
use super::library::Library;
use super::measures::{Counters, Ratio};
use super::rating::Standing;
use super::roster::{Player, Roster, Seeds};
use super::rows::{NodeRow, PatternRow, PlayerRow, Shelving, VoteRow};
use super::settings::Bylaws;
use super::shelf::{Entry, PlayerId};
use super::tree::Tree;
use super::tree::node::{Node, ROOT};
use super::units::{ELO_BOUND, VALUE_SCALE};
use super::votes::Vote;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

mod ballots;

/// A saved state that breaks one of its own rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("saved state of the Academy: game {game:?}: {reason}")]
pub struct Damaged {
    /// Game.
    pub game: String,
    /// What is wrong, naming the row.
    pub reason: String,
}

/// The state of all games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// Contests handed in so far.
    pub position: u64,
    /// Games, by name.
    pub games: Vec<SavedGame>,
}

/// The state of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedGame {
    /// Name.
    pub game: String,
    /// Contests with a result.
    pub count: u64,
    /// Their plies.
    pub sum_len: u64,
    /// Next id of the tree, of Chuban and of Yose.
    pub next_ids: [u32; 3],
    /// The tree by node.
    pub nodes: Vec<NodeRow>,
    /// Patterns by library and id.
    pub patterns: Vec<PatternRow>,
    /// Votes by library, id and player.
    #[serde(with = "ballots")]
    pub votes: Vec<VoteRow>,
    /// Players by name.
    pub players: Vec<PlayerRow>,
    /// Counters of the measures.
    pub counters: SavedCounters,
}

/// The counters of the measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedCounters {
    /// Number of plies, number of contests.
    pub lengths: Vec<(u64, u64)>,
    /// Won by the first player, drawn, won by the second.
    pub results: [u64; 3],
    /// Contests without a result.
    pub skipped: u64,
    /// Legal plays.
    pub choices: Ratio,
    /// Advantages won.
    pub advantages: Ratio,
    /// Reasonable moves that led to balance.
    pub rescues: Ratio,
    /// Two players (smaller name first) and the plies of their first contacts.
    pub contacts: Vec<(String, String, Ratio)>,
}

impl Academy {
    /// The state as rows.
    #[must_use]
    pub fn save(&self) -> Saved {
        let games = self.games.iter().map(|(name, game)| game.save(name)).collect();
        Saved { position: self.position, games }
    }

    /// An Academy that goes on where the saved one stopped. The bylaws and seeds must be those it was saved under:
    /// the caller compares their digest.
    pub fn restore(bylaws: Bylaws, seeds: Seeds, saved: &Saved) -> Result<Self, Damaged> {
        let mut games = BTreeMap::new();
        for game in &saved.games {
            let damaged = |reason| Damaged { game: game.game.clone(), reason };
            let restored = Game::restore(&bylaws, game).map_err(damaged)?;
            if games.insert(game.game.clone(), restored).is_some() {
                return Err(damaged("it is saved twice".to_owned()));
            }
        }
        Ok(Self { position: saved.position, games, ..Self::new(bylaws, seeds) })
    }
}

impl Game {
    fn save(&self, name: &str) -> SavedGame {
        let mut patterns = Vec::new();
        let mut votes = Vec::new();
        for (which, library) in [(Shelving::Chuban, &self.chuban), (Shelving::Yose, &self.yose)] {
            self.save_library(which, library, (&mut patterns, &mut votes));
        }
        let mut players: Vec<PlayerRow> = self.roster.players().map(|(_, player)| player.row()).collect();
        players.sort_by(|a, b| a.player.cmp(&b.player));
        SavedGame {
            game: name.to_owned(),
            count: self.lengths.count,
            sum_len: self.lengths.sum,
            next_ids: [self.tree.next_id, self.chuban.next_id, self.yose.next_id],
            nodes: self.tree.nodes().map(Node::row).collect(),
            patterns,
            votes,
            players,
            counters: self.save_counters(),
        }
    }

    fn save_library(
        &self,
        which: Shelving,
        library: &Library,
        (patterns, votes): (&mut Vec<PatternRow>, &mut Vec<VoteRow>),
    ) {
        let mut by_id = BTreeMap::new();
        for shelf in &library.shelves {
            for (slot, entry) in shelf.entries().iter().enumerate() {
                by_id.insert(entry.id, (shelf, slot, entry));
            }
        }
        for (shelf, slot, entry) in by_id.into_values() {
            patterns.push(pattern_row(which, (&shelf.place, &shelf.cells(slot)), shelf.side, entry));
            let first = votes.len();
            votes.extend(entry.votes.iter().map(|(&player, vote)| VoteRow {
                library: which,
                id: entry.id,
                player: self.roster.player(player).map_or_else(|| Arc::from(""), |player| Arc::clone(&player.name)),
                k: vote.k,
                sum_elo: vote.sum_elo,
                sum_value: vote.sum_value,
            }));
            votes[first..].sort_by(|a, b| a.player.cmp(&b.player));
        }
    }

    fn save_counters(&self) -> SavedCounters {
        let counters = &self.counters;
        let named = |(&(a, b), &ratio): (&(PlayerId, PlayerId), &Ratio)| {
            let (a, b) = (self.roster.name(a), self.roster.name(b));
            (a.min(b).to_owned(), a.max(b).to_owned(), ratio)
        };
        let mut contacts: Vec<_> = counters.contacts.iter().map(named).collect();
        contacts.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        SavedCounters {
            lengths: counters.lengths.iter().map(|(&plies, &times)| (plies, times)).collect(),
            results: counters.results,
            skipped: counters.skipped,
            choices: counters.choices,
            advantages: counters.advantages,
            rescues: counters.rescues,
            contacts,
        }
    }

    fn restore(bylaws: &Bylaws, saved: &SavedGame) -> Result<Self, String> {
        let mut game = Self::new(bylaws);
        game.lengths = Lengths { count: saved.count, sum: saved.sum_len };
        [game.tree.next_id, game.chuban.next_id, game.yose.next_id] = saved.next_ids;
        for row in &saved.players {
            if game.roster.find(&row.player).is_some() {
                return Err(format!("player {:?} is saved twice", row.player));
            }
            game.roster.enter(Player::restore(row));
        }
        restore_tree(&mut game.tree, &saved.nodes)?;
        game.restore_libraries(saved)?;
        game.counters = restore_counters(&game.roster, &saved.counters)?;
        Ok(game)
    }

    fn restore_libraries(&mut self, saved: &SavedGame) -> Result<(), String> {
        let mut votes = restore_votes(&self.roster, &saved.votes)?;
        let mut places = BTreeSet::new();
        for row in &saved.patterns {
            let place = Arc::new(Place::new(&row.area, &row.rows)?);
            let place = places.get(&place).cloned().unwrap_or(place);
            places.insert(Arc::clone(&place));
            let cells = Cells::read(&row.cells).filter(|_| row.cells.len() == place.cells());
            let cells = cells.ok_or_else(|| format!("cells {:?} of pattern {} are damaged", row.cells, row.id))?;
            let library = match row.library {
                Shelving::Chuban => &mut self.chuban,
                Shelving::Yose => &mut self.yose,
            };
            let votes = votes.remove(&(row.library, row.id)).unwrap_or_default();
            let example = (Arc::from(row.example_contest.as_str()), row.example_ply);
            let mut entry = library.entry(votes, row.id, example);
            (entry.first_seen, entry.last_seen) = (row.first_seen, row.last_seen);
            library.put_back(&place, row.side, &cells, entry)?;
        }
        match votes.first_key_value() {
            Some(((_, id), _)) => Err(format!("votes for pattern {id}, which is not there")),
            None => Ok(()),
        }
    }
}

type VotesByPattern = BTreeMap<(Shelving, u32), BTreeMap<PlayerId, Vote>>;

fn restore_votes(roster: &Roster, rows: &[VoteRow]) -> Result<VotesByPattern, String> {
    let mut votes = VotesByPattern::new();
    // Those of a pattern stand together, so a map is made at once; if they do not, the pattern is there already.
    for of_one in rows.chunk_by(|a, b| (a.library, a.id) == (b.library, b.id)) {
        let mut of_pattern = BTreeMap::new();
        for row in of_one {
            if of_pattern
                .insert(voter(roster, row)?, Vote { k: row.k, sum_elo: row.sum_elo, sum_value: row.sum_value })
                .is_some()
            {
                return Err(format!("{:?} votes twice for pattern {}", row.player, row.id));
            }
        }
        if votes.insert((of_one[0].library, of_one[0].id), of_pattern).is_some() {
            return Err(format!("votes for pattern {} stand apart", of_one[0].id));
        }
    }
    Ok(votes)
}

/// Who votes, if the vote is one.
fn voter(roster: &Roster, row: &VoteRow) -> Result<PlayerId, String> {
    let bound = |unit: i64| i128::from(row.k) * i128::from(unit);
    let fits = row.k > 0
        && i128::from(row.sum_elo).abs() <= bound(ELO_BOUND)
        && (0..=bound(VALUE_SCALE)).contains(&i128::from(row.sum_value));
    let player = roster.find(&row.player).filter(|_| fits);
    player.ok_or_else(|| format!("vote of {:?} for pattern {} is damaged", row.player, row.id))
}

fn restore_tree(tree: &mut Tree, rows: &[NodeRow]) -> Result<(), String> {
    for row in rows {
        let bound = |n: u32, unit: i64| i128::from(n) * i128::from(unit);
        let fits = (0..=bound(row.n_value, VALUE_SCALE)).contains(&i128::from(row.sum_value))
            && row.n_results <= row.n_value
            && i128::from(row.sum_elo).abs() <= bound(row.n_elo, ELO_BOUND);
        if !fits || (row.node == ROOT) != row.parent.is_none() {
            return Err(format!("node {} is damaged", row.node));
        }
        if row.node == ROOT {
            tree.put_back_root(row.stopped);
        } else {
            tree.put_back(Node::from_row(row))?;
        }
    }
    Ok(())
}

fn restore_counters(roster: &Roster, saved: &SavedCounters) -> Result<Counters, String> {
    let mut contacts = BTreeMap::new();
    for (a, b, ratio) in &saved.contacts {
        let pair = roster.find(a).zip(roster.find(b)).ok_or_else(|| format!("{a:?} or {b:?} is no player"))?;
        contacts.insert((pair.0.min(pair.1), pair.0.max(pair.1)), *ratio);
    }
    Ok(Counters {
        lengths: saved.lengths.iter().copied().collect(),
        results: saved.results,
        skipped: saved.skipped,
        choices: saved.choices,
        advantages: saved.advantages,
        rescues: saved.rescues,
        contacts,
    })
}

fn pattern_row(
    library: Shelving,
    (place, cells): (&Place, &Cells),
    side: super::contest::Side,
    entry: &Entry,
) -> PatternRow {
    PatternRow {
        library,
        id: entry.id,
        area: place.name().to_owned(),
        rows: place.rows().to_vec(),
        cells: cells.text(),
        side,
        n: u64::try_from(entry.tally.n).unwrap_or(0),
        e: entry.tally.elo(),
        v: entry.tally.value(),
        proposals: u64::try_from(entry.tally.proposals).unwrap_or(0),
        worth: entry.worth,
        wild: cells.wild(),
        first_seen: entry.first_seen,
        last_seen: entry.last_seen,
        example_contest: entry.example.0.to_string(),
        example_ply: entry.example.1,
    }
}

impl Player {
    fn row(&self) -> PlayerRow {
        PlayerRow {
            player: self.name.to_string(),
            rating: self.standing.map(|standing| standing.rating),
            stated: self.stated,
            experience: self.standing.map_or(0, |standing| standing.experience),
            opening_decisions: self.budget.decisions,
            opening_taken: self.budget.taken,
            contests: self.contests,
        }
    }

    fn restore(row: &PlayerRow) -> Self {
        Self {
            name: Arc::from(row.player.as_str()),
            standing: row.rating.map(|rating| Standing { rating, experience: row.experience }),
            stated: row.stated,
            budget: Budget { decisions: row.opening_decisions, taken: row.opening_taken },
            contests: row.contests,
        }
    }
}
