//! The Academy's core against the worked examples of its page (`vectors.json` is a copy of the page's own) and its
//! promises: what is saved and restored goes on alike, and no library breaks its rules.

mod consulting;
mod figures;
mod filing;
mod opening;
mod packing;
mod plain;
mod replay;
mod symbols;

use portes::academy::settings::{Bylaws, Settings};
use serde_json::Value as Json;

/// The computed examples of the page.
fn vectors() -> Json {
    serde_json::from_str(include_str!("vectors.json")).unwrap()
}

fn bylaws() -> Bylaws {
    Settings::default().bylaws().unwrap()
}

/// Within what a decimal of the page is rounded to.
fn assert_near(got: f64, expected: &Json, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((got - expected).abs() <= 0.5e-6, "{what}: {got} is not {expected}");
}

#[test]
fn the_copy_of_the_examples_is_the_page_s() {
    if let Some(path) = crate::support::shared("spec/academy_vectors.json") {
        let page: Json = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(vectors(), page);
    }
}
