//! Selections of decisions and the three formulas that everything is finished with: a ratio with its interval, the loss
//! of a 7-point match, the comparison of two figures (`metrics.md` 7, 9, 16.2).

use super::Lake;
use portes::tables::facts::{DecisionRow, MatchRow};

/// One match with its decisions, in order.
pub(super) struct Game<'a> {
    pub(super) row: &'a MatchRow,
    pub(super) decisions: Vec<&'a DecisionRow>,
    pub(super) engine: &'a str,
    pub(super) from_xg: bool,
}

impl<'a> Game<'a> {
    pub(super) fn all(lake: &'a Lake) -> Vec<Self> {
        let mut all = Vec::new();
        for row in &lake.matches {
            let mut decisions = Vec::new();
            for decision in &lake.decisions {
                if decision.match_id == row.match_id {
                    decisions.push(decision);
                }
            }
            decisions.sort_by_key(|decision| (decision.game, decision.order));
            let primary = lake.analyses.iter().find(|one| one.primary && one.match_id == row.match_id).unwrap();
            all.push(Self {
                row,
                decisions,
                engine: &primary.engine,
                from_xg: primary.format == "xg" && !primary.made_by_portes,
            });
        }
        all
    }

    pub(super) fn players(&self) -> [&'a str; 2] {
        [&self.row.player_1, &self.row.player_2]
    }

    /// The seats a player sat in; both of them for nobody in particular.
    pub(super) fn seats(&self, player: Option<&str>) -> Vec<i64> {
        let mut seats = Vec::new();
        for (seat, name) in [(1, self.players()[0]), (2, self.players()[1])] {
            if player.is_none_or(|player| player == name) {
                seats.push(seat);
            }
        }
        seats
    }

    /// Points played for, where match equity exists.
    pub(super) fn points(&self) -> Option<f64> {
        if self.row.play == "points" { self.row.length.map(|length| length as f64) } else { None }
    }
}

/// Some seats of a match.
pub(super) struct Part<'a> {
    pub(super) of: &'a Game<'a>,
    pub(super) seats: Vec<i64>,
}

impl<'a> Part<'a> {
    /// Their decisions.
    pub(super) fn all(&self) -> Vec<&'a DecisionRow> {
        self.of.decisions.iter().copied().filter(|row| self.seats.contains(&row.seat)).collect()
    }

    /// Their counted decisions.
    pub(super) fn counted(&self) -> Vec<&'a DecisionRow> {
        self.all().into_iter().filter(|row| row.counted).collect()
    }
}

/// The matches of a season (of all of them without one) in which a player sat.
pub(super) fn select<'a>(games: &'a [Game<'a>], season: Option<&str>, player: Option<&str>) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    for of in games {
        let seats = of.seats(player);
        if !seats.is_empty() && season.is_none_or(|season| season == of.row.season) {
            parts.push(Part { of, seats });
        }
    }
    parts
}

pub(super) fn sorted<T: Ord>(mut names: Vec<T>) -> Vec<T> {
    names.sort();
    names.dedup();
    names
}

pub(super) fn seasons<'a>(games: &[Game<'a>]) -> Vec<&'a str> {
    sorted(games.iter().map(|of| of.row.season.as_str()).collect())
}

/// Everybody who sat in a season (in any of them without one).
pub(super) fn players<'a>(games: &[Game<'a>], season: Option<&str>) -> Vec<&'a str> {
    let of_season = games.iter().filter(|of| season.is_none_or(|season| season == of.row.season));
    sorted(of_season.flat_map(Game::players).collect())
}

/// Nobody in particular, then everybody.
pub(super) fn selections<'a>(games: &[Game<'a>], season: Option<&str>) -> Vec<Option<&'a str>> {
    [None].into_iter().chain(players(games, season).into_iter().map(Some)).collect()
}

/// A figure with its interval by so many units.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figure {
    pub(super) value: Option<f64>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    pub(super) units: i64,
}

/// 9.2 and 9.4 on (amount, size) units, finished by a factor.
pub(super) fn ratio(units: &[(f64, f64)], factor: f64) -> Figure {
    let mut used = Vec::new();
    for unit in units {
        if unit.1 > 0.0 {
            used.push(*unit);
        }
    }
    let (mut amount, mut size) = (0.0, 0.0);
    for unit in &used {
        amount += unit.0;
        size += unit.1;
    }
    let count = used.len() as f64;
    let mut figure = Figure { units: used.len() as i64, ..Figure::default() };
    if used.is_empty() {
        return figure;
    }
    let value = amount / size;
    figure.value = Some(value * factor);
    let mut squares = 0.0;
    for unit in &used {
        squares += (unit.0 - value * unit.1) * (unit.0 - value * unit.1);
    }
    if used.len() >= 3 {
        let error = (count / (count - 1.0) * squares).sqrt() / size;
        if error > 1e-6 * value.abs() {
            figure.low = Some((value - 1.96 * error).max(0.0) * factor);
            figure.high = Some((value + 1.96 * error) * factor);
        }
    }
    figure
}

pub(super) fn mpt(rows: &[&DecisionRow]) -> i64 {
    rows.iter().map(|row| row.e_mpt.unwrap()).sum()
}

pub(super) fn loss(rows: &[&DecisionRow]) -> i64 {
    rows.iter().filter_map(|row| row.loss).sum()
}

/// What holds of the decisions that matter: all counted ones of a kind, of a cell.
pub(super) type Wanted<'w> = &'w dyn Fn(&DecisionRow) -> bool;

/// PR over matches.
pub(super) fn pr_by_matches(parts: &[Part<'_>], wanted: Wanted<'_>) -> Figure {
    let mut units = Vec::new();
    for part in parts {
        let rows: Vec<&DecisionRow> = part.counted().into_iter().filter(|row| wanted(row)).collect();
        units.push((mpt(&rows) as f64, rows.len() as f64));
    }
    ratio(&units, 0.5)
}

/// PR over the games of one match.
pub(super) fn pr_by_games(part: &Part<'_>, wanted: Wanted<'_>) -> Figure {
    let counted = part.counted();
    let mut units = Vec::new();
    for game in sorted(part.of.decisions.iter().map(|row| row.game).collect()) {
        let rows: Vec<&DecisionRow> = counted.iter().copied().filter(|row| row.game == game && wanted(row)).collect();
        units.push((mpt(&rows) as f64, rows.len() as f64));
    }
    ratio(&units, 0.5)
}

/// L7 of a set of matches.
pub(super) fn l7_by_matches(parts: &[Part<'_>]) -> Figure {
    let mut units = Vec::new();
    for part in parts {
        let Some(length) = part.of.points() else { continue };
        let (mut lost, mut weight) = (0.0, 0.0);
        for seat in &part.seats {
            let priced: Vec<&DecisionRow> =
                part.counted().into_iter().filter(|row| row.seat == *seat && row.loss.is_some()).collect();
            if !priced.is_empty() {
                lost += loss(&priced) as f64 / 1e9;
                weight += length.sqrt();
            }
        }
        units.push((lost, weight));
    }
    ratio(&units, 7f64.sqrt())
}

/// L7 of one match: a sum over the games in which anybody decided (9.3).
pub(super) fn l7_by_games(part: &Part<'_>) -> Figure {
    let whole = l7_by_matches(std::slice::from_ref(part));
    let (Some(value), Some(length)) = (whole.value, part.of.points()) else { return Figure::default() };
    let counted = part.counted();
    let seats = part.seats.iter().filter(|seat| counted.iter().any(|row| row.seat == **seat && row.loss.is_some()));
    let factor = (7.0 / length).sqrt() / seats.count() as f64;
    let mut losses = Vec::new();
    for game in sorted(part.of.decisions.iter().filter(|row| row.counted).map(|row| row.game).collect()) {
        let rows: Vec<&DecisionRow> = counted.iter().copied().filter(|row| row.game == game).collect();
        losses.push(loss(&rows) as f64 / 1e9);
    }
    let count = losses.len() as f64;
    let sum: f64 = losses.iter().sum();
    let mean = sum / count;
    let squares: f64 = losses.iter().map(|l| (l - mean) * (l - mean)).sum();
    let error = (count / (count - 1.0) * squares).sqrt();
    let mut figure = Figure { value: Some(value), units: losses.len() as i64, ..Figure::default() };
    if losses.len() >= 3 && error > 1e-6 * sum.abs() {
        figure.low = Some((sum - 1.96 * error).max(0.0) * factor);
        figure.high = Some((sum + 1.96 * error) * factor);
    }
    figure
}

/// Elo against the engine, and whether it stands at its floor.
pub(super) fn elo(l7: f64) -> (f64, bool) {
    let q = (0.5 - l7.max(0.0)).max(0.01);
    (2000.0 / 7f64.sqrt() * (q / (1.0 - q)).log10(), l7 > 0.49 + 1e-12)
}

/// Which of his natures a decision is of.
pub(super) fn nature(row: &DecisionRow) -> &'static str {
    if row.kind == "checker" { "checker" } else { "cube" }
}

/// Quick or considered, against the middle of his known times of the match and nature; nothing without a time.
pub(super) fn clock(of: &Game<'_>, row: &DecisionRow) -> Option<&'static str> {
    let mut times = Vec::new();
    for other in &of.decisions {
        if other.counted && other.seat == row.seat && nature(other) == nature(row) {
            times.extend(other.seconds);
        }
    }
    times.sort_unstable();
    let seconds = row.seconds?;
    let half = times.len() / 2;
    let median = if times.len() % 2 == 1 { times[half] as f64 } else { (times[half - 1] + times[half]) as f64 / 2.0 };
    Some(if (seconds as f64) < median { "quick" } else { "considered" })
}

/// Matches of one day in the order they were played: event, round with its digits as numbers, match id.
pub(super) fn played(row: &MatchRow) -> (Option<String>, Vec<(u8, u64, String)>, String) {
    (row.event.clone(), round(row.round.as_deref().unwrap_or_default()), row.match_id.clone())
}

/// Digits read as numbers, before text.
pub(super) fn round(text: &str) -> Vec<(u8, u64, String)> {
    let mut pieces: Vec<(u8, u64, String)> = Vec::new();
    for letter in text.chars() {
        match (letter.to_digit(10), pieces.last_mut()) {
            (Some(digit), Some((0, number, _))) => *number = *number * 10 + u64::from(digit),
            (Some(digit), _) => pieces.push((0, u64::from(digit), String::new())),
            (None, Some((1, _, word))) => word.push(letter),
            (None, _) => pieces.push((1, 0, letter.to_string())),
        }
    }
    pieces
}
