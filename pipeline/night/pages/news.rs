//! Which snapshot is "last night", and what a season was then.
//!
//! Last night is the newest kept snapshot before the one that is shown that has other matches or figures: after a night that
//! changed none the pages still tell what the night before it brought. It depends on what is kept, not on when; and on what
//! will be kept, not on what a run that was killed or is not over has yet to remove.

use crate::config::{News, Settings};
use crate::night::fault::NightFault;
use crate::tables::changes::{Changes, Rows};
use crate::tables::facts::{AnalysisRow, MatchRow};
use crate::tables::fault::TableFault;
use crate::tables::lake::{self, Lake};
use crate::tables::marts::{PlayerMatchRow, PlayerSeasonRow};
use crate::tables::row::Row;
use crate::tables::snapshot::Stamp;
use std::path::{Path, PathBuf};

/// The tables that say what is new.
const COMPARED: [&str; 4] = [MatchRow::TABLE, AnalysisRow::TABLE, PlayerMatchRow::TABLE, PlayerSeasonRow::TABLE];

/// The snapshot of the night before this one, by its folder and the number it has or will have; `None` where pages are not to
/// tell what is new, where no earlier one is kept, or where it has another schema.
///
/// # Errors
/// A lake that cannot be listed.
pub(super) fn earlier((shown, number): (&Path, u64), settings: &Settings) -> Result<Option<PathBuf>, NightFault> {
    if settings.news == News::Off {
        return Ok(None);
    }
    let lake = Lake::at(settings.lake());
    let before = lake.numbers()?.into_iter().rev().filter(|other| *other < number);
    for number in before.take(settings.snapshots.saturating_sub(1)) {
        let snapshot = lake.snapshot(number);
        if Stamp::read(&snapshot).is_err() {
            return Ok(None);
        }
        if is_other(&snapshot, shown)? {
            return Ok(Some(snapshot));
        }
    }
    Ok(None)
}

fn is_other(a: &Path, b: &Path) -> Result<bool, TableFault> {
    for table in COMPARED {
        if lake::digest(a, table)? != lake::digest(b, table)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is new of a season; nothing without an earlier snapshot. Where every part has the name it had, none is opened.
///
/// # Errors
/// A part that cannot be read.
pub(super) fn changes((earlier, now): (Option<&Path>, &Path), season: &str) -> Result<Changes, TableFault> {
    let Some(earlier) = earlier else { return Ok(Changes::default()) };
    let names = |snapshot: &Path, table: &str| -> Result<Vec<String>, TableFault> {
        Ok(lake::season_parts(snapshot, table, season)?.into_iter().map(|part| part.name).collect())
    };
    for table in COMPARED {
        if names(earlier, table)? != names(now, table)? {
            let [were, are] = Rows::of_season([earlier, now], season)?;
            return Ok(Changes::between(&were, &are));
        }
    }
    Ok(Changes::default())
}
