//! What the season changed in the libraries: how the proposals ended, and the latest of them.

use super::super::boards::quarter::quarter;
use super::super::markup::Markup;
use super::super::{format, words};
use super::advice::at;
use super::{BACKGAMMON, Desk, number};
use crate::tables::academy::AcademyFilingRow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// A proposal and what became of it, as much of it as pages look at.
#[derive(Clone, Copy, Debug)]
pub struct Filing<'a> {
    /// The contest.
    pub contest_id: &'a str,
    /// Its place in the one order of all contests; 0 = unknown.
    pub position: i64,
    /// Order within the contest.
    pub filing: i64,
    /// Its game.
    pub game: &'a str,
    /// The ply that proposed.
    pub ply: i64,
    /// The library.
    pub library: &'a str,
    /// What became of it.
    pub outcome: &'a str,
    /// Part of the board.
    pub area: &'a str,
    /// The pattern afterwards.
    pub cells: &'a str,
    /// Cells that changed.
    pub changed: Option<i64>,
}

/// One of the latest filings.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Late {
    contest_id: String,
    position: i64,
    filing: i64,
    ply: i64,
    library: String,
    outcome: String,
    area: String,
    cells: String,
    changed: Option<i64>,
}

/// The filings of a season, taken one by one in any order: how many ended how, and the latest of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FilingsOfSeason {
    /// By game, outcome and library.
    counts: BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>,
    /// Of backgammon: covered by a known pattern that was widened for it.
    widened: usize,
    /// Of backgammon, the latest first: what changed cells or brought some.
    latest: Vec<Late>,
}

impl FilingsOfSeason {
    /// All of these rows; `position` knows the place of a contest.
    #[must_use]
    pub fn of(rows: &[AcademyFilingRow], position: impl Fn(&str) -> i64) -> Self {
        let mut all = Self::default();
        for row in rows {
            all.take(&Filing {
                contest_id: &row.contest_id,
                position: position(&row.contest_id),
                filing: row.filing,
                game: &row.game,
                ply: row.ply,
                library: &row.library,
                outcome: &row.outcome,
                area: &row.area,
                cells: &row.cells,
                changed: row.changed,
            });
        }
        all
    }

    /// One filing more.
    pub fn take(&mut self, row: &Filing<'_>) {
        at(&mut self.counts, row.game, |outcomes| {
            at(outcomes, row.outcome, |libraries| at(libraries, row.library, |count| *count += 1));
        });
        let changed = row.changed.is_some_and(|cells| cells > 0);
        if row.game != BACKGAMMON {
            return;
        }
        self.widened += usize::from(changed && row.outcome == "generalise");
        // One that only confirmed a pattern shows nothing new.
        if changed || row.outcome == "insert" {
            self.late(row);
        }
    }

    /// What was taken elsewhere.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (game, outcomes) in other.counts {
            for (outcome, libraries) in outcomes {
                for (library, count) in libraries {
                    at(&mut self.counts, &game, |outcomes| {
                        at(outcomes, &outcome, |libraries| at(libraries, &library, |own| *own += count));
                    });
                }
            }
        }
        self.widened += other.widened;
        self.latest.extend(other.latest);
        self.latest.sort_by(|a, b| (b.position, &b.contest_id, b.filing).cmp(&(a.position, &a.contest_id, a.filing)));
        self.latest.truncate(LATEST);
        self
    }

    fn late(&mut self, row: &Filing<'_>) {
        let place = (row.position, row.contest_id, row.filing);
        let later = |known: &Late| (known.position, known.contest_id.as_str(), known.filing) > place;
        let at = self.latest.partition_point(later);
        if at < LATEST {
            self.latest.truncate(LATEST - 1);
            self.latest.insert(at, Late::of(row));
        }
    }

    /// How many of a game ended so, in all libraries.
    pub(super) fn ended(&self, game: &str, outcome: &str) -> usize {
        let libraries = self.counts.get(game).and_then(|outcomes| outcomes.get(outcome));
        libraries.map_or(0, |libraries| libraries.values().sum())
    }

    /// How many of backgammon ended so in a library.
    fn ended_in(&self, outcome: &str, library: &str) -> usize {
        let libraries = self.counts.get(BACKGAMMON).and_then(|outcomes| outcomes.get(outcome));
        libraries.and_then(|libraries| libraries.get(library)).copied().unwrap_or(0)
    }

    /// Of backgammon, how many were covered by a pattern that was widened for them.
    pub(super) const fn widened(&self) -> usize {
        self.widened
    }
}

impl Late {
    fn of(row: &Filing<'_>) -> Self {
        Self {
            contest_id: row.contest_id.to_owned(),
            position: row.position,
            filing: row.filing,
            ply: row.ply,
            library: row.library.to_owned(),
            outcome: row.outcome.to_owned(),
            area: row.area.to_owned(),
            cells: row.cells.to_owned(),
            changed: row.changed,
        }
    }
}

/// The section.
pub(super) fn changes(desk: &Desk<'_>) -> Changes {
    let filings = desk.input.filings;
    let outcome = |(token, name, meaning): (&str, &'static str, &'static str)| Outcome {
        name,
        meaning,
        counts: ["chuban", "yose"].map(|library| format::size(filings.ended_in(token, library))),
    };
    let none = !filings.counts.contains_key(BACKGAMMON);
    let narrowed = filings.ended(BACKGAMMON, "specialise") > 0;
    Changes {
        say: match (none, narrowed) {
            (true, _) => "Nothing was filed.".to_owned(),
            (false, true) => "How each proposal ended.".to_owned(),
            (false, false) => {
                "How each proposal ended. Nothing was narrowed: that takes a player more than 200 points above those who vouch for a pattern.".to_owned()
            }
        },
        outcomes: if none { Vec::new() } else { OUTCOMES.into_iter().map(outcome).collect() },
        latest: filings.latest.iter().enumerate().map(|(at, row)| filed(desk, at, row)).collect(),
    }
}

fn filed(desk: &Desk<'_>, at: usize, row: &Late) -> Filed {
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
    let told: Vec<String> = OUTCOMES
        .iter()
        .map(|(token, name, _)| (desk.input.filings.ended(game, token), name))
        .filter(|(n, _)| *n > 0)
        .map(|(n, name)| format!("{} {name}", format::count(number(n))))
        .collect();
    if told.is_empty() { "Nothing was filed.".to_owned() } else { format!("Proposals: {}.", words::list(&told)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Reverse;

    #[test]
    fn the_latest_that_changed_something_are_kept_whatever_order_they_come_in() {
        let row = |at: i64| AcademyFilingRow {
            contest_id: format!("m-{}", at * 29 % 17),
            filing: at,
            game: BACKGAMMON.to_owned(),
            outcome: match at % 3 {
                0 => "match",
                1 => "generalise",
                _ => "insert",
            }
            .to_owned(),
            changed: Some(at % 2),
            ..AcademyFilingRow::default()
        };
        let rows: Vec<AcademyFilingRow> = (0..60).map(row).collect();
        let position = |id: &str| id.trim_start_matches("m-").parse().unwrap_or(0);
        let mut expected: Vec<(Reverse<i64>, Reverse<i64>)> = rows
            .iter()
            .filter(|row| row.changed > Some(0) || row.outcome == "insert")
            .map(|row| (Reverse(position(&row.contest_id)), Reverse(row.filing)))
            .collect();
        expected.sort_unstable();
        let backwards: Vec<AcademyFilingRow> = rows.iter().rev().cloned().collect();
        for rows in [rows, backwards] {
            let all = FilingsOfSeason::of(&rows, position);
            let kept: Vec<_> = all.latest.iter().map(|late| (Reverse(late.position), Reverse(late.filing))).collect();
            assert_eq!(kept, expected[..LATEST]);
            let halves = rows.split_at(25);
            let joined = FilingsOfSeason::of(halves.1, position).and(FilingsOfSeason::of(halves.0, position));
            assert_eq!(format!("{joined:?}"), format!("{all:?}"));
            let widened = rows.iter().filter(|row| row.outcome == "generalise" && row.changed == Some(1)).count();
            assert_eq!((all.widened(), all.ended(BACKGAMMON, "match")), (widened, 20));
        }
    }
}
