//! Players' figures out of Parquet: what is read and summed is what plain loops sum from the same rows.

use super::made::{SEASON, marts as by_ledger, match_row, moment};
use super::pools::{all_bits, next, shuffle};
use super::{m7, made::near};
use portes::measure::player::Marts;
use portes::measure::scope::Scope;
use portes::measure::season::{self, Asked};
use portes::measure::{MeasureFault, Settings};
use portes::tables::facts::{AnalysisRow, MatchRow};
use portes::tables::lake::table_dir;
use portes::tables::part::PartWriter;
use portes::tables::partials::MomentRow;
use portes::tables::row::{self, Row, Value};
use std::collections::BTreeMap;
use std::path::Path;

const BUCKETS: u8 = 3;

/// Writes rows as parts of at most this many rows, those of a match in its bucket.
fn write<R: Row + Clone>(snapshot: &Path, season: &str, rows: &[R], at_a_time: usize) {
    let mut buckets: BTreeMap<u8, Vec<R>> = BTreeMap::new();
    for row in rows {
        buckets.entry(bucket(row) % BUCKETS).or_default().push(row.clone());
    }
    for (bucket, rows) in buckets {
        for rows in rows.chunks(at_a_time) {
            let mut rows = rows.to_vec();
            row::sort(&mut rows);
            let dir = table_dir(snapshot, R::TABLE, season);
            let mut writer = PartWriter::create(&dir, &format!("{bucket:03}")).unwrap();
            writer.push(&rows).unwrap();
            writer.finish().unwrap();
        }
    }
}

/// The last letter of a row's match.
fn bucket<R: Row>(row: &R) -> u8 {
    let at = R::COLUMNS.iter().position(|column| column.name == "match_id").unwrap();
    let mut last = 0;
    row.values(&mut |column, value| {
        if let Value::Text(text) = value
            && column == at
        {
            last = *text.as_bytes().last().unwrap();
        }
    });
    last
}

/// The figures of a snapshot.
fn marts(snapshot: &Path) -> Result<Marts, MeasureFault> {
    let asked =
        Asked { settings: Settings::default(), main_player: None, events: &[], goal: None, scope: &Scope::Everyone };
    Ok(season::marts(snapshot, &asked)?.0)
}

fn analysis(match_id: &str, format: &str) -> AnalysisRow {
    AnalysisRow {
        season: SEASON.to_owned(),
        match_id: match_id.to_owned(),
        source_id: format!("s{match_id}"),
        path: String::new(),
        format: format.to_owned(),
        engine: "xg".to_owned(),
        engine_version: None,
        depths: None,
        met: "kazaross-xg2".to_owned(),
        rated: 0,
        depth_sum: 0,
        primary: true,
        partial: false,
        made_by_portes: false,
    }
}

const PLAYERS: [&str; 5] = ["Ana", "Bo", "Cy", "Dee", "É."];
const KINDS: [&str; 5] = ["checker", "no_double", "double", "take", "pass"];

/// Sixty matches of all lengths, money and too long among them, with every column filled.
fn made(state: &mut u64) -> (Vec<MatchRow>, Vec<MomentRow>) {
    let (mut matches, mut moments) = (Vec::new(), Vec::new());
    for at in 0..60_u64 {
        let id = format!("{:016x}", at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let length = [0, 1, 3, 5, 7, 9, 11, 64, 65][(next(state) % 9) as usize];
        let players = [PLAYERS[(next(state) % 5) as usize], PLAYERS[(next(state) % 5) as usize]];
        let winner = [None, Some(1), Some(2)][(next(state) % 3) as usize];
        matches.push(MatchRow { winner, finished: winner.is_some(), ..match_row(&id, players, length) });
        for game in 1..=1 + (next(state) % 6) as i64 {
            for (seat, kind) in [1, 2].iter().flat_map(|seat| KINDS.iter().map(move |kind| (*seat, *kind))) {
                if !next(state).is_multiple_of(4) {
                    moments.push(filled(moment(&id, game, seat, kind), (1..=64).contains(&length), state));
                }
            }
        }
    }
    (matches, moments)
}

fn filled(row: MomentRow, priced: bool, state: &mut u64) -> MomentRow {
    let mut up_to = |most: u64| (next(state) % most) as i64;
    let counted = up_to(12);
    let (rated, mpt) = (counted + up_to(5), if counted > 0 { up_to(400) } else { 0 });
    let loss = if priced && counted > 0 { up_to(30_000_000) } else { 0 };
    let rolls = if row.kind == "checker" { rated + up_to(3) } else { 0 };
    let both = if priced { counted } else { 0 };
    MomentRow {
        n: rated + 1,
        rated,
        counted,
        unrated: 1,
        mpt,
        rated_mpt: mpt + up_to(50),
        priced: both,
        loss,
        both,
        both_loss: loss,
        difficulty: if both > 0 { up_to(5_000_000) } else { 0 },
        errors: up_to(3),
        rolls,
        unrated_rolls: rolls.min(1),
        luck_rolls: rolls,
        luck: up_to(1 << 30) - (1 << 29),
        luck_mwc_rolls: if priced { rolls } else { 0 },
        luck_mwc: if priced { up_to(60_000_000) - 30_000_000 } else { 0 },
        timed: up_to(2),
        hasty: up_to(2),
        ..row
    }
}

/// 500 Σe/N and its interval as the page of the definition writes them, in floats.
fn slow_ratio(units: &[(f64, f64)]) -> (f64, Option<(f64, f64)>) {
    let (e, n) = units.iter().fold((0.0, 0.0), |(e, n), unit| (e + unit.0, n + unit.1));
    let (rate, count) = (e / n, units.len() as f64);
    let squares: f64 = units.iter().map(|(e, n)| (e - rate * n).powi(2)).sum();
    let error = (count / (count - 1.0) * squares / (n * n)).sqrt();
    let ends =
        (units.len() >= 3 && error > 1e-6 * rate.abs()).then(|| ((rate - 1.96 * error).max(0.0), rate + 1.96 * error));
    (rate, ends)
}

/// One player's PR and L7 of everything, decision by decision of nothing but the rows.
fn slow_units(
    player: Option<&str>,
    matches: &[MatchRow],
    moments: &[MomentRow],
) -> (Vec<(f64, f64)>, Vec<(f64, f64)>, f64, f64) {
    let (mut pr, mut l7, mut rated_mpt, mut rolls) = (Vec::new(), Vec::new(), 0.0, 0.0);
    for row in matches {
        let (mut mpt, mut counted, mut loss, mut roots) = (0, 0, 0, 0.0);
        let mut took_part = false;
        for (seat, name) in [(1, &row.player_1), (2, &row.player_2)] {
            if player.is_some_and(|player| player != name) {
                continue;
            }
            took_part = true;
            let mut priced = 0;
            for moment in moments.iter().filter(|m| m.match_id == row.match_id && m.seat == seat) {
                mpt += moment.mpt;
                counted += moment.counted;
                loss += moment.loss;
                priced += moment.priced;
                rated_mpt += moment.rated_mpt as f64;
            }
            if priced > 0 {
                roots += (row.length.unwrap() as f64).sqrt();
            }
        }
        if took_part {
            let of_match = moments.iter().filter(|m| m.match_id == row.match_id);
            rolls += of_match.map(|m| (m.rolls - m.unrated_rolls) as f64).sum::<f64>();
        }
        if counted > 0 {
            pr.push((mpt as f64, counted as f64));
        }
        if roots > 0.0 {
            l7.push((loss as f64 / 1e9, roots));
        }
    }
    (pr, l7, rated_mpt, rolls)
}

#[test]
fn tables_and_plain_loops_agree() {
    let mut state = 7;
    let (mut matches, mut moments) = made(&mut state);
    let lake = tempfile::tempdir().unwrap();
    shuffle(&mut matches, &mut state);
    shuffle(&mut moments, &mut state);
    write(lake.path(), SEASON, &matches, 17);
    write(lake.path(), SEASON, &moments, 31);
    let got = marts(lake.path()).unwrap();

    assert_eq!(all_bits(&got), all_bits(&by_ledger(&matches, &moments)));
    assert_eq!(got.player_match.len(), 180);
    assert!(got.player_match.is_sorted_by_key(|row| (row.match_id.clone(), row.seat)));
    assert_eq!(got.player_career.len(), PLAYERS.len() + 1);
    for row in &got.player_career {
        let (pr, l7, rated_mpt, rolls) = slow_units(row.player.as_deref(), &matches, &moments);
        let (rate, ends) = slow_ratio(&pr);
        near(row.pr, 0.5 * rate, 1e-9);
        near(row.pr_low, 0.5 * ends.unwrap().0, 1e-9);
        near(row.pr_high, 0.5 * ends.unwrap().1, 1e-9);
        assert_eq!((row.pr_units, row.l7_units), (pr.len() as i64, l7.len() as i64));
        let (rate, ends) = slow_ratio(&l7);
        let root = 7_f64.sqrt();
        near(row.l7, root * rate, 1e-12);
        near(row.l7_low, root * ends.unwrap().0, 1e-12);
        near(row.l7_high, root * ends.unwrap().1, 1e-12);
        near(row.snowie, 0.5 * rated_mpt / rolls, 1e-9);
        assert!(row.l7_checker.unwrap() > 0.0 && row.l7_cube.unwrap() > 0.0);
        near(row.l7, row.l7_checker.unwrap() + row.l7_cube.unwrap(), 1e-12);
    }
}

#[test]
fn m7_through_parquet() {
    let lake = tempfile::tempdir().unwrap();
    write(lake.path(), SEASON, &[m7::row()], 1);
    // A row a decision: as many of a game and kind, which one part would not take.
    write(lake.path(), SEASON, &m7::moments(), 1);
    let got = marts(lake.path()).unwrap();
    assert_eq!(all_bits(&got), all_bits(&by_ledger(&[m7::row()], &m7::moments())));
}

#[test]
fn order_and_parts_do_not_show_in_a_single_bit() {
    let mut state = 11;
    let (mut matches, mut moments) = made(&mut state);
    let mut seen = Vec::new();
    for parts in [1_000, 64, 7] {
        let lake = tempfile::tempdir().unwrap();
        write(lake.path(), SEASON, &matches, parts);
        write(lake.path(), SEASON, &moments, parts);
        seen.push(all_bits(&marts(lake.path()).unwrap()));
        shuffle(&mut matches, &mut state);
        shuffle(&mut moments, &mut state);
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn only_a_primary_file_of_xg_itself_has_xgs_print() {
    let ids = ["1", "2", "3", "4"];
    let lake = tempfile::tempdir().unwrap();
    let rows: Vec<MatchRow> = ids.iter().map(|id| match_row(id, ["A", "B"], 7)).collect();
    let analyses = [
        analysis("1", "xg"),
        AnalysisRow { made_by_portes: true, ..analysis("2", "xg") },
        AnalysisRow { primary: false, ..analysis("3", "xg") },
        analysis("4", "sgf"),
    ];
    let sums = |id: &&str| MomentRow { xg_counted: 10, xg_e_raw: 1_000_000, ..moment(id, 1, 1, "checker") };
    write(lake.path(), SEASON, &rows, 10);
    write(lake.path(), SEASON, &analyses, 10);
    write(lake.path(), SEASON, &ids.iter().map(sums).collect::<Vec<_>>(), 10);
    let got = marts(lake.path()).unwrap();
    let shown: Vec<Option<i64>> =
        got.player_match.iter().filter(|row| row.seat == Some(1)).map(|row| row.xg_decisions).collect();
    assert_eq!(shown, [Some(10), None, None, None]);
}

#[test]
fn seasons_pool_into_careers_and_their_names_are_no_patterns() {
    let lake = tempfile::tempdir().unwrap();
    let odd = "[2025]*";
    let old = MatchRow { season: odd.to_owned(), ..match_row("1", ["A", "B"], 7) };
    write(lake.path(), odd, &[old], 1);
    write(lake.path(), SEASON, &[match_row("2", ["A", "B"], 7)], 1);
    for (season, id) in [(odd, "1"), (SEASON, "2")] {
        write(lake.path(), season, &[MomentRow { counted: 5, mpt: 50, ..moment(id, 1, 1, "checker") }], 1);
    }
    let got = marts(lake.path()).unwrap();
    let career = got.player_career.iter().find(|row| row.player.as_deref() == Some("A")).unwrap();
    assert_eq!((career.matches, career.decisions), (2, 10));
    assert_eq!(got.player_season.len(), 6);
}

#[test]
fn an_empty_snapshot_has_no_figures_and_a_stray_row_is_a_fault() {
    let lake = tempfile::tempdir().unwrap();
    assert!(marts(lake.path()).unwrap().player_match.is_empty());
    write(lake.path(), SEASON, &[moment("1", 1, 1, "checker")], 1);
    let fault = marts(lake.path()).unwrap_err();
    assert!(matches!(&fault, MeasureFault::Orphan { match_id, .. } if match_id == "1"), "{fault}");
}

#[test]
fn a_part_that_is_no_parquet_is_named() {
    let lake = tempfile::tempdir().unwrap();
    write(lake.path(), SEASON, &[match_row("1", ["A", "B"], 7)], 1);
    let folder = lake.path().join("moments").join(SEASON);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("part-000-0.parquet"), b"not a table").unwrap();
    let fault = marts(lake.path()).unwrap_err();
    assert!(fault.to_string().contains("/moments/") && fault.to_string().contains("is damaged"), "{fault}");
}
