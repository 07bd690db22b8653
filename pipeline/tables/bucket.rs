//! Which part file a match lies in.
//!
//! A bucket is the leading k bits of the match_id, k = max(0, ceil(log2(matches of the season / 64))), so that a part
//! holds about 32 to 64 matches whatever the season's size, and a night rewrites only the buckets its matches fall in.
//! Match ids are hashes: buckets fill evenly, and where a match lies depends on its id and the season's size alone.
//!
//! The label is the k bits as binary digits (`0` when k = 0): fixed width, so text order is bucket order, and when a
//! season doubles the bucket `01` becomes `010` and `011`.

use std::fmt;

/// Matches a bucket is meant for: some megabytes of Parquet, seconds to rate, and small against a season.
pub const MATCHES: u64 = 64;

/// A match id is 16 hex digits: no season needs more bits than this, and labels stay short names.
const MOST_BITS: u32 = 32;

/// Hex digits of a match id.
const ID_DIGITS: usize = 16;

/// How one season is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Division {
    bits: u32,
}

/// One bucket of a division; displays as its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bucket {
    bits: u32,
    index: u64,
}

impl Division {
    /// The division of a season of so many matches.
    #[must_use]
    pub const fn of(matches: u64) -> Self {
        let full = matches.div_ceil(MATCHES);
        let bits = if full <= 1 { 0 } else { (full - 1).ilog2() + 1 };
        Self { bits: if bits > MOST_BITS { MOST_BITS } else { bits } }
    }

    /// k.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Every bucket, in label order.
    pub fn buckets(self) -> impl Iterator<Item = Bucket> {
        let bits = self.bits;
        (0..1u64 << bits).map(move |index| Bucket { bits, index })
    }

    /// The bucket of a match id, or of anything that begins with one, such as a decision id. `None` when it does not
    /// begin with 16 lower-case hex digits.
    #[must_use]
    pub fn holding(self, id: &str) -> Option<Bucket> {
        let digits = id.get(..ID_DIGITS)?;
        if !digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let id = u64::from_str_radix(digits, 16).ok()?;
        let index = if self.bits == 0 { 0 } else { id >> (u64::BITS - self.bits) };
        Some(Bucket { bits: self.bits, index })
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = usize::try_from(self.bits.max(1)).map_err(|_| fmt::Error)?;
        write!(f, "{:0width$b}", self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k_follows_the_formula_at_its_steps() {
        let steps = [(0, 0), (1, 0), (64, 0), (65, 1), (128, 1), (129, 2), (200, 2), (256, 2), (257, 3), (33_370, 10)];
        for (matches, bits) in steps {
            assert_eq!(Division::of(matches).bits(), bits, "{matches} matches");
        }
    }

    #[test]
    fn a_label_is_the_leading_bits() {
        let label = |matches, id: &str| Division::of(matches).holding(id).map(|b| b.to_string());
        assert_eq!(label(64, "ffffffffffffffff").as_deref(), Some("0"));
        assert_eq!(label(65, "8000000000000000").as_deref(), Some("1"));
        assert_eq!(label(1000, "2fffffffffffffff-0007").as_deref(), Some("0010"));
        assert_eq!(label(1000, "2FFFFFFFFFFFFFFF"), None);
        assert_eq!(label(1000, "2fff"), None);
        assert_eq!(label(1000, "+fffffffffffffff"), None);
    }
}
