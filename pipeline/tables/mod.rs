//! The tables: what columns there are, and how rows become Parquet and come back.
//!
//! Schemas are declared here and nowhere else ([`facts`], [`partials`], [`marts`]); the writer, the reader, the
//! validator and the data dictionary are made from them. This room knows no backgammon.

pub mod facts;
pub mod marts;
pub mod partials;
pub mod row;
