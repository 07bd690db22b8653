//! The order of rounds: text whose digits are read as numbers, so that "Round 2" comes before "Round 10".

/// A round's name, ordered for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Round {
    pieces: Vec<Piece>,
    /// As written: two spellings of one number ("1", "01") are still two rounds, always in the same order.
    written: String,
}

/// Digits come before text, as they do among characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Piece {
    /// Its value: the number of digits without leading zeros, then the digits. No length of digits overflows.
    Number(usize, String),
    Text(String),
}

impl Round {
    /// Of a name; no name comes first.
    #[must_use]
    pub fn of(name: Option<&str>) -> Self {
        let written = name.unwrap_or_default();
        let mut pieces = Vec::new();
        let mut rest = written;
        while let Some(first) = rest.chars().next() {
            let digits = first.is_ascii_digit();
            let end = rest.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(rest.len());
            let (piece, after) = rest.split_at(end);
            pieces.push(if digits { number(piece) } else { Piece::Text(piece.to_owned()) });
            rest = after;
        }
        Self { pieces, written: written.to_owned() }
    }
}

fn number(digits: &str) -> Piece {
    let digits = digits.trim_start_matches('0');
    Piece::Number(digits.len(), digits.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Round;

    #[test]
    fn digits_are_numbers() {
        let mut rounds = ["Round 10", "", "Final", "Round 2", "Round 02", "Night 3, table 12", "Night 3, table 4", "7"];
        rounds.sort_by_key(|name| Round::of(Some(name)));
        let expected = ["", "7", "Final", "Night 3, table 4", "Night 3, table 12", "Round 02", "Round 2", "Round 10"];
        assert_eq!(rounds, expected);
        assert!(Round::of(Some("99999999999999999999999")) < Round::of(Some("100000000000000000000000")));
    }
}
