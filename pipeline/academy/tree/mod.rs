//! Fuseki: the tree of the first moves, with what became of the contests that took them.
//!
//! A contest is counted in the last node its path reaches and in the totals of every node on the way. A leaf that
//! leaves hands what stopped there to its father, so nothing is lost by forgetting and the root's total stays the
//! number of contests. Values are kept in the first player's view; a node's *own* value is that of the player who
//! moved into it. Depth follows the mean length, refuted lines are pruned, and the weakest leaves make room.

pub mod node;

use super::contest::{Contest, Outcome, Side};
use super::judge::Fate;
use super::seen::{Seen, SeenPly};
use super::settings::FusekiLaw;
use super::units::{Elo, Value};
use node::{LeafRank, Node, ROOT, Voice};
use std::collections::{BTreeMap, BTreeSet};

/// What happened to the tree beyond counting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TreeEvent {
    /// The opening became shorter than the node is deep.
    TooDeep(u32),
    /// A reply that is bad for the player who moved into its father.
    Pruned(u32),
    /// The father of pruned replies: his own value before and after.
    Squared {
        /// The father.
        node: u32,
        /// Own value before.
        from: f64,
        /// Its square, as far as the fixed point can say it.
        to: f64,
    },
    /// The weakest leaf, for want of room.
    Evicted(u32),
}

/// The opening tree of one game.
#[derive(Clone, Debug)]
pub struct Tree {
    law: FusekiLaw,
    pub(super) next_id: u32,
    /// Boxed: most are the new leaves of one contest, and what moves in a map as they come and go should be small.
    pub(super) nodes: BTreeMap<u32, Box<Node>>,
    /// All nodes but the root, by depth and age.
    depths: BTreeSet<(u32, u32)>,
    /// All leaves but the root, the next to leave first.
    leaves: BTreeSet<LeafRank>,
}

/// A contest on its way through the tree.
struct Walk<'a> {
    contest: &'a Seen<'a>,
    elos: [Elo; 2],
    /// The result in the first player's view, as a value and as a place in the counts.
    result: (Value, usize),
    /// Whether the contest reports values; without any the result stands for them.
    has_values: bool,
}

impl Tree {
    /// The starting position alone.
    #[must_use]
    pub fn new(law: FusekiLaw) -> Self {
        let nodes = BTreeMap::from([(ROOT, Box::new(Node::root()))]);
        Self { law, next_id: 1, nodes, depths: BTreeSet::new(), leaves: BTreeSet::new() }
    }

    /// The node with that id; the root is 0.
    #[must_use]
    pub fn node(&self, id: u32) -> Option<&Node> {
        self.nodes.get(&id).map(Box::as_ref)
    }

    /// All nodes by id, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.values().map(Box::as_ref)
    }

    /// Number of nodes, the root not counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.depths.len()
    }

    /// Whether there is only the starting position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.depths.is_empty()
    }

    /// The child of a node that the ply leads to.
    #[must_use]
    pub fn step(&self, from: u32, ply: &SeenPly<'_>) -> Option<u32> {
        self.nodes.get(&from)?.child(ply)
    }

    /// Files a contest with a result, `depth` being the opening's last ply; one without a result is left alone.
    pub fn file(&mut self, contest: &Contest, elos: [Elo; 2], depth: u64) -> Vec<TreeEvent> {
        self.file_seen(&Seen::of(contest), elos, depth)
    }

    pub(super) fn file_seen(&mut self, contest: &Seen<'_>, elos: [Elo; 2], depth: u64) -> Vec<TreeEvent> {
        let outcome = contest.of.outcome;
        let place = match outcome {
            Outcome::First => 0,
            Outcome::Draw => 1,
            Outcome::Second => 2,
            Outcome::Unfinished | Outcome::Edited => return Vec::new(),
        };
        let Some(fate) = Fate::of(outcome, Side::First) else { return Vec::new() };
        let has_values = contest.plies.iter().any(|ply| ply.value.is_some());
        let walk = Walk { contest, elos, result: (fate.value(), place), has_values };
        let path = self.walk(&walk, depth);
        let mut events = Vec::new();
        self.shorten(depth, &mut events);
        self.prune(&path, contest.of.rules.chance_outcomes, &mut events);
        self.make_room(&mut events);
        events
    }

    /// Walks the opening, creating nodes and counting; returns the nodes reached, the root not among them.
    fn walk(&mut self, walk: &Walk<'_>, depth: u64) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = ROOT;
        let plies = usize::try_from(depth).unwrap_or(usize::MAX);
        for ply in walk.contest.plies.iter().take(plies) {
            at = self.step(at, ply).unwrap_or_else(|| self.grow(at, ply, walk));
            path.push(at);
            if let Some(node) = self.nodes.get_mut(&at) {
                walk.count(ply, node);
            }
        }
        for id in std::iter::once(ROOT).chain(path.iter().copied()) {
            if let Some(node) = self.nodes.get_mut(&id) {
                node.total[walk.result.1] += 1;
            }
        }
        if let Some(node) = self.nodes.get_mut(&at) {
            node.stopped[walk.result.1] += 1;
        }
        for &id in &path {
            self.rank(id);
        }
        path
    }

    fn grow(&mut self, parent: u32, ply: &SeenPly<'_>, walk: &Walk<'_>) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        let Some(father) = self.nodes.get_mut(&parent) else { return parent };
        father.adopt(ply, id);
        let node = Node::new(id, (parent, father.depth + 1), ply, walk.contest.of.schedule.date);
        self.hang(node);
        self.rank(parent);
        id
    }

    fn hang(&mut self, node: Node) {
        self.depths.insert((node.depth, node.id));
        self.nodes.insert(node.id, Box::new(node));
    }

    /// Brings a node's place among the leaves up to date: none for the root or a node with children.
    fn rank(&mut self, id: u32) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        let rank = (id != ROOT && node.is_leaf()).then(|| node.leaf_rank());
        let old = std::mem::replace(&mut node.rank, rank);
        if old == rank {
            return;
        }
        if let Some(old) = old {
            self.leaves.remove(&old);
        }
        if let Some(rank) = rank {
            self.leaves.insert(rank);
        }
    }

    /// Removes what lies deeper than the opening, deepest first, then youngest.
    fn shorten(&mut self, depth: u64, events: &mut Vec<TreeEvent>) {
        while let Some(&(deepest, id)) = self.depths.last() {
            if u64::from(deepest) <= depth {
                return;
            }
            self.remove(id);
            events.push(TreeEvent::TooDeep(id));
        }
    }

    /// Cuts refuted nodes among those just walked, deepest first: a node that has become a leaf may refute its father.
    fn prune(&mut self, path: &[u32], chance_outcomes: u32, events: &mut Vec<TreeEvent>) {
        for &id in path.iter().rev() {
            let Some(node) = self.nodes.get(&id).filter(|node| self.is_refuted(node, chance_outcomes)) else {
                continue;
            };
            for reply in node.children().collect::<BTreeSet<u32>>() {
                self.remove(reply);
                events.push(TreeEvent::Pruned(reply));
            }
            if let Some(squared) = self.nodes.get_mut(&id).and_then(|node| node.square()) {
                events.push(squared);
            }
            self.rank(id);
        }
    }

    /// Whether every known reply is a leaf and bad for the player who moved into the node, and enough are known:
    /// replies to all that chance can give, and more than one, or every new line would prune itself at once.
    fn is_refuted(&self, node: &Node, chance_outcomes: u32) -> bool {
        let enough = node.children().count() >= self.law.prune_min_children;
        let all_chances = chance_outcomes == 0 || u64::from(chance_outcomes) <= node.chances();
        let bad = |id| self.nodes.get(&id).is_some_and(|reply| reply.is_leaf() && reply.is_good_for_mover());
        enough && all_chances && node.children().all(bad)
    }

    /// Removes the weakest leaves while there are too many nodes.
    fn make_room(&mut self, events: &mut Vec<TreeEvent>) {
        while self.depths.len() > self.law.max_nodes {
            let Some(id) = self.leaves.first().map(LeafRank::id) else { return };
            self.remove(id);
            events.push(TreeEvent::Evicted(id));
        }
    }

    /// Removes a leaf; what stopped there now stops at its father.
    fn remove(&mut self, id: u32) {
        let Some(node) = self.nodes.remove(&id) else { return };
        self.depths.remove(&(node.depth, id));
        if let Some(rank) = node.rank {
            self.leaves.remove(&rank);
        }
        if let Some(father) = self.nodes.get_mut(&node.parent) {
            father.disown(&node);
        }
        self.rank(node.parent);
    }

    /// Puts a node back as it was saved; nodes come by id, so a father before his children. Its total counts are
    /// added to those of the nodes above. An error in words if it breaks an invariant of the tree.
    pub(super) fn put_back(&mut self, mut node: Node) -> Result<(), String> {
        let id = node.id;
        if id == ROOT || id >= self.next_id || self.nodes.contains_key(&id) {
            return Err(format!("node {id} is taken or not given out"));
        }
        let father = self.nodes.get_mut(&node.parent).ok_or_else(|| format!("node {id} has no father"))?;
        node.depth = father.depth + 1;
        if !father.adopt_saved(&node) {
            return Err(format!("node {id} has a twin"));
        }
        let (parent, stopped) = (node.parent, node.stopped);
        node.total = [0; 3];
        self.hang(node);
        self.count_stopped(id, stopped);
        self.rank(parent);
        self.rank(id);
        Ok(())
    }

    /// Puts back what stopped at the root.
    pub(super) fn put_back_root(&mut self, stopped: [u64; 3]) {
        if let Some(root) = self.nodes.get_mut(&ROOT) {
            root.stopped = stopped;
        }
        self.count_stopped(ROOT, stopped);
    }

    /// Adds stopped counts to the totals from a node up to the root.
    fn count_stopped(&mut self, from: u32, stopped: [u64; 3]) {
        let mut at = from;
        while let Some(node) = self.nodes.get_mut(&at) {
            for (total, stopped) in node.total.iter_mut().zip(stopped) {
                *total = total.saturating_add(stopped);
            }
            if at == ROOT {
                return;
            }
            at = node.parent;
        }
    }
}

impl Walk<'_> {
    /// Adds a ply's value, in the first player's view, and its mover's Elo to the node it leads to.
    fn count(&self, ply: &SeenPly<'_>, node: &mut Node) {
        let (own, elo) = match ply.by {
            Side::First => (ply.value, self.elos[0]),
            Side::Second => (ply.value.map(Value::other), self.elos[1]),
        };
        let voice = match own {
            _ if !self.has_values => Voice::Result(self.result.0),
            Some(value) => Voice::Value(value),
            None => Voice::Nothing,
        };
        node.count(voice, elo, self.contest.of.schedule.date);
    }
}
