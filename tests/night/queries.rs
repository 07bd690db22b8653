//! SQL over the published decisions gives the marts' own figures: PR and L7, counts of biases, sums of families, for
//! every player of the seasons that ship.

use super::python::{printed, python, script};
use super::sample;
use portes::tables::marts::PlayerSeasonRow;
use portes::tables::study_marts::{BiasRow, RecurringErrorRow, StudyPlanRow};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What identifies a row, then what is compared.
type Rows = BTreeMap<String, Vec<Value>>;

/// Splits rows after so many cells.
fn keyed(rows: Vec<Value>, key: usize) -> Rows {
    let split = |row: Value| {
        let cells = row.as_array().unwrap().clone();
        (format!("{:?}", &cells[..key]), cells[key..].to_vec())
    };
    rows.into_iter().map(split).collect()
}

/// Whole numbers exactly, floats to 1e-9.
fn same(name: &str, (told, rows): (&Value, Vec<Value>), key: usize) {
    let (told, rows) = (keyed(told[name].as_array().unwrap().clone(), key), keyed(rows, key));
    assert_eq!(told.keys().collect::<Vec<_>>(), rows.keys().collect::<Vec<_>>(), "{name}");
    let mut apart: f64 = 0.0;
    for (key, row) in &rows {
        for (got, expected) in told[key].iter().zip(row) {
            if expected.is_f64() {
                let distance = (got.as_f64().unwrap() - expected.as_f64().unwrap()).abs();
                apart = apart.max(distance);
                assert!(distance <= 1e-9, "{name} {key}: {got} and {expected}");
            } else {
                assert_eq!(got, expected, "{name} {key}");
            }
        }
    }
    println!("{name:<12}{:>6} rows, floats at most {apart:.1e} apart", rows.len());
    assert!(rows.len() >= 16, "{name}: eight players, two seasons");
}

/// A sum of whole thousandths, or of whole units of winning chances.
fn whole(sum: f64, unit: f64) -> i64 {
    (sum * unit).round() as i64
}

#[test]
fn sql_over_the_decisions_gives_the_figures_of_the_marts() {
    let Some(python) = python() else { return };
    let place = sample();
    let told: Value = serde_json::from_str(&printed(script(&python, "measures.py", &place), "")).unwrap();

    let seasons = place.rows::<PlayerSeasonRow>().into_iter().filter(|row| row.player.is_some() && row.decisions > 0);
    let figures = seasons
        .map(|row| json!([row.season, row.player, row.decisions, whole(row.error_sum.unwrap(), 1e3), row.pr, row.l7]));
    same("figures", (&told, figures.collect()), 2);

    let biases = place.rows::<BiasRow>().into_iter().filter(|row| row.player.is_some() && row.decisions > 0);
    let biases = biases.map(|row| {
        let costs = (whole(row.cost_plus, 1e3), whole(row.cost_minus, 1e3));
        let place = (row.own_away, row.opp_away);
        json!([
            row.season,
            row.player,
            row.bias,
            place.0,
            place.1,
            row.decisions,
            row.plus,
            row.minus,
            costs.0,
            costs.1
        ])
    });
    same("biases", (&told, biases.collect()), 5);

    let families = place.rows::<StudyPlanRow>().into_iter().filter(|row| row.player.is_some());
    let families = families.map(|row| {
        let (sum, half) = (whole(row.recoverable, 1e9), row.high - row.recoverable);
        json!([row.season, row.player, row.plan, row.nature, row.theme, row.members, row.avoidable, sum, half])
    });
    same("families", (&told, families.collect()), 5);

    let recurring = place.rows::<RecurringErrorRow>().into_iter().filter(|row| row.player.is_some());
    let recurring =
        recurring.map(|row| json!([row.season, row.player, row.plan, row.nature, row.theme, row.members, row.mpt]));
    same("recurring", (&told, recurring.collect()), 5);
}
