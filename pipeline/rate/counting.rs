//! Which decisions count in PR and in all that follows (`metrics.md` 3.5 and 3.6).
//!
//! Every comparison is made on the stored integers. The window is XG's: with it XG's own counts come out exactly.

use crate::game::Equity;
use crate::game::cube::CubeEquities;

/// Width of the counting window of a no double, 0.200, less the guard of 1e-7: a difference that is 0.200 but for
/// binary noise lies outside.
const WINDOW: Equity = Equity::from_units(19_999_990);

/// Whether a checker play is forced, that is costs nothing whatever is played: at most one legal play; or every legal
/// play is among the candidates and all show one equity at three decimals; or, where the legal plays are not known,
/// one candidate. `equities` are those of the candidates that have one.
#[must_use]
pub fn is_forced(legal_plays: Option<i64>, equities: &[Equity]) -> bool {
    let listed = i64::try_from(equities.len()).unwrap_or(i64::MAX);
    match legal_plays {
        Some(..=1) => true,
        Some(legal) => listed >= legal && alike(equities),
        None => listed == 1,
    }
}

/// One equity at three decimals, each rounded half away from zero.
fn alike(equities: &[Equity]) -> bool {
    equities.windows(2).all(|pair| thousandths(pair[0]) == thousandths(pair[1]))
}

/// Plain rounding of a figure for display; the guard of [`Equity::mpt`] belongs to differences.
const fn thousandths(equity: Equity) -> i64 {
    let size = (equity.units().abs() + 50_000) / 100_000;
    if equity.units() < 0 { -size } else { size }
}

/// Whether a no double by a player with access to the cube counts: he is not behind, and doubling would have been
/// within 0.200 of playing on. It is the value of doubling that is compared, so that a position too good to double
/// counts while it is near cashing.
#[must_use]
pub fn in_window(cube: CubeEquities) -> bool {
    cube.nd > Equity::ZERO && cube.nd - cube.doubled() < WINDOW
}
