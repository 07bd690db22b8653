//! Backgammon: areas, plies and values from the stored rows.

use super::club::{club, cut, cut_by, try_cut};
use super::{told, vectors};
use crate::support::seasons::Stored;
use crate::support::shared;
use portes::academy::backgammon::{Cut, RowFault, changed};
use portes::academy::contest::{Contest, Outcome, Side};
use portes::academy::settings::ValueOf;
use portes::game::met::Met;
use portes::game::play::Play;
use portes::game::{Board, Regime, Score};

#[test]
fn the_areas_are_those_of_the_vectors() {
    let Some(vectors) = vectors() else { return };
    let cases = vectors["backgammon_areas"].as_array().unwrap();
    assert_eq!(cases.len(), 5);
    for case in cases {
        let board = |name: &str| Board::from_text(case[name].as_str().unwrap()).unwrap();
        let (before, after) = (board("before"), board("after"));
        assert_eq!(Play::from_notation(case["play"].as_str().unwrap()).unwrap().apply(&before), Ok(after));
        let areas: Vec<(String, String)> =
            told(&changed(&before, &after)).into_iter().map(|(name, _, cells)| (name, cells)).collect();
        let expected: Vec<(String, String)> = serde_json::from_value(case["areas"].clone()).unwrap();
        assert_eq!(areas, expected, "{}", case["play"]);
    }
    assert!(changed(&Board::START, &Board::START).is_empty());
}

/// A file of the corpus that is made special on purpose.
fn quirk(name: &str) -> Option<(Stored, Cut)> {
    let stored = Stored::of_file(&shared(&format!("corpus/gnubg/quirks/{name}"))?, "2026");
    let cut = cut(&stored);
    Some((stored, cut))
}

#[test]
fn every_roll_is_a_ply_and_a_dance_has_neither_value_nor_area() {
    let mut dances = 0;
    for contest in club().iter().flat_map(|cut| &cut.contests) {
        for (ply, index) in contest.plies.iter().zip(0..) {
            if ply.choices != Some(0) {
                assert!(!ply.areas.is_empty());
                continue;
            }
            dances += 1;
            assert_eq!((ply.label.as_str(), ply.value, ply.cost), ("dance", None, None));
            assert!(ply.areas.is_empty() && ply.candidates.is_empty());
            assert!(index + 1 == contest.plies.len() || contest.before(index + 1).is_none());
        }
    }
    let plies: usize = club().iter().flat_map(|cut| &cut.contests).map(|contest| contest.plies.len()).sum();
    // The README of the corpus counts the rolls.
    assert!(club().is_empty() || plies == 19_079 && dances > 500, "{plies} plies, {dances} dances");
}

#[test]
fn the_value_of_a_play_is_that_of_the_candidate_that_reaches_its_position() {
    for contest in club().iter().flat_map(|cut| &cut.contests) {
        for ply in &contest.plies {
            let same = ply.candidates.iter().find(|candidate| candidate.key == ply.key);
            assert_eq!(ply.value, same.and_then(|candidate| candidate.value));
            assert_eq!(ply.cost, same.and_then(|candidate| candidate.cost));
            if let Some(same) = same {
                assert_eq!((&ply.areas, &ply.label), (&same.areas, &same.label));
            }
        }
    }
}

#[test]
fn a_game_is_final_only_if_it_was_played_out_on_the_board() {
    let Some(root) = shared("corpus/gnubg") else { return };
    let ledger = std::fs::read_to_string(root.join("ledger.tsv")).unwrap();
    let mut ends = std::collections::BTreeMap::new();
    for line in ledger.lines().skip(1).take(30) {
        let stored = Stored::read(&root, line);
        for (game, contest) in stored.games.iter().zip(cut(&stored).contests) {
            let ending = game.ending.as_deref().unwrap_or("none");
            *ends.entry((ending.to_owned(), contest.ends_on_board)).or_insert(0) += 1;
            let winner = if game.winner == game.first { Outcome::First } else { Outcome::Second };
            assert_eq!(contest.outcome, if game.winner.is_some() { winner } else { Outcome::Unfinished });
        }
    }
    let kinds: Vec<(&str, bool)> = ends.keys().map(|(ending, on_board)| (ending.as_str(), *on_board)).collect();
    assert!(kinds.contains(&("borne_off", true)) && kinds.contains(&("pass", false)), "{ends:?}");
    assert!(!kinds.contains(&("borne_off", false)) && !kinds.contains(&("pass", true)), "{ends:?}");
}

#[test]
fn a_position_set_up_on_the_way_leaves_the_game_out_and_no_other() {
    let Some((_, cut)) = quirk("edited-during-play-5pt.sgf") else { return };
    let outcomes: Vec<Outcome> = cut.contests.iter().map(|contest| contest.outcome).collect();
    assert!(outcomes.contains(&Outcome::Edited) && outcomes.iter().any(|outcome| *outcome != Outcome::Edited));
}

#[test]
fn every_format_tells_the_same_plies_of_a_match_and_none_is_broken() {
    let (Some(xg), Some(sgf), Some(mat)) =
        (shared("real/match-a.xg"), shared("real/match-a.sgf"), shared("real/match-a.mat"))
    else {
        return;
    };
    let read = |path: std::path::PathBuf| cut(&Stored::of_file(&path, "2026")).contests;
    let [xg, sgf, mat] = [xg, sgf, mat].map(read);
    let told = |contests: &[Contest]| -> Vec<_> {
        let plies = |contest: &Contest| -> Vec<_> {
            contest.plies.iter().map(|ply| (ply.by, ply.chance.clone(), ply.key.clone(), ply.areas.clone())).collect()
        };
        contests.iter().map(|contest| (contest.outcome, contest.first_contact, plies(contest))).collect()
    };
    assert!(!xg.is_empty() && xg.iter().all(|contest| contest.outcome != Outcome::Edited));
    assert_eq!(told(&xg), told(&sgf));
    assert_eq!(told(&xg), told(&mat));
    let valued = |contests: &[Contest]| contests.iter().flat_map(|c| &c.plies).any(|ply| ply.value.is_some());
    assert!(valued(&xg) && !valued(&mat));
    for other in ["real/match-b.xg", "real/match-c.xg", "real/match-d.xg"].into_iter().filter_map(shared) {
        assert!(read(other).iter().all(|contest| contest.outcome != Outcome::Edited));
    }
}

#[test]
fn another_start_is_a_game_of_its_own() {
    let Some((_, cut)) = quirk("nackgammon-3pt.sgf") else { return };
    assert!(cut.contests.iter().all(|contest| contest.game == "nackgammon" && contest.outcome != Outcome::Edited));
    assert_eq!(cut.finished.map(|finished| finished.game), Some("nackgammon".to_owned()));
}

#[test]
fn a_side_that_nobody_analysed_gives_moves_and_results_but_no_values() {
    let Some(root) = shared("corpus/gnubg") else { return };
    let ledger = std::fs::read_to_string(root.join("ledger.tsv")).unwrap();
    let cut_of = |id: &str| cut(&Stored::read(&root, ledger.lines().find(|line| line.starts_with(id)).unwrap()));
    for contest in &cut_of("2026-sprint-3\t").contests {
        assert!(!contest.plies.is_empty() && contest.plies.iter().all(|ply| ply.value.is_none()));
        assert!(contest.plies.iter().all(|ply| ply.choices.is_some()));
    }
    let cup = cut_of("2026-cup-3\t");
    let white = if cup.contests[0].first == cup.finished.as_ref().unwrap().winner { Side::First } else { Side::Second };
    let valued = |side| cup.contests[0].plies.iter().filter(|ply| ply.by == side && ply.value.is_some()).count();
    assert_eq!(valued(white).min(valued(white.other())), 0);
    assert!(valued(white).max(valued(white.other())) > 0);
}

#[test]
fn where_an_analysis_gives_no_probabilities_the_equity_stands_in_and_is_marked() {
    let Some(root) = shared("corpus/gnubg") else { return };
    let ledger = std::fs::read_to_string(root.join("ledger.tsv")).unwrap();
    let mut stored = Stored::read(&root, ledger.lines().nth(1).unwrap());
    let estimates = |cut: &Cut| cut.contests.iter().map(|contest| contest.estimated).collect::<Vec<_>>();
    assert!(estimates(&cut(&stored)).iter().all(|n| *n == 0));
    let played = stored.decisions.iter().position(|row| row.played_rank == Some(0)).unwrap();
    let id = stored.decisions[played].decision_id.clone();
    let ply = stored.decisions[..played].iter().filter(|row| row.kind == "checker").count();
    assert_eq!(stored.decisions[played].game, 1);
    let row = stored.candidates.iter_mut().find(|row| row.decision_id == id).unwrap();
    (row.win, row.equity) = (None, Some(30_000_000));
    let estimated = cut(&stored);
    assert_eq!((estimates(&estimated)[0], estimates(&estimated)[1..].iter().sum::<u32>()), (1, 0));
    assert_eq!(estimated.contests[0].plies[ply].value.unwrap().billionths(), 650_000_000);
    let row = stored.candidates.iter_mut().find(|row| row.decision_id == id).unwrap();
    row.equity = Some(-250_000_000);
    assert_eq!(cut(&stored).contests[0].plies[ply].value.unwrap().billionths(), 0, "cut off at nought");
    stored.decisions[played].position_key = "bg1|".to_owned();
    assert!(matches!(try_cut(&stored), Err(RowFault::Key { decision_id, .. }) if decision_id == id));
}

#[test]
fn the_value_by_the_match_is_the_equity_at_the_score_and_cube_of_the_play() {
    let Some(root) = shared("corpus/gnubg") else { return };
    let ledger = std::fs::read_to_string(root.join("ledger.tsv")).unwrap();
    let (mut valued, mut cubes) = (0, std::collections::BTreeSet::new());
    for stored in ledger.lines().skip(1).take(12).map(|line| Stored::read(&root, line)) {
        let by_match = cut_by(&stored, ValueOf::Mwc).unwrap();
        assert!(by_match.contests.iter().all(|contest| contest.estimated == 0));
        let plies: Vec<_> = by_match.contests.iter().flat_map(|contest| &contest.plies).collect();
        let rolls: Vec<_> = stored.decisions.iter().filter(|row| row.kind == "checker").collect();
        assert_eq!(plies.len(), rolls.len());
        for (ply, row) in plies.into_iter().zip(rolls) {
            let played = stored
                .candidates
                .iter()
                .find(|listed| listed.decision_id == row.decision_id && Some(listed.rank) == row.played_rank);
            let score = Score {
                regime: Regime::from_token(&row.regime).unwrap(),
                own_away: u32::try_from(row.own_away).unwrap(),
                opponent_away: u32::try_from(row.opp_away).unwrap(),
            };
            let factor = Met::kazaross_xg2().factor(score, u32::try_from(row.cube).unwrap());
            let expected = played.filter(|_| row.legal_plays != Some(0)).zip(factor).and_then(|(played, factor)| {
                let mwc = factor.to_mwc(played.equity? as f64 / 1e8).clamp(0.0, 1.0);
                Some((mwc * 1e9).round() as i64)
            });
            assert_eq!(ply.value.map(|value| value.billionths()), expected, "{}", row.decision_id);
            valued += usize::from(expected.is_some());
            cubes.insert(row.cube);
        }
        let game = cut(&stored);
        assert_eq!((by_match.finished, by_match.judged), (game.finished, game.judged));
    }
    assert!(valued > 500 && cubes.len() > 1, "{valued} {cubes:?}");
}
