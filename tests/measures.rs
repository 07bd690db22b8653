//! The figures of players are those of the definition: the fixture M7, the edge cases, and a slow computation that
//! shares no code with the fast one.
//!
//! Where each section of `metrics.md` is proved:
//!
//! | section | by its own tables and edges | by plain loops over a season |
//! |---|---|---|
//! | 3 error, loss, counted | [`crate::rating`], [`crate::gnubg_statistics`], [`crate::parity`] | |
//! | 4 to 9 PR, Snowie, L7, difficulty, intervals | [`m7`], [`pools`], [`edges`], unit tests of `measure/interval.rs` | `slow::figures` |
//! | 10 match review, luck, pace | [`m7`], [`crate::study`] | `slow::figures`, `slow::lessons` |
//! | 11 outcome, luck | [`m7`], [`edges`], [`crate::formats_xg`] | `slow::figures` |
//! | 12 study plan, recurring errors | [`crate::study`] | `slow::lessons`, `night::queries` |
//! | 13 reference positions | [`crate::study`] | `slow::positions` |
//! | 14 before and after | [`crate::before_after`], [`studied`] | `slow::lessons` |
//! | 15 signed biases | [`crate::biases`] | `slow::spread`, `night::queries` |
//! | 16 tournament | [`crate::tournament`] | `slow::tournament` |
//! | 17 players, standings | [`pools`], unit tests of `measure/standings.rs` | `slow::figures` |
//! | 18 other aggregates | [`crate::aggregates`] | `slow::spread` |
//! | 19 edge cases | [`matrix`], [`edges`] | |
//! | 21 fixture | [`m7`], [`crate::rating`] | |

mod edges;
#[cfg(feature = "measures")]
mod figures;
mod m7;
mod made;
mod matrix;
mod pools;
#[cfg(feature = "measures")]
mod slow;
mod studied;
