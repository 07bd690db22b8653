//! A plan in words (`--dry-run`): which files would be read, which parts written, and why.

use super::academy;
use super::amount::amount;
use super::build::Touched;
use super::fault::NightFault;
use super::ledger::Where;
use super::status::terminal;
use super::steps::Planned;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Paths named one by one; more are counted.
const NAMED: usize = 20;

/// What a run would do.
///
/// # Errors
/// When a part or a contest file cannot be read.
pub fn text(planned: &Planned<'_>) -> Result<String, NightFault> {
    let mut out = String::new();
    let fresh = planned.fresh();
    for (what, paths) in [("new", &fresh.new), ("changed", &fresh.changed), ("vanished", &fresh.vanished)] {
        for path in paths.iter().take(NAMED) {
            _ = writeln!(out, "{what}: {}", terminal(path));
        }
        if paths.len() > NAMED {
            _ = writeln!(out, "{what}: and {} more", paths.len() - NAMED);
        }
    }
    let (touched, buckets) = planned.touched();
    _ = writeln!(out, "{} of {buckets} buckets would be written", touched.len());
    for ((season, bucket), why) in &touched {
        _ = writeln!(out, "season {}, bucket {bucket}: {}", terminal(season), reason((season, bucket), why, planned));
    }
    pages(&mut out, planned, &touched);
    if touched.is_empty() {
        out.push_str("no part would change; marts and pages would be made anew where the configuration asks for it\n");
    }
    if planned.settings().academy.enabled {
        _ = writeln!(out, "academy: {}", academy::foreseen(planned)?);
    }
    Ok(out)
}

/// Whose pages: those of the matches that are made or gone, of their players, and the season's own.
fn pages(out: &mut String, planned: &Planned<'_>, touched: &BTreeMap<Where, Touched>) {
    let mut seasons: BTreeMap<&str, (usize, BTreeSet<String>)> = BTreeMap::new();
    for ((season, _), why) in touched {
        let (matches, players) = seasons.entry(season).or_default();
        *matches += why.made.len() + why.gone.len();
        players.extend(why.made.iter().flat_map(|id| planned.players(id)));
    }
    for (season, (matches, players)) in seasons {
        let named: Vec<String> = players.iter().take(NAMED).map(|name| terminal(name)).collect();
        let more = if players.len() > NAMED { ", ..." } else { "" };
        _ = writeln!(
            out,
            "season {}, pages: the season's own, those of {} and of the players in them ({}{more})",
            terminal(season),
            amount(matches, "match"),
            named.join(", "),
        );
    }
}

fn reason((season, bucket): (&str, &str), why: &Touched, planned: &Planned<'_>) -> String {
    let mut said = Vec::new();
    let held = |id: &&String| planned.ledger().buckets.values().any(|entry| entry.matches.contains_key(*id));
    let again = why.made.iter().filter(held).count();
    if why.made.len() > again {
        said.push(amount(why.made.len() - again, "new match"));
    }
    if again > 0 {
        said.push(format!("{} made again: files, paths, names or rules are others", amount(again, "match")));
    }
    if !why.gone.is_empty() {
        said.push(format!("{} gone", amount(why.gone.len(), "match")));
    }
    if why.copied > 0 {
        said.push(format!("{} copied", amount(why.copied, "match")));
    }
    let place: Where = (season.to_owned(), bucket.to_owned());
    if !planned.ledger().buckets.contains_key(&place) {
        said.push("the season is divided anew".to_owned());
    }
    said.join(", ")
}
