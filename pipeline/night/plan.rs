//! A plan in words (`--dry-run`): which files would be read, which parts written, and why.

use super::academy;
use super::amount::amount;
use super::build::Touched;
use super::cache::Cache;
use super::fault::NightFault;
use super::ledger::Where;
use super::pages::press;
use super::planned::Planned;
use super::resolve::Finding;
use super::status::terminal;
use super::{side, walk};
use crate::ingest::study::rows::StudyRows;
use crate::tables::facts::MatchRow;
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use crate::tables::row::{self, Row};
use crate::tables::study::{StudyEventRow, TreatedPositionRow};
use crate::tables::study_marts::PlacesPointsRow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// Paths named one by one; more are counted.
const NAMED: usize = 20;

/// What a run would do.
///
/// # Errors
/// When a part or a contest file cannot be read.
pub fn text(planned: &Planned<'_>, is_strict: bool) -> Result<String, NightFault> {
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
    sheets(&mut out, planned);
    let (touched, buckets) = planned.touched();
    _ = writeln!(out, "{} of {buckets} buckets would be written", touched.len());
    for ((season, bucket), why) in &touched {
        _ = writeln!(out, "season {}, bucket {bucket}: {}", terminal(season), reason((season, bucket), why, planned));
    }
    for (season, gone) in planned.lost() {
        _ = writeln!(out, "season {}: {} gone", terminal(season), amount(gone.len(), "match"));
    }
    pages(&mut out, planned, &touched)?;
    if !touched.is_empty() && planned.seasons().len() > 1 {
        out.push_str("pages of other seasons: those that show something of it, of players and of the Academy\n");
    }
    let (beside, start) = (beside(planned)?, academy::foreseen(planned)?);
    if touched.is_empty() && beside.is_empty() && planned.lost().is_empty() {
        out.push_str(if start.changes {
            "no part of a match would change; the Academy's tables and the standings would, and the pages that show them\n"
        } else {
            "no part would change; marts and pages would be made anew where the configuration asks for it\n"
        });
    }
    out.push_str(&beside);
    _ = writeln!(out, "academy: {start}");
    if is_strict && let Err(refused) = planned.without_rejections() {
        _ = writeln!(out, "none of it would be done: {refused}");
    }
    Ok(out)
}

/// What the files that go with matches would change; nothing where their rows are the published ones.
fn beside(planned: &Planned<'_>) -> Result<String, NightFault> {
    let (sightings, named) = planned.beside();
    let (settings, snapshot) = (planned.settings(), Lake::at(planned.settings().lake()).current());
    let StudyRows { events, treated } = side::foreseen(&snapshot, (sightings, named), settings)?;
    let (events_change, treated_change) = (events != published(&snapshot)?, treated != published(&snapshot)?);
    let here: BTreeSet<&str> = planned.resolution().sources.iter().map(|row| row.season.as_str()).collect();
    let mut points = side::points(sightings, settings);
    points.retain(|row| here.contains(row.season.as_str()));
    let places_change = points != published::<PlacesPointsRow>(&snapshot)?;
    let mut out = String::new();
    let changed = [(events_change, StudyEventRow::TABLE), (treated_change, TreatedPositionRow::TABLE)];
    let tables: Vec<&str> = changed.iter().filter(|(change, _)| *change).map(|(_, table)| *table).collect();
    if !tables.is_empty() {
        // What is treated is not offered again, and an action is also a reason that its position is treated.
        let before_after = if events_change { "before_after and " } else { "" };
        _ = writeln!(
            out,
            "study logs: {} would change; of the marts {before_after}reference_positions, and the pages of whose study it is",
            tables.join(" and "),
        );
    }
    if places_change {
        out.push_str("final places: places_points and standings would change, and their pages\n");
    }
    Ok(out)
}

/// What the new and changed ones of these files say.
fn sheets(out: &mut String, planned: &Planned<'_>) {
    let fresh: BTreeSet<&String> = planned.fresh().new.iter().chain(&planned.fresh().changed).collect();
    for sighting in planned.beside().0.iter().filter(|sighting| fresh.contains(&sighting.shown)) {
        if let Finding::Side(sheets) = &sighting.found {
            _ = writeln!(out, "  {}: {}", terminal(&sighting.shown), terminal(&sheets.summary()));
        }
    }
}

/// All rows of a published table in their order.
fn published<R: Row>(snapshot: &Path) -> Result<Vec<R>, NightFault> {
    let mut rows = Vec::new();
    for listed in lake::parts(snapshot, R::TABLE)? {
        rows.extend(part::read::<R>(&listed.path)?);
    }
    row::sort(&mut rows);
    Ok(rows)
}

/// The seasons whose pages cannot be taken over, where there was a night before.
fn printed_anew<'a>(planned: &'a Planned<'_>) -> Result<BTreeSet<&'a str>, NightFault> {
    let settings = planned.settings();
    let lake = Lake::at(settings.lake());
    if lake.current_number()?.is_none() {
        return Ok(BTreeSet::new());
    }
    let cache = Cache::of(&lake);
    let seasons: BTreeSet<&str> = planned.resolution().sources.iter().map(|row| row.season.as_str()).collect();
    let is_another = |season: &&str| !press::may_be_linked(&cache, &settings.reports.join(season));
    Ok(seasons.into_iter().filter(is_another).collect())
}

/// Whose pages: those of the matches that are made or gone, of their players, and the season's own; or all of them.
fn pages(out: &mut String, planned: &Planned<'_>, touched: &BTreeMap<Where, Touched>) -> Result<(), NightFault> {
    let mut seasons: BTreeMap<&str, (usize, BTreeSet<String>)> = BTreeMap::new();
    let gone: BTreeSet<&str> = touched.values().flat_map(|why| &why.gone).map(String::as_str).collect();
    let players_gone = published_players(planned, &gone)?;
    for ((season, _), why) in touched {
        let (matches, players) = seasons.entry(season).or_default();
        *matches += why.made.len() + why.gone.len();
        players.extend(why.made.iter().flat_map(|id| planned.players(id)));
        players.extend(why.gone.iter().filter_map(|id| players_gone.get(id)).flatten().cloned());
    }
    let anew = printed_anew(planned)?;
    for season in &anew {
        _ = writeln!(
            out,
            "season {}, pages: all of them, for {} is not as a run of this program left it",
            terminal(season),
            terminal(&walk::spelled(planned.settings().reports.join(season).as_os_str())),
        );
    }
    for (season, (matches, players)) in seasons.into_iter().filter(|(season, _)| !anew.contains(season)) {
        if matches == 0 {
            _ = writeln!(out, "season {}, pages: the season's own", terminal(season));
            continue;
        }
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
    Ok(())
}

/// Who played these matches, as the published tables say.
fn published_players(
    planned: &Planned<'_>,
    wanted: &BTreeSet<&str>,
) -> Result<BTreeMap<String, [String; 2]>, NightFault> {
    if wanted.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = published::<MatchRow>(&Lake::at(planned.settings().lake()).current())?;
    let rows = rows.into_iter().filter(|row| wanted.contains(row.match_id.as_str()));
    Ok(rows.map(|row| (row.match_id, [row.player_1, row.player_2])).collect())
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
    if why.moved > 0 {
        said.push(format!("{} moved to another bucket", amount(why.moved, "match")));
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
