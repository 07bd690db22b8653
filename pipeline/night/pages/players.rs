//! The pages of a season's players.
//!
//! Some at a time: first their keys, which ask for no decision; then the pages that are due, with the decisions that they
//! show. Memory: what those pages show.

use super::drawn::{self, Drawer};
use super::lessons::OfPlayer;
use super::shelf::{Desk, Shelf};
use crate::night::fault::NightFault;
use crate::night::signal;
use crate::report::{self, Colophon, MatchPages, News, Page, PlayerInput, PlayerStudy, Reached};
use crate::tables::facts::MatchRow;
use crate::tables::marts::{PlayerSeasonRow, SeatRow};
use crate::tables::study_marts::FamilyPositionRow;
use rayon::prelude::*;

/// Pages made at a time: each shows some forty decisions, a hundred kilobytes of rows; looking for them costs the same for
/// one page and for all.
const AT_ONCE: usize = 512;

/// What a player's page shows, figures and boards aside.
struct Lesson<'a> {
    row: &'a PlayerSeasonRow,
    name: &'a str,
    /// The places of his matches, and these.
    places: &'a [usize],
    matches: Vec<&'a MatchRow>,
    news: News,
    families: &'a [FamilyPositionRow],
    /// What the Academy's libraries know of his errors.
    reached: Vec<Reached<'a>>,
}

/// A page to be made.
struct Due<'a> {
    lesson: Lesson<'a>,
    group: String,
    key: String,
}

impl Shelf<'_> {
    /// A page for every player.
    pub(super) fn each_player(&self, desk: &Desk<'_>) -> Result<usize, NightFault> {
        let named: Vec<(&PlayerSeasonRow, &str)> =
            self.players.iter().filter_map(|row| Some((row, row.player.as_deref()?))).collect();
        let cache = desk.cache.below(drawn::FOLDER).below(&drawn::name(self.season));
        let drawer = Drawer::of((cache, &self.origins), (self.snapshot, self.season), self.matches.rows.len())?;
        drawer.retain(named.iter().map(|(_, name)| *name))?;
        named.chunks(AT_ONCE).map(|some| self.some_players(desk, (some, &drawer))).sum()
    }

    fn some_players(
        &self,
        desk: &Desk<'_>,
        (some, drawer): (&[(&PlayerSeasonRow, &str)], &Drawer<'_>),
    ) -> Result<usize, NightFault> {
        let families: Vec<Vec<FamilyPositionRow>> =
            some.par_iter().map(|(_, name)| self.lessons.family_positions(name)).collect();
        let due = some.par_iter().zip(&families).map(|(&of, families)| self.due(desk, (of, families)));
        let due: Vec<Due<'_>> = due.filter_map(Result::transpose).collect::<Result<_, NightFault>>()?;
        let studies: Vec<OfPlayer> = due.par_iter().map(|due| self.lessons.of(due.lesson.name)).collect();
        let asked: Vec<_> = due
            .iter()
            .zip(&studies)
            .map(|(Due { lesson, .. }, study)| (lesson.name, study.asked(lesson.families)))
            .collect();
        let drawn = drawer.fetch(&asked)?;
        due.par_iter().zip(&studies).zip(drawn).try_for_each(|((due, study), drawn)| {
            signal::pause()?;
            let page = self.player(desk, (&due.lesson, study.study((due.lesson.families, &drawn))))?;
            desk.put(&due.group, due.key.clone(), vec![page]).map(|_| ())
        })?;
        Ok(due.len())
    }

    /// A player's page, unless it is there.
    fn due<'a>(
        &'a self,
        desk: &Desk<'_>,
        ((row, name), families): ((&'a PlayerSeasonRow, &'a str), &'a [FamilyPositionRow]),
    ) -> Result<Option<Due<'a>>, NightFault> {
        let group = format!("player {name}");
        let lesson = self.lesson((row, name), families);
        let key = self.player_key(desk, &lesson);
        Ok((!desk.press.carry(&group, &key)?).then_some(Due { lesson, group, key }))
    }

    /// Of everybody, every night: stored rows are hashed where they stand, and no footer is made.
    fn player_key(&self, desk: &Desk<'_>, lesson: &Lesson<'_>) -> String {
        let mut key = desk.key();
        key.text(&format!("{:?}", lesson.news)).rows(std::slice::from_ref(lesson.row));
        self.hash_matches(lesson.places, &mut key);
        self.lessons.hash(lesson.name, &mut key);
        let colophon = self.colophon(&[]);
        key.text(&report::shown_of_academy(&self.input(lesson, (PlayerStudy::default(), &colophon))));
        key.finish()
    }

    fn lesson<'b>(
        &'b self,
        (row, name): (&'b PlayerSeasonRow, &'b str),
        families: &'b [FamilyPositionRow],
    ) -> Lesson<'b> {
        let places = self.matches.of_player(name);
        let news = News::of_player(&self.changes, name, MatchPages::Only(&self.with_page));
        let reached = self.school.reached(families);
        Lesson { row, name, places, matches: self.matches.at(places).collect(), news, families, reached }
    }

    fn player(&self, desk: &Desk<'_>, (lesson, study): (&Lesson<'_>, PlayerStudy<'_>)) -> Result<Page, NightFault> {
        let colophon = self.colophon(lesson.places);
        let figures: Vec<&SeatRow> = lesson
            .places
            .iter()
            .flat_map(|&at| self.matches.figures_of(at))
            .filter(|row| row.player.as_deref() == Some(lesson.name))
            .collect();
        let input = PlayerInput { figures: &figures, ..self.input(lesson, (study, &colophon)) };
        Ok(report::player_page(desk.templates, &input)?)
    }

    /// Without figures, which only the page itself shows.
    fn input<'b>(
        &'b self,
        lesson: &'b Lesson<'_>,
        (study, colophon): (PlayerStudy<'b>, &'b Colophon),
    ) -> PlayerInput<'b> {
        PlayerInput {
            season: lesson.row,
            figures: &[],
            matches: &lesson.matches,
            study,
            news: &lesson.news,
            academy: self.school.of(lesson.name, (&lesson.reached, self.terms())),
            colophon,
            pages: MatchPages::Only(&self.with_page),
        }
    }
}
