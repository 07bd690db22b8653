//! Build script: one number for everything a table or a page is made by, so that what an earlier program kept to save
//! time is known to be another's. It changes with every change of the source, whatever the version says.

#![allow(clippy::print_stdout, reason = "cargo listens to what a build script prints")]

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hasher as _;
use std::io;
use std::path::PathBuf;

/// What the program is made of.
const SOURCES: [&str; 4] = ["pipeline", "templates", "data/met", "Cargo.lock"];

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        for path in below(PathBuf::from(source))? {
            hasher.write(path.as_os_str().as_encoded_bytes());
            hasher.write(&fs::read(&path)?);
        }
    }
    println!("cargo:rustc-env=PORTES_REVISION={:016x}", hasher.finish());
    Ok(())
}

/// The files at or below a path, in the order of their names.
fn below(path: PathBuf) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path]);
    }
    let mut names: Vec<PathBuf> =
        fs::read_dir(&path)?.map(|entry| Ok(entry?.path())).collect::<Result<_, io::Error>>()?;
    names.sort();
    let mut files = Vec::new();
    for name in names {
        files.extend(below(name)?);
    }
    Ok(files)
}
