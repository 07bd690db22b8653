//! A turn as a ply: what the analysis says of the play made and of the others.

use super::super::contest::{Candidate, Ply, Side};
use super::super::units::{Cost, Value};
use super::ListedRow;
use super::areas::changed;
use super::path::Turn;
use super::worth::{TO_BILLIONTHS, Worth};
use crate::game::Board;
use crate::game::play::Play;

/// How a play is called that the file does not let be known.
const UNKNOWN_PLAY: &str = "?";

/// How much is wanted of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Everything.
    Whole,
    /// What judges a proposal: its key, value and cost.
    Keys,
}

/// What the analysis of a turn holds.
#[derive(Default)]
pub(super) struct Analysed {
    value: Option<Value>,
    cost: Option<Cost>,
    candidates: Vec<Candidate>,
    /// The value of the play made comes from its equity.
    pub(super) estimated: bool,
}

impl Turn<'_> {
    /// A checker of the opponent went to the bar.
    pub(super) fn hits(&self) -> bool {
        self.after.cells()[0] < self.before.cells()[0]
    }

    /// A turn without a legal move has no analysis, whatever a file says of it: nothing was decided.
    pub(super) fn analysed(&self, listed: &[ListedRow], (worth, detail): (Worth, Detail)) -> Analysed {
        if self.row.legal_plays == Some(0) {
            return Analysed::default();
        }
        let played = listed.iter().find(|row| Some(row.rank) == self.row.played_rank);
        let valued = played.and_then(|row| worth.value(row));
        let evaluated = listed.iter().filter_map(|row| Some((row, worth.value(row)?.value)));
        Analysed {
            value: valued.as_ref().map(|valued| valued.value),
            cost: played.and_then(cost),
            candidates: evaluated.filter_map(|of| self.candidate(of, detail)).collect(),
            estimated: valued.is_some_and(|valued| valued.estimated),
        }
    }

    /// Whose turn it is, in a game that this seat began.
    pub(super) fn by(&self, first: Option<i64>) -> Side {
        if Some(self.row.seat) == first { Side::First } else { Side::Second }
    }

    /// The ply, in a game that this seat began.
    pub(super) fn ply(&self, first: Option<i64>, analysed: Analysed) -> Ply {
        Ply {
            by: self.by(first),
            chance: self.row.dice.map(|dice| dice.to_string()),
            label: self.row.play.clone().unwrap_or_else(|| UNKNOWN_PLAY.to_owned()),
            key: self.after.text(),
            value: analysed.value,
            before: None,
            areas: changed(&self.before, &self.after),
            choices: self.row.legal_plays.and_then(|plays| u32::try_from(plays).ok()),
            cost: analysed.cost,
            candidates: analysed.candidates,
        }
    }

    fn candidate(&self, (row, value): (&ListedRow, Value), detail: Detail) -> Option<Candidate> {
        let after: Board = Play::from_notation(&row.play).ok()?.apply(&self.before).ok()?;
        let (label, areas) = match detail {
            Detail::Whole => (row.play.clone(), changed(&self.before, &after)),
            Detail::Keys => (String::new(), Vec::new()),
        };
        Some(Candidate { label, key: after.text(), value: Some(value), cost: cost(row), areas })
    }
}

fn cost(row: &ListedRow) -> Option<Cost> {
    row.cost?.checked_mul(TO_BILLIONTHS).map(Cost::from_billionths)
}
