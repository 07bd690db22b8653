//! What a word that nobody knows was probably meant to be.

/// Typing mistakes that still let a word be recognised.
const SLIPS: usize = 3;

/// The known word that an unknown one was probably meant to be; ties go to the first in code-point order.
pub(crate) fn nearest<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known.map(|word| (distance(unknown, word), word)).filter(|&(far, _)| far <= SLIPS).min().map(|(_, word)| word)
}

/// Levenshtein's distance, in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitute = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}
