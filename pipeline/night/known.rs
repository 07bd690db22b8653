//! What the published lake says of files, to tell what of a run's is new: a complaint, or a match that a file held and, cut or
//! damaged since, holds no longer.

use super::diff::title;
use super::fault::NightFault;
use super::resolve::Resolution;
use super::status::{complaint, terminal};
use crate::tables::facts::{MatchRow, SourceRow};
use crate::tables::lake::{self, Lake};
use crate::tables::part;
use crate::tables::row::Row as _;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What was known of files when the run began.
#[derive(Default)]
pub(super) struct Known {
    /// The files that there are complaints of, by path and content.
    complaints: BTreeSet<(String, String)>,
    /// Content and match of each file that held one, by path.
    held: BTreeMap<String, (String, String)>,
}

impl Known {
    /// To tell what is new of these files; what is published is still what it was. Where there is nothing to complain of,
    /// nobody asks what was known. A part that cannot be read knows of nothing: the run writes it anew.
    ///
    /// # Errors
    /// When the lake cannot be listed.
    pub(super) fn of(lake: &Lake, sources: &[SourceRow]) -> Result<Self, NightFault> {
        let mut known = Self::default();
        if !sources.iter().any(|row| complaint(row).is_some() || is_damaged(row)) {
            return Ok(known);
        }
        for listed in lake::parts(&lake.current(), SourceRow::TABLE)? {
            for row in part::read::<SourceRow>(&listed.path).unwrap_or_default() {
                if row.is_rejected() || row.is_unread() {
                    known.complaints.insert((row.path.clone(), row.blake3.clone()));
                }
                if let Some(match_id) = row.match_id {
                    known.held.insert(row.path, (row.blake3, match_id));
                }
            }
        }
        Ok(known)
    }

    /// Whether nothing was said of this content of a file yet.
    pub(super) fn is_new(&self, row: &SourceRow) -> bool {
        !self.complaints.contains(&(row.path.clone(), row.blake3.clone()))
    }

    /// The matches that no file holds any longer, since what lies under the path of theirs is damaged now, in a sentence
    /// each. Somebody who removes a file or lays another match in its place knows what he does.
    pub(super) fn lost(&self, resolution: &Resolution, before: Option<PathBuf>) -> Vec<String> {
        let here: BTreeSet<&str> = resolution.matches.iter().map(|played| played.match_id.as_str()).collect();
        let lost = |row: &SourceRow| {
            let (content, match_id) = self.held.get(&row.path)?;
            (is_damaged(row) && *content != row.blake3 && !here.contains(match_id.as_str())).then(|| match_id.clone())
        };
        let lost: Vec<(&SourceRow, String)> =
            resolution.sources.iter().filter_map(|row| Some((row, lost(row)?))).collect();
        let ids: BTreeSet<&str> = lost.iter().map(|(_, match_id)| match_id.as_str()).collect();
        let titles = if ids.is_empty() { BTreeMap::new() } else { titles(before.as_deref(), &ids) };
        let said = |(row, match_id): &(&SourceRow, String)| {
            let title = titles.get(match_id).unwrap_or(match_id);
            format!("gone: match {title}: {} held it and is {} now", terminal(&row.path), row.status)
        };
        lost.iter().map(said).collect()
    }
}

/// How a source is told of which complete games were kept.
const PARTIAL: &str = "partial";

fn is_damaged(row: &SourceRow) -> bool {
    row.is_rejected() || row.status == PARTIAL
}

/// What matches are called, as far as the snapshot they were in is still there.
fn titles(snapshot: Option<&Path>, ids: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let parts =
        snapshot.map(|snapshot| lake::parts(snapshot, MatchRow::TABLE)).and_then(Result::ok).unwrap_or_default();
    let rows =
        parts.iter().flat_map(|listed| part::pick::<MatchRow>(&listed.path, ("match_id", ids)).unwrap_or_default());
    rows.map(|row| (row.match_id.clone(), title(&row))).collect()
}
