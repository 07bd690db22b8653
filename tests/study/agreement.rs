//! Several hundred seeded selections: the measures and the slow reading of the definition say the same.

use super::made::{Season, season};
use super::slow;
use portes::game::Mpt;
use portes::measure::interval::Quantile;
use portes::measure::recurring::Recurring;
use portes::measure::reference::rulings::Rulings;
use portes::measure::reference::{KEPT, Known, References};
use portes::measure::review::review;
use portes::measure::selection::Selection;
use portes::measure::study_plan::StudyPlan;
use portes::tables::study_marts::ReferencePositionRow;

const ADA: Selection<'static> = Selection { season: "2026", player: Some("Ada") };

/// Mostly small selections, in which every tie occurs, and some that fill every place.
fn seasons() -> impl Iterator<Item = Season> {
    let small = (0..400).map(|seed| season(seed, seed % 60));
    small.chain((1000..1012).map(|seed| season(seed, 500)))
}

fn near(got: f64, expected: f64) {
    assert!((got - expected).abs() <= 1e-12, "got {got}, expected {expected}");
}

#[test]
fn plans_agree_with_the_slow_reading() {
    let mut established = 0;
    for season in seasons() {
        let rows = season.errors.iter().collect::<StudyPlan>().rows(&ADA, Quantile::Normal);
        let (lines, unpriced, unthemed) = slow::plan(&season.errors);
        assert_eq!(rows.len(), lines.len());
        for ((row, line), position) in rows.iter().zip(lines).zip(1..) {
            let (family, members, avoidable, recoverable, low, high, rank) = line;
            assert_eq!((&row.plan, &row.nature, &row.theme), (&family.0, &family.1, &family.2));
            assert_eq!((row.members, row.avoidable, row.rank, row.position), (members, avoidable, rank, position));
            assert_eq!((row.unpriced, row.unthemed), (unpriced, unthemed));
            near(row.recoverable, recoverable);
            near(row.low, low);
            near(row.high, high);
            established += usize::from(rank.is_some());
        }
    }
    assert!(established > 100, "the selections establish something: {established}");
}

#[test]
fn recurring_errors_and_reviews_agree_with_the_slow_reading() {
    for season in seasons() {
        let rows = season.errors.iter().collect::<Recurring>().rows(&ADA, 900);
        let got: Vec<slow::Family> =
            rows.iter().map(|row| (row.plan.clone(), row.nature.clone(), row.theme.clone())).collect();
        let groups = slow::recurring(&season.errors);
        assert_eq!(got, groups.iter().map(|group| group.0.clone()).collect::<Vec<_>>());
        for (row, (_, members, mpt)) in rows.iter().zip(groups) {
            assert_eq!((row.members, row.mpt), (members, mpt));
            near(row.pr_cost, mpt as f64 / 1800.0);
        }
        let reviewed: Vec<(String, String)> =
            review(&season.errors).into_iter().map(|row| (row.match_id, row.decision_id)).collect();
        assert_eq!(reviewed, slow::review(&season.errors));
    }
}

fn fast(season: &Season) -> Vec<ReferencePositionRow> {
    let mut references = References::default();
    for error in &season.errors {
        references.add(error, season.matches.iter().find(|row| row.match_id == error.match_id).unwrap());
    }
    let rulings: Rulings = season.rulings.iter().collect();
    let known = Known { rulings: &rulings, treated: &season.treated, error: Mpt(50) };
    references.rows(&ADA, &known).unwrap()
}

#[test]
fn reference_positions_agree_with_the_slow_reading() {
    let (mut chosen, mut discarded, mut full) = (0, 0, 0);
    for season in seasons() {
        let (rows, slow) = (fast(&season), slow::positions(&season, KEPT));
        let got: Vec<slow::Pick> = rows
            .iter()
            .map(|row| slow::Pick {
                key: row.position_key.clone(),
                family: (row.plan.clone(), row.nature.clone(), row.theme.clone()),
                gain: (row.gain * 4e9).round() / 4.0,
                covered: row.covered,
                errors: row.errors,
                matches: row.matches,
                flags: [row.close, row.unstable, row.rollout],
                decision_id: row.decision_id.clone(),
            })
            .collect();
        assert_eq!(got, slow.picks);
        for (row, rank) in rows.iter().zip(1..) {
            assert_eq!(row.rank, rank);
            assert_eq!((row.discarded, row.handled, row.left), (slow.discarded, slow.handled, slow.left));
        }
        chosen += rows.len();
        discarded += slow.discarded;
        full += usize::from(rows.len() == KEPT && slow.left > 0);
    }
    assert!(chosen > 2000 && discarded > 500 && full > 2, "the selections try it: {chosen} {discarded} {full}");
}

#[test]
fn the_order_of_the_errors_does_not_show() {
    for seed in 0..20 {
        let mut season = season(seed, 50);
        let before = (fast(&season), season.errors.iter().collect::<StudyPlan>(), review(&season.errors));
        season.errors.reverse();
        season.rulings.reverse();
        season.errors.rotate_left(17);
        let after = (fast(&season), season.errors.iter().collect::<StudyPlan>(), review(&season.errors));
        assert!(before == after, "seed {seed}");
    }
}
