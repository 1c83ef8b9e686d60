//! Bots of all levels play whole games of all variants by the rules, and the strong beat the weak.

use engine::builtin::{Control, Level, Limits, Question, Searcher, Stop};
use rules::gmo::Seed;
use rules::{Color, Fate, Outcome, Position};

/// Positions a bot may look at: the levels' own numbers would take minutes.
const NODES: u64 = 1_500;

fn seed(game: u8) -> Seed {
    Seed([game; 32])
}

/// Plays a game between two levels and gives its last position; chance follows from the number.
fn play(start: Position, white: Level, black: Level, number: u8, most: usize) -> Position {
    let mut position = start;
    let mut searcher = Searcher::new(2);
    let mut history = Vec::new();
    let stop = Stop::new();
    for ply in 0..most {
        if position.outcome().is_some() {
            break;
        }
        let level = if position.side_to_act() == Color::White { white } else { black };
        let question =
            Question { history: &history, ..Question::new(&position, Limits::nodes(NODES)) };
        let chance = u64::from(number) * 1_000 + ply as u64;
        let best = searcher.play(level, &question, chance, Control::untimed(&stop)).unwrap();
        assert!(position.resolve(best.action).is_ok(), "{}", position.fen());
        history.push(position.hash());
        let fate = fate(&position, best.action, number);
        position.play_fated(best.action, &fate).unwrap();
    }
    position
}

/// What chance does to a move of GMO chess.
fn fate(position: &Position, action: rules::Action, number: u8) -> Fate {
    let (Some(gmo), rules::Action::Move { from, to, .. }) = (position.as_gmo(), action) else {
        return Fate::NONE;
    };
    let luck = gmo.roll(rules::gmo::Move { origin: from, target: to }, &seed(number)).unwrap();
    Fate { landing: luck.landing, dna: luck.mutation.map(|genome| genome.dna().into()) }
}

#[test]
fn every_level_plays_every_variant_by_the_rules() {
    let starts = || {
        [
            Position::standard(),
            Position::from_fen_chess960("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1")
                .unwrap(),
            Position::from_fen_defender("8/8/8/8/8/8/8/8 w - - 0 1 12/14").unwrap(),
            Position::gmo_default(),
        ]
    };
    for level in Level::all() {
        for start in starts() {
            play(start, level, level, level.number(), 60);
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game_and_another_one_does_not() {
    for level in [1, 3, 8].map(|number| Level::new(number).unwrap()) {
        let game = |number| play(Position::standard(), level, level, number, 24).fen();
        assert_eq!(game(1), game(1), "{level:?}");
        let games: std::collections::HashSet<String> = (1..5).map(game).collect();
        assert!(games.len() > 1, "{level:?} plays one game for ever");
    }
}

#[test]
fn a_strong_level_beats_the_weakest_in_every_variant() {
    let strong = Level::new(7).unwrap();
    let check = |start: Position| {
        let first = play(start.clone(), strong, Level::WEAKEST, 1, 300);
        let second = play(start, Level::WEAKEST, strong, 2, 300);
        let winner = |position: &Position| position.outcome().as_ref().and_then(Outcome::winner);
        assert_eq!(winner(&first), Some(Color::White), "{}", first.fen());
        assert_eq!(winner(&second), Some(Color::Black), "{}", second.fen());
    };
    check(Position::standard());
    check(Position::from_fen_defender("8/8/8/8/8/8/8/8 w - - 0 1 20/20").unwrap());
    check(Position::gmo_default());
}
