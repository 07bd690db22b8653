//! Every reader meets files that are cut at every boundary, whose lengths lie, and whose bytes are changed by chance:
//! nothing panics, nothing takes long (`nightly.md`, hostile input). `make fuzz` does the same a million times, and
//! bounds memory.

use crate::support::made::Chance;
use crate::support::spoilt::{Came, Fixture, Reader, fixtures};
use std::time::{Duration, Instant};

/// Far more than any file may take, on a busy machine and with every check of arithmetic in place.
const LONG: Duration = Duration::from_secs(5);

/// Inputs by chance.
const RANDOM: u64 = 2_000;

/// How many of a fixture's inputs were accepted, and how many there were.
struct Met {
    accepted: usize,
    inputs: usize,
}

impl Met {
    const NONE: Self = Self { accepted: 0, inputs: 0 };

    fn meet(&mut self, fixture: &Fixture, bytes: &[u8]) {
        let began = Instant::now();
        let came = fixture.meet(bytes);
        assert!(came != Came::Panicked, "{} input {}", fixture.name, self.inputs);
        assert!(began.elapsed() < LONG, "{} input {}", fixture.name, self.inputs);
        self.inputs += 1;
        self.accepted += usize::from(came == Came::Accepted);
    }
}

#[test]
fn sound_files_are_accepted() {
    for fixture in fixtures() {
        assert_eq!(fixture.meet(&fixture.bytes), Came::Accepted, "{}", fixture.name);
    }
}

#[test]
fn files_cut_at_every_boundary_and_with_every_field_set_to_what_lies_stop_no_reader() {
    let fixtures = fixtures();
    for reader in [Reader::Xg, Reader::Sgf, Reader::Mat, Reader::Zip, Reader::StudyLog, Reader::Places, Reader::Config]
    {
        // The first of each kind is the smallest.
        let fixture = fixtures.iter().find(|fixture| fixture.reader == reader).unwrap();
        let mut met = Met::NONE;
        fixture.one_by_one(&mut |bytes| met.meet(fixture, bytes));
        println!("{}: {} of {} accepted", fixture.name, met.accepted, met.inputs);
        assert!(met.inputs > 50 && met.accepted > 0 && met.accepted < met.inputs, "{}", fixture.name);
    }
}

#[test]
fn files_spoilt_by_chance_stop_no_reader() {
    let fixtures = fixtures();
    let mut met = Met::NONE;
    for number in 0..RANDOM {
        let mut chance = Chance::new(number);
        let mut one = || &fixtures[usize::try_from(chance.below(fixtures.len() as u64)).unwrap()];
        let (fixture, donor) = (one(), one());
        let bytes = fixture.at_random(donor, &mut chance);
        met.meet(fixture, &bytes);
    }
    println!("{} of {} accepted", met.accepted, met.inputs);
    assert!(met.accepted > met.inputs / 5 && met.accepted < met.inputs * 9 / 10, "some of both");
}
