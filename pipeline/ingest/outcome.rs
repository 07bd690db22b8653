//! What a match came to: final score, winner, finished (`metrics.md` 11).
//!
//! A seat's points are those of the first score plus those of the games it won. The score a file records before each
//! game fills what it does not show (a missing game, a game without an end): the greater of the two counts, because
//! points are never lost again. A recorded score may be capped at the match length where the points are not, or the
//! reverse (`xg-format.md` 5.5); either way the length is reached, and that is all that decides the winner. The final
//! score is shown as the file states it, where it states one that leads to the same result.

use super::record::{Game, Record};
use crate::game::{Length, Seat};

/// The end of a match, as far as its file shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchOutcome {
    /// Points per seat, as the file states them; else summed, not capped.
    pub score: [i64; 2],
    /// Who won.
    pub result: MatchResult,
    /// Points match: somebody reached the length. Money: every game of the session has an end.
    pub finished: bool,
}

/// Who won a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchResult {
    /// Points match: this seat reached the length. Money: it has more points.
    Won(Seat),
    /// Money: equal points.
    Level,
    /// Points match: nobody reached the length.
    Open,
    /// Points match: both reached the length, so the file contradicts itself.
    Contradictory,
}

impl MatchResult {
    /// The winner, where there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Self::Won(seat) => Some(seat),
            Self::Level | Self::Open | Self::Contradictory => None,
        }
    }
}

/// The outcome of a record. A record without games is an open match, or a session that is level and not finished.
#[must_use]
pub fn outcome(record: &Record) -> MatchOutcome {
    let summed = record.games.iter().fold([0, 0], after);
    let result = result(record.length, summed);
    let stated = record.final_score.filter(|&stated| self::result(record.length, stated) == result);
    let score = stated.unwrap_or(summed);
    let finished = match result {
        MatchResult::Won(_) | MatchResult::Level if record.length == Length::Money => {
            !record.games.is_empty() && record.games.iter().all(|game| game.outcome.is_some())
        }
        MatchResult::Won(_) | MatchResult::Contradictory => true,
        MatchResult::Level | MatchResult::Open => false,
    };
    MatchOutcome { score, result, finished }
}

fn result(length: Length, score: [i64; 2]) -> MatchResult {
    match length {
        Length::Money => richer(score),
        Length::Points(_) | Length::TooLong(_) => first_home(score, i64::from(length.points())),
    }
}

fn after(before: [i64; 2], game: &Game) -> [i64; 2] {
    let mut score = [before[0].max(game.points[0]), before[1].max(game.points[1])];
    if let Some(end) = game.outcome {
        let won = &mut score[end.winner.index()];
        *won = won.saturating_add(end.points);
    }
    score
}

fn richer(score: [i64; 2]) -> MatchResult {
    match score[0].cmp(&score[1]) {
        std::cmp::Ordering::Greater => MatchResult::Won(Seat::First),
        std::cmp::Ordering::Less => MatchResult::Won(Seat::Second),
        std::cmp::Ordering::Equal => MatchResult::Level,
    }
}

fn first_home(score: [i64; 2], length: i64) -> MatchResult {
    match score.map(|points| points >= length) {
        [true, true] => MatchResult::Contradictory,
        [true, false] => MatchResult::Won(Seat::First),
        [false, true] => MatchResult::Won(Seat::Second),
        [false, false] => MatchResult::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Board;
    use crate::ingest::record::{Ending, Engine, Format, Outcome, Player, Rules};

    /// A game begun at a score: who won it, and what.
    fn game(points: [i64; 2], end: Option<(Seat, i64)>) -> Game {
        let outcome = end.map(|(winner, points)| Outcome { winner, points, ending: Ending::BorneOff });
        Game { points, crawford: false, start: Board::START, actions: Vec::new(), outcome }
    }

    fn of(length: u32, games: Vec<Game>) -> MatchOutcome {
        outcome(&record(length, games))
    }

    fn record(length: u32, games: Vec<Game>) -> Record {
        Record {
            format: Format::Xg,
            engine: Engine::Xg,
            engine_version: None,
            made_by_portes: false,
            players: [Player::default(), Player::default()],
            length: Length::from_points(length),
            rules: Rules::default(),
            event: None,
            round: None,
            place: None,
            annotator: None,
            date: None,
            games,
            final_score: None,
            comments: Vec::new(),
            faults: Vec::new(),
            partial: false,
        }
    }

    const FIRST: MatchResult = MatchResult::Won(Seat::First);
    const SECOND: MatchResult = MatchResult::Won(Seat::Second);

    #[test]
    fn the_seat_that_reaches_the_length_wins_and_its_points_are_not_capped() {
        let games = vec![game([2, 0], Some((Seat::Second, 4))), game([2, 4], Some((Seat::Second, 4)))];
        assert_eq!(of(7, games), MatchOutcome { score: [2, 8], result: SECOND, finished: true });
        let exact = vec![game([6, 5], Some((Seat::First, 1)))];
        assert_eq!(of(7, exact), MatchOutcome { score: [7, 5], result: FIRST, finished: true });
    }

    #[test]
    fn the_score_a_file_states_is_shown_unless_it_tells_of_another_result() {
        let stated = |final_score| {
            let games = vec![game([6, 2], Some((Seat::First, 3)))];
            outcome(&Record { final_score: Some(final_score), ..record(7, games) })
        };
        let won = |score| MatchOutcome { score, result: FIRST, finished: true };
        assert_eq!(stated([7, 2]), won([7, 2]), "capped");
        for contradictory in [[0, 0], [2, 7], [6, 2], [7, 7]] {
            assert_eq!(stated(contradictory), won([9, 2]), "{contradictory:?}");
        }
    }

    #[test]
    fn a_match_nobody_has_won_is_open() {
        let open = MatchOutcome { score: [3, 5], result: MatchResult::Open, finished: false };
        assert_eq!(of(7, vec![game([3, 4], Some((Seat::Second, 1))), game([3, 5], None)]), open);
        assert_eq!(of(7, vec![game([3, 5], None)]), open);
        assert_eq!(of(7, Vec::new()), MatchOutcome { score: [0, 0], ..open });
        assert_eq!(open.result.winner(), None);
    }

    #[test]
    fn both_at_the_length_is_a_contradiction_without_winner() {
        let both = vec![game([4, 6], Some((Seat::First, 4))), game([6, 6], Some((Seat::Second, 1)))];
        let outcome = of(7, both);
        assert_eq!(outcome, MatchOutcome { score: [8, 7], result: MatchResult::Contradictory, finished: true });
        assert_eq!(outcome.result.winner(), None);
    }

    #[test]
    fn the_recorded_score_fills_in_for_missing_games_and_ends() {
        let missing = vec![game([0, 0], Some((Seat::First, 2))), game([4, 3], Some((Seat::First, 3)))];
        assert_eq!(of(7, missing), MatchOutcome { score: [7, 3], result: FIRST, finished: true });
        let without_end = vec![game([0, 0], None), game([0, 4], Some((Seat::Second, 4)))];
        assert_eq!(of(7, without_end), MatchOutcome { score: [0, 8], result: SECOND, finished: true });
    }

    #[test]
    fn points_add_up_where_no_score_is_recorded() {
        let unrecorded = vec![game([0, 0], Some((Seat::First, 2))), game([0, 0], Some((Seat::First, 5)))];
        assert_eq!(of(7, unrecorded), MatchOutcome { score: [7, 0], result: FIRST, finished: true });
    }

    #[test]
    fn a_session_goes_to_the_seat_with_more_points() {
        let ahead = vec![game([0, 0], Some((Seat::First, 4))), game([4, 0], Some((Seat::Second, 2)))];
        assert_eq!(of(0, ahead), MatchOutcome { score: [4, 2], result: FIRST, finished: true });
        let level = vec![game([0, 0], Some((Seat::First, 2))), game([2, 0], Some((Seat::Second, 2)))];
        assert_eq!(of(0, level), MatchOutcome { score: [2, 2], result: MatchResult::Level, finished: true });
        let broken_off = vec![game([0, 0], Some((Seat::Second, 1))), game([0, 1], None)];
        assert_eq!(of(0, broken_off), MatchOutcome { score: [0, 1], result: SECOND, finished: false });
        assert!(!of(0, Vec::new()).finished);
    }

    #[test]
    fn a_match_too_long_for_the_table_is_won_all_the_same() {
        let long = vec![game([64, 10], Some((Seat::First, 1)))];
        assert_eq!(of(65, long), MatchOutcome { score: [65, 10], result: FIRST, finished: true });
    }
}
