//! The Academy's tables of one season, for its page and for those of the players.
//!
//! What a player's page shows is found by name. A season has a million pieces of advice and more filings than games, of
//! which pages tell sums and show a few: those tables are never held, their columns pass by, and what was gathered of a part
//! is kept in the cache under the names that parts have from their contents ([`Gathered`]). What only the Academy's own
//! page shows is read when that page has to be made.

use super::known::Known;
use super::{drawn, season_rows};
use crate::academy::backgammon::GAME;
use crate::academy::settings::Bylaws;
use crate::night::cache::Cache;
use crate::night::fault::NightFault;
use crate::report::{Advice, AdviceOfSeason, Contest, Filing, FilingsOfSeason, PlayerAcademy, Reached, Terms};
use crate::tables::academy::{
    AcademyAdviceRow, AcademyContestRow, AcademyFilingRow, AcademyMeasureRow, AcademyPatternRow, AcademyPlayerRow,
    AcademyRatingRow, AcademyTreeRow,
};
use crate::tables::columns::Columns;
use crate::tables::digest::Digest;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Listed};
use crate::tables::part;
use crate::tables::row::{Day, Row, Value};
use crate::tables::study_marts::FamilyPositionRow;
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The tables that the Academy's page shows.
const SHOWN: [&str; 8] = [
    AcademyContestRow::TABLE,
    AcademyRatingRow::TABLE,
    AcademyTreeRow::TABLE,
    AcademyPatternRow::TABLE,
    AcademyFilingRow::TABLE,
    AcademyAdviceRow::TABLE,
    AcademyMeasureRow::TABLE,
    AcademyPlayerRow::TABLE,
];

/// What of a piece of advice is looked at.
const ADVISED: [&str; 12] = [
    "contest_id",
    "match_id",
    "game",
    "ply",
    "player",
    "phase",
    "proposed",
    "played",
    "cost_proposed",
    "cost_played",
    "right",
    "played_right",
];

/// What of a filing is looked at.
const FILED: [&str; 9] = ["contest_id", "filing", "game", "ply", "library", "outcome", "area", "cells", "changed"];

/// What of a contest its page looks at.
const SEEN: [&str; 9] = ["contest_id", "match_id", "date", "game", "seq", "first", "second", "estimated", "status"];

/// What the Academy knows of the players of one season.
pub(super) struct School {
    /// These two sorted by player.
    ratings: Vec<AcademyRatingRow>,
    players: Vec<AcademyPlayerRow>,
    advice: AdviceOfSeason,
    contests: usize,
    /// Of the latest contest.
    last_day: Option<Day>,
    /// Names of the parts of all its tables.
    parts: Vec<String>,
    pub(super) patterns: Vec<AcademyPatternRow>,
    pub(super) measures: Vec<AcademyMeasureRow>,
    known: Known,
}

/// What its own page shows besides.
pub(super) struct Room {
    /// Columns of [`SEEN`].
    contests: Vec<Columns>,
    pub(super) tree: Vec<AcademyTreeRow>,
    pub(super) filings: FilingsOfSeason,
}

/// The folder of the cache.
pub(super) const FOLDER: &str = "gathered";

/// What was gathered of the parts of a season. A night looks through those that are new.
pub(super) struct Gathered {
    cache: Cache,
}

impl Gathered {
    pub(super) fn of(cache: &Cache, season: &str) -> Self {
        Self { cache: cache.below(FOLDER).below(&drawn::name(season)) }
    }

    /// What is kept of these parts, or what `gather` makes of them.
    fn get<T: Serialize + DeserializeOwned>(
        &self,
        parts: &[&Listed],
        gather: impl FnOnce() -> Result<T, TableFault>,
    ) -> Result<T, TableFault> {
        let name = name(parts);
        if let Some(kept) = self.cache.get(&name) {
            return Ok(kept);
        }
        let gathered = gather()?;
        self.cache.put(&name, &gathered)?;
        Ok(gathered)
    }

    /// Forgets what no advice and no filings of this snapshot have.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub(super) fn prune(&self, snapshot: &Path, season: &str) -> Result<(), TableFault> {
        let advice = lake::season_parts(snapshot, AcademyAdviceRow::TABLE, season)?;
        let filings = filings_and_contests(snapshot, season)?;
        let mut wanted: BTreeSet<String> = advice.iter().map(|part| name(&[part])).collect();
        wanted.extend(filings.iter().map(|(filings, contests)| name(&[filings, contests])));
        self.cache.retain(|name| wanted.contains(name))
    }
}

/// Where what was gathered of these parts is kept: the first tells of what it was.
fn name(parts: &[&Listed]) -> String {
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    let kind = if parts.len() > 1 { "filings" } else { "advice" };
    format!("{kind}-{}", drawn::name(&names.join(" ")))
}

impl School {
    /// Reads them; without a table there are no rows of it.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read(
        (snapshot, season): (&Path, &str),
        (bylaws, gathered): (&Bylaws, &Gathered),
    ) -> Result<Self, NightFault> {
        let mut ratings: Vec<AcademyRatingRow> = season_rows(snapshot, season)?;
        let mut players: Vec<AcademyPlayerRow> = season_rows(snapshot, season)?;
        // Stable: within a player the order of the tables stays.
        ratings.sort_by(|a, b| a.player.cmp(&b.player));
        players.sort_by(|a, b| a.player.cmp(&b.player));
        let patterns: Vec<AcademyPatternRow> = season_rows(snapshot, season)?;
        let measures: Vec<AcademyMeasureRow> = season_rows(snapshot, season)?;
        let mut parts = Vec::new();
        for table in SHOWN {
            parts.extend(lake::season_parts(snapshot, table, season)?.into_iter().map(|part| part.name));
        }
        let (mut contests, mut last_day, mut elsewhere) = (0, None, BTreeSet::new());
        let columns = part::key_columns(AcademyContestRow::COLUMNS, &["game", "match_id", "date"]);
        for listed in lake::season_parts(snapshot, AcademyContestRow::TABLE, season)? {
            part::scan(&listed.path, (AcademyContestRow::TABLE, &columns), &mut |batch| {
                contests += batch.rows();
                last_day = last_day.max((0..batch.rows()).filter_map(|row| day(batch, row)).max());
                for row in (0..batch.rows()).filter(|&row| batch.text(row, 0) != Some(GAME)) {
                    elsewhere.extend(batch.text(row, 1).map(str::to_owned));
                }
                Ok(())
            })?;
        }
        let known = Known::of(elsewhere, (&patterns, &measures), bylaws);
        Ok(Self {
            ratings,
            players,
            advice: advice((snapshot, season), gathered)?,
            contests,
            last_day,
            parts,
            patterns,
            measures,
            known,
        })
    }

    /// Whether the season has a page of the Academy.
    pub(super) const fn has_page(&self) -> bool {
        self.contests > 0
    }

    /// The day of the latest contest; none where no contest has a day.
    pub(super) const fn last_day(&self) -> Option<Day> {
        self.last_day
    }

    /// Everything the Academy's page shows, decisions aside: parts are named by their contents.
    pub(super) fn hash(&self, key: &mut Digest) {
        for name in &self.parts {
            key.text(name);
        }
    }

    /// What the libraries know of these errors.
    pub(super) fn reached<'a>(&'a self, errors: &'a [FamilyPositionRow]) -> Vec<Reached<'a>> {
        self.known.reached(&self.patterns, errors)
    }

    /// What a player's page asks for.
    pub(super) fn of<'a>(&'a self, player: &str, (reached, terms): (&'a [Reached<'a>], Terms)) -> PlayerAcademy<'a> {
        PlayerAcademy {
            players: stretch(&self.players, player, |row| &row.player),
            ratings: stretch(&self.ratings, player, |row| &row.player),
            advice: self.advice.of_player(player),
            opening_pays: self.advice.opening_pays(),
            reached,
            terms,
        }
    }

    /// Everybody's ratings as they moved, rows of the players, all advice: what the Academy's page shares with theirs.
    pub(super) fn shared(&self) -> (&[AcademyRatingRow], &[AcademyPlayerRow], &AdviceOfSeason) {
        (&self.ratings, &self.players, &self.advice)
    }
}

impl Room {
    /// Reads it.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read((snapshot, season): (&Path, &str), gathered: &Gathered) -> Result<Self, NightFault> {
        Ok(Self {
            filings: filings((snapshot, season), gathered)?,
            contests: seen((snapshot, season))?,
            tree: season_rows(snapshot, season)?,
        })
    }

    /// The contests of the season.
    pub(super) fn contests(&self) -> Vec<Contest<'_>> {
        self.contests.iter().flat_map(|batch| (0..batch.rows()).map(|row| contest(batch, row))).collect()
    }
}

/// The contests of a season, a thread for each part.
fn seen((snapshot, season): (&Path, &str)) -> Result<Vec<Columns>, TableFault> {
    let columns = part::key_columns(AcademyContestRow::COLUMNS, &SEEN);
    let of = |part: &Listed| {
        let mut batches = Vec::new();
        part::scan(&part.path, (AcademyContestRow::TABLE, &columns), &mut |batch| {
            batches.push(batch.clone());
            Ok(())
        })?;
        Ok(batches)
    };
    let parts = lake::season_parts(snapshot, AcademyContestRow::TABLE, season)?;
    let parts: Vec<Vec<Columns>> = parts.par_iter().map(of).collect::<Result<_, TableFault>>()?;
    Ok(parts.into_iter().flatten().collect())
}

/// A row of [`SEEN`].
fn contest(batch: &Columns, row: usize) -> Contest<'_> {
    let text = |column| batch.text(row, column).unwrap_or_default();
    Contest {
        contest_id: text(0),
        match_id: text(1),
        date: day(batch, row),
        game: text(3),
        seq: batch.int(row, 4).unwrap_or_default(),
        first: text(5),
        second: text(6),
        estimated: batch.int(row, 7).unwrap_or_default(),
        status: text(8),
    }
}

/// The third column of contests as they are looked at.
fn day(batch: &Columns, row: usize) -> Option<Day> {
    match batch.at(row, 2) {
        Value::Day(days) => Some(Day(days)),
        _ => None,
    }
}

/// The advice of a season, gathered part by part, a thread for each.
fn advice((snapshot, season): (&Path, &str), gathered: &Gathered) -> Result<AdviceOfSeason, TableFault> {
    let parts = lake::season_parts(snapshot, AcademyAdviceRow::TABLE, season)?;
    let of = |part| gathered.get(&[part], || advice_of(part));
    let parts: Vec<AdviceOfSeason> = parts.par_iter().map(of).collect::<Result<_, TableFault>>()?;
    Ok(parts.into_iter().fold(AdviceOfSeason::default(), AdviceOfSeason::and))
}

fn advice_of(part: &Listed) -> Result<AdviceOfSeason, TableFault> {
    let columns = part::key_columns(AcademyAdviceRow::COLUMNS, &ADVISED);
    let mut all = AdviceOfSeason::default();
    part::scan(&part.path, (AcademyAdviceRow::TABLE, &columns), &mut |batch| {
        (0..batch.rows()).for_each(|row| all.take(&advised(batch, row)));
        Ok(())
    })?;
    Ok(all)
}

/// A row of [`ADVISED`].
fn advised(batch: &Columns, row: usize) -> Advice<'_> {
    let text = |column| batch.text(row, column).unwrap_or_default();
    Advice {
        contest_id: text(0),
        match_id: text(1),
        game: text(2),
        ply: batch.int(row, 3).unwrap_or_default(),
        player: text(4),
        phase: text(5),
        proposed: text(6),
        played: text(7),
        cost_proposed: batch.int(row, 8),
        cost_played: batch.int(row, 9),
        right: batch.maybe_flag(row, 10),
        played_right: batch.maybe_flag(row, 11),
    }
}

/// The filings of a season, gathered month by month, a thread for each.
fn filings((snapshot, season): (&Path, &str), gathered: &Gathered) -> Result<FilingsOfSeason, TableFault> {
    let of =
        |(filings, contests): &(Listed, Listed)| gathered.get(&[filings, contests], || filings_of(filings, contests));
    let parts = filings_and_contests(snapshot, season)?;
    let parts: Vec<FilingsOfSeason> = parts.par_iter().map(of).collect::<Result<_, TableFault>>()?;
    Ok(parts.into_iter().fold(FilingsOfSeason::default(), FilingsOfSeason::and))
}

/// The filings of each month, and its contests, which know their places: a filing is of a contest of its month.
fn filings_and_contests(snapshot: &Path, season: &str) -> Result<Vec<(Listed, Listed)>, TableFault> {
    let contests = lake::season_parts(snapshot, AcademyContestRow::TABLE, season)?;
    let mut contests: BTreeMap<String, Listed> = contests.into_iter().map(|part| (part.bucket.clone(), part)).collect();
    let filings = lake::season_parts(snapshot, AcademyFilingRow::TABLE, season)?;
    Ok(filings
        .into_iter()
        .filter_map(|part| Some((contests.remove(&part.bucket)?, part)))
        .map(|(b, a)| (a, b))
        .collect())
}

fn filings_of(filings: &Listed, contests: &Listed) -> Result<FilingsOfSeason, TableFault> {
    let mut positions: BTreeMap<String, i64> = BTreeMap::new();
    let columns = part::key_columns(AcademyContestRow::COLUMNS, &["contest_id", "position"]);
    part::scan(&contests.path, (AcademyContestRow::TABLE, &columns), &mut |batch| {
        let of = |row| Some((batch.text(row, 0)?.to_owned(), batch.int(row, 1)?));
        positions.extend((0..batch.rows()).filter_map(of));
        Ok(())
    })?;
    let columns = part::key_columns(AcademyFilingRow::COLUMNS, &FILED);
    let mut all = FilingsOfSeason::default();
    part::scan(&filings.path, (AcademyFilingRow::TABLE, &columns), &mut |batch| {
        (0..batch.rows()).for_each(|row| all.take(&filed(batch, row, &positions)));
        Ok(())
    })?;
    Ok(all)
}

/// A row of [`FILED`].
fn filed<'a>(batch: &'a Columns, row: usize, positions: &BTreeMap<String, i64>) -> Filing<'a> {
    let text = |column| batch.text(row, column).unwrap_or_default();
    Filing {
        contest_id: text(0),
        position: positions.get(text(0)).copied().unwrap_or(0),
        filing: batch.int(row, 1).unwrap_or_default(),
        game: text(2),
        ply: batch.int(row, 3).unwrap_or_default(),
        library: text(4),
        outcome: text(5),
        area: text(6),
        cells: text(7),
        changed: batch.int(row, 8),
    }
}

/// The rows of a player among rows sorted by player.
fn stretch<'a, R>(rows: &'a [R], player: &str, of: fn(&R) -> &String) -> &'a [R] {
    let first = rows.partition_point(|row| of(row).as_str() < player);
    let count = rows[first..].partition_point(|row| of(row).as_str() == player);
    &rows[first..first + count]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_gets_his_own_rows() {
        let row = |player: &str| AcademyPlayerRow { player: player.into(), ..AcademyPlayerRow::default() };
        let rows = [row("Ada"), row("Ada"), row("Adaline"), row("Bo")];
        let count = |player| stretch(&rows, player, |row| &row.player).len();
        assert_eq!([count("Ada"), count("Adaline"), count("Bo"), count("A"), count("")], [2, 1, 1, 0, 0]);
    }
}
