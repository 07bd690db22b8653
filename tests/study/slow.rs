//! The definition read a second time, with loops over lists and nothing clever: what the measures must agree with.

use super::made::Season;
use portes::tables::facts::MatchRow;
use portes::tables::partials::{ErrorRow, RulingRow};

fn count(things: usize) -> i64 {
    i64::try_from(things).unwrap()
}

/// plan, nature, theme.
pub(super) type Family = (String, String, String);

fn family(error: &ErrorRow, theme: &str) -> Family {
    (error.plan.clone(), error.nature.clone(), theme.to_owned())
}

/// One line of the study plan: family, members, avoidable, R, low, high, rank.
pub(super) type PlanLine = (Family, i64, i64, f64, f64, f64, Option<i64>);

pub(super) fn plan(errors: &[ErrorRow]) -> (Vec<PlanLine>, i64, i64) {
    let (mut unpriced, mut unthemed) = (0, 0);
    let mut members: Vec<(Family, &ErrorRow)> = Vec::new();
    for error in errors {
        if error.loss.is_none() || error.difficulty.is_none() {
            unpriced += 1;
        } else if let Some(theme) = &error.theme {
            members.push((family(error, theme), error));
        } else {
            unthemed += 1;
        }
    }
    let mut names: Vec<Family> = members.iter().map(|(family, _)| family.clone()).collect();
    names.sort();
    names.dedup();
    let mut lines: Vec<PlanLine> = Vec::new();
    for name in names {
        let of: Vec<&ErrorRow> =
            members.iter().filter(|(family, _)| *family == name).map(|(_, error)| *error).collect();
        let x: Vec<i64> = of.iter().map(|error| error.loss.unwrap() - error.difficulty.unwrap()).collect();
        let sum: i64 = x.iter().sum();
        let squares: f64 = x.iter().map(|x| (*x as f64) * (*x as f64)).sum();
        let half = 1.96 * squares.sqrt();
        let avoidable = count(of.iter().filter(|error| error.avoidable).count());
        let (low, high) = ((sum as f64 - half) / 1e9, (sum as f64 + half) / 1e9);
        lines.push((name, count(of.len()), avoidable, sum as f64 / 1e9, low, high, None));
    }
    let established = |line: &PlanLine| line.1 >= 5 && line.4 > 0.0;
    let mut list: Vec<PlanLine> = Vec::new();
    while !lines.is_empty() {
        let mut first = 0;
        for at in 1..lines.len() {
            let (a, b) = (&lines[at], &lines[first]);
            let before = match (established(a), established(b)) {
                (true, false) => true,
                (false, true) => false,
                (true, true) if a.4 != b.4 => a.4 > b.4,
                _ if a.3 != b.3 => a.3 > b.3,
                _ if a.1 != b.1 => a.1 > b.1,
                _ => a.0 < b.0,
            };
            first = if before { at } else { first };
        }
        let mut line = lines.remove(first);
        line.6 = established(&line).then(|| count(list.len() + 1));
        list.push(line);
    }
    (list, unpriced, unthemed)
}

/// Group, members, mpt; dearest first.
pub(super) fn recurring(errors: &[ErrorRow]) -> Vec<(Family, i64, i64)> {
    let mut groups: Vec<(Family, i64, i64)> = Vec::new();
    for error in errors {
        let name = family(error, error.theme.as_deref().unwrap_or("none"));
        match groups.iter_mut().find(|group| group.0 == name) {
            Some(group) => {
                group.1 += 1;
                group.2 += error.mpt;
            }
            None => groups.push((name, 1, error.mpt)),
        }
    }
    groups.sort_by(|a, b| (-a.2, -a.1, &a.0).cmp(&(-b.2, -b.1, &b.0)));
    groups
}

/// Match, decision; best first within its match.
pub(super) fn review(errors: &[ErrorRow]) -> Vec<(String, String)> {
    let mut matches: Vec<&String> = errors.iter().map(|error| &error.match_id).collect();
    matches.sort();
    matches.dedup();
    let mut list = Vec::new();
    for match_id in matches {
        let part = |error: &ErrorRow| error.loss.unwrap() - error.difficulty.unwrap_or(0);
        let priced = errors.iter().filter(|error| error.match_id == *match_id && error.loss.is_some());
        let mut of: Vec<&ErrorRow> = priced.filter(|error| part(error) > 0).collect();
        of.sort_by_key(|error| (-part(error), -error.loss.unwrap(), error.order));
        list.extend(of.iter().map(|error| (match_id.clone(), error.decision_id.clone())));
    }
    list
}

struct Candidate<'a> {
    family: Family,
    key: &'a str,
    errors: Vec<&'a ErrorRow>,
    excess: i64,
    worst: &'a ErrorRow,
    close: bool,
    unstable: bool,
    rollout: bool,
    handled: bool,
}

/// A chosen position, as far as it is compared.
#[derive(Debug, PartialEq)]
pub(super) struct Pick {
    pub(super) key: String,
    pub(super) family: Family,
    /// In 1e-9.
    pub(super) gain: f64,
    pub(super) covered: i64,
    pub(super) errors: i64,
    pub(super) matches: i64,
    pub(super) flags: [bool; 3],
    pub(super) decision_id: String,
}

pub(super) struct Picks {
    pub(super) picks: Vec<Pick>,
    pub(super) discarded: i64,
    pub(super) handled: i64,
    pub(super) left: i64,
}

pub(super) fn positions(season: &Season, wanted: usize) -> Picks {
    let candidates = candidates(season);
    let size = candidates.len();
    let mut covered: Vec<bool> =
        (0..size).map(|q| candidates.iter().any(|p| p.handled && neighbours(p, &candidates[q]))).collect();
    let mut gone: Vec<bool> = candidates.iter().map(|candidate| candidate.handled).collect();
    let mut taken: Vec<usize> = (0..size).filter(|&at| candidates[at].handled).collect();
    let handled = count(taken.len());
    let gain = |at: usize, covered: &[bool]| -> i64 {
        let open = (0..size).filter(|&q| !covered[q] && neighbours(&candidates[at], &candidates[q]));
        let quarters = 4 / (1 + i64::from(candidates[at].close)) / (1 + i64::from(candidates[at].unstable));
        quarters * open.map(|q| candidates[q].excess).sum::<i64>()
    };
    let (mut picks, mut discarded) = (Vec::new(), 0);
    while picks.len() < wanted {
        let rank = |at: &usize| {
            let of = &candidates[*at];
            (gain(*at, &covered), of.rollout, of.excess, std::cmp::Reverse((of.key, &of.family)))
        };
        let Some(best) = (0..size).filter(|&at| !gone[at]).max_by_key(rank) else { break };
        let value = gain(best, &covered);
        if value <= 0 {
            break;
        }
        gone[best] = true;
        if taken.iter().any(|&other| duplicates(&candidates[best], &candidates[other])) {
            discarded += 1;
            continue;
        }
        let new: Vec<usize> =
            (0..size).filter(|&q| !covered[q] && neighbours(&candidates[best], &candidates[q])).collect();
        for &q in &new {
            covered[q] = true;
        }
        taken.push(best);
        let errors: Vec<&ErrorRow> = new.iter().flat_map(|&q| candidates[q].errors.clone()).collect();
        let mut matches: Vec<&str> = errors.iter().map(|error| error.match_id.as_str()).collect();
        matches.sort_unstable();
        matches.dedup();
        let of = &candidates[best];
        picks.push(Pick {
            key: of.key.to_owned(),
            family: of.family.clone(),
            gain: value as f64 / 4.0,
            covered: count(new.len()),
            errors: count(errors.len()),
            matches: count(matches.len()),
            flags: [of.close, of.unstable, of.rollout],
            decision_id: of.worst.decision_id.clone(),
        });
    }
    let left = count((0..size).filter(|&at| !gone[at] && gain(at, &covered) > 0).count());
    Picks { picks, discarded, handled, left }
}

fn candidates(season: &Season) -> Vec<Candidate<'_>> {
    let mut list: Vec<Candidate<'_>> = Vec::new();
    for error in &season.errors {
        let (Some(theme), Some(_), Some(_)) = (&error.theme, error.loss, error.difficulty) else { continue };
        let name = family(error, theme);
        match list.iter_mut().find(|of| of.family == name && of.key == error.position_key) {
            Some(of) => of.errors.push(error),
            None => list.push(Candidate {
                family: name,
                key: &error.position_key,
                errors: vec![error],
                excess: 0,
                worst: error,
                close: false,
                unstable: false,
                rollout: false,
                handled: season.treated.contains(&error.position_key),
            }),
        }
    }
    for of in &mut list {
        let x = |error: &ErrorRow| error.loss.unwrap() - error.difficulty.unwrap();
        let date = |error: &ErrorRow| {
            let row: &MatchRow = season.matches.iter().find(|row| row.match_id == error.match_id).unwrap();
            row.date.map_or(i32::MAX, |day| day.0)
        };
        of.excess = of.errors.iter().map(|error| x(error).max(0)).sum();
        let rank = |error: &&&ErrorRow| (-x(error), date(error), error.match_id.clone(), error.order);
        of.worst = of.errors.iter().min_by_key(rank).unwrap();
        of.close = of.worst.gap.is_some_and(|gap| 2 * gap < 50);
        let position = RulingRow::position_of(of.key);
        let others = || season.rulings.iter().filter(|ruling| ruling.position == position);
        let matters = |ruling: &RulingRow| of.worst.nature == "cube" || ruling.rollout;
        of.unstable = others().any(|ruling| matters(ruling) && ruling.ruling != of.worst.ruling);
        of.rollout = others().any(|ruling| ruling.rollout) || of.errors.iter().any(|error| error.rollout);
    }
    list
}

fn score(of: &Candidate<'_>) -> (i64, i64) {
    if of.worst.nature == "cube" { (of.worst.own_away, of.worst.opp_away) } else { (0, 0) }
}

fn neighbours(a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
    a.family == b.family && score(a) == score(b) && like(a.key, b.key) <= 12
}

fn duplicates(a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
    a.family.1 == b.family.1 && score(a) == score(b) && like(a.key, b.key) <= 12
}

/// `classifiers.md` 5 on the text of the boards.
fn like(a: &str, b: &str) -> i64 {
    let sides = |key: &str| -> [Vec<i64>; 2] {
        let board: Vec<i64> = key.split('|').nth(1).unwrap().bytes().map(checkers).collect();
        let own: Vec<i64> = (0..26).map(|i| board[i].max(0)).collect();
        let other: Vec<i64> = (0..26).map(|i| (-board[25 - i]).max(0)).collect();
        [own, other].map(|mut side| {
            side[0] = 15 - side[1..].iter().sum::<i64>();
            side
        })
    };
    let (a, b) = (sides(a), sides(b));
    let mut distance = 0;
    for side in 0..2 {
        for i in 0..26 {
            distance += (a[side][..=i].iter().sum::<i64>() - b[side][..=i].iter().sum::<i64>()).abs();
        }
    }
    distance
}

fn checkers(letter: u8) -> i64 {
    match letter {
        b'A'..=b'O' => i64::from(letter - b'A') + 1,
        b'a'..=b'o' => -(i64::from(letter - b'a') + 1),
        _ => 0,
    }
}
