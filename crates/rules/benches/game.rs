//! How long a game takes to judge and to take over a move.

use divan::{Bencher, black_box};
use rules::{Act, Actor, Command, Event, Game, Millis, RuleSet, Setup, TimeControl, UnixMillis};

fn main() {
    divan::main();
}

/// A quiet middle game with many reversible moves behind it, so that repetition has something to look at.
fn middle_game() -> Game {
    let time = TimeControl::fischer(Millis::minutes(5), Millis::seconds(3));
    let mut game =
        Game::new(Setup::standard(time, RuleSet::fide()), UnixMillis(0)).expect("playable");
    let opening =
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 e8g8 f1e1 a7a6 c4b3 c5a7 b1d2 c8e6";
    let shuffle = "d2f1 f8e8 f1g3 e8f8 g3f1 f6d7 f1d2 d7f6";
    for action in opening.split(' ').chain(shuffle.split(' ')) {
        play(&mut game, action);
    }
    game
}

fn play(game: &mut Game, action: &str) {
    for event in game.decide(&command(game, action)).expect("a legal move") {
        game.apply(&event).expect("decided");
    }
}

fn command(game: &Game, action: &str) -> Command {
    let by = Actor::Player(game.to_act().expect("running"));
    Command::new(by, UnixMillis(0), Act::Play { ply: game.ply(), action: action.into() })
}

#[divan::bench]
fn decide_a_move(bencher: Bencher) {
    let game = middle_game();
    let command = command(&game, "d2f1");
    bencher.bench_local(|| black_box(&game).decide(black_box(&command)));
}

#[divan::bench]
fn apply_a_move(bencher: Bencher) {
    let game = middle_game();
    let event: Event = game.decide(&command(&game, "d2f1")).expect("legal").remove(0);
    bencher.with_inputs(|| game.clone()).bench_local_refs(|game| game.apply(black_box(&event)));
}

#[divan::bench]
fn write_targets(bencher: Bencher) {
    let game = middle_game();
    bencher.bench_local(|| serde_json::to_string(&black_box(&game).position().dests()));
}

#[divan::bench]
fn read_an_event(bencher: Bencher) {
    bencher.bench_local(|| {
        serde_json::from_str::<Event>(black_box(
            r#"{"t":"m","a":"e2e4","at":1700000000000,"l":299000}"#,
        ))
    });
}
