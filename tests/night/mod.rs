//! The program as cron and people run it, over folders as people have them: one file per promise.
//!
//! Everything here goes through the built program and what it leaves on disk; nothing calls into the night itself.

mod commands;
mod config;
mod ends;
mod examples;
mod hostile;
mod identity;
mod lineage;
mod lines;
mod metamorphic;
mod names;
mod network;
mod pages;
mod python;
mod queries;
mod same_bytes;
mod spoilt;
mod touched;
mod trust;

use portes::tables::lake::{self, Lake};
use portes::tables::part;
use portes::tables::row::Row;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The built program.
const PORTES: &str = env!("CARGO_BIN_EXE_portes");

/// A folder of somebody's own, with `data/` and `reports/`, and the program run in it.
pub(crate) struct Place {
    dir: TempDir,
}

/// How a command ended.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(place.raw()).unwrap();
        place
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn raw(&self) -> PathBuf {
        self.root().join("data/raw")
    }

    pub(crate) fn lake(&self) -> Lake {
        Lake::at(self.root().join("data/lake"))
    }

    pub(crate) fn reports(&self) -> PathBuf {
        self.root().join("reports")
    }

    /// Drops a file below `raw/`.
    pub(crate) fn put(&self, below: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.raw().join(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// The program, in this folder, with nothing of the tests' own environment that could matter.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(PORTES);
        command.args(words).current_dir(self.root()).env_remove("RUST_LOG").stdin(Stdio::null());
        command
    }

    pub(crate) fn portes(&self, words: &[&str]) -> Ran {
        ran(self.command(words))
    }

    /// `portes run`, which must end with this code.
    pub(crate) fn run(&self, code: i32) -> Ran {
        let ran = self.portes(&["run"]);
        assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
        ran
    }

    /// Every row of a table of the published lake.
    pub(crate) fn rows<R: Row>(&self) -> Vec<R> {
        let parts = lake::parts(&self.lake().current(), R::TABLE).unwrap();
        parts.iter().flat_map(|listed| part::read::<R>(&listed.path).unwrap()).collect()
    }

    pub(crate) fn page(&self, season: &str, name: &str) -> String {
        let path = self.reports().join(season).join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
    }

    /// Names of a season's pages that begin so, sorted.
    pub(crate) fn pages(&self, season: &str, beginning: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.reports().join(season)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.starts_with(beginning)).collect();
        names.sort();
        names
    }
}

fn ran(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file of the checkout.
fn of_checkout(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// The text of a page or a line with its blanks evened out.
fn evened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The seasons that ship, with their configuration.
pub(crate) fn sample_files(place: &Place) {
    let sample = of_checkout("data/sample");
    for season in std::fs::read_dir(sample.join("raw")).unwrap() {
        let season = season.unwrap();
        for archive in std::fs::read_dir(season.path()).unwrap() {
            let archive = archive.unwrap();
            let bytes = std::fs::read(archive.path()).unwrap();
            place.put(Path::new(&season.file_name()).join(archive.file_name()), bytes);
        }
    }
    std::fs::copy(sample.join("portes.toml"), place.root().join("portes.toml")).unwrap();
}

/// The same, run once.
pub(crate) fn sample() -> Place {
    let place = Place::new();
    sample_files(&place);
    place.run(0);
    place
}

/// A tool that a promise needs, from the environment or the PATH. `None` where it is absent: the test then says so and
/// passes, loudly.
fn tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        eprintln!("SKIPPED: {name} is not on the PATH, this promise was not checked");
    }
    found
}
