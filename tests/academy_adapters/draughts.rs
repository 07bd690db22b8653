//! English draughts: invented games with the boards they must end on, and what is refused.
//!
//! The games were played by another program (pydraughts 0.6, which generates legal moves and names captures by their
//! ends); the boards are the ones it ended on. Another 250 of its games were replayed to the same boards when this was
//! written.

use super::told;
use portes::academy::contest::{Contest, Outcome, Rated, Side};
use portes::academy::contest_file;
use portes::academy::draughts::{Converted, read};
use std::collections::BTreeSet;

fn one(text: &str) -> Contest {
    let Converted { mut contests, refused } = read(text.as_bytes(), "2026");
    assert_eq!(refused, vec![]);
    assert_eq!(contests.len(), 1);
    contests.remove(0)
}

fn game(tags: &str, moves: &str) -> String {
    format!("[Black \"Ann\"]\n[White \"Bob\"]\n{tags}\n{moves}\n")
}

/// Where the pieces of a FEN stand: `W:W23,K12:B21`.
fn fen(text: &str) -> BTreeSet<String> {
    let sides = text.split(':').skip(1);
    let of_side = |side: &str| {
        let (colour, squares) = side.split_at(1);
        squares.split(',').filter(|square| !square.is_empty()).map(|square| format!("{colour}{square}")).collect()
    };
    sides.flat_map(|side: &str| -> Vec<String> { of_side(side) }).collect()
}

/// Where the pieces stand at the end, from the key that the last mover saw.
fn end(contest: &Contest) -> BTreeSet<String> {
    let last = contest.plies.last().unwrap();
    let (own, other) = if last.by == Side::First { ("B", "W") } else { ("W", "B") };
    let pieces = (1..=32).zip(last.key.chars()).filter_map(|(place, cell)| {
        let square = if last.by == Side::First { 33 - place } else { place };
        match cell {
            'x' => Some(format!("{own}{square}")),
            'b' => Some(format!("{own}K{square}")),
            'o' => Some(format!("{other}{square}")),
            'w' => Some(format!("{other}K{square}")),
            _ => None,
        }
    });
    pieces.collect()
}

const SHORT: &str = "1. 10-15 24-20 2. 7-10 28-24 3. 11-16 20x11 4. 2-7 11x2 5. 3-7 2x18 6. 10-14 24-19 7. 9-13 18x2 \
    8. 5-9 21-17 9. 12-16 19x3 10. 1-5 22-18 11. 13x22 26x17 12. 9-14 18x9 13. 5x21 32-28 14. 4-8 3x12";
const DRAWN: &str = "1. 12-16 22-18 2. 11-15 18x11 3. 8x15 24-19 4. 15x24 27x11 5. 7x16 25-22 6. 10-14 29-25 \
    7. 2-7 22-18 8. 4-8 26-22 9. 9-13 18x2 10. 16-19 23x16 11. 1-6 2x9 12. 5x14 22-17 13. 13x29 21-17 14. 14x21 31-26 \
    15. 8-12 30-25 16. 21x30 26-23 17. 12x26 28-24 18. 30-25 32-28 19. 7-10 24-19 20. 25-30 19-15 21. 10x19 28-24 \
    22. 19x28";
const LONG: &str = "1. 11-15 24-19 2. 15x24 27x20 3. 7-11 22-18 4. 12-16 21-17 5. 3-7 18-14 6. 9x27 32x23 \
    7. 8-12 31-27 8. 10-14 17x3 9. 5-9 27-24 10. 2-7 3x10 11. 6x15 25-22 12. 1-5 24-19 13. 15x24 28x19 14. 11-15 20x11 \
    15. 15x24 30-25 16. 4-8 11x4 17. 9-14 22-17 18. 14x30 23-18 19. 30x14 4-8 20. 24-28 8-11 21. 28-32 11-16 \
    22. 12x19 29-25 23. 14-10 25-22 24. 10-7 22-17 25. 19-24 17-13 26. 7-3 13-9 27. 5x14";

#[test]
fn games_end_on_the_board_another_program_ended_on() {
    for (moves, end_mark, plies, board, outcome) in [
        (SHORT, "0-1", 28, "B:W23,25,27,28,29,30,31,K12,K2:B21", Outcome::Second),
        (DRAWN, "1/2-1/2", 43, "W:W:B26,28,3,K29,K30", Outcome::Draw),
        (LONG, "1-0", 53, "W:W:B14,24,K3,K32", Outcome::First),
    ] {
        let contest = one(&game("", &format!("{moves} {end_mark}")));
        assert_eq!(contest.plies.len(), plies);
        assert_eq!(end(&contest), fen(board), "{moves}");
        assert_eq!((contest.outcome, contest.ends_on_board), (outcome, true));
    }
}

#[test]
fn a_capture_named_by_its_ends_is_told_square_by_square() {
    let contest = one(&game("", &format!("{LONG} 1-0")));
    let label = |ply: usize| contest.plies[ply - 1].label.as_str();
    // A soldier takes two; a king, crowned on 30, takes two on its way back.
    assert_eq!((label(11), label(16), label(35), label(37)), ("9x18x27", "17x10x3", "14x21x30", "30x23x14"));
    assert_eq!(contest.first_contact, Some(3));
}

#[test]
fn tags_comments_variations_and_glyphs_do_not_disturb_a_game() {
    let tags = "[Event \"Club, \\\"A\\\"\"]\n[Round \"3\"]\n[Date \"2026.03.09\"]\n[GameType \"21\"]\n[Result \"1-0\"]";
    let contest = one(&game(tags, "1. 9-14 22-18 2. 11-15 {a (comment)} 18x11 (2... 18x9 {or}) 3. 8x15 $1 25-22! 1-0"));
    assert_eq!((contest.first.as_str(), contest.second.as_str()), ("Ann", "Bob"));
    assert_eq!((contest.outcome, contest.rated, contest.first_contact), (Outcome::First, Rated::ByContest, Some(4)));
    assert_eq!(contest.schedule.date, Some(jiff::civil::date(2026, 3, 9)));
    assert_eq!((contest.schedule.event.as_str(), contest.schedule.round.as_str()), ("Club, \"A\"", "3"));
    let labels: Vec<&str> = contest.plies.iter().map(|ply| ply.label.as_str()).collect();
    assert_eq!(labels, ["9-14", "22-18", "11-15", "18x11", "8x15", "25-22"]);
    assert!(contest.plies.iter().all(|ply| ply.value.is_none() && ply.choices.is_none() && ply.chance.is_none()));
}

#[test]
fn both_players_see_the_areas_from_their_own_edge() {
    let contest = one(&game("", "9-14 24-19 *"));
    let rows = |cells: &str| (vec![4; 4], cells.to_owned());
    let areas = |ply: usize| {
        let told = told(&contest.plies[ply].areas).into_iter().map(|(name, lengths, cells)| (name, (lengths, cells)));
        told.collect::<Vec<_>>()
    };
    // 9-14 by Black: seen by him 14 lies on the right of the middle, 9 one row below on the edge of it; the middle sees
    // 14 alone.
    let expected = [("near right", "+x+-x+-++x+xx+x+"), ("centre", "+o+o-+-++-+xx+x+")];
    assert_eq!(areas(0), expected.map(|(name, cells)| (name.to_owned(), rows(cells))));
    let names: Vec<String> = areas(1).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["near right", "centre"]);
}

#[test]
fn a_game_that_cannot_be_replayed_is_named_and_stops_nothing() {
    let text = [
        game("", "1. 11-15 23-19 2. 15-18 1-0"),
        game("", "1. 11-15 23-18 2. 8-12 1-0"),
        game("", "1. 11-15 c3-d4 1-0"),
        game("[GameType \"20\"]", "1. 32-28 1-0"),
        game("[GameType \"25,W\"]", "1. c3-d4 1-0"),
        game("[GameType \"99\"]", "1. 11-15 1-0"),
        game("", "1. 31-27 20-25 2. 34-30 1-0"),
        game("[SetUp \"1\"]\n[FEN \"B:W18:B1\"]", "1. 1-6 *"),
        game("[Result \"0-1\"]", "1. 11-15 1-0"),
        game("[Result \"3-1\"]", "1. 11-15"),
        "[Black \"?\"]\n[White \"Bob\"]\n1. 11-15 1-0\n".to_owned(),
        game("", "1. 11-15 23-19 *"),
        game("", "1. 11-15 {never closed"),
    ]
    .concat();
    let Converted { contests, refused } = read(text.as_bytes(), "2026");
    assert_eq!(contests.len(), 2);
    assert_eq!(contests.iter().map(|contest| contest.plies.len()).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(contests[1].outcome, Outcome::Unfinished);
    let told: Vec<(usize, &str)> = refused.iter().map(|refused| (refused.game, refused.reason.as_str())).collect();
    let expected = [
        (2, "ply 3, 8-12: neither a step nor captures lead from 8 to 12"),
        (3, "ply 2, c3-d4: no move of English draughts"),
        (4, "GameType 20: international draughts (10 × 10), not English draughts"),
        (5, "GameType 25: Russian draughts, not English draughts"),
        (6, "GameType \"99\": not English draughts"),
        (7, "square 34: a board of 10 × 10, not English draughts"),
        (8, "begins from a position that was set up"),
        (9, "the Result tag and the end of the moves contradict each other"),
        (10, "unknown result \"3-1\""),
        (11, "no name of the player of Black"),
        (13, "a comment that is never closed"),
    ];
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.0 == expected.0 && told.1.starts_with(expected.1), "{told:?} is not {expected:?}");
    }
    assert_eq!(told.len(), expected.len());
}

#[test]
fn hostile_bytes_give_reasons_not_faults() {
    for bytes in
        [&b"\xff\xfe["[..], b"((((((((", b"[[[[[[", b"1-2-3-4x5x6x7x8x9", b"[\"\"\"\"\"", b"99999999999999999999-1 *"]
    {
        let Converted { contests, refused } = read(bytes, "2026");
        assert!(contests.is_empty() && !refused.is_empty(), "{bytes:?}");
    }
    let endless = game("", &"1. 11-15 ".repeat(5000));
    assert_eq!(read(endless.as_bytes(), "2026").refused[0].reason, "more than 1000 moves");
}

#[test]
fn the_same_game_has_one_id_wherever_it_stands_and_passes_through_a_contest_file() {
    let (short, long) = (game("", &format!("{SHORT} 0-1")), game("", &format!("{LONG} 1-0")));
    let both = read([short.clone(), long].concat().as_bytes(), "2026").contests;
    assert_eq!(both[0].contest_id, one(&short).contest_id);
    assert_ne!(both[0].contest_id, both[1].contest_id);
    let text: String = both.iter().map(|contest| contest_file::line(contest) + "\n").collect();
    let lines = contest_file::Reader::default().read(text.as_bytes(), "elsewhere");
    assert_eq!((lines.contests, lines.refused), (both, vec![]));
}
