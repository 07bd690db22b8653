//! A week of nights over the seasons that ship, told: what each run said, what the lake and the pages show then, and the
//! mails that cron would send. `make story` prints it.

use super::super::ends::sources;
use super::super::{PORTES, Place, Ran, evened, ran, sample, tool};
use super::deeper;
use crate::support::made::{Shape, XG, made};
use crate::support::xg_writer;
use portes::ingest::record::Record;
use portes::tables::facts::{AnalysisRow, MatchRow};
use portes::tables::marts::PlayerSeasonRow;
use std::process::Command;

/// A match of two people whom the seasons that ship do not know.
fn evening(seed: u64, names: [&str; 2]) -> Record {
    let mut record = made(seed, Shape { length: 5, ..XG });
    for (player, name) in record.players.iter_mut().zip(names) {
        name.clone_into(&mut player.name);
    }
    record.event = Some("Club night".to_owned());
    record
}

const GUEST: &str = "Thistledown";
const OTHER: &str = "Umberfold";
/// As a transcriber wrote it.
const MISSPELT: &str = "thistle down";

/// Where the guest's match lies.
const FILE: &str = "2026/club night/guest.xg";

/// What lake and pages show now.
struct Shown {
    snapshot: u64,
    matches: usize,
    pages: usize,
    /// The guest under each spelling, with matches and PR.
    guests: Vec<(String, i64, Option<f64>)>,
    /// The analyses of the guest's first match, the primary with a star.
    analyses: Vec<String>,
}

struct Story {
    place: Place,
    /// Of the guest's first match.
    match_id: Option<String>,
}

impl Story {
    fn shown(&self) -> Shown {
        let players = self.place.rows::<PlayerSeasonRow>();
        let of_guest = |row: PlayerSeasonRow| {
            let name = row.player.filter(|name| [GUEST, MISSPELT].contains(&name.as_str()))?;
            Some((name, row.matches, row.pr))
        };
        let analyses = self.place.rows::<AnalysisRow>().into_iter();
        let star = |row: AnalysisRow| {
            let star = if row.primary { "*" } else { "" };
            format!("{}{star} ({})", row.path, row.depths.unwrap_or_default())
        };
        Shown {
            snapshot: self.place.lake().current_number().unwrap().unwrap(),
            matches: self.place.rows::<MatchRow>().len(),
            pages: ["2025", "2026"].iter().map(|season| self.place.pages(season, "").len()).sum(),
            guests: players.into_iter().filter_map(of_guest).collect(),
            analyses: analyses.filter(|row| Some(&row.match_id) == self.match_id.as_ref()).map(star).collect(),
        }
    }

    /// One night, told.
    fn night(&self, title: &str, code: i32) -> Shown {
        let ran = self.place.run(code);
        println!("\n== {title}: exit {code}\n{}", ran.out.trim_end());
        for line in ran.err.lines() {
            println!("   {line}");
        }
        let shown = self.shown();
        println!("-- snapshot {}, {} matches, {} pages", shown.snapshot, shown.matches, shown.pages);
        for (name, matches, pr) in &shown.guests {
            println!(
                "-- {name}: {matches} matches, PR {}",
                pr.map_or_else(|| "absent".to_owned(), |pr| format!("{pr:.2}"))
            );
            assert_eq!(self.place.pages("2026", "player-").iter().filter(|page| self.is_of(page, name)).count(), 1);
        }
        for analysis in &shown.analyses {
            println!("-- analysis {analysis}");
        }
        shown
    }

    /// Whether a player's page is this one's.
    fn is_of(&self, page: &str, name: &str) -> bool {
        evened(&self.place.page("2026", page)).contains(&format!("<h1>{name}"))
    }

    /// A run as cron makes it: whatever it says is a mail.
    fn mail(&self, title: &str, ran: &Ran) -> String {
        let mail = format!("{}{}", ran.out, ran.err);
        println!("\n== cron, {title}: exit {}", ran.code);
        println!("{}", if mail.is_empty() { "(no mail)" } else { mail.trim_end() });
        mail
    }
}

#[test]
fn a_week_of_nights() {
    let mut story = Story { place: sample(), match_id: None };
    let first = story.night("nothing new", 0);
    assert!(first.guests.is_empty());

    story.place.put(FILE, xg_writer::write(&evening(1, [GUEST, OTHER])));
    let new = story.night("a new file", 0);
    assert_eq!((new.matches, new.guests.len()), (first.matches + 1, 1));
    assert!(new.pages > first.pages && new.snapshot == first.snapshot + 1);

    let record = evening(2, [GUEST, OTHER]);
    story.place.put(FILE, xg_writer::write(&record));
    let changed = story.night("the file is another match", 0);
    assert_eq!(changed.matches, new.matches);
    assert_ne!(changed.guests[0].2, new.guests[0].2, "other figures");

    story.match_id = sources(&story.place)[FILE].match_id.clone();
    story.place.put("2026/club night/deeper.xg", xg_writer::write(&deeper(&record)));
    let deep = story.night("a deeper analysis of it", 0);
    assert_eq!((deep.matches, deep.analyses.len()), (changed.matches, 2));
    assert!(deep.analyses.iter().any(|said| said.starts_with("2026/club night/deeper.xg*")), "{:?}", deep.analyses);

    std::fs::remove_file(story.place.raw().join("2026/club night/deeper.xg")).unwrap();
    let shallow = story.night("the deeper one is removed", 0);
    assert!(shallow.analyses.len() == 1 && shallow.analyses[0].starts_with(&format!("{FILE}*")));
    assert_eq!(shallow.guests, changed.guests);

    story.place.put("2026/club night/broken.xg", &xg_writer::write(&evening(3, [GUEST, OTHER]))[..9_000]);
    let broken = story.night("a broken file", 3);
    assert_eq!(broken.matches, shallow.matches, "nothing else is lost");
    story.night("the broken file still lies there", 0);
    std::fs::remove_file(story.place.raw().join("2026/club night/broken.xg")).unwrap();
    story.night("the broken file is removed", 0);

    story.place.put("2026/club night/second.xg", xg_writer::write(&evening(4, [MISSPELT, OTHER])));
    assert_eq!(story.night("the guest under another spelling", 0).guests.len(), 2);
    let config = story.place.root().join("portes.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}\"{GUEST}\" = [\"{MISSPELT}\"]\n")).unwrap();
    let plan = story.place.portes(&["run", "--dry-run"]);
    println!("\n== the plan after an alias\n{}", plan.out.trim_end());
    assert!(plan.out.contains("1 match made again: files, paths, names or rules are others"), "{}", plan.out);
    let merged = story.night("an alias for it", 0);
    assert_eq!(merged.guests.iter().map(|(_, matches, _)| *matches).collect::<Vec<_>>(), [2]);

    std::fs::remove_file(story.place.raw().join(FILE)).unwrap();
    assert_eq!(story.night("a file is removed", 0).matches, merged.matches - 1);
    mails(&story);
}

/// What cron's mails say: nothing on success, one sentence otherwise.
fn mails(story: &Story) {
    let quiet = || story.place.portes(&["run", "--quiet"]);
    story.place.put("2026/club night/third.xg", xg_writer::write(&evening(5, [GUEST, OTHER])));
    assert_eq!(story.mail("success", &quiet()), "");
    assert_eq!(story.mail("nothing to do", &quiet()), "");
    story.place.put("2026/club night/broken.xg", &xg_writer::write(&evening(6, [GUEST, OTHER]))[..9_000]);
    let broken = story.mail("a broken file", &quiet());
    assert_eq!(broken.lines().count(), 1, "{broken}");
    for words in ["rejected: 2026/club night/broken.xg: ", " at byte "] {
        assert!(broken.contains(words), "{broken}");
    }
    if tool("prlimit").is_none() {
        return;
    }
    std::fs::remove_file(story.place.raw().join("2026/club night/broken.xg")).unwrap();
    let mut command = Command::new("prlimit");
    command.args(["--fsize=3000", PORTES, "run", "--quiet"]).current_dir(story.place.root());
    let full = ran(command);
    assert_eq!(full.code, 73);
    let full = story.mail("no file may grow", &full);
    assert!(full.lines().count() == 1 && full.contains("cannot "), "{full}");
}
