//! The rows of one season that its pages share, and the groups of pages that are made of them.

use super::academy::{Gathered, Room, School};
use super::lessons::Lessons;
use super::openings::Walker;
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
use crate::tables::facts::{
    AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, SourceRow, match_of,
};
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
    /// These three sorted by match: [`of_match`] finds a match's rows.
    pub(super) matches: Vec<MatchRow>,
    pub(super) figures: Vec<PlayerMatchRow>,
    analyses: Vec<AnalysisRow>,
    sources: Vec<SourceRow>,
    /// How many files each match has.
    files: BTreeMap<String, i64>,
    /// Where in `figures` each player's are.
    pub(super) figures_of: BTreeMap<String, Vec<usize>>,
    pub(super) with_page: BTreeSet<String>,
    pub(super) lessons: Lessons,
    /// What the snapshot before did not have, where that is to be told.
    pub(super) changes: Changes,
    pub(super) school: School,
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
        let matches = season_rows::<MatchRow>(snapshot, season)?;
        let with_page = with_page(&matches, settings);
        let gathered = Gathered::of(&Cache::of(&Lake::at(settings.lake())), season);
        let (lessons, (school, (figures, (sources, analyses)))) = rayon::join(
            || Lessons::read(snapshot, season, &with_page),
            || {
                let figures = || season_rows::<PlayerMatchRow>(snapshot, season);
                let shared = || rayon::join(|| season_rows(snapshot, season), || season_rows(snapshot, season));
                rayon::join(
                    || School::read((snapshot, season), (&settings.academy.bylaws, &gathered)),
                    || rayon::join(figures, shared),
                )
            },
        );
        let (figures, sources): (_, Vec<SourceRow>) = (figures?, sources?);
        let mut files: BTreeMap<String, i64> = BTreeMap::new();
        for id in sources.iter().filter_map(|row| row.match_id.as_ref()) {
            *files.entry(id.clone()).or_default() += 1;
        }
        let mut figures_of: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, row) in figures.iter().enumerate() {
            if let Some(player) = &row.player {
                figures_of.entry(player.clone()).or_default().push(at);
            }
        }
        Ok(Self {
            snapshot,
            season,
            settings,
            players: season_rows(snapshot, season)?,
            analyses: analyses?,
            lessons: lessons?,
            changes: news::changes((earlier, snapshot), season)?,
            school: school?,
            matches,
            figures,
            sources,
            files,
            figures_of,
            with_page,
        })
    }

    /// Makes the groups that are not what they were, and the folder ready, where it is another than the public one. Returns
    /// how many pages there are, and how many of them were made, too.
    ///
    /// # Errors
    /// A template that fails, a disk that cannot be written, a signal.
    pub(super) fn print(&self, templates: &Templates) -> Result<(usize, usize, Option<Ready>), NightFault> {
        let reports = &self.settings.reports;
        std::fs::create_dir_all(reports).map_err(|source| NightFault::Unwritable { path: reports.clone(), source })?;
        let cache = Cache::of(&Lake::at(self.settings.lake()));
        let press = Press::begin(&cache, &reports.join(self.season))?;
        let desk = Desk { press: &press, cache: &cache, templates, common: self.common(templates) };
        let (of_season, of_each) = rayon::join(
            || Ok::<_, NightFault>(self.academy(&desk)? + self.index(&desk)? + self.quality(&desk)?),
            || Ok::<_, NightFault>(self.each_player(&desk)? + self.tournaments(&desk)? + self.each_match(&desk)?),
        );
        let made = of_season? + of_each?;
        let (count, ready) = press.ready()?;
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
                matches: &self.matches,
                figures: &self.figures,
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
        self.hash_links(&self.matches, &mut key);
        desk.print("academy", key, || {
            let colophon = self.season_colophon();
            let firsts = desk.cache.below(openings::FOLDER).below(&drawn::name(self.season));
            let decisions = lake::season_parts(self.snapshot, DecisionRow::TABLE, self.season)?;
            let gathered = Gathered::of(desk.cache, self.season);
            let room = Room::read((self.snapshot, self.season), &gathered)?;
            gathered.prune(self.snapshot, self.season)?;
            let openings = Walker::new(&room.tree, &room.contests).walk(&firsts, &decisions)?;
            let (ratings, players, advice) = self.school.shared();
            let input = AcademyInput {
                season: self.season,
                contests: &room.contests,
                ratings,
                tree: &room.tree,
                patterns: &room.patterns,
                filings: &room.filings,
                advice,
                measures: &room.measures,
                players,
                openings: &openings,
                matches: &self.matches,
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
        let division = Division::of(self.matches.len() as u64);
        let mut due: BTreeMap<String, Vec<Due<'_>>> = BTreeMap::new();
        for played in self.matches.iter().filter(|row| self.with_page.contains(&row.match_id)) {
            let id = played.match_id.as_str();
            let (group, mut key) = (format!("match {id}"), desk.key());
            key.rows(std::slice::from_ref(played));
            key.rows(of_match(&self.figures, id, |row| &row.match_id));
            key.rows(of_match(&self.analyses, id, |row| &row.match_id));
            key.rows(of_match(&self.lessons.review, id, |row| &row.match_id));
            key.text(&self.files.get(id).map_or_else(String::new, i64::to_string));
            let key = key.finish();
            if !desk.press.carry(&group, &key)? {
                let bucket = division.holding(id).map_or_else(String::new, |bucket| bucket.to_string());
                due.entry(bucket).or_default().push(Due { played, group, key });
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
        let mut games = Groups::open_for(part(GameRow::TABLE), |row: &GameRow| &row.match_id, &ids)?;
        let mut decisions = Groups::open_for(part(DecisionRow::TABLE), |row: &DecisionRow| &row.match_id, &ids)?;
        let mut candidates =
            Groups::open_for(part(CandidateRow::TABLE), |row: &CandidateRow| match_of(&row.decision_id), &ids)?;
        let mut comments = Groups::open_for(part(CommentRow::TABLE), |row: &CommentRow| &row.match_id, &ids)?;
        for Due { played, group, key } in due {
            signal::pause()?;
            let id = played.match_id.as_str();
            let colophon = self.colophon(std::slice::from_ref(played));
            let input = MatchInput {
                played,
                games: &games.of(id)?,
                figures: of_match(&self.figures, id, |row| &row.match_id),
                decisions: &decisions.of(id)?,
                candidates: &candidates.of(id)?,
                analyses: of_match(&self.analyses, id, |row| &row.match_id),
                comments: &comments.of(id)?,
                review: of_match(&self.lessons.review, id, |row| &row.match_id),
                main_player: self.settings.main_player.as_deref(),
                colophon: &colophon,
            };
            desk.press.print(group, key.clone(), &[report::match_page(desk.templates, &input)?])?;
        }
        Ok(())
    }

    /// The analyses of these matches: what a footer tells of them.
    pub(super) fn analyses_of<'b>(&'b self, matches: &'b [MatchRow]) -> impl Iterator<Item = &'b AnalysisRow> {
        matches.iter().flat_map(|row| of_match(&self.analyses, &row.match_id, |row| &row.match_id))
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

    /// Which of these matches a page can link to, and how many files each has.
    pub(super) fn hash_links(&self, matches: &[MatchRow], key: &mut Digest) {
        for row in matches {
            key.text(if self.with_page.contains(&row.match_id) { "linked" } else { "" });
            key.text(&self.files.get(&row.match_id).map_or_else(String::new, i64::to_string));
        }
    }

    /// What the footer of a page of the whole season says of its inputs: files of contests are among them, where the
    /// Academy files them.
    fn season_colophon(&self) -> Colophon {
        let mut colophon = self.colophon(&self.matches);
        let contests: Vec<&SourceRow> = match self.settings.academy.enabled {
            true => self.sources.iter().filter(|row| side::is_contests(row)).collect(),
            false => Vec::new(),
        };
        if contests.is_empty() {
            return colophon;
        }
        colophon.sources += i64::try_from(contests.len()).unwrap_or(i64::MAX);
        let contents: BTreeSet<&str> = contests.iter().map(|row| row.blake3.as_str()).collect();
        let matches = self.matches.iter().map(|row| row.digest.clone());
        colophon.digest12 = digest12(matches.chain(contents.into_iter().map(str::to_owned)));
        colophon.data_to = colophon.data_to.max(self.school.last_day());
        colophon
    }

    /// What the footer of a page made of these matches says of its inputs.
    pub(super) fn colophon(&self, matches: &[MatchRow]) -> Colophon {
        let rules = self.settings.rules;
        Colophon {
            product_version: env!("CARGO_PKG_VERSION").to_owned(),
            met: crate::game::met::NAME.to_owned(),
            sources: matches.iter().filter_map(|row| self.files.get(&row.match_id)).sum(),
            digest12: digest12(matches.iter().map(|row| row.digest.clone())),
            data_to: matches.iter().filter_map(|row| row.date).max(),
            engines_depths: engines_depths(
                matches.iter().flat_map(|row| of_match(&self.analyses, &row.match_id, |analysis| &analysis.match_id)),
            ),
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
        self.press.print(group, key, &pages)?;
        Ok(pages.len())
    }
}

/// A match's page to be made.
struct Due<'a> {
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
pub(super) fn of_match<'a, R>(rows: &'a [R], id: &str, match_id: fn(&R) -> &str) -> &'a [R] {
    let first = rows.partition_point(|row| match_id(row) < id);
    let count = rows[first..].partition_point(|row| match_id(row) == id);
    &rows[first..first + count]
}

fn digest12(parts: impl Iterator<Item = String>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.as_bytes()).update(b"\n");
    }
    hasher.finalize().to_hex().chars().take(12).collect()
}

/// `gnubg: gnuBG 2-ply, gnuBG 0-ply`: one entry an engine, deepest first, of the primary analyses.
fn engines_depths<'a>(analyses: impl Iterator<Item = &'a AnalysisRow>) -> Vec<String> {
    let mut engines: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in analyses.filter(|row| row.primary) {
        let labels = engines.entry(&row.engine).or_default();
        for mix in row.depths.iter().flat_map(|depths| depths.split("; ")) {
            let label = mix.rsplit_once(": ").map_or(mix, |(label, _)| label);
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
    }
    engines
        .into_iter()
        .filter(|(engine, _)| *engine != "none")
        .map(|(engine, mut labels)| {
            labels.sort_unstable();
            format!("{engine}: {}", labels.join(", "))
        })
        .collect()
}
