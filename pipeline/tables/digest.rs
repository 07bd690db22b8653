//! Digests of rows: what tells that a match, or what a page shows, is another.

#[cfg(feature = "tables")]
use super::columns::Columns;
use super::row::{Row, Value};

/// Bytes gathered before they are hashed: the hash takes long runs several blocks at a time, and cells are short.
const HASHED_AT_ONCE: usize = 64 << 10;

/// Hex digits of a digest: 128 bits.
const DIGITS: usize = 32;

/// Rows and texts being hashed, in the order they come.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    hasher: blake3::Hasher,
    gathered: Vec<u8>,
}

impl Digest {
    /// Every cell of these rows, in the order of the columns.
    pub fn rows<R: Row>(&mut self, rows: &[R]) -> &mut Self {
        self.each(rows)
    }

    /// Every cell of these rows, wherever they stand.
    pub fn each<'a, R: Row + 'a>(&mut self, rows: impl IntoIterator<Item = &'a R>) -> &mut Self {
        self.gathered.extend_from_slice(R::TABLE.as_bytes());
        for row in rows {
            row.values(&mut |_, value| gather(&mut self.gathered, value));
            self.hash_some();
        }
        self
    }

    /// The same of rows that still are columns: all columns of the table, in their order.
    #[cfg(feature = "tables")]
    pub(super) fn cells<'a, R: Row>(&mut self, rows: impl Iterator<Item = (&'a Columns, usize)>) {
        self.gathered.extend_from_slice(R::TABLE.as_bytes());
        for (batch, row) in rows {
            (0..batch.width()).for_each(|column| gather(&mut self.gathered, batch.at(row, column)));
            self.hash_some();
        }
    }

    fn hash_some(&mut self) {
        if self.gathered.len() >= HASHED_AT_ONCE {
            self.hasher.update(&self.gathered);
            self.gathered.clear();
        }
    }

    /// A text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        gather(&mut self.gathered, Value::Text(text));
        self
    }

    /// 32 hex digits.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.hasher.update(&self.gathered);
        self.hasher.finalize().to_hex()[..DIGITS].to_owned()
    }
}

/// Each value behind a byte that tells its kind, texts behind their length: no two rows give the same bytes.
#[inline]
fn gather(bytes: &mut Vec<u8>, value: Value<'_>) {
    match value {
        Value::Null => bytes.push(0),
        Value::Text(text) => {
            bytes.push(1);
            bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        Value::Int(int) => tagged(bytes, 2, int.to_le_bytes()),
        Value::Float(float) => tagged(bytes, 3, float.to_bits().to_le_bytes()),
        Value::Day(day) => tagged(bytes, 4, day.to_le_bytes()),
        Value::Flag(flag) => tagged(bytes, 5, [u8::from(flag)]),
    }
}

#[inline]
fn tagged<const N: usize>(bytes: &mut Vec<u8>, kind: u8, value: [u8; N]) {
    bytes.push(kind);
    bytes.extend_from_slice(&value);
}
