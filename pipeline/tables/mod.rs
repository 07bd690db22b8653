//! The tables: what columns there are, and how rows become Parquet and come back.
//!
//! Schemas are declared in [`facts`], [`study`], [`partials`], [`marts`], [`study_marts`] and [`academy`] and nowhere else;
//! [`dimension`] holds the words of the cells. [`catalogue`] lists the tables, and the writer, the reader, the checks,
//! the data dictionary and the SQL views are made from that list; [`changes`] tells two snapshots apart. Files are parts ([`part`]) that never change;
//! [`lake`] says where they lie, [`snapshot`] how a night's parts become the ones that count. This room knows no
//! backgammon beyond what a column means.

pub mod academy;
#[cfg(feature = "tables")]
mod batches;
pub mod bucket;
pub mod catalogue;
pub mod changes;
#[cfg(feature = "tables")]
pub mod check;
#[cfg(feature = "tables")]
pub mod columns;
pub mod dictionary;
pub mod digest;
pub mod dimension;
#[cfg(feature = "tables")]
pub mod durable;
#[cfg(feature = "tables")]
mod encoder;
pub mod facts;
pub mod fault;
#[cfg(feature = "tables")]
pub mod groups;
pub mod kept;
pub mod lake;
pub mod marts;
#[cfg(feature = "tables")]
pub mod merge;
#[cfg(feature = "tables")]
pub mod part;
pub mod partials;
#[cfg(feature = "tables")]
mod prune;
pub mod row;
#[cfg(feature = "tables")]
pub mod sealed;
#[cfg(feature = "tables")]
pub mod snapshot;
#[cfg(feature = "tables")]
pub mod sorted;
#[cfg(feature = "tables")]
mod source;
#[cfg(feature = "tables")]
pub mod strata;
pub mod study;
pub mod study_marts;
pub mod views;

pub use fault::TableFault;
