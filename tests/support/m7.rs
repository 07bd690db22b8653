//! The fixture M7 of `metrics.md` 21: a 7-point match of five games, as rows.
//!
//! Boards and rolls are free there; here every play is of the opening position with a roll of its own, so that no two
//! decisions show one position, and the costs of the fixture stand against the first legal plays.

use portes::game::key::{Asked, PositionKey};
use portes::game::{Board, Cube, Dice, Owner, Regime, Score, legal};
use portes::rate::{Rules, rate};
use portes::tables::facts::{CandidateRow, DecisionRow, GameRow, MatchRow};

/// Its match id.
pub(crate) const MATCH: &str = "00000000000000a7";
/// Its season.
pub(crate) const SEASON: &str = "2026";

/// The rows of the match; player A is seat 1, B seat 2.
pub(crate) struct M7 {
    pub(crate) matches: Vec<MatchRow>,
    pub(crate) games: Vec<GameRow>,
    pub(crate) decisions: Vec<DecisionRow>,
    pub(crate) candidates: Vec<CandidateRow>,
}

impl M7 {
    /// The decision that the fixture calls `A1` ... `B6`; `B-` is the roll without a play.
    pub(crate) fn decision(&self, id: &str) -> &DecisionRow {
        let order = LINES.iter().position(|line| line.id == id).expect("a decision of the fixture");
        &self.decisions[order]
    }
}

/// Facts only: the rated columns are empty.
pub(crate) fn facts() -> M7 {
    let mut m7 = M7 { matches: vec![match_row()], games: games(), decisions: Vec::new(), candidates: Vec::new() };
    for (line, order) in LINES.iter().zip(0..) {
        let row = decision(line, order);
        if let Analysis::Play { costs, .. } = line.analysis {
            m7.candidates.extend(candidates(&row, line, costs));
        }
        m7.decisions.push(row);
    }
    m7
}

/// Rated by the default rules.
pub(crate) fn rated() -> M7 {
    let mut m7 = facts();
    rate(&mut m7.decisions, &m7.candidates, &Rules::default());
    m7
}

#[derive(Clone, Copy)]
enum Analysis {
    /// Costs of the options in mpt, best first, and which was played; none = a dance.
    Play { roll: u8, costs: &'static [i64], played: usize },
    /// ND and DT in mpt; DP is 1000.
    Cube { nd: i64, dt: i64 },
}

struct Line {
    id: &'static str,
    game: i64,
    kind: &'static str,
    away: [u32; 2],
    cube: Cube,
    analysis: Analysis,
    seconds: Option<i64>,
    /// In thousandths.
    luck: Option<i64>,
}

const ONE: Cube = Cube::CENTRED;
const OWN_TWO: Cube = Cube { log2: 1, owner: Owner::Own };
const THEIR_TWO: Cube = Cube { log2: 1, owner: Owner::Opponent };

const fn play(roll: u8, costs: &'static [i64], played: usize) -> Analysis {
    Analysis::Play { roll, costs, played }
}

/// In match order.
#[rustfmt::skip]
const LINES: [Line; 16] = [
    Line { id: "A1", game: 1, kind: "checker", away: [7, 7], cube: ONE, analysis: play(31, &[0, 60, 70], 1), seconds: Some(4), luck: Some(100) },
    Line { id: "B1", game: 1, kind: "checker", away: [7, 7], cube: ONE, analysis: play(21, &[0, 12], 1), seconds: Some(5), luck: Some(50) },
    Line { id: "A2", game: 1, kind: "checker", away: [7, 7], cube: ONE, analysis: play(64, &[0, 20, 50], 1), seconds: Some(10), luck: Some(-250) },
    Line { id: "B2", game: 2, kind: "double", away: [7, 5], cube: ONE, analysis: Analysis::Cube { nd: 1025, dt: 1080 }, seconds: Some(9), luck: None },
    Line { id: "A4", game: 2, kind: "take", away: [5, 7], cube: ONE, analysis: Analysis::Cube { nd: 1025, dt: 1080 }, seconds: Some(20), luck: None },
    Line { id: "B3", game: 2, kind: "checker", away: [7, 5], cube: THEIR_TWO, analysis: play(52, &[0, 45, 50], 1), seconds: Some(7), luck: Some(600) },
    Line { id: "A3", game: 2, kind: "checker", away: [5, 7], cube: OWN_TWO, analysis: play(41, &[0, 150], 1), seconds: Some(3), luck: Some(50) },
    Line { id: "A5", game: 3, kind: "no_double", away: [5, 3], cube: ONE, analysis: Analysis::Cube { nd: 500, dt: 530 }, seconds: Some(15), luck: None },
    Line { id: "A6", game: 3, kind: "checker", away: [5, 3], cube: ONE, analysis: play(32, &[0, 10, 55], 2), seconds: Some(12), luck: None },
    Line { id: "B4", game: 3, kind: "checker", away: [3, 5], cube: ONE, analysis: play(43, &[0, 90], 1), seconds: Some(2), luck: Some(-80) },
    Line { id: "A7", game: 3, kind: "checker", away: [5, 3], cube: OWN_TWO, analysis: play(61, &[0, 200], 0), seconds: Some(8), luck: Some(400) },
    Line { id: "A8", game: 4, kind: "checker", away: [1, 3], cube: ONE, analysis: play(54, &[0, 70], 1), seconds: Some(6), luck: Some(-100) },
    Line { id: "B5", game: 4, kind: "checker", away: [3, 1], cube: ONE, analysis: play(62, &[0, 4, 20], 0), seconds: Some(6), luck: Some(300) },
    Line { id: "B6", game: 5, kind: "double", away: [2, 1], cube: ONE, analysis: Analysis::Cube { nd: 600, dt: 1000 }, seconds: Some(1), luck: None },
    Line { id: "A9", game: 5, kind: "checker", away: [1, 2], cube: OWN_TWO, analysis: play(63, &[0, 5, 100], 2), seconds: None, luck: Some(-200) },
    Line { id: "B-", game: 5, kind: "checker", away: [2, 1], cube: THEIR_TWO, analysis: play(65, &[], 0), seconds: None, luck: Some(250) },
];

/// Equity of every best play, in mpt.
const BEST: i64 = 300;

/// One mpt in stored units.
const MPT: i64 = 100_000;

fn regime(game: i64) -> Regime {
    match game {
        4 => Regime::Crawford,
        5 => Regime::PostCrawford,
        _ => Regime::Normal,
    }
}

fn board(line: &Line) -> Board {
    match line.analysis {
        Analysis::Play { costs: [], .. } => Board::from_text("----A-E-C----E---b-cbbbbbA").unwrap(),
        _ => Board::START,
    }
}

fn plays(line: &Line, roll: u8) -> Vec<String> {
    let (board, dice) = (board(line), Dice::from_digits(roll).unwrap());
    legal::plays(&board, dice).iter().map(|legal| legal.play.notation(&board)).collect()
}

fn decision(line: &Line, order: i64) -> DecisionRow {
    let asked = match line.analysis {
        Analysis::Play { roll, .. } => Asked::Move(Dice::from_digits(roll).unwrap()),
        Analysis::Cube { .. } if line.kind == "take" => Asked::Answer,
        Analysis::Cube { .. } => Asked::Double,
    };
    let score = Score { regime: regime(line.game), own_away: line.away[0], opponent_away: line.away[1] };
    let key = PositionKey { board: board(line), cube: line.cube, score, asked };
    let row = DecisionRow {
        season: SEASON.to_owned(),
        decision_id: format!("{MATCH}-{order:04}"),
        match_id: MATCH.to_owned(),
        game: line.game,
        order,
        seat: if line.id.starts_with('A') { 1 } else { 2 },
        kind: line.kind.to_owned(),
        own_away: i64::from(line.away[0]),
        opp_away: i64::from(line.away[1]),
        regime: score.regime.token().to_owned(),
        play_kind: "points".to_owned(),
        cube: i64::from(line.cube.value()),
        cube_owner: line.cube.owner.letter().to_string(),
        may_double: line.kind == "no_double",
        position_key: key.to_string(),
        luck: line.luck.map(|luck| luck * MPT),
        seconds: line.seconds,
        analysed: true,
        ..DecisionRow::default()
    };
    match line.analysis {
        Analysis::Play { roll, costs, played } => with_play(row, line, (roll, costs, played)),
        Analysis::Cube { nd, dt } => DecisionRow {
            nd: Some(nd * MPT),
            dt: Some(dt * MPT),
            dp: Some(1000 * MPT),
            depth_played: Some("3-ply".to_owned()),
            depth_best: Some("3-ply".to_owned()),
            depth_rank: Some(4),
            ..row
        },
    }
}

fn with_play(row: DecisionRow, line: &Line, (roll, costs, played): (u8, &[i64], usize)) -> DecisionRow {
    let plays = plays(line, roll);
    let analysed = !costs.is_empty();
    let depth = analysed.then(|| "3-ply".to_owned());
    DecisionRow {
        dice: Some(i64::from(roll)),
        play: Some(plays.get(played).map_or("dance", |play| play).to_owned()),
        best: plays.first().cloned(),
        legal_plays: Some(i64::try_from(plays.len()).unwrap()),
        candidates: i64::try_from(costs.len()).unwrap(),
        played_rank: analysed.then(|| i64::try_from(played).unwrap()),
        depth_played: depth.clone(),
        depth_best: depth,
        depth_rank: analysed.then_some(4),
        ..row
    }
}

fn candidates(row: &DecisionRow, line: &Line, costs: &[i64]) -> Vec<CandidateRow> {
    let Analysis::Play { roll, .. } = line.analysis else { return Vec::new() };
    let plays = plays(line, roll);
    (0..)
        .zip(costs.iter().zip(plays))
        .map(|(rank, (cost, play))| CandidateRow {
            season: row.season.clone(),
            decision_id: row.decision_id.clone(),
            rank,
            play,
            equity: Some((BEST - cost) * MPT),
            cost: Some(cost * MPT),
            depth: "3-ply".to_owned(),
            depth_rank: 4,
            ..CandidateRow::default()
        })
        .collect()
}

fn match_row() -> MatchRow {
    MatchRow {
        season: SEASON.to_owned(),
        match_id: MATCH.to_owned(),
        name_1: "A".to_owned(),
        name_2: "B".to_owned(),
        player_1: "A".to_owned(),
        player_2: "B".to_owned(),
        play: "points".to_owned(),
        length: Some(7),
        score_1: 6,
        score_2: 7,
        winner: Some(2),
        finished: true,
        games: 5,
        start_mwc: Some(500_000_000),
        crawford: true,
        cube: true,
        variant: "backgammon".to_owned(),
        ..MatchRow::default()
    }
}

fn games() -> Vec<GameRow> {
    let games = [([0, 0], 1, 2), ([2, 0], 2, 4), ([2, 4], 1, 4), ([6, 4], 2, 1), ([6, 5], 2, 2)];
    (1..)
        .zip(games)
        .map(|(game, (score, winner, points))| GameRow {
            season: SEASON.to_owned(),
            match_id: MATCH.to_owned(),
            game,
            score_1: score[0],
            score_2: score[1],
            regime: regime(game).token().to_owned(),
            first: Some(1),
            winner: Some(winner),
            points: Some(points),
            ending: Some("borne_off".to_owned()),
            plies: i64::try_from(LINES.iter().filter(|l| l.game == game && l.kind == "checker").count()).unwrap(),
        })
        .collect()
}
