//! Cells, breakdowns, histogram, rolling PR, worst decisions, head to head: held against a plain loop over decisions
//! that knows nothing of partials (`metrics.md` 18), and against what the corpus was made with.

use crate::support::m7;
use crate::support::seasons::{self, Told, day, decision, match_of};
use portes::measure::Settings;
use portes::measure::breakdowns::{Breakdowns, Histogram};
use portes::measure::head_to_head::HeadToHead;
use portes::measure::rolling::Rolling;
use portes::measure::worst::Worst;
use portes::tables::dimension::Dimension;
use portes::tables::facts::{DecisionRow, MatchRow};
use portes::tables::partials::CellRow;
use portes::tables::study_marts::{BreakdownRow, HistogramRow};
use std::collections::{BTreeMap, BTreeSet};

fn breakdowns(matches: &[Told]) -> Vec<BreakdownRow> {
    let mut ledger = Breakdowns::new(Settings::default());
    matches.iter().for_each(|told| ledger.enter(&told.entry()));
    ledger.close()
}

fn histogram(matches: &[Told]) -> Vec<HistogramRow> {
    let mut ledger = Histogram::default();
    matches.iter().for_each(|told| ledger.enter(&told.entry()));
    ledger.close()
}

fn players(matches: &[Told]) -> Vec<Option<&str>> {
    let names: BTreeSet<&str> = matches.iter().flat_map(|told| [&*told.row.player_1, &*told.row.player_2]).collect();
    [None].into_iter().chain(names.into_iter().map(Some)).collect()
}

/// A selection's counted decisions of one match.
fn counted<'a>(told: &'a Told, player: Option<&'a str>) -> impl Iterator<Item = &'a DecisionRow> {
    let seats = told.seats(player);
    told.decisions.iter().filter(move |row| row.counted && seats.contains(&row.seat))
}

/// The word of a decision in a dimension, said plainly; `None` = in no cell.
fn word(dimension: &str, told: &Told, row: &DecisionRow) -> Option<String> {
    let mpt = row.e_mpt.unwrap();
    let is_cube = row.kind != "checker";
    let text = |text: &str| Some(text.to_owned());
    match dimension {
        "phase" => text(&row.phase),
        "plan" => text(&row.plan),
        "theme" if mpt < 50 => None,
        "theme" => text(row.theme.as_deref().unwrap_or("none")),
        "score" if row.regime == "money" => text("money"),
        "score" => Some(format!("{}-{}", row.own_away, row.opp_away)),
        "kind" => text(&row.kind),
        "best_action" if is_cube => row.best.clone(),
        "direction" => match (row.kind.as_str(), mpt) {
            ("no_double" | "double", 0) => text("offer_right"),
            ("take" | "pass", 0) => text("answer_right"),
            ("checker", _) => None,
            (_, _) => Some(row.theme.clone().unwrap()),
        },
        "time" => row.seconds.map(|s| {
            if s < 5 {
                "0-5"
            } else if s < 15 {
                "5-15"
            } else if s < 30 {
                "15-30"
            } else {
                "30+"
            }
            .to_owned()
        }),
        "depth" => row.depth_best.clone(),
        "length" => text(&told.row.length.map_or("money".to_owned(), |points| points.to_string())),
        "engine" => text(&told.engine),
        "month" => Some(told.row.date.map_or("undated".to_owned(), month)),
        _ => None,
    }
}

/// Counting days from the epoch, month by month.
fn month(date: portes::tables::row::Day) -> String {
    let (mut left, mut year, mut month) = (date.0, 1970, 1);
    loop {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if left < days {
            return format!("{year}-{month:02}");
        }
        left -= days;
        (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    }
}

/// decisions, errors, blunders, mpt, loss in stored units, matches.
type Plain = (i64, i64, i64, i64, f64, i64);

fn plain(matches: &[Told], player: Option<&str>, dimension: &str) -> BTreeMap<String, Plain> {
    let mut cells: BTreeMap<String, Plain> = BTreeMap::new();
    for told in matches {
        let mut met = BTreeSet::new();
        for row in counted(told, player) {
            let Some(word) = word(dimension, told, row) else { continue };
            let cell = cells.entry(word.clone()).or_default();
            let mpt = row.e_mpt.unwrap();
            cell.0 += 1;
            cell.1 += i64::from(mpt >= 50);
            cell.2 += i64::from(mpt >= 100);
            cell.3 += mpt;
            cell.4 += row.loss.unwrap_or(0) as f64;
            cell.5 += i64::from(met.insert(word));
        }
    }
    cells
}

#[test]
fn breakdowns_of_the_corpus_are_what_a_plain_loop_over_decisions_counts() {
    let matches: Vec<Told> = seasons::corpus().iter().map(|told| told.in_season("both")).collect();
    let rows = breakdowns(&matches);
    let dimensions = [
        "phase",
        "plan",
        "theme",
        "score",
        "kind",
        "best_action",
        "direction",
        "time",
        "depth",
        "length",
        "engine",
        "month",
    ];
    let mut compared = 0;
    for player in players(&matches) {
        for dimension in dimensions {
            let got: BTreeMap<String, Plain> = rows
                .iter()
                .filter(|row| row.player.as_deref() == player && row.dimension == dimension)
                .map(|row| {
                    let loss = (row.loss.unwrap_or(0.0) * 1e9).round();
                    assert!((row.pr.unwrap() - 0.5 * row.mpt as f64 / row.decisions as f64).abs() < 1e-9);
                    (row.cell.clone(), (row.decisions, row.errors, row.blunders, row.mpt, loss, row.units))
                })
                .collect();
            let expected = plain(&matches, player, dimension);
            assert_eq!(got, expected, "{player:?} by {dimension}");
            compared += got.len();
        }
    }
    assert!(matches.is_empty() || compared > 500, "{compared} cells");
}

/// An interval is over matches: the variance of the definition, summed plainly.
#[test]
fn intervals_are_over_matches() {
    let matches: Vec<Told> = seasons::corpus().iter().map(|told| told.in_season("both")).collect();
    for row in breakdowns(&matches).iter().filter(|row| row.dimension == "phase") {
        let player = row.player.as_deref();
        let units: Vec<(f64, f64)> = matches
            .iter()
            .map(|told| {
                let of_phase = counted(told, player).filter(|decision| decision.phase == row.cell);
                of_phase.fold((0.0, 0.0), |(e, n), decision| (e + decision.e_mpt.unwrap() as f64, n + 1.0))
            })
            .filter(|(_, n)| *n > 0.0)
            .collect();
        assert_eq!(row.units, i64::try_from(units.len()).unwrap());
        if units.len() < 3 {
            assert_eq!((row.low, row.high), (None, None), "{player:?} {}", row.cell);
            continue;
        }
        let (e, n) = units.iter().fold((0.0, 0.0), |sum, unit| (sum.0 + unit.0, sum.1 + unit.1));
        let squares: f64 = units.iter().map(|unit| (unit.0 - e / n * unit.1).powi(2)).sum();
        let count = units.len() as f64;
        let half = 0.5 * 1.96 * (count / (count - 1.0) * squares).sqrt() / n;
        let high = 0.5 * e / n + half;
        assert!((row.high.unwrap() - high).abs() < 1e-9 * high, "{player:?} {}", row.cell);
    }
}

#[test]
fn opponents_part_a_players_decisions_and_nobodys() {
    let matches = seasons::corpus();
    let rows = breakdowns(matches);
    let by_opponent = |row: &&BreakdownRow| row.dimension == "opponent";
    assert!(
        rows.iter().filter(by_opponent).all(|row| row.player.is_some() && row.player.as_deref() != Some(&row.cell))
    );
    for season in ["2025", "2026"] {
        for player in players(matches).into_iter().flatten() {
            let all = matches.iter().filter(|told| told.row.season == season);
            let expected: i64 = all.flat_map(|told| counted_of(told, player)).map(|row| row.e_mpt.unwrap()).sum();
            let of_player = rows.iter().filter(by_opponent).filter(|row| row.season == season);
            let got: i64 = of_player.filter(|row| row.player.as_deref() == Some(player)).map(|row| row.mpt).sum();
            assert_eq!(got, expected, "{player} in {season}");
        }
    }
}

fn counted_of<'a>(told: &'a Told, player: &'a str) -> Vec<&'a DecisionRow> {
    counted(told, Some(player)).collect()
}

#[test]
fn every_counted_decision_of_the_corpus_is_in_one_class_of_the_histogram() {
    let matches: Vec<Told> = seasons::corpus().iter().map(|told| told.in_season("both")).collect();
    let rows = histogram(&matches);
    for player in players(&matches) {
        let mut expected = [(0, 0); 6];
        for row in matches.iter().flat_map(|told| counted(told, player)) {
            let mpt = row.e_mpt.unwrap();
            let class = [5, 10, 25, 50, 100].iter().filter(|end| mpt >= **end).count();
            expected[class].0 += 1;
            expected[class].1 += mpt;
        }
        let got: Vec<(i64, i64)> =
            rows.iter().filter(|row| row.player.as_deref() == player).map(|row| (row.decisions, row.mpt)).collect();
        assert_eq!(got, expected, "{player:?}");
    }
}

#[test]
fn classes_and_bands_begin_at_their_lower_end() {
    let row = match_of("2026", "m");
    let ends = [0, 4, 5, 9, 10, 24, 25, 49, 50, 99, 100, 1500];
    let mut decisions: Vec<DecisionRow> = (0..).zip(ends).map(|(order, mpt)| decision(&row, order, mpt)).collect();
    for (decision, seconds) in decisions.iter_mut().zip([0, 4, 5, 14, 15, 29, 30, 300]) {
        decision.seconds = Some(seconds);
    }
    let told = [Told::new(row, decisions, "gnubg")];
    let classes: Vec<(i64, Option<i64>, i64)> = histogram(&told)
        .iter()
        .filter(|row| row.player.as_deref() == Some("A"))
        .map(|row| (row.from_mpt, row.to_mpt, row.decisions))
        .collect();
    let ends = [Some(5), Some(10), Some(25), Some(50), Some(100), None];
    let expected: Vec<_> = [0, 5, 10, 25, 50, 100].into_iter().zip(ends).map(|(from, to)| (from, to, 2)).collect();
    assert_eq!(classes, expected);
    let rows = breakdowns(&told);
    let times: Vec<(&str, i64)> = rows
        .iter()
        .filter(|row| row.player.as_deref() == Some("A") && row.dimension == "time")
        .map(|row| (row.cell.as_str(), row.decisions))
        .collect();
    assert_eq!(times, [("0-5", 2), ("15-30", 2), ("30+", 2), ("5-15", 2)], "and four without a time in none");
}

/// Sums of one cell of one seat: n, mpt, errors, blunders, priced.
fn cell(rows: &[CellRow], seat: i64, (dimension, cell): (Dimension, &str)) -> [i64; 5] {
    let found = rows.iter().find(|row| row.seat == seat && row.dimension == dimension.token() && row.cell == cell);
    found.map_or([0; 5], |row| [row.n, row.mpt, row.errors, row.blunders, row.priced])
}

/// The fixture of `metrics.md` 21: A is seat 1.
#[test]
fn the_cells_of_m7() {
    let m7 = m7::rated();
    let told = Told::new(m7.matches[0].clone(), m7.decisions.clone(), "gnubg");
    let of = |seat, dimension, word| cell(&told.cells, seat, (dimension, word));
    assert_eq!(of(1, Dimension::Kind, "checker"), [7, 455, 5, 2, 7]);
    assert_eq!(of(1, Dimension::Kind, "take"), [1, 80, 1, 0, 1]);
    assert_eq!(of(1, Dimension::Kind, "no_double"), [1, 30, 0, 0, 1]);
    assert_eq!(of(2, Dimension::Kind, "double"), [2, 25, 0, 0, 2]);
    assert_eq!(of(1, Dimension::Score, "7-7"), [2, 80, 1, 0, 2]);
    assert_eq!(of(1, Dimension::Score, "5-3"), [3, 85, 1, 0, 3]);
    // Game 4 is the Crawford game, game 5 comes after it.
    assert_eq!(of(1, Dimension::Pressure, "crawford"), [1, 70, 1, 0, 1]);
    assert_eq!(of(1, Dimension::Pressure, "post_crawford"), [1, 100, 1, 1, 1]);
    assert_eq!(of(1, Dimension::Pressure, "other"), [7, 395, 4, 1, 7]);
    // Medians 7 s of checker plays, 17.5 s of cube actions: A1, A3, A5, A8 were quick; A9 has no time.
    assert_eq!(of(1, Dimension::Clock, "quick"), [4, 310, 3, 1, 4]);
    assert_eq!(of(1, Dimension::Clock, "considered"), [4, 155, 2, 0, 4]);
    assert_eq!(of(1, Dimension::Rank, "1-30"), [9, 565, 6, 2, 9]);
    assert_eq!(of(1, Dimension::BestAction, "double_take"), [0; 5]);
    assert_eq!(of(1, Dimension::Direction, "answer_wrong_take"), [1, 80, 1, 0, 1]);
    assert_eq!(of(1, Dimension::Direction, "offer_missed"), [1, 30, 0, 0, 1]);
    assert_eq!(of(2, Dimension::Direction, "offer_right"), [1, 0, 0, 0, 1]);
    assert_eq!(of(2, Dimension::Direction, "offer_premature"), [1, 25, 0, 0, 1]);
    assert_eq!(told.sequences.len(), 2);
    assert_eq!(told.sequences[0].mpt, "60 20 80 150 30 55 0 70 100");
    assert_eq!((told.sequences[1].mpt.as_str(), told.sequences[1].n), ("12 25 45 90 0 0", 6));
}

#[test]
fn ranks_restart_with_the_match_and_pressure_is_dmp_first() {
    let row = match_of("2026", "m");
    let mut decisions: Vec<DecisionRow> = (0..200).map(|order| decision(&row, order, 1)).collect();
    decisions[0] = DecisionRow { own_away: 1, opp_away: 1, regime: "post_crawford".to_owned(), ..decisions[0].clone() };
    decisions[1] = DecisionRow { own_away: 1, opp_away: 1, regime: "crawford".to_owned(), ..decisions[1].clone() };
    for (order, decision) in decisions.iter_mut().enumerate() {
        // Seat 2 decides every other time, and one in ten does not count.
        decision.seat = if order % 2 == 0 { 1 } else { 2 };
        decision.counted = order % 20 != 4;
    }
    let other = match_of("2026", "n");
    decisions.push(decision(&other, 0, 1));
    let cells = portes::rate::cells::cells(&decisions, &portes::rate::Rules::default());
    let (first, second): (Vec<CellRow>, Vec<CellRow>) = cells.into_iter().partition(|row| row.match_id == "m");
    let counted = |rows: &[CellRow], word| cell(rows, 1, (Dimension::Rank, word))[0];
    assert_eq!(["1-30", "31-60", "61-90", "91+"].map(|word| counted(&first, word)), [30, 30, 30, 0]);
    assert_eq!(["1-30", "91+"].map(|word| cell(&first, 2, (Dimension::Rank, word))[0]), [30, 10]);
    assert_eq!(counted(&second, "1-30"), 1);
    assert_eq!(cell(&first, 1, (Dimension::Pressure, "dmp"))[0], 1);
    assert_eq!(cell(&first, 2, (Dimension::Pressure, "dmp"))[0], 1);
}

#[test]
fn an_undated_match_money_and_a_match_against_oneself_have_their_cells() {
    let money = MatchRow { play: "money".to_owned(), length: None, ..match_of("2026", "a") };
    let alone = MatchRow { player_2: "A".to_owned(), date: Some(day("2026-02-28")), ..match_of("2026", "b") };
    let unpriced =
        DecisionRow { loss: None, own_away: 0, opp_away: 0, regime: "money".to_owned(), ..decision(&money, 0, 60) };
    let both = vec![decision(&alone, 0, 10), DecisionRow { seat: 2, ..decision(&alone, 1, 30) }];
    let rows = breakdowns(&[Told::new(money, vec![unpriced], "xg"), Told::new(alone, both, "gnubg")]);
    let cell = |dimension: &str, cell: &str| {
        let row =
            rows.iter().find(|r| r.player.as_deref() == Some("A") && r.dimension == dimension && r.cell == cell)?;
        Some((row.decisions, row.mpt, row.loss))
    };
    assert_eq!(cell("length", "money"), Some((1, 60, None)));
    assert_eq!(cell("score", "money"), Some((1, 60, None)));
    assert_eq!(cell("month", "undated"), Some((1, 60, None)));
    assert_eq!(cell("engine", "xg"), Some((1, 60, None)));
    assert_eq!(cell("theme", "none"), Some((1, 60, None)));
    assert_eq!(cell("month", "2026-02"), Some((2, 40, Some(0.0024))));
    assert_eq!(cell("length", "7"), Some((2, 40, Some(0.0024))));
    assert_eq!(cell("opponent", "A"), None);
    assert!(rows.iter().any(|row| row.player.is_none() && row.cell == "2026-02" && row.decisions == 2));
}

#[test]
fn rolling_figures_of_the_corpus_are_those_of_the_sorted_decisions() {
    let matches = seasons::corpus();
    let mut rolling = Rolling::default();
    for told in matches {
        told.sequences.iter().for_each(|sequence| rolling.enter(&told.played.facts, sequence));
    }
    let rows = rolling.close();
    for player in players(matches).into_iter().flatten() {
        let mut played: Vec<&Told> = matches.iter().filter(|told| !told.seats(Some(player)).is_empty()).collect();
        let number = |round: &str| round.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
        played.sort_by_key(|told| {
            let round = told.row.round.as_deref().unwrap_or_default();
            let name: String = round.chars().filter(|c| !c.is_ascii_digit()).collect();
            (told.row.date, told.row.event.clone(), name, number(round), told.row.match_id.clone())
        });
        let errors: Vec<i64> =
            played.iter().flat_map(|told| counted(told, Some(player))).map(|row| row.e_mpt.unwrap()).collect();
        for row in rows.iter().filter(|row| row.player == player) {
            let last = &errors[errors.len() - usize::try_from(row.decisions).unwrap()..];
            assert_eq!(row.decisions, row.size.min(i64::try_from(errors.len()).unwrap()), "{player}");
            let pr = 0.5 * last.iter().sum::<i64>() as f64 / last.len() as f64;
            assert!((row.pr.unwrap() - pr).abs() < 1e-9, "{player}, last {}", row.size);
        }
    }
}

#[test]
fn the_worst_come_first_and_ties_go_to_the_loss_then_the_later_match() {
    let dated = |id: &str, date: Option<&str>| MatchRow { date: date.map(day), ..match_of("2026", id) };
    let (early, late, undated) = (dated("a", Some("2026-01-01")), dated("b", Some("2026-01-02")), dated("c", None));
    let error = |row: &MatchRow, order, mpt, loss| DecisionRow { loss, ..decision(row, order, mpt) };
    let mut of_early =
        vec![error(&early, 0, 300, Some(5)), error(&early, 1, 300, None), error(&early, 2, 200, Some(9))];
    of_early.extend((3..12).map(|order| error(&early, order, 60, Some(1))));
    let old = match_of("2025", "d");
    let short = vec![error(&old, 0, 7, None), error(&old, 1, 0, Some(0)), error(&old, 2, 49, Some(1))];
    let told = [
        Told::new(early.clone(), of_early, "gnubg"),
        Told::new(undated.clone(), vec![error(&undated, 0, 300, Some(5)), error(&undated, 1, 49, Some(1))], "gnubg"),
        Told::new(late.clone(), vec![error(&late, 0, 300, Some(5)), error(&late, 1, 400, None)], "gnubg"),
        Told::new(old, short, "gnubg"),
    ];
    let mut worst = Worst::default();
    for told in &told {
        told.worst.iter().for_each(|row| worst.enter(&told.played.facts, row));
    }
    let rows = worst.close();
    let of_season = |season: &str, player: Option<&str>| -> Vec<&str> {
        let of = rows.iter().filter(|row| row.season == season && row.player.as_deref() == player);
        of.map(|row| row.decision_id.as_str()).collect()
    };
    let of = |player: Option<&str>| of_season("2026", player);
    let expected = ["b-0001", "b-0000", "a-0000", "c-0000", "a-0001", "a-0002", "a-0003", "a-0004", "a-0005", "a-0006"];
    assert_eq!(of(Some("A")), expected);
    assert_eq!(of(None), expected);
    assert_eq!(of(Some("B")), [""; 0], "no decision, no row");
    assert_eq!(of_season("2025", Some("A")), ["d-0002", "d-0000"], "no threshold, but what cost nothing is none");
    assert_eq!(
        rows.iter().filter(|row| row.season == "2026" && row.player.is_none()).map(|row| row.rank).collect::<Vec<_>>(),
        (1..=10).collect::<Vec<_>>()
    );
}

#[test]
fn a_pair_is_seen_from_both_sides() {
    let won = |id: &str, winner| MatchRow { winner, ..match_of("2026", id) };
    let swapped = MatchRow { player_1: "B".to_owned(), player_2: "A".to_owned(), ..won("c", Some(1)) };
    let of = |row: &MatchRow, first: i64, second: i64| {
        vec![decision(row, 0, first), DecisionRow { seat: 2, ..decision(row, 1, second) }]
    };
    let alone = MatchRow { player_2: "A".to_owned(), ..won("d", Some(1)) };
    let mut ledger = HeadToHead::new(Settings::default());
    for row in [won("a", Some(1)), won("b", None), swapped, alone] {
        let decisions = of(&row, 10, 40);
        ledger.enter(&Told::new(row, decisions, "gnubg").played);
    }
    let rows = ledger.close();
    let seen: Vec<_> = rows
        .iter()
        .map(|r| (r.player.as_str(), r.matches, r.wins, r.losses, r.decisions, r.pr, r.opponent_pr))
        .collect();
    // A: 10, 10, 40; B: 40, 40, 10.
    assert_eq!(seen, [("A", 3, 1, 1, 3, Some(10.0), Some(15.0)), ("B", 3, 1, 1, 3, Some(15.0), Some(10.0))]);
    assert!(rows.iter().all(|row| row.low.is_some() && row.high.is_some()));
}

/// What the corpus was made with: Foxglove plays races badly, Gristmill is better in 2026.
#[test]
fn the_characters_of_the_corpus_are_found() {
    let matches = seasons::corpus();
    if matches.is_empty() {
        return;
    }
    let both: Vec<Told> = matches.iter().map(|told| told.in_season("both")).collect();
    let pooled = breakdowns(&both);
    let phases = |player: &str| -> Vec<&BreakdownRow> {
        pooled.iter().filter(|row| row.player.as_deref() == Some(player) && row.dimension == "phase").collect()
    };
    println!("{:<12} {:<11} {:>5} {:>7} {:>16}", "player", "phase", "N", "PR", "interval");
    for row in pooled.iter().filter(|row| row.player.is_some() && row.dimension == "phase") {
        println!(
            "{:<12} {:<11} {:>5} {:>7.2} [{:.2}, {:.2}]",
            row.player.as_deref().unwrap(),
            row.cell,
            row.decisions,
            row.pr.unwrap(),
            row.low.unwrap_or(f64::NAN),
            row.high.unwrap_or(f64::NAN)
        );
    }
    // "Plays races and bear-offs badly": no contact is where he loses most, in either phase, and as a plan.
    let foxglove: BTreeMap<&str, f64> =
        phases("Foxglove").iter().map(|row| (row.cell.as_str(), row.pr.unwrap())).collect();
    let with_contact = foxglove["middlegame"].max(foxglove["opening"]);
    assert!(foxglove["race"] > 1.5 * with_contact && foxglove["bearoff"] > 1.5 * with_contact, "{foxglove:?}");
    let plans = pooled.iter().filter(|row| row.player.as_deref() == Some("Foxglove") && row.dimension == "plan");
    let worst = plans.filter(|row| row.decisions >= 20).max_by(|a, b| a.pr.unwrap().total_cmp(&b.pr.unwrap())).unwrap();
    println!("Foxglove's worst plan: {}, PR {:.2} over {}", worst.cell, worst.pr.unwrap(), worst.decisions);
    assert_eq!(worst.cell, "race");
    let race = |player: &str| phases(player).iter().find(|row| row.cell == "race").unwrap().pr.unwrap();
    for other in ["Aldergrove", "Bramblewick", "Cinderpath", "Dovetail", "Émberline"] {
        assert!(race("Foxglove") > race(other), "{other} plays races better");
    }
    let rows = breakdowns(matches);
    let year = |season: &str| {
        let kinds = rows.iter().filter(|row| row.season == season && row.player.as_deref() == Some("Gristmill"));
        let (mpt, n) =
            kinds.filter(|row| row.dimension == "kind").fold((0, 0), |s, row| (s.0 + row.mpt, s.1 + row.decisions));
        0.5 * mpt as f64 / n as f64
    };
    println!("Gristmill: PR {:.2} in 2025, {:.2} in 2026", year("2025"), year("2026"));
    assert!(year("2026") < 0.75 * year("2025"));
}
