//! The rows of one season that its pages share, and the groups of pages that are made of them.

use super::academy::School;
use super::lessons::{Drawn, Lessons};
use super::press::Press;
use super::{news, season_rows};
use crate::academy::settings::{Source, ValueOf};
use crate::config::{self, Settings};
use crate::measure::interval::Quantile;
use crate::night::cache::{Cache, REVISION};
use crate::night::fault::NightFault;
use crate::night::signal;
use crate::report::{
    self, AcademyInput, Colophon, MatchInput, MatchPages, News, Page, PlayerInput, PlayerStudy, QualityInput, RatedBy,
    Reached, SeasonInput, Templates, Terms, Thresholds, TournamentInput, WorthOf,
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
const MOST_MATCH_PAGES: usize = 2_000;

/// The rows of one season that its pages share.
pub(super) struct Shelf<'a> {
    snapshot: &'a Path,
    season: &'a str,
    settings: &'a Settings,
    players: Vec<PlayerSeasonRow>,
    /// These three sorted by match: [`of_match`] finds a match's rows.
    matches: Vec<MatchRow>,
    figures: Vec<PlayerMatchRow>,
    analyses: Vec<AnalysisRow>,
    sources: Vec<SourceRow>,
    /// How many files each match has.
    files: BTreeMap<String, i64>,
    /// Where in `figures` each player's are.
    figures_of: BTreeMap<String, Vec<usize>>,
    with_page: BTreeSet<String>,
    lessons: Lessons,
    /// What the snapshot before did not have, where that is to be told.
    changes: Changes,
    school: School,
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
        let matches: Vec<MatchRow> = season_rows(snapshot, season)?;
        let figures: Vec<PlayerMatchRow> = season_rows(snapshot, season)?;
        let sources: Vec<SourceRow> = season_rows(snapshot, season)?;
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
        let with_page = with_page(&matches, settings);
        Ok(Self {
            snapshot,
            season,
            settings,
            players: season_rows(snapshot, season)?,
            analyses: season_rows(snapshot, season)?,
            lessons: Lessons::read(snapshot, season)?,
            changes: news::changes((earlier, snapshot), season)?,
            school: School::read(snapshot, season, &settings.academy.bylaws)?,
            matches,
            figures,
            sources,
            files,
            figures_of,
            with_page,
        })
    }

    /// Makes the groups that are not what they were, and publishes the folder. Returns how many pages there are, and how
    /// many of them were made.
    ///
    /// # Errors
    /// A template that fails, a disk that cannot be written, a signal.
    pub(super) fn print(&self, templates: &Templates) -> Result<(usize, usize), NightFault> {
        let reports = &self.settings.reports;
        std::fs::create_dir_all(reports).map_err(|source| NightFault::Unwritable { path: reports.clone(), source })?;
        let press = Press::begin(&Cache::of(&Lake::at(self.settings.lake())), &reports.join(self.season))?;
        let desk = Desk { press: &press, templates, common: self.common(templates) };
        let mut made = self.index(&desk)? + self.quality(&desk)? + self.tournaments(&desk)?;
        made += self.academy(&desk)?;
        made += self.each_player(&desk)?;
        made += self.each_match(&desk)?;
        Ok((press.publish()?, made))
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
        key.rows(&self.players).rows(&self.matches).rows(&self.figures).rows(&self.sources).rows(&self.analyses);
        key.rows(&self.lessons.tournaments).rows(&self.lessons.standings).rows(&self.lessons.places);
        key.text(if self.school.has_page() { "academy" } else { "" });
        desk.print("season", key, || {
            let colophon = self.colophon(&self.matches);
            let input = SeasonInput {
                season: self.season,
                players: &self.players,
                matches: &self.matches,
                figures: &self.figures,
                sources: &self.sources,
                tournaments: &self.lessons.tournaments,
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
        key.rows(&self.sources).rows(&self.matches).rows(&self.analyses);
        desk.print("quality", key, || {
            let mut colophon = self.colophon(&self.matches);
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
        key.rows(&self.matches).rows(&self.analyses).rows(&self.players).rows(&self.sources);
        self.hash_links(&self.matches, &mut key);
        desk.print("academy", key, || {
            let colophon = self.colophon(&self.matches);
            let openings = self.school.openings(self.snapshot, self.season)?;
            let input = AcademyInput {
                season: self.season,
                contests: &self.school.contests,
                ratings: &self.school.ratings,
                tree: &self.school.tree,
                patterns: &self.school.patterns,
                filings: &self.school.filings,
                advice: &self.school.advice,
                measures: &self.school.measures,
                players: &self.school.players,
                openings: &openings,
                matches: &self.matches,
                with_page: &self.players,
                sources: &self.sources,
                terms: self.terms(),
                colophon: &colophon,
                pages: MatchPages::Only(&self.with_page),
            };
            Ok(vec![report::academy_page(desk.templates, &input)?])
        })
    }

    /// How the pages call what the Academy's settings may change.
    const fn terms(&self) -> Terms {
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
        }
    }

    /// A page for every player; the boards of those that have to be made are fetched once for all of them.
    fn each_player(&self, desk: &Desk<'_>) -> Result<usize, NightFault> {
        let mut due: Vec<Lesson<'_>> = Vec::new();
        for row in &self.players {
            let Some(name) = &row.player else { continue };
            let lesson = self.lesson((row, name));
            let group = format!("player {name}");
            let mut key = desk.key();
            key.text(&format!("{:?}", lesson.news));
            key.rows(std::slice::from_ref(row)).rows(&lesson.figures).rows(&lesson.matches);
            key.rows(&self.analyses_of(&lesson.matches));
            self.lessons.hash(name, &mut key);
            let colophon = self.colophon(&lesson.matches);
            key.text(&report::shown_of_academy(&self.input(&lesson, (PlayerStudy::default(), &colophon))));
            self.hash_links(&lesson.matches, &mut key);
            let key = key.finish();
            if !desk.press.carry(&group, &key)? {
                due.push(Lesson { group, key, ..lesson });
            }
        }
        let ids: BTreeSet<&str> = due.iter().flat_map(|lesson| self.lessons.drawn(lesson.name)).collect();
        let drawn = Drawn::read(self.snapshot, self.season, (Division::of(self.matches.len() as u64), &ids))?;
        due.par_iter().try_for_each(|lesson| {
            signal::pause()?;
            desk.press.print(&lesson.group, lesson.key.clone(), &[self.player(desk, lesson, &drawn)?])
        })?;
        Ok(due.len())
    }

    /// What a player's page shows, boards aside.
    fn lesson<'b>(&'b self, (row, name): (&'b PlayerSeasonRow, &'b str)) -> Lesson<'b> {
        let figures: Vec<PlayerMatchRow> =
            self.figures_of.get(name).into_iter().flatten().map(|&at| self.figures[at].clone()).collect();
        let ids: BTreeSet<&str> = figures.iter().map(|figure| figure.match_id.as_str()).collect();
        let matches: Vec<MatchRow> =
            ids.iter().flat_map(|id| of_match(&self.matches, id, |row| &row.match_id)).cloned().collect();
        let news = News::of_player(&self.changes, name, MatchPages::Only(&self.with_page));
        let reached = self.school.reached(self.lessons.family_positions(name));
        Lesson { row, name, figures, matches, news, reached, group: String::new(), key: String::new() }
    }

    fn player(&self, desk: &Desk<'_>, lesson: &Lesson<'_>, drawn: &Drawn) -> Result<Page, NightFault> {
        let colophon = self.colophon(&lesson.matches);
        let drawn = drawn.only(&self.lessons.drawn(lesson.name));
        let input = self.input(lesson, (self.lessons.of(lesson.name, &drawn), &colophon));
        Ok(report::player_page(desk.templates, &input)?)
    }

    fn input<'b>(
        &'b self,
        lesson: &'b Lesson<'_>,
        (study, colophon): (PlayerStudy<'b>, &'b Colophon),
    ) -> PlayerInput<'b> {
        PlayerInput {
            season: lesson.row,
            figures: &lesson.figures,
            matches: &lesson.matches,
            study,
            news: &lesson.news,
            academy: self.school.of(lesson.name, (&lesson.reached, self.terms())),
            colophon,
            pages: MatchPages::Only(&self.with_page),
        }
    }

    /// A page for every event that somebody's review speaks of.
    fn tournaments(&self, desk: &Desk<'_>) -> Result<usize, NightFault> {
        let mut made = 0;
        for reviews in self.lessons.tournaments.chunk_by(|a, b| a.event == b.event) {
            let Some(event) = reviews.first().map(|row| row.event.as_str()) else { continue };
            let matches: Vec<MatchRow> =
                self.matches.iter().filter(|row| row.event.as_deref() == Some(event)).cloned().collect();
            let figures: Vec<PlayerMatchRow> =
                self.figures.iter().filter(|row| row.event.as_deref() == Some(event)).cloned().collect();
            let places: Vec<_> = self.lessons.places.iter().filter(|row| row.event == event).cloned().collect();
            let reference = reviews.iter().find(|row| row.reference).map(|row| row.player.as_str());
            let (families, totals) = self.lessons.of_event(event, reference.unwrap_or_default());
            let mut key = desk.key();
            key.rows(&families).rows(totals.map_or(&[], std::slice::from_ref));
            key.rows(reviews).rows(&matches).rows(&figures).rows(&places).rows(&self.analyses_of(&matches));
            self.hash_links(&matches, &mut key);
            made += desk.print(&format!("event {event}"), key, || {
                let colophon = self.colophon(&matches);
                let input = TournamentInput {
                    season: self.season,
                    event,
                    reviews,
                    matches: &matches,
                    figures: &figures,
                    families: &families,
                    totals,
                    places: &places,
                    colophon: &colophon,
                    pages: MatchPages::Only(&self.with_page),
                };
                Ok(vec![report::tournament_page(desk.templates, &input)?])
            })?;
        }
        Ok(made)
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
        let mut games = Groups::open(part(GameRow::TABLE), |row: &GameRow| &row.match_id)?;
        let mut decisions = Groups::open(part(DecisionRow::TABLE), |row: &DecisionRow| &row.match_id)?;
        let mut candidates = Groups::open(part(CandidateRow::TABLE), |row: &CandidateRow| match_of(&row.decision_id))?;
        let mut comments = Groups::open(part(CommentRow::TABLE), |row: &CommentRow| &row.match_id)?;
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

    /// The analyses and the number of files of these matches: what a footer tells of them.
    fn analyses_of(&self, matches: &[MatchRow]) -> Vec<AnalysisRow> {
        matches.iter().flat_map(|row| of_match(&self.analyses, &row.match_id, |row| &row.match_id)).cloned().collect()
    }

    /// Which of these matches a page can link to, and how many files each has.
    fn hash_links(&self, matches: &[MatchRow], key: &mut Digest) {
        for row in matches {
            key.text(if self.with_page.contains(&row.match_id) { "linked" } else { "" });
            key.text(&self.files.get(&row.match_id).map_or_else(String::new, i64::to_string));
        }
    }

    /// What the footer of a page made of these matches says of its inputs.
    fn colophon(&self, matches: &[MatchRow]) -> Colophon {
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

/// What a group of pages is made with.
struct Desk<'a> {
    press: &'a Press,
    templates: &'a Templates,
    common: Digest,
}

impl Desk<'_> {
    /// Begins a key.
    fn key(&self) -> Digest {
        self.common.clone()
    }

    /// Takes a group over or makes it; returns how many pages were made.
    fn print(
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

/// A player's page to be made.
struct Lesson<'a> {
    row: &'a PlayerSeasonRow,
    name: &'a str,
    figures: Vec<PlayerMatchRow>,
    matches: Vec<MatchRow>,
    news: News,
    /// What the Academy's libraries know of his errors.
    reached: Vec<Reached<'a>>,
    group: String,
    key: String,
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
fn of_match<'a, R>(rows: &'a [R], id: &str, match_id: fn(&R) -> &str) -> &'a [R] {
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
