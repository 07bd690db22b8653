//! Pages: one file each, no request, no script, strangers' text as text, every link inside the season, sizes, contrast.

use crate::support::html;
use crate::support::rows::{Played, Season, Wish, blank, colophon, play, season_row, sources};
use portes::report::{
    MatchInput, MatchPages, Page, PlayerInput, QualityInput, SeasonInput, Templates, match_page, player_page, quality_pages,
    season_pages,
};
use portes::tables::facts::{CommentRow, MatchRow, SourceRow};
use portes::tables::marts::PlayerMatchRow;
use std::collections::{BTreeMap, BTreeSet};

fn templates() -> Templates {
    Templates::load(None).unwrap()
}

fn input<'a>(of: &'a Played, colophon: &'a portes::report::Colophon) -> MatchInput<'a> {
    MatchInput {
        played: &of.row,
        games: &of.games,
        figures: &of.figures,
        decisions: &of.decisions,
        candidates: &of.candidates,
        analyses: &of.analyses,
        comments: &of.comments,
        main_player: Some("Bramblewick"),
        colophon,
    }
}

fn the_match(of: &Played) -> Page {
    match_page(&templates(), &input(of, &colophon())).unwrap()
}

/// Every page of a season.
fn pages(season: &Season, sources: &[SourceRow]) -> Vec<Page> {
    let (templates, colophon) = (templates(), colophon());
    let (figures, matches, players) = (season.figures(), season.rows(), season.players());
    let input = SeasonInput {
        season: "2026",
        players: &players,
        matches: &matches,
        figures: &figures,
        sources,
        colophon: &colophon,
        pages: MatchPages::All,
    };
    let mut pages = season_pages(&templates, &input).unwrap();
    pages.extend(quality_pages(&templates, &QualityInput { season: "2026", sources, colophon: &colophon }).unwrap());
    for row in players.iter().filter(|row| row.player.is_some()) {
        let mine: Vec<PlayerMatchRow> = figures.iter().filter(|f| f.player == row.player).cloned().collect();
        let his: Vec<MatchRow> =
            matches.iter().filter(|m| [&m.player_1, &m.player_2].contains(&row.player.as_ref().unwrap())).cloned().collect();
        let input = PlayerInput { season: row, figures: &mine, matches: &his, colophon: &colophon, pages: MatchPages::All };
        pages.push(player_page(&templates, &input).unwrap());
    }
    pages.extend(season.matches.iter().map(the_match));
    pages
}

fn check(pages: &[Page]) {
    let known: BTreeSet<String> = pages.iter().map(|page| page.path.clone()).collect();
    assert_eq!(known.len(), pages.len(), "two pages of one name");
    for page in pages {
        let faults = html::faults(&page.html, &known);
        assert!(faults.is_empty(), "{}: {:#?}", page.path, &faults[..faults.len().min(10)]);
    }
}

#[test]
fn every_page_of_a_season_keeps_the_rules_and_links_only_inside_it() {
    let season = Season::new();
    let pages = pages(&season, &sources());
    // To look at them: PORTES_PAGES=folder cargo test ... pages.
    if let Some(folder) = std::env::var_os("PORTES_PAGES") {
        let folder = std::path::PathBuf::from(folder);
        std::fs::create_dir_all(&folder).unwrap();
        for page in &pages {
            std::fs::write(folder.join(&page.path), &page.html).unwrap();
        }
    }
    check(&pages);
    for page in &pages {
        let decisions = season.matches.iter().find(|m| page.path.contains(&m.row.match_id[..12])).map_or(0, |m| m.decisions.len());
        let limit = match page.path.split(['-', '.']).next().unwrap() {
            "match" => 120_000 + 600 * decisions,
            "player" => 300_000,
            _ => 150_000,
        };
        assert!(page.html.len() <= limit, "{}: {} of {limit} bytes", page.path, page.html.len());
    }
}
