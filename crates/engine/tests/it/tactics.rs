//! Wins that must be found, in every variant.

use engine::builtin::{Limits, Score};
use rules::Position;

use super::ask;

/// The engine finds this move, or any if none is named, and sees the game decided in so many moves.
fn check(position: &Position, first: &str, moves: i32) {
    let best = ask(position, Limits::nodes(400_000)).unwrap();
    assert_eq!(best.score, Score::Mate(moves), "{} {best:?}", position.fen());
    if !first.is_empty() {
        assert_eq!(best.action.to_string(), first, "{}", position.fen());
    }
    let mut last = position.clone();
    for &action in &best.pv {
        last.play(action).unwrap();
    }
    assert!(last.outcome().is_some() || best.pv.len() < 2 * moves.unsigned_abs() as usize);
}

#[test]
fn mates_of_standard_chess_are_found() {
    let check = |fen: &str, first, moves| check(&Position::from_fen(fen).unwrap(), first, moves);
    check("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1);
    check("3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "d8d1", 1);
    check("6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", "g5f7", 1);
    check("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 2);
    check("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 3);
    // Only a knight mates where a queen would not.
    check("6bn/5Ppk/7p/8/8/8/8/K7 w - - 0 1", "f7f8n", 1);
}

#[test]
fn mates_of_chess960_are_found() {
    let check =
        |fen: &str, first, moves| check(&Position::from_fen_chess960(fen).unwrap(), first, moves);
    // Only castling brings the rook past its king to the d-file.
    check("2rkr3/2p1p3/8/8/8/8/8/RK6 w A - 0 1", "b1a1", 1);
    check("6k1/5ppp/8/8/8/8/5PPP/R1K5 w A - 0 1", "a1a8", 1);
}

#[test]
fn mates_of_defenders_phase_two_are_found() {
    let check =
        |fen: &str, first, moves| check(&Position::from_fen_defender(fen).unwrap(), first, moves);
    // The cheapest answer known to the second prepared position.
    check("1bkb4/1rbr4/8/8/8/5B2/4K3/7B w - - 0 5", "f3b7", 1);
    // More material than chess ever sees.
    check("6bk/6pp/8/8/8/QQQQQ3/QQQQQ3/K7 w - - 0 9 K/K", "", 1);
}

#[test]
fn kings_of_gmo_chess_are_hunted_down() {
    const ROOK: &str = "AHHHSHHAACHACHACHAHHASASAAAAAAAAA";
    const KING: &str = "AHHHACHAAHHHCHACHAHHASASSASACSAAC";
    let check = |board: &str, first, moves| {
        let form = format!("gmo1 {board} w 0 - {ROOK},{KING}");
        check(&Position::from_gmo_form(&form).unwrap(), first, moves);
    };
    check("h1w0,c3w1k,h8b1k", "h1h8", 1);
    check("a1w0,g1w0,c3w1k,h8b1k", "", 2);
    check("a1w0,a2w0,c3w1k,h8b1k", "", 3);
}

#[test]
fn combinations_of_published_test_suites_are_found() {
    let check = |fen: &str, first: &str| {
        let best = ask(&Position::from_fen(fen).unwrap(), Limits::nodes(600_000)).unwrap();
        assert_eq!(best.action.to_string(), first, "{fen} {best:?}");
    };
    // Bratko and Kopec, number 1: the queen is sacrificed for mate.
    check("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "d6d1");
    // Win at Chess, numbers 1, 3, 4 and 5.
    check("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "g3g6");
    check("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "e3g3");
    check("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", "h6h7");
    check("5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1", "c6c4");
    // Lasker and Reichhelm 1901: only the step back to b1 wins, nineteen plies deep.
    check("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", "a1b1");
}
