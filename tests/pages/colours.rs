//! Contrast of every pair of colours that meets on a page, in every scheme.

use std::collections::BTreeMap;

/// Tokens of the sheet, one map for light, one for dark, one for print.
fn tokens() -> [BTreeMap<String, [f64; 3]>; 3] {
    let sheet = include_str!("../../templates/style.css");
    let light = sheet.find(":root{").unwrap();
    let dark = sheet.find("prefers-color-scheme:dark").unwrap();
    let print = sheet.find("@media print").unwrap();
    let light = block(sheet, light);
    let over = |at: usize| light.clone().into_iter().chain(block(sheet, at)).collect();
    [light.clone(), over(dark), over(print)]
}

fn block(sheet: &str, from: usize) -> BTreeMap<String, [f64; 3]> {
    let start = from + sheet[from..].find(":root{").unwrap() + ":root{".len();
    let body = &sheet[start..start + sheet[start..].find('}').unwrap()];
    let colour = |declaration: &str| {
        let (name, value) = declaration.rsplit_once("--")?.1.split_once(":#")?;
        let hex: String = match value.len() {
            3 => value.chars().flat_map(|c| [c, c]).collect(),
            _ => value.to_owned(),
        };
        let channel = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).ok().map(|c| f64::from(c) / 255.0);
        Some((name.to_owned(), [channel(0)?, channel(2)?, channel(4)?]))
    };
    body.split(';').filter_map(colour).collect()
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let luminance = |colour: [f64; 3]| {
        let linear = colour.map(|c| if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn every_pair_of_tokens_that_meets_on_a_page_has_its_contrast_in_every_scheme() {
    assert!((contrast([1.0; 3], [0.0; 3]) - 21.0).abs() < 1e-9, "the authority's own example");
    let text = [
        ("ink", "paper"),
        ("soft", "paper"),
        ("measure", "paper"),
        ("ink", "raised"),
        ("soft", "raised"),
        ("measure", "raised"),
        ("ink", "wash"),
        ("soft", "wash"),
        ("measure", "wash"),
        ("ink", "field"),
        ("open", "ink"),
        ("ink", "open"),
    ];
    let graphics = [
        ("line", "paper"),
        ("measure", "paper"),
        ("measure", "wash"),
        ("made", "paper"),
        ("best", "paper"),
        ("made", "raised"),
        ("best", "field"),
        ("made", "field"),
        ("line", "field"),
        ("made", "open"),
        ("ink", "pta"),
        ("ink", "ptb"),
        ("ink", "barc"),
        ("ink", "paper"),
    ];
    for (scheme, tokens) in ["light", "dark", "print"].iter().zip(tokens()) {
        assert!(tokens.len() >= 15, "{scheme}: {tokens:?}");
        for (pairs, least) in [(&text[..], 4.5), (&graphics[..], 3.0)] {
            for (front, back) in pairs {
                let ratio = contrast(tokens[*front], tokens[*back]);
                assert!(ratio >= least, "{scheme}: --{front} on --{back} is {ratio:.2}, {least} is needed");
            }
        }
    }
}
