//! Signed biases: in which direction am I wrong? (`metrics.md` 15)
//!
//! Each decision of a base leans too far (+1), not far enough (-1) or neither; the bias is the mean. The interval is
//! that of a proportion with a sign, over decisions, and its bounds are not clipped: a bias may be negative. Under
//! twenty decisions nothing is said, and the figures are shown all the same.

use super::Settings;
use super::cell_sums::CellSums;
use super::entry::Entry;
use super::interval::Quantile;
use super::player::MPT;
use crate::tables::dimension::{BIAS_BLOTS, BIAS_DOUBLE, BIASES, Dimension, score_of};
use crate::tables::study_marts::BiasRow;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Decisions under which a bias has no verdict: fewer say more about the positions than about the player.
pub const LEAST_DECISIONS: i64 = 20;

/// What a bias amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval is above 0.
    TooMuch,
    /// The whole interval is below 0.
    TooLittle,
    /// The interval holds 0.
    Balanced,
    /// Too few decisions.
    Insufficient,
}

impl Verdict {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::TooMuch => "too_much",
            Self::TooLittle => "too_little",
            Self::Balanced => "balanced",
            Self::Insufficient => "insufficient",
        }
    }
}

/// How often a player leans which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leanings {
    /// Too much.
    pub plus: i64,
    /// Too little.
    pub minus: i64,
    /// The base, those that lean neither way included.
    pub decisions: i64,
}

/// A bias and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bias {
    /// (plus - minus) / decisions, from -1 to 1.
    pub value: f64,
    /// Half the width of its 95 % interval.
    pub half_width: f64,
}

impl Leanings {
    /// `None` over no decision. Its units are the decisions.
    #[must_use]
    pub fn bias(self, quantile: Quantile) -> Option<Bias> {
        if self.decisions == 0 {
            return None;
        }
        let (n, lean) = (i128::from(self.decisions), i128::from(self.plus) - i128::from(self.minus));
        // Var of x = ((P + M) / N - B^2): over N^2 its numerator is whole, so that a player who always leans one way
        // has exactly none.
        let spread = n * (i128::from(self.plus) + i128::from(self.minus)) - lean * lean;
        let whole = n as f64;
        let units = usize::try_from(self.decisions).unwrap_or(usize::MAX);
        let half_width = quantile.multiple(units) * (spread.max(0) as f64 / whole).sqrt() / whole;
        Some(Bias { value: lean as f64 / whole, half_width })
    }

    /// What it amounts to.
    #[must_use]
    pub fn verdict(self, quantile: Quantile) -> Verdict {
        match self.bias(quantile) {
            Some(bias) if self.decisions >= LEAST_DECISIONS => bias.direction(),
            _ => Verdict::Insufficient,
        }
    }
}

impl Bias {
    /// Lower end of its interval.
    #[must_use]
    pub fn low(self) -> f64 {
        self.value - self.half_width
    }

    /// Upper end.
    #[must_use]
    pub fn high(self) -> f64 {
        self.value + self.half_width
    }

    fn direction(self) -> Verdict {
        if self.low() > 0.0 {
            Verdict::TooMuch
        } else if self.high() < 0.0 {
            Verdict::TooLittle
        } else {
            Verdict::Balanced
        }
    }
}

/// Season, player, bias, score: the key of the table. No score = all of them; (0, 0) = money.
type Key = (String, Option<String>, Cow<'static, str>, Option<(i64, i64)>);

/// Takes matches in any order and gives the table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Biases {
    #[serde(skip)]
    settings: Settings,
    sums: BTreeMap<Key, CellSums>,
}

impl Biases {
    /// An empty one.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// One match, once.
    pub fn enter(&mut self, entry: &Entry<'_>) {
        let facts = &entry.played.facts;
        for (player, side) in facts.selections() {
            let mut add = |bias: &'static str, score, sums: &CellSums| {
                let key = (facts.season.clone(), player.map(str::to_owned), Cow::Borrowed(bias), score);
                *self.sums.entry(key).or_default() += sums;
            };
            for bias in BIASES {
                add(bias, None, &entry.of_cell(side, Dimension::Bias, bias).unwrap_or_default());
            }
            for (cell, sums) in entry.of(side, Dimension::DoubleByScore) {
                if let Some(score) = score_of(cell) {
                    add(BIAS_DOUBLE, Some(score), &sums);
                }
            }
        }
    }

    /// Takes in what another one took.
    pub fn join(&mut self, other: Self) {
        other.sums.into_iter().for_each(|(key, sums)| *self.sums.entry(key).or_default() += &sums);
    }

    /// The table, sorted by its key: three rows a player whatever he decided, and one a score he had a cube at.
    #[must_use]
    pub fn close(self) -> Vec<BiasRow> {
        let mut rows: Vec<BiasRow> =
            self.sums.into_iter().map(|(key, sums)| row(key, &sums, self.settings.quantile)).collect();
        rows.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        rows
    }
}

fn sort_key(row: &BiasRow) -> (&str, Option<&str>, &str, Option<i64>, Option<i64>) {
    (&row.season, row.player.as_deref(), &row.bias, row.own_away, row.opp_away)
}

fn row((season, player, bias, score): Key, sums: &CellSums, quantile: Quantile) -> BiasRow {
    let leanings = Leanings { plus: sums.plus, minus: sums.minus, decisions: sums.n };
    let figure = leanings.bias(quantile);
    BiasRow {
        season,
        player,
        excluded_share: (bias == BIAS_BLOTS).then(|| share(sums.unread, sums.n)).flatten(),
        bias: bias.into_owned(),
        own_away: score.map(|(own, _)| own),
        opp_away: score.map(|(_, opponent)| opponent),
        decisions: sums.n,
        plus: sums.plus,
        minus: sums.minus,
        value: figure.map(|bias| bias.value),
        low: figure.map(Bias::low),
        high: figure.map(Bias::high),
        verdict: leanings.verdict(quantile).token().to_owned(),
        cost_plus: sums.plus_mpt as f64 / MPT,
        cost_minus: sums.minus_mpt as f64 / MPT,
    }
}

/// Unread / all; absent over nothing.
fn share(unread: i64, read: i64) -> Option<f64> {
    (unread + read > 0).then(|| unread as f64 / (unread + read) as f64)
}
