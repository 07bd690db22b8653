//! *Check my count*: for a match from an XG file, the figures as XG prints them beside ours, and every decision that one
//! counts and the other does not. Nothing is explained away: whoever trusts XG's window can see where ours parts from it.

use super::Sheet;
use super::transcript::why_not;
use crate::report::card::{Table, anchor};
use crate::report::parts::more;
use crate::report::{format, words};
use crate::tables::facts::DecisionRow;
use crate::tables::marts::PlayerMatchRow;
use serde::Serialize;
use std::collections::BTreeSet;

/// Rows of the list of differences.
const DIFFERENCES: usize = 60;

/// The section.
#[derive(Serialize)]
pub(super) struct Parity {
    say: String,
    rows: Vec<Compared>,
    differences: Vec<Difference>,
    more: String,
}

/// A figure: ours and XG's, for each player of the page.
#[derive(Serialize)]
struct Compared {
    name: &'static str,
    values: [String; 4],
    differs: bool,
}

#[derive(Serialize)]
struct Difference {
    number: i64,
    href: String,
    who: String,
    roll: String,
    made: String,
    ours: String,
    xg: String,
}

/// `None` when no file of XG's is behind the match.
pub(super) fn parity(sheet: &Sheet<'_>, table: &Table<'_>, cards: &BTreeSet<String>) -> Option<Parity> {
    let [Some(one), Some(two)] = sheet.figures else { return None };
    if one.xg_decisions.is_none() && two.xg_decisions.is_none() {
        return None;
    }
    let rows = compared([one, two]);
    let differing: Vec<&DecisionRow> =
        sheet.decisions.iter().copied().filter(|row| row.xg_counted.is_some_and(|xg| xg != row.counted)).collect();
    let differences: Vec<Difference> =
        differing.iter().take(DIFFERENCES).map(|row| difference(row, table, cards)).collect();
    let say = match differing.len() {
        0 => "Both counts agree on every decision.".to_owned(),
        1 => "The two counts differ on one decision.".to_owned(),
        n => format!(
            "The two counts differ on {}.",
            words::counted(i64::try_from(n).unwrap_or(i64::MAX), "decision", "decisions")
        ),
    };
    Some(Parity { say, more: more(differing.len(), differences.len()), rows, differences })
}

fn compared(players: [&PlayerMatchRow; 2]) -> Vec<Compared> {
    type Pair = (String, String);
    let row = |name, pair: &dyn Fn(&PlayerMatchRow) -> Pair| {
        let [one, two] = players.map(pair);
        Compared { name, differs: one.0 != one.1 || two.0 != two.1, values: [one.0, one.1, two.0, two.1] }
    };
    let counts =
        |ours: i64, xg: Option<i64>| (format::count(ours), xg.map_or_else(|| format::ABSENT.to_owned(), format::count));
    let sums = |ours: Option<f64>, xg: Option<f64>| {
        let sum = |x: Option<f64>| x.map_or_else(|| format::ABSENT.to_owned(), |x| format::fixed(x, 3));
        (sum(ours), sum(xg))
    };
    let losses = |ours: Option<f64>, xg: Option<f64>| (format::points(ours), format::points(xg));
    vec![
        row("PR", &|p| (format::pr(p.pr), format::pr(p.xg_pr))),
        row("Counted decisions", &|p| counts(p.decisions, p.xg_decisions)),
        row("checker plays", &|p| counts(p.decisions_checker, p.xg_decisions_checker)),
        row("doubles and no doubles", &|p| counts(p.decisions_double, p.xg_decisions_double)),
        row("takes and passes", &|p| counts(p.decisions_take, p.xg_decisions_take)),
        row("Error, EMG", &|p| sums(p.error_sum, p.xg_error_sum)),
        row("of checker plays", &|p| sums(p.error_checker, p.xg_error_checker)),
        row("of doubles", &|p| sums(p.error_double, p.xg_error_double)),
        row("of takes and passes", &|p| sums(p.error_take, p.xg_error_take)),
        row("Loss, % MWC", &|p| losses(p.loss, p.xg_loss)),
    ]
}

fn difference(row: &DecisionRow, table: &Table<'_>, cards: &BTreeSet<String>) -> Difference {
    let id = anchor(row);
    Difference {
        number: row.order,
        href: if cards.contains(&id) || row.kind != "no_double" || row.counted {
            format!("#{id}")
        } else {
            String::new()
        },
        who: table.decider(row).to_owned(),
        roll: row.dice.map_or_else(|| "cube".to_owned(), words::roll),
        made: words::made(row),
        ours: if row.counted { "counted".to_owned() } else { format!("not counted: {}", why_not(row)) },
        xg: match (row.xg_counted, row.xg_forced) {
            (Some(true), _) => "counted",
            (_, Some(true)) => "not counted: XG\u{2019}s flag",
            _ => "not counted",
        }
        .to_owned(),
    }
}
