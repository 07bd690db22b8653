//! `[academy]` as it holds: the bylaws, and the ratings players start with.

use super::Aliases;
use crate::academy::Seeds;
use crate::academy::rating::Standing;
use crate::academy::settings::{Bylaws, Settings, Source, ValueOf};
use crate::academy::units::Elo;

/// The Academy of a run.
#[derive(Clone, Debug)]
pub struct Academy {
    /// Whether it is kept at all.
    pub enabled: bool,
    /// What a position is worth.
    pub value: ValueOf,
    /// Where backgammon's ratings come from.
    pub source: Source,
    /// Its rules.
    pub bylaws: Bylaws,
    /// Starting figures by canonical name.
    pub seeds: Seeds,
}

impl Academy {
    /// Checks what was written, and reads the file of starting figures it names.
    ///
    /// # Errors
    /// A sentence that names the field, or the line of that file.
    pub fn of(written: &Settings, players: &Aliases) -> Result<Self, String> {
        ordered(["filing.firm_low", "filing.firm_high"], [written.filing.firm_low, written.filing.firm_high])?;
        ordered(["publish.gain_crossing", "publish.gain"], [written.publish.gain_crossing, written.publish.gain])?;
        let seeds = match &written.ratings.seed {
            Some(path) => read(path, players)?,
            None => Seeds::default(),
        };
        let (value, source) = (written.value, written.ratings.source);
        Ok(Self { enabled: written.enabled, value, source, bylaws: written.bylaws()?, seeds })
    }
}

/// Refuses two figures that contradict each other: no value is firmly good and firmly bad, and a gain that crosses one
/// half, which is worth more, cannot need more.
fn ordered(names: [&str; 2], [low, high]: [f64; 2]) -> Result<(), String> {
    if low <= high {
        return Ok(());
    }
    Err(format!("academy.{} is {low}, more than academy.{}, which is {high}", names[0], names[1]))
}

fn read(path: &str, players: &Aliases) -> Result<Seeds, String> {
    let text = std::fs::read_to_string(path).map_err(|fault| format!("academy.ratings.seed: {path}: {fault}"))?;
    seeds(&text, players).map_err(|fault| format!("academy.ratings.seed: {path}: {fault}"))
}

/// `player,rating,experience` a line, below that header.
fn seeds(text: &str, players: &Aliases) -> Result<Seeds, String> {
    let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    if lines.next().is_none_or(|(_, line)| line.trim() != "player,rating,experience") {
        return Err("line 1: the header is player,rating,experience".to_owned());
    }
    let mut seeds = Seeds::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let shape = "player,rating,experience, the name in quotation marks where it holds a comma or such a mark, which is then written twice";
        let (name, standing) = seed(line).ok_or_else(|| format!("line {number}: no {shape}"))?;
        if seeds.insert(players.canonical(&name).to_owned(), standing).is_some() {
            return Err(format!("line {number}: {name:?} stands twice"));
        }
    }
    Ok(seeds)
}

/// One line: the name comes first, the figures hold no comma.
fn seed(line: &str) -> Option<(String, Standing)> {
    let (rest, experience) = line.rsplit_once(',')?;
    let (name, rating) = rest.rsplit_once(',')?;
    let name = name.trim();
    let quoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).map(str::trim);
    let name = match quoted {
        // Within the marks one that stands for itself is written twice; a single one closes nothing.
        Some(inner) => inner.split("\"\"").all(|piece| !piece.contains('"')).then(|| inner.replace("\"\"", "\""))?,
        None => Some(name).filter(|name| !name.contains([',', '"']))?.to_owned(),
    };
    let rating = Elo::from_points(rating.trim().parse().ok()?)?;
    let standing = Standing { rating, experience: experience.trim().parse().ok()? };
    (!name.is_empty()).then_some((name, standing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starting_figures_are_read_line_by_line() -> Result<(), String> {
        let none = Aliases::default();
        let read = seeds(
            "player,rating,experience\nAda, 1612.5,400\n\n\"Ben, Jr\",1400,0\n\"Di \"\"Ace\"\" Ek\",1,2\n",
            &none,
        )?;
        let of = |name: &str| read.get(name).map(|standing| (standing.rating.points(), standing.experience));
        assert_eq!([of("Ada"), of("Ben, Jr"), of("Cy")], [Some((1612.5, 400)), Some((1400.0, 0)), None]);
        assert_eq!(of("Di \"Ace\" Ek"), Some((1.0, 2)));
        for (text, fault) in [
            ("name,rating\n", "line 1"),
            ("player,rating,experience\nAda,much,1\n", "line 2"),
            ("player,rating,experience\nAda,1500,1\nBramblewick,1600,200,9\n", "line 3: no player,rating,experience"),
            ("player,rating,experience\n\"Ada,1600,200\n", "line 2"),
            ("player,rating,experience\n\"Ada\"x\",1600,200\n", "line 2"),
            ("player,rating,experience\nAda\",1600,200\n", "line 2"),
            ("player,rating,experience\nAda,1500,1\nAda,1500,1\n", "line 3: \"Ada\" stands twice"),
        ] {
            assert!(seeds(text, &none).is_err_and(|said| said.contains(fault)), "{text}");
        }
        Ok(())
    }
}
