//! Plays matches of the built-in engine against simple players, and measures its speed.
//!
//! `cargo run --release -p engine --example match -- greedy 100`, `… depth3 200`, `… speed`.
#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

mod players;
mod referee;
mod speed;

use engine::builtin::{Level, Limits, Searcher};
use players::{Bot, Builtin, Greedy, Material, Player};
use rules::Position;
use rules::defender::RATED_START;

/// Positions the built-in engine may look at for a move: about a fiftieth of a second.
const NODES: u64 = 20_000;

const HELP: &str = "\
greedy [GAMES]    against a player of one ply
depth3 [GAMES]    against three plies of material
gmo [GAMES]       GMO chess against a player of one ply
defender [GAMES]  both phases of Defender against a player of one ply who places by chance
levels [GAMES]    each level against the one below
speed             positions a second";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let games = arguments.next().and_then(|text| text.parse().ok());
    let chess = Position::standard();
    match what.as_str() {
        "greedy" => test(&mut Greedy, &chess, games.unwrap_or(100)),
        "depth3" => test(&mut Material { depth: 3 }, &chess, games.unwrap_or(200)),
        "gmo" => test(&mut Greedy, &Position::gmo_default(), games.unwrap_or(40)),
        "defender" => {
            let start = Position::from_fen_defender(RATED_START).expect("a start of the rules");
            test(&mut Greedy, &start, games.unwrap_or(40));
        }
        "levels" => compare_levels(&chess, games.unwrap_or(20)),
        "speed" => speed::measure(),
        _ => println!("{HELP}"),
    }
}

/// A match of the engine at full strength.
fn test(other: &mut dyn Player, start: &Position, games: u32) {
    let mut builtin = Builtin { searcher: Searcher::new(16), limits: Limits::nodes(NODES) };
    let tally = referee::play_match(&mut builtin, other, start, games, |tally| {
        if tally.games().is_multiple_of(20) {
            println!("{tally}");
        }
    });
    println!("all: {tally}");
}

fn compare_levels(start: &Position, games: u32) {
    // The two strongest differ in time alone, and theirs would take minutes a game.
    let limits = Limits::nodes(4 * NODES);
    let bot = |level| Bot { searcher: Searcher::new(16), level, limits };
    let levels: Vec<Level> = Level::all().take(7).collect();
    for pair in levels.windows(2) {
        let (weak, strong) = (pair[0], pair[1]);
        let tally = referee::play_match(&mut bot(strong), &mut bot(weak), start, games, |_| ());
        println!("level {} against {}: {tally}", strong.number(), weak.number());
    }
}
