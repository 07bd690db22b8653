//! Did study help? The worked table, the windows, and the way from a study log to a verdict (`metrics.md` 14,
//! `study-sources.md` 5 to 7).

use crate::support::seasons::{Told, day, decision, match_of};
use portes::game::key::PositionKey;
use portes::game::{Mwc, gnuid, xgid};
use portes::ingest::study::date::Reading;
use portes::ingest::study::log::{self, Action, Answer, Log, Reference, Subject};
use portes::ingest::study::rows::{Sheet, StudyRows, rows};
use portes::measure::Settings;
use portes::measure::before_after::{BeforeAfter, Change, Verdict, Window};
use portes::measure::interval::Quantile;
use portes::measure::studied::{Actions, JoinReport, Level, Link, Studied, join, report};
use portes::tables::facts::{DecisionRow, MatchRow};
use portes::tables::row::Day;
use portes::tables::study::StudyEventRow;
use portes::tables::study_marts::BeforeAfterRow;
use std::collections::BTreeMap;

/// Fractions of a match as stored.
fn window(losses: &[f64], decisions: i64) -> Window {
    Window { losses: losses.iter().map(|loss| Mwc::from_f64(*loss).unwrap().units()).collect(), decisions }
}

/// Losses and N before and after; rates, delta and interval in points per 100 decisions; verdict.
#[test]
fn changes_follow_the_table() {
    let table = [
        (
            window(&[0.02, 0.015, 0.01, 0.012, 0.018, 0.009, 0.011, 0.016], 80),
            window(&[0.008, 0.006], 60),
            [13.8750, 2.3333, 11.5417, 1.0644, 22.0189],
            Verdict::Improved,
        ),
        (window(&[0.02; 8], 40), window(&[], 50), [40.0, 0.0, 40.0, 12.2814, 67.7186], Verdict::Improved),
        (window(&[0.02, 0.01], 29), window(&[], 50), [10.3448, 0.0, 10.3448, -4.7679, 25.4576], Verdict::Insufficient),
        (
            window(&[0.01], 50),
            window(&[0.03, 0.02, 0.02, 0.025, 0.03], 40),
            [2.0, 31.25, -29.25, -57.3514, -1.1486],
            Verdict::Worse,
        ),
        (window(&[], 40), window(&[], 40), [0.0, 0.0, 0.0, 0.0, 0.0], Verdict::Undetermined),
    ];
    for (before, after, expected, verdict) in table {
        let change = Change::between(&before, &after, Quantile::Normal);
        let (delta, half) = (change.delta.unwrap(), change.half_width.unwrap());
        let got = [before.rate().unwrap(), after.rate().unwrap(), delta, delta - half, delta + half];
        for (got, expected) in got.into_iter().zip(expected) {
            assert!((got * 10_000.0 - expected).abs() < 5e-5, "{before:?} {after:?}: {got} for {expected}");
        }
        assert_eq!(change.verdict, verdict, "{before:?} {after:?}");
    }
    let empty = Change::between(&window(&[], 0), &window(&[0.01], 40), Quantile::Normal);
    assert_eq!((empty.delta, empty.half_width, empty.verdict), (None, None, Verdict::Insufficient));
}

const STUDIED: &str = "bg1|-b----E-C---eE---c-e----B-|0|c|n|7|7|m|31";

/// A match of A's: `n` priced decisions of the plan *holding*, the first of them errors of 100 mpt with these positions.
fn told(id: &str, date: Option<&str>, (n, positions): (i64, &[&str])) -> Told {
    let row = MatchRow { date: date.map(day), ..match_of("2026", id) };
    let mut decisions: Vec<DecisionRow> = (0..n).map(|order| decision(&row, order, 0)).collect();
    for (decision, position) in decisions.iter_mut().zip(positions) {
        decision.e_mpt = Some(100);
        decision.loss = Some(6_000_000);
        decision.theme = Some("blots".to_owned());
        decision.position_key = (*position).to_owned();
    }
    Told::new(row, decisions, "gnubg")
}

fn measured(matches: &[Told], days: &[(&str, &str)]) -> Vec<BeforeAfterRow> {
    let first = days.iter().map(|(position, date)| ((*position).to_owned(), day(date))).collect();
    let mut ledger = BeforeAfter::new(BTreeMap::from([("A".to_owned(), first)]), Settings::default());
    for told in matches {
        ledger.enter(&told.entry());
        told.errors.iter().for_each(|error| ledger.enter_error(&told.played.facts, error));
    }
    ledger.close()
}

#[test]
fn a_family_is_measured_strictly_before_and_strictly_after_its_first_day() {
    let matches = [
        told("a", Some("2026-01-01"), (50, &[STUDIED, "elsewhere", "elsewhere", "there"])),
        told("b", Some("2026-02-10"), (40, &["on the day"])),
        told("c", None, (70, &["undated"])),
        told("d", Some("2026-02-11"), (60, &["later"])),
    ];
    let rows = measured(&matches, &[(STUDIED, "2026-02-10"), ("elsewhere", "2026-03-01"), ("no error", "2025-01-01")]);
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!((row.plan.as_str(), row.nature.as_str(), row.theme.as_str()), ("holding", "checker", "blots"));
    assert_eq!(row.studied_on, day("2026-02-10"), "the earliest day of any of its positions");
    assert_eq!((row.decisions_before, row.decisions_after), (50, 60));
    assert_eq!(row.rate_before, Some(4.0 * 0.006 / 50.0));
    assert_eq!(row.rate_after, Some(0.006 / 60.0));
    assert_eq!((row.position, row.not_studied, row.season.as_str()), (1, 0, "all"));
}

#[test]
fn the_base_is_the_plan_and_nature_and_the_losses_are_the_themes() {
    let mut first = told("a", Some("2026-01-01"), (40, &[STUDIED, "x"]));
    let mut decisions = first.decisions.clone();
    decisions[1].theme = Some("gammon".to_owned());
    // Another plan, a cube action, and one without a price are not in the base.
    decisions[10].plan = "blitz".to_owned();
    decisions[11].kind = "take".to_owned();
    decisions[12].loss = None;
    // An error with a loss and no difficulty adds its loss, though it is no member.
    decisions[13] = DecisionRow { difficulty: None, position_key: "y".to_owned(), ..decisions[0].clone() };
    decisions[13].order = 13;
    first = Told::new(first.row, decisions, "gnubg");
    let after = told("b", Some("2026-03-01"), (40, &[]));
    let rows = measured(&[first, after], &[(STUDIED, "2026-02-01"), ("y", "2026-01-15")]);
    assert_eq!(rows.len(), 1, "gammon was never studied");
    assert_eq!((rows[0].theme.as_str(), rows[0].not_studied), ("blots", 1));
    assert_eq!(rows[0].studied_on, day("2026-02-01"), "only a member's position counts");
    assert_eq!(rows[0].decisions_before, 37);
    assert_eq!(rows[0].rate_before, Some(2.0 * 0.006 / 37.0));
    assert_eq!(rows[0].rate_after, Some(0.0));
}

#[test]
fn the_list_runs_from_improved_to_insufficient_and_nobody_elses_errors_are_in_it() {
    let themed = |theme: &str, id: &str, date: &str, errors: usize| {
        let told = told(id, Some(date), (40, &vec![theme; errors]));
        let mut decisions = told.decisions.clone();
        decisions.iter_mut().filter(|row| row.theme.is_some()).for_each(|row| row.theme = Some(theme.to_owned()));
        decisions.iter_mut().for_each(|row| row.plan = theme.to_owned());
        Told::new(told.row, decisions, "gnubg")
    };
    let mut matches = Vec::new();
    for (theme, before, after) in [("better", 20, 0), ("worse", 1, 30), ("even", 2, 2), ("few", 4, 0)] {
        matches.push(themed(theme, &format!("{theme}1"), "2026-01-01", before));
        if theme != "few" {
            matches.push(themed(theme, &format!("{theme}2"), "2026-03-01", after));
        }
    }
    // B, in the other seat, does not study.
    let mut foreign = told("z", Some("2026-01-01"), (40, &["better"]));
    foreign.decisions.iter_mut().for_each(|row| row.seat = 2);
    matches.push(Told::new(foreign.row, foreign.decisions, "gnubg"));
    let days: Vec<(&str, &str)> = ["better", "worse", "even", "few"].map(|theme| (theme, "2026-02-01")).to_vec();
    let mut rows = measured(&matches, &days);
    let keys: Vec<&str> = rows.iter().map(|row| row.plan.as_str()).collect();
    assert_eq!(keys, ["better", "even", "few", "worse"], "the table is sorted by its key");
    rows.sort_by_key(|row| row.position);
    let list: Vec<(&str, &str)> = rows.iter().map(|row| (row.theme.as_str(), row.verdict.as_str())).collect();
    let expected = [("better", "improved"), ("worse", "worse"), ("even", "undetermined"), ("few", "insufficient")];
    assert_eq!(list, expected);
    assert_eq!((rows[3].decisions_after, rows[3].rate_after, rows[3].delta), (0, None, None));
    assert!(rows.iter().all(|row| row.player == "A"));
}

const READING: Reading = Reading { offset_minutes: 0, today: None };

fn read(text: &str) -> Log {
    log::read(text.as_bytes(), READING).unwrap()
}

fn key_of(subject: &Subject) -> Option<String> {
    match subject {
        Subject::Position { key, .. } => key.as_ref().map(PositionKey::to_string),
        Subject::Decision(_) => None,
    }
}

const CSV: &str = "date,position,action,result,note
2026-01-05,XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10,review,good,
2026-01-06T18:40:00+01:00,XGID=--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10,quiz,wrong,doubled too late
2026-01-07,4HPwATDgc/ABMA:cInlAAAAAAAE,mark,,
";

/// The CSV of `study-sources.md` 5, its keys those of `other-formats.md` 8.
#[test]
fn the_published_log_is_read() {
    let log = read(CSV);
    assert_eq!(log.faults, []);
    let [review, quiz, mark] = &log.entries[..] else { panic!("three entries") };
    assert_eq!(key_of(&review.subject).as_deref(), Some(STUDIED));
    assert_eq!((review.action, review.answer, review.moment.at), (Action::Review, Some(Answer::Grade(3)), None));
    assert_eq!(key_of(&quiz.subject).as_deref(), Some("bg1|--BaBCCBAA------acccc-a--A|0|c|n|7|5|d|00"));
    assert_eq!((quiz.action, quiz.answer), (Action::Quiz, Some(Answer::Wrong)));
    assert_eq!((quiz.moment.day, quiz.moment.at), (day("2026-01-06"), Some(1_767_721_200)));
    assert_eq!(quiz.note.as_deref(), Some("doubled too late"));
    assert_eq!((mark.action, mark.line), (Action::Mark, 4));
    let expected = gnuid::decode("4HPwATDgc/ABMA:cInlAAAAAAAE").unwrap().0;
    assert_eq!(key_of(&mark.subject), Some(expected.to_string()));
}

#[test]
fn delimiters_marks_quotes_and_json_lines_say_the_same() {
    let semicolons = CSV.replace(',', ";");
    let tabs = CSV.replace(',', "\t");
    let marked = format!("\u{feff}{CSV}");
    let reordered = "NOTE;Position;DATE;action;Result;ignored\n;XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10;2026-01-05;REVIEW;Good;x\n";
    for text in [semicolons, tabs, marked] {
        assert_eq!(read(&text), read(CSV));
    }
    assert_eq!(read(reordered).entries, read(CSV).entries[..1]);
    let broken_note = read(
        "date,position,note\n2026-01-05,-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10,\"two\nlines, \"\"quoted\"\"\"\n",
    );
    assert_eq!(broken_note.entries[0].note.as_deref(), Some("two\nlines, \"quoted\""));
    assert_eq!(broken_note.entries[0].action, Action::Mark);
    let json = "{\"date\":\"2026-01-05\",\"position\":\"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\",\"action\":\"review\",\"result\":\"good\"}\r
{\"date\":\"2026-01-08\",\"match\":\"2026-01-03_club_r2.xg\",\"game\":3,\"move\":14,\"action\":\"mark\"}\n\n";
    let log = read(json);
    assert_eq!((log.entries.len(), log.faults.len()), (2, 0));
    assert_eq!(log.entries[0].moment, read(CSV).entries[0].moment);
    let reference = Reference { of_match: "2026-01-03_club_r2.xg".to_owned(), game: 3, number: 14 };
    assert_eq!(log.entries[1].subject, Subject::Decision(reference.clone()));
    assert_eq!(Reference::from_text(&reference.to_string()), Some(reference));
}

#[test]
fn results_are_grades_verdicts_or_equities() {
    let result = |word: &str| {
        let text =
            format!("date;position;action;result\n2026-01-05;{START};quiz;{word}\n2026-01-05;{START};quiz;good\n");
        log::read(text.as_bytes(), READING).unwrap().entries[0].answer
    };
    for (word, answer) in [
        ("again", Answer::Grade(1)),
        ("Hard", Answer::Grade(2)),
        ("3", Answer::Grade(3)),
        ("easy", Answer::Grade(4)),
        ("right", Answer::Lost(0)),
        ("wrong", Answer::Wrong),
        ("0.052", Answer::Lost(52)),
        ("0,052", Answer::Lost(52)),
        ("-0.052", Answer::Lost(52)),
        ("0", Answer::Lost(0)),
    ] {
        assert_eq!(result(word), Some(answer), "{word}");
    }
}

const START: &str = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";

#[test]
fn a_bad_line_is_told_with_its_number_and_too_many_are_no_log() {
    let good = format!("2026-01-05,{START},mark\n");
    let text = format!(
        "date,position,action\n{good}{good}{good}{good}someday,{START},mark\n2026-01-05,nonsense,mark\n\n2026-01-05,{START},stared\n,{START},mark\n"
    );
    let log = read(&text);
    assert_eq!(log.entries.len(), 4);
    let lines: Vec<u64> = log.faults.iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [6, 7, 9, 10]);
    assert_eq!(log.faults[2].to_string(), "line 9: `stared` is no action");
    let one_more = text + "2026-01-05,,mark\n";
    let rejected = log::read(one_more.as_bytes(), READING).unwrap_err();
    assert_eq!(rejected.code, "unreadable_lines");
    assert!(rejected.detail.contains("5 of 9 lines") && rejected.detail.contains("line 6"), "{}", rejected.detail);
    assert_eq!(log::read(b"day,position\n", READING).unwrap_err().code, "header");
    assert_eq!(log::read(b"", READING).unwrap_err().code, "header");
    let latin = b"date,position,note\n2026-01-05,-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10,\n2026-01-05,x,\xE9\n";
    assert_eq!(log::read(latin, READING).unwrap().faults[0].line, 3);
}

#[test]
fn a_position_no_key_describes_is_an_entry_without_a_key() {
    let text = format!("date,position\n2026-01-05,{}\n", START.replace(":31:", ":B:"));
    let entry = &read(&text).entries[0];
    assert!(matches!(&entry.subject, Subject::Position { key: None, raw } if raw.contains(":B:")));
    let future = Reading { offset_minutes: 0, today: Some(day("2026-01-04")) };
    assert!(log::read(text.as_bytes(), future).is_err());
}

fn study_rows(sheets: &[(&str, Option<&str>, &Log)]) -> StudyRows {
    let sheets: Vec<Sheet<'_>> = sheets.iter().map(|&(file, owner, log)| Sheet { file, owner, log }).collect();
    rows(&sheets, &|name| if name == "Emberline" { "Émberline".to_owned() } else { name.to_owned() })
}

#[test]
fn study_is_an_event_and_filing_only_treats_a_position() {
    let lines = ["mark", "review", "quiz", "lesson", "other", "comment", "collection", "card"];
    let text: String =
        lines.iter().map(|action| format!("2026-01-05,{START},{action},3,note of {action},\n")).collect();
    let log = read(&format!("date,position,action,result,note,player\n{text}"));
    let rows = study_rows(&[("study.csv", Some("A"), &log)]);
    let events: Vec<&str> = rows.events.iter().map(|row| row.action.as_str()).collect();
    assert_eq!(events, ["mark", "review", "quiz", "lesson", "other"]);
    let reasons: Vec<&str> = rows.treated.iter().map(|row| row.reason.as_str()).collect();
    assert_eq!(reasons, ["mark", "review", "quiz", "lesson", "comment", "collection", "card"]);
    assert!(rows.events.iter().all(|row| row.player.as_deref() == Some("A") && row.grade == Some(3)));
    assert_eq!(rows.treated[4].detail.as_deref(), Some("note of comment"));
    assert_eq!(rows.treated[6].since, Some(day("2026-01-05")));
    assert_eq!(rows.events[0].key_full.as_deref(), Some(STUDIED));
    assert_eq!(rows.events[0].key_relaxed.as_deref(), Some("bg1|-b----E-C---eE---c-e----B-|0|c|m|31"));
}

#[test]
fn an_event_in_two_files_is_one_and_rows_of_one_name_have_one_numbering() {
    let named =
        format!("date,position,action,player\n2026-01-05,{START},mark,Emberline\n2026-01-05,{START},mark,Emberline\n");
    let turned = "-b----E-C---eE---c-e----B-:0:0:-1:13:0:0:0:7:0";
    let again = format!("date;position;player\n2026-01-05;{turned};Émberline\n2026-01-06;{turned};Émberline\n");
    let (first, second) = (read(&named), read(&again));
    let rows = study_rows(&[("study.csv", None, &first), ("study.csv", Some("A"), &second)]);
    let events: Vec<(i64, Day)> = rows.events.iter().map(|row| (row.index, row.day)).collect();
    assert_eq!(events, [(0, day("2026-01-05")), (1, day("2026-01-05")), (2, day("2026-01-06"))]);
    assert!(rows.events.iter().all(|row| row.player.as_deref() == Some("Émberline")));
    assert!(study_rows(&[("log.csv", None, &read(CSV))]).events.iter().all(|row| row.player.is_none()));
}

fn key(text: &str) -> PositionKey {
    PositionKey::from_text(text).unwrap()
}

#[test]
fn a_study_position_joins_every_decision_with_its_key_else_by_its_weak_form() {
    let other_score = "bg1|-b----E-C---eE---c-e----B-|0|c|n|5|3|m|31";
    let money = "bg1|-b----E-C---eE---c-e----B-|0|c|$|0|0|m|31";
    let other_dice = "bg1|-b----E-C---eE---c-e----B-|0|c|n|7|7|m|21";
    let decisions = [(key(STUDIED), 1), (key(other_score), 2), (key(STUDIED), 3), (key(other_dice), 4)];
    let study = [Some(key(STUDIED)), Some(key(money)), None, Some(key(&other_dice.replace("21", "65")))];
    let links = join(&study, &decisions);
    let link = |study, decision, level| Link { study, decision, level };
    let expected = [
        link(0, 1, Level::Full),
        link(0, 3, Level::Full),
        link(1, 1, Level::Relaxed),
        link(1, 2, Level::Relaxed),
        link(1, 3, Level::Relaxed),
    ];
    assert_eq!(links, expected);
    let got = report(&study, &links);
    assert_eq!(got, JoinReport { positions: 4, full: 1, weak: 1, apart: 1, unreadable: 1 });
    assert!(!got.is_suspect());
    assert!(report(&study, &links[..2]).is_suspect());
}

#[test]
fn a_card_of_a_double_teaches_the_answer_too_and_the_reverse() {
    let double = "bg1|--BaBCCBAA------acccc-a--A|0|c|n|7|5|d|00";
    let answer = "bg1|a--A-CCCCA------aabccbAb--|0|c|n|5|7|r|00";
    let decisions = [(key(double), 1), (key(answer), 2)];
    let joined = |study: &[&str]| {
        let study: Vec<Option<PositionKey>> = study.iter().map(|text| Some(key(text))).collect();
        join(&study, &decisions).iter().map(|link| (link.study, link.decision, link.level)).collect::<Vec<_>>()
    };
    assert_eq!(joined(&[double]), [(0, 1, Level::Full), (0, 2, Level::OtherHalf)]);
    assert_eq!(joined(&[answer]), [(0, 1, Level::OtherHalf), (0, 2, Level::Full)]);
    assert_eq!(
        joined(&[double, answer]),
        [(0, 1, Level::Full), (0, 2, Level::OtherHalf), (1, 1, Level::OtherHalf), (1, 2, Level::Full)]
    );
}

/// Nobody's study, one's own later study included, makes a first day later or takes it away.
#[test]
fn whatever_else_is_studied_the_earliest_day_stays() {
    let (double, answer) =
        ("bg1|--BaBCCBAA------acccc-a--A|0|c|n|7|5|d|00", "bg1|a--A-CCCCA------aabccbAb--|0|c|n|5|7|r|00");
    let event = |player: &str, studied: &str, date: &str| StudyEventRow {
        player: Some(player.to_owned()),
        key_full: Some(studied.to_owned()),
        action: "review".to_owned(),
        day: day(date),
        ..StudyEventRow::default()
    };
    let decisions = [(key(double), "A"), (key(answer), "B")];
    let first = |events: &[StudyEventRow]| Studied::of(events, Actions::default()).first_days(&decisions)["B"].clone();
    let own = event("B", double, "2025-09-09");
    let expected = BTreeMap::from([(answer.to_owned(), day("2025-09-09"))]);
    assert_eq!(first(std::slice::from_ref(&own)), expected);
    assert_eq!(first(&[own.clone(), event("A", answer, "2026-01-05")]), expected, "somebody else's study");
    assert_eq!(first(&[own, event("B", answer, "2026-01-05")]), expected, "his own, later");
}

#[test]
fn first_days_are_the_earliest_and_only_the_students_own() {
    let event = |player: Option<&str>, action: &str, date: &str| StudyEventRow {
        player: player.map(str::to_owned),
        key_full: Some(STUDIED.to_owned()),
        action: action.to_owned(),
        day: day(date),
        ..StudyEventRow::default()
    };
    let events = [
        event(Some("A"), "review", "2026-01-09"),
        event(Some("A"), "mark", "2026-01-07"),
        event(Some("A"), "lesson", "2026-01-01"),
        event(None, "mark", "2025-01-01"),
        event(Some("B"), "quiz", "2026-01-08"),
    ];
    let studied = Studied::of(&events, Actions::default());
    let days = studied.first_days(&[(key(STUDIED), "A"), (key(STUDIED), "C")]);
    assert_eq!(days["A"], BTreeMap::from([(STUDIED.to_owned(), day("2026-01-07"))]));
    assert!(days["B"].is_empty() && !days.contains_key("C"), "B studied it and never met it, C never studied");
    assert!(Studied::of(&events[2..4], Actions { other: true, ..Actions::default() }).is_empty());
    let with_lessons = Studied::of(&events, Actions { lesson: true, ..Actions::default() });
    let days = with_lessons.first_days(&[(key(STUDIED), "A")]);
    assert_eq!(days["A"], BTreeMap::from([(STUDIED.to_owned(), day("2026-01-01"))]), "lessons count where asked");
    assert!(studied.boards().contains("-b----E-C---eE---c-e----B-"));
    assert!(xgid::decode(START).is_ok());
}

/// The first row of the definition's table rests on ten errors: eight degrees of freedom, 2.306.
#[test]
fn student_widens_a_change_of_few_errors() {
    let before = window(&[0.02, 0.015, 0.01, 0.012, 0.018, 0.009, 0.011, 0.016], 80);
    let change = Change::between(&before, &window(&[0.008, 0.006], 60), Quantile::Student);
    let half = change.half_width.unwrap() * 1e4;
    assert!((half - (22.0189 - 11.5417) * 2.306 / 1.96).abs() < 1e-3, "{half}");
    assert_eq!(change.verdict, Verdict::Undetermined);
}
