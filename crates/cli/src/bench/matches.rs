//! `rookery bench engines --matches`: the built-in engine against players whose strength everybody can judge.

#[path = "../../../engine/examples/match/players.rs"]
#[allow(dead_code, reason = "the example plays more matches than these")]
mod players;
#[path = "../../../engine/examples/match/referee.rs"]
mod referee;

use engine::builtin::{Limits, Searcher};
use rules::Position;
use serde::Serialize;

use players::{Builtin, Greedy, Material, Player};

/// Positions the engine may look at for a move: about a fiftieth of a second.
const NODES: u64 = 20_000;
const HASH_MB: usize = 16;

/// How a match ended, as the engine sees it.
#[derive(Debug, Serialize)]
pub(super) struct Match {
    against: &'static str,
    wins: u32,
    draws: u32,
    losses: u32,
    /// By how much it is stronger.
    elo: f64,
}

impl std::fmt::Display for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Match { against, wins, draws, losses, elo } = self;
        write!(f, "against {against}: {wins} won, {draws} drawn, {losses} lost: Elo {elo:+.0}")
    }
}

/// Both matches, with a share of their games: 100 and 200 for the whole.
pub(super) fn play(percent: u32) -> Vec<Match> {
    let games = |whole: u32| (whole * percent / 100).max(2);
    vec![
        play_one("a greedy player of one ply", &mut Greedy, games(100)),
        play_one("three plies of material", &mut Material { depth: 3 }, games(200)),
    ]
}

fn play_one(against: &'static str, other: &mut dyn Player, games: u32) -> Match {
    let searcher = Searcher::new(HASH_MB);
    let mut builtin = Builtin { searcher, limits: Limits::nodes(NODES) };
    let start = Position::standard();
    let tally = referee::play_match(&mut builtin, other, &start, games, |_| ());
    let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
    Match { against, wins, draws, losses, elo: tally.elo().round() }
}
