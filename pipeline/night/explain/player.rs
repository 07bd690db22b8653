//! A player: season by season the sums of the matches, which add up to the season's figure, and how the name is written
//! where.

use super::{Tables, emg, percent, pr_of, verdict};
use crate::game::units::MWC_SCALE;
use crate::night::amount::amount;
use crate::night::fault::NightFault;
use crate::night::status::{day, terminal};
use crate::night::whose::Players;
use crate::tables::facts::{AnalysisRow, MatchRow};
use crate::tables::marts::PlayerSeasonRow;
use crate::tables::partials::MomentRow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Sums of a seat's counted decisions.
#[derive(Clone, Copy, Default)]
struct Sum {
    mpt: i64,
    counted: i64,
    errors: i64,
    blunders: i64,
    /// In 1e-9 of a match, over the decisions that have a price.
    loss: i64,
    priced: i64,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.mpt += other.mpt;
        self.counted += other.counted;
        self.errors += other.errors;
        self.blunders += other.blunders;
        self.loss += other.loss;
        self.priced += other.priced;
    }

    const fn of(row: &MomentRow) -> Self {
        Self {
            mpt: row.mpt,
            counted: row.counted,
            errors: row.errors,
            blunders: row.blunders,
            loss: row.loss,
            priced: row.priced,
        }
    }
}

/// The text for a terminal.
pub(super) fn text(tables: &Tables<'_>, (asked, only): (&str, Option<&str>)) -> Result<String, NightFault> {
    let mut seasons = tables.seasons()?;
    if let Some(asked) = only {
        if !seasons.iter().any(|season| season == asked) {
            return Err(NightFault::NoSuchSeason { asked: asked.to_owned(), known: seasons.join(", ") });
        }
        seasons.retain(|season| season == asked);
    }
    let name = known(tables, asked)?;
    let mut out = String::new();
    for season in &seasons {
        of_season(&mut out, tables, (season, &name))?;
    }
    if out.is_empty() {
        return Err(NightFault::NoSuch(format!("{} did not play in season {}", terminal(&name), seasons.join(", "))));
    }
    Ok(out)
}

/// The canonical name: as typed, or what the configuration makes of it, or of whom a file writes or a page shows so.
fn known(tables: &Tables<'_>, asked: &str) -> Result<String, NightFault> {
    let canonical = tables.settings.players.canonical(asked);
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for season in tables.seasons()? {
        for row in tables.rows(&season, |_: &MatchRow| true)? {
            for (written, name) in [(row.name_1, row.player_1), (row.name_2, row.player_2)] {
                names.insert(written, name.clone());
                names.insert(name.clone(), name);
            }
        }
    }
    if let Some(name) = names.get(canonical).or_else(|| names.get(asked)) {
        return Ok(name.clone());
    }
    let players = Players::of(names.into_values().collect());
    let offer = players.offer(asked);
    let unknown =
        || NightFault::NoSuch(format!("the lake has no match, decision or player {:?}{offer}", terminal(asked)));
    players.meant(asked).map(str::to_owned).ok_or_else(unknown)
}

fn of_season(out: &mut String, tables: &Tables<'_>, (season, name): (&str, &str)) -> Result<(), NightFault> {
    let matches = tables.rows(season, |row: &MatchRow| row.player_1 == name || row.player_2 == name)?;
    if matches.is_empty() {
        return Ok(());
    }
    let mut sums: BTreeMap<(String, i64), Sum> = BTreeMap::new();
    let ids: BTreeSet<&str> = matches.iter().map(|row| row.match_id.as_str()).collect();
    for moment in tables.rows(season, |row: &MomentRow| ids.contains(row.match_id.as_str()))? {
        let sum = Sum::of(&moment);
        sums.entry((moment.match_id, moment.seat)).or_default().add(sum);
    }
    let mut lines = String::new();
    let mut total = Sum::default();
    for row in &matches {
        for (seat, own, other) in [(1, &row.player_1, &row.player_2), (2, &row.player_2, &row.player_1)] {
            if own == name {
                let sum = sums.get(&(row.match_id.clone(), seat)).copied().unwrap_or_default();
                total.add(sum);
                let (date, other) = (day(row.date), terminal(other));
                _ = writeln!(lines, "  {} {date} seat {seat} against {other}: {}", row.match_id, figures(sum));
            }
        }
    }
    let mart = tables.rows(season, |row: &PlayerSeasonRow| row.player.as_deref() == Some(name))?;
    let (mpt, counted) = (total.mpt, total.counted);
    _ = writeln!(out, "{}, season {}: {}", terminal(name), terminal(season), pr_of(mpt, counted));
    out.push_str(&verdict(mart.first().and_then(|row| row.pr), (mpt, counted)));
    out.push_str(&others(mart.first(), total));
    out.push_str(&lines);
    _ = writeln!(out, "  sum of {}: {}", amount(matches.len(), "match"), figures(total));
    spellings(out, tables, (&matches, name))
}

fn figures(sum: Sum) -> String {
    let loss = if sum.priced > 0 { format!("{} of a match lost", percent(sum.loss)) } else { "no price".to_owned() };
    format!(
        "{} over {}; {} ({}); {loss}",
        emg(sum.mpt),
        amount(sum.counted, "decision"),
        amount(sum.errors, "error"),
        amount(sum.blunders, "blunder")
    )
}

/// Empty where the mart's other sums are these; else a line that says which are not.
fn others(mart: Option<&PlayerSeasonRow>, total: Sum) -> String {
    let Some(mart) = mart else { return String::new() };
    let loss = (total.priced > 0).then(|| total.loss as f64 / MWC_SCALE as f64);
    let held = [
        ("errors", mart.errors == total.errors),
        ("blunders", mart.blunders == total.blunders),
        ("loss", mart.loss == loss),
    ];
    let wrong: Vec<&str> = held.iter().filter(|(_, holds)| !holds).map(|(name, _)| *name).collect();
    if wrong.is_empty() {
        return String::new();
    }
    format!("the mart has other {}: portes check says whether the tables are whole\n", wrong.join(", "))
}

/// Every way the name is written, and in which primary files.
fn spellings(out: &mut String, tables: &Tables<'_>, (matches, name): (&[MatchRow], &str)) -> Result<(), NightFault> {
    let Some(first) = matches.first() else { return Ok(()) };
    let primary = tables.rows(&first.season, |row: &AnalysisRow| row.primary)?;
    let paths: BTreeMap<&str, &str> = primary.iter().map(|row| (row.match_id.as_str(), row.path.as_str())).collect();
    let mut written: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in matches {
        for (own, spelled) in [(&row.player_1, &row.name_1), (&row.player_2, &row.name_2)] {
            if own == name {
                written.entry(spelled).or_default().extend(paths.get(row.match_id.as_str()));
            }
        }
    }
    for (spelled, files) in written {
        _ = writeln!(out, "  written {} in", terminal(spelled));
        for file in files {
            _ = writeln!(out, "    {}", terminal(file));
        }
    }
    Ok(())
}
