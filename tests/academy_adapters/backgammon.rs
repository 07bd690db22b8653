//! Backgammon: areas, plies and values from the stored rows.

use super::{told, vectors};

use portes::academy::backgammon::changed;
use portes::game::Board;
use portes::game::play::Play;

#[test]
fn the_areas_are_those_of_the_vectors() {
    let Some(vectors) = vectors() else { return };
    let cases = vectors["backgammon_areas"].as_array().unwrap();
    assert_eq!(cases.len(), 5);
    for case in cases {
        let board = |name: &str| Board::from_text(case[name].as_str().unwrap()).unwrap();
        let (before, after) = (board("before"), board("after"));
        assert_eq!(Play::from_notation(case["play"].as_str().unwrap()).unwrap().apply(&before), Ok(after));
        let areas: Vec<(String, String)> =
            told(&changed(&before, &after)).into_iter().map(|(name, _, cells)| (name, cells)).collect();
        let expected: Vec<(String, String)> = serde_json::from_value(case["areas"].clone()).unwrap();
        assert_eq!(areas, expected, "{}", case["play"]);
    }
    assert!(changed(&Board::START, &Board::START).is_empty());
}
