//! The page of a tournament and its place in the index.

use super::{check, pages, says, templates, text, the_tournament};
use crate::support::rows::{Season, Wish, blank, colophon, play, seats, sources};
use portes::report::{
    MatchPages, Page, SeasonInput, TournamentInput, page_name_tournament, season_pages, tournament_page,
};
use portes::tables::marts::PlayerSeasonRow;
use portes::tables::row::Day;
use portes::tables::study_marts::{StandingRow, TournamentFamilyRow, TournamentReviewRow};

fn overall(verdict: &str) -> TournamentReviewRow {
    TournamentReviewRow {
        season: "2026".into(),
        event: "Lantern Open".into(),
        player: "Foxglove".into(),
        reference: true,
        scope: "overall".into(),
        position: 1,
        measure: "pr".into(),
        value: Some(8.0),
        value_low: Some(6.5),
        value_high: Some(9.5),
        usual: Some(5.0),
        usual_low: Some(4.2),
        usual_high: Some(5.8),
        delta: Some(3.0),
        low: Some(1.3),
        high: Some(4.7),
        verdict: verdict.into(),
        decisions: 120,
        decisions_usual: Some(900),
        usual_matches: 14,
        from: Some(Day(19_884)),
        to: Some(Day(20_248)),
        ..blank()
    }
}

fn tournament(reviews: &[TournamentReviewRow], families: &[TournamentFamilyRow]) -> Page {
    let of = play(&Wish::new(["Foxglove", "Gristmill"], 25));
    let figures = seats(&of.figures);
    let input = TournamentInput {
        season: "2026",
        event: "Lantern Open",
        reviews,
        matches: &[&of.row],
        figures: &figures.iter().collect::<Vec<_>>(),
        families,
        totals: None,
        places: &[],
        colophon: &colophon(),
        pages: MatchPages::All,
    };
    tournament_page(&templates(), &input).unwrap()
}

#[test]
fn every_verdict_of_a_tournament_has_its_words() {
    for (verdict, first, cell) in [
        (
            "worse",
            "Foxglove played worse than usual: PR 8.00 [6.50\u{2013}9.50], against a usual 5.00 [4.20\u{2013}5.80].",
            "worse than usual",
        ),
        ("better", "Foxglove played better than usual: PR 8.00", "better than usual"),
        ("usual", "Nothing shows that Foxglove played other than usual: PR 8.00", "as usual"),
        ("insufficient", "Too few decisions or matches to compare.", "too few decisions or no interval"),
    ] {
        let page = tournament(&[overall(verdict)], &[]);
        says(&page, first);
        says(&page, &format!("8.00 [6.50\u{2013}9.50] 5.00 [4.20\u{2013}5.80] +3.00 [+1.30, +4.70] {cell} 120 / 900"));
        says(&page, "Usual level: matches of 2024-06-10 to 2025-06-09, 14 matches.");
        says(&page, "No family of errors");
    }
    let unknown = TournamentReviewRow {
        usual: None,
        usual_low: None,
        usual_high: None,
        delta: None,
        low: None,
        high: None,
        decisions_usual: None,
        usual_matches: 3,
        ..overall("insufficient")
    };
    let page = tournament(std::slice::from_ref(&unknown), &[]);
    says(&page, "Usual level unknown (3 of 5 matches in the 365 days before).");
    says(&page, "usual level unknown 120 / \u{2014}");
    let undated = TournamentReviewRow { from: None, to: None, usual_matches: 0, ..unknown };
    says(&tournament(&[undated], &[]), "Usual level unknown: no match of the tournament is dated.");
    says(&tournament(&[], &[]), "No player of this tournament has a review.");
}

#[test]
fn a_tournament_names_at_most_three_families_and_how_many_are_to_be_confirmed() {
    let of_event = |rank, position, theme: &str, members| TournamentFamilyRow {
        rank,
        position,
        plan: "holding".into(),
        nature: if theme == "blots" { "checker" } else { "cube" }.into(),
        theme: theme.into(),
        members,
        ..blank()
    };
    let plan: Vec<TournamentFamilyRow> =
        (1..=4).map(|at| of_event(Some(at), at, "offer_missed", 9)).chain([of_event(None, 5, "blots", 2)]).collect();
    let page = tournament(&[overall("usual")], &plan);
    says(&page, "Established by this tournament alone; one family to confirm.");
    assert_eq!(text(&page).matches("cube \u{b7} missed double").count(), 3);
    let page = tournament(&[overall("usual")], &plan[4..]);
    says(&page, "Nothing is established by this tournament alone: one family to confirm.");
    says(&tournament(&[overall("usual")], &[]), "nothing at or above the threshold has a theme and a price");
}

#[test]
fn a_tournament_shows_rounds_places_and_everybody() {
    let season = Season::new();
    let page = the_tournament(&season, "Lantern Open");
    for expected in [
        "Aldergrove",
        "1 Bramblewick",
        "Every other score",
        "Decisions 1\u{2013}30",
        "The other players",
        "1 Aldergrove 21.5",
        "3 Cinderpath 15",
    ] {
        says(&page, expected);
    }
    // Every player but the reference player is folded.
    assert_eq!(page.html.matches("<details class=\"fold game\">").count(), 7);
}

#[test]
fn a_tournament_of_hundreds_stays_in_its_size() {
    let long = "<Foxglove & \"sons\"> ".repeat(6);
    let mut rows = Vec::new();
    for n in 0..300 {
        let player = format!("{n} {long}");
        let base = TournamentReviewRow { player, reference: n == 0, ..overall("usual") };
        rows.push(base.clone());
        for position in 1..=20 {
            let cell = Some(format!("{position:016x}"));
            rows.push(TournamentReviewRow { scope: "round".into(), cell, position, ..base.clone() });
            rows.push(TournamentReviewRow { scope: "rank".into(), cell: Some(long.clone()), position, ..base.clone() });
        }
    }
    let page = tournament(&rows, &[]);
    assert!(page.html.len() < 1_000_000, "{} bytes", page.html.len());
    says(&page, "and 259 more in the tables");
}

#[test]
fn the_index_links_its_tournaments_and_tells_points_and_places() {
    let pages = pages(&Season::new(), &sources());
    check(&pages);
    let index = &pages[0];
    says(index, "1 Aldergrove 21.5 1");
    says(index, "Lantern Open 1");
    says(index, "By the points for final places.");
    for event in ["Lantern Open", "Granary Cup", "Mill Lane Club"] {
        assert!(index.html.contains(&page_name_tournament(event)), "{event}");
    }
}

#[test]
fn more_tournaments_than_the_index_holds_have_a_page_of_their_own() {
    let tournaments: Vec<TournamentReviewRow> =
        (0..23).map(|n| TournamentReviewRow { event: format!("Cup {n}"), ..overall("usual") }).collect();
    let rated = |name: &str, club_elo| StandingRow { player: name.into(), club_elo, ..blank() };
    let standings = [rated("Foxglove", Some(1512.4)), rated("Gristmill", None)];
    let players: [PlayerSeasonRow; 0] = [];
    let input = SeasonInput {
        news: &portes::report::News::default(),
        season: "2026",
        players: &players,
        matches: &[],
        figures: &[],
        sources: &[],
        tournaments: &tournaments,
        standings: &standings,
        places: &[],
        academy: false,
        colophon: &colophon(),
        pages: MatchPages::All,
    };
    let pages = season_pages(&templates(), &input).unwrap();
    assert_eq!(pages.iter().map(|page| page.path.as_str()).collect::<Vec<_>>(), ["index.html", "tournaments-1.html"]);
    says(&pages[0], "All 23 tournaments");
    says(&pages[0], "By PR; the rating (results) stands beside it");
    assert_eq!(pages[1].html.matches("href=\"tournament-cup-").count(), 23);
    assert!(text(&pages[0]).contains("1512") && !text(&pages[0]).contains("points best"));
}
