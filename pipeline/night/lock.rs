//! One writer: a kernel file lock, which dies with the process that holds it.

use super::fault::NightFault;
use crate::config::Settings;
use crate::tables::lake::Lake;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;

/// Held while it lives.
pub struct Lock(#[expect(dead_code, reason = "the lock is released when the file is closed")] File);

impl Lock {
    /// Takes the lake's lock, or says at once that another run has it.
    ///
    /// # Errors
    /// [`NightFault::Locked`]; [`NightFault::Unwritable`] when the lake cannot be made.
    pub fn take(settings: &Settings) -> Result<Self, NightFault> {
        let lake = Lake::at(settings.lake());
        let unwritable = |source| NightFault::Unwritable { path: lake.lock(), source };
        std::fs::create_dir_all(lake.root()).map_err(unwritable)?;
        let file = File::options().create(true).truncate(false).write(true).open(lake.lock()).map_err(unwritable)?;
        Self::of(file, &lake)
    }

    /// For who only looks: takes the lock where there is one to take, and makes nothing.
    ///
    /// # Errors
    /// [`NightFault::Locked`]; [`NightFault::Unreadable`].
    pub fn look(settings: &Settings) -> Result<Option<Self>, NightFault> {
        let lake = Lake::at(settings.lake());
        match File::open(lake.lock()) {
            Ok(file) => Self::of(file, &lake).map(Some),
            Err(fault) if fault.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(NightFault::Unreadable { path: lake.lock(), source }),
        }
    }

    fn of(file: File, lake: &Lake) -> Result<Self, NightFault> {
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(NightFault::Locked(lake.lock())),
            Err(TryLockError::Error(source)) => Err(NightFault::Unwritable { path: lake.lock(), source }),
        }
    }
}
