//! Both players' figures side by side, and the sentences about result, luck and pace (`product-views.md` 4).

use super::Sheet;
use crate::report::format::{self, percent, signed_percent};
use crate::report::parts::{Figure, Value, elo_of, l7, level_of, plain};
use crate::tables::marts::PlayerMatchRow;

/// Below this share of measured rolls the luck-adjusted result is printed without a verdict (`metrics.md` 10.2): the
/// missing rolls could turn it.
pub(super) const VERDICT_FROM: f64 = 0.9;

/// `won by play`, ... from the result and A.
fn verdict(won: bool, adjusted: f64) -> &'static str {
    match (won, adjusted) {
        (_, 0.0) => "luck explains the result exactly",
        (true, a) if a > 0.0 => "won by play",
        (true, _) => "won by the dice",
        (false, a) if a > 0.0 => "lost by the dice",
        (false, _) => "lost by play",
    }
}

/// Result, start, net luck and A of the first player of the page.
struct LuckSum {
    won: bool,
    result: f64,
    net: f64,
    adjusted: f64,
    coverage: f64,
}

fn luck_sum(sheet: &Sheet<'_>) -> Option<LuckSum> {
    let row = sheet.figures[0]?;
    let (won, adjusted, coverage) = (row.won?, row.luck_adjusted?, row.coverage?);
    let start = sheet.input.played.start_mwc.map_or(0.5, format::mwc_share);
    let start = if sheet.seats[0] == 1 { start } else { 1.0 - start };
    let result = if won { 1.0 - start } else { -start };
    Some(LuckSum { won, result, net: result - adjusted, adjusted, coverage })
}

/// The sentence under the title.
pub(super) fn standfirst(sheet: &Sheet<'_>) -> String {
    let name = &sheet.names[0];
    let luck = luck_sum(sheet);
    let first = match &luck {
        Some(sum) if sum.coverage >= VERDICT_FROM && sum.adjusted == 0.0 => {
            "Luck explains the result exactly.".to_owned()
        }
        Some(sum) if sum.coverage >= VERDICT_FROM => format!("{name} {}.", verdict(sum.won, sum.adjusted)),
        _ if !sheet.input.played.finished => "The match is unfinished.".to_owned(),
        _ => String::new(),
    };
    let losses = [0, 1].map(|at| sheet.figures[at].and_then(|row| row.loss));
    let second = match (sheet.partly_rated(), losses) {
        (Some(partly), _) => partly,
        (None, [Some(one), Some(two)]) => {
            let dice = match &luck {
                Some(sum) if sum.net != 0.0 => format!(
                    "; the rolls {} {}",
                    if sum.net < 0.0 { format!("took {name}") } else { format!("gave {name}") },
                    percent(sum.net.abs())
                ),
                _ => String::new(),
            };
            format!("Errors cost {name} {} and {} {} of the match{dice}.", percent(one), sheet.names[1], percent(two))
        }
        _ => match prs(sheet) {
            Some(prs) => prs,
            None => sheet.no_price().unwrap_or_default().to_owned(),
        },
    };
    [first, second].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn prs(sheet: &Sheet<'_>) -> Option<String> {
    let [one, two] = [sheet.figures[0]?.pr?, sheet.figures[1]?.pr?].map(|pr| format::pr(Some(pr)));
    Some(format!("PR {one} for {}, {two} for {}.", sheet.names[0], sheet.names[1]))
}

/// The sentence beside the curve: the dearest decisions.
pub(super) fn curve_say(sheet: &Sheet<'_>) -> String {
    let mut dearest: Vec<_> =
        sheet.decisions.iter().filter(|row| row.counted && row.loss.is_some_and(|loss| loss > 0)).collect();
    dearest.sort_by_key(|row| (std::cmp::Reverse(row.loss), row.order));
    match dearest.as_slice() {
        [] if sheet.no_price().is_some() => String::new(),
        [] => "No counted decision cost anything.".to_owned(),
        [row, ..] => format!(
            "The dearest decision is number {}, by {} in game {}: {}.",
            row.order,
            sheet.names[sheet.place(row.seat)],
            row.game,
            percent(format::mwc_share(row.loss.unwrap_or(0))),
        ),
    }
}

/// Who lost less, and whether the intervals tell the two apart.
pub(super) fn levels_say(sheet: &Sheet<'_>) -> String {
    let [Some(one), Some(two)] = sheet.figures else { return String::new() };
    if let Some(partly) = sheet.partly_rated() {
        return partly;
    }
    let mut text = match (one.loss, two.loss) {
        (Some(a), Some(b)) if a != b => {
            let better = if a < b { 0 } else { 1 };
            format!("{} lost less, by {} points of MWC. ", sheet.names[better], format::points(Some((a - b).abs())))
        }
        (Some(_), Some(_)) => "Both lost the same. ".to_owned(),
        _ => String::new(),
    };
    text.push_str(match (level_of!(one).ends(), level_of!(two).ends()) {
        (Some([low_1, high_1]), Some([low_2, high_2])) if low_1 <= high_2 && low_2 <= high_1 => {
            "The PR intervals overlap: this match does not settle which of the two is the stronger."
        }
        (Some(_), Some(_)) => "The PR intervals are apart.",
        _ if one.pr.is_none() && two.pr.is_none() => "No counted decision: PR is undefined.",
        _ => "An interval needs three games that differ: without both, nothing is settled.",
    });
    text
}

/// The table of both players.
pub(super) fn figures(sheet: &Sheet<'_>) -> Vec<Figure> {
    let [Some(one), Some(two)] = sheet.figures else { return Vec::new() };
    let both = |name, id, part, value: &dyn Fn(&PlayerMatchRow) -> Value| Figure {
        name,
        id,
        part,
        values: vec![value(one), value(two)],
    };
    let mut figures = vec![
        both("Counted decisions", "decisions", false, &|row| plain(format::count(row.decisions))),
        both("Errors", "errors", false, &|row| plain(format::count(row.errors))),
        both("of them blunders", "", true, &|row| plain(format::count(row.blunders))),
        both("of them avoidable", "", true, &|row| plain(format::count(row.avoidable))),
        both("Loss, % MWC", "loss", false, &|row| plain(format::points(row.loss))),
        both("checker plays", "", true, &|row| plain(format::points(row.loss_checker))),
        both("doubles", "", true, &|row| plain(format::points(row.loss_double))),
        both("takes and passes", "", true, &|row| plain(format::points(row.loss_take))),
        both("Difficulty, % MWC", "difficulty", false, &|row| plain(format::points(row.difficulty))),
        both("Excess, % MWC", "excess", false, &|row| plain(format::signed_points(row.excess))),
        both("Ratio of loss to difficulty", "ratio", false, &|row| plain(format::ratio(row.ratio))),
        both("L7, % of a 7-point match", "l7", false, &|row| l7(row.l7, row.l7_low, row.l7_high)),
        both("checker plays", "", true, &|row| plain(format::l7(row.l7_checker))),
        both("cube actions", "", true, &|row| plain(format::l7(row.l7_cube))),
        both("Strength against the engine, Elo", "elo", false, &|row| elo_of!(row)),
        both("Snowie error rate", "snowie", false, &|row| plain(format::pr(row.snowie))),
        both("Luck, mpt a roll", "luck", false, &|row| plain(format::luck_per_roll(row.luck, row.luck_rolls))),
        both("Own luck, % MWC", "", false, &|row| plain(format::signed_points(row.luck_mwc))),
        both("Luck-adjusted result, % MWC", "adjusted", false, &|row| plain(format::signed_points(row.luck_adjusted))),
    ];
    if one.hasty.is_some() || two.hasty.is_some() {
        let count = |n: Option<i64>| plain(n.map_or_else(|| format::ABSENT.to_owned(), format::count));
        figures.push(both("Errors played hastily", "pace", false, &|row| count(row.hasty)));
        figures.push(both("considered", "", true, &|row| count(row.considered)));
        figures.push(both("time unknown", "", true, &|row| count(row.unknown_pace)));
    }
    figures
}

/// The luck-adjusted result in one sentence with its parts, or why there is none.
pub(super) fn luck(sheet: &Sheet<'_>) -> String {
    let played = sheet.input.played;
    let rows: Vec<&PlayerMatchRow> = sheet.figures.iter().flatten().copied().collect();
    let (known, all) = rows.iter().fold((0, 0), |(known, all), row| (known + row.luck_rolls, all + row.rolls));
    let measured = match (known, all) {
        (0, _) => return "No luck-adjusted result: luck is not recorded in the file.".to_owned(),
        (known, all) if known == all => format!("All {} rolls are measured.", format::count(all)),
        (known, all) => format!("Luck is known for {} of {} rolls.", format::count(known), format::count(all)),
    };
    let Some(sum) = luck_sum(sheet) else {
        let reason = match (played.play.as_str(), played.finished) {
            ("money", _) => "no match equity in money play",
            ("too_long", _) => "no match equity past 64 points",
            (_, false) => "unfinished match",
            _ => "no roll converts to match winning chances",
        };
        return format!("No luck-adjusted result: {reason}. {measured}");
    };
    let outcome = if sum.won { "won" } else { "lost" };
    let start = if sum.result.abs() == 0.5 { "from an even start" } else { "from the score it began at" };
    let end = if sum.coverage >= VERDICT_FROM {
        verdict(sum.won, sum.adjusted)
    } else {
        "no verdict under 90\u{a0}% of the rolls"
    };
    let balance = sheet.figures[0].filter(|_| sheet.partly_rated().is_none()).and_then(|row| row.error_balance);
    let balance = balance.map_or_else(String::new, |balance| {
        format!(" Error balance {}: what the opponent lost by errors, less the own loss.", signed_percent(balance))
    });
    format!(
        "{}: result {} ({outcome} {start}) less net luck {} gives {}: {end}. {measured}{balance}",
        sheet.names[0],
        signed_percent(sum.result),
        signed_percent(sum.net),
        signed_percent(sum.adjusted),
    )
}

/// Haste or lack of knowledge; nothing on a tie or without times.
pub(super) fn pace(sheet: &Sheet<'_>) -> Vec<String> {
    let say = |at: usize| {
        let row = sheet.figures[at]?;
        let (hasty, considered) = (row.hasty?, row.considered?);
        let name = &sheet.names[at];
        match hasty.cmp(&considered) {
            std::cmp::Ordering::Greater => Some(format!("{name}: most errors were hasty: work on discipline.")),
            std::cmp::Ordering::Less => Some(format!("{name}: most errors were considered: work on knowledge.")),
            std::cmp::Ordering::Equal => None,
        }
    };
    [0, 1].into_iter().filter_map(say).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdicts_of_the_table() {
        assert_eq!(verdict(true, 0.1), "won by play");
        assert_eq!(verdict(true, -0.1), "won by the dice");
        assert_eq!(verdict(false, 0.1), "lost by the dice");
        assert_eq!(verdict(false, -0.168), "lost by play");
        assert_eq!(verdict(false, 0.0), "luck explains the result exactly");
    }
}
