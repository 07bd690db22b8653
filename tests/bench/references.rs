//! Reference positions among fifty thousand errors of one player: whole games, and ground far denser than anybody's.

use super::errors::{Families, many, match_row};
use portes::game::Mpt;
use portes::measure::reference::rulings::Rulings;
use portes::measure::reference::{Known, References};
use portes::measure::selection::Selection;
use std::collections::BTreeSet;
use std::time::Instant;

const ERRORS: i64 = 50_000;

/// What is asked.
const SECONDS: f64 = 2.0;

/// Chooses from each ground; the slowest is held against what is asked.
pub(super) fn measured(asked: &mut Vec<String>) {
    println!("reference positions among {ERRORS} errors");
    let mut slowest = 0.0_f64;
    for (name, plies, families) in [
        ("whole games", 60, Families::Many),
        ("openings only", 6, Families::Many),
        ("one family", 60, Families::One),
        ("openings of one family", 6, Families::One),
        ("first moves of one family", 3, Families::One),
    ] {
        let errors = many((ERRORS, plies), families);
        let of = match_row(&errors[0].match_id, Some(10));
        let begun = Instant::now();
        let mut references = References::default();
        errors.iter().for_each(|error| references.add(error, &of));
        let (rulings, treated) = (Rulings::default(), BTreeSet::new());
        let known = Known { rulings: &rulings, treated: &treated, error: Mpt(50) };
        let rows = references.rows(&Selection { season: "2026", player: Some("Ada") }, &known).unwrap();
        let seconds = begun.elapsed().as_secs_f64();
        assert_eq!(rows.len(), 50);
        println!("{name:<28} {seconds:>7.2} s");
        slowest = slowest.max(seconds);
    }
    println!();
    asked.push(super::asked_and_met(
        "reference positions of 50,000 errors, the slowest",
        format!("<= {SECONDS:.0} s"),
        format!("{slowest:.2} s"),
    ));
}
