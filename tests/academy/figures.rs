//! Endgame correction, publication, phases, budget, depth and ratings.

use super::{assert_near, bylaws, vectors};
use portes::academy::consult::Budget;
use portes::academy::contest::Outcome;
use portes::academy::judge::{Fate, Move, corrected, publishes};
use portes::academy::lengths::{Calendar, Lengths};
use portes::academy::measures::depth;
use portes::academy::rating::{Standing, fibs, ordinary};
use portes::academy::rows::Phase;
use portes::academy::settings::{Scale, Settings};
use portes::academy::units::{Cost, Elo, VALUE_SCALE, Value};

fn value(share: f64) -> Value {
    Value::from_share(share).unwrap()
}

fn elo(points: f64) -> Elo {
    Elo::from_points(points).unwrap()
}

#[test]
fn endgame_values_are_corrected_by_the_result() {
    for example in vectors()["yose"].as_array().unwrap() {
        for (name, fate) in [("win", Fate::Won), ("draw", Fate::Drew), ("loss", Fate::Lost)] {
            let corrected = corrected(value(example["v"].as_f64().unwrap()), fate);
            // The page rounds to billionths as the fixed point does.
            assert_eq!(corrected, value(example[name].as_f64().unwrap()), "{name} of {}", example["v"]);
        }
    }
}

#[test]
fn a_result_is_left_as_it_is_and_a_correction_never_leaves_the_scale() {
    for fate in [Fate::Won, Fate::Drew, Fate::Lost] {
        assert_eq!(corrected(fate.value(), fate), fate.value());
        for billionths in [0, 1, 2, 499_999_999, 500_000_001, 999_999_999, VALUE_SCALE] {
            let v = Value::from_billionths(billionths).unwrap();
            let plain = match fate {
                Fate::Won => (billionths as f64 / 1e9).sqrt(),
                Fate::Drew => (billionths as f64 / 1e9 + 0.5) / 2.0,
                Fate::Lost => (billionths as f64 / 1e9).powi(2),
            };
            assert!((corrected(v, fate).billionths() as f64 - plain * 1e9).abs() <= 0.500_001, "{billionths} {fate:?}");
        }
    }
}

#[test]
fn what_is_published_is_the_page_s() {
    for example in vectors()["publish"].as_array().unwrap() {
        let number = |name: &str| example[name].as_f64().unwrap();
        let fate = match example["result"].as_str().unwrap() {
            "win" => Fate::Won,
            "draw" => Fate::Drew,
            _ => Fate::Lost,
        };
        let played = Move {
            elo: elo(number("elo")),
            opponent: elo(number("opponent")),
            before: Some(value(number("before"))),
            after: Some(value(number("after"))),
            fate,
            choice: None,
        };
        assert_eq!(publishes(&played, &bylaws().publish), example["publish"].as_bool().unwrap(), "{example}");
    }
}

#[test]
fn where_chance_plays_luck_alone_does_not_post() {
    let law = bylaws().publish;
    let with = |choice| {
        let (before, after) = (Some(value(0.3)), Some(value(0.6)));
        publishes(&Move { elo: elo(1500.0), opponent: elo(1500.0), before, after, fate: Fate::Won, choice }, &law)
    };
    let cost = |billionths| Some(Cost::from_billionths(billionths));
    assert!(with(Some((Some(2), cost(20_000_000)))));
    assert!(with(Some((Some(2), cost(-5)))), "a negative cost counts as none");
    assert!(!with(Some((Some(2), cost(20_000_001)))));
    assert!(!with(Some((Some(1), cost(0)))));
    assert!(!with(Some((None, cost(0)))));
    assert!(!with(Some((Some(2), None))));
}

#[test]
fn a_relative_gain_is_a_share_of_the_old_value() {
    let mut settings = Settings::default();
    settings.publish.scale = Scale::Relative;
    let law = settings.bylaws().unwrap().publish;
    for (before, after, posts) in [(0.05, 0.06, true), (0.05, 0.0599, false), (0.48, 0.53, true), (0.49, 0.53, false)] {
        let (before, after) = (Some(value(before)), Some(value(after)));
        let played = Move { elo: elo(1500.0), opponent: elo(1500.0), before, after, fate: Fate::Drew, choice: None };
        assert_eq!(publishes(&played, &law), posts, "{played:?}");
    }
}

#[test]
fn phases_follow_the_mean_length() {
    for example in vectors()["phases"].as_array().unwrap() {
        let number = |name: &str| example[name].as_u64().unwrap();
        let lengths = Lengths { count: number("games"), sum: number("plies") };
        let calendar = Calendar::new(lengths, &bylaws(), Some(4)).unwrap();
        assert_eq!((calendar.opening, calendar.end_from), (number("opening_depth"), number("first_endgame_ply")));
        // The definition itself: 5·i·count > 4·Σlen.
        for i in 1..100 {
            let end = 5 * i * lengths.count > 4 * lengths.sum;
            let expected = if end { Some(Phase::End) } else { (i >= 4).then_some(Phase::Middle) };
            assert_eq!(calendar.phase(i), expected);
        }
        let without_preset = Calendar::new(lengths, &bylaws(), None).unwrap();
        assert_eq!(without_preset.middle_from, calendar.opening + 1);
    }
    assert_eq!(Calendar::new(Lengths::default(), &bylaws(), None), None);
}

#[test]
fn the_tail_is_the_last_fifth_of_a_mean_length_of_each_contest() {
    let lengths = Lengths { count: 4, sum: 100 };
    let share = bylaws().last_share;
    let tail: Vec<u64> = (1..=40).filter(|&i| lengths.in_tail(i, 40, share)).collect();
    assert_eq!(tail, [36, 37, 38, 39, 40]);
}

#[test]
fn a_quarter_of_the_opening_decisions_is_consulted() {
    let mut budget = Budget::default();
    for decision in vectors()["opening_budget"]["decisions"].as_array().unwrap() {
        let available = decision[0].as_u64().unwrap() == 1;
        let consulted = budget.decide(bylaws().consult.opening_share) && available;
        budget.taken += u64::from(consulted);
        assert_eq!(consulted, decision[1].as_bool().unwrap());
    }
    assert_eq!((budget.decisions, budget.taken), (12, 3));
}

#[test]
fn depth_of_the_game_is_the_page_s() {
    for example in vectors()["measures_depth"].as_array().unwrap() {
        let got = depth(elo(example["best"].as_f64().unwrap()), example["players"].as_u64().unwrap());
        assert_near(got, &example["depth"], "depth");
    }
}

#[test]
fn ratings_by_match_are_those_of_fibs() {
    for example in vectors()["ratings"].as_array().unwrap() {
        let standing = |at: usize| Standing {
            rating: elo(example["before"][at].as_f64().unwrap()),
            experience: example["experience"][at].as_u64().unwrap(),
        };
        let length = example["length"].as_u64().unwrap();
        let winner = example["winner"].as_u64().unwrap() as usize - 1;
        let (won, lost) = fibs(standing(winner), standing(1 - winner), length as u32);
        for (at, after) in [(winner, won), (1 - winner, lost)] {
            assert_eq!(after.rating, elo(example["after"][at].as_f64().unwrap()));
            assert_eq!(after.experience, standing(at).experience + length);
        }
    }
}

#[test]
fn ordinary_elo_moves_less_the_stronger_the_players() {
    let standing = |points| Standing { rating: elo(points), experience: 0 };
    let after = |first, second, outcome| {
        let (first, second) = ordinary(standing(first), standing(second), outcome);
        (first.rating.points(), second.rating.points())
    };
    assert_eq!(after(1500.0, 1500.0, Outcome::First), (1515.0, 1485.0));
    assert_eq!(after(1500.0, 1500.0, Outcome::Draw), (1500.0, 1500.0));
    assert_eq!(after(2500.0, 2500.0, Outcome::Second), (2495.0, 2505.0));
    // 130 − 2200/20 = 20.
    assert_eq!(after(2200.0, 2200.0, Outcome::First), (2210.0, 2190.0));
    assert_eq!(after(1500.0, 1500.0, Outcome::Unfinished), (1500.0, 1500.0));
    // 400 points ahead: expected 10/11.
    let (first, _) = after(1900.0, 1500.0, Outcome::First);
    assert!((first - (1900.0 + 30.0 / 11.0)).abs() < 1e-6);
}

#[test]
fn the_defaults_are_the_page_s_and_a_wrong_setting_is_named() {
    let page = r#"
        value = "win"
        votes = "players"
        [fuseki]
        max_nodes = 1000
        depth_share = [1, 3]
        prune_min_children = 2
        [chuban]
        max_patterns = 1000
        [yose]
        max_patterns = 5000
        window = "mean"
        last_share = [1, 5]
        [filing]
        elo_band = 200
        firm_high = 0.66
        firm_low = 0.33
        max_changed_cells = 1
        max_wild_share = [1, 3]
        [publish]
        elo_margin = 100
        gain = 0.20
        gain_crossing = 0.10
        scale = "absolute"
        max_cost = 0.020
        [consult]
        opening_share = [1, 4]
        low_value = 0.33
        elo_margin = 200
    "#;
    assert_eq!(toml::from_str::<Settings>(page).unwrap(), Settings::default());
    assert!(toml::from_str::<Settings>("[fuseki]\nmax_node = 3").is_err());
    for (written, name) in [
        ("[filing]\nfirm_high = 1.5", "academy.filing.firm_high"),
        ("[fuseki]\ndepth_share = [1, 0]", "academy.fuseki.depth_share"),
        ("[yose]\nmax_patterns = 0", "academy.yose.max_patterns"),
        ("[consult]\nelo_margin = -1", "academy.consult.elo_margin"),
    ] {
        let reason = toml::from_str::<Settings>(written).unwrap().bylaws().unwrap_err();
        assert!(reason.starts_with(name), "{reason}");
    }
}
