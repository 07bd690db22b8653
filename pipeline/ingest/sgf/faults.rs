//! What was passed over in one file, with a bound: a file of a million faults does not deserve a million lines.

use crate::ingest::record::Fault;

/// Most faults told of one file.
const MOST: usize = 1_000;

/// Faults in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Faults {
    list: Vec<Fault>,
    untold: usize,
    /// Reasons that are told once a file.
    once: Vec<&'static str>,
}

impl Faults {
    /// Notes one.
    pub(super) fn note(&mut self, offset: usize, reason: impl Into<String>) {
        if self.list.len() >= MOST {
            self.untold += 1;
            return;
        }
        self.list.push(Fault { offset: offset as u64, reason: reason.into() });
    }

    /// Notes one unless this was told before.
    pub(super) fn note_once(&mut self, offset: usize, reason: &'static str) {
        if !self.once.contains(&reason) {
            self.once.push(reason);
            self.note(offset, reason);
        }
    }

    /// All that were noted, and how many were not told.
    pub(super) fn into_list(mut self) -> Vec<Fault> {
        if self.untold > 0 {
            let offset = self.list.last().map_or(0, |fault| fault.offset);
            self.list.push(Fault { offset, reason: format!("{} more faults", self.untold) });
        }
        self.list
    }
}
