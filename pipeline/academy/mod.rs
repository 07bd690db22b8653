//! The Academy: playing knowledge that many players share, kept across nights.
//!
//! The core knows no game. An adapter cuts games into [`contest::Contest`]s; the core files them into an opening tree
//! and two libraries of local patterns, rates the players and says what it would have advised. It refuses floats in
//! what is stored: values are billionths, Elo millionths, sums exact integers, so nothing hangs on history or on the
//! order of summing beyond the order of the contests itself. The rules are those of LUDAE's Academy (2002),
//! with the limits named beside each.
//!
//! - [`contest`], [`area`], [`alphabet`], [`units`]: the input, down to its symbols and scales.
//! - [`backgammon`], [`contest_file`], [`draughts`]: the adapters that make contests.
//! - [`seen`], [`flat`]: the input as filing reads it, and as it is kept between cutting and filing.
//! - [`turn`], [`text`]: a pattern seen by the other player, and as text.
//! - [`settings`]: what was written, and the bylaws that hold.
//! - [`merge`], [`votes`], [`library`]: what a proposal makes of the patterns that are known.
//! - [`tree`]: the opening.
//! - [`lengths`], [`judge`], [`consult`]: phases, what is posted, what would have been advised.
//! - [`atlas`]: which of the patterns in the tables covers an area.
//! - [`rating`], [`measures`]: players and game in figures.
//! - [`engine`]: the [`Academy`] itself; [`rows`] what it tells, [`save`] how it is put away and taken up again.

pub mod alphabet;
pub mod area;
pub mod atlas;
pub mod backgammon;
pub mod consult;
pub mod contest;
pub mod contest_file;
pub mod draughts;
pub mod engine;
pub mod flat;
pub mod judge;
pub mod lengths;
pub mod library;
pub mod measures;
pub mod merge;
mod pack;
pub mod rating;
mod roster;
pub mod rows;
pub mod save;
pub mod seen;
pub mod settings;
mod shelf;
pub mod text;
pub mod tree;
pub mod turn;
pub mod units;
pub mod votes;

pub use engine::{Academy, Report};
pub use roster::Seeds;
