//! Rolling PR: how do I play lately? Over a player's last 5 to 1000 counted decisions (`metrics.md` 18).
//!
//! *Last* follows the calendar, then the order of the match; matches of one day follow event, round (its digits read as
//! numbers) and match id, and a match without a date comes before all others, as if it had been played first. In
//! a match against oneself the second seat's decisions follow the first's. Only as many matches are held as the largest
//! window can reach.

use super::interval::{CountUnit, Quantile};
use super::played::Facts;
use super::pr::performance_rating;
use super::rounds::Round;
use crate::tables::lake::ALL_SEASONS;
use crate::tables::partials::SequenceRow;
use crate::tables::row::Day;
use crate::tables::study_marts::RollingRow;
use std::collections::BTreeMap;

/// The windows, in counted decisions.
pub const SIZES: [usize; 7] = [5, 10, 50, 100, 250, 500, LARGEST];

const LARGEST: usize = 1000;

/// When a match was played, and which seat: the largest is the latest.
type When = (Option<Day>, Option<String>, Round, String, i64);

/// A player's latest matches.
#[derive(Clone, Debug, Default)]
struct Recent {
    matches: BTreeMap<When, Vec<i64>>,
    decisions: usize,
}

impl Recent {
    /// A match of then would be forgotten at once.
    fn is_past(&self, when: &When) -> bool {
        self.decisions >= LARGEST && self.matches.first_key_value().is_some_and(|(oldest, _)| when < oldest)
    }

    fn add(&mut self, when: When, errors: Vec<i64>) {
        self.decisions += errors.len();
        if let Some(same) = self.matches.insert(when, errors) {
            self.decisions -= same.len();
        }
        while let Some(oldest) = self.matches.first_entry() {
            let without = self.decisions - oldest.get().len();
            if without < LARGEST {
                break;
            }
            self.decisions = without;
            oldest.remove();
        }
    }

    /// The errors, latest first.
    fn latest(&self) -> impl Iterator<Item = i64> {
        self.matches.values().rev().flat_map(|errors| errors.iter().rev().copied())
    }
}

/// Takes sequences in any order and gives the table.
#[derive(Clone, Debug, Default)]
pub struct Rolling(BTreeMap<String, Recent>);

impl Rolling {
    /// One seat of a match, once. A row of a seat that is none adds nothing.
    pub fn enter(&mut self, facts: &Facts, sequence: &SequenceRow) {
        let Some(player) = facts.asked_player(sequence.seat) else { return };
        let round = Round::of(facts.round.as_deref());
        let when = (facts.date, facts.event.clone(), round, facts.match_id.clone(), sequence.seat);
        if self.0.get(player).is_some_and(|recent| recent.is_past(&when)) {
            return;
        }
        let errors = sequence.mpt.split(' ').filter_map(|mpt| mpt.parse().ok()).collect();
        self.0.entry(player.to_owned()).or_default().add(when, errors);
    }

    /// The table, sorted by its key. A player with fewer decisions than a window has them all in it, and the row says
    /// how many; a player without any has no row.
    #[must_use]
    pub fn close(self) -> Vec<RollingRow> {
        let of_player = |(player, recent): (String, Recent)| {
            let errors: Vec<i64> = recent.latest().take(LARGEST).collect();
            let sizes = if errors.is_empty() { &[][..] } else { &SIZES[..] };
            sizes.iter().map(|size| row(&player, *size, &errors)).collect::<Vec<_>>()
        };
        self.0.into_iter().flat_map(of_player).collect()
    }
}

fn row(player: &str, size: usize, errors: &[i64]) -> RollingRow {
    let window = &errors[..size.min(errors.len())];
    let whole = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    // One unit: a window has no interval, since its decisions are those of few matches.
    let unit = CountUnit { amount: window.iter().sum(), size: whole(window.len()) };
    RollingRow {
        season: ALL_SEASONS.to_owned(),
        player: player.to_owned(),
        size: whole(size),
        decisions: whole(window.len()),
        pr: performance_rating(&[unit], Quantile::Normal).map(|pr| pr.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Length;

    fn facts(match_id: &str, date: Option<i32>, round: &str) -> Facts {
        Facts {
            season: "2026".to_owned(),
            match_id: match_id.to_owned(),
            players: ["A".to_owned(), "B".to_owned()],
            date: date.map(Day),
            event: None,
            round: Some(round.to_owned()),
            length: Length::Points(7),
            finished: true,
            winner: None,
            games: 1,
            start: None,
            xg: false,
            asked: [true; 2],
            pooled: true,
        }
    }

    fn sequence(mpt: &[i64]) -> SequenceRow {
        let text: Vec<String> = mpt.iter().map(i64::to_string).collect();
        SequenceRow { seat: 1, n: whole(mpt.len()), mpt: text.join(" "), ..SequenceRow::default() }
    }

    fn whole(n: usize) -> i64 {
        i64::try_from(n).unwrap_or_default()
    }

    fn window(rows: &[RollingRow], size: i64) -> Option<(i64, f64)> {
        let row = rows.iter().find(|row| row.player == "A" && row.size == size)?;
        Some((row.decisions, row.pr?))
    }

    #[test]
    fn the_last_decisions_are_those_of_the_latest_match_and_an_undated_one_is_the_oldest() {
        let mut rolling = Rolling::default();
        rolling.enter(&facts("c", Some(100), "Round 10"), &sequence(&[10, 20]));
        rolling.enter(&facts("d", None, "Round 1"), &sequence(&[1000; 4]));
        rolling.enter(&facts("a", Some(100), "Round 2"), &sequence(&[40, 50]));
        rolling.enter(&facts("b", Some(90), "Round 3"), &sequence(&[60]));
        let rows = rolling.close();
        // Latest first: 20 10 (round 10), 50 40 (round 2), 60, then the undated ones.
        assert_eq!(window(&rows, 5), Some((5, 0.5 * 180.0 / 5.0)));
        assert_eq!(window(&rows, 10), Some((9, 0.5 * 4180.0 / 9.0)));
        assert_eq!(rows.len(), SIZES.len());
    }

    #[test]
    fn what_no_window_reaches_is_forgotten_and_no_figure_changes() {
        let (mut bounded, mut errors) = (Rolling::default(), Vec::new());
        // The latest match first, so that later ones are old.
        for day in (0..30).rev() {
            let of_match: Vec<i64> = (0..70).map(|i| (i * 7 + i64::from(day)) % 90).collect();
            bounded.enter(&facts(&format!("{day:02}"), Some(day), ""), &sequence(&of_match));
            errors.extend(of_match.into_iter().rev());
        }
        assert!(bounded.0["A"].decisions < LARGEST + 70);
        let rows = bounded.close();
        for size in SIZES {
            let mpt: i64 = errors[..size].iter().sum();
            assert_eq!(window(&rows, whole(size)), Some((whole(size), 0.5 * mpt as f64 / size as f64)));
        }
    }
}
