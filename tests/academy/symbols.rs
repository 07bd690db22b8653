//! Alphabet, both tables, turning round and the text form.

use super::vectors;
use portes::academy::alphabet::Symbol;
use portes::academy::area::{Area, Cells, Place};
use portes::academy::contest::Side;
use portes::academy::merge::{Verdict, generalise, specialise};
use portes::academy::text::TextPattern;
use portes::academy::turn::{Turn, turned};
use proptest::prelude::*;
use std::sync::Arc;

const VERDICTS: [(&str, Verdict); 2] = [("both_firm", Verdict::BothFirm), ("otherwise", Verdict::Open)];

fn pairs() -> impl Iterator<Item = (Symbol, Symbol)> {
    Symbol::ALL.into_iter().flat_map(|a| Symbol::ALL.map(|b| (a, b)))
}

#[test]
fn letters_bits_and_swapped_colours_are_the_page_s() {
    let vectors = vectors();
    let letters = vectors["symbols"].as_str().unwrap();
    assert_eq!(Symbol::ALL.map(Symbol::letter).iter().collect::<String>(), letters);
    assert_eq!(Symbol::ALL.map(|s| s.swapped().letter()).iter().collect::<String>(), vectors["swap"].as_str().unwrap());
    for symbol in Symbol::ALL {
        assert_eq!(u64::from(symbol.bits()), vectors["bits"][symbol.letter().to_string()].as_u64().unwrap());
        assert_eq!(Symbol::read(symbol.letter()), Some(symbol));
        assert_eq!(Symbol::from_bits(symbol.bits()), Some(symbol));
        assert_eq!(symbol.swapped().swapped(), symbol);
    }
    assert_eq!((0..=u8::MAX).filter(|&bits| Symbol::from_bits(bits).is_some()).count(), 11);
}

#[test]
fn every_row_of_both_tables_is_the_page_s() {
    type Table = fn(Symbol, Symbol, Verdict) -> Option<Symbol>;
    let vectors = vectors();
    for (name, table) in [("generalise", generalise as Table), ("specialise", specialise as Table)] {
        for (verdict_name, verdict) in VERDICTS {
            for new in Symbol::ALL {
                let row: String =
                    Symbol::ALL.map(|known| table(new, known, verdict).map_or('.', Symbol::letter)).iter().collect();
                let expected = vectors[name][verdict_name][new.letter().to_string()].as_str().unwrap();
                assert_eq!(row, expected, "{name}, {verdict_name}, new {:?}", new.letter());
            }
        }
    }
}

#[test]
fn generalising_gives_the_smallest_symbol_that_covers_both_whichever_comes_first() {
    for (_, verdict) in VERDICTS {
        for (a, b) in pairs() {
            assert_eq!(generalise(a, b, verdict), generalise(b, a, verdict));
            let Some(result) = generalise(a, b, verdict) else { continue };
            let covering = Symbol::ALL.into_iter().filter(|s| s.covers(a) && s.covers(b));
            assert_eq!(Some(result), covering.min_by_key(|s| s.bits().count_ones()));
        }
    }
}

/// What a library counts on when it looks first for the patterns that lack fewest cells.
#[test]
fn generalising_by_a_concrete_cell_changes_a_known_one_only_if_that_lacks_it_and_never_narrows_it() {
    for (new, known) in pairs().filter(|(new, _)| new.is_concrete()) {
        for verdict in [Verdict::BothFirm, Verdict::Open] {
            if let Some(wide) = generalise(new, known, verdict) {
                assert_eq!(wide != known, !known.covers(new), "{new:?} {known:?} {verdict:?}");
                assert!(wide.covers(known), "{new:?} {known:?} {verdict:?}");
            }
        }
    }
}

#[test]
fn specialising_stays_between_the_new_cell_and_the_known_one() {
    for (_, verdict) in VERDICTS {
        for (a, b) in pairs() {
            let Some(result) = specialise(a, b, verdict) else { continue };
            assert!(result.covers(a) && b.covers(result), "{a:?} {b:?} {result:?}");
        }
    }
}

#[test]
fn both_tables_treat_the_colours_alike() {
    for (_, verdict) in VERDICTS {
        for (a, b) in pairs() {
            let mirror = |s: Option<Symbol>| s.map(Symbol::swapped);
            assert_eq!(mirror(generalise(a, b, verdict)), generalise(a.swapped(), b.swapped(), verdict));
            assert_eq!(mirror(specialise(a, b, verdict)), specialise(a.swapped(), b.swapped(), verdict));
        }
    }
}

const SQUARE: &str = "# - x b\n# - o -\n- x - w\n< 3; 165; 0.78; 2 >";
const HEXAGONAL: &str = "  - w\n # - o\n# - x #\n - o -\n  - -\n< 1; 700; 0.12; 1 >";

#[test]
fn both_samples_of_the_source_are_carried_through_unchanged() {
    for (text, sample) in [SQUARE, HEXAGONAL].into_iter().zip(vectors()["samples"].as_array().unwrap()) {
        let pattern = TextPattern::read(text).unwrap();
        assert_eq!(pattern.to_string(), text);
        assert_eq!(joined(&pattern.rows), strings(&sample["rows"]));
        let side = if pattern.signature.side == Side::First { 1 } else { 2 };
        let signature = (pattern.signature.players, pattern.signature.elo, pattern.signature.value, side);
        let expected = &sample["signature"];
        assert_eq!(signature.0, expected[0].as_u64().unwrap());
        assert_eq!((signature.1, signature.2), (expected[1].as_f64().unwrap(), expected[2].as_f64().unwrap()));
        assert_eq!(signature.3, expected[3].as_u64().unwrap());
    }
}

#[test]
fn turned_round_the_second_player_s_pattern_keeps_its_value() {
    let sample = &vectors()["samples"][0];
    let pattern = TextPattern::read(SQUARE).unwrap();
    let colours = pattern.as_first(Turn::None);
    let rotated = pattern.as_first(Turn::Half);
    assert_eq!(joined(&colours.rows), strings(&sample["normalised_rows_colours_only"]));
    assert_eq!(joined(&rotated.rows), strings(&sample["normalised_rows_rotated"]));
    assert_eq!(rotated.to_string().lines().last(), Some("< 3; 165; 0.78; 1 >"));
    assert_eq!(rotated.as_first(Turn::Half), rotated);
    let hexagonal = TextPattern::read(HEXAGONAL).unwrap();
    assert_eq!(turned(&turned(&hexagonal.rows, Turn::Half), Turn::Half), hexagonal.rows);
}

#[test]
fn a_reader_says_what_is_wrong_with_a_pattern() {
    for (text, reason) in [
        ("- y\n< 1; 2; 0.5; 1 >", "unknown symbol \"y\""),
        ("- xx\n< 1; 2; 0.5; 1 >", "unknown symbol \"xx\""),
        ("< 1; 2; 0.5; 1 >", "no row before the signature"),
        ("- x", "no signature"),
        ("", "no signature"),
        ("-\n< 0; 2; 0.5; 1 >", "N is not a whole number of at least 1"),
        ("-\n< 1.5; 2; 0.5; 1 >", "N is not a whole number of at least 1"),
        ("-\n< 1; inf; 0.5; 1 >", "E is not a number"),
        ("-\n< 1; 2; 1.01; 1 >", "V is outside 0..1"),
        ("-\n< 1; 2; NaN; 1 >", "V is outside 0..1"),
        ("-\n< 1; 2; 0.5; 3 >", "P is neither 1 nor 2"),
        ("-\n< 1; 2; 0.5 >", "signature \"< 1; 2; 0.5 >\" is not < N; E; V; P >"),
        ("-\n< 1; 2; 0.5; 1 >\n-", "\"-\" after the signature"),
    ] {
        assert_eq!(TextPattern::read(text).unwrap_err(), reason, "{text:?}");
    }
}

#[test]
fn an_area_is_concrete_and_of_its_place_s_size() {
    let place = Arc::new(Place::new("nw", &[2, 1]).unwrap());
    let read = |text: &str| text.chars().map(|c| Symbol::read(c).unwrap()).collect::<Vec<_>>();
    assert_eq!(Area::new(&place, &read("x-o")).unwrap().cells().text(), "x-o");
    assert!(Area::new(&place, &read("x-")).is_err());
    assert_eq!(Area::new(&place, &read("x-B")).unwrap_err(), "symbol 'B' of area \"nw\" is not concrete");
    assert!(Place::new("nw", &[]).is_err());
    assert!(Place::new("nw", &[2, 0]).is_err());
    assert!(Place::new("nw", &[usize::MAX, 2]).is_err());
}

proptest! {
    #[test]
    fn packed_cells_read_back(cells in "[-xbB1owW2+#]{1,45}") {
        prop_assert_eq!(Cells::read(&cells).unwrap().text(), cells);
    }

    #[test]
    fn hostile_text_is_refused_without_harm(text in "[-xb#<>;0-9. \n]{0,80}") {
        if let Ok(pattern) = TextPattern::read(&text) {
            prop_assert_eq!(TextPattern::read(&pattern.to_string()).unwrap(), pattern);
        }
    }
}

fn joined(rows: &[Vec<Symbol>]) -> Vec<String> {
    rows.iter().map(|row| row.iter().map(|symbol| symbol.letter()).collect()).collect()
}

fn strings(rows: &serde_json::Value) -> Vec<String> {
    rows.as_array().unwrap().iter().map(|row| row.as_str().unwrap().to_owned()).collect()
}
