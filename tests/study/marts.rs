//! The study marts of a written snapshot: whoever's errors they are, they come out as the pure functions say.

use super::made::{Season, season};
use crate::support::m7::{self, SEASON};
use portes::game::Mpt;
use portes::measure::errors::{Asked, ErrorMarts, marts};
use portes::measure::interval::Quantile;
use portes::measure::recurring::Recurring;
use portes::measure::reference::rulings::Rulings;
use portes::measure::reference::{Known, References, TreatedKeys};
use portes::measure::review::review;
use portes::measure::scope::Scope;
use portes::measure::selection::Selection;
use portes::measure::study_plan::StudyPlan;
use portes::measure::{MeasureFault, Settings};
use portes::rate::errors::errors;
use portes::rate::rulings::rulings;
use portes::rate::{Rules, moments::moments};
use portes::tables::facts::MatchRow;
use portes::tables::lake::table_dir;
use portes::tables::part::PartWriter;
use portes::tables::partials::{ErrorRow, MomentRow, RulingRow};
use portes::tables::row::{self, Row};
use portes::tables::study_marts::StudyTotalsRow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn write<R: Row>(snapshot: &Path, season: &str, rows: &[R]) {
    let mut rows = rows.to_vec();
    row::sort(&mut rows);
    let mut writer = PartWriter::<R>::create(&table_dir(snapshot, R::TABLE, season), "0").unwrap();
    writer.push(&rows).unwrap();
    writer.finish().unwrap();
}

/// Counted decisions of a seat in a match.
fn counted(match_id: &str, seat: i64, counted: i64) -> MomentRow {
    MomentRow {
        season: SEASON.to_owned(),
        match_id: match_id.to_owned(),
        game: 1,
        seat,
        kind: "checker".to_owned(),
        n: counted,
        rated: counted,
        counted,
        ..MomentRow::default()
    }
}

/// A made season whose errors are of both seats, and one match Ada played against herself.
fn two_seats(seed: u64) -> Season {
    let mut season = season(seed, 300);
    for error in &mut season.errors {
        error.seat = 1 + error.order % 2;
    }
    season.errors.sort_by(|a, b| (&a.match_id, a.order).cmp(&(&b.match_id, b.order)));
    season.matches[0].player_2 = "Ada".to_owned();
    for (of, event) in season.matches.iter_mut().zip([Some("Lantern Open"), None, Some("Granary Cup")].iter().cycle()) {
        of.event = event.map(str::to_owned);
    }
    for (ruling, order) in season.rulings.iter_mut().zip(0..) {
        ruling.match_id.clone_from(&season.matches[0].match_id);
        (ruling.season, ruling.source_id, ruling.game, ruling.order) = (SEASON.to_owned(), "f".to_owned(), 1, order);
    }
    season
}

fn written(season: &Season) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), SEASON, &season.matches);
    write(dir.path(), SEASON, &season.errors);
    // Positions recur in other seasons: rulings are looked for in all of them.
    let (here, elsewhere) = season.rulings.split_at(season.rulings.len() / 2);
    write(dir.path(), SEASON, here);
    write(dir.path(), "2019", elsewhere);
    let sums = season.matches.iter().flat_map(|row| [counted(&row.match_id, 1, 40), counted(&row.match_id, 2, 31)]);
    write(dir.path(), SEASON, &sums.collect::<Vec<_>>());
    dir
}

/// By seat.
fn players(row: &MatchRow) -> [&str; 2] {
    [&row.player_1, &row.player_2]
}

/// The same from the rows themselves, player by player.
fn expected(season: &Season) -> ErrorMarts {
    let matches: BTreeMap<&str, &MatchRow> = season.matches.iter().map(|row| (row.match_id.as_str(), row)).collect();
    let player = |error: &ErrorRow| players(matches[error.match_id.as_str()])[usize::from(error.seat == 2)];
    let rulings: Rulings = season.rulings.iter().collect();
    let mut marts = ErrorMarts { match_review: review(&season.errors), ..ErrorMarts::default() };
    for whose in [None, Some("Ada"), Some("Bo")] {
        let selection = Selection { season: SEASON, player: whose };
        let own: Vec<&ErrorRow> =
            season.errors.iter().filter(|error| whose.is_none_or(|of| of == player(error))).collect();
        let sits = |name: &str| whose.is_none_or(|of| of == name);
        let decisions = season.matches.iter().flat_map(|row| players(row).into_iter().zip([40, 31]));
        let decisions = decisions.filter(|(name, _)| sits(name)).map(|(_, counted)| counted).sum();
        marts.study_plan.extend(own.iter().copied().collect::<StudyPlan>().rows(&selection, Quantile::Normal));
        let plan: StudyPlan = own.iter().copied().collect();
        marts.study_totals.push(plan.totals(None, &selection, Quantile::Normal));
        let events: BTreeSet<&str> = season.matches.iter().filter_map(|row| row.event.as_deref()).collect();
        for event in events.into_iter().filter(|_| whose.is_some()) {
            let there = |error: &&&ErrorRow| matches[error.match_id.as_str()].event.as_deref() == Some(event);
            let plays = |row: &MatchRow| row.event.as_deref() == Some(event) && players(row).into_iter().any(sits);
            if season.matches.iter().any(plays) {
                let plan: StudyPlan = own.iter().filter(there).copied().collect();
                marts.tournament_families.extend(plan.rows_of_event(event, &selection, Quantile::Normal));
                marts.study_totals.push(plan.totals(Some(event), &selection, Quantile::Normal));
            }
        }
        marts.recurring_errors.extend(own.iter().copied().collect::<Recurring>().rows(&selection, decisions));
        if whose.is_some() {
            let mut references = References::default();
            own.iter().for_each(|error| references.add(error, matches[error.match_id.as_str()]));
            let nothing = BTreeSet::new();
            let treated = if whose == Some("Ada") { &season.treated } else { &nothing };
            let known = Known { rulings: &rulings, treated, error: Mpt(50) };
            marts.family_positions.extend(references.positions(&selection).unwrap());
            marts.reference_positions.extend(references.rows(&selection, &known).unwrap());
        }
    }
    row::sort(&mut marts.study_plan);
    row::sort(&mut marts.study_totals);
    row::sort(&mut marts.family_positions);
    row::sort(&mut marts.tournament_families);
    row::sort(&mut marts.recurring_errors);
    row::sort(&mut marts.reference_positions);
    marts
}

/// Everybody's marts of a snapshot.
fn of(dir: &Path, treated: &TreatedKeys) -> Result<ErrorMarts, MeasureFault> {
    marts(dir, &Asked { treated, settings: Settings::default(), scope: &Scope::Everyone })
}

#[test]
fn the_marts_of_a_snapshot_are_those_of_its_rows() {
    for seed in 0..6 {
        let season = two_seats(seed);
        let dir = written(&season);
        let treated: TreatedKeys = [("Ada".to_owned(), season.treated.clone())].into();
        let got = of(dir.path(), &treated).unwrap();
        assert!(got == expected(&season), "seed {seed}");
        assert!(got.reference_positions.iter().any(|row| row.player == "Bo") || season.matches.len() == 1);
        assert!(got.reference_positions.iter().any(|row| row.unstable && row.nature == "cube"));
    }
}

#[test]
fn whoever_played_at_an_event_without_an_error_has_totals_of_nothing() {
    let mut season = two_seats(1);
    let at = season.matches.iter().position(|row| row.event.is_some() && row.player_2 != "Ada").unwrap();
    season.matches[at].event = Some("Spotless Cup".to_owned());
    let spotless = season.matches[at].match_id.clone();
    season.errors.retain(|error| error.match_id != spotless || error.seat == 1);
    let got = of(written(&season).path(), &TreatedKeys::new()).unwrap();
    assert_eq!(got.study_totals, expected(&season).study_totals);
    let row = |player: &str| {
        let own = |row: &&_| -> bool {
            let row: &StudyTotalsRow = row;
            row.event.as_deref() == Some("Spotless Cup") && row.player.as_deref() == Some(player)
        };
        got.study_totals.iter().find(own).map(|row| (row.errors, row.families))
    };
    assert_eq!(row(&season.matches[at].player_2), Some((0, 0)));
    assert_eq!(row("nobody"), None);
}

#[test]
fn m7_goes_from_its_decisions_to_its_marts() {
    let m7 = m7::rated();
    let dir = tempfile::tempdir().unwrap();
    let rules = Rules::default();
    write(dir.path(), SEASON, &m7.matches);
    write(dir.path(), SEASON, &errors(&m7.decisions, &m7.candidates, &rules));
    write(dir.path(), SEASON, &rulings(&m7.decisions, "00000000000000ff"));
    write(dir.path(), SEASON, &moments(&m7.decisions, &rules));
    let got = of(dir.path(), &TreatedKeys::new()).unwrap();
    assert_eq!(got.match_review.len(), 7);
    assert_eq!(got.match_review[0].decision_id, m7.decision("A9").decision_id);
    let recurring = |player: Option<&str>| {
        let rows: Vec<_> = got.recurring_errors.iter().filter(|row| row.player.as_deref() == player).collect();
        (rows.iter().map(|row| row.mpt).sum::<i64>(), rows[0].decisions)
    };
    assert_eq!(recurring(Some("A")), (515, 9));
    assert_eq!(recurring(Some("B")), (90, 6));
    assert_eq!(recurring(None), (605, 15));
    let plan: i64 = got.study_plan.iter().filter(|row| row.player.is_none()).map(|row| row.members).sum();
    let themed = errors(&m7.decisions, &m7.candidates, &rules).iter().filter(|row| row.theme.is_some()).count();
    assert_eq!(plan, i64::try_from(themed).unwrap());
    assert!(got.reference_positions.iter().all(|row| !row.unstable && row.match_id == m7::MATCH));
}

#[test]
fn nothing_measured_is_nothing_found_and_an_orphan_is_a_fault() {
    let dir = tempfile::tempdir().unwrap();
    let none = TreatedKeys::new();
    assert_eq!(of(dir.path(), &none).unwrap(), ErrorMarts::default());
    let season = season(3, 40);
    write(dir.path(), SEASON, &season.errors);
    write::<MatchRow>(dir.path(), SEASON, &[]);
    write::<RulingRow>(dir.path(), SEASON, &[]);
    assert!(matches!(of(dir.path(), &none), Err(MeasureFault::Orphan { .. })));
}
