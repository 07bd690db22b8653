//! The first plays of every game, and where in the opening tree they lead: no table says which node a play reached.
//!
//! What was played first hangs on the decisions alone, so it is kept in the cache bucket by bucket; of a part that is
//! another, a night looks through the matches that are new or other ([`Origins`]). Which node a play reached hangs on the
//! tree and the filed games too, and is walked every time.

use super::origins::Origins;
use crate::game::board::CHECKERS;
use crate::game::key::PositionKey;
use crate::game::{Board, Play};
use crate::night::cache::Cache;
use crate::report::{Contest, OpeningPlay};
use crate::tables::academy::AcademyTreeRow;
use crate::tables::columns::Columns;
use crate::tables::facts::DecisionRow;
use crate::tables::fault::TableFault;
use crate::tables::lake::Listed;
use crate::tables::part;
use crate::tables::row::Row;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The folder of the cache.
pub(super) const FOLDER: &str = "openings";

/// Plies of the opening that the page tells players and costs of.
const PLIES: usize = 3;

/// What of a decision is looked at; nothing else is read.
const LOOKED_AT: [&str; 7] = ["match_id", "game", "kind", "position_key", "dice", "play", "e_mpt"];

/// The games of a match, as they began.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Begun {
    match_id: String,
    games: Vec<Opened>,
}

/// The first checker plays of a game, in their order. A season has tens of thousands: nothing of one is on the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Opened {
    game: i64,
    plays: [Option<First>; PLIES],
}

/// A play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct First {
    /// The dice and the position it leads to, seen by who made it; `None` where either is not known.
    step: Option<(i64, Packed)>,
    mpt: Option<i64>,
}

/// A board, told from every other: five bits a cell, and four for the last, on which nobody else stands.
type Packed = u128;

fn packed(board: &Board) -> Packed {
    let [cells @ .., bar] = board.cells();
    let fifteen = CHECKERS.cast_signed();
    let packed = cells.iter().fold(0, |packed, cell| packed << 5 | Packed::from((cell + fifteen).unsigned_abs()));
    packed << 4 | Packed::from(bar.unsigned_abs())
}

/// The first plays of a bucket as they are kept.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Bucket {
    /// The name of the part they come from, which tells its contents.
    part: String,
    /// What each match hangs on, where that is known.
    keys: BTreeMap<String, String>,
    /// Sorted, as the part is.
    matches: Vec<Begun>,
}

/// The first plays of every game of a part of the decisions.
fn first_plays((cache, origins): (&Cache, &Origins), part: &Listed) -> Result<Vec<Begun>, TableFault> {
    let mut kept: Bucket = cache.get(&part.bucket).unwrap_or_default();
    if kept.part == part.name {
        return Ok(kept.matches);
    }
    let keys = origins.of_part(part).cloned().unwrap_or_default();
    let is_same = |id: &str| kept.keys.get(id).is_some_and(|key| keys.get(id) == Some(key));
    kept.matches.retain(|begun| is_same(&begun.match_id));
    if kept.matches.is_empty() {
        kept.matches = look_through(part, None)?;
    } else {
        let new: BTreeSet<&str> = keys.keys().map(String::as_str).filter(|id| !is_same(id)).collect();
        kept.matches.extend(look_through(part, Some(&new))?);
        kept.matches.sort_by(|a, b| a.match_id.cmp(&b.match_id));
    }
    let bucket = Bucket { part: part.name.clone(), keys, matches: kept.matches };
    cache.put(&part.bucket, &bucket)?;
    Ok(bucket.matches)
}

/// The first plays of all matches of a part, or of some.
fn look_through(listed: &Listed, only: Option<&BTreeSet<&str>>) -> Result<Vec<Begun>, TableFault> {
    let table = (DecisionRow::TABLE, &*part::key_columns(DecisionRow::COLUMNS, &LOOKED_AT));
    let mut matches: Vec<Begun> = Vec::new();
    let mut take = |batch: &Columns| {
        let is_asked = |row: &Decision<'_>| only.is_none_or(|ids| ids.contains(row.match_id));
        (0..batch.rows()).map(|row| Decision::at(batch, row)).filter(is_asked).for_each(|row| note(&mut matches, &row));
        Ok(())
    };
    match only {
        None => part::scan(&listed.path, table, &mut take)?,
        Some(ids) => part::scan_for(&listed.path, table, ("match_id", ids), &mut take)?,
    }
    Ok(matches)
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

/// Takes a decision; those of a match stand together, and those of a game, in their order.
fn note(matches: &mut Vec<Begun>, row: &Decision<'_>) {
    if row.kind != "checker" {
        return;
    }
    if matches.last().is_none_or(|begun| begun.match_id != row.match_id) {
        matches.push(Begun { match_id: row.match_id.to_owned(), games: Vec::new() });
    }
    let Some(Begun { games, .. }) = matches.last_mut() else { return };
    if games.last().is_none_or(|game| game.game != row.game) {
        games.push(Opened { game: row.game, ..Opened::default() });
    }
    if let Some(free) = games.last_mut().and_then(|game| game.plays.iter_mut().find(|play| play.is_none())) {
        *free = Some(First { step: row.dice.zip(reached(row)), mpt: row.e_mpt });
    }
}

/// The position a play leads to, seen by who made it.
fn reached(row: &Decision<'_>) -> Option<Packed> {
    let before = PositionKey::from_text(row.position_key).ok()?.board;
    let after = Play::from_notation(row.play?).ok()?.apply(&before).ok()?;
    Some(packed(&after))
}

/// A tree by what leads from node to node: a node, the dice, the position. What no play of a match can lead to is left out.
#[derive(Default)]
struct Steps {
    root: Option<i64>,
    children: HashMap<(i64, i64, Packed), i64>,
}

impl Steps {
    fn grow(&mut self, row: &AcademyTreeRow) {
        let Some(parent) = row.parent else {
            self.root = Some(row.node);
            return;
        };
        let dice = row.chance.as_deref().and_then(whole);
        if let Some((dice, board)) = dice.zip(Board::from_text(&row.key).ok()) {
            self.children.insert((parent, dice, packed(&board)), row.node);
        }
    }
}

/// A number above 0 as a number is written, and nothing else.
fn whole(text: &str) -> Option<i64> {
    text.parse().ok().filter(|_| text.starts_with(|first: char| ('1'..='9').contains(&first)))
}

/// The trees by game, and the filed contests that are games of a match, by match.
pub(super) struct Walker<'a> {
    trees: BTreeMap<&'a str, Steps>,
    filed: BTreeMap<&'a str, Vec<(i64, Contest<'a>)>>,
}

impl<'a> Walker<'a> {
    pub(super) fn new(tree: &'a [AcademyTreeRow], contests: &[Contest<'a>]) -> Self {
        let mut walker = Self { trees: BTreeMap::new(), filed: BTreeMap::new() };
        for row in tree {
            walker.trees.entry(&row.game).or_default().grow(row);
        }
        for row in contests.iter().filter(|row| row.status == "filed") {
            let Some((match_id, number)) = row.contest_id.rsplit_once('-') else { continue };
            if let Some(number) = whole(number) {
                walker.filed.entry(match_id).or_default().push((number, *row));
            }
        }
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
        let plays = parts.par_iter().map(|part| Ok(self.matches(&first_plays((cache, origins), part)?)));
        let plays = plays.collect::<Result<Vec<Vec<OpeningPlay<'a>>>, TableFault>>()?;
        let names: BTreeSet<&str> = parts.iter().map(|part| part.bucket.as_str()).collect();
        cache.retain(|name| names.contains(name))?;
        Ok(plays.into_iter().flatten().collect())
    }

    fn matches(&self, matches: &[Begun]) -> Vec<OpeningPlay<'a>> {
        let mut found = Vec::new();
        for begun in matches {
            let filed = self.filed.get(begun.match_id.as_str()).map_or(&[][..], Vec::as_slice);
            for game in &begun.games {
                if let Some((_, of)) = filed.iter().find(|(number, _)| *number == game.game) {
                    self.game(game, of, &mut found);
                }
            }
        }
        found
    }

    /// The plays of a filed game as far as they stay in the tree.
    fn game(&self, game: &Opened, of: &Contest<'a>, found: &mut Vec<OpeningPlay<'a>>) {
        let Some(tree) = self.trees.get(of.game) else { return };
        let Some(mut at) = tree.root else { return };
        for (ply, play) in game.plays.iter().map_while(Option::as_ref).enumerate() {
            let Some((dice, board)) = play.step else { break };
            let Some(node) = tree.children.get(&(at, dice, board)) else { break };
            // The first player moves at the plies 0, 2 ...
            let player = if ply % 2 == 0 { of.first } else { of.second };
            found.push(OpeningPlay { node: *node, player, mpt: play.mpt });
            at = *node;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::academy::AcademyContestRow;

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
    fn boards_are_told_apart_by_every_cell() {
        let mut seen = BTreeSet::new();
        for cell in 0..26_usize {
            for count in -15..=15_i8 {
                let mut cells = [0; 26];
                cells[cell] = count;
                if let Ok(board) = Board::new(cells) {
                    assert!(seen.insert(packed(&board)) || count == 0, "{cells:?}");
                }
            }
        }
        // Each cell from none to fifteen of either side, but the bars, where one side stands.
        assert_eq!(seen.len(), 24 * 30 + 2 * 15 + 1);
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
            let contests = contests.each_ref().map(Contest::from);
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
            let mut begun = Vec::new();
            decisions.iter().for_each(|row| note(&mut begun, row));
            let kept: Vec<Begun> = rmp_serde::from_slice(&rmp_serde::to_vec(&begun).ok()?).ok()?;
            let told = walker.matches(&kept);
            let told: Vec<(i64, String)> = told.iter().map(|play| (play.node, play.player.to_owned())).collect();
            Some(told)
        };
        assert_eq!(found(), Some(vec![(4, "Foxglove".to_owned()), (9, "Gristmill".to_owned())]));
    }
}
