//! What is written is read again.

use super::made::made;
use super::{real_records, without_offsets};
use crate::support::xg_writer;
use portes::game::Length;
use portes::ingest::record::Record;
use portes::ingest::xg;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn written_and_read(record: &Record) -> Record {
    without_offsets(xg::read(&xg_writer::write(record)).expect("a sound file"))
}

#[test]
fn a_real_match_written_again_is_the_same_match() {
    for (name, record) in real_records() {
        let mut expected = without_offsets(record);
        assert!(!expected.made_by_portes, "{name}");
        expected.made_by_portes = true;
        assert!(written_and_read(&expected) == expected, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn a_made_match_is_read_as_it_was_made(seed: u64, points in prop::sample::select(vec![0u32, 0, 1, 2, 5, 7, 13, 64, 70, 99_998])) {
        let record = made(seed, Length::from_points(points));
        prop_assert!(written_and_read(&record) == record);
    }
}

#[test]
fn names_of_older_versions_come_from_the_short_strings() {
    let mut record = made(1, Length::Points(5));
    record.annotator = None;
    record.players[0].name = "André Müller".to_owned();
    record.players[1].name = "x".repeat(60);
    record.event = Some("Żółw".to_owned());
    for version in ["8", "23"] {
        record.engine_version = Some(version.to_owned());
        let read = written_and_read(&record);
        assert_eq!(read.players[0].name, "André Müller");
        assert_eq!(read.players[1].name, "x".repeat(40), "a short string of a name holds 40 bytes");
        assert_eq!(read.event.as_deref(), Some("?ó?w"));
        assert!(read.games == record.games, "records have kept their layout");
    }
    record.engine_version = Some("24".to_owned());
    assert_eq!(written_and_read(&record).players[1].name, "x".repeat(60));
}
