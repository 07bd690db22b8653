//! Untrusted text: how a name, an event, a path or a comment is shown, and what a page is called.
//!
//! Names come from strangers' files. They are shown as written, but nothing in them may act: control characters and the
//! ones that turn the direction of a line are replaced by a visible mark, long ones are cut, and names written from right
//! to left are isolated so that they do not drag the figures beside them along. Markup is the escaper's business, not
//! this room's. A file name never holds a raw name: a slug for people, a hash for identity.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Characters of a name in running text and tables. A page repeats a name hundreds of times.
pub(super) const NAME: usize = 60;
/// Characters of a play or of a token of our own tables: `bar/24*/20*/16*/12*` has 20.
pub(super) const TOKEN: usize = 48;
/// Characters of an event, a round or a place.
pub(super) const PLACE: usize = 90;
/// Characters of an XGID: a board of 26 and nine fields.
pub(super) const XGID: usize = 120;
/// Characters of a path or of the detail of a rejection.
pub(super) const PATH: usize = 300;
/// Characters of a name beside a board, where the score stands on the same line.
pub(super) const BESIDE_BOARD: usize = 20;
/// Characters of a slug.
const SLUG: usize = 32;
/// Hexadecimal digits behind a slug: 48 bits, so two of a thousand players collide once in half a billion seasons.
const HASH: usize = 12;

/// What stands in for a character that would act instead of being read.
const NEUTRAL: char = '\u{fffd}';

/// Text on one line of at most `limit` characters, with nothing in it that acts. Empty text is `(no name)`.
#[must_use]
pub(super) fn shown(text: &str, limit: usize) -> String {
    if text.len() <= limit && text.bytes().all(|b| b.is_ascii_graphic() || b == b' ') && !text.trim().is_empty() {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut rest = text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { neutral(c) });
    for c in rest.by_ref().take(limit) {
        out.push(c);
    }
    if rest.next().is_some() {
        out.pop();
        out.push('\u{2026}');
    }
    if out.trim().is_empty() {
        return "(no name)".to_owned();
    }
    if out.chars().any(is_right_to_left) { format!("\u{2068}{out}\u{2069}") } else { out }
}

/// A player's name as pages show it.
#[must_use]
pub fn shown_name(name: &str) -> String {
    shown(name, NAME)
}

/// Text of several lines, cut at `limit` characters, with nothing in it that acts.
#[must_use]
pub(super) fn lines(text: &str, limit: usize) -> Vec<String> {
    let cut: String = text.chars().take(limit).collect();
    let mut lines: Vec<String> = cut.lines().map(|line| line.chars().map(neutral).collect()).collect();
    if text.chars().nth(limit).is_some() {
        lines.push("\u{2026}".to_owned());
    }
    lines
}

fn neutral(c: char) -> char {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{200b}' | '\u{2060}');
    let tags = matches!(c, '\u{e0000}'..='\u{e007f}');
    if c.is_control() || turns || breaks || tags { NEUTRAL } else { c }
}

/// Hebrew, Arabic and their neighbours, and their presentation forms.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}')
}

/// The page of a player: `player-<slug>-<hash>.html`, from the canonical name as stored.
#[must_use]
pub fn page_name_player(name: &str) -> String {
    named("player", &[name], &hash(name))
}

/// The page of a match: `match-<slug>-<slug>-<id>.html`.
#[must_use]
pub fn page_name_match(match_id: &str, players: [&str; 2]) -> String {
    let plain = match_id.len() >= HASH && match_id.bytes().all(|b| b.is_ascii_hexdigit());
    let id = if plain { match_id[..HASH].to_ascii_lowercase() } else { hash(match_id) };
    named(MATCH, &players, &id)
}

/// How the names of pages of matches begin.
const MATCH: &str = "match";

/// Whether a page is that of a match, by its name.
#[must_use]
pub fn is_page_of_match(page: &str) -> bool {
    page.strip_prefix(MATCH).is_some_and(|rest| rest.starts_with('-'))
}

/// The page of a tournament: `tournament-<slug>-<hash>.html`, from the event as stored.
#[must_use]
pub fn page_name_tournament(event: &str) -> String {
    named("tournament", &[event], &hash(event))
}

fn named(kind: &str, names: &[&str], id: &str) -> String {
    let mut out = kind.to_owned();
    for slug in names.iter().map(|name| slug(name)).filter(|slug| !slug.is_empty()) {
        out.push('-');
        out.push_str(&slug);
    }
    format!("{out}-{id}.html")
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..HASH].to_owned()
}

/// Lower-case letters and digits of ASCII, accents left away, everything else a hyphen, none doubled, none at an end.
fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(4 * SLUG).nfkd().filter(|&c| !is_combining_mark(c)) {
        if out.len() >= SLUG {
            break;
        }
        match c.to_ascii_lowercase() {
            c @ ('a'..='z' | '0'..='9') => out.push(c),
            _ => match plain(c) {
                Some(letters) => out.push_str(letters),
                None if out.is_empty() || out.ends_with('-') => {}
                None => out.push('-'),
            },
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// Letters of Latin alphabets that are no letter with an accent.
const fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{df}' | '\u{1e9e}' => "ss",
        '\u{c6}' | '\u{e6}' => "ae",
        '\u{152}' | '\u{153}' => "oe",
        '\u{d8}' | '\u{f8}' => "o",
        '\u{de}' | '\u{fe}' => "th",
        '\u{d0}' | '\u{f0}' | '\u{110}' | '\u{111}' => "d",
        '\u{141}' | '\u{142}' => "l",
        '\u{131}' => "i",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_acts() {
        assert_eq!(shown("a\u{202e}b\nc\u{0}", NAME), "a\u{fffd}b c\u{fffd}");
        assert_eq!(shown(" \t", NAME), "(no name)");
        assert_eq!(shown(&"x".repeat(10_000), 5), "xxxx\u{2026}");
        assert_eq!(shown("exact", 5), "exact");
        assert_eq!(shown("\u{5d0}\u{5d1}", NAME), "\u{2068}\u{5d0}\u{5d1}\u{2069}");
        assert_eq!(lines("a\r\nb\u{1b}[31m", 100), ["a", "b\u{fffd}[31m"]);
    }

    #[test]
    fn a_file_name_holds_a_slug_and_a_hash_and_nothing_of_the_raw_name() {
        let name = page_name_player("../../<img src=x> \u{c9}mberline");
        assert!(name.starts_with("player-img-src-x-emberline-"), "{name}");
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.')));
        assert!(page_name_player("\u{d8}stlund-Br\u{e5}vil").starts_with("player-ostlund-bravil-"));
        assert!(page_name_player("Stra\u{df}e \u{17b}\u{f3}\u{142}w").starts_with("player-strasse-zolw-"));
        assert_ne!(page_name_player("A b"), page_name_player("a B"));
        assert_eq!(page_name_match("0123456789abcdef", ["A", "\u{5d0}"]), "match-a-0123456789ab.html");
        assert!(!page_name_match("../x", ["A", "B"]).contains("../"));
    }
}
