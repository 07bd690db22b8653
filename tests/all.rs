//! What the product promises: one test program, a module per promise.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "tests say what they expect")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::type_complexity,
    reason = "tests cast numbers they made themselves"
)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tables of expected and got are a test's output")]

mod academy;
mod academy_adapters;
#[cfg(feature = "measures")]
mod academy_stage;
mod aggregates;
mod before_after;
mod biases;
mod formats_mat;
mod formats_sgf;
mod formats_xg;
mod game_rules;
mod gnubg_statistics;
mod identity;
mod measures;
#[cfg(feature = "measures")]
mod mutation;
#[cfg(feature = "measures")]
mod night;
mod pages;
mod parity;
mod rating;
mod study;
#[cfg(feature = "measures")]
mod study_snapshot;
mod support;
mod tables;
mod tournament;
