//! Spellings that fold alike are suggested as one player, and merged only when somebody says so.

use super::Place;
use crate::support::made::{SGF, made};
use crate::support::sgf_writer;
use portes::config::file::File;
use portes::tables::marts::PlayerSeasonRow;
use std::collections::BTreeSet;

/// Two players, one match.
fn put(place: &Place, seed: u64, names: [&str; 2]) {
    let mut record = made(seed, SGF);
    for (player, name) in record.players.iter_mut().zip(names) {
        name.clone_into(&mut player.name);
    }
    place.put(format!("2026/cup/{seed}.sgf"), sgf_writer::write(&record));
}

fn players(place: &Place) -> BTreeSet<String> {
    place.rows::<PlayerSeasonRow>().into_iter().filter_map(|row| row.player).collect()
}

#[test]
fn spellings_that_fold_alike_are_suggested_and_the_block_can_be_pasted() {
    let place = Place::new();
    // Case, accents, blanks, an HTML entity; the third is the one with the most matches.
    put(&place, 1, ["\u{c9}mberline", "Hollow Beck"]);
    put(&place, 2, ["emberline ", "hollow  beck"]);
    put(&place, 3, ["Emberline", "Hollow-Beck"]);
    put(&place, 4, ["Emberline", "Dovetail"]);
    put(&place, 5, ["&Eacute;mberline", "Foxglove"]);
    put(&place, 6, ["?!", "\u{202e}..."]);
    place.run(0);
    assert_eq!(players(&place).len(), 11, "nobody is merged unasked: {:?}", players(&place));
    let status = place.portes(&["status"]);
    assert!(status.out.contains("names: 2 written in more than one way"), "{}", status.out);

    let said = place.portes(&["names"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let block = File::parse(&said.out).unwrap().players;
    assert_eq!(block.main, None);
    let expected = [
        ("Emberline", vec!["&Eacute;mberline", "emberline", "\u{c9}mberline"]),
        ("Hollow Beck", vec!["Hollow-Beck", "hollow  beck"]),
    ];
    let got: Vec<(&str, BTreeSet<String>)> = block
        .aliases
        .iter()
        .map(|(name, all)| (name.as_str(), all.iter().map(|alias| alias.trim().to_owned()).collect()))
        .collect();
    assert_eq!(got, expected.map(|(name, all)| (name, all.into_iter().map(str::to_owned).collect())));

    std::fs::write(place.root().join("portes.toml"), &said.out).unwrap();
    place.run(0);
    assert_eq!(players(&place).len(), 6, "pasted, they are one: {:?}", players(&place));
    let said = place.portes(&["names"]);
    assert!(said.out.starts_with("# no two names fold alike"), "{}", said.out);
    assert_eq!(File::parse(&said.out).unwrap().players, block, "what was decided stays");
    assert!(!place.portes(&["status"]).out.contains("names:"));
}

/// A name that has aliases is kept, and those of the other come along: aliases of aliases are refused.
#[test]
fn suggestions_join_what_the_table_says_already() {
    let place = Place::new();
    put(&place, 1, ["Nick", "Dovetail"]);
    put(&place, 2, ["BRAMBLEWICK", "Foxglove"]);
    put(&place, 3, ["BRAMBLEWICK", "Gristmill"]);
    put(&place, 4, ["Gris Tmill", "Old"]);
    std::fs::write(
        place.root().join("portes.toml"),
        "[players]\nmain = \"Bramblewick\"\n[players.aliases]\nBramblewick = [\"Nick\"]\ndovetail = [\"Old\"]\n",
    )
    .unwrap();
    place.run(0);
    let said = place.portes(&["names"]);
    let block = File::parse(&said.out).unwrap().players;
    assert_eq!(block.main.as_deref(), Some("Bramblewick"));
    assert_eq!(block.aliases["Bramblewick"], ["BRAMBLEWICK", "Nick"]);
    assert_eq!(block.aliases["dovetail"], ["Dovetail", "Old"]);
    assert_eq!(block.aliases.len(), 2, "blanks within a word are another name: {}", said.out);
    std::fs::write(place.root().join("portes.toml"), &said.out).unwrap();
    place.run(0);
    assert_eq!(
        players(&place),
        ["Bramblewick", "dovetail", "Foxglove", "Gris Tmill", "Gristmill"].map(str::to_owned).into()
    );
}
