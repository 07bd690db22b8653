//! What the Academy tells, as rows of its tables.

use super::earlier::{self, Earlier};
use super::source::day;
use super::state::{Positions, Shown, Told, ToldContest};
use crate::academy::Academy;
use crate::academy::contest::{Outcome, Side};
use crate::academy::library::Step;
use crate::academy::measures::{Kind, MeasureRow};
use crate::academy::rows::{
    AdviceRow, AdviceSource, FilingEvent, FilingRow, NodeRow, Phase, RatingRow, Shelving, Status,
};
use crate::academy::save::{Saved, SavedGame};
use crate::academy::units::{ELO_SCALE, Elo, VALUE_SCALE, Value};
use crate::tables::academy::{
    AcademyAdviceRow, AcademyContestRow, AcademyFilingRow, AcademyMeasureRow, AcademyPatternRow, AcademyPlayerRow,
    AcademyRatingRow, AcademyTreeRow, AcademyVoteRow,
};
use crate::tables::columns::Columns;
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, WHOLE};
use crate::tables::part::PartWriter;
use crate::tables::row::{self, Row};
use std::path::Path;
use std::slice;

/// Table and name of its part.
pub(super) type Written = (&'static str, String);

/// Writes what a month told: rows are put into the order of their table as they are, and go into its shape one by one,
/// among those of earlier nights.
pub(super) fn month(dir: &Path, (season, label): (&str, &str), told: &Told) -> Result<Vec<Written>, TableFault> {
    let (place, earlier) = ((dir, season, label), told.earlier.as_ref());
    let mut contests: Vec<&ToldContest> = told.contests.iter().collect();
    contests.sort_unstable_by(|a, b| a.row.contest_id.cmp(&b.row.contest_id));
    let filings = contests.iter().flat_map(|&of| (1..).zip(&of.filings).map(move |(number, row)| (of, number, row)));
    let advice = contests.iter().flat_map(|&of| of.advice.iter().map(move |row| (of, row)));
    let mut ratings = told.ratings.iter().map(|row| rating(season, row)).collect::<Vec<AcademyRatingRow>>();
    row::sort(&mut ratings);
    let of = |columns: fn(&Earlier) -> &Columns| earlier.map(columns);
    Ok(vec![
        earlier::push(place, of(|told| &told.contests), contests.iter().map(|of| contest(season, of)))?,
        earlier::push(place, of(|told| &told.ratings), ratings.into_iter())?,
        earlier::push(place, of(|told| &told.filings), filings.map(|row| filing(season, row)))?,
        earlier::push(place, of(|told| &told.advice), advice.map(|row| self::advice(season, row)))?,
    ])
}

/// Writes what the Academy knows at the end of a season.
pub(super) fn season(
    dir: &Path,
    season: &str,
    (academy, saved, positions): (&Academy, &Saved, &Positions),
) -> Result<Vec<Written>, TableFault> {
    let place = (dir, season, WHOLE);
    let measures = saved.games.iter().flat_map(|game| {
        let seen = positions.get(&game.game).map(Shown::count);
        academy.measures(&game.game, seen).into_iter().map(|row| measure(season, row))
    });
    // A state is saved in the order of these tables, so no row waits for another.
    Ok(vec![
        write(place, measures.collect::<Vec<AcademyMeasureRow>>())?,
        push(place, each(saved, |game| game.nodes.iter().map(|row| node(season, &game.game, row))))?,
        push(place, each(saved, |game| pattern_rows(season, game)))?,
        votes(dir, season, saved)?,
        push(place, each(saved, |game| player_rows(season, game)))?,
    ])
}

/// The rows of all games.
fn each<'a, I: Iterator>(saved: &'a Saved, of: impl Fn(&'a SavedGame) -> I) -> impl Iterator<Item = I::Item> {
    saved.games.iter().flat_map(of)
}

fn measure(season: &str, row: MeasureRow) -> AcademyMeasureRow {
    AcademyMeasureRow {
        season: season.to_owned(),
        game: row.game,
        measure: row.measure.to_owned(),
        value: row.value,
        kind: match row.kind {
            Kind::Exact => "exact",
            Kind::Estimate => "estimate",
            Kind::LowerBound => "lower_bound",
        }
        .to_owned(),
        n: whole(row.n),
    }
}

/// Writes empty parts for a season without a contest.
pub(super) fn nothing(dir: &Path, season: &str) -> Result<Vec<Written>, TableFault> {
    let place = (dir, season, WHOLE);
    Ok(vec![
        write::<AcademyContestRow>(place, Vec::new())?,
        write::<AcademyRatingRow>(place, Vec::new())?,
        write::<AcademyFilingRow>(place, Vec::new())?,
        write::<AcademyAdviceRow>(place, Vec::new())?,
        write::<AcademyTreeRow>(place, Vec::new())?,
        write::<AcademyPatternRow>(place, Vec::new())?,
        write::<AcademyVoteRow>(place, Vec::new())?,
        write::<AcademyMeasureRow>(place, Vec::new())?,
        write::<AcademyPlayerRow>(place, Vec::new())?,
    ])
}

/// Writes rows that come in the order of their key.
fn push<R: Row>(place: (&Path, &str, &str), rows: impl Iterator<Item = R>) -> Result<Written, TableFault> {
    earlier::push(place, None, rows)
}

fn write<R: Row>(place: (&Path, &str, &str), mut rows: Vec<R>) -> Result<Written, TableFault> {
    row::sort(&mut rows);
    push(place, rows.into_iter())
}

fn contest(season: &str, ToldContest { row, digest, .. }: &ToldContest) -> AcademyContestRow {
    let result = match row.outcome {
        Outcome::First => Some("first"),
        Outcome::Draw => Some("draw"),
        Outcome::Second => Some("second"),
        Outcome::Unfinished | Outcome::Edited => None,
    };
    let status = match row.status {
        Status::Filed => "filed",
        Status::Unfinished => "unfinished",
        Status::Edited => "edited",
    };
    AcademyContestRow {
        season: season.to_owned(),
        contest_id: row.contest_id.clone(),
        game: row.game.clone(),
        date: row.date.map(day),
        match_id: row.match_id.clone(),
        seq: row.seq.into(),
        position: whole(row.position),
        first: row.first.clone(),
        second: row.second.clone(),
        elo_first: row.elo_first.points(),
        elo_second: row.elo_second.points(),
        result: result.map(str::to_owned),
        ends_on_board: row.ends_on_board,
        plies: whole(row.plies),
        first_contact: row.first_contact.map(i64::from),
        estimated: row.estimated.into(),
        digest: digest.clone(),
        status: status.to_owned(),
    }
}

fn rating(season: &str, (position, row): &(u64, RatingRow)) -> AcademyRatingRow {
    AcademyRatingRow {
        season: season.to_owned(),
        game: row.game.clone(),
        date: row.date.map(day),
        match_id: row.match_id.clone(),
        position: whole(*position),
        player: row.player.clone(),
        before: row.before.points(),
        after: row.after.points(),
        experience: whole(row.experience),
    }
}

fn filing(season: &str, (of, number, row): (&ToldContest, i64, &FilingRow)) -> AcademyFilingRow {
    let (outcome, value, changed) = match row.event {
        FilingEvent::Filed { step, value, changed } => (step_word(step), share(value), Some(i64::from(changed))),
        FilingEvent::Evicted { value } => ("evicted", value, None),
    };
    AcademyFilingRow {
        season: season.to_owned(),
        contest_id: of.row.contest_id.clone(),
        filing: number,
        game: of.row.game.clone(),
        ply: row.ply.into(),
        library: library_word(row.library).to_owned(),
        outcome: outcome.to_owned(),
        id: row.id.into(),
        area: row.place.name().to_owned(),
        cells: row.cells.text(),
        value,
        changed,
    }
}

fn advice(season: &str, (of, row): (&ToldContest, &AdviceRow)) -> AcademyAdviceRow {
    let (source, source_id) = match row.source {
        AdviceSource::Node(id) => ("node", id),
        AdviceSource::Pattern(id) => ("pattern", id),
    };
    let phase = match row.phase {
        Phase::Opening => "opening",
        Phase::Middle => "middle",
        Phase::End => "end",
    };
    AcademyAdviceRow {
        season: season.to_owned(),
        contest_id: of.row.contest_id.clone(),
        match_id: of.row.match_id.clone(),
        game: of.row.game.clone(),
        ply: row.ply.into(),
        player: row.player.clone(),
        phase: phase.to_owned(),
        source: source.to_owned(),
        source_id: source_id.into(),
        proposed: row.proposed.clone(),
        proposed_key: row.proposed_key.clone(),
        proposed_value: row.proposed_value,
        proposed_elo: row.proposed_elo,
        played: row.played.clone(),
        cost_proposed: row.cost_proposed.map(crate::academy::units::Cost::billionths),
        cost_played: row.cost_played.map(crate::academy::units::Cost::billionths),
        right: row.right,
        // A play as good as the best is right; so the page counts, whatever stands first in the list.
        played_right: row.cost_played.map(|cost| cost.billionths() == 0),
    }
}

fn node(season: &str, game: &str, row: &NodeRow) -> AcademyTreeRow {
    let [stopped_w, stopped_d, stopped_l] = row.stopped.map(whole);
    let [total_w, total_d, total_l] = row.total.map(whole);
    let mean = |sum: i64, n: u32, scale: i64| (n > 0).then(|| sum as f64 / f64::from(n) / scale as f64);
    // Sums are in the first player's view; at even depth the second player moved.
    let own = |value: f64| if row.depth % 2 == 1 { value } else { 1.0 - value };
    AcademyTreeRow {
        season: season.to_owned(),
        game: game.to_owned(),
        node: row.node.into(),
        parent: row.parent.map(i64::from),
        depth: row.depth.into(),
        chance: row.chance.clone(),
        play: row.label.clone(),
        key: row.key.clone(),
        stopped_w,
        stopped_d,
        stopped_l,
        total_w,
        total_d,
        total_l,
        sum_value: row.sum_value,
        n_value: row.n_value.into(),
        n_results: row.n_results.into(),
        sum_elo: row.sum_elo,
        n_elo: row.n_elo.into(),
        value: mean(row.sum_value, row.n_value, VALUE_SCALE).filter(|_| row.depth > 0).map(own),
        elo: mean(row.sum_elo, row.n_elo, ELO_SCALE).filter(|_| row.depth > 0),
        first_seen: row.first_seen.map(day),
        last_seen: row.last_seen.map(day),
    }
}

fn pattern_rows(season: &str, game: &SavedGame) -> impl Iterator<Item = AcademyPatternRow> {
    game.patterns.iter().map(move |row| AcademyPatternRow {
        season: season.to_owned(),
        game: game.game.clone(),
        library: library_word(row.library).to_owned(),
        id: row.id.into(),
        area: row.area.clone(),
        rows: row.rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        cells: row.cells.clone(),
        p: if row.side == Side::First { 1 } else { 2 },
        n: whole(row.n),
        e: row.e,
        v: row.v,
        proposals: whole(row.proposals),
        worth: row.worth,
        wild: row.wild.into(),
        first_seen: row.first_seen.map(day),
        last_seen: row.last_seen.map(day),
        example_contest: row.example_contest.clone(),
        example_ply: row.example_ply.into(),
    })
}

/// Writes the votes. They are most rows of a season, so one row holds each in turn.
fn votes(dir: &Path, season: &str, saved: &Saved) -> Result<Written, TableFault> {
    let mut writer = PartWriter::create(&lake::table_dir(dir, AcademyVoteRow::TABLE, season), WHOLE)?;
    let mut row = AcademyVoteRow { season: season.to_owned(), ..AcademyVoteRow::default() };
    for game in &saved.games {
        row.game.clone_from(&game.game);
        for vote in &game.votes {
            library_word(vote.library).clone_into(&mut row.library);
            (*vote.player).clone_into(&mut row.player);
            (row.id, row.k) = (vote.id.into(), vote.k.into());
            (row.sum_elo, row.sum_value) = (vote.sum_elo, vote.sum_value);
            writer.push(slice::from_ref(&row))?;
        }
    }
    Ok((AcademyVoteRow::TABLE, writer.finish()?.name()))
}

fn player_rows(season: &str, game: &SavedGame) -> impl Iterator<Item = AcademyPlayerRow> {
    game.players.iter().map(move |row| AcademyPlayerRow {
        season: season.to_owned(),
        game: game.game.clone(),
        player: row.player.clone(),
        rating: row.rating.or(row.stated).map(Elo::points),
        experience: whole(row.experience),
        contests: whole(row.contests),
        opening_decisions: whole(row.opening_decisions),
        opening_taken: whole(row.opening_taken),
    })
}

const fn step_word(step: Step) -> &'static str {
    match step {
        Step::Match => "match",
        Step::Generalise => "generalise",
        Step::Specialise => "specialise",
        Step::Insert => "insert",
    }
}

const fn library_word(library: Shelving) -> &'static str {
    match library {
        Shelving::Chuban => super::CHUBAN,
        Shelving::Yose => super::YOSE,
    }
}

fn share(value: Value) -> f64 {
    value.billionths() as f64 / VALUE_SCALE as f64
}

/// Counts of things that were filed one by one: none reaches the bound.
fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
