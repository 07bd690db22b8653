//! The slow twin: every mart once more, by plain loops over the rows of `decisions`, `matches`, `analyses` and the study
//! tables, written from `metrics.md` and from nothing else. No partial, no column engine, no function of the measures:
//! of the program only the row types and the board are used. Counts, words and days agree exactly, floats to 1e-9.
//!
//! It is held against two lakes. The first is what the program makes of the seasons that ship, with a study log, final
//! places and matches of every odd sort beside them. The second is the same decisions with thinking times and unread
//! boards, which no format carries yet, finished by the library.

mod figures;
mod lessons;
mod line;
mod positions;
mod spread;
mod sums;
mod timed;
mod tournament;

use crate::night::{Place, sample_files};
use crate::support::made::{SGF, Shape, XG, made};
use crate::support::{mat_writer, sgf_writer, xg_writer};
use line::{Agreement, Line, agree};
use portes::game::Length;
use portes::ingest::record::{Record, What};
use portes::measure::standings::standings;
use portes::tables::facts::{AnalysisRow, CandidateRow, DecisionRow, MatchRow, OtherDecisionRow};
use portes::tables::marts::{PlayerCareerRow, PlayerMatchRow, PlayerSeasonRow};
use portes::tables::row::Row;
use portes::tables::study::{StudyEventRow, TreatedPositionRow};
use portes::tables::study_marts::{
    BeforeAfterRow, BiasRow, BreakdownRow, FamilyPositionRow, HeadToHeadRow, HistogramRow, MatchReviewRow,
    PlacesPointsRow, RecurringErrorRow, ReferencePositionRow, RollingRow, StandingRow, StudyPlanRow, StudyTotalsRow,
    TournamentFamilyRow, TournamentReviewRow, TrendRow, WorstDecisionRow,
};
use std::collections::BTreeMap;
use sums::Game;

/// What the definitions speak of.
pub(super) struct Lake {
    matches: Vec<MatchRow>,
    analyses: Vec<AnalysisRow>,
    decisions: Vec<DecisionRow>,
    other_decisions: Vec<DecisionRow>,
    candidates: Vec<CandidateRow>,
    events: Vec<StudyEventRow>,
    treated: Vec<TreatedPositionRow>,
    /// Season, event, player, place.
    places: Vec<(String, String, String, i64)>,
}

impl Lake {
    fn of(place: &Place, places: &[(&str, &str, &str, i64)]) -> Self {
        let others = place.rows::<OtherDecisionRow>();
        let owned = |of: &(&str, &str, &str, i64)| (of.0.to_owned(), of.1.to_owned(), of.2.to_owned(), of.3);
        Self {
            matches: place.rows(),
            analyses: place.rows(),
            decisions: place.rows(),
            other_decisions: others.into_iter().map(|row| row.into_primary().1).collect(),
            candidates: place.rows(),
            events: place.rows(),
            treated: place.rows(),
            places: places.iter().map(owned).collect(),
        }
    }
}

/// The sample season, and beside it what it lacks: XG's own format twice over, money, more points than any table
/// reaches, a match left in the middle, one nobody analysed, and one without a date.
fn enriched() -> Place {
    let place = Place::new();
    sample_files(&place);
    for seed in 500..506 {
        let record = made(seed, XG);
        place.put(format!("2026/cup/{seed}.xg"), xg_writer::write(&record));
        place.put(format!("2026/cup/{seed}.mat"), mat_writer::write(&record));
        let sgf = Record { format: SGF.format, engine: made(seed, SGF).engine, ..record };
        place.put(format!("2026/cup/{seed}.sgf"), sgf_writer::write(&sgf));
    }
    let mut money = made(510, SGF);
    money.length = Length::Money;
    (money.rules.crawford, money.rules.jacoby) = (false, true);
    money.games.iter_mut().for_each(|game| game.crawford = false);
    place.put("2026/cup/money.sgf", sgf_writer::write(&money));
    place.put("2026/cup/long.xg", xg_writer::write(&made(511, Shape { length: 70, ..XG })));
    let mut left = made(512, SGF);
    let last = left.games.last_mut().unwrap();
    last.outcome = None;
    last.actions.truncate(9);
    place.put("2026/cup/left.sgf", sgf_writer::write(&left));
    let mut bare = made(513, SGF);
    for action in bare.games.iter_mut().flat_map(|game| &mut game.actions) {
        match &mut action.what {
            What::Checker(play) => {
                play.candidates.clear();
                play.luck = None;
            }
            What::NoDouble(analysis) | What::Double(analysis) | What::Take(analysis) | What::Pass(analysis) => {
                *analysis = None;
            }
            What::Beaver(_) | What::AfterBeaver(_) => {}
        }
    }
    place.put("2026/cup/bare.sgf", sgf_writer::write(&bare));
    place.put("2026/cup/undated.sgf", sgf_writer::write(&Record { date: None, ..made(514, SGF) }));
    place
}

/// The table and what a slow reading makes of it.
fn held<R: Row>(place: &Place, lines: Vec<Line>) -> Agreement {
    agree(&place.rows::<R>(), lines)
}

/// Prints how every table agrees, and fails with the differences of all of them.
fn told(all: &[Agreement]) {
    println!("{:<22}{:>8}{:>10}{:>10}{:>12}{:>8}", "mart", "rows", "cells", "told", "apart", "faults");
    for one in all {
        let faults = one.faults.len();
        println!("{:<22}{:>8}{:>10}{:>10}{:>12.1e}{faults:>8}", one.table, one.rows, one.cells, one.told, one.apart);
    }
    let mut words = String::new();
    for one in all.iter().filter(|one| !one.faults.is_empty()) {
        words += &format!(
            "\n{}: {} differences\n  {}",
            one.table,
            one.faults.len(),
            one.faults[..one.faults.len().min(12)].join("\n  ")
        );
    }
    assert!(words.is_empty(), "{words}");
}

/// Cinderpath and Bramblewick mark what they erred in: some of it twice, some of it on the day of a match.
fn study_log(place: &Place) -> String {
    let matches = place.rows::<MatchRow>();
    let mut log = "date,position,action,player\n".to_owned();
    let view = place.rows::<DecisionRow>();
    let errors = view.iter().filter(|row| row.counted && row.e_mpt >= Some(50) && row.loss.is_some());
    for (at, row) in errors.enumerate() {
        let of = matches.iter().find(|of| of.match_id == row.match_id).unwrap();
        let player = if row.seat == 1 { &of.player_1 } else { &of.player_2 };
        let studies = ["Bramblewick", "Cinderpath"].contains(&player.as_str()) && at % 2 == 0;
        let Some(length) = of.length.filter(|_| studies) else { continue };
        let day = ["2025-06-15", "2025-11-30", "2026-02-01", "2026-01-17"][at / 2 % 4];
        let action = ["mark", "review", "quiz", "card"][at / 8 % 4];
        log += &format!("{day},{},{action},{player}\n", positions::xgid_of(&row.position_key, length));
    }
    log
}

const PLACES: [(&str, &str, &str, i64); 5] = [
    ("2026", "lantern-open", "Gristmill", 1),
    ("2026", "lantern-open", "Aldergrove", 2),
    ("2026", "lantern-open", "Bramblewick", 2),
    ("2026", "lantern-open", "Foxglove", 4),
    ("2026", "cup", "Aldergrove", 1),
];

#[test]
fn every_mart_of_the_program_is_what_the_definitions_say() {
    let place = enriched();
    place.portes(&["run"]);
    place.put("study.csv", study_log(&place));
    for event in ["lantern-open", "cup"] {
        let lines = PLACES.iter().filter(|of| of.1 == event).map(|of| format!("{},{}\n", of.2, of.3));
        place.put(format!("2026/{event}/places.csv"), format!("player,place\n{}", lines.collect::<String>()));
    }
    place.run(0);
    let lake = Lake::of(&place, &PLACES);
    assert!(lake.events.len() > 20, "the log is read: {}", lake.events.len());
    assert!(lake.other_decisions.len() > 500, "some matches have several analyses");
    let games = Game::all(&lake);
    told(&[
        held::<PlayerMatchRow>(&place, figures::player_match(&games)),
        held::<PlayerSeasonRow>(&place, figures::player_season(&games)),
        held::<PlayerCareerRow>(&place, figures::player_career(&games)),
        held::<MatchReviewRow>(&place, lessons::match_review(&games)),
        held::<StudyPlanRow>(&place, lessons::study_plan(&games)),
        held::<StudyTotalsRow>(&place, lessons::study_totals(&games)),
        held::<TournamentFamilyRow>(&place, lessons::tournament_families(&games)),
        held::<FamilyPositionRow>(&place, positions::family_positions(&games)),
        held::<RecurringErrorRow>(&place, lessons::recurring_errors(&games)),
        held::<ReferencePositionRow>(&place, positions::reference_positions(&lake, &games)),
        held::<BeforeAfterRow>(&place, lessons::before_after(&lake, &games)),
        held::<BiasRow>(&place, spread::biases(&games)),
        held::<TournamentReviewRow>(&place, tournament::tournament_review(&games)),
        held::<BreakdownRow>(&place, spread::breakdowns(&games)),
        held::<RollingRow>(&place, spread::rolling(&games)),
        held::<TrendRow>(&place, spread::trend(&games)),
        held::<HistogramRow>(&place, spread::histogram(&games)),
        held::<WorstDecisionRow>(&place, spread::worst_decisions(&games)),
        held::<HeadToHeadRow>(&place, figures::head_to_head(&games)),
        held::<StandingRow>(&place, figures::standings(&lake, &games, &figures::club_elo(&games))),
        held::<PlacesPointsRow>(&place, figures::places_points(&lake)),
    ]);
    with_times(&place);
}

/// The second lake: see [`timed`].
fn with_times(place: &Place) {
    let lake = timed::lake(place);
    let games = Game::all(&lake);
    let timed::Finished { figures: of_players, lessons: of_errors, study } = timed::finished(&lake);
    let hasty = of_players.player_match.iter().filter_map(|row| row.hasty).sum::<i64>();
    let printed = of_players.player_match.iter().filter(|row| row.xg_pr.is_some()).count();
    assert!(hasty > 50 && printed > 10, "the second lake has times and XG's prints: {hasty}, {printed}");
    told(&[
        agree(&of_players.player_match, figures::player_match(&games)),
        agree(&of_players.player_season, figures::player_season(&games)),
        agree(&of_players.player_career, figures::player_career(&games)),
        agree(&of_errors.match_review, lessons::match_review(&games)),
        agree(&of_errors.study_plan, lessons::study_plan(&games)),
        agree(&of_errors.study_totals, lessons::study_totals(&games)),
        agree(&of_errors.tournament_families, lessons::tournament_families(&games)),
        agree(&of_errors.family_positions, positions::family_positions(&games)),
        agree(&of_errors.recurring_errors, lessons::recurring_errors(&games)),
        agree(&of_errors.reference_positions, positions::reference_positions(&lake, &games)),
        agree(&study.biases, spread::biases(&games)),
        agree(&study.tournament_review, tournament::tournament_review(&games)),
        agree(&study.breakdowns, spread::breakdowns(&games)),
        agree(&study.rolling, spread::rolling(&games)),
        agree(&study.trend, spread::trend(&games)),
        agree(&study.histogram, spread::histogram(&games)),
        agree(&study.worst_decisions, spread::worst_decisions(&games)),
        agree(&study.head_to_head, figures::head_to_head(&games)),
        agree(&standings(&of_players.player_season, &[], &[]), figures::standings(&lake, &games, &BTreeMap::new())),
    ]);
}
