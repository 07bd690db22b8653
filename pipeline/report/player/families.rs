//! The families of the study plan, position by position: the worst of each with its place in the match, and the XGIDs to
//! copy into a quiz (`product-views.md` 5); and what the Academy's libraries know of the plays. The boards stand on the
//! pages of the matches, which every row leads to.

use super::PlayerInput;
use crate::report::PlayerStudy;
use crate::report::academy::{Pair, pair};
use crate::report::card::address;
use crate::report::names::{XGID, shown};
use crate::report::parts::more;
use crate::report::{format, words};
use crate::tables::facts::{DecisionRow, MatchRow};
use crate::tables::study_marts::{FamilyPositionRow, StudyPlanRow};
use serde::Serialize;
use std::collections::BTreeMap;

/// Families whose positions are shown: a player studies one at a time.
const FAMILIES: usize = 5;
/// Positions of each.
const POSITIONS: usize = 5;

/// An established family and its worst positions.
#[derive(Serialize)]
pub(super) struct Family {
    id: String,
    name: String,
    positions: String,
    rows: Vec<Place>,
    known: Vec<Known>,
    more: String,
}

/// What the club knows of one position.
#[derive(Serialize)]
struct Known {
    rank: String,
    what: String,
    pair: Pair,
}

/// One position.
#[derive(Serialize)]
struct Place {
    rank: String,
    what: String,
    href: Option<String>,
    xgid: String,
    played: String,
    best: String,
    mpt: String,
    excess: String,
    errors: String,
}

/// The families that are shown, in the order of the plan, each with the positions that are.
fn chosen<'a>(study: &PlayerStudy<'a>) -> Vec<(&'a StudyPlanRow, Vec<&'a FamilyPositionRow>)> {
    let mut established: Vec<&StudyPlanRow> = study.plan.iter().filter(|row| row.rank.is_some()).collect();
    established.sort_by_key(|row| row.rank);
    let positions = |of: &StudyPlanRow| {
        let same = |row: &&FamilyPositionRow| (&row.plan, &row.nature, &row.theme) == (&of.plan, &of.nature, &of.theme);
        let mut rows: Vec<&FamilyPositionRow> = study.family_positions.iter().filter(same).collect();
        rows.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.position_key.cmp(&b.position_key)));
        rows.truncate(POSITIONS);
        rows
    };
    established.into_iter().take(FAMILIES).map(|of| (of, positions(of))).collect()
}

/// The decisions that are told of.
pub(super) fn decisions<'a>(study: &PlayerStudy<'a>) -> impl Iterator<Item = &'a str> {
    chosen(study).into_iter().flat_map(|(_, rows)| rows).map(|row| row.decision_id.as_str())
}

/// Of the established families, in the order of the plan.
pub(super) fn families(input: &PlayerInput<'_>) -> Vec<Family> {
    let desk = Desk {
        input,
        matches: input.matches.iter().copied().map(|row| (row.match_id.as_str(), row)).collect(),
        decisions: input.study.decisions.iter().map(|row| (row.decision_id.as_str(), row)).collect(),
    };
    chosen(&input.study).into_iter().filter_map(|(of, rows)| desk.family(of, &rows)).collect()
}

impl Family {
    /// Whether the club knows something of one of its positions.
    pub(super) const fn is_known(&self) -> bool {
        !self.known.is_empty()
    }
}

struct Desk<'a> {
    input: &'a PlayerInput<'a>,
    matches: BTreeMap<&'a str, &'a MatchRow>,
    decisions: BTreeMap<&'a str, &'a DecisionRow>,
}

impl Desk<'_> {
    fn family(&self, of: &StudyPlanRow, rows: &[&FamilyPositionRow]) -> Option<Family> {
        let all = rows.first()?.positions;
        Some(Family {
            id: format!("family-{}", of.rank?),
            name: words::family(&of.plan, &of.nature, &of.theme),
            positions: words::counted(all, "position", "positions"),
            rows: rows.iter().map(|row| self.place(row)).collect(),
            known: rows.iter().filter_map(|row| self.known(row, of.rank?)).collect(),
            more: more(usize::try_from(all).unwrap_or(rows.len()), rows.len()),
        })
    }

    /// Beside a play that was wrong: what the play made and the best one reach.
    fn known(&self, row: &FamilyPositionRow, family: i64) -> Option<Known> {
        let pair = pair(&self.input.academy, (&row.decision_id, &format!("k{family}-{}", row.rank)))?;
        let decision = self.decisions.get(row.decision_id.as_str()).copied();
        Some(Known { rank: row.rank.to_string(), what: decision.map_or_else(|| "the match".to_owned(), what), pair })
    }

    fn place(&self, row: &FamilyPositionRow) -> Place {
        let of = self.matches.get(row.match_id.as_str()).copied();
        let decision = self.decisions.get(row.decision_id.as_str()).copied();
        let said = |text: fn(&DecisionRow) -> String| decision.map_or_else(|| format::ABSENT.to_owned(), text);
        Place {
            rank: row.rank.to_string(),
            what: decision.map_or_else(|| "the match".to_owned(), what),
            href: of.and_then(|of| self.input.pages.link(of)).map(|page| address(&page, &row.decision_id)),
            xgid: shown(&row.xgid, XGID),
            played: said(words::made),
            best: said(|row| words::best(row).unwrap_or_else(|| format::ABSENT.to_owned())),
            mpt: said(|row| row.e_mpt.map_or_else(|| format::ABSENT.to_owned(), format::count)),
            excess: format::signed_points(Some(row.excess)),
            errors: format::count(row.errors),
        }
    }
}

/// `6-4, 7-away / 5-away`.
fn what(row: &DecisionRow) -> String {
    let asked = match (row.kind.as_str(), row.dice) {
        ("checker", Some(dice)) => words::roll(dice),
        ("take" | "pass", _) => "answer".to_owned(),
        _ => "cube".to_owned(),
    };
    format!("{asked}, {}", words::score(row))
}
