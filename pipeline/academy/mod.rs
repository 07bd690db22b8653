//! The Academy: playing knowledge that many players share, kept across nights.
//!
//! The core knows no game. An adapter cuts games into [`contest::Contest`]s; the core files them into an opening tree
//! and two libraries of local patterns, rates the players and says what it would have advised. It refuses floats in
//! what is stored: values are billionths, Elo millionths, sums exact integers, so nothing hangs on history or on the
//! order of summing beyond the order of the contests itself. The rules are those of João Pedro Neto's LUDAE (2002),
//! with the limits named beside each.
//!
//! - [`alphabet`]: the eleven symbols, as sets of contents.
//! - [`area`]: a named part of a board and what lies on it.
//! - [`contest`]: the input; [`backgammon`], [`contest_file`] and [`draughts`] are the adapters that make it.
//! - [`units`]: values, Elo and costs as whole numbers.

pub mod alphabet;
pub mod area;
pub mod backgammon;
pub mod contest;
pub mod contest_file;
pub mod draughts;
pub mod units;
