//! `portes explain`: the rows behind a figure, down to the file they came from.
//!
//! Three questions: a match, a decision, a player. Every answer is read from the published tables and added up again from
//! the whole numbers that lie below the marts; where that gives another figure than the mart has, the answer says so.
//! Nothing is rated here.

mod decision;
mod played;
mod player;

use super::fault::NightFault;
use super::pages::season_rows;
use crate::config::Settings;
use crate::tables::bucket::Division;
use crate::tables::facts::{MatchRow, SourceRow};
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use crate::tables::row::Row;
use std::path::PathBuf;

/// Hex digits of a match_id.
const ID_DIGITS: usize = 16;

/// Digits that can stand for a match; fewer might be somebody's name.
const FEWEST_DIGITS: usize = 6;

/// The text for a terminal: of a match, a decision, or a player and perhaps one season.
///
/// # Errors
/// [`NightFault::NoSuch`] when the lake has nothing of that name; tables that cannot be read.
pub(super) fn text(settings: &Settings, (what, season): (&str, Option<&str>)) -> Result<String, NightFault> {
    let lake = Lake::at(settings.lake());
    if lake.current_number()?.is_none() {
        return Err(NightFault::Empty(lake.root().to_path_buf()));
    }
    let tables = Tables { snapshot: lake.current(), settings };
    let Some(named) = Named::of(what) else { return player::text(&tables, (what, season)) };
    let found = tables.beginning(named.id)?;
    let row = match found.as_slice() {
        [] => return player::text(&tables, (what, season)),
        [row] => row,
        several => {
            let ids: Vec<&str> = several.iter().map(|row| row.match_id.as_str()).collect();
            return Err(NightFault::NoSuch(format!("{} matches begin so: {}", several.len(), ids.join(", "))));
        }
    };
    match named.order {
        None => played::text(&tables, row),
        Some(order) => decision::text(&tables, (&format!("{}-{order:04}", row.match_id), row)),
    }
}

/// A match, by its id or the beginning of it, or by the name of its page; and perhaps one of its decisions, by the number
/// that the page gives it.
#[derive(Debug, PartialEq, Eq)]
struct Named<'a> {
    id: &'a str,
    order: Option<i64>,
}

impl<'a> Named<'a> {
    /// `None` for what can only be a player.
    fn of(what: &'a str) -> Option<Self> {
        let page = what.rsplit('/').next().and_then(|name| name.strip_prefix("match-")?.strip_suffix(".html"));
        let (id, order) = match (page, what.split_once('-')) {
            (Some(page), _) => (page.rsplit('-').next()?, None),
            (None, Some((id, order))) => (id, Some(order.parse().ok()?)),
            (None, None) => (what, None),
        };
        let hex = id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        (hex && (FEWEST_DIGITS..=ID_DIGITS).contains(&id.len())).then_some(Self { id, order })
    }
}

/// The published tables.
struct Tables<'a> {
    snapshot: PathBuf,
    settings: &'a Settings,
}

impl Tables<'_> {
    /// The seasons there are.
    fn seasons(&self) -> Result<Vec<String>, TableFault> {
        lake::names(&self.snapshot.join(SourceRow::TABLE))
    }

    /// The matches whose ids begin so.
    fn beginning(&self, id: &str) -> Result<Vec<MatchRow>, TableFault> {
        let mut found = Vec::new();
        for season in self.seasons()? {
            found.extend(self.rows(&season, |row: &MatchRow| row.match_id.starts_with(id))?);
        }
        Ok(found)
    }

    /// The rows of a season that are wanted.
    fn rows<R: Row>(&self, season: &str, wanted: impl Fn(&R) -> bool) -> Result<Vec<R>, TableFault> {
        let mut rows = Vec::new();
        for listed in lake::season_parts(&self.snapshot, R::TABLE, season)? {
            part::each::<R>(&listed.path, &mut |batch| rows.extend(batch.into_iter().filter(|row| wanted(row))))?;
        }
        Ok(rows)
    }

    /// The rows of one match in a table that is divided: only its bucket is opened.
    fn of_match<R: Row>(&self, played: &MatchRow, match_id: fn(&R) -> &str) -> Result<Vec<R>, TableFault> {
        let matches: Vec<MatchRow> = season_rows(&self.snapshot, &played.season)?;
        let bucket = Division::of(matches.len() as u64).holding(&played.match_id).map(|bucket| bucket.to_string());
        let mut rows = Vec::new();
        for listed in lake::season_parts(&self.snapshot, R::TABLE, &played.season)? {
            if Some(&listed.bucket) == bucket.as_ref() {
                let own = |row: &R| match_id(row) == played.match_id;
                part::each::<R>(&listed.path, &mut |batch| rows.extend(batch.into_iter().filter(own)))?;
            }
        }
        Ok(rows)
    }
}

/// mpt as an equity of three decimals: exact.
fn emg(mpt: i64) -> String {
    let sign = if mpt < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", mpt.unsigned_abs() / 1000, mpt.unsigned_abs() % 1000)
}

/// 1e-9 of a match in percent, seven decimals: exact.
fn percent(units: i64) -> String {
    const PER_PERCENT: u64 = 10_000_000;
    let sign = if units < 0 { "-" } else { "" };
    format!("{sign}{}.{:07} %", units.unsigned_abs() / PER_PERCENT, units.unsigned_abs() % PER_PERCENT)
}

/// `PR 4.98 = 500 x 2.163 / 217`: mpt and counted decisions.
fn pr_of(mpt: i64, counted: i64) -> String {
    if counted == 0 {
        return "no PR: no counted decision".to_owned();
    }
    format!("PR {:.2} = 500 x {} / {counted}", rate(mpt, counted), emg(mpt))
}

/// 500 x errors / counted decisions.
fn rate(mpt: i64, counted: i64) -> f64 {
    0.5 * mpt as f64 / counted as f64
}

/// Empty where the mart's PR is what the sums give; else a line that says it is not.
fn verdict(mart: Option<f64>, (mpt, counted): (i64, i64)) -> String {
    /// Both are a quotient of the same whole numbers; only the order of two roundings can differ.
    const NOISE: f64 = 1e-9;
    let agrees = match mart {
        None => counted == 0,
        Some(pr) => counted > 0 && (pr - rate(mpt, counted)).abs() < NOISE,
    };
    if agrees {
        return String::new();
    }
    let said = mart.map_or_else(|| "none".to_owned(), |pr| pr.to_string());
    format!("the mart has another PR: {said}; portes check says whether the tables are whole\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_shown_to_their_last_digit() {
        assert_eq!(emg(2_163), "2.163");
        assert_eq!(emg(-7), "-0.007");
        assert_eq!(percent(123_456_789), "12.3456789 %");
        assert_eq!(percent(5), "0.0000005 %");
    }

    #[test]
    fn a_mart_that_does_not_follow_from_its_sums_is_told() {
        assert_eq!(pr_of(170, 5), "PR 17.00 = 500 x 0.170 / 5");
        assert_eq!(pr_of(0, 0), "no PR: no counted decision");
        assert_eq!(verdict(Some(17.0), (170, 5)), "");
        assert_eq!(verdict(None, (0, 0)), "");
        for (mart, sums) in [(Some(17.01), (170, 5)), (None, (170, 5)), (Some(0.0), (0, 0))] {
            assert!(verdict(mart, sums).contains("another PR"), "{mart:?}");
        }
    }

    #[test]
    fn a_match_is_named_by_its_id_the_beginning_of_it_or_its_page() {
        let id = "8e10777bdee908d4";
        let of = |what| Named::of(what).map(|named| (named.id, named.order));
        assert_eq!(of(id), Some((id, None)));
        assert_eq!(of("8e10777bdee9"), Some(("8e10777bdee9", None)));
        assert_eq!(of("8e10777bdee908d4-0509"), Some((id, Some(509))));
        assert_eq!(of("8e10777-509"), Some(("8e10777", Some(509))));
        assert_eq!(of("reports/2026/match-a-b-8e10777bdee9.html"), Some(("8e10777bdee9", None)));
        assert_eq!([of("Ada"), of("Ada-Lou"), of("Bramblewick"), of("abba"), of("")], [None; 5]);
    }
}
