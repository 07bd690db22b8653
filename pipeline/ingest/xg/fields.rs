//! Numbers and texts at fixed offsets, little-endian.
//!
//! Every read is total: past the end it yields zeros, so that no offset, however it came about, can stop the program.
//! Who reads has checked the length of a record before; the zeros are for the case that he has not.

use super::codepage;

/// A record, or any run of bytes with fields in it.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    /// `N` bytes.
    #[inline]
    pub(super) fn bytes<const N: usize>(self, at: usize) -> [u8; N] {
        self.0.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
    }

    #[inline]
    pub(super) fn u8(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// A Delphi Boolean: anything but zero is true.
    pub(super) fn flag(self, at: usize) -> bool {
        self.u8(at) != 0
    }

    #[inline]
    pub(super) fn i16(self, at: usize) -> i16 {
        i16::from_le_bytes(self.bytes(at))
    }

    #[inline]
    pub(super) fn i32(self, at: usize) -> i32 {
        i32::from_le_bytes(self.bytes(at))
    }

    pub(super) fn u32(self, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes(at))
    }

    #[inline]
    pub(super) fn f32(self, at: usize) -> f64 {
        f64::from(f32::from_le_bytes(self.bytes(at)))
    }

    #[inline]
    pub(super) fn f64(self, at: usize) -> f64 {
        f64::from_le_bytes(self.bytes(at))
    }

    /// Signed bytes: a position, the steps of a candidate.
    #[inline]
    pub(super) fn i8s<const N: usize>(self, at: usize) -> [i8; N] {
        self.bytes::<N>(at).map(u8::cast_signed)
    }

    /// A length byte and at most `capacity` bytes of the author's Windows code page; a longer length is clamped.
    pub(super) fn short_string(self, at: usize, capacity: usize) -> String {
        let len = usize::from(self.u8(at)).min(capacity);
        let text = self.0.get(at + 1..at + 1 + len).unwrap_or_default();
        text.iter().map(|&byte| codepage::WESTERN.char(byte)).collect()
    }

    /// The bytes of a short string as they are: names of members.
    pub(super) fn short_bytes(self, at: usize, capacity: usize) -> &'a [u8] {
        let len = usize::from(self.u8(at)).min(capacity);
        self.0.get(at + 1..at + 1 + len).unwrap_or_default()
    }

    /// 129 UTF-16 units up to the first NUL, stale memory after it; lone surrogates are replaced.
    pub(super) fn text128(self, at: usize) -> String {
        const UNITS: usize = 129;
        let units = (0..UNITS).map(|i| u16::from_le_bytes(self.bytes(at + 2 * i))).take_while(|&unit| unit != 0);
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_at_their_nul_or_at_their_capacity() {
        let mut bytes = vec![0u8; 300];
        bytes[..8].copy_from_slice(&[b'A', 0, 0x00, 0xD8, b'B', 0, 0, 0]);
        bytes[8] = b'x';
        assert_eq!(Fields(&bytes).text128(0), "A\u{fffd}B");
        let endless = vec![b'a'; 258];
        assert_eq!(Fields(&endless).text128(0).chars().count(), 129);
        assert_eq!(Fields(&[200, b'a', 0xE9]).short_string(0, 2), "aé");
        assert_eq!(Fields(&[200, b'a', 0xE9]).short_string(0, 40), "");
    }

    #[test]
    fn a_read_past_the_end_is_zero() {
        assert_eq!(Fields(&[1, 2, 3]).i32(0), 0);
        assert_eq!(Fields(&[1, 2, 3]).f64(usize::MAX), 0.0);
    }
}
