//! What to study and whether it helped: review, plan, recurring errors, before and after (`metrics.md` 10.1, 12, 14).

use super::Lake;
use super::line::{Line, line};
use super::sums::{Game, Part, nature, players, seasons, select, selections, sorted};
use portes::game::key::PositionKey;
use portes::tables::facts::DecisionRow;
use std::collections::BTreeMap;

/// Plan, nature, theme.
pub(super) type Family = (String, &'static str, String);

pub(super) fn is_error(row: &DecisionRow) -> bool {
    row.counted && row.e_mpt >= Some(50)
}

/// Loss beyond difficulty, where both are known.
pub(super) fn excess(row: &DecisionRow) -> Option<i64> {
    Some(row.loss? - row.difficulty?)
}

pub(super) fn family(row: &DecisionRow) -> Option<Family> {
    Some((row.plan.clone(), nature(row), row.theme.clone()?))
}

pub(super) fn errors<'a>(parts: &[Part<'a>]) -> Vec<&'a DecisionRow> {
    parts.iter().flat_map(Part::all).filter(|row| is_error(row)).collect()
}

pub(super) fn match_review(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for of in games {
        for seat in [1, 2] {
            let mut own = errors(&[Part { of, seats: vec![seat] }]);
            let part = |row: &DecisionRow| row.loss.map(|loss| loss - row.difficulty.unwrap_or(0));
            own.retain(|row| part(row) > Some(0));
            own.sort_by_key(|row| (-part(row).unwrap(), -row.loss.unwrap(), row.order));
            for (rank, row) in (1..).zip(own) {
                lines.push(line! {
                    season: &of.row.season,
                    match_id: &of.row.match_id,
                    seat: seat,
                    rank: rank as i64,
                    decision_id: &row.decision_id,
                    loss: row.loss.unwrap() as f64 / 1e9,
                    difficulty: row.difficulty.map(|d| d as f64 / 1e9),
                    avoidable_part: part(row).unwrap() as f64 / 1e9,
                });
            }
        }
    }
    lines
}

struct Planned {
    family: Family,
    members: i64,
    avoidable: i64,
    recoverable: f64,
    half: f64,
}

impl Planned {
    fn of(family: Family, rows: &[&DecisionRow]) -> Self {
        let (mut sum, mut squares, mut avoidable) = (0.0, 0.0, 0);
        for row in rows {
            let x = excess(row).unwrap() as f64 / 1e9;
            sum += x;
            squares += x * x;
            avoidable += i64::from(row.loss > Some(0) && 10 * row.difficulty.unwrap() <= row.loss.unwrap());
        }
        Self { family, members: rows.len() as i64, avoidable, recoverable: sum, half: 1.96 * squares.sqrt() }
    }

    fn is_established(&self) -> bool {
        self.members >= 5 && self.recoverable - self.half > 0.0
    }
}

/// The families of some errors in the order of the list, and what it does not see.
struct Plan {
    list: Vec<Planned>,
    unpriced: i64,
    unthemed: i64,
}

impl Plan {
    fn of(errors: &[&DecisionRow]) -> Self {
        let (mut unpriced, mut unthemed) = (0, 0);
        let mut members: BTreeMap<Family, Vec<&DecisionRow>> = BTreeMap::new();
        for row in errors {
            match (excess(row), family(row)) {
                (None, _) => unpriced += 1,
                (_, None) => unthemed += 1,
                (_, Some(family)) => members.entry(family).or_default().push(row),
            }
        }
        let mut list: Vec<Planned> = members.into_iter().map(|(family, rows)| Planned::of(family, &rows)).collect();
        // Established ones by their low end, the others by what is recoverable.
        let key = |one: &Planned| if one.is_established() { one.recoverable - one.half } else { one.recoverable };
        list.sort_by(|a, b| {
            (b.is_established().cmp(&a.is_established()))
                .then(key(b).total_cmp(&key(a)))
                .then(b.recoverable.total_cmp(&a.recoverable))
                .then(b.members.cmp(&a.members))
                .then(a.family.cmp(&b.family))
        });
        Self { list, unpriced, unthemed }
    }

    /// What a family's row says, whoever's it is.
    fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for (position, one) in (1..).zip(&self.list) {
            let in_plan = one.is_established();
            let reason = if one.members < 5 { "few_members" } else { "includes_zero" };
            lines.push(line! {
                rank: in_plan.then_some(position),
                position: position,
                plan: &one.family.0,
                nature: one.family.1,
                theme: &one.family.2,
                members: one.members,
                avoidable: one.avoidable,
                recoverable: one.recoverable,
                low: one.recoverable - one.half,
                high: one.recoverable + one.half,
                reason: (!in_plan).then_some(reason),
            });
        }
        lines
    }

    fn totals(&self, errors: usize) -> Line {
        line! {
            errors: errors as i64,
            unpriced: self.unpriced,
            unthemed: self.unthemed,
            families: self.list.len() as i64,
            established: self.list.iter().filter(|one| one.is_established()).count() as i64,
        }
    }
}

pub(super) fn study_plan(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in selections(games, Some(season)) {
            let plan = Plan::of(&errors(&select(games, Some(season), player)));
            for mut line in plan.lines() {
                line.extend(line! {
                    season: season, player: player, unpriced: plan.unpriced, unthemed: plan.unthemed,
                });
                lines.push(line);
            }
        }
    }
    lines
}

/// Everybody's errors at every event where he decided something: season, event, player.
fn of_events<'a>(games: &'a [Game<'a>]) -> Vec<([&'a str; 3], Vec<&'a DecisionRow>)> {
    let mut all = Vec::new();
    for season in seasons(games) {
        let of_season = games.iter().filter(|of| of.row.season == season);
        for event in sorted(of_season.filter_map(|of| of.row.event.as_deref()).collect()) {
            for player in players(games, Some(season)) {
                let mut parts = select(games, Some(season), Some(player));
                parts.retain(|part| part.of.row.event.as_deref() == Some(event));
                if decides(&parts) {
                    all.push(([season, event, player], errors(&parts)));
                }
            }
        }
    }
    all
}

fn decides(parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| !part.all().is_empty())
}

/// A row wherever somebody decided something, well or not.
pub(super) fn study_totals(games: &[Game<'_>]) -> Vec<Line> {
    let mut all = Vec::new();
    for season in seasons(games) {
        for player in selections(games, Some(season)) {
            let parts = select(games, Some(season), player);
            if decides(&parts) {
                all.push((season, None, player, errors(&parts)));
            }
        }
    }
    for ([season, event, player], own) in of_events(games) {
        all.push((season, Some(event), Some(player), own));
    }
    let mut lines = Vec::new();
    for (season, event, player, own) in all {
        let mut line = Plan::of(&own).totals(own.len());
        line.extend(line! { season: season, event: event, player: player });
        lines.push(line);
    }
    lines
}

pub(super) fn tournament_families(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for ([season, event, player], own) in of_events(games) {
        for mut line in Plan::of(&own).lines() {
            line.extend(line! { season: season, event: event, player: player });
            lines.push(line);
        }
    }
    lines
}

pub(super) fn recurring_errors(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in selections(games, Some(season)) {
            let parts = select(games, Some(season), player);
            let counted = parts.iter().map(|part| part.counted().len()).sum::<usize>() as i64;
            let mut groups: BTreeMap<Family, (i64, i64)> = BTreeMap::new();
            for row in errors(&parts) {
                let theme = row.theme.clone().unwrap_or("none".to_owned());
                let group = groups.entry((row.plan.clone(), nature(row), theme)).or_default();
                group.0 += 1;
                group.1 += row.e_mpt.unwrap();
            }
            let mut list: Vec<(Family, (i64, i64))> = groups.into_iter().collect();
            list.sort_by(|a, b| (-a.1.1, -a.1.0, &a.0).cmp(&(-b.1.1, -b.1.0, &b.0)));
            for (rank, (family, (members, sum))) in (1..).zip(list) {
                lines.push(line! {
                    season: season,
                    player: player,
                    rank: rank as i64,
                    plan: family.0,
                    nature: family.1,
                    theme: family.2,
                    members: members,
                    mpt: sum,
                    pr_cost: 0.5 * sum as f64 / counted as f64,
                    decisions: counted,
                });
            }
        }
    }
    lines
}

/// A player's study days by position: an exact key, and the other half of a cube decision.
fn study_days(lake: &Lake, player: &str) -> BTreeMap<String, i32> {
    let mut days: BTreeMap<String, i32> = BTreeMap::new();
    for event in &lake.events {
        let counts = ["mark", "review", "quiz"].contains(&event.action.as_str());
        let (true, Some(key)) = (counts && event.player.as_deref() == Some(player), &event.key_full) else { continue };
        let half = PositionKey::from_text(key).unwrap().other_half().map(|half| half.text());
        for key in [Some(key.clone()), half].into_iter().flatten() {
            let day = days.entry(key).or_insert(event.day.0);
            *day = (*day).min(event.day.0);
        }
    }
    days
}

/// Losses, and the decisions they stand among.
#[derive(Default)]
pub(super) struct Window {
    pub(super) n: i64,
    pub(super) losses: Vec<f64>,
}

impl Window {
    pub(super) fn rate(&self) -> Option<f64> {
        (self.n > 0).then(|| self.losses.iter().sum::<f64>() / self.n as f64)
    }
}

/// Rate before minus rate after, its half-width, and the verdict.
pub(super) fn change(before: &Window, after: &Window) -> (Option<f64>, Option<f64>, &'static str) {
    let (Some(first), Some(second)) = (before.rate(), after.rate()) else { return (None, None, "insufficient") };
    let variance =
        |window: &Window| window.losses.iter().map(|loss| loss * loss).sum::<f64>() / (window.n * window.n) as f64;
    let half = 1.96 * (variance(before) + variance(after)).sqrt();
    let delta = first - second;
    let verdict = match () {
        () if before.n < 30 || after.n < 30 => "insufficient",
        () if delta - half > 0.0 => "improved",
        () if delta + half < 0.0 => "worse",
        () => "undetermined",
    };
    (Some(delta), Some(half), verdict)
}

pub(super) fn before_after(lake: &Lake, games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for player in players(games, None) {
        let parts = select(games, None, Some(player));
        let days = study_days(lake, player);
        if !lake.events.iter().any(|event| event.player.as_deref() == Some(player)) {
            continue;
        }
        let members: Vec<(&DecisionRow, Family)> = errors(&parts)
            .into_iter()
            .filter(|row| excess(row).is_some())
            .filter_map(|row| Some((row, family(row)?)))
            .collect();
        let mut own = Vec::new();
        let mut not_studied = 0;
        for name in sorted(members.iter().map(|member| member.1.clone()).collect()) {
            let of_family = members.iter().filter(|member| member.1 == name);
            let Some(day) = of_family.filter_map(|member| days.get(&member.0.position_key)).min() else {
                not_studied += 1;
                continue;
            };
            let (mut before, mut after) = (Window::default(), Window::default());
            for part in &parts {
                let (Some(date), Some(_)) = (part.of.row.date, part.of.points()) else { continue };
                let window = match date.0.cmp(day) {
                    std::cmp::Ordering::Less => &mut before,
                    std::cmp::Ordering::Greater => &mut after,
                    std::cmp::Ordering::Equal => continue,
                };
                for row in part.counted() {
                    if row.loss.is_none() || row.plan != name.0 || nature(row) != name.1 {
                        continue;
                    }
                    window.n += 1;
                    if is_error(row) && family(row).as_ref() == Some(&name) {
                        window.losses.push(row.loss.unwrap() as f64 / 1e9);
                    }
                }
            }
            own.push((name, *day, before, after));
        }
        let place =
            |verdict: &str| ["improved", "worse", "undetermined", "insufficient"].iter().position(|v| *v == verdict);
        own.sort_by(|a, b| {
            let (x, y) = (change(&a.2, &a.3), change(&b.2, &b.3));
            let delta = |change: &(Option<f64>, Option<f64>, &str)| change.0.unwrap_or(f64::NEG_INFINITY);
            (place(x.2).cmp(&place(y.2))).then(delta(&y).total_cmp(&delta(&x))).then((a.1, &a.0).cmp(&(b.1, &b.0)))
        });
        for (position, (name, day, before, after)) in (1..).zip(own) {
            let (delta, half, verdict) = change(&before, &after);
            lines.push(line! {
                season: "all",
                player: player,
                position: position as i64,
                plan: name.0,
                nature: name.1,
                theme: name.2,
                studied_on: portes::tables::row::Day(day),
                decisions_before: before.n,
                decisions_after: after.n,
                rate_before: before.rate(),
                rate_after: after.rate(),
                delta: delta,
                low: delta.zip(half).map(|(delta, half)| delta - half),
                high: delta.zip(half).map(|(delta, half)| delta + half),
                verdict: verdict,
                not_studied: not_studied,
            });
        }
    }
    lines
}
