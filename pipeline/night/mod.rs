//! The night: the run and its parts, from the files people dropped to the pages they open.
//!
//! [`walk`] lists the files, [`scan`] looks at each once, [`resolve`] says which matches they amount to, [`assemble`] and
//! [`build`] write the tables, [`steps`] keeps the order that may be taken, [`pages`] renders, [`publish`] exchanges what
//! readers see. [`inspect`], [`names`] and [`status`] answer questions and change nothing.

pub mod assemble;
pub mod build;
pub mod fault;
pub mod inspect;
mod lessons;
pub mod lock;
pub mod marts;
pub mod names;
pub mod pages;
pub mod progress;
pub mod publish;
pub mod rerate;
pub mod resolve;
pub mod scan;
pub mod side;
pub mod status;
pub mod steps;
pub mod walk;

use crate::config::typed::{Command, Stage, Typed};
use crate::config::{self, Settings};
use crate::exit::Exit;
use crate::tables::facts::SourceRow;
use crate::tables::lake::{self, Lake};
use crate::tables::marts::PlayerCareerRow;
use crate::tables::row::Row;
use crate::tables::snapshot::{Building, Verdict};
use crate::tables::{check, dictionary, part};
use fault::NightFault;
use lock::Lock;
use progress::Progress;
use std::collections::BTreeSet;
use std::io::Write as _;

/// Runs one command and says how it ended.
#[must_use]
pub fn command(typed: &Typed) -> Exit {
    let progress = Progress::start(&typed.common);
    match obey(typed, &progress) {
        Ok(exit) => exit,
        Err(fault) => {
            tracing::error!("{fault}");
            fault.exit()
        }
    }
}

fn obey(typed: &Typed, progress: &Progress) -> Result<Exit, NightFault> {
    if let Command::Dictionary = typed.command {
        say(&dictionary::markdown());
        return Ok(Exit::Done);
    }
    if let Command::Config = typed.command {
        return Ok(told(&config::printed(&typed.common)?));
    }
    let settings = Settings::of(&typed.common)?;
    // A pool of the asked size; a second one in the same process (tests) keeps the first.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(settings.jobs).build_global();
    match &typed.command {
        Command::Run(stage) => run(&settings, (stage, typed.common.quiet), progress),
        Command::Ingest => ingest(&settings, progress),
        Command::Rate => rate(&settings, progress),
        Command::Measure { only } => measure(&settings, only.as_deref(), progress),
        Command::Render(stage) => render(&settings, stage, progress),
        Command::Publish => publish(&settings),
        Command::Inspect { file } => inspect::inspect(file, &settings).map(|text| told(&text)),
        Command::Status => status::status(&settings).map(|text| told(&text)),
        Command::Names => names(&settings),
        Command::Check => check(&settings),
        Command::Dictionary | Command::Config => Ok(Exit::Done),
    }
}

/// Results go to the standard output; a reader that hung up is no fault of ours.
fn say(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

fn told(text: &str) -> Exit {
    say(text);
    Exit::Done
}

/// Everything, in order.
fn run(settings: &Settings, (stage, quiet): (&Stage, bool), progress: &Progress) -> Result<Exit, NightFault> {
    let _lock = Lock::take(settings)?;
    let lake = Lake::at(settings.lake());
    let known = rejected(&lake)?;
    publish::open(&settings.reports)?;
    let planned = steps::Planned::of(settings, progress)?;
    if !planned.resolution().recognised() && lake.current_number()?.is_none() {
        return Err(NightFault::Nothing(settings.raw()));
    }
    let sound = planned.sound(progress)?;
    let (published, resolution, written) = sound.publish(settings)?;
    let pages = pages::render(&published.dir, settings, (stage.season.as_deref(), progress))?;
    let new = rejected(&lake)?.difference(&known).count();
    if !quiet {
        say(&status::summary(&resolution, written, &pages));
    }
    if new > 0 {
        tracing::warn!("{new} files were rejected: portes status lists them");
        return Ok(Exit::Rejected);
    }
    Ok(Exit::Done)
}

/// The quarantined files of the published lake, by path and content. A part that cannot be read knows of none: the run
/// writes it anew.
fn rejected(lake: &Lake) -> Result<BTreeSet<(String, String)>, NightFault> {
    let mut all = BTreeSet::new();
    for listed in lake::parts(&lake.current(), SourceRow::TABLE)? {
        let rows: Vec<SourceRow> = part::read(&listed.path).unwrap_or_default();
        all.extend(rows.into_iter().filter(|row| row.status == "quarantined").map(|row| (row.path, row.blake3)));
    }
    Ok(all)
}

/// The lake, which must have been published.
fn published(settings: &Settings) -> Result<Lake, NightFault> {
    let lake = Lake::at(settings.lake());
    match lake.current_number()? {
        Some(_) => Ok(lake),
        None => Err(NightFault::Empty(lake.root().to_path_buf())),
    }
}

fn ingest(settings: &Settings, progress: &Progress) -> Result<Exit, NightFault> {
    let _lock = Lock::take(settings)?;
    steps::Planned::of(settings, progress)?.build(progress)?.leave()?;
    Ok(Exit::Done)
}

/// Takes `lake/next` where it holds something, else a copy of the published snapshot.
fn begun(lake: &Lake) -> Result<Building, NightFault> {
    let mut building = Building::resume(lake.clone())?;
    if lake::parts(building.dir(), SourceRow::TABLE)?.is_empty() {
        publish::carry_over(lake, &mut building)?;
    }
    Ok(building)
}

fn rate(settings: &Settings, progress: &Progress) -> Result<Exit, NightFault> {
    let _lock = Lock::take(settings)?;
    let lake = Lake::at(settings.lake());
    let building = begun(&lake)?;
    let bar = progress.stage("rate", 1);
    let told = rerate::rerate(building.dir(), settings)?;
    building.leave()?;
    bar.done(&told.to_string());
    say(&format!("{told}\n"));
    Ok(Exit::Done)
}

fn measure(settings: &Settings, only: Option<&str>, progress: &Progress) -> Result<Exit, NightFault> {
    if let Some(mart) = only {
        let lake = published(settings)?;
        let text = marts::text(&lake.current(), settings, mart)?;
        return text.map(|text| told(&text)).ok_or_else(|| NightFault::NoSuchMart(mart.to_owned()));
    }
    let _lock = Lock::take(settings)?;
    let mut building = begun(&Lake::at(settings.lake()))?;
    marts::write(&mut building, settings, progress)?;
    building.leave()?;
    Ok(Exit::Done)
}

fn render(settings: &Settings, stage: &Stage, progress: &Progress) -> Result<Exit, NightFault> {
    let _lock = Lock::take(settings)?;
    let lake = published(settings)?;
    let pages = pages::render(&lake.current(), settings, (stage.season.as_deref(), progress))?;
    say(&format!("{pages}\n"));
    Ok(Exit::Done)
}

fn publish(settings: &Settings) -> Result<Exit, NightFault> {
    let _lock = Lock::take(settings)?;
    let building = Building::resume(Lake::at(settings.lake()))?;
    for table in [SourceRow::TABLE, PlayerCareerRow::TABLE] {
        if lake::parts(building.dir(), table)?.is_empty() {
            return Err(NightFault::Unbuilt { next: building.dir().to_path_buf(), table });
        }
    }
    match building.check()? {
        Verdict::Sound(checked) => {
            checked.publish(settings.snapshots)?;
            Ok(Exit::Done)
        }
        Verdict::Broken(_, findings) => {
            Err(NightFault::Broken(findings.into_iter().next().map(|finding| finding.sentence).unwrap_or_default()))
        }
    }
}

fn names(settings: &Settings) -> Result<Exit, NightFault> {
    let played = names::played(&published(settings)?.current(), settings)?;
    Ok(told(&names::block(&names::suggestions(&played, settings), settings)))
}

fn check(settings: &Settings) -> Result<Exit, NightFault> {
    let lake = published(settings)?;
    let findings = check::snapshot(&lake.current(), None)?;
    for finding in &findings {
        say(&format!("{:?} {} {}: {}\n", finding.weight, finding.check, finding.table, finding.sentence));
    }
    let broken = findings.iter().any(|finding| finding.weight == check::Weight::Blocking);
    say(if findings.is_empty() { "every contract holds\n" } else { "" });
    Ok(if broken { Exit::CheckFailed } else { Exit::Done })
}
