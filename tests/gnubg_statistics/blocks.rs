//! The `GS` blocks: gnuBG's counts and sums of each game, beside the game they are of.

use super::calculator::{Side, Sides, Sum, of_game};
use portes::ingest::record::Record;

/// Sums agree to this: figures of six decimals, a few dozen a game.
const SUM: f64 = 3e-4;

/// The parts of a block in order.
const PARTS: [&str; 3] = ["M", "C", "D"];

/// The numbers of each `GS` in the raw file: M, C and D; a part is missing where that analysis was off.
fn stored(bytes: &[u8]) -> Vec<[Option<Vec<f64>>; 3]> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    text.split("GS[").skip(1).map(|rest| PARTS.map(|part| numbers(rest, part))).collect()
}

fn numbers(text: &str, part: &str) -> Option<Vec<f64>> {
    let block = text.split("]\n").next().unwrap();
    let values = block.split("][").find_map(|value| value.strip_prefix(part)?.strip_prefix(':'))?;
    Some(values.trim_end_matches(']').split_whitespace().map(|number| number.parse().unwrap()).collect())
}

/// What a game counts to, in the order of the block.
fn counted(sides: &Sides) -> [Vec<f64>; 3] {
    let pairs = |of: &dyn Fn(&Side) -> i64| sides.iter().map(of).map(|n| n as f64).collect::<Vec<_>>();
    let sums = |of: &dyn Fn(&Side) -> Vec<Sum>| {
        sides.iter().flat_map(of).flat_map(|sum| [sum.emg, sum.unit]).collect::<Vec<_>>()
    };
    let checker = [
        pairs(&|side| side.unforced),
        pairs(&|side| side.plays),
        pairs(&|side| side.marks[3]),
        pairs(&|side| side.marks[2]),
        pairs(&|side| side.marks[1]),
        pairs(&|side| side.marks[0]),
        sums(&|side| vec![side.checker]),
    ];
    let mut cube = vec![
        pairs(&|side| side.cubes),
        pairs(&|side| side.doubles),
        pairs(&|side| side.takes),
        pairs(&|side| side.passes),
    ];
    cube.extend((0..6).map(|kind| pairs(&|side| side.kinds[kind].0)));
    cube.push(sums(&|side| side.kinds.iter().map(|&(_, sum)| sum).collect()));
    let mut luck: Vec<Vec<f64>> = (0..5).map(|mark| pairs(&|side| side.rolls[mark])).collect();
    luck.push(sums(&|side| vec![side.luck]));
    [checker.concat(), cube.concat(), luck.concat()]
}

/// Counts of one part of a block before its sums.
const COUNTS: [usize; 3] = [12, 20, 10];
/// Where the counts begin that may differ by one in a tie: kinds of cube error, marks of luck.
const MAY_TIE: [usize; 3] = [12, 8, 0];

/// What came of a comparison.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    pub(super) figures: usize,
    /// Counts that differ by one in a game with a tie.
    pub(super) ties: Vec<String>,
    pub(super) wrong: Vec<String>,
}

/// Compares the games of a file with its blocks.
pub(super) fn compare(record: &Record, bytes: &[u8]) -> Comparison {
    let stored = stored(bytes);
    assert_eq!(stored.len(), record.games.len());
    let mut comparison = Comparison::default();
    for (at, block) in stored.iter().enumerate() {
        let sides = of_game(record, at);
        let tied =
            [0, sides.iter().map(|side| side.cube_ties).sum(), sides.iter().map(|side| side.luck_ties).sum::<i64>()];
        for (part, (expected, got)) in block.iter().zip(counted(&sides)).enumerate() {
            let Some(expected) = expected else { continue };
            assert_eq!(expected.len(), got.len(), "part {part}");
            for (i, (expected, got)) in expected.iter().zip(&got).enumerate() {
                let is_count = i < COUNTS[part];
                let difference = (expected - got).abs();
                comparison.figures += 1;
                if difference <= if is_count { 0.0 } else { SUM } {
                    continue;
                }
                let tie = is_count && i >= MAY_TIE[part] && tied[part] > 0 && difference == 1.0;
                let list = if tie { &mut comparison.ties } else { &mut comparison.wrong };
                list.push(format!("game {at}, {}[{i}]: {expected}, got {got}", PARTS[part]));
            }
        }
    }
    comparison
}
