//! The page of the fixture M7 (`metrics.md` 21): every figure of the spec stands on it, and nothing that does not follow.

use super::{says, text, the_match};
use crate::support::rows::{Played, Wish, blank, play};
use portes::tables::marts::PlayerMatchRow;

#[test]
fn the_match_of_the_fixture_shows_the_figures_of_the_spec() {
    let page = the_match(&m7());
    for expected in [
        "Bramblewick lost by play. Errors cost Bramblewick 10.44 % and Aldergrove 1.61 % of the match; the rolls took Bramblewick 33.20 %.",
        "Bramblewick 9 31.39 [12.10\u{2013}50.68]",
        "Aldergrove 6 14.33 [0.37\u{2013}28.29]",
        "Errors 6 1 of them blunders 2 0 of them avoidable 4 1",
        "Loss, % MWC 10.44 1.61",
        "Difficulty, % MWC 0.52 0.37 Excess, % MWC +9.92 +1.24",
        "Ratio of loss to difficulty 19.97 \u{d7} \u{2014}",
        "10.4 [2.5\u{2013}18.4] 1.6 [0\u{2013}3.4]",
        "\u{2248} \u{2212}139 [\u{2212}253 to \u{2212}33] \u{2248} \u{2212}21 [\u{2212}45 to 0]",
        "Luck-adjusted result, % MWC \u{2212}16.80 +16.80",
        "result \u{2212}50.00 % (lost from an even start) less net luck \u{2212}33.20 % gives \u{2212}16.80 %: lost by play. Luck is known for 11 of 12 rolls. Error balance \u{2212}8.83 %",
        "Bramblewick: most errors were hasty: work on discipline.",
        "Aldergrove 7, Bramblewick 6",
    ] {
        says(&page, expected);
    }
}

#[test]
fn two_players_are_not_compared_when_one_is_mostly_unrated() {
    let mut of = m7();
    let last = of.decisions.last().unwrap().clone();
    let unrated = |order: i64| {
        let mut row = last.clone();
        (row.order, row.decision_id, row.counted) = (order, format!("{}-{order:04}", row.match_id), false);
        (row.e_mpt, row.loss, row.difficulty) = (None, None, None);
        row
    };
    of.decisions.extend((15..35).map(unrated));
    let page = the_match(&of);
    says(&page, "Only 6 of the 26 decisions of Aldergrove are rated: the two are not compared.");
    for claim in ["lost less", "Errors cost", "Error balance", "overlap"] {
        assert!(!text(&page).contains(claim), "{claim}");
    }
}

#[test]
fn the_decisions_to_review_are_those_of_the_spec_in_its_order() {
    let page = the_match(&m7());
    // A9, A3, A8 of the one, B4 of the other; each is an open card with its anchor.
    let cards: Vec<String> = page
        .html
        .match_indices("<article class=\"card\" id=\"")
        .map(|(at, found)| page.html[at + found.len()..][..5].to_owned())
        .collect();
    assert_eq!(cards, ["d0008", "d0002", "d0007", "d0012"]);
    says(&page, "The one error with an avoidable part");
}

/// M7 of `metrics.md` 21: decisions with their e, loss and difficulty, and the figures of its last table.
fn m7() -> Played {
    let mut of = play(&Wish::new(["Bramblewick", "Aldergrove"], 5));
    let template = of.decisions.iter().find(|row| row.kind == "checker").unwrap().clone();
    // id, game, seat, kind, e in mpt, loss and d in 1e-9.
    let table: [(i64, i64, &str, i64, i64, i64); 15] = [
        (1, 1, "checker", 60, 3_756_600, 527_390),
        (1, 1, "checker", 20, 1_252_200, 622_410),
        (2, 1, "checker", 150, 19_656_750, 48_600),
        (2, 1, "take", 80, 5_315_600, 208_190),
        (3, 1, "no_double", 30, 2_581_350, 597_520),
        (3, 1, "checker", 55, 4_732_475, 618_230),
        (3, 1, "checker", 0, 0, 11_460),
        (4, 1, "checker", 70, 17_081_050, 979_160),
        (5, 1, "checker", 100, 50_000_000, 1_612_700),
        (1, 2, "checker", 12, 751_320, 287_190),
        (2, 2, "double", 25, 1_661_125, 446_750),
        (2, 2, "checker", 45, 5_897_025, 1_431_240),
        (3, 2, "checker", 90, 7_744_050, 205_970),
        (4, 2, "checker", 0, 0, 1_314_200),
        (5, 2, "double", 0, 0, 10),
    ];
    of.decisions = table
        .iter()
        .zip(0..)
        .map(|(&(game, seat, kind, e, loss, difficulty), order)| {
            let mut row = template.clone();
            (row.game, row.seat, row.order, row.kind) = (game, seat, order, kind.into());
            row.decision_id = format!("{}-{order:04}", of.row.match_id);
            (row.e_mpt, row.loss, row.difficulty, row.counted) = (Some(e), Some(loss), Some(difficulty), true);
            if kind != "checker" {
                (row.dice, row.play) = (None, None);
            }
            row
        })
        .collect();
    let seat = |seat: i64, row: PlayerMatchRow| PlayerMatchRow {
        seat: Some(seat),
        won: Some(seat == 2),
        games: 5,
        finished: true,
        coverage: Some(11.0 / 12.0),
        ..row
    };
    of.figures = vec![
        seat(
            1,
            PlayerMatchRow {
                player: Some("Bramblewick".into()),
                decisions: 9,
                priced: 9,
                pr: Some(31.388_889),
                pr_low: Some(12.101_649),
                pr_high: Some(50.676_129),
                pr_units: 5,
                loss: Some(0.104_376_025),
                l7: Some(0.104_376_025),
                l7_low: Some(0.024_908_668),
                l7_high: Some(0.183_843_382),
                elo_vs_engine: Some(-139.109_541),
                elo_low: Some(-253.277_298),
                elo_high: Some(-32.736_74),
                elo_floored: Some(false),
                difficulty: Some(0.005_225_669),
                excess: Some(0.099_150_356),
                ratio: Some(19.973_714),
                errors: 6,
                blunders: 2,
                avoidable: 4,
                luck_rolls: 6,
                rolls: 7,
                luck_mwc: Some(-0.058_882_75),
                luck_adjusted: Some(-0.168_038_85),
                error_balance: Some(-0.088_322_505),
                hasty: Some(3),
                considered: Some(2),
                unknown_pace: Some(1),
                ..blank()
            },
        ),
        seat(
            2,
            PlayerMatchRow {
                player: Some("Aldergrove".into()),
                decisions: 6,
                priced: 6,
                pr: Some(14.333_333),
                pr_low: Some(0.373_880),
                pr_high: Some(28.292_787),
                pr_units: 5,
                loss: Some(0.016_053_52),
                l7: Some(0.016_053_52),
                l7_low: Some(0.0),
                l7_high: Some(0.033_871_92),
                elo_vs_engine: Some(-21.088_459),
                elo_low: Some(-44.548_264),
                elo_high: Some(0.0),
                elo_floored: Some(false),
                difficulty: Some(0.003_685_364),
                excess: Some(0.012_368_156),
                errors: 1,
                avoidable: 1,
                luck_rolls: 5,
                rolls: 5,
                luck_mwc: Some(0.273_078_4),
                luck_adjusted: Some(0.168_038_85),
                error_balance: Some(0.088_322_505),
                hasty: Some(1),
                considered: Some(0),
                unknown_pace: Some(0),
                ..blank()
            },
        ),
    ];
    (of.row.score_1, of.row.score_2, of.row.winner) = (6, 7, Some(2));
    of
}
