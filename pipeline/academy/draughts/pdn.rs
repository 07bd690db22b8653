//! The text of a PDN file: tags and moves, game by game.
//!
//! Owns the spelling only: comments in braces or behind a semicolon, variations in parentheses, move numbers, glyphs and
//! marks of praise are passed over; nothing here knows a board. Text is read as bytes, and what is not UTF-8 is shown
//! with the replacement character. A brace or parenthesis that is not closed before the tags of the next game breaks the
//! game it stands in, which is marked instead of being shortened in silence, and no other.

use std::collections::BTreeMap;

/// One game as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Game {
    /// Line its first token stands on, from 1.
    pub(super) line: usize,
    pub(super) tags: BTreeMap<String, String>,
    /// Everything that may be a move, in order, with its line.
    pub(super) moves: Vec<(usize, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*` behind the moves.
    pub(super) terminator: Option<String>,
    /// A comment, variation or tag that is never closed.
    pub(super) broken: Option<&'static str>,
}

impl Game {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.terminator.is_none() && self.broken.is_none()
    }

    /// A tag that says something.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(|value| value.trim()).filter(|value| !value.is_empty() && *value != "?")
    }
}

/// What ends the moves of a game; the second row is the spelling of two points a win.
const TERMINATORS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "*", "2-0", "0-2", "1-1"];

/// The games of a file, in order.
pub(super) fn games(bytes: &[u8]) -> Vec<Game> {
    let (above, rest) = bytes.split_at(preamble(bytes));
    let line = 1 + above.iter().filter(|&&byte| byte == b'\n').count();
    let mut reader = Reader { rest, line, game: Game::default(), games: Vec::new() };
    reader.read();
    reader.games
}

/// Bytes before the first game: a byte order mark, and lines of text above the first tag. A line that begins with a
/// figure is one of moves, and a game without tags is not passed over; nor is text in a file without any tag.
fn preamble(bytes: &[u8]) -> usize {
    let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut at = mark;
    for line in bytes[mark..].split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii_start();
        if is_tag(text) {
            return at;
        }
        if text.first().is_some_and(u8::is_ascii_digit) {
            return mark;
        }
        at += line.len();
    }
    mark
}

/// `[Event "…`.
fn is_tag(line: &[u8]) -> bool {
    let Some(tag) = line.strip_prefix(b"[") else { return false };
    let name = tag.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
    name > 0 && tag[name..].trim_ascii_start().starts_with(b"\"")
}

struct Reader<'a> {
    rest: &'a [u8],
    line: usize,
    game: Game,
    games: Vec<Game>,
}

impl Reader<'_> {
    fn read(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'[' => self.tag(),
                b'{' => self.skip_comment(),
                b'(' => self.skip_variation(),
                b';' | b'%' => _ = self.take_until(|byte| byte == b'\n'),
                _ if byte.is_ascii_whitespace() || byte == b')' || byte == b'}' || byte == b']' => _ = self.bump(),
                _ => self.token(),
            }
        }
        self.finish();
    }

    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn bump(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.line += usize::from(byte == b'\n');
        self.rest = rest;
        Some(byte)
    }

    /// Up to and without the first byte that stops.
    fn take_until(&mut self, stops: impl Fn(u8) -> bool) -> Vec<u8> {
        let mut taken = Vec::new();
        while let Some(byte) = self.peek().filter(|&byte| !stops(byte)) {
            taken.push(byte);
            self.bump();
        }
        taken
    }

    fn finish(&mut self) {
        let game = std::mem::take(&mut self.game);
        if !game.is_empty() {
            self.games.push(game);
        }
    }

    fn here(&mut self) {
        if self.game.is_empty() {
            self.game.line = self.line;
        }
    }

    /// Tags stand before the moves: one behind them begins the next game.
    fn tag(&mut self) {
        if !self.game.moves.is_empty() || self.game.terminator.is_some() {
            self.finish();
        }
        self.here();
        self.bump();
        let name = self.take_until(|byte| byte == b'"' || byte == b']' || byte == b'\n');
        let name = String::from_utf8_lossy(&name).trim().to_owned();
        if self.peek() != Some(b'"') {
            self.game.broken = Some("a tag without a value");
            return;
        }
        self.bump();
        let Some(value) = self.quoted() else {
            self.game.broken = Some("a tag that is never closed");
            return;
        };
        self.take_until(|byte| byte == b']' || byte == b'\n');
        self.game.tags.entry(name).or_insert(value);
    }

    /// Up to the closing quote, which ends on the same line.
    fn quoted(&mut self) -> Option<String> {
        let mut value = Vec::new();
        loop {
            match self.bump()? {
                b'"' => return Some(String::from_utf8_lossy(&value).into_owned()),
                b'\n' => return None,
                b'\\' => value.push(self.bump()?),
                byte => value.push(byte),
            }
        }
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|byte| byte != b'}') && !self.meets_tags() {}
        if self.peek() == Some(b'}') {
            self.bump();
        } else {
            self.never_closed("a comment that is never closed");
        }
    }

    /// One byte on; whether a line of tags begins behind it.
    fn meets_tags(&mut self) -> bool {
        self.bump() == Some(b'\n') && is_tag(self.rest)
    }

    /// The game is over here, whatever comes.
    fn never_closed(&mut self, what: &'static str) {
        self.here();
        self.game.broken.get_or_insert(what);
        self.finish();
    }

    /// Variations may hold variations and comments, and a comment may hold parentheses.
    fn skip_variation(&mut self) {
        let mut depth = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'{' => {
                    let before = self.games.len();
                    self.skip_comment();
                    if self.games.len() > before {
                        return;
                    }
                    continue;
                }
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            let is_over = self.meets_tags();
            if depth == 0 {
                return;
            }
            if is_over {
                break;
            }
        }
        self.never_closed("a variation that is never closed");
    }

    fn token(&mut self) {
        let line = self.line;
        // Words between two games are no game.
        if !self.games.is_empty() && self.game.is_empty() && self.peek().is_some_and(|byte| byte.is_ascii_alphabetic())
        {
            self.take_until(|byte| byte == b'\n');
            return;
        }
        let token = self.take_until(|byte| byte.is_ascii_whitespace() || b"[]{}();".contains(&byte));
        let token = String::from_utf8_lossy(&token).into_owned();
        if TERMINATORS.contains(&token.as_str()) {
            self.here();
            self.game.terminator = Some(token);
            self.finish();
            return;
        }
        let text = without_number(&token).trim_end_matches(['!', '?']);
        if text.is_empty() || text.starts_with('$') {
            return;
        }
        self.here();
        self.game.moves.push((line, text.to_owned()));
    }
}

/// `12.`, `12...` and `12.11-15` without their number.
fn without_number(token: &str) -> &str {
    let digits = token.trim_start_matches(|c: char| c.is_ascii_digit());
    match digits.strip_prefix('.') {
        Some(rest) if digits.len() < token.len() => rest.trim_start_matches('.'),
        _ => token,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(game: &Game) -> Vec<&str> {
        game.moves.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn comments_variations_glyphs_and_numbers_are_passed_over() {
        let text = br#"[Event "Made up \"A\""]
[White "?"]
1. 11-15 {a word (and more) [too]} 23-19! $2 2.8-11 (2. 9-14 {or } ) 22-17 (3. 10-14)) 22-17 ; the rest 1-0
3... 11-16?! 1/2-1/2
[Event "B"] 1. 9-14 *"#;
        let games = games(text);
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].tag("Event"), Some("Made up \"A\""));
        assert_eq!(games[0].tag("White"), None);
        assert_eq!(moves(&games[0]), ["11-15", "23-19", "8-11", "22-17", "22-17", "11-16"]);
        assert_eq!(games[0].terminator.as_deref(), Some("1/2-1/2"));
        assert_eq!((games[0].line, games[1].line, games[0].moves[5].0), (1, 5, 4));
        assert_eq!((games[1].tag("Event"), moves(&games[1])), (Some("B"), vec!["9-14"]));
    }

    #[test]
    fn a_game_without_an_end_stops_at_the_next_tag() {
        let games = games(b"[Event \"A\"]\n11-15\n[Event \"B\"]\n9-14\n");
        assert_eq!(games.iter().map(|game| game.tag("Event")).collect::<Vec<_>>(), [Some("A"), Some("B")]);
        assert_eq!(games[0].terminator, None);
    }

    #[test]
    fn what_stands_above_the_first_tag_is_no_game() {
        const GAME: &str = "[Event \"A\"]\n11-15 *\n";
        for above in ["\u{feff}", "Games (of the club\n\n", "\u{feff}% made up\n", "[Games]\n", "{a comment}\n"] {
            let games = games(format!("{above}{GAME}").as_bytes());
            let line = 1 + above.matches('\n').count();
            assert_eq!(
                games.iter().map(|game| (game.tag("Event"), game.line)).collect::<Vec<_>>(),
                [(Some("A"), line)]
            );
            assert_eq!((moves(&games[0]), games[0].broken), (vec!["11-15"], None), "{above:?}");
        }
        // A game without tags is one, and told.
        let untagged = games(format!("\u{feff}1. 9-14 1-0\n{GAME}").as_bytes());
        assert_eq!(untagged.iter().map(|game| moves(game)).collect::<Vec<_>>(), [["9-14"], ["11-15"]]);
        assert_eq!(untagged[0].line, 1);
    }

    #[test]
    fn words_between_games_are_none_and_what_is_never_closed_ends_with_its_game() {
        let text =
            b"[Event \"A\"]\n11-15 *\n\nThe second game, 1-0 (well\nplayed)\n[Event \"B\"]\n9-14 {never\nclosed\n\
            [Event \"C\"]\n{either\n[Event \"D\"]\n10-14 (9-13 {x} \n[Event \"E\"]\n10-15 {closed} 1-0\n";
        let games = games(text);
        let told: Vec<_> = games.iter().map(|game| (game.tag("Event").unwrap_or_default(), game.broken)).collect();
        let (comment, variation) = (Some("a comment that is never closed"), Some("a variation that is never closed"));
        assert_eq!(told, [("A", None), ("B", comment), ("C", comment), ("D", variation), ("E", None)]);
        assert_eq!((games[4].line, moves(&games[4])), (13, vec!["10-15"]));
    }

    #[test]
    fn what_is_never_closed_is_told() {
        for (text, reason) in [
            ("11-15 {never", "a comment that is never closed"),
            ("11-15 (9-14 (10-14)", "a variation that is never closed"),
            ("11-15 (9-14 {", "a comment that is never closed"),
            ("[Event \"never\n11-15", "a tag that is never closed"),
            ("[Event]\n11-15", "a tag without a value"),
        ] {
            assert_eq!(games(text.as_bytes())[0].broken, Some(reason), "{text:?}");
        }
        assert!(games(b" \n ) } ] ; nothing").is_empty());
    }
}
