//! What stands above the first game: `; [Key "Value"]` tags, free comments and the length line.
//!
//! Names are not taken from here: `Player 1` need not be the left player (in files of one widespread program it is the
//! right one). The tags serve only to hand the ratings to the right names.

use super::MOST_COMMENTS;
use super::text::{decode, number, starts_with, trim};
use crate::game::Length;
use crate::ingest::record::{Player, Rules, Variant};
use jiff::civil::Date;

/// Texts that programs write where nothing was typed.
const PLACEHOLDERS: [&str; 6] = ["Online match", "Unknown", "-", "?", "0", "Round 0"];
/// The rating a program gives somebody it does not know.
const UNRATED: &str = "1600.00/0";

/// Tags, gathered.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub event: Option<String>,
    pub round: Option<String>,
    pub place: Option<String>,
    pub annotator: Option<String>,
    pub date: Option<Date>,
    pub comments: Vec<String>,
    players: [Player; 2],
    crawford_off: bool,
    jacoby: bool,
    beavers: Option<bool>,
    no_cube: bool,
    variant: Option<Variant>,
}

impl Header {
    /// Takes in a line that begins with `;` or `#`.
    pub(super) fn comment(&mut self, line: &[u8]) {
        let text = trim(line.get(1..).unwrap_or_default());
        if text.is_empty() {
            return;
        }
        match tag(text) {
            Some((key, value)) => self.tag(&key, value),
            None if text.starts_with(b"[") || self.comments.len() >= MOST_COMMENTS => {}
            None => self.comments.push(decode(text).0),
        }
    }

    fn tag(&mut self, key: &str, value: String) {
        match key {
            "event" => self.event = said(value),
            "round" => self.round = said(value),
            "site" => self.place = said(value),
            "transcriber" => self.annotator = said(value),
            "eventdate" => self.date = date(&value),
            "player 1" => self.players[0].name = value,
            "player 2" => self.players[1].name = value,
            "player 1 elo" => self.players[0].rating = rating(value),
            "player 2 elo" => self.players[1].rating = rating(value),
            "crawford" => self.crawford_off = on(&value) == Some(false),
            "jacoby" => self.jacoby = on(&value) == Some(true),
            "beaver" | "beavers" => self.beavers = on(&value),
            "cubelimit" => self.no_cube = value.trim() == "1",
            "variation" => self.variant = variant(&value),
            _ => {}
        }
    }

    /// The rules the tags give for a match of this length.
    pub(super) fn rules(&self, length: Length) -> Rules {
        let money = length == Length::Money;
        Rules {
            crawford: !money && !self.crawford_off,
            jacoby: money && self.jacoby,
            beavers: self.beavers,
            cube: !self.no_cube,
            variant: self.variant.unwrap_or(Variant::Backgammon),
        }
    }

    /// Gives the players of the score line the ratings of the tags: by name where the tags have the names, else in
    /// order.
    pub(super) fn rate(&self, players: &mut [Player; 2]) {
        let swapped = self.players[0].name == players[1].name && self.players[0].name != players[0].name;
        for (i, player) in players.iter_mut().enumerate() {
            let tagged = &self.players[if swapped { 1 - i } else { i }];
            if tagged.rating.is_some() {
                player.rating.clone_from(&tagged.rating);
            }
        }
    }
}

/// `N point match`, any case, whatever follows. `Some(None)` = such a line with a number nobody can play to.
#[expect(clippy::option_option, reason = "no length line, or a length line without a length")]
pub(super) fn length(line: &[u8]) -> Option<Option<Length>> {
    let line = trim(line);
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = line[digits..].trim_ascii_start();
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    if digits == 0 || !starts_with(rest, b"point match") {
        return None;
    }
    Some(number(line).map(|(points, _)| Length::from_points(points)))
}

/// `[Key "Value"]`, also without quotation marks; the key in lower case.
fn tag(text: &[u8]) -> Option<(String, String)> {
    let inner = text.strip_prefix(b"[")?;
    if let Some(open) = inner.iter().position(|&byte| byte == b'"') {
        let value = &inner[open + 1..];
        let close = value.iter().rposition(|&byte| byte == b'"').unwrap_or(value.len());
        let key = decode(trim(&inner[..open])).0;
        return Some((key.to_ascii_lowercase(), decode(&value[..close]).0));
    }
    let inner = inner.strip_suffix(b"]").unwrap_or(inner);
    if inner.contains(&b':') {
        return None;
    }
    let lower = inner.to_ascii_lowercase();
    let key = [&b"player 1"[..], b"player 2"].into_iter().find(|key| lower.starts_with(key));
    let length = key.map_or_else(|| inner.iter().position(|&byte| byte == b' '), |key| Some(key.len()))?;
    let (key, value) = inner.split_at(length);
    Some((decode(key).0.to_ascii_lowercase(), decode(trim(value)).0))
}

fn said(value: String) -> Option<String> {
    let text = value.trim();
    (!text.is_empty() && !PLACEHOLDERS.contains(&text)).then(|| text.to_owned())
}

fn rating(value: String) -> Option<String> {
    said(value).filter(|text| text != UNRATED)
}

fn on(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "on" | "yes" | "true" | "1" => Some(true),
        "off" | "no" | "false" | "0" => Some(false),
        _ => None,
    }
}

fn variant(value: &str) -> Option<Variant> {
    const NAMES: [(&str, Variant); 4] = [
        ("backgammon", Variant::Backgammon),
        ("nack", Variant::Nackgammon),
        ("hyper", Variant::Hypergammon),
        ("long", Variant::Longgammon),
    ];
    let value = value.trim().to_ascii_lowercase();
    NAMES.iter().find(|(name, _)| value.starts_with(name)).map(|&(_, variant)| variant)
}

/// `yyyy.mm.dd`; also with hyphens or slashes.
fn date(value: &str) -> Option<Date> {
    let mut parts = value.trim().split(['.', '-', '/']);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let day = day.split_whitespace().next()?;
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_all_dialects_are_read() {
        let mut header = Header::default();
        for line in [
            r#"; [Site "Backgammon Studio"]"#,
            r#"; [Event "Online match"]"#,
            r#"# [Round "Night 3"]"#,
            r#"; [Player 1 "right"]"#,
            r#"; [Player 2 "left"]"#,
            r#"; [Player 1 Elo "2,00/0"]"#,
            r#"; [Player 2 Elo "1600.00/0"]"#,
            r#"; [EventDate "2026.02.30"]"#,
            r#"; [Crawford "Off"]"#,
            r#"; [CubeLimit "1"]"#,
            r#"; [Variation "HyperGammon (3)"]"#,
            "; a word from the hall",
            "; [Game 1, Move 1: Dice set to 31]",
        ] {
            header.comment(line.as_bytes());
        }
        assert_eq!(header.event, None);
        assert_eq!(header.place.as_deref(), Some("Backgammon Studio"));
        assert_eq!(header.round.as_deref(), Some("Night 3"));
        assert_eq!(header.date, None, "no such day");
        assert_eq!(header.comments, ["a word from the hall"]);
        let rules = header.rules(Length::Points(5));
        assert!(!rules.crawford && !rules.cube && rules.variant == Variant::Hypergammon);
        let named = |name: &str| Player { name: name.to_owned(), rating: None };
        let mut players = [named("left"), named("right")];
        header.rate(&mut players);
        assert_eq!(players[1].rating.as_deref(), Some("2,00/0"), "the tags are exchanged, the name decides");
        assert_eq!(players[0].rating, None);
    }

    #[test]
    fn the_length_line_in_any_case_and_nothing_else() {
        assert_eq!(length(b" 7 point match"), Some(Some(Length::Points(7))));
        assert_eq!(length(b"0 Point Match\t"), Some(Some(Length::Money)));
        assert_eq!(length(b"70 POINT MATCH (final)"), Some(Some(Length::TooLong(70))));
        assert_eq!(length(b"99999999999 point match"), Some(None));
        assert_eq!(length(b"Score is 1-0 in a 5 point match"), None);
        assert_eq!(length(b"  1) 31: 8/5 6/5"), None);
    }
}
