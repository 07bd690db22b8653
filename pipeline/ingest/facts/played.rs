//! Which of the candidates the play of a match is: the boards decide, spelling only where no board is known.

use crate::game::{Board, Play, Step};
use crate::ingest::record::CheckerPlay;

/// Which candidate was played (`metrics.md` 3.3): the one that leads to the same board. Where the board after the play
/// is not known: the same steps, in the same order or in another; else the only one of the same canonical form.
pub(super) fn played_rank(board: &Board, play: &CheckerPlay) -> Option<usize> {
    if let Some(after) = play.after.or_else(|| play.play.apply(board).ok()) {
        return play.candidates.iter().position(|candidate| candidate.after == after);
    }
    let same = |form: fn(&Play) -> Vec<Step>| {
        play.candidates.iter().position(|candidate| form(&candidate.play) == form(&play.play))
    };
    same(|play| play.steps().to_vec()).or_else(|| same(sorted_steps)).or_else(|| only_same_form(play))
}

fn sorted_steps(play: &Play) -> Vec<Step> {
    let mut steps = play.steps().to_vec();
    steps.sort_unstable();
    steps
}

/// Hops chained, hits forgotten: the form on an empty board.
fn only_same_form(play: &CheckerPlay) -> Option<usize> {
    let empty = Board::new([0; 26]).ok()?;
    let form = play.play.notation(&empty);
    let mut same = (0..).zip(&play.candidates).filter(|(_, candidate)| candidate.play.notation(&empty) == form);
    let (rank, _) = same.next()?;
    same.next().is_none().then_some(rank)
}
