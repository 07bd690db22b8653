//! Snowie error rate: the older scale, errors per roll of the match (`metrics.md` 5).
//!
//! 500 × errors of all his rated decisions, counted or not, over the rated checker plays of **both** players, forced
//! plays and dances included. The denominator is the match's, so the two players' rates of one match add up.

/// 500 per equity, 0.5 per thousandth.
const PER_MPT: f64 = 0.5;

/// What one side lost, and over what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Errors of all his rated decisions, mpt.
    pub rated_mpt: i64,
    /// His rated decisions.
    pub rated: i64,
    /// Rated checker plays of both players in the same matches.
    pub rolls_of_both: i64,
}

/// The rate; absent when nobody's play was rated, and for a side none of whose decisions was: half an analysis makes no
/// perfect player.
#[must_use]
pub fn error_rate(played: Played) -> Option<f64> {
    if played.rolls_of_both == 0 || played.rated == 0 {
        return None;
    }
    Some(PER_MPT * played.rated_mpt as f64 / played.rolls_of_both as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::near;

    #[test]
    fn the_two_players_rates_add_up() -> Result<(), String> {
        let of = |rated_mpt| error_rate(Played { rated_mpt, rated: 70, rolls_of_both: 60 + 58 }).ok_or("absent");
        near(of(240)?, 1.016_949, 1e-6)?;
        near(of(310)?, 1.313_559, 1e-6)?;
        near(of(550)?, 2.330_508, 1e-6)
    }

    #[test]
    fn without_rated_plays_there_is_no_rate() {
        assert_eq!(error_rate(Played { rated_mpt: 0, rated: 0, rolls_of_both: 0 }), None);
        assert_eq!(error_rate(Played { rated_mpt: 0, rated: 0, rolls_of_both: 40 }), None);
        assert_eq!(error_rate(Played { rated_mpt: 0, rated: 3, rolls_of_both: 40 }), Some(0.0));
    }
}
