//! The one binary: reads the configuration, builds the rest, runs it.

fn main() {}
