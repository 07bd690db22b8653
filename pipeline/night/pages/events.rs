//! The pages of a season's events. A season has a review of every player in every event, so those are read event by event.

use super::shelf::{Desk, Shelf};
use crate::night::fault::NightFault;
use crate::night::signal;
use crate::report::{self, MatchPages, TournamentInput};
use crate::tables::facts::MatchRow;
use crate::tables::fault::TableFault;
use crate::tables::groups::Groups;
use crate::tables::lake::{self, Listed};
use crate::tables::marts::SeatRow;
use crate::tables::part;
use crate::tables::row::Row;
use crate::tables::study_marts::{PlacesPointsRow, TournamentReviewRow};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Events held at a time, so that some can be made side by side.
const AT_ONCE: usize = 4;

impl Shelf<'_> {
    /// A page for every event that somebody's review speaks of.
    pub(super) fn tournaments(&self, desk: &Desk<'_>) -> Result<usize, NightFault> {
        let mut made = 0;
        for listed in lake::season_parts(self.snapshot, TournamentReviewRow::TABLE, self.season)? {
            let events: Vec<String> = events(&listed)?.into_iter().collect();
            let mut reviews = Groups::<TournamentReviewRow>::open(Some(&listed.path), ("event", |event| event))?;
            for some in events.chunks(AT_ONCE) {
                let some = some.iter().map(|event| Ok((event.as_str(), reviews.of(event)?)));
                let some: Vec<(&str, Vec<TournamentReviewRow>)> = some.collect::<Result<_, TableFault>>()?;
                let counts = some.par_iter().map(|(event, reviews)| {
                    signal::pause()?;
                    self.tournament(desk, event, reviews)
                });
                made += counts.collect::<Result<Vec<usize>, NightFault>>()?.into_iter().sum::<usize>();
            }
        }
        Ok(made)
    }

    fn tournament(&self, desk: &Desk<'_>, event: &str, reviews: &[TournamentReviewRow]) -> Result<usize, NightFault> {
        let at = self.matches.of_event(event);
        let places: Vec<PlacesPointsRow> =
            self.lessons.places.iter().filter(|row| row.event == event).cloned().collect();
        let reference = reviews.iter().find(|row| row.reference).map(|row| row.player.as_str());
        let (families, totals) = self.lessons.of_event(event, reference.unwrap_or_default());
        let mut key = desk.key();
        key.rows(&families).rows(totals.as_slice());
        key.rows(reviews).rows(&places);
        self.hash_matches(at, &mut key);
        desk.print(&format!("event {event}"), key, || {
            let colophon = self.colophon(at);
            let matches: Vec<&MatchRow> = self.matches.at(at).collect();
            let figures: Vec<&SeatRow> = at.iter().flat_map(|&at| self.matches.figures_of(at)).collect();
            let input = TournamentInput {
                season: self.season,
                event,
                reviews,
                matches: &matches,
                figures: &figures,
                families: &families,
                totals: totals.as_ref(),
                places: &places,
                colophon: &colophon,
                pages: MatchPages::Only(&self.with_page),
            };
            Ok(vec![report::tournament_page(desk.templates, &input)?])
        })
    }
}

/// The events of a part of the reviews, in its order.
fn events(listed: &Listed) -> Result<BTreeSet<String>, TableFault> {
    let columns = part::key_columns(TournamentReviewRow::COLUMNS, &["event"]);
    let mut events: BTreeSet<String> = BTreeSet::new();
    part::scan(&listed.path, (TournamentReviewRow::TABLE, &columns), &mut |batch| {
        let mut last = None;
        for row in 0..batch.rows() {
            let event = batch.text(row, 0);
            if event != last {
                events.extend(event.map(str::to_owned));
                last = event;
            }
        }
        Ok(())
    })?;
    Ok(events)
}
