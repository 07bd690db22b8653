//! What was typed and written, and what holds.
//!
//! Two layers. [`typed`] is the command line and [`file`] is `portes.toml`, both as people wrote them. [`Settings`] is what
//! came out valid: paths, seasons, thresholds, aliases. Nothing past this room reads the command line, the file, the
//! environment or the clock.

pub mod academy;
pub mod effective;
pub mod file;
pub mod quoted;
pub mod typed;

use crate::game::Mpt;
use crate::measure;
use crate::measure::interval::Quantile;
use crate::measure::studied::Actions;
use crate::measure::trend::Goal;
use crate::rate::{ForcedRule, Rules};
use crate::tables::row::Day;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What keeps a run from starting.
#[derive(Debug, Error)]
pub enum ConfigFault {
    /// The file named on the command line is not there, or cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The configuration file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// Not TOML, or a key that is unknown or has the wrong kind.
    #[error("{path}: {detail}")]
    Invalid {
        /// The configuration file.
        path: String,
        /// Where and why.
        detail: String,
    },
}

/// For how many matches of a season pages are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchPages {
    /// All up to 2,000 a season, past that the main player's.
    #[default]
    Auto,
    /// All, however many.
    All,
}

/// A flat map from every spelling to the name a player goes by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases(BTreeMap<String, String>);

impl Aliases {
    /// The name that stands for `written`: its canonical form, or itself.
    #[must_use]
    pub fn canonical<'a>(&'a self, written: &'a str) -> &'a str {
        self.0.get(written).map_or(written, String::as_str)
    }

    /// Every alias and what it stands for, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(alias, name)| (alias.as_str(), name.as_str()))
    }

    /// # Errors
    /// A sentence when an alias stands for two names, or is itself the canonical name of others (no chains).
    pub fn new(written: &BTreeMap<String, Vec<String>>) -> Result<Self, String> {
        let mut map: BTreeMap<String, String> = BTreeMap::new();
        for (name, aliases) in written {
            for alias in aliases.iter().filter(|alias| *alias != name) {
                if written.contains_key(alias) {
                    return Err(format!("alias {alias:?} of {name:?} is itself a canonical name"));
                }
                if let Some(other) = map.insert(alias.clone(), name.clone()) {
                    return Err(format!("alias {alias:?} stands for both {other:?} and {name:?}"));
                }
            }
        }
        Ok(Self(map))
    }
}

/// Everything that holds for a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Holds `raw/`, gets `lake/`.
    pub data: PathBuf,
    /// Gets a folder a season.
    pub reports: PathBuf,
    /// Threads for parsing and writing.
    pub jobs: usize,
    /// The player the reports are made for, canonical.
    pub main_player: Option<String>,
    /// Spellings of players.
    pub players: Aliases,
    /// Spellings of events.
    pub events: Aliases,
    /// Thresholds and counting.
    pub rules: Rules,
    /// Study logs, beside those below raw/.
    pub study_sources: Vec<PathBuf>,
    /// Whose study a log is where its lines do not say, canonical.
    pub study_player: Option<String>,
    /// Which actions of a log are study.
    pub study_actions: Actions,
    /// Multiplier of intervals.
    pub quantile: Quantile,
    /// Which match pages.
    pub match_pages: MatchPages,
    /// A folder of templates that override ours.
    pub theme: Option<PathBuf>,
    /// How many snapshots are kept.
    pub snapshots: usize,
    /// What becomes of matches whose files are gone.
    pub missing: Missing,
    /// Where the main player wants to be, and when.
    pub goal: Option<Goal>,
    /// Whether pages tell what is new.
    pub news: News,
    /// The Academy.
    pub academy: academy::Academy,
}

/// Whether pages tell what is new since the last night.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum News {
    /// They are a function of tonight's inputs alone.
    #[default]
    Off,
    /// Season and player pages begin with what the snapshot before did not have.
    On,
}

/// What to do about files that are no longer below raw/.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// Their matches go with them.
    #[default]
    Forget,
    /// What an earlier night found in them holds on.
    Keep,
}

impl Settings {
    /// Where the dropped files lie.
    #[must_use]
    pub fn raw(&self) -> PathBuf {
        self.data.join("raw")
    }

    /// Where the tables go.
    #[must_use]
    pub fn lake(&self) -> PathBuf {
        self.data.join("lake")
    }

    /// What holds for one run.
    #[must_use]
    pub fn on(&self, night: &typed::Night) -> Self {
        let missing = if night.keep_missing { Missing::Keep } else { Missing::Forget };
        let news = if night.news { News::On } else { self.news };
        Self { missing, news, ..self.clone() }
    }

    /// Everything that shows in tables and pages, as text: equal texts, equal nights. What is new since the last night is
    /// no part of it: a page that tells some has it in its own key.
    #[must_use]
    pub fn print(&self) -> String {
        let nowhere = PathBuf::new();
        let bare = Self {
            data: nowhere.clone(),
            reports: nowhere.clone(),
            jobs: 0,
            snapshots: 0,
            theme: None,
            news: News::Off,
            ..self.clone()
        };
        format!("{bare:?}")
    }

    /// What the measures may be told.
    #[must_use]
    pub const fn measures(&self) -> measure::Settings {
        measure::Settings { quantile: self.quantile, error: self.rules.error, study: self.study_actions }
    }

    /// Reads the configuration file (absent is fine unless it was named) and joins it with what was typed.
    ///
    /// # Errors
    /// [`ConfigFault`] when the file cannot be read or says something that cannot hold.
    pub fn of(common: &typed::Common) -> Result<Self, ConfigFault> {
        let (path, written) = read(common)?;
        Self::join(common, written).map_err(|detail| ConfigFault::Invalid { path, detail })
    }

    fn join(common: &typed::Common, written: file::File) -> Result<Self, String> {
        let players = Aliases::new(&written.players.aliases)?;
        let academy = academy::Academy::of(&written.academy, &players)?;
        let rules =
            Rules::new(Mpt(written.thresholds.error), Mpt(written.thresholds.blunder), written.counting.forced.into())
                .map_err(|fault| format!("thresholds: {fault}"))?;
        if let Some(theme) = written.reports.theme.as_ref().filter(|theme| !theme.is_dir()) {
            return Err(format!("reports.theme is {}: there is no such folder", theme.display()));
        }
        if written.retention.snapshots == 0 {
            return Err("retention.snapshots must be at least 1".to_owned());
        }
        Ok(Self {
            data: common.data.clone(),
            reports: common.reports.clone(),
            jobs: common.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1),
            study_player: written.study.player.map(|name| players.canonical(&name).to_owned()),
            study_actions: Actions { lesson: written.study.lesson, other: written.study.other },
            main_player: written.players.main.map(|name| players.canonical(&name).to_owned()),
            players,
            events: Aliases::new(&written.events.aliases)?,
            rules,
            study_sources: written.study.sources,
            quantile: written.interval.quantile.into(),
            match_pages: written.reports.matches.into(),
            theme: written.reports.theme,
            snapshots: written.retention.snapshots,
            missing: Missing::Forget,
            goal: goal(&written.goal)?,
            news: if written.reports.news { News::On } else { News::Off },
            academy,
        })
    }
}

/// A goal is a PR and a day, or nothing.
fn goal(written: &file::Goal) -> Result<Option<Goal>, String> {
    let (pr, day) = match (written.pr, &written.day) {
        (None, None) => return Ok(None),
        (Some(pr), Some(day)) => (pr, day),
        _ => return Err("goal.pr and goal.day go together".to_owned()),
    };
    if !(pr.is_finite() && pr >= 0.0) {
        return Err(format!("goal.pr is {pr}: a PR is 0 or more"));
    }
    let date: jiff::civil::Date =
        day.parse().map_err(|_| format!("goal.day is {day:?}: a day is written 2026-12-31"))?;
    let epoch = jiff::civil::date(1970, 1, 1);
    Ok(Some(Goal { pr, day: Day((date - epoch).get_days()) }))
}

/// The configuration file and where it lies.
fn read(common: &typed::Common) -> Result<(String, file::File), ConfigFault> {
    let path = common.config.as_deref().unwrap_or(Path::new("portes.toml"));
    let shown = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => match file::File::parse(&text) {
            Ok(written) => Ok((shown, written)),
            Err(detail) => Err(ConfigFault::Invalid { path: shown, detail }),
        },
        Err(source) if source.kind() == std::io::ErrorKind::NotFound && common.config.is_none() => {
            Ok((shown, file::File::default()))
        }
        Err(source) => Err(ConfigFault::Unreadable { path: shown, source }),
    }
}

/// What holds, as a `portes.toml`: what is written over the defaults, every field explained.
///
/// # Errors
/// As [`Settings::of`].
pub fn printed(common: &typed::Common) -> Result<String, ConfigFault> {
    let (path, written) = read(common)?;
    let text = effective::text(&written);
    let sound = Settings::join(common, written).and(text);
    sound.map_err(|detail| ConfigFault::Invalid { path, detail })
}

impl From<file::Forced> for ForcedRule {
    fn from(written: file::Forced) -> Self {
        match written {
            file::Forced::Derived => Self::Derived,
            file::Forced::Xg => Self::Xg,
        }
    }
}

impl From<file::QuantileName> for Quantile {
    fn from(written: file::QuantileName) -> Self {
        match written {
            file::QuantileName::Normal => Self::Normal,
            file::QuantileName::Student => Self::Student,
        }
    }
}

impl From<file::Matches> for MatchPages {
    fn from(written: file::Matches) -> Self {
        match written {
            file::Matches::Auto => Self::Auto,
            file::Matches::All => Self::All,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pairs: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
        pairs.iter().map(|(name, all)| ((*name).to_owned(), all.iter().map(|a| (*a).to_owned()).collect())).collect()
    }

    #[test]
    fn an_alias_stands_for_one_name_and_chains_are_refused() {
        let aliases = Aliases::new(&written(&[("Émberline", &["Emberline", "emberline"])])).unwrap_or_default();
        assert_eq!(aliases.canonical("emberline"), "Émberline");
        assert_eq!(aliases.canonical("Dovetail"), "Dovetail");
        assert!(Aliases::new(&written(&[("A", &["B"]), ("B", &["C"])])).is_err());
        assert!(Aliases::new(&written(&[("A", &["C"]), ("B", &["C"])])).is_err());
    }
}
