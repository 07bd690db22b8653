//! How much analysis a record holds: what decides which of several files of a match is the primary one.

use super::record::{CheckerPlay, CubeAnalysis, Record, What};
use serde::{Deserialize, Serialize};

/// The analysis of one file, weighed (`design.md` 4: the greatest sum over rated decisions of the depth rank).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Weight {
    /// Sum of the depth ranks of the decisions an analysis rates.
    pub depth_sum: i64,
    /// How many decisions it rates; plays forced without an analysis are not among them.
    pub analysed: i64,
}

impl Weight {
    /// Weighs every decision of `record`.
    #[must_use]
    pub fn of(record: &Record) -> Self {
        let actions = record.games.iter().flat_map(|game| &game.actions);
        actions.filter_map(|action| rank(&action.what)).fold(Self::default(), |all, rank| Self {
            depth_sum: all.depth_sum + i64::from(rank),
            analysed: all.analysed + 1,
        })
    }
}

/// The depth rank of the analysis that rates a decision; `None` when nothing does.
fn rank(what: &What) -> Option<u8> {
    let cube = |analysis: &Option<CubeAnalysis>| analysis.as_ref().map(|analysis| analysis.depth.rank());
    match what {
        What::Checker(play) => checker_rank(play),
        What::NoDouble(analysis)
        | What::Double(analysis)
        | What::Take(analysis)
        | What::Pass(analysis)
        | What::Beaver(analysis) => cube(analysis),
        What::AfterBeaver(_) => None,
    }
}

fn checker_rank(play: &CheckerPlay) -> Option<u8> {
    let after = play.after.filter(|_| !play.illegal)?;
    let evaluated = || play.candidates.iter().filter(|candidate| candidate.equity.is_some());
    evaluated().find(|candidate| candidate.after == after)?;
    evaluated().map(|candidate| candidate.depth.rank()).max()
}
