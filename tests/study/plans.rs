//! Reviews, study plans and recurring errors: the tables of `metrics.md` 12.3 and 21, and the edges of 19.

use super::made::{costing, error};
use crate::support::m7;
use portes::measure::interval::Quantile;
use portes::measure::recurring::Recurring;
use portes::measure::review::review;
use portes::measure::selection::Selection;
use portes::measure::study_plan::StudyPlan;
use portes::rate::errors::errors;
use portes::rate::{Rules, moments::moments};
use portes::tables::partials::ErrorRow;
use portes::tables::study_marts::StudyPlanRow;

const ADA: Selection<'static> = Selection { season: "2026", player: Some("Ada") };

fn near(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected}");
}

/// Errors of one family with these excesses.
fn family([plan, nature, theme]: [&str; 3], excesses: &[f64]) -> Vec<ErrorRow> {
    let of = |excess: &f64| ErrorRow {
        plan: plan.to_owned(),
        nature: nature.to_owned(),
        theme: Some(theme.to_owned()),
        ..costing(error(0), *excess)
    };
    excesses.iter().map(of).collect()
}

fn plan(errors: &[ErrorRow]) -> Vec<StudyPlanRow> {
    errors.iter().collect::<StudyPlan>().rows(&ADA, Quantile::Normal)
}

const F1: [&str; 3] = ["holding", "checker", "blots"];
const F2: [&str; 3] = ["contact", "cube", "offer_missed"];
const F3: [&str; 3] = ["blitz", "checker", "gammon"];
const F4: [&str; 3] = ["race", "cube", "answer_wrong_pass"];
const F5: [&str; 3] = ["holding", "cube", "offer_missed"];
const F6: [&str; 3] = ["race", "checker", "gammon"];

/// 12.3: family, R, half-width, low; rank and reason, in the order of the list.
#[test]
fn the_plan_is_the_one_of_the_worked_table() {
    let errors = [
        family(F1, &[0.016, 0.014, 0.006, 0.008, 0.007, -0.002]),
        family(F2, &[0.029, -0.009, -0.007, -0.0065, -0.005]),
        family(F3, &[0.039, 0.048, 0.027, 0.019]),
        family(F4, &[0.0055; 5]),
        family(F5, &[0.023, 0.0008, 0.0007, 0.0006, 0.0005, 0.0004]),
        family(F6, &[0.004; 4]),
    ];
    let expected = [
        (F4, 5, 0.0275, 0.024_104_81, 0.003_395_19, Some(1), None),
        (F1, 6, 0.0490, 0.048_209_63, 0.000_790_37, Some(2), None),
        (F3, 4, 0.1330, 0.137_409_84, -0.004_409_84, None, Some("few_members")),
        (F5, 6, 0.0260, 0.045_160_88, -0.019_160_88, None, Some("includes_zero")),
        (F6, 4, 0.0160, 0.015_680_00, 0.000_320_00, None, Some("few_members")),
        (F2, 5, 0.0015, 0.063_154_90, -0.061_654_90, None, Some("includes_zero")),
    ];
    let rows = plan(&errors.concat());
    assert_eq!(rows.len(), expected.len());
    for ((row, (family, members, recoverable, half, low, rank, reason)), position) in rows.iter().zip(expected).zip(1..)
    {
        assert_eq!([row.plan.as_str(), row.nature.as_str(), row.theme.as_str()], family);
        assert_eq!((row.members, row.rank, row.reason.as_deref(), row.position), (members, rank, reason, position));
        near(row.recoverable, recoverable, 1e-12);
        near(row.low, low, 6e-9);
        near(row.high - row.recoverable, half, 6e-9);
        assert_eq!((row.season.as_str(), row.player.as_deref()), ("2026", Some("Ada")));
    }
}

#[test]
fn five_equal_errors_are_enough_and_one_that_dominates_is_not() {
    let equal = plan(&family(F1, &[0.010; 5]));
    assert_eq!(equal[0].rank, Some(1));
    near(equal[0].low, 0.006_173, 1e-6);
    let dominated = plan(&family(F1, &[0.100, 0.001, 0.001, 0.001, 0.001]));
    assert_eq!((dominated[0].rank, dominated[0].reason.as_deref()), (None, Some("includes_zero")));
}

#[test]
fn families_that_are_equal_stand_in_the_order_of_their_tokens() {
    let errors = [F4, F6, F5, F1].map(|tokens| family(tokens, &[0.010; 5])).concat();
    let order: Vec<[String; 3]> = plan(&errors).into_iter().map(|row| [row.plan, row.nature, row.theme]).collect();
    assert_eq!(order, [F1, F5, F6, F4].map(|tokens| tokens.map(str::to_owned)));
}

#[test]
fn what_has_no_price_or_no_theme_is_counted_and_in_no_family() {
    let mut errors = family(F1, &[0.010, 0.020]);
    errors.push(ErrorRow { loss: None, difficulty: None, ..error(2) });
    errors.push(ErrorRow { difficulty: None, theme: None, ..error(3) });
    errors.push(ErrorRow { theme: None, ..error(4) });
    errors[0].avoidable = true;
    let rows = plan(&errors);
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].members, rows[0].avoidable), (2, 1));
    assert_eq!((rows[0].unpriced, rows[0].unthemed), (2, 1), "a price is asked for before a theme");
    let totals = |errors: &[ErrorRow]| {
        let row = errors.iter().collect::<StudyPlan>().totals(Some("Cup"), &ADA, Quantile::Normal);
        assert_eq!(
            (row.season.as_str(), row.player.as_deref(), row.event.as_deref()),
            ("2026", Some("Ada"), Some("Cup"))
        );
        [row.errors, row.unpriced, row.unthemed, row.families, row.established]
    };
    assert_eq!(totals(&errors), [5, 2, 1, 1, 0]);
    assert_eq!(totals(&errors[2..]), [3, 2, 1, 0, 0], "told also where there is no family");
    assert_eq!(totals(&family(F1, &[0.010; 5])), [5, 0, 0, 1, 1]);
}

/// Decision of the fixture, avoidable part.
#[test]
fn the_decisions_to_review_are_those_of_m7() {
    let m7 = m7::rated();
    let rows = review(&errors(&m7.decisions, &m7.candidates, &Rules::default()));
    let own = [("A9", 0.048_387), ("A3", 0.019_608), ("A8", 0.016_102)];
    let next = [("A4", 0.005_107), ("A6", 0.004_114), ("A1", 0.003_229)];
    for (row, (id, part)) in rows.iter().zip(own.into_iter().chain(next)) {
        assert_eq!(row.decision_id, m7.decision(id).decision_id, "{id}");
        near(row.avoidable_part, part, 1e-6);
    }
    let seats: Vec<(i64, i64)> = rows.iter().map(|row| (row.seat, row.rank)).collect();
    assert_eq!(seats, [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 1)]);
    assert_eq!(rows[6].decision_id, m7.decision("B4").decision_id);
    near(rows[6].avoidable_part, 0.007_538, 1e-6);
    near(rows[0].loss, 0.05, 1e-9);
}

#[test]
fn a_review_leaves_out_what_has_no_price_or_was_harder_than_it_cost() {
    let priced = |order, excess| costing(error(order), excess);
    let unknown = ErrorRow { difficulty: None, loss: Some(7_000_000), ..error(4) };
    let money = ErrorRow { loss: None, difficulty: None, ..error(5) };
    let rows = review(&[priced(1, 0.007), priced(2, 0.0), priced(3, -0.001), unknown, money, priced(0, 0.007)]);
    let order: Vec<&str> = rows.iter().map(|row| &row.decision_id[17..]).collect();
    // Equal parts: the larger loss, then the match order; an unknown difficulty counts 0.
    assert_eq!(order, ["0000", "0001", "0004"]);
    assert_eq!(rows[2].difficulty, None);
    assert!(review(&[]).is_empty());
}

/// 12.4: groups and decisions below the threshold make the whole PR.
#[test]
fn recurring_errors_and_the_rest_add_up_to_the_pr() {
    let m7 = m7::rated();
    let of_both = errors(&m7.decisions, &m7.candidates, &Rules::default());
    let sums = moments(&m7.decisions, &Rules::default());
    for (seats, pr) in [(&[1][..], 31.388_889), (&[2], 14.333_333), (&[1, 2], 24.566_667)] {
        let counted: i64 = sums.iter().filter(|row| seats.contains(&row.seat)).map(|row| row.counted).sum();
        let errors = of_both.iter().filter(|row| seats.contains(&row.seat));
        let rows = errors.collect::<Recurring>().rows(&Selection { season: "2026", player: None }, counted);
        let small = m7.decisions.iter().filter(|row| row.counted && seats.contains(&row.seat) && row.e_mpt < Some(50));
        let rest = 0.5 * small.filter_map(|row| row.e_mpt).sum::<i64>() as f64 / counted as f64;
        near(rows.iter().map(|row| row.pr_cost).sum::<f64>() + rest, pr, 1e-6);
        assert!(rows.windows(2).all(|pair| pair[0].mpt >= pair[1].mpt));
        assert!(rows.iter().all(|row| row.decisions == counted && row.player.is_none()));
    }
}

#[test]
fn recurring_errors_count_money_and_what_has_no_theme() {
    let money = ErrorRow { loss: None, difficulty: None, mpt: 60, ..error(0) };
    let unthemed = ErrorRow { theme: None, loss: None, difficulty: None, mpt: 130, ..error(1) };
    let errors = [money.clone(), unthemed, ErrorRow { mpt: 50, ..money }];
    let rows = errors.iter().collect::<Recurring>().rows(&ADA, 20);
    let got: Vec<(&str, i64, i64, f64, i64)> =
        rows.iter().map(|row| (row.theme.as_str(), row.members, row.mpt, row.pr_cost, row.rank)).collect();
    assert_eq!(got, [("none", 1, 130, 3.25, 1), ("blots", 2, 110, 2.75, 2)]);
}

#[test]
fn an_empty_selection_has_no_rows_and_divides_by_nothing() {
    assert!(plan(&[]).is_empty());
    assert!(Recurring::default().rows(&ADA, 12).is_empty());
    assert!([error(0)].iter().collect::<Recurring>().rows(&ADA, 0).is_empty());
}

#[test]
fn the_largest_sums_do_not_overflow() {
    let dearest = ErrorRow { loss: Some(1_000_000_000), difficulty: Some(0), ..error(0) };
    let errors = vec![dearest; 100_000];
    let rows = plan(&errors);
    near(rows[0].recoverable, 100_000.0, 1e-6);
    near(rows[0].low, 100_000.0 - 1.96 * 100_000_f64.sqrt(), 1e-6);
}

/// Five equal errors are enough at 1.96, and not with four degrees of freedom: 5 is less than 2.776 times its root.
#[test]
fn student_widens_a_family_of_few_errors() {
    let errors: Vec<ErrorRow> = (0..5).map(|order| costing(error(order), 0.0055)).collect();
    let plan = |quantile| errors.iter().collect::<StudyPlan>().rows(&ADA, quantile).remove(0);
    assert_eq!(plan(Quantile::Normal).rank, Some(1));
    let row = plan(Quantile::Student);
    assert_eq!((row.rank, row.reason.as_deref()), (None, Some("includes_zero")));
    assert!((row.high - row.recoverable - 2.776 * 0.0055 * 5f64.sqrt()).abs() < 1e-9);
}
