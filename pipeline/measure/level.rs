//! Level bands of PR: a landmark of this product, not a published standard (`metrics.md` 2).

/// Upper bounds (excluded) and tokens, strongest first; past the last one a player is a beginner.
const BANDS: [(f64, &str); 5] =
    [(2.0, "world_class"), (4.0, "expert"), (6.0, "advanced"), (9.0, "intermediate"), (12.0, "casual")];

/// The band of an unrounded PR.
#[must_use]
pub fn level(pr: f64) -> &'static str {
    BANDS.iter().find(|(below, _)| pr < *below).map_or("beginner", |(_, token)| token)
}

#[cfg(test)]
mod tests {
    use super::level;

    #[test]
    fn upper_bounds_are_excluded() {
        for (pr, token) in [
            (0.0, "world_class"),
            (1.999_999, "world_class"),
            (2.0, "expert"),
            (4.0, "advanced"),
            (6.0, "intermediate"),
            (8.999, "intermediate"),
            (9.0, "casual"),
            (12.0, "beginner"),
            (80.0, "beginner"),
        ] {
            assert_eq!(level(pr), token, "{pr}");
        }
    }
}
