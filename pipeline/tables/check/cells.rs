//! Cells against their decisions: every sum of `cells` that needs no threshold is made again, plainly, from the rows of
//! `decisions`, and has to be the same.
//!
//! Two dimensions are held together as a whole, for their cells need what the tables do not say: `clock` a median, which
//! only parts the decisions that have a time; `theme` the Error threshold. Its cells hold errors and nothing else, and as
//! many as every other whole dimension says there are.

use super::Findings;
use crate::tables::columns::Columns;
use crate::tables::dimension::{
    self, ANSWER_RIGHT, ANSWER_WRONG_PASS, ANSWER_WRONG_TAKE, BIAS_BLOTS, BIAS_DOUBLE, BIAS_TAKE, CRAWFORD, DMP,
    Dimension, NO_PRESSURE, OFFER_MISSED, OFFER_PREMATURE, OFFER_RIGHT, POST_CRAWFORD, UNKNOWN,
};
use crate::tables::partials::CellRow;
use crate::tables::row::Row;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The columns of a decision: match and seat first, then what [`Seen::of`] reads.
pub(super) const COLUMNS: [&str; 17] = [
    "match_id",
    "seat",
    "kind",
    "own_away",
    "opp_away",
    "regime",
    "best",
    "depth_best",
    "phase",
    "plan",
    "counted",
    "contact",
    "e_mpt",
    "loss",
    "seconds",
    "blots_played",
    "blots_best",
];

/// The sums of a cell, as their columns are called.
const SUMS: [&str; 9] = ["n", "priced", "mpt", "loss", "plus", "minus", "plus_mpt", "minus_mpt", "unread"];

/// In the order of [`SUMS`].
type Sums = [i64; SUMS.len()];

/// Match and seat.
type Side = (String, i64);

/// The sums of a side by dimension and cell. The cells of `clock` stand together under the empty word.
type Cells = BTreeMap<&'static str, BTreeMap<String, Sums>>;

/// What the cells need of one counted decision.
struct Seen<'a> {
    kind: &'a str,
    away: (i64, i64),
    regime: &'a str,
    best: &'a str,
    depth: &'a str,
    phase: &'a str,
    plan: &'a str,
    contact: bool,
    mpt: i64,
    loss: Option<i64>,
    seconds: Option<i64>,
    blots: Option<(i64, i64)>,
    /// Among the counted decisions of its side, from 1.
    rank: i64,
}

impl<'a> Seen<'a> {
    fn of(batch: &'a Columns, row: usize) -> Self {
        let text = |column| batch.text(row, column).unwrap_or_default();
        let known = |column| batch.text(row, column).unwrap_or(UNKNOWN);
        let int = |column| batch.int(row, column).unwrap_or_default();
        Self {
            kind: text(2),
            away: (int(3), int(4)),
            regime: text(5),
            best: known(6),
            depth: known(7),
            phase: text(8),
            plan: text(9),
            contact: batch.flag(row, 11),
            mpt: int(12),
            loss: batch.int(row, 13),
            seconds: batch.int(row, 14),
            blots: batch.int(row, 15).zip(batch.int(row, 16)),
            rank: 0,
        }
    }

    fn is_checker(&self) -> bool {
        self.kind == "checker"
    }

    /// Which cell of a dimension it lies in; a bias names its base.
    fn cell(&self, of: Dimension) -> Option<Cow<'a, str>> {
        let word = match of {
            Dimension::Score => return Some(self.score()),
            Dimension::DoubleByScore => return (self.bias() == Some(BIAS_DOUBLE)).then(|| self.score()),
            Dimension::PlanNature => {
                let nature = if self.is_checker() { "checker" } else { "cube" };
                return Some(dimension::plan_nature_cell(self.plan, nature).into());
            }
            Dimension::Phase => Some(self.phase),
            Dimension::Plan => Some(self.plan),
            Dimension::Kind => Some(self.kind),
            Dimension::Depth => Some(self.depth),
            Dimension::Pressure => Some(self.pressure()),
            Dimension::Time => dimension::band(&dimension::TIMES, self.seconds?),
            Dimension::Histogram => dimension::band(&dimension::SIZES, self.mpt),
            Dimension::Rank => dimension::band(&dimension::RANKS, self.rank),
            Dimension::Clock => self.seconds.map(|_| ""),
            Dimension::BestAction => (!self.is_checker()).then_some(self.best),
            Dimension::Direction => self.direction(),
            Dimension::Bias => self.bias(),
            Dimension::Theme => None,
        };
        word.map(Cow::Borrowed)
    }

    fn score(&self) -> Cow<'a, str> {
        dimension::score_cell(self.away.0, self.away.1).into()
    }

    fn pressure(&self) -> &'static str {
        match self.regime {
            _ if self.away == (1, 1) => DMP,
            "crawford" => CRAWFORD,
            "post_crawford" => POST_CRAWFORD,
            _ => NO_PRESSURE,
        }
    }

    fn direction(&self) -> Option<&'static str> {
        match (self.kind, self.mpt) {
            ("no_double" | "double", 0) => Some(OFFER_RIGHT),
            ("take" | "pass", 0) => Some(ANSWER_RIGHT),
            ("no_double", _) => Some(OFFER_MISSED),
            ("double", _) => Some(OFFER_PREMATURE),
            ("pass", _) => Some(ANSWER_WRONG_PASS),
            ("take", _) => Some(ANSWER_WRONG_TAKE),
            _ => None,
        }
    }

    fn bias(&self) -> Option<&'static str> {
        match self.kind {
            "take" | "pass" => Some(BIAS_TAKE),
            "no_double" | "double" => Some(BIAS_DOUBLE),
            "checker" if self.contact => Some(BIAS_BLOTS),
            _ => None,
        }
    }

    /// +1 too much, -1 too little; nothing where a board is not known.
    fn tilt(&self) -> Option<i64> {
        match self.kind {
            _ if self.mpt == 0 => Some(0),
            "take" | "double" => Some(1),
            "pass" | "no_double" => Some(-1),
            _ => self.blots.map(|(played, best)| (played - best).signum()),
        }
    }

    /// What it adds to a cell.
    fn adds(&self, of: Dimension) -> Sums {
        let mut sums = [0; SUMS.len()];
        let tilted = matches!(of, Dimension::Bias | Dimension::DoubleByScore);
        let tilt = if tilted { self.tilt() } else { Some(0) };
        let Some(tilt) = tilt else {
            sums[8] = 1;
            return sums;
        };
        (sums[0], sums[1], sums[2], sums[3]) =
            (1, i64::from(self.loss.is_some()), self.mpt, self.loss.unwrap_or_default());
        if tilt > 0 {
            (sums[4], sums[6]) = (1, self.mpt);
        }
        if tilt < 0 {
            (sums[5], sums[7]) = (1, self.mpt);
        }
        sums
    }
}

fn add(cells: &mut BTreeMap<String, Sums>, cell: &str, sums: &Sums) {
    match cells.get_mut(cell) {
        Some(total) => total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum),
        None => _ = cells.insert(cell.to_owned(), *sums),
    }
}

fn side(batch: &Columns, row: usize) -> Side {
    (batch.text(row, 0).unwrap_or_default().to_owned(), batch.int(row, 1).unwrap_or_default())
}

/// `cells_are_sums`: what the decisions give and what the table says, but for `theme`.
#[derive(Default)]
pub(super) struct Compared {
    /// With the rank of the last decision.
    expected: BTreeMap<Side, (i64, Cells)>,
    stored: BTreeMap<Side, Cells>,
    errors: Errors,
}

/// How many errors each whole dimension of a side says there are.
type Errors = BTreeMap<Side, BTreeMap<&'static str, i64>>;

/// The columns of the cells.
pub(super) fn stored() -> Vec<&'static str> {
    ["match_id", "seat", "dimension", "cell", "errors", "blunders"].into_iter().chain(SUMS).collect()
}

impl Compared {
    pub(super) fn decisions(&mut self, batch: &Columns) {
        for row in (0..batch.rows()).filter(|row| batch.flag(*row, 10)) {
            let (rank, cells) = self.expected.entry(side(batch, row)).or_default();
            *rank += 1;
            let seen = Seen { rank: *rank, ..Seen::of(batch, row) };
            for dimension in Dimension::ALL {
                let Some(cell) = seen.cell(dimension) else { continue };
                add(cells.entry(dimension.token()).or_default(), &cell, &seen.adds(dimension));
            }
        }
    }

    /// What a row contradicts itself in is a finding.
    pub(super) fn cells(&mut self, batch: &Columns, findings: &mut Findings) {
        for row in 0..batch.rows() {
            let side = side(batch, row);
            let word = batch.text(row, 2).unwrap_or_default();
            let Some(dimension) = Dimension::ALL.into_iter().find(|dimension| dimension.token() == word) else {
                block(findings, &side, format!("no decisions are parted by {word}"));
                continue;
            };
            let sums: Sums = std::array::from_fn(|at| batch.int(row, at + 6).unwrap_or_default());
            let wrong = batch.int(row, 4).unwrap_or_default();
            if wrong > sums[0] || batch.int(row, 5) > Some(wrong) || (dimension == Dimension::Theme && wrong != sums[0])
            {
                block(findings, &side, format!("{word}: {wrong} errors do not fit {} decisions", sums[0]));
            }
            if is_whole(dimension) {
                *self.errors.entry(side.clone()).or_default().entry(dimension.token()).or_default() += wrong;
            }
            if dimension != Dimension::Theme {
                let cell = if dimension == Dimension::Clock { "" } else { batch.text(row, 3).unwrap_or_default() };
                add(self.stored.entry(side).or_default().entry(dimension.token()).or_default(), cell, &sums);
            }
        }
    }

    /// Holds what was seen of the two tables against each other.
    pub(super) fn end(self, findings: &mut Findings) {
        self.whole_dimensions(findings);
        let mut expected: BTreeMap<Side, Cells> =
            self.expected.into_iter().map(|(side, (_, cells))| (side, cells)).collect();
        for (side, stored) in self.stored {
            let mut expected = expected.remove(&side).unwrap_or_default();
            for (dimension, stored) in stored {
                compare((&side, dimension), (&expected.remove(dimension).unwrap_or_default(), &stored), findings);
            }
            for (dimension, expected) in expected {
                compare((&side, dimension), (&expected, &BTreeMap::new()), findings);
            }
        }
        for (side, cells) in expected {
            for (dimension, expected) in cells {
                compare((&side, dimension), (&expected, &BTreeMap::new()), findings);
            }
        }
    }

    /// They all say how many errors there are.
    fn whole_dimensions(&self, findings: &mut Findings) {
        for (side, counts) in &self.errors {
            let of_kinds = counts.get(Dimension::Kind.token()).copied().unwrap_or_default();
            for dimension in Dimension::ALL.into_iter().filter(|dimension| is_whole(*dimension)) {
                let count = counts.get(dimension.token()).copied().unwrap_or_default();
                if count != of_kinds {
                    block(findings, side, format!("{} has {count} errors, kind has {of_kinds}", dimension.token()));
                }
            }
        }
    }
}

/// The cells of one dimension of a side.
fn compare(
    (side, dimension): (&Side, &'static str),
    (expected, stored): (&BTreeMap<String, Sums>, &BTreeMap<String, Sums>),
    findings: &mut Findings,
) {
    let nothing = [0; SUMS.len()];
    for cell in expected.keys().chain(stored.keys()) {
        let (wanted, got) = (expected.get(cell).unwrap_or(&nothing), stored.get(cell).unwrap_or(&nothing));
        for ((name, wanted), got) in SUMS.iter().zip(wanted).zip(got) {
            if wanted != got {
                block(findings, side, format!("{dimension} {cell}: {name} is {got}, the decisions give {wanted}"));
            }
        }
    }
}

/// Whether every error of a side lies in exactly one cell of a dimension.
const fn is_whole(dimension: Dimension) -> bool {
    matches!(
        dimension,
        Dimension::Phase
            | Dimension::Plan
            | Dimension::Theme
            | Dimension::Score
            | Dimension::Kind
            | Dimension::Depth
            | Dimension::PlanNature
            | Dimension::Pressure
            | Dimension::Histogram
            | Dimension::Rank
    )
}

fn block(findings: &mut Findings, (match_id, seat): &Side, words: String) {
    let sentence = format!("seat {seat}: {words}");
    findings.block(("cells_are_sums", CellRow::TABLE), Some(match_id), sentence);
}
