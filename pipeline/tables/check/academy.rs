//! What the Academy's libraries promise at the end of a season.
//!
//! Every pattern is vouched for, by as many proposals as its votes count, and its signature is what they make of it; no vote
//! speaks of a pattern that is not there, and no two patterns share area and cells. No library holds more than its room.
//! Nothing is lost by forgetting: what the opening tree counts at its root is the number of games filed until then, and
//! what it counts at a node is what stopped there and what its children count.

use super::{Findings, columns_of};
use crate::tables::academy::{AcademyContestRow, AcademyPatternRow, AcademyTreeRow, AcademyVoteRow};
use crate::tables::columns::Columns;
use crate::tables::fault::TableFault;
use crate::tables::lake;
use crate::tables::part;
use crate::tables::row::{Row, Value};
use crate::tables::snapshot::Stamp;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Library of the opening tree in the stamp of a snapshot.
const TREE: &str = "tree";

/// A mean of Elo is made of whole millionths, a value of whole billionths; what is apart by more is another figure.
const ELO_NOISE: f64 = 1e-5;
const VALUE_NOISE: f64 = 1e-7;

/// What is checked, and where findings go.
struct Season<'a> {
    dir: &'a Path,
    name: &'a str,
    room: &'a BTreeMap<String, u64>,
    findings: &'a mut Findings,
}

/// Every check of this module on one season.
pub(super) fn check(dir: &Path, season: &str, findings: &mut Findings) -> Result<(), TableFault> {
    let room = Stamp::read(dir)?.room;
    let mut season = Season { dir, name: season, room: &room, findings };
    season.libraries()?;
    season.tree()
}

/// What of a pattern and of a vote is looked at.
const PATTERN: [&str; 11] = ["game", "library", "id", "area", "rows", "cells", "p", "n", "e", "v", "proposals"];
const VOTE: [&str; 6] = ["game", "library", "id", "k", "sum_elo", "sum_value"];

/// Game, library and id of a pattern.
type Name = (String, String, i64);

impl Season<'_> {
    fn libraries(&mut self) -> Result<(), TableFault> {
        let mut voices = self.voices()?;
        let columns = columns_of::<AcademyPatternRow>(&PATTERN);
        let mut patterns = Vec::new();
        for listed in lake::season_parts(self.dir, AcademyPatternRow::TABLE, self.name)? {
            patterns.push(part::whole(&listed.path, (AcademyPatternRow::TABLE, &columns))?);
        }
        let patterns: Vec<Pattern<'_>> =
            patterns.iter().flat_map(|all| (0..all.rows()).map(|row| Pattern::at(all, row))).collect();
        let mut cells = HashSet::with_capacity(patterns.len());
        for row in &patterns {
            let votes = voices.remove(&(row.game.to_owned(), row.library.to_owned(), row.id)).unwrap_or_default();
            self.vouched(row, &votes);
            if !cells.insert((row.game, row.library, row.area, row.rows, row.p, row.cells)) {
                self.block::<AcademyPatternRow>(
                    "own_cells",
                    format!("pattern {} has the cells of another one", row.id),
                );
            }
        }
        if let Some(((_, library, id), _)) = voices.first_key_value() {
            let words = format!("votes for pattern {id} of {library}, which is not there");
            self.block::<AcademyPatternRow>("vouched", words);
        }
        self.in_room::<AcademyPatternRow>(patterns.iter().map(|row| (row.game, row.library)));
        Ok(())
    }

    /// What the votes of each pattern come to. A season has some hundred thousand; none of them is held.
    fn voices(&self) -> Result<BTreeMap<Name, Voices>, TableFault> {
        let columns = columns_of::<AcademyVoteRow>(&VOTE);
        let mut voices: BTreeMap<Name, Voices> = BTreeMap::new();
        for listed in lake::season_parts(self.dir, AcademyVoteRow::TABLE, self.name)? {
            part::scan(&listed.path, (AcademyVoteRow::TABLE, &columns), &mut |batch| {
                let name = |row| (batch.text(row, 0), batch.text(row, 1), batch.int(row, 2));
                let mut from = 0;
                while from < batch.rows() {
                    // Votes for one pattern stand together: it is looked up once.
                    let (game, library, id) = name(from);
                    let to = (from..batch.rows()).find(|row| name(*row) != (game, library, id));
                    let (game, library) = (game.unwrap_or_default().to_owned(), library.unwrap_or_default().to_owned());
                    let own = voices.entry((game, library, id.unwrap_or_default())).or_default();
                    let rows = from..to.unwrap_or(batch.rows());
                    from = rows.end;
                    rows.for_each(|row| own.hear([3, 4, 5].map(|column| batch.int(row, column).unwrap_or_default())));
                }
                Ok(())
            })?;
        }
        Ok(voices)
    }

    /// A pattern stands for its votes and nothing else.
    fn vouched(&mut self, row: &Pattern<'_>, votes: &Voices) {
        let proposals = votes.proposals;
        if proposals != row.proposals || row.n < 1 {
            let words = format!("{} proposals of pattern {}, whose votes are {proposals}", row.proposals, row.id);
            self.block::<AcademyPatternRow>("vouched", words);
            return;
        }
        // One player, one vote; or each as often as he proposed.
        let means = match row.n {
            n if n == votes.players => Some(&votes.once_each),
            n if n == proposals => Some(&votes.as_often),
            _ => None,
        };
        let fits = means.is_some_and(|means| {
            let (e, v) = means.signature();
            (e - row.e).abs() < ELO_NOISE && (v - row.v).abs() < VALUE_NOISE
        });
        if !fits {
            let words = format!("the signature of pattern {} is not what its votes make of it", row.id);
            self.block::<AcademyPatternRow>("signature", words);
        }
    }

    /// No library holds more of a game than its room.
    fn in_room<'b, R: Row>(&mut self, rows: impl Iterator<Item = (&'b str, &'b str)>) {
        let mut held: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for row in rows {
            *held.entry(row).or_default() += 1;
        }
        for ((game, library), count) in held {
            if let Some(room) = self.room.get(library).filter(|room| count > **room) {
                self.block::<R>("in_room", format!("{count} of {game} in {library}, which has room for {room}"));
            }
        }
    }

    fn tree(&mut self) -> Result<(), TableFault> {
        let nodes = self.read::<AcademyTreeRow>()?;
        let held = nodes.iter().filter(|row| row.parent.is_some()).map(|row| (row.game.as_str(), TREE));
        self.in_room::<AcademyTreeRow>(held);
        let mut below: BTreeMap<(&str, i64), [i64; 3]> = BTreeMap::new();
        for row in &nodes {
            if let Some(parent) = row.parent {
                add(below.entry((&row.game, parent)).or_default(), totals(row));
            }
        }
        for row in &nodes {
            let mut sum = below.remove(&(row.game.as_str(), row.node)).unwrap_or_default();
            add(&mut sum, [row.stopped_w, row.stopped_d, row.stopped_l]);
            if sum != totals(row) {
                let words =
                    format!("node {} of {} counts {:?}, and what is below it {sum:?}", row.node, row.game, totals(row));
                self.block::<AcademyTreeRow>("tree_adds_up", words);
            }
        }
        if let Some(((game, parent), _)) = below.first_key_value() {
            let words = format!("nodes of {game} hang on node {parent}, which is not there");
            self.block::<AcademyTreeRow>("tree_adds_up", words);
        }
        self.root_counts_games(&nodes)
    }

    fn root_counts_games(&mut self, nodes: &[AcademyTreeRow]) -> Result<(), TableFault> {
        // A season without a contest has no libraries of its own.
        let mut contests = lake::season_parts(self.dir, AcademyContestRow::TABLE, self.name)?.into_iter();
        let any = contests
            .try_fold(0, |sum, part| Ok::<_, TableFault>(sum + part::rows(&part.path, AcademyContestRow::TABLE)?))?;
        if any == 0 {
            return Ok(());
        }
        let mut filed = self.filed()?;
        for row in nodes.iter().filter(|row| row.parent.is_none()) {
            let (games, counted) = (filed.remove(&row.game).unwrap_or_default(), totals(row).iter().sum::<i64>());
            if games != counted {
                let words = format!("the root of {} counts {counted}, and {games} games were filed", row.game);
                self.block::<AcademyTreeRow>("root_counts_games", words);
            }
        }
        if let Some((game, games)) = filed.first_key_value() {
            let words = format!("{games} games of {game} were filed, and it has no tree");
            self.block::<AcademyTreeRow>("root_counts_games", words);
        }
        Ok(())
    }

    /// Games filed until the end of this season: libraries run on from season to season, in the order of their names.
    fn filed(&self) -> Result<BTreeMap<String, i64>, TableFault> {
        let columns = columns_of::<AcademyContestRow>(&["game", "status"]);
        let mut filed: BTreeMap<String, i64> = BTreeMap::new();
        for listed in lake::parts(self.dir, AcademyContestRow::TABLE)? {
            if listed.season.as_str() > self.name {
                continue;
            }
            part::scan(&listed.path, (AcademyContestRow::TABLE, &columns), &mut |batch| {
                for row in (0..batch.rows()).filter(|row| batch.text(*row, 1) == Some("filed")) {
                    *filed.entry(batch.text(row, 0).unwrap_or_default().to_owned()).or_default() += 1;
                }
                Ok(())
            })?;
        }
        Ok(filed)
    }

    fn block<R: Row>(&mut self, check: &'static str, words: String) {
        self.findings.block((check, R::TABLE), None, format!("season {}: {words}", self.name));
    }

    fn read<R: Row>(&self) -> Result<Vec<R>, TableFault> {
        let mut rows = Vec::new();
        for listed in lake::season_parts(self.dir, R::TABLE, self.name)? {
            rows.extend(part::read::<R>(&listed.path)?);
        }
        Ok(rows)
    }
}

/// The cells of a pattern that are looked at.
struct Pattern<'a> {
    game: &'a str,
    library: &'a str,
    id: i64,
    area: &'a str,
    rows: &'a str,
    cells: &'a str,
    p: i64,
    n: i64,
    e: f64,
    v: f64,
    proposals: i64,
}

impl<'a> Pattern<'a> {
    /// A row of [`PATTERN`].
    fn at(batch: &'a Columns, row: usize) -> Self {
        let text = |column| batch.text(row, column).unwrap_or_default();
        let int = |column| batch.int(row, column).unwrap_or_default();
        let float = |column| match batch.at(row, column) {
            Value::Float(x) => x,
            _ => f64::NAN,
        };
        Self {
            game: text(0),
            library: text(1),
            id: int(2),
            area: text(3),
            rows: text(4),
            cells: text(5),
            p: int(6),
            n: int(7),
            e: float(8),
            v: float(9),
            proposals: int(10),
        }
    }
}

/// What the votes for a pattern come to.
#[derive(Default)]
struct Voices {
    players: i64,
    proposals: i64,
    once_each: Means,
    as_often: Means,
}

impl Voices {
    /// One vote more: proposals, and the sums of Elo and of values at each.
    fn hear(&mut self, [k, sum_elo, sum_value]: [i64; 3]) {
        self.players += 1;
        self.proposals = self.proposals.saturating_add(k);
        let times = k as f64;
        let (e, v) = (sum_elo as f64 / times / 1e6, sum_value as f64 / times / 1e9);
        self.once_each.add(1.0, (e, v));
        self.as_often.add(times, (e, v));
    }
}

/// Weighed sums of votes.
#[derive(Default)]
struct Means {
    weight: f64,
    elo: f64,
    strength: f64,
    value: f64,
}

impl Means {
    fn add(&mut self, weight: f64, (e, v): (f64, f64)) {
        self.weight += weight;
        self.elo += weight * e;
        self.strength += weight * e.max(1.0);
        self.value += weight * e.max(1.0) * v;
    }

    /// E and V: the means of the votes, by weight, and in V by strength too.
    fn signature(&self) -> (f64, f64) {
        (self.elo / self.weight, self.value / self.strength)
    }
}

const fn totals(row: &AcademyTreeRow) -> [i64; 3] {
    [row.total_w, row.total_d, row.total_l]
}

fn add(sum: &mut [i64; 3], of: [i64; 3]) {
    for (sum, of) in sum.iter_mut().zip(of) {
        *sum = sum.saturating_add(of);
    }
}
