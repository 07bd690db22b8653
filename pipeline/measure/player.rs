//! Players: the figures of one match, a season, a career; one player's, and everybody's together (`metrics.md` 22).
//!
//! A [`Ledger`] takes matches one by one, writes a match's rows at once and keeps of it what the larger pools need: its
//! sums, and one unit per interval. Sums come before any rate: a season's PR is not a mean of PRs. Names are canonical
//! before they come here, so a player's figures are over all his names. A match somebody played against himself counts
//! once, with both seats' decisions, and is neither won nor lost.

use super::Settings;
use super::difficulty::difficulty;
use super::entry::number;
use super::interval::{CountUnit, Estimate, Interval, Quantile, WeightUnit, total_weight};
use super::l7::{self, Strength};
use super::level::level;
use super::loss::losses;
use super::luck::{Finished, adjusted, coverage, error_balance, luck};
use super::outcome::{Outcome, Tally};
use super::pace::Pace;
use super::played::{Facts, Played, Side, Unit};
use super::pr::performance_rating;
use super::snowie;
use super::sums::{ByNature, Nature, Split};
use super::xg::{Printed, printed};
use crate::game::units::MWC_SCALE;
use crate::game::{Length, Seat};
use crate::tables::marts::{PlayerCareerRow, PlayerMatchRow, PlayerSeasonRow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Thousandths in an equity.
pub(super) const MPT: f64 = 1000.0;

/// The finished tables, each sorted by its key; an absent seat or player (both together) stands first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marts {
    /// By match and seat.
    pub player_match: Vec<PlayerMatchRow>,
    /// By season and player.
    pub player_season: Vec<PlayerSeasonRow>,
    /// By player.
    pub player_career: Vec<PlayerCareerRow>,
}

/// Everything figures are finished from, whatever the pool.
struct Figures {
    sums: ByNature,
    errors: Split,
    losses: Split,
    pr: Option<Estimate>,
    pr_checker: Option<Estimate>,
    pr_cube: Option<Estimate>,
    snowie: Option<f64>,
    l7: Option<Estimate>,
    l7_checker: Option<f64>,
    l7_cube: Option<f64>,
    pace: Option<Pace>,
}

/// An L7 and the weight its losses are divided by: 0 where there is none.
struct Seventh {
    whole: Option<Estimate>,
    weight: f64,
}

/// What a pool has besides its L7, whose units are counted differently in a match and in a set.
struct Material<'a> {
    sums: ByNature,
    rolls_of_both: i64,
    pace: Option<Pace>,
    units: &'a [Unit],
}

impl Figures {
    fn finish(of: &Material<'_>, l7: &Seventh, quantile: Quantile) -> Self {
        let total = of.sums.total();
        let [checker, double, take] = of.sums.map(|s| s.loss);
        let rating = |unit: fn(&Unit) -> CountUnit| {
            let units: Vec<CountUnit> = of.units.iter().map(unit).collect();
            performance_rating(&units, quantile)
        };
        Self {
            sums: of.sums,
            errors: Split::of(of.sums.map(|s| s.mpt), total.counted, MPT),
            losses: losses(&of.sums),
            pr: rating(|unit| unit.all()),
            pr_checker: rating(|unit| unit.checker),
            pr_cube: rating(|unit| unit.cube),
            snowie: snowie::error_rate(snowie::Played {
                rated_mpt: total.rated_mpt,
                rated: total.rated,
                rolls_of_both: of.rolls_of_both,
            }),
            l7: l7.whole,
            l7_checker: l7::part(checker, l7.weight),
            l7_cube: l7::part(double + take, l7.weight),
            pace: of.pace,
        }
    }
}

fn value(of: Option<Estimate>) -> Option<f64> {
    of.map(|estimate| estimate.value)
}

fn interval(of: Option<Estimate>) -> Option<Interval> {
    of.and_then(|estimate| estimate.interval)
}

fn low(of: Option<Estimate>) -> Option<f64> {
    interval(of).map(|ends| ends.low)
}

fn high(of: Option<Estimate>) -> Option<f64> {
    interval(of).map(|ends| ends.high)
}

fn units(of: Option<Estimate>) -> i64 {
    of.and_then(|estimate| i64::try_from(estimate.units).ok()).unwrap_or(0)
}

fn elo(l7: Option<f64>) -> Option<f64> {
    l7.map(|l7| Strength::of(l7).elo)
}

/// A row of one of the three tables: its own columns, then the figures all three share.
macro_rules! row {
    ($row:ident { $($own:ident: $is:expr),* $(,)? }, $figures:expr) => {{
        let f: &Figures = $figures;
        let total = f.sums.total();
        let luck = luck(&total);
        let difficulty = difficulty(&total);
        $row {
            $($own: $is,)*
            decisions: total.counted,
            decisions_checker: f.sums.of(Nature::Checker).counted,
            decisions_double: f.sums.of(Nature::Double).counted,
            decisions_take: f.sums.of(Nature::Take).counted,
            error_sum: f.errors.total,
            error_checker: f.errors.checker,
            error_double: f.errors.double,
            error_take: f.errors.take,
            pr: value(f.pr),
            pr_low: low(f.pr),
            pr_high: high(f.pr),
            pr_units: units(f.pr),
            pr_checker: value(f.pr_checker),
            pr_checker_low: low(f.pr_checker),
            pr_checker_high: high(f.pr_checker),
            pr_cube: value(f.pr_cube),
            pr_cube_low: low(f.pr_cube),
            pr_cube_high: high(f.pr_cube),
            snowie: f.snowie,
            loss: f.losses.total,
            loss_checker: f.losses.checker,
            loss_double: f.losses.double,
            loss_take: f.losses.take,
            priced: total.priced,
            l7: value(f.l7),
            l7_low: low(f.l7),
            l7_high: high(f.l7),
            l7_units: units(f.l7),
            l7_checker: f.l7_checker,
            l7_cube: f.l7_cube,
            elo_vs_engine: elo(value(f.l7)),
            elo_low: elo(high(f.l7)),
            elo_high: elo(low(f.l7)),
            elo_floored: value(f.l7).map(|l7| Strength::of(l7).floored),
            difficulty: difficulty.map(|d| d.difficulty),
            excess: difficulty.map(|d| d.excess),
            ratio: difficulty.and_then(|d| d.ratio),
            errors: total.errors,
            blunders: total.blunders,
            avoidable: total.avoidable,
            luck: luck.equity,
            luck_mwc: luck.mwc,
            luck_rolls: total.luck_rolls,
            rolls: total.rolls,
            hasty: f.pace.map(|pace| pace.hasty),
            considered: f.pace.map(|pace| pace.considered),
            unknown_pace: f.pace.map(|pace| pace.unknown),
            forced: total.forced,
            outside_window: total.outside_window,
            unrated: total.unrated,
            uncounted_errors: total.uncounted_errors,
            uncounted_mpt: total.uncounted_mpt,
        }
    }};
}

/// What only a match has.
struct MatchOnly {
    seat: Option<i64>,
    player: Option<String>,
    opponent: Option<String>,
    won: Option<bool>,
    luck_adjusted: Option<f64>,
    error_balance: Option<f64>,
    printed: Option<Printed>,
}

impl MatchOnly {
    fn of(played: &Played, side: Side) -> Self {
        let facts = &played.facts;
        let printed = facts.xg.then(|| printed(&played.sums(side), facts.length));
        let Side::One(seat) = side else {
            let (player, opponent, won) = (None, None, None);
            return Self { seat: None, player, opponent, won, luck_adjusted: None, error_balance: None, printed };
        };
        let own = played.sums(side).total();
        let opponent = played.sums(Side::One(seat.other())).total();
        let outcome = Outcome::of(facts.winner, seat);
        let side = finished(facts).and(outcome).map(|outcome| Finished {
            outcome,
            start: start(facts, seat),
            own: &own,
            opponent: &opponent,
        });
        Self {
            seat: Some(number(seat)),
            player: Some(facts.players[seat.index()].clone()),
            opponent: Some(facts.players[seat.other().index()].clone()),
            won: outcome.map(|outcome| outcome == Outcome::Won),
            luck_adjusted: side.and_then(adjusted),
            error_balance: error_balance(&own, &opponent),
            printed,
        }
    }
}

/// Only a finished points match has a luck-adjusted result.
fn finished(facts: &Facts) -> Option<()> {
    (facts.finished && matches!(facts.length, Length::Points(_))).then_some(())
}

fn start(facts: &Facts, seat: Seat) -> Option<i64> {
    facts.start.map(|first| match seat {
        Seat::First => first,
        Seat::Second => MWC_SCALE - first,
    })
}

/// The row of one side of a match: its intervals are over games.
#[must_use]
pub fn match_row(played: &Played, side: Side, settings: &Settings) -> PlayerMatchRow {
    let units = played.units(side);
    let weight = played.weight(side);
    let l7 = Seventh {
        whole: weight.and_then(|seats| l7::of_match(&played.losses(side), seats, settings.quantile)),
        weight: weight.map_or(0.0, l7::Seats::weight),
    };
    let material = Material {
        sums: played.sums(side),
        rolls_of_both: played.rated_rolls(),
        pace: played.pace(side),
        units: &units,
    };
    let figures = Figures::finish(&material, &l7, settings.quantile);
    let facts = &played.facts;
    let own = MatchOnly::of(played, side);
    let xg = own.printed;
    let by_nature = |at: usize| xg.map(|xg| xg.by_nature[at]);
    row!(
        PlayerMatchRow {
            season: facts.season.clone(),
            match_id: facts.match_id.clone(),
            seat: own.seat,
            player: own.player,
            opponent: own.opponent,
            date: facts.date,
            event: facts.event.clone(),
            round: facts.round.clone(),
            play: facts.length.token().to_owned(),
            length: Some(i64::from(facts.length.points())).filter(|points| *points > 0),
            finished: facts.finished,
            won: own.won,
            games: facts.games,
            luck_adjusted: own.luck_adjusted,
            coverage: coverage(&played.sums(Side::Both).total()),
            error_balance: own.error_balance,
            xg_pr: xg.and_then(|xg| xg.pr),
            xg_decisions: xg.map(|xg| xg.decisions),
            xg_decisions_checker: by_nature(0),
            xg_decisions_double: by_nature(1),
            xg_decisions_take: by_nature(2),
            xg_error_sum: xg.and_then(|xg| xg.errors.total),
            xg_error_checker: xg.and_then(|xg| xg.errors.checker),
            xg_error_double: xg.and_then(|xg| xg.errors.double),
            xg_error_take: xg.and_then(|xg| xg.errors.take),
            xg_loss: xg.and_then(|xg| xg.losses.total),
            xg_loss_checker: xg.and_then(|xg| xg.losses.checker),
            xg_loss_double: xg.and_then(|xg| xg.losses.double),
            xg_loss_take: xg.and_then(|xg| xg.losses.take),
        },
        &figures
    )
}

/// The three rows of a match: both seats together, and each.
pub fn match_rows(played: &Played, settings: &Settings) -> impl Iterator<Item = PlayerMatchRow> {
    let sides = [Side::Both, Side::One(Seat::First), Side::One(Seat::Second)];
    sides.into_iter().map(|side| match_row(played, side, settings))
}

/// A player's matches, or everybody's, on their way to figures.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pool {
    tally: Tally,
    sums: ByNature,
    rolls_of_both: i64,
    pace: Option<Pace>,
    units: Vec<Unit>,
    weights: Vec<WeightUnit>,
}

impl Pool {
    /// One more match, from one side.
    pub fn add(&mut self, played: &Played, side: Side) {
        let outcome = match side {
            Side::Both => None,
            Side::One(seat) => Outcome::of(played.facts.winner, seat),
        };
        let unit = played.unit(side);
        self.tally.add(outcome);
        self.sums += &played.sums(side);
        self.rolls_of_both += played.rated_rolls();
        self.pace = Pace::plus(self.pace, played.pace(side));
        self.units.push(unit);
        self.weights.extend(played.weight(side).map(|seats| WeightUnit { amount: unit.loss, weight: seats.weight() }));
    }

    /// Those of another pool, too.
    fn join(&mut self, mut other: Self) {
        self.tally += other.tally;
        self.sums += &other.sums;
        self.rolls_of_both += other.rolls_of_both;
        self.pace = Pace::plus(self.pace, other.pace);
        self.units.append(&mut other.units);
        self.weights.append(&mut other.weights);
    }

    fn figures(&self, settings: &Settings) -> Figures {
        let material =
            Material { sums: self.sums, rolls_of_both: self.rolls_of_both, pace: self.pace, units: &self.units };
        let l7 = Seventh { whole: l7::of_set(&self.weights, settings.quantile), weight: total_weight(&self.weights) };
        Figures::finish(&material, &l7, settings.quantile)
    }

    /// The row of a season. `player` absent = both seats of every match, which neither win nor lose.
    #[must_use]
    pub fn season_row(&self, season: &str, player: Option<&str>, settings: &Settings) -> PlayerSeasonRow {
        let figures = self.figures(settings);
        row!(
            PlayerSeasonRow {
                season: season.to_owned(),
                player: player.map(str::to_owned),
                matches: self.tally.matches,
                wins: player.map(|_| self.tally.wins),
                losses: player.map(|_| self.tally.losses),
                level: value(figures.pr).map(|pr| level(pr).to_owned()),
            },
            &figures
        )
    }

    /// The row of a career; see [`Pool::season_row`].
    #[must_use]
    pub fn career_row(&self, player: Option<&str>, settings: &Settings) -> PlayerCareerRow {
        let figures = self.figures(settings);
        row!(
            PlayerCareerRow {
                player: player.map(str::to_owned),
                matches: self.tally.matches,
                wins: player.map(|_| self.tally.wins),
                losses: player.map(|_| self.tally.losses),
                level: value(figures.pr).map(|pr| level(pr).to_owned()),
            },
            &figures
        )
    }
}

/// Takes matches in any order and gives the three tables.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    settings: Settings,
    player_match: Vec<PlayerMatchRow>,
    pools: Pools,
}

/// Pools of seasons and careers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pools {
    seasons: BTreeMap<(String, Option<String>), Pool>,
    careers: BTreeMap<Option<String>, Pool>,
}

impl Ledger {
    /// An empty one.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// One match, once.
    pub fn enter(&mut self, played: &Played) {
        self.player_match.extend(match_rows(played, &self.settings));
        self.pool(played);
    }

    /// One match, once, for the larger pools alone.
    pub fn pool(&mut self, played: &Played) {
        for (player, side) in played.facts.selections() {
            self.add(played, player, side);
        }
    }

    /// Takes in the pools of another one.
    pub fn join(&mut self, other: Pools) {
        other.seasons.into_iter().for_each(|(whose, pool)| self.pools.seasons.entry(whose).or_default().join(pool));
        other.careers.into_iter().for_each(|(whose, pool)| self.pools.careers.entry(whose).or_default().join(pool));
    }

    /// Its pools alone.
    #[must_use]
    pub fn pools(self) -> Pools {
        self.pools
    }

    /// Adds a match to the season and the career of a player (nobody: everybody's).
    fn add(&mut self, played: &Played, player: Option<&str>, side: Side) {
        let facts = &played.facts;
        let player = player.map(str::to_owned);
        self.pools.seasons.entry((facts.season.clone(), player.clone())).or_default().add(played, side);
        self.pools.careers.entry(player).or_default().add(played, side);
    }

    /// The tables, sorted by their keys.
    #[must_use]
    pub fn close(mut self) -> Marts {
        self.player_match.sort_by(|a, b| (&a.match_id, a.seat).cmp(&(&b.match_id, b.seat)));
        let seasons = self.pools.seasons.iter();
        let careers = self.pools.careers.iter();
        Marts {
            player_season: seasons
                .map(|((season, player), pool)| pool.season_row(season, player.as_deref(), &self.settings))
                .collect(),
            player_career: careers.map(|(player, pool)| pool.career_row(player.as_deref(), &self.settings)).collect(),
            player_match: self.player_match,
        }
    }
}
