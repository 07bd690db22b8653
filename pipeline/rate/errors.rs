//! The errors of a match, one by one: what reviews, study plans and reference positions are made of (`metrics.md` 10,
//! 12 and 13).
//!
//! An error is a counted decision at or above the Error threshold. A row says what was decided, what it cost, what was
//! right and how clear the lesson is; whose error it is, the table of matches says.

use super::pace::Medians;
use super::{Options, Rules, cube_equities, error, rulings};
use crate::game::{CubeAction, Equity, Kind};
use crate::tables::facts::{CandidateRow, DecisionRow};
use crate::tables::partials::ErrorRow;

/// The errors of whole rated matches, in their order. Sorted as [`super::rate`] wants them.
#[must_use]
pub fn errors(decisions: &[DecisionRow], candidates: &[CandidateRow], rules: &Rules) -> Vec<ErrorRow> {
    let mut options = Options::new(candidates);
    let of_match = |of_match: &[DecisionRow]| -> Vec<ErrorRow> {
        let medians = Medians::of(of_match);
        let wrong = |row: &DecisionRow| row.counted && row.e_mpt >= Some(rules.error.0);
        let decided = of_match.iter().zip(plies(of_match)).filter(|(row, _)| wrong(row));
        decided.filter_map(|of| error_row(of, options.of(&of.0.decision_id), &medians)).collect()
    };
    decisions.chunk_by(|a, b| a.match_id == b.match_id).flat_map(of_match).collect()
}

/// The roll of its game that each decision is about, from 1.
fn plies(of_match: &[DecisionRow]) -> impl Iterator<Item = i64> {
    let (mut game, mut next) = (None, 1);
    of_match.iter().map(move |row| {
        if game != Some(row.game) {
            (game, next) = (Some(row.game), 1);
        }
        let ply = next;
        next += i64::from(row.kind == Kind::Checker.token());
        ply
    })
}

/// `None` for a row that is not rated, which is no error.
fn error_row((row, ply): (&DecisionRow, i64), options: &[CandidateRow], medians: &Medians) -> Option<ErrorRow> {
    let kind = Kind::from_token(&row.kind)?;
    Some(ErrorRow {
        season: row.season.clone(),
        match_id: row.match_id.clone(),
        decision_id: row.decision_id.clone(),
        game: row.game,
        order: row.order,
        ply,
        seat: row.seat,
        kind: row.kind.clone(),
        nature: kind.nature().token().to_owned(),
        plan: row.plan.clone(),
        theme: row.theme.clone(),
        phase: row.phase.clone(),
        mpt: row.e_mpt?,
        loss: row.loss,
        difficulty: row.difficulty,
        avoidable: row.avoidable,
        position_key: row.position_key.clone(),
        own_away: row.own_away,
        opp_away: row.opp_away,
        gap: gap(row, kind, options).map(|gap| gap.mpt().0),
        ruling: rulings::ruling(row)?.to_owned(),
        played: row.play.clone(),
        rollout: rulings::rolled_out(row),
        depth_rank: row.depth_rank,
        seconds: row.seconds,
        pace: medians.times(row.seat).then(|| medians.pace(row).token().to_owned()),
    })
}

/// What the second-best option costs; `None` with fewer than two.
fn gap(row: &DecisionRow, kind: Kind, options: &[CandidateRow]) -> Option<Equity> {
    match kind {
        Kind::Checker => second_play(options),
        Kind::Cube(CubeAction::NoDouble | CubeAction::Double) => {
            let cube = cube_equities(row)?;
            Some(apart(cube.nd, cube.doubled()))
        }
        Kind::Cube(CubeAction::Take | CubeAction::Pass) => {
            let cube = cube_equities(row)?;
            Some(apart(cube.dt, cube.dp))
        }
    }
}

/// The candidate ranked second, against the one ranked first; a second spelling of the first is no option.
fn second_play(options: &[CandidateRow]) -> Option<Equity> {
    let mut evaluated = options.iter().filter_map(|option| Some((&option.play, Equity::from_units(option.equity?))));
    let (best, first) = evaluated.next()?;
    let (_, second) = evaluated.find(|(play, _)| *play != best)?;
    Some(error::of_play(first, second))
}

fn apart(a: Equity, b: Equity) -> Equity {
    (a - b).max(b - a)
}
