//! A run of the program watched from outside: how long each stage took, on the clock and on the processors, and how
//! much memory it held at most.
//!
//! The figures are the kernel's own: `VmHWM`, set back at the end of every stage to what is held then, and the ticks of
//! all threads. A stage ends when its line stands in the program's log.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often a run is looked at. A stage that is over between two looks lends its memory to the next.
const LOOK: Duration = Duration::from_millis(2);

/// Ticks of the processor in a second, on every Linux since 2.6.
const TICKS: f64 = 100.0;

/// What one stage took.
pub struct Stage {
    pub name: String,
    /// What it says it did.
    pub told: String,
    /// On the clock, as the program says.
    pub seconds: f64,
    /// Of all processors; `None` of a stage that is told together with the next, which has the time and the memory of both.
    pub processor: Option<f64>,
    pub peak_kb: u64,
}

impl Stage {
    /// Seconds of the processors, in `width` places.
    pub fn processors(&self, width: usize) -> String {
        let told = self.processor.map_or("-".to_owned(), |seconds| format!("{seconds:.2}"));
        format!("{told:>width$}")
    }
}

/// What a run took.
pub struct Ran {
    pub stages: Vec<Stage>,
    pub seconds: f64,
    pub processor: f64,
    pub peak_kb: u64,
}

impl Ran {
    pub fn stage(&self, name: &str) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.name == name)
    }

    /// The number before `word` in what the ingest stage says.
    pub fn count(&self, word: &str) -> u64 {
        let told = self.stage("ingest").map_or("", |stage| &stage.told);
        let before = told.split(", ").find_map(|part| part.strip_suffix(word));
        before.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
    }
}

/// Runs one command of the program over `folder` and watches it to its end, which has to be a good one.
pub fn run(folder: &Path, command: &str, jobs: usize) -> Ran {
    let log = folder.join("stderr");
    let started = Instant::now();
    let before = ticks("/proc/self/stat", [16, 17]);
    let child = Command::new(env!("CARGO_BIN_EXE_portes"))
        .args([command, "--jobs", &jobs.to_string(), "--data"])
        .arg(folder.join("data"))
        .arg("--reports")
        .arg(folder.join("reports"))
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&log).unwrap())
        .current_dir(folder)
        .spawn()
        .unwrap();
    let (code, stages) = watched(child, &log);
    let seconds = started.elapsed().as_secs_f64();
    assert_eq!(code, Some(0), "{}", std::fs::read_to_string(&log).unwrap());
    Ran {
        seconds,
        processor: ticks("/proc/self/stat", [16, 17]) - before,
        peak_kb: stages.iter().map(|stage| stage.peak_kb).max().unwrap_or(0),
        stages,
    }
}

fn watched(mut child: Child, log: &Path) -> (Option<i32>, Vec<Stage>) {
    let process = PathBuf::from(format!("/proc/{}", child.id()));
    let (mut stages, mut peak_kb, mut processor) = (Vec::new(), 0, 0.0);
    loop {
        let ended = child.try_wait().unwrap();
        if ended.is_none() {
            peak_kb = high_water(&process).max(peak_kb);
        }
        let told = std::fs::read_to_string(log).unwrap();
        let lines = told.split_inclusive('\n').filter(|line| line.ends_with('\n')).skip(stages.len());
        stages.extend(lines.map(stage));
        if let Some(last) = stages.last_mut().filter(|last| last.processor.is_none()) {
            let now = ticks(process.join("stat"), [14, 15]).max(processor);
            (last.processor, last.peak_kb) = (Some(now - processor), peak_kb);
            (processor, peak_kb) = (now, 0);
            // 5 sets the high-water mark back; where that is refused, a stage's peak is that of all before it too.
            let _ = std::fs::write(process.join("clear_refs"), "5");
        }
        if let Some(status) = ended {
            return (status.code(), stages);
        }
        std::thread::sleep(LOOK);
    }
}

/// `INFO 200 files, 200 matches stage="scan" seconds="0.43"`.
fn stage(line: &str) -> Stage {
    let field = |name: &str| line.split_once(&format!("{name}=\"")).and_then(|(_, rest)| rest.split('"').next());
    let told = line.trim().strip_prefix("INFO ").unwrap_or(line).split(" stage=").next();
    Stage {
        name: field("stage").unwrap_or_default().to_owned(),
        told: told.unwrap_or_default().to_owned(),
        seconds: field("seconds").and_then(|seconds| seconds.parse().ok()).unwrap_or(0.0),
        processor: None,
        peak_kb: 0,
    }
}

fn high_water(process: &Path) -> u64 {
    let text = std::fs::read_to_string(process.join("status")).unwrap_or_default();
    let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    mark.and_then(|kb| kb.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// Seconds of the processor in two fields of a `stat` file, counted from 1; 0 when there is no such file.
fn ticks(stat: impl AsRef<Path>, fields: [usize; 2]) -> f64 {
    /// The first field after the name in parentheses, which may hold blanks.
    const AFTER_NAME: usize = 3;
    let text = std::fs::read_to_string(stat).unwrap_or_default();
    let numbers: Vec<&str> = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let tick = |field: usize| numbers.get(field - AFTER_NAME).and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0);
    fields.map(tick).iter().sum::<f64>() / TICKS
}

/// Nanoseconds this thread has had a processor: what is measured with it does not depend on who else is at work.
pub fn own_nanoseconds() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok()).unwrap_or(0)
}

/// `1.07 of 2 processors busy`: who reads figures has to know what else the machine did.
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    format!("load {} on {processors} processors", text.split(' ').next().unwrap_or("unknown"))
}

/// Sets this program's high-water mark back to what it holds now, and gives that in kB.
pub fn peak_from_now() -> u64 {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    peak()
}

/// The most this program held since then, in kB.
pub fn peak() -> u64 {
    high_water(Path::new("/proc/self"))
}
