//! Portes: analysed backgammon matches in, study reports out.
//!
//! The rooms, in the order the data walks:
//!
//! - [`game`]: backgammon itself, pure and free of I/O.
//! - [`ingest`]: one reader per format; every file becomes a [`ingest::record::Record`] or is rejected with a reason.
//! - [`rate`]: a pure function from one match's facts to errors, counts, losses and difficulties.
//! - [`tables`]: schemas in one place, Parquet writing and reading.
//! - [`measure`]: one file per question; sums in, figures out.
//! - [`academy`]: playing knowledge shared across nights; its core knows no game.
//! - [`report`]: pages, boards and charts; it formats and lays out.
//! - [`config`]: what was typed and written, and what holds.
//! - [`exit`]: the contract with the shell.
//! - [`night`]: the run; the only room that uses all the others.

pub mod academy;
#[cfg(feature = "measures")]
pub mod config;
pub mod exit;
pub mod game;
pub mod ingest;
pub mod measure;
#[cfg(feature = "measures")]
pub mod night;
pub mod rate;
pub mod report;
mod spelling;
pub mod tables;
