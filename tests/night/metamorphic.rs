//! What may be done to the files without a figure noticing, and what a figure must then do: the same match again in
//! another format or under another name, a file that comes and goes, seats changed, a corpus in halves.

use super::Place;
use super::same_bytes::{promised, tree};
use crate::support::made::{SGF, XG, made};
use crate::support::{mat_writer, sgf_writer, xg_writer};
use portes::ingest::record::Record;
use portes::tables::catalogue::{ALL, Shelf};
use portes::tables::facts::MatchRow;
use portes::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use portes::tables::study_marts::{BiasRow, BreakdownRow, HistogramRow, RecurringErrorRow};
use std::collections::BTreeMap;
use std::path::Path;

fn xg(seeds: std::ops::Range<u64>) -> Vec<(String, Vec<u8>)> {
    seeds.map(|seed| (format!("2026/cup/{seed}.xg"), xg_writer::write(&made(seed, XG)))).collect()
}

fn with(files: &[(String, Vec<u8>)]) -> Place {
    let place = Place::new();
    files.iter().for_each(|(path, bytes)| place.put(path, bytes));
    place.run(0);
    place
}

/// Every byte of every mart.
fn marts(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for table in ALL.iter().filter(|table| table.shelf == Shelf::Mart) {
        let folder = place.lake().current().join(table.name);
        if folder.exists() {
            files.extend(tree(&folder).into_iter().map(|(name, bytes)| (format!("{}/{name}", table.name), bytes)));
        }
    }
    assert!(files.len() > 12, "{:?}", files.keys());
    files
}

/// Every page but the list of files, without the words that are about files: the season's section on them, the sentence of a match that says
/// how many analyses were left aside, and the footer, which bears the digest of the lake.
fn pages(place: &Place) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    for (name, bytes) in tree(&place.reports()) {
        let page = Path::new(&name).file_name().unwrap().to_str().unwrap();
        if page.ends_with(".html") && page != "quality.html" {
            pages.insert(name.clone(), of_figures(&String::from_utf8(bytes).unwrap()));
        }
    }
    pages
}

fn of_figures(page: &str) -> String {
    let body = page.split("<footer").next().unwrap().replace(" One other analysis of this match not used here.", "");
    let Some((before, files)) = body.split_once("<section class=\"s\" id=\"files\"") else { return body };
    let after = files.split_once("</section>").unwrap().1;
    format!("{before}{after}")
}

fn differing<T: PartialEq>(left: &BTreeMap<String, T>, right: &BTreeMap<String, T>) -> Vec<String> {
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
    left.keys().filter(|name| left[*name] != right[*name]).cloned().collect()
}

#[test]
fn a_match_again_in_another_format_or_under_another_name_changes_no_mart() {
    let files = xg(700..706);
    let clean = with(&files);
    let mut more = files.clone();
    for seed in 700..706 {
        more.push((format!("2026/cup/{seed} as text.mat"), mat_writer::write(&made(seed, XG))));
        more.push((format!("2026/cup/{seed} again.xg"), xg_writer::write(&made(seed, XG))));
    }
    let twice = with(&more);
    assert_eq!(differing(&marts(&clean), &marts(&twice)), Vec::<String>::new());
    let pages = (pages(&clean), pages(&twice));
    println!("{} pages", pages.0.len());
    assert!(pages.0.len() > 8, "{:?}", pages.0.keys());
    assert_eq!(differing(&pages.0, &pages.1), Vec::<String>::new());
}

#[test]
fn a_file_that_came_and_went_leaves_no_trace() {
    let place = with(&xg(710..714));
    let before = promised(&place);
    for (path, bytes) in xg(714..717) {
        place.put(&path, &bytes);
    }
    place.put("2026/cup/710.sgf", sgf_writer::write(&made(710, XG)));
    place.run(0);
    assert!(before != promised(&place), "the new files show while they are there");
    for name in ["714.xg", "715.xg", "716.xg", "710.sgf"] {
        std::fs::remove_file(place.raw().join("2026/cup").join(name)).unwrap();
    }
    place.run(0);
    assert!(before == promised(&place), "and nowhere when they are gone");
}

/// Additive figures of a season by player: decisions, mpt, losses and whatever else is a plain sum.
fn sums(place: &Place) -> BTreeMap<String, [f64; 6]> {
    let mut sums = BTreeMap::new();
    for row in place.rows::<PlayerSeasonRow>() {
        let of = |figure: Option<f64>| figure.unwrap_or(0.0);
        let whole = [row.matches, row.decisions].map(|count| count as f64);
        let figures = [of(row.error_sum), of(row.loss), of(row.difficulty), of(row.luck)];
        let [a, b, c, d] = figures;
        sums.insert(format!("figures {:?}", row.player), [whole[0], whole[1], a, b, c, d]);
    }
    for row in place.rows::<BiasRow>() {
        let key = format!("bias {:?} {} {:?} {:?}", row.player, row.bias, row.own_away, row.opp_away);
        let counts = [row.decisions, row.plus, row.minus].map(|count| count as f64);
        sums.insert(key, [counts[0], counts[1], counts[2], row.cost_plus, row.cost_minus, 0.0]);
    }
    for row in place.rows::<BreakdownRow>() {
        let key = format!("cell {:?} {} {}", row.player, row.dimension, row.cell);
        let counts = [row.decisions, row.errors, row.blunders, row.mpt, row.units].map(|count| count as f64);
        sums.insert(key, [counts[0], counts[1], counts[2], counts[3], counts[4], row.loss.unwrap_or(0.0)]);
    }
    for row in place.rows::<HistogramRow>() {
        let key = format!("size {:?} {}", row.player, row.from_mpt);
        sums.insert(key, [row.decisions as f64, row.mpt as f64, 0.0, 0.0, 0.0, 0.0]);
    }
    for row in place.rows::<RecurringErrorRow>() {
        let key = format!("group {:?} {} {} {}", row.player, row.plan, row.nature, row.theme);
        sums.insert(key, [row.members as f64, row.mpt as f64, 0.0, 0.0, 0.0, 0.0]);
    }
    sums
}

#[test]
fn two_halves_add_up_to_the_whole() {
    let files = xg(720..728);
    let [first, second, whole] = [with(&files[..4]), with(&files[4..]), with(&files)].map(|place| sums(&place));
    let mut added = first.clone();
    for (key, sums) in second {
        let total = added.entry(key).or_insert([0.0; 6]);
        total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
    }
    assert_eq!(added.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    for (key, sums) in &whole {
        for (got, expected) in added[key].iter().zip(sums) {
            assert!((got - expected).abs() < 1e-9, "{key}: {:?} and {sums:?}", added[key]);
        }
    }
    println!("{} sums add up", whole.len());
    assert!(whole.len() > 300);
}

/// The same match with the players in each other's seats.
fn swapped(mut record: Record) -> Record {
    record.players.swap(0, 1);
    if let Some(points) = &mut record.final_score {
        points.swap(0, 1);
    }
    for game in &mut record.games {
        game.points.swap(0, 1);
        game.actions.iter_mut().for_each(|action| action.seat = action.seat.other());
        if let Some(outcome) = &mut game.outcome {
            outcome.winner = outcome.winner.other();
        }
    }
    record
}

#[test]
fn seats_swapped_are_figures_swapped() {
    let place = |write: fn(Record) -> Record| {
        let files: Vec<(String, Vec<u8>)> = (730..735)
            .map(|seed| (format!("2026/cup/{seed}.sgf"), sgf_writer::write(&write(made(seed, SGF)))))
            .collect();
        with(&files)
    };
    let (straight, crossed) = (place(|record| record), place(swapped));
    // Nothing of a season knows seats.
    let season = |place: &Place| place.rows::<PlayerSeasonRow>();
    assert_eq!(season(&straight), season(&crossed));
    let ids = |place: &Place| -> BTreeMap<String, String> {
        let sources = place.rows::<portes::tables::facts::SourceRow>().into_iter();
        sources.filter_map(|row| Some((row.match_id?, row.path))).collect()
    };
    let figures = |place: &Place, cross: bool| -> BTreeMap<(String, Option<i64>), PlayerMatchRow> {
        let paths = ids(place);
        let rows = place.rows::<PlayerMatchRow>().into_iter();
        rows.map(|mut row| {
            let path = paths[&row.match_id].clone();
            row.seat = row.seat.map(|seat| if cross { 3 - seat } else { seat });
            row.match_id = path.clone();
            ((path, row.seat), row)
        })
        .collect()
    };
    let (left, right) = (figures(&straight, false), figures(&crossed, true));
    assert_eq!(left.len(), 3 * straight.rows::<MatchRow>().len());
    assert_eq!(left, right);
}
