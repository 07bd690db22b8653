//! The archive around a match: found from its end, checked, inflated.
//!
//! Everything here is said by the file about itself and believed only as far as it can be checked: offsets and sizes
//! against what is there, the compressed bytes against the archive's CRC, the inflated ones against their own. The index
//! member `temp.xgi` and members of unknown names are not even inflated: the archive's CRC has covered them.

use super::fields::Fields;
use crate::ingest::record::Rejected;
use libdeflater::{DecompressionError, Decompressor, crc32};
use std::ops::Range;

const MAGIC: &[u8] = b"RGMH";
const HEADER: usize = 8232;
const TRAILER: usize = 36;
const ENTRY: usize = 532;
/// XG writes two to four members; with very large rollouts a few more.
const MOST_MEMBERS: i32 = 16;
/// Real streams inflate 12 to 14 times; a member may reach 64 times its size and one MiB, and never 64 MiB.
const INFLATED_CAP: usize = 64 << 20;
const INFLATED_RATIO: usize = 64;
const INFLATED_FLOOR: usize = 1 << 20;

/// The members that are read, inflated; empty where the archive has none.
#[derive(Default)]
pub(super) struct Archive {
    /// `temp.xg`: the records.
    pub(super) records: Vec<u8>,
    /// `temp.xgr`: rollouts.
    pub(super) rollouts: Vec<u8>,
    /// `temp.xgc`: comments.
    pub(super) comments: Vec<u8>,
}

/// Where the parts of a file lie.
struct Layout {
    blobs: Range<usize>,
    registry: Range<usize>,
    members: usize,
    packed_registry: bool,
    crc: u32,
}

/// One line of the registry, its place already checked.
struct Member<'a> {
    name: &'a [u8],
    place: Range<usize>,
    inflated: usize,
    stored: bool,
    crc: u32,
    /// Where in the file its blob begins: what a rejection points at.
    offset: u64,
}

/// Opens a file.
pub(super) fn open(bytes: &[u8]) -> Result<Archive, Rejected> {
    let layout = layout(bytes)?;
    let mut inflater = Decompressor::new();
    if crc32(&bytes[layout.blobs.start..layout.registry.end]) != layout.crc {
        let at = first_damaged(bytes, &layout, &mut inflater);
        return Err(Rejected::damaged("crc", at, "the archive does not match its checksum"));
    }
    let registry = registry(bytes, &layout, &mut inflater)?;
    let mut archive = Archive::default();
    for entry in registry.chunks_exact(ENTRY).take(layout.members) {
        let member = member(Fields(entry), &layout)?;
        let slot = match member.name {
            b"temp.xg" => &mut archive.records,
            b"temp.xgr" => &mut archive.rollouts,
            b"temp.xgc" => &mut archive.comments,
            _ => continue,
        };
        // Of two members of one name the first counts; inflating many would be work without end.
        if !slot.is_empty() {
            continue;
        }
        *slot = unpack(bytes, &member, &mut inflater)?;
    }
    Ok(archive)
}

/// Header and trailer, and that they speak of the same archive.
fn layout(bytes: &[u8]) -> Result<Layout, Rejected> {
    let file = Fields(bytes);
    let size = bytes.len();
    if bytes.is_empty() {
        return Err(Rejected::damaged("empty", 0, "the file is empty"));
    }
    if !bytes.starts_with(MAGIC) && !MAGIC.starts_with(bytes) {
        return Err(Rejected::damaged("magic", 0, "not an XG file: it does not begin with RGMH"));
    }
    let Some(trailer) = size.checked_sub(TRAILER).filter(|&trailer| trailer >= HEADER) else {
        return Err(Rejected::damaged("truncated", offset(size), "the file ends within its header"));
    };
    let header = extent(file.u32(8)).filter(|header| (HEADER..=trailer).contains(header));
    let Some(header) = header else {
        return Err(Rejected::damaged("header", 8, "the header announces a size that is not possible"));
    };
    let start = extent(file.u32(20)).and_then(|thumbnail| header.checked_add(thumbnail));
    let Some(start) = start.filter(|&start| start <= trailer) else {
        return Err(Rejected::damaged("truncated", offset(size), "the file ends within its thumbnail"));
    };
    let end = Fields(&bytes[trailer..]);
    let [members, version, registry_size, archive_size] = [4, 8, 12, 16].map(|at| end.i32(at));
    let registry = length(registry_size).and_then(|size| trailer.checked_sub(size));
    let blobs = length(archive_size).and_then(|size| registry?.checked_sub(size));
    match (registry, blobs, length(members)) {
        (Some(registry), Some(blobs), Some(count))
            if version == 1 && members <= MOST_MEMBERS && blobs == start && registry < trailer =>
        {
            Ok(Layout {
                blobs: blobs..registry,
                registry: registry..trailer,
                members: count,
                packed_registry: end.flag(20),
                crc: end.u32(0),
            })
        }
        _ => Err(Rejected::damaged(
            "truncated",
            offset(trailer),
            "no archive trailer in the last 36 bytes: it is cut short, or bytes lie behind its end",
        )),
    }
}

/// The registry's entries, inflated.
fn registry(bytes: &[u8], layout: &Layout, inflater: &mut Decompressor) -> Result<Vec<u8>, Rejected> {
    let at = offset(layout.registry.start);
    let packed = &bytes[layout.registry.clone()];
    let mut entries = packed.to_vec();
    if layout.packed_registry {
        // Its inflated size is written nowhere; room for twice as many entries as are believed.
        entries = vec![0; 2 * ENTRY * usize::try_from(MOST_MEMBERS).unwrap_or(0)];
        let size = inflater
            .zlib_decompress(packed, &mut entries)
            .map_err(|_| Rejected::damaged("registry", at, "the list of members cannot be inflated"))?;
        entries.truncate(size);
    }
    if entries.len() / ENTRY < layout.members {
        return Err(Rejected::damaged("registry", at, "the list of members is shorter than announced"));
    }
    Ok(entries)
}

fn member<'a>(entry: Fields<'a>, layout: &Layout) -> Result<Member<'a>, Rejected> {
    let registry = offset(layout.registry.start);
    let beyond = || Rejected::damaged("member", registry, "a member lies outside the archive");
    let start = length(entry.i32(520)).and_then(|start| start.checked_add(layout.blobs.start)).ok_or_else(beyond)?;
    let end = length(entry.i32(516)).and_then(|size| start.checked_add(size)).ok_or_else(beyond)?;
    if end > layout.blobs.end {
        return Err(beyond());
    }
    let inflated = length(entry.i32(512))
        .filter(|&inflated| inflated <= cap(end - start))
        .ok_or_else(|| Rejected::damaged("inflate", registry, "a member announces an inflated size past the cap"))?;
    Ok(Member {
        name: entry.short_bytes(0, 255),
        place: start..end,
        inflated,
        stored: entry.u8(528) == 1,
        crc: entry.u32(524),
        offset: offset(start),
    })
}

/// A member's content; never larger than announced, and the announcement never larger than the cap.
fn unpack(bytes: &[u8], member: &Member<'_>, inflater: &mut Decompressor) -> Result<Vec<u8>, Rejected> {
    let damaged = |code: &str, what: &str| {
        let name = String::from_utf8_lossy(member.name);
        Rejected::damaged(code, member.offset, format!("member {name} {what}"))
    };
    let blob = &bytes[member.place.clone()];
    let content = if member.stored {
        blob.to_vec()
    } else {
        let mut content = vec![0; member.inflated];
        let size = inflater.zlib_decompress(blob, &mut content).map_err(|fault| match fault {
            DecompressionError::InsufficientSpace => damaged("inflate", "inflates to more than announced"),
            DecompressionError::BadData => damaged("inflate", "cannot be inflated to its end"),
        })?;
        content.truncate(size);
        content
    };
    if content.len() != member.inflated {
        return Err(damaged("inflate", "inflates to less than announced"));
    }
    if crc32(&content) != member.crc {
        return Err(damaged("crc", "does not match its checksum"));
    }
    Ok(content)
}

/// After a wrong archive CRC: the first blob that is damaged, else the trailer that holds the CRC.
fn first_damaged(bytes: &[u8], layout: &Layout, inflater: &mut Decompressor) -> u64 {
    let entries = match registry(bytes, layout, inflater) {
        Ok(entries) => entries,
        Err(rejected) => return rejected.offset,
    };
    let members = entries.chunks_exact(ENTRY).take(layout.members).map(|entry| member(Fields(entry), layout));
    let faults = members.filter_map(|member| match member {
        Ok(member) => unpack(bytes, &member, inflater).err(),
        Err(rejected) => Some(rejected),
    });
    faults.map(|rejected| rejected.offset).min().unwrap_or_else(|| offset(layout.registry.end))
}

/// The most a blob of this size may inflate to.
fn cap(packed: usize) -> usize {
    packed.saturating_mul(INFLATED_RATIO).saturating_add(INFLATED_FLOOR).min(INFLATED_CAP)
}

/// A size or a count that is not negative.
fn length(value: i32) -> Option<usize> {
    usize::try_from(value).ok()
}

fn extent(value: u32) -> Option<usize> {
    usize::try_from(value).ok()
}

fn offset(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(u64::MAX)
}
