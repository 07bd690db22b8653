//! What a month leaves, written while the next one is filed: one month behind at most, so what waits is bounded, and in
//! their order, so what is told of a fault hangs on nothing else.

use super::programme::Month;
use super::rows::{self, Written};
use super::state::{Positions, State, Told};
use super::store::{Lent, Store};
use super::strength::Strengths;
use crate::academy::save::Saved;
use crate::tables::fault::TableFault;
use std::panic;
use std::path::Path;
use std::thread::{Scope, ScopedJoinHandle};

/// The state between two months, under the link it is kept by.
pub(super) struct Between {
    link: String,
    saved: Saved,
    positions: Positions,
    strengths: Strengths,
}

/// What is to be written.
#[derive(Default)]
pub(super) struct Wanting {
    /// A month that ended.
    pub(super) month: Option<(Month, Told)>,
    /// The state after it.
    pub(super) between: Option<Between>,
}

/// What was written.
#[derive(Default)]
pub(super) struct Left {
    pub(super) month: Option<(Month, Vec<Written>)>,
    /// Link of the state.
    pub(super) between: Option<String>,
}

/// Whoever writes.
pub(super) struct Behind<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    dir: &'env Path,
    store: &'env Store,
    at_work: Option<ScopedJoinHandle<'scope, Result<Left, TableFault>>>,
}

impl Between {
    pub(super) fn of(link: &str, state: &State) -> Self {
        Self {
            link: link.to_owned(),
            saved: state.academy.save(),
            positions: state.positions.clone(),
            strengths: state.strengths.clone(),
        }
    }
}

impl Wanting {
    const fn is_nothing(&self) -> bool {
        self.month.is_none() && self.between.is_none()
    }

    fn write(self, dir: &Path, store: &Store) -> Result<Left, TableFault> {
        let mut left = Left::default();
        if let Some(Between { link, saved, positions, strengths }) = self.between {
            store.put(&link, &Lent { saved: &saved, positions: &positions, strengths: &strengths })?;
            left.between = Some(link);
        }
        if let Some((month, told)) = self.month {
            let parts = rows::month(dir, (&month.season, &month.label), &told)?;
            left.month = Some((month, parts));
        }
        Ok(left)
    }
}

impl<'scope, 'env> Behind<'scope, 'env> {
    pub(super) const fn new(scope: &'scope Scope<'scope, 'env>, dir: &'env Path, store: &'env Store) -> Self {
        Self { scope, dir, store, at_work: None }
    }

    /// Begins to write, once everything before is written. Returns what was.
    ///
    /// # Errors
    /// Of what was written before.
    pub(super) fn write(&mut self, wanting: Wanting) -> Result<Left, TableFault> {
        if wanting.is_nothing() {
            return Ok(Left::default());
        }
        let before = self.rest()?;
        let (dir, store) = (self.dir, self.store);
        self.at_work = Some(self.scope.spawn(move || wanting.write(dir, store)));
        Ok(before)
    }

    /// Waits until everything is written. Returns what was.
    ///
    /// # Errors
    /// Of what was written.
    pub(super) fn rest(&mut self) -> Result<Left, TableFault> {
        let Some(at_work) = self.at_work.take() else { return Ok(Left::default()) };
        at_work.join().unwrap_or_else(|fault| panic::resume_unwind(fault))
    }
}
