//! Standings of a season, and place points (`metrics.md` 17).
//!
//! Where an event gives its final places, points rank the players; else the players table does. The club's rating of
//! results is the Academy's and not made here; [`Exchange`] is the arithmetic it grew from, kept and tested.

use super::l7::FIBS;
use crate::tables::academy::AcademyPlayerRow;
use crate::tables::marts::PlayerSeasonRow;
use crate::tables::study_marts::{PlacesPointsRow, StandingRow};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Points of the first ten places.
pub const POINTS: [u32; 10] = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1];

/// What a one-point match can move at most.
const STAKE: f64 = 4.0;

/// Everybody's rating before his first match.
pub const START: f64 = 1500.0;

/// Ratings before and after a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    /// The winner's chances, as the ratings saw them.
    pub chances: f64,
    /// What goes from the loser to the winner.
    pub points: f64,
}

impl Exchange {
    /// After a match to `length` points won by the first: P = 1 / (1 + 10^(-(W - L) √n / 2000)), Δ = 4 √n (1 - P).
    #[must_use]
    pub fn of([winner, loser]: [f64; 2], length: u8) -> Self {
        let root = f64::from(length).sqrt();
        let chances = 1.0 / (1.0 + libm::pow(10.0, -(winner - loser) * root / FIBS));
        Self { chances, points: STAKE * root * (1.0 - chances) }
    }
}

/// What a place in an event is worth beside its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bonus(pub u32);

/// Points of one event from its final places (canonical names), sorted by player: players on one place share the mean of
/// the places they occupy together. A name that stands twice keeps its best place.
#[must_use]
pub fn places_points(
    (season, event): (&str, &str),
    places: &[(String, u32)],
    Bonus(bonus): Bonus,
) -> Vec<PlacesPointsRow> {
    let mut best: BTreeMap<&str, u32> = BTreeMap::new();
    for (player, place) in places {
        let kept = best.entry(player).or_insert(*place);
        *kept = (*kept).min(*place);
    }
    let mut tied: BTreeMap<u32, u32> = BTreeMap::new();
    for place in best.values() {
        *tied.entry(*place).or_default() += 1;
    }
    let row = |(player, place): (&&str, &u32)| PlacesPointsRow {
        season: season.to_owned(),
        event: event.to_owned(),
        player: (*player).to_owned(),
        place: i64::from(*place),
        points: shared(*place, tied[place]) + f64::from(bonus),
    };
    best.iter().map(row).collect()
}

/// Mean points of the places from `place` on that this many players occupy.
fn shared(place: u32, players: u32) -> f64 {
    let worth = |place: u32| {
        let at = usize::try_from(place).ok().and_then(|place| place.checked_sub(1));
        at.and_then(|at| POINTS.get(at)).copied().unwrap_or(0)
    };
    // Past the tenth place nothing is worth anything, so that only ten can add.
    let occupied = (0..players.min(10)).filter_map(|further| place.checked_add(further));
    f64::from(occupied.map(worth).sum::<u32>()) / f64::from(players.max(1))
}

/// A player's points over a season.
#[derive(Clone, Debug, Default)]
struct Total {
    points: f64,
    best: i64,
}

/// The table: the players of the seasons' rows and those who have a place, sorted by season and player. `seasons` are
/// the rows of `player_season`, `points` those of all events, `ratings` by results at the end of each season.
#[must_use]
pub fn standings(
    seasons: &[PlayerSeasonRow],
    points: &[PlacesPointsRow],
    ratings: &[AcademyPlayerRow],
) -> Vec<StandingRow> {
    let totals = totals(points);
    let rated: BTreeMap<(&str, &str), f64> =
        ratings.iter().filter_map(|row| Some(((row.season.as_str(), row.player.as_str()), row.rating?))).collect();
    let mut rows: BTreeMap<(String, String), StandingRow> = BTreeMap::new();
    for row in seasons {
        if let Some(player) = &row.player {
            let elo = rated.get(&(row.season.as_str(), player.as_str()));
            rows.insert(
                (row.season.clone(), player.clone()),
                StandingRow { club_elo: elo.copied(), ..played(row, player) },
            );
        }
    }
    for (key, total) in &totals {
        let row = rows.entry(key.clone()).or_insert_with(|| StandingRow {
            season: key.0.clone(),
            player: key.1.clone(),
            ..StandingRow::default()
        });
        row.points = Some(total.points);
        row.best_place = Some(total.best);
    }
    let mut rows: Vec<StandingRow> = rows.into_values().collect();
    let with_places: BTreeSet<&String> = totals.keys().map(|(season, _)| season).collect();
    for season in rows.chunk_by_mut(|a, b| a.season == b.season) {
        rank(season, &with_places);
    }
    rows
}

fn totals(points: &[PlacesPointsRow]) -> BTreeMap<(String, String), Total> {
    // Added in one order, so that a half point is rounded the same way in every run.
    let mut sorted: Vec<&PlacesPointsRow> = points.iter().collect();
    sorted.sort_by(|a, b| (&a.season, &a.player, &a.event).cmp(&(&b.season, &b.player, &b.event)));
    let mut totals: BTreeMap<(String, String), Total> = BTreeMap::new();
    for row in sorted {
        let total = totals.entry((row.season.clone(), row.player.clone())).or_default();
        total.points += row.points;
        total.best = if total.best == 0 { row.place } else { total.best.min(row.place) };
    }
    totals
}

fn played(row: &PlayerSeasonRow, player: &str) -> StandingRow {
    StandingRow {
        season: row.season.clone(),
        player: player.to_owned(),
        rank: None,
        points: None,
        best_place: None,
        matches: row.matches,
        wins: row.wins.unwrap_or(0),
        losses: row.losses.unwrap_or(0),
        decisions: row.decisions,
        pr: row.pr,
        pr_checker: row.pr_checker,
        pr_cube: row.pr_cube,
        snowie: row.snowie,
        l7: row.l7,
        blunders: row.blunders,
        luck_per_roll: row.luck.filter(|_| row.luck_rolls > 0).map(|luck| luck / row.luck_rolls as f64),
        club_elo: None,
    }
}

/// Ranks the players of one season: by points where the season has places (whoever has none is not ranked), else by PR
/// (whoever has no counted decision is not).
fn rank(season: &mut [StandingRow], with_places: &BTreeSet<&String>) {
    let by_points = season.first().is_some_and(|row| with_places.contains(&row.season));
    let mut ranked: Vec<&mut StandingRow> =
        season.iter_mut().filter(|row| if by_points { row.points.is_some() } else { row.pr.is_some() }).collect();
    ranked.sort_by(|a, b| if by_points { points_order(a, b) } else { rating_order(a, b) });
    for (rank, row) in (1..).zip(ranked) {
        row.rank = Some(rank);
    }
}

/// Most points, then the best single place, then the name.
fn points_order(a: &StandingRow, b: &StandingRow) -> Ordering {
    let points = |row: &StandingRow| row.points.unwrap_or(0.0);
    points(b).total_cmp(&points(a)).then_with(|| (a.best_place, &a.player).cmp(&(b.best_place, &b.player)))
}

/// Lowest PR, then the most decisions, then the name.
fn rating_order(a: &StandingRow, b: &StandingRow) -> Ordering {
    let pr = |row: &StandingRow| row.pr.unwrap_or(f64::INFINITY);
    pr(a).total_cmp(&pr(b)).then_with(|| (b.decisions, &a.player).cmp(&(a.decisions, &b.player)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::near;

    /// Winner and loser before, length, chances, exchange: the table of section 17.
    #[test]
    fn the_table_of_the_definition() -> Result<(), String> {
        for (winner, loser, length, chances, points) in [
            (1500.0, 1500.0, 7, 0.5, 5.291_503),
            (1550.0, 1450.0, 9, 0.585_499, 4.974_016),
            (1450.0, 1550.0, 9, 0.414_501, 7.025_984),
        ] {
            let exchange = Exchange::of([winner, loser], length);
            near(exchange.chances, chances, 1e-6)?;
            near(exchange.points, points, 1e-6)?;
        }
        Ok(())
    }

    fn points(places: &[(&str, u32)]) -> Vec<(String, f64)> {
        let places: Vec<(String, u32)> = places.iter().map(|(name, place)| ((*name).to_owned(), *place)).collect();
        places_points(("2026", "Open"), &places, Bonus(0)).into_iter().map(|row| (row.player, row.points)).collect()
    }

    #[test]
    fn tied_players_share_the_mean_of_the_places_they_occupy() {
        let got = points(&[("A", 1), ("B", 2), ("C", 3), ("D", 3), ("E", 5), ("F", 9), ("G", 9), ("H", 9), ("I", 11)]);
        let expected = [
            ("A", 25.0),
            ("B", 18.0),
            ("C", 13.5),
            ("D", 13.5),
            ("E", 10.0),
            ("F", 1.0),
            ("G", 1.0),
            ("H", 1.0),
            ("I", 0.0),
        ];
        assert_eq!(got, expected.map(|(name, points)| (name.to_owned(), points)));
        assert_eq!(points(&[("A", u32::MAX), ("B", u32::MAX)])[1].1, 0.0);
        assert_eq!(points(&[("A", 0)])[0].1, 0.0);
    }

    fn season(player: &str, pr: Option<f64>, decisions: i64) -> PlayerSeasonRow {
        PlayerSeasonRow {
            season: "2026".to_owned(),
            player: Some(player.to_owned()),
            pr,
            decisions,
            ..PlayerSeasonRow::default()
        }
    }

    fn ranks(rows: &[StandingRow]) -> Vec<(&str, Option<i64>)> {
        rows.iter().map(|row| (row.player.as_str(), row.rank)).collect()
    }

    #[test]
    fn without_places_the_lower_pr_leads_and_no_decision_is_no_rank() {
        let all =
            [season("C", Some(5.0), 100), season("B", Some(5.0), 200), season("A", None, 0), season("D", Some(4.0), 9)];
        let both = PlayerSeasonRow { player: None, ..season("", Some(4.5), 309) };
        let rows = standings(&[&all[..], &[both]].concat(), &[], &[]);
        assert_eq!(ranks(&rows), [("A", None), ("B", Some(2)), ("C", Some(3)), ("D", Some(1))]);
        assert!(rows.iter().all(|row| row.points.is_none() && row.best_place.is_none() && row.club_elo.is_none()));
    }

    #[test]
    fn with_places_points_lead_then_the_best_place_and_who_has_none_is_not_ranked() {
        let place = |event: &str, player: &str, place, points| PlacesPointsRow {
            season: "2026".to_owned(),
            event: event.to_owned(),
            player: player.to_owned(),
            place,
            points,
        };
        let points = [
            place("Cup", "A", 6, 8.0),
            place("Open", "A", 5, 10.0),
            place("Open", "B", 2, 18.0),
            place("Cup", "Guest", 1, 25.0),
        ];
        let rows = standings(
            &[season("A", Some(3.0), 10), season("B", Some(9.0), 10), season("C", Some(1.0), 10)],
            &points,
            &[],
        );
        assert_eq!(ranks(&rows), [("A", Some(3)), ("B", Some(2)), ("C", None), ("Guest", Some(1))]);
        assert_eq!((rows[0].points, rows[0].best_place), (Some(18.0), Some(5)));
        assert_eq!(rows[2].points, None);
    }
}
