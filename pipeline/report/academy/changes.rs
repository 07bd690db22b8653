//! What the season changed in the libraries: how the proposals ended, and the latest of them.

use super::super::boards::quarter::quarter;
use super::super::markup::Markup;
use super::super::{format, words};
use super::{BACKGAMMON, Desk, number};
use crate::tables::academy::AcademyFilingRow;
use serde::Serialize;
use std::cmp::Reverse;

/// Filings shown one by one.
const LATEST: usize = 6;

/// The section.
#[derive(Serialize)]
pub(super) struct Changes {
    say: String,
    outcomes: Vec<Outcome>,
    latest: Vec<Filed>,
}

/// How many proposals ended so, in the middle game and in the endgame.
#[derive(Serialize)]
struct Outcome {
    name: &'static str,
    meaning: &'static str,
    counts: [String; 2],
}

/// One filing.
#[derive(Serialize)]
struct Filed {
    board: Option<Markup>,
    what: String,
    where_: String,
    href: Option<String>,
}

/// Token, name and meaning, in the order in which a proposal is tried.
const OUTCOMES: [(&str, &str, &str); 5] = [
    ("match", "matched", "the very same pattern was known; it has one more proposal"),
    ("generalise", "generalised", "a known pattern covers it, where need be after it was widened by one place"),
    ("specialise", "specialised", "a much stronger player narrowed a known pattern"),
    ("insert", "inserted", "a new pattern"),
    ("evicted", "removed", "the weakest left a full library"),
];

/// The section.
pub(super) fn changes(desk: &Desk<'_>) -> Changes {
    let rows: Vec<&AcademyFilingRow> = desk.input.filings.iter().filter(|row| row.game == BACKGAMMON).collect();
    let count = |outcome: &str, library: &str| {
        format::size(rows.iter().filter(|row| row.outcome == outcome && row.library == library).count())
    };
    let outcome = |(token, name, meaning): (&str, &'static str, &'static str)| Outcome {
        name,
        meaning,
        counts: [count(token, "chuban"), count(token, "yose")],
    };
    let narrowed = rows.iter().any(|row| row.outcome == "specialise");
    Changes {
        say: match (rows.is_empty(), narrowed) {
            (true, _) => "Nothing was filed.".to_owned(),
            (false, true) => "How each proposal ended.".to_owned(),
            (false, false) => {
                "How each proposal ended. Nothing was narrowed: that takes a player more than 200 points above those who vouch for a pattern.".to_owned()
            }
        },
        outcomes: if rows.is_empty() { Vec::new() } else { OUTCOMES.into_iter().map(outcome).collect() },
        latest: latest(desk, rows),
    }
}

/// The latest that changed cells or brought some; one that only confirmed a pattern shows nothing new.
fn latest(desk: &Desk<'_>, mut rows: Vec<&AcademyFilingRow>) -> Vec<Filed> {
    rows.retain(|row| row.outcome == "insert" || row.changed.is_some_and(|cells| cells > 0));
    let place = |id: &str| desk.contests.get(id).map_or(0, |contest| contest.position);
    rows.sort_by_cached_key(|row| Reverse((place(&row.contest_id), row.contest_id.clone(), row.filing)));
    rows.iter().take(LATEST).enumerate().map(|(at, row)| filed(desk, at, row)).collect()
}

fn filed(desk: &Desk<'_>, at: usize, row: &AcademyFilingRow) -> Filed {
    let name = OUTCOMES
        .iter()
        .find(|(token, ..)| *token == row.outcome)
        .map_or_else(|| words::token(&row.outcome), |of| of.1.to_owned());
    let changed = match row.changed {
        Some(n @ 1..) if row.outcome != "insert" => {
            format!(", {} changed", words::counted(n, "place", "places"))
        }
        _ => String::new(),
    };
    let library = if row.library == "yose" { "endgame" } else { "middle game" };
    let found = desk.found(&row.contest_id);
    let date = desk.contests.get(row.contest_id.as_str()).map_or_else(String::new, |of| format::date(of.date));
    Filed {
        board: quarter(&format!("f{at}"), &row.area, &row.cells),
        what: format!("{}, {library}{changed}", words::sentence(&name)),
        where_: match &found {
            Some(found) => format!("{date}, {}, turn {}", found.text, format::count(row.ply)),
            None => date,
        },
        href: found.and_then(|found| found.href),
    }
}

/// How many proposals another game had, in words.
pub(super) fn of_game(desk: &Desk<'_>, game: &str) -> String {
    let rows: Vec<&AcademyFilingRow> = desk.input.filings.iter().filter(|row| row.game == game).collect();
    let told: Vec<String> = OUTCOMES
        .iter()
        .map(|(token, name, _)| (rows.iter().filter(|row| row.outcome == *token).count(), name))
        .filter(|(n, _)| *n > 0)
        .map(|(n, name)| format!("{} {name}", format::count(number(n))))
        .collect();
    if told.is_empty() { "Nothing was filed.".to_owned() } else { format!("Proposals: {}.", words::list(&told)) }
}
