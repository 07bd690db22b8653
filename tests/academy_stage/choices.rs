//! The two choices the settings offer beside the defaults: values by the match instead of the game, and ratings by the
//! engine's judgement instead of by results.

use crate::night::Place;
use crate::support::made::{SGF, Shape, made};
use crate::support::sgf_writer;
use portes::tables::academy::{AcademyContestRow, AcademyPlayerRow, AcademyRatingRow, AcademyTreeRow};
use portes::tables::marts::PlayerMatchRow;
use std::collections::BTreeMap;

/// A match of so many points, on a day of its own.
fn file(seed: u64, length: u8) -> Vec<u8> {
    let mut record = made(seed, Shape { length, candidates: 5, ..SGF });
    record.date = Some(jiff::civil::date(2026, 1, 1 + i8::try_from(seed).unwrap()));
    sgf_writer::write(&record)
}

fn configure(place: &Place, toml: &str) {
    std::fs::write(place.root().join("portes.toml"), toml).unwrap();
}

#[test]
fn a_season_of_one_length_may_be_valued_by_the_match_and_no_other() {
    let place = Place::new();
    for seed in 1..=3 {
        place.put(format!("2026/cup/{seed}.sgf"), file(seed, 3));
    }
    place.run(0);
    let tree = |place: &Place| -> Vec<(i64, i64)> {
        place.rows::<AcademyTreeRow>().iter().map(|row| (row.sum_value, row.n_value)).collect()
    };
    let by_game = tree(&place);
    configure(&place, "[academy]\nvalue = \"mwc\"\n");
    place.run(0);
    let by_match = tree(&place);
    let shape = |rows: &[(i64, i64)]| rows.iter().map(|row| row.1).collect::<Vec<_>>();
    assert!(by_game != by_match && shape(&by_game) == shape(&by_match));
    let page = place.page("2026", "academy.html");
    assert!(page.contains("chance of winning the match") && !page.contains("chance of winning the game"));
    let published = place.lake().current_number().unwrap();

    place.put("2026/cup/4.sgf", file(4, 5));
    let said = "academy.value = \"mwc\" is for matches of one length, and those of backgammon have 3, 5 points";
    for words in [&["run"][..], &["run", "--dry-run"]] {
        let refused = place.portes(words);
        assert!(refused.code == 2 && refused.err.contains(said), "{}", refused.err);
    }
    assert_eq!(place.lake().current_number().unwrap(), published, "nothing was published");
    configure(&place, "");
    place.run(0);
}

/// `academy.md` 10: 2000 and the strength against the engine that the season's matches before this one amount to.
#[test]
fn ratings_may_follow_from_the_engine_and_are_called_so() {
    let place = Place::new();
    for seed in 1..=9 {
        place.put(format!("2026/cup/{seed}.sgf"), file(seed, if seed % 2 == 0 { 1 } else { 3 }));
    }
    configure(&place, "[academy.ratings]\nsource = \"machine\"\n");
    place.run(0);
    let mut figures: Vec<PlayerMatchRow> = place.rows();
    figures.retain(|row| row.player.is_some());
    figures.sort_by_key(|row| row.date);
    let moved: Vec<AcademyRatingRow> = place.rows();
    let of = |player: &str, id: &str| moved.iter().find(|row| row.player == player && row.match_id == id);
    let contests: Vec<AcademyContestRow> = place.rows();
    let mut pools: BTreeMap<String, (f64, f64, f64)> = BTreeMap::new();
    for row in &figures {
        let player = row.player.clone().unwrap();
        let (loss, roots, before) = pools.get(&player).copied().unwrap_or((0.0, 0.0, 1500.0));
        for contest in contests.iter().filter(|contest| contest.match_id == row.match_id) {
            let elo = if contest.first == player { contest.elo_first } else { contest.elo_second };
            assert!((elo - before).abs() < 1e-5, "{player}: {elo} before, {before} expected");
        }
        let (loss, roots) = (loss + row.loss.unwrap(), roots + (row.length.unwrap() as f64).sqrt());
        let q = (0.5 - 7f64.sqrt() * loss / roots).max(0.01);
        let after = 2000.0 + 2000.0 / 7f64.sqrt() * (q / (1.0 - q)).log10();
        let told = of(&player, &row.match_id).unwrap();
        assert!((told.before - before).abs() < 1e-5 && (told.after - after).abs() < 1e-5, "{told:?} {after}");
        pools.insert(player, (loss, roots, after));
    }
    assert!(moved.len() == 18 && pools.len() < 9, "somebody played twice");
    for row in place.rows::<AcademyPlayerRow>() {
        assert!((row.rating.unwrap() - pools[&row.player].2).abs() < 1e-5);
    }
    let page = place.page("2026", "academy.html");
    assert!(page.contains("Rating (play)") && !page.contains("(results)"));
    for name in place.pages("2026", "player-") {
        let page = place.page("2026", &name);
        assert!(page.contains("Rating (play)") && !page.contains("(results)"), "{name}");
    }
    // What an earlier night knew goes on alike: a match that comes later costs itself, and gives the figures of one run.
    place.put("2026/cup/10.sgf", file(10, 3));
    let ran = place.run(0);
    assert!(ran.err.contains("1 of 10 matches filed"), "{}", ran.err);
    let grown: Vec<AcademyRatingRow> = place.rows();
    let anew = Place::new();
    configure(&anew, "[academy.ratings]\nsource = \"machine\"\n");
    for seed in 1..=10 {
        anew.put(format!("2026/cup/{seed}.sgf"), file(seed, if seed % 2 == 0 && seed < 10 { 1 } else { 3 }));
    }
    anew.run(0);
    assert_eq!(grown, anew.rows::<AcademyRatingRow>());
}
