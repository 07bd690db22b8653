//! The rows of one season that its pages share, and the groups of pages that are made of them.

use super::academy::{Gathered, Room, School};
use super::lessons::Lessons;
use super::matches::Matches;
use super::openings::Walker;
use super::origins::Origins;
use super::press::{Press, Ready};
use super::{drawn, news, openings, season_rows};
use crate::academy::settings::{Source, ValueOf, VotesBy};
use crate::config::{self, Settings};
use crate::measure::interval::Quantile;
use crate::night::cache::{Cache, REVISION};
use crate::night::fault::NightFault;
use crate::night::side;
use crate::night::signal;
use crate::report::{
    self, AcademyInput, Colophon, CountedBy, MatchInput, MatchPages, News, Page, QualityInput, RatedBy, SeasonInput,
    StartsAt, Templates, Terms, Thresholds, WorthOf,
};
use crate::tables::bucket::Division;
use crate::tables::changes::Changes;
use crate::tables::digest::Digest;
use crate::tables::facts::{AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, SourceRow};
use crate::tables::fault::TableFault;
use crate::tables::groups::Groups;
use crate::tables::lake::{self, Lake};
use crate::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use crate::tables::row::Row;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Past this many matches a season, pages are made for the main player's matches only (`reports.md`).
pub(in crate::night) const MOST_MATCH_PAGES: usize = 2_000;

/// The rows of one season that its pages share.
pub(super) struct Shelf<'a> {
    pub(super) snapshot: &'a Path,
    pub(super) season: &'a str,
    settings: &'a Settings,
    pub(super) players: Vec<PlayerSeasonRow>,
    pub(super) matches: Matches,
    sources: Vec<SourceRow>,
    pub(super) with_page: BTreeSet<String>,
    pub(super) lessons: Lessons,
    /// What the snapshot before did not have, where that is to be told.
    pub(super) changes: Changes,
    pub(super) school: School,
    pub(super) origins: Origins,
}

impl<'a> Shelf<'a> {
    /// Reads them, and from the `earlier` snapshot what the season was.
    ///
    /// # Errors
    /// A part that cannot be read.
    pub(super) fn read(
        snapshot: &'a Path,
        season: &'a str,
        (settings, earlier): (&'a Settings, Option<&Path>),
    ) -> Result<Self, NightFault> {
        let sources: Vec<SourceRow> = season_rows(snapshot, season)?;
        let matches = Matches::read((snapshot, season), &sources)?;
        let with_page = with_page(&matches.rows, settings);
        let cache = Cache::of(&Lake::at(settings.lake()));
        let gathered = Gathered::of(&cache, season);
        let rest = || {
            let school = School::read((snapshot, season), (&settings.academy.bylaws, &gathered))?;
            let changes = news::changes((earlier, snapshot), season)?;
            Ok::<_, NightFault>((school, changes, Origins::read(&cache, (snapshot, season))?))
        };
        let (lessons, rest) = rayon::join(|| Lessons::read(snapshot, season, &with_page), rest);
        let (lessons, (school, changes, origins)) = (lessons?, rest?);
        let players = season_rows(snapshot, season)?;
        Ok(Self { snapshot, season, settings, players, lessons, changes, school, origins, matches, sources, with_page })
    }

    /// Makes the groups that are not what they were, and the folder ready, where it is another than the public one. Returns
    /// how many pages there are, and how many of them were made, too.
    ///
    /// # Errors
    /// A template that fails, a disk that cannot be written, a signal.
    pub(super) fn print(
        self,
        templates: &Templates,
        waits: &(dyn Fn() + Sync),
    ) -> Result<(usize, usize, Option<Ready>), NightFault> {
        let reports = &self.settings.reports;
        std::fs::create_dir_all(reports).map_err(|source| NightFault::Unwritable { path: reports.clone(), source })?;
        let cache = Cache::of(&Lake::at(self.settings.lake()));
        let press = Press::begin(&cache, &reports.join(self.season))?;
        let desk = Desk { press: &press, cache: &cache, templates, common: self.common(templates) };
        let (of_season, of_each) = rayon::join(
            || Ok::<_, NightFault>(self.academy(&desk)? + self.index(&desk)? + self.quality(&desk)?),
            // A tournament's page is one piece of work, and players' pages are many small ones: these fill what time is left.
            || Ok::<_, NightFault>(self.tournaments(&desk)? + self.each_player(&desk)? + self.each_match(&desk)?),
        );
        let made = of_season? + of_each?;
        // While the disk is waited for, the rows may go.
        waits();
        let (ready, ()) = rayon::join(|| press.ready(), || drop(self));
        let (count, ready) = ready?;
        Ok((count, made, ready))
    }

    /// What every page hangs on.
    fn common(&self, templates: &Templates) -> Digest {
        let mut digest = Digest::default();
        digest.text(REVISION).text(templates.digest()).text(&self.settings.print()).text(self.season);
        digest
    }

    fn index(&self, desk: &Desk<'_>) -> Result<usize, NightFault> {
        let news = News::of_season(&self.changes, MatchPages::Only(&self.with_page));
        let mut key = desk.key();
        key.text(&format!("{news:?}"));
        self.hash_parts(&[PlayerSeasonRow::TABLE, PlayerMatchRow::TABLE], &mut key)?;
        self.hash_parts(&SHARED, &mut key)?;
        key.rows(&self.lessons.references).rows(&self.lessons.standings).rows(&self.lessons.places);
        key.text(if self.school.has_page() { "academy" } else { "" });
        key.text(&format!("{:?}", self.school.last_day()));
        desk.print("season", key, || {
            let colophon = self.season_colophon();
            let input = SeasonInput {
                season: self.season,
                players: &self.players,
                matches: &self.matches.rows,
                figures: &self.matches.figures,
                sources: &self.sources,
                tournaments: &self.lessons.references,
                standings: &self.lessons.standings,
                places: &self.lessons.places,
                news: &news,
                academy: self.school.has_page(),
                colophon: &colophon,
                pages: MatchPages::Only(&self.with_page),
            };
            Ok(report::season_pages(desk.templates, &input)?)
        })
    }

    fn quality(&self, desk: &Desk<'_>) -> Result<usize, NightFault> {
        let mut key = desk.key();
        self.hash_parts(&SHARED, &mut key)?;
        key.text(&format!("{:?}", self.school.last_day()));
        desk.print("quality", key, || {
            let mut colophon = self.season_colophon();
            let files = self.sources.iter().map(|row| format!("{} {} {}\n", row.path, row.blake3, row.status));
            colophon.digest12 = digest12(files);
            let input = QualityInput { season: self.season, sources: &self.sources, colophon: &colophon };
            Ok(report::quality_pages(desk.templates, &input)?)
        })
    }

    /// The Academy's page, where it knows the season. The plays behind its opening book hang on the matches' digests.
    fn academy(&self, desk: &Desk<'_>) -> Result<usize, NightFault> {
        if !self.school.has_page() {
            return Ok(0);
        }
        let mut key = desk.key();
        self.school.hash(&mut key);
        self.hash_parts(&[PlayerSeasonRow::TABLE], &mut key)?;
        self.hash_parts(&SHARED, &mut key)?;
        self.hash_matches(&self.matches.all(), &mut key);
        desk.print("academy", key, || {
            let colophon = self.season_colophon();
            let firsts = desk.cache.below(openings::FOLDER).below(&drawn::name(self.season));
            let decisions = lake::season_parts(self.snapshot, DecisionRow::TABLE, self.season)?;
            let gathered = Gathered::of(desk.cache, self.season);
            let room = Room::read((self.snapshot, self.season), &gathered)?;
            gathered.prune(self.snapshot, self.season)?;
            let contests = room.contests();
            let openings = Walker::new(&room.tree, &contests).walk((&firsts, &self.origins), &decisions)?;
            let (ratings, players, advice) = self.school.shared();
            let input = AcademyInput {
                season: self.season,
                contests: &contests,
                ratings,
                tree: &room.tree,
                patterns: &self.school.patterns,
                filings: &room.filings,
                advice,
                measures: &self.school.measures,
                players,
                openings: &openings,
                matches: &self.matches.rows,
                with_page: &self.players,
                sources: &self.sources,
                terms: self.terms(),
                most_nodes: self.settings.academy.bylaws.fuseki.max_nodes,
                colophon: &colophon,
                pages: MatchPages::Only(&self.with_page),
            };
            Ok(vec![report::academy_page(desk.templates, &input)?])
        })
    }

    /// How the pages call what the Academy's settings may change.
    pub(super) fn terms(&self) -> Terms {
        let academy = &self.settings.academy;
        Terms {
            rated_by: match academy.source {
                Source::Results => RatedBy::Results,
                Source::Machine => RatedBy::Play,
            },
            worth_of: match academy.value {
                ValueOf::Win => WorthOf::Game,
                ValueOf::Mwc => WorthOf::Match,
            },
            starts_at: if academy.seeds.is_empty() { StartsAt::Same } else { StartsAt::Listed },
            counted_by: match academy.bylaws.votes {
                VotesBy::Players => CountedBy::Players,
                VotesBy::Proposals => CountedBy::Proposals,
            },
        }
    }

    /// A page for every match that gets one.
    fn each_match(&self, desk: &Desk<'_>) -> Result<usize, NightFault> {
        let division = Division::of(self.matches.rows.len() as u64);
        let mut due: BTreeMap<String, Vec<Due<'_>>> = BTreeMap::new();
        for (at, played) in self.matches.rows.iter().enumerate() {
            let id = played.match_id.as_str();
            if !self.with_page.contains(id) {
                continue;
            }
            let (group, mut key) = (format!("match {id}"), desk.key());
            key.text(self.matches.seal(at));
            key.rows(of_match(&self.lessons.figures, id, |row| &row.match_id));
            key.rows(of_match(&self.lessons.review, id, |row| &row.match_id));
            let key = key.finish();
            if !desk.press.carry(&group, &key)? {
                let bucket = division.holding(id).map_or_else(String::new, |bucket| bucket.to_string());
                due.entry(bucket).or_default().push(Due { at, played, group, key });
            }
        }
        let buckets = self.buckets()?;
        due.par_iter().try_for_each(|(bucket, due)| {
            buckets.get(bucket).map_or(Ok(()), |parts| self.bucket(desk, (parts, due)))
        })?;
        Ok(due.values().map(Vec::len).sum())
    }

    /// The parts of every bucket, by table.
    fn buckets(&self) -> Result<BTreeMap<String, Parts>, TableFault> {
        let mut buckets: BTreeMap<String, Parts> = BTreeMap::new();
        for table in [GameRow::TABLE, DecisionRow::TABLE, CandidateRow::TABLE, CommentRow::TABLE] {
            for listed in lake::season_parts(self.snapshot, table, self.season)? {
                buckets.entry(listed.bucket).or_default().insert(table, listed.path);
            }
        }
        Ok(buckets)
    }

    /// The pages of some matches of a bucket, in the order of their ids.
    fn bucket(&self, desk: &Desk<'_>, (parts, due): (&Parts, &[Due<'_>])) -> Result<(), NightFault> {
        let part = |table| parts.get(table).map(PathBuf::as_path);
        let ids: BTreeSet<&str> = due.iter().map(|due| due.played.match_id.as_str()).collect();
        let mut games = Groups::<GameRow>::open_for(part(GameRow::TABLE), &ids)?;
        let mut decisions = Groups::<DecisionRow>::open_for(part(DecisionRow::TABLE), &ids)?;
        let mut candidates = Groups::<CandidateRow>::open_for(part(CandidateRow::TABLE), &ids)?;
        let mut comments = Groups::<CommentRow>::open_for(part(CommentRow::TABLE), &ids)?;
        for Due { at, played, group, key } in due {
            signal::pause()?;
            let id = played.match_id.as_str();
            let colophon = self.colophon(std::slice::from_ref(at));
            let input = MatchInput {
                played,
                games: &games.of(id)?,
                figures: of_match(&self.lessons.figures, id, |row| &row.match_id),
                decisions: &decisions.of(id)?,
                candidates: &candidates.of(id)?,
                analyses: self.matches.analyses_of(*at),
                comments: &comments.of(id)?,
                review: of_match(&self.lessons.review, id, |row| &row.match_id),
                main_player: self.settings.main_player.as_deref(),
                colophon: &colophon,
            };
            desk.put(group, key.clone(), vec![report::match_page(desk.templates, &input)?])?;
        }
        Ok(())
    }

    /// Everything these tables hold of the season: parts are named by their contents.
    fn hash_parts(&self, tables: &[&str], key: &mut Digest) -> Result<(), TableFault> {
        for table in tables {
            key.text(table);
            for part in lake::season_parts(self.snapshot, table, self.season)? {
                key.text(&part.name);
            }
        }
        Ok(())
    }

    /// Everything of these matches that a page can show, and which of them it can link to.
    pub(super) fn hash_matches(&self, places: &[usize], key: &mut Digest) {
        for (&at, row) in places.iter().zip(self.matches.at(places)) {
            key.text(self.matches.seal(at));
            key.text(if self.with_page.contains(&row.match_id) { "linked" } else { "" });
        }
    }

    /// What the footer of a page of the whole season says of its inputs: files of contests are among them, where the
    /// Academy files them.
    fn season_colophon(&self) -> Colophon {
        let mut colophon = self.colophon(&self.matches.all());
        let contests: Vec<&SourceRow> = match self.settings.academy.enabled {
            true => self.sources.iter().filter(|row| side::is_contests(row)).collect(),
            false => Vec::new(),
        };
        if contests.is_empty() {
            return colophon;
        }
        colophon.sources += i64::try_from(contests.len()).unwrap_or(i64::MAX);
        let contents: BTreeSet<&str> = contests.iter().map(|row| row.blake3.as_str()).collect();
        let matches = self.matches.rows.iter().map(|row| row.digest.as_str());
        colophon.digest12 = digest12(matches.chain(contents));
        colophon.data_to = colophon.data_to.max(self.school.last_day());
        colophon
    }

    /// What the footer of a page made of the matches at these places says of its inputs.
    pub(super) fn colophon(&self, places: &[usize]) -> Colophon {
        let rules = self.settings.rules;
        Colophon {
            product_version: env!("CARGO_PKG_VERSION").to_owned(),
            met: crate::game::met::NAME.to_owned(),
            sources: self.matches.files(places),
            digest12: digest12(self.matches.at(places).map(|row| row.digest.as_str())),
            data_to: self.matches.at(places).filter_map(|row| row.date).max(),
            engines_depths: self.matches.engines_depths(places),
            thresholds: Thresholds { error: rules.error.0, blunder: rules.blunder.0 },
            interval: match self.settings.quantile {
                Quantile::Normal => "95 %, z = 1.96",
                Quantile::Student => "95 %, Student",
            }
            .to_owned(),
        }
    }
}

/// The tables that every page of the whole season hangs on.
const SHARED: [&str; 3] = [MatchRow::TABLE, AnalysisRow::TABLE, SourceRow::TABLE];

/// What a group of pages is made with.
pub(super) struct Desk<'a> {
    pub(super) press: &'a Press,
    pub(super) cache: &'a Cache,
    pub(super) templates: &'a Templates,
    common: Digest,
}

impl Desk<'_> {
    /// Writes a group that was made; returns how many pages it has.
    pub(super) fn put(&self, group: &str, key: String, pages: Vec<Page>) -> Result<usize, NightFault> {
        self.press.print(group, key, &pages)?;
        let count = pages.len();
        self.templates.take_back(pages);
        Ok(count)
    }

    /// Begins a key.
    pub(super) fn key(&self) -> Digest {
        self.common.clone()
    }

    /// Takes a group over or makes it; returns how many pages were made.
    pub(super) fn print(
        &self,
        group: &str,
        key: Digest,
        make: impl FnOnce() -> Result<Vec<Page>, NightFault>,
    ) -> Result<usize, NightFault> {
        let key = key.finish();
        if self.press.carry(group, &key)? {
            return Ok(0);
        }
        let pages = make()?;
        self.put(group, key, pages)
    }
}

/// A match's page to be made.
struct Due<'a> {
    at: usize,
    played: &'a MatchRow,
    group: String,
    key: String,
}

/// The parts of a bucket, by table.
type Parts = BTreeMap<&'static str, PathBuf>;

/// Which matches get a page: all of them, or past the limit the main player's.
fn with_page(matches: &[MatchRow], settings: &Settings) -> BTreeSet<String> {
    let all = settings.match_pages == config::MatchPages::All || matches.len() <= MOST_MATCH_PAGES;
    let main = settings.main_player.as_deref();
    let kept = |row: &&MatchRow| all || main == Some(row.player_1.as_str()) || main == Some(row.player_2.as_str());
    matches.iter().filter(kept).map(|row| row.match_id.clone()).collect()
}

/// The rows of one match among rows sorted by match.
fn of_match<'a, R>(rows: &'a [R], id: &str, match_id: fn(&R) -> &str) -> &'a [R] {
    let first = rows.partition_point(|row| match_id(row) < id);
    let count = rows[first..].partition_point(|row| match_id(row) == id);
    &rows[first..first + count]
}

fn digest12(parts: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.as_ref().as_bytes()).update(b"\n");
    }
    hasher.finalize().to_hex().chars().take(12).collect()
}
