//! What the Academy's libraries know of an error: for the pages of the players, from the tables alone.
//!
//! A wrong play is looked up as the consultation looks up a candidate (`academy.md` 7): all areas it changed, in the
//! library of that part of the game. Where the parts begin hangs on the lengths of all games filed until the season's end.

use crate::academy::atlas::{Atlas, Charted};
use crate::academy::backgammon::GAME;
use crate::academy::backgammon::{MIDDLE_FROM, changed};
use crate::academy::lengths::{Calendar, Lengths};
use crate::academy::rows::Phase;
use crate::academy::settings::Bylaws;
use crate::game::key::PositionKey;
use crate::game::{Board, Play};
use crate::report::Reached;
use crate::tables::academy::{AcademyMeasureRow, AcademyPatternRow};
use crate::tables::study_marts::FamilyPositionRow;
use std::collections::BTreeSet;

/// The libraries of a season's end.
pub(super) struct Known {
    atlas: Atlas,
    /// `None` where no game was filed.
    calendar: Option<Calendar>,
    /// Matches of other games, of which these libraries know nothing.
    elsewhere: BTreeSet<String>,
}

impl Known {
    pub(super) fn of(
        elsewhere: BTreeSet<String>,
        (patterns, measures): (&[AcademyPatternRow], &[AcademyMeasureRow]),
        bylaws: &Bylaws,
    ) -> Self {
        let atlas = Atlas::of(patterns.iter().map(charted));
        Self { atlas, calendar: calendar(measures, bylaws), elsewhere }
    }

    /// Of each of these errors that is a wrong play: the patterns that the best play and the play made reach, where the
    /// library of that part of the game has both and they are two. `patterns` are those it was made of.
    pub(super) fn reached<'a>(
        &self,
        patterns: &'a [AcademyPatternRow],
        errors: &'a [FamilyPositionRow],
    ) -> Vec<Reached<'a>> {
        let of = |row: &'a FamilyPositionRow| {
            let library = self.library(row.ply)?;
            let board = PositionKey::from_text(&row.position_key).ok()?.board;
            let pattern =
                |play: &str| patterns.get(self.atlas.cover(library, &changed(&board, &after(play, &board)?))?);
            let (best, played) = (row.best.as_deref()?, row.played.as_deref()?);
            let (best, played) = ((best, pattern(best)?), (played, pattern(played)?));
            (best.1.id != played.1.id).then_some(Reached { decision_id: &row.decision_id, best, played })
        };
        errors.iter().filter(|row| !self.elsewhere.contains(&row.match_id)).filter_map(of).collect()
    }

    fn library(&self, ply: i64) -> Option<&'static str> {
        Some(match self.calendar?.phase(u64::try_from(ply).ok()?)? {
            Phase::End => "yose",
            Phase::Opening | Phase::Middle => "chuban",
        })
    }
}

fn after(play: &str, board: &Board) -> Option<Board> {
    Play::from_notation(play).ok()?.apply(board).ok()
}

/// Patterns by library; those of other games stand apart and are never asked.
fn charted(row: &AcademyPatternRow) -> Charted<'_> {
    let shelf = if row.game == GAME { row.library.as_str() } else { "" };
    Charted { shelf, area: &row.area, cells: &row.cells, worth: row.worth, id: row.id }
}

fn calendar(measures: &[AcademyMeasureRow], bylaws: &Bylaws) -> Option<Calendar> {
    let mean = measures.iter().find(|row| row.game == GAME && row.measure == "length_mean")?;
    let lengths = Lengths::of_mean(u64::try_from(mean.n).ok()?, mean.value);
    Calendar::new(lengths, bylaws, Some(MIDDLE_FROM))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(library: &str, id: i64, cells: &str) -> AcademyPatternRow {
        AcademyPatternRow {
            game: GAME.to_owned(),
            library: library.to_owned(),
            id,
            area: "home".to_owned(),
            cells: cells.to_owned(),
            worth: 1.0,
            ..AcademyPatternRow::default()
        }
    }

    fn error(match_id: &str, ply: i64, played: &str) -> FamilyPositionRow {
        FamilyPositionRow {
            position_key: "bg1|-b----E-C---eE---c-e----B-|0|c|n|7|7|m|31".to_owned(),
            decision_id: format!("{match_id}-{ply:04}"),
            match_id: match_id.to_owned(),
            ply,
            best: Some("8/5 6/5".to_owned()),
            played: Some(played.to_owned()),
            ..FamilyPositionRow::default()
        }
    }

    /// The home board with the five point made, and with two blots instead; the opponent on the ace point.
    const POINT: &str = "+w---bb-";
    const BLOTS: &str = "+w-x-xb-";

    #[test]
    fn both_plays_are_looked_up_in_the_library_of_their_part_of_the_game() -> Result<(), String> {
        let patterns = [
            pattern("chuban", 1, POINT),
            pattern("chuban", 2, BLOTS),
            pattern("yose", 7, "+w---Bb-"),
            pattern("yose", 8, "+w-x-Bb-"),
            pattern("yose", 9, "+w-#-Bb-"),
        ];
        let measures = [AcademyMeasureRow {
            game: GAME.to_owned(),
            measure: "length_mean".to_owned(),
            value: 40.0,
            n: 10,
            ..AcademyMeasureRow::default()
        }];
        let elsewhere = BTreeSet::from(["n".to_owned()]);
        let bylaws = crate::academy::settings::Settings::default().bylaws()?;
        let known = Known::of(elsewhere.clone(), (&patterns, &measures), &bylaws);
        let ids = |error: FamilyPositionRow| {
            let errors = [error];
            let reached = known.reached(&patterns, &errors);
            reached.first().map(|reached| (reached.best.1.id, reached.played.1.id))
        };
        // Forty turns on average: the endgame begins at the thirty-third, and the middle game at the fourth.
        assert_eq!(ids(error("m", 4, "6/5 6/3")), Some((1, 2)));
        assert_eq!(ids(error("m", 32, "6/5 6/3")), Some((1, 2)));
        assert_eq!(ids(error("m", 33, "6/5 6/3")), Some((7, 8)));
        assert_eq!(ids(error("m", 3, "6/5 6/3")), None, "the opening is the tree's");
        assert_eq!(ids(error("m", 4, "24/23 13/10")), None, "nobody knows where the play led");
        assert_eq!(ids(error("m", 4, "8/5 6/5")), None, "one pattern tells nothing apart");
        assert_eq!(ids(error("n", 4, "6/5 6/3")), None, "another game");
        assert_eq!(ids(FamilyPositionRow { best: None, ..error("m", 4, "6/5 6/3") }), None, "a cube action");
        let nothing = Known::of(elsewhere, (&patterns, &[]), &bylaws);
        assert!(nothing.reached(&patterns, &[error("m", 4, "6/5 6/3")]).is_empty());
        Ok(())
    }
}
