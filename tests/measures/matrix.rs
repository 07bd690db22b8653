//! The matrix of edge cases (`metrics.md` 19), cell by cell: every row of measures under every odd condition, on the
//! fixture M7 made odd in that way, by the program's own rating and measures. The words of the matrix are compared with
//! the page where the page is at hand.

use crate::support::seasons::{Told, day};
use crate::support::{m7, shared};
use portes::game::Mpt;
use portes::measure::Settings;
use portes::measure::before_after::BeforeAfter;
use portes::measure::biases::Biases;
use portes::measure::interval::Quantile;
use portes::measure::player::{Ledger, Marts};
use portes::measure::recurring::Recurring;
use portes::measure::reference::rulings::Rulings;
use portes::measure::reference::{Known, References};
use portes::measure::review::review;
use portes::measure::selection::Selection;
use portes::measure::study_plan::StudyPlan;
use portes::measure::tournament::Tournaments;
use portes::rate::partials::partials;
use portes::rate::{Rules, rate};
use portes::tables::facts::DecisionRow;
use portes::tables::marts::PlayerMatchRow;
use portes::tables::study_marts::{BeforeAfterRow, BiasRow, ReferencePositionRow, StudyPlanRow};
use std::collections::{BTreeMap, BTreeSet};

/// The columns of the matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Odd {
    Money,
    TooLong,
    Unfinished,
    /// A9, all that A decided in game 5, was played off the list.
    Unrated,
    /// Game 4 alone, with a turn of the cube that the rule forbids.
    Crawford,
    /// Game 5 alone.
    PostCrawford,
    Undated,
    NoLuck,
    /// Not a column: M7 as it is.
    Nothing,
}

const COLUMNS: [Odd; 8] = [
    Odd::Money,
    Odd::TooLong,
    Odd::Unfinished,
    Odd::Unrated,
    Odd::Crawford,
    Odd::PostCrawford,
    Odd::Undated,
    Odd::NoLuck,
];

/// M7 under a condition, rated, its errors given a family; the day and event can be another's.
fn told(odd: Odd) -> Told {
    let mut m7 = m7::facts();
    let mut row = m7.matches.remove(0);
    row.date = Some(day("2026-03-01"));
    row.event = Some("Lantern Open".to_owned());
    match odd {
        Odd::Money => (row.play, row.length, row.start_mwc) = ("money".to_owned(), None, None),
        Odd::TooLong => (row.play, row.length, row.start_mwc) = ("too_long".to_owned(), Some(70), None),
        Odd::Unfinished => (row.finished, row.winner) = (false, None),
        Odd::Undated => row.date = None,
        _ => {}
    }
    for decision in &mut m7.decisions {
        make_odd(decision, odd);
    }
    match odd {
        Odd::Crawford => {
            let double = m7.decisions.iter().find(|one| one.kind == "no_double").unwrap().clone();
            m7.decisions.retain(|one| one.game == 4);
            let place = &m7.decisions[0];
            let refused = DecisionRow {
                decision_id: format!("{}-0099", m7::MATCH),
                order: 99,
                game: 4,
                own_away: place.own_away,
                opp_away: place.opp_away,
                regime: place.regime.clone(),
                may_double: false,
                ..double
            };
            m7.decisions.push(refused);
        }
        Odd::PostCrawford => m7.decisions.retain(|one| one.game == 5),
        _ => {}
    }
    m7.candidates.retain(|one| m7.decisions.iter().any(|of| of.decision_id == one.decision_id));
    rate(&mut m7.decisions, &m7.candidates, &Rules::default());
    for decision in m7.decisions.iter_mut().filter(|one| one.counted) {
        decision.plan = "holding".to_owned();
        decision.theme = Some(if decision.kind == "checker" { "blots" } else { "answer_wrong_take" }.to_owned());
    }
    let sums = partials(&m7.decisions, &m7.candidates, &Rules::default());
    let mut told = Told::new(row, m7.decisions, "gnubg");
    (told.errors, told.cells, told.moments) = (sums.errors, sums.cells, sums.moments);
    told
}

fn make_odd(decision: &mut DecisionRow, odd: Odd) {
    match odd {
        Odd::Money => {
            (decision.own_away, decision.opp_away) = (0, 0);
            (decision.play_kind, decision.regime) = ("money".to_owned(), "money".to_owned());
        }
        Odd::TooLong => {
            decision.own_away += 63;
            decision.opp_away += 63;
            (decision.play_kind, decision.regime) = ("too_long".to_owned(), "normal".to_owned());
        }
        Odd::Unrated if decision.seat == 1 && decision.game == 5 => decision.played_rank = None,
        Odd::NoLuck => decision.luck = None,
        _ => {}
    }
}

/// The same match on another day, at another event.
fn elsewhere(odd: Odd, (id, date, event): (&str, &str, &str)) -> Told {
    let of = told(odd);
    let mut row = of.row.clone();
    (row.match_id, row.event) = (id.to_owned(), Some(event.to_owned()));
    row.date = row.date.map(|_| day(date));
    let renamed = |one: &DecisionRow| {
        let decision_id = format!("{id}-{:04}", one.order);
        DecisionRow { match_id: id.to_owned(), decision_id, ..one.clone() }
    };
    Told::new(row, of.decisions.iter().map(renamed).collect(), "gnubg")
}

const A: Selection<'static> = Selection { season: m7::SEASON, player: Some("A") };

fn marts(of: &Told) -> Marts {
    let mut ledger = Ledger::new(Settings::default());
    ledger.enter(&of.played);
    ledger.close()
}

fn seat(odd: Odd, seat: i64) -> PlayerMatchRow {
    marts(&told(odd)).player_match.into_iter().find(|row| row.seat == Some(seat)).unwrap()
}

/// A's errors as the tables of errors have them.
fn own(of: &Told) -> impl Iterator<Item = &portes::tables::partials::ErrorRow> {
    of.errors.iter().filter(|error| error.seat == 1)
}

fn plan(odd: Odd) -> Vec<StudyPlanRow> {
    own(&told(odd)).collect::<StudyPlan>().rows(&A, Quantile::Normal)
}

fn positions(odd: Odd) -> Vec<ReferencePositionRow> {
    let of = told(odd);
    let mut references = References::default();
    own(&of).for_each(|error| references.add(error, &of.row));
    let (rulings, treated) = (Rulings::default(), BTreeSet::new());
    references.rows(&A, &Known { rulings: &rulings, treated: &treated, error: Mpt(50) }).unwrap()
}

/// A plain match before the odd one gives the family; he studied between the two.
fn before_after(odd: Odd) -> BeforeAfterRow {
    let plain = elsewhere(Odd::Nothing, ("00000000000000aa", "2026-01-01", "Lantern Open"));
    let studied = plain.errors.iter().find(|error| error.nature == "checker").unwrap().position_key.clone();
    let days = BTreeMap::from([(studied, day("2026-02-01"))]);
    let mut ledger = BeforeAfter::new(BTreeMap::from([("A".to_owned(), days)]), Settings::default());
    for of in [&plain, &told(odd)] {
        ledger.enter(&of.entry());
        of.errors.iter().for_each(|error| ledger.enter_error(&of.played.facts, error));
    }
    ledger.close().into_iter().find(|row| row.nature == "checker").unwrap()
}

fn biases(odd: Odd) -> Vec<BiasRow> {
    biases_of(&told(odd))
}

fn biases_of(of: &Told) -> Vec<BiasRow> {
    let mut biases = Biases::default();
    biases.enter(&of.entry());
    biases.close().into_iter().filter(|row| row.player.is_some()).collect()
}

/// Decisions of a bias, over both players, at a score or over all.
fn base(rows: &[BiasRow], bias: &str, score: Option<(i64, i64)>) -> i64 {
    let at = |row: &&BiasRow| row.bias == bias && row.own_away.zip(row.opp_away) == score;
    rows.iter().filter(at).map(|row| row.decisions).sum()
}

/// Matches of A's usual level when this is the fifth of them.
fn usual_with(fifth: &Told) -> i64 {
    let mut ledger = Tournaments::new(Settings::default());
    for n in 0..4 {
        ledger.enter(&elsewhere(Odd::Nothing, (&format!("{n:016x}"), "2026-01-05", "Club")).entry());
    }
    ledger.enter(&fifth.entry());
    ledger.enter(&elsewhere(Odd::Nothing, ("00000000000000cc", "2026-06-01", "Cup")).entry());
    let rows = ledger.close(None);
    rows.iter().find(|row| row.event == "Cup" && row.player == "A").unwrap().usual_matches
}

/// Matches of A's usual level when one of five is odd, and the cells of pressure of a tournament that is.
fn tournament(odd: Odd) -> (i64, BTreeSet<String>) {
    let usual = usual_with(&elsewhere(odd, ("00000000000000bb", "2026-01-06", "Club")));
    let mut ledger = Tournaments::new(Settings::default());
    ledger.enter(&elsewhere(odd, ("00000000000000dd", "2026-06-02", "Odd")).entry());
    let rows = ledger.close(None);
    let pressed = rows.iter().filter(|row| row.event == "Odd" && row.scope == "score" && row.player == "A");
    (usual, pressed.filter_map(|row| row.cell.clone()).collect())
}

/// What the program gives, in words, and whether that is what the cell asks.
type Met = (String, bool);

fn near(got: Option<f64>, expected: f64) -> bool {
    got.is_some_and(|got| (got - expected).abs() < 1e-6)
}

/// A is asked for a figure: present and this, or absent.
fn figure(got: Option<f64>, expected: Option<f64>) -> Met {
    let words = got.map_or("absent".to_owned(), |got| format!("{got:.6}"));
    (words, expected.map_or(got.is_none(), |expected| near(got, expected)))
}

fn count(got: i64, expected: i64, of: &str) -> Met {
    (format!("{got} {of}"), got == expected)
}

fn both(first: Met, second: Met) -> Met {
    (format!("{}; {}", first.0, second.0), first.1 && second.1)
}

fn errors(odd: Odd) -> Met {
    let a = seat(odd, 1);
    let (mpt, counted, plays) = match odd {
        Odd::Unrated => (465.0, 8.0, 11.0),
        Odd::Crawford => (70.0, 1.0, 2.0),
        Odd::PostCrawford => (100.0, 1.0, 2.0),
        _ => (565.0, 9.0, 12.0),
    };
    let met = both(figure(a.pr, Some(0.5 * mpt / counted)), figure(a.snowie, Some(0.5 * mpt / plays)));
    match odd {
        Odd::Crawford => both(met, count(a.decisions_double, 0, "doubles counted")),
        Odd::Unrated => both(met, count(a.unrated, 1, "unrated")),
        _ => met,
    }
}

/// The losses of M7's table, rounded there.
fn lost(odd: Odd) -> Option<f64> {
    match odd {
        Odd::Money | Odd::TooLong => None,
        Odd::Unrated => Some(0.054_376_025),
        Odd::Crawford => Some(0.017_081_05),
        Odd::PostCrawford => Some(0.05),
        _ => Some(0.104_376_025),
    }
}

fn losses(odd: Odd) -> Met {
    let met = figure(seat(odd, 1).loss, lost(odd));
    if odd != Odd::PostCrawford {
        return met;
    }
    // The Crawford play at 1-away, 3-away, had it come a game later.
    let mut m7 = m7::facts();
    m7.decisions.iter_mut().filter(|one| one.game == 4).for_each(|one| one.regime = "post_crawford".to_owned());
    rate(&mut m7.decisions, &m7.candidates, &Rules::default());
    let later = m7.decision("A8").loss.map(|loss| loss as f64 / 1e9);
    both(met, figure(later, lost(Odd::Crawford)))
}

fn seven_points(odd: Odd) -> Met {
    let a = seat(odd, 1);
    let elo = a.l7.is_some() == a.elo_vs_engine.is_some();
    let met = both(figure(a.l7, lost(odd)), (format!("Elo {:.1?}", a.elo_vs_engine), elo));
    if odd != Odd::Unrated {
        return met;
    }
    // A seat with nothing rated.
    let mut m7 = m7::facts();
    m7.decisions.iter_mut().filter(|one| one.seat == 1 && one.kind == "checker").for_each(|one| one.played_rank = None);
    m7.decisions.retain(|one| one.seat == 2 || one.kind == "checker");
    rate(&mut m7.decisions, &m7.candidates, &Rules::default());
    let rows = marts(&Told::new(m7.matches[0].clone(), m7.decisions, "gnubg")).player_match;
    let a = rows.iter().find(|row| row.seat == Some(1)).unwrap();
    both(met, both(figure(a.l7, None), figure(a.elo_vs_engine, None)))
}

fn difficulty(odd: Odd) -> Met {
    let a = seat(odd, 1);
    let hard = match odd {
        Odd::Money | Odd::TooLong => None,
        Odd::Unrated => Some(0.005_225_669 - 0.001_612_70),
        Odd::Crawford => Some(0.000_979_16),
        Odd::PostCrawford => Some(0.001_612_70),
        _ => Some(0.005_225_669),
    };
    let excess = lost(odd).zip(hard).map(|(lost, hard)| lost - hard);
    let ratio = hard.filter(|hard| *hard >= 0.005).map(|_| 19.973_714);
    let got = figure(a.ratio.map(|ratio| ratio / 100.0), ratio.map(|ratio| ratio / 100.0));
    both(both(figure(a.difficulty, hard), figure(a.excess, excess)), got)
}

fn interval(odd: Odd) -> Met {
    let a = seat(odd, 1);
    let (games, of_l7) = match odd {
        Odd::Money | Odd::TooLong => (5, 0),
        Odd::Unrated => (4, 5),
        Odd::Crawford | Odd::PostCrawford => (1, 1),
        _ => (5, 5),
    };
    let met = both(count(a.pr_units, games, "units of PR"), count(a.l7_units, of_l7, "of L7"));
    let ends = a.pr_low.is_some() == (games >= 3) && a.l7_low.is_some() == (of_l7 >= 3);
    both(met, (format!("{:.3?}", a.pr_low.zip(a.pr_high)), ends))
}

fn to_review(odd: Odd) -> Met {
    let of = told(odd);
    let rows = review(&of.errors);
    let ids = rows.iter().filter(|row| row.seat == 1).map(|row| row.decision_id.clone());
    let m7 = m7::facts();
    let expected: &[&str] = match odd {
        Odd::Money | Odd::TooLong => &[],
        Odd::Unrated => &["A3", "A8", "A4", "A6", "A1"],
        Odd::Crawford => &["A8"],
        Odd::PostCrawford => &["A9"],
        _ => &["A9", "A3", "A8", "A4", "A6", "A1"],
    };
    let ids: Vec<String> = ids.collect();
    let wanted: Vec<&str> = expected.iter().map(|id| m7.decision(id).decision_id.as_str()).collect();
    (format!("{} of {}", ids.len(), expected.len()), ids == wanted)
}

fn adjusted(odd: Odd) -> Met {
    let a = seat(odd, 1);
    let fair = match odd {
        Odd::Money | Odd::TooLong | Odd::Unfinished | Odd::NoLuck => None,
        Odd::Crawford => Some(-0.5 + 0.024_401_50 + 0.073_204_50),
        Odd::PostCrawford => Some(-0.5 + 0.1 + 0.125),
        _ => Some(-0.168_038_85),
    };
    let met = figure(a.luck_adjusted, fair);
    match odd {
        Odd::NoLuck => {
            let partial = seat(Odd::Nothing, 1);
            both(
                met,
                both(figure(partial.luck_adjusted, Some(-0.168_038_85)), figure(partial.coverage, Some(11.0 / 12.0))),
            )
        }
        _ => met,
    }
}

fn pace(odd: Odd) -> Met {
    let a = seat(odd, 1);
    let got = (a.hasty, a.considered, a.unknown_pace);
    let expected = match odd {
        Odd::Unrated => (Some(3), Some(2), Some(0)),
        // One known time is its own median; without any there is no pace.
        Odd::Crawford => (Some(0), Some(1), Some(0)),
        Odd::PostCrawford => (None, None, None),
        _ => (Some(3), Some(2), Some(1)),
    };
    let met = (format!("{got:?}"), got == expected);
    if matches!(odd, Odd::Money | Odd::TooLong) { both(met, figure(a.loss, None)) } else { met }
}

fn results(odd: Odd) -> Met {
    let mut of = told(odd);
    if odd == Odd::Money {
        // Of a session the seat with more points wins, whoever that is.
        assert_eq!((of.row.score_1, of.row.score_2, of.row.winner), (6, 7, Some(2)));
    }
    let count = |of: &Told| {
        let career = marts(of).player_career;
        let row = |player| career.iter().find(|row| row.player.as_deref() == Some(player)).unwrap();
        [row("A").wins, row("A").losses, row("B").wins, row("B").losses].map(Option::unwrap)
    };
    let got = count(&of);
    let expected = if odd == Odd::Unfinished { [0; 4] } else { [0, 1, 1, 0] };
    of.played.facts.date = None;
    (format!("{got:?}"), got == expected && count(&of) == expected)
}

fn families(odd: Odd) -> Met {
    let rows = plan(odd);
    let members: i64 = rows.iter().map(|row| row.members).sum();
    let unpriced = rows.first().map_or(0, |row| row.unpriced);
    match odd {
        Odd::Money | Odd::TooLong => {
            // Without a family there is no row to tell it on, so one error of a plain match stands beside them.
            let (of, plain) = (told(odd), told(Odd::Nothing));
            let rows = own(&of).chain(own(&plain).take(1)).collect::<StudyPlan>().rows(&A, Quantile::Normal);
            let members: i64 = rows.iter().map(|row| row.members).sum();
            both(count(members - 1, 0, "members"), count(rows[0].unpriced, 6, "unpriced"))
        }
        Odd::Unrated => both(count(members, 5, "members"), count(unpriced, 0, "unpriced")),
        Odd::Crawford | Odd::PostCrawford => count(members, 1, "members"),
        _ => both(count(members, 6, "members"), count(unpriced, 0, "unpriced")),
    }
}

fn recurring(odd: Odd) -> Met {
    let of = told(odd);
    let rows = own(&of).collect::<Recurring>().rows(&A, seat(odd, 1).decisions);
    let (members, mpt) = match odd {
        Odd::Unrated => (5, 415),
        Odd::Crawford => (1, 70),
        Odd::PostCrawford => (1, 100),
        _ => (6, 515),
    };
    both(
        count(rows.iter().map(|row| row.members).sum(), members, "errors"),
        count(rows.iter().map(|row| row.mpt).sum(), mpt, "mpt"),
    )
}

fn reference(odd: Odd) -> Met {
    let rows = positions(odd);
    let covered: i64 = rows.iter().map(|row| row.errors).sum();
    let fields = |row: &ReferencePositionRow| -> Vec<String> {
        row.position_key.split('|').skip(4).take(3).map(str::to_owned).collect()
    };
    match odd {
        Odd::Money | Odd::TooLong => count(rows.len() as i64, 0, "positions"),
        Odd::Crawford => (format!("{:?}", fields(&rows[0])), fields(&rows[0]) == ["c", "1", "3"]),
        Odd::PostCrawford => (format!("{:?}", fields(&rows[0])), fields(&rows[0]) == ["p", "1", "2"]),
        Odd::Unrated => count(covered + i64::from(rows.is_empty()), 5, "errors covered"),
        _ => count(covered, 6, "errors covered"),
    }
}

fn study(odd: Odd) -> Met {
    let row = before_after(odd);
    // Seven checker plays of A before; so many of the odd match after, and their losses.
    let (n, rate) = match odd {
        Odd::Money | Odd::TooLong | Odd::Undated => (0, None),
        Odd::Unrated => (6, Some(0.045_226_870 / 6.0)),
        Odd::Crawford => (1, Some(0.017_081_05)),
        Odd::PostCrawford => (1, Some(0.05)),
        _ => (7, Some(0.095_226_870 / 7.0)),
    };
    let before = count(row.decisions_before, 7, "before");
    both(before, both(count(row.decisions_after, n, "after"), figure(row.rate_after, rate)))
}

fn leanings(odd: Odd) -> Met {
    let rows = biases(odd);
    let (doubles, plays) = (base(&rows, "double", None), base(&rows, "blots", None));
    match odd {
        Odd::Money => count(base(&rows, "double", Some((0, 0))), 3, "doubles at money"),
        Odd::Crawford => both(count(doubles, 0, "doubles"), count(plays, 2, "plays")),
        Odd::PostCrawford => count(base(&rows, "double", Some((2, 1))), 1, "doubles at 2-1"),
        Odd::Unrated => {
            let mut of = told(odd);
            let unread =
                of.decisions.iter_mut().find(|one| one.counted && one.e_mpt >= Some(50) && one.contact).unwrap();
            unread.blots_best = None;
            let blind = biases_of(&Told::new(of.row, of.decisions, "gnubg"));
            let share =
                blind.iter().filter(|row| row.bias == "blots").find_map(|row| row.excluded_share.filter(|s| *s > 0.0));
            both(
                both(count(doubles, 3, "doubles"), count(plays, 10, "plays")),
                both(count(base(&blind, "blots", None), 9, "with one unread"), figure(share, Some(1.0 / 6.0))),
            )
        }
        _ => both(count(doubles, 3, "doubles"), count(plays, 11, "plays")),
    }
}

fn usual_level(odd: Odd) -> Met {
    let (usual, pressed) = tournament(odd);
    match odd {
        Odd::Money | Odd::TooLong | Odd::Undated => count(usual, 4, "of 5 matches"),
        Odd::Crawford => (format!("{pressed:?}"), pressed == BTreeSet::from(["crawford".to_owned()])),
        Odd::PostCrawford => (format!("{pressed:?}"), pressed == BTreeSet::from(["post_crawford".to_owned()])),
        Odd::Unrated => {
            let mut silent = elsewhere(odd, ("00000000000000bb", "2026-01-06", "Club"));
            silent.decisions.iter_mut().for_each(|one| (one.counted, one.e_mpt) = (false, None));
            let without = usual_with(&Told::new(silent.row, silent.decisions, "none"));
            both(count(usual, 5, "of 5 matches"), count(without, 4, "where one has no decision of his"))
        }
        _ => count(usual, 5, "of 5 matches"),
    }
}

/// Name, what each column asks in the words of the page, what the program does.
type Line = (&'static str, [&'static str; 8], fn(Odd) -> Met);

#[rustfmt::skip]
const MATRIX: [Line; 15] = [
    ("e, PR, Snowie", ["yes", "yes", "yes", "out of both sums", "yes (no cube decisions)", "yes", "yes", "–"], errors),
    ("ℓ, MWC loss", ["absent", "absent", "yes", "out", "K of met.md", "same K as Crawford at the score", "yes", "–"], losses),
    ("L7, Elo", ["absent", "absent", "yes, as played", "out; seat with none → absent", "yes", "yes", "yes (not on a time axis)", "–"], seven_points),
    ("d, excess, ratio", ["absent", "absent", "yes", "out", "yes", "yes", "yes", "–"], difficulty),
    ("interval by games", ["PR yes", "PR yes", "yes", "a game with no counted decision is no unit (PR) / is one if the other seat has some (L7)", "yes", "yes", "yes", "–"], interval),
    ("3 to review", ["none (no ℓ)", "none", "yes", "out", "yes", "yes", "yes", "–"], to_review),
    ("luck-adjusted", ["absent", "absent", "absent", "lowers nothing: luck is separate", "yes", "yes", "yes", "absent / shown with coverage"], adjusted),
    ("pace", ["counts only", "counts only", "yes", "out", "yes", "yes", "yes", "–"], pace),
    ("wins/losses", ["by points", "yes", "neither", "–", "–", "–", "yes", "–"], results),
    ("study plan", ["unpriced", "unpriced", "yes", "out", "yes", "yes", "yes", "–"], families),
    ("recurring errors", ["yes", "yes", "yes", "out", "yes", "yes", "yes", "–"], recurring),
    ("reference positions", ["none", "none", "yes", "out", "score key as is", "away counted 1", "yes", "–"], reference),
    ("before/after", ["none", "none", "yes", "out", "yes", "yes", "in neither window", "–"], study),
    ("biases", ["yes (money cell)", "yes", "yes", "out; blots unread if board unknown", "no doubles there", "1-away cell", "yes", "–"], leanings),
    ("tournament usual level", ["excluded", "excluded (no L7; recommend excluded from PR too)", "yes", "out", "pressure cell", "pressure cell", "excluded", "–"], usual_level),
];

/// Every cell of the matrix; a cell without a demand still must not change the figures.
#[test]
fn every_cell_of_the_matrix_is_met() {
    let (mut cells, mut unmet) = (0, Vec::new());
    println!("{:<24}{:<14}{:<44}met", "measure", "case", "asked");
    for (name, asked, does) in MATRIX {
        for (odd, asked) in COLUMNS.into_iter().zip(asked) {
            cells += 1;
            let (got, met) = does(odd);
            println!("{name:<24}{:<14}{asked:<44.44}{} {got}", format!("{odd:?}"), if met { "yes" } else { "NO " });
            if !met {
                unmet.push(format!("{name} × {odd:?}: asked {asked:?}, got {got}"));
            }
        }
    }
    println!("{cells} cells, {} met", cells - unmet.len());
    assert!(unmet.is_empty(), "{}", unmet.join("\n"));
    assert_eq!(cells, 120, "fifteen measures under eight conditions");
}

/// The words above are the page's.
#[test]
fn the_matrix_is_the_one_of_the_page() {
    let Some(page) = shared("spec/metrics.md") else { return };
    let page = std::fs::read_to_string(page).unwrap();
    let section = page.split_once("## 19. Edge cases, all metrics").unwrap().1.split_once("More cases:").unwrap().0;
    let lines: Vec<Vec<&str>> = section
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!((lines[0].len() - 1, lines.len() - 2), (COLUMNS.len(), MATRIX.len()));
    for (line, (name, asked, _)) in lines[2..].iter().zip(MATRIX) {
        assert_eq!((line[0], &line[1..]), (name, &asked[..]));
    }
}
