//! The command line as a contract: help, exit codes, and what each command says.

use super::{Place, Ran, of_checkout, ran, sample};
use crate::support::made::{SGF, XG, made};
use crate::support::{mat_writer, sgf_writer, xg_writer};
use portes::game::Seat;
use portes::report::page_name_player;
use portes::tables::facts::{DecisionRow, MatchRow, SourceRow};
use portes::tables::study::StudyEventRow;
use portes::tables::study_marts::{PlacesPointsRow, StandingRow};
use portes::tables::{dictionary, lake};
use std::fs::File;
use std::path::Path;

const COMMANDS: [&str; 16] = [
    "run",
    "ingest",
    "rate",
    "measure",
    "academy",
    "render",
    "publish",
    "rollback",
    "diff",
    "explain",
    "inspect",
    "status",
    "names",
    "config",
    "check",
    "dictionary",
];

/// A season of two matches.
fn small() -> Place {
    let place = Place::new();
    place.put("2026/cup/a.xg", xg_writer::write(&made(1, XG)));
    place.put("2026/cup/b.sgf", sgf_writer::write(&made(2, SGF)));
    place
}

fn says(ran: &Ran, code: i32, words: &[&str]) {
    assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
    for expected in words {
        assert!(ran.out.contains(expected) || ran.err.contains(expected), "{expected:?}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn every_command_explains_itself_and_the_exit_codes_are_printed() {
    let place = Place::new();
    let help = place.portes(&["--help"]);
    let codes =
        ["0   done", "2   usage", "3   done, and", "4   nothing", "5   a data check", "73  cannot", "75  locked"];
    says(&help, 0, &codes);
    for command in COMMANDS {
        assert!(help.out.contains(&format!("\n  {command}")), "{command} is listed");
        let own = place.portes(&[command, "--help"]);
        says(
            &own,
            0,
            &[&format!("Usage: portes {command}"), "--data <DIR>", "--reports <DIR>", "--config <FILE>", "--jobs"],
        );
        let first = own.out.lines().next().unwrap();
        assert!(first.len() > 20 && help.out.contains(&first[..first.len().min(40)]), "{command}: {first}");
    }
    says(&place.portes(&["--version"]), 0, &[env!("CARGO_PKG_VERSION")]);
    assert!(!place.lake().root().exists(), "asking changes nothing");
}

#[test]
fn what_cannot_hold_is_usage() {
    let place = small();
    says(&place.portes(&["frobnicate"]), 2, &["frobnicate"]);
    says(&place.portes(&[]), 2, &["Usage"]);
    says(&place.portes(&["run", "--jobs", "many"]), 2, &["many"]);
    let config = place.root().join("portes.toml");
    for (written, words) in [
        ("[thresholds]\nerror = 50\nblundr = 100\n", ["line 3", "did you mean `blunder`?"]),
        ("[playrs]\nmain = \"A\"\n", ["line 1", "did you mean `players`?"]),
        ("[thresholds]\nerror = \"much\"\n", ["line 2", "portes.toml"]),
        ("[players]\naliases = { A = [\"B\"], B = [\"C\"] }\n", ["canonical", "\"B\""]),
        ("[retention]\nsnapshots = 0\n", ["retention.snapshots", "at least 1"]),
        ("not toml", ["portes.toml", "line 1"]),
    ] {
        std::fs::write(&config, written).unwrap();
        says(&place.portes(&["run"]), 2, &words);
    }
    std::fs::remove_file(&config).unwrap();
    says(&place.portes(&["run", "--config", "absent.toml"]), 2, &["absent.toml"]);
    assert!(!place.lake().current().exists(), "nothing was begun");
    says(&place.portes(&["inspect", "absent.xg"]), 2, &["absent.xg"]);
    says(&place.portes(&["inspect", "data/raw"]), 2, &["data/raw is a folder: name a file"]);
    says(&place.portes(&["run", "--season", "1999"]), 2, &["no season \"1999\"", "there are 2026"]);
    assert!(!place.lake().current().exists() && place.pages_or_none().is_empty(), "nothing was published");
    place.run(0);
    let before = place.lake().current_number().unwrap();
    says(&place.portes(&["run", "--season", "1999"]), 2, &["no season \"1999\"", "there are 2026"]);
    assert_eq!(place.lake().current_number().unwrap(), before, "nothing was published again");
    says(&place.portes(&["render", "--season", "1999"]), 2, &["1999", "2026"]);
}

#[test]
fn nothing_to_read_is_told_and_leaves_no_lake() {
    let place = Place::new();
    for _ in 0..2 {
        says(&place.portes(&["run"]), 4, &["nothing recognised", "data/raw"]);
    }
    place.put("2026/readme.txt", "nothing");
    says(&place.portes(&["run"]), 4, &["nothing recognised"]);
    for command in ["status", "names", "check", "render", "rate", "measure"] {
        says(&place.portes(&[command]), 4, &["holds nothing yet"]);
    }
    assert!(!place.lake().current().exists() && place.pages_or_none().is_empty());
    // A damaged file is recognised: it is listed, not nothing.
    place.put("2026/empty.xg", "");
    says(&place.portes(&["run"]), 3, &["1 quarantined", "2026/empty.xg"]);
    says(&place.portes(&["status"]), 0, &["quarantined: 2026/empty.xg", "at byte 0", "empty"]);
}

impl Place {
    fn pages_or_none(&self) -> Vec<String> {
        let Ok(seasons) = std::fs::read_dir(self.reports()) else { return Vec::new() };
        seasons.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

#[test]
fn a_second_run_is_sent_away_while_one_is_at_work() {
    let place = small();
    place.run(0);
    let lock = File::options().write(true).open(place.lake().lock()).unwrap();
    lock.lock().unwrap();
    for command in ["run", "ingest", "rate", "measure", "render", "publish"] {
        says(&place.portes(&[command]), 75, &["another run", "lock"]);
    }
    for command in ["status", "names", "config", "check"] {
        assert_eq!(place.portes(&[command]).code, 0, "{command} only reads");
    }
    drop(lock);
    place.run(0);
}

#[test]
fn what_cannot_be_written_is_told_before_anything_is_published() {
    let place = small();
    std::fs::write(place.root().join("file"), "").unwrap();
    for reports in ["file", "file/below", "/proc/nowhere"] {
        says(&place.portes(&["run", "--reports", reports]), 73, &["cannot write", reports]);
        assert!(!place.lake().current().exists(), "{reports}: nothing is published");
    }
    says(&place.portes(&["run", "--data", "file"]), 73, &["cannot write", "file/lake"]);
    // A snapshot larger than a file may be: the old lake and the old pages stay.
    place.run(0);
    let before = (place.lake().current_number().unwrap(), place.page("2026", "index.html"));
    place.put("2026/cup/c.xg", xg_writer::write(&made(3, XG)));
    let mut command = std::process::Command::new("sh");
    command.current_dir(place.root()).args(["-c", "ulimit -f 8; trap '' XFSZ; exec \"$0\" run", super::PORTES]);
    says(&ran(command), 73, &["cannot"]);
    assert_eq!(before, (place.lake().current_number().unwrap(), place.page("2026", "index.html")));
    place.run(0);
    assert_eq!(place.rows::<MatchRow>().len(), 3);
}

#[test]
fn success_is_one_summary_or_silence() {
    let place = small();
    let first = place.run(0);
    says(&first, 0, &["2 files (2 new): 2 ok", "2 matches (2026 2)", "reports/2026/index.html"]);
    let quiet = place.portes(&["run", "--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (0, "", ""));
    says(&place.run(0), 0, &["nothing to do: 2 files, none changed: 2 ok"]);
    let json = place.portes(&["run", "--rebuild", "--log", "json"]);
    assert!(json.err.lines().count() >= 4);
    for line in json.err.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["level"], "INFO", "{line}");
    }
    place.put("2026/bad.xg", "no match");
    let rejected = place.portes(&["run", "--quiet"]);
    assert_eq!((rejected.code, rejected.out.as_str()), (3, ""));
    assert!(rejected.err.contains("rejected: 2026/bad.xg: "), "{}", rejected.err);
}

#[test]
fn a_match_that_goes_because_its_file_was_cut_is_told_once() {
    let place = Place::new();
    let whole = xg_writer::write(&made(1, XG));
    place.put("2026/cup/a.xg", whole.clone());
    place.put("2026/cup/b.xg", xg_writer::write(&made(2, XG)));
    place.put("2026/cup/copy of b.xg", xg_writer::write(&made(2, XG)));
    place.run(0);
    let id = place.rows::<SourceRow>().into_iter().find(|row| row.path == "2026/cup/a.xg").unwrap().match_id.unwrap();
    let cut = whole[..whole.len() - 500].to_vec();
    place.put("2026/cup/a.xg", cut.clone());
    place.put("2026/cup/b.xg", cut);
    let night = place.portes(&["run", "--quiet"]);
    says(&night, 3, &["rejected: 2026/cup/a.xg: ", "rejected: 2026/cup/b.xg: ", &format!("gone: match {id} ")]);
    assert!(night.err.contains("2026/cup/a.xg held it and is quarantined now"), "{}", night.err);
    assert_eq!(night.err.matches("gone: ").count(), 1, "another file holds the other: {}", night.err);
    place.put("2026/cup/c.xg", xg_writer::write(&made(3, XG)));
    let next = place.portes(&["run", "--quiet"]);
    assert_eq!((next.code, next.err.as_str()), (0, ""));
    says(&place.portes(&["run", "--dry-run", "--strict"]), 0, &["none of it would be done: ", "2026/cup/a.xg"]);
    place.run(0);
    says(&place.portes(&["status"]), 0, &["nothing to do: ", ", 4 files: none changed"]);
}

#[test]
fn status_lists_what_could_not_be_used() {
    let place = small();
    let whole = xg_writer::write(&made(4, XG));
    place.put("2026/cup/cut.xg", &whole[..whole.len() - 500]);
    place.put("2026/notes.pdf", "%PDF-1.7");
    place.put("2025/bare.mat", mat_writer::write(&made(5, SGF)));
    place.run(3);
    let cut = format!(
        "quarantined: 2026/cup/cut.xg: no archive trailer in the last 36 bytes: it is cut short, or bytes lie behind its end at byte {} (truncated)",
        whole.len() - 536
    );
    let words = ["snapshot 1", "season 2025: 1 file, 1 match", "season 2026: 4 files, 2 matches", &cut];
    says(&place.portes(&["status"]), 0, &words);
    says(&place.portes(&["status"]), 0, &["ignored: 2026/notes.pdf", "unrated: 2025/bare.mat"]);
}

#[test]
fn inspect_shows_what_a_run_would_see() {
    let place = Place::new();
    let record = made(6, XG);
    let names = record.players.each_ref().map(|player| player.name.as_str());
    let whole = xg_writer::write(&record);
    for (name, bytes) in [
        ("a.xg", whole.clone()),
        ("a.sgf", sgf_writer::write(&made(6, SGF))),
        ("a.mat", mat_writer::write(&record)),
        ("cut.xg", whole[..9_000].to_vec()),
        ("x.bgf", b"{\"useSmile\":false}\n{\"matchlen\":7}".to_vec()),
        ("x.pdf", b"%PDF-1.7".to_vec()),
    ] {
        std::fs::write(place.root().join(name), bytes).unwrap();
    }
    let xg = place.portes(&["inspect", "a.xg"]);
    says(&xg, 0, &["a.xg: xg (xg 32)", &format!("players   {} v {}", names[0], names[1]), "7 points"]);
    assert!(!xg.out.contains("as XG prints it"), "a file of ours is never shown as XG's own");
    says(&place.portes(&["inspect", "a.sgf"]), 0, &["a.sgf: sgf (gnubg", "counted", "PR "]);
    let mat = place.portes(&["inspect", "a.mat"]);
    says(&mat, 0, &["a.mat: mat (not analysed)", "0 counted", "[no_analysis", "PR - [- - -]"]);
    let id = |ran: &Ran| ran.out.lines().find(|line| line.starts_with("match ")).map(str::to_owned);
    assert_eq!(id(&xg), id(&mat), "one match");
    says(&place.portes(&["inspect", "cut.xg"]), 3, &["cut.xg: quarantined", "at byte 8964", "(truncated)"]);
    says(&place.portes(&["inspect", "x.bgf"]), 3, &["x.bgf: unsupported", "BGBlitz"]);
    says(&place.portes(&["inspect", "x.pdf"]), 3, &["x.pdf: ignored", "(foreign)"]);
    assert!(!place.lake().root().exists(), "looking changes nothing");

    // The figures are those of a run over the same file.
    place.put("2026/a.xg", &whole);
    place.run(0);
    let decisions = place.rows::<DecisionRow>();
    let counted = decisions.iter().filter(|row| row.counted).count();
    says(&xg, 0, &[&format!("decisions {}: {counted} counted", decisions.len())]);
    assert_eq!(id(&xg).unwrap(), format!("match     {}", place.rows::<MatchRow>()[0].match_id));
    let sample = of_checkout("data/sample/raw/2026/granary-cup.zip");
    let archive = place.portes(&["inspect", sample.to_str().unwrap()]);
    says(&archive, 0, &["an archive, read in place", "hollow beck v \u{c9}mberline", ".mat: mat"]);
}

#[test]
fn damage_to_a_published_part_is_found_and_the_next_run_mends_it() {
    let place = small();
    place.run(0);
    says(&place.portes(&["check"]), 0, &["every contract holds"]);
    let part = |table: &str| lake::parts(&place.lake().current(), table).unwrap().remove(0).path;
    for table in ["sources", "decisions", "moments", "player_season"] {
        let path = part(table);
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 3;
        bytes[middle] ^= 1;
        rewrite(&path, &bytes);
        says(&place.portes(&["check"]), 5, &["own_content", table, path.file_name().unwrap().to_str().unwrap()]);
        assert!([0, 3].contains(&place.portes(&["run"]).code));
        says(&place.portes(&["check"]), 0, &["every contract holds"]);
    }
    for table in ["matches", "decisions", "moments"] {
        std::fs::remove_file(part(table)).unwrap();
        says(&place.portes(&["check"]), 5, &["Blocking"]);
        place.run(0);
        says(&place.portes(&["check"]), 0, &["every contract holds"]);
    }
}

/// Published parts are read-only; damage does not ask.
fn rewrite(path: &Path, bytes: &[u8]) {
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_snapshot_that_is_not_built_is_not_published() {
    let place = small();
    place.run(0);
    let number = place.lake().current_number().unwrap();
    says(&place.portes(&["publish"]), 2, &["to publish"]);
    assert_eq!(place.portes(&["ingest"]).code, 0);
    says(&place.portes(&["publish"]), 2, &["to publish", "player_career"]);
    assert_eq!(place.lake().current_number().unwrap(), number);
    assert_eq!(place.portes(&["measure"]).code, 0);
    says(&place.portes(&["publish"]), 2, &["to publish", "academy_contests"]);
    assert_eq!(place.portes(&["academy"]).code, 0);
    assert_eq!(place.portes(&["publish"]).code, 0);
    assert!(place.lake().current_number().unwrap() > number);
    assert_eq!(place.rows::<MatchRow>().len(), 2);
}

#[test]
fn one_season_is_rendered_alone() {
    let place = sample();
    std::fs::remove_dir_all(place.reports()).unwrap();
    says(&place.portes(&["render", "--season", "2025"]), 0, &["reports/2025/index.html"]);
    assert_eq!(place.pages_or_none(), ["2025"]);
}

/// Headings two levels deeper: the page becomes a section.
fn as_section(page: &str) -> String {
    let line = |line: &str| if line.starts_with('#') { format!("##{line}\n") } else { format!("{line}\n") };
    page.trim_end().lines().map(line).collect()
}

/// After a change of the tables: `PORTES_UPDATE=1 cargo test --release --test all dictionary`.
#[test]
fn the_dictionary_of_the_readme_is_the_one_that_is_printed() {
    let printed = Place::new().portes(&["dictionary"]);
    assert_eq!((printed.code, printed.out.as_str()), (0, dictionary::markdown().as_str()));
    let path = of_checkout("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once("<!-- dictionary -->\n").unwrap();
    let (section, after) = rest.split_once("<!-- /dictionary -->").unwrap();
    let expected = format!("\n{}\n", as_section(&printed.out));
    if std::env::var_os("PORTES_UPDATE").is_some() {
        std::fs::write(&path, format!("{before}<!-- dictionary -->\n{expected}<!-- /dictionary -->{after}")).unwrap();
        return;
    }
    assert!(section == expected, "the tables changed: PORTES_UPDATE=1 writes the README's dictionary anew");
}

#[test]
fn a_mart_there_is_none_of_is_refused_with_those_there_are() {
    let place = small();
    place.run(0);
    let marts = ["player_match", "study_plan", "before_after", "standings"];
    let wrong = place.portes(&["measure", "--only", "study_plam"]);
    says(&wrong, 2, &marts);
    says(&wrong, 2, &["did you mean `study_plan`?"]);
    for fact in ["decisions", "moments", "no_such_thing_at_all"] {
        let ran = place.portes(&["measure", "--only", fact]);
        says(&ran, 2, &marts);
        assert!(!ran.err.contains("did you mean"), "{}", ran.err);
    }
    let printed = place.portes(&["measure", "--only", "standings"]);
    let printed: Vec<&str> = printed.out.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap()).collect();
    let published: Vec<StandingRow> = place.rows();
    let published: Vec<&str> = published.iter().map(|row| row.player.as_str()).collect();
    assert_eq!(printed, published, "rows come as they lie in the table");
    // Every name the refusal gives is one that prints.
    let (_, names) = wrong.err.split_once("there are ").unwrap();
    let names: Vec<&str> = names.trim().split(", ").collect();
    assert!(names.len() >= 16, "{names:?}");
    for name in names {
        let printed = place.portes(&["measure", "--only", name]);
        assert_eq!(printed.code, 0, "{name}: {}", printed.err);
        assert!(printed.out.lines().next().is_some_and(|columns| columns.contains('\t')), "{name}");
    }
}

#[test]
fn what_cannot_be_in_a_file_that_is_whole_is_told() {
    let place = Place::new();
    let file = String::from_utf8(sgf_writer::write(&made(5, SGF))).unwrap();
    let bent = file.replacen("[ws:0]", "[ws:99]", 1);
    assert_ne!(file, bent);
    place.put("2026/cup/bent.sgf", bent);
    place.run(0);
    let sources: Vec<SourceRow> = place.rows();
    let [row] = &sources[..] else { panic!("one file") };
    assert_eq!((row.status.as_str(), row.reason.as_deref(), row.offset), ("ok", Some("passed_over"), Some(1)));
    let said = "passed over: a score of 99 in a match to";
    assert!(row.detail.as_deref().unwrap().starts_with(said), "{row:?}");
    says(&place.portes(&["status"]), 0, &["ok: 2026/cup/bent.sgf: ", said, "(passed_over)"]);
    let page = std::fs::read_to_string(place.reports().join("2026/quality.html")).unwrap();
    assert!(page.contains(said) && page.contains("In one of them something that cannot be was passed over."), "{page}");
}

#[test]
fn a_result_for_both_players_is_told_and_nobody_won() {
    let mut record = made(6, XG);
    record.games.truncate(2);
    let length = i64::from(record.length.points());
    for (game, winner) in record.games.iter_mut().zip(Seat::BOTH) {
        let mut outcome = game.outcome.unwrap();
        (outcome.winner, outcome.points) = (winner, length);
        (game.points, game.outcome) = ([0, 0], Some(outcome));
    }
    let place = Place::new();
    place.put("2026/cup/both.xg", xg_writer::write(&record));
    place.run(0);
    let (matches, sources): (Vec<MatchRow>, Vec<SourceRow>) = (place.rows(), place.rows());
    assert_eq!((matches[0].winner, matches[0].finished), (None, true), "{:?}", matches[0]);
    let [row] = &sources[..] else { panic!("one file") };
    assert_eq!((row.status.as_str(), row.reason.as_deref(), row.offset), ("ok", Some("passed_over"), None));
    let said = "both players reach the length: the match has no winner (passed_over)";
    says(&place.portes(&["status"]), 0, &[said]);
}

#[test]
fn study_named_by_match_game_and_move_finds_its_position() {
    let place = small();
    place.run(0);
    let decisions: Vec<DecisionRow> = place.rows();
    let of = |path: &str| {
        let sources: Vec<SourceRow> = place.rows();
        sources.into_iter().find(|row| row.path == path).unwrap().match_id.unwrap()
    };
    let a = of("2026/cup/a.xg");
    let mut second: Vec<&DecisionRow> = decisions.iter().filter(|row| row.match_id == a && row.game == 2).collect();
    second.sort_by_key(|row| row.order);
    let (first, numbered) = (second[0], second[2]);
    assert!(numbered.order > 3, "the page's number is not the one in the game");
    let log = format!(
        "date,match,game,move,action,player\n\
         2026-01-05,2026/cup/a.xg,2,{},mark,Ada\n\
         2026-01-06,{a},2,1,review,Ada\n\
         2026-01-07,b.sgf,1,99999,mark,Ada\n\
         2026-01-08,nowhere.xg,1,1,card,Ada\n",
        numbered.order,
    );
    place.put("study.csv", log);
    let ran = place.run(0);
    says(
        &ran,
        0,
        &["2 decisions of study logs were not found", "b.sgf game 1 move 99999: no such decision in that game"],
    );
    let events: Vec<StudyEventRow> = place.rows();
    let keys: Vec<Option<&str>> = events.iter().map(|row| row.key_full.as_deref()).collect();
    assert_eq!(keys, [Some(numbered.position_key.as_str()), Some(first.position_key.as_str()), None]);
    assert_eq!(events[2].raw_id, "b.sgf game 1 move 99999", "what was not found keeps its name");
    let status = place.portes(&["status"]);
    says(&status, 0, &["study: 4 entries, 2 positions not found", "not found: study.csv: nowhere.xg game 1 move 1"]);
    place.put("study.csv", format!("date,match,game,move,action,player\n2199-01-01,{a},2,1,mark,Ada\n"));
    says(&place.run(0), 0, &["study log study.csv: 1 entry of days to come, the first in line 2"]);
    assert_eq!(place.rows::<StudyEventRow>().len(), 1, "told, and kept: tables know no clock");
    // The same name in two folders names no match.
    place.put("2026/other/a.xg", xg_writer::write(&made(3, XG)));
    place.put("study.csv", "date,match,game,move\n2026-01-05,a.xg,1,1\n2026-01-05,2026/other/a.xg,1,1\n");
    says(&place.run(0), 0, &["1 decision of a study log was not found", "several matches have a file of that name"]);
}

#[test]
fn lines_of_a_study_log_that_say_nothing_are_told_by_status_as_long_as_they_are_there() {
    let place = small();
    let line = "2026-01-05,XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10,";
    place.put("2026/study.csv", format!("date,position,action\n{line}mark\n{line}dream\n{line}guess\n{line}quiz\n"));
    place.put("2026/cup/places.csv", "player,place\nAda,1\nBo,last\n");
    std::fs::write(place.root().join("mine.csv"), format!("date,position,action\n{line}mark\nsome day,,\n")).unwrap();
    std::fs::write(place.root().join("portes.toml"), "[study]\nsources = [\"mine.csv\"]\n").unwrap();
    place.run(0);
    let told = [
        "ok: 2026/study.csv: passed over: 2 of 4 lines, the first being line 3: `dream` is no action (passed_over)",
        "ok: 2026/cup/places.csv: passed over: 1 of 2 lines, the first being line 3: `last` is no place (passed_over)",
        "mine.csv: passed over: 1 of 2 lines, the first being line 3: ",
    ];
    says(&place.portes(&["status"]), 0, &told);
    let inspected = place.portes(&["inspect", "data/raw/2026/study.csv"]);
    let lines = ["passed over: line 3: `dream` is no action", "passed over: line 4: `guess` is no action"];
    says(&inspected, 0, &["study.csv: a study log, 2 entries; passed over: 2 of 4 lines", lines[0], lines[1]]);
    let places = place.portes(&["inspect", "data/raw/2026/cup/places.csv"]);
    says(&places, 0, &["final places of an event, 1 player; passed over: 1 of 2 lines"]);
    says(&place.run(0), 0, &["nothing to do"]);
    says(&place.portes(&["status"]), 0, &told);
    place.put("2026/study.csv", format!("date,position,action\n{line}mark\n"));
    place.run(0);
    let status = place.portes(&["status"]);
    assert!(!status.out.contains("dream") && status.out.contains("places.csv: passed over"), "{}", status.out);
}

#[test]
fn a_dry_run_names_what_a_study_log_and_places_change() {
    let place = small();
    let first = place.portes(&["run", "--dry-run"]);
    assert!(
        first.code == 0 && !first.out.contains("study logs") && !first.out.contains("final places"),
        "{}",
        first.out
    );
    place.run(0);
    let line = "2026-01-05,XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10,";
    let plan = |log: &str| {
        place.put("2026/study.csv", format!("date,position,action\n{log}"));
        let ran = place.portes(&["run", "--dry-run"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let said = plan(&format!("{line}mark\n{line}dream\n"));
    for words in [
        "study logs: study_events and treated_positions would change; of the marts before_after and reference_positions",
        "  2026/study.csv: a study log, 1 entry; passed over: 1 of 2 lines",
        "0 of",
    ] {
        assert!(said.contains(words), "{words:?}: {said}");
    }
    assert!(!said.contains("no part would change"), "{said}");
    place.run(0);
    // A card that was only made is no study, and a line that says nothing changes nothing.
    let said = plan(&format!("{line}mark\n{line}card\n"));
    assert!(said.contains("study logs: treated_positions would change; of the marts reference_positions,"), "{said}");
    let said = plan(&format!("{line}mark\n{line}sleep\n"));
    assert!(said.contains("no part would change") && !said.contains("study logs:"), "{said}");
    place.put("2026/cup/places.csv", "player,place\nAda,1\n");
    says(&place.portes(&["run", "--dry-run"]), 0, &["final places: places_points and standings would change"]);
    assert!(place.rows::<PlacesPointsRow>().is_empty());
}

#[test]
fn whose_study_no_match_knows_is_told_with_the_nearest_name() {
    let place = small();
    place.run(0);
    let matches: Vec<MatchRow> = place.rows();
    let name = matches[0].player_1.clone();
    let position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";
    let line = |player: &str| format!("2026-01-05,{position},{player}\n");
    let page = format!("2026/{}", page_name_player(&name));
    place.put("study.csv", format!("date,position,player\n{}{}", line(&page), line(&name.to_uppercase())));
    let upper = name.to_uppercase();
    says(&place.run(0), 0, &[&format!("study.csv: no match has a player {upper:?}; did you mean {name:?}?")]);
    let events: Vec<StudyEventRow> = place.rows();
    let whose: Vec<Option<&str>> = events.iter().map(|row| row.player.as_deref()).collect();
    assert_eq!(whose, [Some(name.as_str()), Some(&upper)], "a page is one player's; names that fold alike are not");
}

#[test]
fn the_pages_of_a_season_that_vanished_go_and_nobody_elses() {
    let place = small();
    place.put("2024/cup/c.xg", xg_writer::write(&made(3, XG)));
    place.put("2023/cup/d.xg", xg_writer::write(&made(4, XG)));
    place.run(0);
    // A folder of somebody's own, one that only looks like ours, and a note among our pages.
    for (folder, file) in [("photos", "a.jpg"), ("site", "index.html"), ("2023", "note.txt")] {
        std::fs::create_dir_all(place.reports().join(folder)).unwrap();
        std::fs::write(place.reports().join(folder).join(file), "mine").unwrap();
    }
    for season in ["2024", "2023"] {
        std::fs::remove_dir_all(place.raw().join(season)).unwrap();
    }
    let kept = |ran: &Ran| {
        assert_eq!(ran.code, 0, "{}", ran.err);
        let mut names = place.pages_or_none();
        names.sort();
        names
    };
    assert_eq!(kept(&place.portes(&["run", "--season", "2026"])), ["2023", "2024", "2026", "photos", "site"]);
    let ran = place.run(0);
    assert_eq!(kept(&ran), ["2023", "2026", "photos", "site"]);
}

#[test]
fn a_folder_of_reports_that_is_not_there_yet_is_called_so() {
    let place = small();
    place.run(0);
    std::fs::remove_dir_all(place.reports()).unwrap();
    says(&place.portes(&["status"]), 0, &["file system of the reports: does not exist yet"]);
}
