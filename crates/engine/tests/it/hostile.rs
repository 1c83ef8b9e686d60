//! Positions and questions nobody should ask: an answer or none, but no panic.

use engine::builtin::{Control, Level, Limits, Question, Searcher, Stop};
use rules::{Action, Position};

use super::ask;

/// Allows no move anywhere.
const IMMOBILE: &str = "AHHHSHHAAHHHHHHHHHHHASAS";

#[test]
fn a_game_that_is_over_has_no_answer() {
    let check = |position: Position| {
        assert_eq!(ask(&position, Limits::depth(3)), None, "{}", position.fen());
        let stop = Stop::new();
        let question = Question::new(&position, Limits::depth(3));
        for level in Level::all() {
            let control = Control::untimed(&stop);
            assert_eq!(Searcher::new(1).play(level, &question, 1, control), None);
        }
    };
    check(Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap());
    check(Position::from_fen("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1").unwrap());
    check(Position::from_fen("7k/8/8/8/8/8/8/6K1 b - - 0 1").unwrap());
    check(Position::Muster(Box::default()));
    let stuck = format!("gmo1 a1w0k,h8b0k w 0 - {IMMOBILE}");
    check(Position::from_gmo_form(&stuck).unwrap());
}

#[test]
fn crowded_and_crooked_boards_are_answered() {
    let check = |position: Position| {
        let best = ask(&position, Limits::nodes(30_000)).unwrap();
        assert!(position.resolve(best.action).is_ok(), "{}", position.fen());
    };
    let chess = |fen: &str| Position::from_fen(fen).unwrap();
    let defender = |fen: &str| Position::from_fen_defender(fen).unwrap();
    check(defender("qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/KQQQQQQQ w - - 0 1 K/K"));
    // The most moves a position can have.
    check(defender("kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1"));
    check(defender("4k3/pppppppp/pppppp2/8/8/PPPPPP2/PPPPPPPP/4K3 w - - 0 1 K/K"));
    check(chess("k7/8/8/8/8/8/7P/K7 w - - 98 4000"));
    check(chess("k7/8/8/8/8/8/7P/K7 w - - 149 4000"));
    check(chess("4k3/8/8/8/8/8/8/R3K2R w KQkq e6 0 1"));
    check(defender("8/8/8/8/8/8/8/8 w - - 0 1 1/1"));
    check(defender("8/8/8/8/8/8/8/8 w - - 0 1 60/60"));
    check(defender("qqqqqqqq/pppp4/8/8/8/8/PPPP4/QQQQQQQQ w - - 0 9 0/0"));
}

#[test]
fn crooked_genomes_are_answered() {
    const GENOMES: [&str; 6] = [
        // Copies itself.
        "AHHHACHAAHHHAHAAHAHHASAS",
        // Turns what it touches over to the enemy.
        "AHHHSHHSHAHSAHSAHSHHASASSAS",
        // Lands beside its target.
        "AHHHSAHAAHHHCHACHAHHASASAAAAAAAAA",
        // Mutates.
        "AHHHCCHAAHHHCHACHAHHASASAAAAAAAAA",
        // Moves to where it stands.
        "AHHHSHHSHCHCCHCCHCHHASAA",
        // Around the edges.
        "AHHHSHHSCCHACHACHAHHASASAAAAAAAAA",
    ];
    let stop = Stop::new();
    for genome in GENOMES {
        let pieces: Vec<String> = (0..64)
            .filter(|square| square % 3 != 1)
            .map(|square| {
                let (file, rank) = (char::from(b'a' + square % 8), square / 8 + 1);
                let owner = if square < 32 { 'w' } else { 'b' };
                let king = if square % 32 == 0 { "k" } else { "" };
                format!("{file}{rank}{owner}0{king}")
            })
            .collect();
        let form = format!("gmo1 {} w 0 - {genome}", pieces.join(","));
        let position = Position::from_gmo_form(&form).unwrap();
        if position.outcome().is_some() {
            continue;
        }
        let question = Question::new(&position, Limits::nodes(20_000));
        let best = Searcher::new(1).search(&question, Control::untimed(&stop), &mut |_| ());
        assert!(position.resolve(best.unwrap().action).is_ok(), "{genome}");
    }
}

#[test]
fn absurd_questions_are_answered() {
    let position = Position::standard();
    let history: Vec<u64> = vec![position.hash(); 5_000];
    let stop = Stop::new();
    let absurd = [
        Question { history: &history, ..Question::new(&position, Limits::nodes(500)) },
        Question { lines: 0, ..Question::new(&position, Limits::depth(1)) },
        Question { lines: u8::MAX, ..Question::new(&position, Limits::depth(1)) },
        Question::new(&position, Limits::depth(0)),
        Question::new(&position, Limits::nodes(0)),
    ];
    for question in absurd {
        let best = Searcher::new(0).search(&question, Control::untimed(&stop), &mut |_| ());
        assert!(matches!(best.unwrap().action, Action::Move { .. }));
    }
}
