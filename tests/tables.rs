//! What is written is read again, says what it is, and is published whole or not at all.
#![cfg(feature = "tables")]

mod checks;
mod lakes;
mod parts;
mod rows;
mod words;
