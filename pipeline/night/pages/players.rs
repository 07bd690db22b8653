//! The pages of a season's players.
//!
//! First everybody's key, which asks for no decision; then the pages that are due, some at a time, with the decisions that
//! they show. Memory: what those pages show.

use super::drawn::{self, Drawer};
use super::lessons::OfPlayer;
use super::shelf::{Desk, Shelf, of_match};
use crate::night::fault::NightFault;
use crate::night::signal;
use crate::report::{self, Colophon, MatchPages, News, Page, PlayerInput, PlayerStudy, Reached};
use crate::tables::facts::MatchRow;
use crate::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use crate::tables::study_marts::FamilyPositionRow;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Pages made at a time: each shows some forty decisions, a hundred kilobytes of rows; looking for them costs the same for
/// one page and for all.
const AT_ONCE: usize = 512;

/// What a player's page shows, figures and boards aside.
struct Lesson<'a> {
    row: &'a PlayerSeasonRow,
    name: &'a str,
    matches: Vec<MatchRow>,
    news: News,
    /// What the Academy's libraries know of his errors.
    reached: Vec<Reached<'a>>,
}

/// A page to be made.
struct Due<'a> {
    row: &'a PlayerSeasonRow,
    name: &'a str,
    group: String,
    key: String,
}

impl Shelf<'_> {
    /// A page for every player.
    pub(super) fn each_player(&self, desk: &Desk<'_>) -> Result<usize, NightFault> {
        let named: Vec<(&PlayerSeasonRow, &str)> =
            self.players.iter().filter_map(|row| Some((row, row.player.as_deref()?))).collect();
        let due = named.par_iter().map(|&(row, name)| {
            let group = format!("player {name}");
            let families = self.lessons.family_positions(name);
            let key = self.player_key(desk, (row, name), &families);
            let carried = desk.press.carry(&group, &key)?;
            Ok((!carried).then_some(Due { row, name, group, key }))
        });
        let due: Vec<Due<'_>> = due.collect::<Result<Vec<_>, NightFault>>()?.into_iter().flatten().collect();
        let cache = desk.cache.below(drawn::FOLDER).below(&drawn::name(self.season));
        let drawer = Drawer::of(cache, (self.snapshot, self.season), self.matches.len())?;
        drawer.retain(named.iter().map(|(_, name)| *name))?;
        for due in due.chunks(AT_ONCE) {
            let studies: Vec<OfPlayer> = due.par_iter().map(|due| self.lessons.of(due.name)).collect();
            let asked: Vec<_> = due.iter().zip(&studies).map(|(due, study)| (due.name, study.asked())).collect();
            let drawn = drawer.fetch(&asked)?;
            due.par_iter().zip(&studies).zip(drawn).try_for_each(|((due, study), drawn)| {
                signal::pause()?;
                let study = study.study(&drawn);
                let page = self.player(desk, (&self.lesson((due.row, due.name), study.family_positions), study))?;
                desk.press.print(&due.group, due.key.clone(), &[page])
            })?;
        }
        Ok(due.len())
    }

    /// Of everybody, every night: figures are hashed where they stand, and no footer is made.
    fn player_key(
        &self,
        desk: &Desk<'_>,
        (row, name): (&PlayerSeasonRow, &str),
        families: &[FamilyPositionRow],
    ) -> String {
        let lesson = &self.lesson((row, name), families);
        let mut key = desk.key();
        key.text(&format!("{:?}", lesson.news));
        key.rows(std::slice::from_ref(row)).each(self.figures_by(name)).rows(&lesson.matches);
        key.each(self.analyses_of(&lesson.matches));
        self.lessons.hash(name, &mut key);
        let colophon = self.colophon(&[]);
        key.text(&report::shown_of_academy(&self.input(lesson, (PlayerStudy::default(), &colophon))));
        self.hash_links(&lesson.matches, &mut key);
        key.finish()
    }

    fn lesson<'b>(
        &'b self,
        (row, name): (&'b PlayerSeasonRow, &'b str),
        families: &'b [FamilyPositionRow],
    ) -> Lesson<'b> {
        let ids: BTreeSet<&str> = self.figures_by(name).map(|figure| figure.match_id.as_str()).collect();
        let matches: Vec<MatchRow> =
            ids.iter().flat_map(|id| of_match(&self.matches, id, |row| &row.match_id)).cloned().collect();
        let news = News::of_player(&self.changes, name, MatchPages::Only(&self.with_page));
        let reached = self.school.reached(families);
        Lesson { row, name, matches, news, reached }
    }

    /// A player's figures, in the order of his matches.
    fn figures_by(&self, name: &str) -> impl Iterator<Item = &PlayerMatchRow> {
        self.figures_of.get(name).into_iter().flatten().filter_map(|&at| self.figures.get(at))
    }

    fn player(&self, desk: &Desk<'_>, (lesson, study): (&Lesson<'_>, PlayerStudy<'_>)) -> Result<Page, NightFault> {
        let colophon = self.colophon(&lesson.matches);
        let figures: Vec<PlayerMatchRow> = self.figures_by(lesson.name).cloned().collect();
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
