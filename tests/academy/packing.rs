//! What is kept of a match between cutting and filing: filing tells the same of it, and what is damaged is no match.

use crate::support::contests::Season;
use portes::academy::backgammon::Cut;
use portes::academy::flat::{Flat, Unpacker, pack};
use portes::academy::rows::Phase;
use portes::academy::settings::Settings;
use portes::academy::{Academy, Report};

/// Contests of one match, whose candidates have neither labels nor areas at two plies in three.
fn cuts() -> Vec<Cut> {
    let mut season = Season::new(11, 6);
    let cut = |_| {
        let (mut contest, finished) = season.contest();
        for (_, ply) in contest.plies.iter_mut().enumerate().filter(|(at, _)| at % 3 != 0) {
            for candidate in &mut ply.candidates {
                candidate.label.clear();
                candidate.areas.clear();
            }
        }
        Cut { contests: vec![contest], finished, judged: None }
    };
    (0..100).map(cut).collect()
}

/// One whose opening goes far beyond the first plies.
fn academy() -> Academy {
    let mut settings = Settings::default();
    settings.fuseki.depth_share = [1, 1];
    settings.fuseki.max_nodes = 50_000;
    Academy::new(settings.bylaws().unwrap(), Season::new(11, 6).seeds())
}

fn flat(cut: &Cut) -> Flat {
    Unpacker::default().flat(&pack(cut.clone()).unwrap()).unwrap()
}

#[test]
fn a_match_that_was_packed_tells_what_it_told_before() {
    let (mut whole, mut packed, mut deep) = (academy(), academy(), 0);
    // What is played again is known far down.
    for cut in cuts().into_iter().chain(cuts()) {
        let flat = flat(&cut);
        let told: Vec<Report> = cut.contests.iter().map(|contest| whole.file(contest)).collect();
        let again: Vec<Report> = flat.contests().map(|contest| packed.file_seen(&contest)).collect();
        assert_eq!(again, told);
        assert!(flat.is_sound());
        assert_eq!((&flat.finished, &flat.judged), (&cut.finished, &cut.judged));
        let advice = told.iter().flat_map(|report| &report.advice);
        deep += advice.filter(|row| row.phase == Phase::Opening && row.ply > 4 && row.right.is_some()).count();
    }
    assert!(deep > 0, "no proposal was held against candidates that lay packed");
    assert_eq!(packed.save(), whole.save());
}

#[test]
fn what_ends_early_is_damaged_and_says_so_at_once_or_when_it_is_asked_for() {
    let cut = &cuts()[0];
    let bytes = pack(cut.clone()).unwrap();
    let near = 8 + usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    for end in (0..near).chain([bytes.len() - 1]) {
        let Some(flat) = Unpacker::default().flat(&bytes[..end]) else { continue };
        assert!(end >= near, "{end} bytes of {near} are a match");
        let listed =
            flat.contests().map(|seen| seen.plies.iter().map(|ply| ply.candidates.iter().count()).sum::<usize>());
        let all = cut.contests.iter().flat_map(|contest| &contest.plies).map(|ply| ply.candidates.len()).sum();
        assert!(listed.sum::<usize>() < all);
        assert!(!flat.is_sound());
    }
}
