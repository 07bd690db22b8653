//! One match, three programs: the real files through the whole way, to the figures of the page.

use super::{Place, evened};
use crate::support::{html, shared};
use portes::tables::facts::{AnalysisRow, DecisionRow, MatchRow, OtherDecisionRow, SourceRow};
use portes::tables::marts::PlayerMatchRow;
use serde_json::Value;
use std::collections::BTreeMap;

/// Drops real files into a season and runs.
fn with_real(names: &[&str]) -> Option<Place> {
    let place = Place::new();
    for name in names {
        place.put(format!("2026/real/{name}"), std::fs::read(shared(&format!("real/{name}"))?).unwrap());
    }
    place.run(0);
    Some(place)
}

#[test]
fn three_files_of_one_match_are_one_match_and_the_xg_analysis_counts() {
    let Some(place) = with_real(&["match-a.xg", "match-a.sgf", "match-a.mat"]) else { return };
    let matches = place.rows::<MatchRow>();
    assert_eq!(matches.len(), 1);
    let analyses = place.rows::<AnalysisRow>();
    let mut told: Vec<(&str, &str, bool)> =
        analyses.iter().map(|row| (row.path.as_str(), row.engine.as_str(), row.primary)).collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            ("2026/real/match-a.mat", "none", false),
            ("2026/real/match-a.sgf", "gnubg", false),
            ("2026/real/match-a.xg", "xg", true)
        ]
    );
    for row in place.rows::<SourceRow>() {
        assert_eq!(row.match_id.as_ref(), Some(&matches[0].match_id), "{}", row.path);
    }
    let decisions = place.rows::<DecisionRow>();
    assert!(decisions.iter().all(|row| row.xg_counted.is_some() || row.e_raw.is_none()), "they are XG's");
    let sgf = &analyses.iter().find(|row| row.format == "sgf").unwrap().source_id;
    let others = place.rows::<OtherDecisionRow>();
    let theirs: Vec<&OtherDecisionRow> = others.iter().filter(|row| row.source_id == *sgf).collect();
    let plays = |kind: &str| kind == "checker";
    assert_eq!(
        theirs.iter().filter(|row| plays(&row.kind)).count(),
        decisions.iter().filter(|row| plays(&row.kind)).count(),
        "two programs tell the same plays"
    );
    assert!(theirs.iter().filter(|row| row.e_raw.is_some()).count() > 100);
    assert!(theirs.iter().all(|row| row.xg_counted.is_none()));

    let figures = place.rows::<PlayerMatchRow>().into_iter().filter(|row| row.seat.is_some());
    let figures: Vec<String> = figures.filter_map(|row| row.xg_pr).map(|pr| format!("{pr:.2}")).collect();
    assert_eq!(figures, ["0.39", "0.42"], "as XG prints them");
    let page = place.page("2026", &place.pages("2026", "match-")[0]);
    let text = evened(&html::read(&page).text);
    for row in ["PR differs 0.40 0.39 0.43 0.42", "charlot1 7, charlot2 2"] {
        assert!(text.contains(row), "{row:?} in {text}");
    }
    let shown = place.portes(&["inspect", "data/raw/2026/real/match-a.xg"]).out;
    for pr in
        ["0.39, 90 decisions (85 checker, 3 double, 2 take)", "0.42, 79 decisions (64 checker, 13 double, 2 take)"]
    {
        assert!(shown.contains(&format!("as XG prints it: PR {pr}")), "{shown}");
    }
}

/// `expected.json` has the result of each match as its file states it.
#[test]
fn results_are_those_the_files_state() {
    let Some(place) = with_real(&["match-a.xg", "match-b.xg", "match-c.xg", "match-d.xg"]) else { return };
    let expected = std::fs::read(shared("real/expected.json").unwrap()).unwrap();
    let expected: BTreeMap<String, Value> = serde_json::from_slice(&expected).unwrap();
    let sources = place.rows::<SourceRow>();
    let matches = place.rows::<MatchRow>();
    for (name, block) in &expected {
        let source = sources.iter().find(|row| row.path.ends_with(name.as_str())).unwrap();
        let played = matches.iter().find(|row| Some(&row.match_id) == source.match_id.as_ref()).unwrap();
        let number = |pointer: &str| block.pointer(pointer).unwrap().as_i64().unwrap();
        let text = |pointer: &str| block.pointer(pointer).unwrap().as_str().unwrap();
        assert_eq!([played.score_1, played.score_2], [number("/result/score/0"), number("/result/score/1")], "{name}");
        assert_eq!(played.winner, Some(number("/result/winner")), "{name}");
        assert_eq!((played.length, played.games), (Some(number("/length")), number("/games")), "{name}");
        assert_eq!([played.name_1.as_str(), &played.name_2], [text("/players/0"), text("/players/1")], "{name}");
    }
    assert!(expected.len() >= 3);
}
