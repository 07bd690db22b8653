//! `portes.toml` as it is written: every field optional, unknown keys refused with a suggestion.

use crate::spelling::nearest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct File {
    /// `[players]`
    pub players: Players,
    /// `[events]`
    pub events: Events,
    /// `[thresholds]`
    pub thresholds: Thresholds,
    /// `[counting]`
    pub counting: Counting,
    /// `[interval]`
    pub interval: Interval,
    /// `[study]`
    pub study: Study,
    /// `[reports]`
    pub reports: Reports,
    /// `[goal]`
    pub goal: Goal,
    /// `[retention]`
    pub retention: Retention,
    /// `[academy]` and the sections below it
    pub academy: crate::academy::settings::Settings,
}

/// `[players]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Players {
    /// The player the reports are made for.
    pub main: Option<String>,
    /// Canonical name -> other spellings.
    pub aliases: BTreeMap<String, Vec<String>>,
}

/// `[events]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Events {
    /// Canonical name -> other spellings.
    pub aliases: BTreeMap<String, Vec<String>>,
}

/// `[thresholds]`, in mpt.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Thresholds {
    /// An error costs at least this.
    pub error: i64,
    /// A blunder costs at least this.
    pub blunder: i64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { error: 50, blunder: 100 }
    }
}

/// `[counting]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Counting {
    /// Which rule says that a play is forced.
    pub forced: Forced,
}

/// Which rule says that a play is forced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Forced {
    /// From the legal plays: the same for every format.
    #[default]
    Derived,
    /// XG's own flag where the file has it.
    Xg,
}

/// `[interval]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Interval {
    /// Multiplier of the standard error.
    pub quantile: QuantileName,
}

/// Multiplier of the standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QuantileName {
    /// 1.96.
    #[default]
    Normal,
    /// Student's.
    Student,
}

/// `[study]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Study {
    /// Study logs, beside those below raw/.
    pub sources: Vec<PathBuf>,
    /// Whose study a log is where its lines do not say; the main player otherwise.
    pub player: Option<String>,
    /// Lessons are study, too.
    pub lesson: bool,
    /// Actions called `other` are study, too.
    pub other: bool,
}

/// `[reports]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reports {
    /// Which match pages.
    pub matches: Matches,
    /// A folder of templates that override ours.
    pub theme: Option<PathBuf>,
    /// Season and player pages begin with what is new since the last night.
    pub news: bool,
}

/// Which match pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Matches {
    /// All up to 2,000 a season, past that the main player's.
    #[default]
    Auto,
    /// All.
    All,
}

/// `[goal]`: the main player's.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Goal {
    /// PR to reach.
    pub pr: Option<f64>,
    /// By this day: `2026-12-31`.
    pub day: Option<String>,
}

/// `[retention]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// How many snapshots are kept.
    pub snapshots: usize,
}

impl Default for Retention {
    fn default() -> Self {
        Self { snapshots: 7 }
    }
}

impl File {
    /// # Errors
    /// Line, column and reason, with the nearest known key for an unknown one.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|fault| {
            let message = fault.message().to_owned();
            let plain = plain(&message);
            let at = fault.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            match suggestion(&message) {
                Some(near) => format!("line {at}: {plain}; did you mean `{near}`?"),
                None => format!("line {at}: {plain}"),
            }
        })
    }
}

/// A sentence of serde's about a value of the wrong kind in words for whoever wrote the file; any other as it stands.
fn plain(message: &str) -> String {
    let message = message.trim_end();
    if let Some(wanted) = message.strip_prefix("wanted ") {
        return format!("here {} is expected", wanted_in_words(wanted));
    }
    let said = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    let Some((found, wanted)) = said.and_then(|said| said.rsplit_once(", expected ")) else {
        return message.replacen("unknown variant", "unknown value", 1);
    };
    format!("here {} is expected, not {}", wanted_in_words(wanted), found_in_words(found))
}

fn wanted_in_words(wanted: &str) -> &str {
    match wanted {
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more,",
        "f32" | "f64" => "a number",
        "a string" | "path string" | "string or table" | "variant identifier" => "a text in quotation marks",
        "a boolean" => "true or false",
        "a sequence" => "a list in brackets",
        "a map" => "a section of its own",
        other if other.starts_with("struct ") => "a section of its own",
        other if other.starts_with("an array of length ") || other.starts_with("a tuple ") => "a list in brackets",
        other => other,
    }
}

fn found_in_words(found: &str) -> String {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    match (kind, value) {
        ("integer" | "boolean", value) => value.trim_matches('`').to_owned(),
        ("floating", value) => value.trim_start_matches("point ").trim_matches('`').to_owned(),
        ("string", value) => format!("the text {value}"),
        ("sequence", _) => "a list".to_owned(),
        ("map", _) => "a section".to_owned(),
        _ => found.to_owned(),
    }
}

/// The known key or word nearest to the unknown one, both read from serde's own sentence.
fn suggestion(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `").or_else(|| message.strip_prefix("unknown variant `"))?;
    let (unknown, rest) = rest.split_once('`')?;
    nearest(unknown, rest.split('`').skip(1).step_by(2)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_is_refused_with_its_line_and_the_nearest_known_one() {
        let said = File::parse("[thresholds]\nerror = 50\nblundr = 100\n").err().unwrap_or_default();
        assert!(said.contains("line 3"), "{said}");
        assert!(said.contains("did you mean `blunder`?"), "{said}");
        let said = File::parse("[counting]\nforced = \"derivd\"\n").err().unwrap_or_default();
        assert!(said.contains("line 2") && said.contains("did you mean `derived`?"), "{said}");
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_told_in_plain_words() {
        for (written, said) in [
            ("[thresholds]\nerror = \"fifty\"\n", "line 2: here a whole number is expected, not the text \"fifty\""),
            ("[thresholds]\nerror = 5.5\n", "line 2: here a whole number is expected, not 5.5"),
            ("[retention]\nsnapshots = -1\n", "line 2: here a whole number, 0 or more, is expected, not -1"),
            (
                "[study]\nsources = \"one.csv\"\n",
                "line 2: here a list in brackets is expected, not the text \"one.csv\"",
            ),
            ("[study]\nsources = [1]\n", "line 2: here a text in quotation marks is expected, not 1"),
            ("[study]\nlesson = \"yes\"\n", "line 2: here true or false is expected, not the text \"yes\""),
            ("[players]\nmain = [\"A\"]\n", "line 2: here a text in quotation marks is expected, not a list"),
            ("[goal]\npr = \"four\"\n", "line 2: here a number is expected, not the text \"four\""),
            ("players = 3\n", "line 1: here a section of its own is expected, not 3"),
            ("[counting]\nforced = 1\n", "line 2: here a text in quotation marks is expected"),
            ("[academy.fuseki]\ndepth_share = 3\n", "line 2: here a list in brackets is expected, not 3"),
        ] {
            assert_eq!(File::parse(written).err().as_deref(), Some(said));
        }
    }

    #[test]
    fn every_field_is_optional() -> Result<(), String> {
        let file = File::parse("[players]\nmain = \"A\"\naliases = { A = [\"a\"] }\n")?;
        assert_eq!(file.thresholds.blunder, 100);
        assert_eq!(file.retention.snapshots, 7);
        Ok(())
    }
}
