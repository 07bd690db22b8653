//! The last decisions, and errors by size (`metrics.md` 18).

use super::PlayerInput;
use crate::report::charts::Scale;
use crate::report::charts::axis::bar;
use crate::report::format;
use crate::report::markup::Markup;
use crate::report::words;
use crate::tables::study_marts::{HistogramRow, RollingRow};
use serde::Serialize;

/// PR over the last decisions.
#[derive(Serialize)]
pub(super) struct Rolling {
    last: String,
    pr: String,
    bar: Markup,
}

/// Counted decisions of one size of error.
#[derive(Serialize)]
pub(super) struct Size {
    name: String,
    decisions: String,
    mpt: String,
    bar: Markup,
}

/// Each size once, and where a player has fewer decisions than it, only the first such with the real count.
pub(super) fn rolling(input: &PlayerInput<'_>, scale: Scale) -> Vec<Rolling> {
    let mut rows: Vec<&RollingRow> = input.study.rolling.iter().filter(|row| row.decisions > 0).collect();
    rows.sort_by_key(|row| row.size);
    let whole = rows.iter().take_while(|row| row.decisions >= row.size).count();
    rows.truncate(whole + 1);
    rows.iter()
        .map(|row| Rolling {
            last: format::count(row.decisions.min(row.size)),
            pr: format::pr(row.pr),
            bar: scale.interval(row.pr, None),
        })
        .collect()
}

/// Where the line through a player's matches leads, where a goal was set for him; empty otherwise.
pub(super) fn goal(input: &PlayerInput<'_>) -> String {
    let Some(row) = input.study.trend.first() else { return String::new() };
    let (Some(wanted), Some(day)) = (row.goal_pr, row.goal_day) else { return String::new() };
    let (target, by) = (format::pr(Some(wanted)), format::date(Some(day)));
    let matches = words::counted(row.matches, "dated match", "dated matches");
    match row.pr_at_goal {
        // Below nothing no line leads: the distance is too far for it.
        Some(pr) if pr < 0.0 => {
            format!(
                "Goal: PR {target} on {by}. The line through {matches} leads below 0 by then: the day is too far for it."
            )
        }
        Some(pr) => format!(
            "Goal: PR {target} on {by}. At this pace, by a straight line through {matches}: {} then. A line is no forecast.",
            format::pr(Some(pr))
        ),
        None => format!(
            "Goal: PR {target} on {by}. Not enough matches for a line: {matches}, and three on different days are needed."
        ),
    }
}

pub(super) fn sizes(input: &PlayerInput<'_>) -> Vec<Size> {
    let mut rows: Vec<&HistogramRow> = input.study.histogram.iter().collect();
    rows.sort_by_key(|row| row.from_mpt);
    let most = rows.iter().map(|row| row.decisions).max().unwrap_or(0);
    if most == 0 {
        return Vec::new();
    }
    rows.iter()
        .map(|row| Size {
            name: match row.to_mpt {
                Some(to) => format!("{} to {}", row.from_mpt, to - 1),
                None => format!("{} and more", row.from_mpt),
            },
            decisions: format::count(row.decisions),
            mpt: format::count(row.mpt),
            bar: bar(row.decisions, most),
        })
        .collect()
}
