//! A disk that is full, read-only or somebody else's: exit 73, one clear sentence, nothing half published, and the next
//! run, once there is room, ends where an undisturbed one does.

use super::super::ends::sources;
use super::super::{PORTES, Place, Ran, ran, tool};
use super::{Files, Whole, assert_tidy, lay, quick, short};
use crate::support::spoilt::zipped;
use portes::tables::academy::AcademyContestRow;
use portes::tables::facts::MatchRow;
use portes::tables::study::StudyEventRow;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

fn files(count: u64) -> Files {
    (0..count).map(|seed| (format!("2026/{seed}.xg"), short(seed))).collect()
}

/// Exit 73, and all that is said beside the stages is one sentence with the path and the system's words.
fn cannot_write(ran: &Ran, when: &str) {
    assert_eq!(ran.code, 73, "{when}: {}{}", ran.out, ran.err);
    let said: Vec<&str> = ran.err.lines().filter(|line| line.contains("ERROR")).collect();
    assert_eq!(said.len(), 1, "{when}: {}", ran.err);
    assert!(said[0].contains("cannot ") || said[0].contains("no space"), "{when}: {}", said[0]);
    assert!(said[0].contains("data/lake") || said[0].contains("reports"), "{when}: {}", said[0]);
    assert!(ran.out.is_empty(), "{when}: {}", ran.out);
}

/// The program with a limit on the size of a file, as a shell or a service sets it.
fn limited(place: &Place, bytes: u64) -> Ran {
    let mut command = Command::new("prlimit");
    command.arg(format!("--fsize={bytes}")).args([PORTES, "run"]).current_dir(place.root());
    ran(command)
}

#[test]
fn a_limit_on_file_size_is_told_and_half_publishes_nothing() {
    if tool("prlimit").is_none() {
        return;
    }
    let (old, new) = (Whole::undisturbed(&files(2)), Whole::undisturbed(&files(5)));
    let place = quick();
    lay(&place, &files(2));
    place.run(0);
    lay(&place, &files(5));
    let mut refused = 0;
    for bytes in [64, 2_000, 6_000, 12_000, 24_000, 48_000, 200_000, 4_000_000] {
        let (ran, when) = (limited(&place, bytes), format!("at most {bytes} bytes a file"));
        let now = Whole::of(&place);
        if ran.code == 0 {
            break;
        }
        refused += 1;
        cannot_write(&ran, &when);
        now.assert_is(&old, &when);
        assert!(!super::temporary(&place).iter().any(|path| path.starts_with(place.reports())), "{when}");
    }
    assert!(refused >= 4, "refused {refused} times");
    place.run(0);
    Whole::of(&place).assert_is(&new, "with room again");
    assert_tidy(&place, "with room again");
}

/// A first night on a file system of our own that grows until it has room: every step of the way it is full at another
/// place.
const FULL: &str = r#"
set -u
mount -t tmpfs -o size=1m tmpfs disk && mkdir disk/lake disk/reports || exit 9
mount --bind disk/lake data/lake && mount --bind disk/reports reports || exit 9
for size in $SIZES; do # KiB
  mount -o remount,size=${size}k disk
  "$PORTES" run >said.out 2>said.err; code=$?
  echo "$size $code $(readlink data/lake/current || echo none) $(grep -c ERROR said.err) $(grep ERROR said.err)"
  [ $code = 0 ] && break
done
mkdir kept && cp -a data/lake reports kept
"#;

#[test]
fn a_full_disk_is_told_and_half_publishes_nothing() {
    let place = quick();
    // A season each: small parts take whole pages of the disk, more than the estimate knows of.
    let files: Files = (0..6).map(|seed| (format!("{}/a.xg", 2020 + seed), short(seed))).collect();
    lay(&place, &files);
    for dir in ["disk", "data/lake", "reports"] {
        std::fs::create_dir_all(place.root().join(dir)).unwrap();
    }
    let sizes = (0..60).fold(String::new(), |mut all, n| {
        _ = write!(all, "{} ", 500 + 150 * n);
        all
    });
    let Some(output) = in_own_mounts(&place, FULL, &[("SIZES", &sizes)]) else { return };
    let lines: Vec<Vec<&str>> = output.lines().map(|line| line.splitn(5, ' ').collect()).collect();
    println!("{output}");
    let (last, full) = lines.split_last().unwrap();
    assert_eq!(last[1], "0", "{output}");
    assert!(full.len() >= 3, "{output}");
    for line in full {
        assert_eq!((line[1], line[3]), ("73", "1"), "{output}");
        assert!(line[4].contains("No space left on device") || line[4].contains("no space for what"), "{output}");
        assert!(line[4].contains("data/lake") || line[4].contains("reports"), "{output}");
    }
    assert!(full.iter().any(|line| line[4].contains("No space left on device")), "only ever estimated:\n{output}");
    for (kept, to) in [("kept/lake", "data/lake"), ("kept/reports", "reports")] {
        std::fs::remove_dir(place.root().join(to)).unwrap();
        std::fs::rename(place.root().join(kept), place.root().join(to)).unwrap();
    }
    Whole::of(&place).assert_is(&Whole::undisturbed(&files), "with room in the end");
    assert_tidy(&place, "with room in the end");
}

/// Nights with the reports on a file system of their own that has no room for what they print: one that prints everything
/// again, of which no estimate knows, and one with new matches.
const PAGES_FULL: &str = r#"
set -u
mkdir reports && mount -t tmpfs -o size=64m tmpfs reports || exit 9
"$PORTES" run >said.out 2>said.err || exit 8
cp -a reports first; cp -a data/lake/current/. first.lake
printf '[interval]\nquantile = "student"\n' > portes.toml
used=$(df --output=used -k reports | tail -1)
for more in 4 40 120; do # KiB
  mount -o remount,size=$((used + more))k reports
  "$PORTES" run >said.out 2>said.err; code=$?
  echo "$code $(readlink data/lake/current) $(find reports -name '.*' | wc -l) $(grep -c ERROR said.err) $(grep ERROR said.err)"
  diff -r reports first >&2 && diff -r data/lake/current/ first.lake >&2 || echo differs
done
mount -o remount,size=64m reports
"$PORTES" run >said.out 2>said.err; echo $?
cp -a later/. data/raw
used=$(df --output=used -k reports | tail -1)
for more in 600 4000; do
  mount -o remount,size=$((used + more))k reports
  "$PORTES" run >said.out 2>said.err; echo "$? $(ls data/lake | grep -c next) $(grep ERROR said.err)"
done
cp -a reports second
"#;

#[test]
fn a_disk_that_fills_while_pages_are_made_leaves_the_night_before() {
    let place = quick();
    lay(&place, &files(2));
    for (path, bytes) in files(12) {
        let path = place.root().join("later").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let Some(output) = in_own_mounts(&place, PAGES_FULL, &[]) else { return };
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 6, "{output}");
    for line in &lines[..3] {
        assert!(line.starts_with("73 snapshots/1 0 1 ") && line.contains("No space left on device"), "{output}");
    }
    assert_eq!(lines[3], "0", "{output}");
    let estimated = "73 0 ERROR no space for what has to be written at reports: about ";
    assert!(lines[4].starts_with(estimated), "told before the work: {output}");
    assert_eq!(lines[5].trim_end(), "0 0", "{output}");
    std::fs::remove_dir(place.reports()).unwrap();
    std::fs::rename(place.root().join("second"), place.reports()).unwrap();
    let other = quick();
    lay(&other, &files(12));
    std::fs::copy(place.root().join("portes.toml"), other.root().join("portes.toml")).unwrap();
    other.run(0);
    Whole::of(&place).assert_is(&Whole::of(&other), "with room in the end");
    assert_tidy(&place, "with room in the end");
}

const READ_ONLY: &str = r#"
set -u
mount --bind $WHAT $WHAT && mount -o remount,ro,bind $WHAT || exit 9
"$PORTES" run >said.out 2>said.err; echo $?
"#;

#[test]
fn a_read_only_lake_or_report_folder_is_told() {
    let place = quick();
    lay(&place, &files(2));
    place.run(0);
    let old = Whole::of(&place);
    lay(&place, &files(3));
    for what in ["data/lake", "reports"] {
        let Some(output) = in_own_mounts(&place, READ_ONLY, &[("WHAT", what)]) else { return };
        let said = |name: &str| std::fs::read_to_string(place.root().join(name)).unwrap();
        let ran = Ran { code: output.trim().parse().unwrap(), out: said("said.out"), err: said("said.err") };
        cannot_write(&ran, what);
        assert!(ran.err.contains("Read-only file system"), "{}", ran.err);
        Whole::of(&place).assert_is(&old, what);
    }
    place.run(0);
    Whole::of(&place).assert_is(&Whole::undisturbed(&files(3)), "writable again");
}

/// Runs a script where it may mount what it likes; `None`, loudly, where the system does not allow that.
fn in_own_mounts(place: &Place, script: &str, variables: &[(&str, &str)]) -> Option<String> {
    tool("unshare")?;
    let mut command = Command::new("unshare");
    command.args(["-rm", "bash", "-c", script]).current_dir(place.root()).env("PORTES", PORTES);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    if matches!(output.status.code(), Some(1 | 9)) {
        let said = String::from_utf8_lossy(&output.stderr);
        eprintln!("SKIPPED: mounts of our own are not allowed here, this promise was not checked: {said}");
        return None;
    }
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Somebody without rights: root is let through everywhere, so it becomes nobody first.
fn as_nobody(place: &Place) -> Option<Command> {
    let program = place.root().join("portes");
    if !program.exists() {
        // Not by us: a test that starts a program meanwhile would hold it open for writing, and nobody could run it.
        assert!(Command::new("cp").arg(PORTES).arg(&program).status().unwrap().success());
    }
    if !rustix::process::geteuid().is_root() {
        return Some(Command::new(program));
    }
    let mut command = Command::new(tool("setpriv")?);
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program);
    Some(command)
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_folder_of_somebody_else_is_told() {
    let place = quick();
    lay(&place, &files(2));
    mode(place.root(), 0o755);
    for (open, shut) in [("data/lake", "reports"), ("reports", "data/lake")] {
        for (folder, bits) in [(open, 0o777), (shut, 0o555)] {
            std::fs::create_dir_all(place.root().join(folder)).unwrap();
            mode(&place.root().join(folder), bits);
        }
        let Some(mut command) = as_nobody(&place) else { return };
        command.arg("run").current_dir(place.root());
        let ran = ran(command);
        cannot_write(&ran, shut);
        assert!(ran.err.contains("Permission denied"), "{}", ran.err);
        assert!(!place.lake().current().exists(), "{shut}");
        std::fs::remove_dir_all(place.lake().root()).unwrap();
    }
    for folder in ["data", "reports"] {
        mode(&place.root().join(folder), 0o755);
    }
    place.run(0);
    Whole::of(&place).assert_is(&Whole::undisturbed(&files(2)), "ours again");
}

/// A place in which anybody may run.
fn for_anybody() -> Place {
    let place = quick();
    mode(place.root(), 0o777);
    for folder in ["data/lake", "reports"] {
        std::fs::create_dir_all(place.root().join(folder)).unwrap();
        mode(&place.root().join(folder), 0o777);
    }
    place
}

fn nobody(place: &Place, words: &[&str]) -> Option<Ran> {
    let mut command = as_nobody(place)?;
    command.args(words).current_dir(place.root());
    Some(ran(command))
}

/// What goes with matches stands while it cannot be read, whatever shut it away, and is read again as soon as it can be.
#[test]
fn what_goes_with_matches_stands_until_it_can_be_read_again() {
    const GAMES: &str = "{\"contest_id\":\"a\",\"game\":\"rings\",\"first\":\"Ada\",\"second\":\"Cy\",\"result\":\"second\",\
        \"plies\":[{\"by\":1,\"key\":\"a\"},{\"by\":2,\"key\":\"b\"}]}\n";
    const LOG: &str = "date,position,action\n2026-01-05,XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10,mark\n";
    let place = for_anybody();
    let members: Vec<_> = files(2).into_iter().map(|(path, bytes)| (path.replace('/', "-"), bytes)).collect();
    let mut archived: Vec<(&str, &[u8])> =
        members.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    archived.push(("study.csv", LOG.as_bytes()));
    place.put("2026/cup/all.zip", zipped(&archived));
    place.put("2026/own/study.csv", LOG.replace("05,", "06,"));
    place.put("2026/own/games.jsonl", GAMES);
    place.put("2026/c.xg", short(7));
    let Some(first) = nobody(&place, &["run"]) else { return };
    assert_eq!((first.code, place.rows::<StudyEventRow>().len()), (0, 2), "{}", first.err);
    let whole = Whole::of(&place);
    let filed = place.rows::<AcademyContestRow>();
    assert!(filed.iter().any(|row| row.game == "rings"), "the games of a contest file");
    for (shut, bits, open) in [
        ("own", 0o000, 0o755),
        ("own", 0o444, 0o755),
        ("own/study.csv", 0o000, 0o644),
        ("own/games.jsonl", 0o000, 0o644),
        ("cup/all.zip", 0o000, 0o644),
    ] {
        let path = place.raw().join("2026").join(shut);
        mode(&path, bits);
        for _ in 0..2 {
            let ran = nobody(&place, &["run"]).unwrap();
            assert!(ran.code == 0 && !ran.out.starts_with("nothing to do"), "{shut}: {}{}", ran.out, ran.err);
            let rows = (place.rows::<MatchRow>().len(), place.rows::<StudyEventRow>().len());
            assert_eq!(rows, (3, 2), "{shut} {bits:o}: {}", ran.err);
            assert!(place.rows::<AcademyContestRow>() == filed, "{shut} {bits:o}");
            assert!(!ran.err.contains("is away"), "{shut} {bits:o}: {}", ran.err);
            assert!(ran.err.contains("cannot be listed") || ran.out.contains("not read: 2026/"), "{}", ran.out);
        }
        mode(&path, open);
        assert_eq!(nobody(&place, &["run"]).unwrap().code, 0);
        Whole::of(&place).assert_is(&whole, shut);
    }
    // Kept when missing, like matches; and read again when it is back, as another.
    let log = place.raw().join("2026/own/study.csv");
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    assert_eq!(nobody(&place, &["run", "--keep-missing"]).unwrap().code, 0);
    assert_eq!(place.rows::<StudyEventRow>().len(), 2);
    place.put("2026/own/study.csv", format!("{text}{}", LOG.lines().nth(1).unwrap().replace("05,", "07,")));
    assert_eq!(nobody(&place, &["run", "--keep-missing"]).unwrap().code, 0);
    assert_eq!(place.rows::<StudyEventRow>().len(), 3);
    // Without a copy it is away, and a warning names it.
    std::fs::remove_dir_all(place.lake().cache().join("copies")).unwrap();
    mode(&log, 0o000);
    let ran = nobody(&place, &["run", "--quiet"]).unwrap();
    assert!(ran.err.contains("2026/own/study.csv cannot be read: Permission denied"), "{}", ran.err);
    assert!(ran.err.contains("what it said is away until it can be"), "{}", ran.err);
    assert_eq!((ran.code, place.rows::<StudyEventRow>().len()), (0, 1));
    std::fs::remove_file(&log).unwrap();
    assert_eq!(nobody(&place, &["run", "--quiet"]).unwrap().code, 0);
    assert_eq!(place.rows::<StudyEventRow>().len(), 1);
}

/// A file that cannot be read takes nothing away: what it held stands, somebody is told once, and the next night tries
/// again.
#[test]
fn a_file_that_cannot_be_read_keeps_its_match() {
    let place = for_anybody();
    lay(&place, &files(3));
    let night = |code: i32, quiet: bool| {
        let ran = nobody(&place, if quiet { &["run", "--quiet"] } else { &["run"] })?;
        assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
        Some(ran)
    };
    if night(0, false).is_none() {
        return;
    }
    let whole = Whole::of(&place);
    let name = files(3).into_iter().next().unwrap().0;
    let file = place.raw().join(&name);
    mode(&file, 0o000);
    let first = night(0, true).unwrap();
    assert!(first.err.contains("not read") && first.err.contains(&name), "{}", first.err);
    assert_eq!(place.rows::<MatchRow>().len(), 3);
    let row = sources(&place).remove(&name).unwrap();
    assert_eq!((row.status.as_str(), row.reason.as_deref()), ("ignored", Some("unreadable")));
    assert!(row.match_id.is_some() && row.detail.unwrap().contains("what it held before stands"));
    assert_eq!(night(0, true).unwrap().err, "", "it was told");
    assert!(night(0, false).unwrap().out.contains("not read"), "who looks is told again");
    // What nobody has read yet holds nothing, and is told as well.
    place.put("2026/shut.xg", short(99));
    mode(&place.raw().join("2026/shut.xg"), 0o000);
    let second = night(0, true).unwrap();
    assert!(second.err.contains("2026/shut.xg") && !second.err.contains(&name), "{}", second.err);
    assert_eq!(place.rows::<MatchRow>().len(), 3);
    std::fs::remove_file(place.raw().join("2026/shut.xg")).unwrap();
    // A folder that cannot be listed: nobody knows what became of its files.
    mode(&place.raw().join("2026"), 0o000);
    let third = night(0, true).unwrap();
    assert!(third.err.contains("2026 cannot be listed") && third.err.lines().count() == 1, "{}", third.err);
    assert_eq!(place.rows::<MatchRow>().len(), 3);
    let rows = sources(&place);
    assert!(rows.values().all(|row| row.reason.as_deref() == Some("unlisted")) && rows.len() == 3, "{rows:?}");
    mode(&place.raw().join("2026"), 0o755);
    mode(&file, 0o644);
    night(0, false);
    Whole::of(&place).assert_is(&whole, "read again");
}

/// The old folder of pages has to go when the new one takes its place: one that may not be written is told before.
#[test]
fn pages_that_cannot_be_removed_are_told_before_anything_is_published() {
    let place = for_anybody();
    lay(&place, &files(2));
    let Some(first) = nobody(&place, &["run"]) else { return };
    assert_eq!(first.code, 0, "{}", first.err);
    let old = Whole::of(&place);
    let pages = place.reports().join("2026");
    std::fs::create_dir(place.reports().join("photos")).unwrap();
    lay(&place, &files(3));
    mode(&pages, 0o555);
    let refused = nobody(&place, &["run"]).unwrap();
    cannot_write(&refused, "read-only pages");
    std::fs::remove_dir(place.reports().join("photos")).unwrap();
    Whole::of(&place).assert_is(&old, "read-only pages");
    mode(&pages, 0o755);
    let next = nobody(&place, &["run"]).unwrap();
    assert_eq!(next.code, 0, "{}", next.err);
    Whole::of(&place).assert_is(&Whole::undisturbed(&files(3)), "writable pages");
    assert_tidy(&place, "writable pages");
}
