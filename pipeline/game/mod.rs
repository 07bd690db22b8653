//! Backgammon itself: units, board, dice, plays, score, cube, match equity.
//!
//! This room is pure. It reads no file, knows no format and no table, and uses nobody. What it owns is the geometry of
//! the board and the arithmetic of match winning chances; what it refuses is any figure that somebody else computed
//! (equities, luck, times), which come from the files through `ingest`.
//!
//! The invariant kept here: a [`Board`] is always a board that can stand on a table (at most fifteen checkers a side,
//! signs of the bars right), always seen from the player who decides.

pub mod board;
pub mod cube;
pub mod dice;
pub mod distance;
pub mod gnuid;
pub mod key;
pub mod kind;
pub mod legal;
pub mod met;
pub mod ogid;
pub mod play;
pub mod score;
pub mod units;
pub mod xgid;

pub use board::Board;
pub use cube::{Cube, Owner};
pub use dice::Dice;
pub use kind::{CubeAction, Kind};
pub use play::{Play, Step};
pub use score::{Length, Regime, Score, Seat};
pub use units::{Equity, Mpt, Mwc, Probability};
