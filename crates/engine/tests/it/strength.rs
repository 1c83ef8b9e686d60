//! A small version of the matches that `examples/match` plays.

use engine::builtin::{Limits, Searcher};

use crate::players::{Builtin, Greedy, Material, Player};
use crate::referee::{Tally, play_match};

fn play(other: &mut dyn Player, games: u32) -> Tally {
    let mut builtin = Builtin { searcher: Searcher::new(4), limits: Limits::nodes(4_000) };
    play_match(&mut builtin, other, games, |_| ())
}

#[test]
fn the_engine_wins_every_game_against_a_greedy_player() {
    let tally = play(&mut Greedy, 10);
    assert_eq!(tally.wins, tally.games(), "{tally}");
}

#[test]
fn the_engine_is_far_stronger_than_three_plies_of_material() {
    let tally = play(&mut Material { depth: 3 }, 10);
    assert!(tally.elo() > 300.0, "{tally}");
}
