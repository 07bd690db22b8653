//! What of a touched bucket need not be looked at again.
//!
//! A night writes the parts of a bucket anew for one match, and most rows in them are those of the snapshot before. A stratum
//! of the bucket is *carried* when in every table that speaks of its matches it has the rows that the trusted snapshot has
//! there: in the large tables the same row groups, byte for byte, in the others the same cells. No check of a bucket looks
//! past a stratum, for none looks past a match, so what held there holds here, and the rows of the other strata are all
//! there is to check.
//!
//! The trusted snapshot was checked as it was written, and a part of it is believed only while its bytes are those its name
//! tells: a row group that was taken over from a damaged part is looked at. Where a part is missing, twice there, or not in
//! the order of its strata, nothing of the bucket is carried.

use super::rows::{lies_with_its_match, position};
use crate::tables::bucket::Division;
use crate::tables::catalogue::Table;
use crate::tables::columns::Columns;
use crate::tables::facts::match_of;
use crate::tables::fault::TableFault;
use crate::tables::lake::Listed;
use crate::tables::part;
use crate::tables::row::Column;
use crate::tables::strata::{self, Layers, Stratum};
use bytes::Bytes;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A part of a touched bucket, and what the trusted snapshot has in its place.
pub(super) struct Pair<'a> {
    pub(super) table: &'static Table,
    pub(super) part: &'a Listed,
    pub(super) before: Option<Listed>,
}

/// What has to be read of a part.
pub(super) enum Due {
    /// All of it.
    Whole,
    /// Some row groups of what was read already; how many rows the others have.
    Groups(Layers, Vec<usize>, u64),
    /// These rows of what was read already; how many there are in all.
    Held(Columns, Vec<Range<usize>>, u64),
}

/// What has to be read of each of these parts of one bucket, of a season divided like this.
///
/// # Errors
/// A part that cannot be read.
pub(super) fn due(pairs: &[Pair<'_>], division: Option<Division>) -> Result<Vec<Due>, TableFault> {
    let looked = division.map_or(Ok(None), |division| Looked::at(pairs, division))?;
    Ok(looked.map_or_else(|| pairs.iter().map(|_| Due::Whole).collect(), Looked::due))
}

/// The tables of a bucket, stratum by stratum.
struct Looked {
    tables: Vec<Own>,
    /// Strata that are not carried.
    fresh: BTreeSet<Stratum>,
    /// Of the season as it is: a bucket may have the label of one that reached further.
    division: Division,
}

/// A table's part.
enum Own {
    /// Speaks of no match first.
    Undivided,
    /// In row groups; the stratum of each, of those all tables share.
    Layers(Layers, Vec<Stratum>),
    Rows(Columns, Spans),
}

/// Where the rows of each stratum are.
type Spans = BTreeMap<Stratum, Range<usize>>;

impl Looked {
    /// `None` where the bucket cannot be held against that of the trusted snapshot.
    fn at(pairs: &[Pair<'_>], division: Division) -> Result<Option<Self>, TableFault> {
        let mut looked = Self { tables: Vec::new(), fresh: BTreeSet::new(), division };
        for pair in pairs {
            let own = if lies_with_its_match(pair.table) { looked.divided(pair)? } else { Some(Own::Undivided) };
            let Some(own) = own else { return Ok(None) };
            looked.tables.push(own);
        }
        Ok(Some(looked))
    }

    fn divided(&mut self, pair: &Pair<'_>) -> Result<Option<Own>, TableFault> {
        let id = pair.table.key.first().filter(|name| ["match_id", "decision_id"].contains(name));
        let Some(id) = id.and_then(|name| position(pair.table, name)) else { return Ok(Some(Own::Undivided)) };
        let Some(before) = &pair.before else { return Ok(None) };
        // What cannot be read of it is not to be trusted either, under whatever name.
        let Some(bytes) = part::whole_bytes(before).ok().flatten() else { return Ok(None) };
        if strata::are_layered(pair.table.name) {
            self.layers(pair, (before, bytes, id))
        } else {
            self.rows(pair, (before, bytes, id))
        }
    }

    fn layers(
        &mut self,
        pair: &Pair<'_>,
        (before, bytes, id): (&Listed, Bytes, usize),
    ) -> Result<Option<Own>, TableFault> {
        let of = (pair.table.name, id);
        let own = Layers::of_table(&pair.part.path, of, &pair.part.bucket)?;
        let before = Layers::of_bytes((bytes, &before.path), of, &before.bucket).ok().flatten();
        let (Some(own), Some(before)) = (own, before) else { return Ok(None) };
        let around = |layers: &Layers| -> Vec<Stratum> {
            layers.strata().iter().map(|of| strata::around(pair.table.name, &pair.part.bucket, *of)).collect()
        };
        let strata = around(&own);
        let (Some(here), Some(there)) = (spans(&strata), spans(&around(&before))) else { return Ok(None) };
        self.compare((&here, &there), |a, b| a.zip(b).all(|(a, b)| own.is_same(a, (&before, b))));
        Ok(Some(Own::Layers(own, strata)))
    }

    fn rows(
        &mut self,
        pair: &Pair<'_>,
        (before, bytes, id): (&Listed, Bytes, usize),
    ) -> Result<Option<Own>, TableFault> {
        let columns: Vec<&'static Column> = pair.table.columns.iter().collect();
        let of = (pair.table.name, columns.as_slice());
        let own = part::whole(&pair.part.path, of)?;
        let Ok(before) = part::whole_of((bytes, &before.path), of) else { return Ok(None) };
        let divided = |rows: &Columns| spans(&strata_of(rows, (id, &pair.part.bucket)));
        let (Some(here), Some(there)) = (divided(&own), divided(&before)) else { return Ok(None) };
        self.compare((&here, &there), |a, b| own.slice(a).is_same(&before.slice(b)));
        let is_elsewhere = |span: &Range<usize>| {
            let bucket = own.text(span.start, id).and_then(|id| self.division.holding(id));
            bucket.map(|bucket| bucket.to_string()).as_ref() != Some(&pair.part.bucket)
        };
        self.fresh.extend(here.iter().filter(|(_, span)| is_elsewhere(span)).map(|(stratum, _)| *stratum));
        Ok(Some(Own::Rows(own, here)))
    }

    /// Notes the strata that are not the same in both.
    fn compare(&mut self, (here, there): (&Spans, &Spans), is_same: impl Fn(Range<usize>, Range<usize>) -> bool) {
        for stratum in here.keys().chain(there.keys()) {
            let same = match (here.get(stratum), there.get(stratum)) {
                (Some(a), Some(b)) => a.len() == b.len() && is_same(a.clone(), b.clone()),
                _ => false,
            };
            if !same {
                self.fresh.insert(*stratum);
            }
        }
    }

    fn due(self) -> Vec<Due> {
        let fresh = self.fresh;
        let due = |own| match own {
            Own::Undivided => Due::Whole,
            Own::Layers(layers, strata) => {
                let (groups, rest): (Vec<usize>, Vec<usize>) =
                    (0..strata.len()).partition(|group| fresh.contains(&strata[*group]));
                let passed_over = rest.into_iter().map(|group| layers.said_rows(group)).sum();
                Due::Groups(layers, groups, passed_over)
            }
            Own::Rows(rows, spans) => {
                let spans = spans.into_iter().filter(|(stratum, _)| fresh.contains(stratum)).map(|(_, span)| span);
                let (spans, all) = (spans.collect(), rows.rows() as u64);
                Due::Held(rows, spans, all)
            }
        };
        self.tables.into_iter().map(due).collect()
    }
}

/// The stratum of every row.
fn strata_of(rows: &Columns, (id, bucket): (usize, &str)) -> Vec<Stratum> {
    let (mut last, mut stratum) = (None, 0);
    let of = |row| {
        let id = rows.text(row, id).map(match_of);
        if row == 0 || id != last {
            (last, stratum) = (id, strata::shared(bucket, id.unwrap_or_default()));
        }
        stratum
    };
    (0..rows.rows()).map(of).collect()
}

/// Where each stratum stands; `None` where they do not rise.
fn spans(strata: &[Stratum]) -> Option<Spans> {
    let mut spans = Spans::new();
    let mut from = 0;
    for run in strata.chunk_by(|a, b| a == b) {
        let stratum = *run.first()?;
        if spans.last_key_value().is_some_and(|(last, _)| *last > stratum) {
            return None;
        }
        spans.insert(stratum, from..from + run.len());
        from += run.len();
    }
    Some(spans)
}
