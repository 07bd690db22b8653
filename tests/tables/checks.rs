//! Every check finds its fault, names the match, and is silent on a snapshot that keeps the contract.

use super::rows::{Played, played, write, write_bucket};
use portes::tables::academy::{AcademyContestRow, AcademyPatternRow, AcademyTreeRow, AcademyVoteRow};
use portes::tables::check::{self, Finding, Weight};
use portes::tables::facts::{CandidateRow, CommentRow, GameRow};
use portes::tables::lake;
use portes::tables::marts::PlayerMatchRow;
use portes::tables::partials::CellRow;
use std::path::Path;

/// Four matches of one season.
fn season() -> Vec<Played> {
    (1..=4).map(|n| played("2026", n)).collect()
}

fn found(played: &[Played]) -> Vec<Finding> {
    let dir = tempfile::tempdir().unwrap();
    write_bucket(dir.path(), ("2026", "0"), played);
    check::snapshot(dir.path(), None).unwrap()
}

/// Breaks one match and expects exactly this check to name exactly this match in exactly this table.
fn finds(expected: (&str, &str, Weight), harm: impl Fn(&mut Played)) {
    let mut played = season();
    harm(&mut played[2]);
    let findings = found(&played);
    let seen: Vec<_> = findings.iter().map(|f| (f.check, f.table, f.weight, f.match_id.as_deref())).collect();
    let (check, table, weight) = expected;
    assert_eq!(seen, [(check, table, weight, Some(played[2].id.as_str()))], "{findings:#?}");
}

#[test]
fn a_sound_season_has_no_finding() {
    assert_eq!(found(&season()), []);
}

#[test]
fn a_fault_of_one_match_is_traced_to_it() {
    use Weight::{Blocking, Warning};
    finds(("known_match", "games", Blocking), |p| {
        p.id = "00000000000000aa".to_owned();
        p.games.push(GameRow { match_id: p.id.clone(), ..p.games[0].clone() });
    });
    finds(("own_season", "games", Blocking), |p| p.games[0].season = "2025".to_owned());
    finds(("in_bounds", "decisions", Blocking), |p| {
        p.decisions[1].luck_mwc =
            Some(1_000_000_001).inspect(|luck| (p.moments[0].luck_mwc, p.moments[0].luck_mwc_rolls) = (*luck, 1))
    });
    finds(("in_bounds", "candidates", Blocking), |p| p.candidates[1].win = Some(-1));
    finds(("fifteen_checkers", "decisions", Blocking), |p| {
        p.decisions[0].position_key = p.decisions[0].position_key.replace("-b----E", "-b----F");
    });
    finds(("candidates_have_decisions", "candidates", Blocking), |p| {
        p.candidates.push(CandidateRow { decision_id: format!("{}-0099", p.id), ..p.candidates[0].clone() });
    });
    finds(("decision_ids", "decisions", Blocking), |p| {
        p.decisions[5].decision_id = format!("{}-0006", p.id);
    });
    finds(("one_primary", "analyses", Blocking), |p| p.analyses[0].primary = false);
    finds(("moments_are_sums", "moments", Blocking), |p| p.moments[0].mpt += 1);
    finds(("moments_are_sums", "moments", Blocking), |p| p.decisions[4].loss = Some(1_000_001));
    finds(("moments_are_sums", "moments", Blocking), |p| p.moments.truncate(3));
    finds(("moments_are_sums", "moments", Blocking), |p| p.moments[3].seat = 2);
    finds(("decisions_per_match", "moments", Warning), |p| {
        p.decisions.truncate(3);
        p.moments.truncate(1);
    });
    finds(("mean_error", "moments", Warning), |p| {
        p.decisions[3].e_mpt = Some(6_000);
        (p.moments[2].mpt, p.moments[2].rated_mpt) = (6_000, 6_000);
    });
}

#[test]
fn cells_that_are_not_the_sums_of_their_decisions_are_found() {
    let spoilt = |spoil: fn(&mut Vec<CellRow>)| {
        finds(("cells_are_sums", "cells", Weight::Blocking), |p| p.spoil = spoil);
    };
    fn of<'c>(cells: &'c mut [CellRow], dimension: &str) -> &'c mut CellRow {
        cells.iter_mut().find(|cell| cell.dimension == dimension).unwrap()
    }
    spoilt(|cells| of(cells, "phase").n += 1);
    spoilt(|cells| of(cells, "rank").mpt -= 1);
    spoilt(|cells| of(cells, "score").loss += 1);
    spoilt(|cells| of(cells, "histogram").priced = 0);
    spoilt(|cells| of(cells, "bias").plus += 1);
    spoilt(|cells| of(cells, "double_by_score").minus_mpt += 5);
    spoilt(|cells| of(cells, "bias").unread = 1);
    spoilt(|cells| of(cells, "plan").cell = "prime".to_owned());
    spoilt(|cells| cells.retain(|cell| cell.dimension != "direction"));
    spoilt(|cells| cells.clear());
    // An error nobody else counts, more blunders than errors, an error without a theme's cell.
    spoilt(|cells| of(cells, "kind").errors += 1);
    spoilt(|cells| of(cells, "best_action").blunders += 1);
    spoilt(|cells| {
        cells.push(CellRow {
            dimension: "theme".to_owned(),
            cell: "none".to_owned(),
            n: 1,
            errors: 1,
            ..cells[0].clone()
        });
    });
    spoilt(|cells| of(cells, "pressure").seat = 2);
    spoilt(|cells| of(cells, "depth").dimension = "weather".to_owned());
}

#[test]
fn match_play_without_cube_decisions_is_told() {
    let mut played = season();
    for p in &mut played {
        p.decisions.truncate(3);
        p.moments.truncate(1);
    }
    let findings = found(&played);
    assert!(findings.iter().any(|f| f.check == "no_cube_decision" && f.match_id.is_none()), "{findings:#?}");
    assert!(findings.iter().all(|f| f.weight == Weight::Warning));
}

#[test]
fn a_match_in_two_seasons_a_bucket_in_two_parts_and_a_row_in_another_bucket_are_found() {
    let dir = tempfile::tempdir().unwrap();
    write_bucket(dir.path(), ("2025", "0"), &[played("2025", 1)]);
    write_bucket(dir.path(), ("2026", "0"), &season());
    let findings = check::snapshot(dir.path(), None).unwrap();
    assert!(findings.iter().any(|f| f.check == "one_match" && f.match_id == Some(played("2025", 1).id)));

    let dir = tempfile::tempdir().unwrap();
    write_bucket(dir.path(), ("2026", "0"), &season());
    write(dir.path(), ("2026", "0"), season()[0].comments.clone());
    write(dir.path(), ("2026", "1"), vec![CommentRow { index: 1, ..season()[1].comments[0].clone() }]);
    let checks: Vec<_> = check::snapshot(dir.path(), None).unwrap().iter().map(|f| (f.check, f.table)).collect();
    assert_eq!(checks, [("one_part", "comments"), ("own_bucket", "comments")]);
}

#[test]
fn a_mart_of_a_match_that_is_gone_is_found() {
    let dir = tempfile::tempdir().unwrap();
    write_bucket(dir.path(), ("2026", "0"), &season());
    let gone =
        PlayerMatchRow { season: "2026".to_owned(), match_id: "feedfeedfeedfeed".to_owned(), ..super::rows::quiet() };
    write(dir.path(), ("2026", "0"), vec![gone]);
    let findings = check::snapshot(dir.path(), Some(dir.path())).unwrap();
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].check, findings[0].table), ("known_match", "player_match"));
}

#[test]
fn rows_of_a_file_written_past_our_writer_are_checked_too() {
    let dir = tempfile::tempdir().unwrap();
    write_bucket(dir.path(), ("2026", "0"), &season());
    let path = lake::parts(dir.path(), "comments").unwrap().remove(0).path;
    write_unsorted_comments(&path);
    let findings = check::snapshot(dir.path(), None).unwrap();
    assert_eq!(findings.iter().map(|f| (f.check, f.table)).collect::<Vec<_>>(), [("own_content", "comments")]);
    let content = blake3::hash(&std::fs::read(&path).unwrap()).to_hex();
    std::fs::rename(&path, path.with_file_name(format!("part-0-{}.parquet", &content[..12]))).unwrap();
    let checks: Vec<_> = check::snapshot(dir.path(), None).unwrap().iter().map(|f| (f.check, f.table)).collect();
    assert_eq!(checks, [("not_null", "comments"), ("rising_keys", "comments")]);
}

/// Two comments with one key, one without the text it must have.
fn write_unsorted_comments(path: &Path) {
    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use std::sync::Arc;
    let id = played("2026", 1).id;
    let texts = |a: &str, b: Option<&str>| Arc::new(StringArray::from(vec![Some(a), b])) as ArrayRef;
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("season", texts("2026", Some("2026")), false),
        ("match_id", texts(&id, Some(&id)), false),
        ("index", Arc::new(Int64Array::from(vec![1, 1])) as ArrayRef, false),
        ("text", texts("x", None), true),
        ("origin", texts("xg", Some("xg")), false),
    ])
    .unwrap();
    let pair = |key: &str, value: &str| parquet::file::metadata::KeyValue::new(key.to_owned(), value.to_owned());
    let metadata = vec![pair("portes.schema", "1"), pair("portes.table", "comments")];
    let properties =
        parquet::file::properties::WriterProperties::builder().set_key_value_metadata(Some(metadata)).build();
    std::fs::remove_file(path).unwrap();
    let file = std::fs::File::create(path).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn what_was_checked_is_not_read_again_and_what_touches_it_is() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_bucket(old.path(), ("2026", "0"), &season());
    write_bucket(new.path(), ("2026", "0"), &season());
    // Damage under an unchanged name is not seen: the name vouches for the content.
    let path = lake::parts(new.path(), "games").unwrap().remove(0).path;
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, b"no parquet").unwrap();
    assert_eq!(check::snapshot(new.path(), Some(old.path())).unwrap(), []);
    let findings = check::snapshot(new.path(), None).unwrap();
    assert_eq!(findings.iter().map(|f| (f.check, f.table)).collect::<Vec<_>>(), [("own_content", "games")]);
    // One part of the bucket is new: the unchanged ones are held against it.
    let other = tempfile::tempdir().unwrap();
    write_bucket(other.path(), ("2026", "0"), &season());
    for part in lake::parts(other.path(), "matches").unwrap() {
        std::fs::remove_file(part.path).unwrap();
    }
    write(other.path(), ("2026", "0"), season()[1..].iter().flat_map(|p| p.matches.clone()).collect());
    let findings = check::snapshot(other.path(), Some(old.path())).unwrap();
    let tables: Vec<_> = findings.iter().filter(|f| f.check == "known_match").map(|f| f.table).collect();
    assert_eq!(tables, ["analyses", "candidates", "cells", "comments", "decisions", "games", "moments"]);
}

/// The matches of [`season`] lie in a stratum each.
#[test]
fn of_a_new_part_only_the_strata_that_are_not_as_they_were_are_looked_at() {
    let checks = |old: &[Played], new: &[Played], harm: &dyn Fn(&Path)| {
        let (before, now) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write_bucket(before.path(), ("2026", "0"), old);
        write_bucket(now.path(), ("2026", "0"), new);
        harm(before.path());
        let findings = check::snapshot(now.path(), Some(before.path())).unwrap();
        findings.into_iter().map(|found| (found.check, found.match_id.unwrap_or_default())).collect::<Vec<_>>()
    };
    let harmed = |at: usize, harm: fn(&mut Played)| {
        let mut played = season();
        harm(&mut played[at]);
        played
    };
    let id = |at: usize| season()[at].id.clone();
    let missing = |p: &mut Played| p.moments[0].mpt += 1;
    // What is the same as it was is believed, in parts that are new for another match's sake.
    let mut changed = harmed(1, missing);
    changed[2].games[0].game = 2;
    assert_eq!(checks(&harmed(1, missing), &changed, &|_| {}), []);
    // But for a part of it that is not what its name tells.
    let damage = |table: &'static str| {
        move |dir: &Path| {
            let part = lake::parts(dir, table).unwrap().remove(0);
            std::fs::rename(&part.path, part.path.with_file_name("part-0-0123456789ab.parquet")).unwrap();
        }
    };
    let found = [("moments_are_sums", id(1))];
    assert_eq!(checks(&harmed(1, missing), &changed, &damage("games")), found);
    assert_eq!(checks(&harmed(1, missing), &changed, &damage("decisions")), found);
    // What is another than it was is found, whichever table tells, and so is what is gone.
    assert_eq!(checks(&season(), &harmed(1, missing), &|_| {}), found);
    let priced = harmed(0, |p| p.decisions[4].loss = Some(1_000_001));
    assert_eq!(checks(&season(), &priced, &|_| {}), [("moments_are_sums", id(0))]);
    assert_eq!(checks(&season(), &harmed(3, |p| p.spoil = Vec::clear), &|_| {}), [("cells_are_sums", id(3))]);
    let decision_gone = checks(&season(), &harmed(2, |p| _ = p.decisions.pop()), &|_| {});
    assert!(decision_gone.contains(&("moments_are_sums", id(2))), "{decision_gone:?}");
    assert!(decision_gone.iter().all(|(_, of)| *of == id(2)), "{decision_gone:?}");
}

#[test]
fn a_library_that_nobody_vouches_for_is_found() {
    let pattern = |id, cells: &str| AcademyPatternRow {
        season: "2026".to_owned(),
        game: "rings".to_owned(),
        library: "yose".to_owned(),
        id,
        area: "all".to_owned(),
        rows: "2".to_owned(),
        cells: cells.to_owned(),
        p: 1,
        n: 1,
        proposals: 2,
        ..AcademyPatternRow::default()
    };
    let vote = |id, k| AcademyVoteRow {
        season: "2026".to_owned(),
        game: "rings".to_owned(),
        library: "yose".to_owned(),
        id,
        player: "Ada".to_owned(),
        k,
        ..AcademyVoteRow::default()
    };
    let checks = |patterns: &[AcademyPatternRow], votes: &[AcademyVoteRow]| {
        let dir = tempfile::tempdir().unwrap();
        write_bucket(dir.path(), ("2026", "0"), &season());
        write(dir.path(), ("2026", "0"), patterns.to_vec());
        write(dir.path(), ("2026", "0"), votes.to_vec());
        let findings = check::snapshot(dir.path(), None).unwrap();
        findings.iter().map(|finding| (finding.check, finding.weight)).collect::<Vec<_>>()
    };
    let blocked = |check| vec![(check, Weight::Blocking)];
    assert_eq!(checks(&[pattern(1, "x-"), pattern(2, "-x")], &[vote(1, 2), vote(2, 2)]), []);
    assert_eq!(checks(&[pattern(1, "x-"), pattern(2, "-x")], &[vote(1, 2)]), blocked("vouched"));
    assert_eq!(checks(&[pattern(1, "x-")], &[vote(1, 3)]), blocked("vouched"));
    assert_eq!(checks(&[pattern(1, "x-")], &[vote(1, 2), vote(7, 1)]), blocked("vouched"));
    assert_eq!(checks(&[pattern(1, "x-"), pattern(2, "x-")], &[vote(1, 2), vote(2, 2)]), blocked("own_cells"));
}

#[test]
fn a_library_past_its_room_or_a_signature_that_no_vote_gives_is_found() {
    let pattern = |id: i64, n, (e, v)| AcademyPatternRow {
        season: "2026".to_owned(),
        game: "rings".to_owned(),
        library: "yose".to_owned(),
        id,
        area: format!("part {id}"),
        n,
        e,
        v,
        proposals: 3,
        ..AcademyPatternRow::default()
    };
    let vote = |id, player: &str, k, (elo, value)| AcademyVoteRow {
        season: "2026".to_owned(),
        game: "rings".to_owned(),
        library: "yose".to_owned(),
        id,
        player: player.to_owned(),
        k,
        sum_elo: elo * k * 1_000_000,
        sum_value: value * k,
    };
    let checks = |patterns: &[AcademyPatternRow], room: u64| {
        let dir = tempfile::tempdir().unwrap();
        write_bucket(dir.path(), ("2026", "0"), &season());
        // The first two votes of the page's example, the first of them twice.
        let votes = patterns
            .iter()
            .flat_map(|row| [vote(row.id, "ann", 2, (1600, 700_000_000)), vote(row.id, "bob", 1, (1400, 500_000_000))]);
        write(dir.path(), ("2026", "0"), votes.collect::<Vec<_>>());
        write(dir.path(), ("2026", "0"), patterns.to_vec());
        stamp(dir.path(), &format!("\"yose\": {room}"));
        let findings = check::snapshot(dir.path(), None).unwrap();
        findings.iter().map(|finding| (finding.check, finding.weight)).collect::<Vec<_>>()
    };
    let blocked = |check| vec![(check, Weight::Blocking)];
    // (1600 0.7 + 1400 0.5) / 3000; by proposals (2 1600 0.7 + 1400 0.5) / 4600.
    let by_player = (1500.0, 1820.0 / 3000.0);
    let by_proposal = (4600.0 / 3.0, 2940.0 / 4600.0);
    let sound = [pattern(1, 2, by_player), pattern(2, 3, by_proposal)];
    assert_eq!(checks(&sound, 2), []);
    assert_eq!(checks(&sound, 1), blocked("in_room"));
    for spoilt in [(3, by_player), (2, by_proposal), (4, by_player), (2, (1500.0, 0.6)), (2, (1501.0, by_player.1))] {
        assert_eq!(checks(&[pattern(1, spoilt.0, spoilt.1)], 9), blocked("signature"), "{spoilt:?}");
    }
}

/// The small file of a snapshot, with the room of its libraries.
fn stamp(dir: &Path, room: &str) {
    let schema = portes::tables::row::SCHEMA_VERSION;
    std::fs::write(dir.join("snapshot.json"), format!("{{\"schema\": {schema}, \"room\": {{{room}}}}}")).unwrap();
}

#[test]
fn a_tree_that_does_not_count_the_games_filed_is_found() {
    let node = |node: i64, parent: Option<i64>, stopped: [i64; 3], total: [i64; 3]| AcademyTreeRow {
        season: "2026".to_owned(),
        game: "rings".to_owned(),
        node,
        parent,
        stopped_w: stopped[0],
        stopped_d: stopped[1],
        stopped_l: stopped[2],
        total_w: total[0],
        total_d: total[1],
        total_l: total[2],
        ..AcademyTreeRow::default()
    };
    let contest = |season: &str, id: &str, status: &str| AcademyContestRow {
        season: season.to_owned(),
        contest_id: id.to_owned(),
        game: "rings".to_owned(),
        status: status.to_owned(),
        ..AcademyContestRow::default()
    };
    let sound = || {
        vec![
            node(0, None, [0, 0, 1], [2, 1, 1]),
            node(1, Some(0), [1, 1, 0], [2, 1, 0]),
            node(2, Some(1), [1, 0, 0], [1, 0, 0]),
        ]
    };
    let found = |nodes: Vec<AcademyTreeRow>, filed: usize, room: u64| {
        let dir = tempfile::tempdir().unwrap();
        write_bucket(dir.path(), ("2026", "0"), &season());
        let mut contests: Vec<_> = (0..filed).map(|at| contest("2026", &format!("c{at}"), "filed")).collect();
        contests.push(contest("2026", "d", "unfinished"));
        write(dir.path(), ("2026", "0"), contests);
        // Libraries run on: what was filed before counts, what comes later does not.
        write(dir.path(), ("2025", "0"), vec![contest("2025", "a", "filed")]);
        write(
            dir.path(),
            ("2025", "0"),
            vec![AcademyTreeRow { season: "2025".to_owned(), ..node(0, None, [1, 0, 0], [1, 0, 0]) }],
        );
        write(dir.path(), ("2026", "0"), nodes);
        stamp(dir.path(), &format!("\"tree\": {room}"));
        let findings = check::snapshot(dir.path(), None).unwrap();
        findings.iter().map(|finding| (finding.check, finding.weight)).collect::<Vec<_>>()
    };
    let blocked = |check| vec![(check, Weight::Blocking)];
    assert_eq!(found(sound(), 3, 2), []);
    assert_eq!(found(sound(), 4, 2), blocked("root_counts_games"));
    assert_eq!(found(sound(), 3, 1), blocked("in_room"));
    let mut lost = sound();
    lost[1].total_w = 1;
    assert_eq!(found(lost, 3, 2), blocked("tree_adds_up"));
    let mut orphan = sound();
    orphan[2].parent = Some(7);
    assert_eq!(found(orphan, 3, 2), blocked("tree_adds_up"));
    assert_eq!(found(Vec::new(), 3, 2), blocked("root_counts_games"));
}
