//! What the Academy's libraries promise at the end of a season.
//!
//! Every pattern is vouched for, by as many proposals as its votes count, and its signature is what they make of it; no vote
//! speaks of a pattern that is not there, and no two patterns share area and cells. No library holds more than its room.
//! Nothing is lost by forgetting: what the opening tree counts at its root is the number of games filed until then, and
//! what it counts at a node is what stopped there and what its children count.

use super::{Findings, columns_of};
use crate::tables::academy::{AcademyContestRow, AcademyPatternRow, AcademyTreeRow, AcademyVoteRow};
use crate::tables::fault::TableFault;
use crate::tables::lake;
use crate::tables::part;
use crate::tables::row::Row;
use crate::tables::snapshot::Stamp;
use std::collections::{BTreeMap, BTreeSet};
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

impl Season<'_> {
    fn libraries(&mut self) -> Result<(), TableFault> {
        let (patterns, votes) = (self.read::<AcademyPatternRow>()?, self.read::<AcademyVoteRow>()?);
        let mut voices: BTreeMap<(&str, &str, i64), Vec<&AcademyVoteRow>> = BTreeMap::new();
        for vote in &votes {
            voices.entry((&vote.game, &vote.library, vote.id)).or_default().push(vote);
        }
        let mut cells = BTreeSet::new();
        for row in &patterns {
            let votes = voices.remove(&(row.game.as_str(), row.library.as_str(), row.id)).unwrap_or_default();
            self.vouched(row, &votes);
            if !cells.insert((&row.game, &row.library, &row.area, &row.rows, row.p, &row.cells)) {
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
        let held = patterns.iter().map(|row| (row.game.as_str(), row.library.as_str()));
        self.in_room::<AcademyPatternRow>(held);
        Ok(())
    }

    /// A pattern stands for its votes and nothing else.
    fn vouched(&mut self, row: &AcademyPatternRow, votes: &[&AcademyVoteRow]) {
        let proposals: i64 = votes.iter().map(|vote| vote.k).sum();
        if proposals != row.proposals || row.n < 1 {
            let words = format!("{} proposals of pattern {}, whose votes are {proposals}", row.proposals, row.id);
            self.block::<AcademyPatternRow>("vouched", words);
            return;
        }
        // One player, one vote; or each as often as he proposed.
        let weights: Option<fn(&AcademyVoteRow) -> f64> = match row.n {
            n if usize::try_from(n) == Ok(votes.len()) => Some(|_| 1.0),
            n if n == proposals => Some(|vote| vote.k as f64),
            _ => None,
        };
        let fits = weights.is_some_and(|weight| {
            let (e, v) = signature(votes, weight);
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

/// E and V: the means of the votes, by weight, and in V by strength too.
fn signature(votes: &[&AcademyVoteRow], weight: fn(&AcademyVoteRow) -> f64) -> (f64, f64) {
    let (mut n, mut sum_e, mut strength, mut sum_v) = (0.0, 0.0, 0.0, 0.0);
    for vote in votes {
        let (w, k) = (weight(vote), vote.k as f64);
        let (e, v) = (vote.sum_elo as f64 / k / 1e6, vote.sum_value as f64 / k / 1e9);
        n += w;
        sum_e += w * e;
        strength += w * e.max(1.0);
        sum_v += w * e.max(1.0) * v;
    }
    (sum_e / n, sum_v / strength)
}

const fn totals(row: &AcademyTreeRow) -> [i64; 3] {
    [row.total_w, row.total_d, row.total_l]
}

fn add(sum: &mut [i64; 3], of: [i64; 3]) {
    for (sum, of) in sum.iter_mut().zip(of) {
        *sum = sum.saturating_add(of);
    }
}
