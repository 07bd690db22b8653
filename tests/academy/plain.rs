//! Section 5 of the page written out plainly: cells as text, both tables read from the page's own grids, a list that
//! is searched from one end to the other. The library must do the same.

use super::vectors;
use portes::academy::library::Step;
use serde_json::Value as Json;
use std::collections::BTreeMap;

struct Pattern {
    id: u32,
    cells: String,
    /// Player: his Elo and values, points and billionths.
    votes: BTreeMap<u32, Vec<(i64, i64)>>,
}

pub(super) struct Plain {
    capacity: usize,
    next_id: u32,
    patterns: Vec<Pattern>,
    tables: Json,
}

/// Changed cells, slack, falling worth, id: the smallest is chosen.
type Rank = (usize, u32, i64, u32);

impl Pattern {
    /// Each vote's mean Elo in millionths and mean value in billionths, rounded half up.
    fn means(&self) -> Vec<(i128, i128)> {
        let mean = |sum: i64, k: usize| (2 * i128::from(sum) + k as i128).div_euclid(2 * k as i128);
        let of = |votes: &Vec<(i64, i64)>| {
            let sums = votes.iter().fold((0, 0), |sum, vote| (sum.0 + vote.0, sum.1 + vote.1));
            (mean(sums.0, votes.len()), mean(sums.1, votes.len()))
        };
        self.votes.values().map(of).collect()
    }

    fn elo(&self) -> f64 {
        let means = self.means();
        means.iter().map(|m| m.0).sum::<i128>() as f64 / means.len() as f64 / 1e6
    }

    fn value(&self) -> f64 {
        let means = self.means();
        let weighted: i128 = means.iter().map(|(e, v)| e * v).sum();
        weighted as f64 / means.iter().map(|m| m.0).sum::<i128>() as f64 / 1e9
    }

    /// In units of 1e-6, so that the noise of the floats decides nothing.
    fn worth(&self) -> i64 {
        (self.votes.len() as f64 * self.elo() * (0.5 - self.value()).powi(2) * 1e6).round() as i64
    }
}

impl Plain {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, next_id: 1, patterns: Vec::new(), tables: vectors() }
    }

    pub(super) fn patterns(&self) -> Vec<(u32, String, usize)> {
        let mut rows: Vec<_> = self.patterns.iter().map(|p| (p.id, p.cells.clone(), p.votes.len())).collect();
        rows.sort();
        rows
    }

    pub(super) fn file(&mut self, cells: &str, player: u32, points: f64, share: f64) -> (Step, u32, String, Vec<u32>) {
        let (step, id) = self.settle(cells, points, share);
        let at = self.patterns.iter().position(|p| p.id == id).unwrap();
        let vote = ((points * 1e6).round() as i64, (share * 1e9).round() as i64);
        self.patterns[at].votes.entry(player).or_default().push(vote);
        let cells = self.patterns[at].cells.clone();
        let mut evicted = Vec::new();
        while self.patterns.len() > self.capacity {
            let weakest = self.patterns.iter().min_by_key(|p| (p.worth(), std::cmp::Reverse(p.id))).unwrap().id;
            self.patterns.retain(|p| p.id != weakest);
            evicted.push(weakest);
        }
        (step, id, cells, evicted)
    }

    fn settle(&mut self, cells: &str, points: f64, share: f64) -> (Step, u32) {
        if let Some(known) = self.patterns.iter().find(|p| p.cells == cells) {
            return (Step::Match, known.id);
        }
        let wider = self.best(cells, share, "generalise", |p| (p.elo() - points).abs() < 200.0 - 1e-7);
        if let Some((id, merged)) = wider {
            return (Step::Generalise, self.become_(id, merged));
        }
        let narrower = self.best(cells, share, "specialise", |p| points > p.elo() + 200.0 + 1e-7);
        if let Some((id, merged)) = narrower {
            return (Step::Specialise, self.become_(id, merged));
        }
        let id = self.next_id;
        self.next_id += 1;
        self.patterns.push(Pattern { id, cells: cells.to_owned(), votes: BTreeMap::new() });
        (Step::Insert, id)
    }

    fn best(&self, cells: &str, share: f64, table: &str, near: impl Fn(&Pattern) -> bool) -> Option<(u32, String)> {
        let mut best: Option<(Rank, u32, String)> = None;
        for known in self.patterns.iter().filter(|p| near(p)) {
            let good = share > 0.66 && known.value() > 0.66;
            let bad = share < 0.33 && known.value() < 0.33;
            let grid = &self.tables[table][if good || bad { "both_firm" } else { "otherwise" }];
            let pairs = cells.chars().zip(known.cells.chars());
            let merged: String = pairs.map(|(new, old)| self.look_up(grid, new, old)).collect();
            if merged.contains('.') || (table == "generalise" && !is_within_limits(&known.cells, &merged)) {
                continue;
            }
            let rank = (changed(&known.cells, &merged), self.slack(&merged), -known.worth(), known.id);
            if best.as_ref().is_none_or(|best| rank < best.0) {
                best = Some((rank, known.id, merged));
            }
        }
        best.map(|(_, id, merged)| (id, merged))
    }

    fn look_up(&self, grid: &Json, new: char, known: char) -> char {
        let column = self.tables["symbols"].as_str().unwrap().find(known).unwrap();
        grid[new.to_string()].as_str().unwrap().as_bytes()[column] as char
    }

    fn slack(&self, cells: &str) -> u32 {
        cells.chars().map(|c| self.tables["bits"][c.to_string()].as_u64().unwrap().count_ones() - 1).sum()
    }

    /// Gives a pattern other cells; one that has them already is joined. Returns the id that survives.
    fn become_(&mut self, id: u32, cells: String) -> u32 {
        let twin = self.patterns.iter().find(|p| p.cells == cells && p.id != id).map(|p| p.id);
        let Some(twin) = twin else {
            self.patterns.iter_mut().find(|p| p.id == id).unwrap().cells = cells;
            return id;
        };
        let gone = self.patterns.iter().position(|p| p.id == id.max(twin)).unwrap();
        let gone = self.patterns.remove(gone);
        let kept = self.patterns.iter_mut().find(|p| p.id == id.min(twin)).unwrap();
        kept.cells = cells;
        for (player, votes) in gone.votes {
            kept.votes.entry(player).or_default().extend(votes);
        }
        kept.id
    }
}

fn changed(before: &str, after: &str) -> usize {
    before.chars().zip(after.chars()).filter(|(a, b)| a != b).count()
}

/// At most one cell changed; after a change at most a third of the cells within the board wild.
fn is_within_limits(before: &str, after: &str) -> bool {
    let wild = after.chars().filter(|c| "B1W2#".contains(*c)).count();
    let inside = after.chars().filter(|c| *c != '+').count();
    match changed(before, after) {
        0 => true,
        1 => 3 * wild <= inside,
        _ => false,
    }
}
