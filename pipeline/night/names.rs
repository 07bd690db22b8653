//! `portes names`: spellings that are probably one player's, as a `[players]` block to paste.
//!
//! Names that fold alike (case, accents, blanks, punctuation, HTML entities) are only *suggested* as one: the alias table
//! decides, and nothing is merged behind anybody's back. Names are kept and shown exactly as they are written.

use super::fault::NightFault;
use crate::config::Settings;
use crate::config::quoted::quoted;
use crate::ingest::identity::fold;
use crate::tables::facts::MatchRow;
use crate::tables::lake;
use crate::tables::part;
use crate::tables::row::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// Names that fold alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The one to keep: it has aliases already, else the most matches, else the smallest.
    pub name: String,
    /// The others, each with its matches, in the order of their bytes.
    pub others: BTreeMap<String, usize>,
}

/// Matches by the name a player goes by today.
///
/// # Errors
/// A part that cannot be read.
pub fn played(snapshot: &Path, settings: &Settings) -> Result<BTreeMap<String, usize>, NightFault> {
    let mut matches: BTreeMap<String, usize> = BTreeMap::new();
    for listed in lake::parts(snapshot, MatchRow::TABLE)? {
        part::each::<MatchRow>(&listed.path, &mut |rows| {
            for name in rows.iter().flat_map(|row| [&row.name_1, &row.name_2]) {
                *matches.entry(settings.players.canonical(name).to_owned()).or_default() += 1;
            }
        })?;
    }
    Ok(matches)
}

/// What may be one player, in the order of the names to keep. A name without letter or digit is like no other.
#[must_use]
pub fn suggestions(matches: &BTreeMap<String, usize>, settings: &Settings) -> Vec<Suggestion> {
    let known: BTreeSet<&str> = settings.players.iter().map(|(_, name)| name).collect();
    let mut alike: BTreeMap<String, Vec<(&String, usize)>> = BTreeMap::new();
    for (name, n) in matches {
        alike.entry(fold(name)).or_default().push((name, *n));
    }
    alike.remove("");
    let mut all: Vec<Suggestion> = alike
        .into_values()
        .filter(|names| names.len() > 1)
        .filter_map(|names| {
            let kept =
                names.iter().max_by_key(|(name, n)| (known.contains(name.as_str()), *n, std::cmp::Reverse(name)))?;
            let name = kept.0.clone();
            let others = names.into_iter().filter(|(other, _)| **other != name).map(|(other, n)| (other.clone(), n));
            Some(Suggestion { others: others.collect(), name })
        })
        .collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// The block to paste in place of `[players]`: the aliases of today and the suggested ones.
#[must_use]
pub fn block(suggested: &[Suggestion], settings: &Settings) -> String {
    let mut merged: BTreeMap<&str, &str> = BTreeMap::new();
    for suggestion in suggested {
        merged.extend(suggestion.others.keys().map(|other| (other.as_str(), suggestion.name.as_str())));
    }
    let now = |name| *merged.get(name).unwrap_or(&name);
    let mut aliases: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (alias, name) in settings.players.iter().chain(merged.iter().map(|(other, name)| (*other, *name))) {
        aliases.entry(now(name)).or_default().insert(alias);
    }
    let mut out = String::new();
    _ = match suggested.len() {
        0 => writeln!(out, "# no two names fold alike: nothing to suggest"),
        1 => writeln!(out, "# 1 name is written in more than one way; what is right goes into portes.toml"),
        n => writeln!(out, "# {n} names are written in more than one way; what is right goes into portes.toml"),
    };
    if !suggested.is_empty() {
        out.push_str("# this block takes the place of [players] and [players.aliases] there\n");
    }
    out.push_str("[players]\n");
    if let Some(main) = settings.main_player.as_deref() {
        _ = writeln!(out, "main = {}", quoted(now(main)));
    }
    out.push_str("\n[players.aliases]\n");
    for (name, spellings) in aliases {
        let list: Vec<String> = spellings.iter().map(|spelling| quoted(spelling)).collect();
        for (other, n) in suggested.iter().filter(|s| s.name == name).flat_map(|s| &s.others) {
            let matches = if *n == 1 { "match" } else { "matches" };
            _ = writeln!(out, "# suggested: {}, in {n} {matches}, is {}", quoted(other), quoted(name));
        }
        _ = writeln!(out, "{} = [{}]", quoted(name), list.join(", "));
    }
    out
}
