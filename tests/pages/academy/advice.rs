//! Advice: shown where all of it together is no loss.

use super::super::{says, templates, text};
use super::{Rows, advice, player};
use crate::support::rows::{Wish, colophon, play, season_row, seats};
use portes::report::{
    AdviceOfSeason, MatchPages, PlayerAcademy, PlayerInput, PlayerStudy, Terms, page_name_match, player_page,
};
use portes::tables::academy::AcademyAdviceRow;
use portes::tables::marts::PlayerMatchRow;

#[test]
fn single_advice_is_shown_only_where_all_of_it_is_no_loss() {
    let mut rows = Rows::new();
    rows.advice = vec![
        advice("opening", 1, [0, 341]),
        advice("opening", 2, [20, 0]),
        // This one saves, but the other costs more.
        advice("middle", 14, [0, 250]),
        advice("middle", 16, [700, 0]),
        // Nobody judged it.
        AcademyAdviceRow { cost_proposed: None, ..advice("end", 20, [0, 500]) },
    ];
    let page = rows.page();
    says(&page, "Opening would have saved 0.32 0.02 0.34 2 1 of 2 1 of 2 2");
    says(&page, "Middle game would have lost 0.45 0.70 0.25 2 1 of 2 1 of 2 2");
    says(&page, "Endgame not judged \u{2014} \u{2014} 1 1 of 1 0 of 1 0");
    says(
        &page,
        "Middle game: following it would have cost 0.45 more than the players\u{2019} own plays, so single cases are not shown.",
    );
    says(&page, "Foxglove 0.341 24/1 13/11 Foxglove \u{2013} Gristmill, game 1, turn 1");
    let all = text(&page);
    for hidden in ["24/14", "24/20", "24/2 ", "0.777"] {
        assert!(!all.contains(hidden), "{hidden}");
    }
    // At a loss in the opening nothing is shown of it either, here and on the players' pages.
    assert!(AdviceOfSeason::of(&rows.advice).opening_pays());
    rows.advice.push(advice("opening", 3, [400, 0]));
    assert!(!AdviceOfSeason::of(&rows.advice).opening_pays());
    let page = rows.page();
    says(&page, "Opening: following it would have cost 0.08 more");
    assert!(!text(&page).contains("0.341"));
}

#[test]
fn a_player_sees_two_scales_and_only_advice_that_pays() {
    let of = play(&Wish::new(["Foxglove", "Gristmill"], 21));
    let figures: Vec<PlayerMatchRow> =
        of.figures.iter().filter(|row| row.player.as_deref() == Some("Foxglove")).cloned().collect();
    let mut season = season_row(Some("Foxglove"), &figures.iter().collect::<Vec<_>>());
    let figures = seats(&figures);
    (season.elo_vs_engine, season.elo_floored) = (Some(-164.9), Some(false));
    let mine = |phase: &str, ply, costs| AcademyAdviceRow {
        contest_id: format!("{}-2", of.row.match_id),
        match_id: of.row.match_id.clone(),
        ..advice(phase, ply, costs)
    };
    let advice = [mine("opening", 1, [0, 90]), mine("opening", 2, [0, 341]), mine("middle", 30, [0, 900])];
    let advice = AdviceOfSeason::of(&advice);
    let players = [player("Foxglove", 1547.0058)];
    let page = |opening_pays, players| {
        let input = PlayerInput {
            news: &portes::report::News::default(),
            season: &season,
            figures: &figures.iter().collect::<Vec<_>>(),
            matches: &[&of.row],
            study: PlayerStudy::default(),
            academy: PlayerAcademy {
                players,
                ratings: &[],
                advice: advice.of_player("Foxglove"),
                opening_pays,
                reached: &[],
                terms: Terms::default(),
            },
            colophon: &colophon(),
            pages: MatchPages::All,
        };
        player_page(&templates(), &input).unwrap()
    };
    let shown = page(true, &players[..]);
    says(&shown, "Rating (results) 12 points played 1547");
    says(&shown, "Strength against the engine \u{2248} \u{2212}165");
    says(&shown, "had two proposals to make: two were right by the engine, and 0 of the plays made.");
    says(
        &shown,
        "2026-02-16 against Gristmill, game 2, turn 2 24/2 13/11 0.341 2026-02-16 against Gristmill, game 2, turn 1 24/1 13/11 0.090",
    );
    assert!(shown.html.contains(&format!("{}#g2", page_name_match(&of.row.match_id, ["Foxglove", "Gristmill"]))));
    assert!(!text(&shown).contains("24/30"), "the middle game has no case");
    assert!(shown.html.contains("href=\"academy.html\""));
    assert!(!text(&page(false, &players[..])).contains("13/11 0.341"));
    assert!(!page(true, &[]).html.contains("academy.html"), "whom the Academy does not know has no section");
}
