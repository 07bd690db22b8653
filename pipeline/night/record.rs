//! What a run did, kept for whoever asks the next morning: one small JSON file a run in `lake/runs`.
//!
//! A record tells the time and what it took, so it lies beside what is promised to be equal and never in it. It is
//! written at the end of every run, however that ended, and a record that cannot be written is told and forgotten: no run
//! fails for it. It makes no lake: a run that never had one leaves nothing.

use super::amount::amount;
use super::fault::NightFault;
use super::progress::Progress;
use super::scan::Fresh;
use super::status::{sentence, terminal};
use crate::exit::Exit;
use crate::night::cache::REVISION;
use crate::tables::facts::SourceRow;
use crate::tables::lake::{self, Lake};
use crate::tables::sealed::Size;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Records kept: a season of nights.
const KEPT: usize = 100;

/// Paths that are named of each sort of input; past that they are only counted.
const NAMED: usize = 200;

/// The line of `/proc/self/status` that tells the peak of the memory in use.
const PEAK: &str = "VmHWM:";

/// One run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// When it began, UTC.
    pub began: String,
    /// How long it took.
    pub seconds: f64,
    /// Version of the program.
    pub version: String,
    /// What the program was built from.
    pub revision: String,
    /// The command line, without the program's name.
    pub arguments: Vec<String>,
    /// Exit code.
    pub exit: u8,
    /// How it ended, in words.
    pub ended: String,
    /// What lay below raw/; null when the run ended before it knew.
    pub inputs: Option<Inputs>,
    /// Rows of each table of the snapshot that counts; empty when the run built none.
    pub rows: BTreeMap<String, u64>,
    /// Bytes of its parts; null when the run built none.
    pub bytes: Option<u64>,
    /// Seconds of each stage, in the order they ended.
    pub stages: Vec<(String, f64)>,
    /// What each stage said of what it did; empty in records of earlier versions.
    #[serde(default)]
    pub said: BTreeMap<String, String>,
    /// Peak memory in bytes; null where the system does not tell.
    pub peak_memory: Option<u64>,
    /// What somebody should look at.
    pub warnings: Vec<String>,
    /// The snapshot that counted before.
    pub snapshot_before: Option<u64>,
    /// The snapshot that counts now.
    pub snapshot_after: Option<u64>,
}

/// What lay below raw/.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Inputs {
    /// Files.
    pub seen: usize,
    /// Not known before.
    pub new: Paths,
    /// Known with another content.
    pub changed: Paths,
    /// Known, and no longer there.
    pub vanished: Paths,
    /// Files that hold what another one holds.
    pub duplicate: usize,
    /// Rejected files with offset and reason, those of earlier runs too.
    pub rejected: Paths,
}

/// Some paths: how many, and the first of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Paths {
    /// How many.
    pub count: usize,
    /// The first of them.
    pub first: Vec<String>,
}

impl Paths {
    fn of(all: impl ExactSizeIterator<Item = String>) -> Self {
        Self { count: all.len(), first: all.take(NAMED).collect() }
    }
}

impl Inputs {
    /// A run that found every file as it was.
    #[must_use]
    pub fn as_they_were(seen: usize) -> Self {
        Self { seen, ..Self::default() }
    }

    /// Whether no file is other than the run before left it, and none is complained of.
    fn is_unchanged(&self) -> bool {
        [&self.new, &self.changed, &self.vanished, &self.rejected].iter().all(|paths| paths.count == 0)
    }

    /// What a scan and its resolution say.
    #[must_use]
    pub fn of(seen: usize, fresh: &Fresh, sources: &[SourceRow]) -> Self {
        let paths = |paths: &[String]| Paths::of(paths.iter().cloned());
        let rejected: Vec<&SourceRow> = sources.iter().filter(|row| row.status == "quarantined").collect();
        Self {
            seen,
            new: paths(&fresh.new),
            changed: paths(&fresh.changed),
            vanished: paths(&fresh.vanished),
            duplicate: sources.iter().filter(|row| row.status == "duplicate").count(),
            rejected: Paths::of(rejected.into_iter().map(sentence)),
        }
    }
}

/// A record on its way.
pub struct Recording {
    started: Instant,
    stamp: String,
    /// What is known so far.
    pub record: Record,
}

impl Recording {
    /// Begins one, with the command line as the program got it.
    #[must_use]
    pub fn begin(arguments: Vec<String>) -> Self {
        let now = jiff::Timestamp::now();
        let record = Record {
            began: now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: REVISION.to_owned(),
            arguments,
            ..Record::default()
        };
        let stamp = format!("{}.{:03}Z", now.strftime("%Y%m%dT%H%M%S"), now.subsec_millisecond());
        Self { started: Instant::now(), stamp, record }
    }

    /// Rows and bytes of the snapshot that counts.
    pub fn count(&mut self, Size { rows, bytes }: &Size) {
        self.record.rows.clone_from(rows);
        self.record.bytes = Some(*bytes);
    }

    /// Ends it and writes it down; what keeps it from being written is told in the log, and that is all.
    pub fn end(mut self, lake: &Lake, (result, progress): (&Result<Exit, NightFault>, &Progress)) {
        if !lake.root().is_dir() {
            return;
        }
        let (exit, ended) = match result {
            Ok(exit) => (*exit, String::new()),
            Err(fault) => (fault.exit(), fault.to_string()),
        };
        let record = &mut self.record;
        record.exit = exit.code();
        if !ended.is_empty() {
            record.ended = ended;
        }
        record.seconds = thousandths(self.started.elapsed().as_secs_f64());
        for stage in progress.stages() {
            record.stages.push((stage.name.clone(), thousandths(stage.seconds)));
            record.said.insert(stage.name, stage.said);
        }
        record.peak_memory = peak_memory();
        record.snapshot_after = lake.current_number().unwrap_or_default();
        if let Err(fault) = self.write(&lake.runs()) {
            tracing::warn!("the record of this run cannot be kept in {}: {fault}", lake.runs().display());
        }
    }

    fn write(&self, runs: &Path) -> Result<(), std::io::Error> {
        fs::create_dir_all(runs)?;
        let name = format!("{}-{}.json", self.stamp, std::process::id());
        let mut text = serde_json::to_vec_pretty(&self.record)?;
        text.push(b'\n');
        fs::write(runs.join(name), text)?;
        let names = names(runs);
        for old in &names[..names.len().saturating_sub(KEPT)] {
            fs::remove_file(runs.join(old))?;
        }
        Ok(())
    }
}

/// Records by name, which is by time; nothing else that may lie there.
fn names(runs: &Path) -> Vec<String> {
    let ours = |name: &String| name.ends_with(".json") && name.starts_with(|c: char| c.is_ascii_digit());
    lake::names(runs).unwrap_or_default().into_iter().filter(ours).collect()
}

/// The newest record that can be read, of a run that could begin: one that found the lake taken did nothing.
#[must_use]
pub fn last(lake: &Lake) -> Option<Record> {
    let runs = lake.runs();
    let read = |name: &String| serde_json::from_slice::<Record>(&fs::read(runs.join(name)).ok()?).ok();
    names(&runs).iter().rev().filter_map(read).find(|record| record.exit != Exit::Locked.code())
}

impl Record {
    /// When, how it ended and what was new, in two lines for a terminal.
    #[must_use]
    pub fn words(&self) -> String {
        let ended = if self.ended.is_empty() { "unfinished" } else { &self.ended };
        let mut out = format!("last run: {}, exit {}: {}\n", terminal(&self.began), self.exit, terminal(ended));
        let number = |number: Option<u64>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
        let inputs = self.inputs.as_ref().map_or_else(String::new, |inputs| {
            // Whoever has nothing to do counts no files again.
            if inputs.is_unchanged() {
                return format!(", {}: none changed", amount(inputs.seen, "file"));
            }
            format!(
                ", {}: {} new, {} changed, {} vanished, {} rejected in all",
                amount(inputs.seen, "file"),
                inputs.new.count,
                inputs.changed.count,
                inputs.vanished.count,
                inputs.rejected.count
            )
        });
        out.push_str(&format!(
            "  {:.1} s, snapshot {} -> {}{inputs}\n",
            self.seconds,
            number(self.snapshot_before),
            number(self.snapshot_after)
        ));
        out
    }
}

fn thousandths(seconds: f64) -> f64 {
    libm::round(seconds * 1000.0) / 1000.0
}

/// The most memory this process had in use, in bytes; the system counts it in KiB.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(PEAK))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_hundred_records_are_kept_and_what_is_no_record_is_left_alone() -> Result<(), std::io::Error> {
        let dir = tempfile::tempdir()?;
        let lake = Lake::at(dir.path());
        fs::create_dir_all(lake.runs())?;
        fs::write(lake.runs().join("notes.json"), "mine")?;
        for at in 0..KEPT + 5 {
            let mut recording = Recording::begin(Vec::new());
            recording.stamp = format!("2026{at:04}T000000.000Z");
            recording.record.ended = at.to_string();
            recording.write(&lake.runs())?;
        }
        assert_eq!(names(&lake.runs()).len(), KEPT);
        assert!(names(&lake.runs())[0].starts_with("20260005T"));
        assert_eq!(fs::read(lake.runs().join("notes.json"))?, b"mine");
        // A torn record is passed over.
        fs::write(lake.runs().join("20269999T000000.000Z-1.json"), "{\"began\":")?;
        assert_eq!(last(&lake).map(|record| record.ended), Some((KEPT + 4).to_string()));
        Ok(())
    }

    #[test]
    fn the_peak_of_memory_is_that_of_a_process_and_not_of_a_page() {
        assert!(peak_memory().is_none_or(|bytes| bytes > 1 << 20));
    }
}
