//! The words of the pages: tokens of the tables in the reader's language, lists, ordinals, scores.
//!
//! A token that is not known here is shown as it is stored, with spaces: a newer table must not break an older page. It
//! is neutralised and cut like any other text that comes from a file.

use super::names::{NAME, TOKEN, shown};
use crate::game::key::PositionKey;
use crate::game::{Equity, Owner};
use crate::tables::facts::DecisionRow;

/// Small numbers in words, as sentences want them.
const NUMBERS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const ORDINALS: [&str; 13] = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

/// Both players are one point from the match: the regime makes no difference any more, and the score has this one name.
pub(super) const DMP: &str = "double match point";

/// `three matches`, `one match`, `no match`, `14 matches`.
#[must_use]
pub(super) fn counted(n: i64, one: &str, many: &str) -> String {
    let number = usize::try_from(n)
        .ok()
        .and_then(|n| NUMBERS.get(n))
        .map_or_else(|| super::format::count(n), |w| (*w).to_owned());
    format!("{number} {}", if n == 1 || n == 0 { one } else { many })
}

/// `second`, `13th`.
#[must_use]
pub(super) fn ordinal(n: usize) -> String {
    if let Some(word) = ORDINALS.get(n) {
        return (*word).to_owned();
    }
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// First letter in upper case.
#[must_use]
pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A token as words.
#[must_use]
pub(super) fn token(token: &str) -> String {
    match token {
        "" => "unknown".to_owned(),
        "acepoint" => "ace-point".to_owned(),
        "bearin" => "bear-in under contact".to_owned(),
        "bearoff" => "bear-off".to_owned(),
        "mutualholding" => "mutual holding".to_owned(),
        "primevprime" => "prime v prime".to_owned(),
        "post_crawford" => "post-Crawford".to_owned(),
        "crawford" => "Crawford".to_owned(),
        other => shown(other, TOKEN).replace('_', " "),
    }
}

/// The program that analysed.
#[must_use]
pub(super) fn engine(engine: &str) -> String {
    match engine {
        "xg" => "XG",
        "gnubg" => "GNU Backgammon",
        "bgblitz" => "BGBlitz",
        "none" => "no program",
        other => return token(other),
    }
    .to_owned()
}

/// What an error was about (`classifiers.md` 4).
#[must_use]
pub(super) fn theme(theme: &str) -> String {
    match theme {
        "gammon" => "gammons left behind",
        "blots" => "too many blots",
        "point" => "home point not made",
        "passive" => "too passive",
        "offer_missed" => "missed double",
        "offer_premature" => "premature double",
        "answer_wrong_take" => "wrong take",
        "answer_wrong_pass" => "wrong pass",
        "none" => "no theme recognised",
        other => return token(other),
    }
    .to_owned()
}

/// A family of errors: `contact · cube · missed double`.
#[must_use]
pub(super) fn family(plan: &str, nature: &str, theme: &str) -> String {
    format!("{} \u{b7} {} \u{b7} {}", token(plan), token(nature), self::theme(theme))
}

/// What a theme asks one to study, in the plural.
#[must_use]
pub(super) fn lesson(theme: &str) -> String {
    match theme {
        "gammon" => "gammons left behind",
        "blots" => "blots left",
        "point" => "home points not made",
        "passive" => "passive plays",
        "offer_missed" => "missed doubles",
        "offer_premature" => "premature doubles",
        "answer_wrong_take" => "wrong takes",
        "answer_wrong_pass" => "wrong passes",
        other => return self::theme(other),
    }
    .to_owned()
}

/// Where a game plan puts one: `in contact`.
#[must_use]
pub(super) fn in_plan(plan: &str) -> String {
    match plan {
        "contact" => "in contact",
        "race" => "in the race",
        "blitz" => "in the blitz",
        "bearin" => "in the bear-in under contact",
        "bearoff" => "in the bear-off",
        "holding" => "in holding games",
        "mutualholding" => "in mutual holding games",
        "acepoint" => "in ace-point games",
        "backgame" => "in back games",
        "primevprime" => "in prime v prime",
        "crunch" => "in the crunch",
        other => return format!("where the game plan is {}", token(other)),
    }
    .to_owned()
}

/// A kind of decision.
#[must_use]
pub(super) fn kind(kind: &str) -> String {
    match kind {
        "checker" => "checker play".to_owned(),
        other => token(other),
    }
}

/// A cell of a breakdown, by what it parts decisions by.
#[must_use]
pub(super) fn cell(dimension: &str, cell: &str) -> String {
    let known = match (dimension, cell) {
        ("score" | "length", "money") => "money",
        ("score", "dmp" | "1-1") => DMP,
        ("score", "other") => "every other score",
        ("score", "crawford") => "Crawford game",
        ("score", score) => {
            return score.split_once('-').filter(|_| score.starts_with(|c: char| c.is_ascii_digit())).map_or_else(
                || token(score),
                |(own, other)| format!("{}-away / {}-away", shown(own, TOKEN), shown(other, TOKEN)),
            );
        }
        ("length", "1") => "1 point",
        ("length", points) => return format!("{} points", shown(points, TOKEN)),
        ("opponent", name) => return shown(name, NAME),
        ("engine", engine) => return self::engine(engine),
        ("kind", kind) => return self::kind(kind),
        ("best_action", "double_take") => "double, take",
        ("best_action", "double_pass") => "double, pass",
        ("direction", "offer_right") => "offer: right",
        ("direction", "offer_missed") => "offer: missed",
        ("direction", "offer_premature") => "offer: premature",
        ("direction", "answer_right") => "answer: right",
        ("direction", "answer_wrong_pass") => "answer: wrong pass",
        ("direction", "answer_wrong_take") => "answer: wrong take",
        ("time", "30+") => "30 and more",
        ("rank", "91+") => "decision 91 and later",
        ("rank", span) => return format!("decisions {}", shown(span, TOKEN).replace('-', "\u{2013}")),
        ("time", span) => return shown(span, TOKEN).replace('-', "\u{2013}"),
        ("pace", "quick") => "quicker than the own median",
        ("pace", "considered") => "at the own median or slower",
        ("depth" | "month", label) => return shown(label, TOKEN),
        (_, other) => return token(other),
    };
    known.to_owned()
}

/// How many cells stand side by side, and what that means (`metrics.md` 9.5). `what` in the singular.
#[must_use]
pub(super) fn chance(tested: usize, what: &str) -> String {
    let tested = counted(
        i64::try_from(tested).unwrap_or(i64::MAX),
        &format!("{what} was tested"),
        &format!("{what}s were tested"),
    );
    format!("{}; at 95\u{a0}%, about one in twenty would stand apart by chance.", sentence(&tested))
}

/// Why a decision has no error.
#[must_use]
pub(super) fn unrated(reason: &str) -> String {
    match reason {
        "no_analysis" => "not analysed",
        "not_listed" => "play not among the candidates",
        "illegal" => "illegal play",
        "beaver" => "after a beaver",
        "other_met" => "analysed with another match equity table",
        other => return token(other),
    }
    .to_owned()
}

/// A level band (`metrics.md` 2).
#[must_use]
pub(super) fn level(token: &str) -> String {
    match token {
        "world_class" => "World class".to_owned(),
        other => sentence(&self::token(other)),
    }
}

/// `7-away / 5-away`, with the regime where it matters; `money`, `double match point`.
#[must_use]
pub(super) fn score(row: &DecisionRow) -> String {
    score_with(row, " / ")
}

/// The same with another word between the two.
#[must_use]
pub(super) fn score_with(row: &DecisionRow, between: &str) -> String {
    match (row.regime.as_str(), row.own_away, row.opp_away) {
        ("money", ..) => "money".to_owned(),
        (_, 1, 1) => DMP.to_owned(),
        ("normal", own, other) => format!("{own}-away{between}{other}-away"),
        (regime, own, other) => format!("{own}-away{between}{other}-away, {}", token(regime)),
    }
}

/// What was done: the play, or the cube action.
#[must_use]
pub(super) fn made(row: &DecisionRow) -> String {
    let again = if row.cube_owner == "m" { "redouble" } else { "double" };
    match row.kind.as_str() {
        "no_double" => format!("No {again}"),
        "double" => sentence(again),
        "take" if row.beaver => "Beaver".to_owned(),
        "take" => "Take".to_owned(),
        "pass" => "Pass".to_owned(),
        _ => row.play.as_deref().map_or_else(|| "play unknown".to_owned(), |play| shown(play, TOKEN)),
    }
}

/// What was best; `None` without an analysis.
#[must_use]
pub(super) fn best(row: &DecisionRow) -> Option<String> {
    if row.kind == "checker" {
        return row.best.as_deref().map(|best| shown(best, TOKEN));
    }
    if matches!(row.kind.as_str(), "take" | "pass") {
        return answer(row).map(str::to_owned);
    }
    let again = if row.cube_owner == "m" { "redouble" } else { "double" };
    Some(match row.best.as_deref()? {
        "no_double" => format!("No {again}"),
        "double_take" => format!("{}, take", sentence(again)),
        "double_pass" => format!("{}, pass", sentence(again)),
        "too_good" => format!("No {again}: too good"),
        other => token(other),
    })
}

/// The better answer to a double, from the equities; `None` without them. At a tie the answer given is as good.
fn answer(row: &DecisionRow) -> Option<&'static str> {
    let (dt, dp) = (Equity::from_units(row.dt?), Equity::from_units(row.dp?));
    Some(match ((dt - dp).mpt().0, row.kind.as_str()) {
        (1.., _) => "Pass",
        (0, "pass") => "Pass",
        _ => "Take",
    })
}

/// `Bramblewick to play 2-1`, `Bramblewick on roll, cube decision`, `Bramblewick to answer a double`.
#[must_use]
pub(super) fn question(decider: &str, row: &DecisionRow) -> String {
    match (row.kind.as_str(), row.dice) {
        ("checker", Some(dice)) => format!("{decider} to play {}", roll(dice)),
        ("take" | "pass", _) if row.cube_owner == "o" => format!("{decider} to answer a redouble"),
        ("take" | "pass", _) => format!("{decider} to answer a double"),
        _ => format!("{decider} on roll, cube decision"),
    }
}

/// `6-4` from 64.
#[must_use]
pub(super) fn roll(dice: i64) -> String {
    format!("{}-{}", dice / 10, dice % 10)
}

/// `Cube 2, with Bramblewick`, `Cube 1, centred`.
#[must_use]
pub(super) fn cube(position: &PositionKey, names: [&str; 2]) -> String {
    let value = position.cube.value();
    match position.cube.owner {
        Owner::Centred => format!("Cube {value}, centred"),
        Owner::Own => format!("Cube {value}, with {}", names[0]),
        Owner::Opponent => format!("Cube {value}, with {}", names[1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn double_match_point_has_one_name_whatever_the_regime_and_the_table() {
        let row = |regime: &str, own_away, opp_away| DecisionRow {
            regime: regime.to_owned(),
            own_away,
            opp_away,
            ..DecisionRow::default()
        };
        for regime in ["crawford", "post_crawford"] {
            assert_eq!(score(&row(regime, 1, 1)), "double match point");
        }
        assert_eq!([cell("score", "dmp"), cell("score", "1-1")], ["double match point"; 2]);
        assert_eq!(score(&row("crawford", 1, 3)), "1-away / 3-away, Crawford");
        assert_eq!(score_with(&row("normal", 7, 5), " against "), "7-away against 5-away");
        assert_eq!(cell("score", "1-11"), "1-away / 11-away");
        assert_eq!(score(&row("money", 0, 0)), "money");
    }
}
