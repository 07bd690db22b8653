//! What a run says while it works: bars on a terminal, one line a stage otherwise.
//!
//! Seconds go to the log and to the record of the run: no table and no page knows how long it took.

use crate::config::typed::{Common, LogForm};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Where progress is told.
#[derive(Clone, Debug)]
pub struct Progress {
    bars: bool,
    ended: Arc<Mutex<Vec<Ended>>>,
}

/// A stage that came to its end.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its name.
    pub name: String,
    /// Seconds it took; a stage that was opened again has the sum.
    pub seconds: f64,
    /// What it did, as it said last.
    pub said: String,
}

impl Progress {
    /// Sets the log up as typed: called once, by the program.
    #[must_use]
    pub fn start(common: &Common) -> Self {
        let level = if common.quiet { tracing::Level::WARN } else { tracing::Level::INFO };
        let terminal = std::io::stderr().is_terminal();
        let log = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(std::io::stderr)
            .with_target(false)
            .with_ansi(terminal)
            // A log that cannot be written, as on a full disk, is no reason to stop.
            .log_internal_errors(false);
        // A second call in one process (tests) keeps the first log; nothing is lost by it.
        let _ = match common.log {
            LogForm::Json => log.json().try_init(),
            LogForm::Text => log.without_time().compact().try_init(),
        };
        Self { bars: common.log == LogForm::Text && !common.quiet && terminal, ended: Arc::default() }
    }

    /// Each stage that came to its end, in the order of their first end.
    #[must_use]
    pub fn stages(&self) -> Vec<Ended> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens a stage of `total` items.
    #[must_use]
    pub fn stage(&self, name: &'static str, total: usize) -> Stage {
        let bar = ProgressBar::new(total as u64);
        if self.bars {
            let style = ProgressStyle::with_template("{prefix:>8} [{bar:30}] {pos}/{len} {eta}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(name);
        } else {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Stage { name, bar, started: Instant::now(), ended: Arc::clone(&self.ended) }
    }
}

/// A stage at work.
pub struct Stage {
    name: &'static str,
    bar: ProgressBar,
    started: Instant,
    ended: Arc<Mutex<Vec<Ended>>>,
}

impl Stage {
    /// One item more.
    pub fn tick(&self) {
        self.bar.inc(1);
    }

    /// Closes the stage with what it did.
    pub fn done(self, what: &str) {
        self.over(what).tell();
    }

    /// Closes the stage; what it did is told later. Stages that run side by side are told in their order, whichever was
    /// over first.
    #[must_use]
    pub fn over(self, what: &str) -> Over {
        self.bar.finish_and_clear();
        let seconds = self.started.elapsed().as_secs_f64();
        let of = Ended { name: self.name.to_owned(), seconds, said: what.to_owned() };
        Over { of, ended: self.ended }
    }
}

/// A stage that is over and has not been told of.
pub struct Over {
    of: Ended,
    ended: Arc<Mutex<Vec<Ended>>>,
}

impl Over {
    /// Tells of it.
    pub fn tell(self) {
        let Ended { name, seconds, said } = self.of;
        tracing::info!(stage = name.as_str(), seconds = format!("{seconds:.2}"), "{said}");
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        match ended.iter_mut().find(|stage| stage.name == name) {
            Some(again) => (again.seconds, again.said) = (again.seconds + seconds, said),
            None => ended.push(Ended { name, seconds, said }),
        }
    }
}
