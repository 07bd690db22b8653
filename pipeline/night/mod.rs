//! The night: the run and its parts, from the files people dropped to the pages they open.
//!
//! [`walk`] lists the files, [`scan`] looks at each once, [`resolve`] says which matches they amount to, [`assemble`] and
//! [`build`] write the tables, [`side`] those of study logs ([`references`] joins them), [`steps`] keeps the order that may
//! be taken, [`academy`] keeps what players know, [`pages`] renders, [`publish`] exchanges what readers see. [`files`], [`ledger`] and [`settled`] know what earlier
//! nights did, so that this one does the rest only. [`inspect`], [`names`] and [`status`] answer questions and change nothing.

pub mod academy;
mod amount;
pub mod assemble;
pub mod build;
pub mod bundle;
pub mod cache;
pub mod copies;
mod diff;
mod explain;
pub mod fault;
pub mod files;
pub mod inspect;
mod known;
pub mod ledger;
pub mod lock;
pub mod marts;
pub mod names;
pub mod pages;
pub mod plan;
pub mod planned;
pub mod progress;
pub mod publish;
pub mod record;
pub mod references;
pub mod rerate;
pub mod resolve;
pub mod room;
pub mod scan;
pub mod settled;
pub mod side;
pub mod signal;
pub mod status;
pub mod steps;
pub mod support;
pub mod walk;
pub mod whose;

use crate::config::typed::{Academy, AcademyAsk, Command, Night, Stage, Typed};
use crate::config::{self, Settings};
use crate::exit::Exit;
use crate::tables::academy::AcademyContestRow;
use crate::tables::facts::SourceRow;
use crate::tables::lake::{self, Lake};
use crate::tables::marts::PlayerCareerRow;
use crate::tables::row::Row;
use crate::tables::sealed::Verdict;
use crate::tables::snapshot::{self, Building};
use crate::tables::{check, dictionary, durable};
use amount::amount;
use fault::NightFault;
use known::Known;
use lock::Lock;
use progress::Progress;
use record::{Inputs, Recording};
use std::io::Write as _;
use std::path::PathBuf;

/// Runs one command and says how it ended.
#[must_use]
pub fn command(typed: &Typed) -> Exit {
    let progress = Progress::start(&typed.common);
    signal::outlive_limits();
    let mut recording = Recording::begin(std::env::args_os().skip(1).map(|word| walk::spelled(&word)).collect());
    let result = obey(typed, &progress, &mut recording);
    if let Command::Run(night) = &typed.command
        && !night.dry_run
    {
        recording.end(&Lake::at(typed.common.data.join("lake")), (&result, &progress));
    }
    match result {
        Ok(exit) => exit,
        Err(fault) => {
            tracing::error!("{fault}");
            fault.exit()
        }
    }
}

fn obey(typed: &Typed, progress: &Progress, recording: &mut Recording) -> Result<Exit, NightFault> {
    if let Command::Dictionary = typed.command {
        say(&dictionary::markdown());
        return Ok(Exit::Done);
    }
    if let Command::Config = typed.command {
        let text = config::printed(&typed.common)?;
        // What is wrong with the logs it names is told as a run would tell it.
        _ = side::named(&Settings::of(&typed.common)?);
        return Ok(told(&text));
    }
    let settings = Settings::of(&typed.common)?;
    // A pool of the asked size; a second one in the same process (tests) keeps the first.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(settings.jobs).build_global();
    match &typed.command {
        Command::Run(night) => whole_run(&settings.on(night), (night, typed.common.quiet), (progress, recording)),
        Command::Ingest => ingest(&settings, progress),
        Command::Rate => rate(&settings, progress),
        Command::Measure { only } => measure(&settings, only.as_deref(), progress),
        Command::Academy(asked) => self::academy(&settings, asked, progress),
        Command::Render(stage) => render(&settings, stage, progress),
        Command::Publish => publish(&settings),
        Command::Inspect { file } => inspect::inspect(file, &settings).map(|text| told(&text)),
        Command::Status => status::status(&settings).map(|text| told(&text)),
        Command::Names => names(&settings),
        Command::Check => check(&settings),
        Command::Rollback => rollback(&settings, typed.common.quiet, progress),
        Command::Diff { from, to } => diff::text(&settings, (from, to)).map(|text| told(&text)),
        Command::Explain { what, season } => {
            explain::text(&settings, (what, season.as_deref())).map(|text| told(&text))
        }
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

/// A run; and where it stumbles over damage that lies in the lake, one from nothing.
fn whole_run(
    settings: &Settings,
    (night, quiet): (&Night, bool),
    (progress, recording): (&Progress, &mut Recording),
) -> Result<Exit, NightFault> {
    match run(settings, (night, quiet), (progress, recording)) {
        Err(fault) if fault.is_damage() && !night.dry_run => {
            tracing::warn!("{fault}; everything is made anew");
            forget_all(settings)?;
            run(settings, (night, quiet), (progress, recording))
        }
        ended => ended,
    }
}

/// Forgets what earlier runs left, under the lock: what another run builds meanwhile is its own.
fn forget_all(settings: &Settings) -> Result<(), NightFault> {
    let _lock = Lock::take(settings)?;
    settled::forget(settings)?;
    Ok(durable::remove_folder(&Lake::at(settings.lake()).next())?)
}

/// Everything, in order.
fn run(
    settings: &Settings,
    (night, quiet): (&Night, bool),
    (progress, recording): (&Progress, &mut Recording),
) -> Result<Exit, NightFault> {
    let _lock = if night.dry_run { Lock::look(settings)? } else { Some(Lock::take(settings)?) };
    signal::listen();
    let lake = Lake::at(settings.lake());
    if night.rebuild && !night.dry_run {
        settled::forget(settings)?;
    }
    let before = lake.current_number()?;
    recording.record.snapshot_before = before;
    let walked = planned::Walked::of(settings)?;
    let seen = walked.files();
    let asks_for_all = night.stage.season.is_none() && !night.rebuild && !night.strict;
    if asks_for_all && let Some(said) = walked.settled()? {
        recording.record.inputs = Some(Inputs::as_they_were(seen));
        recording.record.ended = format!("nothing to do: {said}");
        if !night.dry_run {
            publish::sweep(settings);
        }
        if !quiet {
            say(&format!("nothing to do: {}, none changed: {said}\n", amount(seen, "file")));
        }
        return Ok(Exit::Done);
    }
    let planned = walked.plan(progress)?;
    let left_behind = newer(&lake, before)?;
    recording.record.inputs = Some(Inputs::of(seen, planned.fresh(), &planned.resolution().sources));
    if night.dry_run {
        return Ok(told(&plan::text(&planned, night.strict)?));
    }
    planned.doubt();
    publish::open(settings)?;
    if !planned.resolution().recognised() && lake.current_number()?.is_none() {
        return Err(NightFault::Nothing(settings.raw()));
    }
    planned.resolution().has_season(night.stage.season.as_deref())?;
    if night.strict {
        planned.without_rejections()?;
    }
    let only = night.stage.season.as_deref();
    let sound = planned.sound(only, progress)?;
    if night.strict {
        sound.without_rejections()?;
    }
    // Told before it counts: a run that is killed in between is told of twice, and not never.
    let said = Said::of(&sound, (&lake, before), quiet)?;
    let mut night_of = sound.publish(settings)?;
    let old = std::mem::take(&mut night_of.old);
    let settle = || if only.is_none() { night_of.settle(settings) } else { Ok(()) };
    let (settled, ()) = rayon::join(settle, || old.into_iter().for_each(publish::Old::clear));
    settled?;
    let summary = status::summary(&night_of);
    // Files that turned out unusable on the way are in the resolution the night ended with.
    recording.record.inputs = Some(Inputs::of(seen, &night_of.fresh, &night_of.resolution.sources));
    recording.record.ended = summary.lines().next().unwrap_or_default().to_owned();
    recording.record.warnings.clone_from(&night_of.warnings);
    recording.count(&night_of.size);
    if let (Some(before), Some(left)) = (before, left_behind) {
        // A quiet run says it too: somebody took a night back, and this one may have undone that.
        tracing::warn!("{}", status::after_rollback(before, left, &night_of));
    }
    if !quiet {
        say(&summary);
    }
    recording.record.warnings.extend(said.sentences);
    Ok(if said.has_rejection { Exit::Rejected } else { Exit::Done })
}

/// What a night has to say of files that no night said before.
struct Said {
    sentences: Vec<String>,
    has_rejection: bool,
}

impl Said {
    /// Says it, what is complained of in a quiet run alone: the summary of any other tells it.
    fn of(sound: &steps::Sound, (lake, before): (&Lake, Option<u64>), quiet: bool) -> Result<Self, NightFault> {
        let resolution = sound.resolution();
        let known = Known::of(lake, &resolution.sources)?;
        let new = || resolution.sources.iter().filter(|row| known.is_new(row));
        let mut sentences: Vec<String> = new().filter_map(status::complaint).collect();
        if quiet {
            told_of(&sentences);
        }
        let lost = known.lost(resolution, before.map(|number| lake.snapshot(number)));
        told_of(&lost);
        sentences.extend(lost);
        Ok(Self { sentences, has_rejection: new().any(SourceRow::is_rejected) })
    }
}

/// Each file that was rejected or could not be read for the first time gets its sentence: it is all that the mail of a quiet
/// run says.
fn told_of(complaints: &[String]) {
    for complaint in complaints.iter().take(status::NAMED) {
        tracing::warn!("{complaint}");
    }
    if complaints.len() > status::NAMED {
        tracing::warn!("{} more; portes status lists them", amount(complaints.len() - status::NAMED, "file"));
    }
}

/// The newest snapshot past the one that counts: somebody rolled back, or a run was killed in its last step.
fn newer(lake: &Lake, current: Option<u64>) -> Result<Option<u64>, NightFault> {
    Ok(lake.numbers()?.last().copied().filter(|newest| current.is_some_and(|current| *newest > current)))
}

/// The snapshot that counts; there must be one.
fn published(settings: &Settings) -> Result<PathBuf, NightFault> {
    let lake = Lake::at(settings.lake());
    lake.counting()?.ok_or_else(|| NightFault::Empty(lake.root().to_path_buf()))
}

fn ingest(settings: &Settings, progress: &Progress) -> Result<Exit, NightFault> {
    let _lock = Lock::take(settings)?;
    signal::listen();
    planned::Walked::of(settings)?.plan(progress)?.build(progress)?.leave()?;
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
        return marts::text(&published(settings)?, settings, mart).map(|text| told(&text));
    }
    let _lock = Lock::take(settings)?;
    let mut building = begun(&Lake::at(settings.lake()))?;
    marts::write(&mut building, (settings, None), progress)?;
    building.leave()?;
    Ok(Exit::Done)
}

fn academy(settings: &Settings, asked: &Academy, progress: &Progress) -> Result<Exit, NightFault> {
    if let Some(AcademyAsk::Convert { file }) = &asked.ask {
        return academy::convert(file).map(|text| told(&text));
    }
    let _lock = Lock::take(settings)?;
    signal::listen();
    let mut building = begun(&Lake::at(settings.lake()))?;
    let trust = if asked.rebuild { academy::Trust::Nothing } else { academy::Trust::Checkpoints };
    let start = academy::write(&mut building, settings, (trust, progress))?;
    marts::stand(&mut building, settings)?;
    building.leave()?;
    say(&format!("{start}\nlake/next holds it: portes publish makes it count, and portes render its pages\n"));
    Ok(Exit::Done)
}

fn render(settings: &Settings, stage: &Stage, progress: &Progress) -> Result<Exit, NightFault> {
    let _lock = Lock::take(settings)?;
    published(settings)?;
    let lake = Lake::at(settings.lake());
    let number = lake.current_number()?.unwrap_or_default();
    let drawn = pages::draw((&lake.snapshot(number), number), settings, (stage.season.as_deref(), progress, &|| {}))?;
    let (pages, old) = drawn.exchange(settings)?;
    old.into_iter().for_each(publish::Old::clear);
    say(&format!("{pages}\n"));
    Ok(Exit::Done)
}

fn publish(settings: &Settings) -> Result<Exit, NightFault> {
    let _lock = Lock::take(settings)?;
    let building = Building::resume(Lake::at(settings.lake()))?;
    for table in [SourceRow::TABLE, PlayerCareerRow::TABLE, AcademyContestRow::TABLE] {
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

/// Back to the snapshot before, and its pages: they are ready before it counts.
fn rollback(settings: &Settings, quiet: bool, progress: &Progress) -> Result<Exit, NightFault> {
    let _lock = Lock::take(settings)?;
    published(settings)?;
    let lake = Lake::at(settings.lake());
    let number = snapshot::earlier(&lake)?;
    let drawn = pages::draw((&lake.snapshot(number), number), settings, (None, progress, &|| {}))?;
    let published = snapshot::rollback(&lake)?;
    let (pages, old) = drawn.exchange(settings)?;
    old.into_iter().for_each(publish::Old::clear);
    if !quiet {
        say(&format!("snapshot {} counts again; {pages}\n", published.number));
    }
    Ok(Exit::Done)
}

fn names(settings: &Settings) -> Result<Exit, NightFault> {
    let played = names::played(&published(settings)?, settings)?;
    Ok(told(&names::block(&names::suggestions(&played, settings), settings)))
}

fn check(settings: &Settings) -> Result<Exit, NightFault> {
    let findings = match check::snapshot(&published(settings)?, None).map_err(NightFault::from) {
        Err(fault) if fault.is_damage() => {
            say(&format!("Blocking: {fault}\n"));
            settled::forget(settings)?;
            say("the next portes run makes everything anew\n");
            return Ok(Exit::CheckFailed);
        }
        found => found?,
    };
    for finding in &findings {
        say(&format!("{:?} {} {}: {}\n", finding.weight, finding.check, finding.table, finding.sentence));
    }
    let broken = findings.iter().any(|finding| finding.weight == check::Weight::Blocking);
    if broken {
        settled::forget(settings)?;
        say("the next portes run makes everything anew\n");
    }
    say(if findings.is_empty() { "every contract holds\n" } else { "" });
    Ok(if broken { Exit::CheckFailed } else { Exit::Done })
}
