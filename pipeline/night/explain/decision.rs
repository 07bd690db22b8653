//! A decision: the verdict first (what was played and what was best, what the error cost, whether it counts and why not,
//! the family it enters), then what it rests on: the position, every candidate, the cells of the breakdowns.
//!
//! Figures are rounded for reading, half away from zero; the stored whole numbers are in the tables.

use super::{Tables, emg, played};
use crate::game::key::PositionKey;
use crate::night::diff::title;
use crate::night::fault::NightFault;
use crate::night::status::terminal;
use crate::rate::cells;
use crate::report;
use crate::tables::facts::{AnalysisRow, CandidateRow, DecisionRow, MatchRow, SourceRow, match_of};
use crate::tables::partials::ErrorRow;
use std::fmt::Write as _;

/// The text for a terminal.
pub(super) fn text(tables: &Tables<'_>, (id, of): (&str, &MatchRow)) -> Result<String, NightFault> {
    let decisions: Vec<DecisionRow> = tables.of_match(of, |row: &DecisionRow| &row.match_id)?;
    let Some(row) = decisions.iter().find(|row| row.decision_id == id) else {
        return Err(NightFault::NoSuch(format!(
            "match {} has no decision {:?}; it has {} to {}",
            of.match_id,
            terminal(id),
            decisions.first().map_or("none", |row| row.decision_id.as_str()),
            decisions.last().map_or("none", |row| row.decision_id.as_str()),
        )));
    };
    let errors: Vec<ErrorRow> = tables.of_match(of, |row: &ErrorRow| &row.match_id)?;
    let mut out = format!("{}\n", title(of));
    head(&mut out, row, of);
    judgement(&mut out, row);
    _ = writeln!(out, "counts: {}", standing(row));
    enters(&mut out, errors.iter().find(|error| error.decision_id == id));
    position(&mut out, row, of);
    equities(&mut out, row);
    let candidates: Vec<CandidateRow> = tables.of_match(of, |row: &CandidateRow| match_of(&row.decision_id))?;
    for candidate in candidates.iter().filter(|candidate| candidate.decision_id == id) {
        _ = writeln!(out, "  {}", candidate_line(candidate, row.played_rank));
    }
    for cell in cells::of_decision(&decisions, row.order, &tables.settings.rules) {
        _ = writeln!(out, "  cell {} = {}{}", cell.dimension, terminal(&cell.cell), tilt(cell.plus - cell.minus));
    }
    source(&mut out, tables, of)?;
    Ok(out)
}

fn head(out: &mut String, row: &DecisionRow, of: &MatchRow) {
    let name = if row.seat == 1 { &of.player_1 } else { &of.player_2 };
    let dice = row.dice.map_or_else(String::new, |dice| format!(", roll {}-{}", dice / 10, dice % 10));
    let score = match (row.play_kind.as_str(), row.own_away, row.opp_away) {
        ("money", ..) => "money play".to_owned(),
        (_, 1, 1) => "double match point".to_owned(),
        _ => format!("{} away against {} away, {}", row.own_away, row.opp_away, row.regime),
    };
    let owner = match row.cube_owner.as_str() {
        "m" => "the decider's",
        "o" => "the opponent's",
        _ => "centred",
    };
    _ = writeln!(
        out,
        "{}: game {}, {} (seat {}), {}{dice}; {score}; cube {}, {owner}",
        row.decision_id,
        row.game,
        terminal(name),
        row.seat,
        row.kind.replace('_', " "),
        row.cube,
    );
}

fn position(out: &mut String, row: &DecisionRow, of: &MatchRow) {
    if let Ok(key) = PositionKey::from_text(&row.position_key) {
        _ = writeln!(out, "position  {}", report::xgid(&key, of));
    }
    _ = writeln!(out, "key       {}", terminal(&row.position_key));
    let depth = |depth: &Option<String>| depth.as_deref().map_or_else(|| "not known".to_owned(), terminal);
    _ = writeln!(
        out,
        "depth     {} for the best, {} for what was played",
        depth(&row.depth_best),
        depth(&row.depth_played)
    );
}

fn equities(out: &mut String, row: &DecisionRow) {
    if let (Some(nd), Some(dt), Some(dp)) = (row.nd, row.dt, row.dp) {
        _ = writeln!(
            out,
            "equities  no double {}, double and take {}, double and pass {}",
            equity(nd),
            equity(dt),
            equity(dp)
        );
    }
}

/// 1e-8 EMG to four decimals, one more than an error has: the last digit tells how it was rounded.
fn equity(units: i64) -> String {
    const STEP: u64 = 10_000;
    const SCALE: u64 = 10_000;
    let rounded = units.unsigned_abs().saturating_add(STEP / 2) / STEP;
    let sign = if units < 0 && rounded > 0 { '-' } else { '+' };
    format!("{sign}{}.{:04}", rounded / SCALE, rounded % SCALE)
}

/// 1e-9 of a match in percent, three decimals; what is there and smaller is told as such.
fn share(units: i64) -> String {
    const STEP: u64 = 10_000;
    const SCALE: u64 = 1000;
    let rounded = units.unsigned_abs().saturating_add(STEP / 2) / STEP;
    if units != 0 && rounded == 0 {
        return "less than 0.001 %".to_owned();
    }
    let sign = if units < 0 { "-" } else { "" };
    format!("{sign}{}.{:03} %", rounded / SCALE, rounded % SCALE)
}

fn candidate_line(row: &CandidateRow, played: Option<i64>) -> String {
    let mark = if played == Some(row.rank) { '*' } else { ' ' };
    let worth = row.equity.map_or_else(|| "no equity".to_owned(), equity);
    let cost = row
        .cost
        .filter(|cost| *cost != 0)
        .map_or_else(String::new, |cost| format!(" costs {}", equity(cost).trim_start_matches('+')));
    let share = |units: Option<i64>| units.map(|units| format!("{:.2}", units as f64 / 1e6));
    let chances: Option<Vec<String>> =
        [row.win, row.win_gammon, row.win_backgammon, row.lose, row.lose_gammon, row.lose_backgammon]
            .into_iter()
            .map(share)
            .collect();
    let chances =
        chances.map_or_else(String::new, |all| format!(" [{} | {}] %", all[..3].join(" "), all[3..].join(" ")));
    format!("{mark} {:>2}. {} {worth}{cost}{chances} {}", row.rank + 1, terminal(&row.play), terminal(&row.depth))
}

fn judgement(out: &mut String, row: &DecisionRow) {
    if let Some(play) = &row.play {
        _ = writeln!(out, "played    {}", terminal(play));
    }
    if let Some(best) = &row.best {
        _ = writeln!(out, "best      {}", terminal(&best.replace('_', " ")));
    }
    if let Some(mpt) = row.e_mpt {
        _ = writeln!(out, "error     {} EMG ({mpt} mpt)", emg(mpt));
    }
    if let Some(loss) = row.loss {
        _ = writeln!(out, "loss      {} of the match", share(loss));
    }
    if let Some(difficulty) = row.difficulty {
        let avoidable = if row.avoidable { ", avoidable" } else { "" };
        _ = writeln!(out, "difficulty {} of the match{avoidable}", share(difficulty));
    }
    if let Some(luck) = row.luck {
        _ = writeln!(out, "luck      {}", equity(luck));
    }
}

/// Whether it counts in PR, and why not.
fn standing(row: &DecisionRow) -> &'static str {
    if row.counted {
        return "yes, in PR and in all that follows from it";
    }
    match row.unrated_reason.as_deref() {
        Some("no_analysis") => "no: the file holds no analysis of it",
        Some("not_listed") => "no: the play is not among the candidates",
        Some("illegal") => "no: the play is illegal",
        Some("beaver") => "no: it answers a beaver",
        Some("other_met") => "no: it was analysed with another match equity table",
        Some(_) => "no: it has no error",
        None if row.forced => "no: forced, whatever is played costs nothing",
        None if row.kind == "no_double" && !row.may_double => "no: no access to the cube",
        None if row.kind == "no_double" => "no: a no double outside the doubling window",
        None => "no",
    }
}

fn enters(out: &mut String, error: Option<&ErrorRow>) {
    let Some(error) = error else {
        out.push_str("enters: no family, it is no counted error\n");
        return;
    };
    let theme = error.theme.as_deref().unwrap_or("no theme: recurring errors only");
    _ = writeln!(out, "enters: family {}, {}, {}", terminal(&error.plan), error.nature, terminal(theme));
}

fn tilt(balance: i64) -> &'static str {
    match balance.signum() {
        1 => ", as too much",
        -1 => ", as too little",
        _ => "",
    }
}

/// The file whose analysis this is.
fn source(out: &mut String, tables: &Tables<'_>, of: &MatchRow) -> Result<(), NightFault> {
    let primary = tables.rows(&of.season, |row: &AnalysisRow| row.primary && row.match_id == of.match_id)?;
    let Some(primary) = primary.first() else { return Ok(()) };
    for season in tables.seasons()? {
        for row in tables.rows(&season, |row: &SourceRow| row.path == primary.path)? {
            _ = writeln!(out, "file: {}", played::file(&row));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_decision_does_not_count_is_said_in_the_order_of_the_rules() {
        let row = |kind: &str, may_double, forced| DecisionRow {
            kind: kind.to_owned(),
            may_double,
            forced,
            ..DecisionRow::default()
        };
        assert!(standing(&row("checker", false, true)).contains("forced"));
        assert!(standing(&row("no_double", false, false)).contains("access"));
        assert!(standing(&row("no_double", true, false)).contains("window"));
        let unrated = DecisionRow { unrated_reason: Some("illegal".to_owned()), ..row("checker", false, true) };
        assert!(standing(&unrated).contains("illegal"));
        assert!(standing(&DecisionRow { counted: true, ..unrated }).starts_with("yes"));
    }

    #[test]
    fn figures_are_rounded_half_away_from_zero_and_nothing_becomes_nothing() {
        assert_eq!([equity(-12_345_000), equity(12_345_001), equity(198_765_432)], ["-0.1235", "+0.1235", "+1.9877"]);
        assert_eq!([equity(0), equity(-4999), equity(-5000)], ["+0.0000", "+0.0000", "-0.0001"]);
        assert_eq!([share(17_705_000), share(17_704_999), share(1_000_000_000)], ["1.771 %", "1.770 %", "100.000 %"]);
        assert_eq!([share(0), share(4999), share(-20_000)], ["0.000 %", "less than 0.001 %", "-0.002 %"]);
    }
}
