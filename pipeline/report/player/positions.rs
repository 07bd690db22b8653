//! Positions to know: the reference positions, the first three open with their boards, the others folded
//! (`product-views.md` 6). A position whose decision is not at hand keeps its XGID.

use super::PlayerInput;
use crate::report::PlayerStudy;
use crate::report::card::{Card, Table, address, by_decision};
use crate::report::names::{NAME, XGID, shown};
use crate::report::parts::more;
use crate::report::season::event;
use crate::report::{format, words};
use crate::tables::facts::{CandidateRow, DecisionRow, MatchRow};
use crate::tables::study_marts::ReferencePositionRow;
use serde::Serialize;
use std::collections::BTreeMap;

/// Shown open.
const OPEN: usize = 3;
/// Shown at all, and asked of the choice.
const SHOWN: usize = 20;

/// The section.
#[derive(Serialize)]
pub(super) struct Positions {
    say: String,
    open: Vec<Lesson>,
    folded: Vec<Lesson>,
    more: String,
    note: String,
    empty: String,
    /// Boards are drawn, so the page needs their symbols.
    pub(super) boards: bool,
}

/// One reference position.
#[derive(Serialize)]
struct Lesson {
    id: String,
    rank: String,
    family: String,
    gain: String,
    covers: String,
    /// The match of its worst error.
    href: Option<String>,
    link: String,
    card: Option<Card>,
    /// Without a card.
    xgid: String,
}

/// Every reference position, the shown ones first.
fn ordered<'a>(study: &PlayerStudy<'a>) -> Vec<&'a ReferencePositionRow> {
    let mut rows: Vec<&ReferencePositionRow> = study.positions.iter().collect();
    rows.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.position_key.cmp(&b.position_key)));
    rows
}

/// The decisions whose boards are drawn.
pub(super) fn decisions<'a>(study: &PlayerStudy<'a>) -> impl Iterator<Item = &'a str> {
    ordered(study).into_iter().take(SHOWN).map(|row| row.decision_id.as_str())
}

pub(super) fn positions(input: &PlayerInput<'_>) -> Positions {
    let rows = ordered(&input.study);
    let shelf = Shelf::new(input);
    let mut lessons: Vec<Lesson> = rows.iter().take(SHOWN).map(|row| shelf.lesson(row)).collect();
    let boards = lessons.iter().any(|lesson| lesson.card.is_some());
    let folded = lessons.split_off(lessons.len().min(OPEN));
    Positions {
        say: match rows.len() {
            0 => "No position is worth keeping yet.",
            1 => "Look at the board alone, decide, then read on.",
            _ => "The dearest lessons first. Look at the board alone, decide, then read on.",
        }
        .to_owned(),
        open: lessons,
        folded,
        more: more(rows.len(), rows.len().min(SHOWN)),
        note: rows.first().map_or_else(String::new, |row| note(row, rows.len())),
        empty: if rows.is_empty() { nothing(input) } else { String::new() },
        boards,
    }
}

fn nothing(input: &PlayerInput<'_>) -> String {
    if input.study.plan.is_empty() {
        return "A reference position needs an error with a theme and a price; there is none.".to_owned();
    }
    "Every error is excused by its difficulty, or its position was already treated.".to_owned()
}

/// What became of the other candidates, and why there are fewer than were asked for.
fn note(row: &ReferencePositionRow, chosen: usize) -> String {
    let mut text = format!(
        "{} discarded as near-duplicates, {} already treated, {} with some gain left over.",
        words::sentence(&words::counted(row.discarded, "candidate", "candidates")),
        format::count(row.handled),
        format::count(row.left),
    );
    if chosen < SHOWN {
        text.push_str(&format!(" Fewer than {SHOWN}, because no other candidate has any gain."));
    }
    text
}

struct Shelf<'a> {
    input: &'a PlayerInput<'a>,
    decisions: BTreeMap<&'a str, &'a DecisionRow>,
    matches: BTreeMap<&'a str, &'a MatchRow>,
    candidates: BTreeMap<&'a str, Vec<&'a CandidateRow>>,
    /// Errors of each family.
    families: BTreeMap<[&'a str; 3], i64>,
}

impl<'a> Shelf<'a> {
    fn new(input: &'a PlayerInput<'a>) -> Self {
        let study = &input.study;
        Self {
            input,
            decisions: study.decisions.iter().map(|row| (row.decision_id.as_str(), row)).collect(),
            matches: input.matches.iter().copied().map(|row| (row.match_id.as_str(), row)).collect(),
            candidates: by_decision(study.candidates),
            families: study
                .plan
                .iter()
                .map(|row| ([row.plan.as_str(), row.nature.as_str(), row.theme.as_str()], row.members))
                .collect(),
        }
    }

    fn lesson(&self, row: &ReferencePositionRow) -> Lesson {
        let of = self.matches.get(row.match_id.as_str()).copied();
        let family = words::family(&row.plan, &row.nature, &row.theme);
        let covers = self.covers(row);
        let id = format!("p{}", row.rank);
        let place = of.map_or_else(|| format::ABSENT.to_owned(), event);
        let card = self.decisions.get(row.decision_id.as_str()).zip(of).map(|(decision, of)| {
            let mut card = self.table(of, decision).named(decision, &id);
            card.what = format!(
                "Reference position {} \u{b7} {place} \u{b7} {}, {}",
                row.rank,
                words::question(&card.who, decision),
                words::score(decision)
            );
            card.fact = format!("{covers} {}", card.fact);
            card.who = format!("{}. {family}", row.rank);
            card.where_ = words::score(decision);
            card.price = format!("gain {}", format::percent(row.gain));
            card
        });
        let link = of.and_then(|of| self.input.pages.link(of));
        Lesson {
            id,
            rank: row.rank.to_string(),
            family,
            gain: format::percent(row.gain),
            covers,
            href: link.map(|page| address(&page, &row.decision_id)),
            link: of.map_or_else(String::new, |of| {
                format!("{} \u{2013} {}", shown(&of.player_1, NAME), shown(&of.player_2, NAME))
            }),
            card,
            xgid: shown(&row.xgid, XGID),
        }
    }

    fn table(&self, of: &'a MatchRow, decision: &'a DecisionRow) -> Table<'a> {
        let list = self.candidates.get(decision.decision_id.as_str()).cloned().unwrap_or_default();
        Table {
            of,
            names: [shown(&of.player_1, NAME), shown(&of.player_2, NAME)],
            // The subject of this page decides, so his checkers are the solid ones everywhere.
            first: decision.seat,
            candidates: [(decision.decision_id.as_str(), list)].into(),
        }
    }

    /// `Covers 7 errors in 5 matches of a family of 17, gain 1.24 %; lesson clear (gap 84 mpt); rolled out.`
    fn covers(&self, row: &ReferencePositionRow) -> String {
        let family = self
            .families
            .get(&[row.plan.as_str(), row.nature.as_str(), row.theme.as_str()])
            .map_or_else(String::new, |n| format!(" of a family of {}", format::count(*n)));
        let gap = row.gap.map_or_else(|| "gap unknown".to_owned(), |gap| format!("gap {} mpt", format::count(gap)));
        let mut text = format!(
            "Covers {} in {}{family}, gain {}; lesson {} ({gap})",
            words::counted(row.errors, "error", "errors"),
            words::counted(row.matches, "match", "matches"),
            format::percent(row.gain),
            if row.close { "marginal" } else { "clear" },
        );
        if row.unstable {
            text.push_str("; unstable: another analysis rules differently");
        }
        if row.rollout {
            text.push_str("; rolled out");
        }
        text.push('.');
        text
    }
}
