//! Plays matches of the built-in engine against two simple players, and measures its speed.
//!
//! `cargo run --release -p engine --example match -- greedy 100`, `… depth3 200`, `… speed`.
#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

mod players;
mod referee;
mod speed;

use engine::builtin::{Limits, Searcher};
use players::{Builtin, Greedy, Material, Player};

/// Positions the built-in engine may look at for a move: about a fiftieth of a second.
const NODES: u64 = 20_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let number = arguments.next().and_then(|text| text.parse().ok());
    match what.as_str() {
        "greedy" => play_match(&mut Greedy, number.unwrap_or(100)),
        "depth3" => play_match(&mut Material { depth: 3 }, number.unwrap_or(200)),
        "speed" => speed::measure(),
        _ => println!("greedy [GAMES] | depth3 [GAMES] | speed"),
    }
}

fn play_match(other: &mut dyn Player, games: u32) {
    let mut builtin = Builtin { searcher: Searcher::new(16), limits: Limits::nodes(NODES) };
    let tally = referee::play_match(&mut builtin, other, games, |tally| {
        if tally.games().is_multiple_of(20) {
            println!("{tally}");
        }
    });
    println!("{tally}");
}
