//! The program `portes`: parse, run, exit code.

use clap::Parser as _;
use portes::config::typed::Typed;
use std::process::ExitCode;

fn main() -> ExitCode {
    let typed = Typed::parse();
    ExitCode::from(portes::night::command(&typed).code())
}
