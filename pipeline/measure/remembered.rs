//! What is remembered of a bucket from night to night: everybody's sums of it, and of each of its matches what the marts of
//! its own players are made of.
//!
//! Somebody's marts are made of all his matches, and these lie scattered over the buckets of a season. In the parts they
//! would have to be looked for table by table, among the rows of everybody; here they are found by a list of whose they
//! are, and what nobody asks for is passed over undecoded. It only saves time: what does not decode is as if it were not
//! there, and the parts are read.

use serde::{Deserialize, Serialize};

/// A match, and how much is remembered of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Slot<'a> {
    /// Identity.
    pub(super) match_id: &'a str,
    /// Canonical names by seat.
    pub(super) players: [&'a str; 2],
    bytes: usize,
}

/// Sums of everybody, and what lies in the slots.
#[derive(Debug)]
pub(super) struct Remembered<'a, S> {
    pub(super) everybody: S,
    slots: Vec<Slot<'a>>,
    rest: &'a [u8],
}

/// Bytes of the number before all that says where the matches begin.
const LENGTH: usize = size_of::<u64>();

/// Puts a bucket away: the sums, then each match with its players. Nothing when it cannot be encoded.
pub(super) fn remember<'a, T: Serialize>(
    everybody: &impl Serialize,
    matches: impl Iterator<Item = (&'a str, &'a [String; 2], T)>,
) -> Vec<u8> {
    let encode = || {
        let (mut slots, mut rest) = (Vec::new(), Vec::new());
        for (match_id, players, what) in matches {
            let before = rest.len();
            rmp_serde::encode::write(&mut rest, &what)?;
            let players = players.each_ref().map(String::as_str);
            slots.push(Slot { match_id, players, bytes: rest.len() - before });
        }
        let mut bytes = vec![0; LENGTH];
        rmp_serde::encode::write(&mut bytes, &(everybody, slots))?;
        let length = (bytes.len() - LENGTH) as u64;
        bytes[..LENGTH].copy_from_slice(&length.to_le_bytes());
        bytes.append(&mut rest);
        Ok::<_, rmp_serde::encode::Error>(bytes)
    };
    encode().unwrap_or_default()
}

impl<'a, S: Deserialize<'a>> Remembered<'a, S> {
    /// Takes it up again; `None` when it is damaged.
    pub(super) fn of(memory: &'a [u8]) -> Option<Self> {
        let (length, rest) = memory.split_first_chunk::<LENGTH>()?;
        let (first, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        let (everybody, slots): (S, Vec<Slot<'_>>) = rmp_serde::from_slice(first).ok()?;
        let whole = slots.iter().map(|slot| slot.bytes).sum::<usize>() == rest.len();
        whole.then_some(Self { everybody, slots, rest })
    }

    /// Every match with what is remembered of it, where somebody `wants` that; `None` when it is damaged.
    pub(super) fn matches<T: Deserialize<'a>>(
        &self,
        wants: impl Fn(&Slot<'a>) -> bool,
    ) -> Option<Vec<(&Slot<'a>, Option<T>)>> {
        let mut rest = self.rest;
        let next = |slot: &'_ Slot<'a>| {
            let (own, after) = rest.split_at_checked(slot.bytes)?;
            rest = after;
            if wants(slot) { rmp_serde::from_slice(own).ok().map(Some) } else { Some(None) }
        };
        let all: Option<Vec<Option<T>>> = self.slots.iter().map(next).collect();
        Some(self.slots.iter().zip(all?).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_away_is_found_by_whose_it_is_and_damage_is_seen() {
        let players = [["Ada", "Bo"], ["Bo", "Cy"], ["Ada", "Cy"]].map(|pair| pair.map(str::to_owned));
        let matches = ["m1", "m2", "m3"].into_iter().zip(&players).zip([vec![1_i64], vec![], vec![7, 300_000]]);
        let memory = remember(&"sums", matches.map(|((id, players), what)| (id, players, what)));
        let of_ada = |memory: &[u8]| {
            let remembered = Remembered::<String>::of(memory)?;
            let matches = remembered.matches::<Vec<i64>>(|slot| slot.players.contains(&"Ada"))?;
            let told = matches.into_iter().map(|(slot, what)| (slot.match_id.to_owned(), what)).collect::<Vec<_>>();
            Some((remembered.everybody, told))
        };
        let told = [("m1", Some(vec![1])), ("m2", None), ("m3", Some(vec![7, 300_000]))];
        let told = told.map(|(id, what)| (id.to_owned(), what)).to_vec();
        assert_eq!(of_ada(&memory), Some(("sums".to_owned(), told)));
        assert_eq!(of_ada(&memory[..memory.len() - 1]), None);
        assert_eq!(of_ada(&[]), None);
    }
}
