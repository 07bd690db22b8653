//! What a file is, by its content: names lie (`.xg` files that hold text exist, `.txt` is anything).
//!
//! The tests stand in the order of `other-formats.md` 1 and see only the first 64 KiB, for archives also the last. The
//! name serves one purpose, [`known_extension`]: bytes that are nothing we know are foreign, unless the name promised
//! one of our formats; then somebody's match is damaged, and he should hear of it.

use super::mat::is_length_line;
use super::record::Format;

/// How much of a file is looked at.
const WINDOW: usize = 64 << 10;
/// UTF-8 byte-order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// A match, in a format that is read.
    Match(Format),
    /// A `.zip`, whose members are read in place.
    Zip,
    /// A file that goes with matches.
    Side(Side),
    /// A kind that is known and not read: `unsupported`.
    Unread(Unread),
    /// Nothing of ours: `ignored`, or `quarantined` under a known extension.
    Foreign,
}

/// Files that go with matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Study log, CSV or JSON lines (`study-sources.md` 5).
    StudyLog,
    /// Final places of an event, `player,place` (`metrics.md` 17).
    Places,
    /// Contests of another game for the Academy (`academy.md` 12).
    Contests,
    /// Games of draughts in PDN, for the Academy too.
    Draughts,
}

impl Side {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::StudyLog => "study_log",
            Self::Places => "places",
            Self::Contests => "contests",
            Self::Draughts => "pdn",
        }
    }
}

/// Kinds that are known by name and not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// BGBlitz match.
    BgBlitz,
    /// BGRoom text game, which shares the extension of BGBlitz.
    BgRoom,
    /// OGXM binary.
    Ogxm,
    /// OGXM as JSON.
    OgxmJson,
    /// Anki package.
    Anki,
    /// SQLite: blunderDB or Anki.
    Sqlite,
    /// A Smart Game Format file of another game.
    OtherSgf,
    /// Position text of eXtreme Gammon.
    XgPosition,
    /// Position text of BGBlitz.
    BgBlitzPosition,
    /// Snowie position record.
    Snowie,
    /// bgammon.org replay.
    Bgammon,
    /// GamesGrid or GridGammon record.
    GamesGrid,
    /// PartyGammon record.
    PartyGammon,
    /// Jellyfish position.
    JellyfishPosition,
    /// FIBS oldmoves.
    Fibs,
    /// An archive other than `.zip`.
    Archive,
}

impl Unread {
    /// The stable token, stored as the reason.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::BgBlitz => "bgblitz",
            Self::BgRoom => "bgroom",
            Self::Ogxm => "ogxm",
            Self::OgxmJson => "ogxm_json",
            Self::Anki => "anki",
            Self::Sqlite => "sqlite",
            Self::OtherSgf => "other_sgf",
            Self::XgPosition => "xg_position",
            Self::BgBlitzPosition => "bgblitz_position",
            Self::Snowie => "snowie",
            Self::Bgammon => "bgammon",
            Self::GamesGrid => "gamesgrid",
            Self::PartyGammon => "partygammon",
            Self::JellyfishPosition => "jellyfish_position",
            Self::Fibs => "fibs",
            Self::Archive => "archive",
        }
    }

    /// What a person is told.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::BgBlitz => "a match of BGBlitz (.bgf): export it as text or .sgf to have it read",
            Self::BgRoom => "a text game of BGRoom, not a match of BGBlitz",
            Self::Ogxm => "a match in the OGXM format",
            Self::OgxmJson => "a match in the JSON form of OGXM",
            Self::Anki => "an Anki package",
            Self::Sqlite => "a SQLite database",
            Self::OtherSgf => "a Smart Game Format file of another game than backgammon",
            Self::XgPosition => "a position of eXtreme Gammon as text, not a match",
            Self::BgBlitzPosition => "a position of BGBlitz as text, not a match",
            Self::Snowie => "a position record of Snowie, not a match",
            Self::Bgammon => "a replay of bgammon.org",
            Self::GamesGrid => "a match of GamesGrid or GridGammon (.sgg)",
            Self::PartyGammon => "a match of PartyGammon (.gam)",
            Self::JellyfishPosition => "a position of Jellyfish (.pos), not a match",
            Self::Fibs => "a match in FIBS's oldmoves form",
            Self::Archive => "an archive other than .zip: unpack it",
        }
    }
}

/// What `bytes` are.
#[must_use]
pub fn recognise(bytes: &[u8]) -> Recognised {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let head = &bytes[..bytes.len().min(WINDOW)];
    if let Some(found) = by_magic(head) {
        return found;
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return zip(head, &bytes[bytes.len().saturating_sub(WINDOW)..]);
    }
    if let Some(found) = sgf(head) {
        return found;
    }
    let found = if head.starts_with(b"{") { json(head) } else { Recognised::Foreign };
    match found {
        Recognised::Foreign if has_contest_line(head) => Recognised::Side(Side::Contests),
        Recognised::Foreign => text(head),
        found => found,
    }
}

/// Whether the name promises a format that is read, or one that is known (`.bgf`): damaged bytes under such a name
/// are `quarantined`.
#[must_use]
pub fn known_extension(path_or_name: &[u8]) -> bool {
    const KNOWN: [&[u8]; 6] = [b"xg", b"xgp", b"sgf", b"mat", b"bgf", b"zip"];
    let name = path_or_name.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let Some(dot) = name.iter().rposition(|&byte| byte == b'.') else { return false };
    KNOWN.iter().any(|known| name[dot + 1..].eq_ignore_ascii_case(known))
}

/// Formats that begin with fixed bytes.
fn by_magic(head: &[u8]) -> Option<Recognised> {
    const MAGICS: [(&[u8], Recognised); 11] = [
        (b"RGMH", Recognised::Match(Format::Xg)),
        (b"OGXM", Recognised::Unread(Unread::Ogxm)),
        (b"SQLite format 3\0", Recognised::Unread(Unread::Sqlite)),
        (b"bgammon-replay ", Recognised::Unread(Unread::Bgammon)),
        (b"\x1F\x8B\x08", Recognised::Unread(Unread::Archive)),
        (b"7z\xBC\xAF\x27\x1C", Recognised::Unread(Unread::Archive)),
        (b"Rar!\x1A\x07", Recognised::Unread(Unread::Archive)),
        (b"\xFD7zXZ\0", Recognised::Unread(Unread::Archive)),
        (b"BZh", Recognised::Unread(Unread::Archive)),
        (b"\x28\xB5\x2F\xFD", Recognised::Unread(Unread::Archive)),
        (b"%PDF-", Recognised::Foreign),
    ];
    if let Some(&(_, found)) = MAGICS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(found);
    }
    if head.get(257..262) == Some(b"ustar") {
        return Some(Recognised::Unread(Unread::Archive));
    }
    if starts_with(head, b"bgf version") {
        return Some(Recognised::Unread(Unread::BgRoom));
    }
    matches!(head, [124..=126, 0, ..]).then_some(Recognised::Unread(Unread::JellyfishPosition))
}

/// An archive of files, a package of a study program, or an office document, which is nobody's archive.
fn zip(head: &[u8], tail: &[u8]) -> Recognised {
    /// Where the first member's name stands in its local header.
    const NAME: usize = 30;
    if contains(head, b"collection.anki2") || contains(tail, b"collection.anki2") {
        return Recognised::Unread(Unread::Anki);
    }
    let name = head.get(NAME..).unwrap_or_default();
    let document = name.starts_with(b"[Content_Types].xml") || name.starts_with(b"mimetype");
    if document { Recognised::Foreign } else { Recognised::Zip }
}

/// `( ; FF[4] GM[6]`, blanks between; some writers lead with other properties.
fn sgf(head: &[u8]) -> Option<Recognised> {
    let rest = head.trim_ascii_start().strip_prefix(b"(")?.trim_ascii_start().strip_prefix(b";")?;
    if contains(rest, b"GM[6]") {
        return Some(Recognised::Match(Format::Sgf));
    }
    contains(rest, b"GM[").then_some(Recognised::Unread(Unread::OtherSgf))
}

/// The keys of the first object decide; it need not end within the window.
fn json(head: &[u8]) -> Recognised {
    let first = top_level(head);
    let has = |key: &[u8]| first.keys.contains(&key);
    let body = head[first.end..].trim_ascii_start();
    if first.closed && (has(b"useSmile") || has(b"compress") || has(b"format") && contains(&head[..first.end], b"BGF"))
    {
        return Recognised::Unread(Unread::BgBlitz);
    }
    if first.closed && bgblitz_body(body) {
        return Recognised::Unread(Unread::BgBlitz);
    }
    if has(b"plies") && has(b"game") {
        return Recognised::Side(Side::Contests);
    }
    if has(b"date") && (has(b"position") || has(b"match")) {
        return Recognised::Side(Side::StudyLog);
    }
    if has(b"games") && contains(head, b"\"plies\"") {
        return Recognised::Unread(Unread::OgxmJson);
    }
    Recognised::Foreign
}

/// Whether a line is a contest, or the beginning of one that goes on behind the window. A line that is blank, damaged or
/// anything else says nothing of the others: each stands for itself.
fn has_contest_line(head: &[u8]) -> bool {
    head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| line.starts_with(b"{")).any(|line| {
        let object = top_level(line);
        let has = |key: &[u8]| object.keys.contains(&key);
        let is_whole_line = object.end == line.len();
        let rest_can_say_more = !object.closed;
        is_whole_line && (has(b"contest_id") || has(b"plies") && (has(b"game") || rest_can_say_more))
    })
}

/// gzip, zlib or SMILE behind the first line.
fn bgblitz_body(body: &[u8]) -> bool {
    body.starts_with(b"\x1F\x8B") || body.starts_with(b":)\n") || matches!(body, [0x78, 0x01 | 0x5E | 0x9C | 0xDA, ..])
}

/// The first JSON object of a window.
struct TopLevel<'a> {
    keys: Vec<&'a [u8]>,
    /// Where it ends; the end of the window when it does not.
    end: usize,
    closed: bool,
}

/// Most keys that are told apart: every format we know has fewer at its top.
const MOST_KEYS: usize = 64;

fn top_level(head: &[u8]) -> TopLevel<'_> {
    let mut keys = Vec::new();
    let mut depth = 0u32;
    let mut at = 0;
    while at < head.len() {
        match head[at] {
            b'"' => {
                let length = string_length(&head[at + 1..]);
                let text = &head[at + 1..at + 1 + length];
                at += length + 1;
                let is_key = head.get(at + 1..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"));
                if depth == 1 && is_key && keys.len() < MOST_KEYS {
                    keys.push(text);
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return TopLevel { keys, end: at + 1, closed: true };
                }
            }
            _ => {}
        }
        at += 1;
    }
    TopLevel { keys, end: head.len(), closed: false }
}

/// Bytes before the closing quotation mark, or all.
fn string_length(rest: &[u8]) -> usize {
    let mut escaped = false;
    for (i, &byte) in rest.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return i,
            _ => {}
        }
    }
    rest.len()
}

/// Formats told by their lines.
fn text(head: &[u8]) -> Recognised {
    let lines = || head.split(|&byte| byte == b'\n' || byte == b'\r');
    let first = lines().next().unwrap_or_default().trim_ascii();
    let mut board_seen = false;
    for line in lines() {
        if !board_seen && line.trim_ascii_start().starts_with(b"XGID=") {
            return Recognised::Unread(Unread::XgPosition);
        }
        board_seen |= contains(line, b"+13-14-15-16-17-18");
        if board_seen && contains(line, b"Position-ID:") {
            return Recognised::Unread(Unread::BgBlitzPosition);
        }
    }
    if lines().any(|line| line.starts_with(b"; [") || is_length_line(line)) {
        return Recognised::Match(Format::Mat);
    }
    if draughts(head) {
        return Recognised::Side(Side::Draughts);
    }
    if snowie(first) {
        return Recognised::Unread(Unread::Snowie);
    }
    if opponents(first) {
        return Recognised::Unread(Unread::GamesGrid);
    }
    if lines().any(|line| starts_with(line.trim_ascii_start(), b"boardid=")) && contains(head, b"creator=") {
        return Recognised::Unread(Unread::PartyGammon);
    }
    if lines().any(fibs) {
        return Recognised::Unread(Unread::Fibs);
    }
    csv(first).map_or(Recognised::Foreign, Recognised::Side)
}

/// Tags in brackets, each at the beginning of a line, and moves from square to square by number: chess, which has the
/// same tags, names its squares by letters. Anything may be written above the first tag.
fn draughts(head: &[u8]) -> bool {
    let tagged = |tag: &[u8]| {
        head.split(|&byte| byte == b'\n' || byte == b'\r').any(|line| line.trim_ascii_start().starts_with(tag))
    };
    tagged(b"[Black \"") && tagged(b"[White \"") && head.split(u8::is_ascii_whitespace).any(step)
}

/// `11-15`, `22x18`, also behind the number of the move: `1.11-15`.
fn step(word: &[u8]) -> bool {
    /// Squares of the largest board that PDN is written for.
    const SQUARES: u8 = 72;
    let word = word.iter().rposition(|&byte| byte == b'.').map_or(word, |dot| &word[dot + 1..]);
    let square = |digits: &[u8]| {
        let number: Option<u8> = std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok());
        number.is_some_and(|number| (1..=SQUARES).contains(&number))
    };
    let mut squares = word.split(|byte| matches!(byte, b'-' | b'x'));
    let [from, to] = [squares.next(), squares.next()];
    from.is_some_and(square) && to.is_some_and(square) && word != b"1-1" && word != b"2-0"
}

/// `<n>;<n>;` and 39 semicolons.
fn snowie(line: &[u8]) -> bool {
    let mut fields = line.split(|&byte| byte == b';');
    let mut digits = || fields.next().is_some_and(|field| !field.is_empty() && field.iter().all(u8::is_ascii_digit));
    digits() && digits() && line.iter().filter(|&&byte| byte == b';').count() == 39
}

/// `<word> vs. <word>`.
fn opponents(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(4).collect();
    matches!(words[..], [_, b"vs.", _])
}

/// `Score is 1-0 in a 5 point`.
fn fibs(line: &[u8]) -> bool {
    starts_with(line, b"score is ") && contains(line, b" in a ") && contains(line, b" point")
}

/// What the header, or the first object, of something foreign lacks to be a study log; `None` where it is not like one. The
/// column `position` beside any other is, and so are two of a log's own.
#[must_use]
pub fn lacks_of_study_log(bytes: &[u8]) -> Option<&'static str> {
    const COLUMNS: [&str; 9] = ["date", "position", "match", "game", "move", "action", "result", "minutes", "note"];
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let head = &bytes[..bytes.len().min(WINDOW)];
    let names = if head.starts_with(b"{") {
        top_level(head).keys.iter().map(|key| String::from_utf8_lossy(key).to_ascii_lowercase()).collect()
    } else {
        header(head.split(|&byte| byte == b'\n' || byte == b'\r').next().unwrap_or_default().trim_ascii())
    };
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    let is_subject = has("position") || has("match");
    match (COLUMNS.into_iter().filter(|column| has(column)).count(), has("date"), is_subject) {
        (0 | 1, ..) if !(has("position") && names.len() > 1) => None,
        (_, false, true) => Some("the column `date`"),
        (_, true, false) => Some("the column `position` or `match`"),
        (_, false, false) => Some("the columns `date` and `position` or `match`"),
        (_, true, true) => None,
    }
}

/// The names of the columns in a first line.
fn header(line: &[u8]) -> Vec<String> {
    line.split(|byte| matches!(byte, b',' | b';' | b'\t'))
        .map(|name| String::from_utf8_lossy(name).trim().trim_matches('"').to_ascii_lowercase())
        .collect()
}

/// A header of one of our side files.
fn csv(line: &[u8]) -> Option<Side> {
    let names = header(line);
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    if names.len() >= 2 && has("date") && (has("position") || has("match")) {
        return Some(Side::StudyLog);
    }
    (has("player") && has("place")).then_some(Side::Places)
}

fn starts_with(bytes: &[u8], word: &[u8]) -> bool {
    bytes.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_table_is_told_by_its_content() {
        use Recognised::{Foreign, Match, Side, Unread, Zip};
        let snowie = [b"7;0;".as_slice(), &[b';'; 37]].concat();
        let tar = [[b'a'; 257].as_slice(), b"ustar\0"].concat();
        let cases: Vec<(&[u8], Recognised)> = vec![
            (b"RGMH\x01\0\0\0", Match(Format::Xg)),
            (b"\xEF\xBB\xBF; [Site \"x\"]\r\n", Match(Format::Mat)),
            (b"\n\n 7 POINT match\n", Match(Format::Mat)),
            (b" (\n; FF[4] GM[6]AP[x]", Match(Format::Sgf)),
            (b"(;GM[1]FF[4]", Unread(super::Unread::OtherSgf)),
            (b"(;FF[4]", Foreign),
            (b"{\"format\":\"BGF\",\"version\":\"1\"}\n\x1F\x8B", Unread(super::Unread::BgBlitz)),
            (b"{\"compression\":\"gzip\"}\r\n\x78\x9C", Unread(super::Unread::BgBlitz)),
            (b"{\"version\":\"1\"}\n:)\n\x01", Unread(super::Unread::BgBlitz)),
            (b"{\"useSmile\":false}\n{\"matchlen\":7}", Unread(super::Unread::BgBlitz)),
            (b"BGF Version 2\n", Unread(super::Unread::BgRoom)),
            (b"OGXM\x02", Unread(super::Unread::Ogxm)),
            (b"{\"games\": [{\"plies\": [", Unread(super::Unread::OgxmJson)),
            (b"PK\x03\x04....................collection.anki21", Unread(super::Unread::Anki)),
            (b"PK\x03\x04..........................a.mat", Zip),
            (b"PK\x03\x04..........................[Content_Types].xml", Foreign),
            (b"SQLite format 3\0", Unread(super::Unread::Sqlite)),
            (b"XGID=-b----E\n +13-14-15-16-17-18\n", Unread(super::Unread::XgPosition)),
            (b"x\n +13-14-15-16-17-18---\n Position-ID: abc XGID=\n", Unread(super::Unread::BgBlitzPosition)),
            (&snowie, Unread(super::Unread::Snowie)),
            (b"bgammon-replay 1 2", Unread(super::Unread::Bgammon)),
            (b"one vs. other\n", Unread(super::Unread::GamesGrid)),
            (b"boardid=1\ncreator=x\n", Unread(super::Unread::PartyGammon)),
            (b"\x7D\0abc", Unread(super::Unread::JellyfishPosition)),
            (b"Score is 1-0 in a 5 point match.\n", Unread(super::Unread::Fibs)),
            (&tar, Unread(super::Unread::Archive)),
            (b"{\"contest_id\":\"a\",\"game\":\"draughts\",\"plies\":[]}\n", Side(super::Side::Contests)),
            (
                b"[Event \"x\"]\n[Black \"A\"]\n[White \"B\"]\n\n1. 11-15 22-18 2. 15x22 1-0\n",
                Side(super::Side::Draughts),
            ),
            (b"[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 1/2-1/2\n", Foreign),
            (b"{\"date\":\"2026-01-05\",\"position\":\"XGID=\"}\n", Side(super::Side::StudyLog)),
            (b"\xEF\xBB\xBFdate;position;action\r\n", Side(super::Side::StudyLog)),
            (b"player,place\nA,1\n", Side(super::Side::Places)),
            (b"Place;Player;club\n1;A;\n", Side(super::Side::Places)),
            (b"\xFF\xD8\xFF\xE0", Foreign),
            (b"%PDF-1.7\n7 point match", Foreign),
            (b"<html>7 point match</html>", Foreign),
            (b"{\"a\":{\"date\":1,\"match\":2}}", Foreign),
            (b"{\"a\":\"\\\"", Foreign),
            (b"", Foreign),
        ];
        for (bytes, expected) in cases {
            assert_eq!(recognise(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn contests_are_told_by_any_of_the_first_lines() {
        const CONTEST: &str = "{\"contest_id\":\"a\",\"game\":\"rings\",\"plies\":[]}\n";
        const STUDY: &str = "{\"date\":\"2026-01-05\",\"match\":\"x\"}\n";
        let is = |text: &str| recognise(text.as_bytes());
        let contests = Recognised::Side(Side::Contests);
        let openings = ["\n", "\r\n \n", "\u{feff}\n", "not json\n", "{\"contest_id\":\"b\"}\n", "{\"a\":1}\n", "[]\n"];
        for above in openings.iter().chain(&["{\"contest_id\":\"b\",\"plies\":[\n", "{\"broken\n", "Ada vs. Ben\n"]) {
            assert_eq!(is(&format!("{above}{CONTEST}")), contests, "{above:?}");
        }
        // What decides begins behind the window; a line like that is no study log, whatever its date.
        let long = "x".repeat(WINDOW);
        let line = |date: &str| {
            format!("{{\"contest_id\":\"a\"{date},\"event\":\"{long}\",\"game\":\"rings\",\"plies\":[]}}\n")
        };
        assert_eq!([is(&line("")), is(&line(",\"date\":\"2026-01-05\""))], [contests, contests]);
        assert_eq!(is(&format!("{{\"plies\":[{{\"by\":1,\"key\":\"{long}\"}}],\"game\":\"rings\"}}\n")), contests);
        // Logs stay logs, and a document that holds such an object is no file of lines.
        let study = Recognised::Side(Side::StudyLog);
        assert_eq!([is(STUDY), is(&format!("{STUDY}{CONTEST}"))], [study, study]);
        for foreign in ["[\n{\"game\":1,\"plies\":2},\n{}]", "{\"all\":{\"contest_id\":1}}\n", "\n\n{\"a\":1}\n"] {
            assert_eq!(is(foreign), Recognised::Foreign, "{foreign}");
        }
    }

    #[test]
    fn what_is_like_a_study_log_says_what_it_lacks() {
        for (text, lacks) in [
            ("day,position,action\n", Some("the column `date`")),
            ("\u{feff}Day;Position\r\n", Some("the column `date`")),
            ("date,action,result\n", Some("the column `position` or `match`")),
            ("when,action,result\n", Some("the columns `date` and `position` or `match`")),
            ("{\"day\":\"2026-01-05\",\"position\":\"XGID=\"}\n", Some("the column `date`")),
            ("date,position\n", None),
            ("match,score\n", None),
            ("position\n", None),
            ("A letter, without a date\n", None),
            ("", None),
        ] {
            assert_eq!(lacks_of_study_log(text.as_bytes()), lacks, "{text}");
        }
    }

    #[test]
    fn anything_may_stand_above_the_tags_of_draughts() {
        const GAME: &str = "[Event \"x\"]\n[Black \"A\"]\n[White \"B\"]\n\n1. 11-15 22-18 1-0\n";
        for above in ["\u{feff}", "Games of the club\n\n", "% made up\n", "Ada vs. Ben\n", "{a comment}\n", "(all)\r\n"]
        {
            let file = format!("{above}{GAME}");
            assert_eq!(recognise(file.as_bytes()), Recognised::Side(Side::Draughts), "{above:?}");
        }
        let chess = "Games\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 1/2-1/2\n";
        let spoken = "He wrote [White \"A\"] and [Black \"B\"] and 11-15\n";
        assert_eq!([chess, spoken].map(|text| recognise(text.as_bytes())), [Recognised::Foreign; 2]);
    }

    #[test]
    fn names_promise_by_their_last_extension() {
        assert!(known_extension(b"a/b.d/x.XG") && known_extension(b"x.mat") && known_extension(b"x.bgf"));
        assert!(!known_extension(b"a.sgf/x") && !known_extension(b"x.stats.txt") && !known_extension(b"xg"));
    }
}
