//! One reader per format; every file becomes the same [`record::Record`], or is rejected with a reason.
//!
//! The way of a file: [`recognise`] says what the bytes are, [`read`] gives them to the reader of that format,
//! [`identity`] says which match it was. A `.zip` is not a match: its [`archive::members`] go the same way one by one.

pub mod archive;
pub mod facts;
pub mod identity;
pub mod mat;
pub mod outcome;
pub mod recognise;
pub mod record;
pub mod sgf;
pub mod study;
pub mod weight;
pub mod xg;

use recognise::{Recognised, Side, known_extension, recognise};
use record::{Format, Record, Rejected};

/// Why a file is not one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// `quarantined` or `unsupported`.
    Rejected(Rejected),
    /// Nothing of ours: `ignored`.
    Foreign,
    /// A file that goes with matches; it has its own reader.
    Side(Side),
    /// A `.zip`: read its [`archive::members`].
    Archive,
}

impl From<Rejected> for Ended {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}

/// Reads a file by its content; its name (or path) only tells a damaged file from a foreign one.
///
/// # Errors
/// [`Ended`], when the file is not a match that can be read.
pub fn read(bytes: &[u8], name: &[u8]) -> Result<Record, Ended> {
    match recognise(bytes) {
        Recognised::Match(Format::Xg) => Ok(xg::read(bytes)?),
        Recognised::Match(Format::Sgf) => Ok(sgf::read(bytes)?),
        Recognised::Match(Format::Mat) => Ok(mat::read(bytes)?),
        Recognised::Zip => Err(Ended::Archive),
        Recognised::Side(side) => Err(Ended::Side(side)),
        Recognised::Unread(kind) => Err(Rejected::unsupported(kind.token(), kind.words()).into()),
        Recognised::Foreign if !known_extension(name) => Err(Ended::Foreign),
        Recognised::Foreign if bytes.is_empty() => Err(Rejected::damaged("empty", 0, "an empty file").into()),
        Recognised::Foreign => Err(Rejected::damaged("magic", 0, "not what its name promises").into()),
    }
}
