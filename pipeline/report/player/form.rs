//! The last decisions, and errors by size (`metrics.md` 18).

use super::PlayerInput;
use crate::report::charts::Scale;
use crate::report::charts::axis::bar;
use crate::report::format;
use crate::report::markup::Markup;
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
