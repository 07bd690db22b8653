//! From published tables to pages: a folder a season, built beside the old one and exchanged with it.
//!
//! Match pages are made bucket by bucket, in parallel, and within a bucket match by match, so that only one match's
//! decisions are held by each thread. What a page says of its inputs is looked up by match, never searched for: a page
//! costs the same in a season of ten thousand matches as in one of ten.

use super::fault::NightFault;
use super::leftovers;
use super::lessons::Lessons;
use super::progress::Progress;
use super::publish::Folder;
use super::resolve;
use crate::config::{self, Settings};
use crate::measure::interval::Quantile;
use crate::report::{
    self, Colophon, MatchInput, MatchPages, Page, PlayerInput, QualityInput, SeasonInput, Templates, Thresholds,
    TournamentInput,
};
use crate::tables::facts::{AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, SourceRow};
use crate::tables::fault::TableFault;
use crate::tables::groups::Groups;
use crate::tables::lake;
use crate::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use crate::tables::part;
use crate::tables::row::Row;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// Past this many matches a season, pages are made for the main player's matches only (`reports.md`).
const MOST_MATCH_PAGES: usize = 2_000;

/// What was rendered.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// Pages written.
    pub count: usize,
    /// The first page of each season.
    pub indexes: Vec<PathBuf>,
}

impl fmt::Display for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} pages", self.count)?;
        for index in &self.indexes {
            write!(f, "\n{}", index.display())?;
        }
        Ok(())
    }
}

/// Renders every season of a snapshot, or the one that was asked for.
///
/// # Errors
/// A season that is not there, a table that cannot be read, a template that fails, a disk that cannot be written.
pub fn render(
    snapshot: &Path,
    settings: &Settings,
    (only, progress): (Option<&str>, &Progress),
) -> Result<Pages, NightFault> {
    let mut seasons: Vec<String> =
        lake::parts(snapshot, SourceRow::TABLE)?.into_iter().map(|listed| listed.season).collect();
    seasons.dedup();
    resolve::season_among(only, seasons.iter().map(String::as_str))?;
    if let Some(asked) = only {
        seasons.retain(|season| season == asked);
    }
    let templates = Templates::load(settings.theme.as_deref())?;
    let mut pages = Pages::default();
    for season in &seasons {
        let bar = progress.stage("render", 1);
        let shelf = Shelf::read(snapshot, season, settings)?;
        let count = shelf.write(&templates)?;
        bar.done(&format!("season {season}: {count} pages"));
        pages.count += count;
        pages.indexes.push(settings.reports.join(season).join(report::INDEX));
    }
    if only.is_none() && settings.reports.exists() {
        leftovers::remove(&settings.reports, &seasons.iter().map(String::as_str).collect())?;
    }
    Ok(pages)
}

/// The rows of one season that its pages share.
struct Shelf<'a> {
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
}

impl<'a> Shelf<'a> {
    fn read(snapshot: &'a Path, season: &'a str, settings: &'a Settings) -> Result<Self, NightFault> {
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
            matches,
            figures,
            sources,
            files,
            figures_of,
            with_page,
        })
    }

    fn write(&self, templates: &Templates) -> Result<usize, NightFault> {
        std::fs::create_dir_all(&self.settings.reports)
            .map_err(|source| NightFault::Unwritable { path: self.settings.reports.clone(), source })?;
        let folder = Folder::begin(self.settings.reports.join(self.season))?;
        let mut count = self.put(&folder, self.index(templates)?)?;
        count += self.put(&folder, self.quality(templates)?)?;
        count += self.put(&folder, self.tournaments(templates)?)?;
        let players: Vec<usize> = self
            .players
            .par_iter()
            .map(|row| self.put(&folder, self.player(templates, row)?))
            .collect::<Result<_, _>>()?;
        let buckets = self.buckets()?;
        let matches: Vec<usize> = buckets
            .par_iter()
            .map(|(_, parts)| self.bucket(templates, (&folder, parts)))
            .collect::<Result<_, NightFault>>()?;
        folder.exchange()?;
        count += players.iter().sum::<usize>() + matches.iter().sum::<usize>();
        Ok(count)
    }

    fn put(&self, folder: &Folder, pages: Vec<Page>) -> Result<usize, NightFault> {
        for page in &pages {
            folder.write(&page.path, page.html.as_bytes())?;
        }
        Ok(pages.len())
    }

    fn index(&self, templates: &Templates) -> Result<Vec<Page>, NightFault> {
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
            colophon: &colophon,
            pages: MatchPages::Only(&self.with_page),
        };
        Ok(report::season_pages(templates, &input)?)
    }

    fn quality(&self, templates: &Templates) -> Result<Vec<Page>, NightFault> {
        let mut colophon = self.colophon(&self.matches);
        let files = self.sources.iter().map(|row| format!("{} {} {}\n", row.path, row.blake3, row.status));
        colophon.digest12 = digest12(files);
        let input = QualityInput { season: self.season, sources: &self.sources, colophon: &colophon };
        Ok(report::quality_pages(templates, &input)?)
    }

    fn player(&self, templates: &Templates, row: &PlayerSeasonRow) -> Result<Vec<Page>, NightFault> {
        let Some(name) = &row.player else { return Ok(Vec::new()) };
        let figures: Vec<PlayerMatchRow> =
            self.figures_of.get(name).into_iter().flatten().map(|&at| self.figures[at].clone()).collect();
        let ids: BTreeSet<&str> = figures.iter().map(|figure| figure.match_id.as_str()).collect();
        let matches: Vec<MatchRow> =
            ids.iter().flat_map(|id| of_match(&self.matches, id, |row| &row.match_id)).cloned().collect();
        let colophon = self.colophon(&matches);
        let drawn = self.lessons.drawn(name);
        let input = PlayerInput {
            season: row,
            figures: &figures,
            matches: &matches,
            study: self.lessons.of(name, &drawn),
            colophon: &colophon,
            pages: MatchPages::Only(&self.with_page),
        };
        Ok(vec![report::player_page(templates, &input)?])
    }

    /// A page for every event that somebody's review speaks of.
    fn tournaments(&self, templates: &Templates) -> Result<Vec<Page>, NightFault> {
        let mut pages = Vec::new();
        for reviews in self.lessons.tournaments.chunk_by(|a, b| a.event == b.event) {
            let Some(event) = reviews.first().map(|row| row.event.as_str()) else { continue };
            let matches: Vec<MatchRow> =
                self.matches.iter().filter(|row| row.event.as_deref() == Some(event)).cloned().collect();
            let figures: Vec<PlayerMatchRow> =
                self.figures.iter().filter(|row| row.event.as_deref() == Some(event)).cloned().collect();
            let places: Vec<_> = self.lessons.places.iter().filter(|row| row.event == event).cloned().collect();
            let reference = reviews.iter().find(|row| row.reference).map(|row| row.player.as_str());
            let (families, totals) = self.lessons.of_event(event, reference.unwrap_or_default());
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
            pages.push(report::tournament_page(templates, &input)?);
        }
        Ok(pages)
    }

    /// The parts of every bucket, by table.
    fn buckets(&self) -> Result<BTreeMap<String, Parts>, TableFault> {
        let mut buckets: BTreeMap<String, Parts> = BTreeMap::new();
        let tables = [MatchRow::TABLE, GameRow::TABLE, DecisionRow::TABLE, CandidateRow::TABLE, CommentRow::TABLE];
        for table in tables {
            for listed in lake::season_parts(self.snapshot, table, self.season)? {
                buckets.entry(listed.bucket).or_default().insert(table, listed.path);
            }
        }
        Ok(buckets)
    }

    fn bucket(&self, templates: &Templates, (folder, parts): (&Folder, &Parts)) -> Result<usize, NightFault> {
        let part = |table| parts.get(table).map(PathBuf::as_path);
        let played: Vec<MatchRow> = part(MatchRow::TABLE).map_or(Ok(Vec::new()), part::read)?;
        let mut games = Groups::open(part(GameRow::TABLE), |row: &GameRow| &row.match_id)?;
        let mut decisions = Groups::open(part(DecisionRow::TABLE), |row: &DecisionRow| &row.match_id)?;
        let mut candidates = Groups::open(part(CandidateRow::TABLE), |row: &CandidateRow| match_of(&row.decision_id))?;
        let mut comments = Groups::open(part(CommentRow::TABLE), |row: &CommentRow| &row.match_id)?;
        let mut count = 0;
        for played in played.iter().filter(|row| self.with_page.contains(&row.match_id)) {
            let id = played.match_id.as_str();
            let colophon = self.colophon(std::slice::from_ref(played));
            let page = report::match_page(
                templates,
                &MatchInput {
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
                },
            )?;
            folder.write(&page.path, page.html.as_bytes())?;
            count += 1;
        }
        Ok(count)
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

/// The parts of a bucket, by table.
type Parts = BTreeMap<&'static str, PathBuf>;

/// Which matches get a page: all of them, or past the limit the main player's.
fn with_page(matches: &[MatchRow], settings: &Settings) -> BTreeSet<String> {
    let all = settings.match_pages == config::MatchPages::All || matches.len() <= MOST_MATCH_PAGES;
    let main = settings.main_player.as_deref();
    let kept = |row: &&MatchRow| all || main == Some(row.player_1.as_str()) || main == Some(row.player_2.as_str());
    matches.iter().filter(kept).map(|row| row.match_id.clone()).collect()
}

pub(super) fn season_rows<R: Row>(snapshot: &Path, season: &str) -> Result<Vec<R>, TableFault> {
    let mut rows = Vec::new();
    for listed in lake::season_parts(snapshot, R::TABLE, season)? {
        rows.extend(part::read::<R>(&listed.path)?);
    }
    Ok(rows)
}

/// The rows of one match among rows sorted by match.
fn of_match<'a, R>(rows: &'a [R], id: &str, match_id: fn(&R) -> &str) -> &'a [R] {
    let first = rows.partition_point(|row| match_id(row) < id);
    let count = rows[first..].partition_point(|row| match_id(row) == id);
    &rows[first..first + count]
}

/// The match a decision belongs to: what stands before the hyphen of its id.
fn match_of(decision_id: &str) -> &str {
    decision_id.split_once('-').map_or(decision_id, |(id, _)| id)
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
