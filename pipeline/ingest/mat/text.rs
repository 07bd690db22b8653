//! Bytes to lines and lines to text. Offsets are those of the file, so that a fault can name the byte.
//!
//! Nobody says which encoding a transcription is in: a piece that is UTF-8 is UTF-8, a piece cut inside a character
//! loses that character, anything else is Windows-1252 (which contains Latin-1). Rows are plain ASCII; only names and
//! header texts come this way.

/// UTF-8 byte-order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Of its first byte in the file.
    pub offset: usize,
    /// Without line end.
    pub bytes: &'a [u8],
    /// A line end follows; `false` only for the last line of a file that may have been cut.
    pub ended: bool,
}

/// The lines of a file, ended by LF, CRLF or a lone CR; a byte-order mark is passed over.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut at = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        let line = Line { offset: at, bytes: &rest[..length.unwrap_or(rest.len())], ended: length.is_some() };
        let end = length.map_or(0, |length| if rest[length..].starts_with(b"\r\n") { 2 } else { 1 });
        at += line.bytes.len() + end;
        Some(line)
    })
}

/// Text of a piece of the file, and whether it was UTF-8 as it stands.
pub(super) fn decode(bytes: &[u8]) -> (String, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), true),
        Err(fault) if fault.error_len().is_none() => {
            (String::from_utf8_lossy(&bytes[..fault.valid_up_to()]).into_owned(), false)
        }
        Err(_) => (bytes.iter().map(|&byte| windows_1252(byte)).collect(), false),
    }
}

/// One byte of Windows-1252; the five bytes it leaves open stand for themselves, as browsers read them.
fn windows_1252(byte: u8) -> char {
    const FROM_80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => FROM_80[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Blanks and tabs off both ends.
pub(super) fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii()
}

/// Whether `bytes` begins with `word`, whatever the case.
pub(super) fn starts_with(bytes: &[u8], word: &[u8]) -> bool {
    bytes.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// The decimal number at the beginning of `bytes`, and what follows it; `None` without a digit or beyond `u32`.
pub(super) fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = std::str::from_utf8(&bytes[..digits]).ok()?;
    Some((text.parse().ok()?, &bytes[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_ends_a_line() {
        let found: Vec<(usize, &[u8])> =
            lines(b"\xEF\xBB\xBFa\r\nb\n\rc").map(|line| (line.offset, line.bytes)).collect();
        assert_eq!(found, [(3, &b"a"[..]), (6, b"b"), (8, b""), (9, b"c")]);
    }

    #[test]
    fn names_are_read_in_the_encoding_they_are_in() {
        assert_eq!(decode("Émile".as_bytes()), ("Émile".to_owned(), true));
        assert_eq!(decode(b"\xC9mile \x80"), ("Émile €".to_owned(), false));
        assert_eq!(decode(b"Emil\xC3"), ("Emil".to_owned(), false));
    }
}
