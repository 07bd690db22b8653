//! Breakdowns: where do I lose? PR by phase, plan, theme, score, opponent and all else (`metrics.md` 18), and the
//! histogram of errors.
//!
//! A cell is a pool like any other: sums before the ratio, matches as units, no interval where there are too few. The
//! cells of a dimension add up to the whole, except where a decision may be in none of them: without a time, without a
//! cube, under the Error threshold ([`Dimension::Theme`], whose figure is the mean of errors and no level). Cells
//! without a decision have no row. The number of cells beside each other is the reader's warning: one in forty is out
//! of line by chance on either side.

use super::Settings;
use super::cell_sums::CellSums;
use super::entry::Entry;
use super::interval::{CountUnit, Spread};
use super::loss::MWC;
use super::played::Side;
use super::pr::pooled;
use crate::game::Length;
use crate::tables::dimension::{Dimension, MONEY, SIZES};
use crate::tables::row::Day;
use crate::tables::study_marts::{BreakdownRow, HistogramRow};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The dimensions that come out of `cells` as they are.
const FROM_CELLS: [Dimension; 9] = [
    Dimension::Phase,
    Dimension::Plan,
    Dimension::Theme,
    Dimension::Score,
    Dimension::Kind,
    Dimension::BestAction,
    Dimension::Direction,
    Dimension::Time,
    Dimension::Depth,
];

/// By match length, or `money`.
pub const LENGTH: &str = "length";
/// By who sat opposite.
pub const OPPONENT: &str = "opponent";
/// By the program of the analysis.
pub const ENGINE: &str = "engine";
/// By month of the match: `2026-03`.
pub const MONTH: &str = "month";

/// The month of a match without a date.
pub const UNDATED: &str = "undated";

/// Season and player.
type Whose = (String, Option<String>);

/// Dimension, then cell.
type Cells = BTreeMap<Cow<'static, str>, BTreeMap<String, Pool>>;

/// One cell on its way.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Pool {
    sums: CellSums,
    /// Over matches.
    units: Spread,
}

impl std::ops::AddAssign<&CellSums> for Pool {
    /// One match more.
    fn add_assign(&mut self, sums: &CellSums) {
        self.sums += sums;
        self.units += CountUnit { amount: sums.mpt, size: sums.n };
    }
}

impl std::ops::AddAssign<&Self> for Pool {
    /// The same cell over other matches.
    fn add_assign(&mut self, other: &Self) {
        self.sums += &other.sums;
        self.units += &other.units;
    }
}

/// Takes matches in any order and gives the table of breakdowns.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Breakdowns {
    #[serde(skip)]
    settings: Settings,
    /// Looked up once a match and player, and then by words that are not copied: a match has hundreds of cells.
    pools: BTreeMap<Whose, Cells>,
}

impl Breakdowns {
    /// An empty one.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// One match, once.
    pub fn enter(&mut self, entry: &Entry<'_>) {
        for (player, side) in entry.played.facts.selections() {
            let whose = (entry.played.facts.season.clone(), player.map(str::to_owned));
            let cells = self.pools.entry(whose).or_default();
            for dimension in FROM_CELLS {
                for (cell, sums) in entry.of(side, dimension) {
                    add(cells, (dimension.token(), cell), &sums);
                }
            }
            let whole = whole(entry, side);
            for (dimension, cell) in of_match(entry, side) {
                add(cells, (dimension, &cell), &whole);
            }
        }
    }

    /// Takes in what another one took.
    pub fn join(&mut self, other: Self) {
        for (whose, dimensions) in other.pools {
            let known = self.pools.entry(whose).or_default();
            for (dimension, cells) in dimensions {
                let known = known.entry(dimension).or_default();
                cells.into_iter().for_each(|(cell, pool)| *known.entry(cell).or_default() += &pool);
            }
        }
    }

    /// The table, sorted by its key.
    #[must_use]
    pub fn close(self) -> Vec<BreakdownRow> {
        let settings = self.settings;
        let mut rows = Vec::new();
        for (whose, dimensions) in self.pools {
            for (dimension, cells) in dimensions {
                rows.extend(cells.into_iter().map(|(cell, pool)| row((&whose, &dimension, cell), &pool, &settings)));
            }
        }
        rows
    }
}

fn add(cells: &mut Cells, (dimension, cell): (&'static str, &str), sums: &CellSums) {
    if sums.n == 0 {
        return;
    }
    let pools = cells.entry(Cow::Borrowed(dimension)).or_default();
    if let Some(pool) = pools.get_mut(cell) {
        *pool += sums;
    } else {
        *pools.entry(cell.to_owned()).or_default() += sums;
    }
}

/// The cells a whole match lies in.
fn of_match(entry: &Entry<'_>, side: Side) -> Vec<(&'static str, String)> {
    let facts = &entry.played.facts;
    let mut places = vec![
        (LENGTH, length(facts.length)),
        (ENGINE, entry.engine.to_owned()),
        (MONTH, facts.date.and_then(month).unwrap_or_else(|| UNDATED.to_owned())),
    ];
    if let Side::One(seat) = side {
        places.push((OPPONENT, facts.players[seat.other().index()].clone()));
    }
    places
}

fn length(length: Length) -> String {
    match length {
        Length::Money => MONEY.to_owned(),
        Length::Points(_) | Length::TooLong(_) => length.points().to_string(),
    }
}

/// `2026-03`; `None` outside the calendar.
fn month(day: Day) -> Option<String> {
    let epoch = jiff::civil::date(1970, 1, 1);
    let date = epoch.checked_add(jiff::Span::new().try_days(day.0).ok()?).ok()?;
    Some(format!("{:04}-{:02}", date.year(), date.month()))
}

/// A side's whole match as a cell.
fn whole(entry: &Entry<'_>, side: Side) -> CellSums {
    let total = entry.played.sums(side).total();
    CellSums {
        n: total.counted,
        priced: total.priced,
        mpt: total.mpt,
        loss: total.loss,
        errors: total.errors,
        blunders: total.blunders,
        ..CellSums::default()
    }
}

fn row(((season, player), dimension, cell): (&Whose, &str, String), pool: &Pool, settings: &Settings) -> BreakdownRow {
    let sums = &pool.sums;
    let pr = pooled(&pool.units, settings.quantile);
    let interval = pr.and_then(|pr| pr.interval);
    BreakdownRow {
        season: season.clone(),
        player: player.clone(),
        dimension: dimension.to_owned(),
        cell,
        decisions: sums.n,
        errors: sums.errors,
        blunders: sums.blunders,
        mpt: sums.mpt,
        pr: pr.map(|pr| pr.value),
        low: interval.map(|ends| ends.low),
        high: interval.map(|ends| ends.high),
        units: pr.and_then(|pr| i64::try_from(pr.units).ok()).unwrap_or(0),
        loss: (sums.priced > 0).then(|| sums.loss as f64 / MWC),
    }
}

/// Takes matches in any order and gives the histogram.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Histogram(BTreeMap<Whose, BTreeMap<Cow<'static, str>, CellSums>>);

impl Histogram {
    /// One match, once.
    pub fn enter(&mut self, entry: &Entry<'_>) {
        let facts = &entry.played.facts;
        for (player, side) in facts.selections() {
            let cells = entry.of(side, Dimension::Histogram);
            if cells.is_empty() {
                continue;
            }
            let classes = self.0.entry((facts.season.clone(), player.map(str::to_owned))).or_default();
            for (_, word) in SIZES {
                let sums = cells.iter().find(|(cell, _)| *cell == word).map(|(_, sums)| *sums);
                *classes.entry(Cow::Borrowed(word)).or_default() += &sums.unwrap_or_default();
            }
        }
    }

    /// Takes in what another one took.
    pub fn join(&mut self, other: Self) {
        for (whose, classes) in other.0 {
            let known = self.0.entry(whose).or_default();
            classes.into_iter().for_each(|(word, sums)| *known.entry(word).or_default() += &sums);
        }
    }

    /// The table, sorted by its key: all six classes of everybody who has a counted decision.
    #[must_use]
    pub fn close(self) -> Vec<HistogramRow> {
        let classes = |((season, player), classes): (Whose, BTreeMap<Cow<'static, str>, CellSums>)| {
            let ends = SIZES.iter().skip(1).map(|(from, _)| Some(*from)).chain([None]);
            let row = move |((from, word), to): (&(i64, &'static str), Option<i64>)| {
                let sums = classes.get(*word).copied().unwrap_or_default();
                HistogramRow {
                    season: season.clone(),
                    player: player.clone(),
                    from_mpt: *from,
                    to_mpt: to,
                    decisions: sums.n,
                    mpt: sums.mpt,
                }
            };
            SIZES.iter().zip(ends).map(row).collect::<Vec<_>>()
        };
        self.0.into_iter().flat_map(classes).collect()
    }
}
