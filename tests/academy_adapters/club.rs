//! The whole made-up club, both seasons, filed by the rules of the page: the figures of `academy.md` 13, which another
//! program computed from the same files.

use crate::support::seasons::Stored;
use crate::support::shared;
use portes::academy::backgammon::{self, Cut, Rows};
use portes::academy::library::Step;
use portes::academy::rows::{AdviceRow, FilingEvent, FilingRow, Phase, Shelving};
use portes::academy::settings::Settings;
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
    let Stored { row, games, decisions, candidates } = stored;
    backgammon::cut(Rows { of: row, games, decisions, candidates }).unwrap()
}

/// What a season's matches made the Academy tell.
#[derive(Default)]
struct Season {
    filings: Vec<FilingRow>,
    advice: Vec<AdviceRow>,
    plies: u64,
}

fn file(academy: &mut Academy, season: &str, told: &mut Season) {
    for cut in club().iter().filter(|cut| cut.contests[0].schedule.season == season) {
        for contest in &cut.contests {
            let Report { filings, advice, .. } = academy.file(contest);
            told.filings.extend(filings);
            told.advice.extend(advice);
            told.plies += contest.length();
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
            rows.iter().filter(|row| row.played_right == Some(true)).count(),
            format!("{} : {}", cost(proposed), cost(played)),
        )
    }

    fn told(&self, academy: &Academy) -> String {
        let (lengths, tree) = (academy.lengths(GAME), academy.tree(GAME).unwrap());
        let deepest = tree.nodes().map(|node| node.depth).max().unwrap();
        let size = |which| academy.library(GAME, which).unwrap().len();
        format!(
            "games {} plies {}\nchuban {:?} {}\nyose {:?} {}\ntree {} deepest {deepest} root {:?}\n\
             opening {:?}\nmiddle {:?}\nend {:?}",
            lengths.count,
            lengths.sum,
            self.outcomes(Shelving::Chuban),
            size(Shelving::Chuban),
            self.outcomes(Shelving::Yose),
            size(Shelving::Yose),
            tree.len(),
            tree.node(0).unwrap().total,
            self.advice(Phase::Opening),
            self.advice(Phase::Middle),
            self.advice(Phase::End),
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
    file(&mut academy, "2025", &mut told);
    println!("{}", told.told(&academy));
    file(&mut academy, "2026", &mut told);
    println!("{}\nall plies {}", told.told(&academy), told.plies);
    for row in academy.measures(GAME, None) {
        println!("{row:?}");
    }
}
