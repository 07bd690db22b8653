//! The second lake: the decisions of the first with what no format carries yet (thinking times, boards that could not be
//! read), with gaps in the luck, with XG's own statistics, and with a match of somebody against himself. Its partials
//! and marts are the library's, from a snapshot on disk.

use super::Lake;
use crate::night::Place;
use portes::measure::scope::Scope;
use portes::measure::season::{self, Asked, StudyMarts};
use portes::measure::{Settings, errors, player};
use portes::rate::Rules;
use portes::rate::partials::partials;
use portes::rate::rulings::rulings;
use portes::tables::facts::DecisionRow;
use portes::tables::lake::table_dir;
use portes::tables::part::PartWriter;
use portes::tables::row::{self, Row};
use std::collections::BTreeMap;
use std::path::Path;

/// Every mart of the second lake.
pub(super) struct Finished {
    pub(super) figures: player::Marts,
    pub(super) lessons: errors::ErrorMarts,
    pub(super) study: StudyMarts,
}

/// Changes the facts in a way that depends on the row alone.
pub(super) fn lake(place: &Place) -> Lake {
    let mut lake = Lake::of(place, &[]);
    lake.events.clear();
    lake.treated.clear();
    for row in &mut lake.analyses {
        row.made_by_portes = false;
    }
    lake.matches[3].player_2 = lake.matches[3].player_1.clone();
    for (at, row) in lake.decisions.iter_mut().enumerate() {
        // A third of the matches has no clock, and neither has a seat of another third.
        let clock = match row.match_id.as_bytes()[5] % 3 {
            0 => false,
            1 => row.seat == 1,
            _ => true,
        };
        let seconds = (at * 7919 % 61) as i64;
        row.seconds = (clock && at % 9 != 0).then_some(if seconds > 45 { 3 } else { seconds });
        if at % 11 == 0 {
            row.blots_played = None;
        }
        if row.match_id.as_bytes()[7] % 4 == 0 || at % 13 == 0 {
            (row.luck, row.luck_mwc) = (None, None);
        }
    }
    lake
}

fn write<R: Row>(snapshot: &Path, season: &str, mut rows: Vec<R>) {
    row::sort(&mut rows);
    let mut writer = PartWriter::<R>::create(&table_dir(snapshot, R::TABLE, season), "0").unwrap();
    writer.push(&rows).unwrap();
    writer.finish().unwrap();
}

/// The marts of a lake, by way of the partials.
pub(super) fn finished(lake: &Lake) -> Finished {
    let dir = tempfile::tempdir().unwrap();
    for season in ["2025", "2026"] {
        macro_rules! of_season {
            ($rows:expr) => {
                $rows.iter().filter(|row| row.season == season).cloned().collect::<Vec<_>>()
            };
        }
        let (decisions, candidates) = (of_season!(lake.decisions), of_season!(lake.candidates));
        let sums = partials(&decisions, &candidates, &Rules::default());
        write(dir.path(), season, of_season!(lake.matches));
        write(dir.path(), season, of_season!(lake.analyses));
        write(dir.path(), season, sums.moments);
        write(dir.path(), season, sums.cells);
        write(dir.path(), season, sums.errors);
        write(dir.path(), season, sums.sequences);
        write(dir.path(), season, sums.worst);
        let mut said = rulings(&decisions, "primary");
        // Another file's rows: one source a match is enough, the measures look at what they say.
        let others: Vec<DecisionRow> = of_season!(lake.other_decisions);
        let mut sources: BTreeMap<(&str, i64), usize> = BTreeMap::new();
        for other in &others {
            let seen = sources.entry((&other.match_id, other.order)).or_default();
            *seen += 1;
            said.extend(rulings(std::slice::from_ref(other), &format!("other {seen}")));
        }
        write(dir.path(), season, said);
        write(dir.path(), season, decisions);
    }
    let settings = Settings::default();
    let treated = BTreeMap::new();
    let everything = errors::Asked { treated: &treated, settings, scope: &Scope::Everyone };
    let lessons = errors::marts(dir.path(), &everything).unwrap();
    let asked = Asked { settings, main_player: Some("Bramblewick"), events: &[], goal: None, scope: &Scope::Everyone };
    let (figures, study) = season::marts(dir.path(), &asked).unwrap();
    Finished { figures, lessons, study }
}
