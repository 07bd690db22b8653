//! Text of strangers as TOML: what would act on a terminal or break the line is spelled, and reads back to the same.

use std::fmt::Write as _;

/// A character that a terminal obeys instead of showing: controls, and those that turn the direction of a line.
#[must_use]
pub fn acts(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A basic string of TOML, with its quotation marks.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if acts(c) => _ = write!(out, "\\U{:08X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_spelled_and_reads_back() -> Result<(), toml::de::Error> {
        let text = "a\"b\\c\nd\u{1b}[31m\u{202e}\u{7f}\u{85}é";
        let written = quoted(text);
        assert!(!written.contains(acts), "{written}");
        let table: toml::Table = toml::from_str(&format!("x = {written}\n{written} = 1"))?;
        assert_eq!(table.get("x").and_then(toml::Value::as_str), Some(text));
        assert!(table.contains_key(text));
        Ok(())
    }
}
