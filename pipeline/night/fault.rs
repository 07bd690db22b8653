//! What ends a run without a new snapshot, and with which exit code.

use super::amount::amount;
use super::signal::Stop;
use crate::config::ConfigFault;
use crate::exit::Exit;
use crate::measure::MeasureFault;
use crate::report::ReportFault;
use crate::tables::fault::TableFault;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use thiserror::Error;

/// Why a command did not do what it should.
#[derive(Debug, Error)]
pub enum NightFault {
    /// The configuration cannot hold.
    #[error(transparent)]
    Config(#[from] ConfigFault),
    /// A folder or file that cannot be listed or read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder or file that cannot be written.
    #[error("cannot write {}: {source}", .path.display())]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Tables.
    #[error(transparent)]
    Table(#[from] TableFault),
    /// Measures.
    #[error(transparent)]
    Measure(MeasureFault),
    /// Pages.
    #[error(transparent)]
    Report(#[from] ReportFault),
    /// A contract is broken and no match is to blame.
    #[error("a data check failed, nothing was published: {0}")]
    Broken(String),
    /// Files kept turning out unusable.
    #[error("the files below raw/ keep changing: nothing was published")]
    Unsettled,
    /// A file was rejected where none may be.
    #[error("{} rejected, and --strict publishes nothing then: {named}", amount(*.files, "file"))]
    Strict {
        /// How many.
        files: usize,
        /// What there is to say of them.
        named: String,
    },
    /// Too little room for what has to be written.
    #[error("no space for what has to be written at {}: about {needed} bytes are needed, {free} are free", .path.display())]
    NoRoom {
        /// The lake.
        path: PathBuf,
        /// Bytes.
        needed: u64,
        /// Bytes.
        free: u64,
    },
    /// Pages would be written among the files they are made from.
    #[error("reports at {} would lie in {}: name another folder with --reports", .reports.display(), .data.display())]
    Overlap {
        /// The folder of reports.
        reports: PathBuf,
        /// The folder it lies in.
        data: PathBuf,
    },
    /// A folder that has the name of a season and was not made here.
    #[error("{} holds files that are not Portes' pages: take them away, or name another folder with --reports", .0.display())]
    Foreign(PathBuf),
    /// A signal.
    #[error("stopped by a signal; the next run goes on from there")]
    Stopped(Stop),
    /// Nothing to compare or explain.
    #[error("{0}")]
    NoSuch(String),
    /// Another run is at work.
    #[error("another run holds {}", .0.display())]
    Locked(PathBuf),
    /// Nothing to publish.
    #[error("nothing recognised below {}, and the lake is empty", .0.display())]
    Nothing(PathBuf),
    /// The lake holds nothing yet.
    #[error("the lake at {} holds nothing yet: portes run fills it", .0.display())]
    Empty(PathBuf),
    /// `lake/next` lacks what would have to be published.
    #[error("{} holds no `{table}` to publish: portes ingest, portes measure and portes academy write it", .next.display())]
    Unbuilt {
        /// The snapshot being built.
        next: PathBuf,
        /// The first table that is missing.
        table: &'static str,
    },
    /// A season that the lake does not have.
    #[error("there is no season {asked:?}; there are {known}")]
    NoSuchSeason {
        /// As typed.
        asked: String,
        /// What there is.
        known: String,
    },
    /// `measure --only` of a mart there is none of.
    #[error("there is no mart {asked:?}{}; there are {known}", .nearest.map_or_else(String::new, |name| format!(", did you mean `{name}`?")))]
    NoSuchMart {
        /// As typed.
        asked: String,
        /// The mart it may have meant.
        nearest: Option<&'static str>,
        /// What there is.
        known: String,
    },
    /// Winning chances of a match are asked for where matches have several lengths.
    #[error(
        "academy.value = \"mwc\" is for matches of one length, and those of {game} have {lengths} points: \
         \"win\" fits every length"
    )]
    Lengths {
        /// The game.
        game: String,
        /// Its lengths, rising.
        lengths: String,
    },
    /// One file that `inspect` was asked about gives nothing.
    #[error("{path}: {reason}")]
    Rejected {
        /// The file.
        path: String,
        /// Why, with the offset.
        reason: String,
    },
}

impl From<Stop> for NightFault {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl NightFault {
    /// Whether what an earlier run left may be to blame: damage, and no disk that says no. Made anew, it may be sound.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Table(fault) => {
                // Rows that follow from one another cannot be out of order unless a part lies in another's place.
                matches!(
                    fault,
                    TableFault::Damaged { .. }
                        | TableFault::Foreign { .. }
                        | TableFault::Column { .. }
                        | TableFault::Order { .. }
                )
            }
            Self::Measure(fault) => !matches!(fault, MeasureFault::Folder { .. }),
            Self::Broken(_) => true,
            _ => false,
        }
    }

    /// The exit code it maps to.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Config(_)
            | Self::Lengths { .. }
            | Self::NoSuchSeason { .. }
            | Self::NoSuchMart { .. }
            | Self::Unbuilt { .. } => Exit::Usage,
            Self::Unreadable { source, .. } if source.kind() == ErrorKind::NotFound => Exit::Usage,
            Self::NoSuch(_) | Self::Overlap { .. } | Self::Foreign(_) | Self::Table(TableFault::NoEarlier { .. }) => {
                Exit::Usage
            }
            Self::Unwritable { .. } | Self::NoRoom { .. } => Exit::CannotWrite,
            Self::Stopped(Stop::Interrupt) => Exit::Interrupted,
            Self::Stopped(Stop::Terminate) => Exit::Terminated,
            Self::Table(TableFault::Disk { source, .. }) if cannot_write(source) => Exit::CannotWrite,
            Self::Broken(_) | Self::Strict { .. } => Exit::CheckFailed,
            Self::Locked(_) => Exit::Locked,
            Self::Nothing(_) | Self::Empty(_) => Exit::Nothing,
            Self::Rejected { .. } => Exit::Rejected,
            Self::Unreadable { .. } | Self::Table(_) | Self::Measure(_) | Self::Report(_) | Self::Unsettled => {
                Exit::Unexpected
            }
        }
    }
}

impl From<MeasureFault> for NightFault {
    /// A table that a measure cannot read or write is a table like any other.
    fn from(fault: MeasureFault) -> Self {
        match fault {
            MeasureFault::Part(fault) => Self::Table(fault),
            fault => Self::Measure(fault),
        }
    }
}

/// No space, a quota, a limit on file size, a read-only file system, no permission.
fn cannot_write(fault: &io::Error) -> bool {
    matches!(
        fault.kind(),
        ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded
            | ErrorKind::FileTooLarge
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::PermissionDenied
    )
}
