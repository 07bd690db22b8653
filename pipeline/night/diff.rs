//! `portes diff A B`: what tells two kept snapshots apart, in words for a terminal.
//!
//! The comparison is [`crate::tables::changes`]; here it only gets its words. Lists are whole: whoever asks for a
//! difference wants all of it, and a pager is at hand.

use super::amount::amount;
use super::fault::NightFault;
use super::status::{day, sentence, terminal};
use crate::config::Settings;
use crate::tables::changes::{Changed, Changes, Level, Moved, Played, Rows, SeatFigures, What};
use crate::tables::facts::MatchRow;
use crate::tables::lake::Lake;
use std::fmt::Write as _;

/// The text for a terminal.
///
/// # Errors
/// [`NightFault::NoSuch`] for what is no number of a kept snapshot; tables that cannot be read.
pub(super) fn text(settings: &Settings, (from, to): (&str, &str)) -> Result<String, NightFault> {
    let lake = Lake::at(settings.lake());
    let (from, to) = (number(&lake, from)?, number(&lake, to)?);
    let before = Rows::read(&lake.snapshot(from))?;
    let after = Rows::read(&lake.snapshot(to))?;
    Ok(words((from, to), &Changes::between(&before, &after)))
}

/// The number of a kept snapshot, as it was typed.
fn number(lake: &Lake, typed: &str) -> Result<u64, NightFault> {
    let numbers = lake.numbers()?;
    let asked = typed.parse().ok();
    if let Some(number) = asked.filter(|number| numbers.contains(number)) {
        return Ok(number);
    }
    if numbers.is_empty() {
        return Err(NightFault::Empty(lake.root().to_path_buf()));
    }
    let kept: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let said = asked.map_or_else(
        || format!("{:?} is no number of a snapshot", terminal(typed)),
        |number| format!("snapshot {number} is not kept"),
    );
    Err(NightFault::NoSuch(format!("{said}; there are {}", kept.join(", "))))
}

fn words((from, to): (u64, u64), changes: &Changes) -> String {
    if changes.is_empty() {
        return format!("snapshot {from} to {to}: the same matches, figures and rejected files\n");
    }
    let mut out = format!(
        "snapshot {from} to {to}: {} added, {} removed, {} changed; {} moved; {} newly rejected\n",
        amount(changes.added.len(), "match"),
        changes.removed.len(),
        changes.changed.len(),
        amount(changes.moved.len(), "player"),
        amount(changes.rejected.len(), "file"),
    );
    for (what, matches) in [("added", &changes.added), ("removed", &changes.removed)] {
        for played in matches {
            _ = writeln!(out, "{what}: {}", title(&played.row));
        }
    }
    for changed in &changes.changed {
        _ = writeln!(out, "changed: {}", title(&changed.after.row));
        details(&mut out, changed);
    }
    for moved in &changes.moved {
        _ = writeln!(out, "{}", of_player(moved));
    }
    for row in &changes.rejected {
        _ = writeln!(out, "rejected: {}", sentence(row));
    }
    out
}

/// `0123456789abcdef Bramblewick v Dovetail, 7 points, 7-5 (season 2026, Lantern Open)`.
pub(super) fn title(row: &MatchRow) -> String {
    let length = row.length.map_or_else(|| "money session".to_owned(), |points| amount(points, "point"));
    let event = row.event.as_deref().map_or_else(String::new, |event| format!(", {}", terminal(event)));
    // A score ends at the length of the match, as on the pages.
    let points = |points: i64| row.length.map_or(points, |length| points.min(length));
    format!(
        "{} {} v {}, {length}, {}-{} (season {}{event})",
        row.match_id,
        terminal(&row.player_1),
        terminal(&row.player_2),
        points(row.score_1),
        points(row.score_2),
        terminal(&row.season),
    )
}

fn details(out: &mut String, Changed { before, after, what }: &Changed) {
    if what.contains(&What::Primary) {
        _ = writeln!(out, "  analysis: {} -> {}", analysis(before), analysis(after));
    }
    if what.contains(&What::Figures) {
        for (seat, name) in [(1, &after.row.player_1), (2, &after.row.player_2)] {
            let (was, is) = (before.seats.get(&seat), after.seats.get(&seat));
            if was != is {
                _ = writeln!(out, "  {}: {} -> {}", terminal(name), seat_figures(was), seat_figures(is));
            }
        }
    }
    if what.contains(&What::Description) {
        _ = writeln!(out, "  it was: {}", title(&before.row));
        let names = |row: &MatchRow| format!("{} v {}", terminal(&row.name_1), terminal(&row.name_2));
        if names(&before.row) != names(&after.row) {
            _ = writeln!(out, "  written: {} -> {}", names(&before.row), names(&after.row));
        }
        out.push_str(&fields(&before.row, &after.row));
    }
    if what.contains(&What::Other) {
        out.push_str("  no figure: another analysis beside the primary one, or a comment\n");
    }
}

/// What a title does not show.
fn fields(before: &MatchRow, after: &MatchRow) -> String {
    let text = |text: &Option<String>| text.as_deref().map_or_else(|| "none".to_owned(), terminal);
    let mut out = String::new();
    for (what, was, is) in [
        ("round", text(&before.round), text(&after.round)),
        ("place", text(&before.place), text(&after.place)),
        ("date", day(before.date), day(after.date)),
    ] {
        if was != is {
            _ = writeln!(out, "  {what}: {was} -> {is}");
        }
    }
    out
}

fn analysis(played: &Played) -> String {
    played.primary.as_ref().map_or_else(
        || "none".to_owned(),
        |primary| {
            let depths = primary.depths.as_deref().map_or_else(String::new, |depths| format!(", {}", terminal(depths)));
            format!("{} ({}{depths})", terminal(&primary.path), terminal(&primary.engine))
        },
    )
}

fn seat_figures(seat: Option<&SeatFigures>) -> String {
    let Some(seat) = seat else { return "none".to_owned() };
    let loss = seat.loss.map_or_else(|| "no MWC".to_owned(), |loss| format!("{:.2} % lost", loss * 100.0));
    format!("{}, {}, {loss}", pr(seat.pr), amount(seat.decisions, "decision"))
}

fn of_player(Moved { season, player, before, after }: &Moved) -> String {
    let who = format!("{}, season {}", terminal(player), terminal(season));
    match (before, after) {
        (Some(was), Some(is)) => format!("{who}: {}", steps(was, is).join("; ")),
        (None, Some(is)) => format!("{who}: new, {}", level(is)),
        (Some(was), None) => format!("{who}: gone, was {}", level(was)),
        (None, None) => who,
    }
}

fn level(level: &Level) -> String {
    format!("{}, {}, {}", pr(level.pr), amount(level.decisions, "decision"), amount(level.matches, "match"))
}

/// What moved, and only that.
fn steps(was: &Level, is: &Level) -> Vec<String> {
    let mut steps = Vec::new();
    if was.pr != is.pr {
        // Where two decimals hide the step, as many as show it.
        let told = |decimals| [was.pr, is.pr].map(|pr| pr_to(pr, decimals));
        let [was, is] = (2..MOST_DECIMALS).map(told).find(|[was, is]| was != is).unwrap_or_else(|| told(MOST_DECIMALS));
        steps.push(format!("{was} -> {}", is.strip_prefix("PR ").unwrap_or(&is)));
    }
    for (what, was, is) in [("decision", was.decisions, is.decisions), ("match", was.matches, is.matches)] {
        if was != is {
            steps.push(format!("{was} -> {}", amount(is, what)));
        }
    }
    steps
}

/// Decimals that tell any two figures apart.
const MOST_DECIMALS: usize = 17;

pub(super) fn pr(pr: Option<f64>) -> String {
    pr_to(pr, 2)
}

fn pr_to(pr: Option<f64>, decimals: usize) -> String {
    pr.map_or_else(|| "no PR".to_owned(), |pr| format!("PR {pr:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_two_decimals_hide_is_shown_with_more_and_what_stands_still_is_left_out() {
        let level = |pr: f64| Level { matches: 3, decisions: 200, pr: Some(pr) };
        assert_eq!(steps(&level(5.1), &level(4.98)), ["PR 5.10 -> 4.98"]);
        assert_eq!(steps(&level(5.1), &level(5.1025)), ["PR 5.100 -> 5.103"]);
        let more = Level { matches: 4, decisions: 260, pr: Some(5.1) };
        assert_eq!(steps(&level(5.1), &more), ["200 -> 260 decisions", "3 -> 4 matches"]);
    }
}
