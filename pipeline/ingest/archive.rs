//! Archives read in place: one member after another is inflated, handed over and dropped.
//!
//! What is owned here is the caution. An archive may hold at most [`MOST_ENTRIES`] entries; a member may grow to
//! [`LARGEST`] bytes and to 64 times its packed size (the bound of `nightly.md`; real files inflate 12 to 14 times).
//! Members whose names would lead out of a folder, links and archives within archives are refused, one by one: a bad
//! member does not spoil the others. Nothing is written anywhere, no name is ever used as a path.

use super::recognise::{Recognised, Unread, recognise};
use super::record::Rejected;
use std::fmt::Write as _;
use std::io::{Cursor, Read, Seek};
use zip::ZipArchive;
use zip::result::ZipError;

/// Entries of an archive, folders included.
pub const MOST_ENTRIES: usize = 10_000;
/// Bytes of an archive: it is read whole once, so memory bounds it.
pub const LARGEST_ARCHIVE: u64 = 128 << 20;
/// Bytes of a member, inflated.
pub const LARGEST: u64 = 64 << 20;
/// A member may inflate to this many times its packed size ...
const RATIO: u64 = 64;
/// ... and this much more, so that tiny files of long runs pass.
const GRACE: u64 = 1 << 20;
/// First bytes of an entry of the central directory.
const ENTRY: &[u8; 4] = b"PK\x01\x02";

/// One file of an archive.
#[derive(Debug)]
pub struct Member {
    /// Its name in the archive, [`escaped`].
    pub name: String,
    /// Its name as stored.
    pub raw_name: Vec<u8>,
    /// Its place in the archive's directory, for [`member`].
    pub index: usize,
    /// Its content, or why there is none.
    pub content: Result<Vec<u8>, Rejected>,
}

/// Hands the members of a `.zip` over, one at a time, in the byte order of their names; folders are passed over.
///
/// # Errors
/// [`Rejected`] for the archive as a whole: `zip` when its directory cannot be read, `entries` when it holds too many.
pub fn members(bytes: &[u8], each: &mut dyn FnMut(Member)) -> Result<(), Rejected> {
    // Counted before the directory is parsed, because parsing allocates for every entry. Entries of stored archives
    // within count as well, which errs on the safe side.
    let entries = bytes.windows(ENTRY.len()).filter(|window| window == ENTRY).count();
    if entries > MOST_ENTRIES {
        return Err(Rejected::damaged("entries", 0, format!("an archive of more than {MOST_ENTRIES} entries")));
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|fault| Rejected::damaged("zip", 0, format!("an archive that cannot be read: {fault}")))?;
    let mut order: Vec<(Vec<u8>, usize)> = archive.file_names_raw().map(<[u8]>::to_vec).zip(0..).collect();
    order.sort();
    for (raw_name, index) in order {
        if raw_name.ends_with(b"/") || raw_name.ends_with(b"\\") {
            continue;
        }
        let content = content_of(&mut archive, index, &raw_name);
        each(Member { name: escaped(&raw_name), raw_name, index, content });
    }
    Ok(())
}

/// One member again, by its place in the archive's directory, without reading the others.
///
/// # Errors
/// [`Rejected`] as for [`Member::content`].
pub fn member(archive: impl Read + Seek, index: usize) -> Result<Vec<u8>, Rejected> {
    let mut archive = ZipArchive::new(archive).map_err(|fault| refused(&fault))?;
    let name = archive.by_index_raw(index).map_err(|fault| refused(&fault))?.name_raw().to_vec();
    content_of(&mut archive, index, &name)
}

/// A name as it is stored and shown: bytes that are not UTF-8 as `\xHH`, control characters as `\u{h}`.
#[must_use]
pub fn escaped(name: &[u8]) -> String {
    let mut out = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() {
                _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            } else {
                out.push(character);
            }
        }
        for byte in chunk.invalid() {
            _ = write!(out, "\\x{byte:02X}");
        }
    }
    out
}

fn content_of(archive: &mut ZipArchive<impl Read + Seek>, index: usize, name: &[u8]) -> Result<Vec<u8>, Rejected> {
    if leads_out(name) {
        return Err(Rejected::damaged("path", 0, "a member whose name leads out of the archive"));
    }
    let file = archive.by_index(index).map_err(|fault| refused(&fault))?;
    if file.is_symlink() {
        return Err(Rejected::damaged("link", 0, "a link in an archive"));
    }
    let most = LARGEST.min(file.compressed_size().saturating_mul(RATIO).saturating_add(GRACE));
    let too_large = || Rejected::damaged("inflated", most, "a member that inflates beyond what real files do");
    if file.size() > most {
        return Err(too_large());
    }
    let mut content = Vec::with_capacity(usize::try_from(file.size()).unwrap_or(0));
    let read = file.take(most + 1).read_to_end(&mut content);
    let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
    if length > most {
        return Err(too_large());
    }
    read.map_err(|fault| Rejected::damaged("deflate", length, format!("a member that cannot be inflated: {fault}")))?;
    match recognise(&content) {
        Recognised::Zip | Recognised::Unread(Unread::Archive) => {
            Err(Rejected::unsupported("nested_archive", "an archive within an archive: unpack it"))
        }
        _ => Ok(content),
    }
}

fn refused(fault: &ZipError) -> Rejected {
    let encrypted = matches!(fault, ZipError::UnsupportedArchive(words) if *words == ZipError::PASSWORD_REQUIRED);
    match fault {
        _ if encrypted => Rejected::unsupported("encrypted", "a member that needs a password"),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            Rejected::unsupported("compression", format!("a member that is packed in an unusual way: {fault}"))
        }
        _ => Rejected::damaged("zip", 0, format!("a member that cannot be read: {fault}")),
    }
}

/// Absolute, with a drive, with `..`, or with a zero byte: as a file name it would reach outside.
fn leads_out(name: &[u8]) -> bool {
    let separator = |&byte: &u8| byte == b'/' || byte == b'\\';
    let drive = matches!(name, [letter, b':', ..] if letter.is_ascii_alphabetic());
    name.first().is_none_or(separator) || drive || name.contains(&0) || name.split(separator).any(|part| part == b"..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    type Checked = Result<(), Box<dyn std::error::Error>>;

    fn packed(files: &[(&str, &[u8])]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            writer.start_file(name.to_string(), SimpleFileOptions::default())?;
            writer.write_all(content)?;
        }
        Ok(writer.finish()?.into_inner())
    }

    type End = Result<usize, String>;

    /// Name and size, or name and reason, in the order given over.
    fn told(bytes: &[u8]) -> Result<Vec<(String, End)>, Rejected> {
        let mut told = Vec::new();
        members(bytes, &mut |member| {
            told.push((member.name, member.content.map(|content| content.len()).map_err(|rejected| rejected.code)));
        })?;
        Ok(told)
    }

    fn reason(code: &str) -> End {
        Err(code.to_owned())
    }

    #[test]
    fn members_come_sorted_and_a_bad_one_spoils_no_other() -> Checked {
        let inner = packed(&[("x", b"y")])?;
        let bytes = packed(&[
            ("b/late.mat", b"late"),
            ("../out.mat", b"x"),
            ("a.mat", b"first"),
            ("/etc/x.mat", b"x"),
            ("C:\\x.mat", b"x"),
            ("n.zip", &inner),
            ("c/..\\d.mat", b"x"),
        ])?;
        let expected = [
            ("../out.mat", reason("path")),
            ("/etc/x.mat", reason("path")),
            ("C:\\x.mat", reason("path")),
            ("a.mat", Ok(5)),
            ("b/late.mat", Ok(4)),
            ("c/..\\d.mat", reason("path")),
            ("n.zip", reason("nested_archive")),
        ];
        assert_eq!(told(&bytes)?, expected.map(|(name, end)| (name.to_owned(), end)));
        Ok(())
    }

    #[test]
    fn links_and_folders_are_no_members() -> Checked {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_directory("season/", SimpleFileOptions::default())?;
        writer.add_symlink("season/a.mat", "/etc/passwd", SimpleFileOptions::default())?;
        let bytes = writer.finish()?.into_inner();
        assert_eq!(told(&bytes)?, [("season/a.mat".to_owned(), reason("link"))]);
        Ok(())
    }

    #[test]
    fn a_bomb_does_not_go_off() -> Checked {
        const BOMB: usize = 0x0212_3456;
        let bomb = packed(&[("bomb.mat", &vec![b' '; BOMB]), ("small.mat", &vec![b' '; 900_000])])?;
        assert!(bomb.len() < 100_000, "{} bytes", bomb.len());
        assert_eq!(told(&bomb)?, [("bomb.mat".to_owned(), reason("inflated")), ("small.mat".to_owned(), Ok(900_000))]);
        let mut liar = bomb.clone();
        let size = u32::try_from(BOMB)?.to_le_bytes();
        while let Some(at) = liar.windows(4).position(|window| window == size) {
            liar[at..at + 4].copy_from_slice(&7u32.to_le_bytes());
        }
        let told = told(&liar)?;
        assert!(matches!(&told[0].1, Err(code) if code == "inflated" || code == "deflate"), "{told:?}");
        Ok(())
    }

    #[test]
    fn too_many_entries_are_refused_before_they_are_parsed() -> Checked {
        let entry = [ENTRY.as_slice(), &[0; 42]].concat();
        let bytes = [b"PK\x03\x04".to_vec(), entry.repeat(MOST_ENTRIES + 1)].concat();
        assert_eq!(told(&bytes).map_err(|rejected| rejected.code), Err("entries".to_owned()));
        Ok(())
    }

    #[test]
    fn damage_is_told_and_never_a_panic() -> Checked {
        let whole = packed(&[("a.mat", &b"7 point match ".repeat(40)), ("b.mat", b"another, shorter one")])?;
        assert_eq!(told(&whole[..40]).map_err(|rejected| rejected.code), Err("zip".to_owned()));
        let mut refused = 0;
        for at in 0..whole.len() {
            for flip in [0x01, 0x80, 0xFF] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                let ends = told(&bytes).unwrap_or_default();
                refused += usize::from(ends.iter().any(|(_, end)| end.is_err()));
                for (_, size) in ends {
                    assert!(size.is_err() || size == Ok(560) || size == Ok(20), "byte {at} ^ {flip}: {size:?}");
                }
            }
        }
        assert!(refused > 50, "only {refused} refused");
        Ok(())
    }

    #[test]
    fn names_are_shown_escaped() {
        assert_eq!(escaped("h\u{e9}/a.mat".as_bytes()), "h\u{e9}/a.mat");
        assert_eq!(escaped(b"h\xE9/a.mat"), "h\\xE9/a.mat");
        assert_eq!(escaped(b"a\0\n.mat"), "a\\u{0}\\u{a}.mat");
    }
}
