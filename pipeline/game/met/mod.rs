//! Match equity: what a score is worth, and what an error costs in match winning chances (`met.md`).
//!
//! This module owns one table, Kazaross-XG2 up to 25 points and Zadeh's formula from there to 64, and everything that
//! is read off it: the worth of a score at the start and after a game, and the two ends W and L of a game from which
//! every conversion follows. It refuses to guess: money play, a score outside 1 to 64 away, and a score whose two ends
//! cannot be told apart have no factor, and what depends on it is absent.
//!
//! The explicit figures are read and proven ([`explicit`]) while the crate is compiled: a damaged data file is a build
//! that fails, never a run that does.

pub mod explicit;
pub mod zadeh;

use super::{Equity, Mwc, Regime, Score};
use explicit::{EXPLICIT, Explicit};
use std::sync::OnceLock;

/// Name and version of the table, written with everything that depends on it: another table changes every MWC figure.
pub const NAME: &str = "kazaross-xg2+zadeh64";

/// The notice that goes with every copy of the table, a binary that embeds it included.
pub const NOTICE: &str = include_str!("../../../data/met/kazaross-xg2.NOTICE.txt");

/// The largest away score of the table.
pub const SIZE: usize = 64;

/// Below this difference the two ends of a game are the same match winning chances, and nothing can be divided by it
/// (`met.md` 5.1). The merged table meets it only past 61-away against a player who is nearly home.
const FLAT: f64 = 1e-7;

const KAZAROSS_XG2: Explicit = match explicit::read(include_str!("../../../data/met/kazaross-xg2.csv")) {
    Ok(table) => table,
    #[allow(clippy::panic, reason = "evaluated by the compiler only: a table that does not hold stops the build")]
    Err(_) => panic!("data/met/kazaross-xg2.csv does not hold what met.md 1 demands"),
};

/// A match equity table for 1 to 64 points, as fractions of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Met {
    /// `pre[a - 1][b - 1]`: the player who needs `a` against `b`, in a game that is not post-Crawford.
    pre: Vec<[f64; SIZE]>,
    /// `post[n - 1]`: the trailer who needs `n` at the start of a post-Crawford game.
    post: [f64; SIZE],
}

impl Met {
    /// The table every figure of this product is made with ([`NAME`]).
    #[must_use]
    pub fn kazaross_xg2() -> &'static Self {
        static TABLE: OnceLock<Met> = OnceLock::new();
        TABLE.get_or_init(|| Self::zadeh_64().overwritten_by(&KAZAROSS_XG2))
    }

    /// The pure formula, before the explicit figures are laid over it.
    #[must_use]
    pub fn zadeh_64() -> Self {
        zadeh::table()
    }

    fn overwritten_by(mut self, explicit: &Explicit) -> Self {
        for a in 0..EXPLICIT {
            for b in 0..EXPLICIT {
                self.pre[a][b] = fraction(explicit.pre[a][b]);
            }
            self.post[a] = fraction(explicit.post[a]);
        }
        self
    }

    /// MWC of the player who needs `a` against `b` at the start of a game that is not post-Crawford (rows and columns
    /// of 1 are the Crawford game); `None` outside 1 to 64.
    #[must_use]
    pub fn pre(&self, a: u32, b: u32) -> Option<f64> {
        self.pre.get(index(a)?)?.get(index(b)?).copied()
    }

    /// MWC of the trailer who needs `n` at the start of a post-Crawford game; `None` outside 1 to 64.
    #[must_use]
    pub fn post(&self, n: u32) -> Option<f64> {
        self.post.get(index(n)?).copied()
    }

    /// MWC of the decider at the start of the game (`met.md` 3); `None` for money and outside the table.
    #[must_use]
    pub fn start(&self, score: Score) -> Option<f64> {
        let (a, b) = covered(score)?;
        match (score.regime, a, b) {
            (Regime::PostCrawford, _, 1) => self.post(a),
            (Regime::PostCrawford, 1, _) => Some(1.0 - self.post(b)?),
            _ => self.pre(a, b),
        }
    }

    /// MWC of the decider after he won `won` points (lost them when negative), by the score before the game
    /// (`met.md` 4). Points beyond what is needed are lost. `None` for money, outside the table, and for 0 points: no
    /// game ends so.
    #[must_use]
    pub fn after(&self, score: Score, won: i64) -> Option<f64> {
        let (a, b) = covered(score)?;
        if won == 0 {
            return None;
        }
        let left = |away: u32, points: i64| u32::try_from(i64::from(away).saturating_sub(points)).unwrap_or(0);
        let (own, opponent) = (left(a, won.max(0)), left(b, won.saturating_neg().max(0)));
        if own == 0 {
            return Some(1.0);
        }
        if opponent == 0 {
            return Some(0.0);
        }
        // Somebody was at 1-away before this game, so the next one is post-Crawford.
        match (a == 1 || b == 1, own, opponent) {
            (true, 1, _) => Some(1.0 - self.post(opponent)?),
            (true, _, 1) => self.post(own),
            _ => self.pre(own, opponent),
        }
    }

    /// The two ends of a game at this score and cube, from which all conversions follow (`met.md` 5.1). `cube` is the
    /// value before the action judged, also for a take or a pass. `None` where MWC does not exist: money, an away
    /// score outside 1 to 64, ends that cannot be told apart.
    #[must_use]
    pub fn factor(&self, score: Score, cube: u32) -> Option<Factor> {
        let stake = i64::from(cube);
        let factor = Factor { win: self.after(score, stake)?, lose: self.after(score, -stake)? };
        (factor.win - factor.lose >= FLAT).then_some(factor)
    }
}

/// MWC of the decider when he wins, and when he loses, the cube in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor {
    /// W.
    pub win: f64,
    /// L.
    pub lose: f64,
}

impl Factor {
    /// K: MWC of one EMG. The same from either side.
    #[must_use]
    pub fn k(self) -> f64 {
        (self.win - self.lose) / 2.0
    }

    /// MWC, a fraction of a match, of an equity in EMG.
    #[must_use]
    pub fn to_mwc(self, equity: f64) -> f64 {
        0.5 * (equity * (self.win - self.lose) + (self.win + self.lose))
    }

    /// EMG of match winning chances given as a fraction of a match.
    #[must_use]
    pub fn to_emg(self, mwc: f64) -> f64 {
        (2.0 * mwc - (self.win + self.lose)) / (self.win - self.lose)
    }

    /// What an error, or any difference of two equities of one position, costs in MWC: error x K, rounded once to
    /// 1e-9. `None` beyond one whole match, which only a damaged equity can reach.
    #[must_use]
    pub fn loss(self, error: Equity) -> Option<Mwc> {
        Mwc::from_f64(error.to_f64() * self.k())
    }
}

/// Both away scores when the table covers them.
fn covered(score: Score) -> Option<(u32, u32)> {
    let (a, b) = (score.own_away, score.opponent_away);
    (score.regime != Regime::Money && index(a).is_some() && index(b).is_some()).then_some((a, b))
}

fn index(away: u32) -> Option<usize> {
    usize::try_from(away).ok()?.checked_sub(1).filter(|&i| i < SIZE)
}

/// The f64 nearest to the decimal of the data file: both operands are exact and one division rounds once.
fn fraction(units: i64) -> f64 {
    Mwc::from_units(units).to_f64()
}
