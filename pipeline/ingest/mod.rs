//! One reader per format; every file becomes the same [`record::Record`], or is rejected with a reason.

pub mod record;
pub mod sgf;
