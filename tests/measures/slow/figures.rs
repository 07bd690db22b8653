//! Figures of players: matches, seasons, careers, pairs and standings (`metrics.md` 4 to 11, 17).

use super::Lake;
use super::line::{Cell, Line, line};
use super::sums::{
    Figure, Game, Part, clock, elo, l7_by_games, l7_by_matches, loss, mpt, players, pr_by_games, pr_by_matches,
    seasons, select, selections,
};
use portes::tables::facts::{DecisionRow, MatchRow};
use std::collections::BTreeMap;

const DOUBLES: [&str; 2] = ["no_double", "double"];
const TAKES: [&str; 2] = ["take", "pass"];
const CHECKER: [&str; 1] = ["checker"];

/// What the units of the intervals are.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Games,
    Matches,
}

/// The columns that every pool has.
fn pool(parts: &[Part<'_>], by: By) -> Line {
    let all: Vec<&DecisionRow> = parts.iter().flat_map(Part::all).collect();
    let counted: Vec<&DecisionRow> = all.iter().copied().filter(|row| row.counted).collect();
    let of = |kinds: &[&str]| -> Vec<&DecisionRow> {
        counted.iter().copied().filter(|row| kinds.contains(&row.kind.as_str())).collect()
    };
    let (plays, doubles, takes) = (of(&CHECKER), of(&DOUBLES), of(&TAKES));
    let error = |rows: &[&DecisionRow]| (!counted.is_empty()).then(|| mpt(rows) as f64 / 1000.0);
    let priced = counted.iter().filter(|row| row.loss.is_some()).count() as i64;
    let lost = |rows: &[&DecisionRow]| (priced > 0).then(|| loss(rows) as f64 / 1e9);
    let pr = |wanted: &dyn Fn(&DecisionRow) -> bool| match by {
        By::Games => pr_by_games(&parts[0], wanted),
        By::Matches => pr_by_matches(parts, wanted),
    };
    let (whole, plays_alone, cubes_alone) =
        (pr(&|_| true), pr(&|row| row.kind == "checker"), pr(&|row| row.kind != "checker"));
    let l7 = if by == By::Games { l7_by_games(&parts[0]) } else { l7_by_matches(parts) };
    let mut line = line! {
        decisions: counted.len() as i64,
        decisions_checker: plays.len() as i64,
        decisions_double: doubles.len() as i64,
        decisions_take: takes.len() as i64,
        error_sum: error(&counted),
        error_checker: error(&plays),
        error_double: error(&doubles),
        error_take: error(&takes),
        pr: whole.value,
        pr_low: whole.low,
        pr_high: whole.high,
        pr_units: whole.units,
        pr_checker: plays_alone.value,
        pr_checker_low: plays_alone.low,
        pr_checker_high: plays_alone.high,
        pr_cube: cubes_alone.value,
        pr_cube_low: cubes_alone.low,
        pr_cube_high: cubes_alone.high,
        snowie: snowie(parts, &all),
        loss: lost(&counted),
        loss_checker: lost(&plays),
        loss_double: lost(&doubles),
        loss_take: lost(&takes),
        priced: priced,
        forced: all.iter().filter(|row| row.e_mpt.is_some() && row.forced).count() as i64,
        unrated: all.iter().filter(|row| row.e_mpt.is_none()).count() as i64,
    };
    // The parts have the whole's denominator, so they share it as they share the losses.
    let lost = |rows: &[&DecisionRow]| rows.iter().filter_map(|row| row.loss).sum::<i64>() as f64;
    let part = |rows: &[&DecisionRow]| {
        l7.value.map(|l7| if lost(&counted) == 0.0 { 0.0 } else { l7 * lost(rows) / lost(&counted) })
    };
    let cubes: Vec<&DecisionRow> = doubles.iter().chain(&takes).copied().collect();
    line.extend(line! { l7_checker: part(&plays), l7_cube: part(&cubes) });
    line.extend(seven_points(l7));
    line.extend(difficulty(&counted));
    line.extend(luck(&all));
    line.extend(pace(parts));
    line.extend(uncounted(&all));
    line
}

/// All rated errors by the checker plays of both players.
fn snowie(parts: &[Part<'_>], all: &[&DecisionRow]) -> Option<f64> {
    let mut plays = 0;
    for part in parts {
        for row in &part.of.decisions {
            plays += i64::from(row.kind == "checker" && row.e_mpt.is_some());
        }
    }
    let rated: i64 = all.iter().filter(|row| !barred(row)).filter_map(|row| row.e_mpt).sum();
    (plays > 0).then(|| 0.5 * rated as f64 / plays as f64)
}

fn seven_points(l7: Figure) -> Line {
    line! {
        l7: l7.value,
        l7_low: l7.low,
        l7_high: l7.high,
        l7_units: l7.units,
        elo_vs_engine: l7.value.map(|l7| elo(l7).0),
        elo_low: l7.high.map(|l7| elo(l7).0),
        elo_high: l7.low.map(|l7| elo(l7).0),
        elo_floored: l7.value.map(|l7| elo(l7).1),
    }
}

fn difficulty(counted: &[&DecisionRow]) -> Line {
    let (mut lost, mut hard, mut both) = (0, 0, 0);
    let (mut errors, mut blunders, mut avoidable) = (0, 0, 0);
    for row in counted {
        let e = row.e_mpt.unwrap();
        errors += i64::from(e >= 50);
        blunders += i64::from(e >= 100);
        if let (Some(l), Some(d)) = (row.loss, row.difficulty) {
            both += 1;
            lost += l;
            hard += d;
            avoidable += i64::from(e >= 50 && l > 0 && 10 * d <= l);
        }
    }
    line! {
        difficulty: (both > 0).then(|| hard as f64 / 1e9),
        excess: (both > 0).then(|| (lost - hard) as f64 / 1e9),
        ratio: (both > 0 && hard >= 5_000_000).then(|| lost as f64 / hard as f64),
        errors: errors,
        blunders: blunders,
        avoidable: avoidable,
    }
}

fn luck(all: &[&DecisionRow]) -> Line {
    let known: Vec<i64> = all.iter().filter_map(|row| row.luck).collect();
    let chances: Vec<i64> = all.iter().filter_map(|row| row.luck_mwc).collect();
    line! {
        luck: (!known.is_empty()).then(|| known.iter().sum::<i64>() as f64 / 1e8),
        luck_mwc: (!chances.is_empty()).then(|| chances.iter().sum::<i64>() as f64 / 1e9),
        luck_rolls: known.len() as i64,
        rolls: all.iter().filter(|row| row.kind == "checker").count() as i64,
    }
}

fn pace(parts: &[Part<'_>]) -> Line {
    let (mut timed, mut hasty, mut considered, mut unknown) = (false, 0, 0, 0);
    for part in parts {
        for seat in &part.seats {
            let counted: Vec<&DecisionRow> = part.counted().into_iter().filter(|row| row.seat == *seat).collect();
            if counted.iter().all(|row| row.seconds.is_none()) {
                continue;
            }
            timed = true;
            for row in counted.iter().filter(|row| row.e_mpt >= Some(50)) {
                match clock(part.of, row) {
                    Some("quick") => hasty += 1,
                    Some(_) => considered += 1,
                    None => unknown += 1,
                }
            }
        }
    }
    line! {
        hasty: timed.then_some(hasty),
        considered: timed.then_some(considered),
        unknown_pace: timed.then_some(unknown),
    }
}

/// A no double that nobody chose.
fn barred(row: &DecisionRow) -> bool {
    row.kind == "no_double" && !row.may_double
}

/// Rated no doubles that no count sees.
fn uncounted(all: &[&DecisionRow]) -> Line {
    let unseen = || all.iter().filter(|row| row.kind == "no_double" && !row.counted && row.e_mpt.is_some());
    let missed: Vec<i64> =
        unseen().filter(|row| !barred(row)).filter_map(|row| row.e_mpt).filter(|e| *e >= 50).collect();
    line! {
        outside_window: unseen().count() as i64,
        uncounted_errors: missed.len() as i64,
        uncounted_mpt: missed.iter().sum::<i64>(),
    }
}

pub(super) fn player_match(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for of in games {
        let rolls = of.decisions.iter().filter(|row| row.kind == "checker").count();
        let measured = of.decisions.iter().filter(|row| row.luck.is_some()).count();
        for seat in [None, Some(1), Some(2)] {
            let part = Part { of, seats: seat.map_or(vec![1, 2], |seat| vec![seat]) };
            let mut line = pool(std::slice::from_ref(&part), By::Games);
            let name = |seat: i64| of.players()[seat as usize - 1];
            line.extend(line! {
                season: &of.row.season,
                match_id: &of.row.match_id,
                seat: seat,
                player: seat.map(name),
                opponent: seat.map(|seat| name(3 - seat)),
                date: of.row.date,
                event: of.row.event.as_ref(),
                round: of.row.round.as_ref(),
                play: &of.row.play,
                length: of.row.length,
                finished: of.row.finished,
                won: seat.zip(of.row.winner).map(|(seat, winner)| seat == winner),
                games: of.row.games,
                luck_adjusted: seat.and_then(|seat| adjusted(of, seat)),
                coverage: (rolls > 0).then(|| measured as f64 / rolls as f64),
                error_balance: seat.and_then(|seat| Some(lost(of, 3 - seat)? - lost(of, seat)?)),
            });
            line.extend(as_xg(&part));
            lines.push(line);
        }
    }
    lines
}

/// What a seat lost, where anything has a price.
fn lost(of: &Game<'_>, seat: i64) -> Option<f64> {
    let priced: Vec<i64> =
        of.decisions.iter().filter(|row| row.counted && row.seat == seat).filter_map(|row| row.loss).collect();
    (!priced.is_empty()).then(|| priced.iter().sum::<i64>() as f64 / 1e9)
}

fn adjusted(of: &Game<'_>, seat: i64) -> Option<f64> {
    let luck = |seat: i64| -> Vec<i64> {
        of.decisions.iter().filter(|row| row.seat == seat).filter_map(|row| row.luck_mwc).collect()
    };
    let (own, other) = (luck(seat), luck(3 - seat));
    if !of.row.finished || of.row.play != "points" || own.len() + other.len() == 0 {
        return None;
    }
    let first = of.row.start_mwc.map_or(0.5, |start| start as f64 / 1e9);
    let start = if seat == 1 { first } else { 1.0 - first };
    let outcome = if of.row.winner? == seat { 1.0 } else { 0.0 };
    Some(outcome - start - (own.iter().sum::<i64>() - other.iter().sum::<i64>()) as f64 / 1e9)
}

/// What XG prints, of XG's own files.
fn as_xg(part: &Part<'_>) -> Line {
    let counts: Vec<&DecisionRow> = part.all().into_iter().filter(|row| row.xg_counted == Some(true)).collect();
    let of = |kinds: &[&str]| -> Vec<&DecisionRow> {
        counts.iter().copied().filter(|row| kinds.contains(&row.kind.as_str())).collect()
    };
    let (plays, doubles, takes) = (of(&CHECKER), of(&DOUBLES), of(&TAKES));
    let from_xg = part.of.from_xg;
    let number = |rows: &[&DecisionRow]| from_xg.then_some(rows.len() as i64);
    let raw = |rows: &[&DecisionRow]| rows.iter().filter_map(|row| row.e_raw).sum::<i64>() as f64 / 1e8;
    let some = from_xg && !counts.is_empty();
    let error = |rows: &[&DecisionRow]| some.then(|| raw(rows));
    let priced = from_xg && counts.iter().any(|row| row.xg_loss.is_some());
    let lost =
        |rows: &[&DecisionRow]| priced.then(|| rows.iter().filter_map(|row| row.xg_loss).sum::<i64>() as f64 / 1e9);
    line! {
        xg_pr: some.then(|| 500.0 * raw(&counts) / counts.len() as f64),
        xg_decisions: number(&counts),
        xg_decisions_checker: number(&plays),
        xg_decisions_double: number(&doubles),
        xg_decisions_take: number(&takes),
        xg_error_sum: error(&counts),
        xg_error_checker: error(&plays),
        xg_error_double: error(&doubles),
        xg_error_take: error(&takes),
        xg_loss: lost(&counts),
        xg_loss_checker: lost(&plays),
        xg_loss_double: lost(&doubles),
        xg_loss_take: lost(&takes),
    }
}

/// Won and lost: neither without a result, neither against oneself.
fn record(parts: &[Part<'_>]) -> (i64, i64) {
    let (mut wins, mut losses) = (0, 0);
    for part in parts {
        if let ([seat], Some(winner)) = (part.seats.as_slice(), part.of.row.winner) {
            wins += i64::from(winner == *seat);
            losses += i64::from(winner != *seat);
        }
    }
    (wins, losses)
}

fn level(pr: &Cell) -> Option<&'static str> {
    let Cell::Float(pr) = pr else { return None };
    let bands = [(2.0, "world_class"), (4.0, "expert"), (6.0, "advanced"), (9.0, "intermediate"), (12.0, "casual")];
    Some(bands.iter().find(|band| *pr < band.0).map_or("beginner", |band| band.1))
}

fn of_set(parts: &[Part<'_>], player: Option<&str>) -> Line {
    let mut line = pool(parts, By::Matches);
    let (wins, losses) = record(parts);
    line.extend(line! {
        player: player,
        matches: parts.len() as i64,
        wins: player.map(|_| wins),
        losses: player.map(|_| losses),
        level: level(&line["pr"]),
    });
    line
}

pub(super) fn player_season(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in selections(games, Some(season)) {
            let mut line = of_set(&select(games, Some(season), player), player);
            line.extend(line! { season: season });
            lines.push(line);
        }
    }
    lines
}

pub(super) fn player_career(games: &[Game<'_>]) -> Vec<Line> {
    selections(games, None).into_iter().map(|player| of_set(&select(games, None, player), player)).collect()
}

pub(super) fn head_to_head(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in players(games, Some(season)) {
            for opponent in players(games, Some(season)) {
                let both = |part: &Part<'_>| player != opponent && part.of.players().contains(&opponent);
                let own: Vec<Part<'_>> = select(games, Some(season), Some(player)).into_iter().filter(both).collect();
                if own.is_empty() {
                    continue;
                }
                let theirs: Vec<Part<'_>> = select(games, Some(season), Some(opponent))
                    .into_iter()
                    .filter(|part| part.of.players().contains(&player))
                    .collect();
                let pr = pr_by_matches(&own, &|_| true);
                let (wins, losses) = record(&own);
                lines.push(line! {
                    season: season,
                    player: player,
                    opponent: opponent,
                    matches: own.len() as i64,
                    wins: wins,
                    losses: losses,
                    decisions: own.iter().map(|part| part.counted().len()).sum::<usize>() as i64,
                    pr: pr.value,
                    low: pr.low,
                    high: pr.high,
                    opponent_pr: pr_by_matches(&theirs, &|_| true).value,
                });
            }
        }
    }
    lines
}

/// Points of the first ten places; tied players share the mean of those they occupy.
const PLACES: [f64; 10] = [25.0, 18.0, 15.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0, 1.0];

pub(super) fn places_points(lake: &Lake) -> Vec<Line> {
    let mut lines = Vec::new();
    for (season, event, player, place) in &lake.places {
        let same = |other: &&(String, String, String, i64)| other.0 == *season && other.1 == *event;
        let tied = lake.places.iter().filter(same).filter(|other| other.3 == *place).count();
        let mut sum = 0.0;
        for at in 0..tied {
            sum += PLACES.get(*place as usize - 1 + at).copied().unwrap_or(0.0);
        }
        let points = sum / tied as f64;
        lines.push(line! { season: season, event: event, player: player, place: *place, points: points });
    }
    lines
}

/// By season and player, at its end: FIBS over the finished matches to a length, in the Academy's order.
type Ratings<'a> = BTreeMap<(&'a str, &'a str), f64>;

pub(super) fn club_elo<'a>(games: &[Game<'a>]) -> Ratings<'a> {
    let mut matches: Vec<&MatchRow> = games.iter().map(|of| of.row).filter(|row| row.length.is_some()).collect();
    matches.retain(|row| {
        row.variant == "backgammon" && row.finished && row.winner.is_some() && row.player_1 != row.player_2
    });
    matches.sort_by_key(|row| {
        let names = [&row.player_1, &row.player_2];
        let (event, round) = (row.event.clone().unwrap_or_default(), row.round.clone().unwrap_or_default());
        let (smaller, larger) = (names[0].min(names[1]), names[0].max(names[1]));
        (&row.season, row.date.is_none(), row.date, event, round, smaller, larger, &row.match_id)
    });
    let (mut at_end, mut now) = (Ratings::new(), BTreeMap::<&str, (f64, f64)>::new());
    for season in seasons(games) {
        for row in matches.iter().filter(|row| row.season == season) {
            let [winner, loser] = if row.winner == Some(1) {
                [row.player_1.as_str(), &row.player_2]
            } else {
                [row.player_2.as_str(), &row.player_1]
            };
            let points = row.length.unwrap() as f64;
            let of = |name: &str| now.get(name).copied().unwrap_or((1500.0, 0.0));
            let (high, low) = (of(winner), of(loser));
            let chance = 1.0 / (1.0 + 10f64.powf(-(high.0 - low.0) * points.sqrt() / 2000.0));
            let change = |experience: f64| (5.0 - experience / 100.0).max(1.0) * 4.0 * points.sqrt() * (1.0 - chance);
            let millionths = |rating: f64| (rating * 1e6).round() / 1e6;
            now.insert(winner, (millionths(high.0 + change(high.1)), high.1 + points));
            now.insert(loser, (millionths(low.0 - change(low.1)), low.1 + points));
        }
        at_end.extend(now.iter().map(|(name, (rating, _))| ((season, *name), *rating)));
    }
    at_end
}

/// Whoever only has a final place has no rating in the table.
pub(super) fn standings(lake: &Lake, games: &[Game<'_>], ratings: &Ratings<'_>) -> Vec<Line> {
    let points = places_points(lake);
    let mut lines = Vec::new();
    for season in seasons(games) {
        let mut of_season = Vec::new();
        let has_places = lake.places.iter().any(|place| place.0 == season);
        for player in players(games, Some(season)) {
            let figures = of_set(&select(games, Some(season), Some(player)), Some(player));
            let own: Vec<&Line> = points
                .iter()
                .filter(|line| line["season"] == Cell::from(season) && line["player"] == Cell::from(player))
                .collect();
            let mut total = 0.0;
            let mut best: Option<i64> = None;
            for line in &own {
                if let (Cell::Float(points), Cell::Int(place)) = (&line["points"], &line["place"]) {
                    total += points;
                    best = Some(best.map_or(*place, |best| best.min(*place)));
                }
            }
            let (Cell::Float(pr), decisions) = (&figures["pr"], &figures["decisions"]) else {
                of_season.push((None, player, figures, None, None));
                continue;
            };
            let Cell::Int(decisions) = decisions else { unreachable!() };
            let order =
                if has_places { best.map(|best| (-total, best as f64, 0)) } else { Some((*pr, 0.0, -decisions)) };
            let points = best.map(|_| total);
            of_season.push((order, player, figures, points, best));
        }
        for (order, player, figures, points, best) in &of_season {
            let rank = order.map(|order| {
                let before = |other: &(f64, f64, i64), name: &str| {
                    (other.0, other.1, other.2, name) < (order.0, order.1, order.2, player)
                };
                1 + of_season.iter().filter(|other| other.0.is_some_and(|o| before(&o, other.1))).count() as i64
            });
            let per_roll = match (&figures["luck"], &figures["luck_rolls"]) {
                (Cell::Float(luck), Cell::Int(rolls)) => Some(luck / *rolls as f64),
                _ => None,
            };
            let mut line = line! {
                season: season,
                rank: rank,
                points: *points,
                best_place: *best,
                luck_per_roll: per_roll,
                club_elo: ratings.get(&(season, *player)).copied(),
            };
            let same = [
                "player",
                "matches",
                "wins",
                "losses",
                "decisions",
                "pr",
                "pr_checker",
                "pr_cube",
                "snowie",
                "l7",
                "blunders",
            ];
            for name in same {
                line.insert(name, figures[name].clone());
            }
            lines.push(line);
        }
    }
    lines
}
