//! What the Academy's libraries promise at the end of a season: every pattern is vouched for, by as many proposals as its
//! votes count, no vote speaks of a pattern that is not there, and no two patterns share area and cells.

use super::Findings;
use crate::tables::academy::{AcademyPatternRow, AcademyVoteRow};
use crate::tables::fault::TableFault;
use crate::tables::lake;
use crate::tables::part;
use crate::tables::row::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Every check of this module on one season.
pub(super) fn check(dir: &Path, season: &str, findings: &mut Findings) -> Result<(), TableFault> {
    let (patterns, votes) = (read::<AcademyPatternRow>(dir, season)?, read::<AcademyVoteRow>(dir, season)?);
    let mut proposals: BTreeMap<(&str, &str, i64), i64> = BTreeMap::new();
    for vote in &votes {
        *proposals.entry((&vote.game, &vote.library, vote.id)).or_default() += vote.k;
    }
    let mut cells = BTreeSet::new();
    for row in &patterns {
        let voted = proposals.remove(&(row.game.as_str(), row.library.as_str(), row.id)).unwrap_or_default();
        if voted != row.proposals || row.n < 1 {
            let words = format!("{} proposals of pattern {}, whose votes are {voted}", row.proposals, row.id);
            block("vouched", season, (findings, words));
        }
        if !cells.insert((&row.game, &row.library, &row.area, &row.rows, row.p, &row.cells)) {
            block("own_cells", season, (findings, format!("pattern {} has the cells of another one", row.id)));
        }
    }
    if let Some(((_, library, id), _)) = proposals.first_key_value() {
        block("vouched", season, (findings, format!("votes for pattern {id} of {library}, which is not there")));
    }
    Ok(())
}

fn block(check: &'static str, season: &str, (findings, words): (&mut Findings, String)) {
    findings.block((check, AcademyPatternRow::TABLE), None, format!("season {season}: {words}"));
}

fn read<R: Row>(dir: &Path, season: &str) -> Result<Vec<R>, TableFault> {
    let mut rows = Vec::new();
    for listed in lake::season_parts(dir, R::TABLE, season)? {
        rows.extend(part::read::<R>(&listed.path)?);
    }
    Ok(rows)
}
