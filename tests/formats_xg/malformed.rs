//! Bad input: the format page's bounds (15), and the documented ends of `nightly.md`. Nothing panics, nothing takes long.

use super::made::{Die, made};
use super::{REAL, actions, plays, real_bytes, refused, without_offsets};
use crate::support::xg_container::{assemble, stored};
use crate::support::xg_writer::{HEADER, RECORD, members, pack, write};
use libdeflater::{CompressionLvl, Compressor, Decompressor};
use portes::game::Length;
use portes::ingest::record::{End, Record};
use portes::ingest::xg;
use std::time::{Duration, Instant};

/// Far more than any file may take, even on a busy machine.
const LONG: Duration = Duration::from_secs(5);

fn small() -> Record {
    let mut record = made(21, Length::Points(7));
    record.games.truncate(2);
    record.comments.retain(|comment| comment.game.is_none_or(|game| game < 2));
    assert!(record.games.len() == 2 && record.comments.len() > 4);
    record
}

fn deflate(content: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::fastest());
    let mut packed = vec![0; compressor.zlib_compress_bound(content.len())];
    let size = compressor.zlib_compress(content, &mut packed).unwrap();
    packed.truncate(size);
    packed
}

/// The parts of a file: blobs, and the registry inflated.
fn parts(bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let trailer = bytes.len() - 36;
    let field = |at: usize| i32::from_le_bytes(bytes[trailer + at..trailer + at + 4].try_into().unwrap());
    let registry = trailer - usize::try_from(field(12)).unwrap();
    let blobs = registry - usize::try_from(field(16)).unwrap();
    let mut entries = vec![0; usize::try_from(field(4)).unwrap() * 532];
    Decompressor::new().zlib_decompress(&bytes[registry..trailer], &mut entries).unwrap();
    (bytes[blobs..registry].to_vec(), entries)
}

/// A file with one byte run in its registry changed, all checksums of the container right.
fn with_registry(bytes: &[u8], at: usize, value: &[u8]) -> Vec<u8> {
    let (blobs, mut entries) = parts(bytes);
    entries[at..at + value.len()].copy_from_slice(value);
    assemble(&blobs, &deflate(&entries), (entries.len() / 532, true))
}

#[test]
fn foreign_bytes_are_refused_at_their_first() {
    let jpeg = [&[0xFF, 0xD8, 0xFF, 0xE0][..], &[0x11; 20_000]].concat();
    let text = b"7 point match\n\n Game 1\n".repeat(1000);
    for bytes in [&jpeg[..], &text, &[0; 9000], b"RG", b"RGMH"] {
        let rejected = refused(bytes);
        assert_eq!(rejected.end, End::Quarantined);
        let wrong_magic = !b"RGMH".starts_with(bytes);
        assert_eq!(rejected.code, if wrong_magic { "magic" } else { "truncated" });
        assert_eq!(rejected.offset, if wrong_magic { 0 } else { u64::try_from(bytes.len()).unwrap() });
    }
    let rejected = refused(b"");
    assert_eq!(
        (rejected.code.as_str(), rejected.offset, rejected.to_string()),
        ("empty", 0, "the file is empty at byte 0".to_owned())
    );
}

#[test]
fn a_file_cut_anywhere_is_quarantined() {
    let bytes = write(&small());
    for end in 0..bytes.len() {
        let rejected = refused(&bytes[..end]);
        assert_eq!(rejected.end, End::Quarantined, "cut at {end}");
        assert!(rejected.offset <= u64::try_from(end).unwrap(), "cut at {end}: {rejected}");
    }
    let Some(real) = real_bytes(REAL[0]) else { return };
    for end in (0..real.len()).step_by(37) {
        assert_eq!(refused(&real[..end]).end, End::Quarantined, "cut at {end}");
    }
}

#[test]
fn a_file_with_bytes_appended_is_quarantined() {
    for more in [1, 3, 36, 1000] {
        for filler in [0, 1, 0xFF] {
            let bytes = [write(&small()), vec![filler; more]].concat();
            assert_eq!(refused(&bytes).code, "truncated", "{more} times {filler}");
        }
    }
}

#[test]
fn a_changed_byte_of_the_archive_is_found_and_placed() {
    let bytes = write(&small());
    let (blobs, _) = parts(&bytes);
    let trailer = bytes.len() - 36;
    for at in (HEADER..trailer).step_by(29) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        let rejected = refused(&changed);
        assert_eq!(rejected.code, "crc", "{at}");
        if at < HEADER + 100 {
            assert_eq!(rejected.offset, u64::try_from(HEADER).unwrap(), "the first member is damaged");
        }
        if at >= HEADER + blobs.len() {
            let registry = u64::try_from(HEADER + blobs.len()).unwrap();
            assert!([registry, u64::try_from(trailer).unwrap()].contains(&rejected.offset), "{at}: {rejected}");
        }
    }
}

#[test]
fn every_length_of_the_container_may_lie() {
    let bytes = write(&small());
    let trailer = bytes.len() - 36;
    let (_, entries) = parts(&bytes);
    let lies = [0, 1, -1, i32::MAX, i32::MIN, 8233, 1 << 24];
    let start = Instant::now();
    for value in lies.map(i32::to_le_bytes) {
        for at in [8, 12, 16, 20, trailer, trailer + 4, trailer + 8, trailer + 12, trailer + 16, trailer + 20] {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&value);
            _ = xg::read(&changed);
        }
        for entry in (0..entries.len()).step_by(532) {
            for at in [0, 512, 516, 520, 524, 528] {
                _ = xg::read(&with_registry(&bytes, entry + at, &value));
            }
        }
    }
    assert!(start.elapsed() < LONG);
    for (at, code) in [(8, "header"), (20, "truncated"), (trailer + 12, "truncated"), (trailer + 16, "truncated")] {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&[0xFF; 4]);
        assert_eq!(refused(&changed).code, code, "{at}");
    }
    let max = i32::MAX.to_le_bytes();
    for (at, code) in [(512, "inflate"), (516, "member"), (520, "member"), (524, "crc")] {
        assert_eq!(refused(&with_registry(&bytes, at, &max)).code, code, "{at}");
    }
    assert_eq!(
        refused(&with_registry(&bytes, 512, &1i32.to_le_bytes())).code,
        "inflate",
        "it holds more than announced"
    );
    assert_eq!(refused(&with_registry(&bytes, 516, &100i32.to_le_bytes())).code, "inflate", "a stream without its end");
    assert_eq!(refused(&with_registry(&bytes, 1, b"TEMP")).code, "stream", "no member of the name is no match");
}

#[test]
fn a_member_that_inflates_past_the_cap_is_not_inflated() {
    let zeros = vec![0; 40 << 20];
    let bytes = pack(&[("temp.xg", zeros)]);
    assert!(bytes.len() < 1 << 20);
    let rejected = refused(&bytes);
    assert_eq!((rejected.code.as_str(), rejected.end), ("inflate", End::Quarantined));
}

#[test]
fn a_stored_member_is_read_as_it_stands() {
    let record = small();
    assert!(without_offsets(xg::read(&stored(&members(&record))).unwrap()) == record);
}

#[test]
fn a_stream_is_whole_records_that_begin_with_a_match() {
    let stream = members(&small()).swap_remove(0).1;
    let refused_stream = |stream: Vec<u8>| refused(&stored(&[("temp.xg", stream)]));
    let cases: [(Vec<u8>, u64); 4] = [
        (Vec::new(), 0),
        (stream[..3 * RECORD + 17].to_vec(), u64::try_from(3 * RECORD).unwrap()),
        (stream[RECORD..].to_vec(), 8),
        ([&stream[..556], b"xxxx", &stream[560..]].concat(), 556),
    ];
    for (stream, offset) in cases {
        let rejected = refused_stream(stream);
        assert_eq!((rejected.code.as_str(), rejected.offset), ("stream", offset));
    }
    let endless = stream[..RECORD].repeat(20_001);
    assert_eq!(refused_stream(endless).offset, u64::try_from(20_000 * RECORD).unwrap());
}

#[test]
fn a_stream_cut_at_any_record_is_an_interrupted_match() {
    let record = small();
    let all = actions(&record).count();
    let stream = members(&record).swap_remove(0).1;
    let mut last = 0;
    for records in 1..=stream.len() / RECORD {
        let read = xg::read(&stored(&[("temp.xg", stream[..records * RECORD].to_vec())])).unwrap();
        let count = actions(&read).count();
        assert!(count >= last && read.faults.is_empty() && !read.partial, "{records}");
        last = count;
    }
    assert_eq!(last, all);
}

/// The stream of a small match with its records put in another order, or some twice.
fn rearranged(order: impl Fn(usize) -> Vec<usize>) -> Result<Record, portes::ingest::record::Rejected> {
    let stream = members(&small()).swap_remove(0).1;
    let records: Vec<&[u8]> = stream.chunks(RECORD).collect();
    let stream = order(records.len()).into_iter().map(|i| records[i]).collect::<Vec<_>>().concat();
    xg::read(&stored(&[("temp.xg", stream)]))
}

#[test]
fn what_is_consistent_is_kept_and_the_rest_told() {
    let whole = small();
    // Turns before any game header.
    let read = rearranged(|n| std::iter::once(0).chain(2..n).collect()).unwrap();
    assert!(read.partial && read.games.len() == 1 && read.faults[0].reason == "turn outside any game");
    assert_eq!(read.faults[0].offset, u64::try_from(RECORD).unwrap());
    // Everything twice.
    let read = rearranged(|n| (0..n).chain(0..n).collect()).unwrap();
    assert_eq!(read.games.len(), 4);
    let reasons: Vec<&str> = read.faults.iter().map(|fault| fault.reason.as_str()).collect();
    for reason in [
        "second match header",
        "game after the end of the match",
        "game number that came before",
        "second match footer",
    ] {
        assert!(reasons.contains(&reason), "{reason}: {reasons:?}");
    }
    // A match header alone: a match in which nothing happened yet.
    assert_eq!(rearranged(|_| vec![0]).unwrap().games.len(), 0);
    // Nothing but turns.
    let rejected = rearranged(|_| vec![0, 2, 3]).unwrap_err();
    assert_eq!((rejected.code.as_str(), rejected.end), ("games", End::Quarantined));
    assert_eq!(
        rearranged(|n| (0..n).collect()).map(without_offsets),
        Ok({
            let mut whole = whole;
            whole.comments.clear();
            // Rollouts stand in another member, which was left away.
            forget_rollouts(&mut whole);
            whole
        })
    );
}

fn forget_rollouts(record: &mut Record) {
    use portes::ingest::record::What;
    for action in record.games.iter_mut().flat_map(|game| &mut game.actions) {
        match &mut action.what {
            What::Checker(play) => {
                for candidate in &mut play.candidates {
                    (candidate.trials, candidate.std_error) = (None, None);
                }
            }
            What::NoDouble(Some(analysis))
            | What::Double(Some(analysis))
            | What::Take(Some(analysis))
            | What::Pass(Some(analysis)) => (analysis.trials, analysis.std_error) = (None, None),
            _ => {}
        }
    }
}

/// One field of one record changed: the record is refused, or its analysis, and nothing else.
#[test]
fn a_damaged_record_takes_nothing_else_with_it() {
    let record = small();
    let stream = members(&record).swap_remove(0).1;
    let play =
        (0..stream.len() / RECORD).find(|i| stream[i * RECORD + 8] == 3 && stream[i * RECORD + 188] > 1).unwrap();
    let change = |at: usize, bytes: &[u8]| {
        let mut stream = stream.clone();
        stream[play * RECORD + at..][..bytes.len()].copy_from_slice(bytes);
        xg::read(&stored(&[("temp.xg", stream)])).unwrap()
    };
    let all = plays(&record).count();
    let refused: [(usize, &[u8], &str); 5] = [
        (64, &2i32.to_le_bytes(), "play record of no player"),
        (100, &7i32.to_le_bytes(), "play record with impossible dice"),
        (9, &[16; 26], "play record on an impossible position"),
        (9, &[0; 26], "play record on an impossible position"),
        (108, &31i32.to_le_bytes(), "play record with an impossible cube"),
    ];
    for (at, bytes, reason) in refused {
        let read = change(at, bytes);
        assert_eq!((plays(&read).count(), read.faults.len()), (all - 1, 1), "{reason}");
        assert_eq!(
            (read.faults[0].reason.as_str(), read.faults[0].offset),
            (reason, u64::try_from(play * RECORD).unwrap())
        );
    }
    let unrated: [(usize, &[u8], &str); 3] = [
        (192, &[100; 26], "candidate to an impossible position"),
        (1024, &[3, 9, 0xFF, 0xFF], "candidate that is no play"),
        (68, &40i32.to_le_bytes(), "play made that is no play"),
    ];
    for (at, bytes, reason) in unrated {
        let read = change(at, bytes);
        assert_eq!((plays(&read).count(), read.faults.len()), (all, 1), "{reason}");
        assert_eq!(read.faults[0].reason, reason);
    }
    let read = change(188, &i32::MAX.to_le_bytes());
    assert_eq!(plays(&read).count(), all, "more candidates than there is room for are clamped");
}

#[test]
fn a_game_at_an_impossible_score_is_left_out_whole() {
    let record = small();
    let mut stream = members(&record).swap_remove(0).1;
    stream[RECORD + 12..RECORD + 16].copy_from_slice(&7i32.to_le_bytes());
    let read = xg::read(&stored(&[("temp.xg", stream)])).unwrap();
    assert!(read.partial);
    assert_eq!((read.games.len(), read.faults.len()), (1, 1));
    assert_eq!(read.faults[0].reason, "game left out: score 7 of a match to 7");
}

#[test]
fn unknown_kinds_are_counted_once_a_kind() {
    let record = small();
    let mut stream = members(&record).swap_remove(0).1;
    for kind in [6, 9, 6] {
        let mut unknown = vec![0xA5; RECORD];
        unknown[8] = kind;
        stream.splice(2 * RECORD..2 * RECORD, unknown);
    }
    let read = xg::read(&stored(&[("temp.xg", stream)])).unwrap();
    let reasons: Vec<&str> = read.faults.iter().map(|fault| fault.reason.as_str()).collect();
    assert_eq!(reasons, ["records of kind 6 are not read: 2", "records of kind 9 are not read: 1"]);
    assert_eq!(actions(&read).count(), actions(&record).count());
}

/// One long line that every record points at must not be copied for each.
#[test]
fn a_comment_that_everything_points_at_is_read_once() {
    let mut members = members(&small());
    let records = members[0].1.len() / RECORD;
    for record in 1..records {
        let at = match members[0].1[record * RECORD + 8] {
            1 => 56,
            2 => 292,
            3 => 2524,
            _ => continue,
        };
        members[0].1[record * RECORD + at..][..4].copy_from_slice(&0i32.to_le_bytes());
    }
    members.retain(|(name, _)| *name != "temp.xgc");
    members.push(("temp.xgc", [b"{\\rtf1 ".to_vec(), b"x".repeat(1 << 20)].concat()));
    let read = xg::read(&stored(&members)).unwrap();
    assert_eq!(read.comments.len(), 1);
    assert_eq!(read.comments[0].text.len(), 1 << 20);
}

/// Lines that nothing can point at are not kept; a comment past them is none.
#[test]
fn comments_without_end_are_not_kept() {
    let mut members = members(&small());
    members[0].1[RECORD + 56..RECORD + 60].copy_from_slice(&1_000_000i32.to_le_bytes());
    members[0].1[576..580].copy_from_slice(&0i32.to_le_bytes());
    members.retain(|(name, _)| *name != "temp.xgc");
    members.push(("temp.xgc", b"x\r\n".repeat(1_100_000)));
    let read = xg::read(&stored(&members)).unwrap();
    assert!(read.comments.iter().all(|comment| comment.text == "x"));
    let places =
        |record: &Record| record.comments.iter().map(|comment| (comment.game, comment.action)).collect::<Vec<_>>();
    let mut expected = places(&small());
    expected.remove(1);
    assert_eq!(places(&read), expected, "all but that of the first game's header");
}

/// Bytes of the inflated members changed at random, checksums right: the decoder sees them all.
#[test]
fn random_bytes_never_stop_the_reader() {
    let original = members(&small());
    let mut die = Die(0x5EED);
    let start = Instant::now();
    for round in 0..4000 {
        let mut members = original.clone();
        for _ in 0..1 + die.below(12) {
            let member = die.below(members.len());
            let content = &mut members[member].1;
            let at = die.below(content.len());
            let value = [0, 1, 0x7F, 0x80, 0xFF, u8::try_from(die.below(256)).unwrap()][die.below(6)];
            let run = if die.below(3) == 0 { 4.min(content.len() - at) } else { 1 };
            content[at..at + run].fill(value);
        }
        if let Ok(read) = xg::read(&stored(&members)) {
            assert!(consistent(&read), "round {round}");
        }
    }
    assert!(start.elapsed() < 12 * LONG);
}

/// The invariants of a record hold however it came about.
fn consistent(record: &Record) -> bool {
    let comments = record.comments.iter().all(|comment| match (comment.game, comment.action) {
        (None, action) => action.is_none(),
        (Some(game), None) => game < record.games.len(),
        (Some(game), Some(action)) => record.games.get(game).is_some_and(|game| action < game.actions.len()),
    });
    let boards = actions(record).all(|action| {
        let (own, other) = (action.board.on_board(), action.board.mirror().on_board());
        own <= 15 && other <= 15 && own + other > 0
    });
    comments && boards
}

/// Bytes of the file changed at random: the container sees them all.
#[test]
fn random_bytes_of_the_file_never_stop_the_reader() {
    let original = write(&small());
    let mut die = Die(7);
    for _ in 0..3000 {
        let mut bytes = original.clone();
        for _ in 0..1 + die.below(4) {
            let from_end = die.below(2) == 0;
            let at = die.below(if from_end { 200 } else { bytes.len() });
            let at = if from_end { bytes.len() - 1 - at } else { at };
            bytes[at] = u8::try_from(die.below(256)).unwrap();
        }
        _ = xg::read(&bytes);
    }
    let Some(real) = real_bytes(REAL[1]) else { return };
    for _ in 0..300 {
        let mut bytes = real.clone();
        let at = die.below(bytes.len());
        bytes[at] ^= 1 << die.below(8);
        _ = xg::read(&bytes);
    }
}
