//! What the Academy is fed beside analysed matches, and what it says of it: contest files, draughts, plans.

use crate::night::Place;
use crate::support::made::{SGF, Shape, made};
use crate::support::{mat_writer, sgf_writer};
use portes::tables::academy::{
    AcademyContestRow, AcademyPatternRow, AcademyPlayerRow, AcademyRatingRow, AcademyTreeRow,
};
use portes::tables::facts::SourceRow;

const PDN: &str = "[Event \"Village Cup\"]\n[Date \"2026.02.03\"]\n[Black \"Ada\"]\n[White \"Ben\"]\n[Result \"1-0\"]\n\n\
                   1. 11-15 22-18 2. 15x22 25x18 1-0\n\n\
                   [Event \"Village Cup\"]\n[Black \"Ada\"]\n[White \"Ben\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 1-0\n";

/// A contest of a game nobody knows.
fn line(id: &str, first: &str, extra: &str) -> String {
    format!(
        "{{\"contest_id\":\"{id}\",\"game\":\"rings\",\"first\":\"{first}\",\"second\":\"Cy\",\"result\":\"second\",\
         \"season\":\"../../elsewhere\",\"date\":\"2026-01-0{}\"{extra},\"plies\":[{{\"by\":1,\"key\":\"a\"}},\
         {{\"by\":2,\"key\":\"b\",\"areas\":[[\"all\",[\"x-\",\"-o\"]]]}}]}}\n",
        id.len()
    )
}

#[test]
fn contest_files_and_draughts_are_filed_beside_the_matches_and_refusals_are_told() {
    let place = Place::new();
    let contests =
        line("c1", "ada", "") + "not json\n" + &line("c23", "Ben", ",\"elo_first\":1500") + &line("d456", "Dee", "");
    place.put("2026/rings/played.jsonl", &contests);
    place.put("2026/again/same.jsonl", line("c1", "ada", ""));
    place.put("2026/village/games.pdn", PDN);
    place.put("2026/cup/1.sgf", sgf_writer::write(&made(1, Shape { length: 1, ..SGF })));
    std::fs::write(place.root().join("portes.toml"), "[players]\naliases = { Ada = [\"ada\"] }\n").unwrap();
    place.run(0);

    let rows: Vec<AcademyContestRow> = place.rows();
    let told: Vec<(&str, &str, &str)> =
        rows.iter().map(|row| (row.season.as_str(), row.game.as_str(), row.first.as_str())).collect();
    for expected in [("2026", "rings", "Ada"), ("2026", "rings", "Dee"), ("2026", "draughts", "Ada")] {
        assert_eq!(told.iter().filter(|row| **row == expected).count(), 1, "{told:?}");
    }
    assert_eq!((rows.len(), rows.iter().filter(|row| row.game == "backgammon").count()), (4, 1));
    // Both won by the second player: his pattern of the last position is worth a win.
    let patterns: Vec<AcademyPatternRow> = place.rows();
    let rings: Vec<_> = patterns.iter().filter(|row| row.game == "rings").collect();
    assert_eq!(rings.len(), 1);
    assert_eq!((rings[0].rows.as_str(), rings[0].cells.as_str(), rings[0].n, rings[0].v), ("2 2", "x--o", 1, 1.0));
    assert_eq!(rings[0].proposals, 2);
    let players: Vec<AcademyPlayerRow> = place.rows();
    assert!(players.iter().any(|row| row.game == "rings" && row.player == "Cy" && row.rating > Some(1520.0)));
    // Contests move ratings one by one: two rows each for the rings and the draughts, two for the match.
    let ratings: Vec<AcademyRatingRow> = place.rows();
    assert_eq!(ratings.len(), 8);

    let sources: Vec<SourceRow> = place.rows();
    let of = |path: &str| sources.iter().find(|row| row.path == path).unwrap();
    let played = of("2026/rings/played.jsonl");
    assert_eq!((played.format.as_deref(), played.status.as_str()), (Some("contests"), "partial"));
    let detail = played.detail.as_deref().unwrap();
    assert!(detail.contains("2 refused") && detail.contains("line 2: not JSON"), "{detail}");
    assert!(detail.contains("line 3: one Elo without the other"), "{detail}");
    let games = of("2026/village/games.pdn");
    assert_eq!((games.format.as_deref(), games.status.as_str()), (Some("pdn"), "partial"));
    assert!(games.detail.as_deref().unwrap().contains("international draughts"), "{:?}", games.detail);
    let status = place.portes(&["status"]).out;
    assert!(status.contains("partial: 2026/rings/played.jsonl: 2 refused"), "{status}");
    assert_eq!(place.portes(&["check"]).code, 0);
}

#[test]
fn an_id_that_another_contest_has_is_refused_by_name() {
    let place = Place::new();
    place.put("2026/cup/1.sgf", sgf_writer::write(&made(1, Shape { length: 1, ..SGF })));
    place.run(0);
    let games: Vec<AcademyContestRow> = place.rows();
    let game = games[0].contest_id.clone();
    place.put("2026/a/first.jsonl", "\n".to_owned() + &line("c1", "Ada", ""));
    // The second line is the first file's, the third another under its id; the fourth has the id of the match's game.
    let own = line("c23", "Ben", "");
    let fourth = line("c1", "Dee", "").replace("\"c1\"", &format!("\"{game}\""));
    place.put("2026/b/second.jsonl", format!("not json\n{own}{}{fourth}", line("c1", "Dee", "")));
    place.put("2026/c/third.jsonl", line("c1", "Ada", ""));
    let ran = place.run(0);
    let left_out = format!("contest {game} of season 2026: it has the id of a match's game");
    assert!(ran.err.contains(&left_out), "{}", ran.err);
    let mut filed: Vec<String> = place.rows().into_iter().map(|row: AcademyContestRow| row.contest_id).collect();
    filed.sort();
    let mut expected = vec![game, "c1".to_owned(), "c23".to_owned()];
    expected.sort();
    assert_eq!(filed, expected);

    let sources: Vec<SourceRow> = place.rows();
    let of = |path: &str| sources.iter().find(|row| row.path == path).unwrap();
    let second = of("2026/b/second.jsonl");
    let detail = second.detail.as_deref().unwrap();
    assert_eq!((second.status.as_str(), second.reason.as_deref()), ("partial", Some("refused_lines")));
    assert!(detail.starts_with("2 refused: line 1: not JSON"), "{detail}");
    assert!(detail.ends_with("; line 3: another contest has the id \"c1\""), "{detail}");
    assert_eq!([of("2026/a/first.jsonl"), of("2026/c/third.jsonl")].map(|row| row.detail.clone()), [None, None]);
    let status = place.portes(&["status"]).out;
    assert!(status.contains("partial: 2026/b/second.jsonl: 2 refused"), "{status}");
    let page = place.page("2026", "quality.html");
    assert!(page.contains("second.jsonl") && page.contains("another contest has the id"), "{page}");
    assert_eq!(place.portes(&["check"]).code, 0);
}

#[test]
fn a_pdn_file_becomes_a_contest_file_that_is_filed_alike() {
    let (direct, converted) = (Place::new(), Place::new());
    direct.put("2026/games.pdn", PDN);
    std::fs::write(converted.root().join("games.pdn"), PDN).unwrap();
    let ran = converted.portes(&["academy", "convert", "games.pdn"]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 1), "{}", ran.err);
    assert!(ran.err.contains("game 2") && ran.err.contains("international draughts"), "{}", ran.err);
    converted.put("2026/games.jsonl", &ran.out);
    for place in [&direct, &converted] {
        place.run(0);
    }
    assert_eq!(direct.rows::<AcademyContestRow>(), converted.rows::<AcademyContestRow>());
    assert_eq!(direct.rows::<AcademyPatternRow>(), converted.rows::<AcademyPatternRow>());
    assert_eq!(converted.portes(&["academy", "convert", "portes.toml"]).code, 2);
}

#[test]
fn a_plan_says_from_where_why_and_how_many_and_the_night_does_just_that() {
    let place = Place::new();
    let file = |seed: u64, month: i8| {
        let mut record = made(seed, Shape { length: 1, ..SGF });
        record.date = Some(jiff::civil::date(2026, month, 5));
        sgf_writer::write(&record)
    };
    let says = |place: &Place, words: &str| {
        let planned = place.portes(&["run", "--dry-run"]).out;
        assert!(planned.contains(&format!("academy: {words}\n")), "{planned}");
        let ran = place.portes(&["run"]);
        assert!(ran.code == 0 && ran.err.contains(words), "{}", ran.err);
    };
    for (seed, month) in [(1, 1), (2, 2), (3, 3)] {
        place.put(format!("2026/cup/{seed}.sgf"), file(seed, month));
    }
    says(&place, "3 of 3 matches filed, from season 2026, 2026-01: the first filing");
    place.put("2026/cup/4.sgf", file(4, 4));
    says(&place, "1 of 4 matches filed, from season 2026, 2026-04: 1 new");
    place.put("2026/cup/5.sgf", file(5, 2));
    says(&place, "4 of 5 matches filed, from season 2026, 2026-02: 1 new (1 late), 3 filed again");
    std::fs::write(place.root().join("portes.toml"), "[academy]\nvotes = \"proposals\"\n").unwrap();
    let changed = "5 of 5 matches filed, from season 2026, 2026-01: [academy] or the file of starting ratings changed";
    let planned = place.portes(&["run", "--dry-run"]).out;
    assert!(
        planned.contains("no part of a match would change; the Academy's tables and the standings would"),
        "{planned}"
    );
    says(&place, changed);

    // Alone, on what the last night left.
    let alone = place.portes(&["academy"]);
    let next = "lake/next holds it: portes publish makes it count, and portes render its pages\n";
    assert_eq!(alone.out, format!("none of 5 matches filed: nothing changed\n{next}"));
    let rebuilt = place.portes(&["academy", "--rebuild"]);
    assert_eq!(rebuilt.out, format!("5 of 5 matches filed, from season 2026, 2026-01: as asked\n{next}"));
    assert_eq!(place.portes(&["publish"]).code, 0);
    let typo = "[academy.yose]\nwindw = \"tail\"\n";
    std::fs::write(place.root().join("portes.toml"), typo).unwrap();
    let refused = place.portes(&["run"]);
    assert!(refused.code == 2 && refused.err.contains("did you mean `window`?"), "{}", refused.err);
}

#[test]
fn a_season_of_contest_files_calls_them_contests_and_counts_them_below_its_pages() {
    let place = Place::new();
    place.put("2026/rings/played.jsonl", line("c1", "Ada", "") + &line("c23", "Ben", ""));
    let planned = place.portes(&["run", "--dry-run"]).out;
    assert!(planned.contains("season 2026, pages: the season's own\n"), "{planned}");
    let ran = place.run(0);
    assert!(ran.err.contains("2 of 2 contests filed, from season 2026, 2026-01: the first filing"), "{}", ran.err);
    assert!(ran.out.contains("1 ok; 0 matches, 0 decisions; "), "{}", ran.out);
    for page in ["academy.html", "index.html", "quality.html"] {
        let page = place.page("2026", page);
        assert!(page.contains("1 source file ") && page.contains("data to 2026-01-03"), "{page}");
    }
    // A file that comes late changes no match, and the plan does not say that nothing changes.
    place.put("2026/rings/late.jsonl", line("d4", "Dee", "").replace("rings", "hoops"));
    let planned = place.portes(&["run", "--dry-run"]).out;
    assert!(planned.contains("  2026/rings/late.jsonl: a file of 1 contest\n"), "{planned}");
    assert!(
        planned.contains("no part of a match would change; the Academy's tables and the standings would"),
        "{planned}"
    );
    assert!(planned.contains("academy: 3 of 3 contests filed") && !planned.contains("matches"), "{planned}");
    place.run(0);
    assert!(place.page("2026", "academy.html").contains("2 source files "));
}

#[test]
fn backgammon_from_a_contest_file_is_refused_and_unknown_fields_are_listed() {
    let place = Place::new();
    let (refused, misspelt) = (line("c1", "Ada", "").replace("rings", "backgammon"), line("c23", "Ben", ",\"dat\":1"));
    place.put("2026/a.jsonl", refused + &line("d4", "Dee", ""));
    place.put("2026/b.jsonl", misspelt);
    place.put("2026/cup/1.sgf", sgf_writer::write(&made(1, Shape { length: 1, ..SGF })));
    // No file is rejected: half of one is refused, and of the other a field is passed over.
    let ran = place.portes(&["run", "--strict"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("passes over in 2026/b.jsonl, line 1: unknown field \"dat\", is date meant?"),
        "{}",
        ran.err
    );
    let contests: Vec<AcademyContestRow> = place.rows();
    assert!(contests.iter().all(|row| (row.game == "backgammon") != (row.first == "Ben" || row.first == "Dee")));
    let sources: Vec<SourceRow> = place.rows();
    let of = |path: &str| {
        let row = sources.iter().find(|row| row.path == path).unwrap();
        (row.status.as_str(), row.reason.as_deref(), row.detail.clone().unwrap())
    };
    let said = "1 refused: line 1: backgammon is read from match files alone: a contest file holds other games";
    assert_eq!(of("2026/a.jsonl"), ("partial", Some("refused_lines"), said.to_owned()));
    let said = "passed over in 1 line: line 1: unknown field \"dat\", is date meant?";
    assert_eq!(of("2026/b.jsonl"), ("ok", Some("passed_over"), said.to_owned()));
    let status = place.portes(&["status"]).out;
    assert!(status.contains("ok: 2026/b.jsonl: passed over in 1 line"), "{status}");
}

#[test]
fn an_academy_that_is_switched_off_says_so_and_that_its_contents_go() {
    let place = Place::new();
    place.put("2026/rings/played.jsonl", line("c1", "Ada", ""));
    place.run(0);
    std::fs::write(place.root().join("portes.toml"), "[academy]\nenabled = false\n").unwrap();
    let planned = place.portes(&["run", "--dry-run"]).out;
    let goes = "switched off ([academy] enabled = false); what its tables and academy.html hold goes\n";
    assert!(planned.contains(&format!("academy: {goes}")) && !planned.contains("no part would change"), "{planned}");
    let ran = place.run(0);
    assert!(ran.err.contains(goes.trim_end()), "{}", ran.err);
    assert!(place.rows::<AcademyContestRow>().is_empty());
    assert!(!place.pages("2026", "").contains(&"academy.html".to_owned()));
    let alone = place.portes(&["academy"]).out;
    assert!(alone.starts_with("switched off ([academy] enabled = false); its tables are empty\n"), "{alone}");
}

#[test]
fn a_starting_figure_that_is_nobodys_is_told_once() {
    let place = Place::new();
    place.put("2026/cup/1.sgf", sgf_writer::write(&made(1, Shape { length: 1, ..SGF })));
    place.run(0);
    let rated: Vec<AcademyPlayerRow> = place.rows();
    let known = &rated[0].player;
    std::fs::write(
        place.root().join("ratings.csv"),
        format!("player,rating,experience\n{known},1600,10\n{known}x,1700,1\nZq,1,1\n"),
    )
    .unwrap();
    std::fs::write(place.root().join("portes.toml"), "[academy.ratings]\nseed = \"ratings.csv\"\n").unwrap();
    let ran = place.run(0);
    let said =
        format!("academy.ratings.seed: 2 of 3 names no match has: \"{known}x\"; did you mean \"{known}\"?, \"Zq\"");
    assert_eq!(ran.err.matches(&said).count(), 1, "{}", ran.err);
    assert!(place.page("2026", "academy.html").contains("list of starting ratings"));
}

#[test]
fn games_that_nobody_analysed_count_with_their_result_and_are_told_apart() {
    let place = Place::new();
    place.put("2026/cup/1.sgf", sgf_writer::write(&made(1, Shape { length: 1, ..SGF })));
    place.put("2026/cup/2.mat", mat_writer::write(&made(2, Shape { length: 1, ..SGF })));
    place.run(0);
    let tree: Vec<AcademyTreeRow> = place.rows();
    let first: i64 = tree.iter().filter(|row| row.depth == 1).map(|row| row.n_results).sum();
    assert!(first > 0 && tree.iter().any(|row| row.n_value > row.n_results));
    assert!(tree.iter().all(|row| row.n_results <= row.n_value));
    let page = place.page("2026", "academy.html");
    assert!(page.contains("a game without any value, such as nobody analysed, counts with its result"), "{page}");
}
