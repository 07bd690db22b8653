//! The patterns of a season's end as they stand in its tables, to be asked which of them covers an area.
//!
//! The libraries themselves answer the same question while games are filed; whoever only reads has rows, and needs
//! neither votes nor room. The rule is theirs: of several patterns that cover it, the one with least slack, then
//! greatest worth, then smallest id.

use super::area::{Area, Cells};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A pattern as its row has it.
#[derive(Clone, Copy, Debug)]
pub struct Charted<'a> {
    /// Whatever parts patterns that are not asked together: a game, a library.
    pub shelf: &'a str,
    /// Area.
    pub area: &'a str,
    /// Cells, without blanks or row ends.
    pub cells: &'a str,
    /// N·E·(0.5 − V)².
    pub worth: f64,
    /// Id within its library.
    pub id: i64,
}

/// The patterns, by shelf and area.
#[derive(Debug, Default)]
pub struct Atlas(BTreeMap<(String, String), Vec<Plate>>);

#[derive(Debug)]
struct Plate {
    cells: Cells,
    slack: u32,
    worth: f64,
    id: i64,
    /// Where its row stood.
    at: usize,
}

impl Atlas {
    /// Takes patterns in; a text that is no pattern covers nothing and is passed over.
    pub fn of<'a>(patterns: impl Iterator<Item = Charted<'a>>) -> Self {
        let mut plates: BTreeMap<(String, String), Vec<Plate>> = BTreeMap::new();
        for (at, row) in patterns.enumerate() {
            if let Some(cells) = Cells::read(row.cells) {
                let plate = Plate { slack: cells.slack(), cells, worth: row.worth, id: row.id, at };
                plates.entry((row.shelf.to_owned(), row.area.to_owned())).or_default().push(plate);
            }
        }
        Self(plates)
    }

    /// The place among the rows of the pattern that covers one of these areas best; `None` where none does.
    #[must_use]
    pub fn cover(&self, shelf: &str, areas: &[Area]) -> Option<usize> {
        let of = |area: &Area| {
            let plates = self.0.get(&(shelf.to_owned(), area.place().name().to_owned()))?;
            plates.iter().filter(|plate| covers(&plate.cells, area.cells())).min_by(|a, b| better(a, b))
        };
        areas.iter().filter_map(of).min_by(|a, b| better(a, b)).map(|plate| plate.at)
    }
}

fn better(a: &Plate, b: &Plate) -> Ordering {
    let worth = || b.worth.total_cmp(&a.worth);
    a.slack.cmp(&b.slack).then_with(worth).then_with(|| a.id.cmp(&b.id))
}

fn covers(known: &Cells, concrete: &Cells) -> bool {
    let (known, concrete) = (known.words(), concrete.words());
    known.len() == concrete.len() && known.iter().zip(concrete).all(|(known, concrete)| concrete & !known == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::academy::area::Place;
    use std::sync::Arc;

    fn area(name: &str, cells: &str) -> Result<Area, String> {
        let place = Arc::new(Place::new(name, &[cells.len()])?);
        Area::again(&place, Cells::read(cells).ok_or("no cells")?).ok_or_else(|| "no area".to_owned())
    }

    #[test]
    fn the_narrowest_pattern_that_covers_is_found_then_the_weightiest_then_the_first() -> Result<(), String> {
        let row = |shelf, cells, worth, id| Charted { shelf, area: "nw", cells, worth, id };
        let rows = [
            row("c", "1-", 90.0, 1),
            row("c", "B-", 10.0, 2),
            row("c", "B-", 20.0, 4),
            row("c", "B-", 20.0, 3),
            row("c", "x", 99.0, 5),
            row("c", "?-", 99.0, 6),
            row("y", "x-", 5.0, 1),
        ];
        let atlas = Atlas::of(rows.into_iter());
        let found = |shelf, cells| Ok::<_, String>(atlas.cover(shelf, &[area("nw", cells)?]));
        assert_eq!([found("c", "x-")?, found("c", "--")?, found("y", "x-")?], [Some(3), Some(0), Some(6)]);
        assert_eq!([found("c", "o-")?, found("y", "b-")?, found("z", "x-")?], [None; 3]);
        assert_eq!(atlas.cover("c", &[area("se", "x-")?]), None);
        // Of several areas the one whose pattern says most.
        assert_eq!(atlas.cover("c", &[area("nw", "--")?, area("nw", "b-")?]), Some(3));
        Ok(())
    }
}
