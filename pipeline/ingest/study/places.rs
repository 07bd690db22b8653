//! `places.csv`: who came where in an event, `player,place` (`metrics.md` 17).
//!
//! Players on one place are tied. A name is as written; who it is, the aliases say later.

use super::LineFault;
use super::delimited::{self, Fields};
use crate::ingest::record::Rejected;

/// A final place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// As written.
    pub player: String,
    /// From 1.
    pub place: u32,
}

/// What the file says: places in its order, and lines that are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Places.
    pub places: Vec<Place>,
    /// Lines that could not be read.
    pub faults: Vec<LineFault>,
}

impl Places {
    /// What of it is no place, in words; `None` where every line is one.
    #[must_use]
    pub fn passed_over(&self) -> Option<String> {
        super::passed_over(&self.faults, self.places.len())
    }
}

/// Reads the file.
///
/// # Errors
/// [`Rejected`] when it is too large, lacks one of its two columns, or when more than half of its lines are no places.
pub fn read(bytes: &[u8]) -> Result<Places, Rejected> {
    delimited::bounded(bytes)?;
    let table = delimited::read(bytes);
    if !["player", "place"].iter().all(|name| table.columns.iter().any(|column| column == name)) {
        return Err(Rejected::damaged("header", 0, "places without the columns `player` and `place`"));
    }
    let mut read = Places::default();
    for line in table {
        match line.and_then(|(number, fields)| place(number, &fields)) {
            Ok(place) => read.places.push(place),
            Err(fault) => read.faults.push(fault),
        }
    }
    match read.faults.first() {
        Some(first) if read.faults.len() > read.places.len() => {
            Err(Rejected::damaged("unreadable_lines", 0, format!("most lines are no places, the first being {first}")))
        }
        _ => Ok(read),
    }
}

fn place(line: u64, fields: &Fields) -> Result<Place, LineFault> {
    let fault = |reason: String| LineFault { line, reason };
    let player = fields.get("player").cloned().ok_or_else(|| fault("no player".to_owned()))?;
    let text = fields.get("place").ok_or_else(|| fault("no place".to_owned()))?;
    let place = text.parse().ok().filter(|place| *place > 0);
    Ok(Place { player, place: place.ok_or_else(|| fault(format!("`{text}` is no place")))? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_with_any_delimiter_and_bad_lines_are_told() -> Result<(), Rejected> {
        let read = read(
            "\u{feff}Player;Place\r\nÉmberline;1\r\n\"Beck; Hollow\";2\r\nGristmill;2\r\nFoxglove;last\r\n".as_bytes(),
        )?;
        let got: Vec<(&str, u32)> = read.places.iter().map(|place| (place.player.as_str(), place.place)).collect();
        assert_eq!(got, [("Émberline", 1), ("Beck; Hollow", 2), ("Gristmill", 2)]);
        assert_eq!(read.faults, [LineFault { line: 5, reason: "`last` is no place".to_owned() }]);
        Ok(())
    }

    #[test]
    fn a_file_that_lists_no_places_is_refused() {
        assert!(read(b"player,rank\nA,1\n").is_err());
        assert!(read(b"player,place\nA,0\n,3\nB,1\n").is_err());
        assert!(read(b"").is_err());
    }
}
