//! `portes.toml`: what is refused and how, and what `portes config` says that holds.

use super::{Place, of_checkout};
use portes::config::effective::FIELDS;
use portes::config::file::File;

#[test]
fn config_prints_what_holds_as_a_file_that_says_the_same() {
    let place = Place::new();
    let config = place.root().join("portes.toml");
    let bare = place.portes(&["config"]);
    assert_eq!(bare.code, 0, "{}", bare.err);
    assert_eq!(File::parse(&bare.out).unwrap(), File::default(), "without a file the defaults hold");
    std::fs::write(&config, &bare.out).unwrap();
    assert_eq!(place.portes(&["config"]).out, bare.out, "and printed again they are the same");

    let written = "[players]\nmain = \"\\u00c9mberline\"\naliases.\"\\u00c9mberline\" = [\"E\\u001b[31m\", \"E \\\"x\\\"\"]\n\
        [thresholds]\nblunder = 80\n[study]\nsources = [\"a.csv\"]\n";
    std::fs::write(&config, written).unwrap();
    let held = place.portes(&["config"]);
    assert_eq!(File::parse(&held.out).unwrap(), File::parse(written).unwrap());
    for line in ["blunder = 80", "error = 50", "snapshots = 7", "# main", "main = \"\u{c9}mberline\""] {
        assert_eq!(held.out.lines().any(|said| said == line), line != "# main", "{line}: {}", held.out);
    }
    let above = |line: &str| held.out.lines().zip(held.out.lines().skip(1)).find(|(_, at)| *at == line).unwrap().0;
    assert!(above("error = 50").ends_with("; default") && !above("blunder = 80").contains("default"));
    assert!(!held.out.contains('\u{1b}'), "a terminal obeys nothing of it");
    assert!(!place.lake().root().exists(), "asking changes nothing");
}

#[test]
fn config_refuses_what_a_run_refuses() {
    let place = Place::new();
    let config = place.root().join("portes.toml");
    for (written, words) in [
        ("[interval]\nquantil = \"normal\"\n", ["portes.toml: line 2", "did you mean `quantile`?"]),
        ("\n\n[counting]\nforced = \"derivd\"\n", ["portes.toml: line 4", "did you mean `derived`?"]),
        ("[thresholds]\nerror = 200\n", ["portes.toml", "200"]),
        ("[academy.filing]\nfirm_high = 0.2\n", ["firm_low is 0.33, more than", "firm_high, which is 0.2"]),
        ("[academy.filing]\nfirm_low = 0.9\n", ["firm_low is 0.9, more than", "firm_high, which is 0.66"]),
        (
            "[academy.publish]\ngain = 0.05\n",
            ["gain_crossing is 0.1, more than", "academy.publish.gain, which is 0.05"],
        ),
        ("[goal]\npr = 4.0\n", ["portes.toml", "goal.pr and goal.day go together"]),
        ("[retention]\nsnapshots = -1\n", ["portes.toml: line 2", "-1"]),
        ("[study]\nsources = \"one.csv\"\n", ["portes.toml: line 2", "a list in brackets is expected"]),
        ("[players]\nmain = \"A\"\nmain = \"B\"\n", ["portes.toml: line 3", "duplicate"]),
    ] {
        std::fs::write(&config, written).unwrap();
        for command in ["config", "run"] {
            let ran = place.portes(&[command]);
            assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{written}");
            assert!(words.iter().all(|words| ran.err.contains(words)), "{words:?}: {}", ran.err);
        }
    }
}

#[test]
fn config_tells_of_study_logs_that_a_run_could_not_use() {
    let place = Place::new();
    std::fs::write(place.root().join("day.csv"), "day,position\n2026-01-05,XGID=\n").unwrap();
    std::fs::write(place.root().join("portes.toml"), "[study]\nsources = [\"gone.csv\", \"day.csv\"]\n").unwrap();
    let ran = place.portes(&["config"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("sources = [\"gone.csv\", \"day.csv\"]"), "{}", ran.out);
    for words in [
        "study log gone.csv of [study] sources: No such file",
        "day.csv of [study] sources: ",
        "without the column `date`",
    ] {
        assert!(ran.err.contains(words), "{words}: {}", ran.err);
    }
}

/// The README's block is a whole `portes.toml`, and no field is missing there.
#[test]
fn the_readme_explains_every_field() {
    let readme = std::fs::read_to_string(of_checkout("README.md")).unwrap();
    let section = readme.split_once("\n## Configuration\n").unwrap().1.split("\n## ").next().unwrap();
    let block: String =
        section.lines().filter_map(|line| line.strip_prefix("    ")).map(|line| format!("{line}\n")).collect();
    File::parse(&block).unwrap();
    let written: toml::Table = toml::from_str(&block).unwrap();
    for field in FIELDS {
        let section = field.section.split('.').try_fold(&written, |table, name| table.get(name)?.as_table());
        let value = section.and_then(|section| section.get(field.key));
        assert!(value.is_some(), "{field:?} is not in the README");
    }
}
