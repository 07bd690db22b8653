//! What tells two snapshots apart, in the words of whoever asks in the morning: matches that are new, gone or other than
//! they were, players whose figures moved, files that could not be used any more.
//!
//! [`Rows`] are what is compared, read from a whole snapshot or from one season of it; [`Changes::between`] compares and
//! touches nothing else. Two figures are the same when their bits are: both come from sums of whole numbers, so a
//! difference in the last digit is a difference.

use super::facts::{MatchRow, SourceRow};
use std::collections::{BTreeMap, BTreeSet};
#[cfg(feature = "tables")]
use {
    super::facts::AnalysisRow,
    super::fault::TableFault,
    super::lake::{self, Listed},
    super::marts::{PlayerMatchRow, PlayerSeasonRow},
    super::part,
    super::row::Row,
    std::path::Path,
};

/// One seat's figures in a match.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatFigures {
    /// Counted decisions.
    pub decisions: i64,
    /// PR.
    pub pr: Option<f64>,
    /// Losses of the counted decisions, as a fraction of a match.
    pub loss: Option<f64>,
}

/// The analysis that fills the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Primary {
    /// Its file, below raw/.
    pub path: String,
    /// First 16 hex digits of the file's hash.
    pub source_id: String,
    /// Who analysed.
    pub engine: String,
    /// How deeply.
    pub depths: Option<String>,
}

/// A match as a snapshot has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The match.
    pub row: MatchRow,
    /// Its primary analysis.
    pub primary: Option<Primary>,
    /// Figures by seat, 1 and 2.
    pub seats: BTreeMap<i64, SeatFigures>,
}

/// A player's season as a snapshot has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Matches.
    pub matches: i64,
    /// Counted decisions.
    pub decisions: i64,
    /// PR.
    pub pr: Option<f64>,
}

/// What is compared of a snapshot, or of one season of it.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// By match_id.
    pub matches: BTreeMap<String, Played>,
    /// By season and canonical name.
    pub levels: BTreeMap<(String, String), Level>,
    /// Quarantined files, by path and content.
    pub rejected: BTreeMap<(String, String), SourceRow>,
}

#[cfg(feature = "tables")]
impl Rows {
    /// Of every season.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub fn read(snapshot: &Path) -> Result<Self, TableFault> {
        let mut rows = Self::default();
        for season in lake::names(&snapshot.join(SourceRow::TABLE))? {
            rows.add((snapshot, &season), &BTreeSet::new())?;
        }
        Ok(rows)
    }

    /// Of one season of two snapshots, as far as they can tell one from the other: of a bucket whose parts have the names
    /// they had, no match is read. Nothing of a snapshot that does not have the season.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub fn of_season([before, after]: [&Path; 2], season: &str) -> Result<[Self; 2], TableFault> {
        let [were, are] = [parts_by_bucket(before, season)?, parts_by_bucket(after, season)?];
        let same = are.into_iter().filter(|(bucket, names)| were.get(bucket) == Some(names));
        let same: BTreeSet<String> = same.map(|(bucket, _)| bucket).collect();
        let mut rows = [Self::default(), Self::default()];
        for (rows, snapshot) in rows.iter_mut().zip([before, after]) {
            rows.add((snapshot, season), &same)?;
        }
        Ok(rows)
    }

    /// Matches of the buckets of these labels are left out.
    fn add(&mut self, place: (&Path, &str), left_out: &BTreeSet<String>) -> Result<(), TableFault> {
        let of_matches = |listed: &Listed| !left_out.contains(&listed.bucket);
        let all = |_: &Listed| true;
        each(place, of_matches, |row: MatchRow| {
            let played = Played { row, primary: None, seats: BTreeMap::new() };
            self.matches.insert(played.row.match_id.clone(), played);
        })?;
        each(place, of_matches, |row: AnalysisRow| {
            if let Some(played) = self.matches.get_mut(&row.match_id).filter(|_| row.primary) {
                let AnalysisRow { path, source_id, engine, depths, .. } = row;
                played.primary = Some(Primary { path, source_id, engine, depths });
            }
        })?;
        each(place, of_matches, |row: PlayerMatchRow| {
            if let (Some(seat), Some(played)) = (row.seat, self.matches.get_mut(&row.match_id)) {
                let figures = SeatFigures { decisions: row.decisions, pr: row.pr, loss: row.loss };
                played.seats.insert(seat, figures);
            }
        })?;
        each(place, all, |row: PlayerSeasonRow| {
            if let Some(player) = row.player {
                let level = Level { matches: row.matches, decisions: row.decisions, pr: row.pr };
                self.levels.insert((row.season, player), level);
            }
        })?;
        each(place, all, |row: SourceRow| {
            if row.status == "quarantined" {
                self.rejected.insert((row.path.clone(), row.blake3.clone()), row);
            }
        })
    }
}

#[cfg(feature = "tables")]
fn each<R: Row>(
    (snapshot, season): (&Path, &str),
    wanted: impl Fn(&Listed) -> bool,
    mut take: impl FnMut(R),
) -> Result<(), TableFault> {
    for listed in lake::season_parts(snapshot, R::TABLE, season)?.into_iter().filter(wanted) {
        part::each::<R>(&listed.path, &mut |batch| batch.into_iter().for_each(&mut take))?;
    }
    Ok(())
}

/// The names of the parts that matches are compared by, which tell their contents.
#[cfg(feature = "tables")]
fn parts_by_bucket(snapshot: &Path, season: &str) -> Result<BTreeMap<String, Vec<String>>, TableFault> {
    let mut parts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for table in [MatchRow::TABLE, AnalysisRow::TABLE, PlayerMatchRow::TABLE] {
        for listed in lake::season_parts(snapshot, table, season)? {
            parts.entry(listed.bucket).or_default().push(format!("{table}/{}", listed.name));
        }
    }
    Ok(parts)
}

/// What is other about a match that both have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Another file's analysis is primary.
    Primary,
    /// Decisions, PR or loss of a seat.
    Figures,
    /// Names, season, event, round, place, date, length or result.
    Description,
    /// None of these: another analysis beside the primary one, a comment, a column that no figure here shows.
    Other,
}

/// A match that both have, and not as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// As it was.
    pub before: Played,
    /// As it is.
    pub after: Played,
    /// What is other; never empty.
    pub what: BTreeSet<What>,
}

/// A player's season whose figures moved; one that begins or ends has one side only.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// Season.
    pub season: String,
    /// Canonical name.
    pub player: String,
    /// As it was.
    pub before: Option<Level>,
    /// As it is.
    pub after: Option<Level>,
}

/// Everything that tells one from the other; matches by match_id, players by season and name, files by path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Only the later one has them.
    pub added: Vec<Played>,
    /// Only the earlier one has them.
    pub removed: Vec<Played>,
    /// Both have them, each its own way.
    pub changed: Vec<Changed>,
    /// Players' seasons.
    pub moved: Vec<Moved>,
    /// Files that the later one rejected and the earlier one did not, as they are.
    pub rejected: Vec<SourceRow>,
}

impl Changes {
    /// What happened from one to the other.
    #[must_use]
    pub fn between(before: &Rows, after: &Rows) -> Self {
        let only_in = |a: &Rows, b: &Rows| -> Vec<Played> {
            a.matches.iter().filter(|(id, _)| !b.matches.contains_key(*id)).map(|(_, played)| played.clone()).collect()
        };
        let both = before.matches.iter().filter_map(|(id, was)| Some((was, after.matches.get(id)?)));
        let new = after.rejected.iter().filter(|(file, _)| !before.rejected.contains_key(*file));
        Self {
            added: only_in(after, before),
            removed: only_in(before, after),
            changed: both.filter_map(|(was, is)| changed(was, is)).collect(),
            moved: moved(&before.levels, &after.levels),
            rejected: new.map(|(_, row)| row.clone()).collect(),
        }
    }

    /// Nothing tells them apart.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn changed(before: &Played, after: &Played) -> Option<Changed> {
    let id = |played: &Played| played.primary.as_ref().map(|primary| primary.source_id.clone());
    let described = |played: &Played| MatchRow { digest: String::new(), ..played.row.clone() };
    let mut what = BTreeSet::new();
    if id(before) != id(after) {
        what.insert(What::Primary);
    }
    if before.seats != after.seats {
        what.insert(What::Figures);
    }
    if described(before) != described(after) {
        what.insert(What::Description);
    }
    if what.is_empty() && before.row.digest != after.row.digest {
        what.insert(What::Other);
    }
    (!what.is_empty()).then(|| Changed { before: before.clone(), after: after.clone(), what })
}

type Levels = BTreeMap<(String, String), Level>;

fn moved(before: &Levels, after: &Levels) -> Vec<Moved> {
    let everybody: BTreeSet<&(String, String)> = before.keys().chain(after.keys()).collect();
    let mut all = Vec::new();
    for who in everybody {
        let (was, is) = (before.get(who), after.get(who));
        if was != is {
            let (season, player) = who.clone();
            all.push(Moved { season, player, before: was.cloned(), after: is.cloned() });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(id: &str, pr: f64) -> Played {
        let row = MatchRow { match_id: id.to_owned(), digest: format!("{id}{pr}"), ..MatchRow::default() };
        let primary =
            Primary { path: format!("2026/{id}.xg"), source_id: id.to_owned(), engine: "xg".to_owned(), depths: None };
        let figures = SeatFigures { decisions: 10, pr: Some(pr), loss: Some(0.1) };
        Played { row, primary: Some(primary), seats: BTreeMap::from([(1, figures)]) }
    }

    fn rows(matches: &[Played]) -> Rows {
        let matches = matches.iter().map(|played| (played.row.match_id.clone(), played.clone())).collect();
        Rows { matches, ..Rows::default() }
    }

    fn what(before: &Played, after: &Played) -> Vec<What> {
        let changes = Changes::between(&rows(std::slice::from_ref(before)), &rows(std::slice::from_ref(after)));
        changes.changed.into_iter().flat_map(|changed| changed.what).collect()
    }

    #[test]
    fn a_match_is_added_removed_or_left_alone_by_its_identity() {
        let (kept, gone, new) = (played("a", 5.0), played("b", 6.0), played("c", 7.0));
        let changes = Changes::between(&rows(&[kept.clone(), gone.clone()]), &rows(&[kept, new.clone()]));
        assert_eq!((changes.added, changes.removed, changes.changed), (vec![new], vec![gone], vec![]));
    }

    #[test]
    fn what_is_other_about_a_match_is_told_apart() {
        let was = played("a", 5.0);
        assert_eq!(what(&was, &was), []);
        assert_eq!(what(&was, &played("a", 5.1)), [What::Figures]);
        let mut deeper = was.clone();
        deeper.primary = deeper.primary.map(|primary| Primary { source_id: "other".to_owned(), ..primary });
        assert_eq!(what(&was, &deeper), [What::Primary]);
        let mut renamed = was.clone();
        renamed.row.player_1 = "Bramblewick".to_owned();
        renamed.row.digest = "other".to_owned();
        assert_eq!(what(&was, &renamed), [What::Description]);
        let mut commented = was.clone();
        commented.row.digest = "other".to_owned();
        assert_eq!(what(&was, &commented), [What::Other]);
    }

    #[test]
    fn a_level_that_moves_by_one_bit_moved_and_one_that_begins_has_no_before() {
        let who = |name: &str| ("2026".to_owned(), name.to_owned());
        let level = |pr: f64| Level { matches: 1, decisions: 10, pr: Some(pr) };
        let before = BTreeMap::from([(who("A"), level(5.0)), (who("B"), level(6.0))]);
        let next = f64::from_bits(5.0_f64.to_bits() + 1);
        let after = BTreeMap::from([(who("A"), level(next)), (who("B"), level(6.0)), (who("C"), level(7.0))]);
        let moved = moved(&before, &after);
        let names: Vec<&str> = moved.iter().map(|moved| moved.player.as_str()).collect();
        assert_eq!(names, ["A", "C"]);
        assert_eq!(moved[1].before, None);
    }

    #[test]
    fn a_file_is_newly_rejected_again_when_its_content_is_another() {
        let row = |hash: &str| SourceRow { path: "x.xg".to_owned(), blake3: hash.to_owned(), ..SourceRow::default() };
        let with = |hash: &str| Rows {
            rejected: BTreeMap::from([(("x.xg".to_owned(), hash.to_owned()), row(hash))]),
            ..Rows::default()
        };
        assert!(Changes::between(&with("1"), &with("1")).is_empty());
        assert_eq!(Changes::between(&with("1"), &with("2")).rejected, [row("2")]);
        assert!(Changes::between(&with("1"), &Rows::default()).is_empty());
    }

    #[cfg(feature = "tables")]
    #[test]
    fn of_two_snapshots_only_the_buckets_that_are_other_are_read() -> Result<(), Box<dyn std::error::Error>> {
        use crate::tables::part::PartWriter;
        let root = tempfile::tempdir()?;
        let [before, after] = [root.path().join("1"), root.path().join("2")];
        let put = |snapshot: &Path, bucket: &str, row: MatchRow| {
            let mut writer = PartWriter::create(&lake::table_dir(snapshot, MatchRow::TABLE, "2026"), bucket)?;
            writer.push(&[row])?;
            writer.finish().map(|part| part.path)
        };
        for snapshot in [&before, &after] {
            let same = put(snapshot, "0", played("a", 5.0).row)?;
            std::fs::remove_file(&same)?;
            std::fs::write(&same, b"damaged")?;
        }
        put(&before, "1", played("b", 5.0).row)?;
        put(&after, "1", played("b", 6.0).row)?;
        let [were, are] = Rows::of_season([&before, &after], "2026")?;
        let changes = Changes::between(&were, &are);
        let changed: Vec<&str> = changes.changed.iter().map(|of| of.after.row.match_id.as_str()).collect();
        assert_eq!((changed, changes.added, changes.removed), (vec!["b"], vec![], vec![]));
        Ok(())
    }
}
