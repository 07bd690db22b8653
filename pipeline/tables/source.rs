//! Where the bytes of a part come from: a small part is read at once, of a large one only what is asked for.

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Where the bytes of a part come from. A small one is read at once: asking for each of its columns would take four calls
/// of the system.
pub(super) enum Source {
    Small(Bytes),
    Large(File),
}

/// Bytes of a part that is read at once.
const SMALL: u64 = 1 << 20;

impl Source {
    /// Of which little more than the end is wanted.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn footer(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self::Large)
    }

    /// To be read.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if file.metadata()?.len() > SMALL {
            return Ok(Self::Large(file));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Self::Small(bytes.into()))
    }

    /// The same once more, for a second look.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn again(&self) -> io::Result<Self> {
        Ok(match self {
            Self::Small(bytes) => Self::Small(bytes.clone()),
            Self::Large(file) => Self::Large(file.try_clone()?),
        })
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        match self {
            Self::Small(bytes) => Length::len(bytes),
            Self::Large(file) => Length::len(file),
        }
    }
}

impl ChunkReader for Source {
    type T = Box<dyn io::Read>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(match self {
            Self::Small(bytes) => Box::new(io::Cursor::new(within(bytes, start, bytes.len() as u64)?)),
            Self::Large(file) => Box::new(file.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        match self {
            Self::Small(bytes) => within(bytes, start, start.saturating_add(length as u64)),
            Self::Large(file) => file.get_bytes(start, length),
        }
    }
}

/// A stretch of them; a damaged part asks for more than there is.
fn within(bytes: &Bytes, from: u64, to: u64) -> Result<Bytes, ParquetError> {
    let place = |at: u64| usize::try_from(at).ok().filter(|at| *at <= bytes.len());
    match place(from).zip(place(to)).filter(|(from, to)| from <= to) {
        Some((from, to)) => Ok(bytes.slice(from..to)),
        None => Err(ParquetError::EOF(format!("bytes {from} to {to} of {}", bytes.len()))),
    }
}
