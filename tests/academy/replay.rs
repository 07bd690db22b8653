//! The Academy over a made-up season: what is saved goes on alike, no library breaks its rules, and damaged states are
//! refused.

use crate::support::contests::Season;
use portes::academy::contest::{Contest, FinishedMatch};
use portes::academy::library::Step;
use portes::academy::rows::{FilingEvent, PatternRow, RatingRow, Shelving};
use portes::academy::save::{Saved, SavedGame};
use portes::academy::settings::{Bylaws, Settings};
use portes::academy::{Academy, Report, Seeds};
use std::collections::{BTreeMap, BTreeSet};

const CONTESTS: usize = 400;

/// Libraries small enough to be full at once.
fn small() -> Bylaws {
    let mut settings = Settings::default();
    settings.fuseki.max_nodes = 60;
    settings.chuban.max_patterns = 25;
    settings.yose.max_patterns = 150;
    settings.bylaws().unwrap()
}

fn season() -> Vec<(Contest, Option<FinishedMatch>)> {
    let mut season = Season::new(2026, 40);
    (0..CONTESTS).map(|_| season.contest()).collect()
}

fn academy() -> Academy {
    Academy::new(small(), seeds())
}

fn seeds() -> Seeds {
    Season::new(2026, 40).seeds()
}

fn file(academy: &mut Academy, played: &(Contest, Option<FinishedMatch>)) -> (Report, Option<[RatingRow; 2]>) {
    (academy.file(&played.0), played.1.as_ref().map(|finished| academy.finish(finished)))
}

#[test]
fn a_restored_academy_goes_on_as_the_saved_one() {
    let season = season();
    let mut whole = academy();
    let mut split = academy();
    for (at, played) in season.iter().enumerate() {
        if at % 37 == 0 {
            let bytes = serde_json::to_vec(&split.save()).unwrap();
            let saved: Saved = serde_json::from_slice(&bytes).unwrap();
            split = Academy::restore(small(), seeds(), &saved).unwrap();
            assert_eq!(serde_json::to_vec(&split.save()).unwrap(), bytes);
        }
        assert_eq!(file(&mut whole, played), file(&mut split, played), "contest {at}");
    }
    assert_eq!(whole.save(), split.save());
    assert_eq!(whole.measures("quarters", Some(1000)), split.measures("quarters", Some(1000)));
}

#[test]
fn the_season_sees_every_way_of_filing_and_leaving() {
    let mut academy = academy();
    let mut seen: BTreeMap<(Shelving, Option<Step>), u32> = BTreeMap::new();
    let mut advised = BTreeSet::new();
    for played in &season() {
        let (report, _) = file(&mut academy, played);
        for row in report.filings {
            let step = match row.event {
                FilingEvent::Filed { step, .. } => Some(step),
                FilingEvent::Evicted { .. } => None,
            };
            *seen.entry((row.library, step)).or_default() += 1;
        }
        advised.extend(report.advice.into_iter().map(|row| row.phase));
    }
    println!("{seen:?} {advised:?}");
    for step in [Some(Step::Match), Some(Step::Generalise), Some(Step::Specialise), Some(Step::Insert), None] {
        assert!(seen.contains_key(&(Shelving::Yose, step)), "{step:?} of {seen:?}");
    }
    assert!(seen.contains_key(&(Shelving::Chuban, None)));
    assert_eq!(advised.len(), 3);
}

#[test]
fn no_library_breaks_its_rules() {
    let mut academy = academy();
    let mut filed = 0;
    for (at, played) in season().iter().enumerate() {
        filed += u64::from(file(&mut academy, played).0.contest.status == portes::academy::rows::Status::Filed);
        if at % 20 == 0 {
            check(&academy.save().games[0], filed);
        }
    }
    assert!(filed > 300);
}

fn check(game: &SavedGame, filed: u64) {
    assert_eq!((game.count, game.nodes[0].total.iter().sum()), (filed, filed));
    assert!(game.nodes.len() <= 61);
    for node in &game.nodes {
        let below = game.nodes.iter().filter(|child| child.parent == Some(node.node));
        let sum = below.fold(node.stopped, |sum, child| [0, 1, 2].map(|at| sum[at] + child.total[at]));
        assert_eq!(node.total, sum);
    }
    let of = |library| game.patterns.iter().filter(move |pattern| pattern.library == library).count();
    assert!(of(Shelving::Chuban) <= 25 && of(Shelving::Yose) <= 150);
    let cells: BTreeSet<_> = game.patterns.iter().map(|p| (p.library, &p.area, &p.rows, p.side, &p.cells)).collect();
    assert_eq!(cells.len(), game.patterns.len(), "two patterns share their cells");
    for pattern in &game.patterns {
        check_signature(game, pattern);
    }
}

/// N, E and V by the page's words: one vote a player, his means, weighted by strength.
fn check_signature(game: &SavedGame, pattern: &PatternRow) {
    let votes = game.votes.iter().filter(|vote| (vote.library, vote.id) == (pattern.library, pattern.id));
    let means: Vec<(f64, f64)> = votes
        .map(|vote| (vote.sum_elo as f64 / f64::from(vote.k) / 1e6, vote.sum_value as f64 / f64::from(vote.k) / 1e9))
        .collect();
    let n = means.len() as f64;
    let weight: f64 = means.iter().map(|(e, _)| e.max(1.0)).sum();
    let e = means.iter().map(|(e, _)| e).sum::<f64>() / n;
    let v = means.iter().map(|(e, v)| e.max(1.0) * v).sum::<f64>() / weight;
    assert!(pattern.n >= 1 && pattern.n == means.len() as u64);
    assert!((pattern.e - e).abs() < 1e-5 && (pattern.v - v).abs() < 1e-8, "{pattern:?} {e} {v}");
    assert!((pattern.worth - n * e.max(1.0) * (0.5 - v).powi(2)).abs() < 1e-4);
}

#[test]
fn measures_are_those_of_the_contests() {
    let mut academy = academy();
    let mut lengths = Vec::new();
    for played in &season() {
        if file(&mut academy, played).0.contest.status == portes::academy::rows::Status::Filed {
            lengths.push(played.0.plies.len());
        }
    }
    lengths.sort_unstable();
    let measures = academy.measures("quarters", Some(1000));
    let of = |name: &str| measures.iter().find(|row| row.measure == name).unwrap().value;
    let n = lengths.len();
    assert!((of("length_mean") - lengths.iter().sum::<usize>() as f64 / n as f64).abs() < 1e-9);
    assert!((of("length_median") - (lengths[(n - 1) / 2] + lengths[n / 2]) as f64 / 2.0).abs() < 1e-9);
    assert_eq!((of("length_shortest"), of("length_longest")), (lengths[0] as f64, lengths[n - 1] as f64));
    assert_eq!(of("won_by_first") + of("drawn") + of("won_by_second"), n as f64);
    assert!((of("size_log10") - 3.0).abs() < 1e-12);
    assert!(of("decisiveness") > 0.3 && of("decisiveness") < 1.0);
}

#[test]
fn a_damaged_state_is_refused_with_its_reason() {
    let mut academy = academy();
    for played in season().iter().take(60) {
        file(&mut academy, played);
    }
    let good = academy.save();
    assert!(Academy::restore(small(), seeds(), &good).is_ok());
    type Damage = fn(&mut SavedGame);
    let damages: [(&str, Damage); 13] = [
        ("has no father", |game| game.nodes[3].parent = Some(9_999_999)),
        ("is damaged", |game| game.nodes[3].sum_value = -1),
        ("is damaged", |game| game.nodes[3].n_results = game.nodes[3].n_value + 1),
        ("is damaged", |game| game.nodes[3].parent = None),
        ("not given out", |game| game.next_ids[0] = 2),
        ("not given out", |game| game.next_ids[2] = 1),
        ("are damaged", |game| game.patterns[0].cells.push('-')),
        ("are damaged", |game| game.patterns[0].cells = "????????".to_owned()),
        ("has the cells of another one", |game| {
            let mut twin = game.patterns[0].clone();
            twin.id = game.patterns[1].id;
            game.patterns[1] = twin;
        }),
        ("has no vote", |game| game.votes.clear()),
        ("which is not there", |game| drop(game.patterns.remove(0))),
        ("is damaged", |game| game.votes[0].player = "nobody".into()),
        ("saved twice", |game| game.players.push(game.players[0].clone())),
    ];
    for (reason, damage) in damages {
        let mut saved = good.clone();
        damage(&mut saved.games[0]);
        let refused = Academy::restore(small(), seeds(), &saved).unwrap_err().to_string();
        assert!(refused.contains(reason), "{refused:?} does not say {reason:?}");
    }
}

#[test]
fn contests_come_by_season_day_event_round_names_match_and_number() {
    let (base, _) = Season::new(1, 9).contest();
    let with = |change: &dyn Fn(&mut Contest)| {
        let mut contest = base.clone();
        change(&mut contest);
        contest
    };
    let day = |day| Some(jiff::civil::date(2026, 2, day));
    let ordered = [
        with(&|c| c.schedule.date = day(1)),
        with(&|c| (c.schedule.date, c.schedule.event) = (day(2), "B".to_owned())),
        with(&|c| (c.schedule.date, c.schedule.event) = (day(2), "a".to_owned())),
        with(&|c| (c.schedule.date, c.schedule.event, c.schedule.round) = (day(2), "a".to_owned(), "1".to_owned())),
        with(&|c| c.schedule.date = None),
        with(&|c| c.schedule.season = "made later".to_owned()),
    ];
    assert!(ordered.windows(2).all(|pair| pair[0].order() < pair[1].order()));
    // Who moves first does not matter, the number within the match does.
    let mut swapped = with(&|c| c.schedule.seq = 2);
    std::mem::swap(&mut swapped.first, &mut swapped.second);
    assert!(base.order() < swapped.order());
    swapped.schedule.seq = 1;
    assert_eq!(base.order(), swapped.order());
}
