//! What the intervals say about the order of the players: sentences that are printed only where they are true.
//!
//! Two lines that overlap separate nothing (`metrics.md` 9.5), and a player without an interval is neither above nor below
//! anybody. The order itself is the season's; here it is only told how much of it is established.

use super::names::{NAME, shown};
use super::{SeasonInput, format, words};
use crate::tables::marts::PlayerSeasonRow;

/// Beside the bars: the pooled figure, and whoever stands apart at an end.
pub(super) fn level_say(input: &SeasonInput<'_>, players: &[&PlayerSeasonRow]) -> Vec<String> {
    let both = input.players.iter().find(|row| row.player.is_none() && row.pr.is_some());
    let mut said: Vec<String> = both
        .map(|row| {
            let interval = format::interval(row.pr_low, row.pr_high, 2);
            format!(
                "All decisions of the season together: PR {}{}{interval}.",
                format::pr(row.pr),
                if interval.is_empty() { "" } else { " " }
            )
        })
        .into_iter()
        .collect();
    let lines: Vec<Placed<'_>> = placed(players).into_iter().flatten().collect();
    if let [first, others @ ..] = lines.as_slice()
        && !others.is_empty()
        && others.iter().all(|other| first.high < other.low)
    {
        said.push(format!(
            "{}\u{2019}s interval ends at {}, below where any other begins.",
            shown(first.name, NAME),
            format::fixed(first.high, 2)
        ));
    }
    if let [others @ .., last] = lines.as_slice()
        && !others.is_empty()
        && others.iter().all(|other| other.high < last.low)
    {
        said.push(format!(
            "{}\u{2019}s interval begins at {}, above where any other ends.",
            shown(last.name, NAME),
            format::fixed(last.low, 2)
        ));
    }
    said
}

/// A player with an interval, at a place.
struct Placed<'a> {
    name: &'a str,
    low: f64,
    high: f64,
}

/// The players with a PR, in order; `None` = without an interval.
fn placed<'a>(players: &[&'a PlayerSeasonRow]) -> Vec<Option<Placed<'a>>> {
    players
        .iter()
        .filter(|row| row.pr.is_some())
        .map(|row| Some(Placed { name: row.player.as_deref()?, low: row.pr_low?, high: row.pr_high? }))
        .collect()
}

/// What the intervals say about the order (`metrics.md` 9.5), in at most three sentences, each true.
pub(super) fn order(players: &[&PlayerSeasonRow]) -> Vec<String> {
    let placed = placed(players);
    let without = placed.iter().filter(|place| place.is_none()).count();
    let mut said = Vec::new();
    if placed.len() > 1 {
        said.extend(first_place(&placed, without));
        said.extend(longest_run(&placed));
    }
    if without > 0 && without < placed.len() {
        let n = words::counted(i64::try_from(without).unwrap_or(i64::MAX), "player carries", "players carry");
        said.push(format!("{} no interval: three matches are needed.", words::sentence(&n)));
    }
    if placed.len() > 1 && without == placed.len() {
        said.push(
            "No player has three matches that differ, so no line has an interval and the order is not established."
                .to_owned(),
        );
    }
    said
}

fn first_place(placed: &[Option<Placed<'_>>], without: usize) -> Option<String> {
    let first = placed.first()?.as_ref()?;
    let mut others = placed[1..].iter().flatten().peekable();
    others.peek()?;
    let name = shown(first.name, NAME);
    if !others.all(|other| first.high < other.low) {
        return Some(format!("{name} has the lowest PR, but the lines overlap: who played best is not established."));
    }
    if without > 0 {
        return Some(format!("Of those with an interval {name} played best."));
    }
    Some(format!("{name} played best, and the interval shows it."))
}

/// The longest run of neighbours whose lines overlap, the first place left out where it is said to be unsettled anyway.
fn longest_run(placed: &[Option<Placed<'_>>]) -> Option<String> {
    let overlap = |a: &Placed<'_>, b: &Placed<'_>| a.low <= b.high && b.low <= a.high;
    let joined = |at: usize| matches!((&placed[at], &placed[at + 1]), (Some(a), Some(b)) if overlap(a, b));
    let (mut best, mut start) = (0..0, 0);
    for at in 0..placed.len() {
        if at + 1 < placed.len() && joined(at) {
            continue;
        }
        if at - start > best.len() {
            best = start..at;
        }
        start = at + 1;
    }
    if best.is_empty() {
        return None;
    }
    let (Some(first), Some(last)) = (placed[best.start].as_ref(), placed[best.end].as_ref()) else { return None };
    let ends = if best.len() > 1 && !overlap(first, last) { ", though the ends are apart" } else { "" };
    Some(format!(
        "From {} to {} place the lines overlap: the order there is not established{ends}.",
        words::ordinal(best.start + 1),
        words::ordinal(best.end + 1),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(lines: &[Option<(f64, f64)>]) -> Vec<Option<Placed<'static>>> {
        lines.iter().map(|line| line.map(|(low, high)| Placed { name: "X", low, high })).collect()
    }

    #[test]
    fn the_order_of_the_mock_is_told_as_the_mock_tells_it() {
        let lines = [
            (2.25, 3.29),
            (3.79, 5.45),
            (4.14, 5.90),
            (5.42, 7.81),
            (5.93, 8.50),
            (6.14, 8.32),
            (7.14, 8.76),
            (24.79, 37.31),
        ];
        let season = lines_of(&lines.map(Some));
        assert_eq!(first_place(&season, 0).as_deref(), Some("X played best, and the interval shows it."));
        assert_eq!(
            longest_run(&season).as_deref(),
            Some(
                "From second to seventh place the lines overlap: the order there is not established, though the ends are apart."
            )
        );
    }

    #[test]
    fn nothing_is_said_that_the_lines_do_not_show() {
        let apart = lines_of(&[Some((1.0, 2.0)), Some((3.0, 4.0))]);
        assert_eq!(longest_run(&apart), None);
        let touching = lines_of(&[Some((1.0, 3.0)), Some((3.0, 4.0))]);
        assert!(first_place(&touching, 0).is_some_and(|text| text.contains("not established")));
        assert!(longest_run(&touching).is_some_and(|text| text.starts_with("From first to second place")));
        let broken = lines_of(&[Some((1.0, 3.0)), None, Some((2.0, 4.0))]);
        assert_eq!(longest_run(&broken), None);
        assert_eq!(first_place(&lines_of(&[None, Some((2.0, 4.0))]), 1), None);
    }
}
