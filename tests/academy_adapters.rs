//! What becomes a contest: the backgammon tables, contest files, draughts records.

mod backgammon;
mod club;
mod contest_file;
mod draughts;
mod held_out;

use super::support::shared;
use serde_json::Value as Json;

/// The vectors of the spec; `None`, loudly, where they are absent.
fn vectors() -> Option<Json> {
    let path = shared("spec/academy_vectors.json")?;
    Some(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

/// Name, row lengths and cells of areas.
fn told(areas: &[portes::academy::area::Area]) -> Vec<(String, Vec<usize>, String)> {
    areas
        .iter()
        .map(|area| (area.place().name().to_owned(), area.place().rows().to_vec(), area.cells().text()))
        .collect()
}
