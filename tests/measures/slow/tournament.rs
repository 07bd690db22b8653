//! Tournament review: every player at every event against his usual level (`metrics.md` 16).

use super::line::{Line, line};
use super::sums::{
    Figure, Game, Part, clock, l7_by_matches, pr_by_games, pr_by_matches, ratio, round, seasons, select, sorted,
};
use portes::tables::facts::DecisionRow;
use portes::tables::row::Day;

/// Whom the configuration of the sample names.
const MAIN: &str = "Bramblewick";

/// A figure and the decisions behind it.
type Side = (Figure, i64);

/// How a figure of the tournament compares.
fn compared(here: Side, usual: Option<Side>) -> Line {
    let ends = |figure: &Figure| figure.value.zip(figure.high).map(|(value, high)| (high - value) / 1.96);
    let delta = usual.and_then(|usual| Some(here.0.value? - usual.0.value?));
    let width = usual.and_then(|usual| {
        let (a, b) = (ends(&here.0)?, ends(&usual.0)?);
        Some(1.96 * (a * a + b * b).sqrt())
    });
    let interval = delta.zip(width).map(|(delta, width)| (delta - width, delta + width));
    let verdict = match (interval, usual) {
        (Some(ends), Some(usual)) if here.1 >= 20 && usual.1 >= 20 => match ends {
            (low, _) if low > 0.0 => "worse",
            (_, high) if high < 0.0 => "better",
            _ => "usual",
        },
        _ => "insufficient",
    };
    line! {
        value: here.0.value,
        value_low: here.0.low,
        value_high: here.0.high,
        usual: usual.and_then(|usual| usual.0.value),
        usual_low: usual.and_then(|usual| usual.0.low),
        usual_high: usual.and_then(|usual| usual.0.high),
        delta: delta,
        low: interval.map(|ends| ends.0),
        high: interval.map(|ends| ends.1),
        verdict: verdict,
        decisions: here.1,
        decisions_usual: usual.map(|usual| usual.1),
    }
}

/// Which cell of a scope a decision lies in; its place among the player's counted decisions of the match matters.
fn cell(of: &Game<'_>, row: &DecisionRow, (scope, place): (&str, usize)) -> Option<&'static str> {
    match scope {
        "rank" => Some(match place {
            ..30 => "1-30",
            30..60 => "31-60",
            60..90 => "61-90",
            _ => "91+",
        }),
        "score" => Some(match row.regime.as_str() {
            _ if (row.own_away, row.opp_away) == (1, 1) => "dmp",
            "crawford" => "crawford",
            "post_crawford" => "post_crawford",
            _ => "other",
        }),
        _ => clock(of, row),
    }
}

/// PR of one cell, by matches.
fn of_cell(parts: &[Part<'_>], (scope, name): (&str, &str)) -> Side {
    let (mut units, mut count) = (Vec::new(), 0);
    for part in parts {
        let (mut sum, mut n) = (0, 0);
        // Against himself he has two series of decisions, one a seat.
        for seat in &part.seats {
            let own = part.counted().into_iter().filter(|row| row.seat == *seat);
            for (place, row) in own.enumerate() {
                if cell(part.of, row, (scope, place)) == Some(name) {
                    sum += row.e_mpt.unwrap();
                    n += 1;
                }
            }
        }
        units.push((sum as f64, f64::from(n)));
        count += i64::from(n);
    }
    (ratio(&units, 0.5), count)
}

fn overall(parts: &[Part<'_>]) -> Side {
    (pr_by_matches(parts, &|_| true), parts.iter().map(|part| part.counted().len()).sum::<usize>() as i64)
}

fn seven_points(parts: &[Part<'_>]) -> Side {
    let priced = parts.iter().flat_map(Part::counted).filter(|row| row.loss.is_some()).count();
    (l7_by_matches(parts), priced as i64)
}

fn at<'a>(games: &'a [Game<'a>], (season, event): (&str, &str), player: &str) -> Vec<Part<'a>> {
    let mut parts = select(games, Some(season), Some(player));
    parts.retain(|part| part.of.row.event.as_deref() == Some(event));
    parts
}

/// 16.1.
fn reference<'a>(games: &'a [Game<'a>], of: (&str, &str), players: &[&'a str]) -> &'a str {
    let mut best = players.to_vec();
    best.sort_by_key(|player| {
        let parts = at(games, of, player);
        (*player != MAIN, -(parts.len() as i64), -overall(&parts).1, player.is_empty(), *player)
    });
    best[0]
}

const CELLS: [(&str, &[&str]); 3] = [
    ("rank", &["1-30", "31-60", "61-90", "91+"]),
    ("score", &["dmp", "crawford", "post_crawford", "other"]),
    ("pace", &["quick", "considered"]),
];

pub(super) fn tournament_review(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        let of_season = games.iter().filter(|of| of.row.season == season);
        for event in sorted(of_season.filter_map(|of| of.row.event.as_deref()).collect()) {
            let of_event: Vec<&Game<'_>> =
                games.iter().filter(|of| of.row.season == season && of.row.event.as_deref() == Some(event)).collect();
            let players = sorted(of_event.iter().flat_map(|of| of.players()).collect());
            let first = of_event.iter().filter_map(|of| of.row.date).map(|day| day.0).min();
            let reference = reference(games, (season, event), &players);
            for player in players {
                let own = review(games, (season, event, player), first);
                for mut line in own {
                    line.extend(line! {
                        season: season, event: event, player: player, reference: player == reference,
                    });
                    lines.push(line);
                }
            }
        }
    }
    lines
}

fn review(games: &[Game<'_>], (season, event, player): (&str, &str, &str), first: Option<i32>) -> Vec<Line> {
    let here = at(games, (season, event), player);
    let mut before = select(games, None, Some(player));
    before.retain(|part| {
        let row = part.of.row;
        let elsewhere = row.season != season || row.event.as_deref() != Some(event);
        let within = row.date.zip(first).is_some_and(|(day, first)| first - 365 <= day.0 && day.0 < first);
        elsewhere && within && part.of.points().is_some() && !part.counted().is_empty()
    });
    let known = before.len() >= 5;
    let usual = |side: Side| known.then_some(side);
    let mut lines = Vec::new();
    let mut put = |scope: &str, (position, cell): (usize, Option<&str>), mut line: Line| {
        line.extend(line! { scope: scope, position: position as i64, cell: cell, measure: "pr" });
        lines.push(line);
    };
    put("overall", (1, None), compared(overall(&here), usual(overall(&before))));
    put("overall", (2, None), compared(seven_points(&here), usual(seven_points(&before))));
    let mut rounds: Vec<&Part<'_>> = here.iter().collect();
    rounds.sort_by_key(|part| {
        let row = part.of.row;
        (row.date.map_or(i32::MAX, |day| day.0), round(row.round.as_deref().unwrap_or_default()), &row.match_id)
    });
    for (index, part) in rounds.into_iter().enumerate() {
        let side = (pr_by_games(part, &|_| true), part.counted().len() as i64);
        put("round", (index + 1, Some(&part.of.row.match_id)), compared(side, usual(overall(&before))));
    }
    for (scope, names) in CELLS {
        for (index, name) in names.iter().enumerate() {
            let side = of_cell(&here, (scope, name));
            if side.1 > 0 {
                put(scope, (index + 1, Some(name)), compared(side, usual(of_cell(&before, (scope, name)))));
            }
        }
    }
    lines[1].extend(line! { measure: "l7" });
    for line in &mut lines {
        line.extend(line! {
            usual_matches: before.len() as i64,
            from: first.map(|first| Day(first - 365)),
            to: first.map(|first| Day(first - 1)),
        });
    }
    lines
}
