//! The sums of a match by cell: phase, plan, score, pace and all else that the measures part a player's decisions by
//! (`metrics.md` 14 to 18).
//!
//! Only counted decisions are in a cell. First moments of whole numbers, one row per match, seat, dimension and cell;
//! a cell nothing falls into has no row. A decision is in at most one cell of a dimension, except that a bias and the
//! breakdown of its kind look at the same decision each in its own way. What the words mean is
//! [`crate::tables::dimension`]'s to say.

use super::Rules;
use super::pace::{Medians, Pace};
use crate::game::{CubeAction, Kind, Regime};
use crate::tables::dimension::{
    self, ANSWER_RIGHT, ANSWER_WRONG_PASS, ANSWER_WRONG_TAKE, BIAS_BLOTS, BIAS_DOUBLE, BIAS_TAKE, CONSIDERED, CRAWFORD,
    DMP, Dimension, NO_PRESSURE, NO_THEME, OFFER_MISSED, OFFER_PREMATURE, OFFER_RIGHT, POST_CRAWFORD, QUICK, UNKNOWN,
};
use crate::tables::facts::DecisionRow;
use crate::tables::partials::CellRow;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Sums of whole rated matches, sorted by match, seat, dimension and cell. `decisions` are sorted as stored.
#[must_use]
pub fn cells(decisions: &[DecisionRow], rules: &Rules) -> Vec<CellRow> {
    decisions.chunk_by(|a, b| a.match_id == b.match_id).flat_map(|of_match| of_one_match(of_match, rules)).collect()
}

fn of_one_match(decisions: &[DecisionRow], rules: &Rules) -> Vec<CellRow> {
    let mut sheet = Sheet { rules, cells: BTreeMap::new() };
    for seen in seen(decisions) {
        sheet.put(&seen);
    }
    sheet.cells.into_values().collect()
}

/// The cells that the decision of this order is in, each holding it alone. `decisions` are all of its match, sorted as
/// stored: some cells say where a decision stands among them.
#[must_use]
pub fn of_decision(decisions: &[DecisionRow], order: i64, rules: &Rules) -> Vec<CellRow> {
    let mut sheet = Sheet { rules, cells: BTreeMap::new() };
    for seen in seen(decisions).iter().filter(|seen| seen.row.order == order) {
        sheet.put(seen);
    }
    sheet.cells.into_values().collect()
}

/// The counted decisions of a match, and where each stands in it.
fn seen(decisions: &[DecisionRow]) -> Vec<Seen<'_>> {
    let medians = Medians::of(decisions);
    let mut ranks: BTreeMap<i64, i64> = BTreeMap::new();
    let mut all = Vec::new();
    for row in decisions.iter().filter(|row| row.counted) {
        let (Some(kind), Some(mpt)) = (Kind::from_token(&row.kind), row.e_mpt) else { continue };
        let rank = ranks.entry(row.seat).or_default();
        *rank += 1;
        all.push(Seen { row, kind, mpt, rank: *rank, pace: medians.pace(row) });
    }
    all
}

/// A counted decision, and where it stands in its match.
struct Seen<'a> {
    row: &'a DecisionRow,
    kind: Kind,
    mpt: i64,
    /// Among the counted decisions of its seat, from 1: a match against oneself has two such series.
    rank: i64,
    pace: Pace,
}

/// A cell of a dimension.
type Place<'a> = (Dimension, Cow<'a, str>);

impl<'a> Seen<'a> {
    /// The cells any decision can be in.
    fn breakdowns(&self, rules: &Rules) -> Vec<Place<'a>> {
        let row = self.row;
        let score = dimension::score_cell(row.own_away, row.opp_away);
        let nature = self.kind.nature().token();
        let theme = || row.theme.as_deref().unwrap_or(NO_THEME);
        let mut places: Vec<Place<'a>> = vec![
            (Dimension::Phase, row.phase.as_str().into()),
            (Dimension::Plan, row.plan.as_str().into()),
            (Dimension::Score, score.into()),
            (Dimension::Kind, self.kind.token().into()),
            (Dimension::Depth, row.depth_best.as_deref().unwrap_or(UNKNOWN).into()),
            (Dimension::PlanNature, dimension::plan_nature_cell(&row.plan, nature).into()),
            (Dimension::Pressure, pressure(row).into()),
        ];
        let words = [
            (Dimension::Theme, (self.mpt >= rules.error.0).then(theme)),
            (Dimension::Time, row.seconds.and_then(|seconds| dimension::band(&dimension::TIMES, seconds))),
            (Dimension::Histogram, dimension::band(&dimension::SIZES, self.mpt)),
            (Dimension::Rank, dimension::band(&dimension::RANKS, self.rank)),
            (Dimension::Clock, clock(self.pace)),
        ];
        places.extend(words.into_iter().filter_map(|(dimension, word)| Some((dimension, Cow::from(word?)))));
        places
    }

    /// The cells only cube actions are in.
    fn of_cube(&self) -> Vec<Place<'a>> {
        let Kind::Cube(action) = self.kind else { return Vec::new() };
        vec![
            (Dimension::BestAction, self.row.best.as_deref().unwrap_or(UNKNOWN).into()),
            (Dimension::Direction, direction(action, self.mpt).into()),
        ]
    }

    /// Which bias the decision is in the base of, and what it says there.
    fn bias(&self) -> Option<(&'static str, Tilt)> {
        let wrong = |tilt| if self.mpt > 0 { tilt } else { Tilt::Straight };
        match self.kind {
            Kind::Cube(CubeAction::Take) => Some((BIAS_TAKE, wrong(Tilt::TooMuch))),
            Kind::Cube(CubeAction::Pass) => Some((BIAS_TAKE, wrong(Tilt::TooLittle))),
            Kind::Cube(CubeAction::Double) => Some((BIAS_DOUBLE, wrong(Tilt::TooMuch))),
            Kind::Cube(CubeAction::NoDouble) => Some((BIAS_DOUBLE, wrong(Tilt::TooLittle))),
            Kind::Checker if self.row.contact => Some((BIAS_BLOTS, wrong(self.blots()))),
            Kind::Checker => None,
        }
    }

    fn blots(&self) -> Tilt {
        let Some((played, best)) = self.row.blots_played.zip(self.row.blots_best) else { return Tilt::Unread };
        match played.cmp(&best) {
            Ordering::Greater => Tilt::TooMuch,
            Ordering::Less => Tilt::TooLittle,
            Ordering::Equal => Tilt::Straight,
        }
    }
}

/// In which direction a decision errs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tilt {
    TooMuch,
    TooLittle,
    Straight,
    /// A board is not known: out of the base.
    Unread,
}

fn pressure(row: &DecisionRow) -> &'static str {
    if (row.own_away, row.opp_away) == (1, 1) {
        return DMP;
    }
    match Regime::from_token(&row.regime) {
        Some(Regime::Crawford) => CRAWFORD,
        Some(Regime::PostCrawford) => POST_CRAWFORD,
        Some(Regime::Money | Regime::Normal) | None => NO_PRESSURE,
    }
}

fn clock(pace: Pace) -> Option<&'static str> {
    match pace {
        Pace::Hasty => Some(QUICK),
        Pace::Considered => Some(CONSIDERED),
        Pace::Unknown => None,
    }
}

/// A cube error has one direction: that of the action.
fn direction(action: CubeAction, mpt: i64) -> &'static str {
    match action {
        CubeAction::NoDouble | CubeAction::Double if mpt == 0 => OFFER_RIGHT,
        CubeAction::Take | CubeAction::Pass if mpt == 0 => ANSWER_RIGHT,
        CubeAction::NoDouble => OFFER_MISSED,
        CubeAction::Double => OFFER_PREMATURE,
        CubeAction::Pass => ANSWER_WRONG_PASS,
        CubeAction::Take => ANSWER_WRONG_TAKE,
    }
}

/// The cells of one match on their way, in the order of the table's key.
struct Sheet<'a> {
    rules: &'a Rules,
    cells: BTreeMap<(i64, &'static str, Cow<'a, str>), CellRow>,
}

impl<'a> Sheet<'a> {
    fn cell(&mut self, row: &DecisionRow, (dimension, cell): Place<'a>) -> &mut CellRow {
        let token = dimension.token();
        self.cells.entry((row.seat, token, cell)).or_insert_with_key(|(seat, dimension, cell)| CellRow {
            season: row.season.clone(),
            match_id: row.match_id.clone(),
            seat: *seat,
            dimension: (*dimension).to_owned(),
            cell: cell.clone().into_owned(),
            ..CellRow::default()
        })
    }

    /// Everything one decision adds.
    fn put(&mut self, seen: &Seen<'a>) {
        for (dimension, cell) in seen.breakdowns(self.rules).into_iter().chain(seen.of_cube()) {
            self.add(seen, dimension, cell);
        }
        self.add_bias(seen);
    }

    fn add(&mut self, seen: &Seen<'_>, dimension: Dimension, cell: Cow<'a, str>) {
        let Rules { error, blunder, .. } = *self.rules;
        let sum = self.cell(seen.row, (dimension, cell));
        sum.n += 1;
        sum.mpt += seen.mpt;
        sum.errors += i64::from(seen.mpt >= error.0);
        sum.blunders += i64::from(seen.mpt >= blunder.0);
        if let Some(loss) = seen.row.loss {
            sum.priced += 1;
            sum.loss += loss;
        }
    }

    fn add_bias(&mut self, seen: &Seen<'_>) {
        let Some((bias, tilt)) = seen.bias() else { return };
        self.tilt(seen, (Dimension::Bias, bias.into()), tilt);
        if bias == BIAS_DOUBLE {
            let score = dimension::score_cell(seen.row.own_away, seen.row.opp_away);
            self.tilt(seen, (Dimension::DoubleByScore, score.into()), tilt);
        }
    }

    fn tilt(&mut self, seen: &Seen<'_>, place: Place<'a>, tilt: Tilt) {
        if tilt == Tilt::Unread {
            self.cell(seen.row, place).unread += 1;
            return;
        }
        self.add(seen, place.0, place.1.clone());
        let sum = self.cell(seen.row, place);
        match tilt {
            Tilt::TooMuch => {
                sum.plus += 1;
                sum.plus_mpt += seen.mpt;
            }
            Tilt::TooLittle => {
                sum.minus += 1;
                sum.minus_mpt += seen.mpt;
            }
            Tilt::Straight | Tilt::Unread => {}
        }
    }
}
