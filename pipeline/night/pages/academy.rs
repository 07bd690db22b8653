//! The Academy's tables of one season, for its page and for those of the players.
//!
//! What a player's page shows is found by name. A season has a million pieces of advice and more filings than games, of
//! which pages tell sums and show a few: those tables are never held, their columns pass by. What only the Academy's own
//! page shows is read when that page has to be made.

use super::known::Known;
use super::season_rows;
use crate::academy::backgammon::GAME;
use crate::academy::settings::Bylaws;
use crate::night::fault::NightFault;
use crate::report::{Advice, AdviceOfSeason, Filing, FilingsOfSeason, PlayerAcademy, Reached, Terms};
use crate::tables::academy::{
    AcademyAdviceRow, AcademyContestRow, AcademyFilingRow, AcademyMeasureRow, AcademyPatternRow, AcademyPlayerRow,
    AcademyRatingRow, AcademyTreeRow,
};
use crate::tables::columns::Columns;
use crate::tables::digest::Digest;
use crate::tables::fault::TableFault;
use crate::tables::lake;
use crate::tables::part;
use crate::tables::row::{Day, Row, Value};
use crate::tables::study_marts::FamilyPositionRow;
use rayon::prelude::*;
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
    patterns: Vec<AcademyPatternRow>,
    known: Known,
}

/// What its own page shows besides.
pub(super) struct Room {
    pub(super) contests: Vec<AcademyContestRow>,
    pub(super) tree: Vec<AcademyTreeRow>,
    pub(super) patterns: Vec<AcademyPatternRow>,
    pub(super) filings: FilingsOfSeason,
    pub(super) measures: Vec<AcademyMeasureRow>,
}

impl School {
    /// Reads them; without a table there are no rows of it.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read(snapshot: &Path, season: &str, bylaws: &Bylaws) -> Result<Self, NightFault> {
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
        Ok(Self { ratings, players, advice: advice(snapshot, season)?, contests, last_day, parts, patterns, known })
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
    pub(super) fn read(snapshot: &Path, season: &str) -> Result<Self, NightFault> {
        let contests: Vec<AcademyContestRow> = season_rows(snapshot, season)?;
        Ok(Self {
            filings: filings(snapshot, season, &contests)?,
            contests,
            tree: season_rows(snapshot, season)?,
            patterns: season_rows(snapshot, season)?,
            measures: season_rows(snapshot, season)?,
        })
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
fn advice(snapshot: &Path, season: &str) -> Result<AdviceOfSeason, TableFault> {
    let columns = part::key_columns(AcademyAdviceRow::COLUMNS, &ADVISED);
    let gathered: Vec<AdviceOfSeason> = lake::season_parts(snapshot, AcademyAdviceRow::TABLE, season)?
        .par_iter()
        .map(|listed| {
            let mut all = AdviceOfSeason::default();
            part::scan(&listed.path, (AcademyAdviceRow::TABLE, &columns), &mut |batch| {
                (0..batch.rows()).for_each(|row| all.take(&advised(batch, row)));
                Ok(())
            })?;
            Ok(all)
        })
        .collect::<Result<_, TableFault>>()?;
    Ok(gathered.into_iter().fold(AdviceOfSeason::default(), AdviceOfSeason::and))
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

/// The filings of a season.
fn filings(snapshot: &Path, season: &str, contests: &[AcademyContestRow]) -> Result<FilingsOfSeason, TableFault> {
    let columns = part::key_columns(AcademyFilingRow::COLUMNS, &FILED);
    let positions: BTreeMap<&str, i64> = contests.iter().map(|row| (row.contest_id.as_str(), row.position)).collect();
    let mut all = FilingsOfSeason::default();
    for listed in lake::season_parts(snapshot, AcademyFilingRow::TABLE, season)? {
        part::scan(&listed.path, (AcademyFilingRow::TABLE, &columns), &mut |batch| {
            for row in 0..batch.rows() {
                let text = |column| batch.text(row, column).unwrap_or_default();
                all.take(&Filing {
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
                });
            }
            Ok(())
        })?;
    }
    Ok(all)
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
