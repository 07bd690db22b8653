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

/// A name as it is stored and shown: bytes that are not UTF-8 as `\xHH`.
#[must_use]
pub fn escaped(name: &[u8]) -> String {
    let mut out = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        out.push_str(chunk.valid());
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
