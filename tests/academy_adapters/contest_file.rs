//! Contest files: what is read, what is refused, and that what is written is read again.

use super::{told, vectors};
use portes::academy::contest::{Outcome, Rated};
use portes::academy::contest_file::{Lines, Reader, line};
use serde_json::Value as Json;

fn read(text: &str) -> Lines {
    Reader::default().read(text.as_bytes(), "2026")
}

/// The file of the vectors: lines that are objects, and one that is no JSON.
fn file(vectors: &Json) -> String {
    let lines = vectors["lines"].as_array().unwrap();
    lines.iter().map(|line| line.as_str().map_or_else(|| line.to_string(), str::to_owned) + "\n").collect()
}

#[test]
fn the_vectors_are_accepted_and_refused_line_by_line() {
    let Some(vectors) = vectors() else { return };
    let vectors = &vectors["contest_file"];
    let lines = read(&file(vectors));
    let ids: Vec<&str> = lines.contests.iter().map(|contest| contest.contest_id.as_str()).collect();
    assert_eq!(ids, vectors["accepted"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect::<Vec<_>>());
    assert_eq!(lines.repeated, 1);
    let refused: Vec<u64> = lines.refused.iter().map(|refused| refused.line as u64).collect();
    let expected = vectors["refused"].as_array().unwrap();
    assert_eq!(refused, expected.iter().map(|pair| pair[0].as_u64().unwrap()).collect::<Vec<_>>());
    assert_eq!(expected.len(), 12);
    // Each for its own reason, not for another that happens to be there too.
    let reasons = [
        "not JSON",
        "another contest has the id \"l2\"",
        "unknown result \"white\"",
        "ply 1: by is neither 1 nor 2",
        "ply 1: value outside 0 to 1",
        "ply 1: symbol 'B' of area \"nw\" is not concrete",
        "ply 1: chance, where chance_outcomes is 0",
        "a game that is not symmetric needs view \"first\"",
        "ply 1: no key",
        "ply 1: its i is 2",
        "one Elo without the other",
        "\"2026-13-01\" is no date",
    ];
    for (refused, reason) in lines.refused.iter().zip(reasons) {
        assert!(refused.reason.starts_with(reason), "line {}: {} is not {reason}", refused.line, refused.reason);
    }
}

#[test]
fn the_vectors_are_turned_as_the_core_stores_them() {
    let Some(vectors) = vectors() else { return };
    let vectors = &vectors["contest_file"];
    let lines = read(&file(vectors));
    let areas: Vec<_> =
        lines.contests.iter().flat_map(|contest| &contest.plies).flat_map(|ply| told(&ply.areas)).collect();
    let expected: Vec<(String, Vec<usize>, String)> = serde_json::from_value(vectors["areas"].clone()).unwrap();
    assert_eq!(areas, expected);
    assert_eq!(lines.contests[2].outcome, Outcome::Unfinished);
    assert!(!lines.contests[2].ends_on_board && lines.contests[0].ends_on_board);
    assert!(matches!(lines.contests[3].rated, Rated::Stated(first, _) if first.points() == 1700.0));
    assert!(lines.contests[4].plies.is_empty());
}

#[test]
fn what_is_written_is_read_again() {
    let Some(vectors) = vectors() else { return };
    let before = read(&file(&vectors["contest_file"])).contests;
    let text: String = before.iter().map(|contest| line(contest) + "\n").collect();
    let after = read(&text);
    assert_eq!((after.contests, after.refused), (before, vec![]));
}

const LEAST: &str = r#"{"contest_id":"a","game":"g","first":"x","second":"y","result":"draw","plies":[]"#;

#[test]
fn every_field_but_six_has_a_default() {
    let lines = read(&format!("\u{feff}{LEAST}}}\n\n  \r\n"));
    let contest = &lines.contests[0];
    assert_eq!((contest.schedule.season.as_str(), contest.schedule.match_id.as_str()), ("2026", "a"));
    assert_eq!((contest.schedule.date, contest.schedule.seq, contest.rated), (None, 1, Rated::ByContest));
    assert!(contest.rules.symmetric && contest.rules.chance_outcomes == 0 && contest.ends_on_board);
    for field in ["contest_id", "game", "first", "second", "result", "plies"] {
        let without = format!("{LEAST}}}").replace(&format!("\"{field}\""), "\"nothing\"");
        assert_eq!(read(&without).refused[0].reason, format!("no {field}"));
    }
}

#[test]
fn wrong_shapes_are_refused_with_a_reason() {
    let with = |rest: &str| format!("{LEAST},{rest}}}");
    let ply = |rest: &str| format!("{LEAST}}}").replace("[]", &format!("[{{\"by\":1,\"key\":\"k\",{rest}}}]"));
    for (text, reason) in [
        ("[]".to_owned(), "the line is no JSON object"),
        ("{\"a\":\"\u{0}".to_owned(), "not JSON"),
        (with("\"view\":\"above\""), "unknown view"),
        (with("\"turn\":\"left\""), "unknown turn"),
        (with("\"final\":1"), "final is no truth value"),
        (with("\"seq\":-1"), "seq is no whole number"),
        (with("\"date\":\"2026-02-30\""), "\"2026-02-30\" is no date"),
        (with("\"date\":\"20260301\""), "\"20260301\" is no date"),
        (with("\"elo_first\":1e300,\"elo_second\":1"), "elo_first out of range"),
        (with("\"chance_outcomes\":4294967296"), "chance_outcomes is no whole number"),
        (ply("\"before\":-0.1"), "ply 1: before outside 0 to 1"),
        (ply("\"value\":\"0.5\""), "ply 1: value is no number"),
        (ply("\"choices\":1.5"), "ply 1: choices is no whole number"),
        (ply("\"cost\":1e9"), "ply 1: cost out of range"),
        (ply("\"areas\":[[\"nw\",[]]]"), "ply 1: area \"nw\" has an empty row"),
        (ply("\"areas\":[[\"nw\",[\"x\",\"\"]]]"), "ply 1: area \"nw\" has an empty row"),
        (ply("\"areas\":[[\"nw\",[\"x y\"]]]"), "ply 1: unknown symbol ' '"),
        (ply("\"areas\":[[\"nw\",\"xy\"]]"), "ply 1: [\"nw\",\"xy\"] is no area"),
        (ply("\"candidates\":[{}]"), "ply 1: no key"),
        (ply("\"candidates\":[7]"), "ply 1: a candidate is no JSON object"),
        (ply("\"i\":1.5"), "ply 1: its i is 1.5"),
        (ply("\"areas\":[[\"nw\",[\"xx\",\"x\",\"xx\"]]]"), "ply 1: rows of area \"nw\" are neither of one length nor"),
        (ply("\"areas\":[[\"nw\",[\"x\",\"xx\",\"xx\"]]]"), "ply 1: rows of area \"nw\" are neither"),
        (ply("\"areas\":[[\"nw\",[\"x\",\"xxx\"]]]"), "ply 1: rows of area \"nw\" are neither"),
        (format!("{LEAST}}}").replace("\"x\"", "\" \""), "first is empty"),
        (format!("{LEAST}}}").replace("\"g\"", "\"\""), "game is empty"),
        (format!("{LEAST}}}").replace("\"g\"", "\"Backgammon\""), "Backgammon is read from match files alone"),
        (format!("{LEAST}}}").replace("\"g\"", "\"nackgammon\""), "nackgammon is read from match files alone"),
    ] {
        let lines = read(&text);
        assert!(lines.contests.is_empty(), "{text}");
        assert!(lines.refused[0].reason.starts_with(reason), "{text}: {}", lines.refused[0].reason);
    }
}

#[test]
fn a_field_that_nobody_knows_is_told_and_changes_nothing() {
    let plies = "[{\"by\":1,\"key\":\"k\",\"valeu\":0.6,\"candidates\":[{\"key\":\"k\",\"csot\":0}]},\
                 {\"by\":2,\"key\":\"l\",\"valeu\":0.4}]";
    let line = format!("{LEAST},\"commentary\":\"played at night\"}}").replace("[]", plies);
    let lines = read(&format!("\n{line}\n{line}\n"));
    assert_eq!((lines.contests.len(), lines.repeated, lines.refused.len()), (1, 1, 0));
    assert_eq!(lines.contests[0].plies[0].value, None);
    let [told] = lines.remarked.as_slice() else { panic!("{:?}", lines.remarked) };
    assert_eq!(told.line, 2);
    assert_eq!(
        told.reason,
        "unknown field \"commentary\"; ply 1, a candidate: unknown field \"csot\", is cost meant?; \
         ply 1: unknown field \"valeu\", is value meant?"
    );
    let hexagon =
        line.replace("\"valeu\":0.4", "\"areas\":[[\"m\",[\"x-\",\"x-o\",\"--\"]]]").replace("valeu", "value");
    let known = read(&hexagon.replace("csot", "cost").replace("commentary", "event"));
    assert_eq!((known.contests.len(), known.remarked.len()), (1, 0), "{:?}", known.refused);
}

#[test]
fn a_refused_line_does_not_use_up_its_id_and_files_share_them() {
    let mut reader = Reader::default();
    let wrong = format!("{LEAST},\"final\":1}}");
    let right = format!("{LEAST},\"final\":false}}");
    let lines = reader.read(format!("{wrong}\n{right}").as_bytes(), "2026");
    assert_eq!((lines.contests.len(), lines.refused.len()), (1, 1));
    let again = reader.read(right.as_bytes(), "2026");
    assert_eq!((again.contests.len(), again.repeated), (0, 1));
    let other = reader.read(format!("{LEAST}}}").as_bytes(), "2026");
    assert_eq!(other.refused[0].reason, "another contest has the id \"a\"");
}
