//! Hasty or considered: a decision's thinking time against its player's own median (`metrics.md` 10.3).
//!
//! The population of a median is one seat's counted decisions of one nature in one match, as far as their times are
//! known. A time that is not known is never guessed, and a seat without any has no pace.

use crate::game::Kind;
use crate::game::kind::Nature;
use crate::tables::facts::DecisionRow;
use std::collections::BTreeMap;

/// How an error came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Faster than the median.
    Hasty,
    /// At the median or slower.
    Considered,
    /// Without a time.
    Unknown,
}

impl Pace {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Hasty => "hasty",
            Self::Considered => "considered",
            Self::Unknown => "unknown",
        }
    }
}

/// Who decides, and whether plays or cube actions: the population of a median.
type Player = (i64, Option<Nature>);

/// The middle thinking time of each seat's counted decisions of one nature, doubled: the middle of an even number of
/// times is the mean of two, and twice that is whole.
pub(super) struct Medians(BTreeMap<Player, i64>);

impl Medians {
    /// Of the decisions of one match.
    pub(super) fn of(decisions: &[DecisionRow]) -> Self {
        let mut times: BTreeMap<Player, Vec<i64>> = BTreeMap::new();
        for row in decisions.iter().filter(|row| row.counted) {
            if let Some(seconds) = row.seconds {
                times.entry(player(row)).or_default().push(seconds);
            }
        }
        Self(times.into_iter().map(|(player, times)| (player, doubled_median(times))).collect())
    }

    /// Of one counted decision.
    pub(super) fn pace(&self, row: &DecisionRow) -> Pace {
        let Some((seconds, median)) = row.seconds.zip(self.0.get(&player(row))) else { return Pace::Unknown };
        if seconds.saturating_mul(2) < *median { Pace::Hasty } else { Pace::Considered }
    }

    /// Whether any counted decision of a seat has a time.
    pub(super) fn times(&self, seat: i64) -> bool {
        self.0.keys().any(|(timed, _)| *timed == seat)
    }
}

fn player(row: &DecisionRow) -> Player {
    (row.seat, Kind::from_token(&row.kind).map(Kind::nature))
}

/// Of at least one time.
fn doubled_median(mut times: Vec<i64>) -> i64 {
    times.sort_unstable();
    let upper = times.len() / 2;
    let lower = times.len().saturating_sub(1) / 2;
    times[lower].saturating_add(times[upper])
}
