//! A node of the opening tree, and the arithmetic of its value.

use super::TreeEvent;
use crate::academy::rows::NodeRow;
use crate::academy::seen::SeenPly;
use crate::academy::settings::VALUE_ONE;
use crate::academy::units::{ELO_SCALE, Elo, Value};
use crate::academy::votes::half_up;
use jiff::civil::Date;
use std::cmp::Reverse;

/// Id of the starting position.
pub const ROOT: u32 = 0;

/// Who leaves first: smallest worth, then fewer contests, then deeper, then younger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LeafRank {
    /// Bits of own value / depth, which is never negative.
    worth: u64,
    contests: u64,
    depth: Reverse<u32>,
    id: Reverse<u32>,
}

impl LeafRank {
    pub(super) const fn id(&self) -> u32 {
        self.id.0
    }
}

/// What a contest says of a node it passes, in the first player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// The value it reports.
    Value(Value),
    /// It reports no value at all: its result stands for one.
    Result(Value),
    /// It reports values, and none here.
    Nothing,
}

/// A position of the opening, by the moves that led to it.
#[derive(Clone, Debug)]
pub struct Node {
    /// Order of creation.
    pub id: u32,
    /// The node it was reached from; the root's is itself.
    pub parent: u32,
    /// Number of plies from the start.
    pub depth: u32,
    /// What chance gave.
    pub chance: Option<String>,
    /// Label of the move, as first seen.
    pub label: String,
    /// Key of the position.
    pub key: String,
    /// Contests whose kept path ends here: won by the first player, drawn, won by the second.
    pub stopped: [u64; 3],
    /// Those and all further down.
    pub total: [u64; 3],
    /// Σ value in the first player's view, billionths.
    pub sum_value: i64,
    /// Number of values.
    pub n_value: u32,
    /// How many of them are results, of contests that report no value at all.
    pub n_results: u32,
    /// Σ Elo of those who made the move, millionths.
    pub sum_elo: i64,
    /// Number of times it was made.
    pub n_elo: u32,
    /// Day of the contest that created it.
    pub first_seen: Option<Date>,
    /// Day of the last contest that passed.
    pub last_seen: Option<Date>,
    children: Children,
    pub(super) rank: Option<LeafRank>,
}

/// Children in the order of what chance gave, then of their keys. Most nodes have one, which a map would make dear.
#[derive(Clone, Debug, Default)]
struct Children(Vec<Child>);

#[derive(Clone, Debug)]
struct Child {
    chance: Option<Box<str>>,
    key: Box<str>,
    id: u32,
}

impl Children {
    fn find(&self, chance: Option<&str>, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|child| (child.chance.as_deref(), &*child.key).cmp(&(chance, key)))
    }

    fn after(&self, chance: Option<&str>) -> &[Child] {
        let from = self.0.partition_point(|child| child.chance.as_deref() < chance);
        let rest = self.0.get(from..).unwrap_or_default();
        &rest[..rest.partition_point(|child| child.chance.as_deref() == chance)]
    }

    /// Adds a child; false if there is one for its chance and key already.
    fn add(&mut self, (chance, key): (Option<&str>, &str), id: u32) -> bool {
        let Err(place) = self.find(chance, key) else { return false };
        self.0.insert(place, Child { chance: chance.map(Box::from), key: Box::from(key), id });
        true
    }

    fn remove(&mut self, chance: Option<&str>, key: &str) {
        if let Ok(place) = self.find(chance, key) {
            self.0.remove(place);
        }
    }
}

impl Node {
    pub(super) fn root() -> Self {
        Self {
            id: ROOT,
            parent: ROOT,
            depth: 0,
            chance: None,
            label: String::new(),
            key: String::new(),
            stopped: [0; 3],
            total: [0; 3],
            sum_value: 0,
            n_value: 0,
            n_results: 0,
            sum_elo: 0,
            n_elo: 0,
            first_seen: None,
            last_seen: None,
            children: Children::default(),
            rank: None,
        }
    }

    pub(super) fn new(id: u32, (parent, depth): (u32, u32), ply: &SeenPly<'_>, date: Option<Date>) -> Self {
        let (chance, label, key) = (ply.chance.map(str::to_owned), ply.label.to_owned(), ply.key.to_owned());
        Self { id, parent, depth, chance, label, key, first_seen: date, last_seen: date, ..Self::root() }
    }

    /// Mean value in the first player's view; one half where no value is known.
    #[must_use]
    pub fn first_value(&self) -> f64 {
        if self.n_value == 0 {
            return 0.5;
        }
        self.sum_value as f64 / self.whole() as f64
    }

    /// Mean value for the player who moved into the node: the first player's at odd depth.
    #[must_use]
    pub fn own_value(&self) -> f64 {
        if self.n_value == 0 {
            return 0.5;
        }
        self.own_sum() as f64 / self.whole() as f64
    }

    /// Mean Elo of those who moved into it; `None` at the root.
    #[must_use]
    pub fn elo(&self) -> Option<f64> {
        let whole = i64::from(self.n_elo) * ELO_SCALE;
        (self.n_elo > 0).then(|| self.sum_elo as f64 / whole as f64)
    }

    /// Whether their mean Elo is greater than that, in millionths; compared exactly.
    pub(in crate::academy) fn elo_above(&self, bar: i64) -> bool {
        i128::from(self.sum_elo) > i128::from(bar) * i128::from(self.n_elo)
    }

    /// Ids of its children, by what chance gave and by key.
    pub fn children(&self) -> impl Iterator<Item = u32> + '_ {
        self.children.0.iter().map(|child| child.id)
    }

    /// Ids of its children after what chance gave.
    pub fn replies<'a>(&'a self, chance: Option<&str>) -> impl Iterator<Item = u32> + use<'a> {
        self.children.after(chance).iter().map(|child| child.id)
    }

    pub(super) fn child(&self, ply: &SeenPly<'_>) -> Option<u32> {
        let place = self.children.find(ply.chance, ply.key).ok()?;
        self.children.0.get(place).map(|child| child.id)
    }

    /// Number of different outcomes of chance among its children.
    pub(super) fn chances(&self) -> u64 {
        self.children.0.chunk_by(|a, b| a.chance == b.chance).count() as u64
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.children.0.is_empty()
    }

    pub(super) fn adopt(&mut self, ply: &SeenPly<'_>, id: u32) {
        self.children.add((ply.chance, ply.key), id);
    }

    /// Adopts a saved node; false if there is one for its chance and key already.
    pub(super) fn adopt_saved(&mut self, child: &Self) -> bool {
        self.children.add((child.chance.as_deref(), &child.key), child.id)
    }

    /// Lets a leaf go and keeps what stopped there.
    pub(super) fn disown(&mut self, child: &Self) {
        self.children.remove(child.chance.as_deref(), &child.key);
        for (mine, its) in self.stopped.iter_mut().zip(child.stopped) {
            *mine += its;
        }
    }

    pub(super) fn count(&mut self, voice: Voice, elo: Elo, date: Option<Date>) {
        if let Voice::Value(value) | Voice::Result(value) = voice {
            self.sum_value += value.billionths();
            self.n_value += 1;
        }
        self.n_results += u32::from(matches!(voice, Voice::Result(_)));
        self.sum_elo += elo.millionths();
        self.n_elo += 1;
        self.last_seen = date;
    }

    pub(super) fn leaf_rank(&self) -> LeafRank {
        // One division of whole numbers, so equal fractions are equal bits.
        let (sum, whole) = if self.n_value == 0 { (1, 2) } else { (self.own_sum(), self.whole()) };
        let worth = sum as f64 / (whole * i128::from(self.depth.max(1))) as f64;
        let contests = self.total.iter().sum();
        LeafRank { worth: worth.to_bits(), contests, depth: Reverse(self.depth), id: Reverse(self.id) }
    }

    /// Own value above one half: bad for the player who moved into the father. Compared exactly.
    pub(super) fn is_good_for_mover(&self) -> bool {
        2 * self.own_sum() > self.whole()
    }

    /// Squares the own value: the source's own operation for a loss. Later contests can lift it again.
    pub(super) fn square(&mut self) -> Option<TreeEvent> {
        let whole = self.whole();
        if whole == 0 {
            return None;
        }
        let (from, own) = (self.own_value(), self.own_sum());
        let first_times_whole = if self.depth % 2 == 1 { own * own } else { whole * whole - own * own };
        let sum = half_up(first_times_whole, whole);
        self.sum_value = i64::try_from(sum).unwrap_or(self.sum_value);
        Some(TreeEvent::Squared { node: self.id, from, to: self.own_value() })
    }

    /// The sum that all values won would give.
    fn whole(&self) -> i128 {
        i128::from(self.n_value) * VALUE_ONE
    }

    /// Σ value for the player who moved into the node.
    fn own_sum(&self) -> i128 {
        let first = i128::from(self.sum_value);
        if self.depth % 2 == 1 { first } else { self.whole() - first }
    }

    /// The node as a row.
    #[must_use]
    pub fn row(&self) -> NodeRow {
        NodeRow {
            node: self.id,
            parent: (self.id != ROOT).then_some(self.parent),
            depth: self.depth,
            chance: self.chance.clone(),
            label: self.label.clone(),
            key: self.key.clone(),
            stopped: self.stopped,
            total: self.total,
            sum_value: self.sum_value,
            n_value: self.n_value,
            n_results: self.n_results,
            sum_elo: self.sum_elo,
            n_elo: self.n_elo,
            first_seen: self.first_seen,
            last_seen: self.last_seen,
        }
    }

    /// Depth and totals follow from its place in the tree.
    pub(in crate::academy) fn from_row(row: &NodeRow) -> Self {
        Self {
            id: row.node,
            parent: row.parent.unwrap_or(ROOT),
            chance: row.chance.clone(),
            label: row.label.clone(),
            key: row.key.clone(),
            stopped: row.stopped,
            sum_value: row.sum_value,
            n_value: row.n_value,
            n_results: row.n_results,
            sum_elo: row.sum_elo,
            n_elo: row.n_elo,
            first_seen: row.first_seen,
            last_seen: row.last_seen,
            ..Self::root()
        }
    }
}
