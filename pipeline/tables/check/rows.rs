//! What one part shows by itself, from the declaration of its table: absent cells, keys, bounds, the folder it lies
//! in, the match it speaks of, the checkers on its boards, and its number of rows.

use super::carried::Due;
use super::{Findings, Matches, match_of};
use crate::game::board::CHECKERS;
use crate::game::units::{EQUITY_BOUND, EQUITY_SCALE, MWC_SCALE};
use crate::tables::catalogue::{Shelf, Table};
use crate::tables::columns::Columns;
use crate::tables::fault::TableFault;
use crate::tables::lake::{ALL_SEASONS, Listed};
use crate::tables::part;
use crate::tables::row::Column;
use std::ops::RangeInclusive;

/// A part, and what it is held against.
pub(super) struct Place<'a> {
    table: &'static Table,
    part: &'a Listed,
    matches: &'a Matches,
    /// What is read of it.
    columns: Vec<&'static Column>,
    speaks: Speaks,
}

/// Where a row says which match it speaks of.
#[derive(Clone, Copy)]
enum Speaks {
    /// In a column of its own.
    ByMatch(usize),
    /// In the id of its decision.
    ByDecision(usize),
    /// Nowhere.
    OfNone,
}

impl<'a> Place<'a> {
    /// All of it is looked at.
    pub(super) fn of(table: &'static Table, part: &'a Listed, matches: &'a Matches) -> Self {
        Self::with(table, part, matches, table.columns.iter().collect())
    }

    /// Only what its rows are called and speak of is looked at: keys, season, match, position.
    pub(super) fn by_name(table: &'static Table, part: &'a Listed, matches: &'a Matches) -> Self {
        let is_name = |name: &str| {
            table.key.contains(&name) || ["season", "match_id", "decision_id", "position_key"].contains(&name)
        };
        Self::with(table, part, matches, table.columns.iter().filter(|column| is_name(column.name)).collect())
    }

    fn with(table: &'static Table, part: &'a Listed, matches: &'a Matches, columns: Vec<&'static Column>) -> Self {
        let place = |name: &str| columns.iter().position(|column| column.name == name);
        let speaks = match (place("match_id"), place("decision_id")) {
            (Some(column), _) => Speaks::ByMatch(column),
            (None, Some(column)) => Speaks::ByDecision(column),
            (None, None) => Speaks::OfNone,
        };
        Self { table, part, matches, columns, speaks }
    }

    /// The batches that are due; returns how many rows were passed over.
    fn read(&self, due: Due, take: &mut dyn FnMut(&Columns) -> Result<(), TableFault>) -> Result<u64, TableFault> {
        let of = (self.table.name, self.columns.as_slice());
        match due {
            Due::Whole => part::scan(&self.part.path, of, take).map(|()| 0),
            Due::Groups(layers, groups, rest) => {
                part::scan_groups((&layers, &self.part.path), of.1, groups, take).map(|()| rest)
            }
            Due::Held(rows, spans, all) => {
                let due: usize = spans.iter().map(ExactSizeIterator::len).sum();
                spans.into_iter().try_for_each(|span| take(&rows.slice(span)))?;
                Ok(all.saturating_sub(due as u64))
            }
        }
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The match a row speaks of.
    fn match_id<'b>(&self, batch: &'b Columns, row: usize) -> Option<&'b str> {
        match self.speaks {
            Speaks::ByMatch(column) => batch.text(row, column),
            Speaks::ByDecision(column) => batch.text(row, column).and_then(match_of),
            Speaks::OfNone => None,
        }
    }

    fn block(&self, check: &'static str, match_id: Option<&str>, what: (&mut Findings, String)) {
        let (findings, words) = what;
        let sentence = format!("season {}, {}: {words}", self.part.season, self.part.name);
        findings.block((check, self.table.name), match_id, sentence);
    }
}

pub(super) fn position(table: &Table, name: &str) -> Option<usize> {
    table.columns.iter().position(|column| column.name == name)
}

/// Facts and partials of a match lie in its season and bucket. `sources` are files, with or without a match.
pub(super) fn lies_with_its_match(table: &Table) -> bool {
    table.shelf.is_bucketed() && table.name != "sources"
}

/// Every check of this module on what is due of a part. `take` gets every batch of it, with the columns that are read.
pub(super) fn check(
    place: &Place<'_>,
    due: Due,
    findings: &mut Findings,
    take: &mut dyn FnMut(&Columns, &mut Findings),
) -> Result<(), TableFault> {
    let table = place.table;
    let keys: Vec<usize> = table.key.iter().filter_map(|name| place.column(name)).collect();
    let (mut counted, mut before) = (0, None);
    let passed_over = place.read(due, &mut |batch| {
        counted += batch.rows() as u64;
        take(batch, findings);
        not_null(place, batch, findings);
        in_bounds(place, batch, findings);
        own_season(place, batch, findings);
        own_bucket(place, batch, findings);
        known_match(place, batch, findings);
        fifteen_checkers(place, batch, findings);
        let keys = batch.select(&keys);
        rising_keys(place, (&keys, before.as_ref()), findings);
        before = Some(keys);
        Ok(())
    })?;
    row_count(place, counted + passed_over, findings)
}

/// A column that may not be absent is there in every row.
fn not_null(place: &Place<'_>, batch: &Columns, findings: &mut Findings) {
    for (at, column) in place.columns.iter().enumerate().filter(|(_, column)| !column.nullable) {
        if batch.has_null(at) {
            let words = format!("column {} is null and may not be", column.name);
            place.block("not_null", None, (findings, words));
        }
    }
}

/// Rows are sorted by the key and no key stands twice.
fn rising_keys(place: &Place<'_>, batch: (&Columns, Option<&Columns>), findings: &mut Findings) {
    let (keys, before) = batch;
    if let Some(row) = part::first_disorder(keys, before) {
        let is_match = place.table.key.first() == Some(&"match_id");
        let match_id = is_match.then(|| keys.text(row, 0)).flatten();
        let words = format!("a key ({}) is not above the one before it", place.table.key.join(", "));
        place.block("rising_keys", match_id, (findings, words));
    }
}

/// What a fact of a unit can be. An equity may also be the difference of two.
fn bounds(unit: &str) -> Option<RangeInclusive<i64>> {
    match unit {
        "1e-8 EMG" => Some(-2 * EQUITY_BOUND..=2 * EQUITY_BOUND),
        "1e-9 MWC" => Some(-MWC_SCALE..=MWC_SCALE),
        "1e-8" => Some(0..=EQUITY_SCALE),
        "seat" => Some(1..=2),
        _ => None,
    }
}

/// Facts keep to what their unit can be.
fn in_bounds(place: &Place<'_>, batch: &Columns, findings: &mut Findings) {
    if place.table.shelf != Shelf::Fact {
        return;
    }
    for (at, column) in place.columns.iter().enumerate() {
        let Some(range) = bounds(column.unit) else { continue };
        let outside = |row: &usize| batch.int(*row, at).is_some_and(|value| !range.contains(&value));
        if let Some(row) = (0..batch.rows()).find(outside) {
            let words = format!("column {} holds {}", column.name, batch.int(row, at).unwrap_or_default());
            place.block("in_bounds", place.match_id(batch, row), (findings, words));
        }
    }
}

/// The column `season` says what the folder says.
fn own_season(place: &Place<'_>, batch: &Columns, findings: &mut Findings) {
    let Some(column) = place.column("season").filter(|_| place.part.season != ALL_SEASONS) else { return };
    for row in 0..batch.rows() {
        if batch.text(row, column) != Some(&place.part.season) {
            let words = format!("a row of season {}", batch.text(row, column).unwrap_or_default());
            place.block("own_season", place.match_id(batch, row), (findings, words));
        }
    }
}

/// A row lies in the bucket its match id begins with.
fn own_bucket(place: &Place<'_>, batch: &Columns, findings: &mut Findings) {
    let division = place.matches.divisions.get(&place.part.season).filter(|_| lies_with_its_match(place.table));
    let Some(division) = division else { return };
    let mut last = None;
    for row in 0..batch.rows() {
        let id = place.match_id(batch, row);
        if id == last {
            continue;
        }
        last = id;
        let bucket = id.and_then(|id| division.holding(id)).map(|bucket| bucket.to_string());
        if bucket.as_ref() != Some(&place.part.bucket) {
            let words = format!("a row that belongs to bucket {}", bucket.as_deref().unwrap_or("(none)"));
            place.block("own_bucket", id, (findings, words));
        }
    }
}

/// Whoever names a match names one that is there; a fact lies in that match's season. Not so the Academy: contest files
/// name matches that no other file shows.
fn known_match(place: &Place<'_>, batch: &Columns, findings: &mut Findings) {
    if place.table.shelf == Shelf::Academy {
        return;
    }
    let mut last = None;
    for row in 0..batch.rows() {
        let Some(id) = place.match_id(batch, row).filter(|id| last != Some(*id)) else { continue };
        last = Some(id);
        match place.matches.known.get(id) {
            None => place.block("known_match", Some(id), (findings, format!("match {id} is not in `matches`"))),
            Some(known) if lies_with_its_match(place.table) && known.season != place.part.season => {
                let words = format!("match {id} is of season {}", known.season);
                place.block("known_match", Some(id), (findings, words));
            }
            Some(_) => {}
        }
    }
}

/// At most fifteen checkers a side on every stored board.
fn fifteen_checkers(place: &Place<'_>, batch: &Columns, findings: &mut Findings) {
    let Some(column) = place.column("position_key") else { return };
    for row in 0..batch.rows() {
        let key = batch.text(row, column).unwrap_or_default();
        if !board_fits(key) {
            let words = format!("position {key} is not a board of at most {CHECKERS} checkers a side");
            place.block("fifteen_checkers", place.match_id(batch, row), (findings, words));
        }
    }
}

/// The second field of a position key: 26 characters, `A`..`O` and `a`..`o` count 1 to 15.
fn board_fits(key: &str) -> bool {
    let Some(board) = key.split('|').nth(1).filter(|board| board.len() == 26) else { return false };
    let (mut own, mut other) = (0u32, 0u32);
    for byte in board.bytes() {
        match byte {
            b'-' => {}
            b'A'..=b'O' => own += u32::from(byte - b'A' + 1),
            b'a'..=b'o' => other += u32::from(byte - b'a' + 1),
            _ => return false,
        }
    }
    own.max(other) <= u32::from(CHECKERS)
}

/// The footer's number of rows is the number that can be read.
fn row_count(place: &Place<'_>, counted: u64, findings: &mut Findings) -> Result<(), TableFault> {
    let said = part::rows(&place.part.path, place.table.name)?;
    if said != counted {
        let words = format!("the footer says {said} rows, {counted} can be read");
        place.block("row_count", None, (findings, words));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::board_fits;

    #[test]
    fn a_board_of_sixteen_is_found() {
        assert!(board_fits("bg1|-b----E-C---eE---c-e----B-|0|c|n|7|7|m|31"));
        assert!(!board_fits("bg1|-b----F-C---eE---c-e----B-|0|c|n|7|7|m|31"));
        assert!(!board_fits("bg1|-b----E-C---eE---c-f----B-|0|c|n|7|7|m|31"));
        assert!(!board_fits("bg1|-b----E-C---eE---c-e----B|0|c|n|7|7|m|31"));
        assert!(!board_fits(""));
    }
}
