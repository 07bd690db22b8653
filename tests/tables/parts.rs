//! A part gives back its rows, is the same file for the same rows, and refuses what it should.

use super::rows::{ODD, row};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use portes::tables::TableFault;
use portes::tables::bucket::Division;
use portes::tables::facts::{
    AnalysisRow, CandidateRow, CommentRow, DecisionRow, GameRow, MatchRow, OtherCandidateRow, OtherDecisionRow,
    SourceRow, match_of,
};
use portes::tables::groups::Groups;
use portes::tables::marts::{PlayerCareerRow, PlayerMatchRow, PlayerSeasonRow};
use portes::tables::part::{self, Part, PartWriter};
use portes::tables::partials::MomentRow;
use portes::tables::row::{Row, SCHEMA_VERSION};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn write<R: Row>(dir: &Path, rows: &[R], chunk: usize) -> Result<Part, TableFault> {
    let mut writer = PartWriter::<R>::create(dir, "01")?;
    for rows in rows.chunks(chunk) {
        writer.push(rows)?;
    }
    writer.finish()
}

fn comes_back<R: Row + PartialEq + std::fmt::Debug>() {
    let dir = tempfile::tempdir().unwrap();
    let rows: Vec<R> = (0..200).map(row).collect();
    let part = write(dir.path(), &rows, 200).unwrap();
    let back: Vec<R> = part::read(&part.path).unwrap();
    assert_eq!(back, rows, "{}", R::TABLE);
    assert_eq!(part.rows, 200);
    let one_null_each = (0..R::COLUMNS.len()).filter(|&at| R::COLUMNS[at].nullable).all(|at| {
        let mut nulls = 0;
        back.iter().for_each(|row| {
            row.values(&mut |i, value| nulls += usize::from(i == at && value == portes::tables::row::Value::Null));
        });
        nulls > 0 || R::KEY.contains(&R::COLUMNS[at].name)
    });
    assert!(one_null_each, "{}: every nullable column was null at least once", R::TABLE);
}

#[test]
fn every_declared_table_comes_back_with_nulls_extremes_and_odd_text() {
    comes_back::<SourceRow>();
    comes_back::<MatchRow>();
    comes_back::<AnalysisRow>();
    comes_back::<GameRow>();
    comes_back::<DecisionRow>();
    comes_back::<OtherDecisionRow>();
    comes_back::<CandidateRow>();
    comes_back::<OtherCandidateRow>();
    comes_back::<CommentRow>();
    comes_back::<MomentRow>();
    comes_back::<PlayerMatchRow>();
    comes_back::<PlayerSeasonRow>();
    comes_back::<PlayerCareerRow>();
}

#[test]
fn the_same_rows_make_the_same_file_however_they_are_pushed() {
    // Past one row group and not a whole number of batches.
    let rows: Vec<CandidateRow> = (0..70_003).map(row).collect();
    let dir = tempfile::tempdir().unwrap();
    let whole = write(dir.path(), &rows, rows.len()).unwrap();
    let bytes = std::fs::read(&whole.path).unwrap();
    for chunk in [1, 7, 8_191, 8_193, 65_536] {
        let other = tempfile::tempdir().unwrap();
        let part = write(other.path(), &rows, chunk).unwrap();
        assert_eq!(part.hash, whole.hash, "pushed {chunk} at a time");
        assert_eq!(std::fs::read(&part.path).unwrap(), bytes);
    }
    assert_eq!(part::rows(&whole.path, "candidates").unwrap(), 70_003);
}

#[test]
fn a_part_is_named_by_its_content_read_only_and_alone_in_its_folder() {
    let dir = tempfile::tempdir().unwrap();
    let rows: Vec<CommentRow> = (0..9).map(row).collect();
    let part = write(dir.path(), &rows, 4).unwrap();
    let hash = blake3::hash(&std::fs::read(&part.path).unwrap()).to_hex().to_string();
    assert_eq!(part.hash, hash);
    assert_eq!(part.path, dir.path().join(format!("part-01-{}.parquet", &hash[..12])));
    assert_eq!(std::fs::metadata(&part.path).unwrap().permissions().mode() & 0o777, 0o444);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn rows_that_are_picked_are_those_that_reading_everything_finds() {
    // Past one row group, so that runs of rows cross batches, pages and groups; each id stands in several rows.
    let mut rows: Vec<CandidateRow> = (0..70_003).map(row).collect();
    for (at, row) in rows.iter_mut().enumerate() {
        (row.decision_id, row.rank) = (format!("{:016x}-{:04}", at / 700, at / 7 % 100), (at % 7) as i64);
    }
    let dir = tempfile::tempdir().unwrap();
    let part = write(dir.path(), &rows, rows.len()).unwrap();
    let id = |at: usize| rows[at].decision_id.as_str();
    let nowhere = "ffffffffffffffff-0001";
    let every_third: BTreeSet<&str> = (0..70_003).step_by(21).map(id).collect();
    let few = [id(0), id(8_191), id(65_535), id(65_537), id(70_002), nowhere];
    for wanted in [BTreeSet::new(), BTreeSet::from([nowhere]), BTreeSet::from(few), every_third] {
        let expected: Vec<&CandidateRow> =
            rows.iter().filter(|row| wanted.contains(row.decision_id.as_str())).collect();
        let picked: Vec<CandidateRow> = part::pick(&part.path, ("decision_id", &wanted)).unwrap();
        assert_eq!(picked.iter().collect::<Vec<_>>(), expected);
    }
    let empty = write::<CandidateRow>(dir.path(), &[], 1).unwrap();
    let picked = part::pick::<CandidateRow>(&empty.path, ("decision_id", &BTreeSet::from(few))).unwrap();
    assert_eq!(picked, []);
}

#[test]
fn an_empty_part_is_a_part() {
    let dir = tempfile::tempdir().unwrap();
    let part = write::<CommentRow>(dir.path(), &[], 1).unwrap();
    assert_eq!(part::read::<CommentRow>(&part.path).unwrap(), []);
}

/// Matches of 0 to 1,500 rows, so that one lies in one batch, many in one, and one in several.
#[test]
fn matches_come_whole_and_those_nobody_asks_for_are_passed_over() {
    let dir = tempfile::tempdir().unwrap();
    let id = |n: usize| format!("{n:016x}");
    let sizes = [3, 1_500, 1, 0, 1_020, 4, 700, 1_024];
    let rows: Vec<GameRow> = (0..)
        .zip(sizes)
        .flat_map(|(n, size)| (0..size).map(move |game| GameRow { match_id: id(n), game, ..row(0) }))
        .collect();
    let part = write(dir.path(), &rows, 500).unwrap();
    for asked in [vec![0, 1, 2, 3, 4, 5, 6, 7], vec![1, 4, 7], vec![3, 5], vec![7], vec![9]] {
        let mut groups = Groups::<GameRow>::open(Some(&part.path), ("match_id", match_of)).unwrap();
        for n in asked {
            let expected: Vec<GameRow> = rows.iter().filter(|row| row.match_id == id(n)).cloned().collect();
            assert_eq!(groups.of(&id(n)).unwrap(), expected, "match {n}");
        }
    }
    let mut none = Groups::<GameRow>::open(None, ("match_id", match_of)).unwrap();
    assert_eq!(none.of(&id(1)).unwrap(), []);
}

#[test]
fn rows_out_of_order_or_twice_leave_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let mut rows: Vec<GameRow> = (0..9_000).map(row).collect();
    rows.swap(8_191, 8_192);
    let fault = write(dir.path(), &rows, 1_000).unwrap_err();
    assert!(matches!(fault, TableFault::Order { table: "games", row: 8_192 }), "{fault}");
    let fault = write(dir.path(), &[row::<GameRow>(3), row(3)], 1).unwrap_err();
    assert!(matches!(fault, TableFault::Order { row: 1, .. }), "{fault}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_float_that_is_no_number_is_refused() {
    for bad in [f64::NAN, f64::INFINITY] {
        let dir = tempfile::tempdir().unwrap();
        let rows = [PlayerCareerRow { pr: Some(bad), ..row(0) }];
        let fault = write(dir.path(), &rows, 1).unwrap_err();
        assert!(matches!(fault, TableFault::NotFinite { column: "pr", .. }), "{fault}");
    }
}

/// A comments file as some other version would have written it.
fn foreign(dir: &Path, schema: &str, columns: Vec<(&str, ArrayRef)>) -> PathBuf {
    let path = dir.join("part-0-other.parquet");
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let pair = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
    let metadata = vec![pair("portes.schema", schema), pair("portes.table", "comments")];
    let properties = WriterProperties::builder().set_key_value_metadata(Some(metadata)).build();
    let mut writer =
        ArrowWriter::try_new(std::fs::File::create(&path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    path
}

fn texts(text: &str) -> ArrayRef {
    Arc::new(StringArray::from(vec![text]))
}

#[test]
fn a_missing_nullable_column_reads_as_null_and_an_unknown_one_is_passed_over() {
    let dir = tempfile::tempdir().unwrap();
    // Columns in another order, `game` and `order` not there yet, `mood` not known any more.
    let columns = vec![
        ("mood", texts("grim")),
        ("text", texts(ODD[6])),
        ("season", texts("2026")),
        ("match_id", texts("0123456789abcdef")),
        ("origin", texts("xg")),
        ("index", Arc::new(Int64Array::from(vec![4])) as ArrayRef),
    ];
    let path = foreign(dir.path(), &SCHEMA_VERSION.to_string(), columns);
    let expected = CommentRow {
        season: "2026".to_owned(),
        match_id: "0123456789abcdef".to_owned(),
        index: 4,
        game: None,
        order: None,
        text: ODD[6].to_owned(),
        origin: "xg".to_owned(),
    };
    assert_eq!(part::read::<CommentRow>(&path).unwrap(), [expected]);
}

#[test]
fn another_schema_table_type_or_file_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let complete = |index: ArrayRef| {
        vec![
            ("season", texts("2026")),
            ("match_id", texts("m")),
            ("index", index),
            ("text", texts("t")),
            ("origin", texts("xg")),
        ]
    };
    let whole = || Arc::new(Int64Array::from(vec![0])) as ArrayRef;
    let current = SCHEMA_VERSION.to_string();
    let read = |path: &Path| part::read::<CommentRow>(path).unwrap_err();

    let fault = read(&foreign(dir.path(), "999", complete(whole())));
    assert!(matches!(fault, TableFault::Newer { found: 999, .. }) && fault.to_string().contains("newer portes"));
    let fault = read(&foreign(dir.path(), "0", complete(whole())));
    assert!(matches!(fault, TableFault::Older { found: 0, .. }), "{fault}");
    let fault = read(&foreign(dir.path(), "", complete(whole())));
    assert!(matches!(fault, TableFault::Foreign { .. }), "{fault}");
    let path = foreign(dir.path(), &current, complete(whole()));
    assert!(matches!(part::read::<GameRow>(&path).unwrap_err(), TableFault::Foreign { table: "games", .. }));
    let fault = read(&foreign(dir.path(), &current, complete(texts("four"))));
    assert!(matches!(fault, TableFault::Column { column: "index", .. }), "{fault}");
    let mut lacking = complete(whole());
    lacking.remove(3);
    let fault = read(&foreign(dir.path(), &current, lacking));
    assert!(matches!(fault, TableFault::Column { column: "text", problem: "is missing", .. }), "{fault}");

    let path = dir.path().join("part-0-000000000000.parquet");
    std::fs::write(&path, b"PAR1 is how it begins").unwrap();
    assert!(matches!(read(&path), TableFault::Damaged { .. }));
    assert!(matches!(read(&dir.path().join("absent")), TableFault::Disk { .. }));
}

#[test]
fn a_writer_holds_one_row_group_whatever_the_length_of_the_part() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = PartWriter::<CandidateRow>::create(dir.path(), "0").unwrap();
    let mut most = 0;
    let mut early = 0;
    for n in 0..400_000 {
        writer.push(&[row(n)]).unwrap();
        most = most.max(writer.held());
        if n < 100_000 {
            early = most;
        }
    }
    assert!(early > 0 && most <= early + early / 4, "{early} bytes in the first row groups, {most} later");
    assert!(most < 16 << 20, "{most} bytes");
    assert_eq!(writer.finish().unwrap().rows, 400_000);
}

proptest! {
    #[test]
    fn a_match_lies_in_one_bucket_and_a_finer_division_splits_it(id: u64, matches in 0u64..3_000_000) {
        let id = format!("{id:016x}");
        let division = Division::of(matches);
        let label = division.holding(&id).unwrap().to_string();
        // The size of a bucket, from the definition and not from the formula.
        prop_assert!(matches <= 64 << division.bits());
        prop_assert!(division.bits() == 0 || matches > 64 << (division.bits() - 1));
        prop_assert_eq!(division.buckets().filter(|bucket| bucket.to_string() == label).count(), 1);
        prop_assert_eq!(division.holding(&format!("{id}-0001")).unwrap().to_string(), label.clone());
        let finer = Division::of(matches.max(65) * 2).holding(&id).unwrap().to_string();
        prop_assert!(division.bits() == 0 || finer.starts_with(&label));
        let bits: String = id.chars().map(|c| format!("{:04b}", c.to_digit(16).unwrap())).collect();
        prop_assert!(division.bits() == 0 || bits.starts_with(&label));
        let labels: Vec<String> = division.buckets().take(5_000).map(|bucket| bucket.to_string()).collect();
        prop_assert!(labels.is_sorted() && labels.iter().all(|other| other.len() == label.len()));
    }
}

/// Not a promise of a figure: prints it. `cargo test --release -- --ignored four_million --nocapture`.
#[test]
#[ignore = "measures"]
fn four_million_candidates() {
    let dir = tempfile::tempdir().unwrap();
    let mut noise = 88_172_645_463_325_252_u64;
    let mut random = |below: u64| {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        i64::try_from(noise % below).unwrap()
    };
    let plays = ["13/11 6/5", "24/22 13/10", "8/5 6/5", "bar/22 6/4*", "13/7", "24/18 13/11", "6/4(2) 8/6(2)"];
    let rows: Vec<CandidateRow> = (0..4_000_000_i64)
        .map(|n| CandidateRow {
            season: "2026".to_owned(),
            decision_id: format!("{:016x}-{:04}", (n / 2_000).unsigned_abs() * 0x0009_e377_9b97_f4a7, n / 5 % 400),
            rank: n % 5,
            play: plays[usize::try_from(random(7)).unwrap()].to_owned(),
            equity: Some(random(150_000_000)),
            cost: Some(random(20_000_000)),
            win: Some(random(100_000_000)),
            win_gammon: Some(random(40_000_000)),
            win_backgammon: Some(random(2_000_000)),
            lose: Some(random(100_000_000)),
            lose_gammon: Some(random(40_000_000)),
            lose_backgammon: Some(random(2_000_000)),
            depth: ["3-ply", "XG Roller++"][usize::try_from(random(2)).unwrap()].to_owned(),
            depth_rank: 5 + random(3),
            trials: None,
        })
        .collect();
    let begun = std::time::Instant::now();
    let mut writer = PartWriter::<CandidateRow>::create(dir.path(), "0").unwrap();
    writer.push(&rows).unwrap();
    let part = writer.finish().unwrap();
    let written = begun.elapsed();
    let size = std::fs::metadata(&part.path).unwrap().len();
    let begun = std::time::Instant::now();
    let mut back = 0;
    part::each(&part.path, &mut |rows: Vec<CandidateRow>| back += rows.len()).unwrap();
    println!("{} rows, {size} bytes: written in {written:?}, read in {:?}", part.rows, begun.elapsed());
    assert_eq!(back, 4_000_000);
}
