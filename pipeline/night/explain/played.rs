//! A match: its files, who analysed it, and both seats' figures with the sums they come from.

use super::{Tables, emg, percent, pr_of, verdict};
use crate::measure::sums::{ByNature, Nature, Sums};
use crate::night::amount::amount;
use crate::night::diff::title;
use crate::night::fault::NightFault;
use crate::night::status::{day, terminal};
use crate::tables::facts::{AnalysisRow, MatchRow, SourceRow};
use crate::tables::marts::PlayerMatchRow;
use crate::tables::partials::MomentRow;
use std::fmt::Write as _;

/// The text for a terminal.
pub(super) fn text(tables: &Tables<'_>, row: &MatchRow) -> Result<String, NightFault> {
    let mut out = format!("{}\n", title(row));
    let text = |text: &Option<String>| text.as_deref().map_or_else(|| "no round".to_owned(), terminal);
    _ = writeln!(out, "  {}, {}, {}", day(row.date), text(&row.round), amount(row.games, "game"));
    for (written, canonical) in [(&row.name_1, &row.player_1), (&row.name_2, &row.player_2)] {
        if written != canonical {
            _ = writeln!(out, "  {} is written {}", terminal(canonical), terminal(written));
        }
    }
    out.push_str("files\n");
    for season in tables.seasons()? {
        for source in tables.rows(&season, |source: &SourceRow| source.match_id.as_ref() == Some(&row.match_id))? {
            _ = writeln!(out, "  {}", file(&source));
        }
    }
    out.push_str("analyses\n");
    for analysis in tables.rows(&row.season, |analysis: &AnalysisRow| analysis.match_id == row.match_id)? {
        _ = writeln!(out, "  {}", analysed(&analysis));
    }
    let moments: Vec<MomentRow> = tables.of_match(row, |row: &MomentRow| &row.match_id)?;
    let figures = tables.rows(&row.season, |figures: &PlayerMatchRow| figures.match_id == row.match_id)?;
    for (seat, name) in [(1, &row.player_1), (2, &row.player_2)] {
        let mut sums = ByNature::default();
        for moment in moments.iter().filter(|moment| moment.seat == seat) {
            sums.add(Nature::of_kind(&moment.kind)?, &Sums::of(moment));
        }
        let mart = figures.iter().find(|figures| figures.seat == Some(seat));
        _ = writeln!(out, "{} (seat {seat})", terminal(name));
        of_seat(&mut out, &sums, mart);
    }
    Ok(out)
}

/// Path, what became of it, and the hash that says which bytes.
pub(super) fn file(row: &SourceRow) -> String {
    let reason = row.reason.as_deref().map_or_else(String::new, |reason| format!(" ({})", terminal(reason)));
    format!("{}: {}{reason}, {} bytes, blake3 {}", terminal(&row.path), row.status, row.size, row.blake3)
}

fn analysed(row: &AnalysisRow) -> String {
    let rank = if row.primary { "primary" } else { "not primary" };
    let version = row.engine_version.as_deref().map_or_else(String::new, |version| format!(" {}", terminal(version)));
    let depths = row.depths.as_deref().map_or_else(String::new, |depths| format!(" ({})", terminal(depths)));
    format!(
        "{rank}: {}{version} in {}, {}{depths}, depth sum {}",
        row.engine,
        terminal(&row.path),
        amount(row.rated, "rated decision"),
        row.depth_sum
    )
}

fn of_seat(out: &mut String, sums: &ByNature, mart: Option<&PlayerMatchRow>) {
    let total = sums.total();
    _ = writeln!(out, "  {}", pr_of(total.mpt, total.counted));
    for (nature, name) in Nature::ALL.into_iter().zip(["checker plays", "doubles and no doubles", "takes and passes"]) {
        let of = sums.of(nature);
        _ = writeln!(out, "    {name}: {} over {}, of {}", emg(of.mpt), of.counted, amount(of.n, "decision"));
    }
    _ = writeln!(
        out,
        "  not counted: {} forced, {} outside the doubling window, {} unrated",
        total.forced, total.outside_window, total.unrated
    );
    if total.priced > 0 {
        _ = writeln!(out, "  loss {} = the losses of {}", percent(total.loss), amount(total.priced, "decision"));
    }
    if total.both > 0 {
        let (loss, difficulty) = (percent(total.both_loss), percent(total.difficulty));
        _ = writeln!(out, "  excess {} = {loss} - {difficulty}", percent(total.both_loss - total.difficulty));
    }
    _ = writeln!(
        out,
        "  {}, {} of them blunders, {} avoidable",
        amount(total.errors, "error"),
        total.blunders,
        total.avoidable
    );
    let said = verdict(mart.and_then(|mart| mart.pr), (total.mpt, total.counted));
    if !said.is_empty() {
        _ = write!(out, "  {said}");
    }
}
