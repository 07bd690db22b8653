//! A night over spoilt files that the readers accept all the same: tables, checks, measures and pages hold.

use super::Place;
use crate::support::html;
use crate::support::made::Chance;
use crate::support::spoilt::{Came, Reader, fixtures};
use portes::tables::facts::SourceRow;
use std::collections::BTreeSet;

/// Matches of the night.
const ACCEPTED: usize = 90;

#[test]
fn a_night_over_spoilt_files_that_are_accepted_publishes_sound_tables_and_pages() {
    let place = Place::new();
    let mut fixtures = fixtures();
    fixtures.retain(|fixture| matches!(fixture.reader, Reader::Xg | Reader::Sgf | Reader::Mat));
    let mut put = 0;
    for number in 0.. {
        let mut chance = Chance::new(number);
        let mut one = || &fixtures[usize::try_from(chance.below(fixtures.len() as u64)).unwrap()];
        let (fixture, donor) = (one(), one());
        let bytes = fixture.at_random(donor, &mut chance);
        if fixture.meet(&bytes) == Came::Accepted {
            place.put(format!("2026/cup/{number}-{}", fixture.name), bytes);
            put += 1;
        }
        if put == ACCEPTED {
            break;
        }
    }
    let ran = place.portes(&["run"]);
    assert!(matches!(ran.code, 0 | 3), "{}{}", ran.out, ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    let sources = place.rows::<SourceRow>();
    let internal: Vec<&SourceRow> = sources.iter().filter(|row| row.reason.as_deref() == Some("internal")).collect();
    assert!(internal.is_empty(), "{internal:?}");
    let used = sources.iter().filter(|row| row.match_id.is_some()).count();
    assert!(used > ACCEPTED / 2, "{used} of {}", sources.len());
    let check = place.portes(&["check"]);
    assert_eq!(check.code, 0, "{}", check.out);
    let pages = place.pages("2026", "");
    let known: BTreeSet<String> = pages.iter().cloned().collect();
    for name in pages {
        let faults = html::faults(&place.page("2026", &name), &known);
        assert!(faults.is_empty(), "{name}: {:#?}", &faults[..faults.len().min(5)]);
    }
}
