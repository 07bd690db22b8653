//! The documented end of every kind of input (`nightly.md`): what is bad is told with reason and offset, what is good is
//! there as if nothing else had been. What is meant to harm stands in `hostile.rs`.

use super::{Place, evened};
use crate::support::html;
use crate::support::made::{Chance, SGF, Shape, XG, made};
use crate::support::{mat_writer, sgf_writer, xg_writer};
use portes::game::{Length, Play};
use portes::ingest::record::{CheckerPlay, Engine, Format, Record, What};
use portes::tables::facts::{AnalysisRow, CandidateRow, DecisionRow, GameRow, MatchRow, OtherDecisionRow, SourceRow};
use portes::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use portes::tables::row::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Bytes before the archive in an `.xg` without thumbnail, and of the trailer behind it (`xg-format.md` 2, 3.1).
const HEADER: u64 = 8232;
const TRAILER: u64 = 36;

/// What a file's row in `sources` must say.
pub(super) struct End {
    path: &'static str,
    status: &'static str,
    reason: &'static str,
    offset: Option<u64>,
}

pub(super) const fn end(path: &'static str, status: &'static str, reason: &'static str, offset: Option<u64>) -> End {
    End { path, status, reason, offset }
}

pub(super) fn sources(place: &Place) -> BTreeMap<String, SourceRow> {
    place.rows::<SourceRow>().into_iter().map(|row| (row.path.clone(), row)).collect()
}

/// Every expected row is there, and no other file has anything but a match.
pub(super) fn told(place: &Place, ends: &[End]) {
    let rows = sources(place);
    let mut wrong = Vec::new();
    for end in ends {
        let Some(row) = rows.get(end.path) else {
            wrong.push(format!("{}: not in the table", end.path));
            continue;
        };
        let got = (row.status.as_str(), row.reason.as_deref(), row.offset.map(|at| u64::try_from(at).unwrap()));
        let expected = (end.status, Some(end.reason), end.offset);
        if got != expected {
            wrong.push(format!("{}: expected {expected:?}, got {got:?}: {:?}", end.path, row.detail));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let listed: BTreeSet<&str> = ends.iter().map(|end| end.path).collect();
    for (path, row) in rows.iter().filter(|(path, _)| !listed.contains(path.as_str())) {
        assert!(row.status == "ok", "{path}: {row:?}");
    }
}

/// The season's page of files names each of them.
fn listed(place: &Place, ends: &[End]) {
    let page = evened(&html::read(&place.page("2026", "quality.html")).text);
    for end in ends {
        assert!(page.contains(&evened(end.path)), "{} is not on the page:\n{page}", end.path);
    }
}

/// Every row of these matches, by match.
fn rows_of<R: Row>(place: &Place, match_id: impl Fn(&R) -> &str) -> BTreeMap<String, Vec<R>> {
    let mut all: BTreeMap<String, Vec<R>> = BTreeMap::new();
    for row in place.rows::<R>() {
        all.entry(match_id(&row).to_owned()).or_default().push(row);
    }
    all
}

fn of_decision(decision_id: &str) -> &str {
    decision_id.split_once('-').unwrap().0
}

/// The matches of `clean` have the same rows in `place`, whatever else lies there.
fn complete(place: &Place, clean: &Place) {
    fn same<R: Row + PartialEq + std::fmt::Debug>(places: [&Place; 2], match_id: impl Fn(&R) -> &str + Copy) {
        let [all, mut expected] = places.map(|place| rows_of(place, match_id));
        expected.retain(|id, _| !id.is_empty());
        assert!(!expected.is_empty(), "{}", R::TABLE);
        for (id, rows) in expected {
            assert!(all.get(&id) == Some(&rows), "{} of match {id}", R::TABLE);
        }
    }
    let places = [place, clean];
    same(places, |row: &MatchRow| &row.match_id);
    same(places, |row: &AnalysisRow| &row.match_id);
    same(places, |row: &GameRow| &row.match_id);
    same(places, |row: &DecisionRow| &row.match_id);
    same(places, |row: &CandidateRow| of_decision(&row.decision_id));
    same(places, |row: &PlayerMatchRow| &row.match_id);
}

/// A match in four games or more, so that it can be cut in its third.
fn long(seed: u64, shape: Shape) -> Record {
    let mut seeds = (0..).map(|n| made(seed + 1_000 * n, shape));
    seeds.find(|record| record.games.len() >= 4).unwrap()
}

pub(super) fn xg(seed: u64) -> Vec<u8> {
    xg_writer::write(&made(seed, XG))
}

pub(super) fn sgf(seed: u64) -> Vec<u8> {
    sgf_writer::write(&made(seed, SGF))
}

/// Noise that begins like nothing known.
fn noise(seed: u64) -> Vec<u8> {
    let mut chance = Chance::new(seed);
    let bytes = (0..4_000).map(|_| u8::try_from(chance.below(256)).unwrap());
    std::iter::once(0x80).chain(bytes).collect()
}

/// Where the `n`th of these bytes begins.
fn nth(bytes: &[u8], what: &[u8], n: usize) -> usize {
    (0..bytes.len()).filter(|&at| bytes[at..].starts_with(what)).nth(n).unwrap()
}

pub(super) fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file((*name).to_owned(), SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn at(n: usize) -> Option<u64> {
    Some(u64::try_from(n).unwrap())
}

/// Damage of every kind that a disk, a browser or a person does to a match file.
fn damaged(place: &Place) -> Vec<End> {
    let whole = xg(11);
    let size = whole.len();
    let mut flipped = whole.clone();
    flipped[9_000] ^= 0x10;
    let (cut_sgf, cut_mat) = (long(12, SGF), long(13, SGF));
    let (text, rows) = (sgf_writer::write(&cut_sgf), mat_writer::write(&cut_mat));
    let in_first_game = nth(&text, b"\n;", 9) + 5;
    let in_third_game = nth(&text, b"(;FF", 2) + 600;
    let rows_of_third = nth(&rows, b" Game 3", 0) + 200;
    let bomb = xg_writer::pack(&[("temp.xg", vec![0; 40 << 20])]);
    let registry = usize::try_from(u32::from_le_bytes(bomb[bomb.len() - 24..][..4].try_into().unwrap())).unwrap();
    let nested = [b"(;FF[4]GM[6]".to_vec(), b"(;C[x]".repeat(100)].concat();
    for (path, bytes) in [
        ("2026/bad/empty.xg", Vec::new()),
        ("2026/bad/cut.xg", whole[..size - 1_000].to_vec()),
        ("2026/bad/header.xg", whole[..5_000].to_vec()),
        ("2026/bad/crc.xg", flipped),
        ("2026/bad/appended.xg", [whole, b"more".to_vec()].concat()),
        ("2026/bad/photo.xg", [&b"\xFF\xD8\xFF\xE0"[..], &noise(1)].concat()),
        ("2026/bad/bomb.xg", bomb.clone()),
        ("2026/bad/first.sgf", text[..in_first_game].to_vec()),
        ("2026/bad/nested.sgf", nested),
        ("2026/bad/noise.xg", noise(2)),
        ("2026/bad/noise.sgf", noise(3)),
        ("2026/bad/noise.mat", noise(4)),
        ("2026/bad/empty.mat", Vec::new()),
        ("2026/bad/third.sgf", text[..in_third_game].to_vec()),
        ("2026/bad/third.mat", rows[..rows_of_third].to_vec()),
    ] {
        place.put(path, bytes);
    }
    vec![
        end("2026/bad/empty.xg", "quarantined", "empty", Some(0)),
        end("2026/bad/cut.xg", "quarantined", "truncated", at(size - 1_000 - 36)),
        end("2026/bad/header.xg", "quarantined", "truncated", Some(5_000)),
        end("2026/bad/crc.xg", "quarantined", "crc", Some(HEADER)),
        end("2026/bad/appended.xg", "quarantined", "truncated", at(size + 4).map(|end| end - TRAILER)),
        end("2026/bad/photo.xg", "quarantined", "magic", Some(0)),
        end("2026/bad/bomb.xg", "quarantined", "inflate", at(bomb.len() - 36 - registry)),
        end("2026/bad/first.sgf", "quarantined", "truncated", at(in_first_game)),
        // Sixty-four parentheses may be open; the sixty-fifth is the sixty-fourth of the repeated ones.
        end("2026/bad/nested.sgf", "quarantined", "nesting", at(12 + 63 * 6)),
        end("2026/bad/noise.xg", "quarantined", "magic", Some(0)),
        end("2026/bad/noise.sgf", "quarantined", "magic", Some(0)),
        end("2026/bad/noise.mat", "quarantined", "magic", Some(0)),
        end("2026/bad/empty.mat", "quarantined", "empty", Some(0)),
        end("2026/bad/third.sgf", "partial", "incomplete", at(in_third_game)),
        end("2026/bad/third.mat", "partial", "incomplete", at(rows_of_third)),
    ]
}

/// Kinds that are known and not read, and what is no match file at all.
fn others(place: &Place) -> Vec<End> {
    let statistics =
        "Player\tEmberline\tDovetail\nChequerplay statistics\nTotal moves\t60\t61\nError rate mEMG\t-4.2\t-6.1\n";
    for (path, bytes) in [
        ("2026/other/a.bgf", &b"{\"useSmile\":false}\n{\"matchlen\":7}"[..]),
        ("2026/other/b.txt", b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n +13-14-15-16-17-18\n"),
        ("2026/other/c.ogxm", b"OGXM\x02"),
        ("2026/other/d.db", b"SQLite format 3\0"),
        ("2026/other/e.sgf", b"(;FF[4]GM[1]SZ[19];B[aa])"),
        ("2026/other/f.sgg", b"one vs. other\n"),
        ("2026/other/g.7z", b"7z\xBC\xAF\x27\x1C"),
        ("2026/other/h.pdf", b"%PDF-1.7\n7 point match\n"),
        ("2026/other/i.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF"),
        ("2026/other/j.stats.txt", statistics.as_bytes()),
        ("2026/other/places.csv", b"player,place\nEmberline,1\n"),
    ] {
        place.put(path, bytes);
    }
    vec![
        end("2026/other/a.bgf", "unsupported", "bgblitz", Some(0)),
        end("2026/other/b.txt", "unsupported", "xg_position", Some(0)),
        end("2026/other/c.ogxm", "unsupported", "ogxm", Some(0)),
        end("2026/other/d.db", "unsupported", "sqlite", Some(0)),
        end("2026/other/e.sgf", "unsupported", "other_sgf", Some(0)),
        end("2026/other/f.sgg", "unsupported", "gamesgrid", Some(0)),
        end("2026/other/g.7z", "unsupported", "archive", Some(0)),
        end("2026/other/h.pdf", "ignored", "foreign", None),
        end("2026/other/i.jpg", "ignored", "foreign", None),
        end("2026/other/j.stats.txt", "ignored", "foreign", None),
    ]
}

/// Unusual matches, all kept whole. Gives what is not plainly `ok` of them.
fn unusual(place: &Place) -> Vec<End> {
    place.put("2026/cup/a.xg", xg(1));
    place.put("2026/cup/x.sgf/b.sgf", sgf(2));
    place.put("2026/cup/money.xg", xg_writer::write(&money(3, XG)));
    place.put("2026/cup/money.sgf", sgf_writer::write(&money(4, SGF)));
    let mut too_long = made(5, XG);
    too_long.length = Length::from_points(70);
    place.put("2026/cup/seventy.xg", xg_writer::write(&too_long));
    place.put("2026/cup/interrupted.xg", xg_writer::write(&interrupted(6, XG)));
    place.put("2026/cup/interrupted.sgf", sgf_writer::write(&interrupted(7, SGF)));
    place.put("2026/cup/bare.mat", mat_writer::write(&made(8, SGF)));
    let mut bare = made(9, XG);
    forget_analysis(&mut bare);
    place.put("2026/cup/bare.xg", xg_writer::write(&bare));
    vec![
        end("2026/cup/bare.mat", "unrated", "no_analysis", None),
        end("2026/cup/bare.xg", "unrated", "no_analysis", None),
    ]
}

/// The games of a match, played as a session for money.
fn money(seed: u64, shape: Shape) -> Record {
    let mut record = made(seed, shape);
    record.length = Length::Money;
    (record.rules.crawford, record.rules.jacoby, record.rules.beavers) = (false, true, Some(true));
    for game in &mut record.games {
        game.crawford = false;
    }
    record
}

/// A match that somebody left in its last game.
fn interrupted(seed: u64, shape: Shape) -> Record {
    let mut record = long(seed, shape);
    let last = record.games.last_mut().unwrap();
    last.outcome = None;
    last.actions.truncate(13);
    record.final_score = record.final_score.and(Some(last.points));
    record
}

fn forget_analysis(record: &mut Record) {
    for action in record.games.iter_mut().flat_map(|game| &mut game.actions) {
        match &mut action.what {
            What::Checker(play) => {
                play.candidates.clear();
                play.luck = None;
            }
            What::NoDouble(analysis) | What::Double(analysis) | What::Take(analysis) | What::Pass(analysis) => {
                *analysis = None;
            }
            What::Beaver(_) | What::AfterBeaver(_) => {}
        }
    }
}

#[test]
fn every_bad_file_has_its_documented_end_and_costs_nothing_else() {
    let (place, clean) = (Place::new(), Place::new());
    let mut ends = damaged(&place);
    ends.extend(others(&place));
    ends.extend(unusual(&place));
    _ = unusual(&clean);
    place.run(3);
    told(&place, &ends);
    listed(&place, &ends);
    clean.run(0);
    complete(&place, &clean);
    said(&place);

    let rejected = ends.iter().filter(|end| end.status == "quarantined").count();
    let standing = place.run(0);
    assert!(standing.out.contains(&format!("{rejected} quarantined")), "standing rejections: {}", standing.out);
    place.put("2026/bad/noise.xg", noise(5));
    place.run(3);
    assert_eq!(std::fs::read(place.raw().join("2026/bad/noise.xg")).unwrap(), noise(5), "raw bytes are untouched");
}

/// What `unusual` promises of its matches, from the tables.
fn said(place: &Place) {
    let rows = sources(place);
    let matches = rows_of(place, |row: &MatchRow| &row.match_id);
    let decisions = rows_of(place, |row: &DecisionRow| &row.match_id);
    let of = |path: &str| {
        let id = rows[path].match_id.clone().unwrap();
        (&matches[&id][0], &decisions[&id])
    };
    let rated = |rows: &[DecisionRow]| rows.iter().filter(|row| row.e_raw.is_some()).count();
    for path in ["2026/cup/money.xg", "2026/cup/money.sgf"] {
        let (played, decisions) = of(path);
        assert_eq!((played.play.as_str(), played.length, played.finished), ("money", None, true), "{path}");
        assert!(rated(decisions) > 20 && decisions.iter().all(|row| row.loss.is_none()), "{path}: money has no MWC");
    }
    let (played, decisions) = of("2026/cup/seventy.xg");
    assert_eq!((played.play.as_str(), played.length, played.finished), ("too_long", Some(70), false));
    assert!(rated(decisions) > 20 && decisions.iter().all(|row| row.loss.is_none()), "no table reaches so far");
    for path in ["2026/cup/interrupted.xg", "2026/cup/interrupted.sgf"] {
        let (played, decisions) = of(path);
        assert_eq!((played.finished, played.winner), (false, None), "{path}");
        assert!(rated(decisions) > 20, "{path}");
    }
    for path in ["2026/cup/bare.mat", "2026/cup/bare.xg"] {
        let (played, decisions) = of(path);
        assert!(played.finished && decisions.len() > 20, "{path}");
        assert!(decisions.iter().all(|row| row.e_raw.is_none() && !row.counted), "{path}: never zero error");
    }
    // Complete games of the cut files are there, the broken one is not.
    for (path, whole) in [("2026/bad/third.sgf", long(12, SGF)), ("2026/bad/third.mat", long(13, SGF))] {
        let (played, decisions) = of(path);
        assert!((2..=3).contains(&played.games) && !played.finished, "{path}: {played:?}");
        let checker = |row: &&DecisionRow| row.kind == "checker" && row.game <= 2;
        let plays = whole.games[..2].iter().flat_map(|game| &game.actions);
        let plays = plays.filter(|action| matches!(action.what, What::Checker(_))).count();
        assert_eq!(decisions.iter().filter(checker).count(), plays, "{path}");
    }
}

/// A play of the first game that somebody had a choice in, and did not choose the best; its place among the plays.
fn second_best(record: &mut Record) -> (usize, &mut CheckerPlay) {
    let plays = record.games[0].actions.iter_mut().filter_map(|action| match &mut action.what {
        What::Checker(play) => Some(play),
        _ => None,
    });
    let chosen = |play: &CheckerPlay| play.candidates.iter().position(|candidate| Some(candidate.after) == play.after);
    plays.enumerate().skip(4).find(|(_, play)| chosen(play).is_some_and(|rank| rank > 0)).unwrap()
}

/// Decisions by id, and which of them these places tell differently.
fn differing(place: &Place, clean: &Place) -> Vec<(DecisionRow, DecisionRow)> {
    let [rows, expected] = [place, clean].map(|place| place.rows::<DecisionRow>());
    assert_eq!(rows.len(), expected.len());
    rows.into_iter().zip(expected).filter(|(row, expected)| row != expected).collect()
}

#[test]
fn an_illegal_or_unlisted_play_is_one_unrated_decision_of_a_match_that_is_kept() {
    for (reason, harm) in [
        ("illegal", (|play| play.illegal = true) as fn(&mut CheckerPlay)),
        ("not_listed", |play| play.candidates.retain(|candidate| Some(candidate.after) != play.after)),
    ] {
        let (place, clean) = (Place::new(), Place::new());
        let mut record = made(21, XG);
        clean.put("2026/cup/a.xg", xg_writer::write(&record));
        let (nth, play) = second_best(&mut record);
        harm(play);
        place.put("2026/cup/a.xg", xg_writer::write(&record));
        clean.run(0);
        place.run(0);
        let differing = differing(&place, &clean);
        assert_eq!(differing.len(), 1, "{reason}");
        let (row, before) = &differing[0];
        let plays = clean.rows::<DecisionRow>().into_iter().filter(|row| row.kind == "checker");
        assert_eq!(plays.skip(nth).map(|row| row.decision_id).next().as_ref(), Some(&before.decision_id));
        assert!(before.counted && before.e_raw.is_some());
        assert_eq!((row.unrated_reason.as_deref(), row.e_raw, row.counted), (Some(reason), None, false));
        let pooled = |place: &Place| {
            let rows = place.rows::<PlayerSeasonRow>();
            rows.into_iter().find(|row| row.player.is_none()).unwrap().decisions
        };
        assert_eq!(pooled(&place) + 1, pooled(&clean), "{reason}: one decision less is counted");
    }
    // A play that breaks the rules in the letters of an SGF: the board of the file goes on, and so does the match.
    let mut record = made(22, SGF);
    let action = record.games[0].actions.iter_mut().filter(|action| matches!(action.what, What::Checker(_))).nth(3);
    let action = action.unwrap();
    if let What::Checker(play) = &mut action.what {
        let from = (7..=24).rev().find(|&point| action.board.cells()[point] > 0).unwrap();
        play.play = Play::from_notation(&format!("{from}/{}", from - 7 + usize::from(from > 7))).unwrap();
        play.after = play.play.apply(&action.board).ok();
        if play.after.is_none() {
            play.play = Play::from_notation(&format!("{from}/off")).unwrap();
            play.after = play.play.apply(&action.board).ok();
        }
    }
    let place = Place::new();
    place.put("2026/cup/a.sgf", sgf_writer::write(&record));
    place.run(0);
    let decisions = place.rows::<DecisionRow>();
    let unrated: Vec<&DecisionRow> =
        decisions.iter().filter(|row| row.unrated_reason.as_deref() == Some("illegal")).collect();
    assert_eq!(unrated.len(), 1, "{unrated:?}");
    assert_eq!(place.rows::<MatchRow>()[0].games, i64::try_from(record.games.len()).unwrap());
    assert!(decisions.iter().filter(|row| row.e_raw.is_some()).count() > decisions.len() * 9 / 10);
}

/// The same match as XG, gnuBG and a transcriber have it.
pub(super) fn three_formats(seed: u64) -> [(&'static str, Vec<u8>); 3] {
    formats_of(&made(seed, XG))
}

pub(super) fn formats_of(record: &Record) -> [(&'static str, Vec<u8>); 3] {
    let other = Record { format: Format::Sgf, engine: Engine::GnuBg, ..record.clone() };
    [("xg", xg_writer::write(record)), ("sgf", sgf_writer::write(&other)), ("mat", mat_writer::write(record))]
}

#[test]
fn a_match_in_three_formats_and_every_file_twice_count_once() {
    let (place, clean) = (Place::new(), Place::new());
    for seed in 60..64 {
        for (extension, bytes) in three_formats(seed) {
            place.put(format!("2026/cup/{seed}.{extension}"), &bytes);
            if extension == "xg" {
                clean.put(format!("2026/cup/{seed}.{extension}"), &bytes);
            }
        }
    }
    place.run(0);
    clean.run(0);
    assert_eq!(place.rows::<MatchRow>().len(), 4);
    let analyses = rows_of(&place, |row: &AnalysisRow| &row.match_id);
    for (id, rows) in &analyses {
        let mut formats: Vec<(&str, bool)> = rows.iter().map(|row| (row.format.as_str(), row.primary)).collect();
        formats.sort_unstable();
        assert_eq!(formats, [("mat", false), ("sgf", false), ("xg", true)], "{id}");
    }
    let others = place.rows::<OtherDecisionRow>();
    assert!(others.iter().filter(|row| row.e_raw.is_some()).count() > 100, "the other analyses are kept beside");
    // What counts is what the best file alone says: the digest differs, for it names the other files.
    let figures = |place: &Place| (place.rows::<DecisionRow>(), place.rows::<PlayerMatchRow>());
    let season = |place: &Place| place.rows::<PlayerSeasonRow>();
    assert!(figures(&place) == figures(&clean) && season(&place) == season(&clean));

    for seed in 60..64 {
        for (extension, bytes) in three_formats(seed) {
            place.put(format!("2026/spare/copy of {seed}.{extension}"), &bytes);
        }
    }
    place.put("2026/spare/all.zip", archive(&[("60.xg", &three_formats(60)[0].1)]));
    let before = (place.rows::<MatchRow>(), figures(&place), season(&place));
    place.run(0);
    assert!(before == (place.rows::<MatchRow>(), figures(&place), season(&place)));
    let spare: Vec<SourceRow> = place
        .rows::<SourceRow>()
        .into_iter()
        .filter(|row| row.path.contains("spare/") && !row.path.ends_with("zip"))
        .collect();
    assert_eq!(spare.len(), 13);
    let all = sources(&place);
    for row in spare {
        let counts = all.values().find(|other| other.blake3 == row.blake3 && other.status != "duplicate").unwrap();
        assert_eq!((row.status.as_str(), row.reason.as_deref()), ("duplicate", Some("same_content")), "{}", row.path);
        assert_eq!(row.detail.as_deref(), Some(format!("the same content as {}", counts.path).as_str()));
    }
}

#[test]
fn an_earlier_save_of_a_match_is_superseded_by_the_later_one() {
    let place = Place::new();
    let whole = long(70, XG);
    let mut early = whole.clone();
    early.games.truncate(2);
    place.put("2026/cup/early.xg", xg_writer::write(&early));
    place.put("2026/cup/late.xg", xg_writer::write(&whole));
    place.run(0);
    told(&place, &[end("2026/cup/early.xg", "superseded", "earlier_save", None)]);
    let said = "2026/cup/late.xg continues this match";
    assert!(place.portes(&["status"]).out.contains(&format!("superseded: 2026/cup/early.xg: {said}")));
    let inspected = place.portes(&["inspect", "data/raw/2026/cup/early.xg"]).out;
    let both = format!("in the lake: 2026/cup/early.xg: superseded ({said}); 2026/cup/late.xg: ok");
    assert!(inspected.contains(&both), "{inspected}");
    assert_eq!(place.rows::<MatchRow>().len(), 1);
    std::fs::remove_file(place.raw().join("2026/cup/late.xg")).unwrap();
    place.run(0);
    let left = place.rows::<MatchRow>();
    assert_eq!(
        (left.len(), left[0].games, left[0].finished),
        (1, 2, false),
        "what vanished is gone, what is left counts"
    );
}
