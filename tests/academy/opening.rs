//! The opening tree.

use super::{assert_near, bylaws, vectors};
use portes::academy::contest::{Contest, Outcome, Ply, Rated, Rules, Schedule, Side};
use portes::academy::settings::FusekiLaw;
use portes::academy::tree::{Tree, TreeEvent};
use portes::academy::units::{Elo, Value};
use serde_json::Value as Json;

pub(super) fn ply(by: Side, key: &str, value: Option<Value>) -> Ply {
    Ply {
        by,
        chance: None,
        label: key.to_owned(),
        key: key.to_owned(),
        value,
        before: None,
        areas: Vec::new(),
        choices: None,
        cost: None,
        candidates: Vec::new(),
    }
}

pub(super) fn contest(outcome: Outcome, plies: Vec<Ply>) -> Contest {
    Contest {
        contest_id: "c".to_owned(),
        game: "letters".to_owned(),
        rules: Rules { symmetric: true, chance_outcomes: 0, middle_from: None },
        schedule: Schedule {
            season: "s".to_owned(),
            date: None,
            event: String::new(),
            round: String::new(),
            match_id: "c".to_owned(),
            seq: 1,
        },
        first: "ann".to_owned(),
        second: "bob".to_owned(),
        rated: Rated::ByContest,
        outcome,
        ends_on_board: false,
        first_contact: None,
        estimated: 0,
        plies,
    }
}

/// A letter a ply; values in the first player's view for the first of them.
fn letters(step: &Json) -> Contest {
    let values = step["first_values"].as_array().unwrap();
    let outcome = match step["result"].as_str().unwrap() {
        "first" => Outcome::First,
        "draw" => Outcome::Draw,
        _ => Outcome::Second,
    };
    let plies = step["moves"].as_str().unwrap().chars().enumerate().map(|(at, letter)| {
        let by = if at % 2 == 0 { Side::First } else { Side::Second };
        let first = values.get(at).map(|v| Value::from_share(v.as_f64().unwrap()).unwrap());
        ply(by, &letter.to_string(), first.map(|v| if by == Side::First { v } else { v.other() }))
    });
    contest(outcome, plies.collect())
}

fn tree(max_nodes: usize) -> Tree {
    Tree::new(FusekiLaw { max_nodes, ..bylaws().fuseki })
}

const EVEN: i64 = 1_500_000_000;

fn elos() -> [Elo; 2] {
    [Elo::from_millionths(EVEN).unwrap(); 2]
}

fn path(tree: &Tree, id: u32) -> String {
    let node = tree.node(id).unwrap();
    if id == 0 { String::new() } else { path(tree, node.parent) + &node.key }
}

fn check(example: &Json) {
    let mut tree = tree(example["capacity"].as_u64().unwrap() as usize);
    for step in example["steps"].as_array().unwrap() {
        let events = tree.file(&letters(step), elos(), 3);
        check_events(&events, step["events"].as_array().unwrap());
        let nodes = step["nodes"].as_array().unwrap();
        assert_eq!(tree.nodes().count(), nodes.len());
        for (node, expected) in tree.nodes().zip(nodes) {
            assert_eq!(u64::from(node.id), expected["id"].as_u64().unwrap());
            assert_eq!(path(&tree, node.id), expected["path"].as_str().unwrap());
            assert_eq!(u64::from(node.depth), expected["depth"].as_u64().unwrap());
            assert_eq!(Json::from(node.total.to_vec()), expected["total"], "{expected}");
            assert_eq!(Json::from(node.stopped.to_vec()), expected["stopped_here"], "{expected}");
            if node.id != 0 {
                assert_near(node.first_value(), &expected["first_value"], "first value");
                assert_near(node.own_value(), &expected["own_value"], "own value");
            }
        }
    }
}

fn check_events(events: &[TreeEvent], expected: &[Json]) {
    assert_eq!(events.len(), expected.len(), "{events:?}");
    for (event, expected) in events.iter().zip(expected) {
        let (kind, id) = match event {
            TreeEvent::TooDeep(id) => ("too deep", id),
            TreeEvent::Pruned(id) => ("prune", id),
            TreeEvent::Evicted(id) => ("evict", id),
            TreeEvent::Squared { node, from, to } => {
                assert_near(*from, &expected["from"], "before the square");
                assert_near(*to, &expected["to"], "the square");
                ("squared", node)
            }
        };
        assert_eq!((kind, u64::from(*id)), (expected["event"].as_str().unwrap(), expected["node"].as_u64().unwrap()));
    }
}

#[test]
fn six_contests_in_a_tree_of_six_nodes() {
    check(&vectors()["fuseki"]["capacity_example"]);
}

#[test]
fn refuted_replies_are_cut_and_their_father_squared() {
    check(&vectors()["fuseki"]["pruning_example"]);
}

#[test]
fn with_dice_only_replies_to_every_roll_refute() {
    let bad_reply = |chance: &str| {
        let mut reply = ply(Side::Second, chance, Some(Value::from_share(0.9).unwrap()));
        reply.chance = Some(chance.to_owned());
        let mut contest = contest(Outcome::Second, vec![ply(Side::First, "a", Some(Value::HALF)), reply]);
        contest.rules.chance_outcomes = 3;
        contest
    };
    let mut tree = tree(99);
    assert_eq!(tree.file(&bad_reply("1"), elos(), 2), []);
    assert_eq!(tree.file(&bad_reply("2"), elos(), 2), []);
    let events = tree.file(&bad_reply("3"), elos(), 2);
    assert_eq!(events[..3], [TreeEvent::Pruned(2), TreeEvent::Pruned(3), TreeEvent::Pruned(4)]);
    assert!(matches!(events[3], TreeEvent::Squared { node: 1, .. }));
    assert_eq!(tree.node(1).unwrap().stopped, [0, 0, 3]);
    assert!((tree.node(1).unwrap().own_value() - 0.25).abs() < 1e-9);
}

#[test]
fn a_shorter_opening_forgets_the_depths_and_no_contest() {
    let mut tree = tree(99);
    let long = |keys: &str| {
        let plies = keys.chars().zip([Side::First, Side::Second].into_iter().cycle());
        contest(Outcome::First, plies.map(|(key, by)| ply(by, &key.to_string(), None)).collect())
    };
    tree.file(&long("abcde"), elos(), 5);
    tree.file(&long("abxy"), elos(), 5);
    let events = tree.file(&long("pq"), elos(), 2);
    // Deepest first, then youngest.
    let gone = [5, 7, 4, 6, 3].map(TreeEvent::TooDeep);
    assert_eq!(events, gone);
    let node = tree.node(2).unwrap();
    assert_eq!((node.stopped, node.total), ([2, 0, 0], [2, 0, 0]));
    assert_eq!(tree.node(0).unwrap().total, [3, 0, 0]);
}

#[test]
fn without_values_the_result_stands_for_them() {
    let mut tree = tree(99);
    let plies = vec![ply(Side::First, "a", None), ply(Side::Second, "b", None)];
    tree.file(&contest(Outcome::Draw, plies.clone()), elos(), 2);
    tree.file(&contest(Outcome::Second, plies), elos(), 2);
    let (a, b) = (tree.node(1).unwrap(), tree.node(2).unwrap());
    assert_eq!((a.first_value(), a.own_value()), (0.25, 0.25));
    assert_eq!((b.first_value(), b.own_value()), (0.25, 0.75));
    // One value anywhere: unknown ones add nothing.
    let plies = vec![ply(Side::First, "a", Some(Value::WIN)), ply(Side::Second, "b", None)];
    tree.file(&contest(Outcome::Second, plies), elos(), 2);
    assert_eq!((tree.node(1).unwrap().n_value, tree.node(2).unwrap().n_value), (3, 2));
    assert_eq!(tree.node(2).unwrap().n_elo, 3);
    // The results among them stay told apart.
    assert_eq!([1, 2].map(|id| tree.node(id).unwrap().n_results), [2, 2]);
}

#[test]
fn a_contest_without_plies_stops_at_the_start() {
    let mut tree = tree(99);
    tree.file(&contest(Outcome::First, Vec::new()), elos(), 3);
    assert!(tree.is_empty());
    assert_eq!((tree.node(0).unwrap().stopped, tree.node(0).unwrap().total), ([1, 0, 0], [1, 0, 0]));
}
