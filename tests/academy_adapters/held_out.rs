//! How much a local pattern tells of a position it has never seen: built on one season, asked about the next.

use super::club::club;
use portes::academy::contest::{Contest, Outcome, Ply, Side};
use portes::academy::library::{Library, LibraryLaw, Proposal};
use portes::academy::settings::{FilingSettings, Settings, VotesBy};
use portes::academy::units::Elo;
use std::sync::Arc;

/// The trial leaves out Elo, capacity and publication: every analysed ply proposes its most changed area, and each
/// proposal weighs the same.
fn library(max_changed_cells: u32, max_wild_share: [u32; 2]) -> Library {
    let filing = FilingSettings { max_changed_cells, max_wild_share, ..FilingSettings::default() };
    let bylaws = Settings { filing, ..Settings::default() }.bylaws().unwrap();
    let mut library =
        Library::new(LibraryLaw { capacity: usize::MAX, votes: VotesBy::Proposals, filing: bylaws.filing });
    for (contest, ply, number) in analysed("2025") {
        library.file(&Proposal {
            area: &ply.areas[0],
            side: Side::First,
            player: u32::from(ply.by == Side::Second),
            elo: Elo::from_points(1500.0).unwrap(),
            value: ply.value.unwrap(),
            date: contest.schedule.date,
            contest: &Arc::from(contest.contest_id.as_str()),
            ply: number,
        });
    }
    library
}

/// Plies with a value, of games with a result.
fn analysed(season: &str) -> impl Iterator<Item = (&'static Contest, &'static Ply, u32)> {
    let season = season.to_owned();
    let contests = club().iter().flat_map(|cut| &cut.contests);
    let played =
        contests.filter(move |contest| contest.schedule.season == season && contest.outcome != Outcome::Unfinished);
    played
        .flat_map(|contest| (1..).zip(&contest.plies).map(move |(number, ply)| (contest, ply, number)))
        .filter(|(_, ply, _)| ply.value.is_some() && !ply.areas.is_empty())
}

/// What a library says of the positions of the next season.
struct Trial {
    patterns: usize,
    covered: f64,
    error: f64,
    /// Of the season's mean, on the positions the library covers.
    error_of_mean: f64,
}

fn share(value: i64) -> f64 {
    value as f64 / 1e9
}

fn trial(library: &Library) -> Trial {
    let known: Vec<f64> = analysed("2025").map(|(_, ply, _)| share(ply.value.unwrap().billionths())).collect();
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    let (mut asked, mut covered, mut error, mut error_of_mean) = (0, 0, 0.0, 0.0);
    for (_, ply, _) in analysed("2026") {
        asked += 1;
        let Some(cover) = library.cover(&ply.areas[0], Side::First, |_| true) else { continue };
        let truth = share(ply.value.unwrap().billionths());
        covered += 1;
        error += (cover.tally.value() - truth).abs();
        error_of_mean += (mean - truth).abs();
    }
    let of_covered = |sum: f64| sum / f64::from(covered);
    Trial {
        patterns: library.len(),
        covered: f64::from(covered) / f64::from(asked),
        error: of_covered(error),
        error_of_mean: of_covered(error_of_mean),
    }
}

#[test]
#[ignore = "a measurement: make heldout"]
fn patterns_of_one_season_tell_something_of_the_next() {
    if club().is_empty() {
        return;
    }
    const ALL: u32 = u32::MAX;
    let trials = [
        ("none", 0, [1, 3]),
        ("1 cell, wild <= 1/3", 1, [1, 3]),
        ("1 cell, wild <= 1/2", 1, [1, 2]),
        ("1 cell, no wild limit", 1, [1, 1]),
        ("no limits", ALL, [1, 1]),
    ]
    .map(|(name, cells, wild)| (name, trial(&library(cells, wild))));
    println!("{:<24}{:>10}{:>10}{:>12}{:>14}", "merging", "patterns", "covered", "mean error", "of the mean");
    for (name, Trial { patterns, covered, error, error_of_mean }) in &trials {
        println!("{name:<24}{patterns:>10}{:>9.0}%{error:>12.3}{error_of_mean:>14.3}", 100.0 * covered);
    }
    let [(_, none), (_, limited), .., (_, unlimited)] = &trials;
    assert!(
        limited.patterns * 2 < none.patterns && limited.covered > none.covered,
        "merging makes room and covers more"
    );
    // Measured, not known before: from season to season merging covers more and errs by half a hundredth more.
    assert!(limited.error < none.error + 0.01, "and predicts hardly worse");
    assert!(none.error < none.error_of_mean * 0.9, "unmerged patterns tell more than the mean too");
    assert!(limited.error < limited.error_of_mean * 0.9, "a pattern tells more than the mean of everything");
    assert!(unlimited.error > limited.error, "without limits everything melts together");
}
