//! Text values: escapes undone, bytes decoded.
//!
//! Files say `CA[UTF-8]` whatever they hold: names are cut at 31 bytes, possibly inside a character, and text of older
//! transcriptions is copied byte for byte. So UTF-8 is tried strictly, then without a cut character at the end, and
//! what is left is Windows-1252. Line ends become `\n`; otherwise text is kept as written.

/// The 32 characters in which Windows-1252 is not Latin-1; its five holes read as U+FFFD.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}', '\u{fffd}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

/// A decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// As people read it.
    pub(super) text: String,
    /// How the bytes were understood.
    pub(super) reading: Reading,
}

/// How bytes were understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// UTF-8, as the file says.
    Utf8,
    /// UTF-8 but for a character cut at the end.
    Cut,
    /// Windows-1252.
    Windows1252,
}

/// The text of a raw value.
pub(super) fn text(raw: &[u8]) -> Text {
    decode(unescape(raw))
}

/// Drops backslashes, keeps what they protect; a protected line end is a soft one and goes too.
fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(raw.len());
    let mut rest = raw;
    loop {
        rest = match rest {
            [] => return plain,
            [b'\\', b'\r', b'\n', rest @ ..] | [b'\\', b'\n' | b'\r', rest @ ..] => rest,
            [b'\\', byte, rest @ ..] => {
                plain.push(*byte);
                rest
            }
            [b'\\'] => &[],
            [b'\r', b'\n', rest @ ..] | [b'\r', rest @ ..] => {
                plain.push(b'\n');
                rest
            }
            [byte, rest @ ..] => {
                plain.push(*byte);
                rest
            }
        };
    }
}

fn decode(bytes: Vec<u8>) -> Text {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Text { text, reading: Reading::Utf8 },
        Err(fault) => fault,
    };
    let fault = bytes.utf8_error();
    let bytes = bytes.into_bytes();
    // No error length: the bytes end before the character does.
    let (whole, fragment) = bytes.split_at(fault.valid_up_to());
    if fault.error_len().is_none() && was_cut(whole, fragment) {
        return Text { text: String::from_utf8_lossy(whole).into_owned(), reading: Reading::Cut };
    }
    Text { text: bytes.iter().map(|&byte| windows_1252(byte)).collect(), reading: Reading::Windows1252 }
}

/// Whether `fragment` is a character cut by the limit of a name, or a Windows-1252 letter such as the `é` that ends
/// *Hervé*: in a short text that is ASCII otherwise, a single byte from `à` on is the letter.
fn was_cut(whole: &[u8], fragment: &[u8]) -> bool {
    /// Bytes of a name that the program keeps.
    const NAME: usize = 31;
    let letter = matches!(fragment, [0xe0..=0xff]) && whole.is_ascii() && whole.len() + fragment.len() < NAME;
    !letter
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_go_and_what_they_protect_stays() {
        assert_eq!(text(b"Brae [b\\]").text, "Brae [b]");
        assert_eq!(text(b"O\\\\slash: x").text, "O\\slash: x");
        assert_eq!(text(b"soft\\\nbreak\\\r\nand\r\nhard\rone\\").text, "softbreakand\nhard\none");
    }

    #[test]
    fn bytes_are_utf8_or_cut_utf8_or_windows_1252() {
        assert_eq!(text("Émberline – été".as_bytes()).reading, Reading::Utf8);
        assert_eq!(text(b"Emberlin\xc3"), Text { text: "Emberlin".to_owned(), reading: Reading::Cut });
        assert_eq!(text(b"Herv\xe9"), Text { text: "Hervé".to_owned(), reading: Reading::Windows1252 });
        assert_eq!(
            text(b"\xc9mberline \x96 x"),
            Text { text: "Émberline – x".to_owned(), reading: Reading::Windows1252 }
        );
    }
}
