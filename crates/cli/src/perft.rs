//! `rookery perft`: counts the sequences of moves from a position, to compare with other programs.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use rules::position::{divide, perft};
use rules::{Position, Setup, Variant};

use crate::print_line;

#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// The position: a FEN (Defender: seven fields; GMO: its position form), or `startpos`
    #[arg(value_name = "FEN")]
    position: String,
    /// How many plies
    #[arg(value_name = "DEPTH")]
    depth: u32,
    /// Which game
    #[arg(long, default_value = "standard")]
    variant: VariantName,
    /// Also print the count behind every first move
    #[arg(long)]
    divide: bool,
}

/// The games by the names people type.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum VariantName {
    Standard,
    Chess960,
    Defender,
    Gmo,
}

impl From<VariantName> for Variant {
    fn from(name: VariantName) -> Variant {
        match name {
            VariantName::Standard => Variant::Standard,
            VariantName::Chess960 => Variant::Chess960,
            VariantName::Defender => Variant::Defender,
            VariantName::Gmo => Variant::Gmo,
        }
    }
}

pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let position = read_position(&args.position, args.variant.into())?;
    if args.divide && args.depth > 0 {
        for (action, count) in divide(&position, args.depth) {
            print_line(&format!("{action}: {count}"))?;
        }
    }
    print_line(&perft(&position, args.depth).to_string())
}

fn read_position(text: &str, variant: Variant) -> anyhow::Result<Position> {
    let start = (text != "startpos").then(|| text.to_owned());
    if variant == Variant::Gmo && start.is_none() {
        return Ok(Position::gmo_default());
    }
    let setup = Setup { variant, start, ..Setup::default() };
    let (position, _) = setup.position().with_context(|| format!("{text:?} is no position"))?;
    Ok(position)
}
