//! The container of an `.xg` taken apart and put together again, nothing compressed and every checksum right: what is
//! changed within then reaches the reader of what was changed.

use super::xg_writer::HEADER;
use libdeflater::{Decompressor, crc32};

/// Size of the trailer, and of an entry of the registry.
pub const TRAILER: usize = 36;
pub const ENTRY: usize = 532;

/// A container with nothing compressed: quick to make again and again.
pub fn stored(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut registry = Vec::new();
    let mut blobs = Vec::new();
    for (name, content) in members {
        let mut entry = vec![0; ENTRY];
        entry[0] = u8::try_from(name.len()).unwrap();
        entry[1..=name.len()].copy_from_slice(name.as_bytes());
        let size = i32::try_from(content.len()).unwrap();
        entry[512..516].copy_from_slice(&size.to_le_bytes());
        entry[516..520].copy_from_slice(&size.to_le_bytes());
        entry[520..524].copy_from_slice(&i32::try_from(blobs.len()).unwrap().to_le_bytes());
        entry[524..528].copy_from_slice(&crc32(content).to_le_bytes());
        entry[528] = 1;
        registry.extend(entry);
        blobs.extend(content);
    }
    assemble(&blobs, &registry, (members.len(), false))
}

/// Header, blobs, registry, trailer, with a right checksum.
pub fn assemble(blobs: &[u8], registry: &[u8], (count, packed): (usize, bool)) -> Vec<u8> {
    let mut bytes = vec![0; HEADER];
    bytes[..4].copy_from_slice(b"RGMH");
    bytes[8..12].copy_from_slice(&u32::try_from(HEADER).unwrap().to_le_bytes());
    bytes.extend(blobs);
    bytes.extend(registry);
    let crc = crc32(&bytes[HEADER..]);
    bytes.extend(crc.to_le_bytes());
    for field in [count, 1, registry.len(), blobs.len()] {
        bytes.extend(i32::try_from(field).unwrap().to_le_bytes());
    }
    bytes.push(u8::from(packed));
    bytes.extend([0; 15]);
    bytes
}

/// The archive's checksum made right again after a change behind the header.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let trailer = bytes.len() - TRAILER;
    let crc = crc32(&bytes[HEADER..trailer]);
    bytes[trailer..trailer + 4].copy_from_slice(&crc.to_le_bytes());
    bytes
}

/// The members of a sound file by their names, inflated; `None` when it is not one of XG's usual shape.
pub fn members(bytes: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    let trailer = bytes.len().checked_sub(TRAILER)?;
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    let registry = trailer.checked_sub(word(trailer + 12)?)?;
    let blobs = registry.checked_sub(word(trailer + 16)?)?;
    let mut entries = vec![0; word(trailer + 4)? * ENTRY];
    Decompressor::new().zlib_decompress(&bytes[registry..trailer], &mut entries).ok()?;
    entries.chunks_exact(ENTRY).map(|entry| member(entry, &bytes[blobs..registry])).collect()
}

fn member(entry: &[u8], blobs: &[u8]) -> Option<(String, Vec<u8>)> {
    let word = |at: usize| u32::from_le_bytes(entry[at..at + 4].try_into().unwrap()) as usize;
    let name = String::from_utf8(entry[1..=usize::from(entry[0])].to_vec()).ok()?;
    let blob = blobs.get(word(520)..word(520) + word(516))?;
    if entry[528] == 1 {
        return Some((name, blob.to_vec()));
    }
    let mut content = vec![0; word(512)];
    Decompressor::new().zlib_decompress(blob, &mut content).ok()?;
    Some((name, content))
}
