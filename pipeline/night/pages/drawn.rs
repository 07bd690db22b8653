//! The decisions that players' pages show one by one, and the candidates of those that are drawn.
//!
//! They lie scattered over the parts of a season, a few rows in each. What a page showed is kept in the cache, player by
//! player; a decision that was kept counts while what the rows of its match hang on is the same ([`Origins`]). So a night
//! looks for decisions of matches that are new or other, and for what its pages did not show before, and only into the
//! pages of a file that hold them. Memory: what the pages of the asked players show.

use super::origins::Origins;
use crate::night::cache::Cache;
use crate::night::fault::NightFault;
use crate::tables::bucket::Division;
use crate::tables::facts::{CandidateRow, DecisionRow, match_of};
use crate::tables::fault::TableFault;
use crate::tables::kept::Kept;
use crate::tables::lake::{self, Listed};
use crate::tables::part;
use crate::tables::row::Row;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The folder of the cache.
pub(super) const FOLDER: &str = "drawn";

/// What a page asks for: decisions it tells of, and those it draws.
pub(super) type Asked<'a> = [BTreeSet<&'a str>; 2];

/// What a page gets.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    pub(super) decisions: Vec<DecisionRow>,
    pub(super) candidates: Vec<CandidateRow>,
}

/// A decision that a page showed.
struct Shown {
    decision: DecisionRow,
    /// Of one that was drawn.
    candidates: Option<Vec<CandidateRow>>,
}

/// The same as it is kept: what it hangs on, itself, its candidates.
#[derive(Serialize, Deserialize)]
struct KeptShown<'a>(
    String,
    #[serde(borrow)] Kept<'a, DecisionRow>,
    #[serde(borrow)] Option<Vec<Kept<'a, CandidateRow>>>,
);

/// What a page shows, by decision.
type Page = BTreeMap<String, Shown>;

/// Where decisions are found.
pub(super) struct Drawer<'a> {
    cache: Cache,
    origins: &'a Origins,
    division: Division,
    decisions: Parts,
    candidates: Parts,
}

/// The parts of a table by bucket.
type Parts = BTreeMap<String, Listed>;

impl<'a> Drawer<'a> {
    /// That of a season of so many matches; the cache is the season's own.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub(super) fn of(
        (cache, origins): (Cache, &'a Origins),
        (snapshot, season): (&Path, &str),
        matches: usize,
    ) -> Result<Self, TableFault> {
        let parts = |table: &str| -> Result<Parts, TableFault> {
            let listed = lake::season_parts(snapshot, table, season)?.into_iter();
            Ok(listed.map(|part| (part.bucket.clone(), part)).collect())
        };
        Ok(Self {
            cache,
            origins,
            division: Division::of(matches as u64),
            decisions: parts(DecisionRow::TABLE)?,
            candidates: parts(CandidateRow::TABLE)?,
        })
    }

    /// What a decision and its candidates hang on: the key of its match, or else the names of the parts they lie in.
    fn origin(&self, id: &str) -> Option<String> {
        let bucket = self.division.holding(id)?.to_string();
        if let Some(key) = self.origins.key(&bucket, match_of(id)) {
            return Some(key.to_owned());
        }
        Some(format!("{} {}", self.decisions.get(&bucket)?.name, self.candidates.get(&bucket)?.name))
    }

    /// What these players' pages ask for, in their order.
    ///
    /// # Errors
    /// A part that cannot be read, a cache that cannot be written.
    pub(super) fn fetch(&self, asked: &[(&str, Asked<'_>)]) -> Result<Vec<Drawn>, NightFault> {
        let mut pages: Vec<Page> = asked.par_iter().map(|(player, asked)| self.kept(player, asked)).collect();
        let (mut told, mut drawn) = (BTreeSet::new(), BTreeSet::new());
        for ((_, asked), page) in asked.iter().zip(&pages) {
            let [missing_told, missing_drawn] = missing(asked, page);
            told.extend(missing_told);
            drawn.extend(missing_drawn);
        }
        let mut decisions = self.look(&self.decisions, &told, |row: &DecisionRow| &row.decision_id)?;
        let mut candidates = self.look(&self.candidates, &drawn, |row: &CandidateRow| &row.decision_id)?;
        asked
            .iter()
            .zip(&mut pages)
            .map(|((player, asked), page)| {
                let [told, drawn] = missing(asked, page);
                let found = told.len() + drawn.len() > 0;
                for id in told {
                    let Some(decision) = decisions.remove(id).and_then(|mut rows| rows.pop()) else { continue };
                    page.insert(id.to_owned(), Shown { decision, candidates: None });
                }
                for id in drawn {
                    let Some(shown) = page.get_mut(id) else { continue };
                    shown.candidates = Some(candidates.remove(id).unwrap_or_default());
                }
                if found {
                    self.keep(player, page)?;
                }
                Ok(Drawn::of(std::mem::take(page)))
            })
            .collect()
    }

    /// Forgets whoever is none of these.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub(super) fn retain<'b>(&self, players: impl Iterator<Item = &'b str>) -> Result<(), TableFault> {
        let names: BTreeSet<String> = players.map(name).collect();
        self.cache.retain(|name| names.contains(name))
    }

    /// What is asked for of what this player's page showed last, as far as the parts are what they were.
    fn kept(&self, player: &str, [told, drawn]: &Asked<'_>) -> Page {
        let bytes = self.cache.bytes(&name(player)).unwrap_or_default();
        let kept: BTreeMap<&str, KeptShown<'_>> = rmp_serde::from_slice(&bytes).unwrap_or_default();
        let wanted = |id: &str| told.contains(id) || drawn.contains(id);
        let still = |(id, KeptShown(origin, decision, candidates)): (&str, KeptShown<'_>)| {
            if !wanted(id) || self.origin(id)? != origin {
                return None;
            }
            let rows = |kept: Vec<Kept<'_, CandidateRow>>| kept.iter().map(Kept::row).collect::<Option<Vec<_>>>();
            let candidates = candidates.map(|kept| rows(kept).ok_or(())).transpose().ok()?;
            Some((id.to_owned(), Shown { decision: decision.row()?, candidates }))
        };
        kept.into_iter().filter_map(still).collect()
    }

    fn keep(&self, player: &str, page: &Page) -> Result<(), TableFault> {
        let kept: BTreeMap<&str, KeptShown<'_>> = page
            .iter()
            .filter_map(|(id, shown)| {
                let candidates = shown.candidates.as_ref().map(|rows| rows.iter().map(Kept::of).collect());
                Some((id.as_str(), KeptShown(self.origin(id)?, Kept::of(&shown.decision), candidates)))
            })
            .collect();
        self.cache.put(&name(player), &kept)
    }

    /// The rows of these decisions; buckets that hold none of their matches are not opened.
    fn look<R: Row>(
        &self,
        parts: &Parts,
        ids: &BTreeSet<&str>,
        decision_id: fn(&R) -> &str,
    ) -> Result<BTreeMap<String, Vec<R>>, TableFault> {
        let mut by_bucket: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for id in ids {
            let Some(bucket) = self.division.holding(id) else { continue };
            by_bucket.entry(bucket.to_string()).or_default().insert(id);
        }
        let found: Vec<Vec<R>> = by_bucket
            .par_iter()
            .filter_map(|(bucket, ids)| Some(part::pick::<R>(&parts.get(bucket)?.path, ("decision_id", ids))))
            .collect::<Result<_, _>>()?;
        let mut rows: BTreeMap<String, Vec<R>> = BTreeMap::new();
        for row in found.into_iter().flatten() {
            rows.entry(decision_id(&row).to_owned()).or_default().push(row);
        }
        Ok(rows)
    }
}

impl Drawn {
    fn of(page: Page) -> Self {
        let mut drawn = Self::default();
        for shown in page.into_values() {
            drawn.decisions.push(shown.decision);
            drawn.candidates.extend(shown.candidates.into_iter().flatten());
        }
        drawn
    }
}

/// Decisions that a page asks for and does not have, and those it has to draw and has no candidates of.
fn missing<'a>([told, drawn]: &Asked<'a>, page: &Page) -> [Vec<&'a str>; 2] {
    let has_candidates = |id: &str| page.get(id).is_some_and(|shown| shown.candidates.is_some());
    [
        told.union(drawn).copied().filter(|id| !page.contains_key(*id)).collect(),
        drawn.iter().copied().filter(|id| !has_candidates(id)).collect(),
    ]
}

/// The name under which a player's page or a season's folder is kept: names are strangers' text.
pub(super) fn name(of: &str) -> String {
    const DIGITS: usize = 32;
    blake3::hash(of.as_bytes()).to_hex()[..DIGITS].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::durable;
    use crate::tables::lake::{Lake, WHOLE, table_dir};
    use crate::tables::part::PartWriter;
    use std::error::Error;

    type Tried = Result<(), Box<dyn Error>>;

    fn id(order: i64) -> String {
        format!("{:016x}-{order:04}", 7)
    }

    fn put<R: Row>(snapshot: &Path, rows: &[R]) -> Result<std::path::PathBuf, TableFault> {
        let dir = table_dir(snapshot, R::TABLE, "2026");
        durable::clear(&dir)?;
        let mut writer = PartWriter::create(&dir, WHOLE)?;
        writer.push(rows)?;
        Ok(writer.finish()?.path)
    }

    fn decisions(snapshot: &Path, mpt: i64) -> Result<std::path::PathBuf, TableFault> {
        let row = |order| DecisionRow {
            decision_id: id(order),
            match_id: format!("{:016x}", 7),
            order,
            e_mpt: Some(mpt + order),
            ..DecisionRow::default()
        };
        put(snapshot, &(0..5).map(row).collect::<Vec<_>>())
    }

    fn candidates(snapshot: &Path) -> Result<std::path::PathBuf, TableFault> {
        let row = |at: i64| CandidateRow { decision_id: id(at / 3), rank: at % 3, ..CandidateRow::default() };
        put(snapshot, &(0..15).map(row).collect::<Vec<_>>())
    }

    /// Error and number of candidates of each decision that is told or drawn, in order.
    fn fetched(root: &Path, shown: [&[i64]; 2]) -> Result<Vec<(Option<i64>, usize)>, NightFault> {
        fetched_of(&Origins::default(), root, shown)
    }

    fn fetched_of(
        origins: &Origins,
        root: &Path,
        [told, drawn]: [&[i64]; 2],
    ) -> Result<Vec<(Option<i64>, usize)>, NightFault> {
        let cache = Cache::of(&Lake::at(root)).below(FOLDER);
        let drawer = Drawer::of((cache, origins), (root, "2026"), 1)?;
        let [told, drawn] = [told, drawn].map(|orders| orders.iter().map(|order| id(*order)).collect::<Vec<_>>());
        let asked = [&told, &drawn].map(|ids| ids.iter().map(String::as_str).collect());
        let got = drawer.fetch(&[("Foxglove", asked)])?.pop().unwrap_or_default();
        let of = |row: &DecisionRow| got.candidates.iter().filter(|of| of.decision_id == row.decision_id).count();
        Ok(got.decisions.iter().map(|row| (row.e_mpt, of(row))).collect())
    }

    #[test]
    fn what_a_page_showed_is_taken_from_the_cache_as_long_as_the_parts_are_what_they_were() -> Tried {
        let root = tempfile::tempdir()?;
        let root = root.path();
        let paths = [decisions(root, 10)?, candidates(root)?];
        let first = fetched(root, [&[0, 1], &[1, 3]])?;
        assert_eq!(first, [(Some(10), 0), (Some(11), 3), (Some(13), 3)]);

        // The parts have their names and cannot be read: what was shown is there, anything else is not.
        let whole: Vec<Vec<u8>> = paths.iter().map(std::fs::read).collect::<Result<_, _>>()?;
        for path in &paths {
            std::fs::remove_file(path)?;
            std::fs::write(path, b"damaged")?;
        }
        assert_eq!(fetched(root, [&[0, 1], &[1, 3]])?, first);
        assert!(fetched(root, [&[0], &[4]]).is_err());
        for (path, whole) in paths.iter().zip(whole) {
            std::fs::write(path, whole)?;
        }
        // One more is drawn, one was told and is drawn now.
        assert_eq!(fetched(root, [&[], &[0, 4]])?, [(Some(10), 3), (Some(14), 3)]);

        // Another part: what was shown is looked for again.
        decisions(root, 50)?;
        assert_eq!(fetched(root, [&[], &[0, 4]])?, [(Some(50), 3), (Some(54), 3)]);
        Ok(())
    }

    #[test]
    fn of_a_match_with_a_key_nothing_is_looked_for_again_until_the_key_is_another() -> Tried {
        let root = tempfile::tempdir()?;
        let root = root.path();
        decisions(root, 10)?;
        candidates(root)?;
        let keyed = |key: &str| Origins::of(WHOLE, &[(match_of(&id(0)), key)]);
        let first = fetched_of(&keyed("one"), root, [&[0], &[1]])?;
        assert_eq!(first, [(Some(10), 0), (Some(11), 3)]);
        // A neighbour gives the part another name; that the match has other rows is made up, to see where they come from.
        decisions(root, 50)?;
        assert_eq!(fetched_of(&keyed("one"), root, [&[0], &[1]])?, first);
        assert_eq!(fetched_of(&keyed("one"), root, [&[0, 2], &[1]])?[2], (Some(52), 0));
        assert_eq!(fetched_of(&keyed("two"), root, [&[0], &[1]])?, [(Some(50), 0), (Some(51), 3)]);
        assert_eq!(fetched(root, [&[0], &[1]])?, [(Some(50), 0), (Some(51), 3)]);
        Ok(())
    }
}
