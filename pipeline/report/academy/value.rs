//! What the values of an opening tree are made of: the analysis, or the results of contests in which nothing was
//! analysed and which count with those instead (`academy.md` 6.2). A result is never called an engine's opinion.

use super::super::format;
use super::{Desk, WorthOf};
use crate::tables::academy::AcademyTreeRow;

/// What stands behind the values of a game's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// Values alone.
    Values,
    /// Values, and the results of some contests.
    Mixed,
    /// Nothing but results.
    Results,
}

impl Made {
    pub(super) fn of(desk: &Desk<'_>, game: &str) -> Self {
        let tree = || desk.input.tree.iter().filter(|row| row.game == game);
        match (tree().any(|row| row.n_results > 0), tree().any(|row| row.n_value > row.n_results)) {
            (false, _) => Self::Values,
            (true, true) => Self::Mixed,
            (true, false) => Self::Results,
        }
    }

    /// What the value of a play of backgammon is, as part of a list.
    pub(super) fn of_a_play(self, desk: &Desk<'_>) -> String {
        let won = match desk.input.terms.worth_of {
            WorthOf::Game => "",
            WorthOf::Match => " the match",
        };
        let chance = format!("the engine\u{2019}s mean chance of winning{won} (0 to 1)");
        match self {
            Self::Values => chance,
            Self::Mixed => format!(
                "{chance}, into which a game without any value, such as nobody analysed, counts with its result, 1 or 0, and (2 r) says that two such are among it"
            ),
            Self::Results => {
                "as the value the mean result (1 won, 0 lost), because no game has a value; no engine has judged it"
                    .to_owned()
            }
        }
    }

    /// What the value of a first move of another game is; nothing to say where all are values.
    pub(super) const fn of_a_move(self) -> &'static str {
        match self {
            Self::Values => "",
            Self::Mixed => {
                " Into the value a contest that reports none counts with its result: 1 won, 0.5 drawn, 0 lost; (2 r) says that two such are among it."
            }
            Self::Results => " The value is the mean result: 1 won, 0.5 drawn, 0 lost; no contest reports another.",
        }
    }

    /// A value of such a tree.
    pub(super) fn text(self, row: &AcademyTreeRow) -> String {
        let Some(value) = row.value.map(|value| format::fixed(value, 3)) else { return format::ABSENT.to_owned() };
        match row.n_results {
            n @ 1.. if self == Self::Mixed => format!("{value} ({} r)", format::count(n)),
            _ => value,
        }
    }
}

/// Whether anybody reported a value of this game.
pub(super) fn known(desk: &Desk<'_>, game: &str) -> bool {
    /// Measures that only positions with a value have.
    const OF_VALUES: [&str; 2] = ["decisiveness", "drama"];
    let in_tree = desk.input.tree.iter().any(|row| row.game == game && row.n_value > row.n_results);
    in_tree || desk.input.measures.iter().any(|row| row.game == game && OF_VALUES.contains(&row.measure.as_str()))
}
