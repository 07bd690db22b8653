//! What the club knows of an error: the pattern that the best play reaches, beside the one that the play made reached.
//!
//! Only where the library of that part of the game holds both, and they are two: one pattern for both says that the club
//! does not tell the plays apart. What it holds a pattern worth is never the value of the position, and the page says so.
//!
//! Figures are coarse on purpose: every vote moves a signature a little, and no page is made anew for that. The Academy's
//! tables have them in full.

use super::super::boards::quarter::quarter;
use super::super::format;
use super::super::markup::Markup;
use super::super::names::{TOKEN, shown};
use super::player::PlayerAcademy;
use crate::tables::academy::AcademyPatternRow;
use serde::Serialize;

/// From so many on they are many.
const MANY: i64 = 5;

/// The patterns that two plays of one position reach.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    /// The error.
    pub decision_id: &'a str,
    /// The best play, and its pattern.
    pub best: (&'a str, &'a AcademyPatternRow),
    /// The play made, and its pattern.
    pub played: (&'a str, &'a AcademyPatternRow),
}

/// Both, drawn.
#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct Pair {
    best: Drawn,
    played: Drawn,
}

#[derive(Clone, Debug, Serialize)]
struct Drawn {
    play: String,
    board: Option<Markup>,
    sentence: String,
}

/// What is known of a player's error; `id` is unique on the page.
pub(in crate::report) fn pair(of: &PlayerAcademy<'_>, (decision_id, id): (&str, &str)) -> Option<Pair> {
    let reached = of.reached.iter().find(|reached| reached.decision_id == decision_id)?;
    let drawn = |(play, row): (&str, &AcademyPatternRow), which: &str| Drawn {
        play: shown(play, TOKEN),
        board: quarter(&format!("{id}{which}"), &row.area, &row.cells),
        sentence: sentence(row),
    };
    Some(Pair { best: drawn(reached.best, "b"), played: drawn(reached.played, "m") })
}

/// `A few players hold it worth about 0.7 to whoever has just moved (solid).`
fn sentence(row: &AcademyPatternRow) -> String {
    let who = match row.n {
        ..=1 => "One player holds",
        2..MANY => "A few players hold",
        MANY.. => "Many players hold",
    };
    format!("{who} it worth about {} to whoever has just moved (solid).", format::fixed(row.v, 1))
}

/// All that the pairs of a player's page are printed from: nothing is drawn for it.
pub(super) fn all<'a>(of: &PlayerAcademy<'a>) -> Vec<(&'a str, [Side<'a>; 2])> {
    let side =
        |(play, row): (&'a str, &'a AcademyPatternRow)| (play, row.area.as_str(), row.cells.as_str(), sentence(row));
    of.reached.iter().map(|reached| (reached.decision_id, [side(reached.best), side(reached.played)])).collect()
}

/// A play, area and cells of its pattern, and what is said of it.
type Side<'a> = (&'a str, &'a str, &'a str, String);
