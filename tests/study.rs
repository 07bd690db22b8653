//! What to study: reviews, plans, recurring errors and reference positions come out as the definition says
//! (`metrics.md` 10.1, 12, 13, 19), as its worked tables, as a second, slow reading of it, and from a snapshot.

mod agreement;
mod errors;
mod made;
#[cfg(feature = "measures")]
mod marts;
mod plans;
mod positions;
mod slow;
