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
pub const FIELDS: [Field; 43] = [
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
    field("study", "lesson", ["false", "whether a log's lessons count as study of their position, before and after"]),
    field("study", "other", ["false", "whether its actions called other do"]),
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
    field("academy", "enabled", ["true", "whether shared playing knowledge is kept"]),
    field(
        "academy",
        "value",
        [
            "\"win\"",
            "a position's worth: the chance to \"win\" the game; or \"mwc\", the match, where all have one length",
        ],
    ),
    field(
        "academy",
        "votes",
        ["\"players\"", "whose voice a pattern counts: \"players\", one each, or \"proposals\", each time"],
    ),
    field("academy.fuseki", "max_nodes", ["1000", "positions the opening tree keeps"]),
    field("academy.fuseki", "depth_share", ["[1, 3]", "the opening, as a share of the mean length"]),
    field("academy.fuseki", "prune_min_children", ["2", "replies without which no position is pruned"]),
    field("academy.chuban", "max_patterns", ["1000", "patterns of the middle game"]),
    field("academy.chuban", "first_ply", ["4", "first turn of the middle game; else the game's own"]),
    field("academy.yose", "max_patterns", ["5000", "patterns of the endgame"]),
    field(
        "academy.yose",
        "window",
        ["\"mean\"", "the endgame: past four fifths of the \"mean\" length, or the \"tail\" of each game"],
    ),
    field("academy.yose", "last_share", ["[1, 5]", "the endgame, as a share of the mean length"]),
    field("academy.filing", "elo_band", ["200.0", "Elo within which patterns merge, above which they sharpen"]),
    field("academy.filing", "firm_high", ["0.66", "above it a value is firmly good"]),
    field("academy.filing", "firm_low", ["0.33", "below it a value is firmly bad"]),
    field("academy.filing", "max_changed_cells", ["1", "cells that one merge may change"]),
    field("academy.filing", "max_wild_share", ["[1, 3]", "cells that may stand for several contents after a change"]),
    field("academy.publish", "elo_margin", ["100.0", "an opponent weaker by this or more does not count"]),
    field("academy.publish", "gain", ["0.2", "what a move must gain to be published"]),
    field("academy.publish", "gain_crossing", ["0.1", "likewise, from below one half to above it"]),
    field("academy.publish", "scale", ["\"absolute\"", "a gain is \"absolute\", or \"relative\" to the value before"]),
    field("academy.publish", "max_cost", ["0.02", "what a published play may lose, in equity"]),
    field("academy.consult", "opening_share", ["[1, 4]", "share of opening decisions that may be consulted"]),
    field("academy.consult", "low_value", ["0.33", "middle and end are consulted only below this value"]),
    field("academy.consult", "elo_margin", ["200.0", "knowledge of players weaker by this or more is no advice"]),
    field(
        "academy.ratings",
        "source",
        [
            "\"results\"",
            "where ratings come from: \"results\", or \"machine\", 2000 and the strength against the engine",
        ],
    ),
    field("academy.ratings", "seed", ["\"ratings.csv\"", "starting figures, a file of player,rating,experience"]),
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
        let of = |table: &Table| {
            section.split('.').try_fold(table, |table, name| table.get(name)?.as_table())?.get(field.key).cloned()
        };
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
    use crate::academy::settings;
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
            study: Study { sources: vec!["a/b.csv".into()], player: Some("B".to_owned()), lesson: true, other: true },
            reports: Reports { matches: Matches::All, theme: Some("theme".into()), news: true },
            goal: Goal { pr: Some(4.25), day: Some("2026-12-31".to_owned()) },
            retention: Retention { snapshots: 3 },
            academy: academy(),
        }
    }

    /// Another value everywhere.
    fn academy() -> settings::Settings {
        settings::Settings {
            enabled: false,
            value: settings::ValueOf::Mwc,
            votes: settings::VotesBy::Proposals,
            fuseki: settings::FusekiSettings { max_nodes: 10, depth_share: [1, 4], prune_min_children: 3 },
            chuban: settings::ChubanSettings { max_patterns: 20, first_ply: Some(5) },
            yose: settings::YoseSettings { max_patterns: 30, window: settings::Window::Tail, last_share: [1, 6] },
            filing: settings::FilingSettings {
                elo_band: 150.0,
                firm_high: 0.7,
                firm_low: 0.3,
                max_changed_cells: 2,
                max_wild_share: [1, 2],
            },
            publish: settings::PublishSettings {
                elo_margin: 50.0,
                gain: 0.25,
                gain_crossing: 0.125,
                scale: settings::Scale::Relative,
                max_cost: 0.01,
            },
            consult: settings::ConsultSettings { opening_share: [1, 5], low_value: 0.4, elo_margin: 100.0 },
            ratings: settings::RatingSettings { source: settings::Source::Machine, seed: Some("x.csv".to_owned()) },
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
        // Main player, whose study, theme, the goal's two, the middle game's first turn and the seeds.
        assert_eq!((unset, printed.matches("; default\n").count()), (7, FIELDS.len() - 7), "{printed}");
        let printed = text(&full())?;
        assert!(!printed.contains("; not set") && !printed.contains("; default"), "{printed}");
        Ok(())
    }

    /// A field, or those of a section within a section; the aliases of players are a table and one field.
    fn below(section: &str, (key, value): (&String, &Value)) -> Vec<(String, String)> {
        match value.as_table().filter(|_| key != "aliases") {
            Some(table) => table.keys().map(|inner| (format!("{section}.{key}"), inner.clone())).collect(),
            None => vec![(section.to_owned(), key.clone())],
        }
    }

    #[test]
    fn every_field_of_the_file_is_explained() -> Result<(), toml::ser::Error> {
        let table = Table::try_from(full())?;
        let written: BTreeSet<(String, String)> = table
            .iter()
            .filter_map(|(section, keys)| Some((section, keys.as_table()?)))
            .flat_map(|(section, keys)| keys.iter().flat_map(|(key, value)| below(section, (key, value))))
            .collect();
        let explained = FIELDS.iter().map(|field| (field.section.to_owned(), field.key.to_owned()));
        assert_eq!(explained.collect::<BTreeSet<_>>(), written);
        Ok(())
    }
}
