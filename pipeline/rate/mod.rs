//! One decision's facts and candidates -> error, counted?, loss, difficulty, plan, theme.

pub mod phase;
pub mod plan;
