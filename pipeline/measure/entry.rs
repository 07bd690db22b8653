//! A match on its way into the marts of the study system: its sums, its cells, its errors in order.
//!
//! The marts are ledgers: each takes entries one by one, in any order, keeps what it needs and closes into its sorted
//! rows. What they share stands here: whose decisions of a match are pooled, and the sums of a cell over the seats that
//! count. A ledger never looks at a decision.

use super::cell_sums::CellSums;
use super::cells::MatchCells;
use super::played::{Facts, Played, Side};
use crate::game::Seat;
use crate::tables::dimension::Dimension;

/// One match as the ledgers see it.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its facts and its sums by kind.
    pub played: &'a Played,
    /// The program of its primary analysis.
    pub engine: &'a str,
    /// Its sums by cell.
    pub cells: MatchCells<'a>,
}

impl Entry<'_> {
    /// The sums of every cell of a dimension, from one side, by the names of the cells.
    #[must_use]
    pub fn of(&self, side: Side, dimension: Dimension) -> Vec<(&str, CellSums)> {
        let mut all: Vec<(&str, CellSums)> = Vec::new();
        for seat in side.seats() {
            for (cell, own) in self.cells.of(number(*seat), dimension.token()) {
                match all.binary_search_by_key(&cell, |(cell, _)| cell) {
                    Ok(at) => all[at].1 += own,
                    Err(at) => all.insert(at, (cell, *own)),
                }
            }
        }
        all
    }

    /// The sums of one cell, from one side; `None` where no decision of it is there.
    #[must_use]
    pub fn of_cell(&self, side: Side, dimension: Dimension, cell: &str) -> Option<CellSums> {
        let mut sums: Option<CellSums> = None;
        for seat in side.seats() {
            let own = self.cells.of(number(*seat), dimension.token()).find(|(name, _)| *name == cell);
            if let Some((_, own)) = own {
                *sums.get_or_insert_default() += own;
            }
        }
        sums
    }
}

/// A seat as it is stored.
#[must_use]
pub const fn number(seat: Seat) -> i64 {
    match seat {
        Seat::First => 1,
        Seat::Second => 2,
    }
}

impl Facts {
    /// Whose decisions are pooled, and from which side: everybody's (no name) unless they are already, then those of each
    /// player who is asked for. A player who sat in both seats is one selection with both.
    #[must_use]
    pub fn selections(&self) -> Vec<(Option<&str>, Side)> {
        let mut selections = Vec::with_capacity(3);
        selections.extend(self.pooled.then_some((None, Side::Both)));
        selections.extend(self.asked_sides().map(|(player, side)| (Some(player), side)));
        selections
    }

    /// The players and their sides.
    #[must_use]
    pub fn sides(&self) -> Vec<(&str, Side)> {
        if self.self_play() {
            return vec![(&self.players[0], Side::Both)];
        }
        Seat::BOTH.iter().map(|seat| (self.players[seat.index()].as_str(), Side::One(*seat))).collect()
    }

    /// Of these, the players who are asked for.
    pub fn asked_sides(&self) -> impl Iterator<Item = (&str, Side)> {
        let asked = |side| match side {
            Side::Both => self.is_asked(),
            Side::One(seat) => self.asked[seat.index()],
        };
        self.sides().into_iter().filter(move |(_, side)| asked(*side))
    }

    /// Who sits in a stored seat, if he is asked for.
    #[must_use]
    pub fn asked_player(&self, seat: i64) -> Option<&str> {
        Seat::BOTH
            .into_iter()
            .find(|of| number(*of) == seat && self.asked[of.index()])
            .map(|of| self.players[of.index()].as_str())
    }

    /// Who sits in a stored seat.
    #[must_use]
    pub fn player(&self, seat: i64) -> Option<&str> {
        Seat::BOTH.into_iter().find(|of| number(*of) == seat).map(|of| self.players[of.index()].as_str())
    }
}
