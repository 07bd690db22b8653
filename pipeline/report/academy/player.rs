//! What the Academy says of one player, for his page: his rating and its course, and the opening advice that
//! would have saved him most. A rating of results is never called by the name of the strength against the engine.

use super::super::charts::course::course;
use super::super::markup::Markup;
use super::super::names::{NAME, shown};
use super::super::{ACADEMY, PlayerInput, format, words};
use super::advice::{Case, Piece, Sums, Taken, case};
use super::season::courses;
use super::{BACKGAMMON, Reached, Terms, number, reached};
use crate::tables::academy::{AcademyPlayerRow, AcademyRatingRow};
use crate::tables::facts::MatchRow;
use serde::Serialize;

/// What the Academy knows of one player: his rows only, of one season, in any order.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayerAcademy<'a> {
    /// His row of every game.
    pub players: &'a [AcademyPlayerRow],
    /// The ratings that moved.
    pub ratings: &'a [AcademyRatingRow],
    /// Opening advice he would have been given.
    pub advice: Option<&'a Taken>,
    /// Following all opening advice of the season, everybody's, would not have cost more than the plays made.
    pub opening_pays: bool,
    /// What the libraries know of the errors his page shows; in any order.
    pub reached: &'a [Reached<'a>],
    /// How ratings are called.
    pub terms: Terms,
}

/// The section of a player's page.
#[derive(Debug, Serialize)]
pub(in crate::report) struct AdviceOfPlayer {
    href: &'static str,
    say: Vec<String>,
    rated_by: &'static str,
    rating: String,
    change: String,
    experience: String,
    strength: String,
    course: Markup,
    cases: Vec<Case>,
}

/// What a player's page shows of the Academy, every figure as it is printed: two inputs with the same text have the same
/// section. A rating hangs on everybody's results, so most of its moves are too small to be seen, and no page is made
/// anew for those. Study and footer of the input are not looked at.
#[must_use]
pub fn shown_of_academy(input: &PlayerInput<'_>) -> String {
    format!("{:?} {:?}", of_player(input), reached::all(&input.academy))
}

/// The section; `None` where the Academy does not know the player.
pub(in crate::report) fn of_player(input: &PlayerInput<'_>) -> Option<AdviceOfPlayer> {
    let of = &input.academy;
    let row = of.players.iter().find(|row| row.game == BACKGAMMON)?;
    let courses = courses(of.ratings);
    let ratings = courses.get(row.player.as_str()).map_or(&[][..], Vec::as_slice);
    let sums = of.advice.map(|taken| taken.sums).unwrap_or_default();
    let cases = of.advice.map_or(&[][..], |taken| taken.cases(of.opening_pays));
    Some(AdviceOfPlayer {
        href: ACADEMY,
        say: say(of.terms, &sums),
        rated_by: of.terms.rated_by.bracket(),
        rating: row.rating.map_or_else(|| format::ABSENT.to_owned(), |rating| format::fixed(rating, 0)),
        change: ratings
            .first()
            .zip(ratings.last())
            .map_or_else(|| format::ABSENT.to_owned(), |(first, last)| format::signed(last - first, 0)),
        experience: format::count(row.experience),
        strength: format::elo(input.season.elo_vs_engine, input.season.elo_floored),
        course: course(ratings),
        cases: cases.iter().map(|piece| case(piece, Some(place(input, piece)))).collect(),
    })
}

fn say(terms: Terms, sums: &Sums) -> Vec<String> {
    let mut said = vec![terms.scales().to_owned()];
    if sums.proposals > 0 {
        said.push(format!(
            "In this season\u{2019}s openings the club\u{2019}s book had {} to make: {} right by the engine, and {} of the plays made.",
            words::counted(number(sums.proposals), "proposal", "proposals"),
            words::counted(number(sums.right), "was", "were"),
            format::size(sums.players_right),
        ));
    }
    said
}

/// Day, opponent and game of an advice, and where it is on the match's page.
fn place(input: &PlayerInput<'_>, row: &Piece) -> (String, Option<String>) {
    let game = row.contest_id.rsplit_once('-').and_then(|(_, game)| game.parse::<u32>().ok());
    let Some(of) = input.matches.iter().copied().find(|of| of.match_id == row.match_id) else {
        return (format::ABSENT.to_owned(), None);
    };
    let opponent = opponent(of, &row.player);
    let Some(game) = game else { return (opponent, input.pages.link(of)) };
    (format!("{opponent}, game {game}"), input.pages.link(of).map(|page| format!("{page}#g{game}")))
}

/// When and against whom.
fn opponent(of: &MatchRow, player: &str) -> String {
    let other = if of.player_1 == player { &of.player_2 } else { &of.player_1 };
    format!("{} against {}", format::date(of.date), shown(other, NAME))
}
