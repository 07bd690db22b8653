//! The figures of players are those of the definition: the fixture M7, the edge cases, and a slow computation that
//! shares no code with the fast one.

mod edges;
mod m7;
mod made;
mod matrix;
#[cfg(feature = "measures")]
mod plan;
mod pools;
#[cfg(feature = "measures")]
mod slow;
