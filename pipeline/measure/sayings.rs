//! What a part of `rulings` says, as bytes that are looked through without being decoded.
//!
//! A row is a position and which of the part's rulings is said of it; each ruling stands once. Numbers have their least
//! significant byte first:
//!
//! | what | bytes |
//! |---|---|
//! | how many rows; how many rulings | 4, 4 |
//! | the rows' positions | 8 each |
//! | the rows' rulings, by their place among them; the highest bit where it is rolled out | 2 each |
//! | where each ruling's text ends | 4 each |
//! | the texts | |
//!
//! Nothing here trusts the bytes: where one leads out of them, nothing is said, and the part is read.

use super::reference::rulings::Ruling;
use std::collections::HashMap;

/// Set in the place of a ruling that is rolled out.
const ROLLED_OUT: u16 = 1 << 15;

/// The bytes of some rows; `None` where they have more rulings than there are places.
pub(super) fn packed(rows: &[(i64, Ruling)]) -> Option<Vec<u8>> {
    let (mut places, mut texts, mut ends) = (HashMap::<&str, u16>::new(), Vec::new(), Vec::new());
    let (mut positions, mut said) = (Vec::with_capacity(8 * rows.len()), Vec::with_capacity(2 * rows.len()));
    for (position, ruling) in rows {
        let place = match places.get(ruling.right.as_str()) {
            Some(place) => *place,
            None => {
                let place = u16::try_from(places.len()).ok().filter(|place| *place < ROLLED_OUT)?;
                texts.extend_from_slice(ruling.right.as_bytes());
                ends.extend(u32::try_from(texts.len()).ok()?.to_le_bytes());
                places.insert(&ruling.right, place);
                place
            }
        };
        positions.extend(position.to_le_bytes());
        said.extend((place | if ruling.rollout { ROLLED_OUT } else { 0 }).to_le_bytes());
    }
    let counts = [u32::try_from(rows.len()).ok()?, u32::try_from(places.len()).ok()?];
    let counts: Vec<u8> = counts.into_iter().flat_map(u32::to_le_bytes).collect();
    Some([counts, positions, said, ends, texts].concat())
}

/// The bytes of a part, taken apart.
pub(super) struct Sayings<'a> {
    positions: &'a [[u8; 8]],
    said: &'a [[u8; 2]],
    ends: &'a [[u8; 4]],
    texts: &'a [u8],
}

impl<'a> Sayings<'a> {
    /// `None` where the bytes do not go with their counts.
    pub(super) fn of(bytes: &'a [u8]) -> Option<Self> {
        let (rows, rest) = count(bytes)?;
        let (rulings, rest) = count(rest)?;
        let (positions, rest) = cells(rest, rows)?;
        let (said, rest) = cells(rest, rows)?;
        let (ends, texts) = cells(rest, rulings)?;
        Some(Self { positions, said, ends, texts })
    }

    /// What is said of the positions that somebody `wants`, in the order of the rows; `None` where it cannot be told.
    pub(super) fn of_those(&self, wants: impl Fn(i64) -> bool) -> Option<Vec<(i64, Ruling)>> {
        let rows = self.positions.iter().zip(self.said);
        let wanted = rows.filter_map(|(position, said)| {
            let position = i64::from_le_bytes(*position);
            wants(position).then(|| Some((position, self.ruling(u16::from_le_bytes(*said))?)))
        });
        wanted.collect()
    }

    fn ruling(&self, said: u16) -> Option<Ruling> {
        let place = usize::from(said & !ROLLED_OUT);
        let end = |place: usize| usize::try_from(u32::from_le_bytes(*self.ends.get(place)?)).ok();
        let begin = place.checked_sub(1).map_or(Some(0), end)?;
        let right = std::str::from_utf8(self.texts.get(begin..end(place)?)?).ok()?;
        Some(Ruling { right: right.to_owned(), rollout: said & ROLLED_OUT != 0 })
    }
}

fn count(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (count, rest) = bytes.split_first_chunk::<4>()?;
    Some((usize::try_from(u32::from_le_bytes(*count)).ok()?, rest))
}

fn cells<const N: usize>(bytes: &[u8], count: usize) -> Option<(&[[u8; N]], &[u8])> {
    let (cells, rest) = bytes.split_at_checked(count.checked_mul(N)?)?;
    Some((cells.as_chunks::<N>().0, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<(i64, Ruling)> {
        let of = |position, right: &str, rollout| (position, Ruling { right: right.to_owned(), rollout });
        vec![
            of(7, "24/20 13/10", false),
            of(1, "no_double", true),
            of(7, "24/20 13/10", true),
            of(i64::MAX, "", false),
            of(7, "no_double", false),
        ]
    }

    #[test]
    fn what_was_packed_is_what_is_said_row_by_row() {
        let bytes = packed(&rows()).unwrap_or_default();
        let said = Sayings::of(&bytes).and_then(|said| said.of_those(|_| true));
        assert_eq!(said, Some(rows()));
        let some = Sayings::of(&bytes).and_then(|said| said.of_those(|position| position == 7));
        assert_eq!(some, Some(rows().into_iter().filter(|(position, _)| *position == 7).collect()));
        let none = packed(&[]).unwrap_or_default();
        assert_eq!(Sayings::of(&none).and_then(|said| said.of_those(|_| true)), Some(Vec::new()));
    }

    #[test]
    fn bytes_that_break_off_say_nothing() {
        let bytes = packed(&rows()).unwrap_or_default();
        for end in 0..bytes.len() {
            assert_eq!(Sayings::of(&bytes[..end]).and_then(|said| said.of_those(|_| true)), None, "{end}");
        }
    }

    #[test]
    fn more_rulings_than_there_are_places_are_not_packed() {
        let many = |rulings: i64| -> Vec<(i64, Ruling)> {
            (0..rulings).map(|at| (at, Ruling { right: at.to_string(), rollout: false })).collect()
        };
        assert!(packed(&many(1 << 15)).is_some());
        assert!(packed(&many((1 << 15) + 1)).is_none());
    }
}
