//! `portes config`: what holds, as a `portes.toml` that says the same when it is read.
//!
//! [`FIELDS`] is the one list of the file's fields and what each means. A field that is not set stands there as a comment;
//! one that has its default value says so.

use super::file::File;
use super::quoted::quoted;
use std::fmt::Write as _;
use toml::{Table, Value};

/// A field of `portes.toml`.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// `players` for `[players]`.
    pub section: &'static str,
    /// Its key.
    pub key: &'static str,
    /// A value, for a field that is absent unless it is written.
    pub example: &'static str,
    /// What it means, with unit and choices.
    pub says: &'static str,
}

const fn field(section: &'static str, key: &'static str, [example, says]: [&'static str; 2]) -> Field {
    Field { section, key, example, says }
}

/// Every field, in the order of the file.
pub const FIELDS: [Field; 15] = [
    field("players", "main", ["\"Name\"", "the player the reports are made for"]),
    field(
        "players",
        "aliases",
        ["{}", "a name and its other spellings: figures are summed over all of them before any rate"],
    ),
    field("events", "aliases", ["{}", "an event's name and its other spellings"]),
    field("thresholds", "error", ["50", "an error costs at least this, in thousandths of an equity"]),
    field("thresholds", "blunder", ["100", "a blunder costs at least this, in thousandths of an equity"]),
    field(
        "counting",
        "forced",
        ["\"derived\"", "what says that a play is forced: \"derived\" from the legal plays, or \"xg\", XG's own flag"],
    ),
    field(
        "interval",
        "quantile",
        ["\"normal\"", "multiplier of a standard error: \"normal\" is 1.96, \"student\" is wider with few units"],
    ),
    field("study", "sources", ["[]", "study logs, beside those below raw/"]),
    field("study", "player", ["\"Name\"", "whose study a log is where its lines do not say; else the main player"]),
    field(
        "reports",
        "matches",
        [
            "\"auto\"",
            "pages of matches: \"auto\" is all up to 2,000 a season and past that the main player's, or \"all\"",
        ],
    ),
    field("reports", "theme", ["\"folder\"", "a folder of templates that override ours"]),
    field("reports", "news", ["true", "season and player pages begin with what is new since last night"]),
    field("goal", "pr", ["4.5", "PR that the main player wants to reach"]),
    field("goal", "day", ["\"2026-12-31\"", "by this day; his page says where the line through his matches leads"]),
    field("retention", "snapshots", ["7", "published lakes that are kept, at least 1"]),
];

/// The file as it holds, every field explained.
///
/// # Errors
/// A sentence when a field cannot be written as TOML (a path that is not UTF-8).
pub fn text(file: &File) -> Result<String, String> {
    let [held, defaults] =
        [file, &File::default()].map(|file| Table::try_from(file).map_err(|fault| fault.to_string()));
    let (held, defaults) = (held?, defaults?);
    let mut out = String::new();
    let mut section = "";
    for field in FIELDS {
        if field.section != section {
            section = field.section;
            _ = writeln!(out, "{}[{section}]", if out.is_empty() { "" } else { "\n" });
        }
        let of = |table: &Table| table.get(section)?.as_table()?.get(field.key).cloned();
        let Field { key, example, says, .. } = field;
        match of(&held) {
            None => _ = writeln!(out, "# {says}; not set\n# {key} = {example}"),
            value if value == of(&defaults) => {
                _ = writeln!(out, "# {says}; default\n{key} = {}", written(value.as_ref()));
            }
            value => _ = writeln!(out, "# {says}\n{key} = {}", written(value.as_ref())),
        }
    }
    Ok(out)
}

/// A value on one line. The fields' own shapes bound the depth: a table of lists of texts at most.
fn written(value: Option<&Value>) -> String {
    let list = |values: &[String], [open, close]: [&str; 2]| {
        if values.is_empty() { format!("{open}{close}") } else { format!("{open} {} {close}", values.join(", ")) }
    };
    match value {
        None => String::new(),
        Some(Value::String(text)) => quoted(text),
        Some(Value::Array(values)) => {
            let values: Vec<String> = values.iter().map(|value| written(Some(value))).collect();
            format!("[{}]", values.join(", "))
        }
        Some(Value::Table(table)) => {
            let pairs: Vec<String> =
                table.iter().map(|(key, value)| format!("{} = {}", quoted(key), written(Some(value)))).collect();
            list(&pairs, ["{", "}"])
        }
        Some(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::{
        Counting, Events, Forced, Goal, Interval, Matches, Players, QuantileName, Reports, Retention, Study, Thresholds,
    };
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Every field written, none with its default. No `..`: a new field does not compile until it stands here.
    fn full() -> File {
        let aliases =
            |name: &str| BTreeMap::from([(name.to_owned(), vec!["a \"b\"\n".to_owned(), "\u{202e}".to_owned()])]);
        File {
            players: Players { main: Some("Émberline".to_owned()), aliases: aliases("Émberline\u{1b}") },
            events: Events { aliases: aliases("Open.2") },
            thresholds: Thresholds { error: 20, blunder: 80 },
            counting: Counting { forced: Forced::Xg },
            interval: Interval { quantile: QuantileName::Student },
            study: Study { sources: vec!["a/b.csv".into()], player: Some("B".to_owned()) },
            reports: Reports { matches: Matches::All, theme: Some("theme".into()), news: true },
            goal: Goal { pr: Some(4.25), day: Some("2026-12-31".to_owned()) },
            retention: Retention { snapshots: 3 },
        }
    }

    #[test]
    fn what_is_printed_reads_back_to_the_same() -> Result<(), String> {
        for file in [File::default(), full()] {
            assert_eq!(File::parse(&text(&file)?)?, file);
        }
        Ok(())
    }

    #[test]
    fn defaults_are_marked_and_only_they() -> Result<(), String> {
        let printed = text(&File::default())?;
        let unset = printed.matches("; not set\n").count();
        assert_eq!((unset, printed.matches("; default\n").count()), (5, FIELDS.len() - 5), "{printed}");
        let printed = text(&full())?;
        assert!(!printed.contains("; not set") && !printed.contains("; default"), "{printed}");
        Ok(())
    }

    #[test]
    fn every_field_of_the_file_is_explained() -> Result<(), toml::ser::Error> {
        let table = Table::try_from(full())?;
        let written: BTreeSet<(String, String)> = table
            .iter()
            .filter_map(|(section, keys)| Some((section, keys.as_table()?)))
            .flat_map(|(section, keys)| keys.keys().map(|key| (section.clone(), key.clone())))
            .collect();
        let explained = FIELDS.iter().map(|field| (field.section.to_owned(), field.key.to_owned()));
        assert_eq!(explained.collect::<BTreeSet<_>>(), written);
        Ok(())
    }
}
