//! Study shown at work (`metrics.md` 14): a player with four families of errors, a log that names three, and the three
//! verdicts, each against figures worked out by hand.

use crate::support::seasons::{Told, day, decision, match_of};
use portes::measure::Settings;
use portes::measure::before_after::BeforeAfter;
use portes::tables::facts::{DecisionRow, MatchRow};
use portes::tables::study_marts::BeforeAfterRow;
use std::collections::BTreeMap;

/// A plan, decisions of it in the match before study and after it, and how many of them were errors.
struct Family {
    plan: &'static str,
    before: (i64, usize),
    after: (i64, usize),
}

/// Every error loses 0.01 of the match. A family's verdict and figures, in points per 100 decisions:
///
/// - `holding`: 20 of 100 before, 2 of 100 after: 20 and 2; delta 18, half-width
///   1.96 x sqrt(20 x 0.01^2 / 100^2 + 2 x 0.01^2 / 100^2) = 1.96 x 0.01 x sqrt(22) / 100, which is 9.193215.
/// - `blitz`: 5 of 50 before and after: 10 and 10; delta 0, half-width 1.96 x 0.01 x sqrt(10) / 50, which is 12.396128.
/// - `race`: 10 of 29 before, none of 60 after: 34.482759 and 0; half-width 1.96 x 0.01 x sqrt(10) / 29, which is
///   21.372635: it would be improved, had it one decision more.
const FAMILIES: [Family; 4] = [
    Family { plan: "holding", before: (100, 20), after: (100, 2) },
    Family { plan: "blitz", before: (50, 5), after: (50, 5) },
    Family { plan: "race", before: (29, 10), after: (60, 0) },
    Family { plan: "prime", before: (40, 4), after: (40, 4) },
];

/// One match that holds every family; its errors come first.
fn told(row: &MatchRow, of: impl Fn(&Family) -> (i64, usize)) -> Told {
    let mut decisions: Vec<DecisionRow> = Vec::new();
    for family in &FAMILIES {
        let (n, errors) = of(family);
        for at in 0..n {
            let order = decisions.len() as i64;
            let mut one = DecisionRow { plan: family.plan.to_owned(), ..decision(row, order, 0) };
            one.position_key = format!("{} {}", family.plan, one.decision_id);
            if (at as usize) < errors {
                (one.e_mpt, one.loss, one.theme) = (Some(100), Some(10_000_000), Some("blots".to_owned()));
            }
            decisions.push(one);
        }
    }
    Told::new(row.clone(), decisions, "gnubg")
}

fn measured() -> Vec<BeforeAfterRow> {
    let on = |id: &str, date: &str| MatchRow { date: Some(day(date)), ..match_of("2026", id) };
    let first = told(&on("0a", "2026-01-10"), |family| family.before);
    let second = told(&on("0b", "2026-03-10"), |family| family.after);
    // The log: the first error of three families, on the first of February.
    let mut log = BTreeMap::new();
    for plan in ["holding", "blitz", "race"] {
        let studied = first.errors.iter().find(|error| error.plan == plan).unwrap();
        log.insert(studied.position_key.clone(), day("2026-02-01"));
    }
    let mut ledger = BeforeAfter::new(BTreeMap::from([("A".to_owned(), log)]), Settings::default());
    for told in [&first, &second] {
        ledger.enter(&told.entry());
        told.errors.iter().for_each(|error| ledger.enter_error(&told.played.facts, error));
    }
    let mut rows = ledger.close();
    rows.sort_by_key(|row| row.position);
    rows
}

#[test]
fn one_family_improves_one_does_not_and_one_says_too_little() {
    let rows = measured();
    let points = |figure: Option<f64>| figure.unwrap() * 1e4;
    println!("{:<10}{:>12}{:>12}{:>10}{:>24}  verdict", "family", "before", "after", "gain", "95 %");
    for row in &rows {
        let side = |rate, n| format!("{:.2} /{n}", points(rate));
        println!(
            "{:<10}{:>12}{:>12}{:>10.2}{:>24}  {}",
            row.plan,
            side(row.rate_before, row.decisions_before),
            side(row.rate_after, row.decisions_after),
            points(row.delta),
            format!("[{:.4}, {:.4}]", points(row.low), points(row.high)),
            row.verdict,
        );
    }
    let expected = [
        ("holding", "improved", (100, 100), (20.0, 2.0), 9.193_215),
        ("blitz", "undetermined", (50, 50), (10.0, 10.0), 12.396_128),
        ("race", "insufficient", (29, 60), (34.482_759, 0.0), 21.372_635),
    ];
    assert_eq!(rows.len(), expected.len());
    for (row, (plan, verdict, n, rates, half)) in rows.iter().zip(expected) {
        assert_eq!((row.plan.as_str(), row.verdict.as_str()), (plan, verdict));
        assert_eq!((row.decisions_before, row.decisions_after, row.not_studied), (n.0, n.1, 1));
        let delta = rates.0 - rates.1;
        let got = [row.rate_before, row.rate_after, row.delta, row.low, row.high].map(points);
        for (got, expected) in got.into_iter().zip([rates.0, rates.1, delta, delta - half, delta + half]) {
            assert!((got - expected).abs() < 1e-6, "{plan}: {got} for {expected}");
        }
    }
}
