//! The Academy in the pipeline: the same tables whatever happened on the way to them, and the figures of the page.

mod alone;
mod choices;
mod input;
mod nights;
mod published;
