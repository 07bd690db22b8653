//! The rows the study measures start from: errors of the fixture M7, and what its analyses rule.

use crate::support::m7::{self, M7};
use portes::game::{Equity, Mpt};
use portes::ingest::record::Depth;
use portes::rate::errors::errors;
use portes::rate::rulings::{ROLLOUT, rulings};
use portes::rate::{ForcedRule, Rules};
use portes::tables::facts::DecisionRow;
use portes::tables::partials::{ErrorRow, RulingRow};

fn errors_of(m7: &M7) -> Vec<ErrorRow> {
    errors(&m7.decisions, &m7.candidates, &Rules::default())
}

#[test]
fn the_errors_of_m7_are_its_counted_decisions_from_50_mpt() {
    let m7 = m7::rated();
    let got: Vec<(String, i64, Option<i64>, Option<String>)> =
        errors_of(&m7).into_iter().map(|row| (row.decision_id, row.mpt, row.gap, row.pace)).collect();
    // Decision, mpt, gap, pace: the options and times of the fixture, medians 7 and 17.5 (A), 5.5 (B).
    let expected = [
        ("A1", 60, 60, "hasty"),
        ("A4", 80, 80, "considered"),
        ("A3", 150, 150, "hasty"),
        ("A6", 55, 10, "considered"),
        ("B4", 90, 90, "hasty"),
        ("A8", 70, 70, "hasty"),
        ("A9", 100, 5, "unknown"),
    ];
    let expected: Vec<_> = expected
        .into_iter()
        .map(|(id, mpt, gap, pace)| (m7.decision(id).decision_id.clone(), mpt, Some(gap), Some(pace.to_owned())))
        .collect();
    assert_eq!(got, expected);
}

#[test]
fn an_error_carries_its_family_its_prices_and_what_was_right() {
    let m7 = m7::rated();
    let rows = errors_of(&m7);
    let take = rows.iter().find(|row| row.kind == "take").unwrap();
    assert_eq!((take.nature.as_str(), take.theme.as_deref()), ("cube", Some("answer_wrong_take")));
    assert_eq!((take.ruling.as_str(), take.avoidable, take.rollout), ("pass", true, false));
    assert_eq!((take.loss, take.difficulty), (m7.decision("A4").loss, m7.decision("A4").difficulty));
    assert_eq!((take.own_away, take.opp_away), (5, 7));
    let play = rows.iter().find(|row| row.mpt == 150).unwrap();
    assert_eq!(Some(&play.ruling), m7.decision("A3").best.as_ref());
    assert_eq!(play.position_key, m7.decision("A3").position_key);
}

#[test]
fn the_threshold_is_inclusive_and_the_users() {
    let m7 = m7::rated();
    let count = |threshold| {
        let rules = Rules::new(Mpt(threshold), Mpt(200), ForcedRule::Derived).unwrap();
        errors(&m7.decisions, &m7.candidates, &rules).len()
    };
    assert_eq!((count(55), count(56), count(150), count(151)), (7, 6, 1, 0));
    assert_eq!(count(12), 12);
}

#[test]
fn a_seat_without_times_has_no_pace_and_one_option_no_gap() {
    let mut m7 = m7::facts();
    for row in m7.decisions.iter_mut().filter(|row| row.seat == 2) {
        row.seconds = None;
    }
    let id = m7.decision("A3").decision_id.clone();
    let second = m7.candidates.iter_mut().find(|row| row.decision_id == id && row.rank == 1).unwrap();
    second.depth = "1-ply".to_owned();
    portes::rate::rate(&mut m7.decisions, &m7.candidates, &Rules::default());
    let rows = errors_of(&m7);
    assert!(rows.iter().all(|row| row.pace.is_some() == (row.seat == 1)));
    // A play listed twice is one option: without a third candidate nothing is second-best.
    let best = m7.candidates.iter().find(|row| row.decision_id == id).unwrap().play.clone();
    m7.candidates.iter_mut().filter(|row| row.decision_id == id).for_each(|row| row.play.clone_from(&best));
    let again = errors_of(&m7);
    assert_eq!(again.iter().find(|row| row.decision_id == id).unwrap().gap, None);
}

#[test]
fn a_second_candidate_that_shows_more_than_the_best_costs_nothing() {
    let mut m7 = m7::facts();
    let id = m7.decision("A9").decision_id.clone();
    let second = m7.candidates.iter_mut().find(|row| row.decision_id == id && row.rank == 1).unwrap();
    second.equity = second.equity.map(|equity| equity + 2_000_000);
    portes::rate::rate(&mut m7.decisions, &m7.candidates, &Rules::default());
    assert_eq!(errors_of(&m7).iter().find(|row| row.decision_id == id).unwrap().gap, Some(0));
}

#[test]
fn every_analysed_decision_has_a_ruling_on_the_question_it_faced() {
    let m7 = m7::rated();
    let rows = rulings(&m7.decisions, "00000000000000ff");
    assert_eq!(rows.len(), 15, "the roll without a play was not analysed");
    let of = |id: &str| {
        let order = m7.decision(id).order;
        rows.iter().find(|row| row.order == order).unwrap()
    };
    assert_eq!(of("A4").ruling, "pass");
    assert_eq!(of("A5").ruling, "double");
    assert_eq!(of("B2").ruling, "no_double", "too good is no double");
    assert_eq!(of("B6").ruling, "double");
    assert_eq!(Some(&of("A1").ruling), m7.decision("A1").best.as_ref());
    assert_eq!((of("A1").depth_rank, of("A1").rollout, of("A1").source_id.as_str()), (4, false, "00000000000000ff"));
}

/// Nothing to decide: equities a hair apart that are one mpt, or none.
#[test]
fn rulings_are_compared_at_the_mpt() {
    let rule = |kind: &str, nd: f64, dt: f64| {
        let units = |x: f64| Some(Equity::from_f64(x).unwrap().units());
        let row = DecisionRow {
            kind: kind.to_owned(),
            nd: units(nd),
            dt: units(dt),
            dp: units(1.0),
            depth_best: Some("rollout".to_owned()),
            ..DecisionRow::default()
        };
        let [row]: [RulingRow; 1] = rulings(&[row], "s").try_into().unwrap();
        (row.ruling, row.rollout)
    };
    assert_eq!(rule("no_double", 0.6, 0.6004), ("no_double".to_owned(), true));
    assert_eq!(rule("double", 0.6, 0.6006).0, "double");
    assert_eq!(rule("take", 0.9, 1.0004).0, "take");
    assert_eq!(rule("pass", 0.9, 1.0006).0, "pass");
    assert_eq!(rule("double", 1.1, 1.3).0, "no_double");
}

#[test]
fn a_rollout_is_named_as_the_readers_name_it() {
    assert_eq!(Depth::Rollout.label(), ROLLOUT);
}

#[test]
fn positions_are_known_by_63_bits() {
    let key = "bg1|-b----E-C---eE---c-e----B-|0|c|n|7|7|m|31";
    let hash = blake3::hash(key.as_bytes());
    let first = u64::from_str_radix(&hash.to_hex()[..16], 16).unwrap();
    assert_eq!(RulingRow::position_of(key), i64::try_from(first / 2).unwrap());
}
