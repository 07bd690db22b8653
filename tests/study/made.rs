//! Errors made for tests: by hand where a table says what they cost, seeded where anything will do.

use portes::game::key::{Asked, PositionKey};
use portes::game::{Board, Cube, Dice, Regime, Score, legal};
use portes::rate::plan::plan;
use portes::tables::facts::MatchRow;
use portes::tables::partials::{ErrorRow, RulingRow};
use portes::tables::row::Day;
use std::collections::BTreeSet;

/// One 1e-3 of a match, in stored units.
pub(super) const MILLI: i64 = 1_000_000;

/// A priced, themed checker error of the first seat that cost nothing yet.
pub(super) fn error(order: i64) -> ErrorRow {
    ErrorRow {
        season: "2026".to_owned(),
        match_id: "00000000000000a1".to_owned(),
        decision_id: format!("00000000000000a1-{order:04}"),
        game: 1,
        order,
        seat: 1,
        kind: "checker".to_owned(),
        nature: "checker".to_owned(),
        plan: "contact".to_owned(),
        theme: Some("blots".to_owned()),
        phase: "middlegame".to_owned(),
        mpt: 80,
        loss: Some(10 * MILLI),
        difficulty: Some(10 * MILLI),
        position_key: checker_key(&Board::START, 31),
        own_away: 7,
        opp_away: 7,
        gap: Some(80),
        ruling: "8/5 6/5".to_owned(),
        ..ErrorRow::default()
    }
}

/// The same error with this excess, in thousandths of a match.
pub(super) fn costing(mut error: ErrorRow, excess: f64) -> ErrorRow {
    #[expect(clippy::cast_possible_truncation, reason = "small made numbers")]
    let units = (excess * 1e9).round() as i64;
    error.loss = error.difficulty.map(|difficulty| difficulty + units);
    error
}

/// A match of two made players.
pub(super) fn match_row(match_id: &str, day: Option<i32>) -> MatchRow {
    MatchRow {
        season: "2026".to_owned(),
        match_id: match_id.to_owned(),
        date: day.map(Day),
        name_1: "Ada".to_owned(),
        name_2: "Bo".to_owned(),
        player_1: "Ada".to_owned(),
        player_2: "Bo".to_owned(),
        play: "points".to_owned(),
        length: Some(7),
        finished: true,
        ..MatchRow::default()
    }
}

pub(super) fn checker_key(board: &Board, roll: u8) -> String {
    key(board, (7, 7), Asked::Move(Dice::from_digits(roll).unwrap()))
}

pub(super) fn key(board: &Board, (own, opponent): (u32, u32), asked: Asked) -> String {
    let regime = if own == 1 || opponent == 1 { Regime::PostCrawford } else { Regime::Normal };
    let score = Score { regime, own_away: own, opponent_away: opponent };
    PositionKey { board: *board, cube: Cube::CENTRED, score, asked }.to_string()
}

/// SplitMix64.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }

    pub(super) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub(super) fn of<T: Clone>(&mut self, things: &[T]) -> T {
        things[usize::try_from(self.below(things.len() as u64)).unwrap()].clone()
    }

    pub(super) fn roll(&mut self) -> Dice {
        let mut die = || u8::try_from(self.below(6)).unwrap() + 1;
        Dice::new(die(), die()).unwrap()
    }

    /// The board after some plies of a game played at random, seen from whoever is to play.
    pub(super) fn board(&mut self, plies: u64) -> Board {
        let mut board = Board::START;
        for _ in 0..plies {
            let plays = legal::plays(&board, self.roll());
            let after = if plays.is_empty() { board } else { self.of(&plays).after };
            if after.on_board() == 0 {
                break;
            }
            board = after.mirror();
        }
        board
    }
}

/// In how many families errors lie.
#[derive(Clone, Copy)]
pub(super) enum Families {
    /// Those their boards belong to.
    Many,
    /// All in one.
    One,
}

/// So many errors at boards of random play, each after up to `plies`.
pub(super) fn many((count, plies): (i64, u64), families: Families) -> Vec<ErrorRow> {
    let mut chance = Chance::new(plies);
    let errors = (0..count).map(|order| {
        let plies = 1 + chance.below(plies);
        let board = chance.board(plies);
        let excess = f64::from(u32::try_from(chance.below(40_000)).unwrap()) / 1e6 - 0.005;
        let (plan, theme) = (plan(&board).token(), chance.of(&["gammon", "blots", "point", "passive"]));
        let (plan, theme) = if let Families::One = families { ("contact", "blots") } else { (plan, theme) };
        ErrorRow {
            plan: plan.to_owned(),
            theme: Some(theme.to_owned()),
            position_key: checker_key(&board, chance.roll().digits()),
            ..costing(error(order), excess)
        }
    });
    errors.collect()
}

/// A selection and what is known beside it.
pub(super) struct Season {
    pub(super) matches: Vec<MatchRow>,
    pub(super) errors: Vec<ErrorRow>,
    pub(super) rulings: Vec<RulingRow>,
    pub(super) treated: BTreeSet<String>,
}

/// Few boards, families, scores and costs, so that everything meets: neighbours, near-duplicates, ties of every kind.
pub(super) fn season(seed: u64, errors: u64) -> Season {
    let mut chance = Chance::new(seed);
    let matches = (0..1 + chance.below(6)).map(|n| {
        let day = if chance.one_in(3) { None } else { Some(i32::try_from(chance.below(3)).unwrap()) };
        match_row(&format!("{n:016x}"), day)
    });
    let matches: Vec<MatchRow> = matches.collect();
    let plies = 1 + chance.below(12);
    let boards: Vec<Board> = (0..1 + errors / 3).map(|_| chance.board(plies)).collect();
    let errors: Vec<ErrorRow> = (0..errors).map(|order| any_error(&mut chance, (order, &boards), &matches)).collect();
    let mut rulings = Vec::new();
    for error in &errors {
        rulings.extend((0..chance.below(3)).map(|_| any_ruling(&mut chance, error)));
    }
    let treated = errors.iter().filter(|_| chance.one_in(15)).map(|error| error.position_key.clone()).collect();
    Season { matches, errors, rulings, treated }
}

fn any_error(chance: &mut Chance, (order, boards): (u64, &[Board]), matches: &[MatchRow]) -> ErrorRow {
    let (of, board) = (chance.of(matches), chance.of(boards));
    let away = chance.of(&[(7, 7), (4, 1), (3, 5)]);
    let (kind, asked, rulings): (&str, _, &[&str]) = match chance.below(6) {
        0 => ("no_double", Asked::Double, &["double", "no_double"]),
        1 => ("take", Asked::Answer, &["take", "pass"]),
        _ => ("checker", Asked::Move(chance.roll()), &["8/5 6/5", "13/10 6/5"]),
    };
    let nature = if kind == "checker" { "checker" } else { "cube" };
    let themes = if nature == "cube" { ["offer_missed", "answer_wrong_take"] } else { ["blots", "point"] };
    let order = i64::try_from(order).unwrap();
    let difficulty = i64::try_from(chance.below(4)).unwrap() * MILLI;
    ErrorRow {
        match_id: of.match_id.clone(),
        decision_id: format!("{}-{order:04}", of.match_id),
        kind: kind.to_owned(),
        nature: nature.to_owned(),
        plan: chance.of(&["contact", "holding", "blitz"]).to_owned(),
        theme: (!chance.one_in(8)).then(|| chance.of(&themes).to_owned()),
        mpt: 50 + i64::try_from(chance.below(4)).unwrap() * 10,
        loss: (!chance.one_in(9)).then(|| i64::try_from(chance.below(6)).unwrap() * MILLI),
        difficulty: (!chance.one_in(9)).then_some(difficulty),
        avoidable: chance.one_in(2),
        position_key: key(&board, away, asked),
        own_away: i64::from(away.0),
        opp_away: i64::from(away.1),
        gap: (!chance.one_in(5)).then(|| i64::try_from(chance.below(60)).unwrap()),
        ruling: chance.of(rulings).to_owned(),
        rollout: chance.one_in(10),
        ..error(order)
    }
}

fn any_ruling(chance: &mut Chance, error: &ErrorRow) -> RulingRow {
    let other = match error.ruling.as_str() {
        "double" => "no_double",
        "no_double" => "double",
        "take" => "pass",
        "pass" => "take",
        _ => "24/21",
    };
    RulingRow {
        position: RulingRow::position_of(&error.position_key),
        ruling: if chance.one_in(4) { other.to_owned() } else { error.ruling.clone() },
        rollout: chance.one_in(4),
        ..RulingRow::default()
    }
}
