//! True sums over made decisions, for one seat of a match and for a season.

use super::play::as_seat;
use super::{Played, SEASON, blank};
use portes::tables::facts::DecisionRow;
use portes::tables::marts::{PlayerMatchRow, PlayerSeasonRow};

/// An interval by units (`metrics.md` 9.2) of a ratio times a factor: enough for plausible widths.
pub(super) fn interval(units: &[(i64, i64)], factor: f64) -> Option<(f64, f64)> {
    let units: Vec<(f64, f64)> = units.iter().filter(|u| u.1 > 0).map(|u| (u.0 as f64, u.1 as f64)).collect();
    let (e, n) = units.iter().fold((0.0, 0.0), |(e, n), u| (e + u.0, n + u.1));
    if units.len() < 3 {
        return None;
    }
    let (ratio, g) = (e / n, units.len() as f64);
    let variance: f64 = units.iter().map(|u| (u.0 - ratio * u.1).powi(2)).sum::<f64>() * g / (g - 1.0) / (n * n);
    let half = 1.96 * variance.sqrt() * factor;
    Some(((ratio * factor - half).max(0.0), ratio * factor + half))
}

pub(super) fn figures(of: &Played, seat: usize, xg: bool) -> PlayerMatchRow {
    let mine: Vec<&DecisionRow> = of.decisions.iter().filter(|row| row.seat == as_seat(seat)).collect();
    let counted: Vec<&DecisionRow> = mine.iter().copied().filter(|row| row.counted).collect();
    let sum = |wanted: &dyn Fn(&DecisionRow) -> bool, what: &dyn Fn(&DecisionRow) -> i64| -> i64 {
        counted.iter().filter(|row| wanted(row)).map(|row| what(row)).sum()
    };
    let n = |wanted: &dyn Fn(&DecisionRow) -> bool| sum(wanted, &|_| 1);
    let mpt = |row: &DecisionRow| row.e_mpt.unwrap_or(0);
    let loss = |row: &DecisionRow| row.loss.unwrap_or(0);
    let [all, checker, double, take]: [fn(&DecisionRow) -> bool; 4] = [
        |_| true,
        |row| row.kind == "checker",
        |row| row.kind == "double" || row.kind == "no_double",
        |row| row.kind == "take" || row.kind == "pass",
    ];
    let cube: fn(&DecisionRow) -> bool = |row| row.kind != "checker";
    let by_game = |wanted: fn(&DecisionRow) -> bool| -> Vec<(i64, i64)> {
        of.games
            .iter()
            .map(|game| {
                let rows = counted.iter().filter(|row| row.game == game.game && wanted(row));
                rows.fold((0, 0), |(e, n), row| (e + mpt(row), n + 1))
            })
            .collect()
    };
    let pr = |wanted: fn(&DecisionRow) -> bool| {
        (n(&wanted) > 0).then(|| 0.5 * sum(&wanted, &mpt) as f64 / n(&wanted) as f64)
    };
    let share = |units: i64| units as f64 / 1e9;
    let priced = counted.iter().filter(|row| row.loss.is_some()).count();
    let some = |x: f64| (priced > 0).then_some(x);
    let losses = share(sum(&all, &loss));
    let difficulty = share(sum(&all, &|row| row.difficulty.unwrap_or(0)));
    let rolls: Vec<&&DecisionRow> = mine.iter().filter(|row| row.kind == "checker").collect();
    let lucks: Vec<i64> = rolls.iter().filter_map(|row| row.luck).collect();
    let luck_of =
        |seat: i64| of.decisions.iter().filter(|row| row.seat == seat).filter_map(|row| row.luck_mwc).sum::<i64>();
    let other_loss = of
        .decisions
        .iter()
        .filter(|row| row.counted && row.seat != as_seat(seat))
        .filter_map(|row| row.loss)
        .sum::<i64>();
    let row = &of.row;
    let won = row.winner.map(|winner| winner == as_seat(seat));
    let l7 = some(losses * (7.0 / row.length.unwrap_or(7) as f64).sqrt());
    let ends = interval(&by_game(all), 0.5);
    let adjusted = won
        .filter(|_| priced > 0 && !lucks.is_empty())
        .map(|won| (if won { 0.5 } else { -0.5 }) - share(luck_of(as_seat(seat)) - luck_of(3 - as_seat(seat))));
    PlayerMatchRow {
        season: SEASON.into(),
        match_id: row.match_id.clone(),
        seat: Some(as_seat(seat)),
        player: Some([&row.player_1, &row.player_2][seat].clone()),
        opponent: Some([&row.player_2, &row.player_1][seat].clone()),
        date: row.date,
        event: row.event.clone(),
        round: row.round.clone(),
        play: row.play.clone(),
        length: row.length,
        finished: row.finished,
        won,
        games: row.games,
        decisions: n(&all),
        decisions_checker: n(&checker),
        decisions_double: n(&double),
        decisions_take: n(&take),
        error_sum: pr(all).map(|_| sum(&all, &mpt) as f64 / 1000.0),
        error_checker: pr(all).map(|_| sum(&checker, &mpt) as f64 / 1000.0),
        error_double: pr(all).map(|_| sum(&double, &mpt) as f64 / 1000.0),
        error_take: pr(all).map(|_| sum(&take, &mpt) as f64 / 1000.0),
        pr: pr(all),
        pr_low: ends.map(|e| e.0),
        pr_high: ends.map(|e| e.1),
        pr_units: by_game(all).iter().filter(|u| u.1 > 0).count().try_into().unwrap(),
        pr_checker: pr(checker),
        pr_cube: pr(cube),
        snowie: pr(all),
        loss: some(losses),
        loss_checker: some(share(sum(&checker, &loss))),
        loss_double: some(share(sum(&double, &loss))),
        loss_take: some(share(sum(&take, &loss))),
        priced: i64::try_from(priced).unwrap(),
        l7,
        l7_low: l7.map(|l7| l7 * 0.4),
        l7_high: l7.map(|l7| l7 * 1.6),
        elo_vs_engine: l7.map(|l7| -1300.0 * l7),
        elo_floored: some(0.0).map(|_| false),
        difficulty: some(difficulty),
        excess: some(losses - difficulty),
        ratio: some(losses / difficulty).filter(|_| difficulty >= 0.005),
        errors: n(&|row| mpt(row) >= 50),
        blunders: n(&|row| mpt(row) >= 100),
        avoidable: n(&|row| row.avoidable),
        luck: (!lucks.is_empty()).then(|| lucks.iter().sum::<i64>() as f64 / 1e8),
        luck_mwc: some(share(luck_of(as_seat(seat)))),
        luck_rolls: i64::try_from(lucks.len()).unwrap(),
        rolls: i64::try_from(rolls.len()).unwrap(),
        luck_adjusted: adjusted,
        coverage: adjusted.map(|_| 1.0),
        error_balance: some(share(other_loss) - losses),
        forced: mine.iter().filter(|row| row.forced).count().try_into().unwrap(),
        outside_window: mine.iter().filter(|row| row.kind == "no_double" && !row.counted).count().try_into().unwrap(),
        unrated: mine.iter().filter(|row| row.e_mpt.is_none()).count().try_into().unwrap(),
        xg_pr: xg.then(|| pr(all)).flatten().map(|pr| pr + 0.006),
        xg_decisions: xg.then(|| n(&all)),
        xg_decisions_checker: xg.then(|| n(&checker)),
        xg_decisions_double: xg.then(|| n(&double)),
        xg_decisions_take: xg.then(|| n(&take)),
        xg_error_sum: xg.then(|| sum(&all, &mpt) as f64 / 1000.0 + 0.001),
        xg_error_checker: xg.then(|| sum(&checker, &mpt) as f64 / 1000.0),
        xg_error_double: xg.then(|| sum(&double, &mpt) as f64 / 1000.0),
        xg_error_take: xg.then(|| sum(&take, &mpt) as f64 / 1000.0),
        xg_loss: xg.then_some(losses),
        ..blank()
    }
}

/// A player's season out of the rows of his matches; `None` = both seats.
pub(crate) fn season_row(player: Option<&str>, rows: &[&PlayerMatchRow]) -> PlayerSeasonRow {
    let int = |what: &dyn Fn(&PlayerMatchRow) -> i64| -> i64 { rows.iter().map(|row| what(row)).sum() };
    let float = |what: &dyn Fn(&PlayerMatchRow) -> Option<f64>| -> Option<f64> {
        let known: Vec<f64> = rows.iter().filter_map(|row| what(row)).collect();
        (!known.is_empty()).then(|| known.iter().sum())
    };
    #[allow(clippy::cast_possible_truncation, reason = "sums of whole mpt")]
    let mpt = |errors: Option<f64>| (errors.unwrap_or(0.0) * 1000.0).round() as i64;
    let units = |errors: &dyn Fn(&PlayerMatchRow) -> Option<f64>,
                 n: &dyn Fn(&PlayerMatchRow) -> i64|
     -> Vec<(i64, i64)> { rows.iter().map(|row| (mpt(errors(row)), n(row))).collect() };
    let ratio = |units: &[(i64, i64)]| {
        let (e, n) = units.iter().fold((0, 0), |(e, n), u| (e + u.0, n + u.1));
        (n > 0).then(|| 0.5 * e as f64 / n as f64)
    };
    let all = units(&|row| row.error_sum, &|row| row.decisions);
    let checker = units(&|row| row.error_checker, &|row| row.decisions_checker);
    let cube =
        units(&|row| Some(row.error_double? + row.error_take?), &|row| row.decisions_double + row.decisions_take);
    let [ends, checker_ends, cube_ends] = [&all, &checker, &cube].map(|units| interval(units, 0.5));
    let loss = float(&|row| row.loss);
    let root: f64 =
        rows.iter().filter(|row| row.loss.is_some()).filter_map(|row| row.length).map(|n| (n as f64).sqrt()).sum();
    let l7 = loss.map(|loss| 7f64.sqrt() * loss / root);
    let difficulty = float(&|row| row.difficulty);
    PlayerSeasonRow {
        season: SEASON.into(),
        player: player.map(str::to_owned),
        matches: i64::try_from(rows.len()).unwrap(),
        wins: player.map(|_| int(&|row| i64::from(row.won == Some(true)))),
        losses: player.map(|_| int(&|row| i64::from(row.won == Some(false)))),
        decisions: int(&|row| row.decisions),
        decisions_checker: int(&|row| row.decisions_checker),
        decisions_double: int(&|row| row.decisions_double),
        decisions_take: int(&|row| row.decisions_take),
        error_sum: float(&|row| row.error_sum),
        pr: ratio(&all),
        pr_low: ends.map(|e| e.0),
        pr_high: ends.map(|e| e.1),
        pr_units: all.iter().filter(|u| u.1 > 0).count().try_into().unwrap(),
        pr_checker: ratio(&checker),
        pr_checker_low: checker_ends.map(|e| e.0),
        pr_checker_high: checker_ends.map(|e| e.1),
        pr_cube: ratio(&cube),
        pr_cube_low: cube_ends.map(|e| e.0),
        pr_cube_high: cube_ends.map(|e| e.1),
        snowie: ratio(&all),
        loss,
        loss_checker: float(&|row| row.loss_checker),
        loss_double: float(&|row| row.loss_double),
        loss_take: float(&|row| row.loss_take),
        priced: int(&|row| row.priced),
        l7,
        l7_low: l7.map(|l7| l7 * 0.6),
        l7_high: l7.map(|l7| l7 * 1.4),
        elo_vs_engine: l7.map(|l7| -1300.0 * l7),
        elo_low: l7.map(|l7| -1900.0 * l7),
        elo_high: l7.map(|l7| -800.0 * l7),
        elo_floored: l7.map(|_| false),
        difficulty,
        excess: loss.zip(difficulty).map(|(loss, d)| loss - d),
        ratio: loss.zip(difficulty).filter(|(_, d)| *d >= 0.005).map(|(loss, d)| loss / d),
        errors: int(&|row| row.errors),
        blunders: int(&|row| row.blunders),
        avoidable: int(&|row| row.avoidable),
        luck: float(&|row| row.luck),
        luck_mwc: float(&|row| row.luck_mwc),
        luck_rolls: int(&|row| row.luck_rolls),
        rolls: int(&|row| row.rolls),
        forced: int(&|row| row.forced),
        outside_window: int(&|row| row.outside_window),
        unrated: int(&|row| row.unrated),
        ..blank()
    }
}
