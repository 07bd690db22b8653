//! What the promises share: where the shared material lies, and how a test says that it is absent.

pub(crate) mod m7;
pub(crate) mod seasons;
pub(crate) mod sgf_writer;

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
