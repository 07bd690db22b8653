//! The program `portes`: parse, run, exit code.

use clap::Parser as _;
use mimalloc::MiMalloc;
use portes::config::typed::Typed;
use std::process::ExitCode;

/// A run makes and frees millions of small things on two threads; the system's allocator takes longer over it and keeps a
/// third more memory.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let typed = Typed::parse();
    ExitCode::from(portes::night::command(&typed).code())
}
