//! What the product promises: one test program, a module per promise.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "tests say what they expect")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tables of expected and got are a test's output")]

mod formats_mat;
mod formats_sgf;
mod formats_xg;
mod game_rules;
mod gnubg_statistics;
mod identity;
mod measures;
mod pages;
mod parity;
mod rating;
mod study;
mod support;
mod tables;
