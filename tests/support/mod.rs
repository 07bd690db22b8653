//! What the promises share: where the shared material lies, what writes files for the tests, and the fixture M7.
#![allow(unreachable_pub, dead_code, reason = "the benchmark includes these files by path and uses others of them")]

pub mod contests;
pub mod html;
pub mod m7;
pub mod made;
pub mod mat_writer;
pub mod rows;
pub mod seasons;
pub mod sgf_writer;
#[cfg(feature = "measures")]
pub mod spoilt;
pub mod xg_container;
pub mod xg_writer;

use std::path::PathBuf;

/// The folder of shared material (real files, corpus, specs) beside the checkout, or where `PORTES_SHARED` points.
/// `None` where it is absent: the test then says so and passes, loudly.
pub fn shared(below: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PORTES_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let path = root.join(below);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: shared/{below} is absent, this promise was not checked");
    None
}
