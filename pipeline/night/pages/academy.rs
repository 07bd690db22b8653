//! The Academy's tables of one season, for its page and for those of the players.
//!
//! What a player's page shows is found by name; what the Academy's page shows of the first plays of a game is walked here,
//! from the stored decisions into the opening tree, because no table says which node a play reached.

use super::known::Known;
use super::season_rows;
use crate::academy::settings::Bylaws;
use crate::game::Play;
use crate::game::key::PositionKey;
use crate::night::fault::NightFault;
use crate::report::{self, OpeningPlay, PlayerAcademy, Reached, Terms};
use crate::tables::academy::{
    AcademyAdviceRow, AcademyContestRow, AcademyFilingRow, AcademyMeasureRow, AcademyPatternRow, AcademyPlayerRow,
    AcademyRatingRow, AcademyTreeRow,
};
use crate::tables::columns::Columns;
use crate::tables::digest::Digest;
use crate::tables::facts::DecisionRow;
use crate::tables::fault::TableFault;
use crate::tables::lake;
use crate::tables::part;
use crate::tables::row::Row;
use crate::tables::study_marts::FamilyPositionRow;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// Plies of the opening that the page tells players and costs of.
const PLIES: usize = 3;

/// What of a decision the walk through the opening tree looks at; nothing else is read.
const WALKED: [&str; 7] = ["match_id", "game", "kind", "position_key", "dice", "play", "e_mpt"];

/// The Academy's rows of one season.
pub(super) struct School {
    pub(super) contests: Vec<AcademyContestRow>,
    /// These three sorted by player.
    pub(super) ratings: Vec<AcademyRatingRow>,
    pub(super) advice: Vec<AcademyAdviceRow>,
    pub(super) players: Vec<AcademyPlayerRow>,
    pub(super) tree: Vec<AcademyTreeRow>,
    pub(super) patterns: Vec<AcademyPatternRow>,
    pub(super) filings: Vec<AcademyFilingRow>,
    pub(super) measures: Vec<AcademyMeasureRow>,
    opening_pays: bool,
    known: Known,
}

impl School {
    /// Reads them; without a table there are no rows of it.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read(snapshot: &Path, season: &str, bylaws: &Bylaws) -> Result<Self, NightFault> {
        let mut ratings: Vec<AcademyRatingRow> = season_rows(snapshot, season)?;
        let mut advice: Vec<AcademyAdviceRow> = season_rows(snapshot, season)?;
        let mut players: Vec<AcademyPlayerRow> = season_rows(snapshot, season)?;
        // Stable: within a player the order of the tables stays.
        ratings.sort_by(|a, b| a.player.cmp(&b.player));
        advice.sort_by(|a, b| a.player.cmp(&b.player));
        players.sort_by(|a, b| a.player.cmp(&b.player));
        let contests: Vec<AcademyContestRow> = season_rows(snapshot, season)?;
        let patterns: Vec<AcademyPatternRow> = season_rows(snapshot, season)?;
        let measures: Vec<AcademyMeasureRow> = season_rows(snapshot, season)?;
        Ok(Self {
            known: Known::of(&contests, (&patterns, &measures), bylaws),
            contests,
            tree: season_rows(snapshot, season)?,
            patterns,
            filings: season_rows(snapshot, season)?,
            measures,
            opening_pays: report::opening_pays(&advice),
            ratings,
            advice,
            players,
        })
    }

    /// Whether the season has a page of the Academy.
    pub(super) const fn has_page(&self) -> bool {
        !self.contests.is_empty()
    }

    /// Everything the Academy's page shows, decisions aside.
    pub(super) fn hash(&self, key: &mut Digest) {
        key.rows(&self.contests).rows(&self.ratings).rows(&self.advice).rows(&self.players).rows(&self.tree);
        key.rows(&self.patterns).rows(&self.filings).rows(&self.measures);
    }

    /// What the libraries know of these errors.
    pub(super) fn reached<'a>(&'a self, errors: &'a [FamilyPositionRow]) -> Vec<Reached<'a>> {
        self.known.reached(&self.patterns, errors)
    }

    /// What a player's page asks for.
    pub(super) fn of<'a>(&'a self, player: &str, (reached, terms): (&'a [Reached<'a>], Terms)) -> PlayerAcademy<'a> {
        PlayerAcademy {
            players: stretch(&self.players, player, |row| &row.player),
            ratings: stretch(&self.ratings, player, |row| &row.player),
            advice: stretch(&self.advice, player, |row| &row.player),
            opening_pays: self.opening_pays,
            reached,
            terms,
        }
    }

    /// The first plays of every game that was filed, where the tree still holds them. One part of the table at a time
    /// and a thread for each.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn openings(&self, snapshot: &Path, season: &str) -> Result<Vec<OpeningPlay>, TableFault> {
        let walker = Walker::new(&self.tree, &self.contests);
        let parts = lake::season_parts(snapshot, DecisionRow::TABLE, season)?;
        let columns = part::key_columns(DecisionRow::COLUMNS, &WALKED);
        let found: Vec<Vec<OpeningPlay>> = parts
            .par_iter()
            .map(|listed| {
                let (mut walk, mut plays) = (Walk::default(), Vec::new());
                part::scan(&listed.path, (DecisionRow::TABLE, &columns), &mut |batch| {
                    let decisions = (0..batch.rows()).map(|row| Decision::at(batch, row));
                    plays.extend(decisions.filter_map(|row| walker.step(&mut walk, &row)));
                    Ok(())
                })?;
                Ok(plays)
            })
            .collect::<Result<_, TableFault>>()?;
        Ok(found.into_iter().flatten().collect())
    }
}

/// The cells of a decision in [`WALKED`].
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

/// The rows of a player among rows sorted by player.
fn stretch<'a, R>(rows: &'a [R], player: &str, of: fn(&R) -> &String) -> &'a [R] {
    let first = rows.partition_point(|row| of(row).as_str() < player);
    let count = rows[first..].partition_point(|row| of(row).as_str() == player);
    &rows[first..first + count]
}

/// The trees by what leads from node to node.
struct Walker<'a> {
    children: BTreeMap<(&'a str, i64, &'a str, &'a str), i64>,
    roots: BTreeMap<&'a str, i64>,
    filed: BTreeMap<&'a str, &'a AcademyContestRow>,
}

/// Where a game stands in the tree.
#[derive(Default)]
struct Walk {
    contest: String,
    plies: usize,
    /// `None` = the path has left the tree, or the game is none of the Academy's.
    at: Option<i64>,
}

impl<'a> Walker<'a> {
    fn new(tree: &'a [AcademyTreeRow], contests: &'a [AcademyContestRow]) -> Self {
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

    /// Takes a decision; a play that is one of the first of its game and whose node is known comes back.
    fn step(&self, walk: &mut Walk, row: &Decision<'_>) -> Option<OpeningPlay> {
        if row.kind != "checker" {
            return None;
        }
        let contest = format!("{}-{}", row.match_id, row.game);
        let of = *self.filed.get(contest.as_str())?;
        if walk.contest != contest {
            *walk = Walk { contest, plies: 0, at: self.roots.get(of.game.as_str()).copied() };
        }
        walk.plies += 1;
        if walk.plies > PLIES {
            return None;
        }
        walk.at = walk.at.and_then(|at| {
            let key = reached(row)?;
            let dice = row.dice?.to_string();
            self.children.get(&(of.game.as_str(), at, dice.as_str(), key.as_str())).copied()
        });
        // The first player moves at the odd plies of a game.
        let player = if walk.plies % 2 == 1 { &of.first } else { &of.second };
        walk.at.map(|node| OpeningPlay { node, player: player.clone(), mpt: row.e_mpt })
    }
}

/// The position a play leads to, seen by who made it.
fn reached(row: &Decision<'_>) -> Option<String> {
    let before = PositionKey::from_text(row.position_key).ok()?.board;
    let after = Play::from_notation(row.play?).ok()?.apply(&before).ok()?;
    Some(after.text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Board;
    use crate::tables::row::{Kind, Value};

    const START: &str = "-b----E-C---eE---c-e----B-";

    fn blank<R: Row>() -> Option<R> {
        R::read(&mut |at| match R::COLUMNS[at].kind {
            _ if R::COLUMNS[at].nullable => Value::Null,
            Kind::Text => Value::Text(""),
            Kind::Int => Value::Int(0),
            Kind::Float => Value::Float(0.0),
            Kind::Day => Value::Day(0),
            Kind::Flag => Value::Flag(false),
        })
    }

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
                    ..blank()?
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
                    ..blank()?
                })
            };
            let contests = [contest("m-1", "filed")?, contest("m-2", "edited")?, contest("m-3", "filed")?];
            let (walker, mut walk) = (Walker::new(&tree, &contests), Walk::default());
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
            let told: Vec<(i64, String)> = decisions
                .iter()
                .filter_map(|row| walker.step(&mut walk, row))
                .map(|play| (play.node, play.player))
                .collect();
            Some(told)
        };
        assert_eq!(found(), Some(vec![(4, "Foxglove".to_owned()), (9, "Gristmill".to_owned())]));
    }

    #[test]
    fn a_player_gets_his_own_rows() {
        let row = |player: &str| AcademyPlayerRow { player: player.into(), ..AcademyPlayerRow::default() };
        let rows = [row("Ada"), row("Ada"), row("Adaline"), row("Bo")];
        let count = |player| stretch(&rows, player, |row| &row.player).len();
        assert_eq!([count("Ada"), count("Adaline"), count("Bo"), count("A"), count("")], [2, 1, 1, 0, 0]);
    }
}
