//! Numbers with what they count, as a terminal shows them: `1 match`, `0 matches`, `12 matches`.

use std::fmt::Display;

/// Words whose plural is not the word and an `s`.
const IRREGULAR: [(&str, &str); 3] = [("match", "matches"), ("new match", "new matches"), ("entry", "entries")];

/// A number and the word that fits it; `one` is what a single one is called.
#[must_use]
pub(super) fn amount<N: Display + PartialEq + From<u8>>(n: N, one: &str) -> String {
    if n == N::from(1) { format!("{n} {one}") } else { format!("{n} {}", many(one)) }
}

fn many(one: &str) -> String {
    let irregular = IRREGULAR.iter().find(|(word, _)| *word == one);
    irregular.map_or_else(|| format!("{one}s"), |(_, many)| (*many).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0_usize, 1, 2].map(|n| amount(n, "match")), ["0 matches", "1 match", "2 matches"]);
        assert_eq!([1_i64, -1].map(|n| amount(n, "decision")), ["1 decision", "-1 decisions"]);
        assert_eq!(amount(11_u64, "entry"), "11 entries");
    }
}
