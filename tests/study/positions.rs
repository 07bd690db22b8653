//! Reference positions: the worked choice of `metrics.md` 13.3, what makes a candidate (13.1), the edges of 19, and a choice
//! among fifty thousand errors.

use super::made::{Chance, Families, checker_key, costing, error, key, many, match_row};
use portes::game::distance::{NEAR, Shape};
use portes::game::key::Asked;
use portes::game::{Board, Mpt};
use portes::measure::reference::greedy::{Candidate, Choice, Chosen, Ground, State, Weight, choose};
use portes::measure::reference::ground::Boards;
use portes::measure::reference::rulings::{Ruling, Rulings};
use portes::measure::reference::sieve::Sieve;
use portes::measure::reference::{Known, References};
use portes::measure::selection::Selection;
use portes::tables::facts::MatchRow;
use portes::tables::partials::{ErrorRow, RulingRow};
use portes::tables::study_marts::ReferencePositionRow;
use std::collections::BTreeSet;

const ADA: Selection<'static> = Selection { season: "2026", player: Some("Ada") };

const P01: &str = "-b----E-C---eE---c-e----B-";
/// 4 from P01.
const P02: &str = "-b---BD-B---eE---c-e----B-";
/// 32 from P01.
const P08: &str = "-b----D-C---dD---cbd--B-B-";

const G1: usize = 0;
const G2: usize = 1;

/// Candidates 1 to 9 of 13.3.
fn worked() -> Vec<Candidate> {
    let of = |group, thousandths: i64| Candidate {
        name: 0,
        group,
        class: 0,
        excess: thousandths * 1_000_000,
        state: State::Offered,
        weight: Weight::Whole,
        rollout: false,
    };
    let table = [
        of(G1, 20),
        of(G1, 12),
        Candidate { weight: Weight::Half, ..of(G1, 15) },
        of(G1, 10),
        Candidate { rollout: true, ..of(G1, 10) },
        of(G2, 25),
        of(G2, 6),
        of(G1, 9),
        Candidate { state: State::Handled, ..of(G1, 7) },
    ];
    table.into_iter().enumerate().map(|(name, candidate)| Candidate { name, ..candidate }).collect()
}

/// By the ids of the table.
fn distance(a: usize, b: usize) -> u32 {
    let listed =
        [(1, 2, 8), (2, 3, 10), (1, 3, 14), (4, 5, 30), (2, 6, 11), (6, 1, 20), (6, 7, 6), (7, 1, 20), (8, 9, 12)];
    let (a, b) = (a + 1, b + 1);
    let found = listed.into_iter().find(|&(x, y, _)| (x, y) == (a, b) || (y, x) == (a, b));
    if a == b { 0 } else { found.map_or(40, |(_, _, distance)| distance) }
}

/// The table's distances and a list of what is open: the definition as it stands. (No boards lie so: 6 is nearer to 1 by
/// way of 2 than it is.)
struct Listed<D> {
    candidates: Vec<Candidate>,
    open: Vec<bool>,
    distance: D,
}

impl<D: Fn(usize, usize) -> u32> Listed<D> {
    fn of(candidates: &[Candidate], distance: D) -> Self {
        Self { candidates: candidates.to_vec(), open: vec![true; candidates.len()], distance }
    }

    fn open_neighbours(&self, at: usize) -> Vec<usize> {
        let neighbour =
            |&other: &usize| self.candidates[at].group == self.candidates[other].group && self.near(at, other);
        (0..self.open.len()).filter(|&other| self.open[other]).filter(neighbour).collect()
    }
}

impl<D: Fn(usize, usize) -> u32> Ground for Listed<D> {
    fn worth(&self, at: usize) -> i64 {
        self.open_neighbours(at).into_iter().map(|other| self.candidates[other].excess).sum()
    }

    fn cover(&mut self, at: usize) -> Vec<usize> {
        let covered = self.open_neighbours(at);
        covered.iter().for_each(|&other| self.open[other] = false);
        covered
    }

    fn near(&self, a: usize, b: usize) -> bool {
        (self.distance)(a, b) <= 12
    }
}

fn chosen(id: usize, thousandths: i64, covered: &[usize]) -> Chosen {
    Chosen { candidate: id - 1, gain: 4 * thousandths * 1_000_000, covered: covered.iter().map(|id| id - 1).collect() }
}

#[test]
fn the_choice_is_the_one_of_the_worked_table() {
    let expected = Choice {
        chosen: vec![chosen(2, 47, &[1, 2, 3]), chosen(7, 31, &[6, 7]), chosen(5, 10, &[5]), chosen(4, 10, &[4])],
        discarded: 1,
        left: 0,
    };
    assert_eq!(choose(&worked(), Listed::of(&worked(), distance), 20), expected);
}

#[test]
fn fewer_are_the_first_of_more_and_say_what_is_left() {
    let two = choose(&worked(), Listed::of(&worked(), distance), 2);
    assert_eq!(two.chosen, [chosen(2, 47, &[1, 2, 3]), chosen(7, 31, &[6, 7])]);
    assert_eq!((two.discarded, two.left), (1, 2));
    assert_eq!(choose(&worked(), Listed::of(&worked(), distance), 0).left, 7, "8 is covered, 9 handled");
}

#[test]
fn what_is_of_another_class_is_no_duplicate() {
    let mut candidates = worked();
    for at in [5, 6] {
        candidates[at].class = 1;
    }
    let choice = choose(&candidates, Listed::of(&candidates, distance), 20);
    assert_eq!(choice.chosen[1], chosen(6, 31, &[6, 7]));
    assert_eq!(choice.discarded, 0);
}

struct Table {
    matches: Vec<MatchRow>,
    errors: Vec<ErrorRow>,
    rulings: Rulings,
    treated: BTreeSet<String>,
}

impl Table {
    fn of(errors: Vec<ErrorRow>) -> Self {
        let matches = vec![match_row("00000000000000a1", Some(10)), match_row("00000000000000a2", None)];
        Self { matches, errors, rulings: Rulings::default(), treated: BTreeSet::new() }
    }

    fn rows(&self) -> Vec<ReferencePositionRow> {
        let mut references = References::default();
        for error in &self.errors {
            references.add(error, self.matches.iter().find(|row| row.match_id == error.match_id).unwrap());
        }
        let known = Known { rulings: &self.rulings, treated: &self.treated, error: Mpt(50) };
        references.rows(&ADA, &known).unwrap()
    }
}

fn at(board: &str, roll: u8) -> String {
    checker_key(&Board::from_text(board).unwrap(), roll)
}

/// An error at a board, in thousandths of a match.
fn costs(order: i64, (board, roll): (&str, u8), excess: f64) -> ErrorRow {
    ErrorRow { position_key: at(board, roll), ..costing(error(order), excess) }
}

#[test]
fn a_row_says_what_it_covers_and_shows_its_worst_error() {
    let mut errors = vec![
        costs(0, (P01, 31), 0.004),
        costs(1, (P01, 31), -0.002),
        costs(2, (P02, 52), 0.003),
        costs(3, (P08, 31), 0.001),
    ];
    errors[1].match_id = "00000000000000a2".to_owned();
    errors[2].match_id = "00000000000000a2".to_owned();
    let table = Table::of(errors);
    let rows = table.rows();
    assert_eq!(rows.len(), 2);
    let row = &rows[0];
    assert_eq!((row.rank, row.position_key.as_str()), (1, at(P01, 31).as_str()));
    assert_eq!(row.xgid, "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10");
    assert_eq!((row.covered, row.errors, row.matches), (2, 3, 2));
    assert!((row.gain - 0.007).abs() < 1e-12 && (row.covered_excess - 0.007).abs() < 1e-12);
    assert_eq!((row.decision_id.as_str(), row.match_id.as_str()), ("00000000000000a1-0000", "00000000000000a1"));
    assert_eq!((row.plan.as_str(), row.nature.as_str(), row.theme.as_str()), ("contact", "checker", "blots"));
    assert_eq!((row.gap, row.close, row.unstable, row.rollout), (Some(80), false, false, false));
    assert_eq!((rows[1].covered, rows[1].errors, row.discarded, row.left), (1, 1, 0, 0));
}

/// Gap 24 under an Error threshold of 50; 25 is not under half of it.
#[test]
fn a_marginal_lesson_and_an_unstable_one_are_worth_half_each() {
    let gain = |gap, contradicted: bool| {
        let mut table = Table::of(vec![ErrorRow { gap, ..costs(0, (P01, 31), 0.008) }]);
        if contradicted {
            let ruling = Ruling { right: "24/23 13/10".to_owned(), rollout: true };
            table.rulings.add(RulingRow::position_of(&at(P01, 31)), ruling);
        }
        let row = table.rows().remove(0);
        assert_eq!(row.unstable, contradicted);
        assert!((row.covered_excess - 0.008).abs() < 1e-12, "undiscounted");
        (row.close, (row.gain * 1e9).round())
    };
    assert_eq!(gain(Some(25), false), (false, 8e6));
    assert_eq!(gain(Some(24), false), (true, 4e6));
    assert_eq!(gain(None, false), (false, 8e6));
    assert_eq!(gain(None, true), (false, 4e6));
    assert_eq!(gain(Some(0), true), (true, 2e6));
}

#[test]
fn a_checker_play_is_unstable_by_a_rollout_only_and_a_cube_action_by_any_analysis() {
    let check = |error: ErrorRow, right: &str, rollout| {
        let mut table = Table::of(vec![error]);
        let ruling = Ruling { right: right.to_owned(), rollout };
        table.rulings.add(RulingRow::position_of(&table.errors[0].position_key), ruling);
        let row = table.rows().remove(0);
        (row.unstable, row.rollout)
    };
    let play = costs(0, (P01, 31), 0.008);
    assert_eq!(check(play.clone(), "24/23 13/10", false), (false, false));
    assert_eq!(check(play.clone(), "24/23 13/10", true), (true, true));
    assert_eq!(check(play.clone(), &play.ruling, true), (false, true), "a rollout that confirms");
    let double = cube(0, (4, 6), 0.008);
    assert_eq!(check(double.clone(), "no_double", false), (true, false));
    assert_eq!(check(double, "double", false), (false, false));
}

/// A missed double at a score.
fn cube(order: i64, away: (u32, u32), excess: f64) -> ErrorRow {
    ErrorRow {
        kind: "no_double".to_owned(),
        nature: "cube".to_owned(),
        theme: Some("offer_missed".to_owned()),
        position_key: key(&Board::START, away, Asked::Double),
        own_away: i64::from(away.0),
        opp_away: i64::from(away.1),
        ruling: "double".to_owned(),
        ..costing(error(order), excess)
    }
}

#[test]
fn cube_positions_are_compared_at_one_score_and_plays_at_any() {
    let cubes = Table::of(vec![cube(0, (4, 6), 0.008), cube(1, (6, 4), 0.007), cube(2, (4, 1), 0.006)]).rows();
    assert_eq!(cubes.len(), 3);
    assert!(cubes.iter().all(|row| row.covered == 1 && row.discarded == 0));
    assert!(cubes[2].position_key.contains("|p|4|1|d|"), "post-Crawford counts 1");
    let play = |order, own| ErrorRow {
        position_key: key(&Board::START, (own, 5), Asked::Move(portes::game::Dice::new(3, 1).unwrap())),
        own_away: i64::from(own),
        opp_away: 5,
        ..costing(error(order), 0.008)
    };
    let plays = Table::of(vec![play(0, 3), play(1, 4)]).rows();
    assert_eq!((plays.len(), plays[0].covered), (1, 2));
}

#[test]
fn an_answer_is_written_with_the_doubler_on_turn() {
    let take = ErrorRow {
        kind: "take".to_owned(),
        theme: Some("answer_wrong_take".to_owned()),
        position_key: key(&Board::START, (4, 6), Asked::Answer),
        ..cube(0, (4, 6), 0.004)
    };
    assert_eq!(Table::of(vec![take]).rows()[0].xgid, "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:3:1:0:7:10");
}

#[test]
fn one_position_in_two_families_is_chosen_once() {
    let other = ErrorRow { theme: Some("point".to_owned()), ..costs(1, (P01, 31), 0.009) };
    let rows = Table::of(vec![costs(0, (P01, 31), 0.008), other]).rows();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].theme.as_str(), rows[0].discarded), ("point", 1));
}

#[test]
fn treated_positions_cover_their_neighbours_and_strangers_are_ignored() {
    let mut table = Table::of(vec![costs(0, (P01, 31), 0.008), costs(1, (P02, 52), 0.007), costs(2, (P08, 31), 0.001)]);
    table.treated.insert(at(P08, 66));
    assert_eq!(table.rows().len(), 2);
    table.treated.insert(at(P02, 52));
    let rows = table.rows();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].position_key.as_str(), rows[0].handled), (at(P08, 31).as_str(), 1));
}

#[test]
fn the_worst_error_is_the_earliest_of_equals_and_undated_last() {
    let mut errors: Vec<ErrorRow> = [("a2", 0), ("a1", 7), ("a1", 3), ("a0", 1)]
        .map(|(id, order)| {
            let id = format!("{id:0>16}");
            ErrorRow { decision_id: format!("{id}-{order:04}"), match_id: id, ..costs(order, (P01, 31), 0.008) }
        })
        .to_vec();
    let mut table = Table::of(errors.clone());
    table.matches.push(match_row("00000000000000a0", Some(11)));
    assert_eq!(table.rows()[0].decision_id, "00000000000000a1-0003");
    errors.retain(|error| error.match_id.ends_with("a2"));
    assert_eq!(Table::of(errors).rows()[0].match_id, "00000000000000a2");
}

#[test]
fn money_and_what_has_no_theme_or_gain_offers_nothing() {
    let money = ErrorRow { loss: None, difficulty: None, own_away: 0, opp_away: 0, ..error(0) };
    let unthemed = ErrorRow { theme: None, ..costs(1, (P01, 31), 0.008) };
    assert!(Table::of(vec![money, unthemed, costs(2, (P08, 31), -0.004), costs(3, (P02, 31), 0.0)]).rows().is_empty());
    assert!(Table::of(Vec::new()).rows().is_empty());
}

#[test]
fn a_key_that_cannot_be_read_is_a_fault_that_names_its_table() {
    let table = Table::of(vec![ErrorRow { position_key: "bg0|".to_owned(), ..costs(0, (P01, 31), 0.008) }]);
    let mut references = References::default();
    references.add(&table.errors[0], &table.matches[0]);
    let known = Known { rulings: &table.rulings, treated: &table.treated, error: Mpt(50) };
    let fault = references.rows(&ADA, &known).unwrap_err();
    assert_eq!(fault.to_string(), "errors: a row does not fit the schema");
}

/// 12.3: the distinct positions of a family, the worst excess first, then the smaller key.
#[test]
fn the_positions_of_a_family_stand_by_their_worst_error() {
    let errors = vec![
        costs(0, (P01, 31), 0.008),
        costs(1, (P01, 31), 0.002),
        costs(2, (P08, 31), 0.012),
        costs(3, (P02, 31), 0.008),
        costs(4, (P08, 42), -0.001),
    ];
    let table = Table::of(errors.clone());
    let positions = |count: usize| {
        let mut references = References::default();
        table.errors.iter().take(count).for_each(|error| references.add(error, &table.matches[0]));
        references.positions(&ADA).unwrap()
    };
    assert_eq!(positions(4), [], "four errors are no family to study");
    let rows = positions(5);
    let got: Vec<_> = rows
        .iter()
        .map(|row| (row.rank, row.position_key.as_str(), row.errors, row.decision_id.as_str(), row.positions))
        .collect();
    let key = |at: usize| errors[at].position_key.as_str();
    let id = |at: usize| table.errors[at].decision_id.as_str();
    let mut equal = [(key(0), 2, id(0)), (key(3), 1, id(3))];
    equal.sort_unstable();
    let [first, second] = equal;
    assert_eq!(
        got,
        [
            (1, key(2), 1, id(2), 4),
            (2, first.0, first.1, first.2, 4),
            (3, second.0, second.1, second.2, 4),
            (4, key(4), 1, id(4), 4),
        ]
    );
    assert!((rows[0].excess - 0.012).abs() < 1e-12 && (rows[3].excess + 0.001).abs() < 1e-12);
    assert_eq!(rows[0].xgid, format!("XGID={P08}:0:0:1:31:0:0:0:7:10"));
}

/// The ground against the list, where groups are large: from first moves, which all lie within reach of each other,
/// to whole games, which hardly do.
#[test]
fn the_choice_on_the_ground_is_the_choice_from_the_list() {
    let (mut whole, mut part, mut none) = (0, 0, 0);
    for seed in 0..24 {
        let mut chance = Chance::new(seed);
        let (plies, groups) = (chance.of(&[1, 2, 3, 6, 12, 40]), chance.of(&[1, 1, 3]));
        let mut board = || {
            let plies = 1 + chance.below(plies);
            chance.board(plies)
        };
        let boards: Vec<Board> = (0..400).map(|_| board()).collect();
        let shapes: Vec<Shape> = boards.iter().map(Shape::of).collect();
        let candidates: Vec<Candidate> = (0..shapes.len())
            .map(|name| Candidate {
                name,
                group: usize::try_from(chance.below(groups)).unwrap(),
                class: 0,
                excess: i64::try_from(chance.below(5)).unwrap() * 1_000_000,
                state: if chance.one_in(60) { State::Handled } else { State::Offered },
                weight: chance.of(&[Weight::Whole, Weight::Half, Weight::Quarter]),
                rollout: chance.one_in(9),
            })
            .collect();
        let distance = |a: usize, b: usize| shapes[a].like(&shapes[b]);
        let list = choose(&candidates, Listed::of(&candidates, distance), 20);
        assert_eq!(choose(&candidates, Boards::of(&candidates, &shapes), 20), list, "seed {seed}");
        for chosen in &list.chosen {
            match chosen.covered.len() {
                1 => none += 1,
                2..=40 => part += 1,
                _ => whole += 1,
            }
        }
    }
    assert!(whole > 3 && part > 50 && none > 10, "the grounds try it: {whole} {part} {none}");
}

/// Every board of a range that is near passes, in order, whatever block it lies in; of boards far apart hardly any.
#[test]
fn the_sieve_passes_what_is_near_and_little_else() {
    let mut chance = Chance::new(5);
    let boards: Vec<Board> = (0..1_500).map(|at| chance.board(1 + at % 9)).collect();
    let shapes: Vec<Shape> = boards.iter().map(Shape::of).collect();
    let mut sieve = Sieve::default();
    shapes.iter().for_each(|shape| sieve.add(shape));
    let (mut passes, mut nears) = (0, 0);
    for (at, range) in [(0, 0..1_500), (9, 700..701), (700, 3..1_499), (1_499, 255..257), (1, 512..1_024), (2, 40..40)]
    {
        let mut passed = Vec::new();
        sieve.pass(&shapes[at].outline(), range.clone(), |other| passed.push(other));
        assert!(passed.is_sorted() && passed.iter().all(|other| range.contains(other)));
        let near: Vec<usize> = range.filter(|&other| shapes[at].like(&shapes[other]) <= NEAR).collect();
        assert!(near.iter().all(|other| passed.binary_search(other).is_ok()), "{at}");
        (passes, nears) = (passes + passed.len(), nears + near.len());
    }
    assert!(nears > 100 && passes < 2 * nears, "{passes} for {nears}");
}

/// However thickly they lie, fifty are chosen; how long it takes, `make bench` prints of an optimised program.
#[test]
fn fifty_thousand_errors_are_chosen_from() {
    for (plies, families) in [(60, Families::Many), (3, Families::One)] {
        assert_eq!(Table::of(many((50_000, plies), families)).rows().len(), 50);
    }
}
