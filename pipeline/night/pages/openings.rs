//! The first plays of every game, and where in the opening tree they lead: no table says which node a play reached.
//!
//! What was played first hangs on the decisions alone, so it is kept in the cache bucket by bucket; of a part that is
//! another, a night looks through the matches that are new or other ([`Origins`]). Which node a play reached hangs on the
//! tree and the filed games too, and is walked every time.

use super::origins::Origins;
use crate::game::Play;
use crate::game::key::PositionKey;
use crate::night::cache::Cache;
use crate::report::OpeningPlay;
use crate::tables::academy::{AcademyContestRow, AcademyTreeRow};
use crate::tables::columns::Columns;
use crate::tables::facts::DecisionRow;
use crate::tables::fault::TableFault;
use crate::tables::lake::Listed;
use crate::tables::part;
use crate::tables::row::Row;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The folder of the cache.
pub(super) const FOLDER: &str = "openings";

/// Plies of the opening that the page tells players and costs of.
const PLIES: usize = 3;

/// What of a decision is looked at; nothing else is read.
const LOOKED_AT: [&str; 7] = ["match_id", "game", "kind", "position_key", "dice", "play", "e_mpt"];

/// The first checker plays of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Opened {
    match_id: String,
    game: i64,
    plays: Vec<First>,
}

/// A play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct First {
    /// The dice and the position it leads to, seen by who made it; `None` where either is not known.
    step: Option<(i64, String)>,
    mpt: Option<i64>,
}

/// The first plays of a bucket as they are kept.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Bucket {
    /// The name of the part they come from, which tells its contents.
    part: String,
    /// What each match hangs on, where that is known.
    keys: BTreeMap<String, String>,
    /// Sorted by match, as the part is.
    games: Vec<Opened>,
}

/// The first plays of every game of a part of the decisions.
fn first_plays((cache, origins): (&Cache, &Origins), part: &Listed) -> Result<Vec<Opened>, TableFault> {
    let mut kept: Bucket = cache.get(&part.bucket).unwrap_or_default();
    if kept.part == part.name {
        return Ok(kept.games);
    }
    let keys = origins.of_part(part).cloned().unwrap_or_default();
    let is_same = |id: &str| kept.keys.get(id).is_some_and(|key| keys.get(id) == Some(key));
    kept.games.retain(|game| is_same(&game.match_id));
    if kept.games.is_empty() {
        kept.games = look_through(part, None)?;
    } else {
        let new: BTreeSet<&str> = keys.keys().map(String::as_str).filter(|id| !is_same(id)).collect();
        kept.games.extend(look_through(part, Some(&new))?);
        // Stable: the games of a match stay in their order.
        kept.games.sort_by(|a, b| a.match_id.cmp(&b.match_id));
    }
    let bucket = Bucket { part: part.name.clone(), keys, games: kept.games };
    cache.put(&part.bucket, &bucket)?;
    Ok(bucket.games)
}

/// The first plays of all matches of a part, or of some.
fn look_through(listed: &Listed, only: Option<&BTreeSet<&str>>) -> Result<Vec<Opened>, TableFault> {
    let table = (DecisionRow::TABLE, &*part::key_columns(DecisionRow::COLUMNS, &LOOKED_AT));
    let mut games: Vec<Opened> = Vec::new();
    let mut take = |batch: &Columns| {
        let is_asked = |row: &Decision<'_>| only.is_none_or(|ids| ids.contains(row.match_id));
        (0..batch.rows()).map(|row| Decision::at(batch, row)).filter(is_asked).for_each(|row| note(&mut games, &row));
        Ok(())
    };
    match only {
        None => part::scan(&listed.path, table, &mut take)?,
        Some(ids) => part::scan_for(&listed.path, table, ("match_id", ids), &mut take)?,
    }
    Ok(games)
}

/// The cells of a decision in [`LOOKED_AT`].
struct Decision<'a> {
    match_id: &'a str,
    game: i64,
    kind: &'a str,
    position_key: &'a str,
    dice: Option<i64>,
    play: Option<&'a str>,
    e_mpt: Option<i64>,
}

impl<'a> Decision<'a> {
    fn at(batch: &'a Columns, row: usize) -> Self {
        let text = |column| batch.text(row, column);
        Self {
            match_id: text(0).unwrap_or_default(),
            game: batch.int(row, 1).unwrap_or_default(),
            kind: text(2).unwrap_or_default(),
            position_key: text(3).unwrap_or_default(),
            dice: batch.int(row, 4),
            play: text(5),
            e_mpt: batch.int(row, 6),
        }
    }
}

/// Takes a decision; those of a game stand together, in their order.
fn note(games: &mut Vec<Opened>, row: &Decision<'_>) {
    if row.kind != "checker" {
        return;
    }
    if games.last().is_none_or(|game| game.game != row.game || game.match_id != row.match_id) {
        games.push(Opened { match_id: row.match_id.to_owned(), game: row.game, plays: Vec::new() });
    }
    let Some(game) = games.last_mut() else { return };
    if game.plays.len() < PLIES {
        game.plays.push(First { step: row.dice.zip(reached(row)), mpt: row.e_mpt });
    }
}

/// The position a play leads to, seen by who made it.
fn reached(row: &Decision<'_>) -> Option<String> {
    let before = PositionKey::from_text(row.position_key).ok()?.board;
    let after = Play::from_notation(row.play?).ok()?.apply(&before).ok()?;
    Some(after.text())
}

/// The trees by what leads from node to node.
pub(super) struct Walker<'a> {
    children: BTreeMap<(&'a str, i64, &'a str, &'a str), i64>,
    roots: BTreeMap<&'a str, i64>,
    filed: BTreeMap<&'a str, &'a AcademyContestRow>,
}

impl<'a> Walker<'a> {
    pub(super) fn new(tree: &'a [AcademyTreeRow], contests: &'a [AcademyContestRow]) -> Self {
        let mut walker = Self { children: BTreeMap::new(), roots: BTreeMap::new(), filed: BTreeMap::new() };
        for row in tree {
            match row.parent {
                None => drop(walker.roots.insert(&row.game, row.node)),
                Some(parent) => {
                    let chance = row.chance.as_deref().unwrap_or_default();
                    walker.children.insert((&row.game, parent, chance, &row.key), row.node);
                }
            }
        }
        let filed = contests.iter().filter(|row| row.status == "filed");
        walker.filed = filed.map(|row| (row.contest_id.as_str(), row)).collect();
        walker
    }

    /// The first plays of every filed game of these parts of the decisions, where the tree still holds them. One part at a
    /// time and a thread for each.
    ///
    /// # Errors
    /// A part that cannot be read, a cache that cannot be written.
    pub(super) fn walk(
        &self,
        (cache, origins): (&Cache, &Origins),
        parts: &[Listed],
    ) -> Result<Vec<OpeningPlay<'a>>, TableFault> {
        let plays = parts.par_iter().map(|part| Ok(self.games(&first_plays((cache, origins), part)?)));
        let plays = plays.collect::<Result<Vec<Vec<OpeningPlay<'a>>>, TableFault>>()?;
        let names: BTreeSet<&str> = parts.iter().map(|part| part.bucket.as_str()).collect();
        cache.retain(|name| names.contains(name))?;
        Ok(plays.into_iter().flatten().collect())
    }

    fn games(&self, games: &[Opened]) -> Vec<OpeningPlay<'a>> {
        games.iter().flat_map(|game| self.game(game)).collect()
    }

    /// The plays of a game as far as they stay in the tree; none where the game is not filed.
    fn game(&self, game: &Opened) -> Vec<OpeningPlay<'a>> {
        let contest = format!("{}-{}", game.match_id, game.game);
        let Some(of) = self.filed.get(contest.as_str()).copied() else { return Vec::new() };
        let Some(mut at) = self.roots.get(of.game.as_str()).copied() else { return Vec::new() };
        let mut found = Vec::new();
        for (ply, play) in game.plays.iter().enumerate() {
            let Some((dice, key)) = &play.step else { break };
            let dice = dice.to_string();
            let Some(node) = self.children.get(&(of.game.as_str(), at, dice.as_str(), key.as_str())) else { break };
            // The first player moves at the plies 0, 2 ...
            let player = if ply % 2 == 0 { &of.first } else { &of.second };
            found.push(OpeningPlay { node: *node, player, mpt: play.mpt });
            at = *node;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Board;

    const START: &str = "-b----E-C---eE---c-e----B-";

    fn decision<'a>(position_key: &'a str, game: i64, play: &'a str) -> Decision<'a> {
        Decision {
            match_id: "m",
            game,
            kind: "checker",
            position_key,
            dice: Some(31),
            play: Some(play),
            e_mpt: Some(7),
        }
    }

    /// Where a play leads, seen by who made it, and seen by the other one.
    fn after(board: &str, play: &str) -> Option<[String; 2]> {
        let after = Play::from_notation(play).ok()?.apply(&Board::from_text(board).ok()?).ok()?;
        Some([after.text(), after.mirror().text()])
    }

    #[test]
    fn first_plays_are_found_in_the_tree_and_told_of_who_made_them() {
        let found = || {
            let [five, seen] = after(START, "8/5 6/5")?;
            let [reply, _] = after(&seen, "24/23 13/10")?;
            let node = |node, parent, depth, key: &str| {
                Some(AcademyTreeRow {
                    game: "backgammon".into(),
                    node,
                    parent,
                    depth,
                    chance: parent.map(|_| "31".into()),
                    key: key.into(),
                    ..AcademyTreeRow::default()
                })
            };
            let tree = [node(0, None, 0, "")?, node(4, Some(0), 1, &five)?, node(9, Some(4), 2, &reply)?];
            let contest = |id: &str, status: &str| {
                Some(AcademyContestRow {
                    contest_id: id.into(),
                    game: "backgammon".into(),
                    first: "Foxglove".into(),
                    second: "Gristmill".into(),
                    status: status.into(),
                    ..AcademyContestRow::default()
                })
            };
            let contests = [contest("m-1", "filed")?, contest("m-2", "edited")?, contest("m-3", "filed")?];
            let walker = Walker::new(&tree, &contests);
            // A game in the tree, one that is not filed, and one that leaves the tree at once and comes back to a known
            // position by another way.
            let [start, seen] = [START, &seen].map(|board| format!("bg1|{board}|0|c|n|7|7|m|31"));
            let double = Decision { kind: "no_double", ..decision(&seen, 1, "") };
            let decisions = [
                decision(&start, 1, "8/5 6/5"),
                double,
                decision(&seen, 1, "24/23 13/10"),
                decision(&start, 1, "24/23 13/10"),
                decision(&start, 2, "8/5 6/5"),
                decision(&start, 3, "13/10 6/5"),
                decision(&seen, 3, "24/23 13/10"),
            ];
            let mut games = Vec::new();
            decisions.iter().for_each(|row| note(&mut games, row));
            let kept: Vec<Opened> = rmp_serde::from_slice(&rmp_serde::to_vec(&games).ok()?).ok()?;
            let told = walker.games(&kept);
            let told: Vec<(i64, String)> = told.iter().map(|play| (play.node, play.player.to_owned())).collect();
            Some(told)
        };
        assert_eq!(found(), Some(vec![(4, "Foxglove".to_owned()), (9, "Gristmill".to_owned())]));
    }
}
