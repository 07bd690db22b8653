//! Exit codes: a published contract, in one place.

/// How a run of the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// Something nobody expected.
    Unexpected,
    /// The command line or the configuration cannot hold.
    Usage,
    /// Done, and this run met a file that it had to reject.
    Rejected,
    /// Nothing recognised below raw/, and the lake is empty.
    Nothing,
    /// A data check failed: nothing was published.
    CheckFailed,
    /// No space, read-only, no permission.
    CannotWrite,
    /// Another run holds the lock.
    Locked,
    /// Stopped by SIGINT.
    Interrupted,
    /// Stopped by SIGTERM.
    Terminated,
}

impl Exit {
    /// The number the shell sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Unexpected => 1,
            Self::Usage => 2,
            Self::Rejected => 3,
            Self::Nothing => 4,
            Self::CheckFailed => 5,
            Self::CannotWrite => 73,
            Self::Locked => 75,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

/// The contract, as `--help` prints it.
pub const HELP: &str = "\
Exit codes:
  0   done
  1   unexpected
  2   usage: the command line or the configuration cannot hold
  3   done, and this run met a file it had to reject (portes status lists it); later runs end with 0
  4   nothing recognised below raw/, and the lake is empty
  5   a data check failed, or a file was rejected under --strict: nothing was published (lines that are refused in a file
      of which others count, as in a contest file, are no rejected file)
  73  cannot write: no space, read-only, no permission
  75  locked: another run is at work, try later
  130 stopped by SIGINT; the next run goes on from there
  143 stopped by SIGTERM; the next run goes on from there";
