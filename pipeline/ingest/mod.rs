//! One reader per format; every file becomes the same [`record::Record`], or is rejected with a reason.

pub mod facts;
pub mod outcome;
pub mod record;
pub mod xg;
pub mod sgf;
