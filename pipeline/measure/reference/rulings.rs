//! What all analyses say of the positions somebody erred in, wherever and by whomever they were analysed.
//!
//! Positions are known by the short number of `rulings`; of each only the distinct rulings are kept.

use crate::game::kind::Nature;
use crate::tables::partials::RulingRow;
use std::collections::BTreeMap;

/// Distinct rulings by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rulings(BTreeMap<i64, Vec<Ruling>>);

/// What one analysis, or several alike, says is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The best play, or `double`/`no_double`, `take`/`pass`.
    pub right: String,
    /// The best is rolled out.
    pub rollout: bool,
}

impl Rulings {
    /// One more analysis of a position ([`RulingRow::position`]).
    pub fn add(&mut self, position: i64, ruling: Ruling) {
        let known = self.0.entry(position).or_default();
        if !known.contains(&ruling) {
            // Most positions have one ruling, and a list takes room for four unasked.
            known.reserve_exact(1);
            known.push(ruling);
        }
    }

    /// Whether some analysis rules differently from `right`. Of a checker play only a rollout can: two evaluations that
    /// prefer different plays show a close decision, not a wrong analysis.
    #[must_use]
    pub fn contradict(&self, position_key: &str, nature: &str, right: &str) -> bool {
        let checker = nature == Nature::Checker.token();
        self.of(position_key).iter().any(|ruling| ruling.right != right && (ruling.rollout || !checker))
    }

    /// Whether some analysis of a position is a rollout.
    #[must_use]
    pub fn rolled_out(&self, position_key: &str) -> bool {
        self.of(position_key).iter().any(|ruling| ruling.rollout)
    }

    fn of(&self, position_key: &str) -> &[Ruling] {
        self.0.get(&RulingRow::position_of(position_key)).map_or(&[], Vec::as_slice)
    }
}

impl<'a> FromIterator<&'a RulingRow> for Rulings {
    fn from_iter<T: IntoIterator<Item = &'a RulingRow>>(rows: T) -> Self {
        let mut rulings = Self::default();
        for row in rows {
            rulings.add(row.position, Ruling { right: row.ruling.clone(), rollout: row.rollout });
        }
        rulings
    }
}
