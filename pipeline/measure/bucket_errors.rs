//! The errors of a bucket of a season, and what is kept of them: as its parts have them, or as they are remembered.

use super::MeasureFault;
use super::bucket::{Bucket, Sheets};
use super::occasion::Occasion;
use super::recurring::Recurring;
use super::remembered::{Remembered, remember};
use super::review::review;
use super::scope::Scope;
use super::snapshot::{made_of, rows_of};
use super::study_plan::StudyPlan;
use crate::tables::columns::Columns;
use crate::tables::kept::Kept;
use crate::tables::partials::{ErrorRow, MomentRow};
use crate::tables::row::Row as _;
use crate::tables::study_marts::MatchReviewRow;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The matches of a season by id.
pub(super) type Matches = BTreeMap<String, Occasion>;

pub(super) fn match_of<'m>(matches: &'m Matches, match_id: &str) -> Result<&'m Occasion, MeasureFault> {
    matches.get(match_id).ok_or_else(|| MeasureFault::Orphan { table: ErrorRow::TABLE, match_id: match_id.to_owned() })
}

/// A season's matches, and which are of who is asked for.
pub(super) struct Season<'m> {
    matches: &'m Matches,
    asked: BTreeSet<&'m str>,
}

impl<'m> Season<'m> {
    pub(super) fn of(matches: &'m Matches, scope: &Scope) -> Self {
        let asked = matches.values().filter(|of| of.is_asked(scope)).map(|of| of.match_id.as_str());
        Self { matches, asked: asked.collect() }
    }
}

/// What everybody's rows of a season are made of.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Pool {
    pub(super) plan: StudyPlan,
    pub(super) recurring: Recurring,
    pub(super) decisions: i64,
}

impl Pool {
    pub(super) fn add(&mut self, error: &ErrorRow) {
        self.plan.add(error);
        self.recurring.add(error);
    }

    pub(super) fn join(&mut self, other: Self) {
        self.plan.join(other.plan);
        self.recurring.join(other.recurring);
        self.decisions += other.decisions;
    }
}

/// A bucket as it was read: everybody's sums of it, and what is in the matches of who is asked for.
pub(super) struct BucketErrors {
    /// `None` where nobody decided anything.
    pub(super) everybody: Option<Pool>,
    pub(super) errors: Vec<ErrorRow>,
    /// Counted decisions by match and seat.
    pub(super) decisions: BTreeMap<(String, i64), i64>,
}

/// What is remembered of a match: counted decisions by seat, and its errors.
type Extract<'a> = (Vec<(i64, i64)>, Vec<Kept<'a, ErrorRow>>);

impl BucketErrors {
    /// Opens a bucket: as it is remembered, or all of it is read and its reviews are made.
    pub(super) fn of(
        bucket: &Bucket,
        season: &Season<'_>,
        sheets: &dyn Sheets<MatchReviewRow>,
    ) -> Result<Self, MeasureFault> {
        if let Some(opened) = sheets.recall(bucket)?.and_then(|memory| Self::recalled(&memory, season)) {
            return Ok(opened);
        }
        let Season { matches, asked } = season;
        let errors = rows_of::<ErrorRow>(&bucket.parts::<ErrorRow>())?;
        let decisions = decisions(bucket)?;
        let mut everybody = Pool { decisions: decisions.values().sum(), ..Pool::default() };
        for error in &errors {
            match_of(matches, &error.match_id)?;
            everybody.add(error);
        }
        let everybody = Some(everybody).filter(|_| !errors.is_empty() || !decisions.is_empty());
        let mut opened = Self { everybody, errors, decisions };
        sheets.accept(bucket, review(&opened.errors), &opened.memory(matches))?;
        let is_asked = |match_id: &str| asked.contains(match_id);
        opened.errors.retain(|error| is_asked(&error.match_id));
        opened.decisions.retain(|(match_id, _), _| !matches.contains_key(match_id) || is_asked(match_id));
        Ok(opened)
    }

    /// From what was remembered of it; `None` when it is damaged.
    fn recalled(memory: &[u8], Season { asked, .. }: &Season<'_>) -> Option<Self> {
        let remembered = Remembered::of(memory)?;
        let (mut errors, mut decisions) = (Vec::new(), BTreeMap::new());
        for (slot, extract) in remembered.matches::<Extract<'_>>(|slot| asked.contains(slot.match_id))? {
            let Some((counted, kept)) = extract else { continue };
            decisions.extend(counted.into_iter().map(|(seat, counted)| ((slot.match_id.to_owned(), seat), counted)));
            for kept in kept {
                errors.push(kept.row()?);
            }
        }
        Some(Self { everybody: remembered.everybody, errors, decisions })
    }

    /// To be recalled.
    fn memory(&self, matches: &Matches) -> Vec<u8> {
        let mut extracts: BTreeMap<&str, Extract<'_>> = BTreeMap::new();
        for ((match_id, seat), counted) in &self.decisions {
            extracts.entry(match_id).or_default().0.push((*seat, *counted));
        }
        for error in &self.errors {
            extracts.entry(&error.match_id).or_default().1.push(Kept::of(error));
        }
        let known = |(match_id, extract)| Some((match_id, matches.get(match_id)?.players(), extract));
        remember(&self.everybody, extracts.into_iter().filter_map(known))
    }
}

/// The counted decisions that errors stand among, by match and seat.
fn decisions(bucket: &Bucket) -> Result<BTreeMap<(String, i64), i64>, MeasureFault> {
    let counted = |moments: &Columns, row: usize| {
        Some((moments.text(row, 0)?.to_owned(), moments.int(row, 1)?, moments.int(row, 2)?))
    };
    let mut decisions = BTreeMap::new();
    let columns = ["match_id", "seat", "counted"];
    for (match_id, seat, counted) in made_of::<MomentRow, _>(&bucket.parts::<MomentRow>(), &columns, counted)? {
        *decisions.entry((match_id, seat)).or_default() += counted;
    }
    Ok(decisions)
}
