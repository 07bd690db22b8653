//! The program `portes`.

fn main() {}
