//! Reference positions by exhaustive comparison of all candidates (`metrics.md` 13).

use super::Lake;
use super::lessons::{Family, errors, excess, family};
use super::line::{Line, line};
use super::sums::{Game, nature, players, seasons, select, sorted};
use portes::game::Board;
use portes::game::key::PositionKey;
use portes::tables::facts::{CandidateRow, DecisionRow};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What one analysis says of one position.
#[derive(Clone, PartialEq)]
struct Ruling {
    right: String,
    rollout: bool,
}

/// Rounded to the mpt as an error is, sign kept.
fn rounded(units: i64) -> i64 {
    (units.abs() + 50_010) / 100_000 * units.signum()
}

fn ruling(row: &DecisionRow) -> Option<Ruling> {
    let right = match row.kind.as_str() {
        "checker" => row.best.clone().filter(|_| row.candidates > 0)?,
        "no_double" | "double" => {
            let gain = row.dt?.min(row.dp?) - row.nd?;
            if rounded(gain) > 0 { "double" } else { "no_double" }.to_owned()
        }
        _ => if rounded(row.dt? - row.dp?) > 0 { "pass" } else { "take" }.to_owned(),
    };
    Some(Ruling { right, rollout: row.depth_best.as_deref() == Some("rollout") })
}

/// Every analysis of every position, of all matches and files.
pub(super) struct Known<'a> {
    rulings: BTreeMap<&'a str, Vec<Ruling>>,
    options: BTreeMap<&'a str, Vec<&'a CandidateRow>>,
}

impl<'a> Known<'a> {
    pub(super) fn of(lake: &'a Lake) -> Self {
        let mut rulings: BTreeMap<&str, Vec<Ruling>> = BTreeMap::new();
        for row in lake.decisions.iter().chain(&lake.other_decisions) {
            if let Some(ruling) = ruling(row) {
                rulings.entry(row.position_key.as_str()).or_default().push(ruling);
            }
        }
        let mut options: BTreeMap<&str, Vec<&CandidateRow>> = BTreeMap::new();
        for row in &lake.candidates {
            options.entry(row.decision_id.as_str()).or_default().push(row);
        }
        Self { rulings, options }
    }

    /// What the second-best option costs.
    fn gap(&self, row: &DecisionRow) -> Option<i64> {
        Some(match row.kind.as_str() {
            "checker" => {
                let mut all = self.options.get(row.decision_id.as_str())?.clone();
                all.retain(|option| option.equity.is_some());
                all.sort_by_key(|option| option.rank);
                let first = all.first()?;
                let second = all.iter().find(|option| option.play != first.play)?;
                rounded(first.equity? - second.equity?).max(0)
            }
            "no_double" | "double" => rounded((row.nd? - row.dt?.min(row.dp?)).abs()),
            _ => rounded((row.dt? - row.dp?).abs()),
        })
    }
}

struct Candidate<'a> {
    family: Family,
    key: &'a str,
    board: Board,
    score: Option<(i64, i64)>,
    errors: Vec<&'a DecisionRow>,
    excess: i64,
    worst: &'a DecisionRow,
    gap: Option<i64>,
    close: bool,
    unstable: bool,
    rollout: bool,
    handled: bool,
}

impl Candidate<'_> {
    /// c, in quarters.
    fn quarters(&self) -> i64 {
        4 / (if self.close { 2 } else { 1 }) / (if self.unstable { 2 } else { 1 })
    }

    fn is_near(&self, other: &Self) -> bool {
        self.score == other.score && like(&self.board, &other.board) <= 12
    }
}

/// Steps of a side along its own path, both sides together.
fn like(a: &Board, b: &Board) -> i64 {
    let side = |board: &Board| {
        let mut counts: Vec<i64> = board.cells().iter().map(|cell| i64::from((*cell).max(0))).collect();
        counts[0] = 15 - counts[1..].iter().sum::<i64>();
        counts
    };
    let mut distance = 0;
    for (u, w) in [(side(a), side(b)), (side(&a.mirror()), side(&b.mirror()))] {
        let mut carried: i64 = 0;
        for at in 0..26 {
            carried += u[at] - w[at];
            distance += carried.abs();
        }
    }
    distance
}

fn candidates<'a>(
    known: &Known<'_>,
    games: &'a [Game<'a>],
    of: (&str, &str),
    handled: &BTreeSet<&str>,
) -> Vec<Candidate<'a>> {
    let mut groups: BTreeMap<(Family, &str), Vec<&DecisionRow>> = BTreeMap::new();
    for row in errors(&select(games, Some(of.0), Some(of.1))) {
        if let (Some(_), Some(family)) = (excess(row), family(row)) {
            groups.entry((family, row.position_key.as_str())).or_default().push(row);
        }
    }
    let date = |row: &DecisionRow| {
        let of = games.iter().find(|of| of.row.match_id == row.match_id).unwrap();
        of.row.date.map_or(i32::MAX, |day| day.0)
    };
    let mut list = Vec::new();
    for ((family, key), rows) in groups {
        let mut worst = rows.clone();
        worst.sort_by_key(|row| (Reverse(excess(row)), date(row), row.match_id.clone(), row.order));
        let (worst, gap) = (worst[0], known.gap(worst[0]));
        let own = ruling(worst).unwrap();
        let rulings = &known.rulings[key];
        let checker = nature(worst) == "checker";
        list.push(Candidate {
            excess: rows.iter().filter_map(|row| excess(row)).map(|x| x.max(0)).sum(),
            board: PositionKey::from_text(key).unwrap().board,
            score: (!checker).then_some((worst.own_away, worst.opp_away)),
            close: gap.is_some_and(|gap| 2 * gap < 50),
            unstable: rulings.iter().any(|other| other.right != own.right && (!checker || other.rollout)),
            rollout: rulings.iter().any(|other| other.rollout),
            handled: handled.contains(key),
            errors: rows,
            family,
            key,
            worst,
            gap,
        });
    }
    list
}

/// The decider as X: his answer to a double has the opponent on turn.
pub(super) fn xgid_of(key: &str, length: i64) -> String {
    let fields: Vec<&str> = key.split('|').collect();
    let [_, board, cube, owner, regime, own, opp, asked, dice] = fields[..] else { panic!("{key}") };
    let owner = match owner {
        "m" => 1,
        "o" => -1,
        _ => 0,
    };
    let (turn, dice) = match asked {
        "r" => (-1, "D"),
        "d" => (1, "00"),
        _ => (1, dice),
    };
    let score = |away: &str| length - away.parse::<i64>().unwrap();
    let crawford = i64::from(regime == "c");
    format!("XGID={board}:{cube}:{owner}:{turn}:{dice}:{}:{}:{crawford}:{length}:10", score(own), score(opp))
}

struct Chosen {
    at: usize,
    gain: i64,
    new: Vec<usize>,
}

pub(super) fn reference_positions(lake: &Lake, games: &[Game<'_>]) -> Vec<Line> {
    let known = Known::of(lake);
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in players(games, Some(season)) {
            let handled = treated(lake, player);
            let list = candidates(&known, games, (season, player), &handled);
            lines.extend(greedy(&list, games, (season, player)));
        }
    }
    lines
}

fn treated<'a>(lake: &'a Lake, player: &str) -> BTreeSet<&'a str> {
    let own = |of: &Option<String>| of.as_deref() == Some(player);
    let mut keys = BTreeSet::new();
    keys.extend(lake.events.iter().filter(|row| own(&row.player)).filter_map(|row| row.key_full.as_deref()));
    keys.extend(lake.treated.iter().filter(|row| own(&row.player)).filter_map(|row| row.key_full.as_deref()));
    keys
}

fn greedy(list: &[Candidate<'_>], games: &[Game<'_>], (season, player): (&str, &str)) -> Vec<Line> {
    let neighbours = |p: usize, q: usize| list[p].family == list[q].family && list[p].is_near(&list[q]);
    let duplicates = |p: usize, q: usize| list[p].family.1 == list[q].family.1 && list[p].is_near(&list[q]);
    let mut near: Vec<Vec<usize>> = Vec::new();
    for p in 0..list.len() {
        near.push((0..list.len()).filter(|&q| neighbours(p, q)).collect());
    }
    let mut covered: BTreeSet<usize> = BTreeSet::new();
    let mut taken: Vec<usize> = (0..list.len()).filter(|&at| list[at].handled).collect();
    for &at in &taken {
        covered.extend(&near[at]);
    }
    let handled = taken.len() as i64;
    let mut open: BTreeSet<usize> = (0..list.len()).filter(|&at| !list[at].handled).collect();
    let gain = |at: usize, covered: &BTreeSet<usize>| -> i64 {
        list[at].quarters() * near[at].iter().filter(|q| !covered.contains(q)).map(|&q| list[q].excess).sum::<i64>()
    };
    let (mut chosen, mut discarded) = (Vec::new(), 0);
    while chosen.len() < 50 {
        let order = |&at: &usize| {
            let of = &list[at];
            (Reverse(gain(at, &covered)), Reverse(of.rollout), Reverse(of.excess), of.key, of.family.clone())
        };
        let Some(at) = open.iter().copied().min_by_key(order) else { break };
        let value = gain(at, &covered);
        if value <= 0 {
            break;
        }
        open.remove(&at);
        if taken.iter().any(|&other| duplicates(at, other)) {
            discarded += 1;
            continue;
        }
        let new: Vec<usize> = near[at].iter().copied().filter(|q| !covered.contains(q)).collect();
        covered.extend(&new);
        taken.push(at);
        chosen.push(Chosen { at, gain: value, new });
    }
    let left = open.iter().filter(|&&at| gain(at, &covered) > 0).count() as i64;
    let line = |(rank, one): (i64, &Chosen)| {
        let of = &list[one.at];
        let errors: Vec<&DecisionRow> = one.new.iter().flat_map(|&q| list[q].errors.clone()).collect();
        let row = games.iter().find(|game| game.row.match_id == of.worst.match_id).unwrap().row;
        line! {
            season: season,
            player: player,
            rank: rank,
            position_key: of.key,
            xgid: xgid_of(of.key, row.length.unwrap()),
            plan: &of.family.0,
            nature: of.family.1,
            theme: &of.family.2,
            gain: one.gain as f64 / 4e9,
            covered_excess: one.new.iter().map(|&q| list[q].excess).sum::<i64>() as f64 / 1e9,
            covered: one.new.len() as i64,
            errors: errors.len() as i64,
            matches: sorted(errors.iter().map(|row| &row.match_id).collect()).len() as i64,
            gap: of.gap,
            close: of.close,
            unstable: of.unstable,
            rollout: of.rollout,
            decision_id: &of.worst.decision_id,
            match_id: &of.worst.match_id,
            discarded: discarded,
            handled: handled,
            left: left,
        }
    };
    (1..).zip(&chosen).map(line).collect()
}

/// Every position of the families of five errors or more, the fifty worst of each.
pub(super) fn family_positions(games: &[Game<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for season in seasons(games) {
        for player in players(games, Some(season)) {
            let mut families: BTreeMap<Family, Vec<&DecisionRow>> = BTreeMap::new();
            for row in errors(&select(games, Some(season), Some(player))) {
                if let (Some(_), Some(family)) = (excess(row), family(row)) {
                    families.entry(family).or_default().push(row);
                }
            }
            families.retain(|_, rows| rows.len() >= 5);
            for (family, rows) in families {
                for mut line in positions_of(games, &rows) {
                    line.extend(line! {
                        season: season, player: player, plan: &family.0, nature: family.1, theme: &family.2,
                    });
                    lines.push(line);
                }
            }
        }
    }
    lines
}

/// The positions of some errors, the one with the worst single error first.
fn positions_of(games: &[Game<'_>], rows: &[&DecisionRow]) -> Vec<Line> {
    let game = |row: &DecisionRow| games.iter().find(|of| of.row.match_id == row.match_id).unwrap();
    let date = |row: &DecisionRow| game(row).row.date.map_or(i32::MAX, |day| day.0);
    let mut worst_of = Vec::new();
    for key in sorted(rows.iter().map(|row| row.position_key.as_str()).collect()) {
        let mut own: Vec<&DecisionRow> = rows.iter().copied().filter(|row| row.position_key == key).collect();
        own.sort_by_key(|row| (Reverse(excess(row)), date(row), row.match_id.clone(), row.order));
        worst_of.push((own[0], own.len() as i64));
    }
    let positions = worst_of.len() as i64;
    worst_of.sort_by_key(|(row, _)| (Reverse(excess(row)), row.position_key.clone()));
    let mut lines = Vec::new();
    for (rank, (row, errors)) in (1..).zip(worst_of.into_iter().take(50)) {
        let before =
            |other: &&&DecisionRow| other.game == row.game && other.order < row.order && other.kind == "checker";
        let checker = row.kind == "checker";
        lines.push(line! {
            rank: rank as i64,
            position_key: &row.position_key,
            xgid: xgid_of(&row.position_key, game(row).row.length.unwrap()),
            errors: errors,
            excess: excess(row).unwrap() as f64 / 1e9,
            decision_id: &row.decision_id,
            match_id: &row.match_id,
            positions: positions,
            ply: 1 + game(row).decisions.iter().filter(before).count() as i64,
            best: row.best.as_deref().filter(|_| checker),
            played: row.play.as_deref().filter(|_| checker),
        });
    }
    lines
}
