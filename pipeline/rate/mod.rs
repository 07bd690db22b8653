//! One decision's facts and candidates -> error, counted?, loss, difficulty, plan, theme.
