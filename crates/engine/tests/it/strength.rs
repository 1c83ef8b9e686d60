//! A small version of the matches that `examples/match` plays.

use engine::builtin::{Level, Limits, Searcher};
use rules::Position;

use crate::players::{Bot, Builtin, Greedy, Material, Player};
use crate::referee::{Tally, play_match};

fn play(other: &mut dyn Player, start: &Position, games: u32) -> Tally {
    let mut builtin = Builtin { searcher: Searcher::new(4), limits: Limits::nodes(4_000) };
    play_match(&mut builtin, other, start, games, |_| ())
}

#[test]
fn the_engine_wins_every_game_against_a_greedy_player() {
    let tally = play(&mut Greedy, &Position::standard(), 10);
    assert_eq!(tally.wins, tally.games(), "{tally}");
}

#[test]
fn the_engine_is_far_stronger_than_three_plies_of_material() {
    let tally = play(&mut Material { depth: 3 }, &Position::standard(), 10);
    assert!(tally.elo() > 300.0, "{tally}");
}

#[test]
fn the_engine_wins_games_of_gmo_chess_against_a_greedy_player() {
    let tally = play(&mut Greedy, &Position::gmo_default(), 6);
    assert!(tally.wins >= 5, "{tally}");
}

#[test]
fn a_level_in_the_middle_beats_the_weakest() {
    let limits = Limits::nodes(4_000);
    let bot = |number| {
        let level = Level::new(number).unwrap();
        Bot { searcher: Searcher::new(1), level, limits }
    };
    let tally = play_match(&mut bot(4), &mut bot(1), &Position::standard(), 8, |_| ());
    assert!(tally.wins >= 6, "{tally}");
}
