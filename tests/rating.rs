//! Errors, counts, losses, difficulties, themes and sums come out as the worked tables say (`metrics.md` 3 and 8,
//! `classifiers.md` 4, and the fixture M7).

use crate::support::m7;
use portes::game::cube::CubeEquities;
use portes::game::key::{Asked, PositionKey};
use portes::game::met::{Factor, Met};
use portes::game::{Board, Cube, CubeAction, Dice, Equity, Mpt, Probability, Regime, Score};
use portes::rate::moments::moments;
use portes::rate::theme::{Chances, Contact, Outlook, Structure, Theme};
use portes::rate::{ForcedRule, Rules, RulesFault, counting, difficulty, error, rate, theme};
use portes::tables::facts::{CandidateRow, DecisionRow};
use portes::tables::partials::MomentRow;

fn equity(x: f64) -> Equity {
    Equity::from_f64(x).unwrap()
}

fn cube(nd: f64, dt: f64, dp: f64) -> CubeEquities {
    CubeEquities { nd: equity(nd), dt: equity(dt), dp: equity(dp) }
}

const ACTIONS: [CubeAction; 4] = [CubeAction::NoDouble, CubeAction::Double, CubeAction::Take, CubeAction::Pass];

/// 3.2, the table of cube errors: no double, double, take, pass in mpt.
#[test]
fn cube_errors_follow_the_table() {
    let table = [
        (0.500, 0.700, [200, 0, 0, 300]),
        (0.900, 0.600, [0, 300, 0, 400]),
        (1.100, 1.300, [0, 100, 300, 0]),
        (0.950, 1.200, [50, 0, 200, 0]),
        (-0.200, -0.600, [0, 400, 0, 1600]),
        (0.800, 1.000, [200, 0, 0, 0]),
    ];
    for (nd, dt, expected) in table {
        let errors = ACTIONS.map(|action| error::of_action(action, cube(nd, dt, 1.0)).mpt().0);
        assert_eq!(errors, expected, "ND {nd}, DT {dt}");
    }
}

#[test]
fn checker_errors_are_rounded_after_the_subtraction_and_never_negative() {
    let mpt = |best, played| error::of_play(equity(best), equity(played)).mpt();
    assert_eq!(mpt(0.1234, 0.1001), Mpt(23));
    assert_eq!(mpt(0.1234, -0.0500), Mpt(173));
    assert_eq!(mpt(0.1205, 0.1000), Mpt(21));
    assert_eq!(mpt(0.000_499_95, 0.0), Mpt(1));
    assert_eq!(mpt(0.000_499_80, 0.0), Mpt(0));
    assert_eq!(mpt(0.1000, 0.1120), Mpt(0));
}

/// A decision of a match of its own: a checker play whose options have these equities, the second one made.
fn play_row(equities: &[f64]) -> (DecisionRow, Vec<CandidateRow>) {
    let key = PositionKey {
        board: Board::START,
        cube: Cube::CENTRED,
        score: Score { regime: Regime::Normal, own_away: 7, opponent_away: 7 },
        asked: Asked::Move(Dice::new(3, 1).unwrap()),
    };
    let row = DecisionRow {
        decision_id: "m-0000".to_owned(),
        match_id: "m".to_owned(),
        game: 1,
        seat: 1,
        kind: "checker".to_owned(),
        own_away: 7,
        opp_away: 7,
        regime: "normal".to_owned(),
        play_kind: "points".to_owned(),
        cube: 1,
        position_key: key.to_string(),
        play: Some("13/10 6/5".to_owned()),
        legal_plays: Some(16),
        played_rank: Some(1),
        analysed: true,
        ..DecisionRow::default()
    };
    let plays = ["8/5 6/5", "13/10 6/5", "13/9", "24/23 13/10"];
    let candidates = (0..)
        .zip(equities.iter().zip(plays))
        .map(|(rank, (&x, play))| CandidateRow {
            decision_id: row.decision_id.clone(),
            rank,
            play: play.to_owned(),
            equity: Some(equity(x).units()),
            ..CandidateRow::default()
        })
        .collect();
    (row, candidates)
}

fn cube_row(kind: &str, cube: CubeEquities) -> DecisionRow {
    let (row, _) = play_row(&[]);
    DecisionRow {
        kind: kind.to_owned(),
        position_key: row.position_key.replace("m|31", if kind == "take" || kind == "pass" { "r|00" } else { "d|00" }),
        play: None,
        legal_plays: None,
        played_rank: None,
        may_double: kind == "no_double",
        nd: Some(cube.nd.units()),
        dt: Some(cube.dt.units()),
        dp: Some(cube.dp.units()),
        ..row
    }
}

fn rated(row: DecisionRow, candidates: &[CandidateRow]) -> DecisionRow {
    rated_by(&Rules::default(), row, candidates)
}

fn rated_by(rules: &Rules, row: DecisionRow, candidates: &[CandidateRow]) -> DecisionRow {
    let mut rows = [row];
    rate(&mut rows, candidates, rules);
    let [row] = rows;
    row
}

/// 3.4, the table of losses.
#[test]
fn a_loss_is_the_error_at_the_price_of_score_and_cube() {
    let table = [
        ("points", "normal", (7, 7), Some(2_504_400)),
        ("points", "normal", (4, 4), Some(2_860_000)),
        ("points", "normal", (17, 17), Some(1_518_400)),
        ("points", "post_crawford", (1, 1), Some(20_000_000)),
        ("money", "money", (0, 0), None),
        ("too_long", "normal", (7, 7), None),
    ];
    for (play_kind, regime, (own_away, opp_away), loss) in table {
        let (row, candidates) = play_row(&[0.240, 0.200]);
        let (play_kind, regime) = (play_kind.to_owned(), regime.to_owned());
        let row = rated(DecisionRow { play_kind, regime, own_away, opp_away, ..row }, &candidates);
        assert_eq!(row.e_mpt, Some(40), "{own_away}-{opp_away}");
        assert_eq!(row.loss, loss, "{own_away}-{opp_away}");
        assert_eq!(row.difficulty.is_some(), loss.is_some(), "{own_away}-{opp_away}");
    }
}

#[test]
fn an_answer_is_priced_at_the_cube_before_the_double() {
    let take = DecisionRow { own_away: 5, opp_away: 7, ..cube_row("take", cube(0.9, 1.08, 1.0)) };
    let take = rated(take, &[]);
    assert_eq!((take.e_mpt, take.loss), (Some(80), Some(5_315_600)));
    assert_eq!(take.theme.as_deref(), Some("answer_wrong_take"));
}

#[test]
fn the_loss_is_that_of_the_rounded_error_and_xg_s_that_of_the_unrounded() {
    let (row, candidates) = play_row(&[0.240_4, 0.200]);
    let row = rated(DecisionRow { xg_forced: Some(false), ..row }, &candidates);
    assert_eq!((row.e_raw, row.e_mpt), (Some(4_040_000), Some(40)));
    assert_eq!((row.loss, row.xg_loss), (Some(2_504_400), Some(2_529_444)));
}

/// 3.5, the table of forced plays.
#[test]
fn forced_plays_follow_the_table() {
    let table: [(Option<i64>, &[f64], bool); 10] = [
        (Some(1), &[0.3], true),
        (Some(0), &[], true),
        (Some(3), &[0.3120, 0.3121, 0.3124], true),
        (Some(3), &[0.312, 0.312, 0.311], false),
        (Some(2), &[0.3124, 0.3126], false),
        (Some(4), &[0.312, 0.312, 0.312], false),
        (Some(2), &[0.312, 0.312, 0.312], true),
        (None, &[0.3], true),
        (None, &[0.312, 0.312], false),
        (Some(5), &[], false),
    ];
    for (legal, equities, forced) in table {
        let equities: Vec<Equity> = equities.iter().map(|&x| equity(x)).collect();
        assert_eq!(counting::is_forced(legal, &equities), forced, "{legal:?} {equities:?}");
    }
    let halves = [-0.3125, -0.3130].map(equity);
    assert!(counting::is_forced(Some(2), &halves), "half away from zero: both are -0.313");
}

#[test]
fn a_play_without_a_choice_costs_nothing_in_an_analysed_match_and_is_unrated_in_another() {
    let (row, _) = play_row(&[]);
    let dance = DecisionRow { legal_plays: Some(0), played_rank: None, play: Some("dance".to_owned()), ..row };
    let analysed = rated(dance.clone(), &[]);
    assert_eq!((analysed.e_raw, analysed.e_mpt, analysed.loss), (Some(0), Some(0), Some(0)));
    assert!(analysed.forced && !analysed.counted && analysed.difficulty.is_none());
    let unanalysed = rated(DecisionRow { analysed: false, ..dance }, &[]);
    assert_eq!((unanalysed.e_mpt, unanalysed.loss), (None, None));
    assert_eq!(unanalysed.unrated_reason.as_deref(), Some("no_analysis"));
}

/// 3.6, the table of the window.
#[test]
fn no_doubles_count_inside_the_window_only() {
    let table = [
        (0.799, 0.600, true),
        (0.800, 0.600, false),
        (0.810, 0.600, false),
        (0.300, 0.100, false),
        (0.300, 0.900, true),
        (1.150, 1.400, true),
        (1.250, 1.600, false),
        (-0.050, 0.100, false),
        (0.0, 0.100, false),
        (0.0004, 0.100, true),
    ];
    for (nd, dt, counted) in table {
        let row = rated(cube_row("no_double", cube(nd, dt, 1.0)), &[]);
        assert_eq!(row.counted, counted, "ND {nd}, DT {dt}");
        assert!(row.e_mpt.is_some(), "a no double outside the window is rated");
        let barred = DecisionRow { may_double: false, ..cube_row("no_double", cube(nd, dt, 1.0)) };
        assert!(!rated(barred, &[]).counted, "without access to the cube nothing counts");
    }
    assert!(!counting::in_window(cube(0.799_999_95, 0.600, 1.0)), "the guard: 0.19999995 is 0.200");
}

#[test]
fn every_reason_why_a_decision_is_unrated_is_told() {
    let reason = |row: DecisionRow, candidates: &[CandidateRow]| {
        let row = rated(row, candidates);
        assert_eq!((row.e_raw, row.e_mpt, row.loss, row.difficulty), (None, None, None, None));
        assert!(!row.counted && row.theme.is_none());
        row.unrated_reason.unwrap()
    };
    let (row, candidates) = play_row(&[0.3, 0.2]);
    assert_eq!(reason(DecisionRow { legal_plays: Some(5), ..row.clone() }, &[]), "no_analysis");
    assert_eq!(reason(DecisionRow { played_rank: None, ..row.clone() }, &candidates), "not_listed");
    assert_eq!(reason(DecisionRow { illegal: true, ..row }, &candidates), "illegal");
    let bare = DecisionRow { nd: None, dt: None, dp: None, ..cube_row("double", cube(0.5, 0.6, 1.0)) };
    assert_eq!(reason(bare, &[]), "no_analysis");
}

#[test]
fn a_beaver_is_a_take_and_what_follows_it_is_no_decision() {
    let equities = cube(0.118_4, -0.148_42, 1.0);
    let mut rows = [
        cube_row("double", equities),
        DecisionRow { beaver: true, ..cube_row("take", equities) },
        DecisionRow { beaver: true, ..cube_row("take", equities) },
        DecisionRow { game: 2, beaver: true, ..cube_row("take", equities) },
    ];
    rate(&mut rows, &[], &Rules::default());
    let rated: Vec<(Option<i64>, Option<&str>)> =
        rows.iter().map(|row| (row.e_mpt, row.unrated_reason.as_deref())).collect();
    assert_eq!(rated, [(Some(267), None), (Some(0), None), (None, Some("beaver")), (Some(0), None)]);
}

/// 8, the table of difficulties: mean cost, and at 7-away 7-away with the cube on 1.
#[test]
fn difficulties_follow_the_table() {
    let table: [(&[f64], f64, f64); 9] = [
        (&[0.0, 0.0], 0.0, 0.0),
        (&[0.0, 0.020], 0.006_200_51, 0.000_388_214),
        (&[0.0, 0.032], 0.006_961_61, 0.000_435_866),
        (&[0.0, 0.060], 0.004_990_36, 0.000_312_447),
        (&[0.0, 0.100], 0.001_798_62, 0.000_112_612),
        (&[0.0, 0.300], 0.000_001_84, 0.000_000_115),
        (&[0.0, 0.005, 0.100], 0.003_225_40, 0.000_201_943),
        (&[0.0, 0.01, 0.02, 0.03, 0.04], 0.012_506_57, 0.000_783_036),
        (&[0.0, 0.03, 0.08], 0.009_163_34, 0.000_573_717),
    ];
    let plain = Factor { win: 1.0, lose: -1.0 };
    let score = Score { regime: Regime::Normal, own_away: 7, opponent_away: 7 };
    let priced = Met::kazaross_xg2().factor(score, 1).unwrap();
    for (costs, mean, at_seven) in table {
        let costs: Vec<Equity> = costs.iter().map(|&x| equity(x)).collect();
        let of = |factor| difficulty::difficulty(&costs, factor).unwrap().to_f64();
        assert!((of(plain) - mean).abs() < 6e-9, "{costs:?}: {}", of(plain));
        assert!((of(priced) - at_seven).abs() < 1.1e-9, "{costs:?}: {}", of(priced));
    }
    assert_eq!(difficulty::difficulty(&[Equity::ZERO], plain), None, "one option is no choice");
}

#[test]
fn a_candidate_that_shows_more_than_the_best_costs_nothing_and_a_repeated_one_weighs_once() {
    let (row, candidates) = play_row(&[0.3, 0.28, 0.31]);
    let shallower = rated(row.clone(), &candidates);
    let (_, level) = play_row(&[0.3, 0.28, 0.3]);
    assert_eq!(shallower.difficulty, rated(row.clone(), &level).difficulty);
    let mut repeated = level.clone();
    repeated.push(CandidateRow { rank: 3, ..level[1].clone() });
    assert_eq!(shallower.difficulty, rated(row, &repeated).difficulty);
}

#[test]
fn avoidable_is_tested_on_the_stored_integers() {
    use portes::game::Mwc;
    let avoidable = |loss, d| difficulty::is_avoidable(Mwc::from_units(loss), Mwc::from_units(d));
    assert!(avoidable(100, 10) && !avoidable(100, 11) && !avoidable(0, 0));
}

fn outlook(gammon: f64, win: f64, structure: (u8, u8)) -> Outlook {
    let percent = |x: f64| Probability::from_f64(x / 100.0).unwrap();
    let (blots, home_points) = structure;
    Outlook {
        structure: Some(Structure { blots, home_points }),
        chances: Some(Chances { win: percent(win), gammon: percent(gammon) }),
    }
}

/// `classifiers.md` 4.2, the examples: gammon %, win %, (blots, home points), of the best and of the played.
#[test]
fn checker_themes_follow_the_examples() {
    let table = [
        (outlook(22.0, 55.0, (2, 3)), outlook(17.8, 56.0, (0, 3)), Some(Theme::Gammon)),
        (outlook(22.0, 55.0, (1, 3)), outlook(18.6, 53.0, (3, 2)), Some(Theme::Blots)),
        (outlook(22.0, 55.0, (1, 3)), outlook(18.5, 53.0, (3, 2)), Some(Theme::Gammon)),
        (outlook(15.0, 50.0, (1, 3)), outlook(14.0, 49.0, (2, 2)), Some(Theme::Point)),
        (outlook(15.0, 52.6, (2, 2)), outlook(14.0, 50.0, (1, 2)), Some(Theme::Passive)),
        (outlook(15.0, 52.4, (2, 2)), outlook(14.0, 50.0, (1, 2)), None),
        (outlook(15.0, 51.0, (1, 2)), outlook(14.0, 50.0, (2, 2)), None),
    ];
    for (best, played, expected) in table {
        assert_eq!(theme::of_play(best, played, Contact::Yes), expected, "{best:?} / {played:?}");
        let race = expected.filter(|&theme| theme == Theme::Gammon);
        assert_eq!(theme::of_play(best, played, Contact::No), race, "without contact only gammons");
    }
    let bare = |outlook: Outlook| Outlook { chances: None, ..outlook };
    let (best, played) = (bare(outlook(0.0, 0.0, (0, 2))), bare(outlook(0.0, 0.0, (2, 2))));
    assert_eq!(theme::of_play(best, played, Contact::Yes), Some(Theme::Blots));
    let (best, played) = (bare(outlook(0.0, 0.0, (2, 2))), bare(outlook(0.0, 0.0, (1, 2))));
    assert_eq!(theme::of_play(best, played, Contact::Yes), None, "passive needs probabilities");
}

#[test]
fn cube_themes_follow_the_equities() {
    let themes = |equities| ACTIONS.map(|action| theme::of_action(action, equities).map(Theme::token));
    assert_eq!(themes(cube(0.5, 0.7, 1.0)), [Some("offer_missed"), None, None, Some("answer_wrong_pass")]);
    assert_eq!(themes(cube(1.1, 1.3, 1.0)), [None, Some("offer_premature"), Some("answer_wrong_take"), None]);
    assert_eq!(themes(cube(1.0, 1.0, 1.0)), [None; 4]);
}

#[test]
fn blots_and_theme_of_a_play_are_read_from_the_boards_it_leads_to() {
    let (row, candidates) = play_row(&[0.3, 0.2]);
    let row = rated(row, &candidates);
    assert_eq!((row.blots_best, row.blots_played), (Some(0), Some(2)));
    assert_eq!(row.theme.as_deref(), Some("blots"));
    assert_eq!((row.phase.as_str(), row.plan.as_str(), row.contact), ("opening", "contact", true));
    let (row, candidates) = play_row(&[0.3, 0.2998]);
    assert_eq!(rated(row, &candidates).theme, None, "below 1 mpt there is nothing to name");
}

#[test]
fn the_forced_rule_of_the_settings_decides_what_counts_and_xg_s_count_stays_xg_s() {
    let (row, candidates) = play_row(&[0.3, 0.2]);
    let row = DecisionRow { xg_forced: Some(true), ..row };
    let derived = rated(row.clone(), &candidates);
    assert_eq!((derived.forced, derived.counted, derived.xg_counted), (false, true, Some(false)));
    let by_xg = Rules { forced: ForcedRule::Xg, ..Rules::default() };
    let flagged = rated_by(&by_xg, row.clone(), &candidates);
    assert_eq!((flagged.forced, flagged.counted, flagged.xg_counted), (true, false, Some(false)));
    let elsewhere = rated_by(&by_xg, DecisionRow { xg_forced: None, ..row }, &candidates);
    assert_eq!((elsewhere.forced, elsewhere.counted, elsewhere.xg_counted), (false, true, None));
}

#[test]
fn thresholds_out_of_order_or_bounds_are_refused() {
    assert!(Rules::new(Mpt(20), Mpt(80), ForcedRule::Derived).is_ok());
    assert!(Rules::new(Mpt(100), Mpt(100), ForcedRule::Xg).is_ok());
    let order = Rules::new(Mpt(100), Mpt(99), ForcedRule::Derived);
    assert_eq!(order, Err(RulesFault::Order { error: 100, blunder: 99 }));
    assert_eq!(Rules::new(Mpt(0), Mpt(99), ForcedRule::Derived), Err(RulesFault::Bounds(0)));
    assert_eq!(Rules::new(Mpt(50), Mpt(10_001), ForcedRule::Derived), Err(RulesFault::Bounds(10_001)));
}

/// 21: decision, e, l and d (MWC), avoidable.
const M7_DECISIONS: [(&str, i64, f64, f64, bool); 15] = [
    ("A1", 60, 0.003_756_60, 0.000_527_39, false),
    ("A2", 20, 0.001_252_20, 0.000_622_41, false),
    ("A3", 150, 0.019_656_75, 0.000_048_60, true),
    ("A4", 80, 0.005_315_60, 0.000_208_19, true),
    ("A5", 30, 0.002_581_35, 0.000_597_52, false),
    ("A6", 55, 0.004_732_47, 0.000_618_23, false),
    ("A7", 0, 0.0, 0.000_011_46, false),
    ("A8", 70, 0.017_081_05, 0.000_979_16, true),
    ("A9", 100, 0.050_000_00, 0.001_612_70, true),
    ("B1", 12, 0.000_751_32, 0.000_287_19, false),
    ("B2", 25, 0.001_661_12, 0.000_446_75, false),
    ("B3", 45, 0.005_897_02, 0.001_431_24, false),
    ("B4", 90, 0.007_744_05, 0.000_205_97, true),
    ("B5", 0, 0.0, 0.001_314_20, false),
    ("B6", 0, 0.0, 0.000_000_01, false),
];

#[test]
fn the_decisions_of_m7_are_rated_as_its_table_says() {
    /// The table has eight decimals, the last rounded.
    const SHOWN: f64 = 5.6e-9;
    let m7 = m7::rated();
    let mwc = |units: Option<i64>| units.unwrap() as f64 / 1e9;
    for (id, e, loss, d, avoidable) in M7_DECISIONS {
        let row = m7.decision(id);
        assert!(row.counted, "{id}");
        assert_eq!(row.e_mpt, Some(e), "{id}");
        assert!((mwc(row.loss) - loss).abs() < SHOWN, "{id}: loss {:?}", row.loss);
        assert!((mwc(row.difficulty) - d).abs() < SHOWN, "{id}: difficulty {:?}", row.difficulty);
        assert_eq!(row.avoidable, avoidable, "{id}");
    }
    let dance = m7.decision("B-");
    assert_eq!((dance.e_mpt, dance.forced, dance.counted), (Some(0), true, false));
}

#[test]
fn the_luck_of_m7_is_priced_as_its_table_says() {
    let m7 = m7::rated();
    let table = [
        ("A1", 6_261_000),
        ("A2", -15_652_500),
        ("A3", 6_552_250),
        ("A7", 68_358_000),
        ("A8", -24_401_500),
        ("A9", -100_000_000),
        ("B1", 3_130_500),
        ("B3", 78_627_000),
        ("B4", -6_883_600),
        ("B5", 73_204_500),
        ("B-", 125_000_000),
    ];
    for (id, luck) in table {
        assert_eq!(m7.decision(id).luck_mwc, Some(luck), "{id}");
    }
    assert_eq!(m7.decision("A6").luck_mwc, None);
}

/// The sum of a column over one seat's moments, of one game or of all.
fn sum(moments: &[MomentRow], seat: i64, game: Option<i64>, column: fn(&MomentRow) -> i64) -> i64 {
    moments.iter().filter(|row| row.seat == seat && game.is_none_or(|game| row.game == game)).map(column).sum()
}

#[test]
fn the_moments_of_m7_are_the_sums_of_its_results() {
    let m7 = m7::rated();
    let moments = moments(&m7.decisions, &Rules::default());
    let both = |column: fn(&MomentRow) -> i64| [1, 2].map(|seat| sum(&moments, seat, None, column));
    assert_eq!(both(|m| m.counted), [9, 6]);
    assert_eq!(both(|m| m.rated), [9, 7]);
    assert_eq!(both(|m| m.forced), [0, 1]);
    assert_eq!(both(|m| m.mpt), [565, 172]);
    assert_eq!(both(|m| m.e_raw), [56_500_000, 17_200_000]);
    assert_eq!(both(|m| m.errors), [6, 1]);
    assert_eq!(both(|m| m.blunders), [2, 0]);
    assert_eq!(both(|m| m.avoidable), [4, 1]);
    assert_eq!(both(|m| m.rolls), [7, 5]);
    assert_eq!(both(|m| m.luck_rolls), [6, 5]);
    assert_eq!(both(|m| m.luck), [0, 112_000_000]);
    assert_eq!(both(|m| m.luck_mwc), [-58_882_750, 273_078_400]);
    assert_eq!(both(|m| m.hasty), [3, 1]);
    assert_eq!(both(|m| m.considered), [2, 0]);
    assert_eq!(both(|m| m.unknown_pace), [1, 0]);
    assert_eq!(both(|m| m.timed), [8, 6]);
    assert_eq!(both(|m| m.unrated + m.outside_window + m.uncounted_errors + m.xg_counted), [0, 0]);
}

#[test]
fn the_games_of_m7_lead_to_its_final_score() {
    let m7 = m7::rated();
    let mut score = [0, 0];
    for game in &m7.games {
        assert_eq!([game.score_1, game.score_2], score, "game {}", game.game);
        score[usize::try_from(game.winner.unwrap() - 1).unwrap()] += game.points.unwrap();
    }
    assert_eq!(m7.matches[0].winner, Some(2));
    assert_eq!([m7.matches[0].score_1, m7.matches[0].score_2], score);
}

#[test]
fn the_losses_and_difficulties_of_m7_add_up() {
    let m7 = m7::rated();
    let moments = moments(&m7.decisions, &Rules::default());
    // k decisions add k half units of 1e-9 at most.
    let near = |got: i64, expected: f64, k: f64| (got as f64 / 1e9 - expected).abs() <= k * 1e-9;
    for (seat, k, loss, d) in [(1, 9.0, 0.104_376_025, 0.005_225_669), (2, 6.0, 0.016_053_520, 0.003_685_364)] {
        assert!(near(sum(&moments, seat, None, |m| m.loss), loss, k), "seat {seat}");
        assert!(near(sum(&moments, seat, None, |m| m.difficulty), d, k), "seat {seat}");
        assert_eq!(sum(&moments, seat, None, |m| m.both_loss), sum(&moments, seat, None, |m| m.loss));
    }
    // The table of losses by game shows six decimals.
    let by_game = [(1, [5_009, 24_972, 7_314, 17_081, 50_000]), (2, [751, 7_558, 7_744, 0, 0])];
    let units =
        [(1, [(80, 2), (230, 2), (85, 3), (70, 1), (100, 1)]), (2, [(12, 1), (70, 2), (90, 1), (0, 1), (0, 1)])];
    for ((seat, losses), (_, units)) in by_game.into_iter().zip(units) {
        for (game, (loss, (mpt, n))) in (1..).zip(losses.into_iter().zip(units)) {
            assert_eq!((sum(&moments, seat, Some(game), |m| m.loss) + 500) / 1000, loss, "seat {seat}, game {game}");
            assert_eq!(sum(&moments, seat, Some(game), |m| m.mpt), mpt, "seat {seat}, game {game}");
            assert_eq!(sum(&moments, seat, Some(game), |m| m.counted), n, "seat {seat}, game {game}");
        }
    }
}

#[test]
fn moments_are_sorted_by_their_key_and_keep_matches_apart() {
    let mut decisions = m7::rated().decisions;
    let again: Vec<DecisionRow> =
        decisions.iter().map(|row| DecisionRow { match_id: "b".to_owned(), ..row.clone() }).collect();
    let alone = moments(&decisions, &Rules::default());
    decisions.extend(again);
    let rows = moments(&decisions, &Rules::default());
    assert_eq!(rows.len(), 2 * alone.len());
    assert_eq!(rows[..alone.len()], alone[..]);
    assert!(rows.is_sorted_by_key(|row| (row.match_id.clone(), row.game, row.seat, row.kind.clone())));
}

#[test]
fn a_missed_double_that_no_count_sees_is_told_apart() {
    let missed = rated(cube_row("no_double", cube(-0.050, 0.100, 1.0)), &[]);
    let far = rated(cube_row("no_double", cube(0.810, 0.600, 1.0)), &[]);
    let [sums] = &moments(&[missed, far], &Rules::default())[..] else { panic!("one group") };
    assert_eq!((sums.n, sums.rated, sums.counted, sums.outside_window), (2, 2, 0, 2));
    assert_eq!((sums.uncounted_errors, sums.uncounted_mpt, sums.rated_mpt, sums.mpt), (1, 150, 150, 0));
}

#[test]
fn rating_again_changes_nothing_and_looks_at_no_rated_column() {
    let once = m7::rated();
    let mut soiled = once.decisions.clone();
    for row in &mut soiled {
        row.e_raw = Some(1);
        row.e_mpt = None;
        row.unrated_reason = Some("illegal".to_owned());
        row.forced = !row.forced;
        row.loss = None;
        row.theme = Some("point".to_owned());
        row.luck_mwc = None;
        row.plan.clear();
    }
    rate(&mut soiled, &once.candidates, &Rules::default());
    assert_eq!(soiled, once.decisions);
}

#[test]
fn a_row_of_another_analysis_is_the_same_row_with_its_source() {
    let m7 = m7::rated();
    for row in m7.decisions {
        let other = row.clone().of_source("00ff");
        assert_eq!((other.source_id.as_str(), other.e_mpt), ("00ff", row.e_mpt));
        assert_eq!(other.into_primary(), ("00ff".to_owned(), row));
    }
    for row in m7.candidates {
        assert_eq!(row.clone().of_source("00ff").into_primary(), ("00ff".to_owned(), row));
    }
}
