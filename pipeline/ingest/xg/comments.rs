//! The comments of `temp.xgc`, as plain text.
//!
//! The member is a list of lines that records point into by number, so empty lines count. A line is an RTF document or
//! plain text. RTF is read for its text alone, in one pass and with a stack of its own: an unknown control word vanishes,
//! and nothing that a comment says is ever markup for anybody else.
//!
//! A line is handed out once. XG points at each line from one place; a damaged file that points at one long line from
//! every record would otherwise grow without measure.

use super::codepage::{CodePage, WESTERN};

/// Joins the lines of one comment inside the member's lines.
const JOINT: [u8; 2] = [1, 2];
/// More lines than the records of any match can point at; without a limit, empty lines would cost more than they hold.
const MOST_LINES: usize = 65_536;
const RTF: &[u8] = b"{\\rtf";
/// Groups deeper than this are read as if they were this deep; XG's own go to 3.
const DEEPEST: usize = 64;

/// The lines not yet handed out.
pub(super) struct Comments<'a>(Vec<Option<&'a [u8]>>);

impl<'a> Comments<'a> {
    /// Splits the member at CR LF; what stands after the last one is a line only when it is not empty.
    pub(super) fn new(member: &'a [u8]) -> Self {
        let mut lines = Vec::new();
        let mut rest = member;
        while !rest.is_empty() && lines.len() < MOST_LINES {
            let end = rest.windows(2).position(|pair| pair == b"\r\n").unwrap_or(rest.len());
            lines.push(Some(&rest[..end]));
            rest = rest.get(end + 2..).unwrap_or_default();
        }
        Self(lines)
    }

    /// The text of line `index`; `None` when there is no such line, it says nothing, or it was taken before.
    pub(super) fn take(&mut self, index: i32) -> Option<String> {
        let line = self.0.get_mut(usize::try_from(index).ok()?)?.take()?;
        let text = if line.starts_with(RTF) { rtf(line) } else { plain(line) };
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

fn plain(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((&byte, tail)) = rest.split_first() {
        if let Some(tail) = rest.strip_prefix(&JOINT) {
            text.push('\n');
            rest = tail;
            continue;
        }
        text.push(WESTERN.char(byte));
        rest = tail;
    }
    text
}

/// What holds inside a group.
#[derive(Clone, Copy)]
struct Group {
    /// A group that is no text: fonts, colours, pictures.
    hidden: bool,
    /// How many characters stand in for a `\u` where it is not understood.
    fallback: usize,
}

/// A document being read.
struct Reader<'a> {
    rest: &'a [u8],
    page: CodePage,
    group: Group,
    outer: Vec<Group>,
    /// Fallback characters still to be passed over.
    skip: usize,
    /// First half of a surrogate pair.
    high: Option<u16>,
    text: String,
}

fn rtf(document: &[u8]) -> String {
    let mut reader = Reader {
        rest: document,
        page: WESTERN,
        group: Group { hidden: false, fallback: 1 },
        outer: Vec::new(),
        skip: 0,
        high: None,
        text: String::new(),
    };
    while let Some((&byte, rest)) = reader.rest.split_first() {
        reader.rest = rest;
        match byte {
            b'{' => reader.open(),
            b'}' => reader.close(),
            b'\\' => reader.control(),
            // Line ends of the document itself, also in the form the list of comments gives them.
            b'\r' | b'\n' | 1 | 2 => {}
            _ => reader.character(reader.page.char(byte)),
        }
    }
    reader.text
}

impl Reader<'_> {
    fn open(&mut self) {
        self.skip = 0;
        if self.outer.len() < DEEPEST {
            self.outer.push(self.group);
        }
    }

    fn close(&mut self) {
        self.skip = 0;
        if let Some(group) = self.outer.pop() {
            self.group = group;
        }
    }

    /// One character of text, unless it only stands in for a `\u`.
    fn character(&mut self, character: char) {
        if self.skip > 0 {
            self.skip -= 1;
        } else {
            self.push(character);
        }
    }

    fn push(&mut self, character: char) {
        self.high = None;
        if !self.group.hidden {
            self.text.push(character);
        }
    }

    /// What follows a backslash.
    fn control(&mut self) {
        let Some((&first, rest)) = self.rest.split_first() else { return };
        if first.is_ascii_alphabetic() {
            return self.word();
        }
        self.rest = rest;
        match first {
            b'\\' | b'{' | b'}' => self.character(char::from(first)),
            b'~' => self.character(' '),
            b'_' => self.character('-'),
            b'*' => self.group.hidden = true,
            b'\'' => self.hexadecimal(),
            b'\r' | b'\n' | 1 => self.character('\n'),
            _ => {}
        }
    }

    /// `\'hh`: one byte of the document's code page.
    fn hexadecimal(&mut self) {
        let digits = self.rest.first_chunk::<2>().and_then(|pair| std::str::from_utf8(pair).ok());
        let Some(byte) = digits.and_then(|pair| u8::from_str_radix(pair, 16).ok()) else { return };
        self.rest = &self.rest[2..];
        self.character(self.page.char(byte));
    }

    /// Letters, perhaps a number, perhaps one space that belongs to them.
    fn word(&mut self) {
        let letters = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, rest) = self.rest.split_at(letters);
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = if digits == 0 { (&rest[..0], rest) } else { rest.split_at(sign + digits) };
        self.rest = rest.strip_prefix(b" ").unwrap_or(rest);
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse::<i32>().ok());
        self.obey(word, number);
    }

    fn obey(&mut self, word: &[u8], number: Option<i32>) {
        match word {
            b"fonttbl" | b"colortbl" | b"stylesheet" | b"info" | b"pict" => self.group.hidden = true,
            b"ansicpg" => self.page = number.map_or(WESTERN, CodePage::numbered),
            b"uc" => self.group.fallback = number.and_then(|number| usize::try_from(number).ok()).unwrap_or(1),
            b"u" => self.unit(number.unwrap_or(0)),
            b"bin" => self.pass_over(number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0)),
            b"par" | b"line" => self.character('\n'),
            b"tab" => self.character('\t'),
            b"lquote" => self.character('‘'),
            b"rquote" => self.character('’'),
            b"ldblquote" => self.character('“'),
            b"rdblquote" => self.character('”'),
            b"endash" => self.character('–'),
            b"emdash" => self.character('—'),
            b"bullet" => self.character('•'),
            _ => {}
        }
    }

    /// One UTF-16 unit, and the fallback that follows it.
    fn unit(&mut self, number: i32) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        let [low, high, ..] = number.to_le_bytes();
        let unit = u16::from_le_bytes([low, high]);
        match (self.high.take(), unit) {
            (_, 0xD800..=0xDBFF) => self.high = Some(unit),
            (Some(high), 0xDC00..=0xDFFF) => self.units([high, unit]),
            _ => self.units([unit]),
        }
        self.skip = self.group.fallback;
    }

    fn units<const N: usize>(&mut self, units: [u16; N]) {
        for character in char::decode_utf16(units) {
            self.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
    }

    /// `\bin`: bytes that are no text whatever they look like.
    fn pass_over(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_keep_the_numbers_of_those_after_them() {
        let mut comments = Comments::new(b"first\r\n\r\nthird\x01\x02line two \xE9\r\n");
        assert_eq!(comments.take(0).as_deref(), Some("first"));
        assert_eq!(comments.take(1), None);
        assert_eq!(comments.take(2).as_deref(), Some("third\nline two é"));
        assert_eq!(comments.take(3), None);
        assert_eq!(comments.take(-1), None);
        assert_eq!(comments.take(0), None, "a line is handed out once");
        assert_eq!(Comments::new(b"no end").take(0).as_deref(), Some("no end"));
    }

    #[test]
    fn rtf_is_read_for_its_text_alone() {
        let cases: [(&[u8], &str); 12] = [
            (b"{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\colortbl;}{\\*\\generator X;}\\fs20 word\\par}", "word"),
            (b"{\\rtf1 caf\\'e9 \\{a\\\\b\\}\\tab c\\line d}", "café {a\\b}\tc\nd"),
            (b"{\\rtf1\\uc1 \\u945?\\u-3984 ?x}", "α\u{f070}x"),
            (b"{\\rtf1\\uc2\\u8364\\'80\\'80x}", "€x"),
            (b"{\\rtf1\\uc0\\u-10179\\u-8704 x}", "😀x"),
            (b"{\\rtf1\\ansicpg1251 \\'cf\\'f0}", "Пр"),
            (b"{\\rtf1 one  two\\b  bold\\b0 .}", "one  two bold."),
            (b"{\\rtf1 a\x01\x02b\r\nc}", "abc"),
            (b"{\\rtf1 <script>alert(1)</script>}", "<script>alert(1)</script>"),
            (b"{\\rtf1{\\pict 0101ff}{\\info{\\author Me}}x}", "x"),
            (b"{\\rtf1 {\\uc0{\\u233}}\\u233?}", "éé"),
            (b"{\\rtf1 it\\rquote s}", "it’s"),
        ];
        for (document, text) in cases {
            assert_eq!(rtf(document).trim(), text, "{}", String::from_utf8_lossy(document));
        }
    }

    #[test]
    fn broken_rtf_ends_without_harm() {
        for document in [
            &b"{\\rtf1 \\"[..],
            b"{\\rtf1 \\'",
            b"{\\rtf1 \\'zz",
            b"{\\rtf1 \\u99999999999999 x",
            b"{\\rtf1 \\bin2147483647 x",
            b"{\\rtf1 \\uc-5\\u65 x}}}}}}}",
            b"{\\rtf1 \\-",
        ] {
            assert!(rtf(document).len() < 20);
        }
        let deep = b"{".repeat(100_000);
        assert_eq!(rtf(&deep), "");
    }
}
