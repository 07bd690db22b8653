//! The made-up club through the program: the published tables give the figures of `academy.md` 13 and keep their own
//! promises.

use crate::night::Place;
use crate::support::shared;
use portes::tables::academy::{
    AcademyAdviceRow, AcademyContestRow, AcademyFilingRow, AcademyMeasureRow, AcademyPatternRow, AcademyPlayerRow,
    AcademyRatingRow, AcademyTreeRow, AcademyVoteRow,
};
use portes::tables::facts::MatchRow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const ALIASES: &str = "[players]\naliases = { \"Émberline\" = [\"Emberline\"], \"Hollow Beck\" = [\"hollow beck\"] }\n";

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, target).unwrap();
        }
    }
}

/// Matched, generalised, specialised, inserted.
fn outcomes(rows: &[AcademyFilingRow], library: &str) -> [usize; 4] {
    ["match", "generalise", "specialise", "insert"]
        .map(|outcome| rows.iter().filter(|row| row.library == library && row.outcome == outcome).count())
}

/// Proposals, right, players right, costs of both where both are judged.
fn advice(rows: &[AcademyAdviceRow], phase: &str) -> (usize, usize, usize, String) {
    let rows: Vec<_> = rows.iter().filter(|row| row.phase == phase).collect();
    let judged = || rows.iter().filter_map(|row| row.cost_proposed.zip(row.cost_played));
    let cost = |all: i64| format!("{:.*}", if phase == "opening" { 2 } else { 1 }, all as f64 / 1e9);
    (
        rows.len(),
        rows.iter().filter(|row| row.right == Some(true)).count(),
        rows.iter().filter(|row| row.played_right == Some(true)).count(),
        format!("{} : {}", cost(judged().map(|(a, _)| a).sum()), cost(judged().map(|(_, b)| b).sum())),
    )
}

#[test]
fn the_published_tables_are_those_of_the_page() {
    let Some(corpus) = shared("corpus/gnubg") else { return };
    let place = Place::new();
    for season in ["2025", "2026"] {
        copy(&corpus.join(season), &place.raw().join(season));
    }
    std::fs::write(place.root().join("portes.toml"), ALIASES).unwrap();
    let ran = place.run(0);
    assert!(ran.err.contains("114 of 114 matches filed"), "{}", ran.err);

    let contests: Vec<AcademyContestRow> = place.rows();
    let filings: Vec<AcademyFilingRow> = place.rows();
    let advised: Vec<AcademyAdviceRow> = place.rows();
    assert_eq!((contests.len(), contests.iter().filter(|row| row.status == "filed").count()), (403, 402));
    assert_eq!(contests.iter().filter(|row| row.status == "filed").map(|row| row.plies).sum::<i64>(), 19_068);
    let of_2025: Vec<_> = filings.iter().filter(|row| row.season == "2025").cloned().collect();
    assert_eq!((outcomes(&of_2025, "chuban"), outcomes(&of_2025, "yose")), ([2, 25, 0, 55], [105, 2121, 0, 469]));
    assert_eq!((outcomes(&filings, "chuban"), outcomes(&filings, "yose")), ([4, 45, 0, 84], [238, 4440, 1, 812]));
    let expected = |proposals, right, players, costs: &str| (proposals, right, players, costs.to_owned());
    assert_eq!(advice(&advised, "opening"), expected(481, 330, 287, "4.15 : 7.74"));
    assert_eq!(advice(&advised, "middle"), expected(578, 94, 268, "75.0 : 11.0"));
    assert_eq!(advice(&advised, "end"), expected(1540, 254, 868, "136.9 : 18.7"));

    states(&place, &contests);
    ratings(&place);
    order(&contests);
}

/// What is known at the end of each season keeps its promises.
fn states(place: &Place, contests: &[AcademyContestRow]) {
    let patterns: Vec<AcademyPatternRow> = place.rows();
    let votes: Vec<AcademyVoteRow> = place.rows();
    let tree: Vec<AcademyTreeRow> = place.rows();
    let sizes = [("2025", "chuban", 55), ("2025", "yose", 469), ("2026", "chuban", 84), ("2026", "yose", 812)];
    for (season, library, size) in sizes {
        let here = patterns.iter().filter(|row| row.season == season && row.library == library);
        assert_eq!(here.count(), size, "{season} {library}");
    }
    for (season, filed, deepest) in [("2025", 211, 9), ("2026", 402, 6)] {
        let nodes: Vec<_> = tree.iter().filter(|row| row.season == season).collect();
        let total = |row: &AcademyTreeRow| row.total_w + row.total_d + row.total_l;
        let stopped = |row: &AcademyTreeRow| row.stopped_w + row.stopped_d + row.stopped_l;
        let root = nodes.iter().find(|row| row.parent.is_none()).unwrap();
        // The root's total is the number of contests filed so far, and nothing is lost by forgetting.
        let until = contests.iter().filter(|row| row.status == "filed" && row.season.as_str() <= season).count();
        assert_eq!((total(root), i64::try_from(until).unwrap()), (filed, filed));
        assert_eq!(nodes.iter().map(|row| stopped(row)).sum::<i64>(), filed);
        assert_eq!((nodes.len(), nodes.iter().map(|row| row.depth).max()), (1001, Some(deepest)));
        for row in &nodes {
            let below: i64 = nodes.iter().filter(|child| child.parent == Some(row.node)).map(|row| total(row)).sum();
            assert_eq!(total(row), stopped(row) + below);
        }
    }
    let mut by_pattern: BTreeMap<(&str, &str, i64), Vec<&AcademyVoteRow>> = BTreeMap::new();
    for vote in &votes {
        by_pattern.entry((&vote.season, &vote.library, vote.id)).or_default().push(vote);
    }
    assert_eq!(by_pattern.len(), patterns.len());
    let mut cells = BTreeSet::new();
    for row in &patterns {
        assert!(cells.insert((&row.season, &row.game, &row.library, &row.area, &row.rows, row.p, &row.cells)));
        signature(row, &by_pattern[&(row.season.as_str(), row.library.as_str(), row.id)]);
        assert!(contests.iter().any(|contest| contest.contest_id == row.example_contest));
    }
    let measures: Vec<AcademyMeasureRow> = place.rows();
    let of = |measure: &str| {
        measures.iter().find(|row| row.season == "2026" && row.measure == measure).map(|row| (row.value, row.n))
    };
    assert_eq!(of("length_mean"), Some((19_068.0 / 402.0, 402)));
    assert!(of("size_log10").unwrap().0 > 3.0 && of("decisiveness").is_some() && of("drama").is_some());
}

/// One player, one vote; E the mean of their means, V weighted by strength.
fn signature(row: &AcademyPatternRow, votes: &[&AcademyVoteRow]) {
    let means: Vec<(f64, f64)> = votes
        .iter()
        .map(|vote| (vote.sum_elo as f64 / vote.k as f64 / 1e6, vote.sum_value as f64 / vote.k as f64 / 1e9))
        .collect();
    let e = means.iter().map(|(e, _)| e).sum::<f64>() / means.len() as f64;
    let weight: f64 = means.iter().map(|(e, _)| e.max(1.0)).sum();
    let v = means.iter().map(|(e, v)| e.max(1.0) * v).sum::<f64>() / weight;
    assert!(row.n >= 1 && row.n == i64::try_from(votes.len()).unwrap());
    assert_eq!(row.proposals, votes.iter().map(|vote| vote.k).sum::<i64>());
    assert!((row.e - e).abs() < 1e-5 && (row.v - v).abs() < 1e-8, "{row:?} {e} {v}");
    assert!((row.worth - row.n as f64 * e.max(1.0) * (0.5 - v).powi(2)).abs() < 1e-4);
}

/// Every finished match of a stated length moves two ratings by one sum, and the last ones are the players'.
fn ratings(place: &Place) {
    let matches: Vec<MatchRow> = place.rows();
    let mut moved: Vec<AcademyRatingRow> = place.rows();
    let rated = matches.iter().filter(|row| row.finished && row.length.is_some() && row.winner.is_some()).count();
    assert_eq!(moved.len(), 2 * rated);
    moved.sort_by_key(|row| row.position);
    let mut present: BTreeMap<String, (f64, i64)> = BTreeMap::new();
    for row in &moved {
        let (before, experience) = present.get(&row.player).copied().unwrap_or((1500.0, 0));
        assert!((before - row.before).abs() < 1e-9 && experience < row.experience, "{row:?}");
        present.insert(row.player.clone(), (row.after, row.experience));
    }
    let players: Vec<AcademyPlayerRow> = place.rows();
    for row in players.iter().filter(|row| row.season == "2026") {
        let (rating, experience) = present.get(&row.player).copied().unwrap_or((1500.0, 0));
        assert_eq!((row.rating, row.experience), (Some(rating), experience));
        assert!(4 * row.opening_taken <= row.opening_decisions);
    }
}

/// Positions count the contests through, by season and day.
fn order(contests: &[AcademyContestRow]) {
    let mut ordered: Vec<&AcademyContestRow> = contests.iter().collect();
    ordered.sort_by_key(|row| row.position);
    assert!(ordered.iter().zip(1..).all(|(row, number)| row.position == number));
    let place = |row: &AcademyContestRow| (row.season.clone(), row.date.is_none(), row.date);
    assert!(ordered.windows(2).all(|pair| place(pair[0]) <= place(pair[1])));
}
