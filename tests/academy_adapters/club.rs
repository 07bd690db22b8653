//! The whole made-up club, both seasons, filed by the rules of the page: the figures of `academy.md` 13, which another
//! program computed from the same files.

use crate::support::seasons::Stored;
use crate::support::shared;
use portes::academy::backgammon::{self, ActionRow, Cut, ListedRow, RowFault, Rows};
use portes::academy::lengths::Lengths;
use portes::academy::library::Step;
use portes::academy::rows::{AdviceRow, FilingEvent, FilingRow, Phase, Shelving};
use portes::academy::settings::{Settings, ValueOf};
use portes::academy::tree::node::ROOT;
use portes::academy::{Academy, Report, Seeds};
use std::sync::OnceLock;

const GAME: &str = "backgammon";

/// The matches of both seasons, cut, in the order they are filed.
pub(super) fn club() -> &'static [Cut] {
    static CLUB: OnceLock<Vec<Cut>> = OnceLock::new();
    CLUB.get_or_init(|| {
        let Some(root) = shared("corpus/gnubg") else { return Vec::new() };
        let ledger = std::fs::read_to_string(root.join("ledger.tsv")).unwrap();
        let mut cuts: Vec<Cut> = ledger.lines().skip(1).map(|line| cut(&Stored::read(&root, line))).collect();
        cuts.sort_by(|a, b| a.contests[0].order().cmp(&b.contests[0].order()));
        cuts
    })
}

pub(super) fn cut(stored: &Stored) -> Cut {
    try_cut(stored).unwrap()
}

pub(super) fn try_cut(stored: &Stored) -> Result<Cut, RowFault> {
    cut_by(stored, ValueOf::Win)
}

pub(super) fn cut_by(stored: &Stored, value: ValueOf) -> Result<Cut, RowFault> {
    let Stored { row, games, decisions, candidates } = stored;
    let decisions: Vec<_> = decisions.iter().map(ActionRow::from).collect();
    let candidates: Vec<_> = candidates.iter().map(ListedRow::from).collect();
    backgammon::cut(Rows { of: row, games, decisions: &decisions, candidates: &candidates }, value)
}

/// What a season's matches made the Academy tell.
#[derive(Default)]
struct Season {
    filings: Vec<FilingRow>,
    advice: Vec<AdviceRow>,
}

fn file(academy: &mut Academy, season: &str, told: &mut Season) {
    for cut in club().iter().filter(|cut| cut.contests[0].schedule.season == season) {
        for contest in &cut.contests {
            let Report { filings, advice, .. } = academy.file(contest);
            told.filings.extend(filings);
            told.advice.extend(advice);
        }
        if let Some(finished) = &cut.finished {
            academy.finish(finished);
        }
    }
}

impl Season {
    /// Matched, generalised, specialised, inserted.
    fn outcomes(&self, library: Shelving) -> [usize; 4] {
        [Step::Match, Step::Generalise, Step::Specialise, Step::Insert].map(|wanted| {
            let filed = self.filings.iter().filter(|row| row.library == library);
            filed.filter(|row| matches!(row.event, FilingEvent::Filed { step, .. } if step == wanted)).count()
        })
    }

    /// Proposals, how many are right, how often the players are, and what both cost where the analysis judges both.
    fn advice(&self, phase: Phase) -> (usize, usize, usize, String) {
        let rows: Vec<&AdviceRow> = self.advice.iter().filter(|row| row.phase == phase).collect();
        let judged = || rows.iter().filter_map(|row| row.cost_proposed.zip(row.cost_played));
        let proposed: i64 = judged().map(|(proposed, _)| proposed.billionths()).sum();
        let played: i64 = judged().map(|(_, played)| played.billionths()).sum();
        let decimals = if phase == Phase::Opening { 2 } else { 1 };
        let cost = |billionths: i64| format!("{:.decimals$}", billionths as f64 / 1e9);
        (
            rows.len(),
            rows.iter().filter(|row| row.right == Some(true)).count(),
            rows.iter().filter(|row| row.cost_played.is_some_and(|cost| cost.billionths() == 0)).count(),
            format!("{} : {}", cost(proposed), cost(played)),
        )
    }
}

#[test]
fn the_club_is_filed_as_the_page_says() {
    if club().is_empty() {
        return;
    }
    let mut academy = Academy::new(Settings::default().bylaws().unwrap(), Seeds::default());
    let mut told = Season::default();
    let size = |academy: &Academy, which| academy.library(GAME, which).unwrap().len();
    let tree = |academy: &Academy| {
        let tree = academy.tree(GAME).unwrap();
        (tree.len(), tree.nodes().map(|node| node.depth).max(), tree.node(ROOT).unwrap().total)
    };
    let advice = |proposals, right, players, costs: &str| (proposals, right, players, costs.to_owned());

    file(&mut academy, "2025", &mut told);
    assert_eq!(academy.lengths(GAME), Lengths { count: 211, sum: 9715 });
    assert_eq!((told.outcomes(Shelving::Chuban), size(&academy, Shelving::Chuban)), ([2, 25, 0, 55], 55));
    assert_eq!((told.outcomes(Shelving::Yose), size(&academy, Shelving::Yose)), ([105, 2121, 0, 469], 469));
    assert_eq!(tree(&academy), (1000, Some(9), [106, 0, 105]));
    assert_eq!(told.advice(Phase::Opening), advice(228, 158, 136, "2.38 : 3.56"));
    assert_eq!(told.advice(Phase::Middle), advice(201, 33, 90, "25.4 : 3.0"));
    assert_eq!(told.advice(Phase::End), advice(778, 138, 430, "59.8 : 9.7"));

    file(&mut academy, "2026", &mut told);
    assert_eq!(academy.lengths(GAME), Lengths { count: 402, sum: 19_068 });
    assert_eq!((told.outcomes(Shelving::Chuban), size(&academy, Shelving::Chuban)), ([4, 45, 0, 84], 84));
    assert_eq!((told.outcomes(Shelving::Yose), size(&academy, Shelving::Yose)), ([238, 4440, 1, 812], 812));
    assert_eq!(tree(&academy), (1000, Some(6), [203, 0, 199]));
    assert_eq!(told.advice(Phase::Opening), advice(481, 330, 287, "4.15 : 7.74"));
    assert_eq!(told.advice(Phase::Middle), advice(578, 94, 268, "75.0 : 11.0"));
    assert_eq!(told.advice(Phase::End), advice(1540, 254, 868, "136.9 : 18.7"));
    // 114 matches, 403 games of which one was never finished.
    assert_eq!((club().len(), club().iter().flat_map(|cut| &cut.contests).count()), (114, 403));
}
