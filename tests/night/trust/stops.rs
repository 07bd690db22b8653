//! What stops a run from outside: a signal, another run, a file that somebody is writing.

use super::super::ends::sources;
use super::super::{Place, Ran};
use super::{Files, Whole, assert_tidy, lay, quick, short, temporary, waited};
use crate::support::made::{SGF, Shape, made};
use crate::support::sgf_writer;
use portes::tables::facts::{MatchRow, SourceRow};
use rustix::process::{Pid, Signal, kill_process};
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Enough matches for a run to be stopped among them.
fn many() -> Files {
    (0..40).map(|seed| (format!("2026/{seed:02}.xg"), short(seed))).collect()
}

/// A run that has begun to write parts.
fn at_work(place: &Place) -> Child {
    let mut command = place.command(&["run", "--jobs", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let journal = place.lake().cache().join("journal");
    assert!(waited(|| journal.exists()), "no run at work");
    child
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn a_signal_ends_the_run_at_the_next_file_and_the_next_run_finishes() {
    let whole = Whole::undisturbed(&many());
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let place = quick();
        lay(&place, &many());
        let child = at_work(&place);
        send(&child, signal);
        let ran = ended(child);
        assert_eq!(ran.code, code, "{}{}", ran.out, ran.err);
        assert!(ran.err.contains("stopped by a signal; the next run goes on"), "{}", ran.err);
        assert!(temporary(&place).is_empty(), "{:?}", temporary(&place));
        assert!(!place.lake().current().exists(), "nothing was published");
        place.run(0);
        Whole::of(&place).assert_is(&whole, "after a signal");
        assert_tidy(&place, "after a signal");
    }
}

#[test]
fn of_two_runs_the_second_goes_at_once_and_the_first_is_not_disturbed() {
    let place = quick();
    lay(&place, &many());
    let first = at_work(&place);
    send(&first, Signal::STOP);
    let begun = Instant::now();
    let second = place.run(75);
    assert!(second.err.contains("another run holds"), "{}", second.err);
    assert!(begun.elapsed().as_secs() < 10, "it waited");
    send(&first, Signal::CONT);
    let first = ended(first);
    assert_eq!(first.code, 0, "{}", first.err);
    Whole::of(&place).assert_is(&Whole::undisturbed(&many()), "beside a second run");
    // The lock dies with its process, whatever way that goes.
    place.put("2026/late.xg", short(99));
    let mut killed = place.command(&["run"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
    place.run(0);
}

/// A file that grows during a run which notices it; `before` lays it as it was. Whoever writes does not always get a turn
/// while the run reads, so it is tried again.
fn grown(place: &Place, before: impl Fn()) -> SourceRow {
    for _ in 0..50 {
        before();
        let done = AtomicBool::new(false);
        let ran = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let path = place.raw().join("2026/growing.sgf");
                let mut file = std::fs::File::options().append(true).open(path).unwrap();
                while !done.load(Ordering::SeqCst) {
                    file.write_all(b"\n").unwrap();
                }
            });
            let ran = place.portes(&["run"]);
            done.store(true, Ordering::SeqCst);
            writer.join().unwrap();
            ran
        });
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        let row = sources(place).remove("2026/growing.sgf").unwrap();
        if row.reason.as_deref() == Some("changing") {
            assert_eq!(row.status, "ignored");
            return row;
        }
    }
    panic!("no run met the file while it grew")
}

#[test]
fn a_file_that_grows_while_it_is_read_is_left_for_the_next_night() {
    let place = quick();
    place.put("2026/still.xg", short(1));
    let text = sgf_writer::write(&made(2, Shape { length: 1, ..SGF }));
    let path = place.raw().join("2026/growing.sgf");
    let first = grown(&place, || {
        _ = std::fs::remove_file(&path);
        place.run(0);
        place.put("2026/growing.sgf", &text);
    });
    assert_eq!((first.match_id, place.rows::<MatchRow>().len()), (None, 1), "no earlier night read it");
    assert_eq!(sources(&place)["2026/still.xg"].status, "ok");
    // Written to its end: it is tried again though nobody says so.
    let whole = || {
        place.put("2026/growing.sgf", &text);
        place.run(0);
        assert_eq!(sources(&place)["2026/growing.sgf"].status, "ok");
        assert_tidy(&place, "after growing");
    };
    whole();
    // It grows again: what it held before stands.
    let again = grown(&place, whole);
    assert_eq!((again.match_id.is_some(), place.rows::<MatchRow>().len()), (true, 2));
    whole();
}

#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    let place = quick();
    lay(&place, &many());
    place.put("2026/broken.xg", b"no match");
    let code = |words: &[&str]| {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        place.command(words).stdout(Stdio::null()).stderr(full).status().unwrap().code()
    };
    assert_eq!(code(&["run", "--quiet"]), Some(3));
    assert_eq!(place.lake().current_number().unwrap(), Some(1));
    assert_eq!(code(&["run"]), Some(0));
}
