//! One cube or play record into the actions it holds.
//!
//! A cube record holds no decision when nobody could double (`Double` -2), when the game ended first (-1), or in the
//! Crawford game, whatever the record says. Otherwise it is one action, or a double and what came of it. All actions of
//! one cube record stand on the cube before the double. A play record without a play is no decision and no roll.

use super::records::{CubeRecord, PlayRecord};
use super::rollouts::{Line, Precision, Rollouts};
use super::values;
use crate::game::cube::CubeEquities;
use crate::game::{Board, Cube, Dice, Equity, Seat};
use crate::ingest::record::{Action, AfterBeaver, Candidate, CheckerPlay, CubeAnalysis, Depth, What};

/// What a record's game knows that the record does not.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    /// The Crawford game of a match: nobody doubles.
    pub(super) crawford: bool,
    /// log2 of the factor by which the stakes are higher than the cube says.
    pub(super) automatic: u8,
    pub(super) rollouts: Rollouts<'a>,
}

/// What a record yields: actions, and what had to be passed over.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) actions: Vec<Action>,
    pub(super) fault: Option<&'static str>,
}

impl Turn {
    fn refused(fault: &'static str) -> Self {
        Self { actions: Vec::new(), fault: Some(fault) }
    }
}

/// Who acts, on what.
#[derive(Clone, Copy)]
struct Stand {
    seat: Seat,
    board: Board,
    cube: Cube,
    offset: u64,
}

impl Stand {
    fn action(self, what: What) -> Action {
        Action { seat: self.seat, board: self.board, cube: self.cube, seconds: None, offset: self.offset, what }
    }

    /// The same stand, seen by the one who answers.
    fn opposite(self) -> Self {
        Self { seat: self.seat.other(), board: self.board.mirror(), cube: self.cube.mirror(), ..self }
    }
}

/// The actions of a cube record.
pub(super) fn cube(record: CubeRecord<'_>, offset: u64, setting: Setting<'_>) -> Turn {
    const NO_DOUBLE: i32 = 0;
    const DOUBLE: i32 = 1;
    let Some(seat) = values::seat(record.player()) else {
        return Turn::refused("cube record of no player");
    };
    if setting.crawford || ![NO_DOUBLE, DOUBLE].contains(&record.double()) {
        return Turn::default();
    }
    let Some(board) = values::board_for(seat, record.position()) else {
        return Turn::refused("cube record on an impossible position");
    };
    let Some(cube) = values::cube_for(seat, record.cube(), setting.automatic) else {
        return Turn::refused("cube record with an impossible cube");
    };
    let stand = Stand { seat, board, cube, offset };
    let analysis = cube_analysis(record, setting.rollouts);
    if record.double() == NO_DOUBLE {
        return Turn { actions: vec![stand.action(What::NoDouble(analysis))], fault: None };
    }
    let mut turn = Turn { actions: vec![stand.action(What::Double(analysis.clone()))], fault: None };
    match record.take() {
        0 => turn.actions.push(stand.opposite().action(What::Pass(analysis))),
        1 => turn.actions.push(stand.opposite().action(What::Take(analysis))),
        2 => {
            turn.actions.push(stand.opposite().action(What::Beaver(analysis)));
            after_beaver(record, stand, &mut turn.actions);
        }
        // The file ends, or the transcriber stopped, with the cube on the table.
        -1 => {}
        _ => turn.fault = Some("answer to a double that is none"),
    }
    turn
}

/// What the doubler said to a beaver, and the other to a raccoon.
fn after_beaver(record: CubeRecord<'_>, doubler: Stand, actions: &mut Vec<Action>) {
    let answer = |code| match code {
        0 => Some(AfterBeaver::Pass),
        1 => Some(AfterBeaver::Take),
        _ => None,
    };
    if record.beaver_answer() == 2 {
        actions.push(doubler.action(What::AfterBeaver(AfterBeaver::Raccoon)));
        let last = answer(record.raccoon_answer());
        actions.extend(last.map(|answer| doubler.opposite().action(What::AfterBeaver(answer))));
    } else if let Some(answer) = answer(record.beaver_answer()) {
        actions.push(doubler.action(What::AfterBeaver(answer)));
    }
}

/// The numbers of a cube record; `None` when it was not analysed or they are no numbers.
fn cube_analysis(record: CubeRecord<'_>, rollouts: Rollouts<'_>) -> Option<CubeAnalysis> {
    const NOT_ANALYSED: i16 = -100;
    // Code 0 is the untouched record here, never 1-ply.
    if record.verdict() <= NOT_ANALYSED || record.level() <= 0 {
        return None;
    }
    let [nd, dt, dp] = record.equities().map(Equity::from_f64);
    let equities = CubeEquities { nd: nd?, dt: dt?, dp: dp? };
    let depth = values::depth(record.level());
    let line = if equities.doubled() > equities.nd { Line::Second } else { Line::First };
    let precision = precision(depth, record.rollout(), line, rollouts);
    Some(CubeAnalysis {
        equities,
        mwc: None,
        odds: values::odds(record.evaluation()),
        depth,
        trials: precision.trials,
        std_error: precision.std_error,
        stored_errors: record.errors().map(values::stored),
    })
}

/// The rollout behind a figure; an index beside a figure of another depth is a leftover.
fn precision(depth: Depth, index: i32, line: Line, rollouts: Rollouts<'_>) -> Precision {
    if depth == Depth::Rollout { rollouts.precision(index, line) } else { Precision::default() }
}

/// The action of a play record: a checker play, or nothing when none was made.
pub(super) fn checker(record: PlayRecord<'_>, offset: u64, setting: Setting<'_>) -> Turn {
    let Some(seat) = values::seat(record.mover()) else {
        return Turn::refused("play record of no player");
    };
    if !record.was_made() || record.dice() == [0, 0] {
        return Turn::default();
    }
    let Some(dice) = dice(record.dice()) else {
        return Turn::refused("play record with impossible dice");
    };
    let Some(board) = values::board_for(seat, record.before()) else {
        return Turn::refused("play record on an impossible position");
    };
    let Some(cube) = values::cube_for(seat, record.cube(), setting.automatic) else {
        return Turn::refused("play record with an impossible cube");
    };
    let marked = record.invalid() != 0;
    let play = values::play(record.play());
    let candidates = candidates(record, setting.rollouts);
    let fault = match (&play, &candidates) {
        (Err(_), _) if !marked => Some("play made that is no play"),
        (_, Err(fault)) if !marked => Some(*fault),
        _ => None,
    };
    let after = values::board(record.after()).or_else(|| play.ok()?.apply(&board).ok());
    let what = What::Checker(CheckerPlay {
        dice,
        after,
        illegal: marked || play.is_err(),
        play: play.unwrap_or_default(),
        candidates: candidates.unwrap_or_default(),
        luck: values::stored(record.luck()),
        xg_forced: Some(record.forced()),
        stored_error: values::stored(record.error()),
    });
    Turn { actions: vec![Stand { seat, board, cube, offset }.action(what)], fault }
}

fn dice([a, b]: [i32; 2]) -> Option<Dice> {
    Dice::new(u8::try_from(a).ok()?, u8::try_from(b).ok()?)
}

/// The candidates in the file's order; empty when none was evaluated.
///
/// A row that cannot be read takes the whole list with it: without it, another row could pass for the best play.
fn candidates(record: PlayRecord<'_>, rollouts: Rollouts<'_>) -> Result<Vec<Candidate>, &'static str> {
    let count = record.candidates();
    let mut candidates = Vec::with_capacity(count);
    for row in 0..count {
        let codes = record.candidate_play(row).map(i32::from);
        // Some files mark an illegal play by a row that is none.
        if codes[0] == ILLEGAL_ROW {
            continue;
        }
        let play = values::play(codes).map_err(|_| "candidate that is no play")?;
        let after = values::board(record.candidate_after(row)).ok_or("candidate to an impossible position")?;
        let level = i32::from(record.candidate_level(row));
        let evaluation = record.candidate_evaluation(row);
        let depth = values::depth(level);
        let precision = precision(depth, record.candidate_rollout(row), Line::First, rollouts);
        candidates.push(Candidate {
            play,
            after,
            equity: values::equity(evaluation).filter(|_| level >= 0),
            odds: values::odds(evaluation),
            depth,
            trials: precision.trials,
            std_error: precision.std_error,
        });
    }
    if candidates.iter().all(|candidate| candidate.equity.is_none()) {
        candidates.clear();
    }
    Ok(candidates)
}

const ILLEGAL_ROW: i32 = -100;
