//! Where and in which direction: signed biases, breakdowns, the histogram, rolling PR, the worst decisions
//! (`metrics.md` 15, 18).

use super::line::{Line, line};
use super::sums::{Game, Part, loss, mpt, nature, played, players, ratio, seasons, select, selections, sorted};
use portes::tables::facts::DecisionRow;
use std::cmp::Reverse;

/// +1, 0, -1; nothing where the boards are not known.
fn sign(row: &DecisionRow) -> Option<i64> {
    match (row.kind.as_str(), row.e_mpt.unwrap()) {
        (_, 0) => Some(0),
        ("take" | "double", _) => Some(1),
        ("pass" | "no_double", _) => Some(-1),
        _ => Some((row.blots_played? - row.blots_best?).signum()),
    }
}

fn bias(rows: &[&DecisionRow], (name, score): (&'static str, Option<(i64, i64)>)) -> Line {
    let (mut plus, mut minus, mut read, mut unread) = (0, 0, 0, 0);
    let (mut cost_plus, mut cost_minus) = (0, 0);
    for row in rows {
        match sign(row) {
            None => unread += 1,
            Some(x) => {
                read += 1;
                if x > 0 {
                    plus += 1;
                    cost_plus += row.e_mpt.unwrap();
                }
                if x < 0 {
                    minus += 1;
                    cost_minus += row.e_mpt.unwrap();
                }
            }
        }
    }
    let n = read as f64;
    let value = (plus - minus) as f64 / n;
    let half = 1.96 * (((plus + minus) as f64 / n - value * value).max(0.0) / n).sqrt();
    let verdict = match read {
        0..20 => "insufficient",
        _ if value - half > 0.0 => "too_much",
        _ if value + half < 0.0 => "too_little",
        _ => "balanced",
    };
    let share = name == "blots" && read + unread > 0;
    line! {
        bias: name,
        own_away: score.map(|score| score.0),
        opp_away: score.map(|score| score.1),
        decisions: read,
        plus: plus,
        minus: minus,
        value: (read > 0).then_some(value),
        low: (read > 0).then_some(value - half),
        high: (read > 0).then_some(value + half),
        verdict: verdict,
        cost_plus: cost_plus as f64 / 1000.0,
        cost_minus: cost_minus as f64 / 1000.0,
        excluded_share: share.then(|| unread as f64 / (read + unread) as f64),
    }
}

pub(super) fn biases(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in selections(games, Some(season)) {
            let counted: Vec<&DecisionRow> =
                select(games, Some(season), player).iter().flat_map(Part::counted).collect();
            let of = |kinds: [&str; 2]| -> Vec<&DecisionRow> {
                counted.iter().copied().filter(|row| kinds.contains(&row.kind.as_str())).collect()
            };
            let (takes, doubles) = (of(["take", "pass"]), of(["no_double", "double"]));
            let mut plays = of(["checker", "checker"]);
            plays.retain(|row| row.contact);
            let mut own =
                vec![bias(&takes, ("take", None)), bias(&doubles, ("double", None)), bias(&plays, ("blots", None))];
            for score in sorted(doubles.iter().map(|row| (row.own_away, row.opp_away)).collect()) {
                let mut here = doubles.clone();
                here.retain(|row| (row.own_away, row.opp_away) == score);
                own.push(bias(&here, ("double", Some(score))));
            }
            for mut line in own {
                line.extend(line! { season: season, player: player });
                lines.push(line);
            }
        }
    }
    lines
}

/// The cell of a decision in a dimension; nothing where it is in none.
fn cell(of: &Game<'_>, row: &DecisionRow, (dimension, player): (&str, Option<&str>)) -> Option<String> {
    let e = row.e_mpt.unwrap();
    let cube = nature(row) == "cube";
    Some(match dimension {
        "phase" => row.phase.clone(),
        "plan" => row.plan.clone(),
        "theme" if e >= 50 => row.theme.clone().unwrap_or("none".to_owned()),
        "score" if row.own_away == 0 => "money".to_owned(),
        "score" => format!("{}-{}", row.own_away, row.opp_away),
        "kind" => row.kind.clone(),
        "depth" => row.depth_best.clone().unwrap_or("unknown".to_owned()),
        "length" => of.row.length.map_or("money".to_owned(), |length| length.to_string()),
        "engine" => of.engine.to_owned(),
        "month" => of.row.date.map_or("undated".to_owned(), |day| month(day.0)),
        // Against himself a player has no opponent.
        "opponent" if player.is_some() && of.row.player_1 == of.row.player_2 => return None,
        "opponent" => of.players()[if player? == of.row.player_1 { 1 } else { 0 }].to_owned(),
        "best_action" if cube => row.best.clone().unwrap_or("unknown".to_owned()),
        "direction" if cube => match (row.kind.as_str(), e) {
            ("no_double" | "double", 0) => "offer_right",
            ("take" | "pass", 0) => "answer_right",
            ("no_double", _) => "offer_missed",
            ("double", _) => "offer_premature",
            ("pass", _) => "answer_wrong_pass",
            _ => "answer_wrong_take",
        }
        .to_owned(),
        "time" => match row.seconds? {
            ..5 => "0-5",
            5..15 => "5-15",
            15..30 => "15-30",
            _ => "30+",
        }
        .to_owned(),
        _ => return None,
    })
}

/// Year and month of a day since 1970, by counting.
fn month(day: i32) -> String {
    let (mut year, mut left) = (1970, day);
    let leap = |year: i32| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    while left >= 365 + i32::from(leap(year)) {
        left -= 365 + i32::from(leap(year));
        year += 1;
    }
    let days = [31, 28 + i32::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= days[month] {
        left -= days[month];
        month += 1;
    }
    format!("{year:04}-{:02}", month + 1)
}

const DIMENSIONS: [&str; 13] = [
    "phase",
    "plan",
    "theme",
    "score",
    "length",
    "opponent",
    "engine",
    "depth",
    "kind",
    "best_action",
    "direction",
    "time",
    "month",
];

pub(super) fn breakdowns(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in selections(games, Some(season)) {
            let parts = select(games, Some(season), player);
            for dimension in DIMENSIONS {
                let mut placed = Vec::new();
                for part in &parts {
                    let cell = |row| Some((cell(part.of, row, (dimension, player))?, row));
                    placed.push(part.counted().into_iter().filter_map(cell).collect::<Vec<_>>());
                }
                for name in sorted(placed.iter().flatten().map(|one| one.0.clone()).collect()) {
                    let mut rows = Vec::new();
                    let mut units = Vec::new();
                    for of_match in &placed {
                        let here: Vec<&DecisionRow> =
                            of_match.iter().filter(|one| one.0 == name).map(|one| one.1).collect();
                        units.push((mpt(&here) as f64, here.len() as f64));
                        rows.extend(here);
                    }
                    let figure = ratio(&units, 0.5);
                    let priced = rows.iter().any(|row| row.loss.is_some());
                    lines.push(line! {
                        season: season,
                        player: player,
                        dimension: dimension,
                        cell: name,
                        decisions: rows.len() as i64,
                        errors: rows.iter().filter(|row| row.e_mpt >= Some(50)).count() as i64,
                        blunders: rows.iter().filter(|row| row.e_mpt >= Some(100)).count() as i64,
                        mpt: mpt(&rows),
                        pr: figure.value,
                        low: figure.low,
                        high: figure.high,
                        units: figure.units,
                        loss: priced.then(|| loss(&rows) as f64 / 1e9),
                    });
                }
            }
        }
    }
    lines
}

pub(super) fn histogram(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in selections(games, Some(season)) {
            let parts = select(games, Some(season), player);
            let classes = [(0, Some(5)), (5, Some(10)), (10, Some(25)), (25, Some(50)), (50, Some(100)), (100, None)];
            if parts.iter().all(|part| part.counted().is_empty()) {
                continue;
            }
            for (from, to) in classes {
                let (mut count, mut sum) = (0, 0);
                for e in parts.iter().flat_map(Part::counted).filter_map(|row| row.e_mpt) {
                    if e >= from && to.is_none_or(|to| e < to) {
                        count += 1;
                        sum += e;
                    }
                }
                lines.push(line! {
                    season: season, player: player, from_mpt: from, to_mpt: to, decisions: count, mpt: sum,
                });
            }
        }
    }
    lines
}

pub(super) fn rolling(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for player in players(games, None) {
        let mut parts = select(games, None, Some(player));
        // Undated last of all when the most recent come first.
        parts.sort_by_key(|part| (part.of.row.date, played(part.of.row)));
        parts.reverse();
        let mut recent = Vec::new();
        for part in &parts {
            let mut counted = part.counted();
            // Against himself he has two series of decisions, one a seat; the second seat's counts as the later.
            counted.sort_by_key(|row| (row.seat, row.game, row.order));
            counted.reverse();
            recent.extend(counted.into_iter().filter_map(|row| row.e_mpt));
        }
        for size in [5, 10, 50, 100, 250, 500, 1000] {
            let last = &recent[..recent.len().min(size)];
            if last.is_empty() {
                continue;
            }
            lines.push(line! {
                season: "all",
                player: player,
                size: size as i64,
                decisions: last.len() as i64,
                pr: 0.5 * last.iter().sum::<i64>() as f64 / last.len() as f64,
            });
        }
    }
    lines
}

/// Least squares as the textbook has it: means, deviations, their products.
pub(super) fn trend(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for player in players(games, None) {
        let mut points = Vec::new();
        for part in select(games, None, Some(player)) {
            let errors: Vec<i64> = part.counted().into_iter().filter_map(|row| row.e_mpt).collect();
            if let Some(day) = part.of.row.date.filter(|_| !errors.is_empty()) {
                let count = errors.len() as f64;
                points.push((f64::from(day.0), 0.5 * errors.iter().sum::<i64>() as f64 / count, count, day));
            }
        }
        let (first, last) = (points.iter().map(|p| p.3).min(), points.iter().map(|p| p.3).max());
        let weight: f64 = points.iter().map(|p| p.2).sum();
        let mean_x = points.iter().map(|p| p.2 * p.0).sum::<f64>() / weight;
        let mean_y = points.iter().map(|p| p.2 * p.1).sum::<f64>() / weight;
        let slope = points.iter().map(|p| p.2 * (p.0 - mean_x) * (p.1 - mean_y)).sum::<f64>()
            / points.iter().map(|p| p.2 * (p.0 - mean_x) * (p.0 - mean_x)).sum::<f64>();
        let holds = points.len() >= 3 && first < last;
        let at = |day: Option<portes::tables::row::Day>| {
            day.filter(|_| holds).map(|day| mean_y + slope * (f64::from(day.0) - mean_x))
        };
        let reason = match (points.len() >= 3, holds) {
            (false, _) => Some("not_enough_matches"),
            (true, false) => Some("one_day"),
            (true, true) => None,
        };
        lines.push(line! {
            season: "all",
            player: player,
            matches: points.len() as i64,
            from: first,
            to: last,
            pr_from: at(first),
            pr_to: at(last),
            per_year: holds.then_some(365.0 * slope),
            reason: reason,
            goal_pr: None::<f64>,
            goal_day: None::<portes::tables::row::Day>,
            pr_at_goal: None::<f64>,
        });
    }
    lines
}

pub(super) fn worst_decisions(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in selections(games, Some(season)) {
            let mut all = Vec::new();
            for part in select(games, Some(season), player) {
                all.extend(part.counted().into_iter().map(|row| (part.of.row.date, row)));
            }
            all.retain(|(_, row)| row.e_mpt > Some(0));
            all.sort_by_key(|(date, row)| {
                (Reverse(row.e_mpt), Reverse(row.loss), Reverse(*date), &row.match_id, row.game, row.order)
            });
            for (rank, (_, row)) in (1..).zip(all.into_iter().take(10)) {
                lines.push(line! {
                    season: season,
                    player: player,
                    rank: rank as i64,
                    decision_id: &row.decision_id,
                    match_id: &row.match_id,
                    kind: &row.kind,
                    mpt: row.e_mpt,
                    loss: row.loss.map(|loss| loss as f64 / 1e9),
                    position_key: &row.position_key,
                });
            }
        }
    }
    lines
}
