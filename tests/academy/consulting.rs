//! What the Academy would have advised.

use super::bylaws;
use super::opening::{contest, ply};
use portes::academy::alphabet::Symbol;
use portes::academy::area::{Area, Place};
use portes::academy::contest::{Candidate, Contest, Outcome, Ply, Rated, Side};
use portes::academy::rows::{AdviceRow, AdviceSource, FilingEvent, Phase, Shelving};
use portes::academy::units::{Cost, Elo, Value};
use portes::academy::{Academy, Seeds};
use std::sync::Arc;

fn academy() -> Academy {
    Academy::new(bylaws(), Seeds::new())
}

fn value(share: f64) -> Option<Value> {
    Some(Value::from_share(share).unwrap())
}

fn area(cells: &str) -> Area {
    let place = Arc::new(Place::new("six", &[6]).unwrap());
    Area::new(&place, &cells.chars().map(|c| Symbol::read(c).unwrap()).collect::<Vec<_>>()).unwrap()
}

fn candidate(key: &str, cost: i64, areas: &[&str]) -> Candidate {
    Candidate {
        label: format!("to {key}"),
        key: key.to_owned(),
        value: None,
        cost: Some(Cost::from_billionths(cost)),
        areas: areas.iter().map(|cells| area(cells)).collect(),
    }
}

/// A ply a letter, all values even.
fn letters(keys: &str) -> Vec<Ply> {
    let sides = [Side::First, Side::Second].into_iter().cycle();
    keys.chars().zip(sides).map(|(key, by)| ply(by, &key.to_string(), value(0.5))).collect()
}

#[test]
fn the_tree_advises_at_every_fourth_opening_decision() {
    let mut academy = academy();
    let mut first = letters("abcdefghijkl");
    first[2].value = value(0.6);
    assert_eq!(academy.file(&contest(Outcome::First, first)).advice, [], "nothing is known before the first contest");
    // D = 4: two decisions of each player a contest.
    assert_eq!(academy.file(&contest(Outcome::First, letters("abxyefghijkl"))).advice, []);
    let mut third = letters("abxyefghijkl");
    third[2].candidates = vec![candidate("c", 0, &[]), candidate("x", 7, &[])];
    third[2].cost = Some(Cost::from_billionths(7));
    let advice = academy.file(&contest(Outcome::First, third)).advice;
    assert_eq!(advice.iter().map(|row| (row.ply, row.player.as_str())).collect::<Vec<_>>(), [(3, "ann"), (4, "bob")]);
    let ann = &advice[0];
    assert_eq!((ann.phase, ann.source, ann.proposed_key.as_str()), (Phase::Opening, AdviceSource::Node(3), "c"));
    // Ann's rating was 1500, when c was played.
    assert_eq!((ann.proposed_value, ann.proposed_elo, ann.played.as_str()), (0.6, 1500.0, "x"));
    assert_eq!((ann.cost_proposed.map(Cost::billionths), ann.cost_played.map(Cost::billionths)), (Some(0), Some(7)));
    assert_eq!((ann.right, ann.played_right), (Some(true), Some(false)));
    let bob = &advice[1];
    assert_eq!((bob.proposed_key.as_str(), bob.cost_proposed, bob.right), ("y", None, None));
}

#[test]
fn a_turn_without_a_choice_is_no_decision() {
    let mut academy = academy();
    for round in 0..3 {
        let mut plies = letters("abcdefghijkl");
        plies.iter_mut().for_each(|ply| ply.choices = Some(1));
        assert_eq!(academy.file(&contest(Outcome::First, plies)).advice, [], "{round}");
    }
    let saved = academy.save();
    assert!(saved.games[0].players.iter().all(|player| player.opening_decisions == 0));
}

/// A contest of ten plies, ann and bob of the Elo given, whose last position is final and has these cells.
fn lesson(elo: f64, cells: &str) -> Contest {
    let mut plies = letters("abcdefghij");
    plies.iter_mut().for_each(|ply| ply.value = None);
    plies[9].areas = vec![area(cells)];
    let mut contest = contest(Outcome::Second, plies);
    let elo = Elo::from_points(elo).unwrap();
    contest.rated = Rated::Stated(elo, elo);
    contest.ends_on_board = true;
    contest
}

/// The same ten plies; at the tenth bob of that Elo stands badly and looks at these candidates.
fn question(elo: f64, before: f64, candidates: Vec<Candidate>) -> Contest {
    let mut question = lesson(elo, "------");
    question.plies[9].before = value(before);
    question.plies[9].candidates = candidates;
    question
}

fn ask(academy: &Academy, question: &Contest) -> Vec<AdviceRow> {
    let mut academy = academy.clone();
    academy.file(question).advice.into_iter().filter(|row| row.phase != Phase::Opening).collect()
}

#[test]
fn a_lost_position_asks_the_libraries() {
    let mut academy = academy();
    academy.file(&lesson(1500.0, "x-o-b-"));
    let known = || vec![candidate("p", 30, &["bbbbbb"]), candidate("q", 50, &["------", "x-o-b-"])];
    let advice = ask(&academy, &question(1500.0, 0.2, known()));
    assert_eq!(advice.len(), 1);
    let row = &advice[0];
    assert_eq!((row.ply, row.player.as_str(), row.phase), (10, "bob", Phase::End));
    assert_eq!((row.source, row.proposed_key.as_str(), row.proposed_value), (AdviceSource::Pattern(1), "q", 1.0));
    assert_eq!((row.cost_proposed.map(Cost::billionths), row.right), (Some(50), Some(false)));
    assert_eq!(ask(&academy, &question(1500.0, 0.33, known())), [], "0.33 is not very low");
    assert_eq!(ask(&academy, &question(1700.0, 0.2, known())), [], "1500 is not above 1700 - 200");
    assert_eq!(ask(&academy, &question(1699.0, 0.2, known())).len(), 1);
    let unknown = vec![candidate("p", 30, &["bbbbbb"])];
    assert_eq!(ask(&academy, &question(1500.0, 0.2, unknown)), [], "no candidate is known");
}

#[test]
fn voices_too_weak_are_left_out_before_the_best_is_chosen() {
    let mut academy = academy();
    academy.file(&lesson(1000.0, "x-o-b-"));
    let mut drawn = lesson(1500.0, "x-o-x-");
    drawn.outcome = Outcome::Draw;
    academy.file(&drawn);
    let both = || vec![candidate("weak", 0, &["x-o-b-"]), candidate("fit", 0, &["x-o-x-"])];
    let proposed = |elo| ask(&academy, &question(elo, 0.2, both()))[0].proposed_key.clone();
    // The weak voice promises a win, the fit one a draw.
    assert_eq!(proposed(1000.0), "weak");
    assert_eq!(proposed(1600.0), "fit");
}

#[test]
fn a_proposal_must_promise_more_than_the_player_has() {
    let mut academy = academy();
    let mut lost = lesson(1500.0, "x-o-b-");
    lost.outcome = Outcome::First;
    academy.file(&lost);
    assert_eq!(ask(&academy, &question(1500.0, 0.2, vec![candidate("q", 0, &["x-o-b-"])])), []);
}

#[test]
fn equal_plays_go_by_key_and_not_by_the_order_of_the_analysis() {
    let mut academy = academy();
    academy.file(&lesson(1500.0, "x-o-b-"));
    for keys in [["r", "q"], ["q", "r"]] {
        let candidates = keys.map(|key| candidate(key, 0, &["x-o-b-"])).to_vec();
        assert_eq!(ask(&academy, &question(1500.0, 0.2, candidates))[0].proposed_key, "q");
    }
}

#[test]
fn advice_does_not_know_the_contest_it_is_judged_on() {
    let mut academy = academy();
    academy.file(&lesson(1500.0, "x-o-b-"));
    let asked = question(1500.0, 0.2, vec![candidate("q", 0, &["x-o-b-"])]);
    let mut other = asked.clone();
    other.outcome = Outcome::First;
    other.plies.extend(letters("klmnopqrstuvwxyz"));
    assert_eq!(ask(&academy, &asked), ask(&academy, &other));
}

#[test]
fn middle_game_patterns_are_posted_and_found_again() {
    let mut academy = academy();
    let mut posted = letters("abcdefghij");
    // Ann's fifth ply: from 0.2 (bob's 0.8) to 0.6, and she wins. The opening is three plies long.
    posted[3].value = value(0.8);
    posted[4].value = value(0.6);
    posted[4].areas = vec![area("x-o-b-"), area("bbbbbb")];
    let report = academy.file(&contest(Outcome::First, posted.clone()));
    let filing = report.filings.iter().find(|row| row.library == Shelving::Chuban).unwrap();
    assert_eq!((filing.ply, filing.cells.text().as_str(), filing.id), (5, "x-o-b-", 1));
    assert!(matches!(filing.event, FilingEvent::Filed { value, .. } if value == Value::from_share(0.6).unwrap()));
    let mut asked = posted;
    asked[4].candidates = vec![candidate("e", 0, &["x-o-b-"])];
    let advice = ask(&academy, &contest(Outcome::Second, asked));
    assert_eq!(advice.len(), 1);
    assert_eq!((advice[0].ply, advice[0].phase, advice[0].right), (5, Phase::Middle, Some(true)));
}

#[test]
fn an_unfinished_contest_is_counted_and_used_for_nothing() {
    let mut academy = academy();
    for outcome in [Outcome::Unfinished, Outcome::Edited] {
        let mut contest = lesson(1500.0, "x-o-b-");
        contest.outcome = outcome;
        let report = academy.file(&contest);
        assert!(report.filings.is_empty() && report.advice.is_empty() && report.ratings.is_empty());
    }
    let saved = academy.save();
    let game = &saved.games[0];
    assert_eq!((game.counters.skipped, game.count, game.patterns.len(), game.players.len()), (2, 0, 0, 0));
}
