//! What is kept from night to night, in `lake/cache/academy/`: checkpoints, and the parts that links of the chain made.
//!
//! Everything here only saves time. A checkpoint is the state of the Academy after a number of matches, under the link of
//! the chain that stands for them; a part is remembered under the link that its month or season ends with. What was kept
//! by another program, or is damaged, counts as absent.

use super::Trust;
use super::kept::Used;
use super::state::Positions;
use super::strength::Strengths;
use crate::academy::save::Saved;
use crate::night::cache::Cache;
use crate::tables::fault::TableFault;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Name of the list of what is kept.
const LEDGER: &str = "ledger";

/// The state between two matches.
#[derive(Debug, Deserialize)]
pub(super) struct Checkpoint {
    pub(super) saved: Saved,
    pub(super) positions: Positions,
    /// What is known of the players' strength against the engine.
    pub(super) strengths: Strengths,
}

/// A checkpoint to be kept, of what goes on being used: written as a [`Checkpoint`] is, field by field.
#[derive(Debug, Serialize)]
pub(super) struct Lent<'a> {
    pub(super) saved: &'a Saved,
    pub(super) positions: &'a Positions,
    pub(super) strengths: &'a Strengths,
}

/// Table -> name of its part.
pub(super) type Parts = BTreeMap<String, String>;

/// What is kept, and for which chain.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Ledger {
    /// The chain's first link, which stands for configuration and program.
    pub(super) first: String,
    /// Link of each checkpoint, and whether a month ends with it that may go on: the parts of that month hold what it told so
    /// far. Only the head lies inside a month.
    pub(super) checkpoints: BTreeMap<String, bool>,
    /// Link at the end of a month -> its parts.
    pub(super) months: BTreeMap<String, Parts>,
    /// Link at the end of a season -> its parts.
    pub(super) seasons: BTreeMap<String, Parts>,
    /// How much is kept of contests.
    pub(super) contests: Used,
    /// Id of each match -> its digest: what tells why something is filed again.
    pub(super) digests: BTreeMap<String, String>,
}

/// The folder and its list.
pub(super) struct Store {
    cache: Cache,
    pub(super) trust: Trust,
    pub(super) ledger: Ledger,
}

impl Store {
    pub(super) fn open(cache: Cache, trust: Trust) -> Self {
        let ledger = match trust {
            Trust::Checkpoints => cache.get(LEDGER).unwrap_or_default(),
            Trust::Nothing => Ledger::default(),
        };
        Self { cache, trust, ledger }
    }

    pub(super) fn get(&self, link: &str) -> Option<Checkpoint> {
        self.cache.get(&name(link))
    }

    pub(super) fn put(&self, link: &str, checkpoint: &Lent<'_>) -> Result<(), TableFault> {
        self.cache.put(&name(link), checkpoint)
    }

    /// Writes the list, and removes every checkpoint that is not in it.
    pub(super) fn close(&self, ledger: &Ledger) -> Result<(), TableFault> {
        self.cache.put(LEDGER, ledger)?;
        let wanted: BTreeSet<String> = ledger.checkpoints.keys().map(|link| name(link)).collect();
        self.cache.retain(|name| name == LEDGER || wanted.contains(name))
    }
}

fn name(link: &str) -> String {
    format!("state-{link}")
}
