//! Contests of a player against himself: filed like any other, and a result for nobody.

use crate::night::Place;
use portes::tables::academy::{AcademyContestRow, AcademyPlayerRow, AcademyRatingRow};

fn line(id: u32, [first, second]: [&str; 2]) -> String {
    format!(
        "{{\"contest_id\":\"c{id}\",\"game\":\"rings\",\"first\":\"{first}\",\"second\":\"{second}\",\"result\":\"first\",\
         \"date\":\"2026-01-0{id}\",\"plies\":[{{\"by\":1,\"key\":\"a\",\"value\":0.6}},{{\"by\":2,\"key\":\"b\",\"value\":0.5}},\
         {{\"by\":1,\"key\":\"c\",\"value\":0.7}}]}}\n"
    )
}

fn place(contests: &str) -> Place {
    let place = Place::new();
    let config = "[players]\naliases = { Ada = [\"ada\"] }\n[academy.fuseki]\ndepth_share = [1, 1]\n";
    std::fs::write(place.root().join("portes.toml"), config).unwrap();
    place.put("2026/rings/played.jsonl", contests);
    place
}

#[test]
fn no_rating_moves_and_the_contest_is_filed() {
    let place = place(&(line(1, ["Ada", "ada"]) + &line(2, ["Bo", "Bo"]) + &line(3, ["Ben", "Cy"])));
    place.put(
        "2026/draughts/alone.pdn",
        "[Date \"2026.02.03\"]\n[Black \"Dee\"]\n[White \"Dee\"]\n[Result \"1-0\"]\n\n1. 11-15 22-18 2. 15x22 25x18 1-0\n",
    );
    place.run(0);
    let contests: Vec<AcademyContestRow> = place.rows();
    assert_eq!((contests.len(), contests.iter().filter(|row| row.status == "filed").count()), (4, 4));
    let ratings: Vec<AcademyRatingRow> = place.rows();
    let rated: Vec<&str> = ratings.iter().map(|row| row.player.as_str()).collect();
    assert_eq!(rated, ["Ben", "Cy"]);
    assert_eq!(place.portes(&["check"]).code, 0);
}

#[test]
fn both_sides_draw_on_one_budget_and_a_contest_counts_once() {
    let place = place(&(1..=3).map(|id| line(id, ["Ada", "ada"])).collect::<String>());
    place.run(0);
    let players: Vec<AcademyPlayerRow> = place.rows();
    let [ada] = players.as_slice() else { panic!("{players:?}") };
    // Before the first contest nothing is known; then there are two of three decisions each, every fourth with advice.
    assert_eq!((ada.contests, ada.opening_decisions, ada.opening_taken), (3, 6, 1));
    assert_eq!((ada.rating, ada.experience), (Some(1500.0), 0));
}
